"""Files to import, and what the tests of imports and exports do with them."""

import io
import json
import zipfile
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from annotate.actions.jobs import run
from annotate.models import Annotation, Asset, Batch, Prompt, Response, Task, User
from exports.models import Export, Import


def record(name: str, **changes: Any) -> dict[str, Any]:
    """A task in the tiebreak format."""
    return {
        "id": name,
        "prompts": [
            {
                "id": "p1",
                "content": [{"type": "text", "text": f"Question {name}?"}],
                "responses": [
                    {"id": "x", "content": [{"type": "text", "text": "One."}], "model": "m1"},
                    {"id": "y", "content": [{"type": "text", "text": "Two."}], "model": "m2"},
                ],
            }
        ],
        **changes,
    }


def with_image(name: str, path: str) -> dict[str, Any]:
    made = record(name)
    made["prompts"][0]["content"].append({"type": "image", "path": path, "name": "a picture"})
    return made


def lines(*records: Any) -> bytes:
    return b"".join(row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in records)


def png(colour: str = "red") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(buffer, "PNG")
    return buffer.getvalue()


def zipped(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return buffer.getvalue()


def check(client: Client, data: bytes, name: str = "tasks.jsonl", slug: str = "study", batch: str = "First") -> Import:
    """Upload a file and let the worker check it."""
    answer = client.post(f"/projects/{slug}/imports/", {"file": SimpleUploadedFile(name, data), "batch": batch})
    assert answer.status_code == 302, answer.content.decode()
    job = Import.objects.get(public_id=answer["Location"].rstrip("/").split("/")[-1])
    run(Import, job.pk)
    job.refresh_from_db()
    return job


def decide(client: Client, job: Import, *, button: str = "import", **fields: str) -> Import:
    """Answer the form of a checked upload and let the worker do the rest."""
    given = {"batch": job.batch_name, "format": job.format, button: "yes", **fields}
    answer = client.post(f"/projects/{job.project.slug}/imports/{job.public_id}/", given)
    assert answer.status_code == 302, answer.content.decode()
    run(Import, job.pk)
    job.refresh_from_db()
    return job


def upload(client: Client, data: bytes, name: str = "tasks.jsonl", slug: str = "study", **fields: str) -> Import:
    """Upload, check and import, whatever the check says."""
    job = check(client, data, name, slug, fields.pop("batch", "First"))
    return decide(client, job, **fields)


def import_page(client: Client, job: Import) -> str:
    """The page of an import of the project `study`."""
    answer = client.get(f"/projects/study/imports/{job.public_id}/")
    assert answer.status_code == 200
    return answer.content.decode()


def nothing_imported() -> bool:
    models = [Task, Prompt, Response, Annotation, Batch, Asset]
    return not any(model.objects.exists() for model in models) and not User.objects.filter(is_imported=True).exists()


def export(client: Client, format_name: str, slug: str = "study", **options: str) -> Export:
    """Ask for an export and let the worker do its job."""
    answer = client.post(f"/projects/{slug}/exports/", {"format": format_name, **options})
    assert answer.status_code == 302, answer.content.decode()
    job = Export.objects.get(public_id=answer["Location"].rstrip("/").split("/")[-1])
    run(Export, job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    return job


def download(client: Client, job: Export, name: str) -> bytes:
    answer = client.get(f"/projects/{job.project.slug}/exports/{job.public_id}/files/{name}")
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def rows(client: Client, job: Export) -> list[dict[str, Any]]:
    files = [file["name"] for file in job.manifest["files"] if file["name"].endswith(".jsonl")]
    return [json.loads(line) for name in files for line in download(client, job, name).decode().splitlines()]
