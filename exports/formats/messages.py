"""Lists of `{"role", "content"}` with text contents, which several formats share: checked, read and written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from exports.formats.base import RowReader
from exports.records import Message, Part, Role, text_of
from exports.strict_json import join

NAMES: Mapping[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
"""Role by the name that a format gives it. Of several names of one role the first is written."""


def check_messages(
    value: object,
    path: str,
    reader: RowReader,
    *,
    names: Mapping[str, Role] = NAMES,
    ignored: Collection[str] = (),
    expected: str = "a list of messages",
) -> None:
    """Report everything that keeps `value` from being messages, at least one. `ignored`: keys that say nothing."""
    if not isinstance(value, list) or not value:
        reader.unexpected(path, value, expected)
        return
    for index, message in enumerate(value):
        check_message(message, f"{path}[{index}]", reader, names=names, ignored=ignored)


def check_message(
    message: object,
    path: str,
    reader: RowReader,
    *,
    names: Mapping[str, Role] = NAMES,
    ignored: Collection[str] = (),
) -> None:
    """Report everything that keeps `message` from being one message of text."""
    if not isinstance(message, dict):
        reader.unexpected(path, message, "an object with role and content")
        return
    for key in message:
        if key not in ("role", "content", *ignored):
            reader.problem(join(path, key), "an unknown key", "only the keys role and content")
    role, content = message.get("role"), message.get("content")
    if not isinstance(role, str) or role not in names:
        reader.unexpected(f"{path}.role", role, "one of " + ", ".join(names))
    if not isinstance(content, str):
        hint = " (blocks of images and text cannot be read in this format)" if isinstance(content, list) else ""
        reader.unexpected(f"{path}.content", content, f"text{hint}")


def check_ends_with_question(
    messages: Sequence[dict[str, str]], path: str, reader: RowReader, *, names: Mapping[str, Role] = NAMES
) -> None:
    """Report messages, checked before, whose last one cannot be answered."""
    last = messages[-1]["role"]
    allowed = [name for name, role in names.items() if role in ("user", "tool")]
    if last not in allowed:
        place = f"{path}[{len(messages) - 1}].role"
        reader.problem(place, f'"{last}" as the last role', f"{' or '.join(allowed)} at the end")


def check_is_answer(messages: Sequence[dict[str, str]], path: str, reader: RowReader) -> None:
    """Report messages, checked before, that are not one message of the assistant."""
    roles = [message["role"] for message in messages]
    if roles != ["assistant"]:
        reader.problem(path, f"messages of {', '.join(roles)}", "one message of the assistant")


def conversation_of(
    messages: Sequence[dict[str, str]], names: Mapping[str, Role] = NAMES
) -> tuple[list[Message], list[Part]]:
    """The context and the content of the prompt that checked `messages` make.

    After a tool's result there is no user message to show as the prompt: its content is empty then.
    """
    context = [Message(role=names[message["role"]], content=[Part.of_text(message["content"])]) for message in messages]
    return (context, []) if context[-1].role == "tool" else (context[:-1], context[-1].content)


def said(role: Role, content: Sequence[Part], names: Mapping[str, Role] = NAMES) -> dict[str, str]:
    """One message."""
    name = role if names is NAMES else next(name for name, meant in names.items() if meant == role)
    return {"role": name, "content": text_of(content)}


def messages_of(messages: Sequence[Message], names: Mapping[str, Role] = NAMES) -> list[dict[str, str]]:
    """The messages as they are written."""
    return [said(message.role, message.content, names) for message in messages]


def prompt_of(value: object, path: str, reader: RowReader) -> tuple[list[Message], list[Part]] | None:
    """The context and the prompt of a column that holds messages or one text, or None with its problems reported."""
    if isinstance(value, str):
        if not value.strip():
            reader.unexpected(path, value, "text that is not blank")
            return None
        return [], [Part.of_text(value)]
    check_messages(value, path, reader, expected="a list of messages, or text")
    if reader.failed or not isinstance(value, list):
        return None
    check_ends_with_question(value, path, reader)
    return None if reader.failed else conversation_of(value)
