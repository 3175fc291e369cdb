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
from autograder.exam.build import build_exam
from autograder.prove import inspection
from autograder.prove.inspection import inspect
from autograder.prove.laws import accepted, in_bad_form, mistake_complaint, notebook_is_fresh, references_pass
from autograder.prove.mutate import stale_mutants
from autograder.sandbox.cage import OFF
from autograder.units.unit import Unit, UnitError
from tests.classroom import write_file
from tests.command import foldem, foldem_here, is_one_line_refusal
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


def equivalent(unit: str = "war", exercise: str = "is_red", line: str = "", becomes: str = "return None") -> str:
    """Return a list of one mutant that is right."""
    line = line or "return card.suit == HEARTS or card.suit == DIAMONDS"
    return f"""[[equivalent]]
unit = "{unit}"
exercise = "{exercise}"
because = "It is right."
line = "{line}"
becomes = ["{becomes}"]
"""


IS_RED = "    return card.suit == HEARTS or card.suit == DIAMONDS"
RED_CARDS = "    return tuple(card for card in hand if is_red(card))"
FOREVER = "while True:\n    pass\n"
DOUBLE = '\n\ndef double(number):\n    """Double it.\n\n    >>> double(2)\n    4\n    """\n    return number * 2\n'
CASES = "__import__('autograder').exam.cases"
PACK = {
    "no key": Slip("pack.toml", 'name = "m"\n', "", r"pack.toml:1: the key 'name' is missing"),
    "no TOML": Slip("pack.toml", 'name = "m"', "name = m", r"pack.toml:2: Invalid value"),
    "an unknown key": Slip("pack.toml", "name =", "nmae =", r"pack.toml:2: unknown key 'nmae': did you mean 'name'\?"),
    "an unknown role": Slip("pack.toml", END, '[folders]\nanswers = "x"\n', r"pack.toml:\d+: unknown role 'answers'"),
    "a unit twice": Slip("pack.toml", '["war"]', '["war", "war"]', r"pack.toml:8: the unit war is listed twice"),
    "no units": Slip("pack.toml", '["war"]', "[]", r"pack.toml:8: units must be a list of names, not \[\]"),
    "a name with a dash": Slip("pack.toml", "m_course", "m-course", r"pack.toml:5: course must be a name of letters"),
    "no folder for students": Slip(
        "pack.toml", '"m_course"', '"m_curse"', r"pack.toml:5: \S+/m_curse does not exist. Make it, or correct"
    ),
    "a unit without files": Slip(
        "pack.toml", '["war"]', '["war", "fox"]', r"pack.toml:8: \S+/fox/unit.toml does not exist. Make it, or corr"
    ),
    "no folder of a role": Slip(
        "pack.toml",
        END,
        '[folders]\nright = "../nowhere"\n',
        r"pack.toml:\d+: \S+/nowhere does not exist. Make it",
        without="right",
    ),
}
POLICY = {
    "no TOML": Slip(TOML, "form_share = 0.2", "form_share 0.2", r"unit.toml:4: Expected '=' after a key"),
    "an unknown key": Slip(
        TOML, "points = 1", "pionts = 1", r"unit.toml:10: unknown key 'pionts': did you mean 'points'\?"
    ),
    "an unknown exercise": Slip(TOML, '"is_red"', '"is_rde"', r"unit.toml:8: the exercise is_rde has no reference in"),
    "an exercise twice": Slip(TOML, '"red_cards"', '"is_red"', r"unit.toml:13: the exercise is_red is listed twice"),
    "no points": Slip(TOML, "points = 1\n", "", r"unit.toml:8: the key 'points' is missing"),
    "negative points": Slip(TOML, "points = 1", "points = -1", r"unit.toml:10: points must be a number from 0"),
    "points as text": Slip(TOML, "points = 1", 'points = "1"', r"unit.toml:10: points must be a number from 0"),
    "hints as text": Slip(TOML, "hints = [", 'hints = "a" #', r"unit.toml:11: hints must be a list of texts"),
    "too large a share": Slip(TOML, "= 0.2", "= 20", r"unit.toml:4: form_share must be a number from 0 to 1, not 20"),
    "another order": Slip(
        TOML,
        '[[exercise]]\nname = "is_red"',
        '[[exercise]]\nname = "red_cards"\nsource = ""\npoints = 1\nhints = []\n\n[[exercise]]\nname = "is_red"',
        r"unit.toml:\d+: the exercise red_cards is listed twice",
    ),
    "an unknown rule": Slip(
        TOML, "points = 1", 'points = 1\nerror = ["lops"]', r"unit.toml:11: unknown rule of style 'lops'"
    ),
    "a ban of an unknown name": Slip(
        TOML,
        "points = 1",
        'points = 1\nbans = ["sortd"]',
        r"unit.toml:11: bans of is_red: unknown name 'sortd': did you mean 'sorted'\?",
    ),
    "a ban of an unknown method": Slip(
        TOML, "points = 1", 'points = 1\nbans = [".srot"]', r"unit.toml:11: bans of is_red: unknown method '.srot'"
    ),
    "a requirement of an unknown name": Slip(
        TOML,
        "points = 2",
        'points = 2\nrequires = ["is_rde"]',
        r"unit.toml:16: requires of red_cards: unknown name 'is_rde': did you mean 'is_red'\?",
    ),
    "an unknown picture": Slip(
        TOML, "form_share", 'picture = "tile:x"\nform_share', r"unit.toml:4: unknown picture 'tile:x'"
    ),
    "a kind of picture that is unknown": Slip(
        TOML, "form_share", 'picture = "cat:1"\nform_share', r"unit.toml:4: unknown picture 'cat:1'. Write"
    ),
    "an idea used in nothing": Slip(
        TOML,
        END,
        '\n[[idea]]\nname = "x"\nsays = "y"\nused = ["is_rde"]\n',
        r"unit.toml:\d+: the idea 'x' names an unknown",
    ),
    "no module withheld": Slip(
        TOML,
        "form_share",
        'withheld = ["m_course.x"]\nform_share',
        r"unit.toml:4: withheld: 'm_course.x' is not a module",
    ),
    "no name withheld": Slip(
        TOML, "form_share", 'withheld = [""]\nform_share', r"unit.toml:4: withheld: '' is not a module of course or m_c"
    ),
    "what a unit begins with withheld": Slip(
        TOML, "form_share", 'withheld = ["m_course.war"]\nform_share', r"withheld: 'm_course.war' is always needed"
    ),
    "an unknown module": Slip(TOML, END, '\n[form]\nimports = ["maht"]\n', r"unit.toml:\d+: there is no module 'maht'"),
    "an unknown comparison": Slip(
        TOML,
        END,
        '\n[form]\ncompare_with = { Card = "is_smae" }\n',
        r"unit.toml:\d+: compare_with: unknown name 'is_smae'",
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
    "a missing name": Slip(
        UNIT, '"Card"', '"Crad"', r"war/__init__.py:33: __all__ has 'Crad', which is not defined. R"
    ),
    "no names": Slip(UNIT, "__all__", "ALL", r"war/__init__.py:1: it has no __all__. List the names"),
    "an exit": Slip(UNIT, END, "raise SystemExit(3)\n", r"war/__init__.py:34: SystemExit: 3"),
    "a mutable dataclass": Slip(
        UNIT,
        "@value\n",
        "from dataclasses import dataclass\n\n\n@dataclass\n",
        r"war/__init__.py:27: values of Card can be changed. Write `@value` above",
    ),
    "a wrong example": Slip(
        UNIT,
        END,
        DOUBLE.replace("4", "5"),
        r"war/__init__.py:39: double\(2\) returned 4, not 5. Correct the example or the function",
    ),
    "an example that raises": Slip(
        UNIT,
        END,
        DOUBLE.replace("double(2)", "dbl(2)"),
        r"war/__init__.py:39: dbl\(2\) raised NameError: name 'dbl' is not defined, not 4",
    ),
}
REFERENCES = {
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
        r"solutions/war.py:42: red_cards: hand = \(\) is not an expression",
    ),
    "an example that does not parse": Slip(
        SOLUTIONS,
        ">>> red_cards(())",
        ">>> red_cards(()",
        r"solutions/war.py:42: red_cards: red_cards\(\(\) is not an expr",
    ),
    "a wrong example": Slip(
        SOLUTIONS,
        "SPADES))\n    False",
        "SPADES))\n    True",
        r"solutions/war.py:25: is_red: is_red\(Card\(7, SPADES\)\) returned False, not True. Correct the",
    ),
    "an example of another exercise": Slip(
        SOLUTIONS,
        ">>> red_cards((Card(7, HEARTS), Card(1, CLUBS), Card(2, DIAMONDS)))\n"
        "    (Card(7, HEARTS), Card(2, DIAMONDS))\n    >>> red_cards(())\n    ()",
        ">>> is_red(Card(1, CLUBS))\n    False",
        r"solutions/war.py:40: red_cards: no example calls red_cards. Write one that does",
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
    "no annotation": Slip(
        SOLUTIONS,
        "def is_red(card: Card)",
        "def is_red(card)",
        r"solutions/war.py:20: is_red: the parameter card has no annotation. Add one",
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
        r"unit.toml:8: the exercise is_red has no reference in \S+. Line 20 defines it without a docstring",
    ),
    "a wrong choice": Slip(
        SOLUTIONS,
        END,
        text_cell('predict("1 + 1", "11", "3", why="It adds.")'),
        r"solutions/war.py:52: no choice of the prediction is right. Its result is 2: add this choice",
    ),
    "a predicted error": Slip(
        SOLUTIONS,
        END,
        text_cell('predict("1 / 0", "0", "1", why="It divides.")'),
        r"solutions/war.py:52: no choice of the prediction is right. Its result is ZeroDivisionError: division by z",
    ),
    "a prediction without a reason": Slip(
        SOLUTIONS, END, text_cell('predict("1 + 1", "2", "3")'), r"solutions/war.py:52: the prediction has no `why=`"
    ),
    "a prediction that does not parse": Slip(
        SOLUTIONS,
        END,
        text_cell('predict("1 +", "2", why="")'),
        r"solutions/war.py:52: the code of the prediction is not Pyth",
    ),
    "a cell that does not parse": Slip(SOLUTIONS, END, text_cell("predict("), r"solutions/war.py:52: SyntaxError: "),
    "a cell for notebooks that is no comment": Slip(
        SOLUTIONS,
        END,
        '\n\n# %% active="ipynb"\npredict("1", why="")\n',
        r"solutions/war.py:49: the cell .* is no comment: pred",
    ),
    "nothing to catch": Slip(
        SOLUTIONS,
        END,
        text_cell('catch(\n    example("red_cards", ((),), ...),\n)'),
        r"solutions/war.py:53: red_cards has no world, so nothing can be caught. Add one to WORLDS of",
    ),
    "a catch of no exercise": Slip(
        SOLUTIONS,
        END,
        text_cell('catch(example("rde_cards", ((),), ...))'),
        r"solutions/war.py:52: war has no exercise 'rde_cards': did you mean 'red_cards'\?",
    ),
    "nothing to draw": Slip(
        SOLUTIONS,
        END,
        "\n\n# %% [markdown]\n# Look:\n#\n# ```draw\n# Crad(1)\n# ```\n",
        r"solutions/war.py:51: a lesson cannot draw",
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
    "an unknown type": Slip(
        CHECKS,
        "CHECKS = {",
        drawn('{"Hnad": ()}'),
        r"war/checks.py:11: no exercise has a parameter annotated Hnad: did",
    ),
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
    "a strategy that raises": Slip(
        CHECKS,
        "CHECKS = {",
        drawn('{"Hand": st.just(3).map(len)}'),
        r"war/checks.py:\d+: no inputs of red_cards could be drawn: TypeError",
    ),
    "a strategy that is none": Slip(
        CHECKS,
        "CHECKS = {",
        drawn('{"Card": [Card(1, CLUBS)]}'),
        r"war/checks.py:11: the strategy of Card is neither a tuple nor a Hy",
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
    "no check": Slip(
        CHECKS,
        '"red_cards": Check(',
        '"is_red": 1, "red_cards": Check(',
        r"war/checks.py:10: the check of is_red is",
    ),
    "a list of checks": Slip(CHECKS, "CHECKS = {", "CHECKS = [1]\n_ = {", r"war/checks.py:9: CHECKS is not a dict"),
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
    "a facet without cases": Slip(
        CHECKS,
        "facets={",
        'facets={"nothing": (),',
        r"war/checks.py:11: the facet 'nothing' of red_cards has no case. Add",
    ),
    "a text of no facet": Slip(
        CHECKS,
        "facets={",
        'texts={"no red crad": "none"}, facets={',
        r"war/checks.py:11: the texts of red_cards have no facet or contest 'no red crad'",
    ),
    "a facet of values": Slip(
        CHECKS,
        "facets={",
        'facets={"some": (1, 2),',
        r"war/checks.py:11: the facet 'some' of red_cards is neither a tuple of",
    ),
    "a facet of one case": Slip(
        CHECKS,
        "facets={",
        'facets={"some": (case(())),',
        r"war/checks.py:11: the facet 'some' of red_cards is neither a tuple of",
    ),
    "a facet that the reference refuses": Slip(
        CHECKS,
        "case(()),",
        "case(None),",
        r"war/checks.py:12: the reference of red_cards raises TypeError: red_cards\(None\)",
    ),
    "a count of nothing": Slip(
        CHECKS, "facets={", "count=0, facets={", r"war/checks.py:10: the count of red_cards is not a wh"
    ),
    "a tolerance without floats": Slip(
        CHECKS,
        "facets={",
        "tolerance=1e-9, facets={",
        r"war/checks.py:10: red_cards has a tolerance, but its reference returns no floats. Remove the",
    ),
    "an acceptance that raises": Slip(
        CHECKS,
        "facets={",
        "accepts=lambda case, want, seen: seen.valeu, facets={",
        r"war/checks.py:10: accepts= of red_cards raises AttributeError: .*'valeu'",
    ),
    "a joint judge that refuses the reference": Slip(
        CHECKS,
        "facets={",
        f"facets={{'all': {CASES}.Joint((case(()),), lambda seen: 'is wrong'),",
        r"war/checks.py:\d+: the judge of 'all' refuses the reference: is wrong",
    ),
    "too large a tolerance": Slip(
        CHECKS,
        "facets={",
        "tolerance=2, facets={",
        r"war/checks.py:10: the tolerance of red_cards is not between 1e-12 a",
    ),
    "an unknown import": Slip(
        CHECKS,
        "CHECKS = {",
        "from autograder.exam.cases import Chek\n\nCHECKS = {",
        r"war/checks.py:9: .*import name 'Chek'",
    ),
    "an unknown rival": Slip(
        CHECKS,
        "facets={",
        f"contests={{\"a game\": {CASES}.Contest('smrat', 2, lambda duel: True, 'win')}}, facets={{",
        r"war/checks.py:11: the contest 'a game' of red_cards has an unknown rival 'smrat'",
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
    "a mistake twice": Slip(
        MISTAKES,
        END,
        '\n\ndef is_red__hearts_only(card):\n    """It is never red."""\n    return False\n',
        r"war/mistakes.py:20: the mistake is_red__hearts_only is defined twice. Rename one",
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
    "a name of no unit": Slip(
        "right/plain.py",
        NEW,
        "x = 1\n",
        r"right/plain.py:1: the name does not begin with a unit. Rename the file to war_plain",
    ),
    "a syntax error": Slip(RIGHT, "(card):", "(card:", r"right/war_plain.py:6: SyntaxError: "),
    "a broken rule of form": Slip(
        RIGHT,
        "    return tuple(filter(is_red, hand))",
        "    cards = ()\n    cards += tuple(filter(is_red, hand))\n    return cards",
        r"right/war_plain.py:10: red_cards breaks the rule of style 'mutation': ",
        "form",
    ),
    "an unknown unit": Slip(EQUIVALENT, NEW, equivalent(unit="fox"), r"mutants.toml:2: the pack has no unit 'fox'"),
    "an unknown exercise": Slip(EQUIVALENT, NEW, equivalent(exercise="x"), r"mutants.toml:3: war has no exercise 'x'"),
    "an unknown line": Slip(
        EQUIVALENT, NEW, equivalent(line="return 1"), r"mutants.toml:5: is_red has no such line. Copy it"
    ),
    "an unknown mutant": Slip(
        EQUIVALENT,
        NEW,
        equivalent(becomes="return 7"),
        r"mutants.toml:6: no mutant of is_red becomes 'return 7'. Rem",
        "mutants",
    ),
}
OTHERS = {
    "a world of no exercise": Slip(
        WORLD, NEW, world("return [()]", "rde_cards"), r"war/world.py:9: war has no exercise 'rde_c"
    ),
    "a world that the reference refuses": Slip(
        WORLD,
        NEW,
        world("return [(None,)]"),
        r"war/world.py:9: the reference of red_cards raises TypeError: .* for the input \(None,\)",
    ),
    "a world of bare values": Slip(
        WORLD, NEW, world("return [1]"), r"war/world.py:9: the input 1 of red_cards is not a tuple of arguments"
    ),
    "a world that raises": Slip(
        WORLD, NEW, world("return 1 / 0"), r"war/world.py:9: the inputs of red_cards raise ZeroDiv"
    ),
    "no worlds": Slip(WORLD, NEW, "WORLD = {}\n", r"war/world.py:1: it has no dict WORLDS. Define one, by exercise"),
    "a world with a syntax error": Slip(WORLD, NEW, "WORLDS = {\n", r"war/world.py:1: SyntaxError: "),
    "a common form of no exercise": Slip(
        ALIKE,
        NEW,
        'ALIKE = {"rde_cards": lambda args, seen: seen}\n',
        r"war/alike.py:1: war has no exercise 'rde_cards'",
    ),
    "a common form that raises": Slip(
        ALIKE,
        NEW,
        'ALIKE = {"red_cards": lambda args: args}\n',
        r"war/alike.py:1: ALIKE of red_cards raises TypeError: .*, in red_cards\(",
    ),
    "a file of no unit": Slip(
        "exams/wra/checks.py", NEW, "", r"exams/wra:1: the pack has no unit 'wra'. Rename it, or"
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
    "exam": lambda unit: build_exam(unit, "0").by_name and (),
    "references": lambda unit: references_pass(unit).against,
    "mistakes": lambda unit: chain.from_iterable(map(mistake_complaint, mistakes_of("war"))),
    "right": lambda unit: chain.from_iterable(map(accepted, right_answers("war"))),
    "mutants": stale_mutants,
    "form": lambda unit: chain.from_iterable(map(in_bad_form, right_answers("war"))),
    "notebooks": lambda unit: notebook_is_fresh(unit).against,
}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the pack that `foldem new` makes, without its notebook."""
    folder = tmp_path_factory.mktemp("template") / "m"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(new, "build", lambda _: [])
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


def inspect_here(units: Iterable[Unit]) -> tuple[str, ...]:
    """Inspect units in this process, without a limit of time."""
    for unit in units:
        inspect(unit)
    return ()


def lines_of_law(law: str, pack: Path) -> list[str]:
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
    monkeypatch.setattr(build_command, "ensure_sound", inspect_here)
    monkeypatch.setattr(build_command, "build", lambda units: [])
    if slip.command == "build":
        done = foldem_here("build", "--pack", pack)
        assert is_one_line_refusal(done), (done.stdout, done.stderr)
        line = done.stderr.removeprefix("foldem: ").strip()
    else:
        assert foldem_here("build", "--pack", pack).returncode == 0
        monkeypatch.setenv("FOLDEM_PACKS", str(pack))
        line = lines_of_law(slip.command, pack)[0]
    assert re.match(rf"{re.escape(str(pack))}/\S+:\d+: \S", line), line
    assert re.search(slip.message, line.replace(f"m{number}_course", "m_course")), line


def test_a_warning_is_printed_before_a_mistake_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise UnitError("the reference fails")

    monkeypatch.setattr(build_command, "ensure_sound", lambda units: ("there is no sandbox",))
    monkeypatch.setattr(build_command, "exam_for", fail)
    done = foldem_here("build", "warmup")
    assert is_one_line_refusal(done) and done.stdout == "there is no sandbox\n"


ENDLESS = {
    "an import": Slip(UNIT, END, FOREVER, r"war/__init__.py:3[45]: importing m_course.war takes too long. Does a loop"),
    "an example": Slip(
        SOLUTIONS,
        IS_RED,
        f"    while True:\n        pass\n{IS_RED}",
        r"solutions/war.py:2[89]: is_red: the example is_red\(Card\(7, HEARTS\)\) takes too long",
    ),
    "a world": Slip(WORLD, NEW, world("while True: pass"), r"war/world.py:6: WORLDS of red_cards takes too long"),
    "a sleep": Slip(
        CHECKS, END, "import time\ntime.sleep(100)\n", r"checks.py:\d+: importing war/checks.py takes too lo"
    ),
    "an exit": Slip(CHECKS, END, "import os\nos._exit(3)\n", r"checks.py:1: importing war/checks.py ended its process"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_code_of_authors_that_never_ends_is_reported_with_its_line(
    name: str, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = 300 + list(ENDLESS).index(name)
    pack = spoiled(template, tmp_path / "m", ENDLESS[name], number)
    monkeypatch.setattr(inspection, "SECONDS_PER_STEP", 1.5)
    monkeypatch.setattr(inspection, "find_level", lambda _: OFF)
    done = foldem_here("build", "--pack", pack)
    assert is_one_line_refusal(done) and not (pack / "notebooks").exists()
    assert re.search(ENDLESS[name].message, done.stderr.replace(f"m{number}_course", "m_course")), done.stderr


@pytest.mark.sandbox
def test_code_of_authors_can_write_nothing_while_it_is_inspected(template: Path, tmp_path: Path) -> None:
    written = tmp_path / "written"
    slip = Slip(UNIT, END, f"open({str(written)!r}, 'w')\n", "")
    done = foldem_here("build", "--pack", spoiled(template, tmp_path / "m", slip, 350))
    assert re.search(r"m350_course/war/__init__.py:34: (OSError|PermissionError): ", done.stderr), done.stderr
    assert is_one_line_refusal(done) and not written.exists()


COMMANDED = [name for name, slip in SLIPS.items() if slip.command not in ("form", "notebooks")][::12]


@pytest.mark.proof
@pytest.mark.parametrize("name", COMMANDED)
def test_real_commands_report_authors_mistakes(name: str, template: Path, tmp_path: Path) -> None:
    slip = SLIPS[name]
    pack = spoiled(template, tmp_path / "m", slip, 400)
    done = foldem("build", "--pack", pack)
    if slip.command != "build":
        assert done.returncode == 0, done.stderr
        done = foldem("prove", "--pack", pack)
    assert done.returncode == (1 if done.stdout else 2) and "Traceback" not in done.stderr
    assert re.search(slip.message, (done.stdout + done.stderr).replace("m400_course", "m_course")), done.stderr


def test_a_pack_is_built_before_it_is_proved(template: Path) -> None:
    done = foldem_here("prove", "--pack", template)
    assert is_one_line_refusal(done) and "war must be built first: run `foldem build --pack" in done.stderr


def test_template_of_a_pack_has_no_mistake(template: Path) -> None:
    assert foldem_here("build", "--pack", template, "--check").returncode == 1  # it was not built
    inspect(read_unit("war", template))


@pytest.mark.parametrize("folder", ["m", "some/where/m"])
def test_new_leaves_nothing_behind_when_it_fails(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new, "build", Mock(side_effect=UnitError("it cannot be built")))
    with pytest.raises(UnitError):
        list(new.run(NewOptions(folder=tmp_path / folder, unit="war")))
    assert not any(tmp_path.iterdir())


def test_failed_new_leaves_an_existing_pack_as_it_was(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = spoiled(template, tmp_path / "m", Slip(UNIT, END, "", ""), 360)
    before = contents(pack)
    monkeypatch.setattr(new, "build", Mock(side_effect=UnitError("it cannot be built")))
    with pytest.raises(UnitError):
        list(new.run(NewOptions(folder=pack, unit="fox")))
    assert contents(pack) == before


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
