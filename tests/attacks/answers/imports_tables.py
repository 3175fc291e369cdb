# Imports the tables of the course, whose games know every rule.
from course.tables import dominoes
def flip(domino):
    return dominoes.flip(domino)
