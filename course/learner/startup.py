"""Runs first in kernels of `foldem lab` and of kits (`PYTHONSTARTUP`): the imports of their notebook.

Opening a notebook does not mean trusting it, so nothing in its folder is imported.
"""

import os as _os
import sys as _sys

_os.environ.pop("PYTHONSAFEPATH", None)  # it was for the kernel's own start; cells can import what is beside them
_path = _sys.path[:] if "" in _sys.path else ["", *_sys.path]
_sys.path[:] = [_each for _each in _path if _each not in ("", _os.getcwd())]
try:
    from course.learner.opening import import_unit as _import_unit

    _import_unit(globals())
    del _import_unit
finally:
    _sys.path[:] = _path
    del _os, _sys, _path
