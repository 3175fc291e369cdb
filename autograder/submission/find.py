"""Find each notebook in some folders once, and give it a short name. Called by commands and hosts."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from toolz import unique

from autograder.config import common_folder
from autograder.submission.reading import (
    NOTEBOOK_SUFFIXES,
    PYTHON_FILE_MESSAGE,
    PYTHON_SUFFIX,
    NotebookError,
    notebook_in,
    read_content,
)
from autograder.submission.sort import imports_unit
from autograder.text import short_name, shown_name
from autograder.units.pack import Catalogue


def find_notebooks(paths: Iterable[Path], catalogue: Catalogue) -> Iterator[tuple[str, Path]]:
    """Yield the notebooks under `paths`, each once, with a short name that begins with the student's name.

    If a unit or another file has the same short name, the name of the notebook's folder is added.
    """
    paths, named = list(paths), list[tuple[str, Path]]()
    for path in paths:
        below = list[Path]()
        for entry in _entries_below([path] if path.is_dir() else []):
            is_link = entry.is_symlink() and os.path.isdir(entry.path)  # the report says that such a folder is not read
            below += [Path(entry.path)] if entry.name.endswith(".ipynb") or is_link else []
        named += [(str(each.relative_to(path)).removesuffix(".ipynb"), each) for each in sorted(below)]
        named += [] if path.is_dir() else [(path.name, path)]
    notebooks = list(unique(named, lambda each: each[1].absolute() if each[1].is_symlink() else each[1].resolve()))
    names, is_alone = Counter(name for name, _ in notebooks), len(paths) == 1 and not paths[0].is_dir()
    units = {name for name in names if re.sub(r"^\d+_", "", name.removesuffix(".ipynb")) in catalogue.units}
    vague = {path for name, path in notebooks if names[name] > 1 or (not is_alone and name in units)}
    around = common_folder([path.parent.resolve() for path in vague]) if vague else Path()
    for name, path in notebooks:
        full = path.parent.resolve() / path.name if path in vague else path
        if path in vague and full.is_relative_to(around):  # not on another drive
            longer = PurePosixPath(full.relative_to(around).as_posix().removesuffix(".ipynb"))
            name = str(longer if len(longer.parts) > 1 else around.name / longer)
        yield shown_name(name), path


def page_file_name(name: str) -> str:
    """Return the file name of the page for a submission. This name is valid on every operating system.

    >>> page_file_name("ann/1_dominoes")
    'ann_1_dominoes.html'
    """
    return f"{_safe_file_name(name)}.html"


def relative_page_path(name: str) -> str:
    """Return the relative path of the page for a submission.

    If the submission is in a student's folder, the page is in a folder with the same name.

    >>> relative_page_path("ann/dominoes/1_dominoes"), relative_page_path("ann"), relative_page_path("../1")
    ('ann/dominoes_1_dominoes.html', 'ann.html', '_./1.html')
    """
    folder, slash, rest = name.lstrip("/").partition("/")
    return f"{_safe_file_name(folder)}/{page_file_name(rest)}" if slash and rest else page_file_name(name)


def _safe_file_name(name: str) -> str:
    safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in name)
    safe = f"_{safe[1:]}" if safe.startswith(".") else safe
    return short_name(safe, name)


def misnamed_notebooks(folders: Iterable[Path], catalogue: Catalogue) -> Iterator[tuple[Path, str]]:
    """Yield the files that `find_notebooks` leaves out although they may be submissions, each with the reason.

    Such files are notebooks whose names do not end with `.ipynb`, and Python files that import from a unit.
    """
    for entry in _entries_below(folder for folder in folders if folder.is_dir()):
        path = Path(entry.path)
        is_misnamed = path.suffix.lower() in (*NOTEBOOK_SUFFIXES, PYTHON_SUFFIX) and path.suffix != ".ipynb"
        if is_misnamed and not entry.is_dir(follow_symlinks=False):
            with suppress(NotebookError):
                content = read_content(path)
                if path.suffix.lower() != PYTHON_SUFFIX:
                    notebook_in(path, content)
                    yield path, "its name does not end with .ipynb. Rename the notebook, or ask for it"
                elif imports_unit(content, catalogue):
                    yield path, PYTHON_FILE_MESSAGE


def _entries_below(folders: Iterable[Path]) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of folders at any depth, without hidden files. Symbolic links are not followed.

    `os.walk` is not used, because in Python 3.11 it calls itself for each folder in a folder.
    """
    todo = [*folders]
    while todo:
        with suppress(OSError), os.scandir(todo.pop()) as entries:  # an unreadable folder has none
            for entry in entries:
                if not is_hidden(entry.name):
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(Path(entry.path))


def is_hidden(name: str) -> bool:
    """Return whether a file or folder is hidden, or was made by macOS for its own use.

    In a download from Moodle, a folder is not hidden just because a student's name begins with a dot.

    >>> is_hidden(".git"), is_hidden(". Sukarno_41_assignsubmission_file"), is_hidden("._ann_41_assignsubmission_file")
    (True, False, True)
    """
    return name.startswith(("._", "__MACOSX")) or (name.startswith(".") and "_assignsubmission_" not in name)
