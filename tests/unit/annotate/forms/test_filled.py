"""A stored judgement becomes the same fields again, and these the same judgement, whatever the order shown."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from annotate.forms.filled import fields_from, judgement_from
from annotate.forms.judgement import codes, parse
from annotate.rules.judgement import DimensionSpec, FlagValue, Judgement, JudgementSpec, RatingValue
from annotate.rules.references import mentions

KINDS = ["scale", "yes_no", "category", "tags", "text"]
FLAGS = ("unsafe", "broken", "other")
_words = st.text(alphabet="abc @AB😀é", min_size=1, max_size=12).map(str.strip).filter(bool)


def dimension(kind: str) -> DimensionSpec:
    target = "comparison" if kind == "text" else "response"
    return DimensionSpec(kind, kind, kind, target, 0, 5, False, "optional")


@st.composite
def cases(draw: st.DrawFn) -> tuple[Judgement, JudgementSpec]:
    responses = draw(st.permutations([str(n) for n in range(11, 11 + draw(st.integers(2, 5)))]))
    spec = JudgementSpec(
        tuple(responses),
        3,
        True,
        True,
        True,
        "optional",
        0,
        tuple(map(dimension, KINDS)),
        "optional",
        "any",
        FLAGS,
        {response: f"Source of {response}" for response in responses},
    )
    return draw(_judgements(spec)), spec


def _judgements(spec: JudgementSpec) -> st.SearchStrategy[Judgement]:
    return st.one_of(_cannot(spec), _judged(spec))


@st.composite
def _cannot(draw: st.DrawFn, spec: JudgementSpec) -> Judgement:
    kind = draw(st.sampled_from(["", "language", "other"]))
    return Judgement("cannot_judge", reason=draw(_words), reason_kind=kind, flags=draw(_flags(spec)))


@st.composite
def _judged(draw: st.DrawFn, spec: JudgementSpec) -> Judgement:
    why = draw(_words)
    outcome, winner, margin, ranking = draw(_preference(spec))
    return Judgement(
        outcome,
        winner,
        margin,
        ranking,
        tuple(draw(_ratings(spec))),
        why,
        rewrites={
            pk: [{"type": "text", "text": draw(_words)}] for pk in draw(st.sets(st.sampled_from(spec.responses)))
        },
        flags=draw(_flags(spec)),
        references=tuple(mentions(why, spec.responses)),
    )


@st.composite
def _preference(draw: st.DrawFn, spec: JudgementSpec) -> Any:
    if draw(st.booleans()):
        return "all_bad", None, None, ()
    if not spec.is_ranked:
        winner = draw(st.sampled_from([None, *spec.responses]))
        return ("winner", winner, draw(st.integers(1, 3)), ()) if winner else ("tie", None, 0, ())
    ranks = {pk: draw(st.integers(1, 3)) for pk in spec.responses}
    ranking = tuple(tuple(pk for pk in spec.responses if ranks[pk] == n) for n in sorted(set(ranks.values())))
    if len(ranking[0]) > 1:
        return "tie", None, 0, ranking
    return "winner", ranking[0][0], draw(st.integers(1, 3)), ranking


@st.composite
def _ratings(draw: st.DrawFn, spec: JudgementSpec) -> list[RatingValue]:
    found = []
    for asked in spec.dimensions:
        for response in spec.responses if asked.target == "response" else (None,):
            why = draw(st.one_of(st.just(""), _words))
            if asked.kind == "tags":
                tags = tuple(draw(st.lists(st.sampled_from(["kind", "rude"]), unique=True)))
                rating = RatingValue(asked.key, response, tags=tags, justification=why)
            elif asked.kind == "text":
                rating = RatingValue(asked.key, response, text=draw(_words), justification=why)
            else:
                rating = RatingValue(asked.key, response, value=draw(st.integers(0, 5)), justification=why)
            if rating.is_given:
                found.append(rating)
    return found


@st.composite
def _flags(draw: st.DrawFn, spec: JudgementSpec) -> tuple[FlagValue, ...]:
    return tuple(
        FlagValue(pk, kind, draw(st.one_of(st.just(""), _words)))
        for pk in spec.responses
        for kind in draw(st.lists(st.sampled_from(FLAGS), unique=True))
    )


@given(cases())
def test_what_was_submitted_comes_back_as_it_was(case: tuple[Judgement, JudgementSpec]) -> None:
    judgement, spec = case

    assert parse(fields_from(judgement, spec), spec) == judgement


def test_a_quote_comes_back_in_the_units_of_the_page() -> None:
    spec = JudgementSpec(("8", "71"), 0, True, False, False, "optional", 0, sources={"8": "😀 Use it.", "71": ""})
    content = {
        "outcome": "winner", "winner": 8, "margin": None, "ranking": [], "ratings": [], "rewrites": [], "flags": [],
        "justification": "😀 @A: “Use it.”", "reason": "", "reason_kind": "",
        "references": [
            {"kind": "mention", "at": [2, 4], "response": 8, "quote": None, "text": "@A"},
            {"kind": "quote", "at": [7, 14], "response": 8, "quote": [2, 9], "text": "Use it."},
        ],
    }  # fmt: skip
    judgement = judgement_from(content)

    fields = fields_from(judgement, spec)

    assert '"at": [8, 15], "quote": [3, 10]' in fields["references"]
    assert parse(fields, spec) == judgement


def test_only_codes_that_exist_are_read() -> None:
    fields = {"warned": "names_only_loser,odd,", "accepted_warnings": ["names_only_loser", "repeated_justification"]}

    assert codes(fields, "warned") == {"names_only_loser"}
    assert codes(fields, "accepted_warnings") == {"names_only_loser", "repeated_justification"}
    assert codes({}, "warned") == set()
