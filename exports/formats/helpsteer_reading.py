"""Reading HelpSteer2 and HelpSteer3 (NVIDIA): strengths from -3 to 3, where below 0 the first response is better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotate.texts import gettext_noop
from exports.formats.base import PUBLIC, Format, Row, RowReader
from exports.formats.foreign import (
    Sheet,
    answer,
    messages_in,
    prompt,
    responses_of,
    task,
    vote,
    whole_number,
)
from exports.formats.imported import ONLY_RATINGS, numbered_mentions, on_line
from exports.formats.row_ids import row_id
from exports.formats.setup import NO_SETUP, Setup
from exports.grouping import grouped
from exports.problems import ProblemList
from exports.records import AnnotationRecord, RatingRecord, TaskRecord

STRONGEST = 3
NEITHER = -100
"""The strength that HelpSteer2 gives where neither response is valid."""
ATTRIBUTES = ("helpfulness", "correctness", "coherence", "complexity", "verbosity")
IDS = ("a", "b")


def strength_vote(score: int, annotator: str, text: str, **more: Any) -> AnnotationRecord:
    """The vote of a strength from -3 to 3, with its reason and the responses that it mentions."""
    if score == NEITHER:
        return AnnotationRecord(annotator=annotator, outcome="all_bad", justification=text)
    references = numbered_mentions(text, IDS)
    verdict = on_line(score, -STRONGEST, STRONGEST, IDS)
    return vote(annotator, verdict, justification=text, references=references, **more)


def helpsteer3_task(row: object, reader: RowReader) -> TaskRecord | None:
    """The task of a row of HelpSteer3: up to three people, each with a score and a reason."""
    sheet = Sheet.of(row, reader, ("context", "response1", "response2", "overall_preference"))
    if sheet is None:
        return None
    messages = messages_in(sheet.take("context"), "context", reader)
    texts = [sheet.text("response1"), sheet.text("response2")]
    overall = sheet.whole("overall_preference", -STRONGEST, STRONGEST)
    votes = _people(sheet, overall, reader)
    if messages and messages[-1].role not in ("user", "tool"):
        reader.problem("context", f"{messages[-1].role} as the last role", "user or tool at the end")
    if reader.failed:
        return None
    responses = responses_of([answer(text) for text in texts], "response1", reader)
    context, content = (messages, []) if messages[-1].role == "tool" else (messages[:-1], messages[-1].content)
    metadata = sheet.rest(overall_preference=overall)
    return task(row_id(sheet.row), [prompt(content, responses, votes)], reader, context=context, metadata=metadata)


def _people(sheet: Sheet, overall: int | None, reader: RowReader) -> list[AnnotationRecord]:
    people = sheet.take("individual_preference")
    if people is None or people == []:
        return [] if overall is None else [strength_vote(overall, "overall", "")]
    if not isinstance(people, list):
        reader.unexpected("individual_preference", people, "a list of objects with score and reasoning")
        return []
    votes = []
    for index, each in enumerate(people):
        where = f"individual_preference[{index}]"
        if not isinstance(each, dict):
            reader.unexpected(where, each, "an object with score and reasoning")
            continue
        score = whole_number(each.get("score"), f"{where}.score", reader, -STRONGEST, STRONGEST)
        reasons = [each.get(key) for key in ("reasoning", "feedback1", "feedback2")]
        if not all(reason is None or isinstance(reason, str) for reason in reasons):
            reader.unexpected(where, each, "reasons of text")
            continue
        text = "\n\n".join(reason for reason in reasons if reason)
        votes += [] if score is None else [strength_vote(score, f"annotator-{index + 1}", text)]
    return votes


class HelpSteer2(Format):
    """Ratings of single responses from 0 to 4: rows with the same prompt are the responses of one task."""

    name = "helpsteer2"
    label = gettext_noop("HelpSteer2 ratings")
    description = gettext_noop("Responses with five ratings from 0 to 4; two rows in turn share a prompt.")
    recognised_by = gettext_noop("prompt, response and helpfulness, correctness, coherence …")
    group = PUBLIC
    can_read = True
    scales = dict.fromkeys(ATTRIBUTES, (0, 4))

    def read(
        self, rows: Iterable[Row], file: str, problems: ProblemList, setup: Setup = NO_SETUP
    ) -> Iterator[tuple[int, TaskRecord]]:
        for group in grouped(rows, lambda row: str(row.get("prompt")) if isinstance(row, dict) else ""):
            line = group[0][0]
            record = _rated_task([row for _, row in group], RowReader(file, line, problems, setup))
            if record is not None:
                yield line, record

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"prompt", "response", "helpfulness", "verbosity"} <= row.keys()


def _rated_task(rows: Sequence[object], reader: RowReader) -> TaskRecord | None:
    sheets = [sheet for row in rows if (sheet := Sheet.of(row, reader, ("prompt", "response"))) is not None]
    if reader.failed:
        return None
    question = sheets[0].text("prompt", is_needed=True)
    ratings: dict[int, list[RatingRecord]] = {}
    answers = []
    for place, sheet in enumerate(sheets):
        sheet.take("prompt")
        text, given = sheet.text("response"), {name: sheet.take(name) for name in ATTRIBUTES}
        for name, value in given.items():
            for person, each in enumerate(value if isinstance(value, list) else [value]):
                number = None if each is None else whole_number(each, name, reader, 0, 4)
                if number is not None:
                    ratings.setdefault(person, []).append(
                        RatingRecord(dimension=name, response=chr(ord("a") + place), value=number)
                    )
        answers.append(answer(text, **sheet.rest()))
    responses = responses_of(answers, "response", reader)
    # Nobody compared the responses: that is said, so that no winner is made up of the ratings.
    votes = [
        AnnotationRecord(
            annotator=f"annotator-{person + 1}", outcome="cannot_judge", reason=ONLY_RATINGS, ratings=ratings[person]
        )
        for person in sorted(ratings)
    ]
    return task(row_id(question), [prompt(question, responses, votes)], reader)


class HelpSteer2Preference(Format):
    """Two responses with the strengths of three to five people; -100 says that neither is valid."""

    name = "helpsteer2_preference"
    label = gettext_noop("HelpSteer2 preferences")
    description = gettext_noop("Two responses with a strength from -3 to 3 of each annotator.")
    recognised_by = gettext_noop("response_1, response_2 and preference_strength")
    group = PUBLIC
    can_read = True

    def read_row(self, row: object, reader: RowReader) -> TaskRecord | None:
        sheet = Sheet.of(row, reader, ("prompt", "response_1", "response_2", "preference_strength"))
        if sheet is None:
            return None
        question = sheet.text("prompt", is_needed=True)
        texts = [sheet.text("response_1"), sheet.text("response_2")]
        overall = sheet.whole("preference_strength", -STRONGEST, STRONGEST)
        votes = _strengths(sheet, overall, reader)
        if reader.failed:
            return None
        responses = responses_of([answer(text) for text in texts], "response_1", reader)
        metadata = sheet.rest(preference_strength=overall)
        return task(row_id(sheet.row), [prompt(question, responses, votes)], reader, metadata=metadata)

    def sniff(self, row: object) -> bool:
        return isinstance(row, dict) and {"response_1", "response_2", "preference_strength"} <= row.keys()


def _strengths(sheet: Sheet, overall: int | None, reader: RowReader) -> list[AnnotationRecord]:
    people = sheet.take("all_preferences_unprocessed")
    if people is None or people == []:
        text = " ".join(
            part for part in (sheet.text("preference_statement"), sheet.text("preference_elaboration")) if part
        )
        return [] if overall is None else [strength_vote(overall, "overall", text)]
    if not isinstance(people, list):
        reader.unexpected("all_preferences_unprocessed", people, "a list of objects with strength and justification")
        return []
    votes = []
    for index, each in enumerate(people):
        where = f"all_preferences_unprocessed[{index}]"
        reason = each.get("justification") if isinstance(each, dict) else None
        if not isinstance(each, dict) or not (reason is None or isinstance(reason, str)):
            reader.unexpected(where, each, "an object with strength and justification")
            continue
        if each.get("strength") == NEITHER:
            votes.append(strength_vote(NEITHER, f"annotator-{index + 1}", reason or ""))
            continue
        score = whole_number(each.get("strength"), f"{where}.strength", reader, -STRONGEST, STRONGEST)
        votes += [] if score is None else [strength_vote(score, f"annotator-{index + 1}", reason or "")]
    return votes
