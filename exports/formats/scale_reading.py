"""Reads tasks of Scale's GenAI API, terse or detailed. Nothing is guessed: what has no known meaning is metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exports.formats.base import RowReader
from exports.formats.coherence import check_task
from exports.formats.imported import letters, merged, objects_in, pseudonym, without_addresses
from exports.formats.pair_rows import MOST
from exports.formats.scale_contents import SPEAKERS, content_of
from exports.formats.scale_judgements import Judgement
from exports.records import AnnotationRecord, Message, Part, PromptRecord, ResponseRecord, Role, TaskRecord

COMPLETED = "completed"
STATUSES = (COMPLETED, "pending", "canceled", "error", "deleted")
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "function": "tool"}
_OF_TURN = ("id", "messages", "annotations")
_OF_MESSAGE = ("role", "content", "source_id", "annotations")


def read_task(row: object, reader: RowReader) -> TaskRecord | None:
    """The task, or None with its problems reported. Only a completed one has judgements."""
    if not isinstance(row, dict) or not isinstance(row.get("task_id"), str):
        reader.unexpected("task_id", row.get("task_id") if isinstance(row, dict) else row, "a task with a task_id")
        return None
    thread = _thread(row, reader)
    if thread is None:
        return None
    turns = objects_in(thread.get("turns"), "threads[0].turns", reader)
    if not turns and not reader.failed:
        reader.unexpected("threads[0].turns", thread.get("turns"), "at least one turn")
    by = _Submission(thread, row, reader)
    read = [_Turn(turn, f"threads[0].turns[{index}]", reader, by) for index, turn in enumerate(turns)]
    if reader.failed:
        return None
    first = next((index for index, turn in enumerate(read) if not turn.is_context), len(read) - 1)
    context = [message for turn in read[:first] for message in turn.messages()] + read[first].before
    for turn in read[first + 1 :]:
        turn.refuse_messages_before()
    prompts = [turn.prompt(is_last=turn is read[-1]) for turn in read[first:]]
    if reader.failed:
        return None
    task = TaskRecord(id=row["task_id"], context=context, prompts=prompts, metadata=_metadata(row, thread, read, by))
    check_task(task, reader)
    return None if reader.failed else task


def _thread(row: dict[str, Any], reader: RowReader) -> dict[str, Any] | None:
    status, threads = row.get("status"), row.get("threads")
    if status not in STATUSES:
        reader.unexpected("status", status, "one of " + ", ".join(STATUSES))
    elif row.get("sensitive_content_reports") and not threads:
        reader.problem("threads", "nothing, for the task was reported as sensitive", "a thread with turns")
    elif not threads and status != COMPLETED:
        reader.problem("threads", f"nothing, for the task is {status}", "a completed task: others have no threads")
    elif not isinstance(threads, list) or not threads or not isinstance(threads[0], dict):
        reader.unexpected("threads", threads, "a list of one thread")
    elif len(threads) > 1:
        reader.problem("threads", f"{len(threads)} threads", "one thread: a task has one conversation")
    return None if reader.failed or not isinstance(threads, list) else threads[0]


class _Submission:
    """Who did the work of a thread, and when."""

    def __init__(self, thread: dict[str, Any], row: dict[str, Any], reader: RowReader) -> None:
        all_of_them = objects_in(thread.get("submissions"), "threads[0].submissions", reader, needed=False)
        last = all_of_them[-1] if all_of_them else {}
        self.is_complete = row["status"] == COMPLETED
        self.annotator = pseudonym(last.get("contributor_id"))
        time = last.get("submitted_at") or row.get("completed_at")
        self.at = time if isinstance(time, str) else None
        self.others = [{**each, "contributor_id": pseudonym(each.get("contributor_id"))} for each in all_of_them[:-1]]


class _Turn:
    def __init__(self, turn: dict[str, Any], path: str, reader: RowReader, by: _Submission) -> None:
        self.turn, self.path, self.reader, self.by = turn, path, reader, by
        self.before: list[Message] = []
        self.content: list[Part] = []
        self.answers: list[tuple[str, dict[str, Any], ResponseRecord]] = []
        self.notes: dict[str, Any] = {key: value for key, value in turn.items() if key not in _OF_TURN and value}
        self.annotations = objects_in(turn.get("annotations"), f"{path}.annotations", reader, needed=False)
        for index, message in enumerate(objects_in(turn.get("messages"), f"{path}.messages", reader)):
            self._take(message, f"{path}.messages[{index}]")
        if reader.failed:
            return
        if not self.asked:
            reader.problem(f"{path}.messages", "no user message", "exactly one user message")
        if not 1 <= len(self.answers) <= MOST:
            reader.problem(f"{path}.messages", f"{len(self.answers)} responses", f"1 to {MOST} assistant messages")

    asked = False

    @property
    def is_context(self) -> bool:
        """Whether nothing is judged or could be: one answer and no annotation, as in the turns before the first."""
        judged = self.annotations or any(message.get("annotations") for _, message, _ in self.answers)
        return len(self.answers) == 1 and not judged

    def messages(self) -> list[Message]:
        """All messages of a turn that is not judged."""
        said = Message(role="user", content=self.content)
        return [*self.before, said, Message(role="assistant", content=self.answers[0][2].content)]

    def refuse_messages_before(self) -> None:
        """Only before the first judged prompt is there a place for messages of the system or of a function."""
        if self.before:
            role = self.before[0].role
            self.reader.problem(f"{self.path}.messages", f"a message of the {role}", "one only before judged turns")

    def prompt(self, *, is_last: bool) -> PromptRecord:
        """The turn as a prompt. The conversation went on with the chosen response, or with the only one."""
        responses = [response for _, _, response in self.answers]
        annotations: list[AnnotationRecord] = []
        judgement = Judgement(self.path, self.reader, responses, [(path, message) for path, message, _ in self.answers])
        made = judgement.of(self.annotations, self.by.annotator, self.by.at)
        if made is not None and self.by.is_complete:
            annotations.append(made)
        elif made is not None:
            judgement.set_aside()
        chosen = made.winner if made is not None else None
        if len(responses) == 1:
            chosen = responses[0].id
        responses = [
            ResponseRecord(
                id=each.id,
                content=each.content,
                model=each.model,
                continues=not is_last and each.id == chosen,
                metadata=merged(each.metadata, judgement.notes_of(each.id)),
            )
            for each in responses
        ]
        if judgement.notes:
            self.notes["annotations"] = judgement.notes
        name = self.turn.get("id")
        return PromptRecord(
            id=name if isinstance(name, str) and name else self.path.partition(".")[2],
            content=self.content,
            responses=responses,
            annotations=annotations,
        )

    def _take(self, message: dict[str, Any], path: str) -> None:
        role = message.get("role")
        speaker = role.lower() if isinstance(role, str) else None
        if speaker not in SPEAKERS:
            self.reader.unexpected(f"{path}.role", role, "one of " + ", ".join(SPEAKERS))
            return
        parts, rest = content_of(message, f"{path}.content", self.reader)
        more = {key: value for key, value in message.items() if key not in _OF_MESSAGE and value}
        if speaker == "assistant":
            self._answer(message, parts, merged(rest, more), path)
            return
        if self.answers or (self.asked and speaker != "user"):
            self.reader.problem(f"{path}.role", f"{speaker} after the question", "the responses after the user message")
        elif self.asked:
            self.reader.problem(f"{path}.role", "a second user message", "exactly one user message in a turn")
        if rest or more or message.get("annotations"):
            said = {"annotations": message["annotations"]} if message.get("annotations") else {}
            self.notes.setdefault("messages", []).append({"role": speaker, **merged(rest, more, said)})
        if speaker == "user":
            self.asked, self.content = True, parts
        else:
            self.before.append(Message(role=_ROLES[speaker], content=parts))

    def _answer(self, message: dict[str, Any], parts: list[Part], rest: dict[str, Any], path: str) -> None:
        source, parameters = message.get("source_id"), message.get("model_parameters")
        if not isinstance(source, str) or not source:
            self.reader.unexpected(f"{path}.source_id", source, "the id of the model that answered")
            return
        named = parameters.get("model") if isinstance(parameters, dict) else None
        model = named if isinstance(named, str) and named else source
        metadata = rest if model == source else merged({"source_id": source}, rest)
        key = letters(MOST)[len(self.answers)] if len(self.answers) < MOST else str(len(self.answers))
        self.answers.append((path, message, ResponseRecord(id=key, content=parts, model=model, metadata=metadata)))


def _metadata(row: dict[str, Any], thread: dict[str, Any], turns: Sequence[_Turn], by: _Submission) -> dict[str, Any]:
    given = row.get("metadata")
    own = given if isinstance(given, dict) else {} if given is None else {"metadata": given}
    about = {
        key: value
        for key, value in row.items()
        if key not in ("task_id", "threads", "metadata") and value not in (None, [])
    }
    notes = {turn.turn.get("id") or turn.path: turn.notes for turn in turns if turn.notes}
    known = ("id", "turns", "submissions")
    rest = {key: value for key, value in thread.items() if key not in known and value}
    if by.others:
        rest["submissions"] = by.others
    around: dict[str, Any] = without_addresses(merged(about, {"thread": rest} if rest else {}))
    return merged(own, around, {"turns": notes} if notes else {})
