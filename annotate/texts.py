"""Texts for people, from code that knows no Django: the application puts Django's translation in when it starts."""

from collections.abc import Callable


class _Translation:
    """Until a translation is put in, texts stay as they are written: in English."""

    gettext: Callable[[str], str] = staticmethod(lambda text: text)
    ngettext: Callable[[str, str, int], str] = staticmethod(lambda one, many, count: one if count == 1 else many)


_translation = _Translation()


def use(gettext: Callable[[str], str], ngettext: Callable[[str, str, int], str]) -> None:
    """Translate with these from now on."""
    _translation.gettext, _translation.ngettext = gettext, ngettext


def gettext(text: str) -> str:
    """Return the text in the language of the person who is served right now."""
    return _translation.gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of the text that the language uses for so many."""
    return _translation.ngettext(one, many, count)


def gettext_noop(text: str) -> str:
    """Mark a text for translators; whoever shows it translates it."""
    return text
