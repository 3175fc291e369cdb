"""The bots by recursion over hands, first card and rest."""

from course.bots import *


def merged(left, right):
    match left, right:
        case ((), cards) | (cards, ()):
            return cards
        case ((first, *others), (second, *_)) if first.value <= second.value:
            return first, *merged(tuple(others), right)
        case (_, (second, *others)):
            return second, *merged(left, tuple(others))


def by_value(hand):
    half = len(hand) // 2
    return merged(by_value(hand[:half]), by_value(hand[half:])) if half else hand


def fits(card, top, color):
    match card:
        case Card(None, value):
            return value == WILD
        case Card(own, value):
            return own is color or value == top.value


def kept(condition, hand):
    match hand:
        case ():
            return ()
        case (first, *rest):
            return ((first,) if condition(first) else ()) + kept(condition, tuple(rest))


def playable_cards(view):
    fitting = kept(lambda card: fits(card, view.top, view.color), view.hand)
    return by_value(fitting if fitting else kept(lambda card: card.value == 14, view.hand))


def is_sound(view, card):
    def is_one_of(cards):
        match cards:
            case ():
                return False
            case (first, *rest):
                return first == card or is_one_of(tuple(rest))

    match playable_cards(view):
        case ():
            return card is None
        case cards:
            return is_one_of(cards)


def most_common_color(hand):
    def counted(hand, counts):
        match hand:
            case ():
                return counts
            case (Card(None, _), *rest):
                return counted(tuple(rest), counts)
            case (Card(color, _), *rest):
                place = COLORS.index(color)
                return counted(tuple(rest), counts[:place] + (counts[place] + 1,) + counts[place + 1 :])

    counts = counted(hand, (0, 0, 0, 0))
    return COLORS[counts.index(max(counts))] if sum(counts) else None


def stupid_play_card(view):
    card, *_ = playable_cards(view)
    return card


def stupid_play_drawn(view):
    match view.drawn:
        case None:
            return False
        case Card(None, _):
            return True
        case card:
            return fits(card, view.top, view.color)


def stupid_choose_color(view):
    return COLORS[divmod(view.roll, 4)[1]]


stupid_player = Bot("StupidPlayer", stupid_play_card, stupid_play_drawn, stupid_choose_color)


def highest(condition, cards):
    match kept(condition, cards):
        case ():
            return None
        case (only,):
            return only
        case (first, *rest):
            other = highest(lambda _: True, tuple(rest))
            return first if first.value > other.value else other


def slow_next_player(view):
    match view.counts[view.direction]:
        case 1 | 2 | 3:
            cards = playable_cards(view)
            twos = kept(lambda card: card.value == DRAW_TWO, cards)
            strong = kept(lambda card: is_wild(card) or is_action(card), cards)
            return (twos or strong or (None,))[-1]
        case _:
            return None


def has_spare_action(cards):
    match kept(is_action, cards), kept(lambda card: not is_action(card), cards):
        case (_, _, *_), _:
            return True
        case (action,), (_, *_) as others:
            return kept(lambda card: card.color is action.color, others) != ()
        case _:
            return False


def spend_spare_action(view):
    match playable_cards(view):
        case (*_, last) as cards if has_spare_action(tuple(cards)):
            return last
        case _:
            return None


def follow_color(view):
    return highest(lambda card: card.value < DRAW_TWO and card.color is view.color, view.hand)


def change_to_common_color(view):
    match most_common_color(view.hand):
        case None:
            return None
        case color:
            return highest(lambda card: (card.color, card.value) == (color, view.top.value), view.hand)


def match_value(view):
    match view.top.value, playable_cards(view):
        case _, ():
            return None
        case value, cards:
            return highest(lambda card: card.value == value, cards)


def highest_playable(view):
    return highest(lambda _: True, playable_cards(view))


def first_answer(stages, view):
    if not stages:
        return None
    card = stages[0](view)
    return first_answer(stages[1:], view) if card is None else card


def smart_play_card(view):
    return (
        slow_next_player(view)
        or spend_spare_action(view)
        or follow_color(view)
        or change_to_common_color(view)
        or match_value(view)
        or highest_playable(view)
    )


def smart_play_drawn(view):
    return stupid_play_drawn(view)


def smart_choose_color(view):
    match most_common_color(view.hand):
        case None:
            place = COLORS.index(view.color)
            return (COLORS[:place] + COLORS[place + 1 :])[view.roll % 3]
        case color:
            return color


smart_player = Bot("SmartPlayer", smart_play_card, smart_play_drawn, smart_choose_color)


def win_rate(first, second, seeds):
    def won(one, two, place, seeds):
        match seeds:
            case ():
                return 0
            case (seed, *rest):
                return (play_game((one, two), seed).winner == place) + won(two, one, 1 - place, tuple(rest))

    return won(first, second, 0, seeds) / len(seeds)


def champion():
    def company(card, hand):
        return len(kept(lambda other: other.color is card.color or other.value == card.value, hand))

    def better(view, one, two):
        urgent = view.counts[view.direction] <= 2
        worth = lambda card: (
            not is_wild(card),
            urgent and card.value in (DRAW_TWO, SKIP),
            -company(card, view.hand),
            card.value,
        )
        return one if worth(one) > worth(two) else two

    def play_card(view):
        first, *rest = playable_cards(view)
        return fold_left(partial(better, view), first, rest)

    def play_drawn(view):
        return stupid_play_drawn(view) and (view.counts[view.direction] < 5 or not is_wild(view.drawn))

    return Bot("Third", play_card, play_drawn, smart_choose_color)
