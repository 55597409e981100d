"""Projects from presets, by action and by command; what is wrong is named and leaves nothing behind."""

import uuid
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client

from annotate.actions.annotations import submit
from annotate.actions.assignments import claim_next
from annotate.actions.projects import create_project
from annotate.enums import Preset, Role
from annotate.models import Annotation, Dimension, Event, Membership, Project
from annotate.queries.judging import spec_of_prompt
from annotate.rules.judgement import Judgement, RatingValue, findings
from annotate.rules.presets import PRESETS
from tests import factories

pytestmark = pytest.mark.django_db


def nothing_created() -> bool:
    return not (Project.objects.exists() or Dimension.objects.exists() or Event.objects.exists())


# -------------------------------------------------------------------------------------------------------- action
def test_every_preset_of_the_list_can_be_chosen() -> None:
    assert set(PRESETS) == set(Preset.values)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_becomes_an_open_project_as_configured(preset: str) -> None:
    made = create_project(slug="my-study", preset=preset, by=None)

    project = Project.objects.get()
    configured = PRESETS[preset]["project"]
    assert (project, project.name, project.state, project.preset) == (made, "My study", "open", preset)
    assert {field: getattr(project, field) for field in configured} == configured
    assert [
        {field: getattr(dimension, field) for field in wanted}
        for dimension, wanted in zip(project.dimensions.all(), PRESETS[preset]["dimensions"], strict=True)
    ] == PRESETS[preset]["dimensions"]
    assert list(Event.objects.values_list("verb", "project_id")) == [("project.created", project.pk)]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_complete_judgement_of_every_preset_is_stored(preset: str) -> None:
    project = factories.project(preset=preset)
    task = factories.task(project, responses=3 if preset == "ranking" else 2)
    prompt, person = task.prompts.get(), factories.member(project)
    spec = spec_of_prompt(project, prompt)
    judgement = Judgement(
        outcome="winner",
        winner=spec.responses[0],
        margin=spec.margin_levels or None,
        ranking=tuple((response,) for response in spec.responses) if spec.is_ranked else (),
        ratings=tuple(
            RatingValue(d.key, target, d.maximum)
            for d in spec.dimensions
            for target in (spec.responses if d.target == "response" else [None])
        ),
        justification="It is right, and the other is not.",
    )
    assert findings(judgement, spec) == []
    assignment = claim_next(project=project, by=person)
    assert assignment is not None

    submit(public_id=assignment.public_id, judgements={prompt.pk: judgement}, key=uuid.uuid4(), by=person)

    annotation = Annotation.objects.get()
    assert (str(annotation.winner_id), annotation.margin) == (judgement.winner, judgement.margin)
    assert annotation.ratings.count() == len(judgement.ratings)
    assert annotation.placements.count() == len(judgement.ranking)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_page_of_every_preset_opens(preset: str) -> None:
    project = factories.project("study", preset=preset)
    factories.task(project, responses=PRESETS[preset]["project"].get("max_responses", 2))
    client = Client()
    client.force_login(factories.member(project))

    answer = client.post("/projects/study/work/", follow=True)

    assert answer.status_code == 200
    assert [t.name for t in answer.templates if t.name == "annotate/work/task.html"] != []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"slug": "Not A Slug"}, "slug"),
        ({"slug": "../etc"}, "slug"),
        ({"slug": "ünï"}, "slug"),
        ({"slug": ""}, "slug"),
        ({"slug": "x" * 61}, "slug"),
        ({"preset": "elo"}, "preset"),
        ({"preset": ""}, "preset"),
        ({"overlap": 0}, "overlap"),
        ({"overlap": 10**9}, "overlap"),
        ({"margin_levels": 5}, "margin_levels"),
        ({"max_responses": 10}, "max_responses"),
        ({"min_responses": 1}, "min_responses"),
        ({"name": "x" * 121}, "name"),
        ({"lease_minutes": 10**6}, "lease_minutes"),
        ({"justification_min_length": 10**6}, "justification_min_length"),
        ({"state": "on fire"}, "state"),
        ({"lease_minutes": 0}, "lease_minutes"),
        ({"review_share": 101}, "review_share"),
    ],
)
def test_an_impossible_project_is_refused_whole(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as error:
        create_project(**{"slug": "study", "preset": "arena", "by": None, **changes})

    assert field in error.value.message_dict
    assert nothing_created()


def test_fewer_responses_at_most_than_at_least_is_refused() -> None:
    with pytest.raises(ValidationError):
        create_project(slug="study", preset="arena", by=None, min_responses=3)

    assert nothing_created()


# ------------------------------------------------------------------------------------------------------- command
def run(*arguments: str) -> None:
    call_command("create_project", *arguments)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_command_creates_the_project_and_makes_the_lead_a_lead(
    preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lena = factories.user("lena")

    run("study", "--preset", preset, "--name", "The study", "--overlap", "4", "--lead", "lena")

    project = Project.objects.get()
    assert capsys.readouterr().out == "Created The study at /projects/study/.\n"
    assert (project.slug, project.name, project.overlap, project.created_by) == ("study", "The study", 4, lena)
    assert list(Membership.objects.values_list("user", "role")) == [(lena.pk, Role.LEAD)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["study", "--preset", "arena", "--lead", "nobody"], "There is no person with the username 'nobody'"),
        (["Bad Slug!", "--preset", "arena"], "slug: Enter a valid “slug”"),
        (["", "--preset", "arena"], "slug: This field cannot be blank"),
        (["study", "--preset", "arena", "--overlap", "0"], "overlap: Ensure this value is greater than"),
        (["study", "--preset", "arena", "--overlap", "-1"], "overlap: Ensure this value is greater than"),
        (["study", "--preset", "arena", "--name", "x" * 200], "name: Ensure this value has at most 120"),
        (["study", "--preset", "elo"], "invalid choice: 'elo'"),
        (["study"], "the following arguments are required: --preset"),
        (["study", "--preset", "arena", "--overlap", "many"], "invalid int value: 'many'"),
    ],
)
def test_the_command_says_what_is_wrong_and_creates_nothing(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError) as error:
        run(*arguments)

    assert message in str(error.value)
    assert "__all__" not in str(error.value)
    assert nothing_created()


def test_the_command_does_not_touch_a_project_that_exists() -> None:
    run("study", "--preset", "arena")
    before = Project.objects.values().get()

    with pytest.raises(CommandError, match=r"slug: Project with this Slug already exists\."):
        run("study", "--preset", "hh")

    assert Project.objects.values().get() == before
