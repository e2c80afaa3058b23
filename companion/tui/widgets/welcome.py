"""The welcome of an empty archive: the program's name, the games that it knows, and the ways to begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from textual.content import Content
from textual.widgets.option_list import Option

from companion.games.game_search import find_games
from companion.tui import drawing
from companion.tui.widgets.panel import ChoosingList
from templates.languages.messages import Text, phrase, phrases

if TYPE_CHECKING:
    from companion.games.listing import ListedGame

_NAME: Final = "TABLE COMPANION"
_ABOUT: Final = phrase("You play with real cards. The companion lies beside them: it remembers, adds up, and explains.")
# Translators: The messages from here on are titles of ways to begin (at most 20 letters), each with its continuation.
_WAYS: Final = (
    ("sample", phrase("Look around"), phrase("in a sample campaign: three decks, two evenings")),
    ("found", phrase("Build a deck"), phrase("from new cards, step by step")),
    ("adopt", phrase("Adopt a deck"), phrase("that has lived on paper, from its record sheet")),
)
_ASKS: Final = phrase("What do you play?")
_ANOTHER: Final = (phrase("Another game…"), phrase("A ready one, a changed copy, or one of your own."))
_NO_GAME: Final = phrase("No game has these words; below, you can describe one of your own.")
_FIRST: Final = "found"
"""The way that Enter takes."""
_MOST_GAMES: Final = 9
"""The number of games that have a digit."""

_LETTERS: Final = {
    "T": ("#####", "  #  ", "  #  ", "  #  ", "  #  "),
    "A": (" ## ", "#  #", "####", "#  #", "#  #"),
    "B": ("### ", "#  #", "### ", "#  #", "### "),
    "L": ("#   ", "#   ", "#   ", "#   ", "####"),
    "E": ("####", "#   ", "### ", "#   ", "####"),
    "C": (" ###", "#   ", "#   ", "#   ", " ###"),
    "O": (" ## ", "#  #", "#  #", "#  #", " ## "),
    "M": ("#   #", "## ##", "# # #", "#   #", "#   #"),
    "P": ("### ", "#  #", "### ", "#   ", "#   "),
    "N": ("#   #", "##  #", "# # #", "#  ##", "#   #"),
    "I": ("#", "#", "#", "#", "#"),
    " ": ("  ", "  ", "  ", "  ", "  "),
}
"""The letters of the name, five dots high."""
_BLOCKS: Final = {"  ": " ", "# ": "▀", " #": "▄", "##": "█"}
"""The block characters: a cell shows two dots, one above the other."""


def _letter_rows(text: str) -> list[str]:
    return [" ".join(_LETTERS[letter][row] for letter in text) for row in range(len(_LETTERS["T"]))]


def drawn_name(width: int, height: int) -> tuple[str, ...]:
    """Return the program's name in the largest letters that fit: in two rows, in one row, or as plain text."""
    stacked = [row.replace("#", "██").replace(" ", "  ") for word in _NAME.split() for row in (*_letter_rows(word), "")]
    if height >= _HIGH and width >= max(map(len, stacked)):
        return tuple(stacked[:-1])
    dots = [*_letter_rows(_NAME), ""]
    dots[-1] = " " * len(dots[0])
    if width < len(dots[0]):
        return (_NAME.title(),)
    return tuple(
        "".join(_BLOCKS[above + below] for above, below in zip(dots[row], dots[row + 1], strict=True))
        for row in range(0, len(dots), 2)
    )


class Welcome(ChoosingList, can_focus=False):
    """Ways to begin; each has the name of home's action for it, without the namespace."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        super().__init__(id=id)
        self.border_title = str(phrase("Welcome to {program}", program=_NAME.title()))
        self._all_games: tuple[ListedGame, ...] = ()
        self._games: tuple[str, ...] = ()
        """The names of the games with a row, in order."""
        self._abouts: dict[str, str] = {}
        self._text = ""
        self._rows_shown = 0
        """The height for which the games were chosen."""

    def offer(self, games: Sequence[ListedGame]) -> None:
        """Show these games from now on, and the other ways to begin; Enter takes the one that builds a deck."""
        self._all_games = tuple(games)
        self._show()

    def search(self, text: str) -> None:
        """Show the games that match a text, the best first and highlighted; "" shows the first ones again."""
        if text != self._text:
            self._text = text
            if self._all_games:
                self._show()

    def on_resize(self) -> None:
        """Fill the rows that there are now: a long sentence in the status line takes some of them."""
        if not self._all_games or self.size.height == self._rows_shown:
            return
        chosen = self.chosen
        self._show()
        if any(option.id == chosen for option in self.options):
            self.highlighted = self.get_option_index(chosen)

    def _show(self) -> None:
        width, height = self.app.size
        self._rows_shown = self.size.height
        matches = find_games(self._all_games, self._text)
        games = matches.games if matches.has_all_words else ()
        ways = tuple(
            Option(Content.assemble((f"{title!s:<{_TITLE + 4}} ", drawing.BOLD), (str(about), drawing.DIM)), action)
            for action, title, about in _WAYS
        )
        # The row of the question, and the last one, which leads to any other game.
        room = max(self.size.height - len(ways) - 2, _MOST_GAMES + 2)
        visible = games if len(games) <= room else games[: room - 1]
        self._games = tuple(game.name for game in visible)
        self._abouts = {
            _begin_action(game.name): str(_description(game, has_digits=not self._text)) for game in visible
        }
        rows = tuple(_rows(visible, width - _FRAME, has_digits=not self._text))
        if len(visible) < len(games):
            left = len(games) - len(visible)
            more = phrases("… and {n} more; type what you play.", "… and {n} more; type what you play.", n=left)
            rows = (*rows[:-1], _dim_row(more), rows[-1])
        elif not games:
            rows = (_dim_row(_NO_GAME), *rows)
        # If the games need the rows, everything else gives way.
        spare = self.size.height - len(rows) - len(ways) - 1
        letters = drawn_name(width - _FRAME, height if spare >= _ROOM_FOR_LETTERS else 0)
        heading = (
            *([Content.styled("\n".join(letters), drawing.ACCENT)] if spare >= _ROOM_FOR_NAME else []),
            *([Content(str(_ABOUT))] if spare >= _ROOM_FOR_ABOUT else []),
        )
        question = (Option(Content.styled(str(_ASKS), drawing.BOLD), disabled=True), *rows)
        parts: Sequence[tuple[Option, ...]] = (tuple(Option(each, disabled=True) for each in heading), question, ways)
        if height >= _HIGH and spare >= _ROOM_FOR_LETTERS + len(rows) + len(ways):
            parts = tuple(map(_set_apart, parts))
        between = [None] if spare >= _ROOM_FOR_LINES else []
        self.set_options([*parts[0], *between, *parts[1], *between, *parts[2]])
        first = _begin_action(self._games[0]) if self._text and self._games else "" if self._text else _FIRST
        self.highlighted = self.get_option_index(first) if first else None

    @property
    def chosen(self) -> str:
        """The highlighted way."""
        return "" if self.highlighted is None else str(self.get_option_at_index(self.highlighted).id)

    @property
    def cut_about(self) -> str:
        """The description of the highlighted game if its row is cut; else ""."""
        row = self.highlighted_option
        return self._abouts.get(self.chosen, "") if row is not None and str(row.prompt).endswith("…") else ""

    def way_of_digit(self, text: str) -> str:
        """Return the way that has a digit; "" for any other text."""
        number = int(text) if text.isascii() and text.isdecimal() and len(text) == 1 else 0
        games = self._all_games[:_MOST_GAMES]
        return _begin_action(games[number - 1].name) if 0 < number <= len(games) else ""

    def answers(self, text: str) -> bool:
        """Return True if a typed text chooses a way: a digit, or a search that some games match."""
        if not self.way_of_digit(text):
            self.search(text)
        return bool(self.chosen)


_FRAME: Final = 6
"""Columns beside the name: the border, its padding, the scrollbar."""
_HIGH: Final = 36
"""Rows from which on there is room for empty rows between."""
_TITLE: Final = 17
_LONGEST_TITLE: Final = 26
_ROOM_FOR_ABOUT: Final = 3
_ROOM_FOR_LINES: Final = 4
_ROOM_FOR_NAME: Final = 7
_ROOM_FOR_LETTERS: Final = 15
"""Rows to spare for the description of the program, for lines between, and for its name in two sizes of letters."""


def _set_apart(options: Iterable[Option]) -> tuple[Option, ...]:
    """Return the options with an empty row after each."""
    return tuple(each for option in options for each in (option, Option("", disabled=True)))


def _brief(about: Text) -> str:
    """Return a sentence without its full stop, for a row of a list."""
    return str(about).removesuffix(".")


def _begin_action(game: str) -> str:
    return f"new('{game}')"


def _dim_row(text: Text) -> Option:
    """Return a row that cannot be chosen."""
    return Option(Content.styled(f"    {text}", drawing.DIM), disabled=True)


def _description(game: ListedGame, *, has_digits: bool) -> Text:
    """Return the sentence beside a game, for a list with digits or for one that was searched."""
    return game.about if has_digits else game.suits or game.about


def _rows(games: Sequence[ListedGame], width: int, *, has_digits: bool) -> Iterator[Option]:
    """Yield a row per game, the first ones with their digits; the last row leads to any other game.

    Games that were searched have no digits, and the well-known games that they suit instead of their descriptions.
    """
    titles = max((len(str(game.title)) for game in games), default=0) + 1
    title_width = max(_TITLE, min(titles, _LONGEST_TITLE))
    for number, game in enumerate(games, 1):
        key = f"{number}" if number <= _MOST_GAMES and has_digits else " "
        name = Content(str(game.title)).truncate(title_width - 1, ellipsis=True).plain
        title = f" {name:<{title_width}} "
        about = Content.assemble(
            (f" {key} ", drawing.ACCENT), (title, drawing.BOLD), _brief(_description(game, has_digits=has_digits))
        )
        yield Option(about.truncate(width, ellipsis=True), _begin_action(game.name))
    another, about_others = _ANOTHER
    row = Content.assemble(
        ("   ", drawing.ACCENT), (f" {another!s:<{title_width}} ", drawing.BOLD), _brief(about_others)
    )
    yield Option(row.truncate(width, ellipsis=True), "another")
