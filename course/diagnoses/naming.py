"""Diagnoses of missing names and attributes.

The name that was probably meant is searched first in the function, then in the unit.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from course.diagnoses.evidence import Diagnosis, Evidence, code, with_article
from course.diagnoses.kinds import kind_words, kinds_written, parts_sentence
from course.diagnoses.obstacle import first_cell_text
from course.form.given import field_names, members_of

CONSTANTS = {"true": "True", "false": "False", "none": "None", "null": "None", "nil": "None"}
# How to import what the warm-up teaches; other notebooks do not import it.
TAUGHT_IMPORTS = {
    **{name: f"from itertools import {name}" for name in ("accumulate", "pairwise")},
    **{name: f"from functools import {name}" for name in ("partial", "reduce")},
    **{name: f"import {name}" for name in ("functools", "itertools")},
}


# ------------------------------------------------------------------------------------------------ names


def undefined_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a name that is not defined."""
    match = e.raised(r"name '(\w+)' is not defined", "NameError")
    if not match:
        return
    name = match[1]
    if name in CONSTANTS:
        yield Diagnosis(f"In Python, `{name}` is written `{CONSTANTS[name]}`.")
    if name in e.not_imported:
        yield Diagnosis(f"`{name}` is not imported yet. {first_cell_text(e.requirements.module, e.requirements.name)}")
    if name in e.defined_now:
        yield Diagnosis(
            f"`{name}` was not defined when this function ran, but it is now. Run the cell of "
            f"`{e.requirements.name}` again (Shift-Enter)."
        )
    if name in e.elsewhere:
        yield Diagnosis(
            f"{_capital(e.elsewhere[name])} defines `{name}`. Run that cell to its end (Shift-Enter), then check again."
        )
    if name in e.requirements.exercises:
        yield Diagnosis(f"`{name}` is an exercise. Run its cell first.")
    if name in TAUGHT_IMPORTS:
        yield Diagnosis(f"`{name}` is not imported. Write this above `def`:", TAUGHT_IMPORTS[name])
    yield Diagnosis(f"`{name}` is not defined. {_meaning(e, name)}")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _meaning(e: Evidence, name: str) -> str:
    """Return a sentence on what a name that is not defined anywhere may mean."""
    uses = [node for node in e.here if isinstance(node, ast.Name) and node.id == name]
    is_called = any(isinstance(node, ast.Call) and node.func in uses for node in e.here)
    if name in e.bound:
        return "Your code assigns this name only on a later line, or in another function."
    around = {outer for node in uses for outer in e.above(node)}
    others = [part for part in e.all(ast.comprehension) if e.parents[part] not in around or part in around]
    hidden = {each.id for part in others for each in ast.walk(part.target) if isinstance(each, ast.Name)}
    if near := e.near(name, [each for each in e.known - hidden if is_called or each not in e.given.types]):
        return f"Did you mean `{near}`?"
    if uses and e.parameters and not is_called and name.islower():
        return f"Did you mean the parameter {' or '.join(f'`{each}`' for each in e.parameters)}?"
    if isinstance(e.value, ast.Call) and e.requirements.is_called:
        return f"`{e.requirements.name}` must be a function, and `{name}` must be one of its parameters."
    return "You have not run a cell that defines this name."


def unbound_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a variable that has no value yet."""
    if match := e.raised(r"(?:local|free) variable '(\w+)'", "UnboundLocalError", "NameError"):
        rows = sorted(n.lineno for n in e.all(ast.Name) if n.id == match[1] and isinstance(n.ctx, ast.Store))
        where = f" Line {rows[0]} assigns this name, so it is a variable of this function." if rows else ""
        yield Diagnosis(f"`{match[1]}` is used before it has a value.{where} Assign it earlier, or rename it.")


def missing_module(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an import of a module that Python cannot find."""
    if match := e.raised(r"No module named '(\w+)", "ModuleNotFoundError"):
        says = f"There is no module `{match[1]}` here. If it is a file of your own, copy its code into this notebook."
        allowed = ", ".join(each for each in e.requirements.policy.imports if not each.startswith("_"))
        yield Diagnosis(f"{says} Otherwise, use only these modules: {allowed}.")


def rebound_name(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a given name that some cell has redefined."""
    if own := next((node.id for node in e.all(ast.Name) if node.id in e.hidden and node.id not in e.bound), ""):
        yield Diagnosis(f"`{own}` is {e.hidden[own]}. Rename that variable, then run:", f"del {own}")
    name = next((node.id for node in e.all(ast.Name) if node.id in e.rebound), "")
    if not name or (e.error and e.here and not any(getattr(node, "id", "") == name for node in e.here)):
        return
    yield Diagnosis(
        f"{_capital(e.rebound[name])} redefines `{name}`. Use another name in that cell, then run the first cell again."
    )


# ------------------------------------------------------------------------------------------------ attributes


def missing_attribute(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an attribute that a value does not have."""
    match = e.raised(r"(?:type )?(?:object )?'(\w+)'(?: object)? has no attribute '(\w+)'", "AttributeError")
    if not match:
        return
    kind, name = match[1], match[2]
    types = e.given.types
    cls = types.get(kind) or getattr(builtins, kind, None)
    among = [each for each in dir(cls) if not each.startswith("_")] if isinstance(cls, type) else []
    parts = field_names(cls)
    if near := e.near(name, dict.fromkeys([*parts, *among])):
        yield Diagnosis(f"`{kind}` has no `.{name}`. Did you mean `.{near}`?")
    if parts:
        yield Diagnosis(f"`{kind}` has no `.{name}`. {parts_sentence(parts)}")
    unions = [members_of(each) for each in types.values() if kind in types and {types[kind]} < members_of(each)]
    for owner, other in types.items():
        if name in field_names(other) and any(other in members for members in unions):
            yield Diagnosis(
                f"`{owner}` has a part `.{name}`, but this value is {kind_words(kind)}. Test the type of the value "
                "first."
            )


def part_of_its_items(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `cards.rank`: each card has a rank, but the tuple of cards has none."""
    match = e.raised(r"'(tuple|list)' object has no attribute '(\w+)'", "AttributeError")
    if not match or any(hasattr(kind, match[2]) for kind in (tuple, list, str)):
        return
    owners = [n.value for n in e.here if isinstance(n, ast.Attribute) and n.attr == match[2]]
    unsure = [node for node in owners if not kinds_written(e, node) & {*e.given.types}]
    for items in map(code, unsure or owners):
        is_part = match[2] in e.given.fields
        yield Diagnosis(
            f"`{items}` is {with_article(match[1])}, which has no `.{match[2]}`. "
            f"{'Go through its items, or take one of them' if is_part else 'Take one of its items, or count them'}:",
            f"(each.{match[2]} for each in {items})\n{items}[0].{match[2]}" if is_part else f"{items}[0]\nlen({items})",
        )
