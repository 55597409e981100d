"""Argilla 2 and 1: records with the responses of annotators to questions: read only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from annotate.texts import gettext_noop
from exports.formats.argilla_answers import Answered, answers_of, is_flat
from exports.formats.base import PUBLIC, Format, Row, RowReader
from exports.formats.column_meanings import CHOICES, METADATA, proposals
from exports.formats.columns import Meanings, answers_in, prompt_in
from exports.formats.foreign import name_of, prompt, responses_of, task, vote
from exports.formats.imported import ONLY_RATINGS, Verdict, by_number, pseudonym
from exports.formats.setup import NO_SETUP, Mappable, Setup
from exports.problems import ProblemList, describe
from exports.records import AnnotationRecord, RatingRecord, ResponseRecord, TaskRecord

NOT_FIELDS = (
    "id",
    "status",
    "_server_id",
    "external_id",
    "inserted_at",
    "updated_at",
    "metadata",
    "vectors",
    "suggestions",
)


class Argilla(Format):
    """`fields` and `responses` by question, or flat columns such as `preference.responses`.

    Rankings name the fields of the responses. Version 2 drops their ranks, so that ties are lost there; version 1 has
    them, and equal ranks are ties. Drafts and discarded responses are no votes.
    """

    name = "argilla"
    label = gettext_noop("Argilla records")
    description = gettext_noop("Records of Argilla 2 or 1 with the responses of its annotators.")
    recognised_by = gettext_noop("fields and responses, or columns that end in .responses")
    group = PUBLIC
    can_read = True

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        for line, row in rows:
            reader = RowReader(file, line, problems, setup)
            record = _task(row, reader)
            if record is not None:
                yield line, record

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict):
            return False
        return (isinstance(row.get("fields"), dict) and "responses" in row) or is_flat(row)

    def mappable(self, rows: Iterable[object], setup: Setup = NO_SETUP) -> Sequence[Mappable]:
        fields: dict[str, list[object]] = {}
        for row in islice(rows, 20):
            for key, value in fields_of(row).items() if isinstance(row, dict) else ():
                fields.setdefault(key, []).append(value)
        proposed = proposals(fields)
        return [Mappable(key, CHOICES, proposed[key], [describe(v) for v in held[:3]]) for key, held in fields.items()]


def fields_of(row: dict[str, Any]) -> dict[str, Any]:
    """What annotators were shown: `fields`, or the columns that belong to no question."""
    if isinstance(row.get("fields"), dict):
        return dict(row["fields"])
    questions = {key.split(".")[0] for key in row if key.endswith((".responses", ".suggestion", "-suggestion"))}
    questions |= {key for key, value in row.items() if isinstance(value, list) and answers_of(value, None, None)}
    return {
        key: value
        for key, value in row.items()
        if key not in NOT_FIELDS and key.split(".")[0].removesuffix("-suggestion") not in questions
    }


def _task(row: object, reader: RowReader) -> TaskRecord | None:
    if not isinstance(row, dict):
        reader.unexpected("", row, "an object with fields and responses")
        return None
    fields = fields_of(row)
    mapping = reader.setup.mapping
    meanings = Meanings({key: meaning for key, meaning in mapping.items() if key in fields})
    if fault := meanings.fault():
        reader.problem("fields", fault, "fields for the prompt and for two responses or more; say what they mean")
        return None
    context, content = prompt_in(fields, meanings, reader)
    responses = responses_of(answers_in(fields, meanings, reader), "fields", reader)
    names = [meanings.counted["response"].get(number, "") for number in meanings.numbers]
    people = _by_person(row, reader)
    votes = [made for who, given in people.items() if (made := _vote(who, given, names, responses, reader)) is not None]
    if reader.failed:
        return None
    kept = {key: value for key, value in fields.items() if mapping.get(key, METADATA) in (METADATA, "") and value}
    own = row.get("metadata")
    metadata = {**kept, **(own if isinstance(own, dict) else {})}
    if suggestions := row.get("suggestions"):
        metadata["suggestions"] = suggestions
    name = name_of(row.get("id") or row.get("external_id"), row)
    return task(name, [prompt(content, responses, votes)], reader, context=context, metadata=metadata)


def _by_person(row: dict[str, Any], reader: RowReader) -> dict[str, dict[str, Any]]:
    """Question to answer, by annotator."""
    people: dict[str, dict[str, Any]] = {}
    held = row.get("responses")
    questions: dict[str, list[Answered]] = {}
    if isinstance(held, dict):
        questions = {str(key): answers_of(value, None, None) for key, value in held.items()}
    elif held is not None and not is_flat(row):
        reader.unexpected("responses", held, "an object with the responses to each question")
    for key, value in row.items():
        if key.endswith(".responses"):
            name = key.removesuffix(".responses")
            questions[name] = answers_of(value, row.get(f"{key}.users"), row.get(f"{key}.status"))
        elif (
            key not in ("responses", "fields") and isinstance(value, list) and (found := answers_of(value, None, None))
        ):
            questions[key] = found
    for name, answers in questions.items():
        for each in answers:
            people.setdefault(pseudonym(each.user), {})[name] = each.value
    return people


def _vote(
    who: str, given: dict[str, Any], names: Sequence[str], responses: Sequence[ResponseRecord], reader: RowReader
) -> AnnotationRecord | None:
    verdict: Verdict | None = None
    ratings: list[RatingRecord] = []
    words: list[str] = []
    for question, value in given.items():
        ranked = _ranks(value, names)
        if ranked is not None:
            places = {responses[place].id: rank for place, rank in ranked.items() if place < len(responses)}
            verdict = by_number(places, is_best_low=True)
        elif isinstance(value, int) and not isinstance(value, bool):
            ratings.append(RatingRecord(dimension=question.lower().replace("-", "_"), value=value))
        elif isinstance(value, str) and value in names and names.index(value) < len(responses):
            verdict = Verdict("winner", responses[names.index(value)].id)
        elif isinstance(value, str) and value:
            words.append(value if len(given) < 3 else f"{question}: {value}")
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            words.append(f"{question}: {', '.join(value)}")
        elif value is not None:
            reader.unexpected(f"responses.{question}", value, "a ranking, a whole number, a label or a text")
    text = "\n\n".join(words)
    if verdict is not None:
        return vote(who, verdict, ratings=ratings, justification=text)
    if not ratings and not text:
        return None
    return AnnotationRecord(
        annotator=who, outcome="cannot_judge", reason=ONLY_RATINGS, ratings=ratings, justification=text
    )


def _ranks(value: object, names: Sequence[str]) -> dict[int, float] | None:
    """Place of each response to its rank, from any of the three ways in which Argilla writes a ranking."""
    pairs: list[tuple[object, object]] = []
    if isinstance(value, dict) and isinstance(value.get("value"), list) and isinstance(value.get("rank"), list):
        pairs = list(zip(value["value"], value["rank"], strict=False))
    elif isinstance(value, list) and value and all(isinstance(each, dict) and "rank" in each for each in value):
        pairs = [(each.get("value"), each.get("rank")) for each in value]
    elif isinstance(value, list) and len(value) > 1:
        pairs = [(each, rank) for rank, each in enumerate(value)]
    known = {
        names.index(name): float(rank)
        for name, rank in pairs
        if isinstance(name, str) and name in names and isinstance(rank, (int, float))
    }
    return known if pairs and len(known) == len(pairs) else None
