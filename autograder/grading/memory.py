"""A cache of verdicts, keyed by everything that a verdict depends on.

Layout and comments of an answer do not count, unless its verdict names a line or a cell, or its code could look it up.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain
from typing import Any

from autograder.exam.plan import Plan
from course.syntax import literal, nodes_in, tree_of

MOST_VERDICTS = 20_000  # that a process remembers
Recall = Callable[[Sequence[str]], Mapping[str, str]]


def no_verdicts(keys: Sequence[str]) -> Mapping[str, str]:
    """Return no verdict, for any keys."""
    return {}


def recall_from(known: Mapping[str, str]) -> Recall:
    """Return a recall that looks up verdicts in a mapping."""
    return lambda keys: {key: known[key] for key in keys if key in known}


def remembering(recall: Recall) -> Recall:
    """Return a recall that looks up each known verdict only once, for a process that grades many submissions."""
    known: dict[str, str] = {}

    def recalled(keys: Sequence[str]) -> Mapping[str, str]:
        if len(known) >= MOST_VERDICTS:
            known.clear()
        if new := [key for key in keys if key not in known]:
            known.update(recall(new))
        return recall_from(known)(keys)

    return recalled


@dataclass(frozen=True)
class Verdict:
    """The cached outcome of a plan, and the seconds of the budget that its run used."""

    outcome: object
    seconds: float


@dataclass(frozen=True)
class Memory:
    """The cached and the new verdicts on one exam under one policy; `basis` identifies both."""

    recall: Recall = no_verdicts
    basis: str = ""
    fresh: dict[str, str] = field(default_factory=dict)
    _looked_up: dict[str, str | None] = field(default_factory=dict)

    def recalled(self, runs: Iterable[tuple[str, Plan]]) -> list[Verdict | None]:
        """Return the cached verdict on each plan, or None. Many are looked up at once, because each query is slow.

        An outcome may depend on lines: each plan has two keys.
        """
        keys = [[self._key(what, plan, with_lines) for with_lines in (False, True)] for what, plan in runs]
        if new := [key for key in chain(*keys) if key not in self._looked_up]:
            known = self.recall(new)
            self._looked_up.update((key, known.get(key)) for key in new)
        return [self._verdict(pair) for pair in keys]

    def _verdict(self, keys: Iterable[str]) -> Verdict | None:
        """Return the verdict of the first key that has one, among keys that were looked up."""
        texts = (self.fresh.get(key) or self._looked_up[key] for key in keys)
        text = next(filter(None, texts), None)
        return Verdict(*json.loads(text)) if text else None

    def keep(self, what: str, plan: Plan, verdict: Verdict, with_lines: bool = False) -> None:
        """Cache the verdict on a plan. If `with_lines` is true, the outcome depends on lines or cells."""
        self.fresh[self._key(what, plan, with_lines)] = json.dumps([verdict.outcome, verdict.seconds])

    def _key(self, what: str, plan: Plan, with_lines: bool) -> str:
        steps = [*_content(plan, with_lines)]
        return sha256(repr((self.basis, what, with_lines, steps)).encode()).hexdigest()


def _content(plan: Plan, with_lines: bool) -> Iterator[tuple[str, ...]]:
    """Yield the content of a plan. References are included by name only, because the exam is part of the key."""
    for kind, name, source in plan:
        if not isinstance(source, str):
            yield kind, name
        elif with_lines:
            yield kind, name, source
        else:
            yield kind, "" if kind == "helper" else name, meaning_of(source)


@lru_cache(maxsize=1024)
def meaning_of(source: str) -> str:
    """Return a text that is equal for sources that differ only in layout and comments."""
    return sha256("\n".join(map(_content_of, nodes_in(tree_of(source)))).encode()).hexdigest()


def _content_of(node: Any) -> str:
    """Return the content of a node, with a dot for each child node."""
    content: str = node.__class__.__name__
    for name in _telling(node.__class__):
        value = getattr(node, name, None)
        content += f" [{' '.join(map(_word, value))}]" if value.__class__ is list else f" {_word(value)}"
    return content


def _word(value: object) -> str:
    return "." if isinstance(value, ast.AST) else literal(value)


@cache
def _telling(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields of a node type that matter.

    `ctx` does not matter: the position shows whether a name is read or written.
    """
    return tuple(name for name in kind._fields if name != "ctx")
