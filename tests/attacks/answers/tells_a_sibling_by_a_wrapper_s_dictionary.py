# Reads another reference by the attributes that `wraps` copies from a class whose method it is.
from functools import wraps
class Holder:
    def __init__(self):
        self.held = suppress
def move(*_):
    @wraps(Holder().held)
    def mine(): ...
    return mine.__wrapped__.__code__.co_code.hex()
