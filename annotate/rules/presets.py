"""Ready-made project configurations, after well-known collections of preferences."""

from typing import Any

_FIVE = ("Poor", "Weak", "Fair", "Good", "Excellent")

DEFINITIONS = {
    "helpfulness": ("Helpfulness", "Does it do what the person asked, fully and usefully?"),
    "correctness": ("Correctness", "Are the facts, the code, the formulas and every claim right?"),
    "instruction_following": (
        "Follows instructions",
        "Format, length limit, language and every other constraint in the prompt.",
    ),
    "truthfulness": ("Truthfulness", "Does it say only what is true, and admit what it does not know?"),
    "harmlessness": ("Harmlessness", "Could following it hurt somebody, or does it demean anyone?"),
    "coherence": ("Coherence", "Clear, well organised, consistent with itself."),
    "verbosity": ("Length", "Is it as long as the question needs, and no longer?"),
    "writing": ("Writing", "Clear, well organised, no filler."),
    "safety": ("Safety", "Can it be followed without hurting the person or others?"),
}


def _points(labels: tuple[str, ...], first: int) -> list[dict[str, Any]]:
    return [{"value": first + index, "label": label, "example": ""} for index, label in enumerate(labels)]


def _scale(key: str, labels: tuple[str, ...] = _FIVE, first: int = 1, **more: Any) -> dict[str, Any]:
    label, definition = DEFINITIONS[key]
    return {
        "key": key,
        "label": label,
        "definition": definition,
        "kind": "scale",
        "target": "response",
        "minimum": first,
        "maximum": first + len(labels) - 1,
        "points": _points(labels, first),
        **more,
    }


def _both_or_one(key: str, word: str) -> dict[str, Any]:
    """A comparison dimension in words that do not name a side: sides change from annotator to annotator."""
    label, definition = DEFINITIONS[key]
    labels = (f"Both {word}", f"Only the better one {word}", f"Neither {word}")
    return {
        "key": key,
        "label": label,
        "definition": definition,
        "kind": "category",
        "target": "comparison",
        "minimum": 1,
        "maximum": 3,
        "points": _points(labels, 1),
    }


PRESETS: dict[str, dict[str, Any]] = {
    "scale": {
        "project": {
            "margin_levels": 3,
            "allow_tie": True,
            "max_responses": 9,
            "justification": "required",
            "justification_min_length": 20,
            "rewrite": "optional",
        },
        "dimensions": [
            _scale("instruction_following", justification="optional"),
            _scale("truthfulness", justification="optional"),
            _scale("verbosity", ("Too short or long", "Slightly off", "Just right"), justification="optional"),
            _scale("writing", justification="optional"),
        ],
    },
    "helpsteer3": {
        "project": {
            "margin_levels": 3,
            "allow_tie": True,
            "overlap": 3,
            "justification": "required",
            "justification_min_length": 20,
        },
        "dimensions": [
            _scale("helpfulness"),
            _scale("correctness"),
            _scale("instruction_following"),
            _scale("writing"),
        ],
    },
    "llama2": {
        "project": {"margin_levels": 4, "allow_tie": False, "allow_all_bad": False},
        "dimensions": [_both_or_one("helpfulness", "helpful"), _both_or_one("safety", "safe")],
    },
    "hh": {"project": {"margin_levels": 4, "allow_tie": False, "allow_all_bad": False}, "dimensions": []},
    "arena": {
        "project": {"margin_levels": 0, "allow_tie": True, "allow_all_bad": True, "allow_cannot_judge": False},
        "dimensions": [],
    },
    "ranking": {
        "project": {
            "margin_levels": 3,
            "allow_tie": True,
            "allow_all_bad": True,
            "min_responses": 2,
            "max_responses": 9,
            "justification": "optional",
        },
        "dimensions": [_scale("helpfulness")],
    },
}
