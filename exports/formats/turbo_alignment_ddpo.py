"""Pairs for turbo-alignment's dataset type `ddpo`: the records are those of `pair_preferences`."""

from __future__ import annotations

from annotate.texts import gettext_noop
from exports.formats.turbo_alignment_pairs import TurboAlignmentPairs


class TurboAlignmentDdpo(TurboAlignmentPairs):
    """Releases after 0.0.4 no longer have this type; the pairs format gives them the same rows."""

    name = "turbo_alignment_ddpo"
    label = gettext_noop("turbo-alignment DDPO")
    description = gettext_noop(
        "The pairs of turbo-alignment under the name of its dataset type ddpo (releases up to 0.0.4)."
    )
    consumer = gettext_noop("I train DDPO with turbo-alignment 0.0.4")
    can_read = False
