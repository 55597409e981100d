"""Tasks from folders of Markdown files.

A folder `texts/<task id>` holds one file per text: `context-<n>-<role>.md` for the messages before the first prompt,
then for each prompt `<prompt id>-prompt.md`, `<prompt id>-<response id>.md` and, for those who judged it,
`<prompt id>-why-<username>.md`. Ids are `p1`, `p2` … and `r1`, `r2` …
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from exports.records import Message, Part, PromptRecord, ResponseRecord, Role, TaskRecord

TEXTS = Path(__file__).with_name("texts")


def read_text(folder: str, name: str) -> str:
    """The text of one file without its last line break. Raises `FileNotFoundError`."""
    return (TEXTS / folder / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def task(
    task_id: str,
    *models: Sequence[str],
    media: Mapping[str, Sequence[Part]] | None = None,
    continues: Mapping[str, str] | None = None,
    topic: str,
    **more: Any,
) -> TaskRecord:
    """The task in the folder `task_id`.

    `models`: for each prompt the names of the models in the order of the responses, which also says how many there
    are. `media`: parts that come after the text of a file, or stand in for a missing one, by name of the file without
    ending. `continues`: for a prompt id, the response that the conversation went on with.
    """
    prompts = [
        _prompt(task_id, f"p{number}", names, media or {}, (continues or {}).get(f"p{number}"))
        for number, names in enumerate(models, start=1)
    ]
    return TaskRecord(id=task_id, context=_context(task_id), prompts=prompts, metadata={"topic": topic}, **more)


def _context(task_id: str) -> list[Message]:
    messages = []
    for path in sorted((TEXTS / task_id).glob("context-*.md")):
        role = cast(Role, path.stem.rsplit("-", 1)[1])
        messages.append(Message(role=role, content=[Part.of_text(read_text(task_id, path.stem))]))
    return messages


def _prompt(
    task_id: str, prompt_id: str, models: Sequence[str], media: Mapping[str, Sequence[Part]], continues: str | None
) -> PromptRecord:
    responses = [
        ResponseRecord(
            id=f"r{number}",
            content=_content(task_id, f"{prompt_id}-r{number}", media),
            model=model,
            continues=f"r{number}" == continues,
        )
        for number, model in enumerate(models, start=1)
    ]
    return PromptRecord(id=prompt_id, content=_content(task_id, f"{prompt_id}-prompt", media), responses=responses)


def _content(task_id: str, name: str, media: Mapping[str, Sequence[Part]]) -> list[Part]:
    parts = list(media.get(name, ()))
    if parts and not (TEXTS / task_id / f"{name}.md").exists():
        return parts
    return [Part.of_text(read_text(task_id, name)), *parts]
