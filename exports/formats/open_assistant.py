"""OpenAssistant conversation trees (LAION-AI/Open-Assistant): read only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, Row, RowReader
from exports.formats.foreign import ROLES, Answer, prompt, ranked_vote, responses_of, task, whole_number
from exports.formats.row_ids import row_digest, row_id
from exports.formats.setup import NO_SETUP, Setup
from exports.grouping import grouped
from exports.problems import ProblemList
from exports.records import AnnotationRecord, Message, Part, TaskRecord

KEPT = (
    "lang",
    "labels",
    "review_result",
    "review_count",
    "synthetic",
    "deleted",
    "message_id",
    "created_date",
    "emojis",
)


class OpenAssistant(Format):
    """A tree, or its messages one per row. Every message of a prompter with replies is a task; `rank` 0 is the best.

    Only replies that have a rank are in the imported ranking. A task whose replies have none has no judgement.
    """

    name = "open_assistant"
    label = gettext_noop("OpenAssistant trees")
    description = gettext_noop("Conversation trees with ranked replies, as trees or as single messages.")
    recognised_by = gettext_noop("message_tree_id with a prompt and its replies, or messages with parent_id")
    group = PUBLIC
    can_read = True

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        for group in grouped(rows, _tree_of):
            line = group[0][0]
            reader = RowReader(file, line, problems, setup)
            root = _root([row for _, row in group], reader)
            for record in _tasks(root, reader) if root is not None else ():
                yield line, record

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict):
            return False
        is_tree = "message_tree_id" in row and isinstance(row.get("prompt"), dict)
        return is_tree or {"message_id", "parent_id", "text", "role"} <= row.keys()


def _tree_of(row: Any) -> str:
    key = row.get("message_tree_id") if isinstance(row, dict) else None
    return key if isinstance(key, str) else row_digest(row)


def _root(rows: Sequence[object], reader: RowReader) -> dict[str, Any] | None:
    """The first message of the tree with its replies inside it, or None with its problems reported."""
    first = rows[0]
    if isinstance(first, dict) and isinstance(first.get("prompt"), dict):
        return first["prompt"]
    messages: dict[str, dict[str, Any]] = {}
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("message_id"), str):
            reader.unexpected("message_id", row, "a message with its id")
            return None
        messages[row["message_id"]] = {**row, "replies": []}
    roots: list[dict[str, Any]] = []
    for message in messages.values():
        parent = messages.get(message["parent_id"]) if isinstance(message.get("parent_id"), str) else None
        (parent["replies"] if parent is not None else roots).append(message)
    if len(roots) != 1:
        reader.problem(
            "parent_id", f"{len(roots)} messages without their parent in the file", "one tree whose root has none"
        )
        return None
    return roots[0]


def _tasks(root: dict[str, Any], reader: RowReader) -> Iterator[TaskRecord]:
    """A task for each message of a prompter with replies. Goes down the tree without recursion."""
    waiting: list[tuple[dict[str, Any], list[Message]]] = [(root, [])]
    while waiting:
        message, before = waiting.pop()
        said = _said(message, reader)
        replies = message.get("replies") or []
        if said is None or not isinstance(replies, list) or not all(isinstance(each, dict) for each in replies):
            if said is not None:
                reader.unexpected("replies", replies, "a list of messages")
            return
        if said.role == "user" and (replies or message is root):
            record = _task(message, before, said, replies, reader)
            if record is None:
                return
            yield record
        waiting += [(reply, [*before, said]) for reply in reversed(replies)]


def _said(message: dict[str, Any], reader: RowReader) -> Message | None:
    role, text = message.get("role"), message.get("text")
    if not isinstance(role, str) or role not in ROLES:
        reader.unexpected("role", role, "prompter or assistant")
        return None
    if not isinstance(text, str):
        reader.unexpected("text", text, "text")
        return None
    return Message(role=ROLES[role], content=[Part.of_text(text)])


def _task(
    message: dict[str, Any], before: list[Message], said: Message, replies: list[dict[str, Any]], reader: RowReader
) -> TaskRecord | None:
    answers: list[Answer] = []
    ranks: dict[int, int] = {}
    for place, reply in enumerate(replies):
        spoken = _said(reply, reader)
        if spoken is None:
            return None
        model = reply.get("model_name")
        kept = {key: reply[key] for key in KEPT if reply.get(key) not in (None, "", [], {})}
        answers.append((spoken.content, model if isinstance(model, str) else None, kept))
        if reply.get("rank") is not None:
            rank = whole_number(reply["rank"], "rank", reader, 0, 1000)
            ranks |= {} if rank is None else {place: rank}
    responses = responses_of(answers, "replies", reader)
    votes: list[AnnotationRecord] = []
    if len(ranks) > 1 and not reader.failed:
        ranked = [responses[place] for place in ranks]
        votes = [ranked_vote("imported", list(ranks.values()), ranked)]
    own = message.get("message_id")
    name = own if isinstance(own, str) and own else row_id(message)
    metadata = {key: message[key] for key in KEPT if message.get(key) not in (None, "", [], {})}
    record = prompt(said.content, responses, votes)
    return task(name, [record], reader, context=before, metadata=metadata)
