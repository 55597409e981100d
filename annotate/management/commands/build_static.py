"""Make the static files that come out of installed packages: the font for mathematics."""

import importlib.resources
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand
from fontTools import subset

FONT = "stix-two-math.woff2"


class Command(BaseCommand):
    help = "Build static files from installed packages (once; --force builds again)."

    def add_arguments(self, parser: object) -> None:
        parser.add_argument("--force", action="store_true")  # type: ignore[attr-defined]

    def handle(self, *, force: bool, **options: object) -> None:
        target = Path(settings.BUILT_STATIC) / "fonts" / FONT
        if force or not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            build_math_font(target)
            self.stdout.write(f"Built {target}.")


def build_math_font(target: Path) -> None:
    """Write STIX Two Math (SIL Open Font License, shipped by the ziamath package) as WOFF2 without hinting.

    Brackets stretch only with a font that has an OpenType MATH table; few systems have one installed.
    """
    options = subset.Options(flavor="woff2", hinting=False, layout_features=["ssty", "math", "dtls", "flac"])
    source = importlib.resources.files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"
    with importlib.resources.as_file(source) as path:
        font = subset.load_font(str(path), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=sorted(font.getBestCmap()))
    subsetter.subset(font)
    part = target.with_suffix(".part")
    subset.save_font(font, str(part), options)
    part.replace(target)
