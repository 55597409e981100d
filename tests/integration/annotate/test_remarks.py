"""Flags, rewrites, quotes and reasons over HTTP: what the page sends is what is stored, by response id."""

import json
from typing import Any

import pytest
from django.test import Client

from annotate.enums import FlagKind
from annotate.models import Annotation, Assignment, Event, Project
from annotate.queries.judging import dimensions_for
from tests import factories
from tests.integration.annotate.working import send, signed_in, take

pytestmark = pytest.mark.django_db


def shown(assignment: Assignment) -> list[int]:
    return list(assignment.display_order[str(assignment.task.prompts.get().pk)])


def source(assignment: Assignment, letter: str) -> str:
    pk = shown(assignment)["ab".index(letter)]
    return str(assignment.task.prompts.get().responses.get(pk=pk).content[0]["text"])


def page(web: Client, assignment: Assignment) -> str:
    return web.get(f"/projects/study/work/{assignment.public_id}/").content.decode()


# ----------------------------------------------------------------------------------------------------------- flags
def test_flags_are_stored_with_their_response_and_note(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)
    fields = {"flag-a": ["unsafe", "other"], "flagnote-other-a": " Made up. ", "flag-b": "broken"}

    assert send(web, assignment, **fields).status_code == 200

    a, b = shown(assignment)
    stored = Annotation.objects.get().flags.values_list("response_id", "kind", "note")
    assert set(stored) == {(a, "unsafe", ""), (a, "other", "Made up."), (b, "broken", "")}
    assert Event.objects.get(verb="annotation.submitted").data["flags"] == ["broken", "other", "unsafe"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"flag-a": "other"}, "Say what is wrong with this response."),
        ({"flag-a": "reveals_model"}, "This project has no such flag."),
        ({"flag-a": "odd"}, "This project has no such flag."),
    ],
)
def test_a_flag_that_is_not_offered_or_not_explained_is_refused(
    project: Project, web: Client, fields: dict[str, Any], message: str
) -> None:
    Project.objects.update(flags=["unsafe", "other"])
    factories.task(project)

    answer = send(web, take(web), **fields)

    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Annotation.objects.exists()


def test_the_page_offers_the_flags_of_the_project_and_shows_those_that_are_set(project: Project, web: Client) -> None:
    Project.objects.update(flags=["unsafe", "broken"])
    factories.task(project)
    assignment = take(web)
    send(web, assignment, "draft", **{"flag-b": "broken"})

    body = page(web, assignment)

    assert body.count('value="unsafe"') == 2
    assert "wrong_language" not in body
    assert 'name="flag-b" value="broken" checked' in body


def test_a_project_may_offer_no_flags(project: Project, web: Client) -> None:
    Project.objects.update(flags=[])
    factories.task(project)

    assert "flagbox" not in page(web, take(web))


@pytest.mark.parametrize("flags", [["odd"], ["unsafe", "unsafe"], "unsafe", [["unsafe"]]])
def test_a_project_with_impossible_flags_is_refused(flags: Any) -> None:
    with pytest.raises(Exception, match="different kinds of flags"):
        factories.project("odd", flags=flags)


def test_a_new_project_offers_every_flag(project: Project) -> None:
    assert project.flags == list(FlagKind.values)


# -------------------------------------------------------------------------------------------------------- rewrites
def test_a_rewrite_of_the_better_response_is_stored_and_one_of_the_other_stays_in_the_draft(
    project: Project, web: Client
) -> None:
    Project.objects.update(rewrite="optional")
    factories.task(project)
    assignment = take(web)

    send(web, assignment, **{"rewrite-a": "A better answer.", "rewrite-b": "Another one."})

    [rewrite] = Annotation.objects.get().rewrites.all()
    assert (rewrite.response_id, rewrite.content) == (shown(assignment)[0], factories.text("A better answer."))


def test_any_response_may_be_rewritten_where_the_project_says_so(project: Project, web: Client) -> None:
    Project.objects.update(rewrite="optional", rewrite_target="any")
    factories.task(project)

    send(web, take(web), preference="tie", **{"rewrite-a": "One.", "rewrite-b": "Two."})

    assert Annotation.objects.get().rewrites.count() == 2


@pytest.mark.parametrize("text", ["", "   ", None])
def test_a_required_rewrite_that_is_missing_or_the_original_is_refused(
    project: Project, web: Client, text: str | None
) -> None:
    Project.objects.update(rewrite="required")
    factories.task(project)
    assignment = take(web)
    text = source(assignment, "a").replace("\n", "\r\n") + " " if text is None else text

    answer = send(web, assignment, **{"rewrite-a": text})

    assert answer.status_code == 422
    assert "Rewrite the better response" in answer.content.decode()


def test_a_tie_needs_no_rewrite(project: Project, web: Client) -> None:
    Project.objects.update(rewrite="required")
    factories.task(project)

    assert send(web, take(web), preference="tie").status_code == 200


def test_a_rewrite_that_nobody_asked_for_is_not_stored(project: Project, web: Client) -> None:
    factories.task(project)

    send(web, take(web), **{"rewrite-a": "Something"})

    assert not Annotation.objects.get().rewrites.exists()


def test_the_preview_shows_the_rewrite_rendered_and_what_changed(project: Project, web: Client) -> None:
    Project.objects.update(rewrite="optional")
    factories.task(project)
    assignment = take(web)
    text = f"**New** {source(assignment, 'a')} <script>alert(1)</script>"

    answer = send(web, assignment, "preview", letter="a", **{"rewrite-a": text}).content.decode()

    assert "<strong>New</strong>" in answer
    assert "<ins>**New** </ins>" in answer
    assert "<script>" not in answer


def test_the_preview_of_another_persons_task_or_of_no_response_is_refused(project: Project, web: Client) -> None:
    factories.task(project, overlap=2)
    assignment = take(web)

    assert send(signed_in(factories.member(project)), assignment, "preview", letter="a").status_code == 409
    assert send(web, assignment, "preview", letter="z").status_code == 400


# ----------------------------------------------------------------------------------------------- quotes and mentions
def test_quotes_and_mentions_are_stored_with_offsets_in_code_points(project: Project, web: Client) -> None:
    factories.task(project)
    assignment = take(web)
    prompt = assignment.task.prompts.get()
    prompt.responses.update(content=factories.text("😀 See **this** 😀 part."))
    typed = "\r\n😀 @B: “See this”, response A not"
    at = [len("\n😀 @B: “".encode("utf-16-le")) // 2, len("\n😀 @B: “See this".encode("utf-16-le")) // 2]
    posted = [{"letter": "b", "at": at, "quote": [3, 13], "text": "See this"}]

    send(web, assignment, justification=typed, references=json.dumps(posted))

    a, b = shown(assignment)
    annotation = Annotation.objects.get()
    assert annotation.justification == "😀 @B: “See this”, response A not"
    assert annotation.references == [
        {"kind": "mention", "at": [2, 4], "response": b, "quote": None, "text": "@B"},
        {"kind": "quote", "at": [7, 15], "response": b, "quote": [2, 12], "text": "See this"},
        {"kind": "mention", "at": [18, 28], "response": a, "quote": None, "text": "response A"},
    ]


@pytest.mark.parametrize(
    "posted",
    [
        "no json",
        "[[[[",
        "{}",
        '[1, null, {"letter": "a"}]',
        '[{"letter": "a", "at": [0, 4], "quote": null, "text": "else"}]',
        '[{"letter": "z", "at": [0, 4], "quote": null, "text": "this"}]',
        '[{"letter": "a", "at": [4, 0], "quote": null, "text": "this"}]',
        '[{"letter": "a", "at": [true, 4], "quote": null, "text": "this"}]',
        '[{"letter": "a", "at": [0, 4], "quote": [0, 99999], "text": "this"}]',
        "[" * 5000,
    ],
)
def test_references_that_do_not_fit_are_left_out_and_the_reason_stays(
    project: Project, web: Client, posted: str
) -> None:
    factories.task(project)

    answer = send(web, take(web), justification="this is it", references=posted)

    annotation = Annotation.objects.get()
    assert answer.status_code == 200
    assert (annotation.justification, annotation.references) == ("this is it", [])


# ---------------------------------------------------------------------------------------------------- cannot judge
@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"cannot_reason": "language"}, 200),
        ({"cannot_reason": "other", "justification": "A hoax."}, 200),
        ({"justification": "A hoax."}, 200),
        ({"cannot_reason": "other"}, 422),
        ({"cannot_reason": "odd"}, 422),
        ({}, 422),
    ],
)
def test_what_cannot_be_judged_says_why(project: Project, web: Client, fields: dict[str, str], status: int) -> None:
    Project.objects.update(allow_cannot_judge=True)
    factories.task(project)

    answer = send(web, take(web), preference="cannot_judge", **fields)

    assert answer.status_code == status
    stored = list(Annotation.objects.values_list("outcome", "reason_kind", "reason"))
    kind, text = fields.get("cannot_reason", ""), fields.get("justification", "")
    assert stored == ([("cannot_judge", kind, text)] if status == 200 else [])


# --------------------------------------------------------------------------------------------- order of dimensions
def test_rotated_dimensions_differ_by_person_and_task_and_are_stored() -> None:
    project = factories.project("study", preset="helpsteer3", rotate_dimensions=True, overlap=9)
    keys = [dimension.key for dimension in project.dimensions.all()]
    orders = []
    for _ in range(8):
        task, person = factories.task(project), factories.member(project)
        order = [dimension.key for dimension in dimensions_for(task, person.pk)]
        assert order == [dimension.key for dimension in dimensions_for(task, person.pk)]
        assert sorted(order) == sorted(keys)
        orders.append(order)
    assert len({tuple(order) for order in orders}) > 1

    web = signed_in(factories.member(project))
    assignment = take(web)
    ratings = {f"rating-{key}-{letter}": str(3 + (letter == "a")) for key in keys for letter in "ab"}
    body = page(web, assignment)
    send(web, assignment, preference="a1", justification="A names the reason, B does not.", **ratings)

    stored = Annotation.objects.get().dimension_order
    assert stored == [dimension.key for dimension in dimensions_for(assignment.task, assignment.annotator_id)]
    assert sorted(stored, key=lambda key: body.index(f"rating-{key}-a")) == stored


def test_without_rotation_the_order_is_that_of_the_project_and_not_stored(project: Project, web: Client) -> None:
    factories.task(project)

    send(web, take(web))

    assert Annotation.objects.get().dimension_order == []
