"""Players, their memberships, roles and invitations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.forms.fields import LineField
from clubs.models import Membership, Player, Role, fold_name
from clubs.names import initialled


class PlayerSearchForm(forms.Form):
    """Which players a list shows; what cannot be read shows everybody."""

    GROUPS = (
        ("", _("Everybody")),
        ("members", _("Members")),
        ("guests", _("Guests")),
        ("away", _("Put away")),
    )

    q = LineField(
        label=_("Find a player"),
        required=False,
        max_length=120,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    group = forms.ChoiceField(choices=GROUPS, required=False)

    def words(self) -> str:
        return self.cleaned_data.get("q", "") if self.is_valid() else ""

    def chosen_group(self) -> str:
        return self.cleaned_data.get("group", "") if self.is_valid() else ""


class PlayerForm(forms.ModelForm):
    """The names of a player, and the licence number of a member."""

    licence_number = LineField(
        label=_("Licence number"),
        required=False,
        max_length=20,
        validators=Membership._meta.get_field("licence_number").validators,  # noqa: SLF001
    )

    class Meta:
        model = Player
        fields = ("name", "table_name")
        field_classes = {"name": LineField, "table_name": LineField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        membership = getattr(self.instance, "membership", None)
        if membership is not None:
            self.initial.setdefault("licence_number", membership.licence_number)
        elif self.instance.pk:
            del self.fields["licence_number"]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if not fold_name(name):
            raise ValidationError(_("A name has at least one letter."), code="required")
        return name


class NewPlayerForm(PlayerForm):
    """Somebody new: a member, or a guest."""

    kind = forms.ChoiceField(
        label=_("Member or guest?"),
        choices=[("member", _("Member")), ("guest", _("Guest"))],
        initial="member",
        widget=forms.RadioSelect,
    )
    field_order = ("name", "kind", "table_name", "licence_number")


class RoleForm(forms.Form):
    """What a member may do."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, widget=forms.RadioSelect)


class InvitationForm(forms.Form):
    """Whom to send the link; without an address it is handed over some other way."""

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        max_length=254,
        help_text=_("Leave it empty to get a link that you hand over yourself."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )


class ShownNameForm(forms.Form):
    """How those outside the club read the name."""

    shown_as = forms.ChoiceField(
        label=_("What do those outside the club read?"),
        choices=Player.ShownAs.choices,
        widget=forms.RadioSelect,
    )
    pseudonym = LineField(
        label=_("Pseudonym"),
        required=False,
        max_length=40,
        help_text=_("Only for the choice “A pseudonym”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    @classmethod
    def of(cls, player: Player, answers: Any = None) -> ShownNameForm:
        """Make the form of this player; each choice says what it would look like."""
        form = cls(answers, initial={"shown_as": player.shown_as, "pseudonym": player.pseudonym})
        field = form.fields["shown_as"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [
                (value, _example(player, value, str(label)))
                for value, label in Player.ShownAs.choices
            ]
        return form

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("shown_as") == Player.ShownAs.PSEUDONYM and not cleaned.get("pseudonym"):
            self.add_error("pseudonym", ValidationError(_("Choose a pseudonym."), code="required"))
        return cleaned


def _example(player: Player, value: str, label: str) -> str:
    shown = {
        Player.ShownAs.FULL: player.name,
        Player.ShownAs.INITIAL: initialled(player.name),
    }
    if value not in shown:
        return label
    return gettext("%(choice)s: %(name)s") % {"choice": label, "name": shown[Player.ShownAs(value)]}
