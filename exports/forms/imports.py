"""The forms of the import pages: the upload, and what is decided after it was checked."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import get_valid_filename
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exports.formats import FORMATS
from exports.import_choices import ImportChoices, choices_from

MAP_PREFIX = "map:"
MAX_PRIORITY = 1_000_000
MAX_FILES = 100

CHOICES: dict[str, tuple[Any, list[tuple[str, Any]], Any]] = {
    "duplicates": (
        _("Tasks that the project has already"),
        [
            ("refuse", _("Refuse the file")),
            ("skip", _("Skip them")),
            ("update", _("Update them, where nobody has begun")),
        ],
        _("Tasks are the same when their ids are."),
    ),
    "judgements": (
        _("Judgements in the file"),
        [
            ("annotations", _("Keep them as annotations")),
            ("gold", _("Make them gold answers, hidden from annotators")),
            ("suggestions", _("Show them as suggestions, filled into the form")),
            ("leave_out", _("Leave them out")),
        ],
        _("Annotations stand under pseudonyms of people who cannot sign in."),
    ),
    "dimensions": (
        _("Ratings on dimensions that the project lacks"),
        [
            ("refuse", _("Refuse the file")),
            ("add", _("Add the dimensions")),
            ("leave_out", _("Leave those ratings out")),
        ],
        "",
    ),
    "misfits": (
        _("Tasks with too few or too many responses"),
        [("refuse", _("Refuse the file")), ("leave_out", _("Leave them out and count them"))],
        "",
    ),
    "names": (
        _("Responses that name a model"),
        [
            ("keep", _("Import them as they are")),
            ("mask", _("Mask the names, in exports too")),
            ("hold", _("Hold those tasks back for a decision")),
        ],
        _("Annotators who read a model’s name no longer judge blind."),
    ),
}
"""By name of the choice: its label, its values, and its help."""


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or several."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        files = data if isinstance(data, list) else [data]
        if len(files) > MAX_FILES:
            text = gettext("Choose at most %(most)s files, or put them into a zip.")
            raise forms.ValidationError(text % {"most": MAX_FILES})
        cleaned = [super(FilesField, self).clean(file, initial) for file in files]
        for file in cleaned:
            try:
                file.name = get_valid_filename(file.name)
            except Exception as error:
                raise forms.ValidationError(gettext("Give the file an ordinary name.")) from error
        return cleaned


class UploadForm(forms.Form):
    file = FilesField(
        label=_("File"),
        help_text=_(
            "JSON Lines, JSON, CSV or Parquet, also in gzip; or a zip with media and settings beside them. "
            "Several files are read as one."
        ),
    )
    batch = forms.CharField(
        label=_("Batch name"),
        max_length=120,
        required=False,
        help_text=_("The tasks stay together under this name. Empty: the name of the file."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if files := cleaned.get("file"):
            cleaned["batch"] = (cleaned.get("batch") or "").strip() or files[0].name[:120]
        return cleaned


class ChoicesForm(forms.Form):
    """What becomes of a checked upload. ``mappable``: the columns whose meaning is asked, as the report has them."""

    batch = forms.CharField(label=_("Batch name"), max_length=120)
    format = forms.ChoiceField(label=_("Format"), required=False)
    priority = forms.IntegerField(
        label=_("Priority"),
        required=False,
        min_value=-MAX_PRIORITY,
        max_value=MAX_PRIORITY,
        help_text=_("Higher comes first. It is added to what the file says."),
    )

    def __init__(self, *args: Any, mappable: Sequence[dict[str, Any]] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        readable = [(name, gettext(each.label)) for name, each in FORMATS.items() if each.can_read]
        self.fields["format"].choices = [("", gettext("Recognise from the content")), *readable]  # type: ignore[attr-defined]
        for name, (label, values, help_text) in CHOICES.items():
            self.fields[name] = forms.ChoiceField(label=label, choices=values, required=False, help_text=help_text)
        self.mapped = [MAP_PREFIX + column["key"] for column in mappable]
        for column in mappable:
            choices = [(value, gettext(shown)) for value, shown in column["choices"]]
            self.fields[MAP_PREFIX + column["key"]] = forms.ChoiceField(
                label=column["key"], choices=choices, required=False, initial=column["proposed"]
            )

    @property
    def decisions(self) -> list[forms.BoundField]:
        """The fields of the choices."""
        return [self[name] for name in CHOICES]

    @property
    def columns(self) -> list[forms.BoundField]:
        """The fields that say what columns mean."""
        return [self[name] for name in self.mapped]

    def choices(self) -> ImportChoices:
        """Return what was chosen; what was left out has its default."""
        given = {name: self.cleaned_data[name] for name in CHOICES if self.cleaned_data.get(name)}
        mapping = {name.removeprefix(MAP_PREFIX): self.cleaned_data.get(name, "") for name in self.mapped}
        priority = self.cleaned_data.get("priority") or 0
        return choices_from({**given, "mapping": mapping, "priority": priority})
