"""Matching of words to the arguments of one line of notation.

Words are matched against everything on the table, and the rules judge only the matches. So a word that matches nothing
means nothing, and a name that the rules forbid is refused with their reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from companion.session.reading.known_names import KnownNames, best_of
from companion.session.reading.typed_line import TypedWord
from companion.tabletop.action import Action, NotationError
from companion.tabletop.notation.arguments import (
    COUNTER,
    HANDLE,
    HANDLE_OR_SEAT,
    REF,
    SEAT,
    TARGET,
    TEXT,
    ArgumentKind,
    CardsOrCount,
    RestOfLine,
    Share,
    Words,
)
from companion.tabletop.notation.notation import Argument, Grammar, LineKind, grammar
from companion.tabletop.table.choices import Open, is_word
from companion.tabletop.table.table import Draft

_MOST_LEFT_OUT: Final = 2
"""Maximum number of omitted arguments; with more of them, almost anything could be meant."""
_MOST_ITEMS: Final = 12
"""Maximum number of items tried for the first word of a list."""
_MOST_WORDS: Final = 3
"""Maximum number of words that are joined to a name without quotes: `long night`."""
_NAMES: Final = (SEAT, HANDLE, HANDLE_OR_SEAT, TARGET, COUNTER, TEXT)
"""Kinds whose values must be names on the table."""


class Fit(msgspec.Struct, frozen=True):
    """Words assigned to the fields of a line with the verb of `action`.

    `given` has all known fields, `left_out` the omitted ones, and `unsaid` is the number of those that no word says.
    `fields` are those assigned from words. `says` is True if one of them is more than the seat of the line, `is_new` if
    one becomes the name of a new thing, and `is_offered` if none differs from the value that was offered.
    """

    action: type[Action]
    given: Mapping[str, Any]
    left_out: Sequence[Argument] = ()
    unsaid: int = 0
    fields: frozenset[str] = frozenset()
    says: bool = False
    is_new: bool = False
    is_offered: bool = True


class LineMatcher:
    """A matcher that assigns words to the arguments of one line; values in its draft may be omitted."""

    def __init__(
        self,
        names: KnownNames,
        preset: Draft,
        *,
        behind_verb: bool = False,
        is_whole_verb: bool = False,
        omits_things: bool = False,
        figures_only: bool = False,
        waits: bool = False,
    ) -> None:
        self._table_names = names
        self._preset = preset
        self._action = preset.action
        self._grammar: Grammar = grammar(preset.action)
        self._behind_verb = behind_verb
        self._is_whole_verb = is_whole_verb
        self._omits_things = omits_things or is_whole_verb or not behind_verb
        self._figures_only = figures_only
        self._names_texts = behind_verb or waits

    def find_fits(self, tokens: tuple[TypedWord, ...]) -> Iterator[Fit]:
        """Yield every way to assign all words to arguments."""
        spine = tuple(a for a in self._grammar.arguments if a.required or not a.keyword or self._is_asked_ref(a))
        given = {
            field: value for field, value in self._preset.given.items() if not self._preset.argument(field).required
        }
        for fit in self._spine(spine, tokens, Fit(self._action, given, unsaid=len(given))):
            if self._is_enough(fit):
                yield fit

    def _is_asked_ref(self, argument: Argument) -> bool:
        """Return True for an optional REF that a question asks for: its name is the answer."""
        return argument.kind is REF and argument.field in self._preset.asks

    def _is_enough(self, fit: Fit) -> bool:
        """Return True if a fit omits no more than it may.

        Beside a new name, and after an abbreviated verb without `omits_things`, only the seat and the fields that the
        prompt asks for anyway may be omitted.
        """
        asks = self._preset.asks
        says_all_but_whose = all(argument.kind is SEAT or argument.field in asks for argument in fit.left_out)
        if fit.is_new:
            return self._is_whole_verb and says_all_but_whose
        return says_all_but_whose or self._omits_things

    def _spine(self, spine: Sequence[Argument], tokens: tuple[TypedWord, ...], fit: Fit) -> Iterator[Fit]:
        if not spine:
            yield from self._keywords(tokens, fit)
            return
        first, *others = spine
        keyed = bool(first.keyword and tokens and not tokens[0].is_quoted and tokens[0].word == first.keyword)
        for value, rest, is_new in self._values(first, tokens[1:] if keyed else tokens, fit):
            yield from self._spine(others, rest, self._saying(fit, first, value, is_new))
        if keyed:
            return
        if first.field in self._preset.given:
            value = self._preset.given[first.field]
            unsaid = fit.unsaid + (first.field not in fit.given)
            yield from self._spine(
                others, tokens, msgspec.structs.replace(fit, given={**fit.given, first.field: value}, unsaid=unsaid)
            )
        elif not first.required or first.on_card:
            yield from self._spine(others, tokens, fit)
        elif len(fit.left_out) < _MOST_LEFT_OUT:
            left_out = [*fit.left_out, first]
            yield from self._spine(
                others, tokens, msgspec.structs.replace(fit, left_out=left_out, unsaid=fit.unsaid + 1)
            )

    def _saying(self, fit: Fit, argument: Argument, value: Any, is_new: bool) -> Fit:
        """Return a fit with one more field assigned from words."""
        offered = self._preset.given.get(argument.field, value)
        says = fit.says or argument.field != self._seat_field or not self._table_names.is_seat(value)
        return msgspec.structs.replace(
            fit,
            given={**fit.given, argument.field: value},
            fields=fit.fields | {argument.field},
            says=says,
            is_new=fit.is_new or is_new,
            is_offered=fit.is_offered and value == offered,
        )

    @property
    def _seat_field(self) -> str:
        """The name of the field for the seat of the line; "" if there is none."""
        return next((a.field for a in self._grammar.arguments[:1] if a.kind in (SEAT, HANDLE_OR_SEAT)), "")

    def _keywords(self, tokens: tuple[TypedWord, ...], fit: Fit) -> Iterator[Fit]:
        """Yield the fits of optional arguments after their keywords."""
        if not tokens:
            yield self._with_doubts(fit)
            return
        argument = None if tokens[0].is_quoted else self._grammar.keywords.get(tokens[0].word)
        if argument is None or argument.field in fit.fields or self._figures_only:
            return
        if argument.flag:
            yield from self._keywords(tokens[1:], self._saying(fit, argument, True, False))
            return
        for value, rest, is_new in self._values(argument, tokens[1:], fit):
            yield from self._keywords(rest, self._saying(fit, argument, value, is_new))

    def _with_doubts(self, fit: Fit) -> Fit:
        """Return a fit that also omits the optional fields that its prompt asks for, such as the level of a card."""
        doubts = [self._preset.argument(field) for field in self._preset.asks if field not in fit.given]
        doubts = [] if fit.is_new else [each for each in doubts if self._is_doubtful(each, fit)]
        return msgspec.structs.replace(fit, left_out=[*fit.left_out, *doubts], unsaid=fit.unsaid + len(doubts))

    def _is_doubtful(self, argument: Argument, fit: Fit) -> bool:
        """Return True if a field that no card determines has a short list of possible values."""
        if argument.flag or argument.on_card or argument.kind.many:
            return False
        return not isinstance(self._table_names.vocabulary(Draft(self._action, fit.given), argument), Open)

    # Values

    def _values(
        self, argument: Argument, tokens: tuple[TypedWord, ...], fit: Fit
    ) -> Iterator[tuple[Any, tuple[TypedWord, ...], bool]]:
        """Yield the values that the next words can have in a field, the remaining words, and True for a new name."""
        kind = argument.kind
        if not tokens or argument.flag or isinstance(kind, LineKind):
            return
        if self._figures_only and not self._takes_figure(argument):
            return
        if tokens[0].is_figure and not (self._behind_verb or argument.required or argument.keyword):
            return  # an optional number follows its verb
        if isinstance(kind, RestOfLine):
            if kind.shape == "VALUE":
                yield " ".join(token.text for token in tokens), (), False
        elif kind.many:
            for value, rest in self._many(argument, tokens, fit):
                yield value, rest, False
        else:
            yield from self._one(argument, kind, tokens, fit)

    def _takes_figure(self, argument: Argument) -> bool:
        """Return True if a number alone can fill a field: it never pays, and never fills an optional count.

        For a field of numbered things, it must replace a thing that was offered.
        """
        if argument.kind in (HANDLE, HANDLE_OR_SEAT):
            return argument.kind is HANDLE and argument.field in self._preset.given
        return bool(argument.required and not argument.keyword)

    def _one(
        self, argument: Argument, kind: ArgumentKind[Any], tokens: tuple[TypedWord, ...], fit: Fit
    ) -> Iterator[tuple[Any, tuple[TypedWord, ...], bool]]:
        """Yield the values that the next word, or the next few words as one name, can have."""
        token, draft = tokens[0], Draft(self._action, fit.given)
        is_name = kind in _NAMES or (kind is REF and ":" not in token.text)
        if not is_name and not token.is_quoted and (value := _read_word(kind, token)) is not None:
            if self._is_whole_verb or not kind.takes_any_word:
                yield value, tokens[1:], False
            return
        if not (kind in _NAMES or kind.choices or kind is REF):
            return
        if kind is TEXT and not (self._names_texts or self._is_made_up(draft, argument)):
            return  # waiting effects can be named after their verb only
        names = self._table_names.names(draft, argument, kind)
        for count in range(min(_MOST_WORDS, len(tokens)), 0, -1):
            if values := best_of(names, tokens[:count]):
                yield from ((value, tokens[count:], False) for value in values)
                return
        if kind is TEXT and token.is_quoted:
            yield token.text, tokens[1:], False
        elif kind is HANDLE and is_word(token.text) and self._is_made_up(draft, argument) and _read_word(kind, token):
            yield _read_word(kind, token), tokens[1:], True

    def _is_made_up(self, draft: Draft, argument: Argument) -> bool:
        """Return True if the user makes up the value of a field."""
        return isinstance(self._table_names.vocabulary(draft, argument), Open)

    def _many(
        self, argument: Argument, tokens: tuple[TypedWord, ...], fit: Fit
    ) -> Iterator[tuple[Any, tuple[TypedWord, ...]]]:
        """Yield a list from as many words as can be its items, or the number of cards."""
        kind = argument.kind
        if isinstance(kind, CardsOrCount) and tokens[0].word.isdecimal():
            yield int(tokens[0].word), tokens[1:]
            return
        if not tokens[0].is_quoted and tokens[0].word == "none" and getattr(kind, "least", 1) == 0:
            yield (), tokens[1:]
            return
        item, most = kind.item, getattr(kind, "most", None)
        rows: list[tuple[tuple[Any, ...], tuple[TypedWord, ...]]] = [((), tokens)]
        ended: list[tuple[tuple[Any, ...], tuple[TypedWord, ...]]] = []
        while rows:
            items, rest = rows.pop(0)
            longer = []
            if rest and rest[0].word not in self._grammar.keywords and (most is None or len(items) < most):
                longer = [((*items, value), behind) for value, behind in self._item(argument, item, rest, fit)]
            # If the first word may name several items, try each of them.
            rows += longer[: _MOST_LEFT_OUT if items else _MOST_ITEMS]
            ended += [] if longer else [(items, rest)]
        yield from ((items, rest) for items, rest in ended if len(items) >= max(1, getattr(kind, "least", 1)))

    def _item(
        self, argument: Argument, item: ArgumentKind[Any], tokens: tuple[TypedWord, ...], fit: Fit
    ) -> Iterator[tuple[Any, tuple[TypedWord, ...]]]:
        if isinstance(item, Share):
            for name, rest, _ in self._one(argument, item.name, tokens, fit):
                if rest and rest[0].word.isdecimal():
                    yield (name, int(rest[0].word)), rest[1:]
            return
        for value, rest, is_new in self._one(argument, item, tokens, fit):
            if not is_new:
                yield value, rest


def _read_word(kind: ArgumentKind[Any], token: TypedWord) -> Any:
    """Return the value of a word of this kind as it stands, or None if it is unreadable or not among the choices."""
    try:
        value = kind.read(Words.of(token.text), ())
    except NotationError:
        return None
    # Some kinds read any word.
    is_listed = not kind.choices or not isinstance(value, str) or value in kind.choices or "=" in value
    return value if is_listed else None
