"""Battles in the shape of the Chatbot Arena conversations of 2023: two conversations and which model won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.ballots import Ballot
from exports.conversation import Carrier
from exports.formats import proof
from exports.formats.arena_reading import battle_of, judge_of
from exports.formats.base import PUBLIC, VOTES, Format, RowReader
from exports.formats.foreign import name_of
from exports.formats.messages import messages_of, said
from exports.formats.sources import source_names
from exports.options import ExportOptions
from exports.records import AnnotationRecord, TaskRecord
from exports.turns import Group, Turn, row_id

TIE, BOTH_BAD = "tie", "tie (bothbad)"
"""As the data of 2023 spell it; those of 2025 have both_bad."""
ROLES = ("system", "user", "assistant")
WINNERS = ("model_a", "model_b", TIE, BOTH_BAD)


class Arena(Format):
    """One row per vote; ties and "all bad" are votes like others. `tstamp` is 0 where no time is known."""

    name = "arena"
    label = gettext_noop("Arena battles")
    description = gettext_noop(
        "Two conversations with their models and the winner, a tie, or both bad. For leaderboards."
    )
    group = PUBLIC
    consumer = gettext_noop("I make a leaderboard with arena tools")
    carries = gettext_noop("Both conversations, the models, the winner, ties and both bad, the annotator and the time.")
    leaves_out = gettext_noop(
        "Prompts with more than two responses, tool messages, margins, ratings and media are left out."
    )
    recognised_by = gettext_noop("model_a, model_b, winner and two conversations")
    can_read = True
    can_write = True
    containers = ("jsonl", "json", "parquet")
    carrier = Carrier(roles=frozenset(ROLES))
    needs = frozenset({"details"})
    uses = VOTES | {"include_models"}

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        vote = judge_of(row, reader)
        if not isinstance(row, dict) or reader.failed:
            return None
        own = row.get("question_id") or row.get("id")
        left = {key: value for key, value in row.items() if key not in ("question_id", "id")}
        return battle_of(left, [vote], name_of(own, row), reader)

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not {"model_a", "model_b", "conversation_a", "conversation_b"} <= row.keys():
            return False
        has_verdict = "winner" in row or "winner_tie" in row
        return has_verdict and (not isinstance(row.get("question_id"), int) or "anony" in row or "tstamp" in row)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for turn in range(len(record.prompts)):
            yield from _Battles(record, turn, options, accounting, self.carrier).rows()

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.named(row, "question_id", "model_a", "model_b", "judge", "language")
        if row.get("winner") not in WINNERS:
            yield f"winner must be one of {', '.join(WINNERS)}."
        if row.get("model_a") == row.get("model_b"):
            yield "model_a and model_b are the same: nobody could tell who won."
        for side in ("conversation_a", "conversation_b"):
            yield from proof.messages(row, side, roles=ROLES, last=("assistant",))
        if isinstance(row.get("turn"), bool) or not isinstance(row.get("turn"), int) or row["turn"] < 1:
            yield "turn must be a whole number from 1."
        yield from proof.margin(row, "tstamp", is_needed=True)


class _Battles(Turn):
    def rows(self) -> Iterator[dict[str, Any]]:
        seen: Counter[str] = Counter()
        for group in self.groups():
            for ballot in group.ballots:
                reason = self._why_none()
                self.settle(ballot, [reason])
                if reason is None:
                    seen[ballot.annotation.annotator] += 1
                    yield self._row(group, ballot, seen[ballot.annotation.annotator])

    def _why_none(self) -> str | None:
        if len(self.responses) != 2:
            return "not_two_responses"
        first, second = self.responses.values()
        return self.why_no_pair(first, second)

    def _row(self, group: Group, ballot: Ballot, occurrence: int) -> dict[str, Any]:
        first, second = self.responses.values()
        names, before = source_names(self.prompt, self.options), messages_of(group.messages)
        language = self.task.metadata.get("language")
        return {
            "question_id": row_id((self.task.id, self.prompt.id, ballot.annotation.annotator), occurrence),
            "model_a": names[first.id],
            "model_b": names[second.id],
            "winner": _winner(ballot.annotation, first.id),
            "judge": ballot.annotation.annotator,
            "conversation_a": [*before, said("assistant", first.content)],
            "conversation_b": [*before, said("assistant", second.content)],
            "turn": sum(message.role == "user" for message in group.messages),
            "anony": True,
            "language": language if isinstance(language, str) and language else "unknown",
            "tstamp": _seconds(ballot.annotation.submitted_at),
        }


def _winner(annotation: AnnotationRecord, first: str) -> str:
    if annotation.outcome == "all_bad":
        return BOTH_BAD
    if annotation.outcome == "tie":
        return TIE
    return "model_a" if annotation.winner == first else "model_b"


def _seconds(time: str | None) -> float:
    """Seconds since 1970 of an ISO 8601 time; 0 for none."""
    try:
        return datetime.fromisoformat(time).timestamp() if time else 0.0
    except ValueError:
        return 0.0
