from __future__ import annotations

import pytest

from exports.margins import mean, scaled, signed
from exports.options import ExportOptions, Rubric


@pytest.mark.parametrize(
    ("scale", "levels", "allow_tie", "expected"),
    [
        ("raw", 3, True, [1, 2, 3]),
        ("unit", 3, True, [1 / 3, 2 / 3, 1]),
        ("unit", 4, False, [1 / 7, 3 / 7, 5 / 7, 1]),
        ("llama2", 4, False, [0, 1 / 3, 2 / 3, 1]),
        ("llama2", 3, True, [0, 0.5, 1]),
        ("llama2", 1, True, [1]),
        ("unit", 1, True, [1]),
    ],
)
def test_steps_on_each_scale(scale: str, levels: int, allow_tie: bool, expected: list[float]) -> None:
    rubric = Rubric(margin_levels=levels, allow_tie=allow_tie)
    options = ExportOptions(margin_scale=scale, rubric=rubric)  # type: ignore[arg-type]
    assert [scaled(step, options) for step in range(1, levels + 1)] == pytest.approx(expected)


@pytest.mark.parametrize("scale", ["unit", "llama2"])
def test_scaled_margins_stay_between_0_and_1(scale: str) -> None:
    """Imported votes can be stronger than the project's line is long, and a mean can lie under its first step."""
    options = ExportOptions(margin_scale=scale, rubric=Rubric(margin_levels=3))  # type: ignore[arg-type]
    assert [scaled(step, options) for step in (0.0, 9.0)] == [0.0, 1.0]


def test_signed_margin_is_below_0_where_the_first_is_better() -> None:
    assert [signed(2.0, is_first_better=first) for first in (True, False)] == [-2.0, 2.0]
    assert str(signed(0.0, is_first_better=True)) == "0.0"


def test_mean_leaves_out_what_is_unknown() -> None:
    assert (mean([1.0, None, 2.0]), mean([None])) == (1.5, None)
