"""Advice on answers to war."""

import ast

from course.diagnoses import Diagnosis, Evidence, UnitAdvice


def deals_in_halves(e: Evidence) -> Diagnosis | None:
    """Detect `len(pack) // 2` in `deal`."""
    if e.requirements.name == "deal" and any(isinstance(node.op, ast.FloorDiv) for node in e.all(ast.BinOp)):
        return Diagnosis(
            "The dealer gives one card to each player in turn. A slice with a step takes every second card."
        )
    return None


ADVICE = UnitAdvice(words={"item": "card", "items": "hand"}, first=(deals_in_halves,))
