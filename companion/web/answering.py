"""Answers composed by taps, from the question through each field to a whole action, and the available taps."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from companion.session.core.moments import Moment, describe_moment, join_sentences, line_text, summarize
from companion.session.core.session import SecretChoice, Session
from companion.session.reading.entries import prompts_ahead
from companion.session.reading.table_questions import (
    PUT_RIGHT,
    Answer,
    answers_to,
    can_count_else,
    ends,
    is_accepted,
    question_behind,
    with_optional,
)
from companion.session.table import going_on
from companion.session.table.coaching import coach_prompt
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import CARD
from companion.tabletop.notation.cards import JOKERS, PACK, RANKS, SUITS, Card, pretty, spoken
from companion.tabletop.notation.line_texts import VerbTitle, describe_choice
from companion.tabletop.notation.notation import Notation
from companion.tabletop.table.choices import Choice, Gap, allows, complete_draft, only_choice
from companion.tabletop.table.common_actions import FOR_HOST, Amend, Coach, Insert, Rule, Set, Track
from companion.tabletop.table.draft_titles import detail_of, differ_by_note, gives_only_flags, title_draft
from companion.tabletop.table.table import Draft, Prompt, SeatView, TableView, draft
from companion.tabletop.text import in_quotes
from companion.tabletop.words import title_of_word
from companion.web.hands import HandOnPage, cards_left, key_of, show_hand
from companion.web.phones import Audience, host_name
from companion.web.table_page import PageQuestion
from templates.languages.messages import (
    ENGLISH,
    Finished,
    Message,
    Text,
    all_of,
    joined,
    listed,
    parts_of,
    phrase,
    render_value,
)

_EARLIER: Final = 6
"""The most earlier answers that the page offers for correction; only the last few are ever wrong."""


class ShownQuestion(NamedTuple):
    """A question on the page with its form; without one, `reason` says why it cannot be answered there."""

    question: PageQuestion
    form: AnswerForm | None
    reason: Text = ""


class ShownQuestions(NamedTuple):
    """Questions on the page, in order.

    `reason` is that of all of them if none can be answered; their own is then "".
    """

    questions: tuple[ShownQuestion, ...]
    reason: Text = ""

    @property
    def is_for_here(self) -> bool:
        """Return True if one of them can be answered on this page."""
        return any(each.form for each in self.questions)

    @property
    def heading(self) -> Message:
        """The heading of what is asked now; it names who is asked if nothing can be answered on this page."""
        if self.is_for_here or not self.questions:
            return phrase("Asked now")
        names = dict.fromkeys(each.question.whom or phrase("the host") for each in self.questions)
        return phrase("Asked now: {players}", players=all_of(names))

    @classmethod
    def of(cls, questions: Sequence[ShownQuestion]) -> ShownQuestions:
        """Return questions with a reason that all of them share taken out, so that the page says it once."""
        reasons = {str(each.reason) for each in questions}
        if len(questions) == 1 or len(reasons) != 1 or not questions[0].reason:
            return cls(tuple(questions))
        return cls(tuple(each._replace(reason="") for each in questions), questions[0].reason)


class AvailableActions(NamedTuple):
    """The actions available to an audience at a table.

    `back` and `again` are short descriptions of undo and redo, "" if unavailable. `earlier` are the audience's previous
    answers by line number, and `forgotten` the lines before which it may insert an action. `on` describes the next step
    for everyone, "" if it is not theirs to take. `hand` is their private hand, or None if they hold none.
    """

    audience: Audience
    asking: Asking
    view: TableView
    back: str
    again: str
    earlier: tuple[tuple[int, Text], ...]
    forgotten: tuple[tuple[int, Text], ...]
    on: str = ""
    sealed: bool = False
    hand: HandOnPage | None = None
    choice: str = ""
    """Their choice that lies face down, in people's words; "" if none does."""
    is_stopped: bool = False
    """True if today's rules refuse a line of the log, so that nothing is played until the host has decided."""
    host: str = ""
    """The host's name, "" if it is unknown."""

    @classmethod
    def of(cls, session: Session, audience: Audience) -> AvailableActions:
        """Return the actions available to an audience at a session."""
        undoable = audience.takes_back(session)
        answers = (each for each in audience.current_answers(session) if each not in undoable)
        earlier = tuple((each.number, _describe_answer(each, session)) for each in islice(answers, _EARLIER))
        moments = islice(audience.inserts_before(session), _EARLIER)
        forgotten = tuple((each.number, _describe_answer(each, session)) for each in moments)
        back, again = _in_brief(undoable[::-1], session), _in_brief(audience.does_again(session), session)
        on = going_on.course(session).sentence if audience.goes_on() else ""
        sealed, asking = session.sealing().is_sealed, Asking.now(session, audience.seat)
        hand = None
        if audience.holds_cards():
            held = cards_left(audience.hand, session, audience.seat)
            playable = frozenset(_playable_keys(asking, audience.seat)) if held else frozenset()
            hand = show_hand(held, session, audience.seat, playable)
        choice = _describe_choice(session, audience.seat, audience.choice)
        return cls(
            audience,
            asking,
            session.view(),
            back,
            again,
            earlier,
            forgotten,
            str(on),
            sealed,
            hand,
            choice,
            session.stopping_point is not None,
            next(filter(None, (host_name(line.by) for line in session.log.lines)), ""),
        )

    @property
    def decides_as_host(self) -> bool:
        """True for the host's browser if the table waits for what only the host decides, such as the seal."""
        answers = (answer for prompt in self.view.prompts for answer in prompt.answers)
        return self.audience.is_host and any(answer.action in FOR_HOST or ends(answer) for answer in answers)

    @property
    def cards_in_hand(self) -> tuple[str, ...]:
        """The cards of their hand."""
        return tuple(each.card for each in self.hand.cards) if self.hand else ()

    def form(self, question: PageQuestion) -> AnswerForm | None:
        """Return the form for a question, or None if they may not answer it, or if no answer fits."""
        prompt = question.prompt
        if not self.audience.answers(prompt):
            return None
        own = frozenset() if prompt.seat else self._asked_of_own()
        return opening(self.asking, prompt, at_once=prompt.due and self.is_own(question), own=own)

    def other_choices(self) -> Iterator[AnswerForm]:
        """Yield the forms to choose something else than what lies face down."""
        for prompt in self.asking.prompts if self.choice else ():
            if prompt.is_secret and prompt.seat == self.audience.seat:
                form = opening(self.asking, prompt, at_once=True)
                if form is not None:
                    yield form

    def show(self, questions: Sequence[PageQuestion]) -> ShownQuestions:
        """Return questions with their forms, or the reasons that they have none."""
        forms = ((one, self.form(one)) for one in questions)
        return ShownQuestions.of([ShownQuestion(one, form, "" if form else self.reason(one)) for one, form in forms])

    def reason(self, question: PageQuestion) -> Message:
        """Return why this phone has no form for a question."""
        prompt, audience = question.prompt, self.audience
        if self.sealed:
            return phrase("The game is sealed; nothing more is played here.")
        if self.is_stopped:
            return phrase("The table is stopped; it goes on from the host’s screen.")
        if audience.permissions == "look":
            return phrase("This phone may look only.")
        if all(answer.action in FOR_HOST or ends(answer) for answer in prompt.answers) or not (
            prompt.seat or audience.permissions == "all"
        ):
            if audience.is_host:
                return phrase("“What only the host decides” answers that.")
            return phrase("The host’s screen answers that.")
        if audience.answers(prompt):
            own = all(answer.action in self._asked_of_own() for answer in prompt.answers)
            return phrase("Your own question answers that.") if own else phrase("The rules allow no answer now.")
        if prompt.is_secret and self.choice:
            return phrase("{player} has yet to choose; then all cards turn over.", player=question.whom)
        if audience.seat:
            return phrase("That is for {player}.", player=question.whom)
        if prompt.seat in audience.held_seats:
            return phrase("That is for {player}, on another phone.", player=question.whom)
        return phrase("You have no seat yet: take one above.")

    def free_seats(self) -> tuple[SeatView, ...]:
        """Return the seats that they can take: those that no phone holds."""
        return tuple(seat for seat in self.view.seats if seat.seat not in self.audience.held_seats)

    def seats_elsewhere(self) -> tuple[str, ...]:
        """Return the names of the players whose seats are on other phones."""
        held = self.audience.held_seats - {self.audience.seat}
        return tuple(seat.name for seat in self.view.seats if seat.seat in held)

    def _asked_of_own(self) -> frozenset[type[Action]]:
        """Return the actions that the page's own seat is asked for, so that the seat need not be chosen again."""
        seat = self.audience.seat
        prompts = (prompt for prompt in self.view.prompts if seat and prompt.seat == seat)
        return frozenset(answer.action for prompt in prompts for answer in prompt.answers)

    def is_own(self, question: PageQuestion) -> bool:
        """Return True if a question is for the page's own seat alone, and they may answer it."""
        prompt = question.prompt
        return bool(prompt.seat) and prompt.seat == self.audience.seat and self.audience.answers(prompt)

    def divide_offers(self, offers: Sequence[PageQuestion]) -> tuple[list[PageQuestion], list[PageQuestion]]:
        """Return their own offers, and the others that they may answer. Spectators see all."""
        own = [one for one in offers if self.is_own(one)]
        looks_on = self.audience.permissions == "look"
        return own, [one for one in offers if one not in own and (looks_on or self.audience.answers(one.prompt))]

    def changes(self, target: str) -> bool:
        """Return True if they may change the counters of a seat or a thing."""
        return not self.sealed and self.audience.changes(target, self.view)

    def name_of(self, target: str) -> str:
        """Return the name of a seat or a thing; "" for the table itself."""
        return self.asking.names.get(target) or self.asking.titles.get(target, "")

    def coaching(self, seat: str) -> str:
        """Return the first step of a question to the coach for a seat, or "" if it is unavailable."""
        prompt = self.asking.coach_prompt(seat)
        return _first_step(prompt, answers_to(prompt)[0]) if prompt and self.audience.answers(prompt) else ""

    def counting(self, target: str) -> str:
        """Return the first step of adding a counter to a target, or "" if that is impossible."""
        return counting(self.view, target) if can_count_else(self.asking.game, self.view) else ""

    def setting(self, target: str) -> str:
        """Return the first step of setting a counter there to a word or a number, or "" if there is none."""
        counters = self.view.counters_of(target) or ()
        entries = self.asking.game.figures_to_correct(self.asking.state, target)
        return setting(self.view, target) if entries or any(counter.settable for counter in counters) else ""


def _playable_keys(asking: Asking, seat: str) -> Iterator[str]:
    """Yield the keys of the cards with which a seat can answer one of its due questions."""
    for prompt in asking.prompts:
        if prompt.due and prompt.seat == seat:
            for draft, answer in zip(prompt.answers, answers_to(prompt), strict=True):
                if draft.missing and not (ends(draft) or draft.action in FOR_HOST):
                    values = question_behind(asking, answer).answers
                    yield from (key_of(str(value.choice.value)) for value in values if value.choice)


def _describe_choice(session: Session, seat: str, choice: SecretChoice | None) -> str:
    """Return what a seat has chosen face down as its page shows it; "" if it is outdated or turned up."""
    if choice is None or not session.lies_face_down(seat, choice):
        return ""
    titles = {entry.name: entry.title for entry in session.game.entries(session.state, seat)}
    return str(describe_choice(session.notation.parse(choice.line), {**titles, **_seat_names(session.view())}))


def _in_brief(moments: Sequence[Moment], session: Session) -> str:
    """Describe an intention in a few words: the effect of its single line, or the number of lines; "" for none."""
    if not moments:
        return ""
    return str(_describe_answer(moments[0], session) if len(moments) == 1 else summarize(moments))


def _describe_answer(moment: Moment, session: Session) -> Text:
    """Describe a line of the log in a public sentence."""
    return next(
        (Finished(tell.text) for tell in describe_moment(moment, session.game)), line_text(moment, session.game)
    )


_WORD: Final = re.compile(r"[a-z][\w-]*")
_FIGURE: Final = re.compile(r"[+−]?\d+(?:[.,/]\d+)*")
_TYPED: Final = "="
_ALL: Final = "."
_THEN: Final = "›"
"""Separates two steps of an answer: forms send a single line, and no line of a log contains this sign."""
_ENDS: Final = (".", "?", ")", "。", "？", "）")
"""The ends of complete sentences."""
_FEW_CARDS: Final = 8
"""The most cards for which a list, with the effect of each, is faster than the grid."""


class QuestionGone(RuleError):
    """An answer to a question that is no longer open, or has changed."""


class Asking(NamedTuple):
    """A table with its questions: as it is now, or as it was before a line of its log.

    The line `line` is answered again, or with `inserts` a forgotten action is inserted before it. `names` are those of
    the seats, and `titles` those of things, by notation. `seat` is that of the player who is asked, "" for none.
    """

    game: Game
    notation: Notation
    state: Any
    prompts: tuple[Prompt, ...]
    names: Mapping[str, str]
    titles: Mapping[str, str]
    line: int = 0
    inserts: bool = False
    seat: str = ""

    @classmethod
    def now(cls, session: Session, seat: str = "") -> Asking:
        """Return the table as it is now; what a seat has chosen face down, it can choose anew."""
        view = session.view()
        prompts = (*view.prompts, *prompts_ahead(session, seat), *_secret_prompts(session, seat))
        names, titles = _seat_names(view), _thing_titles(view)
        return cls(session.game, session.notation, session.state, prompts, names, titles, seat=seat)

    @classmethod
    def before(cls, session: Session, moment: Moment, *, inserts: bool = False) -> Asking:
        """Return the table before a moment, with the question that it answered.

        With `inserts`, it has all questions of that time, and the correction of a counter.
        """
        assert moment.before is not None
        state, view = session.conceal(moment.before.state), session.view_of(moment.before.state)
        answered = tuple(prompt for prompt in view.prompts if answers_with(prompt, moment.action))
        prompts = (*view.prompts, PUT_RIGHT) if inserts else answered
        return cls(
            session.game,
            session.notation,
            state,
            prompts,
            _seat_names(view),
            _thing_titles(view),
            moment.number,
            inserts,
        )

    def answerable(self) -> Iterator[Prompt]:
        """Yield the questions, and the actions that are available without one: corrections by hand and the coach."""
        yield from self.prompts
        if not self.line:
            view = self.game.view(self.state)
            yield from filter(None, map(self.coach_prompt, self.names))
            names = {**self.names, **self.titles}
            for target in view.targets():
                yield _override_prompt(view, target, names.get(target, target))
                if can_count_else(self.game, view):
                    yield _counting_prompt(view, target, names.get(target, target))

    def coach_prompt(self, seat: str) -> Prompt | None:
        """Return the prompt to the coach for a seat; it speaks to the player who is asked, and names all others."""
        return coach_prompt(self.game, self.state, seat, "" if seat == self.seat else self.names.get(seat, seat))

    def gap(self, draft: Draft, field: str = "") -> Gap:
        """Return the first missing field of a draft, or the named one, and its possible values."""
        return Gap.of(self.game, self.state, draft, field)

    def action_to_submit(self, action: Action) -> Action:
        """Return the action for an answer: itself, or a revision that replaces the line, or inserts before it."""
        if not self.line:
            return action
        return (Insert if self.inserts else Amend)(self.line, action)


def _secret_prompts(session: Session, seat: str) -> Iterator[Prompt]:
    """Yield the secret questions of a seat whose choice lies face down."""
    if seat and seat in session.state.face_down:
        prompts = session.game.display.prompts(session.state)
        yield from (prompt for prompt in prompts if prompt.is_secret and prompt.seat == seat)


def _seat_names(view: TableView) -> Mapping[str, str]:
    return {seat.seat: seat.name for seat in view.seats}


def _thing_titles(view: TableView) -> Mapping[str, str]:
    return {thing.target: str(thing.title) for thing in view.things()}


def _override_prompt(view: TableView, target: str, name: str = "") -> Prompt:
    seat = target if any(each.seat == target for each in view.seats) else ""
    # The table has no title of its own.
    return Prompt(phrase("By hand: {target}", target=title_of_word(name)), draft(Set, target=target), seat, due=False)


def _counting_prompt(view: TableView, target: str, name: str = "") -> Prompt:
    seat = target if any(each.seat == target for each in view.seats) else ""
    text = phrase("Count something else: {target}", target=title_of_word(name))
    return Prompt(text, Draft(Track, {"target": target}, asks=("start",)), seat, due=False)


def counting(view: TableView, target: str) -> str:
    """Return the first step of adding a counter to a target."""
    prompt = _counting_prompt(view, target)
    return _first_step(prompt, answers_to(prompt)[0])


def setting(view: TableView, target: str) -> str:
    """Return the first step of setting a counter of a target."""
    prompt = _override_prompt(view, target)
    return _first_step(prompt, answers_to(prompt)[0])


def answers_with(prompt: Prompt, action: Action) -> bool:
    """Return True if an action answers a question."""
    seat = getattr(action, "seat", prompt.seat)
    return prompt.seat == seat and any(isinstance(action, answer.action) for answer in prompt.answers)


class Cell(NamedTuple):
    """A card on the grid: its answer, None if it does not fit, and `chosen` if it was tapped before."""

    card: str
    answer: Answer | None
    chosen: bool

    @property
    def name(self) -> str:
        """The card's name for people."""
        return pretty(Card(self.card))

    @property
    def _details(self) -> tuple[Text, ...]:
        return parts_of(" · ", self.answer.detail) if self.answer else ()

    @property
    def brief(self) -> str:
        """The card's most important detail, for a place with little room."""
        return str(self._details[0]) if self._details else ""

    @property
    def figure(self) -> str:
        """The figure of that detail, "" if it has none."""
        figure = _FIGURE.search(self.brief)
        return figure[0] if figure else ""

    @property
    def rest(self) -> str:
        """The card's other details."""
        return str(joined(" · ", self._details[1:]))

    @property
    def aloud(self) -> Message:
        """The card with its details, for screen readers."""
        return listed(map(spoken, filter(None, (self.name, self.brief, self.rest))))


class AnswerForm(NamedTuple):
    """The form to answer a question, or to add the next part of an answer.

    `path` are the steps of the answer so far, "" before the first. `ways` are complete alternatives. `line` is the line
    of the log that is answered again, or with `inserts` the one to insert before. Cards are tapped on a `grid`, a row
    for each suit; if it `takes_several`, all of them are chosen before they are sent. `wanted` describes the text
    field, "" if there are only buttons, `example` is one value for it, and `field` its question. `sends` is the text of
    the button that sends it, and `otherwise` is what happens without an answer. `fault` is the reason that the `typed`
    text, or the tapped `words`, were refused. A form `for_advice` asks what the coach must know: it plays nothing.
    """

    text: str
    path: str
    ways: tuple[Answer, ...] = ()
    buttons: tuple[Answer, ...] = ()
    grid: tuple[tuple[Cell, ...], ...] = ()
    wanted: str = ""
    numeric: bool = False
    example: str = ""
    field: str = ""
    line: int = 0
    inserts: bool = False
    typed: str = ""
    words: tuple[str, ...] = ()
    fault: str = ""
    sends: str = ""
    otherwise: str = ""
    for_advice: bool = False

    @property
    def takes_several(self) -> bool:
        """Return True if the answer is a list of cards that may continue after one."""
        return any(cell.answer and cell.answer.field for row in self.grid for cell in row)

    def is_chosen(self, cell: Cell) -> bool:
        """Return True if a card was chosen already, or in a refused answer."""
        return cell.chosen or cell.card in self.typed.split()

    @property
    def field_label(self) -> Message:
        """The label of the text field, or without one the field that is asked for."""
        return Finished(self.wanted or self.field, begins=True, ends=False)

    @property
    def example_hint(self) -> Message:
        """The placeholder of the text field."""
        return phrase("such as {example}", example=self.example)

    def step(self, answer: Answer) -> str:
        """Return the steps including an answer."""
        return _append_step(self.path, answer.key) if self.path else answer.key

    def leads_on(self, answer: Answer) -> bool:
        """Return True if a button should announce a further question."""
        return not (self.path or answer.is_whole)


class Menu(NamedTuple):
    """All actions that could be inserted before a line of the log."""

    line: int
    forms: tuple[AnswerForm, ...]


class Reached(NamedTuple):
    """The progress of an answer: its question, its next form, and its action once it is complete."""

    prompt: Prompt
    form: AnswerForm | None
    action: Action | None


def opening(
    asking: Asking, prompt: Prompt, *, at_once: bool, own: Container[type[Action]] = frozenset()
) -> AnswerForm | None:
    """Return the form for an open question, or None if the rules accept no answer now.

    `at_once` shows the missing field of a single answer. What can be chosen in one way only is a button that does it.
    Answers that end a game are left to the host. Answers in `own` are given for a seat elsewhere.
    """
    answers = [
        _fill_only_ways(asking, prompt, _first_button(asking, prompt, answer))
        for draft, answer in zip(prompt.answers, answers_to(prompt), strict=True)
        if not (ends(draft) or draft.action in FOR_HOST)
        and (draft.given or draft.action not in own)
        and is_accepted(asking.game, asking.state, draft)
    ]
    if not answers:
        return None
    longer = [answer for answer in answers if not answer.is_whole]
    if at_once and len(longer) == 1:
        form = _build_form(asking, longer[0], longer[0].key)
        ways = tuple(answer for answer in answers if answer.is_whole)
        # Beside complete answers, cards can be chosen at once. Any other field first needs a tap on its answer.
        if not ways or form.grid:
            return form._replace(ways=ways, otherwise=str(prompt.otherwise))
    return AnswerForm(
        str(prompt.text),
        "",
        (),
        tuple(answers),
        line=asking.line,
        inserts=asking.inserts,
        otherwise=str(prompt.otherwise),
    )


def _fill_only_ways(asking: Asking, prompt: Prompt, answer: Answer) -> Answer:
    """Return an answer with the values of all its missing fields if each has a single one, else the answer."""
    draft, path, details = answer.leads, answer.key, [answer.detail]
    assert isinstance(draft, Draft)
    if not draft.missing or draft.action not in asking.game.actions:
        return answer
    while draft.missing:
        field = draft.to_choose[0].field
        choice = only_choice(asking.game, asking.state, draft, field)
        if choice is None:
            return answer
        path = _append_step(path, f"={asking.gap(draft, field).word(choice)}")
        draft = draft.having(field, choice.value)
        details.append(choice.detail)
    title = str(title_draft(draft, {**asking.titles, **asking.names}, prompt.seat))
    return msgspec.structs.replace(
        answer,
        leads=draft,
        title=title[:1].upper() + title[1:],
        detail=str(joined(" · ", filter(None, details))),
        key=path,
    )


def menu(asking: Asking) -> Menu:
    """Return all forms of a table as it was before a line."""
    forms = (opening(asking, prompt, at_once=False) for prompt in asking.prompts)
    return Menu(asking.line, tuple(form for form in forms if form is not None))


def follow_steps(asking: Asking, path: str) -> Reached:
    """Return the progress of an answer on a table.

    Raises QuestionGone if one of the steps is no longer offered, NotationError if the typed text cannot be parsed.
    """
    first, *steps = path.split(_THEN)
    prompt, answer = _find_first_step(asking, first)
    if len(prompt.answers) > 1:
        # The chosen answer is displayed before its missing field, instead of all alternatives.
        answer = msgspec.structs.replace(answer, topic=_first_button(asking, prompt, answer).title)
    for step in steps:
        answer = _take_step(asking, _clarify_answer(asking, answer), step)
    answer = _clarify_answer(asking, answer)
    if not answer.is_whole:
        return Reached(prompt, _build_form(asking, answer, path), None)
    assert isinstance(answer.leads, Draft)
    return Reached(prompt, None, answer.leads.build())


def find_first_prompt(asking: Asking, path: str) -> Prompt:
    """Return the question with which an answer began. Raises QuestionGone."""
    return _find_first_step(asking, path.partition(_THEN)[0])[0]


def foretell(asking: Asking, path: str) -> str:
    """Return the effect of an answer, or the reason that the rules refuse it.

    Return "" if the effect depends on chance, or if a field is missing.
    """
    try:
        action = follow_steps(asking, path).action
        if action is None or asking.line or isinstance(action, Coach) or type(action) not in asking.game.actions:
            return ""
        if asking.game.resolve(asking.state, action, Random(0)) != action:
            return ""
        return str(join_sentences(asking.game.apply(asking.state, action).tells))
    except (NotationError, RuleError) as error:
        return str(error)


def append_typed_text(path: str, text: str) -> str:
    """Return the steps of an answer after the user has typed a text."""
    return _append_step(path, f"{_TYPED}{' '.join(text.split())}")


def steps_back(path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the beginnings of an answer, longest first, each with the steps that follow it."""
    steps = path.split(_THEN)
    for count in range(len(steps) - 1, 0, -1):
        yield _THEN.join(steps[:count]), tuple(steps[count:])


def ask_again(form: AnswerForm, refused_steps: tuple[str, ...], fault: str) -> AnswerForm:
    """Return the form of a question with the refused steps and the reason.

    A typed text is in the field again. All other steps are displayed beside the reason.
    """
    words = tuple(filter(None, map(_words_of, refused_steps)))
    is_typed = form.wanted and len(refused_steps) == 1 and refused_steps[0].startswith(_TYPED)
    typed = refused_steps[0].removeprefix(_TYPED) if is_typed else ""
    # The reason for a missing part is not a complete sentence.
    is_short = not fault.endswith(_ENDS)
    if form.wanted and (is_short or not words):
        fault = str(_describe_missing(form, words))
    return form._replace(typed=typed, words=() if typed else words, fault=fault)


def _describe_missing(form: AnswerForm, words: Sequence[str]) -> Message:
    """Return the reason that an answer is refused which lacks something that its field describes."""
    if words:
        return phrase("{words} is not all; this wants {wanted}.", words=in_quotes(words[0]), wanted=form.wanted)
    if form.takes_several:
        return phrase("Nothing was chosen yet; this wants {wanted}.", wanted=form.wanted)
    return phrase("Nothing was typed yet; this wants {wanted}.", wanted=form.wanted)


def last_words(path: str) -> str:
    """Return the last step of an answer in people's words, or "" if that was its beginning."""
    _, behind, step = path.rpartition(_THEN)
    return _words_of(step) if behind else ""


def _words_of(step: str) -> str:
    """Return a step of an answer in people's words: cards by their symbols; "" for an empty step."""
    return " ".join(map(_word_on_page, step.lstrip("+=.").split(" ")))


def _word_on_page(word: str) -> str:
    """Return a word of an answer as its button shows it: a card by its symbols, also one of a named player."""
    card = word.rpartition(":")[2]
    return pretty(Card(card)) if card in PACK else word


def _append_step(path: str, step: str) -> str:
    return f"{path}{_THEN}{_escape_step(step)}"


def _escape_step(step: str) -> str:
    return step.replace(_THEN, " ")


def _first_step(prompt: Prompt, answer: Answer) -> str:
    """Return the first step of an answer: the seat of the question, and the answer's key."""
    return _escape_step(f"{prompt.seat}:{answer.key}")


def _find_first_step(asking: Asking, step: str) -> tuple[Prompt, Answer]:
    for prompt in asking.answerable():
        for answer in answers_to(prompt):
            if _first_step(prompt, answer) == step:
                return prompt, answer
    raise QuestionGone(phrase("This question is no longer open."))


def _take_step(asking: Asking, answer: Answer, step: str) -> Answer:
    if answer.is_whole:
        raise QuestionGone(phrase("This answer is complete without that."))
    question = question_behind(asking, answer)
    for each in question.answers:
        if _escape_step(each.key) == step:
            return each
    if question.open is None or not step.startswith(_TYPED):
        raise QuestionGone(phrase("This choice is no longer available."))
    return question.read(step.removeprefix(_TYPED), asking.notation, in_field=True)


def _clarify_answer(asking: Asking, answer: Answer) -> Answer:
    """Return a complete answer, or if the rules need an optional word, the same with that word still missing."""
    draft = answer.leads
    if not answer.is_whole or not isinstance(draft, Draft) or draft.action not in asking.game.actions:
        return answer
    draft = complete_draft(asking.game, asking.state, draft)
    answer = msgspec.structs.replace(answer, leads=draft)
    if allows(asking.game, asking.state, draft):
        return answer
    return msgspec.structs.replace(answer, leads=with_optional(asking.game, asking.state, draft) or draft)


def _first_button(asking: Asking, prompt: Prompt, answer: Answer) -> Answer:
    """Return an answer labelled by its effect, or by its action and what that is about, followed by its cost.

    The effect is used if it names the action, or if the line says no more than a verb or a rule.
    """
    draft, seat = answer.leads, prompt.seat
    assert isinstance(draft, Draft)
    # All alternatives beside one another have labels of one kind.
    says_all = draft.note and (
        _is_verb_alone(draft)
        or gives_only_flags(draft, seat)
        or differ_by_note(prompt.answers, seat)
        or all(_says_what(each) for each in prompt.answers if each.note)
    )
    if says_all and not draft.title:
        text, detail = str(draft.note), ""
    else:
        text, detail = str(title_draft(draft, {**asking.titles, **asking.names}, seat)), str(detail_of(draft))
    return msgspec.structs.replace(
        answer, title=text[:1].upper() + text[1:], detail=detail, key=_first_step(prompt, answer)
    )


def _is_verb_alone(draft: Draft) -> bool:
    """Return True if a line adds nothing to its note."""
    return not draft.missing and (draft.line == draft.action.verb() or issubclass(draft.action, Rule))


def _says_what(draft: Draft) -> bool:
    """Return True if a note names the action.

    `bonus surge` is “Surge: …”. “2 cards: Ana −3” does not name the Foil.
    """
    # Verbs are notation, which is English.
    noted = _WORD.findall(render_value(draft.note, ENGLISH).lower())
    return _is_verb_alone(draft) or (bool(noted) and (draft.action.verb() in noted or noted[0] in draft.line.split()))


def _build_form(asking: Asking, answer: Answer, path: str) -> AnswerForm:
    question = question_behind(asking, answer)
    question = msgspec.structs.replace(question, answers=tuple(_name_seats(asking, each) for each in question.answers))
    assert question.gap is not None
    cards = _card_answers(question.answers, question.gap)
    takes_several = any(answer.field for answer in cards.values())
    on_grid = cards if takes_several or len(cards) > _FEW_CARDS else {}
    # Cards that are sent together need no button for the last one.
    keys = {each.key for each in on_grid.values()} | ({_ALL} if takes_several else set())
    buttons = tuple(each for each in question.answers if each.key not in keys)
    grid = tuple(_card_rows(on_grid, question.gap.items_so_far)) if on_grid else ()
    example = None if question.open is None else question.open.example
    return AnswerForm(
        question.text,
        path,
        (),
        buttons,
        grid,
        question.input_hint,
        isinstance(example, int),
        _write_example(question.gap, example),
        str(question.gap.question),
        asking.line,
        asking.inserts,
        typed=_write_default(question.gap),
        sends=str(_name_sending(question.gap)),
        for_advice=isinstance(answer.leads, Draft) and issubclass(answer.leads.action, Coach),
    )


def _name_sending(gap: Gap) -> Text:
    """Return what the button says that sends a field: what is done then, unless something else is asked after it."""
    draft = gap.draft
    if any(argument != gap.argument for argument in draft.missing):
        return phrase("Go on")
    return draft.action.button_text or VerbTitle(draft.action.verb())


def _write_default(gap: Gap) -> str:
    """Return the number that a field has if nothing is said about it, to be typed over; "" for any other field."""
    default = gap.argument.default
    return str(default) if isinstance(default, int) and not isinstance(default, bool) else ""


def _write_example(gap: Gap, example: Any) -> str:
    """Return an example of a value as players read it, "" if the field has none, or only names in notation."""
    word = "" if example in (None, "", (), "…") else gap.word(Choice(example))
    return "" if ":" in word else pretty(Card(word)) if word in PACK else word


def _name_seats(asking: Asking, answer: Answer) -> Answer:
    """Return an answer whose value or detail is the word of a seat with the name of its player instead."""
    title = answer.title or (asking.names.get(answer.name, "") if answer.choice else "")
    return msgspec.structs.replace(answer, title=title, detail=asking.names.get(str(answer.detail), answer.detail))


def _card_answers(answers: tuple[Answer, ...], gap: Gap) -> dict[str, Answer]:
    """Return the answers that are cards, by card."""
    kind = gap.argument.kind
    if CARD not in (kind, getattr(kind, "item", None)):
        return {}
    return {answer.choice.value: answer for answer in answers if answer.choice and answer.choice.value in PACK}


def _card_rows(cards: Mapping[str, Answer], chosen: Collection[str]) -> Iterator[tuple[Cell, ...]]:
    """Yield cards as players sort them: a row for each suit, the jokers behind the first two.

    Suits without a fitting card are left out, so that the grid fits on one screen.
    """
    jokers = [(joker,) for joker in JOKERS]
    for suit, more in zip_longest(SUITS, jokers, fillvalue=()):
        row = (*(Card(f"{rank}{suit}") for rank in RANKS[::-1]), *(card for card in more if card in cards))
        if any(card in cards or card in chosen for card in row):
            yield tuple(Cell(card, cards.get(card), card in chosen) for card in row)
