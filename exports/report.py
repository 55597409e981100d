"""What an import found in its file and what became of it, as numbers that add up and examples to look at."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec

from exports.guard import Finding
from exports.records import RatingRecord, TaskRecord

MAX_SAMPLES = 3
SAMPLE_TEXT = 2000  # characters of one text of a sample
MAX_EXAMPLES = 20
MAX_NAMES = 50


@dataclass
class Scale:
    """The values that were seen on a dimension that the project lacks."""

    per_response: bool
    least: int
    most: int


@dataclass
class Report:
    """`tasks` = `new` + `updated` + `unchanged` + `skipped` + the sum of `left_out`.

    `unchanged`: the project had the task with the same content, and only its priority and metadata were taken.
    `ratings_left_out` and `judgements_left_out` count what was not taken of tasks that were. `names`: how often each
    name of a model was found, in how many tasks, and where the first were.
    """

    tasks: int = 0
    new: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    prompts: int = 0
    responses: int = 0
    media: int = 0
    judgements: int = 0
    judgements_left_out: int = 0
    ratings_left_out: int = 0
    scales: dict[str, Scale] = field(default_factory=dict)
    names: Counter[str] = field(default_factory=Counter)
    named_tasks: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)
    samples: list[dict[str, Any]] = field(default_factory=list)

    def count(self, record: TaskRecord, media: int) -> None:
        """Count what a record that is taken brings."""
        self.prompts += len(record.prompts)
        self.media += media
        for prompt in record.prompts:
            self.responses += len(prompt.responses)
            self.judgements += len(prompt.annotations)

    def sample(self, record: TaskRecord) -> None:
        """Keep the first tasks to show them, with texts cut to a readable length."""
        if len(self.samples) < MAX_SAMPLES:
            self.samples.append(_shortened(msgspec.to_builtins(record)))

    def named(self, task: str, line: int, found: list[Finding]) -> None:
        """Count the names in one task."""
        self.named_tasks += 1
        for each in found:
            if each.name in self.names or len(self.names) < MAX_NAMES:
                self.names[each.name] += 1
        room = MAX_EXAMPLES - len(self.examples)
        self.examples += [{"task": task, "line": line, **asdict(each)} for each in found[:room]]

    def saw(self, rating: RatingRecord) -> None:
        """Widen the scale of a dimension that the project lacks by a rating."""
        if rating.value is None:
            return
        known = self.scales.setdefault(rating.dimension, Scale(rating.response is not None, rating.value, rating.value))
        known.least, known.most = min(known.least, rating.value), max(known.most, rating.value)

    def stored(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self) | {"left_out": dict(self.left_out), "names": dict(self.names.most_common())}


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= SAMPLE_TEXT else value[: SAMPLE_TEXT - 1] + "…"
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    return {key: _shortened(item) for key, item in value.items()} if isinstance(value, dict) else value
