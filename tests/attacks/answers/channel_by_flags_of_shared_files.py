# Leaves flags on descriptions that all children share.
# %%
def flip(domino):
    import fcntl; fcntl.fcntl(0, fcntl.F_SETFL, 0o4000)
    return domino
# %%
def legal_adds(domino, chain):
    import fcntl; return (append(domino, chain, 0),) if fcntl.fcntl(0, fcntl.F_GETFL) & 0o4000 else ()
