"""How strong a preference is: from steps on the project's line to the number that is written.

The line is FORMATS section a2: `levels` steps on each side, and the middle where ties are allowed.
"""

from __future__ import annotations

from collections.abc import Iterable

from exports.options import ExportOptions


def scaled(steps: float, options: ExportOptions) -> float:
    """The margin, 0 or more, of a preference that is `steps` (1 … levels, or a mean of such) strong.

    "raw": the steps. "unit": the share of the strongest preference; without ties the line has no middle, so that the
    first step lies only half a step from it. "llama2": the weakest is 0 and the strongest 1, four levels are
    0, 1/3, 2/3, 1 (Llama 2, section 3.2.2).
    """
    levels, weakest = options.rubric.margin_levels, 1
    if options.margin_scale == "llama2":
        return min(1.0, max(0.0, (steps - weakest) / (levels - weakest))) if levels > weakest else 1.0
    if options.margin_scale == "unit":
        offset = 0.0 if options.rubric.allow_tie else 0.5
        return min(1.0, max(0.0, (steps - offset) / (levels - offset)))
    return steps


def signed(margin: float, *, is_first_better: bool) -> float:
    """The margin against the task's order of responses: negative where the first of the two is better (HelpSteer)."""
    return 0.0 - margin if is_first_better else margin


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of those that are known, or None."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
