"""Dataloop's own SDK on what the dataloop format writes."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exports.formats import get
from tests.unit.exports.consumers.project import PICTURE, PICTURES, rows

SCRIPT = Path(__file__).with_name("load_with_dtlpy.py")


def loaded(row: dict[str, Any], folder: Path) -> Any:
    """What the SDK makes of the file, without a network and with a home of its own."""
    if importlib.util.find_spec("dtlpy") is None:
        pytest.skip("dtlpy is not installed")
    file = folder / get("dataloop").file_name(row)
    file.write_text(json.dumps(row), encoding="utf-8")
    environment = os.environ | {"HOME": str(folder), "USERPROFILE": str(folder), "DATALOOP_PATH": str(folder)}
    done = subprocess.run([sys.executable, SCRIPT, file], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_sdk_reads_prompts_media_roles_and_our_judgements(tmp_path: Path) -> None:
    (row,) = rows("dataloop", PICTURES[1:])
    system, asked = loaded(row, tmp_path)["prompts"]
    assert (system["key"], system["metadata"]["role"]) == ("context-1", "system")
    assert asked["elements"] == [
        {"mimetype": "image/*", "value": PICTURE},
        {"mimetype": "application/text", "value": "What is this?"},
    ]
    (judgement,) = asked["metadata"]["tiebreak"]["judgements"]
    assert (judgement["outcome"], judgement["winner"], judgement["margin"]) == ("winner", "a", 3)


def test_what_the_sdk_writes_again_keeps_our_judgements(tmp_path: Path) -> None:
    row = rows("dataloop")[0]
    again = loaded(row, tmp_path)["again"]
    assert again["prompts"]["1"][-1]["value"]["tiebreak"] == row["prompts"]["1"][-1]["value"]["tiebreak"]


def test_responses_are_annotations_of_kinds_that_the_sdk_loads() -> None:
    row = rows("dataloop")[0]
    found = [
        (each["type"], each["coordinates"], each["metadata"]["system"]["promptId"], each["metadata"]["user"]["model"])
        for each in row["annotations"]
    ]
    assert found[:2] == [
        ("text", "On the river Seine.", "1", {"name": "m1"}),
        ("text", "In the north, I think.", "1", {"name": "m2"}),
    ]
    assert [each["name"] for *_, each in found[2:]] == ["m1", "m1#2", "m1#3"]


def test_files_are_named_by_the_task_and_never_alike() -> None:
    names = [get("dataloop").file_name({"metadata": {"user": {"tiebreak": {"task": each}}}}) for each in ("a/b", "a:b")]
    assert [name[:4] for name in names] == ["a-b-", "a-b-"]
    assert len(set(names)) == 2
