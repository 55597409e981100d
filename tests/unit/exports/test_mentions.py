from __future__ import annotations

import pytest

from exports.mentions import numbered
from exports.records import ReferenceRecord
from tests.unit.exports.samples import wins


@pytest.mark.parametrize(
    ("shown", "text", "expected"),
    [
        (["b", "a"], "@A beats Response B.", "@Response 2 beats @Response 1."),
        (["a", "b"], "@A beats @B, and @C does not exist.", "@Response 1 beats @Response 2, and @C does not exist."),
        ([], "@B\r\nis good ", "@Response 2\nis good"),
        (["z", "a"], "@A is gone, @B is there.", "another response is gone, @Response 1 is there."),
        (["a", "b"], "", ""),
    ],
)
def test_letters_become_numbers_of_the_order_in_the_file(shown: list[str], text: str, expected: str) -> None:
    assert numbered(wins("a", justification=text, display_order=shown), ["a", "b"]) == expected


def test_stored_mentions_are_believed_and_quotes_left_alone() -> None:
    references = [
        ReferenceRecord(kind="quote", at=[0, 10], response="a", text="Response B"),
        ReferenceRecord(kind="mention", at=[17, 19], response="b", text="@B"),
    ]
    vote = wins("a", justification="Response B, says @B.", references=references, display_order=["a", "b"])
    assert numbered(vote, ["b", "a"]) == "Response B, says @Response 1."
