"""The base class of errors in a user's input, and advice on which packages to install."""

from importlib.metadata import requires

# The modules that come with an extra of our distribution; any other comes with Foldem itself.
MODULES_BY_EXTRA = {
    "lab": ("jupyterlab", "jupyterlab_server"),
    "nbgrader": ("nbgrader", "nbconvert", "jupyter_client", "nbclient", "zmq", "jupytext", "hatchling"),
    "site": ("jupyterlite_core", "jupyterlite_pyodide_kernel", "markdown_it"),
    "cluster": ("distributed", "dask"),
    "postgresql": ("psycopg",),
    "pytest": ("pytest",),
}


class UserError(Exception):
    """Raised for a user's input that cannot be used. The message is one line."""


def missing_extra_message(module: str, purpose: str) -> str:
    """Return a message that says how to install a missing module, or "" if the module belongs to no extra.

    >>> missing_extra_message("jupyterlab_server.app", "foldem lab")
    "foldem lab needs jupyterlab_server: pip install 'jupyterlab>=4.3'"
    """
    top = module.partition(".")[0]
    extra = next((extra for extra, modules in MODULES_BY_EXTRA.items() if top in modules), "")
    named = purpose.rpartition(" ")[2]
    return f"{purpose} needs {top}: {install_command(named if named in MODULES_BY_EXTRA else extra)}" if extra else ""


def install_command(extra: str) -> str:
    """Return the command that installs an extra's packages.

    The command does not contain the name `foldem`, because on PyPI somebody else may own this name.

    >>> install_command("cluster")
    "pip install 'distributed>=2024.8'"
    """
    needs = (need.partition("; extra ==") for need in requires("foldem") or ())
    return " ".join(["pip install", *(f"'{package}'" for package, _, marker in needs if marker.strip(" '\"") == extra)])
