"""Read and write files in a learner's folder. Its contents may come from a stranger.

Pipes, devices and huge files are not read. Links are not followed when a file is written.
"""

from __future__ import annotations

import stat
from errno import EINVAL
from pathlib import Path
from shutil import rmtree

from course.limits import LARGEST_FILE


def text_here(path: Path, errors: str = "strict") -> str:
    """Return the text of a file.

    Raises OSError for a pipe, a device or a huge file, because reading it might never end.
    """
    state = path.stat()
    if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST_FILE:
        raise OSError(EINVAL, "this is a folder, a device or a huge file, and cannot be read", str(path))
    return path.read_text(encoding="utf-8", errors=errors)


def write_here(path: Path, text: str) -> None:
    """Write a file. Before that, remove a link or pipe of this name, because a link may lead to any file.

    Raises OSError if there is a folder of this name.
    """
    if path.is_symlink() or not path.is_file():
        path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8")


def append_here(path: Path, line: str) -> None:
    """Append a line to a file in one step, so that two programs can do so at once. Before that, remove a link or pipe.

    The line begins with a line break if the file does not end with one, because a program may have been killed while it
    wrote.
    """
    if path.is_symlink() or not path.is_file():
        path.unlink(missing_ok=True)
    with path.open("ab", buffering=0) as file:
        file.write(f"\n{line}\n".encode())


def make_progress_folder(folder: Path) -> None:
    """Make the folder of saved progress. Raises OSError if this folder or its parent folder is a link."""
    if folder.is_symlink() or folder.parent.is_symlink():
        raise OSError(EINVAL, "this is a link, but it must be a folder", str(folder))
    folder.mkdir(parents=True, exist_ok=True)


def make_here(folder: Path) -> None:
    """Make a folder. If it is a link, remove the link first."""
    if folder.is_symlink():
        folder.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def remove_here(path: Path) -> None:
    """Remove a file, a link, or a folder with its contents, if it exists."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)
