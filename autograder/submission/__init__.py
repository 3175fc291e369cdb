"""Find, read and sort submissions. No code in them is run."""

__all__ = (
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
