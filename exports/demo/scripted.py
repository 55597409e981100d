"""The shape of a scripted judgement, and short ways to write one down."""

from __future__ import annotations

from dataclasses import dataclass, field

DIMENSIONS = ("helpfulness", "correctness", "instruction_following", "writing")
"""The dimensions of the preset `helpsteer3`, in the order in which the four numbers of `rated` are given."""

Four = tuple[int, int, int, int]


@dataclass(frozen=True)
class PromptJudgement:
    """What one annotator says about one prompt, in response ids.

    `ranking`: groups, best first, one group is a tie; only with three or more responses. `ratings`: for each
    dimension key the value of each response. `reason`: why it cannot be judged.
    """

    outcome: str
    winner: str | None = None
    margin: int | None = None
    ranking: list[list[str]] = field(default_factory=list)
    ratings: dict[str, dict[str, int]] = field(default_factory=dict)
    justification: str = ""
    reason: str = ""


@dataclass(frozen=True)
class DemoJudgement:
    """What one annotator says about a task: a judgement per prompt id."""

    prompts: dict[str, PromptJudgement]


def rated(first: Four, second: Four) -> dict[str, dict[str, int]]:
    """Ratings of `r1` and `r2` on the four `DIMENSIONS`, each from 1 to 5."""
    return {key: {"r1": one, "r2": two} for key, one, two in zip(DIMENSIONS, first, second, strict=True)}


def better(
    winner: str, margin: int | None, why: str, ratings: dict[str, dict[str, int]] | None = None
) -> PromptJudgement:
    """`winner` is better by `margin` steps; None where the project asks for no margin."""
    return PromptJudgement("winner", winner, margin, ratings=ratings or {}, justification=why)


def only(judgement: PromptJudgement) -> DemoJudgement:
    """A judgement of a task with one prompt."""
    return DemoJudgement({"p1": judgement})
