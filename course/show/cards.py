"""French playing cards, for the units of any pack: `CARD`, with codes such as `QS`, `10H`, `joker` and `back`."""

from __future__ import annotations

from course.show.drawing import EDGE, INK, PAPER, RED_INK, at, box, letters, path, turned
from course.show.kinds import PictureKind, PictureLook, Printed, Size

NUMBER_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(digits: str) -> str:
    """Return a small number as a word.

    >>> number_word("7"), number_word("12")
    ('seven', '12')
    """
    return NUMBER_NAMES[int(digits)] if int(digits) < len(NUMBER_NAMES) else digits


def listed(names: list[str]) -> str:
    """Return names joined by commas and "and".

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


CARD_SIZE, CARD_IN_CODE, CARD_IN_RUN = (70, 104), Size(29.5, 44, 0.42), Size(19, 28, 0.265)
COURT = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUIT_NAMES = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
SUIT_SIGNS = {"H": "♥", "D": "♦", "S": "♠", "C": "♣"}
INK_ON_PAPER, RED_ON_PAPER, BACK = f"{INK} on {PAPER}", f"{RED_INK} on {PAPER}", "#9db7dc on #28456b"
SMALL = 0.75  # pictures with a smaller scale are printed with fewer characters
SUIT_PATHS = {
    "H": "M0,10C-13,1 -10,-10 -4.6,-9.4C-2,-9 0,-6.6 0,-4.8C0,-6.6 2,-9 4.6,-9.4C10,-10 13,1 0,10Z",
    "D": "M0,-11C2,-7 5,-3 8,0C5,3 2,7 0,11C-2,7 -5,3 -8,0C-5,-3 -2,-7 0,-11Z",
    "S": "M0,-10.5C12.5,-1 9.5,7.5 4.8,7.2C2.8,7 1.2,6 .7,4.6C1,7.6 2,9.2 4,10.5H-4C-2,9.2 -1,7.6 -.7,4.6"
    "C-1.2,6 -2.8,7 -4.8,7.2C-9.5,7.5 -12.5,-1 0,-10.5Z",
    "C": "M0,-10.5A4.7,4.7 0 0 1 3.4,-2.6A4.7,4.7 0 1 1 .8,4.4C1,7.6 2,9.2 4,10.5H-4C-2,9.2 -1,7.6 -.8,4.4"
    "A4.7,4.7 0 1 1 -3.4,-2.6A4.7,4.7 0 0 1 0,-10.5Z",
}
SUIT_INKS = {"H": RED_INK, "D": RED_INK, "S": INK, "C": INK}
CROWN = "M-13,7L-15,-6L-7,0L0,-10L7,0L15,-6L13,7Z"
HAT = "M-13,7C-14,-3 -8,-8 0,-8C8,-8 14,-3 13,7ZM8,-6C12,-16 18,-15 20,-11C15,-12 12,-8 11,-3Z"
PIP_COLUMNS = {1: "0,0", 2: "0,-2 0,2", 3: "0,-2 0,0 0,2", 4: "-1,-2 1,-2 -1,2 1,2"} | {
    5: "-1,-2 1,-2 0,0 -1,2 1,2",
    6: "-1,-2 1,-2 -1,0 1,0 -1,2 1,2",
    7: "-1,-2 1,-2 0,-1 -1,0 1,0 -1,2 1,2",
    8: "-1,-2 1,-2 0,-1 -1,0 1,0 0,1 -1,2 1,2",
    9: "-1,-2 1,-2 -1,-.67 1,-.67 0,0 -1,.67 1,.67 -1,2 1,2",
    10: "-1,-2 1,-2 0,-1.33 -1,-.67 1,-.67 -1,.67 1,.67 0,1.33 -1,2 1,2",
}


def card(what: str) -> str:
    """Return a French card by rank and suit (`QS`, `10H`), or one of `joker`, `back` and `ghost`."""
    if what == "back":
        return box(70, 104, PAPER, EDGE, 8) + box(58, 92, "#28456b", "#28456b", 4) + card_back("#5f7fae")
    if what == "ghost":
        return box(70, 104, "#ffffff10", "#ffe08a", 8, 'stroke-width="2" stroke-dasharray="6 4"')
    if what == "joker":
        return box(70, 104, PAPER, EDGE, 8) + at(0, -12, path(HAT, RED_INK), 1.1) + letters("JOKER", 0, 26, 13)
    rank, suit = what[:-1], what[-1]
    size = 11 if rank == "10" else 15
    corner = letters(rank, -26, -41, size, SUIT_INKS[suit]) + at(-26, -27, path(SUIT_PATHS[suit], SUIT_INKS[suit]), 0.5)
    return box(70, 104, PAPER, EDGE, 8) + corner + at(0, 0, corner, turn=180) + middle(rank, suit)


def middle(rank: str, suit: str) -> str:
    """Return the middle of a card: pips, one large pip, or a framed letter below a crown or a hat."""
    pip = path(SUIT_PATHS[suit], SUIT_INKS[suit])
    if rank == "A":
        return at(0, 0, pip, 2)
    if rank in "JQK":
        hat = at(0, -22, path(HAT if rank == "J" else CROWN, SUIT_INKS[suit]), 0.72 if rank != "K" else 0.9)
        frame = box(34, 76, "none", SUIT_INKS[suit], 4, 'stroke-opacity=".5"')
        return frame + hat + letters(rank, 0, 3, 24, SUIT_INKS[suit]) + at(0, 26, pip, 0.8)
    spots = (map(float, spot.split(",")) for spot in PIP_COLUMNS[int(rank)].split())
    return "".join(at(x * 9.5, y * 16, pip if y <= 0 else turned(pip), 0.55) for x, y in spots)


def card_back(ink: str) -> str:
    """Return the pattern on a card's back."""
    lines = "".join(f"M{x},-40L{x + 20},0L{x},40" for x in (-24, -10, 4))
    return f'<path d="{lines}" fill="none" stroke="{ink}" stroke-width="2"/>'


# ------------------------------------------------------------------------------------------------ in words


def card_name(code: str) -> str:
    """Return the name of a card.

    >>> card_name("10H"), card_name("QS"), card_name("joker")
    ('ten of hearts', 'queen of spades', 'joker')
    """
    if code == "joker":
        return code
    return f"{COURT.get(code[:-1]) or number_word(code[:-1])} of {SUIT_NAMES[code[-1]]}"


# ------------------------------------------------------------------------------------------------ in a terminal


def boxed(first: str, middle: str, last: str) -> list[str]:
    """Return a card as lines of characters."""
    return ["┌─────┐", f"│{first:<5}│", f"│{middle:^5}│", f"│{last:>5}│", "└─────┘"]


def printed_card(code: str, look: PictureLook) -> Printed:
    """Return a card as lines of characters, with their colors."""
    if code == "back":
        return (["▒▒"] * 2 if look.scale < SMALL else ["▒▒▒▒▒▒▒"] * 5), BACK
    if code == "ghost":
        return boxed("", "", ""), "yellow"
    if code == "joker":
        return boxed("", "JOKER", ""), RED_ON_PAPER
    rank, suit = code[:-1], SUIT_SIGNS[code[-1]]
    return boxed(rank, suit, rank), RED_ON_PAPER if suit in "♥♦" else INK_ON_PAPER


CARD = PictureKind(card, card_name, CARD_SIZE, printed_card, CARD_IN_CODE, CARD_IN_RUN)
