"""All answers to a prompt with a reward for each: the records of turbo-alignment's dataset type `sampling`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.base import TURBO, VOTES, Format
from exports.formats.messages import messages_of
from exports.formats.turbo_alignment_pairs import NAMES, ROLES
from exports.options import ExportOptions
from exports.records import TaskRecord, text_of
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
    can_write = True
    containers = ("jsonl",)
    carrier = Carrier(roles=ROLES)
    needs = frozenset({"ratings"})
    uses = VOTES | {"labels", "label_dimension"}

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
