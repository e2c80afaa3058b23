"""The view of a table, and its counters for `set`, `add` and `expect`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from companion.games.solforge.glossary import GLOSSARY
from companion.games.solforge.rules import cycle
from companion.games.solforge.rules.actions import Battle
from companion.games.solforge.rules.battle import battle, find_outcome
from companion.games.solforge.rules.deck_list import parse_remarks
from companion.games.solforge.rules.keywords import KEYWORDS, format_keyword
from companion.games.solforge.rules.state import (
    HAND,
    LANES,
    MAX_LEVEL,
    RANK_TURNS,
    LaneCreature,
    Resolution,
    SolForgePlayer,
    SolForgeTable,
    armor_left,
    format_changes,
)
from companion.games.solforge.rules.turn import PLAYS
from companion.games.solforge.table.prompts import prompts
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import Brought, flaws
from companion.tabletop.constructed.tracking import DuelDisplay
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.table.counters import Gauge, writes_table
from companion.tabletop.table.display import Bearer, counters
from companion.tabletop.table.table import CardWork, Explanation, Prompt, RoundStep, Thing, Zone
from templates.languages.messages import Message, Text, listed, phrase, phrase_in

PlayerGauge = Gauge[SolForgeTable, SolForgePlayer]
CreatureGauge = Gauge[SolForgeTable, LaneCreature]
TableGauge = Gauge[SolForgeTable, SolForgeTable]
Write = Callable[[SolForgeTable, str, Any], SolForgeTable]


def _bearer(field: str) -> Write:
    """Return a function that writes a field of a player or a creature unchanged."""

    def write(state: SolForgeTable, target: str, value: Any) -> SolForgeTable:
        return _with_fields(state, target, **{field: value})

    return write


def _with_fields(state: SolForgeTable, target: str, **fields: Any) -> SolForgeTable:
    resolution = Resolution(state)
    resolution.update(state.bearer(target), **fields)
    return resolution.state


def _pile(field: str) -> Write:
    """Return a function that writes the number of cards in a pile."""

    def write(state: SolForgeTable, target: str, value: int) -> SolForgeTable:
        return _with_cards(state, target, **{field: value})

    return write


def _with_cards(state: SolForgeTable, target: str, **fields: Any) -> SolForgeTable:
    resolution = Resolution(state)
    cycle.keep(resolution, state.player(target), **fields)
    return resolution.state


def _level(level: int) -> PlayerGauge:
    """Return the gauge for the cards of one level in deck, hand and discard pile."""

    def write(state: SolForgeTable, target: str, value: int) -> SolForgeTable:
        levels = state.player(target).levels
        return _with_cards(state, target, levels=(*levels[: level - 1], value, *levels[level:]))

    return Gauge(f"level{level}", phrase("Level {level} cards", level=level), lambda _, p: p.levels[level - 1], write)


def _write_rank(state: SolForgeTable, target: str, value: int) -> SolForgeTable:
    if value < 1:
        raise RuleError(phrase("Ranks are counted from 1 (R4.9)."))
    return _with_fields(state, target, completed=RANK_TURNS * (value - 1) + state.player(target).turn - 1)


def _write_turn(state: SolForgeTable, target: str, value: int) -> SolForgeTable:
    if not 1 <= value <= RANK_TURNS:
        raise RuleError(
            phrase(
                "A rank has turns 1 to {turns} (R4.9); `{command}` sets the rank.",
                turns=RANK_TURNS,
                command=f"set {target} rank N",
            )
        )
    return _with_fields(state, target, completed=RANK_TURNS * (state.player(target).rank - 1) + value - 1)


def _write_armor(state: SolForgeTable, target: str, value: int) -> SolForgeTable:
    """Set the damage that Armor can still prevent this turn; from the next turn on its full number applies again."""
    return _with_fields(state, target, absorbed=state.bearer(target).keywords.get("armor", 0) - value)


def _write_health(state: SolForgeTable, target: str, value: int) -> SolForgeTable:
    """Set the remaining health by the damage; a value above the maximum becomes the new maximum."""
    most = max(state.creature(target).max, value)
    return _with_fields(state, target, max=most, damage=most - value)


def _write_lane(state: SolForgeTable, target: str, value: int) -> SolForgeTable:
    creature = state.creature(target)
    if value not in LANES or state.at(creature.owner, value) not in (None, creature):
        raise RuleError(
            phrase(
                "Lane {lane} is not an empty lane of {player} (R4.1).",
                lane=value,
                player=state.player(creature.owner).name,
            )
        )
    return _with_fields(state, target, lane=value)


def _write_active(state: SolForgeTable, target: str, value: str | None) -> SolForgeTable:  # noqa: ARG001 – there is only one table
    """Make it the turn of a seat, with all its plays and its Battle."""
    seat = state.player(value or "").seat
    if not state.turn or seat == state.active:
        return replace(state, active=seat)
    resolution = Resolution(state)
    resolution.update_player(state.active, plays=0)
    resolution.update_player(seat, plays=PLAYS)
    resolution.change(active=seat, fought=False)
    return resolution.state


def _write_turn_number(state: SolForgeTable, target: str, value: int) -> SolForgeTable:  # noqa: ARG001 – there is only one table
    if not (state.turn and value):
        raise RuleError(phrase("Turns are counted from 1; `begin` starts the first one (R4.3)."))
    return replace(state, turn=value)


def _write_outcome(state: SolForgeTable, target: str, value: str | None) -> SolForgeTable:  # noqa: ARG001 – there is only one table
    """Set the agreed outcome; `none` takes back an agreement and a concession."""
    if value not in (None, "draw", *(player.seat for player in state.players)):
        raise RuleError(phrase("The outcome is a seat, draw or none, not “{word}”.", word=value))
    if not state.turn:
        raise RuleError(phrase("There is no outcome before `begin`."))
    resolution = Resolution(state)
    resolution.change(agreed=value)
    if value is None:
        for player in state.players:
            resolution.update_player(player.seat, conceded=False)
        if find_outcome(resolution.state):
            raise RuleError(phrase("Somebody has no health left (R4.1); if that is wrong: `set SEAT health N`."))
    return resolution.state


def _armor(_: SolForgeTable, bearer: SolForgePlayer | LaneCreature) -> int:
    return armor_left(bearer)


def _discard_why(_: SolForgeTable, player: SolForgePlayer) -> Text:
    """Return the known levels in the discard pile."""
    if not any(player.shelved):
        return ""
    parts = [
        phrase("{cards} of level {level}", cards=number, level=level)
        for level, number in enumerate(player.shelved, 1)
        if number
    ]
    if unknown := player.discard - sum(player.shelved):
        # Translators: further cards of a pile, whose level is not known: “3 of level 2, 1 not known”
        parts.append(phrase("{cards} not known", cards=unknown))
    return listed(parts)


PLAYER_GAUGES: Final[tuple[PlayerGauge, ...]] = (
    Gauge(
        "health",
        phrase("Health"),
        lambda _, p: p.health,
        _bearer("health"),
        top=lambda s, p: max(s.house.start_health, p.health),
        full="good",
        big=True,
        life=True,
    ),
    Gauge("plays", phrase("Plays"), lambda _, p: p.plays, _bearer("plays")),
    Gauge("rank", phrase("Rank"), lambda _, p: p.rank, _write_rank),
    Gauge("turn", phrase("Turn in rank"), lambda _, p: p.turn, _write_turn, top=lambda *_: RANK_TURNS),
    Gauge("hand", phrase("Hand"), lambda _, p: p.hand, _pile("hand")),
    Gauge("deck", phrase("Deck"), lambda _, p: p.deck, _pile("deck")),
    Gauge("discard", phrase_in("pile", "Discard"), lambda _, p: p.discard, _pile("discard"), why=_discard_why),
    Gauge("removed", phrase("Removed"), lambda _, p: p.removed, _pile("removed"), is_visible=False),
    *(_level(level) for level in range(1, MAX_LEVEL + 1)),
    Gauge("armor", phrase_in("keyword", "Armor"), _armor, _write_armor, is_visible=False),
)

CREATURE_GAUGES: Final[tuple[CreatureGauge, ...]] = (
    Gauge("attack", phrase_in("figure", "Attack"), lambda _, c: c.attack, _bearer("attack")),
    Gauge(
        "health",
        phrase("Health"),
        lambda _, c: c.health,
        _write_health,
        top=lambda _, c: c.max,
        full="good",
        big=True,
        life=True,
    ),
    Gauge("armor", phrase_in("keyword", "Armor"), _armor, _write_armor, is_visible=False),
    Gauge("asleep", phrase("Asleep"), lambda _, c: c.asleep, _bearer("asleep"), keeps="yes-no", is_visible=False),
    Gauge("lane", phrase("Lane"), lambda _, c: c.lane, _write_lane, is_visible=False),
    Gauge("level", phrase("Level"), lambda _, c: c.level, _bearer("level"), is_visible=False),
)

TABLE_GAUGES: Final[tuple[TableGauge, ...]] = (
    Gauge("turn", phrase("Turn"), lambda s, _: s.turn, _write_turn_number),
    Gauge("active", phrase("Active"), lambda s, _: s.active or None, _write_active, keeps="word", is_position=True),
    Gauge(
        "battle",
        phrase("Battle over"),
        lambda s, _: s.fought,
        writes_table("fought"),
        "yes-no",
        is_visible=False,
        is_position=True,
    ),
    Gauge("outcome", phrase("Outcome"), lambda s, _: s.outcome, _write_outcome, keeps="word", is_visible=False),
)


# Translators: a mark beside a creature
_ASLEEP: Final = phrase_in("creature", "asleep")


class SolForgeDisplay(DuelDisplay[SolForgeTable, SolForgePlayer]):
    """See `companion.tabletop.table.display.Display`."""

    table_gauges = TABLE_GAUGES
    seat_gauges = PLAYER_GAUGES
    steps = tuple(RoundStep(*step) for step in GLOSSARY.steps.items())

    def step_of(self, state: SolForgeTable) -> str:
        """Return the step of the turn, or `setup`, `over`."""
        if state.stage != "playing":
            return state.stage
        return "after" if state.fought else "before"

    def prompts(self, state: SolForgeTable) -> Iterable[Prompt]:
        """Return the present prompts; see `companion.games.solforge.table.prompts`."""
        return prompts(state)

    def card_work(self, state: SolForgeTable) -> CardWork:
        """Return the work that is due now (R4.2–R4.8); nothing once the game is over."""
        if state.stage == "over" or not state.players:
            return CardWork()
        if state.stage == "setup":
            text = phrase(
                "Both shuffle their decks, all cards at level 1, and draw {cards}. Decide who begins.", cards=HAND
            )
            return CardWork((text,))
        return CardWork((_work_of_turn(state),))

    def hints(self, state: SolForgeTable) -> Iterator[Text]:
        """Yield reminders for the present step; none of them is enforced."""
        for player in state.players:
            if state.knows_cards(player.seat) and sum(player.levels) != player.cycle:
                yield phrase(
                    "{player}: {cards} cards in deck, hand and discard pile, {by_level} by level; "
                    "correct what is wrong.",
                    player=player.name,
                    cards=player.cycle,
                    by_level=sum(player.levels),
                )
        if state.stage == "setup":
            yield from map(str, flaws(state))
        if state.stage != "playing":
            return
        if not (state.fought or state.together) and (state.creatures or state.tracks_all):
            yield _forecast(state)
        active = state.player(state.active)
        rival = state.rival(state.active)
        if state.tracks_all and rival.hand and _could_ambush(state, rival.seat):
            yield phrase("{player}: is there a card with Ambush in your hand?", player=rival.name)
        if active.turn == RANK_TURNS:
            yield phrase(
                "{player} gains rank {rank} at the end of this turn: remember Gain Rank.",
                player=active.name,
                rank=active.rank + 1,
            )
        if active.health == rival.health <= 0:
            yield phrase("Sudden death: the first difference in health decides (A4.7).")

    def seat_zones(self, state: SolForgeTable, person: SolForgePlayer) -> Iterator[Zone]:
        """Yield the lanes, each with its creature."""
        for lane in LANES:
            creature = state.at(person.seat, lane)
            things = (_thing(state, creature),) if creature else ()
            yield Zone(f"lane-{lane}", phrase("Lane {lane}", lane=lane), things, column=lane)

    def flags(self, state: SolForgeTable, person: SolForgePlayer) -> Iterator[Text]:
        """Yield the flags of a player: the active turn, keywords, a concession."""
        if person.seat == state.active:
            yield "active"
        for name, number in person.keywords.items():
            yield format_keyword(name, number)
        if person.conceded:
            yield "out"

    def bearer(self, state: SolForgeTable, target: str) -> Bearer:
        """Return a creature. Raises RuleError if there is none with that handle."""
        creature = state.creature(target)
        return Bearer(creature, CREATURE_GAUGES, creature.owner)


def _work_of_turn(state: SolForgeTable) -> Message:
    """Return the work with the real cards in this turn; at a Rank Up the discard pile is shuffled in (R4.8)."""
    ranks_up = state.player(state.active).turn == RANK_TURNS
    if not state.tracks_all and ranks_up:
        return phrase(
            "Make 2 plays (1 in the very first turn) and fight the Battle; then discard the "
            "hand, shuffle in the discard pile, and draw {cards}. Say here what changes.",
            cards=HAND,
        )
    if not state.tracks_all:
        return phrase(
            "Make 2 plays (1 in the very first turn) and fight the Battle; then discard the hand "
            "and draw {cards}. Say here what changes.",
            cards=HAND,
        )
    if not state.fought:
        return phrase("A card that is played or banked goes to the discard pile as its next level.")
    if ranks_up:
        return phrase(
            "At the end of the turn: discard the hand, shuffle in the discard pile, and draw {cards}.", cards=HAND
        )
    return phrase("At the end of the turn: discard the hand and draw {cards}.", cards=HAND)


def _thing(state: SolForgeTable, creature: LaneCreature) -> Thing:
    return Thing(
        creature.handle,
        creature.title,
        counters(CREATURE_GAUGES, state, creature),
        tuple(_notes(creature)),
        brief=creature.figures,
        flags=tuple(_creature_flags(creature)),
        number=state.numbers.get(creature.handle, 0),
    )


def _creature_flags(creature: LaneCreature) -> Iterator[Message]:
    """Yield what must be visible at once: a level above the first, and what decides the next Battle.

    That is sleep, Armor, Poison and Defender.
    """
    if creature.level > 1:
        yield phrase("level {level}", level=creature.level)
    if creature.asleep:
        yield _ASLEEP
        yield from (KEYWORDS["aggressive"].title,) if creature.ready else ()
    yield from (_keyword_text(creature, name) for name in ("armor", "poison", "defender") if name in creature.keywords)


def _keyword_text(creature: LaneCreature, name: str) -> Message:
    """Return a keyword as on the card; for Armor also what is left of it this turn: `Armor 1 of 2`."""
    number = creature.keywords[name]
    left = armor_left(creature) if name == "armor" else number
    if left == number:
        return format_keyword(name, number)
    # Translators: what is left of a number in this turn: “Armor 1 of 2”
    return phrase("{keyword} {left} of {number}", keyword=KEYWORDS[name].title, left=left, number=number)


def _notes(creature: LaneCreature) -> Iterator[Message]:
    if not creature.ready:
        yield Explanation(_ASLEEP, phrase("no attack, move or Activate, but it hits back"))
    for name in creature.keywords:
        yield Explanation(_keyword_text(creature, name), KEYWORDS[name].text)
    for name in creature.negated:
        yield phrase("{keyword} negated", keyword=KEYWORDS[name].title)
    if creature.moved:
        yield phrase("has moved")
    if creature.activated:
        yield phrase("has Activated")
    for name in creature.lent:
        yield phrase("{keyword} until the end of the turn", keyword=KEYWORDS[name].title)
    if creature.damage:
        yield phrase("hurt {damage} of {health}", damage=creature.damage, health=creature.max)
    if any(creature.until_end):
        yield phrase("{change} until the end of the turn", change=format_changes(*creature.until_end))


def _could_ambush(state: SolForgeTable, seat: str) -> bool:
    """Return True if a card of this player may have Ambush: False if the list of a stored deck excludes it."""
    cards = state.brought.get(seat, Brought()).cards.values()
    return not cards or any(_may_ambush(card) for card in cards)


def _may_ambush(card: ListedCard) -> bool:
    levels = parse_remarks(card).levels
    if not levels:
        return "spell" not in (word.lower() for word in card.remarks)
    return any(word.startswith("ambush") for figures in levels.values() for word in figures.get("has", ()))


def _forecast(state: SolForgeTable) -> Message:
    """Describe the losses of players and the deaths in a Battle fought now."""
    resolution = Resolution(state)
    battle(resolution, Battle())
    after = {player.seat: player.health for player in resolution.state.players}
    effects = [
        phrase("{player} {before} → {after}", player=player.name, before=player.health, after=after[player.seat])
        for player in state.players
        if after[player.seat] != player.health
    ]
    dead = [creature.title for creature in resolution.state.creatures if creature.health <= 0]
    effects += [phrase("{creature} dies", creature=title) for title in dead]
    if not effects:
        return phrase("In a Battle now: nobody dies and no player is hurt.")
    return phrase("In a Battle now: {effects}.", effects=listed(effects))
