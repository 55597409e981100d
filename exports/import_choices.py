"""What the person who imports decides: the same on the page, in the API and on the command line."""

from __future__ import annotations

from typing import Literal

import msgspec

Duplicates = Literal["refuse", "skip", "update"]
Judgements = Literal["annotations", "gold", "suggestions", "leave_out"]
UnknownDimensions = Literal["refuse", "add", "leave_out"]
Misfits = Literal["refuse", "leave_out"]
Names = Literal["keep", "mask", "hold"]


class ImportChoices(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`mapping`: what each odd key or column means. `duplicates`: tasks whose id the project has already. `judgements`:
    what those in the file become. `dimensions`: ratings on a dimension that the project lacks. `misfits`: tasks with
    fewer or more responses than the project shows. `names`: tasks that name a model. `priority`: added to the file's.
    """

    mapping: dict[str, str] = {}
    duplicates: Duplicates = "refuse"
    judgements: Judgements = "annotations"
    dimensions: UnknownDimensions = "refuse"
    misfits: Misfits = "refuse"
    names: Names = "keep"
    priority: int = 0


def choices_from(stored: object) -> ImportChoices:
    """The choices as they were stored. Raises `msgspec.ValidationError` for anything else."""
    return msgspec.convert(stored, ImportChoices)
