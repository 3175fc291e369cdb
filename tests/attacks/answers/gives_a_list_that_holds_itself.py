# Gives a list that holds itself.
def flip(domino):
    value = []
    value.append(value)
    return value
