# Raises from a code object whose file and line are made up, for the report to look up.
def flip(domino):
    code = compile("raise ValueError('x')", "<flip>", "exec").replace(co_firstlineno=2**31 - 10)
    exec(code)
