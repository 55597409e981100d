"""Where every vote went: each one is exported, or dropped under one reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Accounting:
    """Counts of one export. `drops` counts votes by reason, `pair_drops` the single pairs of votes by reason.

    A vote of a ranking may lose some of its pairs and still be exported: those are in `pair_drops` only.
    `adjudications` counts the final judgements of reviewers, which are not votes; `adjudications_exported` those that
    stand in rows, in place of the votes on their prompts. `superseded` counts earlier versions of judgements, which are
    no votes either, by why they were replaced.
    """

    votes_in: int = 0
    votes_exported: int = 0
    rows_out: int = 0
    adjudications: int = 0
    adjudications_exported: int = 0
    drops: dict[str, int] = field(default_factory=dict)
    pair_drops: dict[str, int] = field(default_factory=dict)
    superseded: dict[str, int] = field(default_factory=dict)

    def drop(self, reason: str) -> None:
        self.drops[reason] = self.drops.get(reason, 0) + 1

    def drop_pair(self, reason: str) -> None:
        self.pair_drops[reason] = self.pair_drops.get(reason, 0) + 1

    def add(self, other: Accounting) -> None:
        """Count what `other` has counted of further tasks."""
        for name, value in vars(other).items():
            if isinstance(value, int):
                setattr(self, name, getattr(self, name) + value)
            else:
                counts = getattr(self, name)
                for reason, count in value.items():
                    counts[reason] = counts.get(reason, 0) + count

    def check(self) -> None:
        """Raise ValueError unless every vote is accounted for."""
        dropped = sum(self.drops.values())
        if self.votes_in != self.votes_exported + dropped:
            raise ValueError(
                f"The votes do not add up: {self.votes_in} in, {self.votes_exported} exported, {dropped} dropped."
            )

    def as_dict(self) -> dict[str, Any]:
        """The counts for the manifest, reasons in alphabetical order."""
        counts = asdict(self)
        for key in ("drops", "pair_drops", "superseded"):
            counts[key] = dict(sorted(counts[key].items()))
        return counts
