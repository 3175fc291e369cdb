# Takes as long as an argument says, so that limits of time tell about it.
def is_sound(chain):
    total = 0
    for number in range(len(repr(chain)) * 40000):
        total += number
    return total
