"""The table as one screen reads it: its view and log, and help with input. Nothing here waits or writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.session import reading, table
from companion.session.core import changes
from companion.session.core.changes import GameEnding
from companion.session.core.moments import Moment, Position, describe_moment, summarize
from companion.session.core.session import Session
from companion.session.reading import options
from companion.session.reading.local_words import list_verb_titles, title_of_line
from companion.session.reading.table_questions import Answer, Question, offer_rows
from companion.session.table import going_on
from companion.session.table.countdown import Countdown
from companion.session.table.going_on import Course
from companion.session.table.shared_session import SharedSession
from companion.tabletop.action import Action, Tell
from companion.tabletop.notation.notation import Notation
from companion.tabletop.table import choices
from companion.tabletop.table.choices import Choice, Gap, Open
from companion.tabletop.table.common_actions import Coach
from companion.tabletop.table.completion import Completion
from companion.tabletop.table.house_rules import Term
from companion.tabletop.table.table import Draft, Prompt, TableView
from templates.languages.messages import Text, current_language, phrase

Intention = tuple[Action, ...]


class TableReader:
    """A live session as one screen reads it."""

    def __init__(self, live: SharedSession, viewer: str = "") -> None:
        """Read a live session. `viewer` is the seat that the screen is for, or "" for one that everybody sees."""
        self._live = live
        self._viewer = viewer
        self._session = live.session.seen_by(viewer)
        self._course: tuple[Position, Course] | None = None
        self.teaches = False
        """True if the user wants instructions at each step on what to do with the real cards."""

    # The table

    @property
    def session(self) -> Session:
        """The current session as this screen may know it. Change it only through this client."""
        return self._session

    @property
    def view(self) -> TableView:
        """The view of the table."""
        return self.session.view()

    @property
    def log(self) -> tuple[Moment, ...]:
        """The moments that count now, oldest first."""
        return self.session.moments()

    @property
    def notation(self) -> Notation:
        """The notation of this table."""
        return self.session.notation

    @property
    def countdown(self) -> Countdown:
        """The countdown of this table, shared by all its screens; off by default."""
        return self._live.countdown

    @property
    def verb_titles(self) -> Mapping[str, str]:
        """Titles of the actions of this table's lines in the current language, by verb; none in English."""
        return list_verb_titles(self.session, current_language())

    @property
    def credit(self) -> Text:
        """The credit of the game."""
        return self.session.game.credit

    @property
    def is_sealed(self) -> bool:
        """Return True if the game is written into its decks' records, so that nothing can be undone here."""
        return self.session.sealing().writes

    @property
    def card_work(self) -> tuple[Text, ...]:
        """The current steps with the real cards, if the user wants instructions."""
        return self.view.card_work.steps if self.teaches else ()

    # Help with input

    def title_line(self, line: str) -> str:
        """Return a line after the title of its verb: `Schub · spike ana`; only the line if that has none."""
        return " · ".join(filter(None, (title_of_line(line, self.verb_titles), line)))

    def choices(self, prompt: Prompt | Draft, field: str = "") -> tuple[Choice, ...] | Open:
        """Return the choices for a field of a draft, or of a prompt's suggested answer.

        By default, the field is the first missing one; returns () if none is missing.
        """
        draft = prompt.answer if isinstance(prompt, Prompt) else prompt
        missing = field or next((argument.field for argument in draft.missing), "")
        return choices.choices(self.session.game, self.session.state, draft, missing) if missing else ()

    def gap(self, draft: Draft, field: str = "") -> Gap:
        """Return the first gap of a draft, or the gap of this field, with its candidates."""
        return Gap.of(self.session.game, self.session.state, draft, field)

    def complete(self, text: str) -> tuple[Completion, ...]:
        """Return the words that could stand where a text ends."""
        return options.complete(text, self.session)

    def possible_answers(self, text: str) -> tuple[Answer, ...]:
        """Return the whole lines that an ambiguous text could stand for."""
        return options.possible_answers(text, self.session)

    def begun_draft(self, text: str) -> Draft | None:
        """Return the draft of a line that lacks only what nobody can list; None for any other text."""
        return options.complete_begun(text, self.session)

    def options(self, text: str) -> Question:
        """Return the answers to the first question, or the completions of a text, for a list."""
        return options.options(text, self.session)

    def offers(self) -> tuple[Answer, ...]:
        """Return the offers besides the first question, for the end of a list."""
        return tuple(offer_rows(self.view))

    def changes_figure(self, text: str) -> bool:
        """Return True if a text is a name and a number, and so may correct a figure."""
        return bool(reading.figure_reading.change_lines(text, self.session))

    def is_whole(self, text: str) -> bool:
        """Return True if a text can be entered as it is."""
        return options.is_whole(text, self.session)

    def accepted_lines(self, prompt: Prompt) -> tuple[str, ...]:
        """Return every line that answers a prompt and that the rules accept, the suggested one first."""
        return tuple(draft.line for draft in options.accepted_answers(prompt, self.session))

    def complete_draft(self, draft: Draft) -> Draft:
        """Return a draft completed with what the table knows."""
        return choices.complete_draft(self.session.game, self.session.state, draft)

    def explain(self, text: str) -> Text:
        """Return help for the line that is being typed."""
        if self.leads_out(text):
            return phrase("Enter: leave the table; it stays as it is.")
        if going_on.is_word(text) and (does := self.course.sentence):
            # Translators: {steps} tell what the key Enter does.
            return phrase("Enter: {steps}", steps=does)
        return options.explain(text, self.session)

    def leads_out(self, text: str) -> bool:
        """Return True for a word that leaves the table: `exit`, `quit`, `home`."""
        return going_on.leads_out(text, self.session)

    def course_behind(self, text: str) -> Course:
        """Return the course after what typed words would do; an empty one if they have no reading yet."""
        try:
            actions = reading.line_reading.read_line(text, self.session)
            return going_on.course(self.session, actions) if self._is_of_game(actions) else Course()
        # An error on a hypothetical table must not hide the present one.
        except Exception:
            return Course()

    def _is_of_game(self, actions: Intention) -> bool:
        return all(type(action) in self.session.game.actions and not isinstance(action, Coach) for action in actions)

    @property
    def course(self) -> Course:
        """The course that going on would take now."""
        position = self.session.log.position
        if self._course is None or self._course[0] is not position:
            try:
                self._course = (position, going_on.course(self.session))
            # As in `course_behind`.
            except Exception:
                self._course = (position, Course())
        return self._course[1]

    @property
    def terms(self) -> tuple[Term, ...]:
        """Everything in the glossary of this table."""
        return table.terms.game_terms(self.session.game)

    def look_up(self, words: Iterable[str]) -> tuple[Term, ...]:
        """Return the terms with these names in the glossary of this table, in the order of the words."""
        return table.terms.look_up(words, self.terms)

    def fell(self) -> tuple[Text, ...]:
        """Return the names of players and things that fell in the last intention."""
        try:
            return changes.last_fallen(self.session.game, self.log)
        # It also views the earlier table: an error there must not hide the present one.
        except Exception:
            return ()

    def ending(self) -> GameEnding:
        """Return how the game ended, from its log; slow if the log is long."""
        return changes.tell_ending(self.session.game, self.log)

    def since(self, line: int) -> Text:
        """Return what was written after a line of the log, in sentences."""
        return self._live.since(line)

    def describe_moment(self, moment: Moment) -> tuple[Tell, ...]:
        """Return the messages of a moment of the log."""
        return describe_moment(moment, self.session.game, self._viewer)

    def would_undo(self) -> Text:
        """Return a short summary of what `undo` would take back; "" if it would be refused."""
        return "" if self.is_sealed else summarize(self.session.undoable()[::-1])

    def would_redo(self) -> Text:
        """Return a short summary of what `redo` would restore."""
        return summarize(self.session.redoable())
