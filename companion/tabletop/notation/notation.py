"""Conversion between an action and one line of text.

An action class declares its arguments and their kinds once, as annotations; reading, writing, usage, completion and
error messages all follow from that. The grammar is the project's table notation.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from companion.tabletop.action import Action, NotationError
from companion.tabletop.notation.arguments import (
    COUNT,
    SIGNED,
    TEXT,
    WHOLE,
    ArgumentKind,
    Bare,
    KeywordArgument,
    Missing,
    PrintedArgument,
    Secret,
    Word,
    Words,
    one_of,
    write_text,
)
from companion.tabletop.notation.usage_words import UsageText
from companion.tabletop.text import in_quotes
from companion.tabletop.words import join_with_or
from templates.languages.messages import Finished, Message, Text, declared, joined, listed, phrase

FieldLookup = Callable[[type[Action], Mapping[str, Any]], Mapping[str, Any]]
"""A function that returns more fields of an incomplete action, such as the figures printed on the card it names."""


class Misread(NotationError):
    """An argument that cannot be read; the message ends with the usage of the line."""


class Unsaid(Misread):
    """A line without arguments that are printed on a card, so that it may be readable if the table knows the card."""


class Argument(msgspec.Struct, frozen=True):
    """One argument of an action: its field, its kind, and its form in the line."""

    field: str
    kind: Any
    keyword: str
    required: bool
    flag: bool
    default: Any
    on_card: bool = False
    secret: bool = False

    @property
    def left_open(self) -> bool:
        """Return True if a line may omit it, so that it can be looked up on the card."""
        return self.on_card and (self.required or self.default is None)

    @property
    def words(self) -> str:
        """Its keyword, if any, and the shape of its value: `pay CARD…|N`."""
        return " ".join(part for part in (self.keyword, "" if self.flag else self.kind.shape) if part)

    @property
    def shape(self) -> str:
        """Its form in the usage: in brackets if it may be left out."""
        return self.words if self.required else f"[{self.words}]"


_FLAG: Final = Word("", str)
_NUMBERS: Final = (COUNT, SIGNED, WHOLE)


def _kind_of(hint: Any, metadata: tuple[Any, ...]) -> ArgumentKind[Any]:
    """Return the kind of an annotation: named in `Annotated`, or derived from the type."""
    for note in metadata:
        if isinstance(note, ArgumentKind):
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


def _annotated_kind(hint: Any) -> ArgumentKind[Any]:
    if get_origin(hint) is Annotated:
        return _kind_of(get_args(hint)[0], hint.__metadata__)
    return _kind_of(hint, ())


def _argument(field: msgspec.structs.FieldInfo) -> Argument:
    hint = field.type
    metadata: tuple[Any, ...] = hint.__metadata__ if get_origin(hint) is Annotated else ()
    kind = _annotated_kind(hint)
    named = next((note.word for note in metadata if isinstance(note, KeywordArgument)), "")
    bare = any(isinstance(note, Bare) for note in metadata)
    if not field.required and not bare and not named:
        named = field.name.rstrip("_").replace("_", "-")
    on_card = any(isinstance(note, PrintedArgument) for note in metadata)
    secret = any(isinstance(note, Secret) for note in metadata)
    default = None if field.required else field.default
    return Argument(field.name, kind, named, field.required, kind is _FLAG, default, on_card, secret)


class LineContinuation(msgspec.Struct, frozen=True):
    """A point at which a line may continue: the fields given so far, and the next argument.

    `words` are the words of its value that were already typed; `keyed`: the keyword of the argument must come first.
    """

    given: Mapping[str, Any]
    argument: Argument
    words: tuple[str, ...] = ()
    keyed: bool = False


class Grammar:
    """The grammar of the line of one action class."""

    def __init__(self, action: type[Action]) -> None:
        arguments = [_argument(field) for field in msgspec.structs.fields(action)]
        self.action = action
        self.verb = action.verb()
        self.positional = tuple(argument for argument in arguments if not argument.keyword)
        self.keywords = {argument.keyword: argument for argument in arguments if argument.keyword}
        self.choices = tuple(a for a in self.keywords.values() if a.kind.choices and not a.kind.many)
        """Arguments that are one of a few words; before a quoted text they need no keyword."""
        self.arguments = (*self.positional, *self.keywords.values())
        """All arguments in the order of the line."""
        self.on_cards = tuple(argument.field for argument in self.arguments if argument.left_open)
        """The fields that can be looked up on a card if a line omits them."""
        self.secrets = {argument.field: argument.default for argument in arguments if argument.secret}
        """The fields that only the owner of the seat may read, each with the value that others see."""

    @property
    def usage(self) -> str:
        """The usage of the line: `foil SEAT SEAT pay CARD…|N [card CARD]`"""
        return " ".join((self.verb, *(argument.shape for argument in self.arguments)))

    def fields(self, words: Words) -> dict[str, Any]:
        """Read the arguments of the rest of a line, by field. Raises Missing if the line ends too early."""
        values: dict[str, Any] = {}
        for argument in self.positional:
            may_lack = not argument.required or argument.on_card
            if may_lack and (not words or words.keyword() in self.keywords or self._is_for_next(argument, words)):
                continue
            self._choices_before(argument, words, values)
            self._keywords_before(argument, words, values)
            values[argument.field] = argument.kind.read(words, self.keywords)
        while words:
            argument = self._keyword(words, values)
            values[argument.field] = True if argument.flag else argument.kind.read(words, self.keywords)
        return values

    def on_card(self, words: Words) -> dict[str, Any]:
        """Read the text of a card in the words of the line that plays it. Raises NotationError."""
        values: dict[str, Any] = {}
        for argument in self.positional:
            if argument.on_card and words.keyword() not in self.keywords:
                values[argument.field] = argument.kind.read(words, self.keywords)
        while words:
            argument = self._keyword(words, values)
            if not argument.on_card:
                raise NotationError(phrase("“{word}” is never on a card", word=argument.keyword))
            values[argument.field] = True if argument.flag else argument.kind.read(words, self.keywords)
        return values

    def read(self, words: Words, look_up: FieldLookup | None = None) -> Action:
        """Read the action of the rest of a line; `look_up` fills in omitted arguments that are printed on a card.

        A line without omissions is never filled in, so that it always reads the same. Raises NotationError with the
        usage.
        """
        try:
            values = self.fields(words)
            if look_up and any(field not in values for field in self.on_cards):
                values = {**look_up(self.action, values), **values}
        except Misread:
            raise
        except NotationError as error:
            raise Misread(self._how(error.sentence)) from None
        if missing := self.missing(values):
            kind = Unsaid if all(argument.on_card for argument in missing) else Misread
            raise kind(self._how(phrase("{what} is missing", what=UsageText(missing[0].shape))))
        return self.action(**values)

    def _how(self, problem: Text) -> Message:
        """Return the problem, followed by the usage."""
        # Translators: {usage} is a line of notation with its gaps: pay SEAT CARD…
        return joined(" ", (Finished(problem), phrase("Usage: {usage}", usage=UsageText(self.usage))))

    def endings(self, words: Words) -> tuple[LineContinuation, ...]:
        """Return the possible continuations at the end of a line. Raises NotationError if it cannot be read."""
        values: dict[str, Any] = {}
        open_: list[LineContinuation] = []
        for argument in self.positional:
            self._choices_before(argument, words, values, or_last=True)
            if unfinished := self._keywords_before(argument, words, values):
                return tuple(unfinished)
            if not words:
                open_.append(LineContinuation(values, argument))
                if argument.required:
                    return tuple(open_)
            elif self._is_for_next(argument, words):
                continue
            elif words.keyword() not in self.keywords or (argument.required and not argument.on_card):
                open_ = self._value(words, argument, values)
                if argument.field not in values:
                    return tuple(open_)
        while words:
            argument = self._keyword(words, values)
            open_ = self._value(words, argument, values)
            if argument.field not in values:
                return tuple(open_)
        left = tuple(argument for argument in self.keywords.values() if argument.field not in values)
        due = tuple(argument for argument in left if argument.required)
        return (*open_, *(LineContinuation(values, argument, keyed=True) for argument in due[:1] or left))

    def _is_for_next(self, argument: Argument, words: Words) -> bool:
        """Return True if the next word certainly belongs to the argument after an optional one: `roll 2d6`."""
        at = self.positional.index(argument) + 1
        return not argument.required and any(each.kind.claims(words.keyword()) for each in self.positional[at : at + 1])

    def _choices_before(
        self, argument: Argument, words: Words, values: dict[str, Any], *, or_last: bool = False
    ) -> None:
        """Read arguments of a few words that stand without their keyword before a text: `set "Fire Wall"`."""
        while argument.kind is TEXT and argument.required and words.stands_before_text(or_last=or_last):
            left = (each for each in self.choices if each.field not in values)
            chosen = next((each for each in left if words.keyword() in each.kind.choices), None)
            if chosen is None:
                return
            values[chosen.field] = chosen.kind.read(words, self.keywords)

    def _keywords_before(self, argument: Argument, words: Words, values: dict[str, Any]) -> Sequence[LineContinuation]:
        """Read arguments with keywords that stand before a number, which is no such word: `enter ana tricks round 1 3`.

        Return the endings in the last of them if it is incomplete.
        """
        while argument.required and argument.kind in _NUMBERS and words and words.keyword() in self.keywords:
            keyed = self._keyword(words, values)
            if unfinished := self._value(words, keyed, values):
                return unfinished
        return ()

    def _value(self, words: Words, argument: Argument, values: dict[str, Any]) -> list[LineContinuation]:
        """Read a value into `values`, and return the endings in it: an incomplete value, or an unfinished list."""
        before, at = dict(values), len(words.consumed_words)
        try:
            values[argument.field] = True if argument.flag else argument.kind.read(words, self.keywords)
        except Missing:
            return [LineContinuation(before, argument, words.consumed_words[at:])]
        goes_on = not words and argument.kind.many and isinstance(values[argument.field], tuple)
        return [LineContinuation(before, argument, words.consumed_words[at:])] if goes_on else []

    def _keyword(self, words: Words, values: Mapping[str, Any]) -> Argument:
        """Read the keyword of an argument. Raises NotationError if there is none, or it appears twice."""
        word = words.keyword()
        argument = self.keywords.get(word)
        if argument is None:
            raise NotationError(phrase("{word} is one word too many", word=in_quotes(words.take(TEXT))))
        if argument.field in values:
            raise NotationError(phrase("{word} appears twice", word=in_quotes(word)))
        words.take(TEXT)
        return argument

    def write(self, values: Mapping[str, Any]) -> str:
        """Return the line for these fields; fields with their default value are left out."""
        parts = [self.verb]
        for argument in self.arguments:
            if argument.field not in values:
                continue
            value = values[argument.field]
            if not argument.required and (value == argument.default or (argument.flag and not value)):
                continue
            parts += [argument.keyword] if argument.keyword else []
            parts += [] if argument.flag else [self._unlike_keywords(argument, value)]
        return " ".join(parts)

    def _unlike_keywords(self, argument: Argument, value: Any) -> str:
        """Return a value as text, quoted if it would be misread.

        That is the case if a word of a list would end it as a keyword (such as a seat with that name), or if an
        optional value would be taken for the next argument.
        """
        text: str = argument.kind.write(value)
        if argument.kind.many and self.keywords:
            return " ".join(write_text(word) if word.lower() in self.keywords else word for word in text.split(" "))
        may_lack = not argument.required and not argument.keyword
        if may_lack and (text.lower() in self.keywords or self._is_for_next(argument, Words([(text, False)]))):
            return write_text(text)
        return text

    def missing(self, values: Mapping[str, Any]) -> tuple[Argument, ...]:
        """Return the required arguments that `values` lacks."""
        return tuple(argument for argument in self.arguments if argument.required and argument.field not in values)


@cache
def grammar(action: type[Action]) -> Grammar:
    """Return the grammar of an action class."""
    return Grammar(action)


def write(action: Action) -> str:
    """Return the line for an action; the notation of any game that has it reads the same action back."""
    return grammar(type(action)).write({name: getattr(action, name) for name in action.__struct_fields__})


def conceal(action: Action, viewer: str = "") -> Action:
    """Return an action as a viewer may see it: a seat, or "" for the public view."""
    inner = getattr(action, "action", None)
    if isinstance(inner, Action):
        concealed_inner = conceal(inner, viewer)
        return action if concealed_inner is inner else msgspec.structs.replace(action, action=concealed_inner)
    secrets = grammar(type(action)).secrets
    if not secrets or getattr(action, "seat", "") == viewer:
        return action
    return msgspec.structs.replace(action, **secrets)


def leaves_open(action: Action) -> bool:
    """Return True if an action omits what is printed on a card.

    Its line then reads differently once the card is known.
    """
    inner: Action = getattr(action, "action", action)
    return any(getattr(inner, field) is None for field in grammar(type(inner)).on_cards)


def figures(action: Action) -> Iterator[int]:
    """Yield every number in an action."""
    for argument in grammar(type(action)).arguments:
        value = getattr(action, argument.field)
        if value is not None:
            yield from argument.kind.figures(value)


def names(action: Action) -> Iterator[str]:
    """Yield the names that an action gives to things and people."""
    for argument in grammar(type(action)).arguments:
        value = getattr(action, argument.field)
        if isinstance(value, Action):
            yield from names(value)
        elif argument.kind is TEXT and argument.field != "note" and isinstance(value, str):
            yield value


class LineKind(ArgumentKind[Action]):
    """A whole action, up to the end of the line."""

    def read(self, words: Words, stops: Container[str]) -> Action:  # noqa: ARG002 – reads the rest of the line
        """Read the action of the rest of the line."""
        return words.deeper().read(words)

    def write(self, value: Action) -> str:
        """Return the line of the action."""
        return write(value)

    def figures(self, value: Action) -> Iterator[int]:
        """Return the numbers in the action."""
        return figures(value)


class Notation:
    """The notation of one vocabulary of actions; `look_up` returns what is printed on the cards that lines name.

    Actions in `elsewhere` are read as well, but appear only in files, so they are not suggested at a table.
    """

    def __init__(
        self,
        actions: Iterable[type[Action]],
        look_up: FieldLookup | None = None,
        elsewhere: Iterable[type[Action]] = (),
    ) -> None:
        # Grammars are built on first use of a verb: half of the verbs are never used in an evening.
        self._actions = {action.verb(): action for action in actions}
        self._look_up = look_up
        self._elsewhere = frozenset(action.verb() for action in elsewhere)

    @cached_property
    def _secret_verbs(self) -> frozenset[str]:
        return frozenset(verb for verb, action in self._actions.items() if grammar(action).secrets)

    @property
    def verbs(self) -> tuple[str, ...]:
        """All verbs, in the order of the vocabulary."""
        return tuple(self._actions)

    @property
    def table_verbs(self) -> tuple[str, ...]:
        """The verbs of lines that can be entered at a table."""
        return tuple(verb for verb in self._actions if verb not in self._elsewhere)

    def conceal(self, line: str, viewer: str = "") -> str:
        """Return a line as a viewer may see it; a line that cannot be read is returned unchanged."""
        if self._secret_verbs.isdisjoint(line.lower().split()):
            return line
        try:
            action = self.parse(line)
        except NotationError:
            return line
        concealed_action = conceal(action, viewer)
        return line if concealed_action is action else self.format(concealed_action)

    def parse(self, line: str) -> Action:
        """Read the action of a line. Raises NotationError with the problem and the usage."""
        return self.read(Words.of(line, self))

    def read(self, words: Words) -> Action:
        """Read the action of the remaining words."""
        if not words:
            raise NotationError(phrase("There is no action on this line."))
        verb = words.take(TEXT)
        return self._grammar(verb).read(words, self._look_up)

    def _grammar(self, verb: str) -> Grammar:
        action = self._actions.get(verb.lower())
        if action is None:
            near = _near(verb, self.table_verbs) or _near(verb, self.verbs) if verb.lower() != "help" else ()
            raise NotationError(self._unknown(in_quotes(verb), near))
        return grammar(action)

    def _unknown(self, verb: Message, near: Sequence[str]) -> Message:
        """Return the message about an unknown verb, with the way out."""
        if near:
            return phrase("{verb} is not an action here; did you mean {verbs}?", verb=verb, verbs=join_with_or(near))
        if len(self.verbs) <= _FEW:
            return phrase(
                "{verb} is not an action here; the actions are: {verbs}.", verb=verb, verbs=listed(self.verbs)
            )
        return phrase("{verb} is not an action here; ? and Enter explain all the actions.", verb=verb)

    def format(self, action: Action) -> str:
        """Return the line for an action; `parse` reads the same action back from it."""
        return write(action)

    def usage(self, verb: str) -> str:
        """Return the usage of a verb."""
        return self._grammar(verb).usage

    def help(self, verb: str) -> Text:
        """Return a description of a verb in one line."""
        return help_of(self._grammar(verb).action)


def help_of(action: type[Action]) -> Message:
    """Return the description of an action in one line: its own text, or the first line of its docstring."""
    if isinstance(action.help_text, Message):
        return action.help_text
    return declared((action.__doc__ or "").strip().splitlines()[0])


_FEW: Final = 8
"""The maximum number of verbs listed in a message; nobody reads forty."""


ENDS: Final = "seal"
"""The verb that ends a game for good, in every game: an irreversible action is never suggested."""


def _near(verb: str, verbs: tuple[str, ...]) -> list[str]:
    return get_close_matches(verb.lower(), [each for each in verbs if each != ENDS], n=3, cutoff=0.5)
