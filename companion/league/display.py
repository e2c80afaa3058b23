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

_SHORT: Final[Mapping[str, str]] = {
    "omw": "OMW",
    "gw": "GW",
    "ogw": "OGW",
    "buchholz": "BH",
    "buchholz-cut": "BH-1",
    "sonneborn-berger": "SB",
    "head-to-head": "H2H",
    "wins": "WINS",
    "games": "±",
    "score": "SCORE",
    "rung": "RUNG",
}
FORMS: Final[Mapping[str, str]] = {
    "round-robin": "everybody against everybody",
    "swiss": "Swiss",
    "ladder": "ladder",
}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Prefixes that make a spreadsheet take a cell for a formula."""


class TableOfRows(NamedTuple):
    """A table as text: headings, and rows with as many cells."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def as_csv(self) -> str:
        """Return the table for a spreadsheet; cells that it would take for formulas get an apostrophe."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([heading.casefold() for heading in self.headings])
        for row in self.rows:
            writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) and len(cell) > 1 else cell for cell in row])
        return text.getvalue()


def describe_league(season: Season) -> str:
    """Describe a league in a line.

    For example: `Swiss · 16 people · round 2 of 5 · 3 for a win, 1 for a draw · match-win, edition 1`.
    """
    created = season.league.created
    scoring = created.scoring
    rounds = f"round {season.league.rounds}" + (f" of {created.rounds}" if created.rounds else "")
    parts = (
        created.game,
        FORMS[created.form] + (f", tables of {created.seats}" if created.seats > 2 else ""),
        f"{len(season.league.active)} people",
        rounds if season.league.rounds else "no round yet",
        describe_points(scoring),
        f"ties: {scoring.order}, edition {scoring.edition}",
        " ".join(created.rules),
        "closed" if season.league.closed else "",
    )
    return " · ".join(part for part in parts if part)


def describe_points(scoring: Scoring) -> str:
    """Describe the points of a match in a few words."""
    if scoring.by_score:
        return "points are what was scored"
    if scoring.places:
        return f"points by place {'-'.join(map(str, scoring.places))}"
    loss = f", {scoring.loss} for a loss" if scoring.loss else ""
    return f"{scoring.win} for a win, {scoring.draw} for a draw{loss}"


def tie_break_names(season: Season) -> tuple[tuple[str, str], ...]:
    """Return the tie-breaks of a league in order: the heading of each, and its name."""
    return tuple((_SHORT[key], TIE_BREAKS[key]) for key in tie_breaks(season.league.created.scoring))


def standings_table(season: Season, *, outside: bool = False) -> TableOfRows:
    """Return the standings: place, name, points, matches, games and tie-breaks."""
    scoring = season.league.created.scoring
    keys = tie_breaks(scoring)
    headings = ("PLACE", "NAME", "POINTS", "W-D-L", "BYES", "GAMES", *(_SHORT[key] for key in keys))
    names = season.names(outside=outside)
    rows = tuple(
        (
            str(line.place),
            names[line.person] + ("" if line.active else " (left)"),
            show_points(line.points),
            record_of(line),
            str(line.byes),
            f"{line.games[0]}-{line.games[1]}",
            *(_show_tie(line, key) for key in keys),
        )
        for line in standings(season.league)
    )
    return TableOfRows(headings, rows)


def _show_tie(line: LeagueStanding, key: str) -> str:
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
    return TableOfRows(("TABLE", "MATCH", "RESULT"), rows)


def pairing(season: Season, match: LeagueMatch, *, outside: bool = False) -> str:
    """Format a pairing, the beginner first: `Ana – Ben`."""
    return " – ".join(season.name(person, outside=outside) for person in match.people)


def round_title(season: Season, number: int) -> str:
    """Return the title of a round: `Round 2 of 5`, with the number of times it was drawn again."""
    if number == UNPAIRED:
        return "Matches that nobody paired"
    of = f" of {season.league.created.rounds}" if season.league.created.rounds else ""
    times = season.league.redrawn.get(number, 0)
    again = f", drawn again {'once' if times == 1 else f'{times} times'}" if times else ""
    return f"Round {number}{of}{again}"


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
) -> Iterator[tuple[LeagueStanding, str, Sequence[tuple[str, str]]]]:
    """Yield each line of the standings for a small screen, with the name and the other figures with their headings."""
    keys = tie_breaks(season.league.created.scoring)
    names = season.names(outside=outside)
    for line in standings(season.league):
        figures = [(_SHORT[key], _show_tie(line, key).removesuffix(" %")) for key in keys]
        yield line, names[line.person], figures
