"""What every decoding process shares: its limits, and how it answers.

A child gets the file on stdin. On stdout: one line of JSON, either `{"error": sentence}` or a header with `sizes`, then
as many blobs, one after the other. Any other end means "damaged".
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Sequence
from typing import Any

MEMORY_BYTES = 3 << 29  # 1.5 GiB: 40 Mpx with alpha and its converted copies
CPU_SECONDS = 20


class RefusedError(Exception):
    """The file is not accepted; the message is for the person who sent it."""


def limit_resources() -> None:
    """Bound memory and processor time; leave no core file behind. Call it before the decoders are loaded."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(process: Callable[[bytes, str], tuple[dict[str, Any], Sequence[bytes]]]) -> None:
    """Answer one file with what `process(data, argument)` gives. Its other exceptions end the child."""
    blobs: Sequence[bytes] = ()
    try:
        header, blobs = process(sys.stdin.buffer.read(), sys.argv[1])
        header["sizes"] = [len(blob) for blob in blobs]
    except RefusedError as error:
        header = {"error": str(error)}
    except MemoryError:
        header = {"error": "The file takes too much memory to decode. Make it smaller."}
    sys.stdout.buffer.write(json.dumps(header).encode() + b"\n")
    for blob in blobs:
        sys.stdout.buffer.write(blob)
