"""The files that tasks of an upload use: looked at whole when it is checked, stored when it is imported."""

from __future__ import annotations

from collections import Counter

from annotate.media.probing import MediaError, probe
from annotate.media.storage import store_probed
from annotate.models import Asset
from annotate.rules.identities import names_in_bytes
from exports.bundle import Bundle
from exports.problems import ProblemError, describe
from exports.records import Part
from exports.safe_names import visible

MAX_KNOWN = 100_000  # files whose result is remembered


class MediaDesk:
    """Finds, checks and, with ``keep``, stores the files that parts name. Each is decoded once.

    ``metadata_names``: names of models that stood inside the files, beside what is seen or heard, and are gone from
    what is stored.
    """

    def __init__(self, bundle: Bundle, *, keep: bool) -> None:
        self.bundle, self.keep = bundle, keep
        self.metadata_names: Counter[str] = Counter()
        self._known: dict[tuple[str, str, str], tuple[str, str]] = {}  # to (problem, SHA-256)

    def problem(self, part: Part, file: str) -> str:
        """What is wrong with the file of ``part``, or "". It is decoded whole: no damage comes to light later."""
        return self._looked_at(part, file)[0]

    def sha256(self, part: Part, file: str) -> str:
        """The address of the stored file of a part without problem."""
        return part.asset or self._looked_at(part, file)[1]

    def _looked_at(self, part: Part, file: str) -> tuple[str, str]:
        key = (part.type, part.asset or "", part.path or "")
        if key not in self._known:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[key] = self._look_at(part, file)
        return self._known[key]

    def _look_at(self, part: Part, file: str) -> tuple[str, str]:
        if part.asset:
            known = Asset.objects.filter(sha256=part.asset, kind=part.type).exists()
            return "" if known else f"{part.asset[:12]}…, which is not stored here", part.asset
        shown = visible(describe(part.path))
        try:
            data = self.bundle.media(part.path or "", file)
            if data is None:
                return f"{shown}, which the upload does not hold", ""
            probed = probe(data)
            if probed.kind != part.type:
                return f"{shown}, which holds {probed.kind}", ""
            self.metadata_names.update(name for name in names_in_bytes(data) if not names_in_bytes(probed.data))
            return "", store_probed(probed).sha256 if self.keep else probed.sha256
        except ProblemError as error:
            return error.problem.found, ""
        except MediaError as error:
            return str(error), ""
