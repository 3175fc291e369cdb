"""Plausible mistakes in the bots, each named for what its author believes."""

from course.bots import *


def by_value__descending(hand):
    """The best card first."""
    return tuple(sorted(hand, key=lambda card: -card.value))


def by_value__reversed_twice(hand):
    """Sorting from high to low and turning the result round is the same as sorting from low to high.

    Not for cards of equal value: either sort keeps their order, so turning the result round puts the last of them
    first.
    """
    return tuple(sorted(hand[::-1], key=lambda card: card.value))


def by_value__a_list(hand):
    """`sorted` returns a hand."""
    return sorted(hand, key=lambda card: card.value)


def by_value__colors_within_values(hand):
    """Equal values go by colour."""
    return tuple(sorted(hand, key=lambda card: (card.value, COLORS.index(card.color) if card.color else 4)))


def by_value__without_doubles(hand):
    """A hand is a set of cards."""
    return tuple(sorted(dict.fromkeys(hand), key=lambda card: card.value))


def by_value__by_color(hand):
    """A hand in order has its colours together."""
    return tuple(sorted(hand, key=lambda card: COLORS.index(card.color) if card.color else 4))


def by_value__by_place_in_the_hand(hand):
    """For cards of equal value to keep their order, their places must be compared too.

    `sorted` keeps that order by itself. And `index` knows only the first of equal cards, so that a card that is there
    twice leaves its second place.
    """
    return tuple(sorted(hand, key=lambda card: (card.value, hand.index(card))))


def fits__colour_of_the_top_card(card, top, color):
    """The colour to follow is the colour of the top card.

    After a wild, it is the colour that was called. The wild on top has no colour itself; `color` is the one to
    follow.
    """
    return card.color is top.color or card.value == top.value < WILD or card.value == WILD


def fits__wild_draw_four_too(card, top, color):
    """All wilds go on everything.

    A wild draw four goes only if nothing else in the hand does, and one card alone cannot tell that. So here it never
    fits; `playable_cards` is where it comes in.
    """
    return card.color is color or card.value == top.value or is_wild(card)


def fits__wild_draw_four_on_its_like(card, top, color):
    """Cards of equal value always fit on each other.

    Wild draw fours don't: they have equal values, but may be played only if nothing else can. That depends on the
    hand, so a single one never fits.
    """
    return card.color is color or card.value == top.value or card.value == WILD


def fits__colour_only(card, top, color):
    """One follows the colour."""
    return card.color is color or card.value == WILD


def fits__no_wilds(card, top, color):
    """A card goes by colour or by value."""
    return card.color is color or card.value == top.value < WILD


def fits__colour_and_value(card, top, color):
    """Both have to agree."""
    return card.color is color and card.value == top.value or card.value == WILD


def fits__digits_only_by_value(card, top, color):
    """Actions go by their colour."""
    return card.color is color or card.value == top.value < DRAW_TWO or card.value == WILD


def fits__bare_name_in_a_case(card, top, color):
    """`case Card(_, WILD)` matches the wilds only.

    A bare name in a pattern matches any value, and becomes a new name for it: `Card(_, WILD)` matches every card.
    Compare with `==` instead.
    """
    match card:
        case Card(_, WILD):
            return True
        case Card(_, WILD_DRAW_FOUR):
            return False
    return card.color is color or card.value == top.value


def playable_cards__wild_draw_four_always(view):
    """A wild draw four can always be played.

    You may play it only when nothing else can be played. If any card fits, even a plain wild, leave the wild draw
    fours out.
    """
    return by_value(tuple(c for c in view.hand if is_wild(c) or fits(c, view.top, view.color)))


def playable_cards__wild_draw_four_never(view):
    """A card can be played if and only if it fits.

    `fits` looks at a single card, and it is never true for a wild draw four. But if no other card of the hand fits,
    the wild draw fours can be played.
    """
    return by_value(tuple(c for c in view.hand if fits(c, view.top, view.color)))


def playable_cards__wild_draw_four_without_the_colour(view):
    """A player who cannot follow the colour may play a wild draw four.

    That is a well-known rule, but here it is stricter. No other card of the hand may fit at all: not by its colour,
    not by its value, and not as a plain wild.
    """
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    four = (
        ()
        if any(c.color is view.color for c in view.hand)
        else tuple(c for c in view.hand if c.value == WILD_DRAW_FOUR)
    )
    return by_value(fitting + four)


def playable_cards__wild_draw_four_beside_a_wild(view):
    """A plain wild in the hand does not prevent a wild draw four.

    It does. A plain wild always fits, so there is something else to play, and the wild draw fours have to wait.
    """
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    if all(is_wild(card) for card in fitting):
        return by_value(fitting + tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR))
    return by_value(fitting)


def playable_cards__as_in_the_hand(view):
    """The order does not matter."""
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return fitting or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR)


def playable_cards__descending(view):
    """The best card first."""
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return by_value(fitting)[::-1] or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR)


def playable_cards__one_wild_draw_four(view):
    """One of the wild draw fours is enough."""
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return by_value(fitting) or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR)[:1]


def is_sound__nothing_is_always_allowed(view, card):
    """Playing nothing never breaks a rule.

    A player who can play must. Playing nothing is sound only if no card of the hand can be played.
    """
    return card is None or card in playable_cards(view)


def is_sound__nothing_is_never_allowed(view, card):
    """A choice is a card that can be played.

    There may be none: then nothing, None, is the only sound choice.
    """
    return card in playable_cards(view)


def is_sound__cards_out_of_nowhere(view, card):
    """A card that goes on the top card may be played.

    Only if it is one of the hand: `fits` knows nothing of the hand, and tells it of any card there is.
    """
    if card is None:
        return not playable_cards(view)
    goes = any(fits(held, view.top, view.color) for held in view.hand)
    return fits(card, view.top, view.color) or card.value == WILD_DRAW_FOUR and not goes


def is_sound__any_card_of_the_hand(view, card):
    """Any card of the hand may be played, and nothing if the hand is empty."""
    return card in (view.hand or (None,))


def is_sound__what_fits(view, card):
    """A card can be played if and only if it fits.

    `fits` looks at a single card, and it is never true for a wild draw four. But if no other card of the hand fits,
    a wild draw four can be played, and must be.
    """
    return card in (tuple(held for held in view.hand if fits(held, view.top, view.color)) or (None,))


def is_sound__wild_draw_four_always(view, card):
    """A wild draw four can always be played.

    It comes out only when nothing else can be played: as long as any card fits, a plain wild too, it is a foul.
    """
    goes = tuple(held for held in view.hand if is_wild(held) or fits(held, view.top, view.color))
    return card in (goes or (None,))


def is_sound__wild_draw_four_beside_a_wild(view, card):
    """A plain wild in the hand does not prevent a wild draw four.

    It does. A plain wild always fits, so there is something else to play, and a wild draw four is a foul.
    """
    coloured = any(not is_wild(held) and fits(held, view.top, view.color) for held in view.hand)
    wilds = () if coloured else tuple(held for held in view.hand if is_wild(held))
    return card in (playable_cards(view) + wilds or (None,))


def is_sound__only_the_lowest(view, card):
    """The lowest card that goes is the one to play."""
    return card == next(iter(playable_cards(view)), None)


def most_common_color__counts_wilds(hand):
    """Wilds have a colour too: None."""
    colors = tuple(card.color for card in hand)
    return max((*COLORS, None), key=colors.count) if colors else None


def most_common_color__last_of_ties(hand):
    """If a later colour is as common as the best so far, either of them will do.

    The first of them in the order of `COLORS` is wanted: a later one has to be more common to take its place.
    """
    colors = tuple(card.color for card in hand if card.color)
    return max(COLORS[::-1], key=colors.count) if colors else None


def most_common_color__first_held(hand):
    """Of equally common colours it is the one that comes first in the hand.

    It is the first in the order of `COLORS`. `max` gives the first of equals that it meets, so it matters in what order
    it is offered the colours.
    """
    colors = tuple(card.color for card in hand if card.color)
    return max(colors, key=colors.count) if colors else None


def most_common_color__alphabetical_ties(hand):
    """Ties go by the alphabet."""
    colors = tuple(card.color for card in hand if card.color)
    return max((BLUE, GREEN, RED, YELLOW), key=colors.count) if colors else None


def most_common_color__red_for_want_of_any(hand):
    """One of the four colours is always the most common.

    Without coloured cards, all four colours occur equally often: never. Then `max` returns the first of them, red.
    Such a hand needs a separate answer.
    """
    return max(COLORS, key=tuple(card.color for card in hand).count)


def most_common_color__digits_only(hand):
    """Actions do not count."""
    colors = tuple(card.color for card in hand if card.value < DRAW_TWO)
    return max(COLORS, key=colors.count) if colors else None


def most_common_color__most_points(hand):
    """The colour whose cards are worth most."""
    colored = [c for c in hand if c.color]
    return max(COLORS, key=lambda k: sum(c.value for c in colored if c.color is k)) if colored else None


def stupid_play_card__highest(view):
    """High cards go first."""
    return playable_cards(view)[-1]


def stupid_play_card__first_of_the_hand(view):
    """The first card that goes, without sorting."""
    return next(card for card in view.hand if card in playable_cards(view))


def stupid_play_card__lowest_of_all(view):
    """The first card of the sorted hand."""
    return by_value(view.hand)[0]


def stupid_play_card__wild_draw_four_first(view):
    """A wild draw four is always a good card to play."""
    return next((card for card in view.hand if card.value == WILD_DRAW_FOUR), playable_cards(view)[0])


def stupid_play_card__all_of_them(view):
    """The playable cards are the answer."""
    return playable_cards(view)[:1]


def stupid_play_drawn__no_wild_draw_four(view):
    """Only a card that `fits` can be played.

    A wild draw four never fits, because of what else may be in the hand. But you drew since nothing there could be
    played, so now it goes.
    """
    return view.drawn is not None and fits(view.drawn, view.top, view.color)


def stupid_play_drawn__always(view):
    """One always plays what one draws."""
    return view.drawn is not None


def stupid_play_drawn__looks_at_the_hand(view):
    """The drawn card lies last in the hand."""
    return bool(view.hand) and (is_wild(view.hand[-1]) or fits(view.hand[-1], view.top, view.color))


def stupid_play_drawn__colour_only(view):
    """A drawn card must follow the colour."""
    return view.drawn is not None and (is_wild(view.drawn) or view.drawn.color is view.color)


def stupid_play_drawn__must_be_drawn(view):
    """There always is a drawn card."""
    return is_wild(view.drawn) or fits(view.drawn, view.top, view.color)


def stupid_play_drawn__none_for_false(view):
    """`view.drawn and ...` is `True` or `False`.

    `and` gives its left side as it is if that counts as false: here `None`, which is not `False`. Let the left side be
    a comparison.
    """
    return view.drawn and (is_wild(view.drawn) or fits(view.drawn, view.top, view.color))


def stupid_play_drawn__among_the_playable(view):
    """If the drawn card can be played, it is among the `playable_cards(view)`.

    These are cards of the hand, and the drawn card is not in the hand yet. Ask about that card itself.
    """
    return view.drawn in playable_cards(view)


def stupid_play_drawn__the_card_itself(view):
    """One answers with the card."""
    drawn = view.drawn
    return drawn if drawn is not None and (is_wild(drawn) or fits(drawn, view.top, view.color)) else None


def stupid_choose_color__most_common(view):
    """One calls what one has."""
    return most_common_color(view.hand) or RED


def stupid_choose_color__always_red(view):
    """Any colour will do."""
    return RED


def stupid_choose_color__another(view):
    """It has to be another colour."""
    return tuple(color for color in COLORS if color is not view.color)[view.roll % 3]


def stupid_choose_color__top_of_the_roll(view):
    """Equal parts of the range are fair too."""
    return COLORS[view.roll * 4 // 27720]


def stupid_choose_color__counts_from_one(view):
    """Places begin at 1.

    They begin at 0, just as the remainders do. Subtracting 1 gives the colour before, and for 0 the last one, since -1
    is a place as well.
    """
    return COLORS[view.roll % 4 - 1]


stupid_player__another_order = Bot("StupidPlayer", stupid_play_card, stupid_choose_color, stupid_play_drawn)
stupid_player__nameless = Bot("stupid_player", stupid_play_card, stupid_play_drawn, stupid_choose_color)
stupid_player__a_tuple = ("StupidPlayer", stupid_play_card, stupid_play_drawn, stupid_choose_color)


def highest__lowest(condition, cards):
    """The first one found."""
    return next(filter(condition, by_value(cards)), None)


def highest__first_of_equals(condition, cards):
    """`max` gives the last of several highest cards.

    It gives the first of them, and so does the beginning of a sort from high to low. Here the last in `cards` is
    wanted.
    """
    return max(filter(condition, cards), key=lambda card: card.value, default=None)


def highest__last_of_the_cards(condition, cards):
    """The cards are in order already, so the highest is the last.

    They may come in any order. Those of `playable_cards` are sorted by value, but `highest` has to work for all others,
    too.
    """
    return next(filter(condition, cards[::-1]), None)


def highest__of_all_cards(condition, cards):
    """If the condition does not hold for the highest card, there is no such card.

    It may hold for a lower one. See first which cards it holds for, and then which of those is the highest.
    """
    best = by_value(cards)[-1:]
    return best[0] if best and condition(best[0]) else None


def highest__raises_when_there_is_none(condition, cards):
    """Somebody will see to it that there is one."""
    return by_value(tuple(filter(condition, cards)))[-1]


def highest__condition_turned_round(condition, cards):
    """`filter` takes things out."""
    return next(reversed(by_value(tuple(card for card in cards if not condition(card)))), None)


def highest__zero_is_none(condition, cards):
    """If the highest value is false, there is no card.

    0 is false as well, and it is the value of a card. Ask for `None`, or whether there is a card at all.
    """
    top = max((card.value for card in cards if condition(card)), default=0)
    return next(card for card in reversed(cards) if card.value == top and condition(card)) if top else None


def highest__any_card_as_high(condition, cards):
    """The card is known by its value.

    Other cards may have the same value, and the condition need not hold for them.
    """
    best = max((card.value for card in cards if condition(card)), default=-1)
    return next((card for card in reversed(cards) if card.value == best), None)


def slow_next_player__fewer_than_three(view):
    """Three cards are not dangerous yet."""
    if view.counts[view.direction] > 2:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__four_is_few(view):
    """Up to four cards are few."""
    if view.counts[view.direction] > 4:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__draw_two_not_preferred(view):
    """Of the cards that slow, the highest is the best.

    A draw two has the lowest value of them, but comes before all others. Only if none can be played is the highest
    action or wild wanted.
    """
    if view.counts[view.direction] > 3:
        return None
    return highest(lambda c: c.value >= DRAW_TWO, playable_cards(view))


def slow_next_player__action_before_wild(view):
    """A wild is wanted only if there is no action.

    Without a draw two, actions and wilds count alike, and the highest of them all is wanted. So a wild comes before an
    action.
    """
    if view.counts[view.direction] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(is_action, cards) or highest(is_wild, cards)


def slow_next_player__no_wilds(view):
    """Wilds are no actions."""
    if view.counts[view.direction] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(is_action, cards)


def slow_next_player__lowest_action(view):
    """The first action found is good enough."""
    if view.counts[view.direction] > 3:
        return None
    return next((c for c in playable_cards(view) if c.value >= DRAW_TWO), None)


def slow_next_player__ignores_direction(view):
    """The next player is always the one at place 1 of `counts`.

    Only while the direction is 1. In the other direction it is the player on your other side, who comes last in
    `counts`.
    """
    if view.counts[1] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__own_cards(view):
    """It is the own number of cards that counts."""
    if view.counts[0] > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__anybody(view):
    """Anybody with few cards is dangerous."""
    if min(view.counts[1:]) > 3:
        return None
    cards = playable_cards(view)
    return highest(lambda c: c.value == DRAW_TWO, cards) or highest(lambda c: c.value >= DRAW_TWO, cards)


def slow_next_player__whole_hand(view):
    """A draw two in the hand is a draw two."""
    if view.counts[view.direction] > 3:
        return None
    return highest(lambda c: c.value == DRAW_TWO, view.hand) or highest(
        lambda c: c.value >= DRAW_TWO, playable_cards(view)
    )


def slow_next_player__no_card_asked_whether_it_goes(view):
    """Any action or wild of the hand can be played.

    An action has to fit by its colour or its value, and a wild draw four only fits if nothing else does. Choose
    among the playable cards.
    """
    if view.counts[view.direction] > 3:
        return None
    return highest(lambda c: c.value == DRAW_TWO, view.hand) or highest(lambda c: c.value >= DRAW_TWO, view.hand)


def slow_next_player__wild_before_action(view):
    """Wild draw fours hurt most, so wilds come first."""
    if view.counts[view.direction] > 3:
        return None
    return highest(is_wild, playable_cards(view)) or highest(is_action, playable_cards(view))


def has_spare_action__one_is_enough(cards):
    """An action is there to be played."""
    return any(map(is_action, cards))


def has_spare_action__two_only(cards):
    """Two are needed."""
    return sum(map(is_action, cards)) >= 2


def has_spare_action__wilds_are_actions(cards):
    """Wilds count among the actions."""
    return sum(card.value >= DRAW_TWO for card in cards) >= 2 or any(
        one.color is two.color for one in cards for two in cards if is_action(one) and not is_action(two)
    )


def has_spare_action__more_than_two(cards):
    """More than one means two are too few."""
    actions = [card for card in cards if is_action(card)]
    return len(actions) > 2 or any(c.color is a.color for a in actions for c in cards if not is_action(c))


def has_spare_action__beside_itself(cards):
    """A card of the action's colour is always another card.

    The action is among the cards itself, and has its own colour, so such a card is always found. Only those that are no
    actions count here.
    """
    actions = [card for card in cards if is_action(card)]
    return len(actions) >= 2 or any(card.color is a.color for a in actions for card in cards)


def has_spare_action__any_other_card(cards):
    """Any other card will do."""
    return any(map(is_action, cards)) and len(cards) > 1


def has_spare_action__same_value(cards):
    """Two actions count only if they are different."""
    actions = {card.value for card in cards if is_action(card)}
    return len(actions) >= 2 or any(
        one.color is two.color for one in cards for two in cards if is_action(one) and not is_action(two)
    )


def has_spare_action__equal_ones_count_once(cards):
    """Equal actions are one.

    A set forgets repetition. Two equal cards are two cards, though, and if both are actions, one of them is to spare.
    """
    actions = tuple(filter(is_action, cards))
    beside = any(card.color is actions[0].color for card in cards if not is_action(card)) if actions else False
    return len(set(actions)) >= 2 or beside


def spend_spare_action__an_action(view):
    """If there is an action to spare, it is an action that is played.

    The rule only asks whether there is one to spare. The highest playable card goes then, whatever it is, and with a
    plain wild in the hand that is the wild.
    """
    cards = playable_cards(view)
    return highest(is_action, cards) if has_spare_action(cards) else None


def spend_spare_action__counts_the_hand(view):
    """All actions of the hand count.

    Only playable cards count, both as actions and as other cards of the same colour. An action that does not fit on
    the top card now is not to spare.
    """
    cards = playable_cards(view)
    return cards[-1] if cards and has_spare_action(view.hand) else None


def spend_spare_action__lowest(view):
    """The first one that can be played."""
    cards = playable_cards(view)
    return cards[0] if has_spare_action(cards) else None


def spend_spare_action__always(view):
    """Spend what there is."""
    cards = playable_cards(view)
    return cards[-1] if cards else None


def spend_spare_action__first_of_equals(view):
    """`max` gives the last of several highest cards.

    It gives the first of them. The playable cards are sorted already, and equals are in the order of the hand, so the
    card that is wanted is at their end.
    """
    cards = playable_cards(view)
    return max(cards, key=lambda card: card.value) if has_spare_action(cards) else None


def follow_color__actions_too(view):
    """The highest card of the colour."""
    return highest(lambda card: card.color is view.color, playable_cards(view))


def follow_color__lowest(view):
    """The first card of the colour."""
    return next((c for c in playable_cards(view) if c.color is view.color and c.value < DRAW_TWO), None)


def follow_color__any_digit(view):
    """The highest digit that goes."""
    return highest(lambda card: card.value < DRAW_TWO, playable_cards(view))


def follow_color__colour_of_the_top_card(view):
    """The colour to follow is the colour of the top card.

    After a wild, it is the colour that was called. The wild on top has no colour itself; `view.color` is the one to
    follow.
    """
    return highest(lambda card: card.color is view.top.color and card.value < DRAW_TWO, playable_cards(view))


def follow_color__no_nines(view):
    """Digits end before 9."""
    return highest(lambda card: card.color is view.color and card.value < 9, playable_cards(view))


def follow_color__zero_is_false(view):
    """A card has a value, or it has none."""
    return highest(lambda card: card.color is view.color and 0 < card.value < DRAW_TWO, playable_cards(view))


def change_to_common_color__none_is_a_colour(view):
    """If there is no most common colour, no card can have it.

    A wild can: its colour is `None`, and so is the most common colour of a hand of wilds. The two are the same, but
    neither is a colour, so no card is the answer.
    """
    common = most_common_color(view.hand)
    return highest(lambda card: card.color is common and card.value == view.top.value, playable_cards(view))


def change_to_common_color__counts_the_playable(view):
    """The most common colour is counted among the cards that can be played.

    It is the colour that you hold most of, counted over the whole hand. Only the card itself has to be one that can be
    played.
    """
    cards = playable_cards(view)
    common = most_common_color(cards)
    return highest(lambda card: card.color is common is not None and card.value == view.top.value, cards)


def change_to_common_color__any_value(view):
    """The highest card of the most common colour."""
    common = most_common_color(view.hand)
    return highest(lambda card: card.color is common is not None, playable_cards(view))


def change_to_common_color__any_colour(view):
    """A card of that value, of whatever colour."""
    return highest(lambda card: card.value == view.top.value < WILD, playable_cards(view))


def change_to_common_color__must_be_another(view):
    """A change means another colour.

    This stage only asks for the value on top in the colour you hold most of. That may be the colour to follow, and then
    such a card counts as well.
    """
    common = most_common_color(view.hand)
    if common is view.color:
        return None
    return highest(lambda card: card.color is common and card.value == view.top.value < WILD, playable_cards(view))


def change_to_common_color__digits_only(view):
    """Only digits have a value that counts."""
    common = most_common_color(view.hand)
    return highest(lambda card: card.color is common and card.value == view.top.value < DRAW_TWO, playable_cards(view))


def change_to_common_color__commonest_of_that_value(view):
    """It is the most common of those colours that have the value on top.

    The whole hand settles the colour first. If no card of that colour has the value on top, this stage has no card,
    even if other colours have one.
    """
    cards = tuple(c for c in playable_cards(view) if c.value == view.top.value < WILD)
    count = tuple(card.color for card in view.hand).count
    return max(cards, key=lambda card: count(card.color), default=None)


def match_value__first_of_equals(view):
    """The first card found with the value will do.

    Cards of one value may differ in colour, and the rule takes the last of them in the hand. A search from the front
    finds the first.
    """
    return next((card for card in playable_cards(view) if card.value == view.top.value), None)


def match_value__no_wilds(view):
    """Wilds have no value."""
    return highest(lambda card: card.value == view.top.value < WILD, playable_cards(view))


def match_value__another_colour(view):
    """It is another colour that is wanted."""
    return highest(lambda card: card.value == view.top.value and card.color is not view.color, playable_cards(view))


def match_value__whole_hand(view):
    """A card with the value of the top card can be played.

    A wild draw four cannot be played on another if something else can. `playable_cards` takes care of that: choose
    among those.
    """
    return highest(lambda card: card.value == view.top.value, view.hand)


def match_value__as_high_as(view):
    """At least the value."""
    return highest(lambda card: card.value >= view.top.value, playable_cards(view))


def highest_playable__lowest(view):
    """Any card will do by now."""
    return next(iter(playable_cards(view)), None)


def highest_playable__wilds_only(view):
    """Only wilds are left."""
    return highest(is_wild, playable_cards(view))


def highest_playable__of_the_hand(view):
    """The highest card of the hand."""
    return next(reversed(by_value(view.hand)), None)


def highest_playable__there_is_one(view):
    """There always is a card."""
    return playable_cards(view)[-1]


def highest_playable__first_of_equals(view):
    """`max` gives the last of several highest cards.

    It gives the first of them. The playable cards are sorted already, and equals are in the order of the hand, so the
    card that is wanted is at their end.
    """
    return max(playable_cards(view), key=lambda card: card.value, default=None)


def first_answer__asks_everybody(stages, view):
    """To find the first answer, collect the answers of all stages and look through them.

    That asks every stage, also those after the first answer, and one of these may raise an exception. A stage may be
    asked only if all before it had no answer.
    """
    answers = tuple(stage(view) for stage in stages)
    return next((card for card in answers if card is not None), None)


def first_answer__asks_twice(stages, view):
    """A stage may be asked again, since a pure function gives the same answer.

    It does, but all its work is done a second time, and here each stage may be asked only once. Keep its answer under a
    name.
    """
    return next((stage(view) for stage in stages if stage(view) is not None), None)


def first_answer__last_one(stages, view):
    """The most general stage comes first."""
    return next((card for stage in stages[::-1] if (card := stage(view)) is not None), None)


def first_answer__or_turned_round(stages, view):
    """`stage(view) or found` keeps the answer that was found.

    `or` evaluates its left side first, and returns it if it is a card. So every stage is called, and the last
    answer wins. Put the answer that was found first.
    """
    return fold_left(lambda found, stage: stage(view) or found, None, stages)


def first_answer__only_the_first_stage(stages, view):
    """The first stage decides."""
    return stages[0](view) if stages else None


def first_answer__someone_answers(stages, view):
    """`next` gives `None` if no stage has an answer.

    It does so only if `None` is its second argument; without one it raises `StopIteration`.
    """
    return next(card for stage in stages if (card := stage(view)) is not None)


def smart_play_card__without_stage_1(view):
    """Spare actions first."""
    stages = spend_spare_action, follow_color, change_to_common_color, match_value, highest_playable
    return first_answer(stages, view)


def smart_play_card__without_stage_2(view):
    """Actions are kept for the end."""
    stages = slow_next_player, follow_color, change_to_common_color, match_value, highest_playable
    return first_answer(stages, view)


def smart_play_card__value_before_colour(view):
    """A change of colour before following."""
    stages = slow_next_player, spend_spare_action, change_to_common_color, match_value, follow_color, highest_playable
    return first_answer(stages, view)


def smart_play_card__spare_action_first(view):
    """Stage 2 before stage 1."""
    stages = spend_spare_action, slow_next_player, follow_color, change_to_common_color, match_value, highest_playable
    return first_answer(stages, view)


def smart_play_card__any_value_first(view):
    """It does not matter which of stages 4 and 5 comes first.

    Wherever stage 4 has a card, stage 5 has one too, perhaps of another colour. If stage 5 is asked first, stage 4
    never decides.
    """
    stages = slow_next_player, spend_spare_action, follow_color, match_value, change_to_common_color, highest_playable
    return first_answer(stages, view)


def smart_play_card__five_stages(view):
    """The last stage is never needed."""
    return first_answer((slow_next_player, spend_spare_action, follow_color, change_to_common_color, match_value), view)


def smart_play_card__highest(view):
    """The highest card that goes."""
    return highest_playable(view)


def smart_play_drawn__keeps_wilds(view):
    """A wild is worth keeping."""
    return view.drawn is not None and fits(view.drawn, view.top, view.color)


def smart_play_drawn__always(view):
    """One always plays what one draws."""
    return True


def smart_play_drawn__never(view):
    """More cards give more choice."""
    return False


def smart_choose_color__random(view):
    """As the text of the source says: any colour."""
    return COLORS[view.roll % 4]


def smart_choose_color__same_colour_allowed(view):
    """Without coloured cards any of the four colours may be called.

    A change is wanted then: the roll picks one of the three colours that are not `view.color`.
    """
    return most_common_color(view.hand) or COLORS[view.roll % 4]


def smart_choose_color__colour_of_the_top_card(view):
    """The colour followed until now is that of the top card.

    On top lies the wild just played, which has no colour, so none of the four is left out. `view.color` is what was
    followed until now.
    """
    others = tuple(color for color in COLORS if color is not view.top.color)
    return most_common_color(view.hand) or others[view.roll % 3]


def smart_choose_color__never_the_same(view):
    """It has to be another colour, even if most cards have the one followed until now.

    If the hand has coloured cards, their most common colour is called, whichever it is. Only a hand without any wants a
    change.
    """
    others = tuple(color for color in COLORS if color is not view.color)
    hand = tuple(card for card in view.hand if card.color is not view.color)
    return most_common_color(hand) or others[view.roll % 3]


def smart_choose_color__first_of_the_others(view):
    """The first other colour will do."""
    return most_common_color(view.hand) or next(color for color in COLORS if color is not view.color)


def smart_choose_color__may_be_none(view):
    """There always is a most common colour."""
    return most_common_color(view.hand)


def smart_choose_color__others_turned_round(view):
    """The others, from the last."""
    others = tuple(color for color in COLORS[::-1] if color is not view.color)
    return most_common_color(view.hand) or others[view.roll % 3]


smart_player__with_a_random_colour = Bot("SmartPlayer", smart_play_card, smart_play_drawn, stupid_choose_color)
smart_player__nameless = Bot("", smart_play_card, smart_play_drawn, smart_choose_color)
smart_player__called_stupid = Bot("StupidPlayer", smart_play_card, smart_play_drawn, smart_choose_color)


def win_rate__same_seats(first, second, seeds):
    """It does not matter which bot is at which place.

    The bot that begins may have an advantage, so they change seats. In every other game `second` is at place 0, and
    `first` at place 1.
    """
    return sum(play_game((first, second), seed).winner == 0 for seed in seeds) / len(seeds)


def win_rate__place_0_wins(first, second, seeds):
    """The winner is 0 whenever `first` has won.

    `winner` is a place. In every other game `first` sits at place 1, and has won if that is the winner.
    """
    return sum(
        play_game((second, first) if k % 2 else (first, second), seed).winner == 0 for k, seed in enumerate(seeds)
    ) / len(seeds)


def win_rate__begins_second(first, second, seeds):
    """They have changed seats in the first game already.

    The games are counted from 0. In game 0 `first` still sits at place 0, and only in game 1 have they changed seats.
    """
    return sum(
        play_game((first, second) if k % 2 else (second, first), seed).winner == 1 - k % 2
        for k, seed in enumerate(seeds)
    ) / len(seeds)


def win_rate__seeds_seat_them(first, second, seeds):
    """In games 1, 3, 5 ... the seed is odd.

    A seed only decides which cards are dealt. The number of the game decides the seats, and that is the place of
    its seed in `seeds`.
    """
    games = ((play_game((second, first) if seed % 2 else (first, second), seed), seed % 2) for seed in seeds)
    return sum(game.winner == place for game, place in games) / len(seeds)


def win_rate__percent(first, second, seeds):
    """A rate is a percentage."""
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return 100 * sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds)


def win_rate__number_of_wins(first, second, seeds):
    """How often the first one wins."""
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return sum(game.winner == k % 2 for k, game in enumerate(games))


def win_rate__sets(first, second, seeds):
    """One set for each seed is enough."""
    games = (play_set((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds)


def win_rate__of_the_second(first, second, seeds):
    """Somebody's rate."""
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return sum(game.winner != k % 2 for k, game in enumerate(games)) / len(seeds)


def win_rate__a_game_for_each_different_seed(first, second, seeds):
    """No seed is there twice.

    One may be. In a dictionary the second game with a seed takes the place of the first, though the two were played
    with changed seats.
    """
    games = {seed: play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds)}
    return sum(games[seed].winner == k % 2 for k, seed in enumerate(seeds)) / len(seeds)


def win_rate__whole_numbers_where_they_will_do(first, second, seeds):
    """A rate of 1 is the number 1."""
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    rate = sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds)
    return int(rate) if rate in (0, 1) else rate


def win_rate__rounded(first, second, seeds):
    """Two digits after the point are enough."""
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return round(sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds), 2)


def champion__copy_of_smart_player():
    """Nobody is better than SmartPlayer."""
    return smart_player


def champion__copy_of_stupid_player():
    """Simple is best."""
    return stupid_player


def champion__gives_the_duel():
    """It is the duel that is judged."""
    return duel(smart_player, stupid_player, (1, 2))


def champion__claims_to_have_won():
    """Only the result counts."""
    return Duel((1, 1), ())


def champion__wild_draw_four_at_once():
    """A wild draw four always helps."""

    def play_card(view):
        return next((card for card in view.hand if card.value == WILD_DRAW_FOUR), None) or smart_play_card(view)

    return Bot("Hasty", play_card, smart_play_drawn, smart_choose_color)


def champion__three_functions():
    """Three functions are a bot, whatever they are put into."""
    return smart_play_card, smart_play_drawn, smart_choose_color


def champion__answers_called():
    """A bot is made of what its functions give."""
    view = View(DECK[:7], DECK[0], RED)
    return Bot("Called", smart_play_card(view), smart_play_drawn(view), smart_choose_color(view))


def champion__place_of_the_card():
    """A card is named by its place in the hand."""

    def play_card(view):
        return view.hand.index(smart_play_card(view))

    return Bot("Places", play_card, smart_play_drawn, smart_choose_color)
