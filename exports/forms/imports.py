"""The form of the import page."""

from typing import Any

from django import forms
from django.utils.text import get_valid_filename

from exports.formats import FORMATS


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
