"""Count how many honest answers are plain, and the constructs that make the others not plain, most frequent first.

Run `python benchmarks/plain.py FOLDER slips.json …`: folders of anybody's notebooks, JSON files like `slips.json`, and
our own other styles in `tests/right` by the word `right`. An answer of a notebook is a function with all that it needs
of the notebook: helpers, classes, values and imports. Functions that could not be exercises of ours are left out: those
that need files, the network, a plot, a clock or another library, whose cell defines `test_…`, or that need a name that
the notebook does not bind. The same code counts once. With `--list`, each answer that is not plain is listed.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parent.parent))

from autograder.submission.plain import find_refused_construct
from autograder.submission.reading import parse_cell
from course.syntax import bound_names, global_names_in, reachable_from
from tests.classroom import right_answers
from tests.units import read_unit, unit_names

AT_MOST = 0.02  # of the answers are not plain
FOREIGN = {
    "open",
    "os",
    "sys",
    "pathlib",
    "urllib",
    "csv",
    "sqlite3",
    "turtle",
    "tkinter",
    "subprocess",
    "socket",
    "time",
}
FOREIGN |= {"glob", "shutil", "requests", "threading", "timeit", "io", "unittest", "inspect", "pickle", "doctest"}
HOME = "warmup"  # a notebook of another course has the names of this unit


@dataclass(frozen=True)
class Answer:
    """An answer: where it is, and the sources that it needs, itself last; they run with the names of a unit."""

    where: str
    sources: tuple[str, ...]
    module: ModuleType


def answers_in(word: str) -> Iterator[Answer]:
    """Yield the answers in a folder of notebooks, in a JSON file, or in `tests/right`."""
    if word == "right":
        for unit in unit_names():
            for right in right_answers(unit):
                for name, source in right.answers.items():
                    yield Answer(f"{right} {name}", (*right.helpers, source), read_unit(unit).module)
    elif word.endswith(".json"):
        for slip in json.loads(Path(word).read_text(encoding="utf-8")):
            source = "\n".join(slip["cells"])
            if not parse_cell(source).flaw:
                yield Answer(f"{slip['exercise']}: {slip['slip']}", (source,), read_unit(slip["unit"]).module)
    else:
        for path in sorted(Path(word).rglob("*.ipynb")):
            yield from answers_of_notebook(path)


def answers_of_notebook(path: Path) -> Iterator[Answer]:
    """Yield the functions of a notebook that could be exercises of ours."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (ValueError, KeyError, UnicodeDecodeError):
        return
    parsed = [parse_cell("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    statements = [(node, cell.text_of([node])) for cell in parsed for node in cell.statements]
    bound, used = ([of(part) for part in parts] for of, parts in _both(statements))
    for index, (node, source) in enumerate(statements):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("test"):
            needed = sorted(reachable_from([index], lambda each: _needed(each, bound, used)))
            sources = tuple(statements[each][1] for each in needed if each != index)
            names = {name for each in needed for name in used[each]} - {name for each in needed for name in bound[each]}
            if names <= {*dir(builtins), "display", "__name__"} and not any(map(_is_foreign, (*sources, source))):
                yield Answer(f"{path.name}: {node.name}", (*sources, source), read_unit(HOME).module)


def _both(statements: Iterable[tuple[ast.stmt, str]]) -> Iterator[tuple[object, list[object]]]:
    nodes, sources = zip(*statements, strict=True) if statements else ((), ())
    yield bound_names, list(nodes)
    yield global_names_in, list(sources)


def _needed(index: int, bound: list[set[str]], used: list[set[str]]) -> Iterator[int]:
    """Yield the statements that bind the names in a statement: the nearest one above, or else the first one below."""
    for name in used[index]:
        where = [each for each, names in enumerate(bound) if name in names and each != index]
        above = [each for each in where if each < index]
        yield from above[-1:] or where[:1]


def _is_foreign(source: str) -> bool:
    """Return whether code needs files, the network, a plot, a clock or another library."""
    for node in ast.walk(ast.parse(source.strip())):
        match node:
            case ast.Import(names):
                modules = {alias.name.split(".")[0] for alias in names}
            case ast.ImportFrom(module=module):
                modules = {(module or ".").split(".")[0]}
            case ast.Name(id="open"):
                modules = {"open"}
            case _:
                continue
        if modules & FOREIGN or modules - {*sys.stdlib_module_names, "open", "course"}:
            return True
    return False


def construct(answer: Answer) -> str:
    """Return the code that makes an answer not plain, with its line, or ""."""
    results = find_refused_construct(answer.sources, answer.module)
    return results[1].code if results else ""


def main() -> int:
    """Count, and print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sources", nargs="+", metavar="FOLDER | FILE.json | right")
    arguments.add_argument("--list", action="store_true")
    options = arguments.parse_args()
    total = kinds = 0
    counts = Counter[str]()
    for word in options.sources:
        answers = {answer.sources: answer for answer in answers_in(word)}.values()
        results = {answer: construct(answer) for answer in answers}
        bad = {answer: code for answer, code in results.items() if code}
        print(f"{word:60} {len(results):5} answers, {len(bad):3} not plain ({len(bad) / max(len(results), 1):.1%})")
        total, kinds = total + len(results), kinds + len(bad)
        counts.update(bad.values())
        if options.list:
            for answer, code in bad.items():
                print(f"    {answer.where}: {code}")
    print(f"{'all':60} {total:5} answers, {kinds:3} not plain ({kinds / max(total, 1):.1%}, at most {AT_MOST:.0%})")
    for code, count in counts.most_common():
        print(f"{count:5}  {code[:100]}")
    return int(kinds > AT_MOST * total)


if __name__ == "__main__":
    sys.exit(main())
