"""Rankings: one row per vote with the responses best first, where equal ranks are ties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from annotate.texts import gettext_noop
from exports.accounting import Accounting
from exports.formats import proof
from exports.formats.base import ANALYSE, MARGINS, VOTES, Format, RowReader
from exports.formats.messages import messages_of, prompt_of
from exports.formats.pair_rows import MOST, Frame, cells_of, has_columns, shuffled
from exports.options import ExportOptions
from exports.rankings import rankings_of
from exports.records import AnnotationRecord, TaskRecord, text_of

NEEDED = ("prompt", "responses")
COLUMNS = (*NEEDED, "ranks")


class Ranked(Format):
    """Each row is one vote: ranks go 1, 2, 3 …, and equal ones are a tie. A vote that only names a winner gives
    1, 2, 2 …; the options for pairs and for several annotators change nothing.

    Reading makes each row a task of its own with one imported ranking. Without `ranks` the order alone counts.
    """

    name = "ranked"
    label = gettext_noop("Rankings")
    description = gettext_noop(
        "One row per judgement with all responses, best first, and their ranks. Ties have equal ranks."
    )
    group = ANALYSE
    consumer = gettext_noop("I work with whole rankings")
    carries = gettext_noop("Every ranking of each annotator with its ties, and the margin of the best one if wanted.")
    leaves_out = gettext_noop("Votes that call all responses bad, ratings, reasons and media are left out.")
    recognised_by = gettext_noop("prompt, responses and ranks")
    can_read = True
    can_write = True
    uses = VOTES | MARGINS

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        row = cells_of(row, "responses", "ranks")
        if not has_columns(row, reader, NEEDED):
            return None
        texts = _texts(row["responses"], reader)
        ranks = [] if reader.failed else _ranks(row.get("ranks"), len(texts), reader)
        conversation = prompt_of(row["prompt"], "prompt", reader)
        frame = Frame.of(row, reader, columns=COLUMNS)
        if frame is None or conversation is None:
            return None
        responses, ids = shuffled(texts)
        vote = _vote(frame, ids, ranks)
        if vote.outcome == "tie" and vote.margin:
            reader.problem("margin", f"{vote.margin} with several best responses", "0, or no margin")
            return None
        return frame.task(*conversation, responses, [vote])

    def rows(self, record: TaskRecord, options: ExportOptions, accounting: Accounting) -> Iterator[dict[str, Any]]:
        for vote in rankings_of(record, options, accounting, self.carrier):
            row: dict[str, Any] = {
                "id": vote.id,
                "prompt": messages_of(vote.messages),
                "responses": [text_of(response.content) for group in vote.groups for response in group],
                "ranks": [rank for rank, group in enumerate(vote.groups, 1) for _ in group],
                "annotator": vote.annotator,
            }
            yield row if options.margin == "none" else row | {"margin": vote.margin}

    def problems_of(self, row: dict[str, Any]) -> Iterator[str]:
        yield from proof.messages(row, "prompt")
        yield from proof.named(row, "id", "annotator")
        yield from proof.margin(row)
        responses, ranks = row.get("responses"), row.get("ranks")
        texts = [each for each in responses if isinstance(each, str)] if isinstance(responses, list) else []
        if not isinstance(responses, list) or not 2 <= len(texts) == len(responses):
            yield "responses must be a list of two or more texts."
        elif not all(each.strip() for each in texts) or len(set(texts)) < len(texts):
            yield "responses must differ and must not be empty."
        elif not isinstance(ranks, list) or len(ranks) != len(responses):
            yield "ranks must have one number for each response."
        elif ranks != sorted(ranks) or ranks[0] != 1:
            yield "ranks must begin with 1 and never go down."

    def sniff(self, row: object) -> bool:
        row = cells_of(row, "responses", "ranks")
        if not isinstance(row, dict) or "prompt" not in row:
            return False
        return isinstance(row.get("responses"), list) and isinstance(row.get("ranks"), list)


def _vote(frame: Frame, ids: Sequence[str], ranks: Sequence[int]) -> AnnotationRecord:
    placed = list(zip(ids, ranks, strict=True))
    groups = [[key for key, rank in placed if rank == place] for place in sorted(set(ranks))]
    vote = msgspec.structs.replace(frame.vote(groups[0][0]), ranking=groups)
    return vote if len(groups[0]) == 1 else msgspec.structs.replace(vote, outcome="tie", winner=None)


def _texts(value: object, reader: RowReader) -> list[str]:
    if not isinstance(value, list):
        reader.unexpected("responses", value, "a list of texts, the best one first")
        return []
    if not 2 <= len(value) <= MOST:
        reader.problem("responses", f"{len(value)} responses", f"2 to {MOST}")
    for index, text in enumerate(value):
        if not isinstance(text, str):
            reader.unexpected(f"responses[{index}]", text, "text")
    return value


def _ranks(value: object, count: int, reader: RowReader) -> list[int]:
    if value is None:
        return list(range(1, count + 1))
    if not isinstance(value, list):
        reader.unexpected("ranks", value, "a list of whole numbers, one for each response")
        return []
    if len(value) != count:
        reader.problem("ranks", f"{len(value)} ranks", f"{count}, one for each response")
    for index, rank in enumerate(value):
        if isinstance(rank, bool) or not isinstance(rank, int) or rank < 1:
            reader.unexpected(f"ranks[{index}]", rank, "a whole number, 1 for the best")
            return []
        if index and rank < value[index - 1]:
            found = f"{rank} after {value[index - 1]}"
            reader.problem(f"ranks[{index}]", found, "ranks that never go down: the best response stands first")
    return value
