"""The laws of every unit; one of them is that lessons teach what the exercises need."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import permutations
from textwrap import dedent
from typing import TypeAlias

import jupytext
import nbformat

from autograder.config import PUBLISHED_SEED, Policy, secret_folders
from autograder.exam.contrast import FIRST_ARGUMENT_COUNT
from autograder.grading.puzzles import PuzzleMaker
from autograder.grading.run import grade_in, open_sandbox
from autograder.hosts.nbgrader import built_files, changed_files
from autograder.prove.answers import (
    COURSE_SEED,
    RightSolution,
    grade_trusted,
    messages_if_examples_accept,
    messages_if_kit_accepts,
    messages_if_kit_refuses,
    messages_if_left_to_teacher,
    messages_if_waiting,
    reference_answers,
    right_answers,
    sandbox_of,
    submission_of_solution,
    submission_with,
)
from autograder.prove.inspection import example_errors
from autograder.prove.mutate import Mutant, is_right, mutants_of, stale_mutant_messages
from autograder.report.model import PASSED, UNGRADED, UNWRITTEN, WRONG, ExerciseReport, KnownMistake
from autograder.report.words import first_problem_text
from autograder.sandbox.host import NoSandbox, find_level
from autograder.submission.plain import find_refused_construct
from autograder.submission.sort import submission_of
from autograder.units.build import notebook_file
from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.pack import COURSE_FOLDER
from autograder.units.pages import given_names
from autograder.units.unit import Exercise, PassingMode, Unit, read_unit, requirements_of
from course.form import review
from course.syntax import bound_names, global_names_in, lines_of

LAZY_VALUES = ("True", "False", "None", "()")
KIT_SEEDS = {"the kit": PUBLISHED_SEED, "the kit of a course": COURSE_SEED}
MUTANT_LAW_NAME = "mutants refused"
SHORTEST_LEAK = 13  # shorter lines occur by chance


@dataclass(frozen=True)
class Proof:
    """The result of testing a law: how many cases were tested, and the violations of the law."""

    law: str
    tried: int
    against: tuple[str, ...] = ()
    is_law: bool = True  # otherwise it is a figure, which has no consequences

    @property
    def number_held(self) -> int:
        return self.tried - len(self.against)


def law_proof(law: str, violations: Iterable[Iterable[str]], is_law: bool = True) -> Proof:
    """Return the result of testing a law.

    `violations` has a list of messages for each tested case. In a case without messages, the law is not violated.
    """
    each = [tuple(lines) for lines in violations]
    return Proof(law, len(each), tuple("; ".join(lines) for lines in each if lines), is_law)


# -------------------------------------------------------------------------- statements and notebooks


def prove_examples(unit: Unit, exercise: str | None = None) -> Proof:
    """Check that references return the results that the statements show, for one exercise or for all."""
    return law_proof("examples are right", example_errors(unit, [exercise] if exercise else ()))


def prove_notebook(unit: Unit) -> Proof:
    """Check that the built notebook is up to date, is unsolved, and contains no line of a reference."""
    built = built_files([unit])
    wrong = f"this file is out of date. Run `foldem build --pack {unit.pack.root}`"
    stale = [f"{path}:1: {wrong}" for path in changed_files(built)]
    notebook = nbformat.reads(built[notebook_file(unit)], as_version=4)
    report = grade_trusted(submission_of(notebook, unit.catalogue))
    solved = [exercise.name for exercise in report.exercises if exercise.state != UNWRITTEN]
    lines = {line.strip() for cell in notebook.cells for line in lines_of(cell.source)}
    leaked = [line for exercise in unit.exercises for line in leak_messages(exercise, lines)]
    shown = [f"solved in the notebook: {name}" for name in solved]
    return law_proof("notebooks up to date and without answers", [stale, shown, leaked])


def leak_messages(exercise: Exercise, shown: set[str]) -> Iterator[str]:
    """Yield a message for each line of a reference that a notebook shows.

    A line that is also in the exercise's statement may be shown.
    """
    lines = [line.strip() for line in lines_of(exercise.source)]
    last = exercise.docstring_end
    for line in lines[last:]:
        if len(line) >= SHORTEST_LEAK and line in shown - {*lines[:last]} and not line.startswith(("@", "case ")):
            yield f"the notebook shows a line of {exercise.name}: {line}"


# -------------------------------------------------------------------------------- answers and exams


def prove_references(unit: Unit, exercise: str | None = None) -> Proof:
    """Check that references get all points, including those for form, in the same sandbox as students' answers."""
    try:
        level = find_level(secret_folders(unit.catalogue))
    except NoSandbox:
        level = "off"
    policy = Policy(sandbox=level, exercises=(exercise,) if exercise else ())
    answers = {exercise: unit[exercise].source} if exercise else reference_answers(unit)
    with open_sandbox(unit, policy) as sandbox:
        report = grade_in(sandbox, submission_with(unit, answers), policy)
    short = ((unit.location(unit[each.name]), _lost_points_message(each, "reference")) for each in report.exercises)
    return law_proof("reference solutions pass", ([f"{where}: {line}" for line in lines] for where, lines in short))


def _lost_points_message(exercise: ExerciseReport, what: str) -> list[str]:
    if exercise.state == PASSED and exercise.points == exercise.of:
        return []
    why = first_problem_text(exercise) or "its form"
    return [f"{exercise.name}: the {what} gets {exercise.points:g} of {exercise.of:g} points: {why}"]


def messages_if_mistake_passes(wrong: Mistake) -> list[str]:
    """Return a message if the exam accepts a known mistake, or confuses it with another known mistake."""
    submission = submission_with(wrong.unit, {wrong.exercise: wrong.source})
    report = grade_trusted(submission, wrong.exercise)[wrong.exercise]
    if report.state != WRONG:
        return [f"{wrong.location}: the exam accepts the mistake {wrong.exercise}__{wrong.name}: add a case"]
    if wrong.truth and report.mistake != KnownMistake(wrong.belief, wrong.truth):
        return [f"{wrong.location}: the mistake {wrong.exercise}__{wrong.name} is recognised as another mistake"]
    return []


def messages_if_right_fails(right: RightSolution, exercises: Collection[str] = ()) -> list[str]:
    """Return a message, with file and line number, for each answer of the solution `right` that the exam refuses."""
    report = grade_trusted(submission_of_solution(right), *exercises)
    short = ((right.location(e.name), _lost_points_message(e, "answer")) for e in report.exercises if e.state != PASSED)
    return [f"{where}: {line}" for where, lines in short for line in lines]


def messages_if_style_broken(right: RightSolution) -> list[str]:
    """Return a message, with file and line number, for each rule of form that the solution `right` breaks."""
    submission = submission_of_solution(right)
    findings = (
        (name, each)
        for name, answer in submission.answers.items()
        for each in review(
            requirements_of(right.unit, right.unit[name]), answer.source, submission.helpers_for([answer.source])
        )
    )
    return [
        f"{right.location(name)}: {name} breaks the rule of style {each.rule!r}: {each.why}"
        for name, each in findings
        if each.breaks
    ]


def lazy_answers(exercise: Exercise) -> tuple[str, ...]:
    """Return answers that compute nothing: constants, and functions that return one of their arguments."""
    named = any(parameter.passing in (PassingMode.NAME, PassingMode.NAME_OR_NONE) for parameter in exercise.parameters)
    head = f"def {exercise.name}(*args{', **named' if named else ''}):\n    return"
    all_given = "(*args, *named.values())" if named else "args"
    given = (f"{head} {all_given}[{index}]" for index in range(len(exercise.parameters)))
    return (
        *(f"{head} {value}" for value in LAZY_VALUES),
        *given,
        *(f"{exercise.name} = {value}" for value in LAZY_VALUES),
    )


def messages_if_lazy_earns(unit: Unit, name: str) -> list[str]:
    """Return a message for each of the lazy answers to an exercise (see `lazy_answers`) that earns points."""
    lazy = lazy_answers(unit[name])
    # Answers that do next to nothing with the first arguments. One of them may be right.
    numbers = range(min(len(unit[name].parameters), FIRST_ARGUMENT_COUNT))
    parts = (f"args[{index}]{part}" for index in numbers for part in ("[::-1]", "[0]", "[-1]"))
    pairs = (f"args[{one}] {sign} args[{other}]" for one, other in permutations(numbers, 2) for sign in ("+", "=="))
    short = [f"def {name}(*args, **named):\n    return {code}" for code in (*parts, *pairs)]
    reports = {answer: grade_trusted(submission_with(unit, {name: answer}), name)[name] for answer in (*lazy, *short)}
    earned = [a for a, each in reports.items() if each.points and (a in lazy or each.state != PASSED)]
    return [f"earns points: {' '.join(answer.split())}" for answer in earned]


def prove_plain_answers(unit: Unit) -> Proof:
    """Check that all right answers are plain code (see `submission/plain.py`), so that their reports can show details.

    Only Foldem's own units have to obey this law. Units of other authors may use values whose methods are not plain,
    such as `Decimal.quantize`.
    """
    styles = {right.style: (*right.helpers, *right.answers.values()) for right in right_answers(unit)}
    matches = ((style, find_refused_construct(sources, unit.module)) for style, sources in styles.items())
    each = ([f"{style} uses `{match[1].code}`, which is not plain"] if match else [] for style, match in matches)
    return law_proof("right answers show details in reports", each, is_law=unit.pack.course == COURSE_FOLDER.name)


def messages_if_mutant_passes(mutant: Mutant, seed: str = "0") -> list[str]:
    """Return a message with the changed code if the exam accepts a mutant, or if it cannot judge the mutant."""
    submission = submission_with(mutant.unit, {mutant.exercise: mutant.source})
    state = grade_trusted(submission, mutant.exercise, seed=seed)[mutant.exercise].state
    if state not in (PASSED, UNGRADED):
        return []
    return [f"a change that the exam {'accepts' if state == PASSED else 'cannot judge'}: {mutant}"]


def messages_if_puzzle_fails(unit: Unit, name: str) -> list[str]:
    """Return a message if the reference's lines, in their right order, don't solve the exercise's puzzle."""
    maker = PuzzleMaker(unit, unit[name])
    is_solved = not maker.has_puzzle or maker.passes(
        "\n".join((*maker.header_lines, *maker.right_lines)), sandbox_of(unit)
    )
    return [] if is_solved else [f"{name}: the lines of the reference, in their order, do not solve its puzzle"]


# ------------------------------------------------------------------------------------------------ what lessons teach


FormsAndWords: TypeAlias = tuple[frozenset[str], frozenset[str]]
"""Forms of syntax, and words."""

# What a reader knows after one semester of Python without functional programming.
BASIC_WORDS = frozenset(
    [
        "abs",
        "bool",
        "dict",
        "float",
        "input",
        "int",
        "len",
        "list",
        "max",
        "min",
        "open",
        "print",
        "range",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "append",
        "join",
        "lower",
        "split",
        "strip",
        "upper",
        "True",
        "False",
        "None",
        "ValueError",
    ]
)
TEACHING_ADVICE = "show it in a lesson above, or list it in `assumes` of the TOML"
INNER_FUNCTION_FORM = "a function in a function"
NAME_PATTERN = re.compile(r"[^\W\d]\w*")
CODE_BLOCK_PATTERN = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
INLINE_CODE_PATTERN = re.compile(r"`([^`]+)`|<code>(.*?)</code>", re.DOTALL)
PROMPT_PATTERN = re.compile(r"^(?:>>>|\.\.\.)(?: |$)", re.MULTILINE)
PREDICTION_PATTERN = re.compile(r'predict\(\s*"""(.*?)"""', re.DOTALL)
FORMS_BY_NODE: dict[type[ast.AST], str] = {
    ast.Lambda: "`lambda`",
    ast.GeneratorExp: "a comprehension",
    ast.ListComp: "a comprehension",
    ast.SetComp: "a set comprehension",
    ast.DictComp: "a dict comprehension",
    ast.IfExp: "`… if … else …`",
    ast.NamedExpr: "`:=`",
    ast.Match: "`match`",
    ast.MatchClass: "a class in a pattern",
    ast.MatchOr: "`|` in a pattern",
    ast.MatchSequence: "a tuple in a pattern",
    ast.MatchStar: "a star in a pattern",
    ast.Raise: "`raise`",
    ast.Try: "`try`",
    ast.With: "`with`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield`",
    ast.Is: "`is`",
    ast.IsNot: "`is not`",
}


def _has_star(items: Iterable[ast.AST]) -> bool:
    return any(isinstance(each, ast.Starred) for each in items)


def _is_tuple_with_star(node: ast.AST, ctx: type[ast.expr_context]) -> bool:
    return isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ctx) and _has_star(node.elts)


SPECIAL_FORMS: dict[str, Callable[[ast.AST], object]] = {  # those for which the type of a node is not enough
    "a condition in a comprehension": lambda node: isinstance(node, ast.comprehension) and node.ifs,
    "two `for`s in a comprehension": lambda node: len(getattr(node, "generators", ())) > 1,
    "a chain of comparisons, `a < b < c`": lambda node: isinstance(node, ast.Compare) and len(node.ops) > 1,
    "a slice with a step": lambda node: isinstance(node, ast.Slice) and node.step,
    "a star in a call": lambda node: isinstance(node, ast.Call) and _has_star(node.args),
    "a star in a tuple": lambda node: _is_tuple_with_star(node, ast.Load),
    "a star on the left of `=`": lambda node: _is_tuple_with_star(node, ast.Store),
    INNER_FUNCTION_FORM: (
        lambda node: isinstance(node, ast.FunctionDef) and any(isinstance(each, ast.FunctionDef) for each in node.body)
    ),
    "a function that calls itself": lambda node: isinstance(node, ast.FunctionDef) and node.name in code_words_in(node),
    "a guard": lambda node: isinstance(node, ast.match_case) and node.guard,
    "`as` in a pattern": lambda node: isinstance(node, ast.MatchAs) and node.pattern,
    "a name with a dot in a pattern": (
        lambda node: isinstance(node, ast.MatchValue) and isinstance(node.value, ast.Attribute)
    ),
    "a number or text in a pattern": (
        lambda node: isinstance(node, ast.MatchValue) and not isinstance(node.value, ast.Attribute)
    ),
    "`None` in a pattern": lambda node: isinstance(node, ast.MatchSingleton) and node.value is None,
    "`True` in a pattern": lambda node: isinstance(node, ast.MatchSingleton) and node.value is True,
    "`False` in a pattern": lambda node: isinstance(node, ast.MatchSingleton) and node.value is False,
}


# ------------------------------------------------------------------------------------------------ used by references


def syntax_forms_in(tree: ast.AST) -> Iterator[str]:
    """Yield the names of syntax forms in `tree` that somebody may not know after one semester of Python."""
    for node in ast.walk(tree):
        if form := FORMS_BY_NODE.get(type(node)):
            yield form
        yield from (form for form, is_used in SPECIAL_FORMS.items() if is_used(node))


def code_words_in(tree: ast.AST) -> Iterator[str]:
    """Yield the words that a reader of some code must know: names, methods, and keywords of built-in functions."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=word) | ast.Name(id=word):
                yield word
            case ast.ImportFrom(names=names):
                yield from (each.asname or each.name for each in names)
            case ast.Call(func=ast.Name(id=name), keywords=keywords) if hasattr(builtins, name):
                yield from (f"{each.arg}=" for each in keywords if each.arg)


def needed_forms_and_words(exercise: Exercise) -> FormsAndWords:
    """Return the syntax forms and the words that a reference uses.

    The reference's docstring and annotations do not count.
    """
    bare = ast.parse(exercise.source)
    for node in ast.walk(bare):  # take away what its stub already contains: annotations, decorators, the docstring
        match node:
            case ast.arg():
                node.annotation = None
            case ast.FunctionDef():
                node.returns = None
            case ast.AnnAssign():
                node.annotation = ast.Constant("")
    for each in (each for each in bare.body if isinstance(each, ast.FunctionDef)):
        each.decorator_list, each.body = [], each.body[1:]
    outer = global_names_in(ast.unparse(bare)) - {exercise.name}
    words = frozenset(code_words_in(bare))
    local = {node.id for node in ast.walk(bare) if isinstance(node, ast.Name)} - outer
    forms = set(syntax_forms_in(bare)) - ({INNER_FUNCTION_FORM} if exercise.helpers else set())
    return frozenset(forms), words - local - {exercise.name}


# ------------------------------------------------------------------------------------------------ shown in lessons


def syntax_forms_and_words_in(codes: Iterable[str]) -> FormsAndWords:
    """Return the syntax forms and the words in pieces of code.

    If a piece of code cannot be parsed, only its words are returned.
    """
    forms, words = set[str](), set[str]()
    for code in codes:
        tree = snippet_tree(code)
        forms |= set(syntax_forms_in(tree)) if tree else set()
        words |= set(code_words_in(tree)) if tree else set(NAME_PATTERN.findall(code))
    return frozenset(forms), frozenset(words)


def snippet_tree(code: str) -> ast.Module | None:
    """Return the syntax tree of a piece of code, or None if it cannot be parsed.

    The piece may be an incomplete statement: a `case`, a decorator, or the first line of a block.

    >>> type(snippet_tree("case ():").body[0]).__name__
    'Match'
    """
    head = code.rstrip(":")
    for text in (code, f"match _:\n    {head}:\n        pass", f"{head}:\n    pass", f"{code}\ndef _(): pass"):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError):
            continue
    return None


def snippets_in(text: str) -> Iterator[str]:
    """Yield the code in a lesson or statement: blocks, examples without their results, and text in backquotes."""
    for language, block in CODE_BLOCK_PATTERN.findall(text):
        if language in ("", "python"):
            yield block if not PROMPT_PATTERN.search(block) else _example_code(block)
    rest = CODE_BLOCK_PATTERN.sub("", text)
    yield _example_code(rest)
    for ticked, tagged in INLINE_CODE_PATTERN.findall(rest):
        yield " ".join((ticked or tagged).split())


def _example_code(text: str) -> str:
    """Return the code of a text's examples, without their results.

    >>> _example_code("They add up:\\n    >>> sum((1, 2))\\n    3")
    'sum((1, 2))'
    """
    lines = map(str.strip, text.splitlines())
    return "\n".join(PROMPT_PATTERN.sub("", line) for line in lines if PROMPT_PATTERN.match(line))


@cache
def forms_and_words_by_cell(unit: Unit) -> tuple[tuple[str, FormsAndWords], ...]:
    """Return a name for each cell of a unit, in order, with the syntax forms and the words that the cell shows.

    If the cell defines an exercise, the cell's name is that of the exercise; otherwise, it is "".
    """
    cells = jupytext.reads(unit.pack.file("solutions", unit.name).read_text("utf-8"), fmt="py:percent").cells
    shown = list[tuple[str, FormsAndWords]]()
    for cell in cells:
        tree = snippet_tree(cell.source) if cell.cell_type != "markdown" else None
        names = [name for each in (tree.body if tree else []) for name in bound_names(each) if name in unit.by_name]
        if names:
            shown.append((names[0], _statement_forms_and_words(unit[names[0]])))
        elif cell.cell_type == "markdown":
            shown.append(("", syntax_forms_and_words_in(snippets_in(cell.source))))
        else:
            shown.append(
                ("", syntax_forms_and_words_in([cell.source, *map(dedent, PREDICTION_PATTERN.findall(cell.source))]))
            )
    return tuple(shown)


def _statement_forms_and_words(exercise: Exercise) -> FormsAndWords:
    """Return the forms and words that the statement of an exercise shows.

    Names with a capital letter need no backquotes.
    """
    named = {word for word in NAME_PATTERN.findall(exercise.docstring) if not word.islower()}
    parameters = {parameter.name for parameter in exercise.parameters}
    head = (line.removeprefix("@") for line in exercise.signature.splitlines() if line.startswith("@"))
    forms, words = syntax_forms_and_words_in([*snippets_in(exercise.docstring), *head])
    return forms, words | named | parameters


# ------------------------------------------------------------------------------------------------------ comparison


def untaught_by_exercise(unit: Unit) -> Iterator[tuple[Exercise, tuple[str, ...]]]:
    """Yield each exercise, with those syntax forms and words of its reference that no earlier cell has shown.

    Readers are assumed to know one semester of Python, and the earlier units of the pack. A field of a type or a member
    of an enumeration counts as shown if it is in the list of given names.
    """
    earlier = unit.pack.units[: unit.pack.units.index(unit.name)]
    shown = [each for name in earlier for _, each in forms_and_words_by_cell(read_unit(unit.catalogue, name))]
    forms = frozenset[str]().union(*(each for each, _ in shown))
    words = BASIC_WORDS.union(unit.by_name, *(each for _, each in shown))
    for row in given_names(unit):
        name, _, parts = row.partition("(")
        words |= {*NAME_PATTERN.findall(row if ", " in name else parts)}
    assumed = {each.replace("`", "") for each in unit.policy.assumes}
    for name, (new_forms, new_words) in forms_and_words_by_cell(unit):
        forms, words = forms | new_forms, words | new_words
        if name:
            used_forms, used_words = needed_forms_and_words(unit[name])
            new = (*sorted(used_forms - forms), *(f"`{word}`" for word in sorted(used_words - words)))
            yield unit[name], tuple(each for each in new if each.replace("`", "") not in assumed)
            forms, words = forms | used_forms, words | used_words


def prove_lessons(unit: Unit) -> Proof:
    """Check that each syntax form and word in a reference is shown in the notebook before the exercise.

    Only Foldem's own units have to obey this law. Other units are checked if `assumes` lists what their students have
    already learned.
    """
    is_ours = unit.pack.course == COURSE_FOLDER.name
    each = (
        [f"{unit.location(exercise)}: {exercise.name} needs {', '.join(new)}: {TEACHING_ADVICE}"] if new else []
        for exercise, new in (untaught_by_exercise(unit) if is_ours or unit.policy.assumes else ())
    )
    return law_proof("lessons teach what exercises need", each, is_law=is_ours)


# --------------------------------------------------------------------------------------------------------- all laws


LAWS_OF_AN_EXERCISE: dict[str, Callable[[Unit, str], list[str]]] = {
    "lazy answers earn nothing": messages_if_lazy_earns,
    "no exercise waits for a later one": messages_if_waiting,
    "puzzles can be solved": messages_if_puzzle_fails,
}


@dataclass(frozen=True)
class Law:
    """A law, and the cases (`things`) on which it is tested, such as exercises or answers.

    The cases can be tested in other processes. `check` returns messages about what is wrong in one case.
    """

    name: str
    things: Sequence[object]
    check: Callable[..., list[str]]
    is_law: bool = True


def _located_messages(check: Callable[[Unit, str], list[str]], unit: Unit, name: str) -> list[str]:
    """Return an exercise's violations of a law, each with the file and line of the reference."""
    return [f"{unit.location(unit[name])}: {line}" for line in check(unit, name)]


def laws_of(unit: Unit, exercise: str | None = None) -> Iterator[Law]:
    """Yield the laws that are tested on exercises and answers, except the law about mutants.

    If only one `exercise` is tested, laws about style, visible examples and the kits of courses are left out.
    """
    names, wrong, right = [exercise] if exercise else [*unit.by_name], mistakes_of(unit), right_answers(unit)
    for law, check in LAWS_OF_AN_EXERCISE.items():
        yield Law(law, names, partial(_located_messages, check, unit))
    yield Law("mistakes refused", [each for each in wrong if each.exercise in names], messages_if_mistake_passes)
    yield Law("right answers accepted", right, partial(messages_if_right_fails, exercises=names if exercise else ()))
    if exercise:
        yield Law("right answers accepted by the kit", right, partial(messages_if_kit_refuses, exercise=exercise))
        return
    yield Law("right answers keep the rules of style", right, messages_if_style_broken, is_law=False)
    yield Law("mistakes refused by the examples", wrong, messages_if_examples_accept, is_law=False)
    for kit, seed in KIT_SEEDS.items():
        yield Law(f"mistakes refused by {kit}", wrong, partial(messages_if_kit_accepts, seed=seed), is_law=False)
        yield Law(f"right answers accepted by {kit}", right, partial(messages_if_kit_refuses, seed=seed))
    yield Law("exercises judged by the kit", names, partial(messages_if_left_to_teacher, unit), is_law=False)


def mutant_law(unit: Unit, exercises: Iterable[Exercise], seed: str) -> Law:
    """Return the law that the exam refuses all mutants of these exercises, except mutants that are right answers."""
    chosen = [mutant for each in exercises for mutant in mutants_of(unit, each) if not is_right(mutant)]
    return Law(MUTANT_LAW_NAME, chosen, partial(messages_if_mutant_passes, seed=seed))


def immediate_proofs(unit: Unit, exercise: str | None = None) -> Iterator[Proof]:
    """Test the laws that need no other process, and yield the outcomes.

    If `exercise` is given, only the laws about this exercise are tested.
    """
    yield prove_examples(unit, exercise)
    if exercise:
        yield prove_references(unit, exercise)
        return
    yield prove_notebook(unit)
    yield prove_references(unit)
    yield prove_plain_answers(unit)
    yield prove_lessons(unit)
    yield law_proof("listed mutants exist", ([line] for line in stale_mutant_messages(unit)))
