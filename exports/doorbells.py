"""Asking other workers to help with an export. If nobody hears the doorbell, its own worker does it all."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotate.enums import JobState

logger = logging.getLogger(__name__)
MOST_HELPERS = 8


@shared_task(name="exports.help_export", ignore_result=True)
def help_export(export_id: int) -> None:
    """Make one piece, then queue up again behind the others, so that a large export keeps nobody waiting."""
    from exports.pieces import help_with

    if type(export_id) is int and help_with(export_id) and settings.REDIS_URL:
        _publish(export_id)


def ring_for_help(export_id: int, pieces: int) -> None:
    """Ask over the broker for as many helpers as there are pieces, within reason."""
    if settings.REDIS_URL:
        for _ in range(min(pieces, MOST_HELPERS)):
            if not _publish(export_id):
                break


def ring_where_idle(room: int) -> None:
    """Let this worker's own idle processes help. The dispatcher calls it when no job waits; ``room``: how many may.

    With a broker the doorbells go round by themselves.
    """
    from exports.enums import PieceState
    from exports.models import ExportPiece

    if settings.REDIS_URL or room <= 0:
        return
    running = ExportPiece.objects.filter(export__state=JobState.RUNNING, lease_until__lte=timezone.now())
    free = running.exclude(state=PieceState.DONE).order_by("export_id", "number")
    for export_id in free.values_list("export_id", flat=True)[:room]:
        _publish(export_id)


def _publish(export_id: int) -> bool:
    try:
        help_export.delay(export_id)
    except (OperationalError, OSError) as error:
        logger.warning("The broker does not answer (%s); export %s is made without help.", error, export_id)
        return False
    return True
