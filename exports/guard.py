"""The blindness guard: what in a task would tell an annotator which model wrote a response."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from annotate.rules.identities import Named, masked, may_name, names_in
from exports.records import Part, ResponseRecord, TaskRecord

AROUND = 30  # characters before and after a name in an excerpt


@dataclass(frozen=True)
class Finding:
    """A name in a task. `kind`: in which kind of place; `field` is its path; `excerpt` shows it with what is around."""

    kind: str
    field: str
    name: str
    excerpt: str


def findings(record: TaskRecord) -> list[Finding]:
    """The names of models and makers in the responses' texts and in the names of their files.

    What people wrote (prompts, context) may speak of models and is not looked at.
    """
    models = [response.model for prompt in record.prompts for response in prompt.responses if response.model]
    texts = [
        part.text or part.name or ""
        for prompt in record.prompts
        for response in prompt.responses
        for part in response.content
    ]
    if not may_name("\n".join(texts), models):
        return []
    return [
        Finding(kind, field, name.name, _excerpt(text, name))
        for prompt_place, prompt in enumerate(record.prompts)
        for kind, field, text, models in _texts(prompt_place, prompt.responses)
        for name in names_in(text, models)
    ]


def mask(record: TaskRecord) -> TaskRecord:
    """The record with every name in its responses masked."""
    prompts = []
    for prompt in record.prompts:
        models = [response.model for response in prompt.responses if response.model]
        cover: Callable[[str], str] = lambda text, models=models: masked(text, names_in(text, models))  # type: ignore[misc]  # noqa: E731
        responses = [
            replace(response, content=[_masked(part, cover) for part in response.content])
            for response in prompt.responses
        ]
        prompts.append(replace(prompt, responses=responses))
    return replace(record, prompts=prompts)


def _masked(part: Part, cover: Callable[[str], str]) -> Part:
    if part.text is not None:
        return replace(part, text=cover(part.text))
    return replace(part, name=cover(part.name)) if part.name else part


def _texts(place: int, responses: list[ResponseRecord]) -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield (kind of place, field path, text, names of the models of this prompt)."""
    models = [response.model for response in responses if response.model]
    for number, response in enumerate(responses):
        for index, part in enumerate(response.content):
            field = f"prompts[{place}].responses[{number}].content[{index}]"
            if part.text is not None:
                yield "text", f"{field}.text", part.text, models
            elif part.name:
                yield "file name", f"{field}.name", part.name, models


def _excerpt(text: str, name: Named) -> str:
    start, end = max(0, name.start - AROUND), min(len(text), name.end + AROUND)
    shown = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"
