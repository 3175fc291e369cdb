"""The allow-list for plain answers. Anything else might inspect a function.

This module has only lists, and `plain.py` reads them. Before you add a name, consider its value for any object:
`tests/test_plain.py` searches everything that can be reached from these names.
"""

from __future__ import annotations

import ast
import builtins
import types
from abc import ABCMeta
from collections.abc import Iterator, Mapping
from importlib import import_module

from course.form.given import word_set


def is_error(thing: object) -> bool:
    """Return whether an object is an exception class."""
    return isinstance(thing, type) and issubclass(thing, BaseException)


# Some uses of `getattr`, `hasattr` and `type` are plain. `plain.py` decides which ones.
PLAIN_BUILTINS = frozenset(name for name, thing in vars(builtins).items() if is_error(thing)) | word_set("""
    Ellipsis NotImplemented abs all any ascii bin bool bytes callable chr complex dict display divmod enumerate exit
    filter float format frozenset get_ipython hash hex input int isinstance issubclass iter len list map max min next
    object oct ord pow print quit range repr reversed round set slice sorted str sum tuple zip
""")
REFUSED_BUILTINS = frozenset(name for name in dir(builtins) if name[:1] != "_") - PLAIN_BUILTINS

# Nodes of the syntax tree: no coroutines, no `with`, no `except*`, no type parameters. `plain.py` decides which classes
# are plain: many library functions read attributes of their arguments by name.
PLAIN_NODES = frozenset(
    getattr(ast, name)
    for name in word_set("""
    AnnAssign Assert Assign Attribute AugAssign BinOp BoolOp Break Call ClassDef Compare Constant Continue Delete Dict
    DictComp ExceptHandler Expr For FormattedValue FunctionDef GeneratorExp Global If IfExp Import ImportFrom JoinedStr
    Lambda List ListComp Match MatchAs MatchClass MatchMapping MatchOr MatchSequence MatchSingleton MatchStar MatchValue
    Module Name NamedExpr Nonlocal Pass Raise Return Set SetComp Slice Starred Subscript Try Tuple UnaryOp
    While Yield YieldFrom alias arg arguments comprehension keyword match_case
""")
).union(*(kind.__subclasses__() for kind in (ast.boolop, ast.cmpop, ast.operator, ast.unaryop)))

# Attributes of standard-library types. `format` is missing, because `"{0.__code__}".format(f)` reads any attribute.
# `args` and `copy` are missing, because they can return `type` itself, which can make classes: the `args` of a
# `KeyError` contain the key, and `Counter.copy(int)` returns the class of `int`. `plain.py` accepts some calls of
# `format` and `copy`.
PLAIN_ATTRIBUTES = word_set("""
    __contains__ __eq__ __getitem__ __len__ __name__
    capitalize casefold center count endswith expandtabs find index isalnum isalpha isascii isdecimal isdigit
    isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition
    removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip
    swapcase title translate upper zfill
    append clear extend insert pop remove reverse sort
    fromkeys get items keys popitem setdefault update values
    add difference difference_update discard intersection intersection_update isdisjoint issubset issuperset
    symmetric_difference symmetric_difference_update union
    bit_count bit_length conjugate denominator imag is_integer numerator real
    name value _asdict _fields _make _replace
    appendleft cache_clear cache_info elements extendleft from_iterable most_common popleft rotate subtract total
    choice choices randint random randrange sample shuffle
""")

# Modules that may be imported. None of them reads an attribute by a computed name, makes a class, evaluates a text, or
# contains another module. `deepcopy` is missing, because its memo sets attributes by name.
PLAIN_MODULES: Mapping[str, frozenset[str]] = {
    "__future__": word_set("annotations"),
    "bisect": word_set("bisect bisect_left bisect_right insort insort_left insort_right"),
    "cmath": word_set("cos e exp inf isclose log log10 nan phase pi polar rect sin sqrt tan tau"),
    "collections": word_set("Counter OrderedDict defaultdict deque"),
    "collections.abc": word_set("""
        Callable Collection Container Generator Hashable Iterable Iterator Mapping MutableMapping MutableSequence
        MutableSet Reversible Sequence Set Sized
    """),
    "copy": word_set("copy"),
    "course.check": word_set("borrow call_map catch certificate check example hint predict progress solution"),
    "course.effects": word_set("choose random_below shuffle_list transcript"),
    "course.functional": word_set("compose curry fold_left fold_right identity recur tail_recursive"),
    "course.values": word_set("TODO"),
    "dataclasses": word_set("asdict astuple replace"),
    "enum": word_set("unique"),
    "fractions": word_set("Fraction"),
    "functools": word_set("cache cmp_to_key lru_cache partial reduce"),
    "heapq": word_set("heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"),
    "itertools": word_set("""
        accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse
        groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest
    """),
    "math": word_set("""
        acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 expm1
        fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma
        log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt sumprod tan tanh tau
        trunc ulp
    """),
    "operator": word_set("""
        add and_ concat contains countOf eq floordiv ge getitem gt indexOf invert is_ is_not itemgetter le lt
        mod mul ne neg not_ or_ pos pow sub truediv truth xor
    """),
    "random": word_set(
        "Random betavariate choice choices gauss randint random randrange sample seed shuffle triangular uniform"
    ),
    "string": word_set("ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace"),
    "toolz": word_set("""
        accumulate assoc assoc_in comp complement compose compose_left concat concatv cons count countby curry dissoc do
        drop filter first flip frequencies get get_in groupby identity interleave interpose isdistinct isiterable
        itemfilter itemmap iterate join juxt keyfilter keymap last map mapcat merge merge_sorted merge_with nth partial
        partition partition_all partitionby peek pipe pluck reduce reduceby remove second sliding_window sorted tail
        take take_nth thread_first thread_last topk unique update_in valfilter valmap
    """),
    "typing": word_set("""
        Any Callable Collection Container Counter DefaultDict Deque Dict Final FrozenSet Generator Hashable Iterable
        Iterator List Literal Mapping MutableMapping MutableSequence Never NoReturn Optional Sequence Set Tuple
        TypeAlias TypeVar Union cast
    """),
}

# Names that only some uses of are plain, by their modules. `plain.py` decides which ones.
SPARING_IMPORTS: Mapping[str, frozenset[str]] = {
    "copy": word_set("deepcopy"),
    "dataclasses": word_set("dataclass"),
}


# Attributes of frames, generators, code objects and similar objects. They are never plain, even if a unit's type has
# them.
_INSPECTED = (*vars(types).values(), str, property, ABCMeta, BaseException)
INTERNALS = frozenset(name for kind in _INSPECTED if isinstance(kind, type) for name in dir(kind)) - PLAIN_ATTRIBUTES


def _kinds() -> Iterator[type]:
    """Yield the library's types whose attributes may lead to code, or are read of any argument by name."""
    theirs = (name for name in (*PLAIN_MODULES, *SPARING_IMPORTS, "toolz.functoolz") if name.split(".")[0] != "course")
    modules = (builtins, *map(import_module, theirs))
    for thing in {thing for module in modules for thing in vars(module).values() if isinstance(thing, type)}:
        if thing not in (int, float, complex, bool, range, slice) and not is_error(thing):
            yield thing


# Attributes that a learner's own class must not have. Of an AttributeError, `obj` is the object without the attribute.
DENIED = INTERNALS.union({"obj"}, *map(dir, _kinds())) - PLAIN_ATTRIBUTES
