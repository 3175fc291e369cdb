# A short loop that would be a text of gigabytes without the loop, which the advice on form writes.
def flip(domino):
    a = domino.left
    while a is None:
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
        if a:
            a = a + a
    return a
