"""Names of the responses to one prompt where a format wants to know which model made each."""

from __future__ import annotations

from collections import Counter

from exports.options import ExportOptions
from exports.records import PromptRecord


def source_names(prompt: PromptRecord, options: ExportOptions) -> dict[str, str]:
    """A name for each response by its id: its model, or its id where models are unknown or not to be told.

    Names differ within a prompt: a second answer of the same model ends in `#2`. None is "user" in any case, which
    stands for the human.
    """
    seen: Counter[str] = Counter()
    names: dict[str, str] = {}
    for response in prompt.responses:
        name = (response.model if options.include_models else None) or response.id
        name = f"model {name}" if name.lower() == "user" else name
        while True:
            seen[name] += 1
            unique = name if seen[name] == 1 else f"{name}#{seen[name]}"
            if unique not in names.values():
                break
        names[response.id] = unique
    return names
