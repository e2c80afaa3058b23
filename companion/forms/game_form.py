"""The form that describes a game: a ready one, a changed copy of one, or a new one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from companion.archive import Archive
from companion.games import registry
from companion.games.described import sketch
from companion.games.described.game import DescribedGame
from companion.games.described.page.description import Description
from companion.games.described.page.reading import PageError, read_description
from companion.games.described.page.texts import as_written
from companion.games.described.page.writing import write_page
from companion.games.game_search import synonyms_of
from companion.games.listing import ListedGame
from companion.session.table import game_pages
from companion.session.table.form_filling import FormResult, FormState
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import Filled, Finding, FormPlace, Values
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.table import TableView
from templates.languages.messages import listed, phrase

OWN: Final = ListedGame("", "A game of your own", "from a few answers", "added")
_OWN_TITLE: Final = phrase("A game of your own")
_OWN_ABOUT: Final = phrase("from a few answers")
"""The entry for a form that copies no game."""


_PLAY: Final = phrase("Play it")
_KEEP: Final = phrase("Keep it and play")


class GameForm:
    """The form for a game; see `companion.session.table.form_filling.Fillable`. `origin` is the game that is played or
    copied.

    `view` previews a table of the last answers that described a playable game.
    """

    title = phrase("Another game")

    def __init__(self, archive: Archive, origin: ListedGame) -> None:
        self._archive = archive
        self._origin = origin
        self.base = game_pages.description_of(origin.name) if origin.name else sketch.EMPTY
        self.view: TableView | None = None
        self._begun = sketch.page_answers(self.base)
        self._is_changed = not origin.name
        self.done = _KEEP if self._is_changed else _PLAY

    def initial_values(self) -> Values:
        """Return the answers of the page that is copied; for a new game, the usual ones."""
        return self._begun

    def build_state(self, values: Values) -> FormState:
        """Report the questions, the errors in the answers, and the parts of the page that stay as they are."""
        answers = values or self._begun
        self._is_changed = not self._origin.name or dict(answers) != self._begun
        self.done = _KEEP if self._is_changed else _PLAY
        page, findings = self._page(answers)
        stands_in_the_way = self._try_on_table(page)
        findings = findings or stands_in_the_way
        besides = listed(sketch.kept_besides(self.base))
        # Translators: {parts} are parts of a game's page that a copy takes over.
        copied = phrase("From {game}, as they are: {parts}.", game=self.base.title, parts=besides)
        change = copied if besides and self._is_changed else ""
        return FormState(sketch.questions(answers, self.base), Filled(as_written(page.title), findings, change=change))

    def _page(self, values: Values) -> tuple[Description, tuple[Finding, ...]]:
        """Return the page that the answers describe; a copy of a game that comes with the program needs its
        own title.
        """
        if not self._is_changed:
            return self.base, ()
        page, findings = sketch.describe(values, self.base)
        if self._origin.origin == "ready":
            page = replace(page, by="", edition=1)
            if page.name == self.base.name:
                text = phrase("This is not {game} any more: give your copy a title of its own.", game=self.base.title)
                findings = (*findings, Finding(text, place=FormPlace("title")))
        elif page.name == self.base.name:
            page = replace(page, edition=self.base.edition + 1)
        else:
            page = replace(page, edition=1)
        try:
            registry.refuse_taken(page.name)
        except NotationError as error:
            findings = (*findings, Finding(str(error), place=FormPlace("title")))
        return page, findings

    def _try_on_table(self, page: Description) -> tuple[Finding, ...]:
        """Put the game on a table that is never stored, and return what prevents it."""
        try:
            game = DescribedGame(
                read_description(write_page(page if page.title else replace(page, title=str(OWN.title))))
            )
            self.view = game.view(sketch.sample_table(game))
        except PageError as error:
            return tuple(
                Finding(_sentence(str(fault.text)), place=sketch.place_of(fault.key, page)) for fault in error.faults
            )
        except (NotationError, RuleError) as error:
            return (Finding(str(error)),)
        return ()

    def candidates(self, values: Values, place: FormPlace, typed: str) -> Candidates:  # noqa: ARG002 – what a form may need
        """Offer the choices of the question."""
        choices = sketch.choices({**self._begun, **values}, place, self.base)
        if choices is not None:
            return choices
        field = next(field for field in sketch.questions(values, self.base) if field.name == place.field)
        field = field.part(place.part) if place.part else field
        return Open(field.explanation, field.example)

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:  # noqa: ARG002
        """Refuse: chance describes no game."""
        raise RuleError(phrase("This cannot be drawn; only you can answer it."))

    def keep(self, values: Values) -> FormResult:
        """Store the page unless it is unchanged, and return the game. Raises NotationError."""
        self.build_state(values)
        if not self._is_changed:
            return FormResult(self._origin.name, "")
        page, _ = self._page(values)
        name = game_pages.keep_page(self._archive, write_page(page))
        # Translators: `table {name}` is a line that is typed.
        text = phrase("{game} is kept; `table {name}` opens a table of it.", game=page.title, name=page.name)
        return FormResult(name, text)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def origins(archive: Archive) -> tuple[ListedGame, ...]:
    """Return the games that a form can begin with: none, the user's own, those that come with the program.

    Raises ArchiveError.
    """
    described = (each for each in game_pages.all_games(archive) if each.origin in ("added", "ready"))
    return (OWN, *described)


def opener(archive: Archive, listed: tuple[ListedGame, ...]) -> Callable[[str], GameForm]:
    """Return a function that opens the form for one of these games, by its name."""
    by_name = {each.name: each for each in listed}
    return lambda name: GameForm(archive, by_name[name])


def choices(listed: tuple[ListedGame, ...]) -> tuple[Choice, ...]:
    """Return these games as choices."""
    return tuple(
        Choice(each.name, _OWN_TITLE, _OWN_ABOUT)
        if each is OWN
        else Choice(each.name, each.title, synonyms=synonyms_of(each))
        for each in listed
    )
