# Watches a reference run with `sys.monitoring`.
import sys
def flip(domino):
    sys.monitoring.use_tool_id(1, "x")
    seen = []
    sys.monitoring.register_callback(1, 1, lambda code, at: seen.append(code.co_varnames))
    sys.monitoring.set_events(1, 1)
    legal_adds(domino, EMPTY)
    return str(seen)
