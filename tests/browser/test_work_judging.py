"""The comparison page: what is chosen there is what is stored, by keyboard and by mouse."""

import re

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Annotation, Project
from tests import factories
from tests.browser.helpers import REASON, checked, choose, click, fill, open_task, row, shown, submit, submitted

pytestmark = pytest.mark.browser
DIMENSIONS = ["helpfulness", "correctness", "instruction_following", "writing"]


@pytest.fixture
def study() -> Project:
    """Two responses, four ratings of each, a line of seven points, a reason."""
    return factories.project("study", "helpsteer3")


def the_annotation() -> Annotation:
    return Annotation.objects.get()


def ratings(annotation: Annotation, response: int) -> list[int | None]:
    """Values of the response, in the order of the page."""
    by_key = dict(annotation.ratings.filter(response_id=response).values_list("dimension__key", "value"))
    return [by_key.get(key) for key in DIMENSIONS]


def test_a_task_is_judged_by_keyboard_alone(page: Page, study: Project) -> None:
    factories.task(study)
    assignment = open_task(page, study)
    left, right = shown(assignment)

    for digit in "51423324":  # A and B of the first row, A and B of the second, …
        page.keyboard.press(digit)
    page.keyboard.press("a")
    page.keyboard.press("a")
    expect(page.locator("#verdict")).to_have_text("A is better")
    page.keyboard.press("w")
    page.keyboard.type(REASON)
    page.keyboard.press("Control+Enter")
    submitted(page)

    annotation = the_annotation()
    assert (annotation.outcome, annotation.winner_id, annotation.margin) == ("winner", left, 2)
    assert ratings(annotation, left) == [5, 4, 3, 2]
    assert ratings(annotation, right) == [1, 2, 3, 4]
    assert annotation.justification == REASON
    assert annotation.display_order == [left, right]


def test_b_pressed_three_times_is_the_right_response_much_better(page: Page, study: Project) -> None:
    factories.task(study)
    assignment = open_task(page, study)
    for digit in "15151515":
        page.keyboard.press(digit)
    for _ in range(5):  # more than there are steps
        page.keyboard.press("b")
    page.keyboard.press("w")
    page.keyboard.type(REASON)
    page.keyboard.press("Control+Enter")
    submitted(page)

    annotation = the_annotation()
    assert (annotation.winner_id, annotation.margin) == (shown(assignment)[1], 3)


def test_a_task_is_judged_by_mouse(page: Page, study: Project) -> None:
    factories.task(study)
    assignment = open_task(page, study)
    for name in ["Helpfulness", "Correctness", "Follows instructions", "Writing"]:
        choose(page, f"{name}, response A", "2, Weak")
        choose(page, f"{name}, response B", "4, Good")
    choose(page, "Overall preference", "B is slightly better")
    expect(page.locator(".pane.won h2")).to_have_text("Response B")
    page.locator("#why").fill(REASON)
    expect(page.locator("#count")).to_have_text("10 of 10")
    submit(page)
    submitted(page)

    annotation = the_annotation()
    left, right = shown(assignment)
    assert (annotation.winner_id, annotation.margin) == (right, 1)
    assert ratings(annotation, left) == [2, 2, 2, 2]
    assert ratings(annotation, right) == [4, 4, 4, 4]


def test_an_early_submit_goes_to_what_is_missing(page: Page, study: Project) -> None:
    factories.task(study)
    open_task(page, study)
    submit(page)
    first = row(page, "Helpfulness, response A")
    expect(first).to_have_attribute("data-cur", "")
    expect(first.get_by_role("radio").first).to_be_focused()

    fill(page, reason="")
    page.keyboard.press("Control+Enter")

    expect(page.locator("#why")).to_be_focused()
    expect(page.locator("#toast")).to_have_text("Still missing: the written reason")
    page.keyboard.type("Too short")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#why-count")).to_have_text("11 more characters")
    assert not Annotation.objects.exists()


def test_what_only_the_server_refuses_is_marked_and_focused(page: Page, study: Project) -> None:
    factories.task(study)
    open_task(page, study)
    fill(page)
    study.justification_min_length = 200  # a lead changes it while the page is open
    study.save()
    submit(page)

    expect(page.locator("#judge [role=alert]").first).to_contain_text("Something is missing")
    expect(page.locator("#why-error")).to_contain_text("more characters")
    expect(page.locator("#why")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#why")).to_have_value(REASON)
    assert checked(page) == 9


def test_zero_clears_the_marked_row_and_j_and_k_move_it(page: Page, study: Project) -> None:
    factories.task(study)
    open_task(page, study)
    page.keyboard.press("4")
    page.keyboard.press("k")
    expect(row(page, "Helpfulness, response A").get_by_role("radio", name="4, Good")).to_be_focused()
    page.keyboard.press("0")

    assert checked(page) == 0
    page.keyboard.press("j")
    page.keyboard.press("3")
    expect(row(page, "Helpfulness, response B").get_by_role("radio", name="3, Fair")).to_be_checked()


def test_a_tie_is_stored_with_margin_zero(page: Page, study: Project) -> None:
    factories.task(study)
    open_task(page, study)
    fill(page)
    page.locator("#why").press("Escape")
    page.keyboard.press("t")
    expect(page.locator(".pane.won")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    submitted(page)

    annotation = the_annotation()
    assert (annotation.outcome, annotation.winner_id, annotation.margin) == ("tie", None, 0)


def test_both_bad_is_an_outcome_of_its_own(page: Page) -> None:
    study = factories.project("study", "arena")
    factories.task(study)
    open_task(page, study)
    click(page.get_by_role("radio", name="Both are bad"))
    expect(page.locator("#verdict")).to_have_text("Both are bad")
    submit(page)
    submitted(page)

    annotation = the_annotation()
    assert (annotation.outcome, annotation.winner_id, annotation.margin) == ("all_bad", None, None)


def test_a_second_click_on_both_bad_takes_it_back(page: Page) -> None:
    study = factories.project("study", "arena")
    factories.task(study)
    open_task(page, study)
    both = page.get_by_role("radio", name="Both are bad")
    click(both)
    expect(both).to_be_checked()
    click(both)

    expect(both).not_to_be_checked()
    expect(page.locator("#verdict")).to_have_text("Not chosen yet")


def test_cannot_judge_needs_a_reason_and_nothing_else(page: Page) -> None:
    study = factories.project("study", "helpsteer3", allow_cannot_judge=True)
    factories.task(study)
    open_task(page, study)
    click(page.get_by_role("radio", name="Cannot judge"))
    submit(page)
    expect(page.locator("#toast")).to_contain_text("Still missing: Reason why it cannot be judged")
    page.get_by_label("Why can it not be judged?").fill("I do not read Basque.")
    submit(page)
    submitted(page)

    annotation = the_annotation()
    assert (annotation.outcome, annotation.reason, annotation.justification) == (
        "cannot_judge",
        "I do not read Basque.",
        "",
    )
    assert not annotation.ratings.exists()


def test_three_responses_are_ranked_by_keyboard_with_a_tie(page: Page) -> None:
    study = factories.project("study", "ranking")
    factories.task(study, responses=3)
    assignment = open_task(page, study)
    for digit in "354" + "212" + "2":  # helpfulness of A, B, C; ranks of A, B, C; how clear first place is
        page.keyboard.press(digit)
    expect(page.locator("#verdict")).to_have_text("B is best")
    page.keyboard.press("Control+Enter")
    submitted(page)

    annotation = the_annotation()
    a, b, c = shown(assignment)
    assert (annotation.outcome, annotation.winner_id, annotation.margin) == ("winner", b, 2)
    assert dict(annotation.placements.values_list("response", "rank")) == {b: 1, a: 2, c: 2}
    assert dict(annotation.ratings.values_list("response", "value")) == {a: 3, b: 5, c: 4}


def test_two_responses_ranked_first_are_a_tie_and_need_no_margin(page: Page) -> None:
    study = factories.project("study", "ranking")
    factories.task(study, responses=3)
    open_task(page, study)
    for digit in "444" + "121":
        page.keyboard.press(digit)
    expect(page.locator("#verdict")).to_have_text("A and C tie")
    page.keyboard.press("Control+Enter")
    submitted(page)

    assert (the_annotation().outcome, the_annotation().margin) == ("tie", 0)


def test_all_bad_and_a_ranking_exclude_each_other(page: Page) -> None:
    study = factories.project("study", "ranking")
    factories.task(study, responses=3)
    open_task(page, study)
    for digit in "444" + "123":
        page.keyboard.press(digit)
    click(page.get_by_role("radio", name="All are bad"))
    assert checked(page) == 4
    submit(page)
    submitted(page)

    assert the_annotation().outcome == "all_bad"
    assert not the_annotation().placements.exists()


def test_a_comparison_dimension_is_asked_once_for_both(page: Page) -> None:
    study = factories.project("study", "llama2", justification="optional")
    factories.task(study)
    open_task(page, study)
    choose(page, "Helpfulness", "Only the better one helpful")
    choose(page, "Safety", "Both safe")
    choose(page, "Overall preference", "A is significantly better")
    submit(page)
    submitted(page)

    values = the_annotation().ratings.values_list("dimension__key", "response", "value")
    assert sorted(values) == [("helpfulness", None, 2), ("safety", None, 1)]
    assert the_annotation().margin == 4


def test_a_rating_may_have_a_reason_of_its_own(page: Page) -> None:
    study = factories.project("study", "scale")
    factories.task(study)
    assignment = open_task(page, study)
    fill(page)
    page.get_by_label("Reason for Truthfulness").first.click()
    page.get_by_role("textbox", name="Reason for Truthfulness, response B").fill("It makes up a date.")
    submit(page)
    submitted(page)

    reasons = the_annotation().ratings.exclude(justification="")
    assert list(reasons.values_list("dimension__key", "response", "justification")) == [
        ("truthfulness", shown(assignment)[1], "It makes up a date.")
    ]


def test_the_second_turn_shows_the_own_winner_of_the_first(page: Page, study: Project) -> None:
    task = factories.task(study, turns=2)
    open_task(page, study)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Turn 1 of 2")
    winner = page.locator("#pane-a .md").inner_text()
    fill(page)
    choose(page, "Overall preference", "A is better")
    page.get_by_role("button", name=re.compile("Next turn")).click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Turn 2 of 2")
    assert checked(page) == 0
    page.keyboard.press("p")
    expect(page.locator("#turns")).to_contain_text(winner)
    fill(page)
    submit(page)
    submitted(page)

    kept = Annotation.objects.filter(prompt__task=task).values_list("prompt__position", "margin")
    assert list(kept) == [(0, 2), (1, 3)]
