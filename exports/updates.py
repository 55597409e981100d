"""Tasks that a file brings again: what may still change of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import orjson

from annotate.models import Assignment, Prompt, Response, Task
from exports.media_desk import MediaDesk
from exports.records import Message, Part, TaskRecord


def started_among(tasks: Sequence[int]) -> dict[int, bytes]:
    """Return the content digest of each of the tasks that somebody has begun or judged."""
    started = set(Assignment.objects.filter(task__in=tasks).values_list("task_id", flat=True))
    contexts = dict(Task.objects.filter(pk__in=started).values_list("pk", "context"))
    prompts: dict[int, list[list[Any]]] = {pk: [] for pk in contexts}
    responses: dict[int, list[list[Any]]] = {}
    for pk, task, name, content in Prompt.objects.filter(task__in=started).values_list(
        "pk", "task_id", "external_id", "content"
    ):
        prompts[task].append([name, content, responses.setdefault(pk, [])])
    for prompt, name, content in Response.objects.filter(prompt__task__in=started).values_list(
        "prompt_id", "external_id", "content"
    ):
        responses[prompt].append([name, content])
    return {pk: _digest([context, prompts[pk]]) for pk, context in contexts.items()}


def digest_of(record: TaskRecord, desk: MediaDesk, file: str) -> bytes:
    """Return what `started_among` returns of the task that the record would become."""
    context = stored_messages(record.context, desk, file)
    prompts = [
        [
            prompt.id,
            stored_content(prompt.content, desk, file),
            [[response.id, stored_content(response.content, desk, file)] for response in prompt.responses],
        ]
        for prompt in record.prompts
    ]
    return _digest([context, prompts])


def stored_messages(messages: Sequence[Message], desk: MediaDesk, file: str) -> list[dict[str, object]]:
    """Return the messages as they are stored."""
    return [{"role": message.role, "content": stored_content(message.content, desk, file)} for message in messages]


def stored_content(parts: Sequence[Part], desk: MediaDesk, file: str) -> list[dict[str, str]]:
    """Return the parts as they are stored: files by their SHA-256."""
    stored = []
    for part in parts:
        if part.type == "text":
            stored.append({"type": "text", "text": part.text or ""})
        else:
            named = {"name": part.name} if part.name else {}
            stored.append({"type": part.type, "asset": desk.sha256(part, file), **named})
    return stored


def _digest(value: object) -> bytes:
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).digest()
