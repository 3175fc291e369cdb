"""The code of a submission as the store has it: its sources by exercise, and fingerprints that reveal similar code."""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from zlib import crc32

from toolz import groupby

from autograder.submission.model import Submission
from autograder.submission.reading import WRITTEN_REPORT
from course.syntax import PARSING_ERRORS, constant_code, subtree_of, tree_of

FINGERPRINT_LENGTH = 16  # nodes in a fingerprint; shorter sequences occur in many independent answers
# Of this many neighboring fingerprints, the smallest is stored. So every common sequence of
# FINGERPRINT_LENGTH + FINGERPRINT_WINDOW nodes is detected.
FINGERPRINT_WINDOW = 6

Fingerprints = frozenset[int]


NAME_FIELDS = {ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name", ast.MatchAs: "name"}


def _node_label(node: ast.AST, own: Collection[str]) -> str:
    kind = type(node)
    if kind in NAME_FIELDS:
        name = getattr(node, NAME_FIELDS[kind])
        return "" if name is None else ":own" if name in own else f":{name}"
    if isinstance(node, ast.Attribute):
        return f":{node.attr}"
    return f":{constant_code(node.value)}" if isinstance(node, ast.Constant) else ""


def fingerprints_of(sources: Mapping[str, str]) -> dict[str, Fingerprints]:
    """Map the label of each source of one submission to the source's fingerprints.

    A source that cannot be parsed has no fingerprints.

    >>> mine = "def f(a): return [b for b in a if b > 2]"
    >>> theirs = "def f(x):\\n    return [y for y in x if y > 2]  # mine"
    >>> fingerprints_of({"f": mine}) == fingerprints_of({"f": theirs})
    True
    """
    trees = dict.fromkeys(sources, ast.Module([], []))
    for label, source in sources.items():
        with suppress(*PARSING_ERRORS):
            trees[label] = tree_of(source)
    parts = [subtree_of(statement) for tree in trees.values() for statement in tree.body]
    own = {node.id for part in parts for node in part.all(ast.Name) if isinstance(node.ctx, ast.Store)}
    own |= {node.arg for part in parts for node in part.all(ast.arg)}
    own |= {node.name for part in parts for node in part.all(ast.FunctionDef, ast.MatchAs, ast.MatchStar) if node.name}
    return {
        label: frozenset[int]().union(*(_fingerprints(_tokens(statement, own)) for statement in tree.body))
        for label, tree in trees.items()
    }


def _tokens(statement: ast.stmt, own: Collection[str]) -> tuple[str, ...]:
    """Return the nodes of a definition in order, as short texts. All of the learner's own names have the same text."""
    parts: list[ast.AST] = [statement]
    if isinstance(statement, ast.FunctionDef):
        has_docstring = ast.get_docstring(statement, clean=False) is not None
        parts = [statement.args, *(statement.body[1:] if has_docstring else statement.body)]
    nodes = [node for part in parts for node in subtree_of(part).nodes]
    idle = set[ast.AST]()  # nodes that have no effect: somebody who copies could add them anywhere
    for node in nodes:
        match node:
            case ast.Pass():
                idle.add(node)
            case ast.Expr(ast.Constant() as text):
                idle |= {node, text}
            case ast.arg(annotation=ast.AST() as kind) | ast.FunctionDef(returns=ast.AST() as kind):
                idle |= {*subtree_of(kind).nodes}
            case ast.AnnAssign(annotation=kind):
                idle |= {*subtree_of(kind).nodes}
    return tuple(
        ("Assign" if isinstance(node, ast.AnnAssign) else type(node).__name__) + _node_label(node, own)
        for node in nodes
        if node not in idle
    )


@lru_cache(maxsize=512)
def _fingerprints(tokens: tuple[str, ...]) -> Fingerprints:
    hashes = [
        crc32("|".join(tokens[at : at + FINGERPRINT_LENGTH]).encode())
        for at in range(len(tokens) - FINGERPRINT_LENGTH + 1)
    ]
    return frozenset(
        min(hashes[at : at + FINGERPRINT_WINDOW])
        for at in range(max(1, len(hashes) - FINGERPRINT_WINDOW + 1))
        if hashes
    )


@dataclass(frozen=True)
class Code:
    """The code of a submission: its sources (answers, helpers, written text) and their fingerprints, by label.

    The label of a source is the name of an exercise, or of a cell with helpers.
    """

    sources: Mapping[str, str] = field(default_factory=dict)
    prints: Mapping[str, Sequence[int]] = field(default_factory=dict)


def submission_code(submission: Submission) -> Code:
    """Return the code of a submission, with its fingerprints."""
    answers = {name: answer.source for name, answer in submission.answers.items() if answer.source}
    helpers = groupby(lambda helper: helper.label, submission.helpers)
    sources = answers | {f"{label}, helpers": "\n".join(each.source for each in of) for label, of in helpers.items()}
    written = {WRITTEN_REPORT: submission.written} if submission.written else {}
    return Code(sources | written, {label: sorted(prints) for label, prints in fingerprints_of(sources).items()})


def code_text(code: Code) -> str:
    """Return code as text for the store."""
    return json.dumps(vars(code), separators=(",", ":"))


def decoded_code(text: str) -> Code:
    """Return the code that a text in the store encodes."""
    return Code(**json.loads(text))
