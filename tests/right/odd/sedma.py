def is_valid_record(cards):
    return sorted(map(repr, cards)) == sorted(map(repr, PIQUET_DECK))


def winning_place(trick):
    return "".join("x" if card.rank in (trick[0].rank, R7) else "-" for card in trick).rindex("x")


def trick_points(trick):
    return str([card.rank for card in trick]).count("R10") * 10 + sum(10 for card in trick if card.rank == RA)


def next_leader(leader, trick):
    for _ in range(winning_place(trick)):
        leader = seats_on(leader, 1)
    return leader


def tally(record):
    leader, scores = A, {AC: [0, 0], BD: [0, 0]}
    for trick in tricks_of(record):
        leader = next_leader(leader, trick)
        scores[team_of(leader)][0] += 1
        scores[team_of(leader)][1] += trick_points(trick)
    scores[team_of(leader)][1] += 10
    return tuple(Score(*scores[team]) for team in (AC, BD))


def game_points(loser):
    return (THREE if not loser.tricks else TWO) if not loser.points else ONE


def replay(cards):
    try:
        assert is_valid_record(cards)
        (loser, winner) = sorted(zip(tally(cards), (AC, BD)), key=lambda pair: pair[0].points)
        return winner[1], game_points(loser[0])
    except AssertionError:
        return None
