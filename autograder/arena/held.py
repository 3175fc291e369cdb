"""The arena of a unit, as the grader uses it. Called by contests, tournaments and Gradescope's leaderboard."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from autograder.config import secret_folders
from autograder.exam.plan import Plan, sources_of
from autograder.sandbox.host import Limits, Sandbox
from autograder.sandbox.imports import imported
from autograder.sandbox.inside.bot_runner import codec_of
from autograder.sandbox.inside.orders import BotRequest, Setup
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, UnitError, read_unit
from course.arena.arena import ANSWER_SECONDS, Arena, Codec
from course.exam.wire import Wire
from course.roles import module_on

ROLE, CONSTANT = "arena", "ARENA"


@dataclass(frozen=True)
class UnitArena:
    """A unit and its arena, which is in a separate module."""

    unit: Unit
    module: str
    arena: Arena = field(repr=False)

    @property
    def modules(self) -> tuple[str, str]:
        """Return the modules that the process of a bot needs."""
        return self.unit.module.__name__, self.module

    @cached_property
    def codec(self) -> Codec:
        """Return how questions and answers are sent."""
        return codec_of(self.arena, Wire(self.unit.module))

    def reference(self, exercise: str) -> object:
        """Return the bot that is the reference of an exercise, or that it returns."""
        reference = getattr(self.unit.pack.module("solutions", self.unit.name), exercise)
        return self.arena.bot_of(reference)

    def call_of(self, exercise: str, question: str) -> str:
        """Return the function that answers a question, as code: `champion().play_card`, or the exercise itself."""
        return exercise if self.arena.bot is None else f"{exercise}().{question}"

    def request_for(
        self, plan: Plan, wanted: str, loading: float = 2.0, answering: float = ANSWER_SECONDS
    ) -> BotRequest:
        """Return the message that loads a bot in a sandbox: definitions in order, the bot's name, time limits."""
        given, arena = self.modules
        return BotRequest(given, arena, Setup(plan, seconds=loading), wanted, answering)

    def sandbox_for(self, request: BotRequest, limits: Limits, level: str, usual: tuple[str, ...] = ()) -> Sandbox:
        """Return a sandbox for the process of a bot, which can import what it names, and the `usual` modules."""
        named = imported(sources_of(request.setup.plan))
        own = {name for name in named if not {name, name.rpartition(".")[0]} & {*usual}}
        catalogue = self.unit.catalogue
        return Sandbox(
            self.modules,
            limits,
            level,
            "inside.bot_runner",
            packages=catalogue.student_packages,
            imports=sorted({*usual, *own}),
            secrets=secret_folders(catalogue),
        )


def find_arena(unit: Unit) -> UnitArena | None:
    """Return a unit's arena, or None. Raises UnitError if it is not usable."""
    module = module_on(unit.module.__name__, ROLE)
    if module is None:
        return None
    arena = getattr(module, CONSTANT, None)
    if not isinstance(arena, Arena):
        raise UnitError(f"{module.__file__}: {CONSTANT} is missing: write {CONSTANT} = Arena(...)")
    for name in (*arena.references.values(), *(name for needed in arena.bots.values() for name in needed)):
        if name not in unit.by_name:
            raise UnitError(f"{module.__file__}: {CONSTANT}: there is no exercise {name!r} in the unit {unit.name}")
    return UnitArena(unit, module.__name__, arena)


def unit_arena(unit: Unit) -> UnitArena:
    """Return a unit's arena. Raises UnitError if it has none."""
    if held := find_arena(unit):
        return held
    package = unit.pack.course_folder / ROLE / f"{unit.name}.py"
    raise UnitError(f"the unit {unit.name} has no arena: write {package}")


def arenas_in(catalogue: Catalogue) -> tuple[UnitArena, ...]:
    """Return the arenas of all units."""
    return tuple(filter(None, (find_arena(read_unit(catalogue, name)) for name in catalogue.units)))
