"""A table: the history of a game, its view, and the effects of clicks.

It is shown as a widget or as a static picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from random import SystemRandom
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeAlias, TypeVar

from course.exam.calls import Names
from course.kernel import catalogue, notebook
from course.kernel.borrowed import may_borrow
from course.kernel.limits import exit_as_exception
from course.kernel.notebook import bundle_with_widget, interruptible, is_interactive, publish_with_widget
from course.kernel.workspace import names_used
from course.tables.learner import CALL_ERRORS, Learner, LearnerFault, call_reporter, error_as_line, located_error_text
from course.tables.scene import (
    CHOICE_MARKER,
    NARROW,
    ROOMS,
    WIDE,
    Action,
    Item,
    Room,
    SceneView,
    button,
    picture_sizes,
    plain_text,
    stand_in_html,
    static_html,
    words,
)

if TYPE_CHECKING:
    from course.tables.sharing import PageWidget
    from course.tables.widget import TableWidget
    from course.watch.viewer import Viewer


class Moment(Protocol):
    """A state of a game. In a table's history, a new state replaces the last state if both have the same number."""

    @property
    def number(self) -> int: ...


S = TypeVar("S", bound=Moment)
OUTCOME, OUTCOME_LETTER, OUTCOME_LINE, OUTCOME_LINES = "big gold outcome", 18, 44, 4
SPOKEN_CHOICE_LIMIT = 20
NO_STEPS_MESSAGE = "There are no steps to show: this move calls no function that you wrote in this notebook."


@dataclass(frozen=True)
class GameRules(Generic[S]):
    """The rules of a table as pure functions, and the names of the learner's functions that the table needs.

    `why` is the action that the table repeats to show the steps of a move. If `why` is None, the table repeats the
    action that led to the shown state. `aim` says how to win and what a player may do, in a few short sentences.
    """

    title: str
    unit: str
    needs: tuple[str, ...]
    start: Callable[[Learner, int], S]
    act: Callable[[Learner, S, Action], S]
    view: Callable[[S, Room], SceneView]
    pace: float = 0.6
    why: Action | None = None
    aim: str = ""


class GameTable(Generic[S]):
    """A game in progress: all states so far, and the shown state. In a notebook, the table is also an ipywidget."""

    can_be_shared = True
    dims_the_past = True  # whether an earlier moment looks other than the latest one

    def __new__(cls, *_: object, **__: object) -> Self:
        """Make a table. Pages and terminals have no ipywidgets, and need none."""
        kind = cls
        if notebook.shell() is not None:
            with suppress(ImportError):
                from course.tables.widget import widget_class

                kind = widget_class(cls)  # type: ignore[arg-type]  # mypy takes no Self for hashable
        return super(GameTable, kind).__new__(kind)

    def __init__(self, game: GameRules[S], names: Names | None = None, seed: int | None = None) -> None:
        self.game = game
        self.learner = Learner(game.unit, notebook.namespace(2) if names is None else names)
        cell = (notebook.executed_cells(self.learner.names) or [""])[-1]
        named = sorted(name for name in names_used(cell) if catalogue.exercise_of(game.unit, name))
        self.needs = tuple(dict.fromkeys((*game.needs, *named)))  # what the game calls, and what the cell mentions
        self.seed = SystemRandom().getrandbits(32) if seed is None else seed
        self.history: tuple[S, ...] = ()
        self.at, self.revision = 0, 0
        self.is_news = True  # whether the shown moment has changed since the last view
        self.fault: LearnerFault | None = None
        self.failed: Action = ["new"]
        self.leaving, self.room, self.is_begun = False, WIDE, False
        self.display: TableWidget | PageWidget | None = None
        self._update_picture: Callable[[str], None] = lambda html: None
        # By the id of each state: the state, the move that led to it, and whether the player has a choice in it.
        self._made: dict[int, tuple[S, Callable[[], S], bool]] = {}
        self.watched: Viewer | str | None = None
        self.link: SceneView | None = None  # the note with the link to this game, while it is shown
        if not is_interactive():
            self.begin()

    # -------------------------------------------------------------------------------------------- actions

    def begin(self) -> None:
        """Start the game if it has not started yet.

        If a person uses the notebook, the game starts only when the widget works, because the widget can report a call
        that never ends.
        """
        if not self.is_begun:
            self.receive(["new"], self.revision)

    def receive(self, action: Action, revision: int) -> None:
        """Carry out the action of a click. A click on an outdated view is ignored."""
        if action[0] not in ("go", "room", "watched") and revision != self.revision:
            return
        self.is_begun = self.is_begun or action == ["new"]
        self.revision += 1
        if action[0] == "watched":
            if not isinstance(self.watched, str | None):
                self.watched.receive(action[1:])
            return
        if action[0] != "room":
            self.watched = self._steps_of_move() if action == ["why"] and not self.watched else None
            self.link = self._link_note() if action == ["share"] and not self.link else None
        is_under_way = len(self.history) > 1 and not self.game.view(self.history[-1], self.room).get("over")
        self.leaving = action == ["leave"] and is_under_way
        self._handle_action(["new"] if action == ["leave"] and not self.leaving else action)

    def _handle_action(self, action: Action) -> None:
        match action:
            case ["go", int(index)]:
                self.at, self.is_news = max(0, min(index, len(self.history) - 1)), True
            case ["play on"]:
                self.history, self.fault = self.history[: self.at + 1], None
            case ["undo"] if (last := self.last_choice_index) is not None:
                self.history, self.at = self.history[: last + 1], last
                self._play_action(["back"])
            case ["again"]:
                self._handle_action(self.failed)
            case ["leave"] | ["stay"] | ["why"] | ["share"]:
                pass
            case ["room", str(name)]:
                self.room = ROOMS.get(name, self.room)
            case ["borrow"]:
                self.learner.borrow(self.needs)
                self._play_action(["new"])
            case _ if self.is_live or action == ["new"]:
                self._play_action(action)

    def _play_action(self, action: Action) -> None:
        """Carry out an action of the game, and add the state after it to the history.

        If the last state has the same number, the new state replaces it. If a learner's function fails, or the state
        cannot be drawn, nothing is added, and the fault is shown.
        """
        self.failed, state = action, None
        if action == ["new"]:
            self.history, self.at, self.seed = (), 0, self.seed + 1
        before, telling = self.history[-1:], call_reporter.set(self._report_call)
        self._report_call(f"({self.game.title})")
        try:
            if action != ["new"] or not self.missing:
                move = self._repeatable_move(action, before)
                with exit_as_exception():
                    state = move()
                    self._made[id(state)] = (
                        state,
                        move,
                        any("do" in each for each in self.game.view(state, self.room)["items"]),
                    )
                    if (state,) != before:
                        same = bool(before) and before[0].number == state.number
                        self.history = (*(self.history[:-1] if same else self.history), state)
                        self.at, self.is_news = len(self.history) - 1, not same
            self.fault = None
        except CALL_ERRORS as error:  # a learner's value may raise anything, and the table shows it
            shown = f"the table cannot show the result, because showing it raises {error_as_line(error)}"
            fault = LearnerFault(self._called, located_error_text(error) if state is None else shown)
            self.fault = error if isinstance(error, LearnerFault) else fault
        finally:
            call_reporter.reset(telling)

    def _report_call(self, call: str) -> None:
        """Report the call that is about to be made. The widget shows it if the call takes long."""
        self._called = call
        if self.display is not None:
            self.display.calling = {"rev": self.revision, "call": call}

    def _repeatable_move(self, action: Action, before: tuple[S, ...]) -> Callable[[], S]:
        """Return a function that carries out an action after a state, or starts the game.

        Random numbers are seeded, so the function returns the same state each time.
        """
        game, learner, seed = self.game, self.learner, self.seed
        return lambda: game.act(learner, before[0], action) if before else game.start(learner, seed)

    def _steps_of_move(self) -> Viewer | str | None:
        """Return the recorded run of the move that led to the current state, or of the move that failed.

        The move is made again for the recording. If there are no steps to show, return a text that says why.
        """
        from course.show.snapshots import UncopiedValue
        from course.watch.watching import (  # imported here, because only this needs it
            NoWatchedCall,
            recorded_run,
            viewer_of_run,
        )

        if self.fault and (self.is_live or not self.history):
            move = self._repeatable_move(self.failed, self.history[-1:])
        elif self.game.why and self.history:
            move = self._repeatable_move(self.game.why, (self.state,))
        elif self.history and id(self.state) in self._made:
            move = self._made[id(self.state)][1]
        else:
            return None
        try:
            run = recorded_run(move, (), self.learner.names, "the move")
            return viewer_of_run(replace(run, value=UncopiedValue("the game continues")), self.learner.names)
        except NoWatchedCall:
            return NO_STEPS_MESSAGE
        except notebook.NotRight as trouble:
            return f"There are no steps to show: {trouble}."

    def _link_note(self) -> SceneView:
        """Return a note with the link that opens this game elsewhere, or with the reason why there is none."""
        from course.tables.sharing import (  # imported here, because few games are shared
            LINK_EXPLANATION,
            game_link,
            sentence_of,
        )

        try:
            return {"text": LINK_EXPLANATION, "code": game_link(self.learner.names, self.game.unit), "copy": True}
        except notebook.NotRight as trouble:
            return {"text": sentence_of(trouble)}

    # -------------------------------------------------------------------------------------------- views

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the functions that the table needs and that are not written yet."""
        return self.learner.missing(self.needs)

    @property
    def is_live(self) -> bool:
        """Return whether the table shows the latest state."""
        return bool(self.history) and self.at == len(self.history) - 1

    @property
    def last_choice_index(self) -> int | None:
        """Return the index of the last earlier moment at which the player had a choice, or None."""
        made = (self._made.get(id(state)) for state in self.history[:-1])
        return max((index for index, each in enumerate(made) if each and each[2]), default=None)

    @property
    def state(self) -> S:
        """Return the state that the table shows."""
        return self.history[self.at]

    def view(self) -> SceneView:
        """Return the view of the shown state as plain data."""
        shown = {**self.game.view(self.state, self.room)} if self.history else self._closed_view()
        waits, game = shown.pop("wait", False), self.game
        if not self.is_live or self.fault or self.leaving:  # nothing can be clicked
            items, past = shown["items"], bool(self.history) and not self.is_live and self.dims_the_past
            shown |= {"items": [_without_action(each) if "do" in each else each for each in items], "past": past}
        elif waits:
            shown["wait"] = round(1000 * game.pace)
        shown |= self._with_outcome(shown)
        view = shown | {"w": self.room.width, "room": self.room.name, "title": game.title, "rev": self.revision}
        view["time"] = {"at": self.at, "last": max(len(self.history) - 1, 0)}
        can_be_made_again = bool(self.history) and id(self.state) in self._made
        view |= {"why": bool(self.fault) or can_be_made_again, "share": self.can_be_shared and "over" in shown}
        if game.aim:  # a game from the start page has no lesson around it
            known = catalogue.all_statements().get(game.unit)
            view["rules"] = game.aim + (f" All rules are at the top of {known.notebook}." if known else "")
        view |= self._replaced_texts(shown)
        if self.link:
            view["note"] = self.link
        elif isinstance(self.watched, str):
            view["note"] = {"text": self.watched}
        elif self.watched:
            view["run"] = self.watched.view()
        return view | {"spoken": self._spoken_text(view), "sizes": picture_sizes(shown["items"])}

    def _with_outcome(self, shown: SceneView) -> SceneView:
        """Return the items and the height of a scene, with the end of the game as large words below the hands."""
        if not (shown.get("over") and self.is_live) or self.room is NARROW:  # a narrow table has no room for it
            return {}
        lines = wrap(shown["status"].replace("`", ""), round(self.room.width / OUTCOME_LETTER))[:OUTCOME_LINES]
        rows = [shown["h"] + OUTCOME_LINE * n for n in range(len(lines) + 1)]
        end = [
            words(f"outcome{n}", line, self.room.middle, rows[n] + OUTCOME_LINE / 2, OUTCOME)
            for n, line in enumerate(lines)
        ]
        return {"items": [*shown["items"], *end], "h": rows[-1]}

    def _spoken_text(self, view: SceneView) -> str:
        """Return what a screen reader says: the moves that led to a view, the table, and the possible actions.

        While bots move, the screen reader says only the moves, except at the first view of a game. Moves that were
        shown already are left out. If the status is one of the moves, it is said once.
        """
        log, news = view.get("log", []), list[str]()
        if self.is_news and self.history:
            before = self.game.view(self.history[self.at - 1], self.room).get("log", []) if self.at else []
            added = next(n for n in range(len(log) + 1) if log[n:] == before[: len(log) - n])
            news = log[:added][::-1]
        if "wait" in view and view["time"]["at"]:
            return " ".join(news)
        choices = [each["l"].partition(CHOICE_MARKER)[0] for each in view["items"] if "do" in each and "l" in each]
        offers = choices or [each["l"] for each in view["bar"] if each.get("c") == "strong"]
        offer = [f"Choose from: {', '.join(offers)}."] if 0 < len(offers) <= SPOKEN_CHOICE_LIMIT else []
        others = list((Counter[str](view.get("hand", ())) - Counter(choices)).elements())
        rest = [f"You {'also ' * bool(choices)}hold {', '.join(others)}."] if others else []
        status = view["status"].replace("`", "")
        is_move = status in log[:1]
        moves = [line for line in news if is_move or line not in status]
        return " ".join([*moves, *filter(None, [view.get("around"), "" if is_move else status]), *offer, *rest])

    def _replaced_texts(self, shown: SceneView) -> SceneView:
        """Return the status, note and buttons that replace those of the game."""
        if self.leaving:
            bar = [button("Keep playing", ["stay"], strong=True), button("Yes, a new game", ["new"])]
            return {"status": "This game is not over. Start a new one anyway?", "bar": bar}
        if self.fault and (self.is_live or not self.history):
            text = f"Something went wrong: {self.fault.trouble}\nThe call was:"
            bar = [button("Try again", ["again"], strong=True), button("New game", ["leave"])]
            note = {"bad": True, "text": text, "code": self.fault.call}
            return {"status": "The game has stopped.", "note": note, "bar": bar}
        if self.history and not self.is_live:
            status = f"You are looking at move {self.at}. {shown['status']}"
            bar = [button("Continue from here", ["play on"], strong=True)]
            return {"bar": [*bar, button("Back to the latest move", ["go", len(self.history) - 1])], "status": status}
        players = self.learner.own_functions_text(self.needs)
        note = {"note": {"text": players}} if players and "note" not in shown else {}
        undo = [button("Undo", ["undo"])] * (self.last_choice_index is not None)
        return note | {"bar": [*shown["bar"], *undo]}

    def _closed_view(self) -> SceneView:
        """Return the view of a table that cannot open yet."""
        missing, status = self.missing if self.is_begun else (), "The game starts."
        if missing:
            what = f"`{missing[0]}` is" if len(missing) == 1 else f"{len(missing)} functions are"
            status = f"Not ready: {what} missing."
        elif self.is_begun:
            status = "The game could not start."
        title = words("title", self.game.title, self.room.middle, 60, "big gold")
        items = [title, words("closed", status.replace("`", ""), self.room.middle, 105)]
        shown: SceneView = {"h": 160, "items": items, "status": status, "bar": []}
        if not self.is_begun:
            return shown | {"begins": True}
        can_borrow = bool(missing) and may_borrow(self.learner.names)
        if can_borrow:
            ours = f"Play with the reference solution{'s' * (len(missing) > 1)} for now"
            shown["bar"].append(button(ours, ["borrow"], strong=True))
        shown["bar"].append(button("Try again", ["new"], strong=not can_borrow))
        return shown | ({"note": {"text": missing_text(self.game.unit, missing)}} if missing else {})

    # -------------------------------------------------------------------------------------------- in a notebook

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        self.begin()
        return self._mime_bundle()

    def _mime_bundle(self) -> object:
        static_view = {"text/plain": repr(self), "text/html": static_html(self.view())}

        def as_widget() -> Any:  # the second base class
            if not hasattr(self, "model_id"):
                raise ImportError("ipywidgets is not installed")
            return super(GameTable, self)

        return bundle_with_widget(static_view, as_widget)

    def react(self, action: Action, revision: int) -> SceneView:
        """Carry out the action of a click, and return the next view."""
        with interruptible():
            self.receive(action, revision)
        return self.view()

    def _ipython_display_(self) -> None:
        self._update_picture = publish_with_widget(self._mime_bundle(), stand_in_html(self.view()))
        if not self.is_begun:
            self.begin()
            if self.display is not None:
                self.display.show(self.view())
            self.save_picture()

    def save_picture(self) -> None:
        """Save a picture of the game in the notebook, if it is the player's turn or the game is over."""
        view = self.view()
        if "wait" not in view:
            self._update_picture(stand_in_html(view))

    def __repr__(self) -> str:
        return plain_text(self.view())


AnyTable: TypeAlias = GameTable[Any]  # a table of some game


def _without_action(data: Item) -> Item:
    """Return a copy of an item that cannot be clicked, and is not highlighted."""
    return {key: it for key, it in data.items() if key not in ("do", "c")}


def missing_text(unit: str, missing: tuple[str, ...]) -> str:
    """Return a text that says which functions to write first.

    If only one function is missing, the text does not name this function, because the status line already does.
    """
    known = (catalogue.exercise_of(unit, name) for name in missing)
    number = max((exercise.number for exercise in known if exercise), default=0)
    named = f"Missing: {', '.join(f'`{name}`' for name in missing)}. " * (len(missing) > 1)
    return f"{named}You can play here after exercise {number}."
