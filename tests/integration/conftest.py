"""Fixtures of this folder's tests."""

from tests.fixtures import empty_cache, own_folders

__all__ = ["empty_cache", "own_folders"]
