"""Every set of choices of the labelling domain. Values are stable words that are stored; labels are for people."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Role(TextChoices):
    """What a person may do in a project. ``ADMIN`` is never a membership: it is a superuser, everywhere."""

    ANNOTATOR = "annotator", _("Annotator")
    REVIEWER = "reviewer", _("Reviewer")
    LEAD = "lead", _("Lead")
    ADMIN = "admin", _("Admin")


class ProjectState(TextChoices):
    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Open")
    PAUSED = "paused", _("Paused")
    CLOSED = "closed", _("Closed")
    ARCHIVED = "archived", _("Archived")


class Preset(TextChoices):
    SCALE = "scale", _("Scale: ratings with justification, 7-point line")
    HELPSTEER3 = "helpsteer3", _("HelpSteer3: −3…3 with reasoning, three annotators")
    LLAMA2 = "llama2", _("Llama 2: four levels, helpfulness and safety")
    HH = "hh", _("HH: 8 points, no tie")
    ARENA = "arena", _("Arena: winner, tie or both bad")
    RANKING = "ranking", _("Ranking: three to nine responses, ties allowed")


class DimensionKind(TextChoices):
    SCALE = "scale", _("Scale")
    YES_NO = "yes_no", _("Yes or no")
    CATEGORY = "category", _("Category")
    TAGS = "tags", _("Tags")
    TEXT = "text", _("Text")


class DimensionTarget(TextChoices):
    RESPONSE = "response", _("Each response")
    COMPARISON = "comparison", _("The comparison")


class Requirement(TextChoices):
    """Whether a written answer is asked for."""

    OFF = "off", _("Off")
    OPTIONAL = "optional", _("Optional")
    REQUIRED = "required", _("Required")


class RewriteTarget(TextChoices):
    """Which responses may be rewritten."""

    WINNER = "winner", _("The better response")
    ANY = "any", _("Any response")


class TaskState(TextChoices):
    """``STAGED``: part of an import that is not complete yet; nobody sees it.

    ``HELD``: it names a model, and a lead has not yet decided what becomes of it.
    """

    STAGED = "staged", _("Being imported")
    HELD = "held", _("Held back")
    ACTIVE = "active", _("Active")
    EXCLUDED = "excluded", _("Excluded")


class TaskKind(TextChoices):
    NORMAL = "normal", _("Normal")
    GOLD = "gold", _("Gold")


class KnownKind(TextChoices):
    """What a judgement that came with a task is for."""

    GOLD = "gold", _("Gold answer")
    SUGGESTION = "suggestion", _("Suggestion")


class MessageRole(TextChoices):
    SYSTEM = "system", _("System")
    USER = "user", _("User")
    ASSISTANT = "assistant", _("Assistant")
    TOOL = "tool", _("Tool")


class AssetKind(TextChoices):
    IMAGE = "image", _("Image")
    AUDIO = "audio", _("Audio")
    VIDEO = "video", _("Video")
    FILE = "file", _("File")


class AssignmentState(TextChoices):
    LIVE = "live", _("In work")
    SUBMITTED = "submitted", _("Submitted")
    RETURNED = "returned", _("Returned")
    SKIPPED = "skipped", _("Skipped")
    EXPIRED = "expired", _("Expired")


class AssignmentKind(TextChoices):
    """Where an assignment comes from. Only ``QUEUE`` counts against a task's overlap while it is being worked on."""

    QUEUE = "queue", _("Queue")
    IMPORT = "import", _("Import")
    ADJUDICATION = "adjudication", _("Adjudication")


class SkipReason(TextChoices):
    UNCLEAR = "unclear", _("The prompt is unclear")
    EXPERTISE = "expertise", _("I lack the knowledge to judge it")
    LANGUAGE = "language", _("I do not read this language")
    BROKEN = "broken", _("Something is broken or missing")
    DISTRESSING = "distressing", _("The content is distressing")
    OTHER = "other", _("Something else")


class AnnotationState(TextChoices):
    SUBMITTED = "submitted", _("Submitted")
    RETURNED = "returned", _("Returned")


class Outcome(TextChoices):
    """Four different things, never folded into one another."""

    WINNER = "winner", _("A winner")
    TIE = "tie", _("About equal")
    ALL_BAD = "all_bad", _("All are bad")
    CANNOT_JUDGE = "cannot_judge", _("Cannot judge")


class CannotJudgeReason(TextChoices):
    EXPERTISE = "expertise", _("I lack the knowledge")
    LANGUAGE = "language", _("I do not read this language")
    UNCLEAR = "unclear", _("The prompt is unclear")
    BROKEN = "broken", _("Something is broken or missing")
    OTHER = "other", _("Something else")


class FlagKind(TextChoices):
    """What is wrong with a response beyond its quality."""

    UNSAFE = "unsafe", _("Unsafe")
    WRONG_LANGUAGE = "wrong_language", _("Wrong language")
    BROKEN = "broken", _("Broken or cut off")
    REVEALS_MODEL = "reveals_model", _("Reveals its model")
    OTHER = "other", _("Something else")


class Verdict(TextChoices):
    ACCEPT = "accept", _("Accept")
    RETURN = "return", _("Return")
    FIX = "fix", _("Fix")


class ReviewReason(TextChoices):
    """Why an annotation is in the queue of the reviewers."""

    MENDED = "mended", _("Mended after a return")
    APPEAL = "appeal", _("Appeal granted")
    CHOSEN = "chosen", _("Chosen by hand")
    LOT = "lot", _("Audit lot")
    ALL = "all", _("Everything is reviewed")
    NEWCOMER = "newcomer", _("New in the project")
    SAMPLE = "sample", _("Random sample")
    COHERENCE = "coherence", _("Contradicts itself")
    FLAGS = "flags", _("Flagged a response")
    TOO_FAST = "too_fast", _("Faster than reading")
    REPEATED = "repeated", _("Repeated text")
    PASTED = "pasted", _("Mostly pasted")
    GOLD = "gold", _("Low gold accuracy")


class ReviewItemState(TextChoices):
    OPEN = "open", _("Open")
    DONE = "done", _("Done")


class ReviewPlace(TextChoices):
    """What of an annotation a reviewer marks."""

    PREFERENCE = "preference", _("Preference")
    RATINGS = "ratings", _("Ratings")
    JUSTIFICATION = "justification", _("Justification")
    REWRITES = "rewrites", _("Rewrites")
    FLAGS = "flags", _("Flags")


class AppealState(TextChoices):
    OPEN = "open", _("Open")
    GRANTED = "granted", _("Granted")
    REFUSED = "refused", _("Refused")


class DisputeState(TextChoices):
    OPEN = "open", _("Open")
    SETTLED = "settled", _("Settled")


class AdjudicationReason(TextChoices):
    MAJORITY = "majority", _("The majority is right")
    MINORITY = "minority", _("The minority is right")
    NEITHER = "neither", _("Nobody is quite right")
    AMBIGUOUS = "ambiguous", _("The prompt allows both views")
    GUIDELINES = "guidelines", _("The guidelines are unclear")
    MISTAKE = "mistake", _("Somebody made a slip")
    OTHER = "other", _("Something else")


class LotState(TextChoices):
    OPEN = "open", _("Being audited")
    ACCEPTED = "accepted", _("Accepted")
    RETURNED = "returned", _("Returned")


class RevisionCause(TextChoices):
    """Why an annotation was changed. ``RETURNED``: only its state changed, what it says did not."""

    EDITED = "edited", _("Changed by its author")
    RETURNED = "returned", _("Sent back")
    MENDED = "mended", _("Mended after a return")
    FIXED = "fixed", _("Fixed by a reviewer")
    RESTORED = "restored", _("Earlier text restored")


class JobState(TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")
