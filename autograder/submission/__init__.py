"""Find, read and sort submissions. No code in them is run."""

__all__ = (
    "allowed",
    "cell",
    "code",
    "convert",
    "find",
    "fingerprints",
    "model",
    "notebook",
    "plain",
    "reading",
    "sort",
    "stateless",
)
