"""What a reviewer said about work that came back, beside the form of its author."""

from dataclasses import dataclass
from datetime import datetime

from annotate.enums import ReviewPlace
from annotate.models import Assignment, Prompt
from annotate.queries.reviews import latest_return


@dataclass(frozen=True)
class Returned:
    comment: str
    places: list[str]
    quotes: list[str]
    due_at: datetime | None


def returned_of(assignment: Assignment, prompt: Prompt) -> Returned | None:
    """Return why the turn came back, ``None`` for a turn of which nothing was said."""
    annotation = assignment.annotations.filter(prompt=prompt, state="returned").first()
    review = latest_return(annotation) if annotation else None
    if review is None:
        return None
    points = list(review.points.all())
    return Returned(
        comment=review.comment,
        places=list(dict.fromkeys(str(ReviewPlace(point.place).label) for point in points)),
        quotes=[point.quote for point in points if point.quote],
        due_at=assignment.due_at,
    )
