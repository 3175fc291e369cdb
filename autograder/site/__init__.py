"""The course as a static website: JupyterLite, Pyodide and the packages of the notebooks, all on the same server."""

__all__ = ("pages", "parts")
