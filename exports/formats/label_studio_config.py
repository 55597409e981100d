"""The labelling configuration of a Label Studio project: which control is about which field."""

from __future__ import annotations

import re
from dataclasses import dataclass

from exports.formats.setup import Setup

_TAG = re.compile(r"<\s*([A-Za-z]+)((?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*/?>")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_CONTROLS = {
    "pairwise": "pairwise",
    "ranker": "ranker",
    "rating": "rating",
    "choices": "choices",
    "textarea": "textarea",
}


@dataclass(frozen=True)
class Control:
    """A control of the kind `kind` called `name`, about the objects `objects`, which show the fields `fields`."""

    kind: str
    name: str
    objects: tuple[str, ...]
    fields: tuple[str, ...]


def controls_of(setup: Setup) -> list[Control]:
    """The controls of the configuration beside the data; none where there is no .xml.

    The tags are looked at one by one and no document is built: nothing in them can refer to anything.
    """
    files = [content for name, content in setup.companions.items() if name.lower().endswith(".xml")]
    tags = []
    for content in files:
        text = content.decode("utf-8", "replace")
        tags += [(kind.lower(), _attributes(held)) for kind, held in _TAG.findall(text)]
    shown = {held["name"]: held["value"].lstrip("$") for _, held in tags if "name" in held and "value" in held}
    controls = []
    for kind, held in tags:
        if kind in _CONTROLS and "name" in held and "toname" in held:
            objects = tuple(part.strip() for part in held["toname"].split(",") if part.strip())
            fields = tuple(shown.get(name, name) for name in objects)
            controls.append(Control(_CONTROLS[kind], held["name"], objects, fields))
    return controls


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): double or single for name, double, single in _ATTRIBUTE.findall(text)}
