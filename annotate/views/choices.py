"""The controls of the comparison page as plain data: rating rows, the preference line, ranking rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotate.enums import DimensionKind, DimensionTarget, Requirement
from annotate.forms.judgement import rating_name
from annotate.models import Dimension
from annotate.rules.judgement import ALL_BAD, CANNOT_JUDGE, TIE, JudgementSpec

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class _Strength:
    """How much better, in the places where the page says so."""

    short: Promise
    alone: Promise
    sentence: Promise
    end: Promise


_NEGLIGIBLY = _Strength(
    short=gettext_lazy("Negligibly"),
    alone=gettext_lazy("Negligibly better"),
    sentence=gettext_lazy("%(letter)s is negligibly better"),
    end=gettext_lazy("%(letter)s negligibly better"),
)
_SLIGHTLY = _Strength(
    short=gettext_lazy("Slightly"),
    alone=gettext_lazy("Slightly better"),
    sentence=gettext_lazy("%(letter)s is slightly better"),
    end=gettext_lazy("%(letter)s slightly better"),
)
_BETTER = _Strength(
    short=gettext_lazy("Better"),
    alone=gettext_lazy("Better"),
    sentence=gettext_lazy("%(letter)s is better"),
    end=gettext_lazy("%(letter)s better"),
)
_MUCH = _Strength(
    short=gettext_lazy("Much"),
    alone=gettext_lazy("Much better"),
    sentence=gettext_lazy("%(letter)s is much better"),
    end=gettext_lazy("%(letter)s much better"),
)
_SIGNIFICANTLY = _Strength(
    short=gettext_lazy("Significantly"),
    alone=gettext_lazy("Significantly better"),
    sentence=gettext_lazy("%(letter)s is significantly better"),
    end=gettext_lazy("%(letter)s significantly better"),
)
_STRENGTHS = {
    0: [_BETTER],
    1: [_BETTER],
    2: [_SLIGHTLY, _MUCH],
    3: [_SLIGHTLY, _BETTER, _MUCH],
    4: [_NEGLIGIBLY, _SLIGHTLY, _BETTER, _SIGNIFICANTLY],
}


@dataclass(frozen=True)
class Option:
    value: str
    text: str
    aria_label: str
    is_checked: bool


@dataclass(frozen=True)
class Row:
    """One group of choices. ``letter`` is empty for the comparison as a whole."""

    name: str
    letter: str
    aria_label: str
    options: list[Option]
    value: str = ""
    error: str = ""
    justification_name: str = ""
    justification_value: str = ""


@dataclass(frozen=True)
class DimensionRows:
    key: str
    label: str
    definition: str
    kind: str
    is_required: bool
    anchors: str
    points: list[dict[str, Any]]
    rows: list[Row]
    has_justification: bool = False
    needs_justification: bool = False

    @property
    def is_justified(self) -> bool:
        """Whether a reason for one of the ratings is written already."""
        return any(row.justification_value for row in self.rows)


@dataclass(frozen=True)
class Step:
    """One step of the preference line. ``side``: a, t (tie) or b; ``dots``: something to loop over."""

    value: str
    label: str
    is_checked: bool
    side: str = ""
    dots: Sequence[int] = field(default_factory=list)


def _chosen(fields: Fields, name: str) -> set[str]:
    value = fields.get(name, "")
    return set(value) if isinstance(value, list) else {value}


# ------------------------------------------------------------------------------------------------ dimensions
def dimension_rows(dimension: Dimension, letters: str, fields: Fields, errors: Mapping[str, str]) -> DimensionRows:
    """Return the rows of a dimension: one per response, or one for the comparison."""
    targets = letters if dimension.target == DimensionTarget.RESPONSE else [""]
    first, last = (dimension.points[0], dimension.points[-1]) if dimension.points else ({}, {})
    is_scale = dimension.kind == DimensionKind.SCALE and bool(dimension.points)
    return DimensionRows(
        key=dimension.key,
        label=dimension.label,
        definition=dimension.definition,
        kind=dimension.kind,
        is_required=dimension.is_required,
        anchors=f"{first['value']} {first['label'].lower()} – {last['value']} {last['label'].lower()}"
        if is_scale
        else "",
        points=dimension.points,
        rows=[_dimension_row(dimension, letter, fields, errors) for letter in targets],
        has_justification=dimension.justification != Requirement.OFF,
        needs_justification=dimension.justification == Requirement.REQUIRED and dimension.is_required,
    )


def _dimension_row(dimension: Dimension, letter: str, fields: Fields, errors: Mapping[str, str]) -> Row:
    name, why = rating_name(dimension.key, letter), rating_name(dimension.key, letter, "why")
    names = {"dimension": dimension.label, "letter": letter.upper()}
    whole = _("%(dimension)s, response %(letter)s") % names if letter else dimension.label
    value = fields.get(name, "")
    return Row(
        name=name,
        letter=letter,
        aria_label=whole,
        options=_options(dimension, _chosen(fields, name)),
        value=value if isinstance(value, str) else "",
        error=errors.get(name, ""),
        justification_name=why,
        justification_value=str(fields.get(why, "")),
    )


def _options(dimension: Dimension, chosen: set[str]) -> list[Option]:
    labels = {point["value"]: point["label"] for point in dimension.points}
    if dimension.kind == DimensionKind.TEXT:
        return []
    if dimension.kind == DimensionKind.TAGS:
        return [Option(label, label, label, label in chosen) for label in labels.values()]
    if dimension.kind == DimensionKind.YES_NO:
        labels = labels or {1: _("Yes"), 0: _("No")}
        values = [1, 0]
    else:
        values = list(range(dimension.minimum, dimension.maximum + 1))
    options = []
    for value in values:
        label = labels.get(value, "")
        is_number = dimension.kind == DimensionKind.SCALE or not label
        aria = f"{value}, {label}" if is_number and label else label or str(value)
        options.append(Option(str(value), str(value) if is_number else label, aria, str(value) in chosen))
    return options


# ------------------------------------------------------------------------------------------------ preference
def preference_controls(spec: JudgementSpec, letters: str, fields: Fields, errors: Mapping[str, str]) -> dict[str, Any]:
    """Return the controls of the overall preference: a line for two responses, ranks and a margin for more."""
    levels = spec.margin_levels
    return {
        "line": [] if spec.is_ranked else line_steps(levels, spec.allow_tie, fields),
        "line_ends": line_ends(levels, spec.allow_tie),
        "ranking": ranking_rows(letters, fields) if spec.is_ranked else [],
        "margin_row": margin_row(levels, fields, errors) if spec.is_ranked and levels else None,
        "extras": extra_steps(spec, fields),
    }


def line_steps(levels: int, allow_tie: bool, fields: Fields) -> list[Step]:
    """Return the line for two responses: A strongest … tie … B strongest; without margins just A, tie, B."""
    chosen = _chosen(fields, "preference")
    left = [_line_step("a", size, levels, chosen) for size in range(max(levels, 1), 0, -1)]
    right = [_line_step("b", size, levels, chosen) for size in range(1, max(levels, 1) + 1)]
    middle = [Step(TIE, _("About equal"), TIE in chosen, "t", [1, 2])] if allow_tie else []
    return [*left, *middle, *right]


def _line_step(side: str, size: int, levels: int, chosen: set[str]) -> Step:
    value = f"{side}{size}" if levels else side
    label = str(_STRENGTHS[levels][size - 1].sentence) % {"letter": side.upper()}
    return Step(value, label, value in chosen, side, list(range(size)))


def line_ends(levels: int, allow_tie: bool) -> tuple[str, str, str]:
    """Return the words under the line: left end, middle, right end."""
    strongest = str(_STRENGTHS[levels][-1].end)
    return strongest % {"letter": "A"}, _("equal") if allow_tie else "", strongest % {"letter": "B"}


def ranking_rows(letters: str, fields: Fields) -> list[Row]:
    """Return one row of ranks 1…n per response; equal ranks are a tie."""
    rows = []
    for letter in letters:
        name = f"rank-{letter}"
        chosen = _chosen(fields, name)
        options = [
            Option(str(rank), str(rank), _("Rank %(rank)s") % {"rank": rank}, str(rank) in chosen)
            for rank in range(1, len(letters) + 1)
        ]
        rows.append(Row(name, letter, _("Rank of response %(letter)s") % {"letter": letter.upper()}, options))
    return rows


def margin_row(levels: int, fields: Fields, errors: Mapping[str, str]) -> Row:
    """Return how much better the first-ranked response is than the second."""
    chosen = _chosen(fields, "margin")
    options = [
        Option(str(size), str(strength.short), str(strength.alone), str(size) in chosen)
        for size, strength in enumerate(_STRENGTHS[levels], start=1)
    ]
    label = _("How much better the first is than the second")
    return Row("margin", "", label, options, error=errors.get("margin", ""))


def extra_steps(spec: JudgementSpec, fields: Fields) -> list[Step]:
    """Return the outcomes beside the line: all bad, cannot judge, where the project offers them."""
    chosen = _chosen(fields, "preference")
    both = _("All are bad") if spec.is_ranked else _("Both are bad")
    offered = [(ALL_BAD, both, spec.allow_all_bad), (CANNOT_JUDGE, _("Cannot judge"), spec.allow_cannot_judge)]
    return [Step(value, label, value in chosen) for value, label, is_offered in offered if is_offered]
