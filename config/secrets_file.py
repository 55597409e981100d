"""The secret key of an installation, made on the first start and readable by its owner alone."""

import os
import secrets
import time
from pathlib import Path


def read_or_create_secret(path: Path) -> str:
    """Return the key in ``path``; write 50 random bytes (URL-safe text) there with mode 0600 when it is missing.

    Two processes that start together agree: the file is created exclusively and the loser reads the winner's.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path)
    with os.fdopen(handle, "w") as file:
        file.write(key := secrets.token_urlsafe(50))
    return key


def _read(path: Path) -> str:
    for _ in range(50):  # the other process may not have written it yet
        if key := path.read_text().strip():
            return key
        time.sleep(0.02)
    raise RuntimeError(f"{path} is empty. Delete it and start again: a new secret key will be written.")
