"""The demo says of some answers that they are right and of others that they are wrong: both are tried out."""

from __future__ import annotations

import csv
import importlib.util
import os
import re
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from annotate.rendering import word_count
from exports.demo.folders import read_text


def code(task: str, name: str, language: str = "python") -> str:
    found = re.search(rf"```{language}\n(.*?)```", read_text(task, name), re.DOTALL)
    assert found
    return found.group(1)


def defined(task: str, name: str) -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(code(task, name), scope)  # noqa: S102 - our own texts
    return scope


def test_p95_takes_the_95th_of_100_values(tmp_path: Path) -> None:
    path = tmp_path / "latency.csv"
    with path.open("w", newline="") as file:
        rows = [("0", "/a", ms) for ms in range(100, 0, -1)] + [("0", "/b", 7)]
        csv.writer(file).writerows([("ts", "endpoint", "ms"), *rows])
    assert defined("ch-p95-latency", "p1-r1")["p95_by_endpoint"](str(path)) == {"/a": 95.0, "/b": 7.0}
    interpolated = defined("ch-p95-latency", "p1-r2")["p95_by_endpoint"](str(path))
    assert interpolated["/a"] == pytest.approx(95.05)
    assert max(word_count(read_text("ch-p95-latency", f"p1-{name}")) for name in ("r1", "r2")) < 200


@pytest.mark.parametrize(("name", "result"), [("p1-r1", ["a2", "b1"]), ("p1-r2", ["b1", "a2"])])
def test_keep_last_orders_as_the_judgements_say(name: str, result: list[str]) -> None:
    rows = [{"id": "a", "v": "a1"}, {"id": "b", "v": "b1"}, {"id": "a", "v": "a2"}]
    assert [row["v"] for row in defined("ch-keep-last", name)["keep_last"](rows)] == result


@pytest.mark.parametrize(
    ("name", "result"), [("p1-r1", [("Ann", 2), ("Bo", 1), ("Cy", 0)]), ("p1-r2", [("Ann", 2), ("Bo", 1)])]
)
def test_paid_orders_loses_customers_only_in_the_wrong_answer(name: str, result: list[tuple[str, int]]) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(code("ch-paid-orders", "p1-prompt", "sql"))
    database.executemany("INSERT INTO customers VALUES (?, ?)", [(1, "Ann"), (2, "Bo"), (3, "Cy")])
    orders = [(1, 1, "paid", "2024-01-01"), (2, 1, "paid", "2024-12-31"), (3, 2, "paid", "2024-05-05")]
    orders += [(4, 2, "open", "2024-05-06"), (5, 3, "paid", "2023-12-31")]
    database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", orders)
    assert [row[1:] for row in database.execute(code("ch-paid-orders", name, "sql"))] == result


@pytest.mark.parametrize("n", range(6))
def test_matrix_power_is_right_with_the_inverse_and_wrong_with_the_transpose(n: int) -> None:
    power = np.linalg.matrix_power(np.array([[4, 1], [2, 3]]), n)
    five, two = 5**n, 2**n
    inverse = np.array([[2 * five + two, five - two], [2 * five - 2 * two, five + 2 * two]])
    transpose = np.array([[five + two, five - 2 * two], [five - 2 * two, five + 4 * two]])
    assert (inverse == 3 * power).all()
    assert not (transpose == power).all()


def patched(name: str, folder: Path) -> ModuleType:
    (folder / "client.py").write_text(code("ch-retry-diff", "p1-prompt"), encoding="utf-8")
    diff = code("ch-retry-diff", name, "diff")
    subprocess.run(["git", "apply", "-"], cwd=folder, input=diff, text=True, check=True)
    spec = importlib.util.spec_from_file_location("client", folder / "client.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def attempts(
    fetch: Callable[[str], bytes], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, list[float]]:
    calls: list[str] = []
    waits: list[float] = []

    def fail(url: str, timeout: float) -> None:
        calls.append(url)
        raise error

    monkeypatch.setattr(urllib.request, "urlopen", fail)
    monkeypatch.setattr(time, "sleep", waits.append)
    with pytest.raises(type(error)):
        fetch("http://x.example")
    return len(calls), waits


def http_error(status: int) -> urllib.error.HTTPError:
    return urllib.error.HTTPError("http://x.example", status, "", None, None)  # type: ignore[arg-type]


def test_retry_patches_apply_and_differ_on_404(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = patched("p1-r1", tmp_path), patched("p1-r2", tmp_path)
    assert (hasattr(right, "fetch"), hasattr(wrong, "fetch")) == (False, True)
    all_four = (4, [1, 2, 4])
    for error in (TimeoutError(), urllib.error.URLError("refused"), http_error(503)):
        assert attempts(right.fetch_with_retry, error, monkeypatch) == all_four
        assert attempts(wrong.fetch, error, monkeypatch) == all_four
    assert attempts(right.fetch_with_retry, http_error(404), monkeypatch) == (1, [])
    assert attempts(wrong.fetch, http_error(404), monkeypatch) == all_four


def test_slugify_keeps_letters_only_in_the_right_answer() -> None:
    title = "Crème brûlée, twice!"
    assert defined("ch-slug-tests", "p1-r1")["slugify"](title) == "crme-brle-twice"
    assert defined("ch-slug-tests", "p1-r2")["slugify"](title) == "creme-brulee-twice"


@pytest.mark.parametrize(("name", "status", "passed"), [("p2-r1", 0, "5 passed"), ("p2-r2", 1, "1 failed, 4 passed")])
def test_slug_tests_pass_or_fail_as_the_judgement_says(name: str, status: int, passed: str, tmp_path: Path) -> None:
    (tmp_path / "slugs.py").write_text(code("ch-slug-tests", "p1-r2"), encoding="utf-8")
    (tmp_path / "test_slugs.py").write_text(code("ch-slug-tests", name), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_slugs.py"]
    environment = {"PATH": os.environ["PATH"], "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, passed in run.stdout) == (status, True)


NAMES = ("backup_2024-03-09_full.tar", "2023-12-31.log", "part-12024-03-091", "2024-13-01", "2024-00-10")


@pytest.mark.parametrize(
    ("name", "found"),
    [("p1-r1", [None, "2023-12-31", None, None, None]), ("p1-r2", ["2024-03-09", "2023-12-31", None, None, None])],
)
def test_date_regex_misses_the_underscore_only_in_the_wrong_answer(name: str, found: list[str | None]) -> None:
    pattern = defined("ch-date-regex", name)["DATE"]
    matches = [pattern.search(each) for each in NAMES]
    assert [match and match.group() for match in matches] == found


@pytest.mark.parametrize(("name", "kind"), [("p1-r1", int), ("p1-r2", tuple)])
def test_arabic_answers_differ_in_the_comma_that_makes_a_tuple(name: str, kind: type) -> None:
    line = re.search(r"^single = .*$", read_text("ch-arabic-tuple", name), re.MULTILINE)
    assert line
    scope: dict[str, Any] = {}
    exec(line.group(), scope)  # noqa: S102 - our own texts
    assert type(scope["single"]) is kind


@pytest.mark.parametrize(("arguments", "status", "left"), [([], 0, 3), (["--delete"], 0, 2), (["--dlete"], 2, 3)])
def test_clean_logs_deletes_only_when_told(arguments: list[str], status: int, left: int, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name, days in (("old.log", 40), ("new.log", 1), ("old.txt", 40)):
        (logs / name).write_text("")
        then = (datetime.now().astimezone() - timedelta(days=days)).timestamp()
        os.utime(logs / name, (then, then))
    script = tmp_path / "clean-logs"
    script.write_text(code("ch-clean-logs", "p1-r2", "bash"), encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "LOG_DIR": str(logs)}
    run = subprocess.run(
        ["bash", str(script), *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert (run.returncode, len(list(logs.iterdir()))) == (status, left)
    assert run.stdout == ("" if status else f"{logs}/old.log\n")


def test_sums_of_the_everyday_answers() -> None:
    real = 0.9 * 0.01
    shares = [real / (real + false * 0.99) for false in (0.05, 0.005)]
    assert [round(share, 3) for share in shares] == [0.154, 0.645]
    assert round(2000 * 1.03**10, 2) == 2687.83
    assert (24 + 6) * 60 + 12 - (22 * 60 + 47) == 7 * 60 + 25
    assert (6 * 60 + 12) + 35 == 6 * 60 + 47


def test_lengths_keep_or_break_the_limits_as_the_judgements_say() -> None:
    short, long = (read_text("oa-late-rent", f"p1-{name}").split("\n", 1)[1].split() for name in ("r1", "r2"))
    assert (len(short), len(long) > 120) == (52, True)
    assert max(len(read_text("oa-blue-sky", f"p1-{name}").split()) for name in ("r1", "r2")) <= 100
    polite, casual = (len(read_text("oa-japanese-decline", f"p1-{name}")) for name in ("r1", "r2"))
    assert polite <= 100 < casual
