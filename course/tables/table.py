"""A table: a game's history, what is shown of it, and what a click does; with a widget, or as a still picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import SystemRandom
from typing import Any, Generic, Protocol, TypeVar

from course.kernel import catalogue, notebook
from course.kernel.attended import alive, is_attended, publish_alive
from course.kernel.limits import kernel_kept
from course.tables.learner import ENDS_A_CALL, Learner, LearnerFault, lender, said_by, story, told_first
from course.tables.replay import Replay, seen_again
from course.tables.scene import (
    ROOMS,
    WIDE,
    Action,
    Room,
    SceneView,
    alt_text,
    button,
    plain_text,
    stand_in_html,
    still_html,
    words,
)


class Moment(Protocol):
    """A state of a game; states with the same number are the same moment, the later one replacing the earlier."""

    @property
    def number(self) -> int: ...


S = TypeVar("S", bound=Moment)


@dataclass(frozen=True)
class GameRules(Generic[S]):
    """The rules of a table as pure functions, and the learner's functions that it needs."""

    title: str
    unit: str
    needs: tuple[str, ...]
    start: Callable[[Learner, int], S]
    act: Callable[[Learner, S, Action], S]
    view: Callable[[S, Room], SceneView]
    art: tuple[str, ...]
    pace: float = 0.6


class GameTable(Generic[S]):
    """A game that is going on: every state so far, and which one is looked at."""

    def __init__(self, game: GameRules[S], names: dict[str, Any] | None = None, seed: int | None = None) -> None:
        self.game = game
        self.learner = Learner(game.unit, notebook.namespace(2) if names is None else names)
        self.needs = tuple(dict.fromkeys((*game.needs, *self.learner.named())))
        self.seed = SystemRandom().getrandbits(32) if seed is None else seed
        self.history: tuple[S, ...] = ()
        self.left: tuple[S, ...] = ()  # the game as it was before it was played on from an earlier moment
        self.at, self.revision = 0, 0
        self.fault: LearnerFault | None = None
        self.failed: Action = ["new"]
        self._called = f"({game.title})"
        self.leaving, self.room, self.is_begun = False, WIDE, False
        self._widget: Any = None
        self._made: dict[int, tuple[S, Replay]] = {}  # how each state was come to, by its identity
        self.watched: Any = None
        if not is_attended():
            self.begin()

    # -------------------------------------------------------------------------------------------- what happens

    def begin(self) -> None:
        """Deal, if nothing was dealt yet: before a person only when the table is there to tell of a call that hangs."""
        if not self.is_begun:
            self.is_begun = True
            self.receive(["new"], self.revision)

    def receive(self, action: Action, revision: int) -> bool:
        """Do what was clicked, unless the click was meant for a table that is no more; tell whether it was done."""
        if action[0] not in ("go", "room", "watched") and revision != self.revision:
            return False
        self.revision += 1
        if action[0] == "watched":
            if not isinstance(self.watched, str | None):
                self.watched.receive(action[1:])
            return True
        if action[0] != "room":
            self.watched = self._why() if action == ["why"] and not self.watched else None
        self.leaving = action == ["leave"] and self.is_under_way
        self._do(["new"] if action == ["leave"] and not self.leaving else action)
        return True

    def _do(self, action: Action) -> None:
        match action:
            case ["go", int(place)]:
                self.at = max(0, min(place, len(self.history) - 1))
            case ["play on"]:
                self.left, self.history, self.fault = self.history, self.history[: self.at + 1], None
            case ["as it was"]:
                self.history, self.left, self.fault = self.left or self.history, (), None
                self.at = len(self.history) - 1
            case ["again"]:
                self._do(self.failed)
            case ["leave"] | ["stay"] | ["why"]:
                pass
            case ["room", str(name)]:
                self.room = ROOMS.get(name, self.room)
            case ["borrow"]:
                self.learner.borrow(self.needs)
                self._try(["new"])
            case _ if self.is_live or action == ["new"]:
                self._try(action)

    def _try(self, action: Action) -> None:
        """Let the game go on, or keep it where it is and show the fault."""
        self.failed = action
        telling = told_first.set(self._tell)
        try:
            with kernel_kept():
                self._keep(self._drawable(self._next(action)))
            self.fault = None
        except LearnerFault as fault:
            self.fault = fault
        except ENDS_A_CALL as error:  # whatever a learner's value may do: it is shown, not lost
            self.fault = LearnerFault(f"({self.game.title})", story(error))
        finally:
            told_first.reset(telling)

    def _drawable(self, state: S | None) -> S | None:
        """Return a state of which a picture can be made; Fault with the last call where none can."""
        try:
            if state is not None:
                self.game.view(state, self.room)
        except ENDS_A_CALL as error:
            trouble = f"the table cannot show the result, because this raises {said_by(error)}"
            raise LearnerFault(self._called, trouble) from None
        return state

    def _tell(self, call: str) -> None:
        """Let the table know which call it waits for; it says so if that takes long."""
        self._called = call
        if self._widget is not None:
            self._widget.calling = {"rev": self.revision, "call": call}

    def _next(self, action: Action) -> S | None:
        if action == ["new"]:
            self.history, self.left, self.at, self.seed = (), (), 0, self.seed + 1
            if self.missing:
                return None
        replay = self._replay(action)
        state: S = replay()
        self._made[id(state)] = state, replay
        return state

    def _replay(self, action: Action) -> Replay:
        return Replay(self.game, self.learner, self.history[-1] if self.history else None, action, self.seed)

    def _why(self) -> Any:
        """Return the run of the move that led to what is looked at, or of the one that went wrong."""
        if self.fault and (self.is_live or not self.history):
            return seen_again(self._replay(self.failed))
        return seen_again(self._made[id(self.state)][1]) if self._can_be_asked else None

    @property
    def _can_be_asked(self) -> bool:
        return bool(self.fault) or (bool(self.history) and id(self.state) in self._made)

    def _keep(self, state: S | None) -> None:
        if state is None:
            return
        same = bool(self.history) and self.history[-1].number == state.number
        self.history = (*(self.history[:-1] if same else self.history), state)
        self.at = len(self.history) - 1

    # -------------------------------------------------------------------------------------------- what is shown

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the functions that are still missing."""
        return self.learner.missing(self.needs)

    @property
    def is_live(self) -> bool:
        """Return whether the latest state is looked at, and nothing is wrong with it."""
        return bool(self.history) and self.at == len(self.history) - 1

    @property
    def is_under_way(self) -> bool:
        """Return whether a game would be lost by beginning another one."""
        return len(self.history) > 1 and not self.game.view(self.history[-1], self.room).get("over")

    @property
    def state(self) -> S:
        """Return the state that is looked at."""
        return self.history[self.at]

    def view(self) -> SceneView:
        """Return what is to be shown now, as plain data."""
        shown = self.game.view(self.state, self.room) if self.history else self._closed()
        shown = shown if self.is_live and not self.fault and not self.leaving else _looked_at(shown)
        time = {"at": self.at, "last": max(len(self.history) - 1, 0)}
        shown = shown | ({"wait": round(1000 * self.game.pace)} if shown.get("wait") else {})
        place = {"w": self.room.width, "room": self.room.name, "title": self.game.title, "rev": self.revision}
        return shown | place | {"time": time, "why": self._can_be_asked} | self._said(shown) | self._run()

    def _run(self) -> SceneView:
        """Return the run of the move, where it was asked for, or why there is none to be seen."""
        if isinstance(self.watched, str):
            return {"note": {"text": self.watched}}
        return {"run": self.watched.view()} if self.watched else {}

    def _said(self, shown: SceneView) -> SceneView:
        """Return the status, the note and the buttons that the table itself puts in place of the game's."""
        if self.leaving:
            bar = [button("Keep playing", ["stay"], strong=True), button("Yes, a new game", ["new"])]
            return {"status": "This game is not over. Start a new one anyway?", "bar": bar}
        if self.fault and (self.is_live or not self.history):
            text = f"Something went wrong: {self.fault.trouble}\nThe call was:"
            bar = [button("Try again", ["again"], strong=True), button("New game", ["leave"])]
            note = {"bad": True, "text": text, "code": self.fault.call}
            return {"status": "The game has stopped.", "note": note, "bar": bar}
        if self.history and not self.is_live:
            status = f"Looking back at move {self.at}. {shown['status']}"
            bar = [button("Play on from here", ["play on"], strong=True)]
            return {"bar": [*bar, button("Back to the latest move", ["go", len(self.history) - 1])], "status": status}
        if self.left and self.is_live:
            return {"bar": [*shown["bar"], button("Back to the earlier game", ["as it was"])]}
        lent = self.learner.borrowed(self.needs)
        return {"note": {"text": f"Borrowed, not yours: {', '.join(lent)}."}} if lent and "note" not in shown else {}

    def _closed(self) -> SceneView:
        """Return the view of a table that cannot open yet."""
        status = "The table is closed." if self.missing else "The game could not start."
        status = status if self.is_begun else "The game starts."
        middle = self.room.middle
        items = [words("title", self.game.title, middle, 60, "big gold"), words("closed", status, middle, 105)]
        bar = [button("Try again", ["new"], strong=True)]
        if not self.is_begun:
            return {"h": 160, "items": items, "status": status, "bar": [], "begins": True}
        if not self.missing:
            return {"h": 160, "items": items, "status": status, "bar": bar}
        bar += [button("Borrow the missing functions", ["borrow"])] * (lender(self.learner.names) is not None)
        note = {"text": missing_text(self.game.unit, self.missing)}
        return {"h": 160, "items": items, "status": status, "bar": bar, "note": note}

    # -------------------------------------------------------------------------------------------- in a notebook

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        self.begin()
        return self._bundle()

    def _bundle(self) -> Any:
        view = self.view()
        still = {"text/plain": plain_text(view), "text/html": still_html(view)}
        return alive(still, self.widget)

    def widget(self) -> Any:
        """Return the widget that shows the table, made when first asked for; ImportError where there are none."""
        from course.tables.widget import widget_of

        self._widget = self._widget or widget_of(self)
        return self._widget

    def _ipython_display_(self) -> None:
        renew = publish_alive(self._bundle(), stand_in_html(self.view()))
        if not self.is_begun:
            self.begin()
            if self._widget is not None:
                self._widget.view = self.view()
            renew(stand_in_html(self.view()))

    def __repr__(self) -> str:
        return plain_text(self.view())

    @property
    def alt(self) -> str:
        """Return in words what is on the table."""
        return alt_text(self.view())


def _looked_at(view: SceneView) -> SceneView:
    """Return a view in which nothing can be clicked and nothing goes on by itself."""
    items = [{name: it for name, it in each.items() if name != "do"} for each in view["items"]]
    return {name: it for name, it in view.items() if name != "wait"} | {"items": items}


def missing_text(unit: str, missing: tuple[str, ...]) -> str:
    """Return the sentence that names what is still to be written, and when the table opens."""
    known = {name: catalogue.exercise_of(unit, name) or {} for name in missing}
    number = max((exercise.get("number", 0) for exercise in known.values()), default=0)
    named = ", ".join(f"`{name}`" for name in missing)
    verb = "is" if len(missing) == 1 else "are"
    return f"{named} {verb} not written yet. You can play here after exercise {number}."
