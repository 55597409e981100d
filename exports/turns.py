"""The votes on one prompt, grouped by the conversation that people read, with every vote accounted for.

What the modules beside this one make of the groups (pairs, rankings, labels, completions) is up to them; which votes
count at all, and under which reason the others are dropped, is decided here alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from exports.accounting import Accounting
from exports.ballots import Ballot, ballot_of, why_no_vote, why_too_weak
from exports.conversation import (
    Carrier,
    clean_response,
    messages_to,
    path_to,
    same_content,
    why_not_carried,
    why_unusable,
)
from exports.options import ExportOptions
from exports.records import AnnotationRecord, Message, ResponseRecord, TaskRecord, text_of

IdPath = tuple[str, ...]
"""The ids of the responses on which the conversation went on before a prompt."""
STAND_ANYWAY = (None, "cannot_judge")
"""What an adjudication may say and still stand in place of the votes."""


class Group(msgspec.Struct, frozen=True):
    """The votes of people who read the same `messages`, or one adjudication in place of all votes on the prompt."""

    messages: list[Message]
    ballots: list[Ballot]


def row_id(pieces: Iterable[str], occurrence: int) -> str:
    """The pieces with colons between them.

    `%`, `:` and `#` inside a piece are percent-encoded; a repetition by the same annotator ends in `#2`, `#3`, …
    """
    pieces = list(pieces)
    name = ":".join(pieces)
    if "%" in name or "#" in name or name.count(":") >= len(pieces):
        name = ":".join(piece.replace("%", "%25").replace(":", "%3A").replace("#", "%23") for piece in pieces)
    return name if occurrence == 1 else f"{name}#{occurrence}"


class Turn:
    """The votes on the prompt number `turn` (from 0) of one task. `responses`: those in clean text, by id."""

    least = 2
    """How many responses there must be."""

    def __init__(
        self, task: TaskRecord, turn: int, options: ExportOptions, accounting: Accounting, carrier: Carrier
    ) -> None:
        self.task, self.turn, self.options, self.accounting = task, turn, options, accounting
        self.carrier = carrier
        self.prompt = task.prompts[turn]
        self.responses = {response.id: clean_response(response) for response in self.prompt.responses}

    def groups(self) -> Iterator[Group]:
        """Every group whose votes count; whoever takes one calls `settle` for each of its ballots.

        The votes of the others are counted as dropped, adjudications apart. A group too weak for the options is
        dropped whole: people whose conversations differ judged different things, and do not count for one another.
        """
        standing = self._standing() if self.options.adjudications == "prefer" else None
        by_path: dict[IdPath, list[Ballot]] = {}
        for annotation in self.prompt.annotations:
            if annotation.kind == "adjudication":
                self.accounting.adjudications += 1
                continue
            self.accounting.votes_in += 1
            reason = self._why_no_vote(annotation) or ("adjudicated" if standing else None)
            path = path_to(self.task, self.turn, annotation.annotator)
            if reason or path is None:
                self.accounting.drop(reason or "no_path")
            else:
                by_path.setdefault(path, []).append(self._ballot(annotation))
        if standing is not None and standing.outcome != "cannot_judge":
            path = path_to(self.task, self.turn, standing.annotator, adjudicated=True)
            by_path = {} if path is None else {path: [self._ballot(standing)]}
        for path, ballots in by_path.items():
            messages = messages_to(self.task, self.turn, path)
            reason = why_unusable(messages, self.carrier)
            reason = reason or (None if standing else why_too_weak(ballots, self.options))
            if reason is None:
                yield Group(messages, ballots)
            else:
                for ballot in ballots:
                    self.settle(ballot, [reason])

    def settle(self, ballot: Ballot, fates: Sequence[str | None], *, otherwise: str = "") -> None:
        """Count a vote once: exported if any of its rows was (fate None), else dropped under its first reason.

        `otherwise`: its reason when nothing was made of it.
        """
        is_exported = None in fates
        if ballot.annotation.kind == "adjudication":
            self.accounting.adjudications_exported += is_exported
        elif is_exported:
            self.accounting.votes_exported += 1
        else:
            self.accounting.drop(next(filter(None, fates), otherwise))

    def why_no_response(self, response: ResponseRecord) -> str | None:
        """The reason why a clean response cannot be written, or None."""
        reason = why_not_carried(response.content, self.carrier.in_responses, self.carrier)
        if reason or not response.content:
            return reason or "empty_response"
        template = self.carrier.template
        return "response_in_template" if template and text_of(response.content) in template else None

    def why_no_pair(self, chosen: ResponseRecord, rejected: ResponseRecord) -> str | None:
        """The reason why these two clean responses cannot be set against each other, or None."""
        reason = self.why_no_response(chosen) or self.why_no_response(rejected)
        return reason or ("identical_responses" if same_content(chosen, rejected) else None)

    def _why_no_vote(self, annotation: AnnotationRecord) -> str | None:
        return why_no_vote(annotation, list(self.responses), self.options, least=self.least)

    def _ballot(self, annotation: AnnotationRecord) -> Ballot:
        return ballot_of(annotation, list(self.responses), self.options.ranking_pairs)

    def _standing(self) -> AnnotationRecord | None:
        """The last adjudication that can be read, if any."""
        finals = (each for each in reversed(self.prompt.annotations) if each.kind == "adjudication")
        return next((each for each in finals if self._why_no_vote(each) in STAND_ANYWAY), None)
