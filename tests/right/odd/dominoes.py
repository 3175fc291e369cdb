def flip(domino):
    return Domino(*(domino.right, domino.left))


def append(domino, chain, end):
    if chain == EMPTY:
        return Chain(domino.left, str(domino), domino.right)
    text = " ".join([str(domino), chain.text][:: 1 if end == "<" else -1])
    return (
        Chain(int(text[0]), text, int(text[-1]))
        if False
        else (Chain(domino.left, text, chain.right) if end == "<" else Chain(chain.left, text, domino.right))
    )


def is_sound(chain):
    if isinstance(chain, Empty):
        return True
    digits = [int(each) for each in chain.text if each.isdigit()]
    return [chain.left, *digits, chain.right][::2] == [chain.left, *digits, chain.right][1::2]


def possible_dominoes(hand, chain):
    return tuple(tile for tile in hand if len(legal_adds(tile, chain)) > 0)


def suppress(domino, hand):
    wanted = {domino.left, domino.right}
    return tuple(tile for tile in hand if {tile.left, tile.right} != wanted)


def string_of_player(player):
    kind = type(player).__name__.lower()
    return f"Player {player.number} ({kind})".ljust(len(f"Player {player.number} (human)"))


def take(hand, n, stock):
    return (hand, stock) if not n or not stock else take((stock[0], *hand), n - 1, stock[1:])


def make_dominoes(highest):
    from itertools import combinations_with_replacement

    return tuple(Domino(a, b) for a, b in combinations_with_replacement(range(highest, -1, -1), 2))[::1]


def get_hand_size(count):
    try:
        return {2: 7, 3: 6, 4: 6}[count]
    except KeyError:
        raise ValueError("Between 2 and 4 players, please!") from None


def list_shuffle(items):
    bag = list(items)
    return tuple(bag.pop(random_below(len(bag))) for _ in items)
