"""Requested imports and exports. Both are jobs: the row is the work order, its progress and its result."""

import uuid
from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Batch, Job, Project


class Import(Job):
    """An uploaded file on its way to become a batch of tasks: all of it or nothing."""

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

    class Meta(Job.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"Import of {self.file_name}"

    @property
    def path(self) -> Path:
        """Where the uploaded bytes wait."""
        return Path(settings.IMPORT_ROOT) / str(self.public_id)


class Export(Job):
    """A requested dataset. ``manifest`` is its description once it is done."""

    kind = "export"
    body = "exports.jobs.run_export"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="exports")
    format = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    watermark = models.JSONField(default=dict, help_text="Highest ids that belong to the snapshot.")
    rows = models.PositiveBigIntegerField(default=0)
    manifest = models.JSONField(default=dict)

    class Meta(Job.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.format} export of {self.project}"

    @property
    def folder(self) -> Path:
        """Where the files lie: one folder per attempt, so that a worker thought dead cannot spoil its successor's."""
        return Path(settings.EXPORT_ROOT) / str(self.public_id) / str(self.token)


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
