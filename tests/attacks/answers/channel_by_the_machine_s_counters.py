# Reads what the machine as a whole does.
# %%
def flip(domino):
    [bytes(10**6) for _ in range(50)]
    return domino
# %%
def legal_adds(domino, chain):
    import ctypes; return ctypes.CDLL(None).sysinfo(ctypes.create_string_buffer(512)) or open('/proc/loadavg').read()
