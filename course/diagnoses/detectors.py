"""All detectors, in the order in which they are tried. `course.diagnoses` imports them only for wrong answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from course.diagnoses import calls, differing, giving, patterns, returning
from course.diagnoses.evidence import Diagnosis, Evidence
from course.diagnoses.kinds import ITERATORS
from course.form import review
from course.roles import role_module

# ------------------------------------------------------------------------------------------------ by the exception


@dataclass(frozen=True)
class RaisedSlip:
    """A detector of one kind of mistake, which looks only at the exception.

    The advice is a template with placeholders for the match in Python's message, the message, and the line.
    """

    advice: Diagnosis
    python: str = ""
    error: str = ""

    def __call__(self, e: Evidence) -> Iterator[Diagnosis]:
        is_told = e.failure.line or "{line}" not in self.advice.says
        if is_told and self.error in ("", e.error) and (match := e.raised(self.python)):
            says = self.advice.says.format(match=match, message=e.message, line=e.failure.line)
            yield Diagnosis(says, e.in_words(self.advice.example))


BY_MESSAGE: tuple[Callable[[Evidence], Iterator[Diagnosis]], ...] = (
    RaisedSlip(
        Diagnosis("`case _:` matches everything, so the cases after it never run. Put `case _:` last."),
        python="wildcard makes remaining patterns",
        error="SyntaxError",
    ),
    RaisedSlip(
        Diagnosis(
            "`isinstance` on line {line} takes a value first, and then a class. Write the class without parentheses."
        ),
        python=r"isinstance\(\) arg 2 must be a type",
    ),
    RaisedSlip(
        Diagnosis("The `{match[1]}` is outside the function. Indent it, so that it belongs to the `def`."),
        python="'(return|yield|await)' outside function",
        error="SyntaxError",
    ),
    RaisedSlip(Diagnosis("`exit()` quits Python. To leave a function, use `return`."), error="SystemExit"),
    RaisedSlip(
        Diagnosis("`{match[1]}()` quits Python. To leave a function, use `return`."),
        python="name '(exit|quit)' is not defined",
    ),
    RaisedSlip(
        Diagnosis("Line {line} raises a string, but you can raise only an exception. Write:", "raise ValueError(…)"),
        python="exceptions must derive",
        error="TypeError",
    ),
    RaisedSlip(
        Diagnosis("You can add a string only to another string. Make one string of both:", 'f"{name}: {number}"'),
        python=r"can only concatenate str|operand type\(s\) for \+: '(?:int|float)' and 'str'",
    ),
    RaisedSlip(
        Diagnosis(
            "Python cannot compare a tuple with a number on line {line}. To compare the number of items, use:", "len(…)"
        ),
        python="not supported between instances of '(?:tuple|list|str)' and 'int'",
    ),
    RaisedSlip(
        Diagnosis(
            "Between `[` and `]` on line {line}, write an index. It must be an integer, not a value of type "
            "`{match[1]}`."
        ),
        python=r"indices must be integers or slices, not (?!float)(\w+)",
        error="TypeError",
    ),
    RaisedSlip(
        Diagnosis("This call uses a value that is not written yet: it is still `TODO`."),
        python="TODO",
        error="NotImplementedError",
    ),
    RaisedSlip(
        Diagnosis("Line {line} still has the `raise NotImplementedError` of the empty exercise. Delete it."),
        error="NotImplementedError",
    ),
    RaisedSlip(
        Diagnosis("`{match[1]}` on line {line} takes one collection, but got several. Join them first, with `+`."),
        python="^(set|frozenset|tuple|list) expected at most 1 argument",
    ),
    RaisedSlip(
        Diagnosis("`sum` on line {line} cannot take a `key`. First convert each item to a number:", "sum(map(…, …))"),
        python="'key' is an invalid keyword argument for sum",
    ),
    RaisedSlip(
        Diagnosis(
            "A {match[1]} cannot be changed, so it has no `.{match[2]}`. Make a new {match[1]}, such as:",
            "(*items, item)",
        ),
        python=r"'(tuple|str)' object has no attribute '(append|extend|insert|remove|pop|sort|reverse|add|clear)'",
    ),
    RaisedSlip(
        Diagnosis(
            "A {match[1]} cannot be changed. Make a new {match[1]}, such as:",
            "(*items[:place], item, *items[place + 1 :])",
        ),
        python=r"'(tuple|str)' object does not support item (?:assignment|deletion)",
    ),
    RaisedSlip(
        Diagnosis(
            "`recur(…)` cannot be used in a calculation. Write `@tail_recursive` above the `def`, and pass the "
            "result so far as an argument:",
            "return recur(…, count + 1)",
        ),
        python=r"\bRecur\b",
        error="TypeError",
    ),
    RaisedSlip(
        Diagnosis("`{match[1]}` has {match[2]} parts, but the pattern on line {line} has {match[3]}."),
        python=r"(\w+)\(\) accepts (\d+) positional sub-patterns? \((\d+) given\)",
    ),
    RaisedSlip(
        Diagnosis("A pattern cannot call a function. Write the call after `if`:", "case item if test(item):"),
        python="called match pattern must be a",
    ),
    RaisedSlip(
        Diagnosis("`split` on line {line} needs a separator. To get a tuple of the characters, write `tuple(…)`."),
        python="empty separator",
    ),
    RaisedSlip(
        Diagnosis(
            "`join` on line {line} needs strings, but an item is of type `{match[1]}`. Convert the items first:",
            '" ".join(map(str, …))',
        ),
        python=r"sequence item \d+: expected str instance, (\w+) found",
    ),
    RaisedSlip(
        Diagnosis("`join` on line {line} is a method of strings: call it on the separator. Write:", '" ".join(…)'),
        python="'(?:map|tuple|list|generator|filter)' object has no attribute 'join'",
    ),
    RaisedSlip(
        Diagnosis(
            "`.index(…)` or `.remove(…)` on line {line} finds no item that is equal to its argument. Print the "
            "items and the argument before this line."
        ),
        python="not in (?:tuple|list)|is not in list",
        error="ValueError",
    ),
    RaisedSlip(
        Diagnosis(
            "`in` on line {line} needs a collection after it, such as a tuple. To compare with one value, write `==`."
        ),
        python=r"argument of type '(?!NoneType|function|type|curry|Compose)\w+' is not|is not a container or iterable",
        error="TypeError",
    ),
    RaisedSlip(
        Diagnosis(
            "An index or a number of items must be an integer, not a float such as 2.0. To divide integers, write `//`."
        ),
        python=r"slice indices must be integers|'float' object cannot be|indices must be integers or slices, not float",
    ),
    RaisedSlip(
        Diagnosis(
            "`{match[1]}` produces its items one by one, so you cannot use an index. Wrap it in `tuple(…)` first."
        ),
        python=rf"'(?:itertools\.)?((?<=\.)\w+|{'|'.join(ITERATORS)})' object is not subscriptable",
    ),
    RaisedSlip(
        Diagnosis(
            "A `{match[1]}` object has no length, because its items do not exist yet. Wrap it in `tuple(…)` first."
        ),
        python=rf"object of type '({'|'.join(ITERATORS)})' has no len",
    ),
    RaisedSlip(
        Diagnosis("This `{match[1]}` has no length. Which part of it do you want to count?"),
        python=r"object of type '(?!NoneType|Compose)([A-Z]\w+)' has no len",
    ),
    RaisedSlip(
        Diagnosis("You cannot change `{match[1]}` in this value. Make a new value with the new `{match[1]}`."),
        python=r"cannot assign to field '(\w+)'",
    ),
    RaisedSlip(
        Diagnosis("A {match[1]} cannot be an item of a set or a key of a dictionary. Use a tuple."),
        python="unhashable type: '(list|dict|set)'",
    ),
    RaisedSlip(
        Diagnosis("The dictionary has no key `{message}`. Print its keys, or use `.get(…)`."),
        error="KeyError",
    ),
    RaisedSlip(
        Diagnosis(
            "`{match[1]}` raises an error if there are no items. For this case, choose a result and pass it as "
            "`default=…`."
        ),
        python=r"(min|max)\(\) (?:arg is an empty sequence|iterable argument is empty)",
    ),
    RaisedSlip(
        Diagnosis(
            "The function calls `input` too often: there are no more lines to read. If nothing has to be typed in this "
            "exercise, use the parameters instead of `input`."
        ),
        error="EOFError",
    ),
    RaisedSlip(
        Diagnosis(
            "The function makes more random choices than the statement says. If there is only one option, do "
            "not choose at random."
        ),
        error="OutOfChance",
    ),
)


# ------------------------------------------------------------------------------------------------ all, in their order


class DetectorInput(Enum):
    """The evidence that a detector needs.

    TEXT is the answer's source alone. A detector that needs only TEXT must not match any right answer. RETURNED is a
    returned value. RESULT is a returned value or an exception. LAST is for detectors that recognize no mistake, and
    only show facts of the failing call.
    """

    TEXT, RETURNED, RESULT, LAST = range(4)


TEXT, RETURNED, RESULT, LAST = DetectorInput
DETECTORS: tuple[tuple[Callable[[Evidence], Iterator[Diagnosis]], DetectorInput], ...] = (
    (patterns.parameter_captured, TEXT),
    (patterns.bare_capture, TEXT),
    (calls.parameters_swapped, TEXT),
    (patterns.unlike_one_of_two, TEXT),
    (patterns.text_against_number, TEXT),
    (calls.body_without_lambda, RESULT),
    (giving.star_before_recursion, RESULT),
    (returning.own_result_dropped, RESULT),
    (returning.inner_drops_its_value, RESULT),
    (returning.raised_on_purpose, RESULT),
    (calls.another_kind_passed, RESULT),
    (calls.called_for_a_function, TEXT),
    (calls.another_kind_written, TEXT),
    (calls.too_many_or_few, RESULT),
    (giving.no_match, RESULT),
    (calls.part_of_its_items, RESULT),
    (giving.unlike_operands, RESULT),
    (patterns.same_object, RESULT),
    (returning.copy_dropped, TEXT),
    (returning.never_runs, TEXT),
    (returning.raised_needlessly, RESULT),
    *((each, RESULT) for each in BY_MESSAGE),
    (calls.missing_module, RESULT),
    (calls.rebound_name, RESULT),
    (calls.undefined_name, RESULT),
    (calls.unbound_name, RESULT),
    (giving.none_where_a_value_is_needed, RESULT),
    (calls.missing_attribute, RESULT),
    (calls.arguments_in_another_order, RESULT),
    (calls.own_signature, RESULT),
    (giving.tuple_and_item, RESULT),
    (calls.forgotten_call, RESULT),
    (giving.not_iterable, RESULT),
    (giving.no_order, RESULT),
    (giving.unpacking, RESULT),
    (patterns.exhausted_iterator, TEXT),
    (giving.past_the_end, RESULT),
    (calls.calls_what_is_unwritten, RESULT),
    (returning.endless, RESULT),
    (returning.prints_instead, RETURNED),
    (returning.drops_its_value, RETURNED),
    (giving.returned_iterator, RETURNED),
    (giving.missing_trampoline, RETURNED),
    (giving.list_for_tuple, RETURNED),
    (giving.one_for_many, RETURNED),
    (giving.bare_parts, RETURNED),
    (patterns.always_true, TEXT),
    (returning.pure_and_dropped, TEXT),
    (returning.early_return, TEXT),
    (giving.function_for_value, RESULT),
    (returning.ways_without_return, RESULT),
    (giving.gives_back_its_argument, RESULT),
    (giving.unread_parameter, RESULT),
    (giving.result_cannot_be_used, RESULT),
    (differing.wrong_value, LAST),
    (differing.other_text, LAST),
    (calls.raised_by_a_call, LAST),
    (differing.other_outcome, LAST),
)


def detectors_by(*kinds: DetectorInput) -> list[Callable[[Evidence], Iterator[Diagnosis]]]:
    """Return the detectors whose input is one of these kinds, in the order of `DETECTORS`."""
    return [detector for detector, looks_at in DETECTORS if looks_at in kinds]


def all_diagnoses(evidence: Evidence, surely: bool) -> Iterator[Diagnosis]:
    """Yield all diagnoses: first for banned code, then from the unit's own detectors, then from the course's detectors.

    If a source does not parse, only the syntax error is explained.
    """
    if evidence.syntax_problem:
        for reader in patterns.PARSING:
            yield from reader(evidence, evidence.syntax_problem)
        return
    requirements = evidence.requirements
    for finding in review(requirements, evidence.source, evidence.helpers) if requirements.bans else ():
        if finding.rule == "bans":  # such code must be removed anyway
            yield Diagnosis(f"Change line {finding.line} first: {finding.why}. Instead, {finding.instead}.")
    own = role_module(requirements.module, "advice")
    for unit_detector in own.ADVICE.first if own else ():
        with suppress(Exception):  # errors of a unit's detector are never shown to learners
            if diagnosis := unit_detector(evidence):
                yield diagnosis
    for detector in detectors_by(TEXT, RETURNED) if surely else detectors_by(TEXT, RETURNED, RESULT):
        yield from detector(evidence)
    if not surely:
        for detector in detectors_by(LAST):
            yield from detector(evidence)
