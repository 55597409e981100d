"""Flags, rewrites, quotes, warnings and every kind of dimension, as a person meets them on the page."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Assignment, Project
from tests import factories
from tests.browser.helpers import open_task, shown, submit, submitted, the_annotation

pytestmark = pytest.mark.browser
FIRST = "Use **pandas** to read it. It is fast. It is fast."
SECOND = "Open the file and read every line."


@pytest.fixture
def study() -> Project:
    return factories.project("study", "arena", margin_levels=3)


def opened(page: Page, study: Project) -> Assignment:
    """A task whose response A says FIRST and whose response B says SECOND."""
    task = factories.task(study)
    responses = task.prompts.get().responses
    responses.update(content=factories.text(FIRST))
    assignment = open_task(page, study)
    responses.filter(pk=shown(assignment)[1]).update(content=factories.text(SECOND))
    page.reload()
    expect(page.locator("#count")).to_have_text(re.compile(r"\d+ of \d+"))
    return assignment


def saved(page: Page) -> None:
    expect(page.locator("#saved-line")).to_have_attribute("data-state", "saved")


def select(page: Page, pane: str, words: str, nth: int = 0) -> None:
    """Select the n-th occurrence of words in one text node of the pane."""
    page.evaluate(
        """([pane, words, nth]) => {
            const body = document.querySelector(`#pane-${pane} .body`);
            const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
            let left = nth;
            while (walker.nextNode()) {
              let at = walker.currentNode.data.indexOf(words);
              while (at >= 0 && left > 0) { left -= 1; at = walker.currentNode.data.indexOf(words, at + 1); }
              if (at < 0) continue;
              getSelection().setBaseAndExtent(walker.currentNode, at, walker.currentNode, at + words.length);
              return;
            }
        }""",
        [pane, words, nth],
    )


# ----------------------------------------------------------------------------------------------------------- flags
def test_l_flags_the_response_by_keyboard_and_the_chip_stays(page: Page, study: Project) -> None:
    assignment = opened(page, study)
    page.locator("#pane-b .body").focus()

    page.keyboard.press("l")
    box = page.locator("#flags-b")
    expect(box).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator("#pane-b .flagged").get_by_text("Unsafe")).to_be_visible()
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    saved(page)
    page.reload()
    expect(page.locator("#pane-b .flagged").get_by_text("Unsafe")).to_be_visible()
    page.keyboard.press("a")
    submit(page)

    submitted(page)
    flag = the_annotation().flags.get()
    assert (flag.response_id, flag.kind) == (shown(assignment)[1], "unsafe")


def test_something_else_wants_a_note(page: Page, study: Project) -> None:
    opened(page, study)
    page.keyboard.press("a")
    page.get_by_role("button", name="Flag response A").click()
    page.locator("#flags-a").get_by_label("Something else", exact=True).check()
    expect(page.get_by_label("Note on Something else, response A")).to_be_focused()
    page.keyboard.press("Escape")

    submit(page)
    expect(page.locator("#toast")).to_contain_text("Still missing: Note on Something else")
    expect(page.get_by_label("Note on Something else, response A")).to_be_focused()
    page.keyboard.type("It is a poem.")
    page.keyboard.press("Control+Enter")

    submitted(page)
    assert the_annotation().flags.get().note == "It is a poem."


# -------------------------------------------------------------------------------------------------------- rewrites
def test_the_better_response_is_rewritten_in_its_pane_with_preview_and_changes(page: Page, study: Project) -> None:
    Project.objects.update(rewrite="required")
    assignment = opened(page, study)
    expect(page.get_by_role("button", name="Rewrite response A")).to_be_hidden()
    page.keyboard.press("a")
    submit(page)
    expect(page.locator("#toast")).to_contain_text("Still missing: the rewrite of A")

    page.get_by_role("button", name="Rewrite response A").click()
    box = page.get_by_label("Rewrite of response A", exact=True)
    expect(box).to_have_value(FIRST)
    box.fill(FIRST.replace("pandas", "polars"))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview-a strong")).to_have_text("polars")
    page.get_by_role("button", name="Changes").click()
    expect(page.locator("#preview-a del")).to_have_text("pandas")
    expect(page.locator("#preview-a ins")).to_have_text("polars")
    saved(page)
    page.reload()
    expect(page.get_by_role("button", name="Rewrite response A")).to_have_text("Rewritten")
    submit(page)

    submitted(page)
    rewrite = the_annotation().rewrites.get()
    assert (rewrite.response_id, rewrite.content[0]["text"]) == (
        shown(assignment)[0],
        FIRST.replace("pandas", "polars"),
    )


def test_an_opened_and_unchanged_rewrite_is_none(page: Page, study: Project) -> None:
    Project.objects.update(rewrite="optional", rewrite_target="any")
    opened(page, study)
    page.get_by_role("button", name="Rewrite response B").click()
    page.get_by_role("button", name="Done").click()
    page.keyboard.press("a")
    submit(page)

    submitted(page)
    assert not the_annotation().rewrites.exists()


# ----------------------------------------------------------------------------------------------- quotes and mentions
def test_q_quotes_with_exact_places_and_typing_before_it_moves_them(page: Page, study: Project) -> None:
    assignment = opened(page, study)
    page.keyboard.press("a")
    select(page, "a", "It is fast", nth=1)
    page.keyboard.press("q")
    why = page.locator("#why")
    expect(why).to_have_value("@A: “It is fast” ")
    expect(page.locator("#refs .ref q")).to_have_text("It is fast")
    page.keyboard.press("Home")
    page.keyboard.type("😀 Well, ")
    submit(page)

    submitted(page)
    annotation = the_annotation()
    quote = next(item for item in annotation.references if item["kind"] == "quote")
    start, end = quote["at"]
    assert annotation.justification[start:end] == "It is fast"
    assert quote["quote"] == [FIRST.rindex("It is fast"), FIRST.rindex("It is fast") + len("It is fast")]
    assert quote["response"] == shown(assignment)[0]


def test_a_quote_across_markup_is_found_in_the_source(page: Page, study: Project) -> None:
    opened(page, study)
    page.keyboard.press("a")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#pane-a .body .md p'))")
    page.keyboard.press("q")
    submit(page)

    submitted(page)
    [quote] = [item for item in the_annotation().references if item["kind"] == "quote"]
    assert quote["text"].startswith("Use pandas to read it.")
    assert quote["quote"] == [0, len(FIRST) - 1]


def test_a_quote_can_be_removed_and_an_edited_one_is_none_any_more(page: Page, study: Project) -> None:
    opened(page, study)
    for _ in range(2):
        select(page, "b", "read every line")
        page.keyboard.press("q")
        expect(page.locator("#why")).to_be_focused()
        page.keyboard.press("Escape")
    expect(page.locator("#refs .ref q")).to_have_count(2)
    page.get_by_role("button", name="Remove the quote of response B").first.click()
    expect(page.locator("#refs .ref q")).to_have_count(1)
    value = page.locator("#why").input_value()
    page.locator("#why").fill(value.replace("every", "each"))

    expect(page.locator("#refs .ref q")).to_have_count(0)
    assert page.locator("#references").input_value() == ""


def test_mentions_are_picked_or_typed_and_shown(page: Page, study: Project) -> None:
    opened(page, study)
    page.get_by_role("button", name="Mention response B").click()
    page.keyboard.type("is like Response A")

    expect(page.locator("#why")).to_have_value("@B is like Response A")
    expect(page.locator("#refs .ref")).to_have_count(2)


def test_quotes_survive_a_reload(page: Page, study: Project) -> None:
    opened(page, study)
    select(page, "b", "read every line")
    page.keyboard.press("q")
    saved(page)
    page.reload()

    expect(page.locator("#refs .ref q")).to_have_text("read every line")
    assert len(json.loads(page.locator("#references").input_value())) == 1


# -------------------------------------------------------------------------------------------------------- warnings
def test_a_slip_is_asked_about_and_going_back_keeps_everything(page: Page, study: Project) -> None:
    opened(page, study)
    page.keyboard.press("a")
    page.locator("#why").fill("B is better, it always works.")
    submit(page)
    caution = page.get_by_role("alertdialog")
    expect(caution).to_contain_text("your reason says that B is better")
    expect(caution).to_be_focused()

    caution.get_by_role("button", name="Go back").click()
    expect(caution).to_have_count(0)
    expect(page.locator("#why")).to_have_value("B is better, it always works.")
    page.locator("#why").fill("A is better, it always works.")
    submit(page)

    submitted(page)
    assert the_annotation().warnings == [{"code": "names_only_loser", "decision": "changed"}]


def test_a_slip_that_is_meant_is_submitted_as_it_is(page: Page, study: Project) -> None:
    opened(page, study)
    page.keyboard.press("a")
    page.locator("#why").fill("B is better, it always works.")
    submit(page)
    page.get_by_role("button", name="Submit as it is").click()

    submitted(page)
    assert the_annotation().warnings == [{"code": "names_only_loser", "decision": "kept"}]


# ------------------------------------------------------------------------------------------- every kind of dimension
