"""The queue of the reviewers, the review page, and fixing what is wrong."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.annotations import Incomplete
from annotate.actions.reviews import Remarks, ReviewConflict, accept, claim_item, fix, send_back
from annotate.enums import ReviewItemState, ReviewReason
from annotate.forms.filled import fields_from, judgement_from
from annotate.forms.judgement import errors_by_field, fields_of, parse
from annotate.forms.reviews import remarks_of, seen_of
from annotate.models import Annotation, Project, ReviewItem
from annotate.queries.judging import content_of
from annotate.queries.reviews import (
    annotation_in,
    free_items,
    mentions_of,
    open_appeals,
    open_disputes,
    open_items,
    resolution_hours,
    settings_of,
)
from annotate.views.comparison import Page
from annotate.views.judged import turns_submitted
from annotate.views.reviewed import AnnotationBuilder, review_page
from annotate.views.standing import excerpt
from annotate.views.threads import duration

PAGE, FIX_PAGE = "annotate/reviews/review.html", "annotate/reviews/fix.html"
SHOWN = 50


@project_access(Permission.REVIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def queue(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """GET: what waits, and why. POST: take the next item."""
    if request.method == "POST":
        item = claim_item(project=project, by=request.user)
        if item:
            return redirect("reviews:item", slug=project.slug, item=item.pk)
        messages.info(request, _("Nothing is waiting for you at the moment."))
    may_lead = Permission.CONFIGURE in request.permissions
    waiting = open_items(project, request.user).select_related(
        "annotation__prompt", "annotation__annotator", "reviewer"
    )
    disputes, appeals = open_disputes(project, request.user), open_appeals(project, request.user)
    context = {
        "project": project,
        "rows": [_row(item) for item in waiting[:SHOWN]],
        "waiting": waiting.count(),
        "free": free_items(project, request.user).count(),
        "disputes": [(each, excerpt(each.prompt.content) or _("No text")) for each in disputes[:SHOWN]],
        "appeals": [_appeal(each) for each in appeals[:SHOWN]] if may_lead else [],
        "mentions": mentions_of(request.user, project),
        "may_lead": may_lead,
    }
    return render(request, "annotate/reviews/queue.html", context)


def _row(item: ReviewItem) -> dict[str, Any]:
    return {
        "url": reverse("reviews:item", args=[item.annotation.prompt.task.project.slug, item.pk]),
        "excerpt": excerpt(item.annotation.prompt.content) or _("No text"),
        "author": item.annotation.annotator.name,
        "reasons": [str(ReviewReason(reason).label) for reason in item.reasons if reason in ReviewReason.values],
        "waited": duration(resolution_hours(item.created_at, None)),
        "reviewer": item.reviewer.name if item.reviewer and item.lease_until else "",
    }


def _appeal(appeal: Any) -> dict[str, Any]:
    return {
        "appeal": appeal,
        "annotation": appeal.review.annotation_id,
        "verdict": appeal.review.get_verdict_display(),
        "comment": appeal.review.comment,
        "waited": duration(resolution_hours(appeal.created_at, None)),
    }


# ------------------------------------------------------------------------------------------------- the review page
def _found(project: Project, pk: int, request: ProjectRequest) -> tuple[ReviewItem, Annotation]:
    item = ReviewItem.objects.filter(pk=pk, annotation__prompt__task__project=project).first()
    annotation = annotation_in(project, item.annotation_id) if item else None
    if item is None or annotation is None or annotation.annotator_id == request.user.pk:
        raise Http404(_("There is no such item, or it is your own work."))
    return item, annotation


@project_access(Permission.REVIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def item_page(request: ProjectRequest, project: Project, item: int) -> HttpResponseBase:
    """GET: the annotation as its author saw it. POST: the verdict, then the next item."""
    found, annotation = _found(project, item, request)
    if request.method == "POST":
        return _decided(request, project, found, annotation)
    if found.state == ReviewItemState.DONE:
        return redirect("reviews:annotation", slug=project.slug, annotation=annotation.pk)
    if request.method == "GET" and claim_item(project=project, by=request.user, pk=item) is None:
        messages.warning(request, _("Somebody else is reviewing this, or it is with its author. Take another one."))
        return redirect("reviews:queue", slug=project.slug)
    return render(request, PAGE, {"page": review_page(found, annotation, request.user), "project": project})


def _decided(request: ProjectRequest, project: Project, item: ReviewItem, annotation: Annotation) -> HttpResponse:
    keys = [each["key"] for each in settings_of(project).rubric]
    seen, remarks = seen_of(request.POST), remarks_of(request.POST, keys)
    try:
        if request.POST.get("verdict") == "return":
            send_back(annotation=annotation, seen=seen, remarks=remarks, turns_of=turns_submitted, by=request.user)
            messages.success(request, _("Returned to its author."))
        else:
            accept(annotation=annotation, seen=seen, remarks=remarks, by=request.user)
    except ReviewConflict as conflict:
        return _refused(request, project, item, str(conflict), remarks)
    return _next(request, project)


def _refused(request: ProjectRequest, project: Project, item: ReviewItem, error: str, remarks: Remarks) -> HttpResponse:
    """Say why, over what stands now; what was written stays."""
    item.refresh_from_db()
    annotation = annotation_in(project, item.annotation_id)
    assert annotation is not None
    page = review_page(item, annotation, request.user, error, remarks.comment)
    return render(request, PAGE, {"page": page, "project": project}, status=409)


def _next(request: ProjectRequest, project: Project) -> HttpResponse:
    item = claim_item(project=project, by=request.user)
    if item is None:
        return redirect("reviews:queue", slug=project.slug)
    return redirect("reviews:item", slug=project.slug, item=item.pk)


# --------------------------------------------------------------------------------------------------------- fixing
@project_access(Permission.REVIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def fix_page(request: ProjectRequest, project: Project, item: int) -> HttpResponseBase:
    """The form of the comparison page, filled with what the author said: the reviewer's version replaces it."""
    found, annotation = _found(project, item, request)
    builder = AnnotationBuilder(annotation)
    spec = builder.spec(builder.own_prompt)
    if request.method != "POST":
        if found.state == ReviewItemState.DONE:
            return redirect("reviews:annotation", slug=project.slug, annotation=annotation.pk)
        fields = fields_from(judgement_from(content_of(annotation)), spec)
        return _fix(request, found, builder, fields)
    fields = fields_of(request.POST)
    remarks = remarks_of(request.POST, [])
    try:
        judgement = parse(fields, spec)
        fix(annotation=annotation, seen=seen_of(request.POST), judgement=judgement, remarks=remarks, by=request.user)
    except Incomplete as incomplete:
        errors = errors_by_field(incomplete.findings[annotation.prompt_id], spec)
        return _fix(request, found, builder, fields, errors=errors, status=422)
    except ReviewConflict as conflict:
        return _refused(request, project, found, str(conflict), remarks)
    messages.success(request, _("Fixed. The author is told, and their version is kept."))
    return _next(request, project)


def _fix(
    request: ProjectRequest,
    item: ReviewItem,
    builder: AnnotationBuilder,
    fields: dict[str, Any],
    errors: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    page: Page = builder.build(builder.own_prompt, fields=fields, errors=errors)
    page.urls, page.turns, page.undo = {"preview": page.urls["preview"]}, [], None
    if errors:
        page.error = _("Something is missing: see the marked places.")
    context = {
        "page": page,
        "project": builder.project,
        "item": item,
        "annotation": builder.annotation,
        "reviews": builder.annotation.reviews.count(),
        "comment": request.POST.get("comment", ""),
    }
    return render(request, FIX_PAGE, context, status=status)
