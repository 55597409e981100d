"""Small records for the tests of this folder, and random ones for the properties."""

from __future__ import annotations

import os
import string
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from exports.options import DimensionScale, ExportOptions, Rubric
from exports.records import (
    AnnotationRecord,
    Message,
    Part,
    PromptRecord,
    RatingRecord,
    ResponseRecord,
    ReviewRecord,
    RewriteRecord,
    TaskRecord,
)

REPOSITORY = Path(__file__).parents[3]
REAL_DATA = Path(os.environ.get("TIEBREAK_REAL_DATA", REPOSITORY.parent / "shared" / "data"))


def text(value: str) -> list[Part]:
    return [Part.of_text(value)]


def image(name: str = "a.png") -> list[Part]:
    return [Part(type="image", path=name)]


def response(key: str, content: str | list[Part] | None = None, **fields: Any) -> ResponseRecord:
    parts = text(f"answer {key}") if content is None else text(content) if isinstance(content, str) else content
    return ResponseRecord(id=key, content=parts, **fields)


def wins(winner: str, by: str = "ann", **fields: Any) -> AnnotationRecord:
    return AnnotationRecord(annotator=by, outcome="winner", winner=winner, **fields)


def says(outcome: Any, by: str = "ann", **fields: Any) -> AnnotationRecord:
    return AnnotationRecord(annotator=by, outcome=outcome, **fields)


def prompt(*annotations: AnnotationRecord, ids: str = "ab", key: str = "p", **fields: Any) -> PromptRecord:
    fields.setdefault("content", text("Question?"))
    fields.setdefault("responses", [response(each) for each in ids])
    return PromptRecord(id=key, annotations=list(annotations), **fields)


def task(*prompts: PromptRecord, key: str = "t", **fields: Any) -> TaskRecord:
    return TaskRecord(id=key, prompts=list(prompts), **fields)


# Everything below makes coherent records: `tiebreak` reads each of them.
_texts = st.text(st.characters(exclude_categories=("Cs", "Cn"), exclude_characters="\x00"), max_size=12)
_names = st.text(string.ascii_letters + string.digits + ":#%é字-_", min_size=1, max_size=6)
_assets = st.text("0123456789abcdef", min_size=64, max_size=64)
_floats = st.floats(allow_nan=False, allow_infinity=False)
_scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _floats | _texts
_json = st.recursive(_scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3))
_metadata = st.dictionaries(_texts, _json, max_size=3)
_media = st.builds(
    Part, type=st.sampled_from(["image", "audio", "video", "file"]), asset=_assets, name=st.none() | _texts
)
_parts = st.lists(st.builds(Part.of_text, _texts) | _media, min_size=1, max_size=3)
_times = st.datetimes().map(lambda moment: moment.isoformat() + "Z")


@st.composite
def _annotations(draw: st.DrawFn, ids: list[str]) -> AnnotationRecord:
    outcome: Any = draw(st.sampled_from(["winner", "winner", "tie", "all_bad", "cannot_judge"]))
    has_margin = outcome == "winner" and draw(st.booleans())
    ranked = draw(st.permutations(ids)) if draw(st.booleans()) else []
    cut = draw(st.integers(1, len(ids)))
    dimensions = st.sampled_from(["help", "help", "tone"]) | _names
    rated = draw(st.lists(st.tuples(dimensions, st.sampled_from([None, *ids])), unique=True, max_size=4))
    return AnnotationRecord(
        annotator=draw(st.sampled_from(["ann", "bob", "cy"])),
        kind=draw(st.sampled_from(["annotation", "annotation", "adjudication"])),
        state=draw(st.sampled_from(["submitted", "submitted", "returned"])),
        suspended=draw(st.sampled_from([False, False, False, True])),
        outcome=outcome,
        winner=draw(st.sampled_from(ids)) if outcome == "winner" else None,
        margin=draw(st.integers(1, 4)) if has_margin else None,
        ranking=[group for group in (ranked[:cut], ranked[cut:]) if group],
        ratings=[
            RatingRecord(dimension=name, response=key, value=draw(st.none() | st.integers(0, 5)), text=draw(_texts))
            for name, key in rated
        ],
        justification=draw(_texts),
        rewrites=[RewriteRecord(response=ids[0], content=draw(_parts))] if draw(st.booleans()) else [],
        reviews=draw(
            st.lists(st.builds(ReviewRecord, reviewer=_names, verdict=st.just("accept"), at=_times), max_size=1)
        ),
        display_order=draw(st.permutations(ids)),
        seconds=draw(st.none() | st.integers(0, 10_000)),
        submitted_at=draw(st.none() | _times),
    )


@st.composite
def prompts(draw: st.DrawFn, key: str) -> PromptRecord:
    ids = [f"r{number}" for number in range(draw(st.integers(2, 4)))]
    # Few different texts, so that empty and identical responses occur.
    contents = st.sampled_from(["", " ", "yes", "yes\r\n", "no"]).map(text) | _parts
    goes_on = draw(st.sampled_from([None, *ids]))
    responses = [
        ResponseRecord(
            id=each,
            content=draw(contents),
            model=draw(st.none() | _names),
            continues=each == goes_on,
            metadata=draw(_metadata),
        )
        for each in ids
    ]
    votes = draw(st.lists(_annotations(ids), max_size=5))
    return PromptRecord(id=key, content=draw(_parts), responses=responses, annotations=votes)


@st.composite
def tasks(draw: st.DrawFn) -> TaskRecord:
    roles = st.sampled_from(["system", "user", "assistant", "tool"])
    return TaskRecord(
        id=draw(_names),
        context=draw(st.lists(st.builds(Message, role=roles, content=_parts), max_size=2)),
        prompts=[draw(prompts(f"p{number}")) for number in range(draw(st.integers(1, 3)))],
        priority=draw(st.integers(-5, 5)),
        overlap=draw(st.none() | st.integers(1, 5)),
        metadata=draw(_metadata),
    )


def options() -> st.SearchStrategy[ExportOptions]:
    """Any set of options, with a project that has two dimensions."""
    scales = st.sampled_from([(), (DimensionScale(key="help", lowest=1, highest=5),)])
    rubrics = st.builds(Rubric, margin_levels=st.integers(1, 4), allow_tie=st.booleans(), dimensions=scales)
    fields = {
        "good_from": st.none() | st.integers(0, 5),
        "bad_to": st.none() | st.integers(0, 5),
        "label_dimension": st.sampled_from(["", "help", "nothing"]),
        "min_votes": st.integers(1, 3),
        "min_agreement": st.sampled_from([0.0, 0.5, 0.7, 1.0]),
        "rubric": rubrics,
    }
    return st.builds(ExportOptions, **(_CHOICES | fields))


_CHOICES: dict[str, st.SearchStrategy[Any]] = {
    "ranking_pairs": st.sampled_from(["all", "best_vs_rest", "best_vs_worst", "adjacent"]),
    "margin": st.sampled_from(["none", "none", "absolute", "signed"]),
    "margin_scale": st.sampled_from(["raw", "unit", "llama2"]),
    "consensus": st.sampled_from(["each", "majority", "closest_three", "soft"]),
    "adjudications": st.sampled_from(["ignore", "prefer"]),
    "labels": st.sampled_from(["winner", "ratings"]),
    "tie_labels": st.booleans(),
    "include_returned": st.booleans(),
    "include_suspended": st.booleans(),
    "rewrites": st.sampled_from(["none", "pairs", "only"]),
    "include_models": st.booleans(),
    "detail": st.sampled_from(["detailed", "terse"]),
}
