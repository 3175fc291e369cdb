"""The rules of form that cost points, and those that only advise: the defaults, and the settings of a unit.

A unit's TOML may have this table, below its first keys:

    [form]
    error = ["tail-recursion"]          # rules that cost points here, besides those that do everywhere
    warn = ["loops"]                    # rules that only advise here
    ignore = ["local-helpers"]         # rules that are off here
    imports = ["functools"]             # modules that may be imported, not `ALLOWED_IMPORTS`; `course` always may
    compare_with = { Color = "is_same_color" }   # given comparisons, by type: `==` is for numbers and strings only

An exercise can add `error`, `requires` and `bans`. A requirement is a name, `match`, `comprehension`, or several of
these: `"filter or comprehension"`. A ban is a name (`sorted`) or a method (`.sort`). `decides` are the
rules that a right answer must keep, for example a ban on the function that solves the exercise. A unit's own
rules, in its `form.py`, apply where `error` or `warn` names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# The rules, the worst first. If an answer breaks many rules, the learner sees the first three.
RULE_NAMES = (
    "bans",
    "requires",
    "loops",
    "mutation",
    "tail-recursion",
    "imports",
    "local-helpers",
    "repeated-calls",
    "equality",
    "identity",
    "shadowed-names",
    "if-chains",
    "length",
    "wrapped-lambda",
    "unused-names",
)
# `equality` needs a `compare_with` in the unit's table. `ON_DEMAND_RULES` are the rules that apply only where a
# unit or an exercise names them.
ERROR_RULES = frozenset({"bans", "requires", "mutation", "loops", "imports", "equality"})
ON_DEMAND_RULES = frozenset({"tail-recursion", "repeated-calls"})
WARNING_RULES = frozenset(RULE_NAMES) - ERROR_RULES - ON_DEMAND_RULES
ALLOWED_IMPORTS = (
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

    errors: frozenset[str] = ERROR_RULES
    warnings: frozenset[str] = WARNING_RULES
    imports: tuple[str, ...] = ALLOWED_IMPORTS
    compare_with: dict[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the rules that apply, the most important first. The unit's own rules come last."""
        named = self.errors | self.warnings
        return (*(rule for rule in RULE_NAMES if rule in named), *sorted(named.difference(RULE_NAMES)))


@dataclass(frozen=True)
class FormSettings:
    """The rules of form in a unit's TOML. If `imports` is missing, answers may import `ALLOWED_IMPORTS`."""

    error: tuple[str, ...] = ()
    warn: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    imports: tuple[str, ...] | None = None
    compare_with: dict[str, str] = field(default_factory=dict)


def policy_of(table: FormSettings, error: Iterable[str] = ()) -> FormPolicy:
    """Return the rules of form for an exercise, from its unit's `table`. The rules in `error` are errors, too."""
    errors = (ERROR_RULES - {*table.warn} - {*table.ignore}) | {*table.error, *error}
    warnings = (WARNING_RULES - {*table.ignore} | {*table.warn}) - errors
    return FormPolicy(
        errors, warnings, ALLOWED_IMPORTS if table.imports is None else tuple(table.imports), table.compare_with
    )


Signature = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class ExerciseFacts:
    """The facts about an exercise in its unit's statements, which the rules of form and the diagnoses need.

    `typical_lines` is the number of lines of a simple right answer.
    """

    says: str
    parameters: Signature = ()
    typical_lines: int
    requires: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    error: tuple[str, ...] = ()
    decides: tuple[str, ...] = ()
    curried: bool = False
    is_called: bool = True


@dataclass(frozen=True, kw_only=True)
class Requirements(ExerciseFacts):
    """The facts that the rules of form need about an exercise and its unit.

    `module` is the name of the unit's module, and `exercises` are the names of all its exercises. `signatures` has the
    parameters of each exercise, as pairs of a name and an annotation.
    """

    name: str
    module: str
    exercises: frozenset[str]
    policy: FormPolicy
    signatures: Mapping[str, Signature] = field(default_factory=dict)


def requirements_from(module: str, form: FormSettings, facts: Mapping[str, ExerciseFacts], name: str) -> Requirements:
    """Return the facts about the exercise `name` and its unit.

    `facts` has the facts about all exercises of the unit.
    """
    return Requirements(
        **vars(facts[name]),
        name=name,
        module=module,
        exercises=frozenset(facts),
        policy=policy_of(form, facts[name].error),
        signatures={each: other.parameters for each, other in facts.items()},
    )
