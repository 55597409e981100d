"""How accounting and options are put to people."""

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
}
OPTIONS: dict[str, tuple[str, dict[Any, str]]] = {
    "margin": ("Margin", {"none": "left out", "absolute": "written"}),
    "ranking_pairs": (
        "Pairs from a ranking",
        {
            "all": "all",
            "best_vs_rest": "best against rest",
            "best_vs_worst": "best against worst",
            "adjacent": "neighbours",
        },
    ),
    "consensus": ("Several annotators", {"each": "a row each", "majority": "majority"}),
    "include_returned": ("Returned work", {False: "left out", True: "included"}),
}


def accounting_lines(accounting: dict[str, Any]) -> list[tuple[str, int]]:
    """Return (label, count): judgements in, then where each of them went, then the rows; empty for no accounting."""
    if not accounting:
        return []
    drops = [(REASONS.get(reason, reason), count) for reason, count in accounting["drops"].items()]
    lines = [("Judgements in", accounting["votes_in"]), ("Judgements exported", accounting["votes_exported"]), *drops]
    if accounting["adjudications"]:
        lines.append(("Adjudications, not counted as judgements", accounting["adjudications"]))
    return [*lines, ("Rows out", accounting["rows_out"])]


def option_lines(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (label, value) of every option."""
    return [(label, str(values.get(options.get(name), options.get(name)))) for name, (label, values) in OPTIONS.items()]
