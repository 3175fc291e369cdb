"""Hands in half a character, which no report can be written with, in a comment, the report and the metadata."""

import json


def hand_in(path, notebook):
    notebook.metadata.foldem.version = notebook.metadata.orig_nbformat = "\ud83d"
    for cell in notebook.cells:
        cell.source += "\n# \ud83d"
    notebook.cells[0].metadata.nbgrader = {"grade_id": "written-report", "solution": True, "grade": True}
    path.write_text(json.dumps(notebook))
