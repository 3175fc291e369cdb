# Says that its error came from a line before the first.
import os, json
def flip(domino):
    for frame in ([["raised", "ValueError", None]], {"0": {"story": {"raised": "x", "text": "x", "place": ["flip", -10**6]}}}):
        data = json.dumps(frame).encode()
        os.write(3, len(data).to_bytes(4, "big") + data)
    return domino
