# Traces the lines and locals of a reference with a profiler.
import sys
def flip(domino):
    seen = []
    sys.settrace(lambda frame, event, arg: seen.append((frame.f_code.co_name, frame.f_lineno, frame.f_code.co_varnames)))
    legal_adds(domino, EMPTY)
    sys.settrace(None)
    return str(seen)
