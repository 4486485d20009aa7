"""A second, naive reading of the rules: texts and lists, nothing shared with the engine."""

from __future__ import annotations

from random import Random

ORDER = "4567QJKA23"
#: The truth table of a hand: the rounds so far, and the pair that has won.
TABLE = {
    "AA": "A", "BB": "B", "TA": "A", "TB": "B", "AT": "A", "BT": "B",
    "ABA": "A", "ABB": "B", "ABT": "A", "BAA": "A", "BAB": "B", "BAT": "B",
    "TTA": "A", "TTB": "B", "TTT": "tie",
}  # fmt: skip
VALUES = [1, 3, 6, 9, 12]


def strength(card: str, vira: str) -> int:
    manilha = ORDER[(ORDER.index(vira[0]) + 1) % 10]
    if card[0] == manilha:
        return 100 + "OECP".index(card[1])
    return ORDER.index(card[0])


def side(seat: int) -> str:
    return "AB"[seat % 2]


def play_again(hand: dict) -> dict:  # noqa: C901, PLR0912, PLR0915 - naive is the point
    """Give rounds, leaders, winner, points and the refused event of a hand."""
    players, vira, before = hand["players"], hand["vira"], hand["score_before"]
    left = {int(seat): list(cards) for seat, cards in hand["hands"].items()}
    said = {"round_winners": [], "leaders": [], "hand_winner": None, "points": 0, "refused": None}
    iron = before == [11, 11]
    eleven = None if iron or 11 not in before else "AB"[before.index(11)]
    waiting, turn, table, level, asker, right = eleven is not None, hand["first"], [], 0, None, None
    opener = turn

    def done(winner: str, points: int) -> dict:
        said["hand_winner"], said["points"] = winner, points
        return said

    for text in hand["events"]:
        kind, seat, *card = text.split(":")
        seat = int(seat)
        asked = asker is not None
        if kind in ("ya", "yq"):
            legal = waiting and side(seat) == eleven
        elif waiting:
            legal = False
        elif kind in ("a", "q"):
            legal = asked and side(seat) != asker
        elif kind == "r" and asked:
            legal = side(seat) != asker and level + 1 < 4
        elif kind == "r":
            legal = (
                seat == turn and not iron and eleven is None and level < 4
                and right in (None, side(seat))
            )  # fmt: skip
        else:
            legal = not asked and seat == turn and card[0] in left[seat]
            if kind == "f":
                legal = legal and len(said["round_winners"]) > 0 and not iron
        if not legal:
            said["refused"] = text
            return said
        if kind == "ya":
            waiting = False
        elif kind == "yq":
            return done("A" if eleven == "B" else "B", 1)
        elif kind == "a":
            level, right, asker = level + 1, side(seat), None
        elif kind == "q":
            return done(asker, VALUES[level])
        elif kind == "r":
            level, asker = (level + 1 if asked else level), side(seat)
        else:
            left[seat].remove(card[0])
            table.append((seat, -1 if kind == "f" else strength(card[0], vira)))
            turn = (turn + 1) % players
            if len(table) < players:
                continue
            best = max(power for _, power in table)
            tops = [who for who, power in table if power == best and best >= 0]
            sides = {side(who) for who in tops}
            winner = sides.pop() if len(sides) == 1 else "T"
            opener = opener if winner == "T" else tops[0]
            said["round_winners"].append(winner)
            said["leaders"].append(opener)
            turn, table = opener, []
            ended = TABLE.get("".join(said["round_winners"]))
            if ended:
                worth = 3 if eleven else VALUES[level]
                return done(ended, 0 if ended == "tie" else worth)
    return said


def random_hand(chance: Random) -> dict:
    """Deal a hand of two, four or six at some score, with events of which most are legal."""
    players = chance.choice((2, 4, 4, 4, 6))
    # Few ranks tie often; six players need more than four of them.
    ranks = "".join(chance.sample(ORDER, 4)) if players < 6 and chance.random() < 0.4 else ORDER
    pack = [rank + suit for rank in ranks for suit in "PCEO"]
    chance.shuffle(pack)
    vira, first = pack.pop(), chance.randrange(players)
    hands = {str(seat): [pack.pop() for _ in range(3)] for seat in range(players)}
    score = chance.choice(([0, 0], [3, 10], [11, 11], [11, 4], [7, 11], [5, 5]))
    hand = {
        "players": players,
        "vira": vira,
        "first": first,
        "score_before": score,
        "hands": hands,
        "events": [],
    }
    while len(hand["events"]) < 40:
        so_far = play_again(hand)
        if so_far["refused"] or so_far["hand_winner"]:
            return hand
        hand["events"].append(_next_event(chance, hand, so_far))
    return hand


def _next_event(chance: Random, hand: dict, so_far: dict) -> str:
    """Give an event that may come next, now and then any event at all."""
    players, events = hand["players"], hand["events"]
    seat = chance.randrange(players)
    cards = [c for cards in hand["hands"].values() for c in cards]
    if chance.random() < 0.01:
        kind = chance.choice(("p", "f", "r", "a", "q", "ya", "yq"))
        return f"{kind}:{seat}:{chance.choice(cards)}" if kind in "pf" else f"{kind}:{seat}"
    last = events[-1].split(":") if events else ["", "0"]
    score = hand["score_before"]
    if not events and 11 in score and score != [11, 11]:
        decides = score.index(11)
        return chance.choice((f"ya:{decides}", f"ya:{decides}", f"ya:{decides}", f"yq:{decides}"))
    if last[0] == "r":
        other = (int(last[1]) + 1) % 2
        return chance.choice((f"a:{other}", f"a:{other}", f"q:{other}", f"r:{other}"))
    played = [event.split(":") for event in events if event[0] in "pf"]
    leader = so_far["leaders"][-1] if so_far["leaders"] else hand["first"]
    turn = (leader + len(played) % players) % players
    if chance.random() < 0.04:
        return f"r:{turn}"
    gone = {each[2] for each in played}
    card = chance.choice([c for c in hand["hands"][str(turn)] if c not in gone])
    covers = len(played) >= players and chance.random() < 0.15 and score != [11, 11]
    return f"{'f' if covers else 'p'}:{turn}:{card}"
