"""Tables: the games on screen, played with the learner's own functions."""

from course.tables.basra import basra_table
from course.tables.bots import watch_set
from course.tables.dominoes import domino_table
from course.tables.recorded import whole_game
from course.tables.sedma import sedma_record, sedma_table
from course.tables.trials import fold_steps, try_capture, try_order, try_tile, try_trick, try_view, watch_deal
from course.tables.uno import uno_table

__all__ = [
    "basra_table",
    "domino_table",
    "fold_steps",
    "sedma_record",
    "sedma_table",
    "try_capture",
    "try_order",
    "try_tile",
    "try_trick",
    "try_view",
    "uno_table",
    "watch_deal",
    "watch_set",
    "whole_game",
]
