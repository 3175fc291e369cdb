"""The names with which a unit makes its tables and declares its game. The page "A table of your own" explains them."""

from course.exam.calls import Names
from course.show.pictures import picture_name, picture_of, spoken
from course.tables.game import UnitGame, next_action
from course.tables.learner import ASKS_AGAIN, Ask, Learner, LearnerFault, answering, call_text, guarded, rule, seeded
from course.tables.scene import NARROW, WIDE, Action, Item, Room, SceneView, button, item, row, words
from course.tables.table import AnyTable, GameRules, GameTable
from course.values import value

__all__ = [
    "ASKS_AGAIN",
    "NARROW",
    "WIDE",
    "Action",
    "AnyTable",
    "Ask",
    "GameRules",
    "GameTable",
    "Item",
    "Learner",
    "LearnerFault",
    "Names",
    "Room",
    "SceneView",
    "UnitGame",
    "answering",
    "button",
    "call_text",
    "guarded",
    "item",
    "next_action",
    "picture_name",
    "picture_of",
    "row",
    "rule",
    "seeded",
    "spoken",
    "value",
    "words",
]
