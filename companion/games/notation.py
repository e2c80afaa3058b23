"""An action and one line of text, each made from the other.

An action class names its arguments and their kinds once, as annotations; reading, writing, usage, completion and the
error messages all follow from that. The grammar is the project's table notation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from companion.games.cards import SUITS, Card, read_card, read_suit
from companion.games.game import Action, NotationError

T = TypeVar("T")

Ref = NewType("Ref", str)
"""A Monster by the band and the card it stands on: `ana:AS`."""

RESERVED: Final = frozenset({"table", "boss", "minion", "none", "gone"})
"""Words that mean something else where a seat or a handle could stand."""

_TOKEN = re.compile(r'\s*(?:#.*|"((?:[^"\\]|\\.)*)"(?=\s|$|#)|([^\s"#]+)|(\S))', re.DOTALL)
_ESCAPES: Final = {"n": "\n", "r": "\r"}
_NAME = re.compile(r"\w[\w-]*")


class Missing(NotationError):
    """The line ends before an argument; `kind` is what was expected."""

    def __init__(self, kind: Kind[Any]) -> None:
        super().__init__(f"{kind.shape} is missing")
        self.kind = kind


class Misread(NotationError):
    """An argument cannot be read; the message ends with how the line is written."""


class Words:
    """The words of a line, read one after the other. A quoted word is never a keyword."""

    def __init__(self, tokens: list[tuple[str, bool]], notation: Notation | None = None) -> None:
        self._tokens = tokens
        self._at = 0
        self.notation = notation

    @classmethod
    def of(cls, line: str, notation: Notation | None = None) -> Words:
        """Split a line; a `#` outside quotes starts a comment."""
        if '"' not in line and "#" not in line:
            return cls([(word, False) for word in line.split()], notation)
        tokens: list[tuple[str, bool]] = []
        for match in _TOKEN.finditer(line):
            quoted, plain, stray = match.groups()
            if stray is not None:
                raise NotationError('A double quote opens a text here but none closes it; write it as "text".')
            if quoted is not None:
                tokens.append((re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), quoted, flags=re.DOTALL), True))
            elif plain is not None:
                tokens.append((plain, False))
        return cls(tokens, notation)

    def __bool__(self) -> bool:
        return self._at < len(self._tokens)

    def keyword(self) -> str:
        """The next word in lower case, or "" where there is none or it is quoted."""
        if not self:
            return ""
        word, quoted = self._tokens[self._at]
        return "" if quoted else word.lower()

    def take(self, kind: Kind[Any]) -> str:
        """The next word; Missing where the line has ended."""
        if not self:
            raise Missing(kind)
        self._at += 1
        return self._tokens[self._at - 1][0]


class Kind(Generic[T]):
    """How an argument is read from words and written as words. `shape` names it in usage and messages."""

    def __init__(self, shape: str, choices: Sequence[str] = ()) -> None:
        self.shape = shape
        self.choices = tuple(choices)

    def read(self, words: Words, stops: Mapping[str, Argument]) -> T:
        """The value that the next word (or words) stand for; a list ends at one of the keywords in `stops`."""
        raise NotImplementedError

    def write(self, value: T, notation: Notation) -> str:
        """The word (or words) that stand for a value."""
        raise NotImplementedError


class Word(Kind[T]):
    """An argument that is one word."""

    def __init__(
        self, shape: str, read: Callable[[str], T], write: Callable[[T], str] = str, choices: Sequence[str] = ()
    ) -> None:
        super().__init__(shape, choices)
        self._read = read
        self._write = write

    def read(self, words: Words, stops: Mapping[str, Argument]) -> T:  # noqa: ARG002 – one word has no end to find
        """The value that the next word stands for."""
        return self._read(words.take(self))

    def write(self, value: T, notation: Notation) -> str:  # noqa: ARG002 – only a whole action needs it
        """The word that stands for a value."""
        return self._write(value)


class Many(Kind[tuple[T, ...]]):
    """Several words of one kind, up to the next keyword or the end; `none` is an empty list."""

    def __init__(self, item: Kind[T], least: int = 1, most: int | None = None) -> None:
        super().__init__(f"{item.shape}…", item.choices)
        self.item, self.least, self.most = item, least, most

    def read(self, words: Words, stops: Mapping[str, Argument]) -> tuple[T, ...]:
        """All values up to the next keyword."""
        if words.keyword() == "none" and self.least == 0:
            words.take(self)
            return ()
        values: list[T] = []
        while words and words.keyword() not in stops and (self.most is None or len(values) < self.most):
            values.append(self.item.read(words, stops))
        if len(values) < self.least:
            raise Missing(self.item)
        return tuple(values)

    def write(self, value: tuple[T, ...], notation: Notation) -> str:
        """The values with spaces between them."""
        words = [self.item.write(item, notation) for item in value]
        if self.least == 0 and words and words[0].lower() == "none":
            words[0] = write_text(words[0])
        return " ".join(words) or "none"


class CardsOrCount(Kind[tuple[Card, ...] | int]):
    """Named cards, or how many cards that nobody named."""

    def __init__(self) -> None:
        super().__init__("CARD…|N")
        self._cards = Many(CARD)

    def read(self, words: Words, stops: Mapping[str, Argument]) -> tuple[Card, ...] | int:
        """A tuple of cards, or a count of at least 1."""
        if words.keyword().isdecimal():
            count = read_count(words.take(self))
            if count < 1:
                raise NotationError("Name at least one card, or say how many.")
            return count
        return self._cards.read(words, stops)

    def write(self, value: tuple[Card, ...] | int, notation: Notation) -> str:
        """`2D KS` or `2`."""
        return str(value) if isinstance(value, int) else self._cards.write(value, notation)


class TargetKind(Word[str]):
    """`table`, `boss`, a seat, a handle, or `minion REF`, which is two words."""

    def read(self, words: Words, stops: Mapping[str, Argument]) -> str:
        """The target in its canonical spelling."""
        word = words.take(self).lower()
        return f"minion {REF.read(words, stops)}" if word == "minion" else word


class LineKind(Kind[Action]):
    """A whole action, up to the end of the line."""

    def read(self, words: Words, stops: Mapping[str, Argument]) -> Action:  # noqa: ARG002 – takes all that is left
        """The action that the rest of the line stands for."""
        assert words.notation is not None
        return words.notation.read(words)

    def write(self, value: Action, notation: Notation) -> str:
        """The line of the action."""
        return notation.format(value)


def read_count(word: str) -> int:
    """A whole number from 0."""
    if word.isascii() and word.isdecimal():
        return int(word)
    raise NotationError(f"“{word}” is no whole number.")


def read_signed(word: str) -> int:
    """A whole number with an optional sign (a typographic minus is one too)."""
    digits = word.replace("−", "-").removeprefix("+")
    if digits.removeprefix("-").isdecimal() and digits.isascii() and not word.startswith("+-"):
        return int(digits)
    raise NotationError(f"“{word}” is no number; write it as +3 or -3.")


def read_name(word: str) -> str:
    """A seat or a handle: a word of letters, digits, `-` and `_`, kept in lower case."""
    name = word.lower()
    if not _NAME.fullmatch(name) or name.isdecimal():
        raise NotationError(f"“{word}” cannot be a name here; use one word of letters and digits.")
    if name in RESERVED:
        raise NotationError(f"“{word}” means something else in the notation; choose another name.")
    return name


def read_ref(word: str) -> Ref:
    """A Monster: `ana:AS`."""
    seat, colon, card = word.rpartition(":")
    if not colon:
        raise NotationError(f"“{word}” names no Monster; write seat:card, as ana:AS.")
    return Ref(f"{read_name(seat)}:{read_card(card)}")


def write_text(text: str) -> str:
    """A text in double quotes, on one line whatever is in it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def write_word(word: str) -> str:
    """A word as it stands, in quotes where it could not be read back otherwise."""
    return write_text(word) if not word or re.search(r'[\s"#\\]', word) else word


CARD: Final = Word("CARD", read_card)
SUIT: Final = Word("SUIT", read_suit, choices=SUITS)
SEAT: Final = Word("SEAT", read_name)
HANDLE: Final = Word("HANDLE", read_name)
REF: Final = Word("REF", read_ref)
TEXT: Final = Word("TEXT", str, write_text)
WORD: Final = Word("WORD", str.lower, write_word)
VALUE: Final = Word("VALUE", str, write_word)
COUNTER: Final = Word("COUNTER", str.lower, write_word)
COUNT: Final = Word("N", read_count)
SIGNED: Final = Word("±N", read_signed, lambda value: f"{value:+d}")
TARGET: Final = TargetKind("TARGET", str)
PAYMENT: Final = CardsOrCount()


def one_of(shape: str, names: Iterable[str]) -> Kind[str]:
    """One of a fixed set of words; near misses are named in the error."""
    known = tuple(names)

    def read(word: str) -> str:
        name = word.lower()
        if name not in known:
            near = get_close_matches(name, known, n=2, cutoff=0.5) or known
            raise NotationError(f"“{word}” is no {shape}; did you mean {' or '.join(near[:6])}?")
        return name

    return Word(shape if len(known) > 6 else "|".join(known), read, choices=known)


class Keyword:
    """Marks a required argument that a keyword introduces (`pay CARD…`)."""

    def __init__(self, word: str) -> None:
        self.word = word


class Bare:
    """Marks an optional argument that stands without a keyword (`crank SEAT [N]`)."""


SeatName = Annotated[str, SEAT]
Handle = Annotated[str, HANDLE]
OneCard = Annotated[Card, CARD]
OneRef = Annotated[Ref, REF]
Text = Annotated[str, TEXT]
Count = Annotated[int, COUNT]
Suit = Annotated[str, SUIT]
Target = Annotated[str, TARGET]
CounterName = Annotated[str, COUNTER]


class Argument(msgspec.Struct, frozen=True):
    """One argument of an action: its field, its kind, and how it stands in the line."""

    field: str
    kind: Any
    keyword: str
    required: bool
    flag: bool
    default: Any

    @property
    def shape(self) -> str:
        """As it stands in the usage."""
        inner = " ".join(part for part in (self.keyword, "" if self.flag else self.kind.shape) if part)
        return inner if self.required else f"[{inner}]"


_FLAG: Final = Word("", str)


def _kind_of(hint: Any, metadata: tuple[Any, ...]) -> Kind[Any]:
    """The kind that an annotation stands for: named in `Annotated`, or plain from the type."""
    for note in metadata:
        if isinstance(note, Kind):
            return note
    if get_origin(hint) in (Union, UnionType):
        inner = [part for part in get_args(hint) if part is not NoneType]
        return _annotated_kind(inner[0])
    if get_origin(hint) is Literal:
        return one_of("choice", get_args(hint))
    if hint is bool:
        return _FLAG
    if hint is int:
        return COUNT
    if hint is str:
        return TEXT
    raise TypeError(f"{hint!r} names no kind of argument")


def _annotated_kind(hint: Any) -> Kind[Any]:
    if get_origin(hint) is Annotated:
        return _kind_of(get_args(hint)[0], hint.__metadata__)
    return _kind_of(hint, ())


def _argument(field: msgspec.structs.FieldInfo, hint: Any) -> Argument:
    metadata: tuple[Any, ...] = hint.__metadata__ if get_origin(hint) is Annotated else ()
    kind = _annotated_kind(hint)
    named = next((note.word for note in metadata if isinstance(note, Keyword)), "")
    bare = any(isinstance(note, Bare) for note in metadata)
    if not field.required and not bare and not named:
        named = field.name.rstrip("_").replace("_", "-")
    return Argument(field.name, kind, named, field.required, kind is _FLAG, None if field.required else field.default)


class Grammar:
    """The line of one action class."""

    def __init__(self, action: type[Action], notation: Notation) -> None:
        hints = get_type_hints(action, include_extras=True)
        arguments = [_argument(field, hints[field.name]) for field in msgspec.structs.fields(action)]
        self.action = action
        self._notation = notation
        self.verb = action.verb()
        self.positional = tuple(argument for argument in arguments if not argument.keyword)
        self.keywords = {argument.keyword: argument for argument in arguments if argument.keyword}

    @property
    def usage(self) -> str:
        """`foil SEAT SEAT pay CARD…|N [card CARD]`"""
        return " ".join((self.verb, *(argument.shape for argument in (*self.positional, *self.keywords.values()))))

    def fields(self, words: Words) -> dict[str, Any]:
        """The arguments on the rest of a line, by field. Raises Missing where the line ends too early."""
        values: dict[str, Any] = {}
        for argument in self.positional:
            if not argument.required and (not words or words.keyword() in self.keywords):
                continue
            values[argument.field] = argument.kind.read(words, self.keywords)
        while words:
            word = words.keyword()
            argument_ = self.keywords.get(word)
            if argument_ is None:
                raise NotationError(f"“{words.take(TEXT)}” is one word too many")
            if argument_.field in values:
                raise NotationError(f"“{word}” stands twice")
            words.take(TEXT)
            values[argument_.field] = True if argument_.flag else argument_.kind.read(words, self.keywords)
        return values

    def read(self, words: Words) -> Action:
        """The action on the rest of a line. Raises NotationError with the usage."""
        try:
            values = self.fields(words)
            self.first_missing(values)
        except Misread:
            raise
        except NotationError as error:
            said = str(error)
            raise Misread(f"{said if said[-1] in '.?' else f'{said}.'} Usage: {self.usage}") from None
        return self.action(**values)

    def first_missing(self, values: Mapping[str, Any]) -> None:
        """Raises Missing for the first required keyword argument that `values` lacks."""
        for argument in self.keywords.values():
            if argument.required and argument.field not in values:
                raise Missing(Kind(argument.shape, (argument.keyword,)))

    def write(self, values: Mapping[str, Any]) -> str:
        """The line for these fields; those that hold their default are left out."""
        parts = [self.verb]
        for argument in (*self.positional, *self.keywords.values()):
            if argument.field not in values:
                continue
            value = values[argument.field]
            if not argument.required and value == argument.default:
                continue
            parts += [argument.keyword] if argument.keyword else []
            parts += [] if argument.flag else [argument.kind.write(value, self._notation)]
        return " ".join(parts)

    def wants(self, values: Mapping[str, Any]) -> str:
        """The shapes of the required arguments that `values` lacks."""
        missing = [a for a in (*self.positional, *self.keywords.values()) if a.required and a.field not in values]
        return " ".join(argument.shape for argument in missing)


class Notation:
    """The notation of one vocabulary of actions."""

    def __init__(self, actions: Iterable[type[Action]]) -> None:
        self._grammars = {action.verb(): Grammar(action, self) for action in actions}

    @property
    def verbs(self) -> tuple[str, ...]:
        """Every verb, in the order of the vocabulary."""
        return tuple(self._grammars)

    def parse(self, line: str) -> Action:
        """The action that a line stands for. Raises NotationError saying what is wrong and how it is written."""
        return self.read(Words.of(line, self))

    def read(self, words: Words) -> Action:
        """The action on the rest of some words."""
        if not words:
            raise NotationError("There is no action on this line.")
        verb = words.take(TEXT)
        return self._grammar(verb).read(words)

    def _grammar(self, verb: str) -> Grammar:
        grammar = self._grammars.get(verb.lower())
        if grammar is None:
            near = get_close_matches(verb.lower(), self._grammars, n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else f"known are: {', '.join(self._grammars)}."
            raise NotationError(f"“{verb}” is no action here; {hint}")
        return grammar

    def format(self, action: Action) -> str:
        """The line for an action; `parse` reads the same action back from it."""
        return self._grammars[action.verb()].write({name: getattr(action, name) for name in action.__struct_fields__})

    def usage(self, verb: str) -> str:
        """How the line of a verb is written."""
        return self._grammar(verb).usage

    def help(self, verb: str) -> str:
        """What a verb does, in one line."""
        return (self._grammar(verb).action.__doc__ or "").strip().splitlines()[0]

    def draft(self, action: type[Action], **given: Any) -> tuple[str, str]:
        """The line of an action as far as its fields are given, and the shapes still wanted ("" where complete)."""
        grammar = self._grammars[action.verb()]
        return grammar.write(given), grammar.wants(given)

    def complete(self, text: str, offers: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
        """The words that could stand where `text` ends, in order; `offers` has the names on the table by shape."""
        words = text.split()
        part = words.pop().lower() if text and not text[-1].isspace() else ""
        return tuple(word for word in self._candidates(words, offers) if word.lower().startswith(part))

    def _candidates(self, done: list[str], offers: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
        if not done:
            return self.verbs
        grammar = self._grammars.get(done[0].lower())
        if grammar is None:
            return ()
        if any(isinstance(argument.kind, LineKind) for argument in grammar.positional):
            skip = len(grammar.positional)
            return self._candidates(done[skip:], offers) if len(done) >= skip else ()
        try:
            values = grammar.fields(Words([(word, False) for word in done[1:]], self))
            grammar.first_missing(values)
        except Missing as missing:
            return missing.kind.choices or tuple(offers.get(missing.kind.shape, ()))
        except NotationError:
            return ()
        return tuple(word for word, argument in grammar.keywords.items() if argument.field not in values)
