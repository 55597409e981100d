"""What a reader needs beside the rows: choices of the person who imports, and small files that came with the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Setup:
    """`mapping`: what each odd key or column of the file means, by key. `companions`: small files beside the data by
    name, such as dataset_info.json or a labelling configuration."""

    mapping: Mapping[str, str] = field(default_factory=dict)
    companions: Mapping[str, bytes] = field(default_factory=dict)


NO_SETUP = Setup()


@dataclass(frozen=True)
class Mappable:
    """A key or column whose meaning the person chooses from `choices` (value, label).

    `proposed` is one of the values; `examples` are the first contents as short texts.
    """

    key: str
    choices: Sequence[tuple[str, str]]
    proposed: str
    examples: Sequence[str] = ()
