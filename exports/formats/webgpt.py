"""WebGPT comparisons (OpenAI): pairs of answers with quotes: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import Sheet, answer, prompt, responses_of, task
from exports.formats.row_ids import row_id
from exports.formats.verdicts import verdict
from exports.records import TaskRecord


class WebGpt(Format):
    """Two answers with scores that sum to 0; 0 is a tie, else only the sign counts (openai/webgpt_comparisons)."""

    name = "webgpt"
    label = gettext_noop("WebGPT comparisons")
    description = gettext_noop("Two answers to a question with their quotes and scores.")
    recognised_by = gettext_noop("question, answer_0, answer_1 and score_0")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("question", "answer_0", "answer_1", "score_0"))
        if sheet is None:
            return None
        question = sheet.take("question")
        text = question.get("full_text") if isinstance(question, dict) else question
        if not isinstance(text, str) or not text.strip():
            reader.unexpected("question.full_text", text, "text that is not blank")
        answers = [answer(sheet.text(f"answer_{n}"), quotes=sheet.take(f"quotes_{n}")) for n in (0, 1)]
        score = sheet.row.get("score_0")
        if isinstance(score, bool) or not isinstance(score, (int, float)) or abs(score) > 1:
            reader.unexpected("score_0", score, "a number from -1 to 1")
        if reader.failed or not isinstance(text, str) or not isinstance(score, (int, float)):
            return None
        votes = [verdict("imported", None if score == 0 else int(score < 0))]
        about = {k: v for k, v in question.items() if k != "full_text"} if isinstance(question, dict) else {}
        rest = sheet.rest(question=about)
        responses = responses_of(answers, "answer_0", reader)
        return task(row_id(sheet.row), [prompt(text, responses, votes)], reader, metadata=rest)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"question", "answer_0", "answer_1", "score_0"} <= row.keys()
