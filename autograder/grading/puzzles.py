"""Parsons puzzles, made from references and known mistakes.

Called by a learner's kernel, and for kits and sites that allow puzzles.
"""

from __future__ import annotations

import ast
import builtins
import json
import keyword
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from string import ascii_uppercase

from autograder.config import AUTHOR_POLICY, PUBLISHED_SEED, cache_folder
from autograder.exam.store import fingerprint, write_cache_file
from autograder.grading.run import grade_in, open_sandbox
from autograder.report.model import PASSED
from autograder.report.stops import SandboxFault
from autograder.sandbox.host import Sandbox, SandboxDied
from autograder.sandbox.sources import digest_of_files
from autograder.submission.sort import submission_of_cells
from autograder.units.mistakes import mistakes_of
from autograder.units.unit import Exercise, Unit
from course.data import as_data, from_data
from course.exam.sealed import Puzzle
from course.syntax import PARSING_ERRORS, lines_of, tree_of

LEAST_LINES, WRONG_LINES = 4, 3
LEAST_RESEMBLANCE = 0.5  # how similar a wrong line is to the right line that it resembles, at least
KNOWN_WORDS = frozenset((*dir(builtins), *keyword.kwlist, *keyword.softkwlist))


def puzzles_as_json(unit: Unit) -> str:
    """Return the puzzles of a unit, by exercise, as JSON text."""
    made = {name: puzzle_of(unit, name) for name in unit.by_name}
    return json.dumps({name: as_data(puzzle) for name, puzzle in made.items() if puzzle}, indent=1)


def puzzle_of(unit: Unit, name: str) -> Puzzle | None:
    """Return the puzzle of an exercise, or None if there is no puzzle.

    The puzzle is cached, because making one takes long.
    """
    maker = PuzzleMaker(unit, unit[name])
    if not maker.has_puzzle:
        return None
    digest = digest_of_files([Path(__file__)])[:8]
    path = cache_folder() / f"{unit.name}-{name}-puzzle-{fingerprint(unit, PUBLISHED_SEED)}-{digest}.json"
    with suppress(OSError, ValueError):
        return from_data(Puzzle, json.loads(path.read_text(encoding="utf-8")))
    puzzle = maker.make_puzzle()
    write_cache_file(path, json.dumps(as_data(puzzle)))
    return puzzle


@dataclass(frozen=True)
class PuzzleMaker:
    """Makes the puzzle of one exercise."""

    unit: Unit
    exercise: Exercise

    @property
    def has_puzzle(self) -> bool:
        """Return whether the reference has enough lines for a puzzle, but at most 26: each line gets one letter."""
        return self.exercise.reference_lines >= LEAST_LINES and len(self.right_lines) <= len(ascii_uppercase)

    @property
    def header_lines(self) -> tuple[str, ...]:
        """Return the lines of the reference up to the end of its docstring.

        If the exercise is a value and not a function, return ().
        """
        return tuple(lines_of(self.exercise.source)[: self.exercise.docstring_end])

    @property
    def right_lines(self) -> tuple[str, ...]:
        """Return the lines of the reference's body, without empty lines and lines of comments."""
        lines = lines_of(self.exercise.source)[self.exercise.docstring_end :]
        return tuple(line for line in lines if line.split("#")[0].strip())

    def make_puzzle(self) -> Puzzle:
        """Return the puzzle.

        The puzzle's lines are sorted by their digests, so their order looks random but is always the same.
        """
        lines = sorted((*self.right_lines, *self.wrong_lines()), key=lambda line: sha256(line.encode()).digest())
        first = self.exercise.signature if self.header_lines else ""
        docstring = "\n".join(self.header_lines[len(lines_of(first)) :]) if first else ""
        return Puzzle(first, docstring, tuple(lines))

    def wrong_lines(self) -> tuple[str, ...]:
        """Return wrong lines, taken from known mistakes. Each wrong line is similar to a line of the reference.

        If a wrong line replaces this similar line, the exam refuses the answer. Windows has no `os.fork`, so no exam
        can run there, and there are no wrong lines.
        """
        lines, most = (
            dict[int, str](),
            min(WRONG_LINES, len(self.right_lines) // 2, len(ascii_uppercase) - len(self.right_lines)),
        )
        with suppress(NotImplementedError), open_sandbox(self.unit, AUTHOR_POLICY) as sandbox:
            for row, line, variant in self._wrong_variants():
                is_new = row not in lines and line not in lines.values()
                if len(lines) < most and is_new and not self.passes(variant, sandbox):
                    lines[row] = line
        return tuple(lines.values())

    def passes(self, code: str, sandbox: Sandbox) -> bool:
        """Return whether the exam accepts an answer. Raises SandboxDied if the answer could not be run."""
        name, submission = self.exercise.name, submission_of_cells(self.unit, [code])
        report = grade_in(sandbox, submission, replace(AUTHOR_POLICY, exercises=(name,)))[name]
        if isinstance(report.stop, SandboxFault):
            raise SandboxDied(report.stop.text)
        return report.state == PASSED

    def _wrong_variants(self) -> Iterator[tuple[int, str, str]]:
        """Yield wrong lines, the most deceptive first.

        Each line comes with the row of the right line that it replaces, and with the code after the replacement.
        """
        lines = [line.strip() for line in self.right_lines]
        resembling = list[tuple[float, int, str]]()
        for text in sorted({*self._lines_of_mistakes()} - {*lines}):
            likeness = (SequenceMatcher(None, text, line, False).ratio() for line in lines)
            most, row = max(zip(likeness, range(len(lines)), strict=False))
            resembling += [(most, row, text)] if most >= LEAST_RESEMBLANCE else []
        for _, row, text in sorted(resembling, reverse=True):
            line = self.right_lines[row].replace(lines[row], text)
            variant = "\n".join((*self.header_lines, *self.right_lines[:row], line, *self.right_lines[row + 1 :]))
            with suppress(*PARSING_ERRORS):
                tree_of(variant)
                yield row, line, variant

    def _lines_of_mistakes(self) -> Iterator[str]:
        """Yield the lines of known mistakes that use only names that the learner knows."""
        known = KNOWN_WORDS.union(_words(self.exercise.source), self.unit.module.__all__)
        for mistake in mistakes_of(self.unit):
            node = tree_of(mistake.source).body[-1]
            has_docstring = isinstance(node, ast.FunctionDef) and ast.get_docstring(node)
            start = (node.body[0].end_lineno or 0) if isinstance(node, ast.FunctionDef) and has_docstring else 0
            texts = (line.strip() for line in lines_of(mistake.source)[start:])
            if mistake.exercise == self.exercise.name:
                yield from (text for text in texts if text and text[0] != "#" and _words(text) <= known)


def _words(text: str) -> set[str]:
    return {*re.findall(r"[^\W\d]\w*", text)}
