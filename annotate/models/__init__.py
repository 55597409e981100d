"""The tables of the labelling domain, one concept a file."""

from annotate.models.accounts import User
from annotate.models.annotations import Annotation, Placement, Rating, Rewrite
from annotate.models.assignments import Assignment
from annotate.models.events import Event
from annotate.models.jobs import Job, Worker
from annotate.models.media import Asset, RenderedText, TaskAsset
from annotate.models.projects import Batch, Dimension, Membership, Project
from annotate.models.reviews import Review
from annotate.models.tasks import Prompt, Response, Task

__all__ = [
    "Annotation",
    "Asset",
    "Assignment",
    "Batch",
    "Dimension",
    "Event",
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
