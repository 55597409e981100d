"""What looks like a slip in a complete judgement. It warns and never blocks: the person may mean it so."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from annotate.rules.judgement import WINNER, Judgement, JudgementSpec
from annotate.rules.references import LETTERS, QUOTE
from annotate.texts import gettext as _

AGAINST_RATINGS = "ratings_against_winner"
NO_DIFFERENCE = "margin_without_difference"
NAMES_LOSER = "names_only_loser"
REPEATED = "repeated_justification"
CODES = (AGAINST_RATINGS, NO_DIFFERENCE, NAMES_LOSER, REPEATED)

MIN_LENGTH = 40  # shorter reasons are alike by nature
SAME_SHARE = 90  # percent
RECENT = 50  # how many earlier reasons are compared
_ORDINAL = {"scale", "yes_no"}
_RESPONSE = r"(?:@|[Rr]esponse )?([A-I])"
_BETTER = re.compile(
    rf"(?<!\w){_RESPONSE} (?:is|was|does|did)(?: (?:much|clearly|slightly|far|a bit|a little|simply|just|the))*"
    r" (?:better|best|stronger|preferable|superior)\b"
    rf"|(?<!\w)(?:[Pp]refer|[Cc]hoose|[Cc]hose|[Pp]ick|[Pp]icked) {_RESPONSE}(?!\w)|(?<!\w){_RESPONSE} wins\b"
)


@dataclass(frozen=True)
class CoherenceWarning:
    code: str
    message: str


def coherence_warnings(judgement: Judgement, spec: JudgementSpec, earlier: Iterable[str]) -> list[CoherenceWarning]:
    """Return what the person should look at once more, in the order of ``CODES``.

    :param spec: its responses are in the order shown, the first one is A.
    :param earlier: the person's last justifications in the project, of other tasks.
    """
    found = []
    if judgement.outcome == WINNER and judgement.winner in spec.responses:
        found += [*_against_ratings(judgement, spec), *_no_difference(judgement, spec), *_names_loser(judgement, spec)]
    if _is_repeated(judgement.justification, earlier):
        text = _("This reason is almost the same as an earlier one of yours. Say what is special about this task.")
        found.append(CoherenceWarning(REPEATED, text))
    return found


def _values(judgement: Judgement, spec: JudgementSpec) -> dict[str, dict[str, int]]:
    """Response to dimension to value, for dimensions whose numbers have an order."""
    ordinal = {d.key for d in spec.dimensions if d.kind in _ORDINAL and d.target == "response"}
    values: dict[str, dict[str, int]] = {response: {} for response in spec.responses}
    for rating in judgement.ratings:
        if rating.dimension in ordinal and rating.value is not None and rating.response in values:
            values[rating.response][rating.dimension] = rating.value
    return values


def _pairs(values: dict[str, dict[str, int]], one: str, other: str) -> list[tuple[int, int]]:
    return [(values[one][key], values[other][key]) for key in values[one] if key in values[other]]


def _letter(response: str, spec: JudgementSpec) -> str:
    return LETTERS[spec.responses.index(response)]


def _against_ratings(judgement: Judgement, spec: JudgementSpec) -> list[CoherenceWarning]:
    winner, values = judgement.winner or "", _values(judgement, spec)
    for other in spec.responses:
        pairs = _pairs(values, winner, other)
        if other != winner and pairs and all(mine < theirs for mine, theirs in pairs):
            a, b = _letter(winner, spec), _letter(other, spec)
            text = _("You prefer %(winner)s, but every rating of %(other)s is higher.") % {"winner": a, "other": b}
            return [CoherenceWarning(AGAINST_RATINGS, text)]
    return []


def _no_difference(judgement: Judgement, spec: JudgementSpec) -> list[CoherenceWarning]:
    # With one level there is no stronger and weaker: its only step says nothing about strength.
    if spec.margin_levels < 2 or judgement.margin != spec.margin_levels:
        return []
    winner, values = judgement.winner or "", _values(judgement, spec)
    for other in _runners_up(judgement, spec):
        pairs = _pairs(values, winner, other)
        if pairs and all(mine == theirs for mine, theirs in pairs):
            a, b = _letter(winner, spec), _letter(other, spec)
            text = _("You prefer %(winner)s as strongly as possible, but rated %(winner)s and %(other)s alike.")
            return [CoherenceWarning(NO_DIFFERENCE, text % {"winner": a, "other": b})]
    return []


def _runners_up(judgement: Judgement, spec: JudgementSpec) -> Sequence[str]:
    """The responses that the margin is measured against."""
    if spec.is_ranked:
        return judgement.ranking[1] if len(judgement.ranking) > 1 else ()
    return [response for response in spec.responses if response != judgement.winner]


def _names_loser(judgement: Judgement, spec: JudgementSpec) -> list[CoherenceWarning]:
    own = _without_quotes(judgement)
    letters = {next(filter(None, match.groups())) for match in _BETTER.finditer(own)}
    named = {spec.responses[place] for place in map(LETTERS.index, letters) if place < len(spec.responses)}
    if not named or judgement.winner in named:
        return []
    loser, winner = _letter(sorted(named)[0], spec), _letter(judgement.winner or "", spec)
    text = _("You prefer %(winner)s, but your reason says that %(loser)s is better.")
    return [CoherenceWarning(NAMES_LOSER, text % {"winner": winner, "loser": loser})]


def _without_quotes(judgement: Judgement) -> str:
    text = judgement.justification
    for reference in sorted(judgement.references, key=lambda item: item.at, reverse=True):
        if reference.kind == QUOTE:
            text = text[: reference.at[0]] + text[reference.at[1] :]
    return text


def _is_repeated(justification: str, earlier: Iterable[str]) -> bool:
    text = _normal(justification)
    if len(text) <= MIN_LENGTH:
        return False
    return any(fuzz.ratio(text, _normal(other)) >= SAME_SHARE for other in earlier)


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())
