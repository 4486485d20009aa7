"""Nothing that people read is left in English where they chose another language."""

from __future__ import annotations

import gettext
import re
from collections import Counter
from datetime import date
from pathlib import Path

import django
import pytest
from babel.messages.catalog import Message
from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format

from config import messages
from config.messages import NotASentenceError, Sentence

ROOT = Path(settings.BASE_DIR)
LANGUAGES = ("fr", "pt_BR")


#: What of the framework is shown to people.
APPS = ("conf", "contrib/admin", "contrib/auth")


def catalogue_of(app: str, language: str) -> gettext.GNUTranslations:
    folder = Path(django.__file__).parent / app / "locale"
    return gettext.translation("django", folder, languages=[language])  # type: ignore[return-value]


@pytest.fixture(scope="module")
def sentences() -> dict[Sentence, list[str]]:
    return messages.gather(ROOT)


@pytest.fixture(params=LANGUAGES)
def catalogue(request):
    return messages.read(ROOT / "locale" / request.param / "LC_MESSAGES" / "django.po")


def forms_with(pattern: str, *, language: str) -> list[str]:
    """Give what a catalogue says in words that are found by the pattern."""
    read = messages.read(ROOT / "locale" / language / "LC_MESSAGES" / "django.po")
    said = (form for message in read if message.id for form in messages.forms(message))
    return [form for form in said if re.search(pattern, form)]


class TestCatalogues:
    def test_every_sentence_is_translated_and_none_is_left_over(self, catalogue, sentences):
        missing = [s.text for s in messages.untranslated(catalogue, sentences)]
        left_over = messages.left_over(catalogue, sentences)

        assert missing == []
        assert list(left_over) == []

    def test_a_translation_keeps_the_gaps_and_the_tags(self, catalogue):
        assert [
            fault for message in catalogue if message.id for fault in messages.faults(message)
        ] == []

    def test_french_keeps_its_signs_with_the_word_before(self):
        assert forms_with(r" [:;?!»]|« ", language="fr") == []

    def test_portuguese_sets_no_article_before_a_gap_that_may_be_one_o_clock(self):
        """It is “à 1h02” and “às 2h02”: a sentence that is filled with a time does without."""
        assert forms_with(r"\b[Àà]s? %+\(", language="pt_BR") == []

    def test_there_is_a_catalogue_for_each_language_that_can_be_chosen(self):
        chosen = {code.split("-")[0] for code, _name in settings.LANGUAGES} - {"en"}

        assert {code.split("_")[0] for code in LANGUAGES} == chosen


#: Words of the framework that ours say otherwise and mean the same by.
SAME_MEANING = {"Add", "Brazilian Portuguese", "Permissions", "entry", "session"}


class TestWordsOfTheFramework:
    """Our catalogues come before the framework's: a word of its own would be lost, as May was."""

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_word_of_ours_without_a_context_takes_none_of_its_words_away(self, language):
        ours = messages.read(ROOT / "locale" / language / "LC_MESSAGES" / "django.po")
        theirs = [catalogue_of(app, language) for app in APPS]

        taken = {
            message.id
            for message in ours
            if isinstance(message.id, str) and message.id and not message.context
            for words in theirs
            if words.gettext(message.id) not in {message.id, message.string}
        }

        assert taken - SAME_MEANING == set()

    @pytest.mark.parametrize(("language", "may"), [("fr", "mai"), ("pt-br", "Maio")])
    def test_a_month_is_a_month(self, language, may):
        with translation.override(language):
            assert date_format(date(2027, 5, 1), "F") == may


class TestSources:
    def test_a_sentence_means_one_thing_only(self, sentences):
        """A word with a plural in one place and without in another is two entries to translate."""
        texts = Counter((s.text, s.context) for s in sentences)

        assert [key for key, times in texts.items() if times > 1] == []

    def test_sentences_are_found_in_modules_templates_mails_and_the_engine(self, sentences):
        files = {place for places in sentences.values() for place in places}

        assert Sentence(text="Skip to content") in sentences
        assert any(file.startswith("rules_engine/") for file in files)
        assert any(file.startswith("templates/mails/") for file in files)
        assert {
            "clubs/models.py",
            "tournaments/models/events.py",
            "scoring/models/sheets.py",
        } <= files


class TestReadingPython:
    @pytest.mark.parametrize(
        ("source", "sentence"),
        [
            ('_("A table")', Sentence(text="A table")),
            ('gettext_noop("A table" " of four")', Sentence(text="A table of four")),
            ('translation.gettext_lazy("A table")', Sentence(text="A table")),
            ('pgettext_lazy("heading", "Table")', Sentence(text="Table", context="heading")),
            ('ngettext("a deal", "deals", n)', Sentence(text="a deal", plural="deals")),
            (
                'npgettext("sheet", "a deal", "deals", n)',
                Sentence(text="a deal", plural="deals", context="sheet"),
            ),
        ],
    )
    def test_a_marked_sentence_is_found(self, source, sentence):
        assert list(messages.in_python(source)) == [sentence]

    @pytest.mark.parametrize("source", ["_(sentence)", 'print("A table")', '"A table"', "_()"])
    def test_what_is_not_marked_is_not_a_sentence(self, source):
        assert list(messages.in_python(source)) == []

    @pytest.mark.parametrize("source", ['_(f"Table {n}")', '_("Table " + n)', '_("%s" % n)'])
    def test_a_sentence_that_is_put_together_is_refused(self, source):
        with pytest.raises(NotASentenceError):
            list(messages.in_python(source))


class TestReadingTemplates:
    @pytest.mark.parametrize(
        ("source", "sentence"),
        [
            ('<p>{% translate "A (small) table" %}</p>', Sentence(text="A (small) table")),
            ("{% trans 'A table' as word %}", Sentence(text="A table")),
            ('{% translate "Club" context "page" %}', Sentence(text="Club", context="page")),
            ('{{ _("A table")|upper }}', Sentence(text="A table")),
            ('{% chip "ok" "check" _("A table") %}', Sentence(text="A table")),
            (
                "{% blocktranslate trimmed with n=number %}\nTable\n{{ n }}{% endblocktranslate %}",
                Sentence(text="Table %(n)s"),
            ),
            (
                "{% blocktrans count n=n %}{{ n }} deal{% plural %}{{ n }} deals{% endblocktrans %}",  # noqa: E501
                Sentence(text="%(n)s deal", plural="%(n)s deals"),
            ),
            ("it's gettext( {% translate 'A table' %} )", Sentence(text="A table")),
        ],
    )
    def test_a_sentence_of_a_tag_is_found(self, source, sentence):
        assert list(messages.in_template(source)) == [sentence]


class TestFaults:
    @pytest.mark.parametrize(
        ("english", "translated"),
        [
            ("Table %(n)s", "Table"),
            ("Table %(n)s", "Table %(number)s"),
            ("Table %(n)s", "Table %(n)s %(n)s"),
            ("<b>A</b> table", "Une table"),
            (("%(n)s deal", "%(n)s deals"), ("%(n)s donne", "donnes")),
        ],
    )
    def test_a_lost_or_added_gap_or_tag_is_a_fault(self, english, translated):
        assert list(messages.faults(Message(english, translated)))

    @pytest.mark.parametrize(
        ("english", "translated"),
        [
            ("Table %(n)s of %(m)s", "%(m)s tables, la %(n)s"),
            ("Table", ""),
            (("one deal", "%(n)s deals"), ("une donne", "%(n)s donnes")),
            (("one deal", "%(n)s deals"), ("%(n)s donne", "%(n)s donnes")),
        ],
    )
    def test_gaps_may_change_their_order_and_one_may_be_a_word(self, english, translated):
        assert list(messages.faults(Message(english, translated))) == []

    def test_fuzzy_half_and_empty_translations_do_not_count(self):
        catalogue = messages.read(ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po")
        catalogue.add("Fuzzy", "Flou", flags=["fuzzy"])
        catalogue.add("Empty", "")
        catalogue.add(("a deal", "deals"), ("une donne", ""))
        catalogue.add("Whole", "Entier")

        missing = messages.untranslated(
            catalogue,
            [
                Sentence(text="Fuzzy"),
                Sentence(text="Empty"),
                Sentence(text="a deal", plural="deals"),
                Sentence(text="Unknown"),
                Sentence(text="Whole"),
            ],
        )

        assert [s.text for s in missing] == ["Fuzzy", "Empty", "a deal", "Unknown"]


def test_the_command_brings_new_sentences_in_and_takes_old_ones_out(tmp_path):
    source = tmp_path / "fr" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "Kept"\nmsgstr "Gardé"\n\nmsgid "Gone"\nmsgstr "Parti"\n',
        encoding="utf-8",
    )

    messages.update(source, {Sentence(text="Kept"): ["a.py"], Sentence(text="New"): ["b.py"]})

    assert {m.id: m.string for m in messages.read(source) if m.id} == {"Kept": "Gardé", "New": ""}
    assert "Creation-Date" not in source.read_text(encoding="utf-8")


def test_what_nobody_says_any_more_is_left_over():
    catalogue = messages.read(ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po")
    catalogue.add("Gone", "Parti")
    catalogue.add("Kept", "Gardé", context="page")
    kept = messages.left_over(catalogue, [Sentence(text="Kept", context="page")])

    assert {"Gone", "Kept"} & set(kept) == {"Gone"}
