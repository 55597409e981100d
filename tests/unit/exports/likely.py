"""Random tasks as projects have them: most of their votes can be exported. Those of `samples` are odd in every way."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from exports.records import (
    AnnotationRecord,
    FlagRecord,
    Message,
    Part,
    PromptRecord,
    RatingRecord,
    ResponseRecord,
    ReviewRecord,
    RewriteRecord,
    TaskRecord,
    WarningRecord,
)

CONTEXTS = ([], [], ["system"], ["user", "assistant"], ["system", "user", "assistant"], ["tool", "user", "assistant"])
TEXTS = ["Paris.", "Lyon, I think.", "assistant", "Look: <image>", "42", " 42\r\n", "", "Ünïcode ✓", "\n\nHuman: no"]
TIME = "2025-01-02T03:04:05Z"


def likely_tasks() -> st.SearchStrategy[TaskRecord]:
    return st.integers(0, 2**32).map(lambda seed: _Maker(Random(seed)).task())


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random

    def task(self) -> TaskRecord:
        roles: list[Any] = self.random.choice(CONTEXTS)
        turns = self.random.choice([1, 1, 2, 3])
        return TaskRecord(
            id=f"t{self.random.randint(1, 99)}:%#",
            context=[Message(role=role, content=self.parts(picture=role == "user")) for role in roles],
            prompts=[self.prompt(f"p{number}") for number in range(turns)],
            metadata=self.random.choice([{}, {"language": "english", "domain": "general", "source": "x"}]),
        )

    def parts(self, *, picture: bool = True) -> list[Part]:
        text = Part.of_text(self.random.choice(["What is this?", "Tell me more.", "And then\r\nwhat?"]))
        kind: Any = self.random.choice(["image", "image", "audio", "video", "file"])
        media = Part(type=kind, path=f"media/{self.random.getrandbits(256):064x}.png", name="a.png")
        return self.random.choice([[text], [text], [media, text]]) if picture else [text]

    def prompt(self, key: str) -> PromptRecord:
        ids = [f"r{number}" for number in range(self.random.choice([2, 2, 2, 3, 4]))]
        chosen = self.random.sample(TEXTS, len(ids))
        picture = [Part(type="image", path=f"media/{self.random.getrandbits(256):064x}.png")]
        goes_on = self.random.choice([*ids, None])
        responses = [
            ResponseRecord(
                id=each,
                content=picture if self.random.random() < 0.05 else [Part.of_text(text)],
                model=self.random.choice(["m1", "m2", "user", None]),
                continues=each == goes_on,
            )
            for each, text in zip(ids, chosen, strict=True)
        ]
        votes = [self.vote(ids) for _ in range(self.random.randint(0, 5))]
        return PromptRecord(id=key, content=self.parts(), responses=responses, annotations=votes)

    def vote(self, ids: list[str]) -> AnnotationRecord:
        random = self.random
        outcome: Any = random.choice(["winner"] * 6 + ["tie", "all_bad", "cannot_judge"])
        winner = random.choice(ids) if outcome == "winner" else None
        others = random.sample([each for each in ids if each != winner], len(ids) - (winner is not None))
        ranking = [[winner], others] if winner and others and random.random() < 0.5 else []
        return AnnotationRecord(
            annotator=random.choice(["ann", "bob", "cy"]),
            kind=random.choice(["annotation"] * 6 + ["adjudication"]),  # type: ignore[arg-type]
            state=random.choice(["submitted"] * 6 + ["returned"]),  # type: ignore[arg-type]
            suspended=random.random() < 0.1,
            outcome=outcome,
            winner=winner,
            margin=random.choice([None, 1, 2, 3]) if winner else None,
            ranking=[[each] for group in ranking for each in group] if random.random() < 0.5 else ranking,
            ratings=[
                RatingRecord(
                    dimension=key, response=each, value=random.randint(1, 5), justification=random.choice(["", "ok"])
                )
                for key in random.choice([[], ["help"], ["help", "tone"]])
                for each in ids
            ],
            justification=random.choice(["", "@A is better than Response B."]),
            rewrites=[
                RewriteRecord(response=random.choice(ids), content=[Part.of_text(random.choice(["Better.", "42"]))])
            ]
            if random.random() < 0.3
            else [],
            reviews=[ReviewRecord(reviewer="rev", verdict="accept", at=TIME)] if random.random() < 0.2 else [],
            display_order=random.sample(ids, len(ids)),
            seconds=random.choice([None, 30]),
            flags=[FlagRecord(response=ids[0], kind="unsafe")] if random.random() < 0.2 else [],
            warnings=[WarningRecord(code="fast", decision="kept")] if random.random() < 0.2 else [],
            submitted_at=random.choice([None, TIME]),
        )
