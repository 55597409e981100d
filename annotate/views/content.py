"""Prompts and responses as plain data for templates: rendered text, addresses of files; never who wrote them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from annotate.actions.rendering import rendered
from annotate.enums import AssetKind, MessageRole
from annotate.models import Asset, Task
from annotate.rules.content import assets_of


@dataclass(frozen=True)
class PageImage:
    """One page of a document. ``width`` and ``height``: pixels."""

    url: str
    label: str
    width: int
    height: int


@dataclass(frozen=True)
class Part:
    kind: str
    text: str = ""
    html: SafeString | str = ""
    url: str = ""
    thumb_url: str = ""
    label: str = ""
    media_type: str = ""
    width: int | None = None
    height: int | None = None
    seconds: float | None = None
    pages: tuple[PageImage, ...] = ()


@dataclass(frozen=True)
class Message:
    role_label: str
    parts: list[Part]


class Content:
    """Renders every text and fetches every file's facts of a task's contents, in one query each."""

    def __init__(self, task: Task, contents: Sequence[Sequence[Mapping[str, Any]]], texts: Sequence[str] = ()) -> None:
        self.task, self.slug = task, task.project.slug
        shown = [part["text"] for content in contents for part in content if part["type"] == "text"]
        self._rendered = rendered([*shown, *texts])
        names = [sha256 for content in contents for sha256 in assets_of(content)]
        assets = Asset.objects.prefetch_related("pages") if _has_files(contents) else Asset.objects
        self._assets = assets.in_bulk(names, field_name="sha256") if names else {}

    def html(self, text: str) -> SafeString:
        """Return a text that was given at the start as safe HTML."""
        return mark_safe(self._rendered[text])  # noqa: S308 - the renderer's sanitiser made it

    def message(self, message: Mapping[str, Any]) -> Message:
        """Return a message of the conversation."""
        return Message(str(MessageRole(message["role"]).label), self.parts(message["content"]))

    def parts(self, content: Sequence[Mapping[str, Any]]) -> list[Part]:
        """Return the parts of a content; files are counted per kind, since their names may tell the model."""
        counts: dict[str, int] = {}
        parts = []
        for part in content:
            counts[part["type"]] = counts.get(part["type"], 0) + 1
            parts.append(self._part(part, counts[part["type"]]))
        return parts

    def _part(self, part: Mapping[str, Any], number: int) -> Part:
        if part["type"] == "text":
            return Part("text", text=part["text"], html=self.html(part["text"]))
        asset = self._assets.get(part["asset"])
        label = _("%(kind)s %(number)s") % {"kind": AssetKind(part["type"]).label, "number": number}
        if asset is None:
            return Part("missing", label=label)
        url, thumb = self._url(asset, "full"), self._url(asset, "thumb")
        return Part(
            kind=part["type"],
            url=url,
            thumb_url=thumb if asset.thumbnail else url if asset.kind == AssetKind.IMAGE else "",
            label=label,
            media_type=asset.media_type,
            width=asset.width,
            height=asset.height,
            seconds=asset.seconds,
            pages=self._pages(asset, label) if asset.kind == AssetKind.FILE else (),
        )

    def _url(self, asset: Asset, size: str) -> str:
        return reverse("media:asset", args=[self.slug, self.task.public_id, asset.sha256, size])

    def _pages(self, asset: Asset, label: str) -> tuple[PageImage, ...]:
        return tuple(
            PageImage(
                url=self._url(asset, f"page-{page.number}"),
                label=_("%(file)s, page %(number)s") % {"file": label, "number": page.number},
                width=page.width,
                height=page.height,
            )
            for page in asset.pages.all()
        )


def _has_files(contents: Sequence[Sequence[Mapping[str, Any]]]) -> bool:
    return any(part["type"] == "file" for content in contents for part in content)
