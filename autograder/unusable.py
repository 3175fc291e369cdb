"""What somebody gave that cannot be used, whoever finds it: `foldem` says so in one line, and imports none for it."""


class Unusable(Exception):
    """Nothing can be done with what was given; the message is one line."""
