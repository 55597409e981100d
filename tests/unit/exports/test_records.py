from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from exports.records import AnnotationRecord, Part, ReviewRecord, TaskRecord, has_media, text_of
from tests.unit.exports.samples import REPOSITORY, image, prompt, task, text, wins


def test_text_of_joins_text_parts_by_a_blank_line() -> None:
    assert text_of([*text("a"), *image(), *text("b")]) == "a\n\nb"
    assert text_of([]) == ""


def test_has_media_is_true_for_any_other_part() -> None:
    assert has_media([*text("a"), *image()])
    assert not has_media(text("a"))


def test_defaults_are_left_out() -> None:
    assert msgspec.to_builtins(task(prompt(wins("a")))) == {
        "id": "t",
        "prompts": [
            {
                "id": "p",
                "content": [{"type": "text", "text": "Question?"}],
                "responses": [
                    {"id": "a", "content": [{"type": "text", "text": "answer a"}]},
                    {"id": "b", "content": [{"type": "text", "text": "answer b"}]},
                ],
                "annotations": [{"annotator": "ann", "outcome": "winner", "winner": "a"}],
            }
        ],
    }


def test_records_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Part.of_text("a").text = "b"  # type: ignore[misc]


def test_defaults_are_not_shared() -> None:
    first, second = (TaskRecord(id=key, prompts=[]) for key in "ab")
    first.metadata["x"] = 1
    assert second.metadata == {}


def test_review_needs_a_time() -> None:
    with pytest.raises(TypeError, match="at"):
        ReviewRecord(reviewer="r", verdict="accept")  # type: ignore[call-arg]


def test_annotation_needs_an_outcome() -> None:
    with pytest.raises(msgspec.ValidationError, match="outcome"):
        msgspec.convert({"annotator": "a"}, AnnotationRecord)


def test_pure_modules_import_no_django() -> None:
    script = (
        "import sys, exports.formats, exports.pairs, exports.writers, exports.bundle;"
        "sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, check=False).returncode == 0
