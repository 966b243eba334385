"""No test knows what only its module knows: ruff looks at what is written out (SLF), this at the rest."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
REACHING = {"setattr", "getattr", "delattr", "object"}
"""``monkeypatch.setattr`` and ``mocker.patch.object`` among them."""
NOT_OURS = {"_base_executable", "_callback", "_run"}
"""Of ``sys`` and of ``asyncio.Handle``."""


MAY_REACH = re.compile(r"""["'](?:[\w.]*\.)?_[a-z]\w*["']|\bimport\b[^#\n]*\b_[a-z]|^ +_[a-z]\w*,?$""", re.MULTILINE)
"""Only a file with such a text is parsed: that takes long."""


def reached(source: str) -> Iterator[str]:
    """Private names that a file imports, or reaches by their names in quotes."""
    if not MAY_REACH.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield from (each.name for each in node.names if each.name.startswith("_"))
        elif isinstance(node, ast.Call) and _called(node) in REACHING:
            texts = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            yield from (last for text in texts[:1] if (last := text.rpartition(".")[2]).startswith("_"))


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_no_test_reaches_into_what_is_private() -> None:
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    assert "SLF" in ruff["select"]
    known = NOT_OURS | set(ruff["flake8-self"]["extend-ignore-names"])
    found = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in (ROOT / "tests").rglob("*.py")
        for name in reached(file.read_text())
        if not name.startswith("__") and name not in known
    }
    assert found == set()
