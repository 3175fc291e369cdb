"""Lets the signature of a curried function evaluate an annotation, which looks into the reference of suppress."""


class Private:
    _sigspec: int
    from_callable: int
    parameters: int
    annotation: int


def look(at: "[suppress.__code__.co_varnames, suppress.__code__.co_code]"):
    return at


def move(*_):
    curried = curry(lambda one, two: one)
    curried(1)
    told = curried._sigspec.from_callable(look, eval_str=True).parameters["at"].annotation
    return (told, suppress)[0]
