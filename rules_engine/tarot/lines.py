"""The lines of a score: what the score sheet shows when somebody asks why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rules_engine.errors import fill, gettext_noop
from rules_engine.tarot.contracts import Contract, MisereKind, PoigneeSize, Side


@dataclass(frozen=True, slots=True)
class Line:
    """One reason of a score: a stable ``label``, its ``points``, a sentence with gaps.

    ``points`` are counted from the attack's side: what the taker wins from one defender.
    """

    label: str
    points: int
    sentence: str
    gaps: Mapping[str, object] = field(default_factory=dict)

    def text(self, translate: Callable[[str], str] = str) -> str:
        """Give the sentence for people, translated and filled."""
        return fill(self.sentence, self.gaps, translate)

    def to_json(self) -> dict[str, object]:
        """Give label and points, as the command line writes them."""
        return {"label": self.label, "points": self.points}


_CONTRACT_SENTENCES = {
    (True, True): gettext_noop("%(contract)s made: 25, times %(multiplier)s"),
    (True, False): gettext_noop("%(contract)s made: its fixed value"),
    (False, True): gettext_noop("%(contract)s lost: 25, times %(multiplier)s"),
    (False, False): gettext_noop("%(contract)s lost: its fixed value"),
}


def contract_line(contract: Contract, points: int, multiplier: str, *, made: bool) -> Line:
    """Give the fixed part of a contract: 25 times the multiplier, or without one its own value."""
    gaps: dict[str, object] = {"contract": contract}
    if multiplier:
        gaps["multiplier"] = multiplier
    sentence = _CONTRACT_SENTENCES[made, bool(multiplier)]
    return Line("contract", points if made else -points, sentence, gaps)


def margin_line(margin: int, multiplier: str, points: int, *, made: bool) -> Line:
    """Give the points above or under those needed, times the multiplier."""
    gaps: dict[str, object] = {"margin": margin, "multiplier": multiplier}
    if not made:
        sentence = gettext_noop("Short by %(margin)s, times %(multiplier)s")
        return Line("margin", -points, sentence, gaps)
    if not margin:
        return Line("margin", 0, gettext_noop("Just made, nothing above"))
    return Line("margin", points, gettext_noop("Above by %(margin)s, times %(multiplier)s"), gaps)


def petit_lines(points: int, multiplier: str) -> dict[Side, Line]:
    """Give the petit au bout for each side that may win the last trick (RO p.7)."""
    gaps: dict[str, object] = {"multiplier": multiplier}
    return {
        Side.ATTACK: Line(
            "petit_au_bout",
            points,
            gettext_noop("Petit au bout for the attack: 10, times %(multiplier)s"),
            gaps,
        ),
        Side.DEFENCE: Line(
            "petit_au_bout",
            -points,
            gettext_noop("Petit au bout for the defence: 10, times %(multiplier)s"),
            gaps,
        ),
    }


#: Premium of a shown handful, whatever the contract (RO p.7).
POIGNEE_POINTS = {PoigneeSize.SIMPLE: 20, PoigneeSize.DOUBLE: 30, PoigneeSize.TRIPLE: 40}

_POIGNEE_SENTENCES = {
    True: gettext_noop("%(size)s, to the attack because the contract is made"),
    False: gettext_noop("%(size)s, to the defence because the contract is lost"),
}

#: A handful pays the side that wins the deal, whoever showed it (RO p.7): by made, by size.
POIGNEE_LINES: dict[bool, dict[PoigneeSize, Line]] = {
    made: {
        size: Line(
            f"poignee_{size}",
            points if made else -points,
            _POIGNEE_SENTENCES[made],
            {"size": size},
        )
        for size, points in POIGNEE_POINTS.items()
    }
    for made in (True, False)
}

SlamLines = Mapping[tuple[bool, Side | None], tuple[Line, ...]]

SLAM_ANNOUNCED = Line("chelem_announced", 400, gettext_noop("Chelem announced and made"))
SLAM_UNANNOUNCED = Line("chelem_unannounced", 200, gettext_noop("Chelem made, not announced"))
SLAM_FAILED = Line("chelem_failed", -200, gettext_noop("Chelem announced and not made"))
SLAM_DEFENCE = Line("chelem_defence", -200, gettext_noop("Chelem made by the defence"))


def slam_lines(*, failed_and_defence: str) -> SlamLines:
    """Give the lines of a slam by (announced, achieved by) (RO p.6, OT p.9)."""
    both = (SLAM_FAILED, SLAM_DEFENCE)
    return {
        (False, None): (),
        (True, None): (SLAM_FAILED,),
        (False, Side.ATTACK): (SLAM_UNANNOUNCED,),
        (True, Side.ATTACK): (SLAM_ANNOUNCED,),
        (False, Side.DEFENCE): (SLAM_DEFENCE,),
        (True, Side.DEFENCE): both if failed_and_defence == "both" else both[1:],
    }


def petit_slam_lines(points: tuple[int, int, int]) -> SlamLines:
    """Give the lines of a petit chelem, all tricks but one (a house rule)."""
    announced, unannounced, failed = points
    won = Line("petit_chelem_announced", announced, gettext_noop("Petit chelem announced and made"))
    silent = Line(
        "petit_chelem_unannounced", unannounced, gettext_noop("Petit chelem made, not announced")
    )
    lost = Line("petit_chelem_failed", -failed, gettext_noop("Petit chelem announced and not made"))
    defence = Line(
        "petit_chelem_defence", -unannounced, gettext_noop("Petit chelem made by the defence")
    )
    return {
        (False, None): (),
        (True, None): (lost,),
        (False, Side.ATTACK): (silent,),
        (True, Side.ATTACK): (won,),
        (False, Side.DEFENCE): (defence,),
        (True, Side.DEFENCE): (lost, defence),
    }


def misere_line(kind: MisereKind, points: int, each: int) -> Line:
    """Give a misère: outside the unit score, to its declarer from every other player."""
    return Line(
        f"misere_{kind}",
        points,
        gettext_noop("%(kind)s: %(each)s to the declarer from each other player"),
        {"kind": kind, "each": each},
    )
