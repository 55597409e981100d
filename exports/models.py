"""Requested imports and exports. Both are jobs: the row is the work order, its progress and its result."""

import uuid
from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from annotate.enums import JobState
from annotate.models import Batch, Job, Project, Task
from exports.enums import Every, ExportStage, ImportPhase, PieceState


class Import(Job):
    """An uploaded file on its way to become a batch of tasks: all of it or nothing.

    A new one is first checked; whoever uploaded it reads the report and starts the import, or mends the choices and
    has it checked again. The uploaded bytes wait until it is imported or cancelled, or are too old.
    """

    kind = "import"
    body = "exports.jobs.run_import"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="imports")
    batch_name = models.CharField(max_length=120)
    batch = models.ForeignKey(Batch, on_delete=models.SET_NULL, null=True, blank=True, related_name="imports")
    format = models.CharField(max_length=40, blank=True, help_text="Empty: recognised from the content.")
    file_name = models.CharField(max_length=200, help_text="As uploaded; shown, never used as a path.")
    created_count = models.PositiveIntegerField(default=0)
    judgement_count = models.PositiveIntegerField(default=0)
    problem_count = models.PositiveIntegerField(default=0)
    problems = models.JSONField(default=list, help_text="The first problems: file, line, field, found, expected.")
    phase = models.CharField(max_length=10, choices=ImportPhase, default=ImportPhase.CHECK)
    choices = models.JSONField(default=dict, help_text="See exports/import_choices.py.")
    report = models.JSONField(default=dict, help_text="See exports/report.py.")
    upload_deleted_at = models.DateTimeField(null=True, blank=True, help_text="When its bytes were deleted.")

    class Meta(Job.Meta):
        abstract = False
        constraints = [
            *Job.Meta.constraints,
            models.CheckConstraint(condition=Q(phase__in=ImportPhase.values), name="exports_import_phase_known"),
        ]

    def __str__(self) -> str:
        return f"Import of {self.file_name}"

    @property
    def can_proceed(self) -> bool:
        """Whether it has ended without importing anything and its bytes are still here."""
        is_imported = self.state == JobState.DONE and self.phase == ImportPhase.LOAD
        return self.is_finished and not is_imported and self.state != JobState.CANCELLED and self.path.exists()

    @property
    def problems_path(self) -> Path:
        """Where every problem is listed, one JSON object per line."""
        return self.path.with_suffix(".problems")

    @property
    def path(self) -> Path:
        """Where the uploaded bytes wait."""
        return Path(settings.IMPORT_ROOT) / str(self.public_id)


class SavedMapping(models.Model):
    """What the columns or keys of a kind of file mean, kept for the next file of that kind."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="saved_mappings")
    format = models.CharField(max_length=40)
    columns = models.CharField(max_length=64, help_text="SHA-256 of the sorted names of the columns.")
    mapping = models.JSONField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "format", "columns"], name="exports_savedmapping_unique"),
        ]

    def __str__(self) -> str:
        return f"Columns of {self.format} in {self.project}"


class NameFinding(models.Model):
    """A name of a model, or of its maker, that annotators would see in a task."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="name_findings")
    kind = models.CharField(max_length=20, help_text="In what kind of place it is.")
    field = models.CharField(max_length=200)
    name = models.CharField(max_length=200)
    excerpt = models.TextField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} in {self.field}"


class Export(Job):
    """A requested dataset. ``manifest`` is its description once it is done, and outlives its files."""

    kind = "export"
    body = "exports.jobs.run_export"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="exports")
    format = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    file_options = models.JSONField(default=dict)
    reason = models.TextField(blank=True, help_text="Why the names of people leave; needed where they do.")
    watermark = models.JSONField(default=dict, help_text="Highest ids that belong to the snapshot.")
    settles_after = models.BigIntegerField(
        null=True, blank=True, help_text="PostgreSQL transaction; older ones may still write under the watermark."
    )
    stage = models.CharField(max_length=10, choices=ExportStage, default=ExportStage.READING)
    stage_at = models.DateTimeField(null=True, blank=True)
    rows = models.PositiveBigIntegerField(default=0)
    manifest = models.JSONField(default=dict)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="When the files are deleted.")
    files_deleted_at = models.DateTimeField(null=True, blank=True)
    schedule = models.ForeignKey(
        "ExportSchedule", on_delete=models.SET_NULL, null=True, blank=True, related_name="exports"
    )

    class Meta(Job.Meta):
        abstract = False
        constraints = [
            *Job.Meta.constraints,
            models.CheckConstraint(condition=Q(stage__in=ExportStage.values), name="exports_export_stage_known"),
            models.CheckConstraint(
                condition=~Q(options__identity="names") | ~Q(reason=""), name="exports_export_names_have_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.format} export of {self.project}"

    @property
    def root(self) -> Path:
        """Everything of this export on disk."""
        return Path(settings.EXPORT_ROOT) / str(self.public_id)

    @property
    def folder(self) -> Path:
        """Where the files lie: one folder per attempt, so that a worker thought dead cannot spoil its successor's."""
        return self.root / str(self.token)

    @property
    def pieces_folder(self) -> Path:
        """Where the pieces lie until the files are made of them."""
        return self.root / "pieces"


class ExportPiece(models.Model):
    """The rows of the tasks with ``after < id <= upto``, made by whichever worker claims them first.

    A worker owns the piece while ``token`` is its own; what it wrote is in a folder of that token's name. ``files``:
    split to rows and bytes.
    """

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    after = models.BigIntegerField()
    upto = models.BigIntegerField()
    tasks = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=PieceState, default=PieceState.WAITING)
    token = models.UUIDField(null=True, blank=True, editable=False)
    lease_until = models.DateTimeField(default=timezone.now)
    files = models.JSONField(default=dict)
    accounting = models.JSONField(default=dict)
    statistics = models.JSONField(default=dict)

    class Meta:
        ordering = ["export_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["export", "number"], name="exports_piece_number_unique"),
            models.CheckConstraint(condition=Q(state__in=PieceState.values), name="exports_piece_state_known"),
            models.CheckConstraint(condition=Q(upto__gt=F("after")), name="exports_piece_range"),
            models.CheckConstraint(
                condition=Q(state=PieceState.WAITING) | Q(token__isnull=False), name="exports_piece_has_token"
            ),
        ]

    def __str__(self) -> str:
        return f"Piece {self.number} of {self.export}"

    @property
    def folder(self) -> Path:
        return self.export.pieces_folder / f"{self.number:05}-{self.token}"


class ExportSchedule(models.Model):
    """Makes the same dataset of the data of the day, again and again. The worker's dispatcher starts what is due."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="export_schedules")
    format = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    file_options = models.JSONField(default=dict)
    every = models.CharField(max_length=10, choices=Every)
    next_at = models.DateTimeField()
    problem = models.TextField(blank=True, help_text="Why it could not start the last time.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(every__in=Every.values), name="exports_schedule_every_known"),
            # Names leave only when a person says why, each time.
            models.CheckConstraint(condition=~Q(options__identity="names"), name="exports_schedule_no_names"),
        ]
        indexes = [models.Index(fields=["next_at"], name="exports_schedule_due")]

    def __str__(self) -> str:
        return f"{self.format} of {self.project}, {self.every}"


class ExportFile(models.Model):
    """One finished file of an export; a half-written one has no row."""

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveBigIntegerField()
    rows = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["export", "name"], name="exports_exportfile_name_unique"),
            models.CheckConstraint(condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="exports_exportfile_sha256"),
        ]

    def __str__(self) -> str:
        return self.name
