"""What the page of one export shows, as plain data."""

from typing import Any

from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from annotate.enums import JobState
from exports.enums import Every, ExportStage
from exports.formats import FORMATS
from exports.models import Export, ExportFile
from exports.views.history import format_label, rate_of
from exports.wording import accounting_lines, file_option_lines, option_lines, why_empty

MANIFEST = "manifest.json"
UNITS = {
    ExportStage.READING: gettext_noop("tasks"),
    ExportStage.WRITING: gettext_noop("rows"),
    ExportStage.CHECKING: gettext_noop("rows"),
    ExportStage.PACKING: gettext_noop("files"),
}


def page_of(job: Export) -> dict[str, Any]:
    """Return everything that the page says about the export."""
    is_done = job.state == JobState.DONE
    files = list(job.files.all()) if is_done else []
    rows = [_file_row(job, file) for file in files]
    urls = {file["name"]: file["url"] for file in rows}
    manifest = job.manifest if is_done else {}
    accounting = manifest.get("accounting", {})
    uses = FORMATS[job.format].uses if job.format in FORMATS else set(job.options)
    return {
        "format_label": format_label(job.format),
        "files": [row for row in rows if not row["is_archive"]],
        "manifest_url": urls.get(MANIFEST, ""),
        "archive": next((row for row in rows if row["is_archive"]), None),
        "accounting": accounting_lines(accounting, gettext),
        "why_empty": why_empty(accounting, gettext) if "why_empty" in manifest else "",
        "proof": manifest.get("proof", {}),
        "agreement": _agreement(manifest.get("agreement", {})),
        "options": option_lines(job.options, uses, gettext) + file_option_lines(job.file_options, gettext),
        "stage": ExportStage(job.stage).label if job.state == JobState.RUNNING else "",
        "noun": gettext(UNITS[ExportStage(job.stage)]),
        "rate": None if (rate := rate_of(job, job.stage_at)) is None else round(rate),
        "every": Every.choices,
        "cancel_url": reverse("exports:cancel", args=[job.project.slug, job.public_id]),
    }


def _file_row(job: Export, file: ExportFile) -> dict[str, Any]:
    return {
        "name": file.name,
        "size_label": filesizeformat(file.bytes),
        "rows": file.rows or None,
        "sha256": file.sha256,
        "is_archive": file.name.endswith(".zip"),
        "url": reverse("exports:download", args=[job.project.slug, job.public_id, file.name]),
    }


def _agreement(agreement: dict[str, Any]) -> list[tuple[str, str]]:
    percent, alpha = agreement.get("percent"), agreement.get("krippendorff_alpha")
    lines = [] if percent is None else [(gettext("Two people on one prompt agree"), f"{percent:.1%}")]
    return lines if alpha is None else [*lines, (gettext("Krippendorff’s alpha, nominal"), f"{alpha:.3f}")]
