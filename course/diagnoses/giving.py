"""What lies behind a wrong value: nothing given back, the wrong kind of thing, and slips that Python does not mind."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from course.diagnoses.evidence import Diagnosis, Evidence, arguments, body_of, called, code, own_nodes, parsed
from course.diagnoses.raising import PROMISES, captured, changed_in_place, function_behind
from course.failure import GAVE, PRINTED, OtherKind, Sort
from course.form.given import members_of
from course.form.reading import FUNCTIONS, MUTATORS
from course.values import STUDENT_FUNCTION

MAKERS = ("map", "filter", "zip", "reversed", "iter", "enumerate")
PURE = ("sorted", "replace", "tuple", "reversed", "map", "filter", "len", "sum", "recur", "fold_left", "fold_right")


# ------------------------------------------------------------------------------------------------ nothing given back


def prints_instead(e: Evidence) -> Diagnosis | None:
    """Tell of an answer that is printed and not given back."""
    prints = [node for node in e.all(ast.Call) if called(node) == "print"]
    if not prints or not e.prints or not e.gave_none:
        return None
    says = (
        f"It prints its answer, in line {prints[-1].lineno}, but gives nothing back. Write `return` in "
        f"place of `print`."
    )
    return Diagnosis(says)


def changes_and_gives_none(e: Evidence) -> Diagnosis | None:
    """Tell of what `append` and its like give."""
    if not e.gave_none:
        return None
    for node in e.all(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
            kept = e.parents.get(node)
            if isinstance(kept, (ast.Return, ast.Assign, ast.NamedExpr, ast.IfExp)):
                return changed_in_place(node.func.attr, node.lineno)
    return None


def drops_its_value(e: Evidence) -> Diagnosis | None:
    """Tell of the line whose value was to be the answer."""
    if e.function is None or not e.gave_none:
        return None
    for statement in _endings(body_of(e.function)):
        if isinstance(statement, ast.Expr) and _is_worth_something(statement.value):
            says = f"Line {statement.lineno} works out a value and drops it. Write `return` in front:"
            return Diagnosis(says, f"return {code(statement.value, 70)}")
        if (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        ):
            name = statement.targets[0].id
            return Diagnosis(
                f"It ends by giving `{name}` a value, and gives nothing back. At the end stands:", f"return {name}"
            )
    return None


def _is_worth_something(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return called(node) != "print" and not (isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS)
    return not (isinstance(node, ast.Constant) and isinstance(node.value, (str, type(...))))


def _endings(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Give the statements that a function may end with."""
    if not body:
        return
    match body[-1]:
        case ast.If(body=one, orelse=other):
            yield from _endings(one)
            yield from _endings(other)
        case ast.Match(cases=cases):
            for case in cases:
                yield from _endings(case.body)
        case last:
            yield last


def inner_not_called(e: Evidence) -> Diagnosis | None:
    """Tell of a function inside that nobody calls."""
    if e.function is None or not e.gave_none:
        return None
    for node in body_of(e.function):
        if isinstance(node, ast.FunctionDef) and not _is_used(e, node):
            wanted = ", ".join("…" for _ in arguments(node))
            return Diagnosis(
                f"`{node.name}` is defined in line {node.lineno}, but nobody calls it. At the end stands:",
                f"return {node.name}({wanted})",
            )
    return None


def _is_used(e: Evidence, function: ast.FunctionDef) -> bool:
    inside = {id(n) for n in ast.walk(function)}
    return any(n.id == function.name and id(n) not in inside for n in e.all(ast.Name))


def ways_without_return(e: Evidence) -> Diagnosis | None:
    """Tell of ways through the function at whose end nothing is given."""
    if e.function is None or not e.gave_none:
        return None
    returns = [n for n in own_nodes(e.function) if isinstance(n, ast.Return)]
    if empty := next((n for n in returns if n.value is None), None):
        return Diagnosis(f"The `return` in line {empty.lineno} gives nothing: what is the answer there?")
    if not returns or any(isinstance(n.value, ast.Constant) and n.value.value is None for n in returns):
        return None if returns else Diagnosis("It gives nothing back: its answer belongs behind a `return`.")
    for node in own_nodes(e.function):
        if isinstance(node, ast.Match) and not any(_fits_all(case) for case in node.cases) and _falls_out(e, node):
            says = f"None of the cases of line {node.lineno} fits here, and so nothing is given. Which one is missing?"
            return Diagnosis(says, "case _:\n    return …")
        if isinstance(node, ast.If) and not node.orelse and _falls_out(e, node):
            return Diagnosis(f"If what line {node.lineno} asks is not so, nothing is given. What is the answer then?")
    return None


def _fits_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _falls_out(e: Evidence, node: ast.stmt) -> bool:
    """Tell whether the function ends behind a statement."""
    assert e.function
    return node is body_of(e.function)[-1] or any(
        isinstance(outer, (ast.If, ast.Match)) and outer is body_of(e.function)[-1] for outer in e.above(node)
    )


# ------------------------------------------------------------------------------------------------ the wrong kind


def promise(e: Evidence) -> Diagnosis | None:
    """Tell of a generator, a map or a filter in the place of a tuple."""
    found = re.match(r"<(\w+) object>", e.failure.seen or "") if e.failure.did == GAVE else None
    if found and found[1] in PROMISES:
        says = f"It gives a {found[1]}, which is only a promise of items. Write `tuple(…)` around it."
        return Diagnosis(says)
    return None


def trampoline(e: Evidence) -> Diagnosis | None:
    """Tell of `recur` without its trampoline."""
    if e.failure.did == GAVE and (e.failure.seen or "") == "<Recur object>":
        says = (
            "`recur` needs the trampoline: `@tail_recursive` above the `def` that it repeats, and "
            "`return` in front of it."
        )
        return Diagnosis(says)
    return None


def list_for_tuple(e: Evidence) -> Diagnosis | None:
    """Tell of a list in a tuple's place, and where it is made."""
    is_listed = e.failure.did == GAVE and e.failure.wanted is None and (e.failure.seen or "").startswith("[")
    if not is_listed and not _is_list_for_tuple(e.failure.remark):
        return None
    made = next(
        (n for n in _given_back(e) if isinstance(n, (ast.List, ast.ListComp)) or called(n) in ("list", "sorted")), None
    )
    says = "It gives a list, in square brackets, and a tuple is wanted."
    if made is None:
        return Diagnosis(f"{says} Write `tuple(…)` around it.")
    return Diagnosis(f"{says} In place of `{code(made)}`:", _as_tuple(made))


def _is_list_for_tuple(remark: OtherKind | str) -> bool:
    return isinstance(remark, OtherKind) and (remark.wanted, remark.seen) == (Sort.TUPLE, Sort.LIST)


def _as_tuple(node: ast.AST) -> str:
    match node:
        case ast.ListComp(elt=elt, generators=generators):
            return f"tuple({code(ast.GeneratorExp(elt, generators), 80)[1:-1]})"
        case ast.List(elts=[one]) if not isinstance(one, ast.Starred):
            return f"({code(one, 60)},)"
        case ast.Call(func=ast.Name(id="list"), args=[inside]):
            return f"tuple({code(inside, 60)})"
        case ast.List(elts=elts):
            return f"({', '.join(code(each, 40) for each in elts)}{',' if len(elts) == 1 else ''})"
    return f"tuple({code(node, 60)})"


def _given_back(e: Evidence) -> Iterator[ast.AST]:
    for node in e.all(ast.Return):
        if node.value is not None:
            yield from ast.walk(node.value)


def one_for_many(e: Evidence) -> Diagnosis | None:
    """Tell of `(x)`, which is no tuple, and of a tuple too many."""
    seen, wanted = e.failure.seen or "", e.failure.wanted_code
    if e.failure.did != GAVE or not seen:
        return None
    if wanted == f"({seen},)":
        return Diagnosis(
            "A tuple of one thing is wanted, and its comma makes it: `(card,)`. Brackets alone do nothing."
        )
    if seen == f"({wanted},)":
        return Diagnosis(
            "It gives a tuple with the answer in it, where the answer itself is wanted: is there a comma too many?"
        )
    return None


def text_for_value(e: Evidence) -> Diagnosis | None:
    """Tell of a text in the place of a number or a value, or the other way round."""
    seen, wanted = e.failure.seen or "", e.failure.wanted_code
    if e.failure.did == GAVE and wanted and seen == repr(wanted):
        return Diagnosis(f"It gives a text, in quotes, and `{wanted}` itself is wanted.")
    if e.failure.did == GAVE and wanted and wanted == repr(seen):
        return Diagnosis("A text is wanted, in quotes: `str(…)` makes one.")
    return None


def falsy_value(e: Evidence) -> Diagnosis | None:
    """Tell of `least or None`, which takes 0 for nothing."""
    if e.failure.did != GAVE or e.failure.seen != "None" or e.failure.wanted not in ("0", "()", "''"):
        return None
    for node in e.all(ast.IfExp, ast.If, ast.BoolOp):
        if asked := _asked_and_given(node):
            says = (
                f"Line {node.lineno} asks if `{asked}` is true, and `{e.failure.wanted}` is not. Ask if there is any:"
            )
            return Diagnosis(says, f"{asked} if {asked} is not None else …")
    return None


def _asked_and_given(node: ast.AST) -> str:
    """Give what is the answer if it is true, "" if a node is no such question."""
    match node:
        case ast.IfExp(test=ast.NamedExpr(target=ast.Name(id=name)), body=ast.Name(id=same)) if name == same:
            return name
        case ast.IfExp(test=ast.Name(id=name), body=ast.Name(id=same)) if name == same:
            return name
        case ast.If(test=ast.Name(id=name), body=[ast.Return(value=ast.Name(id=same))]) if name == same:
            return name
        case ast.BoolOp(op=ast.Or(), values=[value, ast.Constant(value=None)]):
            return code(value, 24)
    return ""


def function_for_value(e: Evidence) -> Diagnosis | None:
    """Tell of a function that was given back and not called."""
    seen = e.failure.seen or ""
    is_class = isinstance(e.given.types.get(seen), type)
    if e.failure.did != GAVE or not (is_class or seen == STUDENT_FUNCTION or seen in e.given.functions):
        return None
    if e.failure.wanted_code in e.given.functions or STUDENT_FUNCTION in e.failure.wanted_code:
        return None
    if isinstance(e.given.types.get(seen), type):
        return Diagnosis(f"`{seen}` is the class. The value is made by a call: `{seen}()`.")
    return Diagnosis("It gives a function, and what that gives is wanted: call it, with its arguments in brackets.")


def same_things_otherwise(e: Evidence) -> Diagnosis | None:
    """Tell of the right things in another order."""
    if e.failure.did != GAVE or e.failure.remark:
        return None
    try:
        seen, wanted = (ast.parse(part, mode="eval").body for part in (e.failure.seen or "", e.failure.wanted_code))
    except SyntaxError:
        return None
    if not isinstance(seen, ast.Tuple) or not isinstance(wanted, ast.Tuple):
        return None
    one, other = [ast.unparse(part) for part in seen.elts], [ast.unparse(part) for part in wanted.elts]
    if one == other or Counter(one) != Counter(other):
        return None
    if len(one) == 2:
        return Diagnosis("Both parts are right, but the other way round.")
    return Diagnosis("These are the right things " + ("in reverse." if one == other[::-1] else "in another order."))


def blanks_or_capitals(e: Evidence) -> Diagnosis | None:
    """Tell of texts that differ only in what is hard to see."""
    seen, wanted = (_text(e, part) for part in (e.failure.seen or "", e.failure.wanted_code))
    if not seen or not wanted or seen == wanted:
        return None
    if "".join(seen.split()) == "".join(wanted.split()):
        signs = ": `·` stands for a blank, `→` for a tab (`\\t`)" if e.failure.did == PRINTED else ""
        return Diagnosis(f"Only blanks, tabs and line breaks differ{signs}.")
    if seen.lower() == wanted.lower():
        return Diagnosis("Only capital letters differ.")
    return None


def _text(e: Evidence, part: str) -> str:
    """Give what was printed, or the text that a given value is, "" if it is none."""
    if e.failure.did == PRINTED:
        return part
    match parsed(part).body:
        case [ast.Expr(ast.Constant(value=str(text)))] if e.failure.did == GAVE:
            return text
    return ""


# ------------------------------------------------------------------------------------------------ slips in the text


def early_return(e: Evidence) -> Diagnosis | None:
    """Tell of a loop that ends in its first turn."""
    for node in e.all(ast.For, ast.While):
        last = node.body[-1]
        if isinstance(last, ast.Return) and not any(isinstance(n, ast.Continue) for n in ast.walk(node)):
            says = (
                f"The `return` in line {last.lineno} stands in the loop, so the first turn is the last: "
                f"move it to the left."
            )
            return Diagnosis(says)
        if (
            isinstance(last, ast.If)
            and last.orelse
            and all(isinstance(part[-1], ast.Return) for part in (last.body, last.orelse))
        ):
            says = (
                f"Both ways of the `if` in line {last.lineno} return, so the loop ends in its first turn. "
                f"Which `return` belongs behind it?"
            )
            return Diagnosis(says)
    return None


def identity(e: Evidence) -> Diagnosis | None:
    """Tell of `is` where values are compared."""
    for node in e.all(ast.Compare):
        sides = [node.left, *node.comparators]
        for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
            if isinstance(op, (ast.Is, ast.IsNot)) and any(map(_is_made_anew, (left, right))):
                sign = "==" if isinstance(op, ast.Is) else "!="
                says = (
                    f"`is`, in line {node.lineno}, asks if two things are one and the same. To ask if they are "
                    f"equal, write `{sign}`."
                )
                return Diagnosis(says)
    return None


def _is_made_anew(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, (int, str, float)) and not isinstance(value, bool)
        case ast.Tuple(elts=[]):
            return False
        case ast.List() | ast.Tuple() | ast.JoinedStr() | ast.BinOp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name[:1].isupper()
    return False


def always_true(e: Evidence) -> Diagnosis | None:
    """Tell of `suit == HEARTS or DIAMONDS`."""
    for node in e.all(ast.BoolOp):
        first, others = node.values[0], node.values[1:]
        bare = next((part for part in others if _is_fixed(part, e)), None)
        match first:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.Is()], comparators=[right]) if (
                bare is not None and not _is_fixed(left, e)
            ):
                word = "or" if isinstance(node.op, ast.Or) else "and"
                says = f"In line {node.lineno}, `{code(bare)}` behind `{word}` is not compared with anything. Write:"
                return Diagnosis(says, f"{code(left)} in ({code(right)}, {code(bare)})")
    return None


def _is_fixed(node: ast.expr, e: Evidence) -> bool:
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, bool) and value is not None
        case ast.Name(id=name):
            return name in e.given.values
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            return isinstance(e.given.types.get(name), type) and attr.isupper()
    return False


def bits_for_words(e: Evidence) -> Diagnosis | None:
    """Tell of `&` and `|` between conditions."""
    for node in e.all(ast.BinOp):
        if isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            around = [node.left, node.right, e.parents.get(node)]
            if any(isinstance(part, ast.Compare) for part in around) and not _is_in_pattern_or_type(e, node):
                sign, word = ("&", "and") if isinstance(node.op, ast.BitAnd) else ("|", "or")
                says = f"`{sign}`, in line {node.lineno}, reckons with bits. Between conditions stands `{word}`."
                return Diagnosis(says)
    return None


def _is_in_pattern_or_type(e: Evidence, node: ast.AST) -> bool:
    """Tell whether sets are joined: `a in b | c`."""
    outer = e.parents.get(node)
    return isinstance(outer, ast.Compare) and all(
        isinstance(op, (ast.In, ast.NotIn, ast.LtE, ast.GtE)) for op in outer.ops
    )


def compared_and_dropped(e: Evidence) -> Diagnosis | None:
    """Tell of `==` where a value was to be given."""
    for node in e.all(ast.Expr):
        match node.value:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()]) if isinstance(e.parents.get(node), ast.AST):
                return Diagnosis(
                    f"Line {node.lineno} compares, and drops the answer. To give `{name}` a value, write one `=`."
                )
    return None


def pure_and_dropped(e: Evidence) -> Diagnosis | None:
    """Tell of a value that is worked out and left lying."""
    for node in e.all(ast.Expr):
        name = called(node.value)
        if name == "recur":
            return Diagnosis(f"`recur`, in line {node.lineno}, only says what to call next: write `return recur(…)`.")
        if isinstance(node.value, ast.Call) and e.parents.get(node) is not None and _is_pure(e, name):
            return Diagnosis(
                f"Line {node.lineno} works out a value and drops it: nothing is changed by that. "
                "Give it a name, or `return` it."
            )
    return None


def _is_pure(e: Evidence, name: str) -> bool:
    """Tell whether a function is called for its value only; one that is given may print as well."""
    return name in PURE and name not in e.functions and name not in e.parameters


def mutable_default(e: Evidence) -> Diagnosis | None:
    """Tell of a list that is a parameter's default."""
    for node in e.all(*FUNCTIONS):
        for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            if isinstance(default, (ast.List, ast.Dict, ast.Set)) or called(default) in ("list", "dict", "set"):
                says = (
                    f"The `{code(default)}` in line {default.lineno} is made once, and kept from call to call: "
                    f"what one call puts in, the next one finds."
                )
                return Diagnosis(says)
    return None


def bare_capture(e: Evidence) -> Diagnosis | None:
    """Tell of a given name in a pattern."""
    for node in e.all(ast.MatchAs):
        if node.pattern is None and node.name and (node.name in e.given.values or _is_class(e, node.name)):
            return captured(node.name, node.lineno, e)
        if node.pattern is None and node.name in e.parameters and isinstance(e.parents.get(node), ast.MatchClass):
            return captured(node.name, node.lineno, e)
    return None


def _is_class(e: Evidence, name: str) -> bool:
    return name in e.given.names and isinstance(e.given.types.get(name), type)


def spent_promise(e: Evidence) -> Diagnosis | None:
    """Tell of a promise of items that is asked for them twice."""
    for node in e.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                isinstance(value, ast.GeneratorExp) or called(value) in MAKERS
            ):
                reads = [n for n in e.all(ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
                if len(reads) > 1 and not any(called(e.parents.get(n)) == "next" for n in reads):
                    says = (
                        f"`{name}`, in line {node.lineno}, gives its items only once, and is asked again in "
                        f"line {reads[1].lineno}. Write `tuple(…)` around it."
                    )
                    return Diagnosis(says)
    return None


def forgotten_parameter(e: Evidence) -> Diagnosis | None:
    """Tell of a parameter that gets another value before anybody has looked at it."""
    if e.function is None or not body_of(e.function):
        return None
    match body_of(e.function)[0]:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) as first if name in e.parameters:
            if not any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
                return Diagnosis(
                    f"Line {first.lineno} gives `{name}` another value, so what the function was called with is lost."
                )
    return None


def quoted_name(e: Evidence) -> Diagnosis | None:
    """Tell of a given name that was written as a text."""
    for node in e.all(ast.Compare):
        for side in [node.left, *node.comparators]:
            if isinstance(side, ast.Constant) and isinstance(side.value, str) and side.value in e.given.values:
                return Diagnosis(
                    f"In line {node.lineno}, `{side.value!r}` is a text, and never equal to `{side.value}`: write "
                    f"it without quotes."
                )
    return None


def function_as_condition(e: Evidence) -> Diagnosis | None:
    """Tell of a function that stands where a condition should."""
    for node in e.all(ast.If, ast.IfExp, ast.While, ast.comprehension):
        for test in node.ifs if isinstance(node, ast.comprehension) else [node.test]:
            parts = (
                test.values
                if isinstance(test, ast.BoolOp)
                else [test.operand]
                if isinstance(test, ast.UnaryOp)
                else [test]
            )
            for part in parts:
                if isinstance(part, ast.Name) and part.id in e.given.functions and part.id not in e.parameters:
                    return Diagnosis(
                        f"In line {part.lineno}, `{part.id}` is not called, and a function is always "
                        f"true: `{part.id}(…)`."
                    )
    return None


def unlike_kinds(e: Evidence) -> Diagnosis | None:
    """Tell of a part that is compared with a text it can never be."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                left=ast.Attribute(attr=attr), ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value=str(text))]
            ):
                kinds = members_of(e.given.fields.get(attr))
                if e.given.fields.get(attr) is not None and kinds <= {int, float, bool}:
                    return Diagnosis(
                        f"In line {node.lineno}, `.{attr}` is a number, and never equal to a text: write "
                        f"`{text}` without quotes."
                        if text.isdigit()
                        else f"In line {node.lineno}, `.{attr}` is a number, and never equal to the text `{text!r}`."
                    )
    return None


def ignores_its_argument(e: Evidence) -> Diagnosis | None:
    """Tell of a parameter that an answer never looks at."""
    if e.function is None or e.failure.did != GAVE:
        return None
    loaded = {n.id for n in e.nodes if isinstance(n, ast.Name)}
    unread = [name for name in e.parameters if name not in loaded and not name.startswith("_")]
    if unread and len(unread) == len(e.parameters):
        return Diagnosis(
            f"It never looks at {' or '.join(f'`{name}`' for name in unread)}, so it gives the same for everything."
        )
    return None


def gives_back_its_argument(e: Evidence) -> Diagnosis | None:
    """Tell of an answer that is what it was given."""
    if e.function is None or e.failure.did != GAVE:
        return None
    body = body_of(e.function)
    match body:
        case [ast.Return(value=ast.Name(id=name))] if name in e.parameters:
            return Diagnosis(f"It gives `{name}` back just as it came.")
    return None


def bare_parts(e: Evidence) -> Diagnosis | None:
    """Tell of a tuple of a value's parts, where the value was wanted."""
    if e.failure.did != GAVE:
        return None
    seen, wanted = (parsed(text).body for text in (e.failure.seen or "", e.failure.wanted_code))
    match seen, wanted:
        case [ast.Expr(ast.Tuple(elts=parts))], [ast.Expr(ast.Call(func=ast.Name(id=name), args=args))] if parts:
            if len(parts) == len(args) and name in e.given.types:
                says = f"It gives a tuple of the parts, and a `{name}` is wanted: write its name in front."
                return Diagnosis(says, f"{name}({', '.join('…' for _ in parts)})")
    return None


GIVING = (
    function_behind,
    prints_instead,
    changes_and_gives_none,
    inner_not_called,
    drops_its_value,
    promise,
    trampoline,
    list_for_tuple,
    one_for_many,
    text_for_value,
    bare_parts,
)
# Of these the text of the answer alone tells: none may ever speak of a right one.
WRITTEN = (
    bare_capture,
    always_true,
    bits_for_words,
    quoted_name,
    unlike_kinds,
    identity,
    compared_and_dropped,
    pure_and_dropped,
    early_return,
    spent_promise,
    forgotten_parameter,
    mutable_default,
    function_as_condition,
)
LAST = (
    falsy_value,
    function_for_value,
    ways_without_return,
    blanks_or_capitals,
    same_things_otherwise,
    ignores_its_argument,
    gives_back_its_argument,
)
