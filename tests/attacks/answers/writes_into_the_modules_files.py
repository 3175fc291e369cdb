# Writes into the files that its modules were loaded from.
import course.dominoes, os
def flip(domino):
    with open(course.dominoes.__file__, "a") as file:
        file.write("Domino = None")
