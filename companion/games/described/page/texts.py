"""The texts of a page as messages, which each reader sees in their own language.

A page holds its texts as its author has written them, and below `[language.de]` what they are in other languages. What
is stored, compared and typed stays as written. `PageTexts.translate_page` returns the page with messages in place of
the texts that people read; names, which are facts as well, become messages where they are shown, by `PageTexts.name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import inspect

from companion.games.described.page.description import (
    AS_NAME,
    AS_WORD,
    MOST_OF_SENTENCE,
    TEXT_KIND,
    Description,
    word_as_title,
)
from companion.games.described.page.takes import TAKEN_WORD, parse_takes
from companion.games.described.page.toml_lines import Path
from companion.games.page_text import PageText, code_of, plain_text
from companion.tabletop.action import NotationError
from templates.languages.messages import ENGLISH, Language, Message, Text, phrase, phrase_in, render_value

T = TypeVar("T", bound=msgspec.Struct)

FORMS: Final = "|"
"""The sign between the forms of a word: `day | days`."""
SEVERAL: Final = 2
"""The number for a word that stands for several things without a number, such as a title."""


class NumberedWord(Message):
    """A word of a page in its form for a number; English has an s for several if the page gives no form of its own."""

    __slots__ = ("n", "text")

    def __init__(self, text: PageText, n: int = 1) -> None:
        self.text = text
        self.n = n

    def render(self, language: Language) -> str:
        if usual := _USUAL.get(self.text.text):
            return usual[self.n != 1].render(language)
        text = self.text.render(language)
        forms = [form.strip() for form in text.split(FORMS)]
        if len(forms) > 1:
            return forms[min(language.choose_form(self.n), len(forms) - 1)]
        is_english = text == self.text.text and self.text.language == ENGLISH.code
        return f"{text}s" if is_english and self.n != 1 else text

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.text, self.n)

    def times(self, n: int) -> NumberedWord:
        """Return the word in its form for another number."""
        return NumberedWord(self.text, n)


_USUAL: Final[Mapping[str, tuple[Message, Message]]] = {
    "Round": (phrase("Round"), phrase("Rounds")),
    "deck": (phrase("deck"), phrase("decks")),
    "inscription": (phrase("inscription"), phrase("inscriptions")),
}
"""The program's own words, for pages that have none: one, and several."""


def first_form(word: str) -> str:
    """Return a word of a page without its plural forms."""
    return word.partition(FORMS)[0].strip()


def as_written(text: Text) -> str:
    """Return a text as the page has it."""
    return text.text if isinstance(text, PageText) else render_value(text, ENGLISH)


class ToldSentence(Message):
    """A sentence of a page for the log, filled in with the words of a line: `THING flies at SEAT.`"""

    __slots__ = ("sentence", "values")

    def __init__(self, sentence: Text, values: Mapping[str, Text]) -> None:
        self.sentence = sentence
        self.values = values

    def render(self, language: Language) -> str:
        values = {word: render_value(value, language) for word, value in self.values.items()}
        text = TOLD_WORD.sub(lambda match: values.get(match[0], ""), render_value(self.sentence, language))
        return " ".join(text.split())

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.sentence, *self.values.items())


@lru_cache(4096)
def told_words(sentence: str) -> frozenset[str]:
    """Return the words of a sentence for the log that are filled in: `me`, `SEAT`, `N2`."""
    return frozenset(match[0] for match in TOLD_WORD.finditer(sentence))


TOLD_WORD: Final = re.compile(rf"\b(?:me|{TAKEN_WORD.pattern})\b")
"""A word of a sentence that is filled in."""


def several(word: Text, n: int = SEVERAL) -> Text:
    """Return a word of a page for a number of things, or for several of them."""
    return word.times(n) if isinstance(word, NumberedWord) else word


class FoundText(NamedTuple):
    """A text of a page that people read: where it stands, what it says, and the most symbols that fit there.

    `is_needed` is False for words that need no translation, such as verbs, which are the same in all languages.
    `is_told` is True for a sentence that is filled in with the words of a line.
    """

    path: Path
    text: str
    most: int
    is_needed: bool = True
    is_told: bool = False


class PageTexts:
    """The texts of a page and their translations."""

    def __init__(
        self,
        page: msgspec.Struct,
        language: str = ENGLISH.code,
        tables: _Tables = MappingProxyType({}),
        words: Iterable[str] = (),
    ) -> None:
        """Prepare the texts of a page.

        Args:
            page: The page as it is written.
            language: The language that it is written in.
            tables: Its translations, by languages and by its texts.
            words: Those of its texts that may have plural forms.
        """
        self._page = page
        self._language = language
        self._words = frozenset(words)
        self._tables = {code_of(code): _by_text(table) for code, table in tables.items()}
        self._messages: dict[str, PageText] = {}

    @classmethod
    def of_page(cls, page: Description) -> PageTexts:
        """Return the texts of the page of a game."""
        words = (
            page.play.round_title,
            *((page.decks.called, page.decks.inscription) if page.decks else ()),
            *((page.campaign.called,) if page.campaign else ()),
        )
        return cls(page, code_of(page.written_in), page.language, map(as_written, words))

    def text(self, text: str) -> PageText:
        """Return a text of the page as a message."""
        message = self._messages.get(text)
        if message is None:
            translations = self._translations(text)
            if text in self._words:
                translations = {code: first_form(each) for code, each in translations.items()}
            message = self._messages[text] = PageText(text, translations, self._language)
        return message

    def word(self, text: str, *, is_usual: bool) -> NumberedWord:
        """Return a word of the page that stands beside numbers; a usual one is the program's own."""
        return NumberedWord(PageText(text, self._translations(text), ENGLISH.code if is_usual else self._language))

    def _translations(self, text: str) -> dict[str, str]:
        """Return the translations of a text, by the codes of their languages."""
        translations = {code: table[text] for code, table in self._tables.items() if text in table}
        if translations and self._language != ENGLISH.code:
            # A reader of the page's own language reads the page, and not a translation for a part of it.
            translations.setdefault(self._language, text)
        return translations

    def name(self, name: str) -> Text:
        """Return the message of a name, if the page has it; any other, such as one that players gave, is returned."""
        return self.text(name) if name in self._names else name

    def title(self, word: str) -> Text:
        """Return the display name of a word that has no title on the page."""
        return _YES_AND_NO.get(word) or self.text(word_as_title(word))

    @cached_property
    def all_texts(self) -> tuple[FoundText, ...]:
        """All texts of the page that people read, in its order; several may be equal."""
        return tuple(find_texts(self._page))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(each.text for each in self.all_texts)

    def translate_page(self, page: T) -> T:
        """Return the page, or its state under house rules, with messages in place of its texts."""
        readable: T = _translate_part(page, self)
        return readable


_YES_AND_NO: Final[Mapping[str, Message]] = {
    "yes": phrase_in("value of a rule", "Yes"),
    "no": phrase_in("value of a rule", "No"),
}
"""The titles of values that most house rules have."""

_Tables = Mapping[str, Mapping[str, str]]


def _by_text(table: Mapping[str, str]) -> dict[str, str]:
    """Return the translations by the texts of the page; an empty one is none."""
    return {plain_text(text): translation for text, translation in table.items() if translation}


# The parts of a page that hold texts

_TITLES_OF_WORDS: Final = frozenset({"After", "Ask"})
"""Parts that have a `name` but no title: their titles are made from it."""


class _Part(NamedTuple):
    """A field of a struct that holds texts or other parts."""

    name: str
    key: str
    kind: inspect.Type
    default: object


@cache
def _parts_of(kind: type[msgspec.Struct]) -> tuple[_Part, ...]:
    """Return the fields of a struct that hold texts, directly or within."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple(
        _Part(field.name, field.encode_name, field.type, field.default)
        for field in info.fields
        if _holds_texts(field.type)
    )


def _class_of(kind: inspect.StructType) -> type[msgspec.Struct]:
    struct: type[msgspec.Struct] = kind.cls
    return struct


def _holds_texts(kind: inspect.Type) -> bool:
    match kind:
        case inspect.Metadata(type=inner, extra=extra):
            return bool(extra and TEXT_KIND in extra) or _holds_texts(inner)
        case inspect.StructType():
            return bool(_parts_of(_class_of(kind)))
        case inspect.DictType():
            return _holds_texts(kind.key_type) or _holds_texts(kind.value_type)
        case inspect.VarTupleType():
            return _holds_texts(kind.item_type)
        case inspect.UnionType():
            return any(map(_holds_texts, kind.types))
    return False


@cache
def text_keys() -> frozenset[str]:
    """Return the keys of a page that hold texts, by which house rules change them."""
    return frozenset(_keys_with_texts(inspect.type_info(Description)))


def _keys_with_texts(kind: inspect.Type) -> Iterator[str]:
    match kind:
        case inspect.Metadata(type=inner):
            yield from _keys_with_texts(inner)
        case inspect.StructType():
            for part in _parts_of(_class_of(kind)):
                if _kind_of(part.kind):
                    yield part.key
                yield from _keys_with_texts(part.kind)
        case inspect.DictType():
            yield from _keys_with_texts(kind.value_type)
        case inspect.VarTupleType():
            yield from _keys_with_texts(kind.item_type)
        case inspect.UnionType():
            for each in kind.types:
                yield from _keys_with_texts(each)


def _kind_of(kind: inspect.Type) -> str:
    """Return the kind of text that a field holds, or an empty string."""
    return str((kind.extra or {}).get(TEXT_KIND, "")) if isinstance(kind, inspect.Metadata) else ""


def _most_of(kind: inspect.Type) -> int:
    """Return the most symbols of a text in a field."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return (kind.max_length or MOST_OF_SENTENCE) if isinstance(kind, inspect.StrType) else MOST_OF_SENTENCE


# Finding them


def find_texts(page: msgspec.Struct) -> Iterator[FoundText]:
    """Yield the texts of a page that people read, and the words that may have a translation."""
    for part in _parts_of(type(page)):
        yield from _find_within(getattr(page, part.name), part.kind, (part.key,), part.default)
    if isinstance(page, Description):
        yield from _find_in_columns(page)
        yield from _find_in_house_rules(page)
        yield from _find_words(page)


def _find_within(value: Any, kind: inspect.Type, path: Path, default: object = None) -> Iterator[FoundText]:
    if isinstance(value, str):
        if value and value != default:
            yield FoundText(path, value, _most_of(kind), is_told=path[-1] == "tell")
    elif isinstance(value, msgspec.Struct):
        yield from _find_in_struct(value, path)
    elif isinstance(value, Mapping):
        names = _dict_type(kind)
        for key, each in value.items():
            if _kind_of(names.key_type):
                yield FoundText((*path, key), key, MOST_OF_SENTENCE)
            yield from _find_within(each, names.value_type, (*path, key))
    elif isinstance(value, tuple):
        item = _item_type(kind)
        for number, each in enumerate(value):
            yield from _find_within(each, item, (*path, number))


def _find_in_struct(value: msgspec.Struct, path: Path) -> Iterator[FoundText]:
    for part in _parts_of(type(value)):
        yield from _find_within(getattr(value, part.name), part.kind, (*path, part.key), part.default)
    if word := _untitled_word(value, path):
        yield FoundText(path, word_as_title(word), MOST_OF_SENTENCE)


def _untitled_word(value: msgspec.Struct, path: Path) -> str:
    """Return the word from which the title of a part is made, or an empty string if it has a title or needs none."""
    if type(value).__name__ in _TITLES_OF_WORDS:
        return str(getattr(value, "name", ""))
    if getattr(value, "title", None) != "" or type(value).__name__ in _UNTITLED:
        return ""
    last = path[-1] if path else ""
    return last if isinstance(last, str) else str(getattr(value, "name", ""))


_UNTITLED: Final = frozenset({"PurseDefinition"})
"""Parts whose titles are those of others by default."""


def _dict_type(kind: inspect.Type) -> inspect.DictType:
    plain = _plain_type(kind)
    assert isinstance(plain, inspect.DictType)
    return plain


def _item_type(kind: inspect.Type) -> inspect.Type:
    plain = _plain_type(kind)
    assert isinstance(plain, inspect.VarTupleType)
    return plain.item_type


def _plain_type(kind: inspect.Type) -> inspect.Type:
    """Return a type without metadata and without None."""
    while not isinstance(kind, inspect.StructType | inspect.DictType | inspect.VarTupleType):
        if isinstance(kind, inspect.Metadata):
            kind = kind.type
        elif isinstance(kind, inspect.UnionType):
            kind = next(each for each in kind.types if not isinstance(each, inspect.NoneType))
        else:
            break
    return kind


def _find_in_columns(page: Description) -> Iterator[FoundText]:
    """Yield the titles of the columns of a score sheet that are made from their words."""
    for number, column in enumerate(page.sheet.columns if page.sheet else ()):
        if page.sheet and column not in page.sheet.titles:
            yield FoundText(("sheet", "columns", number), word_as_title(column), MOST_OF_SENTENCE)


def _find_in_house_rules(page: Description) -> Iterator[FoundText]:
    """Yield the values of house rules as titles, and the texts of the page that they change."""
    for name, rule in page.house.items():
        for value, changes in rule.values.items():
            path: Path = ("house", name, "values", value)
            if value not in _YES_AND_NO:
                yield FoundText(path, word_as_title(value), MOST_OF_SENTENCE)
            for key, text in changes.items():
                last = key.rpartition(".")[2]
                if isinstance(text, str) and text and last in text_keys():
                    yield FoundText((*path, key), text, MOST_OF_SENTENCE, is_told=last == "tell")


def _find_words(page: Description) -> Iterator[FoundText]:
    """Yield the words that players read beside figures, and those that they may type in their own language."""
    for name, counter in page.counters.items():
        for number, word in enumerate(counter.words):
            yield FoundText(("counters", name, "words", number), word, MOST_OF_SENTENCE)
    for verb, own in page.actions.items():
        yield FoundText(("actions", verb), verb, MOST_OF_SENTENCE, is_needed=False)
        try:
            taken = parse_takes(own.takes)
        except NotationError:
            continue  # it is refused elsewhere
        for word in (word for each in taken for word in each.choices):
            yield FoundText(("actions", verb, "takes"), word, MOST_OF_SENTENCE)


# Showing them


def _translate_part(value: Any, texts: PageTexts) -> Any:
    changes = {}
    kind: type[msgspec.Struct] = type(value)
    for part in _parts_of(kind):
        before = getattr(value, part.name)
        after = _translate_value(before, part.kind, (part.key,), texts, part.default)
        if after is not before:
            changes[part.name] = after
    if isinstance(value, Description) and value.sheet:
        sheet = changes.get("sheet", value.sheet)
        titles = {column: texts.title(column) for column in sheet.columns if column not in sheet.titles}
        changes["sheet"] = msgspec.structs.replace(sheet, titles={**sheet.titles, **titles})
    return msgspec.structs.replace(value, **changes) if changes else value


def _translate_value(value: Any, kind: inspect.Type, path: Path, texts: PageTexts, default: object = None) -> Any:
    if isinstance(value, str):
        match _kind_of(kind):
            case "":
                return value
            case name if name == AS_NAME:
                return value
            case word if word == AS_WORD:
                return texts.word(value, is_usual=value == default)
        return texts.text(value) if value else value
    if isinstance(value, msgspec.Struct):
        part = _translate_part(value, texts)
        if hasattr(value, "title") and (word := _untitled_word(value, path)):
            part = msgspec.structs.replace(part, title=texts.title(word))
        return part
    if isinstance(value, Mapping):
        inner = _dict_type(kind).value_type
        return {key: _translate_value(each, inner, (*path, key), texts) for key, each in value.items()}
    if isinstance(value, tuple):
        item = _item_type(kind)
        return tuple(_translate_value(each, item, (*path, number), texts) for number, each in enumerate(value))
    return value
