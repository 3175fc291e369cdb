"""`foldem import`: make a unit from a teacher's own notebook."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

import typer

from autograder.commands.chosen import chosen_catalogue
from autograder.commands.new import pack_texts, pack_words, removed_after_failure, write_texts
from autograder.commands.options import ImportOptions
from autograder.config import ConfigError
from autograder.exam.build import left_out_inputs
from autograder.hosts.products import build
from autograder.importing.deciding import Decision, decide
from autograder.importing.reading import read_homework
from autograder.importing.recording import rehearse
from autograder.importing.summary import import_page, screen
from autograder.importing.variants import variants_of
from autograder.importing.writing import imported_files, unit_name
from autograder.prove.inspection import demand_sound
from autograder.units.pack import PACK_FILE
from autograder.units.unit import Unit, read_unit

IMPORTED_SOME, IMPORTED_NONE = 0, 1


def run(options: ImportOptions) -> int:
    """Import a notebook and print what became of each question. Return the exit status."""
    homework = read_homework(options.notebook)
    rehearsal = rehearse(homework)
    decisions, given = decide(homework, rehearsal, options.only or ())
    if options.dry_run or all(each.stays for each in decisions):
        _print(screen(homework, rehearsal, decisions, {}, {}))
        return IMPORTED_NONE if all(each.stays for each in decisions) else IMPORTED_SOME
    folder, unit = options.into or Path(unit_name(options.notebook)), unit_name(options.notebook)
    begun, catalogue = (folder / PACK_FILE).exists(), chosen_catalogue()
    words = pack_words(folder, unit, begun, catalogue)
    texts = pack_texts(folder, words, begun)
    files = imported_files(homework, rehearsal, decisions, given, words["course"])
    if there := [path for path in files if (folder / path).exists()]:
        raise ConfigError(f"{folder / there[0]} exists already: choose another folder with --into")
    with removed_after_failure(folder):
        _ = [*write_texts(texts | {folder / path: text for path, text in files.items()})]
        made = read_unit(catalogue.with_packs([folder]), unit)
        demand_sound([made])
        try:
            build([made])
        except RuntimeError as error:  # nbgrader cannot read a cell that stays
            raise ConfigError(f"{options.notebook}: {' '.join(str(error).split())[:300]}") from None
        left_out = _left_out(made, decisions)
        variants = {name: each for decision in decisions for name, each in variants_of(made, decision).items()}
        page = folder / "import.md"
        earlier = page.read_text(encoding="utf-8") + "\n" if page.exists() else ""
        _ = [*write_texts({page: earlier + import_page(homework, decisions, left_out, variants)})]
    _print(screen(homework, rehearsal, decisions, left_out, variants))
    typer.echo(f"Next: read {folder / 'import.md'}, then run `foldem prove --pack {shlex.quote(str(folder))}`")
    return IMPORTED_SOME


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)


def _left_out(unit: Unit, decisions: Sequence[Decision]) -> dict[str, str]:
    """Return for each exercise how many inputs were left out, and the exceptions, if there are any."""
    names = [each.name for decision in decisions for each in decision.exercises if each.facets]
    counted = {name: left_out_inputs(unit, name) for name in names}
    return {
        name: f"{count.total()} inputs left out ({', '.join(sorted(count))})"
        for name, count in counted.items()
        if count
    }
