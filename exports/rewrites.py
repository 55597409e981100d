"""What people wrote themselves in place of a response: the better half of a pair, or an answer to learn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from exports.ballots import Ballot
from exports.conversation import clean_response
from exports.records import ResponseRecord


def rewrites_of(
    ballot: Ballot, responses: Mapping[str, ResponseRecord]
) -> Iterator[tuple[ResponseRecord, ResponseRecord]]:
    """Yield (rewrite, original) in clean text, for each rewrite of a vote. Both have the id of the original.

    A rewrite has no model: a person wrote it. One of a response that does not exist is left out.
    """
    for rewrite in ballot.annotation.rewrites:
        original = responses.get(rewrite.response)
        if original is not None:
            yield clean_response(replace(original, content=rewrite.content, model=None, metadata={})), original
