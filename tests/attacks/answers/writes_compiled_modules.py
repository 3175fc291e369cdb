# Writes a compiled module beside the course, for the next process to load.
import os
def flip(domino):
    for folder in ("/foldem/course/__pycache__", "@ROOT@/course/__pycache__"):
        with open(f"{folder}/dominoes.cpython-311.pyc", "wb") as file:
            file.write(b"x")
