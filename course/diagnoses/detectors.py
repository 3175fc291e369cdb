"""All detectors, in the order in which they are tried. `course.diagnoses` imports them only for wrong answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from course.diagnoses import calls, differing, giving, patterns, returning
from course.diagnoses.evidence import Diagnosis, Evidence
from course.diagnoses.kinds import ITERATOR_TYPE_NAMES
from course.form import review
from course.roles import role_module

# ------------------------------------------------------------------------------------------------ by the exception


@dataclass(frozen=True)
class ExceptionDetector:
    """A detector of one kind of mistake, which looks only at the exception.

    The advice is a template with placeholders for the match in Python's message, the message, and the line.
    """

    advice: Diagnosis
    python: str = ""
    error: str = ""

    def __call__(self, e: Evidence) -> Iterator[Diagnosis]:
        is_told = e.failure.line or "{line}" not in self.advice.says
        if is_told and self.error in ("", e.error) and (match := e.match_in_message(self.python)):
            says = self.advice.says.format(match=match, message=e.message, line=e.failure.line)
            yield Diagnosis(says, e.with_unit_names(self.advice.example))


EXCEPTION_DETECTORS: tuple[Callable[[Evidence], Iterator[Diagnosis]], ...] = (
    ExceptionDetector(
        Diagnosis("`case _:` matches everything, so the cases after it never run. Put `case _:` last."),
        python="wildcard makes remaining patterns",
        error="SyntaxError",
    ),
    ExceptionDetector(
        Diagnosis(
            "`isinstance` on line {line} takes a value first, and then a class. Write the class without parentheses."
        ),
        python=r"isinstance\(\) arg 2 must be a type",
    ),
    ExceptionDetector(
        Diagnosis("The `{match[1]}` is outside the function. Indent it, so that it belongs to the `def`."),
        python="'(return|yield|await)' outside function",
        error="SyntaxError",
    ),
    ExceptionDetector(Diagnosis("`exit()` quits Python. To leave a function, use `return`."), error="SystemExit"),
    ExceptionDetector(
        Diagnosis("`{match[1]}()` quits Python. To leave a function, use `return`."),
        python="name '(exit|quit)' is not defined",
    ),
    ExceptionDetector(
        Diagnosis("Line {line} raises a string, but you can raise only an exception. Write:", "raise ValueError(…)"),
        python="exceptions must derive",
        error="TypeError",
    ),
    ExceptionDetector(
        Diagnosis("You can add a string only to another string. Make one string of both:", 'f"{name}: {number}"'),
        python=r"can only concatenate str|operand type\(s\) for \+: '(?:int|float)' and 'str'",
    ),
    ExceptionDetector(
        Diagnosis(
            "Python cannot compare a tuple with a number on line {line}. To compare the number of items, use:", "len(…)"
        ),
        python="not supported between instances of '(?:tuple|list|str)' and 'int'",
    ),
    ExceptionDetector(
        Diagnosis(
            "Between `[` and `]` on line {line}, write an index. It must be an integer, not a value of type "
            "`{match[1]}`."
        ),
        python=r"indices must be integers or slices, not (?!float)(\w+)",
        error="TypeError",
    ),
    ExceptionDetector(
        Diagnosis("This call uses a value that is not written yet: it is still `TODO`."),
        python="TODO",
        error="NotImplementedError",
    ),
    ExceptionDetector(
        Diagnosis("Line {line} still has the `raise NotImplementedError` of the empty exercise. Delete it."),
        error="NotImplementedError",
    ),
    ExceptionDetector(
        Diagnosis("`{match[1]}` on line {line} takes one collection, but got several. Join them first, with `+`."),
        python="^(set|frozenset|tuple|list) expected at most 1 argument",
    ),
    ExceptionDetector(
        Diagnosis("`sum` on line {line} cannot take a `key`. First convert each item to a number:", "sum(map(…, …))"),
        python="'key' is an invalid keyword argument for sum",
    ),
    ExceptionDetector(
        Diagnosis(
            "A {match[1]} cannot be changed, so it has no `.{match[2]}`. Make a new {match[1]}, such as:",
            "(*items, item)",
        ),
        python=r"'(tuple|str)' object has no attribute '(append|extend|insert|remove|pop|sort|reverse|add|clear)'",
    ),
    ExceptionDetector(
        Diagnosis(
            "A {match[1]} cannot be changed. Make a new {match[1]}, such as:",
            "(*items[:place], item, *items[place + 1 :])",
        ),
        python=r"'(tuple|str)' object does not support item (?:assignment|deletion)",
    ),
    ExceptionDetector(
        Diagnosis(
            "`recur(…)` cannot be used in a calculation. Write `@tail_recursive` above the `def`, and pass the "
            "result so far as an argument:",
            "return recur(…, count + 1)",
        ),
        python=r"\bRecur\b",
        error="TypeError",
    ),
    ExceptionDetector(
        Diagnosis("`{match[1]}` has {match[2]} parts, but the pattern on line {line} has {match[3]}."),
        python=r"(\w+)\(\) accepts (\d+) positional sub-patterns? \((\d+) given\)",
    ),
    ExceptionDetector(
        Diagnosis("A pattern cannot call a function. Write the call after `if`:", "case item if test(item):"),
        python="called match pattern must be a",
    ),
    ExceptionDetector(
        Diagnosis("`split` on line {line} needs a separator. To get a tuple of the characters, write `tuple(…)`."),
        python="empty separator",
    ),
    ExceptionDetector(
        Diagnosis(
            "`join` on line {line} needs strings, but an item is of type `{match[1]}`. Convert the items first:",
            '" ".join(map(str, …))',
        ),
        python=r"sequence item \d+: expected str instance, (\w+) found",
    ),
    ExceptionDetector(
        Diagnosis("`join` on line {line} is a method of strings: call it on the separator. Write:", '" ".join(…)'),
        python="'(?:map|tuple|list|generator|filter)' object has no attribute 'join'",
    ),
    ExceptionDetector(
        Diagnosis(
            "`.index(…)` or `.remove(…)` on line {line} finds no item that is equal to its argument. Print the "
            "items and the argument before this line."
        ),
        python="not in (?:tuple|list)|is not in list",
        error="ValueError",
    ),
    ExceptionDetector(
        Diagnosis(
            "`in` on line {line} needs a collection after it, such as a tuple. To compare with one value, write `==`."
        ),
        python=r"argument of type '(?!NoneType|function|type|curry|Compose)\w+' is not|is not a container or iterable",
        error="TypeError",
    ),
    ExceptionDetector(
        Diagnosis(
            "An index or a number of items must be an integer, not a float such as 2.0. To divide integers, write `//`."
        ),
        python=r"slice indices must be integers|'float' object cannot be|indices must be integers or slices, not float",
    ),
    ExceptionDetector(
        Diagnosis(
            "`{match[1]}` produces its items one by one, so you cannot use an index. Wrap it in `tuple(…)` first."
        ),
        python=rf"'(?:itertools\.)?((?<=\.)\w+|{'|'.join(ITERATOR_TYPE_NAMES)})' object is not subscriptable",
    ),
    ExceptionDetector(
        Diagnosis(
            "A `{match[1]}` object has no length, because its items do not exist yet. Wrap it in `tuple(…)` first."
        ),
        python=rf"object of type '({'|'.join(ITERATOR_TYPE_NAMES)})' has no len",
    ),
    ExceptionDetector(
        Diagnosis("This `{match[1]}` has no length. Which part of it do you want to count?"),
        python=r"object of type '(?!NoneType|Compose)([A-Z]\w+)' has no len",
    ),
    ExceptionDetector(
        Diagnosis("You cannot change `{match[1]}` in this value. Make a new value with the new `{match[1]}`."),
        python=r"cannot assign to field '(\w+)'",
    ),
    ExceptionDetector(
        Diagnosis("A {match[1]} cannot be an item of a set or a key of a dictionary. Use a tuple."),
        python="unhashable type: '(list|dict|set)'",
    ),
    ExceptionDetector(
        Diagnosis("The dictionary has no key `{message}`. Print its keys, or use `.get(…)`."),
        error="KeyError",
    ),
    ExceptionDetector(
        Diagnosis(
            "`{match[1]}` raises an error if there are no items. For this case, choose a result and pass it as "
            "`default=…`."
        ),
        python=r"(min|max)\(\) (?:arg is an empty sequence|iterable argument is empty)",
    ),
    ExceptionDetector(
        Diagnosis(
            "The function calls `input` too often: there are no more lines to read. If nothing has to be typed in this "
            "exercise, use the parameters instead of `input`."
        ),
        error="EOFError",
    ),
    ExceptionDetector(
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

    TEXT is the answer's source alone. A detector that needs only TEXT must not match any right answer. With RETURNED,
    the detector needs the returned value; with RESULT, the returned value or the exception. LAST is for detectors that
    recognize no mistake, and only show facts of the failing call.
    """

    TEXT, RETURNED, RESULT, LAST = range(4)


TEXT, RETURNED, RESULT, LAST = DetectorInput
DETECTORS: tuple[tuple[Callable[[Evidence], Iterator[Diagnosis]], DetectorInput], ...] = (
    (patterns.parameter_overwritten_by_pattern, TEXT),
    (patterns.bare_name_in_pattern, TEXT),
    (calls.swapped_parameters, TEXT),
    (patterns.or_between_inequalities, TEXT),
    (patterns.string_compared_with_number, TEXT),
    (calls.missing_lambda, RESULT),
    (giving.missing_star_before_call, RESULT),
    (returning.ignored_result_of_own_function, RESULT),
    (returning.missing_return_in_helper, RESULT),
    (returning.wrong_exception_raised, RESULT),
    (calls.wrong_type_raised_exception, RESULT),
    (calls.call_instead_of_function, TEXT),
    (calls.wrong_type_in_call, TEXT),
    (calls.wrong_argument_count, RESULT),
    (giving.next_without_default, RESULT),
    (calls.attribute_of_items, RESULT),
    (giving.arithmetic_without_numbers, RESULT),
    (patterns.identity_instead_of_equality, RESULT),
    (returning.unused_copy, TEXT),
    (returning.unreachable_line, TEXT),
    (returning.raise_instead_of_none, RESULT),
    *((each, RESULT) for each in EXCEPTION_DETECTORS),
    (calls.missing_module, RESULT),
    (calls.rebound_name, RESULT),
    (calls.undefined_name, RESULT),
    (calls.unbound_name, RESULT),
    (giving.none_instead_of_value, RESULT),
    (calls.missing_attribute, RESULT),
    (calls.arguments_in_wrong_order, RESULT),
    (calls.wrong_parameter_count, RESULT),
    (giving.tuple_plus_other_type, RESULT),
    (calls.forgotten_call, RESULT),
    (giving.non_iterable_value, RESULT),
    (giving.comparison_without_order, RESULT),
    (giving.unpacking_mismatch, RESULT),
    (patterns.exhausted_iterator, TEXT),
    (giving.index_past_end, RESULT),
    (calls.call_of_unwritten_exercise, RESULT),
    (returning.endless_loop_or_recursion, RESULT),
    (returning.print_instead_of_return, RETURNED),
    (returning.missing_return_at_end, RETURNED),
    (giving.returned_iterator, RETURNED),
    (giving.missing_trampoline, RETURNED),
    (giving.list_instead_of_tuple, RETURNED),
    (giving.wrong_wrapping, RETURNED),
    (giving.parts_instead_of_value, RETURNED),
    (patterns.operand_not_compared, TEXT),
    (returning.unused_value, TEXT),
    (returning.return_in_first_round, TEXT),
    (giving.function_instead_of_value, RESULT),
    (returning.branch_without_return, RESULT),
    (giving.argument_returned_unchanged, RESULT),
    (giving.unused_parameter, RESULT),
    (giving.unusable_result, RESULT),
    (differing.describe_wrong_value, LAST),
    (differing.describe_wrong_line, LAST),
    (calls.exception_in_called_function, LAST),
    (differing.describe_other_failure, LAST),
)


def detectors_needing(*kinds: DetectorInput) -> list[Callable[[Evidence], Iterator[Diagnosis]]]:
    """Return the detectors whose input is one of these kinds, in the order of `DETECTORS`."""
    return [detector for detector, looks_at in DETECTORS if looks_at in kinds]


def all_diagnoses(evidence: Evidence, surely: bool) -> Iterator[Diagnosis]:
    """Yield all diagnoses: first for banned code, then from the unit's own detectors, then from the course's detectors.

    If a source does not parse, only the syntax error is explained.
    """
    if evidence.syntax_problem:
        for reader in patterns.SYNTAX_DETECTORS:
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
    for detector in detectors_needing(TEXT, RETURNED) if surely else detectors_needing(TEXT, RETURNED, RESULT):
        yield from detector(evidence)
    if not surely:
        for detector in detectors_needing(LAST):
            yield from detector(evidence)
