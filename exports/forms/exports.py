"""The form of a new dataset: only the options that the chosen format uses."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotate.enums import DimensionKind, DimensionTarget
from annotate.models import Project
from exports.actions import file_options_from, options_from
from exports.formats import Format
from exports.options import ExportOptions, FileOptions
from exports.wording import ALWAYS, FILE_OPTIONS, OPTIONS

HELP = {
    "margin": _("With margins, judgements that have none are left out and counted."),
    "consensus": _("How several judgements of the same responses become rows."),
    "adjudications": _("The final judgement of a reviewer where annotators disagree."),
    "label_dimension": _("Only where ratings decide."),
    "good_from": _("Only where ratings decide. Empty: the upper third of the range."),
    "bad_to": _("Only where ratings decide. Empty: the lower third of the range."),
    "tie_labels": _("Else ties and “all bad” give no labels."),
    "min_votes": _("Prompts with fewer votes are left out."),
    "min_agreement": _("Percent of the votes for the most common verdict. Prompts below are left out."),
    "rewrites": _("Better answers that annotators wrote themselves."),
    "compression": _("For JSON and CSV."),
    "rows_per_file": _("0 for one file."),
    "validation": _("Percent of the tasks. Tasks with the same prompt stay together."),
    "test": _("Percent of the tasks."),
    "seed": _("The same number gives the same split."),
    "embed_media": _("For formats with pictures."),
    "identity": _("User names are personal data. Your reason is kept with the dataset and in the audit log."),
    "reason": _("Only for user names: why they have to leave."),
}
PERCENT = frozenset({"min_agreement", "validation", "test"})
CHECKBOXES = {
    "include_returned": _("Include work that reviewers sent back"),
    "tie_labels": _("Ties are two good answers, “all bad” two bad ones"),
}
NUMBERS: dict[str, dict[str, Any]] = {
    "min_votes": {"min_value": 1, "max_value": 1000},
    "good_from": {"min_value": -1000, "max_value": 1000},
    "bad_to": {"min_value": -1000, "max_value": 1000},
    "rows_per_file": {"min_value": 0, "max_value": 100_000_000},
    "seed": {"min_value": 0, "max_value": 2**31},
}
MAX_REASON = 1000


class ExportForm(forms.Form):
    """Asks what a dataset is to hold. ``may_name``: the person may ask for the names of people."""

    reason = forms.CharField(label=_("Reason"), required=False, max_length=MAX_REASON, help_text=HELP["reason"])

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, format_: Format, project: Project, may_name: bool = False
    ) -> None:
        super().__init__(data)
        self.format = format_
        for name in self._option_names(may_name):
            self.fields[name] = _field(name, OPTIONS[name])
        for name in self._file_names():
            self.fields[name] = _field(name, FILE_OPTIONS[name])
        if "label_dimension" in self.fields:
            self.fields["label_dimension"] = _dimension_field(project)
        if "container" in self.fields:
            named = FILE_OPTIONS["container"][1]
            choices = [(name, gettext(named[name])) for name in format_.containers]
            self.fields["container"].choices = choices  # type: ignore[attr-defined]
        self.order_fields([name for name in self.fields if name not in ("identity", "reason")] + ["identity", "reason"])
        if not may_name:
            del self.fields["reason"]

    def _option_names(self, may_name: bool) -> list[str]:
        hidden = set() if may_name else {"identity"}
        return [name for name in OPTIONS if name in (self.format.uses | ALWAYS) - hidden]

    def _file_names(self) -> list[str]:
        unused = set() if self.format.image_columns else {"embed_media"}
        if len(self.format.containers) < 2:
            unused.add("container")
        if not {"jsonl", "json", "csv"} & set(self.format.containers):
            unused.add("compression")
        return [name for name in FILE_OPTIONS if name not in unused]

    @property
    def content_fields(self) -> list[forms.BoundField]:
        """What decides which rows there are."""
        return [self[name] for name in self.fields if name in OPTIONS and name not in ALWAYS]

    @property
    def file_fields(self) -> list[forms.BoundField]:
        """What decides how they become files."""
        return [self[name] for name in self.fields if name in FILE_OPTIONS]

    @property
    def identity_fields(self) -> list[forms.BoundField]:
        """What decides whom the dataset names."""
        return [self[name] for name in self.fields if name in ALWAYS or name == "reason"]

    def options(self) -> ExportOptions:
        """Return the chosen options; what was left out has its default."""
        return options_from(self._values(OPTIONS))

    def file_options(self) -> FileOptions:
        """Return how the rows become files; what was left out has its default."""
        return file_options_from(self._values(FILE_OPTIONS))

    def _values(self, known: Mapping[str, Any]) -> dict[str, Any]:
        chosen = {name: value for name, value in self.cleaned_data.items() if name in known and value not in ("", None)}
        return {name: value / 100 if name in PERCENT else value for name, value in chosen.items()}


def _field(name: str, wording: tuple[str, dict[Any, str]]) -> forms.Field:
    label, values = gettext(wording[0]), {value: gettext(text) for value, text in wording[1].items()}
    common: dict[str, Any] = {"label": label, "required": False, "help_text": HELP.get(name, "")}
    if name in PERCENT:
        return forms.IntegerField(**common, min_value=0, max_value=99 if name != "min_agreement" else 100, initial=0)
    if name in NUMBERS:
        initial = {"min_votes": 1, "rows_per_file": 0, "seed": 0}.get(name)
        return forms.IntegerField(**common, **NUMBERS[name], initial=initial)
    if name in CHECKBOXES:
        return forms.BooleanField(**{**common, "label": CHECKBOXES[name]})
    if set(values) == {True, False}:
        return forms.TypedChoiceField(
            **common, choices=[("yes", values[True]), ("no", values[False])], coerce=_is_yes, empty_value=None
        )
    return forms.ChoiceField(**common, choices=list(values.items()))


def _is_yes(value: str) -> bool:
    return value == "yes"


def _dimension_field(project: Project) -> forms.Field:
    label, values = OPTIONS["label_dimension"]
    rated = project.dimensions.filter(
        retired_at__isnull=True, kind=DimensionKind.SCALE, target=DimensionTarget.RESPONSE
    )
    choices = [("", gettext(values[""])), *rated.values_list("key", "label")]
    return forms.ChoiceField(label=gettext(label), required=False, choices=choices, help_text=HELP["label_dimension"])
