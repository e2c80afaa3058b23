"""The figures of a rehearsal: the catalogue, and the tally of a dungeon while it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.inscriptions import counts_as_hero, effects
from companion.games.decknforge.book.ledger import inscriptions_on
from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.rehearsal.decisive import (
    bearing_inscriptions,
    coppers_by_inscription,
    decisive_inscriptions,
)
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.after_fight import can_fade
from companion.games.decknforge.rules.arithmetic import compute_strike, killing_hit
from companion.games.decknforge.rules.round_steps import COMEBACK_ROUND
from companion.games.decknforge.table.watchlist import (
    COPPER_CAP,
    EARLY_ROUNDS,
    TACTICS,
    is_idle_round,
    killer_without,
    kills_boss,
)
from companion.tabletop.action import Action
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.notation.cards import Card
from companion.tabletop.rehearsal import Figure, FigureTally, UnitOutcome
from companion.tabletop.table.common_actions import Next

_BOSSES: Final = 6
"""Bosses of a dungeon; all of them are lost if the first one wins."""
_DIAMOND: Final = 10
"""Most Coppers that Echo can add by a single card: the highest value of a Diamond."""
FIGURES: Final = (
    Figure("win", "Dungeons won", "share", "dungeons", "All six Bosses were killed (R1.17)."),
    Figure("bosses", "Bosses killed", "mean", "Bosses", "How many of the six died.", step=_BOSSES, most=_BOSSES),
    Figure("rounds", "Rounds", "mean", "rounds", "Rounds of all fights together."),
    Figure("rounds-boss", "Rounds a Boss", "ratio", "rounds", "Rounds that each killed Boss took."),
    Figure("long-fights", "Fights beyond round 4", "part", "fights", "Of those that ended with a kill or a loss."),
    Figure("falls", "Falls", "mean", "falls", "How often a wizard fell to 0 HP and was out of the fight (R1.17)."),
    Figure(
        "hp-kill",
        "HP left at a kill",
        "ratio",
        "HP",
        "HP of each wizard when a Boss dies, 0 for those who have fallen.",
    ),
    Figure("hp-least", "Fewest HP at a kill", "ratio", "HP", "HP of the wizard with the fewest when a Boss dies."),
    Figure("hp-win", "HP left at a win", "ratio", "HP", "HP of each wizard when the sixth Boss dies, of dungeons won."),
    Figure(
        "hp-worst",
        "HP at the worst moment of a win",
        "ratio",
        "HP",
        "Of dungeons won: HP of each wizard after the attack that left the fewest HP in total.",
    ),
    Figure("last-standing", "Won by the last one standing", "part", "wins", "Only one was left in one of the fights."),
    Figure("boss-hp-loss", "Boss's HP left at a loss", "part", "HP", "Of its full HP, before the last attack."),
    Figure("near-win", "Lost to the last Boss", "part", "losses", "Of dungeons lost, those with five Bosses killed."),
    Figure("sniped", "Kills taken by Tactics", "part", "kills", "Of all kills, those a Tactic took from another."),
    Figure("any-sniped", "A kill was taken", "share", "dungeons", "A Tactic took at least one Killing Blow (§8)."),
    Figure("early-tactics", "Tactics before round 4", "share", "dungeons", "Anyone used a Tactic before round 4 (§8)."),
    Figure("tactics-round", "Tactics a round", "ratio", "Tactics", "Spikes, Foils, Snipes and Braces of all wizards."),
    Figure("tactics-never", "No Tactic at all", "share", "dungeons", "Nobody used any Tactic (§8)."),
    Figure("tactics-last", "Tactics a round, last Boss", "ratio", "Tactics", "Of the fights against the sixth Boss."),
    Figure("unearned", "Unearned kills", "part", "kills", "The Killer did less damage in that round than another."),
    Figure("mostly-unearned", "Mostly unearned kills", "share", "dungeons", "More than half of its kills were (§8)."),
    Figure("overkill", "Overkill", "ratio", "HP", "Damage beyond the Boss's last HP, of each kill."),
    Figure("hero-kills", "Kills by Heroes", "part", "kills", "The killing card was a Hero or an Ascended Item."),
    Figure("converts", "Cards Converted", "part", "cards", "Of all revealed cards, those that were Converted."),
    Figure("dodges", "Attacks dodged", "part", "attacks", "Of all attacks that were answered, by Boss or Minion."),
    Figure("stalls", "Rounds without damage", "part", "rounds", "The Boss lost nothing, so that Pressure struck."),
    Figure("stalled", "Game stalled", "share", "dungeons", "Pressure struck in more than one round (§8)."),
    Figure("skips", "Plots skipped", "part", "Plots", "The deck was empty as the Refill began (R1.31)."),
    Figure("minions-came", "Minions that came", "mean", "Minions", "Out of the pool (R1.30)."),
    Figure("minions-killed", "Minions killed", "mean", "Minions", "Of those that came."),
    Figure("labels", "Labels added", "mean", "labels", "Written on Bosses (R1.71)."),
    Figure(
        "labels-never", "Nobody wanted a label", "part", "dungeons", "The option was open, and always declined (§8)."
    ),
    Figure(
        "label-risk", "Labels that hurt", "part", "labels", "The Boss lived on, so the adder took 1 damage (R1.74)."
    ),
    Figure("label-regret", "Labels to regret", "part", "labels", "The adder fell in that fight, or it was lost (§8)."),
    Figure("legends", "Legends killed", "mean", "Bosses", "Bosses with a ⭐ that were killed."),
    Figure("mythics", "Mythics earned", "mean", "Mythics", "By kills of Legends (R1.55)."),
    Figure("coppers", "Coppers of a wizard", "ratio", "Coppers", "What each wizard earned in the dungeon, gross."),
    Figure("coppers-gap", "Coppers, most to fewest", "mean", "Coppers", "What the richest earned above the poorest."),
    Figure("runaway", "Somebody ran away", "share", "dungeons", "Earned above 25c and twice as much as the last (§8)."),
    Figure("left-behind", "Somebody was left behind", "share", "dungeons", "No kill, while another took three (§8)."),
    Figure(
        "glory-gap", "Personal Glory, most to fewest", "mean", "Glory", "Kills of the best minus those of the last."
    ),
    Figure("retired", "Bands that retired", "part", "bands", "No Blessed card was left after the Fading (R1.81)."),
)
"""Figures in the order of a report. Keys are permanent; a figure with a new definition gets another key."""
TABLES: Final = (
    Figure("killer", "Kills by seat", "part", "kills", "Of all kills, those that a seat took."),
    Figure("kill-card", "Kills by card", "part", "kills", "Of all kills, by the rank of the killing card; or Thorns."),
    Figure(
        "kill-inscription", "Kills by inscription", "part", "kills", "On the killing card, or none; two count both."
    ),
    Figure("kill-tactic", "Kills by Tactic", "part", "kills", "The Killer's Tactic in that round, or none."),
    Figure("tactic", "Tactics", "ratio", "a round", "How often each Tactic is used in a round."),
    Figure("seat-coppers", "Coppers by seat", "mean", "Coppers", "What a seat earned in the dungeon, gross."),
    Figure("seat-glory", "Glory by seat", "mean", "Glory", "What a seat's band gained.", step=_BOSSES),
    Figure("bonus", "Bonuses", "part", "kills", "What the Killer chose."),
    Figure("boss-rounds", "Rounds by Boss", "ratio", "rounds", "Rounds it took, of the first Boss to the sixth."),
    Figure("boss-killed", "Bosses killed by place", "part", "Bosses", "Of those that were flipped."),
    Figure(
        "label-boss", "Bosses killed by label", "part", "Bosses", "Of the Bosses that bore it when the fight ended."
    ),
    Figure("label-added", "Labels added by name", "mean", "labels", "How often it is added in a dungeon."),
    Figure(
        "inscription",
        "Inscriptions that decided",
        "ratio",
        "times",
        "Kills that would not have been, or another's, without it; kills by Thorns, lives that a Phoenix saved, cards "
        "that Legend Etched kept from fading. Of the cards that bear it, in all dungeons.",
    ),
    Figure(
        "inscription-coppers",
        "Coppers by inscription",
        "ratio",
        "Coppers",
        "What it brought by itself; of the cards that bear it, in all dungeons.",
        step=_DIAMOND,
    ),
)


class DungeonTally(FigureTally):
    """The counts of one dungeon, updated line by line."""

    def __init__(self) -> None:
        super().__init__(FIGURES, TABLES)
        self.rounds = 0
        self._tactics: list[PlayedAction] = []
        """Tactics of the round."""
        self._wills: list[PlayedAction] = []
        """Uses of Wizard's Will in the round."""
        self._rescues = False
        """True if a card at the table can save its wizard."""
        self._phoenixes: Counter[tuple[str, Card]] = Counter()
        """The cards that have saved their wizard and are out of play, by seat."""
        self._labels: list[tuple[str, int]] = []
        """(seat, round) of the labels added in the fight."""
        self._worst = 0
        """The lowest sum of all wizards' HP after an attack."""
        self._fewest_fighting = 0
        self._idle_rounds = 0
        self.start: DungeonTable | None = None
        """The table as the dungeon began."""

    def add(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:
        """Count one line."""
        if count := _COUNTED.get(type(action)):
            count(self, before, action, after)
        if before.step in ("attack", "minions") and after.step not in ("attack", before.step):
            self._count_falls(before, after)
        if is_idle_round(before, after):
            self._idle_rounds += 1
        if after.outcome is not None and before.outcome is None:
            self._end(before, after)

    def _begin(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:  # noqa: ARG002
        self.start = after
        self._worst = sum(wizard.hp for wizard in after.wizards)
        self._fewest_fighting = len(after.wizards)
        for band in after.bands.values():
            for names in band.inscribed.values():
                for name in names:
                    self.count_name("inscription", name, 0, 1)
        self._rescues = bool(bearing_inscriptions(after.book, after.bands, "", lambda effect: effect.rescues))

    def _tactic(self, before: DungeonTable, action: Any, after: DungeonTable) -> None:
        self._tactics.append(PlayedAction(before, action, after))
        self.counts["tactics-round"][0] += 1
        self.count_name("tactic", action.verb(), 1)
        if before.round <= EARLY_ROUNDS:
            self.counts["early-tactics"][0] = 1
        if before.is_last_boss:
            self.counts["tactics-last"][0] += 1

    def _will(self, before: DungeonTable, action: do.Will, after: DungeonTable) -> None:
        self._wills.append(PlayedAction(before, action, after))

    def _label(self, before: DungeonTable, action: do.AddLabel, after: DungeonTable) -> None:  # noqa: ARG002
        self.counts["labels"][0] += 1
        self.counts["labels-never"][1] = 1
        self.count("label-risk", 0)
        self.count_name("label-added", action.label, 1)
        self._labels.append((action.seat, before.round))

    def _fade(self, before: DungeonTable, action: do.Fade, after: DungeonTable) -> None:  # noqa: ARG002
        for card in action.cards:
            if not can_fade(before, action.seat, card):
                names = bearing_inscriptions(
                    before.book, before.bands, action.seat, lambda effect: not effect.fades, card
                )
                self.count_names("inscription", names)

    def _fight_ends(self, before: DungeonTable, killed: bool, stood: Collection[str]) -> None:
        """Count the end of a fight: a kill or a loss; `stood` are the seats in the fight at that time."""
        assert before.boss is not None
        self.count("long-fights", before.round > COMEBACK_ROUND)
        for active in before.boss.labels:
            self.count_name("label-boss", active.label, killed, 1)
        for seat, _ in self._labels:
            self.count("label-regret", not killed or seat not in stood)
        self._labels = []

    def _end(self, before: DungeonTable, after: DungeonTable) -> None:
        """Count the end of the dungeon."""
        wizards = len(after.wizards)
        if after.outcome == "win":
            self.count("hp-win", sum(wizard.hp for wizard in after.wizards), wizards)
            self.count("hp-worst", self._worst, wizards)
            self.count("last-standing", wizards > 1 and self._fewest_fighting == 1)
        elif before.boss is not None:
            self.count("boss-hp-loss", before.boss.hp, before.boss.max)
            self.count("near-win", before.is_last_boss)
            self._fight_ends(before, killed=False, stood=())

    def _bonus(self, before: DungeonTable, action: do.Bonus, after: DungeonTable) -> None:  # noqa: ARG002
        self.count_name("bonus", action.choice, 1)

    def _dodge(self, before: DungeonTable, action: do.Dodge, after: DungeonTable) -> None:  # noqa: ARG002
        self.count("dodges", 1)

    def _damage(self, before: DungeonTable, action: do.Damage, after: DungeonTable) -> None:
        """Count the end of step 4: a round, with all its cards."""
        self.rounds += 1
        plots = len({upcard.owner for upcard in before.revealed})
        skips = sum(wizard.skips_plot for wizard in before.fighting())
        self.count("skips", skips, plots + skips)
        self.count("converts", sum(bool(upcard.converts) for upcard in before.revealed), len(before.revealed))
        self.counts["tactics-round"][1] += 1
        if before.is_last_boss:
            self.counts["tactics-last"][1] += 1
        dead = {minion.ref for minion in before.minions} - {minion.ref for minion in after.minions}
        self.counts["minions-killed"][0] += len(dead)
        if kills_boss(PlayedAction(before, action, after)):
            self._kill(before, after)
        self._tactics = []
        self._wills = []

    def _kill(self, before: DungeonTable, after: DungeonTable) -> None:
        """Count the death of a Boss, by cards or by Thorns."""
        boss, killer = before.boss, after.killer or ""
        assert boss is not None
        self.count("rounds-boss", before.round)
        self.count_name("boss-rounds", str(before.number), before.round, 1)
        self.count("overkill", after.overkill)
        self._fight_ends(before, killed=True, stood={one.seat for one in after.wizards if one.in_fight})
        hps = [wizard.hp for wizard in after.wizards]
        self.count("hp-kill", sum(hps), len(hps))
        self.count("hp-least", min(hps))
        self.counts["mythics"][0] += sum(one.mythics for one in after.wizards) - sum(
            one.mythics for one in before.wizards
        )
        self.counts["legends"][0] += before.monsters[boss.ref].legend
        self.count_name("killer", killer, 1)
        used = [one.action.verb() for one in self._tactics if getattr(one.action, "seat", "") == killer]
        self.count_name("kill-tactic", used[0] if used else "none", 1)
        if after.kill_card is None:
            self.count("sniped", 0)
            self.count("unearned", 0)
            self.count("hero-kills", 0)
            self.count_name("kill-card", "thorns", 1)
            thorns = dict.fromkeys(
                effect.name
                for card in before.wizard(killer).known_hand
                for effect in effects(before, killer, card)
                if effect.thorns
            )
            self.count_names("kill-inscription", thorns or ("thorns",))
            self.count_names("inscription", thorns or ("thorns",))
            return
        due = killer_without(self._tactics[0].before, before) if self._tactics else ""
        sniped = bool(due) and due != killer
        self.count("sniped", sniped)
        if sniped:
            self.counts["any-sniped"][0] = 1
        strike = compute_strike(before, boss)
        damage: dict[str, int] = {}
        for one in strike.hits:
            damage[one.upcard.controller] = damage.get(one.upcard.controller, 0) + one.dealt
        self.count("unearned", damage.get(killer, 0) < max(damage.values(), default=0))
        hit = killing_hit(before, strike)
        if hit is not None:
            self.count("hero-kills", counts_as_hero(before, hit.upcard.owner, hit.upcard.card))
            self.count_name("kill-card", hit.upcard.card[:-1], 1)
            for name in inscriptions_on(before, hit.upcard.owner, hit.upcard.card) or ("none",):
                self.count_name("kill-inscription", name, 1)
        for name in decisive_inscriptions(before, killer, self._wills):
            self.count_name("inscription", name, 1)

    def _count_falls(self, before: DungeonTable, after: DungeonTable) -> None:
        """Count the results of the attacks of a step."""
        stood = sum(wizard.in_fight for wizard in before.wizards)
        if after.killer is not None and len(after.killed_bosses) > len(before.killed_bosses):
            self._kill(before, after)
        stand = sum(wizard.in_fight for wizard in after.wizards)
        self.counts["falls"][0] += stood - stand
        if after.number == before.number:
            self._worst = min(self._worst, sum(wizard.hp for wizard in after.wizards))
            self._fewest_fighting = min(self._fewest_fighting, stand)
        if not self._rescues:
            return
        committed = Counter(
            (wizard.seat, entry.card) for wizard in after.wizards for entry in wizard.pile if entry.cause == "phoenix"
        )
        for seat, card in committed - self._phoenixes:
            names = bearing_inscriptions(after.book, after.bands, seat, lambda effect: effect.rescues, card)
            self.count_names("inscription", names)
        self._phoenixes = committed

    def _goes_on(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:  # noqa: ARG002
        """Count `next`, which takes the attacks that were not dodged, and adds no label."""
        if before.step == "labels":
            self.counts["labels-never"][1] = 1
        elif before.step == "attack":
            self.count("dodges", 0, sum(not wizard.answers for wizard in before.fighting()))
        elif before.step == "minions":
            strikes = 1 + len(before.minions)
            self.count("dodges", 0, sum(strikes - len(wizard.answers) for wizard in before.fighting()))

    def _take(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:  # noqa: ARG002
        self.count("dodges", 0)

    def _refill(self, before: DungeonTable, action: do.Refill, after: DungeonTable) -> None:  # noqa: ARG002
        """Count the end of a round that the Boss survived."""
        assert before.boss is not None
        self.count("stalls", not before.boss.lost_hp)
        self.counts["label-risk"][0] += sum(since == before.round for _, since in self._labels)
        self.counts["minions-came"][0] += action.minion is not None

    def _escalate(self, before: DungeonTable, action: do.Escalate, after: DungeonTable) -> None:  # noqa: ARG002
        self.counts["minions-came"][0] += action.minion is not None

    def outcome(self, end: DungeonTable, lines: tuple[str, ...] = ()) -> UnitOutcome:
        """Return all counts, once the dungeon is over."""
        kills = len(end.killed_bosses)
        earned = [wizard.earned for wizard in end.wizards]
        personal = [wizard.personal for wizard in end.wizards]
        most, least = max(earned), min(earned)
        several = len(earned) > 1
        thorns, _ = self.tables["kill-card"].get("thorns", (0, 0))
        whole = {
            "win": end.outcome == "win",
            "bosses": kills,
            "rounds": self.rounds,
            "coppers-gap": most - least,
            "runaway": several and most > max(COPPER_CAP, 2 * least),
            "left-behind": max(personal) >= EARLY_ROUNDS and not min(personal),
            "glory-gap": max(personal) - min(personal),
            "tactics-never": not self.counts["tactics-round"][0],
            "mostly-unearned": 2 * self.counts["unearned"][0] > kills - thorns,
            "stalled": self._idle_rounds > 1,
        }
        for key, value in whole.items():
            self.counts[key] = [float(value), 1]
        for key in _PER_DUNGEON:
            self.counts[key][1] = 1
        self.counts["labels-never"][0] = self.counts["labels-never"][1] and not self.counts["labels"][0]
        self.counts["coppers"] = [sum(earned), len(earned)]
        self.counts["retired"] = [sum(band.retired for band in end.bands.values()), len(end.bands)]
        for wizard in end.wizards:
            self.count_name("seat-coppers", wizard.seat, wizard.earned, 1)
            self.count_name("seat-glory", wizard.seat, wizard.glory, 1)
            self.count_name("killer", wizard.seat, 0)
        for number in range(1, end.number + 1):
            self.count_name("boss-killed", str(number), number <= kills, 1)
        for table in ("killer", "kill-card", "kill-inscription", "kill-tactic", "bonus"):
            self._give(table, kills, end.book)
        self._give("tactic", self.rounds, end.book)
        self._give("label-added", 1, end.book)
        brought = coppers_by_inscription(end, (self.start or end).bands)
        for name, (_, cards) in self.tables["inscription"].items():
            self.count_name("inscription-coppers", name, brought[name], cards)
        return self.total(lines)

    def count_names(self, table: str, names: Iterable[str]) -> None:
        """Count one more of each name."""
        for name in names:
            self.count_name(table, name, 1)

    def _give(self, table: str, denominator: float, book: EffectBook) -> None:
        """Set the denominator of every name of a table; a name that does not occur in a dungeon counts 0 of it."""
        of_book = {"kill-inscription": ("none", *book.inscriptions), "label-added": tuple(book.labels)}
        for name in of_book.get(table) or _NAMES.get(table, ()):
            self.count_name(table, name, 0)
        for count in self.tables[table].values():
            count[1] = denominator


_PER_DUNGEON: Final = (
    *("falls", "any-sniped", "early-tactics", "minions-came", "minions-killed", "labels", "legends", "mythics"),
)
"""Figures that are counted line by line, with the dungeon as denominator."""
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "kill-card": ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "thorns"),
    "kill-tactic": ("none", *(tactic.verb() for tactic in TACTICS)),
    "tactic": tuple(tactic.verb() for tactic in TACTICS),
    "bonus": ("momentum", "rally", "surge"),
}
"""The names of tables that are the same in every dungeon, whatever its book."""

_COUNTED: Final[dict[type[Action], Callable[[DungeonTally, Any, Any, Any], None]]] = {
    do.BeginDungeon: DungeonTally._begin,
    **dict.fromkeys(TACTICS, DungeonTally._tactic),
    do.Will: DungeonTally._will,
    do.AddLabel: DungeonTally._label,
    do.Fade: DungeonTally._fade,
    do.Bonus: DungeonTally._bonus,
    do.Dodge: DungeonTally._dodge,
    do.Take: DungeonTally._take,
    do.Damage: DungeonTally._damage,
    do.Refill: DungeonTally._refill,
    do.Escalate: DungeonTally._escalate,
    Next: DungeonTally._goes_on,
}
