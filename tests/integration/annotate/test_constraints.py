"""The database itself refuses what must never be: every named constraint and trigger is tried."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from annotate.models import (
    Annotation,
    AnnotationRevision,
    Asset,
    Assignment,
    Batch,
    Dimension,
    Event,
    GuidelinesVersion,
    KnownJudgement,
    Membership,
    Placement,
    Project,
    Prompt,
    Rating,
    RenderedText,
    Response,
    Review,
    Rewrite,
    Task,
    TaskAsset,
    User,
)
from annotate.models.triggers import RULES
from exports.models import Export, ExportFile, Import, SavedMapping
from tests import factories
from tests.integration.annotate.spoiling import (
    SHA,
    World,
    comparison_in_project,
    flag,
    page,
    piece,
    rate,
    revise,
    schedule,
    twice,
)
from tests.integration.annotate.spoiling_reviews import REVIEW_BREAKERS

pytestmark = pytest.mark.django_db


BREAKERS: dict[str, Callable[[World], Any]] = {
    "annotate_user_email_unique": lambda w: [
        User.objects.create(username="u1", email="same@example.org"),
        User.objects.create(username="u2", email="SAME@example.org"),
    ],
    "annotate_user_imported_is_inactive": lambda w: User.objects.create(username="ghost", is_imported=True),
    "annotate_project_margin_levels": lambda w: Project.objects.update(margin_levels=5),
    "annotate_project_overlap": lambda w: Project.objects.update(overlap=0),
    "annotate_project_responses": lambda w: Project.objects.update(min_responses=1),
    "annotate_project_review_share": lambda w: Project.objects.update(review_share=101),
    "annotate_project_lease": lambda w: Project.objects.update(lease_minutes=0),
    "annotate_project_state_known": lambda w: Project.objects.update(state="odd"),
    "annotate_dimension_key_unique": lambda w: Dimension.objects.create(
        project=w.project, key=w.dimension.key, label="Twin"
    ),
    "annotate_dimension_key": lambda w: Dimension.objects.filter(pk=w.dimension.pk).update(key="Two words"),
    "annotate_dimension_range": lambda w: Dimension.objects.filter(pk=w.dimension.pk).update(minimum=9, maximum=1),
    "annotate_dimension_kind": lambda w: Dimension.objects.filter(pk=w.dimension.pk).update(kind="odd"),
    "annotate_dimension_target": lambda w: Dimension.objects.filter(pk=w.dimension.pk).update(target="odd"),
    "annotate_membership_unique": lambda w: Membership.objects.create(user=w.person, project=w.project, role="lead"),
    "annotate_membership_pseudonym_unique": lambda w: Membership.objects.create(
        user=w.reviewer,
        project=w.project,
        role="lead",
        pseudonym=Membership.objects.get(user=w.person).pseudonym,
    ),
    "annotate_membership_role": lambda w: Membership.objects.update(role="admin"),
    "annotate_batch_name_unique": lambda w: Batch.objects.create(project=w.project, name="Batch"),
    "annotate_task_external_id_unique": lambda w: factories.task(w.project, external_id=w.task.external_id),
    "annotate_task_overlap": lambda w: Task.objects.filter(pk=w.other_task.pk).update(overlap=0),
    "annotate_task_submitted_count": lambda w: Task.objects.filter(pk=w.task.pk).update(submitted_count=-1),
    "annotate_task_claimed_count": lambda w: Task.objects.filter(pk=w.task.pk).update(claimed_count=-1),
    "annotate_task_not_overfull": lambda w: Task.objects.filter(pk=w.task.pk).update(
        claimed_count=2, submitted_count=1
    ),
    "annotate_task_state_known": lambda w: Task.objects.filter(pk=w.task.pk).update(state="odd"),
    "annotate_prompt_position_unique": lambda w: Prompt.objects.create(
        task=w.task, position=0, external_id="new", content=[]
    ),
    "annotate_prompt_external_id_unique": lambda w: Prompt.objects.create(
        task=w.task, position=7, external_id="p0", content=[]
    ),
    "annotate_response_position_unique": lambda w: Response.objects.create(
        prompt=w.prompt, position=0, external_id="new", content=[]
    ),
    "annotate_response_external_id_unique": lambda w: Response.objects.create(
        prompt=w.prompt, position=7, external_id="r0", content=[]
    ),
    "annotate_response_one_continues": lambda w: w.prompt.responses.update(continues=True),
    "annotate_asset_kind": lambda w: Asset.objects.update(kind="odd"),
    "annotate_asset_sha256": lambda w: Asset.objects.update(sha256="../../etc/passwd"),
    "annotate_assetpage_unique": lambda w: twice(lambda: page(w)),
    "annotate_assetpage_number": lambda w: page(w, number=0),
    "annotate_taskasset_unique": lambda w: twice(lambda: TaskAsset.objects.create(task=w.task, asset=w.asset)),
    "annotate_renderedtext_unique": lambda w: twice(
        lambda: RenderedText.objects.create(sha256=SHA, version=1, html="")
    ),
    "annotate_assignment_unique": lambda w: w.assign(),
    "annotate_assignment_one_live": lambda w: [w.assign(state="live", round=1), w.assign(state="live", round=2)],
    "annotate_assignment_submission_key": lambda w: twice(
        lambda: w.assign(task=factories.task(w.project), submission_key="12345678-1234-5678-1234-567812345678")
    ),
    "annotate_assignment_live_has_lease": lambda w: w.assign(state="live", lease_until=None, round=1),
    "annotate_assignment_skip_has_reason": lambda w: w.assign(state="skipped", round=1),
    "annotate_assignment_state_known": lambda w: Assignment.objects.update(state="odd"),
    "annotate_annotation_unique": lambda w: w.annotate(),
    "annotate_annotation_outcome": lambda w: Annotation.objects.update(outcome="odd", winner=None, margin=None),
    "annotate_annotation_winner": lambda w: Annotation.objects.update(winner=None, margin=None),
    "annotate_annotation_margin": lambda w: Annotation.objects.update(margin=5),
    "annotate_annotation_state_known": lambda w: Annotation.objects.update(state="odd"),
    "annotate_rating_unique": lambda w: twice(lambda: rate(w)),
    "annotate_rating_comparison_unique": lambda w: twice(
        lambda d=comparison_in_project(w): rate(w, dimension=d, response=None)
    ),
    "annotate_placement_unique": lambda w: twice(
        lambda: Placement.objects.create(annotation=w.annotation, response=w.first, rank=1)
    ),
    "annotate_placement_rank": lambda w: Placement.objects.create(annotation=w.annotation, response=w.first, rank=0),
    "annotate_rewrite_unique": lambda w: twice(
        lambda: Rewrite.objects.create(annotation=w.annotation, response=w.first, content=[])
    ),
    "annotate_review_unique": lambda w: twice(
        lambda: Review.objects.create(annotation=w.annotation, reviewer=w.reviewer, verdict="accept")
    ),
    "annotate_review_verdict": lambda w: Review.objects.create(
        annotation=w.annotation, reviewer=w.reviewer, verdict="odd"
    ),
    "annotate_review_return_has_comment": lambda w: Review.objects.create(
        annotation=w.annotation, reviewer=w.reviewer, verdict="return"
    ),
    "annotate_project_rewrite_target": lambda w: Project.objects.update(rewrite_target="odd"),
    "annotate_annotation_reason_kind": lambda w: Annotation.objects.update(reason_kind="language"),
    "annotate_assignment_reopened_was_submitted": lambda w: w.assign(state="live", round=1, reopened_at=timezone.now()),
    "annotate_flag_unique": lambda w: twice(lambda: flag(w)),
    "annotate_flag_kind": lambda w: flag(w, kind="odd"),
    "annotate_flag_other_has_note": lambda w: flag(w, kind="other"),
    "annotate_revision_unique": lambda w: twice(lambda: revise(w)),
    "annotate_revision_number": lambda w: revise(w, number=0),
    "exports_import_state_known": lambda w: Import.objects.create(
        project=w.project, state="odd", finished_at=timezone.now()
    ),
    "annotate_guidelines_version_unique": lambda w: twice(
        lambda: GuidelinesVersion.objects.create(project=w.project, number=1)
    ),
    "exports_import_phase_known": lambda w: Import.objects.create(project=w.project, phase="odd"),
    "exports_savedmapping_unique": lambda w: twice(
        lambda: SavedMapping.objects.create(project=w.project, format="columns", columns=SHA, mapping={})
    ),
    "annotate_known_kind": lambda w: KnownJudgement.objects.create(prompt=w.prompt, kind="odd", source="s", content={}),
    "annotate_known_source_unique": lambda w: twice(
        lambda: KnownJudgement.objects.create(prompt=w.prompt, kind="gold", source="s", content={})
    ),
    "exports_import_running_has_token": lambda w: Import.objects.create(project=w.project, state="running"),
    "exports_import_finished_at": lambda w: Import.objects.create(project=w.project, state="done"),
    "exports_export_state_known": lambda w: Export.objects.create(
        project=w.project, state="odd", finished_at=timezone.now()
    ),
    "exports_export_running_has_token": lambda w: Export.objects.create(project=w.project, state="running"),
    "exports_export_finished_at": lambda w: Export.objects.create(project=w.project, state="failed"),
    "exports_export_stage_known": lambda w: Export.objects.create(project=w.project, stage="odd"),
    "exports_export_names_have_reason": lambda w: Export.objects.create(
        project=w.project, options={"identity": "names"}
    ),
    "exports_piece_number_unique": lambda w: twice(lambda e=Export.objects.create(project=w.project): piece(e)),
    "exports_piece_state_known": lambda w: piece(
        Export.objects.create(project=w.project), state="odd", token=uuid.uuid4()
    ),
    "exports_piece_range": lambda w: piece(Export.objects.create(project=w.project), upto=0),
    "exports_piece_has_token": lambda w: piece(Export.objects.create(project=w.project), state="done"),
    "exports_schedule_every_known": lambda w: schedule(w, every="odd"),
    "exports_schedule_no_names": lambda w: schedule(w, options={"identity": "names"}),
    "exports_exportfile_name_unique": lambda w: twice(
        lambda e=Export.objects.create(project=w.project): ExportFile.objects.create(
            export=e, name="a", sha256=SHA, bytes=1, rows=1
        )
    ),
    "exports_exportfile_sha256": lambda w: ExportFile.objects.create(
        export=Export.objects.create(project=w.project), name="a", sha256="x", bytes=1, rows=1
    ),
    "annotate_revision_cause": lambda w: AnnotationRevision.objects.create(
        annotation=w.annotation, number=1, content={}, cause="odd"
    ),
    **REVIEW_BREAKERS,
    # triggers
    "annotate_rating_response_of_prompt": lambda w: rate(w, response=w.foreign),
    "annotate_rating_target": lambda w: rate(w, response=None),
    "annotate_rating_in_range": lambda w: rate(w, value=9),
    "annotate_rating_dimension_of_project": lambda w: rate(w, dimension=w.comparison, response=None, value=1),
    "annotate_placement_response_of_prompt": lambda w: Placement.objects.create(
        annotation=w.annotation, response=w.foreign, rank=1
    ),
    "annotate_rewrite_response_of_prompt": lambda w: Rewrite.objects.create(
        annotation=w.annotation, response=w.foreign, content=[]
    ),
    "annotate_annotation_winner_of_prompt": lambda w: Annotation.objects.update(winner=w.foreign),
    "annotate_annotation_prompt_of_assignment": lambda w: w.annotate(
        prompt=w.other_task.prompts.get(), winner=None, outcome="tie", margin=0
    ),
    "annotate_annotation_annotator_of_assignment": lambda w: Annotation.objects.update(annotator=w.reviewer),
    "annotate_task_batch_of_project": lambda w: factories.task(w.project, batch=w.other_task.batch),
    "annotate_flag_response_of_prompt": lambda w: flag(w, response=w.foreign),
    "annotate_revision_append_only": lambda w: [revise(w), AnnotationRevision.objects.update(number=2)],
    "annotate_event_append_only": lambda w: Event.objects.update(verb="rewritten"),
}


def our_constraints() -> set[str]:
    ours = [model for model in apps.get_models() if model._meta.app_label in {"annotate", "exports"}]
    return {constraint.name for model in ours for constraint in model._meta.constraints} | {r.name for r in RULES}


def test_every_constraint_has_a_breaker() -> None:
    assert set(BREAKERS) == our_constraints()


@pytest.mark.parametrize("name", sorted(BREAKERS))
def test_the_database_refuses_what_breaks(name: str) -> None:
    world = World()

    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        BREAKERS[name](world)

    assert name in str(caught.value) or is_plain_unique(name)


def is_plain_unique(name: str) -> bool:
    """SQLite names the columns of a broken unique constraint instead of the constraint."""
    for model in apps.get_models():
        for constraint in model._meta.constraints:
            if constraint.name == name:
                return isinstance(constraint, models.UniqueConstraint)
    return False


def test_what_is_right_is_accepted() -> None:
    world = World()

    rate(world)
    Placement.objects.create(annotation=world.annotation, response=world.first, rank=1)
    Annotation.objects.update(outcome="tie", winner=None, margin=0)
    Annotation.objects.update(outcome="all_bad", margin=None)
    world.assign(state="live", round=1, lease_until=timezone.now() + timedelta(hours=1))

    assert Rating.objects.get().value == 3
