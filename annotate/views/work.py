"""The work loop: take a task, judge it turn by turn, submit, get the next."""

import uuid
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import Permission, ProjectRequest, project_access
from annotate.actions.annotations import Incoherent, Incomplete, Seen, submit
from annotate.actions.assignments import WorkConflict, claim_next, skip
from annotate.actions.drafts import save_draft
from annotate.enums import AssignmentState, SkipReason
from annotate.forms.judgement import codes, errors_by_field, parse, pasted_of
from annotate.models import Assignment, Project
from annotate.queries.history import recent_justifications
from annotate.rules.coherence import CoherenceWarning, coherence_warnings
from annotate.rules.judgement import findings
from annotate.views.comparison import Page
from annotate.views.judged import look_page
from annotate.views.posted import Posted, conflict, own, posted
from annotate.views.standing import TASK_PAGE, shown, start_page, task_page
from annotate.views.turns import task_url

WORKABLE = {AssignmentState.LIVE, AssignmentState.RETURNED, AssignmentState.EXPIRED}


@project_access(Permission.TAKE_TASKS)
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """GET: where the person stands. POST: take the next task."""
    if request.method == "POST" and (assignment := claim_next(project=project, by=request.user)):
        return redirect(task_url(assignment))
    return start_page(request, project)


@project_access(Permission.TAKE_TASKS)
@require_safe
def task(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Show the task that the person has in hand, or what they submitted; else the start page with a word why."""
    assignment = own(request, project, public_id)
    text = request.GET.get("turn", "")
    turn = int(text) if text.isdecimal() and len(text) < 4 else 0
    if assignment is not None and (assignment.state in WORKABLE or assignment.reopened_at):
        return task_page(request, assignment, turn)
    if assignment is not None and assignment.state == AssignmentState.SUBMITTED:
        return look_page(request, assignment, turn)
    return redirect("work:start", slug=project.slug)


@project_access(Permission.TAKE_TASKS)
@require_POST
def draft(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Save what the form holds; the page may say "saved" only after this answer."""
    try:
        form = posted(request, project, public_id)
        revision = _save(request, form)
    except WorkConflict as error:
        return conflict(error)
    context = {"saved_at": timezone.localtime().strftime("%H:%M"), "revision": revision}
    return HttpResponse(render_to_string("annotate/work/saved.html", context))


def _save(request: ProjectRequest, form: Posted, *, is_done: bool = False) -> int:
    return save_draft(
        public_id=form.assignment.public_id,
        prompt_id=form.prompt.pk,
        fields=form.fields,
        stamp=form.stamp,
        times=form.times,
        is_done=is_done,
        by=request.user,
    )


@project_access(Permission.TAKE_TASKS)
@require_POST
def submit_turn(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Check the turn; go on to the next one, or submit the task and show the next."""
    try:
        key = uuid.UUID(request.POST.get("key", ""))
    except ValueError:
        return HttpResponse(_("The form has no submission key. Reload the page."), status=400)
    try:
        form = posted(request, project, public_id)
        is_replay = form.assignment.submission_key == key and form.assignment.state == AssignmentState.SUBMITTED
        if is_replay and not form.assignment.reopened_at:
            return _next(request, project, form.assignment)
        spec = form.builder.spec(form.prompt)
        if found := findings(parse(form.fields, spec), spec):
            return _refused(request, form.page(errors=errors_by_field(found, spec)))
        if form.prompt != form.builder.prompts[-1]:
            return _next_turn(request, form)
        return _submit(request, project, form, key)
    except WorkConflict as error:
        return conflict(error)


def _next_turn(request: ProjectRequest, form: Posted) -> HttpResponse:
    """Keep the turn as done and show the next one."""
    spec = form.builder.spec(form.prompt)
    found = coherence_warnings(parse(form.fields, spec), spec, recent_justifications(form.assignment))
    if found and {warning.code for warning in found} != _seen(form.fields).accepted:
        return _warned(request, form.page(warnings=found))
    _save(request, form, is_done=True)
    assignment = own(request, form.assignment.task.project, form.assignment.public_id)
    assert assignment is not None  # it was locked and saved a moment ago
    turn = form.builder.prompts.index(form.prompt) + 2
    if not request.headers.get("HX-Request"):
        return redirect(task_url(assignment, turn))
    answer = task_page(request, assignment, turn, notice=_("Turn saved."))
    answer["HX-Push-Url"] = task_url(assignment, turn)
    return answer


def _submit(request: ProjectRequest, project: Project, form: Posted, key: uuid.UUID) -> HttpResponse:
    builder = form.builder
    drafts = {p.pk: form.fields if p == form.prompt else builder.draft(p) for p in builder.prompts}
    try:
        submission = submit(
            public_id=form.assignment.public_id,
            judgements={p.pk: parse(drafts[p.pk], builder.spec(p)) for p in builder.prompts},
            key=key,
            by=request.user,
            seen={pk: _seen(fields) for pk, fields in drafts.items()},
            times={form.prompt.pk: form.times},
            pasted={pk: pasted_of(fields) for pk, fields in drafts.items()},
        )
    except Incomplete as incomplete:
        first = next(p for p in builder.prompts if p.pk in incomplete.findings)
        errors = errors_by_field(incomplete.findings[first.pk], builder.spec(first))
        return _refused(request, builder.build(first, fields=drafts[first.pk], errors=errors, key=str(key)))
    except Incoherent as incoherent:
        first = next(p for p in builder.prompts if p.pk in incoherent.warnings)
        warnings: list[CoherenceWarning] = incoherent.warnings[first.pk]
        return _warned(request, builder.build(first, fields=drafts[first.pk], warnings=warnings, key=str(key)))
    return _next(request, project, submission.assignment, was_edit=form.assignment.reopened_at is not None)


def _seen(fields: dict[str, Any]) -> Seen:
    return Seen(codes(fields, "warned"), codes(fields, "accepted_warnings"))


def _refused(request: ProjectRequest, page: Page) -> HttpResponse:
    page.error = _("Something is missing: see the marked places.")
    return shown(request, TASK_PAGE, {"page": page}, status=422)


def _warned(request: ProjectRequest, page: Page) -> HttpResponse:
    return shown(request, TASK_PAGE, {"page": page}, status=422)


def _next(request: ProjectRequest, project: Project, submitted: Assignment, *, was_edit: bool = False) -> HttpResponse:
    """After a submit: the next task at once; after a change, what stands now."""
    answer = _show_changed(request, project, submitted) if was_edit else _show_next(request, project, _("Submitted."))
    answer["HX-Trigger"] = f'{{"submitted": {{"assignment": "{submitted.public_id}"}}}}'
    return answer


def _show_changed(request: ProjectRequest, project: Project, submitted: Assignment) -> HttpResponse:
    assignment = own(request, project, submitted.public_id)
    assert assignment is not None  # it was submitted a moment ago
    if not request.headers.get("HX-Request"):
        return redirect(task_url(assignment))
    answer = look_page(request, assignment, 1, notice=_("Your changes are submitted."))
    answer["HX-Push-Url"] = task_url(assignment)
    return answer


def _show_next(request: ProjectRequest, project: Project, notice: str) -> HttpResponse:
    assignment = claim_next(project=project, by=request.user)
    if not request.headers.get("HX-Request"):
        return redirect(task_url(assignment) if assignment else reverse("work:start", args=[project.slug]))
    if assignment is None:
        answer = start_page(request, project, notice)
        answer["HX-Push-Url"] = reverse("work:start", args=[project.slug])
        return answer
    fresh = own(request, project, assignment.public_id)
    assert fresh is not None
    answer = task_page(request, fresh, notice=notice)
    answer["HX-Push-Url"] = task_url(fresh)
    return answer


@project_access(Permission.TAKE_TASKS)
@require_POST
def skip_task(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Give the task back with a reason and show the next."""
    reason, note = request.POST.get("reason", ""), request.POST.get("note", "")[:1000].replace("\0", "")
    if reason not in SkipReason.values:
        return HttpResponse(_("Choose a reason, then skip."), status=422)
    try:
        skip(public_id=public_id, reason=reason, note=note, by=request.user)
    except WorkConflict as error:
        return conflict(error)
    return _show_next(request, project, _("Skipped."))
