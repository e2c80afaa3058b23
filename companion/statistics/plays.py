"""Finished games as plays for other programs: BG Stats, a spreadsheet, or anything that reads JSON.

People have their public names.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

import msgspec

from companion.archive import Archive
from companion.archive.people import people
from companion.archive.storage.lists import fold
from companion.archive.storage.results import (
    Directory,
    ResultRow,
    find_result,
    key_of_play,
    read_changes_of_people,
    read_directory,
    read_results,
)
from companion.games import registry
from companion.statistics.rankings import bgg_number, places_of, ranking_of
from companion.tabletop.table.match_result import Result

T = TypeVar("T")


class GamePlayer(msgspec.Struct, frozen=True):
    """A player: `deck` is the name of the deck played, `final` the final figures.

    `place` is shared in a tie, and 0 if all played together; `is_first` marks the first turn. `score` is the figure by
    which the game ranks people, else the first final one; None without any. `changed` is when the person's data last
    changed. `seconds` is the time of their turns, 0 if no clock counted it.
    """

    seat: str
    name: str
    person: str
    result: Result
    deck: str
    deck_id: str
    version: int
    final: dict[str, int]
    place: int
    is_first: bool
    score: int | None
    changed: datetime
    seconds: int = 0


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game. `began` is the time of its end if its duration is unknown.

    `together` if all won or lost as one, `lowest_wins` if the lowest score is the best; `bgg` is the number of the game
    at BoardGameGeek, 0 if unknown. `rules` are the house rules that differ from the book, None if unknown.
    """

    session: str
    title: str
    game: str
    game_title: str
    bgg: int
    began: datetime
    ended: datetime
    minutes: int
    venue: str
    outcome: str
    together: bool
    lowest_wins: bool
    turns: int
    rules: dict[str, str] | None
    figures: dict[str, int]
    players: tuple[GamePlayer, ...]

    @property
    def is_session(self) -> bool:
        """Return True unless another program has recorded the game."""
        return not self.session.startswith(key_of_play(""))


def read_plays(archive: Archive, session: str = "") -> tuple[FinishedGame, ...]:
    """Return all finished games, oldest first, or that of one session; empty if that goes on."""
    name_of = people.names_outside(archive)
    with archive.store.reading() as transaction:
        directory = read_directory(transaction)
        one = find_result(transaction, session) if session else None
        rows = [one] if one else [] if session else list(read_results(transaction))
        titles = {key: title for key, (title, _) in transaction.titles(row.session for row in rows).items()}
        changed = read_changes_of_people(transaction, directory)
    bgg_numbers = {page: bgg_number(*page) for page in {(row.game, row.page) for row in rows}}

    def play_of(row: ResultRow) -> FinishedGame:
        players = _players(row, directory, name_of, changed)
        return _play(row, titles.get(row.session, ""), bgg_numbers[row.game, row.page], players)

    return tuple(map(play_of, rows))


def _players(
    row: ResultRow, directory: Directory, name_of: Callable[[str, str], str], changed: Mapping[str, datetime]
) -> Iterator[GamePlayer]:
    """Yield the players with their names for outside; a hidden name is not in the seat, either."""
    result, ranking = row.result, ranking_of(row)
    for number, (each, place) in enumerate(zip(result.players, places_of(row), strict=True), 1):
        person = directory.find(each)
        own = directory.name(person, each.name)
        name = name_of(own, person)
        yield GamePlayer(
            each.seat if name == own else f"seat{number}",
            name or each.seat,
            person,
            each.result,
            directory.decks.get(each.deck) or each.called,
            each.deck,
            each.version,
            each.final,
            place,
            is_first=bool(each.seat) and each.seat == result.first,
            score=each.final.get(ranking.counter) if ranking else next(iter(each.final.values()), None),
            changed=max(row.at, changed.get(person, row.at)),
            seconds=each.seconds,
        )


def _play(row: ResultRow, title: str, bgg: int, called: Iterable[GamePlayer]) -> FinishedGame:
    result, ranking, players = row.result, ranking_of(row), tuple(called)
    seats = {each.seat: player.seat for each, player in zip(result.players, players, strict=True)}
    return FinishedGame(
        row.session,
        title,
        row.game,
        str(registry.title(row.game, row.page)),
        bgg,
        row.at - timedelta(minutes=result.minutes),
        row.at,
        result.minutes,
        result.venue,
        "+".join(seats.get(seat, seat) for seat in result.outcome.split("+")),
        result.is_shared,
        ranking is not None and ranking.lowest_wins,
        result.turns,
        result.rules,
        result.figures,
        players,
    )


def as_csv(plays: Sequence[FinishedGame]) -> str:
    """Return a CSV row for each player of each game; figures counted in any game have columns of their own."""
    left = list(dict.fromkeys(word for play in plays for player in play.players for word in player.final))
    counted = list(dict.fromkeys(word for play in plays for word in play.figures))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ("session", "title", "game", "began", "ended", "minutes", "venue", "outcome", "turns", "house rules")
    of_player = ("seat", "name", "place", "began", "result", "deck", "deck id", "version", "opponents")
    has_times = any(player.seconds for play in plays for player in play.players)
    writer.writerow([*head, *counted, *of_player, *left, *(["minutes of turns"] if has_times else [])])
    for play in plays:
        whole = [
            *(play.session, play.title, play.game_title, _moment(play.began), _moment(play.ended)),
            *(play.minutes or "", play.venue, play.outcome, play.turns, _rules(play)),
            *(play.figures.get(word, "") for word in counted),
        ]
        for player in play.players:
            others = () if play.together else (each.name for each in play.players if _who(each) != _who(player))
            place, began = player.place or "", "yes" if player.is_first else ""
            own = [
                player.seat,
                player.name,
                place,
                began,
                player.result,
                player.deck,
                player.deck_id,
                player.version or "",
            ]
            figures = [player.final.get(word, "") for word in left]
            figures += [round(player.seconds / 60) or ""] if has_times else []
            writer.writerow([plain_cell(cell) for cell in (*whole, *own, ", ".join(others), *figures)])
    return text.getvalue()


def plain_cell(cell: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _moment(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M:%S}"


def _rules(play: FinishedGame) -> str:
    return ", ".join(f"{key} {value}" for key, value in sorted((play.rules or {}).items()))


def as_bgstats(plays: Sequence[FinishedGame]) -> dict[str, Any]:
    """Return the plays as a file of BG Stats (`.bgsplay`): games, places and people are in numbered lists of their own.

    A play always has the same uuid, so that importing it again updates it and duplicates nothing.
    """
    together = {play.game for play in plays if play.together}
    newest = {play.game: play for play in plays}
    games = _Numbers(newest)
    venues = _Numbers({play.venue: play for play in plays if play.venue})
    persons = _Numbers({_who(player): player for play in plays for player in play.players})
    return {
        "about": "Written by table-companion",
        "games": [
            {
                "id": number,
                "uuid": _uuid("game", game),
                "name": newest[game].game_title,
                "bggId": newest[game].bgg,
                "cooperative": game in together,
                "highestWins": not newest[game].lowest_wins,
                "noPoints": game in together,
                "usesTeams": False,
                "modificationDate": _moment(newest[game].ended),
            }
            for game, number in games
        ],
        "locations": [
            {
                "id": number,
                "uuid": _uuid("venue", venue),
                "name": venue,
                "modificationDate": _moment(venues.about[venue].ended),
            }
            for venue, number in venues
        ],
        "players": [
            {
                "id": number,
                "uuid": _uuid("person", who),
                "name": persons.about[who].name,
                "isAnonymous": False,
                "modificationDate": _moment(persons.about[who].changed),
            }
            for who, number in persons
        ],
        "plays": [
            {
                "uuid": uuid_of_play(play),
                "gameRefId": games.number(play.game),
                **({"locationRefId": venues.number(play.venue)} if play.venue else {}),
                "modificationDate": _moment(play.ended),
                "playDate": _moment(play.began),
                "playDateYmd": int(f"{play.began.astimezone():%Y%m%d}"),
                "durationMin": play.minutes,
                "rounds": play.turns,
                "board": "",
                "comments": _comments(play),
                "playerScores": [
                    {
                        "playerRefId": persons.number(_who(player)),
                        **_bgstats_score(play, player),
                        "seatOrder": at,
                    }
                    for at, player in enumerate(_people_of(play), 1)
                ],
            }
            for play in plays
        ],
        "userInfo": {"meRefId": 0},
    }


def bgstats_link(play: FinishedGame) -> str:
    """Return the address that hands a play to the app BG Stats on the device where it is opened.

    The app shows the play before it stores it. Source: the app's documentation of `createPlay`.
    """
    data = {
        "sourceName": "table-companion",
        "sourcePlayId": play.session,
        "playDate": _moment(play.began),
        "durationMin": play.minutes,
        "board": "",
        "comments": _comments(play),
        "location": play.venue,
        "game": {
            "name": play.game_title,
            "sourceGameId": play.game,
            "bggId": play.bgg,
            "highestWins": not play.lowest_wins,
            "noPoints": play.together,
        },
        "players": [
            {
                "name": player.name,
                "sourcePlayerId": _who(player),
                **_bgstats_score(play, player),
                **_figure(play, player),
            }
            for player in _people_of(play)
        ],
    }
    return f"bgstats://app.bgstatsapp.com/createPlay.html?data={quote(msgspec.json.encode(data))}"


def _figure(play: FinishedGame, player: GamePlayer) -> dict[str, int]:
    """Return the score as a number, which a link has where a file has text; nothing if there is none."""
    return {} if play.together or player.score is None else {"score": player.score}


def _bgstats_score(play: FinishedGame, player: GamePlayer) -> dict[str, Any]:
    """Return how a person did, in the fields of BG Stats."""
    return {
        "score": "" if play.together or player.score is None else str(player.score),
        "winner": player.result == "won",
        "startPlayer": player.is_first,
        "rank": player.place and 1 + sum(each.place < player.place for each in _people_of(play)),
        "role": player.deck,
    }


class _Numbers(Generic[T]):
    """Things with their data, numbered from 1."""

    def __init__(self, about: dict[str, T]) -> None:
        self.about = about
        self._numbers = {thing: number for number, thing in enumerate(about, 1)}

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self._numbers.items())

    def number(self, thing: str) -> int:
        return self._numbers[thing]


def _who(player: GamePlayer) -> str:
    """Return what identifies a person: the id, or the name without one."""
    return player.person or fold(player.name)


def _people_of(play: FinishedGame) -> tuple[GamePlayer, ...]:
    """Return each person once: of several seats, the seat with the best place."""
    best: dict[str, GamePlayer] = {}
    for player in sorted(play.players, key=lambda player: player.place):
        best.setdefault(_who(player), player)
    return tuple(player for player in play.players if best[_who(player)] is player)


def uuid_of_play(play: FinishedGame) -> str:
    """Return the id of a play in files of BG Stats."""
    return _uuid("session", play.session)


def _uuid(kind: str, key: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"table-companion:{kind}:{key}"))


def _comments(play: FinishedGame) -> str:
    """Return what a play has no field for."""
    figures = (
        f"{player.name}: {', '.join(f'{word} {value}' for word, value in player.final.items())}"
        for player in play.players
        if player.final
    )
    rules = _rules(play)
    return ". ".join(filter(None, (play.title, f"House rules: {rules}" if rules else "", *figures)))


def as_json(plays: Iterable[FinishedGame]) -> str:
    """Return the plays as JSON."""
    return msgspec.json.format(msgspec.json.encode(list(plays)), indent=2).decode() + "\n"
