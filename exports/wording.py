"""How accounting and options are put to people."""

from collections.abc import Collection, Mapping
from typing import Any

REASONS = {
    "tie": "Ties",
    "all_bad": "All responses bad",
    "cannot_judge": "Could not be judged",
    "identical_responses": "Both responses the same",
    "empty_response": "An empty response",
    "empty_prompt": "An empty prompt",
    "context_not_ending_in_user": "The conversation does not end with the person",
    "media_in_text_format": "Media, which this format cannot carry",
    "role_not_in_format": "A system or tool message, which this format cannot carry",
    "contradiction": "Winner and ranking contradict one another",
    "returned": "Sent back by a reviewer",
    "no_majority": "No majority",
    "minority": "Outvoted by the majority",
    "missing_margin": "No margin given",
    "no_path": "It is not known how the conversation went on",
    "single_response": "Only one response",
    "suspended": "By a suspended member",
    "adjudicated": "An adjudication stands in its place",
    "too_few_votes": "Fewer judgements on the prompt than asked for",
    "low_agreement": "Less agreement on the prompt than asked for",
    "outlier": "Not among the three closest",
    "spread_too_wide": "The three closest lie too far apart",
    "no_preference": "The three closest come to no preference",
    "no_rewrite": "No rewrite",
    "no_rating": "No rating on the dimension",
    "between_thresholds": "Rated neither good nor bad",
    "no_thresholds": "It is not known which ratings are good",
    "not_two_responses": "More or fewer than two responses",
    "no_media": "No picture in the conversation",
    "media_kind_not_in_format": "Media of a kind that this format cannot carry",
    "placeholder_in_text": "A text that the trainer would take for a file",
    "response_in_template": "An answer that the trainer would cut",
    "broken_text": "A text with half a character",
    "roles_not_alternating": "Person and model do not take turns",
}
OPTIONS: dict[str, tuple[str, dict[Any, str]]] = {
    "ranking_pairs": (
        "Pairs from a ranking",
        {
            "all": "Every better one against every worse one",
            "best_vs_rest": "The best against each other one",
            "best_vs_worst": "The best against the worst",
            "adjacent": "Neighbours only",
        },
    ),
    "consensus": (
        "Several annotators",
        {
            "each": "A row for each annotator",
            "majority": "One row where more than half agree",
            "closest_three": "The mean of the three closest (HelpSteer2)",
            "soft": "One row with the share of the votes",
        },
    ),
    "adjudications": (
        "Adjudications",
        {"ignore": "Not used", "prefer": "Stand for all votes on their prompt"},
    ),
    "margin": (
        "Margin",
        {
            "none": "Left out",
            "absolute": "How strong the preference is",
            "signed": "Signed: minus where the first response is better",
        },
    ),
    "margin_scale": (
        "Scale of the margin",
        {"raw": "Steps of the project's line", "unit": "From 0 to 1", "llama2": "As in Llama 2"},
    ),
    "labels": (
        "What makes an answer good",
        {"winner": "It won its comparison", "ratings": "Its rating"},
    ),
    "label_dimension": ("Dimension of the rating", {"": "The first one rated per response"}),
    "good_from": ("Good from", {None: "The upper third of the range"}),
    "bad_to": ("Bad up to", {None: "The lower third of the range"}),
    "tie_labels": ("Ties", {False: "Give no labels", True: "Both good; both bad when all are bad"}),
    "min_votes": ("Fewest votes on a prompt", {1: "1"}),
    "min_agreement": ("Least agreement on a prompt", {0.0: "Any"}),
    "rewrites": (
        "Rewrites",
        {"none": "Left out", "pairs": "Added as better answers", "only": "Only rewrites"},
    ),
    "include_returned": ("Work that was sent back", {False: "Left out", True: "Included"}),
    "include_suspended": ("Work of suspended members", {False: "Left out", True: "Included"}),
    "include_models": ("Names of models", {False: "Left out", True: "Included"}),
    "detail": ("Detail", {"detailed": "Every key of a Scale task", "terse": "Answers only"}),
    "identity": ("Annotators", {"pseudonym": "Pseudonyms", "names": "User names"}),
}
"""Label of each option, and its values in words. A value that is not listed is shown as it is."""
ALWAYS = frozenset({"include_models", "identity"})
"""Options that are shown whatever the format."""
FILE_OPTIONS: dict[str, tuple[str, dict[Any, str]]] = {
    "container": (
        "Kind of file",
        {
            "": "The usual one of the format",
            "jsonl": "JSON Lines",
            "json": "One JSON list",
            "csv": "CSV",
            "parquet": "Parquet",
            "files": "A file for each row",
        },
    ),
    "compression": ("Compression", {"none": "None", "gzip": "gzip", "zstd": "Zstandard"}),
    "rows_per_file": ("Rows per file", {0: "All in one"}),
    "validation": ("Share for validation", {0.0: "None"}),
    "test": ("Share for test", {0.0: "None"}),
    "seed": ("Seed of the split", {}),
    "embed_media": ("Pictures inside Parquet", {False: "As paths", True: "Embedded"}),
}
OUTCOMES = {"winner": "A winner", "tie": "About equal", "all_bad": "All are bad", "cannot_judge": "Cannot judge"}


def accounting_lines(accounting: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return (label, count): judgements in, then where each of them went, then the rows; empty for no accounting."""
    if not accounting:
        return []
    lines = [("Judgements in", accounting["votes_in"]), ("Judgements exported", accounting["votes_exported"])]
    lines += drop_lines(accounting)
    if accounting["adjudications"]:
        lines.append(("Adjudications, not counted as judgements", accounting["adjudications"]))
    return [*lines, ("Rows out", accounting["rows_out"])]


def drop_lines(accounting: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return (reason, count) of the judgements that gave no row, the most frequent first."""
    drops = sorted(accounting["drops"].items(), key=lambda drop: (-drop[1], drop[0]))
    return [(REASONS.get(reason, reason.replace("_", " ").capitalize()), count) for reason, count in drops]


def why_empty(accounting: Mapping[str, Any]) -> str:
    """Return why there are no rows, as a sentence or two."""
    if not accounting["votes_in"]:
        return "Nobody has judged anything yet, so there is nothing to make rows of."
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in drop_lines(accounting))
    return f"All {accounting['votes_in']:,} judgements were left out. Reasons and counts: {reasons or 'none given'}."


def option_lines(options: Mapping[str, Any], uses: Collection[str]) -> list[tuple[str, str]]:
    """Return (label, value) of every option that the format uses."""
    return _lines(options, {name: each for name, each in OPTIONS.items() if name in uses or name in ALWAYS})


def file_option_lines(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (label, value) of how the rows became files; of pictures only where there can be some."""
    hidden = set() if options.get("container") == "parquet" else {"embed_media"}
    return _lines(options, {name: each for name, each in FILE_OPTIONS.items() if name not in hidden})


def outcome_lines(outcomes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return (outcome, count) of those that there were."""
    return [(label, outcomes[name]) for name, label in OUTCOMES.items() if outcomes.get(name)]


def _lines(chosen: Mapping[str, Any], known: Mapping[str, tuple[str, dict[Any, str]]]) -> list[tuple[str, str]]:
    there = ((label, values, chosen[name]) for name, (label, values) in known.items() if name in chosen)
    return [(label, str(values.get(value, value))) for label, values, value in there]
