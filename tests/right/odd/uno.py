def is_lt(first, second):
    def key(card):
        return (
            (RANKS.index(card.rank), COLORS.index(card.color))[::-1]
            if isinstance(card, Crd)
            else (9, WILDS.index(card))
        )

    return key(first) <= key(second)


def card_value(card):
    return 50 if not hasattr(card, "rank") else getattr(card.rank, "number", 20)


def remove_card(cards, card, error):
    try:
        place = cards.index(card)
    except ValueError:
        raise error from None
    return cards[:place] + cards[place + 1 :]


def card_count(card):
    return {True: 4, False: 2 - (card in [Crd(Num(0), color) for color in COLORS])}[card in WILDS]


def opposite_dir(direction):
    return next(each for each in Direction if each is not direction)


def next_player(desk):
    first, *others = desk.players
    *most, last = desk.players
    players = (*others, first) if desk.direction == CLOCKWISE else (last, *most)
    print(f"The turn of {players[0].name}")
    return desk.with_players(players)


def has_color(color, cards):
    return color in {getattr(card, "color", None) for card in cards}


def count_cards(desk):
    return (*map(len, (player.cards for player in desk.players)),)


def player_loss(player):
    return (player.name, sum(card_value(card) for card in player.cards))
