"""What a rehearsal counts: the catalogue of figures, and the tally that a dungeon keeps while it is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from companion.games.decknforge import actions as do
from companion.games.decknforge.arithmetic import compute_strike, killing_hit
from companion.games.decknforge.inscriptions import counts_as_hero
from companion.games.decknforge.state import DungeonTable, Upcard
from companion.games.decknforge.watchlist import COPPER_CAP, EARLY_ROUNDS, TACTICS, killer_without, kills_boss
from companion.tabletop.action import Action
from companion.tabletop.common_actions import Next
from companion.tabletop.game import PlayedAction
from companion.tabletop.rehearsal import Counts, Figure, Outcome

FIGURES: Final = (
    Figure("win", "Dungeons won", "share", "dungeons", "All six Bosses were killed (R1.17)."),
    Figure("bosses", "Bosses killed", "mean", "Bosses", "How many of the six died."),
    Figure("rounds", "Rounds", "mean", "rounds", "Rounds of all fights together."),
    Figure("rounds-boss", "Rounds a Boss", "ratio", "rounds", "Rounds it took, of the Bosses that were killed."),
    Figure("falls", "Falls", "mean", "falls", "How often a wizard fell to 0 HP and was out of the fight (R1.17)."),
    Figure("hp-kill", "HP left at a kill", "ratio", "HP", "HP of each wizard as a Boss dies, 0 for who has fallen."),
    Figure("hp-least", "Fewest HP at a kill", "ratio", "HP", "HP of the wizard who has fewest as a Boss dies."),
    Figure("sniped", "Kills taken by Tactics", "part", "kills", "Of all kills, those a Tactic took from another."),
    Figure("any-sniped", "A kill was taken", "share", "dungeons", "A Tactic took at least one Killing Blow (§8)."),
    Figure("early-tactics", "Tactics before round 4", "share", "dungeons", "Anyone used a Tactic before round 4 (§8)."),
    Figure("tactics-round", "Tactics a round", "ratio", "Tactics", "Spikes, Foils, Snipes and Braces of all wizards."),
    Figure("unearned", "Unearned kills", "part", "kills", "The Killer did less damage in that round than another."),
    Figure("overkill", "Overkill", "ratio", "HP", "Damage beyond the Boss's last HP, of each kill."),
    Figure("hero-kills", "Kills by Heroes", "part", "kills", "The killing card was a Hero or an Ascended Item."),
    Figure("converts", "Cards Converted", "part", "cards", "Of all revealed cards, those that were Converted."),
    Figure("dodges", "Attacks dodged", "part", "attacks", "Of all attacks that were answered, by Boss or Minion."),
    Figure("stalls", "Rounds without damage", "part", "rounds", "The Boss lost nothing, so that Pressure struck."),
    Figure("skips", "Plots skipped", "part", "Plots", "The deck was empty as the Refill began (R1.31)."),
    Figure("minions-came", "Minions that came", "mean", "Minions", "Out of the pool (R1.30)."),
    Figure("minions-killed", "Minions killed", "mean", "Minions", "Of those that came."),
    Figure("labels", "Labels added", "mean", "labels", "Written on Bosses (R1.71)."),
    Figure("legends", "Legends killed", "mean", "Bosses", "Bosses with a ⭐ that were killed."),
    Figure("coppers", "Coppers of a wizard", "ratio", "Coppers", "What each wizard earned in the dungeon, gross."),
    Figure("coppers-gap", "Coppers, most to fewest", "mean", "Coppers", "What the richest earned above the poorest."),
    Figure("runaway", "Somebody ran away", "share", "dungeons", "Earned above 25c and twice as much as the last (§8)."),
    Figure("left-behind", "Somebody was left behind", "share", "dungeons", "No kill, while another took three (§8)."),
    Figure("glory-gap", "Personal Glory, most to fewest", "mean", "Glory", "Kills of the best less those of the last."),
    Figure("retired", "Bands that retired", "part", "bands", "No Blessed card was left after the Fading (R1.81)."),
)
"""In the order of a report. A key is for ever; a figure that is counted otherwise gets another key."""
TABLES: Final = (
    Figure("killer", "Kills by seat", "part", "kills", "Of all kills, those that a seat took."),
    Figure("kill-card", "Kills by card", "part", "kills", "Of all kills, by the rank of the killing card; or Thorns."),
    Figure("kill-tactic", "Kills by Tactic", "part", "kills", "The Killer's Tactic in that round, or none."),
    Figure("tactic", "Tactics", "ratio", "a round", "How often each Tactic is used in a round."),
    Figure("seat-coppers", "Coppers by seat", "mean", "Coppers", "What a seat earned in the dungeon, gross."),
    Figure("seat-glory", "Glory by seat", "mean", "Glory", "What a seat's band gained."),
    Figure("bonus", "Bonuses", "part", "kills", "What the Killer chose."),
    Figure("boss-rounds", "Rounds by Boss", "ratio", "rounds", "Rounds it took, of the first Boss to the sixth."),
    Figure("boss-killed", "Bosses killed by place", "part", "Bosses", "Of those that were flipped."),
    Figure(
        "inscription",
        "Inscriptions that decided",
        "ratio",
        "times",
        "Kills that would not have been, or another's, with that inscription off all revealed cards, and lives that a "
        "Phoenix saved; of the cards that bear it, in all dungeons.",
    ),
)

_ON_CARDS: Final = frozenset({"sharp", "hunters-edge", "pierce"})
"""What changes a kill by standing on a revealed card."""


class Tally:
    """The counts of one dungeon, kept line by line."""

    def __init__(self) -> None:
        self.counts: dict[str, list[float]] = {figure.key: [0, 0] for figure in FIGURES}
        self.tables: dict[str, dict[str, list[float]]] = {table.key: {} for table in TABLES}
        self.rounds = 0
        self._tactics: list[PlayedAction] = []
        """Those of the round."""
        self._rescues = False
        """Whether a card at the table can save its wizard."""
        self._phoenixes = 0

    def _count(self, key: str, numerator: float, denominator: float = 1) -> None:
        count = self.counts[key]
        count[0] += numerator
        count[1] += denominator

    def _count_name(self, table: str, name: str, numerator: float, denominator: float = 0) -> None:
        count = self.tables[table].setdefault(name, [0, 0])
        count[0] += numerator
        count[1] += denominator

    def add(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:
        """Count what one line did."""
        if count := _COUNTED.get(type(action)):
            count(self, before, action, after)
        if before.step in ("attack", "minions") and after.step not in ("attack", before.step):
            self._count_falls(before, after)

    def _begin(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:  # noqa: ARG002
        for band in after.bands.values():
            for names in band.inscribed.values():
                for name in names:
                    self._count_name("inscription", name, 0, 1)
        self._rescues = "phoenix" in self.tables["inscription"]

    def _tactic(self, before: DungeonTable, action: Any, after: DungeonTable) -> None:
        self._tactics.append(PlayedAction(before, action, after))
        self.counts["tactics-round"][0] += 1
        self._count_name("tactic", action.verb(), 1)
        if before.round <= EARLY_ROUNDS:
            self.counts["early-tactics"][0] = 1

    def _label(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:  # noqa: ARG002
        self.counts["labels"][0] += 1

    def _bonus(self, before: DungeonTable, action: do.Bonus, after: DungeonTable) -> None:  # noqa: ARG002
        self._count_name("bonus", action.choice, 1)

    def _dodge(self, before: DungeonTable, action: do.Dodge, after: DungeonTable) -> None:  # noqa: ARG002
        self._count("dodges", 1)

    def _damage(self, before: DungeonTable, action: do.Damage, after: DungeonTable) -> None:
        """The end of step 4: a round, with all its cards."""
        self.rounds += 1
        plots = len({upcard.owner for upcard in before.revealed})
        skips = sum(wizard.skips_plot for wizard in before.fighting())
        self._count("skips", skips, plots + skips)
        self._count("converts", sum(bool(upcard.converts) for upcard in before.revealed), len(before.revealed))
        self.counts["tactics-round"][1] += 1
        dead = {minion.ref for minion in before.minions} - {minion.ref for minion in after.minions}
        self.counts["minions-killed"][0] += len(dead)
        if kills_boss(PlayedAction(before, action, after)):
            self._kill(before, after)
        self._tactics = []

    def _kill(self, before: DungeonTable, after: DungeonTable) -> None:
        """A Boss that died, of cards or of Thorns."""
        boss, killer = before.boss, after.killer or ""
        assert boss is not None
        self._count("rounds-boss", before.round)
        self._count_name("boss-rounds", str(before.number), before.round, 1)
        self._count("overkill", after.overkill)
        hps = [wizard.hp for wizard in after.wizards]
        self._count("hp-kill", sum(hps), len(hps))
        self._count("hp-least", min(hps))
        self.counts["legends"][0] += before.monsters[boss.ref].legend
        self._count_name("killer", killer, 1)
        used = [one.action.verb() for one in self._tactics if getattr(one.action, "seat", "") == killer]
        self._count_name("kill-tactic", used[0] if used else "none", 1)
        if after.kill_card is None:
            self._count("sniped", 0)
            self._count("unearned", 0)
            self._count("hero-kills", 0)
            self._count_name("kill-card", "thorns", 1)
            self._count_name("inscription", "thorns", 1)
            return
        due = killer_without(self._tactics[0].before, before) if self._tactics else ""
        sniped = bool(due) and due != killer
        self._count("sniped", sniped)
        if sniped:
            self.counts["any-sniped"][0] = 1
        strike = compute_strike(before, boss)
        damage: dict[str, int] = {}
        for one in strike.hits:
            damage[one.upcard.controller] = damage.get(one.upcard.controller, 0) + one.dealt
        self._count("unearned", damage.get(killer, 0) < max(damage.values(), default=0))
        hit = killing_hit(before, strike)
        if hit is not None:
            self._count("hero-kills", counts_as_hero(before, hit.upcard.owner, hit.upcard.card))
            self._count_name("kill-card", hit.upcard.card[:-1], 1)
        self._decisive(before, killer)

    def _decisive(self, before: DungeonTable, killer: str) -> None:
        """Which inscriptions on revealed cards decided a kill."""
        borne = {name for upcard in before.revealed for name in _names(before, upcard)}
        for name in sorted(borne & _ON_CARDS | ({"banner"} & borne)):
            without = _without(before, name)
            assert without.boss is not None
            strike = compute_strike(without, without.boss)
            hit = killing_hit(without, strike) if strike.kills else None
            if hit is None or hit.upcard.controller != killer:
                self._count_name("inscription", name, 1)

    def _count_falls(self, before: DungeonTable, after: DungeonTable) -> None:
        """The attacks of a step have landed."""
        stood = sum(wizard.in_fight for wizard in before.wizards)
        if after.killer is not None and len(after.killed_bosses) > len(before.killed_bosses):
            self._kill(before, after)
        self.counts["falls"][0] += stood - sum(wizard.in_fight for wizard in after.wizards)
        if not self._rescues:
            return
        phoenixes = sum(entry.cause == "phoenix" for wizard in after.wizards for entry in wizard.pile)
        if phoenixes > self._phoenixes:
            self._count_name("inscription", "phoenix", phoenixes - self._phoenixes)
        self._phoenixes = phoenixes

    def _goes_on(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:  # noqa: ARG002
        """`next` takes the attacks that nobody dodged."""
        if before.step == "attack":
            self._count("dodges", 0, sum(not wizard.answers for wizard in before.fighting()))
        elif before.step == "minions":
            strikes = 1 + len(before.minions)
            self._count("dodges", 0, sum(strikes - len(wizard.answers) for wizard in before.fighting()))

    def _take(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:  # noqa: ARG002
        self._count("dodges", 0)

    def _refill(self, before: DungeonTable, action: do.Refill, after: DungeonTable) -> None:  # noqa: ARG002
        """The end of a round that the Boss survived."""
        assert before.boss is not None
        self._count("stalls", not before.boss.lost_hp)
        self.counts["minions-came"][0] += action.minion is not None

    def _escalate(self, before: DungeonTable, action: do.Escalate, after: DungeonTable) -> None:  # noqa: ARG002
        self.counts["minions-came"][0] += action.minion is not None

    def outcome(self, end: DungeonTable, lines: tuple[str, ...] = ()) -> Outcome:
        """All of it, once the dungeon is over."""
        kills = len(end.killed_bosses)
        earned = [wizard.earned for wizard in end.wizards]
        personal = [wizard.personal for wizard in end.wizards]
        most, least = max(earned), min(earned)
        several = len(earned) > 1
        whole = {
            "win": end.outcome == "win",
            "bosses": kills,
            "rounds": self.rounds,
            "coppers-gap": most - least,
            "runaway": several and most > max(COPPER_CAP, 2 * least),
            "left-behind": max(personal) >= EARLY_ROUNDS and not min(personal),
            "glory-gap": max(personal) - min(personal),
        }
        for key, value in whole.items():
            self.counts[key] = [float(value), 1]
        for key in ("falls", "any-sniped", "early-tactics", "minions-came", "minions-killed", "labels", "legends"):
            self.counts[key][1] = 1
        self.counts["coppers"] = [sum(earned), len(earned)]
        self.counts["retired"] = [sum(band.retired for band in end.bands.values()), len(end.bands)]
        for wizard in end.wizards:
            self._count_name("seat-coppers", wizard.seat, wizard.earned, 1)
            self._count_name("seat-glory", wizard.seat, wizard.glory, 1)
            self._count_name("killer", wizard.seat, 0)
        for number in range(1, end.number + 1):
            self._count_name("boss-killed", str(number), number <= kills, 1)
        for table, denominator in (("killer", kills), ("kill-card", kills), ("kill-tactic", kills), ("bonus", kills)):
            self._give(table, denominator)
        self._give("tactic", self.rounds)
        figures: Counts = {key: (count[0], count[1]) for key, count in self.counts.items()}
        tables: dict[str, Counts] = {
            key: {name: (one[0], one[1]) for name, one in sorted(table.items())} for key, table in self.tables.items()
        }
        return Outcome(figures, tables, lines)

    def _give(self, table: str, denominator: float) -> None:
        """Every name of a table is of so many; a name that is missing in a dungeon is 0 of as many there."""
        for name in _NAMES.get(table, ()):
            self._count_name(table, name, 0)
        for count in self.tables[table].values():
            count[1] = denominator


def _names(table: DungeonTable, upcard: Upcard) -> tuple[str, ...]:
    return table.bands[upcard.owner].inscribed.get(upcard.card, ())


def _without(table: DungeonTable, name: str) -> DungeonTable:
    """The table with an inscription off all revealed cards, and what it did as they were revealed."""
    bands = dict(table.bands)
    wizards = table.wizards
    for upcard in table.revealed:
        names = _names(table, upcard)
        if name not in names:
            continue
        inscribed = {**bands[upcard.owner].inscribed, upcard.card: tuple(one for one in names if one != name)}
        bands[upcard.owner] = msgspec.structs.replace(bands[upcard.owner], inscribed=inscribed)
        if name == "banner":
            wizards = tuple(
                msgspec.structs.replace(one, banner=one.banner - 1) if one.seat == upcard.owner else one
                for one in wizards
            )
    return msgspec.structs.replace(table, bands=bands, wizards=wizards)


_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "kill-card": ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "thorns"),
    "kill-tactic": ("none", *(tactic.verb() for tactic in TACTICS)),
    "tactic": tuple(tactic.verb() for tactic in TACTICS),
    "bonus": ("momentum", "rally", "surge"),
}
"""The names of tables that have the same in every dungeon."""

_COUNTED: Final[dict[type[Action], Callable[[Tally, Any, Any, Any], None]]] = {
    do.BeginDungeon: Tally._begin,
    **dict.fromkeys(TACTICS, Tally._tactic),
    do.AddLabel: Tally._label,
    do.Bonus: Tally._bonus,
    do.Dodge: Tally._dodge,
    do.Take: Tally._take,
    do.Damage: Tally._damage,
    do.Refill: Tally._refill,
    do.Escalate: Tally._escalate,
    Next: Tally._goes_on,
}
