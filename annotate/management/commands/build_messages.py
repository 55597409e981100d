"""Make the catalogues that the program reads (.mo) out of those that translators write (.po)."""

from pathlib import Path

import polib
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Compile the translations of the pages (config/locale) into the folder of built files."

    def handle(self, **options: object) -> None:
        source, built = Path(settings.LOCALE_PATHS[0]), Path(settings.BUILT_LOCALE)
        for catalogue in sorted(source.glob("*/LC_MESSAGES/*.po")):
            target = built / catalogue.relative_to(source).with_suffix(".mo")
            if target.exists() and target.stat().st_mtime >= catalogue.stat().st_mtime:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_suffix(".part")
            polib.pofile(str(catalogue)).save_as_mofile(str(part))
            part.replace(target)
