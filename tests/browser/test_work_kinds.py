"""Every kind of dimension, every line, many responses: what a project may ask for can be filled and is stored."""

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Dimension, Project
from tests import factories
from tests.browser.helpers import click, open_task, shown, submit, submitted, the_annotation
from tests.browser.test_work_remarks import opened

pytestmark = pytest.mark.browser


@pytest.fixture
def study() -> Project:
    return factories.project("study", "arena", margin_levels=3)


def test_every_kind_of_dimension_is_filled_by_keyboard_and_stored(page: Page, study: Project) -> None:
    points = [{"value": n, "label": label, "example": ""} for n, label in [(1, "Low"), (2, "Mid"), (3, "High")]]
    for place, (kind, target) in enumerate(
        [
            ("scale", "response"),
            ("yes_no", "response"),
            ("category", "comparison"),
            ("tags", "response"),
            ("text", "comparison"),
        ]
    ):
        bounds = {"minimum": 0, "maximum": 1} if kind == "yes_no" else {"minimum": 1, "maximum": 3}
        named = [] if kind in {"yes_no", "text"} else points
        Dimension.objects.create(
            project=study, key=kind, label=kind.capitalize(), kind=kind, target=target, points=named, position=place,
            justification="required" if kind == "scale" else "off", is_required=kind != "tags", **bounds,
        )  # fmt: skip
    opened(page, study)
    for key in "3212" + "2":
        page.keyboard.press(key)
    expect(page.locator("[data-cur]")).to_have_attribute("data-kind", "text")
    page.keyboard.press("1")  # goes into the box of words
    page.keyboard.type("Both are polite.")
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    page.keyboard.press("2")
    page.keyboard.press("a")
    submit(page)
    expect(page.locator("#toast")).to_contain_text("Still missing: Reason for Scale, response A")
    for letter in "AB":
        page.get_by_role("textbox", name=f"Reason for Scale, response {letter}").fill(f"It is {letter}.")
    submit(page)

    submitted(page)
    found = [(r.dimension.key, r.value, r.text, r.tags, r.justification) for r in the_annotation().ratings.all()]
    assert found == [
        ("scale", 3, "", [], "It is A."),
        ("scale", 2, "", [], "It is B."),
        ("yes_no", 1, "", [], ""),
        ("yes_no", 0, "", [], ""),
        ("category", 2, "", [], ""),
        ("tags", None, "", ["Mid"], ""),
        ("text", None, "Both are polite.", [], ""),
    ]


@pytest.mark.parametrize(("levels", "allow_tie", "steps"), [(0, True, 3), (1, False, 2), (2, True, 5), (4, False, 8)])
def test_the_line_has_the_steps_of_the_project(
    page: Page, study: Project, levels: int, allow_tie: bool, steps: int
) -> None:
    Project.objects.update(margin_levels=levels, allow_tie=allow_tie)
    opened(page, study)
    expect(page.locator("[data-kind=line] .segs input")).to_have_count(steps)
    for _ in range(5):
        page.keyboard.press("b")
    submit(page)

    submitted(page)
    annotation = the_annotation()
    assert (annotation.outcome, annotation.margin) == ("winner", levels or None)


def test_nine_responses_are_ranked_by_keyboard_with_ties(page: Page) -> None:
    study = factories.project("study", "ranking", margin_levels=3)
    study.dimensions.all().delete()
    factories.task(study, responses=9)
    assignment = open_task(page, study)
    for rank in "211345678":
        page.keyboard.press(rank)
    submit(page)

    submitted(page)
    order, annotation = shown(assignment), the_annotation()
    assert annotation.outcome == "tie"
    first = {place.response_id for place in annotation.placements.filter(rank=1)}
    assert first == {order[1], order[2]}
    assert annotation.placements.count() == 9


def test_cannot_judge_offers_reasons(page: Page, study: Project) -> None:
    Project.objects.update(allow_cannot_judge=True, justification="off")
    opened(page, study)
    expect(page.locator("#why")).to_be_hidden()
    click(page.get_by_role("radio", name="Cannot judge"))
    submit(page)
    expect(page.locator("#toast")).to_contain_text("Still missing: Reason why it cannot be judged")
    click(page.get_by_role("radio", name="I do not read this language"))
    submit(page)

    submitted(page)
    assert (the_annotation().outcome, the_annotation().reason_kind) == ("cannot_judge", "language")


def test_headings_of_responses_stay_below_those_of_the_page(page: Page, study: Project) -> None:
    task = factories.task(study)
    task.prompts.get().responses.update(content=factories.text("# Big\n\n## Middle\n\n###### Small"))
    open_task(page, study)

    assert page.locator("h1").count() == 1
    assert page.locator("#pane-a .md h3").inner_text() == "Big"
    assert page.locator("#pane-a .md h4").inner_text() == "Middle"
