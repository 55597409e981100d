"""Reads Dataloop's prompt items: the file layer with its prompts, and the responses that were put to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import orjson
from msgspec.structs import replace

from exports.formats.base import RowReader
from exports.formats.coherence import check_task
from exports.formats.dataloop_responses import NAMESPACE, RLHF, Given, responses_of, value_at
from exports.formats.imported import (
    ONLY_RATINGS,
    Verdict,
    by_number,
    is_whole,
    merged,
    numbered_mentions,
    on_line,
    pseudonym,
    without_addresses,
)
from exports.formats.pair_rows import IMPORTED
from exports.formats.row_ids import row_digest
from exports.formats.shape import check_shape
from exports.problems import describe
from exports.records import AnnotationRecord, Message, Part, PartType, PromptRecord, RatingRecord, Role, TaskRecord

TEXT = "application/text"
_KINDS: dict[str, PartType] = {"image": "image", "audio": "audio", "video": "video"}
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_KNOWN = ("shebang", "prompts", "annotations", "metadata", "annotationsCount", "annotated")


def read_item(row: object, reader: RowReader) -> TaskRecord | None:
    """The task of an item, or None with its problems reported."""
    if not isinstance(row, dict):
        reader.unexpected("", row, "a prompt item: an object with prompts")
        return None
    prompts = row["prompts"] if "prompts" in row else _companion(row, reader)
    if not isinstance(prompts, dict) or not prompts:
        hint = "the prompts of the item (an export has only its responses: put the item's own file beside it)"
        reader.unexpected("prompts", prompts, hint)
        return None
    responses = responses_of(row.get("annotations"), prompts, reader)
    read = [_Prompt(key, elements, responses.get(key, []), reader) for key, elements in prompts.items()]
    if reader.failed:
        return None
    own = any(prompt.is_own for prompt in read)
    spoken = [index for index, each in enumerate(read) if (not each.is_own if own else each.role != "user")]
    first = spoken[-1] + 1 if spoken else 0
    for each in read[:first]:
        if each.given:
            reader.problem(f"prompts.{each.key}", f"responses to a message of the {each.role}", "them at later prompts")
    judged = [each.record(reader) for each in read[first:]]
    if not judged:
        reader.problem("prompts", "messages only", "a prompt of the user at the end")
    if reader.failed:
        return None
    context = [Message(role=each.role, content=each.content) for each in read[:first]]
    notes = {each.key: each.notes for each in read if each.notes}
    task = TaskRecord(id=_id(row), context=context, prompts=judged, metadata=_metadata(row, notes))
    check_task(task, reader)
    return None if reader.failed else task


def _companion(row: dict[str, Any], reader: RowReader) -> object:
    """The prompts in the item's own file, where that came with the data."""
    name = row.get("name")
    for path, content in reader.setup.companions.items():
        if isinstance(name, str) and name and path.rsplit("/", 1)[-1] == name:
            try:
                item = orjson.loads(content)
            except ValueError:
                return None
            return item.get("prompts") if isinstance(item, dict) else None
    return None


def _id(row: dict[str, Any]) -> str:
    for name in (value_at(row, "metadata", "user", NAMESPACE, "task"), row.get("id")):
        if isinstance(name, str) and name:
            return name
    return row_digest(row)


def _metadata(row: dict[str, Any], notes: dict[str, Any]) -> dict[str, Any]:
    about = {key: value for key, value in row.items() if key not in _KNOWN and value not in (None, "")}
    given = row.get("metadata")
    if isinstance(given, dict):
        user = given.get("user")
        rest = {key: value for key, value in user.items() if key != NAMESPACE} if isinstance(user, dict) else user
        kept = {key: value for key, value in given.items() if key not in ("dltype", "user")}
        given = {**kept, **({"user": rest} if rest else {})}
    if given:
        about["metadata"] = given
    if _id(row) == row.get("id"):
        about.pop("id", None)
    found: dict[str, Any] = without_addresses(merged(about, {"prompts": notes} if notes else {}))
    return found


class _Prompt:
    def __init__(self, key: str, elements: object, given: list[Given], reader: RowReader) -> None:
        self.key, self.given = key, given
        self.content: list[Part] = []
        self.notes: dict[str, Any] = {}
        self.role: Role = "user"
        if not isinstance(elements, list) or not elements:
            reader.unexpected(f"prompts.{key}", elements, "a list of elements with mimetype and value")
            return
        for index, element in enumerate(elements):
            self._take(element, f"prompts.{key}[{index}]", reader)

    is_own = False
    own: object = None
    rlhf: object = None

    def _take(self, element: object, path: str, reader: RowReader) -> None:
        if not isinstance(element, dict):
            reader.unexpected(path, element, "an object with mimetype and value")
            return
        kind, value = element.get("mimetype"), element.get("value")
        if kind == "metadata":
            self._describe(value, path, reader)
            return
        main = kind.partition("/")[0] if isinstance(kind, str) else ""
        if kind != TEXT and main not in _KINDS:
            expected = "application/text, metadata, or a type of image, audio or video such as image/*"
            reader.unexpected(f"{path}.mimetype", kind, expected)
        elif not isinstance(value, str) or (kind != TEXT and not value):
            reader.unexpected(f"{path}.value", value, "text, or the address of the file")
        else:
            self.content.append(Part.of_text(value) if kind == TEXT else Part(type=_KINDS[main], path=value))
            more = {key: each for key, each in element.items() if key not in ("mimetype", "value")}
            if more:
                self.notes.setdefault("elements", []).append(more)

    def _describe(self, value: object, path: str, reader: RowReader) -> None:
        if not isinstance(value, dict):
            reader.unexpected(f"{path}.value", value, "an object, as metadata are")
            return
        role = value.get("role", "user")
        if not isinstance(role, str) or role not in _ROLES:
            reader.unexpected(f"{path}.value.role", role, "one of " + ", ".join(_ROLES))
            return
        self.role = _ROLES[role]
        if NAMESPACE in value:
            self.is_own, self.own = True, value[NAMESPACE]
        self.rlhf = value.get(RLHF)
        self.notes.update({key: each for key, each in value.items() if key not in ("role", NAMESPACE, RLHF)})

    def record(self, reader: RowReader) -> PromptRecord:
        """The prompt with what was said about its responses."""
        votes = [*self._own(reader), *self._imported(reader)]
        responses = [each.response for each in self.given]
        return PromptRecord(id=self.key, content=self.content, responses=responses, annotations=votes)

    def _own(self, reader: RowReader) -> list[AnnotationRecord]:
        """The judgements as our writer puts them."""
        if not self.is_own:
            return []
        path, votes = f"prompts.{self.key}.{NAMESPACE}.judgements", value_at(self.own, "judgements")
        if not isinstance(votes, list):
            reader.unexpected(path, votes, "a list of judgements")
            return []
        read = []
        for vote in votes:
            try:
                one = msgspec.convert(vote, AnnotationRecord)
                is_address = "@" in one.annotator
                read.append(replace(one, annotator=pseudonym(one.annotator)) if is_address else one)
            except msgspec.ValidationError:
                check_shape(vote, AnnotationRecord, reader)
                if not reader.failed:
                    reader.unexpected(path, vote, "a judgement as this program writes it")
        return read

    def _imported(self, reader: RowReader) -> Iterator[AnnotationRecord]:
        """The judgement in the namespace `rlhf`, if there is one."""
        ratings = [each for given in self.given for each in _ratings(given, reader)]
        said, path = self.rlhf if self.rlhf is not None else {}, f"prompts.{self.key}.{RLHF}"
        if not isinstance(said, dict):
            reader.unexpected(path, said, "an object with winner, likert, likert_points and justification")
            return
        ranks = {each.response.id: each.rank for each in self.given if each.rank is not None}
        if not said and not ratings and not ranks:
            return
        verdict = self._verdict(said, ranks, path, reader)
        reason = said.get("justification")
        text = reason if isinstance(reason, str) else ""
        known = ("winner", "likert", "likert_points", "justification")
        more = {key: value for key, value in said.items() if key not in known or (key == "justification" and not text)}
        if more:
            self.notes[RLHF] = more
        ids = [each.response.id for each in self.given]
        yield AnnotationRecord(
            annotator=IMPORTED,
            outcome=verdict.outcome,
            winner=verdict.winner,
            margin=verdict.margin,
            ranking=[list(group) for group in verdict.ranking],
            ratings=ratings,
            justification=text,
            references=numbered_mentions(text, ids),
            reason=ONLY_RATINGS if verdict.outcome == "cannot_judge" else "",
        )

    def _verdict(self, said: Mapping[str, Any], ranks: Mapping[str, float], path: str, reader: RowReader) -> Verdict:
        ids = [each.response.id for each in self.given]
        found = by_number(ranks, is_best_low=True) if ranks and len(ranks) == len(ids) else None
        likert, size = said.get("likert"), said.get("likert_points")
        line = None
        if likert is not None and len(ids) == 2:
            if isinstance(size, int) and is_whole(size) and size > 1 and is_whole(likert) and 1 <= likert <= size:
                line = on_line(likert, 1, size, ids)
            else:
                reader.unexpected(f"{path}.likert", likert, "a whole number from 1 to likert_points")
        winner = self._winner(said.get("winner"), f"{path}.winner", reader)
        for other in (line, found):
            if winner and other and other.winner and other.winner != winner:
                reader.problem(path, "a winner that likert or the ranks contradict", "one winner")
        ranking = found.ranking if found else ()
        if winner:
            return Verdict("winner", winner, line.margin if line else None, ranking)
        if line:
            return Verdict(line.outcome, line.winner, line.margin, ranking)
        return found or Verdict("cannot_judge")

    def _winner(self, value: object, path: str, reader: RowReader) -> str | None:
        if value is None:
            return None
        names = [each.response.id for each in self.given if value in (each.source, each.response.model)]
        if len(names) != 1:
            reader.problem(path, describe(value), "the id of a response of this prompt, or the model of exactly one")
            return None
        return names[0]


def _ratings(given: Given, reader: RowReader) -> Iterator[RatingRecord]:
    for key, value in given.ratings.items():
        if is_whole(value):
            yield RatingRecord(dimension=key, response=given.response.id, value=value)
        elif value is not None:
            reader.unexpected(f"annotations.{RLHF}.ratings.{key}", value, "a whole number")
