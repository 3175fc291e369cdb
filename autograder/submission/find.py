"""The notebooks under some folders, each once, each with a short name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.report import render
from autograder.text import printable


def find_notebooks(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Give the notebooks under `paths`, each once, with a short name: what tells it from the others of its folder."""
    seen, pages = set[Path](), set[Path]()
    for name, path in _named_notebooks(paths):
        place = path.absolute() if path.is_symlink() else path.resolve()
        if place in seen:
            continue
        if render.page_path(Path(), name) in pages:
            name = str(path)
        seen.add(place)
        pages.add(render.page_path(Path(), name))
        yield printable(name.encode(errors="replace").decode()), path


def _named_notebooks(paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    for path in paths:
        if not path.is_dir():
            yield path.name, path
            continue
        for notebook in sorted(path.rglob("*.ipynb")):
            if not any(part.startswith(".") for part in notebook.relative_to(path).parts):
                yield str(notebook.relative_to(path).with_suffix("")), notebook
