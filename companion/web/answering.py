"""An answer as it is tapped together, from the question over each field to a whole action; what can be tapped now."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from companion.session import log, table_questions
from companion.session.log import Moment
from companion.session.session import Session
from companion.session.table_questions import Way
from companion.tabletop.action import Action, RuleError
from companion.tabletop.arguments import CARD
from companion.tabletop.cards import JOKERS, PACK, RANKS, SUITS, Card, pretty
from companion.tabletop.choices import Gap, Open, accepts, allows, choices
from companion.tabletop.common_actions import Amend, Set
from companion.tabletop.game import Game
from companion.tabletop.notation import Notation
from companion.tabletop.table import Draft, Prompt, TableView, draft
from companion.web.phones import Audience
from companion.web.table_page import PageQuestion

_EARLIER: Final = 6
"""Answers that can be given anew from the page; it is only ever the last few that somebody has got wrong."""


class AvailableActions(NamedTuple):
    """`back` is what an undo would take back, and `again` what a redo would do, in few words; "" where nothing is
    theirs. `earlier` are their answers before, by the numbers of their lines.
    """

    audience: Audience
    asking: Asking
    view: TableView
    back: str
    again: str
    earlier: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, session: Session, audience: Audience) -> AvailableActions:
        """That of some people at a table as it is now."""
        done = audience.takes_back(session)
        answers = (each for each in audience.answered(session) if each not in done)
        earlier = tuple((each.number, each.text) for each in islice(answers, _EARLIER))
        back, again = log.in_short(done[::-1]), log.in_short(audience.does_again(session))
        return cls(audience, Asking.now(session), session.view(), back, again, earlier)

    def form(self, question: PageQuestion) -> Form | None:
        """What can be tapped for a question; None where it is not theirs, or nothing fits."""
        prompt = question.prompt
        if not self.audience.answers(prompt):
            return None
        return opening(self.asking, prompt, at_once=prompt.due and self.is_own(question))

    def is_own(self, question: PageQuestion) -> bool:
        """Whether a question is to the page's own seat alone, and theirs to answer."""
        prompt = question.prompt
        return bool(prompt.seat) and prompt.seat == self.audience.seat and self.audience.answers(prompt)

    def parted(self, offers: Sequence[PageQuestion]) -> tuple[list[PageQuestion], list[PageQuestion]]:
        """Offers that are their own, and the others."""
        return [one for one in offers if self.is_own(one)], [one for one in offers if not self.is_own(one)]

    def changes(self, target: str) -> bool:
        """Whether they may change the figures of a seat or a thing."""
        return self.audience.changes(target, self.view)

    def setting(self, target: str) -> str:
        """What is said first by who sets a figure there to a word or a number; "" where none can be."""
        counters = self.view.counters_of(target) or ()
        return setting(self.view, target) if any(counter.settable for counter in counters) else ""


_TYPED: Final = "="
_THEN: Final = "›"
"""Stands between two steps of an answer: one line, as a form sends it, and a sign that no line of a log needs."""
_FEW_CARDS: Final = 8
"""Cards up to which a list, with all that each of them does, is quicker than the grid."""


class QuestionGone(RuleError):
    """What was answered is not asked any more, or not so."""


class Asking(NamedTuple):
    """A table that asks: as it is now, or, `line`, as it was before that line of its log, which is answered anew."""

    game: Game
    notation: Notation
    state: Any
    prompts: tuple[Prompt, ...]
    names: Mapping[str, str]
    line: int = 0

    @classmethod
    def now(cls, session: Session) -> Asking:
        """The table as it stands."""
        view = session.view()
        return cls(session.game, session.notation, session.state, view.prompts, _names(view))

    @classmethod
    def before(cls, session: Session, moment: Moment) -> Asking:
        """The table before a moment that counts, with the question that it answered."""
        assert moment.before is not None
        state = moment.before.state
        view = session.game.view(state)
        prompts = tuple(prompt for prompt in view.prompts if _was_answered(prompt, moment.action))
        return cls(session.game, session.notation, state, prompts, _names(view), moment.number)

    def answerable(self) -> Iterator[Prompt]:
        """What is asked, and what people set by hand: nobody asks for that, but it is answered field by field, too."""
        yield from self.prompts
        if not self.line:
            view = self.game.view(self.state)
            names = {**self.names, **{thing.target: thing.title for thing in view.things()}}
            for target in view.targets():
                yield _override(view, target, names.get(target, target))

    def gap(self, draft: Draft, field: str = "") -> Gap:
        """What a draft lacks first, or in this field, and what can fill it."""
        return Gap.of(self.game, self.state, draft, field)

    def intended(self, action: Action) -> Action:
        """What is done for an answer: itself, or the amendment of the line that it replaces."""
        return Amend(self.line, action) if self.line else action


def _names(view: TableView) -> Mapping[str, str]:
    return {seat.seat: seat.name for seat in view.seats}


def _override(view: TableView, target: str, name: str = "") -> Prompt:
    seat = target if any(each.seat == target for each in view.seats) else ""
    return Prompt(f"By hand: {name}", draft(Set, target=target), seat, due=False)


def setting(view: TableView, target: str) -> str:
    """What is said by who begins to set a figure of a target."""
    prompt = _override(view, target)
    return _began(prompt, table_questions.answers_to(prompt)[0])


def _was_answered(prompt: Prompt, action: Action) -> bool:
    seat = getattr(action, "seat", prompt.seat)
    return prompt.seat == seat and any(isinstance(action, answer.action) for answer in prompt.answers)


class Button(NamedTuple):
    """Something to tap: `step` is all that is said then, `more` that something is asked behind it."""

    step: str
    text: str
    detail: str = ""
    more: bool = False

    @property
    def brief(self) -> str:
        """The first thing to know of it, for a place with little room."""
        return self.detail.partition(" · ")[0]

    @property
    def rest(self) -> str:
        """What else there is to know of it."""
        return self.detail.partition(" · ")[2]


class Cell(NamedTuple):
    """A card on the grid: its button, None where it does not fit; `chosen` where it was tapped before."""

    name: str
    button: Button | None
    chosen: bool


class Form(NamedTuple):
    """What can be tapped: `said` is what was said before, `line` the line of the log that is answered anew. Cards are
    tapped on a `grid`, a row a rank; `wanted` is what can be typed besides, "" where the buttons are all there is.
    """

    text: str
    heard: str
    buttons: tuple[Button, ...] = ()
    grid: tuple[tuple[Cell, ...], ...] = ()
    wanted: str = ""
    numeric: bool = False
    line: int = 0


class Reached(NamedTuple):
    """How far an answer is: the question that it began with, what is asked next, and the action once it is whole."""

    prompt: Prompt
    form: Form | None
    action: Action | None


def opening(asking: Asking, prompt: Prompt, *, at_once: bool) -> Form | None:
    """What can be tapped where a question stands; `at_once`, of a single answer what it lacks. None where nothing that
    the rules accept answers it now.
    """
    ways = [way for way in table_questions.answers_to(prompt) if _is_accepted(asking, way)]
    if not ways:
        return None
    if at_once and len(ways) == 1 and not table_questions.is_whole(ways[0]):
        return _form(asking, ways[0], _began(prompt, ways[0]))
    return Form(prompt.text, "", tuple(_first(asking, prompt, way) for way in ways), line=asking.line)


def reached(asking: Asking, said: str) -> Reached:
    """Where the steps of an answer lead on a table. Raises Gone where one of them is not offered now, NotationError
    where what was typed cannot be read.
    """
    begun, *steps = said.split(_THEN)
    prompt, way = _begun(asking, begun)
    if len(table_questions.answers_to(prompt)) > 1:
        # What was chosen stands before what it lacks, and not all that could have been.
        way = way._replace(about=_first(asking, prompt, way).text)
    for step in steps:
        way = _step(asking, _which(asking, way), step)
    way = _which(asking, way)
    if not table_questions.is_whole(way):
        return Reached(prompt, _form(asking, way, said), None)
    assert isinstance(way.leads, Draft)
    return Reached(prompt, None, way.leads.build())


def typed(said: str, text: str) -> str:
    """What is said once somebody has typed what no button says."""
    return _then(said, f"{_TYPED}{' '.join(text.split())}")


def _then(said: str, step: str) -> str:
    return f"{said}{_THEN}{_part(step)}"


def _part(step: str) -> str:
    return step.replace(_THEN, " ")


def _is_accepted(asking: Asking, way: Way) -> bool:
    """What the log itself takes is no game's to judge; what ends a game is the host's."""
    assert isinstance(way.leads, Draft)
    if table_questions.ends(way.leads):
        return False
    return way.leads.action not in asking.game.actions or accepts(asking.game, asking.state, way.leads)


def _begun(asking: Asking, begun: str) -> tuple[Prompt, Way]:
    for prompt in asking.answerable():
        for way in table_questions.answers_to(prompt):
            if _began(prompt, way) == begun:
                return prompt, way
    raise QuestionGone("That is not asked any more.")


def _step(asking: Asking, way: Way, step: str) -> Way:
    if table_questions.is_whole(way):
        raise QuestionGone("That was answered with less.")
    question = table_questions.after(asking, way)
    for each in question.ways:
        if _part(each.key) == step:
            return each
    if question.gap is None or not question.wanted or not step.startswith(_TYPED):
        raise QuestionGone("That can be chosen no more.")
    text = step.removeprefix(_TYPED)
    return Way(text, "", question.gap.read(text, asking.notation), f"{way.about} · {text}")


def _which(asking: Asking, way: Way) -> Way:
    """A whole answer, or, where the rules take it only with a word more, such as which of two cards is meant, the same
    with that word to be said.
    """
    draft = way.leads
    if not table_questions.is_whole(way) or not isinstance(draft, Draft) or draft.action not in asking.game.actions:
        return way
    if allows(asking.game, asking.state, draft):
        return way
    for argument in draft.optional:
        found = () if argument.flag else choices(asking.game, asking.state, draft, argument.field)
        if found and not isinstance(found, Open):
            return way._replace(leads=msgspec.structs.replace(draft, asks=(*draft.asks, argument.field)))
    return way


def _began(prompt: Prompt, way: Way) -> str:
    """The first step: whose question it is, and which answer."""
    return _part(f"{prompt.seat}:{way.key}")


def _first(asking: Asking, prompt: Prompt, way: Way) -> Button:
    """An answer as a button: what it leads to, or its line without whose it is, and then what it costs."""
    draft = way.leads
    assert isinstance(draft, Draft)
    more = not table_questions.is_whole(way)
    words = " ".join(asking.names.get(word, word) for word in draft.line.split() if word != prompt.seat)
    told = draft.note and (not more or draft.action.verb() in draft.note.lower())
    text, detail = (draft.note, "") if told else (words, draft.note)
    return Button(_began(prompt, way), text[:1].upper() + text[1:], detail, more)


def _form(asking: Asking, way: Way, said: str) -> Form:
    question = table_questions.after(asking, way)
    gap = question.gap
    assert gap is not None
    buttons = {each.key: Button(_then(said, each.key), each.text, each.detail) for each in question.ways}
    cards = _cards(question.ways, gap)
    tapped = {card: buttons.pop(key) for card, key in cards.items()} if len(cards) > _FEW_CARDS else {}
    grid = tuple(_rows(tapped, gap.items_so_far)) if tapped else ()
    form = Form(question.text, said, tuple(buttons.values()), grid, line=asking.line)
    if not isinstance(gap.candidates, Open):
        return form
    numeric = isinstance(gap.candidates.example, int)
    return form._replace(wanted=table_questions.describe_wanted(gap.candidates), numeric=numeric)


def _cards(ways: tuple[Way, ...], gap: Gap) -> dict[str, str]:
    """Of the ways that say a card, their keys by card."""
    kind = gap.argument.kind
    if CARD not in (kind, getattr(kind, "item", None)):
        return {}
    return {way.choice.value: way.key for way in ways if way.choice and way.choice.value in PACK}


def _rows(cards: Mapping[str, Button], chosen: Collection[str]) -> Iterator[tuple[Cell, ...]]:
    """Cards as real people sort them: a row a rank, a column a suit, the jokers last; without rows of which none fits,
    so that the others are on one screen.
    """
    for row in (*([Card(f"{rank}{suit}") for suit in SUITS] for rank in RANKS[::-1]), JOKERS):
        if any(card in cards or card in chosen for card in row):
            yield tuple(Cell(pretty(card), cards.get(card), card in chosen) for card in row)
