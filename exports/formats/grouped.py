"""Preferences by prompt: one row per prompt with all pairs of chosen and rejected texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import MARGINS, PAIRS, PUBLIC, Format, RowReader
from exports.formats.messages import messages_of, prompt_of
from exports.formats.pair_rows import MOST, SIDES, Frame, cells_of, has_columns, shuffled
from exports.options import ExportOptions
from exports.pairs import Pair, pairs_of
from exports.records import AnnotationRecord, TaskRecord, text_of

NEEDED = ("prompt", "pairs")
COLUMNS = (*NEEDED, "margins")


class Grouped(Format):
    """A row has the pairs of all votes on one prompt, and their `margins` in the same order when asked for.

    Where people went on with different responses of an earlier prompt, each conversation is a row. Reading makes a
    row a task whose responses are its different texts, and each pair a vote by an imported annotator `pair-<n>`.
    """

    name = "grouped"
    label = gettext_noop("Pairs by prompt")
    description = gettext_noop(
        "One row per prompt with all its pairs of chosen and rejected texts. Keeps what belongs together."
    )
    group = PUBLIC
    consumer = gettext_noop("I train with all pairs of a prompt in one batch")
    carries = gettext_noop("All pairs of a prompt in one row, and their margins if wanted.")
    leaves_out = gettext_noop("Annotators, ties, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("prompt and pairs")
    can_read = True
    can_write = True
    needs = frozenset({"rewrites"})
    uses = PAIRS | MARGINS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        row = cells_of(row, "pairs", "margins")
        if not has_columns(row, reader, NEEDED):
            return None
        pairs = _pairs(row["pairs"], reader)
        margins = [] if reader.failed else _margins(row.get("margins") or None, len(pairs), reader)
        conversation = prompt_of(row["prompt"], "prompt", reader)
        texts = [] if reader.failed else list(dict.fromkeys(text for pair in pairs for text in pair))
        if len(texts) > MOST:
            reader.problem("pairs", f"{len(texts)} different texts", f"at most {MOST}")
        frame = Frame.of(row, reader, columns=COLUMNS, one_vote=False)
        if frame is None or conversation is None:
            return None
        if any(margin < 1 or margin != int(margin) for margin in margins):
            frame.metadata["margins"], margins = margins, []
        responses, ids = shuffled(texts)
        names = dict(zip(texts, ids, strict=True))
        steps: list[int | None] = [int(margin) for margin in margins] or [None] * len(pairs)
        votes = [
            _vote(number, names[chosen], names[rejected], margin)
            for number, ((chosen, rejected), margin) in enumerate(
                zip(pairs, steps or [None] * len(pairs), strict=True), 1
            )
        ]
        return frame.task(*conversation, responses, votes)

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        pairs = pairs_of(record, options, accounting, self.carrier)
        for _, of_prompt in groupby(pairs, key=lambda pair: (pair.task, pair.prompt)):
            for group in _by_conversation(of_prompt):
                row: dict[str, Any] = {
                    "prompt": messages_of(group[0].messages),
                    "pairs": [[text_of(pair.chosen.content), text_of(pair.rejected.content)] for pair in group],
                }
                is_signed = options.margin == "signed"
                margins = [pair.signed_margin if is_signed else pair.margin for pair in group]
                yield row if options.margin == "none" else row | {"margins": margins}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.messages(row, "prompt")
        pairs = row.get("pairs")
        if not isinstance(pairs, list) or not pairs:
            yield "pairs must be a list that is not empty."
            return
        for index, pair in enumerate(pairs):
            sides = dict(zip(SIDES, pair, strict=False)) if isinstance(pair, list) else {}
            found = (*proof.answers(sides, *SIDES), *proof.differ(sides, *SIDES))
            yield from (f"pairs[{index}]: {problem}" for problem in found)
        if "margins" in row:
            margins = row["margins"] if isinstance(row["margins"], list) else []
            if len(margins) != len(pairs):
                yield "margins must have one number for each pair."
            for margin in margins:
                yield from proof.margin({"margins": margin}, "margins", is_signed=True)

    def sniff(self, row: object) -> bool:
        row = cells_of(row, "pairs")
        return isinstance(row, dict) and "prompt" in row and isinstance(row.get("pairs"), list)


def _by_conversation(pairs: Iterable[Pair]) -> list[list[Pair]]:
    groups: dict[tuple[tuple[str, str], ...], list[Pair]] = {}
    for pair in pairs:
        said = tuple((message.role, text_of(message.content)) for message in pair.messages)
        groups.setdefault(said, []).append(pair)
    return list(groups.values())


def _vote(number: int, chosen: str, rejected: str, margin: int | None) -> AnnotationRecord:
    """A vote on these two alone: without a ranking the winner would stand before all other responses as well."""
    return AnnotationRecord(
        annotator=f"pair-{number}", outcome="winner", winner=chosen, margin=margin, ranking=[[chosen], [rejected]]
    )


def _pairs(value: object, reader: RowReader) -> Sequence[Sequence[str]]:
    if not isinstance(value, list) or not value:
        reader.unexpected("pairs", value, "a list of pairs [chosen, rejected]")
        return []
    for index, pair in enumerate(value):
        if not isinstance(pair, list) or len(pair) != len(SIDES):
            reader.unexpected(f"pairs[{index}]", pair, "a list of two texts, the chosen one first")
            continue
        for side, text in enumerate(pair):
            if not isinstance(text, str):
                reader.unexpected(f"pairs[{index}][{side}]", text, "text")
        if isinstance(pair[0], str) and pair[0] == pair[1]:
            reader.problem(f"pairs[{index}]", "the same text twice", "two texts that differ")
    return value


def _margins(value: object, count: int, reader: RowReader) -> list[float]:
    if value is None:
        return []
    if not isinstance(value, list):
        reader.unexpected("margins", value, "a list of numbers, one for each pair")
        return []
    if len(value) != count:
        reader.problem("margins", f"{len(value)} margins", f"{count}, one for each pair")
    for index, margin in enumerate(value):
        if isinstance(margin, bool) or not isinstance(margin, (int, float)) or margin < 0:
            reader.unexpected(f"margins[{index}]", margin, "a number, 0 or more")
            return []
    return value
