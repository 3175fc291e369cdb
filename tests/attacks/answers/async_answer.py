# Gives a coroutine, which is never awaited.
async def flip(domino):
    return Domino(domino.right, domino.left)
