"""Plain answers: none can read the code of a function, and all right answers are plain."""

from __future__ import annotations

import ast
import builtins
import random
import signal
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, cmp_to_key, lru_cache, partial
from importlib import import_module
from itertools import accumulate, chain, count, groupby, islice, product
from logging import getLogger
from numbers import Number
from operator import attrgetter, itemgetter, methodcaller
from pathlib import Path
from resource import RLIMIT_AS, getrlimit, setrlimit
from time import process_time
from types import BuiltinFunctionType, CodeType, FrameType, MethodType, MethodWrapperType, ModuleType, TracebackType
from typing import Any, ForwardRef, TypeVar

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from toolz import compose, curry

from autograder.submission import plain
from autograder.submission.plain import (
    PLAIN_ATTRIBUTES,
    PLAIN_BUILTINS,
    PLAIN_MODULES,
    exports_of,
    find_refused_construct,
    may_be_field,
)
from tests.classroom import right_answers
from tests.sample import as_proof
from tests.units import WAR, mistakes_of, read_unit, unit_names

DOMINOES, UNO = read_unit("dominoes").module, read_unit("uno").module


def construct(*sources: str, module: ModuleType = DOMINOES) -> str:
    """Return the code that makes sources not plain, "" if they are."""
    found = find_refused_construct(sources, module)
    return found[1].code if found else ""


PLAIN = {
    "attributes of given types": "def f(tile, chain):\n    return tile.left + chain.right, chain.text",
    "methods of Python's types": "def f(text):\n    return ', '.join(text.split()).upper(), [1].append(2), {}.items()",
    "a table of functions by class": "def f(player):\n    return {Human: 1, Bot: 2}[type(player)]",
    "classes that are compared": "def f(one, other):\n    return type(one) is Human or type(one) == type(other)",
    "the name of a class": "def f(one):\n    return type(one).__name__ + f'{type(one)}'",
    "getattr with a name": "def f(chain):\n    return getattr(chain, 'text', '') if hasattr(chain, 'left') else ''",
    "a module's functions": "import math, functools as ft\ndef f(x):\n    return math.floor(ft.reduce(max, x))",
    "imports by name": "from itertools import chain as links\nfrom collections import Counter\nf = links.from_iterable",
    "star import of the unit": "from course.dominoes import *\nfrom course.check import check\nf = flip",
    "assignment to what is frozen": "def f(tile):\n    tile.left = 3\n    return tile",
    "names of builtins as variables": "def f(type, open, vars):\n    id = type + open\n    return id, vars",
    "unknown names": "def f(tile):\n    return nowhere.left + flop(tile)",
    "patterns": "def f(x):\n    match x:\n        case Domino(a, right=b) | (a, b, *_) if a:\n            return a, b",
    "exceptions": "def f(x):\n    try: return x[0]\n    except KeyError as e: raise ValueError(str(e))",
    "generators": "def f(n):\n    yield from (x for x in range(n))\n    return [(y := x) for x in range(n)]",
    "text": "def f(x):\n    return f'{x!r:>{3}}' + '%s %d' % (x, 1) + format(3, '03d') + str(f)",
    "a main guard": "if __name__ == '__main__':\n    print(flip(Domino(1, 2)))",
    "types in annotations": "from typing import Any\ndef f(g: Callable[[int], Any]) -> 'Any': ...",
    "a cache": "from functools import cache\n@cache\ndef f(n):\n    return n",
    "a class": "class Hand:\n    def __init__(self, cards):\n        self.cards = cards\n    def best(self):\n"
    "        return max(self.cards)\n    def __repr__(self):\n        return f'{self.cards}'\nf = Hand(()).best",
    "a dataclass": "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Hand:\n    cards: tuple = ()",
    "an exception of one's own": "class TooMany(ValueError):\n    'Too many.'\ndef f(): raise TooMany('x')",
    "attributes of one's own": "def f(player):\n    return player.cards, player.best()",
    "a function's attribute": "def f(n):\n    f.calls = n",
    "formats": "f = '{0:>{2}} {1!r} {{}}'.format(1, 2, 3) + '{x}'.format(x=1)",
    "copies": "from copy import deepcopy\nimport copy\ndef f(x):\n    return x.copy(), deepcopy(x), copy.deepcopy(x)",
    "fractions and roots": "from fractions import Fraction\nimport cmath\nf = cmath.sqrt(Fraction(1, 2).numerator)",
    "nonlocal names": "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    return g",
}


@pytest.mark.parametrize("what", PLAIN)
def test_everyday_python_is_plain(what: str) -> None:
    assert construct(PLAIN[what]) == ""


# What is known of ways out of Python that allows little, and some of our own; `f` is a function to look into.
TRICKS = {
    "code": "f.__code__",
    "globals": "f.__globals__",
    "closure": "f.__closure__[0].cell_contents",
    "defaults": "f.__defaults__",
    "wrapped": "f.__wrapped__",
    "self": "print.__self__",
    "dict": "f.__dict__",
    "doc": "f.__doc__",
    "class": "().__class__.__base__.__subclasses__()",
    "mro": "int.mro()",
    "mro as an attribute": "int.__mro__[1].__subclasses__()",
    "reduce": "f.__reduce_ex__(4)",
    "getattribute": "object.__getattribute__(f, '__co' + 'de__')",
    "builtins by name": "__builtins__",
    "import by name": "__import__('sys')",
    "build_class": "__build_class__",
    "loader": "__loader__",
    "spec": "__spec__",
    "getattr with a name put together": "getattr(f, '__co' + 'de__')",
    "getattr with a name that is no attribute of a unit": "getattr(f, '__code__')",
    "getattr with starred arguments": "getattr(*(f, '__co' + 'de__'), 'left')",
    "getattr with starred names": "getattr(f, *('__co' + 'de__',))",
    "getattr passed on": "(lambda get: get(f, '__co' + 'de__'))(getattr)",
    "getattr by another name": "(g := getattr)(f, '__co' + 'de__')",
    "getattr in a default": "(lambda x, get=getattr: get(x, '__co' + 'de__'))(f)",
    "getattr in a list": "[getattr][0](f, '__co' + 'de__')",
    "getattr mapped": "[*map(getattr, [f], ['__co' + 'de__'])]",
    "hasattr with a name put together": "hasattr(f, '__co' + 'de__')",
    "setattr": "setattr(f, 'left', 1)",
    "delattr": "delattr(f, 'left')",
    "vars": "vars(f)",
    "dir": "dir(f)",
    "globals()": "globals()",
    "locals()": "locals()",
    "eval": "eval('f.__code__')",
    "exec": "exec('x = f.__code__')",
    "compile": "compile('f', '', 'eval')",
    "open": "open('/proc/self/maps')",
    "help": "help(f)",
    "breakpoint": "breakpoint()",
    "memoryview": "memoryview(b'').obj",
    "id": "id(f)",
    "type passed on": "[*map(type, [f])]",
    "type kept": "(kind := type(int))",
    "type with three arguments": "type('C', (), {'__match' + '_args__': ()})",
    "type of a type called": "type(int)('C', (), {})",
    "type by a starred argument": "type(*['C', (), {}]) is int",
    "type with keywords": "type('C', (), {}, x=1) is int",
    "type as a key that is kept": "{}.setdefault(type(int), 1)",
    "type in a pattern": "[x for x in [type]]",
    "type as a class of a class": "Counter.copy(int)",
    "type of Union": "Union[type(int)]",
    "super": "super(int, 1)",
    "property": "property(f).fget",
    "classmethod": "classmethod(f)",
    "str.format": "'{0.__code__}'.format(f)",
    "str.format with a text put together": "('{0.__co' + 'de__}').format(f)",
    "str.format unbound": "str.format('{0.__code__}', f)",
    "format_map": "'{f.__code__}'.format_map({'f': f})",
    "format in map": "[*map('{0.__code__}'.format, [f])]",
    "arguments of a KeyError": "error.args",
    "object of an AttributeError": "error.obj",
    "traceback": "error.__traceback__.tb_frame.f_globals",
    "with_traceback": "error.with_traceback(None)",
    "context": "error.__context__",
    "frame of a generator": "(x for x in ()).gi_frame.f_back",
    "code of a generator": "(x for x in ()).gi_code",
    "what a generator yields from": "(x for x in ()).gi_yieldfrom",
    "throwing into a generator": "(x for x in ()).throw(ValueError)",
    "f-string": "f'{f.__code__.co_consts!r:}'",
    "nested format": "f'{1:{f.__code__}}'",
    "private attribute": "f._Domino__secret",
    "register": "Callable.register(int)",
    "partial's function": "partial(f).func",
    "curry's function": "curry(f).func",
    "curry's binding": "curry(f).bind()",
    "compose's first": "compose(f, f).first",
    "__name__ of a module's loader": "math.__loader__",
    "keyword of a type's": "object.__new__(int)",
    "init_subclass": "int.__init_subclass__",
    "fromhex": "bytes.fromhex('00')",
    "decode": "b''.decode('rot13')",
    "encode": "''.encode('idna')",
}


@pytest.mark.parametrize("trick", TRICKS)
def test_reflective_expression_is_not_plain(trick: str) -> None:
    assert construct(f"def flip(domino, error=None, f=None):\n    return {TRICKS[trick]}")


STATEMENTS = {
    "a class pattern's keyword": "match f:\n    case object(__code__=c): pass",
    "a class pattern's keyword of a frame": "match f:\n    case object(gi_frame=c): pass",
    "a capture called builtins": "match f:\n    case __builtins__: pass",
    "a rest called builtins": "match f:\n    case {**__builtins__}: pass",
    "an exception called class": "try: f()\nexcept ValueError as __class__: pass",
    "an import called builtins": "import math as __builtins__",
    "a module as a value": "import math\ndef g():\n    self = math\n    return self.pi",
    "a module in a variable called self": "import math\nself = math\nself.left",
    "a module by another name": "import math as m\nm2 = m",
    "a module that is changed": "import math\nmath.pi = 3",
    "a module of a module": "import collections\ncollections.abc.sys",
    "a private name of a module": "import random\nrandom._os",
    "a module's name for a parameter": "import copy\ndef g(copy):\n    return copy.copy",
    "a module's name for a parameter of a lambda": "import copy\ng = lambda copy: copy.copy(int)",
    "a module's name for an import": "import copy as Counter\nfrom collections import Counter\nCounter.copy(int)",
    "a module's name by an import": "import copy\nfrom collections import Counter as copy\ncopy.copy(int)",
    "a module's name for a function": "import copy\ndef copy(): ...\ng = copy.copy",
    "a module's name for an exception": "import copy\ntry: f()\nexcept KeyError as copy: copy.copy",
    "a module's name for a part": "import copy\nmatch f:\n    case (copy, 1): copy.copy",
    "a module's name for all other parts": "import copy\nmatch f:\n    case {**copy}: copy.copy",
    "a module's name for some parts": "import copy\nmatch f:\n    case [*copy]: copy.copy",
    "a module's name for what is given": "def g():\n    import copy as compose\ncompose.copy",
    "a module's name for a builtin": "def g():\n    import copy as dict\ndict.copy",
    "a name that is not listed": "import functools\nfunctools.singledispatch(f)",
    "from a module": "from functools import singledispatch",
    "a module by its parent": "import math\nmath.sys",
    "a module's hidden module": "import collections\ndef g():\n    return collections.abc",
    "from a module of the course": "from course.exam.wire import Wire",
    "the course's own package": "import course\ncourse.exam",
    "a submodule unbound": "import course.dominoes\ncourse.exam",
    "from what is not there": "from course.tables import whole_game",
    "a private name of the unit": "from course.warmup import _rank",
    "what the unit imports": "from course.dominoes import annotations",
    "star of a library": "from functools import *",
    "relative": "from . import wire",
    "relative of a module": "from .dominoes import flip",
    "sys": "import sys",
    "os in a function": "def g():\n    import os",
    "inspect by another name": "import inspect as math\nmath.floor(1)",
    "gc": "from gc import get_referrers",
    "ctypes": "import ctypes",
    "types": "from types import FunctionType",
    "typing's hints": "from typing import get_type_hints",
    "typing's named tuples": "from typing import NamedTuple\nNamedTuple('C', [('gi_' + 'frame', int)])",
    "typing's named tuples by another name": "from typing import NamedTuple as N\nclass C(N):\n    left: int",
    "typing's named tuples passed on": "from typing import NamedTuple\n[*map(NamedTuple, ['C'])]",
    "a field of a named tuple like a frame's": "from typing import NamedTuple\nclass C(NamedTuple):\n    gi_frame: int",
    "typing's annotated": "from typing import Annotated",
    "typing's protocols": "from typing import Protocol, runtime_checkable",
    "named tuples by names put together": "from collections import namedtuple\nnamedtuple('C', 'gi_' + 'frame')",
    "named tuples by a list put together": "from collections import namedtuple\nnamedtuple('C', ['gi_' + 'frame'])",
    "named tuples of names in a variable": "from collections import namedtuple\nnames = 'func'\nnamedtuple('C', names)",
    "named tuples like curried functions": "from collections import namedtuple\nnamedtuple('C', 'func args keywords')",
    "named tuples with private fields": "from collections import namedtuple\nnamedtuple('C', ['_x'], rename=True)",
    "named tuples of a module": "from collections import namedtuple\nnamedtuple('C', 'x', module='sys')",
    "named tuples passed on": "from collections import namedtuple\n[*map(namedtuple, 'C', ['func'])]",
    "named tuples by another name": "from collections import namedtuple as n\nn('C', 'func')",
    "named tuples by a module": "import collections\ncollections.namedtuple('C', 'func')",
    "named tuples by a module of that name": "import random as collections\ncollections.namedtuple('C', 'left')",
    "enumerations by names put together": "from enum import Enum\nEnum('E', 'gi_' + 'frame')",
    "enumerations without members": "from enum import Enum\nclass E(Enum): pass\nE('F', 'gi_' + 'frame')",
    "enumerations of functions only": "from enum import Enum\nclass E(Enum):\n    A = len\nE('F', 'gi_' + 'frame')",
    "enumerations with other classes": "from enum import Enum\nclass E(str, Enum):\n    A = 'a'",
    "a hook of an enumeration": "from enum import Enum\nclass E(Enum):\n    A = 1\n    def _missing_(self): ...",
    "the class of enumerations": "from enum import EnumType",
    "names of an enumeration": "from enum import Enum\nclass E(Enum):\n    A = 1\n    _ignore_ = ['A']",
    "dataclasses by names put together": "from dataclasses import make_dataclass",
    "fields of dataclasses": "from dataclasses import fields",
    "a dataclass that is made by a call": "from dataclasses import dataclass\ndataclass(Domino)",
    "a dataclass of a function": "from dataclasses import dataclass\n@dataclass\ndef g(): ...",
    "a dataclass with computed options": "from dataclasses import dataclass\n@dataclass(**{'init': f})\nclass C: ...",
    "a dataclass by another name": "from dataclasses import dataclass as d\n@d\nclass C: ...",
    "a dataclass of my own": "def dataclass(kind): return kind\n@dataclass\nclass C: ...",
    "dataclasses of a module of that name": "import random as dataclasses\n@dataclasses.dataclass\nclass C: ...",
    "a field like a code object's": "from dataclasses import dataclass\n@dataclass\nclass C:\n    co_consts: int",
    "a field of another dataclass": "from dataclasses import field\nx = field()",
    "members of an enumeration by a function of mine": "from enum import Enum\ndef auto(): return len\n"
    "class E(Enum):\n    A = auto()\nE('F', 'gi_' + 'frame')",
    "members passed on": "from enum import auto\nx = auto",
    "copies that wraps makes": "from functools import wraps\n@wraps(f, ('__code__',))\ndef g(): ...",
    "copies that wraps makes by keyword": "from functools import wraps\n@wraps(f, assigned=['__code__'])\ndef g(): ...",
    "wraps with starred arguments": "from functools import wraps\n@wraps(*[f, ['__code__']])\ndef g(): ...",
    "wraps that is called": "from functools import wraps\nwraps(f)(flip, assigned=['__code__'])",
    "wraps that is kept": "from functools import wraps\nw = wraps",
    "wraps of a module": "import functools\nfunctools.wraps(f)(flip, assigned=['__code__'])",
    "wraps of a module of that name": "import copy as functools\n@functools.wraps(f)\ndef g(): ...",
    "update_wrapper": "from functools import update_wrapper",
    "abstract classes": "from abc import ABC",
    "attrgetter with a name put together": "from operator import attrgetter\nattrgetter('__co' + 'de__')(f)",
    "attrgetter with a hidden name": "from operator import attrgetter\nattrgetter('left.__code__')(f)",
    "attrgetter by another name": "from operator import attrgetter as get\nget('__co' + 'de__')(f)",
    "attrgetter passed on": "from operator import attrgetter\n[*map(attrgetter, ['__co' + 'de__'])]",
    "attrgetter in a function": "def g(x):\n    from operator import attrgetter\n    return attrgetter(x)",
    "attrgetter of a module": "import operator\noperator.attrgetter('left')",
    "methodcaller": "from operator import methodcaller",
    "Formatter": "from string import Formatter",
    "pickle": "import pickle",
    "copyreg": "import copyreg",
    "numbers made by the class of what comes": "from statistics import mean",
    "contextlib": "from contextlib import contextmanager",
    "a metaclass": "class C(metaclass=print): pass",
    "a metaclass in a dictionary": "class C(**{'metaclass': print}): pass",
    "a base that is computed": "class C(f()): pass",
    "a base with hooks": "class C(dict):\n    def __missing__(self, key): return key",
    "a subclass of what is given": "class C(Domino): pass",
    "a hook for attributes": "class C:\n    def __getattr__(self, name): return name",
    "a hook for classes": "class C:\n    def __init_subclass__(cls): pass",
    "a hook for subscripts": "class C:\n    def __class_getitem__(cls, key): return key",
    "a hook for names": "class C:\n    def __set_name__(self, owner, name): pass",
    "a descriptor": "class C:\n    def __get__(self, thing, owner): return owner",
    "a context manager": "class C:\n    def __exit__(self, *error): return error",
    "a hook for instances": "class C:\n    def __instancecheck__(cls, thing): return True",
    "a hook for patterns": "class C:\n    __match_args__ = ('left',)",
    "a hook by annotation": "class C:\n    __code__: int",
    "slots": "class C:\n    __slots__ = ('left',)",
    "a hook by a lambda": "class C:\n    __eq__ = lambda self, other: print(other)",
    "a hook that is assigned": "class C: pass\nC.__match_args__ = ('left',)",
    "an attribute like a frame's": "class C:\n    gi_frame: int\ndef g(x):\n    return x.gi_frame",
    "an attribute that is set like a frame's": "def g(x):\n    x.f_back = 1\n    return x.f_back",
    "an attribute called format": "class C:\n    format: int\ndef g():\n    return '{0.__code__}'.format(f)",
    "an attribute called args": "class C:\n    args: int\ndef g(error):\n    return error.args",
    "the signature of a curried function": "class C:\n    _sigspec: int\ndef g(x):\n    return curry(x)._sigspec",
    "the parts of a type": "class C:\n    _determine_new_args: int\ndef g(x):\n    return x._determine_new_args(x)",
    "a text that a type evaluates": "class C:\n    _evaluate: int\ndef g(x):\n    return x._evaluate({}, {})",
    "an enumeration of a module": "class C:\n    _convert_: int\ndef g(x):\n    return x._convert_('X', 'sys', len)",
    "a private name that is set": "def g(x):\n    x._sigspec = 1\n    return x._sigspec",
    "with": "with f() as g: pass",
    "async": "async def g(): pass",
    "await": "async def g():\n    await f",
    "exception groups": "try: f()\nexcept* ValueError as error: pass",
    "a base that is another class": "class C: pass\nException = C\nclass D(Exception): pass",
    "a base by a parameter": "def g(object):\n    class C(object): pass",
    "a base by an import": "from random import Random as object\nclass C(object): pass",
    "a base by a loop": "for object in (Random,):\n    class C(object): pass",
    "a base by a class": "class Exception: pass\nclass C(Exception): pass",
    "a base that is assigned": "Exception = Random\nclass C(Exception): pass",
    "a base that an exception binds": "try: f()\nexcept ValueError as Enum:\n    class C(Enum):\n        A = 1",
    "several bases": "class C(ValueError, KeyError): pass",
    "a class in a class": "class C:\n    class D: pass",
    "a statement in a class": "class C:\n    print(C)",
    "a builtin that a class passes on": "class C:\n    vars = vars",
    "a builtin that a class passes on with a type": "class C:\n    vars: int = vars",
    "a builtin after a method of its name": "class C:\n    def vars(self): ...\n    left = vars",
    "a loop in a class": "class C:\n    for x in (1,): pass",
    "a call of a method of a class": "def g(x):\n    return x.__init__(1)",
    "comparison that looks": "class C:\n    def __eq__(self, other): return print(other)",
    "a hash that looks": "class C:\n    def __hash__(self): return 1",
    "an order that looks": "class C:\n    def __lt__(self, other): return print(other)",
    "arithmetic that looks": "class C:\n    def __radd__(self, other): return print(other)",
    "iteration that looks": "class C:\n    def __iter__(self): yield 1",
    "a call that looks": "class C:\n    def __call__(self, other): return other",
    "a hook for the end of an object": "class C:\n    def __del__(self): print(1)",
    "a hook for copies": "class C:\n    def __deepcopy__(self, memo): return memo",
    "a hook for pickles": "class C:\n    def __reduce__(self): return print, ()",
    "a hook for new objects": "class C:\n    def __new__(cls): return 1",
    "a hook for set attributes": "class C:\n    def __setattr__(self, name, value): print(value)",
    "a hook for formats": "class C:\n    def __format__(self, text): return text",
    "a property": "class C:\n    @property\n    def left(self): return print(self)",
    "a class method": "class C:\n    @classmethod\n    def left(cls): return cls",
    "super in a class": "class C:\n    def __init__(self): super().__init__()",
    "the class in a method": "class C:\n    def g(self): return __class__",
    "the dictionary of an object": "class C:\n    def g(self): return self.__dict__",
    "a private attribute of an object": "class C:\n    def __init__(self): self._sigspec = 1",
    "a mangled attribute": "class C:\n    def g(self): return self.__code",
    "parts of a partial function": "class C:\n    def __init__(self): self.func, self.args = 1, 2",
    "the keywords of a partial function": "class C:\n    keywords: dict",
    "a method that print calls": "class C:\n    def write(self, text): ...",
    "an attribute of the library's classes": "Counter.update = f",
    "a method of a library's class that is set": "def g(x):\n    x.count = 1",
    "the class of a class's copy": "(lambda: Counter.copy)()(int)",
    "a copy with an argument": "def g(x):\n    return Counter.copy(x)",
    "a copy passed on": "def g(x):\n    return [*map(Counter.copy, [x])]",
    "a class next to a copy": "from copy import copy\nclass C:\n    left: int",
    "a format with an attribute": "'{0.left}'.format(f)",
    "a format with an item": "'{0[left]}'.format(f)",
    "a format with an attribute in its width": "'{:{0.__code__}}'.format(f)",
    "a format in a variable": "text = '{0.__code__}'\ntext.format(f)",
    "a format of joined texts": "('{0.' '__code__}').format(f)",
    "a format of an f-string": "f'{1}{{0.__code__}}'.format(f)",
    "a deep copy with a memo by keyword": "from copy import deepcopy\ndeepcopy(f, memo=f)",
    "a deep copy with starred arguments": "from copy import deepcopy\ndeepcopy(*[f, f])",
    "a deep copy passed on": "from copy import deepcopy\n[*map(deepcopy, [f], [f])]",
    "a deep copy of a module of that name": "import random as copy\ncopy.deepcopy(f)",
    "a field of a dataclass": "from dataclasses import field\nx = field()\nx.name = 'code'",
    "a copy of a method with another name": "from copy import copy\ndef func(held): ...\ncurry.left = func\n"
    "copy(curry(f).left)",
    "a copy by a memo": "from copy import deepcopy\ndeepcopy(f, f)",
    "a copy by a memo, of a module": "import copy\ncopy.deepcopy(f, f)",
    "global builtins": "def g():\n    global __builtins__",
    "a name as `del`": "del __builtins__",
    "getattr in a class": "class C:\n    left = getattr",
    "getattr in an annotation": "def g(x: getattr): pass",
    "getattr in a decorator": "@getattr\ndef g(): pass",
    "getattr in a comprehension": "[getattr for x in ()]",
    "getattr by global": "def g():\n    global getattr\n    return getattr",
    "vars under a parameter of its name elsewhere": "def g(vars): return vars\nh = vars",
    "a dunder parameter": "def g(__class__): pass",
    "a value": "from course.values import value",
    "a type with a name": "from typing import NewType",
    "a builtin that is joined": "type |= int",
    "a builtin that is joined in a function": "def g():\n    global type\n    type |= int",
    "a full-width name": "def g(x):\n    return x.__ｃode__",
    "a full-width builtin": "ｇetattr(f, '__co' + 'de__')",
    "a full-width keyword of a pattern": "match f:\n    case object(__ｃode__=c): pass",
    "a full-width module": "import ｓys",
}


@pytest.mark.parametrize("trick", STATEMENTS)
def test_reflective_statement_is_not_plain(trick: str) -> None:
    assert construct(STATEMENTS[trick])


@pytest.mark.parametrize(
    ("sources", "code"),
    [
        (("import math as m", "def f():\n    self = m\n    return self.left"), "m"),
        (("self = m\nself.left", "import math as m"), "m"),
        (("def f(c):\n    return c._mine",), "c._mine"),
        (("class C(Exception): pass", "Exception = Random"), "Exception"),
        (("import copy", "def f(copy):\n    return copy.copy"), "copy"),
        (("from copy import copy", "curry.left = flop\ncopy(curry(flip).left)"), ".left ="),
    ],
)
def test_sources_that_run_together_are_read_together(sources: tuple[str, ...], code: str) -> None:
    assert construct(*sources) == code


def test_a_construct_is_found_in_the_first_source_with_its_line() -> None:
    found = find_refused_construct(["def f(x):\n    return x", "\n\nx = (\n  vars(f))\ny = f.__code__"], DOMINOES)
    assert found == (1, plain.Construct(4, "vars"))


def test_a_unit_that_exports_a_way_to_look_does_not_make_it_plain() -> None:
    module = ModuleType("course.made_up")
    exports = {"Enum": Enum, "read": attrgetter, "call": methodcaller, "look": getattr, "system": sys}
    exports |= {"log": getLogger(), "home": Path()}
    vars(module).update(vars(DOMINOES) | exports | {"__all__": [*DOMINOES.__all__, *exports]})
    for name in exports:
        assert construct(f"def f(x):\n    return {name}(x, 'left')", module=module) == name
        assert construct(f"def f(x):\n    return {name}.left", module=module) in (name, f"{name}.left")
    assert construct("def f(x):\n    return partial(x)", module=module) == ""


def test_a_unit_s_way_to_make_values_is_not_plain() -> None:
    warmup = read_unit("warmup").module
    assert construct("made = value(Number)", module=warmup) == "value"
    assert construct("class C:\n    value = value\nC.value(C)", module=warmup) == "value"
    assert construct("def f(value):\n    return value.left + [value for value in ()]", module=warmup) == ""


@pytest.mark.promise("references")
@pytest.mark.parametrize("unit", unit_names())
def test_all_right_answers_are_plain(unit: str) -> None:
    found = {str(right): construct(*right.helpers, *right.answers.values(), module=read_unit(unit).module)
             for right in right_answers(unit)}  # fmt: skip
    assert found and {*found.values()} == {""}


def test_all_right_answers_of_a_pack_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_PACKS", str(WAR))
    module, ours, theirs = read_unit("war").module, "from course.uno import *", "from war_course.war import *"
    rights = [(*right.helpers, *right.answers.values()) for right in right_answers("war")]
    plain_ones = (*rights, (theirs,), ("def f(card):\n    return card.rank",))
    assert len(rights) == 2 and {construct(*sources, module=module) for sources in plain_ones} == {""}
    assert (construct(theirs), construct(ours, module=module)) == (theirs, ours)


@pytest.mark.parametrize("unit", unit_names())
def test_the_mistakes_of_our_units_are_plain(unit: str) -> None:
    found = {wrong.name: construct(wrong.source, module=read_unit(unit).module) for wrong in mistakes_of(unit)}
    assert {name: code for name, code in found.items() if code} == {}


# ---------------------------------------------------------------------------------------- right answers, spoiled


@cache
def right_sources() -> list[tuple[ModuleType, str]]:
    """Return the right answers of all units, each with the module of its unit."""
    rights = ((read_unit(unit).module, right) for unit in unit_names() for right in right_answers(unit))
    return [(module, source) for module, right in rights for source in right.answers.values()]


def spots_in(tree: ast.Module) -> list[ast.Name]:
    """Return the names in a tree that may be replaced by any expression."""
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.pattern)]
    excluded = {part for text in texts for part in ast.walk(text)}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return [name for name in names if name not in excluded]


class Replaced(ast.NodeTransformer):
    def __init__(self, spot: ast.Name, code: str) -> None:
        self.spot, self.code = spot, code

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse(self.code, mode="eval").body if node is self.spot else node


@given(st.data())
def test_a_reflective_expression_anywhere_makes_an_answer_not_plain(data: st.DataObject) -> None:
    module, source = data.draw(st.sampled_from(right_sources()))
    tree = ast.parse(source)
    spots = spots_in(tree)
    assume(spots)
    trick = data.draw(st.sampled_from(sorted(TRICKS)))
    spoiled = ast.unparse(Replaced(data.draw(st.sampled_from(spots)), TRICKS[trick]).visit(tree))
    assert construct(source, module=module) == "" and construct(spoiled, module=module)


def test_long_sources_are_read_in_no_long_time() -> None:
    texts = {
        "many functions": lambda n: "def f(x):\n    return x.left\n" * n,
        "a long chain of attributes": lambda n: "x" + ".left" * n,
        "a long sum": lambda n: "x = 1" + " + x" * n,
        "a wide tuple": lambda n: "x in (" + "type(x), " * n + ")",
        "many comparisons": lambda n: "x" + " < type(x)" * n,
        "many names": lambda n: ", ".join(f"x{k}.left" for k in range(n)),
        "a wide annotation": lambda n: "def f(x: (" + "int, " * n + ")): ...",
        "many lines": lambda n: "\n" * n + "vars(x)",
    }
    began = process_time()
    for text in texts.values():
        find_refused_construct([text(1_000)], DOMINOES)
    assert process_time() - began < 2


# ------------------------------------------------------------------------------------------------ what is in reach


def samples() -> Iterator[Any]:
    """Yield objects of all kinds that plain code can access."""
    yield from (getattr(builtins, name) for name in PLAIN_BUILTINS if hasattr(builtins, name))
    for module in PLAIN_MODULES.keys() - {"__future__", "course.check"}:
        yield from (getattr(import_module(module), name, None) for name in PLAIN_MODULES[module])
    for unit in unit_names():
        yield from (getattr(read_unit(unit).module, name) for name in read_unit(unit).module.__all__)
    for exercise in read_unit("dominoes").exercises:
        yield references_in()[exercise.name]
    yield from [
        *((line for line in PLAIN), iter([]), iter({}), iter(()), map(str, ()), filter(str, ()), zip()),
        *(enumerate(()), reversed([]), [], {}, (), set(), frozenset(), "", 1, 1.5, 1j, b"", True, None, ...),
        *(NotImplemented, slice(1), range(1), [].append, {}.keys(), {}.items(), {}.values(), str.upper, "".join, len),
        *(partial(print, 1), curry(max), compose(print, print), lru_cache(lambda: 1), cmp_to_key(max)(1)),
        *(TypeVar("T"), list[int], int | str, tuple[ForwardRef("text")], Callable[[int], int]),
        *(attrgetter("a"), itemgetter(0), random.Random(0), Counter("ab"), deque("ab"), defaultdict(list)),
        *(Fraction(1, 2), accumulate(()), count(), chain(()), groupby(()), islice((), 1)),
    ]
    yield from own_things().values()
    yield from map(raised, (lambda: {}[1], lambda: attrgetter("left")(1), lambda: next(iter(()))))


OWN = """
from dataclasses import dataclass

class Hand:
    best = max
    def __init__(self, cards):
        self.cards = cards
    def play(self, card):
        self.cards = card
        return self
    def __repr__(self):
        return f"{self.cards}"

@dataclass(order=True)
class Pair:
    left: object = None
    def turn(self):
        return self.left

@dataclass(frozen=True, slots=True)
class Frozen:
    left: object

class TooMany(ValueError):
    def __str__(self):
        return "too many"
"""


@cache
def own_things() -> dict[str, Any]:
    """Return what a learner's classes and calls of sparing names make. The text is plain."""
    assert construct(OWN) == ""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(OWN, names)
    hand, kinds = names["Hand"](max), {name: thing for name, thing in names.items() if name[:2] != "__"}
    made = [hand.play, names["Pair"](hand), names["Frozen"](max)]
    made += [names["TooMany"](hand), raised(lambda: hand.cards(names["TooMany"]))]
    return kinds | {f"made {number}": thing for number, thing in enumerate([hand, *made])}


@cache
def references_in() -> dict[str, Any]:
    """Return the names of a namespace in which the references are run."""
    names = dict(vars(DOMINOES))
    for exercise in read_unit("dominoes").exercises:
        exec(exercise.source, names)
    return names


def raised(call: Any) -> Exception:
    """Return the exception that a call raises, with its traceback and its context."""
    try:
        try:
            call()
        except Exception as error:
            raise ValueError("again") from error
    except ValueError as error:
        return error
    raise AssertionError


FORBIDDEN = {
    getattr,
    setattr,
    delattr,
    eval,
    exec,
    compile,
    open,
    vars,
    globals,
    locals,
    dir,
    __import__,
    breakpoint,
    type,
}
UNREADABLE = ModuleType, CodeType, FrameType, TracebackType


def is_forbidden(thing: Any) -> bool:
    """Return whether code can be reached from a thing."""
    if isinstance(thing, UNREADABLE) or (isinstance(thing, type) and issubclass(thing, type)):
        return True
    return isinstance(thing, BuiltinFunctionType) and thing in FORBIDDEN


OF_UNITS = frozenset().union(*(exports_of(read_unit(unit).module).attributes for unit in unit_names()))


def is_readable(name: str) -> bool:
    return may_be_field(name) or name in PLAIN_ATTRIBUTES | OF_UNITS


def around(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the attributes and the items of a thing, with their names."""
    for name in filter(is_readable, {*dir(thing), *dir(type(thing))}):
        try:
            yield f".{name}", getattr(thing, name)
        except Exception:
            continue
    if isinstance(thing, list | tuple | set | frozenset | dict):
        yield from (("[]", item) for item in [*thing, *(thing.values() if isinstance(thing, dict) else ())][:200])


def identity_of(thing: Any) -> object:
    """Return a key of a thing. For texts, numbers and bound methods it is their type, because they are made again."""
    if isinstance(thing, str | bytes | Number) and not isinstance(thing, Enum):
        return type(thing)
    is_bound = type(thing) in (BuiltinFunctionType, MethodWrapperType, MethodType)
    return (type(thing), thing.__qualname__) if is_bound else id(thing)


def paths_to_code(things: Iterable[tuple[str, Any]], seen: dict[object, Any]) -> list[str]:
    """Return how code can be reached from things by attributes and items. What was reached is added to `seen`."""
    waiting, found = deque(things), list[str]()
    while waiting:
        path, thing = waiting.popleft()
        if identity_of(thing) not in seen:
            seen[identity_of(thing)] = thing
            if is_forbidden(thing):
                found.append(path)
            else:
                waiting.extend((path + step, other) for step, other in around(thing))
    return found


@pytest.mark.promise("references")
def test_no_attribute_that_may_be_plain_leads_to_code() -> None:
    seen: dict[object, Any] = {}
    assert paths_to_code(((type(thing).__name__, thing) for thing in samples()), seen) == [] and len(seen) > 800


class Spy:
    """An object that notes which attributes are read and set."""

    def __init__(self) -> None:
        self.__dict__["names"] = set()

    def __getattr__(self, name: str) -> Any:
        self.names.add(name)
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.names.add(name)


def parts(spy: Spy) -> list[Any]:
    """Return arguments for plain functions, of many kinds."""
    tile, secret = DOMINOES.Domino(1, 2), "secret"
    kind = type("Spy", (Spy,), {})  # a decorator of classes may make its objects unhashable
    some = [secret, spy, tile, DOMINOES.Domino, flip := references_in()["flip"], 1, (), (secret, spy), [spy, secret]]
    some += [{secret: spy}, {spy: secret}, iter([secret, spy]), partial(max, spy), curry(max), compose(max, min), kind]
    some += [lru_cache(flip), ForwardRef("secret"), random.Random(0), KeyError(kind)]
    return [*some, lambda *args: args, int, None]


@contextmanager
def code_names() -> Iterator[set[str]]:
    """Collect the names in all texts that are run as code during the block."""
    names, is_on = set[str](), True
    sys.addaudithook(lambda event, args: names.update(args[0].co_names) if is_on and event == "exec" else None)
    yield names
    is_on = False


def too_late(*_: object) -> None:
    raise TimeoutError


@contextmanager
def limits() -> Iterator[None]:
    """Allow this process 4 GB of memory, and call `too_late` when its timer ends."""
    before, handler = getrlimit(RLIMIT_AS), signal.signal(signal.SIGALRM, too_late)
    setrlimit(RLIMIT_AS, (4 << 30, before[1]))
    try:
        yield
    finally:
        setrlimit(RLIMIT_AS, before)
        signal.signal(signal.SIGALRM, handler)


def called(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Return what a call returns or raises within half a second."""
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        return function(*args)
    except (Exception, SystemExit) as error:
        return error.with_traceback(None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@pytest.mark.promise("references")
def test_no_sparing_call_of_anything_leads_to_code() -> None:
    """The calls of `copy`, `deepcopy` and `format` that `plain.py` accepts."""
    seen, calls = dict[object, Any](), (lambda x: x.copy(), deepcopy, "{!r:>9}".format)
    paths_to_code(((type(thing).__name__, thing) for thing in samples()), seen)
    assert [path for thing in [*seen.values()] for call in calls for path in paths_of(call, thing, seen)] == []


def paths_of(call: Callable[[Any], Any], thing: Any, seen: dict[object, Any]) -> list[str]:
    """Return how code can be reached from the result of a call with a thing."""
    return paths_to_code([(f"{call}({thing!r})", called(call, (thing,)))], seen)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.promise("references")
@pytest.mark.parametrize("tried", [5, as_proof(80)])
def test_no_call_of_plain_functions_leads_to_code(monkeypatch: pytest.MonkeyPatch, tried: int) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: "secret")
    spy, chance, seen = Spy(), random.Random(0), dict[object, Any]()
    paths_to_code(((type(thing).__name__, thing) for thing in samples()), seen)
    others = print, dataclass  # `dataclass` is accepted as a decorator of an own class only, and would change ours
    functions = [thing for thing in seen.values() if callable(thing) and all(thing is not other for other in others)]
    found = []
    with code_names() as names, limits():
        for function in functions:
            some = parts(spy)
            tries = [(), *product(some), *chance.choices([*product(some, repeat=2)], k=tried)]
            tries += [tuple(chance.choices(some, k=3)) for _ in range(tried // 2)]
            found += paths_to_code(((f"{function}{args}", called(function, args)) for args in tries), seen)
    assert found == [] and "secret" not in spy.names | names
    own = {*filter(may_be_field, spy.names)} - PLAIN_ATTRIBUTES - OF_UNITS
    assert own == {"a"}  # by the `attrgetter("a")` of the samples
