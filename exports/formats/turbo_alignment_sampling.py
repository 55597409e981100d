"""All answers to a prompt with a reward for each: the records of turbo-alignment's dataset type `sampling`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import TURBO, VOTES, Format, RowReader
from exports.formats.coherence import check_task
from exports.formats.imported import letters, merged, objects_in, text_in
from exports.formats.messages import messages_of
from exports.formats.pair_rows import MOST
from exports.formats.turbo_alignment_pairs import NAMES, ROLES
from exports.formats.turbo_alignment_reading import id_of, messages_in, rest_of, split
from exports.options import ExportOptions
from exports.problems import describe
from exports.records import Part, PromptRecord, ResponseRecord, TaskRecord, text_of
from exports.samplings import samplings_of

KEYS = ("id", "dataset_name", "messages", "answers", "rewards")
DATASET = "tiebreak"


class TurboAlignmentSampling(Format):
    """The trainer refuses any key that it does not know, also inside the answers."""

    name = "turbo_alignment_sampling"
    label = gettext_noop("turbo-alignment sampling")
    description = gettext_noop("All answers to a prompt with a reward for each: its share of wins, or its mean rating.")
    group = TURBO
    consumer = gettext_noop("I choose among sampled answers with turbo-alignment")
    carries = gettext_noop(
        "The conversation, all answers, and a number for each: the share of rivals beaten, or the mean rating."
    )
    leaves_out = gettext_noop("Tool messages, annotators, single votes, margins, reasons and media are left out.")
    can_read = True
    can_write = True
    recognised_by = gettext_noop("messages, answers and dataset_name in each row")
    containers = ("jsonl",)
    carrier = Carrier(roles=ROLES)
    needs = frozenset({"ratings"})
    uses = VOTES | {"labels", "label_dimension"}

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        if not isinstance(row, dict):
            reader.unexpected("", row, "an object with id, dataset_name, messages and answers")
            return None
        name, messages = id_of(row, reader), messages_in(row.get("messages"), "messages", reader)
        if not isinstance(row.get("dataset_name"), str):
            reader.unexpected("dataset_name", row.get("dataset_name"), "the name of the dataset")
        answers, rewards = _answers(row, reader), _rewards(row, reader)
        if reader.failed:
            return None
        context, content, before = split(messages, "messages", reader)
        responses = [
            ResponseRecord(
                id=letter, content=[*before, Part.of_text(text)], metadata=merged(rest, _reward(rewards, key))
            )
            for letter, (key, text, rest) in zip(letters(MOST), answers, strict=False)
        ]
        if reader.failed:
            return None
        prompt = PromptRecord(id="1", content=content, responses=responses)
        metadata = rest_of(row, "messages", "answers", "rewards")
        task = TaskRecord(id=name, context=context, prompts=[prompt], metadata=metadata)
        check_task(task, reader)
        return None if reader.failed else task

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and "dataset_name" in row and _has_lists(row)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for each in samplings_of(record, options, accounting, self.carrier):
            yield {
                "id": each.id,
                "dataset_name": DATASET,
                "messages": messages_of(each.messages, NAMES),
                "answers": [{"id": answer.id, "content": text_of(answer.content)} for answer in each.responses],
                "rewards": dict(each.rewards),
            }

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "id", "dataset_name")
        yield from proof.messages(row, "messages", roles=tuple(NAMES), last=("user",))
        yield from (f"{key} is a key that the trainer refuses." for key in row if key not in KEYS)
        answers = row.get("answers")
        if not isinstance(answers, list) or not answers:
            yield "answers must be a list that is not empty."
            return
        for index, answer in enumerate(answers):
            if not isinstance(answer, dict) or set(answer) != {"id", "content"}:
                yield f"answers[{index}] must have id and content, and nothing else."
            else:
                yield from (f"answers[{index}]: {problem}" for problem in proof.texts(answer, "id", "content"))
        ids = [answer.get("id") for answer in answers if isinstance(answer, dict)]
        if not isinstance(row.get("rewards"), dict) or sorted(row["rewards"]) != sorted(map(str, ids)):
            yield "rewards must have one number for the id of each answer."
        else:
            for key in row["rewards"]:
                yield from (f"rewards: {problem}" for problem in proof.margin(row["rewards"], key, is_signed=True))


def _has_lists(row: dict[str, Any]) -> bool:
    return isinstance(row.get("messages"), list) and isinstance(row.get("answers"), list)


def _answers(row: dict[str, Any], reader: RowReader) -> list[tuple[str, str, dict[str, Any]]]:
    """(id, text, all else) of each answer."""
    found: list[tuple[str, str, dict[str, Any]]] = []
    for index, each in enumerate(objects_in(row.get("answers"), "answers", reader)):
        path, key = f"answers[{index}]", each.get("id")
        if isinstance(key, bool) or not isinstance(key, (str, int)) or key == "":
            reader.unexpected(f"{path}.id", key, "text or a whole number")
        elif str(key) in [known for known, _, _ in found]:
            reader.problem(f"{path}.id", f"{describe(key)} twice", "ids that differ within the row")
        rest = {name: value for name, value in each.items() if name != "content" and value is not None}
        found.append((str(key), text_in(each, "content", f"{path}.content", reader), rest))
    if len(found) > MOST:
        reader.problem("answers", f"{len(found)} answers", f"at most {MOST}")
    return found


def _rewards(row: dict[str, Any], reader: RowReader) -> dict[str, Any]:
    """The reward of each answer by its id. Nothing is made of their order: nobody says that more is better."""
    given = row.get("rewards")
    if given is None:
        return {}
    if not isinstance(given, dict):
        reader.unexpected("rewards", given, "an object with a number for the id of each answer")
        return {}
    answers = row.get("answers") if isinstance(row.get("answers"), list) else []
    ids = [str(each.get("id")) for each in answers or () if isinstance(each, dict)]
    for key, value in given.items():
        if key not in ids:
            reader.problem(f"rewards.{key}", "a reward for no answer", f"one of the ids {', '.join(ids[:9])}")
        elif isinstance(value, bool) or not isinstance(value, (int, float)):
            reader.unexpected(f"rewards.{key}", value, "a number")
    return given


def _reward(rewards: dict[str, Any], key: str) -> dict[str, Any]:
    return {"reward": rewards[key]} if key in rewards else {}
