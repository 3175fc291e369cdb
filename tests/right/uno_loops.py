"""Uno as a beginner writes it: loops, lists that grow, `if` and `isinstance`, helpers at the top level."""

from course.uno import *


@curry
def precedes(equal, items, first, second):
    for item in items:
        if equal(item, first):
            return True
        if equal(item, second):
            return False
    return False


@curry
def color_is_lt(first, second):
    return precedes(is_same_color, COLORS, first, second)


@curry
def rank_is_lt(first, second):
    return precedes(is_same_rank)(RANKS)(first)(second)


def is_lt(first, second):
    if isinstance(first, WildDrawFour):
        return isinstance(second, WildDrawFour)
    if isinstance(first, Wild):
        return not isinstance(second, Crd)
    if not isinstance(second, Crd):
        return True
    if is_same_color(first.color, second.color):
        return rank_is_lt(first.rank, second.rank)
    return color_is_lt(first.color, second.color)


def card_sort(cards):
    return merge_sort(is_lt, cards)


def card_value(card):
    if not isinstance(card, Crd):
        return 50
    if isinstance(card.rank, Num):
        return card.rank.number
    return 20


def sum_cards(cards):
    total = 0
    for card in cards:
        total += card_value(card)
    return total


def opposite_dir(direction):
    if direction == CLOCKWISE:
        return COUNTERCLOCKWISE
    return CLOCKWISE


def remove_card(cards, card, error):
    left = []
    removed = False
    for other in cards:
        if not removed and is_same_card(other, card):
            removed = True
        else:
            left.append(other)
    if not removed:
        raise error
    return tuple(left)


def card_count(card):
    if isinstance(card, (Wild, WildDrawFour)):
        return 4
    if isinstance(card.rank, Num) and card.rank.number == 0:
        return 1
    return 2


def make_deck():
    cards = []
    for color in COLORS:
        for rank in RANKS:
            card = Crd(rank, color)
            for _ in range(card_count(card)):
                cards.append(card)
    for card in (WildDrawFour(), Wild()):
        cards += [card] * card_count(card)
    return tuple(cards)


deck = make_deck()


def deal(players):
    print("")
    print("Player " + players[0].name + " deals.")
    cards = list(shuffle_list(deck))
    served = []
    for player in players:
        hand = []
        for _ in range(7):
            hand.append(cards.pop(0))
        served.append(player.with_cards(tuple(hand)))
    top = cards.pop(0)
    return Desk(tuple(served), (top,), tuple(cards), Proceed(), CLOCKWISE, ())


def is_sound(desk):
    cards = [*desk.pile, *desk.deck]
    for player in desk.players:
        cards.extend(player.cards)
    for card in deck:
        if card not in cards:
            return False
        cards.remove(card)
    return not cards


def next_player(desk):
    players = list(desk.players)
    if desk.direction == CLOCKWISE:
        players.append(players.pop(0))
    else:
        players.insert(0, players.pop())
    desk = desk.with_players(tuple(players))
    whose_turn(desk)
    return desk


def is_action(card, *ranks):
    return isinstance(card, Crd) and isinstance(card.rank, ranks)


def desk_normalize(desk):
    while not isinstance(desk.pile[0], Crd):
        cards = shuffle_list(list(desk.deck) + list(desk.pile))
        desk = desk.with_pile((cards[0],)).with_deck(cards[1:])
    if is_action(desk.pile[0], Reverse):
        desk = desk.with_direction(opposite_dir(desk.direction))
        whose_turn(desk)
        return desk
    if is_action(desk.pile[0], Skip, DrawTwo):
        desk = desk.with_state(Execute())
    return next_player(desk)


def draw(desk):
    cards = desk.deck
    pile = desk.pile
    if len(cards) == 0:
        if len(pile) == 1:
            raise IllegalGame
        cards = shuffle_list(pile[1:])
        pile = pile[:1]
    player = desk.players[0]
    player = player.with_cards(player.cards + (cards[0],))
    return desk.with_players((player,) + desk.players[1:]).with_deck(cards[1:]).with_pile(pile)


def draw_two(desk):
    for _ in range(2):
        desk = draw(desk)
    return desk


def draw_four(desk):
    for _ in range(2):
        desk = draw_two(desk)
    return desk


@curry
def playable_when_wild(color, card):
    if isinstance(card, Crd):
        return is_same_color(card.color, color)
    return True


@curry
def playable_when_exec(rank, card):
    if isinstance(card, Crd):
        return is_same_rank(card.rank, rank)
    return False


@curry
def playable_when_proc(face, card):
    if isinstance(card, Crd):
        return is_same_rank(card.rank, face[0]) or is_same_color(card.color, face[1])
    return True


def cards_to_play(desk):
    top = desk.pile[0]
    cards = []
    for card in desk.players[0].cards:
        if isinstance(desk.state, Give) != (not isinstance(top, Crd)):
            raise IllegalGame
        if isinstance(desk.state, Give):
            fits = playable_when_wild(desk.state.color, card)
        elif isinstance(desk.state, Execute):
            fits = playable_when_exec(top.rank, card)
        else:
            fits = playable_when_proc((top.rank, top.color), card)
        if fits:
            cards.append(card)
    return tuple(cards)


def required_color(desk):
    top = desk.pile[0]
    if isinstance(desk.state, Give):
        if isinstance(top, Crd):
            raise IllegalGame("an ordinary card")
        return desk.state.color
    if not isinstance(top, Crd):
        raise IllegalGame("no color")
    return top.color


def has_color(color, cards):
    for card in cards:
        if isinstance(card, Crd) and is_same_color(card.color, color):
            return True
    return False


def count_cards(desk):
    counts = []
    for player in desk.players:
        counts.append(len(player.cards))
    return tuple(counts)


def naive(state, hand, playable, top, direction, memory, counts):
    best = card_sort(playable)[0]
    if isinstance(best, Crd):
        return Simple(best)
    colors = shuffle_list(COLORS)
    return Order(best, colors[0])


def move_action(move, desk, had_color):
    if isinstance(move, Order):
        desk = desk.with_state(Give(move.color))
        if isinstance(move.card, Wild):
            return next_player(desk)
        if had_color:
            return next_player(draw_four(desk))
        desk = next_player(desk)
        desk = draw_four(desk)
        desk = desk.add_memo(Pass())
        return next_player(desk)
    desk = desk.with_state(Proceed())
    if is_action(move.card, Reverse):
        desk = desk.with_direction(opposite_dir(desk.direction))
    elif is_action(move.card, Skip, DrawTwo):
        desk = desk.with_state(Execute())
    return next_player(desk)


def ask_player_for_card(player, args):
    if player.is_manual:
        move = manual(*args)
        if not isinstance(move, Pass):
            return player, move
        player = player.automate()
    return (player, player.strategy(*args))


def play(desk, cards):
    player = desk.players[0]
    before = has_color(required_color(desk), player.cards)
    args = Args(
        state=desk.state,
        hand=player.cards,
        playable=cards,
        top=desk.pile[0],
        direction=desk.direction,
        memory=desk.memory,
        counts=count_cards(desk),
    )
    new_player, move = ask_player_for_card(player, args)
    if isinstance(move, Pass):
        raise IllegalMove(player.name, args)
    legal = False
    for card in cards:
        if is_same_card(card, move.card):
            legal = True
    if not legal:
        raise IllegalMove(player.name, args)
    print(player.name + " made move")
    print(to_string(move))
    hand = remove_card(player.cards, move.card, IllegalMove(player.name, args))
    desk = desk.with_players((new_player.with_cards(hand),) + desk.players[1:])
    desk = desk.with_pile((move.card,) + desk.pile)
    desk = desk.add_memo(move)
    return move_action(move, desk, before)


def execution(desk):
    desk = desk.add_memo(Pass())
    if is_action(desk.pile[0], DrawTwo):
        desk = draw_two(desk)
    desk = next_player(desk)
    return desk.with_state(Proceed())


def your_turn(desk):
    cards = cards_to_play(desk)
    if not cards:
        if isinstance(desk.state, Execute):
            return execution(desk)
        desk = draw(desk)
        cards = cards_to_play(desk)
        if not cards:
            return next_player(desk.add_memo(Pass()))
    return play(desk, cards)


def player_loss(player):
    return (player.name, sum_cards(player.cards))


def check_winner(desk):
    for player in desk.players:
        if len(player.cards) == 0:
            losses = []
            for each in desk.players:
                losses.append(player_loss(each))
            return player.name, tuple(losses)


def game(players):
    desk = desk_normalize(deal(players))
    while check_winner(desk) is None:
        desk = your_turn(desk)
    return check_winner(desk)
