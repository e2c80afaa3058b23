"""Parsing of a page's text into its description, or into all its faults, each with its line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from companion.games.described.page.checks.references import wrong_references
from companion.games.described.page.description import (
    AMOUNT,
    COLOUR,
    LANGUAGE,
    PLAYERS,
    WORD,
    CounterDefinition,
    Description,
)
from companion.games.described.page.texts import PageTexts
from companion.games.described.page.toml_lines import MAX_FAULTS, Path, TomlReading, read_toml
from companion.games.described.page.translations import wrong_translations
from companion.tabletop.action import NotationError
from companion.tabletop.errors import Shortened
from companion.tabletop.text import as_line, in_quotes, quote_text, refuse_unseen
from templates.languages.messages import Message, Text, any_of, joined, listed, phrase, phrase_in, phrases

T = TypeVar("T")


class LineFault(NamedTuple):
    """A fault of a page: the line, the key (`counters.life.start`), and a sentence.

    `key` is empty if the line cannot be parsed at all.
    """

    line: int
    key: str
    text: Text

    def __str__(self) -> str:
        return f"line {self.line}: {f'{self.key}: ' if self.key else ''}{self.text}"


class PageError(NotationError):
    """A page with faults; `faults` has all of them, by line."""

    def __init__(self, faults: Sequence[LineFault], where: str = "") -> None:
        first, *others = faults
        sentence = _describe_first(first, where)
        if others:
            more = phrases("There is {n} more fault.", "There are {n} more faults.", n=len(others))
            sentence = joined(" ", (sentence, more))
        super().__init__(sentence)
        self.faults = tuple(faults)


def _describe_first(fault: LineFault, where: str) -> Message:
    """Return the first fault of a page with its place."""
    values = {"page": in_quotes(where), "line": str(fault.line), "key": fault.key, "fault": fault.text}
    if where and fault.key:
        return phrase("{page}, line {line}: {key}: {fault}", **values)
    if where:
        return phrase("{page}, line {line}: {fault}", **values)
    if fault.key:
        return phrase("The page, line {line}: {key}: {fault}", **values)
    return phrase("The page, line {line}: {fault}", **values)


def _in_order(faults: Iterable[LineFault]) -> list[LineFault]:
    """Return faults by line and key, each once."""
    return sorted(dict.fromkeys(faults), key=lambda fault: (fault.line, fault.key, str(fault.text)))


def read_description(text: str, where: str = "") -> Description:
    """Parse the text of a page. `where` is the display name of the page for error messages.

    Raises PageError with all faults.
    """

    return _with_totals(
        read_struct(
            text,
            Description,
            lambda page: _wrong_parts(_with_totals(page)),
            lambda page: _wrong_house_rules(_with_totals(page)),
            where,
        )
    )


def read_struct(
    text: str,
    kind: type[T],
    wrong: Callable[[T], Iterable[tuple[Path, Text]]],
    wrong_at_last: Callable[[T], Iterable[tuple[Path, Text]]] = lambda _: (),
    where: str = "",
) -> T:
    """Parse a TOML text into a struct of this kind. The types of its fields define the valid values.

    Args:
        text: The TOML text.
        kind: The struct.
        wrong: Yields further problems with their keys. The struct it gets has stand-ins for invalid values.
        wrong_at_last: Yields further problems of a struct without other faults.
        where: The display name of the text for error messages.

    Raises:
        PageError: The text has faults; the error has all of them.
    """
    reading = read_toml(text)
    faults = [LineFault(mistake.line, "", mistake.text) for mistake in reading.mistakes]
    reader = _PageReader(reading.lines, complete=not faults, top=kind)
    content: T = reader.read(reading.content)
    faults += reader.faults
    if not reading.mistakes:
        faults += (reader.fault(path, sentence) for path, sentence in wrong(content))
    if not faults:
        faults += (reader.fault(path, sentence) for path, sentence in wrong_at_last(content))
    if faults:
        raise PageError(_in_order(faults)[:MAX_FAULTS], where)
    return content


def read_kept_description(text: str) -> Description:
    """Parse a page that was valid once and is kept for its past evenings.

    Everything that the present, stricter rules refuse is left out. Raises PageError if the rest describes no game.
    """
    reading = read_toml(text)
    if reading.mistakes:
        raise PageError([LineFault(mistake.line, "", mistake.text) for mistake in reading.mistakes])
    content: Any = reading.content
    for _ in range(_ROUNDS):
        reader = _PageReader(reading.lines, complete=False)
        page = _with_totals(reader.description(content))
        wrong = {*reader.paths, *(path for path, _ in (*_wrong_parts(page), *_wrong_house_rules(page)))}
        if not wrong:
            return page
        # In a list, later items go first, so that the others keep their indexes.
        for path in sorted(wrong, key=lambda path: [str(part).zfill(9) for part in path], reverse=True):
            _leave_out(content, path)
    return read_description(text)


_ROUNDS: Final = 10
"""The maximum number of passes. Each omission may remove a name that another part of the page uses."""


def _leave_out(content: Any, path: Path) -> None:
    """Delete the value under a path, or else its nearest existing parent."""
    place, parts = content, []
    for part in path:
        try:
            following = place[part]
        except (LookupError, TypeError):
            break
        parts.append((place, part))
        place = following
    if parts:
        inside, last = parts[-1]
        del inside[last]


def place_faults(text: str, faults: Iterable[tuple[str, Text]]) -> list[LineFault]:
    """Find the lines of faults in a page's text, each given by its key and a sentence.

    A key is written as `end.win` or `actions.buy.does[2]`; a step, or another table of a list, is named by its position
    from 1 or by its name. If a key does not exist, the line is that of its nearest parent.
    """
    given = tuple(faults)
    if not given:
        return []
    reading = read_toml(text)
    return _in_order(LineFault(_line_of(reading, place), place, sentence) for place, sentence in given)


def place_paths(text: str, places: Iterable[tuple[Path, str]]) -> list[tuple[int, str]]:
    """Return texts of a page with the lines of their paths, or of the nearest parents, in the order of the lines."""
    lines = read_toml(text).lines
    rows = []
    for path, each in places:
        length = next((length for length in range(len(path), 0, -1) if path[:length] in lines), 0)
        rows.append((lines[path[:length]] if length else 1, each))
    return sorted(rows)


def _line_of(reading: TomlReading, place: str) -> int:
    """Return the line of a key, or of its nearest existing parent."""
    content: Any = reading.content
    path: Path = ()
    line = 1
    for part in re.findall(r"[^.\[\]]+", place):
        key: str | int = part
        if isinstance(content, list):
            named = (at for at, each in enumerate(content) if isinstance(each, dict) and each.get("name") == part)
            key = int(part) - 1 if part.isdecimal() else next(named, 0)
        path = (*path, key)
        try:
            content = content[key]
        except (LookupError, TypeError):
            break
        line = reading.lines.get(path, line)
    return line


def _with_totals(page: Description) -> Description:
    """Return the page with a counter for the score sheet's totals, if it does not define one."""
    if page.sheet is None or page.sheet.counts in page.counters:
        return page
    total = CounterDefinition(page.sheet.each, least="none", big=True)
    return replace(page, counters={page.sheet.counts: total, **page.counters})


def _wrong_parts(page: Description) -> Iterator[tuple[Path, Text]]:
    """Yield the names on the page that mean nothing, and the faults of its translations."""
    yield from wrong_references(page)
    if page.language:
        yield from wrong_translations(PageTexts.of_page(page), page.written_in, page.language)


def _wrong_house_rules(page: Description) -> Iterator[tuple[Path, Text]]:
    """Yield the problems of the page under each value of each house rule."""
    encoded = msgspec.json.encode(replace(page, house={}, language={}))
    most = max(_MOST_CHECKED // len(encoded), 1)
    if (count := sum(len(rule.values) for rule in page.house.values())) > most:
        excess = phrase(
            "There are {values} values here; a page as long as this has at most {most}.",
            values=str(count),
            most=str(most),
        )
        yield ("house",), excess
        return
    content = _without_nothing(msgspec.json.decode(encoded))
    for word, rule in page.house.items():
        for value, changes in rule.values.items():
            path: Path = ("house", word, "values", value)
            for key, text in _wrong_changes(page, content, changes):
                yield (*path, key) if key in changes else path, text


_MOST_CHECKED: Final = 10_000_000
"""The maximum bytes of pages checked for house rules, since each of their values makes one: a few seconds."""


def _wrong_changes(
    page: Description, content: Mapping[str, Any], changes: Mapping[str, Any]
) -> Iterator[tuple[str, Text]]:
    """Check the page with some of its keys changed; `content` is the page without its house rules.

    Only the changed parts are copied and parsed: a page may have thousands of changes.
    """
    parts = {key.partition(".")[0] for key in changes}
    changed = deepcopy({part: content[part] for part in {"name", "title", *parts} if part in content})
    for key, value in changes.items():
        if refusal := _change_key(changed, key, value):
            yield key, refusal
    reader = _PageReader({}, complete=True)
    read = reader.description(changed)
    if reader.faults:
        wrongs: list[tuple[str, Text]] = [(fault.key, fault.text) for fault in reader.faults]
    else:
        after = replace(page, **{"house": {}, **{part: getattr(read, part) for part in changed}})
        wrongs = [(_key_text(place), text) for place, text in wrong_references(after)]
    yield from ((key, phrase("With this, {key}: {fault}", key=key, fault=text)) for key, text in wrongs)


def _change_key(content: Any, key: str, value: object) -> Text:
    """Change the value under a key of a page. Return the problem, or an empty string."""
    place = content
    *parts, last = key.split(".")
    for part in parts:
        inner = None
        if isinstance(place, list):
            inner = next((each for each in place if part in (each.get("name"), str(each.get("number")))), None)
        elif isinstance(place, dict):
            inner = place.get(part)
        if not isinstance(inner, dict | list):
            names = [each["name"] for each in place if "name" in each] if isinstance(place, list) else list(place)
            if near := _nearest_name(part.lower(), map(str, names), 0.5):
                return phrase("The page has no {key}; did you mean {name}?", key=in_quotes(key), name=near)
            return phrase("The page has no {key}.", key=in_quotes(key))
        place = inner
    if not isinstance(place, dict):
        return phrase("The page has no {key}; name something in the list.", key=in_quotes(key))
    place[last] = list(value) if isinstance(value, tuple) else value
    return ""


def _without_nothing(content: Any) -> Any:
    """Return a page's content without null values, which TOML does not have."""
    if isinstance(content, dict):
        return {key: _without_nothing(each) for key, each in content.items() if each is not None}
    return [_without_nothing(each) for each in content] if isinstance(content, list) else content


@cache
def _struct_type(kind: type) -> inspect.StructType:
    top = inspect.type_info(kind)
    assert isinstance(top, inspect.StructType)
    return top


# Translators: what can be written for a key of a page, behind “write”.
_PATTERNS: Final[Mapping[str, Message]] = {
    WORD: phrase("a word of small letters and digits, joined by -"),
    PLAYERS: phrase('"2" or "2-6"'),
    COLOUR: phrase('a colour such as "#6A1E86"'),
    LANGUAGE: phrase("the code of a language, such as de or pt-BR"),
    AMOUNT: phrase('an amount such as "2 * players"'),
}
_SYNONYMS: Final[Mapping[str, tuple[str, ...]]] = {
    "max": ("most", "top"),
    "maximum": ("most", "top"),
    "min": ("least",),
    "minimum": ("least",),
    "color": ("colour",),
    "label": ("title", "short"),
    "name": ("title",),
    "initial": ("start",),
    "value": ("start",),
    "default": ("start",),
    "owner": ("of",),
    "description": ("about", "title", "text"),
    "author": ("by",),
    "version": ("edition",),
    "licence": ("credit",),
    "license": ("credit",),
    "reminder": ("remind", "do"),
    "bad": ("harm",),
    "amount": ("copies",),
    "count": ("copies", "counts", "size"),
    "cost": ("costs", "price"),
    "effect": ("does",),
    "effects": ("does",),
    "needs": ("when",),
    "if": ("when",),
    "phases": ("steps",),
    "phase": ("steps", "at"),
    "step": ("steps", "at"),
    "counter": ("counters",),
    "player": ("players",),
    "turns": ("order",),
    "question": ("ask",),
    "asked": ("ask-at", "ask"),
    "lose": ("all-lose", "out"),
    "winner": ("win",),
}
"""Common mistakes for keys, with the keys that may be meant."""


class _Wrong:
    """A marker for an invalid value."""


_WRONG: Final = _Wrong()


_MOST_EXCESS: Final = 10
"""The items that are read of a list that has too many, as a multiple of those that are allowed."""


class _PageReader:
    """A converter that reads a page value by value and collects faults instead of stopping at the first."""

    def __init__(self, lines: Mapping[Path, int], *, complete: bool, top: type = Description) -> None:
        self.faults: list[LineFault] = []
        self.paths: list[Path] = []
        """The paths of the faults."""
        self._lines = lines
        self._top = _struct_type(top)
        self._complete = complete
        """True if the whole text was parsed, so that missing keys are faults."""

    def fault(self, path: Path, sentence: Text) -> LineFault:
        """Return a fault at the line of a key, or of its nearest parent with a line."""
        length = next((length for length in range(len(path), 0, -1) if path[:length] in self._lines), 0)
        return LineFault(self._lines[path[:length]] if length else 1, _key_text(path), Shortened(sentence))

    def _note_error(self, path: Path, sentence: Text) -> _Wrong:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(self.fault(path, sentence))
            self.paths.append(path)
        return _WRONG

    def description(self, content: Mapping[str, Any]) -> Description:
        """Convert content to a page, with stand-ins for invalid values."""
        page = self.read(content)
        assert isinstance(page, Description)
        return page

    def read(self, content: Mapping[str, Any]) -> Any:
        """Convert content to the struct, with stand-ins for invalid values."""
        return self._value(content, self._top, ())

    def _value(self, value: Any, wanted: inspect.Type, path: Path) -> Any:
        match wanted:
            case inspect.Metadata():
                return self._value(value, wanted.type, path)
            case inspect.StructType():
                return self._struct(value, wanted, path)
            case inspect.DictType():
                return self._dict(value, wanted, path)
            case inspect.VarTupleType():
                return self._tuple(value, wanted, path)
            case inspect.UnionType():
                return self._value(value, _matching_type(value, wanted), path)
        return self._simple(value, wanted, path)

    def _simple(self, value: Any, wanted: inspect.Type, path: Path) -> Any:
        match wanted:
            case inspect.StrType() if isinstance(value, str):
                return self._text(value, wanted, path)
            case inspect.LiteralType() if value in wanted.values and not isinstance(value, bool):
                return value
            case inspect.LiteralType() if isinstance(value, str):
                return self._note_error(path, _describe_no_choice(value, wanted.values))
            case inspect.BoolType() if isinstance(value, bool):
                return value
            case inspect.IntType(ge=least, le=most) if isinstance(value, int) and not isinstance(value, bool):
                if (least is None or value >= least) and (most is None or value <= most):
                    return value
        return self._note_error(path, _describe_misfit(value, wanted))

    def _struct(self, value: Any, wanted: inspect.StructType, path: Path) -> Any:
        if not isinstance(value, dict):
            return self._note_error(path, _describe_no_table(value, path))
        fields: dict[str, Any] = {}
        keys = {field.encode_name: field for field in wanted.fields}
        for key in islice((key for key in value if key not in keys), MAX_FAULTS):
            self._note_error((*path, key), _unknown_key(key, value, tuple(keys), path, self._top.cls))
        for key, field in keys.items():
            taken: Any = _WRONG
            if key in value:
                taken = self._value(value[key], field.type, (*path, key))
            elif field.required and self._complete and not any(_is_meant(other, key) for other in value):
                self._note_error(path, _describe_missing(key, field))
            if taken is not _WRONG:
                fields[field.name] = taken
            elif field.required:
                fields[field.name] = _stand_in(field.type)
        return wanted.cls(**fields)

    def _dict(self, value: Any, wanted: inspect.DictType, path: Path) -> Any:
        if not isinstance(value, dict):
            return self._note_error(path, _describe_no_table(value, path))
        taken: dict[str, Any] = {}
        for key, each in self._within(value, wanted.max_length, path):
            inner = (*path, key)
            self._value(key, wanted.key_type, inner)
            if isinstance(each, dict) and isinstance(plain_type(wanted.value_type), inspect.StrType):
                text = phrase('A key with a dot stands in quotation marks: "{key}".', key=_first_key(key, each))
                self._note_error(inner, text)
                continue
            item = self._value(each, wanted.value_type, inner)
            taken[key] = _stand_in(wanted.value_type) if item is _WRONG else item
        return taken

    def _tuple(self, value: Any, wanted: inspect.VarTupleType, path: Path) -> Any:
        item = plain_type(wanted.item_type)
        if not isinstance(value, list):
            if isinstance(item, inspect.StructType):
                table = f"[[{_key_text(path)}]]"
                text = phrase("There can be several; write {table} with two brackets above each.", table=table)
                return self._note_error(path, text)
            self._note_error(path, _describe_misfit(value, wanted))
            return (value,) if isinstance(value, str) and isinstance(item, inspect.StrType) else _WRONG
        taken = []
        for at, each in self._within(value, wanted.max_length, path):
            read = self._value(each, wanted.item_type, (*path, at))
            taken.append(_stand_in(wanted.item_type) if read is _WRONG else read)
        return tuple(taken)

    def _within(
        self, value: Mapping[str, Any] | Sequence[Any], most: int | None, path: Path
    ) -> Iterable[tuple[Any, Any]]:
        """Return the items of a list or table by their keys, and note if there are too many.

        The superfluous ones are read as well, within reason, so that what names them is no further fault.
        """
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        if most is None or len(value) <= most:
            return items
        self._note_error(path, _describe_excess(len(value), most))
        return islice(items, _MOST_EXCESS * most)

    def _text(self, value: str, wanted: inspect.StrType, path: Path) -> Any:
        text = " ".join(value.split())
        try:
            as_line(text, _THIS)
            refuse_unseen(text, _THIS)
        except NotationError as error:
            return self._note_error(path, error.message)
        if wanted.max_length is not None and len(text) > wanted.max_length:
            problem = phrases(
                "{text} has {symbols} symbols; at most {most} is allowed.",
                "{text} has {symbols} symbols; at most {most} are allowed.",
                n=wanted.max_length,
                most=str(wanted.max_length),
                text=in_quotes(text),
                symbols=str(len(text)),
            )
            return self._note_error(path, problem)
        if wanted.pattern is not None and not re.search(wanted.pattern, text):
            values = {"value": in_quotes(text), "wanted": _PATTERNS[wanted.pattern]}
            if wanted.pattern == WORD and (slug := as_word(text)):
                problem = phrase("{value} cannot stand here; write {wanted}, such as {word}.", **values, word=slug)
            else:
                problem = phrase("{value} cannot stand here; write {wanted}.", **values)
            return self._note_error(path, problem)
        return text


class _Either(inspect.Type):
    """A choice of several types."""

    types: tuple[inspect.Type, ...]


def plain_type(wanted: inspect.Type) -> inspect.Type:
    """Return a type without its metadata."""
    return plain_type(wanted.type) if isinstance(wanted, inspect.Metadata) else wanted


_TYPES: Final[Mapping[type, tuple[type[inspect.Type], ...]]] = {
    str: (inspect.StrType, inspect.LiteralType),
    bool: (inspect.BoolType,),
    int: (inspect.IntType, inspect.LiteralType),
    list: (inspect.VarTupleType,),
    dict: (inspect.StructType, inspect.DictType),
}


def _matching_type(value: Any, union: inspect.UnionType) -> inspect.Type:
    """Return the type of a union that matches a value, or all types if none does."""
    types = tuple(each for each in map(plain_type, union.types) if not isinstance(each, inspect.NoneType))
    if any(isinstance(each, inspect.StrType) and each.pattern == AMOUNT for each in types) and _is_number(value):
        return next(each for each in types if isinstance(each, inspect.IntType))
    fitting = sorted(
        (each for each in types if isinstance(each, _TYPES.get(type(value), ()))),
        key=lambda each: isinstance(each, inspect.LiteralType) and value not in each.values,
    )
    return next(iter(fitting), types[0] if len(types) == 1 else _Either(types))


def _stand_in(wanted: inspect.Type) -> Any:
    """Return a placeholder for an invalid or missing value, so that the rest of the page can be checked."""
    match plain_type(wanted):
        case inspect.StructType() as struct:
            required = (field for field in struct.fields if field.required)
            return struct.cls(**{field.name: _stand_in(field.type) for field in required})
        case inspect.LiteralType() as literal:
            return literal.values[0]
        case inspect.IntType() as figure:
            return figure.ge if figure.ge and figure.ge > 0 else 0
        case inspect.BoolType():
            return False
        case inspect.VarTupleType():
            return ()
        case inspect.DictType():
            return {}
        case inspect.UnionType() as union:
            return _stand_in(union.types[0])
    return ""


# Translators: the subject of a fault behind the key of a page: “This has an invisible character.”
_THIS: Final = phrase_in("value of a key", "This")
_WORDS: Final = phrase("words in quotation marks")


def _describe_no_choice(value: str, choices: Sequence[object]) -> Message:
    choices = [choice for choice in choices if choice != ""]  # what is left out
    values = {"value": in_quotes(value), "choices": listed(map(str, choices))}
    if near := _nearest_name(value.lower(), map(str, choices), 0.5):
        return phrase("{value} is not one of {choices}; did you mean {name}?", **values, name=near)
    return phrase("{value} is not one of {choices}.", **values)


def _describe_misfit(value: Any, wanted: inspect.Type) -> Message:
    """Return the message for a value of another type, with its probable meaning if there is one."""
    values = {"value": _describe(value), "wanted": wanted_words(wanted)}
    if _is_quoted_number(value, wanted):
        return phrase(
            "{value} cannot stand here; write {wanted}: {meant} without quotation marks.",
            **values,
            meant=value.strip(),
        )
    if meant := _meant_value(value, wanted):
        return phrase("{value} cannot stand here; write {wanted}: {meant}.", **values, meant=meant)
    return phrase("{value} cannot stand here; write {wanted}.", **values)


def _describe_no_table(value: Any, path: Path) -> Message:
    return phrase(
        "{value} cannot stand here; write {table} and its keys below it.", value=_describe(value), table=_table_at(path)
    )


def _describe_excess(number: int, most: int) -> Message:
    return phrase("There are {number} here; at most {most} are allowed.", number=str(number), most=str(most))


def wanted_words(wanted: inspect.Type) -> Text:
    """Return the values that a type accepts, in words."""
    match plain_type(wanted):
        case inspect.StrType() as text:
            return _PATTERNS.get(text.pattern or "", _WORDS)
        case inspect.LiteralType() as literal:
            return phrase("one of {choices}", choices=listed(map(str, literal.values)))
        case inspect.BoolType():
            return phrase("true or false")
        case inspect.IntType() as figure:
            return _whole_number(figure)
        case inspect.VarTupleType() as several:
            example = "[1, 5]" if isinstance(plain_type(several.item_type), inspect.IntType) else '["…", "…"]'
            return phrase("a list such as {example}", example=example)
        case _Either() as either:
            return any_of(map(wanted_words, either.types))
    return phrase("a table")


def _whole_number(figure: inspect.IntType) -> Message:
    if figure.ge is None and figure.le is None:
        return phrase("a whole number")
    if figure.le is None:
        return phrase("a whole number from {least}", least=figure.ge)
    if figure.ge is None:
        return phrase("a whole number to {most}", most=figure.le)
    return phrase("a whole number from {least} to {most}", least=figure.ge, most=figure.le)


def _types_of(wanted: inspect.Type) -> tuple[inspect.Type, ...]:
    plain = plain_type(wanted)
    return plain.types if isinstance(plain, _Either) else (plain,)


def _is_quoted_number(value: Any, wanted: inspect.Type) -> bool:
    """Return True if a text is a number, and a number is wanted."""
    return _is_number(value) and any(isinstance(each, inspect.IntType) for each in _types_of(wanted))


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,7}\s*", value) is not None


def _meant_value(value: Any, wanted: inspect.Type) -> str:
    """Return the probable meaning of a value of another type as it is written on a page, or an empty string."""
    types = _types_of(wanted)
    if isinstance(value, str) and any(isinstance(each, inspect.IntType) for each in types):
        return ""
    if isinstance(value, int) and any(isinstance(each, inspect.StrType) for each in types):
        return f'"{_describe(value)}"'
    if isinstance(plain_type(wanted), inspect.VarTupleType) and isinstance(value, str | int):
        return f"[{_describe(value)}]" if isinstance(value, int) else f"[{quote_text(value)}]".translate(_STRAIGHT)
    return ""


_STRAIGHT: Final = str.maketrans("“”", '""')


def _describe(value: Any) -> Text:
    """Return a value as written on the page, or the name of its type."""
    if isinstance(value, str):
        return in_quotes(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return quote_text(repr(value))[1:-1]
    if isinstance(value, list):
        return phrase("A list")
    return phrase("A table") if isinstance(value, dict) else phrase("A date or time")


def _key_text(path: Path) -> str:
    """Return a path as displayed text: `counters.life.start`, `steps.2.do`."""
    parts = (str(part + 1) if isinstance(part, int) else quote_text(part)[1:-1] for part in path)
    return ".".join(parts)


def _table_at(path: Path) -> str:
    keys = ".".join(part for part in path if isinstance(part, str))
    return f"[[{keys}]]" if path and isinstance(path[-1], int) else f"[{keys}]"


def _describe_missing(key: str, field: inspect.Field) -> Message:
    """Return the message for a missing key, with the description of the key if it has one."""
    text = (
        (field.type.extra_json_schema or {}).get("description", "") if isinstance(field.type, inspect.Metadata) else ""
    )
    if not text:
        return phrase("{key} is missing.", key=key)
    # The descriptions of keys are English.
    return phrase("{key} is missing: {description}", key=key, description=f"{text[:1].lower()}{text[1:]}")


def _unknown_key(key: str, beside: Mapping[str, Any], keys: Sequence[str], path: Path, top: type) -> Message:
    free = [each for each in keys if each not in beside]
    plain = key.lower().replace("_", "-")
    meant = next((each for each in _SYNONYMS.get(plain, ()) if each in free), "")
    if meant := meant or _nearest_name(plain, free, 0.8):
        return _suggest_key(key, meant, path)
    if tables := [table for table, others in _keys_by_table(top) if plain in others and (not path or path[0] != table)]:
        values = {"key": in_quotes(key), "tables": listed(tables[:3])}
        if path:
            return phrase("{key} is not a key here; it belongs to {tables}.", **values)
        return phrase("{key} is not a key of a page; it belongs to {tables}.", **values)
    if near := _nearest_name(plain, free, 0.6):
        return _suggest_key(key, near, path)
    if path:
        return phrase("{key} is not a key here; the keys are: {keys}.", key=in_quotes(key), keys=listed(keys))
    return phrase("{key} is not a key of a page; the keys are: {keys}.", key=in_quotes(key), keys=listed(keys))


def _suggest_key(key: str, meant: str, path: Path) -> Message:
    if path:
        return phrase("{key} is not a key here; did you mean {name}?", key=in_quotes(key), name=meant)
    return phrase("{key} is not a key of a page; did you mean {name}?", key=in_quotes(key), name=meant)


def _nearest_name(word: str, names: Iterable[str], cutoff: float) -> str:
    return next(iter(get_close_matches(word, list(names), n=1, cutoff=cutoff)), "")


def _is_meant(key: str, wanted: str) -> bool:
    """Return True if a key is probably a misspelling of another."""
    return wanted in _SYNONYMS.get(key, ()) or bool(get_close_matches(key.lower(), [wanted], cutoff=0.7))


@cache
def _keys_by_table(top: type) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the keys of each table of the struct."""
    return tuple(
        (field.encode_name, frozenset(inner.encode_name for struct in _structs(field.type) for inner in struct.fields))
        for field in _struct_type(top).fields
    )


def _structs(wanted: inspect.Type) -> Iterator[inspect.StructType]:
    match plain_type(wanted):
        case inspect.StructType() as struct:
            yield struct
        case inspect.DictType(value_type=inner) | inspect.VarTupleType(item_type=inner):
            yield from _structs(inner)
        case inspect.UnionType() as union:
            for each in union.types:
                yield from _structs(each)


def _first_key(key: str, table: Mapping[str, Any]) -> str:
    inner = next(iter(table), "")
    below = table.get(inner)
    return quote_text(f"{key}.{_first_key(inner, below) if isinstance(below, dict) else inner}")[1:-1]


def as_word(text: str) -> str:
    """Return a text as a word of a page; a valid word stays as it is. The result may be empty."""
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    word = "-".join(re.findall(r"[a-z0-9]+", plain))[:32].rstrip("-")
    return word if word[:1].isalpha() else ""
