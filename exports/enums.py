"""Every set of choices of the exports that is stored. Values are stable words; labels are for people."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class ExportStage(TextChoices):
    """What a running export is at."""

    READING = "reading", _("Reading the judgements")
    WRITING = "writing", _("Writing the files")
    CHECKING = "checking", _("Loading the files again to check them")
    PACKING = "packing", _("Packing everything into one file")


class PieceState(TextChoices):
    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"


class Every(TextChoices):
    DAY = "day", _("Every day")
    WEEK = "week", _("Every week")


class ImportPhase(TextChoices):
    """What the job of an import does: only look at the file, or bring it in."""

    CHECK = "check", _("Check")
    LOAD = "load", _("Import")
