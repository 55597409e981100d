"""The forms of the import and export pages."""

from typing import Any

from django import forms
from django.utils.text import get_valid_filename

from exports.actions import options_from
from exports.formats import FORMATS, Format
from exports.pairs import ExportOptions


class ImportForm(forms.Form):
    file = forms.FileField(
        label="File",
        help_text="JSON Lines, a JSON list, either of them in gzip, or a zip of one such file and its media.",
    )
    format = forms.ChoiceField(label="Format", required=False)
    batch = forms.CharField(label="Batch name", max_length=120, help_text="The tasks stay together under this name.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        readable = [(name, each.label) for name, each in FORMATS.items() if each.can_read]
        self.fields["format"].choices = [("", "Recognise from the content"), *readable]  # type: ignore[attr-defined]

    def clean_batch(self) -> str:
        return str(self.cleaned_data["batch"]).strip()

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            file.name = get_valid_filename(file.name)
        except Exception as error:
            raise forms.ValidationError("Give the file an ordinary name.") from error
        return file


class FormatChoice:
    """What a card for a format shows."""

    def __init__(self, each: Format) -> None:
        self.label, self.description = each.label, each.description

    def __str__(self) -> str:
        return self.label


class ExportForm(forms.Form):
    format = forms.ChoiceField(label="Format", widget=forms.RadioSelect)
    margin = forms.ChoiceField(
        label="Margin",
        required=False,
        choices=[("none", "Leave it out"), ("absolute", "Write how strong the preference is")],
        help_text="With margins, judgements that have none are left out and counted.",
    )
    ranking_pairs = forms.ChoiceField(
        label="Pairs from a ranking",
        required=False,
        choices=[
            ("all", "Every better one against every worse one"),
            ("best_vs_rest", "The best against each other one"),
            ("best_vs_worst", "The best against the worst"),
            ("adjacent", "Neighbours only"),
        ],
    )
    consensus = forms.ChoiceField(
        label="Several annotators",
        required=False,
        choices=[("each", "A row for each annotator"), ("majority", "One row where more than half agree")],
    )
    include_returned = forms.BooleanField(label="Include work that reviewers sent back", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        writable = [(name, FormatChoice(each)) for name, each in FORMATS.items() if each.can_write]
        self.fields["format"].choices = writable  # type: ignore[attr-defined]
        self.initial.setdefault("format", "trl_preference")

    def options(self) -> ExportOptions:
        """Return the chosen options; what was left out has its default."""
        names = ["margin", "ranking_pairs", "consensus"]
        values = {name: self.cleaned_data[name] for name in names if self.cleaned_data.get(name)}
        return options_from({**values, "include_returned": self.cleaned_data["include_returned"]})
