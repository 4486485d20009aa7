"""One factory per model; scenarios are fixtures in the conftest of the folder that needs them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from clubs.models import (
    Club,
    Invitation,
    Membership,
    Player,
    Publication,
    Role,
    Season,
    User,
    fold_name,
)
from rules_engine import tarot
from tournaments.models import (
    Entry,
    EntryPlayer,
    Event,
    JoinLink,
    Phone,
    Round,
    Seat,
    Table,
)
from tournaments.phones import ALPHABET, CODE_LENGTH

PASSWORD = "seven of trumps"  # noqa: S105 - every account of the tests


class UserFactory(DjangoModelFactory):
    class Meta:
        model = User
        skip_postgeneration_save = True

    name = factory.Sequence(lambda n: f"Account {n}")
    email = factory.Sequence(lambda n: f"account-{n}@example.org")
    password = factory.django.Password(PASSWORD)


class ClubFactory(DjangoModelFactory):
    class Meta:
        model = Club

    name = factory.Sequence(lambda n: f"Les Remparts {n}")
    slug = factory.Sequence(lambda n: f"les-remparts-{n}")
    town = "Saint-Malo"
    language = "en"

    class Params:
        public = factory.Trait(publication=Publication.PUBLIC)


class SeasonFactory(DjangoModelFactory):
    class Meta:
        model = Season

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda n: f"Season {n}")
    starts_on = date(2026, 9, 1)
    ends_on = date(2027, 8, 31)

    class Params:
        public = factory.Trait(publication=Publication.PUBLIC)


class PlayerFactory(DjangoModelFactory):
    """A guest, unless a membership is made for the player."""

    class Meta:
        model = Player

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda n: f"Player {n:05d}")
    sort_name = factory.LazyAttribute(lambda player: fold_name(player.name))


class MembershipFactory(DjangoModelFactory):
    """A member, with the player unless one is given; ``player__club=…`` says of which club."""

    class Meta:
        model = Membership

    player = factory.SubFactory(PlayerFactory)
    role = Role.MEMBER


class InvitationFactory(DjangoModelFactory):
    class Meta:
        model = Invitation

    player = factory.SubFactory(PlayerFactory)
    email = factory.Sequence(lambda n: f"invited-{n}@example.org")
    key = factory.Sequence(lambda n: f"key-{n:060d}")
    expires_at = factory.LazyFunction(lambda: timezone.now() + timedelta(days=14))


class EventFactory(DjangoModelFactory):
    """An evening before its first draw; ``season=…`` or ``season__club=…`` says whose."""

    class Meta:
        model = Event

    season = factory.SubFactory(SeasonFactory)
    starts_at = datetime(2026, 12, 3, 19, 15, tzinfo=UTC)
    ruleset = factory.LazyFunction(lambda: tarot.ruleset("fft").to_json())

    class Params:
        public = factory.Trait(publication=Publication.PUBLIC)
        running = factory.Trait(state=Event.State.RUNNING)
        closed = factory.Trait(
            state=Event.State.CLOSED, closed_at=datetime(2026, 12, 3, 22, 30, tzinfo=UTC)
        )


class EntryFactory(DjangoModelFactory):
    """A present player of the evening's club; ``player=…`` names one."""

    class Meta:
        model = Entry
        skip_postgeneration_save = True

    event = factory.SubFactory(EventFactory)
    number = factory.Sequence(lambda n: n + 1)

    class Params:
        away = factory.Trait(state=Entry.State.AWAY)

    @factory.post_generation
    def player(self, create: bool, extracted, **kwargs):
        player = extracted or PlayerFactory(club=self.event.season.club, **kwargs)
        EntryPlayer.objects.create(event=self.event, entry=self, player=player)


class RoundFactory(DjangoModelFactory):
    """A round that is being played; ``drawn=True`` and ``closed=True`` give the other states."""

    class Meta:
        model = Round

    event = factory.SubFactory(EventFactory, running=True)
    number = factory.LazyAttribute(lambda new: new.event.rounds.count() + 1)
    state = Round.State.PLAYING
    seed = 4821
    leftovers = Event.Leftovers.THREES
    roster_version = factory.LazyAttribute(lambda new: new.event.roster_version)
    published_at = datetime(2026, 12, 3, 19, 30, tzinfo=UTC)

    class Params:
        drawn = factory.Trait(state=Round.State.DRAWN, published_at=None)
        closed = factory.Trait(
            state=Round.State.CLOSED, closed_at=datetime(2026, 12, 3, 20, 30, tzinfo=UTC)
        )


class TableFactory(DjangoModelFactory):
    """A table with its seats: ``players=4`` makes new players, a list of players seats those."""

    class Meta:
        model = Table
        skip_postgeneration_save = True

    round = factory.SubFactory(RoundFactory)
    number = factory.LazyAttribute(lambda new: new.round.tables.count() + 1)
    players_per_deal = 4
    deals_planned = 5

    @factory.post_generation
    def players(self, create: bool, extracted, **kwargs):
        event = self.round.event
        if extracted is None or isinstance(extracted, int):
            count = self.players_per_deal if extracted is None else extracted
            extracted = [PlayerFactory(club=event.season.club) for _ in range(count)]
        for place, player in enumerate(extracted, start=1):
            entry = Entry.objects.filter(event=event, entry_players__player=player).first()
            Seat.objects.create(
                round=self.round,
                table=self,
                place=place,
                entry=entry or EntryFactory(event=event, player=player),
                player=player,
            )


class JoinLinkFactory(DjangoModelFactory):
    """A good link for players; ``role=…`` and ``table_number=…`` say for whom."""

    class Meta:
        model = JoinLink

    event = factory.SubFactory(EventFactory, running=True)
    code = factory.Sequence(
        lambda n: "".join(ALPHABET[n // 32**place % 32] for place in range(CODE_LENGTH))
    )
    expires_at = factory.LazyFunction(lambda: timezone.now() + timedelta(days=1))


class PhoneFactory(DjangoModelFactory):
    """A phone that joined; ``seat=…`` says for whom it stands."""

    class Meta:
        model = Phone

    class Params:
        seat = None

    link = factory.SubFactory(JoinLinkFactory)
    event = factory.SelfAttribute("link.event")
    player = factory.LazyAttribute(lambda new: new.seat and new.seat.player)
    entry = factory.LazyAttribute(lambda new: new.seat and new.seat.entry)
    name = factory.LazyAttribute(lambda new: new.seat.player.name if new.seat else "Marie")


def table_that_agrees(season: Season, confirmation: str, *, deals: int) -> Table:
    """A table of an evening under way whose players are asked to agree with what is entered."""
    event = EventFactory(
        season=season, running=True, starts_at=timezone.now(), confirmation=confirmation
    )
    return TableFactory(round=RoundFactory(event=event), deals_planned=deals)
