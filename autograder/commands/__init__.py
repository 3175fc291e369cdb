"""The `foldem` commands, in the order in which its help lists them.

Each command has a module. The module `options` has the options of all commands.
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
