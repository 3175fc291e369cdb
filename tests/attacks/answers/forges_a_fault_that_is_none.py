# Writes frames of its own on the channel: a fault that is none.
import os, json
OK = ["ok", ["v", "Domino", 3, 2]]
DEEP = b"[" * 900 + b"]" * 900
FRAMES = [[['fault', 'was right']], {}]
def flip(domino):
    while FRAMES:
        frame = FRAMES.pop(0)
        data = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[os.write(3, data):]
    return domino
