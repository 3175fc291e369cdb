"""Find, read and sort submissions. No code in them is run."""

__all__ = (
    "allowed",
    "bindings",
    "cell",
    "code",
    "convert",
    "find",
    "fingerprints",
    "model",
    "needs",
    "notebook",
    "plain",
    "reading",
    "sort",
    "stateless",
)
