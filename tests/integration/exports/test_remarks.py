"""Flags, references, warnings and times go through the database and out again as they came in."""

import pytest

from annotate.enums import Role
from annotate.models import Annotation
from tests import factories
from tests.integration.annotate.working import signed_in
from tests.integration.exports.samples import export, lines, rows, upload
from tests.unit.exports.formats.test_remarks import row

pytestmark = pytest.mark.django_db


def test_remarks_survive_import_and_export() -> None:
    project = factories.project("study")
    lead = signed_in(factories.member(project, Role.LEAD))
    asked = row()

    upload(lead, lines(asked))

    annotation = Annotation.objects.get()
    assert {flag.kind: flag.note for flag in annotation.flags.all()} == {"other": "A poem.", "unsafe": ""}
    assert {reference["response"] for reference in annotation.references} == {annotation.winner_id}
    [back] = rows(lead, export(lead, "tiebreak"))
    assert back["prompts"][0]["annotations"] == asked["prompts"][0]["annotations"]
