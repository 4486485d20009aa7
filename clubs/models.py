"""Who: accounts, clubs, their seasons and the people who play in them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs import onlookers
from clubs.names import fold_name as fold_name  # noqa: PLC0414 - imported from here as well
from clubs.names import initialled, name_parts, readable_site
from clubs.querysets import (
    ClubQuerySet,
    InvitationQuerySet,
    MembershipQuerySet,
    PlayerQuerySet,
    SeasonQuerySet,
    UserManager,
)


class Publication(models.TextChoices):
    """Who may see a club, a season or an evening."""

    CLUB = "club", _("Members only")
    PUBLIC = "public", _("Everybody")


class User(AbstractBaseUser, PermissionsMixin):
    """An account: somebody who signs in with an e-mail address."""

    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True, choices=settings.LANGUAGES)
    is_active = models.BooleanField(_("may sign in"), default=True)
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    date_joined = models.DateTimeField(_("since"), default=timezone.now)
    # Which address of the own calendar is the good one (clubs.calendars); older ones have ended.
    calendar_number = models.PositiveIntegerField(default=1, editable=False)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="account_email_once",
                violation_error_message=_("There is already an account with this address."),
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return str(self)


class Club(models.Model):
    """A card club: everything else belongs to one."""

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    town = models.CharField(_("town"), max_length=120, blank=True)
    about = models.TextField(_("about the club"), max_length=2000, blank=True)
    language = models.CharField(
        _("language"), max_length=8, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE
    )
    publication = models.CharField(
        _("who sees the club page"),
        max_length=8,
        choices=Publication.choices,
        default=Publication.CLUB,
    )
    # Each sheet of a published evening, or its results alone.
    shows_sheets = models.BooleanField(
        _("everybody also sees each score sheet"),
        default=True,
        help_text=_("Of evenings whose results everybody sees."),
    )
    # Whose pages may show the ranking in a frame: "https://club.example", one in a line.
    embed_origins = models.TextField(
        _("sites that may show the ranking"),
        max_length=1000,
        blank=True,
        help_text=_("One address in a line, as https://www.club.example."),
    )
    # Since when every name of the club is told as it is now: pages that show names ask for it.
    names_changed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("since"), default=timezone.now, editable=False)

    objects = ClubQuerySet.as_manager()

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    @property
    def is_public(self) -> bool:
        return self.publication == Publication.PUBLIC

    @property
    def origins(self) -> list[str]:
        """The sites that may show the ranking in a frame."""
        return self.embed_origins.split()

    @property
    def sites(self) -> list[str]:
        """The same as people read them: "https://été.example"."""
        return [readable_site(origin) for origin in self.origins]


class Season(models.Model):
    """A run of evenings that one ranking counts together."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=60)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    publication = models.CharField(
        _("who sees the ranking"),
        max_length=8,
        choices=Publication.choices,
        default=Publication.CLUB,
    )

    objects = SeasonQuerySet.as_manager()

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-starts_on", "-pk"]
        constraints = [
            models.UniqueConstraint(
                "club",
                Lower("name"),
                name="season_name_once_in_the_club",
                violation_error_message=_("The club already has a season of this name."),
            ),
            models.CheckConstraint(
                condition=Q(ends_on__gte=F("starts_on")),
                name="season_ends_after_it_starts",
                violation_error_message=_("The last day of a season cannot come before the first."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_public(self) -> bool:
        return self.publication == Publication.PUBLIC and self.club.is_public

    def contains(self, day: date) -> bool:
        """Does the day lie within the season?"""
        return self.starts_on <= day <= self.ends_on


class Player(models.Model):
    """A person who plays in a club; an account is optional."""

    class ShownAs(models.TextChoices):
        """What those outside the club read."""

        FULL = "full", _("The full name")
        INITIAL = "initial", _("First name and initial")
        PSEUDONYM = "pseudonym", _("A pseudonym")
        HIDDEN = "hidden", _("No name")

    club = models.ForeignKey(Club, models.CASCADE, related_name="players", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=120)
    table_name = models.CharField(
        _("name at the table"),
        max_length=24,
        blank=True,
        help_text=_("Short, as friends say it; empty: the first name."),
    )
    # Accents and case folded: databases sort "Émile" after "Zoé" otherwise.
    sort_name = models.CharField(max_length=120, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
        verbose_name=_("account"),
    )
    # How outsiders read the name; that choice holds on every page, feed, file and print.
    shown_as = models.CharField(
        _("how others see the name"),
        max_length=9,
        choices=ShownAs.choices,
        default=ShownAs.FULL,
    )
    pseudonym = models.CharField(_("pseudonym"), max_length=40, blank=True)
    archived_at = models.DateTimeField(_("put away on"), null=True, blank=True)
    # Who has the results of somebody who was the same person, and to whom the old address leads.
    put_together_with = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    created_at = models.DateTimeField(_("since"), default=timezone.now, editable=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["sort_name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(shown_as="pseudonym") | ~Q(pseudonym=""),
                name="pseudonym_is_given",
                violation_error_message=_("Choose a pseudonym."),
            ),
            models.CheckConstraint(
                condition=Q(put_together_with=None)
                | Q(archived_at__isnull=False) & ~Q(put_together_with=F("pk")),
                name="put_together_with_another_and_put_away",
            ),
            models.UniqueConstraint(
                "club",
                "sort_name",
                name="player_name_once_in_the_club",
                violation_error_message=_(
                    "The club already has a player of this name. Add an initial or a town."
                ),
            ),
            models.UniqueConstraint(
                fields=["club", "account"],
                condition=Q(account__isnull=False),
                name="account_plays_once_in_the_club",
                violation_error_message=_("This account already belongs to another player."),
            ),
        ]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name as whoever is looking may read it: in full in the club, else as chosen.

        Who sits at the same table without being of the club reads the name at the table.
        """
        if self._is_told_in_full:
            return self.name
        return self._name_at_table if onlookers.sit_with(self.pk) else self.public_name

    @property
    def public_name(self) -> str:
        """The name as everybody may read it."""
        match self.shown_as:
            case self.ShownAs.INITIAL:
                return initialled(self.name)
            case self.ShownAs.PSEUDONYM:
                return self.pseudonym
            case self.ShownAs.HIDDEN:
                return gettext("Name withheld")
        return self.name

    @property
    def short_name(self) -> str:
        """The name at the table: as chosen, else the first name."""
        if self._is_told_in_full or onlookers.sit_with(self.pk):
            return self._name_at_table
        return self.public_name

    @property
    def _name_at_table(self) -> str:
        return self.table_name or self.name.split(" ")[0]

    def is_told_by(self, text: str) -> bool:
        """Does a text tell whoever is looking more of the name than ``shown_name`` does?"""
        if self._is_told_in_full:
            return False
        kept = name_parts(self.name, self.table_name) - name_parts(self.shown_name)
        return any(part in fold_name(text) for part in kept)

    @property
    def has_page(self) -> bool:
        """May whoever is looking open the player's own page?"""
        return self.shown_as != self.ShownAs.HIDDEN or onlookers.belong_to(self.club_id)

    @property
    def _is_told_in_full(self) -> bool:
        return self.shown_as == self.ShownAs.FULL or onlookers.belong_to(self.club_id)

    @property
    def role(self) -> Role | None:
        """What the player may do in the club; nothing for a guest."""
        membership = getattr(self, "membership", None)
        if membership is None or membership.left_on is not None:
            return None
        return Role(membership.role)


def unless_it_tells(players: Iterable[Player], name: str) -> str:
    """Give what those who play together call themselves; nothing where it tells a kept name."""
    return "" if any(player.is_told_by(name) for player in players) else name


class Role(models.TextChoices):
    """What a member may do; each role may do what the ones before it may."""

    MEMBER = "member", _("member")
    SCORER = "scorer", _("scorer")
    DIRECTOR = "director", _("director")
    OWNER = "owner", _("owner")

    @property
    def rank(self) -> int:
        return list(Role).index(self)

    def may_act_as(self, role: Role) -> bool:
        """Does this role include the other?"""
        return self.rank >= role.rank


class Membership(models.Model):
    """A player's place in the club; a player without one is a guest."""

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="membership", verbose_name=_("player")
    )
    role = models.CharField(_("role"), max_length=8, choices=Role.choices, default=Role.MEMBER)
    licence_number = models.CharField(
        _("licence number"),
        max_length=20,
        blank=True,
        validators=[RegexValidator(r"^[\w./ -]*$", _("Letters, digits and . / - only."))],
    )
    joined_on = models.DateField(_("since"), default=timezone.localdate)
    left_on = models.DateField(_("until"), null=True, blank=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=Role.values),
                name="membership_role_known",
                violation_error_message=_("There is no such role."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.get_role_display()})"


class PastMembership(models.Model):
    """A time as a member that ended before the player came back."""

    player = models.ForeignKey(
        Player, models.CASCADE, related_name="past_memberships", verbose_name=_("player")
    )
    joined_on = models.DateField(_("since"))
    left_on = models.DateField(_("until"))

    class Meta:
        verbose_name = _("past membership")
        verbose_name_plural = _("past memberships")
        ordering = ["joined_on", "pk"]

    def __str__(self) -> str:
        return f"{self.player} {self.joined_on} – {self.left_on}"


class Invitation(models.Model):
    """A link that lets somebody open an account for a player of the club."""

    player = models.ForeignKey(
        Player, models.CASCADE, related_name="invitations", verbose_name=_("player")
    )
    # Empty for somebody who gets the link by hand.
    email = models.EmailField(_("e-mail address"), blank=True)
    key = models.CharField(max_length=64, unique=True, editable=False)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(_("sent on"), default=timezone.now)
    expires_at = models.DateTimeField(_("good until"))
    accepted_at = models.DateTimeField(_("accepted on"), null=True, blank=True)
    # Claimed by the job that sends the mail, so that two of them send one.
    mailed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return f"{self.player}: {self.email}"

    def is_good(self, at: datetime) -> bool:
        """Can it still be accepted?"""
        return self.accepted_at is None and at < self.expires_at
