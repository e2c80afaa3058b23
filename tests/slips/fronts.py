"""The same text at the bar, in plain lines and on a phone: all of them do the same, and one undo takes it back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from companion.plain.talk import Talk, spoken
from companion.session.core.session import Session
from companion.session.reading.table_questions import due_prompts
from companion.session.table import going_on
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Rejected, Reply
from companion.session.table.shared_session import SharedSession
from companion.session.table.table_client import TableClient
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.notation.notation import grammar
from companion.tabletop.table.choices import GONE
from companion.tabletop.table.common_actions import Next, Undo
from companion.tabletop.table.table import Draft, TableView
from companion.web import answering
from companion.web.answering import Asking, QuestionGone
from tests.slips.vocabulary import tokens

COMMANDS: Final = ("again", "list", "back", "brief", "full", "clock", "help", "look", "log", "?", "quit", "yes", "no")
"""What a talk in plain lines takes for itself."""


class Screen(NamedTuple):
    """What one screen made of a text: the lines that it wrote, and what it says."""

    lines: tuple[str, ...]
    says: str
    asks: bool = False


class Fronts:
    """All screens of one table. What a text does is taken back, so that the next one finds the same table."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.heard: list[str] = []

    @cached_property
    def _fields(self) -> tuple[tuple[str, Draft], ...]:
        """See `_typed_fields`; only who types on a phone needs them."""
        return tuple(self._typed_fields())

    def differences(self, text: str) -> Iterator[tuple[str, str]]:
        """Each way in which the screens differ: the cause, and how."""
        bar = self.bar(text)
        yield from self._undone(text)
        yield from self.preview_faults(text, bar)
        yield from self._phones(text)
        first = text.strip().removeprefix(":").split(" ")[0].lower()
        if first not in COMMANDS and not text.strip().isdecimal() and text.strip() and "#" not in text:
            talk = self.plain(text)
            if talk.lines != bar.lines and not (bar.asks and talk.asks):
                yield "the bar and plain lines differ", f"bar {_what(bar)}; plain lines {_what(talk)}"
            elif not bar.lines and not talk.asks and bar.says and spoken(bar.says) not in talk.says:
                yield "the bar and plain lines refuse differently", f"bar: {bar.says}; plain lines: {talk.says}"

    def _client(self) -> TableClient:
        """A screen that nobody has used."""
        client = TableClient(SharedSession(self.session))
        # What falls is asked about before it happens: that is tried elsewhere.
        client.warns = False
        return client

    def bar(self, text: str) -> Screen:
        """What Enter does in the command bar."""
        with _Kept(self.session) as kept:
            reply = self._client().enter(text)
            return Screen(kept.lines(), _sentence(reply), isinstance(reply, ConfirmationNeeded))

    def _undone(self, text: str) -> Iterator[tuple[str, str]]:
        with _Kept(self.session) as kept:
            before, client = self.session.state, self._client()
            if not isinstance(client.enter(text), ActionDone) or text.strip().lower() in ("undo", "redo"):
                return
            if client.is_sealed:
                return  # what is sealed is taken back by nobody
            self.session.do(Undo())
            if self.session.state != before:
                yield "one undo does not take it back", f"after undo something is left of {kept.lines()}"

    def preview_faults(self, text: str, bar: Screen | None = None) -> Iterator[tuple[str, str]]:
        """Return how what stands beside the bar before Enter differs from what Enter does: the cause, and how.

        Each line that Enter writes stands there, but for what chance adds to it, and the other way round; of a figure
        that is put right, what it becomes. Of going on, it is told where that leads.
        """
        bar = self.bar(text) if bar is None else bar
        explained = self._client().explain(text)
        if going_on.is_word(text):
            yield from self._leads(text, str(explained), bar)
            return
        preview = str(explained).removeprefix("Enter: ").partition("  ·  ")[0]
        whole = " ".join(text.lower().split())
        figures = ("add ", "set ", "note ") if " → " in preview else ()
        lines = [line for line in bar.lines if not line.lower().startswith((whole, *figures))]
        if lines and not all(_is_in(line, preview) for line in lines) and not self._does_alike(preview, bar):
            yield "what is shown before Enter is not done", f"shown is “{preview}”, and Enter {_what(bar)}"
        promised = [
            part.removeprefix("Enter: ") for part in str(explained).split("  ·  ") if part.startswith("Enter: ")
        ]
        done = " ".join(bar.lines).lower().split()
        # The coach answers with a sentence, also if there is nothing to weigh.
        is_answered = promised and promised[0].split()[0] == "coach"
        is_done = not promised or bar.asks or is_answered or _says(done, promised[0].lower().replace(", ", " ").split())
        if not is_done and not self._does_alike(promised[0], bar):
            yield "what is shown before Enter is refused", f"shown is “{explained}”, and Enter {_what(bar)}"
        if change := _CHANGE.fullmatch(str(explained).partition("  ·  ")[0]):
            yield from self._changes(text, change, bar)

    def _changes(self, text: str, change: re.Match[str], bar: Screen) -> Iterator[tuple[str, str]]:
        """A figure that is shown as put right, `Ana: HP 14 → 10`, is not what it becomes."""
        who, what, before, after = change.groups()
        was = self.session.view()
        with _Kept(self.session):
            self._client().enter(text)
            now = self.session.view()
        targets = _called(was, who or "")
        became = [
            (counter.figure, _figure(now, target, counter.name))
            for target in targets
            for counter in was.counters_of(target) or ()
            if counter.caption == what
        ]
        if not bar.asks and (before, after) not in became:
            yield "a figure does not become what is shown", f"shown is “{change[0]}”, and it is {became}; {_what(bar)}"

    def _leads(self, text: str, explained: str, bar: Screen) -> Iterator[tuple[str, str]]:
        """Return where going on leads, as it is told: to the question that is asked then."""
        decision = explained.partition(" → ")[2].partition("  ·  ")[0]
        if not decision or not bar.lines or re.search(r"would (?:be out|end)", decision):
            return  # harm stops it, and is asked about
        with _Kept(self.session):
            self._client().enter(text)
            view, way = self.session.view(), self.session.game.way_on(self.session.state)
        questions = [str(prompt.text) for prompt in due_prompts(view)[:1]] + (
            [str(way.leaves)] if way and way.leaves else []
        )
        if questions and not any(question in decision for question in questions):
            yield "going on leads elsewhere", f"shown is “{decision}”, and asked is {questions}"

    def _does_alike(self, preview: str, bar: Screen) -> bool:
        """Whether Enter on what is shown does the same: `next` is that of which it says the word, such as `refill`."""
        again = self.bar(preview) if preview.lower() == Next.verb() else Screen((), "")
        return bool(again.lines) and [line.split()[0] for line in again.lines] == [
            line.split()[0] for line in bar.lines
        ]

    def plain(self, text: str) -> Screen:
        """What a talk in plain lines does with it."""
        with _Kept(self.session) as kept:
            self.heard.clear()
            talk = Talk(self._client(), self.heard.append)
            opening = talk.question
            talk.hear(text)
            asks = talk.question is not opening and not kept.lines()
            return Screen(kept.lines(), " ".join(self.heard), asks or "Type yes to do it" in " ".join(self.heard))

    # Phones

    def _typed_fields(self) -> Iterator[tuple[str, Draft]]:
        """The answers in which something is typed on a phone: the steps up to there, and what they have said."""
        asking = Asking.now(self.session)
        for prompt in asking.prompts:
            form = answering.opening(asking, prompt, at_once=False)
            for answer in form.buttons if form else ():
                if isinstance(answer.leads, Draft) and not answer.is_whole:
                    reached = answering.follow_steps(asking, answer.key)
                    # What stands behind the field in a line cannot be typed before it.
                    is_last = grammar(answer.leads.action).write(answer.leads.given) == answer.leads.line
                    if reached.form and reached.form.wanted and is_last:
                        yield answer.key, answer.leads

    def _phones(self, text: str) -> Iterator[tuple[str, str]]:
        """Each way in which a phone differs from the bar, where the text is typed into a field."""
        if len(tokens(text)) != 1:
            return  # a field takes one word, or several in quotes
        for path, draft in self._fields:
            phone = self._phone(path, text)
            line = f"{draft.line} {text}"
            keyword = draft.missing[0].keyword
            bar = self.bar(f"{draft.line} {keyword} {text}" if keyword else line)
            if phone is not None and phone.lines and bar.lines and _low(phone.lines) != _low(bar.lines):
                yield (
                    "(arguable) a phone's field and a whole line differ",
                    f"`{line}`: bar {_what(bar)}; phone {_what(phone)}",
                )
            elif phone is not None and bool(phone.lines) != bool(bar.lines) and not bar.asks:
                yield (
                    "(arguable) a phone's field or a whole line is refused",
                    f"`{line}`: bar {_what(bar)}; phone {_what(phone)}",
                )

    def _phone(self, path: str, text: str) -> Screen | None:
        """What a phone does with what was typed; None where it asks on."""
        asking = Asking.now(self.session)
        try:
            reached = answering.follow_steps(asking, answering.append_typed_text(path, text))
        except (QuestionGone, RuleError, NotationError) as error:
            return Screen((), str(error))
        if reached.action is None:
            return None
        with _Kept(self.session) as kept:
            reply = self._client().submit(asking.action_to_submit(reached.action))
            return Screen(kept.lines(), _sentence(reply))


_CHANGE: Final = re.compile(r"(?:(.+): )?(\S.*) (\S+) → (\S+)")
"""The effect of a change by hand to its figure, as it is shown."""


def _called(view: TableView, who: str) -> list[str]:
    """Return what people call so, by how notation names it; the table is called nothing."""
    names = {seat.seat: seat.name for seat in view.seats} | {thing.target: thing.title for thing in view.things()}
    return [target for target, name in names.items() if name == who] or ["table"]


def _figure(view: TableView, target: str, name: str) -> str:
    """A counter's figure on a table."""
    return str(next((each.figure for each in view.counters_of(target) or () if each.name == name), GONE))


class _Kept:
    """The table as it was, again, once what was tried is over."""

    def __init__(self, session: Session) -> None:
        self._log = session.log
        self._position, self._length = session.log.position, len(session.log.lines)

    def __enter__(self) -> _Kept:
        return self

    def lines(self) -> tuple[str, ...]:
        """The lines that were written meanwhile."""
        return tuple(line.text for line in self._log.lines[self._length :])

    def __exit__(self, *_: object) -> None:
        del self._log.lines[self._length :]
        self._log.position = self._position


def _sentence(reply: Reply) -> str:
    return str(reply.sentence) if isinstance(reply, Rejected | ConfirmationNeeded) else ""


def _low(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Lines without what capitals tell."""
    return tuple(line.lower() for line in lines)


def _is_in(line: str, preview: str) -> bool:
    """Whether a line stands there, but for the words that chance put into it."""
    return any(_says(line.split(), each.split()) for each in preview.split(", "))


def _says(words: list[str], others: list[str]) -> bool:
    """Whether all the others are among some words, in their order."""
    left = iter(words)
    return bool(others) and all(word in left for word in others)


def _what(screen: Screen) -> str:
    does = f"does `{' & '.join(screen.lines)}`"
    return does if screen.lines else f"{'asks' if screen.asks else 'says'} “{screen.says}”"
