"""Media: stored once, served to those who hold the task, and nothing in address or headers tells where it came from."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from annotate.actions.assignments import claim_next, skip
from annotate.enums import Role
from annotate.media.probing import MediaError
from annotate.media.storage import store
from annotate.models import Asset, Project, Response, Task, TaskAsset, User
from tests import factories
from tests.media_samples import SECRET, document, video

pytestmark = pytest.mark.django_db


def png(colour: str = "red", side: int = 64, **texts: str) -> bytes:
    buffer, info = io.BytesIO(), PngInfo()
    for name, text in texts.items():
        info.add_text(name, text)
    Image.new("RGB", (side, side), colour).save(buffer, "PNG", pnginfo=info)
    return buffer.getvalue()


def stored_files() -> list[Path]:
    return sorted(path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file())


@pytest.fixture
def project() -> Project:
    return factories.project("study")


def task_with(project: Project, asset: Asset) -> Task:
    task = factories.task(project)
    TaskAsset.objects.create(task=task, asset=asset)
    Response.objects.filter(prompt__task=task, position=0).update(
        content=[{"type": "image", "asset": asset.sha256, "name": "gpt-secret.png"}]
    )
    return task


@pytest.fixture
def asset() -> Asset:
    return store(png())


@pytest.fixture
def task(project: Project, asset: Asset) -> Task:
    return task_with(project, asset)


def address(task: Task, asset: Asset, size: str = "full", slug: str = "study") -> str:
    return f"/projects/{slug}/media/{task.public_id}/{asset.sha256}/{size}"


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def reviewer(project: Project) -> Client:
    return client_of(factories.member(project, Role.REVIEWER))


def get(client: Client, url: str, range_: str = "") -> tuple[int, bytes, Any]:
    answer = client.get(url, headers={"Range": range_} if range_ else {})
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return answer.status_code, body, answer.headers


# ------------------------------------------------------------------------------------------------------- storing
def test_equal_bytes_are_stored_once() -> None:
    first, second = store(png()), store(png())

    assert first == second
    assert Asset.objects.count() == 1
    assert len(stored_files()) == 2  # the picture and its thumbnail


def test_pictures_that_differ_only_in_their_metadata_are_one_file_without_it() -> None:
    plain, tagged = store(png()), store(png(model="gpt-secret", Author="eve"))

    assert plain == tagged
    assert b"gpt-secret" not in b"".join(path.read_bytes() for path in stored_files())


def test_stored_names_are_hashes() -> None:
    asset = store(png())

    assert (asset.kind, asset.media_type, asset.width, asset.height) == ("image", "image/png", 64, 64)
    assert [path.name for path in stored_files()] == [f"{asset.sha256}.png", f"{asset.sha256}.webp"]


@pytest.mark.parametrize(
    "data",
    [b"", b"x", png()[:100], b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html><script>x</script>", b"MZ" * 99],
    ids=["empty", "one byte", "cut", "svg", "html", "program"],
)
def test_what_is_no_accepted_media_leaves_nothing_behind(data: bytes) -> None:
    with pytest.raises(MediaError):
        store(data)

    assert not Asset.objects.exists()
    assert stored_files() == []


# ------------------------------------------------------------------------------------------------------- serving
def test_the_stored_bytes_are_served_with_headers_that_keep_them_harmless(
    task: Task, asset: Asset, reviewer: Client
) -> None:
    status, body, headers = get(reviewer, address(task, asset))

    wanted = ["Content-Type", "Content-Length", "Content-Disposition", "Content-Security-Policy", "Cache-Control"]
    wanted += ["X-Content-Type-Options", "Accept-Ranges"]
    assert (status, body) == (200, asset.file.open().read())
    assert [headers[name] for name in wanted] == [
        "image/png",
        str(asset.bytes),
        "inline",
        "sandbox; default-src 'none'",
        "private, max-age=3600",
        "nosniff",
        "bytes",
    ]


def test_a_thumbnail_is_served_as_what_it_is(task: Task, asset: Asset, reviewer: Client) -> None:
    status, body, headers = get(reviewer, address(task, asset, "thumb"))

    assert (status, body, headers["Content-Type"]) == (200, asset.thumbnail.open().read(), "image/webp")


def test_a_document_is_offered_for_saving_and_its_pages_are_shown(project: Project, reviewer: Client) -> None:
    asset = store(document(pages=2))
    task = task_with(project, asset)
    _, body, headers = get(reviewer, address(task, asset))
    assert (headers["Content-Type"], headers["Content-Disposition"]) == ("application/pdf", "attachment")
    pages = [get(reviewer, address(task, asset, f"page-{number}")) for number in (1, 2)]
    assert [(status, headers["Content-Type"], headers["Content-Disposition"]) for status, _, headers in pages] == [
        (200, "image/webp", "inline")
    ] * 2
    assert pages[0][1] != pages[1][1]
    assert SECRET.encode() not in body + pages[0][1] + pages[1][1]
    assert get(reviewer, address(task, asset, "page-3"))[0] == 404


def test_a_video_has_a_poster(project: Project, reviewer: Client) -> None:
    asset = store(video("mp4", "h264"))
    status, body, headers = get(reviewer, address(task_with(project, asset), asset, "thumb"))
    assert (status, headers["Content-Type"]) == (200, "image/webp")
    assert Image.open(io.BytesIO(body)).size == (64, 48)


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=0-99", 0, 99),
        ("bytes=50-59", 50, 59),
        ("bytes=50-", 50, None),
        ("bytes=0-", 0, None),
        ("bytes=-10", -10, None),
        ("bytes=-999999", 0, None),
        ("bytes=50-999999", 50, None),
    ],
)
def test_one_range_gives_exactly_those_bytes(
    task: Task, asset: Asset, reviewer: Client, asked: str, first: int, last: int | None
) -> None:
    whole, size = asset.file.open().read(), asset.bytes
    first = first % size if first else 0
    last = size - 1 if last is None else last

    status, body, headers = get(reviewer, address(task, asset), asked)

    assert (status, body) == (206, whole[first : last + 1])
    assert headers["Content-Range"] == f"bytes {first}-{last}/{size}"
    assert headers["Content-Length"] == str(last - first + 1)
    assert headers["Content-Type"] == "image/png"


@pytest.mark.parametrize("asked", ["bytes=999999-", "bytes=999999-1000000", "bytes=-0"])
def test_a_range_outside_the_file_is_416(task: Task, asset: Asset, reviewer: Client, asked: str) -> None:
    status, body, headers = get(reviewer, address(task, asset), asked)

    assert (status, body, headers["Content-Range"]) == (416, b"", f"bytes */{asset.bytes}")


@pytest.mark.parametrize(
    "asked",
    [
        "bytes=0-1,4-5",
        "bytes=",
        "bytes=-",
        "bytes=a-b",
        "items=0-5",
        "bytes 0-5",
        "bytes=5-2",
        "bytes=0-5,",
        "0-5",
        "bytes=--5",
        "bytes=0x1-5",
        "bytes=\u00b2-",
        f"bytes={'9' * 5000}-",
        f"bytes=0-{'9' * 5000}",
        "bytes=0-5\t",
    ],
    ids=range(15),
)
def test_several_or_malformed_ranges_give_the_whole_file(
    task: Task, asset: Asset, reviewer: Client, asked: str
) -> None:
    status, body, headers = get(reviewer, address(task, asset), asked)

    assert (status, len(body), "Content-Range" in headers) == (200, asset.bytes, False)


@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=0-9"}])
def test_head_tells_the_length_and_sends_nothing(
    task: Task, asset: Asset, reviewer: Client, headers: dict[str, str]
) -> None:
    answer = reviewer.head(address(task, asset), headers=headers)

    assert (answer.status_code, answer["Content-Length"], answer["Accept-Ranges"]) == (200, str(asset.bytes), "bytes")
    assert b"".join(answer.streaming_content) == b""  # type: ignore[attr-defined]


def test_a_file_that_is_lost_is_not_found_and_no_crash(task: Task, asset: Asset, reviewer: Client) -> None:
    for path in stored_files():
        path.unlink()

    assert [get(reviewer, address(task, asset, size))[0] for size in ["full", "thumb"]] == [404, 404]


# -------------------------------------------------------------------------------------------------------- access
def test_an_annotator_sees_the_files_of_a_task_while_it_is_theirs(project: Project, task: Task, asset: Asset) -> None:
    person = factories.member(project)
    client = client_of(person)

    before = get(client, address(task, asset))[0]
    assignment = claim_next(project=project, by=person)
    assert assignment is not None
    held = get(client, address(task, asset))[0]
    skip(public_id=assignment.public_id, reason="other", note="", by=person)

    assert (before, held, get(client, address(task, asset))[0]) == (404, 200, 404)


def test_somebody_elses_task_shows_an_annotator_nothing(project: Project, task: Task, asset: Asset) -> None:
    claim_next(project=project, by=factories.member(project))

    assert get(client_of(factories.member(project)), address(task, asset))[0] == 404


def test_a_file_is_served_only_as_part_of_a_task_that_uses_it(project: Project, task: Task, asset: Asset) -> None:
    person = factories.member(project)
    claim_next(project=project, by=person)
    hidden = store(png("blue"))
    task_with(project, hidden)

    assert get(client_of(person), address(task, hidden))[0] == 404
    assert get(client_of(factories.admin()), address(task, hidden))[0] == 404


def test_another_project_does_not_open_the_file(project: Project, task: Task, asset: Asset) -> None:
    lead = client_of(factories.member(factories.project("other"), Role.LEAD))

    assert get(lead, address(task, asset))[0] == 404
    assert get(lead, address(task, asset, slug="other"))[0] == 404


@pytest.mark.parametrize("part", ["/../../../secret_key/full", "/%2e%2e/full", f"/{'A' * 64}/full", "/x/full"])
def test_only_hashes_name_files(task: Task, reviewer: Client, part: str) -> None:
    assert reviewer.get(f"/projects/study/media/{task.public_id}{part}").status_code == 404


def test_nothing_tells_an_annotator_where_a_file_came_from(project: Project, task: Task, asset: Asset) -> None:
    person = factories.member(project)
    client = client_of(person)
    assignment = claim_next(project=project, by=person)
    assert assignment is not None

    page = client.get(f"/projects/study/work/{assignment.public_id}/").content.decode()
    links = set(re.findall(r'(?:src|href)="(/projects/study/media/[^"]+)"', page))
    headers = [str(dict(get(client, link)[2])) for link in links]

    assert {address(task, asset)} <= links <= {address(task, asset), address(task, asset, "thumb")}
    assert "gpt-secret" not in page + "".join(headers)
