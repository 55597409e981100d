"""Rows and ids of files of any size, gathered outside of memory."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from exports.grouping import grouped
from exports.seen import SeenIds


@given(st.lists(st.sampled_from("abc")))
def test_rows_of_a_key_come_together_in_the_order_of_their_first(keys: list[str]) -> None:
    rows = [(line, {"key": key, "n": line}) for line, key in enumerate(keys, 1)]
    groups = list(grouped(rows, key=lambda row: str(row["key"])))
    assert [group[0][1]["key"] for group in groups] == list(dict.fromkeys(keys))  # type: ignore[index]
    assert sorted(row for group in groups for row in [line for line, _ in group]) == [line for line, _ in rows]
    assert all(group == sorted(group, key=lambda row: row[0]) for group in groups)


def test_many_rows_take_little_memory() -> None:
    tracemalloc.start()
    try:
        rows = ((line, {"key": str(line % 5000), "text": "x" * 1000}) for line in range(20_000))
        assert sum(len(group) for group in grouped(rows, key=lambda row: str(row["key"]))) == 20_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


def test_an_id_that_came_before_is_known_with_its_line() -> None:
    with SeenIds() as seen:
        assert [seen.first_line(name, line) for line, name in enumerate(["a", "b", "a", "é", "e\u0301"], 1)] == [
            None,
            None,
            1,
            None,
            4,
        ]
