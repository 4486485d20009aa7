"""One factory per model; scenarios are fixtures in the conftest of the folder that needs them."""

from __future__ import annotations

from datetime import date, timedelta

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
