"""The controls in a response's pane as plain data: flags and the rewrite."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.enums import FlagKind, Requirement

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class FlagControl:
    kind: str
    label: str
    is_set: bool
    note_name: str
    note: str

    @property
    def needs_note(self) -> bool:
        return self.kind == FlagKind.OTHER


@dataclass(frozen=True)
class FlagControls:
    name: str
    kinds: list[FlagControl]
    error: str


@dataclass(frozen=True)
class RewriteControls:
    name: str
    text: str
    target: str
    is_required: bool
    error: str


def flag_controls(
    offered: Sequence[str], letter: str, fields: Fields, errors: Mapping[str, str]
) -> FlagControls | None:
    """Return the flags that the project offers on a response; ``None`` when it offers none."""
    if not offered:
        return None
    name = f"flag-{letter}"
    value = fields.get(name, "")
    chosen = set(value) if isinstance(value, list) else {value}
    kinds = [
        FlagControl(
            kind=kind,
            label=str(FlagKind(kind).label),
            is_set=kind in chosen,
            note_name=f"flagnote-{kind}-{letter}",
            note=str(fields.get(f"flagnote-{kind}-{letter}", "")),
        )
        for kind in FlagKind.values
        if kind in offered
    ]
    return FlagControls(name, kinds, errors.get(name, ""))


def rewrite_controls(
    requirement: str, target: str, letter: str, fields: Fields, errors: Mapping[str, str]
) -> RewriteControls | None:
    """Return the rewrite of a response, as far as it is written; ``None`` when the project asks for none."""
    if requirement == Requirement.OFF:
        return None
    name = f"rewrite-{letter}"
    text = fields.get(name, "")
    is_required = requirement == Requirement.REQUIRED
    return RewriteControls(name, text if isinstance(text, str) else "", target, is_required, errors.get(name, ""))
