"""Names of models and of who makes them, in what annotators are going to see."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import re2

MASK = "▇▇▇"
"""What stands in the place of a masked name."""
SHORTEST_NAME = 3  # characters; shorter names of models are ordinary words too often
SURE_LENGTH = 6  # characters that pictures and sounds do not hold by chance

# Names that say a model or its maker. Ordinary words (a llama, a falcon, a gemini) only count with what makes a name
# of them: a version, another word, or their capital letters.
_NAMES = (
    r"chat-?gpt(?:-?[\d.]+\w*)?|gpt-?[2-9](?:\.\d)?(?:[ -]?(?:o|turbo|mini|nano|vision)\b)*",
    r"openai|o[134]-(?:mini|preview|pro)",
    r"claude(?:[ -](?:instant|opus|sonnet|haiku|v?\d[\w.]*))*|anthropic",
    r"gemini(?:[ -](?:pro|ultra|nano|flash|advanced|\d[\w.]*))+",
    r"google (?:bard|gemini)|deepmind|palm[ -]?2|gemma[ -]?\d*\b",
    r"llama[ -]?[23](?:\.\d)?[\w-]*|llama-\d+b|code ?llama|meta ai\b",
    r"mi[sx]tral(?:[ -](?:ai|large|small|medium|\d[\w.]*))*|qwen[\w.-]*|tongyi|deepseek[\w.-]*|grok[ -]?\d*\b|xai\b",
    r"cohere|command[ -]r\b\+?|vicuna[\w.-]*|alpaca-\w+|wizardlm|zephyr-\w+|openassistant|falcon-\d+\w*|yi-\d+b\w*",
    r"baichuan[\w.-]*|chatglm[\w.-]*|glm-\d[\w.-]*|ernie bot|moonshot ai|kimi[ -]k?\d[\w.-]*|minimax-\w+|phi-[1-4]\w*",
    r"microsoft copilot|bing chat|ai21|jurassic-\d|nemotron[\w.-]*|gigachat|yandexgpt|amazon nova",
    r"dall[·.-]?e(?:[ -]?\d)?|midjourney|stable[ -]diffusion[\w .-]{0,5}|sdxl|imagen[ -]?\d|adobe firefly",
)
_PATTERN = re.compile(rf"(?<![\w])(?:{'|'.join(_NAMES)})(?![\w])", re.IGNORECASE)
# The same without the bounds, in an engine whose time does not grow with the number of names: it is asked first.
_QUICK = re2.compile("(?i)" + "|".join(_NAMES))
_LOOKALIKES = str.maketrans("аеорсухіѕԁɡʟАВЕКМНОРСТХ‐‑‒–—", "aeopcyxisdglABEKMHOPCTX-----")
_ODD = re.compile("[^\x00-\x7f\u00c0-\u024f\u0900-\u1fff\u3040-\uabff\uac00-\ud7ff\u2018-\u201f\u2026]")
"""Everything but the letters and marks of common writing that look like no Latin letter: seldom, and then slower."""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


class Named(NamedTuple):
    """A name found in a text: `text[start:end]` is how it is written there."""

    start: int
    end: int
    name: str


def may_name(text: str, models: Iterable[str] = ()) -> bool:
    """Whether `names_in` can find anything in `text`, or in a text that is part of it; fast, and seldom wrong."""
    shown, _ = _plain(text)
    if _QUICK.search(shown):
        return True
    lowered = shown.lower()
    return any(model.lower() in lowered for model in models)


def names_in(text: str, models: Iterable[str] = ()) -> list[Named]:
    """Find the names of models and their makers in `text`, in order and without overlap.

    :param models: the names that this very data gives to its models; found whole and without regard to case.
    """
    shown, places = _plain(text)
    lowered = shown.lower()
    found: list[tuple[int, int]] = []
    if _QUICK.search(shown):
        found = [match.span() for match in _PATTERN.finditer(shown)]
    for model in models:
        if len(model) >= SHORTEST_NAME and model.lower() in lowered:
            found += [match.span() for match in _of_model(model).finditer(shown)]
    return list(_named(text, places, found))


def names_in_bytes(data: bytes) -> list[str]:
    """The names in the text inside a file of media, each once. Short ones also arise by chance and are not counted."""
    text = data.decode("latin-1")
    found = {match.group() for match in _PATTERN.finditer(text)} if _QUICK.search(text) else set()
    return sorted(name for name in found if len(name) >= SURE_LENGTH)


def masked(text: str, names: Iterable[Named]) -> str:
    """`text` with `MASK` in the place of each name."""
    pieces, after = [], 0
    for name in names:
        pieces += [text[after : name.start], MASK]
        after = name.end
    return "".join([*pieces, text[after:]])


@lru_cache(maxsize=1000)
def _of_model(model: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(model)}(?!\w)", re.IGNORECASE)


def _plain(text: str) -> tuple[str, list[int] | None]:
    """The text as it looks: lookalike letters as the Latin ones, without what cannot be seen; and, where that moved
    anything, the place in `text` of each of its characters."""
    if text.isascii() or not _ODD.search(text):
        return text, None
    if not _INVISIBLE.search(text):
        return "".join(_one(character) for character in text).translate(_LOOKALIKES), None
    kept = [(place, character) for place, character in enumerate(text) if not _INVISIBLE.match(character)]
    shown = "".join(_one(character) for _, character in kept).translate(_LOOKALIKES)
    return shown, [place for place, _ in kept]


@lru_cache(maxsize=5000)
def _one(character: str) -> str:
    """The compatible form of a character if it is one character too, so that places stay the same."""
    form = unicodedata.normalize("NFKC", character)
    return form if len(form) == 1 else character


def _named(text: str, places: list[int] | None, spans: list[tuple[int, int]]) -> Iterator[Named]:
    last = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if places is not None:
            start, end = places[start], places[end - 1] + 1
        if start >= last:
            yield Named(start, end, text[start:end])
            last = end
