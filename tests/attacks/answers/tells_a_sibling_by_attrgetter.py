# Reads another reference's code by `attrgetter`, with a name put together.
from operator import attrgetter
def flip(domino):
    return str(attrgetter("__co" + "de__.co_var" + "names")(legal_adds))
