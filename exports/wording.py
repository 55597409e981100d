"""How accounting and options are put to people: in English in files, in a person's language on pages.

``translate`` is what puts each text into that language; without it texts stay as they are written.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from annotate.texts import gettext_noop

Translate = Callable[[str], str]

REASONS = {
    "tie": gettext_noop("Ties"),
    "all_bad": gettext_noop("All responses bad"),
    "cannot_judge": gettext_noop("Could not be judged"),
    "identical_responses": gettext_noop("Both responses the same"),
    "empty_response": gettext_noop("An empty response"),
    "empty_prompt": gettext_noop("An empty prompt"),
    "context_not_ending_in_user": gettext_noop("The conversation does not end with the person"),
    "media_in_text_format": gettext_noop("Media, which this format cannot carry"),
    "role_not_in_format": gettext_noop("A system or tool message, which this format cannot carry"),
    "contradiction": gettext_noop("Winner and ranking contradict one another"),
    "returned": gettext_noop("Sent back by a reviewer"),
    "no_majority": gettext_noop("No majority"),
    "minority": gettext_noop("Outvoted by the majority"),
    "missing_margin": gettext_noop("No margin given"),
    "no_path": gettext_noop("It is not known how the conversation went on"),
    "single_response": gettext_noop("Only one response"),
    "suspended": gettext_noop("By a suspended member"),
    "adjudicated": gettext_noop("An adjudication stands in its place"),
    "too_few_votes": gettext_noop("Fewer judgements on the prompt than asked for"),
    "low_agreement": gettext_noop("Less agreement on the prompt than asked for"),
    "outlier": gettext_noop("Not among the three closest"),
    "spread_too_wide": gettext_noop("The three closest lie too far apart"),
    "no_preference": gettext_noop("The three closest come to no preference"),
    "no_rewrite": gettext_noop("No rewrite"),
    "no_rating": gettext_noop("No rating on the dimension"),
    "between_thresholds": gettext_noop("Rated neither good nor bad"),
    "no_thresholds": gettext_noop("It is not known which ratings are good"),
    "not_two_responses": gettext_noop("More or fewer than two responses"),
    "no_media": gettext_noop("No picture in the conversation"),
    "media_kind_not_in_format": gettext_noop("Media of a kind that this format cannot carry"),
    "placeholder_in_text": gettext_noop("A text that the trainer would take for a file"),
    "response_in_template": gettext_noop("An answer that the trainer would cut"),
    "broken_text": gettext_noop("A text with half a character"),
    "roles_not_alternating": gettext_noop("Person and model do not take turns"),
}
OPTIONS: dict[str, tuple[str, dict[Any, str]]] = {
    "ranking_pairs": (
        gettext_noop("Pairs from a ranking"),
        {
            "all": gettext_noop("Every better one against every worse one"),
            "best_vs_rest": gettext_noop("The best against each other one"),
            "best_vs_worst": gettext_noop("The best against the worst"),
            "adjacent": gettext_noop("Neighbours only"),
        },
    ),
    "consensus": (
        gettext_noop("Several annotators"),
        {
            "each": gettext_noop("A row for each annotator"),
            "majority": gettext_noop("One row where more than half agree"),
            "closest_three": gettext_noop("The mean of the three closest (HelpSteer2)"),
            "soft": gettext_noop("One row with the share of the votes"),
        },
    ),
    "adjudications": (
        gettext_noop("Adjudications"),
        {"ignore": gettext_noop("Not used"), "prefer": gettext_noop("Stand for all votes on their prompt")},
    ),
    "margin": (
        gettext_noop("Margin"),
        {
            "none": gettext_noop("Left out"),
            "absolute": gettext_noop("How strong the preference is"),
            "signed": gettext_noop("Signed: minus where the first response is better"),
        },
    ),
    "margin_scale": (
        gettext_noop("Scale of the margin"),
        {
            "raw": gettext_noop("Steps of the project's line"),
            "unit": gettext_noop("From 0 to 1"),
            "llama2": gettext_noop("As in Llama 2"),
        },
    ),
    "labels": (
        gettext_noop("What makes an answer good"),
        {"winner": gettext_noop("It won its comparison"), "ratings": gettext_noop("Its rating")},
    ),
    "label_dimension": (
        gettext_noop("Dimension of the rating"),
        {"": gettext_noop("The first one rated per response")},
    ),
    "good_from": (gettext_noop("Good from"), {None: gettext_noop("The upper third of the range")}),
    "bad_to": (gettext_noop("Bad up to"), {None: gettext_noop("The lower third of the range")}),
    "tie_labels": (
        gettext_noop("Ties"),
        {False: gettext_noop("Give no labels"), True: gettext_noop("Both good; both bad when all are bad")},
    ),
    "min_votes": (gettext_noop("Fewest votes on a prompt"), {1: "1"}),
    "min_agreement": (gettext_noop("Least agreement on a prompt"), {0.0: gettext_noop("Any")}),
    "rewrites": (
        gettext_noop("Rewrites"),
        {
            "none": gettext_noop("Left out"),
            "pairs": gettext_noop("Added as better answers"),
            "only": gettext_noop("Only rewrites"),
        },
    ),
    "include_returned": (
        gettext_noop("Work that was sent back"),
        {False: gettext_noop("Left out"), True: gettext_noop("Included")},
    ),
    "include_suspended": (
        gettext_noop("Work of suspended members"),
        {False: gettext_noop("Left out"), True: gettext_noop("Included")},
    ),
    "include_models": (
        gettext_noop("Names of models"),
        {False: gettext_noop("Left out"), True: gettext_noop("Included")},
    ),
    "detail": (
        gettext_noop("Detail"),
        {"detailed": gettext_noop("Every key of a Scale task"), "terse": gettext_noop("Answers only")},
    ),
    "identity": (
        gettext_noop("Annotators"),
        {"pseudonym": gettext_noop("Pseudonyms"), "names": gettext_noop("User names")},
    ),
}
"""Label of each option, and its values in words. A value that is not listed is shown as it is."""
ALWAYS = frozenset({"include_models", "identity"})
"""Options that are shown whatever the format."""
FILE_OPTIONS: dict[str, tuple[str, dict[Any, str]]] = {
    "container": (
        gettext_noop("Kind of file"),
        {
            "": gettext_noop("The usual one of the format"),
            "jsonl": gettext_noop("JSON Lines"),
            "json": gettext_noop("One JSON list"),
            "csv": gettext_noop("CSV"),
            "parquet": gettext_noop("Parquet"),
            "files": gettext_noop("A file for each row"),
        },
    ),
    "compression": (
        gettext_noop("Compression"),
        {"none": gettext_noop("None"), "gzip": gettext_noop("gzip"), "zstd": gettext_noop("Zstandard")},
    ),
    "rows_per_file": (gettext_noop("Rows per file"), {0: gettext_noop("All in one")}),
    "validation": (gettext_noop("Share for validation"), {0.0: gettext_noop("None")}),
    "test": (gettext_noop("Share for test"), {0.0: gettext_noop("None")}),
    "seed": (gettext_noop("Seed of the split"), {}),
    "embed_media": (
        gettext_noop("Pictures inside Parquet"),
        {False: gettext_noop("As paths"), True: gettext_noop("Embedded")},
    ),
}
OUTCOMES = {"winner": "A winner", "tie": "About equal", "all_bad": "All are bad", "cannot_judge": "Cannot judge"}


def accounting_lines(accounting: Mapping[str, Any], translate: Translate = gettext_noop) -> list[tuple[str, int]]:
    """Return (label, count): judgements in, then where each of them went, then the rows; empty for no accounting."""
    if not accounting:
        return []
    lines = [
        (translate(gettext_noop("Judgements in")), accounting["votes_in"]),
        (translate(gettext_noop("Judgements exported")), accounting["votes_exported"]),
        *drop_lines(accounting, translate),
    ]
    if accounting["adjudications"]:
        label = gettext_noop("Adjudications, not counted as judgements")
        lines.append((translate(label), accounting["adjudications"]))
    if superseded := sum(accounting.get("superseded", {}).values()):
        lines.append((translate(gettext_noop("Earlier versions, replaced and not exported")), superseded))
    return [*lines, (translate(gettext_noop("Rows out")), accounting["rows_out"])]


def drop_lines(accounting: Mapping[str, Any], translate: Translate = gettext_noop) -> list[tuple[str, int]]:
    """Return (reason, count) of the judgements that gave no row, the most frequent first."""
    drops = sorted(accounting["drops"].items(), key=lambda drop: (-drop[1], drop[0]))
    return [(translate(REASONS.get(reason, reason.replace("_", " ").capitalize())), count) for reason, count in drops]


def why_empty(accounting: Mapping[str, Any], translate: Translate = gettext_noop) -> str:
    """Return why there are no rows, as a sentence or two."""
    if not accounting["votes_in"]:
        return translate(gettext_noop("Nobody has judged anything yet, so there is nothing to make rows of."))
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in drop_lines(accounting, translate))
    text = gettext_noop("All %(count)s judgements were left out. Reasons and counts: %(reasons)s.")
    values = {"count": f"{accounting['votes_in']:,}", "reasons": reasons or translate(gettext_noop("none given"))}
    return translate(text) % values


def option_lines(
    options: Mapping[str, Any], uses: Collection[str], translate: Translate = gettext_noop
) -> list[tuple[str, str]]:
    """Return (label, value) of every option that the format uses."""
    known = {name: each for name, each in OPTIONS.items() if name in uses or name in ALWAYS}
    return _lines(options, known, translate)


def file_option_lines(options: Mapping[str, Any], translate: Translate = gettext_noop) -> list[tuple[str, str]]:
    """Return (label, value) of how the rows became files; of pictures only where there can be some."""
    hidden = set() if options.get("container") == "parquet" else {"embed_media"}
    return _lines(options, {name: each for name, each in FILE_OPTIONS.items() if name not in hidden}, translate)


def outcome_lines(outcomes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return (outcome, count) of those that there were."""
    return [(label, outcomes[name]) for name, label in OUTCOMES.items() if outcomes.get(name)]


def _lines(
    chosen: Mapping[str, Any], known: Mapping[str, tuple[str, dict[Any, str]]], translate: Translate
) -> list[tuple[str, str]]:
    there = ((label, values, chosen[name]) for name, (label, values) in known.items() if name in chosen)
    return [
        (translate(label), translate(values[value]) if value in values else str(value))
        for label, values, value in there
    ]
