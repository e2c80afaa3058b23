"""Small catalogues for tests: Polish has three forms of a plural, Japanese one."""

from __future__ import annotations

import re
from typing import Final

from templates.languages.catalogues import read_catalogue
from templates.languages.messages import Language, Message, phrases
from templates.languages.pseudo import PSEUDO

_HEADER = 'msgid ""\nmsgstr ""\n"Language: {code}\\n"\n"X-Language-Name: {title}\\n"\n"Plural-Forms: {forms}\\n"\n\n'
_POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
_JAPANESE = "nplurals=1; plural=0;"


def po(entries: str, code: str = "pl", title: str = "Polski", forms: str = _POLISH) -> str:
    """The text of a catalogue with these entries."""
    return _HEADER.format(code=code, title=title, forms=forms) + entries


DRAWS = """\
msgid "{player} draws {n} card."
msgid_plural "{player} draws {n} cards."
"""
IN_POLISH = (
    DRAWS
    + """\
msgstr[0] "{player} dobiera {n} kartę."
msgstr[1] "{player} dobiera {n} karty."
msgstr[2] "{player} dobiera {n} kart."

msgctxt "number"
msgid "1,234.5"
msgstr "1 234,5"

msgctxt "list"
msgid "{first} and {second}"
msgstr "{first} i {second}"
"""
)
IN_JAPANESE = (
    DRAWS
    + """\
msgstr[0] "{player}はカードを{n}枚引く。"

msgctxt "list"
msgid "{first}, {second}"
msgstr "{first}、{second}"

msgctxt "list"
msgid "{first} and {second}"
msgstr "{first}と{second}"

msgctxt "list"
msgid "{sentence}."
msgstr "{sentence}。"
"""
)


def polish() -> Language:
    """The language of `IN_POLISH`."""
    return read_catalogue(po(IN_POLISH))


def japanese() -> Language:
    """The language of `IN_JAPANESE`."""
    return read_catalogue(po(IN_JAPANESE, "ja", "日本語", _JAPANESE))


def draws(n: int, player: str = "Ana") -> Message:
    """A sentence that depends on a number."""
    return phrases("{player} draws {n} card.", "{player} draws {n} cards.", n=n, player=player)


class _MaskedCatalogue:
    """A catalogue that crosses out every word of a template, adds to its length, and leaves its fields."""

    def gettext(self, message: str, /) -> str:
        return _mask(message)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        return _mask(singular if n == 1 else plural)

    def pgettext(self, context: str, message: str, /) -> str:
        return message if context in ("number", "list", "alphabet") else _mask(message)


def _mask(template: str) -> str:
    """Return a template as the pseudo-language has it, with an x for each letter, in brackets that labels can print."""
    text = PSEUDO.translate(template).replace("⟦", "‹").replace("⟧", "›")
    return re.sub(r"\{\w+\}|[^\W\d_]", lambda match: match[0] if match[0].startswith("{") else "x", text)


MASKED: Final = Language("en-XB", "Masked", _MaskedCatalogue())
"""English in brackets, longer, and with an x for each letter: all that can still be read is no message, such as a name,
wherever it stands; and what ends without its bracket is cut.
"""


def readable_words(text: str) -> set[str]:
    """The words of a text in `MASKED` that no message says."""
    return {word for word in re.findall(r"[^\W\d_]{2,}", text) if word.strip("xX")}
