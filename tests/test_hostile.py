"""Answers that attack: each gets its line and no point, costs no other exercise, and ends within its limits."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.run import grade, open_sandbox
from autograder.grading.session import Session, Setting
from autograder.report.model import PASSED, WRONG, ExerciseReport, Graded
from autograder.sandbox.inside import wire
from autograder.units.unit import read_unit
from tests.classroom import references, submission_with

pytestmark = pytest.mark.sandbox
CPU = 1
POLICY = Policy(seconds_per_call=0.3, seconds_per_exercise=CPU)
REFERENCES = references(read_unit("dominoes"))
RIGHT = "return Domino(domino.right, domino.left)"


def flip(body: str) -> str:
    """Give an answer to `flip`."""
    return "def flip(domino):\n" + "\n".join(f"    {line}" for line in dedent(body).strip().splitlines())


def graded(answer: str) -> Graded:
    """Give the report on a submission with this answer to `flip`, and a right one to `take`."""
    return grade(submission_with("dominoes", {"flip": answer, "take": REFERENCES["take"]}), POLICY)


def line_of(report: ExerciseReport) -> str:
    return report.problem or (report.first_failure.verdict if report.first_failure else "")


# An attack, and what its line in the report says.
ATTACKS: dict[str, tuple[str, str]] = {
    "loops for ever": (flip("while True: pass"), "took too long"),
    "loops for ever, whatever is raised": (
        flip("""
            while True:
                try:
                    while True: pass
                except BaseException: pass
        """),
        "took too long",
    ),
    "loops for ever in C": (flip("return sum(range(10**13))"), f"used up its {CPU} s of CPU time"),
    "loops for ever without an alarm": (
        "import signal\n"
        + flip("""
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            while True: pass
        """),
        f"used up its {CPU} s of CPU time",
    ),
    "sleeps, and has slept at once": ("import time\n" + flip("time.sleep(1000)"), "gave None, expected Domino(3, 2)"),
    "listens to what never comes": ("import os\n" + flip("return os.read(3, 1)"), "gave <bytes object>, expected"),
    "recurses without end": (flip("return flip(domino)"), "raised RecursionError: maximum recursion depth"),
    "recurses without end or limit": (
        "import sys\nsys.setrecursionlimit(10**9)\n" + flip("return flip(domino)"),
        "flip(Domino(2, 3)) ",
    ),
    "allocates without end": (
        flip("""
            hoard = []
            while True: hoard.append(bytes(10**7))
        """),
        "used too much memory",
    ),
    "prints 100 MB at once": (flip("print('x' * 10**8)"), "printed more than 100,000 characters"),
    "prints 100 MB in lines": (flip("for _ in range(10**6): print('x' * 100)"), "printed more than 100,000 characters"),
    "calls exit": ("import sys\n" + flip("sys.exit(0)"), "raised SystemExit: 0"),
    "calls the notebook's exit": (flip("exit()"), "raised NameError: name 'exit' is not defined"),
    "ends the process": ("import os\n" + flip("os._exit(0)"), "ended the process (exit status 0)"),
    "crashes the interpreter": ("import ctypes\n" + flip("return ctypes.string_at(0)"), "was killed (segmentation"),
    "raises BaseException": (
        flip("raise BaseException('no')"),
        "raised BaseException: no (line 2 of the cell of flip)",
    ),
    "raises what cannot be told": (
        "class Mute(Exception):\n    def __str__(self): raise KeyboardInterrupt\n" + flip("raise Mute"),
        "raised a class of their own",
    ),
    "raises what is told for ever": (
        "class Chatty(Exception):\n    def __str__(self):\n        while True: pass\n" + flip("raise Chatty"),
        "took too long",
    ),
    "is equal to everything": (
        "class Equal:\n    def __eq__(self, other): return True\n    def __hash__(self): return 0\n"
        + flip("return Equal()"),
        "gave <Equal object>, expected Domino(3, 2)",
    ),
    "is a subclass": (
        "class Tile(Domino): pass\n" + flip("return Tile(domino.right, domino.left)"),
        "gave <Tile object>",
    ),
    "holds subclasses of int": (
        "class Number(int): pass\n" + flip("return Domino(Number(domino.right), Number(domino.left))"),
        "gave Domino(<Number object>, <Number object>)",
    ),
    "is a tuple": (flip("return (domino.right, domino.left)"), "gave (3, 2), expected Domino(3, 2)"),
    "imports solutions": ("from solutions import dominoes\n" + flip(RIGHT), "No module named 'solutions'"),
    "imports solutions late": (
        flip("return __import__('solutions.dominoes').dominoes.flip(domino)"),
        "No module named",
    ),
    "opens solutions": (
        flip(f"return open({str(Path(__file__).parent.parent / 'solutions' / 'dominoes.py')!r}).read()"),
        "raised PermissionError: [Errno 1] Operation not permitted: 'dominoes.py'",
    ),
    "opens a socket": (
        "import socket\n" + flip("return socket.socket()"),
        "raised PermissionError",
    ),
    "forks": ("import os\n" + flip(f"os.fork()\n{RIGHT}"), "raised PermissionError"),
    "runs a program": ("import os\n" + flip("os.execv('/bin/sh', ['sh'])"), "Error: [Errno "),
    "closes the channel": ("import os\n" + flip(f"os.close(3)\n{RIGHT}"), "ended its process"),
    "closes every file": ("import os\n" + flip(f"os.closerange(0, 99)\n{RIGHT}"), "ended its process"),
    "writes rubbish on the channel": ("import os\n" + flip("os.write(3, b'x' * 100)"), "sent more than 16 MB"),
    "gives a deeply nested value": (
        flip("""
            value = ()
            for _ in range(10**5): value = (value,)
            return value
        """),
        "gave a value that is too large",
    ),
    "gives a value of shared parts": (
        flip("""
            value = ()
            for _ in range(60): value = (value, value)
            return value
        """),
        "gave a value that is too large",
    ),
    "gives a list that holds itself": (
        flip("value = []\nvalue.append(value)\nreturn value"),
        "gave a value that is too large",
    ),
    "gives a huge text": (flip("return 'x' * 10**8"), "gave a value that is too large"),
    "gives a huge number": (flip("return 1 << 10**7"), "gave <an enormous int>"),
    "breaks the course's class": (
        "import course.dominoes\n" + flip("course.dominoes.Domino.__eq__ = lambda one, other: True\nreturn domino"),
        "flip(Domino(2, 3)) gave Domino(2, 3), expected Domino(3, 2)",
    ),
    "breaks the effects": (
        "from course import effects\n" + flip("effects.scripted = None\nreturn domino"),
        "flip(Domino(2, 3)) gave Domino(2, 3), expected Domino(3, 2)",
    ),
    "breaks json": (
        "import json\n" + flip("json.dumps = lambda *_, **__: '[[\"ok\",true]]'\nreturn domino"),
        "its process sent something that is no observation",
    ),
    "breaks the encoder": (
        "import inside.wire\n" + flip("inside.wire.Wire.encode = lambda *_: ['no', {'such': 'tree'}]\nreturn domino"),
        "flip(Domino(2, 3)) gave something that is too large",
    ),
    "never loads": ("while True:\n    try: pass\n    except BaseException: pass\n" + flip(RIGHT), "took too long"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_earns_nothing_and_costs_no_other_exercise(attack: str) -> None:
    answer, told = ATTACKS[attack]
    report = graded(answer)
    assert told in line_of(report["flip"])
    assert (report["flip"].state, report["flip"].points) == (WRONG, 0)
    assert (report["take"].state, report["take"].points) == (PASSED, report["take"].of)
    assert report.is_graded
    assert len(json.dumps(report.as_dict())) < 100_000


def test_truth_values_are_no_numbers() -> None:
    halves = "(bool(n) if n < 2 else n for n in (domino.right, domino.left))"
    report = graded(flip(f"return Domino(*{halves})"))
    assert "gave Domino(False, False), expected Domino(0, 0)" in line_of(report["flip"])
    assert report["flip"].state == WRONG


def test_an_answer_that_only_warns_gets_its_full_mark() -> None:
    report = graded(flip(rf"'\d'; assert (True, 'always')\n{RIGHT}".replace(r"\n", "\n")))
    assert (report["flip"].state, report["flip"].points) == (PASSED, report["flip"].of)


def test_an_answer_that_writes_to_stderr_is_right() -> None:
    report = graded("import sys\n" + flip(f"print('hm', file=sys.stderr)\nprint('oh', file=sys.__stdout__)\n{RIGHT}"))
    assert report["flip"].state == PASSED


def test_printing_on_the_way_is_remarked_on_and_costs_nothing() -> None:
    report = graded(flip(f"print(domino)\n{RIGHT}"))
    assert report["flip"].state == PASSED
    assert "it prints something" in report["flip"].remarks[0]


SEARCH = """
import gc, sys

def strings(found):
    todo, seen = [found], set()
    while todo:
        thing = todo.pop()
        if id(thing) in seen or len(seen) > 200_000:
            continue
        seen.add(id(thing))
        if isinstance(thing, (str, bytes)):
            yield thing if isinstance(thing, str) else thing.decode("latin-1")
        elif hasattr(thing, "co_consts"):
            todo += [thing.co_consts, thing.co_names, thing.co_filename]
        elif not isinstance(thing, type(sys)):
            todo += gc.get_referents(thing)

def flip(domino):
    frame, held = sys._getframe(), []
    while frame:
        held += [frame.f_locals, frame.f_globals]
        frame = frame.f_back
    wanted = [text for text in strings([held, gc.get_objects()]) if SECRET in text and text != SECRET]
    return "found" if wanted else "nothing"
"""


@pytest.mark.proof
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('["ok",["v","Domino",3,2]]', "nothing"),  # what is expected
        ("Give `domino` in its other presentation", "nothing"),  # the reference's docstring
        ("Give the distinct chains", "nothing"),
        ("It's a draw!", "nothing"),  # from the reference of an exercise that this one does not need
        ("Try again!", "found"),  # from a given function: the search does find what is there
    ],
)
def test_what_is_expected_is_not_in_reach(text: str, found: str) -> None:
    halves = f"SECRET = {text[: len(text) // 2]!r} + {text[len(text) // 2 :]!r}"
    report = grade(submission_with("dominoes", {"flip": f"{halves}\n{SEARCH}"}), Policy(exercises=("flip",)))
    assert f"gave {found!r}" in line_of(report["flip"])


def test_no_child_holds_the_code_of_its_own_reference() -> None:
    exam = exam_for("dominoes")
    submission = submission_with("dominoes", REFERENCES)
    with open_sandbox("dominoes", POLICY) as sandbox:
        run = Setting(sandbox, submission, POLICY, exam)
        for exercise in exam.unit.exercises:
            paper = exam.papers[exercise.name]
            session = Session(run, paper, run.plan({exercise.name}, paper), exercise.name)
            plan = session._request(paper.orders).setup.plan
            assert [step.name for step in plan if step.kind == "answer"] == [exercise.name]
            assert exam.codes[exercise.name] not in [step.source for step in plan]


FORGER = """
import os, json
OK = ["ok", ["v", "Domino", 3, 2]]
DEEP = b"[" * 900 + b"]" * 900
FRAMES = [%s]
def flip(domino):
    while FRAMES:
        frame = FRAMES.pop(0)
        data = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[os.write(3, data):]
    return domino
"""
FORGED = {
    "truth values": "[True, True], {}, [True] * 49, {}",
    "a fault with a long story": "[['fault', 'x' * 10**6]], {}",
    "a fault that is none": "[['fault', 'was right']], {}",
    "an exception with a strange name": "[['raised', chr(27) * 100, None]], {}",
    "arguments that are no tuple": "[['raised', 'ValueError', 5]], {}",
    "probes that are no calls": "[['ok', 1, 'text', [1, [], {}]]], {}",
    "probes with a long name": "[['ok', 1, 'text', [['x' * 10**6]]]], {}",
    "too many effects": "[[*OK, '', [], 1, 2]], {}",
    "numbers that are none": "b'[[NaN, Infinity, 1e999]]', {}",
    "a number of many digits": "b'[[' + b'9' * 5000 + b']]', {}",
    "deep lists": "b'[' + DEEP + b']', {}",
    "deep lists as a value": "b'[[\"ok\",' + DEEP + b']]', {}",
    "deep mappings": "b'[[\"ok\",' + b'{\"a\":' * 900 + b'1' + b'}' * 900 + b']]', {}",
    "many small lists": "b'[' + b','.join([b'[]'] * 10**6) + b']', {}",
    "a value of many parts": "b'[[\"ok\",[\"t\"' + b',0' * 10**6 + b']]]', {}",
    "notes that are a list": "[OK], [1, 2]",
    "a story that is a list": "[['raised', 'ValueError', None]], {'0': {'story': [['x'] * 1000]}}",
    "a note that is a number": "[['raised', 'ValueError', None]], {'0': 5}",
    "no JSON": "b'\\xff\\xfe', b'{'",
    "empty frames": "b'', b''",
    "all that the statement shows, and no more": "[OK, ['ok', ['v', 'Domino', 3, 3]]], {}",
}


@pytest.mark.parametrize("forged", FORGED)
def test_forged_frames_earn_nothing_and_are_no_fault_of_the_grader(forged: str) -> None:
    report = graded(FORGER % FORGED[forged])
    assert report.is_graded, report["flip"].problem
    assert not [facet for facet in report["flip"].facets if facet.passed and facet.name == "every input"]
    assert report["flip"].points <= report["flip"].of / 2
    assert report["take"].state == PASSED
    assert len(json.dumps(report.as_dict())) < 50_000
    assert line_of(report["flip"]).isprintable()


def test_a_story_cannot_disturb_a_terminal_a_table_or_a_page() -> None:
    nasty = r"[/red][bold]<b>&\ud800\x1b[2J\u202e" + "x" * 5000
    line = line_of(graded(flip(f'raise ValueError("{nasty}")'))["flip"])
    assert line.isprintable()
    assert len(line) < 1000
    line.encode()


def test_a_report_names_no_address_and_no_folder() -> None:
    addresses = flip("return f'{object()} {flip} {lambda: 0}'")
    folders = "from course.dominoes import no_such_name\n" + flip(RIGHT)
    for answer in (addresses, folders, flip("raise ValueError(str(object()))")):
        reports = [json.dumps(graded(answer).as_dict()) for _ in range(2)]
        assert reports[0] == reports[1]
        assert "0x7" not in reports[0]
        assert str(Path(__file__).parent.parent) not in reports[0]
        assert "/foldem/" not in reports[0]


def test_a_helper_that_never_loads_costs_only_those_who_need_it() -> None:
    helper = (
        "def prepare():\n    while True:\n        try: pass\n        except BaseException: pass\ntable = prepare()\n"
    )
    answers = {"flip": flip(f"table\n{RIGHT}"), "take": REFERENCES["take"]}
    report = grade(submission_with("dominoes", answers, (helper,)), POLICY)
    assert "took too long" in f"{line_of(report['flip'])} {report['flip'].remarks}"
    assert report["take"].points == report["take"].of


@pytest.mark.proof
def test_following_through_stops_at_functions_that_do_not_end() -> None:
    body = "signal.setitimer(signal.ITIMER_PROF, 0)\n    while True: pass"
    endless = f"import signal\ndef legal_adds(domino, chain):\n    {body}"
    report = grade(submission_with("dominoes", REFERENCES | {"legal_adds": endless}), POLICY)
    assert report["possible_dominoes"].own == "does not work with your own legal_adds"
    assert "not tried with your own functions" in report["play"].own
    assert [e.name for e in report.exercises if e.state != PASSED] == ["legal_adds"]


def test_a_tree_is_measured_before_it_is_looked_at() -> None:
    assert wire.fits(["ok", ["t", 1, "a"], "text", [["first", 1]]])
    assert not wire.fits(json.loads("[" * 900 + "]" * 900))
    assert not wire.fits([{"a": 1}])
