"""An action and one line of text, each made from the other.

An action class names its arguments and their kinds once, as annotations; reading, writing, usage, completion and the
error messages all follow from that. The grammar is the project's table notation.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from companion.games.action import Action, NotationError
from companion.games.kinds import COUNT, TEXT, Bare, Keyword, Kind, Missing, Word, Words, one_of


class Misread(NotationError):
    """An argument cannot be read; the message ends with how the line is written."""


class Argument(msgspec.Struct, frozen=True):
    """One argument of an action: its field, its kind, and how it stands in the line."""

    field: str
    kind: Any
    keyword: str
    required: bool
    flag: bool
    default: Any

    @property
    def words(self) -> str:
        """Its keyword, where it has one, and the shape of its value: `pay CARD…|N`."""
        return " ".join(part for part in (self.keyword, "" if self.flag else self.kind.shape) if part)

    @property
    def shape(self) -> str:
        """As it stands in the usage: in brackets where it may be left out."""
        return self.words if self.required else f"[{self.words}]"


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

    def __init__(self, action: type[Action]) -> None:
        hints = get_type_hints(action, include_extras=True)
        arguments = [_argument(field, hints[field.name]) for field in msgspec.structs.fields(action)]
        self.action = action
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
                raise NotationError(f"“{word}” appears twice")
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
            parts += [] if argument.flag else [argument.kind.write(value)]
        return " ".join(parts)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """All arguments in the order of the line."""
        return (*self.positional, *self.keywords.values())

    def missing(self, values: Mapping[str, Any]) -> tuple[Argument, ...]:
        """The required arguments that `values` lacks."""
        return tuple(argument for argument in self.arguments if argument.required and argument.field not in values)


@cache
def grammar(action: type[Action]) -> Grammar:
    """How the line of an action class is written."""
    return Grammar(action)


def write(action: Action) -> str:
    """The line for an action; the notation of any game that has it reads the same action back."""
    return grammar(type(action)).write({name: getattr(action, name) for name in action.__struct_fields__})


class LineKind(Kind[Action]):
    """A whole action, up to the end of the line."""

    def read(self, words: Words, stops: Container[str]) -> Action:  # noqa: ARG002 – takes all that is left
        """The action that the rest of the line stands for."""
        assert words.notation is not None
        return words.notation.read(words)

    def write(self, value: Action) -> str:
        """The line of the action."""
        return write(value)


class Notation:
    """The notation of one vocabulary of actions."""

    def __init__(self, actions: Iterable[type[Action]]) -> None:
        self._grammars = {action.verb(): grammar(action) for action in actions}

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
            raise NotationError(f"“{verb}” is not an action here; {hint}")
        return grammar

    def format(self, action: Action) -> str:
        """The line for an action; `parse` reads the same action back from it."""
        return write(action)

    def usage(self, verb: str) -> str:
        """How the line of a verb is written."""
        return self._grammar(verb).usage

    def help(self, verb: str) -> str:
        """What a verb does, in one line."""
        return (self._grammar(verb).action.__doc__ or "").strip().splitlines()[0]

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
