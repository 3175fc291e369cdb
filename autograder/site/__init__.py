"""The course as a static folder: JupyterLite, Pyodide and what notebooks import, all of it local."""

__all__ = ("answers", "lite", "local", "parts", "start")
