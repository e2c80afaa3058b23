"""The growth of campaigns: figures of whole campaigns, and of each evening by its number.

All other figures are counted for each dungeon alone and summed over the evenings of a campaign. A figure of a campaign
of twelve evenings is thus one of twelve dungeons, with an interval that accounts for their correlation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.rehearsal.bands import shop_of
from companion.games.decknforge.rehearsal.campaign import Campaign
from companion.games.decknforge.rehearsal.dungeon import SimulatedDungeon
from companion.tabletop.rehearsal import Counts, Figure, UnitOutcome

CAMPAIGN_FIGURES: Final = (
    Figure("bands", "Bands of a campaign", "mean", "bands", "All that were founded, those after a retirement too."),
    Figure("band-life", "Life of a retired band", "ratio", "dungeons", "Dungeons that it completed, the last one too."),
    Figure("drifted", "Bands that drifted", "part", "bands", "Went to another wizard after a dungeon (R1.82)."),
    Figure("bought", "Inscriptions bought", "ratio", "an evening", "Of each wizard, in a Turning (R1.83)."),
    Figure("lost", "Inscriptions lost", "ratio", "an evening", "Of each band: faded, or taken by Cursed (R1.81)."),
    Figure(
        "richest-again",
        "The richest earned most",
        "part",
        "evenings",
        "Whoever had the most Coppers when the evening began.",
    ),
    Figure("purse-end", "Coppers at the end", "ratio", "Coppers", "In each purse after the last evening."),
    Figure(
        "purse-gap-end", "Richest to poorest at the end", "mean", "Coppers", "Between purses, after the last evening."
    ),
    Figure(
        "mythics-end", "Mythics in hand at the end", "ratio", "Mythics", "Of each wizard, earned and not yet placed."
    ),
    Figure(
        "inscriptions-end", "Inscriptions at the end", "ratio", "inscriptions", "Of each band after the last evening."
    ),
    Figure("labels-end", "Labels at the end", "ratio", "labels", "On each Monster after the last evening."),
    Figure("glory-end", "Glory at the end", "ratio", "Glory", "On each band's box after the last evening."),
)
"""Figures of whole campaigns, not of single dungeons."""
CAMPAIGN_TABLES: Final = (
    Figure("seat-purse", "Coppers at the end by seat", "mean", "Coppers", "In the purse after the last evening."),
    Figure(
        "bought-name", "Inscriptions bought by name", "mean", "a campaign", "How often all wizards together buy it."
    ),
    Figure("evening-win", "Dungeons won by evening", "share", "dungeons", "From the first evening on."),
    Figure("evening-bosses", "Bosses killed by evening", "mean", "Bosses", "How many of the six died.", step=6, most=6),
    Figure("evening-rounds-boss", "Rounds a Boss by evening", "ratio", "rounds", "Of the Bosses that were killed."),
    Figure("evening-falls", "Falls by evening", "mean", "falls", "How often a wizard fell to 0 HP."),
    Figure(
        "evening-hp-kill", "HP left at a kill by evening", "ratio", "HP", "Of each wizard, 0 for those who have fallen."
    ),
    Figure("evening-sniped", "Kills taken by evening", "part", "kills", "By Tactics, from another."),
    Figure("evening-coppers", "Coppers earned by evening", "ratio", "Coppers", "Of each wizard, gross."),
    Figure("evening-purse", "Purse by evening", "ratio", "Coppers", "Of each wizard as the evening begins."),
    Figure("evening-gap", "Richest to poorest by evening", "mean", "Coppers", "Between purses as the evening begins."),
    Figure("evening-age", "Dungeons of a band by evening", "ratio", "dungeons", "Completed as the evening begins."),
    Figure(
        "evening-inscriptions", "Inscriptions by evening", "ratio", "inscriptions", "Of a band as the evening begins."
    ),
    Figure(
        "evening-labels", "Labels by evening", "ratio", "labels", "On all Monsters of a band as the evening begins."
    ),
    Figure("evening-labels-added", "Labels added by evening", "mean", "labels", "Written on Bosses (R1.71)."),
    Figure("evening-bought", "Bought by evening", "ratio", "inscriptions", "Of each wizard in the Turning (R1.83)."),
    Figure("evening-lost", "Lost by evening", "ratio", "inscriptions", "Of each band: faded, or taken by Cursed."),
    Figure("evening-mythics", "Mythics earned by evening", "mean", "Mythics", "By kills of Legends (R1.55)."),
    Figure("evening-drifted", "Bands that drifted by evening", "part", "bands", "Went to another wizard (R1.82)."),
    Figure("evening-retired", "Bands that retired by evening", "part", "bands", "No Blessed card was left (R1.81)."),
)
"""Figures by name; `evening-…` by the number of the evening. Keys are permanent."""
_AS_COUNTED: Final = {
    "evening-win": "win",
    "evening-bosses": "bosses",
    "evening-rounds-boss": "rounds-boss",
    "evening-falls": "falls",
    "evening-hp-kill": "hp-kill",
    "evening-sniped": "sniped",
    "evening-coppers": "coppers",
    "evening-labels-added": "labels",
    "evening-mythics": "mythics",
    "evening-retired": "retired",
}
"""Tables with the values of a figure of the dungeon."""

_Sum = defaultdict[str, list[float]]


def sum_outcomes(outcomes: Sequence[UnitOutcome]) -> UnitOutcome:
    """Return the outcome of several dungeons: the sums of their counts, and all their lines."""
    figures = sum_counts([outcome.figures for outcome in outcomes])
    keys = {key: None for outcome in outcomes for key in outcome.tables}
    tables = {key: sum_counts([outcome.tables.get(key, {}) for outcome in outcomes]) for key in keys}
    return UnitOutcome(figures, tables, tuple(line for outcome in outcomes for line in outcome.lines))


def sum_counts(several: Sequence[Counts]) -> Counts:
    """Return the sums of numerators and denominators, by key."""
    total: _Sum = defaultdict(lambda: [0, 0])
    for counts in several:
        for key, (numerator, denominator) in counts.items():
            total[key][0] += numerator
            total[key][1] += denominator
    return {key: (one[0], one[1]) for key, one in total.items()}


class CampaignTally:
    """The counts of a campaign, evening by evening."""

    def __init__(self) -> None:
        self.outcomes: list[UnitOutcome] = []
        self._figures: _Sum = defaultdict(lambda: [0, 0])
        self._tables: defaultdict[str, _Sum] = defaultdict(lambda: defaultdict(lambda: [0, 0]))

    def add(self, dungeon: SimulatedDungeon) -> None:
        """Add one evening."""
        assert dungeon.tally is not None
        assert dungeon.tally.start is not None
        outcome = dungeon.tally.outcome(dungeon.table, tuple(dungeon.lines or ()))
        self.outcomes.append(outcome)
        number = str(len(self.outcomes))
        for table, figure in _AS_COUNTED.items():
            self._tables[table][number] = [*outcome.figures[figure]]
        for table, count in _as_it_begins(dungeon.tally.start).items():
            self._tables[table][number] = [*count]
        for figure, count in _after_game(dungeon.table).items():
            self._tables[f"evening-{figure}"][number] = [*count]
            self._add_figure(figure, *count)
        self._count_richest(dungeon)
        for change in dungeon.table.changes:
            if change.what == "bought":
                self._tables["bought-name"][change.inscription][0] += 1

    def _add_figure(self, figure: str, numerator: float, denominator: float) -> None:
        self._figures[figure][0] += numerator
        self._figures[figure][1] += denominator

    def _count_richest(self, dungeon: SimulatedDungeon) -> None:
        """Count whether the richest wizard also earned most; a tie in either is not counted."""
        wizards = dungeon.table.wizards
        purses = sorted(wizard.starting_purse for wizard in wizards)
        earned = sorted(wizard.earned for wizard in wizards)
        if len(wizards) > 1 and purses[-1] > purses[-2] and earned[-1] > earned[-2]:
            richest = max(wizards, key=lambda wizard: wizard.starting_purse)
            self._add_figure("richest-again", richest.earned == earned[-1], 1)

    def outcome(self, campaign: Campaign) -> UnitOutcome:
        """Return all counts, once the last evening is over."""
        whole = sum_outcomes(self.outcomes)
        records = campaign.records()
        retired = [record for record in records.values() if record.retired]
        held = [records[deck] for deck in campaign.brings.values()]
        purses = [campaign.purses[seat.capitalize()] for seat in campaign.seats]
        monsters = [monster for record in held for monster in record.monsters.values()]
        wizards = len(campaign.seats)
        self._add_figure("bands", len(records), 1)
        self._add_figure("band-life", sum(record.dungeons for record in retired), len(retired))
        self._add_figure("purse-end", sum(purses), wizards)
        self._add_figure("purse-gap-end", max(purses) - min(purses), 1)
        self._add_figure("mythics-end", campaign.keepsakes.total(), wizards)
        self._add_figure("inscriptions-end", sum(sum(map(len, record.inscribed.values())) for record in held), wizards)
        self._add_figure("labels-end", sum(len(monster.labels) for monster in monsters), len(monsters))
        self._add_figure("glory-end", sum(record.glory for record in held), wizards)
        for seat, purse in zip(campaign.seats, purses, strict=True):
            self._tables["seat-purse"][seat] = [purse, 1]
        for name in shop_of(campaign.book).prices:
            self._tables["bought-name"][name][1] = 1
        figures: Counts = {key: (one[0], one[1]) for key, one in self._figures.items()}
        tables = {key: {name: (one[0], one[1]) for name, one in table.items()} for key, table in self._tables.items()}
        return UnitOutcome(whole.figures | figures, whole.tables | tables, whole.lines)


def _as_it_begins(table: DungeonTable) -> Counts:
    """Return the counts as an evening begins."""
    wizards, bands = len(table.wizards), table.bands.values()
    purses = [wizard.starting_purse for wizard in table.wizards]
    return {
        "evening-purse": (sum(purses), wizards),
        "evening-gap": (max(purses) - min(purses), 1),
        "evening-age": (sum(band.dungeons for band in bands), wizards),
        "evening-inscriptions": (sum(len(names) for band in bands for names in band.inscribed.values()), wizards),
        "evening-labels": (sum(len(monster.labels) for monster in table.monsters.values()), wizards),
    }


def _after_game(table: DungeonTable) -> Counts:
    """Return the counts of Fading, Drifting and Turning."""
    wizards = table.wizards
    changes = [change.what for change in table.changes]
    picks = [wizard for wizard in wizards if wizard.holds]
    return {
        "bought": (changes.count("bought"), len(wizards)),
        "lost": (sum(what in ("faded", "cursed") for what in changes), len(wizards)),
        "drifted": (sum(wizard.holds != wizard.seat for wizard in picks), len(picks)),
    }
