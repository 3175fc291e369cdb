# Writes frames of its own on the channel: the name of a limit is half a character, which cannot be encoded.
import os, json
FRAMES = [[["raised", "ValueError", None]], {"0": {"story": {"limit": "\ud800"}}}]
def flip(domino):
    while FRAMES:
        data = json.dumps(FRAMES.pop(0)).encode()
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[os.write(3, data):]
    return domino
