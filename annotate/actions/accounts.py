"""What people change about themselves."""

from collections.abc import Mapping

from django.db import transaction

from annotate.actions.events import record
from annotate.models import User
from annotate.rules.keys import ACTIONS, key_problems


class PreferencesRefused(Exception):
    """The keys cannot be used. ``problems``: action to sentence."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__("; ".join(problems.values()))
        self.problems = problems


@transaction.atomic
def save_preferences(*, language: str, keys: Mapping[str, str], by: User) -> None:
    """Keep the language (empty: the browser's) and the keys that differ from the usual ones.

    :raises PreferencesRefused: for a key that is taken, given twice or none.
    """
    if problems := dict(key_problems(keys)):
        raise PreferencesRefused(problems)
    by.language = language
    by.keys = {action: key for action, key in keys.items() if key != ACTIONS[action][1]}
    by.save(update_fields=["language", "keys"])
    record("user.preferences", by, by=by)
