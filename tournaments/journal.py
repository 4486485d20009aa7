"""The lines of an evening's journal as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from tournaments.faults import FAULTS
from tournaments.models import Entry, Event, Fixture, JournalLine
from tournaments.reasons import listed, names_of

KIND = JournalLine.Kind

SENTENCES: Mapping[str, Any] = {
    KIND.CREATED: gettext_lazy("Planned the evening."),
    KIND.CHANGED: gettext_lazy("Changed the plan: %(fields)s."),
    KIND.CHECKED_IN: gettext_lazy("Checked in %(player)s."),
    KIND.CHECKED_OUT: gettext_lazy("Marked %(player)s as gone."),
    KIND.DRAWN: gettext_lazy("Drew round %(round)s for %(count)s players, seed %(seed)s."),
    KIND.SWAPPED: gettext_lazy("Let %(players)s change places in round %(round)s."),
    KIND.DISCARDED: gettext_lazy("Dropped the draw of round %(round)s, seed %(seed)s."),
    KIND.PUBLISHED: gettext_lazy("Started round %(round)s, seed %(seed)s."),
    KIND.WITHDRAWN: gettext_lazy("Took back the start of round %(round)s."),
    KIND.DEALS_CHANGED: ngettext_lazy(
        "Let table %(table)s play %(deals)s deal in round %(round)s.",
        "Let table %(table)s play %(deals)s deals in round %(round)s.",
        "deals",
    ),
    KIND.ROUND_CLOSED: gettext_lazy("Closed round %(round)s."),
    KIND.ROUND_REOPENED: gettext_lazy("Reopened round %(round)s."),
    KIND.CLOSED: gettext_lazy("Closed the evening."),
    KIND.REOPENED: gettext_lazy("Reopened the evening."),
    KIND.IMPORTED: gettext_lazy("Imported a list of results: %(file)s."),
    KIND.MERGED: gettext_lazy("Put the results of %(players)s together."),
    KIND.RULING_WITHDRAWN: gettext_lazy("Withdrew the ruling “%(fault)s”."),
    KIND.CLOCK_STARTED: ngettext_lazy(
        "Started the clock of round %(round)s: %(minutes)s minute.",
        "Started the clock of round %(round)s: %(minutes)s minutes.",
        "minutes",
    ),
    KIND.CLOCK_PAUSED: gettext_lazy("Stopped the clock of round %(round)s."),
    KIND.CLOCK_RESUMED: gettext_lazy("Let the clock of round %(round)s run on."),
    KIND.TABLE_EXTENDED: ngettext_lazy(
        "Gave table %(table)s %(minutes)s minute more.",
        "Gave table %(table)s %(minutes)s minutes more.",
        "minutes",
    ),
    KIND.TIME_CALLED: gettext_lazy("Called the end of time of round %(round)s."),
    KIND.TIME_TAKEN_BACK: gettext_lazy("Took the end of time of round %(round)s back."),
    KIND.SIGNED: gettext_lazy("Signed the sheet of table %(table)s in round %(round)s."),
    KIND.UNSIGNED: gettext_lazy(
        "Took the signature of the sheet of table %(table)s in round %(round)s back."
    ),
    KIND.SEATS_CHANGED: gettext_lazy("Changed the seats of %(players)s in round %(round)s."),
    KIND.CHANGE_UNDONE: gettext_lazy(
        "Undid the change of the seats of %(players)s in round %(round)s."
    ),
    KIND.ENTERED: gettext_lazy("Entered %(player)s as number %(number)s."),
    KIND.ENTRY_CHANGED: gettext_lazy("Changed the entry of %(player)s: %(fields)s."),
    KIND.ENTRY_WITHDRAWN: gettext_lazy("Withdrew %(player)s."),
    KIND.ENTRY_BACK: gettext_lazy("Took back the withdrawal of %(player)s."),
    KIND.ENTRY_REPLACED: gettext_lazy("Replaced a player: %(players)s."),
    KIND.TEAMS_CHANGED: gettext_lazy("Changed the team %(team)s: %(players)s."),
    KIND.PAIRS_CHANGED: gettext_lazy("Changed who may not meet: %(players)s."),
    KIND.RESULT_FINAL: gettext_lazy("Declared the results final, version %(version)s."),
    KIND.STAGE_CHANGED: gettext_lazy("Changed stage %(stage)s."),
    KIND.FIXTURES_DRAWN: gettext_lazy("Drew the fixtures of stage %(stage)s, seed %(seed)s."),
    KIND.FIXTURES_DROPPED: gettext_lazy("Dropped the draw of stage %(stage)s, seed %(seed)s."),
    KIND.SLOTS_CHANGED: gettext_lazy("Changed who goes where in stage %(stage)s."),
    KIND.FIXTURES_CALLED: gettext_lazy(
        "Called fixtures to tables in round %(round)s: %(fixtures)s."
    ),
    KIND.FIXTURE_DECIDED: gettext_lazy(
        "Decided fixture %(fixture)s of stage %(stage)s: %(score)s (%(players)s)."
    ),
    KIND.FIXTURE_UNDONE: gettext_lazy(
        "Took fixture %(fixture)s of stage %(stage)s back: %(score)s (%(players)s)."
    ),
    KIND.EQUALS_DECIDED: gettext_lazy(
        "Equal in stage %(stage)s, in this order after an extra game: %(players)s."
    ),
    KIND.EQUALS_UNDONE: gettext_lazy(
        "Took back what decided between equals in stage %(stage)s: %(players)s."
    ),
    KIND.PARTNERS_DRAWN: gettext_lazy("Drew partners, seed %(seed)s: %(players)s."),
    KIND.ENTRY_EXPELLED: gettext_lazy("Expelled %(player)s."),
    KIND.SUBSTITUTED: gettext_lazy("Put a reserve in: %(players)s."),
    # Of a table's card, where no role is told below.
    KIND.LINK_MADE: gettext_lazy("Made a link for all players."),
    KIND.LINK_REVOKED: gettext_lazy("Took the link for all players back."),
    KIND.PHONE_JOINED: gettext_lazy("Joined with a phone."),
    KIND.PHONE_REMOVED: gettext_lazy("Sent a phone off the event."),
    KIND.LEAVES_AFTER: gettext_lazy("%(player)s leaves after round %(round)s."),
    KIND.STAYS: gettext_lazy("%(player)s stays after all."),
    KIND.FROZEN: gettext_lazy("Froze the sheets of round %(round)s."),
    KIND.UNFROZEN: gettext_lazy("Let the tables of round %(round)s write again."),
    KIND.TAKEN_OVER: gettext_lazy("Took over table %(table)s in round %(round)s."),
    KIND.HANDED_BACK: gettext_lazy("Handed table %(table)s back in round %(round)s."),
    KIND.OBJECTION_SETTLED: gettext_lazy(
        "Settled an objection at table %(table)s in round %(round)s."
    ),
}

#: Links for whoever does not play, by their role.
OF_ROLES: Mapping[tuple[str, str], Any] = {
    (KIND.LINK_MADE, "scorer"): gettext_lazy("Made a link for scorers."),
    (KIND.LINK_MADE, "referee"): gettext_lazy("Made a link for referees."),
    (KIND.LINK_MADE, "wall"): gettext_lazy("Made a link for a screen on the wall."),
    (KIND.LINK_REVOKED, "scorer"): gettext_lazy("Took the link for scorers back."),
    (KIND.LINK_REVOKED, "referee"): gettext_lazy("Took the link for referees back."),
    (KIND.LINK_REVOKED, "wall"): gettext_lazy("Took the link for a screen on the wall back."),
}


def with_sentences(lines: Iterable[JournalLine]) -> list[tuple[JournalLine, str]]:
    """Give each line with its sentence; one query for all the names."""
    lines = list(lines)
    names = names_of(key for line in lines for key in _players(line.details))
    return [(line, _sentence(line, names)) for line in lines]


def _players(details: Mapping[str, Any]) -> Iterable[int]:
    if "player" in details:
        yield details["player"]
    yield from details.get("players", ())


def _sentence(line: JournalLine, names: Mapping[int, str]) -> str:
    details = dict(line.details)
    if line.kind == KIND.ROUND_CLOSED:
        return " ".join(_round_closed(details))
    if line.kind == KIND.PHONE_JOINED:
        return _phone_joined(details, names)
    if "fault" in details:
        details["fault"] = _(FAULTS[details["fault"]].words)
    if line.kind == KIND.RULED:
        return _ruled(details, names)
    if line.kind == KIND.CUT_DECIDED:
        return _cut_decided(details, names)
    details |= _of_fixtures(details)
    if "players" in details and "player" not in details:
        details["player"] = listed([names.get(key, _("somebody")) for key in details["players"]])
    elif "player" in details:
        details["player"] = names.get(details["player"], _("somebody"))
    if "players" in details:
        details["count"] = len(details["players"])
        details["players"] = listed([names.get(key, _("somebody")) for key in details["players"]])
    if "fields" in details:
        details["fields"] = listed([_field_name(name) for name in details["fields"]])
    return str(_pattern(line) % details)


def _round_closed(details: Mapping[str, Any]) -> Iterator[str]:
    """Say that a round was closed, and at which tables although something was not settled."""
    if details.get("missing"):
        said = ngettext(
            "Closed round %(round)s without the missing deals of table %(tables)s.",
            "Closed round %(round)s without the missing deals of tables %(tables)s.",
            len(details["missing"]),
        )
    else:
        said = str(SENTENCES[KIND.ROUND_CLOSED])
    yield said % {"round": details["round"], "tables": _numbers(details.get("missing", ()))}
    if details.get("unconfirmed"):
        said = ngettext(
            "Let table %(tables)s count although its sheet was not confirmed.",
            "Let tables %(tables)s count although their sheets were not confirmed.",
            len(details["unconfirmed"]),
        )
        yield said % {"tables": _numbers(details["unconfirmed"])}
    if details.get("objected"):
        said = ngettext(
            "Let table %(tables)s count although a player objected.",
            "Let tables %(tables)s count although players objected.",
            len(details["objected"]),
        )
        yield said % {"tables": _numbers(details["objected"])}


def _of_links(line: JournalLine) -> str:
    """Say for whom links were made or taken back; one line may tell of those of many tables."""
    details = line.details
    if details.get("table"):
        return _("Took the link of table %(table)s back.") % {"table": details["table"]}
    if details.get("tables"):
        said = ngettext(
            "Made a link for the phones of table %(tables)s.",
            "Made links for the phones of tables %(tables)s.",
            len(details["tables"]),
        )
        return said % {"tables": _runs(details["tables"])}
    return str(OF_ROLES.get((line.kind, details.get("role", "")), SENTENCES[line.kind]))


def _runs(numbers: Iterable[int]) -> str:
    """Give numbers with those that follow each other as one: 1–120, 125."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(_run(run) for run in runs)


def _run(numbers: Sequence[int]) -> str:
    if len(numbers) <= 2:  # noqa: PLR2004 - two are named
        return _numbers(numbers)
    return f"{numbers[0]}–{numbers[-1]}"


def _numbers(tables: Iterable[int]) -> str:
    return ", ".join(map(str, tables))


def _pattern(line: JournalLine) -> Any:
    if line.kind == KIND.EQUALS_DECIDED and line.details.get("seed") is not None:
        return _("Equal in stage %(stage)s, by lot, seed %(seed)s: %(players)s.")
    if line.kind == KIND.IMPORTED and not line.details["file"]:
        return _("Imported a list of results that was pasted.")
    if line.kind == KIND.OBJECTION_SETTLED and "player" in line.details:
        return _objection_settled(line.details)
    if line.kind in {KIND.LINK_MADE, KIND.LINK_REVOKED}:
        return _of_links(line)
    return SENTENCES[line.kind]


def _objection_settled(details: Mapping[str, Any]) -> str:
    if details["takes"]:
        return _(
            "Settled an objection at table %(table)s in round %(round)s (%(player)s): "
            "the proposed version stands."
        )
    if details.get("taken_back"):
        return _("Took an objection back at table %(table)s in round %(round)s (%(player)s).")
    if details.get("struck"):
        return _(
            "Settled an objection at table %(table)s in round %(round)s (%(player)s): "
            "the row no longer counts."
        )
    if details.get("left"):
        return _(
            "Settled an objection at table %(table)s in round %(round)s (%(player)s): "
            "the result does not come from this sheet any more."
        )
    if details.get("corrected"):
        return _(
            "Settled an objection at table %(table)s in round %(round)s (%(player)s): "
            "the corrected version stands."
        )
    return _(
        "Settled an objection at table %(table)s in round %(round)s (%(player)s): "
        "the sheet stays as it is."
    )


def _of_fixtures(details: Mapping[str, Any]) -> dict[str, str]:
    said = {}
    if "fixtures" in details:
        said["fixtures"] = ", ".join(details["fixtures"])
    if "scores" in details:
        said["score"] = _score(details)
    return said


def _score(details: Mapping[str, Any]) -> str:
    """Say how a fixture ended: its games, or why there are none."""
    games = " ".join(f"{home}–{away}" for home, away in details["scores"])
    ending = details.get("ending", "")
    if ending in ("", Fixture.Ending.PLAYED) and games:
        return games
    words = str(dict(Fixture.Ending.choices).get(ending, _("nothing written")))
    return f"{words} {games}".strip()


def _phone_joined(details: Mapping[str, Any], names: Mapping[int, str]) -> str:
    if "player" not in details:
        return _("%(name)s joined with a phone.") % details
    gaps = {"player": names.get(details["player"], _("somebody"))}
    if details.get("claimed"):
        return _("A phone took the seat of %(player)s from another one.") % gaps
    return _("A phone took the seat of %(player)s.") % gaps


def _cut_decided(details: dict[str, Any], names: Mapping[int, str]) -> str:
    details["players"] = listed([names.get(key, _("somebody")) for key in details["players"]])
    if details["seed"] is None:
        return (
            _("Equal at the last place of stage %(stage)s, after an extra deal: %(players)s.")
            % details
        )
    return (
        _("Equal at the last place of stage %(stage)s, by lot, seed %(seed)s: %(players)s.")
        % details
    )


def _ruled(details: dict[str, Any], names: Mapping[int, str]) -> str:
    if "player" not in details:
        return _("Made a ruling: %(fault)s.") % details
    details["player"] = names.get(details["player"], _("somebody"))
    if not details["points"]:
        return _("Made a ruling about %(player)s: %(fault)s.") % details
    said = ngettext(
        "Took %(points)s point from %(player)s: %(fault)s.",
        "Took %(points)s points from %(player)s: %(fault)s.",
        details["points"],
    )
    return said % details


def _field_name(name: str) -> str:
    if name == "preset":
        return _("rules")
    for model in (Event, Entry):
        field = {field.name: field for field in model._meta.fields}.get(name)  # noqa: SLF001 - Django's own door
        if field is not None:
            return str(field.verbose_name)
    return name
