"""A real Chromium against a live server. Every test fails on script errors, on anything that the content security

policy had to stop, on a request to another site, and on an answer of 500.
"""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

from scripts.checks import BROWSERS, HOW_TO_INSTALL
from tests.fixtures import empty_cache, own_folders

__all__ = ["empty_cache", "own_folders"]
# Playwright's loop runs in this thread, and Django would take every query of a test for one from inside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LAPTOP, PHONE = {"width": 1366, "height": 768}, {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the system's Chromium. Without one the tests are skipped, on a build machine they fail."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(HOW_TO_INSTALL)
        pytest.skip(HOW_TO_INSTALL)
    return {**browser_type_launch_args, "executable_path": path, "args": FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": LAPTOP, "locale": "en-GB", "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A file, as in use: threads of the server that share one connection to memory would share its transactions."""
    default = settings.DATABASES["default"]
    if default["ENGINE"].endswith("sqlite3"):
        default.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        # No power cut is tested here, and waiting for the disk takes longer than all the rest.
        default["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"


@pytest.fixture(scope="session")
def base_url(django_db_setup: None, live_server: Any) -> str:
    """Addresses in tests begin with a slash."""
    call_command("build_messages")
    call_command("build_static")
    return str(live_server.url)


class Watch:
    """What went wrong in the browser. A test that provokes an answer of 500 clears ``troubles`` itself."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.troubles: list[str] = []
        self.requests: list[str] = []

    def on_console(self, message: ConsoleMessage) -> None:
        if "content security policy" in message.text.lower():
            self.troubles.append(f"console: {message.text}")

    def on_error(self, error: WebError) -> None:
        self.troubles.append(f"script error: {error.error}")

    def on_request(self, request: Request) -> None:
        self.requests.append(f"{request.method} {request.url}")
        if not request.url.startswith((self.origin, "blob:")):
            self.troubles.append(f"request to {request.url}")

    def on_response(self, response: Response) -> None:
        if response.status >= 500:
            self.troubles.append(f"{response.status} for {response.url}")


@pytest.fixture(autouse=True)
def watch(context: BrowserContext, base_url: str) -> Iterator[Watch]:
    """Fail the test for anything that the pages must never cause."""
    context.set_default_timeout(10_000)
    seen = Watch(base_url)
    context.on("console", seen.on_console)
    context.on("weberror", seen.on_error)
    context.on("request", seen.on_request)
    context.on("response", seen.on_response)
    yield seen
    assert seen.troubles == []
