"""Which common mistake an answer makes; one about something written is only told if that is written there.

Another slip may give the very same. What a belief is about shows in the answer that makes the mistake: the
expressions that it quotes, and the slips that its text alone tells of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import starmap
from operator import eq

from autograder.exam.known import Known, digest, is_placeholder
from autograder.exam.model import Paper
from autograder.report.model import FacetReport
from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.unit import Unit, asked, read_unit
from course.diagnoses import Evidence, slips_in
from course.form.given import BUILTINS
from course.syntax import UNPARSED, tree_of


def recognised(
    paper: Paper, facets: Iterable[FacetReport], seen: Iterable[tuple[bytes, bytes]], source: str
) -> Known | None:
    """Give the common mistake that gives the same wherever the answer is wrong: the one that is most like it."""
    if not paper.mistakes or is_placeholder(source):
        return None
    digests = tuple(starmap(digest, seen))
    failed = [place for place, facet in enumerate(facets) if facet.counts and not facet.passed]
    alike = [known for known in paper.mistakes if known.explains(digests, failed)]
    unit = read_unit(paper.exercise.unit)
    found = [known for known in alike if fits(unit, paper.exercise.name, known.belief, source)]
    return max(found, key=lambda known: sum(map(eq, known.digests, digests)), default=None)


def fits(unit: Unit, exercise: str, belief: str, source: str) -> bool:
    """Tell whether an answer has what a belief is about."""
    known = [each for each in mistakes_of(unit.name) if each.exercise == exercise and each.belief == belief]
    return not known or any(_has(unit.name, exercise, source, *about(unit.name, mistake)) for mistake in known)


@lru_cache(maxsize=2048)
def about(unit: str, mistake: Mistake) -> tuple[frozenset[str], frozenset[str]]:
    """Give the quoted expressions, and the slips, that are written in the answer that makes a mistake."""
    shapes = frozenset(_shapes(mistake.source, unit))
    quoted = frozenset(shape for text in re.findall(r"`([^`]+)`", mistake.belief) for shape in _quoted(text, unit))
    return quoted & shapes, slips(unit, mistake.exercise, mistake.source)


def _has(unit: str, exercise: str, source: str, quoted: frozenset[str], told: frozenset[str]) -> bool:
    is_quoted = not quoted or bool(quoted & {*_shapes(source, unit)})
    return is_quoted and (not told or bool(told & slips(unit, exercise, source)))


@lru_cache(maxsize=2048)
def slips(unit: str, exercise: str, source: str) -> frozenset[str]:
    """Give the names of the slips that a text alone tells of."""
    whole = read_unit(unit)
    return frozenset(slips_in(Evidence(asked(whole, whole[exercise]), source)))


def _quoted(text: str, unit: str) -> Iterator[str]:
    """Give the shape of a quoted expression that is more than a name."""
    try:
        node = ast.parse(text.replace("...", "…"), mode="eval").body
    except UNPARSED:
        return
    if not isinstance(node, (ast.Name, ast.Constant, ast.Attribute)):
        yield _shape(node, _given(unit))


def _shapes(source: str, unit: str) -> Iterator[str]:
    try:
        nodes = [*ast.walk(tree_of(source))]
    except UNPARSED:
        return
    given = _given(unit)
    kinds = (ast.Call, ast.BinOp, ast.BoolOp, ast.Compare, ast.Subscript, ast.Tuple, ast.IfExp)
    yield from (_shape(node, given) for node in nodes if isinstance(node, kinds))


def _given(unit: str) -> set[str]:
    """Give the names that mean the same in every answer."""
    return {*dir(read_unit(unit).module), *read_unit(unit).by_name, *BUILTINS}


def _shape(node: ast.AST, given: set[str]) -> str:
    """Give an expression without its variables' names: what is given keeps its own."""
    text = ast.dump(node)
    return re.sub(r"Name\(id='(\w+)'", lambda found: found[0] if found[1] in given else "Name(id='_'", text)
