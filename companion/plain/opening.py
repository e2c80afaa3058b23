"""Choosing a table: one to go on with, or a new one, with its game, its players and their decks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.archive import Archive, ArchiveError, DeckRow, SessionRow
from companion.archive.deck_id import DeckIdError
from companion.games import registry
from companion.plain.talk import spoken
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.core.shelf import UnclearPerson
from companion.session.reading.table_questions import is_line
from companion.session.table import game_pages, seating
from companion.session.table.going_on import LEAVING
from companion.tabletop.action import NEW_PERSON, NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.notation.naming import Name, best_named
from companion.tabletop.notation.notation import write
from companion.tabletop.table.common_actions import Rule, Seat
from companion.tabletop.table.house_rules import TABLE
from templates.languages.messages import Text, joined, listed, phrase

Say = Callable[[str], object]
_Tell = Callable[[Text], object]

_NEWEST = 5
"""The number of tables that are offered to go on with."""
_HELP = phrase(
    "Answer with a number or in words. quit leaves; before somebody sits at the table there is nothing to keep."
)
_MOST_DECKS = 12
"""Maximum decks that are listed without a request."""


class OpenedTable(NamedTuple):
    """The session that was chosen or created; `line` is a line of its notation that was typed instead of an answer."""

    session: str
    line: str = ""


def open_table(archive: Archive, typed: Iterator[str], say: Say) -> OpenedTable | None:
    """Let the user choose a table; None if the input ends before that."""
    return _OpeningDialogue(archive, typed, lambda text: say(spoken(text))).choose_table()


class _OpeningDialogue:
    def __init__(self, archive: Archive, typed: Iterator[str], say: _Tell) -> None:
        self._archive = archive
        self._typed = (text.strip() for text in typed if not text.lstrip().startswith("#"))
        self._say = say
        self._names: tuple[Name, ...] = ()
        """The names of all games."""

    def choose_table(self) -> OpenedTable | None:
        listed = {f"table {each.name}": each for each in game_pages.all_games(self._archive)}
        games = {line: each.name for line, each in listed.items()}
        self._names = tuple(Name(each.name, str(each.title)) for each in listed.values())
        rows = [row for row in self._archive.sessions() if not row.is_closed]
        # A game that waits for its seal comes first, and a table without players last.
        rows = sorted(rows, key=lambda row: (not row.needs_seal, row.is_empty))[:_NEWEST]
        sessions = [(row.session, phrase("Go on with {table}.", table=_describe_session(row))) for row in rows]
        new = ((key, phrase("A new one: {game}.", game=game.title)) for key, game in listed.items())
        chosen = self._one_of(phrase("Which table?"), (*new, *sessions), lambda text: self._find_game(games, text))
        if chosen is None:
            return None
        return self._begin_table(registry.game(games[chosen])) if chosen in games else OpenedTable(chosen)

    def _find_game(self, games: dict[str, str], text: str) -> str | None:
        """Return the key of the game that a text names, if it is the only one, or else whose page it is."""
        named = best_named(self._names, text)
        return f"table {named[0]}" if len(named) == 1 else self._add_page(games, text)

    def _add_page(self, games: dict[str, str], text: str) -> str | None:
        """Add the game of `table ./crown.toml` to the choices and return its key; None for anything else."""
        verb, _, path = text.partition(" ")
        if verb.lower() != "table" or not registry.is_path(path):
            return None
        try:
            registry.game(path.strip())
        except NotationError as error:
            self._say(error.message)
            return None
        games[text] = path.strip()
        return text

    def _begin_table(self, game: Game) -> OpenedTable | None:
        """Seat people at a new table; store it once `done` or a line of its notation is typed."""
        session = Session.new(game, None, archive_journal.ArchiveShelf(self._archive))
        rows = self._archive.page_of_decks(count=None, game=game.name, page=game.page).rows
        of_table = [row for row in rows if game.decks.is_of_table(row.figures)]
        decks = [row for row in rows if row not in of_table]
        if of_table and (record := self._ask_record(of_table)):
            self._bring_record(session, game.decks.table_seat, record)
        while True:
            seats = len(session.view().seats)
            self._say(_question_of_seat(session))
            name = self._next_input()
            if name is None:
                return None
            if (name.lower() == "done" and seats) or is_line(session.notation, name):
                line = "" if name.lower() == "done" else name
                if seats and game.house.asks_who_draws():
                    session.enter(write(Rule("draws", TABLE)))
                return OpenedTable(archive_journal.keep(self._archive, session), line)
            self._seat_person(session, name, self._ask_deck(name, decks) if decks else "")

    def _seat_person(self, session: Session, name: str, deck: str, person: str = "") -> None:
        """Seat a person; ask which one if several have that name."""
        seat = seating.seat_word(name, {seat.seat for seat in session.view().seats})
        try:
            session.enter(write(Seat(seat, name, deck, person)))
        except UnclearPerson as error:
            if (meant := self._ask_person(error)) is not None:
                self._seat_person(session, name, deck, meant)
        except (NotationError, RuleError, ArchiveError) as error:
            self._say(error.message)
        else:
            for remark in session.remarks:
                self._say(remark)

    def _ask_record(self, rows: Sequence[DeckRow]) -> str:
        """Return the id of the record that the whole table continues; "" for none."""
        self._say(phrase("Which campaign goes on? Type its name or its id, or none for a single game."))
        return self._read_deck(rows)

    def _bring_record(self, session: Session, seat: str, deck: str) -> None:
        try:
            session.enter(write(Seat(seat, "", deck)))
        except (NotationError, RuleError, ArchiveError) as error:
            self._say(error.message)
        for remark in session.remarks:
            self._say(remark)

    def _ask_deck(self, name: str, decks: Sequence[DeckRow]) -> str:
        """Return the id of a person's deck; "" for one that is not stored."""
        self._say(
            phrase(
                "Which deck lies before {player}? Type its name or its id, or none for a deck that is not stored.",
                player=name,
            )
        )
        return self._read_deck(decks)

    def _read_deck(self, decks: Sequence[DeckRow]) -> str:
        """Return the id of a typed deck; "" for none."""
        if len(decks) <= _MOST_DECKS:
            self._say(phrase("There are {decks}.", decks=listed(map(_name_with_holder, decks))))
        while (text := self._next_input()) is not None and text.lower() != "none":
            try:
                return self._archive.find_deck(text).deck
            except (ArchiveError, DeckIdError) as error:
                self._say(error.message)
        return ""

    def _ask_person(self, error: UnclearPerson) -> str | None:
        # Translators: {marks} tell a person from others of the same name.
        persons = [
            (person, phrase("{person}: {marks}.", person=error.name, marks=marks)) for person, marks in error.people
        ]
        another = phrase("Somebody else called {person}.", person=error.name)
        return self._one_of(phrase("Which {person}?", person=error.name), (*persons, (NEW_PERSON, another)))

    def _next_input(self) -> str | None:
        """Return the next input; None at the end."""
        text = next((text for text in self._typed if text), "quit")
        while text == "?":
            self._say(_HELP)
            text = next((text for text in self._typed if text), "quit")
        return None if text.lower() in LEAVING else text

    def _one_of(
        self, question: Text, answers: Sequence[tuple[str, Text]], read: Callable[[str], str | None] = lambda _: None
    ) -> str | None:
        """Return the answer chosen by its number or its word; None if the input ends.

        Other input is passed to `read`, which may return an answer.
        """
        keys = {str(number): word for number, (word, _) in enumerate(answers, 1)}
        keys |= {word.lower(): word for word, _ in answers}
        while True:
            self._say(question)
            for number, (word, sentence) in enumerate(answers, 1):
                self._say(joined(" ", (f"{number}.", sentence, f"({word})")))
            if (text := self._next_input()) is None:
                return None
            if (chosen := keys.get(" ".join(text.lower().split())) or read(text)) is not None:
                return chosen
            self._say(phrase("“{text}” is none of the answers.", text=text))


def _question_of_seat(session: Session) -> Text:
    """Return the question who sits at the next seat; once all seats are taken, the way on."""
    view = session.view()
    number = str(len(view.seats) + 1)
    if not view.seats:
        return phrase("Seat {number}, clockwise: who sits there? Type a name.", number=number)
    if any(answer.action.verb() == Seat.verb() for prompt in view.prompts for answer in prompt.answers):
        return phrase("Seat {number}, clockwise: who sits there? Type a name, or done.", number=number)
    return phrase("All seats are taken; type done.")


def _describe_session(row: SessionRow) -> Text:
    return joined(" · ", filter(None, (registry.title(row.game, row.page), row.title, row.where)))


def _name_with_holder(row: DeckRow) -> Text:
    return phrase("{deck} (held by {person})", deck=row.name, person=row.holder) if row.holder else row.name
