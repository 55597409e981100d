"""Storing media by content: the same bytes are one file and one row."""

from collections.abc import Iterator

from django.core.files.base import ContentFile

from annotate.media.probing import Probed, probe
from annotate.models import Asset, AssetPage


def store(data: bytes) -> Asset:
    """Check, clean and store a file; return its asset, which may have existed before.

    The stored bytes are the cleaned ones (no metadata), so the SHA-256 is of those, not of ``data``.

    :raises annotate.media.probing.MediaError: when the content is damaged or of a kind that is not accepted.
    """
    return store_probed(probe(data))


def store_probed(probed: Probed) -> Asset:
    """Store a file that was checked and cleaned before; return its asset, which may have existed before."""
    if asset := Asset.objects.filter(sha256=probed.sha256).first():
        return asset
    asset = Asset(
        sha256=probed.sha256,
        kind=probed.kind,
        media_type=probed.media_type,
        bytes=len(probed.data),
        width=probed.width,
        height=probed.height,
        seconds=probed.seconds,
    )
    name = f"{probed.sha256}.{probed.extension}"
    asset.file.save(name, ContentFile(probed.data), save=False)
    if probed.thumbnail:
        asset.thumbnail.save(f"{probed.sha256}.webp", ContentFile(probed.thumbnail), save=False)
    Asset.objects.bulk_create([asset], ignore_conflicts=True)  # two imports may bring the same picture at once
    asset = Asset.objects.get(sha256=probed.sha256)
    AssetPage.objects.bulk_create(_pages(asset, probed), ignore_conflicts=True)
    return asset


def _pages(asset: Asset, probed: Probed) -> Iterator[AssetPage]:
    for number, page in enumerate(probed.pages, start=1):
        made = AssetPage(asset=asset, number=number, width=page.width, height=page.height)
        made.file.save(f"{probed.sha256}-{number}.webp", ContentFile(page.data), save=False)
        yield made
