"""Make the static files that are not in the repository: the bundles of our own, and the font for mathematics."""

import importlib.resources
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand
from fontTools import subset

from annotate.static_bundles import script, style_sheet

FONT = "stix-two-math.woff2"
ENTRIES = ("main", "work", "review")


class Command(BaseCommand):
    help = "Build the bundles, and once the font of an installed package (--force builds it again)."

    def add_arguments(self, parser: object) -> None:
        parser.add_argument("--force", action="store_true")  # type: ignore[attr-defined]

    def handle(self, *, force: bool, **options: object) -> None:
        sources, built = Path(settings.BASE_DIR) / "static", Path(settings.BUILT_STATIC)
        write(built / "app" / "app.css", style_sheet(sources / "css"))
        for entry in ENTRIES:
            write(built / "app" / f"{entry}.js", script(sources / "js", entry))
        target = built / "fonts" / FONT
        if force or not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            build_math_font(target)
            self.stdout.write(f"Built {target}.")


def write(path: Path, text: str) -> None:
    """Write the file whole: a server that runs meanwhile sends the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)


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
