from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from exports.formats import get
from exports.problems import ProblemList
from exports.records import text_of
from tests.llmfao import pairs_as_records, votes
from tests.unit.exports.samples import REAL_DATA, REPOSITORY

PAIRS, VOTES = REAL_DATA / "llmfao" / "pairs-crowd.jsonl", REAL_DATA / "llmfao" / "crowd-comparisons.csv"
pytestmark = pytest.mark.skipif(not PAIRS.exists(), reason=f"real data not at {REAL_DATA} (set TIEBREAK_REAL_DATA)")


def test_pairs_are_records_with_blank_responses_kept() -> None:
    records = list(pairs_as_records(PAIRS))
    responses = [record.prompts[0].responses for record in records]
    assert (len(records), len({record.id for record in records})) == (2139, 2139)
    assert {tuple(each.id for each in pair) for pair in responses} == {("x", "y")}
    assert all(len(each.content) == 1 for pair in responses for each in pair)
    assert sum(any(not text_of(each.content).strip() for each in pair) for pair in responses) == 289


def test_votes_name_a_response_of_their_pair() -> None:
    all_votes = votes(VOTES)
    assert Counter(vote.winner for vote in all_votes) == {"tie": 3471, "x": 2911, "y": 2549}
    assert {vote.pair for vote in all_votes} == {record.id for record in pairs_as_records(PAIRS)}
    assert len({(vote.pair, vote.worker) for vote in all_votes}) == len(all_votes) == 8931


def test_left_is_model_x_and_right_model_y() -> None:
    with VOTES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        names[row["model_x"]].add(row["left"])
        names[row["model_y"]].add(row["right"])
    assert {len(each) for each in names.values()} == {1}
    assert len({name for each in names.values() for name in each}) == len(names) == 59
    models = {
        record.id: tuple(each.model for each in record.prompts[0].responses) for record in pairs_as_records(PAIRS)
    }
    assert all(models[row["id"]] == (row["model_x"], row["model_y"]) for row in rows)


def test_command_writes_an_import_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.llmfao", str(PAIRS)]
    lines = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True).stdout.decode().split("\n")
    problems = ProblemList()
    rows = [(number, json.loads(line)) for number, line in enumerate(lines, 1) if line]
    read = [record for _, record in get("tiebreak").read(rows, "tasks.jsonl", problems)]
    assert (list(problems), read) == ([], list(pairs_as_records(PAIRS)))
