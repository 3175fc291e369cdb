"""Which rules of form cost points, and which only advise: the defaults, and the settings of a unit.

A unit's TOML may have this table, below its first keys:

    [form]
    binds = ["tail-recursion"]          # rules that cost points here, besides those that do everywhere
    advises = ["loops"]                 # rules that only advise here
    allows = ["local-helpers"]          # rules that are silent here
    imports = ["functools"]             # modules that may be imported, instead of `IMPORTS`; `course` always may
    compare_with = { Color = "is_same_color" }   # given comparisons, by type: `==` is for numbers and strings only

An exercise can add `binds`, `requires` and `bans`. A ban is a name (`sorted`) or a method (`.sort`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

# The rules, the worst first. If an answer breaks many rules, the learner sees the first three.
RULES = (
    "bans",
    "requires",
    "mutation",
    "loops",
    "tail-recursion",
    "imports",
    "local-helpers",
    "equality",
    "identity",
    "shadowed-names",
    "if-chains",
    "length",
    "wrapped-lambda",
    "unused-names",
)
# `equality` needs a `compare_with` in the unit's table; tail recursion is required by units and exercises only.
BINDS = frozenset({"bans", "requires", "mutation", "loops", "imports", "equality"})
ADVISES = frozenset(RULES) - BINDS - {"tail-recursion"}
IMPORTS = (
    "__future__",
    "collections",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "math",
    "operator",
    "string",
    "toolz",
    "typing",
)


@dataclass(frozen=True)
class FormPolicy:
    """The rules of form for one exercise."""

    binds: frozenset[str] = BINDS
    advises: frozenset[str] = ADVISES
    imports: tuple[str, ...] = IMPORTS
    compare_with: dict[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the rules that apply, the worst first."""
        return tuple(rule for rule in RULES if rule in self.binds or rule in self.advises)


def policy_of(table: Mapping[str, Any], binds: Iterable[str] = ()) -> FormPolicy:
    """Return the rules of form for an exercise, from its unit's table."""
    binding, advises, allows = (frozenset(table.get(key, ())) for key in ("binds", "advises", "allows"))
    bound = (BINDS - advises - allows) | binding | {*binds}
    return FormPolicy(
        bound,
        (ADVISES - allows | advises) - bound,
        tuple(table.get("imports", IMPORTS)),
        dict(table.get("compare_with", {})),
    )


Signature = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Requirements:
    """The facts about an exercise that the rules of form need.

    `module` is the unit's, `exercises` are the names of all its exercises, and `parameters` are pairs of a name and an
    annotation. `signatures` has the parameters of all exercises.
    """

    name: str
    module: str
    exercises: frozenset[str]
    policy: FormPolicy
    parameters: Signature = ()
    lines: int = 1
    is_called: bool = True
    curried: bool = False
    requires: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    signatures: Mapping[str, Signature] = field(default_factory=dict)


def requirements_from(facts: Mapping[str, Any], name: str) -> Requirements:
    """Return the facts about an exercise from its unit's statements."""
    own = facts["asked"][name]
    return Requirements(
        name,
        facts["module"],
        exercises=frozenset(facts["asked"]),
        policy=policy_of(facts["form"], own.get("binds", ())),
        parameters=_signature(own),
        lines=own.get("lines", 1),
        is_called=own.get("is_called", True),
        curried=own.get("curried", False),
        requires=tuple(own.get("requires", ())),
        bans=tuple(own.get("bans", ())),
        signatures={each: _signature(other) for each, other in facts["asked"].items()},
    )


def _signature(facts: Mapping[str, Any]) -> Signature:
    return tuple((parameter, annotation) for parameter, annotation in facts.get("parameters", ()))
