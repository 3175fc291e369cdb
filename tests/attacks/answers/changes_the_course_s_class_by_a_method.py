# Sets attributes of the course's class by a method of its own class, and answers wrong.
class Mine:
    def turn(self, value):
        self.left = value
        self.right = value
Mine.turn(Domino, 1)
def flip(domino):
    return domino
