# Reads another reference's code by a class pattern.
def move(*_):
    match suppress:
        case object(__code__=code):
            return str(code.co_code)
