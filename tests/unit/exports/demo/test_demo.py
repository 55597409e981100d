from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotate.media.probing import probe
from annotate.rendering import render, word_count
from annotate.rules.judgement import DimensionSpec, Judgement, JudgementSpec, RatingValue, findings
from annotate.rules.presets import PRESETS
from exports import formats
from exports.bundle import open_bundle
from exports.demo.bundle import tasks_of, write_bundle
from exports.demo.folders import TEXTS
from exports.demo.judgements import PromptJudgement, judgement_for, skips
from exports.demo.story import PEOPLE, PROJECTS, DemoProject, annotators
from exports.records import Part, PromptRecord, TaskRecord, has_media, text_of

SLUGS = [project.slug for project in PROJECTS]
SKIP_REASONS = {"unclear", "expertise", "language", "broken", "distressing", "other"}
DEFAULTS = {
    "allow_tie": True,
    "allow_all_bad": False,
    "allow_cannot_judge": True,
    "overlap": 1,
    "max_responses": 2,
    "justification": "optional",
    "justification_min_length": 0,
}


def settings_of(project: DemoProject) -> dict[str, Any]:
    return {**DEFAULTS, **PRESETS[project.preset]["project"], **project.changes}


def spec_of(project: DemoProject, prompt: PromptRecord) -> JudgementSpec:
    fields = ("key", "label", "kind", "target", "minimum", "maximum")
    dimensions = PRESETS[project.preset]["dimensions"]
    settings = settings_of(project)
    return JudgementSpec(
        responses=tuple(response.id for response in prompt.responses),
        margin_levels=settings["margin_levels"],
        allow_tie=settings["allow_tie"],
        allow_all_bad=settings["allow_all_bad"],
        allow_cannot_judge=settings["allow_cannot_judge"],
        justification=settings["justification"],
        justification_min_length=settings["justification_min_length"],
        dimensions=tuple(DimensionSpec(**{name: d[name] for name in fields}, is_required=True) for d in dimensions),
    )


def as_judgement(said: PromptJudgement) -> Judgement:
    return Judgement(
        outcome=said.outcome,
        winner=said.winner,
        margin=said.margin,
        ranking=tuple(tuple(group) for group in said.ranking),
        ratings=tuple(
            RatingValue(key, response, value)
            for key, values in said.ratings.items()
            for response, value in values.items()
        ),
        justification=said.justification,
        reason=said.reason,
    )


def all_said() -> Iterator[tuple[DemoProject, TaskRecord, PromptRecord, str, PromptJudgement]]:
    for project in PROJECTS:
        for task in tasks_of(project.slug):
            for person in annotators():
                judgement = judgement_for(project.slug, task.id, person.username)
                if judgement:
                    assert list(judgement.prompts) == [prompt.id for prompt in task.prompts]
                    for prompt in task.prompts:
                        yield project, task, prompt, person.username, judgement.prompts[prompt.id]


def contents(task: TaskRecord) -> Iterator[list[Part]]:
    yield from (message.content for message in task.context)
    for prompt in task.prompts:
        yield prompt.content
        yield from (response.content for response in prompt.responses)


def every_task() -> list[TaskRecord]:
    return [task for slug in SLUGS for task in tasks_of(slug)]


@pytest.mark.parametrize("slug", SLUGS)
def test_write_bundle_is_read_back_without_problems(slug: str, tmp_path: Path) -> None:
    path = tmp_path / "demo.zip"
    write_bundle(slug, path)
    with open_bundle(path) as bundle:
        problems = bundle.problem_list()
        rows = list(formats.get("tiebreak").read(bundle.good_rows(problems), bundle.file, problems))
        paths = {part.path for _, task in rows for content in contents(task) for part in content if part.path}
        kinds = {part.path: part.type for _, task in rows for content in contents(task) for part in content}
        probed = {name: probe(bundle.media(name) or b"").kind for name in paths}
        assert list(problems) == []
        assert [task for _, task in rows] == tasks_of(slug)
        assert set(bundle.names) == paths
        assert probed == {name: kinds[name] for name in paths}
        assert formats.choose(row for _, row in bundle.good_rows(bundle.problem_list())).name == "tiebreak"


@pytest.mark.parametrize("slug", SLUGS)
def test_write_bundle_twice_gives_the_same_bytes(slug: str, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        write_bundle(slug, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_write_bundle_of_an_unknown_project_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        write_bundle("nowhere", tmp_path / "demo.zip")
    assert list(tmp_path.iterdir()) == []


def test_every_text_renders_with_all_its_formulas() -> None:
    texts = [(task.id, part.text) for task in every_task() for c in contents(task) for part in c if part.text]
    texts += [(project.slug, project.guidelines) for project in PROJECTS]
    refused = [name for name, text in texts if "tex-src" in render(text, doc_id="x")]
    unformatted = [name for name, text in texts if "$" in text and "<math" not in render(text, doc_id="x")]
    assert (refused, unformatted) == ([], ["ch-clean-logs"])  # the shell script has dollars


def test_every_judgement_is_complete_under_the_rules() -> None:
    found = {
        (task.id, username, prompt.id): findings(as_judgement(said), spec_of(project, prompt))
        for project, task, prompt, username, said in all_said()
    }
    assert {key: value for key, value in found.items() if value} == {}
    assert len(found) == 33


def test_every_justification_is_specific_and_names_no_side() -> None:
    for _, task, _, username, said in all_said():
        words = f" {said.justification or said.reason} "
        assert len(words) > 80, (task.id, username)
        named = re.findall(r"\b(?:[Rr]esponse|[Aa]nswer) [AB]\b|\b(?:left|right) (?:one|side|answer)\b", words)
        assert named == [], (task.id, username)


@pytest.mark.parametrize("project", PROJECTS, ids=SLUGS)
def test_every_annotator_still_has_eight_tasks_to_do(project: DemoProject) -> None:
    tasks = tasks_of(project.slug)
    judges = {
        task.id: {p.username for p in annotators() if judgement_for(project.slug, task.id, p.username)}
        for task in tasks
    }
    skipped = {(task, username) for slug, task, username, _, _ in skips if slug == project.slug}
    covered = [task.id for task in tasks if judges[task.id]]
    assert covered == [task.id for task in tasks][: len(covered)]
    assert 0.55 <= len(covered) / len(tasks) <= 0.65
    assert max(map(len, judges.values())) <= settings_of(project)["overlap"] == 3
    for person in annotators():
        is_open = [
            task.id
            for task in tasks
            if person.username not in judges[task.id]
            and len(judges[task.id]) < 3
            and (task.id, person.username) not in skipped
        ]
        assert len(is_open) >= 8, person.username


def test_judgements_hold_every_outcome_and_some_disagreement() -> None:
    outcomes = Counter((project.slug, said.outcome) for project, _, _, _, said in all_said())
    winners: dict[tuple[str, str], set[str | None]] = {}
    for _, task, prompt, _, said in all_said():
        winners.setdefault((task.id, prompt.id), set()).add(said.winner)
    disputed = sorted(task for (task, _), chosen in winners.items() if len(chosen) > 1)
    assert disputed == ["ch-cache-table", "ch-retry-diff", "oa-night-train"]
    assert outcomes["open-arena", "all_bad"] == outcomes["coding-help", "cannot_judge"] == 1
    assert outcomes["coding-help", "tie"] == 1
    assert {winner for chosen in winners.values() for winner in chosen} == {"r1", "r2", None}


def test_judgement_for_somebody_who_did_not_judge_is_none() -> None:
    assert judgement_for("coding-help", "ch-p95-latency", "yusuf") is None
    assert judgement_for("coding-help", "no-such-task", "mina") is None
    assert judgement_for("no-such-project", "ch-p95-latency", "mina") is None


def test_skips_refer_to_open_tasks_and_known_reasons() -> None:
    for slug, task, username, reason, note in skips:
        assert task in [each.id for each in tasks_of(slug)]
        assert judgement_for(slug, task, username) is None
        assert reason in SKIP_REASONS
        assert note


def test_tasks_are_of_many_kinds() -> None:
    tasks = {task.id: task for task in every_task()}
    everything = {task.id: "\n".join(text_of(content) for content in contents(task)) for task in tasks.values()}
    for mark in ("```python", "```sql", "```diff", "```bash", "|---|", r"\begin{pmatrix}", r"\begin{aligned}", r"\("):
        assert [task for task, text in everything.items() if mark in text], mark
    prompts = [prompt for task in tasks.values() for prompt in task.prompts]
    responses = [response for prompt in prompts for response in prompt.responses]
    shown = Counter(part.type for response in responses for part in response.content)
    roles = Counter(message.role for task in tasks.values() for message in task.context)
    assert sum(has_media(prompt.content) for prompt in prompts) == 2
    assert (shown["image"], shown["audio"]) == (2, 2)
    assert [len(prompt.responses) for prompt in prompts].count(3) == 1
    assert [task.id for task in tasks.values() if len(task.prompts) == 2] == ["ch-slug-tests"]
    assert roles == {"user": 2, "assistant": 2, "system": 1}
    assert [text_of(response.content) for response in responses if not has_media(response.content)].count("") == 1
    assert max(word_count(text_of(response.content)) for response in responses) > 800
    assert any("\u0621" <= letter <= "\u064a" for letter in everything["ch-arabic-tuple"])
    assert any("\u3040" <= letter <= "\u30ff" for letter in everything["oa-japanese-decline"])
    assert len(tasks) == 26


def test_every_model_meets_several_others() -> None:
    pairs = {
        frozenset((str(one.model), str(two.model)))
        for task in every_task()
        for prompt in task.prompts
        for one in prompt.responses
        for two in prompt.responses
        if one.id < two.id
    }
    models = {model for pair in pairs for model in pair}
    assert models == {"larch-7b", "osprey-large", "quill-2", "tern-mini"}
    assert all(sum(model in pair for pair in pairs) == 3 for model in models)


def test_every_text_file_is_used() -> None:
    folders = {path.parent.name for path in TEXTS.glob("*/*.md")}
    judged = {f"{prompt.id}-why-{username}" for _, _, prompt, username, _ in all_said()}
    assert folders == {task.id for task in every_task()} | {"guidelines"}
    for task in every_task():
        answers = {f"{prompt.id}-{response.id}" for prompt in task.prompts for response in prompt.responses}
        known = answers | judged | {f"{prompt.id}-prompt" for prompt in task.prompts}
        names = {path.stem for path in (TEXTS / task.id).iterdir()}
        assert {name for name in names if not name.startswith("context-")} <= known


def test_story_has_one_name_per_person_and_fits_its_fields() -> None:
    assert Counter(person.role for person in PEOPLE) == {"annotator": 4, "reviewer": 1, "lead": 1, "admin": 1}
    assert len({person.email for person in PEOPLE} | {person.display_name for person in PEOPLE}) == 14
    for project in PROJECTS:
        assert len(project.description) <= 300
        assert 300 <= len(project.guidelines.split()) <= 500
        assert "|---|" in project.guidelines


def test_bundle_holds_only_the_media_of_its_project(tmp_path: Path) -> None:
    write_bundle("coding-help", tmp_path / "demo.zip")
    with zipfile.ZipFile(tmp_path / "demo.zip") as archive:
        assert archive.namelist() == ["tasks.jsonl", "media/latency.png"]
