"""Deliberate mistakes of a pack's author: each is reported in one line, with file, line and what is wrong."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from unittest.mock import Mock

import pytest

from autograder.commands import build as build_command
from autograder.commands import new
from autograder.commands.options import NewOptions
from autograder.prove.inspection import ensure_files_valid
from autograder.prove.laws import (
    messages_if_mistake_passes,
    messages_if_right_fails,
    messages_if_style_broken,
    prove_notebook,
    prove_references,
)
from autograder.prove.mutate import stale_mutant_messages
from autograder.units.unit import Unit, UnitError
from tests.classroom import write_file
from tests.command import foldem_here, is_one_line_refusal
from tests.units import mistakes_of, read_unit, right_answers

UNIT, TOML, WORLD, ALIKE = (f"m_course/war/{name}" for name in ("__init__.py", "unit.toml", "world.py", "alike.py"))
SOLUTIONS, CHECKS = "solutions/war.py", "exams/war/checks.py"
MISTAKES, RIGHT, EQUIVALENT = "exams/war/mistakes.py", "right/war_plain.py", "right/equivalent_mutants.toml"
END, NEW = "", None  # add to a file's end; write a new file


@dataclass(frozen=True)
class Slip:
    """A mistake of an author: what is changed in the template's pack, and what is reported."""

    file: str
    old: str | None
    new: str
    message: str
    command: str = "build"
    without: str = ""  # a folder of the template that is missing


def text_cell(code: str) -> str:
    """Return a cell for notebooks only, and a text before it."""
    commented = "".join(f"# {line}\n" for line in code.splitlines())
    return f'\n\n# %% [markdown]\n# Think.\n\n# %% active="ipynb"\n{commented}'


def drawn(strategies: str) -> str:
    """Return the start of `CHECKS`, with strategies before it."""
    return f"from hypothesis import strategies as st\n\nSTRATEGIES = {strategies}\nCHECKS = {{"


def world(inputs: str, name: str = "red_cards") -> str:
    """Return a module with a world."""
    return f"""from course.exam.world import World
from m_course.war import *


def inputs():
    {inputs}


WORLDS = {{"{name}": World("hands", inputs)}}
"""


UNKNOWN_MUTANT = """[[equivalent]]
unit = "war"
exercise = "is_red"
because = "It is right."
line = "return card.suit == HEARTS or card.suit == DIAMONDS"
becomes = ["return 7"]
"""
IS_RED = "    return card.suit == HEARTS or card.suit == DIAMONDS"
RED_CARDS = "    return tuple(card for card in hand if is_red(card))"
DOUBLE = '\n\ndef double(number):\n    """Double it.\n\n    >>> double(2)\n    4\n    """\n    return number * 2\n'
PACK = {
    "answers in the folder of students": Slip(
        "pack.toml",
        END,
        '[folders]\nsolutions = "m_course/answers"\n',
        r"pack.toml:\d+: the folder of solutions is in m_course, which students get. Move it",
        without="solutions",
    ),
    "an unknown role": Slip(
        "pack.toml",
        END,
        '[folders]\nexam = "x"\n',
        r"pack.toml:\d+: folders must be a table of paths for solutions, exa",
    ),
    "no folder of a role": Slip(
        "pack.toml",
        END,
        '[folders]\nexams = "../nowhere"\n',
        r"pack.toml:1: ../nowhere does not exist",
        without="exams",
    ),
    "no key": Slip("pack.toml", 'name = "m"\n', "", r"pack.toml:1: the key 'name' is missing"),
    "no TOML": Slip("pack.toml", 'name = "m"', "name = m", r"pack.toml:2: Invalid value"),
    "an unknown key": Slip("pack.toml", "name =", "nmae =", r"pack.toml:2: unknown key 'nmae': did you mean 'name'\?"),
    "no units": Slip("pack.toml", '["war"]', "[]", r"pack.toml:8: units must be a list of names, not \[\]"),
    "a name with a dash": Slip("pack.toml", "m_course", "m-course", r"pack.toml:5: course must be a name of letters"),
    "no folder for students": Slip(
        "pack.toml", '"m_course"', '"m_curse"', r"pack.toml:5: \S+/m_curse does not exist. Make it, or correct"
    ),
    "a unit without files": Slip(
        "pack.toml", '["war"]', '["war", "fox"]', r"pack.toml:8: \S+/fox/unit.toml does not exist. Make it, or corr"
    ),
}
POLICY = {
    "no TOML": Slip(TOML, "form_share = 0.2", "form_share 0.2", r"unit.toml:4: Expected '=' after a key"),
    "an unknown key": Slip(
        TOML, "points = 1", "pionts = 1", r"unit.toml:10: unknown key 'pionts': did you mean 'points'\?"
    ),
    "an unknown exercise": Slip(TOML, '"is_red"', '"is_rde"', r"unit.toml:8: the exercise is_rde has no reference in"),
    "no points": Slip(TOML, "points = 1\n", "", r"unit.toml:8: the key 'points' is missing"),
    "points without end": Slip(TOML, "points = 1", "points = inf", r"unit.toml:10: points must be a number from 0 to"),
    "negative points": Slip(TOML, "points = 1", "points = -1", r"unit.toml:10: points must be a number from 0"),
    "points as text": Slip(TOML, "points = 1", 'points = "1"', r"unit.toml:10: points must be a number from 0"),
    "hints as text": Slip(TOML, "hints = [", 'hints = "a" #', r"unit.toml:11: hints must be a list of texts"),
    "too large a share": Slip(TOML, "= 0.2", "= 20", r"unit.toml:4: form_share must be a number from 0 to 1, not 20"),
    "another order": Slip(
        TOML,
        '[[exercise]]\nname = "is_red"',
        '[[exercise]]\nname = "red_cards"\nsource = ""\npoints = 1\nhints = []\n\n[[exercise]]\nname = "is_red"',
        r"unit.toml:1: the exercises are not in the order of",
    ),
    "an idea used in nothing": Slip(
        TOML,
        END,
        '\n[[idea]]\nname = "x"\nsays = "y"\nused = ["is_rde"]\n',
        r"unit.toml:\d+: war has no exercise 'is_rde'",
    ),
    "no module withheld": Slip(
        TOML,
        "form_share",
        'withheld = ["m_course.x"]\nform_share',
        r"unit.toml:1: ModuleNotFoundError: No module named",
    ),
    "an unknown rule": Slip(
        TOML, "points = 1", 'points = 1\nerror = ["lops"]', r"unit.toml:11: unknown rule of style 'lops'"
    ),
}
GIVEN = {
    "a syntax error": Slip(UNIT, "__all__ = ", "__all__ = = ", r"war/__init__.py:33: SyntaxError: invalid syntax"),
    "an unknown import": Slip(
        UNIT, END, "import numpyy\n", r"war/__init__.py:34: ModuleNotFoundError: No module named"
    ),
    "an unknown name": Slip(
        UNIT, END, "JOKER = Crad(0)\n", r"war/__init__.py:34: NameError: name 'Crad' is not defined"
    ),
    "no names": Slip(UNIT, "__all__", "ALL", r"war/__init__.py:1: it has no __all__. List the names"),
    "an exit": Slip(UNIT, END, "raise SystemExit(3)\n", r"war/__init__.py:34: SystemExit: 3"),
    "a wrong example": Slip(
        UNIT,
        END,
        DOUBLE.replace("4", "5"),
        r"war/__init__.py:\d+: an example in the docstring of double is wrong",
    ),
}
REFERENCES = {
    "a class": Slip(
        SOLUTIONS,
        "def is_red",
        "class Pile: ...\n\n\ndef is_red",
        r"war.py:20: Pile is a class, and an exercise is a function or a value: define types in the unit's module",
    ),
    "two of a name": Slip(
        SOLUTIONS,
        END,
        "\n\n# %%\ndef is_red(card):\n    return True\n",
        r"war.py:\d+: is_red is defined again: its first definition is in line 20",
    ),
    "no exercise": Slip(
        SOLUTIONS, "def red_cards", "def rde_cards", r"unit.toml:13: the exercise red_cards has no reference"
    ),
    "a function more": Slip(
        SOLUTIONS,
        END,
        '\n\n# %%\ndef twice(card: Card) -> int:\n    """Return 2."""\n    return 2\n',
        r"solutions/war.py:\d+: twice is not an exercise in",
    ),
    "a syntax error": Slip(SOLUTIONS, "def red_cards(", "def red_cards((", r"solutions/war.py:\d+: SyntaxError: "),
    "an indentation error": Slip(
        SOLUTIONS, RED_CARDS, f"  {RED_CARDS}", r"solutions/war.py:45: SyntaxError: unexpected inde"
    ),
    "no docstring": Slip(
        SOLUTIONS,
        RED_CARDS,
        f"{RED_CARDS}\n\n\n# %%\ndef is_red2():\n    return 1",
        r"solutions/war.py:\d+: is_red2 is not an",
    ),
    "an example begun badly": Slip(
        SOLUTIONS, ">>> red_cards((C", ">>>red_cards((C", r"solutions/war.py:37: line 3 of the do"
    ),
    "an example that is no expression": Slip(
        SOLUTIONS,
        ">>> red_cards(())",
        ">>> hand = ()",
        r"solutions/war.py:42: red_cards: hand = \(\) returned SyntaxError: invalid syntax, not \(\)",
    ),
    "a wrong example": Slip(
        SOLUTIONS,
        "SPADES))\n    False",
        "SPADES))\n    True",
        r"solutions/war.py:25: is_red: is_red\(Card\(7, SPADES\)\) returned False, not True. Correct the",
    ),
    "a result that is no value": Slip(
        SOLUTIONS,
        "    ()\n",
        "    nothing\n",
        r"solutions/war.py:42: red_cards: red_cards\(\(\)\) returned NameError: name 'nothing' is not defined",
    ),
    "a print": Slip(
        SOLUTIONS,
        IS_RED,
        f"    print(card)\n{IS_RED}",
        r"solutions/war.py:23: is_red: is_red\(.*\) prints 'Card\(7, HEARTS\)",
    ),
    "a later exercise": Slip(
        SOLUTIONS,
        IS_RED,
        "    return red_cards((card,)) != ()",
        r"solutions/war.py:20: is_red needs the later exercise red_cards. Move red_cards above it",
    ),
    "no import": Slip(
        SOLUTIONS, "from m_course.war import *\n", "", r"solutions/war.py:\d+: NameError: name 'Card' is not defined"
    ),
    "an import of names": Slip(
        SOLUTIONS,
        "from m_course.war import *\n",
        "import m_course\nfrom m_course.war import *\n",
        r"solutions/war.py:1: no cell begins with `from m_course.war import \*`. Add one below the title",
    ),
    "a text that is no comment": Slip(
        SOLUTIONS,
        "# An exercise can use",
        "An exercise can use",
        r"solutions/war.py:32: the cell '# %% \[markdown\]' has a lin",
    ),
    "code in a text": Slip(
        SOLUTIONS, "\n# %%\ndef is_red", "\ndef is_red", r"solutions/war.py:19: the cell .* is no comment: def"
    ),
    "two exercises in a cell": Slip(
        SOLUTIONS,
        "# %% [markdown]\n# An exercise can use earlier exercises. Grading then uses your reference solutions to those,"
        " so that a mistake costs\n# points only once.\n\n\n# %%\n",
        "\n\n",
        r"solutions/war.py:\d+: red_cards is in the cell of is_red. Write `# %%` above it",
    ),
    "a value without a docstring": Slip(
        SOLUTIONS,
        "def is_red",
        "is_red: Hand = ()\n\n\ndef is_rde",
        r"unit.toml:8: the exercise is_red has no reference in \S+. A function needs a docstring",
    ),
    "a wrong choice": Slip(
        SOLUTIONS,
        END,
        text_cell('predict("1 + 1", "11", "3", why="It adds.")'),
        r"solutions/war.py:51: no choice of the prediction is right. Its result is 2",
    ),
    "a prediction without a reason": Slip(
        SOLUTIONS,
        END,
        text_cell('predict("1 + 1", "2", "3")'),
        r"solutions/war.py:51: a prediction needs code, choices",
    ),
    "a cell that does not parse": Slip(SOLUTIONS, END, text_cell("predict("), r"solutions/war.py:52: SyntaxError: "),
    "nothing to draw": Slip(
        SOLUTIONS,
        END,
        "\n\n# %% [markdown]\n# Look:\n#\n# ```draw\n# Crad(1)\n# ```\n",
        r"solutions/war.py:52: a lesson cannot draw Crad\(1\)",
    ),
    "a cell for nbgrader without a name": Slip(
        SOLUTIONS,
        END,
        text_cell("assert True").replace('"ipynb"', '"ipynb" nbgrader={"points": 2}'),
        r"solutions/war.py:1: a cell for nbgrader has no grade_id: \{'points': 2\}",
    ),
    "a predicted error": Slip(
        SOLUTIONS,
        END,
        text_cell('predict("1 / 0", "0", "1", why="It divides.")'),
        r"solutions/war.py:51: no choice of the prediction is right. Its result is ZeroDivisionError: division by z",
    ),
    "a cell for notebooks that is no comment": Slip(
        SOLUTIONS,
        END,
        '\n\n# %% active="ipynb"\npredict("1", why="")\n',
        r"solutions/war.py:49: the cell .* is no comment: pred",
    ),
    "two cells of a name": Slip(
        SOLUTIONS,
        END,
        '\n\n# %% [markdown] by_hand="is_red"\n# Why?\n',
        r"solutions/war.py:48: two cells are named 'is_red'. Rename one",
    ),
    "an endless reference": Slip(
        SOLUTIONS,
        RED_CARDS,
        f"    while len(hand) > 3:\n        pass\n{RED_CARDS}",
        r"solutions/war.py:37: the .* of red_cards ",
    ),
    "an undocumented exception": Slip(
        SOLUTIONS,
        RED_CARDS,
        "    return tuple(card for card in hand if is_red(card) or 0 // (len(hand) < 7))",
        r"solutions/war.py:37: the reference of red_cards raises ZeroDivisionError: red_cards\(",
    ),
    "a result that cannot be compared": Slip(
        SOLUTIONS,
        RED_CARDS,
        f"    return (lambda: 1) if len(hand) > 3 else {RED_CARDS[11:]}",
        r"solutions/war.py:37: the reference of red_cards returns a value that an exam cannot compare",
    ),
    "chance": Slip(
        SOLUTIONS,
        RED_CARDS,
        "    import random\n    return tuple(filter(is_red, hand)) if len(hand) < 4 else random.random()",
        r"solutions/war.py:37: red_cards: the reference gets \d.* of 2 points: ",
        "references",
    ),
}
EXAM = {
    "a syntax error": Slip(CHECKS, "CHECKS = {", "CHECKS = = {", r"war/checks.py:9: SyntaxError: invalid syntax"),
    "no strategy": Slip(
        SOLUTIONS,
        "red_cards(hand: Hand)",
        "red_cards(hand: list)",
        r"solutions/war.py:\d+: red_cards: the annotation .list. does not say",
    ),
    "a strategy of nothing": Slip(
        CHECKS,
        "CHECKS = {",
        drawn('{"Hand": st.nothing()}'),
        r"war/checks.py:\d+: no inputs of red_cards could be drawn: Unsatisfiable",
    ),
    "an endless strategy": Slip(
        CHECKS,
        "CHECKS = {",
        drawn('{"Hand": st.just(()).map(lambda _: [0 for _ in iter(lambda: 0, 1) if _])}'),
        r"\.py:\d+: the exam of red_cards takes more than 1 seconds",
    ),
    "a strategy that raises": Slip(
        CHECKS,
        "CHECKS = {",
        drawn('{"Hand": st.just(3).map(len)}'),
        r"war/checks.py:\d+: no inputs of red_cards could be drawn: TypeError",
    ),
    "no check": Slip(
        CHECKS,
        '"red_cards": Check(',
        '"is_red": 1, "red_cards": Check(',
        r"war/checks.py:10: the check of is_red is no",
    ),
    "a facet without cases": Slip(
        CHECKS, "facets={", 'facets={"nothing": (),', r"war/checks.py:10: TypeError: the facet 'nothing' needs a tuple"
    ),
    "a facet of one case": Slip(
        CHECKS,
        "facets={",
        'facets={"some": (case(())),',
        r"war/checks.py:10: TypeError: the facet 'some' needs a tuple",
    ),
    "too large a tolerance": Slip(
        CHECKS, "facets={", "tolerance=2, facets={", r"war/checks.py:10: ValueError: a tolerance is at least 0 and less"
    ),
    "a check of no exercise": Slip(
        CHECKS,
        '"red_cards": Check',
        '"rde_cards": Check',
        r"war/checks.py:10: war has no exercise 'rde_cards': did you mean",
    ),
    "an unknown part of a check": Slip(
        CHECKS, "facets=", "facet=", r"war/checks.py:10: TypeError: .*unexpected keyword"
    ),
    "a facet with too many arguments": Slip(
        CHECKS,
        "case(()),",
        "case((), 1),",
        r"war/checks.py:12: the reference of red_cards raises TypeError: red_cards\(\(\), 1\)",
    ),
    "a hidden case with too many arguments": Slip(
        CHECKS,
        "case(()),",
        "case(()), case((), 1, hidden=True),",
        r"war/checks.py:12: the reference of red_cards raises TypeError: red_cards\(\(\), 1\)",
    ),
    "a text of no facet": Slip(
        CHECKS,
        "facets={",
        'texts={"no red crad": "none"}, facets={',
        r"war/checks.py:11: red_cards has no facet or contest 'no red crad'",
    ),
    "a facet that the reference refuses": Slip(
        CHECKS,
        "case(()),",
        "case(None),",
        r"war/checks.py:12: the reference of red_cards raises TypeError: red_cards\(None\)",
    ),
    "an unknown import": Slip(
        CHECKS,
        "CHECKS = {",
        "from autograder.exam.cases import Chek\n\nCHECKS = {",
        r"war/checks.py:9: .*import name 'Chek'",
    ),
}
WRONG_ANSWERS = {
    "no two underlines": Slip(
        MISTAKES,
        "is_red__hearts_only",
        "hearts_only",
        r"war/mistakes.py:6: hearts_only is no mistake of an exercise. Rename it",
    ),
    "an unknown exercise": Slip(
        MISTAKES,
        "def is_red__",
        "def is_rde__",
        r"war/mistakes.py:6: war has no exercise 'is_rde': did you mean 'is_red'\?",
    ),
    "a mistake that is right": Slip(
        MISTAKES,
        "card.suit is HEARTS",
        "card.suit in (HEARTS, DIAMONDS)",
        r"war/mistakes.py:6: the exam accepts the mistake is_red__hearts_only: add a case",
        "mistakes",
    ),
    "a syntax error": Slip(MISTAKES, "(card):", "(card:", r"war/mistakes.py:6: SyntaxError: "),
    "a helper outside": Slip(
        MISTAKES,
        "if is_red(card)]",
        "if is_rde(card)]",
        r"war/mistakes.py:11: red_cards__a_list uses is_rde, which is neither",
    ),
}
RIGHT_ANSWERS = {
    "too few parameters": Slip(
        MISTAKES,
        "def is_red__hearts_only(card):",
        "def is_red__hearts_only():",
        r"war/mistakes.py:6: is_red__hearts_only uses card, which is neither given nor an exercise",
    ),
    "a wrong answer": Slip(
        RIGHT,
        "(HEARTS, DIAMONDS)",
        "(HEARTS, CLUBS)",
        r"right/war_plain.py:6: is_red: the answer gets 0.* of 1 points",
        "right",
    ),
    "a missing answer": Slip(
        RIGHT, "def red_cards(", "def rde_cards(", r"right/war_plain.py:1: there is no answer to red_cards"
    ),
    "a syntax error": Slip(RIGHT, "(card):", "(card:", r"right/war_plain.py:6: SyntaxError: "),
    "a broken rule of form": Slip(
        RIGHT,
        "    return tuple(filter(is_red, hand))",
        "    cards = ()\n    cards += tuple(filter(is_red, hand))\n    return cards",
        r"right/war_plain.py:10: red_cards breaks the rule of style 'mutation': ",
        "form",
    ),
    "an unknown mutant": Slip(
        EQUIVALENT,
        NEW,
        UNKNOWN_MUTANT,
        r"mutants.toml:6: no mutant of is_red becomes 'return 7'. Rem",
        "mutants",
    ),
}
OTHERS = {
    "a world of no exercise": Slip(
        WORLD, NEW, world("return [()]", "rde_cards"), r"war/world.py:9: war has no exercise 'rde_c"
    ),
    "a world of bare values": Slip(
        WORLD,
        NEW,
        world("return [1]"),
        r"war/world.py:9: the inputs of red_cards are no tuples of arguments: TypeError",
    ),
    "a world that raises": Slip(
        WORLD, NEW, world("return 1 / 0"), r"war/world.py:9: .* of arguments: ZeroDivisionError"
    ),
    "a world with a syntax error": Slip(WORLD, NEW, "WORLDS = {\n", r"war/world.py:1: SyntaxError: "),
    "a common form of no exercise": Slip(
        ALIKE,
        NEW,
        'ALIKE = {"rde_cards": lambda args, seen: seen}\n',
        r"war/alike.py:1: war has no exercise 'rde_cards'",
    ),
    "an old notebook": Slip(
        "notebooks/0_war.ipynb", NEW, "{}", r"notebooks/0_war.ipynb:1: this file is out of date", "notebooks"
    ),
}
GROUPS = {
    "pack": PACK, "policy": POLICY, "given": GIVEN, "references": REFERENCES, "exam": EXAM, "mistakes": WRONG_ANSWERS,
    "right": RIGHT_ANSWERS, "others": OTHERS,
}  # fmt: skip
SLIPS = {f"{group}: {name}": slip for group, slips in GROUPS.items() for name, slip in slips.items()}
LAWS: dict[str, Callable[[Unit], Iterable[str]]] = {
    "references": lambda unit: prove_references(unit).against,
    "mistakes": lambda unit: chain.from_iterable(map(messages_if_mistake_passes, mistakes_of("war"))),
    "right": lambda unit: chain.from_iterable(map(messages_if_right_fails, right_answers("war"))),
    "mutants": stale_mutant_messages,
    "form": lambda unit: chain.from_iterable(map(messages_if_style_broken, right_answers("war"))),
    "notebooks": lambda unit: prove_notebook(unit).against,
}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the pack that `foldem new` makes, without its notebook."""
    folder = tmp_path_factory.mktemp("template") / "m"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(new, "build_files", lambda _: [])
        list(new.run(NewOptions(folder=folder, unit="war")))
    return folder


def spoiled(template: Path, folder: Path, slip: Slip, number: int) -> Path:
    """Write a copy of the template with an author's mistake. No other copy has the same import name."""
    shutil.copytree(template, folder, ignore=shutil.ignore_patterns(slip.without or "__pycache__"))
    text = "" if slip.old is None else (folder / slip.file).read_text()
    assert (slip.old or "") in text
    write_file(folder / slip.file, text.replace(slip.old, slip.new, 1) if slip.old else text + slip.new)
    for path in [*folder.rglob("*.py"), *folder.rglob("*.toml")]:
        path.write_text(path.read_text().replace("m_course", f"m{number}_course"))
    (folder / "m_course").rename(folder / f"m{number}_course")
    return folder


def lines_of_law(law: str) -> list[str]:
    """Return what a law reports of a pack."""
    try:
        return list(LAWS[law](read_unit("war")))
    except UnitError as error:
        return [str(error)]


@pytest.mark.parametrize("name", SLIPS)
def test_authors_mistake_is_reported_with_file_and_line(
    name: str, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slip, number = SLIPS[name], list(SLIPS).index(name)
    pack = spoiled(template, tmp_path / "m", slip, number)
    monkeypatch.setattr(build_command, "build_files", lambda units: [])
    if "endless" in name:
        monkeypatch.setattr("autograder.exam.build.SECONDS_PER_EXERCISE_EXAM", 1)
    if slip.command == "build":
        done = foldem_here("build", "--pack", pack)
        assert is_one_line_refusal(done), (done.stdout, done.stderr)
        line = done.stderr.removeprefix("foldem: ").strip()
    else:
        assert foldem_here("build", "--pack", pack).returncode == 0
        monkeypatch.setenv("FOLDEM_PACKS", str(pack))
        line = lines_of_law(slip.command)[0]
    assert re.match(rf"{re.escape(str(pack))}/\S+:\d+: \S", line), line
    assert re.search(slip.message, line.replace(f"m{number}_course", "m_course")), line


def test_a_pack_is_built_before_it_is_proved(template: Path) -> None:
    done = foldem_here("prove", "--pack", template)
    assert is_one_line_refusal(done) and "war must be built first: run `foldem build --pack" in done.stderr


def test_template_of_a_pack_has_no_mistake(template: Path) -> None:
    ensure_files_valid([read_unit("war", template)])


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("unit", ["war", "fox"])
def test_new_changes_nothing_if_it_fails(
    unit: str, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = tmp_path / "m" if unit == "war" else spoiled(template, tmp_path / "m", Slip(UNIT, END, "", ""), 360)
    before = contents(tmp_path)
    monkeypatch.setattr(new, "build_files", Mock(side_effect=UnitError("it cannot be built")))
    with pytest.raises(UnitError):
        list(new.run(NewOptions(folder=pack, unit=unit)))
    assert contents(tmp_path) == before and pack.exists() == bool(before)
