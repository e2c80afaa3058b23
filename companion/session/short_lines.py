"""What a few words may stand for: verbs, seats and names are looked for among everything on the table.

The rules judge only what was found. So a word that names nothing means nothing, and a name that the rules forbid is
refused by their reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from companion.session.session import Session
from companion.session.table_questions import due_prompts
from companion.tabletop.action import Action, NotationError
from companion.tabletop.arguments import (
    COUNTER,
    HANDLE,
    HANDLE_OR_SEAT,
    REF,
    SEAT,
    TARGET,
    TEXT,
    CardsOrCount,
    Kind,
    RestOfLine,
    Share,
    Words,
)
from companion.tabletop.choices import Candidates, Open, allows, filled, is_word
from companion.tabletop.common_actions import DrawAgreed, Note, Seat, Venue
from companion.tabletop.naming import Name, best_named
from companion.tabletop.notation import Argument, Grammar, LineKind, grammar
from companion.tabletop.table import Draft, Prompt, TableView, Thing

_MOST_LEFT_OUT: Final = 2
"""Arguments that may be left out; with more of them, hardly anything could still be meant."""
_MOST_FILLED: Final = 12
"""Values of which one may be meant that was left out; among more nobody means one without saying it."""
_MOST_JUDGED: Final = 36
"""Lines that the rules are asked about for one text."""
_MOST_LOOSELY: Final = 4
"""Of these, lines of one verb that was only begun: enough to ask which."""
_MOST_WORDS: Final = 3
"""Words of a name that are joined where no quotes stand around it: `long night`."""
_COPY: Final = re.compile(r"[ -]?\d+$")
_FIGURE: Final = re.compile(r"[\d+−/-]+")
_NAMES: Final = (SEAT, HANDLE, HANDLE_OR_SEAT, TARGET, COUNTER, TEXT)
"""Kinds of which only what has a name on the table is understood."""


class Readings(msgspec.Struct, frozen=True):
    """The lines that words may stand for: those that the rules accept, and those that they refuse; `theirs` are those
    among the refused that would be of the seat that the words begin with, while what is accepted is somebody else's.
    """

    accepted: tuple[Action, ...] = ()
    refused: tuple[Action, ...] = ()
    theirs: tuple[Action, ...] = ()


class Token(msgspec.Struct, frozen=True):
    """A word as it was typed; in quotes it is a text, and never a keyword."""

    text: str
    is_quoted: bool = False

    @property
    def word(self) -> str:
        """In lower case."""
        return self.text.lower()

    @property
    def is_figure(self) -> bool:
        """Whether it can begin no other word: it is a number, or two."""
        return not self.is_quoted and bool(_FIGURE.fullmatch(self.text))


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a text. Raises NotationError where a quote is open."""
    words, tokens = Words.of(text), []
    while words:
        is_quoted = not words.keyword()
        tokens.append(Token(words.take(TEXT), is_quoted))
    return tuple(tokens)


class _Fit(msgspec.Struct, frozen=True):
    """Words as the fields of a line: those said or taken for granted, those left out, and how many go without saying.

    `fields` are those that words stand for; `says` tells that one stands for more than whose line it is, `is_new`
    that one becomes the name of something, `is_offered` that none stands for another thing than the one offered.
    """

    given: Mapping[str, Any]
    left_out: Sequence[Argument] = ()
    unsaid: int = 0
    fields: frozenset[str] = frozenset()
    says: bool = False
    is_new: bool = False
    is_offered: bool = True


def read_short_line(text: str, session: Session) -> Readings:
    """Every line that a text may stand for."""
    return _Reader(session).read(tokens_of(text))


def says_verb(text: str, session: Session) -> bool:
    """Return True where a whole verb of the game stands behind other words, and these are its line: `ben heal 3`."""
    try:
        tokens = tokens_of(text)
    except NotationError:  # a quote is open
        return False
    return _Reader(session).said_behind(tokens) != Readings()


def names_alone(text: str, session: Session) -> tuple[str, ...]:
    """What people call whom or what the first word of a text names on the table, best."""
    view = session.view()
    seats = [Name(seat.seat, seat.name) for seat in view.seats]
    things = [Name(thing.target, thing.title, thing.number) for thing in view.things() if is_word(thing.target)]
    titles = {name.value: name.title for name in (*seats, *things)}
    return tuple(dict.fromkeys(titles[value] for value in _best((*seats, *things), tokens_of(text)[:1])))


class _Reader:
    """Reads short lines on one table."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.game, self.state, self.notation = session.game, session.state, session.notation
        self.view = session.view()
        self.things = {thing.target: thing for thing in self.view.things()}
        self._names: dict[Any, tuple[Name, ...]] = {}

    def read(self, tokens: tuple[Token, ...]) -> Readings:
        """Verbs that the first word is or begins, or the second one; and answers that the words are without their verb.
        Of what nobody is asked and nothing offers, only why the rules forbid it.
        """
        if not tokens:
            return Readings()
        is_verb = not tokens[0].is_quoted and tokens[0].word in self.notation.verbs
        by_verb = self._by_verb(tokens[0], tokens[1:])
        if is_verb:
            return by_verb
        if (readings_behind := self.said_behind(tokens)) != Readings():
            # The first word may begin a verb, of which the whole one is a name: `send action`.
            return Readings(_by_line((*by_verb.accepted, *readings_behind.accepted), self), readings_behind.refused)
        own, answers = self._answers(tokens)
        turned = self._turned(tokens)
        readings = Readings(
            _by_line((*by_verb.accepted, *answers.accepted, *turned.accepted), self),
            (*by_verb.refused, *answers.refused, *turned.refused),
        )
        if readings == Readings():
            corrections = self._judged(self._by_keyword(tokens))
            cards = self._judged((*self._by_keyword(tokens), *self._out_of_turn(tokens)))
            readings = Readings((), cards.refused) if cards.refused else cards
            readings = corrections if corrections.accepted else readings
        if readings == Readings() and len(tokens[0].word) > 1:
            # No line of this step fits: why one of another step has to wait; a letter begins too many.
            of_later = self._fits_of(self._begun(tokens[0], later=True), tokens[1:], is_whole_verb=False)
            readings = Readings((), self._judged(of_later).refused)
        if len(readings.accepted) != 1 or by_verb.accepted:
            return readings
        doubts = self._doubts(tokens, is_answer=own.accepted == readings.accepted)
        accepted = _by_line((*readings.accepted, *doubts), self)
        return Readings(accepted, readings.refused, self._theirs(tokens, accepted[0]))

    def _doubts(self, tokens: tuple[Token, ...], *, is_answer: bool) -> tuple[Action, ...]:
        """What else could be meant by a name without its verb, although nobody says it so: what begins a name begins a
        verb as well, and what cards do, or what waits to happen, is said with its verb. What answers the first question
        is never that.
        """
        verbs = self._behind_verb(tokens[0], (), loosely=True) if len(tokens) == 1 else ()
        doubts = self._judged(verbs, loosely=True).accepted
        if is_answer or all(token.is_figure for token in tokens):
            return doubts
        drafts = (draft for prompt in self.view.prompts for draft in prompt.answers)
        said_by_verb = self._offered(map(_without_extras, drafts), tokens, waits=True)
        return (*doubts, *self._judged(said_by_verb).accepted)

    # Lines that begin with a verb

    def _behind_verb(
        self, verb: Token, tokens: tuple[Token, ...], *, loosely: bool = False
    ) -> Iterator[tuple[type[Action], _Fit]]:
        """Lines whose verb a word is, or begins; `loosely`, also what nobody means by its beginning alone.

        What ends the game for everybody is said whole. A verb that is only begun is one of this step, where any is.
        """
        if verb.is_quoted or verb.is_figure:
            return
        whole = [action for action in self.game.actions if action.verb() == verb.word]
        if whole:
            yield from self._fits_of(whole, tokens, is_whole_verb=True)
            return
        yield from self._fits_of(self._begun(verb) or self._begun(verb, later=True), tokens, is_whole_verb=loosely)

    def _begun(self, verb: Token, *, later: bool = False) -> list[type[Action]]:
        """The lines of this step, or of another one, whose verb a word begins."""
        if verb.is_quoted or verb.is_figure:
            return []
        begun = (each for each in self.game.actions if each.verb().startswith(verb.word) and each is not DrawAgreed)
        return [action for action in begun if bool(self.game.out_of_step(self.state, action)) == later]

    def _fits_of(
        self, kinds: Iterable[type[Action]], tokens: tuple[Token, ...], *, is_whole_verb: bool
    ) -> Iterator[tuple[type[Action], _Fit]]:
        """Every way to give words to the arguments of these lines."""
        for action in kinds:
            for preset in map(_without_extras, self._presets(action)):
                for fit in _Match(self, preset, behind_verb=True, is_whole_verb=is_whole_verb).fits(tokens):
                    yield action, fit

    def _presets(self, action: type[Action]) -> Iterator[Draft]:
        """What goes without saying behind a verb: what those are asked with it who are asked first; else what the turn
        player is offered; where nobody's turn it is, what anybody is. Of what is offered to nobody, whose it may be.
        """
        prompts = self.view.prompts
        due = [prompt for prompt in prompts if prompt.due and _drafts(prompt, action)]
        if due:
            yield from _drafts(due[0], action)
            return
        offers = [prompt for prompt in prompts if _drafts(prompt, action)]
        turn = self.turn_player
        own = [prompt for prompt in offers if not turn or prompt.seat in ("", turn)]
        first = grammar(action).arguments[:1]
        whose = {each.field for each in first if turn and each.kind is HANDLE_OR_SEAT and not each.keyword}
        if any(each.required for each in grammar(action).arguments[1:]):
            whose = set()  # what happens to whom, such as `heal 3`, is asked
        for prompt in own:
            for draft in _drafts(prompt, action):
                # A thing that could stand there is never meant without its name.
                unnamed = {field for field in whose if not self.is_seat(draft.given.get(field))}
                yield msgspec.structs.replace(draft, given={**draft.given, **dict.fromkeys(unnamed, turn)})
        if not own:
            others = (draft for prompt in offers for draft in _drafts(prompt, action) if prompt.seat)
            seats = {name for draft in others for name, value in draft.given.items() if self.is_seat(value)}
            if seats or whose or not first or first[0].kind is not SEAT or issubclass(action, Seat):
                yield Draft(action, dict.fromkeys(seats or whose, turn))
            else:
                yield from (Draft(action, {first[0].field: seat}) for seat in self.seats)

    @property
    def turn_player(self) -> str:
        """Whose turn it is; "" in a game that counts no turns."""
        count = self.view.count
        if count is None or count.name != "turn":
            return ""
        return next((seat.seat for seat in self.view.seats if "active" in seat.flags), "")

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats, from the turn player's on."""
        seats = tuple(seat.seat for seat in self.view.seats)
        at = seats.index(self.turn_player) if self.turn_player in seats else 0
        return (*seats[at:], *seats[:at])

    def _by_verb(self, verb: Token, tokens: tuple[Token, ...]) -> Readings:
        """Of each verb that a text begins what leaves out least and, where the rules refuse all of that, what leaves
        out more. Where the verb is alone and the rules refuse what it says whole, that was meant: `n` is `next` before
        it is `negate` of the only thing that there is. Where they accept it, it is one of several.
        """
        fits = list(self._behind_verb(verb, tokens))
        whole = [(action, fit) for action, fit in fits if not tokens and not fit.unsaid]
        if whole and not self._judged(whole).accepted:
            fits = whole
        if tokens and all(token.is_figure for token in tokens):
            # A figure may be a thing's number or a count: `crank 1`.
            fits = [(action, msgspec.structs.replace(fit, unsaid=len(fit.left_out))) for action, fit in fits]
        levels: dict[type[Action], list[int]] = {}
        for action, fit in sorted(fits, key=lambda each: each[1].unsaid):
            levels.setdefault(action, []).append(fit.unsaid)
        readings = self._judged((action, fit) for action, fit in fits if fit.unsaid == levels[action][0])
        fulfilled = {type(action) for action in readings.accepted}
        more = [
            (action, fit) for action, fit in fits if action not in fulfilled and fit.unsaid == levels[action][0] + 1
        ]
        return Readings((*readings.accepted, *self._judged(more).accepted), readings.refused)

    def said_behind(self, tokens: tuple[Token, ...]) -> Readings:
        """Lines said as people speak, with other words before their whole verb: `wolf attack`, `ben heal 3`.

        A note or a place may hold any words, so that it is begun with its verb.
        """
        verbs = {action.verb() for action in self.game.actions if not issubclass(action, (Note, Venue))}
        if not tokens or (not tokens[0].is_quoted and tokens[0].word in self.notation.verbs):
            return Readings()
        readings_behind = (
            self._by_verb(token, (*tokens[:at], *tokens[at + 1 :]))
            for at, token in enumerate(tokens)
            if at and not token.is_quoted and token.word in verbs
        )
        readings = tuple(each for each in readings_behind if each != Readings())
        accepted = _by_line((action for each in readings for action in each.accepted), self)
        return Readings(accepted, tuple(action for each in readings for action in each.refused))

    def _turned(self, tokens: tuple[Token, ...]) -> Readings:
        """Read a verb that is only begun behind its seat: `ben cr`."""
        if len(tokens) == 1:
            return Readings()
        name, verb, *others = tokens
        readings = self._by_verb(verb, (name, *others))
        seats = _best(self._named_seats(), (name,))
        return Readings(
            *(tuple(each for each in some if _whose(each) in seats) for some in (readings.accepted, readings.refused))
        )

    # Answers without their verb

    def _answers(self, tokens: tuple[Token, ...]) -> tuple[Readings, Readings]:
        """What answers the first question; and, where nothing is asked, or the words are none of its answers, with it
        what others are asked or offered that names a thing. An answer that the step waits for goes before all else: who
        is asked answers. Of what is not offered, only why the rules forbid it.
        """
        first = due_prompts(self.view)[:1]
        # Whoever names a card has drawn it: it is no answer by which the program draws.
        answers = (draft for prompt in first for draft in prompt.answers if not draft.given.get("is_drawn"))
        fits = list(self._bare(answers, tokens))
        answering = [(action, fit) for action, fit in fits if fit.is_offered]
        own = self._judged(answering)
        if own != Readings() and any(prompt.due for prompt in first):
            return own, own
        offering = (prompt for prompt in self.view.prompts if prompt.seat and prompt not in first)
        others = (_without_extras(draft) for prompt in offering for draft in prompt.answers)
        offers = self._judged((*answering, *self._offered((draft for draft in others if draft.given), tokens)))
        return own, offers if offers != Readings() else Readings((), self._judged(fits).refused)

    def _theirs(self, tokens: tuple[Token, ...], accepted: Action) -> tuple[Action, ...]:
        """What words say of the seat that they begin with, where they are accepted as somebody else's: `ben ks` is
        what Ana does to Ben, and may be what Ben pays.
        """
        seats = _best(self._named_seats(), tokens[:1])
        fits = (
            (action, fit)
            for prompt in due_prompts(self.view)[:1]
            for action, fit in self._bare(prompt.answers, tokens)
            if getattr(accepted, "seat", "") not in seats and fit.given.get("seat") in seats
        )
        return self._judged(fits).refused if seats and len(tokens) > 1 else ()

    def _offered(
        self, drafts: Iterable[Draft], tokens: tuple[Token, ...], *, waits: bool = False
    ) -> list[tuple[type[Action], _Fit]]:
        """Lines that are offered, of which the words name the thing that each of them is about."""
        return [
            (action, fit)
            for draft in drafts
            for action, fit in self._bare((draft,), tokens, waits=waits)
            if fit.is_offered and (not (things := self._things_of(draft)) or fit.fields & things)
        ]

    def _things_of(self, draft: Draft) -> set[str]:
        """The fields of a draft that hold anything but somebody's seat."""
        return {field for field, value in draft.given.items() if not self.is_seat(value)}

    def _out_of_turn(self, tokens: tuple[Token, ...]) -> Iterator[tuple[type[Action], _Fit]]:
        """The lines that would play a card of a list which nobody is asked for now: the rules say why they cannot."""
        for seat in self.seats:
            for action in self.game.actions:
                first = grammar(action).arguments[:1]
                if first and first[0].kind is SEAT and first[0].field == "seat":
                    named = {each.field for each in grammar(action).arguments if each.kind in (HANDLE, TEXT)}
                    fits = self._bare((Draft(action, {"seat": seat}),), tokens)
                    yield from ((kind, fit) for kind, fit in fits if fit.fields & named)

    def _by_keyword(self, tokens: tuple[Token, ...]) -> Iterator[tuple[type[Action], _Fit]]:
        """The lines that a keyword says whole, such as who has come: a correction, or the rules say why it is none."""
        for action in self.game.actions:
            if not tokens[0].is_quoted and tokens[0].word in grammar(action).keywords:
                fits = self._bare((Draft(action),), tokens)
                yield from ((kind, fit) for kind, fit in fits if not fit.left_out)

    def _bare(
        self, drafts: Iterable[Draft], tokens: tuple[Token, ...], *, waits: bool = False
    ) -> Iterator[tuple[type[Action], _Fit]]:
        figures_only = all(token.is_figure for token in tokens)
        for draft in drafts:
            for fit in _Match(self, draft, figures_only=figures_only, waits=waits).fits(tokens):
                if fit.says and not fit.is_new and self._is_alike(draft, fit):
                    yield draft.action, fit

    def _is_alike(self, draft: Draft, fit: _Fit) -> bool:
        """Whether a thing stands for a thing and a seat for a seat, where an answer names another one already."""
        return all(self.is_seat(fit.given[field]) == self.is_seat(value) for field, value in draft.given.items())

    def is_seat(self, value: object) -> bool:
        """Whether it is the word of somebody's seat."""
        return any(seat.seat == value for seat in self.view.seats)

    # What the rules say

    def _judged(self, fits: Iterable[tuple[type[Action], _Fit]], *, loosely: bool = False) -> Readings:
        most = _MOST_LOOSELY if loosely else _MOST_JUDGED
        built = (action for kind, fit in fits for action in islice(self._built(kind, fit, loosely), most))
        actions = _by_line(built, self, copies=False)
        accepted: list[Action] = []
        refused: list[Action] = []
        for action in actions[:_MOST_JUDGED]:
            draft = Draft(type(action), {name: getattr(action, name) for name in action.__struct_fields__})
            (accepted if allows(self.game, self.state, draft) else refused).append(action)
        return Readings(_by_line(accepted, self), tuple(refused))

    def _built(self, kind: type[Action], fit: _Fit, loosely: bool) -> Iterator[Action]:
        """The actions of a fit, once what was left out is said."""
        if fit.left_out:
            first, *others = fit.left_out
            for value in self._fillings(Draft(kind, fit.given), first, loosely):
                longer = msgspec.structs.replace(fit, given={**fit.given, first.field: value}, left_out=others)
                yield from self._built(kind, longer, loosely)
            return
        # Not by its line: that leaves out what is said and holds its default, such as a cost of 0.
        draft = filled(self.game, self.state, Draft(kind, fit.given))
        if not draft.missing:
            yield draft.build()

    def _fillings(self, draft: Draft, argument: Argument, loosely: bool) -> tuple[Any, ...]:
        """What a field can be that was left out; no counter: that is what is said. Of what people make up nothing;
        `loosely`, what lists hold.
        """
        if argument.kind is COUNTER:
            return ()
        if argument.kind is SEAT and not issubclass(draft.action, Seat):
            return self.seats
        try:
            candidates = self.game.candidates(self.state, draft, argument.field)
            if isinstance(candidates, Open):
                candidates = candidates.fitting if loosely else ()
            values = tuple(choice.value for choice in candidates)
        except LookupError:  # a field before it was left out as well
            return ()
        return values[:_MOST_FILLED] if loosely or len(values) <= _MOST_FILLED else ()

    # What has a name

    def names(self, draft: Draft, argument: Argument, kind: Kind[Any]) -> tuple[Name, ...]:
        """All that a word in a field can name, whether or not the rules take it there now."""
        key = (draft.action, argument.field, kind.shape, tuple(draft.given.items()))
        if key not in self._names:
            self._names[key] = tuple(self._named(draft, argument, kind))
        return self._names[key]

    def _named(self, draft: Draft, argument: Argument, kind: Kind[Any]) -> Iterator[Name]:
        if kind is SEAT:
            yield from self._named_seats()
            return
        if kind is COUNTER:
            for counter in self.view.counters_of(str(draft.given.get("target", ""))) or ():
                yield Name(counter.name, counter.caption)
            return
        candidates = self.vocabulary(draft, argument)
        is_made_up = isinstance(candidates, Open)
        if isinstance(candidates, Open):
            candidates = (*candidates.fitting, *candidates.unfit, *candidates.of)
        words = [(choice, word) for choice in candidates if isinstance(word := _only(choice.value), str)]
        names = [Name(word, choice.title, self.number_of(word)) for choice, word in words]
        if kind in (HANDLE_OR_SEAT, TARGET):
            names += self._named_seats()
        if kind in (HANDLE, HANDLE_OR_SEAT, TARGET) and not is_made_up:
            named = (thing for thing in self.things.values() if is_word(thing.target))
            names += [Name(thing.target, thing.title, thing.number) for thing in named]
        names += map(Name, kind.choices)
        different: dict[str, Name] = {}
        for name in names:
            different.setdefault(name.value, name)
        yield from different.values()

    def vocabulary(self, draft: Draft, argument: Argument) -> Candidates:
        """What a field can be, whether or not the rules take it now; nothing where a field before it was left out."""
        try:
            candidates = self.game.vocabulary(self.state, draft, argument.field)
            return candidates if isinstance(candidates, Open) else tuple(candidates)
        except LookupError:
            return ()

    def _named_seats(self) -> Iterator[Name]:
        return (Name(seat.seat, seat.name) for seat in self.view.seats)

    def number_of(self, target: str) -> int:
        """The number that a thing bears on the board; 0 where it bears none."""
        thing = self.things.get(target)
        return thing.number if thing else 0


def _only(value: Any) -> Any:
    """The item of a list of one; any other value as it is."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _without_extras(draft: Draft) -> Draft:
    """A draft without what its line could do without: that is said behind its verb, or not meant."""
    needed = {argument.field for argument in grammar(draft.action).arguments if argument.required}
    given = {field: value for field, value in draft.given.items() if field in needed}
    return Draft(draft.action, given, asks=draft.asks)


def _whose(action: Action) -> object:
    """What stands first in a line: mostly whose it is."""
    first = grammar(type(action)).arguments[:1]
    return getattr(action, first[0].field) if first else None


def _drafts(prompt: Prompt, action: type[Action]) -> list[Draft]:
    return [draft for draft in prompt.answers if draft.action is action]


class _Match:
    """Gives words to the arguments of one line, what its draft knows already being taken for granted."""

    def __init__(
        self,
        reader: _Reader,
        preset: Draft,
        *,
        behind_verb: bool = False,
        is_whole_verb: bool = False,
        figures_only: bool = False,
        waits: bool = False,
    ) -> None:
        self._reader = reader
        self._preset = preset
        self._action = preset.action
        self._grammar: Grammar = grammar(preset.action)
        self._behind_verb = behind_verb
        self._is_whole_verb = is_whole_verb
        self._figures_only = figures_only
        self._names_texts = behind_verb or waits

    def fits(self, tokens: tuple[Token, ...]) -> Iterator[_Fit]:
        """Every way to give all the words to arguments."""
        spine = tuple(a for a in self._grammar.arguments if a.required or not a.keyword or self._is_asked_ref(a))
        given = {field: value for field, value in self._preset.given.items() if not self._argument(field).required}
        for fit in self._spine(spine, tokens, _Fit(given, unsaid=len(given))):
            if self._is_enough(fit):
                yield fit

    def _is_asked_ref(self, argument: Argument) -> bool:
        """Return True for a REF that a question asks for though its line could do without: its name answers it."""
        return argument.kind is REF and argument.field in self._preset.asks

    def _is_enough(self, fit: _Fit) -> bool:
        """Whether so much may go without saying: behind a verb that is only begun, and beside a new name, only whose
        line it is, and what is asked for anyhow.
        """
        asks = self._preset.asks
        says_all_but_whose = all(argument.kind is SEAT or argument.field in asks for argument in fit.left_out)
        if fit.is_new:
            return self._is_whole_verb and says_all_but_whose
        return says_all_but_whose or self._is_whole_verb or not self._behind_verb

    def _argument(self, field: str) -> Argument:
        return self._preset.argument(field)

    def _spine(self, spine: Sequence[Argument], tokens: tuple[Token, ...], fit: _Fit) -> Iterator[_Fit]:
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

    def _saying(self, fit: _Fit, argument: Argument, value: Any, is_new: bool) -> _Fit:
        """A fit with one field more that a word stands for."""
        offered = self._preset.given.get(argument.field, value)
        says = fit.says or argument.field != self._seat_field or not self._reader.is_seat(value)
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
        """The field that says whose line it is."""
        return next((a.field for a in self._grammar.arguments[:1] if a.kind in (SEAT, HANDLE_OR_SEAT)), "")

    def _keywords(self, tokens: tuple[Token, ...], fit: _Fit) -> Iterator[_Fit]:
        """What may follow behind keywords."""
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

    def _with_doubts(self, fit: _Fit) -> _Fit:
        """A fit that leaves out what a question asks of it that its line could do without: the level of a card."""
        doubts = [self._argument(field) for field in self._preset.asks if field not in fit.given]
        doubts = [] if fit.is_new else [each for each in doubts if self._is_doubtful(each, fit)]
        return msgspec.structs.replace(fit, left_out=[*fit.left_out, *doubts], unsaid=fit.unsaid + len(doubts))

    def _is_doubtful(self, argument: Argument, fit: _Fit) -> bool:
        """Whether a field that no card says can be one of a few things."""
        if argument.flag or argument.on_card or argument.kind.many:
            return False
        return not isinstance(self._reader.vocabulary(Draft(self._action, fit.given), argument), Open)

    # Values

    def _values(
        self, argument: Argument, tokens: tuple[Token, ...], fit: _Fit
    ) -> Iterator[tuple[Any, tuple[Token, ...], bool]]:
        """What the next words can be in a field, each with the words behind it, and whether it is a name made up."""
        kind = argument.kind
        if not tokens or argument.flag or isinstance(kind, LineKind):
            return
        if self._figures_only and not self._takes_figure(argument):
            return
        if tokens[0].is_figure and not (self._behind_verb or argument.required or argument.keyword):
            return  # a figure that need not be said is said behind its verb
        if isinstance(kind, RestOfLine):
            if kind.shape == "VALUE":
                yield " ".join(token.text for token in tokens), (), False
        elif kind.many:
            for value, rest in self._many(argument, tokens, fit):
                yield value, rest, False
        else:
            yield from self._one(argument, kind, tokens, fit)

    def _takes_figure(self, argument: Argument) -> bool:
        """Whether figures alone can stand for a field: they pay for nothing, and count nothing that need not be said.

        Of things that bear numbers, one that was offered.
        """
        if argument.kind in (HANDLE, HANDLE_OR_SEAT):
            return argument.kind is HANDLE and argument.field in self._preset.given
        return bool(argument.required and not argument.keyword)

    def _one(
        self, argument: Argument, kind: Kind[Any], tokens: tuple[Token, ...], fit: _Fit
    ) -> Iterator[tuple[Any, tuple[Token, ...], bool]]:
        """What the next word, or the next few as one name, can be."""
        token, draft = tokens[0], Draft(self._action, fit.given)
        is_name = kind in _NAMES or (kind is REF and ":" not in token.text)
        if not is_name and not token.is_quoted and (value := _read(kind, token)) is not None:
            if self._is_whole_verb or not kind.takes_any_word:
                yield value, tokens[1:], False
            return
        if not (kind in _NAMES or kind.choices or kind is REF):
            return
        if kind is TEXT and not (self._names_texts or self._is_made_up(draft, argument)):
            return  # what waits to happen is named behind a verb alone
        names = self._reader.names(draft, argument, kind)
        for count in range(min(_MOST_WORDS, len(tokens)), 0, -1):
            if values := _best(names, tokens[:count]):
                yield from ((value, tokens[count:], False) for value in values)
                return
        if kind is TEXT and token.is_quoted:
            yield token.text, tokens[1:], False
        elif kind is HANDLE and is_word(token.text) and self._is_made_up(draft, argument) and _read(kind, token):
            yield _read(kind, token), tokens[1:], True

    def _is_made_up(self, draft: Draft, argument: Argument) -> bool:
        """Whether people make up what stands in a field."""
        return isinstance(self._reader.vocabulary(draft, argument), Open)

    def _many(
        self, argument: Argument, tokens: tuple[Token, ...], fit: _Fit
    ) -> Iterator[tuple[Any, tuple[Token, ...]]]:
        """A list, as far as words can be its items; or how many cards."""
        kind = argument.kind
        if isinstance(kind, CardsOrCount) and tokens[0].word.isdecimal():
            yield int(tokens[0].word), tokens[1:]
            return
        if not tokens[0].is_quoted and tokens[0].word == "none" and getattr(kind, "least", 1) == 0:
            yield (), tokens[1:]
            return
        item, most = kind.item, getattr(kind, "most", None)
        rows: list[tuple[tuple[Any, ...], tuple[Token, ...]]] = [((), tokens)]
        ended: list[tuple[tuple[Any, ...], tuple[Token, ...]]] = []
        while rows:
            items, rest = rows.pop(0)
            longer = []
            if rest and rest[0].word not in self._grammar.keywords and (most is None or len(items) < most):
                longer = [((*items, value), behind) for value, behind in self._item(argument, item, rest, fit)]
            # Of several that the first word may name, none is left out unsaid.
            rows += longer[: _MOST_LEFT_OUT if items else _MOST_FILLED]
            ended += [] if longer else [(items, rest)]
        yield from ((items, rest) for items, rest in ended if len(items) >= max(1, getattr(kind, "least", 1)))

    def _item(
        self, argument: Argument, item: Kind[Any], tokens: tuple[Token, ...], fit: _Fit
    ) -> Iterator[tuple[Any, tuple[Token, ...]]]:
        if isinstance(item, Share):
            for name, rest, _ in self._one(argument, item.name, tokens, fit):
                if rest and rest[0].word.isdecimal():
                    yield (name, int(rest[0].word)), rest[1:]
            return
        for value, rest, is_new in self._one(argument, item, tokens, fit):
            if not is_new:
                yield value, rest


def _best(names: Iterable[Name], tokens: Sequence[Token]) -> tuple[str, ...]:
    """What words name best; of several words only what is called exactly so."""
    if len(tokens) > 1 and any(token.is_quoted for token in tokens):
        return ()
    word = " ".join(token.word for token in tokens)
    return best_named(names, word, whole=tokens[0].is_quoted or len(tokens) > 1)


def _read(kind: Kind[Any], token: Token) -> Any:
    """What a word is of a kind as it stands; None where it is none such, or none of the words that it has."""
    try:
        value = kind.read(Words.of(token.text), ())
    except NotationError:
        return None
    # Some kinds read any word at all.
    is_listed = not kind.choices or not isinstance(value, str) or value in kind.choices or "=" in value
    return value if is_listed else None


# Which of several


def _by_line(actions: Iterable[Action], reader: _Reader, *, copies: bool = True) -> tuple[Action, ...]:
    """Each action once; of those that differ by equal copies of one thing alone, the first."""
    different: dict[Any, Action] = {}
    for action in actions:
        line = reader.notation.format(action)
        different.setdefault(_as_seen(line, reader.view) if copies else line, action)
    return tuple(different.values())


def _as_seen(line: str, view: TableView) -> tuple[Any, ...]:
    """A line with its things as people see them: equal copies look the same."""
    things = {
        thing.target: (seat.seat, zone.column, thing)
        for seat in view.seats
        for zone in seat.zones
        for thing in zone.things
    }
    verb, *words = line.split()
    return (verb, *(_look(*things[word]) if word in things else word for word in words))


def _look(seat: str, column: int, thing: Thing) -> tuple[Any, ...]:
    return (seat, column, stem(thing.title), thing.brief, thing.flags, thing.notes, thing.counters)


def stem(title: str) -> str:
    """What a copy is called without its number: `Ash Wolf 2` is an Ash Wolf."""
    return _COPY.sub("", title)


def distinguish(line: str, view: TableView) -> str:
    """What tells a thing in a line from another one of that name; "" where nothing does."""
    things = {thing.target: thing for thing in view.things()}
    names = [stem(thing.title) for thing in things.values()]
    meant = (things[word] for word in line.split()[1:] if word in things)
    marks = [
        ", ".join(part for part in (thing.brief, *thing.flags) if part)
        for thing in meant
        if names.count(stem(thing.title)) > 1
    ]
    return "; ".join(filter(None, marks))
