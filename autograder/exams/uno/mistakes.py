"""Answers that learners give to the exercises of Uno, each wrong in one way."""

from course.uno import *


# ------------------------------------------------------------------------------------------------ cards


@curry
def precedes__equal_values_do_not_count(equal, items, first, second):
    """For equal values, `precedes` returns `False`, because a value does not come before itself.

    For equal values, the result is `True` if the value is in `items`.
    """
    return (
        not equal(first, second)
        and find(lambda i: equal(first, i) or equal(second, i), items) is not None
        and (equal(first, find(lambda i: equal(first, i) or equal(second, i), items)))
    )


@curry
def precedes__later_instead(equal, items, first, second):
    """The function checks whether the second value comes before the first.

    The function checks whether the first value comes before the second.
    """
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return met is not None and equal(second, met)


@curry
def precedes__plain_equality(equal, items, first, second):
    """`==` and `in` compare values in the right way.

    In this exercise, the function `equal` decides which values are equal. For example, it can treat a small and a
    capital letter as the same. `==` and `in` do not use that function.
    """
    met = find(lambda item: item in (first, second), items)
    return met is not None and met == first


@curry
def precedes__whatever_is_found_is_true(equal, items, first, second):
    """Any item that is found counts as true.

    The item that is found can be 0, and 0 counts as false, like `None`. Only `None` means that nothing was found.
    """
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return bool(met) and equal(first, met)


@curry
def precedes__and_gives_a_truth_value(equal, items, first, second):
    """`and` always returns `True` or `False`.

    If the left side of `and` counts as false, `and` returns the left side itself. For example, the left side can be
    `None` or 0. A comparison is always `True` or `False`.
    """
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return met and equal(first, met)


@curry
def precedes__by_index(equal, items, first, second):
    """`items.index(value)` finds any value.

    `index` compares with `==`, but `equal` must compare the values. `index` also raises an error if it finds nothing,
    and here a value can be missing.
    """
    return items.index(first) <= items.index(second)


@curry
def precedes__only_the_first_is_sought(equal, items, first, second):
    """If the first value is in `items`, it comes before the second.

    The second value can be in `items`, too, and can come before the first.
    """
    return any(equal(first, item) for item in items)


@curry
def precedes__absent_counts_as_first(equal, items, first, second):
    """A value that is not in `items` comes before all values in `items`, because its index is -1.

    In this exercise, such a value comes after all values in `items`. If neither value is in `items`, the result is
    `False`.
    """
    place = lambda value: next((i for i, item in enumerate(items) if equal(item, value)), -1)
    return place(first) <= place(second)


def precedes__not_curried(equal, items, first, second):
    """You can call any function of four arguments with the first two of them.

    Only a curried function can be called like this. Any other function raises an error, because arguments are missing.
    A function is curried if the line `@curry` is above it.
    """
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return met is not None and equal(first, met)


@curry
def color_is_lt__strictly(first, second):
    """For equal colors, `color_is_lt` returns `False`, because a color is not less than itself.

    For equal colors, the result is `True`, because the first color is not greater than the second.
    """
    return COLORS.index(first) < COLORS.index(second)


@curry
def color_is_lt__by_name(first, second):
    """The colors are ordered by their names.

    The order of `COLORS` decides.
    """
    return first.name <= second.name


color_is_lt__descending = precedes(is_same_color, COLORS[::-1])
color_is_lt__arguments_swapped = curry(lambda first, second: precedes(is_same_color, COLORS, second, first))


color_is_lt__lambda_of_two = lambda first, second: precedes(is_same_color, COLORS, first, second)
"""A `lambda` or `def` that calls a curried function is curried, too.

It needs all its arguments at once. Call the curried function itself with only some of the arguments. The result is a
function that waits for the others.
"""


@curry
def rank_is_lt__strictly(first, second):
    """For equal ranks, `rank_is_lt` returns `False`, because a rank is not less than itself.

    For equal ranks, the result is `True`, because the first rank is not greater than the second.
    """
    return RANKS.index(first) < RANKS.index(second)


@curry
def rank_is_lt__action_cards_are_equal(first, second):
    """All action cards are equal, because all of them are worth 20.

    The order of `RANKS` decides, not the value.
    """
    place = lambda rank: min(RANKS.index(rank), 10)
    return place(first) <= place(second)


rank_is_lt__action_cards_first = precedes(is_same_rank, RANKS[10:] + RANKS[:10])
rank_is_lt__numbers_only = precedes(is_same_rank, RANKS[:10])


rank_is_lt__lambda_of_two = lambda first, second: precedes(is_same_rank, RANKS, first, second)
"""A `lambda` or `def` that calls a curried function is curried, too.

It needs all its arguments at once. Call the curried function itself with only some of the arguments. The result is a
function that waits for the others.
"""


def is_lt__equal_cards_fail(first, second):
    """For equal cards, `is_lt` returns `False`, because a card is not less than itself.

    For equal cards, the result is `True`, because the first card is not greater than the second.
    """
    return not is_same_card(first, second) and not (
        isinstance(first, WildDrawFour)
        or (isinstance(first, Wild) and isinstance(second, Crd))
        or (
            isinstance(first, Crd)
            and isinstance(second, Crd)
            and not (
                rank_is_lt(first.rank, second.rank)
                if first.color is second.color
                else color_is_lt(first.color, second.color)
            )
        )
    )


def is_lt__rank_before_color(first, second):
    """The rank decides first, and the color decides only between equal ranks.

    The color decides first, so any red card is greater than any green card. Ranks are compared only if the colors are
    equal.
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color):
            return color_is_lt(color, other_color) if rank == other_rank else rank_is_lt(rank, other_rank)
        case (WildDrawFour(), Crd() | Wild()) | (Wild(), Crd()):
            return False
        case _:
            return True


def is_lt__color_only(first, second):
    """`color_is_lt` alone decides which of two ordinary cards is less.

    For two cards of the same color, `color_is_lt` is always `True`, so their ranks are never compared. If the colors
    are the same, the ranks must decide.
    """
    match first, second:
        case Crd(_, color), Crd(_, other_color):
            return color_is_lt(color, other_color)
        case (WildDrawFour(), Crd() | Wild()) | (Wild(), Crd()):
            return False
        case _:
            return True


def is_lt__both_must_be_less(first, second):
    """A card is less than another only if both its color and its rank are less.

    If the colors differ, only the colors decide. A blue skip is less than a red 3, although a skip is greater than a 3.
    Ranks are compared only within one color.
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color):
            return color_is_lt(color, other_color) and rank_is_lt(rank, other_rank)
        case (WildDrawFour(), Crd() | Wild()) | (Wild(), Crd()):
            return False
        case _:
            return True


def is_lt__wild_cards_are_equal(first, second):
    """No card is greater than a plain wild.

    A wild draw four is greater than a plain wild. Python tries the cases from top to bottom. So the case that compares
    a wild draw four with a wild must come before more general cases.
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color):
            return rank_is_lt(rank, other_rank) if color is other_color else color_is_lt(color, other_color)
        case _:
            return not isinstance(second, Crd)


def is_lt__wild_beats_draw_four(first, second):
    """A plain wild is the greatest card.

    A wild draw four is greater than a plain wild.
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color):
            return rank_is_lt(rank, other_rank) if color is other_color else color_is_lt(color, other_color)
        case (Wild(), Crd() | WildDrawFour()) | (WildDrawFour(), Crd()):
            return False
        case _:
            return True


def is_lt__wild_card_greater_than_itself(first, second):
    """If the first card is a wild draw four, it is greater than any second card.

    The second card can be a wild draw four, too. Then the cards are equal, and the result is `True`. The result is also
    `True` for two wilds.
    """
    match first, second:
        case WildDrawFour(), _:
            return False
        case _, WildDrawFour():
            return True
        case Wild(), _:
            return False
        case _, Wild():
            return True
        case Crd(rank, color), Crd(other_rank, other_color):
            return rank_is_lt(rank, other_rank) if color is other_color else color_is_lt(color, other_color)


card_sort__ascending = merge_sort(lambda first, second: not is_lt(first, second))
"""If the test is true for a greater first card, `merge_sort` begins with the greatest card.

`merge_sort` puts `a` after `b` if its test of `a` and `b` is true. So with this test, the greatest card comes last.
"""


def card_sort__drops_copies(cards):
    """If you put the cards in a set, no card is lost.

    A set keeps only one of several equal cards.
    """
    return merge_sort(is_lt, set(cards))


def card_sort__gives_a_list(cards):
    """You may return a list instead of a tuple.

    The result must be a tuple, because a list is never equal to a tuple.
    """
    return list(merge_sort(is_lt, cards))


def card_sort__by_value(cards):
    """The cards with the highest points come first.

    `is_lt` decides the order, not the points. Wild cards come first. The other cards are sorted by color, and cards of
    the same color by rank.
    """
    return tuple(sorted(cards, key=card_value, reverse=True))


def card_value__action_cards_cost_ten(card):
    """An action card is worth ten points.

    An action card is worth 20.
    """
    match card:
        case Crd(Num(number), _):
            return number
        case Crd():
            return 10
        case _:
            return 50


def card_value__draw_four_costs_more(card):
    """A wild draw four is worth more than a wild.

    Both kinds of wild card are worth 50.
    """
    match card:
        case Crd(Num(number), _):
            return number
        case Crd():
            return 20
        case Wild():
            return 50
        case _:
            return 100


def card_value__place_in_ranks(card):
    """The value of a number card is the index of its rank in `RANKS`.

    The value of a number card is its number.
    """
    return RANKS.index(card.rank) if isinstance(card, Crd) else 50


def card_value__zero_costs_ten(card):
    """A zero is worth ten points.

    A zero is worth 0.
    """
    match card:
        case Crd(Num(number), _):
            return number or 10
        case Crd():
            return 20
        case _:
            return 50


def card_value__general_case_first(card):
    """If several cases match, Python takes the most specific one.

    Python takes the first case that matches, from top to bottom. `Crd()` matches number cards as well. If this case
    comes first, the case for number cards is never reached.
    """
    match card:
        case Crd():
            return 20
        case Crd(Num(number), _):
            return number
        case _:
            return 50


def card_value__zero_is_ten(card):
    match card:
        case Crd(Num(number), _):
            return number or 10
        case Crd():
            return 20
        case _:
            return 50


def card_value__draw_two_is_fifty(card):
    """A draw two is worth 50.

    A draw two is worth 20, like the other action cards.
    """
    match card:
        case Crd(Num(number), _):
            return number
        case Crd(DrawTwo(), _):
            return 50
        case Crd():
            return 20
        case _:
            return 50


def sum_cards__each_card_once(cards):
    """Equal cards count only once.

    Each card counts, even if another card is equal to it.
    """
    return sum(map(card_value, set(cards)))


def sum_cards__without_the_last(cards):
    """The value of the last card is not added to the sum.

    The values of all cards are added.
    """
    return sum(card_value(cards[i]) for i in range(len(cards) - 1))


def sum_cards__numbers_only(cards):
    """Only number cards have a value.

    Action cards and wild cards have a value, too.
    """
    return sum(card_value(card) for card in cards if isinstance(card, Crd) and isinstance(card.rank, Num))


def sum_cards__fold_does_the_adding(cards):
    """`fold_left` adds up the results of its function.

    `fold_left` itself adds nothing. It calls the function with the result so far and the next card. The function must
    add the card's value.
    """
    return fold_left(lambda total, card: card_value(card), 0, cards)


def sum_cards__card_before_the_total(cards):
    """`fold_left` passes the card first, and then the result so far.

    `fold_left` passes the result so far first, and then the card. `fold_right` passes the card first.
    """
    return fold_left(lambda card, total: total + card_value(card), 0, cards)


def sum_cards__of_the_example(cards):
    return 125


def sum_cards__equal_cards_once(cards):
    return sum(map(card_value, set(cards)))


def sum_cards__five_hundred_at_most(cards):
    """A hand is worth at most 500.

    There is no limit to the sum.
    """
    return min(500, sum(map(card_value, cards)))


def opposite_dir__bare_name_in_the_pattern(direction):
    """`case CLOCKWISE:` checks whether the direction is `CLOCKWISE`.

    A bare name in a pattern is not compared. It matches any value and becomes a new name for it. A name with a dot,
    such as `Direction.CLOCKWISE`, is compared.
    """
    match direction:
        case CLOCKWISE:
            return COUNTERCLOCKWISE


def opposite_dir__same(direction):
    """The result is the same direction.

    The result is the opposite direction.
    """
    match direction:
        case Direction.CLOCKWISE:
            return CLOCKWISE
        case _:
            return CLOCKWISE


def opposite_dir__as_text(direction):
    """The result is the name of the direction, as a string.

    The result is a `Direction`, `CLOCKWISE` or `COUNTERCLOCKWISE`.
    """
    return "COUNTERCLOCKWISE" if direction is CLOCKWISE else "CLOCKWISE"


def opposite_dir__always_back(direction):
    return CLOCKWISE if direction is COUNTERCLOCKWISE else direction


def remove_card__all_copies(cards, card, error):
    """To remove a card, keep all the cards that differ from it.

    If you do that, all equal cards are removed, but only the first of them must be removed. Keep all the cards after
    it, even if they are equal to it.
    """
    left = tuple(other for other in cards if not is_same_card(other, card))
    if len(left) == len(cards):
        raise error
    return left


def remove_card__the_last_copy(cards, card, error):
    """If there are several copies of the card, the last copy is removed.

    The first copy is removed.
    """
    if card not in cards:
        raise error
    place = len(cards) - 1 - cards[::-1].index(card)
    return cards[:place] + cards[place + 1 :]


def remove_card__front_reversed(cards, card, error):
    """The cards before the removed card can be added in the order in which you collected them.

    If you collect the cards by adding each one at the front, their order is reversed. Reverse them once more.
    """
    if card not in cards:
        raise error
    place = cards.index(card)
    return cards[:place][::-1] + cards[place + 1 :]


def remove_card__no_error(cards, card, error):
    """If `cards` does not contain `card`, the function returns `cards` unchanged.

    If `cards` does not contain `card`, raise `error`.
    """
    place = cards.index(card) if card in cards else len(cards)
    return cards[:place] + cards[place + 1 :]


def remove_card__own_error(cards, card, error):
    """`index` raises the right exception.

    The right exception is the argument `error`.
    """
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def remove_card__error_given_back(cards, card, error):
    """If you return an error, it is raised.

    A returned error is a normal result: the caller would use it as cards and continue. A raised error also stops the
    caller, unless the caller catches it.
    """
    if card not in cards:
        return error
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def remove_card__starred_name_is_a_tuple(cards, card, error):
    """If you unpack a tuple, the starred name is a tuple.

    A starred name is always a list, and you cannot add a list to a tuple. Convert the list with `tuple(…)` first.
    """

    @tail_recursive
    def look(seen, rest):
        match rest:
            case (head, *others) if is_same_card(head, card):
                return rev_append(seen, others)
            case (head, *others):
                return recur((head, *seen), others)
            case _:
                raise error

    return look((), cards)


def remove_card__recur_not_returned(cards, card, error):
    """A call of `recur` continues with the remaining cards.

    `recur` only returns the arguments for the next call, so return its result. If nothing is returned, or no case
    matches, a function returns `None`.
    """

    @tail_recursive
    def look(seen, rest):
        match rest:
            case (head, *others) if is_same_card(head, card):
                return rev_append(seen, tuple(others))
            case (head, *others):
                recur((head, *seen), tuple(others))
            case _:
                raise error

    return look((), cards)


def remove_card__name_in_the_pattern_is_compared(cards, card, error):
    """`case (card, *others):` checks whether the first card is `card`.

    A bare name in a pattern matches any value, even if it had a value before. So the first card is always removed. Use
    another name in the pattern, and compare the two cards with `is_same_card`.
    """

    @tail_recursive
    def look(seen, rest):
        match rest:
            case (card, *others):
                return rev_append(seen, tuple(others))
            case (head, *others):
                return recur((head, *seen), tuple(others))
            case _:
                raise error

    return look((), cards)


def card_count__zeros_twice(card):
    """There are two cards of each number.

    There is only one 0 in each color. If you have a separate case for the 0, check the order of your cases. Python
    takes the first case that matches, and `Crd()` matches a 0 as well.
    """
    return 2 if isinstance(card, Crd) else 4


def card_count__wilds_twice(card):
    """There are two copies of each wild card, because eight wild cards are shared by four colors.

    There are four copies of each kind of wild card.
    """
    match card:
        case Crd(Num(0), _):
            return 1
        case Crd():
            return 2
        case _:
            return 2


def card_count__actions_once(card):
    """Each action card occurs only once in each color.

    Each action card occurs twice in each color.
    """
    match card:
        case Crd(Num(0) | Reverse() | Skip() | DrawTwo(), _):
            return 1
        case Crd():
            return 2
        case _:
            return 4


def card_count__nines_once(card):
    """There is one nine of each color.

    There are two nines of each color. Only the zero occurs once.
    """
    match card:
        case Crd(Num(0 | 9), _):
            return 1
        case Crd():
            return 2
        case _:
            return 4


def card_count__draw_twos_four_times(card):
    """There are four draw twos of each color.

    There are two draw twos of each color.
    """
    match card:
        case Crd(Num(0), _):
            return 1
        case Crd(DrawTwo(), _):
            return 4
        case Crd():
            return 2
        case _:
            return 4


deck__every_card_once = (*WILDS, *(Crd(rank, color) for color in COLORS for rank in RANKS))

deck__without_wild_cards = tuple(
    card for color in COLORS for rank in RANKS for card in (Crd(rank, color),) * card_count(Crd(rank, color))
)

deck__two_zeros = tuple(Crd(rank, color) for color in COLORS for rank in RANKS for _ in range(2)) + WILDS * 4

deck__as_a_list = [
    card
    for kind in (*WILDS, *(Crd(rank, color) for color in COLORS for rank in RANKS))
    for card in (kind,) * card_count(kind)
]


deck__tuple_of_tuples = tuple(
    add_n_copies(card, (), card_count(card))
    for card in (*WILDS, *(Crd(rank, color) for color in COLORS for rank in RANKS))
)
"""A comprehension puts the copies of all cards into one long tuple.

If it makes a tuple of copies for each card, its result is a tuple of 54 tuples. A fold can join them: each step puts
the copies of one card in front of the cards so far.
"""


# ------------------------------------------------------------------------------------------------ the table


def deal__not_shuffled(players):
    """The deck does not have to be shuffled.

    The deck is shuffled once, before the deal.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), deck)


def deal__one_by_one(players):
    """Cards are dealt one at a time, to each player in turn.

    In this exercise, each player gets seven cards at once. The dealer gets the first seven cards after the shuffle, and
    the next player gets the next seven.
    """
    print(f"\nPlayer {players[0].name} deals.")
    cards, n = shuffle_list(deck), len(players)
    hands = tuple(player.with_cards(cards[i : 7 * n : n]) for i, player in enumerate(players))
    return Desk(hands, cards[7 * n : 7 * n + 1], cards[7 * n + 1 :], Proceed(), CLOCKWISE, ())


def deal__six_cards(players):
    """Each player gets six cards, as in many games.

    Each player gets seven cards.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 6)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


def deal__says_nothing(players):
    """The message does not have to be printed.

    `deal` prints an empty line, and then a line that says who deals.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    return serve(players, (), shuffle_list(deck))


def deal__no_empty_line(players):
    """`deal` prints only the line `Player X deals.`, without an empty line.

    `deal` first prints an empty line, and then `Player X deals.`.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    print(f"Player {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


def deal__players_reversed(players):
    """If you add each player at the front, the order of the players stays the same.

    Adding at the front reverses the order, so the dealer is now the last player. Reverse the order once more.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(served, cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


def deal__top_card_stays_in_the_deck(players):
    """`cards[:1]` removes the top card from `cards`.

    A slice does not remove anything, because a tuple never changes. So the top card is on the pile and still in the
    deck. The deck must begin with the card after it.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards, Proceed(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


def deal__to_old_hands(players):
    """Before the cards are dealt, all hands are empty.

    Perhaps the players still hold cards, for example from the last game. After the deal, each hand has only the seven
    new cards.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, player.cards, 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


def deal__hand_before_the_rest(players):
    """`pass_cards` returns the passed cards first.

    It returns two tuples: first the cards that stay, and then the target with the passed cards. If you swap the two
    tuples, the first player gets all the cards that should stay in the deck.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                hand, rest = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


def deal__state_to_execute(players):
    """After the deal, the state is always `Execute()`, for any card on the pile.

    After the deal, the state is `Proceed()`. If another state is necessary, `desk_normalize` sets it.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Execute(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


def is_sound__only_counts(desk):
    """If there are 108 cards, the desk is sound.

    There can be 108 cards even if one card occurs too often and another is missing.
    """
    return sum(len(player.cards) for player in desk.players) + len(desk.pile) + len(desk.deck) == len(deck)


def is_sound__no_strangers_looked_for(desk):
    """If every card of the deck occurs the right number of times, the desk is sound.

    The desk could also contain something that is not a card of the deck. So check, too, how many cards there are in
    total.
    """
    cards = (*desk.pile, *desk.deck, *(card for player in desk.players for card in player.cards))
    return all(cards.count(card) == card_count(card) for card in deck)


def is_sound__hands_forgotten(desk):
    """All the cards are on the pile and in the deck.

    The cards in the hands count, too.
    """
    cards = desk.pile + desk.deck
    return len(cards) == len(deck) and all(cards.count(card) == card_count(card) for card in deck)


def is_sound__as_a_set(desk):
    """If the desk has each kind of card, the desk is sound.

    Even then, it can have too many or too few copies of a card. A `set` does not show that, because it does not count
    copies.
    """
    cards = (*desk.pile, *desk.deck, *(card for player in desk.players for card in player.cards))
    return set(cards) == set(deck)


def is_sound__first_hand_only(desk):
    """Only the hand of the first player counts.

    The cards in the hands of all players count.
    """
    cards = (*desk.pile, *desk.deck, *desk.players[0].cards)
    return len(cards) == len(deck) and all(cards.count(card) == card_count(card) for card in deck)


def next_player__always_clockwise(desk):
    """The next player is always the second of the players.

    If the direction is counterclockwise, the next player is the last of the players.
    """
    return whose_turn(desk.with_players(desk.players[1:] + desk.players[:1]))


def next_player__directions_swapped(desk):
    """Clockwise, the next player is the last of the players. Counterclockwise, it is the second.

    The tuple of players is in clockwise order. So clockwise, the next player is the second. Counterclockwise, it is the
    last.
    """
    step = -1 if desk.direction is CLOCKWISE else 1
    return whose_turn(desk.with_players(desk.players[step:] + desk.players[:step]))


def next_player__reverses_the_list(desk):
    """If the direction is counterclockwise, the tuple of players is reversed before the turn passes.

    The players do not change seats, so the tuple stays in clockwise order. If the direction is counterclockwise, only
    the last player moves to the front.
    """
    players = desk.players if desk.direction is CLOCKWISE else desk.players[::-1]
    return whose_turn(desk.with_players(players[1:] + players[:1]))


def next_player__says_nothing(desk):
    """`next_player` prints nothing.

    `next_player` prints whose turn it is: it calls `whose_turn`.
    """
    step = 1 if desk.direction is CLOCKWISE else -1
    return desk.with_players(desk.players[step:] + desk.players[:step])


def next_player__announces_the_last(desk):
    """You can call `whose_turn` before the turn has passed.

    `whose_turn` names the first player of the desk that it receives. On the old desk, this is the player whose turn
    is over. Call `whose_turn` with the new desk.
    """
    step = 1 if desk.direction is CLOCKWISE else -1
    return whose_turn(desk).with_players(desk.players[step:] + desk.players[:step])


def next_player__changes_the_desk(desk):
    """`desk.with_players(...)` changes the desk.

    A desk never changes. `with_players` returns a new desk, and the old desk stays the same. Continue with the new
    desk.
    """
    step = 1 if desk.direction is CLOCKWISE else -1
    desk.with_players(desk.players[step:] + desk.players[:step])
    return whose_turn(desk)


def next_player__list_turned_round(desk):
    """If the direction is counterclockwise, the tuple of players is reversed.

    If you reverse the tuple, all the players change seats. The tuple stays in clockwise order: only the last player
    moves to the front.
    """
    (first, *others) = desk.players
    return whose_turn(desk.with_players((*others, first) if desk.direction is CLOCKWISE else desk.players[::-1]))


@tail_recursive
def desk_normalize__reverse_passes_the_turn(desk):
    """After the first card, the turn always passes to the next player.

    If the first card is a reverse, the turn does not pass. The direction changes, and the dealer begins. The dealer is
    already the first of the players.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return next_player(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__reverse_not_announced(desk):
    """If the dealer begins, no line says whose turn it is.

    The line is printed for the dealer, too: call `whose_turn`.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return desk.with_direction(opposite_dir(desk.direction))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__state_forgotten(desk):
    """If a skip or a draw two is on the pile, the game begins in the same way as with a number.

    The next player must answer or obey the card, and only the state `Execute()` shows that. If your code sets the
    state, remember that `with_state` returns a new desk. Also, Python takes the first case that matches, and `Crd()`
    matches a skip or a draw two as well.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk)
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__skip_obeyed_at_once(desk):
    """If the first card is a skip or a draw two, the next player misses the turn.

    The next player may still answer the card. So the turn passes only once. The state `Execute()` shows that the player
    must answer or obey the card.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(next_player(desk))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__dealer_begins(desk):
    """The dealer is the first of the players, so the dealer begins.

    The dealer begins only if a reverse is on the pile. With a number, the player after the dealer begins, so the turn
    must pass once.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return whose_turn(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__wild_cards_only_once(desk):
    """After the wild card is shuffled back, the game can begin.

    The new top card can be wild again, or a reverse, a skip or a draw two. Check the new card in the same way as the
    first card.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return next_player(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__wild_card_to_the_bottom(desk):
    """The wild card goes under the deck, without a shuffle.

    Pile and deck are shuffled together.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = desk.deck + desk.pile
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__wild_card_lost(desk):
    """If a wild card is on the pile, it is enough to shuffle the deck and to turn over its top card.

    If you do only that, the wild card is lost. Shuffle the wild card with the other cards.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__reverse_is_nothing(desk):
    """A reverse as the first card does not change the direction.

    A reverse turns the direction around, even if it is the first card.
    """
    match desk.pile[0]:
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__wild_card_stays(desk):
    """A wild card can stay on the pile as its first card.

    If the first card is wild, pile and deck are shuffled together, until the first card is not wild.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            return next_player(desk)


@tail_recursive
def desk_normalize__recur_not_returned(desk):
    """A call of `recur` checks the next card.

    `recur` only returns the arguments for the next call, so return its result. If nothing is returned, or no case
    matches, a function returns `None`.
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


@tail_recursive
def desk_normalize__bare_name_in_the_pattern(desk):
    """`case Crd(Reverse, _):` matches only reverses.

    Without parentheses, `Reverse` is just a name and matches any rank. So every ordinary card is treated as a reverse.
    To compare, write `Reverse()`.
    """
    match desk.pile[0]:
        case Crd(Reverse, _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


def draw__to_the_last_player(desk):
    """The player who has just moved draws the card.

    The first player of the desk draws the card.
    """
    match desk.players, desk.deck, desk.pile:
        case (*others, player), (card, *rest), _:
            return desk.with_players((*others, player.with_cards((card, *player.cards)))).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__to_the_last_player(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__from_the_bottom(desk):
    """The card is drawn from the bottom of the deck.

    The card is drawn from the top of the deck, which is the first card of the tuple.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (*rest, card), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__from_the_bottom(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__card_stays_in_the_deck(desk):
    """A card that is added to a hand is automatically removed from the deck.

    Values never change, so the card is now in the hand and still in the deck. The new desk needs a new deck as well.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others))
        case _, _, (top, *rest) if rest:
            return draw__card_stays_in_the_deck(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__whole_pile_reshuffled(desk):
    """The whole pile becomes the deck.

    The top card of the pile stays on the pile, because the next card must fit it. If you also shuffle the top card, it
    is in the game twice.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__whole_pile_reshuffled(desk.with_pile((top,)).with_deck(shuffle_list(desk.pile)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__pile_not_shuffled(desk):
    """The pile is turned over without a shuffle.

    The cards of the pile are shuffled before they become the deck.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__pile_not_shuffled(desk.with_pile((top,)).with_deck(tuple(rest[::-1])))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__pile_keeps_its_cards(desk):
    """Cards that are shuffled into the deck are no longer on the pile.

    A new desk keeps every part that you do not replace. If you replace only the deck, the shuffled cards are still on
    the pile. Replace the pile, too.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__pile_keeps_its_cards(desk.with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__nothing_left_is_fine(desk):
    """If no card is left to draw, the desk stays the same, and no error is raised.

    If no card is left to draw, raise `IllegalGame`.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__nothing_left_is_fine(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            return desk


def draw__no_reshuffle(desk):
    """There is always a card in the deck.

    If the deck is empty, the pile without its top card is shuffled, and becomes the deck.
    """
    first, *others = desk.players
    return desk.with_players((first.with_cards((desk.deck[0], *first.cards)), *others)).with_deck(desk.deck[1:])


def draw__top_card_reshuffled_alone(desk):
    """Only the top card of the pile goes back to the deck, and the other cards stay on the pile.

    Only the top card stays on the pile. The other cards become the new deck.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__top_card_reshuffled_alone(desk.with_pile(tuple(rest)).with_deck((top,)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__reshuffled_but_not_drawn(desk):
    """If the deck is empty, it is enough to make a new deck.

    After that, the player must still draw a card. `draw` can call itself with a desk that has the new deck.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return desk.with_pile((top,)).with_deck(shuffle_list(rest))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__never_out_of_cards(desk):
    """After the pile has been shuffled, there is always a card in the deck.

    If the pile has only its top card, the new deck is empty, too. Then the function calls itself until Python raises a
    `RecursionError`.
    """
    match desk.players, desk.deck:
        case (player, *others), (card, *rest):
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _:
            return draw__never_out_of_cards(desk.with_pile(desk.pile[:1]).with_deck(shuffle_list(desk.pile[1:])))


def draw__starred_name_is_a_tuple(desk):
    """If you unpack a tuple, the starred name is a tuple.

    A starred name is always a list. The deck of a desk must be a tuple, so convert the list with `tuple(…)`.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(rest)
        case _, _, (top, *rest) if rest:
            return draw__starred_name_is_a_tuple(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


draw_two__one = draw
draw_two__four = compose(draw, draw, draw, draw)


def draw_two__two_from_the_deck(desk):
    """The two drawn cards are the first two of the deck.

    The deck can have fewer than two cards. Then a new deck must be made from the pile before the next draw. `draw`
    draws one card, and first makes a new deck if necessary.
    """
    first, *others = desk.players
    players = (first.with_cards((*desk.deck[:2], *first.cards)), *others)
    return desk.with_players(players).with_deck(desk.deck[2:])


def draw_two__one_each(desk):
    """The first two players draw one card each.

    The first player draws both cards.
    """
    first, second, *others = draw(desk).players
    turned = draw(draw(desk).with_players((second, *others, first)))
    return turned.with_players((turned.players[-1], *turned.players[:-1]))


draw_four__two = draw_two
draw_four__three = compose(draw_two, draw)
draw_four__eight = compose(draw_two, draw_two, draw_two, draw_two)


def draw_four__four_from_the_deck(desk):
    """The four drawn cards are the first four of the deck.

    The deck can have fewer than four cards. Then a new deck must be made from the pile before the next draw. `draw`
    draws one card, and first makes a new deck if necessary.
    """
    first, *others = desk.players
    players = (first.with_cards((*desk.deck[:4], *first.cards)), *others)
    return desk.with_players(players).with_deck(desk.deck[4:])


# ------------------------------------------------------------------------------------------------ legal moves


@curry
def playable_when_wild__wild_cards_do_not_fit(color, card):
    """Only cards of the chosen color fit.

    Any wild card may be laid, too.
    """
    return isinstance(card, Crd) and card.color is color


@curry
def playable_when_wild__draw_four_does_not_fit(color, card):
    """A wild fits on a wild, but a wild draw four does not.

    Any wild card may be laid, even a wild draw four.
    """
    match card:
        case Crd(_, other):
            return is_same_color(color, other)
        case _:
            return isinstance(card, Wild)


@curry
def playable_when_wild__action_cards_do_not_fit(color, card):
    """Among the cards of the chosen color, only number cards fit.

    Any card of the chosen color may be laid.
    """
    match card:
        case Crd(Reverse() | Skip() | DrawTwo(), _):
            return False
        case Crd(_, other):
            return is_same_color(color, other)
        case _:
            return True


@curry
def playable_when_wild__name_in_the_pattern_is_compared(color, card):
    """`case Crd(_, color):` matches only cards of that color.

    A bare name in a pattern matches any value, even if it had a value before. So this case matches a card of any color.
    Use another name in the pattern, and compare the two colors.
    """
    match card:
        case Crd(_, color):
            return True
        case Crd():
            return False
        case _:
            return True


def playable_when_wild__not_curried(color, card):
    """If a function has two parameters, you can always call it with one argument at a time.

    A plain `def` or `lambda` needs both arguments at once. Only a curried function can be called with one argument.
    Write `@curry` above a function to make it curried.
    """
    return not isinstance(card, Crd) or card.color is color


def playable_when_wild__no_draw_four_on_a_wild(color, card):
    """A wild draw four must not be laid on a wild card.

    Any wild card may be laid, even a wild draw four.
    """
    match card:
        case Crd(_, other):
            return is_same_color(color, other)
        case Wild():
            return True
        case _:
            return False


def playable_when_wild__numbers_only(color, card):
    """Only numbers of the chosen color may be laid.

    Any card of the color may be laid, and so may any wild card.
    """
    match card:
        case Crd(Num(), other):
            return is_same_color(color, other)
        case Crd():
            return False
        case _:
            return True


@curry
def playable_when_exec__wild_cards_fit(rank, card):
    """A wild card fits on every card.

    A wild card does not fit while a skip or draw two must be obeyed. Then only a card of the same rank fits, and a wild
    card has no rank.
    """
    return not isinstance(card, Crd) or is_same_rank(rank, card.rank)


@curry
def playable_when_exec__any_action_card(rank, card):
    """A player can answer a skip with a draw two.

    Only another skip answers a skip.
    """
    return isinstance(card, Crd) and card.rank in (Skip(), DrawTwo())


@curry
def playable_when_exec__reverse_too(rank, card):
    """A player can answer a skip or a draw two with a reverse.

    Only a card of the same rank answers a skip or a draw two.
    """
    return isinstance(card, Crd) and card.rank in (rank, Reverse())


@curry
def playable_when_exec__name_in_the_pattern_is_compared(rank, card):
    """`case Crd(rank, _):` matches only cards of that rank.

    A bare name in a pattern matches any value, even if it had a value before. So this case matches a card of any rank.
    Use another name in the pattern, and compare the two ranks.
    """
    match card:
        case Crd(rank, _):
            return True
        case _:
            return False


def playable_when_exec__draw_two_on_a_skip(rank, card):
    """A draw two answers a skip.

    Only another skip answers a skip.
    """
    match card:
        case Crd(DrawTwo(), _):
            return True
        case Crd(other, _):
            return is_same_rank(rank, other)
        case _:
            return False


@curry
def playable_when_proc__both_must_fit(face, card):
    """A card fits only if it has both the rank and the color of the top card.

    A card fits if it has the rank of the top card, or its color.
    """
    return not isinstance(card, Crd) or (card.rank == face[0] and card.color is face[1])


@curry
def playable_when_proc__color_only(face, card):
    """A card fits only by its color.

    A card of the same rank fits, too.
    """
    return not isinstance(card, Crd) or card.color is face[1]


@curry
def playable_when_proc__rank_only_for_numbers(face, card):
    """A number fits by its rank, too, but an action card fits only by its color.

    An action card also fits on a card with the same action. For example, you may lay a reverse on a reverse of any
    color.
    """
    match card:
        case Crd(Num() as rank, color):
            return rank == face[0] or color is face[1]
        case Crd(_, color):
            return color is face[1]
    return True


@curry
def playable_when_proc__no_wild_cards(face, card):
    """A card fits by its rank or its color, so a wild card never fits.

    Any wild card may be laid.
    """
    return isinstance(card, Crd) and (card.rank == face[0] or card.color is face[1])


@curry
def playable_when_proc__name_in_the_pattern_is_compared(face, card):
    """`case Crd(rank, _):` matches only cards of that rank.

    A bare name in a pattern matches any value, even if it had a value before. So this case matches a card of any rank.
    Use another name in the pattern, and compare the two ranks.
    """
    rank, color = face
    match card:
        case Crd(rank, _):
            return True
        case Crd(_, color):
            return True
        case Crd():
            return False
        case _:
            return True


def playable_when_proc__zeros_do_not_match(face, card):
    """A zero fits only by its color.

    A zero also fits on a zero.
    """
    rank, color = face
    match card:
        case Crd(Num(0), other):
            return is_same_color(color, other)
        case Crd(other_rank, other_color):
            return is_same_rank(rank, other_rank) or is_same_color(color, other_color)
        case _:
            return True


def playable_when_proc__reverses_do_not_match(face, card):
    """A reverse fits only by its color.

    A reverse also fits on a reverse.
    """
    rank, color = face
    match card:
        case Crd(Reverse(), other):
            return is_same_color(color, other)
        case Crd(other_rank, other_color):
            return is_same_rank(rank, other_rank) or is_same_color(color, other_color)
        case _:
            return True


def cards_to_play__execute_as_usual(desk):
    """If an ordinary card is on top, the state does not matter.

    In the state `Execute()`, the skip or draw two on the pile must still be obeyed. Then only a card of the same rank
    fits. A card of the same color or a wild card does not fit.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Execute(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case Proceed(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return tuple(filter(playable, desk.players[0].cards))


def cards_to_play__sorted(desk):
    """The cards are sorted, with the greatest first.

    The cards keep the order of the hand.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Execute(), Crd(rank, _):
            playable = playable_when_exec(rank)
        case Proceed(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return card_sort(tuple(filter(playable, desk.players[0].cards)))


def cards_to_play__of_everybody(desk):
    """The result has the playable cards of all hands.

    The result has only the playable cards of the first player.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Execute(), Crd(rank, _):
            playable = playable_when_exec(rank)
        case Proceed(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return tuple(card for player in desk.players for card in player.cards if playable(card))


def cards_to_play__each_kind_once(desk):
    """If two cards are equal, only one of them is listed.

    Each card of the hand that fits is listed.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Execute(), Crd(rank, _):
            playable = playable_when_exec(rank)
        case Proceed(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return tuple(dict.fromkeys(filter(playable, desk.players[0].cards)))


def cards_to_play__a_list(desk):
    """You may return a list instead of a tuple.

    The result must be a tuple, because a list is never equal to a tuple.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Execute(), Crd(rank, _):
            playable = playable_when_exec(rank)
        case Proceed(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return list(filter(playable, desk.players[0].cards))


def cards_to_play__state_before_card(desk):
    """Only the state decides which cards fit.

    The state and the top card decide together. If the state is impossible with this top card, raise `IllegalGame`.
    """
    hand = desk.players[0].cards
    match desk.state:
        case Give(color):
            return tuple(filter(playable_when_wild(color), hand))
        case Execute():
            return tuple(filter(playable_when_exec(desk.pile[0].rank), hand))
    return tuple(filter(playable_when_proc((desk.pile[0].rank, desk.pile[0].color)), hand))


def cards_to_play__skips_always_to_be_answered(desk):
    """On a skip, only another skip fits.

    That is true only in the state `Execute()`. Once a player has obeyed the skip, the state is `Proceed()`. Then cards
    fit on the skip as on any other card.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case _, Crd(Skip() | DrawTwo() as rank, _):
            playable = playable_when_exec(rank)
        case Proceed(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return tuple(filter(playable, desk.players[0].cards))


def cards_to_play__of_the_last_player(desk):
    """The player to move is the last of `desk.players`.

    The player to move is the first of `desk.players`.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Execute(), Crd(rank, _):
            playable = playable_when_exec(rank)
        case Proceed(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return tuple(filter(playable, desk.players[-1].cards))


def cards_to_play__nothing_for_an_impossible_desk(desk):
    """If the state does not go with the top card, the result is an empty tuple.

    In this case, raise `IllegalGame`.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Execute(), Crd(rank, _):
            playable = playable_when_exec(rank)
        case Proceed(), Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            return ()
    return tuple(filter(playable, desk.players[0].cards))


def cards_to_play__bare_proceed_in_the_pattern(desk):
    """`case Proceed, Crd(rank, color):` tests for the state `Proceed()`.

    Without parentheses, `Proceed` is just a name and matches any state. So on a skip that must be answered, a card of
    the same color fits, too. To compare, write `Proceed()`.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Proceed, Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case Execute, Crd(rank, _):
            playable = playable_when_exec(rank)
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return tuple(filter(playable, desk.players[0].cards))


def cards_to_play__bare_execute_in_the_pattern(desk):
    """`case Execute, Crd(rank, _):` tests for the state `Execute()`.

    Without parentheses, `Execute` is just a name and matches any state. So on every ordinary card, only the rank
    counts. To compare, write `Execute()`.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            playable = playable_when_wild(color)
        case Execute, Crd(rank, _):
            playable = playable_when_exec(rank)
        case Proceed, Crd(rank, color):
            playable = playable_when_proc((rank, color))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return tuple(filter(playable, desk.players[0].cards))


def cards_to_play__each_card_once(desk):
    hand = tuple(dict.fromkeys(desk.players[0].cards))
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return tuple(filter(playable_when_wild(color), hand))
        case Execute(), Crd(rank, _):
            return tuple(filter(playable_when_exec(rank), hand))
        case Proceed(), Crd(rank, color):
            return tuple(filter(playable_when_proc((rank, color)), hand))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def cards_to_play__draw_fours_last(desk):
    """Wild draw fours are listed only if no other card fits.

    A wild draw four is listed even if other cards fit. If the player has a card of the required color and lays the wild
    draw four, this player draws the four cards.
    """
    hand = desk.players[0].cards
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            cards = tuple(filter(playable_when_wild(color), hand))
        case Execute(), Crd(rank, _):
            cards = tuple(filter(playable_when_exec(rank), hand))
        case Proceed(), Crd(rank, color):
            cards = tuple(filter(playable_when_proc((rank, color)), hand))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")
    return tuple(card for card in cards if card != WildDrawFour()) or cards


def required_color__of_the_hand(desk):
    """The required color is the color of the first card in the hand.

    The top of the pile decides, not the hand.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return color
        case Proceed() | Execute(), Crd(_, color):
            return next((card.color for card in desk.players[0].cards if isinstance(card, Crd)), color)
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__none_for_wild(desk):
    """If a wild card is on top, there is no required color.

    If a wild card is on top, the chosen color is required.
    """
    match desk.state, desk.pile[0]:
        case Give(), Wild() | WildDrawFour():
            return None
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__below_the_wild(desk):
    """A wild card does not change the required color.

    A player who lays a wild card chooses a color, and the state `Give(color)` contains it. The cards below no longer
    count.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return next((card.color for card in desk.pile if isinstance(card, Crd)), color)
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__state_alone(desk):
    """In the state `Give(color)`, this color is required, whatever the top card is.

    If an ordinary card is on top and the state is `Give(color)`, raise `IllegalGame`.
    """
    match desk.state, desk.pile[0]:
        case Give(color), _:
            return color
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__the_last_order(desk):
    """The required color is the last chosen color in `desk.memory`.

    Take the chosen color from the state, `Give(color)`, not from the memory. The memory can be empty.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return next((move.color for move in desk.memory if isinstance(move, Order)), YELLOW)
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__ordinary_card_in_any_state(desk):
    """If an ordinary card is on top, its color is required, whatever the state is.

    If an ordinary card is on top and the state is `Give`, raise `IllegalGame`. If your pattern tests the state, write
    parentheses, as in `Proceed()`.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return color
        case _, Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__yellow_for_a_draw_four(desk):
    """After a wild draw four, any color may be laid, so it does not matter which color is returned.

    A player who lays a wild draw four chooses a color, too. This color is in the state, `Give(color)`, and it is
    required.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild():
            return color
        case Give(), WildDrawFour():
            return YELLOW
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__no_color_to_execute(desk):
    """In the state `Execute()`, no color is required.

    In the state `Execute()`, the color of the top card is required.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return color
        case Proceed(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def has_color__wild_cards_count(color, cards):
    """A wild card counts as a card of any color.

    A wild card may be laid on any color, but it has no color itself. So a wild card does not count.
    """
    return any(playable_when_wild(color, card) for card in cards)


def has_color__first_card_only(color, cards):
    """Only the first card of the hand can have the color.

    Any card of the hand can have the color.
    """
    return bool(cards) and isinstance(cards[0], Crd) and cards[0].color is color


def has_color__all_of_them(color, cards):
    """The result is `True` only if all ordinary cards of the hand have the color.

    The result is `True` as soon as one card has the color.
    """
    return all(card.color is color for card in cards if isinstance(card, Crd))


def has_color__numbers_only(color, cards):
    """Only number cards can have a color.

    An action card has a color, too.
    """
    return any(isinstance(card, Crd) and isinstance(card.rank, Num) and card.color is color for card in cards)


def has_color__gives_the_card(color, cards):
    """You may return the card that was found instead of `True`.

    The result must be `True` or `False`. A card is not equal to `True`.
    """
    return find(lambda card: isinstance(card, Crd) and card.color is color, cards)


def has_color__name_in_the_pattern_is_compared(color, cards):
    """`case Crd(_, color):` matches only cards of that color.

    A bare name in a pattern matches any value, even if it had a value before. So this case matches a card of any color.
    Use another name in the pattern, and compare the two colors.
    """

    def is_of_color(card):
        match card:
            case Crd(_, color):
                return True
            case _:
                return False

    return find(is_of_color, cards) is not None


def has_color__numbers_and_skips_only(color, cards):
    """Only number cards and skips have a color.

    All cards except the wild cards have a color.
    """
    return any(isinstance(card, Crd) and isinstance(card.rank, Num | Skip) and card.color is color for card in cards)


def has_color__draw_twos_forgotten(color, cards):
    """A draw two has no color.

    All cards except the wild cards have a color.
    """
    return any(isinstance(card, Crd) and card.rank != DrawTwo() and card.color is color for card in cards)


def has_color__reverses_forgotten(color, cards):
    """A reverse has no color.

    All cards except the wild cards have a color.
    """
    return any(isinstance(card, Crd) and card.rank != Reverse() and card.color is color for card in cards)


def count_cards__in_all(desk):
    """The result is one number for all hands together.

    There is one number for each player.
    """
    return sum(len(player.cards) for player in desk.players)


def count_cards__of_the_others(desk):
    """The first player's cards are not counted.

    The result has a number for every player, including the first player.
    """
    return tuple(len(player.cards) for player in desk.players[1:])


def count_cards__sorted(desk):
    """The numbers of cards are sorted, with the greatest number first.

    The numbers of cards are in the order of the players.
    """
    return tuple(sorted((len(player.cards) for player in desk.players), reverse=True))


def count_cards__points(desk):
    """The result has the points of each hand, not its number of cards.

    The result has the number of cards of each hand.
    """
    return tuple(sum_cards(player.cards) for player in desk.players)


def count_cards__never_more_than_twenty(desk):
    """No player can hold more than 20 cards.

    A hand can have any number of cards.
    """
    return tuple(min(20, len(player.cards)) for player in desk.players)


# ------------------------------------------------------------------------------------------------ strategies


def naive__first_card(state, hand, playable, top, direction, memory, counts):
    """The strategy may play the first playable card.

    The strategy plays the greatest card in the order of `card_sort`.
    """
    card = playable[0]
    return Simple(card) if isinstance(card, Crd) else Order(card, shuffle_list(COLORS)[0])


def naive__smallest_card(state, hand, playable, top, direction, memory, counts):
    """`card_sort` puts the greatest card last.

    `card_sort` sorts from high to low, so the greatest card comes first.
    """
    card = card_sort(playable)[-1]
    return Simple(card) if isinstance(card, Crd) else Order(card, shuffle_list(COLORS)[0])


def naive__from_the_whole_hand(state, hand, playable, top, direction, memory, counts):
    """The strategy plays the greatest card of the hand.

    Perhaps the greatest card of the hand does not fit, and then the move is refused. Choose only from the `playable`
    cards.
    """
    card = card_sort(hand)[0]
    return Simple(card) if isinstance(card, Crd) else Order(card, shuffle_list(COLORS)[0])


def naive__always_red(state, hand, playable, top, direction, memory, counts):
    """The strategy may always choose red.

    The color is random: shuffle `COLORS`, and take the first color.
    """
    card = card_sort(playable)[0]
    return Simple(card) if isinstance(card, Crd) else Order(card, RED)


def naive__simple_wild(state, hand, playable, top, direction, memory, counts):
    """A wild card can also be played with `Simple`.

    A wild card is played with `Order`, which has the chosen color.
    """
    return Simple(card_sort(playable)[0])


def naive__gives_the_card(state, hand, playable, top, direction, memory, counts):
    """The result is the card itself, not a move.

    The result is a move: `Simple(card)` or `Order(card, color)`.
    """
    return card_sort(playable)[0]


def naive__shuffles_for_every_card(state, hand, playable, top, direction, memory, counts):
    """You may shuffle the colors even if no color is needed.

    Each shuffle uses random numbers, so later random results are different. An ordinary card needs no color, so nothing
    is shuffled for it.
    """
    card, color = card_sort(playable)[0], shuffle_list(COLORS)[0]
    return Simple(card) if isinstance(card, Crd) else Order(card, color)


def naive__dearest_card(state, hand, playable, top, direction, memory, counts):
    """The greatest card is the card with the most points.

    The greatest card is the first card in the order of `card_sort`. This order depends on colors first, then on
    ranks, and never on points.
    """
    card = max(playable, key=card_value)
    return Simple(card) if isinstance(card, Crd) else Order(card, shuffle_list(COLORS)[0])


def move_action__four_to_the_next_in_any_case(move, desk, had_color):
    """The next player always draws the four cards.

    If the player who moved had a card of the required color, this player draws the four cards, and nobody misses a
    turn.
    """
    match move:
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__four_to_the_mover_in_any_case(move, desk, had_color):
    """The player who lays the wild draw four always draws the four cards.

    This player draws the cards only if `had_color` is true. If it is false, the next player draws them.
    """
    match move:
        case Order(WildDrawFour(), color) if True:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__had_color_reversed(move, desk, had_color):
    """If the player who moved had the required color, the next player draws.

    If `had_color` is true, the player who moved had a card of the required color. Then this player draws the four
    cards, and nobody misses a turn.
    """
    match move:
        case Order(WildDrawFour(), color) if not had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__pass_not_remembered(move, desk, had_color):
    """`play` adds every move and every pass to the memory.

    `play` adds only the player's move. If the next player draws the four cards, that player also misses a turn.
    `move_action` must add a `Pass()` for this missed turn to the memory.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__victim_keeps_the_turn(move, desk, had_color):
    """If the next player draws the four cards, that player also has the turn.

    If the next player draws the four cards, that player misses the turn. So the turn passes once more.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass())
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__reverse_after_passing(move, desk, had_color):
    """The turn passes first, and then the direction changes.

    If the turn passes first, it passes in the old direction. So the direction must change before the turn passes.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed())).with_direction(opposite_dir(desk.direction))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__reverse_keeps_the_state(move, desk, had_color):
    """A reverse changes the direction and nothing else.

    The reverse can be laid on a wild card, in the state `Give(color)`. After the reverse, the chosen color no longer
    counts, so the new state is `Proceed()`.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__number_keeps_the_state(move, desk, had_color):
    """A number card changes nothing, so the state stays the same.

    A number card can be laid on a wild card, in the state `Give(color)`. After that, the chosen color no longer counts,
    so the new state is `Proceed()`.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk)


def move_action__skip_obeyed_at_once(move, desk, had_color):
    """After a skip, the next player misses the turn at once.

    The next player may answer the skip with another skip. So the turn passes only once. The state `Execute()` shows
    that this player must answer or obey.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip(), _)):
            return next_player(next_player(desk.with_state(Proceed())).add_memo(Pass()))
        case Simple(Crd(DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__two_cards_at_once(move, desk, had_color):
    """After a draw two, the next player draws at once.

    The next player may answer the draw two with another draw two. So the turn passes only once. The state `Execute()`
    shows that this player must answer or obey.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(DrawTwo(), _)):
            return next_player(draw_two(next_player(desk.with_state(Proceed()))).add_memo(Pass()))
        case Simple(Crd(Skip(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__reverse_is_to_be_obeyed(move, desk, had_color):
    """A reverse must be answered or obeyed, like the other action cards.

    The effect of a reverse is complete as soon as the direction has changed, so nobody must answer or obey it. The next
    player lays any card that fits, in the state `Proceed()`.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Execute()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__wild_proceeds(move, desk, had_color):
    """After a wild card, the state is `Proceed()`.

    After a wild card, the state is `Give(color)`.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Proceed()))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__two_cards_for_draw_four(move, desk, had_color):
    """After a wild draw four, two cards are drawn.

    Four cards are drawn.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_two(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_two(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__two_players_skipped(move, desk, had_color):
    """If the player who moved draws the four cards, the next player still misses a turn.

    If the player who moved draws the cards, the next player has the turn as usual.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(next_player(draw_four(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__reverse_is_counterclockwise(move, desk, had_color):
    """After a reverse, the direction is counterclockwise.

    A reverse changes the direction. If the direction was counterclockwise before, it is clockwise after the reverse.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(COUNTERCLOCKWISE))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__four_cards_before_the_state(move, desk, had_color):
    """If the next player draws the four cards, the state does not have to change.

    After a wild draw four, the state is always `Give(color)`.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk)).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__bare_name_in_the_pattern(move, desk, had_color):
    """`case Simple(Crd(Reverse, _)):` matches only reverses.

    Without parentheses, `Reverse` is just a name and matches any rank. So every ordinary card is treated as a reverse.
    To compare, write `Reverse()`.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse, _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__general_order_first(move, desk, had_color):
    """If several cases match, Python takes the most specific one.

    Python takes the first case that matches, from top to bottom. `Order(_, color)` matches a wild draw four as well. If
    this case comes first, the case for a wild draw four is never reached, and nobody draws.
    """
    match move:
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__mover_draws_for_the_next(move, desk, had_color):
    """`draw_four` makes the next player draw.

    `draw_four` makes the first player of the desk draw. Before the turn passes, this is the player who moved. So pass
    the turn, let the next player draw, and pass the turn once more.
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(next_player(draw_four(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def ask_player_for_card__never_manual(player, args):
    """Every player plays by the strategy.

    For a manual player, call `manual`.
    """
    return player, player.strategy(*args)


def ask_player_for_card__always_manual(player, args):
    """Every player types the moves at the keyboard.

    Only a manual player types. For any other player, call the strategy.
    """
    return player, manual(*args)


def ask_player_for_card__player_stays_manual(player, args):
    """`player.automate()` changes the player.

    A player never changes. `automate` returns a new player, who plays by the strategy from now on. Return the new
    player, because the old player is still manual.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    match manual(*args):
        case Pass():
            return player, player.strategy(*args)
        case move:
            return player, move


def ask_player_for_card__gives_the_pass(player, args):
    """If a player switches to automatic, the player passes in this turn.

    The `Pass()` that `manual` returns is not a move. It only means that the strategy chooses the moves from now on,
    beginning with this move.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    move = manual(*args)
    return (player.automate() if move == Pass() else player), move


def ask_player_for_card__move_only(player, args):
    """The result is the move alone.

    The result is a pair of the player and the move.
    """
    if not player.is_manual:
        return player.strategy(*args)
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return move


def ask_player_for_card__asks_twice(player, args):
    """You may call `manual` once for the test and once for the result.

    Each call of `manual` asks the person again. Call it once, and store its result in a variable.
    """
    if not player.is_manual:
        return (player, player.strategy(*args)) if player.strategy(*args) else (player, Pass())
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player, move


def ask_player_for_card__automates_all(player, args):
    """A manual player who has made a move is automatic from then on.

    A manual player becomes automatic only if `manual` returns `Pass()`.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player.automate(), move


def ask_player_for_card__args_in_one(player, args):
    """A strategy takes one tuple.

    A strategy has seven parameters, and the tuple `args` alone would be only the first argument. In a call, a star
    before a tuple passes its items one by one.
    """
    if not player.is_manual:
        return player, player.strategy(args)
    match manual(args):
        case Pass():
            return player.automate(), player.strategy(args)
        case move:
            return player, move


def ask_player_for_card__manual_by_own_strategy(player, args):
    """For a manual player, the player's own strategy chooses the move.

    For a manual player, call `manual`. Call the strategy only if `manual` returns `Pass()`.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    match player.strategy(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player, move


def ask_player_for_card__person_asked_twice(player, args):
    """If you call `manual` once more, it returns the same move again.

    Each call of `manual` asks the person to type a move. Call it once, and store the result in a variable.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    if manual(*args) == Pass():
        return player.automate(), player.strategy(*args)
    return player, manual(*args)


def ask_player_for_card__single_card_plays_itself(player, args):
    """A manual player with one card has no choice, so the strategy plays this card.

    Call `manual` for every manual player, even for a player with one card.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    if len(args.hand) == 1:
        return player.automate(), player.strategy(*args)
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player, move


def ask_player_for_card__single_choice_plays_itself(player, args):
    """A manual player with one playable card has no choice, so the strategy plays this card.

    Call `manual` for every manual player, even for a player with one playable card.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    if len(args.playable) == 1:
        return player.automate(), player.strategy(*args)
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player, move


# ------------------------------------------------------------------------------------------------ turns


def play__player_goes_back_manual(desk, cards):
    """The new desk contains the old player, with one card fewer.

    The new desk must contain the player that `ask_player_for_card` returns. During this move, a manual player can
    switch to automatic, but the old player is still manual.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (player.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__illegal_moves_pass(desk, cards):
    """A strategy makes only legal moves, so you do not have to check them.

    A strategy can return anything. If its card is not among `cards`, raise `IllegalMove`.
    """
    first, *others = desk.players
    args = Args(desk.state, first.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(first, args)
    print(f"{first.name} made move\n{to_string(move)}")
    hand = remove_card(first.cards, move.card, IllegalMove(first.name, args))
    after = desk.with_players((asked.with_cards(hand), *others)).with_pile((move.card, *desk.pile)).add_memo(move)
    return move_action(move, after, has_color(required_color(desk), first.cards))


def play__card_need_only_be_in_the_hand(desk, cards):
    """A move is legal if its card is in the hand.

    The card must also fit. Only the cards in `cards` may be laid, and any other card is refused.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(player.cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__pass_is_legal(desk, cards):
    """A player may always pass.

    A player who has cards that fit must lay one of them. `play` is called only if there is such a card, so `Pass()` is
    an illegal move.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            return next_player(desk.add_memo(Pass()))
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__error_without_arguments(desk, cards):
    """`IllegalMove` needs no arguments.

    `IllegalMove` gets two arguments: the player's name and the `Args`.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__says_it_before_checking(desk, cards):
    """The move can be printed before it is checked.

    An illegal move must be refused before any line is printed.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    print(f"{player.name} made move\n{to_string(move)}")
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__not_remembered(desk, cards):
    """The move does not have to be added to the memory.

    Every move goes into the memory.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile))
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__card_stays_in_the_hand(desk, cards):
    """`remove_card` removes the card from the player's hand.

    `remove_card` returns a new hand without the card, and the old hand stays the same. The new desk needs a player with
    the new hand.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked, *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__card_under_the_pile(desk, cards):
    """The last card of the pile is its top.

    The first card of the pile is its top.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((*desk.pile, card)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__card_not_laid(desk, cards):
    """The card is removed from the hand, but does not have to be added to the pile.

    The card goes on top of the pile.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__color_asked_after_the_move(desk, cards):
    """You must check whether the hand has the color that is required after the move.

    Use the color that was required before the move. If the hand has a card of that color, the wild draw four was not
    needed.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    color = move.color if isinstance(move, Order) else card.color
    return move_action(move, laid, has_color(color, player.cards))


def play__new_desk_asked_for_the_color(desk, cards):
    """You can still find the required color after the card has been laid.

    After the card is laid, the old state can be impossible with the new top card, and `IllegalGame` is raised. You need
    the color that was required before the move, so use the old desk.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(laid), player.cards))


def play__never_against_the_advice(desk, cards):
    """A wild draw four costs its player nothing, even if the hand has the required color.

    The player who laid it must draw the four cards if the hand had a card of the required color. In this case, pass
    `True` to `move_action` as `had_color`.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, False)


def play__move_on_the_same_line(desk, cards):
    """`X made move` and the move are printed on one line.

    The move is printed on a line below `X made move`.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move {to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__hand_told_without_wild_cards(desk, cards):
    """The hand that the strategy receives has only the cards that it may play.

    The strategy receives the whole hand as `hand`, and the cards that it may play as `playable`.
    """
    first, *others = desk.players
    args = Args(desk.state, cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(first, args)
    if move == Pass() or move.card not in cards:
        raise IllegalMove(first.name, args)
    print(f"{first.name} made move\n{to_string(move)}")
    hand = remove_card(first.cards, move.card, IllegalMove(first.name, args))
    after = desk.with_players((asked.with_cards(hand), *others)).with_pile((move.card, *desk.pile)).add_memo(move)
    return move_action(move, after, has_color(required_color(desk), first.cards))


def play__all_equal_cards_laid(desk, cards):
    """To lay a card, keep all the cards that differ from it.

    If you do that, all equal cards leave the hand, but only one of them goes to the pile.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(tuple(other for other in player.cards if other != card)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__illegal_moves_allowed(desk, cards):
    """A strategy always returns one of the cards that fit.

    A strategy can make a mistake, or cheat. If its card is not in `cards`, raise `IllegalMove` before you print
    anything.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            pass
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__error_with_the_player(desk, cards):
    """The first argument of `IllegalMove` is the player.

    The first argument of `IllegalMove` is the player's name.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__another_error(desk, cards):
    """An illegal move raises `IllegalGame`.

    An illegal move raises `IllegalMove`.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalGame(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__remembered_twice(desk, cards):
    """The move goes into the memory twice.

    The move goes into the memory once.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__any_color_in_hand(desk, cards):
    """If the hand has any colored card, `had_color` is true.

    `had_color` is true only if the hand has a card of the required color.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, any(isinstance(other, Crd) for other in player.cards))


def play__playable_wild_counts_as_color(desk, cards):
    """If the player can lay another card, `had_color` is true.

    Only a card of the required color makes `had_color` true. Another wild card does not count. A card that fits only by
    its rank does not count either.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, len(cards) > 1)


def play__effect_forgotten(desk, cards):
    """After the card is on the pile, the move is complete.

    After the card is on the pile, `move_action` must carry out the effect of the card.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return next_player(laid)


def play__strategy_told_the_playable_cards_as_hand(desk, cards):
    player, *others = desk.players
    args = Args(desk.state, cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__strategy_told_the_pile(desk, cards):
    """The strategy receives the whole pile.

    The strategy receives only the top card. The pile is a tuple, even if it has a single card, and a tuple of cards is
    not a card.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile, desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def play__says_python(desk, cards):
    """The move is printed with `print`, without a conversion.

    The printed text is the result of `to_string` for this move.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{move}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, has_color(required_color(desk), player.cards))


def execution__not_remembered(desk):
    """A missed turn is not added to the memory.

    A missed turn goes into the memory as `Pass()`.
    """
    passed = desk.with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw_two(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__state_stays(desk):
    """As long as the skip or draw two is on top, the state is `Execute()`.

    Once a player has obeyed the card, the state is `Proceed()`. In the state `Execute()`, the next player would have to
    obey the same card again.
    """
    passed = desk.add_memo(Pass())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw_two(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__turn_stays(desk):
    """A player who has drawn two cards may still play a card.

    This player misses the turn: the turn passes to the next player.
    """
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return draw_two(passed)
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__next_player_draws(desk):
    """A draw two makes the next player draw, so the turn passes first.

    The turn already passed when the draw two was laid. So the player at the front must obey: draw two cards, then pass
    the turn.
    """
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return draw_two(next_player(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__skip_draws_too(desk):
    """A player who obeys a skip draws two cards, too.

    A player who obeys a skip draws no cards.
    """
    return next_player(draw_two(desk.add_memo(Pass()).with_state(Proceed())))


def execution__nobody_draws(desk):
    """A draw two is obeyed in the same way as a skip.

    The player draws two cards before the turn passes. If your code draws the cards, remember that `draw_two` returns a
    new desk. And in a pattern, `Skip` without parentheses is just a name that matches any rank: write `Skip()`.
    """
    return next_player(desk.add_memo(Pass()).with_state(Proceed()))


def execution__draws_one(desk):
    """After a draw two, the player draws only one card.

    A draw two makes the player draw two cards.
    """
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__passes_twice(desk):
    """After a skip, the turn passes twice.

    The turn has already passed once, when the skip was laid. The first player of the desk misses the turn, so the turn
    passes only once more.
    """
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(next_player(passed))
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw_two(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__changes_the_desk(desk):
    """`desk.add_memo(Pass())` and `desk.with_state(Proceed())` change the desk.

    A desk never changes. Both calls return a new desk, and the old desk stays the same. Use the new desk for the next
    step.
    """
    desk.add_memo(Pass())
    desk.with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(desk)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw_two(desk))


def your_turn__no_drawing(desk):
    """`draw(desk)` changes `desk`: its first player has one more card.

    A desk never changes. `draw` returns a new desk with the card in the hand. Continue the turn with the new desk.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            return next_player(desk.add_memo(Pass()))


def your_turn__drawn_card_waits(desk):
    """If a player has drawn a card, the turn is over.

    If the drawn card can be played, it is played in the same turn. If it cannot be played, the player misses the turn.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            return next_player(draw(desk).add_memo(Pass()))


def your_turn__draws_until_it_fits(desk):
    """A player who has no playable card draws until a card fits.

    In this game, the player draws only one card. If this card does not fit, the player misses the turn.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            while not cards_to_play(desk):
                desk = draw(desk)
            return play(desk, cards_to_play(desk))


def your_turn__pass_not_remembered(desk):
    """A pass is not added to the memory.

    A pass goes into the memory as `Pass()`.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            drawn = draw(desk)
            cards = cards_to_play(drawn)
            return play(drawn, cards) if cards else next_player(drawn)


def your_turn__turn_stays_after_a_pass(desk):
    """After a pass is added to the memory, the turn does not have to pass to the next player.

    After a pass, the next player has the turn.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            drawn = draw(desk)
            cards = cards_to_play(drawn)
            return play(drawn, cards) if cards else drawn.add_memo(Pass())


def your_turn__obeys_at_once(desk):
    """A skip or draw two must be obeyed, even if the hand has a card of the same rank.

    A player who has a card of the same rank must lay it. Only a player who has none obeys.
    """
    if desk.state != Execute() and (cards := cards_to_play(desk)):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            drawn = draw(desk)
            cards = cards_to_play(drawn)
            return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()))


def your_turn__draws_before_obeying(desk):
    """A player who cannot answer a skip or draw two draws a card before obeying.

    A player who cannot answer a skip or draw two obeys at once. In the other states, a player who cannot play
    draws a card.
    """
    if cards_to_play(desk):
        return play(desk, cards_to_play(desk))
    drawn = draw(desk)
    if cards_to_play(drawn):
        return play(drawn, cards_to_play(drawn))
    return execution(drawn) if desk.state == Execute() else next_player(drawn.add_memo(Pass()))


def your_turn__pass_ends_the_order(desk):
    """After a pass, the state is `Proceed()` again.

    After a pass, the state stays the same. If it is `Give(color)`, the chosen color still counts for the next player.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            drawn = draw(desk)
            cards = cards_to_play(drawn)
            return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()).with_state(Proceed()))


def your_turn__obeys_by_drawing_one(desk):
    """A player who has no playable card draws a card, in any state.

    In the state `Execute()`, a skip or a draw two is on the pile. If the player cannot answer this card, the player
    must obey it, and does not draw a card to play.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case _:
            drawn = draw(desk)
            cards = cards_to_play(drawn)
            return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()))


def your_turn__plays_from_the_old_desk(desk):
    """The drawn card can be played on the old desk.

    On the old desk, the drawn card is not in the hand, so the move is refused. `draw` returns a new desk, with the
    drawn card in the hand.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            drawn = draw(desk)
            cards = cards_to_play(drawn)
            return play(desk, cards) if cards else next_player(drawn.add_memo(Pass()))


# ------------------------------------------------------------------------------------------------ the game


def player_loss__number_of_cards(player):
    """The loss is the number of cards.

    The loss is the value of the cards.
    """
    return player.name, len(player.cards)


def player_loss__loss_first(player):
    """In the result, the loss comes before the name.

    The name comes first.
    """
    return sum_cards(player.cards), player.name


def player_loss__player_itself(player):
    """The result has the player instead of the player's name.

    The result has the player's name.
    """
    return player, sum_cards(player.cards)


def player_loss__negative(player):
    """A loss is a negative number.

    The loss is the value of the cards, without a minus sign.
    """
    return player.name, -sum_cards(player.cards)


def player_loss__single_card_is_free(player):
    """The loss of a player with a single card is 0.

    The value of every card counts, even if it is the only card in the hand.
    """
    return player.name, sum_cards(player.cards) if len(player.cards) > 1 else 0


def check_winner__first_player_only(desk):
    """The winner is always the first of the players.

    After the winner has laid the last card, the turn passes to another player. So any of the players can be the winner.
    """
    winner = find(lambda player: not player.cards, desk.players[:1])
    return None if winner is None else (winner.name, tuple(map(player_loss, desk.players)))


def check_winner__without_the_winner(desk):
    """The winner loses nothing, so the winner is not listed.

    All players are listed. The winner's loss is 0.
    """
    winner = find(lambda player: not player.cards, desk.players)
    return (
        None
        if winner is None
        else (winner.name, tuple(player_loss(player) for player in desk.players if player is not winner))
    )


def check_winner__worth_nothing_wins(desk):
    """A player whose hand is worth 0 has won.

    A hand of zeros is also worth 0, but it is not empty. Only a player without cards has won.
    """
    winner = find(lambda player: sum_cards(player.cards) == 0, desk.players)
    return winner and (winner.name, tuple(map(player_loss, desk.players)))


def check_winner__false_for_nobody(desk):
    """If nobody has won, the result is `False`.

    If nobody has won, the result is `None`.
    """
    winner = find(lambda player: not player.cards, desk.players)
    return False if winner is None else (winner.name, tuple(map(player_loss, desk.players)))


def check_winner__sorted(desk):
    """The losses are sorted, with the best player first.

    The losses are not sorted. They are in the order of the players on the desk.
    """
    winner = find(lambda player: not player.cards, desk.players)
    return (
        None
        if winner is None
        else (winner.name, tuple(sorted(map(player_loss, desk.players), key=lambda loss: loss[1])))
    )


def check_winner__last_player_only(desk):
    """The winner is always the last of the players, because that player has just moved.

    After a counterclockwise turn or a wild draw four, the player who has just moved can be at another position in the
    tuple of players.
    """
    winner = find(lambda player: not player.cards, desk.players[-1:])
    return None if winner is None else (winner.name, tuple(map(player_loss, desk.players)))


def check_winner__winner_itself(desk):
    """The first part of the result is the winner, a `Player`.

    The first part of the result is the winner's name.
    """
    winner = find(lambda player: not player.cards, desk.players)
    return None if winner is None else (winner, tuple(map(player_loss, desk.players)))


def game__not_normalized(players):
    """After the deal, the first turn can begin.

    Before the first turn, the card on the pile takes effect and decides who begins. `desk_normalize` does that.
    """

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else result

    return turns(deal(players))


def game__stack_grows(players):
    """A tail call takes no space on the stack.

    Python keeps every call on its stack until the call ends, even a tail call. A long game has more turns than the
    stack can hold. With `@tail_recursive`, `recur` returns the arguments for the next call, and the stack does not
    grow.
    """

    def turns(desk):
        result = check_winner(desk)
        return turns(your_turn(desk)) if result is None else result

    return turns(desk_normalize(deal(players)))


def game__recur_not_returned(players):
    """A call of `recur` takes the next turn.

    `recur` only returns the arguments for the next call, so return its result. If you do not return it, the game ends
    after one turn, with `None`.
    """

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        if result is None:
            recur(your_turn(desk))
        return result

    return turns(desk_normalize(deal(players)))


def game__winner_only(players):
    """The result is only the winner.

    `game` returns the winner and the losses, exactly as `check_winner` does.
    """

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else result[0]

    return turns(desk_normalize(deal(players)))


def game__one_turn_more(players):
    """The losses are computed from the hands before the last turn.

    The losses are computed from the hands after the last turn, when the winner's hand is empty.
    """
    desk = desk_normalize(deal(players))
    while check_winner(desk) is None:
        desk, before = your_turn(desk), desk
    return check_winner(desk)[0], tuple(map(player_loss, before.players))


def game__one_round(players):
    """The game ends after each player has had one turn.

    The game goes on until a player has no cards.
    """
    desk = desk_normalize(deal(players))
    for _ in players:
        desk = your_turn(desk)
    return check_winner(desk)


def game__deals_twice(players):
    """`deal` must be called a second time, with the players of the first desk.

    `deal` must be called only once. Pass its result to `desk_normalize`.
    """

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else result

    return turns(desk_normalize(deal(deal(players).players)))


def game__last_turn_twice(players):
    """After somebody has won, one more turn is played.

    The game ends as soon as a player has no cards.
    """

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else check_winner(your_turn(desk)) or result

    return turns(desk_normalize(deal(players)))


def deal__keeps_no_wild_on_the_pile(players):
    """If a wild card is on the pile, `deal` replaces it at once.

    The pile can begin with a wild card. `desk_normalize` handles that later.
    """
    print(f"\nPlayer {players[0].name} deals.")
    cards, n = shuffle_list(deck), 7 * len(players)
    served = tuple(player.with_cards(cards[7 * i : 7 * i + 7]) for i, player in enumerate(players))
    rest = cards[n:]
    while not isinstance(rest[0], Crd):
        rest = shuffle_list(rest)
    return Desk(served, rest[:1], rest[1:], Proceed(), CLOCKWISE, ())


def next_player__first_and_last_swap(desk):
    """Counterclockwise, the first and the last player change seats.

    Counterclockwise, only the last player moves to the front. The other players keep their order.
    """
    first, *middle, last = desk.players
    players = (*middle, last, first) if desk.direction is CLOCKWISE else (last, *middle, first)
    return whose_turn(desk.with_players(players))


def draw__reshuffles_too_early(desk):
    """After the last card of the deck is drawn, a new deck is made at once.

    The deck stays empty until a player must draw again. By then, there can be more cards on the pile.
    """
    (player, *others), (card, *rest) = desk.players, desk.deck or shuffle_list(desk.pile[1:])
    pile = desk.pile if desk.deck else desk.pile[:1]
    if not rest:
        pile, rest = pile[:1], shuffle_list(pile[1:])
    players = (player.with_cards((card, *player.cards)), *others)
    return desk.with_players(players).with_deck(tuple(rest)).with_pile(pile)


def draw__asks_for_chance_too_often(desk):
    """The deck is shuffled before every draw.

    A deck that still has cards is not shuffled. Only if the deck is empty, shuffle the pile without its top card.
    """
    (player, *others), (card, *rest) = desk.players, shuffle_list(desk.deck or desk.pile[1:])
    players = (player.with_cards((card, *player.cards)), *others)
    return desk.with_players(players).with_deck(tuple(rest)).with_pile(desk.pile if desk.deck else desk.pile[:1])


def deck__as_a_function():
    """To compute a value, you must write a function with its name.

    `deck` is a value, a tuple of cards. Compute it, and assign it to the name `deck`.
    """
    return ()


def check_winner__winner_gets_the_sum(desk):
    """The winner scores what all the others lose.

    In some games, that is the rule. In this exercise, each player gets the value of their own hand, and that is 0 for
    the winner.
    """
    winner = find(lambda player: not player.cards, desk.players)
    if winner is None:
        return None
    total = sum(sum_cards(player.cards) for player in desk.players)
    return winner.name, tuple((p.name, sum_cards(p.cards) if p.cards else total) for p in desk.players)


# ------------------------------------------------------------------------------------------------ hardly ever seen


def play__a_card_of_the_same_rank_is_one_too_many(desk, cards):
    """`had_color` is true if the player can lay any ordinary card.

    `had_color` is true only if the hand has a card of the required color. A card that fits by its rank, but has another
    color, does not count.
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _):
            remove_card(cards, card, illegal)
        case _:
            raise illegal
    print(f"{player.name} made move\n{to_string(move)}")
    players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
    laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
    return move_action(move, laid, any(isinstance(other, Crd) for other in cards))


def check_winner__the_last_of_them(desk):
    """If several players have no cards, the last of them has won.

    The winner is the first player without cards, in the order of the players on the desk.
    """
    out = [player.name for player in desk.players if not player.cards]
    return (out[-1], tuple(map(player_loss, desk.players))) if out else None


def check_winner__the_first_by_name(desk):
    """If two players have no cards, the one whose name comes first in the alphabet has won.

    The winner is the first player without cards, in the order of the players on the desk.
    """
    out = [player.name for player in desk.players if not player.cards]
    return (min(out), tuple(map(player_loss, desk.players))) if out else None


def check_winner__one_winner_or_none(desk):
    """If two players have no cards, neither has won.

    The winner is the first player without cards, in the order of the players on the desk.
    """
    out = [player.name for player in desk.players if not player.cards]
    return (out[0], tuple(map(player_loss, desk.players))) if len(out) == 1 else None


def check_winner__zero_points_win(desk):
    winner = find(lambda player: sum_cards(player.cards) == 0, desk.players)
    return (winner.name, tuple(map(player_loss, desk.players))) if winner else None


def check_winner__first_player_cannot_win(desk):
    """The first player of the desk always has cards.

    Any player can be without cards, even the first player.
    """
    winner = find(lambda player: player.cards == (), desk.players[1:])
    return (winner.name, tuple(map(player_loss, desk.players))) if winner else None


def draw_two__one_if_there_is_no_other(desk):
    """If only one card is left to draw, the player draws one card.

    If a card must be drawn and none is left, `IllegalGame` is raised, as in `draw`.
    """
    try:
        return compose(draw, draw)(desk)
    except IllegalGame:
        return draw(desk)


def draw_four__as_many_as_there_are(desk):
    """If fewer than four cards are left, the player draws all of them.

    If a card must be drawn and none is left, `IllegalGame` is raised, as in `draw`.
    """
    for _ in range(4):
        try:
            desk = draw(desk)
        except IllegalGame:
            return desk
    return desk


def draw_four__two_if_there_are_no_more(desk):
    """If only two or three cards are left to draw, the player draws two cards.

    In this case, `IllegalGame` is raised, as in `draw`.
    """
    try:
        return compose(draw_two, draw_two)(desk)
    except IllegalGame:
        return draw_two(desk)


def draw__remembered(desk, known={}):
    """If `draw` is called twice with the same desk, both results are the same.

    Each call can shuffle, and each shuffle gives another order. So do not return a stored result.
    """
    if desk not in known:
        match desk.players, desk.deck, desk.pile:
            case (player, *others), (card, *rest), _:
                players = (player.with_cards((card, *player.cards)), *others)
                known[desk] = desk.with_players(players).with_deck(tuple(rest))
            case _, _, (top, *rest) if rest:
                known[desk] = draw__remembered(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
            case _:
                raise IllegalGame("no card is left to draw")
    return known[desk]


def next_player__remembered(desk, known={}):
    """If `next_player` is called twice with the same desk, it does not have to print again.

    Each call prints whose turn it is. If you return a stored result, nothing is printed.
    """
    step = 1 if desk.direction is CLOCKWISE else -1
    if desk not in known:
        known[desk] = whose_turn(desk.with_players(desk.players[step:] + desk.players[:step]))
    return known[desk]


def next_player__two_players_never_swap(desk):
    """With two players, a player who lays a reverse moves again.

    The turn passes to the other player, in either direction.
    """
    if len(desk.players) == 2 and desk.direction is COUNTERCLOCKWISE:
        return whose_turn(desk)
    step = 1 if desk.direction is CLOCKWISE else -1
    return whose_turn(desk.with_players(desk.players[step:] + desk.players[:step]))


def move_action__four_if_there_are_as_many(move, desk, had_color):
    """If fewer than four cards are left to draw, the player draws no card.

    In this case, `IllegalGame` is raised, as in `draw`.
    """

    def drawing(desk):
        try:
            return draw_four(desk)
        except IllegalGame:
            return desk

    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(drawing(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(drawing(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(_, color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def move_action__wild_is_no_order(move, desk, had_color):
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(Wild(), _):
            return next_player(desk.with_state(Proceed()))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


def execution__no_draw_without_cards(desk):
    """If the deck and the pile have too few cards, the player draws nothing.

    In this case, `IllegalGame` is raised, as in `draw`.
    """
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _) if not passed.deck and len(passed.pile) < 3:
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw_two(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__as_many_as_there_are(desk):
    """If only one card is left to draw, the player draws this card.

    If a card must be drawn and none is left, `IllegalGame` is raised, as in `draw`.
    """

    def drawing(desk):
        try:
            return draw(desk)
        except IllegalGame:
            return desk

    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(drawing(drawing(passed)))
        case _:
            raise IllegalGame("there is nothing to obey")


def your_turn__passes_without_drawing(desk):
    """A player who has no card to draw just misses the turn.

    If no card is left to draw, the game stops: `draw` raises `IllegalGame`, and no function catches it.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            try:
                drawn = draw(desk)
            except IllegalGame:
                drawn = desk
            cards = cards_to_play(drawn)
            return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()))


def your_turn__drawn_wild_draw_four_waits(desk):
    """A wild draw four that was just drawn stays in the hand.

    If the drawn card can be played, it is played at once.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    if desk.state == Execute():
        return execution(desk)
    drawn = draw(desk)
    cards = tuple(card for card in cards_to_play(drawn) if card != WildDrawFour())
    return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()))


def your_turn__drawn_wild_waits(desk):
    """A wild card that was just drawn stays in the hand.

    If the drawn card can be played, it is played at once.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    if desk.state == Execute():
        return execution(desk)
    drawn = draw(desk)
    cards = tuple(card for card in cards_to_play(drawn) if card != Wild())
    return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()))


def your_turn__drawn_action_waits(desk):
    """An action card that was just drawn stays in the hand.

    If the drawn card can be played, it is played at once.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    if desk.state == Execute():
        return execution(desk)
    drawn = draw(desk)
    cards = tuple(card for card in cards_to_play(drawn) if card_value(card) != 20)
    return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()))


def naive__red_with_a_draw_four(state, hand, playable, top, direction, memory, counts):
    """With a wild draw four, the strategy may always choose red.

    The color is random for a wild draw four, too.
    """
    match card_sort(playable)[0]:
        case Crd() as card:
            return Simple(card)
        case Wild() as card:
            return Order(card, shuffle_list(COLORS)[0])
        case card:
            return Order(card, RED)


def naive__last_of_the_shuffled(state, hand, playable, top, direction, memory, counts):
    """You may use the last of the shuffled colors, because it is as random as the first.

    The exercise says that you must use the first color. With the same random numbers, every right answer must choose
    the same color.
    """
    match card_sort(playable)[0]:
        case Crd() as card:
            return Simple(card)
        case card:
            return Order(card, shuffle_list(COLORS)[-1])


def naive__no_shuffle_without_a_choice(state, hand, playable, top, direction, memory, counts):
    """If only one card is playable, there is nothing to choose, not even a color.

    For a wild card, the color is always chosen by a shuffle.
    """
    match card_sort(playable)[0]:
        case Crd() as card:
            return Simple(card)
        case card:
            return Order(card, shuffle_list(COLORS)[0] if len(playable) > 1 else BLUE)


def naive__wild_before_draw_four(state, hand, playable, top, direction, memory, counts):
    """The strategy keeps a wild draw four as long as another card is playable.

    The strategy plays the greatest card, and a wild draw four is greater than any other card.
    """
    cards = tuple(card for card in playable if card != WildDrawFour()) or playable
    match card_sort(cards)[0]:
        case Crd() as card:
            return Simple(card)
        case card:
            return Order(card, shuffle_list(COLORS)[0])


def naive__required_color_again(state, hand, playable, top, direction, memory, counts):
    """With a wild, the strategy chooses the color that was chosen before.

    The color is random: shuffle `COLORS`, and take the first color.
    """
    match card_sort(playable)[0], state:
        case Crd() as card, _:
            return Simple(card)
        case card, Give(color):
            shuffle_list(COLORS)
            return Order(card, color)
        case card, _:
            return Order(card, shuffle_list(COLORS)[0])


def deal__hands_are_lists(players):
    """A hand may be a list.

    The cards of a player are a tuple. A list is never equal to a tuple, even if both have the same cards.
    """

    @tail_recursive
    def serve(waiting, served, cards):
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards([*hand]), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


def desk_normalize__hands_are_lists(desk):
    """Hands must be lists, because cards are removed from them.

    A hand is a tuple. Functions return a new hand.
    """
    desk = desk.with_players(tuple(player.with_cards([*player.cards]) for player in desk.players))
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case _:
            cards = shuffle_list(desk.pile + desk.deck)
            return desk_normalize__hands_are_lists(desk.with_pile(cards[:1]).with_deck(cards[1:]))


def execution__other_hands_are_lists(desk):
    """The hands of the other players may be lists.

    Each hand must be a tuple, because a list is never equal to a tuple.
    """
    first, *others = desk.players
    lists = (first, *(player.with_cards([*player.cards]) for player in others))
    passed = desk.with_players(lists).add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw_two(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__players_are_a_list(desk):
    """The players may be a list.

    The players must be a tuple, because a list is never equal to a tuple.
    """
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            done = next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            done = next_player(draw_two(passed))
        case _:
            raise IllegalGame("there is nothing to obey")
    return done.with_players([*done.players])


def execution__direction_turns(desk):
    """A skip changes the direction, too.

    Only a reverse changes the direction.
    """
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.pile[0]:
        case Crd(Skip(), _):
            return next_player(passed.with_direction(opposite_dir(passed.direction)))
        case _:
            return next_player(draw_two(passed))


def execution__draws_after_passing(desk):
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.pile[0]:
        case Crd(Skip(), _):
            return next_player(passed)
        case _:
            return draw_two(next_player(passed))


def game__a_thousand_turns_at_most(players):
    """No game has more than a thousand turns.

    A game can have any number of turns.
    """
    step = lambda desk, _: desk if check_winner(desk) else your_turn(desk)
    return check_winner(fold_left(step, desk_normalize(deal(players)), range(1000)))


def game__three_hundred_turns_at_most(players):
    """No game has more than three hundred turns.

    A game can have any number of turns.
    """
    step = lambda desk, _: desk if check_winner(desk) else your_turn(desk)
    return check_winner(fold_left(step, desk_normalize(deal(players)), range(300)))
