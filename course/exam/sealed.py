"""A sealed exam: inputs, and digests of the right results. It has no references. Also, known mistakes and puzzles.

The digests make it harder to look up results, but they do not keep them secret. If only a few results are possible,
anybody can find the right one by trying all of them.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import starmap
from operator import eq
from string import ascii_uppercase
from types import ModuleType
from typing import NamedTuple

from course.diagnoses.beliefs import BeliefSubject
from course.exam.alike import Grid, normalizers_of, text_on_grid
from course.exam.calls import Call
from course.exam.observation import Observation, decoded_observation
from course.exam.observing import wire_of_module
from course.exam.readable import MEMORY_ADDRESS_PATTERN, decode_strict_json, line_without_folders
from course.exam.wire import NamedFunction, Tree, text_of
from course.roles import role_module
from course.syntax import subtree_of, tree_of

SIZE, STACK_FULL = 8, "RecursionError"
JointJudge = Callable[[tuple[Observation, ...]], str | None]


# ------------------------------------------------------------------------------------------------ known mistakes


def is_placeholder(source: str) -> bool:
    """Return whether an answer ignores its parameters, like `return False`, or returns a parameter unchanged.

    No known mistake explains a placeholder.
    """
    functions = [node for node in ast.walk(tree_of(source)) if isinstance(node, ast.FunctionDef)]
    parts = {node for function in functions for part in function.body for node in subtree_of(part).nodes}
    given = {node.value for node in parts if isinstance(node, ast.Return)}
    used = [node for node in parts if isinstance(node, ast.Name) and node not in given]
    return any(each.args.args for each in functions) and not used


def facet_digest(frame: bytes, notes: bytes) -> str:
    """Return one short digest of a facet's observations and of the messages of its exceptions.

    The digest ignores what varies from run to run: memory addresses, the call at which the stack was full, and text
    printed before that call.
    """
    decoded = decode_strict_json(notes)
    entries = [note for note in decoded.values() if isinstance(note, dict)] if isinstance(decoded, dict) else []
    messages = list[str]()  # of exceptions, without their locations
    for error in (note["story"] for note in entries if "story" in note):
        match error:
            case {"raised": str(name), "text": str(text)} if name != STACK_FULL:
                messages.append(line_without_folders(f"{name}: {text}"))
            case {"limit": str(limit)}:
                messages.append(line_without_folders(limit))
            case _:
                messages.append("")
    if STACK_FULL.encode() in frame and (trees := decode_strict_json(frame)):
        frame = json.dumps([STACK_FULL if is_stack_overflow(tree) else tree for tree in trees]).encode()
    if b" at 0x" in frame:  # in texts such as `str(map(f, items))`
        frame = MEMORY_ADDRESS_PATTERN.sub("0x", frame.decode(errors="replace")).encode()
    return hashlib.sha256(frame + "|".join(messages).encode()).hexdigest()[:16]


def is_stack_overflow(tree: object) -> bool:
    return isinstance(tree, list) and tree[:2] == ["raised", STACK_FULL]


@dataclass(frozen=True)
class MistakeResults:
    """A known mistake: the belief behind it, the truth, and a `digest` of its results for each facet."""

    belief: str
    truth: str
    digests: tuple[str, ...]

    def explains(self, digests: tuple[str, ...], failed: Iterable[int]) -> bool:
        """Return whether this mistake has the same results as an answer in all facets that the answer failed."""
        return all(index < len(digests) and digests[index] == self.digests[index] for index in failed)


def explaining_mistakes(
    mistakes: Sequence[MistakeResults], frames: Iterable[tuple[bytes, bytes]], failed: Sequence[int]
) -> list[int]:
    """Return the indexes of the mistakes whose results equal an answer's results in all failed facets.

    Mistakes that equal the answer in more facets come first.
    """
    digests = tuple(starmap(facet_digest, frames))
    matches = [index for index, known in enumerate(mistakes) if known.explains(digests, failed)]
    return sorted(matches, key=lambda index: sum(map(eq, mistakes[index].digests, digests)), reverse=True)


class SealedMistake(NamedTuple):
    """A known mistake. The belief is about the code in `quoted` and about the `slips`."""

    belief: str
    truth: str
    results: tuple[str, ...]
    quoted: tuple[str, ...]
    slips: tuple[str, ...]

    @property
    def mistake_results(self) -> MistakeResults:
        return MistakeResults(self.belief, self.truth, self.results)

    @property
    def belief_subject(self) -> BeliefSubject:
        return BeliefSubject(self.quoted, self.slips)


# ------------------------------------------------------------------------------------------------ the sealed exam


class SealedFacet(NamedTuple):
    """One rule: its calls, and the digests of the right results.

    The last calls only detect lazy answers, such as constants; `contrasts` is their number. `sealed` is the digest
    of all exact observations together, followed by one digest for each call. If `judge` names a function of the
    unit's `joint.py`, that function judges all calls together, and single calls have no digests. If floats are
    compared with a tolerance, `grids` has a grid for each call. If `changes` is true, the arguments after the call
    are observed, too.
    """

    name: str
    contrasts: int
    calls: tuple[Call, ...]
    sealed: bytes
    judge: str = ""
    changes: bool = False
    grids: tuple[Grid, ...] = ()

    @property
    def rule_calls(self) -> int:
        """Return the number of calls that belong to the rule."""
        return len(self.calls) - self.contrasts

    @property
    def joint(self) -> bytes:
        """Return the digest of all exact observations together."""
        return self.sealed[:SIZE]

    @property
    def digests(self) -> tuple[bytes, ...]:
        """Return the digest of each call's right result."""
        return tuple(self.sealed[start : start + SIZE] for start in range(SIZE, len(self.sealed), SIZE))


@dataclass(frozen=True)
class SealedPaper:
    """The sealed exam of one exercise: its facets and known mistakes, exercises that its statement mentions, and more.

    `left` describes the rules and contests that only a teacher's exam can judge. If `iterates` is true, the items of
    iterators are observed. `hung_on` lists other exercises that have several right results and affect the results of
    this exercise. If the order of an exercise's items does not matter, `order` says how to get the exam's order from
    the sorted items.
    """

    prints: bool
    shows_args: bool
    facets: tuple[SealedFacet, ...]
    left: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    mistakes: tuple[SealedMistake, ...] = ()
    hung_on: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    iterates: bool = False
    name: str = ""

    @property
    def changes_arguments(self) -> bool:
        """Return whether right answers change their arguments."""
        return all(facet.changes for facet in self.facets)


@dataclass(frozen=True)
class WorldData:
    """A `SolvedWorld` in its stored form.

    `right` has the digests of all right results, joined. `hands` has the set of wrong answers that each input catches,
    without duplicates. For each input, `caught` (compressed) has the index of the input's set in `hands`. `inputs` are
    the compressed arguments of each input, or empty if the unit's `world.py` has the inputs.
    """

    beliefs: tuple[str, ...]
    right: bytes
    hands: tuple[tuple[int, ...] | None, ...]
    caught: bytes
    inputs: bytes = b""


@dataclass(frozen=True)
class SealedExam:
    """The sealed exam of a unit, which is in a kit. An empty sealed exam has no version."""

    unit: str = ""
    version: str | None = None
    papers: dict[str, SealedPaper] = field(default_factory=dict)
    impostors: dict[str, WorldData] = field(default_factory=dict)


# ------------------------------------------------------------------------------------------------ digests


class Seal:
    """An object that makes digests of an exercise's observations.

    Equally good observations have equal digests.
    """

    def __init__(self, module: ModuleType, name: str) -> None:
        self.module, self.name, self.wire = module, name, wire_of_module(module)
        self.alike = normalizers_of(module.__name__).get(name)

    def digest(self, facet: str, index: int, call: Call, tree: Tree, grid: Grid = ()) -> bytes:
        """Return the digest of a call's observation. The digest also depends on the index of the call.

        With a `grid`, floats in the same cell of the grid have the same digest.
        """
        salt = "|".join((self.module.__name__, self.name, facet, str(index)))
        form = text_on_grid(tree, grid) if grid else self._normal_text(call, tree)
        return hashlib.sha256(f"{salt}|{form}".encode()).digest()[:SIZE]

    def joint(self, facet: str, trees: Iterable[Tree]) -> bytes:
        """Return one digest of all observations of a facet, with exact floats."""
        salt = "|".join((self.module.__name__, self.name, facet))
        return hashlib.sha256(f"{salt}|{text_of([*trees])}".encode()).digest()[:SIZE]

    def _normal_text(self, call: Call, tree: Tree) -> str:
        """Return a text that is the same for all equally good observations."""
        if self.alike is None or tree[0] == "fault":
            return text_of(tree)
        try:
            args = tuple(self.wire.decode(arg, self._function_named) for arg in call.given)
            observed = self.alike(args, decoded_observation(self.wire, tree, self._function_named))
        except Exception:
            return text_of(tree)
        value = self.wire.encode(observed.value, lambda each: each.text if isinstance(each, NamedFunction) else None)
        effects = [[name, *map(repr, args)] for name, *args in observed.probes]
        after = [[repr(each) for each in observed.after]] if observed.after else []
        return text_of([value, observed.raised, repr(observed.raised_args), observed.printed, effects, *after])

    def _function_named(self, name: str) -> object:
        return self.wire.functions.get(name) or NamedFunction(name)


seal_of_exercise = cache(Seal)


def joint_judge_of(module: str, name: str) -> JointJudge | None:
    """Return the unit's function `name` that judges all calls of a facet together; None if there is none."""
    judge: JointJudge | None = getattr(role_module(module, "joint"), name, None)
    return judge


# ------------------------------------------------------------------------------------------------ puzzles


@dataclass(frozen=True)
class Puzzle:
    """The lines of an exercise's body. The learner puts them in order, below the exercise's signature and docstring.

    Some lines are wrong and belong to no right answer. If the exercise is a value, there is no signature and no
    docstring.
    """

    signature: str
    docstring: str
    lines: tuple[str, ...]

    @property
    def header(self) -> tuple[str, ...]:
        """Return the lines of the signature and the docstring, which are above the lines to put in order."""
        return tuple(line for part in (self.signature, self.docstring) for line in part.splitlines())

    @property
    def lettered_lines(self) -> dict[str, str]:
        """Return a dict that maps letters to the lines that the learner puts in order."""
        return dict(zip(ascii_uppercase, self.lines, strict=False))

    def assembled_code(self, letters: str) -> str:
        """Return the code that consists of the header and the lines with these letters, in this order.

        >>> print(Puzzle("def f(x):", "", ("    return x", "    x += 1")).assembled_code("BA"))
        def f(x):
            x += 1
            return x
        """
        return "\n".join((*self.header, *(self.lettered_lines[letter] for letter in letters)))
