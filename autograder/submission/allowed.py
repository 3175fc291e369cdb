"""The allow-list for plain answers. Anything else might inspect a function.

This module has only lists, and `plain.py` reads them. Before you add a name, consider its value for any object:
`tests/test_plain.py` searches everything that can be reached from these names.
"""

from __future__ import annotations

import ast
import builtins
import types
from abc import ABCMeta
from collections.abc import Mapping

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

# Nodes of the syntax tree: no coroutines, no `with`, no `except*`. There are no classes and types either, because many
# library functions read attributes of their arguments by name, and a learner's object could have any attribute.
PLAIN_NODES = frozenset(
    getattr(ast, name)
    for name in word_set("""
    AnnAssign Assert Assign Attribute AugAssign BinOp BoolOp Break Call Compare Constant Continue Delete Dict
    DictComp ExceptHandler Expr For FormattedValue FunctionDef GeneratorExp Global If IfExp Import ImportFrom JoinedStr
    Lambda List ListComp Match MatchAs MatchClass MatchMapping MatchOr MatchSequence MatchSingleton MatchStar MatchValue
    Module Name NamedExpr Nonlocal Pass Raise Return Set SetComp Slice Starred Subscript Try Tuple UnaryOp
    While Yield YieldFrom alias arg arguments comprehension keyword match_case
""")
).union(*(kind.__subclasses__() for kind in (ast.boolop, ast.cmpop, ast.operator, ast.unaryop)))

# Attributes of standard-library types. `format` is missing, because `"{0.__code__}".format(f)` reads any attribute.
# `args` and `copy` are missing, because they can return `type` itself, which can make classes: the `args` of a
# `KeyError` contain the key, and `Counter.copy(int)` returns the class of `int`.
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
    bit_count bit_length is_integer
    name value _asdict _fields _make _replace
    appendleft cache_clear cache_info elements extendleft from_iterable most_common popleft rotate subtract total
    choice choices randint random randrange sample shuffle
""")

# Attributes of frames, generators, code objects and similar objects. They are never plain, even if a unit's type has
# them.
_INSPECTED = (*vars(types).values(), str, property, ABCMeta, BaseException)
INTERNALS = frozenset(name for kind in _INSPECTED if isinstance(kind, type) for name in dir(kind)) - PLAIN_ATTRIBUTES

# Modules that may be imported. None of them reads an attribute by a computed name, makes a class, evaluates a text, or
# contains another module. `deepcopy` is missing, because its memo sets attributes by name.
PLAIN_MODULES: Mapping[str, frozenset[str]] = {
    "__future__": word_set("annotations"),
    "bisect": word_set("bisect bisect_left bisect_right insort insort_left insort_right"),
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
    "functools": word_set("cache cmp_to_key lru_cache partial reduce"),
    "heapq": word_set("heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"),
    "itertools": word_set("""
        accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse
        groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest
    """),
    "math": word_set("""
        ceil comb copysign cos dist e exp fabs factorial floor fmod fsum gcd hypot inf isclose isfinite isinf isnan
        isqrt lcm log log10 log2 nan perm pi pow prod sin sqrt tan tau trunc
    """),
    "operator": word_set("""
        add and_ concat contains countOf eq floordiv ge getitem gt indexOf invert is_ is_not itemgetter le lt
        mod mul ne neg not_ or_ pos pow sub truediv truth xor
    """),
    "random": word_set("Random choice choices randint random randrange sample seed shuffle uniform"),
    "string": word_set("ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace"),
    "toolz": word_set("""
        accumulate assoc assoc_in comp complement compose compose_left concat concatv cons count countby curry dissoc do
        drop filter first flip frequencies get get_in groupby identity interleave interpose isdistinct isiterable
        itemfilter itemmap iterate join juxt keyfilter keymap last map mapcat merge merge_sorted merge_with nth partial
        partition partition_all partitionby peek pipe pluck reduce reduceby remove second sliding_window sorted tail
        take take_nth thread_first thread_last topk unique update_in valfilter valmap
    """),
    "typing": word_set("""
        Any Callable Dict Final FrozenSet Generator Hashable Iterable Iterator List Literal Mapping Never NoReturn
        Optional Sequence Set Tuple TypeAlias TypeVar Union cast
    """),
}
