"""The kinds of argument in a line of notation: how each is read from words and written as words."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Final, Generic, NewType, Protocol, TypeVar

from companion.tabletop.action import Action, NotationError
from companion.tabletop.notation.cards import SUITS, Card, read_card, read_suit
from companion.tabletop.notation.usage_words import UsageText
from companion.tabletop.text import in_quotes
from companion.tabletop.words import join_with_or
from templates.languages.messages import declared, phrase

T = TypeVar("T")

Ref = NewType("Ref", str)
"""A reference to a Monster by the band and the card it stands on: `ana:AS`."""

RESERVED: Final = frozenset({"table", "boss", "minion", "none", "gone"})
"""Words that cannot be a seat or a handle, because they have another meaning there."""

_TOKEN = r'\s*(?:#.*|"((?:[^"\\]|\\.)*)"(?=\s|$|#)|([^\s"#]+)|(\S))'
_ESCAPES: Final = {"n": "\n", "r": "\r"}
MAX_DIGITS: Final = 1000
"""The maximum number of digits; Python itself refuses to read several thousand."""
MAX_VALUE: Final = 1_000_000_000
"""The largest number that is accepted; older logs may hold larger ones."""
MAX_NESTING: Final = 3
"""The maximum depth of lines within a line: `refuse amend 5 next` has two, and the rules accept no deeper one."""
_FIGURE = r"(?<![\w-])[+−-]?([0-9]+)(?!\w)"
MAX_DICE: Final = 100
MAX_SIDES: Final = 1000
_DICE = r"(\d{0,4})d(\d{1,5})([+−-]\d{1,4})?"
_NAME = re.compile(r"\w[\w-]*")


class Missing(NotationError):
    """A line that ends before a required argument; `kind` is the expected kind."""

    def __init__(self, kind: ArgumentKind[Any]) -> None:
        super().__init__(phrase("{what} is missing", what=UsageText(kind.shape)))
        self.kind = kind


class LineReader(Protocol):
    """A reader of whole lines; see `companion.tabletop.notation.notation`."""

    def read(self, words: Words) -> Action:
        """Read the action from the remaining words."""
        ...


class Words:
    """The words of a line, read one after the other. A quoted word is never a keyword."""

    def __init__(self, tokens: list[tuple[str, bool]], notation: LineReader | None = None) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self.notation = notation

    @classmethod
    def of(cls, line: str, notation: LineReader | None = None) -> Words:
        """Split a line; a `#` outside quotes starts a comment."""
        if '"' not in line and "#" not in line:
            return cls([(word, False) for word in line.split()], notation)
        tokens: list[tuple[str, bool]] = []
        for match in re.finditer(_TOKEN, line, re.DOTALL):
            quoted, plain, stray = match.groups()
            if stray is not None:
                raise NotationError(phrase('A double quote opens a text here but none closes it; write it as "text".'))
            if quoted is not None:
                tokens.append((re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), quoted, flags=re.DOTALL), True))
            elif plain is not None:
                tokens.append((plain, False))
        return cls(tokens, notation)

    def __bool__(self) -> bool:
        return self._at < len(self._tokens)

    @property
    def consumed_words(self) -> tuple[str, ...]:
        """The words that have been read so far."""
        return tuple(word for word, _ in self._tokens[: self._at])

    def deeper(self) -> LineReader:
        """Return the reader for a line nested in this one. Raises NotationError if the nesting is too deep."""
        assert self.notation is not None
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise NotationError(phrase("More than {most} lines are nested here; write one action.", most=MAX_NESTING))
        return self.notation

    def keyword(self) -> str:
        """Return the next word in lower case, or "" if there is none or it is quoted."""
        if not self:
            return ""
        word, quoted = self._tokens[self._at]
        return "" if quoted else word.lower()

    def stands_before_text(self, *, or_last: bool = False) -> bool:
        """Return True if a quoted text follows the next word or, with `or_last`, if nothing follows it."""
        behind = self._tokens[self._at + 1 : self._at + 2]
        return any(quoted for _, quoted in behind) or (or_last and not behind)

    def take(self, kind: ArgumentKind[Any]) -> str:
        """Read the next word. Raises Missing if the line has ended."""
        if not self:
            raise Missing(kind)
        self._at += 1
        return self._tokens[self._at - 1][0]


class ArgumentKind(Generic[T]):
    """A kind of argument: how it is read from words and written as words. `shape` names it in usage and messages.

    `many`: a value may be a list, whose words are of the kind `item`.
    """

    many = False
    takes_any_word = False
    """True if any word can be a value, so that only a complete verb makes the word one."""

    def __init__(self, shape: str, choices: Sequence[str] = ()) -> None:
        self.shape = shape
        self.choices = tuple(choices)

    def read(self, words: Words, stops: Container[str]) -> T:
        """Read the value of the next word or words; a list ends at one of the keywords in `stops`."""
        raise NotImplementedError

    def write(self, value: T) -> str:
        """Return the word or words for a value."""
        raise NotImplementedError

    def figures(self, value: T) -> Iterator[int]:
        """Yield the numbers in a value, for the check against MAX_VALUE."""
        return _figures(value)

    def claims(self, word: str) -> bool:  # noqa: ARG002 – most kinds depend on the order alone
        """Return True if a word is certainly of this kind, so that an optional argument before it was left out."""
        return False


def _figures(value: object) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _figures(part)


def figures_in(text: str) -> Iterator[int]:
    """Return an iterator over the numbers among the words of a text."""
    return (int(digits[:MAX_DIGITS]) for digits in re.findall(_FIGURE, text))


class Word(ArgumentKind[T]):
    """An argument that is one word."""

    def __init__(
        self, shape: str, read: Callable[[str], T], write: Callable[[T], str] = str, choices: Sequence[str] = ()
    ) -> None:
        super().__init__(shape, choices)
        self.takes_any_word = read is str and not choices
        self._read = read
        self._write = write

    def read(self, words: Words, stops: Container[str]) -> T:  # noqa: ARG002 – one word has no end to find
        """Read the value of the next word."""
        return self._read(words.take(self))

    def write(self, value: T) -> str:
        """Return the word for a value."""
        return self._write(value)


class Many(ArgumentKind[tuple[T, ...]]):
    """Several words of one kind, up to the next keyword or the end; if a list may be empty, `none` stands for that."""

    many = True

    def __init__(self, item: ArgumentKind[T], least: int = 1, most: int | None = None) -> None:
        super().__init__(f"{item.shape}…", item.choices)
        self.item, self.least, self.most = item, least, most

    def read(self, words: Words, stops: Container[str]) -> tuple[T, ...]:
        """Read all values up to the next keyword."""
        if words.keyword() == "none" and self.least == 0:
            words.take(self)
            return ()
        values: list[T] = []
        while words and words.keyword() not in stops and (self.most is None or len(values) < self.most):
            values.append(self.item.read(words, stops))
        if len(values) < max(1, self.least):
            raise Missing(self.item)
        return tuple(values)

    def write(self, value: tuple[T, ...]) -> str:
        """Return the values, separated by spaces."""
        words = [self.item.write(item) for item in value]
        if self.least == 0 and words and words[0].lower() == "none":
            words[0] = write_text(words[0])
        return " ".join(words) or "none"


class CardsOrCount(ArgumentKind[tuple[Card, ...] | int]):
    """Named cards, or the number of cards if they are not named."""

    many = True

    def __init__(self) -> None:
        super().__init__("CARD…|N")
        self.item = CARD
        self._cards = Many(CARD)

    def read(self, words: Words, stops: Container[str]) -> tuple[Card, ...] | int:
        """Read a tuple of at least one card, or a count; the rules check if that is enough."""
        if words.keyword().isdecimal():
            return read_count(words.take(self))
        return self._cards.read(words, stops)

    def write(self, value: tuple[Card, ...] | int) -> str:
        """Return `2D KS` or `2`."""
        return str(value) if isinstance(value, int) else self._cards.write(value)


class RestOfLine(Word[str]):
    """All words up to the end of the line, as one text separated by spaces."""

    def read(self, words: Words, stops: Container[str]) -> str:
        """Read at least one word."""
        taken = [super().read(words, stops)]
        while words:
            taken.append(super().read(words, stops))
        return " ".join(taken)


class MaybeNumber(Word[str]):
    """A word that is a number if the counter or the rule before it takes one."""

    def figures(self, value: str) -> Iterator[int]:
        """Return an iterator over the words that are numbers."""
        return figures_in(value)


class RestOrNumber(RestOfLine, MaybeNumber):
    """All words up to the end of the line, any of which may be a number."""


class Seed(Word[int]):
    """A seed of the random number generator: it counts nothing, so any size is allowed."""

    def figures(self, value: int) -> Iterator[int]:  # noqa: ARG002 - any seed
        """Return an empty iterator: a seed may be of any size."""
        return iter(())


class TargetKind(Word[str]):
    """A target: `table`, `boss`, a seat, a handle, or `minion REF`, which is two words."""

    def read(self, words: Words, stops: Container[str]) -> str:
        """Read the target in its canonical spelling."""
        word = words.take(self).lower()
        return f"minion {_EXACT_REF.read(words, stops)}" if word == "minion" else word


def read_count(word: str) -> int:
    """Read a whole number from 0."""
    if word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS:
        return int(word)
    raise NotationError(phrase("{word} is not a whole number.", word=in_quotes(word)))


def read_signed(word: str) -> int:
    """Read a whole number with an optional sign (a typographic minus counts as one)."""
    digits = word.replace("−", "-").removeprefix("+")
    plain = digits.removeprefix("-")
    if plain.isdecimal() and digits.isascii() and len(plain) <= MAX_DIGITS and not word.startswith("+-"):
        return int(digits)
    raise NotationError(phrase("{word} is not a number; write it as +3 or -3.", word=in_quotes(word)))


def refuse_absurd(figures: Iterable[int]) -> None:
    """Raise NotationError if a figure is larger than MAX_VALUE, which nothing at a table reaches."""
    for figure in figures:
        if abs(figure) > MAX_VALUE:
            raise NotationError(
                phrase(
                    "{figure} is out of range: no figure goes beyond {most}.",
                    figure=in_quotes(str(figure)),
                    most=MAX_VALUE,
                )
            )


def read_name(word: str) -> str:
    """Read a seat or a handle: a word of letters, digits, `-` and `_`, returned in lower case."""
    name = word.lower()
    if not _NAME.fullmatch(name) or name.isdecimal():
        raise NotationError(
            phrase("{word} cannot be a name here; use one word of letters and digits.", word=in_quotes(word))
        )
    if name in RESERVED:
        raise NotationError(
            phrase("{word} means something else in the notation; choose another name.", word=in_quotes(word))
        )
    return name


def read_counter_name(word: str) -> str:
    """Read the name of a new counter: `energy`, or several words in quotes, which `-` joins."""
    return read_name(as_handle(word) if " " in word else word)


CLOCK_WORDS: Final = ("up", "pause", "go", "off")
"""The values of `clock`, besides giving a seat a time of its own."""


def read_clock_word(word: str) -> str:
    """Read what `clock` does, or the seat that gets a time of its own."""
    return word.lower() if word.lower() in CLOCK_WORDS else read_name(word)


def as_handle(text: str) -> str:
    """Return the handle for a title: `Moon Fox` → `moon-fox`, `Ana’s “Rex”` → `anas-rex`."""
    return "-".join(re.findall(r"\w[\w-]*", text.replace("'", "").replace("’", ""))).lower()


def read_game(word: str) -> str:
    """Read the word of a game in lower case, but keep the path of a page: file names may be case-sensitive."""
    return word if "/" in word or "\\" in word else word.lower()


def read_ref(word: str) -> Ref:
    """Read a Monster by its band and card: `ana:AS`."""
    seat, colon, card = word.rpartition(":")
    if not colon:
        raise NotationError(phrase("{word} names no Monster; write seat:card, as ana:AS.", word=in_quotes(word)))
    return Ref(f"{read_name(seat)}:{read_card(card)}")


def read_monster(word: str) -> Ref:
    """Read a Monster by its band and card, or by the name of its creature, which its game looks up: `"toll ghoul"`."""
    if not word.strip():
        raise NotationError(phrase("Say which Monster: its creature's name, or its band and card, as ana:AS."))
    return read_ref(word) if ":" in word else Ref(word)


def write_monster(ref: Ref) -> str:
    """Write a Monster; the name of a creature is quoted."""
    return ref if ":" in ref else write_text(ref)


def write_text(text: str) -> str:
    """Return a text in double quotes, always on one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def write_word(word: str) -> str:
    """Return a word as it is, or quoted if it could not be read back otherwise."""
    return write_text(word) if not word or re.search(r'[\s"#\\]', word) else word


CARD: Final = Word("CARD", read_card)
SUIT: Final = Word("SUIT", read_suit, choices=SUITS)
SEAT: Final = Word("SEAT", read_name)
HANDLE: Final = Word("THING", read_name)
REF: Final = Word("REF", read_monster, write_monster)
_EXACT_REF: Final = Word("REF", read_ref)
TEXT: Final = Word("TEXT", str, write_text)
GAME: Final = Word("GAME", read_game, write_word)
KEY: Final = Word("KEY", str.lower, write_word)
VALUE: Final = MaybeNumber("VALUE", str, write_word)
VALUES: Final = RestOrNumber("VALUE", str, write_word)
WORDS: Final = RestOfLine("TEXT", str, write_text)
"""A text that needs no quotes, because nothing follows it."""
COUNTER: Final = Word("COUNTER", str.lower, write_word)
COUNT: Final = Word("N", read_count)
SEED: Final = Seed("N", read_count)
SIGNED: Final = Word("±N", read_signed, lambda value: f"{value:+d}")
WHOLE: Final = Word("N", read_signed)
"""A whole number, which may be below 0."""
CLOCK: Final = Word("up|pause|go|off|SEAT", read_clock_word)
NEW_COUNTER: Final = Word("NAME", read_counter_name)
TARGET: Final = TargetKind("TARGET", str)
PAYMENT: Final = CardsOrCount()
ROLLED: Final = Many(COUNT)
"""The result of each die, or the sum of all dice."""


class DiceKind(Word[str]):
    """A number of dice with a number of sides, and a modifier: `2d6`, `d20+3`."""

    def claims(self, word: str) -> bool:
        """Return True if a word is a dice expression."""
        return re.fullmatch(_DICE, word, re.IGNORECASE | re.ASCII) is not None


def parse_dice(dice: str) -> tuple[int, int, int]:
    """Return the number of dice, the sides of each, and the modifier. Raises NotationError."""
    match = re.fullmatch(_DICE, dice.lower().replace("−", "-"), re.IGNORECASE | re.ASCII)
    if match is None:
        raise NotationError(
            phrase(
                "{dice} are not dice; write how many dice and how many sides they have, such as 2d6 or 1d20+3.",
                dice=in_quotes(dice),
            )
        )
    count, sides, plus = int(match[1] or 1), int(match[2]), int(match[3] or 0)
    if not (1 <= count <= MAX_DICE and 2 <= sides <= MAX_SIDES):
        raise NotationError(
            phrase(
                "{dice}: 1 to {most} dice can be rolled, with 2 to {sides} sides each.",
                dice=in_quotes(dice),
                most=MAX_DICE,
                sides=str(MAX_SIDES),
            )
        )
    return count, sides, plus


def _read_dice(word: str) -> str:
    count, sides, plus = parse_dice(word)
    return f"{count}d{sides}{f'{plus:+d}' if plus else ''}"


DICE: Final = DiceKind("NdM[+K]", _read_dice)


def one_of(shape: str, names: Iterable[str]) -> ArgumentKind[str]:
    """Return a kind for a fixed set of words; its error suggests near misses.

    `shape` is an English word that says what the words are; it is part of the usage, and needs a translation.
    """
    options = tuple(names)

    def read(word: str) -> str:
        name = word.lower()
        if name not in options:
            near = get_close_matches(name, options, n=2, cutoff=0.5) or options
            # Translators: {kind} says what is chosen here, as the usage of the line does: a choice, a word, a question.
            raise NotationError(
                phrase(
                    "{word} is not a {kind}; did you mean {words}?",
                    word=in_quotes(word),
                    kind=declared(shape),
                    words=join_with_or(near[:6]),
                )
            )
        return name

    return Word(shape if len(options) > 6 else "|".join(options), read, choices=options)


class KeywordArgument:
    """The marker of a required argument that a keyword introduces (`pay CARD…`)."""

    def __init__(self, word: str) -> None:
        self.word = word


class Bare:
    """The marker of an optional argument without a keyword (`crank SEAT [N]`)."""


class PrintedArgument:
    """The marker of an argument printed on the card: the line may omit it if the deck list knows the card."""


class Secret:
    """The marker of an optional argument about face-down cards.

    Only the owner of the line's `seat` may read it until the game is over.
    """


SeatName = Annotated[str, SEAT]
OneCard = Annotated[Card, CARD]
OneRef = Annotated[Ref, REF]
Text = Annotated[str, TEXT]
Count = Annotated[int, COUNT]
Target = Annotated[str, TARGET]
CounterName = Annotated[str, COUNTER]


def _read_change(word: str) -> tuple[int, int]:
    """Read the change of the first figure, and of the second if there is one: `+2`, `+2/-1`."""
    first, stroke, second = word.partition("/")
    return read_signed(first), read_signed(second) if stroke else 0


def _write_change(change: tuple[int, int]) -> str:
    return f"{change[0]:+d}/{change[1]:+d}" if change[1] else f"{change[0]:+d}"


CHANGE: Final = Word("±N[/±N]", _read_change, _write_change)
HANDLE_OR_SEAT: Final = Word("THING|SEAT", read_name)

HandleName = Annotated[str, HANDLE]
HandleOrSeat = Annotated[str, HANDLE_OR_SEAT]


Two = tuple[int, int]


class Pair(Word[Two]):
    """A pair `3/4`, or `+1/-2` if both are changes; `shape` names the two (`ATK/HEALTH`)."""

    def __init__(self, shape: str, signed: bool = False) -> None:
        self.signed = signed
        super().__init__(shape, self._both, self._format_pair)

    def _both(self, word: str) -> Two:
        first, stroke, second = word.partition("/")
        if not stroke:
            raise NotationError(
                phrase(
                    "“{word}” is not two numbers; write {shape}, as {example}.",
                    word=word,
                    shape=self.shape,
                    example=self._format_pair((3, 2)),
                )
            )
        read = read_signed if self.signed else read_count
        return read(first), read(second)

    def _format_pair(self, value: Two) -> str:
        return "{:+d}/{:+d}".format(*value) if self.signed else "{}/{}".format(*value)


Portion = tuple[str, int]


class Share(ArgumentKind[Portion]):
    """A pair of words: a seat or a handle, and a whole number."""

    def __init__(self, name: ArgumentKind[str]) -> None:
        super().__init__(f"{name.shape} {COUNT.shape}")
        self.name = name

    def read(self, words: Words, stops: Container[str]) -> Portion:
        """Read the next two words."""
        return self.name.read(words, stops), COUNT.read(words, stops)

    def write(self, value: Portion) -> str:
        """Return the name, then the number."""
        return f"{self.name.write(value[0])} {value[1]}"
