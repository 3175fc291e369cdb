# Breaks the effects.
from course import effects
def flip(domino):
    effects.scripted = None
    return domino
