"""The forms of reviewers: a verdict with its remarks, and how the project reviews."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotate.actions.reviews import MAX_COMMENT, Remarks, Seen
from annotate.enums import ReviewPlace
from annotate.models import Project, ReviewSettings
from annotate.models.reviews import MOST_SCORE
from annotate.rules.naming import key_of
from annotate.rules.reviewing import RULES

MAX_QUOTE, MAX_POINTS, MAX_RUBRIC = 2000, 20, 12


def seen_of(data: QueryDict) -> Seen:
    """Return what the page showed; a form without that fits nothing."""
    revision, reviews = data.get("revision", ""), data.get("reviews", "")
    is_whole = all(text.isascii() and text.isdecimal() and len(text) < 10 for text in (revision, reviews))
    return Seen(int(revision), int(reviews)) if is_whole else Seen(-1, -1)


def remarks_of(data: QueryDict, keys: Sequence[str]) -> Remarks:
    """Return comment, scores and marked points of a posted verdict; what is impossible is left out."""
    scores = {key: data.get(f"score-{key}", "") for key in keys}
    places = [place for place in dict.fromkeys(data.getlist("place")) if place in ReviewPlace.values]
    quotes = [quote.replace("\0", "").strip()[:MAX_QUOTE] for quote in data.getlist("quote")]
    marked = [(ReviewPlace.JUSTIFICATION.value, quote) for quote in quotes if quote]
    plain = [(place, "") for place in places if not (marked and place == ReviewPlace.JUSTIFICATION)]
    return Remarks(
        comment=data.get("comment", "").replace("\0", "").replace("\r\n", "\n")[:MAX_COMMENT],
        scores={key: int(value) for key, value in scores.items() if value in {str(n) for n in range(MOST_SCORE + 1)}},
        points=[*plain, *marked][:MAX_POINTS],
    )


class ReviewSettingsForm(forms.ModelForm):
    """How a project reviews."""

    share = forms.IntegerField(
        min_value=0,
        max_value=100,
        label=_("Share that is reviewed"),
        help_text=_("Percent of each person’s judgements in each batch. 100 for all."),
    )
    rules = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=_("Also review what"),
        choices=[
            ("coherence", _("contradicts itself")),
            ("flags", _("flags a response")),
            ("too_fast", _("was faster than anybody reads")),
            ("repeated", _("repeats an earlier reason")),
            ("pasted", _("was mostly pasted")),
            ("gold", _("comes from somebody who misses known answers")),
        ],
    )
    rubric_lines = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 5}),
        label=_("Rubric for reasons"),
        help_text=_("One point a line. Reviewers say no, partly or yes to each."),
    )

    class Meta:
        model = ReviewSettings
        fields = [
            "new_share",
            "new_count",
            "outcome_differs",
            "margin_spread",
            "dimension_spread",
            "return_days",
            "may_appeal",
            "show_settled",
            "lot_limit",
            "lot_risk",
            "lot_most",
        ]
        labels = {
            "new_share": _("Share for new people"),
            "new_count": _("Somebody is new for so many judgements"),
            "outcome_differs": _("Different winners or outcomes are a disagreement"),
            "margin_spread": _("Margins so far apart are a disagreement"),
            "dimension_spread": _("Ratings so far apart are a disagreement"),
            "return_days": _("Days to mend returned work"),
            "may_appeal": _("Annotators may appeal to a lead"),
            "show_settled": _("Annotators see how disagreements on their tasks were settled"),
            "lot_limit": _("Defect rate that may not pass"),
            "lot_risk": _("Risk of passing such a lot"),
            "lot_most": _("Most defects with which a lot can pass"),
        }
        help_texts = {
            "new_share": _("Percent."),
            "outcome_differs": "",
            "margin_spread": _("Steps of the line; 0 switches this off."),
            "dimension_spread": _("Points of a scale; 0 switches this off."),
            "show_settled": _("To learn from. They see only prompts that they judged themselves."),
            "lot_limit": _("Percent of the judgements of a lot."),
            "lot_risk": _("Percent. Smaller means more reviews."),
            "lot_most": _("In the sample. More send the lot back."),
        }

    def __init__(self, data: Any = None, *, project: Project, instance: ReviewSettings) -> None:
        super().__init__(data, instance=instance)
        self.project = project
        lines = "\n".join(each["label"] for each in instance.rubric)
        self.initial.update({"share": project.review_share, "rules": instance.rules, "rubric_lines": lines})

    def clean_rules(self) -> list[str]:
        """Keep the order of the rules."""
        return [rule for rule in RULES if rule in self.cleaned_data["rules"]]

    def clean_rubric_lines(self) -> list[dict[str, str]]:
        """Turn lines into points; a label that stood there before keeps its key, so that its scores stay together."""
        known = {each["label"]: each["key"] for each in self.instance.rubric}
        labels = [line.strip()[:120] for line in self.cleaned_data["rubric_lines"].splitlines() if line.strip()]
        labels = list(dict.fromkeys(labels))[:MAX_RUBRIC]
        taken = {known[label] for label in labels if label in known}
        points = []
        for label in labels:
            key = known.get(label) or key_of(label, taken)
            taken.add(key)
            points.append({"key": key, "label": label})
        return points
