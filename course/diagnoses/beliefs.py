"""Decide whether to show a belief: the answer must contain the expressions or slips that the belief is about."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from types import ModuleType

from course.diagnoses import Evidence, diagnoses_from_text
from course.form import Requirements
from course.form.reading import BUILTINS
from course.limits import LARGEST_QUOTED_EXPRESSION
from course.syntax import PARSING_ERRORS, subtree_of, tree_of

QUOTABLE_NODES = (ast.Call, ast.BinOp, ast.BoolOp, ast.Compare, ast.Subscript, ast.Tuple, ast.IfExp)


@dataclass(frozen=True)
class BeliefSubject:
    """The subject of a belief: the expressions that the belief quotes, and names of detectors (`slips`).

    The belief is shown only if the answer contains one of the expressions, and one of the detectors finds a mistake in
    the answer. An empty tuple has no effect.
    """

    quoted: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()

    def is_in(self, requirements: Requirements, given: Set[str], source: str) -> bool:
        """Return whether an answer contains the subject of the belief."""
        is_quoted = not self.quoted or any(quoted_expressions_in(source, self.quoted, given))
        return is_quoted and (
            not self.slips or bool({*self.slips} & diagnoses_from_text(Evidence(requirements, source)).keys())
        )


def subject_of_belief(belief: str, requirements: Requirements, given: Set[str], source: str) -> BeliefSubject:
    """Return the subject of a belief. `source` is a wrong answer by somebody who has this belief."""
    texts = dict.fromkeys(re.findall(r"`([^`]+)`", belief))
    return BeliefSubject(
        tuple(quoted_expressions_in(source, texts, given)), tuple(diagnoses_from_text(Evidence(requirements, source)))
    )


def quoted_expressions_in(source: str, texts: Iterable[str], given: Set[str]) -> Iterator[str]:
    """Yield the quoted texts that occur in a source and are expressions other than names."""
    try:
        expressions = [node for node in ast.walk(tree_of(source)) if isinstance(node, QUOTABLE_NODES)]
        # long expressions take time to write
        shapes = {
            _normalized_expression(node, given)
            for node in expressions
            if len(subtree_of(node).nodes) <= LARGEST_QUOTED_EXPRESSION
        }
    except PARSING_ERRORS:
        return
    yield from (text for text in texts if _normalized_quote(text, given) in shapes)


def names_with_fixed_meaning(module: ModuleType, exercises: Iterable[str]) -> frozenset[str]:
    """Return the names that have the same meaning in every answer of a unit."""
    return frozenset({*module.__all__, *exercises, *BUILTINS})


def _normalized_quote(text: str, given: Set[str]) -> str:
    try:
        node = ast.parse(text.replace("...", "…"), mode="eval").body
    except PARSING_ERRORS:
        return ""
    return "" if isinstance(node, (ast.Name, ast.Constant, ast.Attribute)) else _normalized_expression(node, given)


def _normalized_expression(node: ast.AST, given: Set[str]) -> str:
    """Return an expression with all variables renamed to the same name; given names are not renamed."""
    return re.sub(r"Name\(id='(\w+)'", lambda match: match[0] if match[1] in given else "Name(id='_'", ast.dump(node))
