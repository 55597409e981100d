"""How accounting and options are put to people."""

from exports.accounting import Accounting
from exports.wording import accounting_lines, option_lines, why_empty

LEFT_OUT = Accounting(votes_in=1200, drops={"tie": 1190, "no_majority": 10}).as_dict()


def test_texts_are_english_without_a_translation() -> None:
    assert accounting_lines(LEFT_OUT)[2] == ("Ties", 1190)
    said = "All 1,200 judgements were left out. Reasons and counts: Ties 1,190, No majority 10."
    assert why_empty(LEFT_OUT) == said


def test_every_label_and_sentence_is_translated_where_a_page_asks_for_it() -> None:
    german = {
        "All %(count)s judgements were left out. Reasons and counts: %(reasons)s.": "%(reasons)s (von %(count)s)",
        "Ties": "Gleichstände",
        "No majority": "Keine Mehrheit",
        "Rows out": "Zeilen",
    }

    def translate(text: str) -> str:
        return german.get(text, f"?{text}")

    assert why_empty(LEFT_OUT, translate) == "Gleichstände 1,190, Keine Mehrheit 10 (von 1,200)"
    labels = [label for label, _ in accounting_lines(LEFT_OUT, translate)]
    assert labels == ["?Judgements in", "?Judgements exported", "Gleichstände", "Keine Mehrheit", "Zeilen"]


def test_what_people_named_themselves_is_never_translated() -> None:
    lines = option_lines({"label_dimension": "Ties", "margin": "none"}, {"label_dimension", "margin"}, str.upper)
    assert lines == [("MARGIN", "LEFT OUT"), ("DIMENSION OF THE RATING", "Ties")]
