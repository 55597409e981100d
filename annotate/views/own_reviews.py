"""For annotators: what reviewers said, how it stands, what can be learned; and the end of an appeal."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Avg
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.discussions import answer, appeal, settle
from annotate.actions.reviews import ReviewConflict
from annotate.enums import AdjudicationReason, AnnotationState, Outcome, ReviewPlace, Verdict
from annotate.models import Annotation, Appeal, Dispute, Project, Review
from annotate.queries.reviews import consensus_agreement, reviews_of, settings_of, settled_for, verdict_counts
from annotate.views.standing import excerpt
from annotate.views.turns import task_url

SHOWN = 30


@project_access(Permission.TAKE_TASKS)
@require_safe
def mine(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Own returns and reasons, the accepted share, agreement with the others, time, settled examples."""
    chosen = settings_of(project)
    reviews = reviews_of(request.user, project).prefetch_related("points")
    returned = Annotation.objects.filter(
        annotator=request.user, prompt__task__project=project, state=AnnotationState.RETURNED
    ).select_related("assignment__task__project", "prompt")
    examples = settled_for(request.user, project) if chosen.show_settled else []
    context = {
        "project": project,
        "facts": _facts(request, project),
        "returned": [_returned(each) for each in returned],
        "rows": [_row(project, review) for review in reviews[:SHOWN]],
        "may_settle": chosen.show_settled,
        "examples": [_example(request, each) for each in examples],
    }
    return render(request, "annotate/reviews/mine.html", context)


def _facts(request: ProjectRequest, project: Project) -> list[tuple[str, str]]:
    counts = verdict_counts(request.user, project)
    total, accepted = sum(counts.values()), counts.get(Verdict.ACCEPT, 0)
    agreed, compared = consensus_agreement(request.user, project)
    own = Annotation.objects.filter(annotator=request.user, prompt__task__project=project, is_adjudication=False)
    seconds = own.aggregate(mean=Avg("active_seconds"))["mean"]
    share = _("%(percent)s %% of %(total)s")
    return [
        (_("Accepted"), share % {"percent": round(100 * accepted / total), "total": total} if total else "–"),
        (_("Returned"), str(counts.get(Verdict.RETURN, 0))),
        (_("Fixed by a reviewer"), str(counts.get(Verdict.FIX, 0))),
        (
            _("Agrees with the majority"),
            share % {"percent": round(100 * agreed / compared), "total": compared} if compared else "–",
        ),
        (_("Time for a judgement"), _("%(seconds)s s") % {"seconds": round(seconds)} if seconds else "–"),
    ]


def _returned(annotation: Annotation) -> dict[str, Any]:
    return {
        "url": task_url(annotation.assignment, annotation.prompt.position + 1),
        "excerpt": excerpt(annotation.prompt.content) or _("No text"),
        "due_at": annotation.assignment.due_at,
    }


def _row(project: Project, review: Review) -> dict[str, Any]:
    return {
        "review": review,
        "url": reverse("reviews:annotation", args=[project.slug, review.annotation_id]),
        "excerpt": excerpt(review.annotation.prompt.content) or _("No text"),
        "label": Verdict(review.verdict).label,
        "places": list(dict.fromkeys(str(ReviewPlace(point.place).label) for point in review.points.all())),
        "is_new": review.seen_at is None and review.verdict != Verdict.ACCEPT,
    }


def _example(request: ProjectRequest, dispute: Dispute) -> dict[str, Any]:
    final = dispute.adjudication
    assert final is not None  # it is settled
    own = Annotation.objects.filter(prompt=dispute.prompt_id, annotator=request.user, is_adjudication=False).first()
    same = own is not None and (own.outcome, own.winner_id) == (final.outcome, final.winner_id)
    return {
        "excerpt": excerpt(dispute.prompt.content) or _("No text"),
        "url": reverse("reviews:annotation", args=[dispute.prompt.task.project.slug, own.pk]) if own else "",
        "own": Outcome(own.outcome).label if own else "",
        "same": same,
        "final": Outcome(final.outcome).label,
        "why": final.justification,
        "reason": AdjudicationReason(dispute.reason).label,
    }


def _own_review(request: ProjectRequest, project: Project, pk: int) -> Review:
    review = reviews_of(request.user, project).filter(pk=pk).first()
    if review is None:
        raise Http404(_("There is no such verdict on your work."))
    return review


def _done(
    request: ProjectRequest, project: Project, review: Review, deed: Callable[..., Any], text: str
) -> HttpResponse:
    try:
        deed(review=review, text=request.POST.get("text", ""), by=request.user)
        messages.success(request, text)
    except ReviewConflict as error:
        messages.error(request, str(error))
    return redirect("reviews:annotation", slug=project.slug, annotation=review.annotation_id)


@project_access(Permission.TAKE_TASKS)
@require_POST
def answer_verdict(request: ProjectRequest, project: Project, review: int) -> HttpResponseBase:
    """Answer a verdict on one's own work, once."""
    return _done(
        request, project, _own_review(request, project, review), answer, _("Your answer is with the reviewer.")
    )


@project_access(Permission.TAKE_TASKS)
@require_POST
def appeal_verdict(request: ProjectRequest, project: Project, review: int) -> HttpResponseBase:
    """Ask a lead to look at a verdict on one's own work."""
    return _done(request, project, _own_review(request, project, review), appeal, _("A lead will look at it."))


@project_access(Permission.CONFIGURE)
@require_POST
def settle_appeal(request: ProjectRequest, project: Project, appeal: int) -> HttpResponseBase:
    """Grant or refuse an appeal."""
    found = Appeal.objects.filter(pk=appeal, review__annotation__prompt__task__project=project).first()
    if found is None:
        raise Http404(_("There is no such appeal."))
    is_granted = request.POST.get("decision") == "grant"
    try:
        settle(appeal=found, is_granted=is_granted, decision=request.POST.get("text", ""), by=request.user)
        messages.success(request, _("Decided."))
    except ReviewConflict as error:
        messages.error(request, str(error))
    return redirect("reviews:queue", slug=project.slug)
