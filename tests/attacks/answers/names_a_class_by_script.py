# Gives an object of a class whose name is a script, or has no end.
def flip(domino):
    return type("<script>alert(1)</script>" * 1000, (), {})()
