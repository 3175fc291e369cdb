# Tells another reference's constants and names in what it gives.
def move(*_):
    code = suppress.__code__
    return str((code.co_consts, code.co_names, code.co_code))
