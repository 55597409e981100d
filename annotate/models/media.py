"""Stored media, addressed by content, and the cache of rendered text."""

from django.db import models

from annotate.enums import AssetKind
from annotate.models.tasks import Task


class Asset(models.Model):
    """A stored file, named by the SHA-256 (64 hex digits) of its bytes. The same bytes are stored once."""

    sha256 = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10, choices=AssetKind)
    media_type = models.CharField(max_length=100)
    file = models.FileField(upload_to="assets")
    thumbnail = models.FileField(upload_to="thumbnails", blank=True)
    bytes = models.PositiveBigIntegerField()
    width = models.PositiveIntegerField(null=True, blank=True, help_text="Pixels.")
    height = models.PositiveIntegerField(null=True, blank=True, help_text="Pixels.")
    seconds = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=AssetKind.values), name="annotate_asset_kind"),
            models.CheckConstraint(condition=models.Q(sha256__regex=r"^[0-9a-f]{64}$"), name="annotate_asset_sha256"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.sha256[:12]}"


class AssetPage(models.Model):
    """One page of a document as a picture (WebP), so that it can be read in a pane and compared."""

    asset = models.ForeignKey(Asset, on_delete=models.CASCADE, related_name="pages")
    number = models.PositiveSmallIntegerField(help_text="1 is the first.")
    file = models.FileField(upload_to="pages")
    width = models.PositiveIntegerField(help_text="Pixels.")
    height = models.PositiveIntegerField(help_text="Pixels.")

    class Meta:
        ordering = ["asset", "number"]
        constraints = [
            models.UniqueConstraint(fields=["asset", "number"], name="annotate_assetpage_unique"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="annotate_assetpage_number"),
        ]

    def __str__(self) -> str:
        return f"page {self.number} of {self.asset}"


class TaskAsset(models.Model):
    """A task uses an asset: who may see the task may see the file."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="task_assets")
    asset = models.ForeignKey(Asset, on_delete=models.PROTECT, related_name="task_assets")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "asset"], name="annotate_taskasset_unique")]

    def __str__(self) -> str:
        return f"{self.task} uses {self.asset}"


class RenderedText(models.Model):
    """The safe HTML of one text, made once. ``sha256`` is of the text; a new render version makes new rows."""

    sha256 = models.CharField(max_length=64)
    version = models.PositiveIntegerField()
    html = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sha256", "version"], name="annotate_renderedtext_unique")]

    def __str__(self) -> str:
        return f"{self.sha256[:12]} v{self.version}"
