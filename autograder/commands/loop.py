"""`foldem prove --watch`: after each saved change, prove again what it affects.

This process has loaded Foldem, but no file of a unit. Each round runs in a fork of it, and so reads the files anew.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import sleep
from typing import TypeAlias

from msgspec import structs
from rich.console import Console
from rich.text import Text

import autograder.exam.draw  # noqa: F401  (loaded once, before any fork)
from autograder.commands.options import ProveOptions
from autograder.commands.proving import NOT_PROVEN, PROVEN, begun_laws, print_proofs, proving_console
from autograder.exam.store import exam_for
from autograder.prove.again import ProofMemory, Proved, remembered_exam
from autograder.prove.answers import blank_notebook
from autograder.prove.needs import needs_of
from autograder.units.mistakes import demand_meant
from autograder.units.pack import Catalogue, Pack
from autograder.units.unit import Unit, read_unit
from autograder.unusable import Unusable

SECONDS_BETWEEN_LOOKS = 0.3
WATCHED_FOLDERS = ("solutions", "checks", "mistakes", "right")
Saved: TypeAlias = dict[Path, tuple[int, int]]


@dataclass(frozen=True)
class WatchedUnits:
    """The units that are watched, and the options of the command."""

    catalogue: Catalogue
    units: Sequence[str]
    options: ProveOptions

    @property
    def packs(self) -> tuple[Pack, ...]:
        """Return the packs of the units."""
        return tuple(dict.fromkeys(self.catalogue.pack_of(unit) for unit in self.units))

    def saved(self) -> Saved:
        """Return the time and size of each file on which a proof may depend."""
        folders = (folder for pack in self.packs for folder in (pack.course_folder, *map(pack.folder, WATCHED_FOLDERS)))
        files = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".toml")]
        return dict(_times([*files, *(pack.settings for pack in self.packs)]))

    def demand_fresh(self, saved: Saved) -> None:
        """Start the command again if a file has changed that this process has read."""
        read = {module.__file__ for module in [*sys.modules.values()] if getattr(module, "__file__", None)}
        read |= {str(pack.settings) for pack in self.packs}
        now = self.saved()
        if any(str(path) in read for path in {*saved, *now} if saved.get(path) != now.get(path)):
            os.execv(sys.executable, sys.orig_argv)


def _times(paths: Sequence[Path]) -> Iterator[tuple[Path, tuple[int, int]]]:
    for path in paths:
        with suppress(OSError):  # an editor is replacing it
            state = path.stat()
            yield path, (state.st_mtime_ns, state.st_size)


def prove_changes(catalogue: Catalogue, units: Sequence[str], options: ProveOptions) -> int:
    """Prove units, and again what a change affects, until Ctrl-C. Return the exit status."""
    watched, memory, console = WatchedUnits(catalogue, units, options), ProofMemory(), proving_console()
    with suppress(KeyboardInterrupt):
        while True:
            saved = watched.saved()
            if _is_complete(watched, memory, saved):
                _print_state(console, watched, memory)
            while watched.saved() == saved:
                sleep(SECONDS_BETWEEN_LOOKS)
            watched.demand_fresh(saved)
    console.show_cursor()
    return NOT_PROVEN if memory.failing() else PROVEN


def _print_state(console: Console, watched: WatchedUnits, memory: ProofMemory) -> None:
    if failing := memory.failing():
        console.print(Text(f"still failing: {'; '.join(failing)}"), soft_wrap=True)
    console.print(Text(f"watching {', '.join(watched.units)} (Ctrl-C ends)"), soft_wrap=True)


def _is_complete(watched: WatchedUnits, memory: ProofMemory, saved: Saved) -> bool:
    """Prove in a fork what has changed, and return whether it ended before the next change."""
    receiver, sender = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_prove_in_fork, args=(watched, memory, sender))
    process.start()
    sender.close()
    try:
        while watched.saved() == saved:
            if receiver.poll(SECONDS_BETWEEN_LOOKS):
                memory.add(receiver.recv())
        return False
    except EOFError:
        return True
    finally:
        _end(process)


def _end(process: BaseProcess) -> None:
    """End a fork with all its processes, if it is still running."""
    if process.exitcode is None and process.pid:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.join()


def _prove_in_fork(watched: WatchedUnits, memory: ProofMemory, sender: Connection) -> None:
    """Prove what has changed, and send what is to be remembered."""
    os.setpgrp()  # Ctrl-C is for the parent
    console = proving_console()
    try:
        for name in watched.units:
            unit = read_unit(watched.catalogue, name)
            demand_meant(unit)
            _prove_unit(console, unit, watched.options, memory, sender)
    except Unusable as error:
        console.print(Text(f"✗ {error}"), soft_wrap=True)
    except Exception as error:  # the author's code may raise anything
        console.print(Text(f"✗ {type(error).__name__}: {error}"), soft_wrap=True)
    finally:
        sender.close()


def _prove_unit(console: Console, unit: Unit, options: ProveOptions, memory: ProofMemory, sender: Connection) -> None:
    needs = needs_of(unit)
    chosen = [name for name in memory.changed(unit.name, needs) if options.exercise in (None, name)]
    if not chosen:
        return
    exam = remembered_exam(unit, needs, memory.stored)
    sender.send(ProofMemory(stored={needs[name]: paper.stored for name, paper in exam.by_name.items()}))
    exam_for(unit, options.seed)
    blank_notebook(unit)  # made once, before the pool forks
    with ProcessPoolExecutor(options.jobs, get_context("fork")) as pool:
        for name in chosen:
            chosen_options = structs.replace(options, exercise=name)
            proofs = print_proofs(console, unit, chosen_options, begun_laws(unit, chosen_options, pool))
            failing = tuple(proof.law for proof in proofs if proof.against)
            sender.send(ProofMemory({(unit.name, name): Proved(needs[name], failing)}))
