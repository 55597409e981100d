"""When a judgement is complete and agrees with itself. The form, the API and the importer all ask here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.rules.content import clean_written_text, text_of
from annotate.rules.references import Reference, problem
from annotate.texts import gettext as _
from annotate.texts import ngettext

WINNER, TIE, ALL_BAD, CANNOT_JUDGE = "winner", "tie", "all_bad", "cannot_judge"
OUTCOMES = (WINNER, TIE, ALL_BAD, CANNOT_JUDGE)


@dataclass(frozen=True)
class DimensionSpec:
    """What a rating on one dimension may be. ``choices`` limits tags; empty allows any."""

    key: str
    label: str
    kind: str  # scale | yes_no | category | tags | text
    target: str  # response | comparison
    minimum: int
    maximum: int
    is_required: bool
    justification: str = "off"
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class JudgementSpec:
    """What a project asks of a judgement of one prompt. ``margin_levels`` 0 asks for no margin.

    ``sources``: response id to its text as written; rewrites and quotes are held against it.
    """

    responses: tuple[str, ...]
    margin_levels: int
    allow_tie: bool
    allow_all_bad: bool
    allow_cannot_judge: bool
    justification: str
    justification_min_length: int
    dimensions: tuple[DimensionSpec, ...] = ()
    rewrite: str = "off"  # off | optional | required
    rewrite_target: str = "winner"  # winner | any
    flags: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_ranked(self) -> bool:
        """More than two responses are ranked; two are judged on one line."""
        return len(self.responses) > 2


@dataclass(frozen=True)
class RatingValue:
    dimension: str
    response: str | None
    value: int | None = None
    text: str = ""
    tags: tuple[str, ...] = ()
    justification: str = ""

    @property
    def is_given(self) -> bool:
        return self.value is not None or bool(self.text) or bool(self.tags)


@dataclass(frozen=True)
class FlagValue:
    """Something is wrong with a response beyond its quality; ``other`` needs a note."""

    response: str
    kind: str
    note: str = ""


@dataclass(frozen=True)
class Judgement:
    """Everything one annotator says about one prompt, in response ids. ``ranking``: groups, best first, inner = tie.

    ``rewrites``: response id to parts. ``reason`` and ``reason_kind`` say why it could not be judged.
    """

    outcome: str = ""
    winner: str | None = None
    margin: int | None = None
    ranking: tuple[tuple[str, ...], ...] = ()
    ratings: tuple[RatingValue, ...] = ()
    justification: str = ""
    reason: str = ""
    rewrites: Mapping[str, Any] = field(default_factory=dict)
    reason_kind: str = ""
    flags: tuple[FlagValue, ...] = ()
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class Finding:
    """Something missing or contradictory. ``where``: preference, margin, justification, reason_kind,

    ``rating:<dimension>:<response id or empty>``, ``rewrite:<response id>`` or ``flag:<kind>:<response id>``.
    """

    where: str
    message: str


def ranking_from_ranks(ranks: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return groups of response ids, best (lowest number) first; equal numbers are a tie, gaps do not matter."""
    return tuple(
        tuple(response for response, rank in ranks.items() if rank == wanted) for wanted in sorted(set(ranks.values()))
    )


def outcome_of_ranking(ranking: Sequence[Sequence[str]]) -> tuple[str, str | None]:
    """Return (outcome, winner): the one response ranked first wins; several ranked first are a tie."""
    if not ranking:
        return "", None
    return (WINNER, ranking[0][0]) if len(ranking[0]) == 1 else (TIE, None)


def findings(judgement: Judgement, spec: JudgementSpec) -> list[Finding]:
    """Return all that keeps the judgement from being submitted, in the order of the page; empty when it is complete."""
    if judgement.outcome == CANNOT_JUDGE:
        return [*_cannot_judge(judgement, spec), *_stray(judgement, spec), *_remarks(judgement, spec)]
    return [
        *_ratings(judgement, spec),
        *_preference(judgement, spec),
        *_justification(judgement, spec),
        *_remarks(judgement, spec),
    ]


def _cannot_judge(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    if not spec.allow_cannot_judge:
        yield Finding("preference", _("This project asks for a judgement of every task. Skip the task instead."))
    elif not judgement.reason and judgement.reason_kind in {"", "other"}:
        yield Finding("justification", _("Say why it cannot be judged."))


def _stray(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    """What no page sends, but a program may: parts that contradict the outcome or belong to another prompt."""
    ranked = [response for group in judgement.ranking for response in group]
    if judgement.outcome != WINNER and judgement.winner is not None:
        yield Finding("preference", _("Only the outcome “winner” has a winner. Reload the page."))
    if judgement.outcome in {ALL_BAD, CANNOT_JUDGE} and judgement.margin is not None:
        yield Finding("margin", _("No margin is asked for here. Reload the page."))
    if judgement.outcome == CANNOT_JUDGE and (ranked or judgement.ratings or judgement.rewrites):
        yield Finding("preference", _("What cannot be judged is neither ranked, rated nor rewritten. Reload the page."))
    if unknown := (set(ranked) | set(judgement.rewrites)) - set(spec.responses):
        yield Finding(
            "preference",
            _("Response %(response)s is not one of this prompt. Reload the page.") % {"response": min(unknown)},
        )
    elif ranked and (len(set(ranked)) != len(ranked) or not all(judgement.ranking)):
        yield Finding("preference", _("Each response has one rank. Reload the page."))


def _ratings(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    given = {(rating.dimension, rating.response): rating for rating in judgement.ratings}
    if len(given) < len(judgement.ratings):
        yield Finding("preference", _("Something is rated twice. Reload the page."))
    for dimension in spec.dimensions:
        targets: Sequence[str | None] = spec.responses if dimension.target == "response" else (None,)
        for response in targets:
            rating = given.pop((dimension.key, response), None)
            where = f"rating:{dimension.key}:{response or ''}"
            if rating is None or not rating.is_given:
                if dimension.is_required:
                    yield Finding(where, _("Rate %(dimension)s.") % {"dimension": dimension.label})
            else:
                yield from (Finding(where, message) for message in rating_problems(rating, dimension))
    for key, response in given:
        yield Finding(f"rating:{key}:{response or ''}", _("This project has no such rating. Reload the page."))


def rating_problems(rating: RatingValue, dimension: DimensionSpec) -> Iterator[str]:
    """Yield what is wrong with a given rating: out of range, unknown tag, missing justification."""
    named = {"dimension": dimension.label}
    numeric = dimension.kind in {"scale", "yes_no", "category"}
    if numeric and not (rating.value is not None and dimension.minimum <= rating.value <= dimension.maximum):
        limits = {"minimum": dimension.minimum, "maximum": dimension.maximum}
        yield _("%(dimension)s goes from %(minimum)s to %(maximum)s.") % {**named, **limits}
    if not numeric and rating.value is not None:
        yield _("%(dimension)s takes no number.") % named
    if dimension.kind == "tags" and dimension.choices and (unknown := set(rating.tags) - set(dimension.choices)):
        yield _("%(dimension)s has no tag %(tag)s.") % {**named, "tag": repr(min(unknown))}
    if dimension.justification == "required" and not rating.justification:
        yield _("Say why you rated %(dimension)s so.") % named


def _preference(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    if not judgement.outcome:
        text = _("Rank every response.") if spec.is_ranked else _("Choose the better response.")
        yield Finding("preference", text)
        return
    if judgement.outcome not in OUTCOMES:
        yield Finding("preference", _("There is no such outcome. Reload the page."))
        return
    yield from _stray(judgement, spec)
    if judgement.outcome == ALL_BAD:
        if not spec.allow_all_bad:
            yield Finding("preference", _("This project does not offer “all are bad”. Choose the better response."))
        return
    yield from _tie_and_winner(judgement, spec)
    yield from _ranking(judgement, spec)
    yield from _margin(judgement, spec)


def _tie_and_winner(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    if judgement.outcome == TIE and not spec.allow_tie:
        yield Finding("preference", _("This project does not allow a tie. Choose the better response."))
    if judgement.outcome == WINNER and judgement.winner not in spec.responses:
        yield Finding("preference", _("The chosen response is not one of this prompt. Reload the page."))


def _ranking(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    if not spec.is_ranked:
        return
    ranked = [response for group in judgement.ranking for response in group]
    if sorted(ranked) != sorted(spec.responses):
        yield Finding("preference", _("Rank every response; equal numbers are a tie."))
    elif (judgement.outcome, judgement.winner) != outcome_of_ranking(judgement.ranking):
        yield Finding("preference", _("The winner is not the response that is ranked first."))


def _margin(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    if judgement.outcome == TIE and judgement.margin == 0:
        return  # a tie is the middle of the line
    if judgement.outcome != WINNER or spec.margin_levels == 0:
        if judgement.margin is not None:
            yield Finding("margin", _("No margin is asked for here. Reload the page."))
    elif judgement.margin is None:
        yield Finding("margin", _("Say how much better the first response is."))
    elif not 1 <= judgement.margin <= spec.margin_levels:
        yield Finding("margin", _("The margin goes from 1 to %(maximum)s.") % {"maximum": spec.margin_levels})


def _justification(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    length = len(judgement.justification)
    if spec.justification == "required" and length == 0:
        yield Finding("justification", _("Say why: name the difference that decided it."))
    elif spec.justification != "off" and 0 < length < spec.justification_min_length:
        missing = spec.justification_min_length - length
        text = ngettext("Write %(count)s more character.", "Write %(count)s more characters.", missing)
        yield Finding("justification", text % {"count": missing})
    for reference in judgement.references:
        if wrong := problem(reference, judgement.justification, spec.sources):
            yield Finding("justification", wrong)


def _remarks(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    """Yield what is wrong with what is said about single responses: flags and rewrites."""
    yield from _flags(judgement, spec)
    if judgement.outcome != CANNOT_JUDGE:
        yield from _rewrites(judgement, spec)


def _flags(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    if len({(flag.kind, flag.response) for flag in judgement.flags}) < len(judgement.flags):
        yield Finding("preference", _("Something is flagged twice. Reload the page."))
    for flag in judgement.flags:
        where = f"flag:{flag.kind}:{flag.response}"
        if flag.kind not in spec.flags or flag.response not in spec.responses:
            yield Finding(where, _("This project has no such flag. Reload the page."))
        elif flag.kind == "other" and not flag.note:
            yield Finding(where, _("Say what is wrong with this response."))


def _rewrites(judgement: Judgement, spec: JudgementSpec) -> Iterator[Finding]:
    for response, content in judgement.rewrites.items():
        where = f"rewrite:{response}"
        if spec.rewrite == "off":
            yield Finding(where, _("This project asks for no rewrite. Reload the page."))
        elif spec.rewrite_target == "winner" and response != judgement.winner:
            yield Finding(where, _("Only the better response is rewritten here."))
        elif not is_rewritten(text_of(content), spec.sources.get(response, "")):
            yield Finding(where, _("The rewrite is the same as the original. Change it or leave it out."))
    if spec.rewrite == "required" and judgement.outcome == WINNER and judgement.winner not in judgement.rewrites:
        yield Finding(
            f"rewrite:{judgement.winner}", _("Rewrite the better response: change what could be better still.")
        )


def is_rewritten(text: str, source: str) -> bool:
    """Say whether the text is a rewrite of the source: neither empty nor the same."""
    return bool(text.strip()) and clean_written_text(text) != clean_written_text(source)
