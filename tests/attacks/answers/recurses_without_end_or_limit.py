# Recurses without end or limit.
import sys
sys.setrecursionlimit(10**9)
def flip(domino):
    return flip(domino)
