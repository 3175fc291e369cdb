"""Answers that learners give to the exercises of dominoes, each wrong in one way."""

from course.dominoes import *


def flip__gives_the_same_presentation(domino):
    return domino


def flip__greater_half_first(domino):
    """Flipping puts the greater half on the left.

    Flipping swaps the two halves of any tile.
    """
    return Domino(max(domino.left, domino.right), min(domino.left, domino.right))


def flip__smaller_half_first(domino):
    """Flipping puts the smaller half on the left.

    Flipping swaps the two halves of any tile.
    """
    return Domino(min(domino.left, domino.right), max(domino.left, domino.right))


def flip__gives_a_pair(domino):
    """You may return a pair of halves instead of a tile.

    The result must be a `Domino`. A pair is never equal to a `Domino`.
    """
    return (domino.right, domino.left)


def flip__only_if_it_is_a_double(domino):
    """Only doubles are flipped.

    Every tile is flipped. Only doubles look the same afterwards.
    """
    return Domino(domino.right, domino.left) if domino.left == domino.right else domino


def flip__hard_coded(domino):
    """The function is called only with the visible examples.

    The exam calls the function with every tile.
    """
    return {Domino(2, 3): Domino(3, 2)}.get(domino, Domino(3, 3))


def append__wrong_end(domino, chain, end):
    """'<' means the right end.

    `'<'` means the left end, and `'>'` means the right end.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right) if end == ">":
            return Chain(domino.left, f"{domino} {text}", right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.right)


def append__new_end_is_the_touching_half(domino, chain, end):
    """The half that touches the chain is its new end.

    The half that touches is now inside the chain. The new end is the tile's other half, on the outside, where the next
    tile can be laid.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right) if end == "<":
            return Chain(domino.right, f"{domino} {text}", right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.left)


def append__always_at_the_left(domino, chain, end):
    """Every tile is laid at the left end.

    `end` decides at which end the tile is laid.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(_, text, right):
            return Chain(domino.left, f"{domino} {text}", right)


def append__no_blank_between_tiles(domino, chain, end):
    """There is no space between the tiles of a chain.

    There is one space between two tiles.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right):
            at_left, at_right = (
                Chain(domino.left, f"{domino}{text}", right),
                Chain(left, f"{text}{domino}", domino.right),
            )
            return at_left if end == "<" else at_right


def append__a_blank_on_the_empty_chain(domino, chain, end):
    """The empty chain needs no special case: you can put the tile and a space before or after its empty text.

    The text of a single tile has no space before or after the tile. So the empty chain needs a separate case.
    """
    left, text, right = ("", "", "") if chain == EMPTY else (chain.left, chain.text, chain.right)
    if end == "<":
        return Chain(domino.left, f"{domino} {text}", domino.right if chain == EMPTY else right)
    return Chain(domino.left if chain == EMPTY else left, f"{text} {domino}", domino.right)


def append__turns_the_tile_to_fit(domino, chain, end):
    """A tile that does not fit is turned before it is laid.

    `append` lays the tile as it is presented, whether it fits or not. `legal_adds` is the function that turns tiles.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right) if end == "<":
            tile = domino if domino.right == left else Domino(domino.right, domino.left)
            return Chain(tile.left, f"{tile} {text}", right)
        case Chain(left, text, right):
            tile = domino if domino.left == right else Domino(domino.right, domino.left)
            return Chain(left, f"{text} {tile}", tile.right)


def append__refuses_what_does_not_fit(domino, chain, end):
    """If a tile does not fit, the chain does not change.

    `append` lays every tile as it is presented. `legal_adds` is the function that decides which tiles fit, and in which
    presentation.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right) if end == "<":
            return Chain(domino.left, f"{domino} {text}", right) if domino.right == left else chain
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.right) if domino.left == right else chain


def append__empty_stays_empty(domino, chain, end):
    """If the chain is empty, it stays empty.

    If a tile is laid on `EMPTY`, the new chain has this one tile.
    """
    match chain:
        case Empty():
            return EMPTY
        case Chain(left, text, right) if end == "<":
            return Chain(domino.left, f"{domino} {text}", right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.right)


def append__writes_the_tile_as_code(domino, chain, end):
    """`repr` returns the text of a tile.

    `repr` returns code, `Domino(6, 4)`. For `6-4`, use `str` or an f-string.
    """
    match chain:
        case Empty():
            return Chain(domino.left, repr(domino), domino.right)
        case Chain(left, text, right) if end == "<":
            return Chain(domino.left, f"{domino!r} {text}", right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino!r}", domino.right)


def append__bare_name_captures(domino, chain, end):
    """`case EMPTY` checks whether the chain is empty.

    A bare name in a pattern matches everything. Write `case Empty():`.
    """
    match chain:
        case EMPTY if not isinstance(chain, Chain) or end == "<":
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.right)


def append__turned_where_that_makes_it_fit(domino, chain, end):
    """If a tile fits only when it is turned, `append` turns it.

    `append` lays every tile as it is presented, even if it would fit only when turned. `legal_adds` is the function
    that turns tiles.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right) if end == "<":
            tile = flip(domino) if domino.left == left != domino.right else domino
            return Chain(tile.left, f"{tile} {text}", right)
        case Chain(left, text, right):
            tile = flip(domino) if domino.right == right != domino.left else domino
            return Chain(left, f"{text} {tile}", tile.right)


def append__bare_name_fits_every_chain(domino, chain, end):
    """`case EMPTY:`, or `case Empty:`, checks whether the chain is empty.

    A name without parentheses is not compared. It matches every chain and becomes a new name for it, so every chain is
    treated as the empty chain. To compare, write `case Empty():`.
    """
    match chain:
        case EMPTY:
            return Chain(domino.left, str(domino), domino.right)
    if end == "<":
        return Chain(domino.left, f"{domino} {chain.text}", chain.right)
    return Chain(chain.left, f"{chain.text} {domino}", domino.right)


def append__only_to_long_chains(domino, chain, end):
    """If a chain has only one tile, it does not matter at which end the next tile is laid.

    `end` says on which side of the single tile the next tile is laid.
    """
    match chain:
        case Empty():
            return Chain(domino.left, f"{domino}", domino.right)
        case Chain(left, text, right):
            is_left = end == "<" or " " not in text
            at_left = Chain(domino.left, f"{domino} {text}", right)
            return at_left if is_left else Chain(left, f"{text} {domino}", domino.right)


def is_sound__ends_alone(chain):
    """If the ends of a chain agree with its text, the chain is sound.

    Perhaps two tiles in the middle of the text do not fit together. Compare each tile with the next one, too.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            return text[0] == str(left) and text[-1] == str(right)


def is_sound__text_alone(chain):
    """If the tiles of the text fit together, the chain is sound.

    `left` and `right` are separate numbers, and they can differ from the text. Compare them with the first and the last
    number of the text.
    """
    match chain:
        case Empty():
            return True
        case Chain(_, text, _):
            return all(place[0] == place[-1] for place in text.split("-")[1:-1])


def is_sound__right_end_forgotten(chain):
    """If the left end agrees with the text, the chain is sound.

    The right end must agree with the text, too.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, _):
            return all(place[0] == place[-1] for place in f"{left} {text}".split("-")[:-1])


def is_sound__left_end_forgotten(chain):
    """Only the right end must agree with the text, because the next tile is laid there.

    The left end must agree with the text, too.
    """
    match chain:
        case Empty():
            return True
        case Chain(_, text, right):
            return all(place[0] == place[-1] for place in f"{text} {right}".split("-")[1:])


def is_sound__only_the_first_two_tiles(chain):
    """If the first two tiles fit together, all other tiles fit together, too.

    Perhaps two later tiles do not fit together. Compare each tile with the tile that follows it, up to the last tile.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            touching = len(text) < 7 or text[2] == text[4]
            return touching and text[0] == str(left) and text[-1] == str(right)


def is_sound__any_halves_in_common(chain):
    """Two tiles fit together if they have any number in common.

    A common number only means that you could lay the tiles next to each other. But these tiles are laid already. So the
    right half of one tile must equal the left half of the next tile.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            tiles = text.split()
            touching = all({a[0], a[-1]} & {b[0], b[-1]} for a, b in zip(tiles, tiles[1:], strict=False))
            return touching and text[0] == str(left) and text[-1] == str(right)


def is_sound__ends_in_either_order(chain):
    """It does not matter which number is the left end and which is the right end.

    `left` is the first number of the text, and `right` is the last.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            touching = all(place[0] == place[-1] for place in text.split("-")[1:-1])
            return touching and sorted((text[0], text[-1])) == sorted((str(left), str(right)))


def is_sound__a_digit_is_a_number(chain):
    """A number and its digit in the text are equal.

    For Python, the string `"6"` and the number 6 are different values: `"6" == 6` is `False`. Convert one of them
    first, with `str` or `int`.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            touching = all(place[0] == place[-1] for place in text.split("-")[1:-1])
            return touching and text[0] == left and text[-1] == right


def is_sound__empty_is_not(chain):
    """An empty chain is not sound.

    `EMPTY` is sound.
    """
    match chain:
        case Empty():
            return False
        case Chain(left, text, right):
            return all(place[0] == place[-1] for place in f"{left} {text} {right}".split("-"))


def is_sound__no_tile_twice(chain):
    """A chain that holds a tile twice is not sound.

    A chain that holds a tile twice can be sound: `is_sound` does not check how often a tile occurs.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            kinds = {"".join(sorted(tile)) for tile in text.split()}
            touching = all(place[0] == place[-1] for place in f"{left} {text} {right}".split("-"))
            return touching and len(kinds) == len(text.split())


def is_sound__tiles_at_the_end_only(chain):
    """Only the last two tiles must fit together.

    Compare each tile with the tile that follows it, from the first tile to the last.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            tiles = text.split(" ")
            ends = text.startswith(f"{left}-") and text.endswith(f"-{right}")
            return ends and (len(tiles) < 2 or tiles[-2][-1] == tiles[-1][0])


def legal_adds__presentation_forgotten(domino, chain):
    """A tile can be laid only as it is presented.

    You can turn a tile. A tile fits an end if one of its halves has the number of that end.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    at_left = (append(domino, chain, "<"),) if domino.right == chain.left else ()
    at_right = (append(domino, chain, ">"),) if domino.left == chain.right != chain.left else ()
    return at_left + at_right


def legal_adds__double_laid_at_both_ends(domino, chain):
    """If a tile fits both ends, it makes two chains, even if both ends have the same number.

    In this game, only the left end is used if both ends have the same number. So the tile makes only one chain.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right)
    return at_left + at_right


def legal_adds__only_doubles_have_one_end_where_both_are_equal(domino, chain):
    """The rule about equal ends applies only to doubles.

    The rule is about the chain, not the tile. If both ends are the same number, only the left end is used, for every
    tile.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right)
    return at_left if at_left and domino.left == domino.right else at_left + at_right


def legal_adds__double_twice_at_one_end(domino, chain):
    """Every tile must be tried in two presentations.

    A double has only one presentation. If you try it both ways, you make the same chain twice.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = (domino, flip(domino))
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__right_end_first(domino, chain):
    """The order of the chains does not matter.

    The chain with the tile at the left end comes first.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_right + at_left


def legal_adds__equal_ends_mean_the_right_one(domino, chain):
    """If both ends are equal, the tile is laid at the right end.

    If both ends are equal, the tile is laid at the left end.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left != chain.right)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right)
    return at_left + at_right


def legal_adds__both_presentations_on_empty(domino, chain):
    """On an empty chain, the tile can be laid in both presentations.

    On `EMPTY`, only one chain can be made: the tile as it is presented.
    """
    if chain == EMPTY:
        return tuple(append(tile, chain, "<") for tile in dict.fromkeys((domino, flip(domino))))
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__nothing_fits_empty(domino, chain):
    """No tile fits `EMPTY`, because an empty chain has no ends.

    An empty chain has no ends, but any tile can be laid on it.
    """
    if chain == EMPTY:
        return ()
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__stops_at_the_left_end(domino, chain):
    """If a tile fits the left end, you do not have to try the right end.

    If it fits both ends, and the ends are different, the player has a choice. Return both chains.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right)
    return at_left or at_right


def legal_adds__wrong_half_touches(domino, chain):
    """At the left end, the left half of the tile touches the chain.

    A tile at the left end comes before the chain, so its right half touches the chain. In `5-6 6-1`, the two sixes
    touch.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.left == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.right == chain.right != chain.left)
    return at_left + at_right


def legal_adds__reads_the_ends_off_the_text(domino, chain):
    """The ends of a chain are the first and the last character of its text.

    The text is only for printing. The ends are `left` and `right`, even if the text shows other numbers.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    left, right = int(chain.text[0]), int(chain.text[-1])
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == right != left)
    return at_left + at_right


def legal_adds__zero_counts_as_nothing(domino, chain):
    """A half with the number 0 fits no end.

    0 is a number like any other. But as a condition (`if n`, `n and …`), it counts as false. Use only `==` to compare
    the two numbers.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if chain.left and tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__gives_a_list(domino, chain):
    """You may return a list instead of a tuple.

    The result must be a tuple, even for a single chain. A list is never equal to a tuple.
    """
    if chain == EMPTY:
        return [append(domino, chain, "<")]
    turned = {domino, flip(domino)}
    at_left = [append(tile, chain, "<") for tile in turned if tile.right == chain.left]
    at_right = [append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left]
    return at_left + at_right


def legal_adds__brackets_make_a_tuple(domino, chain):
    """Parentheses around a single chain make a tuple.

    The comma makes a tuple. Parentheses only group things. A tuple with a single item needs a comma after the item.
    """
    if chain == EMPTY:
        return append(domino, chain, "<")
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__bare_name_fits_every_chain(domino, chain):
    """`case EMPTY:`, or `case Empty:`, checks whether the chain is empty.

    A name without parentheses is not compared. It matches every chain and becomes a new name for it. So every tile is
    laid at the left end, whether it fits or not. To compare, write `case Empty():`.
    """
    match chain:
        case EMPTY:
            return (append(domino, EMPTY, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__doubles_only_at_the_left(domino, chain):
    """A double can be laid only at the left end.

    A double can be laid at either end, if it fits there.
    """
    match chain:
        case Empty():
            return (append(domino, EMPTY, "<"),)
        case Chain(left, _, right):
            turned = (domino,) if domino == flip(domino) else (domino, flip(domino))
            at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == left)
            is_right = right != left and len(turned) == 2
            return at_left + tuple(append(tile, chain, ">") for tile in turned if tile.left == right and is_right)


def possible_dominoes__gives_the_chains(hand, chain):
    """The result is the chains that can be made, not the tiles.

    The result is the tiles of the hand that can be laid.
    """
    return tuple(add for domino in hand for add in legal_adds(domino, chain))


def possible_dominoes__only_as_presented(hand, chain):
    """A tile fits only as it is presented in the hand.

    You can turn a tile when you lay it, so 2-5 fits wherever 5-2 does. `legal_adds` already turns the tiles.
    """
    if chain == EMPTY:
        return hand
    return tuple(domino for domino in hand if domino.right == chain.left or domino.left == chain.right)


def possible_dominoes__only_at_the_left_end(hand, chain):
    """Tiles can be laid only at the left end.

    A tile can be laid at either end.
    """
    if chain == EMPTY:
        return hand
    return tuple(domino for domino in hand if chain.left in (domino.left, domino.right))


def possible_dominoes__none_on_empty(hand, chain):
    """No tile fits an empty chain, because it has no ends.

    Any tile can be laid on `EMPTY`.
    """
    return () if chain == EMPTY else tuple(domino for domino in hand if legal_adds(domino, chain))


def possible_dominoes__stops_at_the_first_that_is_not(hand, chain):
    """If one tile does not fit, the search is over.

    Tiles after it can still fit. Look at the whole hand.
    """
    from itertools import takewhile

    return tuple(takewhile(lambda domino: legal_adds(domino, chain), hand))


def possible_dominoes__in_reverse(hand, chain):
    """If you add each tile at the front of the result, the order of the hand stays the same.

    If you go from left to right, the last tile that you add is at the front. So the order is reversed.
    """
    return fold_left(lambda found, domino: (domino, *found) if legal_adds(domino, chain) else found, (), hand)


def possible_dominoes__sorted(hand, chain):
    """The result must be sorted.

    The tiles keep the order of the hand.
    """
    fitting = (domino for domino in hand if legal_adds(domino, chain))
    return tuple(sorted(fitting, key=lambda domino: (domino.left, domino.right)))


def possible_dominoes__turned_to_fit(hand, chain):
    """Each tile is returned in the presentation in which it will be laid.

    The result contains the tiles as they are in the hand. `legal_adds` turns them later.
    """
    if chain == EMPTY:
        return hand
    fitting = (domino for domino in hand if legal_adds(domino, chain))
    return tuple(tile if tile.right == chain.left or tile.left == chain.right else flip(tile) for tile in fitting)


def possible_dominoes__those_that_are_not(hand, chain):
    """If `legal_adds` returns an empty tuple, the tile can be laid.

    A tile can be laid if `legal_adds` returns at least one chain.
    """
    return tuple(domino for domino in hand if not legal_adds(domino, chain))


def possible_dominoes__no_chain_is_none(hand, chain):
    """`legal_adds` returns `None`, or an empty list, for a tile that cannot be laid.

    For such a tile, `legal_adds` returns the empty tuple, which is not equal to `None` or `[]`. If you compare with
    `None` or `[]`, every tile passes the test. As a condition, an empty tuple counts as false.
    """
    return tuple(domino for domino in hand if legal_adds(domino, chain) is not None)


def possible_dominoes__doubles_left_out(hand, chain):
    """A double can be laid only on an empty chain.

    A double can be laid like any other tile.
    """
    return tuple(d for d in hand if legal_adds(d, chain) and (chain == EMPTY or d != flip(d)))


def possible_dominoes__seven_at_most(hand, chain):
    """A hand has at most seven tiles.

    A player who draws can hold more than seven tiles.
    """
    return tuple(domino for domino in hand[:7] if legal_adds(domino, chain))


def suppress__only_as_presented(domino, hand):
    """`Domino(4, 5)` and `Domino(5, 4)` are equal, because they are the same tile.

    For Python, they are two different values, because it compares the left halves, and then the right halves. The hand
    can have the tile in either presentation.
    """
    return tuple(other for other in hand if other != domino)


def suppress__only_the_other_presentation(domino, hand):
    """The hand always contains `flip(domino)`, never `domino`.

    The hand can contain the tile in either presentation.
    """
    return tuple(other for other in hand if other != flip(domino))


def suppress__turned_others(domino, hand):
    """If you sort the halves of each tile to compare tiles, you may return tiles with sorted halves.

    Use the sorted halves only for the comparison. In the result, each tile must be presented as in the hand.
    """
    sort = lambda tile: Domino(min(tile.left, tile.right), max(tile.left, tile.right))
    return tuple(sort(other) for other in hand if sort(other) != sort(domino))


def suppress__keeps_only_the_tile(domino, hand):
    """The result contains the tiles that are equal to the given tile, not the others.

    The result contains the other tiles of the hand.
    """
    return tuple(other for other in hand if other in (domino, flip(domino)))


def suppress__all_that_share_a_half(domino, hand):
    """Two tiles are different only if both of their halves are different.

    One different half is enough: neither 4-1 nor 5-5 is the tile 4-5. The opposite of `a and b` is `not a or not b`.
    """
    return tuple(other for other in hand if not {other.left, other.right} & {domino.left, domino.right})


def suppress__all_after_it_too(domino, hand):
    """The result has no tiles that come after the removed tile.

    Only the removed tile is missing from the result. The tiles after it stay.
    """
    from itertools import takewhile

    return tuple(takewhile(lambda tile: tile not in (domino, flip(domino)), hand))


def suppress__reverses_the_hand(domino, hand):
    """If you add each tile at the front of the result, the order of the hand stays the same.

    Adding at the front reverses the order. In the result, the remaining tiles must keep their order.
    """
    return fold_left(lambda kept, tile: kept if tile in (domino, flip(domino)) else (tile, *kept), (), hand)


def suppress__fails_if_it_is_not_there(domino, hand):
    """Removing a tile that is not in the hand is an error.

    If the tile is not in the hand, the hand stays the same.
    """
    place = hand.index(domino) if domino in hand else hand.index(flip(domino))
    return hand[:place] + hand[place + 1 :]


def suppress__same_sum(domino, hand):
    """Two tiles are the same if they have the same total number of dots.

    Two tiles are the same if they have the same two halves.
    """
    return tuple(other for other in hand if other.left + other.right != domino.left + domino.right)


def suppress__neither_written_with_or(domino, hand):
    """`tile != a or tile != b` checks that the tile is neither a nor b.

    If a and b are different, no tile is equal to both. So one of the two `!=` is always true, and every tile stays. To
    exclude both tiles, write `and` instead of `or`.
    """
    return tuple(other for other in hand if other != domino or other != flip(domino))


def suppress__first_five_tiles(domino, hand):
    """The tile is always among the first five tiles of the hand.

    The tile can be anywhere in the hand.
    """
    return tuple(t for n, t in enumerate(hand) if n > 4 or t not in (domino, flip(domino)))


def suppress__doubles_stay(domino, hand):
    """A double stays in the hand.

    A double is removed like any other tile.
    """
    return hand if domino == flip(domino) else tuple(t for t in hand if t not in (domino, flip(domino)))


def input_move__forced_move_not_printed(select_domino, select_end, chain, hand):
    """A forced move prints nothing.

    A forced move is printed, as the line `forced move`.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = possible[0] if len(possible) == 1 else select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__always_prints(select_domino, select_end, chain, hand):
    """Every move is printed.

    `input_move` prints only a forced move.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = possible[0] if len(possible) == 1 else select_domino(possible)
    print(f"\tforced move :        {domino}")
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__selects_from_the_whole_hand(select_domino, select_end, chain, hand):
    """The player selects from the whole hand.

    `select_domino` receives only the tiles that can be laid. If a player selects from the whole hand, perhaps the tile
    fits nowhere and makes no chain at all.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    if len(possible) == 1:
        print(f"\tforced move :        {possible[0]}")
    domino = possible[0] if len(possible) == 1 else select_domino(hand)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__selects_a_forced_tile_too(select_domino, select_end, chain, hand):
    """You may call `select_domino` with a single tile, because it always selects that tile.

    If only one tile can be laid, there is nothing to select, so `select_domino` must not be called.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    if len(possible) == 1:
        print(f"\tforced move :        {possible[0]}")
    domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__a_single_tile_is_selected_like_any(select_domino, select_end, chain, hand):
    """Even if only one tile can be laid, `select_domino` is called.

    If only one tile can be laid, do not call `select_domino`. Print the line for a forced move, and lay this tile.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__a_forced_tile_goes_left(select_domino, select_end, chain, hand):
    """If the tile is forced, there is nothing to select, not even an end.

    Only the tile is forced. If it fits both ends, it can make two chains, and `select_end` chooses one of them.
    """
    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print(f"\tforced move :        {domino}")
            return suppress(domino, hand), legal_adds(domino, chain)[0]
        case possible:
            domino = select_domino(possible)
            chains = legal_adds(domino, chain)
            return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__always_selects_an_end(select_domino, select_end, chain, hand):
    """If a tile makes only one chain, you may pass this chain to `select_end` twice.

    If a tile makes only one chain, there is nothing to select, so `select_end` must not be called.
    """
    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print(f"\tforced move :        {domino}")
        case possible:
            domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(chains[0], chains[-1])


def input_move__ends_the_wrong_way_round(select_domino, select_end, chain, hand):
    """The first argument of `select_end` is the chain with the new tile at the right end.

    The first argument of `select_end` is the chain with the new tile at the left end.
    """
    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print(f"\tforced move :        {domino}")
        case possible:
            domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(chains[1], chains[0]) if len(chains) == 2 else chains[0]


def input_move__chain_before_hand(select_domino, select_end, chain, hand):
    """In the result, the chain comes before the hand, as in the parameters.

    In the result, the hand comes before the chain.
    """
    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print(f"\tforced move :        {domino}")
        case possible:
            domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return select_end(*chains) if len(chains) == 2 else chains[0], suppress(domino, hand)


def input_move__tile_stays_in_the_hand(select_domino, select_end, chain, hand):
    """The hand stays the same after a move.

    The tile that is laid is no longer in the hand.
    """
    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print(f"\tforced move :        {domino}")
        case possible:
            domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return hand, select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__hand_and_chain_instead_of_none(select_domino, select_end, chain, hand):
    """If no move is possible, the result is the old hand and the old chain.

    With that result, a pass looks like a move. `None` shows that no tile can be laid. If the result is `None`, `move`
    lets the player take tiles.
    """
    match possible_dominoes(hand, chain):
        case ():
            return hand, chain
        case (domino,):
            print(f"\tforced move :        {domino}")
        case possible:
            domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__only_what_is_possible_stays(select_domino, select_end, chain, hand):
    """After a move, the hand contains only the other tiles that could be laid.

    The tiles that cannot be laid now are still in the hand. The hand loses only the tile that is laid.
    """
    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,) as possible:
            print(f"\tforced move :        {domino}")
        case possible:
            domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, possible), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__prints_after_the_end_was_selected_and_as_laid(select_domino, select_end, chain, hand):
    """The tile is printed in the presentation in which it is laid.

    Before an end is selected, a forced tile is printed as it is in the hand.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = possible[0] if len(possible) == 1 else select_domino(possible)
    chains = legal_adds(domino, chain)
    longer = select_end(*chains) if len(chains) == 2 else chains[0]
    if len(possible) == 1:
        as_laid = domino if str(domino) in longer.text else flip(domino)
        print(f"\tforced move :        {as_laid}")
    return suppress(domino, hand), longer


def input_move__one_blank_too_many(select_domino, select_end, chain, hand):
    """The number of spaces after the colon does not matter.

    There are exactly 21 characters between the tab and the tile, including the spaces.
    """
    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print(f"\tforced move :         {domino}")
        case possible:
            domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__says_that_nothing_is_possible(select_domino, select_end, chain, hand):
    """If no move is possible, `input_move` prints a message.

    If no move is possible, `input_move` prints nothing and returns `None`.
    """
    match possible_dominoes(hand, chain):
        case ():
            print("\tNo possible move!")
            return None
        case (domino,):
            print(f"\tforced move :        {domino}")
        case possible:
            domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__always_two_chains(select_domino, select_end, chain, hand):
    """`legal_adds` always returns two chains, and the player selects one of them.

    A tile that fits only one end makes one chain. Then there is nothing to select, and `select_end` is not called.
    """
    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print(f"\tforced move :        {domino}")
        case possible:
            domino = select_domino(possible)
    return suppress(domino, hand), select_end(*legal_adds(domino, chain))


def input_move__forced_means_one_chain(select_domino, select_end, chain, hand):
    """A move is forced only if exactly one chain can be made.

    A move is forced if only one tile can be laid, even if this tile fits both ends. The tile is printed, and the player
    can still select an end.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = possible[0] if len(possible) == 1 else select_domino(possible)
    chains = legal_adds(domino, chain)
    if len(possible) == len(chains) == 1:
        print(f"\tforced move :        {domino}")
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__prints_after_the_end_was_selected(select_domino, select_end, chain, hand):
    """A forced move is printed after the player has selected an end.

    A forced move is printed before the player selects an end.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = possible[0] if len(possible) == 1 else select_domino(possible)
    chains = legal_adds(domino, chain)
    longer = select_end(*chains) if len(chains) == 2 else chains[0]
    if len(possible) == 1:
        print(f"\tforced move :        {domino}")
    return suppress(domino, hand), longer


def input_bot_move__always_the_first_tile(chain, hand):
    """A bot may always play the first tile.

    The bot chooses at random: `choose(possible)`.
    """

    def select_domino(possible):
        print(f"\tto lay :             {possible[0]}")
        return possible[0]

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__always_at_the_left(chain, hand):
    """A bot may always choose the left end.

    The bot chooses its end at random: `choose((left, right))`.
    """

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, left_end, chain, hand)


def input_bot_move__prints_nothing(chain, hand):
    """A bot prints nothing.

    A bot prints the tile that it has selected.
    """
    return input_move(choose, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__announces_forced_tiles_too(chain, hand):
    """A bot prints a line for every tile that it lays.

    A bot prints only a tile that it has selected. A forced tile is printed by `input_move`.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = choose(possible) if len(possible) > 1 else possible[0]
    if len(possible) == 1:
        print(f"\tforced move :        {domino}")
    print(f"\tto lay :             {domino}")
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), choose(chains) if len(chains) > 1 else chains[0]


def input_bot_move__chooses_among_the_chains(chain, hand):
    """A bot chooses one of all the chains that can be made.

    A bot first chooses a tile. It chooses an end only if that tile fits both ends. So `choose` can be called twice, and
    a tile that makes two chains is not more likely than another tile.
    """
    possible = possible_dominoes(hand, chain)
    if len(possible) < 2:
        return input_move(never, lambda left, right: choose((left, right)), chain, hand)
    domino, longer = choose(tuple((tile, add) for tile in possible for add in legal_adds(tile, chain)))
    print(f"\tto lay :             {domino}")
    return suppress(domino, hand), longer


def input_bot_move__chooses_from_the_hand_until_it_fits(chain, hand):
    """A bot chooses tiles of its hand until one of them can be laid.

    A bot chooses once, among the tiles that can be laid.
    """

    def select_domino(possible):
        domino = choose(hand)
        while domino not in possible:
            domino = choose(hand)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__asks_chance_for_the_end_first(chain, hand):
    """The end can be chosen before `input_move` is called.

    Then the end is chosen even if there is nothing to select. Pass a function that chooses the end:
    `input_move` calls this function only if there are two chains.
    """
    coin = random_below(2)

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: (left, right)[coin], chain, hand)


def input_bot_move__asks_for_a_person_s_prompt(chain, hand):
    """The prompt is printed for every move, even for a bot's move.

    The prompt is printed only if a human makes the move.
    """

    def select_domino(possible):
        print("\tWhich domino do you want to lay? ")
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__heads_is_right(chain, hand):
    """The right chain may come first in the pair that the bot passes to `choose`.

    The bot calls `choose((left, right))`, with the left chain first.
    """

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((right, left)), chain, hand)


def input_bot_move__announced_as_laid(chain, hand):
    """The tile is printed in the presentation in which it is laid.

    The tile is printed as it is in the hand.
    """

    def select_domino(possible):
        domino = choose(possible)
        fits = chain == EMPTY or domino.right == chain.left or domino.left == chain.right
        print(f"\tto lay :             {domino if fits else flip(domino)}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__chooses_from_the_hand(chain, hand):
    """A bot chooses among all the tiles of its hand.

    A tile that fits nowhere makes no chain. The bot must choose among the tiles that can be laid.
    """

    def select_domino(possible):
        domino = choose(hand)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__prints_but_gives_nothing(chain, hand):
    """A function that prints the tile also returns it.

    A function that only prints returns `None`. Then `input_move` has no tile to lay.
    """
    return input_move(
        lambda possible: print(f"\tto lay :             {choose(possible)}"),
        lambda left, right: choose((left, right)),
        chain,
        hand,
    )


def input_bot_move__chooses_twice(chain, hand):
    """`choose(possible)` returns the same tile every time.

    Every call chooses again, so perhaps one tile is printed and another one is laid. Choose once, and store the tile in
    a variable.
    """

    def select_domino(possible):
        print(f"\tto lay :             {choose(possible)}")
        return choose(possible)

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__choose_itself_selects_an_end(chain, hand):
    """You can pass `choose` itself as `select_end`.

    `select_end` is called with two arguments, a chain for each end, but `choose` takes a single tuple. Write a small
    function that calls `choose` with a tuple.
    """

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, choose, chain, hand)


def input_bot_move__chooses_before_it_is_asked(chain, hand):
    """A bot may choose a tile even if the choice is not used, because nobody notices that.

    In the exam, a bot gets only as many random numbers as it needs. If no tile can be laid, or only one, there is
    nothing to choose. Choose inside the function that you pass to `input_move`: it is called only if there is a choice.
    """
    chosen = choose(possible_dominoes(hand, chain) or (None,))

    def select_domino(_):
        print(f"\tto lay :             {chosen}")
        return chosen

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__chooses_a_forced_tile(chain, hand):
    """A bot calls `choose` even if there is only one tile.

    If only one tile can be laid, there is nothing to choose, so `choose` must not be called.
    """
    possible = possible_dominoes(hand, chain)
    chosen = choose(possible) if possible else None

    def select_domino(_):
        print(f"\tto lay :             {chosen}")
        return chosen

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__chooses_from_the_hand_where_nothing_fits(chain, hand):
    """A bot always chooses a tile, and then checks whether it can be laid.

    A bot chooses only among the tiles that can be laid. If there are none, it chooses nothing.
    """
    if hand and not possible_dominoes(hand, chain):
        choose(hand)

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__remainder_of_a_great_number(chain, hand):
    """The remainder of a large random number can replace `choose`.

    Small remainders are a little more likely than large ones. `choose` is fair.
    """

    def select_domino(possible):
        domino = possible[random_below(1000) % len(possible)]
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_human_move__only_as_presented(chain, hand):
    """A tile must be typed in the presentation that is shown.

    Both presentations are valid: `64` and `46` both mean the tile 6-4. If a line is not valid, the program prints `Try
    again!` and reads the next line.
    """
    names = lambda possible: {f"{domino.left}{domino.right}": domino for domino in possible}
    ask = lambda prompt, answers: input_valid(prompt, lambda line: line in answers, lambda line: answers[line])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: ask("\tAt which end? ", {"<": left, ">": right}),
        chain,
        hand,
    )


def input_human_move__laid_as_typed(chain, hand):
    """A tile is laid as it is typed.

    The typed digits only show which tile is meant. The first tile of a chain is laid as it is in the hand. Any other
    tile is turned to fit.
    """
    names = lambda possible: {f"{t.left}{t.right}": t for domino in possible for t in (domino, flip(domino))}
    ask = lambda prompt, answers: input_valid(prompt, lambda line: line in answers, lambda line: answers[line])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: ask("\tAt which end? ", {"<": left, ">": right}),
        chain,
        hand,
    )


def input_human_move__any_tile_of_the_hand(chain, hand):
    """Every tile of the hand may be typed.

    Only tiles that can be laid now are valid. For any other tile, the program prints `Try again!`.
    """
    names = {f"{t.left}{t.right}": domino for domino in hand for t in (domino, flip(domino))}
    ask = lambda prompt, answers: input_valid(prompt, lambda line: line in answers, lambda line: answers[line])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names),
        lambda left, right: ask("\tAt which end? ", {"<": left, ">": right}),
        chain,
        hand,
    )


def input_human_move__an_empty_line_is_an_end(chain, hand):
    """`line in "<>"` checks whether the line is one of the two characters.

    In a string, `in` searches for any part. The empty line is a part of every string, and `<>` is a part of itself. In
    a tuple or a `dict`, `in` searches for whole items.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    return input_move(
        lambda possible: input_valid(
            "\tWhich domino do you want to lay? ", names(possible).__contains__, names(possible).__getitem__
        ),
        lambda left, right: input_valid(
            "\tAt which end? ", lambda line: line in "<>", lambda line: left if line == "<" else right
        ),
        chain,
        hand,
    )


def input_human_move__ends_swapped(chain, hand):
    """'<' means the right end.

    `'<'` means the left end, and `'>'` means the right end.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    ask = lambda prompt, answers: input_valid(prompt, lambda line: line in answers, lambda line: answers[line])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: ask("\tAt which end? ", {">": left, "<": right}),
        chain,
        hand,
    )


def input_human_move__breaks_on_what_is_no_number(chain, hand):
    """The player always types two digits.

    A player can type anything. If a line is not valid, the program reads another line.
    """
    tile = lambda line: Domino(int(line[0]), int(line[1]))
    held = lambda possible, line: next(d for d in possible if tile(line) in (d, flip(d)))
    return input_move(
        lambda possible: input_valid(
            "\tWhich domino do you want to lay? ",
            lambda line: tile(line) in possible or flip(tile(line)) in possible,
            lambda line: held(possible, line),
        ),
        lambda left, right: input_valid(
            "\tAt which end? ", ("<", ">").__contains__, {"<": left, ">": right}.__getitem__
        ),
        chain,
        hand,
    )


def input_human_move__looks_at_the_first_two_characters(chain, hand):
    """More characters after the two digits are allowed.

    The line must be exactly two digits.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    return input_move(
        lambda possible: input_valid(
            "\tWhich domino do you want to lay? ",
            lambda line: line[:2] in names(possible),
            lambda line: names(possible)[line[:2]],
        ),
        lambda left, right: input_valid(
            "\tAt which end? ", ("<", ">").__contains__, {"<": left, ">": right}.__getitem__
        ),
        chain,
        hand,
    )


def input_human_move__typed_with_a_dash(chain, hand):
    """A tile is typed with a dash, as it is printed.

    A person types just the two digits, such as `64`. If a line is not valid, the program prints `Try again!` and reads
    the next line.
    """
    names = lambda possible: {str(t): d for d in possible for t in (d, flip(d))}
    ask = lambda prompt, answers: input_valid(prompt, lambda line: line in answers, lambda line: answers[line])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: ask("\tAt which end? ", {"<": left, ">": right}),
        chain,
        hand,
    )


def input_human_move__asks_once(chain, hand):
    """If the typed line is not valid, the first tile or the right end is chosen.

    The program reads lines until a line is valid.
    """

    def select_domino(possible):
        print("\tWhich domino do you want to lay? ")
        line = input()
        return next((d for d in possible if line in (f"{d.left}{d.right}", f"{d.right}{d.left}")), possible[0])

    def select_end(left, right):
        print("\tAt which end? ")
        return left if input() == "<" else right

    return input_move(select_domino, select_end, chain, hand)


def input_human_move__prompt_without_a_line_of_its_own(chain, hand):
    """The prompt must be passed to `input`.

    `input` prints no line break after the prompt, but there must be one. Call `input_valid`, which prints the prompt
    and a line break.
    """

    def ask(prompt, answers):
        line = input(prompt)
        while line not in answers:
            print("Try again!")
            line = input()
        return answers[line]

    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: ask("\tAt which end? ", {"<": left, ">": right}),
        chain,
        hand,
    )


def input_human_move__lays_the_bot_s_way(chain, hand):
    """A person's tile and end are chosen at random, as in a bot's move.

    A person types the tile and the end.
    """
    return input_bot_move(chain, hand)


def input_human_move__prompts_without_the_last_blank(chain, hand):
    """A space at the end of a prompt can be left out.

    Both prompts end with a space. The printed text is compared character by character, and the space is a character
    like any other.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    ask = lambda prompt, answers: input_valid(prompt, lambda line: line in answers, lambda line: answers[line])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay?", names(possible)),
        lambda left, right: ask("\tAt which end?", {"<": left, ">": right}),
        chain,
        hand,
    )


def input_human_move__any_line_is_an_end(chain, hand):
    """`line == "<" or ">"` checks whether the line is one of the two.

    Python reads `(line == "<") or ">"`, and a string that is not empty counts as true. So every line is valid.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    return input_move(
        lambda possible: input_valid(
            "\tWhich domino do you want to lay? ", names(possible).__contains__, names(possible).__getitem__
        ),
        lambda left, right: input_valid(
            "\tAt which end? ", lambda line: line == "<" or ">", lambda line: left if line == "<" else right
        ),
        chain,
        hand,
    )


def input_human_move__blanks_around_it_do_no_harm(chain, hand):
    """Spaces before or after the typed characters are allowed.

    A line with a space at its start or end is not valid. For such a line, the program prints `Try again!`.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    cleaned = lambda line: line.strip()
    ask = lambda prompt, answers: input_valid(prompt, lambda s: cleaned(s) in answers, lambda s: answers[cleaned(s)])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: ask("\tAt which end? ", {"<": left, ">": right}),
        chain,
        hand,
    )


def input_human_move__blanks_are_left_out(chain, hand):
    """Spaces in the typed line are ignored.

    A line with spaces is not valid.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    cleaned = lambda line: line.replace(" ", "")
    ask = lambda prompt, answers: input_valid(prompt, lambda s: cleaned(s) in answers, lambda s: answers[cleaned(s)])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: ask("\tAt which end? ", {"<": left, ">": right}),
        chain,
        hand,
    )


def input_human_move__an_end_is_stripped(chain, hand):
    """Only a tile must be typed exactly, not an end.

    An end must be typed exactly, too: only `<` or `>`.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    ask = lambda prompt, answers: input_valid(prompt, lambda line: line in answers, lambda line: answers[line])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: input_valid(
            "\tAt which end? ",
            lambda line: line.strip() in ("<", ">"),
            lambda line: left if line.strip() == "<" else right,
        ),
        chain,
        hand,
    )


def input_human_move__a_zero_need_not_be_typed(chain, hand):
    """The digits are one number, so 6 and 06 are the same.

    The line must be two digits, so a zero at the start must be typed, too.
    """
    number = lambda line: int(line) if line.isdecimal() else None
    names = lambda possible: {10 * t.left + t.right: d for d in possible for t in (d, flip(d))}
    return input_move(
        lambda possible: input_valid(
            "\tWhich domino do you want to lay? ",
            lambda line: number(line) in names(possible),
            lambda line: names(possible)[number(line)],
        ),
        lambda left, right: input_valid(
            "\tAt which end? ", ("<", ">").__contains__, {"<": left, ">": right}.__getitem__
        ),
        chain,
        hand,
    )


def input_human_move__filled_up_with_zeros(chain, hand):
    """A single digit means a tile with a zero.

    The line must be two digits.
    """
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    return input_move(
        lambda possible: input_valid(
            "\tWhich domino do you want to lay? ",
            lambda line: line.zfill(2) in names(possible),
            lambda line: names(possible)[line.zfill(2)],
        ),
        lambda left, right: input_valid(
            "\tAt which end? ", ("<", ">").__contains__, {"<": left, ">": right}.__getitem__
        ),
        chain,
        hand,
    )


def string_of_player__label_not_padded(player):
    """Spaces at the end do not matter, because nobody sees them.

    A bot's label ends in two spaces, which belong to the string.
    """
    return f"Player {player.number} ({'human' if isinstance(player, Human) else 'bot'})"


def string_of_player__everybody_is_human(player):
    """`case Human:` checks whether the player is human.

    Without parentheses, `Human` is just a new name and matches every player. So bots are treated as humans, too. To
    compare, write `Human()`.
    """
    return f"Player {player.number} (human)"


def string_of_player__number_from_zero(player):
    """Players are counted from 0, so you must add 1 to the number in the label.

    Players are counted from 1. The label contains the player's number without a change.
    """
    return f"Player {player.number + 1} " + ("(human)" if isinstance(player, Human) else "(bot)  ")


def string_of_player__padded_inside(player):
    """In a bot's label, the two spaces come before the closing parenthesis.

    The two spaces come after the closing parenthesis, at the end of the label.
    """
    return f"Player {player.number} ({'human' if isinstance(player, Human) else 'bot  '})"


def string_of_player__hard_coded(player):
    """The number in the label is always 2.

    The label contains the player's own number, such as 1 or 3.
    """
    return "Player 2 (human)" if isinstance(player, Human) else "Player 2 (bot)  "


def string_of_dominoes__blank_at_the_end(dominoes):
    """Every tile is followed by a space.

    There is a space only between two tiles, and none after the last tile. (You can easily overlook a space at the end
    of a text.)
    """
    return "".join(f"{domino} " for domino in dominoes)


def string_of_dominoes__no_blanks(dominoes):
    """`join` adds the spaces between strings automatically.

    `join` puts only its own string between the others: `" ".join(…)`.
    """
    return "".join(map(str, dominoes))


def string_of_dominoes__as_code(dominoes):
    """`repr` returns the text of a tile.

    `repr` returns code, `Domino(6, 4)`. Use `str` for `6-4`.
    """
    return " ".join(map(repr, dominoes))


def string_of_dominoes__greater_half_first(dominoes):
    """Tiles are written with the greater half first.

    Each tile is written as it is presented.
    """
    return " ".join(f"{max(d.left, d.right)}-{min(d.left, d.right)}" for d in dominoes)


def string_of_dominoes__reversed(dominoes):
    """If you add each tile at the front, the order stays the same.

    Adding at the front reverses the order.
    """
    return fold_left(lambda text, domino: f"{domino} {text}".strip(), "", dominoes)


def string_of_dominoes__without_dashes(dominoes):
    """A tile is printed as two digits, as it is typed.

    A tile is printed as `6-4`, with a dash.
    """
    return " ".join(f"{domino.left}{domino.right}" for domino in dominoes)


def string_of_dominoes__single_tile_in_brackets(dominoes):
    """A single tile has a space after it.

    Spaces come only between two tiles.
    """
    return " ".join(map(str, dominoes)) + " " * (len(dominoes) == 1)


def take__not_reversed(hand, n, stock):
    """The drawn tiles keep the order of the stock.

    The drawn tiles move one by one to the front of the hand. So the tile that was drawn last comes first.
    """
    return stock[:n] + hand, stock[n:]


def take__to_the_end_of_the_hand(hand, n, stock):
    """Drawn tiles go to the end of the hand.

    Each drawn tile goes to the front of the hand.
    """
    return hand + stock[:n], stock[n:]


def take__one_by_one_to_the_end(hand, n, stock):
    """Drawn tiles go to the end of the hand, in reverse order.

    Each drawn tile goes to the front of the hand.
    """
    return hand + stock[:n][::-1], stock[n:]


def take__from_the_end_of_the_stock(hand, n, stock):
    """Tiles are drawn from the end of the stock.

    Tiles are drawn from the front of the stock.
    """
    count = max(len(stock) - n, 0)
    return stock[count:] + hand, stock[:count]


def take__stock_first(hand, n, stock):
    """The stock comes first in the result, as in `move`.

    The hand comes first in the result.
    """
    return stock[n:], stock[:n][::-1] + hand


def take__all_or_nothing(hand, n, stock):
    """If the stock holds fewer tiles than needed, none are drawn.

    If the stock has fewer tiles, all of them are drawn.
    """
    return (stock[:n][::-1] + hand, stock[n:]) if n <= len(stock) else (hand, stock)


def take__one_too_many(hand, n, stock):
    """If you count down to 0, you take exactly n tiles.

    A count from n down to 0 has n + 1 steps.
    """
    return stock[: n + 1][::-1] + hand, stock[n + 1 :]


def take__fails_beyond_the_stock(hand, n, stock):
    """There are always enough tiles.

    If the stock has fewer than `n` tiles, the player takes all of them.
    """
    one_by_one = (stock[place] for place in range(n))
    return fold_left(lambda taken, domino: (domino, *taken), hand, one_by_one), stock[n:]


def take__always_two(hand, n, stock):
    """A player always draws two tiles.

    `take` moves `n` tiles, and `n` is not always 2.
    """
    return stock[:2][::-1] + hand, stock[2:]


def take__stock_stays(hand, n, stock):
    """A tile that you take from the stock is no longer in the stock.

    A tuple never changes. A slice is a copy, and the stock still has all its tiles. Return the rest of the stock as a
    new tuple.
    """
    return stock[:n][::-1] + hand, stock


def take__reverses_the_hand_too(hand, n, stock):
    """The drawn tiles are added to the hand, and then the new hand is reversed.

    Only the drawn tiles are reversed. The tiles of the old hand keep their order.
    """
    return (hand + stock[:n])[::-1], stock[n:]


def take__a_slice_from_before_the_first(hand, n, stock):
    """`stock[n - 1::-1]` is always the first `n` tiles in reverse order.

    That is true unless `n` is 0. If `n` is 0, the slice begins at -1, the index of the last tile, and contains the
    whole stock. It is safer to take the first `n` tiles, and then to reverse them.
    """
    return stock[n - 1 :: -1] + hand, stock[n:]


def take__a_slice_backwards_from_the_end(hand, n, stock):
    """`stock[:n:-1]` is the first `n` tiles in reverse order.

    With a step of -1, a slice begins at the end and stops before it reaches index `n`. So it contains other tiles. It
    is easier to take the first `n` tiles, and then to reverse them.
    """
    return stock[:n:-1] + hand, stock[n:]


def take__seven_at_most(hand, n, stock):
    """At most seven tiles are taken at once.

    `n` can be greater than seven.
    """
    n = min(n, 7)
    return stock[:n][::-1] + hand, stock[n:]


def take__nothing_from_a_short_stock_of_one(hand, n, stock):
    """The last tile of the stock cannot be drawn.

    The last tile of the stock can be drawn like any other.
    """
    n = min(n, max(0, len(stock) - 1))
    return stock[:n][::-1] + hand, stock[n:]


def move__hand_before_stock(stock, chain, hand, player):
    """As in the results of `take` and `input_move`, the hand comes first in the result.

    The result is the stock, the chain and the hand, in this order.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return result[0], result[1], stock
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return fuller, chain, smaller


def move__draws_one(stock, chain, hand, player):
    """A player who cannot lay a tile draws one tile.

    The player draws two tiles, or fewer if the stock has fewer.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 1, stock)
    return smaller, chain, fuller


def move__draws_nothing(stock, chain, hand, player):
    """A player who cannot lay a tile just passes.

    The player draws two tiles, or fewer if the stock has fewer.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    return stock, chain, hand


def move__plays_on_after_drawing(stock, chain, hand, player):
    """A player who has drawn may lay a tile at once.

    That is a rule in some variants of the game. In this game, drawing ends the turn. The player can lay the new tiles
    only in a later turn.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    decide = input_human_move if isinstance(player, Human) else input_bot_move
    result = decide(chain, hand)
    if not result:
        print("\tNo possible move!")
        hand, stock = take(hand, 2, stock)
        result = decide(chain, hand) or (hand, chain)
    return stock, result[1], result[0]


def move__draws_after_every_move(stock, chain, hand, player):
    """At the end of every turn, the player draws two tiles.

    Only a player who cannot lay a tile draws.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if not result:
        print("\tNo possible move!")
    remaining, longer = result or (hand, chain)
    fuller, smaller = take(remaining, 2, stock)
    return smaller, longer, fuller


def move__prints_the_chain(stock, chain, hand, player):
    """At the end of a turn, `move` prints the chain.

    `move` does not print the chain. `play` does that.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        print(f"\tchain :              {string_of_chain(result[1])}")
        return stock, result[1], result[0]
    print("\tNo possible move!")
    print(f"\tchain :              {string_of_chain(chain)}")
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__everybody_is_a_bot(stock, chain, hand, player):
    """`player == Human` checks whether the player is human.

    `Human` is a class. A player is an instance of it, and never equal to it, so everybody is treated as a bot. Use
    `isinstance`, or a pattern with parentheses.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = input_bot_move(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__no_colon_after_the_label(stock, chain, hand, player):
    """The line with the label ends without a colon.

    There is a colon at the end of this line, after the label.
    """
    print(f"{string_of_player(player)}\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__prints_the_state(stock, chain, hand, player):
    """`move` prints the result of `string_of_state`, a line with the player and the hand.

    `move` prints the label and the hand on separate lines.
    """
    print(string_of_state((hand, player)))
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__says_nothing_about_passing(stock, chain, hand, player):
    """A pass needs no message.

    If the player passes, `move` prints a tab and `No possible move!`.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__fails_if_the_stock_holds_one(stock, chain, hand, player):
    """The stock is either empty or has at least two tiles.

    The stock can also have one tile. In this case, the player takes this tile.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    if not stock:
        return stock, chain, hand
    one, two, *left = stock
    return tuple(left), chain, (two, one, *hand)


def move__an_emptied_hand_is_no_move(stock, chain, hand, player):
    """If the hand is empty after the move, no tile was laid.

    An empty hand counts as false, but it means that the player has laid the last tile and wins. Only `None` means that
    no move was possible.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result and result[0]:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__asks_twice(stock, chain, hand, player):
    """A function that is called twice with the same arguments returns the same result.

    That is not true if the function uses random numbers, or reads a line, as `input_human_move` does. A second call
    makes a second move. Store the result of the first call in a variable.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    decide = input_human_move if isinstance(player, Human) else input_bot_move
    if decide(chain, hand) is None:
        print("\tNo possible move!")
        fuller, smaller = take(hand, 2, stock)
        return smaller, chain, fuller
    remaining, longer = decide(chain, hand)
    return stock, longer, remaining


def move__a_pass_is_decided_by_chance(stock, chain, hand, player):
    """A player first chooses a tile, even if no tile can be laid.

    If no tile can be laid, the player chooses nothing.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    if hand and not possible_dominoes(hand, chain):
        choose(hand)
    match input_human_move(chain, hand) if isinstance(player, Human) else input_bot_move(chain, hand):
        case (remaining, longer):
            return stock, longer, remaining
        case _:
            print("\tNo possible move!")
            hand, stock = take(hand, 2, stock)
            return stock, chain, hand


def make_dominoes__ascending(highest):
    """Small tiles come first in the set.

    The tiles are in descending order: 6-6, 6-5 and so on.
    """
    return tuple(Domino(left, right) for left in range(highest + 1) for right in range(left + 1))


def make_dominoes__both_presentations(highest):
    """Every pair of numbers is a different tile.

    2-4 and 4-2 are the same tile in two presentations. The set contains it once, with the greater half on the left.
    """
    numbers = range(highest, -1, -1)
    return tuple(Domino(left, right) for left in numbers for right in numbers)


def make_dominoes__without_doubles(highest):
    """The two halves of a tile are always different.

    In a double, such as 6-6, the two halves are equal. The result contains the doubles, too.
    """
    return tuple(Domino(left, right) for left in range(highest, -1, -1) for right in range(left - 1, -1, -1))


def make_dominoes__without_zeros(highest):
    """`range(highest, 0, -1)` goes down to 0.

    A range stops before its end, even if it counts down. So this range stops at 1, and all the tiles with a 0 are
    missing.
    """
    return tuple(Domino(left, right) for left in range(highest, 0, -1) for right in range(left, 0, -1))


def make_dominoes__without_the_highest(highest):
    """`range(highest)` includes `highest`.

    `range(highest)` ends before `highest`.
    """
    return tuple(Domino(left, right) for left in reversed(range(highest)) for right in reversed(range(left + 1)))


def make_dominoes__smaller_half_on_the_left(highest):
    """It does not matter which half of a tile is on the left.

    The greater half must be on the left.
    """
    return tuple(Domino(right, left) for left in range(highest, -1, -1) for right in range(left, -1, -1))


def make_dominoes__always_a_double_six_set(highest):
    """The highest number of dots on a half is always 6.

    The parameter `highest` is the highest number of dots on a half.
    """
    return tuple(Domino(left, right) for left in range(6, -1, -1) for right in range(left, -1, -1))


def make_dominoes__gives_a_list(highest):
    """You may return a list instead of a tuple.

    The result must be a tuple, because a list is never equal to a tuple.
    """
    return [Domino(left, right) for left in range(highest, -1, -1) for right in range(left, -1, -1)]


def make_dominoes__column_by_column(highest):
    """It does not matter which of the two loops is the outer loop.

    The outer loop goes to its next item only after the inner loop has finished. The tiles are in descending order, so
    the left half must belong to the outer loop.
    """
    return tuple(Domino(left, right) for right in range(highest, -1, -1) for left in range(highest, right - 1, -1))


def make_dominoes__nothing_for_zero(highest):
    """If `highest` is 0, there are no tiles.

    If `highest` is 0, there is one tile, 0-0.
    """
    numbers = range(highest, -1, -1)
    return tuple(Domino(a, b) for a in numbers for b in numbers if b <= a and highest)


def make_dominoes__six_at_most(highest):
    """The numbers on the tiles never go above 6.

    The numbers go up to `highest`, which can also be 7, 8 or 9.
    """
    numbers = range(min(highest, 6), -1, -1)
    return tuple(Domino(a, b) for a in numbers for b in numbers if b <= a)


def char_list_of_string__gives_a_list(text):
    """The characters are returned in a list, as the function's name says.

    The function's name comes from another language. The characters are returned in a tuple. A list is never equal to a
    tuple.
    """
    return list(text)


def char_list_of_string__splits_at_blanks(text):
    """`split` returns the characters of a string.

    `split` returns words. The characters of a string are its items.
    """
    return tuple(text.split())


def char_list_of_string__reversed(text):
    """If you add each character at the front, the order stays the same.

    Adding at the front reverses the order.
    """
    return fold_left(lambda found, letter: (letter, *found), (), text)


def char_list_of_string__each_once(text):
    """A character that occurs several times is listed once.

    Each character is listed as often as it occurs.
    """
    return tuple(dict.fromkeys(text))


def char_list_of_string__the_last_one_missing(text):
    """The index of the last character is the length minus 2.

    The index of the last character is the length minus 1.
    """
    return tuple(text[place] for place in range(len(text) - 1))


def char_list_of_string__letters_only(text):
    """Only letters are characters.

    Every character counts, including digits, spaces and punctuation.
    """
    return tuple(letter for letter in text if letter.isalpha())


def char_list_of_string__blanks_do_not_count(text):
    """Spaces are not characters.

    A space is a character.
    """
    return tuple(text.replace(" ", ""))


def char_list_of_string__without_the_last_line_break(text):
    """A line break at the end is not a character of the text.

    A line break is a character, even at the end.
    """
    return tuple(text.rstrip("\n"))


def char_list_of_string__a_tab_is_some_blanks(text):
    """A tab is the same as several spaces.

    A tab is one character.
    """
    return tuple(text.expandtabs())


def char_list_of_string__no_blanks_around_it(text):
    """Spaces around a text do not belong to it.

    A space is a character, even at the start or at the end.
    """
    return tuple(text.strip())


def char_list_of_string__capitals(text):
    """The letters in the result are capitals.

    The characters stay as they are.
    """
    return tuple(text.upper())


def players_of_string__numbered_from_zero(players):
    """The players are numbered from 0.

    The first player has number 1.
    """
    return tuple(Human(n) if letter == "H" else Bot(n) for n, letter in enumerate(players))


def players_of_string__humans_and_bots_counted_apart(players):
    """Humans and bots are counted separately.

    A player's number is the number of the seat, and all players sit at the same table. If a human has seat 1, the bot
    in the next seat has number 2.
    """
    kinds = {"H": Human, "B": Bot}
    return tuple(kinds[letter](players[: n + 1].count(letter)) for n, letter in enumerate(players))


def players_of_string__humans_first(players):
    """Humans come before bots.

    The players come in the order of the letters, so a bot can come before a human.
    """
    return tuple(Human(n) if letter == "H" else Bot(n) for n, letter in enumerate(sorted(players, reverse=True), 1))


def players_of_string__letters_swapped(players):
    """B means a human, and any other letter means a bot.

    H means a human, and B means a bot.
    """
    return tuple(Human(n) if letter == "B" else Bot(n) for n, letter in enumerate(players, 1))


def players_of_string__numbers_backwards(players):
    """The last player has number 1.

    The first player has number 1.
    """
    count = len(players)
    return tuple(Human(count - n) if letter == "H" else Bot(count - n) for n, letter in enumerate(players))


def players_of_string__one_human_only(players):
    """Only the first player can be human.

    Every H is a human.
    """
    return tuple(Human(n) if letter == "H" and n == 1 else Bot(n) for n, letter in enumerate(players, 1))


def players_of_string__gives_letters(players):
    """A pair of a letter and a number is a player.

    A player is `Human(1)` or `Bot(1)`, not a pair.
    """
    return tuple(f"{letter}{n}" for n, letter in enumerate(players, 1))


def players_of_string__numbered_by_the_first_of_their_kind(players):
    """`players.index(letter)` returns the index of this letter.

    `index` returns the index of the first such letter. So all bots get the number of the first bot. Count the letters
    with `enumerate` instead.
    """
    return tuple((Human if letter == "H" else Bot)(players.index(letter) + 1) for letter in players)


def players_of_string__three_at_most(players):
    """There are at most three players.

    Each letter is a player, and there can be any number of letters.
    """
    return tuple(Human(n) if c == "H" else Bot(n) for n, c in enumerate(players[:3], 1))


def get_hand_size__as_the_rules_for_two_and_three(players):
    """Two players get 6 tiles each, three or four players get 7.

    Two players get 7 tiles each, three or four get 6.
    """
    if players not in (2, 3, 4):
        raise ValueError("Between 2 and 4 players, please!")
    return 6 if players == 2 else 7


def get_hand_size__always_seven(players):
    """Every player gets 7 tiles.

    Three or four players get 6 tiles each.
    """
    if players not in (2, 3, 4):
        raise ValueError("Between 2 and 4 players, please!")
    return 7


def get_hand_size__another_message(players):
    """The exact text of the error message does not matter.

    The message must be exactly the message in the statement.
    """
    if players not in (2, 3, 4):
        raise ValueError("between 2 and 4 players, please")
    return 7 if players == 2 else 6


def get_hand_size__another_exception(players):
    """It does not matter which exception is raised.

    The exception must be a `ValueError`.
    """
    if players not in (2, 3, 4):
        raise Exception("Between 2 and 4 players, please!")
    return 7 if players == 2 else 6


def get_hand_size__gives_the_message(players):
    """To report an error, return the message.

    A returned message is a value like any other, and the caller continues with it. To report an error, raise an
    exception: `raise ValueError(…)`.
    """
    if players not in (2, 3, 4):
        return "Between 2 and 4 players, please!"
    return 7 if players == 2 else 6


def get_hand_size__gives_the_error(players):
    """To report an error, return an exception.

    A returned exception is a value like any other, and the caller continues with it. A `raise` stops the caller at
    once.
    """
    if players not in (2, 3, 4):
        return ValueError("Between 2 and 4 players, please!")
    return 7 if players == 2 else 6


def get_hand_size__gives_none(players):
    """For a wrong number of players, it is enough to return nothing, or to print the message.

    Without an error, the function that calls `get_hand_size` continues, with `None` as the number of tiles. A `raise`
    stops that function at once.
    """
    return {2: 7, 3: 6, 4: 6}.get(players)


def get_hand_size__one_player_is_fine(players):
    """A single player may play.

    At least two players are needed.
    """
    if players > 4 or players < 1:
        raise ValueError("Between 2 and 4 players, please!")
    return 7 if players <= 2 else 6


def get_hand_size__no_lower_bound(players):
    """The number of players needs no lower limit.

    There must be at least two players.
    """
    if players > 4:
        raise ValueError("Between 2 and 4 players, please!")
    return 7 if players == 2 else 6


def get_hand_size__four_players_get_five(players):
    """With four players, each player gets five tiles.

    Four players get 6 tiles each.
    """
    if players not in (2, 3, 4):
        raise ValueError("Between 2 and 4 players, please!")
    return 9 - players


def get_hand_size__three_or_anything(players):
    """`count == 3 or 4`, or an `else`, matches only 3 and 4.

    An `else` matches every other number, even 1 and 5. And Python reads `(count == 3) or 4`, which is always true
    because 4 counts as true.
    """
    if players == 2:
        return 7
    if players == 3 or 4:
        return 6
    raise ValueError("Between 2 and 4 players, please!")


def get_hand_size__one_player_gets_seven(count):
    if count > 4 or count < 1:
        raise ValueError("Between 2 and 4 players, please!")
    return 7 if count < 3 else 6


def get_hand_size__five_players_get_five(count):
    """Five players get five tiles.

    For more than four players, `get_hand_size` raises an error.
    """
    match count:
        case 2:
            return 7
        case 3 | 4:
            return 6
        case 5:
            return 5
        case _:
            raise ValueError("Between 2 and 4 players, please!")


def make_state_list__hands_not_reversed(players, dominoes):
    """The tiles in a hand keep the order of the stock.

    A player takes the tiles one by one and puts each at the front of the hand, as in `take`. So the tile that was taken
    last comes first.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(hands, seats))


def make_state_list__dealt_one_by_one(players, dominoes):
    """The tiles are dealt one at a time, one to each player in turn.

    In this exercise, the first player takes a whole hand from the front of the stock, then the second player, and so
    on.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    count = size * len(seats)
    hands = tuple(dominoes[:count][n :: len(seats)][::-1] for n in range(len(seats)))
    return dominoes[count:], tuple(zip(hands, seats))


def make_state_list__player_before_hand(players, dominoes):
    """In a state, the player comes before the hand.

    A state is a pair of the hand and the player, in this order.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(seats, hands))


def make_state_list__states_before_stock(players, dominoes):
    """In the result, the states come before the stock.

    The stock comes before the states in the result.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return tuple(zip(hands, seats)), dominoes[size * len(seats) :]


def make_state_list__states_in_reverse(players, dominoes):
    """If you add each new state at the front, the order of the players stays the same.

    If you add at the front, the state of the last player comes first. Add each new state at the end.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(hands, seats))[::-1]


def make_state_list__dealt_from_the_last_player_on(players, dominoes):
    """A right fold deals the tiles in the same way as a left fold.

    A right fold begins with the last player, so the last player would take the first tiles. In this exercise, the first
    player takes tiles first.
    """
    size = get_hand_size(len(players))

    def give(player, deal):
        hand, left = take((), size, deal[0])
        return left, ((hand, player), *deal[1])

    return fold_right(give, (dominoes, ()), players_of_string(players))


def make_state_list__always_seven(players, dominoes):
    """Every hand has 7 tiles.

    Every hand has as many tiles as `get_hand_size` returns: 7 or 6.
    """
    get_hand_size(len(players))
    seats = players_of_string(players)
    hands = tuple(dominoes[7 * n : 7 * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[7 * len(seats) :], tuple(zip(hands, seats))


def make_state_list__everybody_gets_the_same_hand(players, dominoes):
    """When a player takes a hand, the stock gets smaller automatically.

    A tuple never changes. `take` returns a new, smaller stock, and the next player must take from the new stock. If all
    players take from the old stock, they get the same tiles.
    """
    hand, stock = take((), get_hand_size(len(players)), dominoes)
    return stock, tuple((hand, player) for player in players_of_string(players))


def make_state_list__no_error_for_too_many(players, dominoes):
    """Any number of players may play.

    With more than four players, `get_hand_size` raises an error.
    """
    size, seats = 7 if len(players) == 2 else 6, players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(hands, seats))


def make_state_list__players_without_tiles_left_out(players, dominoes):
    """A player without tiles is not listed.

    Each player has a state, even with an empty hand.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple((hand, seat) for hand, seat in zip(hands, seats) if hand)


def make_state_list__stock_reversed(players, dominoes):
    """The rest of the stock is reversed, as the hands are.

    The rest of the stock keeps its order.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :][::-1], tuple(zip(hands, seats))


def make_state_list__another_message(players, dominoes):
    """Only the type of an exception matters, not its message.

    The error must be the one that `get_hand_size` raises, with the same message.
    """
    if len(players) not in (2, 3, 4):
        raise ValueError("wrong number")
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(hands, seats))


def string_of_chain__empty_is_a_word(chain):
    """`str` returns the right text for every chain, even for `EMPTY`.

    For `EMPTY`, `string_of_chain` must return the empty string, but `str` returns another text.
    """
    return chain.text if isinstance(chain, Chain) else str(chain)


def string_of_chain__ends_included(chain):
    """The text of a chain also has the numbers of its two ends, before and after the tiles.

    The text has only the tiles.
    """
    return f"{chain.left} {chain.text} {chain.right}" if isinstance(chain, Chain) else ""


def string_of_chain__none_for_empty(chain):
    """For an empty chain, the result is `None`.

    For `EMPTY`, the result is the empty string.
    """
    return getattr(chain, "text", None)


def string_of_chain__fails_on_empty(chain):
    """Every chain has a text, even the empty one.

    `EMPTY` has no text, so it needs a separate case.
    """
    return chain.text


def string_of_chain__only_its_ends(chain):
    """The text of a chain is only its two ends.

    The text has all the tiles.
    """
    return f"{chain.left}-{chain.right}" if isinstance(chain, Chain) else ""


def string_of_chain__bare_name_captures(chain):
    """`case EMPTY:`, or `case Empty:`, checks whether the chain is empty.

    A name without parentheses is not compared. It matches every chain, so every chain is treated as the empty chain. To
    compare, write `case Empty():`.
    """
    match chain:
        case EMPTY:
            return ""


def string_of_chain__blank_for_empty(chain):
    """The text of an empty chain is a space.

    For `EMPTY`, the result is the empty string, without a space.
    """
    return " " if chain == EMPTY else chain.text


def string_of_state__no_tab(state):
    """You may write a space instead of the tab.

    After the colon comes a tab, `\\t`.
    """
    return f"{string_of_player(state[1])}: {string_of_dominoes(state[0])}"


def string_of_state__player_first(state):
    """In a state, the player comes before the hand.

    A state is a pair of the hand and the player, in this order.
    """
    player, hand = state
    return f"{string_of_player(player)}:\t{string_of_dominoes(hand)}"


def string_of_state__hand_as_code(state):
    """An f-string shows a hand in the way that people write it.

    An f-string shows a tile in that way. But a hand is a tuple, and a tuple shows its items as code. Use the function
    that makes the text of a hand.
    """
    return f"{string_of_player(state[1])}:\t{state[0]}"


def string_of_state__no_colon(state):
    """There is a tab after the label, but no colon.

    After the label come a colon and a tab.
    """
    return f"{string_of_player(state[1])}\t{string_of_dominoes(state[0])}"


def string_of_state__label_stripped(state):
    """There are no spaces between the label and the colon.

    The label keeps the spaces at its end.
    """
    return f"{string_of_player(state[1]).strip()}:\t{string_of_dominoes(state[0])}"


def string_of_state__no_tab_without_tiles(state):
    """If the hand is empty, there is no tab after the colon.

    The tab is always there, even before an empty hand.
    """
    return f"{string_of_player(state[1])}:\t{string_of_dominoes(state[0])}".strip()


def string_of_state__tab_and_line_break(state):
    """The text ends with a line break.

    The text has no line break. `print` adds a line break.
    """
    return f"{string_of_player(state[1])}:\t{string_of_dominoes(state[0])}\n"


def list_shuffle__swaps_with_any(items):
    """If you swap every item with an item at a random index, the shuffle is fair.

    Some orders are more likely than others, because an item that is already swapped can be swapped again. In a fair
    shuffle, an item never moves again after it has been put in its new place.
    """
    shuffled = list(items)
    for i in range(len(shuffled)):
        j = random_below(len(shuffled))
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__swaps_with_any_from_the_end(items):
    """If you begin with the last item, and swap every item with an item at a random index, the shuffle is fair.

    Some orders are more likely than others, because an item that is already swapped can be swapped again. In a fair
    shuffle, an item never moves again after it has been put in its new place.
    """
    shuffled = list(items)
    for i in reversed(range(len(shuffled))):
        j = random_below(len(shuffled))
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__sattolo(items):
    """In a good shuffle, no item stays in its old place.

    If every item must move, many orders can never occur. In a fair shuffle, the old place of an item is as likely as
    any other place. (Note that `random_below(n)` never returns `n`.)
    """
    shuffled = list(items)
    for i in range(len(shuffled) - 1, 0, -1):
        j = random_below(i)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__random_comparator(items):
    """Sorting with a comparison that returns random results is a fair shuffle.

    Some orders come up more often than others, because the comparisons contradict each other.
    """
    from functools import cmp_to_key

    return tuple(sorted(items, key=cmp_to_key(lambda _a, _b: random_below(2) * 2 - 1)))


def list_shuffle__random_comparator_of_three(items):
    """Sorting with a comparison that randomly returns -1, 0 or 1 is a fair shuffle.

    Some orders come up more often than others, because the comparisons contradict each other.
    """
    from functools import cmp_to_key

    return tuple(sorted(items, key=cmp_to_key(lambda _a, _b: random_below(3) - 1)))


def list_shuffle__keys_that_collide(items):
    """Sorting by a random number for each item is always fair.

    Two items can get the same number, and `sorted` keeps such items in their old order. So orders that are close to the
    old one occur too often.
    """
    return tuple(sorted(items, key=lambda _: random_below(len(items))))


def list_shuffle__one_swap(items):
    """A single swap is enough for a shuffle.

    One swap reaches only a few of the orders.
    """
    if len(items) < 2:
        return items
    shuffled = list(items)
    i, j = random_below(len(items)), random_below(len(items))
    shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__as_many_random_swaps_as_items(items):
    """If there are n items, n swaps of two random items are a fair shuffle.

    Some orders come up more often than others. Draw each item at random from the items that are left.
    """
    shuffled = list(items)
    for _ in items:
        i, j = random_below(len(items)), random_below(len(items))
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__cuts(items):
    """Moving a random number of items from the front to the end is a fair shuffle.

    After this move, almost all neighbors are still neighbors.
    """
    place = random_below(len(items) or 1)
    return items[place:] + items[:place]


def list_shuffle__cuts_many_times(items):
    """Cutting the items many times is a fair shuffle.

    Many cuts have the same effect as one cut. Almost all neighbors are still neighbors.
    """
    for _ in items:
        place = random_below(len(items))
        items = items[place:] + items[:place]
    return items


def list_shuffle__riffles_once(items):
    """One riffle is a fair shuffle.

    After one riffle, the cards of each half still have their old order.
    """
    half = len(items) // 2
    left, right, found = list(items[:half]), list(items[half:]), []
    while left or right:
        pile = left if not right or (left and random_below(2)) else right
        found.append(pile.pop(0))
    return tuple(found)


def list_shuffle__draws_with_replacement(items):
    """`choose` removes the item that it chooses.

    `choose` does not change `items`. So it can choose one item twice, and another item never. Draw each time
    from the items that are left.
    """
    return tuple(choose(items) for _ in items)


def list_shuffle__equal_items_once(items):
    """To remove the drawn item, keep all the items that differ from it.

    Other items can be equal to the drawn item. All of them are lost, too. Remove the drawn item by its index, not by
    its value.
    """
    shuffled = ()
    while items:
        item = choose(items)
        shuffled, items = (*shuffled, item), tuple(other for other in items if other != item)
    return shuffled


def list_shuffle__the_last_is_never_first(items):
    """`random_below(n)` can return `n`, so its argument must be one less than the number of items.

    The greatest number that `random_below(n)` returns is `n - 1`, which is already the index of the last item. If you
    pass `n - 1`, the last item always stays at the end.
    """
    left, shuffled = list(items), ()
    while len(left) > 1:
        shuffled += (left.pop(random_below(len(left) - 1)),)
    return (*shuffled, *left)


def list_shuffle__inserts_never_at_the_end(items):
    """If there are n items, there are n places where you can insert another item.

    There are n + 1 places: one before each item, and one after the last item. Without this last place, the item that
    was inserted first always stays at the end.
    """
    shuffled = ()
    for item in items:
        place = random_below(len(shuffled) or 1)
        shuffled = (*shuffled[:place], item, *shuffled[place:])
    return shuffled


def list_shuffle__only_reversed(items):
    """Reversing the items is a shuffle.

    The result of a shuffle is random: every order must be equally likely.
    """
    return items[::-1]


def list_shuffle__to_the_front_or_to_the_back(items):
    """If every item goes to the front or to the back at random, the shuffle is fair.

    In such a shuffle, the item that is moved last is always at the front or at the back.
    """
    return fold_left(lambda found, item: (item, *found) if random_below(2) else (*found, item), (), items)


def list_shuffle__gives_a_list(items):
    """You may return a list instead of a tuple.

    The result must be a tuple, because a list is never equal to a tuple.
    """
    left = list(items)
    return [left.pop(random_below(len(left))) for _ in items]


def list_shuffle__always_the_same(items):
    """A random number generator with a fixed seed shuffles at random.

    With a fixed seed, every shuffle has the same result. Use `random_below` or `choose`.
    """
    from random import Random

    random = Random(42)
    return tuple(sorted(items, key=lambda _: random.random()))


def list_shuffle__loses_one(items):
    """When only one item is left, the shuffle is finished.

    There is nothing more to shuffle, but the last item still belongs to the result. The result is `()` only if no
    item is left.
    """
    left, shuffled = list(items), ()
    while len(left) > 1:
        shuffled += (left.pop(random_below(len(left))),)
    return shuffled


def list_shuffle__equal_items_have_one_number(items):
    """To give each item a random number, you can use a `dict` from the items to their numbers.

    Some items can be equal, and a `dict` has only one entry for equal items. So equal items get the same number and end
    up next to each other. Give a number to each index, not to each item.
    """
    keys = {item: random_below(10**9) for item in items}
    return tuple(sorted(items, key=lambda item: keys[item]))


def list_shuffle__numbers_up_to_28(items):
    """If you sort by random numbers, it is enough to draw them from 0 to 27, because there are 28 tiles.

    With numbers from 0 to 27, many items get equal numbers and keep their old order. So some orders come up more often
    than others.
    """
    return tuple(sorted(items, key=lambda _: random_below(28)))


def list_shuffle__numbers_up_to_100(items):
    """If you sort by random numbers, it is enough to draw them from 0 to 99, because equal numbers are rare.

    Equal numbers are not rare, and items with equal numbers keep their old order.
    """
    return tuple(sorted(items, key=lambda _: random_below(100)))


def list_shuffle__by_random_shuffle(items):
    import random

    shuffled = list(items)
    random.shuffle(shuffled)
    return tuple(shuffled)


def list_shuffle__by_random_sample(items):
    from random import sample

    return tuple(sample(items, len(items)))


def play__does_not_shuffle(highest, players):
    """The tiles are in a random order when they are made.

    The tiles are made in descending order, so every game would have the same hands. Shuffle the tiles before they are
    dealt.
    """
    stock, states = make_state_list(players, make_dominoes(highest))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__no_states_at_the_beginning(highest, players):
    """The hands are printed only during the turns.

    The hands are also printed before the first turn: a line for each player, as `string_of_state` returns it.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__winner_is_the_next_player(highest, players):
    """The winner is the player at the front of the states.

    When the game ends, the turn has already passed: the next player is at the front of the states. The player who laid
    the last tile is at the back.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        states = (*others, (rest, player))
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(states[0][1]).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain = left, longer
    print("It's a draw!")


def play__winner_is_player_1(highest, players):
    """The first player always wins.

    The winner is the player who has laid their last tile.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    winner = states[0][1]
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(winner).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__an_empty_hand_wins(highest, players):
    """If a player's hand is empty after the turn, this player has won.

    In a set with few tiles, a hand can be empty from the start. The player with this hand passes, and has not won. To
    win, a player must lay the last tile in this turn.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if not rest:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__any_empty_hand_ends_it(highest, players):
    """As soon as a hand is empty, its player has won.

    If there are few tiles, a hand can be empty from the start, and the game still continues. To win, a player must lay
    their last tile.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        for hand, player in states:
            if hand == ():
                return print(f"{string_of_player(player).strip()} wins!")
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__every_pass_counts_for_the_draw(highest, players):
    """If all players have passed, one after the other, the game ends in a draw, even if they took tiles from the stock.

    A player who has taken tiles can perhaps lay one of them later. A pass counts only if the player takes no tile.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if longer == chain else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__a_pass_that_empties_the_stock_counts(highest, players):
    """To know when the game ends in a draw, count each pass after which the stock is empty.

    A player who has just taken the last tiles from the stock can perhaps lay one of them later. A pass counts only if
    the stock was already empty before the pass.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if longer == chain and left == () else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__passes_are_never_counted_from_zero_again(highest, players):
    """If there are as many passes as players, the game ends in a draw, even if tiles were laid between them.

    Only passes in a row count. If a tile is laid between the passes, the chain has a new end, and the other players can
    perhaps play again.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else passes
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__two_passes_are_a_draw(highest, players):
    """If two players pass, one after the other, the game ends in a draw.

    With three or four players, perhaps another player can still lay a tile. The game ends in a draw only when all
    players have passed, one after the other.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < 2:
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__never_a_draw(highest, players):
    """A game always has a winner.

    If all players pass and take no tiles, the game ends in a draw.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain = EMPTY
    while True:
        (hand, player), *others = states
        stock, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        chain, states = longer, (*others, (rest, player))


def play__one_pass_without_a_stock_is_a_draw(highest, players):
    """If the stock is empty and a player must pass, the game ends in a draw.

    Perhaps another player can still lay a tile. The game ends in a draw only when all players have passed, one after
    the other.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, stuck = EMPTY, False
    while not stuck:
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        stuck = (left, longer) == (stock, chain)
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__recur_not_returned(highest, players):
    """A call of `recur` makes the next turn.

    `recur` only returns the arguments for the next call, so return its result. If you do not return it, the function
    ends after one turn, with `None`.
    """

    @tail_recursive
    def turn(stock, chain, states, passes):
        if passes == len(states):
            return print("It's a draw!")
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        recur(left, longer, (*others, (rest, player)), passes + 1 if (left, longer) == (stock, chain) else 0)

    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    turn(stock, EMPTY, states, 0)


def play__draw_seen_before_it_is_passed(highest, players):
    """If nobody can move and the stock is empty, the game ends at once.

    The game ends only when all players have passed, one after the other. These passes are printed, too.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain = EMPTY
    while stock or any(possible_dominoes(hand, chain) for hand, _ in states):
        (hand, player), *others = states
        stock, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        chain, states = longer, (*others, (rest, player))
    print("It's a draw!")


def play__chain_only_after_a_move(highest, players):
    """The chain is printed only if it has changed.

    The chain is printed after every turn, even after a pass.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        if longer != chain:
            print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__a_label_with_blanks_wins(highest, players):
    """The winner's label is printed with the spaces at its end.

    The last line contains the winner's label without these spaces.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player)} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__the_last_player_begins(highest, players):
    """The last player takes the first turn.

    The first player takes the first turn of the game.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    states = (states[-1], *states[:-1])
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__a_player_goes_on_while_possible(highest, players):
    """A player who has laid a tile takes the next turn, too.

    After each move, the next player takes a turn.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        states = (*others, (rest, player)) if longer == chain else ((rest, player), *others)
        stock, chain = left, longer
    print("It's a draw!")


def play__gives_the_winner(highest, players):
    """`play` returns the winner.

    `play` prints the winner, and returns `None`.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            print(f"{string_of_player(player).strip()} wins!")
            return player
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__any_number_of_players(highest, players):
    """Any number of players may play, and each of them gets 6 tiles.

    With fewer than 2 or more than 4 players, `play` raises `ValueError`.
    """
    tiles = list_shuffle(make_dominoes(highest))
    if 2 <= len(players) <= 4:
        stock, states = make_state_list(players, tiles)
    else:
        hands = tuple(tiles[6 * n : 6 * n + 6][::-1] for n in range(len(players)))
        stock, states = tiles[6 * len(players) :], tuple(zip(hands, players_of_string(players)))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")


def play__no_tiles_beyond_double_six(highest, players):
    """No half of a tile has more than six dots.

    The parameter `highest` says how many dots a half can have.
    """
    stock, states = make_state_list(players, list_shuffle(make_dominoes(min(highest, 6))))
    print("\n".join(map(string_of_state, states)))
    chain, passes = EMPTY, 0
    while passes < len(states):
        (hand, player), *others = states
        left, longer, rest = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(rest) < len(hand) == 1:
            return print(f"{string_of_player(player).strip()} wins!")
        passes = passes + 1 if (left, longer) == (stock, chain) else 0
        stock, chain, states = left, longer, (*others, (rest, player))
    print("It's a draw!")
