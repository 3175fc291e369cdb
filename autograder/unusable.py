"""The base class of errors in a user's input. `foldem` prints their messages in one line."""


class Unusable(Exception):
    """Raised for input that cannot be used. The message is one line."""
