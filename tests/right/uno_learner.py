from course.uno import *


@curry
def precedes(equal: Callable[[A, A], bool], items: tuple[A, ...], first: A, second: A) -> bool:
    """Return whether `first` stands in `items` no later than `second`, where `equal` tells which values are the same.

    No two of `items` are equal. A value that stands in `items` comes before one that does not; if neither does, the
    answer is False (IllegalGame is accepted as well). Curried: `precedes(equal)(items)(first)(second)` works too.

    >>> precedes(same_number, (1, 2, 3, 4, 5), 4, 5)
    True
    >>> precedes(same_number)((1, 2, 3, 4, 5))(5)(4)
    False
    >>> precedes(same_letter, ("x", "Y"), "y", "Y")
    True
    """

    def nearer(item: A, later: bool) -> bool:
        return equal(item, first) or (later and not equal(item, second))

    return fold_right(nearer, False, items)


"""Return whether the first of two colors is not greater than the second, in the order of `COLORS`.

Must use `precedes`. Curried: `color_is_lt(BLUE)(GREEN)` works too.

>>> color_is_lt(BLUE, GREEN)
True
>>> color_is_lt(RED)(GREEN)
False
>>> color_is_lt(RED, RED)
True"""
color_is_lt: Callable[[Color, Color], bool] = precedes(is_same_color, COLORS)


"""Return whether the first of two ranks is not greater than the second, in the order of `RANKS`.

Must use `precedes`. Curried: `rank_is_lt(Num(3))(Skip())` works too.

>>> rank_is_lt(Num(3), Skip())
True
>>> rank_is_lt(DrawTwo())(Reverse())
False"""
rank_is_lt: Callable[[Rank, Rank], bool] = precedes(is_same_rank, RANKS)


def is_lt(first: Card, second: Card) -> bool:
    """Return whether the card `first` is not greater than the card `second`.

    Any wild card is greater than any ordinary one, and a wild draw four is greater than a wild. Of two ordinary cards
    the color decides, and within one color the rank. No card is greater than itself.

    >>> is_lt(Wild(), Crd(Num(3), BLUE))
    False
    >>> is_lt(Crd(Skip(), BLUE), Crd(Num(3), RED))
    True
    >>> is_lt(Wild(), Wild())
    True
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color) if is_same_color(color, other_color):
            return rank_is_lt(rank, other_rank)
        case Crd(_, color), Crd(_, other_color):
            return color_is_lt(color, other_color)
        case (_, Crd()) | (WildDrawFour(), Wild()):
            return False
        case _:
            return True


"""Return the cards sorted from the greatest to the smallest.

Must use `merge_sort` and `is_lt`.

>>> card_sort((Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)))
(Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN), Crd(Num(5), GREEN), Crd(Reverse(), YELLOW), Crd(Num(8), YELLOW), Crd(Num(2), YELLOW))"""
card_sort: Callable[[Cards], Cards] = merge_sort(is_lt)


def card_value(card: Card) -> int:
    """Return what a card is worth: a number card its number, an action card 20, a wild card of either kind 50.

    >>> card_value(Crd(DrawTwo(), GREEN))
    20
    >>> card_value(Crd(Num(0), RED))
    0
    """
    match card:
        case Crd(Num(number), _):
            return number
        case Crd():
            return 20
        case _:
            return 50


def sum_cards(cards: Cards) -> int:
    """Return what the cards are worth together; no cards are worth 0.

    Must use `card_value`.

    >>> sum_cards((Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
    ...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)))
    125
    """
    return fold_left(lambda total, card: total + card_value(card), 0, cards)


def opposite_dir(direction: Direction) -> Direction:
    """Return the other direction of play.

    >>> opposite_dir(CLOCKWISE)
    COUNTERCLOCKWISE
    """
    match direction:
        case Direction.CLOCKWISE:
            return COUNTERCLOCKWISE
        case _:
            return CLOCKWISE


def remove_card(cards: Cards, card: Card, error: Exception) -> Cards:
    """Return `cards` without the first occurrence of `card`, in their order; raises `error` if there is none.

    Must use `is_same_card`.

    >>> remove_card((Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
    ...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)), Crd(Num(5), GREEN), IndexError())
    (Crd(Num(2), YELLOW), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW), Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN))
    >>> remove_card((Wild(), Crd(Num(5), GREEN), Wild()), Wild(), IndexError())
    (Crd(Num(5), GREEN), Wild())
    >>> remove_card((Wild(),), Crd(Num(5), GREEN), LookupError("no such card"))
    Traceback (most recent call last):
        ...
    LookupError: no such card
    """

    def step(walked: tuple[bool, Cards], item: Card) -> tuple[bool, Cards]:
        match walked:
            case (False, seen) if is_same_card(item, card):
                return True, seen
            case (found, seen):
                return found, (item, *seen)

    match fold_left(step, (False, ()), cards):
        case (True, seen):
            return rev_append(seen, ())
        case _:
            raise error


def card_count(card: Card) -> int:
    """Return how many copies of `card` there are in the deck.

    >>> card_count(Wild())
    4
    >>> card_count(Crd(Num(7), BLUE))
    2
    """
    match card:
        case Crd(Num(0), _):
            return 1
        case Crd():
            return 2
        case _:
            return 4


"""All 108 cards of the game, each as often as `card_count` says, in any order.

>>> len(deck)
108
>>> deck.count(Wild()), deck.count(Crd(Num(0), RED)), deck.count(Crd(Skip(), BLUE))
(4, 1, 2)"""
deck: Cards = fold_left(
    lambda cards, card: add_n_copies(card, cards, card_count(card)),
    (),
    (*WILDS, *(Crd(rank, color) for color in COLORS for rank in RANKS)),
)


def deal(players: Players) -> Desk:
    """Return the desk right after the deal; prints an empty line and `Player X deals.`, X being the first of `players`.

    `players` sit clockwise, the dealer first, and keep that order. Shuffle the whole `deck` once, with `shuffle_list`.
    The dealer gets the first seven cards, the next player the following seven, and so on (in place of any cards they
    had; the order within a hand is free). The card after that is the pile, the rest in its order the deck. The state is
    `Proceed()`, the direction CLOCKWISE, the memory empty. The pile may well begin with a wild card: that is
    `desk_normalize`'s business. Must use `pass_cards`.

    >>> desk, text = transcript(deal, ten_players(first_playable))
    >>> text
    '\\nPlayer Sergey deals.\\n'
    >>> tuple(len(player.cards) for player in desk.players), len(desk.pile), len(desk.deck)
    ((7, 7, 7, 7, 7, 7, 7, 7, 7, 7), 1, 37)
    """

    def serve(dealt: tuple[Players, Cards], player: Player) -> tuple[Players, Cards]:
        served, waiting = dealt
        left, hand = pass_cards(waiting, (), 7)
        return (*served, player.with_cards(hand)), left

    print(f"\nPlayer {players[0].name} deals.")
    served, left = fold_left(serve, ((), shuffle_list(deck)), players)
    rest, pile = pass_cards(left, (), 1)
    return Desk(served, pile, rest, Proceed(), CLOCKWISE, ())


def is_sound(desk: Desk) -> bool:
    in_hands = tuple(card for player in desk.players for card in player.cards)
    cards = in_hands + desk.pile + desk.deck
    return len(cards) == 108 and all(cards.count(card) == deck.count(card) for card in set(cards))


def next_player(desk: Desk) -> Desk:
    """Return the desk with the turn passed on: clockwise the first player goes to the end of the list, counterclockwise
    the last comes to the front; prints `The turn of X` with `whose_turn`, X being the player whose turn it is now.

    >>> sergey, pavel, saveliy = players = ten_players(false_strategy)[:3]
    >>> desk, text = transcript(next_player, Desk(players, (), (), Proceed(), CLOCKWISE, ()))
    >>> desk.players == (pavel, saveliy, sergey), text
    (True, 'The turn of Pavel\\n')
    >>> transcript(next_player, Desk(players, (), (), Proceed(), COUNTERCLOCKWISE, ()))[1]
    'The turn of Saveliy\\n'
    """

    def turned() -> Players:
        match desk.direction, desk.players:
            case Direction.CLOCKWISE, (first, *others):
                return (*others, first)
            case _, (*others, last):
                return (last, *others)

    return whose_turn(desk.with_players(turned()))


@tail_recursive
def desk_normalize(desk: Desk) -> Desk:
    """Return the desk, as `deal` left it, ready for the first turn.

    While the one card of the pile is a wild card, pile and deck are shuffled together (one `shuffle_list` of all these
    cards each time); the first of them is the new pile, the others the deck. Then: a reverse turns the direction
    around and leaves the dealer to begin, printed with `whose_turn`; any other card passes the turn with `next_player`,
    and a skip or draw two also sets the state to `Execute()`. Must use `next_player` and `shuffle_list`.

    >>> players = ten_players(false_strategy)[:2]
    >>> start = Desk(players, (Crd(Skip(), RED),), (Wild(), Crd(Num(1), RED)), Proceed(), CLOCKWISE, ())
    >>> desk, text = transcript(desk_normalize, start)
    >>> desk.state, text
    (Execute(), 'The turn of Pavel\\n')
    >>> desk, text = transcript(desk_normalize, start.with_pile((Crd(Reverse(), RED),)))
    >>> desk.state, desk.direction, text
    (Proceed(), COUNTERCLOCKWISE, 'The turn of Sergey\\n')
    """
    match desk.pile[0]:
        case Wild() | WildDrawFour():
            rest, pile = pass_cards(shuffle_list(desk.pile + desk.deck), (), 1)
            return recur(desk.with_pile(pile).with_deck(rest))
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk)


def draw(desk: Desk) -> Desk:
    """Return the desk after the first player has drawn the top card of the deck; the order of a hand is free.

    If the deck is empty, all cards of the pile but the top one are shuffled first (one `shuffle_list`) and become the
    deck; a deck that this very draw empties stays empty. IllegalGame if there is nothing to draw even so.
    Must use `shuffle_list`.

    >>> sergey, pavel = ten_players(false_strategy)[:2]
    >>> desk = Desk((sergey, pavel), (Crd(Num(5), RED), Wild()), (Crd(Num(1), RED),), Proceed(), CLOCKWISE, ())
    >>> draw(desk).players[0].cards, draw(desk).deck
    ((Crd(Num(1), RED),), ())
    >>> draw(draw(desk)).pile, draw(draw(desk)).deck
    ((Crd(Num(5), RED),), ())
    """

    def draw_from(supply: Cards, pile: Cards) -> Desk:
        match supply, desk.players:
            case (card, *rest), (player, *others):
                served = player.with_cards((card, *player.cards))
                return desk.with_players((served, *others)).with_pile(pile).with_deck(tuple(rest))
            case _:
                raise IllegalGame

    match desk.deck, desk.pile:
        case (), (top, *others):
            return draw_from(shuffle_list(others), (top,))
        case _:
            return draw_from(desk.deck, desk.pile)


"""Return the desk after the first player has drawn two cards, one after the other, as `draw` does.

Must use `draw` and `compose`.

>>> start = Desk(ten_players(false_strategy)[:2], (Wild(),), (Crd(Num(1), RED),) * 5, Proceed(), CLOCKWISE, ())
>>> tuple(len(player.cards) for player in draw_two(start).players), len(draw_two(start).deck)
((2, 0), 3)"""
draw_two: Callable[[Desk], Desk] = compose(draw, draw)


"""Return the desk after the first player has drawn four cards, one after the other, as `draw` does.

Must use `draw_two` and `compose`.

>>> start = Desk(ten_players(false_strategy)[:2], (Wild(),), (Crd(Num(1), RED),) * 5, Proceed(), CLOCKWISE, ())
>>> tuple(len(player.cards) for player in draw_four(start).players), len(draw_four(start).deck)
((4, 0), 1)"""
draw_four: Callable[[Desk], Desk] = compose(draw_two, draw_two)


@curry
def playable_when_wild(color: Color, card: Card) -> bool:
    """Return whether `card` may be laid on a wild card when `color` is ordered: that color, or any wild card.

    Must use `is_same_color`. Curried: `playable_when_wild(color)(card)` works too.

    >>> playable_when_wild(BLUE)(WildDrawFour())
    True
    >>> playable_when_wild(BLUE, Crd(Num(3), RED))
    False
    """
    match card:
        case Crd(_, own):
            return is_same_color(own, color)
        case _:
            return True


@curry
def playable_when_exec(rank: Penalty, card: Card) -> bool:
    """Return whether `card` answers the action card of this `rank` on the pile in the state `Execute()`: only the same
    rank does, in any color.

    Must use `is_same_rank`. Curried: `playable_when_exec(rank)(card)` works too.

    >>> playable_when_exec(Skip())(WildDrawFour())
    False
    >>> playable_when_exec(Skip(), Crd(Skip(), RED))
    True
    """
    match card:
        case Crd(own, _):
            return is_same_rank(own, rank)
        case _:
            return False


@curry
def playable_when_proc(face: tuple[Rank, Color], card: Card) -> bool:
    """Return whether `card` may be laid on the ordinary card with this `face`, a pair of rank and color, in the state
    `Proceed()`: the same rank, the same color, or any wild card.

    Must use `is_same_color` and `is_same_rank`. Curried: `playable_when_proc(face)(card)` works too.

    >>> playable_when_proc((Num(5), RED))(Crd(Skip(), RED))
    True
    >>> playable_when_proc((Num(5), RED), Crd(Num(5), BLUE))
    True
    >>> playable_when_proc((Num(5), RED), Crd(Num(6), BLUE))
    False
    """
    rank, color = face
    match card:
        case Crd(own_rank, own_color):
            return is_same_rank(own_rank, rank) or is_same_color(own_color, color)
        case _:
            return True


def cards_to_play(desk: Desk) -> Cards:
    """Return the cards of the first player that may be laid on the pile in the desk's state, in the order of the hand.

    A wild card on the pile goes with the state `Give(color)`, an ordinary one with `Proceed()` or `Execute()`:
    IllegalGame if `Give` meets an ordinary card, or another state a wild one.
    Must use `playable_when_wild`, `playable_when_exec` and `playable_when_proc`.

    >>> sergey, pavel = ten_players(false_strategy)[:2]
    >>> hand = (Crd(Skip(), RED), Crd(Num(5), BLUE), Wild(), Crd(Skip(), GREEN))
    >>> desk = Desk((sergey.with_cards(hand), pavel), (Crd(Skip(), BLUE),), (), Proceed(), CLOCKWISE, ())
    >>> cards_to_play(desk)
    (Crd(Skip(), RED), Crd(Num(5), BLUE), Wild(), Crd(Skip(), GREEN))
    >>> cards_to_play(desk.with_state(Execute()))
    (Crd(Skip(), RED), Crd(Skip(), GREEN))
    >>> cards_to_play(desk.with_state(Give(RED)).with_pile((Wild(),)))
    (Crd(Skip(), RED), Wild())
    """

    def test() -> Callable[[Card], bool]:
        match desk.state, desk.pile[0]:
            case Give(color), Wild() | WildDrawFour():
                return playable_when_wild(color)
            case Execute(), Crd(rank, _):
                return playable_when_exec(rank)
            case Proceed(), Crd(rank, color):
                return playable_when_proc((rank, color))
            case _:
                raise IllegalGame

    return tuple(filter(test(), desk.players[0].cards))


def required_color(desk: Desk) -> Color:
    """Return the color that the desk asks for: the ordered one if a wild card lies on top, else the top card's.

    IllegalGame if the state `Give` meets an ordinary card, or another state a wild one.

    >>> desk = Desk(ten_players(false_strategy)[:2], (Crd(Num(5), RED),), (), Proceed(), CLOCKWISE, ())
    >>> required_color(desk)
    RED
    >>> required_color(desk.with_pile((Wild(),)).with_state(Give(GREEN)))
    GREEN
    """
    match desk.state, desk.pile[0]:
        case (Give(color), Wild() | WildDrawFour()) | (Proceed() | Execute(), Crd(_, color)):
            return color
        case _:
            raise IllegalGame


def has_color(color: Color, cards: Cards) -> bool:
    """Return whether there is a card of this color among `cards`; wild cards have no color.

    >>> has_color(RED, (Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
    ...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)))
    True
    >>> has_color(RED, (Wild(), WildDrawFour()))
    False
    """

    def is_of_color(card: Card) -> bool:
        match card:
            case Crd(_, own):
                return is_same_color(own, color)
            case _:
                return False

    return find(is_of_color, cards) is not None


def count_cards(desk: Desk) -> tuple[int, ...]:
    """Return how many cards each player holds, in the order of the desk's players.

    >>> sergey, pavel = ten_players(false_strategy)[:2]
    >>> count_cards(Desk((sergey, pavel.with_cards((Wild(), Wild()))), (), (), Proceed(), CLOCKWISE, ()))
    (0, 2)
    """
    return tuple(len(player.cards) for player in desk.players)


def naive(
    state: State,
    hand: Cards,
    playable: Cards,
    top: Card,
    direction: Direction,
    memory: Moves,
    counts: tuple[int, ...],
) -> Move:
    """Return the move with the greatest of the `playable` cards, whatever the other arguments are.

    With an ordinary card it is a `Simple` move. With a wild card it is an `Order` of a random color: shuffle `COLORS`
    (one `shuffle_list`, and none for an ordinary card) and take the first. Must use `card_sort` and `shuffle_list`.

    >>> playable = (Crd(Num(9), YELLOW), Crd(Skip(), RED), Crd(Num(9), RED))
    >>> naive(Proceed(), (Wild(), *playable), playable, Crd(Num(9), RED), CLOCKWISE, (), (4, 7))
    Simple(Crd(Skip(), RED))
    >>> naive(Give(BLUE), (Wild(),), (Wild(),), Wild(), CLOCKWISE, (), (1, 7)).card
    Wild()
    """
    match card_sort(playable)[0]:
        case Crd() as card:
            return Simple(card)
        case card:
            return Order(card, shuffle_list(COLORS)[0])


def move_action(move: Move, desk: Desk, had_color: bool) -> Desk:
    """Return the desk after the effect of `move`, whose card is on the pile and which is in the memory already.

    `had_color` tells whether the mover held a card of the required color. The table above says what each move does;
    every time that the turn passes, `next_player` prints it. `move` is never `Pass()`.

    >>> start = dialogue_desk(first_playable).with_players(ten_players(false_strategy)[:3])
    >>> def played(move, had_color):
    ...     desk, text = transcript(move_action, move, start, had_color)
    ...     return desk.state, tuple(len(player.cards) for player in desk.players), desk.memory[0], text
    >>> played(Order(WildDrawFour(), RED), True)
    (Give(RED), (0, 0, 4), Order(Wild(), RED), 'The turn of Pavel\\n')
    >>> played(Order(WildDrawFour(), RED), False)
    (Give(RED), (0, 0, 4), Pass(), 'The turn of Pavel\\nThe turn of Saveliy\\n')
    >>> played(Simple(Crd(Reverse(), BLUE)), False)
    (Proceed(), (0, 0, 0), Order(Wild(), RED), 'The turn of Saveliy\\n')
    >>> played(Simple(Crd(DrawTwo(), BLUE)), True)
    (Execute(), (0, 0, 0), Order(Wild(), RED), 'The turn of Pavel\\n')
    """

    def in_state(state: State) -> Desk:
        return desk.with_state(state)

    match move:
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(in_state(Execute()))
        case Simple(Crd(Reverse(), _)):
            return next_player(in_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple():
            return next_player(in_state(Proceed()))
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(in_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(in_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(in_state(Give(color)))


def ask_player_for_card(player: Player, args: Args) -> tuple[Player, Move]:
    """Return the player and the move that the player chooses, told `args`.

    A player who is not manual is asked by calling the own strategy, once. A manual player is asked by calling `manual`;
    if the answer is `Pass()`, the player is automated and the own strategy asked. The player in the result is the
    automated one in that case, otherwise `player` as it was.

    >>> sergey, pavel = ten_players(first_playable)[:2]
    >>> hand = (Crd(Num(1), RED), Crd(Num(5), RED))
    >>> args = Args(Proceed(), hand, hand, Crd(Num(9), RED), CLOCKWISE, (), (2, 7))
    >>> ask_player_for_card(pavel, args)
    (Player('Pavel', (), first_playable, False), Simple(Crd(Num(1), RED)))
    >>> transcript(ask_player_for_card, sergey, args, typed=("0",))[0]
    (Player('Sergey', (), first_playable, True), Simple(Crd(Num(5), RED)))
    >>> transcript(ask_player_for_card, sergey, args, typed=("-1",))[0]
    (Player('Sergey', (), first_playable, False), Simple(Crd(Num(1), RED)))
    """

    def ask_strategy(asked: Player) -> tuple[Player, Move]:
        return asked, asked.strategy(*args)

    def ask_person() -> tuple[Player, Move]:
        match manual(*args):
            case Pass():
                return ask_strategy(player.automate())
            case move:
                return player, move

    return ask_person() if player.is_manual else ask_strategy(player)


def play(desk: Desk, cards: Cards) -> Desk:
    """Return the desk after the first player has laid one of `cards` (what `cards_to_play` gives, and not empty).

    The strategy is told, as `Args`: the desk's state, the whole hand, `cards`, the top of the pile, the direction, the
    memory, and what `count_cards` gives. If its move is `Pass()`, or its card is not among `cards`, nothing more is
    printed and `IllegalMove(name, args)` is raised with the player's name and these `Args`. Otherwise print
    `X made move` and, in the next line, the move as `to_string` gives it; one copy of the card goes from the hand to
    the top of the pile, the move into the memory, and `move_action` does the rest, told whether before the move the
    hand held a card of the color then required. On the desk stays the player that `ask_player_for_card` gave back.
    Must use `ask_player_for_card` and `move_action`.

    >>> sergey, pavel = ten_players(first_playable)[1:3]
    >>> hand = (Crd(Num(5), RED), Wild())
    >>> start = Desk((sergey.with_cards(hand), pavel), (Crd(Num(9), RED),), (), Proceed(), CLOCKWISE, ())
    >>> desk, text = transcript(play, start, hand)
    >>> text
    'Pavel made move\\nSIMPLE (CRD (NUM 5, RED))\\nThe turn of Saveliy\\n'
    >>> desk.players[1].cards, desk.pile, desk.memory
    ((Wild(),), (Crd(Num(5), RED), Crd(Num(9), RED)), (Simple(Crd(Num(5), RED)),))
    >>> stubborn = Player("Olga", (Wild(),), always_pass, False)
    >>> play(Desk((stubborn, pavel), (Crd(Num(9), RED),), (), Proceed(), CLOCKWISE, ()), (Wild(),))
    Traceback (most recent call last):
        ...
    IllegalMove: ('Olga', Args(state=Proceed(), hand=(Wild(),), playable=(Wild(),), \
top=Crd(Num(9), RED), direction=CLOCKWISE, memory=(), counts=(1, 0)))
    """
    first, *others = desk.players
    args = Args(desk.state, first.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    player, move = ask_player_for_card(first, args)
    refusal = IllegalMove(player.name, args)

    def is_offered(card: Card) -> bool:
        return find(lambda other: is_same_card(card, other), cards) is not None

    def laid(card: Card) -> Desk:
        print(f"{player.name} made move\n{to_string(move)}")
        lighter = player.with_cards(remove_card(player.cards, card, refusal))
        return desk.with_players((lighter, *others)).with_pile((card, *desk.pile)).add_memo(move)

    match move:
        case Simple(card) | Order(card, _) if is_offered(card):
            return move_action(move, laid(card), has_color(required_color(desk), first.cards))
        case _:
            raise refusal


def execution(desk: Desk) -> Desk:
    """Return the desk after the first player, in the state `Execute()`, has obeyed the skip or draw two on the pile.

    `Pass()` goes into the memory; for a draw two the player draws two cards; then the turn passes with `next_player`,
    which prints it, and the state becomes `Proceed()`. There are no other cases.

    >>> players = ten_players(false_strategy)[:2]
    >>> start = Desk(players, (Crd(DrawTwo(), RED),), (Wild(), Wild(), Wild()), Execute(), CLOCKWISE, ())
    >>> desk, text = transcript(execution, start)
    >>> tuple(len(player.cards) for player in desk.players), desk.state, desk.memory, text
    ((0, 2), Proceed(), (Pass(),), 'The turn of Pavel\\n')
    >>> desk, text = transcript(execution, start.with_pile((Crd(Skip(), RED),)))
    >>> tuple(len(player.cards) for player in desk.players), desk.state, desk.memory, text
    ((0, 0), Proceed(), (Pass(),), 'The turn of Pavel\\n')
    """
    obedient = desk.add_memo(Pass()).with_state(Proceed())
    match desk.pile[0]:
        case Crd(DrawTwo(), _):
            return next_player(draw_two(obedient))
        case _:
            return next_player(obedient)


def your_turn(desk: Desk) -> Desk:
    """Return the desk after one whole turn.

    If the first player has cards to play, one is played. If not, the player obeys in the state `Execute()`; in any
    other state the player draws one card and, if there is a card to play now, plays, and if not, misses the turn:
    `Pass()` goes into the memory and the turn passes with `next_player`, the state staying as it is.

    >>> pavel, saveliy = ten_players(first_playable)[1:3]
    >>> start = Desk((pavel, saveliy), (Crd(Num(9), RED),), (Crd(Num(5), RED), Wild()), Proceed(), CLOCKWISE, ())
    >>> transcript(your_turn, start)[1]
    'Pavel made move\\nSIMPLE (CRD (NUM 5, RED))\\nThe turn of Saveliy\\n'
    >>> desk, text = transcript(your_turn, start.with_deck((Crd(Num(5), BLUE), Wild())))
    >>> desk.players[1].cards, desk.memory, text
    ((Crd(Num(5), BLUE),), (Pass(),), 'The turn of Saveliy\\n')
    """

    def play_or(otherwise: Callable[[Desk], Desk], now: Desk) -> Desk:
        if cards := cards_to_play(now):
            return play(now, cards)
        return otherwise(now)

    def miss(now: Desk) -> Desk:
        return next_player(now.add_memo(Pass()))

    def draw_first(now: Desk) -> Desk:
        return play_or(miss, draw(now))

    match desk.state:
        case Execute():
            return play_or(execution, desk)
        case _:
            return play_or(draw_first, desk)


def player_loss(player: Player) -> tuple[str, int]:
    """Return the player's name and what the cards in hand are worth together.

    Must use `sum_cards`.

    >>> player_loss(Player("Olga", (Crd(Num(5), RED), Wild()), false_strategy, False))
    ('Olga', 55)
    """
    return player.name, sum_cards(player.cards)


def check_winner(desk: Desk) -> tuple[str, tuple[tuple[str, int], ...]] | None:
    """Return the name of the player without cards and everyone's loss, in desk order; None if all have cards.

    >>> sergey, pavel = ten_players(false_strategy)[:2]
    >>> desk = Desk((sergey.with_cards((Wild(),)), pavel), (Crd(Num(9), RED),), (), Proceed(), CLOCKWISE, ())
    >>> check_winner(desk)
    ('Pavel', (('Sergey', 50), ('Pavel', 0)))
    >>> check_winner(desk.with_players((sergey.with_cards((Wild(),)),))) is None
    True
    """
    match find(lambda player: not player.cards, desk.players):
        case None:
            return None
        case winner:
            return winner.name, tuple(map(player_loss, desk.players))


def game(players: Players) -> tuple[str, tuple[tuple[str, int], ...]]:
    """Return the result of a whole game as `check_winner` does: deal, normalize the desk, then take turns until some
    player has no cards.

    `players` sit clockwise, the dealer first. However long the game is, the stack must not overflow.

    >>> winner, losses = transcript(game, ten_players(first_playable)[1:])[0]
    >>> dict(losses)[winner], len(losses)
    (0, 9)
    """

    @tail_recursive
    def go_on(desk: Desk) -> tuple[str, tuple[tuple[str, int], ...]]:
        match check_winner(desk):
            case None:
                return recur(your_turn(desk))
            case result:
                return result

    return go_on(desk_normalize(deal(players)))
