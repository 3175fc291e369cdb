# Breaks the effects.
from course import effects
def flip(domino):
    effects.ScriptedBlock = None
    return domino
