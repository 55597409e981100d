"""What a dataset holds, counted task by task; whole numbers only, so that the sum does not depend on the order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from exports.records import AnnotationRecord, PromptRecord, TaskRecord


@dataclass
class Statistics:
    """Counts of tasks, prompts, responses, annotations, of outcomes, and of annotations by annotator.

    `agreeing`: by the number m of votes on a prompt (from 2), the ordered pairs of votes that agree. `judged`: by m,
    how many prompts. `verdicts`: votes on those prompts by verdict. A verdict is the place of the winner among the
    responses of the task, a tie, or all bad; who could not judge has none. What was returned and what reviewers decided
    themselves is left out of the last three.
    """

    tasks: int = 0
    prompts: int = 0
    responses: int = 0
    annotations: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    annotators: Counter[str] = field(default_factory=Counter)
    agreeing: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)

    def see(self, task: TaskRecord) -> None:
        self.tasks += 1
        for prompt in task.prompts:
            self.prompts += 1
            self.responses += len(prompt.responses)
            self._see(prompt)

    def _see(self, prompt: PromptRecord) -> None:
        counted: Counter[str] = Counter()
        for annotation in prompt.annotations:
            if annotation.kind == "annotation":
                self.annotations += 1
                self.outcomes[annotation.outcome] += 1
                self.annotators[annotation.annotator] += 1
                verdict = verdict_of(annotation, prompt)
                if verdict and annotation.state == "submitted":
                    counted[verdict] += 1
        votes = counted.total()
        if votes >= 2:
            self.judged[str(votes)] += 1
            self.agreeing[str(votes)] += sum(n * (n - 1) for n in counted.values())
            self.verdicts += counted

    def add(self, other: Statistics) -> None:
        for name in ("tasks", "prompts", "responses", "annotations"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("outcomes", "annotators", "agreeing", "judged", "verdicts"):
            getattr(self, name).update(getattr(other, name))

    def as_dict(self) -> dict[str, Any]:
        return {name: dict(sorted(v.items())) if isinstance(v, Counter) else v for name, v in vars(self).items()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Statistics:
        made: dict[str, Any] = {n: Counter(value) if isinstance(value, dict) else value for n, value in values.items()}
        return cls(**made)

    @property
    def percent_agreement(self) -> float | None:
        """The share of the pairs of votes on one prompt that agree, from 0 to 1; None without such pairs."""
        pairs = sum(count * int(votes) * (int(votes) - 1) for votes, count in self.judged.items())
        return sum(self.agreeing.values()) / pairs if pairs else None

    @property
    def alpha(self) -> float | None:
        """Krippendorff's alpha for nominal data: 1 - observed / expected disagreement; None where it has no value.

        Krippendorff, Content Analysis (2004), chapter 11: with the coincidences o_cc, values n_c and n = sum of n_c it
        is 1 - (n - 1) (n - sum of o_cc) / (n^2 - sum of n_c^2).
        """
        n = self.verdicts.total()
        expected = n * n - sum(count * count for count in self.verdicts.values())
        if not expected:
            return None
        same = sum(count / (int(votes) - 1) for votes, count in sorted(self.agreeing.items()))
        return 1 - (n - 1) * (n - same) / expected


def verdict_of(annotation: AnnotationRecord, prompt: PromptRecord) -> str | None:
    """The place of the winner (from 0) as text, or "tie" or "all_bad"; None for who could not judge."""
    if annotation.outcome == "winner":
        places = [index for index, response in enumerate(prompt.responses) if response.id == annotation.winner]
        return str(places[0]) if places else None
    return annotation.outcome if annotation.outcome in ("tie", "all_bad") else None
