"""Answers that learners give to the exercises of Uno, each wrong in one way."""

from course.uno import *


# ------------------------------------------------------------------------------------------------ cards


@curry
def precedes__equal_values_do_not_count(equal, items, first, second):
    """A value does not come before itself.

    The question is whether the first comes no later than the second. No value comes later than itself, so the
    answer is True if it is in the list.
    """
    return (
        not equal(first, second)
        and find(lambda i: equal(first, i) or equal(second, i), items) is not None
        and (equal(first, find(lambda i: equal(first, i) or equal(second, i), items)))
    )


@curry
def precedes__later_instead(equal, items, first, second):
    """Whichever is met first: that must be the second one."""
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return met is not None and equal(second, met)


@curry
def precedes__plain_equality(equal, items, first, second):
    """`==` and `in` tell which values are the same.

    Here it is `equal` that tells: a small and a capital letter, say, can count as the same. `==` and `in` know nothing
    of that function.
    """
    met = find(lambda item: item in (first, second), items)
    return met is not None and met == first


@curry
def precedes__whatever_is_found_is_true(equal, items, first, second):
    """Any item that is found counts as true.

    Not every value does: 0 may be found, and it counts as false, just like None. Only None means that nothing was
    found.
    """
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return bool(met) and equal(first, met)


@curry
def precedes__and_gives_a_truth_value(equal, items, first, second):
    """`and` gives True or False.

    It gives its left side as it is, if that counts as false: None where nothing was found, or a 0 that was found. A
    comparison is always True or False.
    """
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return met and equal(first, met)


@curry
def precedes__by_index(equal, items, first, second):
    """`items.index(value)` finds any value.

    It compares with `==`, but `equal` must decide. It also raises an error if it finds nothing, and here a value
    may be missing.
    """
    return items.index(first) <= items.index(second)


@curry
def precedes__only_the_first_is_sought(equal, items, first, second):
    """If the first is in the list, it will be before the second."""
    return any(equal(first, item) for item in items)


@curry
def precedes__absent_counts_as_first(equal, items, first, second):
    """A value that is not in the list has the place -1.

    Then it would come before all those that are in it. Here it comes after them, and if neither value is in the list,
    the answer is False.
    """
    place = lambda value: next((i for i, item in enumerate(items) if equal(item, value)), -1)
    return place(first) <= place(second)


def precedes__not_curried(equal, items, first, second):
    """Any function of four arguments can be given the first two of them.

    Only one that is curried can: another one misses the rest of its arguments at once. It is the line `@curry` above
    the function that makes the difference.
    """
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return met is not None and equal(first, met)


@curry
def color_is_lt__strictly(first, second):
    """Less than is less than."""
    return COLORS.index(first) < COLORS.index(second)


@curry
def color_is_lt__by_name(first, second):
    """The order of the names."""
    return first.name <= second.name


color_is_lt__descending = precedes(is_same_color, COLORS[::-1])
color_is_lt__arguments_swapped = curry(lambda first, second: precedes(is_same_color, COLORS, second, first))


color_is_lt__lambda_of_two = lambda first, second: precedes(is_same_color, COLORS, first, second)
"""A function made from a curried one is curried as well.

Not if it is a `lambda` or `def` of its own: that wants all its arguments at once. It is the curried function itself
that waits for the others, if you give it only some of them.
"""


@curry
def rank_is_lt__strictly(first, second):
    """Less than is less than."""
    return RANKS.index(first) < RANKS.index(second)


@curry
def rank_is_lt__action_cards_are_equal(first, second):
    """All action cards are worth 20."""
    place = lambda rank: min(RANKS.index(rank), 10)
    return place(first) <= place(second)


rank_is_lt__action_cards_first = precedes(is_same_rank, RANKS[10:] + RANKS[:10])
rank_is_lt__numbers_only = precedes(is_same_rank, RANKS[:10])


rank_is_lt__lambda_of_two = lambda first, second: precedes(is_same_rank, RANKS, first, second)
"""A function made from a curried one is curried as well.

Not if it is a `lambda` or `def` of its own: that wants all its arguments at once. It is the curried function itself
that waits for the others, if you give it only some of them.
"""


def is_lt__equal_cards_fail(first, second):
    """A card is not less than itself."""
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
    """The rank decides, and the color only among equal ranks.

    It is the other way round: of two ordinary cards the color decides, so any red card is greater than any green one.
    Ranks are compared within one color only.
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color):
            return color_is_lt(color, other_color) if rank == other_rank else rank_is_lt(rank, other_rank)
        case (WildDrawFour(), Crd() | Wild()) | (Wild(), Crd()):
            return False
        case _:
            return True


def is_lt__color_only(first, second):
    """`color_is_lt` decides which of two ordinary cards is less.

    For two cards of one color it is always True, so their ranks are never compared. If the colors are the same, the
    ranks have to decide.
    """
    match first, second:
        case Crd(_, color), Crd(_, other_color):
            return color_is_lt(color, other_color)
        case (WildDrawFour(), Crd() | Wild()) | (Wild(), Crd()):
            return False
        case _:
            return True


def is_lt__both_must_be_less(first, second):
    """A card is not greater than another if neither its color nor its rank is.

    Different colors decide alone: a blue skip is less than a red 3, although its rank is greater. Only within one
    color are the ranks compared.
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color):
            return color_is_lt(color, other_color) and rank_is_lt(rank, other_rank)
        case (WildDrawFour(), Crd() | Wild()) | (Wild(), Crd()):
            return False
        case _:
            return True


def is_lt__wild_cards_are_equal(first, second):
    """No card is greater than a wild card.

    A wild draw four is greater than a wild. Cases are tried from the top, so that pair has to be caught before any case
    that fits whatever the first card is.
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color):
            return rank_is_lt(rank, other_rank) if color is other_color else color_is_lt(color, other_color)
        case _:
            return not isinstance(second, Crd)


def is_lt__wild_beats_draw_four(first, second):
    """Plain wild is the best card."""
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color):
            return rank_is_lt(rank, other_rank) if color is other_color else color_is_lt(color, other_color)
        case (Wild(), Crd() | WildDrawFour()) | (WildDrawFour(), Crd()):
            return False
        case _:
            return True


def is_lt__wild_card_greater_than_itself(first, second):
    """A wild draw four in the first place is greater than whatever comes second.

    Not than another wild draw four, and no wild is greater than a wild: for equal cards the answer is True. The cases
    are tried from the top, so it matters which come first.
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
"""Told which of two cards is the greater, `merge_sort` begins with the greatest.

`merge_sort` puts `a` after `b` where its test of `a` and `b` is true. With a test for the greater card, the greatest
therefore comes last.
"""


def card_sort__drops_copies(cards):
    """A set holds the same cards."""
    return merge_sort(is_lt, set(cards))


def card_sort__gives_a_list(cards):
    """A list is as good as a tuple."""
    return list(merge_sort(is_lt, cards))


def card_sort__by_value(cards):
    """The dearest first."""
    return tuple(sorted(cards, key=card_value, reverse=True))


def card_value__action_cards_cost_ten(card):
    """Ten for a picture."""
    match card:
        case Crd(Num(number), _):
            return number
        case Crd():
            return 10
        case _:
            return 50


def card_value__draw_four_costs_more(card):
    """The better wild card is dearer."""
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
    """The rank's place in the list is its number."""
    return RANKS.index(card.rank) if isinstance(card, Crd) else 50


def card_value__zero_costs_ten(card):
    """Zero is the highest number."""
    match card:
        case Crd(Num(number), _):
            return number or 10
        case Crd():
            return 20
        case _:
            return 50


def card_value__general_case_first(card):
    """Of several cases that fit, the most exact one is taken.

    The first one that fits is taken, from the top. `Crd()` fits number cards as well, so a case for them that stands
    below it is never reached.
    """
    match card:
        case Crd():
            return 20
        case Crd(Num(number), _):
            return number
        case _:
            return 50


def sum_cards__each_card_once(cards):
    """Equal cards are one card."""
    return sum(map(card_value, set(cards)))


def sum_cards__without_the_last(cards):
    """From the first to the last."""
    return sum(card_value(cards[i]) for i in range(len(cards) - 1))


def sum_cards__numbers_only(cards):
    """Only number cards have a number."""
    return sum(card_value(card) for card in cards if isinstance(card, Crd) and isinstance(card.rank, Num))


def sum_cards__fold_does_the_adding(cards):
    """`fold_left` adds up the results of its function.

    It adds nothing. It passes the result for one card back to the function with the next card, as the result so
    far. The function itself must add.
    """
    return fold_left(lambda total, card: card_value(card), 0, cards)


def sum_cards__card_before_the_total(cards):
    """`fold_left` passes the card first, and then the result so far.

    `fold_left` passes the result so far first, and then the card. `fold_right` does it the other way round.
    """
    return fold_left(lambda card, total: total + card_value(card), 0, cards)


def sum_cards__of_the_example(cards):
    """The example says 125."""
    return 125


def opposite_dir__bare_name_in_the_pattern(direction):
    """`case CLOCKWISE:` asks whether the direction is `CLOCKWISE`.

    A bare name in a pattern asks nothing: it catches whatever comes and becomes a name for it. A name with a dot in it,
    such as `Color.RED`, is compared.
    """
    match direction:
        case CLOCKWISE:
            return COUNTERCLOCKWISE


def opposite_dir__same(direction):
    """Turn it twice."""
    match direction:
        case Direction.CLOCKWISE:
            return CLOCKWISE
        case _:
            return CLOCKWISE


def opposite_dir__as_text(direction):
    """The name will do."""
    return "COUNTERCLOCKWISE" if direction is CLOCKWISE else "CLOCKWISE"


def remove_card__all_copies(cards, card, error):
    """To remove a card is to keep all those that differ from it.

    Then its copies go as well. Only the first of them is to be removed; of the cards after it all are kept, whether
    they are copies or not.
    """
    left = tuple(other for other in cards if not is_same_card(other, card))
    if len(left) == len(cards):
        raise error
    return left


def remove_card__the_last_copy(cards, card, error):
    """Search from the end."""
    if card not in cards:
        raise error
    place = len(cards) - 1 - cards[::-1].index(card)
    return cards[:place] + cards[place + 1 :]


def remove_card__front_reversed(cards, card, error):
    """The cards passed by can be put in front just as they have piled up.

    Each of them was laid in front of those before it, so they lie in reverse order and have to be turned round once
    more.
    """
    if card not in cards:
        raise error
    place = cards.index(card)
    return cards[:place][::-1] + cards[place + 1 :]


def remove_card__no_error(cards, card, error):
    """Nothing to remove, nothing to do."""
    place = cards.index(card) if card in cards else len(cards)
    return cards[:place] + cards[place + 1 :]


def remove_card__own_error(cards, card, error):
    """`index` raises an error already."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def remove_card__error_given_back(cards, card, error):
    """Returning the error raises it.

    A returned error is an ordinary answer: the caller would use it as cards and go on. An error that is raised also
    stops the caller, unless the caller catches it.
    """
    if card not in cards:
        return error
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def remove_card__starred_name_is_a_tuple(cards, card, error):
    """A starred name catches a tuple from a tuple.

    It is always a list, and a list cannot be added to a tuple. Make a tuple of it first.
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
    """A call of `recur` goes on with the rest.

    `recur` only returns the arguments for the next call, so return its result. If nothing is returned, or no case
    matches, a function returns None.
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
    """`case (card, *others):` asks whether the first one is `card`.

    A bare name in a pattern catches anything, even if it had a value before. So it is always the first card that goes.
    Catch it under another name, and compare.
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

    There is only one 0 in each color. If you have a case for it, look where it stands: the first case that fits is
    taken, and `Crd()` fits a 0 as well.
    """
    return 2 if isinstance(card, Crd) else 4


def card_count__wilds_twice(card):
    """Eight wild cards over four colors are two."""
    match card:
        case Crd(Num(0), _):
            return 1
        case Crd():
            return 2
        case _:
            return 2


def card_count__actions_once(card):
    """One action card per color."""
    match card:
        case Crd(Num(0) | Reverse() | Skip() | DrawTwo(), _):
            return 1
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

If it makes a tuple of copies for each card, its result is a tuple of 54 tuples. A fold lets them run together: each
step puts its copies in front of the cards so far.
"""


# ------------------------------------------------------------------------------------------------ the table


def deal__not_shuffled(players):
    """The deck is in some order."""

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
    """Cards are dealt one at a time, round the table.

    At many tables they are. Here everyone gets seven cards at once: the dealer the first seven after the shuffle, the
    next player the following seven.
    """
    print(f"\nPlayer {players[0].name} deals.")
    cards, n = shuffle_list(deck), len(players)
    hands = tuple(player.with_cards(cards[i : 7 * n : n]) for i, player in enumerate(players))
    return Desk(hands, cards[7 * n : 7 * n + 1], cards[7 * n + 1 :], Proceed(), CLOCKWISE, ())


def deal__six_cards(players):
    """Six each, as in many games."""

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
    """The message is not part of the result."""

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
    """One line is printed."""

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
    """The players served can be given back just as they have piled up.

    Each of them was put in front of those served before, so the dealer is now the last. The order has to be turned
    round once more.
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
    """`cards[:1]` takes the top card away from `cards`.

    A slice takes nothing away, because a tuple never changes. So that card is on the pile and still in the deck.
    The deck must begin with the card after it.
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
    """Before the deal all hands are empty.

    The players may still hold cards, say from the game before. Their hand is now the seven new cards alone.
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

    It returns the rest of the source first, and then the target with the passed cards. The other way round, the
    first player gets all the cards that should be left.
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
    """Any card on the pile must be obeyed."""

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
    """If there are 108 cards, all is well.

    There can be 108 of them, and still one that is there too often, while another is missing.
    """
    return sum(len(player.cards) for player in desk.players) + len(desk.pile) + len(desk.deck) == len(deck)


def is_sound__no_strangers_looked_for(desk):
    """If every card of the deck is there as often as it should be, all is well.

    There may be others besides, which nobody has asked about: count how many cards there are in all.
    """
    cards = (*desk.pile, *desk.deck, *(card for player in desk.players for card in player.cards))
    return all(cards.count(card) == card_count(card) for card in deck)


def is_sound__hands_forgotten(desk):
    """The cards lie on the pile and in the deck."""
    cards = desk.pile + desk.deck
    return len(cards) == len(deck) and all(cards.count(card) == card_count(card) for card in deck)


def is_sound__as_a_set(desk):
    """If all the kinds of cards are there, all is well.

    A set forgets how often a card is there, and that is what goes wrong when one is dealt twice or lost.
    """
    cards = (*desk.pile, *desk.deck, *(card for player in desk.players for card in player.cards))
    return set(cards) == set(deck)


def is_sound__first_hand_only(desk):
    """The hand is that of the player whose turn it is."""
    cards = (*desk.pile, *desk.deck, *desk.players[0].cards)
    return len(cards) == len(deck) and all(cards.count(card) == card_count(card) for card in deck)


def next_player__always_clockwise(desk):
    """The next is the next in the list."""
    return whose_turn(desk.with_players(desk.players[1:] + desk.players[:1]))


def next_player__directions_swapped(desk):
    """Clockwise the turn goes to the last player in the list, and counterclockwise to the second.

    It is the other way round: the players are listed clockwise, so the one who comes next clockwise is the second in
    the list. The last sits on the other side of the first.
    """
    step = -1 if desk.direction is CLOCKWISE else 1
    return whose_turn(desk.with_players(desk.players[step:] + desk.players[:step]))


def next_player__reverses_the_list(desk):
    """Counterclockwise, the list of players is turned round before the turn passes.

    Nobody changes seats: the list stays clockwise in either direction. Only the turn goes the other way, to the one who
    sits on the other side: the last in the list.
    """
    players = desk.players if desk.direction is CLOCKWISE else desk.players[::-1]
    return whose_turn(desk.with_players(players[1:] + players[:1]))


def next_player__says_nothing(desk):
    """Printing is somebody else's job."""
    step = 1 if desk.direction is CLOCKWISE else -1
    return desk.with_players(desk.players[step:] + desk.players[:step])


def next_player__announces_the_last(desk):
    """`whose_turn` can be called before the turn has passed.

    It names the first player of the desk that it is given, and on the old desk that is the one whose turn is over. It
    has to be given the new desk.
    """
    step = 1 if desk.direction is CLOCKWISE else -1
    return whose_turn(desk).with_players(desk.players[step:] + desk.players[:step])


def next_player__changes_the_desk(desk):
    """`desk.with_players(...)` changes the desk.

    Nothing changes a desk: `with_players` gives a new one, and the old one stays as it was. The new desk is the one to
    go on with.
    """
    step = 1 if desk.direction is CLOCKWISE else -1
    desk.with_players(desk.players[step:] + desk.players[:step])
    return whose_turn(desk)


def next_player__list_turned_round(desk):
    """Counterclockwise, the list of players is turned round.

    That brings the last player to the front, but the others would change seats as well. The list stays clockwise: only
    the last goes to the front.
    """
    (first, *others) = desk.players
    return whose_turn(desk.with_players((*others, first) if desk.direction is CLOCKWISE else desk.players[::-1]))


@tail_recursive
def desk_normalize__reverse_passes_the_turn(desk):
    """After the first card, the turn always passes to the next player.

    Not after a reverse: then play goes the other way round, and the dealer begins, who is the first in the list
    already.
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
    """The dealer knows that it is his turn."""
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
    """With a skip or a draw two on the pile, the game begins just as with a number.

    The next player has to answer or obey it, and only the state `Execute()` shows that. If your code sets it,
    remember that `with_state` changes no desk, but returns a new one. And the first matching case wins, which may
    be one for any `Crd()`.
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
    """If the first card is a skip or a draw two, the next player is passed over.

    The next player may still answer it. So the turn passes only once, and the state `Execute()` says that the card is
    to be answered or obeyed.
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
    """The dealer is first in the list, so the dealer begins.

    The dealer begins only if a reverse is on the pile. With a number, the player after the dealer is first, so the
    turn has to pass once.
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
    """After one shuffle the game can begin.

    The new top card may be wild again, or a reverse, a skip or a draw two. It has to be looked at just like the first
    one.
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
    """No need to shuffle: the wild card goes under the deck."""
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
    """It is enough to shuffle the deck and to turn over its top card.

    Then the wild card would be lost to the game. It goes back to the other cards first, and is shuffled with them.
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
    """The direction changes when somebody plays a reverse."""
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
    """A wild card may begin the pile."""
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
    """A call of `recur` looks again.

    `recur` only returns the arguments for the next call, so return its result. If nothing is returned, or no case
    matches, a function returns None.
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
    """`case Crd(Reverse, _):` fits reverses only.

    Without brackets `Reverse` is just a name and catches any rank, so every ordinary card is taken for a reverse. A
    class with brackets does ask.
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
    """The player of the last move draws."""
    match desk.players, desk.deck, desk.pile:
        case (*others, player), (card, *rest), _:
            return desk.with_players((*others, player.with_cards((card, *player.cards)))).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__to_the_last_player(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__from_the_bottom(desk):
    """The last card is the handiest."""
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (*rest, card), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__from_the_bottom(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__card_stays_in_the_deck(desk):
    """A card that goes into a hand has left the deck.

    Not by itself, since values never change: that card is now in the hand and in the deck. The new desk needs a new
    deck as well.
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

    Its top card stays on the pile, for that is what the next card has to fit. Shuffled in with the others, it would be
    in the game twice.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__whole_pile_reshuffled(desk.with_pile((top,)).with_deck(shuffle_list(desk.pile)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__pile_not_shuffled(desk):
    """The pile is turned over, as at home."""
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__pile_not_shuffled(desk.with_pile((top,)).with_deck(tuple(rest[::-1])))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__pile_keeps_its_cards(desk):
    """Cards that are shuffled into the deck are no longer on the pile.

    A new desk keeps everything that is not replaced. If only the deck is new, those cards are on the pile as well.
    Replace the pile, too.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__pile_keeps_its_cards(desk.with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__nothing_left_is_fine(desk):
    """A player who cannot draw does not draw."""
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__nothing_left_is_fine(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            return desk


def draw__no_reshuffle(desk):
    """There is always a card in the deck."""
    first, *others = desk.players
    return desk.with_players((first.with_cards((desk.deck[0], *first.cards)), *others)).with_deck(desk.deck[1:])


def draw__top_card_reshuffled_alone(desk):
    """The top of the pile is turned over, the others stay."""
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw__top_card_reshuffled_alone(desk.with_pile(tuple(rest)).with_deck((top,)))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__reshuffled_but_not_drawn(desk):
    """If there is no deck, it is enough to make one.

    The player still has to draw a card. With the new deck that is the easy case, and this very function can do it.
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return desk.with_pile((top,)).with_deck(shuffle_list(rest))
        case _:
            raise IllegalGame("no card is left to draw")


def draw__never_out_of_cards(desk):
    """Once the pile has been shuffled, there is a card in the deck.

    Not if the pile has only its top card. Then the new deck is empty as well, and the function calls itself until
    the stack is full.
    """
    match desk.players, desk.deck:
        case (player, *others), (card, *rest):
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _:
            return draw__never_out_of_cards(desk.with_pile(desk.pile[:1]).with_deck(shuffle_list(desk.pile[1:])))


def draw__starred_name_is_a_tuple(desk):
    """A starred name catches a tuple from a tuple.

    It is always a list. But the deck of a desk is a tuple, so make a tuple of it first.
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
    """The two cards drawn are the first two of the deck.

    The deck may hold fewer, and then a new one has to be made of the pile on the way. `draw` sees to that, for one card
    at a time.
    """
    first, *others = desk.players
    players = (first.with_cards((*desk.deck[:2], *first.cards)), *others)
    return desk.with_players(players).with_deck(desk.deck[2:])


def draw_two__one_each(desk):
    """The first two players draw."""
    first, second, *others = draw(desk).players
    turned = draw(draw(desk).with_players((second, *others, first)))
    return turned.with_players((turned.players[-1], *turned.players[:-1]))


draw_four__two = draw_two
draw_four__three = compose(draw_two, draw)
draw_four__eight = compose(draw_two, draw_two, draw_two, draw_two)


def draw_four__four_from_the_deck(desk):
    """The four cards drawn are the first four of the deck.

    The deck may hold fewer, and then a new one has to be made of the pile on the way. `draw` sees to that, for one card
    at a time.
    """
    first, *others = desk.players
    players = (first.with_cards((*desk.deck[:4], *first.cards)), *others)
    return desk.with_players(players).with_deck(desk.deck[4:])


# ------------------------------------------------------------------------------------------------ legal moves


@curry
def playable_when_wild__wild_cards_do_not_fit(color, card):
    """Only the ordered color covers it."""
    return isinstance(card, Crd) and card.color is color


@curry
def playable_when_wild__draw_four_does_not_fit(color, card):
    """A wild covers a wild, a wild draw four does not."""
    match card:
        case Crd(_, other):
            return is_same_color(color, other)
        case _:
            return isinstance(card, Wild)


@curry
def playable_when_wild__action_cards_do_not_fit(color, card):
    """Numbers of the color."""
    match card:
        case Crd(Reverse() | Skip() | DrawTwo(), _):
            return False
        case Crd(_, other):
            return is_same_color(color, other)
        case _:
            return True


@curry
def playable_when_wild__name_in_the_pattern_is_compared(color, card):
    """`case Crd(_, color):` fits only cards of that color.

    A bare name in a pattern catches anything, even if it had a value before: here the color of any card. Catch it
    under another name, and compare.
    """
    match card:
        case Crd(_, color):
            return True
        case Crd():
            return False
        case _:
            return True


def playable_when_wild__not_curried(color, card):
    """A function with two parameters can be given its arguments one at a time.

    A plain `def` or `lambda` wants both of them at once. Only a curried one waits for the card that is missing, and the
    given `@curry` makes it so.
    """
    return not isinstance(card, Crd) or card.color is color


@curry
def playable_when_exec__wild_cards_fit(rank, card):
    """A wild card can be laid on anything.

    Not while a skip or draw two must be obeyed. Then only a card of the same rank may be laid, and a wild card has
    no rank.
    """
    return not isinstance(card, Crd) or is_same_rank(rank, card.rank)


@curry
def playable_when_exec__any_action_card(rank, card):
    """A draw two answers a skip."""
    return isinstance(card, Crd) and card.rank in (Skip(), DrawTwo())


@curry
def playable_when_exec__reverse_too(rank, card):
    """Send it back."""
    return isinstance(card, Crd) and card.rank in (rank, Reverse())


@curry
def playable_when_exec__name_in_the_pattern_is_compared(rank, card):
    """`case Crd(rank, _):` fits only cards of that rank.

    A bare name in a pattern catches anything, even if it had a value before: here the rank of any card. Catch it under
    another name, and compare.
    """
    match card:
        case Crd(rank, _):
            return True
        case _:
            return False


@curry
def playable_when_proc__both_must_fit(face, card):
    """The same rank and the same color."""
    return not isinstance(card, Crd) or (card.rank == face[0] and card.color is face[1])


@curry
def playable_when_proc__color_only(face, card):
    """The color decides."""
    return not isinstance(card, Crd) or card.color is face[1]


@curry
def playable_when_proc__rank_only_for_numbers(face, card):
    """A number goes by its rank, too, but an action card only by its color.

    The same action counts just like the same number: a reverse may be laid on a reverse of any color.
    """
    match card:
        case Crd(Num() as rank, color):
            return rank == face[0] or color is face[1]
        case Crd(_, color):
            return color is face[1]
    return True


@curry
def playable_when_proc__no_wild_cards(face, card):
    """Rank or color; a wild card has neither."""
    return isinstance(card, Crd) and (card.rank == face[0] or card.color is face[1])


@curry
def playable_when_proc__name_in_the_pattern_is_compared(face, card):
    """`case Crd(rank, _):` fits only cards of that rank.

    A bare name in a pattern catches anything, even if it had a value before: here the rank of any card. Catch it under
    another name, and compare.
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


def cards_to_play__execute_as_usual(desk):
    """On an ordinary card the state makes no difference.

    In the state `Execute()` the skip or draw two on the pile still waits to be obeyed. Then only a card of its rank may
    be laid: colors and wild cards do not help.
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
    """The best first."""
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
    """The cards of all hands."""
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
    """Two equal cards are one choice."""
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
    """A filter gives a list."""
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
    """The state alone decides."""
    hand = desk.players[0].cards
    match desk.state:
        case Give(color):
            return tuple(filter(playable_when_wild(color), hand))
        case Execute():
            return tuple(filter(playable_when_exec(desk.pile[0].rank), hand))
    return tuple(filter(playable_when_proc((desk.pile[0].rank, desk.pile[0].color)), hand))


def cards_to_play__skips_always_to_be_answered(desk):
    """A skip on the pile can only be covered with a skip.

    Only as long as it waits, in the state `Execute()`. Once somebody has obeyed it the state is `Proceed()`, and it is
    covered like any other card.
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
    """The player who moved last is at the end of the list."""
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
    """On an impossible desk, no card can be played."""
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

    Without parentheses, `Proceed` is just a name and matches any state. So every ordinary card is covered as usual,
    even a skip that must be answered. A class with parentheses does test.
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
    """`case Execute, Crd(rank, _):` asks for the state `Execute()`.

    Without brackets `Execute` is just a name and catches any state, so on every ordinary card only the rank counts. A
    class with brackets does ask.
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


def required_color__of_the_hand(desk):
    """The color of the first card in hand."""
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return color
        case Proceed() | Execute(), Crd(_, color):
            return next((card.color for card in desk.players[0].cards if isinstance(card, Crd)), color)
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__none_for_wild(desk):
    """A wild card has no color."""
    match desk.state, desk.pile[0]:
        case Give(), Wild() | WildDrawFour():
            return None
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__below_the_wild(desk):
    """A wild card leaves the color as it was.

    A player who lays a wild card orders a color, which is in the state `Give(color)`. The cards below no longer
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
    """If a color is ordered, it is the required one, whatever the top card is."""
    match desk.state, desk.pile[0]:
        case Give(color), _:
            return color
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__the_last_order(desk):
    """The last color ordered is in the memory."""
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return next((move.color for move in desk.memory if isinstance(move, Order)), YELLOW)
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def required_color__ordinary_card_in_any_state(desk):
    """If an ordinary card is on top, its color is required, whatever the state.

    In the state `Give` such a desk cannot be, and IllegalGame says so. If you do ask for the states: it is only with
    brackets, as in `Proceed()`, that a pattern asks.
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return color
        case _, Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


def has_color__wild_cards_count(color, cards):
    """A wild card counts as a card of any color.

    It may be laid on any color, but has none itself. To ask what may be laid is not the same as to ask what has the
    color.
    """
    return any(playable_when_wild(color, card) for card in cards)


def has_color__first_card_only(color, cards):
    """Look at the first card."""
    return bool(cards) and isinstance(cards[0], Crd) and cards[0].color is color


def has_color__all_of_them(color, cards):
    """All ordinary cards have it."""
    return all(card.color is color for card in cards if isinstance(card, Crd))


def has_color__numbers_only(color, cards):
    """Action cards are no color cards."""
    return any(isinstance(card, Crd) and isinstance(card.rank, Num) and card.color is color for card in cards)


def has_color__gives_the_card(color, cards):
    """The card that was found is as good as True."""
    return find(lambda card: isinstance(card, Crd) and card.color is color, cards)


def has_color__name_in_the_pattern_is_compared(color, cards):
    """`case Crd(_, color):` fits only cards of that color.

    A bare name in a pattern catches anything, even if it had a value before: here the color of any card. Catch it
    under another name, and compare.
    """

    def is_of_color(card):
        match card:
            case Crd(_, color):
                return True
            case _:
                return False

    return find(is_of_color, cards) is not None


def count_cards__in_all(desk):
    """One number."""
    return sum(len(player.cards) for player in desk.players)


def count_cards__of_the_others(desk):
    """The own cards are known."""
    return tuple(len(player.cards) for player in desk.players[1:])


def count_cards__sorted(desk):
    """The longest hand first."""
    return tuple(sorted((len(player.cards) for player in desk.players), reverse=True))


def count_cards__points(desk):
    """The answer is the value of the hands."""
    return tuple(sum_cards(player.cards) for player in desk.players)


# ------------------------------------------------------------------------------------------------ strategies


def naive__first_card(state, hand, playable, top, direction, memory, counts):
    """The first playable card is as good as any."""
    card = playable[0]
    return Simple(card) if isinstance(card, Crd) else Order(card, shuffle_list(COLORS)[0])


def naive__smallest_card(state, hand, playable, top, direction, memory, counts):
    """`card_sort` puts the greatest card last.

    It sorts downwards: the greatest card comes first.
    """
    card = card_sort(playable)[-1]
    return Simple(card) if isinstance(card, Crd) else Order(card, shuffle_list(COLORS)[0])


def naive__from_the_whole_hand(state, hand, playable, top, direction, memory, counts):
    """The greatest card of the hand is to be played.

    It may not fit, and the move would be refused. Only the `playable` cards are there to choose from.
    """
    card = card_sort(hand)[0]
    return Simple(card) if isinstance(card, Crd) else Order(card, shuffle_list(COLORS)[0])


def naive__always_red(state, hand, playable, top, direction, memory, counts):
    """Red is a random color."""
    card = card_sort(playable)[0]
    return Simple(card) if isinstance(card, Crd) else Order(card, RED)


def naive__simple_wild(state, hand, playable, top, direction, memory, counts):
    """Every move is a simple one."""
    return Simple(card_sort(playable)[0])


def naive__gives_the_card(state, hand, playable, top, direction, memory, counts):
    """The move is the card."""
    return card_sort(playable)[0]


def naive__shuffles_for_every_card(state, hand, playable, top, direction, memory, counts):
    """A shuffle that is not needed does no harm.

    Each shuffle uses up chance, so whatever is random afterwards comes out differently. An ordinary card needs no
    color, and so nothing is shuffled for it.
    """
    card, color = card_sort(playable)[0], shuffle_list(COLORS)[0]
    return Simple(card) if isinstance(card, Crd) else Order(card, color)


def naive__dearest_card(state, hand, playable, top, direction, memory, counts):
    """The greatest card is the one that is worth most.

    Greatest means first in the order of `card_sort`. There the color of ordinary cards comes before their rank,
    whatever they are worth.
    """
    card = max(playable, key=card_value)
    return Simple(card) if isinstance(card, Crd) else Order(card, shuffle_list(COLORS)[0])


def move_action__four_to_the_next_in_any_case(move, desk, had_color):
    """It is always the next player who draws the four cards.

    Not if the mover held a card of the required color. Then it is the mover who draws them, and nobody misses a turn.
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
    """Draw four is for whoever is first on the desk."""
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
    """A player who had the required color lets the next player draw.

    It is the other way round: a wild draw four is meant for players who have no such card. A player who has one
    draws the four cards, and nobody misses a turn.
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
    """`play` sees to the memory.

    It remembers the card that was laid. But whoever has to draw the four cards misses a turn, and that `Pass()` is
    remembered here.
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
    """The player who has drawn the four cards plays next.

    The four cards cost the turn as well. It passes once more, and the player after that covers the wild card.
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
    """The turn passes first, and then play turns round.

    Then the turn has gone the old way. The next player is the one on the other side, so the direction has to turn
    before the turn passes.
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

    If it was laid on a wild card, the state is still `Give(color)`. That order is now carried out: with a reverse on
    the pile the game goes on in `Proceed()`.
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
    """A number changes nothing, so the state stays as it is.

    If it was laid on a wild card, the state is still `Give(color)`. That order is now carried out: with a number on the
    pile the game goes on in `Proceed()`.
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
    """A skip passes over the next player at once.

    The next player may answer it with a skip. So the turn passes once only, and the state `Execute()` tells that player
    to answer or to obey.
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
    """A draw two makes the next player draw at once.

    The next player may answer it with a draw two. So the turn passes once only, and the state `Execute()` tells that
    player to answer or to obey.
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
    """A reverse waits to be answered or obeyed, like the other action cards.

    It has done its work as soon as play goes the other way: nobody has to answer or obey it. The next player lays any
    card that fits, in the state `Proceed()`.
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
    """After a wild card the game goes on as usual."""
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
    """Draw two is draw two."""
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
    """Against the advice: four cards, and the next one is skipped all the same."""
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
    """After a reverse play goes counterclockwise.

    Only if it went clockwise before. A second reverse turns it around once more, and then it is clockwise again.
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
    """The state can wait: it is forgotten."""
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
    """`case Simple(Crd(Reverse, _)):` fits reverses only.

    Without brackets `Reverse` is just a name and catches any rank, so every ordinary card is taken for a reverse. A
    class with brackets does ask.
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
    """Of several cases that fit, the most exact one is taken.

    The first one that fits is taken, from the top. `Order(_, color)` fits a wild draw four as well, so a case for it
    that stands below is never reached, and nobody draws.
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
    """`draw_four` lets the next player draw.

    It is the first player of a desk who draws, and before the turn passes that is the mover. So the turn passes, the
    next player draws, and then it passes once more.
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
    """A player has a strategy."""
    return player, player.strategy(*args)


def ask_player_for_card__always_manual(player, args):
    """Ask at the keyboard."""
    return player, manual(*args)


def ask_player_for_card__player_stays_manual(player, args):
    """`player.automate()` changes the player.

    Nothing changes a player: `automate` gives a new one, who plays by the strategy from now on. That player belongs in
    the answer, the old one is still manual.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    match manual(*args):
        case Pass():
            return player, player.strategy(*args)
        case move:
            return player, move


def ask_player_for_card__gives_the_pass(player, args):
    """A player who switches to automatic passes this time.

    The `Pass()` of `manual` is not a move. It only means that the strategy takes over, and it does so at once: it
    chooses this move.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    move = manual(*args)
    return (player.automate() if move == Pass() else player), move


def ask_player_for_card__move_only(player, args):
    """The answer is the move."""
    if not player.is_manual:
        return player.strategy(*args)
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return move


def ask_player_for_card__asks_twice(player, args):
    """Ask once for the test and once for the answer."""
    if not player.is_manual:
        return (player, player.strategy(*args)) if player.strategy(*args) else (player, Pass())
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player, move


def ask_player_for_card__automates_all(player, args):
    """From now on the machine plays."""
    if not player.is_manual:
        return player, player.strategy(*args)
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player.automate(), move


def ask_player_for_card__args_in_one(player, args):
    """A strategy takes one tuple.

    It has seven parameters, and all of `args` would be only the first. In the call, a star before a tuple spreads it
    out.
    """
    if not player.is_manual:
        return player, player.strategy(args)
    match manual(args):
        case Pass():
            return player.automate(), player.strategy(args)
        case move:
            return player, move


def ask_player_for_card__manual_by_own_strategy(player, args):
    """A person has a strategy as well."""
    if not player.is_manual:
        return player, player.strategy(*args)
    match player.strategy(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player, move


def ask_player_for_card__person_asked_twice(player, args):
    """To call `manual` once more gives the same move again.

    It asks the person again, who has to type a second time. Ask once, and keep the answer under a name.
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    if manual(*args) == Pass():
        return player.automate(), player.strategy(*args)
    return player, manual(*args)


# ------------------------------------------------------------------------------------------------ turns


def play__player_goes_back_manual(desk, cards):
    """The player on the new desk is the one who was there before, with fewer cards.

    A person may have switched to automatic in this move. Only the player that `ask_player_for_card` returns has
    that change.
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
    """The strategy will know what it does."""
    first, *others = desk.players
    args = Args(desk.state, first.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    asked, move = ask_player_for_card(first, args)
    print(f"{first.name} made move\n{to_string(move)}")
    hand = remove_card(first.cards, move.card, IllegalMove(first.name, args))
    after = desk.with_players((asked.with_cards(hand), *others)).with_pile((move.card, *desk.pile)).add_memo(move)
    return move_action(move, after, has_color(required_color(desk), first.cards))


def play__card_need_only_be_in_the_hand(desk, cards):
    """A move is legal if its card is in the hand.

    The card has to fit as well: only those in `cards` may be laid, and any other is refused.
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
    """A player may pass.

    Not with a card that fits: then one must be laid. There always is one when `play` is called, so `Pass()` is an
    illegal move here.
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
    """The class of the error says it all."""
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

    The error is the right one, but it comes too late: an illegal move is refused before anything is printed.
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
    """Who needs a memory?"""
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
    """`remove_card` takes the card out of the player's hand.

    It changes no hand, but gives a new one without the card. A player with this new hand belongs on the new desk.
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
    """The end of the list is the top."""
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
    """The card leaves the hand."""
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
    """The hand must be compared with the color that is required after the move.

    Use the color that was required before the move. With a card of that color in the hand, there was no need for a
    wild draw four.
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
    """The required color can still be asked when the card has been laid.

    By then the old state and the new card need not go together, and IllegalGame is raised. Wanted is the color that
    was required before the move: ask the old desk.
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
    """A wild draw four is always right."""
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
    """One line for the move."""
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
    """The hand of the strategy is the cards that it may play."""
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
    """To lay a card is to keep all those that differ from it.

    Then its copies would leave the hand as well, but only one of them comes to lie on the pile.
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
    """A strategy chooses among the cards that fit.

    A strategy may err, or cheat. A card that is not among `cards` is refused, and that before anything is printed.
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
    """Who made the move? The player."""
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
    """An illegal move makes an illegal game."""
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
    """Remember it before and after."""
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
    """Any colored card is one too many."""
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
    """A player who could have laid another card should not have laid a wild draw four.

    Only a card of the required color counts. Another wild card does not, and neither does a card that fits by its
    rank alone.
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
    """The card is on the pile; that is the move."""
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
    """The strategy gets the playable cards as its hand.

    It gets both: first the whole hand, with the cards that do not fit as well, and then the cards that may be
    played.
    """
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
    """The strategy gets the pile.

    It gets only the top card. The pile is a tuple, even with a single card in it, and a tuple of cards is not a
    card.
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
    """Print the move."""
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
    """Missing a turn is no move."""
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

    It has been obeyed now. In the state `Execute()` the next player would have to obey it once more.
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
    """After drawing it is still the same player's turn."""
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return draw_two(passed)
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__next_player_draws(desk):
    """A draw two lets the next player draw, so the turn passes first.

    It has passed already, when the draw two was laid: the first player is the one who has to obey. That player draws
    two cards, and then the turn passes.
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
    """A player who misses a turn draws two cards."""
    return next_player(draw_two(desk.add_memo(Pass()).with_state(Proceed())))


def execution__nobody_draws(desk):
    """A draw two is obeyed just like a skip.

    The player draws two cards before the turn passes. If your code does that, remember that `draw_two` changes no
    desk, but returns a new one. And in a pattern, `Skip` without parentheses is just a name that matches any rank:
    write `Skip()`.
    """
    return next_player(desk.add_memo(Pass()).with_state(Proceed()))


def execution__draws_one(desk):
    """One card is drawn."""
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


def execution__passes_twice(desk):
    """A skip lets the turn pass twice.

    It has passed once already, when the skip was laid: the first player is the one who misses the turn. Now it passes
    only once more.
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

    Nothing changes a desk: each of the two gives a new one, and the old one stays as it was. The next step has to be
    taken with the new desk.
    """
    desk.add_memo(Pass())
    desk.with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(desk)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw_two(desk))


def your_turn__no_drawing(desk):
    """After `draw(desk)` the player of `desk` has one card more.

    Nothing changes a desk: `draw` gives a new one, and only there is the card in the hand. It is this new desk with
    which the turn goes on.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case _:
            return next_player(desk.add_memo(Pass()))


def your_turn__drawn_card_waits(desk):
    """A player who has drawn a card has had the turn.

    If the drawn card fits, it is laid in the same turn. Otherwise the turn is missed.
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

    Some people play it that way. Here only one card is drawn: if it does not fit, the turn is missed.
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
    """A pass is no move."""
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
    """The pass is remembered, and that is that."""
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
    """A skip or draw two has to be obeyed, whatever is in the hand.

    It may be answered with a card of the same rank, and whoever has one must lay it. Only a player who has none obeys.
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
    """Before a skip or draw two is obeyed, a card is drawn in search of an answer.

    No card is drawn for that: whoever has no answer in the hand obeys. One card is drawn only in the other states.
    """
    if cards_to_play(desk):
        return play(desk, cards_to_play(desk))
    drawn = draw(desk)
    if cards_to_play(drawn):
        return play(drawn, cards_to_play(drawn))
    return execution(drawn) if desk.state == Execute() else next_player(drawn.add_memo(Pass()))


def your_turn__pass_ends_the_order(desk):
    """After a pass the state is `Proceed()` again.

    A color that was ordered stays ordered: now the next player has to cover the wild card with it. So the state stays
    as it is.
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

    In the state `Execute()` no card is drawn to find an answer: the player obeys the skip or draw two.
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case _:
            drawn = draw(desk)
            cards = cards_to_play(drawn)
            return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()))


def your_turn__plays_from_the_old_desk(desk):
    """The card drawn can be played on the old desk.

    On the old desk the card is not in the hand, so the move is refused. It is only in the hand on the new desk, the one
    that `draw` gives.
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
    """Lost are the cards."""
    return player.name, len(player.cards)


def player_loss__loss_first(player):
    """The number is what matters."""
    return sum_cards(player.cards), player.name


def player_loss__player_itself(player):
    """The player knows the name."""
    return player, sum_cards(player.cards)


def player_loss__negative(player):
    """A loss is below zero."""
    return player.name, -sum_cards(player.cards)


def check_winner__first_player_only(desk):
    """The winner is the first in the list.

    That was so before the last card was laid. Since then the turn has passed, so the winner may sit anywhere in the
    list.
    """
    winner = find(lambda player: not player.cards, desk.players[:1])
    return None if winner is None else (winner.name, tuple(map(player_loss, desk.players)))


def check_winner__without_the_winner(desk):
    """The winner loses nothing, so is not listed."""
    winner = find(lambda player: not player.cards, desk.players)
    return (
        None
        if winner is None
        else (winner.name, tuple(player_loss(player) for player in desk.players if player is not winner))
    )


def check_winner__worth_nothing_wins(desk):
    """A player with nothing to lose has won.

    A hand of zeros is worth 0 as well, but it is not empty. Only a player without cards has won.
    """
    winner = find(lambda player: sum_cards(player.cards) == 0, desk.players)
    return winner and (winner.name, tuple(map(player_loss, desk.players)))


def check_winner__false_for_nobody(desk):
    """No winner: False."""
    winner = find(lambda player: not player.cards, desk.players)
    return False if winner is None else (winner.name, tuple(map(player_loss, desk.players)))


def check_winner__sorted(desk):
    """The best first."""
    winner = find(lambda player: not player.cards, desk.players)
    return (
        None
        if winner is None
        else (winner.name, tuple(sorted(map(player_loss, desk.players), key=lambda loss: loss[1])))
    )


def check_winner__last_player_only(desk):
    """The winner is the last in the list, having just moved.

    Often, but not always: counterclockwise, or after a wild draw four, somebody else may have come to the end of the
    list.
    """
    winner = find(lambda player: not player.cards, desk.players[-1:])
    return None if winner is None else (winner.name, tuple(map(player_loss, desk.players)))


def check_winner__winner_itself(desk):
    """The winner is a player."""
    winner = find(lambda player: not player.cards, desk.players)
    return None if winner is None else (winner, tuple(map(player_loss, desk.players)))


def game__not_normalized(players):
    """After the deal the first turn can be taken.

    First the card on the pile takes effect and settles who begins, which is mostly not the dealer. That is the work of
    `desk_normalize`.
    """

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else result

    return turns(deal(players))


def game__stack_grows(players):
    """A call that comes last takes no space on the stack.

    Python keeps every call on its stack until it has ended, one that comes last too, and a long game has more turns
    than fit. Under `@tail_recursive`, `recur` says what to call next, and nothing is left on the stack.
    """

    def turns(desk):
        result = check_winner(desk)
        return turns(your_turn(desk)) if result is None else result

    return turns(desk_normalize(deal(players)))


def game__recur_not_returned(players):
    """A call of `recur` takes the next turn.

    `recur` only returns the arguments for the next call, so return its result. Otherwise the game ends after one
    turn, with None.
    """

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        if result is None:
            recur(your_turn(desk))
        return result

    return turns(desk_normalize(deal(players)))


def game__winner_only(players):
    """The winner is the result."""

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else result[0]

    return turns(desk_normalize(deal(players)))


def game__one_turn_more(players):
    """Check before the turn, not after it."""
    desk = desk_normalize(deal(players))
    while check_winner(desk) is None:
        desk, before = your_turn(desk), desk
    return check_winner(desk)[0], tuple(map(player_loss, before.players))


def game__one_round(players):
    """Everyone has a turn."""
    desk = desk_normalize(deal(players))
    for _ in players:
        desk = your_turn(desk)
    return check_winner(desk)


def game__deals_twice(players):
    """Deal, and deal again for the desk."""

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else result

    return turns(desk_normalize(deal(deal(players).players)))


def game__last_turn_twice(players):
    """One more turn for everybody's good."""

    @tail_recursive
    def turns(desk):
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else check_winner(your_turn(desk)) or result

    return turns(desk_normalize(deal(players)))


def deal__keeps_no_wild_on_the_pile(players):
    """A wild card on the pile is dealt with at once."""
    print(f"\nPlayer {players[0].name} deals.")
    cards, n = shuffle_list(deck), 7 * len(players)
    served = tuple(player.with_cards(cards[7 * i : 7 * i + 7]) for i, player in enumerate(players))
    rest = cards[n:]
    while not isinstance(rest[0], Crd):
        rest = shuffle_list(rest)
    return Desk(served, rest[:1], rest[1:], Proceed(), CLOCKWISE, ())


def next_player__first_and_last_swap(desk):
    """Counterclockwise the last and the first change seats."""
    first, *middle, last = desk.players
    players = (*middle, last, first) if desk.direction is CLOCKWISE else (last, *middle, first)
    return whose_turn(desk.with_players(players))


def draw__reshuffles_too_early(desk):
    """A deck that has run out is made anew at once.

    It stays empty until somebody has to draw from it. By then, more cards may lie on the pile.
    """
    (player, *others), (card, *rest) = desk.players, desk.deck or shuffle_list(desk.pile[1:])
    pile = desk.pile if desk.deck else desk.pile[:1]
    if not rest:
        pile, rest = pile[:1], shuffle_list(pile[1:])
    players = (player.with_cards((card, *player.cards)), *others)
    return desk.with_players(players).with_deck(tuple(rest)).with_pile(pile)


def draw__asks_for_chance_too_often(desk):
    """Shuffle the deck before every draw, to be fair."""
    (player, *others), (card, *rest) = desk.players, shuffle_list(desk.deck or desk.pile[1:])
    players = (player.with_cards((card, *player.cards)), *others)
    return desk.with_players(players).with_deck(tuple(rest)).with_pile(desk.pile if desk.deck else desk.pile[:1])


def deck__as_a_function():
    """Something that is computed is a function."""
    return ()


def check_winner__winner_gets_the_sum(desk):
    """The winner scores what all the others lose.

    Many people play it that way. Here everyone just has what their own hand is worth, and for the winner that is 0.
    """
    winner = find(lambda player: not player.cards, desk.players)
    if winner is None:
        return None
    total = sum(sum_cards(player.cards) for player in desk.players)
    return winner.name, tuple((p.name, sum_cards(p.cards) if p.cards else total) for p in desk.players)


# ------------------------------------------------------------------------------------------------ hardly ever seen


def play__a_card_of_the_same_rank_is_one_too_many(desk, cards):
    """A player who could have laid an ordinary card should not have laid a wild draw four.

    Only the color counts. With a card of the required rank, but of another color, a player may lay a wild draw
    four.
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
    """Of two players without cards, the later one has won."""
    out = [player.name for player in desk.players if not player.cards]
    return (out[-1], tuple(map(player_loss, desk.players))) if out else None


def check_winner__the_first_by_name(desk):
    """Of two players without cards, the one whose name comes first in the alphabet has won."""
    out = [player.name for player in desk.players if not player.cards]
    return (min(out), tuple(map(player_loss, desk.players))) if out else None


def check_winner__one_winner_or_none(desk):
    """If two players have no cards, neither has won."""
    out = [player.name for player in desk.players if not player.cards]
    return (out[0], tuple(map(player_loss, desk.players))) if len(out) == 1 else None


def draw_two__one_if_there_is_no_other(desk):
    """A player who cannot draw two cards draws one."""
    try:
        return compose(draw, draw)(desk)
    except IllegalGame:
        return draw(desk)


def draw_four__as_many_as_there_are(desk):
    """A player who cannot draw four cards draws as many as there are."""
    for _ in range(4):
        try:
            desk = draw(desk)
        except IllegalGame:
            return desk
    return desk


def draw_four__two_if_there_are_no_more(desk):
    """A player who cannot draw four cards draws two."""
    try:
        return compose(draw_two, draw_two)(desk)
    except IllegalGame:
        return draw_two(desk)


def draw__remembered(desk, known={}):
    """Every draw from the same desk has the same result."""
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
    """To turn the same list again is a waste of time."""
    step = 1 if desk.direction is CLOCKWISE else -1
    if desk not in known:
        known[desk] = whose_turn(desk.with_players(desk.players[step:] + desk.players[:step]))
    return known[desk]


def move_action__four_if_there_are_as_many(move, desk, had_color):
    """If there are no four cards left to draw, none is drawn."""

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


def execution__no_draw_without_cards(desk):
    """Without a deck, and without two cards under the top of the pile, a player draws nothing."""
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
    """A player who cannot draw two cards draws as many as there are."""

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

    If no card is left to draw, the game stops: `draw` raises `IllegalGame`, and nobody catches it.
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


def naive__red_with_a_draw_four(state, hand, playable, top, direction, memory, counts):
    """With a wild draw four any color will do."""
    match card_sort(playable)[0]:
        case Crd() as card:
            return Simple(card)
        case Wild() as card:
            return Order(card, shuffle_list(COLORS)[0])
        case card:
            return Order(card, RED)


def naive__last_of_the_shuffled(state, hand, playable, top, direction, memory, counts):
    """The last of the shuffled colors is as random as the first.

    It is, but the statement asks for the first: with the same chance, everyone's game is to be the same.
    """
    match card_sort(playable)[0]:
        case Crd() as card:
            return Simple(card)
        case card:
            return Order(card, shuffle_list(COLORS)[-1])


def naive__no_shuffle_without_a_choice(state, hand, playable, top, direction, memory, counts):
    """With only one playable card there is nothing to choose, not even a color."""
    match card_sort(playable)[0]:
        case Crd() as card:
            return Simple(card)
        case card:
            return Order(card, shuffle_list(COLORS)[0] if len(playable) > 1 else BLUE)


def deal__hands_are_lists(players):
    """A hand may be a list.

    The cards of a player are a tuple, and a list is no tuple, even if it holds the same cards.
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
    """Hands are made into lists, so that cards can be taken out of them."""
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
    """The hands of the others may be lists."""
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
    """The players may be a list."""
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            done = next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            done = next_player(draw_two(passed))
        case _:
            raise IllegalGame("there is nothing to obey")
    return done.with_players([*done.players])


def game__a_thousand_turns_at_most(players):
    """No game has more than a thousand turns."""
    step = lambda desk, _: desk if check_winner(desk) else your_turn(desk)
    return check_winner(fold_left(step, desk_normalize(deal(players)), range(1000)))


def game__three_hundred_turns_at_most(players):
    """No game has more than three hundred turns."""
    step = lambda desk, _: desk if check_winner(desk) else your_turn(desk)
    return check_winner(fold_left(step, desk_normalize(deal(players)), range(300)))
