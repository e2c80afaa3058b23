"""What a text can mean at a table, looked for the slow way: all lines that the rules accept, and whose words it begins.

It knows nothing of how typed text is read. A meaning is a whole line of which the text says words, or beginnings of
words, in any order, and leaves out others; numbers and cards are never left out nor begun.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from companion.session.core.session import Session
from companion.session.reading.table_questions import due_prompts
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.decks.decklist import handle
from companion.tabletop.notation.arguments import (
    CARD,
    CHANGE,
    COUNT,
    HANDLE_OR_SEAT,
    PAYMENT,
    SEED,
    SIGNED,
    SUIT,
    TEXT,
    Many,
    Pair,
    Words,
)
from companion.tabletop.notation.notation import Argument, grammar
from companion.tabletop.table.choices import Open, complete_draft
from companion.tabletop.table.common_actions import Add, Begin, Note, Rule, Seat, Set
from companion.tabletop.table.table import Draft
from tests.slips.vocabulary import COPY, Vocabulary, card_of, is_number, parts

_MOST: Final = 3000
"""Lines that are thought of at one table."""
_KEYWORD: Final = "(keyword)"
"""The place of a word that stands between others; a field may be called `keyword`."""
_NOT_ASKED: Final = 3
"""The tier of lines that neither answer a question nor are offered."""
_NUMBERS: Final = (COUNT, SIGNED, SEED, CHANGE)


class Sketch(NamedTuple):
    """A line without its numbers and cards: `slots` are its words, by the field each of them is of; `names` those that
    are a name as a whole, and `needs` the field of which a word must be said.
    """

    draft: Draft
    slots: tuple[tuple[str, tuple[str, ...]], ...]
    names: Collection[str]
    open_: tuple[Argument, ...]
    tier: int
    is_theirs: bool
    is_effect: bool
    offered: Collection[str]
    needs: str


class Meaning(NamedTuple):
    """A line that the rules accept. `alike` is the same for equal copies; `quality` is how well a text says it: the
    smaller the better.
    """

    line: str
    alike: str
    quality: tuple[int, ...]


class Meanings:
    """All lines that can be meant at one table."""

    def __init__(self, session: Session, vocabulary: Vocabulary) -> None:
        self.session = session
        self.vocabulary = vocabulary
        view = session.view()
        due = due_prompts(view)
        self._drafts = [
            (tier, answer)
            for tier, prompts in enumerate((due[:1], due[1:], view.prompts))
            for prompt in prompts
            for answer in prompt.answers
        ]
        active = next((str(counter.value) for counter in view.counters if counter.name == "active"), "")
        self._first = due[0] if due else None
        self._said_by_verb = {answer.action for prompt in view.prompts if not prompt.seat for answer in prompt.answers}
        self._active = active
        self._offered = {
            (answer.action, field, value)
            for tier, answer in self._drafts
            if tier == min(other for other, draft in self._drafts if draft.action is answer.action)
            for field, value in answer.given.items()
            if isinstance(value, str)
        }
        self._judged: dict[str, bool] = {}
        self.sketches = tuple(islice(self._sketches(), _MOST))
        self._with: dict[str, set[int]] = {}
        """The lines that each word is of, by their numbers."""
        for number, sketch in enumerate(self.sketches):
            for _, ways in sketch.slots:
                for way in ways:
                    self._with.setdefault(way, set()).add(number)
        vocabulary.learn(word for sketch in self.sketches for _, ways in sketch.slots for word in ways)

    def _sketches(self) -> Iterator[Sketch]:
        for action in self.session.game.actions:
            if not issubclass(action, (Seat, Begin, Set, Add, Note, Rule)) and action.verb() != "lists":
                yield from self._of(action)

    def _of(self, action: type[Action]) -> Iterator[Sketch]:
        bare = [each for each in grammar(action).positional if not each.required and each.keyword == ""]
        for draft, open_ in self._grown(Draft(action), ()):
            yield self._sketch(draft, open_)
            for argument in bare[:1]:
                if argument.kind is TEXT:
                    yield from (self._sketch(longer, open_) for longer in self._named(draft, argument))
                else:
                    yield self._sketch(draft, (*open_, argument))

    def _grown(self, draft: Draft, open_: tuple[Argument, ...]) -> Iterator[tuple[Draft, tuple[Argument, ...]]]:
        """A draft with everything in it that has a name, and the arguments that hold numbers or cards."""
        draft = complete_draft(self.session.game, self.session.state, draft)
        skipped = {argument.field for argument in open_}
        argument = next((each for each in draft.missing if each.field not in skipped), None)
        if argument is None:
            yield draft, open_
        elif _holds_figures(argument):
            yield from self._grown(draft, (*open_, argument))
        else:
            for longer in self._named(draft, argument):
                yield from self._grown(longer, open_)

    def _named(self, draft: Draft, argument: Argument) -> Iterator[Draft]:
        candidates = self.session.game.candidates(self.session.state, draft, argument.field)
        choices = tuple(candidates.fitting if isinstance(candidates, Open) else candidates)
        for choice in (*choices, *(candidates.of if isinstance(candidates, Open) else ())):
            if isinstance(choice.value, str):
                self.vocabulary.call(choice.value, str(choice.title))
        for choice in choices:
            yield draft.having(argument.field, choice.value)

    def _sketch(self, draft: Draft, open_: tuple[Argument, ...]) -> Sketch:
        verb = draft.action.verb()
        slots: list[tuple[str, tuple[str, ...]]] = [("verb", (verb,))]
        first = next(iter(grammar(draft.action).positional), None)
        whose = str(draft.given.get(first.field, "")) if first else ""
        seat = whose if whose in self.vocabulary.seats else ""
        for argument in grammar(draft.action).arguments:
            if argument.field not in draft.given and argument not in open_:
                continue
            value = draft.given.get(argument.field)
            if argument.keyword:
                slots.append((_KEYWORD, (argument.keyword,)))
            if argument.on_card and argument.field not in ("handle", "name"):
                continue
            if isinstance(value, str):
                is_whose = argument is first and value in self.vocabulary.seats
                field = "seat" if is_whose else _slot(first, argument.field)
                slots.append((field, self.words(argument, value)))
            elif isinstance(value, tuple):
                slots.append((argument.field, tuple(str(each).lower() for each in value)))
        tier = min((tier for tier, answer in self._drafts if _answers(draft, answer)), default=_NOT_ASKED)
        given = draft.given.items()
        offered = {_slot(first, field) for field, value in given if self._is_offered(draft.action, field, value)}
        values = [value for value in draft.given.values() if isinstance(value, str)]
        names = {verb, *(name for value in values for name in self.vocabulary.whole(value))}
        is_theirs = not seat or self._is_theirs(draft.action, seat)
        is_effect = tier > 0 and draft.action in self._said_by_verb
        # Where a seat could stand, a thing is never meant without its name.
        needs = first.field if first and first.kind is HANDLE_OR_SEAT and not seat else ""
        return Sketch(draft, tuple(slots), names, open_, tier, is_theirs, is_effect, offered, needs)

    def _is_offered(self, action: type[Action], field: str, value: Any) -> bool:
        return isinstance(value, str) and (action, field, value) in self._offered

    def _is_theirs(self, action: type[Action], seat: str) -> bool:
        """Whether somebody need not be said: who is asked first, and where nobody is asked that, whose turn it is."""
        first = self._first
        if first is not None and first.seat and any(answer.action is action for answer in first.answers):
            return seat == first.seat
        offered = {value for kind, _, value in self._offered if kind is action and value in self.vocabulary.seats}
        if offered and self._active not in offered:
            return seat in offered
        return seat == self._active

    def words(self, argument: Argument, value: str) -> tuple[str, ...]:
        """The words by which a value can be said."""
        if argument.kind is TEXT:
            return (value.lower(), f'"{value.lower()}"', handle(value), *parts(value))
        return self.vocabulary.called(value)

    def lines(self) -> tuple[str, ...]:
        """All lines that can be thought of, with `#` for a number and `@` for a card."""
        return tuple(
            " ".join((_draft_line(sketch), *("@" if _is_card(each) else "#" for each in sketch.open_)))
            for sketch in self.sketches
        )

    def of(self, words: Sequence[str]) -> list[Meaning]:
        """Everything that some words can mean, the best said first."""
        figures = [word for word in words if is_number(word) or card_of(word)]
        rest = [word for word in words if word not in figures]
        by_line: dict[str, Meaning] = {}
        for sketch in self._that_say(rest):
            if not rest and (sketch.is_effect or not all(each.required for each in sketch.open_)):
                continue  # numbers alone attack, block and move; what a card does is said with its verb, and so is
                # what need not be said
            quality = _how_well(sketch, rest)
            if quality is None:
                continue
            action = _with_figures(sketch, figures)
            if action is None:
                continue
            line = self.session.notation.format(action)
            if line not in self._judged:
                self._judged[line] = self._is_allowed(action)
            if self._judged[line] and (line not in by_line or by_line[line].quality > quality):
                by_line[line] = Meaning(line, self.alike(line), quality)
        return sorted(by_line.values(), key=lambda meaning: meaning.quality)

    def _that_say(self, words: Sequence[str]) -> Iterator[Sketch]:
        """The lines that each of some words is of, or begins a word of."""
        numbers = set(range(len(self.sketches)))
        for word in words:
            bare = word.strip('"')
            of_word = (lines for way, lines in self._with.items() if way.strip('"').startswith(bare))
            numbers &= set().union(*of_word)
        return (self.sketches[number] for number in sorted(numbers))

    def _is_allowed(self, action: Action) -> bool:
        try:
            self.session.preview(*self.session.game.lead_in(self.session.state, action), action)
        except (RuleError, NotationError):
            return False
        return True

    def alike(self, line: str) -> str:
        """A line in which equal copies, `wolf` and `wolf-2`, are called the same."""
        words = []
        for word in line.split():
            thing = self.vocabulary.things.get(word.lower())
            words.append(COPY.sub("", word) if thing is not None else word)
        return " ".join(words)


def _slot(first: Argument | None, field: str) -> str:
    """The field of a word; a seat that does not stand first is no word for whose line it is."""
    return "whom" if field == "seat" and (first is None or first.field != field) else field


def _answers(draft: Draft, answer: Draft) -> bool:
    """Whether a line is one that an answer to a question can become."""
    return draft.action is answer.action and all(
        draft.given.get(field, value) == value for field, value in answer.given.items()
    )


def _draft_line(sketch: Sketch) -> str:
    return grammar(sketch.draft.action).write(sketch.draft.given)


def _is_card(argument: Argument) -> bool:
    return argument.kind in (CARD, PAYMENT) or getattr(argument.kind, "item", None) is CARD


def _holds_figures(argument: Argument) -> bool:
    kind = argument.kind
    item = getattr(kind, "item", kind)
    return item in _NUMBERS or item is CARD or kind is PAYMENT or item is SUIT or isinstance(kind, Pair)


def _how_well(sketch: Sketch, words: Sequence[str]) -> tuple[int, ...] | None:
    """How well words say a line; None where one of them is none of its words, nor begins one."""
    fields = []
    for word in words:
        ways = sorted(
            (degree, field == "seat", at)
            for at, (field, ways) in enumerate(sketch.slots)
            # A keyword that only begins says nothing yet.
            if (degree := _degree(word, ways, sketch.names)) < (1 if field == _KEYWORD else 3)
        )
        if not ways:
            return None
        fields.append([(at, degree) for degree, _, at in ways])
    each = _each_its_own(sketch, words, fields, ())
    enough = (way for way in each if not sketch.needs or sketch.needs in {sketch.slots[at][0] for at, _ in way})
    return min((_quality(sketch, way) for way in enough), default=None)


def _quality(sketch: Sketch, chosen: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """How well words say a line: by the field that each of them is of, and whether it is whole (0) or begun (1)."""
    places = [at for at, _ in chosen]
    verb = min((degree for at, degree in chosen if not at), default=2)
    explained_by_words = {sketch.slots[at][0] for at in places}
    explained = {"verb", _KEYWORD, "seat", *sketch.offered, *explained_by_words}
    unsaid = sum(field not in explained for field, _ in sketch.slots)
    begun = sum(degree for _, degree in chosen)
    # Whose line it is alone does not say which.
    says_whose = all(sketch.slots[at][0] == "seat" for at in places)
    return (
        -(verb == 0),
        says_whose,
        sketch.tier,
        not sketch.is_theirs and "seat" not in explained_by_words,
        unsaid,
        -len(set(places)),
        begun,
        places != sorted(places),
        verb,
    )


def _each_its_own(
    sketch: Sketch,
    words: Sequence[str],
    fields: Sequence[Sequence[tuple[int, int]]],
    chosen: tuple[tuple[int, int], ...],
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to have each word say something of its own: several say one name only as several words of it."""
    if not fields:
        yield chosen
        return
    for at, degree in fields[0]:
        alike = [word for word, (other, _) in zip(words, chosen, strict=False) if other == at]
        if alike and not _are_several(sketch.slots[at][1], (*alike, words[len(chosen)])):
            continue
        yield from _each_its_own(sketch, words, fields[1:], (*chosen, (at, degree)))


def _are_several(ways: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words begin as many different words of a name, in their order."""
    left = list(dict.fromkeys(part for way in ways for part in parts(way)))
    for word in words:
        begun = next((part for part in left if part.startswith(word)), None)
        if begun is None:
            return False
        left.remove(begun)
    return True


def _degree(word: str, ways: Sequence[str], names: Collection[str]) -> int:
    """0 where a word is one of these, 1 where it is a word within a name or begins the first, 2 where it begins another
    one, else 3. What is called exactly so is meant before what has that word in its name.
    """
    if word in ways:
        return 0 if word in names or not any(way in names for way in ways) else 1
    if ways[0].strip('"').startswith(word.strip('"')):
        return 1
    return 2 if any(way.startswith(word) for way in ways) else 3


def _with_figures(sketch: Sketch, figures: Sequence[str]) -> Action | None:
    """The action with all numbers and cards of a text in their places, in their order; None where they do not fit."""
    given: dict[str, Any] = dict(sketch.draft.given)
    left = list(figures)
    for argument in sketch.open_:
        many = isinstance(argument.kind, Many) or argument.kind is PAYMENT
        taken = left if many else left[:1]
        try:
            words = Words.of(" ".join(taken))
            given[argument.field] = argument.kind.read(words, ())
        except NotationError:
            return None
        if words:
            return None
        left = [] if many else left[1:]
    if left:
        return None
    return sketch.draft.action(**given)
