"""The project's navigation, for every page."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotate.access import Permission

ENTRIES = [
    (_("Overview"), "projects:overview", "layout-dashboard", Permission.SEE_GUIDELINES),
    (_("Work"), "work:start", "square-check-big", Permission.TAKE_TASKS),
    (_("Guidelines"), "projects:guidelines", "book-open", Permission.SEE_GUIDELINES),
    (_("Feedback"), "reviews:mine", "message-square", Permission.TAKE_TASKS),
    (_("Reviews"), "reviews:queue", "clipboard-check", Permission.REVIEW),
    (_("Imports"), "imports:list", "upload", Permission.IMPORT),
    (_("Exports"), "exports:list", "download", Permission.EXPORT),
]


@dataclass(frozen=True)
class Entry:
    label: str
    url: str
    icon: str
    is_current: bool


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Give templates ``nav``: the pages of the project that this person may open; empty outside a project."""
    project = getattr(request, "project", None)
    if project is None:
        return {"nav": []}
    permissions: frozenset[Permission] = getattr(request, "permissions", frozenset())
    entries = []
    for label, name, icon, permission in ENTRIES:
        if permission in permissions:
            url = reverse(name, args=[project.slug])
            is_current = request.path == url or (name != "projects:overview" and request.path.startswith(url))
            entries.append(Entry(str(label), url, icon, is_current))
    return {"nav": entries, "nav_project": project}
