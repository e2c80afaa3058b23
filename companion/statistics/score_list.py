"""Reading of old scores from a CSV file: a row for each game, or for each player of a game.

Three layouts are understood, by the names of the columns:

- `date, players, scores`: a row for each game, with the players in one cell and their scores in another;
- `date, Ana, Ben, Cy`: a row for each game, with a column for each player;
- `date, player, score`: a row for each player; rows of one date are one game until a player comes again.

A column `game` names the game, `winner` who won, `minutes` how long it took, and `number` tells games of one day apart.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final, Literal, NamedTuple

import msgspec

from companion.archive.errors import Unreadable
from companion.archive.exchange.play_import import source_of
from companion.archive.storage.entries import PlayKept
from companion.archive.storage.lists import fold
from companion.statistics.outside_plays import (
    GameFacts,
    KnownGames,
    PlayerScore,
    clean_name,
    is_datable,
    read_score,
    result_of,
)
from companion.tabletop.action import NotationError
from templates.languages.messages import Message, phrase

SCORES_AUTHOR: Final = "list of scores"
"""The author of the entries; it never changes."""
SCORES: Final = "scores"
"""The program in the sources of these plays; it never changes."""
DateOrder = Literal["dmy", "mdy"]
"""The order of the day, the month and the year in dates such as `3/4/2024`."""
_NOON: Final = 12
"""The hour (UTC) of a game of which only the day is known, which is that day in nearly every time zone."""
_MAX_MINUTES: Final = 100_000
_HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("date", "day", "played", "datum", "tag", "jour", "fecha", "día"),
    "players": ("players", "names", "spieler", "joueurs", "jugadores"),
    "player": ("player", "name", "mitspieler", "joueur", "jugador"),
    "scores": ("scores", "points", "results", "punkte", "ergebnisse", "puntos"),
    "score": ("score", "result", "ergebnis", "puntos del jugador"),
    "winner": ("winner", "winners", "won", "sieger", "gewinner", "vainqueur", "ganador"),
    "game": ("game", "title", "spiel", "jeu", "juego"),
    "minutes": ("minutes", "duration", "length", "minuten", "dauer", "durée", "minutos"),
    "number": ("number", "no", "no.", "nr", "nr.", "#", "id", "session"),
}
"""The heads of columns with a meaning, in the languages of the program; any other head is the name of a player."""
_YEAR_FIRST: Final = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:[T ].*)?")
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-./])(\d{1,2})[-./](\d{4})(?:[T ,].*)?")
_LIST: Final = re.compile(r"\s*[;,/|+&]\s*")
_MONTHS: Final = 12


class ScoreList(NamedTuple):
    """The games of a list, and the sentences on the rows that are left out."""

    plays: tuple[PlayKept, ...]
    problems: tuple[Message, ...]


class Choices(NamedTuple):
    """A user's answers about a list: its game, the order of its dates, and which score is the best."""

    game: str = ""
    dates: DateOrder | None = None
    lowest_wins: bool | None = None


Question = Literal["game", "dates", "best"]
"""A fact that a list may leave open, as in `Choices`."""


class OpenQuestion(NotationError):
    """Something that the user must say about a list before it can be read; the message names the option for it."""

    def __init__(self, question: Question, message: Message) -> None:
        super().__init__(message)
        self.question = question


class _Row(NamedTuple):
    line: int
    cells: Mapping[str, str]
    by_player: Mapping[str, str]


def read_scores(content: bytes, name: str, choices: Choices) -> ScoreList:
    """Read a list of scores. Raises Unreadable, naming the file, if it is none, and OpenQuestion if something must be
    said about it first.
    """
    rows = _read_rows(content, name)
    return _Reading(rows, choices).read()


def _read_rows(content: bytes, name: str) -> list[_Row]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    text = text.strip("\r\n")
    mark = max("\t;,", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        (_, head), *body = [(reader.line_num, cells) for cells in reader if any(map(str.strip, cells))] or [(1, [])]
    except csv.Error as error:
        raise Unreadable(
            phrase("“{file}” is not a table of scores: {reason}.", file=name, reason=str(error))
        ) from error
    meanings = _meanings(head, [cells for _, cells in body])
    if "date" not in meanings:
        raise Unreadable(
            phrase(
                "“{file}” is not a table of scores: its first row must name the columns, such as date, players and "
                "scores.",
                file=name,
            )
        )
    is_wide = not {"players", "player"} & set(meanings)
    rows = []
    for line, cells in body:
        pairs = list(zip(head, meanings, cells, strict=False))
        meant = {meaning: cell.strip() for _, meaning, cell in pairs if meaning}
        others = {clean_name(title): cell.strip() for title, meaning, cell in pairs if not meaning and title.strip()}
        rows.append(_Row(line, meant, others if is_wide else {}))
    return rows


def _meanings(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Return the meaning of each column; "" if its head is the name of a player.

    A column of players has a row for each of them if no cell names several, whatever it is called.
    """
    meanings = [_meaning(cell) for cell in head]
    if "players" in meanings and "player" not in meanings:
        at = meanings.index("players")
        if not any(_LIST.search(cells[at]) for cells in body if at < len(cells)):
            meanings = [_OF_ONE.get(meaning, meaning) for meaning in meanings]
    return meanings


_OF_ONE: Final[Mapping[str, str]] = {"players": "player", "scores": "score"}


def _meaning(head: str) -> str:
    key = fold(head)
    return next((meaning for meaning, heads in _HEADS.items() if key in heads), "")


class _Reading:
    """A list while it is read."""

    def __init__(self, rows: Sequence[_Row], choices: Choices) -> None:
        self._rows, self._choices = rows, choices
        self._known_games = KnownGames()
        self._facts: dict[str, GameFacts] = {}
        self._problems: list[Message] = []
        self._order = choices.dates or _date_order([row.cells.get("date", "") for row in rows])

    def read(self) -> ScoreList:
        plays: list[PlayKept] = []
        same: dict[str, int] = {}
        for row, day, scores in self._games():
            title = clean_name(row.cells.get("game") or self._choices.game)
            if not title:
                which = phrase("Which game are these scores of? Say so with --game, such as --game rummy.")
                raise OpenQuestion("game", which)
            facts = self._facts_of(title)
            self._check_winner(facts, scores)
            minutes = row.cells.get("minutes", "")
            result = result_of(scores, facts, minutes=int(minutes) if _is_short(minutes) else 0)
            if result is None:
                self._problems.append(phrase("Row {line}: nobody knows who won.", line=str(row.line)))
                continue
            key = msgspec.json.encode((title, day, row.cells.get("number", ""), scores), enc_hook=str).decode()
            same[key] = same.get(key, 0) + 1
            at = datetime(day.year, day.month, day.day, _NOON, tzinfo=UTC)
            source = source_of(SCORES, f"{key} {same[key]}")
            plays.append(PlayKept(source, title, at, at, result, facts.word))
        return ScoreList(tuple(plays), tuple(self._problems))

    def _games(self) -> Iterator[tuple[_Row, date, list[PlayerScore]]]:
        """Yield the games with their first rows; rows that cannot be read are reported."""
        open_game: tuple[_Row, date, list[PlayerScore]] | None = None
        for row in self._rows:
            day = self._read_day(row)
            if day is None:
                continue
            if "player" not in row.cells or "players" in row.cells:
                if scores := self._scores_of_game(row):
                    yield row, day, scores
                continue
            score = self._score_of_player(row, row.cells["player"], row.cells.get("score", row.cells.get("scores", "")))
            if score is None:
                continue
            if open_game is not None and not _is_same_game(open_game, row, day, score):
                yield open_game
                open_game = None
            if open_game is None:
                open_game = row, day, []
            open_game[2].append(score)
        if open_game is not None:
            yield open_game

    def _read_day(self, row: _Row) -> date | None:
        day = _read_date(row.cells.get("date", ""), self._order)
        if day is None:
            self._problems.append(phrase("Row {line}: there is no date such as 2024-05-31.", line=str(row.line)))
        return day

    def _scores_of_game(self, row: _Row) -> list[PlayerScore]:
        if row.by_player:
            pairs = [(name, cell) for name, cell in row.by_player.items() if cell]
        else:
            names = [name for name in _LIST.split(row.cells.get("players", "")) if name]
            figures = _split_scores(row.cells.get("scores", row.cells.get("score", "")))
            if figures and len(figures) != len(names):
                self._problems.append(
                    phrase(
                        "Row {line}: the number of scores ({scores}) is not that of the players ({players}).",
                        line=str(row.line),
                        scores=str(len(figures)),
                        players=str(len(names)),
                    )
                )
                return []
            pairs = list(zip(names, figures or [""] * len(names), strict=True))
        scores = [self._score_of_player(row, name, cell) for name, cell in pairs]
        if not scores:
            self._problems.append(phrase("Row {line}: there are no players.", line=str(row.line)))
        return [score for score in scores if score is not None] if None not in scores else []

    def _score_of_player(self, row: _Row, name: str, cell: str) -> PlayerScore | None:
        figure = read_score(cell) if cell else None
        if cell and figure is None:
            self._problems.append(
                phrase("Row {line}: “{cell}” is no score.", line=str(row.line), cell=clean_name(cell)[:40])
            )
            return None
        winners = [fold(each) for each in _LIST.split(row.cells.get("winner", "")) if each]
        won = None
        if winners:
            won = fold(name) in winners or (len(winners) == 1 and "player" in row.cells and winners[0] in _YES)
        return PlayerScore(clean_name(name), figure, won)

    def _facts_of(self, title: str) -> GameFacts:
        facts = self._facts.get(title)
        if facts is None:
            facts = self._known_games.find(title)
            if facts.lowest_wins is None:
                facts = facts._replace(lowest_wins=self._choices.lowest_wins)
            self._facts[title] = facts
        return facts

    def _check_winner(self, facts: GameFacts, scores: Sequence[PlayerScore]) -> None:
        """Raise OpenQuestion if scores decide who won, but nobody said which score is the best."""
        if facts.lowest_wins is None and all(score.won is None and score.score is not None for score in scores):
            raise OpenQuestion(
                "best", phrase("Does the highest or the lowest score win? Say so with --highest-wins or --lowest-wins.")
            )


_YES: Final = ("yes", "y", "x", "1", "true", "won", "ja", "j", "oui", "sí", "si")


def _is_same_game(game: tuple[_Row, date, list[PlayerScore]], row: _Row, day: date, score: PlayerScore) -> bool:
    first, of_game, scores = game
    same = all(first.cells.get(key, "") == row.cells.get(key, "") for key in ("game", "number"))
    return same and day == of_game and all(fold(each.name) != fold(score.name) for each in scores)


def _split_scores(cell: str) -> list[str]:
    """Split the scores in a cell, at semicolons if it has any, so that decimals may have commas."""
    if not cell:
        return []
    if ";" in cell or "|" in cell or "/" in cell:
        return [each.strip() for each in re.split(r"[;|/]", cell)]
    return re.split(r"\s*,\s*|\s+", cell)


def _is_short(minutes: str) -> bool:
    return minutes.isascii() and minutes.isdigit() and int(minutes[:9]) <= _MAX_MINUTES


def _date_order(texts: Sequence[str]) -> DateOrder | None:
    """Return the order that all dates of a list can have; None if no date says so.

    A date with points has the day first. Raises OpenQuestion if both orders are possible.
    """
    unclear = ""
    orders: set[DateOrder] = set()
    for match in filter(None, (_YEAR_LAST.fullmatch(text) for text in texts)):
        first, second = int(match[1]), int(match[3])
        if match[2] == "." or first > _MONTHS:
            orders.add("dmy")
        elif second > _MONTHS:
            orders.add("mdy")
        elif first != second:
            unclear = unclear or match[0]
    if len(orders) == 1:
        return orders.pop()
    if unclear:
        raise OpenQuestion(
            "dates",
            phrase(
                "Does “{date}” begin with the day or the month? Say so with --dates dmy or --dates mdy.",
                date=unclear,
            ),
        )
    return None


def _read_date(text: str, order: DateOrder | None) -> date | None:
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, day = (int(part) for part in match.groups()[:3])
    elif match := _YEAR_LAST.fullmatch(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        day, month = (second, first) if order == "mdy" and match[2] != "." else (first, second)
    else:
        return None
    try:
        at = datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
    return at.date() if is_datable(at) else None
