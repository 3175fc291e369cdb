"""All detectors, in their order. Only wrong answers need them, so `course.diagnoses` imports them late."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

from course.diagnoses import (
    correcting,
    counted,
    counting,
    giving,
    looping,
    passing,
    patterns,
    plain,
    purpose,
    raising,
    returning,
    shaping,
)
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
    (giving.bare_capture, TEXT),
    (raising.parameters_swapped, TEXT),
    (patterns.unlike_one_of_two, TEXT),
    (patterns.compared_with_or, TEXT),
    (patterns.text_against_number, TEXT),
    (counted.body_without_lambda, RESULT),
    (counted.other_chance_each_time, RESULT),
    (shaping.star_before_recursion, RESULT),
    (returning.own_result_dropped, RESULT),
    (returning.inner_drops_its_value, RESULT),
    (purpose.raised_on_purpose, RESULT),
    (passing.another_kind_passed, RESULT),
    (passing.called_for_a_function, TEXT),
    (passing.another_kind_written, TEXT),
    (counted.too_many_or_few, RESULT),
    (shaping.condition_around_a_sum, RESULT),
    (correcting.divided, RESULT),
    (correcting.no_base_case, RESULT),
    (correcting.index_from_one, RESULT),
    (correcting.no_match, RESULT),
    (correcting.part_of_its_items, RESULT),
    (correcting.unlike_operands, RESULT),
    (correcting.members_without_order, RESULT),
    (correcting.number_for_member, RESULT),
    (correcting.error_returned, RESULT),
    (correcting.assigned_part, RESULT),
    (correcting.counts_from_one, RESULT),
    (correcting.same_object, RESULT),
    (correcting.copy_dropped, TEXT),
    (counting.never_runs, TEXT),
    (shaping.player_for_a_part, RESULT),
    (purpose.raised_needlessly, RESULT),
    *((each, RESULT) for each in BY_MESSAGE),
    (raising.missing_module, RESULT),
    (raising.rebound_name, RESULT),
    (raising.undefined_name, RESULT),
    (raising.unbound_name, RESULT),
    (raising.none_where_a_value_is_needed, RESULT),
    (raising.missing_attribute, RESULT),
    (raising.arguments_in_another_order, RESULT),
    (raising.not_callable, RESULT),
    (raising.not_a_function, RESULT),
    (raising.own_signature, RESULT),
    (looping.tuple_and_item, RESULT),
    (raising.forgotten_call, RESULT),
    (looping.not_iterable, RESULT),
    (raising.no_order, RESULT),
    (raising.unpacking, RESULT),
    (giving.exhausted_iterator, TEXT),
    (raising.past_the_end, RESULT),
    (raising.calls_what_is_unwritten, RESULT),
    (raising.not_to_be_called, RESULT),
    (raising.endless, RESULT),
    (giving.prints_instead, RETURNED),
    (returning.drops_its_value, RETURNED),
    (giving.returned_iterator, RETURNED),
    (giving.missing_trampoline, RETURNED),
    (giving.list_for_tuple, RETURNED),
    (giving.one_for_many, RETURNED),
    (giving.text_for_value, RETURNED),
    (giving.bare_parts, RETURNED),
    (giving.always_true, TEXT),
    (giving.quoted_name, TEXT),
    (giving.pure_and_dropped, TEXT),
    (giving.early_return, TEXT),
    (giving.falsy_value, RESULT),
    (giving.function_for_value, RESULT),
    (giving.ways_without_return, RESULT),
    (giving.same_things_otherwise, RESULT),
    (giving.ignores_its_argument, RESULT),
    (giving.gives_back_its_argument, RESULT),
    (correcting.result_dropped, RESULT),
    (correcting.range_ends_early, RESULT),
    (correcting.unread_parameter, RESULT),
    (looping.result_cannot_be_used, RESULT),
    (plain.wrong_value, LAST),
    (plain.other_calls, LAST),
    (plain.other_arguments, LAST),
    (plain.other_text, LAST),
    (passing.raised_by_a_call, LAST),
    (plain.lost_value, LAST),
)


def detectors_by(*kinds: DetectorInput) -> list[Callable[[Evidence], Iterator[Diagnosis]]]:
    """Return the detectors whose input is one of these kinds, in the order of the table."""
    return [detector for detector, looks_at in DETECTORS if looks_at in kinds]


def banned(e: Evidence) -> Iterator[Diagnosis]:
    """Yield what a wrong answer uses although the exercise bans it.

    This comes first, because such code must be removed anyway.
    """
    findings = review(e.requirements, e.source, e.helpers) if e.requirements.bans else ()
    for finding in findings:
        if finding.rule == "bans":
            yield Diagnosis(f"Change line {finding.line} first: {finding.why}. Instead, {finding.instead}.")


def all_diagnoses(evidence: Evidence, surely: bool) -> Iterator[Diagnosis]:
    """Yield the diagnoses of all detectors: the unit's `first` detectors, then ours, then the unit's `last` ones."""
    if evidence.syntax_problem:
        for reader in PARSING:
            yield from reader(evidence, evidence.syntax_problem)
        return
    yield from banned(evidence)
    own = advice_of(evidence.requirements.module)
    yield from detected(own.first, evidence)
    for detector in detectors_by(TEXT, RETURNED) if surely else detectors_by(TEXT, RETURNED, RESULT):
        yield from detector(evidence)
    if not surely:
        yield from detected(own.last, evidence)
        for detector in detectors_by(LAST):
            yield from detector(evidence)
