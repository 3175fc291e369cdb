"""`foldem pytest`: run notebooks as test files, with pytest in an empty folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import chdir
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from autograder.commands.options import PytestOptions
from autograder.config import ConfigError, common_folder, common_settings_folder, policy_for, with_course_packs
from autograder.errors import install_command
from autograder.term.course import chosen_catalogue
from autograder.text import shown_name

NOTEBOOK_FILE = "notebook"  # replaces a student's file name, in which pytest might give `[` a meaning
FIXED_FLAGS = ("--noconftest", "-p", "no:cacheprovider", "--no-header", "--continue-on-collection-errors")
# With these, pytest would load plugins and options that are not part of this command.
UNSET_VARIABLES = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")


def run(options: PytestOptions) -> int:
    """Run the tests of notebooks with pytest, and return pytest's exit status.

    A notebook is named by its path; `path::exercise::facet` selects some of its tests.
    """
    if find_spec("pytest") is None:
        raise ConfigError(f"pytest is not installed: run {install_command('pytest')}")
    import pytest

    from autograder.hosts.facet_tests import NotebookCollector

    # A file's name may contain `::` itself.
    split = ((word, "", "") if os.path.lexists(word) else word.partition("::") for word in options.notebooks)
    parts = [(Path(os.path.abspath(path)), colons + rest) for path, colons, rest in split]
    paths = ensure_files(dict.fromkeys(path for path, _ in parts))
    catalogue = with_course_packs(chosen_catalogue(options.pack), Path.cwd(), but=paths)
    policy = policy_for(common_settings_folder(paths))
    policy = replace(policy, sandbox=options.sandbox or policy.sandbox)
    flags = ["-v"] * options.verbose + ["-q"] * options.quiet
    flags += [f"-k{options.expression}"] if options.expression else []
    flags += [f"--junitxml={options.junitxml.absolute()}"] if options.junitxml else []
    here = Path.cwd()
    released = ensure_files([options.released.absolute()])[0] if options.released else None
    os.environ.update(dict.fromkeys(UNSET_VARIABLES, ""), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    with tempfile.TemporaryDirectory(prefix="foldem-") as name, chdir(name):
        folder = Path(name).resolve()
        files = {path: _make_empty_file(folder / str(number) / NOTEBOOK_FILE) for number, path in enumerate(paths)}
        shown = {file: (path, _shown_path(path, here)) for path, file in files.items()}
        collecting = NotebookCollector(
            shown, common_folder([path.parent for path in paths]), policy, catalogue, released
        )
        # These prevent pytest from reading settings outside this empty folder.
        settings = _make_empty_file(folder / "pytest.ini")
        flags += [*FIXED_FLAGS, f"--rootdir={folder}", f"--confcutdir={folder}", f"--config-file={settings}"]
        return int(pytest.main([*flags, *(f"{files[path]}{rest}" for path, rest in parts)], plugins=[collecting]))


def ensure_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the paths. Raises ConfigError if one of the files does not exist."""
    files = tuple(paths)
    for path in files:
        if not os.path.lexists(path):
            raise ConfigError(f"notebook not found: {shown_name(str(path))}")
    return files


def _make_empty_file(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.touch()
    return path


def _shown_path(path: Path, here: Path) -> str:
    return shown_name(os.path.relpath(path, here) if path.is_relative_to(here) else str(path))
