"""One exercise: run its answer, judge it and mark it. `run.py` calls this for each exercise."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache, partial
from time import thread_time

from msgspec.structs import replace

from autograder.exam.model import Exam
from autograder.grading.budget import Spent
from autograder.grading.diagnosed import diagnosed, with_quoted_lines
from autograder.grading.session import Setting
from autograder.grading.trial import trial_of
from autograder.grading.turns import Turn
from autograder.report.model import PASSED, UNGRADED, UNWRITTEN, WRONG, ExerciseReport
from autograder.report.stops import OverBudget, fault_of, unanswered
from autograder.submission.model import OwnRemarks
from autograder.units.unit import Exercise, requirements_of
from course import form
from course.diagnoses.failure import EXAMPLES
from course.diagnoses.obstacle import Missing, Unwritten

TENTH = 0.1


def without_answer(setting: Setting, exercise: Exercise) -> ExerciseReport:
    """Return the report on an exercise whose answer cannot be run."""
    attempt = setting.submission.attempts[exercise.name]
    state = UNWRITTEN if isinstance(attempt.obstacle, Missing | Unwritten) else WRONG
    stop = unanswered(exercise.name, attempt.obstacle) if attempt.obstacle else None
    report = replace(_blank(exercise, attempt.remarks), state=state, stop=stop)
    return diagnosed(report, setting.submission, exercise, (), False)


def _blank(exercise: Exercise, remarks: OwnRemarks) -> ExerciseReport:
    return ExerciseReport(exercise.name, exercise.number, UNWRITTEN, 0.0, exercise.points, remarks=remarks)


def examine_exercise(setting: Setting, exercise: Exercise, turn: Turn, solved: frozenset[str]) -> ExerciseReport:
    """Return the report on one exercise. After a fault of the grader it is "ungraded", and never gets 0 points."""
    answer = setting.submission.answers[exercise.name]
    blank = _blank(exercise, answer.remarks)
    try:
        setting.budget.demand()
        return _judged(setting, blank, exercise, turn, solved)
    except Spent:
        return replace(blank, state=WRONG, stop=OverBudget())
    except Exception as error:
        return replace(blank, state=UNGRADED, stop=fault_of(error))


def _judged(
    setting: Setting, blank: ExerciseReport, exercise: Exercise, turn: Turn, solved: frozenset[str]
) -> ExerciseReport:
    answer, paper = setting.submission.answers[exercise.name], setting.exam.by_name[exercise.name]
    planned = partial(setting.plan, {exercise.name, *turn.own}, paper, turn.references)
    tried = trial_of(setting, answer, planned(), solved)
    if not tried.is_right and (helpers := setting.submission.helpers_with_calls(exercise.name)):
        with suppress(Spent):
            again = trial_of(setting.alone, answer, planned(helpers), solved)
            tried = max(tried, again, key=lambda each: sum(facet.passed for facet in each.facets))
    report = replace(blank, remarks=blank.remarks + tried.remarks)
    if tried.stop:
        wrong = replace(report, state=WRONG, stop=tried.stop)
        return diagnosed(wrong, setting.submission, exercise, [tried.load] if tried.load else [], tried.prints)
    texts = setting.exam.checks[exercise.name].texts
    worded = tuple(replace(facet, text=texts.get(facet.name, "")) for facet in tried.facets)
    state, facets = PASSED if tried.passed else WRONG, with_quoted_lines(worded, setting.submission)
    findings = _charged_form(setting, exercise.name)
    report = replace(report, state=state, facets=facets, form=findings, digest=tried.digest, mistake=tried.mistake)
    failures = [facet.failure for facet in facets if facet.failure]
    report = diagnosed(report, setting.submission, exercise, failures, tried.prints) if failures else report
    return marked(report, exercise, setting.form_share)


def _charged_form(setting: Setting, name: str) -> tuple[form.FormFinding, ...]:
    """Return the findings on an answer's form, and charge the budget with what they cost, even if they are cached."""
    submission, before = setting.submission, setting.budget.spent
    findings, cost = _form_of(setting.exam, name, submission.answers[name].source, submission.helpers_of[name])
    setting.budget.charge(max(0.0, before + cost - setting.budget.spent))
    return findings


@lru_cache(maxsize=1000)
def _form_of(
    exam: Exam, name: str, source: str, helpers: tuple[form.Source, ...]
) -> tuple[tuple[form.FormFinding, ...], float]:
    """Return the findings on an answer's form, and the seconds that this took.

    They are cached, since many students hand in equal answers.
    """
    began = thread_time()
    return form.review(_requirements_in(exam, name), source, helpers), thread_time() - began


@cache
def _requirements_in(exam: Exam, name: str) -> form.Requirements:
    return requirements_of(exam.unit, exam.unit[name])


def marked(report: ExerciseReport, exercise: Exercise, form_share: float) -> ExerciseReport:
    """Return the report with its points: for the facets passed, and for form.

    If an example fails, at most half of the points for facets count.

    An answer that passes only the visible examples gets a tenth.
    """
    form_of = form_share * exercise.points
    share = report.share
    if any(facet.name == EXAMPLES and not facet.passed for facet in report.facets):
        share = min(share, 0.5)
    results = (exercise.points - form_of) * share
    form_points = form_of * form.mark(report.form) if share else 0.0
    if report.state != PASSED and not any(facet.passed for facet in report.rules if facet.name != EXAMPLES):
        results, form_points = TENTH * results, TENTH * form_points
    return replace(
        report,
        points=round(results + form_points + 1e-9, 1),
        form_points=round(form_points + 1e-9, 1),
        form_of=round(form_of + 1e-9, 1),
    )
