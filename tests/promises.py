"""Find the tests of each promise in SECURITY.md. `python -m tests.promises` writes the list to docs/promises.md.

A test is marked `@pytest.mark.promise("name")`, with the name that SECURITY.md puts after the promise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "promises.md"
PROMISE = re.compile(r"\*\*([^*]+)\*\* \(`(\w+)`\)")
MARK = re.compile(r"pytest\.mark\.promise\('(\w+)'\)")
HEAD = """# Which tests hold the promises

`python -m tests.promises` writes this page. The page lists the tests with the
marker `@pytest.mark.promise`. [SECURITY.md](../SECURITY.md) explains the promises.
"""


def promises() -> dict[str, str]:
    """Return the sentences of the promises in SECURITY.md, by name."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    return {name: sentence.rstrip(".") for sentence, name in PROMISE.findall(text)}


def marked_tests() -> Iterator[tuple[str, str]]:
    """Yield the name of a promise with each test of it, in the order of files and lines."""
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                marks = (MARK.match(ast.unparse(decorator)) for decorator in node.decorator_list)
                yield from ((mark[1], f"tests/{path.name}::{node.name}") for mark in marks if mark)


def page() -> str:
    """Return the current text for docs/promises.md."""
    tests = list(marked_tests())
    sections = [
        f"## {sentence}\n\n" + "".join(f"- `{test}`\n" for promise, test in tests if promise == name)
        for name, sentence in promises().items()
    ]
    return "\n".join((HEAD, *sections))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
