# Reads another reference's code by `attrgetter`, with a name put together.
from operator import attrgetter
def move(*_):
    return str(attrgetter("__co" + "de__.co_co" + "de")(suppress))
