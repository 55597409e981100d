"""Django's admin pages of imports and exports, to look at."""

from django.contrib import admin

from annotate.admin import ReadOnly
from exports import models


@admin.register(models.Import)
class ImportAdmin(ReadOnly):
    list_display = ["file_name", "project", "format", "state", "created_count", "problem_count", "created_at"]
    list_filter = ["state", "format", "project"]
    search_fields = ["file_name", "batch_name"]


@admin.register(models.SavedMapping)
class SavedMappingAdmin(ReadOnly):
    list_display = ["project", "format"]
    list_filter = ["format", "project"]
    search_fields = ["project__slug", "format"]


@admin.register(models.NameFinding)
class NameFindingAdmin(ReadOnly):
    list_display = ["name", "kind", "task", "field"]
    list_filter = ["kind", "task__project"]
    search_fields = ["name", "task__external_id"]
    list_select_related = ["task"]


@admin.register(models.Export)
class ExportAdmin(ReadOnly):
    list_display = ["format", "project", "state", "rows", "created_by", "created_at"]
    list_filter = ["state", "format", "project"]
    search_fields = ["project__slug", "public_id"]


@admin.register(models.ExportFile)
class ExportFileAdmin(ReadOnly):
    list_display = ["name", "export", "rows", "bytes", "sha256"]
    list_filter = ["export__format"]
    search_fields = ["name", "sha256"]


@admin.register(models.ExportPiece)
class ExportPieceAdmin(ReadOnly):
    list_display = ["export", "number", "state", "tasks", "lease_until"]
    list_filter = ["state", "export__format"]
    search_fields = ["export__public_id"]


@admin.register(models.ExportSchedule)
class ExportScheduleAdmin(ReadOnly):
    list_display = ["format", "project", "every", "next_at", "created_by", "problem"]
    list_filter = ["every", "project"]
    search_fields = ["format", "project__slug"]
