"""Every registered format through the database: into files of every kind that it offers, loaded by `datasets`, and
back into another project."""

import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotate.models import Annotation, Membership
from exports.formats import FORMATS
from tests import factories
from tests.integration.exports.rich import rich_project
from tests.integration.exports.samples import download, export, rows, upload

pytestmark = pytest.mark.django_db
WRITABLE = [name for name, each in FORMATS.items() if each.can_write]


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path


def options(name: str) -> dict[str, str]:
    """What a format needs to write anything of the rich project."""
    uses = FORMATS[name].uses
    return {"margin": "absolute"} if "margin" in uses and "reward" in name else {}


@pytest.mark.parametrize("name", WRITABLE)
def test_files_of_every_kind_account_for_every_judgement_and_load(admin: Client, name: str, offline: Path) -> None:
    project = rich_project(admin)
    for container in FORMATS[name].containers:
        job = export(admin, name, slug="rich", container=container, **options(name))

        accounting = job.manifest["accounting"]
        assert accounting["votes_in"] == Annotation.objects.filter(prompt__task__project=project).count() == 13
        assert accounting["votes_exported"] + sum(accounting["drops"].values()) == 13
        assert accounting["rows_out"] == job.rows == job.manifest["proof"]["rows"]
        assert job.rows > 0, accounting
        folder = offline / f"{name}-{container}"
        with zipfile.ZipFile(job.folder / f"rich-{name}.zip") as archive:
            archive.extractall(folder)
        if container == "files":
            check_items(folder, job.rows)
        else:
            assert_loads(folder, job.rows, offline, strict="parquet" in FORMATS[name].containers)


def check_items(folder: Path, count: int) -> None:
    files = sorted((folder / "items").iterdir())
    assert len(files) == count == len((folder / "SHA256SUMS").read_text().splitlines())
    assert all(isinstance(json.loads(file.read_text()), dict) for file in files)


def assert_loads(folder: Path, count: int, cache: Path, *, strict: bool) -> None:
    """`datasets` loads the folder; formats that never promise typed columns may keep objects that it cannot type."""
    import datasets

    try:
        loaded = datasets.load_dataset(str(folder), cache_dir=str(cache / "cache"))
    except datasets.exceptions.DatasetGenerationError:
        assert not strict
        return
    assert loaded["train"].num_rows == count


def test_pictures_in_parquet_are_pictures_when_loaded(admin: Client, offline: Path) -> None:
    import datasets

    rich_project(admin)
    job = export(admin, "trl_vision", slug="rich")
    with zipfile.ZipFile(job.folder / "rich-trl_vision.zip") as archive:
        archive.extractall(offline / "set")

    loaded = datasets.load_dataset(str(offline / "set"), cache_dir=str(offline / "cache"), split="train")

    assert [image.size for row in loaded for image in row["images"]] == [(8, 8)] * job.rows


PREFERENCES = (
    *("tiebreak", "trl_preference", "trl_implicit", "pairwise", "ranked", "grouped", "hh_rlhf", "openai_preference"),
    *("turbo_alignment_pairs", "llama_factory_pair", "axolotl", "ms_swift", "nemo_rl"),
)
"""Formats whose rows are whole tasks with their votes; for the others see tests/unit/exports/formats."""


@pytest.mark.parametrize("name", PREFERENCES)
def test_what_was_written_can_be_read_and_means_the_same(admin: Client, name: str) -> None:
    rich_project(admin, "source")
    container = "jsonl" if "jsonl" in FORMATS[name].containers else ""
    first = export(admin, name, slug="source", container=container)
    factories.project("target", preset="scale")

    data = download(admin, first, f"source-{name}.zip" if FORMATS[name].media else data_file(first.manifest))
    job = upload(admin, data, "again.zip" if FORMATS[name].media else "again.jsonl", slug="target")
    second = export(admin, name, slug="target", container=container)

    assert (job.state, job.format, job.problems) == ("done", name, [])
    imported = Annotation.objects.filter(prompt__task__project__slug="target")
    assert job.judgement_count == imported.count() > 0
    assert not Membership.objects.filter(project__slug="target", user__is_active=True).exists()
    assert winners(rows(admin, second)) == winners(rows(admin, first))


def data_file(manifest: dict[str, Any]) -> str:
    return str(manifest["files"][0]["name"])


def winners(found: list[dict[str, object]]) -> Counter[str]:
    """What the rows say, without ids and people: those change when they are imported."""
    personal = {"id", "task", "annotator", "prompts"}
    said = [{key: value for key, value in row.items() if key not in personal} for row in found]
    outcomes = [
        annotation["outcome"]
        for row in found
        for prompt in row.get("prompts", [])  # type: ignore[attr-defined]
        for annotation in prompt["annotations"]
    ]
    return Counter([json.dumps(row, sort_keys=True) for row in said] + outcomes)


def test_rows_are_the_same_in_every_kind_of_file(admin: Client) -> None:
    """JSON Lines, one list and both compressions of them hold the same rows."""
    project = rich_project(admin)
    shapes = [
        ("jsonl", "none"),
        ("jsonl", "gzip"),
        ("jsonl", "zstd"),
        ("json", "none"),
        ("csv", "gzip"),
        ("parquet", "zstd"),
    ]
    found = {}
    for container, compression in shapes:
        job = export(admin, "pairwise", slug=project.slug, container=container, compression=compression)
        found[container, compression] = (job.rows, job.manifest["proof"]["columns"])

    assert len({str(each) for each in found.values()}) == 1
