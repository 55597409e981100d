"""What may stand in an address, where "any text" would let characters through that no database takes."""

from django.urls import register_converter
from django.urls.converters import StringConverter, get_converters


class Sha256(StringConverter):
    regex = "[0-9a-f]{64}"


class Size(StringConverter):
    regex = "full|thumb|page-[1-9][0-9]{0,3}"


class FileName(StringConverter):
    regex = r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}"


def register() -> None:
    """Make the converters known to ``path()``; again is harmless."""
    if "sha256" in get_converters():
        return
    register_converter(Sha256, "sha256")
    register_converter(Size, "size")
    register_converter(FileName, "filename")
