"""The `foldem` commands, in the order in which its help lists them.

Each has a module; `options` has the options of all.
"""

__all__ = (
    "build",
    "bundle",
    "check",
    "collect",
    "course",
    "demo",
    "doctor",
    "export",
    "forget",
    "grade",
    "import_",
    "lab",
    "new",
    "options",
    "prove",
    "pytest",
    "report",
    "site",
    "student_kit",
    "tournament",
    "viva",
)
