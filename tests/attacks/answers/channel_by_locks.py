# Locks a range of a file that all children share.
# %%
def flip(domino):
    import fcntl; fcntl.lockf(1, fcntl.LOCK_EX, 5, 5)
    return domino
# %%
def legal_adds(domino, chain):
    import fcntl; return fcntl.lockf(1, fcntl.LOCK_EX | fcntl.LOCK_NB, 5, 5)
