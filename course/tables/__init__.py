"""Tables: the games on screen, run by the learner's own functions."""

from course.tables.dominoes import domino_table

__all__ = ["domino_table"]
