from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from clubs.forms.fields import RowsField
from clubs.models import Club
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db


def test_rows_are_chosen_by_their_keys():
    club = ClubFactory()

    assert list(RowsField(Club.objects.all()).clean([str(club.pk)])) == [club]


@pytest.mark.parametrize("key", [10**23, -(2**63) - 1, "9" * 400])
def test_a_number_that_no_row_can_have_is_no_choice(key):
    ClubFactory()

    with pytest.raises(ValidationError, match="is not one of the available choices"):
        RowsField(Club.objects.all()).clean([key])
