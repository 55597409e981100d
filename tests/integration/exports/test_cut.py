"""An export is of one moment: what people change later does not change it, however often it is made again."""

from typing import Any

import pytest
from django.test import Client

from annotate.actions.revisions import keep
from annotate.enums import Role
from annotate.models import Annotation, Membership, Project, Rating, Response, Review
from exports.actions import repeat_export
from exports.models import Export
from exports.reading import records, watermark_of
from tests import factories
from tests.integration.exports.rich import rich_project
from tests.integration.exports.samples import export, rows
from tests.integration.exports.test_pieces import digests, finished

pytestmark = pytest.mark.django_db


def change_everything(project: Project) -> None:
    """What annotators and reviewers may do after the cut: edit twice, return, review, judge anew."""
    reviewer = factories.member(project, Role.REVIEWER)
    for annotation in Annotation.objects.filter(prompt__task__project=project):
        for text in ["Changed once.", "Changed twice."]:
            keep(annotation, by=annotation.annotator)
            annotation.justification, annotation.state = text, "returned"
            if annotation.winner_id:
                annotation.winner = Response.objects.filter(prompt=annotation.prompt).exclude(pk=annotation.winner_id)[
                    0
                ]
            annotation.save()
            Rating.objects.filter(annotation=annotation).update(value=2)
            annotation.rewrites.all().delete()
        Review.objects.create(annotation=annotation, reviewer=reviewer, verdict="return", comment="Look again.")
    factories.task(project)


@pytest.mark.parametrize("name", ["tiebreak", "pairwise", "ratings", "annotations"])
def test_the_same_cut_gives_the_same_bytes_after_everything_was_changed(admin: Client, name: str) -> None:
    project = rich_project(admin)
    first = export(admin, name, slug="rich")
    before = digests(first)

    change_everything(project)
    again = finished(repeat_export(export=first, same_data=True, by=None))
    today = finished(repeat_export(export=first, same_data=False, by=None))

    assert digests(again) == before
    assert digests(today) != before


def test_a_change_in_the_middle_of_reading_is_not_seen(admin: Client) -> None:
    """Whatever is changed between two queries has left its former content behind, and that is read last."""
    project = rich_project(admin)
    cut = watermark_of(project)
    before = list(records(project, cut))

    reading = records(project, cut)
    got = [next(reading)]
    change_everything(project)
    got += reading

    assert got == before
    assert list(records(project, cut)) == before
    assert list(records(project, watermark_of(project))) != before


def test_what_a_format_does_not_need_is_not_read(admin: Client, django_assert_max_num_queries: Any) -> None:
    project = rich_project(admin)

    cut = watermark_of(project)

    with django_assert_max_num_queries(10):  # seven a chunk, people, and one for the picture
        bare = list(records(project, cut, needs=frozenset()))

    votes = [annotation for task in bare for prompt in task.prompts for annotation in prompt.annotations]
    assert votes
    assert not any(vote.ratings or vote.rewrites or vote.justification for vote in votes)


def test_names_of_people_and_models_only_where_they_are_asked_for(admin: Client) -> None:
    project = rich_project(admin)
    member = Membership.objects.filter(project=project, pseudonym="a-one").get()
    cut = watermark_of(project)

    named = list(records(project, cut, names=True, models=False))

    assert named[0].prompts[0].annotations[0].annotator == member.user.username
    assert {response.model for task in named for prompt in task.prompts for response in prompt.responses} == {None}


def test_suspended_members_are_marked_and_left_out_on_request(admin: Client) -> None:
    project = rich_project(admin)
    Membership.objects.filter(project=project, pseudonym="a-one").update(is_suspended=True)

    everybody = export(admin, "pairwise", slug="rich")
    without = export(admin, "pairwise", slug="rich", include_suspended="no")

    assert without.manifest["accounting"]["drops"]["suspended"] > 0
    assert {row["annotator"] for row in rows(admin, everybody)} - {
        row["annotator"] for row in rows(admin, without)
    } == {"a-one"}
    assert Export.objects.count() == 2
