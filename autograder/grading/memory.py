"""What was judged before: the verdict on an answer is known again by all that it depends on, and by nothing else.

An answer's layout and comments are not among that, unless its verdict points to a line or names a cell.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

from autograder.exam.plan import Plan
from autograder.text import WHERE
from course.syntax import tree_of

A_LINE = re.compile(r'"line": [1-9]')  # of a failure, as data
Recall = Callable[[str], str | None]


def nothing(key: str) -> None:
    """Recall nothing."""


@dataclass(frozen=True)
class Memory:
    """What is known of answers to one exam, under one policy (both stand in `basis`), and what has become known."""

    recall: Recall = nothing
    basis: str = ""
    fresh: dict[str, str] = field(default_factory=dict)

    def recalled(self, what: str, plan: Plan) -> Any:
        """Give what came of a plan when it was run before; None if it never was."""
        for with_places in (False, True):
            key = self._key(what, plan, with_places)
            told = self.fresh.get(key) or self.recall(key)
            if told is not None:
                return json.loads(told)
        return None

    def keep(self, what: str, plan: Plan, value: Any) -> None:
        """Keep what came of a plan that was run."""
        told = json.dumps(value)
        self.fresh[self._key(what, plan, _names_places(told, plan))] = told

    def _key(self, what: str, plan: Plan, with_places: bool) -> str:
        steps = list(_content(plan, with_places))
        return sha256(json.dumps([self.basis, what, with_places, steps]).encode()).hexdigest()


def _content(plan: Plan, with_places: bool) -> Iterator[tuple[str, ...]]:
    """Give what a plan says; of references the names, since the exam that has them is known."""
    for kind, name, code in plan:
        if kind == "reference":
            yield kind, name
        elif with_places:
            yield kind, name, code
        else:
            yield kind, name if kind == "answer" else "", _meaning(code)


@lru_cache(maxsize=1024)
def _meaning(source: str) -> str:
    """Give a text that is the same for sources that differ in layout and comments only."""
    return sha256(ast.dump(tree_of(source)).encode(errors="surrogatepass")).hexdigest()


def _names_places(told: str, plan: Plan) -> bool:
    """Tell whether a verdict names a line, or the cell of a helper."""
    cells = {name for kind, name, _ in plan if kind == "helper"}
    return bool(WHERE.search(told) or A_LINE.search(told)) or any(f"helper in {cell}" in told for cell in cells)
