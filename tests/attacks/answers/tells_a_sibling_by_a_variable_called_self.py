# Reads another reference's code through a module in a variable named `self`.
import enum
def flip(domino):
    self = enum
    self = self.bltns
    self = self.getattr(legal_adds, "__co" + "de__")
    return str(self.co_varnames)
