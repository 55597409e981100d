"""Real public files, read whole with their counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports import formats
from exports.bundle import open_bundle
from exports.formats.base import FormatError
from exports.formats.setup import Setup
from exports.problems import ProblemList
from exports.records import TaskRecord
from tests.unit.exports.formats.public import DATA, needs_data, texts, votes


def read_file(
    path: Path, name: str = "", mapping: dict[str, str] | None = None
) -> tuple[list[TaskRecord], ProblemList]:
    with open_bundle(path) as bundle:
        problems = bundle.problem_list()
        format_ = formats.get(name) if name else formats.choose(row for _, row in bundle.good_rows(problems))
        records = format_.read(bundle.good_rows(problems), bundle.file, problems, Setup(mapping=mapping or {}))
        return [record for _, record in records], problems


@needs_data
def test_llmbar_whole() -> None:
    records, problems = read_file(DATA / "llmbar" / "natural.json")
    labels = [row["label"] for row in json.loads((DATA / "llmbar" / "natural.json").read_text())]
    assert (len(records), len(problems)) == (100, 0)
    assert ["ab".index(votes(record)[0][2] or "") + 1 for record in records] == labels
    assert len({record.id for record in records}) == 100


@needs_data
def test_image_reward_whole() -> None:
    records, problems = read_file(DATA / "imagereward" / "test.json")
    rows = json.loads((DATA / "imagereward" / "test.json").read_text())
    assert (len(records), len(problems)) == (466, 0)
    assert [len(record.prompts[0].responses) for record in records] == [len(row["generations"]) for row in rows]
    ties = [record for record in records if any(len(g) > 1 for g in record.prompts[0].annotations[0].ranking)]
    assert len(ties) == 349


@needs_data
def test_mt_bench_questions_whole_with_the_answers_beside_them(tmp_path: Path) -> None:
    import zipfile

    folder = DATA / "mt-bench"
    questions, problems = read_file(folder / "question.jsonl")
    assert (len(questions), {len(record.prompts) for record in questions}, len(problems)) == (80, {2}, 0)
    records, problems = read_file(folder / "reference_answer.jsonl")
    assert (records, len(problems)) == ([], 30)
    assert "put both files into one zip" in str(next(iter(problems)))
    with zipfile.ZipFile(tmp_path / "both.zip", "w") as archive:
        for name in ("question.jsonl", "reference_answer.jsonl"):
            archive.write(folder / name, name)
    records, problems = read_file(tmp_path / "both.zip")
    assert (len(records), len(problems)) == (80, 0)
    assert sum(bool(record.prompts[0].responses) for record in records) == 30


@needs_data
def test_llmfao_pairs_are_read_with_the_proposed_meanings() -> None:
    path = DATA / "llmfao" / "pairs-crowd.jsonl"
    with pytest.raises(FormatError):
        read_file(path)
    with open_bundle(path) as bundle:
        rows = [row for _, row in bundle.good_rows(ProblemList())]
    mapping = {column.key: column.proposed for column in formats.get("columns").mappable(rows)}
    assert {key: mapping[key] for key in ("id", "text", "result_x", "result_y", "model_x", "model_y")} == {
        "id": "id",
        "text": "prompt",
        "result_x": "response:1",
        "result_y": "response:2",
        "model_x": "model:1",
        "model_y": "model:2",
    }
    records, problems = read_file(path, "columns", mapping)
    assert (len(records), len(problems)) == (len(rows), 0)
    assert [texts(record) for record in records[:50]] == [[row["result_x"], row["result_y"]] for row in rows[:50]]  # type: ignore[index]
