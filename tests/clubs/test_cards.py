"""What the tag library writes."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from django import forms
from django.conf import settings
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import translation

from clubs.templatetags import cards


@pytest.mark.parametrize(
    ("language", "number", "text"),
    [
        ("en", 318, "+318"),
        ("en", -106, "\u2212106"),
        ("en", 0, "0"),
        ("en", None, ""),
        ("en", 2896, "+2896"),
        ("en", 9999, "+9999"),
        ("en", -10000, "\u221210,000"),
        ("fr", 12345, "+12\u202f345"),
        ("pt-br", 12345, "+12.345"),
        ("fr", Decimal("-12.5"), "\u221212,5"),
    ],
)
def test_a_score_carries_its_sign_and_groups_thousands_from_ten_thousand(language, number, text):
    with translation.override(language):
        assert cards.signed(number) == text


@pytest.mark.parametrize(("language", "text"), [("en", ":"), ("fr", "\u00a0:"), ("pt-br", ":")])
def test_a_colon_after_a_name_is_set_as_the_language_sets_it(language: str, text: str):
    with translation.override(language):
        assert cards.colon() == text


def test_no_template_sets_a_colon_after_a_name_by_itself():
    set_by_itself = re.compile(r"""(\}\}|%\}|</\w+>|class="hide">):[ <]""")
    sentences = re.compile(r"{% blocktranslate .*?{% endblocktranslate %}", re.DOTALL)
    pages = Path(settings.BASE_DIR, "templates").rglob("*.html")

    found = [page for page in pages if set_by_itself.search(sentences.sub("", page.read_text()))]

    assert found == []


@pytest.mark.parametrize(
    ("language", "half_points", "text"),
    [
        ("en", 93, "46.5"),
        ("fr", 93, "46,5"),
        ("pt-br", 93, "46,5"),
        ("en", 98, "49"),
        ("en", 1, "0.5"),
        ("en", None, ""),
    ],
)
def test_half_points_are_written_as_card_points(language, half_points, text):
    with translation.override(language):
        assert cards.card_points(half_points) == text


@pytest.mark.parametrize(
    ("number", "html"),
    [
        (318, '<span class="score score--plus">+318</span>'),
        (-106, '<span class="score score--minus">\u2212106</span>'),
        (0, '<span class="score">0</span>'),
        (None, '<span class="score">\u2013</span>'),
    ],
)
def test_a_score_says_by_sign_and_colour_who_won(number, html):
    assert cards.score(number) == html


def test_hearts_and_diamonds_are_red_and_the_black_suits_are_not():
    red = [name for name in ("spade", "heart", "diamond", "club") if "--red" in cards.suit(name)]

    assert red == ["heart", "diamond"]


def test_an_icon_is_silent_beside_a_word_and_speaks_when_it_is_alone():
    assert 'aria-hidden="true"' in cards.icon("hand")
    assert 'role="img" aria-label="Referee"' in cards.icon("hand", "Referee")


def test_text_in_a_chip_is_escaped():
    assert "&lt;b&gt;" in cards.chip("ok", "check", "<b>")


def test_pips_show_a_card_for_each_deal_and_say_the_count():
    html = cards.pips(2, 5, 1)

    assert html.count("<i") == 5
    assert html.count('class="done"') == 2
    assert html.count('class="part"') == 1
    assert 'aria-label="2 of 5 deals"' in html


def test_more_deals_than_fit_on_a_phone_are_not_drawn_one_by_one():
    assert cards.pips(3, 30) == ""


def test_pips_of_more_deals_than_planned_show_them_all():
    assert cards.pips(6, 5).count("<i") == 6


def test_a_place_won_points_up_and_a_place_lost_points_down():
    assert "#up" in cards.move(2)
    assert "</span> 1</span>" in cards.move(-1)
    assert "#down" in cards.move(-1)
    assert "same place" in cards.move(0)
    assert cards.move(None) == ""


class DealForm(forms.Form):
    points = forms.IntegerField(help_text="From 0 to 91.", widget=forms.TextInput)
    taker = forms.ChoiceField(choices=[("n", "Nicole")], widget=forms.RadioSelect, required=False)
    last = forms.BooleanField(label="Last deal", required=False)


def render_field(form: forms.Form, name: str) -> str:
    template = Template('{% include "parts/field.html" with field=field %}')
    return template.render(Context({"field": form[name]}))


def test_a_field_ties_its_label_error_and_help_to_the_input():
    html = render_field(DealForm({"points": "x"}), "points")

    assert '<label for="id_points">' in html
    assert 'aria-invalid="true"' in html
    assert 'aria-describedby="id_points_helptext id_points_error"' in html
    assert 'id="id_points_error"' in html
    assert 'class="input"' in html


def test_a_field_without_error_is_not_marked():
    html = render_field(DealForm(), "points")

    assert "has-error" not in html
    assert "aria-invalid" not in html


def test_a_question_with_choices_is_a_fieldset_with_a_legend():
    html = render_field(DealForm(), "taker")

    assert "<legend>Taker" in html
    assert "optional" in html
    assert "Nicole" in html


def test_a_single_box_has_its_label_beside_it():
    html = render_field(DealForm(), "last")

    assert html.count("Last deal") == 1
    assert "<legend>" not in html


@pytest.mark.parametrize(
    ("cookie", "chosen"), [("dark", "dark"), ("light", "light"), ("auto", ""), ('"><script>', "")]
)
def test_colours_come_from_the_cookie_when_it_holds_known_ones(cookie, chosen):
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = cookie

    assert cards.theme(Context({"request": request})) == chosen


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026–27", '<span class="nowrap">2026–27</span>'),
        ("<b> & 12–8", '&lt;b&gt; &amp; <span class="nowrap">12–8</span>'),
        ("Tables – 3 to 5", "Tables – 3 to 5"),
    ],
)
def test_a_range_stays_on_one_line_and_a_text_stays_a_text(text, written):
    assert cards.unbroken(text) == written
