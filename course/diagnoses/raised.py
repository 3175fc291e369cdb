"""Diagnoses that need only the class and the message of an exception."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from course.diagnoses.evidence import Diagnosis, Evidence
from course.diagnoses.kinds import ITERATORS


@dataclass(frozen=True)
class RaisedSlip:
    """A detector of one slip that looks only at the exception.

    The advice is a template, with placeholders for the match of Python's message, the message, and the line.
    """

    advice: Diagnosis
    python: str = ""
    error: str = ""

    def __call__(self, e: Evidence) -> Iterator[Diagnosis]:
        is_told = e.failure.line or "{line}" not in self.advice.says
        if is_told and self.error in ("", e.error) and (match := e.raised(self.python)):
            says = self.advice.says.format(match=match, message=e.message, line=e.failure.line)
            yield Diagnosis(says, e.in_words(self.advice.example))


BY_MESSAGE: tuple[Callable[[Evidence], Iterator[Diagnosis]], ...] = (
    RaisedSlip(
        Diagnosis("`case _:` matches everything, so the cases after it never run. Put it last."),
        python="wildcard makes remaining patterns",
        error="SyntaxError",
    ),
    RaisedSlip(
        Diagnosis(
            "`isinstance` on line {line} takes a value first, and then a class. Write the class without parentheses."
        ),
        python=r"isinstance\(\) arg 2 must be a type",
    ),
    RaisedSlip(
        Diagnosis("The `{match[1]}` is outside the function. Indent it, so that it belongs to the `def`."),
        python="'(return|yield|await)' outside function",
        error="SyntaxError",
    ),
    RaisedSlip(Diagnosis("`exit()` quits Python. To leave a function, use `return`."), error="SystemExit"),
    RaisedSlip(
        Diagnosis("`{match[1]}()` quits Python. To leave a function, use `return`."),
        python="name '(exit|quit)' is not defined",
    ),
    RaisedSlip(
        Diagnosis("Line {line} raises a string. Pass the string to an exception:", "raise ValueError(…)"),
        python="exceptions must derive",
        error="TypeError",
    ),
    RaisedSlip(
        Diagnosis("You can add a string only to another string. Make one string of both:", 'f"{name}: {number}"'),
        python=r"can only concatenate str|operand type\(s\) for \+: '(?:int|float)' and 'str'",
    ),
    RaisedSlip(
        Diagnosis(
            "Python cannot compare a tuple with a number on line {line}. To compare the number of items, use:", "len(…)"
        ),
        python="not supported between instances of '(?:tuple|list|str)' and 'int'",
    ),
    RaisedSlip(
        Diagnosis(
            "Between `[` and `]` on line {line}, write an index. It must be an integer, not a value of type "
            "`{match[1]}`."
        ),
        python=r"indices must be integers or slices, not (?!float)(\w+)",
        error="TypeError",
    ),
    RaisedSlip(
        Diagnosis("This call uses a value that is not written yet: it is still `TODO`."),
        python="TODO",
        error="NotImplementedError",
    ),
    RaisedSlip(
        Diagnosis("Line {line} still has the `raise NotImplementedError` of the empty exercise. Delete it."),
        error="NotImplementedError",
    ),
    RaisedSlip(
        Diagnosis("`{match[1]}` on line {line} takes one collection, but got several. Join them first, with `+`."),
        python="^(set|frozenset|tuple|list) expected at most 1 argument",
    ),
    RaisedSlip(
        Diagnosis("`sum` on line {line} has no `key`. First convert each item to a number:", "sum(map(…, …))"),
        python="'key' is an invalid keyword argument for sum",
    ),
    RaisedSlip(
        Diagnosis(
            "A {match[1]} cannot be changed, so it has no `.{match[2]}`. Make a new one, such as:", "(*items, item)"
        ),
        python=r"'(tuple|str)' object has no attribute '(append|extend|insert|remove|pop|sort|reverse|add|clear)'",
    ),
    RaisedSlip(
        Diagnosis(
            "A {match[1]} cannot be changed. Make a new one, such as:", "(*items[:place], item, *items[place + 1 :])"
        ),
        python=r"'(tuple|str)' object does not support item (?:assignment|deletion)",
    ),
    RaisedSlip(
        Diagnosis(
            "`recur(…)` cannot be used in a calculation. Write `@tail_recursive` above its `def`, and pass the result "
            "so far as an argument:",
            "return recur(…, count + 1)",
        ),
        python=r"\bRecur\b",
        error="TypeError",
    ),
    RaisedSlip(
        Diagnosis("`{match[1]}` has {match[2]} parts, but the pattern on line {line} has {match[3]}."),
        python=r"(\w+)\(\) accepts (\d+) positional sub-patterns? \((\d+) given\)",
    ),
    RaisedSlip(
        Diagnosis("A pattern cannot call a function. Use a guard:", "case item if test(item):"),
        python="called match pattern must be a",
    ),
    RaisedSlip(
        Diagnosis("`split` on line {line} needs a separator. For a tuple of the characters, write `tuple(…)`."),
        python="empty separator",
    ),
    RaisedSlip(
        Diagnosis(
            "`join` on line {line} needs strings, but an item is of type `{match[1]}`. Convert the items first:",
            '" ".join(map(str, …))',
        ),
        python=r"sequence item \d+: expected str instance, (\w+) found",
    ),
    RaisedSlip(
        Diagnosis("`join` on line {line} is a method of strings: call it on the separator. Write:", '" ".join(…)'),
        python="'(?:map|tuple|list|generator|filter)' object has no attribute 'join'",
    ),
    RaisedSlip(
        Diagnosis(
            "`.index(…)` or `.remove(…)` on line {line} finds no item that is equal to its argument. Print the "
            "items and the argument first."
        ),
        python="not in (?:tuple|list)|is not in list",
        error="ValueError",
    ),
    RaisedSlip(
        Diagnosis("`in` on line {line} needs several values, such as a tuple. To compare with one value, write `==`."),
        python=r"argument of type '(?!NoneType|function|type|curry|Compose)\w+' is not|is not a container or iterable",
        error="TypeError",
    ),
    RaisedSlip(
        Diagnosis("An index or a number of items must be an integer, not a float such as 2.0. To divide, write `//`."),
        python=r"slice indices must be integers|'float' object cannot be|indices must be integers or slices, not float",
    ),
    RaisedSlip(
        Diagnosis(
            "`{match[1]}` makes its items only when they are needed, so they have no index. Wrap it in "
            "`tuple(…)` first."
        ),
        python=rf"'(?:itertools\.)?((?<=\.)\w+|{'|'.join(ITERATORS)})' object is not subscriptable",
    ),
    RaisedSlip(
        Diagnosis("This {match[1]} has no length, because its items do not exist yet. Wrap it in `tuple(…)` first."),
        python=rf"object of type '({'|'.join(ITERATORS)})' has no len",
    ),
    RaisedSlip(
        Diagnosis("This `{match[1]}` has no length. Which part of it do you want to count?"),
        python=r"object of type '(?!NoneType|Compose)([A-Z]\w+)' has no len",
    ),
    RaisedSlip(
        Diagnosis("You cannot change this value. Make a new one, with another `{match[1]}`."),
        python=r"cannot assign to field '(\w+)'",
    ),
    RaisedSlip(
        Diagnosis("A {match[1]} cannot be an item of a set or a key of a dictionary. Use a tuple."),
        python="unhashable type: '(list|dict|set)'",
    ),
    RaisedSlip(
        Diagnosis("The dictionary has no key `{message}`. Print its keys, or use `.get(…)`."),
        error="KeyError",
    ),
    RaisedSlip(
        Diagnosis(
            "`{match[1]}` of an empty sequence is an error. Choose a result for that case, and pass it as `default=…`."
        ),
        python=r"(min|max)\(\) (?:arg is an empty sequence|iterable argument is empty)",
    ),
    RaisedSlip(
        Diagnosis(
            "The function calls `input` too often: this call has no more lines to read. If a call has no "
            "lines at all, use the parameters, not `input`."
        ),
        error="EOFError",
    ),
    RaisedSlip(
        Diagnosis(
            "The function makes more random choices than the statement says. If there is only one option, do "
            "not choose at random."
        ),
        error="OutOfChance",
    ),
)
