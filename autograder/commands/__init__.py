"""The `foldem` commands, a module for each; `cli` defines their arguments and options."""

__all__ = (
    "check",
    "collect",
    "course",
    "doctor",
    "export",
    "github",
    "grade",
    "gradescope",
    "lab",
    "new",
    "play",
    "prove",
    "pytest",
    "regrade",
    "report",
    "site",
    "student_kit",
    "tournament",
    "upgrade",
)
