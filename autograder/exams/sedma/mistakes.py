"""Answers that learners give to the exercises of Sedma, each wrong in one way."""

from course.sedma import *


def is_valid_record__only_counts(cards):
    """Any 32 cards are a valid record.

    There can be 32 cards even if one card occurs twice and another is missing.
    """
    return len(cards) == 32


def is_valid_record__only_distinct(cards):
    """A record is valid if no card occurs twice.

    A record is a complete game: it has each of the 32 cards once, and nothing else.
    """
    return len(set(cards)) == len(cards)


def is_valid_record__a_33rd_card_is_fine(cards):
    """If every card of the deck is there, the record is valid.

    A 33rd card makes the record invalid. A set ignores repeated cards, so it still has 32 cards. Check also the length
    of the tuple.
    """
    return set(cards) == set(PIQUET_DECK)


def is_valid_record__in_the_order_of_the_deck(cards):
    """A record that has all the cards is equal to the deck.

    Two tuples are equal only if they have the same items in the same order. The record is in the order of play, and any
    order is valid.
    """
    return cards == PIQUET_DECK


def is_valid_record__sorts(cards):
    """To ignore the order of the cards, you can sort them.

    Python cannot sort these cards, because no order is defined for them. It can only check whether two cards are equal,
    and that is enough for a set.
    """
    return sorted(cards) == sorted(PIQUET_DECK)


def is_valid_record__whole_tricks_of_distinct_cards(cards):
    """A record is valid even if it stops before the last trick.

    A game ends when all 32 cards are played, so a shorter record is not valid.
    """
    return len(cards) % 4 == 0 and len(set(cards)) == len(cards)


def is_valid_record__all_eight_ranks_four_times_by_rank_only(cards):
    """Suits do not matter, so four cards of each rank are enough.

    Each card may occur only once, so four equal cards of a rank are not valid.
    """
    return all(sum(card.rank is rank for card in cards) == 4 for rank in Rank)


def is_valid_record__ranks_and_suits_are_counted_apart(cards):
    """If each rank occurs four times and each suit eight times, every card occurs once.

    Two errors can cancel out. Suppose that the seven of hearts and the eight of spades occur twice. If the seven of
    spades and the eight of hearts are missing, all these counts are right.
    """
    ranks = all(sum(card.rank is rank for card in cards) == 4 for rank in Rank)
    return ranks and all(sum(card.suit is suit for card in cards) == 8 for suit in Suit)


def is_valid_record__adds_up_places(cards):
    """If the cards' indexes in the deck have the right sum, the record is valid.

    Many other collections of cards have the same sum. Compare the cards themselves.
    """
    return len(cards) == 32 and sum(map(PIQUET_DECK.index, cards)) == sum(range(32))


def is_valid_record__gives_the_set(cards):
    """Instead of `True`, you may return a value that counts as true.

    The result must be `True` or `False`. A set with items counts as true, but it is not equal to `True`.
    """
    return len(cards) == 32 and frozenset(cards)


def is_valid_record__suits_of_seven(cards):
    """A record is valid if it has eight cards of each suit.

    One card of a suit can occur twice while another card of this suit is missing. A valid record has each of the 32
    cards once.
    """
    suits = [card.suit for card in cards]
    return len(set(cards)) > 28 and all(suits.count(suit) == 8 for suit in set(suits)) and len(cards) == 32


def winning_place__first_match_wins(trick):
    """The first card that beats the leader's card wins the trick, whatever comes later.

    The last card that is a seven or has the led rank wins the trick. Each of these cards beats the best card before
    it.
    """
    return next((place for place in (1, 2, 3) if trick[place].rank in (trick[0].rank, R7)), 0)


def winning_place__sevens_are_not_jokers(trick):
    """Only cards of the led rank can win.

    A seven that follows can win, too, because it takes the rank of the card that was led.
    """
    return max(place for place in range(4) if trick[place].rank == trick[0].rank)


def winning_place__led_or_seven(trick):
    """`card.rank == led or R7` checks whether the rank is one of the two.

    Python checks whether the rank is `led`. If not, it checks whether `R7` alone counts as true. `R7` always counts as
    true, so the condition is true for every card. (A bare name in a pattern matches every card, too.)
    """
    led = trick[0].rank
    return max(place for place, card in enumerate(trick) if card.rank == led or R7)


def winning_place__leader_is_never_beaten(trick):
    return 0


def winning_place__leader_not_in_the_running(trick):
    """One of the three cards after the leader's card always wins.

    If none of the three has the led rank or is a seven, the leader's card wins. So the leader's card is one of the
    cards that can win.
    """
    return max(place for place in (1, 2, 3) if trick[place].rank in (trick[0].rank, R7))


def winning_place__led_seven_takes_the_next_rank(trick):
    """A seven that is played first is also a joker: it takes the rank of the next card.

    A seven that is played first is not a joker. It is just a seven, and only another seven beats it.
    """
    led = trick[1].rank if trick[0].rank == R7 else trick[0].rank
    return max(place for place in range(4) if place == 0 or trick[place].rank in (led, R7))


def winning_place__led_seven_cannot_be_beaten(trick):
    """A seven that is led cannot be beaten.

    Another seven beats the seven that is led. Both have the led rank, and the last card of that rank wins.
    """
    led = trick[0].rank
    return 0 if led == R7 else max(place for place in range(4) if trick[place].rank in (led, R7))


def winning_place__highest_rank_wins(trick):
    """The highest rank wins, as in most games.

    In Sedma, no rank is higher than another. Only the led rank and sevens can win.
    """
    return max(range(4), key=lambda place: trick[place].rank.value)


def winning_place__suit_must_be_followed(trick):
    """Only a card of the led suit can win.

    In a trick, only the ranks matter, not the suits.
    """
    first = trick[0]
    return max(p for p in range(4) if p == 0 or (trick[p].suit == first.suit and trick[p].rank in (first.rank, R7)))


def winning_place__counts_from_one(trick):
    """The leader's place is 1.

    Places are counted from 0, as in a tuple.
    """
    return max(place for place, card in enumerate(trick, 1) if card.rank in (trick[0].rank, R7))


def winning_place__compares_with_the_card_before(trick):
    """A card can win only if it has the rank of the card just before it.

    Every card is compared with the leader's card, not with the card before it. The leader's rank counts for the whole
    trick.
    """
    return max(p for p in range(4) if p == 0 or trick[p].rank in (trick[p - 1].rank, R7))


def winning_place__gives_the_card(trick):
    """The result is the winning card, not its index.

    The result is the index of the winning card in the trick. With the index, the next function can find the player of
    the card.
    """
    return [card for card in trick if card.rank in (trick[0].rank, R7)][-1]


def winning_place__last_seven_before_the_end(trick):
    """A seven in the last place does not win.

    A seven can win in every place, even in the last one.
    """
    led = trick[0].rank
    return max(i for i, card in enumerate(trick) if card.rank is led or (card.rank is R7 and i < 3))


def winning_place__one_seven_only(trick):
    """Only the first seven is a joker.

    Every seven is a joker. The last card that is a seven or has the led rank wins the trick.
    """
    led = trick[0].rank
    ranks = [card.rank for card in trick]
    first = ranks.index(R7) if R7 in ranks else 0
    return max(i for i, rank in enumerate(ranks) if rank is led or i == first)


def winning_place__aces_cannot_be_taken_by_sevens(trick):
    """If an ace was led, a seven cannot win the trick.

    A seven takes the rank of the led card, so it can win the trick even if an ace was led.
    """
    led = trick[0].rank
    return max(i for i, card in enumerate(trick) if card.rank is led or (card.rank is R7 and led is not RA))


def trick_points__aces_only(trick):
    """Only aces bring points.

    A ten brings as many points as an ace.
    """
    return 10 * sum(card.rank == RA for card in trick)


def trick_points__tens_only(trick):
    """Only tens bring points.

    An ace brings as many points as a ten.
    """
    return 10 * sum(card.rank == R10 for card in trick)


def trick_points__ace_or_ten(trick):
    """`card.rank == RA or R10` checks whether the rank is one of the two.

    Python checks whether the rank is `RA`. If not, it checks whether `R10` alone counts as true. `R10` always counts as
    true, so the condition is true for every card. (A bare name in a pattern matches every card, too.)
    """
    return sum(10 for card in trick if card.rank == RA or R10)


def trick_points__adds_up_ace_or_ten(trick):
    """`card.rank == RA or R10` is either `True` or `False`.

    If the left side of `or` is false, `or` returns its right side, the rank `R10`. You can add up values of type
    `bool`, but not ranks.
    """
    return 10 * sum(card.rank == RA or R10 for card in trick)


def trick_points__ten_at_most(trick):
    """A trick is worth at most ten points.

    Each ace and each ten in the trick brings ten points.
    """
    return 10 if any(card.rank in (RA, R10) for card in trick) else 0


def trick_points__one_each(trick):
    """An ace or a ten is worth one point.

    An ace or a ten is worth ten points.
    """
    return sum(card.rank in (RA, R10) for card in trick)


def trick_points__court_cards_count(trick):
    """Jack, queen and king count as tens, as in blackjack.

    In Sedma, only aces and tens are worth points.
    """
    return 10 * sum(card.rank not in (R7, R8, R9) for card in trick)


def trick_points__sevens_count(trick):
    """A seven can be any card, so it can also count as an ace or a ten.

    A seven takes the led rank only when you decide who wins. When you count points, it is a seven, and worth nothing.
    """
    return 10 * sum(card.rank in (R7, R10, RA) for card in trick)


def trick_points__ace_eleven(trick):
    """An ace is worth eleven points.

    An ace is worth ten points, like a ten.
    """
    return sum({RA: 11, R10: 10}.get(card.rank, 0) for card in trick)


def trick_points__thirty_at_most(trick):
    """A trick has at most 30 points.

    All four cards of a trick can be aces or tens. Such a trick has 40 points.
    """
    return min(30, 10 * sum(card.rank in (RA, R10) for card in trick))


def trick_points__led_card_not_counted(trick):
    """The points of the leader's card are not counted.

    The points of all four cards of the trick are counted, even those of the leader's card.
    """
    return 10 * sum(card.rank in (RA, R10) for card in trick[1:])


def next_leader__always_counts_from_a(leader, trick):
    """Place 0 is always A's place.

    Place 0 is the place of the leader, who can be any player. The other places are counted clockwise from the leader.
    """
    return seats_on(A, winning_place(trick))


def next_leader__next_in_turn(leader, trick):
    """The next trick is led by the next player in turn, whoever wins.

    The winner of a trick leads the next trick.
    """
    return seats_on(leader, 1)


def next_leader__left_of_the_winner(leader, trick):
    """The player after the winner leads the next trick.

    The winner of a trick leads the next trick, not the player after the winner.
    """
    return seats_on(leader, winning_place(trick) + 1)


def next_leader__anticlockwise(leader, trick):
    """The places are counted counterclockwise.

    The places are counted clockwise from the leader, in the order A, B, C, D.
    """
    return seats_on(leader, -winning_place(trick))


def next_leader__never_past_d(leader, trick):
    """No player comes after D.

    After D, it is A's turn again, because the players sit around a table.
    """
    return tuple(Player)[min(3, leader.value + winning_place(trick))]


def next_leader__gives_a_place(leader, trick):
    """The result is a place.

    A place is a number from 0 to 3, counted from the leader. The result is one of the players A to D.
    """
    return winning_place(trick)


def next_leader__d_passes_to_a_only(leader, trick):
    """After D has led, A leads the next trick, whoever wins.

    The winner of a trick leads the next trick, even if D wins again.
    """
    return A if leader is D else seats_on(leader, winning_place(trick))


def tally__forgets_the_last_trick(record):
    """The last trick has no extra points.

    The team that wins the last trick gets another 10 points, even if this trick has no ace and no ten. So all the
    points of a game add up to 90.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__a_always_leads(record):
    """Player A leads every trick.

    Player A leads only the first trick. The winner of a trick leads the next trick, and the places of a trick are
    counted from its leader.
    """
    tricks = tricks_of(record)
    winners = [next_leader(A, trick) for trick in tricks]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__starts_with_the_winner_before(record):
    """The first eight players of the scan are the winners of the eight tricks.

    The first eight players of the scan are the leaders of the tricks. The scan begins with A, who leads the first
    trick. The second player of the scan is the winner of the first trick, and so on.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[:-1]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__start_is_a_winner(record):
    """The scan produces only the winners of the tricks, in order.

    It produces nine players: first A, who leads the first trick, and then the eight winners. If you pair these players
    with the tricks from the start, each trick goes to its leader instead of its winner.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__teams_swapped(record):
    """The team BD comes first in the result.

    The score of AC comes first, as the statement says.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(BD), score(AC)


def tally__last_trick_to_both(record):
    """Both teams get ten points at the end.

    Only the team that wins the last trick gets the ten points.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__last_trick_counts_one(record):
    """The last trick brings one extra point.

    The last trick brings ten extra points.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 1 if team_of(winners[-1]) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__last_trick_to_the_leader(record):
    """The ten extra points go to the team that led the last trick.

    The ten points go to the team that wins the last trick.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 if team_of(winners[-2]) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__fields_swapped(record):
    """In a score, the points come first and then the tricks.

    A `Score` has the tricks first, and then the points.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(last + sum(map(trick_points, won)), len(won))

    return score(AC), score(BD)


def tally__neighbors_are_partners(record):
    """A and B are partners.

    Partners sit opposite each other: A with C, and B with D.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if (AC if winner in (A, B) else BD) is team]
        last = 10 if (AC if winners[-1] in (A, B) else BD) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__pairs_used_up(record):
    """You can go through the result of `zip` twice, once for each team.

    `zip` produces each pair only once. The first team uses all the pairs, and none is left for the second team. If you
    make a tuple of the pairs, you can go through it twice.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]
    pairs = zip(tricks, winners)

    def score(team):
        won = [trick for trick, winner in pairs if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__drops_the_last_trick(record):
    """Only the first seven tricks count.

    All eight tricks count, and the last one brings ten points more.
    """
    tricks = tricks_of(record)[:7]
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__sevens_are_not_jokers(record):
    """Only cards of the led rank can win.

    A seven takes the rank of the led card, so it can win.
    """
    tricks = tricks_of(record)
    winners = ()
    for trick in tricks:
        leader = winners[-1] if winners else A
        winners += (seats_on(leader, max(p for p in range(4) if trick[p].rank is trick[0].rank)),)

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__ten_only_for_a_trick_without_points(record):
    """The last trick brings ten points only if its cards bring no points.

    The last trick always brings ten points, in addition to the points of its cards.
    """
    tricks = tricks_of(record)
    _, *winners = accumulate(tricks, next_leader, initial=A)

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners, strict=True) if team_of(winner) is team]
        last = 10 if team_of(winners[-1]) is team and not trick_points(tricks[-1]) else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__first_trick_not_counted(record):
    """The first trick only decides who leads.

    The first trick counts like every other trick.
    """
    tricks = tricks_of(record)
    _, *winners = accumulate(tricks, next_leader, initial=A)

    def score(team):
        won = [t for t, winner in [*zip(tricks, winners, strict=True)][1:] if team_of(winner) is team]
        last = 10 if team_of(winners[-1]) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def is_sound__sums_alone(scores):
    """If the points add up to 90, and the tricks add up to 8, the result is `True`.

    One team can have too many points and the other team too few: 95 and -5 also add up to 90. Check each score
    alone, too.
    """
    ac, bd = scores
    return ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90


def is_sound__eighty_points(scores):
    """The points add up to 80: ten for each of the four aces and four tens.

    The last trick brings ten points more, so there are 90.
    """
    ac, bd = scores
    fits = all(s.tricks >= 0 and s.points in range(0, 100, 10) and (s.tricks or not s.points) for s in scores)
    return bool(fits) and ac.tricks + bd.tricks == 8 and ac.points + bd.points == 80


def is_sound__any_points(scores):
    """Any two numbers that add up to 90 are possible points.

    The points of a team are a multiple of ten, because each ace, each ten and the last trick bring ten points.
    """
    ac, bd = scores
    fits = all(s.tricks >= 0 and s.points >= 0 and (s.tricks > 0 or s.points == 0) for s in scores)
    return fits and ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90


def is_sound__points_without_a_trick(scores):
    """A team can have points without a trick.

    The cards in a trick bring points, and the last trick brings ten more. So a team without a trick has no points.
    """
    ac, bd = scores
    fits = all(s.tricks >= 0 and s.points in range(0, 100, 10) for s in scores)
    return fits and ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90


def is_sound__each_team_has_a_trick(scores):
    """Each team wins at least one trick.

    One team can win all eight tricks.
    """
    ac, bd = scores
    fits = all(s.tricks > 0 and s.points in range(0, 100, 10) for s in scores)
    return fits and ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90


def game_points__one_and_three_swapped(loser):
    """A game is worth less if the losers have no points, or no trick.

    In these cases, a game is worth more.
    """
    return ONE if loser.tricks == 0 else TWO if loser.points == 0 else THREE


def game_points__no_points_is_three(loser):
    """If the losers have no points, the game is worth three.

    The game is worth three only if the losers have no trick.
    """
    return THREE if loser.points == 0 else ONE


def game_points__no_tricks_is_two(loser):
    """It does not matter whether you check first for no points or for no tricks.

    Python takes the first case that matches. A team without a trick has no points either, so the case for no points
    also matches it. Check for no tricks first.
    """
    return TWO if loser.points == 0 else ONE


def game_points__always_one(loser):
    return ONE


def game_points__few_points_is_two(loser):
    """The ten points for the last trick do not count as points.

    All points count, including the ten points for the last trick.
    """
    return THREE if loser.tricks == 0 else TWO if loser.points <= 10 else ONE


def game_points__a_number(loser):
    """The result may be a plain number: one, two or three.

    The result is a `Points`: `ONE`, `TWO` or `THREE`. A plain number is not equal to any of them.
    """
    return 3 if loser.tricks == 0 else 2 if loser.points == 0 else 1


def game_points__two_up_to_ten_points(loser):
    match loser:
        case Score(0, _):
            return THREE
        case Score(_, 0 | 10):
            return TWO
        case _:
            return ONE


def game_points__two_for_one_trick(loser):
    """If the losers have only one trick, the game is worth two.

    The number of tricks matters only if it is 0. If it is not 0, look at the points.
    """
    match loser:
        case Score(0, _):
            return THREE
        case Score(1, _) | Score(_, 0):
            return TWO
        case _:
            return ONE


def replay__any_cards(cards):
    """Every record is valid.

    Some records are not valid, and then the result is `None`. You have a function that checks whether a record is
    valid. Call it first.
    """
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__any_32_cards(cards):
    """A record is valid if it has 32 cards.

    There can be 32 cards even if one card occurs twice and another is missing. Such a record is not valid, and the
    result is `None`.
    """
    if len(cards) != 32:
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__a_33rd_card_is_fine(cards):
    """If all the cards of the deck are there, more cards may follow them.

    A valid record has each of the 32 cards once, and nothing else.
    """
    if set(cards) != set(PIQUET_DECK):
        return None
    ac, bd = tally(cards[:32])
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__compares_sets(cards):
    """If every card of the deck is there, the record is valid.

    A record with a 33rd card is not valid. A set ignores repeated cards, so it does not show the 33rd card.
    """
    if set(cards) != set(PIQUET_DECK):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__ranks_and_suits_are_counted_apart(cards):
    """If each rank occurs four times and each suit eight times, the record is valid.

    Two errors can cancel out. Suppose that the seven of hearts and the eight of spades occur twice. If the seven of
    spades and the eight of hearts are missing, all these counts are right.
    """
    ranks = all(sum(card.rank is rank for card in cards) == 4 for rank in Rank)
    if not ranks or not all(sum(card.suit is suit for card in cards) == 8 for suit in Suit):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__adds_up_places(cards):
    """If the cards' indexes in the deck have the right sum, the record is valid.

    Many other collections of cards have the same sum. Compare the cards themselves.
    """
    if len(cards) != 32 or sum(map(PIQUET_DECK.index, cards)) != sum(range(32)):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__any_whole_tricks(cards):
    """A game may stop after any trick.

    A game ends when all 32 cards are played, so a shorter record is not valid.
    """
    if not cards or len(cards) % 4 or len(set(cards)) < len(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__raises_for_bad_records(cards):
    """An invalid record must raise an exception.

    The statement asks for `None` as the result of an invalid record.
    """
    if not is_valid_record(cards):
        raise ValueError("not a record")
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__a_always_leads(cards):
    """Player A leads every trick.

    The winner of a trick leads the next trick.
    """
    if not is_valid_record(cards):
        return None
    leader, tricks, points = A, {AC: 0, BD: 0}, {AC: 0, BD: 0}
    for trick in tricks_of(cards):
        leader = next_leader(A, trick)
        tricks[team_of(leader)] += 1
        points[team_of(leader)] += trick_points(trick)
    points[team_of(leader)] += 10
    winner, loser = (AC, BD) if points[AC] > points[BD] else (BD, AC)
    return winner, game_points(Score(tricks[loser], points[loser]))


def replay__sevens_are_not_jokers(cards):
    """Only cards of the led rank can win.

    A seven takes the rank of the led card, so it can win.
    """
    if not is_valid_record(cards):
        return None
    leader, tricks, points = A, {AC: 0, BD: 0}, {AC: 0, BD: 0}
    for trick in tricks_of(cards):
        leader = seats_on(leader, max(p for p in range(4) if trick[p].rank is trick[0].rank))
        tricks[team_of(leader)] += 1
        points[team_of(leader)] += trick_points(trick)
    points[team_of(leader)] += 10
    winner, loser = (AC, BD) if points[AC] > points[BD] else (BD, AC)
    return winner, game_points(Score(tricks[loser], points[loser]))


def replay__led_seven_takes_the_next_rank(cards):
    """A seven that is led takes the rank of the next card.

    A seven that is led is not a joker, so only other sevens can beat it.
    """
    if not is_valid_record(cards):
        return None
    leader, tricks, points = A, {AC: 0, BD: 0}, {AC: 0, BD: 0}
    for trick in tricks_of(cards):
        led = trick[1].rank if trick[0].rank is R7 else trick[0].rank
        leader = seats_on(leader, max(p for p in range(4) if p == 0 or trick[p].rank in (led, R7)))
        tricks[team_of(leader)] += 1
        points[team_of(leader)] += trick_points(trick)
    points[team_of(leader)] += 10
    winner, loser = (AC, BD) if points[AC] > points[BD] else (BD, AC)
    return winner, game_points(Score(tricks[loser], points[loser]))


def replay__led_seven_cannot_be_beaten(cards):
    """A seven that is led cannot be beaten.

    A later seven beats a seven that is led.
    """
    if not is_valid_record(cards):
        return None
    leader, tricks, points = A, {AC: 0, BD: 0}, {AC: 0, BD: 0}
    for trick in tricks_of(cards):
        leader = leader if trick[0].rank is R7 else next_leader(leader, trick)
        tricks[team_of(leader)] += 1
        points[team_of(leader)] += trick_points(trick)
    points[team_of(leader)] += 10
    winner, loser = (AC, BD) if points[AC] > points[BD] else (BD, AC)
    return winner, game_points(Score(tricks[loser], points[loser]))


def replay__first_match_wins(cards):
    """The first card that beats the leader's card wins the trick, whatever comes later.

    The last card that is a seven or has the led rank wins the trick.
    """
    if not is_valid_record(cards):
        return None
    leader, tricks, points = A, {AC: 0, BD: 0}, {AC: 0, BD: 0}
    for trick in tricks_of(cards):
        leader = seats_on(leader, next((p for p in (1, 2, 3) if trick[p].rank in (trick[0].rank, R7)), 0))
        tricks[team_of(leader)] += 1
        points[team_of(leader)] += trick_points(trick)
    points[team_of(leader)] += 10
    winner, loser = (AC, BD) if points[AC] > points[BD] else (BD, AC)
    return winner, game_points(Score(tricks[loser], points[loser]))


def replay__left_of_the_winner_leads(cards):
    """The player after the winner leads the next trick.

    The winner of a trick leads the next trick, not the player after the winner.
    """
    if not is_valid_record(cards):
        return None
    leader, tricks, points = A, {AC: 0, BD: 0}, {AC: 0, BD: 0}
    for trick in tricks_of(cards):
        leader = seats_on(next_leader(leader, trick), 1)
        tricks[team_of(leader)] += 1
        points[team_of(leader)] += trick_points(trick)
    points[team_of(leader)] += 10
    winner, loser = (AC, BD) if points[AC] > points[BD] else (BD, AC)
    return winner, game_points(Score(tricks[loser], points[loser]))


def replay__no_ten_for_the_last_trick(cards):
    """The last trick has no extra points.

    The team that wins the last trick gets another 10 points. These points can decide the game, or be the only points of
    a team.
    """
    if not is_valid_record(cards):
        return None
    leader, tricks, points = A, {AC: 0, BD: 0}, {AC: 0, BD: 0}
    for trick in tricks_of(cards):
        leader = next_leader(leader, trick)
        tricks[team_of(leader)] += 1
        points[team_of(leader)] += trick_points(trick)
    points[team_of(leader)] += 0
    winner, loser = (AC, BD) if points[AC] > points[BD] else (BD, AC)
    return winner, game_points(Score(tricks[loser], points[loser]))


def replay__more_tricks_win(cards):
    """The team with more tricks wins.

    The points decide. A few tricks with aces and tens can be worth more than many tricks without them.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.tricks > bd.tricks else (BD, game_points(ac))


def replay__always_one_point(cards):
    """Every game is worth one point.

    A game is worth more if the losers have no points, or no trick.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return winner, ONE


def replay__worth_by_the_winners_score(cards):
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(ac)) if ac.points > bd.points else (BD, game_points(bd))


def replay__never_two_points(cards):
    """The game is worth three if the losers won no trick. In all other cases, it is worth one.

    A game is worth two if the losers have a trick, but no points.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return winner, THREE if loser.tricks == 0 else ONE


def replay__no_points_is_three(cards):
    """If the losers have no points, the game is worth three, even if they won tricks.

    If the losers have no points but won a trick, the game is worth two.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return winner, THREE if loser.points == 0 else ONE


def replay__names_the_losers(cards):
    """The team in the result is the team with fewer points.

    The result names the team with more points.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return BD if winner is AC else AC, game_points(loser)


def replay__comma_before_if(cards):
    """`return AC, x if test else BD, y` chooses between two pairs.

    Python groups `if ... else` before the commas. So the result has three items, and `if ... else` chooses only the
    middle item. To choose between two pairs, put parentheses around each pair.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return AC, game_points(bd) if ac.points > bd.points else BD, game_points(ac)


def replay__knows_the_example(cards):
    """The function is called only with the sample record.

    The function is called with every kind of record. Compute the result from the cards.
    """
    return (AC, THREE) if len(cards) == 32 else None


def replay__aces_only(cards):
    """Only aces bring points.

    A ten brings as many points as an ace.
    """
    if not is_valid_record(cards):
        return None
    leader, tricks, points = A, {AC: 0, BD: 0}, {AC: 0, BD: 0}
    for trick in tricks_of(cards):
        leader = next_leader(leader, trick)
        tricks[team_of(leader)] += 1
        points[team_of(leader)] += 10 * sum(card.rank is RA for card in trick)
    points[team_of(leader)] += 10
    winner, loser = (AC, BD) if points[AC] > points[BD] else (BD, AC)
    return winner, game_points(Score(tricks[loser], points[loser]))


def replay__numbers_for_points(cards):
    """The second part of the result may be a plain number: one, two or three.

    The second part of the result is a `Points`: `ONE`, `TWO` or `THREE`. A plain number is not equal to any of them.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return winner, game_points(loser).value


def replay__false_for_bad_records(cards):
    """For an invalid record, the result is `False`.

    The statement asks for `None` if the record is not valid. (If `a` counts as false, `a and b` returns `a` itself.)
    """
    if not is_valid_record(cards):
        return False
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__ties_in_tricks(cards):
    """If both teams have four tricks, nobody wins.

    The points decide who wins, not the number of tricks.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    if ac.tricks == bd.tricks:
        return None
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__three_only_for_ac(cards):
    """Only the team that leads the first trick can win three points.

    The other team can win three points, too.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, min(game_points(ac), TWO, key=lambda p: p.value))


def replay_at_once__always_led_by_a(cards):
    """Player A leads every trick.

    Player A leads only the first trick. After that, the winner of a trick leads the next trick. So to know who plays
    which card of a trick, you need all the tricks before it.
    """
    if sorted(map(PIQUET_DECK.index, cards)) != [*range(32)]:
        return None
    winners = [max(p for p in range(4) if t[p].rank in (t[0].rank, R7)) % 2 for t in tricks_of(cards)]
    worth = [10 * sum(card.rank in (R10, RA) for card in trick) for trick in tricks_of(cards)]
    points = [sum(w for w, winner in zip(worth, winners) if winner == team) for team in (0, 1)]
    points[winners[-1]] += 10
    loser = points.index(min(points))
    return (BD, AC)[loser], ONE if points[loser] else TWO if loser in winners else THREE


def replay_at_once__no_ten_for_the_last_trick(cards):
    """Only aces and tens bring points.

    The last trick brings ten points, too.
    """
    if sorted(map(PIQUET_DECK.index, cards)) != [*range(32)]:
        return None
    leader, winners, points = 0, [], [0, 0]
    for trick in tricks_of(cards):
        leader = (leader + max(p for p in range(4) if trick[p].rank in (trick[0].rank, R7))) % 2
        winners.append(leader)
        points[leader] += 10 * sum(card.rank in (R10, RA) for card in trick)
    loser = points.index(min(points))
    return (BD, AC)[loser], ONE if points[loser] else TWO if loser in winners else THREE


def replay_at_once__more_tricks_win(cards):
    """The team with more tricks wins.

    The points decide, and a team with few tricks can have most of the points.
    """
    if sorted(map(PIQUET_DECK.index, cards)) != [*range(32)]:
        return None
    leader, tricks, points = 0, [0, 0], [0, 0]
    for trick in tricks_of(cards):
        leader = (leader + max(p for p in range(4) if trick[p].rank in (trick[0].rank, R7))) % 2
        tricks[leader] += 1
        points[leader] += 10 * sum(card.rank in (R10, RA) for card in trick)
    points[leader] += 10
    loser = tricks.index(min(tricks))
    return (BD, AC)[loser], ONE if points[loser] else TWO if tricks[loser] else THREE


def replay_at_once__any_whole_tricks(cards):
    """A game may stop after any trick.

    A game ends when all 32 cards are played, so a shorter record is not valid.
    """
    if not cards or len(cards) % 4 or len(set(cards)) < len(cards):
        return None
    leader, tricks, points = 0, [0, 0], [0, 0]
    for trick in tricks_of(cards):
        leader = (leader + max(p for p in range(4) if trick[p].rank in (trick[0].rank, R7))) % 2
        tricks[leader] += 1
        points[leader] += 10 * sum(card.rank in (R10, RA) for card in trick)
    points[leader] += 10
    loser = points.index(min(points))
    return (BD, AC)[loser], ONE if points[loser] else TWO if tricks[loser] else THREE
