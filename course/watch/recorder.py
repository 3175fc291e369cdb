"""Recording: what hooked code says while it runs becomes a run, a frozen value."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from time import process_time
from types import CodeType, FrameType
from typing import Any

from course.show.snapshots import Keeper
from course.values import value
from course.watch.hooked import HOOKS, SPOTS, HookedSource, parameters
from course.watch.reach import functions_in
from course.watch.run import Event, Kind, RecordedCall, Whose


@value
class RunLimits:
    """How much of a run is kept, and how many seconds of a processor it may take: who is asked may think for long."""

    steps: int = 5_000
    values: int = 100_000
    seconds: float = 5.0
    clock: Callable[[], float] = process_time


class Stopped(BaseException):
    """The run has gone on for too long; no `except Exception` of a learner's stops this."""


class Idle:
    """What hooked code calls while nothing is recorded: a generator may outlive its run."""

    def value(self, _spot: int, thing: Any = None) -> Any:
        """Return back what was handed over."""
        return thing

    test = element = back = leave = yielded = value

    def item(self, _spot: int, _things: Any = None) -> bool:
        """Return what a condition may be joined with."""
        return True

    case = no_case = bound = caught = turn = enter = item

    def call(self, _spot: int, _args: Any) -> Any:
        """Return a block that nobody listens to."""
        return UNHEARD

    given = call


class Unheard:
    """The block of a call that is not recorded."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


UNHEARD, IDLE = Unheard(), Idle()
setattr(builtins, HOOKS, IDLE)


class Open:
    """A call under way: the block that its function's body stands in, which tells the recorder when it is left."""

    def __init__(
        self, recorder: Recorder, parent: Open | None, part: Whose, spot: int, frame: FrameType | None
    ) -> None:
        self.recorder, self.parent, self.part, self.spot = recorder, parent, part, spot
        self.number, self.begin, self.end = -1, len(recorder.events), -1
        self.key, self.code = id(frame), frame and frame.f_code
        self.frame: FrameType | None = None  # held only where nobody tells when it is left
        self.args: tuple[Any, ...] = ()
        self.site, self.depth, self.back, self.value = -1, 0, spot, None
        self.handed: frozenset[CodeType] = frozenset()

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: Any, error: BaseException | None, trace: Any) -> None:
        self.recorder.left(self, error, trace)

    def frozen(self) -> RecordedCall:
        """Return the call as it is kept."""
        node = SPOTS[self.spot].node if self.spot >= 0 else None
        names = parameters(node.args) if node else ()
        args = tuple(zip(names, self.args, strict=False))
        parent = self.parent.number if self.parent else -1
        name = getattr(node, "name", "λ")
        return RecordedCall(
            self.number, parent, self.part, name, args, self.spot, self.site, self.begin, self.end, self.code
        )


class Recorder:
    """Takes down what hooked code says: this is what its hooks call."""

    def __init__(self, limits: RunLimits, sources: dict[CodeType, HookedSource], depth: int) -> None:
        self.limits, self.sources, self.keeper = limits, sources, Keeper()
        self.events: list[Event] = []
        self.calls: list[Open] = []
        self.open: dict[int, Open] = {}
        self.lambdas: list[Open] = []
        self.positions: dict[CodeType, list[Any]] = {}
        self.text = ""
        self.steps = self.left_out = self.ticks = 0
        self.full = self.over = self.stopping = False
        self.until, self.deepest = limits.clock() + limits.seconds, sys.getrecursionlimit()
        self._begin(depth)

    def _begin(self, depth: int) -> None:
        """Take down the whole, which is called from the frame that makes the recorder."""
        frame = sys._getframe(2)
        whole = Open(self, None, Whose.WHOLE, -1, frame)
        whole.depth, whole.number = depth, 0
        self.calls.append(whole)
        self.open[whole.key] = whole
        self.note(Kind.CALL, -1, None, frame)

    # -------------------------------------------------------------------------------------------- events

    def note(self, kind: Kind, spot: int, thing: Any, frame: FrameType | None) -> None:
        """Take down an event in the call that a frame belongs to."""
        if self.full or self.over:
            self.left_out += kind is not Kind.VALUE
        else:
            self._keep(kind, self._call_of(frame), spot, thing)
            self._count(kind is not Kind.VALUE)

    def _keep(self, kind: Kind, call: Open, spot: int, thing: Any) -> None:
        self.events.append(Event(kind, call.number, spot, self.keeper.keep(thing)))

    def _count(self, steps: int = 1) -> None:
        self.steps += steps
        self.full = self.steps >= self.limits.steps or len(self.events) >= self.limits.values

    def _call_of(self, frame: FrameType | None) -> Open:
        """Return the innermost call that a frame belongs to."""
        while frame is not None:
            found = self.open.get(id(frame))
            if found is not None and (found.frame is None or found.frame is frame):
                return found
            frame = frame.f_back
        return self.calls[0]

    def tick(self) -> None:
        """Stop the run if it has gone on for too long."""
        self.ticks += 1
        if not self.ticks & 63 and self.limits.clock() > self.until:
            self.stopping = True
        if self.stopping and not self.over:
            raise Stopped

    def close(self) -> None:
        """Hear no more, and let go of what is held."""
        self.over = True
        for each in self.lambdas:
            each.frame = None

    def frozen(self, code: CodeType | None) -> tuple[RecordedCall, ...]:
        """Return the calls as they are kept; the whole is a call of the function that has this code."""
        self.calls[0].code = code
        return tuple(each.frozen() for each in self.calls)

    # -------------------------------------------------------------------------------------------- calls

    def call(self, spot: int, args: tuple[Any, ...]) -> Any:
        """Return the block of a call of the learner's own."""
        return self._entered(Whose.OWN, spot, args, sys._getframe(1))

    def given(self, spot: int, args: tuple[Any, ...]) -> Any:
        """Return the block for a call of a given function; it shows if the learner's code calls it or passes it on."""
        frame = sys._getframe(1)
        caller, _ = self._caller(frame)
        if caller.part is Whose.GIVEN and frame.f_code not in caller.handed:
            return UNHEARD
        made = self._entered(Whose.GIVEN, spot, args, frame)
        made.handed = frozenset(each.__code__ for each in functions_in(args))
        return made

    def enter(self, spot: int, args: tuple[Any, ...]) -> bool:
        """Take down that a lambda was called; as nobody tells if it raises, its frame is held on to."""
        frame = sys._getframe(1)
        made = self._entered(Whose.OWN, spot, args, frame)
        made.frame = frame
        self.lambdas.append(made)
        return True

    def leave(self, spot: int, thing: Any) -> Any:
        """Take down what a lambda gives."""
        made = self.open.get(id(sys._getframe(1)))
        if made in self.lambdas:
            made.value = thing
            self.left(made, None)
        return thing

    def _entered(self, part: Whose, spot: int, args: tuple[Any, ...], frame: FrameType) -> Open:
        self.tick()
        parent, depth = self._caller(frame)
        if depth > self.deepest:
            raise RecursionError("maximum recursion depth exceeded")
        made = Open(self, parent, part, spot, frame)
        made.depth = depth
        self.open[made.key] = made
        if self.full or self.over:
            self.left_out += 1
            return made
        made.number, made.args = len(self.calls), tuple(map(self.keeper.keep, args))
        made.site = self.site_of(frame.f_back, parent.code and self.sources.get(parent.code))
        self.calls.append(made)
        self.note(Kind.CALL, spot, None, frame)
        return made

    def _caller(self, frame: FrameType) -> tuple[Open, int]:
        """Return the call that a frame was called from, and how deep in the stack the frame is."""
        steps, behind = 1, frame.f_back
        while behind is not None:
            found = self.open.get(id(behind))
            if found is not None and (found.frame is None or found.frame is behind):
                return found, found.depth + steps
            steps, behind = steps + 1, behind.f_back
        return self.calls[0], steps

    def left(self, call: Open, error: BaseException | None, trace: Any = None) -> None:
        """Take down how a call came back."""
        self.open.pop(call.key, None)
        self._settle(call, error)
        if call in self.lambdas:
            self.lambdas.remove(call)
        if self.over or call.number < 0:
            return
        kind = Kind.GIVES if error is None else Kind.CLOSES if isinstance(error, GeneratorExit) else Kind.RAISES
        call.end = len(self.events)
        spot = call.back if error is None else self._spot_at(trace.tb_frame.f_code, trace.tb_lasti) if trace else -1
        self._keep(kind, call, spot, call.value if error is None else error)
        self._count()

    def _settle(self, call: Open, error: BaseException | None) -> None:
        """Take down of the lambdas called in a call that they have raised: they did not say so themselves."""
        while self.lambdas and self._is_within(self.lambdas[-1], call):
            inner = self.lambdas.pop()
            self.left(inner, error or LookupError("caught elsewhere"))

    def _is_within(self, inner: Open, call: Open) -> bool:
        above = inner.parent
        while above is not None and above is not call:
            above = above.parent
        return above is call

    # -------------------------------------------------------------------------------------------- places

    def site_of(self, frame: FrameType | None, source: HookedSource | None = None) -> int:
        """Return the spot at which a frame, or the nearest around it that has hooks (of that source), is at work."""
        while frame is not None:
            found = self.sources.get(frame.f_code)
            if found is not None and found is (source or found):
                break
            frame = frame.f_back
        return self._spot_at(frame.f_code, frame.f_lasti) if frame else -1

    def _spot_at(self, code: CodeType, instruction: int) -> int:
        if code not in self.sources:
            return -1
        if code not in self.positions:
            self.positions[code] = [self.sources[code].places.get(where, -1) for where in _lined(code)]
        return self.positions[code][instruction // 2]

    # -------------------------------------------------------------------------------------------- values

    def value(self, spot: int, thing: Any) -> Any:
        """Take down the value of an expression."""
        self.note(Kind.VALUE, spot, thing, sys._getframe(1))
        return thing

    def element(self, spot: int, thing: Any) -> Any:
        """Take down what a comprehension makes of an item."""
        self.note(Kind.ELEMENT, spot, thing, sys._getframe(1))
        return thing

    def yielded(self, spot: int, thing: Any) -> Any:
        """Take down what a generator yields."""
        self.note(Kind.YIELDS, spot, thing, sys._getframe(1))
        return thing

    def back(self, spot: int, thing: Any) -> Any:
        """Remember what a function is about to give."""
        if made := self.open.get(id(sys._getframe(1))):
            made.back, made.value = spot, thing
        return thing

    # -------------------------------------------------------------------------------------------- decisions

    def test(self, spot: int, thing: Any) -> Any:
        """Take down what a condition came to."""
        self.tick()
        self.note(Kind.TEST, spot, thing, sys._getframe(1))
        return thing

    def item(self, spot: int, things: tuple[Any, ...]) -> bool:
        """Take down what a round of a loop or a comprehension is about."""
        self.tick()
        self.note(Kind.ITEM, spot, things, sys._getframe(1))
        return True

    def turn(self, spot: int) -> None:
        """Take down that a loop goes round once more."""
        self.tick()
        self.note(Kind.TURN, spot, None, sys._getframe(1))

    def case(self, spot: int, things: tuple[Any, ...]) -> None:
        """Take down which case was taken, and what its names were bound to."""
        self.note(Kind.CASE, spot, things, sys._getframe(1))

    def no_case(self, spot: int) -> None:
        """Take down that no case has fitted."""
        self.note(Kind.NO_CASE, spot, None, sys._getframe(1))

    def bound(self, spot: int, things: tuple[Any, ...]) -> None:
        """Take down what names were bound to."""
        self.note(Kind.BOUND, spot, things, sys._getframe(1))

    def caught(self, spot: int) -> None:
        """Take down that an exception was caught."""
        frame, error = sys._getframe(1), sys.exception()
        self._settle(self._call_of(frame), error)
        self.note(Kind.CAUGHT, spot, error, frame)

    # -------------------------------------------------------------------------------------------- text

    def heard(self, text: str, is_of_the_run: bool = True) -> None:
        """Take down what was printed; what one call prints in one go is one event."""
        frame, last = sys._getframe(2), self.events[-1]
        self.text += text * is_of_the_run
        if last.kind is Kind.PRINTED and not last.value.endswith("\n") and not self.full:
            self.events[-1] = last._replace(value=last.value + text)
        elif text:
            self.note(Kind.PRINTED, self.site_of(frame), text, frame)

    def asking(self, ask: Callable[..., str]) -> Callable[..., str]:
        """Return an `input` that takes down what was typed."""

        def typed(prompt: object = "", /) -> str:
            line = ask(prompt)
            frame = sys._getframe(1)
            self.note(Kind.TYPED, self.site_of(frame), line, frame)
            return line

        return typed


def _lined(code: CodeType) -> list[tuple[Any, ...]]:
    """Return the position of each instruction: both lines first, then both columns."""
    return list(code.co_positions())
