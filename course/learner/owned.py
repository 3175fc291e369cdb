"""Questions about the learner's own saved answers, for `today()`. Only passed answers are run, within limits."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from itertools import chain
from pathlib import Path

from course.exam.calls import Names
from course.exam.observing import TimeUp
from course.kernel import catalogue
from course.kernel.history import statements_of
from course.kernel.limits import limited
from course.kernel.workspace import Workspace
from course.learner.progress import load, source_hash
from course.learner.questions import IdeaQuestion
from course.learner.viva import listing_of
from course.show.results import GOOD
from course.syntax import bound_names
from course.viva import questions_about
from course.viva.calls import calls_of

MOST_ABOUT_ONE = 4
LOADED_MARK = ".foldem-loaded"  # a site's start page writes this file when it loads saved work


def own_questions_in(spaces: Iterable[Workspace], trust: bool) -> Callable[[str, str], Iterable[IdeaQuestion]]:
    """Return a function that makes questions about the answers saved in folders.

    Without trust, it makes none: a folder may be a stranger's, and questions run its code. On a site, a folder has
    only what its learner wrote there, unless saved work was loaded.
    """
    trusted = [space for space in spaces if trust or _is_written_here(space.folder)]
    return lambda unit, name: chain.from_iterable(about_own_code(space, unit, name) for space in trusted)


def _is_written_here(folder: Path) -> bool:
    """Return whether a folder is in a browser into which no saved work was loaded."""
    return sys.platform == "emscripten" and not any((each / LOADED_MARK).exists() for each in (folder, *folder.parents))


def about_own_code(space: Workspace, unit: str, name: str) -> Iterator[IdeaQuestion]:
    """Yield questions about a passed answer as it is saved in the folder; none if it has changed since."""
    sources = _passed_sources(space, unit)
    if name not in sources or not (names := _names_of(unit, tuple(sources.values()))):
        return
    made = questions_about(sources[name], name, names, calls_of(unit, name), unit, unit)
    for each in made[:MOST_ABOUT_ONE]:
        yield IdeaQuestion(each.text, listing_of(each), each.choices, each.right, each.why)


def _passed_sources(space: Workspace, unit: str) -> dict[str, str]:
    """Return the saved answers that have passed as they are now, by exercise."""
    entries = load(space.folder, unit)
    passed = {name: entry.source for name, entry in entries.items() if entry.state == GOOD}
    cells = [cell for book in space.books if book.unit == unit for cell in book.cells]
    return {name: source for name, source in cells if passed.get(name) == source_hash(source)}


@lru_cache(maxsize=8)
def _names_of(unit: str, sources: tuple[str, ...]) -> Names:
    """Return the unit's names with the definitions of answers, or {} if one of them fails or does not end."""
    module = import_module(catalogue.statements(unit).module)
    names: Names = {name: getattr(module, name) for name in module.__all__} | {"__name__": "practised"}
    try:
        with limited():
            for statement in (each for source in sources for each in statements_of(source)):
                if bound_names(statement):
                    exec(compile(ast.Module([statement], []), "<your answer>", "exec"), names)
    except (Exception, TimeUp):
        return {}
    return names
