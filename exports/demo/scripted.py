"""Scripted judgements: their shape, and who judged which task how. The reasons are files beside the tasks' texts."""

from __future__ import annotations

from dataclasses import dataclass, field

DIMENSIONS = ("helpfulness", "correctness", "instruction_following", "writing")
"""The dimensions of the preset `helpsteer3`, in the order in which the four numbers of a response are given."""

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


def rated(*responses: Four) -> dict[str, dict[str, int]]:
    """Ratings from 1 to 5 of `r1`, `r2` … on the four `DIMENSIONS`; nothing for no responses."""
    if not responses:
        return {}
    return {
        key: {f"r{number}": values[place] for number, values in enumerate(responses, start=1)}
        for place, key in enumerate(DIMENSIONS)
    }


def better(winner: str, margin: int | None = None, *responses: Four) -> PromptJudgement:
    """`winner` is better by `margin` steps; None where the project asks for no margin."""
    return PromptJudgement("winner", winner, margin, ratings=rated(*responses))


def tie(*responses: Four) -> PromptJudgement:
    """They are about equal."""
    return PromptJudgement("tie", ratings=rated(*responses))


def ranked(*groups: list[str]) -> PromptJudgement:
    """Response ids, best first; the first group has one."""
    return PromptJudgement("winner", groups[0][0], ranking=list(groups))


Script = dict[str, dict[str, tuple[PromptJudgement, ...]]]
"""External id of the task -> username -> a judgement for each prompt, without the reasons."""

CODING_HELP: Script = {
    "ch-p95-latency": {
        "mina": (better("r1", 2, (5, 5, 5, 4), (2, 4, 2, 4)),),
        "tomas": (better("r1", 2, (5, 5, 5, 4), (3, 4, 2, 4)),),
        "aiko": (better("r1", 3, (5, 5, 5, 5), (1, 4, 1, 3)),),
    },
    "ch-keep-last": {
        "tomas": (better("r2", 3, (2, 1, 2, 4), (5, 5, 5, 5)),),
        "aiko": (better("r2", 3, (1, 1, 2, 4), (5, 5, 5, 4)),),
        "yusuf": (better("r2", 2, (2, 2, 2, 5), (5, 5, 5, 4)),),
    },
    "ch-paid-orders": {
        "mina": (better("r1", 3, (5, 5, 5, 5), (2, 1, 1, 4)),),
        "aiko": (better("r1", 3, (5, 5, 5, 4), (2, 1, 2, 4)),),
        "yusuf": (better("r1", 2, (5, 5, 5, 5), (2, 2, 1, 4)),),
    },
    "ch-matrix-power": {
        "mina": (better("r2", 3, (2, 1, 3, 4), (5, 5, 5, 4)),),
        "yusuf": (better("r2", 2, (2, 1, 4, 5), (5, 5, 4, 4)),),
    },
    "ch-retry-diff": {
        "tomas": (better("r1", 2, (4, 4, 3, 4), (2, 2, 2, 5)),),
        "aiko": (better("r2", 1, (2, 4, 2, 3), (3, 2, 3, 4)),),
    },
    "ch-cache-table": {
        "mina": (tie((4, 5, 5, 4), (4, 4, 4, 4)),),
        "tomas": (better("r1", 1, (5, 5, 5, 4), (4, 4, 2, 4)),),
    },
    "ch-slug-tests": {
        "aiko": (
            better("r2", 3, (2, 1, 2, 4), (5, 5, 5, 5)),
            better("r1", 3, (5, 5, 5, 5), (2, 2, 1, 3)),
        ),
    },
    "ch-berlin-days": {
        "yusuf": (PromptJudgement("cannot_judge"),),
    },
}

OPEN_ARENA: Script = {
    "oa-plant-poster": {
        "mina": (better("r2"),),
        "tomas": (better("r2"),),
        "yusuf": (better("r2"),),
    },
    "oa-late-rent": {
        "mina": (better("r1"),),
        "aiko": (better("r1"),),
    },
    "oa-blue-sky": {
        "tomas": (better("r1"),),
        "yusuf": (better("r1"),),
    },
    "oa-station-haiku": {
        "mina": (ranked(["r2"], ["r1"], ["r3"]),),
        "aiko": (ranked(["r2"], ["r1", "r3"]),),
    },
    "oa-ready-chime": {
        "tomas": (better("r1"),),
        "yusuf": (better("r1"),),
    },
    "oa-night-train": {
        "mina": (PromptJudgement("all_bad"),),
        "tomas": (better("r1"),),
    },
    "oa-pancakes": {
        "aiko": (better("r2"),),
        "yusuf": (better("r2"),),
    },
}
