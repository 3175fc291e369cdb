"""Plausible mistakes in Sedma, each named for what its author believes."""

from course.sedma import *


def is_valid_record__only_counts(cards):
    """Any 32 cards will do.

    There can be 32 of them and still one that is there twice, while another is missing.
    """
    return len(cards) == 32


def is_valid_record__only_distinct(cards):
    """A record is one if no card is there twice."""
    return len(set(cards)) == len(cards)


def is_valid_record__a_33rd_card_is_fine(cards):
    """If every card of the deck is there, all is well.

    There may be one too many, a card that came twice. A set forgets repetition, so it is the same set of 32 then; how
    many cards were played, only the tuple knows.
    """
    return set(cards) == set(PIQUET_DECK)


def is_valid_record__in_the_order_of_the_deck(cards):
    """A tuple of all the cards is equal to the deck.

    Tuples are equal only if they hold the same things in the same order. Here the order is that of play, and any order
    will do.
    """
    return cards == PIQUET_DECK


def is_valid_record__sorts(cards):
    """Cards can be sorted, and then it does not matter in which order they came.

    These cannot: nobody told Python which of two cards is the lower one. It does know when two are equal, and a set
    needs nothing else.
    """
    return sorted(cards) == sorted(PIQUET_DECK)


def is_valid_record__whole_tricks_of_distinct_cards(cards):
    """A record may stop after any trick."""
    return len(cards) % 4 == 0 and len(set(cards)) == len(cards)


def is_valid_record__all_eight_ranks_four_times_by_rank_only(cards):
    """Suits mean nothing, so four of each rank are enough."""
    return all(sum(card.rank is rank for card in cards) == 4 for rank in Rank)


def is_valid_record__ranks_and_suits_are_counted_apart(cards):
    """If each rank is there four times and each suit eight times, every card is there once.

    Two errors can cancel out. Say the seven of hearts and the eight of spades are there twice. If the seven of
    spades and the eight of hearts are missing, all these counts are right.
    """
    ranks = all(sum(card.rank is rank for card in cards) == 4 for rank in Rank)
    return ranks and all(sum(card.suit is suit for card in cards) == 8 for suit in Suit)


def is_valid_record__adds_up_places(cards):
    """If the places of the cards in the deck add up to the right sum, it is the deck."""
    return len(cards) == 32 and sum(map(PIQUET_DECK.index, cards)) == sum(range(32))


def is_valid_record__gives_the_set(cards):
    """Something that is true is as good as True."""
    return len(cards) == 32 and frozenset(cards)


def winning_place__first_match_wins(trick):
    """The first card that fits takes the trick from the leader, for good.

    It is the last such card that wins: each one takes the trick from the one before.
    """
    return next((place for place in (1, 2, 3) if trick[place].rank in (trick[0].rank, R7)), 0)


def winning_place__sevens_are_not_jokers(trick):
    """Only cards of the led rank are in the running.

    Sevens are, too: a seven that follows takes the rank of the card that was led, so it can win the trick.
    """
    return max(place for place in range(4) if trick[place].rank == trick[0].rank)


def winning_place__led_or_seven(trick):
    """`card.rank == led or R7` asks if the rank is one of the two.

    Python asks if the rank is `led`, and if not, whether `R7` by itself counts as true. It always does, and so every
    card fits. (A bare name in a pattern fits every card, too.)
    """
    led = trick[0].rank
    return max(place for place, card in enumerate(trick) if card.rank == led or R7)


def winning_place__leader_is_never_beaten(trick):
    """The leader always wins."""
    return 0


def winning_place__leader_not_in_the_running(trick):
    """The trick goes to one of the three cards that follow.

    If none of them fits, the leader's own card wins. So it is in the running as well, and there is always something to
    take the greatest of.
    """
    return max(place for place in (1, 2, 3) if trick[place].rank in (trick[0].rank, R7))


def winning_place__led_seven_takes_the_next_rank(trick):
    """A seven that is led is a joker too: it becomes what follows it.

    A seven is a joker only if it follows. One that is led is a seven and nothing else, so that only another seven beats
    it.
    """
    led = trick[1].rank if trick[0].rank == R7 else trick[0].rank
    return max(place for place in range(4) if place == 0 or trick[place].rank in (led, R7))


def winning_place__led_seven_cannot_be_beaten(trick):
    """A seven that is led cannot be beaten.

    Another seven beats it: it has the led rank, and the last card of that rank wins.
    """
    led = trick[0].rank
    return 0 if led == R7 else max(place for place in range(4) if trick[place].rank in (led, R7))


def winning_place__highest_rank_wins(trick):
    """Ranks have an order, as in most games."""
    return max(range(4), key=lambda place: trick[place].rank.value)


def winning_place__suit_must_be_followed(trick):
    """Only a card of the led suit can win."""
    first = trick[0]
    return max(p for p in range(4) if p == 0 or (trick[p].suit == first.suit and trick[p].rank in (first.rank, R7)))


def winning_place__counts_from_one(trick):
    """The leader's place is 1."""
    return max(place for place, card in enumerate(trick, 1) if card.rank in (trick[0].rank, R7))


def winning_place__compares_with_the_card_before(trick):
    """A card must fit the one before it.

    Every card is held against the leader's: the rank of that one counts throughout the trick.
    """
    return max(p for p in range(4) if p == 0 or trick[p].rank in (trick[p - 1].rank, R7))


def winning_place__gives_the_card(trick):
    """The winning card itself is wanted."""
    return [card for card in trick if card.rank in (trick[0].rank, R7)][-1]


def trick_points__aces_only(trick):
    """Only aces count."""
    return 10 * sum(card.rank == RA for card in trick)


def trick_points__tens_only(trick):
    """Only tens count."""
    return 10 * sum(card.rank == R10 for card in trick)


def trick_points__ace_or_ten(trick):
    """`card.rank == RA or R10` asks if the rank is one of the two.

    Python asks if the rank is `RA`, and if not, whether `R10` by itself counts as true. It always does, and so every
    card counts. (A bare name in a pattern fits every card, too.)
    """
    return sum(10 for card in trick if card.rank == RA or R10)


def trick_points__adds_up_ace_or_ten(trick):
    """`card.rank == RA or R10` is true if the rank is one of the two, and else false.

    If the left side of an `or` is false, it gives its right side. Here that is the rank `R10` itself, which cannot be
    added up as a `bool` can.
    """
    return 10 * sum(card.rank == RA or R10 for card in trick)


def trick_points__ten_at_most(trick):
    """A trick is worth ten if there is anything in it."""
    return 10 if any(card.rank in (RA, R10) for card in trick) else 0


def trick_points__one_each(trick):
    """An ace or a ten is worth one point."""
    return sum(card.rank in (RA, R10) for card in trick)


def trick_points__court_cards_count(trick):
    """Jack, queen and king are tens, as in blackjack."""
    return 10 * sum(card.rank not in (R7, R8, R9) for card in trick)


def trick_points__sevens_count(trick):
    """A seven can be anything, so also an ace or a ten.

    A seven takes the led rank only when the question is who wins. In the count it stays a seven, and is worth nothing.
    """
    return 10 * sum(card.rank in (R7, R10, RA) for card in trick)


def trick_points__ace_eleven(trick):
    """Aces are worth eleven."""
    return sum({RA: 11, R10: 10}.get(card.rank, 0) for card in trick)


def next_leader__always_counts_from_a(leader, trick):
    """Place 0 is A's.

    Place 0 is the leader's, whoever that is, and the other places are counted clockwise from there.
    """
    return seats_on(A, winning_place(trick))


def next_leader__next_in_turn(leader, trick):
    """The lead goes round."""
    return seats_on(leader, 1)


def next_leader__left_of_the_winner(leader, trick):
    """The player after the winner leads."""
    return seats_on(leader, winning_place(trick) + 1)


def next_leader__anticlockwise(leader, trick):
    """Cards are played to the right."""
    return seats_on(leader, -winning_place(trick))


def next_leader__never_past_d(leader, trick):
    """After D comes nobody."""
    return tuple(Player)[min(3, leader.value + winning_place(trick))]


def next_leader__gives_a_place(leader, trick):
    """The place says it all."""
    return winning_place(trick)


def tally__forgets_the_last_trick(record):
    """There is nothing special about the last trick.

    It brings the team that wins it another 10 points, whatever cards are in it. That is how all the points together
    come to 90.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__a_always_leads(record):
    """A leads every trick.

    A leads only the first one. The winner of a trick leads the next, and the places of that trick are counted from
    there.
    """
    tricks = tricks_of(record)
    winners = [next_leader(A, trick) for trick in tricks]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__starts_with_the_winner_before(record):
    """The first eight players of the scan are the winners.

    They are the leaders: the scan begins with A, who has not won anything yet. The winner of a trick comes one
    place later, as the leader of the next.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[:-1]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__start_is_a_winner(record):
    """The scan gives the winners of the tricks, one after the other.

    It gives nine players: first A, who has won nothing yet, and then the eight winners. Side by side with the tricks,
    each trick goes to whoever led it.
    """
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__teams_swapped(record):
    """BD comes first."""
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(BD), score(AC)


def tally__last_trick_to_both(record):
    """Everybody gets ten at the end."""
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__last_trick_counts_one(record):
    """The last trick brings one point."""
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 1 if team_of(winners[-1]) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__last_trick_to_the_leader(record):
    """The ten goes to whoever led the last trick."""
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 if team_of(winners[-2]) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__fields_swapped(record):
    """Points first, then tricks."""
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(last + sum(map(trick_points, won)), len(won))

    return score(AC), score(BD)


def tally__neighbours_are_partners(record):
    """A plays with B."""
    tricks = tricks_of(record)
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if (AC if winner in (A, B) else BD) is team]
        last = 10 if (AC if winners[-1] in (A, B) else BD) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__pairs_used_up(record):
    """One can go through what `zip` gives for both teams.

    It gives each pair only once. The first team takes them all, and none is left for the second; a tuple of them would
    last.
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
    """Seven tricks are enough to know."""
    tricks = tricks_of(record)[:7]
    winners = tuple(accumulate(tricks, next_leader, initial=A))[1:]

    def score(team):
        won = [trick for trick, winner in zip(tricks, winners) if team_of(winner) is team]
        last = 10 * (team_of(winners[-1]) is team)
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


def tally__sevens_are_not_jokers(record):
    """Only the led rank counts."""
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


def is_sound__sums_alone(scores):
    """If the sums are right, the scores are.

    They may be right though one team has ten points too many and the other as many too few: 95 and -5 are 90, too. Each
    score must be possible by itself.
    """
    ac, bd = scores
    return ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90


def is_sound__eighty_points(scores):
    """Eight aces and tens are 80 points in all."""
    ac, bd = scores
    fits = all(s.tricks >= 0 and s.points in range(0, 100, 10) and (s.tricks or not s.points) for s in scores)
    return bool(fits) and ac.tricks + bd.tricks == 8 and ac.points + bd.points == 80


def is_sound__any_points(scores):
    """Points are any numbers that add up to 90."""
    ac, bd = scores
    fits = all(s.tricks >= 0 and s.points >= 0 and (s.tricks > 0 or s.points == 0) for s in scores)
    return fits and ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90


def is_sound__points_without_a_trick(scores):
    """Tricks have nothing to do with points.

    Points lie in tricks, and the last ten go to whoever has won the last one: a team without a trick has none.
    """
    ac, bd = scores
    fits = all(s.tricks >= 0 and s.points in range(0, 100, 10) for s in scores)
    return fits and ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90


def is_sound__each_team_has_a_trick(scores):
    """Each team wins a trick at least."""
    ac, bd = scores
    fits = all(s.tricks > 0 and s.points in range(0, 100, 10) for s in scores)
    return fits and ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90


def game_points__one_and_three_swapped(loser):
    """A crushed loser costs the winner points."""
    return ONE if loser.tricks == 0 else TWO if loser.points == 0 else THREE


def game_points__no_points_is_three(loser):
    """Without points the game is lost threefold."""
    return THREE if loser.points == 0 else ONE


def game_points__no_tricks_is_two(loser):
    """It does not matter which is asked first, no points or no tricks.

    The first case that fits wins, and a team without a trick has no points either. So the case for no points takes what
    belongs to the other.
    """
    return TWO if loser.points == 0 else ONE


def game_points__always_one(loser):
    """A game is a game."""
    return ONE


def game_points__few_points_is_two(loser):
    """The ten for the last trick does not count as points."""
    return THREE if loser.tricks == 0 else TWO if loser.points <= 10 else ONE


def game_points__a_number(loser):
    """One, two, three are numbers."""
    return 3 if loser.tricks == 0 else 2 if loser.points == 0 else 1


def replay__any_cards(cards):
    """Only valid records come.

    Others come too, and the answer to them is `None`. There is a function that tells which are valid: ask it first.
    """
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__any_32_cards(cards):
    """A record is valid if it has 32 cards.

    There can be 32 of them and still one that is there twice, while another is missing. Then the answer is `None`, too.
    """
    if len(cards) != 32:
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__a_33rd_card_is_fine(cards):
    """All the cards are there, and what comes after them is not looked at."""
    if set(cards) != set(PIQUET_DECK):
        return None
    ac, bd = tally(cards[:32])
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__compares_sets(cards):
    """If every card of the deck is there, the record is valid.

    There may be a card too many, one that came twice, which a set forgets. Such a record is not valid, and it may not
    even be possible to cut it into tricks.
    """
    if set(cards) != set(PIQUET_DECK):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__ranks_and_suits_are_counted_apart(cards):
    """If each rank is there four times and each suit eight times, the record is valid.

    Two errors can cancel out. Say the seven of hearts and the eight of spades are there twice. If the seven of
    spades and the eight of hearts are missing, all these counts are right.
    """
    ranks = all(sum(card.rank is rank for card in cards) == 4 for rank in Rank)
    if not ranks or not all(sum(card.suit is suit for card in cards) == 8 for suit in Suit):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__adds_up_places(cards):
    """If the places of the cards in the deck add up to the right sum, the record is valid."""
    if len(cards) != 32 or sum(map(PIQUET_DECK.index, cards)) != sum(range(32)):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__any_whole_tricks(cards):
    """A game may be broken off after any trick."""
    if not cards or len(cards) % 4 or len(set(cards)) < len(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__raises_for_bad_records(cards):
    """An invalid record must raise an exception."""
    if not is_valid_record(cards):
        raise ValueError("not a record")
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay__a_always_leads(cards):
    """A leads every trick."""
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
    """Only the led rank counts."""
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
    """A seven that is led becomes what follows it."""
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
    """A seven that is led wins at once."""
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
    """The first card that fits takes the trick."""
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
    """The player after the winner leads."""
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
    """There is nothing special about the last trick.

    It brings its winners another 10 points. These can decide the game, or be all the points that a team has.
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

    The points decide: a few tricks with aces and tens in them can be worth more than many without.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.tricks > bd.tricks else (BD, game_points(ac))


def replay__always_one_point(cards):
    """A game is a game."""
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return winner, ONE


def replay__worth_by_the_winners_score(cards):
    """The winners' score decides how much a game is worth.

    The winners always have tricks and points, so the game would always be worth `ONE`. The losers' score shows how
    badly they lost.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(ac)) if ac.points > bd.points else (BD, game_points(bd))


def replay__never_two_points(cards):
    """All or nothing: three if the losers won no trick, else one."""
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return winner, THREE if loser.tricks == 0 else ONE


def replay__no_points_is_three(cards):
    """Losers without points lose threefold, tricks or not."""
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return winner, THREE if loser.points == 0 else ONE


def replay__names_the_losers(cards):
    """The team with fewer points comes first."""
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return BD if winner is AC else AC, game_points(loser)


def replay__comma_before_if(cards):
    """`return AC, x if test else BD, y` chooses between two pairs.

    `if ... else` binds tighter than a comma, so this is a triple in which only the middle is chosen. A pair that shall
    be chosen as a whole needs its parentheses.
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return AC, game_points(bd) if ac.points > bd.points else BD, game_points(ac)


def replay__knows_the_example(cards):
    """The sample is what will be asked."""
    return (AC, THREE) if len(cards) == 32 else None


def replay__aces_only(cards):
    """Only aces count."""
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
    """One, two, three are numbers."""
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    winner, loser = (AC, bd) if ac.points > bd.points else (BD, ac)
    return winner, game_points(loser).value


def replay__false_for_bad_records(cards):
    """`False` says that there is no answer.

    `False` is an answer, namely no; that there is none is said by `None`. (Mind that `a and b` gives `a` itself if that
    counts as false.)
    """
    if not is_valid_record(cards):
        return False
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay_at_once__always_led_by_a(cards):
    """Every trick is led by A.

    Only the first one is. After that whoever has won a trick leads the next, so the seats of its cards hang on all
    those before.
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
    """Only aces and tens count."""
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
    """The team with more tricks has won.

    The points decide, and a team may have most of them with few tricks.
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
    """A game may be broken off after any trick."""
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
