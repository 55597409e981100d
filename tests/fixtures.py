"""Fixtures of tests that use the database; imported by the conftest files of those folders."""

import os
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parent.parent
REAL_DATA = Path(os.environ.get("TIEBREAK_REAL_DATA", REPOSITORY.parent / "shared" / "data"))


@pytest.fixture(autouse=True)
def own_folders(settings: Any, tmp_path: Path) -> None:
    """Files of a test go to its own folder."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": str(tmp_path / "media")},
        },
    }
    settings.EXPORT_ROOT, settings.IMPORT_ROOT = tmp_path / "exports", tmp_path / "imports"
    # The slow hash protects real passwords; tests sign in a thousand times.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    from django.core.cache import cache

    cache.clear()
