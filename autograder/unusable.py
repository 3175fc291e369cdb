"""The base class of errors in a user's input, and the extras to install for missing modules."""

# The modules that come with an extra of our distribution; any other comes with Foldem itself.
EXTRAS = {
    "lab": ("jupyterlab", "jupyterlab_server", "jupyter_client"),
    "nbgrader": ("nbgrader", "nbconvert", "nbclient", "zmq", "jupytext", "hatchling"),
    "site": ("jupyterlite_core", "jupyterlite_pyodide_kernel", "markdown_it"),
    "cluster": ("distributed", "dask"),
    "postgresql": ("psycopg",),
}


class Unusable(Exception):
    """Raised for input that cannot be used. The message is one line."""


def missing_extra(module: str, purpose: str) -> str:
    """Return what to install for a module that is not there, or "" if it belongs to no extra.

    >>> missing_extra("jupyterlab_server.app", "foldem lab")
    "foldem lab needs jupyterlab_server: pip install 'foldem[lab]'"
    """
    top = module.partition(".")[0]
    extra = next((extra for extra, modules in EXTRAS.items() if top in modules), "")
    named = purpose.rpartition(" ")[2]
    return f"{purpose} needs {top}: pip install 'foldem[{named if named in EXTRAS else extra}]'" if extra else ""
