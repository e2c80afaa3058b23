"""The pseudo-language: English in brackets and 40 % longer, which shows what is no message, and what is cut."""

from __future__ import annotations

import re
from typing import Final

from templates.languages.messages import Language

_GROWTH: Final = 0.4
"""The share of letters that is added: single words grow so much in German, sentences less."""
_FIELD: Final = re.compile(r"\{\w+\}")
_FILLING: Final = "~"
_WORD: Final = 8
"""The most letters that are added to a sentence without a space: it grows by words."""


class _PseudoCatalogue:
    """A catalogue that translates every text."""

    def gettext(self, message: str, /) -> str:
        """Return a template in brackets, with letters added."""
        return _lengthen(message)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Return a template in its English form for a number, in brackets."""
        return _lengthen(singular if n == 1 else plural)

    def pgettext(self, context: str, message: str, /) -> str:
        """Return a template in brackets; signs of numbers and lists, and the alphabet, stay as they are."""
        return message if context in ("number", "list", "alphabet") else _lengthen(message)


_FORMS: Final = " | "
"""What stands between the forms of a word for one and for several things."""


def _lengthen(template: str) -> str:
    if _FORMS in template:
        return _FORMS.join(map(_lengthen, template.split(_FORMS)))
    letters = sum(map(str.isalpha, _FIELD.sub("", template)))
    filling = _FILLING * round(letters * _GROWTH)
    words = [filling[at : at + _WORD] for at in range(0, len(filling), _WORD)] if " " in template else [filling]
    return f"⟦{template}{' '.join(words)}⟧"


def strip_brackets(text: str) -> str:
    """Return what stands outside of all brackets of a text: what no message says."""
    depth, outside = 0, []
    for symbol in text:
        depth += (symbol == "⟦") - (symbol == "⟧")
        if depth <= 0 and symbol not in "⟦⟧":
            outside.append(symbol)
    return "".join(outside)


PSEUDO: Final = Language("en-XA", "⟦Pseudo⟧", _PseudoCatalogue())
"""The pseudo-language, by its usual code."""
