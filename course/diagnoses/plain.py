"""Advice for a wrong value when no diagnosis matches: how the value is wrong, and where to look."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.differing import difference_sentence
from course.diagnoses.evidence import LONGEST_CODE, Diagnosis, Evidence, called, code, own_nodes, positional_parameters
from course.diagnoses.failure import CALLED, CHANGED, GAVE, OTHER, PRINTED, RAISED, ToBeRaised
from course.diagnoses.kinds import is_own_parameter
from course.diagnoses.passing import raised_by_a_call
from course.form.reading import Function
from course.syntax import expression_of

TWO_FOLDS = ("fold_left", "fold_right")
MOST_PARAMETERS = 4


def wrong_value(e: Evidence) -> Iterator[Diagnosis]:
    """Return how a value is wrong, and in which lines to look for the mistake."""
    if e.failure.did != GAVE or e.failure.seen is None:
        return
    if isinstance(e.failure.wanted, ToBeRaised):
        kind = e.failure.wanted.kind
        yield Diagnosis(f"This call has no right answer. Test for it first, and `raise {kind}(…)`.")
    observed, right, before = _without_text(e.failure.seen, e.failure.wanted_code)
    what = difference_sentence(e.failure.call, observed, right, e.given)
    if isinstance(expression_of(e.failure.call), ast.Compare) and {observed, right} == {"True", "False"}:
        what = f"The comparison in this call is {observed}, but it should be {right}."
    yield Diagnosis(" ".join(filter(None, [before, what, where_to_look(e)])))


def _without_text(observed: str, wanted: str) -> tuple[str, str, str]:
    """Compare two pairs of a value and its printed text.

    Return the part that is wrong, the right version of it, and a sentence that the other part is right. For values that
    are not such pairs, return both values and "".
    """
    match expression_of(observed), expression_of(wanted):
        case (
            ast.Tuple(elts=[one, ast.Constant(value=str(text))]),
            ast.Tuple(elts=[other, ast.Constant(value=str(right))]),
        ):
            if text == right:
                return ast.unparse(one), ast.unparse(other), "The printed text is right."
            if ast.dump(one) == ast.dump(other):
                return repr(text), repr(right), "The returned value is right."
    return observed, wanted, ""


def other_calls(e: Evidence) -> Iterator[Diagnosis]:
    """Detect wrong calls of the functions in the arguments."""
    if e.failure.did == CALLED:
        yield Diagnosis(f"The result is right, but the calls of its function arguments are wrong. {where_to_look(e)}")


def other_arguments(e: Evidence) -> Iterator[Diagnosis]:
    """Detect arguments that are wrong after the call."""
    if e.failure.did != CHANGED:
        return
    if e.failure.wanted_code and e.failure.wanted_code in e.failure.call:
        yield Diagnosis("The function changes its argument, which must stay as it is. Make a new value, or copy it.")
    elif not e.failure.seen or e.failure.seen in e.failure.call:
        yield Diagnosis(
            "The function has to change its argument in place. Assigning a new value to its name is not enough."
        )
    elif where := where_to_look(e):
        yield Diagnosis(where)


def other_text(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a wrong line of output."""
    if e.failure.did != PRINTED:
        return
    rows = sorted({node.lineno for node in e.all(ast.Call) if called(node) in ("print", "input")})
    where = (
        f"Line{'s' * (len(rows) > 1)} {_listed(rows, 'and')} print{'s' * (len(rows) == 1)} the text." if rows else ""
    )
    if e.failure.wanted is None:
        what = "The function prints too much."
    elif e.failure.seen is None:
        what = "The function stops printing too early."
    elif not e.failure.seen and e.failure.row == 1:
        what = "The function prints nothing, but this line is expected."
    else:
        what = "The lines before are right." if e.failure.row > 1 else "The first line is wrong."
    yield Diagnosis(f"{what} {where}".strip())


def broken_off(e: Evidence) -> Iterator[Diagnosis]:
    """Return where to look if a call returned no value, but the learner's lines raised no exception."""
    is_lost = e.failure.did == OTHER or (e.failure.did == RAISED and not e.failure.line)
    if is_lost and e.failure.call and where_to_look(e):
        yield Diagnosis(where_to_look(e))


def raised_somewhere(e: Evidence) -> Iterator[Diagnosis]:
    """Return advice to look at the line that raised the exception."""
    if e.failure.did == RAISED and e.failure.line:
        yield Diagnosis(f"Which value does each name on line {e.failure.line} have for this call? Print them there.")


# ------------------------------------------------------------------------------------------------ where to look


def where_to_look(e: Evidence) -> str:
    """Return which lines decide the result, and how to find the wrong one."""
    if e.function is None:
        row = next((top.lineno for top in e.tops), 0)
        return f"Work through line {row} by hand for this call." if row else ""
    ways = [node for node in own_nodes(e.function) if isinstance(node, ast.Return) and node.value]
    observed = e.failure.seen or "" if _calls_itself_only(e) else ""
    rows = sorted({node.lineno for node in ways if _may_give(e, node.value, observed)})
    if len(ways) > 1 and len(rows) == 1:
        return f"Line {rows[0]} returns this answer. Is it the right line?"
    if len(ways) > 1 and len(rows) == 2:
        return f"Which line returns this answer, {rows[0]} or {rows[1]}? Is it the right one?"
    if step := next(_steps(e), ""):
        return step
    if rows[1:]:
        return _which_case(e.function)
    if len(rows) == 1 and any(isinstance(node.value, ast.IfExp) for node in ways):
        return f"Which side of the `if` on line {rows[0]} is used here? Is it the right one?"
    return f"Work through line {rows[0]} by hand for this call." if rows else "Work through this call by hand."


def _which_case(function: Function | ast.Lambda) -> str:
    """Return advice for a function with many cases: to begin with the first."""
    for node in own_nodes(function):
        if isinstance(node, ast.Match):
            subject = code(node.subject)
            return f"What is `{subject}` on line {node.lineno} for this call? Which `case` is the first that fits it?"
        if isinstance(node, ast.If):
            return f"Is the condition on line {node.lineno} true for this call? If not, go on to the next one."
    return "Work through this call by hand."


def _calls_itself_only(e: Evidence) -> bool:
    """Return whether the failed call calls only the answer, so that a line of the answer caused the result."""
    node = expression_of(e.failure.call)
    while isinstance(node, ast.Call):
        node = node.func
    return isinstance(node, ast.Name) and node.id == e.requirements.name


def _may_give(e: Evidence, node: ast.expr | None, observed: str) -> bool:
    """Return whether an expression may have this value.

    A constant has only one value, a parameter that of its argument, and a call of a class makes a value of that class.
    """
    value = expression_of(observed)
    match node, value:
        case _, None:
            return True
        case ast.Constant(), ast.Constant():
            return code(node) == code(value)
        case ast.Name(id=name), _ if argument := _argument(e, name):
            return code(argument, LONGEST_CODE) == code(value, LONGEST_CODE)
        case ast.Call(func=ast.Name(id=one)), ast.Call(func=ast.Name(id=other)) if one in e.given.types:
            return one == other
    return True


def _argument(e: Evidence, name: str) -> ast.expr | None:
    """Return what the failed call passes for a parameter, or None if that is unknown."""
    call = expression_of(e.failure.call)
    if not is_own_parameter(e, name) or not isinstance(call, ast.Call) or code(call.func) != e.requirements.name:
        return None
    index = e.parameters.index(name)
    argument = call.args[index] if index < len(call.args) else None
    return argument if isinstance(argument, ast.Tuple | ast.Constant) else None


def _steps(e: Evidence) -> Iterator[str]:
    """Yield advice on what to write down for each step of the first loop, fold or recursion."""
    for node in ast.walk(e.function or ast.Module([], [])):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[step, start, _]) if name in TWO_FOLDS:
                detail = _accumulator_in(e, name, step)
                yield f"Do the fold by hand. It begins with `{code(start, 24)}`. What {detail} each item?"
            case ast.For(target=target) | ast.AsyncFor(target=target):
                yield f"Go through the loop on line {node.lineno} by hand. What is the result of each `{code(target)}`?"
            case ast.While() if names := _assigned_by(node):
                yield f"Go through the loop on line {node.lineno} by hand. What is {names} after each round?"
            case ast.FunctionDef() if names := _repeated(node):
                yield f"Write down the arguments of each call of `{node.name}`: {names}."
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                what = code(node.generators[0].target)
                detail = "Which ones pass the condition? " if any(part.ifs for part in node.generators) else ""
                yield f"Go through line {node.lineno} by hand, for each `{what}`. {detail}What is the result for each?"
            case ast.Call(func=ast.Name(id="filter" | "map" as name), args=[_, _]):
                yield f"Go through the `{name}` on line {node.lineno} by hand, item by item."


def _assigned_by(loop: ast.While) -> str:
    """Return the names that a loop assigns, or ""."""
    nodes = [node for part in loop.body for node in ast.walk(part)]
    names = dict.fromkeys(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return ", ".join(f"`{name}`" for name in [*names][:MOST_PARAMETERS])


def _accumulator_in(e: Evidence, name: str, step: ast.expr) -> str:
    """Return the name of the parameter that holds a fold's result so far."""
    function = step if isinstance(step, ast.Lambda) else e.functions.get(code(step))
    names = [arg.arg for arg in positional_parameters(function)] if function else []
    parameter = names[-1:] if name == "fold_right" else names[:1]
    return f"is `{parameter[0]}` after" if parameter else "is the result after"


def _repeated(function: ast.FunctionDef) -> str:
    """Return the parameters of a recursive function, or "" if it is not recursive."""
    again = any(called(node) == "recur" for node in own_nodes(function))
    again |= any(called(node) == function.name for node in ast.walk(function))
    return ", ".join(f"`{arg.arg}`" for arg in positional_parameters(function)[:MOST_PARAMETERS]) if again else ""


def _listed(rows: list[int], last: str) -> str:
    return " ".join(filter(None, [", ".join(map(str, rows[:-1])), last if rows[1:] else "", str(rows[-1])]))


# None of these knows the mistake. They come last, and say where to look for it.
WHERE_TO_LOOK = (
    wrong_value,
    other_calls,
    other_arguments,
    other_text,
    broken_off,
    raised_by_a_call,
    raised_somewhere,
)
