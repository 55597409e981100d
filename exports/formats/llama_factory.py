"""Rows for LLaMA-Factory in its sharegpt style, with the `dataset_info.json` that it needs to find the columns.

It counts `<image>`, `<video>` and `<audio>` in any text as places of files, so texts that hold such a word are left
out; and it wants turns of human and gpt that alternate after at most one system message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import PLACEHOLDERS, Carrier
from exports.formats import proof
from exports.formats.base import LABELS, PAIRS, TRAINERS, Format, Row, RowReader
from exports.formats.blocks import listed, paths_of, tagged
from exports.formats.llama_factory_reading import conversation_key, pair_of, single_from
from exports.formats.pair_rows import SIDES
from exports.formats.setup import NO_SETUP, Setup
from exports.formats.single_answers import by_conversation
from exports.labels import labels_of
from exports.options import ExportOptions
from exports.pairs import pairs_of
from exports.problems import ProblemList
from exports.records import Message, Part, TaskRecord

SPEAKERS = {"system": "system", "user": "human", "assistant": "gpt"}
KEYS = {"role": "from", "content": "value"}
TURNS = Carrier(roles=frozenset(SPEAKERS), not_in_text=PLACEHOLDERS, alternating=True)


class _LlamaFactory(Format):
    """What its kinds of rows share. `columns`: name of a column in `dataset_info.json` to its name in the rows."""

    group = TRAINERS
    can_write = True
    containers = ("json", "jsonl")
    columns: dict[str, str]
    is_ranking = False

    def companions(self, files: Sequence[str], options: ExportOptions) -> Iterator[tuple[str, object]]:
        entry: dict[str, Any] = {"formatting": "sharegpt", "columns": self.columns}
        if self.is_ranking:
            entry["ranking"] = True
        yield "dataset_info.json", {_name_of(file): {"file_name": file, **entry} for file in files}

    def conversation_problems(self, row: dict[str, Any], last: str) -> Iterator[str]:
        found = list(proof.messages(row, "conversations", roles=tuple(SPEAKERS.values()), last=(last,), **KEYS))
        yield from found
        if found:
            return
        said = [message["from"] for message in row["conversations"]]
        said = said[1:] if said[0] == "system" else said
        if any(speaker != ("gpt" if index % 2 else "human") for index, speaker in enumerate(said)):
            yield "conversations must be turns of human and gpt, the human first, after one system message at most."


class LlamaFactoryPair(_LlamaFactory):
    """Each row is one preference between two texts."""

    recognised_by = gettext_noop("conversations or instruction, with chosen and rejected")
    can_read = True
    name = "llama_factory_pair"
    label = gettext_noop("LLaMA-Factory preference")
    description = gettext_noop(
        "Conversations with chosen and rejected answers and dataset_info.json, for DPO and reward models."
    )
    consumer = gettext_noop("I train DPO or a reward model with LLaMA-Factory")
    carries = gettext_noop("The conversation, a chosen and a rejected answer.")
    leaves_out = gettext_noop("Tool messages, margins, annotators, ties, ratings, reasons and media are left out.")
    carrier = TURNS
    needs = frozenset({"rewrites"})
    uses = PAIRS
    columns = {"messages": "conversations", "chosen": "chosen", "rejected": "rejected"}
    is_ranking = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        return pair_of(row, reader)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not row.keys() >= set(SIDES):
            return False
        if isinstance(row.get("instruction"), str) and "prompt" not in row:
            return all(isinstance(row[side], str) for side in SIDES)
        return isinstance(row.get("conversations"), list) and all(isinstance(row[side], dict) for side in SIDES)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for pair in pairs_of(record, options.without_margin(), accounting, self.carrier):
            row = {
                "conversations": _turns(pair.messages),
                "chosen": _turn("assistant", pair.chosen.content),
                "rejected": _turn("assistant", pair.rejected.content),
            }
            yield row | {"images": paths_of(pair.messages)} if self.media else row

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from self.conversation_problems(row, "human")
        for side in SIDES:
            yield from proof.messages({side: [row.get(side)]}, side, roles=("gpt",), last=("gpt",), **KEYS)
        yield from proof.differ(row, *SIDES)
        turns = row["conversations"] if isinstance(row.get("conversations"), list) else []
        values = [
            turn.get("value") for turn in (*turns, row.get("chosen"), row.get("rejected")) if isinstance(turn, dict)
        ]
        yield from proof.placeholders([each for each in values if isinstance(each, str)], len(row.get("images") or ()))


class LlamaFactoryVision(LlamaFactoryPair):
    """The same with pictures, which chosen and rejected share. All rows have some: a list that is always empty would
    give the column no kind."""

    name = "llama_factory_vision"
    label = gettext_noop("LLaMA-Factory preference with pictures")
    description = gettext_noop("Conversations about pictures with chosen and rejected answers and dataset_info.json.")
    consumer = gettext_noop("I train a vision model with LLaMA-Factory")
    carries = gettext_noop("The conversation with its pictures, a chosen and a rejected answer.")
    leaves_out = gettext_noop(
        "Conversations without a picture, answers with one, sounds, films, margins and ties are left out."
    )
    can_read = False  # rows with pictures are read by the format without
    media = True
    carrier = Carrier(
        roles=TURNS.roles,
        not_in_text=PLACEHOLDERS,
        alternating=True,
        in_messages=frozenset({"image"}),
        only_media=True,
    )
    columns = {**LlamaFactoryPair.columns, "images": "images"}

    def media_of(self, row: dict[str, Any]) -> Iterator[str]:
        return listed(row, "images")

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from super().problems_of(row)
        if not isinstance(row.get("images"), list) or not row["images"]:
            yield "images must be a list with at least one picture."


class LlamaFactoryKto(_LlamaFactory):
    """An empty answer would count as bad whatever its tag, so there are none."""

    recognised_by = gettext_noop("a conversation or instruction with kto_tag")
    can_read = True
    name = "llama_factory_kto"
    label = gettext_noop("LLaMA-Factory KTO")
    description = gettext_noop(
        "Conversations that end in an answer which is good or bad, and dataset_info.json. For KTO."
    )
    consumer = gettext_noop("I train KTO with LLaMA-Factory")
    carries = gettext_noop("The conversation, one answer, and whether it is good: by the winner or by ratings.")
    leaves_out = gettext_noop(
        "Tool messages, annotators, margins, reasons and media are left out; so are ties, unless asked for."
    )
    carrier = TURNS
    needs = frozenset({"ratings"})
    uses = LABELS
    columns = {"messages": "conversations", "kto_tag": "kto_tag"}

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        yield from by_conversation(rows, file, problems, setup, single_from, conversation_key)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and "kto_tag" in row

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for label in labels_of(record, options, accounting, self.carrier):
            turns = [*_turns(label.messages), _turn("assistant", label.response.content)]
            yield {"conversations": turns, "kto_tag": label.is_good}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from self.conversation_problems(row, "gpt")
        yield from proof.flag(row, "kto_tag")


def _name_of(file: str) -> str:
    """What the data are called in a training command."""
    return file.split(".")[0].replace("/", "-")


def _turn(role: str, content: Sequence[Part]) -> dict[str, str]:
    return {"from": SPEAKERS[role], "value": tagged(content)}


def _turns(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [_turn(message.role, message.content) for message in messages]
