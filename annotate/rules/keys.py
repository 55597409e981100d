"""The single keys of the comparison page, and what a person may put in their place."""

from collections import Counter
from collections.abc import Iterator, Mapping

from annotate.texts import gettext as _
from annotate.texts import gettext_noop

ACTIONS: dict[str, tuple[str, str]] = {
    "next": (gettext_noop("Next row"), "j"),
    "previous": (gettext_noop("Previous row"), "k"),
    "equal": (gettext_noop("About equal"), "t"),
    "why": (gettext_noop("Go to “Why?”"), "w"),
    "quote": (gettext_noop("Quote the selected text"), "q"),
    "flag": (gettext_noop("Flag a response"), "l"),
    "sync": (gettext_noop("Scroll together"), "s"),
    "source": (gettext_noop("Source text"), "v"),
    "turns": (gettext_noop("Earlier turns"), "p"),
    "diff": (gettext_noop("Mark what differs"), "y"),
    "viewer": (gettext_noop("Image viewer"), "z"),
    "together": (gettext_noop("Play recordings together"), "m"),
    "guide": (gettext_noop("Guidelines"), "i"),
    "skip": (gettext_noop("Skip with a reason"), "x"),
    "keys": (gettext_noop("List of keys"), "?"),
}
"""What a key does: its label, in English, and its usual key."""

TAKEN = frozenset("0123456789abcdefgh")
"""Digits rate and letters choose a response, as their labels say. A ninth response takes I, but few tasks have one."""


def keys_of(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the key of every action: the chosen one, else the usual one."""
    return {action: chosen.get(action) or usual for action, (__, usual) in ACTIONS.items()}


def key_problems(chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (action, what is wrong) for everything that keeps the choice from being used.

    A key is one visible character; capital letters count as small ones, since Shift shows one response alone.
    """
    for action in chosen.keys() - ACTIONS.keys():
        yield action, _("There is no action called %(action)s.") % {"action": repr(action)}
    keys = keys_of(chosen)
    times = Counter(keys.values())
    for action, key in keys.items():
        if len(key) != 1 or not key.isprintable() or key.isspace():
            yield action, _("Found %(key)s. Give one letter or sign.") % {"key": repr(key)}
        elif key != key.lower():
            text = _("Give the small letter %(key)s: Shift has another meaning here.")
            yield action, text % {"key": repr(key.lower())}
        elif key in TAKEN:
            text = _("The key %(key)s rates or chooses a response. Give another one.")
            yield action, text % {"key": key.upper()}
        elif times[key] > 1:
            others = [ACTIONS[other][0] for other in keys if keys[other] == key and other != action]
            text = _("The key %(key)s is also that of “%(other)s”. Give one of them another key.")
            yield action, text % {"key": key.upper(), "other": _(others[0])}
