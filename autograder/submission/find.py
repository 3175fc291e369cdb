"""The notebooks under some folders, each once, each with a short name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.text import printable


def find_notebooks(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Give the notebooks under `paths`, each once, with a short name: what tells it from the others of its folder."""
    seen, pages = set[Path](), set[str]()
    for name, path in _named_notebooks(paths):
        place = path.absolute() if path.is_symlink() else path.resolve()
        if place in seen:
            continue
        if page_name(name) in pages:
            name = str(path)
        seen.add(place)
        pages.add(page_name(name))
        yield printable(name.encode(errors="replace").decode()), path


def page_name(name: str) -> str:
    """Give the name of a submission's page: its own, made safe as a file's.

    >>> page_name("ann/1_dominoes")
    'ann_1_dominoes.html'
    """
    return "".join(char if char.isalnum() or char in "-_." else "_" for char in name) + ".html"


def _named_notebooks(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    for path in paths:
        if not path.is_dir():
            yield path.name, path
            continue
        for notebook in sorted(path.rglob("*.ipynb")):
            if not any(part.startswith(".") for part in notebook.relative_to(path).parts):
                yield str(notebook.relative_to(path).with_suffix("")), notebook
