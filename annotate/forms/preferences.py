"""The form of a person's own settings."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _

from annotate.models import User
from annotate.rules.keys import ACTIONS, keys_of

PREFIX = "key-"


class PreferencesForm(forms.Form):
    """The language and a field for the key of every action."""

    language = forms.ChoiceField(required=False)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        keys = {f"{PREFIX}{action}": key for action, key in keys_of(user.keys).items()}
        self.initial.update({"language": user.language, **keys})
        self.fields["language"].choices = [("", _("As the browser asks")), *settings.LANGUAGES]  # type: ignore[attr-defined]
        for action, (label, __) in ACTIONS.items():
            widget = forms.TextInput(attrs={"maxlength": 1, "autocomplete": "off", "autocapitalize": "none"})
            field = forms.CharField(label=_(label), required=False, max_length=1, widget=widget)
            self.fields[f"{PREFIX}{action}"] = field

    def keys(self) -> dict[str, str]:
        """Return the key of every action; an empty field means the usual one."""
        given = {action: str(self.cleaned_data.get(f"{PREFIX}{action}", "")) for action in ACTIONS}
        return {action: key.lower() for action, key in given.items() if key}

    def key_fields(self) -> list[forms.BoundField]:
        """Return the fields of the keys, in their order."""
        return [self[f"{PREFIX}{action}"] for action in ACTIONS]
