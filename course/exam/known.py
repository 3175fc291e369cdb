"""The known mistakes in an exam: digests of their results, and the beliefs behind them."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from operator import eq

from course.exam.readable import ADDRESS, from_inside, strict_json
from course.syntax import branch, tree_of

STACK_FULL = "RecursionError"


def is_placeholder(source: str) -> bool:
    """Return whether an answer ignores its parameters, like `return False`. That is a placeholder, not a mistake.

    An answer that returns a parameter unchanged is a placeholder, too.
    """
    functions = [node for node in ast.walk(tree_of(source)) if isinstance(node, ast.FunctionDef)]
    parts = {node for function in functions for part in function.body for node in branch(part).nodes}
    given = {node.value for node in parts if isinstance(node, ast.Return)}
    used = [node for node in parts if isinstance(node, ast.Name) and node not in given]
    return any(each.args.args for each in functions) and not used


def digest(frame: bytes, notes: bytes) -> str:
    """Return a short digest of a facet's observations, with the messages of exceptions.

    The digest ignores what varies from run to run: memory addresses, the call at which the stack was full, and the text
    printed before that.
    """
    decoded = strict_json(notes)
    entries = [note for note in decoded.values() if isinstance(note, dict)] if isinstance(decoded, dict) else []
    messages = list[str]()  # of exceptions, without their locations
    for error in (note["story"] for note in entries if "story" in note):
        match error:
            case {"raised": str(name), "text": str(text)} if name != STACK_FULL:
                messages.append(from_inside(f"{name}: {text}"))
            case {"limit": str(limit)}:
                messages.append(from_inside(limit))
            case _:
                messages.append("")
    if STACK_FULL.encode() in frame and (trees := strict_json(frame)):
        frame = json.dumps([STACK_FULL if overflowed(tree) else tree for tree in trees]).encode()
    if b" at 0x" in frame:  # in texts such as `str(map(f, items))`
        frame = ADDRESS.sub("0x", frame.decode(errors="replace")).encode()
    return hashlib.sha256(frame + "|".join(messages).encode()).hexdigest()[:16]


def overflowed(tree: object) -> bool:
    return isinstance(tree, list) and tree[:2] == ["raised", STACK_FULL]


@dataclass(frozen=True)
class Known:
    """A known mistake: the belief behind it, the truth, and a `digest` of its results for each facet."""

    belief: str
    truth: str
    digests: tuple[str, ...]

    def explains(self, digests: tuple[str, ...], failed: Iterable[int]) -> bool:
        """Return whether an answer has the results of this mistake in all facets that the answer failed."""
        return all(index < len(digests) and digests[index] == self.digests[index] for index in failed)


def explaining(mistakes: Sequence[Known], frames: Iterable[tuple[bytes, bytes]], failed: Sequence[int]) -> list[int]:
    """Return the indexes of the mistakes with the same results in all failed facets, the most similar mistake first."""
    digests = tuple(starmap(digest, frames))
    matches = [index for index, known in enumerate(mistakes) if known.explains(digests, failed)]
    return sorted(matches, key=lambda index: sum(map(eq, mistakes[index].digests, digests)), reverse=True)
