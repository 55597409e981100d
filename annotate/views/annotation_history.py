"""The history of an annotation: what it said when, who changed it and why, verdicts, comments, events."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access, visible_annotations
from annotate.actions.discussions import comment
from annotate.actions.reviews import ReviewConflict, choose, restore
from annotate.enums import AnnotationState, ReviewItemState, RevisionCause
from annotate.forms.filled import judgement_from
from annotate.forms.reviews import seen_of
from annotate.models import Annotation, Event, Project, ReviewComment
from annotate.queries.judging import content_of
from annotate.queries.reviews import annotation_in, settings_of
from annotate.rendering.diff import diff_html
from annotate.views.judged import Judged
from annotate.views.reviewed import judged_content, versions_of
from annotate.views.standing import excerpt
from annotate.views.threads import thread_of

SHOWN_EVENTS = 50


def _visible(request: ProjectRequest, project: Project, pk: int) -> Annotation:
    """The annotation, if the person may read it."""
    annotation = annotation_in(project, pk)
    if annotation is None or not visible_annotations(request.user, project).filter(pk=pk).exists():
        raise Http404(_("There is no such judgement, or it is not yours."))
    return annotation


@project_access(Permission.TAKE_TASKS)
@require_safe
def history(request: ProjectRequest, project: Project, annotation: int) -> HttpResponseBase:
    """Show everything that happened to the annotation. Its author has seen the verdicts with that."""
    found = _visible(request, project, annotation)
    is_own = found.annotator_id == request.user.pk
    if is_own and request.method == "GET":
        found.reviews.filter(seen_at__isnull=True).update(seen_at=timezone.now())
    reviews = found.reviews.count()
    may_review = Permission.REVIEW in request.permissions and not is_own and not found.is_adjudication
    context = {
        "project": project,
        "annotation": found,
        "title": excerpt(found.prompt.content) or _("No text"),
        "who": "" if is_own else found.annotator.name,
        "is_own": is_own,
        "versions": _versions(found),
        "old": versions_of(found),
        "thread": thread_of(found),
        "reviews": reviews,
        "may_appeal": is_own and settings_of(project).may_appeal,
        "may_review": may_review,
        "may_restore": may_review and found.state == AnnotationState.SUBMITTED,
        "models": _models(request, found, reviews),
        "events": _events(found) if Permission.SEE_ALL_ANNOTATIONS in request.permissions else [],
    }
    return render(request, "annotate/reviews/history.html", context)


def _models(request: ProjectRequest, annotation: Annotation, reviews: int) -> list[str]:
    """Which model wrote which response: for those who may know, and in a blind project only after the verdict."""
    if Permission.SEE_MODELS not in request.permissions:
        return []
    waits = annotation.review_items.filter(state=ReviewItemState.OPEN).exists()
    if annotation.prompt.task.project.is_blind and (waits or not reviews):
        return []
    by_pk = {response.pk: response for response in annotation.prompt.responses.all()}
    order = annotation.display_order or list(by_pk)
    return [by_pk[pk].model or _("unknown") for pk in order if pk in by_pk]


def _versions(annotation: Annotation) -> list[dict[str, Any]]:
    """What it said, newest first, each against the one before in words of its reason."""
    kept = list(annotation.revisions.select_related("by").order_by("number"))
    contents = [revision.content for revision in kept] + [content_of(annotation)]
    rows: list[dict[str, Any]] = []
    for place, content in enumerate(contents):
        before = contents[place - 1] if place else None
        made_by = kept[place - 1] if place else None  # the row that was kept when this one came
        judged = judged_content(annotation, content)
        rows.append(
            {
                "number": kept[place].number if place < len(kept) else annotation.revision,
                "revision": kept[place] if place < len(kept) else None,
                "judged": judged,
                "cause": _cause(made_by.cause) if made_by else _("First submission"),
                "by": (made_by.by.name if made_by.by else "") if made_by else annotation.annotator.name,
                "at": made_by.created_at
                if made_by
                else content.get("submitted_at") and annotation.assignment.opened_at,
                "changes": _changes(judged_content(annotation, before), judged) if before else [],
                "diff": _diff(before, content) if before else "",
                "is_same": bool(before) and _without_state(before) == _without_state(content),
            }
        )
    return rows[::-1]


def _cause(cause: str) -> str:
    return str(RevisionCause(cause).label)


def _without_state(content: Any) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in {"state", "pasted"}}


def _diff(before: Any, content: Any) -> str:
    if before["justification"] == content["justification"]:
        return ""
    return mark_safe(diff_html(before["justification"], content["justification"]))  # noqa: S308 - it escapes all


def _changes(before: Judged, after: Judged) -> list[tuple[str, str, str]]:
    """(what, before, after) of everything but the reason."""
    changes = [(_("Preference"), before.verdict, after.verdict)] if before.verdict != after.verdict else []
    old, new = _rated(before), _rated(after)
    changes += [(key, old.get(key, "–"), new.get(key, "–")) for key in {**old, **new} if old.get(key) != new.get(key)]
    return changes


def _rated(judged: Judged) -> dict[str, str]:
    rows = {}
    for label, said in judged.ratings:
        for each in said:
            rows[f"{label} {each.letter.upper()}".strip()] = " – ".join(filter(None, [each.text, each.why]))
    for rewrite in judged.rewrites:
        rows[_("Rewrite of %(letter)s") % {"letter": rewrite.letter.upper()}] = rewrite.text
    return rows


def _events(annotation: Annotation) -> list[Event]:
    about = Event.objects.filter(target_type="annotate.annotation", target_id=annotation.pk)
    work = Event.objects.filter(target_type="annotate.assignment", target_id=annotation.assignment_id)
    return list((about | work).select_related("actor").order_by("-pk")[:SHOWN_EVENTS])


def _back(request: ProjectRequest, project: Project, annotation: Annotation) -> HttpResponse:
    return redirect("reviews:annotation", slug=project.slug, annotation=annotation.pk)


@project_access(Permission.TAKE_TASKS)
@require_POST
def comment_on(request: ProjectRequest, project: Project, annotation: int) -> HttpResponseBase:
    """Say something about somebody else's annotation. Authors answer verdicts, once each, and appeal."""
    found = _visible(request, project, annotation)
    if found.annotator_id == request.user.pk:
        raise PermissionDenied
    parent = request.POST.get("parent", "")
    above = None
    if parent.isascii() and parent.isdecimal() and len(parent) < 18:
        above = ReviewComment.objects.filter(pk=int(parent), annotation=found).first()
    try:
        comment(annotation=found, text=request.POST.get("text", ""), parent=above, by=request.user)
    except ReviewConflict as error:
        messages.error(request, str(error))
    return _back(request, project, found)


@project_access(Permission.REVIEW)
@require_POST
def choose_by_hand(request: ProjectRequest, project: Project, annotation: int) -> HttpResponseBase:
    """Put the annotation into the queue."""
    found = _visible(request, project, annotation)
    try:
        choose(annotation=found, by=request.user)
        messages.success(request, _("It is in the queue of the reviewers."))
    except ReviewConflict as error:
        messages.error(request, str(error))
    return _back(request, project, found)


@project_access(Permission.REVIEW)
@require_POST
def restore_revision(request: ProjectRequest, project: Project, annotation: int) -> HttpResponseBase:
    """Let an earlier revision stand again."""
    found = _visible(request, project, annotation)
    number = request.POST.get("number", "")
    is_whole = number.isascii() and number.isdecimal() and len(number) < 9
    revision = found.revisions.filter(number=int(number)).first() if is_whole else None
    try:
        if revision is None:
            raise ReviewConflict(_("There is no such revision."))
        judgement = judgement_from(revision.content)
        restore(revision=revision, judgement=judgement, seen=seen_of(request.POST), by=request.user)
        messages.success(request, _("The earlier text stands again."))
    except ReviewConflict as error:
        messages.error(request, str(error))
    return _back(request, project, found)
