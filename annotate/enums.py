"""Every set of choices of the labelling domain. Values are stable words that are stored; labels are for people."""

from django.db.models import TextChoices


class Role(TextChoices):
    """What a person may do in a project. ``ADMIN`` is never a membership: it is a superuser, everywhere."""

    ANNOTATOR = "annotator", "Annotator"
    REVIEWER = "reviewer", "Reviewer"
    LEAD = "lead", "Lead"
    ADMIN = "admin", "Admin"


class ProjectState(TextChoices):
    DRAFT = "draft", "Draft"
    OPEN = "open", "Open"
    PAUSED = "paused", "Paused"
    CLOSED = "closed", "Closed"
    ARCHIVED = "archived", "Archived"


class Preset(TextChoices):
    SCALE = "scale", "Scale: ratings with justification, 7-point line"
    HELPSTEER3 = "helpsteer3", "HelpSteer3: −3…3 with reasoning, three annotators"
    LLAMA2 = "llama2", "Llama 2: four levels, helpfulness and safety"
    HH = "hh", "HH: 8 points, no tie"
    ARENA = "arena", "Arena: winner, tie or both bad"
    RANKING = "ranking", "Ranking: three to nine responses, ties allowed"


class DimensionKind(TextChoices):
    SCALE = "scale", "Scale"
    YES_NO = "yes_no", "Yes or no"
    CATEGORY = "category", "Category"
    TAGS = "tags", "Tags"
    TEXT = "text", "Text"


class DimensionTarget(TextChoices):
    RESPONSE = "response", "Each response"
    COMPARISON = "comparison", "The comparison"


class Requirement(TextChoices):
    """Whether a written answer is asked for."""

    OFF = "off", "Off"
    OPTIONAL = "optional", "Optional"
    REQUIRED = "required", "Required"


class RewriteTarget(TextChoices):
    """Which responses may be rewritten."""

    WINNER = "winner", "The better response"
    ANY = "any", "Any response"


class TaskState(TextChoices):
    """``STAGED``: part of an import that is not complete yet; nobody sees it."""

    STAGED = "staged", "Being imported"
    ACTIVE = "active", "Active"
    EXCLUDED = "excluded", "Excluded"


class TaskKind(TextChoices):
    NORMAL = "normal", "Normal"
    GOLD = "gold", "Gold"


class MessageRole(TextChoices):
    SYSTEM = "system", "System"
    USER = "user", "User"
    ASSISTANT = "assistant", "Assistant"
    TOOL = "tool", "Tool"


class AssetKind(TextChoices):
    IMAGE = "image", "Image"
    AUDIO = "audio", "Audio"
    VIDEO = "video", "Video"
    FILE = "file", "File"


class AssignmentState(TextChoices):
    LIVE = "live", "In work"
    SUBMITTED = "submitted", "Submitted"
    RETURNED = "returned", "Returned"
    SKIPPED = "skipped", "Skipped"
    EXPIRED = "expired", "Expired"


class AssignmentKind(TextChoices):
    """Where an assignment comes from. Only ``QUEUE`` counts against a task's overlap while it is being worked on."""

    QUEUE = "queue", "Queue"
    IMPORT = "import", "Import"
    ADJUDICATION = "adjudication", "Adjudication"


class SkipReason(TextChoices):
    UNCLEAR = "unclear", "The prompt is unclear"
    EXPERTISE = "expertise", "I lack the knowledge to judge it"
    LANGUAGE = "language", "I do not read this language"
    BROKEN = "broken", "Something is broken or missing"
    DISTRESSING = "distressing", "The content is distressing"
    OTHER = "other", "Something else"


class AnnotationState(TextChoices):
    SUBMITTED = "submitted", "Submitted"
    RETURNED = "returned", "Returned"


class Outcome(TextChoices):
    """Four different things, never folded into one another."""

    WINNER = "winner", "A winner"
    TIE = "tie", "About equal"
    ALL_BAD = "all_bad", "All are bad"
    CANNOT_JUDGE = "cannot_judge", "Cannot judge"


class CannotJudgeReason(TextChoices):
    EXPERTISE = "expertise", "I lack the knowledge"
    LANGUAGE = "language", "I do not read this language"
    UNCLEAR = "unclear", "The prompt is unclear"
    BROKEN = "broken", "Something is broken or missing"
    OTHER = "other", "Something else"


class FlagKind(TextChoices):
    """What is wrong with a response beyond its quality."""

    UNSAFE = "unsafe", "Unsafe"
    WRONG_LANGUAGE = "wrong_language", "Wrong language"
    BROKEN = "broken", "Broken or cut off"
    REVEALS_MODEL = "reveals_model", "Reveals its model"
    OTHER = "other", "Something else"


class Verdict(TextChoices):
    ACCEPT = "accept", "Accept"
    RETURN = "return", "Return"
    FIX = "fix", "Fix"


class JobState(TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"
