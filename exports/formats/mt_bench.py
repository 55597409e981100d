"""MT-bench (lm-sys/FastChat): judgements on pairs of conversations, and questions with answers of models: read only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotate.texts import gettext_noop
from exports.formats.arena_reading import battle_of, judge_of
from exports.formats.base import PUBLIC, Format, Row, RowReader
from exports.formats.foreign import Answer, answer, prompt, responses_of, task
from exports.formats.row_ids import row_digest, row_id
from exports.formats.setup import NO_SETUP, Setup
from exports.grouping import grouped
from exports.problems import ProblemList
from exports.records import PromptRecord, TaskRecord

JUDGED = ("question_id", "model_a", "model_b", "winner", "turn", "conversation_a", "conversation_b")


class MtBench(Format):
    """One row is a vote on a turn of two conversations. Votes on the same turn of the same pair are one task."""

    name = "mt_bench"
    label = gettext_noop("MT-bench judgements")
    description = gettext_noop("Votes of people or of a model on the first or second turn of two conversations.")
    recognised_by = gettext_noop("a whole question_id, turn, model_a, model_b and two conversations")
    group = PUBLIC
    can_read = True

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        for group in grouped(rows, _pair):
            line, row = group[0]
            reader = RowReader(file, line, problems, setup)
            votes = []
            for number, each in group:
                judging = RowReader(file, number, problems, setup)
                votes.append(judge_of(each, judging))
                reader.failed |= judging.failed
            whole = row if isinstance(row, dict) and not reader.failed else None
            record = battle_of(whole, votes, row_id(_pair(row)), reader) if whole is not None else None
            if record is not None:
                yield line, record

    def sniff(self, row: object) -> bool:
        if not isinstance(row, dict) or not row.keys() >= set(JUDGED):
            return False
        return isinstance(row["question_id"], int) and "anony" not in row and "tstamp" not in row


def _pair(row: Any) -> str:
    if not isinstance(row, dict):
        return row_digest(row)
    return row_digest([row.get(name) for name in ("question_id", "model_a", "model_b", "turn")] + [_first(row)])


def _first(row: dict[str, Any]) -> str:
    return row_digest([row.get("conversation_a"), row.get("conversation_b")])


class MtBenchAnswers(Format):
    """Questions with their `turns`, and answers with `choices[0].turns` of each model, in one file or several.

    A question is a task with a prompt for each turn; the answers of the models to it are the responses.
    """

    name = "mt_bench_answers"
    label = gettext_noop("MT-bench questions and answers")
    description = gettext_noop("Questions of two turns, with the answers of several models in files beside them.")
    recognised_by = gettext_noop("question_id with turns, or with choices of a model_id")
    group = PUBLIC
    can_read = True
    reads_all_files = True

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        for group in grouped(rows, lambda row: str(row.get("question_id")) if isinstance(row, dict) else ""):
            reader = RowReader(file, group[0][0], problems, setup)
            record = _question([row for _, row in group], reader)
            if record is not None:
                yield group[0][0], record

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and "question_id" in row and (_is_question(row) or _is_answer(row))


def _is_question(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("turns"), list)


def _is_answer(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("choices"), list) and "model_id" in row


def _question(rows: list[object], reader: RowReader) -> TaskRecord | None:
    questions = [row for row in rows if isinstance(row, dict) and _is_question(row)]
    answers = [row for row in rows if isinstance(row, dict) and _is_answer(row)]
    if len(questions) + len(answers) < len(rows):
        reader.problem("", "a row that is neither a question nor an answer", "turns, or choices and model_id")
    if len(questions) != 1:
        found = "answers without their question" if not questions else "the same question twice"
        reader.problem("question_id", found, "one row with the turns of each question; put both files into one zip")
        return None
    question = questions[0]
    turns = question["turns"]
    if not turns or not all(isinstance(turn, str) and turn.strip() for turn in turns):
        reader.unexpected("turns", turns, "a list of texts that are not blank")
        return None
    prompts = [_turn(place, turn, answers, reader) for place, turn in enumerate(turns)]
    rest = {key: value for key, value in question.items() if key not in ("turns", "question_id") and value is not None}
    return task(f"question-{question['question_id']}", prompts, reader, metadata=rest)


def _turn(place: int, text: str, answers: list[dict[str, Any]], reader: RowReader) -> PromptRecord:
    given: list[Answer] = []
    for row in answers:
        choice = row["choices"][0] if row["choices"] else None
        said = choice.get("turns") if isinstance(choice, dict) else None
        if not isinstance(said, list) or place >= len(said) or not isinstance(said[place], str):
            reader.unexpected("choices[0].turns", said, f"a list with a text for turn {place + 1}")
            continue
        model = row["model_id"] if isinstance(row["model_id"], str) else None
        given.append(answer(said[place], model, answer_id=row.get("answer_id")))
    return prompt(text, responses_of(given, "choices", reader), name=str(place + 1))
