"""The commands of an installation: counters, first start, and the demo, also when it was interrupted."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotate.enums import Role
from annotate.models import Annotation, Assignment, Event, Project, Task, User
from exports.demo.bundle import tasks_of
from exports.demo.judgements import skips
from exports.demo.scripted import CODING_HELP, OPEN_ARENA
from exports.demo.story import PEOPLE
from exports.management.commands import demo
from exports.models import Import
from tests import factories
from tests.fixtures import REPOSITORY

pytestmark = pytest.mark.django_db
SCRIPTS = {"coding-help": CODING_HELP, "open-arena": OPEN_ARENA}


# ------------------------------------------------------------------------------------------------ check_counters
def test_right_counters_are_confirmed(capsys: pytest.CaptureFixture[str]) -> None:
    factories.task(factories.project())

    call_command("check_counters")

    assert capsys.readouterr().out == "All counters are right.\n"


@pytest.mark.parametrize("spoiled", [{"submitted_count": 1}, {"claimed_count": 2}])
def test_a_spoiled_counter_is_named(capsys: pytest.CaptureFixture[str], spoiled: dict[str, int]) -> None:
    project = factories.project(overlap=3)
    right, wrong = factories.task(project), factories.task(project)
    Task.objects.filter(pk=wrong.pk).update(**spoiled)

    with pytest.raises(CommandError, match=r"^1 tasks have wrong counters\.$"):
        call_command("check_counters")

    shown = {"submitted_count": 0, "claimed_count": 0, **spoiled}
    assert capsys.readouterr().err == (
        f"Task {wrong.pk}: submitted_count {shown['submitted_count']} (counted 0),"
        f" claimed_count {shown['claimed_count']} (counted 0)\n"
    )
    assert right.pk != wrong.pk


# --------------------------------------------------------------------------------------------------------- setup
class Machine:
    """A new machine: only the environment that is given, and no terminal."""

    def __init__(self, folder: Path) -> None:
        self.environment = {
            "PATH": os.environ["PATH"],
            "TIEBREAK_VAR": str(folder / "var"),
            "TIEBREAK_ENV_FILE": str(folder / "none.env"),
        }

    def manage(self, *arguments: str, **more: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=REPOSITORY,
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr


def test_the_first_admin_of_a_machine_comes_from_the_environment(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    setup = ["setup", "--no-demo"]
    count = ["shell", "--no-imports", "-c", "from annotate.models import *; print(list(User.objects.values_list()))"]

    without = machine.manage(*setup)
    weak = machine.manage(*setup, ADMIN_USERNAME="ada", ADMIN_PASSWORD="12345")
    made = machine.manage(*setup, ADMIN_USERNAME="ada", ADMIN_PASSWORD="a long secret", ADMIN_EMAIL="ada@example.org")
    people = machine.manage(*count)
    again = machine.manage(*setup, ADMIN_USERNAME="eve", ADMIN_PASSWORD="another secret")

    assert without[0] == 1
    assert "Run this in a terminal, or set ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD" in without[1]
    assert (weak[0], "This password is too short." in weak[1]) == (1, True)
    assert made[0] == 0
    assert "Created the admin ada." in made[1]
    assert "a long secret" not in made[1]
    assert (again[0], machine.manage(*count)) == (0, people)
    assert "ada@example.org" in people[1]


# ---------------------------------------------------------------------------------------------------------- demo
@pytest.fixture
def accounts(settings: Any, tmp_path: Path) -> Path:
    """Where the demo writes its accounts."""
    settings.VAR_DIR = tmp_path
    settings.JOB_LEASE_SECONDS = 0.2
    return tmp_path / "demo-accounts.txt"


def amounts() -> dict[str, tuple[int, int, int]]:
    """Active tasks, annotations and skipped tasks of each project."""
    return {
        project.slug: (
            project.tasks.filter(state="active").count(),
            Annotation.objects.filter(prompt__task__project=project).count(),
            Assignment.objects.filter(task__project=project, state="skipped").count(),
        )
        for project in Project.objects.all()
    }


def expected() -> dict[str, tuple[int, int, int]]:
    return {
        slug: (
            len(tasks_of(slug)),
            sum(len(said) for people in script.values() for said in people.values()),
            sum(skip[0] == slug for skip in skips),
        )
        for slug, script in SCRIPTS.items()
    }


def rows() -> dict[str, list[Any]]:
    return {model.__name__: list(model._default_manager.values()) for model in [User, Task, Annotation, Assignment]}


def test_a_fresh_demo_is_whole_and_its_accounts_are_private(accounts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("demo")

    listed = [line.split("\t") for line in accounts.read_text().splitlines()]
    assert amounts() == expected()
    assert stat.S_IMODE(accounts.stat().st_mode) == 0o600
    assert [(name, role) for name, _, role in listed] == [(person.username, person.role) for person in PEOPLE]
    assert len({password for _, password, _ in listed}) == len(PEOPLE)
    assert all(len(password) >= 12 for _, password, _ in listed)
    assert all(User.objects.get(username=name).check_password(password) for name, password, _ in listed)
    assert list(User.objects.filter(is_superuser=True).values_list("username", flat=True)) == ["robin"]
    assert Project.objects.get(slug="open-arena").memberships.filter(role=Role.LEAD).count() == 1
    call_command("check_counters")


def test_a_second_run_of_the_demo_changes_nothing(accounts: Path) -> None:
    call_command("demo")
    before, passwords = rows(), accounts.read_text()

    call_command("demo")

    assert (rows(), accounts.read_text()) == (before, passwords)


class Interrupted(BaseException):
    """Like Ctrl-C or a kill: nothing catches it."""


POINTS = {
    "in the first import": ("exports.importing.publish", 1),
    "after the first import": ("exports.management.commands.demo._judgements", 1),
    "among the judgements": ("exports.management.commands.demo.submit", 7),
    "after the first project": ("exports.management.commands.demo._project", 2),
    "in the second import": ("exports.importing.publish", 2),
}


@pytest.mark.parametrize("point", POINTS)
def test_a_demo_that_was_interrupted_is_completed_by_the_next_start(
    accounts: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    path, calls_until = POINTS[point]
    module, name = path.rsplit(".", 1)
    original, calls = getattr(sys.modules[module], name), []

    def interrupting(*arguments: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) == calls_until:
            raise Interrupted
        return original(*arguments, **more)

    with monkeypatch.context() as patched:
        patched.setattr(path, interrupting)
        with pytest.raises(Interrupted):
            call_command("demo")
    assert amounts() != expected()
    passwords = accounts.read_text()

    call_command("demo")

    assert amounts() == expected()
    assert accounts.read_text() == passwords
    assert set(Import.objects.values_list("state", flat=True)) == {"done"}
    assert Event.objects.filter(verb="demo.loaded").count() == 1
    call_command("check_counters")


WELL_KNOWN = [
    ("admin", "admin"), ("admin", "password"), ("admin", "changeme"), ("admin", "12345678"), ("admin", ""),
    ("admin@example.com", "admin"), ("admin@localhost", "admin"), ("root", "root"), ("root", "toor"),
    ("administrator", "administrator"), ("user", "user"), ("test", "test"), ("demo", "demo"), ("guest", "guest"),
    ("argilla", "12345678"), ("owner", "12345678"), ("tiebreak", "tiebreak"), ("robin", "robin"),
    ("robin", "password"), ("mina", "mina"), ("robin@demo.example", "robin"), ("leila", "demo"),
]  # fmt: skip


def test_no_well_known_password_opens_the_demo(accounts: Path, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    passwords = demo._passwords(accounts)
    for person in PEOPLE:
        demo._person(person, passwords[person.username])

    def opens(login: str, password: str) -> bool:
        client = Client()
        client.post("/accounts/login/", {"login": login, "password": password})
        return client.get("/").status_code == 200

    assert [pair for pair in WELL_KNOWN if opens(*pair)] == []
    assert opens("robin", passwords["robin"])
