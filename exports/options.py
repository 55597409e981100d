"""What the person who exports chose, and what the project asked its people.

Two structs on purpose: `ExportOptions` decide which rows there are and what stands in them, `FileOptions` only how the
rows become files.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

RankingPairs = Literal["all", "best_vs_rest", "best_vs_worst", "adjacent"]
Consensus = Literal["each", "majority", "closest_three", "soft"]
MarginScale = Literal["raw", "unit", "llama2"]
Container = Literal["", "jsonl", "json", "csv", "parquet", "files"]

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]


class Options(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """Base of the structs below. Immutable: make a changed copy with `msgspec.structs.replace`."""


class DimensionScale(Options, kw_only=True, frozen=True):
    """A dimension with whole numbers from `lowest` to `highest`. `per_response`: else it is about the comparison."""

    key: str
    lowest: int
    highest: int
    per_response: bool = True


class Rubric(Options, kw_only=True, frozen=True):
    """What the rows are measured with. `margin_levels` and `allow_tie` give the line: 3 with ties has 7 points."""

    margin_levels: Annotated[int, Meta(ge=1)] = 3
    allow_tie: bool = True
    dimensions: tuple[DimensionScale, ...] = ()


class ExportOptions(Options, kw_only=True, frozen=True):
    """Which rows there are and what stands in them. `Format.uses` names the fields that change a format's rows.

    `ranking_pairs`: which pairs a ranking of more than two groups gives.
    `margin`: "absolute" writes the strength of the preference (0 or more) on every row and drops votes without one;
    "signed" makes it negative where the first of the two in the task's order is better. `margin_scale`: see
    `exports.margins`.
    `consensus`: "each" writes a row per annotator, "majority" one per pair that most votes support, "closest_three"
    the mean of the three strengths that lie closest together, "soft" one with the share of the votes in `p_chosen`.
    `adjudications`: "prefer" lets the final judgement of a reviewer stand for all votes on its prompt.
    `labels`: whether an answer is good is told by the winner, or by the ratings on `label_dimension` (empty: the first
    one rated per response): good from `good_from`, bad up to `bad_to` (None: the upper and lower third of the range).
    `tie_labels`: a tie makes all its answers good, "all bad" all bad; else those votes give no labels.
    `min_votes`, `min_agreement` (share of the votes on a prompt for the most common verdict): prompts below are left
    out. `include_returned`, `include_suspended`: also use what a reviewer gave back, what suspended members wrote.
    `rewrites`: "pairs" adds what people wrote themselves (rewrite over original, or as a completion), "only" leaves
    everything else out. `include_models`: name the models. `identity`: "names" needs a permission and a reason.
    `detail`: whether a Scale export describes its annotations. `rubric`: filled in from the project, not chosen.
    """

    ranking_pairs: RankingPairs = "all"
    margin: Literal["none", "absolute", "signed"] = "none"
    margin_scale: MarginScale = "raw"
    consensus: Consensus = "each"
    adjudications: Literal["ignore", "prefer"] = "ignore"
    labels: Literal["winner", "ratings"] = "winner"
    label_dimension: str = ""
    good_from: int | None = None
    bad_to: int | None = None
    tie_labels: bool = False
    min_votes: Annotated[int, Meta(ge=1)] = 1
    min_agreement: Share = 0.0
    include_returned: bool = False
    include_suspended: bool = True
    rewrites: Literal["none", "pairs", "only"] = "none"
    include_models: bool = True
    identity: Literal["pseudonym", "names"] = "pseudonym"
    detail: Literal["detailed", "terse"] = "detailed"
    rubric: Rubric = Rubric()

    def without_margin(self) -> ExportOptions:
        """The same without a margin: no vote is dropped for want of one that would not be written."""
        return msgspec.structs.replace(self, margin="none")


class FileOptions(Options, kw_only=True, frozen=True):
    """How the rows become files. `container`: empty for the format's first one. `rows_per_file`: 0 for one file.

    `validation` and `test`: the shares of the tasks that go there, by `seed`. `embed_media`: put pictures into Parquet.
    """

    container: Container = ""
    compression: Literal["none", "gzip", "zstd"] = "none"
    rows_per_file: Count = 0
    validation: Share = 0.0
    test: Share = 0.0
    seed: int = 0
    embed_media: bool = True
