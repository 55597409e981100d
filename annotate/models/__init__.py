"""The tables of the labelling domain, one concept a file."""

from annotate.models.accounts import User
from annotate.models.annotations import Annotation, Flag, Placement, Rating, Rewrite
from annotate.models.assignments import Assignment
from annotate.models.audit_lots import AuditLot
from annotate.models.disputes import Appeal, Dispute, ReviewComment
from annotate.models.events import Event
from annotate.models.jobs import Job, Worker
from annotate.models.known import KnownJudgement
from annotate.models.media import Asset, AssetPage, RenderedText, TaskAsset
from annotate.models.projects import Batch, Dimension, GuidelinesVersion, Membership, Project
from annotate.models.review_settings import ReviewSettings
from annotate.models.reviews import Review, ReviewItem, ReviewPoint, RubricScore
from annotate.models.revisions import AnnotationRevision
from annotate.models.tasks import Prompt, Response, Task

__all__ = [
    "Annotation",
    "AnnotationRevision",
    "Appeal",
    "Asset",
    "AssetPage",
    "Assignment",
    "AuditLot",
    "Batch",
    "Dimension",
    "Dispute",
    "Event",
    "Flag",
    "GuidelinesVersion",
    "Job",
    "KnownJudgement",
    "Membership",
    "Placement",
    "Project",
    "Prompt",
    "Rating",
    "RenderedText",
    "Response",
    "Review",
    "ReviewComment",
    "ReviewItem",
    "ReviewPoint",
    "ReviewSettings",
    "Rewrite",
    "RubricScore",
    "Task",
    "TaskAsset",
    "User",
    "Worker",
]
