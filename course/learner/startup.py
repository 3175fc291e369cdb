"""What a kernel runs first under `foldem lab` and in a kit (`PYTHONSTARTUP`): the imports of its notebook."""

from course.learner.opening import import_unit as _import_unit

_import_unit(globals())
del _import_unit
