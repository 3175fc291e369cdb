"""What was judged before: the verdict on an answer is known again by all that it depends on, and by nothing else.

An answer's layout and comments are not among that, unless its verdict points to a line or names a cell.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

from autograder.exam.plan import Plan
from autograder.sandbox.inside.orders import Step
from course.syntax import tree_of

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

    def keep(self, what: str, plan: Plan, value: Any, with_places: bool = False) -> None:
        """Keep what came of a plan that was run, and whether it names lines or cells."""
        self.fresh[self._key(what, plan, with_places)] = json.dumps(value)

    def _key(self, what: str, plan: Plan, with_places: bool) -> str:
        steps = list(_content(plan, with_places))
        return sha256(json.dumps([self.basis, what, with_places, steps]).encode()).hexdigest()


def _content(plan: Plan, with_places: bool) -> Iterator[tuple[str, ...]]:
    """Give what a plan says; of references the names, since the exam that has them is known."""
    for step in plan:
        match step:
            case Step("reference" as kind, name):
                yield kind, name
            case Step(kind, name, str(source)) if with_places:
                yield kind, name, source
            case Step(kind, name, str(source)):
                yield kind, name if kind == "answer" else "", _meaning(source)


@lru_cache(maxsize=1024)
def _meaning(source: str) -> str:
    """Give a text that is the same for sources that differ in layout and comments only."""
    return sha256(ast.dump(tree_of(source)).encode(errors="surrogatepass")).hexdigest()
