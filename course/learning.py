"""A check where only the course is installed, and what must be so before any: on what the learner's cells define now.

Nothing is blamed on an answer that another cell has done: a name that was given another meaning is told with its cell,
and a function of the learner's own that is not right yet is named before those that use it.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from importlib import import_module

from course import notebook
from course.diagnoses import Diagnosis, Evidence, diagnose, trouble_of
from course.diagnoses.beliefs import meaning_the_same
from course.exam.observing import TimeUp
from course.exam.practice import Practice, Practised, among_others, practise, with_examples
from course.exam.sealed import paper_in
from course.examples import Tried, described, own_line, tried
from course.failure import RAISED, Failure
from course.form import Asked, FormFinding, Source, asked_from, review
from course.graph import reached
from course.hindrance import (
    BrokenOff,
    EditedSince,
    Hindrance,
    Misnamed,
    NeverRun,
    NoPython,
    NotOwn,
    Shadowed,
    StillStub,
    Unseen,
    hindrance_of,
    words_of,
)
from course.hints import is_borrowed
from course.history import Run, runs, statements_of
from course.limits import SECONDS_PER_CALL, limited
from course.notebook import IN_A_BROWSER, Names, Place, statements
from course.results import BAD, BORROWED, GOOD, OPEN, AlsoPrints, Part, Result
from course.syntax import bound_names, first_line, lines_of, names_in

OTHER_WAY = "uses answers of yours that are right in another way than this exam's"
OTHER_VERSION = "the exam here is of another version than this notebook: " + (
    "rename yours among *All files*, and the one of this page is there again"
    if IN_A_BROWSER
    else "install the wheel of its kit"
)


@cache
def asked_of(unit: str, name: str) -> Asked:
    """Give what is asked of an answer to an exercise."""
    return asked_from(statements(unit), name)


# ------------------------------------------------------------------------------------------------ before a check


def unready(place: Place) -> Result | None:
    """Tell of what cannot be examined: not written, not run, stopped, borrowed, does not parse, edited, shadowed."""
    name, hindrance = place.name, _hindrance(place)
    if hindrance is None:
        return None
    words = words_of(hindrance, name)
    match hindrance:
        case NotOwn():
            return Result(name, BORROWED, words)
        case EditedSince() | NeverRun():
            return Result(name, OPEN, words)
        case Shadowed():
            says = f"Call it something else there, and run the cell of `{name}` again."
            return Result(name, OPEN, words, says=says)
        case Unseen():
            return Result(name, OPEN, words, says=f"{_way_to_write(place)}, as a statement at the margin of its cell.")
    words = f"{words} · {_no_points(place)}"
    if isinstance(hindrance, StillStub):
        return Result(name, OPEN, words, stale=True)
    return _broken(place, hindrance, Result(name, BAD, words, stale=True))


def _hindrance(place: Place) -> Hindrance | None:
    return hindrance_of(place, asked_of(place.unit, place.name).is_called)


def _way_to_write(place: Place) -> str:
    is_called = asked_of(place.unit, place.name).is_called
    return f"Write `def {place.name}(…): …` or `{place.name} = …`" if is_called else f"Write `{place.name} = …`"


def _broken(place: Place, hindrance: NoPython | BrokenOff | Misnamed, result: Result) -> Result:
    """Give the result of a cell that defines no answer with what to do about it."""
    match hindrance:
        case NoPython(source=source):
            asked = asked_of(place.unit, place.name)
            return _said(result, diagnose(Evidence(asked, source, trouble=trouble_of(source))))
        case BrokenOff(run, told, line, code):
            failure = Failure(did=RAISED, error=run.error, seen=told, label=place.name, line=line, code=code)
            evidence = _evidence(place, run.source, (failure,))
            return _said(replace(result, parts=(Part(BAD, "the cell", failure),)), diagnose(evidence))
        case Misnamed([*_, last]):
            return replace(result, says=f"Write `{place.name}` where the cell has `{last}`, and run it again.")
    return result


def _no_points(place: Place) -> str:
    most = place.stated["points"]
    return f"0 of {most:g} point{'' if most == 1 else 's'}"


# ------------------------------------------------------------------------------------------------ a check


def by_examples(place: Place) -> Result:
    """Give the result of the visible examples and the sealed exam, run here and now, and of the rules of form.

    It is tried by itself where there are references for all the others, else among the learner's own answers.
    """
    alone = by_itself(place)
    found = examined(alone or place)
    if not found.failures and (practice := practised(alone or place)):
        return _by_practice(place, practice, alone)
    prints = (str(AlsoPrints()),) * (found.prints and not _shows_printing(place))
    if not found.failures:
        head = f"{found.count} of {found.count} example{'' if found.count == 1 else 's'} right"
        notes = (*_unsure(place), *prints, _only_examples(place))
        return Result(place.name, GOOD, head, notes=notes, form=_form(place))
    if waits := None if alone else _waiting(place):
        return waits
    parts = tuple(Part(BAD, "", failure) for failure in found.failures)
    head = f"{found.count - len(found.failures)} of {found.count} examples right"
    evidence = _evidence(place, _source(place), found.failures, found.prints)
    return _said(Result(place.name, BAD, head, parts, form=_form(place)), diagnose(evidence))


def by_itself(place: Place) -> Place | None:
    """Give where an answer stands among references, None where nobody here has any, or its cell does not run so."""
    if notebook.examiner() is not None or not (lender := notebook.references()):
        return None
    others = asked_of(place.unit, place.name).exercises - {place.name}
    scope = {**place.names, **{name: lender.reference(place.unit, name)[1] for name in others}}
    source = _source(place)
    try:
        with limited():
            for part in (*_helpers(place, source), Source(place.name, source)):
                _bind(part, scope, others)
    except (Exception, TimeUp):
        return None
    return replace(place, names=scope)


def _bind(part: Source, scope: Names, but: frozenset[str]) -> None:
    """Run once more what a cell binds, in another namespace, but for some names."""
    file = f"<by itself: {part.label}>"
    linecache.cache[file] = (len(part.source), None, part.source.splitlines(keepends=True), file)
    for statement in statements_of(part.source):
        if bound_names(statement) - but:
            exec(compile(ast.Module([statement], []), file, "exec"), scope)


def practised(place: Place) -> Practice | None:
    """Give what comes of the sealed exam, None where there is none of the exercise."""
    papers = notebook.sealed(place.unit).get("papers", {})
    if place.name not in papers or _is_of_another_version(place):
        return None
    paper = with_examples(paper_in(place.name, papers[place.name]), place.stated["examples"])
    asked = asked_of(place.unit, place.name)
    line = partial(own_line, names=place.names)
    orders = {name: tuple(data["order"]) for name, data in papers.items() if data["order"]}
    module = import_module(asked.module)
    practice = practise(paper, module, place.names, asked.exercises, line, SECONDS_PER_CALL, orders)
    if practice.passed or all(map(partial(_is_exact, place), paper.hung_on)):
        return practice
    return among_others(practice)


def _is_exact(place: Place, name: str) -> bool:
    """Tell whether another answer of the learner's is wrong, or does all as the reference does."""
    practice = practised(replace(place, name=name)) if name in place.names else None
    return practice is None or practice.is_exact or not practice.passed


def _by_practice(place: Place, practice: Practice, alone: Place | None) -> Result:
    """Give the result of a practice exam, whose visible examples are right."""
    parts = tuple(_part(facet, alone) for facet in practice.facets)
    if practice.passed and not practice.calls:
        return Result(place.name, OPEN, OTHER_WAY, notes=(*_left(practice),))
    if practice.passed:
        head = f"right in all {practice.calls:,} call{'' if practice.calls == 1 else 's'}"
        prints = (str(AlsoPrints()),) * practice.prints
        notes = (*_unsure(place), *prints, *_left(practice))
        return Result(place.name, GOOD, head, parts, notes=notes, form=_form(place))
    if waits := None if alone else _waiting(place, set(practice.paper.mentions)):
        return waits
    right = sum(facet.passed for facet in practice.facets)
    head = f"right in {right} of {len(parts)} respects"
    failures = tuple(facet.failure for facet in practice.facets if facet.failure)
    evidence = _evidence(place, _source(place), failures, practice.prints)
    known = practice.mistake(partial(_is_told, place, practice), _source(place))
    found = diagnose(evidence, surely=known is not None)
    result = Result(place.name, BAD, head, parts, form=_form(place))
    if known and not found:
        return replace(result, belief=known.belief, says=known.truth)
    return _said(result, found)


def _part(facet: Practised, alone: Place | None) -> Part:
    state = GOOD if facet.passed else BAD if facet.failure else OPEN
    failure = _with_wanted(facet.failure, alone) if facet.failure and alone else facet.failure
    return Part(state, facet.name, failure, f"{facet.calls:,} call{'' if facet.calls == 1 else 's'}")


def _with_wanted(failure: Failure, alone: Place) -> Failure:
    """Give a failure with what the reference gives for the call, where there is one, and nothing else is right."""
    reference = notebook.references().only_answer(alone.unit, alone.name)
    if reference is None or not failure.call.startswith(f"{alone.name}("):
        return failure
    try:
        with limited():
            wanted = eval(failure.call, {**alone.names, alone.name: reference})
    except (Exception, TimeUp):
        return failure
    return replace(failure, wanted=described(wanted, alone.names), remark="")


def _is_told(place: Place, practice: Practice, number: int) -> bool:
    """Tell whether the answer has what a known mistake is about."""
    asked = asked_of(place.unit, place.name)
    _, about = practice.paper.mistakes[number]
    given = meaning_the_same(import_module(asked.module), asked.exercises)
    return about.is_in(asked, given, _source(place))


def _left(practice: Practice) -> Iterator[str]:
    """Say what of the exam is left to a teacher: what is judged as a whole, and what is played."""
    if left := practice.left:
        yield f"not tried here: {'; '.join(left)}. That takes the autograder, which your teacher has"


def examined(place: Place) -> Tried:
    """Give what comes of the visible examples."""
    return tried(place, asked_of(place.unit, place.name).module)


def _unsure(place: Place) -> Iterator[str]:
    yield from (f"uses your `{name}`, which is not right yet" for name in _culprits(place))


def _said(result: Result, diagnosis: Diagnosis | None) -> Result:
    return replace(result, says=diagnosis.says, example=diagnosis.example) if diagnosis else result


def _shows_printing(place: Place) -> bool:
    return any("transcript" in example["call"] for example in place.stated["examples"])


def _is_of_another_version(place: Place) -> bool:
    """Tell whether there is a sealed exam, but of other statements than the notebook's or those that came with it."""
    sealed = notebook.sealed(place.unit).get("version")
    stated = notebook.version_of(statements(place.unit)["exercises"])
    own = place.book.told.get("version", stated) if place.book else stated
    return sealed is not None and {sealed} != {stated, own}


def _only_examples(place: Place) -> str:
    if _is_of_another_version(place):
        return f"only the visible examples were checked: {OTHER_VERSION}"
    if notebook.course_settings(place.folder):
        return "only the visible examples were checked here: your teacher has the whole exam"
    return "only the visible examples were checked: the whole exam comes with the autograder (pip install foldem)"


# ------------------------------------------------------------------------------------------------ what it stands on


def _source(place: Place) -> str:
    return notebook.typed_source(place.names, place.name) or ""


def _helpers(place: Place, source: str) -> tuple[Source, ...]:
    """Give what a source needs of other cells, directly or not, the answers to exercises aside; the latest of each."""
    exercises = asked_of(place.unit, place.name).exercises
    latest = {name: run for run in runs(place.names) for name in run.binds - exercises}
    makers = _makers(place.names)
    needed = reached(
        _mentioned(source), lambda name: frozenset() if name in exercises else makers.get(name, frozenset())
    )
    found = {run.number: run for name in needed if (run := latest.get(name)) and run.source != source}
    return tuple(Source(run.label, _without(run, exercises)) for _, run in sorted(found.items()))


def _without(run: Run, names: frozenset[str]) -> str:
    """Give a cell's source, blank where it binds some names."""
    lines = lines_of(run.source)
    for statement in run.statements:
        if bound_names(statement) & names:
            for row in range(first_line(statement) - 1, statement.end_lineno or 0):
                lines[row] = ""
    return "\n".join(lines)


def _form(place: Place) -> tuple[FormFinding, ...]:
    source = _source(place)
    return review(asked_of(place.unit, place.name), source, _helpers(place, source)) if source else ()


def _evidence(place: Place, source: str, failures: tuple[Failure, ...], prints: bool = False) -> Evidence:
    first = tuple(sorted(failures, key=lambda failure: len(failure.pasted)))
    return Evidence(
        asked_of(place.unit, place.name),
        source,
        first,
        _helpers(place, source),
        prints,
        elsewhere=dict(_elsewhere(place)),
        rebound=dict(_rebound(place)),
    )


def _elsewhere(place: Place) -> Iterator[tuple[str, str]]:
    """Give the names that are defined in cells which were not run, or not to their end."""
    past = runs(place.names)
    run_texts = {run.typed.strip() for run in past if not run.error}
    saved = [(source, "a cell of yours that was not run") for _, source in (place.book.cells if place.book else ())]
    ended = [(run.typed, f"{run.label}, which stopped with {run.error}") for run in past if run.error]
    for text, told in saved + ended:
        if text.strip() not in run_texts:
            names = {name for statement in statements_of(text) for name in bound_names(statement)}
            yield from ((name, told) for name in names - {*place.names})


def _rebound(place: Place) -> Iterator[tuple[str, str]]:
    """Give the given names that some cell has given another meaning."""
    module = __import__(asked_of(place.unit, place.name).module, fromlist=["*"])
    for run in runs(place.names):
        for name in run.binds & {*getattr(module, "__all__", ())}:
            if place.names.get(name) is not getattr(module, name):
                yield name, run.label


# ------------------------------------------------------------------------------------------------ whom it uses


def used_by(place: Place) -> list[str]:
    """Give the exercises that an answer reaches through the learner's own code, in teaching order."""
    makers = _makers(place.names)
    found = reached([place.name], lambda name: makers.get(name, frozenset())) - {place.name}
    return [exercise["name"] for exercise in statements(place.unit)["exercises"] if exercise["name"] in found]


def _makers(names: Names) -> dict[str, frozenset[str]]:
    """Give, for each name that the learner's cells bind, the names that its statement mentions."""
    found: dict[str, frozenset[str]] = {}
    for run in runs(names):
        for statement in run.statements:
            text = "\n".join(lines_of(run.source)[statement.lineno - 1 : statement.end_lineno])
            found |= dict.fromkeys(bound_names(statement), _mentioned(text))
    return found


def _mentioned(text: str) -> frozenset[str]:
    try:
        return names_in(text)
    except SyntaxError:
        return frozenset()


def _culprits(place: Place, mentions: Iterable[str] = (), whole: bool = False) -> Iterator[str]:
    """Give the exercises that an answer uses, or that its exam `mentions`, and that are not right yet.

    What they are tried on is their visible examples, and the `whole` of their sealed exam only where it matters.
    """
    for name in dict.fromkeys((*used_by(place), *mentions)):
        other = replace(place, name=name)
        if name != place.name and not is_borrowed(other) and (_hindrance(other) or _fails(other, whole)):
            yield name


def _fails(place: Place, whole: bool) -> bool:
    practice = None if examined(place).failures or not whole else practised(place)
    return bool(examined(place).failures) if practice is None else not practice.passed


def _waiting(place: Place, mentions: Iterable[str] = ()) -> Result | None:
    """Tell of an own function that has to be right first."""
    name = next(_culprits(place, mentions, whole=True), "")
    if not name:
        return None
    says = f'Mend `{name}` first: `check("{name}")` shows what is wrong with it.'
    match _hindrance(replace(place, name=name)):
        case StillStub():
            return Result(place.name, OPEN, f"waits for your `{name}`, which is not written yet")
        case None:
            return Result(place.name, OPEN, f"uses your `{name}`, which is not right yet", says=says)
        case hindrance:
            return Result(place.name, OPEN, f"uses your `{name}`: {words_of(hindrance, name)}", says=says)
