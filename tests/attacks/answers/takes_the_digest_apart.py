# Asks for one bit of a reference at a time, by whether it raises.
def flip(domino):
    code = legal_adds.__code__.co_code
    if code[domino.left] >> domino.right & 1:
        raise ValueError("one")
    return domino
