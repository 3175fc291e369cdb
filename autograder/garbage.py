"""How often a process of ours looks for garbage."""

import gc


def look_seldom() -> None:
    """Have what imports, exams and reports make not looked through again and again: it stays, or goes by itself."""
    gc.set_threshold(100_000)
