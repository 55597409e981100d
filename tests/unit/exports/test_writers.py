from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pytest

from exports.writers import TOGETHER, ShardWriter, WrittenFile, sha256_of, write_manifest


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_shard_is_json_lines_in_utf8(tmp_path: Path) -> None:
    with ShardWriter(tmp_path, "a.jsonl") as shard:
        assert names(tmp_path) == ["a.jsonl.part"]
        shard.write({"b": "é\u2028\n", "a": 1.5})
        shard.write({})
    data = '{"b":"é\u2028\\n","a":1.5}\n{}\n'.encode()
    assert (tmp_path / "a.jsonl").read_bytes() == data
    assert shard.written == WrittenFile("a.jsonl", hashlib.sha256(data).hexdigest(), 2, len(data))
    assert sha256_of(tmp_path / "a.jsonl") == shard.written.sha256
    assert names(tmp_path) == ["a.jsonl"]


def test_failure_leaves_no_file(tmp_path: Path) -> None:
    shard = ShardWriter(tmp_path, "a.jsonl")
    with pytest.raises(KeyError):
        _fail_while_writing(shard)
    assert names(tmp_path) == []
    with pytest.raises(ValueError, match="not finished"):
        _ = shard.written


def _fail_while_writing(shard: ShardWriter) -> None:
    with shard:
        shard.write({"a": 1})
        raise KeyError


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_row_that_no_trainer_can_read_is_an_error_and_leaves_no_file(tmp_path: Path, value: object) -> None:
    with pytest.raises(ValueError, match=r"JSON compliant|surrogates"), ShardWriter(tmp_path, "a.jsonl") as shard:
        shard.write({"a": value})
    assert names(tmp_path) == []


def test_full_disk_while_syncing_leaves_the_earlier_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_text("before")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"), ShardWriter(tmp_path, "a.jsonl") as shard:
        shard.write({"a": 1})
    assert names(tmp_path) == ["a.jsonl"]
    assert (tmp_path / "a.jsonl").read_text() == "before"


def test_many_lines_are_written_together_and_counted_one_by_one(tmp_path: Path) -> None:
    with ShardWriter(tmp_path, "a.jsonl") as shard:
        for _ in range(5):
            shard.write({"a": "x" * (TOGETHER // 2)})
    data = (tmp_path / "a.jsonl").read_bytes()
    assert (shard.written.rows, shard.written.bytes) == (5, len(data))
    assert data.count(b"\n") == 5
    assert sha256_of(tmp_path / "a.jsonl") == shard.written.sha256


@pytest.mark.parametrize("name", ["../a", "/a", "a/b", "", "C:a", "a\\b", "a\0"])
def test_name_with_a_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="Cannot write"):
        ShardWriter(tmp_path, name)


def test_write_outside_a_with_block_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="with"):
        ShardWriter(tmp_path, "a.jsonl").write({})


def test_manifest_has_the_same_bytes_in_any_key_order(tmp_path: Path) -> None:
    first = write_manifest(tmp_path, {"b": {"z": 1, "y": "é"}, "a": []})
    data = (tmp_path / "manifest.json").read_bytes()
    assert data == '{\n  "a": [],\n  "b": {\n    "y": "é",\n    "z": 1\n  }\n}\n'.encode()
    assert write_manifest(tmp_path, {"a": [], "b": {"y": "é", "z": 1}}) == first
