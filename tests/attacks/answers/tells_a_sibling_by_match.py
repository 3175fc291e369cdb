# Reads another reference's code by a class pattern.
def flip(domino):
    match legal_adds:
        case object(__code__=code):
            return str(code.co_varnames)
