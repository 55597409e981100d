"""From judgements to single answers that are good or bad, for trainers such as KTO.

A winner is not good by itself, only better than the others (FORMATS section a5): where people rated the answers, the
ratings say more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from exports.accounting import Accounting
from exports.ballots import Ballot
from exports.conversation import Carrier
from exports.options import DimensionScale, ExportOptions
from exports.records import AnnotationRecord, Message, ResponseRecord, TaskRecord
from exports.turns import Group, Turn, row_id


@dataclass(frozen=True, kw_only=True)
class Label:
    """One answer, ready to be written: clean text. `is_good` by `votes` of the `voters` who said either.

    `messages` is the conversation that it answers. `annotator` is a pseudonym, or "majority".
    """

    task: str
    prompt: str
    messages: list[Message]
    response: ResponseRecord
    is_good: bool
    annotator: str
    votes: int
    voters: int
    occurrence: int

    @property
    def id(self) -> str:
        """`<task>:<prompt>:<response>:<annotator>`, see `exports.turns.row_id`."""
        return row_id((self.task, self.prompt, self.response.id, self.annotator), self.occurrence)


def labels_of(task: TaskRecord, options: ExportOptions, accounting: Accounting, carrier: Carrier) -> Iterator[Label]:
    """Every label of `task`, in the order of prompts, annotations and responses.

    With any consensus but "each" there is one row per response, by a strict majority of the labels it got.
    """
    for turn in range(len(task.prompts)):
        yield from _Labels(task, turn, options, accounting, carrier).rows()


def thresholds(options: ExportOptions, dimension: str) -> tuple[float, float] | None:
    """(good from, bad up to) for ratings on `dimension`; None when neither the options nor the project tell.

    Without limits of its own a range is cut into thirds: 1 to 5 is good from 4, bad up to 2.
    """
    scale = next((scale for scale in options.rubric.dimensions if scale.key == dimension), None)
    good, bad = options.good_from, options.bad_to
    if scale is None:
        return None if good is None or bad is None else (good, bad)
    third = (scale.highest - scale.lowest) / 3
    return (
        scale.highest - third if good is None else good,
        scale.lowest + third if bad is None else bad,
    )


def rated_dimension(annotation: AnnotationRecord, options: ExportOptions) -> str | None:
    """The dimension that counts: the chosen one, else the first per response of the project, else of the vote."""
    if options.label_dimension:
        return options.label_dimension
    scales: Iterator[DimensionScale] = (scale for scale in options.rubric.dimensions if scale.per_response)
    known = next((scale.key for scale in scales), None)
    rated = (each.dimension for each in annotation.ratings if each.response is not None and each.value is not None)
    return known or next(rated, None)


def ratings_on(annotation: AnnotationRecord, dimension: str) -> dict[str, int]:
    """The number that each response got on `dimension`, by response id."""
    return {
        each.response: each.value
        for each in annotation.ratings
        if each.dimension == dimension and each.response is not None and each.value is not None
    }


class _Labels(Turn):
    def rows(self) -> Iterator[Label]:
        self.least = 1 if self.options.labels == "ratings" else 2
        self.seen: Counter[tuple[str, str]] = Counter()
        for group in self.groups():
            given = [self._given(ballot) for ballot in group.ballots]
            is_each = self.options.consensus == "each" or group.ballots[0].annotation.kind == "adjudication"
            yield from self._of_each(group, given) if is_each else self._of_majority(group, given)

    def _given(self, ballot: Ballot) -> Mapping[str, bool] | str:
        """The labels that one vote gives, by response id, or the reason why it gives none."""
        if self.options.labels == "ratings":
            return self._by_ratings(ballot.annotation)
        outcome = ballot.annotation.outcome
        if outcome != "winner" and not self.options.tie_labels:
            return outcome
        best = [] if outcome == "all_bad" else ballot.groups[0]
        return {response: response in best for group in ballot.groups for response in group}

    def _by_ratings(self, annotation: AnnotationRecord) -> Mapping[str, bool] | str:
        dimension = rated_dimension(annotation, self.options)
        rated = {} if dimension is None else ratings_on(annotation, dimension)
        if dimension is None or not rated:
            return "no_rating"
        limits = thresholds(self.options, dimension)
        if limits is None:
            return "no_thresholds"
        good_from, bad_to = limits
        labels = {key: value >= good_from for key, value in rated.items() if value >= good_from or value <= bad_to}
        return {key: label for key, label in labels.items() if key in self.responses} or "between_thresholds"

    def _of_each(self, group: Group, given: list[Mapping[str, bool] | str]) -> Iterator[Label]:
        for ballot, labels in zip(group.ballots, given, strict=True):
            if isinstance(labels, str):
                self.settle(ballot, [labels])
                continue
            fates = {key: self.why_no_response(self.responses[key]) for key in labels}
            self.settle(ballot, list(fates.values()))
            for key in (key for key in labels if fates[key] is None):
                yield self._label(group, key, labels[key], ballot.annotation.annotator, 1, 1)

    def _of_majority(self, group: Group, given: list[Mapping[str, bool] | str]) -> Iterator[Label]:
        counts = {
            key: Counter(labels[key] for labels in given if not isinstance(labels, str) and key in labels)
            for key in self.responses
        }
        for ballot, labels in zip(group.ballots, given, strict=True):
            if isinstance(labels, str):
                self.settle(ballot, [labels])
            else:
                self.settle(ballot, [self._fate(key, is_good, counts[key]) for key, is_good in labels.items()])
        for key, count in counts.items():
            for is_good in (True, False):
                if count[is_good] and self._fate(key, is_good, count) is None:
                    yield self._label(group, key, is_good, "majority", count[is_good], count.total())

    def _fate(self, key: str, is_good: bool, count: Counter[bool]) -> str | None:
        if 2 * count[is_good] <= count.total():
            return "minority" if 2 * count[not is_good] > count.total() else "no_majority"
        return self.why_no_response(self.responses[key])

    def _label(self, group: Group, key: str, is_good: bool, annotator: str, votes: int, voters: int) -> Label:
        self.seen[key, annotator] += 1
        return Label(
            task=self.task.id,
            prompt=self.prompt.id,
            messages=group.messages,
            response=self.responses[key],
            is_good=is_good,
            annotator=annotator,
            votes=votes,
            voters=voters,
            occurrence=self.seen[key, annotator],
        )
