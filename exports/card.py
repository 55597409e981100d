"""The README.md of a dataset: what `datasets` needs to load the folder, and what a person needs to judge it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exports.assembly import DataFile
from exports.formats.base import Format
from exports.statistics import Statistics
from exports.wording import accounting_lines, file_option_lines, option_lines, outcome_lines

EMPTY = "THIS DATASET HAS NO ROWS"


def card_of(
    *,
    project: str,
    format_: Format,
    manifest: dict[str, Any],
    files: Sequence[DataFile],
    statistics: Statistics,
    ending: str,
) -> str:
    """The text, in Markdown with YAML front matter. It says nothing that the manifest does not hold too."""
    rows = manifest["accounting"]["rows_out"]
    parts = [
        _front_matter(files, ending, rows),
        f"# {project}: {format_.label}\n\n{format_.description}",
        _why_empty(manifest) if not rows else "",
        _carries(format_),
        _splits(files),
        _columns(manifest),
        _table("Where every judgement went", ("", "count"), accounting_lines(manifest["accounting"])),
        _table("What went in", ("", "count"), _counts(statistics)),
        _agreement(statistics),
        _table("Options", ("option", "value"), option_lines(manifest["options"], format_.uses) + _file_lines(manifest)),
        _identity(manifest),
        "## Licence\n\nTo be added by whoever publishes this dataset.",
        f"Made with Tiebreak {manifest['product_version']}. `manifest.json` holds the same in a form for programs.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _file_lines(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    return file_option_lines(manifest["file_options"])


def _front_matter(files: Sequence[DataFile], ending: str, rows: int) -> str:
    """`configs` makes `datasets.load_dataset(folder)` find the files of each split."""
    splits = list(dict.fromkeys(file.split for file in files))
    lines = ["---"]
    if splits:
        lines += ["configs:", "- config_name: default", "  data_files:"]
        for split in splits:
            lines += [f"  - split: {split}", f'    path: "{split}-*{ending}"']
    size = next((name for limit, name in _SIZES if rows < limit), "10M<n<100M")
    return "\n".join([*lines, "size_categories:", f"- {size}", "---"])


_SIZES = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
_SIZES += [(10_000_000, "1M<n<10M")]


def _why_empty(manifest: dict[str, Any]) -> str:
    return f"# {EMPTY}\n\n**{manifest['why_empty']}**"


def _carries(format_: Format) -> str:
    return "\n\n".join(text for text in (format_.carries, format_.leaves_out) if text)


def _splits(files: Sequence[DataFile]) -> str:
    rows: dict[str, list[int]] = {}
    for file in files:
        rows.setdefault(file.split, []).append(file.written.rows)
    lines = [(split, f"{sum(counts):,}", f"{len(counts):,}") for split, counts in rows.items()]
    return _table("Splits", ("split", "rows", "files"), lines) if lines else ""


def _columns(manifest: dict[str, Any]) -> str:
    return _table("Columns", ("column", "kind"), list(manifest["proof"]["columns"].items()))


def _counts(statistics: Statistics) -> list[tuple[str, int]]:
    return [
        ("Tasks", statistics.tasks),
        ("Prompts", statistics.prompts),
        ("Responses", statistics.responses),
        ("Judgements", statistics.annotations),
        ("Annotators", len(statistics.annotators)),
        *outcome_lines(statistics.outcomes),
    ]


def _agreement(statistics: Statistics) -> str:
    percent, alpha = statistics.percent_agreement, statistics.alpha
    if percent is None:
        return "## Agreement\n\nNo prompt was judged by two people, so nothing can be said about agreement."
    judged = sum(statistics.judged.values())
    shown = "has no value (everybody always gave the same verdict)" if alpha is None else f"is {alpha:.3f}"
    return (
        f"## Agreement\n\n{judged:,} prompts were judged by two people or more. Two votes on one prompt agree in "
        f"{percent:.1%} of all pairs. Krippendorff's alpha (nominal) of the verdict {shown}. A verdict is which "
        "response won, a tie, or all bad; what was sent back or could not be judged does not count."
    )


def _identity(manifest: dict[str, Any]) -> str:
    said = {
        "pseudonym": "Annotators appear under pseudonyms that are the same in every dataset of this project.",
        "names": "Annotators appear under their user names. Handle this dataset as personal data.",
    }
    models = "Models are named." if manifest["identity"]["models"] else "Models are not named."
    return f"## People and models\n\n{said[manifest['identity']['annotators']]} {models}"


def _table(title: str, head: tuple[str, ...], lines: Sequence[tuple[Any, ...]]) -> str:
    if not lines:
        return ""
    shown = [" | ".join(_cell(value) for value in line) for line in [head, *lines]]
    rule = " | ".join("---" for _ in head)
    return "\n".join([f"## {title}", "", f"| {shown[0]} |", f"| {rule} |", *(f"| {line} |" for line in shown[1:])])


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
