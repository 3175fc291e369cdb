"""All detectors, in their order. Only wrong answers need them, so `course.diagnoses` imports them late."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

from course.diagnoses import calls, differing, giving, naming, passing, patterns, raising, repeating, returning
from course.diagnoses.advice import advice_of, detected
from course.diagnoses.evidence import Diagnosis, Evidence
from course.diagnoses.parsing import PARSING
from course.diagnoses.raised import BY_MESSAGE
from course.form import review


class DetectorInput(Enum):
    """The evidence that a detector needs.

    TEXT is the source alone. A detector with this input must not match any right answer. RETURNED is a returned value.
    RESULT is a returned value or an exception. A LAST detector recognizes no mistake: it shows facts of the failing
    call.
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
    (calls.other_chance_each_time, RESULT),
    (giving.star_before_recursion, RESULT),
    (returning.own_result_dropped, RESULT),
    (returning.inner_drops_its_value, RESULT),
    (returning.raised_on_purpose, RESULT),
    (passing.another_kind_passed, RESULT),
    (calls.called_for_a_function, TEXT),
    (passing.another_kind_written, TEXT),
    (calls.too_many_or_few, RESULT),
    (raising.no_match, RESULT),
    (naming.part_of_its_items, RESULT),
    (raising.unlike_operands, RESULT),
    (patterns.same_object, RESULT),
    (returning.copy_dropped, TEXT),
    (repeating.never_runs, TEXT),
    (returning.raised_needlessly, RESULT),
    *((each, RESULT) for each in BY_MESSAGE),
    (naming.missing_module, RESULT),
    (naming.rebound_name, RESULT),
    (naming.undefined_name, RESULT),
    (naming.unbound_name, RESULT),
    (raising.none_where_a_value_is_needed, RESULT),
    (naming.missing_attribute, RESULT),
    (calls.arguments_in_another_order, RESULT),
    (calls.not_callable, RESULT),
    (calls.own_signature, RESULT),
    (raising.tuple_and_item, RESULT),
    (calls.forgotten_call, RESULT),
    (raising.not_iterable, RESULT),
    (raising.no_order, RESULT),
    (raising.unpacking, RESULT),
    (patterns.exhausted_iterator, TEXT),
    (raising.past_the_end, RESULT),
    (calls.calls_what_is_unwritten, RESULT),
    (calls.not_to_be_called, RESULT),
    (repeating.endless, RESULT),
    (returning.prints_instead, RETURNED),
    (returning.drops_its_value, RETURNED),
    (giving.returned_iterator, RETURNED),
    (giving.missing_trampoline, RETURNED),
    (giving.list_for_tuple, RETURNED),
    (giving.one_for_many, RETURNED),
    (giving.bare_parts, RETURNED),
    (patterns.always_true, TEXT),
    (patterns.quoted_name, TEXT),
    (returning.pure_and_dropped, TEXT),
    (repeating.early_return, TEXT),
    (giving.function_for_value, RESULT),
    (returning.ways_without_return, RESULT),
    (giving.gives_back_its_argument, RESULT),
    (giving.range_ends_early, RESULT),
    (giving.unread_parameter, RESULT),
    (raising.result_cannot_be_used, RESULT),
    (differing.wrong_value, LAST),
    (differing.other_text, LAST),
    (passing.raised_by_a_call, LAST),
    (differing.other_outcome, LAST),
)


def detectors_by(*kinds: DetectorInput) -> list[Callable[[Evidence], Iterator[Diagnosis]]]:
    """Return the detectors whose input is one of these kinds, in the order of the table."""
    return [detector for detector, looks_at in DETECTORS if looks_at in kinds]


def all_diagnoses(evidence: Evidence, surely: bool) -> Iterator[Diagnosis]:
    """Yield the diagnoses of all detectors: bans, the unit's `first` detectors, then ours, then the unit's `last` ones.

    In a source that does not parse, only the syntax error is explained.
    """
    if evidence.syntax_problem:
        for reader in PARSING:
            yield from reader(evidence, evidence.syntax_problem)
        return
    requirements = evidence.requirements
    for finding in review(requirements, evidence.source, evidence.helpers) if requirements.bans else ():
        if finding.rule == "bans":  # such code must be removed anyway
            yield Diagnosis(f"Change line {finding.line} first: {finding.why}. Instead, {finding.instead}.")
    own = advice_of(requirements.module)
    yield from detected(own.first, evidence)
    for detector in detectors_by(TEXT, RETURNED) if surely else detectors_by(TEXT, RETURNED, RESULT):
        yield from detector(evidence)
    if not surely:
        yield from detected(own.last, evidence)
        for detector in detectors_by(LAST):
            yield from detector(evidence)
