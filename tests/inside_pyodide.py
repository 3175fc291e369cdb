"""Runs in Pyodide: checks the answers of `input.json` as a notebook of a site does, and prints a line of JSON for each.

Only the course is available, as in a learner's browser.
"""

import json
import linecache
import sys
from itertools import count
from typing import Any

from course.learner.answer import answer_in_namespace
from course.learner.checking import check_answer

numbers = count(1)


def run(names: dict[str, Any], cell: str) -> None:
    """Run a cell with its own file name, as IPython does."""
    file = f"<cell {next(numbers)}>"
    names["In"].append(cell)
    linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
    exec(compile(cell, file, "exec", dont_inherit=True), names)


def main() -> None:
    """Check each answer while all other answers of its unit are right."""
    print(json.dumps({"python": sys.version_info[:2]}))
    with open("input.json", encoding="utf-8") as file:
        given = json.load(file)
    for unit, name, source in given["answers"]:
        names: dict[str, Any] = {"__name__": "__main__", "In": [""]}
        cells = given["right"][unit] | ({name: source} if source else {})
        for cell in (f"from course.{unit} import *", *cells.values()):
            run(names, cell)
        result = check_answer(answer_in_namespace(names, name, unit), None)
        shown = {"state": result.state, "message": f"{result.says}\n{result.example}", "belief": result.belief}
        print(json.dumps(shown), flush=True)


main()
