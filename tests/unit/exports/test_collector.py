"""The collector rests during the work and is back after it, whatever happened."""

import gc

import pytest

from exports.collector import without_collector


def test_the_collector_rests_and_comes_back() -> None:
    with without_collector():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_collector_comes_back_after_an_error() -> None:
    with pytest.raises(ValueError, match="x"), without_collector():
        raise ValueError("x")
    assert gc.isenabled()
