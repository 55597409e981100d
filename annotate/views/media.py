"""Media files: only for people who may see a task that uses them, with Range requests so that players can seek."""

import re
import uuid
from collections.abc import Iterator
from typing import IO

from django.db.models.fields.files import FieldFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotate.access import Permission, ProjectRequest, may_see_asset, project_access
from annotate.models import Asset, Project, Task

_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")
_CHUNK = 64 * 1024


@project_access(Permission.SEE_GUIDELINES)
@require_safe
def asset(request: ProjectRequest, project: Project, task_id: uuid.UUID, sha256: str, size: str) -> HttpResponseBase:
    """Send the file, its thumbnail or one of its pages, as part of the task. Nothing in it tells of its origin."""
    task = get_object_or_404(Task, public_id=task_id, project=project)
    found = get_object_or_404(Asset, sha256=sha256)
    if not may_see_asset(request.user, task, found):
        raise Http404(_("This file belongs to no task of yours."))
    file, media_type = _picture(found, size)
    response = ranged(request, file)
    response["Content-Type"] = media_type
    response["Content-Disposition"] = "attachment" if media_type == "application/pdf" else "inline"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, max-age=3600"
    return response


def _picture(found: Asset, size: str) -> tuple[FieldFile, str]:
    """The file to send and its type: the thumbnail, one page of a document, or the file itself."""
    if size.startswith("page-"):
        return get_object_or_404(found.pages, number=int(size.removeprefix("page-"))).file, "image/webp"
    return (found.thumbnail, "image/webp") if size == "thumb" and found.thumbnail else (found.file, found.media_type)


def ranged(request: HttpRequest, file: FieldFile) -> HttpResponseBase:
    """Return the file, or the asked range of its bytes (RFC 9110 section 14): 206, or 416 when it lies outside.

    Several ranges, malformed ones and ranges of anything but GET are answered with the whole file, as the RFC allows.
    """
    try:
        size, opened = file.size, file.open("rb")
    except FileNotFoundError as error:
        raise Http404(_("The file is no longer there. Tell a lead of the project.")) from error
    asked = _asked(request.headers.get("Range", ""), size) if request.method == "GET" else None
    first, last = asked or (0, size - 1)
    if first >= size:
        opened.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    response = StreamingHttpResponse(_read(opened, first, last - first + 1), status=206 if asked else 200)
    response["Accept-Ranges"] = "bytes"
    response["Content-Length"] = str(last - first + 1)
    if asked:
        response["Content-Range"] = f"bytes {first}-{last}/{size}"
    return response


def _asked(header: str, size: int) -> tuple[int, int] | None:
    """Return the first and last byte of the range that the header asks for, ``None`` for no single range."""
    match = _RANGE.fullmatch(header)
    if not match or not (match[1] or match[2]):
        return None
    if not match[1]:  # the last so many bytes
        return max(0, size - int(match[2])), size - 1
    first, last = int(match[1]), int(match[2] or size - 1)
    return None if match[2] and last < first else (first, min(last, size - 1))


def _read(file: IO[bytes], start: int, left: int) -> Iterator[bytes]:
    with file:
        file.seek(start)
        while left > 0 and (chunk := file.read(min(_CHUNK, left))):
            left -= len(chunk)
            yield chunk
