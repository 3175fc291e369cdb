"""`foldem import`: make a unit from a teacher's own notebook."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from autograder.commands.new import cleanup_after_failure, pack_texts, template_words
from autograder.commands.options import ImportOptions
from autograder.config import ConfigError
from autograder.exam.build import count_left_out_inputs
from autograder.hosts.nbgrader import build_files
from autograder.importing.deciding import Decision, decide_on_questions, facet_name_of
from autograder.importing.reading import read_homework
from autograder.importing.recording import rehearse
from autograder.importing.summary import VariantCounts, count_variants, import_page, summary_lines
from autograder.importing.writing import imported_files, mistakes_text, unit_name
from autograder.prove.inspection import ensure_files_valid
from autograder.term.course import chosen_catalogue
from autograder.term.files import write_texts
from autograder.text import count_text
from autograder.units.pack import PACK_FILE
from autograder.units.unit import Unit, read_unit
from course.exam.readable import one_line

IMPORTED_SOME, IMPORTED_NONE = 0, 1


def run(options: ImportOptions) -> int:
    """Import a notebook, and print for each question whether it became an exercise. Return the exit status."""
    homework = read_homework(options.notebook)
    rehearsal = rehearse(homework)
    decisions, given = decide_on_questions(homework, rehearsal, options.only or ())
    if options.dry_run or all(each.stays for each in decisions):
        typer.echo("\n".join(summary_lines(homework, rehearsal, decisions, {}, {})))
        return IMPORTED_NONE if all(each.stays for each in decisions) else IMPORTED_SOME
    folder, unit = options.into or Path(unit_name(options.notebook)), unit_name(options.notebook)
    begun, catalogue = (folder / PACK_FILE).exists(), chosen_catalogue()
    words = template_words(folder, unit, begun, catalogue)
    files = imported_files(homework, rehearsal, decisions, given, words["course"])
    if there := [path for path in files if (folder / path).exists()]:
        raise ConfigError(f"{folder / there[0]} exists already: choose another folder with --into")
    with cleanup_after_failure(folder):
        _ = [*write_texts(pack_texts(folder, words, begun) | {folder / path: text for path, text in files.items()})]
        known = catalogue.with_packs([folder])
        made = read_unit(known, unit)
        ensure_files_valid([made])
        try:
            build_files([read_unit(known, name) for name in made.pack.units])  # other notebooks count the exercises
        except RuntimeError as error:  # nbgrader cannot read a cell that stays
            reasons = [line for line in str(error).split("\n") if re.match(r"\s*\w*Error: ", line)] or [str(error)]
            reason = one_line(reasons[-1], 200)
            raise ConfigError(
                f"{options.notebook}: nbgrader cannot read one of the cells that are not exercises: {reason}"
            ) from None
        left_out = _left_out_texts(made, decisions)
        variants = dict(_variant_counts(made, decisions))
        page = folder / "import.md"
        text = page.read_text(encoding="utf-8") + "\n" if page.exists() else ""
        text += import_page(homework, decisions, left_out, variants)
        mistakes = mistakes_text(unit, words["course"], {name: each.wrong for name, each in variants.items()})
        _ = [*write_texts({made.pack.file("mistakes", unit): mistakes, page: text})]
    typer.echo("\n".join(summary_lines(homework, rehearsal, decisions, left_out, variants)))
    typer.echo(f"Next: read {folder / 'import.md'}, then run `foldem prove --pack {shlex.quote(str(folder))}`")
    return IMPORTED_SOME


def _variant_counts(unit: Unit, decisions: Sequence[Decision]) -> Iterator[tuple[str, VariantCounts]]:
    """Yield the name of each imported function, and the counts of its solution's variants, each with one small change.

    A variant can be refused by the teacher's tests, or only by the exam, or it can be accepted.
    """
    for decision in decisions:
        for each in (each for each in decision.exercises if each.facets):
            useful = each.facets.keys() - {facet_name_of(cell) for cell, _ in decision.catches}
            yield each.name, count_variants(unit, each.name, useful)


def _left_out_texts(unit: Unit, decisions: Sequence[Decision]) -> dict[str, str]:
    """Return sentences about the inputs that exams leave out, by exercise."""
    names = [each.name for decision in decisions for each in decision.exercises if each.facets]
    counts = {name: count_left_out_inputs(unit, name) for name in names}
    return {
        name: f"{count_text(count.total(), 'input')} left out ({', '.join(sorted(count))})"
        for name, count in counts.items()
        if count
    }
