"""The talk at a table in plain lines: what is typed is done, what has changed is said, and then the table asks on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from companion.plain import asking, telling
from companion.plain.asking import Question
from companion.session import log, terms
from companion.session.confirmations import ConfirmationNeeded, Done, Rejected, Reloaded, Reply
from companion.session.durations import Clock
from companion.session.table_client import Sitting
from companion.session.table_questions import is_line
from companion.tabletop.action import NotationError
from companion.tabletop.notation import LineKind
from companion.tabletop.table import Draft, Prompt, TableView

Say = Callable[[str], object]

_YES, _NO = ("yes", "y"), ("no", "n")
_NEWEST = 10
"""Lines of the log that are read out unasked."""

HELP = (
    "Answer with the number of an answer, with its words, or with a whole line of the notation.",
    "look: the whole table. look ana: everything about a seat or a thing.",
    "again: the question once more. list: all of its answers. back: to the first question.",
    "undo and redo: of the last step. amend 12 and a line: line 12 should have said that.",
    "log: what happened last. log 30: the last 30 lines, with their numbers.",
    "clock: how long this round and the evening have taken.",
    "help, or ?: all of this. help and a verb: how its line is written.",
    "help and a word, or the number of a rule: what that says.",
    "brief: figures are not said after each change; full: they are.",
    "quit: leave the table. Everything is kept at once; nothing needs to be saved.",
)


class Talk:
    """One person's talk with a table. `say` gets one sentence or one answer at a time, each of them one line."""

    def __init__(self, sitting: Sitting, say: Say) -> None:
        self._sitting = sitting
        self._out = say
        self._view = sitting.view
        self.question = asking.of_table(self._view)
        self._sure = False
        """Whether the table has asked if something that lasts is really meant."""
        self._brief = False
        self._done = self._refused = 0
        """How many lines came to something, and how many to nothing."""
        self._clock = Clock()
        self._commands: dict[str, Callable[[], None]] = {
            "again": self._ask,
            "list": self._list,
            "back": self._ask_first,
            "brief": lambda: self._be_brief(True),
            "full": lambda: self._be_brief(False),
            "clock": self._time,
        }
        self._about: dict[str, Callable[[str], None]] = {"help": self._help, "look": self._look, "log": self._log}

    def run(self, typed: Iterable[str]) -> None:
        """Talk until the lines end or somebody leaves; both are as good, as everything is kept already."""
        for sentence in telling.table(self._view):
            self._say(sentence)
        self._ask()
        for text in typed:
            if text.strip().lower() == "quit":
                break
            self.hear(text)
        session = self._sitting.session.id
        self._say(f"{self._what_is_kept()} Go on with: companion play {session} --lines" if session else "The end.")

    def _what_is_kept(self) -> str:
        if not self._refused:
            return "Everything is kept."
        if not self._done:
            return "Nothing was kept now, as every line was refused; what was there before is."
        lines = "1 line was refused" if self._refused == 1 else f"{self._refused} lines were refused"
        return f"What was done is kept; {lines}."

    def hear(self, text: str) -> None:
        """Do what was typed: answer the question, do what a command or a line says. Comments and blanks do nothing."""
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
        # A whole line means itself, but where a part of one is asked: there a word of the notation may be a name.
        whole = self.question.gap is None and is_line(self._sitting.notation, text)
        answer = None if whole else self.question.chosen(text)
        if answer is not None:
            self._follow(answer.leads)
        elif self.question.wanted and not self._is_another_line(text):
            self._complete(text)
        elif text.isdecimal():
            self._say(f"There is no answer {text}; again reads the answers out once more.")
        else:
            self._reply(self._sitting.enter(text))

    def _is_another_line(self, text: str) -> bool:
        """Whether somebody answers with a line of its own, where a part of one was asked."""
        gap = self.question.gap
        wants_line = gap is not None and isinstance(gap.argument.kind, LineKind)
        return not wants_line and is_line(self._sitting.notation, text)

    def _complete(self, text: str) -> None:
        assert self.question.gap is not None
        try:
            self._follow(self.question.gap.read(text, self._sitting.notation))
        except NotationError as error:
            begun = text.split()[0].lower() in self._sitting.notation.verbs
            self._reply(self._sitting.enter(text) if begun else Rejected(str(error)))

    def _follow(self, leads: Draft | Prompt) -> None:
        """On to the next question, or do what is complete now."""
        if isinstance(leads, Draft):
            leads = self._sitting.filled(leads)
        if isinstance(leads, Prompt):
            self._put(asking.of_prompt(leads))
        elif leads.missing:
            self._put(asking.of_field(self._sitting, leads))
        else:
            reply = self._sitting.submit(leads.made())
            self._reply(reply)
            doubt = asking.of_doubt(self._sitting, leads) if isinstance(reply, Rejected) else None
            if doubt is not None:
                self._put(doubt)

    def _be_sure(self, text: str) -> None:
        self._sure = False
        if text.lower() in _YES:
            self._reply(self._sitting.confirm())
            return
        self._sitting.let_be()
        if text.lower() in _NO:
            self._say("Nothing was done.")
            self._ask()
        else:
            self.hear(text)

    # What is said

    def _say(self, text: str) -> None:
        self._out(telling.spoken(text))

    def _reply(self, reply: Reply) -> None:
        match reply:
            case ConfirmationNeeded():
                self._sure = True
                self._say(f"{reply.sentence} Type yes to do it, no to let it be.")
            case Rejected(sentence, look):
                self._refused += 1
                self._say(telling.led_on(sentence, look))
            case Done(tells, sentence):
                self._done += 1
                told = [(f"By hand: {tell.text}" if tell.by_hand else tell.text) for tell in tells]
                self._tell(told if log.sentences(tells) == sentence else [sentence])
            case Reloaded(sentence):
                self._refused += 1
                self._tell([sentence])

    def _tell(self, sentences: Iterable[str]) -> None:
        """What happened, what is another figure now, what is worth a thought; then the next question."""
        before, self._view = self._view, self._sitting.view
        changed = "" if self._brief else telling.changes(before, self._view)
        said = [sentence for sentence in (*sentences, changed) if sentence]
        for sentence in (*said, *_new_hints(before, self._view)):
            self._say(sentence)
        self._ask_first()

    def _ask_first(self) -> None:
        self._put(asking.of_table(self._sitting.view))

    def _put(self, question: Question) -> None:
        self.question = question
        self._ask()

    def _ask(self) -> None:
        for row in self.question.rows():
            self._say(row)

    def _list(self) -> None:
        for answer in self.question.answers:
            self._say(answer.row)

    # Commands

    def _help(self, verb: str) -> None:
        if not verb:
            for sentence in HELP:
                self._say(sentence)
            return
        notation = self._sitting.notation
        found = [f"{term.name}: {term.text}" for term in terms.about([verb], self._sitting.terms)]
        try:
            found.insert(0, f"{notation.help(verb)} Written: {notation.usage(verb)}")
        except NotationError as error:
            found = found or [str(error)]
        for sentence in found:
            self._say(sentence)

    def _look(self, name: str) -> None:
        view = self._sitting.view
        missing = f"There is no {name} on the table; there are {', '.join(view.targets())}."
        for sentence in (telling.about(view, name) or (missing,)) if name else telling.table(view):
            self._say(sentence)

    def _log(self, count: str) -> None:
        newest = int(count) if count.isdecimal() else _NEWEST
        writers = self._sitting.session.writers()
        for moment in self._sitting.log[-newest:] if newest else ():
            told = log.sentences(moment.tells)
            by = f", by {writers[moment.number]}" if writers else ""
            self._say(f"Line {moment.number}{by}, {moment.text}{f': {told}' if told else '.'}")

    def _time(self) -> None:
        elapsed = self._clock.read(self._sitting.session, datetime.now(UTC))
        self._say(". ".join(elapsed.parts) if elapsed else "Nobody has played for long; the clock begins with a line.")

    def _be_brief(self, brief: bool) -> None:
        self._brief = brief
        self._say("Figures are not said any more." if brief else "Figures are said after each change.")


def _new_hints(before: TableView, after: TableView) -> Iterable[str]:
    """Hints are said once, not after every line that leaves them standing."""
    return (hint for hint in after.hints if hint not in before.hints)
