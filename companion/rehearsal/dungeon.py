"""A DecknForge dungeon played by simulated people: real decks and hands, the rules of the table, nothing that is shown.

Decks are dealt here; whatever happens goes through the same `resolve` and `apply` as at a real table. Decisions follow
the steps of the round (R1.20–R1.30); what is rare is answered as the table itself suggests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from companion.games.decknforge import actions as do
from companion.games.decknforge import attacks, damage, founding, kill, labelling, reveal, tactics
from companion.games.decknforge.arithmetic import compute_strike, killing_hit
from companion.games.decknforge.game import GAME
from companion.games.decknforge.inscriptions import INSCRIPTIONS
from companion.games.decknforge.prompts import prompts
from companion.games.decknforge.round_steps import ROUND_STEPS
from companion.games.decknforge.state import COMBAT_CARDS, MONSTER_CARDS, DungeonTable, Wizard, is_hero
from companion.rehearsal.chance import Chance
from companion.rehearsal.setting import SEATS, Outcome, Setting
from companion.rehearsal.temperaments import TEMPERAMENTS, Seen, Temperament, next_attack
from companion.tabletop.action import Action, RuleError
from companion.tabletop.cards import Card
from companion.tabletop.common_actions import Next, OpenTable, Rule
from companion.tabletop.notation import write

_CARDS: Final = tuple(sorted(COMBAT_CARDS))
_ITEMS: Final = tuple(card for card in _CARDS if not is_hero(card))
_FOR_SALE: Final = tuple(name for name, effect in INSCRIPTIONS.items() if founding.STANDARD.price(name) is not None)
_MOST_ACTIONS: Final = 5_000
"""Of one dungeon; more would go on for ever."""
_INSCRIBED: Final = 5
"""Inscriptions of a new band, at most."""
_TACTICS: Final = (do.Spike, do.Foil, do.Snipe, do.Brace)


def play_dungeon(setting: Setting, chance: Chance, *, keep_lines: bool = False) -> Outcome:
    """One dungeon with new bands, from the deal to its end. Raises RuleError where a house rule is none."""
    dungeon = _Dungeon(setting, chance, keep_lines=keep_lines)
    for action in _set_up(setting, chance):
        dungeon.do(action)
    dungeon.play()
    return Outcome(dungeon.count.figures(dungeon.state), tuple(dungeon.lines))


def _set_up(setting: Setting, chance: Chance) -> Iterator[Action]:
    """The seats with a new band each (R1.4–R1.8), the house rules, and the beginning."""
    yield from (Rule(key, value) for key, value in setting.rules)
    for seat in SEATS[: setting.players]:
        yield do.BandSeat(seat, seat.capitalize(), band=f"Band of {seat.capitalize()}")
        drawn = {card: tuple(chance.shuffle(_ITEMS, "items", seat, card)[:3]) for card in MONSTER_CARDS}
        drafts = {card: founding.MonsterDraft("", items, chosen=card == "AS") for card, items in drawn.items()}
        for card, monster in founding.build_monsters(drafts).items():
            yield do.MonsterCard(seat, card, "", monster.hp, monster.atk, monster.legend)
        yield from _inscribe(setting, chance, seat)
    yield do.Active(SEATS[int(chance.share("active") * setting.players)])
    yield do.BeginDungeon()


def _inscribe(setting: Setting, chance: Chance, seat: str) -> Iterator[Action]:
    """Three to five inscriptions for the starting Coppers (R1.4, R1.8), on cards where they are of use."""
    left = founding.budget(setting.players)
    cards = iter(chance.shuffle(_CARDS, "inscribed cards", seat))
    bought = 0
    for name in chance.shuffle(_FOR_SALE * 2, "inscriptions", seat):
        price = founding.STANDARD.price(name) or 0
        # What is left must do for three in all.
        if price > left - 5 * max(0, founding.FEWEST_INSCRIBED - 1 - bought) or bought == _INSCRIBED:
            continue
        card = next(card for card in cards if not (founding.misplaced(name, card, ()) or founding.useless(name, card)))
        yield do.InscribedCard(seat, card, name)
        left, bought = left - price, bought + 1


class _Dungeon:
    """The table while it is played, with the decks that nobody sees."""

    def __init__(self, setting: Setting, chance: Chance, *, keep_lines: bool) -> None:
        self.state = GAME.new()
        self.chance = chance
        self.lines: list[str] = [write(OpenTable("decknforge"))] if keep_lines else []
        self.count = _Count()
        self._keeps_lines = keep_lines
        seats = SEATS[: setting.players]
        self._deals = {seat: chance.shuffle(_CARDS, "deal", seat) for seat in seats}
        words = setting.temperaments
        self._people: dict[str, Temperament] = {
            seat: TEMPERAMENTS[words[at % len(words)]] for at, seat in enumerate(seats)
        }
        self._drawn = 0
        self._decide: dict[str, Callable[[], Action]] = {
            "labels": self._label,
            "reveal": self._reveal,
            "tactics": self._tactic,
            "declare": self._declare,
            "damage": self._declare,
            "kill": self._kill,
            "attack": self._answer,
            "minions": self._answer,
            "refill": do.Refill,
        }
        self._chosen: tuple[int, int] = (0, 0)
        self._cards: dict[str, Card] = {}

    def do(self, action: Action) -> None:
        """Do it as the rules have it."""
        before = self.state
        if isinstance(action, do.BeginDungeon):
            action = GAME.resolve(before, action, self.chance.random("bosses"))
        elif isinstance(action, do.Refill | do.Escalate):
            self._drawn += 1
            action = GAME.resolve(before, action, self.chance.random("minion", self._drawn))
        elif isinstance(action, Next):
            action = GAME.resolve(before, action, self.chance.random("next", before.number, before.round, before.step))
        self.state = GAME.apply(before, action).state
        if self._keeps_lines:
            self.lines.append(write(action))
        self.count.take(before, action, self.state)

    def play(self) -> None:
        """Until the dungeon is won or lost. Raises RuntimeError where it never is."""
        for _ in range(_MOST_ACTIONS):
            decide = self._decide.get(self.state.step)
            if decide is None or self.state.outcome:
                return
            self.do(decide())
        raise RuntimeError(f"A rehearsed dungeon did not end within {_MOST_ACTIONS} actions.")

    def hand(self, seat: str) -> list[Card]:
        """The cards in a hand: those dealt so far, without what was revealed or committed."""
        wizard = self.state.wizard(seat)
        gone = {entry.card for entry in wizard.pile}
        gone.update(upcard.card for upcard in self.state.revealed if upcard.owner == seat)
        return [card for card in self._deals[seat][: len(_CARDS) - wizard.deck] if card not in gone]

    def _seen(self, seat: str) -> tuple[Temperament, Seen]:
        return self._people[seat], Seen(self.state, seat, self.hand(seat), self.chance)

    def _suggested(self) -> Action:
        """What the table suggests where nobody decides here."""
        for prompt in prompts(self.state):
            if not prompt.answer.missing:
                return prompt.answer.build()
        raise RuleError("Nothing can be done at a rehearsed table.")

    def _label(self) -> Action:
        seat = labelling.open_to(self.state)[0]
        labels = () if labelling.bars(self.state, seat) else labelling.labels_left(self.state)
        person, seen = self._seen(seat)
        label = person.label(seen, labels) if labels else ""
        return do.AddLabel(seat, label, "draw") if label else do.Decline(seat)

    def _reveal(self) -> Action:
        """All choose before the first card lies open (R1.21)."""
        state = self.state
        plotters = reveal.plotters(state)
        if plotters and self._chosen != (state.number, state.round):
            self._chosen, self._cards = (state.number, state.round), {}
            for wizard in plotters:
                person, seen = self._seen(wizard.seat)
                self._cards[wizard.seat] = person.reveal(seen)
        for wizard in plotters:
            return do.Reveal(wizard.seat, self._cards[wizard.seat])
        if any(wizard.patrons for wizard in state.fighting()):
            return self._suggested()
        for wizard in state.fighting():
            if reveal.may_reveal_again(state, wizard) and (hand := self.hand(wizard.seat)):
                person, _ = self._seen(wizard.seat)
                return do.Reveal(wizard.seat, person.reveal(Seen(state, wizard.seat, hand, self.chance)))
        return self._declaration() or Next()

    def _tactic(self) -> Action:
        seat = tactics.seat_to_act(self.state)
        person, seen = self._seen(seat)
        return person.tactic(seen) or do.Pass(seat)

    def _declaration(self) -> Action | None:
        """The next card that does something else than attack the Boss (R1.24a, R1.60)."""
        state = self.state
        for upcard in reveal.open_converts(state):
            person, seen = self._seen(upcard.controller)
            if person.convert(seen, upcard):
                return do.Convert(upcard.controller, upcard.card)
        if state.step != "reveal" and damage.aimable(state):
            for upcard in state.revealed:
                if not upcard.declared:
                    person, seen = self._seen(upcard.controller)
                    if minion := person.aim(seen, upcard):
                        return do.Target(upcard.controller, minion, upcard.card)
        return None

    def _declare(self) -> Action:
        return self._declaration() or do.Damage()

    def _kill(self) -> Action:
        state = self.state
        killer = state.killer or ""
        if kill.asks_curse(state):
            inscribed = sorted(state.bands[killer].inscribed)
            card = self.chance.choose(inscribed, "curse", state.number)
            return do.Curse(killer, card, state.bands[killer].inscribed[card][0])
        person, seen = self._seen(killer)
        return do.Bonus(person.bonus(seen, ("surge", "rally") if state.is_last_boss else ("momentum", "surge", "rally")))

    def _answer(self) -> Action:
        state = self.state
        if state.minion_due:
            return do.Escalate()
        for wizard in state.fighting():
            if attacks.open_attacks(state, wizard) and not (state.step == "attack" and wizard.answers):
                person, seen = self._seen(wizard.seat)
                foe = next_attack(state, wizard.seat)
                assert foe is not None
                cards = person.dodge(seen, foe)
                return do.Dodge(wizard.seat, cards) if cards else do.Take(wizard.seat)
        return Next()


class _Count:
    """What is counted on the way; only counting, so that two comparisons of one game never differ by it."""

    def __init__(self) -> None:
        self._sums: Counter[str] = Counter()

    def take(self, before: DungeonTable, action: Action, after: DungeonTable) -> None:
        """Count what an action did."""
        sums = self._sums
        if isinstance(action, _TACTICS):
            sums[action.verb()] += 1
        elif isinstance(action, do.Dodge | do.Take):
            sums["attacks"] += 1
            sums["dodges"] += isinstance(action, do.Dodge)
        elif isinstance(action, do.Convert):
            sums["converts"] += 1
        if before.step in ROUND_STEPS:
            sums["deaths"] += sum(was.in_fight and not now.in_fight for was, now in zip(before.wizards, after.wizards))
            if (before.number, before.round) != (after.number, after.round) or after.outcome:
                sums["rounds"] += 1
            if len(after.killed_bosses) > len(before.killed_bosses) or (after.killer and not before.killer):
                self._kill(before, after)

    def _kill(self, before: DungeonTable, after: DungeonTable) -> None:
        sums = self._sums
        if after.killer == before.killer:
            return
        sums["kills"] += 1
        sums["overkill"] += after.overkill
        fighting = [wizard.hp for wizard in before.wizards]
        sums["hp left"] += sum(fighting) / len(fighting)
        card = after.kill_card
        if card is None or before.boss is None:
            return
        sums["kills by card"] += 1
        sums["kills by Hero"] += is_hero(card)
        upcard = next((each for each in before.revealed if each.card == card and each.controller == after.killer), None)
        if upcard is not None:
            sums["kills Spiked"] += bool(upcard.spikes)
        plain = msgspec.structs.replace(
            before,
            revealed=tuple(
                msgspec.structs.replace(each, tactics=(), controller=each.owner) for each in before.revealed
            ),
        )
        hit = killing_hit(plain, compute_strike(plain, before.boss))
        sums["kills taken"] += hit is not None and hit.upcard.controller != after.killer

    def figures(self, state: DungeonTable) -> dict[str, tuple[float, float]]:
        """The figures of the dungeon, by their keys."""
        sums = self._sums
        seats = len(state.wizards)
        earned = [wizard.earned for wizard in state.wizards]
        found: dict[str, tuple[float, float]] = {
            "win": (float(state.outcome == "win"), 1),
            "bosses": (len(state.killed_bosses), 1),
            "rounds": (sums["rounds"], max(1, state.number)),
            "deaths": (sums["deaths"], 1),
            "hp-left": (sums["hp left"], sums["kills"]),
            "overkill": (sums["overkill"], sums["kills"]),
            "kill-hero": (sums["kills by Hero"], sums["kills by card"]),
            "kill-spiked": (sums["kills Spiked"], sums["kills by card"]),
            "kill-taken": (sums["kills taken"], sums["kills by card"]),
            "dodges": (sums["dodges"], sums["attacks"]),
            "coppers": (sum(earned) / seats, 1),
            "coppers-apart": (max(earned) - min(earned), 1),
        }
        for verb in ("spike", "foil", "snipe", "brace", "converts"):
            found[f"{verb.removesuffix('s')}s"] = (sums[verb], sums["rounds"])
        for number, wizard in enumerate(state.wizards, 1):
            found[f"coppers-{number}"] = (wizard.earned, 1)
            found[f"glory-{number}"] = (_glory(wizard), 1)
        return found


def _glory(wizard: Wizard) -> Any:
    return wizard.personal
