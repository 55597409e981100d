"""Every set of choices of the exports that is stored. Values are stable words; labels are for people."""

from django.db.models import TextChoices


class ExportStage(TextChoices):
    """What a running export is at."""

    READING = "reading", "Reading the judgements"
    WRITING = "writing", "Writing the files"
    CHECKING = "checking", "Loading the files again to check them"
    PACKING = "packing", "Packing everything into one file"


class PieceState(TextChoices):
    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"


class Every(TextChoices):
    DAY = "day", "Every day"
    WEEK = "week", "Every week"
