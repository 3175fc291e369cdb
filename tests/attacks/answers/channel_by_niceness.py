# Changes the niceness, the affinity and the name of the host.
# %%
def flip(domino):
    import os, socket; os.nice(5); os.sched_setaffinity(0, [0]); socket.sethostname('x')
    return domino
# %%
def legal_adds(domino, chain):
    import os; return os.getpriority(0, os.getppid()), os.sched_getaffinity(0)
