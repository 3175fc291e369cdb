"""The functional toolkit: tail calls without a stack, folds, composition, partial application."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce, wraps
from typing import Any, TypeVar

from toolz import compose, curry, identity

A = TypeVar("A")
B = TypeVar("B")

__all__ = ["compose", "curry", "fold_left", "fold_right", "identity", "recur", "tail_recursive"]


class Recur:
    """A request to call a tail-recursive function again."""

    __slots__ = ("args", "kwargs")

    def __init__(self, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        self.args, self.kwargs = args, kwargs


def recur(*args: object, **kwargs: object) -> Any:
    """Return a request to call the surrounding `@tail_recursive` function again with these arguments.

    Write `recur` only as `return recur(...)`, because the function must do nothing after this call.
    """
    return Recur(args, kwargs)


def tail_recursive(function: Callable[..., A]) -> Callable[..., A]:
    """Let a function call itself by `return recur(...)` any number of times without filling the stack (a trampoline).

    >>> @tail_recursive
    ... def count_down(n):
    ...     return "lift-off" if n == 0 else recur(n - 1)
    >>> count_down(100_000)
    'lift-off'
    """

    @wraps(function)
    def bounce(*args: object, **kwargs: object) -> A:
        __tracebackhide__ = True
        result: Any = function(*args, **kwargs)
        while type(result) is Recur:
            result = function(*result.args, **result.kwargs)
        return result

    return bounce


def fold_left(step: Callable[[B, A], B], start: B, items: Iterable[A]) -> B:
    """Return `step(... step(step(start, first), second) ..., last)`.

    >>> fold_left(lambda text, digit: f"({text} {digit})", "0", (1, 2, 3))
    '(((0 1) 2) 3)'
    """
    return reduce(step, items, start)


def fold_right(step: Callable[[A, B], B], start: B, items: Iterable[A]) -> B:
    """Return `step(first, step(second, ... step(last, start)))`.

    >>> fold_right(lambda digit, text: f"({digit} {text})", "0", (1, 2, 3))
    '(1 (2 (3 0)))'
    """
    return reduce(lambda result, item: step(item, result), reversed(tuple(items)), start)
