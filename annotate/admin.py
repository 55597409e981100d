"""Django's admin pages: for admins to look things up and to manage people. Judgements and the log are read-only here:

they change through actions alone.
"""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from annotate import models
from annotate.actions.events import record


class ReadOnly(admin.ModelAdmin):
    """To look at, not to change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Audited(admin.ModelAdmin):
    """What admins change here goes into the audit log, in the same transaction (Django's admin makes one)."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        project = obj if isinstance(obj, models.Project) else getattr(obj, "project", None)
        # Names only: a new password or an e-mail address has no place in the log.
        verb, fields = ("admin.changed" if change else "admin.added"), list(form.changed_data)
        record(verb, obj, by=cast(models.User, request.user), project=project, fields=fields)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People and memberships are deactivated or suspended: their work and their pseudonyms stay."""
        return False


@admin.register(models.User)
class PersonAdmin(Audited, UserAdmin):
    list_display = ["username", "email", "display_name", "is_active", "is_superuser", "is_imported"]
    list_filter = ["is_active", "is_superuser", "is_imported"]
    search_fields = ["username", "email", "display_name"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Person", {"fields": ["display_name", "first_name", "last_name", "email"]}),
        ("Access", {"fields": ["is_active", "is_superuser", "is_staff"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [(None, {"classes": ["wide"], "fields": ["username", "email", "password1", "password2"]})]


@admin.register(models.Project)
class ProjectAdmin(Audited):
    list_display = ["name", "slug", "state", "preset", "overlap", "created_at"]
    list_filter = ["state", "preset"]
    search_fields = ["name", "slug"]
    readonly_fields = ["rubric_version", "guidelines_version", "created_by"]


@admin.register(models.GuidelinesVersion)
class GuidelinesVersionAdmin(ReadOnly):
    list_display = ["project", "number", "replaced_at"]
    list_filter = ["project"]
    search_fields = ["project__slug", "text"]


@admin.register(models.Membership)
class MembershipAdmin(Audited):
    list_display = ["user", "project", "role", "is_suspended"]
    list_filter = ["role", "is_suspended", "project"]
    search_fields = ["user__username", "user__email", "pseudonym"]
    autocomplete_fields = ["user", "project"]
    readonly_fields = ["pseudonym"]


@admin.register(models.Dimension)
class DimensionAdmin(ReadOnly):
    list_display = ["label", "key", "project", "kind", "target", "position", "retired_at"]
    list_filter = ["kind", "target", "project"]
    search_fields = ["label", "key"]


@admin.register(models.Batch)
class BatchAdmin(ReadOnly):
    list_display = ["name", "project", "created_by", "created_at"]
    list_filter = ["project"]
    search_fields = ["name"]


@admin.register(models.Task)
class TaskAdmin(ReadOnly):
    list_display = [
        "external_id",
        "project",
        "batch",
        "state",
        "priority",
        "submitted_count",
        "claimed_count",
        "overlap",
    ]
    list_filter = ["state", "kind", "project"]
    search_fields = ["external_id", "public_id"]
    list_select_related = ["project", "batch"]


@admin.register(models.Prompt)
class PromptAdmin(ReadOnly):
    list_display = ["external_id", "task", "position"]
    list_filter = ["task__project"]
    search_fields = ["external_id", "task__external_id"]
    list_select_related = ["task"]


@admin.register(models.Response)
class ResponseAdmin(ReadOnly):
    list_display = ["external_id", "prompt", "model", "position", "continues"]
    list_filter = ["prompt__task__project"]
    search_fields = ["external_id", "model", "prompt__task__external_id"]
    list_select_related = ["prompt"]


@admin.register(models.Asset)
class AssetAdmin(ReadOnly):
    list_display = ["sha256", "kind", "media_type", "bytes", "width", "height", "seconds"]
    list_filter = ["kind", "media_type"]
    search_fields = ["sha256"]


@admin.register(models.AssetPage)
class AssetPageAdmin(ReadOnly):
    list_display = ["asset", "number", "width", "height"]
    list_filter = ["asset__media_type"]
    search_fields = ["asset__sha256"]
    list_select_related = ["asset"]


@admin.register(models.Assignment)
class AssignmentAdmin(ReadOnly):
    list_display = ["task", "annotator", "kind", "state", "lease_until", "finished_at"]
    list_filter = ["state", "kind", "skip_reason", "task__project"]
    search_fields = ["task__external_id", "annotator__username", "public_id"]
    list_select_related = ["task", "annotator"]


@admin.register(models.Annotation)
class AnnotationAdmin(ReadOnly):
    list_display = ["prompt", "annotator", "outcome", "margin", "state", "revision", "submitted_at"]
    list_filter = ["outcome", "state", "is_adjudication", "prompt__task__project"]
    search_fields = ["annotator__username", "prompt__task__external_id", "justification"]
    list_select_related = ["prompt", "annotator"]


@admin.register(models.Rating)
class RatingAdmin(ReadOnly):
    list_display = ["annotation", "dimension", "response", "value"]
    list_filter = ["dimension"]
    search_fields = ["annotation__annotator__username"]
    list_select_related = ["annotation__annotator", "annotation__prompt", "dimension", "response"]


@admin.register(models.AnnotationRevision)
class AnnotationRevisionAdmin(ReadOnly):
    list_display = ["annotation", "number", "by", "created_at"]
    list_filter = ["annotation__prompt__task__project"]
    search_fields = ["annotation__annotator__username", "annotation__prompt__task__external_id"]
    list_select_related = ["annotation__annotator", "annotation__prompt", "by"]


@admin.register(models.Flag)
class FlagAdmin(ReadOnly):
    list_display = ["kind", "response", "annotation", "note"]
    list_filter = ["kind", "annotation__prompt__task__project"]
    search_fields = ["annotation__annotator__username", "note"]
    list_select_related = ["annotation__annotator", "annotation__prompt", "response"]


@admin.register(models.Placement, models.Rewrite)
class DetailAdmin(ReadOnly):
    list_display = ["annotation", "response"]
    list_filter = ["annotation__prompt__task__project"]
    search_fields = ["annotation__annotator__username"]
    list_select_related = ["annotation__annotator", "annotation__prompt", "response"]


@admin.register(models.Review)
class ReviewAdmin(ReadOnly):
    list_display = ["annotation", "reviewer", "verdict", "created_at"]
    list_filter = ["verdict"]
    search_fields = ["reviewer__username", "comment"]
    list_select_related = ["annotation__annotator", "annotation__prompt", "reviewer"]


@admin.register(models.ReviewItem)
class ReviewItemAdmin(ReadOnly):
    list_display = ["annotation", "reasons", "state", "reviewer", "lease_until", "created_at"]
    list_filter = ["state", "annotation__prompt__task__project"]
    search_fields = ["annotation__annotator__username", "annotation__prompt__task__external_id"]
    list_select_related = ["annotation__annotator", "annotation__prompt", "reviewer"]


@admin.register(models.ReviewSettings)
class ReviewSettingsAdmin(ReadOnly):
    list_display = ["project", "new_share", "new_count", "return_days", "may_appeal", "show_settled"]
    list_filter = ["may_appeal", "show_settled"]
    search_fields = ["project__name", "project__slug"]
    list_select_related = ["project"]


@admin.register(models.ReviewComment)
class ReviewCommentAdmin(ReadOnly):
    list_display = ["author", "annotation", "created_at"]
    list_filter = ["annotation__prompt__task__project"]
    search_fields = ["text", "author__username"]
    list_select_related = ["author", "annotation__annotator", "annotation__prompt"]


@admin.register(models.Appeal)
class AppealAdmin(ReadOnly):
    list_display = ["author", "review", "state", "decided_by", "created_at"]
    list_filter = ["state", "review__annotation__prompt__task__project"]
    search_fields = ["text", "author__username"]
    list_select_related = ["author", "review__reviewer", "decided_by"]


@admin.register(models.Dispute)
class DisputeAdmin(ReadOnly):
    list_display = ["prompt", "about", "state", "reason", "created_at", "settled_at"]
    list_filter = ["state", "reason", "prompt__task__project"]
    search_fields = ["prompt__external_id", "prompt__task__external_id"]
    list_select_related = ["prompt"]


@admin.register(models.AuditLot)
class AuditLotAdmin(ReadOnly):
    list_display = ["annotator", "batch", "state", "size", "limit", "risk", "created_at"]
    list_filter = ["state", "batch__project"]
    search_fields = ["annotator__username", "batch__name"]
    list_select_related = ["annotator", "batch"]


@admin.register(models.RubricScore)
class RubricScoreAdmin(ReadOnly):
    list_display = ["review", "key", "value"]
    list_filter = ["value", "review__annotation__prompt__task__project"]
    search_fields = ["key"]
    list_select_related = ["review__reviewer"]


@admin.register(models.ReviewPoint)
class ReviewPointAdmin(ReadOnly):
    list_display = ["review", "place", "quote"]
    list_filter = ["place", "review__annotation__prompt__task__project"]
    search_fields = ["quote"]
    list_select_related = ["review__reviewer"]


@admin.register(models.KnownJudgement)
class KnownJudgementAdmin(ReadOnly):
    list_display = ["prompt", "kind", "source"]
    list_filter = ["kind", "prompt__task__project"]
    search_fields = ["source", "prompt__task__external_id"]
    list_select_related = ["prompt"]


@admin.register(models.Event)
class EventAdmin(ReadOnly):
    list_display = ["at", "actor", "verb", "target_type", "target_id", "project"]
    list_filter = ["verb", "project"]
    search_fields = ["actor__username", "verb", "target_id"]
    list_select_related = ["actor", "project"]


@admin.register(models.Worker)
class WorkerAdmin(ReadOnly):
    list_display = ["name", "mode", "pid", "started_at", "seen_at"]
    list_filter = ["mode"]
    search_fields = ["name"]
