"""How the engine refuses: a stable code, the field at fault and a sentence that names the rule."""

from __future__ import annotations


def gettext_noop(sentence: str) -> str:
    """Give the sentence back; marks it for the translators of whoever shows it."""
    return sentence


class RulesError(ValueError):
    """A refusal that the scorer can mend.

    ``code`` is stable and documented, ``field`` names the part of the input at fault
    ("" when it is the whole), ``sentence`` is a template in English with named gaps and
    ``gaps`` are their values, so that an interface can translate before it fills them.
    """

    def __init__(self, sentence: str, *, code: str, field: str = "", **gaps: object) -> None:
        super().__init__(sentence % gaps if gaps else sentence)
        self.sentence = sentence
        self.code = code
        self.field = field
        self.gaps = gaps

    @property
    def message(self) -> str:
        """The whole sentence in English."""
        return str(self)


class Unreadable(RulesError):
    """The input cannot be read: not of the form, unknown field, wrong type, too large."""


class Illegal(RulesError):
    """The input can be read and cannot be: the rules of the game forbid it."""
