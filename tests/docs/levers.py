"""What the levers of §8 do (R1.85), rehearsed: the tables of docs/levers.md, between `<!-- rehearsed: NAME -->` and
`<!-- end -->`, and its charts.

Run where rules or simulated people have changed: make levers (python -m tests.docs.levers --games 500). It takes an
hour; the prose around the tables is people's, and has to be read again.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import click
from click.testing import CliRunner

from companion.cli.main import main as companion
from labels.output import chart_drawing
from labels.output.charts import Axis, Chart, Interval, IntervalChart, IntervalRow
from tests.docs.documents import DOCS

PAGE: Final = DOCS / "levers.md"
PICTURE: Final = DOCS / "pictures" / "levers.svg"
_PART: Final = re.compile(r"(?<=<!-- rehearsed: )([\w=.-]+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)


class Lever(NamedTuple):
    """A house rule of §8 with its value, the figure of the symptom that it is for, and what else to look at.

    The last are figures of the report, by their keys, the symptom's not among them.
    """

    rule: str
    symptom: str
    figures: tuple[str, ...]


LEVERS: Final = (
    Lever("foilCost=1", "tactics-never", ("tactics-round", "tactic:foil", "early-tactics", "sniped", "any-sniped")),
    Lever(
        "killCredit=solo-lethal", "mostly-unearned", ("unearned", "hero-kills", "sniped", "glory-gap", "coppers-gap")
    ),
    Lever("easyReward=2", "labels-never", ("labels", "label-added:swift", "label-added:greedy", "label-regret")),
    Lever("sessionCopperCap=25", "purse-gap-end", ("purse-end", "runaway", "bought", "inscriptions-end", "glory-end")),
    Lever("pressure=3", "stalled", ("stalls", "converts", "rounds-boss", "falls")),
    Lever("comeback=true", "left-behind", ("glory-gap", "coppers-gap", "rounds-boss", "long-fights")),
)
"""In the order of the book."""
ALWAYS: Final = ("win", "hp-worst")
"""What every lever is asked besides."""


class People(NamedTuple):
    """The people at a table: their number and temperaments, and the `effort` of thinkers among them, 0 without any.

    `games_share` is the share of the campaigns that are played there: thinkers take a hundred times as long.
    """

    players: int
    wizards: str
    effort: int = 0
    games_share: float = 1.0


TABLES: Final = {
    "3 greedy": People(3, "greedy"),
    "3 mixed": People(3, "greedy,careful,random"),
    "3 thinking": People(3, "thinker,greedy,careful", effort=6, games_share=0.24),
    "4 greedy": People(4, "greedy"),
    "4 mixed": People(4, "greedy,careful,table,random"),
}
"""By what the page calls them."""
EVENINGS: Final = 6


class Row(NamedTuple):
    """A figure of one lever at one table: with the rules as printed, and how far the lever moves it (95 %).

    `figure` is its title, `key` what programs call it; shares are from 0 to 1.
    """

    key: str
    figure: str
    is_share: bool
    printed: float
    change: float
    low: float
    high: float

    @property
    def is_nothing(self) -> bool:
        """Whether not one campaign came out otherwise."""
        return self.change == self.low == self.high == 0

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


def games_at(table: str, games: int) -> int:
    """Return how many of `games` campaigns are played at a table."""
    return max(2, round(games * TABLES[table].games_share))


def compare(lever: Lever, table: str, games: int, jobs: int) -> dict[str, Row]:
    """The figures of a lever at a table, by key, as `companion rehearse` compares it with the rules as printed."""
    people = TABLES[table]
    words = ["rehearse", "decknforge", "--players", str(people.players), "--wizards", people.wizards]
    words += ["--evenings", str(EVENINGS)] + (["--effort", str(people.effort)] if people.effort else [])
    words += ["--games", str(games_at(table, games)), "--rule", lever.rule, "--against", "default"]
    words += ["--jobs", str(jobs), "--json"]
    result = CliRunner().invoke(companion, words, catch_exceptions=False)
    if result.exit_code:
        raise click.ClickException(result.output)
    figures: Mapping[str, Mapping[str, Any]] = json.loads(result.stdout)["figures"]
    return {key: _row(key, figures[key]) for key in (lever.symptom, *lever.figures, *ALWAYS) if key in figures}


def _row(key: str, figure: Mapping[str, Any]) -> Row:
    low, high = (math.inf if end is None else end for end in figure["difference"]["interval"])
    name = key.partition(":")[2]
    what = f"{figure['title']}: {name}" if name else figure["title"]
    is_share = figure["kind"] in ("share", "part")
    return Row(key, what, is_share, figure["against"]["value"], figure["difference"]["value"], low, high)


def table_of(lever: Lever, rows: Mapping[str, Mapping[str, Row]]) -> Iterator[str]:
    """The Markdown of a lever: a row a figure, a column a table; `rows` by table, then by key."""
    yield f"| | {' | '.join(rows)} |"
    yield f"|---|{'---|' * len(rows)}"
    for key in (lever.symptom, *lever.figures, *ALWAYS):
        title = next((of[key].figure for of in rows.values() if key in of), "")
        if title:
            cells = (cell(of[key]) if key in of else "–" for of in rows.values())
            yield f"| {title} | {' | '.join(cells)} |"


def cell(row: Row) -> str:
    """Return `48.9 % −7.7 ± 0.9`, in bold where it is sure; as printed alone where nothing ever came out otherwise.

    A sure change whose interval lies so much to one side that `±` would contain 0 has its ends: `−7.7 (−16.1 to −0.2)`.
    """
    printed = number(row.printed, row.is_share) + (" %" if row.is_share else "")
    if row.is_nothing:
        return f"{printed} ="
    change, half = number(row.change, row.is_share, "+"), number((row.high - row.low) / 2, row.is_share)
    if row.is_sure and float(change[1:]) < float(half):
        change += f" ({number(row.low, row.is_share, '+')} to {number(row.high, row.is_share, '+')})"
    else:
        change += f" ± {half}"
    return f"{printed} **{change}**" if row.is_sure else f"{printed} {change}"


def number(value: float, is_share: bool, sign: str = "") -> str:
    """A share in per cent, anything else with two digits behind the point."""
    return (f"{100 * value:{sign}.1f}" if is_share else f"{value:{sign}.2f}").replace("-", "−")


def summary(rows: Mapping[str, Mapping[str, Mapping[str, Row]]]) -> Iterator[str]:
    """The Markdown of all levers: how often their symptom shows, and the dungeons won; `rows` by rule and table."""
    tables = [*next(iter(rows.values()))]
    yield f"| lever | its symptom | {' | '.join(tables)} | dungeons won |"
    yield f"|---|---|{'---|' * len(tables)}---|"
    for lever in LEVERS:
        of = rows[lever.rule]
        symptoms = [of[table].get(lever.symptom) for table in tables]
        title = next((one.figure for one in symptoms if one), lever.symptom)
        wins = [of[table]["win"] for table in tables]
        yield (
            f"| `{lever.rule}` | {title} | {' | '.join(cell(one) if one else '–' for one in symptoms)} | "
            f"{_span(wins)} |"
        )


def size_sentence(games: int) -> str:
    """Return how many campaigns the figures are of, of `games` for each comparison."""
    fewer = {table: games_at(table, games) for table in TABLES if games_at(table, games) != games}
    exceptions = "".join(f" ({table}: {count:,})" for table, count in fewer.items())
    return f"Each figure is of {games:,} campaigns{exceptions} of {EVENINGS} evenings, played by both rules."


def chance_sentence(rows: Mapping[str, Mapping[str, Mapping[str, Row]]]) -> str:
    """Return how many cells are bold, and how many would be by chance alone; `rows` by rule and table."""
    cells = [row for tables in rows.values() for of in tables.values() for row in of.values()]
    unequal = [row for row in cells if not row.is_nothing]
    bold = sum(row.is_sure for row in unequal)
    return (
        f"Of {len(cells)} cells {len(cells) - len(unequal)} are `=`. Of the other {len(unequal)} are {bold} bold; "
        f"about {round(len(unequal) / 20)} would be by chance alone, where no lever did anything."
    )


def charts_of(rows: Mapping[str, Mapping[str, Mapping[str, Row]]]) -> Iterator[Chart]:
    """A chart a lever: how far it moves its symptom at each table, beside a line at 0; `rows` by rule and table."""
    for lever in LEVERS:
        symptoms = {table: of[lever.symptom] for table, of in rows[lever.rule].items() if lever.symptom in of}
        first = next(iter(symptoms.values()), None)
        if first is not None:
            size = 100 if first.is_share else 1
            unit = "percentage points" if first.is_share else "more or less"
            lines = tuple(
                IntervalRow(
                    table,
                    (Interval(*(size * end for end in (row.change, row.low, row.high))),),
                    "=" if row.is_nothing else number(row.change, row.is_share, "+"),
                )
                for table, row in symptoms.items()
            )
            yield IntervalChart(f"{lever.rule}: {first.figure}", Axis(unit), lines, reference=0.0)


def _span(wins: Sequence[Row]) -> str:
    """How far the dungeons won move, of the tables where that is sure."""
    changes = sorted(row.change for row in wins if row.is_sure)
    if not changes:
        return "no sure change"
    ends = dict.fromkeys(number(change, True, "+") for change in (changes[0], changes[-1]))
    return f"{' to '.join(ends)} points"


def rewrite(text: str, parts: Mapping[str, Iterable[str]]) -> str:
    """The page's text with its rehearsed parts anew, those that are given."""

    def anew(match: re.Match[str]) -> str:
        lines = parts.get(match[1])
        return match[0] if lines is None else f"{match[1]}{match[2]}" + "".join(f"{line}\n" for line in lines)

    return _PART.sub(anew, text)


def names(text: str) -> list[str]:
    """The names of the rehearsed parts of a page."""
    return [name for name, _ in _PART.findall(text)]


@click.command()
@click.option("--games", type=click.IntRange(2), default=500, show_default=True, help="Campaigns of each comparison.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
def main(games: int, jobs: int) -> None:
    """Rehearse every lever at every table and write the tables and charts of docs/levers.md anew."""
    rows: dict[str, dict[str, dict[str, Row]]] = {lever.rule: {} for lever in LEVERS}
    pairs = [(lever, table) for lever in LEVERS for table in TABLES]
    with click.progressbar(pairs, label="Rehearsing", file=sys.stderr) as bar:
        for lever, table in bar:
            rows[lever.rule][table] = compare(lever, table, games, jobs)
    parts: dict[str, Iterable[str]] = {lever.rule: table_of(lever, rows[lever.rule]) for lever in LEVERS}
    parts["summary"] = summary(rows)
    parts["chance"] = (chance_sentence(rows),)
    parts["size"] = (size_sentence(games),)
    PAGE.write_text(rewrite(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")
    drawing = chart_drawing.as_svg(tuple(charts_of(rows)), "What each lever does to its symptom")
    PICTURE.write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
