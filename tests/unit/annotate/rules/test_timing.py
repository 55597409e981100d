"""What the page says about working time is believed as far as time really passed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules.timing import honest_seconds


@pytest.mark.parametrize(
    ("active", "idle", "wall", "expected"),
    [
        (30, 10, 60, (30, 10)),
        (90, 10, 60, (60, 0)),
        (30, 90, 60, (30, 30)),
        (30, None, 60, (30, 0)),
        (None, 10, 60, (None, None)),
        (-1, 10, 60, (None, None)),
        (30, -5, 60, (30, 0)),
        (30, 10, -5, (0, 0)),
        (10**12, 0, 10**12, (2**31 - 1, 0)),
    ],
)
def test_both_together_fit_into_the_time_that_passed(
    active: int | None, idle: int | None, wall: int, expected: tuple[int | None, int | None]
) -> None:
    assert honest_seconds(active, idle, wall) == expected


@given(st.integers(), st.integers(), st.integers())
def test_no_numbers_make_more_time_than_there_was(active: int, idle: int, wall: int) -> None:
    kept = honest_seconds(active, idle, wall)

    assert kept == (None, None) or 0 <= sum(filter(None, kept)) <= max(wall, 0)
