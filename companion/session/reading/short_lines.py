"""Readings of abbreviated lines: find the verbs, seats and names that a few words may stand for.

Words are matched against everything on the table, and the rules judge only the matches. So a word that matches nothing
means nothing, and a name that the rules forbid is refused with their reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from companion.session.core.session import Session
from companion.session.reading.table_questions import due_prompts
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
from companion.tabletop.notation.naming import Name, best_named
from companion.tabletop.notation.notation import Argument, Grammar, LineKind, grammar
from companion.tabletop.table.choices import Candidates, Open, allows, complete_draft, is_word
from companion.tabletop.table.common_actions import DrawAgreed, Note, Seat, Venue
from companion.tabletop.table.table import Draft, Prompt, TableView, Thing

_MOST_LEFT_OUT: Final = 2
"""Maximum number of omitted arguments; with more of them, almost anything could be meant."""
_MOST_FILLED: Final = 12
"""Maximum number of values tried for an omitted argument; among more, the user would name the value."""
_MOST_JUDGED: Final = 36
"""Maximum number of lines that the rules judge for one text."""
_MOST_LOOSELY: Final = 4
"""Maximum number of lines per verb when a verb is only begun: enough to ask which one is meant."""
_MOST_WORDS: Final = 3
"""Maximum number of words that are joined to a name without quotes: `long night`."""
_COPY: Final = re.compile(r"[ -]?\d+$")
_FIGURE: Final = re.compile(r"[\d+−/-]+")
_NAMES: Final = (SEAT, HANDLE, HANDLE_OR_SEAT, TARGET, COUNTER, TEXT)
"""Kinds whose values must be names on the table."""


class Readings(msgspec.Struct, frozen=True):
    """The lines that words may stand for: those that the rules accept, and those that they refuse.

    `theirs` are refused lines of the seat that the words begin with, if the accepted line belongs to another seat.
    """

    accepted: tuple[Action, ...] = ()
    refused: tuple[Action, ...] = ()
    theirs: tuple[Action, ...] = ()


class TypedWord(msgspec.Struct, frozen=True):
    """A word as it was typed; a quoted word is text, and never a keyword."""

    text: str
    is_quoted: bool = False

    @property
    def word(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    @property
    def is_figure(self) -> bool:
        """Return True if the word consists of one or two numbers, and so cannot begin another word."""
        return not self.is_quoted and bool(_FIGURE.fullmatch(self.text))


def tokens_of(text: str) -> tuple[TypedWord, ...]:
    """Return the words of a text. Raises NotationError if a quote is not closed."""
    words, tokens = Words.of(text), []
    while words:
        is_quoted = not words.keyword()
        tokens.append(TypedWord(words.take(TEXT), is_quoted))
    return tuple(tokens)


class _Fit(msgspec.Struct, frozen=True):
    """Words assigned to the fields of a line, with the fields taken from the draft, the omitted ones, and their number.

    `fields` are those assigned from words. `says` is True if one of them is more than the seat of the line, `is_new` if
    one becomes the name of a new thing, and `is_offered` if none differs from the value that was offered.
    """

    given: Mapping[str, Any]
    left_out: Sequence[Argument] = ()
    unsaid: int = 0
    fields: frozenset[str] = frozenset()
    says: bool = False
    is_new: bool = False
    is_offered: bool = True


def read_short_line(text: str, session: Session) -> Readings:
    """Return every line that a text may stand for."""
    return _ShortLineReader(session).read(tokens_of(text))


def says_verb(text: str, session: Session) -> bool:
    """Return True if a whole verb of the game follows other words and makes a line with them: `ben heal 3`."""
    try:
        tokens = tokens_of(text)
    except NotationError:  # a quote is not closed
        return False
    return _ShortLineReader(session).said_behind(tokens) != Readings()


def names_alone(text: str, session: Session) -> tuple[str, ...]:
    """Return the names of the seats and things that the first word of a text matches best."""
    view = session.view()
    seats = [Name(seat.seat, seat.name) for seat in view.seats]
    things = [Name(thing.target, str(thing.title), thing.number) for thing in view.things() if is_word(thing.target)]
    titles = {name.value: name.title for name in (*seats, *things)}
    return tuple(dict.fromkeys(titles[value] for value in _best((*seats, *things), tokens_of(text)[:1])))


class _ShortLineReader:
    """A reader of abbreviated lines at one table."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.game, self.state, self.notation = session.game, session.state, session.notation
        self.view = session.view()
        self.things = {thing.target: thing for thing in self.view.things()}
        self._names: dict[Any, tuple[Name, ...]] = {}

    def read(self, tokens: tuple[TypedWord, ...]) -> Readings:
        """Return the lines of verbs that the first or second word is or begins, and of answers without their verb.

        A line that no prompt asks for or offers is returned only if the rules refuse it, for their reason.
        """
        if not tokens:
            return Readings()
        is_verb = not tokens[0].is_quoted and tokens[0].word in self.notation.verbs
        by_verb = self._by_verb(tokens[0], tokens[1:])
        if is_verb:
            return by_verb
        if (readings_behind := self.said_behind(tokens)) != Readings():
            # The first word may begin a verb of which the whole is also a name: `send action`.
            return Readings(_by_line((*by_verb.accepted, *readings_behind.accepted), self), readings_behind.refused)
        own, answers = self._answers(tokens)
        turned = self._read_seat_first(tokens)
        readings = Readings(
            _by_line((*by_verb.accepted, *answers.accepted, *turned.accepted), self),
            (*by_verb.refused, *answers.refused, *turned.refused),
        )
        if readings == Readings():
            corrections = self._judge_fits(self._by_keyword(tokens))
            cards = self._judge_fits((*self._by_keyword(tokens), *self._out_of_turn(tokens)))
            readings = Readings((), cards.refused) if cards.refused else cards
            readings = corrections if corrections.accepted else readings
        if readings == Readings() and len(tokens[0].word) > 1:
            # No line of this step fits: look for one of another step, which must wait. A single letter begins too many.
            of_later = self._fits_of(self._actions_by_prefix(tokens[0], later=True), tokens[1:], is_whole_verb=False)
            readings = Readings((), self._judge_fits(of_later).refused)
        if len(readings.accepted) != 1 or by_verb.accepted:
            return readings
        doubts = self._doubts(tokens, is_answer=own.accepted == readings.accepted)
        accepted = _by_line((*readings.accepted, *doubts), self)
        return Readings(accepted, readings.refused, self._theirs(tokens, accepted[0]))

    def _doubts(self, tokens: tuple[TypedWord, ...], *, is_answer: bool) -> tuple[Action, ...]:
        """Return further possible readings of a name without its verb, so that the user is asked.

        A word that begins a name may also begin a verb, and effects of cards and waiting effects are entered by their
        verb. An answer to the first question is never doubted for these effects, nor are plain figures.
        """
        verbs = self._behind_verb(tokens[0], (), loosely=True) if len(tokens) == 1 else ()
        doubts = self._judge_fits(verbs, loosely=True).accepted
        if is_answer or all(token.is_figure for token in tokens):
            return doubts
        drafts = (draft for prompt in self.view.prompts for draft in prompt.answers)
        said_by_verb = self._offered_fits(map(_without_extras, drafts), tokens, waits=True)
        return (*doubts, *self._judge_fits(said_by_verb).accepted)

    # Lines that begin with a verb

    def _behind_verb(
        self, verb: TypedWord, tokens: tuple[TypedWord, ...], *, loosely: bool = False
    ) -> Iterator[tuple[type[Action], _Fit]]:
        """Yield the lines whose verb a word is or begins; `loosely` also those that omit more than an abbreviation may.

        A verb that ends the game for everybody must be typed in full. If lines of this step begin with the word, lines
        of other steps are left out.
        """
        if verb.is_quoted or verb.is_figure:
            return
        whole = [action for action in self.game.actions if action.verb() == verb.word]
        if whole:
            yield from self._fits_of(whole, tokens, is_whole_verb=True)
            return
        yield from self._fits_of(
            self._actions_by_prefix(verb) or self._actions_by_prefix(verb, later=True), tokens, is_whole_verb=loosely
        )

    def _actions_by_prefix(self, verb: TypedWord, *, later: bool = False) -> list[type[Action]]:
        """Return the lines of this step, or of another one (`later`), whose verb a word begins."""
        if verb.is_quoted or verb.is_figure:
            return []
        begun = (each for each in self.game.actions if each.verb().startswith(verb.word) and each is not DrawAgreed)
        return [action for action in begun if bool(self.game.out_of_step(self.state, action)) == later]

    def _fits_of(
        self, kinds: Iterable[type[Action]], tokens: tuple[TypedWord, ...], *, is_whole_verb: bool
    ) -> Iterator[tuple[type[Action], _Fit]]:
        """Yield every way to assign words to the arguments of these lines."""
        for action in kinds:
            for preset in map(_without_extras, self._presets(action)):
                for fit in _Match(self, preset, behind_verb=True, is_whole_verb=is_whole_verb).fits(tokens):
                    yield action, fit

    def _presets(self, action: type[Action]) -> Iterator[Draft]:
        """Yield the drafts that a verb implies.

        They come from the first due prompt with this verb, else from the offers to the turn player, or from all offers
        outside of turns. A line that none of these prompts offers gets the turn player, or each seat in turn.
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
            whose = set()  # the target of a line such as `heal 3` is asked for
        for prompt in own:
            for draft in _drafts(prompt, action):
                # A thing in that field is never meant unless it is named.
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
        """The seat whose turn it is; "" in a game without turns."""
        count = self.view.count
        if count is None or count.name != "turn":
            return ""
        return next((seat.seat for seat in self.view.seats if "active" in seat.flags), "")

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats, beginning with the turn player."""
        seats = tuple(seat.seat for seat in self.view.seats)
        at = seats.index(self.turn_player) if self.turn_player in seats else 0
        return (*seats[at:], *seats[:at])

    def _by_verb(self, verb: TypedWord, tokens: tuple[TypedWord, ...]) -> Readings:
        """Return the readings of each verb that a word begins, with as few omitted arguments as possible.

        If the rules refuse all readings of a verb with the least omissions, those with one more are added. If the verb
        stands alone and the rules refuse it as a whole line, that line was meant: `n` means `next` rather than `negate`
        of the only possible thing. If the rules accept it, it is one of several.
        """
        fits = list(self._behind_verb(verb, tokens))
        whole = [(action, fit) for action, fit in fits if not tokens and not fit.unsaid]
        if whole and not self._judge_fits(whole).accepted:
            fits = whole
        if tokens and all(token.is_figure for token in tokens):
            # A number may be that of a thing, or a count: `crank 1`.
            fits = [(action, msgspec.structs.replace(fit, unsaid=len(fit.left_out))) for action, fit in fits]
        levels: dict[type[Action], list[int]] = {}
        for action, fit in sorted(fits, key=lambda each: each[1].unsaid):
            levels.setdefault(action, []).append(fit.unsaid)
        readings = self._judge_fits((action, fit) for action, fit in fits if fit.unsaid == levels[action][0])
        fulfilled = {type(action) for action in readings.accepted}
        more = [
            (action, fit) for action, fit in fits if action not in fulfilled and fit.unsaid == levels[action][0] + 1
        ]
        return Readings((*readings.accepted, *self._judge_fits(more).accepted), readings.refused)

    def said_behind(self, tokens: tuple[TypedWord, ...]) -> Readings:
        """Return lines in which other words precede the whole verb, as in speech: `wolf attack`, `ben heal 3`.

        A note or a venue may hold any words, so these lines must begin with their verb.
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

    def _read_seat_first(self, tokens: tuple[TypedWord, ...]) -> Readings:
        """Return the lines of an abbreviated verb that follows its seat: `ben cr`."""
        if len(tokens) == 1:
            return Readings()
        name, verb, *others = tokens
        readings = self._by_verb(verb, (name, *others))
        seats = _best(self._named_seats(), (name,))
        return Readings(
            *(tuple(each for each in some if _whose(each) in seats) for some in (readings.accepted, readings.refused))
        )

    # Answers without their verb

    def _answers(self, tokens: tuple[TypedWord, ...]) -> tuple[Readings, Readings]:
        """Return the answers to the first question, and these together with the offers of other prompts.

        An offer counts only if the words name the thing that it is about. An answer that the step waits for precedes
        everything else, because the player who is asked answers. If the words answer a prompt only with another value
        than the one offered, or nothing, only refused lines are returned.
        """
        first = due_prompts(self.view)[:1]
        # A user who names a card has drawn it: the answer that lets the program draw does not apply.
        answers = (draft for prompt in first for draft in prompt.answers if not draft.given.get("is_drawn"))
        fits = list(self._bare(answers, tokens))
        answering = [(action, fit) for action, fit in fits if fit.is_offered]
        own = self._judge_fits(answering)
        if own != Readings() and any(prompt.due for prompt in first):
            return own, own
        offering = (prompt for prompt in self.view.prompts if prompt.seat and prompt not in first)
        others = (_without_extras(draft) for prompt in offering for draft in prompt.answers)
        offers = self._judge_fits((*answering, *self._offered_fits((draft for draft in others if draft.given), tokens)))
        return own, offers if offers != Readings() else Readings((), self._judge_fits(fits).refused)

    def _theirs(self, tokens: tuple[TypedWord, ...], accepted: Action) -> tuple[Action, ...]:
        """Return the refused lines of the seat that the words begin with, if the accepted line belongs to another seat.

        `ben ks` may be what Ana does to Ben, or what Ben pays.
        """
        seats = _best(self._named_seats(), tokens[:1])
        fits = (
            (action, fit)
            for prompt in due_prompts(self.view)[:1]
            for action, fit in self._bare(prompt.answers, tokens)
            if getattr(accepted, "seat", "") not in seats and fit.given.get("seat") in seats
        )
        return self._judge_fits(fits).refused if seats and len(tokens) > 1 else ()

    def _offered_fits(
        self, drafts: Iterable[Draft], tokens: tuple[TypedWord, ...], *, waits: bool = False
    ) -> list[tuple[type[Action], _Fit]]:
        """Return the offered lines for which the words name the thing that each of them is about."""
        return [
            (action, fit)
            for draft in drafts
            for action, fit in self._bare((draft,), tokens, waits=waits)
            if fit.is_offered and (not (things := self._things_of(draft)) or fit.fields & things)
        ]

    def _things_of(self, draft: Draft) -> set[str]:
        """Return the fields of a draft whose values are not seats."""
        return {field for field, value in draft.given.items() if not self.is_seat(value)}

    def _out_of_turn(self, tokens: tuple[TypedWord, ...]) -> Iterator[tuple[type[Action], _Fit]]:
        """Yield lines that play a listed card out of turn, so that the rules can say why they are refused."""
        for seat in self.seats:
            for action in self.game.actions:
                first = grammar(action).arguments[:1]
                if first and first[0].kind is SEAT and first[0].field == "seat":
                    named = {each.field for each in grammar(action).arguments if each.kind in (HANDLE, TEXT)}
                    fits = self._bare((Draft(action, {"seat": seat}),), tokens)
                    yield from ((kind, fit) for kind, fit in fits if fit.fields & named)

    def _by_keyword(self, tokens: tuple[TypedWord, ...]) -> Iterator[tuple[type[Action], _Fit]]:
        """Yield complete lines that are identified by a keyword: corrections, and lines that the rules refuse."""
        for action in self.game.actions:
            if not tokens[0].is_quoted and tokens[0].word in grammar(action).keywords:
                fits = self._bare((Draft(action),), tokens)
                yield from ((kind, fit) for kind, fit in fits if not fit.left_out)

    def _bare(
        self, drafts: Iterable[Draft], tokens: tuple[TypedWord, ...], *, waits: bool = False
    ) -> Iterator[tuple[type[Action], _Fit]]:
        figures_only = all(token.is_figure for token in tokens)
        for draft in drafts:
            for fit in _Match(self, draft, figures_only=figures_only, waits=waits).fits(tokens):
                if fit.says and not fit.is_new and self._is_alike(draft, fit):
                    yield draft.action, fit

    def _is_alike(self, draft: Draft, fit: _Fit) -> bool:
        """Return True if the words replace an offered thing only by a thing, and a seat only by a seat."""
        return all(self.is_seat(fit.given[field]) == self.is_seat(value) for field, value in draft.given.items())

    def is_seat(self, value: object) -> bool:
        """Return True if a value is the word of a seat."""
        return any(seat.seat == value for seat in self.view.seats)

    # Judging by the rules

    def _judge_fits(self, fits: Iterable[tuple[type[Action], _Fit]], *, loosely: bool = False) -> Readings:
        most = _MOST_LOOSELY if loosely else _MOST_JUDGED
        built = (action for kind, fit in fits for action in islice(self._build_actions(kind, fit, loosely), most))
        actions = _by_line(built, self, copies=False)
        accepted: list[Action] = []
        refused: list[Action] = []
        for action in actions[:_MOST_JUDGED]:
            draft = Draft.of(action)
            (accepted if allows(self.game, self.state, draft) else refused).append(action)
        return Readings(_by_line(accepted, self), tuple(refused))

    def _build_actions(self, kind: type[Action], fit: _Fit, loosely: bool) -> Iterator[Action]:
        """Yield the actions of a fit, with its omitted arguments filled in."""
        if fit.left_out:
            first, *others = fit.left_out
            for value in self._fillings(Draft(kind, fit.given), first, loosely):
                longer = msgspec.structs.replace(fit, given={**fit.given, first.field: value}, left_out=others)
                yield from self._build_actions(kind, longer, loosely)
            return
        # Not by its line, which omits a given value that equals its default, such as a cost of 0.
        draft = complete_draft(self.game, self.state, Draft(kind, fit.given))
        if not draft.missing:
            yield draft.build()

    def _fillings(self, draft: Draft, argument: Argument, loosely: bool) -> tuple[Any, ...]:
        """Return the possible values of an omitted argument.

        Counters must be named, so they have none. Free text has none either, except for listed values with `loosely`.
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
        except LookupError:  # an earlier field was omitted as well
            return ()
        return values[:_MOST_FILLED] if loosely or len(values) <= _MOST_FILLED else ()

    # Names

    def names(self, draft: Draft, argument: Argument, kind: ArgumentKind[Any]) -> tuple[Name, ...]:
        """Return the names that a word in a field can match, whether or not the rules accept them there now."""
        key = (draft.action, argument.field, kind.shape, tuple(draft.given.items()))
        if key not in self._names:
            self._names[key] = tuple(self._find_names(draft, argument, kind))
        return self._names[key]

    def _find_names(self, draft: Draft, argument: Argument, kind: ArgumentKind[Any]) -> Iterator[Name]:
        if kind is SEAT:
            yield from self._named_seats()
            return
        if kind is COUNTER:
            for counter in self.view.counters_of(str(draft.given.get("target", ""))) or ():
                yield Name(counter.name, str(counter.caption))
            return
        candidates = self.vocabulary(draft, argument)
        is_made_up = isinstance(candidates, Open)
        if isinstance(candidates, Open):
            candidates = (*candidates.fitting, *candidates.unfit, *candidates.of)
        words = [(choice, word) for choice in candidates if isinstance(word := _only(choice.value), str)]
        names = [Name(word, str(choice.title), self.number_of(word)) for choice, word in words]
        if kind in (HANDLE_OR_SEAT, TARGET):
            names += self._named_seats()
        if kind in (HANDLE, HANDLE_OR_SEAT, TARGET) and not is_made_up:
            named = (thing for thing in self.things.values() if is_word(thing.target))
            names += [Name(thing.target, str(thing.title), thing.number) for thing in named]
        names += map(Name, kind.choices)
        different: dict[str, Name] = {}
        for name in names:
            different.setdefault(name.value, name)
        yield from different.values()

    def vocabulary(self, draft: Draft, argument: Argument) -> Candidates:
        """Return the vocabulary of a field, regardless of the rules now; empty if an earlier field is omitted."""
        try:
            candidates = self.game.vocabulary(self.state, draft, argument.field)
            return candidates if isinstance(candidates, Open) else tuple(candidates)
        except LookupError:
            return ()

    def _named_seats(self) -> Iterator[Name]:
        return (Name(seat.seat, seat.name) for seat in self.view.seats)

    def number_of(self, target: str) -> int:
        """Return the number of a thing on the board; 0 if it has none."""
        thing = self.things.get(target)
        return thing.number if thing else 0


def _only(value: Any) -> Any:
    """Return the item of a tuple of one item; any other value as it is."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _without_extras(draft: Draft) -> Draft:
    """Return a draft without optional values: they must be typed, or are not meant."""
    needed = {argument.field for argument in grammar(draft.action).arguments if argument.required}
    given = {field: value for field, value in draft.given.items() if field in needed}
    return Draft(draft.action, given, asks=draft.asks)


def _whose(action: Action) -> object:
    """Return the value of the first argument of a line, usually the acting seat."""
    first = grammar(type(action)).arguments[:1]
    return getattr(action, first[0].field) if first else None


def _drafts(prompt: Prompt, action: type[Action]) -> list[Draft]:
    return [draft for draft in prompt.answers if draft.action is action]


class _Match:
    """A matcher that assigns words to the arguments of one line; values in its draft may be omitted."""

    def __init__(
        self,
        reader: _ShortLineReader,
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

    def fits(self, tokens: tuple[TypedWord, ...]) -> Iterator[_Fit]:
        """Yield every way to assign all words to arguments."""
        spine = tuple(a for a in self._grammar.arguments if a.required or not a.keyword or self._is_asked_ref(a))
        given = {
            field: value for field, value in self._preset.given.items() if not self._preset.argument(field).required
        }
        for fit in self._spine(spine, tokens, _Fit(given, unsaid=len(given))):
            if self._is_enough(fit):
                yield fit

    def _is_asked_ref(self, argument: Argument) -> bool:
        """Return True for an optional REF that a question asks for: its name is the answer."""
        return argument.kind is REF and argument.field in self._preset.asks

    def _is_enough(self, fit: _Fit) -> bool:
        """Return True if a fit omits no more than it may.

        After an abbreviated verb, and beside a new name, only the seat and the fields that the prompt asks for anyway
        may be omitted.
        """
        asks = self._preset.asks
        says_all_but_whose = all(argument.kind is SEAT or argument.field in asks for argument in fit.left_out)
        if fit.is_new:
            return self._is_whole_verb and says_all_but_whose
        return says_all_but_whose or self._is_whole_verb or not self._behind_verb

    def _spine(self, spine: Sequence[Argument], tokens: tuple[TypedWord, ...], fit: _Fit) -> Iterator[_Fit]:
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
        """Return a fit with one more field assigned from words."""
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
        """The name of the field for the seat of the line; "" if there is none."""
        return next((a.field for a in self._grammar.arguments[:1] if a.kind in (SEAT, HANDLE_OR_SEAT)), "")

    def _keywords(self, tokens: tuple[TypedWord, ...], fit: _Fit) -> Iterator[_Fit]:
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

    def _with_doubts(self, fit: _Fit) -> _Fit:
        """Return a fit that also omits the optional fields that its prompt asks for, such as the level of a card."""
        doubts = [self._preset.argument(field) for field in self._preset.asks if field not in fit.given]
        doubts = [] if fit.is_new else [each for each in doubts if self._is_doubtful(each, fit)]
        return msgspec.structs.replace(fit, left_out=[*fit.left_out, *doubts], unsaid=fit.unsaid + len(doubts))

    def _is_doubtful(self, argument: Argument, fit: _Fit) -> bool:
        """Return True if a field that no card determines has a short list of possible values."""
        if argument.flag or argument.on_card or argument.kind.many:
            return False
        return not isinstance(self._reader.vocabulary(Draft(self._action, fit.given), argument), Open)

    # Values

    def _values(
        self, argument: Argument, tokens: tuple[TypedWord, ...], fit: _Fit
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
        self, argument: Argument, kind: ArgumentKind[Any], tokens: tuple[TypedWord, ...], fit: _Fit
    ) -> Iterator[tuple[Any, tuple[TypedWord, ...], bool]]:
        """Yield the values that the next word, or the next few words as one name, can have."""
        token, draft = tokens[0], Draft(self._action, fit.given)
        is_name = kind in _NAMES or (kind is REF and ":" not in token.text)
        if not is_name and not token.is_quoted and (value := _read(kind, token)) is not None:
            if self._is_whole_verb or not kind.takes_any_word:
                yield value, tokens[1:], False
            return
        if not (kind in _NAMES or kind.choices or kind is REF):
            return
        if kind is TEXT and not (self._names_texts or self._is_made_up(draft, argument)):
            return  # waiting effects can be named after their verb only
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
        """Return True if the user makes up the value of a field."""
        return isinstance(self._reader.vocabulary(draft, argument), Open)

    def _many(
        self, argument: Argument, tokens: tuple[TypedWord, ...], fit: _Fit
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
            rows += longer[: _MOST_LEFT_OUT if items else _MOST_FILLED]
            ended += [] if longer else [(items, rest)]
        yield from ((items, rest) for items, rest in ended if len(items) >= max(1, getattr(kind, "least", 1)))

    def _item(
        self, argument: Argument, item: ArgumentKind[Any], tokens: tuple[TypedWord, ...], fit: _Fit
    ) -> Iterator[tuple[Any, tuple[TypedWord, ...]]]:
        if isinstance(item, Share):
            for name, rest, _ in self._one(argument, item.name, tokens, fit):
                if rest and rest[0].word.isdecimal():
                    yield (name, int(rest[0].word)), rest[1:]
            return
        for value, rest, is_new in self._one(argument, item, tokens, fit):
            if not is_new:
                yield value, rest


def _best(names: Iterable[Name], tokens: Sequence[TypedWord]) -> tuple[str, ...]:
    """Return the names that the words match best; several words must match a name exactly."""
    if len(tokens) > 1 and any(token.is_quoted for token in tokens):
        return ()
    word = " ".join(token.word for token in tokens)
    return best_named(names, word, whole=tokens[0].is_quoted or len(tokens) > 1)


def _read(kind: ArgumentKind[Any], token: TypedWord) -> Any:
    """Return the value of a word of this kind as it stands, or None if it is unreadable or not among the choices."""
    try:
        value = kind.read(Words.of(token.text), ())
    except NotationError:
        return None
    # Some kinds read any word.
    is_listed = not kind.choices or not isinstance(value, str) or value in kind.choices or "=" in value
    return value if is_listed else None


# Choosing among several lines


def _by_line(actions: Iterable[Action], reader: _ShortLineReader, *, copies: bool = True) -> tuple[Action, ...]:
    """Return each action once; of actions that differ only in equal copies of one thing, return the first."""
    different: dict[Any, Action] = {}
    for action in actions:
        line = reader.notation.format(action)
        different.setdefault(_as_seen(line, reader.view) if copies else line, action)
    return tuple(different.values())


def _as_seen(line: str, view: TableView) -> tuple[Any, ...]:
    """Return a line with its things as the user sees them: equal copies look the same."""
    things = {
        thing.target: (seat.seat, zone.column, thing)
        for seat in view.seats
        for zone in seat.zones
        for thing in zone.things
    }
    verb, *words = line.split()
    return (verb, *(_look(*things[word]) if word in things else word for word in words))


def _look(seat: str, column: int, thing: Thing) -> tuple[Any, ...]:
    return (seat, column, stem(str(thing.title)), thing.brief, thing.flags, thing.notes, thing.counters)


def stem(title: str) -> str:
    """Return the title of a copy without its number: `Ash Wolf 2` is an Ash Wolf."""
    return _COPY.sub("", title)


def distinguish(line: str, view: TableView) -> str:
    """Return the marks that distinguish the things in a line from others of the same name; "" if there are none."""
    things = {thing.target: thing for thing in view.things()}
    names = [stem(str(thing.title)) for thing in things.values()]
    meant = (things[word] for word in line.split()[1:] if word in things)
    marks = [
        ", ".join(str(part) for part in (thing.brief, *thing.flags) if part)
        for thing in meant
        if names.count(stem(str(thing.title))) > 1
    ]
    return "; ".join(filter(None, marks))
