"""Stored annotations to records, as they were at a cut: what was changed since is read from its revisions."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.db.models import F, QuerySet

from annotate.enums import AnnotationState
from annotate.models import Annotation, AnnotationRevision, Flag, Placement, Rating, Review, Rewrite
from exports.people import People
from exports.records import (
    AnnotationRecord,
    FlagRecord,
    Part,
    RatingRecord,
    ReferenceRecord,
    ReviewRecord,
    RewriteRecord,
    WarningRecord,
)

RATINGS, REWRITES, REVIEWS, DETAILS = "ratings", "rewrites", "reviews", "details"
EVERYTHING = frozenset({RATINGS, REWRITES, REVIEWS, DETAILS})
CORE = ("state", "outcome", "winner_id", "margin")
PLAIN = (
    "justification",
    "rubric_version",
    "seconds",
    "reason",
    "reason_kind",
    "active_seconds",
    "idle_seconds",
    "dimension_order",
)
DETAIL = (*PLAIN, "display_order", "submitted_at", "references", "warnings")
Content = dict[str, Any]
"""What an annotation says, as ``queries.judging.content_of`` gives it, or the part of it that is needed."""


class Judgements:
    """Reads the annotations of tasks. ``needs``: see ``Format.needs``; ``parts``: names the files of content."""

    def __init__(
        self,
        watermark: Mapping[str, int],
        people: People,
        needs: Collection[str],
        parts: Callable[[list[Part]], list[Part]],
    ) -> None:
        self.watermark, self.people, self.needs, self.parts = watermark, people, needs, parts
        self.columns = (*CORE, *DETAIL) if DETAILS in needs else CORE

    def of_tasks(self, tasks: QuerySet[Any], names: Mapping[int, str]) -> dict[int, list[AnnotationRecord]]:
        """Return the annotations of each prompt (by primary key) in id order.

        ``tasks``: gives their primary keys; ``names``: external ids of responses.
        """
        rows = self._rows(tasks)
        contents = {row[0]: dict(zip(self.columns, row[4:], strict=True)) for row in rows}
        if contents:
            self._add_details(tasks, contents)
            # Last of all: whatever was changed while the others were read has left its former content here.
            contents |= self._earlier(tasks)
        reviews = self._reviews(tasks) if REVIEWS in self.needs and contents else {}
        found: dict[int, list[AnnotationRecord]] = {}
        for pk, prompt, annotator, is_adjudication, *_ in rows:
            record = self._record(contents[pk], annotator, is_adjudication, names, reviews.get(pk, []))
            found.setdefault(prompt, []).append(record)
        return found

    def _rows(self, tasks: QuerySet[Any]) -> list[tuple[Any, ...]]:
        within = Annotation.objects.filter(prompt__task_id__in=tasks, pk__lte=self.watermark.get("annotation", 0))
        columns = ("pk", "prompt_id", "annotator_id", "is_adjudication", *self.columns)
        return list(within.order_by("pk").values_list(*columns).iterator(chunk_size=2000))

    def _add_details(self, tasks: QuerySet[Any], contents: dict[int, Content]) -> None:
        within = {"annotation__prompt__task_id__in": tasks}
        placements = Placement.objects.filter(**within).order_by("rank", "pk")
        for pk, groups in _groups(placements.values_list("annotation_id", "rank", "response_id")).items():
            _put(contents, pk, "ranking", [group for _, group in sorted(groups.items())])
        if RATINGS in self.needs:
            columns = ("response_id", "value", "text", "tags", "justification")
            ratings = Rating.objects.filter(**within).order_by("pk").annotate(key=F("dimension__key"))
            for pk, key, *values in ratings.values_list("annotation_id", "key", *columns):
                named = dict(zip(("response", *columns[1:]), values, strict=True))
                _append(contents, pk, "ratings", {"dimension": key, **named})
        if REWRITES in self.needs:
            rewrites = Rewrite.objects.filter(**within).order_by("pk")
            for pk, response, content in rewrites.values_list("annotation_id", "response_id", "content"):
                _append(contents, pk, "rewrites", {"response": response, "content": content})
        if DETAILS in self.needs:
            flags = Flag.objects.filter(**within).order_by("pk")
            for pk, response, kind, note in flags.values_list("annotation_id", "response_id", "kind", "note"):
                _append(contents, pk, "flags", {"response": response, "kind": kind, "note": note})

    def _earlier(self, tasks: QuerySet[Any]) -> dict[int, Content]:
        """Return what annotations said at the cut, of those that were changed since."""
        changed = AnnotationRevision.objects.filter(
            annotation__prompt__task_id__in=tasks,
            annotation_id__lte=self.watermark.get("annotation", 0),
            pk__gt=self.watermark.get("revision", 0),
        )
        newest_first = changed.order_by("-pk").values_list("annotation_id", "content")
        return {pk: {**content, "winner_id": content["winner"]} for pk, content in newest_first}

    def _reviews(self, tasks: QuerySet[Any]) -> dict[int, list[ReviewRecord]]:
        within = {"annotation__prompt__task_id__in": tasks, "pk__lte": self.watermark.get("review", 0)}
        columns = ("annotation_id", "reviewer_id", "verdict", "comment", "created_at")
        found: dict[int, list[ReviewRecord]] = {}
        for pk, reviewer, verdict, comment, at in Review.objects.filter(**within).order_by("pk").values_list(*columns):
            name = self.people.name(reviewer)
            record = ReviewRecord(reviewer=name, verdict=verdict, comment=comment, at=_time(at) or "")
            found.setdefault(pk, []).append(record)
        return found

    def _record(
        self,
        content: Content,
        annotator: int,
        is_adjudication: bool,
        names: Mapping[int, str],
        reviews: list[ReviewRecord],
    ) -> AnnotationRecord:
        winner = content["winner_id"]
        return AnnotationRecord(
            annotator=self.people.name(annotator),
            kind="adjudication" if is_adjudication else "annotation",
            state="returned" if content["state"] == AnnotationState.RETURNED else "submitted",
            outcome=content["outcome"],
            winner=names[winner] if winner else None,
            margin=content["margin"],
            ranking=[[names[pk] for pk in group] for group in content["ranking"]] if "ranking" in content else [],
            suspended=annotator in self.people.suspended,
            reviews=reviews,
            **(self._details(content, names) if self.needs else {}),
        )

    def _details(self, content: Content, names: Mapping[int, str]) -> dict[str, Any]:
        """Return the fields of the record that ``needs`` asks for."""
        fields: dict[str, Any] = {}
        if RATINGS in self.needs:
            fields["ratings"] = [_rating(rating, names) for rating in content.get("ratings", ())]
        if REWRITES in self.needs:
            fields["rewrites"] = [
                RewriteRecord(response=names[each["response"]], content=self._rewritten(each["content"]))
                for each in content.get("rewrites", ())
            ]
        if DETAILS in self.needs:
            fields |= {name: content[name] for name in PLAIN}
            fields["flags"] = [
                FlagRecord(response=names[flag["response"]], kind=flag["kind"], note=flag["note"])
                for flag in content.get("flags", ())
            ]
            fields["references"] = [
                ReferenceRecord(**{**reference, "response": names[reference["response"]]})
                for reference in content["references"]
            ]
            fields["warnings"] = [WarningRecord(**warning) for warning in content["warnings"]]
            fields["display_order"] = [names[pk] for pk in content["display_order"]]
            fields["submitted_at"] = _time(content["submitted_at"])
        return fields

    def _rewritten(self, content: Iterable[Mapping[str, Any]]) -> list[Part]:
        named = ("type", "text", "asset", "name")
        return self.parts([Part(**{name: part.get(name) for name in named}) for part in content])  # type: ignore[arg-type]


def _groups(rows: Iterable[tuple[int, int, int]]) -> dict[int, dict[int, list[int]]]:
    """Return the responses of each rank of each annotation."""
    found: dict[int, dict[int, list[int]]] = {}
    for annotation, rank, response in rows:
        found.setdefault(annotation, {}).setdefault(rank, []).append(response)
    return found


def _put(contents: dict[int, Content], pk: int, name: str, value: object) -> None:
    if pk in contents:  # else it belongs to an annotation above the cut
        contents[pk][name] = value


def _append(contents: dict[int, Content], pk: int, name: str, value: object) -> None:
    if pk in contents:
        contents[pk].setdefault(name, []).append(value)


def _rating(rating: Mapping[str, Any], names: Mapping[int, str]) -> RatingRecord:
    return RatingRecord(
        dimension=rating["dimension"],
        response=names[rating["response"]] if rating["response"] else None,
        value=rating["value"],
        text=rating["text"] or None,
        tags=rating["tags"],
        justification=rating["justification"],
    )


def _time(value: Any) -> str | None:
    """Return a time, or one that is ISO 8601 text already, with Z for UTC."""
    if not value:
        return None
    return str(value if isinstance(value, str) else value.isoformat()).replace("+00:00", "Z")
