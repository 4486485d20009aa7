"""The deal form reads what a table reports, and says beside the field what cannot be."""

from __future__ import annotations

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from django.utils.translation import override, trans_real

from rules_engine import tarot
from scoring.forms import TarotDealForm, VoidDealForm, answers_of, read_points
from tests.scoring.conftest import answers, record_on

pytestmark = pytest.mark.django_db


USUAL = ("misdeal", "count", "table", "ruling")


def form_of(table, **changes) -> TarotDealForm:
    return TarotDealForm(answers(table, **changes), table=table, number=1)


def deal_of(table, **changes) -> tarot.Deal:
    form = form_of(table, **changes)
    assert form.is_valid(), form.errors
    return form.deal()


def refusal(table, field: str, **changes) -> str:
    form = form_of(table, **changes)
    assert not form.is_valid()
    assert list(form.errors) == [field]
    return form.errors[field][0]


@pytest.fixture
def house(round_):
    """An evening with pousse, misère and petit chelem."""
    rules = tarot.ruleset("seed-004-regional").to_json() | {"petit_chelem": True}
    event = round_.event
    event.ruleset = rules
    event.save()
    return event


# Points as people write them


@pytest.mark.parametrize(
    ("typed", "half_points"),
    [
        ("46", 92),
        (" 46 ", 92),
        ("46.5", 93),
        ("46,5", 93),
        ("46,50", 93),
        ("46.0", 92),
        ("46½", 93),
        ("46 ½", 93),
        ("46 1/2", 93),
        ("½", 1),
        ("1/2", 1),
        ("0", 0),
        ("−3", -6),
    ],
)
def test_points_are_read_as_people_write_them(typed, half_points):
    assert read_points(typed) == half_points


@pytest.mark.parametrize("typed", ["", "x", "46.3", "4 6", "46.5.5", "1/3", "461/2", "9" * 50])
def test_what_is_no_number_of_points_is_not_read(typed):
    assert read_points(typed) is None


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("96", "Points go from 0 to 91. You typed 96."),
        ("-3", "Points go from 0 to 91. You typed -3."),
        ("a lot", "Points are a whole number such as 46. You typed a lot."),
        ("", "How many points?"),
    ],
)
def test_points_that_cannot_be_are_refused_with_the_limits_and_what_was_typed(
    table, typed, sentence
):
    assert refusal(table, "points", points=typed) == sentence


def test_a_long_text_is_not_repeated_at_length(table):
    assert len(refusal(table, "points", points="x" * 5000)) < 100


def test_the_points_of_the_defence_are_taken_from_the_pack(table):
    assert deal_of(table, points="42", side="defence").half_points == 98


# Questions left open


@pytest.mark.parametrize(
    ("field", "question"),
    [
        ("taker", "Who took?"),
        ("contract", "Which contract?"),
        ("bouts", "How many bouts?"),
        ("points", "How many points?"),
    ],
)
def test_an_open_question_is_asked_again(table, field, question):
    assert refusal(table, field, **{field: None}) == question


def test_at_five_the_form_asks_with_whom(make_table):
    assert refusal(make_table(5), "partner", partner=None) == "With whom?"


def test_a_taker_from_elsewhere_is_no_choice(table):
    assert "not one of the available choices" in refusal(table, "taker", taker=10**6)


# What the form hands over


def test_a_plain_deal(table):
    assert deal_of(table) == tarot.Deal(
        ruleset=tarot.Ruleset(), contract=tarot.Contract.GARDE, bouts=2, half_points=98
    )


def test_everything_that_can_be_announced(table):
    deal = deal_of(
        table,
        petit_au_bout="defence",
        poignee="simple",
        poignee_side="defence",
        poignee_2="simple",
        poignee_2_side="attack",
        chelem="announced_failed",
    )

    assert deal.petit_au_bout is tarot.Side.DEFENCE
    assert deal.poignees == (
        tarot.Poignee(size=tarot.PoigneeSize.SIMPLE, side=tarot.Side.DEFENCE),
        tarot.Poignee(size=tarot.PoigneeSize.SIMPLE, side=tarot.Side.ATTACK),
    )
    assert deal.chelem == tarot.Chelem(announced=True)


@pytest.mark.parametrize(("said", "called"), [("alone", "self"), ("taker", "self")])
def test_at_five_who_names_himself_plays_alone(make_table, said, called):
    table = make_table(5)
    partner = table.seats.get(place=1).pk if said == "taker" else said

    form = form_of(table, partner=partner)

    assert form.is_valid()
    assert (form.deal().called, form.seats_of_deal()["partner"]) == (called, None)


def test_at_five_a_partner_is_a_seat(make_table):
    table = make_table(5)
    michel = table.seats.get(place=2)

    form = form_of(table, partner=michel.pk, points="46,5")

    assert form.is_valid()
    assert form.seats_of_deal()["partner"] == michel
    assert (form.deal().called, form.deal().half_points) == (tarot.Called.PARTNER, 93)


def test_the_dealer_sits_out_unless_the_table_says_otherwise(make_table):
    table = make_table(5, players_per_deal=4)

    assert TarotDealForm(table=table, number=2)["sits_out"].value() == table.seats.get(place=2).pk
    form = form_of(table, sits_out=table.seats.get(place=3).pk)
    assert form.is_valid()
    assert form.seats_of_deal()["sits_out"].place == 3


def test_who_sits_out_does_not_take(make_table):
    table = make_table(5, players_per_deal=4)
    bernard = table.seats.get(place=1)

    assert refusal(table, "taker", sits_out=bernard.pk) == "Bernard sits out this deal."


def test_the_deal_goes_round_the_table(table):
    assert [TarotDealForm(table=table, number=n).dealer.place for n in (1, 2, 4, 5)] == [1, 2, 4, 1]


# House rules


def test_house_rules_are_asked_only_where_they_are_played(table):
    fields = TarotDealForm(table=table, number=1).fields

    assert "pousse" not in dict(fields["contract"].choices)
    assert not {"petit_chelem", "misere_trumps"} & set(fields)


def test_where_they_are_played_house_rules_are_asked_and_counted(house, table):
    yves = table.seats.get(place=3)

    deal = deal_of(table, contract="pousse", petit_chelem="announced_failed", misere_trumps=yves.pk)

    assert deal.contract is tarot.Contract.POUSSE
    assert deal.petit_chelem == tarot.Chelem(announced=True)
    assert deal.miseres == (tarot.Misere(kind=tarot.MisereKind.TRUMPS, declarer=2),)


def test_a_misere_belongs_to_its_declarer_wherever_the_taker_sits(house, table, bernard):
    seats = list(table.seats.order_by("place"))
    form = form_of(table, taker=seats[2].pk, misere_court_cards=seats[0].pk)
    assert form.is_valid()

    row = record_on(table, bernard, deal=form.deal(), **form.seats_of_deal() | {"taker": 2})

    plain = [-56, -56, 168, -56]
    marks = list(row.marks.order_by("seat__place").values_list("points", flat=True))
    assert marks == [plain[0] + 30, plain[1] - 10, plain[2] - 10, plain[3] - 10]


# What the engine refuses lands beside its question


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"points": "46.5"}, "points", "At four players the card points are whole"),
        ({"points": "3"}, "points", "at least 9 points"),
        ({"bouts": "0", "points": "80"}, "points", "at most"),
        ({"petit_au_bout": "defence", "bouts": "3"}, "petit_au_bout", "all three bouts"),
        ({"poignee": "triple", "poignee_2": "simple"}, "poignee", "21 trumps and the Excuse"),
        ({"chelem": "made"}, "points", "With all the tricks"),
    ],
)
def test_a_refusal_of_the_engine_stands_beside_its_question(table, changes, field, words):
    assert words in refusal(table, field, **changes)


@pytest.fixture
def french(tmp_path, settings):
    """A French catalogue with one sentence of the engine in it."""
    catalogue = Catalog(locale="fr")
    catalogue.add(
        "The petit au bout is not played under these rules.",
        "Le petit au bout ne se joue pas selon ces règles.",
    )
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, catalogue)
    kept = trans_real._translations
    settings.LOCALE_PATHS = [tmp_path]
    trans_real._translations = {}
    with override("fr"):
        yield
    trans_real._translations = kept


def test_a_refusal_is_said_in_the_language_of_the_reader(table, french):
    form = form_of(table, petit_au_bout="attack")
    form.ruleset = tarot.ruleset("no-petit-au-bout")

    assert not form.is_valid()
    assert form.errors["petit_au_bout"] == ["Le petit au bout ne se joue pas selon ces règles."]


def test_what_was_typed_stays(table):
    form = form_of(table, points="ninety")

    assert not form.is_valid()
    assert 'value="ninety"' in str(form["points"])
    assert form["contract"].value() == "garde"


# A row as answers


def test_a_recorded_deal_comes_back_as_the_same_answers(house, make_table, bernard):
    table = make_table(5)
    seats = list(table.seats.order_by("place"))
    form = form_of(
        table,
        partner=seats[1].pk,
        points="60,5",
        petit_au_bout="attack",
        poignee="double",
        poignee_side="defence",
        chelem="announced_failed",
        misere_trumps=seats[3].pk,
    )
    assert form.is_valid(), form.errors
    row = record_on(table, bernard, deal=form.deal(), partner=seats[1])

    again = TarotDealForm(
        {**answers(table), **{k: v for k, v in answers_of(row, seats).items() if v is not None}},
        table=table,
        number=1,
    )

    assert again.is_valid(), again.errors
    assert again.deal() == form.deal()
    assert again.seats_of_deal() == form.seats_of_deal()


# Why a deal is void


def test_a_usual_reason_is_kept_in_english_so_that_everybody_reads_it_in_his_language():
    form = VoidDealForm({"reason": "misdeal"}, usual=USUAL)

    assert form.is_valid()
    assert form.sentence() == "Misdeal"


def test_another_reason_needs_words():
    assert "words" in VoidDealForm({"reason": "other", "words": " "}, usual=USUAL).errors
    form = VoidDealForm({"reason": "other", "words": " The cat took a card "}, usual=USUAL)
    assert form.is_valid()
    assert form.sentence() == "The cat took a card"


@pytest.mark.parametrize(("players", "is_named"), [(3, True), (4, False), (5, True)])
def test_a_half_is_an_example_only_where_points_have_halves(make_table, players, is_named):
    partner = "alone" if players == 5 else None

    said = refusal(make_table(players), "points", points="many", partner=partner)

    assert ("½" in said) == is_named
