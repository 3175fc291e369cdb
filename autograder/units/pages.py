"""The texts in a notebook that are made from its unit: points, rules, names of types, and the recap of ideas."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from inspect import getdoc, isclass, isfunction, signature
from itertools import chain
from pathlib import Path

from toolz import curry, groupby

from autograder.text import count_text, points_text
from autograder.units.unit import Exercise, Unit, read_unit
from autograder.units.written import names_in_tree, written_statements
from course.exam.alike import as_equal, normalizers_of
from course.exam.world import worlds_of
from course.form import own_rules, policy_of
from course.show.results import duration_text, estimated_minutes
from course.syntax import reachable_from

SHOWN_VALUE_COUNT = 4
IDENTIFIER_PATTERN = re.compile(r"\w+")
# Names of Python or toolz, with their use here. Their own docstrings differ from version to version.
PYTHON_NAME_TEXTS = {
    "accumulate(items, step, initial=start)": "Return the start value and the result after each step of a left fold.",
    "combinations(items, length)": "Return all ways to choose `length` items: `combinations((1, 2, 3), 2)` produces "
    "`(1, 2)`, `(1, 3)` and `(2, 3)`.",
    "compose(f, g)": "Return a function that calls `g` first, and then `f` with the result: `compose(f, g)(x)` "
    "is `f(g(x))`.",
    "curry": "With `@curry` above its `def`, a function takes its arguments one at a time, or several at once.",
    "identity(x)": "Return `x` unchanged.",
    "partial(function, *args)": "Return a function that needs only the other arguments: `partial(f, 1)(2)` is "
    "`f(1, 2)`.",
    "replace(value, part=new)": "Return a copy of a frozen value, with new values for the parts that you name.",
}
PYTHON_NAME_ROWS = {written.partition("(")[0]: (written, text) for written, text in PYTHON_NAME_TEXTS.items()}


def given_names(unit: Unit) -> dict[str, str]:
    """Return the given names that a unit's lessons, statements or hints use, each with a description.

    Names of types are left out, because they have their own table.
    """
    exported = {name: getattr(unit.module, name) for name in unit.module.__all__ if name not in unit.by_name}
    enums = dict[str, dict[str, str]]()
    for kind, names in groupby(lambda name: type(exported[name]), exported).items():
        if issubclass(kind, Enum):  # a row of its members, with the dotted name that patterns need
            ordered = sorted(names, key=lambda name: list(kind).index(exported[name]))
            pattern = f" In a pattern, write these names with a dot: `{kind.__name__}.{ordered[0]}`."
            says = f"{_first_paragraph(kind)}{pattern if kind.__name__ in exported else ''}"
            enums[names[0]] = {", ".join(ordered): says}
    rows = (enums.get(name) or dict(_given_name_row(name, each)) for name, each in exported.items())
    file = unit.pack.file("solutions", unit.name)
    texts = [file.read_text("utf-8"), *(hint for each in unit.exercises for hint in each.hints)]
    used = {word for text in texts for word in IDENTIFIER_PATTERN.findall(text)}
    every = {written: says for row in rows for written, says in row.items()}
    return {
        written: says
        for written, says in every.items()
        if used & {*IDENTIFIER_PATTERN.findall(written.partition("(")[0])}
    }


def _given_name_row(name: str, each: object) -> Iterator[tuple[str, str]]:
    """Yield the row of a name. Members of enumerations, and names that only annotations use, have no row."""
    if name in PYTHON_NAME_ROWS:
        yield PYTHON_NAME_ROWS[name]
    elif isfunction(each) or isinstance(each, curry):
        yield f"{name}({_parameters(each)})", _first_paragraph(each)
    elif isclass(each):
        if each.__name__ == name and not issubclass(each, Enum) and each.__doc__:
            yield name if issubclass(each, Exception) else f"{name}({_parameters(each)})", _first_paragraph(each)
    elif isinstance(each, tuple):
        shown = ", ".join(map(repr, each[:SHOWN_VALUE_COUNT]))
        yield name, f"{len(each)} values: `{shown}{', …' if len(each) > SHOWN_VALUE_COUNT else ''}`"
    elif isinstance(each, int):
        yield name, f"`{each}`"
    elif not isinstance(each, Enum) and type(each).__module__.startswith("course"):
        yield name, _first_paragraph(type(each))


def _parameters(function: Callable[..., object]) -> str:
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # a class written in C
        return "…"
    bare = (each.replace(annotation=each.empty, default=each.empty) for each in parameters)
    return ", ".join(map(str, bare))


def _first_paragraph(each: object) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join((getdoc(each) or "").partition("\n\n")[0].split())


STARS_BY_POINTS = ((4, "★★★"), (2, "★★"), (0, "★"))


def effort_line(unit: Unit, exercise: Exercise) -> str:
    """Return the line below an exercise's heading: points, difficulty, time, size and rules."""
    points = points_text(exercise.points) if exercise.points else "a challenge"
    lines = exercise.reference_lines
    size = f"a typical solution has {lines} line{'' if lines == 1 else 's'}"
    errors = policy_of(unit.policy.form, exercise.error).errors
    rules = [says for rule, says in SHORT_RULE_TEXTS.items() if rule in errors]  # that a learner may not expect
    rules += ["`==` only for numbers and strings"] if unit.policy.form.compare_with else []
    form = f" · style: {', '.join(rules)}" if unit.form_share else ""
    about = f"about {estimated_minutes(exercise.points)} minutes"
    return f"<small>{points} · {stars(exercise)} · {about} · {size}{form}</small>"


def stars(exercise: Exercise) -> str:
    """Return one to three stars, depending on the points. A challenge, which has no points, has three stars."""
    return next(signs for least, signs in STARS_BY_POINTS if not exercise.points or exercise.points >= least)


def unit_effort_line(unit: Unit, chosen: Iterable[str] = ()) -> str:
    """Return the line below the title of a unit: the number of exercises, the difficulty and the time.

    If exercises are chosen, the line counts only the chosen ones.
    """
    exercises = [unit[name] for name in chosen] or unit.exercises
    hardest = max(map(stars, exercises), key=len)
    about = duration_text(exercise.points for exercise in exercises)
    return f"<small>{count_text(len(exercises), 'exercise')} · difficulty ★ to {hardest} · about {about}</small>"


# ------------------------------------------------------------------------------------------- type names


@dataclass(frozen=True)
class TypeName:
    """A name that annotations use for a type, with the type's definition and the author's description."""

    name: str
    code: str
    says: str


def type_names(unit: Unit) -> tuple[TypeName, ...]:
    """Return the names of types that a unit's signatures need, directly or indirectly, in the order of definition."""
    own = _module_statements(unit.pack.given_module_name(unit.name))
    home = f"{unit.pack.course}."
    others = [node.module for node, _ in own if isinstance(node, ast.ImportFrom) and node.module]
    aliases = dict[str, TypeName]()
    for node, docstring in chain(*map(_module_statements, filter(lambda name: name.startswith(home), others)), own):
        match node:
            case ast.AnnAssign(ast.Name(name), ast.Name("TypeAlias"), ast.expr() as value):
                aliases[name] = TypeName(name, ast.unparse(value), docstring)
    nodes = [exercise.node for exercise in unit.exercises]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    written = [each.annotation for node in functions for each in node.args.args]
    written += [node.returns for node in functions]
    written += [node.annotation for node in nodes if isinstance(node, ast.AnnAssign)]
    used = set[str]().union(*map(names_in_tree, written)) & aliases.keys()
    all_used = reachable_from(
        used, lambda name: names_in_tree(ast.parse(aliases[name].code, mode="eval")) & aliases.keys()
    )
    return tuple(each for name, each in aliases.items() if name in all_used)


def _module_statements(module: str) -> tuple[tuple[ast.stmt, str], ...]:
    """Return a module's top-level statements, each with its docstring; none if the source is not available."""
    spec = find_spec(module)
    return tuple(each[:2] for each in written_statements(Path(spec.origin))) if spec and spec.origin else ()


# ---------------------------------------------------------------------------------------------------- the rules


def rules_of_notebook(unit: Unit) -> str:
    """Return the text above the first exercise.

    The text explains hints and how results are compared, and links to all rules.
    """
    share = round(100 * unit.form_share)
    form = f" Points for style: {share} %." if share else ""
    how = "as `==` does" if as_equal in normalizers_of(unit.module.__name__).values() else "strictly"
    return NOTEBOOK_RULES_TEXT.format(name=unit.exercises[0].name, how=how, form=form)


def reference_section(unit: Unit) -> str:
    """Return the collapsible reference texts of a unit: how to work, rules of form, names of types, and given names."""
    is_first = unit.name == unit.pack.units[0]
    folds = [LOOK_UP_HEADING, how_to_work_block(unit) if is_first else line_on_checks_and_hints(unit)]
    if unit.form_share:
        folds.append(
            details_block("The rules of style in this unit", STYLE_COST_TEXT.format(form=_style_rules_text(unit)))
        )
    types = [f"| `{each.name}` | `{_escaped_for_table(each.code)}` | {each.says} |" for each in type_names(unit)]
    given = [f"| `{call}` | {_escaped_for_table(says)} |" for call, says in given_names(unit).items()]
    tables = (
        ("Names of types in the signatures", "| name | definition | meaning |\n|---|---|---|", types),
        ("Names that this unit gives you", "| name | meaning |\n|---|---|", given),
    )
    folds += [details_block(title, "\n".join((head, *rows))) for title, head, rows in tables if rows]
    return "\n\n".join(folds)


def _escaped_for_table(code: str) -> str:
    return code.replace("|", "\\|")


def details_block(head: str, text: str) -> str:
    """Return HTML in which a text is hidden until the reader clicks its summary."""
    return f"<details><summary><b>{head}</b></summary>\n\n{text}\n\n</details>"


def how_to_work_block(unit: Unit) -> str:
    """Return the collapsible text about checks, hints and points, with examples from the unit."""
    units = [read_unit(unit.catalogue, name) for name in unit.pack.units]
    used = [text for text, is_in in OPTIONAL_WORK_TEXTS if any(map(is_in, units))]
    work = WORK_TEXT.format(name=unit.exercises[0].name, unit=unit.name)
    return details_block("How to work: checks, hints and points", "\n\n".join((work, *used, POINTS_TEXT)))


def line_on_checks_and_hints(unit: Unit) -> str:
    """Return a line that links to the text about checks and hints in the first unit's notebook."""
    return WORK_LINK_TEXT.format(first=read_unit(unit.catalogue, unit.pack.units[0]))


WORK_TEXT = """\
- `check("{name}")`, under the exercise, runs the practice exam and shows the smallest call for which \
your function is wrong.
- `hint("{name}")` shows one hint after the other. A course can switch hints off.
- `catch("{name}")` shows some calls. Before you write an answer, you fill in the results of these calls, and see \
which wrong answers your results catch. Most exercises have such calls. They earn no points.
- `progress("{unit}")` shows how far you are.
- *Watch it run*, under a check that failed, shows step by step how your function got its answer. `%%watch`, in the \
first line of a cell, does the same for any call.
- `predict(...)` asks what some code returns, before you see the result. This earns no points.
- `borrow("{name}")` and `solution("{name}")` work if you learn alone, or if your course allows them. `borrow` \
gives you a reference solution, so that you can continue. A borrowed answer earns no points. `solution` shows the \
reference solution as soon as your answer is right, or after three failed checks."""
POINTS_TEXT = """\
A mistake costs only the points of its own exercise. When the exam marks another exercise, it uses the \
reference solution in place of your wrong answer. But in a `check`, your answer calls your own functions. If one \
of these functions is not right yet, fix that function first.

In a pattern, a starred name such as `rest` in `case (first, *rest)` is a *list*: `tuple(rest)` makes a tuple \
of it. If no example shows the message of an exception, choose the message yourself."""
CATCH_TEXT = """\
`catch(...)`, above some exercises, has a hidden list of wrong answers that people gave. In each \
`example(...)`, write the name of the exercise, a tuple of arguments, and the expected result: a value, or the class \
of an exception. An example catches every wrong answer with another result. Examples earn no points."""
TRANSCRIPT_TEXT = """\
`transcript(f, x)`, in some examples, calls `f(x)` and returns a pair: the result, and the text that was printed. \
`typed=("0", "2")` are the lines that `input` returns, one after the other. `chance=7` is a seed: all calls with this \
seed make the same random choices, and `chance=8` makes other choices."""
NOTEBOOK_RULES_TEXT = """\
`hint("{name}")` shows a hint. In every exercise, results are compared {how}: a list is not equal to a \
tuple.{form} All names and rules are [at the end](#Names-and-rules)."""
LOOK_UP_HEADING = "## Names and rules"
WORK_LINK_TEXT = "Checks, hints and points are explained in [{first.title}]({first.stem}.ipynb), under *How to work*."
OPTIONAL_WORK_TEXTS: tuple[tuple[str, Callable[[Unit], bool]], ...] = (
    (CATCH_TEXT, lambda unit: bool(worlds_of(unit.module.__name__))),
    (TRANSCRIPT_TEXT, lambda unit: any("transcript(" in each.source for each in unit.exercises)),
)
STYLE_COST_TEXT = """\
**Style counts**: each of these rules that you break costs half of the exercise's points for style. Your course can \
change how much style counts.

{form}"""
# Rules that may cost a learner points unexpectedly, for the line under a title.
SHORT_RULE_TEXTS = {
    "loops": "no loops",
    "mutation": "nothing changed in place",
    "tail-recursion": "tail calls only",
    "local-helpers": "helpers inside",
}


def _style_rules_text(unit: Unit) -> str:
    """Return the rules of form that cost points in a unit, as a list."""
    policy = policy_of(unit.policy.form)
    rules = [f"- {says}" for rule, says in RULE_TEXTS.items() if rule in policy.errors]
    own = own_rules(unit.module.__name__).items()
    rules += [f"- {rule.says}" for name, rule in own if rule.says and name in policy.errors]
    if unit.policy.form.compare_with:
        given = ", ".join(f"`{name}`" for name in policy.compare_with.values())
        rules.append(f"- `==` is for numbers and strings only. For other values use `match`, or {given}.")
    if "local-helpers" not in policy.errors:
        nicer = ", which is better style," if "local-helpers" in policy.warnings else ""
        rules.append(f"- (Write helper functions inside the function{nicer} or in new cells above the function.)")
    return "\n".join(rules)


RULE_TEXTS = {
    "loops": "No `for` loops and no `while` loops. Comprehensions, folds and functions that call themselves are "
    "allowed.",
    "mutation": "Do not change values in place: no `append`, `.sort()`, `+=`, `del`, `x[0] = …`.",
    "imports": "Import only what the first cells import, and modules such as `functools`, `itertools`, `math`, "
    "`operator`.",
    "requires": "If a statement says what to use or avoid, follow it.",
    "tail-recursion": (
        "To repeat a step, a function calls itself in tail position. Decorate this function with `@tail_recursive` "
        "and write `return recur(...)` for the call. Then the function can repeat the step ten thousand times. (If "
        "the step is repeated at most once, you need no `recur` and no decorator.)"
    ),
    "repeated-calls": "Do not call your functions twice with the same arguments: store the result in a variable.",
    "local-helpers": "Define a helper inside the function that needs it.",
}


# ------------------------------------------------------------------------------------------------ recap


def heading_anchor(exercise: Exercise) -> str:
    """Return the anchor of an exercise's heading, in the form that JupyterLab makes."""
    return f"#{exercise.number}.-{exercise.name}"


def recap_table(unit: Unit) -> str:
    """Return the table at the end of a unit: its ideas, each with the exercises that use it."""
    rows = ["## What you know now\n\n| idea | in a sentence | you used it in |\n|---|---|---|"]
    for idea in unit.policy.idea:
        links = ", ".join(f"[`{name}`]({heading_anchor(unit[name])})" for name in idea.used)
        rows.append(f"| **{idea.name}** | {_escaped_for_table(idea.says)} | {links} |")
    return "\n".join(rows)
