"""Inputs derived from annotations: each kind is drawn, judged, sealed for kits, and shown as code to paste."""

from __future__ import annotations

import datetime
import gzip
import json
import subprocess
import sys
from pathlib import Path
from unicodedata import unidata_version

import pytest

from autograder.config import Policy
from autograder.exam.draw import EVERY_INPUT_FACET, draw_examples
from autograder.exam.kinds import InputDomains, as_strategy
from autograder.exam.store import exam_for
from autograder.grading.run import grade
from autograder.hosts.kernel import Examiner
from autograder.hosts.nbgrader import build_files
from autograder.prove import answers
from autograder.prove.answers import (
    messages_if_kit_accepts,
    messages_if_kit_refuses,
    practice_outcome,
    reference_answers,
)
from autograder.prove.laws import leak_messages, messages_if_mistake_passes, messages_if_right_fails
from autograder.report.model import ExerciseReport, Graded
from autograder.units import pack as packs
from autograder.units.build import source_notebook
from autograder.units.mistakes import mistakes_of
from autograder.units.pack import UnitError
from autograder.units.unit import Unit
from course.diagnoses.failure import EXAMPLES_FACET
from tests.classroom import notebook_with, submission_with, write_file, write_files
from tests.tiny import CHECKS, tiny_unit
from tests.units import read_unit

GIVEN = """
from __future__ import annotations

import datetime
import re
from dataclasses import KW_ONLY, dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple, NewType, Optional, TypeAlias, Union

from course.values import Named, value


class Color(Enum):
    RED, BLUE = 1, "b"


class Size(IntEnum):
    SMALL, LARGE = 1, 2


class Suit(Named):
    CLUBS, SPADES = range(2)


CLUBS, SPADES = Suit
Rank: TypeAlias = Annotated[int, range(1, 14)]


@value
class Card:
    rank: Rank
    suit: Suit


Hand: TypeAlias = tuple[Card, ...]
Plate = Annotated[str, re.compile("[A-Z]{2}-[1-9][0-9]{0,2}")]
UserId = NewType("UserId", int)


class Point(NamedTuple):
    x: float
    y: float = 0.0


@dataclass
class Event:
    day: date
    _: KW_ONLY
    color: Color
    tags: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Leaf:
    number: int


@dataclass(frozen=True)
class Node:
    left: Tree
    right: Tree


Tree: TypeAlias = "Leaf | Node"


@dataclass(frozen=True)
class Even:
    number: Rank
    half: int = field(init=False)

    def __post_init__(self) -> None:
        if self.number % 2:
            raise ValueError("odd")
        object.__setattr__(self, "half", self.number // 2)
"""
# annotation, a value of it, and the start of a call that a failure may show
KINDS = {
    "list": ("list[int]", "[1]"),
    "dict": ("dict[str, Color]", '{"a": Color.RED}'),
    "set": ("set[int]", "{1}"),
    "frozenset": ("frozenset[Suit]", "frozenset()"),
    "optional": ("Optional[int]", "None"),
    "union": ("Union[Color, str] | None", "Color.BLUE"),
    "literal": ("Literal['N', 'S', 1]", "'N'"),
    "float": ("float", "1.5"),
    "complex": ("complex", "1j"),
    "bytes": ("bytes", "b'a'"),
    "pattern": ("Plate", "'AB-1'"),
    "range": ("Rank", "3"),
    "date": ("date", "date(2026, 1, 2)"),
    "datetime": ("datetime.datetime", "datetime.datetime(2026, 1, 2)"),
    "time": ("datetime.time", "datetime.time(12)"),
    "timedelta": ("timedelta", "timedelta(1)"),
    "decimal": ("Decimal", "Decimal('1.50')"),
    "fraction": ("Fraction", "Fraction(1, 2)"),
    "enum": ("Color", "Color.RED"),
    "int_enum": ("Size", "Size.LARGE"),
    "named_tuple": ("Point", "Point(1.0)"),
    "value_class": ("Card", "Card(1, CLUBS)"),
    "alias": ("Hand", "()"),
    "new_type": ("UserId", "1"),
    "dataclass": ("Event", "Event(date(2026, 1, 2), color=Color.RED)"),
    "recursive": ("Tree", "Node(Leaf(1), Leaf(2))"),
    "refusing": ("Even", "Even(2)"),
    "sequence": ("Sequence[int]", "(1, 2)"),
    "mapping": ("Mapping[str, Decimal]", "{}"),
}
SOLUTION = '''

# %%
def keep_{kind}(value: {annotation}, /) -> tuple[object, ...]:
    """Return `value` twice.

    >>> len(keep_{kind}({example}))
    2
    """
    return value, value
'''
WRONG = '''

def keep_{kind}__once(value):
    """Once is enough.

    Twice is not.
    """
    return (value,)


def keep_{kind}__as_text(value):
    """A value is its text."""
    return repr(value), repr(value)
'''
EXERCISE = '[[exercise]]\nname = "keep_{kind}"\npoints = 1\nhints = ["Twice."]\nsource = ""\n'
EXPORTED = "Annotated Card Color Decimal Even Event Fraction Hand Leaf Literal Mapping Node Optional Plate Point Rank"
EXPORTED += " Sequence Size Suit CLUBS SPADES Tree Union UserId date datetime timedelta"


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    """Return a unit with an exercise for each kind of value, and no strategy."""
    folder = tmp_path_factory.mktemp("kinds")
    each = [{"kind": kind, "annotation": of, "example": example} for kind, (of, example) in KINDS.items()]
    given = f"{GIVEN}\nfrom collections.abc import Mapping, Sequence\n__all__ = {EXPORTED.split()}\n"
    texts = {
        "pack.toml": 'name = "kinds"\ncourse = "kinds_course"\nunits = ["kinds"]\n',
        "kinds_course/__init__.py": "",
        "kinds_course/kinds/__init__.py": given,
        "kinds_course/kinds/unit.toml": "\n".join(
            ['title = "Kinds"\nsummary = "Each."\nform_share = 0.0', *(EXERCISE.format(**kind) for kind in each)]
        ),
        "solutions/kinds.py": "".join(
            ["from kinds_course.kinds import *\n", *(SOLUTION.format(**kind) for kind in each)]
        ),
        "exams/kinds/mistakes.py": "".join(['"""Mistakes."""\n', *(WRONG.format(**kind) for kind in each)]),
        "right/kinds_list.py": "".join(
            f"\n\ndef keep_{kind}(value):\n    return tuple([value, value])\n" for kind in KINDS
        ),
    }
    unit = read_unit("kinds", write_files(folder, texts))
    build_files([unit])
    return unit


@pytest.fixture(autouse=True)
def _known(kinds: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, str(kinds.pack.root))


def test_right_values_of_every_kind_are_accepted(kinds: Unit) -> None:
    (right,) = answers.right_answers(kinds)
    assert messages_if_right_fails(right) == [] and messages_if_kit_refuses(right) == []


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_values_of_every_kind_are_refused(kinds: Unit, kind: str) -> None:
    wrong = [each for each in mistakes_of(kinds) if each.exercise == f"keep_{kind}"]
    assert len(wrong) == 2
    assert [
        line for each in wrong for line in (*messages_if_mistake_passes(each), *messages_if_kit_accepts(each))
    ] == []


@pytest.mark.parametrize("kind", KINDS)
def test_failed_calls_of_every_kind_can_be_pasted(kinds: Unit, kind: str) -> None:
    name = f"keep_{kind}"
    source = f"def {name}(value):\n    return (value,)"
    report = grade(submission_with(kinds, {name: source}), Policy(exercises=(name,), sandbox="off", form_share=0.0))
    facets = (*report[name].facets, *practice_outcome(kinds, name, reference_answers(kinds) | {name: source}).facets)
    failures = [facet.failure for facet in facets if facet.failure and facet.name != EXAMPLES_FACET]
    assert len(failures) >= 2
    for failure in failures:
        names = {key: getattr(kinds.module, key) for key in kinds.module.__all__}
        exec("\n".join([source, *failure.setup]), names)
        observed = eval(failure.call, names)
        assert eval(failure.seen or "", names | vars(datetime)) == observed


# ------------------------------------------------------------------------------------------------ what is drawn


LIMITS = {
    "int": lambda value: -20 <= value <= 20,
    "float": lambda value: abs(value) <= 20 and value * 4 == int(value * 4),
    "str": lambda value: len(value) <= 8,
    "Decimal": lambda value: len(repr(value)) <= len("Decimal('-20.00')"),
    "Plate": lambda value: len(value) <= 6 and value.isascii(),
    "set[int]": lambda value: len(value) <= 6,
    "dict[str, int]": lambda value: len(value) <= 6,
    "datetime.datetime": lambda value: 2000 <= value.year <= 2030 and value.second == 0,
    "Even": lambda value: value.number % 2 == 0,
}


@pytest.mark.parametrize("annotation", LIMITS)
def test_drawn_values_are_small_and_readable(kinds: Unit, annotation: str) -> None:
    values = draw_examples(as_strategy(InputDomains({}).of_annotation(annotation, kinds.module)), 60, 1)
    assert len(set(map(repr, values))) >= 6 and all(map(LIMITS[annotation], values))


def test_strategies_by_name_hold_in_fields_and_aliases(kinds: Unit) -> None:
    few = InputDomains({"Rank": (7,), "Suit": (kinds.module.CLUBS,)})
    assert few.of_annotation("Card", kinds.module) == (kinds.module.Card(7, kinds.module.CLUBS),)
    hands = draw_examples(as_strategy(few.of_annotation("Hand", kinds.module)), 30, 1)
    assert max(map(repr, hands), key=len).count("Card(7, CLUBS)") > 1


@pytest.mark.promise("others")
def test_characters_do_not_depend_on_the_current_folder(tmp_path: Path) -> None:
    """Hypothesis keeps its table of characters in the current folder, where a student's may be."""
    code = "from hypothesis import strategies as st; from autograder.exam.draw import draw_examples"
    table = tmp_path / ".hypothesis" / "unicode_data" / unidata_version / "charmap.json.gz"
    write_file(table, gzip.compress(b'[["Ll", [[97, 97]]]]'))
    command = [sys.executable, "-c", f"{code}; draw_examples(st.text(), 9, 0)"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    assert [*table.parent.iterdir()] == [table]


REFUSED = {
    "list": "the annotation 'list' does not say what is in it: write list[…]",
    "Callable[[int], int]": "no strategy for the annotation 'Callable[[int], int]': add it to STRATEGIES",
    "Pile": "no strategy for the annotation 'Pile': add it to STRATEGIES",
    "": "the parameter number has no annotation",
}
STRANGE = """
from __future__ import annotations
from collections.abc import Callable

class Pile:
    pass
"""


@pytest.mark.parametrize("annotation", REFUSED)
def test_annotations_that_are_not_drawn_are_refused(tmp_path: Path, annotation: str) -> None:
    parameter = f"number: {annotation}" if annotation else "number"
    solution = f'def double({parameter}):\n    """Return it.\n\n    >>> double(1)\n    1\n    """\n    return number\n'
    unit = tiny_unit(tmp_path, f"from __future__ import annotations\n{solution}", CHECKS, STRANGE)
    with pytest.raises(UnitError) as caught:
        exam_for(unit)
    assert f"solutions/{unit.name}.py:4: double: {REFUSED[annotation]}" in str(caught.value)


# ------------------------------------------------------------------------------------------------ Helpers of references


HELPERS = '''
# %%
_STEPS = (1, 2)


def _squares(number: int) -> list[int]:
    """Return the squares.

    This line is
  indented oddly.
    """
    text = """one
two"""
    return [step * number**2 for step in _STEPS if text.count("\\n") == 1]


# %%
def _sum(number):  # a comment
    return sum(_squares(number))


def double(number: Small) -> int:
    """Return a sum of squares.

    >>> double(1)
    3
    """

    return _sum(number)
'''
SMALL = f'{CHECKS}STRATEGIES = {{"Small": (1, 2, 3, 4)}}\n'


@pytest.fixture
def unit(tmp_path: Path) -> Unit:
    return tiny_unit(tmp_path, HELPERS, SMALL)


def test_reference_has_its_helpers_inside(unit: Unit) -> None:
    reference = unit["double"]
    assert reference.helpers == ("_STEPS", "_squares", "_sum") and reference.shown_source.count("_") == 0
    names = dict[str, object]({"Small": int})
    exec(reference.source, names)
    assert names["double"](3) == 27 and names.keys() - {"Small", "__builtins__"} == {"double"}  # type: ignore[operator]


def test_exam_runs_a_reference_with_its_helpers(unit: Unit) -> None:
    facet = next(facet for facet in exam_for(unit).by_name["double"].facets if facet.name == EVERY_INPUT_FACET)
    assert [json.loads(text)[1] for text in facet.expected][:4] == [3, 12, 27, 48]


def test_solution_shows_the_helpers_of_a_reference(unit: Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, str(unit.pack.root))
    assert Examiner().reference(unit.name, "double").count("def _") == 2


def double_report(unit: Unit, source: str) -> ExerciseReport:
    report = grade(submission_with(unit, {"double": source}), Policy(sandbox="off"))
    assert isinstance(report, Graded)
    return report["double"]


def test_only_the_reference_can_call_its_helpers(unit: Unit) -> None:
    sources = "def double(number):\n    return _sum(number)", unit["double"].source
    report, right = (double_report(unit, source) for source in sources)
    assert report.points == 0 and "_sum" in str(report.facets[0].failure) and right.points == right.of


def test_notebook_of_students_shows_no_helper(unit: Unit) -> None:
    cells = [cell.source for cell in notebook_with(unit, {}).cells]
    sources = [cell.source for cell in source_notebook(unit).cells if cell.id != "double"]
    assert not any("_sum" in source or "_STEPS" in source for source in cells + sources)
    assert list(leak_messages(unit["double"], {line.strip() for source in cells for line in source.splitlines()})) == []


def test_cell_of_helpers_has_no_other_code(tmp_path: Path) -> None:
    unit = tiny_unit(tmp_path, HELPERS.replace("_STEPS = (1, 2)\n", "_STEPS = (1, 2)\nimport math\n"), SMALL)
    with pytest.raises(UnitError, match=r"\.py:5: the cell of the helper _STEPS has other code, too"):
        source_notebook(unit)
