"""Who works in the demo, and on what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from exports.demo.folders import read_text


@dataclass(frozen=True)
class Person:
    """Somebody with an account. `role`: annotator, reviewer or lead in every project, or admin everywhere."""

    username: str
    display_name: str
    role: str

    @property
    def email(self) -> str:
        return f"{self.username}@demo.example"


@dataclass(frozen=True)
class DemoProject:
    """A project as it is to be created.

    `changes` are the fields that differ from the preset; `guidelines` is Markdown from `texts/guidelines/<slug>.md`.
    """

    slug: str
    name: str
    preset: str
    description: str
    changes: dict[str, Any] = field(default_factory=dict)

    @property
    def guidelines(self) -> str:
        return read_text("guidelines", self.slug)


PEOPLE = (
    Person("mina", "Mina Adeyemi", "annotator"),
    Person("tomas", "Tomás Rivera", "annotator"),
    Person("aiko", "Aiko Hayashi", "annotator"),
    Person("yusuf", "Yusuf Rahmani", "annotator"),
    Person("greta", "Greta Lindqvist", "reviewer"),
    Person("leila", "Leila Haddad", "lead"),
    Person("robin", "Robin Castellane", "admin"),
)

CODING_HELP = DemoProject(
    slug="coding-help",
    name="Coding and reasoning help",
    preset="helpsteer3",
    description=(
        "Two answers to a question about code, data or mathematics: rate both, say which one is better and by how "
        "much, and name the difference that decided it."
    ),
    changes={"review_share": 50},
)

OPEN_ARENA = DemoProject(
    slug="open-arena",
    name="Everyday arena",
    preset="arena",
    description=(
        "Everyday requests in words, pictures and sound: choose the answer that you would use yourself, call it a tie, "
        "or say that both are bad."
    ),
    changes={"max_responses": 4, "overlap": 3, "justification": "optional"},
)

PROJECTS = (CODING_HELP, OPEN_ARENA)


def annotators() -> tuple[Person, ...]:
    """The people who judge, in the order of `PEOPLE`."""
    return tuple(person for person in PEOPLE if person.role == "annotator")
