"""What the comparison page weighs, over the real server: on slow lines every kilobyte is a wait, for every task."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import browser_type_launch_args
from tests.browser.helpers import fill, is_ready, submit
from tests.reliability.installation import Installation

__all__ = ["browser_type_launch_args"]
pytestmark = [pytest.mark.reliability, pytest.mark.timeout(300)]
FIRST_LOAD, FIRST_REQUESTS, NEXT = 100_000, 12, 40_000  # bytes on the wire, headers included
MEDIA = re.compile(r"/media/|\.woff2")


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    made = Installation(tmp_path_factory.mktemp("weight"))
    made.prepare()
    made.manage("demo")
    made.start("web")
    yield made
    made.stop()


class Scales:
    """Counts requests and the bytes that came over the wire, media and the font for mathematics aside."""

    def __init__(self, session: CDPSession) -> None:
        self.session, self.urls, self.bytes = session, {}, {}
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.loadingFinished", self._finished)

    urls: dict[str, str]
    bytes: dict[str, float]

    def _sent(self, event: dict[str, Any]) -> None:
        self.urls[event["requestId"]] = event["request"]["url"]

    def _finished(self, event: dict[str, Any]) -> None:
        if not MEDIA.search(self.urls.get(event["requestId"], "")):
            self.bytes[event["requestId"]] = event["encodedDataLength"]

    def reset(self) -> None:
        self.urls.clear()
        self.bytes.clear()

    @property
    def weighed(self) -> dict[str, float]:
        return {self.urls[key]: size for key, size in self.bytes.items() if key in self.urls}


def password(installation: Installation, username: str) -> str:
    text = Path(installation.environment["TIEBREAK_VAR"], "demo-accounts.txt").read_text()
    match = re.search(rf"\b{username}\s+(\S+)", text)
    assert match, text
    return match[1]


def test_first_load_and_next_task_are_light(page: Page, installation: Installation) -> None:
    page.goto(f"{installation.url}/accounts/login/")
    page.get_by_label("Username or e-mail").fill("mina")
    page.get_by_label("Password", exact=True).fill(password(installation, "mina"))
    page.get_by_role("button", name="Sign in").click()
    page.locator("a[href*='/work/']").first.click()
    page.get_by_role("button", name=re.compile("Start judging|Take the next task|Go on")).click()
    is_ready(page)

    scales = Scales(page.context.new_cdp_session(page))
    page.reload()
    is_ready(page)
    page.wait_for_load_state("networkidle")
    first = scales.weighed
    print(f"\nfirst load: {sum(first.values()):,.0f} bytes in {len(first)} requests")
    assert len(first) <= FIRST_REQUESTS, first
    assert sum(first.values()) <= FIRST_LOAD, first

    before = page.locator("#panel").get_attribute("data-assignment")
    fill(page)
    page.wait_for_load_state("networkidle")
    scales.reset()
    submit(page)
    expect(page.locator("#panel")).not_to_have_attribute("data-assignment", str(before))
    page.wait_for_load_state("networkidle")
    following = scales.weighed
    print(f"submit and next: {sum(following.values()):,.0f} bytes in {len(following)} requests")
    assert sum(following.values()) <= NEXT, following
