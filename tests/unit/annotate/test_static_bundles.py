"""Many small files become one that runs the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotate.static_bundles import BundleError, script, style_sheet
from tests.fixtures import REPOSITORY

STATIC = REPOSITORY / "static"


def modules(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text)
    return folder


def test_sheets_follow_the_one_that_orders_the_layers() -> None:
    sheet = style_sheet(STATIC / "css")
    assert sheet.startswith((STATIC / "css" / "tokens.css").read_text())
    assert all(path.read_text() in sheet for path in (STATIC / "css").glob("*.css"))
    assert sheet.count("@layer tokens, base") == 1


@pytest.mark.parametrize("entry", ["main", "work", "review"])
def test_every_module_of_ours_is_in_its_bundle_once(entry: str) -> None:
    text = script(STATIC / "js", entry)
    assert text.count("const module_dom = ") == 1
    if entry == "work":
        names = {path.stem.replace("-", "_") for path in (STATIC / "js").glob("*.js")} - {"theme", "review"}
        assert {name for name in names if text.count(f"const module_{name} = ") == 1} == names


@pytest.mark.parametrize(
    "line",
    [
        "export let count = 0;",
        "export default 1;",
        "export { a };",
        "import all from './b.js';",
        "import * as b from './b.js';",
        "import { a } from '/b.js';",
    ],
)
def test_other_forms_are_refused_with_file_and_line(tmp_path: Path, line: str) -> None:
    modules(tmp_path, a=f"const a = 1;\n{line}\n", b="export const a = 1;\n")
    with pytest.raises(BundleError, match=r"a\.js: found ") as caught:
        script(tmp_path, "a")
    assert line in str(caught.value)


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    modules(tmp_path, a="import './b.js';\n", b="import './a.js';\n")
    with pytest.raises(BundleError, match=r"a\.js imports itself by way of b\.js"):
        script(tmp_path, "a")
