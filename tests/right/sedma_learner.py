from course.sedma import *


def is_valid_record(cards: Cards) -> bool:
    return len(cards) == len(PIQUET_DECK) and frozenset(cards) == frozenset(PIQUET_DECK)


def winning_place(trick: Trick) -> int:
    led = trick[0].rank
    return max(place for place, card in enumerate(trick) if card.rank in (led, R7))


def trick_points(trick: Trick) -> int:
    return 10 * sum(card.rank in (R10, RA) for card in trick)


def next_leader(leader: Player, trick: Trick) -> Player:
    return seats_on(leader, winning_place(trick))


def tally(record: Record) -> Tally:
    tricks = tricks_of(record)
    _, *winners = accumulate(tricks, next_leader, initial=A)

    def score(team: Team) -> Score:
        won = tuple(trick for trick, winner in zip(tricks, winners, strict=True) if team_of(winner) == team)
        last = 10 if team_of(winners[-1]) == team else 0
        return Score(len(won), sum(trick_points(trick) for trick in won) + last)

    return score(AC), score(BD)


def is_sound(scores: Tally) -> bool:
    ac, bd = scores
    if ac.tricks + bd.tricks != 8 or ac.points + bd.points != 90:
        return False
    if any(score.tricks < 0 or score.points < 0 or score.points % 10 != 0 for score in scores):
        return False
    return all(score.points == 0 for score in scores if score.tricks == 0)


def game_points(loser: Score) -> Points:
    match loser:
        case Score(0, _):
            return THREE
        case Score(_, 0):
            return TWO
        case _:
            return ONE


def replay(cards: Cards) -> Winner | None:
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


def replay_at_once(cards: Cards) -> Winner | None:
    if len(cards) != 32 or set(cards) != set(PIQUET_DECK):
        return None

    def winner_of(leader: Player, trick: Trick) -> Player:
        places = [place for place in range(4) if trick[place].rank in (trick[0].rank, R7)]
        return seats_on(leader, places[-1])

    tricks = tricks_of(cards)
    _, *winners = accumulate(tricks, winner_of, initial=A)

    def score(team: Team) -> Score:
        won = tuple(trick for trick, winner in zip(tricks, winners, strict=True) if team_of(winner) == team)
        tens = sum(card.rank in (RA, R10) for trick in won for card in trick)
        return Score(len(won), 10 * (tens + (team_of(winners[-1]) == team)))

    ac, bd = score(AC), score(BD)
    match bd if ac.points > bd.points else ac:
        case Score(0, _):
            worth = THREE
        case Score(_, 0):
            worth = TWO
        case _:
            worth = ONE
    return AC if ac.points > bd.points else BD, worth
