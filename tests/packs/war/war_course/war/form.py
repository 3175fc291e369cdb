"""Rules of form for war."""

import ast
from collections.abc import Iterator

from course.form import Reading, Rule, Violation


def suits(reading: Reading) -> Iterator[Violation]:
    """Find suits, which mean nothing in war."""
    yield from (
        Violation(node, "suits mean nothing in war") for node in reading.all(ast.Attribute) if node.attr == "suit"
    )


RULES = {"no-suits": Rule(suits, "compare ranks", "one.rank", "Compare ranks only: suits mean nothing in war.")}
