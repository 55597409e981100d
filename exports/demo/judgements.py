"""What the four annotators of the demo said, and what they skipped."""

from __future__ import annotations

from exports.demo import judged_arena, judged_coding
from exports.demo.scripted import DemoJudgement, PromptJudgement

__all__ = ["DemoJudgement", "PromptJudgement", "judgement_for", "skips"]

_JUDGEMENTS = {"coding-help": judged_coding.JUDGEMENTS, "open-arena": judged_arena.JUDGEMENTS}

skips: list[tuple[str, str, str, str, str]] = [
    (
        "coding-help",
        "ch-arabic-tuple",
        "tomas",
        "language",
        "I can follow the code, but not the explanations in Arabic.",
    ),
]
"""(project slug, external id of the task, username, value of `SkipReason`, note)."""


def judgement_for(project_slug: str, task_external_id: str, username: str) -> DemoJudgement | None:
    """What this person said about this task; None if they have not judged it."""
    return _JUDGEMENTS.get(project_slug, {}).get(task_external_id, {}).get(username)
