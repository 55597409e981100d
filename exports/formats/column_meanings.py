"""What columns of any table can mean, and a guess from their names and first values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotate.texts import gettext_noop

METADATA, IGNORE = "metadata", "ignore"
PLAIN = (
    *("id", "prompt", "system", "context", "responses"),
    *("winner", "margin", "ranking", "annotator", "justification"),
)
"""Meanings that one column can have."""
COUNTED = ("response", "model", "media", "image", "audio", "video")
"""Meanings with a number: the first, second … of its kind."""
MOST = 9
LETTERS = "ABCDEFGHI"

CHOICES: list[tuple[str, str]] = [
    (METADATA, gettext_noop("Keep as metadata")),
    (IGNORE, gettext_noop("Leave out")),
    ("id", gettext_noop("Id of the task")),
    ("prompt", gettext_noop("Prompt")),
    ("system", gettext_noop("System message")),
    ("context", gettext_noop("Messages before the prompt")),
    ("responses", gettext_noop("All responses, as a list")),
    ("annotator", gettext_noop("Annotator")),
    ("winner", gettext_noop("Winner")),
    ("margin", gettext_noop("Margin")),
    ("ranking", gettext_noop("Ranking")),
    ("justification", gettext_noop("Justification")),
    *((f"response:{n}", f"Response {LETTERS[n - 1]}") for n in range(1, MOST + 1)),
    *((f"model:{n}", f"Model of response {LETTERS[n - 1]}") for n in range(1, MOST + 1)),
    *((f"media:{n}", f"Picture of response {LETTERS[n - 1]}") for n in range(1, MOST + 1)),
    ("image:1", gettext_noop("Picture in the prompt")),
    ("audio:1", gettext_noop("Sound in the prompt")),
    ("video:1", gettext_noop("Video in the prompt")),
]
"""Meanings to choose from. Ratings are written as `rating:<dimension>` or `rating:<dimension>:<number>`."""

_NAMES = {
    "id": r"(?:.*_)?id|uid|key|idx|index",
    "prompt": r"prompt|question|instruction|query|input|text|caption|user",
    "system": r"system(?:_prompt|_message)?",
    "context": r"context|history|messages|conversation",
    "responses": r"responses|completions|answers|outputs|candidates|generations",
    "winner": r"winner|preferred|preference|choice|chosen_side|better|label|best|vote|verdict",
    "margin": r"margin|strength|likert|confidence_level",
    "ranking": r"ranking|ranks?|order",
    "annotator": r"annotator|worker|judge|rater|user_id|labeler|labeller|evaluator|annotator_id|worker_id",
    "justification": r"justification|reason|reasoning|comment|explanation|rationale|why",
    "image:1": r"image|image_path|img|picture|image_url",
    "audio:1": r"audio|audio_path|sound",
    "video:1": r"video|video_path",
}
_SIDE = re.compile(
    r"(?:(?P<kind>response|answer|output|completion|result|text|model|generator|model_name|system|image|candidate)"
    r"[ _-]?)?(?P<side>[1-9a-ixy]|one|two|left|right|chosen|rejected)(?:_(?P<after>model|response|answer|text))?"
)
_SIDES = {
    **{str(n): n for n in range(1, MOST + 1)},
    **{letter: n for n, letter in enumerate("abcdefghi", 1)},
    "x": 1,
    "y": 2,
    "one": 1,
    "two": 2,
    "left": 1,
    "right": 2,
    "chosen": 1,
    "rejected": 2,
}


def proposals(columns: Mapping[str, Sequence[object]]) -> dict[str, str]:
    """A meaning for each column, none of them twice. `columns`: the first values of each."""
    taken: set[str] = set()
    made: dict[str, str] = {}
    zero_based = any(re.search(r"[ _-]0$", name) for name in columns)
    for name, values in columns.items():
        meaning = _meaning(name.strip().lower(), values, zero_based=zero_based)
        made[name] = meaning if meaning not in taken else METADATA
        taken |= {made[name]} - {METADATA}
    return made


def _meaning(name: str, values: Sequence[object], *, zero_based: bool) -> str:
    if zero_based and (numbered := re.fullmatch(r"(.*[ _-])(\d)", name)):
        name = f"{numbered[1]}{int(numbered[2]) + 1}"
    for meaning, pattern in _NAMES.items():
        if re.fullmatch(pattern, name) and _fits(meaning, values):
            return meaning
    found = _SIDE.fullmatch(name)
    if found is None:
        return METADATA
    kind = found["after"] or found["kind"] or "response"
    if found["kind"] is None and found["after"] is None and found["side"] not in ("chosen", "rejected"):
        return METADATA  # a column that is called a or 1 alone could be anything
    number = _SIDES[found["side"]]
    if kind in ("model", "generator", "model_name", "system"):
        return f"model:{number}"
    return f"media:{number}" if kind == "image" else f"response:{number}"


def _fits(meaning: str, values: Sequence[object]) -> bool:
    """Whether the first values are of the kind that the meaning needs."""
    first = next((value for value in values if value not in (None, "")), None)
    if meaning in ("context", "responses"):
        return isinstance(first, list) or (isinstance(first, str) and first.lstrip().startswith("["))
    if meaning in ("prompt", "system"):
        return isinstance(first, (str, list))
    if meaning == "ranking":
        return isinstance(first, (list, str))
    return not isinstance(first, dict)
