"""The page of a class: it reports exactly what was planted in the class."""

from __future__ import annotations

import ast
import json
import os
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.classroom import model
from autograder.classroom.alike import MOST_PRINTS, _Class, alike
from autograder.classroom.groups import drafts, groups
from autograder.classroom.help import InNeed, in_need
from autograder.classroom.model import HandIn
from autograder.classroom.page import ClassPage, csv_text, page
from autograder.classroom.tabular import tabular
from autograder.commands.report import make_page, shown_of, stored_code, unknown_groups
from autograder.config import ConfigError
from autograder.report.model import PASSED, UNWRITTEN, WRONG, ExerciseReport, FacetReport, Graded
from autograder.report.render import exercise_text
from autograder.submission.code import Code, code_key, code_text
from autograder.submission.fingerprints import prints_of
from autograder.term.comments import commented, comments_in
from autograder.term.course import read_course
from autograder.term.results import content_of, marks_json
from autograder.term.store import DATABASE_FILE as STORE
from autograder.term.store import Store, StoredResult
from course.diagnoses.failure import Did, Failure
from course.form import FormFinding
from tests.axe import assert_accessible, open_questions, serious
from tests.classroom import notebook_with, reference_answers, right_answers
from tests.test_tables_browser import CHROMIUM, chromium
from tests.units import known, read_unit, unit_names

NAMES = ("flip", "join", "lay", "count", "play")


class _Renamed(ast.NodeTransformer):
    """Rename every name that a source binds."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names.get(node.arg, node.arg), node.annotation)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node = self.generic_visit(node)  # type: ignore[assignment]
        node.name = self.names.get(node.name, node.name)
        return node

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        self.generic_visit(node)
        return ast.MatchAs(node.pattern, self.names.get(node.name or "", node.name))


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
    texts = {label: ast.unparse(_Renamed(names).visit(tree)) for label, tree in trees.items()}
    return dict(random.Random(seed).sample(sorted(texts.items()), len(texts)))


def sources_of(unit: str) -> dict[str, dict[str, str]]:
    return {
        str(right): {**right.answers, **{f"helper {place}": text for place, text in enumerate(right.helpers)}}
        for right in right_answers(unit)
    }


def printed(sources: dict[str, dict[str, str]]) -> dict[str, dict[str, frozenset[int]]]:
    return {name: prints_of(of) for name, of in sources.items()}


def common_of(unit: str) -> list[str]:
    return [exercise.source for exercise in read_unit(unit).exercises]


@pytest.mark.parametrize("unit", unit_names())
def test_no_pair_of_independent_solutions_is_alike(unit: str) -> None:
    assert alike(printed(sources_of(unit)), common_of(unit)) == []


def test_exactly_the_twelve_planted_copies_are_detected() -> None:
    found, planted = set(), set()
    for unit in unit_names():
        honest = sources_of(unit)
        copies = {
            f"copy of {name}": disguised(sources, set(read_unit(unit).by_name), place)
            for place, (name, sources) in enumerate(list(honest.items())[:2])
        }
        planted |= {frozenset((name.removeprefix("copy of "), name)) for name in copies}
        found |= {frozenset((pair.first, pair.second)) for pair in alike(printed(honest | copies), common_of(unit))}
    assert len(planted) == 12 and found == planted


@pytest.mark.parametrize("unit", unit_names())
def test_all_five_planted_copies_are_detected(unit: str) -> None:
    honest = sources_of(unit)
    originals = [*honest, next(iter(honest))]
    copies = {
        f"copy {seed} of {name}": disguised(honest[name], set(read_unit(unit).by_name), seed)
        for seed, name in enumerate(originals)
    }
    clusters = [{each.first, each.second, *each.others} for each in alike(printed(honest | copies), common_of(unit))]
    for copy in copies:
        assert [copy.partition(" of ")[2] in cluster for cluster in clusters if copy in cluster] == [True]
    assert len(copies) == 5 and len(clusters) == 4


def test_code_shared_by_most_of_a_class_is_no_evidence() -> None:
    taught = (
        "def helper(cards):\n    return tuple(card for card in cards if card.suit != 3 and card.rank in (1, 2, 3))\n"
    )
    everybody = {str(place): {"helper": taught * 3} for place in range(40)}
    assert alike(printed(everybody), [taught]) == []


@given(st.sampled_from(common_of("dominoes")), st.integers(0, 9))
def test_a_disguise_changes_no_fingerprint(source: str, seed: int) -> None:
    plain, hidden = {"f": source}, disguised({"f": source}, set(), seed)
    assert prints_of(hidden) == prints_of(plain)


def strangers(count: int) -> dict[str, dict[str, frozenset[int]]]:
    return {f"stranger {place}": prints_of({"f": f"def f(x):\n    return x + {place}"}) for place in range(count)}


def junk(seed: int) -> str:
    """Return long code that nobody else has."""
    lines = (f"    a{place} = g{seed}_{place % 7}(x, {place * seed}, y.b{place * seed % 11})" for place in range(400))
    return "def padding(x, y):\n" + "\n".join(lines)


@pytest.mark.parametrize("size", [5, 25, 60])
def test_many_copies_of_one_notebook_are_one_group(size: int) -> None:
    sources = sources_of("uno")["uno-folds"]
    ring = {f"copy {place}": prints_of(disguised(sources, set(sources), place)) for place in range(size)}
    (found,) = alike(ring | strangers(200 - size), common_of("uno"))
    assert {found.first, found.second, *found.others} == ring.keys()


def test_a_padded_copy_is_detected() -> None:
    sources = sources_of("uno")["uno-folds"]
    padded = {f"copy {seed}": prints_of(sources | {"helper": junk(seed)}) for seed in (1, 2)}
    (found,) = alike(padded | strangers(30), common_of("uno"))
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


def test_code_without_effect_changes_no_fingerprint() -> None:
    assert prints_of({"f": NOISY}) == prints_of({"f": PLAIN})


def test_names_in_letters_that_look_alike_change_no_fingerprint() -> None:
    hidden = PLAIN.replace("items", "itеms").replace("total", "ｔｏｔａｌ").replace("each", "еасh")
    assert hidden != PLAIN and prints_of({"f": hidden}) == prints_of({"f": PLAIN})


def test_of_very_long_code_a_part_is_compared_and_shown() -> None:
    long = "def f(x):\n" + "".join(f"    a{place} = g{place}(x, {place})\n" for place in range(6_000))
    hand_ins = [entry(f"s{place}", "r----") for place in range(3)]
    code = Code({NAMES[0]: long}, {label: sorted(found) for label, found in prints_of({NAMES[0]: long}).items()})
    entries = [replace(each, code=code) for each in hand_ins]
    assert len(_Class.of({"s": code.prints}, frozenset()).complete["s"]) == MOST_PRINTS < len(code.prints[NAMES[0]])
    shown = page(ClassPage("A class", {"warmup": entries}, {}, {}, {}, "1"))
    assert "s0 and s1, and 1 other" in shown and "a100 =" in shown and "a5999 =" not in shown


TABLE = {number: number * 7 % 5 for number in range(40)}
TABLES = {
    "a dict": f"def f(n):\n    return {TABLE}.get(n, 0)",
    "branches": "def f(n):\n" + "".join(f"    if n == {key}: return {value}\n" for key, value in TABLE.items()),
    "cases": "def f(n):\n    match n:\n" + "".join(f"        case {k}: return {v}\n" for k, v in TABLE.items()),
    "given types": "T = ("
    + "".join(f"(Crd(Num({k}), RED), {v}), " for k, v in TABLE.items())
    + ")\ndef f(card):\n    return dict(T)[card]",
    "a text": f"def f(n):\n    return int('{'0123456789' * 80}'[n])",
    "a number": f"def f(n):\n    return {7**1200} // 10 ** n % 10",
}


@pytest.mark.promise("kits")
@pytest.mark.parametrize("kind", TABLES)
def test_an_answer_that_is_mostly_values_is_listed(kind: str) -> None:
    (found,) = tabular("eve", {"f": TABLES[kind]})
    assert (found.student, found.exercise) == ("eve", "f")
    hand_in = replace(entry("eve", "r----"), code=Code({"f": TABLES[kind]}))
    shown = ClassPage("A class", {"warmup": [hand_in]}, {}, {}, {}, "1")
    assert f"eve: <code>f</code>, {found.values} values" in page(shown)
    assert "eve:" not in page(shown, anonymous=True)


@pytest.mark.parametrize("unit", unit_names())
def test_no_right_answer_and_no_reference_is_mostly_values(unit: str) -> None:
    shown = sources_of(unit) | {"reference": reference_answers(read_unit(unit))}
    assert [found for name, sources in shown.items() for found in tabular(name, sources)] == []


def test_answers_with_huge_numbers_have_fingerprints() -> None:
    assert prints_of({"f": f"def f(card):\n    return card == 0x{'f' * 5_000}"})


def exercise(name: str, state: str, *, belief: str = "", digest: str = "", problem: str = "") -> ExerciseReport:
    passed = state == PASSED
    failure = None if passed else Failure(f"{name}(1)", Did.GAVE, "2", digest)
    facets = (FacetReport("other inputs", passed, 9, failure),)
    rules = (FormFinding("loops", True, 1, "a loop", "a fold"),) if belief else ()
    shown = () if state == UNWRITTEN or problem else facets
    points = 2.0 if passed else 0.0
    return ExerciseReport(
        name, 1, state, points, 2.0, problem, shown, belief=belief, form=rules, digest=digest, parses=not problem
    )


def report(*exercises: ExerciseReport) -> Graded:
    return Graded("dominoes", "Dominoes", "1", "0", "off", exercises)


def entry(student: str, states: str, **told: str) -> HandIn:
    """Return an entry; each letter is the state of an exercise: right, wrong, left out, or broken."""
    kinds = {"r": PASSED, "w": WRONG, "-": UNWRITTEN, "b": WRONG}
    made = [
        exercise(name, kinds[letter], digest="d1" if letter == "w" else "", belief=told.get(name, ""))
        if letter != "b"
        else exercise(name, WRONG, problem="the cell does not parse: invalid syntax, line 1")
        for name, letter in zip(NAMES, states, strict=True)
    ]
    return HandIn(student, report(*made), Code({name: f"def {name}(a):\n    return {student!r}" for name in NAMES}))


CLASS = (
    entry("ada", "rrrrr"),
    entry("bob", "rrwww", lay="The chain has one end."),
    entry("cid", "rwwr-", lay="The chain has one end."),
    entry("dan", "w----"),
    entry("eve", "bbbr-"),
)


def test_every_submission_is_counted_once_in_each_exercise() -> None:
    table = model.difficulty(CLASS)
    assert {sum(row[1:]) for row in table.rows} == {len(CLASS)} and len(table.rows) == len(NAMES)


def test_an_exercise_that_was_wrong_before_is_right_after_tries() -> None:
    again = replace(entry("ada", "rrrrr"), earlier=(entry("ada", "wrr--").report,))
    rows = {row[0]: dict(zip(model.STATES, row[1:], strict=True)) for row in model.difficulty((again,)).rows}
    assert rows["flip"][model.AFTER_TRIES] == 1 and rows["count"][model.AT_ONCE] == 1


def test_skipped_exercises_are_told_from_those_not_reached() -> None:
    rows = {
        row[0]: dict(zip(model.STATES, row[1:], strict=True)) for row in model.difficulty((entry("a", "r-r--"),)).rows
    }
    assert rows["join"][model.LEFT_OUT] == rows["count"][model.NOT_REACHED] == 1


def test_marks_fall_into_tenths_and_full_marks_into_the_last() -> None:
    assert dict(model.marks(CLASS).rows)["90 to 100 %"] == 1


def test_answers_that_give_the_same_stand_together_largest_first() -> None:
    found = groups(CLASS)
    assert [(group.exercise, group.students) for group in found][:1] == [("lay", ("bob", "cid"))]
    assert found[0].belief == "The chain has one end." and sum(len(group.students) for group in found) == 6


def test_a_large_group_that_is_not_recognised_becomes_a_draft_that_parses() -> None:
    unknown = [entry(name, "w----") for name in ("u", "v", "w")]
    (draft,) = drafts(groups(unknown), 3, lambda _: True)
    (node,) = ast.parse(draft).body
    assert isinstance(node, ast.FunctionDef) and node.name.startswith("flip__TODO_") and "3 students" in draft


@pytest.mark.promise("terminal")
def test_a_draft_runs_and_prints_no_code_that_a_student_has_hidden_in_it() -> None:
    answer = "def flip(x=open('x')):  # \x1b[2J\x0c\n\treturn x"
    unknown = [replace(entry(name, "w----"), code=Code({"flip": answer})) for name in ("u", "v", "w")]
    (draft,) = drafts(groups(unknown), 3, lambda source: "open" not in source)
    assert not ast.parse(draft).body and "return x" in draft and all(map(str.isprintable, draft.split("\n")))


def test_students_who_need_help_are_listed_with_the_reason() -> None:
    before = [entry(each.student, "rrrrr") for each in CLASS]
    found = {each.student: " ".join(each.reasons) for each in in_need({"warmup": before, "dominoes": CLASS})}
    assert "stopped at exercise 1 of 5" in found["dan"] and "down from 100%" in found["dan"]
    assert "with syntax errors: flip, join, lay" in found["eve"] and "ada" not in found


def shown(entries: tuple[HandIn, ...]) -> ClassPage:
    return ClassPage("cs101", {"dominoes": entries}, {"dominoes": "Dominoes"}, {}, {}, "1")


def test_the_page_is_self_contained_and_has_numbers_for_each_picture() -> None:
    text = page(shown(CLASS))
    assert text.count('role="img"') >= 5 and text.count("as CSV</a>") >= 5
    assert not any(word in text for word in ("<script", "<link", "src=", "url(http", "@import"))


def test_an_anonymous_page_shows_no_value_of_a_students_choice() -> None:
    rude = Failure("flip(Domino(1, 2))", Did.GAVE, "'Bob is slow'", "Domino(2, 1)")
    facets = (FacetReport("the examples", False, 3, rude),)
    entries = tuple(
        replace(each, report=replace(each.report, exercises=(ExerciseReport("flip", 1, WRONG, 0, 1, facets=facets),)))
        for each in CLASS[:3]
    )
    text = page(shown(entries), anonymous=True)
    assert "flip(Domino(1, 2)), expected Domino(2, 1)" in text and "slow" not in text and "slow" in page(shown(entries))


def test_students_without_readable_work_come_first() -> None:
    missing = (InNeed("zoe", ("handed in nothing",)), InNeed("yan", ("handed in nothing readable: no notebook",)))
    text = page(replace(shown(CLASS), without_work=missing))
    assert text.index("zoe") < text.index("yan") < text.index("<h3>dan</h3>")
    assert "2<sup>" not in text and "By chance" not in text


def test_an_anonymous_page_names_nobody() -> None:
    text = page(shown(CLASS), anonymous=True)
    assert not any(re.search(rf"\b{each.student}\b", text) for each in CLASS)


def test_an_empty_class_has_a_page() -> None:
    assert "0 submissions" in page(shown(()))


def test_tables_escape_formulas() -> None:
    table = model.Counts("t", ("a",), (("=1+1",),), 1)
    assert "'=1+1" in csv_text(table)


def kept(store: Store, place: str, graded: Graded, content: str = "1", course: str = "") -> None:
    report = json.dumps(graded.as_dict())
    store.keep(StoredResult(course, place, place, place, "", "dominoes", content, "", True, report, marks_json(graded)))


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Return a folder that `foldem grade --out` has written, for a class in which one student handed in twice."""
    store = Store(tmp_path / STORE)
    kept(store, "ada", entry("ada", "wrr--").report, content="0")
    for each in CLASS:
        kept(store, each.student, each.report)
    return tmp_path


def test_the_page_of_a_course_shows_its_store(reports: Path) -> None:
    assert list(make_page(read_course(reports, known()), None, None, False)) == [f"wrote  {reports / 'class.html'}"]
    text = (reports / "class.html").read_text()
    assert (
        "5 submissions" in text
        and "lay" in text
        and "Change since the previous submission" in text
        and "<figcaption>1 submission." in text
    )


def test_an_earlier_version_is_an_earlier_report_but_a_duplicate_is_not(reports: Path) -> None:
    store = Store(reports / STORE)
    kept(store, "ada", CLASS[0].report)
    (shown,) = (
        each for each in shown_of(read_course(reports, known()), store).by_unit["dominoes"] if each.student == "ada"
    )
    assert [each.points for each in shown.earlier] == [entry("ada", "wrr--").report.points]


def test_large_groups_that_no_message_is_written_for_are_listed(reports: Path) -> None:
    assert list(unknown_groups(read_course(reports, known()), None, 2)) == []
    assert len(list(unknown_groups(read_course(reports, known()), None, 1))) == 4


def test_a_folder_without_graded_files_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there are no results of .* yet"):
        list(make_page(read_course(tmp_path, known()), None, "sqlite://", False))


def test_a_comment_reaches_exactly_its_group(tmp_path: Path) -> None:
    (tmp_path / "comments.toml").write_text('[lay]\nd1 = "Both ends count."\n')
    told = [commented(each.report, comments_in(tmp_path)) for each in CLASS]
    reached = {each.student for each, graded in zip(CLASS, told, strict=True) if "Both ends" in str(graded)}
    assert reached == {"bob", "cid"}
    assert "from your teacher: Both ends count." in exercise_text(told[1]["lay"])


@pytest.mark.parametrize("text", ['lay = "no table"', "[lay]\nd1 = 3", "[lay"])
def test_unusable_comments_are_reported_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "comments.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"comments\.toml(:\d+)?: [^\n]+$"):
        comments_in(tmp_path)


def test_code_that_was_kept_is_not_read_again(tmp_path: Path) -> None:
    store, sources = Store("sqlite://"), {"flip": "def flip(a):\n    return a"}
    store.keep_code(code_key("1"), code_text(Code(sources)))
    entry = StoredResult("", "gone.ipynb", "ada", "ada", "", "dominoes", "1", "", True, "{}", "{}")
    assert stored_code(tmp_path / "gone.ipynb", entry, store, known()).sources == sources


def test_code_not_in_the_store_is_read_from_an_unchanged_file(tmp_path: Path) -> None:
    file, store = tmp_path / "2_sedma.ipynb", Store("sqlite://")
    nbformat.write(notebook_with("sedma", reference_answers(read_unit("sedma"))), file)
    entry = StoredResult("", file.name, "ada", "ada", "", "sedma", content_of(file), "", True, "{}", "{}")
    assert stored_code(file, replace(entry, content="another"), store, known()) == Code()
    read = stored_code(file, entry, store, known())
    assert "replay" in read.sources and store.code(code_key(entry.content)) == code_text(read)


def test_the_page_shows_adjusted_marks(reports: Path) -> None:
    (reports / "foldem.toml").write_text('seed = "0"\n')
    (reports / "adjust.toml").write_text(
        '[dominoes.flip]\npoints = 20\n[[bonus]]\nstudent = "dan"\nunit = "dominoes"\npoints = 9\n'
    )
    store = Store(reports / STORE)
    for each in CLASS:
        kept(store, each.student, each.report, course=reports.name)
    told = {each.student: each for each in shown_of(read_course(reports, known()), store).by_unit["dominoes"]}
    assert told["ada"].report["flip"].points == 20 and told["dan"].report.points == 9
    assert told["dan"].reach == 1 and "bonus" not in told["dan"].names


def test_every_group_has_its_size_and_every_table_a_csv_file() -> None:
    text = page(shown(CLASS))
    assert "2 of 5 students" in text and "<figcaption>5 submissions." in text
    for title in ("Marks", "Exercises by difficulty", "How far students got", "Unit by unit"):
        assert f'download="{title.lower().replace(" ", "-")}.csv"' in text
    assert "of 5 students in the last unit" in text and "No two of 5 submissions are similar" in text


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Provide the page in a browser, opened from a file and without a network."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "class.html").write_text(page(shown(CLASS)))
    with chromium(folder / "profile", offline=True) as browser:
        sheet = browser.new_page()
        sheet.goto((folder / "class.html").as_uri())
        yield sheet


@pytest.mark.proof
@pytest.mark.browser
@pytest.mark.xdist_group("browser")
@pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium: apt-get install chromium")
def test_the_page_is_accessible_in_both_themes_and_fits_narrow_windows(seen: Any) -> None:
    seen.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    for scheme, width in (("light", 390), ("dark", 1366)):
        seen.emulate_media(color_scheme=scheme)
        seen.set_viewport_size({"width": width, "height": 900})
        assert_accessible(seen, "html")
        assert open_questions(seen, "html") == set()
        assert seen.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    seen.add_style_tag(content="main { color: #777 !important; background: #888 !important }")
    assert [each["id"] for each in serious(seen, "html")] == ["color-contrast"]
