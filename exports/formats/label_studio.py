"""Label Studio: the JSON export of a project, with its labelling configuration beside it: read only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, Row, RowReader
from exports.formats.column_meanings import CHOICES, IGNORE, METADATA, proposals
from exports.formats.columns import Meanings, answers_in, prompt_in
from exports.formats.foreign import answer, name_of, prompt, responses_of, task
from exports.formats.label_studio_config import Control, controls_of
from exports.formats.label_studio_results import ResultReader
from exports.formats.setup import NO_SETUP, Mappable, Setup
from exports.problems import ProblemList, describe
from exports.records import AnnotationRecord, TaskRecord


class LabelStudio(Format):
    """Tasks with `data` and `annotations`. The configuration, an .xml beside the JSON, says which field of the data
    each control is about; without it the person says what the fields mean.

    A cancelled annotation is no vote; an empty one is missing, not a tie. Names of annotators become pseudonyms.
    """

    name = "label_studio"
    label = gettext_noop("Label Studio export")
    description = gettext_noop("Tasks with their annotations, from a Label Studio project and its configuration.")
    recognised_by = gettext_noop("data and annotations with results")
    group = PUBLIC
    can_read = True

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        controls = controls_of(setup)
        for line, row in rows:
            reader = RowReader(file, line, problems, setup)
            record = _task(row, controls, reader)
            if record is not None:
                yield line, record

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not isinstance(row.get("data"), dict):
            return False
        return isinstance(row.get("annotations", row.get("completions")), list)

    def mappable(self, rows: Iterable[object], setup: Setup = NO_SETUP) -> Sequence[Mappable]:
        looked_at = [
            row["data"] for row in islice(rows, 20) if isinstance(row, dict) and isinstance(row.get("data"), dict)
        ]
        fields: dict[str, list[object]] = {}
        for data in looked_at:
            for key, value in data.items():
                fields.setdefault(str(key), []).append(value)
        proposed = proposals(fields) | proposed_by(controls_of(setup), fields)
        return [Mappable(key, CHOICES, proposed[key], [describe(v) for v in held[:3]]) for key, held in fields.items()]


def proposed_by(controls: Sequence[Control], fields: Mapping[str, object]) -> dict[str, str]:
    """What the configuration says of the fields: those that a comparison names are the responses, left first."""
    compared = next((each for each in controls if each.kind == "pairwise"), None)
    if compared is None:
        return {}
    places = {field: f"response:{place}" for place, field in enumerate(compared.fields, 1)}
    return {field: meaning for field, meaning in places.items() if field in fields}


def _task(row: object, controls: Sequence[Control], reader: RowReader) -> TaskRecord | None:
    if not isinstance(row, dict) or not isinstance(row.get("data"), dict):
        reader.unexpected("data", row, "an object with data and annotations")
        return None
    data: dict[str, Any] = row["data"]
    mapping = reader.setup.mapping
    meanings = Meanings(mapping)
    if fault := meanings.fault():
        reader.problem("data", fault, "fields for the prompt and for two responses or more; say what they mean")
        return None
    context, content = prompt_in(data, meanings, reader)
    answers = answers_in(data, meanings, reader)
    responses = responses_of(answers or [answer("")], "data", reader)
    if reader.failed:
        return None
    names = [meanings.counted["response"].get(n, meanings.counted["media"].get(n, "")) for n in meanings.numbers]
    results = ResultReader(names, responses, controls, data, reader)
    held = row.get("annotations", row.get("completions"))
    if not isinstance(held, list):
        reader.unexpected("annotations", held, "a list of annotations")
        return None
    votes = [vote for index, each in enumerate(held) for vote in _vote(each, f"annotations[{index}]", results, reader)]
    known = ("id", "data", "annotations", "completions", "predictions")
    metadata = {key: value for key, value in row.items() if key not in known and value not in (None, [], {}, "")}
    kept = {key: value for key, value in data.items() if mapping.get(key, METADATA) in (METADATA, "")}
    left = {key: value for key, value in kept.items() if mapping.get(key) != IGNORE}
    record = prompt(content, responses, votes)
    return task(name_of(row.get("id"), row), [record], reader, context=context, metadata={**left, **metadata})


def _vote(value: object, where: str, results: ResultReader, reader: RowReader) -> list[AnnotationRecord]:
    if not isinstance(value, dict) or not isinstance(value.get("result"), list):
        reader.unexpected(where, value, "an object with result")
        return []
    if value.get("was_cancelled") is True or not value["result"]:
        return []
    vote = results.vote(value, where)
    return [] if vote is None else [vote]
