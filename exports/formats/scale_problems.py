"""What Scale's helper functions and SDK would refuse in a task, or give a wrong answer for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

KINDS = {
    "integer": int,
    "text": str,
    "category": str,
    "category_multiple": list,
    "ranked_groups": list,
    "boolean": bool,
}


def task_problems(row: dict[str, Any]) -> Iterator[str]:
    """Sentences about the threads of one task, detailed or terse."""
    threads = row.get("threads")
    if not isinstance(threads, list) or len(threads) != 1 or not isinstance(threads[0], dict):
        yield "threads must be a list of one thread: the helper functions read the first one alone."
        return
    turns = threads[0].get("turns") or []
    if not turns:
        yield "threads[0].turns is empty."
    if len({turn.get("id") for turn in turns}) < len(turns):
        yield "Two turns have the same id."
    for index, turn in enumerate(turns):
        yield from (f"threads[0].turns[{index}]: {problem}" for problem in _turn_problems(turn))


def _turn_problems(turn: dict[str, Any]) -> Iterator[str]:
    messages = turn.get("messages") or []
    roles = [message.get("role") for message in messages]
    if roles.count("user") != 1:
        yield "there must be exactly one user message."
    if "assistant" not in roles:
        yield "there must be a response at least."
    if not set(roles) <= {"system", "user", "assistant"}:
        yield "a role is none of system, user and assistant."
    sources = [message.get("source_id") for message in messages if message.get("role") == "assistant"]
    if len(set(sources)) < len(sources):
        yield "two responses have the same source_id."
    if any(str(source).lower() == "user" for source in sources):
        yield "a response has the source_id of the user."
    for message in messages:
        if not isinstance((message.get("content") or {}).get("text"), str):
            yield "the content of a message has no text."
        yield from _annotation_problems(message.get("annotations"))
    yield from _annotation_problems(turn.get("annotations"))
    for annotation in turn.get("annotations") or ():
        if annotation.get("key") == "selected_model_id" and annotation.get("value") not in sources:
            yield "selected_model_id names none of the responses."


def _annotation_problems(annotations: object) -> Iterator[str]:
    if not isinstance(annotations, list):
        yield "annotations must be a list."
        return
    for annotation in annotations:
        key, value, kind = annotation.get("key"), annotation.get("value"), annotation.get("type")
        if not isinstance(key, str) or not key:
            yield "an annotation has no key."
        if kind is None and set(annotation) == {"key", "value"}:
            continue
        if kind not in KINDS or not isinstance(annotation.get("id"), str):
            yield f"the annotation {key} needs an id and a type that Scale knows."
        elif not isinstance(value, KINDS[kind]) or (kind == "integer" and isinstance(value, bool)):
            yield f"the value of the annotation {key} is not of the type {kind}."
        possible = annotation.get("possible_values")
        if possible and kind in ("integer", "category") and value not in possible:
            yield f"the value of the annotation {key} is none of the possible ones."
