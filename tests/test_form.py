"""Form: violations of each rule, near misses, and that no reference and no right answer is blamed."""

from __future__ import annotations

import ast
import re
import sysconfig
import textwrap
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from autograder.prove.answers import grade_trusted
from autograder.report.model import PASSED
from autograder.report.words import first_problem_text
from autograder.submission.model import Helper, Submission
from autograder.submission.sort import submission_of_cells
from autograder.toml import toml_content
from autograder.units.unit import Exercise, FormTable, Unit, UnitError, UnitPolicy, requirements_of
from course.form import RULE_NAMES, FormFinding, earned_form_share, review
from course.show.results import GOOD, Result
from course.syntax import first_line_number
from tests.sample import one_in
from tests.units import read_unit, submission_with, unit_names

HUGE = f"0x{'f' * 5_000}"  # which has more digits than Python writes
RIGHT = Path(__file__).parent / "right"
COMPARISONS = {"Color": "is_same_color", "Rank": "is_same_rank", "Card": "is_same_card"}
STUB = "def f(color: Color, cards: Cards, card: Card, direction: Direction, count: int) -> None: ..."

# Answers named `f`, by rule. Each must use `find` (for the rule that asks for it), must not use `sorted` or `.sort`,
# and has a typical length of 4 lines. `@tail` is short for `@tail_recursive`.
BREAKS = r"""
== loops
def f(cards):
    for card in cards:
        print(card)
--
def f(n):
    while n > 1:
        n = n // 2
    return n
--
def f(cards):
    def g(rest):
        for card in rest:
            return card
    return g(cards)
--
def f(cards):
    [print(card) for card in cards]
== mutation
class Count:
    def __init__(self, other):
        self.n = 0
        other.n = 1

def f(cards):
    return Count(cards).n
--
def f(player):
    player.score = 3
    return player
--
def f(cards):
    copy = [*cards]
    copy[0], copy[1] = copy[1], copy[0]
    return copy
--
def f(n):
    n += 1
    return n
--
def f(cards, card):
    cards.append(card)
    return cards
--
def f(cards):
    first, *rest = cards
    return rest.reverse() or rest
--
def f(table):
    del table['a']
    return table
--
def f(table):
    return table.pop('a')
--
def f(n):
    global total
    total = n
--
def f(n):
    def g():
        nonlocal n
        n = 2
    return g
--
def f(card):
    object.__setattr__(card, 'rank', 3)
    return card
--
f = lambda seen, card: seen.add(card) or seen
--
def f(cards):
    seen = set()
    return [card for card in cards if not seen.add(card)]
--
def f(card):
    setattr(card, 'rank', 3)
    return card
--
from heapq import heapify
def f(cards):
    heapify(cards)
    return cards
== tail-recursion
def f(n):
    return 1 if n == 0 else n * f(n - 1)
--
def f(cards):
    match cards:
        case ():
            return ()
        case (first, *rest):
            return (first, *f(rest))
--
def f(n):
    return f(n - 1) or n
--
def f(tree):
    return sum(f(branch) for branch in tree)
--
def f(tree):
    return sum(map(f, tree))
--
def f(n):
    last = f(n - 1)
    return last
--
def f(n):
    def g(n):
        return 0 if n == 0 else 1 + g(n - 1)
    return g(n)
--
def f(n):
    def even(n):
        return n == 0 or odd(n - 1)
    def odd(n):
        return n != 0 and not even(n - 1)
    return even(n)
--
def f(n):
    g = lambda n: 1 + g(n - 1) if n else 0
    return g(n)
--
@tail
def f(n):
    return 0 if n == 0 else 1 + recur(n - 1)
--
def f(n):
    return 0 if n == 0 else recur(n - 1)
--
def f(n):
    def g(n):
        return 0 if n == 0 else 1 + recur(n - 1)
    return tail_recursive(g)(n)
--
def f(n):
    try:
        return f(n - 1)
    except ValueError:
        return 0
--
def f(cards):
    return fold_left(lambda found, card: f(found), (), cards)
--
def f(n):
    return f(f(n - 1))
--
@curry
def f(a, b):
    return 1 + f(a)(b - 1)
--
@tail
def f(cards):
    return tuple(recur(card) for card in cards)
--
@tail
def f(n):
    return 0 if n == 0 else f(n - 1)
== local-helpers
def g(n):
    return n + 1

def f(n):
    return g(n)
--
g = lambda n: n + 1

def f(n):
    return g(n)
--
g = partial(max, 0)

def f(n):
    return g(n)
--
def h(n):
    return n + 1

def g(n):
    return h(n)

f = compose(g, g)
== requires
def f(cards):
    return cards[0]
--
def f(cards):
    return [find for find in cards][0]
--
def f(cards):
    return (lambda find: find)(cards[0])
--
def f(cards):
    return cards.find(0)
--
def f(cards):
    def find(n):
        return n
    return cards[0] or 'find'  # find
--
def f(cards):
    return cards[0]

find(f, ())
== repeated-calls
def f(desk):
    return play(desk, cards_to_play(desk)) if cards_to_play(desk) else next_player(desk)
--
def f(desk):
    if cards_to_play(desk):
        return play(desk, cards_to_play(desk))
    return desk
--
def f(desk):
    match desk.state:
        case Give() if cards_to_play(desk):
            return desk
        case _:
            return play(desk, cards_to_play(desk))
--
def f(numbers):
    return () if numbers == () else f(numbers[1:]) + f(numbers[1:])
--
def f(desk):
    color = required_color(desk)
    def g(card):
        return is_lt(card, color) or not is_lt(card, color)
    return g(Wild())
== bans
def f(cards):
    return sorted(cards)
--
import builtins
def f(cards):
    return getattr(builtins, 'sorted')(cards)
--
def f(cards):
    return __builtins__['sorted'](cards)
--
def f(cards):
    return (lambda sorted: eval('sorted(cards)'))(0)
--
def f(cards):
    (lambda sorted: 0)
    return sorted(cards)
--
def f(cards):
    copy = list(cards)
    copy.sort()
    return copy
--
import builtins
f = builtins.sorted
--
from builtins import sorted as g
def f(cards):
    return g(cards)
--
def f(cards):
    return fold_left(lambda a, b: sorted(a), (), cards)
--
def f(cards, sorted=sorted):
    return sorted(cards)
--
def f(cards):
    return [sorted(cards) for sorted in [sorted]][0]
--
def f(cards):
    def other():
        def sorted(cards):
            return cards
    return sorted(cards)
== imports
import random
def f(cards):
    return random.choice(cards)
--
def f(path):
    from os.path import join
    return join(path)
--
import numpy as np
f = np.sort
--
def f():
    return __import__('os')
--
from .warmup import g
f = g
== equality
def f(color, cards, card, direction, count):
    return color == RED
--
def f(color, cards, card, direction, count):
    return card.color != color
--
def f(color, cards, card, direction, count):
    return cards == ()
--
def f(color, cards, card, direction, count):
    return find(first, cards) == None
--
def f(color, cards, card, direction, count):
    return direction == CLOCKWISE
--
def f(color, cards, card, direction, count):
    return card == Wild()
--
def f(color, cards, card, direction, count):
    match card:
        case Crd(rank, _):
            return rank == cards[0].rank
--
def f(color, cards, card, direction, count):
    return tuple(one for one in cards if one == card)
--
def f(desk: Desk):
    return desk.pile[0] == desk.deck[0]
== identity
def f(card):
    return card.cost is 0
--
def f(name):
    if name is 'Olga':
        return 1
--
def f(n):
    return n is not -1 and 3.5 is n
== shadowed-names
def f(cards):
    max = cards[0]
    return max
--
def f(card):
    match card:
        case Crd(_, RED):
            return RED
--
def f(cards):
    return [find for find in cards]
--
def f(cards):
    def list(n):
        return n
    return list(cards)
--
def f(cards):
    deck = cards
    return deck
--
def f(cards):
    return fold_left(lambda sum, n: sum + n, 0, cards)
== if-chains
def f(card):
    if isinstance(card, Crd):
        return 1
    elif isinstance(card, Wild):
        return 2
    return 3
--
def f(card):
    if isinstance(card, Crd) and card.rank:
        return 1
    if not isinstance(card, Wild):
        return 2
    return 3
--
def f(n):
    return 1 if n == 'a' else 2 if n == 'b' else 3 if n == 'c' else 4
--
def f(card):
    if type(card) is Crd:
        return 1
    else:
        if type(card) is Wild:
            return 2
    return 3
--
def f(color):
    if color is RED:
        return 1
    if color is BLUE or color is GREEN:
        return 2
    if color is YELLOW:
        return 3
== wrapped-lambda
def f(cards):
    return map(lambda card: cost(card), cards)
--
f = lambda color, card: is_same(color, card)
--
def f(color, cards):
    return filter(lambda card: fits(color)(card), cards)
--
def f(names, cards):
    return map(lambda card: names.index(card), cards)
--
f = lambda *cards: print(*cards)
--
f = lambda: input()
== unused-names
def f(cards):
    first, *rest = cards
    return first
--
def f(cards):
    count = len(cards)
    return cards
--
def f(card):
    match card:
        case Crd(rank, color):
            return rank
--
def f(n):
    def g():
        return 1
    return n
--
def f(n):
    return [draw() for i in range(n)]
--
def f(n):
    try:
        return int(n)
    except ValueError as error:
        return 0
"""
KEEPS = r"""
== loops
def f(cards):
    return tuple(card for card in cards)
--
def f(cards):
    return sum(map(len, cards))
--
def f(cards):
    return f(cards[1:]) if cards else 'for while'
--
def f(n):
    return n

for n in range(3):
    print(f(n))
== mutation
class Ends:
    def __init__(self, first, last):
        self.first, self.last = first, last

def f(cards):
    return Ends(cards[0], cards[-1]).last
--
def f(cards):
    return cards.count(3) + cards.index(4)
--
def f(pile, card):
    return pile.add(card)
--
def f(domino, chain):
    return append(domino, chain)
--
def f(desk, move):
    return desk.add_memo(move).with_pile(())
--
def f(n):
    n = n + 1
    return n
--
def f(text):
    return text.replace('a', 'b')
--
def f(cards):
    first, *rest = cards
    return (*rest, first)
--
import operator
def f(cards):
    return fold_left(operator.add, 0, cards) + operator.add(1, 2)
--
def f(pile, card):
    larger = pile.insert(card)
    return larger.update(card)
--
def f(table, key):
    return table[key] == table.get(key)
--
def f(n):
    return n

results = []
results.append(f(3))
== tail-recursion
def f(n, so_far):
    return so_far if n == 0 else f(n - 1, so_far * n)
--
@tail
def f(n, so_far):
    if n == 0:
        return so_far
    return recur(n - 1, n + so_far)
--
def f(cards, found):
    match cards:
        case ():
            return found
        case (first, *rest):
            return f(rest, (first, *found))
--
def f(n):
    return n > 3 and (n < 0 or f(n - 1))
--
def f(n):
    def even(n):
        return True if n == 0 else odd(n - 1)
    def odd(n):
        return False if n == 0 else even(n - 1)
    return 1 + even(n)
--
def f(n):
    g = lambda n, m: g(n - 1, n * m) if n else m
    return g(n, 1)
--
@curry
def f(a, b):
    return f(a)(b - 1)
--
def f(cards):
    if cards:
        print(cards[0])
        f(cards[1:])
--
def f(n):
    @tail
    def g(n):
        return recur(n - 1) if n else 0
    return 1 + g(n)
--
def f(n):
    def g(n):
        return recur(n - 1) if n else 0
    g = tail_recursive(g)
    return 1 + g(n)
--
def f(cards):
    def f(n):
        return n
    return 1 + f(cards)
--
def f(f, cards):
    return tuple(f(card) for card in cards)
--
def f(n):
    def g(n):
        return n
    return g(g(n)) + g(n)
--
draw = 3
f = compose(draw, draw)
== local-helpers
def f(n):
    def g(n):
        return n + 1
    return g(n)
--
TABLE = {1: 2}

def f(n):
    return TABLE[n]
--
def f(n):
    return n

def trial():
    return f(3)
--
ORDER = sorted((2, 1), key=lambda n: -n)

def f(n):
    return ORDER.index(n)
== requires
def f(cards):
    while True:
        if cards:
            return find(first, cards)
--
def f(cards):
    if not cards:
        return ()
    found = find(first, cards)
    return found
--
def f(cards):
    print(find(first, cards))
--
def f(cards):
    search = lambda rest: find(first, rest)
    return search(cards) or [each for each in find(first, cards)]
--
def f(cards):
    return find(first, cards)
--
f = compose(find, find)
--
def f(cards):
    def g(rest):
        return find(first, rest)
    return g(cards)
--
g = partial(find, first)

def f(cards):
    return g(cards)
--
from course.uno import find as search

def f(cards):
    return search(first, cards)
--
import course.uno as uno

def f(cards):
    return uno.find(first, cards)
== repeated-calls
def f(desk):
    if desk.deck:
        return play(desk, cards_to_play(desk))
    return next_player(play(desk, cards_to_play(desk)))
--
def f(desk):
    match desk.state:
        case Give():
            return cards_to_play(desk)
        case _:
            return cards_to_play(desk)[::-1]
--
def f(desk):
    match desk.state:
        case Give(color):
            return has_color(color, desk.deck)
    match desk.pile:
        case (Crd(_, color), *_):
            return has_color(color, desk.deck)
--
def f(cards):
    return shuffle_list(COLORS)[0], shuffle_list(COLORS)[0], is_lt(cards[0], cards[1]), is_lt(cards[1], cards[0])
--
def f(cards, color, one, other):
    return playable_when_wild(color)(one) and playable_when_wild(color)(other)
--
def f(desk):
    return required_color(desk) if desk.deck else (required_color(desk), 1)
--
def f(one, other):
    return any(card_value(card) for card in one) or any(card_value(card) for card in other)
== bans
def f(cards):
    return merge_sort(is_lt, cards)
--
def f(cards):
    'This one is sorted.'
    return cards.sorted
--
def f(cards):
    def sort(rest):
        return rest
    return sort(cards)
--
def f(cards):
    def sorted(rest):
        return rest
    return sorted(cards)
--
def f(cards):
    sorted = merge_sort(is_lt, cards)
    return sorted
--
def f(cards):
    match cards:
        case [first, *sorted]:
            return g(first, sorted)
== imports
from functools import partial
f = partial(max, 0)
--
from collections.abc import Callable
f: Callable = max
--
from course.uno import *
def f(n):
    return n
--
import toolz.curried as t
f = t.map
--
import random

def f(n):
    return n

f(random.random())
== equality
def f(color, cards, card, direction, count):
    return count == 3 or len(cards) == count
--
def f(color, cards, card, direction, count):
    return is_same_color(color, RED) and direction is CLOCKWISE
--
def f(color, cards, card, direction, count):
    return to_string(card) == 'WILD'
--
def f(color, cards, card, direction, count):
    match card:
        case Crd(Num(number), _):
            return number == 3
--
def f(color, cards, card, direction, count):
    color = 3
    return color == 4
--
def f(desk: Desk):
    return desk.players[0].name == 'Olga' or desk.unknown == desk.other
== identity
def f(card):
    return card is None or card is not True
--
def f(card, other):
    return card is other
--
def f(n):
    return n == 0 and n != 'a'
== shadowed-names
def f(cards):
    highest = max(cards)
    return highest
--
def f(card):
    match card:
        case Crd(_, Color.RED):
            return RED
--
def f(color):
    match color:
        case other if other is RED:
            return other
--
from functools import reduce
def f(cards):
    return reduce(max, cards)
--
class Seen:
    list = 3

def f(n):
    return Seen.list
== if-chains
def f(card):
    if isinstance(card, Wild):
        return 50
    return 20
--
def f(one, other):
    if isinstance(one, Wild):
        return 1
    if isinstance(other, Wild):
        return 2
    return 3
--
def f(n):
    if n < 0:
        return 1
    if n == 0:
        return 2
    if n > 9:
        return 3
    return 4
--
def f(card):
    if isinstance(card, Wild):
        print('wild')
    count = 1
    if isinstance(card, Wild):
        print(count)
--
def f(card):
    match card:
        case Wild():
            return 1
        case Crd():
            return 2
== wrapped-lambda
f = lambda color, card: is_same(card, color)
--
f = lambda card: cost(card, 3)
--
f = lambda card: card.cost(card)
--
f = lambda card: not cost(card)
--
f = lambda card, n=1: cost(card, n)
--
f = lambda card: (lambda other: other + 1)(card)
== unused-names
def f(cards):
    first, *_ = cards
    return first
--
def f(card, unused):
    match card:
        case Crd(rank, _):
            return rank
--
def f(n):
    return [draw() for _ in range(n)]
--
def f(n):
    def g():
        return n
    return g
--
def f(n):
    if (found := n):
        return lambda: found
--
def f(n):
    one = 1
    return vars()
"""
TOO_LONG = [
    "def f(n):\n" + "    n = n + 1\n" * 20 + "    return n",
    "f = (\n" + "    'a long text that is one of many',\n" * 60 + ")",
    "def f(n):\n    def g(n):\n" + "        n = n + 1\n" * 13 + "        return n\n    return g(n)",
]
LONG_BUT_NOT_IN_CODE = [
    "def f(n):\n    " + '"""\n    Give it.\n' + "    >>> f(1)\n" * 30 + '    """\n    return n',
    "def f(n):\n" + "    # a word on why\n\n" * 30 + "    return n",
    "def f(n):\n" + "    n = n + 1\n" * 8 + "    return n",
    "f = {\n" + "    1: 2,\n" * 30 + "}",
    "def f(n):\n    return max(\n" + "        (\n" * 10 + "            n\n" + "        )\n" * 10 + "    )",
]


def table(text: str, lengths: list[str]) -> list[tuple[str, str]]:
    """Return the answers of a table, each with its rule."""
    sections = [section.split("\n", 1) for section in text.strip().removeprefix("== ").split("\n== ")]
    rows = [(rule, answer.strip("\n")) for rule, answers in sections for answer in answers.split("\n--\n")]
    return rows + [("length", answer) for answer in lengths]


BREAKING, KEEPING = table(BREAKS, TOO_LONG), table(KEEPS, LONG_BUT_NOT_IN_CODE)


def uno_like(**table: Any) -> Unit:
    """Return the uno unit with its policy of form replaced."""
    unit = read_unit("uno")
    return replace(unit, policy=replace(unit.policy, form=FormTable(**table)))


def an_exercise(**changes: object) -> Exercise:
    """Return an exercise `f`."""
    plain = {"name": "f", "typical_lines": 4, "requires": (), "bans": (), "error": (), "curried": False}
    return replace(read_unit("uno")["has_color"], node=ast.parse(STUB).body[0], source=STUB, **plain | changes)


def findings(rule: str, source: str) -> list[FormFinding]:
    """Return a rule's findings on an answer `f` if all rules cost points."""
    asks = {"requires": {"requires": ("find",)}, "bans": {"bans": ("sorted", ".sort")}}.get(rule, {})
    unit = uno_like(error=list(RULE_NAMES), compare_with=COMPARISONS)
    reviewed = review(requirements_of(unit, an_exercise(**asks)), source.replace("@tail\n", "@tail_recursive\n"))
    return [finding for finding in reviewed if finding.rule == rule]


@pytest.mark.parametrize(("rule", "source"), KEEPING)
def test_similar_looking_code_passes(rule: str, source: str) -> None:
    assert not findings(rule, source)


def test_each_rule_has_three_answers_that_break_it_and_three_near_misses() -> None:
    for table in (BREAKING, KEEPING):
        counts = Counter(rule for rule, _ in table)
        assert set(counts) == set(RULE_NAMES) and min(counts.values()) >= 3


@pytest.mark.parametrize(("rule", "source"), BREAKING)
def test_violation_is_found_with_its_line_a_reason_and_an_example(rule: str, source: str) -> None:
    (finding,) = findings(rule, source)
    assert source.replace("@tail\n", "@tail_recursive\n").splitlines()[finding.line - 1].strip() == finding.code
    assert finding.why and not finding.why.endswith(".") and "\n" not in finding.why
    assert finding.instead and 2 <= len(finding.example.splitlines()) <= 9 and finding.line not in finding.also


# ------------------------------------------------------------------------------------------ references, right answers


# Right answers that were kept although they break rules: beginners' loops, and what the lab forbids but Python can do.
KEPT_TO_BREAK = {
    "basra_loops": {"loops", "mutation", "requires"},
    "basra_recursion": {"requires"},
    "bots_loops": {"loops", "mutation"},
    "dominoes_loops": {"loops", "mutation"},
    "sedma_loops": {"loops", "mutation"},
    "uno_loops": {"loops", "mutation", "requires", "equality", "local-helpers"},
    "uno_folds": {"requires", "equality", "loops", "repeated-calls"},
    "uno_recursion": {"equality", "requires"},
    "warmup_loops": {"loops", "mutation"},
}


def exercises() -> list[tuple[str, str]]:
    return [(name, exercise.name) for name in unit_names() for exercise in read_unit(name).exercises]


@pytest.mark.parametrize(("unit_name", "name"), exercises())
def test_no_reference_is_even_advised(unit_name: str, name: str) -> None:
    unit = read_unit(unit_name)
    assert review(requirements_of(unit, unit[name]), unit[name].source) == ()


@cache
def right_submission(path: Path) -> Submission:
    """Return a file of right answers as a submission, a cell for each statement."""
    lines = path.read_text(encoding="utf-8").splitlines()
    nodes = ast.parse("\n".join(lines)).body
    cells = ["\n".join(lines[first_line_number(node) - 1 : node.end_lineno]) for node in nodes]
    return submission_of_cells(read_unit(path.stem.partition("_")[0]), cells)


def broken_in(path: Path) -> dict[str, set[str]]:
    """Return the rules that a file's answers break, each with the exercises."""
    submission, broken = right_submission(path), defaultdict[str, set[str]](set)
    for name, answer in submission.answers.items():
        helpers = submission.helpers_for([answer.source])
        for finding in review(requirements_of(submission.unit, submission.unit[name]), answer.source, helpers):
            if finding.breaks:
                broken[finding.rule].add(name)
    return broken


@pytest.mark.parametrize("path", sorted(RIGHT.glob("*_*.py")), ids=lambda path: path.stem)
def test_right_answers_break_no_rule_unless_kept_to(path: Path) -> None:
    allowed = KEPT_TO_BREAK.get(path.stem, set())
    assert {rule: names for rule, names in broken_in(path).items() if rule not in allowed} == {}


# Each rule of style of the sources that costs points: the exercise, the rule, and an answer that breaks it.
LONG_LEGAL_ADDS = """
def legal_adds(domino, chain):
    match chain:
        case Empty():
            return (append(domino, EMPTY, "<"),)
        case Chain(left, _, right):
            if domino.right == left and left == right:
                return (append(domino, chain, "<"),)
            if domino.left == left and left == right:
                return (append(flip(domino), chain, "<"),)
            if domino.right == left and domino.left == right:
                return append(domino, chain, "<"), append(domino, chain, ">")
            if domino.left == left and domino.right == right:
                return append(flip(domino), chain, "<"), append(flip(domino), chain, ">")
            if domino.right == left:
                return (append(domino, chain, "<"),)
            if domino.left == left:
                return (append(flip(domino), chain, "<"),)
            if domino.left == right:
                return (append(domino, chain, ">"),)
            if domino.right == right:
                return (append(flip(domino), chain, ">"),)
            return ()
"""
STYLE_OF_THE_SOURCES = [
    ("basra", "sort", "requires", "def sort(cards):\n    return cards if len(cards) < 2 else merged(cards)"),
    ("dominoes", "legal_adds", "length", LONG_LEGAL_ADDS),
    ("uno", "cards_to_play", "requires", "def cards_to_play(desk):\n    return fold_left(added, (), desk.deck)"),
    ("uno", "has_color", "requires", "def has_color(color, cards):\n    return fold_left(is_one, False, cards)"),
    (
        "uno",
        "your_turn",
        "repeated-calls",
        "def your_turn(d):\n    return draw(d) and draw_two(draw(d))",
    ),
]


@pytest.mark.parametrize(("unit_name", "name", "rule", "source"), STYLE_OF_THE_SOURCES)
def test_style_that_a_source_asks_for_costs_form_points(unit_name: str, name: str, rule: str, source: str) -> None:
    unit = read_unit(unit_name)
    found = {finding.rule: finding for finding in review(requirements_of(unit, unit[name]), source)}
    assert found[rule].breaks and earned_form_share([found[rule]]) == 0.5
    others = [broken_in(path) for path in sorted(RIGHT.glob(f"{unit_name}_*.py"))]
    assert sum(name not in each.get(rule, ()) for each in others) >= 2


# ------------------------------------------------------------------------------------------ policy


def test_default_form_binds_loops_advises_length_and_skips_tail_calls() -> None:
    policy = requirements_of(uno_like(), an_exercise()).policy
    assert "loops" in policy.errors and "length" in policy.warnings and "tail-recursion" not in policy.rules


def test_a_units_table_moves_rules_and_its_exercises_add_to_it() -> None:
    unit = uno_like(warn=["loops"], ignore=["mutation"], error=["length"], imports=["random"])
    policy = requirements_of(unit, an_exercise(error=("tail-recursion",))).policy
    assert "loops" in policy.warnings - policy.errors and "mutation" not in policy.rules
    assert {"length", "tail-recursion"} <= policy.errors and policy.imports == ("random",)


@pytest.mark.parametrize("text", ['error = ["Tail recursion"]', 'eror = ["loops"]'])
def test_unknown_key_of_form_is_an_error_of_the_author(text: str) -> None:
    exercise = '[[exercise]]\nname = "f"\nsource = ""\npoints = 1\ntypical_lines = 1\nhints = []'
    unit = f'title = ""\nsummary = ""\nform_share = 0.2\n{exercise}\n[form]\n{text}'
    with pytest.raises(UnitError, match=r"uno.toml:11: (error must be a list of names of rules|unknown key 'eror')"):
        toml_content(Path("uno.toml"), unit, UnitPolicy, UnitError)


def test_tail_recursion_binds_in_all_of_uno() -> None:
    unit = read_unit("uno")
    assert all({"tail-recursion", "local-helpers"} <= requirements_of(unit, e).policy.errors for e in unit.exercises)


# ------------------------------------------------------------------------------------------ what is looked at


TRIAL = "def f(n):\n    m = n\n    return m\n\nimport os\nm = 0\nfor n in range(3):\n    m += f(n)\ndef g():\n    del m"
TABLED = "table = []\nfor n in range(9):\n    table.append(n)\n\ndef f(n):\n    return table[n]"
HELPER = Helper("cell_3", "\ndef g(n):\n    while n:\n        n = n - 1", 0, frozenset({"g"}), frozenset())
CURRIED = "def f(color, cards):\n    return f(color)(cards[1:])"
# Rules that cost points, changes of the exercise, an answer, its helpers, and the rule, cell and line of each finding.
LOOKED_AT: dict[str, tuple[tuple[str, ...], dict[str, Any], str, list[Helper], list[tuple[str, str, int]]]] = {
    "statements that only try the answer": (RULE_NAMES, {}, TRIAL, [], []),
    "statements that the answer needs": ((), {}, TABLED, [], [("loops", "", 2), ("mutation", "", 3)]),
    "helpers in other cells": (
        ("local-helpers",),
        {},
        "def f(n):\n    return g(n)",
        [HELPER],
        [("loops", "cell_3", 3), ("local-helpers", "cell_3", 2)],
    ),
    "arguments one by one": (("tail-recursion",), {}, CURRIED, [], [("tail-recursion", "", 2)]),
    "arguments one by one of a curried exercise": (("tail-recursion",), {"curried": True}, CURRIED, [], []),
}


@pytest.mark.parametrize("name", LOOKED_AT)
def test_code_that_the_answer_needs_counts_wherever_it_is(name: str) -> None:
    error, changes, source, helpers, expected = LOOKED_AT[name]
    found = review(requirements_of(uno_like(error=[*error]), an_exercise(**changes)), source, helpers)
    assert [(finding.rule, finding.where, finding.line) for finding in found if finding.breaks] == expected


def test_a_helper_of_a_value_may_be_outside_of_it() -> None:
    exercise = replace(read_unit("uno")["deck"], requires=())
    unit, source = uno_like(error=["local-helpers"]), "def cards():\n    return ()\n\ndeck = cards()"
    assert review(requirements_of(unit, exercise), source) == ()


# ------------------------------------------------------------------------------------------ what is shown


def test_a_mark_loses_half_for_each_rule_broken() -> None:
    broken = [FormFinding("loops", True, 1, "", ""), FormFinding("length", False, 1, "", "")]
    again, *more = [FormFinding(rule, True, 9, "", "") for rule in ("loops", "mutation", "bans")]
    assert [earned_form_share(each) for each in ([], broken, [*broken, again], [*broken, *more])] == [1, 0.5, 0.5, 0]


def test_at_most_three_findings_are_shown_those_that_break_a_rule_first() -> None:
    loop = "for card in cards:\n        total += g(card) + g(card)"
    source = f"def f(cards):\n    total, max = 0, 3\n    {loop}\n    return total"
    found = review(requirements_of(uno_like(), an_exercise()), source)
    assert [finding.rule for finding in found] == ["loops", "mutation", "shadowed-names", "unused-names"]
    shown = Result("f", GOOD, "right", form=found)
    assert "Style, a rule: line 3: `for card in cards:`" in shown.text()
    assert "line 4" in shown.html() and "line 2" in shown.html()


def test_several_places_of_a_rule_make_one_finding() -> None:
    source = "def f(cards):\n    for a in cards:\n        for b in cards:\n            print(a, b)"
    (finding,) = review(requirements_of(uno_like(), an_exercise()), source)
    assert (finding.line, finding.also) == (2, (3,))


# ------------------------------------------------------------------------------------------ sturdiness


def test_any_source_that_parses_can_be_reviewed() -> None:
    """`f` needs all functions and classes of a module of the standard library."""
    unit = uno_like(error=list(RULE_NAMES), compare_with=COMPARISONS)
    exercise = an_exercise(requires=("find",), bans=("sorted", ".sort"), curried=True)
    rules = set[str]()
    for name in ("argparse", "ast", "contextlib", "difflib", "functools", "heapq", "statistics", "typing"):
        source = Path(sysconfig.get_path("stdlib"), f"{name}.py").read_text(encoding="utf-8")
        names = re.findall(r"^(?:def|class) (\w+)", source, re.MULTILINE)
        findings = review(requirements_of(unit, exercise), f"{source}\nf = [{', '.join(names)}]\n")
        rules |= {finding.rule for finding in findings}
    assert len(rules) > 9


@pytest.mark.parametrize(
    "source",
    [
        "",
        "f",
        "f = 1",
        "f: int",
        "def f(",
        "def f(): ...",
        "f = g = lambda *a, b=1, **c: (yield)",
        "f, (g, *h) = 1, (2, 3)",
        "class f:\n    x: int = 3\n    def g(self): self.x = 1",
        "async def f():\n    async with a as b:\n        async for c in b:\n            await f()",
        "def f(x):\n    match x:\n        case {'a': [1, *_], **rest} | [rest]:\n            return rest",
        "def f():\n    try:\n        g()\n    except* ValueError as e:\n        raise\n    finally:\n        del e",
        "def f():\n    with g() as (a, b[0]), h():\n        return (a := b)",
        "f = 1" + " + 1" * 900,
        "f = " + "(" * 90 + ")" * 90,
        "f = " + "not " * 300 + "1",
        "f = " + "g(" * 90 + ")" * 90,
        "def f(n):\n    " + "if n: pass\n    el" * 200 + "if n: pass",
        "f = x" + ".append" * 300 + "(1)",
        "\x00",
        "f = '\ud800'",
        f"def f(x):\n    x[{HUGE}] = 1",
        f"def f(x):\n    x += {HUGE}",
        f"def f(x):\n    return f(x == {HUGE} == True)",
    ],
)
def test_odd_sources_are_no_trouble(source: str) -> None:
    unit = uno_like(error=list(RULE_NAMES), compare_with=COMPARISONS)
    assert isinstance(review(requirements_of(unit, an_exercise(requires=("find",), bans=("sorted",))), source), tuple)


@pytest.mark.parametrize("nested", ["-" * 400 + "1", "1" + " + 1" * 900, "not " * 300 + "1"])
def test_no_form_is_hidden_by_an_expression_of_many_levels(nested: str) -> None:
    source = f"def f(cards):\n    x = 0\n    for card in cards:\n        x += {nested}\n    return x"
    findings = review(requirements_of(uno_like(), an_exercise()), source)
    assert {"loops", "mutation"} <= {finding.rule for finding in findings if finding.breaks}


def test_no_form_is_hidden_by_many_functions() -> None:
    many = "".join(f"    def g{number}(): pass\n" for number in range(201))
    assert findings("tail-recursion", f"def f(n):\n{many}    return 1 + f(n)")


MANY = ",".join(f"a{i}" for i in range(8_000))
# Long texts, each of which took more than ten seconds while some rule went through all of it for each part of it.
LONG = {
    "a chain of `is`": "def f(n):\n    if n: return n\n    n" + " is 1" * 8_000,
    "a chain of `==`": "def f(n):\n    if n: return n\n    n" + "==[]" * 10_000,
    "many values before many loops": "def f(n):\n    "
    + "a," * 6_000 + "=" + "1," * 6_000 + "\n" + "    for x in n:z=x\n    return z\n" * 450,
    "many changes of one name": "z=n=1;" + "z=z;" * 5_000 + "\ndef f(n): return z",
    "many statements": "def f(n):\n    if n: return n\n    " + "n;" * 48_000,
    "many calls around the trampoline": "@tail_recursive\ndef f(n):\n    if n: return n\n    " + "f();" * 10_000,
    "many parameters, many names": "def f(n):\n    return " + f"lambda {MANY}: " * 2 + "[" + "n," * 16_000 + "]",
    "generators in nested lambdas": "def f(n):\n    " + "lambda x: g(" * 25 + "h(a for a in b)," * 5_000 + ")" * 25,
}  # fmt: skip


@pytest.mark.parametrize("name", one_in(4, [*LONG]))
def test_time_for_a_long_answer_grows_with_its_length(name: str) -> None:
    requirements = requirements_of(uno_like(error=list(RULE_NAMES), compare_with=COMPARISONS), an_exercise())
    began = process_time()
    review(requirements, LONG[name])
    assert process_time() - began < 10


# ------------------------------------------------------------------------------------------ code without a loop


# Loops over `numbers`, and the code that is shown instead.
WITHOUT_LOOP = {
    "total = 0\nfor n in numbers:\n    total += n * n\nreturn total": "sum(n * n for n in numbers)",
    "total = 0\nfor n in numbers:\n    if n > 2:\n        total += n\nreturn total": "sum(n for n in numbers if n > 2)",
    "kept = []\nfor n in numbers:\n    kept.append(n + 1)\nreturn tuple(kept)": "tuple(n + 1 for n in numbers)",
    "for n in numbers:\n    if n > 2:\n        return n\nreturn 0": "next((n for n in numbers if n > 2), 0)",
    "for n in numbers:\n    if n > 2:\n        return True\nreturn False": "any(n > 2 for n in numbers)",
    "for n in numbers:\n    if n > 9:\n        return False\nreturn True": "not any(n > 9 for n in numbers)",
    "total = 5\nfor n in numbers:\n    total += n\nreturn total": "",
    "total = 0\nfor n in numbers:\n    total += total + n\nreturn total": "",
    "total = 0\nfor n in numbers:\n    print(n)\n    total += n\nreturn total": "",
    "total = 0\nfor n in numbers:\n    if n > 2:\n        total += n\n        break\nreturn total": "",
}


def result_of(body: str, numbers: tuple[int, ...]) -> object:
    names: dict[str, Any] = {}
    exec(f"def f(numbers):\n{textwrap.indent(body, '    ')}", names)
    return names["f"](numbers)


@pytest.mark.parametrize("body", WITHOUT_LOOP)
def test_loop_is_shown_as_an_expression_with_the_same_results(body: str) -> None:
    source, unit = f"def penalty(numbers):\n{textwrap.indent(body, '    ')}", read_unit("warmup")
    found = review(requirements_of(unit, unit["penalty"]), source)
    example, code = next(each.example for each in found if each.rule == "loops"), WITHOUT_LOOP[body]
    assert example == code if code else "fold_left" in example
    for numbers in ((), (3,), (1, 2, 3, 4, 3), (7, 0, 1, 5, 9, 12)) if code else ():
        assert result_of(body, numbers) == result_of(f"return {code}", numbers)


# ------------------------------------------------------------------------------------------ odd styles

FOLDER = Path(__file__).with_name("right") / "odd"


def answers_in(file: Path) -> list[tuple[str, str, str]]:
    """Return the answers of a file: the unit, the exercise, and the source of each."""
    text = file.read_text(encoding="utf-8")
    nodes = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return [(file.stem, node.name, ast.get_source_segment(text, node) or "") for node in nodes]


ODD = [answer for file in sorted(FOLDER.glob("*.py")) for answer in answers_in(file)]


@pytest.mark.parametrize(("unit", "name", "source"), ODD, ids=[f"{unit}-{name}" for unit, name, _ in ODD])
def test_odd_style_is_accepted(unit: str, name: str, source: str) -> None:
    report = grade_trusted(submission_with(unit, {name: source}), name)[name]
    assert report.state == PASSED, first_problem_text(report)


def test_there_are_odd_answers_to_every_unit() -> None:
    assert len(ODD) >= 40 and {unit for unit, *_ in ODD} == {"warmup", "dominoes", "sedma", "basra", "uno", "bots"}
