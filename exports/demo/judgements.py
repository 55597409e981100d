"""What the four annotators of the demo said, and what they skipped."""

from __future__ import annotations

from dataclasses import replace

from exports.demo.folders import read_text
from exports.demo.scripted import CODING_HELP, OPEN_ARENA, DemoJudgement, PromptJudgement

__all__ = ["DemoJudgement", "PromptJudgement", "judgement_for", "skips"]

_SCRIPTS = {"coding-help": CODING_HELP, "open-arena": OPEN_ARENA}

skips: list[tuple[str, str, str, str, str]] = [
    ("coding-help", "ch-arabic-tuple", "tomas", "language", "I can follow the code, but not the Arabic explanations."),
]
"""(project slug, external id of the task, username, value of `SkipReason`, note)."""


def judgement_for(project_slug: str, task_external_id: str, username: str) -> DemoJudgement | None:
    """What this person said about this task; None if they have not judged it."""
    said = _SCRIPTS.get(project_slug, {}).get(task_external_id, {}).get(username, ())
    prompts = {
        f"p{number}": _with_reason(judgement, read_text(task_external_id, f"p{number}-why-{username}"))
        for number, judgement in enumerate(said, start=1)
    }
    return DemoJudgement(prompts) if prompts else None


def _with_reason(judgement: PromptJudgement, why: str) -> PromptJudgement:
    if judgement.outcome == "cannot_judge":
        return replace(judgement, reason=why)
    return replace(judgement, justification=why)
