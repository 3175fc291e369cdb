"""Plausible mistakes in dominoes, each named for what its author believes."""

from course.dominoes import *


def flip__gives_the_same_presentation(domino):
    """A tile is the same tile either way."""
    return domino


def flip__greater_half_first(domino):
    """The other presentation is the one with the greater half on the left."""
    return Domino(max(domino.left, domino.right), min(domino.left, domino.right))


def flip__smaller_half_first(domino):
    """Flipping means sorting."""
    return Domino(min(domino.left, domino.right), max(domino.left, domino.right))


def flip__gives_a_pair(domino):
    """A pair of halves is as good as a tile."""
    return (domino.right, domino.left)


def flip__only_if_it_is_a_double(domino):
    """Doubles are the special case (they are, but the other way round)."""
    return Domino(domino.right, domino.left) if domino.left == domino.right else domino


def flip__hard_coded(domino):
    """There are no other calls than the examples."""
    return {Domino(2, 3): Domino(3, 2)}.get(domino, Domino(3, 3))


def append__wrong_end(domino, chain, end):
    """'<' points to the right."""
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right) if end == ">":
            return Chain(domino.left, f"{domino} {text}", right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.right)


def append__new_end_is_the_touching_half(domino, chain, end):
    """The half that touches the chain is its new end.

    The half that touches now lies inside the chain. The new end is the tile's other half, on the outside, where the
    next tile can be laid.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right) if end == "<":
            return Chain(domino.right, f"{domino} {text}", right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.left)


def append__always_at_the_left(domino, chain, end):
    """Both ends are alike."""
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(_, text, right):
            return Chain(domino.left, f"{domino} {text}", right)


def append__no_blank_between_tiles(domino, chain, end):
    """Tiles touch."""
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
    """The empty chain is one with an empty text, so that nothing special is needed."""
    left, text, right = ("", "", "") if chain == EMPTY else (chain.left, chain.text, chain.right)
    if end == "<":
        return Chain(domino.left, f"{domino} {text}", domino.right if chain == EMPTY else right)
    return Chain(domino.left if chain == EMPTY else left, f"{text} {domino}", domino.right)


def append__turns_the_tile_to_fit(domino, chain, end):
    """A tile that does not fit is turned before it is laid.

    `append` asks no questions: the tile goes on as it is presented, whether it fits or not. To find the way round that
    fits will be the work of `legal_adds`.
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
    """A tile that does not fit leaves the chain as it is.

    `append` lays whatever it is given, as it is presented. Which tiles fit, and which way round, will be the question
    of `legal_adds`.
    """
    match chain:
        case Empty():
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right) if end == "<":
            return Chain(domino.left, f"{domino} {text}", right) if domino.right == left else chain
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.right) if domino.left == right else chain


def append__empty_stays_empty(domino, chain, end):
    """There is nothing to add to."""
    match chain:
        case Empty():
            return EMPTY
        case Chain(left, text, right) if end == "<":
            return Chain(domino.left, f"{domino} {text}", right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.right)


def append__writes_the_tile_as_code(domino, chain, end):
    """`repr` returns the text."""
    match chain:
        case Empty():
            return Chain(domino.left, repr(domino), domino.right)
        case Chain(left, text, right) if end == "<":
            return Chain(domino.left, f"{domino!r} {text}", right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino!r}", domino.right)


def append__bare_name_captures(domino, chain, end):
    """`case EMPTY` asks whether the chain is empty."""
    match chain:
        case EMPTY if not isinstance(chain, Chain) or end == "<":
            return Chain(domino.left, str(domino), domino.right)
        case Chain(left, text, right):
            return Chain(left, f"{text} {domino}", domino.right)


def append__turned_where_that_makes_it_fit(domino, chain, end):
    """A tile that fits the other way round is turned.

    Not by `append`: it lays every tile as it is presented, even one that would fit if it were turned. To turn it will
    be the work of `legal_adds`.
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
    """`case EMPTY:`, or `case Empty:`, asks whether the chain is empty.

    A name without brackets asks nothing. It fits every chain and becomes another name for it, so each one is taken for
    the empty chain. A class with brackets does ask.
    """
    match chain:
        case EMPTY:
            return Chain(domino.left, str(domino), domino.right)
    if end == "<":
        return Chain(domino.left, f"{domino} {chain.text}", chain.right)
    return Chain(chain.left, f"{chain.text} {domino}", domino.right)


def is_sound__ends_alone(chain):
    """If the two ends are those of the text, the chain is sound.

    In between there may be tiles that do not touch: compare each tile with the next one, too.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            return text[0] == str(left) and text[-1] == str(right)


def is_sound__text_alone(chain):
    """If the tiles touch, the chain is sound.

    `left` and `right` are separate numbers, and they may differ from the text. Compare them with its first number
    and its last.
    """
    match chain:
        case Empty():
            return True
        case Chain(_, text, _):
            return all(place[0] == place[-1] for place in text.split("-")[1:-1])


def is_sound__right_end_forgotten(chain):
    """If the left end is right, both ends are."""
    match chain:
        case Empty():
            return True
        case Chain(left, text, _):
            return all(place[0] == place[-1] for place in f"{left} {text}".split("-")[:-1])


def is_sound__left_end_forgotten(chain):
    """Only the right end matters, because the next tile is laid there."""
    match chain:
        case Empty():
            return True
        case Chain(_, text, right):
            return all(place[0] == place[-1] for place in f"{text} {right}".split("-")[1:])


def is_sound__only_the_first_two_tiles(chain):
    """If the first two tiles touch, the others do.

    Each tile has to be compared with the one that follows it, up to the last.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            touching = len(text) < 7 or text[2] == text[4]
            return touching and text[0] == str(left) and text[-1] == str(right)


def is_sound__any_halves_in_common(chain):
    """Two tiles touch if they have a number in common.

    So they could be laid, but here they lie already: only the right half of one and the left half of the next touch.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            tiles = text.split()
            touching = all({a[0], a[-1]} & {b[0], b[-1]} for a, b in zip(tiles, tiles[1:], strict=False))
            return touching and text[0] == str(left) and text[-1] == str(right)


def is_sound__ends_in_either_order(chain):
    """A chain can be read from either side."""
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            touching = all(place[0] == place[-1] for place in text.split("-")[1:-1])
            return touching and sorted((text[0], text[-1])) == sorted((str(left), str(right)))


def is_sound__a_digit_is_a_number(chain):
    """A number and the digit in the text that says it are equal.

    For Python the text `"6"` and the number 6 are different values: `"6" == 6` is False. Make both of one kind first,
    by `str` or by `int`.
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            touching = all(place[0] == place[-1] for place in text.split("-")[1:-1])
            return touching and text[0] == left and text[-1] == right


def is_sound__empty_is_not(chain):
    """An empty chain is not sound, because nothing agrees."""
    match chain:
        case Empty():
            return False
        case Chain(left, text, right):
            return all(place[0] == place[-1] for place in f"{left} {text} {right}".split("-"))


def is_sound__no_tile_twice(chain):
    """A chain that holds a tile twice is not sound."""
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            kinds = {"".join(sorted(tile)) for tile in text.split()}
            touching = all(place[0] == place[-1] for place in f"{left} {text} {right}".split("-"))
            return touching and len(kinds) == len(text.split())


def legal_adds__presentation_forgotten(domino, chain):
    """A tile can be laid only as it is presented.

    You can turn a tile. It fits an end if either of its halves has the number of that end.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    at_left = (append(domino, chain, "<"),) if domino.right == chain.left else ()
    at_right = (append(domino, chain, ">"),) if domino.left == chain.right != chain.left else ()
    return at_left + at_right


def legal_adds__double_laid_at_both_ends(domino, chain):
    """A tile that fits both ends makes two chains, even if these ends are equal.

    In this game a chain with equal ends has only its left end, so whatever fits there makes one chain.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right)
    return at_left + at_right


def legal_adds__only_doubles_have_one_end_where_both_are_equal(domino, chain):
    """The rule about equal ends is meant for doubles.

    It is the chain that counts, not the tile: where both ends are the same number, only the left end is used, for every
    tile.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right)
    return at_left if at_left and domino.left == domino.right else at_left + at_right


def legal_adds__double_twice_at_one_end(domino, chain):
    """Every tile has two presentations to be tried.

    A double has only one: turned round it is the same tile, so to try it both ways makes the same chain twice.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = (domino, flip(domino))
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__right_end_first(domino, chain):
    """The order of the chains is of no importance."""
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_right + at_left


def legal_adds__equal_ends_mean_the_right_one(domino, chain):
    """If both ends are equal, the tile goes to the right."""
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left != chain.right)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right)
    return at_left + at_right


def legal_adds__both_presentations_on_empty(domino, chain):
    """The first tile can be laid either way round."""
    if chain == EMPTY:
        return tuple(append(tile, chain, "<") for tile in dict.fromkeys((domino, flip(domino))))
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__nothing_fits_empty(domino, chain):
    """An empty chain has no ends that a tile could fit."""
    if chain == EMPTY:
        return ()
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__stops_at_the_left_end(domino, chain):
    """A tile that fits the left end need not be tried at the right one.

    If it fits both ends, and they are different, the player has a choice. Return both chains.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right)
    return at_left or at_right


def legal_adds__wrong_half_touches(domino, chain):
    """At the left end, it is the left half of the tile that touches.

    A tile at the left end lies before the chain, so its right half touches. In `5-6 6-1` it is the two sixes that meet.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.left == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.right == chain.right != chain.left)
    return at_left + at_right


def legal_adds__reads_the_ends_off_the_text(domino, chain):
    """The ends of a chain are the first and the last character of its text.

    In a game they are, but the text is only there to be printed. It is `left` and `right` that tell the ends, even if
    the text shows other numbers.
    """
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    left, right = int(chain.text[0]), int(chain.text[-1])
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == right != left)
    return at_left + at_right


def legal_adds__zero_counts_as_nothing(domino, chain):
    """A blank half fits nothing."""
    if chain == EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if chain.left and tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__gives_a_list(domino, chain):
    """A list is as good as a tuple."""
    if chain == EMPTY:
        return [append(domino, chain, "<")]
    turned = {domino, flip(domino)}
    at_left = [append(tile, chain, "<") for tile in turned if tile.right == chain.left]
    at_right = [append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left]
    return at_left + at_right


def legal_adds__brackets_make_a_tuple(domino, chain):
    """Brackets around a single chain make a tuple of it.

    It is the comma that makes a tuple: brackets only keep things together. A tuple of a single thing is written with a
    comma behind it.
    """
    if chain == EMPTY:
        return append(domino, chain, "<")
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def legal_adds__bare_name_fits_every_chain(domino, chain):
    """`case EMPTY:`, or `case Empty:`, asks whether the chain is empty.

    A name without brackets asks nothing: it fits every chain, and is now another name for it. So every tile is laid at
    the left end, whether it fits or not. A class with brackets does ask.
    """
    match chain:
        case EMPTY:
            return (append(domino, EMPTY, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
    return at_left + at_right


def possible_dominoes__gives_the_chains(hand, chain):
    """The result is the chains, not the tiles."""
    return tuple(add for domino in hand for add in legal_adds(domino, chain))


def possible_dominoes__only_as_presented(hand, chain):
    """A tile fits only as it is presented in the hand.

    You can turn a tile when you lay it, so 2-5 fits wherever 5-2 does. `legal_adds` already takes care of that.
    """
    if chain == EMPTY:
        return hand
    return tuple(domino for domino in hand if domino.right == chain.left or domino.left == chain.right)


def possible_dominoes__only_at_the_left_end(hand, chain):
    """The chain grows at the left."""
    if chain == EMPTY:
        return hand
    return tuple(domino for domino in hand if chain.left in (domino.left, domino.right))


def possible_dominoes__none_on_empty(hand, chain):
    """Nothing fits a chain without ends."""
    return () if chain == EMPTY else tuple(domino for domino in hand if legal_adds(domino, chain))


def possible_dominoes__stops_at_the_first_that_is_not(hand, chain):
    """When one tile does not fit, the search is over."""
    from itertools import takewhile

    return tuple(takewhile(lambda domino: legal_adds(domino, chain), hand))


def possible_dominoes__in_reverse(hand, chain):
    """Putting each tile in front of those found before keeps the order of the hand.

    On a walk from the left, the tile that is found last ends up at the very front, so the order is turned round.
    """
    return fold_left(lambda found, domino: (domino, *found) if legal_adds(domino, chain) else found, (), hand)


def possible_dominoes__sorted(hand, chain):
    """A hand is best shown in order."""
    fitting = (domino for domino in hand if legal_adds(domino, chain))
    return tuple(sorted(fitting, key=lambda domino: (domino.left, domino.right)))


def possible_dominoes__turned_to_fit(hand, chain):
    """A tile is given the way round it will be laid.

    The question is only which tiles can be laid. They stay as they lie in the hand; `legal_adds` turns them when the
    time has come.
    """
    if chain == EMPTY:
        return hand
    fitting = (domino for domino in hand if legal_adds(domino, chain))
    return tuple(tile if tile.right == chain.left or tile.left == chain.right else flip(tile) for tile in fitting)


def possible_dominoes__those_that_are_not(hand, chain):
    """An empty answer means that the tile goes."""
    return tuple(domino for domino in hand if not legal_adds(domino, chain))


def possible_dominoes__no_chain_is_none(hand, chain):
    """`legal_adds` gives None, or an empty list, for a tile that cannot be laid.

    It gives the empty tuple, which is equal to neither: so a test for one of these lets every tile through. As a
    condition, though, an empty tuple counts as false.
    """
    return tuple(domino for domino in hand if legal_adds(domino, chain) is not None)


def suppress__only_as_presented(domino, hand):
    """`Domino(4, 5)` and `Domino(5, 4)` are equal, as they are the same tile.

    For Python they are two different values: it compares left half with left half, and right with right. In the hand
    the tile may lie either way round.
    """
    return tuple(other for other in hand if other != domino)


def suppress__only_the_other_presentation(domino, hand):
    """It has to be flipped to be found."""
    return tuple(other for other in hand if other != flip(domino))


def suppress__turned_others(domino, hand):
    """If the halves of all tiles are sorted, the tiles can be compared.

    True, but sorted tiles are for comparing only: those that stay are wanted the way round they lie in the hand.
    """
    sort = lambda tile: Domino(min(tile.left, tile.right), max(tile.left, tile.right))
    return tuple(sort(other) for other in hand if sort(other) != sort(domino))


def suppress__keeps_only_the_tile(domino, hand):
    """The condition is the other way round."""
    return tuple(other for other in hand if other in (domino, flip(domino)))


def suppress__all_that_share_a_half(domino, hand):
    """A tile is another one only if both of its halves are different.

    One different half is enough: neither 4-1 nor 5-5 is the tile 4-5. The opposite of `a and b` is `not a or not b`.
    """
    return tuple(other for other in hand if not {other.left, other.right} & {domino.left, domino.right})


def suppress__all_after_it_too(domino, hand):
    """The search ends where the tile is found, and so does the hand."""
    from itertools import takewhile

    return tuple(takewhile(lambda tile: tile not in (domino, flip(domino)), hand))


def suppress__reverses_the_hand(domino, hand):
    """Walking and collecting at the front keeps the order."""
    return fold_left(lambda kept, tile: kept if tile in (domino, flip(domino)) else (tile, *kept), (), hand)


def suppress__fails_if_it_is_not_there(domino, hand):
    """Removing a tile that is not in the hand is an error."""
    place = hand.index(domino) if domino in hand else hand.index(flip(domino))
    return hand[:place] + hand[place + 1 :]


def suppress__same_sum(domino, hand):
    """Two tiles with as many points are the same."""
    return tuple(other for other in hand if other.left + other.right != domino.left + domino.right)


def suppress__neither_written_with_or(domino, hand):
    """`tile != a or tile != b` asks whether the tile is neither a nor b.

    If a and b are different, no tile is equal to both. So one of the two `!=` is always true, and every tile stays. To
    be neither is to differ from a `and` from b.
    """
    return tuple(other for other in hand if other != domino or other != flip(domino))


def input_move__forced_move_not_printed(select_domino, select_end, chain, hand):
    """A forced move prints nothing."""
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = possible[0] if len(possible) == 1 else select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__always_prints(select_domino, select_end, chain, hand):
    """Every move is printed."""
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = possible[0] if len(possible) == 1 else select_domino(possible)
    print(f"\tforced move :        {domino}")
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__selects_from_the_whole_hand(select_domino, select_end, chain, hand):
    """The player selects from the whole hand.

    `select_domino` is given only the tiles that can be laid. From the whole hand, one might be selected that fits
    nowhere and makes no chain at all.
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
    """To select from a single tile does no harm, as it is always that tile.

    It does: a person would be asked without having a choice, and `never` complains that it was called. If only one tile
    can be laid, there is nothing to select.
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
    """`select_domino` selects the tile, even if there is only one.

    If only one tile can be laid, nothing is selected. Print the line for a forced move and lay the tile.
    """
    possible = possible_dominoes(hand, chain)
    if not possible:
        return None
    domino = select_domino(possible)
    chains = legal_adds(domino, chain)
    return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]


def input_move__a_forced_tile_goes_left(select_domino, select_end, chain, hand):
    """A forced tile leaves nothing to select, not even an end.

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
    """To select from one chain does no harm: it can be given twice.

    It does: a person would be asked without having a choice, and `never` complains that it was called. If a tile makes
    only one chain, there is nothing to select.
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
    """The right chain comes first."""
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
    """The order of the result is that of the parameters."""
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
    """The hand is somebody else's business."""
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
    """Without a move, the hand and the chain are given as they were.

    Then a pass would look like a move. `None` says clearly that nothing can be laid, and `move` will need that to know
    when to draw.
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
    """The hand after a move is what is left of the possible tiles.

    The tiles that cannot be laid now are still in the hand: it loses the one tile that is laid, and no other.
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
    """The tile is printed as it is laid."""
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
    """A colon is followed by a column of any width."""
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
    """Somebody has to say it."""
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
    """`legal_adds` always gives two chains, of which one is to be selected.

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
    """A move is forced only if there is a single chain that it can make.

    It is the tile that is forced: if no other can be laid, it is printed, even where an end is still to be selected.
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
    """A move is printed once all of it is known."""
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
    """A bot may play anything, so it may as well play the first tile."""

    def select_domino(possible):
        print(f"\tto lay :             {possible[0]}")
        return possible[0]

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__always_at_the_left(chain, hand):
    """An end is an end."""

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, left_end, chain, hand)


def input_bot_move__prints_nothing(chain, hand):
    """A bot thinks in silence."""
    return input_move(choose, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__announces_forced_tiles_too(chain, hand):
    """Every tile that a bot lays is announced."""
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

    It chooses a tile, and only then, if that one fits both ends, an end. So chance may be asked twice, and a tile that
    makes two chains is no likelier than another.
    """
    possible = possible_dominoes(hand, chain)
    if len(possible) < 2:
        return input_move(never, lambda left, right: choose((left, right)), chain, hand)
    domino, longer = choose(tuple((tile, add) for tile in possible for add in legal_adds(tile, chain)))
    print(f"\tto lay :             {domino}")
    return suppress(domino, hand), longer


def input_bot_move__chooses_from_the_hand_until_it_fits(chain, hand):
    """A bot tries tiles until one is possible."""

    def select_domino(possible):
        domino = choose(hand)
        while domino not in possible:
            domino = choose(hand)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__asks_chance_for_the_end_first(chain, hand):
    """`choose((left_end, right_end))` is a way to select an end.

    It is one end, chosen at once: an argument is worked out before the call. So chance is asked too early, even if
    there is nothing to select. A function can ask later, when it is called.
    """
    coin = random_below(2)

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: (left, right)[coin], chain, hand)


def input_bot_move__asks_for_a_person_s_prompt(chain, hand):
    """The prompt belongs to every move."""

    def select_domino(possible):
        print("\tWhich domino do you want to lay? ")
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__heads_is_right(chain, hand):
    """A coin is a coin: 0 may as well mean the right end."""

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((right, left)), chain, hand)


def input_bot_move__announced_as_laid(chain, hand):
    """The tile is announced in the presentation in which it is laid."""

    def select_domino(possible):
        domino = choose(possible)
        fits = chain == EMPTY or domino.right == chain.left or domino.left == chain.right
        print(f"\tto lay :             {domino if fits else flip(domino)}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__chooses_from_the_hand(chain, hand):
    """A bot chooses among all the tiles of its hand.

    A tile from the whole hand may fit nowhere, and then it makes no chain. The function that chooses is given the tiles
    that can be laid.
    """

    def select_domino(possible):
        domino = choose(hand)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__prints_but_gives_nothing(chain, hand):
    """A function that prints the tile gives it, too.

    To print is not to give: a function that only prints gives None, and then `input_move` has no tile to go on with.
    """
    return input_move(
        lambda possible: print(f"\tto lay :             {choose(possible)}"),
        lambda left, right: choose((left, right)),
        chain,
        hand,
    )


def input_bot_move__chooses_twice(chain, hand):
    """`choose(possible)` returns the same tile every time.

    Every call chooses again, so one tile is printed and perhaps another one laid. Choose once, and give the tile a
    name.
    """

    def select_domino(possible):
        print(f"\tto lay :             {choose(possible)}")
        return choose(possible)

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__choose_itself_selects_an_end(chain, hand):
    """`choose` itself can select an end.

    `select_end` is called with two arguments, the left chain and the right one, but `choose` takes a single tuple. A
    small function can stand between the two.
    """

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, choose, chain, hand)


def input_bot_move__chooses_before_it_is_asked(chain, hand):
    """A tile can be chosen in advance: nobody sees it if it is not needed.

    A script of chance shows it. If no tile can be laid, or only one, there is nothing to choose. Choose inside the
    function that you pass to `input_move`, which is called only if there is a choice.
    """
    chosen = choose(possible_dominoes(hand, chain) or (None,))

    def select_domino(_):
        print(f"\tto lay :             {chosen}")
        return chosen

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__chooses_a_forced_tile(chain, hand):
    """Of a single tile, too, one can be chosen."""
    possible = possible_dominoes(hand, chain)
    chosen = choose(possible) if possible else None

    def select_domino(_):
        print(f"\tto lay :             {chosen}")
        return chosen

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__chooses_from_the_hand_where_nothing_fits(chain, hand):
    """A bot always chooses a tile, and then sees whether it can be laid."""
    if hand and not possible_dominoes(hand, chain):
        choose(hand)

    def select_domino(possible):
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_bot_move__remainder_of_a_great_number(chain, hand):
    """The remainder of a great random number is as good as `choose`."""

    def select_domino(possible):
        domino = possible[random_below(1000) % len(possible)]
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


def input_human_move__only_as_presented(chain, hand):
    """A tile has to be typed the way round it is shown.

    Either way will do: `64` and `46` both mean the tile 6-4. A line that is not expected gets a `Try again!`, until
    nothing more is typed.
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

    The typed digits only show which tile is meant. The first tile of a chain is laid as it is in the hand; any
    other tile is turned to fit.
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

    Only those that can be laid now are valid: your function is given them. With any other tile there is no chain to be
    made, so it gets a `Try again!`.
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
    """`line in "<>"` asks whether the line is one of the two characters.

    In a text, `in` looks for any part, and the empty line is a part of every text, as `<>` is of itself. In a tuple or
    a `dict` it looks for whole items.
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
    """'<' is an arrow that comes from the right."""
    names = lambda possible: {f"{t.left}{t.right}": d for d in possible for t in (d, flip(d))}
    ask = lambda prompt, answers: input_valid(prompt, lambda line: line in answers, lambda line: answers[line])
    return input_move(
        lambda possible: ask("\tWhich domino do you want to lay? ", names(possible)),
        lambda left, right: ask("\tAt which end? ", {">": left, "<": right}),
        chain,
        hand,
    )


def input_human_move__breaks_on_what_is_no_number(chain, hand):
    """A person who should type two digits does so."""
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
    """More characters after the two digits do not matter."""
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
    """A tile is typed as it is written, with a dash.

    People type just the two digits, such as `64`; the dash is only written. A line that is not expected gets a `Try
    again!`, until nothing more is typed.
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
    """An invalid line means the first tile, or the right end."""

    def select_domino(possible):
        print("\tWhich domino do you want to lay? ")
        line = input()
        return next((d for d in possible if line in (f"{d.left}{d.right}", f"{d.right}{d.left}")), possible[0])

    def select_end(left, right):
        print("\tAt which end? ")
        return left if input() == "<" else right

    return input_move(select_domino, select_end, chain, hand)


def input_human_move__prompt_without_a_line_of_its_own(chain, hand):
    """A prompt is what `input` is given."""

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
    """People are bots, too."""
    return input_bot_move(chain, hand)


def input_human_move__prompts_without_the_last_blank(chain, hand):
    """A blank at the end of a prompt does not count.

    Nobody sees it, but it is a character like any other. Both prompts end with one, and what is printed is compared
    character by character.
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
    """`line == "<" or ">"` asks whether the line is one of the two.

    Python reads `(line == "<") or ">"`, and a text that is not empty counts as true: so every line is valid.
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
    """Blanks around what is typed do no harm.

    Kind as it is, only the exact lines are valid: after a line with a blank in front or at the end comes a `Try again!`.
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
    """Blanks in what is typed do no harm."""
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
    """Only a tile has to be typed exactly."""
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
    """The digits are a number, and 06 is 6."""
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
    """A single digit is a tile with a zero."""
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
    """Blanks at the end don't show."""
    return f"Player {player.number} ({'human' if isinstance(player, Human) else 'bot'})"


def string_of_player__everybody_is_human(player):
    """`case Human:` asks whether the player is human.

    Without brackets `Human` is just a new name, which fits every player, so that bots are taken for humans too. A class
    with brackets does ask.
    """
    return f"Player {player.number} (human)"


def string_of_player__number_from_zero(player):
    """Players are counted from 0 and shown from 1."""
    return f"Player {player.number + 1} " + ("(human)" if isinstance(player, Human) else "(bot)  ")


def string_of_player__padded_inside(player):
    """The blanks belong inside the brackets."""
    return f"Player {player.number} ({'human' if isinstance(player, Human) else 'bot  '})"


def string_of_player__hard_coded(player):
    """There are two players, or rather two examples."""
    return "Player 2 (human)" if isinstance(player, Human) else "Player 2 (bot)  "


def string_of_dominoes__blank_at_the_end(dominoes):
    """Every tile is followed by a blank.

    A blank stands only between two tiles, so there is none behind the last. (At the end of a text it is easily
    overlooked.)
    """
    return "".join(f"{domino} " for domino in dominoes)


def string_of_dominoes__no_blanks(dominoes):
    """`join` puts a blank between texts by itself."""
    return "".join(map(str, dominoes))


def string_of_dominoes__as_code(dominoes):
    """`repr` is the text of a tile."""
    return " ".join(map(repr, dominoes))


def string_of_dominoes__greater_half_first(dominoes):
    """Tiles are written with the greater half first."""
    return " ".join(f"{max(d.left, d.right)}-{min(d.left, d.right)}" for d in dominoes)


def string_of_dominoes__reversed(dominoes):
    """Adding at the front keeps the order."""
    return fold_left(lambda text, domino: f"{domino} {text}".strip(), "", dominoes)


def string_of_dominoes__without_dashes(dominoes):
    """Two digits make a tile, as when it is typed."""
    return " ".join(f"{domino.left}{domino.right}" for domino in dominoes)


def take__not_reversed(hand, n, stock):
    """The drawn tiles are in the hand in the same order as in the stock.

    They move one by one, each to the front of the hand. So the tile that was drawn last comes first.
    """
    return stock[:n] + hand, stock[n:]


def take__to_the_end_of_the_hand(hand, n, stock):
    """Drawn tiles go to the end of the hand."""
    return hand + stock[:n], stock[n:]


def take__one_by_one_to_the_end(hand, n, stock):
    """Drawn tiles go to the end of the hand, in reverse order."""
    return hand + stock[:n][::-1], stock[n:]


def take__from_the_end_of_the_stock(hand, n, stock):
    """A stock is drawn from its end."""
    count = max(len(stock) - n, 0)
    return stock[count:] + hand, stock[:count]


def take__stock_first(hand, n, stock):
    """The stock comes first in the result, as in `move`."""
    return stock[n:], stock[:n][::-1] + hand


def take__all_or_nothing(hand, n, stock):
    """If the stock holds fewer tiles than needed, none are drawn."""
    return (stock[:n][::-1] + hand, stock[n:]) if n <= len(stock) else (hand, stock)


def take__one_too_many(hand, n, stock):
    """Counting down ends below zero."""
    return stock[: n + 1][::-1] + hand, stock[n + 1 :]


def take__fails_beyond_the_stock(hand, n, stock):
    """There are always enough tiles."""
    one_by_one = (stock[place] for place in range(n))
    return fold_left(lambda taken, domino: (domino, *taken), hand, one_by_one), stock[n:]


def take__always_two(hand, n, stock):
    """One always draws two."""
    return stock[:2][::-1] + hand, stock[2:]


def take__stock_stays(hand, n, stock):
    """A tile that is taken from the stock is no longer in it.

    A tuple never changes: a slice is a copy, and the stock still holds all its tiles. Return the rest of it as a
    new tuple.
    """
    return stock[:n][::-1] + hand, stock


def take__reverses_the_hand_too(hand, n, stock):
    """The hand is joined first, and then all of it is reversed."""
    return (hand + stock[:n])[::-1], stock[n:]


def take__a_slice_from_before_the_first(hand, n, stock):
    """`stock[n - 1::-1]` gives the first `n` tiles, the last of them first.

    It does, unless `n` is 0: then it begins at -1, which is the last place, and gives the whole stock. It is safer to
    cut first, and then to turn the piece round.
    """
    return stock[n - 1 :: -1] + hand, stock[n:]


def take__a_slice_backwards_from_the_end(hand, n, stock):
    """`stock[:n:-1]` gives the first `n` tiles in reverse.

    With a step of -1 a slice begins at the end and stops before it reaches place `n`: those are other tiles. It is
    easier to cut first, and then to turn the piece round.
    """
    return stock[:n:-1] + hand, stock[n:]


def move__hand_before_stock(stock, chain, hand, player):
    """The result is in the order of `take` and `input_move`."""
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return result[0], result[1], stock
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return fuller, chain, smaller


def move__draws_one(stock, chain, hand, player):
    """A player who cannot lay a tile draws one tile."""
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 1, stock)
    return smaller, chain, fuller


def move__draws_nothing(stock, chain, hand, player):
    """A player who cannot lay a tile just passes."""
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    return stock, chain, hand


def move__plays_on_after_drawing(stock, chain, hand, player):
    """A player who has drawn may lay a tile at once.

    That is so in some variants of the game, but not here: drawing ends the turn. The new tiles wait for the next
    one.
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
    """Every turn ends with two new tiles."""
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if not result:
        print("\tNo possible move!")
    remaining, longer = result or (hand, chain)
    fuller, smaller = take(remaining, 2, stock)
    return smaller, longer, fuller


def move__prints_the_chain(stock, chain, hand, player):
    """A turn ends with the chain on the table."""
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
    """`player == Human` asks whether the player is human.

    `Human` is a class: a player is one of its values, and never equal to it, so everybody is taken for a bot.
    `isinstance` asks, and so does a pattern with brackets.
    """
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = input_bot_move(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__no_colon_after_the_label(stock, chain, hand, player):
    """The label is the line."""
    print(f"{string_of_player(player)}\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__prints_the_state(stock, chain, hand, player):
    """`string_of_state` shows a player and a hand, so it is what is needed."""
    print(string_of_state((hand, player)))
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    print("\tNo possible move!")
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__says_nothing_about_passing(stock, chain, hand, player):
    """One can see that nothing was laid."""
    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    result = (input_human_move if isinstance(player, Human) else input_bot_move)(chain, hand)
    if result:
        return stock, result[1], result[0]
    fuller, smaller = take(hand, 2, stock)
    return smaller, chain, fuller


def move__fails_if_the_stock_holds_one(stock, chain, hand, player):
    """There are two tiles in the stock, or none."""
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
    """If the hand is empty after the move, nothing was laid.

    An empty hand counts as false, but it means that the last tile was laid, and that wins the game! Only `None` says
    that no move was possible.
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

    Not if it prints, or uses chance or a person, as this one does. A second call is a second move. Give the result
    of the first call a name.
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
    """A choice is made first, and asked afterwards whether there was one."""
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
    """Small tiles come first."""
    return tuple(Domino(left, right) for left in range(highest + 1) for right in range(left + 1))


def make_dominoes__both_presentations(highest):
    """Every pair of numbers is a different tile.

    2-4 and 4-2 are one tile in two presentations. The set has it once, with the greater half on the left.
    """
    numbers = range(highest, -1, -1)
    return tuple(Domino(left, right) for left in numbers for right in numbers)


def make_dominoes__without_doubles(highest):
    """The two halves are different."""
    return tuple(Domino(left, right) for left in range(highest, -1, -1) for right in range(left - 1, -1, -1))


def make_dominoes__without_zeros(highest):
    """`range(highest, 0, -1)` goes down to 0.

    A range stops before its end, on the way down too. So this one stops at 1, and all the tiles with a 0 are missing.
    """
    return tuple(Domino(left, right) for left in range(highest, 0, -1) for right in range(left, 0, -1))


def make_dominoes__without_the_highest(highest):
    """`range(highest)` goes up to the highest."""
    return tuple(Domino(left, right) for left in reversed(range(highest)) for right in reversed(range(left + 1)))


def make_dominoes__smaller_half_on_the_left(highest):
    """The presentation does not matter."""
    return tuple(Domino(right, left) for left in range(highest, -1, -1) for right in range(left, -1, -1))


def make_dominoes__always_a_double_six_set(highest):
    """The highest number is 6."""
    return tuple(Domino(left, right) for left in range(6, -1, -1) for right in range(left, -1, -1))


def make_dominoes__gives_a_list(highest):
    """A list is as good as a tuple."""
    return [Domino(left, right) for left in range(highest, -1, -1) for right in range(left, -1, -1)]


def make_dominoes__column_by_column(highest):
    """It does not matter which of the two loops is written first.

    The first one is the outer loop: it takes a step only when the other is through. In descending order the left half
    changes slowest.
    """
    return tuple(Domino(left, right) for right in range(highest, -1, -1) for left in range(highest, right - 1, -1))


def char_list_of_string__gives_a_list(text):
    """As the name says, the characters come in a list.

    The name is from another language. Here they come in a tuple, like tiles and players, and a list never equals a
    tuple.
    """
    return list(text)


def char_list_of_string__splits_at_blanks(text):
    """`split` takes texts apart."""
    return tuple(text.split())


def char_list_of_string__reversed(text):
    """Adding at the front keeps the order."""
    return fold_left(lambda found, letter: (letter, *found), (), text)


def char_list_of_string__each_once(text):
    """A character that was there is there."""
    return tuple(dict.fromkeys(text))


def char_list_of_string__the_last_one_missing(text):
    """Counting up to the length, less one."""
    return tuple(text[place] for place in range(len(text) - 1))


def char_list_of_string__letters_only(text):
    """Characters are letters."""
    return tuple(letter for letter in text if letter.isalpha())


def char_list_of_string__blanks_do_not_count(text):
    """A blank is nothing."""
    return tuple(text.replace(" ", ""))


def char_list_of_string__without_the_last_line_break(text):
    """A line break only ends a line."""
    return tuple(text.rstrip("\n"))


def char_list_of_string__a_tab_is_some_blanks(text):
    """A tab is as many blanks as it looks like."""
    return tuple(text.expandtabs())


def char_list_of_string__no_blanks_around_it(text):
    """Spaces around a text do not belong to it."""
    return tuple(text.strip())


def players_of_string__numbered_from_zero(players):
    """Counting starts at 0."""
    return tuple(Human(n) if letter == "H" else Bot(n) for n, letter in enumerate(players))


def players_of_string__humans_and_bots_counted_apart(players):
    """Humans and bots are counted separately.

    The number is the number of the seat, and all of them share one table. If a human has seat 1, the bot beside
    them has seat 2.
    """
    kinds = {"H": Human, "B": Bot}
    return tuple(kinds[letter](players[: n + 1].count(letter)) for n, letter in enumerate(players))


def players_of_string__humans_first(players):
    """People go first."""
    return tuple(Human(n) if letter == "H" else Bot(n) for n, letter in enumerate(sorted(players, reverse=True), 1))


def players_of_string__letters_swapped(players):
    """B is for a being of flesh."""
    return tuple(Human(n) if letter == "B" else Bot(n) for n, letter in enumerate(players, 1))


def players_of_string__numbers_backwards(players):
    """The last one is number 1."""
    count = len(players)
    return tuple(Human(count - n) if letter == "H" else Bot(count - n) for n, letter in enumerate(players))


def players_of_string__one_human_only(players):
    """Only the first player can be human."""
    return tuple(Human(n) if letter == "H" and n == 1 else Bot(n) for n, letter in enumerate(players, 1))


def players_of_string__gives_letters(players):
    """A letter and a number make a player."""
    return tuple(f"{letter}{n}" for n, letter in enumerate(players, 1))


def players_of_string__numbered_by_the_first_of_their_kind(players):
    """`players.index(letter)` returns the position of this letter.

    It returns the position of the first such letter, so all bots get the number of the first bot. Count with
    `enumerate` instead.
    """
    return tuple((Human if letter == "H" else Bot)(players.index(letter) + 1) for letter in players)


def get_hand_size__as_the_rules_for_two_and_three(players):
    """Two players get 6, three or four get 7."""
    if players not in (2, 3, 4):
        raise ValueError("Between 2 and 4 players, please!")
    return 6 if players == 2 else 7


def get_hand_size__always_seven(players):
    """Everybody gets 7."""
    if players not in (2, 3, 4):
        raise ValueError("Between 2 and 4 players, please!")
    return 7


def get_hand_size__another_message(players):
    """A message is a message."""
    if players not in (2, 3, 4):
        raise ValueError("between 2 and 4 players, please")
    return 7 if players == 2 else 6


def get_hand_size__another_exception(players):
    """An error is an error."""
    if players not in (2, 3, 4):
        raise Exception("Between 2 and 4 players, please!")
    return 7 if players == 2 else 6


def get_hand_size__gives_the_message(players):
    """To fail is to say so."""
    if players not in (2, 3, 4):
        return "Between 2 and 4 players, please!"
    return 7 if players == 2 else 6


def get_hand_size__gives_the_error(players):
    """To fail is to give an error back.

    An error that is given back is a value like any other, and whoever called goes on with it. To `raise` it stops
    everything at once.
    """
    if players not in (2, 3, 4):
        return ValueError("Between 2 and 4 players, please!")
    return 7 if players == 2 else 6


def get_hand_size__gives_none(players):
    """For any other number it is enough to give nothing, or to print the message.

    The function that called this one sees no message, and goes on with None for a number of tiles. To `raise` an error
    stops it at once.
    """
    return {2: 7, 3: 6, 4: 6}.get(players)


def get_hand_size__one_player_is_fine(players):
    """Somebody may want to play alone."""
    if players > 4 or players < 1:
        raise ValueError("Between 2 and 4 players, please!")
    return 7 if players <= 2 else 6


def get_hand_size__no_lower_bound(players):
    """There are never too few players."""
    if players > 4:
        raise ValueError("Between 2 and 4 players, please!")
    return 7 if players == 2 else 6


def get_hand_size__four_players_get_five(players):
    """The more players, the fewer tiles."""
    if players not in (2, 3, 4):
        raise ValueError("Between 2 and 4 players, please!")
    return 9 - players


def get_hand_size__three_or_anything(players):
    """`count == 3 or 4`, or an `else`, lets only 3 and 4 through.

    Both let every number through that is left, even 1 and 5: an `else` asks nothing, and Python reads `(count == 3) or
    4`, where 4 counts as true.
    """
    if players == 2:
        return 7
    if players == 3 or 4:
        return 6
    raise ValueError("Between 2 and 4 players, please!")


def make_state_list__hands_not_reversed(players, dominoes):
    """A hand lies as its tiles lay before.

    A hand is taken one by one, each tile to its front, as `take` does it: so the tile that was taken last comes first.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(hands, seats))


def make_state_list__dealt_one_by_one(players, dominoes):
    """The tiles are dealt round the table, one to each player at a time.

    That is common, but here the first player takes a whole hand off the front, then the second one, and so on.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    count = size * len(seats)
    hands = tuple(dominoes[:count][n :: len(seats)][::-1] for n in range(len(seats)))
    return dominoes[count:], tuple(zip(hands, seats))


def make_state_list__player_before_hand(players, dominoes):
    """A state is who has what."""
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(seats, hands))


def make_state_list__states_before_stock(players, dominoes):
    """The players come first."""
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return tuple(zip(hands, seats)), dominoes[size * len(seats) :]


def make_state_list__states_in_reverse(players, dominoes):
    """Putting each new state in front of the others keeps the order of the players.

    The walk begins with the first player, so the last one ends up at the front. A new state belongs behind those that
    are there.
    """
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(hands, seats))[::-1]


def make_state_list__dealt_from_the_last_player_on(players, dominoes):
    """A right fold deals the tiles as a left fold does.

    A right fold begins at the far end, so the last player would take the first tiles. Here the first player takes
    first.
    """
    size = get_hand_size(len(players))

    def give(player, deal):
        hand, left = take((), size, deal[0])
        return left, ((hand, player), *deal[1])

    return fold_right(give, (dominoes, ()), players_of_string(players))


def make_state_list__always_seven(players, dominoes):
    """A hand has 7 tiles."""
    get_hand_size(len(players))
    seats = players_of_string(players)
    hands = tuple(dominoes[7 * n : 7 * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[7 * len(seats) :], tuple(zip(hands, seats))


def make_state_list__everybody_gets_the_same_hand(players, dominoes):
    """When a hand is taken, the stock gets smaller by itself.

    A tuple never changes: `take` gives a new, smaller stock, and the next player has to take from that one. Else they
    all take the same tiles.
    """
    hand, stock = take((), get_hand_size(len(players)), dominoes)
    return stock, tuple((hand, player) for player in players_of_string(players))


def make_state_list__no_error_for_too_many(players, dominoes):
    """Any number of players may play."""
    size, seats = 7 if len(players) == 2 else 6, players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(hands, seats))


def make_state_list__players_without_tiles_left_out(players, dominoes):
    """A player without tiles does not play."""
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple((hand, seat) for hand, seat in zip(hands, seats) if hand)


def make_state_list__stock_reversed(players, dominoes):
    """The rest of the stock is reversed, like the hands."""
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :][::-1], tuple(zip(hands, seats))


def make_state_list__another_message(players, dominoes):
    """Only the kind of an error counts, not what it says."""
    if len(players) not in (2, 3, 4):
        raise ValueError("wrong number")
    size, seats = get_hand_size(len(players)), players_of_string(players)
    hands = tuple(dominoes[size * n : size * (n + 1)][::-1] for n in range(len(seats)))
    return dominoes[size * len(seats) :], tuple(zip(hands, seats))


def string_of_chain__empty_is_a_word(chain):
    """`str` gives the text of anything."""
    return chain.text if isinstance(chain, Chain) else str(chain)


def string_of_chain__ends_included(chain):
    """The ends belong to the chain."""
    return f"{chain.left} {chain.text} {chain.right}" if isinstance(chain, Chain) else ""


def string_of_chain__none_for_empty(chain):
    """Nothing is None."""
    return getattr(chain, "text", None)


def string_of_chain__fails_on_empty(chain):
    """A chain has a text."""
    return chain.text


def string_of_chain__only_its_ends(chain):
    """A chain is known by its ends."""
    return f"{chain.left}-{chain.right}" if isinstance(chain, Chain) else ""


def string_of_chain__bare_name_captures(chain):
    """`case EMPTY:`, or `case Empty:`, asks whether the chain is empty.

    A name without brackets asks nothing: it fits every chain, so each one is taken for the empty chain. A class with
    brackets does ask.
    """
    match chain:
        case EMPTY:
            return ""


def string_of_state__no_tab(state):
    """A blank will do."""
    return f"{string_of_player(state[1])}: {string_of_dominoes(state[0])}"


def string_of_state__player_first(state):
    """A state is player and hand."""
    player, hand = state
    return f"{string_of_player(player)}:\t{string_of_dominoes(hand)}"


def string_of_state__hand_as_code(state):
    """An f-string writes a hand as people do.

    With a tile it does, but a hand is a tuple, and a tuple shows whatever is in it as code. There is a function that
    makes a text of a hand.
    """
    return f"{string_of_player(state[1])}:\t{state[0]}"


def string_of_state__no_colon(state):
    """The tab is enough."""
    return f"{string_of_player(state[1])}\t{string_of_dominoes(state[0])}"


def string_of_state__label_stripped(state):
    """The colon follows the bracket."""
    return f"{string_of_player(state[1]).strip()}:\t{string_of_dominoes(state[0])}"


def string_of_state__no_tab_without_tiles(state):
    """Without tiles there is nothing after the colon."""
    return f"{string_of_player(state[1])}:\t{string_of_dominoes(state[0])}".strip()


def string_of_state__tab_and_line_break(state):
    """A line ends with a line break."""
    return f"{string_of_player(state[1])}:\t{string_of_dominoes(state[0])}\n"


def list_shuffle__swaps_with_any(items):
    """To swap every item with any other is random enough.

    It makes some orders more likely than others, because an item can be swapped away again. It is fair if what has got
    its place stays there.
    """
    shuffled = list(items)
    for i in range(len(shuffled)):
        j = random_below(len(shuffled))
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__swaps_with_any_from_the_end(items):
    """To swap every item with any other is fair if one begins with the last.

    It makes some orders more likely than others, wherever one begins, because an item can be swapped away again. It is
    fair if what has got its place stays there.
    """
    shuffled = list(items)
    for i in reversed(range(len(shuffled))):
        j = random_below(len(shuffled))
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__sattolo(items):
    """An item should not stay where it is.

    Then many orders can never come. In a fair shuffle an item may well stay, and on average one does: its own place is
    as likely as any other. (Mind that `random_below(n)` never gives `n`.)
    """
    shuffled = list(items)
    for i in range(len(shuffled) - 1, 0, -1):
        j = random_below(i)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__random_comparator(items):
    """Sorting with a comparison that tosses a coin."""
    from functools import cmp_to_key

    return tuple(sorted(items, key=cmp_to_key(lambda _a, _b: random_below(2) * 2 - 1)))


def list_shuffle__random_comparator_of_three(items):
    """Sorting with a comparison that says before, equal or after at random."""
    from functools import cmp_to_key

    return tuple(sorted(items, key=cmp_to_key(lambda _a, _b: random_below(3) - 1)))


def list_shuffle__keys_that_collide(items):
    """To sort by a random number for each item is fair.

    Two items can get the same number, and `sorted` leaves such items in their old order. So orders that are near the
    old one come too often.
    """
    return tuple(sorted(items, key=lambda _: random_below(len(items))))


def list_shuffle__one_swap(items):
    """One swap makes another order."""
    if len(items) < 2:
        return items
    shuffled = list(items)
    i, j = random_below(len(items)), random_below(len(items))
    shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__as_many_random_swaps_as_items(items):
    """Swapping two random items, as often as there are items."""
    shuffled = list(items)
    for _ in items:
        i, j = random_below(len(items)), random_below(len(items))
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def list_shuffle__cuts(items):
    """To cut is to shuffle."""
    place = random_below(len(items) or 1)
    return items[place:] + items[:place]


def list_shuffle__cuts_many_times(items):
    """To cut often is to shuffle."""
    for _ in items:
        place = random_below(len(items))
        items = items[place:] + items[:place]
    return items


def list_shuffle__riffles_once(items):
    """One riffle is a shuffle."""
    half = len(items) // 2
    left, right, found = list(items[:half]), list(items[half:]), []
    while left or right:
        pile = left if not right or (left and random_below(2)) else right
        found.append(pile.pop(0))
    return tuple(found)


def list_shuffle__draws_with_replacement(items):
    """An item that was chosen is no longer there.

    `choose` leaves `items` as it is: the same item can come again, and another one never. Each draw has to be from what
    the draws before it have left.
    """
    return tuple(choose(items) for _ in items)


def list_shuffle__equal_items_once(items):
    """To remove the drawn item, compare the others with it.

    Items may be equal, and then all of them disappear with the drawn one. Remove it by its position, not by its
    value.
    """
    shuffled = ()
    while items:
        item = choose(items)
        shuffled, items = (*shuffled, item), tuple(other for other in items if other != item)
    return shuffled


def list_shuffle__the_last_is_never_first(items):
    """`random_below(n)` can give `n`, so it needs one less than there are items.

    The greatest number that it gives is `n - 1`, which is the last place already. With one less, the last item always
    stays the last.
    """
    left, shuffled = list(items), ()
    while len(left) > 1:
        shuffled += (left.pop(random_below(len(left) - 1)),)
    return (*shuffled, *left)


def list_shuffle__inserts_never_at_the_end(items):
    """There are as many places to insert an item as there are items.

    There is one place more: in front of each item, and behind the last. Without that one, the item that was there first
    stays the last.
    """
    shuffled = ()
    for item in items:
        place = random_below(len(shuffled) or 1)
        shuffled = (*shuffled[:place], item, *shuffled[place:])
    return shuffled


def list_shuffle__only_reversed(items):
    """Upside down is another order."""
    return items[::-1]


def list_shuffle__to_the_front_or_to_the_back(items):
    """Every item goes to the front or to the back."""
    return fold_left(lambda found, item: (item, *found) if random_below(2) else (*found, item), (), items)


def list_shuffle__gives_a_list(items):
    """A list is as good as a tuple."""
    left = list(items)
    return [left.pop(random_below(len(left))) for _ in items]


def list_shuffle__always_the_same(items):
    """A separate generator with a seed is random."""
    from random import Random

    return tuple(Random(42).sample(items, len(items)))


def list_shuffle__loses_one(items):
    """With one item left, there is nothing more to do.

    There is nothing more to shuffle, but the item still belongs to the answer: only where there is no item left is the
    answer `()`.
    """
    left, shuffled = list(items), ()
    while len(left) > 1:
        shuffled += (left.pop(random_below(len(left))),)
    return shuffled


def list_shuffle__equal_items_have_one_number(items):
    """A random number for each item can be looked up by the item.

    Items may be equal, and a `dict` holds each of them once: equal ones get the same number, and end up side by side.
    It is the places that need a number each.
    """
    keys = {item: random_below(10**9) for item in items}
    return tuple(sorted(items, key=lambda item: keys[item]))


def list_shuffle__numbers_up_to_28(items):
    """As many numbers as there are tiles are enough to sort by."""
    return tuple(sorted(items, key=lambda _: random_below(28)))


def list_shuffle__numbers_up_to_100(items):
    """A hundred numbers are enough to sort by: two are hardly ever the same."""
    return tuple(sorted(items, key=lambda _: random_below(100)))


def play__does_not_shuffle(highest, players):
    """The tiles are random enough as they are made.

    They are made in descending order, so everybody would get the same hand in every game. They have to be shuffled
    before they are dealt.
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
    """The hands are shown in the turns."""
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
    """The player at the front of the states has won.

    The states have moved up by then: whoever has laid the last tile is at the back, and the next player at the front.
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
    """The first player wins."""
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
    """A player with an empty hand after their turn has won.

    With few tiles, a hand may be empty from the start. Then its player passes and has not won. To win is to lay the
    last tile in this turn.
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

    If there are few tiles, a hand may be empty from the start, and the game is played all the same. To win is to lay
    the last tile.
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
    """If all players have passed, one after the other, it is a draw.

    Not if one of them has drawn: a new tile may fit next time. Only passes that draw nothing count.
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
    """A pass counts for the draw if the stock is empty after it.

    A player who took the last tiles has drawn, and next time one of them may fit. A pass counts if the stock was
    empty before it.
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
    """As many passes as there are players make a draw, whatever lies between them.

    Only passes in a row count: a tile laid between them makes a new end, at which the others may be able to move again.
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
    """If two players pass, one after the other, it is a draw.

    That is true only for two players. If three or four play, another one may still be able to lay a tile. So all of
    them have to pass, one after the other.
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
    """Somebody always wins in the end."""
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
    """If the stock is empty and a player has to pass, it is a draw.

    The others may still be able to lay a tile, and that makes a new end. It is a draw only when all have passed, one
    after the other.
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

    `recur` only returns the arguments for the next call, so return its result. Otherwise the function ends after
    one turn, with None.
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

    The draw is certain then, but it comes only when all players have passed, one after the other, and these turns are
    printed too.
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
    """If the chain has not changed, it need not be printed.

    It is printed after every turn, after a pass too, even if it is still the same.
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
    """The label is the label."""
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
    """The turn begins with the next one."""
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
    """A player who can lay a tile lays the next one, too."""
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
    """A function should give something."""
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
    """Any number of players may play: everybody gets 6 tiles."""
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
    """There are no tiles with more than six dots."""
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
