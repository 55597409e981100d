"""The math child: hangs, crashes, threads and forks."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotate.rendering import math, render
from annotate.rendering.math import MathClient, is_acceptable

HANGS = {"brackets": "[" * 50, "bigl": r"\bigl( " * 50}
CRASH = r"\frac{" * 5_000


@pytest.fixture
def client() -> Iterator[MathClient]:
    client = MathClient()
    yield client
    client.close()


@pytest.fixture
def unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(math, "is_acceptable", lambda tex: True)


def test_known_hangs_and_crashes_are_refused_before_they_reach_the_child() -> None:
    assert not any(is_acceptable(tex) for tex in [*HANGS.values(), CRASH, "x" * 4_001, r"\left(" * 201])
    assert is_acceptable("[0, 1) " * 10 + r"\left( \frac{1}{2} \right)")


@pytest.mark.usefixtures("unguarded")
@pytest.mark.parametrize("name", HANGS)
def test_a_hang_costs_its_own_formula_only(client: MathClient, name: str) -> None:
    began = time.monotonic()
    before, hung, after = client.typeset([("x", False), (HANGS[name], False), ("y", False)])
    assert time.monotonic() - began < 5
    assert (before, hung, after) == ("<math><mi>x</mi></math>", None, "<math><mi>y</mi></math>")


@pytest.mark.usefixtures("unguarded")
def test_a_crash_costs_its_own_formula_only(client: MathClient) -> None:
    assert client.typeset([(CRASH, False), ("y", False)]) == [None, "<math><mi>y</mi></math>"]


@pytest.mark.usefixtures("unguarded")
def test_one_response_may_not_cost_children_without_end(client: MathClient) -> None:
    began = time.monotonic()
    answers = client.typeset([(CRASH + str(number), False) for number in range(200)] + [("y", False)])
    assert time.monotonic() - began < 5
    assert answers[-1] is None
    assert client.typeset([("y", False)]) == ["<math><mi>y</mi></math>"]


def test_child_is_started_late_and_kept(client: MathClient) -> None:
    assert client.pid() is None
    client.typeset([("x", False)])
    first = client.pid()
    client.typeset([("y", False)])
    assert first is not None
    assert client.pid() == first


def test_child_killed_from_outside_is_replaced(client: MathClient) -> None:
    client.typeset([("x", False)])
    pid = client.pid()
    assert pid is not None
    os.kill(pid, 9)
    time.sleep(0.05)
    assert client.typeset([("x", False)]) == ["<math><mi>x</mi></math>"]


def test_threads_share_one_child_without_mixing_answers(client: MathClient) -> None:
    wrong: list[object] = []

    def work(number: int) -> None:
        for step in range(20):
            want = f"<math><mn>{number}</mn><mo>+</mo><mn>{step}</mn></math>"
            if client.typeset([("x", False), (f"{number}+{step}", False)])[1] != want:
                wrong.append((number, step))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_rendering_in_parallel_gives_what_it_gives_alone() -> None:
    texts = [f"**{number}** $x_{{{number}}}$ https://e.org/{number} `c`\n\n- a[^1]\n\n[^1]: n" for number in range(16)]
    alone = [render(text, doc_id="a") for text in texts]
    together: list[str] = [""] * len(texts)

    def work(index: int) -> None:
        for _ in range(5):
            together[index] = render(texts[index], doc_id="a")

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


FORK = """
import os, sys
from annotate.rendering.math import CLIENT
want = ["<math><mi>x</mi></math>"]
assert CLIENT.typeset([("x", False)]) == want
mine = CLIENT.pid()
pid = os.fork()
if pid == 0:
    ok = CLIENT.pid() is None and CLIENT.typeset([("x", False)]) == want and CLIENT.pid() != mine
    CLIENT.close()
    os._exit(0 if ok else 1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
assert CLIENT.typeset([("x", False)]) == want and CLIENT.pid() == mine
print(mine)
"""


def test_forked_process_gets_a_child_of_its_own_and_children_end_with_their_parent() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    pid = int(done.stdout)
    for _ in range(50):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    pytest.fail("the math process outlived its parent")


def test_child_does_not_load_the_renderer() -> None:
    code = f"import sys, runpy; runpy.run_path({math._CHILD!r}, run_name='child'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert not {"markdown_it", "nh3", "pygments", "django", "annotate"} & set(done.stdout.split())


def test_idioms_that_the_engine_does_not_know_are_typeset_or_left_as_written(client: MathClient) -> None:
    known = [
        r"\begin{split} a &= b \end{split}",
        r"\sum_{\substack{0 \le i \\ 0 < j}} P",
        r"E = mc^2 \tag{1}",
        r"\mathop{\mathbb{E}}\limits_{x} f",
        r"\DeclareMathOperator{\Var}{Var} \Var(X)",
        r"\newcommand{\R}{\mathbb{R}} x \in \R",
        r"\large x + \small y",
        r"\bm{\mu}",
    ]
    assert [tex for tex in known if client.typeset([(tex, True)]) == [None]] == []
    assert client.typeset([(r"\ce{H2O}", False), (r"\frac{1}{", False)]) == [None, None]
    assert "[" not in (client.typeset([(r"\begin{matrix} a \\[4pt] b \end{matrix}", True)])[0] or "[")


def test_refused_formula_is_shown_as_source() -> None:
    assert '<code class="tex-src" title="LaTeX that could not be typeset" dir="ltr">\\frac{1}{</code>' in render(
        "$\\frac{1}{$", doc_id="a"
    )
