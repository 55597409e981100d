"""The text that a trainer sees: cleaned content, and the conversation up to a judged turn."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from typing import get_args

from msgspec.structs import replace

from exports.records import Message, Part, PromptRecord, ResponseRecord, Role, TaskRecord, has_media, text_of

ROLES: frozenset[str] = frozenset(get_args(Role))


def clean_text(text: str) -> str:
    """NFC with line feeds as the only line ends, so that equal texts are equal bytes."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


def clean_parts(parts: Sequence[Part]) -> list[Part]:
    """The same content in clean text. Inner and outer spaces of a prompt stay."""
    return [replace(part, text=clean_text(part.text or "")) if part.type == "text" else part for part in parts]


def clean_response(response: ResponseRecord) -> ResponseRecord:
    """The response in clean text without outer white space; text parts that are empty then are left out.

    Trainers look a response up in a rendered template that strips it: outer white space makes them miss it.
    """
    cleaned = (
        replace(part, text=(part.text or "").strip()) if part.text else part for part in clean_parts(response.content)
    )
    return replace(response, content=[part for part in cleaned if part.type != "text" or part.text])


def same_content(first: ResponseRecord, second: ResponseRecord) -> bool:
    """Whether two clean responses say and show the same."""
    return _content_key(first) == _content_key(second)


def _content_key(response: ResponseRecord) -> tuple[object, ...]:
    media = tuple((part.type, part.asset or part.path) for part in response.content if part.type != "text")
    return text_of(response.content), media


def path_to(task: TaskRecord, turn: int, annotator: str) -> tuple[str, ...] | None:
    """The response ids on which the conversation went on before the prompt number `turn` (from 0).

    Of each earlier prompt: the response marked `continues`, else the annotator's own winner. None where neither is
    known, because then nobody can say what the annotator read.
    """
    steps: list[str] = []
    for prompt in task.prompts[:turn]:
        step = next((response.id for response in prompt.responses if response.continues), None)
        step = step or _winner_of(prompt, annotator)
        if step is None:
            return None
        steps.append(step)
    return tuple(steps)


def _winner_of(prompt: PromptRecord, annotator: str) -> str | None:
    known = {response.id for response in prompt.responses}
    for annotation in reversed(prompt.annotations):
        if annotation.annotator == annotator and annotation.kind == "annotation" and annotation.outcome == "winner":
            return annotation.winner if annotation.winner in known else None
    return None


def messages_to(task: TaskRecord, turn: int, path: Sequence[str]) -> list[Message]:
    """The clean messages that the responses of prompt number `turn` answer, along the response ids of `path`."""
    messages = [replace(message, content=clean_parts(message.content)) for message in task.context]
    for prompt, step in zip(task.prompts[:turn], path, strict=True):
        messages += _question(prompt)
        answer = next(response for response in prompt.responses if response.id == step)
        messages.append(Message(role="assistant", content=clean_response(answer).content))
    return messages + _question(task.prompts[turn])


def _question(prompt: PromptRecord) -> list[Message]:
    return [Message(role="user", content=clean_parts(prompt.content))] if prompt.content else []


def why_unusable(messages: Sequence[Message], *, media: bool, roles: Collection[str] = ROLES) -> str | None:
    """The reason why no row can be made of this conversation, or None.

    `media`: the format carries media. `roles`: the roles that it carries.
    """
    if not messages:
        return "empty_prompt"
    last = messages[-1]
    if last.role not in ("user", "tool"):
        return "context_not_ending_in_user"
    if not has_media(last.content) and not text_of(last.content).strip():
        return "empty_prompt"
    if not media and any(has_media(message.content) for message in messages):
        return "media_in_text_format"
    if any(message.role not in roles for message in messages):
        return "role_not_in_format"
    return None
