"""Real pairs and votes of LLMFAO (dustalov/llmfao, CC-BY-4.0), mapped to the neutral record. For tests and demos.

Run it to get an import file:  python -m tests.llmfao ../shared/data/llmfao/pairs-crowd.jsonl > tasks.jsonl

Which side is which response: in `crowd-comparisons.csv` the columns `left` and `right` hold model names and
`model_x`, `model_y` numbers. `left` is always `model_x`, and `right` always `model_y`. Evidence, over all 8,931 votes:
each of the 59 numbers goes with exactly one of the 59 names under this reading (under the opposite one a number goes
with up to 58 names); `model_x` and `model_y` equal those of the pair with the same `id` in `pairs-crowd.jsonl` in every
row; and votes with one blank response are won by the other side 460 times of 531 that are no tie. Each pair was shown
in one order only, and `model_x` is the smaller number in half of the rows.
`tests/unit/test_llmfao.py` checks the first two.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from exports.records import Part, PromptRecord, ResponseRecord, TaskRecord

SIDES: dict[str, Literal["x", "y", "tie"]] = {"left": "x", "right": "y", "tie": "tie"}


class Vote(NamedTuple):
    """`pair` is the external id of the task, `winner` the response id, or "tie"."""

    pair: str
    worker: str
    winner: Literal["x", "y", "tie"]


def pairs_as_records(path: Path) -> Iterator[TaskRecord]:
    """One task per line of `pairs-crowd.jsonl` with the responses `x` and `y`, texts as they are.

    289 of the 2,139 pairs have a blank response; it stays, as one text part.
    """
    with path.open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            responses = [
                ResponseRecord(id=side, content=[Part.of_text(row[f"result_{side}"])], model=str(row[f"model_{side}"]))
                for side in ("x", "y")
            ]
            prompt = PromptRecord(id="1", content=[Part.of_text(row["text"])], responses=responses)
            metadata = {"prompt": row["prompt"], "slug": row["slug"], "type": row["type"]}
            yield TaskRecord(id=str(row["id"]), prompts=[prompt], metadata=metadata)


def votes(path: Path) -> list[Vote]:
    """The 8,931 votes of `crowd-comparisons.csv` in the order of the file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Vote(row["id"], row["worker"], SIDES[row["winner"]]) for row in csv.DictReader(file)]


def main() -> None:
    """Write the pairs of the file named on the command line to standard output, in the `tiebreak` format."""
    for record in pairs_as_records(Path(sys.argv[1])):
        sys.stdout.write(json.dumps(msgspec.to_builtins(record), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
