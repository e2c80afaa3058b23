"""A table in plain lines: it executes what is typed, prints what has changed, and then asks the next question."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from time import monotonic

import msgspec

from companion.archive.errors import Look
from companion.session.core.changes import describe, differences
from companion.session.core.moments import join_sentences, with_full_stop
from companion.session.reading.table_questions import (
    PUT_RIGHT,
    Answer,
    Question,
    answers_to,
    can_put_right,
    due_prompts,
    is_line,
    is_over,
    offer,
    values_of,
    with_optional,
)
from companion.session.reports import evening_cards
from companion.session.reports.durations import Clock
from companion.session.table import rematch, terms
from companion.session.table.confirmations import ActionDone, Closed, ConfirmationNeeded, Rejected, Reloaded, Reply
from companion.session.table.countdown import read_wish
from companion.session.table.shared_session import News
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.evening_text import as_sentences
from companion.tabletop.notation.notation import LineKind, Notation
from companion.tabletop.table.choices import Gap, Open
from companion.tabletop.table.common_actions import Set
from companion.tabletop.table.table import Counter, Draft, Prompt, ScoreSheet, SeatView, TableView, Thing, Zone
from companion.tabletop.text import quantity

_SPOKEN = ((" → ", " to "), (" · ", ", "), ("|", " or "), ("…", "and so on"), ("−", "minus "), ("`", ""))
"""Signs that a screen reader skips or spells out, and the words that replace them."""
_SEVERAL = re.compile(r"(?<=[A-Z])…")
_MOST_FIGURES = 20
"""Maximum figures that are printed for one change; only a new turn changes more."""


def spoken(text: str) -> str:
    """Return a text for reading aloud: one line, with words for the signs; `CARD…` becomes CARDs."""
    text = _SEVERAL.sub("s", text)
    for sign, words in _SPOKEN:
        text = text.replace(sign, words)
    return " ".join(text.split())


def led_on(sentence: str, look: Look | None) -> str:
    """Return an error's sentence, with the next command if the archive is damaged.

    Other errors come with their own way out.
    """
    if look != "damage":
        return sentence
    return f"{sentence.rstrip('.')}; companion archive check says what is lost, and with --repair saves the rest."


def describe_changes(before: TableView, after: TableView) -> str:
    """Describe every visible figure that has changed, as sentences; "" if none has."""
    return describe(filter(lambda difference: difference.is_visible, differences(before, after)), _MOST_FIGURES)


def describe_table(view: TableView) -> Iterator[str]:
    """Yield the whole table in sentences: its own figures, the things in the middle, then everyone clockwise."""
    step = next((step.title for step in view.steps if step.name == view.step), view.step)
    figures = _format_figures(counter for counter in view.counters if counter.name != "step")
    yield " ".join(f"{part}." for part in (view.title, view.match, f"Step: {step}" if step else "", figures) if part)
    for zone in view.zones:
        if not any(thing.target == "table" for thing in zone.things):  # its figures come first
            yield from _describe_zone(zone)
    for seat in view.seats:
        yield from _describe_seat(seat)
    if view.sheet:
        yield from _describe_sheet(view.sheet)
    if view.rules:
        yield f"House rules: {', '.join(' '.join(map(str, rule)) for rule in view.rules)}."
    if view.outcome:
        yield f"Outcome: {view.outcome}."
    yield from map(str, view.hints)


def describe_named(view: TableView, name: str) -> tuple[str, ...]:
    """Return everything about a seat or a thing, by its word in the notation or its title; empty if there is none."""
    for seat in view.seats:
        if name.lower() in (seat.seat, seat.name.lower()):
            return (*_describe_seat(seat), *_describe_sums(seat.counters))
    for thing in view.things():
        if name.lower() in (thing.target.lower(), str(thing.title).lower()):
            return (_describe_thing(thing), *_describe_sums(thing.counters), *map(str, thing.notes))
    return ()


def _describe_sheet(sheet: ScoreSheet) -> Iterator[str]:
    """Yield the score sheet, one sentence per round, then the totals."""
    for row in sheet.rows:
        cells = zip(sheet.seats, row.cells, row.points, strict=True)
        cell_texts = (f"{name} {cell}{f', {points} points' if points else ''}" for name, cell, points in cells if cell)
        yield f"{sheet.title}, {row.title}{f', {sheet.written}' if sheet.written else ''}: {'; '.join(cell_texts)}."
    totals = (f"{name} {total}" for name, total in zip(sheet.seats, sheet.totals, strict=True))
    yield f"{sheet.title}, total: {', '.join(totals)}."


def _describe_zone(zone: Zone) -> Iterator[str]:
    if zone.things:
        yield f"{zone.title}: {'; '.join(_describe_thing(thing) for thing in zone.things)}."


def _describe_seat(seat: SeatView) -> Iterator[str]:
    beside = ", ".join(str(part) for part in (f"with {seat.title}" if seat.title else "", *seat.flags) if part)
    yield f"{seat.name}{f' ({beside})' if beside else ''}: {_format_figures(seat.counters)}."
    for zone in seat.zones:
        for sentence in _describe_zone(zone):
            yield f"{seat.name}, {sentence}"


def _describe_thing(thing: Thing) -> str:
    name = f"{thing.title}, number {thing.number}" if thing.number else thing.title
    return f"{name}: {figures}" if (figures := _format_figures(thing.counters)) else str(name)


def _format_figures(counters: Iterable[Counter]) -> str:
    return ", ".join(
        _format_figure(counter) for counter in counters if counter.is_visible and counter.value not in (None, (), "")
    )


def _format_figure(counter: Counter) -> str:
    of = f" of {counter.top}" if counter.top is not None else ""
    return f"{counter.caption} {counter.figure}{of}"


def _describe_sums(counters: Iterable[Counter]) -> Iterator[str]:
    """Yield the sums behind figures, and hidden figures by the words that `set` uses."""
    for counter in counters:
        figure = _format_figure(counter) if counter.is_visible else f"{counter.name.capitalize()} {counter.figure}"
        if counter.why or not counter.is_visible:
            yield f"{figure}{f': {counter.why}' if counter.why else ''}."


_MOST = 20
"""Maximum answers that are listed without a request: a whole pack of cards is too long to listen to."""


def first_question(view: TableView) -> Question:
    """Return the table's first question with all its answers.

    Each other possible action follows as one answer, and last the correction of a figure.
    """
    first = due_prompts(view)[:1]
    if not first:
        return Question("Nothing is asked now. Type a line, or help.")
    put_right = msgspec.structs.replace(offer(PUT_RIGHT), name="", title=str(PUT_RIGHT.text).rstrip("…"))
    last = (put_right,) if can_put_right(view) else ()
    offers = (offer(prompt) for prompt in view.prompts if prompt is not first[0])
    return _number_answers(Question(str(first[0].text), (*answers_to(first[0]), *offers, *last)))


_PUT_RIGHT = {"target": "whose", "counter": "which figure", "value": "what is it now"}
"""The questions for the fields of a corrected figure."""


def field_question(client: TableClient, draft: Draft) -> Question:
    """Return the question for the first missing field of a draft."""
    gap = client.gap(draft)
    besides = gap.candidates if isinstance(gap.candidates, Open) else None
    name = _PUT_RIGHT[gap.argument.field] if draft.action is Set else gap.name
    text = f"{draft.line}: {name} ({gap.argument.words})?"
    text = text if gap.candidates else f"{text} Nothing fits there now."
    question = Question(text, tuple(values_of(gap)), gap, besides)
    # If numbers are answers themselves, the answers have no numbers of their own as keys.
    words = (word for answer in question.answers for word in answer_words(answer))
    if (besides and _can_read(gap, "1", client.notation)) or any(map(str.isdecimal, words)):
        return msgspec.structs.replace(
            question, answers=tuple(msgspec.structs.replace(each, key=each.name.lower()) for each in question.answers)
        )
    return _number_answers(question)


def doubt_question(client: TableClient, draft: Draft) -> Question | None:
    """Return a question about one of the optional parts of a refused line, such as which of two cards is meant.

    None if nothing would help.
    """
    longer = with_optional(client.session.game, client.session.state, draft)
    return None if longer is None else field_question(client, longer)


def rows(question: Question) -> Iterator[str]:
    """Yield a question as lines for reading aloud."""
    yield question.text
    if len(question.answers) <= _MOST:
        yield from map(row, question.answers)
    else:
        example = answer_words(question.answers[0])[0]
        yield f"There are {len(question.answers)} answers: type one, such as {example}, or list to hear them all."
    if question.open:
        items = [str(choice.value) for choice in question.open.of] if len(question.open.of) <= _MOST else []
        of = f" Of: {', '.join(items)}." if items else ""
        yield f"Type {question.input_hint}.{of}"


def row(answer: Answer) -> str:
    """Return an answer as a line for reading aloud, without repeated words."""
    return f"{answer.key}. {answer_text(answer).removeprefix(f'{answer.key}, ')}"


def answer_text(answer: Answer) -> str:
    """Return an answer in words, without its key."""
    if isinstance(answer.leads, Prompt):
        return answer.title
    if answer.choice is None:
        return ": ".join(part for part in (answer.title, answer.name, answer.detail) if part)
    title = f", {answer.title}" if answer.title and answer.title.lower() != answer.name.lower() else ""
    detail = f": {answer.detail}" if answer.detail else ""
    return f"{answer.name}{title}{detail}"


def answer_words(answer: Answer) -> tuple[str, ...]:
    """Return what may be typed for an answer besides its key.

    For a line that is the whole line, or its verb if it leads to a question; for a value its word or its title. Other
    input is parsed as on every screen.
    """
    if answer.choice is not None:
        name = answer.name.lower()
        return tuple(dict.fromkeys((name, answer.title.lower() or name)))
    draft = answer.leads.answer if isinstance(answer.leads, Prompt) else answer.leads
    assert draft is not None
    words = draft.line.lower().split()
    line = " ".join(words)
    return (line,) if answer.title or answer.is_whole else tuple(dict.fromkeys((line, words[0])))


def chosen_answer(question: Question, text: str) -> Answer | None:
    """Return the answer with this key, or the one that these words mean; the first of several with equal beginnings."""
    text = " ".join(text.lower().split())
    for answer in question.answers:
        if answer.key.lower() == text:
            return answer
    matches = [answer for answer in question.answers if text in answer_words(answer)]
    return matches[0] if len({answer_words(answer)[0] for answer in matches}) == 1 else None


def _verb(answer: Answer) -> str:
    """Return the verb of an answer's line; "" for a value."""
    draft = answer.leads.answer if isinstance(answer.leads, Prompt) else answer.leads
    return draft.action.verb() if draft is not None and answer.choice is None else ""


def _number_answers(question: Question) -> Question:
    """Return the question with numbers as the keys of its answers."""
    numbered = (msgspec.structs.replace(answer, key=str(number)) for number, answer in enumerate(question.answers, 1))
    return msgspec.structs.replace(question, answers=tuple(numbered))


def _can_read(gap: Gap, text: str, notation: Notation) -> bool:
    try:
        gap.read(text, notation)
    except NotationError:
        return False
    return True


Say = Callable[[str], object]

_YES, _NO = ("yes", "y"), ("no", "n")
_NEWEST = 10
"""The number of lines of the log that are read out by default."""

HELP = (
    "Answer with the number of an answer, with a line of the notation, or with what is short for one: ash ben, 5 b.",
    "go: what is suggested is done, up to what somebody has to decide; go is said with what that would be.",
    "look: the whole table. look ana: everything about a seat or a thing.",
    "again: the question once more. list: all of its answers. back: to the first question.",
    "Something is wrong? ana 10: that is the figure now. ana -3: 3 less. Words behind it say why.",
    "Too much to enter? rule track figures (or fight): no hands, no decks. rule track all: back to everything.",
    "undo and redo: of the last step. amend 12 and a line: line 12 should have said that.",
    "insert 12 and a line: something that was forgotten, put before line 12.",
    "log: what happened last. log 30: the last 30 lines, with their numbers.",
    "clock: how long this round and the evening have taken. clock 90: seconds for each turn or round. clock off: none.",
    "coach ana and the cards of a hand: what would help ana now, where a game has a coach; the log keeps no card.",
    "evening: the evening so far: who did what, the best hit, the narrowest moment, where it turned.",
    "rematch: once the game is over, the same table again, or the next game of its match.",
    "help, or ?: all of this. help and a verb: how its line is written.",
    "help and a word, or the number of a rule: what that says.",
    "cards: what to do with the real cards now and at each step; again: no more.",
    "brief: figures are not said after each change; full: they are.",
    "quit, exit or home: leave the table. Everything is kept at once; nothing needs to be saved.",
)


class Talk:
    """A dialogue of one user with a table. `say` gets one sentence or one answer at a time, each of them one line.

    Changes by others are printed in the thread in which the table reports them, and never between the sentences of an
    answer.
    """

    def __init__(self, client: TableClient, say: Say) -> None:
        self._client = client
        self._out = say
        self._view = client.view
        self.question = first_question(self._view)
        self._sure = False
        """True while the table waits for the confirmation of a permanent action."""
        self._brief = False
        self._has_left = False
        self._done = self._refused = 0
        """The numbers of lines that succeeded and that failed."""
        self._clock = Clock()
        self._talking = threading.RLock()
        self._commands: dict[str, Callable[[], None]] = {
            "again": self._ask,
            "list": self._list,
            "back": self._ask_first,
            "brief": lambda: self._be_brief(True),
            "full": lambda: self._be_brief(False),
            "cards": self._teach,
            "evening": self._card,
        }
        self._about: dict[str, Callable[[str], None]] = {"help": self._help, "look": self._look, "log": self._log}
        self._about["clock"] = self._time_or_countdown

    def run(self, typed: Iterable[str]) -> bool:
        """Run the dialogue until the input ends or the user leaves; everything is stored already in both cases.

        Returns True if the user wants a rematch.
        """
        with self._talking:
            for sentence in describe_table(self._view):
                self._say(sentence)
            if self._client.teaches:
                self._tell_cards()
            self._client.countdown.go_on(monotonic())
            self._ask()
        self._client.watch(self._tell_news)
        try:
            wants_rematch = self._hear_all(typed)
        finally:
            self._client.leave()
            self._client.countdown.pause(monotonic())
        if wants_rematch:
            return True
        session = self._client.session.id
        if is_over(self._view) and not self._client.is_sealed:
            self._say("This game is over and not sealed: no deck's record has it yet.")
        self._say(f"{self._what_is_kept()} Go on with: companion play {session} --lines" if session else "The end.")
        return False

    def _hear_all(self, typed: Iterable[str]) -> bool:
        """Process lines until they end or the user leaves; return True if the user wants a rematch."""
        for text in typed:
            with self._talking:
                if self._client.leads_out(text):
                    break
                if text.strip().lower() == "rematch" and not self._sure:
                    if rematch.describe_next(self._client.session):
                        return True
                    self._say(rematch.why_not(self._client.session))
                    continue
                self.hear(text)
                if self._has_left:
                    break
        return False

    def _tell_news(self, news: News) -> None:
        """Print what another user has done. A question about a part of a line stays; any other is asked again."""
        with self._talking:
            if news.line or not self._client.follow():
                return
            is_first = self.question.gap is None
            if self._sure and not self._client.asks_confirmation:
                self._sure = False
                self._say("What was asked about is not done: somebody else was first.")
            self._tell([str(news.sentence)], asks=is_first and not self._sure)

    def _what_is_kept(self) -> str:
        if not self._refused:
            return "Everything is kept."
        if not self._done:
            return "Nothing was kept now, as every line was refused; what was there before is."
        lines = "1 line was refused" if self._refused == 1 else f"{self._refused} lines were refused"
        return f"What was done is kept; {lines}."

    def hear(self, text: str) -> None:
        """Process a typed line: an answer, a command or a line of notation. Comments and blank lines do nothing."""
        text = text.strip()
        if not text or text.startswith("#"):
            return
        command, _, rest = text.partition(" ")
        if self._sure:
            self._be_sure(text)
        elif not rest and command.lower() in self._commands:
            self._commands[command.lower()]()
        elif text == "?":
            self._help("")
        elif command.lower() in self._about:
            self._about[command.lower()](rest.strip())
        else:
            self._answer(text)

    # Answers

    def _answer(self, text: str) -> None:
        # A whole line means itself, unless a part of a line was asked for: there a word of the notation may be a name.
        whole = self.question.gap is None and is_line(self._client.notation, text)
        answer = None if whole else chosen_answer(self.question, text)
        if answer is not None and text.lower() == _verb(answer) and self._client.is_whole(text):
            self._enter(text)
        elif answer is not None:
            assert answer.leads is not None
            self._follow(answer.leads)
        elif self.question.gap and not self._is_another_line(text) and (self.question.open or self._is_named(text)):
            self._complete(text)
        elif text.isdecimal() and not self._client.is_whole(text):
            self._say(f"There is no answer {text}; again reads the answers out once more.")
        else:
            self._enter(text)

    def _enter(self, text: str) -> None:
        """Enter a line; if it is ambiguous, ask which is meant."""
        reply = self._client.enter(text)
        answers = self._client.possible_answers(text) if isinstance(reply, Rejected) else ()
        if len(answers) > 1:
            self._refused += 1
            self._put(_number_answers(Question(f"“{text}” could be {len(answers)} things; say which:", answers)))
        else:
            self._reply(reply)

    def _is_another_line(self, text: str) -> bool:
        """Return True if the user typed a line of its own in answer to a question about a part of one."""
        gap = self.question.gap
        wants_line = gap is not None and isinstance(gap.argument.kind, LineKind)
        if wants_line or is_line(self._client.notation, text):
            return not wants_line
        return self._client.changes_figure(text) and not (
            gap is not None and _can_read(gap, text, self._client.notation)
        )

    def _is_named(self, text: str) -> bool:
        """Return True if a text that names no answer is the beginning of a word in an answer's name."""
        words = (word for answer in self.question.answers for word in (answer.name, *answer.title.split()))
        return any(word.lower().startswith(text.lower()) for word in words)

    def _complete(self, text: str) -> None:
        assert self.question.gap is not None
        try:
            self._follow(self.question.gap.read(text, self._client.notation))
        except NotationError as error:
            is_line_begun = text.split()[0].lower() in self._client.notation.verbs
            means_line = is_line_begun or self._client.changes_figure(text)
            if means_line:
                self._enter(text)
            else:
                self._reply(Rejected(str(error)))

    def _follow(self, leads: Draft | Prompt) -> None:
        """Ask the next question, or submit a complete draft."""
        if isinstance(leads, Draft):
            leads = self._client.complete_draft(leads)
        if isinstance(leads, Prompt):
            self._put(_number_answers(Question(str(leads.text), answers_to(leads))))
        elif leads.missing:
            self._put(field_question(self._client, leads))
        else:
            reply = self._client.submit(leads.build())
            self._reply(reply)
            doubt = doubt_question(self._client, leads) if isinstance(reply, Rejected) else None
            if doubt is not None:
                self._put(doubt)

    def _be_sure(self, text: str) -> None:
        self._sure = False
        if text.lower() in _YES:
            self._reply(self._client.confirm())
            return
        self._client.let_be()
        if text.lower() in _NO:
            self._say("Nothing was done.")
            self._ask()
        else:
            self.hear(text)

    # Output

    def _say(self, text: str) -> None:
        self._out(spoken(text))

    def _reply(self, reply: Reply) -> None:
        if reply.earlier:
            self._say(reply.earlier)
        match reply:
            case ConfirmationNeeded():
                self._sure = True
                self._say(f"{reply.sentence} Type yes to do it, no to let it be.")
            case Rejected(sentence, look):
                self._refused += 1
                self._say(led_on(sentence, look))
            case ActionDone(tells, sentence):
                self._done += 1
                texts = [(f"By hand: {tell.text}" if tell.by_hand else str(tell.text)) for tell in tells]
                advice = [reply.coaching.answer()] if reply.coaching is not None else []
                self._tell([*(texts if join_sentences(tells) == sentence else [sentence]), *advice])
            case Closed():
                self._has_left = True
            case Reloaded(sentence):
                self._refused += 1
                self._tell([sentence])

    def _tell(self, sentences: Iterable[str], *, asks: bool = True) -> None:
        """Print what happened, the figures that changed, and new hints; then, with `asks`, ask the next question."""
        before, self._view = self._view, self._client.view
        changed = "" if self._brief else describe_changes(before, self._view)
        # Hints are printed once, not after every line that leaves them standing.
        hints = (str(hint) for hint in self._view.hints if hint not in before.hints)
        texts = tuple(sentences)
        changed = "" if any(changed.removesuffix(".") in each for each in texts) else changed
        for sentence in filter(None, (*texts, changed, *hints)):
            self._say(sentence)
        self._tell_moment(before)
        if asks:
            self._ask_first()

    def _tell_moment(self, before: TableView) -> None:
        """Print a special moment, and what to do with the real cards if the user wants that."""
        work = self._view.card_work
        if work == before.card_work:
            return
        if work.moment and work.moment != before.card_work.moment:
            for sentence in (f"{work.moment}!", *work.facts):
                self._say(str(sentence))
        if self._client.teaches or work.moment:
            self._tell_cards()

    def _tell_cards(self) -> None:
        for step in self._view.card_work.steps:
            self._say(f"With the cards: {step}")

    def _teach(self) -> None:
        """Switch the instructions for the real cards on, and print them now; or switch them off."""
        self._client.teaches = not self._client.teaches
        if self._client.teaches:
            self._tell_cards()
        self._say(f"What to do with the cards is told {'at each step' if self._client.teaches else 'no more'}.")

    def _ask_first(self) -> None:
        self._put(first_question(self._client.view))
        if text := rematch.describe_next(self._client.session):
            self._say(f"{text}, with the same people, decks and house rules? Type rematch.")

    def _put(self, question: Question) -> None:
        self.question = question
        self._ask()

    def _ask(self) -> None:
        for sentence in rows(self.question):
            self._say(sentence)
        course = self._client.course
        if course.actions and not self._brief and self.question == first_question(self._client.view):
            self._say(f"go: {course.summary}; then {with_full_stop(course.decision)}")
        left = self._client.countdown.left_of(self._client.view, monotonic())
        if left is not None and not self._brief:
            self._say(f"{quantity(left, 'second')} left." if left else "Time is up.")

    def _list(self) -> None:
        for answer in self.question.answers:
            self._say(row(answer))

    # Commands

    def _help(self, verb: str) -> None:
        if not verb:
            for sentence in HELP:
                self._say(sentence)
            return
        notation = self._client.notation
        sentences = [f"{term.name}: {term.text}" for term in terms.look_up([verb], self._client.terms)]
        try:
            sentences.insert(0, f"{notation.help(verb)} Written: {notation.usage(verb)}")
        except NotationError as error:
            sentences = sentences or [str(error)]
        for sentence in sentences:
            self._say(sentence)

    def _look(self, name: str) -> None:
        view = self._client.view
        missing = f"There is no {name} on the table; there are {', '.join(view.targets())}."
        for sentence in (describe_named(view, name) or (missing,)) if name else describe_table(view):
            self._say(sentence)

    def _log(self, count: str) -> None:
        newest = int(count) if count.isdecimal() else _NEWEST
        writers = self._client.session.writers()
        texts = ((each, join_sentences(self._client.describe_moment(each))) for each in reversed(self._client.log))
        for moment, text in [*islice((pair for pair in texts if pair[1]), newest)][::-1]:
            by = f", by {writers[moment.number]}" if writers else ""
            self._say(f"Line {moment.number}{by}, {moment.text}{f': {text}' if text != moment.text else '.'}")

    def _time_or_countdown(self, text: str) -> None:
        """Print the elapsed time; with seconds or `off`, set a countdown for each turn or round, or none."""
        wish = read_wish(text)
        if not text:
            self._time()
        elif wish is None or self._client.changes_figure(f"clock {text}"):
            self._answer(f"clock {text}")
        else:
            self._client.countdown.wish = wish
            each = f"Each turn or round has {quantity(wish.seconds, 'second')} now; clock off ends that."
            self._say(each if wish.seconds else "No countdown.")

    def _time(self) -> None:
        elapsed = self._clock.read(self._client.session, datetime.now(UTC))
        self._say(". ".join(elapsed.parts) if elapsed else "Nobody has played for long; the clock begins with a line.")

    def _card(self) -> None:
        try:
            evening = evening_cards.present_session(None, self._client.session)
        except RuleError as error:
            self._say(str(error))
            return
        for sentence in as_sentences(evening.card):
            self._say(sentence)

    def _be_brief(self, brief: bool) -> None:
        self._brief = brief
        self._say("Figures are not said any more." if brief else "Figures are said after each change.")
