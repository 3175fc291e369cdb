"""The cache of exams: files in the user's cache folder, named by a digest of everything that an exam depends on."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import fields, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path

import msgspec

from autograder.config import PUBLISHED_SEED, cache_folder, make_private_folder
from autograder.exam.model import Exam, Paper, StoredPaper
from autograder.sandbox.sources import digest_of_files, files_needed_by
from autograder.units.unit import Unit, UnitError
from course.limits import SECONDS_IN_CACHE


def exam_for(unit: Unit, seed: str = PUBLISHED_SEED) -> Exam:
    """Return the exam of a unit for a seed: the course's pinned exam, or the cached one, or else a new one."""
    return _exam_for(unit, seed)


@cache
def _exam_for(unit: Unit, seed: str) -> Exam:
    pin = pinned_exam_path(unit, seed)
    path = cache_folder() / f"{unit.name}-{fingerprint(unit, seed)}.json"
    if pin and (pinned := _read_exam(pin, unit, seed)):
        return pinned
    exam = _read_exam(path, unit, seed)
    pack = unit.pack  # building an exam runs the references, outside any sandbox
    if exam is None and pack.has_untrusted_pins and replace(pack, pins_state="").has_changed(unit.name):
        remedy = "so it must not be in the folder to grade: grade the folder of submissions instead"
        raise UnitError(f"{unit.pack.file('solutions', unit.name)}: it would be run, {remedy}")
    exam = exam or _build_and_store(path, unit, seed)
    if pin:
        _store_exam(pin, exam)
    return exam


def _build_and_store(path: Path, unit: Unit, seed: str) -> Exam:
    """Build and store an exam. If several processes need the exam at the same time, the first process builds it.

    If file locks are impossible, each process builds the exam.
    """
    from filelock import FileLock  # imported here, because only new exams need these

    from autograder.exam.build import build_exam

    published = None if seed == PUBLISHED_SEED else _exam_for(unit, PUBLISHED_SEED)
    with ExitStack() as locked:
        with suppress(OSError, NotImplementedError):
            make_private_folder(path.parent)
            locked.enter_context(FileLock(path.with_suffix(".lock")))
        exam = _read_exam(path, unit, seed)
        if exam is None:
            exam = build_exam(unit, seed, published)
            delete_unused_files(path.parent)
            _store_exam(path, exam)
    return exam


def pinned_exam_path(unit: Unit, seed: str) -> Path | None:
    """Return the path of a unit's exam if a course has released and pinned the unit, and None otherwise.

    If the exam is not built yet, the file does not exist.
    """
    pin = unit.pack.pin_folder(unit.name)
    return pin / f"{unit.name}-{hashlib.sha256(seed.encode()).hexdigest()[:12]}.json" if pin else None


def _read_exam(path: Path, unit: Unit, seed: str) -> Exam | None:
    """Return the exam in a file, or None if the file is missing or from another version."""
    try:
        stored = msgspec.convert(json.loads(path.read_bytes()), dict[str, StoredPaper])
        by_name = {name: Paper(**vars(paper), exercise=unit[name]) for name, paper in stored.items()}
        return Exam(unit, seed, by_name)
    except (OSError, ValueError, msgspec.ValidationError):  # the file does not exist, or is from another version
        return None


def fingerprint(unit: Unit, seed: str) -> str:
    """Return a digest of everything that the exam and the impostors of a unit depend on.

    Raises UnitError if one of the unit's modules has a syntax error.
    """
    pack, exams = unit.pack, unit.pack.package("exams")
    packages = unit.catalogue.student_packages | {exams: pack.folder("exams")}
    own = (
        pack.given_module_name(unit.name),
        f"{exams}.{unit.name}.checks",
        *(f"{pack.given_module_name(unit.name)}.{role}" for role in ("alike", "world")),
    )
    try:
        code = files_needed_by(("autograder.exam.build", "autograder.exam.impostors", *own), packages)
    except SyntaxError as error:
        raise UnitError(f"{error.filename}:{error.lineno}: SyntaxError: {error.msg}") from None
    data = [pack.toml(unit.name), pack.file("solutions", unit.name), pack.file("mistakes", unit.name)]
    pins = [pin, pack.file("checks", unit.name)] if (pin := pinned_exam_path(unit, seed)) else []
    words = seed, str(sys.version_info[:2]), version("hypothesis"), digest_of_files([*code, *data, *pins])
    return hashlib.sha256("|".join(words).encode()).hexdigest()[:24]


def _store_exam(path: Path, exam: Exam) -> None:
    """Write a draft and rename it, so that readers see a complete file or none. A full disk is ignored."""
    names = [each.name for each in fields(StoredPaper)]
    stored = {name: {each: getattr(paper, each) for each in names} for name, paper in exam.by_name.items()}
    write_cache_file(path, json.dumps(msgspec.to_builtins(stored), separators=(",", ":")))


def write_cache_file(path: Path, text: str) -> None:
    """Write a file of the cache completely, or not at all."""
    draft = path.with_suffix(f".{os.getpid()}")
    try:
        make_private_folder(path.parent)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)


def delete_unused_files(folder: Path) -> None:
    """Delete the files of a cache that were last written more than a month ago.

    Each change to a unit leaves files that are not used any more.
    """
    for path in folder.iterdir() if folder.is_dir() else ():
        with suppress(OSError):  # another process deleted it first, or it belongs to another user
            if time.time() - path.stat().st_mtime > SECONDS_IN_CACHE:
                path.unlink()
