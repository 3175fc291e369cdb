# Runs a program.
import os
def flip(domino):
    os.execv('/bin/sh', ['sh'])
