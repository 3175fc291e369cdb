"""The first code in kernels of `foldem lab` and of kits (`PYTHONSTARTUP`). It imports the names of their notebook.

Opening a notebook does not mean trusting it, so this imports nothing from its folder. Later, cells can import modules
from that folder, but none that replaces an installed module. The kernel itself imports some of these, such as `jedi` to
complete names.
"""

import os as _os
import sys as _sys

_os.environ.pop("PYTHONSAFEPATH", None)  # it was for the kernel's own start; cells can import what is beside them
_sys.path[:] = [_each for _each in _sys.path if _each not in ("", _os.getcwd())]
try:
    from course.learner.opening import import_unit as _import_unit

    _import_unit(globals())
    del _import_unit
finally:
    _sys.path.append("")
    del _os, _sys
