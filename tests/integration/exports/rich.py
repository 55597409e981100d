"""A project that gives every format something to write: several turns, margins, ratings, rewrites, pictures, ties."""

from typing import Any

from django.test import Client

from annotate.models import Project
from tests import factories
from tests.integration.exports.samples import lines, png, upload, zipped

DIMENSIONS = ["instruction_following", "truthfulness", "verbosity", "writing"]
PEOPLE = ["a-one", "a-two", "a-three"]


def text(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


def judgement(annotator: str, outcome: str, winner: str | None = None, **more: Any) -> dict[str, Any]:
    better = {"x": 3, "y": 1} if winner == "x" else {"x": 1, "y": 3}
    ratings = [
        {"dimension": key, "response": response, "value": value if outcome == "winner" else 2}
        for key in DIMENSIONS
        for response, value in better.items()
    ]
    said = {"annotator": annotator, "outcome": outcome, "ratings": ratings, "justification": f"Because of {winner}."}
    margin = {"winner": winner, "margin": 2} if winner else {}
    return {**said, "display_order": ["y", "x"], "submitted_at": "2026-01-02T03:04:05Z", **margin, **more}


def task(name: str, votes: list[tuple[str, str | None]], *, turns: int = 1, **more: Any) -> dict[str, Any]:
    """A task with a vote by each person on each turn."""
    prompts = []
    for turn in range(turns):
        content = text(f"Question {name}.{turn} — “so”?")
        annotations = [judgement(PEOPLE[place], *vote) for place, vote in enumerate(votes)]
        responses = [
            {"id": "x", "content": text(f"First {name}.{turn} 答え"), "model": "model-1", "continues": True},
            {"id": "y", "content": text(f"=Second, {name}.{turn}\nwith a line"), "model": "model-2"},
        ]
        prompts.append({"id": f"p{turn}", "content": content, "responses": responses, "annotations": annotations})
    return {"id": name, "prompts": prompts, "metadata": {"source": name, "n": len(votes)}, **more}


def records() -> list[dict[str, Any]]:
    made = [
        task("one", [("winner", "x"), ("winner", "x"), ("tie", None)]),
        task("two", [("winner", "y"), ("winner", "y"), ("winner", "x")], turns=2),
        task(
            "three", [("all_bad", None), ("cannot_judge", None)], context=[{"role": "system", "content": text("Hi.")}]
        ),
        task("picture", [("winner", "x"), ("winner", "y")]),
    ]
    made[0]["prompts"][0]["annotations"][0]["rewrites"] = [{"response": "x", "content": text("Better still.")}]
    made[3]["prompts"][0]["content"].insert(0, {"type": "image", "path": "i.png", "name": "a picture"})
    return made


def rich_project(client: Client, slug: str = "rich") -> Project:
    """Import the records into a new project."""
    project = factories.project(slug, preset="scale", overlap=3)
    job = upload(client, zipped(data_dot_jsonl=lines(*records()), i_dot_png=png()), "set.zip", slug=slug)
    assert job.state == "done", (job.error, job.problems)
    return project
