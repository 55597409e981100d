"""Files by web address, fetched only where an admin allows it, and only from the public internet.

The host is resolved once; all its addresses must be public, and the connection goes to one of them, so that a name
cannot point elsewhere a moment later. Redirects are followed a few times, each checked like the first address. No proxy
settings, cookies or credentials are used, and nothing that the other side says is shown to anybody.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
from typing import NoReturn
from urllib.parse import SplitResult, urljoin, urlsplit

from exports.problems import Problem, ProblemError
from exports.safe_names import visible

PORTS = {"http": 80, "https": 443}
MAX_REDIRECTS = 3
TOTAL_SECONDS, STEP_SECONDS = 20.0, 5.0
BLOCK = 1 << 16
EXPECTED = "a public address that answers with the file; or put the file into the upload"
# Beside what is not global: translations between address families that may hide a private address inside.
_HIDING = [ipaddress.ip_network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")]


def fetch(address: str, limit: int) -> bytes:
    """Return the content at an http or https address, at most ``limit`` bytes.

    :raises exports.problems.ProblemError: when the address may not be fetched or does not answer with a file in time.
    """
    deadline = time.monotonic() + TOTAL_SECONDS
    for _ in range(MAX_REDIRECTS + 1):
        answer = _once(address, limit, deadline)
        if isinstance(answer, bytes):
            return answer
        address = urljoin(address, answer)
    return _refuse(address, "which leads on too often")


def _once(address: str, limit: int, deadline: float) -> bytes | str:
    """The content, or the address that it moved to."""
    parts = checked(address)
    connection = _connection(parts, public_address(parts.hostname or "", address), deadline)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", path, headers={"User-Agent": "Tiebreak", "Accept-Encoding": "identity"})
        answer = connection.getresponse()
        if answer.status in (301, 302, 303, 307, 308):
            return answer.getheader("Location") or _refuse(address, "which moved without saying where")
        if answer.status != 200:
            _refuse(address, f"which answers with the status {answer.status}")
        return _body(answer, address, limit, deadline)
    except (OSError, http.client.HTTPException):
        _refuse(address, "which does not answer")
    finally:
        connection.close()


def _body(answer: http.client.HTTPResponse, address: str, limit: int, deadline: float) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := answer.read1(BLOCK):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            _refuse(address, f"with more than {limit:,} bytes")
        if time.monotonic() > deadline:
            _refuse(address, f"which takes longer than {TOTAL_SECONDS:.0f} seconds")
    return b"".join(pieces)


def checked(address: str) -> SplitResult:
    """The parts of an address that may be asked. Raises `ProblemError` for any other."""
    if not address.isascii() or not address.isprintable() or "\\" in address or " " in address:
        _refuse(address, "with characters that an address cannot have")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        _refuse(address, "which is no address")
    if parts.scheme not in PORTS or not parts.hostname:
        _refuse(address, "which is not of http or https")
    if parts.username is not None or parts.password is not None:
        _refuse(address, "with a user name")
    if port not in (None, *PORTS.values()):
        _refuse(address, "with an unusual port")
    return parts


def public_address(host: str, address: str) -> str:
    """One address of the host, when all of them are on the public internet. Raises `ProblemError`."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        _refuse(address, "whose host is not known")
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not all(is_public(each) for each in addresses):
        _refuse(address, "whose host is not on the public internet")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address is one that anybody on the internet may be reached at."""
    try:
        ip = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if any(ip in network for network in _HIDING):
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _connection(parts: SplitResult, ip: str, deadline: float) -> http.client.HTTPConnection:
    """A connection to ``ip`` that speaks to the host by its name."""
    host = parts.hostname or ""
    port = parts.port or PORTS[parts.scheme]
    timeout = max(0.1, min(STEP_SECONDS, deadline - time.monotonic()))
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    try:
        plain = socket.create_connection((ip, port), timeout)
        if parts.scheme == "https":
            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except OSError:
        _refuse(parts.geturl(), "which does not answer")
    connection.sock = plain
    return connection


def _refuse(address: str, why: str) -> NoReturn:
    found = f"the address {visible(address[:200])}, {why}"
    raise ProblemError(Problem("", None, "", found, EXPECTED))
