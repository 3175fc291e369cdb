"""Questions about an idea, from exercises that the learner has passed. `practising.py` asks them."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain, zip_longest
from pathlib import Path
from random import Random

from course.exam.calls import Names
from course.exam.observing import TimeUp
from course.kernel import catalogue
from course.kernel.history import statements_of
from course.kernel.limits import limited
from course.kernel.workspace import Workspace
from course.learner.impostors import known_of
from course.learner.inviting import call_with
from course.learner.predicting import WHAT_RESULT, Prediction
from course.learner.progress import load, source_hash
from course.learner.viva import listing_of
from course.roles import UNIT_FILE
from course.show.results import GOOD
from course.syntax import bound_names
from course.viva import questions_about
from course.viva.calls import calls_of

CHOICES_OFFERED, RESULT_ROOM, QUESTIONS_OF_A_KIND = 4, 160, 6
TRACE = "What does this call return?"
RECALL = "Which idea is this?"
CATCH = "Somebody wrote `{name}` with this wrong idea in mind: {belief} Which call shows that it is wrong?"
CAUGHT = "For that call, the wrong answer has another result than the right one. For the other calls, both agree."


@dataclass(frozen=True)
class PractisedIdea:
    """An idea of a unit: its name, a sentence about it, and the exercises that use it."""

    unit: str
    name: str
    says: str
    used: tuple[str, ...]


@dataclass(frozen=True)
class IdeaQuestion:
    """A question with one right choice: a text, some code or "", the choices, the right one's index, and the reason."""

    text: str
    code: str
    choices: tuple[str, ...]
    right: int
    why: str

    def shuffled(self, seed: str) -> IdeaQuestion:
        """Return the question with its choices in an order that depends on the seed."""
        order = Random(f"{seed} {self.text}").sample(range(len(self.choices)), len(self.choices))
        return replace(self, choices=tuple(self.choices[index] for index in order), right=order.index(self.right))


@cache
def ideas_of(unit: str) -> tuple[PractisedIdea, ...]:
    """Return the ideas of a unit."""
    data = tomllib.loads(catalogue.file_of(unit, f"{unit}/{UNIT_FILE}").read_text(encoding="utf-8"))
    return tuple(PractisedIdea(unit, each["name"], each["says"], tuple(each["used"])) for each in data.get("idea", ()))


def questions_about_idea(
    idea: PractisedIdea, passed: Collection[str], own: Callable[[str], Iterable[IdeaQuestion]]
) -> tuple[IdeaQuestion, ...]:
    """Return the questions about an idea, first one of each kind; `own` makes some about the learner's own code."""
    used = [name for name in idea.used if name in passed]
    kinds = _caught, _predicted, _traced, lambda _, name: own(name), lambda _, name: _recalled(idea) * (name == used[0])
    each = ([*chain.from_iterable(make(idea.unit, name) for name in used)][:QUESTIONS_OF_A_KIND] for make in kinds)
    return tuple(question for turn in zip_longest(*each) for question in turn if question)


def _among(text: str, code: str, right: str, wrong: Iterable[str], why: str, least: int = 3) -> Iterator[IdeaQuestion]:
    """Yield the question with its right choice first, if there are enough short choices."""
    choices = [each for each in dict.fromkeys((right, *wrong)) if len(each) <= RESULT_ROOM][:CHOICES_OFFERED]
    if len(choices) >= least and choices[0] == right:
        yield IdeaQuestion(text, code, tuple(choices), 0, why)


def _predicted(unit: str, name: str) -> Iterator[IdeaQuestion]:
    """Yield the predictions of the lesson above an exercise."""
    for each in catalogue.statements(unit).predictions.get(name, ()):
        prediction = Prediction(each.code, each.choices, each.why, unit)
        right = next((choice for choice in each.choices if prediction.is_right(choice)), None)
        if right is not None:
            yield IdeaQuestion(WHAT_RESULT, each.code, each.choices, each.choices.index(right), each.why)


def _traced(unit: str, name: str) -> Iterator[IdeaQuestion]:
    """Yield questions that ask for the result of an example. The wrong choices are the results of other examples."""
    examples = catalogue.statements(unit).by_name[name].examples
    plain = [each for each in examples if each.want and not each.setup and f"{name}(" in each.call]
    wants = [each.want for each in plain]
    why = f"The statement of `{name}` has this example."
    for each in plain:
        yield from _among(TRACE, each.call, each.want, (want for want in wants if want != each.want), why)


def _caught(unit: str, name: str) -> Iterator[IdeaQuestion]:
    """Yield questions that ask which call catches a wrong answer."""
    known = known_of(unit, name)
    if known is None or not known.inputs:
        return
    calls = [call_with(name, code) for code in known.codes(import_module(catalogue.statements(unit).module), name)]
    for index, belief in enumerate(known.beliefs):
        right = [call for call, caught in zip(calls, known.caught, strict=True) if caught and index in caught]
        wrong = [call for call, caught in zip(calls, known.caught, strict=True) if caught is not None]
        text = CATCH.format(name=name, belief=belief)
        yield from _among(text, "", right[0], (call for call in wrong if call not in right), CAUGHT)


def _recalled(idea: PractisedIdea) -> tuple[IdeaQuestion, ...]:
    """Return a question that shows the sentence of an idea without its name, and asks for the name."""
    here = [each.name for each in ideas_of(idea.unit)]
    elsewhere = [each.name for unit in catalogue.units() for each in ideas_of(unit)]
    names = Random(idea.name).sample(here, len(here)) + elsewhere
    hidden = re.sub(re.escape(idea.name), "…", idea.says, flags=re.IGNORECASE)
    why = f"You use this idea in {', '.join(f'`{name}`' for name in idea.used)}: {idea.says}"
    return tuple(_among(f"{RECALL} {hidden}", "", idea.name, names, why, least=2))


QUESTIONS_ABOUT_ONE = 4
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
    for each in made[:QUESTIONS_ABOUT_ONE]:
        yield IdeaQuestion(each.text, listing_of(each), each.choices, each.right, each.why)


def _passed_sources(space: Workspace, unit: str) -> dict[str, str]:
    """Return the saved answers that have passed in their present form, by exercise."""
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
