"""Which part of a dataset a task belongs to: decided by its text alone, so that no prompt is in two of them."""

from __future__ import annotations

import hashlib
import unicodedata

from exports.options import FileOptions
from exports.records import Part, TaskRecord

TRAIN, VALIDATION, TEST = SPLITS = ("train", "validation", "test")


def splits_of(options: FileOptions) -> tuple[str, ...]:
    """The splits that there are, in order."""
    wanted = {VALIDATION: options.validation > 0, TEST: options.test > 0}
    return (TRAIN, *(name for name, is_wanted in wanted.items() if is_wanted))


def split_of(task: TaskRecord, options: FileOptions) -> str:
    """The split of all rows of `task`: every turn of a conversation, and every task with the same beginning.

    The first 8 bytes of SHA-256 over the seed and the text of the context and the first prompt, as a number from 0 to
    1: below `test` it is the test split, below `test + validation` the validation split. Two texts that differ in white
    space, letter case or Unicode form count as the same.
    """
    if not (options.validation or options.test):
        return TRAIN
    digest = hashlib.sha256(f"{options.seed}\0{beginning_of(task)}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") / (1 << 64)
    if place < options.test:
        return TEST
    return VALIDATION if place < options.test + options.validation else TRAIN


def beginning_of(task: TaskRecord) -> str:
    """The conversation up to the first judged prompt, in a form in which equal ones are equal."""
    said = [(message.role, message.content) for message in task.context]
    if task.prompts:
        said.append(("user", task.prompts[0].content))
    return "\x1e".join(f"{role}\x1f{_normalised(parts)}" for role, parts in said)


def _normalised(parts: list[Part]) -> str:
    texts = [part.text if part.type == "text" else part.asset or part.path for part in parts]
    return " ".join(" ".join(unicodedata.normalize("NFKC", text or "").casefold().split()) for text in texts)
