"""Messages: sentences that are made in English where they are said, and become text in the language of their reader.

A message holds a template with named fields and the values of these fields. It is no text: `str(message)` renders it in
the current language, which is that of the innermost `speaking` block, or else that of the process. So one table can be
read in several languages at the same time, and only fronts (screens, pages, commands, labels) turn messages into text.

Templates are whole sentences, and are found in the source by `make catalogues`, so they must be literals in the call.
Fields are plain names. What has a form of its own in each language, such as a list or a signed number, is a value made
by `listed`, `all_of`, `any_of`, `signed`, `decimal` or another message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from string import Formatter
from typing import Any, Final, Protocol, final

__all__ = [
    "ENGLISH",
    "Finished",
    "Language",
    "Message",
    "Text",
    "WithinSentence",
    "all_of",
    "any_of",
    "current_language",
    "decimal",
    "declared",
    "joined",
    "listed",
    "name",
    "partition_subject",
    "parts_of",
    "phrase",
    "phrase_in",
    "phrases",
    "set_language",
    "signed",
    "speaking",
]


class Catalogue(Protocol):
    """The translations of a language, found as `gettext` finds them."""

    def gettext(self, message: str, /) -> str:
        """Return the translation of a template, or the template."""

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Return the translation of a template in its form for a number, or the English form."""

    def pgettext(self, context: str, message: str, /) -> str:
        """Return the translation of a template that has another meaning elsewhere, or the template."""


class Language:
    """A language: its code, such as `de` or `pt-BR`, its own name, and its catalogue; None for English.

    `is_rtl` is True for a language that is written from right to left, `is_finished` for one whose catalogue has all
    texts, so that nobody gets a mixture without asking for it.
    """

    def __init__(
        self,
        code: str,
        title: str,
        catalogue: Catalogue | None = None,
        *,
        is_rtl: bool = False,
        is_finished: bool = False,
    ) -> None:
        self.is_finished = is_finished or catalogue is None
        self.code = code
        self.title = title
        self.catalogue = catalogue
        self.is_rtl = is_rtl
        # The catalogue gives the signs of numbers in an example.
        self.group, self.decimal_sign = _read_signs(catalogue.pgettext("number", "1,234.5") if catalogue else "1,234.5")

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    @property
    def direction(self) -> str:
        """The direction of writing, as HTML names it: `ltr` or `rtl`."""
        return "rtl" if self.is_rtl else "ltr"

    def translate(self, template: str, context: str = "") -> str:
        """Return a template in this language; `context` tells apart what is the same word in English."""
        if self.catalogue is None:
            return template
        return self.catalogue.pgettext(context, template) if context else self.catalogue.gettext(template)

    def translate_plural(self, singular: str, plural: str, number: int) -> str:
        """Return the template for a number in this language."""
        if self.catalogue is None:
            return singular if number == 1 else plural
        return self.catalogue.ngettext(singular, plural, abs(number))

    def choose_form(self, number: int) -> int:
        """Return which of a word's forms stands beside a number, from 0; English has one for 1 and one for others."""
        choose = getattr(self.catalogue, "plural", None)
        return int(choose(abs(number))) if choose else int(number != 1)

    def write_number(self, number: float, places: int = 0, *, is_signed: bool = False) -> str:
        """Return a number with this language's signs and a typographic minus: `1,234`, `−2`, `+0.5`."""
        text = f"{number:{'+' if is_signed else ''},.{places}f}"
        if self.group != "," or self.decimal_sign != ".":
            signs = {",": self.group, ".": self.decimal_sign}
            text = "".join(signs.get(symbol, symbol) for symbol in text)
        return text.replace("-", "−")


def _read_signs(example: str) -> tuple[str, str]:
    """Return the sign between thousands and the decimal sign of `1,234.5` as a language writes it."""
    group, digits, sign = example.removeprefix("1").partition("234")
    decimal_sign = sign.removesuffix("5")
    return (group, decimal_sign) if digits and decimal_sign else (",", ".")


ENGLISH: Final = Language("en", "English")

_of_process: Language = ENGLISH
_speaking: ContextVar[Language | None] = ContextVar("speaking", default=None)


def current_language() -> Language:
    """Return the language in which `str(message)` renders now."""
    return _speaking.get() or _of_process


def set_language(language: Language) -> None:
    """Set the language of this process, outside of all `speaking` blocks and in all threads."""
    global _of_process
    _of_process = language


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Render messages in a language within the block, and in the tasks and `asyncio.to_thread` calls that it starts."""
    token = _speaking.set(language)
    try:
        yield
    finally:
        _speaking.reset(token)


@contextmanager
def restoring_language() -> Iterator[None]:
    """Restore the language behind the block, whatever `speak_to_the_end` does within."""
    token = _speaking.set(_speaking.get())
    try:
        yield
    finally:
        _speaking.reset(token)


def speak_to_the_end(language: Language) -> None:
    """Render messages in a language up to the end of the block of `restoring_language` or `speaking` around it."""
    _speaking.set(language)


class Message:
    """A text that is rendered in the language of its reader. Its makers are `phrase`, `phrases` and the like.

    Messages are equal if they render to the same text in every language. A message also equals its English text, so
    that what is compared does not depend on the language in which it is shown.
    """

    __slots__ = ()

    def render(self, language: Language) -> str:
        """Return the text in a language."""
        raise NotImplementedError

    def partition(self, language: Language) -> tuple[str, str, str]:
        """See `partition_subject`."""
        return self.render(language), "", ""

    @property
    def _key(self) -> tuple[object, ...]:
        """All that makes the text."""
        raise NotImplementedError

    @final
    def __str__(self) -> str:
        return self.render(_speaking.get() or _of_process)

    @final
    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return self.render(ENGLISH) == other
        return type(self) is type(other) and isinstance(other, Message) and self._key == other._key

    @final
    def __hash__(self) -> int:
        return hash(self.render(ENGLISH))

    @final
    def __contains__(self, text: str) -> bool:
        return text in str(self)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.render(ENGLISH)!r})"


Text = str | Message
"""What people read: a message, or a text that is the same in all languages, such as a name or a line of notation."""


def render_value(value: object, language: Language) -> str:
    """Return the text of a value of a field: a message, a whole number, or anything else as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, Message):
        return value.render(language)
    if isinstance(value, int) and not isinstance(value, bool):
        # Most numbers need no sign in any language.
        return str(value) if 0 <= value <= _NEEDS_NO_SIGN else language.write_number(value)
    return str(value)


_NEEDS_NO_SIGN: Final = 999


class _Phrase(Message):
    """A template and the values of its fields."""

    __slots__ = ("context", "template", "values")

    def __init__(self, template: str, values: Mapping[str, Any], context: str = "") -> None:
        self.template = template
        self.values = values
        self.context = context

    def render(self, language: Language) -> str:
        return _fill(language.translate(self.template, self.context), self.values, language)

    def partition(self, language: Language) -> tuple[str, str, str]:
        return _partition(language.translate(self.template, self.context), self.values, language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.context, self.template, *self.values.items())

    def __bool__(self) -> bool:
        return bool(self.template)


class _PluralPhrase(Message):
    """A template in two forms, of which `n` chooses one; other languages have one form, or up to six."""

    __slots__ = ("n", "plural", "singular", "values")

    def __init__(self, singular: str, plural: str, n: int, values: Mapping[str, Any]) -> None:
        self.singular = singular
        self.plural = plural
        self.n = n
        self.values = values

    def render(self, language: Language) -> str:
        template = language.translate_plural(self.singular, self.plural, self.n)
        return _fill(template, {"n": self.n, **self.values}, language)

    def partition(self, language: Language) -> tuple[str, str, str]:
        template = language.translate_plural(self.singular, self.plural, self.n)
        return _partition(template, {"n": self.n, **self.values}, language)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.singular, self.plural, self.n, *self.values.items())


def _fill(template: str, values: Mapping[str, Any], language: Language) -> str:
    """Return a template with the values of its fields; `{{` and `}}` are braces."""
    if not values and "{" not in template and "}" not in template:
        return template
    return template.format_map({field: render_value(value, language) for field, value in values.items()})


_COLON: Final = re.compile("[ \u00a0\u202f]?: |：")


def _partition(template: str, values: Mapping[str, Any], language: Language) -> tuple[str, str, str]:
    """Return a filled template up to the first colon that it or a message in it has, the colon, and the rest."""
    head = ""
    for literal, field, _, _ in _FORMATTER.parse(template):
        mark = ""
        if colon := _COLON.search(literal):
            head, mark = head + literal[: colon.start()], colon[0]
        else:
            head += literal
            value = "" if field is None else values[field]
            text, mark, _ = value.partition(language) if isinstance(value, Message) else ("", "", "")
            head += text or render_value(value, language)
        if mark:
            return head, mark, _fill(template, values, language)[len(head + mark) :]
    return head, "", ""


def partition_subject(text: Text, language: Language | None = None) -> tuple[str, str, str]:
    """Return what a text is about, the colon behind it, and what it says about that: `("Ana", ": ", "2 cards drawn.")`.

    As of `str.partition`, the first one is the whole text if there is no colon. A message is divided where its template
    is, so that a name with a colon stays whole. The language is that of the reader unless it is given.
    """
    if isinstance(text, Message):
        return text.partition(language or current_language())
    colon = _COLON.search(text)
    return (text[: colon.start()], colon[0], text[colon.end() :]) if colon else (text, "", "")


def phrase(template: str, /, **values: Any) -> Message:
    """Return the message of a template: `phrase("{player} begins.", player=seat.name)`.

    Args:
        template: A whole sentence, or a title of its own, in English. Its `{fields}` are plain names.
        values: The values of the fields: texts, whole numbers or messages.
    """
    return _Phrase(template, values)


def phrases(singular: str, plural: str, /, *, n: int, **values: Any) -> Message:
    """Return the message of a template that depends on a number: `phrases("{n} card", "{n} cards", n=len(hand))`.

    Args:
        singular: The template for 1, in English.
        plural: The template for every other number.
        n: The number, which is also the value of the field `n`.
        values: The values of the other fields.
    """
    return _PluralPhrase(singular, plural, n, values)


def declared(text: str, context: str = "") -> Message:
    """Return the message of a text that was declared elsewhere as a literal: a docstring, a description, a data file.

    `make catalogues` finds such texts where they are declared. They have no fields, so braces are just braces. A
    `context` tells apart what has other meanings elsewhere.
    """
    return _Declared(text, context)


class _Declared(Message):
    """A text without fields that is found in catalogues as it stands."""

    __slots__ = ("context", "text")

    def __init__(self, text: str, context: str = "") -> None:
        self.text = text
        self.context = context

    def render(self, language: Language) -> str:
        return language.translate(self.text, self.context) if self.text else ""

    def partition(self, language: Language) -> tuple[str, str, str]:
        return partition_subject(self.render(language))

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.context, self.text)

    def __bool__(self) -> bool:
        return bool(self.text)


def phrase_in(context: str, template: str, /, **values: Any) -> Message:
    """Return the message of a template that has other meanings elsewhere: `phrase_in("verb", "Attack")`."""
    return _Phrase(template, values, context)


class _Name(Message):
    """A text that is the same in all languages."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def render(self, language: Language) -> str:  # noqa: ARG002 – it is the same in all
        return self.text

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.text,)

    def __bool__(self) -> bool:
        return bool(self.text)


def name(text: str) -> Message:
    """Return a message that is the same in all languages: a name of a person, deck or file, a line of notation."""
    return _Name(text)


class _Number(Message):
    """A number with its places after the decimal sign, with a sign in any case if `is_signed`."""

    __slots__ = ("is_signed", "number", "places")

    def __init__(self, number: float, places: int = 0, *, is_signed: bool = False) -> None:
        self.number = number
        self.places = places
        self.is_signed = is_signed

    def render(self, language: Language) -> str:
        return language.write_number(self.number, self.places, is_signed=self.is_signed)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.number, self.places, self.is_signed)


def signed(number: int) -> Message:
    """Return a number with its sign, for a change: `+2`, `−2`."""
    return _Number(number, is_signed=True)


def decimal(number: float, places: int, *, is_signed: bool = False) -> Message:
    """Return a number with this many places after the decimal sign."""
    return _Number(number, places, is_signed=is_signed)


class _Listing(Message):
    """Several texts, joined by a mark, or as a language joins the last two."""

    __slots__ = ("items", "kind")

    def __init__(self, kind: str, items: Iterable[object]) -> None:
        self.kind = kind
        self.items = tuple(items)

    def render(self, language: Language) -> str:
        texts = [render_value(item, language) for item in self.items]
        if self.kind not in _PAIRS:
            return self.kind.join(texts)
        comma = language.translate("{first}, {second}", "list")
        *head, last = texts or [""]
        if not head:
            return last
        front = head[0]
        for text in head[1:]:
            front = comma.format(first=front, second=text)
        pair = comma if self.kind == "list" else language.translate(_PAIRS[self.kind], "list")
        return pair.format(first=front, second=last)

    def partition(self, language: Language) -> tuple[str, str, str]:
        head, whole = "", self.render(language)
        for item in self.items if self.kind not in _PAIRS else ():
            subject, mark, _ = item.partition(language) if isinstance(item, Message) else ("", "", "")
            head += subject or render_value(item, language)
            if not mark and _COLON.fullmatch(self.kind) and len(self.items) > 1:
                mark = self.kind
            if mark:
                return head, mark, whole[len(head + mark) :]
            head += self.kind
        return whole, "", ""

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.kind, *self.items)

    def __bool__(self) -> bool:
        return bool(self.items)


_PAIRS: Final = {"list": "{first}, {second}", "all": "{first} and {second}", "any": "{first} or {second}"}
"""The templates for two texts. In the catalogues they have the context `list`."""


def listed(items: Iterable[object]) -> Message:
    """Return a list of texts: `wolf, bear, fox`."""
    return _Listing("list", items)


def all_of(items: Iterable[object]) -> Message:
    """Return a list of texts that count together: `wolf, bear and fox`."""
    return _Listing("all", items)


def any_of(items: Iterable[object]) -> Message:
    """Return a list of texts of which one counts: `wolf, bear or fox`."""
    return _Listing("any", items)


def joined(mark: str, items: Iterable[object]) -> Message:
    """Return texts with a mark between them that is the same in all languages: `3 / 4`, `HP 20 · ATK 3`."""
    if mark in _PAIRS:
        raise ValueError(f"{mark!r} is no mark")
    return _Listing(mark, items)


def parts_of(mark: str, text: Text) -> tuple[Text, ...]:
    """Return the texts that `joined` put together with a mark; any other text is the only part."""
    if not isinstance(text, _Listing) or text.kind != mark:
        return (text,)
    items = (item if isinstance(item, str | Message) else listed((item,)) for item in text.items)
    return tuple(part for item in items for part in parts_of(mark, item))


class Finished(Message):
    """A message as a sentence: with a capital letter if it `begins` one, and with a full stop if it `ends` it."""

    __slots__ = ("begins", "ends", "message")

    def __init__(self, message: Text, *, begins: bool = False, ends: bool = True) -> None:
        self.message = message
        self.begins = begins
        self.ends = ends

    def render(self, language: Language) -> str:
        text = render_value(self.message, language)
        if self.begins:
            text = text[:1].upper() + text[1:]
        if not self.ends or text.endswith((".", "!", "?", "…", "。", "！", "？")) or not text:
            return text
        return language.translate("{sentence}.", "list").format(sentence=text)

    def partition(self, language: Language) -> tuple[str, str, str]:
        subject, mark, _ = partition_subject(self.message, language)
        text = self.render(language)
        return (text[: len(subject)], mark, text[len(subject + mark) :]) if mark else (text, "", "")

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.message, self.begins, self.ends)


class WithinSentence(Message):
    """A title such as `Round 3` within a sentence: English begins it with a small letter, other languages keep it."""

    __slots__ = ("title",)

    def __init__(self, title: Text) -> None:
        self.title = title

    def render(self, language: Language) -> str:
        text = render_value(self.title, language)
        return text[:1].lower() + text[1:] if language.code.partition("-")[0] == ENGLISH.code else text

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.title,)


_FORMATTER: Final = Formatter()


def fields_of(template: str) -> frozenset[str]:
    """Return the fields of a template. Raises ValueError for anything but plain names in single braces."""
    fields = set()
    for _, field, spec, conversion in _FORMATTER.parse(template):
        if field is None:
            continue
        if not field.isidentifier() or spec or conversion:
            raise ValueError(f"{{{field}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}}}")
        fields.add(field)
    return frozenset(fields)
