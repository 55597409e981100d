"""Summarize from feedback (OpenAI): pairs of summaries: read only."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, RowReader
from exports.formats.foreign import (
    Answer,
    Sheet,
    answer,
    prompt,
    responses_of,
    task,
)
from exports.formats.imported import pseudonym
from exports.formats.row_ids import row_id
from exports.formats.verdicts import verdict
from exports.records import TaskRecord


class SummarizeFromFeedback(Format):
    """A post or an article, two `summaries` and the `choice` of a worker (openai/summarize-from-feedback)."""

    name = "summarize_from_feedback"
    label = gettext_noop("Summarize from feedback")
    description = gettext_noop("Two summaries of a post and the choice of a worker.")
    recognised_by = gettext_noop("info, two summaries and a choice")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("info", "summaries", "choice"))
        if sheet is None:
            return None
        info, summaries = sheet.take("info"), sheet.take("summaries")
        text = (info.get("post") or info.get("article")) if isinstance(info, dict) else None
        if not isinstance(info, dict) or not isinstance(text, str) or not text.strip():
            reader.unexpected("info.post", text, "the text of the post or article")
            return None
        if not isinstance(summaries, list) or len(summaries) != 2:
            reader.unexpected("summaries", summaries, "two summaries")
            return None
        answers: list[Answer] = []
        for index, each in enumerate(summaries):
            if not isinstance(each, dict) or not isinstance(each.get("text"), str):
                reader.unexpected(f"summaries[{index}].text", each, "text")
                continue
            policy = each.get("policy") if isinstance(each.get("policy"), str) else None
            answers.append(answer(each["text"], policy, note=each.get("note")))
        choice = sheet.one_of("choice", (0, 1))
        if reader.failed:
            return None
        votes = [verdict(pseudonym(sheet.take("worker")), choice)]
        title = f"{info['title']}\n\n" if isinstance(info.get("title"), str) and info["title"] else ""
        about = {key: value for key, value in info.items() if key not in ("post", "article", "title")}
        record = prompt(title + text, responses_of(answers, "summaries", reader), votes)
        return task(row_id(sheet.row), [record], reader, metadata=sheet.rest(info=about))

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"info", "summaries", "choice"} <= row.keys()
