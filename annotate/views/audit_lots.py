"""Audit lots: how many reviews a person's work in a batch needs, and what they say."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.audit_lots import decide, open_lot
from annotate.actions.reviews import ReviewConflict
from annotate.models import AuditLot, Project, User
from annotate.quality.audit_lots import ACCEPT, ENLARGE, RETURN, plan_for
from annotate.queries.audit_lots import lots_of, possible_lots, standing_of
from annotate.queries.reviews import settings_of
from annotate.rendering.charts import curve_svg
from annotate.views.judged import turns_submitted

RATES = [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3]


@project_access(Permission.REVIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def lots(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """GET: open and decided lots, and what could be audited. POST: open a lot."""
    if request.method == "POST":
        return _open(request, project)
    chosen = settings_of(project)
    possible = []
    for batch, person, count in possible_lots(project):
        if person != request.user:
            plan = plan_for(count, chosen.lot_limit / 100, chosen.lot_risk / 100, chosen.lot_most)
            possible.append({"batch": batch, "person": person, "count": count, "needed": plan.samples[0]})
    context = {
        "project": project,
        "lots": [(lot, standing_of(lot)) for lot in lots_of(project)[:50]],
        "possible": possible,
        "may_lead": Permission.CONFIGURE in request.permissions,
        "chosen": chosen,
    }
    return render(request, "annotate/reviews/lots.html", context)


def _open(request: ProjectRequest, project: Project) -> HttpResponse:
    batch, _dash, person = request.POST.get("lot", "").partition("-")
    is_whole = all(each.isascii() and each.isdecimal() and len(each) < 18 for each in (batch, person))
    found = project.batches.filter(pk=int(batch)).first() if is_whole else None
    annotator = User.objects.filter(pk=int(person)).first() if is_whole else None
    try:
        if found is None or annotator is None:
            raise ReviewConflict(_("There is no such work."))
        lot = open_lot(batch=found, annotator=annotator, by=request.user)
    except ReviewConflict as error:
        messages.error(request, str(error))
        return redirect("reviews:lots", slug=project.slug)
    return redirect("reviews:lot", slug=project.slug, lot=lot.pk)


@project_access(Permission.REVIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def lot_page(request: ProjectRequest, project: Project, lot: int) -> HttpResponseBase:
    """GET: the sample, the bound, the decision it asks for, the curve. POST: do what it asks for."""
    found = lots_of(project).filter(pk=lot).first()
    if found is None:
        raise Http404(_("There is no such lot."))
    if request.method == "POST":
        return _decide(request, project, found)
    standing = standing_of(found)
    curve = standing.plan.curve(RATES)
    context = {
        "project": project,
        "lot": found,
        "standing": standing,
        "waiting": standing.drawn - standing.reviewed,
        "is_done": standing.reviewed >= min(standing.drawn, found.size),
        "words": _words(found, standing),
        "curve": [(100 * rate, 100 * passes, reviews) for rate, passes, reviews in curve],
        "chart": curve_svg([(rate, passes) for rate, passes, __ in curve], found.limit / 100, _texts()),
        "plan": list(enumerate(standing.plan.samples)),
    }
    return render(request, "annotate/reviews/lot.html", context)


def _texts() -> dict[str, str]:
    return {
        "title": _("How often a lot passes"),
        "desc": _(
            "The probability that a lot passes, by its true share of defects. The table below holds the numbers."
        ),
        "x": _("Defects in the lot"),
        "limit": _("limit"),
    }


def _words(lot: AuditLot, standing: Any) -> str:
    numbers = {"bound": f"{100 * standing.bound:.1f}", "limit": lot.limit, "needed": standing.needed}
    if not standing.reviewed:
        return _("Nothing is reviewed yet. The first decision needs %(needed)s reviews.") % numbers
    if standing.decision == ACCEPT:
        return _("At most %(bound)s %% of the lot are defects: it may pass (limit %(limit)s %%).") % numbers
    if standing.decision == RETURN:
        return _("There are too many defects in the sample for the lot to pass.")
    return (
        _("Up to %(bound)s %% may be defects (limit %(limit)s %%). The next decision needs %(needed)s reviews.")
        % numbers
    )


def _decide(request: ProjectRequest, project: Project, lot: AuditLot) -> HttpResponse:
    said = {
        ACCEPT: _("The lot is accepted."),
        ENLARGE: _("The sample is enlarged: more judgements are in the queue."),
        RETURN: _("The lot goes back to its author: everything that nobody looked at yet."),
    }
    try:
        messages.success(request, said[decide(lot=lot, turns_of=turns_submitted, by=request.user)])
    except ReviewConflict as error:
        messages.error(request, str(error))
    return redirect("reviews:lot", slug=project.slug, lot=lot.pk)
