"""The bots without a name too many: folds, partial application, composition, functions as values."""

from course.bots import *


def insert(card, hand):
    """Put `card` in front of the first that is higher or equal: from the right, so that equals keep their order."""
    smaller = tuple(other for other in hand if other.value < card.value)
    return smaller + (card,) + hand[len(smaller) :]


by_value: Callable[[Hand], Hand] = partial(fold_right, insert, ())

fits: Callable[[Card, Card, Color], bool] = lambda card, top, color: {WILD: True, WILD_DRAW_FOUR: False}.get(
    card.value, color is card.color or top.value == card.value
)


def playable_cards(view):
    goes = lambda card: fits(card, view.top, view.color)
    draws_four = lambda card: card == Card(None, WILD_DRAW_FOUR)
    return by_value(tuple(filter(goes, view.hand))) or tuple(filter(draws_four, view.hand))


def is_sound(view, card):
    sound = lambda found, held: found or held == card
    return fold_left(sound, False, playable_cards(view) or (None,))


def most_common_color(hand):
    count = lambda color: len(tuple(filter(lambda card: card.color is color, hand)))
    better = lambda best, color: color if best is None or count(color) > count(best) else best
    return fold_left(better, None, filter(count, COLORS))


stupid_play_card = compose(lambda cards: cards[0], playable_cards)


def stupid_play_drawn(view):
    return view.drawn is not None and playable_cards(view._replace(hand=(view.drawn,))) == (view.drawn,)


def stupid_choose_color(view):
    return (COLORS * 6930)[view.roll]


stupid_player = Bot("StupidPlayer", stupid_play_card, stupid_play_drawn, stupid_choose_color)


def highest(condition, cards):
    climb = lambda best, card: card if best is None or card.value >= best.value else best
    return fold_left(climb, None, filter(condition, cards))


def slow_next_player(view):
    of_playable = lambda condition: highest(condition, playable_cards(view))
    either = of_playable(lambda card: card.value == DRAW_TWO) or of_playable(lambda card: card.value > 9)
    return either if view.counts[view.direction] <= 3 else None


def has_spare_action(cards):
    match tuple(filter(is_action, cards)):
        case ():
            return False
        case (Card(color, _),):
            return tuple(card.color for card in cards).count(color) > 1
        case _:
            return True


def spend_spare_action(view):
    return highest(lambda _: has_spare_action(playable_cards(view)), playable_cards(view))


def follow_color(view):
    return highest(lambda card: card.value < 10, tuple(card for card in view.hand if card.color is view.color))


def change_to_common_color(view):
    wanted = Card(most_common_color(view.hand), view.top.value)
    return wanted if wanted in view.hand and wanted.color else None


def match_value(view):
    return highest(lambda card: card.value == view.top.value, playable_cards(view))


highest_playable = compose(partial(highest, lambda _: True), playable_cards)


@tail_recursive
def first_answer(stages, view):
    match stages:
        case ():
            return None
        case (stage, *others):
            return stage(view) or recur(tuple(others), view)


smart_play_card = partial(
    first_answer,
    (slow_next_player, spend_spare_action, follow_color, change_to_common_color, match_value, highest_playable),
)
smart_play_drawn = lambda view: stupid_play_drawn(view)


def smart_choose_color(view):
    return most_common_color(view.hand) or tuple(filter(lambda color: color is not view.color, COLORS))[view.roll % 3]


smart_player = Bot("SmartPlayer", smart_play_card, smart_play_drawn, smart_choose_color)


def win_rate(first, second, seeds):
    at_home = sum(play_game((first, second), seed).winner == 0 for seed in seeds[::2])
    away = sum(play_game((second, first), seed).winner == 1 for seed in seeds[1::2])
    return (at_home + away) / len(seeds)


def oddest(view):
    """Return the playable card that has least in common with the rest of the hand, wilds last."""
    links = lambda card: fold_left(lambda n, it: n + (it.color is card.color or it.value == card.value), 0, view.hand)
    slows = lambda card: view.counts[view.direction] < 3 and card.value in (DRAW_TWO, SKIP)
    return min(playable_cards(view), key=lambda card: (is_wild(card), not slows(card), links(card), -card.value))


keeps_wilds = lambda view: smart_play_drawn(view) and not is_wild(view.drawn)
champion = lambda: Bot("Odd", oddest, keeps_wilds, smart_choose_color)
