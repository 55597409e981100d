"""The single keys of the comparison page, and what a person may put in their place."""

from collections import Counter
from collections.abc import Iterator, Mapping

ACTIONS: dict[str, tuple[str, str]] = {
    "next": ("Next row", "j"),
    "previous": ("Previous row", "k"),
    "equal": ("About equal", "t"),
    "why": ("Go to “Why?”", "w"),
    "quote": ("Quote the selected text", "q"),
    "flag": ("Flag a response", "l"),
    "sync": ("Scroll together", "s"),
    "source": ("Source text", "v"),
    "turns": ("Earlier turns", "p"),
    "diff": ("Mark what differs", "y"),
    "viewer": ("Image viewer", "z"),
    "together": ("Play recordings together", "m"),
    "guide": ("Guidelines", "i"),
    "skip": ("Skip with a reason", "x"),
    "keys": ("List of keys", "?"),
}
"""What a key does: its label and its usual key."""

TAKEN = frozenset("0123456789abcdefgh")
"""Digits rate and letters choose a response, as their labels say. A ninth response takes I, but few tasks have one."""


def keys_of(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the key of every action: the chosen one, else the usual one."""
    return {action: chosen.get(action) or usual for action, (_, usual) in ACTIONS.items()}


def key_problems(chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (action, what is wrong) for everything that keeps the choice from being used.

    A key is one visible character; capital letters count as small ones, since Shift shows one response alone.
    """
    for action in chosen.keys() - ACTIONS.keys():
        yield action, f"There is no action called {action!r}."
    keys = keys_of(chosen)
    times = Counter(keys.values())
    for action, key in keys.items():
        if len(key) != 1 or not key.isprintable() or key.isspace():
            yield action, f"Found {key!r}. Give one letter or sign."
        elif key != key.lower():
            yield action, f"Give the small letter {key.lower()!r}: Shift has another meaning here."
        elif key in TAKEN:
            yield action, f"The key {key.upper()} rates or chooses a response. Give another one."
        elif times[key] > 1:
            others = [ACTIONS[other][0] for other in keys if keys[other] == key and other != action]
            yield action, f"The key {key.upper()} is also that of “{others[0]}”. Give one of them another key."
