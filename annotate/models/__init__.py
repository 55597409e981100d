"""The tables of the labelling domain, one concept a file."""

from annotate.models.accounts import User
from annotate.models.annotations import Annotation, Flag, Placement, Rating, Rewrite
from annotate.models.assignments import Assignment
from annotate.models.events import Event
from annotate.models.jobs import Job, Worker
from annotate.models.media import Asset, AssetPage, RenderedText, TaskAsset
from annotate.models.projects import Batch, Dimension, Membership, Project
from annotate.models.reviews import Review
from annotate.models.revisions import AnnotationRevision
from annotate.models.tasks import Prompt, Response, Task

__all__ = [
    "Annotation",
    "AnnotationRevision",
    "Asset",
    "AssetPage",
    "Assignment",
    "Batch",
    "Dimension",
    "Event",
    "Flag",
    "Job",
    "Membership",
    "Placement",
    "Project",
    "Prompt",
    "Rating",
    "RenderedText",
    "Response",
    "Review",
    "Rewrite",
    "Task",
    "TaskAsset",
    "User",
    "Worker",
]
