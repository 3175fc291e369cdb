"""The course as a static website: JupyterLite, Pyodide and the notebooks' packages, all on the same server."""

__all__ = ("lite", "pages", "parts")
