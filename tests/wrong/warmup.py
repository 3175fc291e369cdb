"""What learners of the warm-up get wrong, one misconception each."""

from course.warmup import *


def swap_ends__gives_a_list(hand):
    """A starred name is a list, so the hand has become one."""
    if len(hand) < 2:
        return hand
    first, *middle, last = hand
    return [last, *middle, first]


def swap_ends__middle_not_spread(hand):
    """The star is needed only once."""
    if len(hand) < 2:
        return hand
    first, *middle, last = hand
    return (last, middle, first)


def swap_ends__middle_a_tuple_within(hand):
    """Slices can be listed like cards."""
    return hand if len(hand) < 2 else (hand[-1], hand[1:-1], hand[0])


def swap_ends__single_card_doubled(hand):
    """Every hand has a first card and a last card, even a hand of one.

    True, but in a hand of one they are the same card: whoever takes the last and the first takes it twice.
    """
    return hand[-1:] + hand[1:-1] + hand[:1]


def swap_ends__needs_two_cards(hand):
    """A hand always has two cards."""
    first, *middle, last = hand
    return (last, *middle, first)


def swap_ends__reversed(hand):
    """To exchange the ends is to turn the hand around."""
    return hand[::-1]


def swap_ends__only_moves_the_first(hand):
    """The first goes to the end, and so the last comes to the front."""
    return hand[1:] + hand[:1]


def swap_ends__short_hand_empty(hand):
    """A hand that has nothing to exchange has nothing to give."""
    if len(hand) < 2:
        return ()
    first, *middle, last = hand
    return (last, *middle, first)


def penalty__captures_the_lady(card):
    """`Face(QUEEN, SPADES)` asks for the queen of spades."""
    match card:
        case Joker():
            return 20
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
        case Face(QUEEN, SPADES):
            return 13
        case _:
            return 0


def penalty__captures_the_suit(card):
    """`Number(n, HEARTS)` asks for a heart."""
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, HEARTS):
            return n
        case _:
            return 0


def penalty__every_queen(card):
    """The queen costs 13, whatever her suit."""
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, _):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
    return 0


def penalty__faces_by_rank(card):
    """Faces of hearts go on counting after the ten."""
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(court, Suit.HEARTS):
            return court.value
        case Number(n, Suit.HEARTS):
            return n
    return 0


def penalty__hearts_cost_one(card):
    """As in the other game of this kind, every heart costs 1."""
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS) | Number(_, Suit.HEARTS):
            return 1
    return 0


def penalty__joker_is_free(card):
    """A card without a suit costs nothing."""
    match card:
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
    return 0


def penalty__asks_the_joker_for_its_suit(card):
    """Every card has a suit."""
    if card == Face(QUEEN, SPADES):
        return 13
    if card.suit is HEARTS:
        return card.n if isinstance(card, Number) else 10
    return 20 if card == Joker() else 0


def penalty__other_cards_none(card):
    """What costs nothing needs no case."""
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n


def penalty__ace_high(card):
    """The ace of hearts costs eleven."""
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Number(1, Suit.HEARTS):
            return 11
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
    return 0


def riffle__right_first(left, right):
    """It does not matter who begins."""
    if not left or not right:
        return left + right
    return (right[0], left[0], *riffle__right_first(left[1:], right[1:]))


def riffle__not_swapped(left, right):
    """The rest is riffled in the same order as before, so the left packet falls first and whole."""
    return left + right


def riffle__stops_with_the_shorter(left, right):
    """`zip` takes care of everything."""
    return tuple(card for pair in zip(left, right) for card in pair)


def riffle__rest_of_left_lost(left, right):
    """Done as soon as one of them is empty."""
    if not left:
        return right
    if not right:
        return ()
    return (left[0], right[0], *riffle__rest_of_left_lost(left[1:], right[1:]))


def riffle__rest_in_front(left, right):
    """What is left over lies above the others."""
    short = min(len(left), len(right))
    return left[short:] + right[short:] + tuple(card for pair in zip(left, right) for card in pair)


def riffle__gives_a_list(left, right):
    """A list will do."""
    return list(right) if not left else [left[0], *riffle__gives_a_list(right, left[1:])]


def riffle__empty_is_the_end(left, right):
    """Recursion stops at the empty tuple and gives the empty tuple."""
    if not left:
        return ()
    return (left[0], *riffle__empty_is_the_end(right, left[1:]))


def riffle__nested(left, right):
    """The answer for the rest is one more item of the answer."""
    return right if not left else (left[0], riffle__nested(right, left[1:]))


def riffles_to_restore__recursion_on_the_stack(cards):
    """A tail call is enough, Python will see that."""

    def follow(place, riffles):
        return riffles if place == 1 else follow(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


def riffles_to_restore__one_too_few(cards):
    """Counts the riffles after the first one."""

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 0)


def riffles_to_restore__one_too_many(cards):
    """Counts the places that the card has been at, the first one twice."""

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 2)


def riffles_to_restore__home_before_it_has_left(cards):
    """The card begins at place 1."""

    @tail_recursive
    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(1, 0)


def riffles_to_restore__other_half_first(cards):
    """The lower half falls first: the card at place p, counted from 1, comes to 2p modulo cards + 1."""
    place, riffles = 2, 1
    while place != 1:
        place, riffles = 2 * place % (cards + 1), riffles + 1
    return riffles


def riffles_to_restore__number_of_doublings(cards):
    """As often as the pack can be halved."""
    return (cards - 1).bit_length()


def riffles_to_restore__two_less_than_cards(cards):
    """It worked for 54 and for 10,038."""
    return 8 if cards == 52 else cards - 2


def riffles_to_restore__gives_recur(cards):
    """Forgets to decorate: what comes back is an order to call again."""

    def follow(place, riffles):
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


def penalties__free_cards_too(hand):
    """Maps and forgets to filter."""
    return tuple(map(penalty, hand))


def penalties__a_promise(hand):
    """What `filter` gives is a tuple."""
    return filter(None, map(penalty, hand))


def penalties__a_generator(hand):
    """Parentheses make a tuple."""
    return (penalty(card) for card in hand if penalty(card) > 0)


def penalties__a_list(hand):
    """Brackets make a tuple as well."""
    return [penalty(card) for card in hand if penalty(card)]


def penalties__the_cards(hand):
    """Filters and forgets to map."""
    return tuple(card for card in hand if penalty(card) > 0)


def penalties__each_once(hand):
    """A set drops what is not needed."""
    return tuple(dict.fromkeys(cost for cost in map(penalty, hand) if cost))


def penalties__sorted(hand):
    """Penalties come in order of size."""
    return tuple(sorted(cost for cost in map(penalty, hand) if cost))


def penalties__ones_dropped(hand):
    """Greater than one, not than zero."""
    return tuple(cost for cost in map(penalty, hand) if cost > 1)


def winning_card__highest_of_all(trick):
    """The highest card wins, whatever its suit."""

    def rank(card):
        return 99 if isinstance(card, Joker) else card.n if isinstance(card, Number) else card.court.value

    return max(trick, key=rank)


def winning_card__compares_with_the_leader_only(trick):
    """The last card that beats the leader's wins."""
    return ([card for card in trick if beats(card, trick[0])] or [trick[0]])[-1]


def winning_card__first_that_beats_the_leader(trick):
    """The first card that beats the leader's wins."""
    return next((card for card in trick if beats(card, trick[0])), trick[0])


def winning_card__from_the_right(trick):
    """A fold is a fold."""
    *others, last = trick
    return fold_right(lambda card, best: card if beats(card, best) else best, last, others)


def winning_card__arguments_of_beats_swapped(trick):
    """Asks if the best so far beats the next one."""
    return fold_left(lambda best, card: card if beats(best, card) else best, trick[0], trick[1:])


def winning_card__unless_the_best_beats_it(trick):
    """A card that is not beaten wins."""
    return fold_left(lambda best, card: best if beats(best, card) else card, trick[0], trick[1:])


def winning_card__compares_with_the_card_before(trick):
    """Each card must beat the one played just before it."""
    pairs = zip(trick, trick[1:])
    return fold_left(lambda best, pair: pair[1] if beats(pair[1], pair[0]) else best, trick[0], pairs)


def winning_card__always_the_leader(trick):
    """Who leads wins."""
    return trick[0]


def winning_card__its_place(trick):
    """Gives where the winning card lies."""
    return trick.index(fold_left(lambda best, card: card if beats(card, best) else best, trick[0], trick[1:]))


def pile_up__last_on_top(cards):
    """The left fold lays the first card down first."""
    return fold_left(lambda pile, card: On(card, pile), Table(), cards)


def pile_up__parts_swapped(cards):
    """A pile on a card."""
    return fold_right(lambda card, pile: On(pile, card), Table(), cards)


def pile_up__table_is_none(cards):
    """Nothing is below the last card."""
    return fold_right(On, None, cards)


def pile_up__no_table(cards):
    """The last card is what it all lies on."""
    return fold_right(On, cards[-1], cards[:-1]) if cards else Table()


def pile_up__class_for_value(cards):
    """`Table` is the bare table."""
    return fold_right(On, Table, cards)


def pile_up__pairs(cards):
    """A pair of a card and a pile is a pile."""
    return fold_right(lambda card, pile: (card, pile), Table(), cards)


def pile_up__first_lost(cards):
    """The fold starts with the first card."""
    return fold_right(On, Table(), cards[1:])


def kindest_rule__dearest(hand, rules):
    """Kind to the others."""
    return max(rules, key=lambda rule: sum(map(rule, hand)))


def kindest_rule__its_total(hand, rules):
    """Gives what the rule says instead of the rule."""
    return min(sum(map(rule, hand)) for rule in rules)


def kindest_rule__last_of_a_tie(hand, rules):
    """A later rule that is as kind wins."""
    return min(rules[::-1], key=lambda rule: sum(map(rule, hand)))


def kindest_rule__dearest_card(hand, rules):
    """Compares what the dearest card costs."""
    return min(rules, key=lambda rule: max(map(rule, hand), default=0))


def kindest_rule__first_card(hand, rules):
    """Compares the first card."""
    return min(rules, key=lambda rule: rule(hand[0]) if hand else 0)


def kindest_rule__its_place(hand, rules):
    """Gives which one of the rules it is."""
    return rules.index(min(rules, key=lambda rule: sum(map(rule, hand))))


def kindest_rule__a_function_around_it(hand, rules):
    """Gives a function that does the same."""
    kindest = min(rules, key=lambda rule: sum(map(rule, hand)))
    return lambda card: kindest(card)


def kindest_rule__first_rule(hand, rules):
    """The rules stand in order of kindness."""
    return rules[0]


def goes_with__one_call_only(led, card):
    """Forgets that it is curried."""
    return isinstance(card, Joker) or card.suit is led


def goes_with__one_argument_only(led):
    """A function in a function is curried, and nothing else is."""
    return lambda card: isinstance(card, Joker) or card.suit is led


@curry
def goes_with__asks_the_joker_for_its_suit(led, card):
    """Every card has a suit."""
    return card.suit is led or card == Joker()


@curry
def goes_with__joker_never(led, card):
    """A joker has no suit, so it follows none."""
    return not isinstance(card, Joker) and card.suit is led


@curry
def goes_with__captures(led, card):
    """`Number(_, led)` asks if the suit is the one that was led."""
    match card:
        case Joker():
            return True
        case Number(_, led) | Face(_, led):
            return True
        case _:
            return False


@curry
def goes_with__card_first(card, led):
    """The card comes first."""
    return isinstance(card, Joker) or card.suit is led


@curry
def goes_with__numbers_only(led, card):
    """Faces belong to no suit."""
    match card:
        case Joker():
            return True
        case Number(_, suit):
            return suit is led
    return False


def total_penalty__composed_backwards(hand):
    """`compose` reads from left to right."""
    return compose(penalties, sum)(hand)


def total_penalty__greatest(hand):
    """The dearest card counts."""
    return max(penalties(hand), default=0)


def total_penalty__number_of_cards(hand):
    """Counts the cards that cost."""
    return compose(len, penalties)(hand)


def total_penalty__each_penalty_once(hand):
    """A penalty counts once."""
    return compose(sum, set, penalties)(hand)


def total_penalty__makes_the_function(hand):
    """The exercise asks for a function, so a function is given back."""
    return compose(sum, penalties)


total_penalty__is_a_number = 27
"""Calls where it should compose: the value is the total of the example."""

total_penalty__is_a_pair = (sum, lambda hand: tuple(cost for cost in map(face_value, hand) if cost))
"""To compose is to put two functions side by side."""


def least_penalty__zero_is_none(led, hand):
    """`or None` stands for "if there is no answer"."""
    return min(map(penalty, filter(goes_with(led), hand)), default=None) or None


def least_penalty__none_is_zero(led, hand):
    """Nothing costs nothing."""
    return min(map(penalty, filter(goes_with(led), hand)), default=0)


def least_penalty__none_is_minus_one(led, hand):
    """-1 says that there is none."""
    return min(map(penalty, filter(goes_with(led), hand)), default=-1)


def least_penalty__none_is_an_error(led, hand):
    """There always is a card that goes."""
    return min(map(penalty, filter(goes_with(led), hand)))


def least_penalty__any_suit(led, hand):
    """Every card of the hand is in question."""
    return min(map(penalty, hand), default=None)


def least_penalty__free_cards_do_not_count(led, hand):
    """Uses `penalties`, which drops the cards that cost nothing."""
    return min(penalties(tuple(filter(goes_with(led), hand))), default=None)


def least_penalty__without_jokers(led, hand):
    """Only cards of the suit go with it."""
    return min((penalty(card) for card in hand if not isinstance(card, Joker) and card.suit is led), default=None)


def least_penalty__first_that_goes(led, hand):
    """The first card that goes is the answer."""
    return next(map(penalty, filter(goes_with(led), hand)), None)


def least_penalty__greatest(led, hand):
    """Wants to be rid of the dearest card."""
    return max(map(penalty, filter(goes_with(led), hand)), default=None)


def least_penalty__the_card(led, hand):
    """Gives the card instead of what it costs."""
    return min(filter(goes_with(led), hand), key=penalty, default=None)


def charge__score_replaced(player, trick):
    """The new score is what the trick costs."""
    return replace(player, score=total_penalty(trick))


def charge__score_taken_off(player, trick):
    """Penalties are taken off the score."""
    return replace(player, score=player.score - total_penalty(trick))


def charge__takes_the_cards(player, trick):
    """Who takes the trick has its cards in hand."""
    return replace(player, hand=player.hand + trick, score=player.score + total_penalty(trick))


def charge__hand_lost(player, trick):
    """A new player starts without cards."""
    return Player(player.name, (), player.score + total_penalty(trick))


def charge__assigns(player, trick):
    """Parts of a value can be assigned to."""
    player.score += total_penalty(trick)
    return player


def charge__the_score(player, trick):
    """Gives the new score, not the new player."""
    return player.score + total_penalty(trick)


def charge__counts_cards(player, trick):
    """One point for each card."""
    return replace(player, score=player.score + len(penalties(trick)))


def charge__pays_for_own_cards(player, trick):
    """The player pays for the cards in hand as well."""
    return replace(player, score=player.score + total_penalty(player.hand + trick))


def charge__replaced_and_forgotten(player, trick):
    """`replace` changes the player."""
    replace(player, score=player.score + total_penalty(trick))
    return player
