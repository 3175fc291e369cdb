"""Dominoes by folds, partial application and point-free values; sets and dictionaries where they say it shorter."""

from course.dominoes import *

TURNED = {"<": lambda chain, domino: domino.right == chain.left, ">": lambda chain, domino: domino.left == chain.right}


def flip(domino):
    return Domino(*[domino.right, domino.left])


def append(domino, chain, end):
    if chain is EMPTY:
        return Chain(domino.left, str(domino), domino.right)
    texts = (str(domino), chain.text) if end == "<" else (chain.text, str(domino))
    left, right = (domino.left, chain.right) if end == "<" else (chain.left, domino.right)
    return Chain(left, " ".join(texts), right)


def is_sound(chain):
    if chain is EMPTY:
        return True
    step = lambda end, tile: tile[-1] if tile[0] == end else None
    return fold_left(step, str(chain.left), chain.text.split()) == str(chain.right)


def legal_adds(domino, chain):
    if chain is EMPTY:
        return (append(domino, chain, "<"),)
    ends = "<" if chain.left == chain.right else "<>"
    presentations = dict.fromkeys((domino, flip(domino)))
    return tuple(append(tile, chain, end) for end in ends for tile in presentations if TURNED[end](chain, tile))


def possible_dominoes(hand, chain):
    return tuple(filter(lambda domino: legal_adds(domino, chain), hand))


def suppress(domino, hand):
    kind = lambda tile: frozenset((tile.left, tile.right))
    return fold_left(lambda kept, tile: kept if kind(tile) == kind(domino) else (*kept, tile), (), hand)


def input_move(select_domino, select_end, chain, hand):
    def forced(possible):
        print(f"\tforced move :        {possible[0]}")
        return possible[0]

    possible = possible_dominoes(hand, chain)
    if possible == ():
        return None
    domino = (forced if len(possible) == 1 else select_domino)(possible)
    adds = legal_adds(domino, chain)
    return suppress(domino, hand), adds[0] if len(adds) == 1 else select_end(*adds)


def announced(possible):
    domino = choose(possible)
    print("\tto lay :            ", domino)
    return domino


input_bot_move = partial(input_move, announced, lambda *ends: choose(ends))


def asked_domino(possible):
    names = fold_left(
        lambda found, tile: found | {f"{tile.left}{tile.right}": tile, f"{tile.right}{tile.left}": tile}, {}, possible
    )
    return input_valid("\tWhich domino do you want to lay? ", names.__contains__, names.__getitem__)


def asked_end(*ends):
    return input_valid("\tAt which end? ", ("<", ">").__contains__, lambda line: ends["<>".index(line)])


input_human_move = partial(input_move, asked_domino, asked_end)


def string_of_player(player):
    kind = {Human: "(human)", Bot: "(bot)"}[type(player)]
    return f"Player {player.number} {kind:7}"


string_of_dominoes = compose(" ".join, partial(map, str))


def take(hand, n, stock):
    return fold_left(lambda taken, domino: (domino, *taken), hand, stock[:n]), stock[n:]


def move(stock, chain, hand, player):
    print(string_of_player(player), ":\n\thand : ", string_of_dominoes(hand), sep="")
    moved = {Human: input_human_move, Bot: input_bot_move}[type(player)](chain, hand)
    if moved:
        return stock, *reversed(moved)
    print("\tNo possible move!")
    new_hand, new_stock = take(hand, 2, stock)
    return new_stock, chain, new_hand


def make_dominoes(highest):
    rows = (tuple(Domino(left, right) for right in reversed(range(left + 1))) for left in reversed(range(highest + 1)))
    return fold_right(lambda row, rest: row + rest, (), rows)


char_list_of_string = tuple


def players_of_string(players):
    seat = lambda found, letter: (*found, {"H": Human, "B": Bot}[letter](len(found) + 1))
    return fold_left(seat, (), players)


def get_hand_size(players):
    try:
        return {2: 7, 3: 6, 4: 6}[players]
    except KeyError:
        raise ValueError("Between 2 and 4 players, please!") from None


def make_state_list(players, dominoes):
    size = get_hand_size(len(players))
    seats = players_of_string(players)
    starts = range(0, size * len(seats), size)
    states = tuple((dominoes[start : start + size][::-1], seat) for start, seat in zip(starts, seats))
    return dominoes[size * len(seats) :], states


def string_of_chain(chain):
    return getattr(chain, "text", "")


def string_of_state(state):
    return ":\t".join((string_of_player(state[1]), string_of_dominoes(state[0])))


def list_shuffle(items):
    def insert(shuffled, item):
        place = random_below(len(shuffled) + 1)
        return shuffled[:place] + (item,) + shuffled[place:]

    return fold_left(insert, (), items)


def play(highest, players):
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print(*map(string_of_state, states), sep="\n")

    @tail_recursive
    def go(stock, chain, states, stuck):
        (hand, player), *others = states
        after, longer, rest = move(stock, chain, hand, player)
        print(f"\t{'chain :':21}{string_of_chain(longer)}")
        stuck = (stuck | {player}) if len(rest) == len(hand) else frozenset()
        if rest == () and longer != chain:
            return f"{string_of_player(player)}".rstrip() + " wins!"
        return "It's a draw!" if len(stuck) == len(states) else recur(after, longer, (*others, (rest, player)), stuck)

    print(go(stock, EMPTY, states, frozenset()))
