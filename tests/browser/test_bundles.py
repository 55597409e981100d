"""A bundle does what its modules do, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from annotate.static_bundles import script

pytestmark = pytest.mark.browser

MODULES = {
    "a": "import { one, two as zwei } from './b.js';\nimport './c.js';\nlog.push(one, zwei(), typeof local);\n",
    "b": "import './c.js';\nconst local = 1;\nexport const one = local;\nexport function two() {\n  return 2;\n}\n",
    "c": "log.push('c');\nexport class Left {}\n",
}


def test_every_module_runs_once_before_who_needs_it_and_keeps_its_names_to_itself(page: Page, tmp_path: Path) -> None:
    for name, text in MODULES.items():
        (tmp_path / f"{name}.js").write_text(text)
    page.goto("about:blank")
    assert page.evaluate(f"(() => {{ const log = [];\n{script(tmp_path, 'a')}\nreturn log; }})()") == [
        "c",
        1,
        2,
        "undefined",
    ]
