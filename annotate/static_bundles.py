"""One style sheet and one script out of many small files, so that a page needs few requests. No Django.

The sources stay what people read and edit; nothing is renamed or shortened. A browser could load the modules one by
one as well, but the comparison page would then take twenty requests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

SHEETS = ("tokens", "base", "components", "forms", "pages", "content")
"""Those that others build on, in their order; the rest follow by name. Rules are in layers, which tokens.css orders."""

_IMPORT = re.compile(r"^import (?:\{([^}]*)\} from )?'\./([a-z-]+)\.js';\n", re.M)
_EXPORT = re.compile(r"^export (const|function|async function|class) (\$*\w*)", re.M)
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.M)


class BundleError(ValueError):
    """The modules cannot be put into one file. The message names the file and the line."""


def style_sheet(folder: Path) -> str:
    """All sheets of the folder, one after the other."""
    names = [*SHEETS, *sorted(path.stem for path in folder.glob("*.css") if path.stem not in SHEETS)]
    return "\n".join((folder / f"{name}.css").read_text() for name in names)


def script(folder: Path, entry: str) -> str:
    """The module `entry` and all that it imports, each in a function of its own, in the order in which they run.

    Understood are `import './x.js'`, `import { a, b as c } from './x.js'` and `export` before `const`, `function`,
    `async function` and `class`. Raises BundleError for anything else, and for modules that import each other.
    """
    return "\n".join(_wrapped(folder, name) for name in _order(folder, entry, ()))


def _order(folder: Path, name: str, above: tuple[str, ...]) -> Iterator[str]:
    if name in above:
        raise BundleError(f"{name}.js imports itself by way of {above[-1]}.js. Move what both need to a third file.")
    seen: dict[str, None] = {}
    for _, wanted in _IMPORT.findall((folder / f"{name}.js").read_text()):
        seen |= dict.fromkeys(_order(folder, wanted, (*above, name)))
    yield from seen
    yield name


def _wrapped(folder: Path, name: str) -> str:
    text = (folder / f"{name}.js").read_text()
    exported = [found for _, found in _EXPORT.findall(text)]
    text = _EXPORT.sub(r"\1 \2", _IMPORT.sub(_taken, text))
    if other := _OTHER.search(text):
        raise BundleError(f"{name}.js: found {other.group()!r}, which is none of the forms that are understood.")
    return f"const {_variable(name)} = (() => {{\n{text}return {{ {', '.join(exported)} }};\n}})();\n"


def _taken(match: re.Match[str]) -> str:
    if match[1] is None:
        return ""
    names = [piece.strip().replace(" as ", ": ") for piece in match[1].split(",") if piece.strip()]
    return f"const {{ {', '.join(names)} }} = {_variable(match[2])};\n"


def _variable(name: str) -> str:
    return "module_" + name.replace("-", "_")
