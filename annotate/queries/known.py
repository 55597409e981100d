"""What is known about a prompt before anybody here has judged it."""

from collections.abc import Mapping
from typing import Any

from annotate.enums import KnownKind
from annotate.models import KnownJudgement, Prompt
from annotate.rules.judgement import Judgement, RatingValue


def suggestion_for(prompt: Prompt) -> Judgement | None:
    """Return the first suggestion that came with the prompt, or ``None``. Responses are named by primary key."""
    known = KnownJudgement.objects.filter(prompt=prompt, kind=KnownKind.SUGGESTION).first()
    if known is None:
        return None
    keys = {response.external_id: str(response.pk) for response in prompt.responses.all()}
    return _judgement(known.content, keys)


def _judgement(content: Mapping[str, Any], keys: Mapping[str, str]) -> Judgement:
    """The neutral record of a judgement as the rules see it."""
    winner = content.get("winner")
    return Judgement(
        outcome=content["outcome"],
        winner=keys.get(winner) if winner else None,
        margin=content.get("margin"),
        ranking=tuple(tuple(keys[name] for name in group) for group in content.get("ranking", [])),
        ratings=tuple(
            RatingValue(
                dimension=rating["dimension"],
                response=keys[rating["response"]] if rating.get("response") else None,
                value=rating.get("value"),
                text=rating.get("text") or "",
                tags=tuple(rating.get("tags", [])),
                justification=rating.get("justification", ""),
            )
            for rating in content.get("ratings", [])
        ),
        justification=content.get("justification", ""),
        reason=content.get("reason", ""),
        rewrites={keys[each["response"]]: each["content"] for each in content.get("rewrites", [])},
        reason_kind=content.get("reason_kind", ""),
    )
