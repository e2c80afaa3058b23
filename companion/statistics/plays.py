"""Games that are over as plays for other programs: BG Stats, a spreadsheet, or anything that reads JSON.

People are called as they want to be called outside of the house.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from companion.archive import Archive, people
from companion.archive.lists import fold
from companion.archive.results import Directory, ResultRow, find_result, read_directory, read_results
from companion.games import registry
from companion.tabletop.match_result import Contender, Result


class Player(msgspec.Struct, frozen=True):
    """Somebody who played: `deck` is the name of what they played, `final` the figures that were left."""

    seat: str
    name: str
    person: str
    result: Result
    deck: str
    deck_id: str
    version: int
    final: dict[str, int]


class Play(msgspec.Struct, frozen=True):
    """A game that is over. `began` is known where it is known how long it took, else it is when it ended.

    `together` says that all won or lost as one; `rules` are the house rules that differ from the book, None where that
    is not known.
    """

    session: str
    title: str
    game: str
    game_title: str
    began: datetime
    ended: datetime
    minutes: int
    venue: str
    outcome: str
    together: bool
    turns: int
    rules: dict[str, str] | None
    figures: dict[str, int]
    players: tuple[Player, ...]


def read_plays(archive: Archive, session: str = "") -> tuple[Play, ...]:
    """All games that are over, oldest first, or that of one session; nothing where that goes on."""
    name_of = people.names_outside(archive)
    with archive.store.reading() as transaction:
        directory = read_directory(transaction)
        one = find_result(transaction, session) if session else None
        rows = [one] if one else [] if session else list(read_results(transaction))
        titles = {key: title for key, (title, _) in transaction.titles(row.session for row in rows).items()}
    return tuple(_play(row, titles.get(row.session, ""), directory, name_of) for row in rows)


def _play(row: ResultRow, title: str, directory: Directory, name_of: Callable[[str, str], str]) -> Play:
    result = row.result
    players = tuple(_player(each, place, directory, name_of) for place, each in enumerate(result.players, 1))
    seats = {each.seat: player.seat for each, player in zip(result.players, players, strict=True)}
    return Play(
        row.session,
        title,
        row.game,
        registry.title(row.game, row.page),
        row.at - timedelta(minutes=result.minutes),
        row.at,
        result.minutes,
        result.venue,
        seats.get(result.outcome, result.outcome),
        result.is_shared,
        result.turns,
        result.rules,
        result.figures,
        players,
    )


def _player(each: Contender, place: int, directory: Directory, name_of: Callable[[str, str], str]) -> Player:
    """Somebody as they are called outside; whose name does not go there leaves a seat that says no name either."""
    person = directory.find(each)
    own = directory.name(person, each.name)
    name = name_of(own, person)
    seat = each.seat if name == own else f"seat{place}"
    deck = directory.decks.get(each.deck) or each.called
    return Player(seat, name or each.seat, person, each.result, deck, each.deck, each.version, each.final)


def as_csv(plays: Sequence[Play]) -> str:
    """A row for each of the people of each game; figures that are counted in any of them have columns of their own."""
    left = list(dict.fromkeys(word for play in plays for player in play.players for word in player.final))
    counted = list(dict.fromkeys(word for play in plays for word in play.figures))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = ("session", "title", "game", "began", "ended", "minutes", "venue", "outcome", "turns", "house rules")
    of_player = ("seat", "name", "result", "deck", "deck id", "version", "opponents")
    writer.writerow([*head, *counted, *of_player, *left])
    for play in plays:
        whole = [
            *(play.session, play.title, play.game_title, _moment(play.began), _moment(play.ended)),
            *(play.minutes or "", play.venue, play.outcome, play.turns, _rules(play)),
            *(play.figures.get(word, "") for word in counted),
        ]
        for player in play.players:
            others = () if play.together else (each.name for each in play.players if each is not player)
            own = [player.seat, player.name, player.result, player.deck, player.deck_id, player.version or ""]
            figures = (player.final.get(word, "") for word in left)
            writer.writerow([_cell(cell) for cell in (*whole, *own, ", ".join(others), *figures)])
    return text.getvalue()


def _cell(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _moment(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M:%S}"


def _rules(play: Play) -> str:
    return ", ".join(f"{key} {value}" for key, value in sorted((play.rules or {}).items()))


def as_bgstats(plays: Sequence[Play]) -> dict[str, Any]:
    """The plays as a file of BG Stats (`.bgsplay`): games, places and people stand in lists of their own, by numbers.

    A play has the same uuid whenever it is written, so that to read it again changes it and doubles nothing.
    """
    together = {play.game for play in plays if play.together}
    games = _Numbers({play.game: play.game_title for play in plays})
    venues = _Numbers({play.venue: play.venue for play in plays if play.venue})
    persons = _Numbers({_who(player): player.name for play in plays for player in play.players})
    return {
        "about": "Written by table-companion",
        "games": [
            {
                "id": number,
                "uuid": _uuid("game", game),
                "name": games.about[game],
                "bggId": 0,
                "cooperative": game in together,
                "highestWins": True,
                "noPoints": game in together,
                "usesTeams": False,
            }
            for game, number in games
        ],
        "locations": [{"id": number, "uuid": _uuid("venue", venue), "name": venue} for venue, number in venues],
        "players": [
            {"id": number, "uuid": _uuid("person", who), "name": persons.about[who], "isAnonymous": False}
            for who, number in persons
        ],
        "plays": [
            {
                "uuid": _uuid("session", play.session),
                "gameRefId": games.number(play.game),
                **({"locationRefId": venues.number(play.venue)} if play.venue else {}),
                "playDate": _moment(play.began),
                "playDateYmd": int(f"{play.began.astimezone():%Y%m%d}"),
                "durationMin": play.minutes,
                "rounds": play.turns,
                "board": "",
                "comments": _comments(play),
                "playerScores": [
                    {
                        "playerRefId": persons.number(_who(player)),
                        "score": "" if play.together else str(next(iter(player.final.values()), "")),
                        "winner": player.result == "won",
                        "startPlayer": False,
                        "rank": 1 if player.result == "won" or play.outcome == "draw" else 2,
                        "role": player.deck,
                        "seatOrder": at,
                    }
                    for at, player in enumerate(play.players, 1)
                ],
            }
            for play in plays
        ],
        "userInfo": {"meRefId": 0},
    }


class _Numbers:
    """Things with what is known of each, by numbers from 1 on."""

    def __init__(self, about: dict[str, str]) -> None:
        self.about = about
        self._numbers = {thing: number for number, thing in enumerate(about, 1)}

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self._numbers.items())

    def number(self, thing: str) -> int:
        return self._numbers[thing]


def _who(player: Player) -> str:
    """By what somebody is told apart: their id, or their name where they have none."""
    return player.person or fold(player.name)


def _uuid(kind: str, key: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"table-companion:{kind}:{key}"))


def _comments(play: Play) -> str:
    """What a play has no field for."""
    figures = (
        f"{player.name}: {', '.join(f'{word} {value}' for word, value in player.final.items())}"
        for player in play.players
        if player.final
    )
    rules = _rules(play)
    return ". ".join(filter(None, (play.title, f"House rules: {rules}" if rules else "", *figures)))


def as_json(plays: Iterable[Play]) -> str:
    """The plays as they are."""
    return msgspec.json.format(msgspec.json.encode(list(plays)), indent=2).decode() + "\n"
