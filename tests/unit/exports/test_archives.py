from __future__ import annotations

import io
import os
import random
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from exports.archives import Limits
from exports.bundle import open_bundle
from exports.problems import Problem, ProblemError

DATA = b'{"a":1}\n'


def zipped(folder: Path, *members: tuple[str | zipfile.ZipInfo, bytes], data: str = "tasks.jsonl") -> Path:
    path = folder / "upload.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if data:
            archive.writestr(data, DATA)
        for name, content in members:
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return path


def refused(path: Path, **limits: int) -> str:
    with pytest.raises(ProblemError) as caught:
        open_bundle(path, limits=Limits(**limits))
    return str(caught.value)


def test_zip_gives_its_rows_and_media(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("images/é.png", b"one"), ("images/", b""), ("b.png", b"two"), ("__MACOSX/._b.png", b"x"))
    with open_bundle(path) as bundle:
        assert (bundle.file, bundle.files[0].by_index, bundle.names) == (
            "tasks.jsonl",
            False,
            ["images/é.png", "b.png"],
        )
        assert list(bundle.rows()) == list(bundle.rows()) == [(1, {"a": 1})]
        assert bundle.media("images/e\u0301.png") == b"one"
        assert [bundle.media(name) for name in ("B.png", "../b.png", "tasks.jsonl", "", "images")] == [None] * 5


def test_media_beside_the_data_file_come_first(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("set/a.png", b"beside"), ("a.png", b"top"), ("c.png", b"top"), data="set/tasks.jsonl")
    with open_bundle(path) as bundle:
        assert (bundle.media("a.png"), bundle.media("c.png"), bundle.media("set/a.png")) == (
            b"beside",
            b"top",
            b"beside",
        )


def test_closing_closes_the_file(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with open_bundle(zipped(tmp_path)) as bundle:
        list(bundle.rows())
    with pytest.raises(ProblemError):
        open_bundle(zipped(tmp_path, data=""))
    assert (len(os.listdir("/proc/self/fd")) if before else 0) == before


def test_zip_without_data_is_refused(tmp_path: Path) -> None:
    assert "no data file" in refused(zipped(tmp_path, data=""))


def test_several_data_files_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("b/2.json", b'{\n"a": 3}'), ("a.csv", b"a,b\n2,x\n"), ("manifest.json", b"{}"))
    with open_bundle(path) as bundle:
        assert [(file.name, file.kind) for file in bundle.files] == [
            ("a.csv", "csv"),
            ("b/2.json", "object"),
            ("tasks.jsonl", "lines"),
        ]
        assert [row for _, row in bundle.good_rows(bundle.problem_list())] == [{"a": "2", "b": "x"}, {"a": 3}, {"a": 1}]


def test_settings_beside_the_data_are_companions(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("x/dataset_info.json", b"{}"), ("labels.xml", b"<View/>"))
    with open_bundle(path) as bundle:
        assert bundle.companions == {"dataset_info.json": b"{}", "labels.xml": b"<View/>"}
        assert [file.name for file in bundle.files] == ["tasks.jsonl"]


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "a/../../evil",
        "/abs",
        "C:\\x",
        "C:x",
        "..\\evil",
        "\\\\host\\x",
        "a//b",
        "./a",
        "a\nb",
        "\u202egpj.exe",
    ],
)
def test_names_that_leave_the_archive_are_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "deep" / "deeper"
    folder.mkdir(parents=True)
    assert "relative names inside the archive" in refused(zipped(folder, (name, b"x")))
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["deep", "deeper", "upload.zip"]


def test_name_with_a_nul_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("a#.png", b"x"))
    path.write_bytes(path.read_bytes().replace(b"a#.png", b"a\0.png"))
    assert "invisible characters" in refused(path)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFBLK])
def test_links_and_special_files_are_refused(tmp_path: Path, kind: int) -> None:
    info = zipfile.ZipInfo("link.png")
    info.create_system, info.external_attr = 3, (kind | 0o777) << 16
    assert "a link or special file" in refused(zipped(tmp_path, (info, b"/etc/passwd")))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("twins", [("a.png", "a.png"), ("a.png", "A.PNG"), ("é.png", "e\u0301.png"), ("a", "a/")])
def test_twins_are_refused(tmp_path: Path, twins: tuple[str, str]) -> None:
    assert "two files of one name" in refused(zipped(tmp_path, *((name, b"") for name in twins)))


@pytest.mark.parametrize("name", ["b.zip", "b.ZIP", "b.tar", "b.jsonl.gz"])
def test_archives_inside_are_refused_by_name(tmp_path: Path, name: str) -> None:
    assert "an archive inside the archive" in refused(zipped(tmp_path, (name, b"x")))


def test_archives_inside_are_refused_by_content(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("x", b"x")
    with open_bundle(zipped(tmp_path, ("b.png", inner.getvalue()))) as bundle, pytest.raises(ProblemError) as caught:
        bundle.media("b.png")
    assert "an archive inside the archive" in str(caught.value)


def test_data_file_that_is_an_archive_is_refused(tmp_path: Path) -> None:
    assert "an archive inside the archive" in refused(zipped(tmp_path, ("a.json", b"\x1f\x8b\x08"), data=""))


def test_zip_bomb_is_refused_before_unpacking(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("bomb.png", bytes(200_000_000)))
    assert path.stat().st_size < 250_000
    assert "over 100 times its size" in refused(path)


def test_total_size_is_limited(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("a.png", b"x" * 600), ("b.png", b"x" * 600))
    assert "1,208 bytes when unpacked" in refused(path, total=1_207)


def test_number_of_files_is_limited(tmp_path: Path) -> None:
    path = zipped(tmp_path, *((f"{number}.png", b"") for number in range(10)))
    assert "11 files" in refused(path, members=10)


def test_directory_is_bounded_before_it_is_read(tmp_path: Path) -> None:
    path = zipped(tmp_path, *((f"{number}.png", b"") for number in range(100)))
    assert "a directory of too many files" in refused(path, members=5)


def test_wide_directory_size_counts_too(tmp_path: Path) -> None:
    data = zipped(tmp_path).read_bytes()
    wide = b"PK\x06\x06" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, 1, 1, 2**40, 0)
    locator = b"PK\x06\x07" + struct.pack("<LQL", 0, 0, 1)
    path = tmp_path / "wide.zip"
    path.write_bytes(data[:-22] + wide + locator + data[-22:])
    assert "a directory of too many files" in refused(path)


def test_overlapping_files_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("a.png", b"a" * 50), ("b.png", b"b" * 50))
    data = bytearray(path.read_bytes())
    first = data.find(b"PK\x01\x02", data.find(b"PK\x01\x02") + 4)
    second = data.find(b"PK\x01\x02", first + 4)
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    path.write_bytes(data)
    assert "files that overlap" in refused(path)


def test_encrypted_file_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped(tmp_path).read_bytes())
    data[data.find(b"PK\x01\x02") + 8] |= 1
    path = tmp_path / "locked.zip"
    path.write_bytes(data)
    assert "an encrypted file" in refused(path)


def test_unusual_compression_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("tasks.jsonl", DATA)
    assert "an unusual compression" in refused(path)


def test_media_file_beyond_its_limit_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("a.png", b"x" * 11))
    with open_bundle(path, limits=Limits(media=10)) as bundle, pytest.raises(ProblemError, match="a file of 11 bytes"):
        bundle.media("a.png")


def test_data_file_with_a_wrong_checksum_ends_in_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tasks.jsonl", DATA * 200_000)
    data = bytearray(path.read_bytes())
    data[1_500_000] ^= 1
    path.write_bytes(data)
    with open_bundle(path) as bundle:
        *_, last = bundle.rows()
    assert isinstance(last, Problem)
    assert "damaged" in last.found


def test_broken_archives_are_refused_never_a_crash(tmp_path: Path) -> None:
    good = zipped(tmp_path, ("a.png", b"x" * 300), ("b/c.png", b"y" * 300)).read_bytes()
    path, dice = tmp_path / "broken.zip", random.Random(7)
    for _ in range(500):
        data = bytearray(good[: dice.randrange(4, len(good) + 1)] if dice.random() < 0.3 else good)
        for _ in range(dice.randrange(1, 6)):
            data[dice.randrange(4, len(data)) if len(data) > 4 else 3] = dice.randrange(256)
        path.write_bytes(data)
        try:
            with open_bundle(path) as bundle:
                list(bundle.rows())
                for name in bundle.names:
                    bundle.media(name)
        except ProblemError:
            continue
