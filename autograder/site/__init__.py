"""The course as a static website: JupyterLite, Pyodide and the packages of the notebooks, all local."""

__all__ = ("answers", "lite", "local", "parts", "start")
