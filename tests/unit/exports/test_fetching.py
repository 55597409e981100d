"""Fetching from the web: only public addresses, only once resolved, never longer or larger than allowed."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from exports import fetching
from exports.problems import ProblemError

PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
    *("::1", "::ffff:127.0.0.1", "fd00:ec2::254", "fe80::1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "::"),
    *("0.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "not an address", "fe80::1%eth0"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_on_the_public_internet(address: str) -> None:
    assert not fetching.is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_addresses_that_are(address: str) -> None:
    assert fetching.is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://0.0.0.0/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://017700000001/",
        "http://①②⑦.0.0.1/",
        "http://169.254.169.254/latest/",
        "http://ok@127.0.0.1/",
        "http://127.0.0.1#@ok",
        "http://ok\\@127.0.0.1/",
        "http://ok\t.example/",
        "http://ok\n.example/",
        "http://ok .example/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "ftp://example.org/",
        "http:///path",
        "http://example.org:22/",
        "http://example.org:6379/",
        "http://example.org:99999/",
        "http://[bad/",
    ],
)
def test_hostile_addresses_make_no_connection(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *a, **k: made.append(a))

    with pytest.raises(ProblemError) as caught:
        fetching.fetch(address, 1000)

    assert made == []
    assert caught.value.problem.expected == fetching.EXPECTED


class Answers(http.server.BaseHTTPRequestHandler):
    hits: list[str] = []

    def do_GET(self) -> None:
        self.hits.append(f"{self.headers['Host']}{self.path}")
        if self.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/to/"))
            self.end_headers()
            return
        self.send_response(404 if self.path == "/none" else 200)
        body = b"secret words" if self.path == "/none" else b"x" * 50
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A server that the name pictures.example leads to, as if it had the public address 93.184.216.34."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    real: Callable[..., socket.socket] = socket.create_connection
    public = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 0))]
    look_up = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *a, **k: public if host == "pictures.example" else look_up(host, *a, **k)
    )

    def connect(address: tuple[str, int], *arguments: Any) -> socket.socket:
        assert address == ("93.184.216.34", 80)  # the address that was checked, not the name again
        return real(("127.0.0.1", server.server_port), *arguments)

    monkeypatch.setattr(fetching.socket, "create_connection", connect)
    Answers.hits = []
    yield Answers.hits
    server.shutdown()
    server.server_close()


def test_a_public_file_is_fetched_from_the_address_that_was_checked(served: list[str]) -> None:
    assert fetching.fetch("http://pictures.example/a.png?b=1", 1000) == b"x" * 50
    assert served == ["pictures.example/a.png?b=1"]


def test_more_than_the_limit_is_not_read(served: list[str]) -> None:
    with pytest.raises(ProblemError, match="more than 49 bytes"):
        fetching.fetch("http://pictures.example/a.png", 49)


def test_what_the_other_side_says_is_not_passed_on(served: list[str]) -> None:
    with pytest.raises(ProblemError) as caught:
        fetching.fetch("http://pictures.example/none", 1000)
    assert "status 404" in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("target", ["http://127.0.0.1/x", "file:///etc/passwd", "gopher://x/", "//localhost/"])
def test_a_redirect_to_a_forbidden_place_is_not_followed(served: list[str], target: str) -> None:
    with pytest.raises(ProblemError):
        fetching.fetch(f"http://pictures.example/to/{target}", 1000)
    assert len(served) == 1


def test_redirects_are_followed_a_few_times_only(served: list[str]) -> None:
    assert fetching.fetch("http://pictures.example/to//to//to//a.png", 1000) == b"x" * 50
    with pytest.raises(ProblemError, match="leads on too often"):
        fetching.fetch("http://pictures.example" + "/to/" * 5 + "/a.png", 1000)


def test_a_host_with_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(2, 1, 6, "", ("93.184.216.34", 0)), (2, 1, 6, "", ("10.0.0.1", 0))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: found)
    with pytest.raises(ProblemError, match="not on the public internet"):
        fetching.fetch("http://both.example/", 1000)


def test_an_answer_that_drips_ends_in_time(served: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TOTAL_SECONDS", -1.0)
    with pytest.raises(ProblemError, match="takes longer"):
        fetching.fetch("http://pictures.example/a.png", 1000)
