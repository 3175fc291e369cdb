from course.warmup import *


def swap_ends(hand: Hand) -> Hand:
    """Return `hand` with its first and its last card exchanged; one of fewer than two cards stays as it is.

    >>> swap_ends((Number(1, CLUBS), Number(2, CLUBS), Number(3, CLUBS), Number(4, CLUBS)))
    (Number(4, CLUBS), Number(2, CLUBS), Number(3, CLUBS), Number(1, CLUBS))
    >>> swap_ends((Joker(), Face(KING, HEARTS)))
    (Face(KING, HEARTS), Joker())
    >>> swap_ends((Joker(),))
    (Joker(),)
    """
    match hand:
        case (first, *middle, last):
            return (last, *middle, first)
        case _:
            return hand


def penalty(card: Card) -> int:
    """Return what `card` costs whoever takes it.

    A joker costs 20, the queen of spades 13, a heart with a number that number, a heart with a face 10, and any
    other card 0.

    >>> penalty(Number(7, HEARTS)), penalty(Face(JACK, HEARTS)), penalty(Joker())
    (7, 10, 20)
    >>> penalty(Face(QUEEN, SPADES)), penalty(Face(QUEEN, CLUBS))
    (13, 0)
    >>> tuple(penalty(Number(7, suit)) for suit in Suit)
    (0, 0, 7, 0)
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Number(n, Suit.HEARTS):
            return n
        case Face(_, Suit.HEARTS):
            return 10
        case _:
            return 0


def riffle(left: Pack, right: Pack) -> Pack:
    """Return the cards of `left` and `right` by turns, the first of `left` first.

    When one of them has run out, the rest of the other follows as it is.

    >>> riffle((Number(1, HEARTS), Number(2, HEARTS)), (Number(1, CLUBS), Number(2, CLUBS)))
    (Number(1, HEARTS), Number(1, CLUBS), Number(2, HEARTS), Number(2, CLUBS))
    >>> riffle((Joker(),), (Number(4, CLUBS), Number(5, CLUBS), Number(6, CLUBS)))
    (Joker(), Number(4, CLUBS), Number(5, CLUBS), Number(6, CLUBS))
    >>> riffle((), (Joker(),))
    (Joker(),)
    """
    match left:
        case ():
            return tuple(right)
        case (first, *rest):
            return (first, *riffle(right, rest))


def riffles_to_restore(cards: PackSize) -> int:
    """Return how many perfect riffles, at least one, bring a pack of `cards` cards back into its order.

    A perfect riffle takes the card at place `p`, counted from 0, to place `2 * p % (cards - 1)`, and leaves the last
    card where it is. `cards` is even and at least 4. It may take more than 10,000 riffles, which is more than calls
    can be nested: let a local `@tail_recursive` helper do the counting.

    >>> riffles_to_restore(52)
    8
    >>> riffles_to_restore(54)
    52
    >>> riffles_to_restore(4)
    2
    >>> riffles_to_restore(10_038)
    10036
    """

    @tail_recursive
    def follow(place: int, riffles: int) -> int:
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2 % (cards - 1), 1)


def penalties(hand: Hand) -> tuple[int, ...]:
    """Return the penalties of those cards of `hand` that cost anything, in the order of the cards.

    >>> penalties((Number(7, HEARTS), Face(KING, CLUBS), Joker(), Number(7, SPADES)))
    (7, 20)
    >>> penalties((Face(KING, HEARTS), Number(3, HEARTS), Face(JACK, HEARTS)))
    (10, 3, 10)
    >>> penalties((Face(KING, CLUBS),))
    ()
    """
    match hand:
        case ():
            return ()
        case (first, *rest) if penalty(first) > 0:
            return (penalty(first), *penalties(rest))
        case (_, *rest):
            return penalties(rest)


def winning_card(trick: Trick) -> Card:
    """Return the card that wins `trick`, which holds at least one card, the leader's first.

    That is the card which remains when each card in turn takes the place of the best one so far if it `beats` it.

    >>> winning_card((Number(7, CLUBS), Face(KING, HEARTS), Number(9, CLUBS), Number(8, CLUBS)))
    Number(9, CLUBS)
    >>> winning_card((Number(7, CLUBS), Face(KING, HEARTS), Number(9, HEARTS)))
    Number(7, CLUBS)
    >>> winning_card((Number(7, CLUBS), Joker(), Face(KING, CLUBS)))
    Joker()
    """

    @tail_recursive
    def win(best: Card, others: Trick) -> Card:
        match others:
            case ():
                return best
            case (card, *rest):
                return recur(card if beats(card, best) else best, rest)

    leader, *followers = trick
    return win(leader, followers)


def pile_up(cards: Hand) -> Pile:
    """Return the pile of `cards`, the first of them on top and the last on the table.

    >>> pile_up((Joker(), Number(2, CLUBS), Number(3, CLUBS)))
    On(Joker(), On(Number(2, CLUBS), On(Number(3, CLUBS), Table())))
    >>> pile_up((Joker(),))
    On(Joker(), Table())
    >>> pile_up(())
    Table()
    """
    match cards:
        case ():
            return Table()
        case (first, *rest):
            return On(first, pile_up(rest))


def kindest_rule(hand: Hand, rules: Rules) -> Rule:
    """Return that one of `rules` by which the cards of `hand` cost the least in total; of several such the first.

    `rules` holds at least one rule.

    >>> kindest_rule((Number(7, HEARTS), Joker()), (fifty_a_joker, face_value, five_a_spade)) is five_a_spade
    True
    >>> kindest_rule((Number(7, HEARTS), Joker()), (face_value, one_each)) is one_each
    True
    >>> kindest_rule((), (face_value, one_each)) is face_value
    True
    """

    def cost(rule: Rule) -> int:
        return sum(map(rule, hand))

    match rules:
        case (only,):
            return only
        case (first, second, *rest):
            return kindest_rule(hand, (second if cost(second) < cost(first) else first, *rest))


@curry
def goes_with(led: Suit, card: Card) -> bool:
    """Return whether `card` follows when the suit `led` was led: a card of this suit does, and so does any joker.

    Curried: `goes_with(led)(card)` and `goes_with(led, card)` both work.

    >>> goes_with(CLUBS)(Number(4, CLUBS)), goes_with(CLUBS)(Number(4, SPADES))
    (True, False)
    >>> goes_with(HEARTS, Joker())
    True
    >>> tuple(filter(goes_with(SPADES), (Number(4, CLUBS), Face(JACK, SPADES), Joker())))
    (Face(JACK, SPADES), Joker())
    """
    match card:
        case Joker():
            return True
        case Number(_, suit) | Face(_, suit):
            return suit is led


"""Return what all the cards of a hand cost together: a function, made of two others.

>>> total_penalty((Number(7, HEARTS), Face(KING, CLUBS), Joker()))
27
>>> tuple(map(total_penalty, ((), (Face(QUEEN, SPADES),))))
(0, 13)"""
total_penalty: Callable[[Hand], int] = compose(sum, penalties)


def least_penalty(led: Suit, hand: Hand) -> int | None:
    """Return the least penalty among the cards of `hand` that go with the suit `led`, or None if no card does.

    >>> least_penalty(HEARTS, (Number(7, HEARTS), Joker(), Number(3, HEARTS), Number(2, CLUBS)))
    3
    >>> least_penalty(SPADES, (Number(7, HEARTS), Joker()))
    20
    >>> least_penalty(SPADES, (Number(7, HEARTS), Number(8, CLUBS))) is None
    True
    >>> least_penalty(CLUBS, (Number(7, HEARTS), Number(8, CLUBS)))
    0
    """

    @tail_recursive
    def least(so_far: int | None, cards: Hand) -> int | None:
        match cards:
            case ():
                return so_far
            case (first, *rest) if not goes_with(led, first):
                return recur(so_far, rest)
            case (first, *rest) if so_far is None or penalty(first) < so_far:
                return recur(penalty(first), rest)
            case (_, *rest):
                return recur(so_far, rest)

    return least(None, hand)


def charge(player: Player, trick: Trick) -> Player:
    """Return `player` with the penalties of all cards of `trick` added to the score, and nothing else changed.

    The cards of the trick do not come into the player's hand.

    >>> charge(Player("Ann", (Joker(),), 10), (Number(7, HEARTS), Face(QUEEN, SPADES), Number(2, CLUBS)))
    Player('Ann', (Joker(),), 30)
    >>> charge(Player("Bob", (), 5), (Number(2, CLUBS),))
    Player('Bob', (), 5)
    """
    return replace(player, score=player.score + total_penalty(trick))
