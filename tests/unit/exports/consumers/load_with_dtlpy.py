"""Run in a process of its own, as dtlpy looks for the network and writes settings into the home folder."""

from __future__ import annotations

import json
import socket
import sys


def refuse(*_: object) -> None:
    raise OSError("no network in tests")


if __name__ == "__main__":
    socket.socket.connect = socket.getaddrinfo = refuse  # type: ignore[assignment, method-assign]
    from dtlpy.entities.prompt_item import PromptItem

    item = PromptItem.from_local_file(sys.argv[1])
    prompts = [{"key": prompt.key, "elements": prompt.elements, "metadata": prompt.metadata} for prompt in item.prompts]
    print(json.dumps({"prompts": prompts, "again": item.to_json()}))
