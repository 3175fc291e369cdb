# Runs programs by every way that Python has.
import os, subprocess
def flip(domino):
    for run in (lambda: os.system("id"), lambda: os.popen("id").read(), lambda: subprocess.check_output("id"),
                lambda: os.posix_spawn("/bin/sh", ["sh"], {})):
        try:
            seen = run()
        except OSError as error:
            last = error
    raise last
