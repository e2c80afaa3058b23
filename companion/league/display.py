"""Standings and pairings as rows: for a terminal, a screen, a page, a sheet on paper, CSV and programs alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from companion.archive.storage.entries import Scoring
from companion.league.league import UNPAIRED, LeagueMatch
from companion.league.season import Season, describe_result
from companion.league.standings import TIE_BREAKS, LeagueStanding, show_figure, show_points, standings, tie_breaks
from templates.languages.messages import ENGLISH, Message, Text, joined, phrase, phrase_in, phrases, render_value

_SHORT: Final[Mapping[str, Text]] = {
    "omw": "OMW",
    "gw": "GW",
    "ogw": "OGW",
    "buchholz": "BH",
    "buchholz-cut": "BH-1",
    "sonneborn-berger": "SB",
    "head-to-head": "H2H",
    "wins": phrase_in("heading", "WINS"),
    "games": "±",
    "score": phrase_in("heading", "SCORE"),
    "rung": phrase_in("heading", "RUNG"),
}
_ORDERS: Final[Mapping[str, Message]] = {
    # Translators: the orders in which the places of equal people are decided, by their first tie-break
    "match-win": phrase_in("ties", "match-win"),
    "buchholz": phrase_in("ties", "buchholz"),
    "head-to-head": phrase_in("ties", "head-to-head"),
    "score": phrase_in("ties", "score"),
    "ladder": phrase_in("ties", "ladder"),
}
FORMS: Final[Mapping[str, Message]] = {
    "round-robin": phrase("round robin"),
    # Translators: the pairing system of chess tournaments.
    "swiss": phrase("Swiss"),
    "ladder": phrase("ladder"),
}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Prefixes that make a spreadsheet take a cell for a formula."""


class LeagueColumn(NamedTuple):
    """A column of a table: its key, which is also its heading in a spreadsheet, and its heading."""

    key: str
    heading: Text


class TableOfRows(NamedTuple):
    """A table as text: columns, and rows with as many cells."""

    columns: tuple[LeagueColumn, ...]
    rows: tuple[tuple[Text, ...], ...]

    @property
    def headings(self) -> tuple[Text, ...]:
        """The headings of its columns."""
        return tuple(column.heading for column in self.columns)

    def as_csv(self) -> str:
        """Return the table for a spreadsheet; cells that it would take for formulas get an apostrophe."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([column.key for column in self.columns])
        for row in self.rows:
            # Programs read the same words in every language.
            cells = (render_value(cell, ENGLISH) for cell in row)
            writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) and len(cell) > 1 else cell for cell in cells])
        return text.getvalue()


def describe_league(season: Season) -> Message:
    """Describe a league in a line.

    For example: `Swiss · 16 people · round 2 of 5 · 3 for a win, 1 for a draw · match-win, edition 1`.
    """
    created = season.league.created
    scoring = created.scoring
    parts: tuple[Text, ...] = (
        created.game,
        phrase("{form}, tables of {seats}", form=FORMS[created.form], seats=created.seats)
        if created.seats > 2
        else FORMS[created.form],
        _count_people(len(season.league.active)),
        _describe_progress(season),
        describe_points(scoring),
        phrase(
            "ties: {order}, edition {edition}",
            order=_ORDERS.get(scoring.order, scoring.order),
            edition=str(scoring.edition),
        ),
        " ".join(created.rules),
        phrase("closed") if season.league.closed else "",
    )
    return joined(" · ", [part for part in parts if part])


def _count_people(number: int) -> Message:
    return phrase("{people} people", people=str(number))


def _describe_progress(season: Season) -> Message:
    if not season.league.rounds:
        return phrase("no round yet")
    now = str(season.league.rounds)
    if season.league.created.rounds:
        return phrase("round {round} of {rounds}", round=now, rounds=str(season.league.created.rounds))
    return phrase("round {round}", round=now)


def describe_points(scoring: Scoring) -> Message:
    """Describe the points of a match in a few words."""
    if scoring.by_score:
        return phrase("points as scored")
    if scoring.places:
        return phrase("points by place {points}", points="-".join(map(str, scoring.places)))
    win, draw = str(scoring.win), str(scoring.draw)
    if scoring.loss:
        return phrase(
            "{win} for a win, {draw} for a draw, {loss} for a loss", win=win, draw=draw, loss=str(scoring.loss)
        )
    return phrase("{win} for a win, {draw} for a draw", win=win, draw=draw)


def tie_break_names(season: Season) -> tuple[tuple[Text, Text], ...]:
    """Return the tie-breaks of a league in order: the heading of each, and its name."""
    return tuple((_SHORT[key], TIE_BREAKS[key]) for key in tie_breaks(season.league.created.scoring))


def standings_table(season: Season, *, outside: bool = False) -> TableOfRows:
    """Return the standings: place, name, points, matches, games and tie-breaks."""
    scoring = season.league.created.scoring
    keys = tie_breaks(scoring)
    columns = (
        LeagueColumn("place", phrase_in("heading", "PLACE")),
        LeagueColumn("name", phrase_in("heading", "NAME")),
        LeagueColumn("points", phrase_in("heading", "POINTS")),
        # Translators: won, drawn, lost, in the order of the cells below, such as 3-1-0.
        LeagueColumn("w-d-l", phrase_in("heading", "W-D-L")),
        LeagueColumn("byes", phrase_in("heading", "BYES")),
        LeagueColumn("games", phrase_in("heading", "GAMES")),
        *(LeagueColumn(render_value(_SHORT[key], ENGLISH).casefold(), _SHORT[key]) for key in keys),
    )
    names = season.names(outside=outside)
    rows = tuple(
        (
            str(line.place),
            names[line.person] if line.active else phrase("{person} (left)", person=names[line.person]),
            show_points(line.points),
            record_of(line),
            str(line.byes),
            f"{line.games[0]}-{line.games[1]}",
            *(_show_tie(line, key) for key in keys),
        )
        for line in standings(season.league)
    )
    return TableOfRows(columns, rows)


def _show_tie(line: LeagueStanding, key: str) -> Text:
    """Format a tie-break; `–` if it has only its minimum, because there is nothing to compute it from yet."""
    return show_figure(key, line.ties[key]) if line.has(key) else "–"


def record_of(line: LeagueStanding) -> str:
    """Format matches won, drawn and lost: `3-1-0`."""
    return f"{line.won}-{line.level}-{line.lost}"


def pairings_table(season: Season, number: int, *, outside: bool = False) -> TableOfRows:
    """Return the matches of a round: table, people, and the result as far as it is known."""
    rows = tuple(
        (str(match.table), pairing(season, match, outside=outside), describe_result(season, match, outside=outside))
        for match in season.league.round(number)
    )
    columns = (
        LeagueColumn("table", phrase_in("heading", "TABLE")),
        LeagueColumn("match", phrase_in("heading", "MATCH")),
        LeagueColumn("result", phrase_in("heading", "RESULT")),
    )
    return TableOfRows(columns, rows)


def pairing(season: Season, match: LeagueMatch, *, outside: bool = False) -> str:
    """Format a pairing, the beginner first: `Ana – Ben`."""
    return " – ".join(season.name(person, outside=outside) for person in match.people)


def round_title(season: Season, number: int) -> Message:
    """Return the title of a round: `Round 2 of 5`, with the number of times it was drawn again."""
    if number == UNPAIRED:
        return phrase("Matches outside the pairings")
    rounds, times = season.league.created.rounds, season.league.redrawn.get(number, 0)
    title = (
        phrase("Round {round} of {rounds}", round=str(number), rounds=str(rounds))
        if rounds
        else phrase("Round {round}", round=str(number))
    )
    if not times:
        return title
    # Translators: {round} is “Round 2 of 5”.
    return phrases("{round}, drawn again once", "{round}, drawn again {n} times", n=times, round=title)


def plain_standings(season: Season) -> dict[str, Any]:
    """Return the standings for programs, with public names."""
    names = season.names(outside=True)
    lines = [
        {
            "place": line.place,
            "name": names[line.person],
            "person": line.person,
            "active": line.active,
            "points": _number(line.points),
            "played": line.played,
            "won": line.won,
            "drawn": line.level,
            "lost": line.lost,
            "byes": line.byes,
            "games": {"won": line.games[0], "lost": line.games[1], "drawn": line.games[2]},
            "score": line.score,
            "ties": {key: _number(figure) for key, figure in line.ties.items()},
        }
        for line in standings(season.league)
    ]
    return {**plain_league(season), "standings": lines}


def plain_league(season: Season) -> dict[str, Any]:
    """Return a league for programs, without its people and matches."""
    created = season.league.created
    scoring = created.scoring
    return {
        "league": season.row.league,
        "name": season.row.name,
        "game": created.game,
        "form": created.form,
        "rules": created.rules,
        "seats": created.seats,
        "rounds": created.rounds,
        "round": season.league.rounds,
        "people": len(season.league.players),
        "closed": season.league.closed,
        "scoring": {
            "edition": scoring.edition,
            "order": scoring.order,
            "win": scoring.win,
            "draw": scoring.draw,
            "loss": scoring.loss,
            "bye": scoring.bye,
            "places": scoring.places,
            "by_score": scoring.by_score,
        },
    }


def plain_pairings(season: Season, number: int) -> dict[str, Any]:
    """Return a round for programs, with public names."""
    matches = [
        {
            "table": match.table,
            "people": [season.name(person, outside=True) for person in match.people],
            "persons": match.people,
            "bye": match.is_bye,
            "result": None
            if match.result is None
            else {
                "places": match.result.places,
                "games": match.result.games,
                "games_drawn": match.result.games_drawn,
                "scores": match.result.scores,
                "absent": [season.name(match.people[at], outside=True) for at in match.result.absent],
                "session": match.result.session,
            },
        }
        for match in season.league.round(number)
    ]
    return {
        **plain_league(season),
        "round": number,
        "redrawn": season.league.redrawn.get(number, 0),
        "pairings": matches,
    }


def _number(figure: Any) -> int | float:
    return int(figure) if figure.denominator == 1 else round(float(figure), 6)


def narrow_rows(
    season: Season, *, outside: bool = False
) -> Iterator[tuple[LeagueStanding, str, Sequence[tuple[Text, str]]]]:
    """Yield each line of the standings for a small screen, with the name and the other figures with their headings."""
    keys = tie_breaks(season.league.created.scoring)
    names = season.names(outside=outside)
    for line in standings(season.league):
        figures = [(_SHORT[key], str(_show_tie(line, key)).removesuffix(" %")) for key in keys]
        yield line, names[line.person], figures
