"""The page of a class, which reports exactly what was planted in it, and the page of a submission."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.classroom import model
from autograder.classroom.model import (
    HandIn,
    StudentInNeed,
    answer_groups,
    compared_prints,
    similar_pairs,
    students_in_need,
)
from autograder.classroom.page import ClassPageData, class_page
from autograder.commands import report as report_command
from autograder.commands.options import ReportOptions
from autograder.commands.report import class_page_data
from autograder.report.model import (
    PASSED,
    UNWRITTEN,
    WRONG,
    ExerciseReport,
    FacetReport,
    Graded,
    KnownMistake,
    Ungradable,
)
from autograder.report.render import exercise_text, report_page
from autograder.report.stops import BadFile, NoAnswer
from autograder.report.words import exported_report
from autograder.submission.code import Code, fingerprints_of, submission_code
from autograder.submission.reading import WRITTEN_REPORT, grade_id
from autograder.term.course import read_course
from autograder.term.results import marks_json
from autograder.term.store import DATABASE_FILE as STORE
from autograder.term.store import Store, StoredResult
from course.diagnoses.failure import GAVE, Failure, FailureKind
from course.diagnoses.obstacle import BAD_SYNTAX, Flaw
from course.form import FormFinding
from course.limits import MOST_FINGERPRINTS
from tests.classroom import notebook_with, right_answers, write_file
from tests.stage import assert_page_accessible, serious
from tests.test_tables_browser import chromium
from tests.units import blank_notebook, known, read_unit, submission_of, unit_names

NAMES = ("flip", "join", "lay", "count", "play")

# ------------------------------------------------------------------------------------------------ similar code


def renamed(tree: ast.Module, names: Mapping[str, str]) -> ast.Module:
    """Rename every name that a source binds."""
    for node in ast.walk(tree):
        field = {ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name", ast.MatchAs: "name"}.get(type(node), "")
        if (name := getattr(node, field, None)) in names:
            setattr(node, field, names[name])
    return tree


def disguised(sources: dict[str, str], exercises: set[str], seed: int) -> dict[str, str]:
    """Return copied sources in disguise: with other names, order and layout, and without docstrings and comments."""
    trees = {label: ast.parse(source) for label, source in sources.items()}
    own = {
        node.arg if isinstance(node, ast.arg) else node.id
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }
    names = {name: f"v{place}_{seed}" for place, name in enumerate(sorted(own - exercises))}
    texts = {label: ast.unparse(renamed(tree, names)) for label, tree in trees.items()}
    return dict(random.Random(seed).sample(sorted(texts.items()), len(texts)))


def sources_of(unit: str) -> dict[str, dict[str, str]]:
    return {
        str(right): right.answers | {f"helper {number}": text for number, text in enumerate(right.helpers)}
        for right in right_answers(unit)
    }


def printed(sources: dict[str, dict[str, str]]) -> dict[str, dict[str, frozenset[int]]]:
    return {name: fingerprints_of(of) for name, of in sources.items()}


def common_of(unit: str) -> list[str]:
    return [exercise.source for exercise in read_unit(unit).exercises]


@pytest.mark.parametrize("unit", unit_names())
def test_no_pair_of_independent_solutions_is_alike(unit: str) -> None:
    assert similar_pairs(printed(sources_of(unit)), common_of(unit)) == []


@pytest.mark.parametrize("unit", unit_names())
def test_references_are_no_evidence_in_notebooks_with_gaps(unit: str) -> None:
    names = {exercise.name: exercise.source for exercise in read_unit(unit).exercises}
    gaps = {f"without each {step}th": {*list(names)[:: step + 1]} for step in range(2, 8)}
    classmates = {who: {name: names[name] for name in names.keys() - gap} for who, gap in gaps.items()}
    assert similar_pairs(printed(classmates), common_of(unit)) == []


@pytest.mark.parametrize("unit", unit_names())
def test_exactly_the_planted_copies_are_detected(unit: str) -> None:
    honest = sources_of(unit)
    copies = {
        f"copy {seed} of {name}": disguised(honest[name], set(read_unit(unit).by_name), seed)
        for seed, name in enumerate([*honest, next(iter(honest))])
    }
    pairs = [{each.first, each.second} for each in similar_pairs(printed(honest | copies), common_of(unit))]
    planted = [{name, *(copy for copy in copies if copy.endswith(f" of {name}"))} for name in honest]
    assert len(copies) == 5 and all(any(pair <= ring for ring in planted) for pair in pairs)
    assert len(pairs) == 5 and set.union(*pairs) == {*honest, *copies}


def test_code_shared_by_most_of_a_class_is_no_evidence() -> None:
    taught = "def helper(cards):\n    return tuple(card for card in cards if card.suit != 3 and card.rank in (1, 2))\n"
    assert similar_pairs(printed({str(student): {"helper": taught * 3} for student in range(40)}), [taught]) == []


@given(st.sampled_from(common_of("dominoes")), st.integers(0, 9))
def test_a_disguise_changes_no_fingerprint(source: str, seed: int) -> None:
    assert fingerprints_of(disguised({"f": source}, set(), seed)) == fingerprints_of({"f": source})


def strangers(count: int) -> dict[str, dict[str, frozenset[int]]]:
    return {f"stranger {place}": fingerprints_of({"f": f"def f(x):\n    return x + {place}"}) for place in range(count)}


def junk(seed: int) -> str:
    """Return long code that nobody else has."""
    lines = (f"    a{place} = g{seed}_{place % 7}(x, {place * seed}, y.b{place * seed % 11})" for place in range(400))
    return "def padding(x, y):\n" + "\n".join(lines)


@pytest.mark.parametrize("size", [5, 25, 60])
def test_many_copies_of_one_notebook_are_connected_by_pairs(size: int) -> None:
    sources = sources_of("uno")["uno-folds"]
    ring = {f"copy {place}": fingerprints_of(disguised(sources, set(sources), place)) for place in range(size)}
    found = similar_pairs(ring | strangers(200 - size), common_of("uno"))
    assert len(found) == size - 1 and {name for each in found for name in (each.first, each.second)} == ring.keys()


def test_a_padded_copy_is_detected() -> None:
    sources = sources_of("uno")["uno-folds"]
    padded = {f"copy {seed}": fingerprints_of(sources | {"helper": junk(seed)}) for seed in (1, 2)}
    (found,) = similar_pairs(padded | strangers(30), common_of("uno"))
    assert (found.first, found.second) == ("copy 1", "copy 2") and found.share < 0.4


PLAIN = """def f(items, start):
    total = start
    def add(left, right):
        return left + right * 2
    return reduce(add, [each.value for each in items if each.rank > 3], total)"""
NOISY = """def f(items: object, start: "int") -> object:
    pass
    total: int = start
    'nothing'
    def add(left: int, right: int) -> int:
        ...
        return left + right * 2
    0
    return reduce(add, [each.value for each in items if each.rank > 3], total)"""

LOOKALIKE = PLAIN.replace("items", "itеms").replace("total", "ｔｏｔａｌ").replace("each", "еасh")


@pytest.mark.parametrize("hidden", [NOISY, LOOKALIKE], ids=["code without effect", "letters that look alike"])
def test_noise_and_lookalike_letters_change_no_fingerprint(hidden: str) -> None:
    assert hidden != PLAIN and fingerprints_of({"f": hidden}) == fingerprints_of({"f": PLAIN})


def test_a_copy_cannot_hide_behind_much_code_of_its_own() -> None:
    """The sample of a large submission has the smallest fingerprints, and an author can choose these."""
    work, others = frozenset(range(10**6, 10**6 + 100)), {str(n): {"": frozenset([-n])} for n in range(1, 30)}
    (pair,) = similar_pairs({"ann": {"": work}, "eve": {"": work | frozenset(range(2 * MOST_FINGERPRINTS))}, **others})
    assert {pair.first, pair.second} == {"ann", "eve"}


def test_of_very_long_code_a_part_is_compared_and_shown() -> None:
    long = "def f(x):\n" + "".join(f"    a{place} = g{place}(x, {place})\n" for place in range(6_000))
    code = Code(
        {NAMES[0]: long}, {label: sorted(prints) for label, prints in fingerprints_of({NAMES[0]: long}).items()}
    )
    entries = [replace(entry(f"s{number}", "r----"), code=code) for number in range(3)]
    assert (
        len(compared_prints({"s": code.prints}, frozenset())[0]["s"]) == MOST_FINGERPRINTS < len(code.prints[NAMES[0]])
    )
    shown = class_page(ClassPageData("A class", {"warmup": entries}, {}, {}, "1"))
    assert "s0 and s1" in shown and "a100 " in shown and "a5999 " not in shown


def test_answers_with_huge_numbers_have_fingerprints() -> None:
    assert fingerprints_of({"f": f"def f(card):\n    return card == 0x{'f' * 5_000}"})


# ------------------------------------------------------------------------------------------------ a class


def exercise(name: str, state: str, *, belief: str = "", digest: str = "", problem: str = "") -> ExerciseReport:
    passed = state == PASSED
    failure = None if passed else Failure(f"{name}(1)", FailureKind.GAVE, "'two  blanks  '", digest)
    rules = (FormFinding("loops", True, 1, "a loop", "a fold"),) if belief else ()
    facets = () if state == UNWRITTEN or problem else (FacetReport("other inputs", passed, 9, failure),)
    stop = NoAnswer(name, flaw=Flaw(BAD_SYNTAX, problem, 1)) if problem else None
    mistake = KnownMistake(belief, "") if belief else None
    return ExerciseReport(name, 1, state, 2.0 * passed, 2.0, stop, facets, mistake=mistake, form=rules, digest=digest)


def entry(student: str, states: str, **beliefs: str) -> HandIn:
    """Return an entry; each letter is the state of an exercise: right, wrong, left out, or broken."""
    kinds = {"r": (PASSED, ""), "w": (WRONG, "d1"), "-": (UNWRITTEN, "")}
    exercises = tuple(
        exercise(name, kinds[letter][0], digest=kinds[letter][1], belief=beliefs.get(name, ""))
        if letter != "b"
        else exercise(name, WRONG, problem="the cell does not parse: invalid syntax, line 1")
        for name, letter in zip(NAMES, states, strict=True)
    )
    code = Code({name: f"def {name}(a):\n    return {student!r}" for name in NAMES})
    return HandIn(student, Graded("dominoes", "Dominoes", "1", "0", "off", exercises), code)


CLASS = (
    entry("ada", "rrrrr"),
    entry("bob", "rrwww", lay="The chain has one end."),
    entry("cid", "rwwr-", lay="The chain has one end."),
    entry("dan", "w----"),
    entry("eve", "bbbr-"),
)


def test_bars_and_percentages_of_the_hardest_exercises_come_first() -> None:
    unsolved = [sum(row[1:3]) for row in model.difficulty_table(CLASS).rows]
    assert unsolved == sorted(unsolved, reverse=True) and unsolved[0] == 3
    assert re.findall(r"<span>(\w+)</span>\s*<b>(\d+)%</b>", class_page(shown(CLASS)))[0] == ("lay", "60")


def test_a_mistake_of_one_student_is_on_that_students_page_only() -> None:
    lone = 'id="play.d1"'
    assert lone not in class_page(shown(CLASS)) and lone in class_page(shown(CLASS[1:2]))


@pytest.mark.parametrize(
    ("states", "fates"),
    [
        ("rwrrr", {"flip": model.RIGHT, "join": model.TRIED}),
        ("r-r--", {"join": model.LEFT_OUT, "count": model.NOT_REACHED}),
    ],
)
def test_skipped_exercises_are_counted_apart_from_those_not_reached(states: str, fates: dict[str, str]) -> None:
    table = model.difficulty_table((entry("ada", states),))
    rows = {row[0]: dict(zip(model.ANSWER_STATES, row[1:], strict=True)) for row in table.rows}
    assert all(rows[name][fate] == 1 for name, fate in fates.items())


def test_marks_fall_into_tenths_and_full_marks_into_the_last() -> None:
    assert dict(model.marks_table(CLASS).rows)["90 to 100 %"] == 1


def test_answers_that_give_the_same_stand_together_largest_first() -> None:
    first, *others = answer_groups(CLASS)
    assert (first.exercise, first.students, first.belief) == ("lay", ("bob", "cid"), "The chain has one end.")
    assert sum(len(group.students) for group in (first, *others)) == 6


def test_students_who_need_help_are_listed_with_the_reason() -> None:
    before = [entry(each.student, "rrrrr") for each in CLASS]
    reasons = {each.student: " ".join(each.reasons) for each in students_in_need({"warmup": before, "dominoes": CLASS})}
    assert "down from 100%" in reasons["dan"]
    assert "20% of the points" in reasons["eve"] and "ada" not in reasons


def test_low_marks_in_the_class_are_a_reason_and_the_weakest_come_first() -> None:
    strong = [entry(name, "rrrrr") for name in ("ada", "bob", "cid")]
    weak = [entry("fay", "rrwww"), entry("gus", "rwwww"), entry("hal", "rrrww")]
    reasons = {each.student: each.reasons[0] for each in students_in_need({"dominoes": [*strong, *weak]})}
    assert [*reasons] == ["gus", "fay", "hal"]
    assert reasons["gus"] == "20% of the points, 1 of 5 exercises solved"
    assert students_in_need({"dominoes": weak[:1]}) == []


def shown(entries: tuple[HandIn, ...]) -> ClassPageData:
    return ClassPageData("cs101", {"dominoes": entries}, {"dominoes": "Dominoes"}, {}, "1")


def test_the_page_is_self_contained_and_has_numbers_for_each_picture() -> None:
    text = class_page(shown(CLASS))
    assert text.count('role="img"') == text.count("<summary>table</summary>") == 3
    assert not any(word in text for word in ("<link", "src=", "url(http", "@import"))
    assert "2 of 5 students" in text and "No two of 5 submissions share enough rare code" in text


def test_the_page_begins_with_who_what_and_why_linked_to_the_pages() -> None:
    entries = tuple(replace(each, page=f"pages/{each.student}.html") for each in CLASS)
    missing = (StudentInNeed("zoe", ("handed in nothing",)),)
    text = re.sub(r"\s+", " ", class_page(replace(shown(entries), without_work=missing)))
    assert 'May need help:<ul><li><b><a href="pages/dan.html">dan</a></b>: 0% of the points, 0 of 5 exercises' in text
    assert "Hardest exercise: <b><code>lay</code></b>. 3 of 5 students reached it and did not solve it." in text
    assert "2 of 5 students probably thought: The chain has one end." in text
    assert "No marks yet:<ul><li><b>zoe</b>: handed in nothing</li></ul>" in text
    table = re.findall(r"<td>(?:<a [^>]*>)?(\w+)(?:</a>)?</td><td>([^<]*)</td><td>([^<]*)</td>", text)[:6]
    assert [name for name, *_ in table] == ["dan", "eve", "bob", "cid", "ada", "zoe"]
    assert table[2][1:] == ("4 of 10", "2 of 5") and table[-1][1:] == ("–", "–")


def test_all_exercises_that_are_hardest_are_named() -> None:
    tied = [entry("ada", "wrrrr"), entry("bob", "rwrrr")]
    two, five = (re.sub("</?(b|code)>", "", class_page(shown(each))) for each in (tied, [*tied, entry("cid", "rrwww")]))
    assert "Hardest exercises: flip, join. 1 of 2 students reached each of these and did not solve it." in two
    assert "2 wrong answers. No two students gave the same one." in two
    assert "Hardest exercises: flip, join, lay, and 2 more. 1 of 3 students" in five


def test_a_broken_rule_of_style_is_explained() -> None:
    (row,) = model.form_table(CLASS).rows
    assert row == ("loops, for example: a loop", 2, 2)


def test_the_page_of_one_submission_compares_it_with_nobody() -> None:
    text = class_page(shown(CLASS[1:2]))
    compared = ("May need help", "Hardest", "Most common", "median", "Marks", "Similar code", "by difficulty</h2>")
    assert [words for words in compared if words in text] == []


def test_a_copy_in_one_of_two_assignments_is_detected() -> None:
    sources = [*sources_of("uno").values()][:2]
    codes = [Code(each, {label: sorted(prints) for label, prints in fingerprints_of(each).items()}) for each in sources]
    pairs = [("ada", codes[0]), ("bob", codes[0]), ("ada", codes[1]), ("bob", Code())]
    entries = [replace(entry(name, "rrrrr"), code=code) for name, code in pairs]
    text = class_page(ClassPageData("c", {"uno": entries}, {}, {}, ""))
    assert "<b>ada and bob</b>" in text and "<h4>ada</h4>" in text and "<h4>bob</h4>" in text


def keep(store: Store, hand_in: HandIn, course: str = "") -> None:
    """Store the report on a submission."""
    names, report = [hand_in.student] * 3, json.dumps(exported_report(hand_in.report))
    store.save_result(StoredResult(course, *names, "", "dominoes", "1", "", True, report, marks_json(hand_in.report)))


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Return a folder that `foldem grade --out` has written."""
    store = Store(tmp_path / STORE)
    for each in CLASS:
        keep(store, each)
    return tmp_path


def test_the_page_of_a_course_shows_its_store(reports: Path) -> None:
    assert list(report_command.run(ReportOptions(folder=reports))) == [f"wrote  {reports / 'class.html'}"]
    text = (reports / "class.html").read_text()
    assert "5 submissions" in text and "lay" in text


def test_the_page_shows_adjusted_marks(reports: Path) -> None:
    (reports / "foldem.toml").write_text('seed = "0"\n')
    bonus = '[[bonus]]\nstudent = "dan"\nunit = "dominoes"\npoints = 9\n'
    (reports / "adjust.toml").write_text(f"[dominoes.flip]\npoints = 20\n{bonus}")
    store = Store(reports / STORE)
    for each in CLASS:
        keep(store, each, course="course")
    shown = {each.student: each for each in class_page_data(read_course(reports, known()), store).by_unit["dominoes"]}
    assert shown["ada"].report["flip"].points == 20 and shown["dan"].report.points == 9
    assert shown["dan"].last_answered_number == 1 and "bonus" not in shown["dan"].report.assigned_exercises


def test_code_in_a_courses_own_notebook_is_no_evidence(reports: Path) -> None:
    (reports / "foldem.toml").write_text('seed = "0"\n')
    keep(store := Store(reports / STORE), CLASS[0], course="course")
    write_file(reports / "release" / "tiles" / "1_dominoes.ipynb", notebook_with("dominoes", {"flip": "teachers = 1"}))
    write_file(reports / "release" / "broken" / "1_dominoes.ipynb", "")
    assert "teachers = 1" in class_page_data(read_course(reports, known()), store).common["dominoes"]


BARS = """() => [...document.querySelectorAll(".bars > .bar")].filter((bar) => bar.checkVisibility()).map((bar) => {
  const label = bar.previousElementSibling, name = label.previousElementSibling;
  const [own, near] = [bar, label].map((node) => node.getBoundingClientRect());
  const ends = [...bar.children].map((box) => box.getBoundingClientRect().right);
  const isCut = name.scrollWidth > name.clientWidth + 1;
  return { left: own.left, right: own.right, ends, label: near.right, bottom: near.bottom - own.top, isCut };
})"""


@pytest.mark.browser
@pytest.mark.parametrize("media", ["screen", "print"])
def test_a_chart_fits_a_phone_with_its_percentage_at_the_bar(seen: Any, media: str) -> None:
    seen.set_viewport_size({"width": 390, "height": 844})
    seen.emulate_media(media=media)
    bars = seen.evaluate(BARS)[: len(NAMES)]
    assert len(bars) == len(NAMES) and all(bar["left"] >= 0 and bar["right"] <= 390 for bar in bars)
    assert all(bar["label"] <= bar["right"] + 1 and bar["bottom"] <= 8 and not bar["isCut"] for bar in bars)
    assert all(abs(max(bar["ends"]) - bar["right"]) < 1 for bar in bars)
    seen.emulate_media(media="screen")


@pytest.mark.browser
def test_the_table_of_students_is_sorted_by_a_click(seen: Any) -> None:
    names = "() => [...document.querySelectorAll('#students tbody tr')].map((row) => row.cells[0].textContent)"
    assert seen.evaluate(names) == ["dan", "eve", "bob", "cid", "ada"]
    seen.get_by_role("button", name="points").click()
    assert seen.evaluate(names)[0] == "ada"
    seen.get_by_role("button", name="student").click()
    assert seen.evaluate(names) == ["ada", "bob", "cid", "dan", "eve"]


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Provide a browser without a network."""
    with chromium(tmp_path_factory.mktemp("pages") / "profile", offline=True) as browser:
        yield browser


@pytest.fixture(scope="module")
def seen(offline: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the page in a browser, opened from a file."""
    sheet = offline.new_page()
    sheet.goto(write_file(tmp_path_factory.mktemp("class") / "class.html", class_page(shown(CLASS))).as_uri())
    return sheet


@pytest.mark.proof
@pytest.mark.browser
def test_the_page_is_accessible_in_both_themes_and_fits_narrow_windows(seen: Any) -> None:
    assert_page_accessible(seen)
    seen.add_style_tag(content="main { color: #777 !important; background: #888 !important }")
    assert [each["id"] for each in serious(seen, "html")] == ["color-contrast"]


# ------------------------------------------------------------------------------------------------ a submission

LONG = Failure(f"append(Domino(1, 2), Chain(1, '{'1-1 ' * 40}', 1))", GAVE, f"({'1, ' * 90})", f"({'2, ' * 90})")
OTHER = Failure(f"{LONG.call}, {LONG.call}", GAVE, "1", "2")
EXERCISES = (
    ExerciseReport("flip", 1, PASSED, 1, 1, facets=(FacetReport("the examples", True, 3),)),
    ExerciseReport(
        "append", 2, WRONG, 0.5, 2, facets=(FacetReport("left", False, 3, LONG), FacetReport("right", False, 3, OTHER))
    ),
    ExerciseReport("legal_adds", 3, UNWRITTEN, 0, 3, mistake=KnownMistake("a < b", "not so")),
)
SOURCES = {
    "flip": "flip = tuple",
    "append": f'def append(domino, chain, side):\n    """Lay it."""\n    return ({"chain + " * 40}domino)',
}
PAGE = report_page(Graded("dominoes", "Dominoes", "1", "0", "bubblewrap", EXERCISES), "a_long_name_" * 7, SOURCES)


def test_a_page_begins_with_contents_with_points_linked_to_each_exercise() -> None:
    for exercise in EXERCISES:
        assert PAGE.index(f'href="#{exercise.name}"') < PAGE.index(f'id="{exercise.name}"')
    assert "append</a> 0.5 of 2</li>" in PAGE and "legal_adds</a> 0 of 3</li>" in PAGE


def test_points_from_the_teacher_and_lost_points_are_never_filtered() -> None:
    late = ExerciseReport("lateness", 0, PASSED, -1.5, 0, remarks=("late by 3 h: 10% of the points",))
    rows = (
        EXERCISES[0],
        ExerciseReport("styled", 2, PASSED, 1.6, 2, form_of=0.4, facets=EXERCISES[0].facets),
        ExerciseReport("praised", 3, PASSED, 2, 2, remarks=("well done",)),
        ExerciseReport("bonus", 0, PASSED, 2, 0),
        ExerciseReport("essay", 0, PASSED, 4, 4),
        late,
    )
    shown = report_page(Graded("dominoes", "Dominoes", "1", "0", "bubblewrap", rows), "ann")
    kinds = re.findall(r'<section id="\w+" class="([^"]*)"', shown)
    assert kinds == ["good complete", "good", "good", "open", "good complete", "open"]
    assert "lateness</a> -1.5</li>" in shown and "essay</a> 4 of 4</li>" in shown
    assert exercise_text(late) == "○ lateness: -1.5 points\n  late by 3 h: 10% of the points"


def test_a_written_report_is_shown_to_the_teacher_and_is_no_code() -> None:
    notebook = blank_notebook("bots")
    cell = next(cell for cell in notebook.cells if grade_id(cell) == WRITTEN_REPORT)
    assert cell.cell_type == "markdown" and cell.metadata["nbgrader"]["points"] == 0
    cell.source = "**1. The task.** It plays <cards>."
    code = submission_code(submission_of(notebook))
    shown = report_page(Graded("bots", "Bots", "1", "0", "bubblewrap", ()), "ann", code.sources)
    assert "For the teacher" in shown and "It plays &lt;cards&gt;." in shown and WRITTEN_REPORT not in code.prints
    assert "For the teacher" not in PAGE


def test_the_page_of_a_broken_file_has_its_next_step() -> None:
    broken = report_page(Ungradable(BadFile("line 1 is broken")), "ann/1_dominoes", {}, "ann")
    assert "<h1>ann</h1>" in broken and "No points yet" in broken and "hand it in again" in broken
    assert "sandbox" not in broken and "seed" not in broken


CUT = """() => [...document.querySelectorAll("h1, p, section, footer, .own")].filter((node) =>
  node.checkVisibility() && getComputedStyle(node).display !== "inline" &&
  (node.getBoundingClientRect().right > innerWidth + 1 || node.scrollWidth > node.clientWidth + 1)
).map((node) => node.outerHTML)"""


FOLDS = """() => Object.fromEntries(Object.entries({
  call: "#append [role=group] details > pre", others: "#append .foldem-result > details > div",
  right: "#flip .own", wrong: "#append .own",
}).map(([name, path]) => [name, document.querySelector(path).checkVisibility({contentVisibilityAuto: true})]))"""


@pytest.mark.browser
@pytest.mark.parametrize(("width", "media"), [(390, "screen"), (794, "print"), (390, "print")])
def test_a_page_is_complete_on_a_phone_and_short_on_paper(phone: Any, width: int, media: str) -> None:
    phone.set_viewport_size({"width": width, "height": 844})
    phone.emulate_media(media=media)
    assert phone.evaluate(CUT) == [] and phone.locator("button").first.is_visible() == (media == "screen")
    labels = [phone.get_by_text(name, exact=True).first.bounding_box() for name in ("call", "returned", "expected")]
    folds = phone.evaluate(FOLDS)
    assert folds == {"call": media == "print", "others": False, "right": False, "wrong": True}
    assert len({label["x"] for label in labels}) == 1 and len({label["y"] for label in labels}) == 3
    phone.emulate_media(media="screen")


@pytest.fixture(scope="module")
def phone(offline: Any) -> Any:
    sheet = offline.new_page()
    sheet.set_content(PAGE)
    return sheet


@pytest.mark.browser
def test_a_page_is_accessible_in_both_themes_and_filters_failures(phone: Any) -> None:
    assert_page_accessible(phone)
    assert phone.get_by_label("Show only exercises with lost points or remarks").is_checked()
    assert [each.inner_text() for each in phone.locator("h2:visible").all()] == ["append", "legal_adds"]
    seen = phone.locator("section:visible").evaluate_all("sections => sections.map((section) => section.id)")
    assert seen == ["append", "legal_adds"]
    phone.add_style_tag(content="section { color: #777 !important; background: #888 !important }")
    assert [each["id"] for each in serious(phone, "html")] == ["color-contrast"]
