"""The work loop: take a task, judge it turn by turn, submit, get the next."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import Permission, ProjectRequest, own_assignments, project_access
from annotate.actions.annotations import Incomplete, save_draft, submit
from annotate.actions.assignments import WorkConflict, claim_next, skip
from annotate.enums import AssignmentState, SkipReason
from annotate.forms.judgement import errors_by_field, fields_of, parse
from annotate.models import Assignment, Project, Prompt
from annotate.queries.progress import progress_of
from annotate.queries.queue import left_for, live_assignment
from annotate.rules.judgement import findings
from annotate.views.comparison import Page, PageBuilder

TASK_PAGE, START_PAGE = "annotate/work/task.html", "annotate/work/start.html"


def _shown(request: ProjectRequest, template: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """The whole page, or only its panel for htmx."""
    partial = "#panel" if request.headers.get("HX-Request") else ""
    return render(request, f"{template}{partial}", dict(context), status=status)


def _conflict(error: WorkConflict) -> HttpResponse:
    return HttpResponse(str(error), status=409, content_type="text/plain; charset=utf-8")


def _task_url(assignment: Assignment) -> str:
    return reverse("work:task", args=[assignment.task.project.slug, assignment.public_id])


def _own(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> Assignment | None:
    mine = own_assignments(request.user, project).select_related("task__project", "task__batch", "annotator")
    return mine.filter(public_id=public_id).first()


@project_access(Permission.TAKE_TASKS)
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """GET: where the person stands. POST: take the next task."""
    if request.method == "POST" and (assignment := claim_next(project=project, by=request.user)):
        return redirect(_task_url(assignment))
    return _start_page(request, project)


def _start_page(request: ProjectRequest, project: Project, notice: str = "") -> HttpResponse:
    in_hand = live_assignment(request.user, project)
    context = {
        "project": project,
        "done": progress_of(request.user, project).done,
        "available": in_hand is not None or left_for(request.user, project, limit=1) > 0,
        "live_url": _task_url(in_hand) if in_hand else "",
        "message": notice,
    }
    return _shown(request, START_PAGE, context)


@project_access(Permission.TAKE_TASKS)
@require_safe
def task(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Show the task that the person has in hand; anything else leads to the start page with a word why."""
    assignment = _own(request, project, public_id)
    workable = {AssignmentState.LIVE, AssignmentState.RETURNED, AssignmentState.EXPIRED}
    if assignment is None or assignment.state not in workable:
        return redirect("work:start", slug=project.slug)
    builder = PageBuilder(assignment)
    turn = request.GET.get("turn", "")
    prompt = builder.prompt(int(turn) if turn.isdecimal() and len(turn) < 4 else 0)
    return _shown(request, TASK_PAGE, {"page": builder.build(prompt)})


def _posted(
    request: ProjectRequest, project: Project, public_id: uuid.UUID
) -> tuple[PageBuilder, Prompt, dict[str, Any]]:
    """Return the builder, the turn and the fields of a posted form.

    :raises WorkConflict: when the task or the turn is not the person's.
    """
    assignment = _own(request, project, public_id)
    turn = request.POST.get("turn", "")
    if assignment is None or not turn.isdecimal() or not 1 <= int(turn[:4]) <= assignment.task.prompts.count():
        raise WorkConflict("This task is not yours. Go back and take the next one.")
    builder = PageBuilder(assignment)
    return builder, builder.prompt(int(turn)), fields_of(request.POST)


def _revision(request: ProjectRequest) -> int:
    text = request.POST.get("revision", "")
    return int(text) if text.isdecimal() and len(text) < 10 else -1


@project_access(Permission.TAKE_TASKS)
@require_POST
def draft(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Save what the form holds; the page may say "saved" only after this answer."""
    try:
        _, prompt, fields = _posted(request, project, public_id)
        revision = save_draft(
            public_id=public_id, prompt_id=prompt.pk, fields=fields, revision=_revision(request), by=request.user
        )
    except WorkConflict as error:
        return _conflict(error)
    context = {"saved_at": timezone.localtime().strftime("%H:%M"), "revision": revision}
    return HttpResponse(render_to_string("annotate/work/saved.html", context))


@project_access(Permission.TAKE_TASKS)
@require_POST
def submit_turn(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Check the turn; go on to the next one, or submit the task and show the next."""
    try:
        key = uuid.UUID(request.POST.get("key", ""))
        builder, prompt, fields = _posted(request, project, public_id)
        if replay := _already_submitted(builder.assignment, key):
            return _next(request, project, replay)
        if found := findings(parse(fields, builder.spec(prompt)), builder.spec(prompt)):
            errors = errors_by_field(found, builder.spec(prompt))
            return _refused(request, builder.build(prompt, fields=fields, errors=errors, key=str(key)))
        return _accept_turn(request, project, builder, prompt, fields, key)
    except ValueError:
        return HttpResponse("The form has no submission key. Reload the page.", status=400)
    except WorkConflict as error:
        return _conflict(error)


def _already_submitted(assignment: Assignment, key: uuid.UUID) -> Assignment | None:
    is_replay = assignment.submission_key == key and assignment.state == AssignmentState.SUBMITTED
    return assignment if is_replay else None


def _accept_turn(
    request: ProjectRequest,
    project: Project,
    builder: PageBuilder,
    prompt: Prompt,
    fields: dict[str, Any],
    key: uuid.UUID,
) -> HttpResponse:
    public_id = builder.assignment.public_id
    if prompt != builder.prompts[-1]:
        save_draft(
            public_id=public_id,
            prompt_id=prompt.pk,
            fields=fields,
            revision=_revision(request),
            by=request.user,
            is_done=True,
        )
        return _refresh(request, project, public_id, builder.prompts.index(prompt) + 2)
    drafts = {p.pk: fields if p == prompt else builder.draft(p) for p in builder.prompts}
    judgements = {p.pk: parse(drafts[p.pk], builder.spec(p)) for p in builder.prompts}
    try:
        submission = submit(public_id=public_id, judgements=judgements, key=key, by=request.user)
    except Incomplete as incomplete:
        first = next(p for p in builder.prompts if p.pk in incomplete.findings)
        errors = errors_by_field(incomplete.findings[first.pk], builder.spec(first))
        return _refused(request, builder.build(first, fields=drafts[first.pk], errors=errors, key=str(key)))
    return _next(request, project, submission.assignment)


def _refused(request: ProjectRequest, page: Page) -> HttpResponse:
    page.error = "Something is missing: see the marked places."
    return _shown(request, TASK_PAGE, {"page": page}, status=422)


def _refresh(request: ProjectRequest, project: Project, public_id: uuid.UUID, turn: int) -> HttpResponse:
    """Show a turn of the same task, read anew."""
    assignment = _own(request, project, public_id)
    assert assignment is not None  # it was locked and saved a moment ago
    if not request.headers.get("HX-Request"):
        return redirect(f"{_task_url(assignment)}?turn={turn}")
    builder = PageBuilder(assignment)
    return _shown(request, TASK_PAGE, {"page": builder.build(builder.prompt(turn), notice="Turn saved.")})


def _next(request: ProjectRequest, project: Project, submitted: Assignment) -> HttpResponse:
    """After a submit: the next task at once."""
    answer = _show_next(request, project, "Submitted.")
    answer["HX-Trigger"] = f'{{"submitted": {{"assignment": "{submitted.public_id}"}}}}'
    return answer


def _show_next(request: ProjectRequest, project: Project, notice: str) -> HttpResponse:
    assignment = claim_next(project=project, by=request.user)
    if not request.headers.get("HX-Request"):
        return redirect(_task_url(assignment) if assignment else reverse("work:start", args=[project.slug]))
    if assignment is None:
        answer = _start_page(request, project, notice)
        answer["HX-Push-Url"] = reverse("work:start", args=[project.slug])
        return answer
    fresh = _own(request, project, assignment.public_id)
    assert fresh is not None
    builder = PageBuilder(fresh)
    answer = _shown(request, TASK_PAGE, {"page": builder.build(builder.current_prompt(), notice=notice)})
    answer["HX-Push-Url"] = _task_url(fresh)
    return answer


@project_access(Permission.TAKE_TASKS)
@require_POST
def skip_task(request: ProjectRequest, project: Project, public_id: uuid.UUID) -> HttpResponseBase:
    """Give the task back with a reason and show the next."""
    reason, note = request.POST.get("reason", ""), request.POST.get("note", "")[:1000].replace("\0", "")
    if reason not in SkipReason.values:
        return HttpResponse("Choose a reason, then skip.", status=422)
    try:
        skip(public_id=public_id, reason=reason, note=note, by=request.user)
    except WorkConflict as error:
        return _conflict(error)
    return _show_next(request, project, "Skipped.")
