"""Settling a disagreement: all judgements blind side by side, and a final one with its reason."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.adjudications import adjudicate
from annotate.actions.annotations import Incomplete
from annotate.actions.reviews import ReviewConflict
from annotate.enums import AdjudicationReason
from annotate.forms.filled import fields_from, judgement_from
from annotate.forms.judgement import errors_by_field, fields_of, parse
from annotate.models import Annotation, Assignment, Dispute, Project
from annotate.queries.judging import content_of
from annotate.queries.reviews import open_disputes, votes_on
from annotate.rules.display import display_order
from annotate.rules.references import from_stored, justification_for
from annotate.views.comparison import Page, PageBuilder
from annotate.views.judged import Judged, judged_of
from annotate.views.rewrites import preview_of

PAGE = "annotate/reviews/dispute.html"


@dataclass(frozen=True)
class Voice:
    """What one annotator said, without who it was. ``reason``: with the letters of this page."""

    number: int
    judged: Judged
    reason: str


class DisputeBuilder(PageBuilder):
    """Builds the page in an order of its own for each adjudicator."""

    def __init__(self, dispute: Dispute, user: Any) -> None:
        task, self.dispute = dispute.prompt.task, dispute
        keys = [response.pk for response in dispute.prompt.responses.all()]
        self.order = display_order(keys, f"{task.public_id}:{dispute.prompt_id}:settle:{user.pk}", 0)
        # Never saved: it only carries the order and the person, as the page expects.
        super().__init__(Assignment(task=task, annotator=user, display_order={str(dispute.prompt_id): self.order}))
        for prompt in self.prompts:
            others = [response.pk for response in prompt.responses.all()]
            self.assignment.display_order.setdefault(str(prompt.pk), others)

    @property
    def own_prompt(self) -> Any:
        """The prompt that is disputed."""
        return next(prompt for prompt in self.prompts if prompt.pk == self.dispute.prompt_id)

    def voices(self, votes: list[Annotation]) -> list[Voice]:
        """Return what was said, in an order that tells nothing about who was first."""
        spec = self.spec(self.own_prompt)
        shown = sorted(votes, key=lambda vote: hash((self.dispute.pk, vote.pk * 2_654_435_761 % 2**32)))
        voices = []
        for number, vote in enumerate(shown, start=1):
            judgement = judgement_from(content_of(vote))
            judged = judged_of(vote, judgement, spec, self.dimensions, fields_from(judgement, spec))
            references = [from_stored(each) for each in vote.references]
            reason = (
                justification_for(spec.responses, vote.justification, references) if vote.justification else judged.why
            )
            voices.append(Voice(number, judged, reason))
        return voices


@project_access(Permission.REVIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def dispute_page(request: ProjectRequest, project: Project, dispute: int) -> HttpResponseBase:
    """GET: the disagreement. POST: the final judgement."""
    found = Dispute.objects.filter(pk=dispute, prompt__task__project=project).select_related("prompt__task__project")
    current = found.select_related("prompt__task__batch").first()
    if current is None:
        raise Http404(_("There is no such disagreement."))
    if not open_disputes(project, request.user).filter(pk=dispute).exists():
        messages.warning(request, _("This is settled, or you judged the prompt yourself."))
        return redirect("reviews:queue", slug=project.slug)
    builder = DisputeBuilder(current, request.user)
    if request.method == "POST":
        return _settle(request, builder)
    return _page(request, builder, {})


@project_access(Permission.REVIEW)
@require_POST
def dispute_preview(request: ProjectRequest, project: Project, dispute: int) -> HttpResponseBase:
    """Answer the rewrite of one response as it will be rendered."""
    current = Dispute.objects.filter(pk=dispute, prompt__task__project=project).select_related("prompt__task__project")
    if (found := current.first()) is None:
        raise Http404(_("There is no such disagreement."))
    builder = DisputeBuilder(found, request.user)
    return preview_of(request, builder.spec(builder.own_prompt), fields_of(request.POST))


def _settle(request: ProjectRequest, builder: DisputeBuilder) -> HttpResponse:
    fields, spec = fields_of(request.POST), builder.spec(builder.own_prompt)
    shown = request.POST.get("votes", "")
    try:
        adjudicate(
            dispute=builder.dispute,
            judgement=parse(fields, spec),
            reason=request.POST.get("reason", ""),
            seen=int(shown) if shown.isascii() and shown.isdecimal() and len(shown) < 6 else -1,
            order=builder.order,
            by=request.user,
        )
    except Incomplete as incomplete:
        errors = errors_by_field(incomplete.findings[builder.dispute.prompt_id], spec)
        return _page(request, builder, fields, errors=errors, error=_("Something is missing: see the marked places."))
    except ReviewConflict as conflict:
        return _page(request, builder, fields, error=str(conflict))
    messages.success(request, _("Settled."))
    following = open_disputes(builder.project, request.user).first()
    if following is None:
        return redirect("reviews:queue", slug=builder.project.slug)
    return redirect("reviews:dispute", slug=builder.project.slug, dispute=following.pk)


def _page(
    request: ProjectRequest,
    builder: DisputeBuilder,
    fields: dict[str, Any],
    errors: dict[str, str] | None = None,
    error: str = "",
) -> HttpResponse:
    page: Page = builder.build(builder.own_prompt, fields=fields, errors=errors)
    preview = reverse("reviews:dispute_preview", args=[builder.project.slug, builder.dispute.pk])
    page.urls, page.turns, page.undo, page.error = {"preview": preview}, [], None, error
    votes = votes_on(builder.dispute.prompt)
    labels = {"outcome": _("Outcome"), "margin": _("Margin")} | {each.key: each.label for each in builder.dimensions}
    context = {
        "page": page,
        "project": builder.project,
        "dispute": builder.dispute,
        "about": [labels.get(key, key) for key in builder.dispute.about],
        "voices": builder.voices(votes),
        "reasons": AdjudicationReason.choices,
        "chosen_reason": request.POST.get("reason", ""),
    }
    return render(request, PAGE, context, status=409 if error and not errors else 422 if errors else 200)
