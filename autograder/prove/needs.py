"""Dependencies of the proofs of each exercise, so that `foldem prove --watch` repeats only those that a change affects.

When in doubt, an exercise depends on a text: the course's modules and a unit's shared helpers belong to all exercises.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256

from autograder.exam.build import example_words
from autograder.exam.checks import READ_OF_CHECKS
from autograder.prove.answers import right_answers
from autograder.prove.equivalent import listed_entries
from autograder.prove.mutate import names_instead
from autograder.units.mistakes import mistakes_of
from autograder.units.unit import Exercise, Unit
from autograder.units.written import written_statements
from course.graph import reached
from course.syntax import bound_names, names_in

SHARED = ""  # the name of what all exercises depend on


def needs_of(unit: Unit) -> dict[str, str]:
    """Return for each exercise of a unit a digest of the files and definitions that its proofs need.

    Raises UnitError if one of the unit's files cannot be read.
    """
    shared = "\n".join((*_files_of_all(unit), repr(replace(unit.policy, exercise=()))))
    texts, links = defaultdict[str, str](str), defaultdict[str, frozenset[str]](frozenset)
    for name, text, words in (*_exercise_texts(unit), *_checks_texts(unit), *_helper_texts(unit)):
        texts[name] += f"\n{text}"
        links[name] |= words
    needs = dict[str, str]()
    for name, exercise in unit.by_name.items():
        answers = [*_answers_to(unit, name)]
        words = names_instead(unit, exercise).union({SHARED, name}, *map(names_in, answers))
        used = [texts[each] for each in linked_names(words, links)]
        all_texts = "\0".join((shared, repr(listed_entries(unit, name)), *answers, *used))
        needs[name] = sha256(all_texts.encode(errors="replace")).hexdigest()
    return needs


def linked_names(words: Iterable[str], links: Mapping[str, Collection[str]]) -> list[str]:
    """Return the names among these words, and all names to which `links` lead from them, sorted.

    >>> linked_names(["b", "other"], {"a": ["b"], "b": ["c", "print"], "c": ["b"], "d": []})
    ['b', 'c']
    """
    return sorted(reached(links.keys() & {*words}, lambda name: links.keys() & {*links[name]}))


@cache
def words_in_code(code: str) -> frozenset[str]:
    """Return the names and the strings in a piece of code.

    >>> sorted(words_in_code('CHECKS["flip"] = Check(cases=drawn)'))
    ['CHECKS', 'Check', 'cases', 'drawn', 'flip']
    """
    return frozenset(word for node in ast.walk(ast.parse(code)) for word in _words_of(node))


def _words_of(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(str(word)) | ast.keyword(str(word)):
            yield word
        case ast.alias(name=word):
            yield word


def _exercise_texts(unit: Unit) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield the reference, the statement and the policy of each exercise, and the words that they use."""
    for policy in unit.policy.exercise:
        exercise = unit[policy.name]
        words = names_in(exercise.source) | example_words(exercise) | _types_in(exercise)
        yield exercise.name, f"{exercise.number}\n{exercise.source}\n{exercise.docstring}\n{policy}", words


def _types_in(exercise: Exercise) -> frozenset[str]:
    """Return the annotations of an exercise's parameters, and all parts of them: each may have a strategy."""
    trees = (ast.parse(parameter.annotation) for parameter in exercise.parameters)
    return frozenset(ast.unparse(node) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.expr))


def _checks_texts(unit: Unit) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield the entries of a unit's checks by exercise or type, and other statements by the names that they bind."""
    path = unit.pack.file("checks", unit.name)
    for node, _, _ in written_statements(path) if path.exists() else ():
        text = ast.unparse(node)
        if entries := [*_entries(node)]:
            yield from ((key, code, words_in_code(code)) for key, code in entries)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((name, text, frozenset[str]()) for name in bound_names(node))
        else:
            words = words_in_code(text)
            bound = {SHARED} if {*READ_OF_CHECKS} & words else bound_names(node) or {SHARED}
            yield from ((name, text, words) for name in bound)


def _helper_texts(unit: Unit) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield the helpers of right answers by the names that they bind."""
    for helper in (helper for right in right_answers(unit) for helper in right.helpers):
        names = bound_names(ast.parse(helper).body[0]) or {SHARED}
        yield from ((name, helper, names_in(helper)) for name in names)


def _entries(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the keys to which a statement gives a value in a table of the checks, each with the code of the value."""
    match statement:
        case ast.Assign([ast.Name(table)], ast.Dict(keys, values)) if table in READ_OF_CHECKS:
            texts = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            if len(texts) == len(keys):
                yield from zip(texts, map(ast.unparse, values), strict=True)
        case ast.Assign([ast.Subscript(ast.Name(table), ast.Constant(str(key)))], value) if table in READ_OF_CHECKS:
            yield key, ast.unparse(value)


def _answers_to(unit: Unit, name: str) -> Iterator[str]:
    """Yield the known mistakes of an exercise, and the right answers to it."""
    yield from (mistake.source for mistake in mistakes_of(unit) if mistake.exercise == name)
    yield from (right.answers[name] for right in right_answers(unit))


def _files_of_all(unit: Unit) -> Iterator[str]:
    """Yield the files on which all exercises of a unit depend, and the other statements next to its references."""
    pack = unit.pack
    checks = set(pack.folder("checks").glob("*.py")) - {pack.file("checks", unit.name)}
    for path in sorted(each for each in {*pack.course_folder.rglob("*.py"), *checks} if each.is_file()):
        yield f"{path.name}\n{path.read_text(encoding='utf-8', errors='replace')}"
    for node, _, text in written_statements(pack.file("solutions", unit.name)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and not bound_names(node) & set(unit.by_name):
            yield text
