"""What an annotation said before a change is kept, whole, and a snapshot can be made again from it."""

from typing import Any

import pytest
from django.test import Client

from annotate.actions.annotations import submit
from annotate.actions.revisions import keep
from annotate.models import (
    Annotation,
    AnnotationRevision,
    Assignment,
    Flag,
    Placement,
    Project,
    Rating,
    Rewrite,
    User,
)
from annotate.queries.judging import PLAIN_CONTENT, content_of
from annotate.rules.judgement import Judgement
from tests import factories
from tests.integration.annotate.working import send, take

pytestmark = pytest.mark.django_db
KEYS = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]


def at_cut(annotation: Annotation, watermark: int) -> dict[str, Any]:
    """What the annotation said when ``watermark`` was the highest revision."""
    later = annotation.revisions.filter(pk__gt=watermark).order_by("pk").first()
    return later.content if later else content_of(annotation)


def test_the_content_holds_everything_that_was_said(project: Project, person: User) -> None:
    task = factories.task(project, responses=3)
    prompt = task.prompts.get()
    first, second, third = prompt.responses.all()
    assignment = Assignment.objects.create(task=task, annotator=person, state="submitted")
    annotation = Annotation.objects.create(
        assignment=assignment,
        prompt=prompt,
        annotator=person,
        outcome="tie",
        margin=0,
        justification="@A and @B",
        references=[{"kind": "mention", "at": [0, 2], "response": first.pk, "quote": None, "text": "@A"}],
        warnings=[{"code": "repeated_justification", "decision": "kept"}],
        active_seconds=40,
        idle_seconds=2,
        dimension_order=["tone"],
    )
    dimension = project.dimensions.create(key="tone", label="Tone")
    Rating.objects.create(annotation=annotation, dimension=dimension, response=first, value=4, justification="kind")
    for response, rank in [(second, 1), (first, 1), (third, 2)]:
        Placement.objects.create(annotation=annotation, response=response, rank=rank)
    Rewrite.objects.create(annotation=annotation, response=third, content=factories.text("better"))
    Flag.objects.create(annotation=annotation, response=third, kind="other", note="A poem.")

    content = content_of(annotation)

    assert content["ranking"] == [[second.pk, first.pk], [third.pk]]
    assert content["ratings"] == [
        {"dimension": "tone", "response": first.pk, "value": 4, "text": "", "tags": [], "justification": "kind"}
    ]
    assert content["rewrites"] == [{"response": third.pk, "content": factories.text("better")}]
    assert content["flags"] == [{"response": third.pk, "kind": "other", "note": "A poem."}]
    assert (content["active_seconds"], content["idle_seconds"], content["dimension_order"]) == (40, 2, ["tone"])
    assert content["references"] == annotation.references
    assert content["warnings"] == annotation.warnings
    assert content["winner"] is None
    assert content["submitted_at"] is None


def test_every_field_of_an_annotation_is_kept_or_never_changes() -> None:
    unchanging = {"id", "assignment", "prompt", "annotator", "is_adjudication", "revision"}

    fields = {field.name for field in Annotation._meta.concrete_fields}

    assert fields - unchanging == {*PLAIN_CONTENT, "winner", "submitted_at"}


def test_a_second_submit_keeps_what_it_replaces(project: Project, person: User, web: Client) -> None:
    factories.task(project)
    assignment = take(web)
    send(web, assignment, preference="a", justification="first thought")
    annotation = Annotation.objects.get()
    before, watermark = content_of(annotation), 0
    Assignment.objects.update(state="returned")
    Annotation.objects.update(state="returned")
    second = Judgement("tie", justification="second thought")

    submit(public_id=assignment.public_id, judgements={annotation.prompt_id: second}, key=KEYS[0], by=person)

    annotation = Annotation.objects.get()
    revision = AnnotationRevision.objects.get()
    assert (annotation.revision, annotation.outcome) == (2, "tie")
    assert (revision.number, revision.by) == (1, person)
    assert at_cut(annotation, watermark) == {**before, "state": "returned"}
    assert at_cut(annotation, revision.pk)["justification"] == "second thought"


def test_each_change_is_a_revision_of_its_own(project: Project, person: User, web: Client) -> None:
    factories.task(project)
    send(web, take(web))
    annotation = Annotation.objects.get()

    for number in range(3):
        keep(annotation, by=person)
        annotation.justification = f"change {number}"
        annotation.save()

    kept = [(item.number, item.content["justification"]) for item in annotation.revisions.all()]
    assert kept == [(1, ""), (2, "change 0"), (3, "change 1")]
    assert annotation.revision == 4
    assert at_cut(annotation, annotation.revisions.all()[1].pk)["justification"] == "change 1"
