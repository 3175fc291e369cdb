"""Sedma by folds: every walk over cards or tricks is a `fold_left`, and the state is a tuple."""

from course.sedma import *


def is_valid_record(cards):
    return sorted(map(repr, cards)) == sorted(map(repr, PIQUET_DECK))


def winning_place(trick):
    fits = lambda card: card.rank in (R7, trick[0].rank)
    return fold_left(lambda best, pair: pair[0] if fits(pair[1]) else best, 0, enumerate(trick))


def trick_points(trick):
    return fold_right(lambda card, points: points + {R10: 10, RA: 10}.get(card.rank, 0), 0, trick)


def next_leader(leader, trick):
    return fold_left(lambda player, _: seats_on(player, 1), leader, range(winning_place(trick)))


def _add(score, trick):
    return Score(score.tricks + 1, score.points + trick_points(trick))


def tally(record):
    def step(state, trick):
        leader, ac, bd = state
        winner = next_leader(leader, trick)
        return (winner, _add(ac, trick), bd) if team_of(winner) is AC else (winner, ac, _add(bd, trick))

    last, ac, bd = fold_left(step, (A, Score(0, 0), Score(0, 0)), tricks_of(record))
    extra = lambda team, score: Score(score.tricks, score.points + 10 * (team_of(last) is team))
    return extra(AC, ac), extra(BD, bd)


def is_sound(scores):
    tricks, points = fold_left(lambda sums, s: (sums[0] + s.tricks, sums[1] + s.points), (0, 0), scores)
    fits = lambda fine, s: (
        fine and s.tricks >= 0 and s.points >= 0 and s.points % 10 == 0 and (s.tricks > 0 or s.points == 0)
    )
    return fold_left(fits, (tricks, points) == (8, 90), scores)


def game_points(loser):
    return (THREE if loser == Score(0, 0) else TWO) if loser.points == 0 else ONE


def replay(cards):
    if frozenset(cards) != frozenset(PIQUET_DECK) or len(cards) > 32:
        return None
    scores = dict(zip(Team, tally(cards)))
    winner = max(Team, key=lambda team: scores[team].points)
    loser = min(Team, key=lambda team: scores[team].points)
    return winner, game_points(scores[loser])


def replay_at_once(cards):
    if sorted(map(repr, cards)) != sorted(map(repr, PIQUET_DECK)):
        return None

    def step(state, trick):
        leader, ac, bd = state
        fits = lambda place: trick[place].rank in (R7, trick[0].rank)
        winner = fold_left(lambda best, place: place if fits(place) else best, 0, range(4)) + leader
        worth = 10 * len(tuple(filter(lambda card: card.rank in (RA, R10), trick)))
        won = lambda score: Score(score.tricks + 1, score.points + worth)
        return (winner, ac, won(bd)) if winner % 2 else (winner, won(ac), bd)

    last, ac, bd = fold_left(step, (0, Score(0, 0), Score(0, 0)), tricks_of(cards))
    ac_wins = ac.points + 10 * (1 - last % 2) > bd.points + 10 * (last % 2)
    loser = (
        Score(bd.tricks, bd.points + 10 * (last % 2)) if ac_wins else Score(ac.tricks, ac.points + 10 * (1 - last % 2))
    )
    return (AC if ac_wins else BD), ({0: THREE}.get(loser.tricks, TWO) if loser.points == 0 else ONE)
