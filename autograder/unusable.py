"""The base class of errors in a user's input; `foldem` prints their message in one line. It imports nothing."""


class Unusable(Exception):
    """Raised for input that cannot be used; the message is one line."""
