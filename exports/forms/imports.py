"""The form of the import page."""

from typing import Any

from django import forms
from django.utils.text import get_valid_filename
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exports.formats import FORMATS


class ImportForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        help_text=_("JSON Lines, a JSON list, either of them in gzip, or a zip of one such file and its media."),
    )
    format = forms.ChoiceField(label=_("Format"), required=False)
    batch = forms.CharField(
        label=_("Batch name"), max_length=120, help_text=_("The tasks stay together under this name.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        readable = [(name, gettext(each.label)) for name, each in FORMATS.items() if each.can_read]
        self.fields["format"].choices = [("", gettext("Recognise from the content")), *readable]  # type: ignore[attr-defined]

    def clean_batch(self) -> str:
        return str(self.cleaned_data["batch"]).strip()

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            file.name = get_valid_filename(file.name)
        except Exception as error:
            raise forms.ValidationError(gettext("Give the file an ordinary name.")) from error
        return file
