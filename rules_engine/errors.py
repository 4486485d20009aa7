"""How the engine refuses: a stable code, the field at fault and a sentence that names the rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def gettext_noop(sentence: str) -> str:
    """Give the sentence back; marks it for the translators of whoever shows it."""
    return sentence


def fill(sentence: str, gaps: Mapping[str, object], translate: Callable[[str], str] = str) -> str:
    """Translate a sentence and fill its named gaps; a gap with a ``word`` is translated too."""
    sentence = translate(sentence)
    if not gaps:
        return sentence
    return sentence % {name: _spoken(gap, translate) for name, gap in gaps.items()}


def _spoken(gap: object, translate: Callable[[str], str]) -> object:
    word = getattr(gap, "word", None)
    return gap if word is None else translate(word)


class RulesError(ValueError):
    """A refusal that the scorer can mend.

    ``code`` is stable and documented, ``field`` names the part of the input at fault
    ("" when it is the whole), ``sentence`` is a template in English with named gaps and
    ``gaps`` are their values, so that an interface can translate before it fills them
    (``fill``).
    """

    def __init__(self, sentence: str, *, code: str, field: str = "", **gaps: object) -> None:
        super().__init__(fill(sentence, gaps))
        self.sentence = sentence
        self.code = code
        self.field = field
        self.gaps = gaps

    @property
    def message(self) -> str:
        """The whole sentence in English."""
        return str(self)

    def __reduce__(self) -> tuple[object, ...]:
        # A refusal may travel between processes; the default would lose the keywords.
        return _rebuilt, (type(self), self.sentence, self.code, self.field, self.gaps)


def _rebuilt(
    kind: type[RulesError], sentence: str, code: str, field: str, gaps: dict[str, object]
) -> RulesError:
    return kind(sentence, code=code, field=field, **gaps)


class Unreadable(RulesError):  # noqa: N818 - said as the scorer says it
    """The input cannot be read: not of the form, unknown field, wrong type, too large."""


class Illegal(RulesError):  # noqa: N818 - said as the scorer says it
    """The input can be read and cannot be: the rules of the game forbid it."""
