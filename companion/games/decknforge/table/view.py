"""The view of a dungeon's table, and its counters for `set`, `add` and `expect`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from companion.games.decknforge.book.effect import Inscription, MonsterLabel
from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.ledger import may_be_in_hand, remove_minions
from companion.games.decknforge.book.state import (
    BOSSES,
    DungeonTable,
    Foe,
    Resolution,
    Upcard,
    Wizard,
)
from companion.games.decknforge.glossary import STEP_WORDS
from companion.games.decknforge.rules import drafting
from companion.games.decknforge.rules.arithmetic import atk, atk_bonuses, compute_strike, face, killing_hit, labels_on
from companion.games.decknforge.rules.damage import aimable_minions
from companion.games.decknforge.rules.fight import FLIP, deck_is_empty, is_under_way
from companion.games.decknforge.rules.reveal import resolve_converts
from companion.games.decknforge.rules.round_steps import AFTER_STEPS, shown_steps
from companion.games.decknforge.table.card_work import card_work
from companion.games.decknforge.table.prompts import prompts
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import GLYPHS, card_title, pretty
from companion.tabletop.records import Reason
from companion.tabletop.table.counters import Gauge, writes, writes_table
from companion.tabletop.table.display import Bearer
from companion.tabletop.table.table import CardWork, Counter, Explanation, Prompt, SeatView, TableView, Thing, Zone
from companion.tabletop.tracking import TrackedDisplay
from templates.languages.messages import (
    Finished,
    Message,
    Text,
    all_of,
    joined,
    listed,
    phrase,
    phrase_in,
    phrases,
    signed,
)

SETTABLE_STEPS: Final = ("labels", "reveal", "tactics", "declare", "damage", "attack", "minions", "refill")
"""Steps that an override can enter; a kill needs a Killer, and the steps after the last fight follow from its end."""

OUTCOMES: Final = ("win", "loss", "none")

SeatGauge = Gauge[DungeonTable, Wizard]
FoeGauge = Gauge[DungeonTable, Foe]
TableGauge = Gauge[DungeonTable, DungeonTable]


_seat = writes(Resolution, Resolution.update_wizard)


def _foe_writer(field: str) -> Callable[[DungeonTable, str, Any], DungeonTable]:
    """Return a function that writes a field of the Boss or of a Minion."""

    def write(state: DungeonTable, target: str, value: Any) -> DungeonTable:
        resolution = Resolution(state)
        resolution.update_foe(_minion_ref(state, target), **{field: value})
        return resolution.state

    return write


def _minion_ref(state: DungeonTable, target: str) -> Ref:
    if target == "boss":
        assert state.boss is not None
        return state.boss.ref
    return Ref(target.removeprefix("minion "))


def _write_hp(state: DungeonTable, seat: str, value: int) -> DungeonTable:
    """Set HP; at 0 a wizard is out of the fight, above it in (R1.17)."""
    return _write_in_fight(_seat("hp")(state, seat, value), seat, value > 0)


def _write_in_fight(state: DungeonTable, seat: str, value: bool) -> DungeonTable:
    """Set whether a wizard is in the fight; if so, they have not left the table and no longer wait."""
    resolution, wizard = Resolution(state), state.wizard(seat)
    late = "joins" if value and wizard.late else wizard.late
    resolution.update_wizard(seat, in_fight=value, has_left=wizard.has_left and not value, late=late)
    return resolution.state


def _write_atk(state: DungeonTable, target: str, value: int) -> DungeonTable:
    """Set the present ATK; the written part takes the difference."""
    foe = next(foe for foe in state.foes() if foe.ref == _minion_ref(state, target))
    return _foe_writer("atk")(state, target, foe.atk + value - atk(state, foe))


def _write_active(state: DungeonTable, target: str, value: str | None) -> DungeonTable:  # noqa: ARG001 – only one table
    return replace(state, active=state.wizard(value or "").seat)


def _write_killer(state: DungeonTable, target: str, value: str | None) -> DungeonTable:  # noqa: ARG001 – only one table
    if state.step == "kill" and value is None:
        raise RuleError(
            phrase("This kill needs a Killer, who chooses the bonus (R1.54); name a seat, or `undo` the kill.")
        )
    return replace(state, killer=state.wizard(value).seat if value else None)


def _write_outcome(state: DungeonTable, target: str, value: str | None) -> DungeonTable:  # noqa: ARG001 – only one table
    if value is not None and value not in OUTCOMES:
        raise RuleError(phrase("The outcome is win, loss or none, not “{word}”.", word=value))
    if value is None and state.boss is None and state.number and state.step != FLIP:
        raise RuleError(
            phrase("The last fight is over: its outcome is win or loss (R1.17); `undo` leads back into it.")
        )
    return replace(state, outcome=value)


def _write_number(state: DungeonTable, target: str, value: int) -> DungeonTable:  # noqa: ARG001 – only one table
    """Set the number of the Boss (R1.11); the death of the sixth wins."""
    if not 1 <= value <= BOSSES:
        raise RuleError(
            phrase("The Bosses are numbered 1 to {bosses}, not {number} (R1.11).", bosses=BOSSES, number=str(value))
        )
    return replace(state, number=value)


def _write_legend(state: DungeonTable, target: str, value: bool) -> DungeonTable:
    ref = _minion_ref(state, target)
    written = state.monsters[ref]
    monsters = {**state.monsters, ref: replace(written, legend=value)}
    resolution = Resolution(replace(state, monsters=monsters))
    if state.boss is not None and state.boss.written is None:
        resolution.update_foe(ref, written=written)
    return resolution.state


def _write_pool(state: DungeonTable, target: str, value: int) -> DungeonTable:  # noqa: ARG001 – only one table
    """Reduce the pool: the Monsters of the last seats leave it, or unknown ones if Bosses are among them."""
    left = state.minions_left
    if value > left:
        raise RuleError(
            phrase("The Minion Pool holds {monsters} Monsters; it can only become smaller by hand.", monsters=left)
        )
    if state.hidden_bosses:
        return replace(state, pool_lost=state.pool_lost + left - value)
    return replace(state, pool=state.pool[: value + state.pool_lost])


def _write_minions(state: DungeonTable, target: str, value: int) -> DungeonTable:  # noqa: ARG001 – only one table
    """Reduce the number of Minions: the last ones to come leave."""
    if value > len(state.minions):
        raise RuleError(
            phrase("{minions} Minions are active; more come by `refill` only (R1.30).", minions=len(state.minions))
        )
    resolution = Resolution(state)
    remove_minions(resolution, {minion.ref for minion in state.minions[value:]})
    return resolution.state


def _write_minion_hp(state: DungeonTable, target: str, value: int) -> DungeonTable:
    """Set a Minion's HP; at 0 it leaves the table. Rewards for it must be set by overrides, too."""
    resolution = Resolution(state)
    if value == 0:
        remove_minions(resolution, {_minion_ref(state, target)})
    else:
        resolution.update_foe(_minion_ref(state, target), hp=value)
    return resolution.state


def _write_step(state: DungeonTable, target: str, value: str | None) -> DungeonTable:  # noqa: ARG001 – only one table
    """Set another step of the round, if the players went on without the program."""
    if value not in SETTABLE_STEPS or state.boss is None:
        raise RuleError(
            phrase("The step can be set to {steps} while a Boss is on the table.", steps=listed(SETTABLE_STEPS))
        )
    # Before the step of the Minions none is due: it comes when the round gets there again (A1.68).
    due = state.minion_due and value in ("minions", "refill")
    return replace(state, step=value, minion_due=due)


def _atk_why(state: DungeonTable, foe: Foe) -> Text:
    parts = [joined(" ", (signed(bonus), state.book.label_title(label))) for label, bonus in atk_bonuses(state, foe)]
    parts += [joined(" ", (signed(foe.escalation), phrase("Escalation")))] if foe.escalation else []
    # Translators: The ATK that is written on a Monster's card, before bonuses: “3 written +1 Swift”.
    return joined(" ", (phrase("{atk} written", atk=foe.atk), *parts)) if parts else ""


def _is_legend(state: DungeonTable, foe: Foe) -> bool:
    return state.monsters[foe.ref].legend


# Translators: Short for hit points.
_HP: Final = phrase("HP")
# Translators: Short for attack.
_ATK: Final = phrase("ATK")

SEAT_GAUGES: Final[tuple[SeatGauge, ...]] = (
    Gauge(
        "hp",
        _HP,
        lambda _, w: w.hp,
        _write_hp,
        top=lambda s, w: max(s.full_hp, w.hp),
        full="good",
        big=True,
        life=True,
    ),
    Gauge("coppers", phrase("Coppers"), lambda _, w: w.purse, _seat("purse")),
    # Translators: The number of cards in a hand.
    Gauge("hand", phrase_in("figure", "Hand"), lambda _, w: w.hand, _seat("hand")),
    # Translators: The number of cards in a deck.
    Gauge("deck", phrase_in("figure", "Deck"), lambda _, w: w.deck, _seat("deck")),
    Gauge("shield", phrase("Shield"), lambda _, w: w.shield, _seat("shield")),
    Gauge("glory", phrase("Glory"), lambda _, w: w.glory, _seat("glory")),
    Gauge("personal", phrase("Personal Glory"), lambda _, w: w.personal, _seat("personal"), is_visible=False),
    # Translators: The Coppers that a wizard earned in this dungeon.
    Gauge("earned", phrase_in("figure", "Earned"), lambda _, w: w.earned, _seat("earned"), is_visible=False),
    Gauge("mythics", phrase("Mythics"), lambda _, w: w.mythics, _seat("mythics"), is_visible=False),
    Gauge(
        "committed",
        # Translators: The cards that are out of play until the dungeon ends.
        phrase_in("cards", "Committed"),
        lambda _, w: tuple(entry.card for entry in w.pile),
        keeps="list",
        is_visible=False,
    ),
    Gauge(
        "in-fight", phrase("In the fight"), lambda _, w: w.in_fight, _write_in_fight, keeps="yes-no", is_visible=False
    ),
    Gauge(
        "skips-plot",
        phrase("Skips Plot"),
        lambda _, w: w.skips_plot,
        _seat("skips_plot"),
        keeps="yes-no",
        is_visible=False,
    ),
)

BOSS_GAUGES: Final[tuple[FoeGauge, ...]] = (
    Gauge(
        "hp",
        _HP,
        lambda _, f: f.hp,
        _foe_writer("hp"),
        top=lambda _, f: max(f.max, f.hp),
        full="good",
        big=True,
        life=True,
    ),
    Gauge("atk", _ATK, atk, _write_atk, why=_atk_why),
    # Translators: The most HP of a Boss: “of 54”.
    Gauge("max", phrase_in("most", "of"), lambda _, f: f.max, _foe_writer("max"), is_visible=False, is_lasting=True),
    Gauge("number", phrase("Number"), lambda s, _: s.number, _write_number, is_visible=False, is_lasting=True),
    Gauge("legend", phrase("⭐ Legend"), _is_legend, _write_legend, keeps="yes-no", is_visible=False, is_lasting=True),
    Gauge("labels", phrase("Labels"), lambda _, f: tuple(w.label for w in f.labels), keeps="list", is_visible=False),
)

MINION_GAUGES: Final[tuple[FoeGauge, ...]] = (
    Gauge("hp", _HP, lambda _, f: f.hp, _write_minion_hp, top=lambda _, f: max(f.max, f.hp), full="good", life=True),
    Gauge("atk", _ATK, atk, _write_atk, why=_atk_why),
)


def _seats(state: DungeonTable) -> tuple[str, ...]:
    return tuple(wizard.seat for wizard in state.wizards)


def _seats_or_none(state: DungeonTable) -> tuple[str, ...]:
    return (*_seats(state), "none")


TABLE_GAUGES: Final[tuple[TableGauge, ...]] = (
    Gauge("round", phrase("Round"), lambda s, _: s.round, writes_table("round")),
    Gauge(
        "step",
        phrase("Step"),
        lambda s, _: s.step,
        _write_step,
        "word",
        is_visible=False,
        words=lambda _: SETTABLE_STEPS,
        is_position=True,
        titles=STEP_WORDS,
    ),
    Gauge(
        "active",
        # Translators: The active wizard.
        phrase_in("figure", "Active"),
        lambda s, _: s.active or None,
        _write_active,
        "word",
        words=_seats,
        is_position=True,
    ),
    Gauge(
        "killer",
        phrase("Killer"),
        lambda s, _: s.killer,
        _write_killer,
        "word",
        is_visible=False,
        words=_seats_or_none,
    ),
    Gauge("overkill", phrase("Overkill"), lambda s, _: s.overkill, writes_table("overkill"), is_visible=False),
    Gauge("pool", phrase("Minion Pool"), lambda s, _: s.minions_left, _write_pool),
    Gauge("minions", phrase("Minions"), lambda s, _: len(s.minions), _write_minions, is_visible=False),
    Gauge(
        "outcome",
        phrase("Outcome"),
        lambda s, _: s.outcome,
        _write_outcome,
        "word",
        is_visible=False,
        words=lambda _: OUTCOMES,
    ),
    # Translators: The order in which wizards pick decks.
    Gauge("draft", phrase_in("figure", "Draft"), lambda s, _: s.draft, keeps="order", is_visible=False),
)
"""`draft` follows from the game and cannot be set."""


TUNED = range(3, 6)
"""Numbers of players the rules are tuned for (R1.1)."""


class DecknForgeDisplay(TrackedDisplay[DungeonTable, Wizard]):
    """The display of DecknForge; see `companion.tabletop.table.display.Display`."""

    table_gauges = TABLE_GAUGES
    seat_gauges = SEAT_GAUGES
    report_counters = ("coppers",)

    def people(self, state: DungeonTable) -> Sequence[Wizard]:
        """Return the wizards."""
        return state.wizards

    def step_of(self, state: DungeonTable) -> str:
        """Return the step of the round, or after the last fight."""
        return state.step

    def prompts(self, state: DungeonTable) -> Iterable[Prompt]:
        """Return the questions; see `companion.games.decknforge.table.prompts`."""
        return prompts(state)

    def card_work(self, state: DungeonTable) -> CardWork:
        """Return the card work; see `companion.games.decknforge.table.card_work`."""
        return card_work(state)

    def hints(self, state: DungeonTable) -> Iterator[Text]:
        """Yield forecasts and warnings; hints never restrict what is allowed."""
        return _hints(state)

    def zones(self, state: DungeonTable) -> Iterator[Zone]:
        """Yield the zones of the Boss and its Minions."""
        return _zones(state)

    def seat_zones(self, state: DungeonTable, person: Wizard) -> Iterator[Zone]:
        """Yield a wizard's revealed and known cards; in the draft, the band's inscriptions and Monsters."""
        return _seat_zones(state, person)

    def seat_view(self, state: DungeonTable, person: Wizard) -> SeatView:
        """Return a wizard's view, titled with the band they hold."""
        return replace(super().seat_view(state, person), title=_band_titles(state, person))

    def flags(self, state: DungeonTable, person: Wizard) -> Iterator[Text]:
        """Yield a wizard's flags: active, out, braced and others."""
        return _flags(state, person)

    def thing_key(self, target: str, thing: Any) -> Hashable:
        """Return the Monster of a Boss or Minion, so that another Monster counts as another thing."""
        return thing.ref if isinstance(thing, Foe) else target

    def bearer(self, state: DungeonTable, target: str) -> Bearer:
        """Return the bearer of a target's counters. Raises RuleError if a Boss or Minion is not on the table."""
        if target == "boss":
            if state.boss is None:
                raise RuleError(phrase("There is no Boss on the table now."))
            return Bearer(state.boss, BOSS_GAUGES)
        if not target.startswith("minion "):
            return Bearer(state.wizard(target), SEAT_GAUGES, target)
        minion = next((minion for minion in state.minions if minion.ref == target[7:]), None)
        if minion is None:
            raise RuleError(
                phrase(
                    "{minion} is not an active Minion; active: {minions}.",
                    minion=target[7:],
                    minions=listed(each.ref for each in state.minions),
                )
                if state.minions
                else phrase("{minion} is not an active Minion; active: none.", minion=target[7:])
            )
        return Bearer(minion, MINION_GAUGES, target)

    def view(self, game: str, title: Text, state: DungeonTable) -> TableView:
        """Return the view of the table, with the dungeon's standing for lists."""
        return replace(
            super().view(game, title, state),
            steps=shown_steps(state.step, with_cards=state.tracks_all),
            standing=tuple(_standing_reasons(state)),
            closing=state.step in AFTER_STEPS,
        )


def _standing_reasons(state: DungeonTable) -> Iterator[Reason]:
    """Yield a dungeon's standing for a list: the Boss and the round, or the step after the last fight."""
    if state.outcome:
        yield Reason("outcome", (state.outcome,))
        return
    if state.boss is not None:
        seat, _, card = state.boss.ref.partition(":")
        yield Reason("boss", (state.number, state.monsters[state.boss.ref].name, card, state.wizard(seat).name))
    if state.round:
        yield Reason("round", (state.round,))
    if state.step != "setup":
        yield Reason("step", (state.step,))


def _zones(state: DungeonTable) -> Iterator[Zone]:
    if state.boss is not None:
        counters = tuple(gauge.counter(state, state.boss) for gauge in BOSS_GAUGES)
        number = phrase("Boss {number} of {bosses}", number=state.number, bosses=BOSSES)
        title = joined(" · ", (number, state.monster_title(state.boss.ref)))
        thing = _foe_thing(state, state.boss, "boss", title, counters)
        yield Zone(
            "boss", phrase("Boss"), (replace(thing, short_title=number, name=state.monsters[state.boss.ref].name),)
        )
    if state.minions:
        minions = []
        for minion in state.minions:
            counters = tuple(gauge.counter(state, minion) for gauge in MINION_GAUGES)
            title = state.monster_title(minion.ref)
            minions.append(_foe_thing(state, minion, f"minion {minion.ref}", title, counters))
        yield Zone("minions", phrase("Minions"), tuple(minions))


def _foe_thing(state: DungeonTable, foe: Foe, target: str, title: Text, counters: tuple[Counter, ...]) -> Thing:
    notes = tuple(Explanation(label.log_title, label.effect, label.rank) for label in labels_on(state, foe))
    return Thing(target, title, counters, notes, starred=state.monsters[foe.ref].legend)


def _band_titles(state: DungeonTable, wizard: Wizard) -> Text:
    """Return the band that a wizard brought, and the one they hold since the draft, if it is another."""
    brought = state.bands[wizard.seat].title
    if wizard.holds in ("", wizard.seat):
        return brought
    return joined(" → ", (brought, drafting.deck_of(state, wizard.holds)))


def _seat_zones(state: DungeonTable, wizard: Wizard) -> Iterator[Zone]:
    upcards = state.cards_of(wizard.seat)
    if upcards:
        # Translators: The place of the cards that are face up before a wizard.
        yield Zone("revealed", phrase_in("cards", "Revealed"), tuple(_upcard_thing(state, card) for card in upcards))
    if wizard.known_hand:
        things = tuple(
            Thing(
                f"{wizard.seat}'s {card}",
                pretty(card),
                notes=tuple(
                    Explanation(effect.log_title, effect.effect, effect.rank)
                    for effect in effects(state, wizard.seat, card)
                ),
            )
            for card in wizard.known_hand
        )
        # Translators: The place of the cards that are known to be in a wizard's hand.
        yield Zone("held", phrase_in("cards", "Holds"), things)
    if state.step == "drifting" and not state.bands[wizard.seat].retired:
        yield from _band_zones(state, wizard)


def _band_zones(state: DungeonTable, wizard: Wizard) -> Iterator[Zone]:
    """Yield a band's inscriptions and Monsters, on which the draft depends (R1.82)."""
    blessed = tuple(
        Thing(
            f"{wizard.seat}'s {card}",
            pretty(card),
            notes=tuple(
                Explanation(effect.title, effect.effect, effect.rank) for effect in effects(state, wizard.seat, card)
            ),
        )
        for card, _ in drafting.cards_with_inscriptions(state, wizard.seat)
    )
    monsters = tuple(
        Thing(f"{wizard.seat}'s {one.card}", one.name, notes=one.labels, starred=one.legend)
        for one in drafting.marked_monsters(state, wizard.seat)
    )
    if blessed:
        # Translators: The place of the cards with an inscription.
        yield Zone("blessed", phrase_in("cards", "Blessed"), blessed)
    if monsters:
        yield Zone("monsters", phrase("Monsters"), monsters)


def _upcard_thing(state: DungeonTable, upcard: Upcard) -> Thing:
    # Translators: Short for face value.
    value = Counter("value", face(state, upcard), phrase("F"), settable=False)
    notes: list[Text] = [phrase("Converts as {suit}", suit=GLYPHS[upcard.converts])] if upcard.converts else []
    # Translators: The Monster at which a card is aimed.
    notes += [phrase("at {monster}", monster=state.monster_title(upcard.target))] if upcard.target else []
    notes += [effect.log_title for effect in effects(state, upcard.owner, upcard.card)]
    notes += [phrase("Spike ×{times}", times=upcard.spikes)] if upcard.spikes else []
    notes += [phrase("Foil ×{times}", times=upcard.foils)] if upcard.foils else []
    return Thing(f"{upcard.owner}'s {upcard.card}", upcard.title, (value,), tuple(notes))


def _flags(state: DungeonTable, wizard: Wizard) -> Iterator[Text]:
    # The words `active` and `out` are those of all games, which other code looks for.
    if wizard.seat == state.active:
        yield "active"
    if not wizard.in_fight:
        yield phrase_in("player", "waits") if wizard.late == "waits" and not wizard.has_left else "out"
    if wizard.braced:
        yield phrase_in("player", "braced")
    if wizard.skips_plot:
        yield phrase_in("player", "skips Plot")
    if wizard.label_risk:
        yield phrase_in("player", "label risk")


def _hints(state: DungeonTable) -> Iterator[Text]:
    """Yield hints, the most urgent first, as a screen with few rows leaves out the last ones."""
    if state.step == "setup":
        yield from _setup_hints(state)
        return
    parts = (_countdown, _forecast, _pressure, _aims, _after_hints, _hints_at_the_flip, _hand_hints)
    is_attacked = state.step in ("attack", "minions")
    for part in (_hand_hints, *parts[:-1]) if is_attacked else parts:
        yield from part(state)
    if state.book.is_homebrew:
        yield from _reminders(state)
    for wizard in state.fighting():
        if deck_is_empty(state, wizard) and state.step in ("minions", "refill", "attack"):
            yield phrase(
                "{player}'s deck is empty: after this Refill there is no Plot for them (R1.31).", player=wizard.name
            )


def _setup_hints(state: DungeonTable) -> Iterator[Message]:
    if state.wizards and len(state.wizards) not in TUNED:
        yield phrases(
            "The rules are tuned for 3 to 5 wizards, and there is only one here (A1.1).",
            "The rules are tuned for 3 to 5 wizards, and there are {n} here (A1.1).",
            n=len(state.wizards),
        )
    if state.order:
        yield phrase(
            "Flipped first: {monsters}; `bosses REF…` changes that.",
            monsters=listed(map(state.monster_title, state.order)),
        )


def _hints_at_the_flip(state: DungeonTable) -> Iterator[Message]:
    """Yield hints for the time before a fight: how to correct an unnamed Boss, and who may join or leave."""
    if is_under_way(state):
        return
    if state.boss is not None and state.number > state.named_bosses:
        fought = state.order[: state.number - 1]
        question = phrase(
            "Is the Boss not {monster}? `{line}` names the right one.",
            monster=state.monster_title(state.boss.ref),
            line=" ".join(("bosses", *fought, "REF")),
        )
        bosses = phrase("Fought so far: {monsters}.", monsters=listed(map(state.monster_title, fought)))
        yield joined(" ", (question, bosses)) if fought else question
    if state.number > 1:
        yield phrase("Has somebody arrived, or must somebody go? Use `join SEAT` or `concede SEAT`.")


def _countdown(state: DungeonTable) -> Iterator[Message]:
    """Yield the rounds that are left until a label of the Boss wipes the party (R1.L11)."""
    for label in labels_on(state, state.boss) if state.boss is not None else ():
        if label.wipes_after is not None and state.round <= label.wipes_after:
            last = label.wipes_after
            yield (
                phrase(
                    "{label}: round {round} of {last}. The Boss must fall in this round (R1.L11).",
                    label=label.title,
                    round=state.round,
                    last=last,
                )
                if state.round == last
                else phrase(
                    "{label}: round {round} of {last}. The Boss must fall by round {last} (R1.L11).",
                    label=label.title,
                    round=state.round,
                    last=last,
                )
            )


def _aims(state: DungeonTable) -> Iterator[Message]:
    """Yield how to aim a card at a Minion, while that is possible (R1.60)."""
    if (
        state.step in ("declare", "damage")
        and aimable_minions(state)
        and any(not one.declared for one in state.revealed)
    ):
        yield phrase("Cards may aim at a Minion: `target SEAT REF` (R1.60).")


def _pressure(state: DungeonTable) -> Iterator[Message]:
    """Yield the damage by Pressure if the Boss loses nothing in this round (R1.27)."""
    if state.boss is None or state.boss.lost_hp or state.step not in ("tactics", "declare", "damage", "attack"):
        return
    if state.step == "attack" or compute_strike(state, state.boss).total == 0:
        yield phrase("The Boss loses nothing: Pressure {damage} will follow (R1.27).", damage=state.house.pressure)


def _after_hints(state: DungeonTable) -> Iterator[Message]:
    """Yield the wizards who are absent after the last fight, and the reasons for the draft's order."""
    if state.step == "fading" and (absent := [wizard.name for wizard in state.wizards if wizard.has_left]):
        yield phrase("Gone early: {players}. Whoever is here draws for them.", players=all_of(absent))
    if state.step == "drifting":
        if absent := [one.name for one in state.wizards if one.has_left and one.seat in state.draft]:
            yield phrase("Gone early: {players}. Whoever is here picks for them.", players=all_of(absent))
        yield from map(Finished, drafting.why_in_this_order(state))


def _forecast(state: DungeonTable) -> Iterator[Message]:
    """Yield the outcome if damage were resolved now, after the Converts, and the Killer."""
    if state.boss is None or state.step not in ("tactics", "declare", "damage"):
        return
    trial = Resolution(state)
    resolve_converts(trial)
    strike = compute_strike(trial.state, state.boss)
    if strike.kills:
        hit = killing_hit(trial.state, strike)
        yield (
            phrase(
                "Now: {damage} kills the Boss, overkill {overkill}; {player} would take the kill.",
                damage=strike.sentence(),
                overkill=strike.overkill,
                player=state.wizard(hit.upcard.controller).name,
            )
            if hit
            else phrase(
                "Now: {damage} kills the Boss, overkill {overkill}; nobody would take the kill.",
                damage=strike.sentence(),
                overkill=strike.overkill,
            )
        )
    else:
        yield phrase(
            "Now: {damage} damage, Boss {before} → {after}.",
            damage=strike.sentence(),
            before=state.boss.hp,
            after=strike.hp_left,
        )


def _reminders(state: DungeonTable) -> Iterator[Message]:
    """Yield a homebrew's reminders: of cards in play or possibly in hand, and of labels in the fight."""
    for wizard in state.wizards:
        pile = {entry.card for entry in wizard.pile}
        for card, names in state.bands[wizard.seat].inscribed.items() if wizard.is_there else ():
            if card not in pile or state.step in ("kill", "fading", "drifting", "turning"):
                inscriptions = (state.book.inscriptions[name] for name in names)
                where = phrase("{player}'s {card}", player=wizard.name, card=card_title(card))
                yield from _of_effects(state.step, where, inscriptions)
    for foe in state.foes() if is_under_way(state) or state.step == "labels" else ():
        yield from _of_effects(state.step, state.monster_title(foe.ref), labels_on(state, foe))


def _of_effects(step: str, where: Message, effects: Iterable[Inscription | MonsterLabel]) -> Iterator[Message]:
    for effect in effects:
        # Translators: {where} is a card or a Monster, {effect} the title of an inscription or label on it.
        yield from (
            phrase("{where}, {effect}: {reminder}", where=where, effect=effect.title, reminder=text)
            for text in effect.reminders(step)
        )


def _hand_hints(state: DungeonTable) -> Iterator[Message]:
    """Yield cards that would matter now if they were in hand, but are not known to be.

    Cards that raise F matter from the Reveal on, as F decides damage and the Killer (R1.40, R1.50); the others matter
    during the attacks.
    """
    attacked = state.step in ("attack", "minions")
    if not state.tracks_all:
        return
    if not attacked and state.step not in ("reveal", "tactics", "declare", "damage"):
        return

    def matters(effect: Inscription) -> bool:
        return effect.hand_face > 0 or (attacked and (effect.thorns > 0 or effect.rescues))

    for wizard in state.fighting():
        for card in may_be_in_hand(state, wizard.seat, matters) if attacked or state.cards_of(wizard.seat) else ():
            if card not in wizard.known_hand:
                names = all_of(effect.log_title for effect in effects(state, wizard.seat, card) if matters(effect))
                yield phrase(
                    "{player}: if {card} ({inscriptions}) is in hand, say `hold {seat} {word}`.",
                    player=wizard.name,
                    card=card_title(card),
                    inscriptions=names,
                    seat=wizard.seat,
                    word=card,
                )
