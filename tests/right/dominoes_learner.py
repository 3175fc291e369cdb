from course.dominoes import *


def flip(domino: Domino) -> Domino:
    """Return `domino` in its other presentation.

    >>> flip(Domino(2, 3))
    Domino(3, 2)
    >>> flip(Domino(3, 3))
    Domino(3, 3)
    """
    match domino:
        case Domino(left, right):
            return Domino(right, left)


def append(domino: Domino, chain: AnyChain, end: End) -> Chain:
    """Return `chain` with `domino` added at its left `end`, '<', or its right one, '>'.

    The tile goes on as it is presented, whether it fits or not. On `EMPTY` both ends are the same.

    >>> append(Domino(5, 1), Chain(1, "1-2 4-3", 3), "<")
    Chain(5, '5-1 1-2 4-3', 3)
    >>> append(Domino(3, 5), Chain(1, "1-2 4-3", 3), ">")
    Chain(1, '1-2 4-3 3-5', 5)
    >>> append(Domino(5, 2), Chain(1, "1-2 4-3", 3), "<")
    Chain(5, '5-2 1-2 4-3', 3)
    >>> append(Domino(5, 6), EMPTY, ">")
    Chain(5, '5-6', 6)
    """
    match chain, end:
        case Empty(), _:
            return Chain(domino.left, str(domino), domino.right)
        case Chain(_, text, right), "<":
            return Chain(domino.left, f"{domino} {text}", right)
        case Chain(left, text, _), _:
            return Chain(left, f"{text} {domino}", domino.right)


def is_sound(chain: AnyChain) -> bool:
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            tiles = text.split()
            touching = all(tiles[i][2] == tiles[i + 1][0] for i in range(len(tiles) - 1))
            return touching and str(left) == tiles[0][0] and str(right) == tiles[-1][2]


def starting(n: int, domino: Domino) -> tuple[Domino, ...]:
    """Return `domino` turned so that its left half is `n`, as a tuple of one, or () if it has no such half."""
    match domino:
        case Domino(left, _) if left == n:
            return (domino,)
        case Domino(_, right) if right == n:
            return (flip(domino),)
        case _:
            return ()


def added_left(domino: Domino, chain: Chain) -> tuple[Chain, ...]:
    """Return the chain with `domino` at the left end, as a tuple of one, or () if it does not fit."""
    match starting(chain.left, domino):
        case (turned,):
            return (append(flip(turned), chain, "<"),)
        case _:
            return ()


def added_right(domino: Domino, chain: Chain) -> tuple[Chain, ...]:
    """Return the chain with `domino` at the right end, as a tuple of one, or () if it does not fit."""
    match starting(chain.right, domino):
        case (turned,):
            return (append(turned, chain, ">"),)
        case _:
            return ()


def legal_adds(domino: Domino, chain: AnyChain) -> tuple[Chain, ...]:
    """Return the chains that laying `domino` on `chain` can make, the one with the tile at the left end first.

    The tile is turned so that the halves that touch are equal; at either end that fits it makes one chain. If both
    ends of the chain are the same number, only the left one is used. On `EMPTY` there is one chain: the tile
    as it is presented. The ends of a chain are its `left` and `right`, whatever its text says.

    >>> legal_adds(Domino(5, 6), EMPTY)
    (Chain(5, '5-6', 6),)
    >>> legal_adds(Domino(5, 6), Chain(1, "1-5 6-2", 2))
    ()
    >>> legal_adds(Domino(5, 1), Chain(5, "5-5 5-3 3-2", 2))
    (Chain(1, '1-5 5-5 5-3 3-2', 2),)
    >>> legal_adds(Domino(2, 4), Chain(5, "5-5 5-3 3-2", 2))
    (Chain(5, '5-5 5-3 3-2 2-4', 4),)
    >>> legal_adds(Domino(6, 5), Chain(6, "6-1 1-5", 5))
    (Chain(5, '5-6 6-1 1-5', 5), Chain(6, '6-1 1-5 5-6', 6))
    >>> legal_adds(Domino(6, 6), Chain(6, "6-1 1-6", 6))
    (Chain(6, '6-6 6-1 1-6', 6),)
    """
    match chain:
        case Empty():
            return (append(domino, chain, "<"),)
        case Chain(left, _, right) if left == right:
            return added_left(domino, chain)
        case Chain():
            return added_left(domino, chain) + added_right(domino, chain)


def possible_dominoes(hand: Hand, chain: AnyChain) -> Hand:
    """Return the tiles of `hand` that can be laid on `chain`, as they are presented, in the order of the hand.

    >>> possible_dominoes((Domino(3, 2), Domino(5, 4), Domino(3, 3), Domino(6, 3)), Chain(3, "3-4 4-2 2-1 0-1", 1))
    (Domino(3, 2), Domino(3, 3), Domino(6, 3))
    >>> possible_dominoes((Domino(3, 2), Domino(5, 4), Domino(3, 3), Domino(6, 3)), Chain(2, "2-4 4-3 3-1 0-1", 6))
    (Domino(3, 2), Domino(6, 3))
    >>> possible_dominoes((Domino(3, 3), Domino(5, 4), Domino(3, 3), Domino(5, 3)), Chain(2, "2-4 4-3 3-1 0-1", 6))
    ()
    """
    match hand:
        case ():
            return ()
        case (first, *rest) if legal_adds(first, chain):
            return (first, *possible_dominoes(rest, chain))
        case (_, *rest):
            return possible_dominoes(rest, chain)


def suppress(domino: Domino, hand: Hand) -> Hand:
    """Return `hand` without `domino`, in whichever presentation it is there, the other tiles left as they are.

    A hand never holds the same tile twice. If the tile is not there, nothing changes.

    >>> suppress(Domino(4, 5), (Domino(3, 2), Domino(5, 4), Domino(6, 3)))
    (Domino(3, 2), Domino(6, 3))
    >>> suppress(Domino(4, 5), (Domino(4, 5),))
    ()
    >>> suppress(Domino(2, 3), (Domino(1, 2), Domino(6, 5)))
    (Domino(1, 2), Domino(6, 5))
    """
    match hand:
        case ():
            return ()
        case (first, *rest) if first in (domino, flip(domino)):
            return tuple(rest)
        case (first, *rest):
            return (first, *suppress(domino, rest))


def input_move(
    select_domino: Callable[[Hand], Domino],
    select_end: Callable[[Chain, Chain], Chain],
    chain: AnyChain,
    hand: Hand,
) -> Move | None:
    r"""Return the hand and the chain after a move, or None, and print nothing, if no tile of `hand` can be laid.

    If one tile can be laid, it is, after printing `\tforced move :        6-5` (the tile as it is in the hand,
    21 characters after the tab). If several can, `select_domino(possible)` gives the one to lay, `possible` being
    those tiles in the order of the hand. Then, and for a forced tile too, if the tile fits both ends in different
    ways, `select_end(left, right)` gives one of the two chains. Neither is called when there is nothing to select.

    >>> transcript(input_move, never, never, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 5), Domino(5, 3)))
    (((Domino(1, 2), Domino(5, 3)), Chain(5, '5-6 6-1 1-4', 4)), '\tforced move :        6-5\n')
    >>> transcript(input_move, never, right_end, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 4), Domino(5, 3)))
    (((Domino(1, 2), Domino(5, 3)), Chain(6, '6-1 1-4 4-6', 6)), '\tforced move :        6-4\n')
    >>> input_move(second, never, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 5), Domino(4, 3)))
    ((Domino(1, 2), Domino(6, 5)), Chain(6, '6-1 1-4 4-3', 3))
    >>> input_move(second, left_end, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 5), Domino(6, 4)))
    ((Domino(1, 2), Domino(6, 5)), Chain(4, '4-6 6-1 1-4', 4))
    >>> input_move(never, never, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(3, 5), Domino(5, 3))) is None
    True
    """

    def laid(domino: Domino) -> Move:
        match legal_adds(domino, chain):
            case (only,):
                return suppress(domino, hand), only
            case (left, right):
                return suppress(domino, hand), select_end(left, right)

    match possible_dominoes(hand, chain):
        case ():
            return None
        case (forced,):
            print(f"\tforced move :        {forced}")
            return laid(forced)
        case possible:
            return laid(select_domino(possible))


def input_bot_move(chain: AnyChain, hand: Hand) -> Move | None:
    r"""Return the hand and the chain after a bot's move, as `input_move` does: at random, among the legal moves.

    Chance is asked with `choose`, only where there is something to select: first for one of the possible tiles, in the
    order of the hand, then for one of the pair (left chain, right chain). A tile that was selected (not a
    forced one) is printed as `\tto lay :             4-2`, as it is in the hand.

    >>> transcript(input_bot_move, Chain(6, "6-1 1-5", 5), (Domino(6, 5),), chance=(0,))
    (((), Chain(5, '5-6 6-1 1-5', 5)), '\tforced move :        6-5\n')
    >>> transcript(input_bot_move, Chain(6, "6-1 1-4", 4), (Domino(6, 5),))
    (((), Chain(5, '5-6 6-1 1-4', 4)), '\tforced move :        6-5\n')
    >>> transcript(input_bot_move, Chain(6, "6-1 1-4", 4), (Domino(6, 3), Domino(4, 2)), chance=(1,))
    (((Domino(6, 3),), Chain(6, '6-1 1-4 4-2', 2)), '\tto lay :             4-2\n')
    >>> input_bot_move(Chain(6, "6-1 1-5", 5), (Domino(4, 4),)) is None
    True
    """

    def select_domino(possible: Hand) -> Domino:
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def typed_names(dominoes: Hand) -> dict[str, Domino]:
    """Return what a person may type for each of `dominoes`: its digits, in either presentation."""
    match dominoes:
        case ():
            return {}
        case (first, *rest):
            return {f"{first.left}{first.right}": first, f"{first.right}{first.left}": first} | typed_names(rest)


def input_human_move(chain: AnyChain, hand: Hand) -> Move | None:
    r"""Return the hand and the chain after a human's move, as `input_move` does, by asking with `input_valid`.

    Where a tile is to be selected, asks `\tWhich domino do you want to lay? ` until one of the possible tiles is typed,
    as two digits, in either presentation. It is laid as it is in the hand. Where an end is to be selected, asks
    `\tAt which end? ` until `<` (left) or `>` (right) is typed. Only these exact lines are valid.

    >>> given = Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 5), Domino(6, 4))
    >>> move, text = transcript(input_human_move, *given, typed=("356", "12", "64", "foobar", ">"))
    >>> move
    ((Domino(1, 2), Domino(6, 5)), Chain(6, '6-1 1-4 4-6', 6))
    >>> text
    '\tWhich domino do you want to lay? \nTry again!\nTry again!\n\tAt which end? \nTry again!\n'
    """

    def ask(prompt: str, answers: dict[str, T]) -> T:
        return input_valid(prompt, answers.__contains__, answers.__getitem__)

    def select_domino(possible: Hand) -> Domino:
        return ask("\tWhich domino do you want to lay? ", typed_names(possible))

    def select_end(left: Chain, right: Chain) -> Chain:
        return ask("\tAt which end? ", {"<": left, ">": right})

    return input_move(select_domino, select_end, chain, hand)


def string_of_player(player: Player) -> str:
    """Return the label of `player`, that of a bot with two blanks at its end, as long as that of a human.

    >>> string_of_player(Human(2))
    'Player 2 (human)'
    >>> string_of_player(Bot(2))
    'Player 2 (bot)  '
    """
    match player:
        case Human(number):
            return f"Player {number} (human)"
        case Bot(number):
            return f"Player {number} (bot)  "


def string_of_dominoes(dominoes: Hand) -> str:
    """Return `dominoes` as text, as they are presented, with one blank between two tiles.

    >>> string_of_dominoes(())
    ''
    >>> string_of_dominoes((Domino(5, 6),))
    '5-6'
    >>> string_of_dominoes((Domino(5, 6), Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)))
    '5-6 4-4 3-3 1-1 2-2'
    """
    match dominoes:
        case ():
            return ""
        case (only,):
            return str(only)
        case (first, *rest):
            return f"{first} {string_of_dominoes(rest)}"


def take(hand: Hand, n: TileCount, stock: Stock) -> tuple[Hand, Stock]:
    """Return the hand and the stock after `n` tiles moved, one by one, from the stock's front to the hand's front.

    If the stock holds fewer than `n`, all of it is taken. `n` is never negative.

    >>> take((Domino(1, 1), Domino(2, 2)), 0, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(1, 1), Domino(2, 2)), (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    >>> take((Domino(1, 1), Domino(2, 2)), 2, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)), (Domino(5, 6),))
    >>> take((Domino(1, 1), Domino(2, 2)), 42, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(5, 6), Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)), ())
    """

    @tail_recursive
    def draw(hand: Hand, n: TileCount, stock: Stock) -> tuple[Hand, Stock]:
        match n, stock:
            case (0, _) | (_, ()):
                return tuple(hand), tuple(stock)
            case _, (first, *rest):
                return recur((first, *hand), n - 1, rest)

    return draw(hand, n, stock)


def move(stock: Stock, chain: AnyChain, hand: Hand, player: Player) -> tuple[Stock, AnyChain, Hand]:
    r"""Return the stock, the chain and the hand after a turn of `player`, and print what happens in it.

    Prints the player's label with a colon, then the hand as `\thand : 6-3 4-2`, then what `input_human_move` or
    `input_bot_move` prints. If no move is possible, prints `\tNo possible move!`, and the player takes two tiles, as
    far as the stock goes. The chain is not printed.

    >>> stock = Domino(1, 1), Domino(1, 2), Domino(1, 3)
    >>> result, text = transcript(move, stock, Chain(6, "6-1 1-4", 4), (Domino(6, 5),), Bot(2))
    >>> result
    ((Domino(1, 1), Domino(1, 2), Domino(1, 3)), Chain(5, '5-6 6-1 1-4', 4), ())
    >>> text
    'Player 2 (bot)  :\n\thand : 6-5\n\tforced move :        6-5\n'
    >>> result, text = transcript(move, stock, Chain(6, "6-1 1-5", 5), (Domino(4, 4),), Bot(4))
    >>> result
    ((Domino(1, 3),), Chain(6, '6-1 1-5', 5), (Domino(1, 2), Domino(1, 1), Domino(4, 4)))
    >>> text
    'Player 4 (bot)  :\n\thand : 4-4\n\tNo possible move!\n'
    """
    print(f"{string_of_player(player)}:")
    print(f"\thand : {string_of_dominoes(hand)}")
    match input_human_move(chain, hand) if isinstance(player, Human) else input_bot_move(chain, hand):
        case (new_hand, new_chain):
            return stock, new_chain, new_hand
        case None:
            print("\tNo possible move!")
            new_hand, new_stock = take(hand, 2, stock)
            return new_stock, chain, new_hand


def make_dominoes(highest: Highest) -> Stock:
    """Return all the tiles from 0-0 to `highest`-`highest`, in descending order, the greater half on the left.

    >>> make_dominoes(1)
    (Domino(1, 1), Domino(1, 0), Domino(0, 0))
    >>> make_dominoes(3)[:6]
    (Domino(3, 3), Domino(3, 2), Domino(3, 1), Domino(3, 0), Domino(2, 2), Domino(2, 1))
    >>> make_dominoes(3)[6:]
    (Domino(2, 0), Domino(1, 1), Domino(1, 0), Domino(0, 0))
    """

    @tail_recursive
    def build(left: int, right: int, so_far: Stock) -> Stock:
        match left, right:
            case 0, 0:
                return (*so_far, Domino(0, 0))
            case _, 0:
                return recur(left - 1, left - 1, (*so_far, Domino(left, 0)))
            case _:
                return recur(left, right - 1, (*so_far, Domino(left, right)))

    return build(highest, highest, ())


def char_list_of_string(text: str) -> tuple[str, ...]:
    """Return the characters of `text`, in order.

    >>> char_list_of_string("")
    ()
    >>> char_list_of_string("foobar")
    ('f', 'o', 'o', 'b', 'a', 'r')
    """
    return tuple(text)


def players_of_string(players: Seats) -> tuple[Player, ...]:
    """Return the players that the letters of `players` stand for, H a human and B a bot, numbered from 1.

    There are no other letters.

    >>> players_of_string("HBB")
    (Human(1), Bot(2), Bot(3))
    """

    def seated(letters: tuple[str, ...], number: int) -> tuple[Player, ...]:
        match letters:
            case ("H", *rest):
                return (Human(number), *seated(rest, number + 1))
            case ("B", *rest):
                return (Bot(number), *seated(rest, number + 1))
            case _:
                return ()

    return seated(char_list_of_string(players), 1)


def get_hand_size(players: HeadCount) -> int:
    """Return the number of tiles that each of so many players gets: 7 for two of them, 6 for three or four.

    ValueError, with the message below, for any other number of players.

    >>> get_hand_size(2)
    7
    >>> get_hand_size(3)
    6
    >>> get_hand_size(4)
    6
    >>> get_hand_size(5)
    Traceback (most recent call last):
        ...
    ValueError: Between 2 and 4 players, please!
    """
    match players:
        case 2:
            return 7
        case 3 | 4:
            return 6
        case _:
            raise ValueError("Between 2 and 4 players, please!")


def make_state_list(players: Seats, dominoes: Stock) -> Deal:
    """Return the stock and the states when `dominoes` are dealt to `players`; a state is a pair, hand and player.

    Each in turn takes a whole hand off the front, as `take` does, into an empty hand. If there are not enough tiles,
    the last hands stay short, or empty. ValueError, as `get_hand_size` has it, unless there are 2 to 4 players.

    >>> stock, states = make_state_list("BH", make_dominoes(4))
    >>> stock
    (Domino(0, 0),)
    >>> states[0]
    ((Domino(3, 2), Domino(3, 3), Domino(4, 0), Domino(4, 1), Domino(4, 2), Domino(4, 3), Domino(4, 4)), Bot(1))
    >>> states[1]
    ((Domino(1, 0), Domino(1, 1), Domino(2, 0), Domino(2, 1), Domino(2, 2), Domino(3, 0), Domino(3, 1)), Human(2))
    """
    size = get_hand_size(len(players))

    @tail_recursive
    def deal(stock: Stock, waiting: tuple[Player, ...], states: tuple[State, ...]) -> Deal:
        match waiting:
            case ():
                return stock, states
            case (player, *others):
                hand, left = take((), size, stock)
                return recur(left, others, (*states, (hand, player)))

    return deal(dominoes, players_of_string(players), ())


def string_of_chain(chain: AnyChain) -> str:
    """Return the text of `chain`, that of `EMPTY` being the empty text.

    >>> string_of_chain(EMPTY)
    ''
    >>> string_of_chain(Chain(4, "4-5 5-6 6-6 6-2", 2))
    '4-5 5-6 6-6 6-2'
    """
    match chain:
        case Empty():
            return ""
        case Chain(_, text, _):
            return text


def string_of_state(state: State) -> str:
    r"""Return the label of a player, a colon, a tab, and the hand, as text.

    >>> string_of_state(((Domino(1, 2), Domino(6, 5), Domino(4, 3)), Human(1)))
    'Player 1 (human):\t1-2 6-5 4-3'
    """
    hand, player = state
    return f"{string_of_player(player)}:\t{string_of_dominoes(hand)}"


def list_shuffle(items: tuple[T, ...]) -> tuple[T, ...]:
    """Return `items` in a random order, every order equally likely.

    Chance comes from `random_below` or `choose`, and you may ask it in any way you like. Items may be equal.

    >>> sorted(list_shuffle((3, 1, 2)))
    [1, 2, 3]
    >>> list_shuffle(tuple(range(100))) == tuple(range(100))
    False
    """

    @tail_recursive
    def draw(bag: tuple[T, ...], drawn: tuple[T, ...]) -> tuple[T, ...]:
        match bag:
            case ():
                return drawn
            case _:
                i = random_below(len(bag))
                return recur(bag[:i] + bag[i + 1 :], (*drawn, bag[i]))

    return draw(items, ())


def play(highest: Highest, players: Seats) -> None:
    r"""Make a game of `players` with the tiles up to `highest`, and print it.

    The tiles of `make_dominoes(highest)` are shuffled once, by `list_shuffle`, and dealt by `make_state_list`.
    ValueError, and nothing is printed, unless there are 2 to 4 players. Prints a line for each player's state, as
    `string_of_state` has it. Then the players move in turn, the first one first, and after each `move`, a pass too,
    comes the chain, as `\tchain :              2-0 0-0`.

    The game ends when a player has laid their last tile: the last line is `Player 1 (bot) wins!`, without the blanks
    that fill up a label. (With few tiles a hand may be empty from the start: its player passes, and has won nothing.)
    Or it ends when all players, one after the other, have passed without drawing a tile: `It's a draw!`.

    >>> lines = transcript(play, 0, "BB")[1].splitlines()
    >>> lines[:2]
    ['Player 1 (bot)  :\t0-0', 'Player 2 (bot)  :\t']
    >>> lines[2:5]
    ['Player 1 (bot)  :', '\thand : 0-0', '\tforced move :        0-0']
    >>> lines[5:]
    ['\tchain :              0-0', 'Player 1 (bot) wins!']
    >>> play(6, "B")
    Traceback (most recent call last):
        ...
    ValueError: Between 2 and 4 players, please!
    """

    def show_states(states: tuple[State, ...]) -> None:
        match states:
            case (first, *rest):
                print(string_of_state(first))
                show_states(rest)

    @tail_recursive
    def turn(stock: Stock, chain: AnyChain, states: tuple[State, ...], idle: int) -> None:
        (hand, player), *others = states
        new_stock, new_chain, new_hand = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(new_chain)}")
        laid = new_chain != chain
        drew = new_stock != stock
        new_idle = 0 if laid or drew else idle + 1
        if laid and new_hand == ():
            return print(f"{string_of_player(player).rstrip()} wins!")
        if new_idle == len(states):
            return print("It's a draw!")
        return recur(new_stock, new_chain, (*others, (new_hand, player)), new_idle)

    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    show_states(states)
    turn(stock, EMPTY, states, 0)
