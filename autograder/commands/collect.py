"""`foldem collect`: sort a platform's download into the folders that nbgrader and `foldem grade` read."""

from __future__ import annotations

from rich.console import Console
from toolz import groupby

from autograder.commands.options import CollectOptions
from autograder.config import ConfigError
from autograder.term.collected import COLLECTED_FOLDER, read_collected, read_work
from autograder.term.course import Course, chosen_course
from autograder.term.files import locked_output_folder
from autograder.term.intake import collect_download
from autograder.term.people import MatchingData
from autograder.term.platforms import custom_pattern
from autograder.term.roster import ROSTER_FILE
from autograder.term.times import TimesFile, read_times
from autograder.text import count_text, shown_name
from autograder.toml import unknown_name_message

ROSTER_ADVICE = "Write it: `id,name` in its first line, then a line for each student. Or export it from your platform"


def run(options: CollectOptions) -> int:
    """Collect what can be collected, print warnings, and return the exit status."""
    course = chosen_course(None, options.course)
    with locked_output_folder(course.folder / COLLECTED_FOLDER):
        intake = collect_download(options.download, _matching_data(course, options), options.assignment)
        taken = intake.submit_counting_versions()
    warnings = groupby(1, dict.fromkeys(intake.warnings())).items()
    odd = [f"{', '.join(shown_name(each) for each, _ in group)}: {shown_name(problem)}" for problem, group in warnings]
    odd += intake.missing_student_lines()
    last = f"{count_text(taken, 'notebook')} collected, {len(intake.slots) - taken:,} unchanged."
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    console.print("\n".join((*odd, *intake.notes(), last)))
    return int(bool(odd))


def _matching_data(course: Course, options: CollectOptions) -> MatchingData:
    """Return the data of the course. Raises ConfigError if the course has no such assignment, or no roster."""
    root, catalogue = course.folder, course.catalogue
    paths = sorted((root / "source").glob("*/*.ipynb"))
    parts = {(path.parent.name, path.stem): read_work(path, path.read_bytes(), catalogue) for path in paths}
    names = dict.fromkeys(name for name, _ in parts)
    if options.assignment is not None and options.assignment not in names:
        raise ConfigError(unknown_name_message("assignment", options.assignment, names))
    times = read_times(options.times) if options.times else TimesFile()
    collected = read_collected(root, catalogue)
    pattern = custom_pattern(options.pattern) if options.pattern else None
    where = root, parts, course.roster, course.adjustments.deadlines, collected
    to = MatchingData(*where, times, pattern, course.settings.group_assignments)
    if not to.roster:
        raise ConfigError(f"{root / ROSTER_FILE} has no students. {ROSTER_ADVICE}")
    return to
