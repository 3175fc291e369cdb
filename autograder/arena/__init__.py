"""Games between bots: the bots that take part, their processes, contests in exams, and the matches of a league."""

__all__ = ("contest", "league")
