"""Submissions whose code is alike beyond what everybody has: winnowed fingerprints of their syntax trees.

A fingerprint is a hash of some consecutive nodes of a definition's tree, in which the learner's own names are all
one name, so that other names, another order of definitions, comments and layout change nothing. What stub, statement
and reference hold is no evidence, and what many of the class share is little: a fingerprint counts by its rarity.
(Winnowing: Schleimer, Wilkerson and Aiken, 2003.)
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import log2
from typing import Self
from zlib import crc32

from course.syntax import tree_of

LENGTH = 16  # nodes in a fingerprint: shorter runs stand in many honest answers
WINDOW = 6  # of so many neighbouring fingerprints the smallest is kept, so that any run of LENGTH + WINDOW is seen
PRIOR = 12  # a class is judged as if so many others, who wrote none of this, were in it
LEAST_RARITY = 40.0  # bits
LEAST_SHARE = 0.4

Prints = frozenset[int]
Labelled = Mapping[str, Mapping[str, Iterable[int]]]


@dataclass(frozen=True)
class Alike:
    """Two submissions that share rare code: so much of the smaller one (0 to 1), of such rarity in bits, and where."""

    first: str
    second: str
    share: float
    rarity: float
    exercises: tuple[str, ...]


class _Tokens(ast.NodeVisitor):
    """The nodes of a tree in order, as short texts; the learner's own names are all one."""

    def __init__(self, own: frozenset[str]) -> None:
        self.own, self.found = own, list[str]()

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Load, ast.Store, ast.Del)):
            return
        self.found.append(type(node).__name__ + self._said(node))
        super().generic_visit(node)

    def _said(self, node: ast.AST) -> str:
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.MatchAs(name=str(name)):
                return ":own" if name in self.own else f":{name}"
            case ast.Attribute(attr=name):
                return f":{name}"
            case ast.Constant(value=value):
                return f":{value!r}"
        return ""


def prints_of(sources: Mapping[str, str]) -> dict[str, Prints]:
    """Give the fingerprints of sources that belong together, by label; none of one that does not parse.

    >>> mine = "def f(a): return [b for b in a if b > 2]"
    >>> theirs = "def f(x):\\n    return [y for y in x if y > 2]  # mine"
    >>> prints_of({"f": mine}) == prints_of({"f": theirs})
    True
    """
    trees = {label: _parsed(source) for label, source in sources.items()}
    own = frozenset(name for tree in trees.values() for name in _own_names(tree))
    return {label: _prints(tree, own) for label, tree in trees.items()}


def _parsed(source: str) -> ast.Module:
    try:
        return tree_of(source)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def _prints(tree: ast.Module, own: frozenset[str]) -> Prints:
    return frozenset[int]().union(*(_winnowed(_tokens(statement, own)) for statement in tree.body))


def _tokens(statement: ast.stmt, own: frozenset[str]) -> tuple[str, ...]:
    reader = _Tokens(own)
    for part in _without_docstring(statement):
        reader.visit(part)
    return tuple(reader.found)


def _without_docstring(statement: ast.stmt) -> list[ast.AST]:
    match statement:
        case ast.FunctionDef(args=args, body=[ast.Expr(ast.Constant(value=str())), *rest]):
            return [args, *rest]
        case ast.FunctionDef(args=args, body=body):
            return [args, *body]
    return [statement]


def _own_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)):
                yield name
            case ast.FunctionDef(name=name) | ast.MatchStar(name=str(name)):
                yield name


@lru_cache(maxsize=512)
def _winnowed(tokens: tuple[str, ...]) -> Prints:
    hashes = [crc32("|".join(tokens[at : at + LENGTH]).encode()) for at in range(len(tokens) - LENGTH + 1)]
    return frozenset(min(hashes[at : at + WINDOW]) for at in range(max(1, len(hashes) - WINDOW + 1)) if hashes)


def alike(prints: Labelled, common: Iterable[str] = ()) -> list[Alike]:
    """Give the pairs of submissions that are alike, the rarest first.

    `prints` are each submission's fingerprints by exercise (helpers under their own labels); `common` are sources that
    anybody may have had: stubs, statements, references.
    """
    known = frozenset[int]().union(*(prints for source in common for prints in prints_of({"": source}).values()))
    those = _Class.of(prints, known)
    pairs = (those.pair(*names) for names in those.sharing())
    found = [pair for pair in pairs if pair.share >= LEAST_SHARE and pair.rarity >= LEAST_RARITY]
    return sorted(found, key=lambda pair: (-pair.rarity * pair.share, pair.first, pair.second))


@dataclass(frozen=True)
class _Class:
    """The fingerprints of a class, by submission and label and as a whole; the bits of each, and of a submission."""

    prints: Labelled
    whole: Mapping[str, Prints]
    bits: Mapping[int, float]
    weights: Mapping[str, float]

    @classmethod
    def of(cls, prints: Labelled, known: Prints) -> Self:
        """Give a class's fingerprints without those that are known to all."""
        whole = {name: frozenset[int]().union(*of.values()) - known for name, of in prints.items()}
        holders = Counter(each for prints in whole.values() for each in prints)
        bits = {each: log2((len(whole) + PRIOR) / count) for each, count in holders.items()}
        return cls(prints, whole, bits, {name: _weight(prints, bits) for name, prints in whole.items()})

    def sharing(self) -> Iterator[tuple[str, str]]:
        """Give the pairs that share something that at most a few hold: no others can be alike."""
        others = len(self.whole) + PRIOR
        few, least = max(4, len(self.whole) // 10), LEAST_RARITY / log2(others)
        before: dict[int, list[str]] = {each: [] for each, bits in self.bits.items() if bits >= log2(others / few)}
        for name, prints in self.whole.items():
            rare = prints & before.keys()
            shared = Counter(chain.from_iterable(before[each] for each in rare))
            yield from ((other, name) for other, count in shared.items() if count >= least)
            for each in rare:
                before[each].append(name)

    def pair(self, a: str, b: str) -> Alike:
        """Give how alike two are."""
        both = self.whole[a] & self.whole[b]
        rarity, smaller = _weight(both, self.bits), min(self.weights[a], self.weights[b])
        told = {label: _weight(both.intersection(prints), self.bits) for label, prints in self.prints[a].items()}
        exercises = sorted(filter(told.get, told), key=lambda label: -told[label])
        return Alike(a, b, round(rarity / smaller, 3) if smaller else 0.0, round(rarity, 1), tuple(exercises))


def _weight(prints: Iterable[int], bits: Mapping[int, float]) -> float:
    return sum(bits[each] for each in sorted(prints))
