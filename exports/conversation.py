"""The text that a trainer sees: cleaned content, and the conversation up to a judged turn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from msgspec.structs import replace

from exports.records import Message, Part, PartType, PromptRecord, ResponseRecord, Role, TaskRecord, has_media, text_of

ROLES: frozenset[str] = frozenset(get_args(Role))
NOTHING: frozenset[str] = frozenset()
MEDIA: frozenset[str] = frozenset(get_args(PartType)) - {"text"}
PLACEHOLDERS = ("<image>", "<video>", "<audio>")
"""What some trainers take for a picture, a film or a sound wherever it stands in a text."""


@dataclass(frozen=True)
class Carrier:
    """What a format can carry: votes on anything else are dropped with a reason.

    `roles`: those of messages. `in_messages`, `in_responses`: kinds of media beside text. `not_in_text`: strings that
    no text may hold. `alternating`: user and assistant must take turns, after one system message at most.
    `only_media`: a conversation must hold media. `template`: no response may be a piece of this text.
    """

    roles: frozenset[str] = ROLES
    in_messages: frozenset[str] = NOTHING
    in_responses: frozenset[str] = NOTHING
    not_in_text: tuple[str, ...] = ()
    alternating: bool = False
    only_media: bool = False
    template: str = ""


TEXT = Carrier()
EVERYTHING = Carrier(in_messages=MEDIA, in_responses=MEDIA)


def clean_text(text: str) -> str:
    """NFC with line feeds as the only line ends, so that equal texts are equal bytes."""
    if text.isascii() and "\r" not in text:
        return text
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


def clean_parts(parts: Sequence[Part]) -> list[Part]:
    """The same content in clean text. Inner and outer spaces of a prompt stay."""
    return [_with_text(part, clean_text(part.text or "")) if part.type == "text" else part for part in parts]


def _with_text(part: Part, text: str) -> Part:
    """The part itself where nothing changes: making another one takes longer than cleaning."""
    return part if part.text == text else replace(part, text=text)


def clean_response(response: ResponseRecord) -> ResponseRecord:
    """The response in clean text without outer white space; text parts that are empty then are left out.

    Trainers look a response up in a rendered template that strips it: outer white space makes them miss it.
    """
    if len(response.content) == 1 and (text := response.content[0].text):
        content = [_with_text(response.content[0], clean_text(text).strip())]
        return response if content[0] is response.content[0] else _with_content(response, content)
    cleaned = [_with_text(part, part.text.strip()) if part.text else part for part in clean_parts(response.content)]
    return _with_content(response, cleaned)


def _with_content(response: ResponseRecord, parts: list[Part]) -> ResponseRecord:
    return replace(response, content=[part for part in parts if part.type != "text" or part.text])


def same_content(first: ResponseRecord, second: ResponseRecord) -> bool:
    """Whether two clean responses say and show the same."""
    return _content_key(first) == _content_key(second)


def _content_key(response: ResponseRecord) -> tuple[object, ...]:
    media = tuple((part.type, part.asset or part.path) for part in response.content if part.type != "text")
    return text_of(response.content), media


def path_to(task: TaskRecord, turn: int, annotator: str, *, adjudicated: bool = False) -> tuple[str, ...] | None:
    """The response ids on which the conversation went on before the prompt number `turn` (from 0).

    Of each earlier prompt: the response marked `continues`, else the annotator's own winner; when `adjudicated` the
    winner of the last adjudication before that. None where none is known, because then nobody can say what they read.
    """
    steps: list[str] = []
    for prompt in task.prompts[:turn]:
        step = next((response.id for response in prompt.responses if response.continues), None)
        step = step or (_winner_of(prompt, None) if adjudicated else None) or _winner_of(prompt, annotator)
        if step is None:
            return None
        steps.append(step)
    return tuple(steps)


def _winner_of(prompt: PromptRecord, annotator: str | None) -> str | None:
    """The winner that this annotator named last, or for None that of the last adjudication."""
    known = {response.id for response in prompt.responses}
    for annotation in reversed(prompt.annotations):
        is_theirs = annotation.annotator == annotator and annotation.kind == "annotation"
        is_asked_for = annotation.kind == "adjudication" if annotator is None else is_theirs
        if is_asked_for and annotation.outcome == "winner":
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


def why_unusable(messages: Sequence[Message], carrier: Carrier = TEXT) -> str | None:
    """The reason why no row can be made of this conversation, or None."""
    if not messages:
        return "empty_prompt"
    last = messages[-1]
    if last.role not in ("user", "tool"):
        return "context_not_ending_in_user"
    if not has_media(last.content) and not text_of(last.content).strip():
        return "empty_prompt"
    for message in messages:
        if reason := why_not_carried(message.content, carrier.in_messages, carrier):
            return reason
    if any(message.role not in carrier.roles for message in messages):
        return "role_not_in_format"
    if carrier.only_media and not any(has_media(message.content) for message in messages):
        return "no_media"
    return "roles_not_alternating" if carrier.alternating and not _alternate(messages) else None


def why_not_carried(parts: Sequence[Part], kinds: frozenset[str], carrier: Carrier) -> str | None:
    """The reason why content cannot stand where media of these `kinds` can, or None."""
    for part in parts:
        if part.type != "text" and part.type not in kinds:
            return "media_kind_not_in_format" if kinds else "media_in_text_format"
    for part in parts:
        text = part.text or ""
        if carrier.not_in_text and any(string in text for string in carrier.not_in_text):
            return "placeholder_in_text"
        if not text.isascii() and _is_broken(text):
            return "broken_text"
    return None


def _is_broken(text: str) -> bool:
    """Whether half of a surrogate pair is in it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _alternate(messages: Sequence[Message]) -> bool:
    said = [message.role for message in messages]
    said = said[1:] if said[0] == "system" else said
    return all(role == ("assistant" if index % 2 else "user") for index, role in enumerate(said))
