"""The draft after a dungeon: its participants, their order, and the decks to pick (R1.82)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from companion.games.decknforge.book.state import (
    MONSTER_CARDS,
    DungeonStep,
    DungeonTable,
    Resolution,
    Wizard,
)
from companion.games.decknforge.rules.actions import Lots, Pick, TakePart
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import PACK, Card, pretty
from templates.languages.messages import Finished, Message, Text, all_of, joined, listed, phrase, phrases, signed

DRAFT_OF_THOSE_WHO_STAYED: Final = 4
"""The first edition of the rules in which players who have left do not draft."""


def order_draft(resolution: Resolution) -> None:
    """Set the participants of the draft and their order (R1.82)."""
    state = resolution.state
    order = in_order(state, _drafters(state))
    resolution.change(draft=tuple(wizard.seat for wizard in order))
    for wizard in state.wizards:
        if sits_out(state, wizard) and not state.bands[wizard.seat].retired:
            resolution.update_wizard(wizard.seat, holds=wizard.seat)
            text = phrase(
                "{player} has left and keeps {band}; `draft {seat}` has them take part in the draft.",
                player=wizard.name,
                band=state.bands[wizard.seat].title,
                seat=wizard.seat,
            )
            resolution.tell(text, wizard.seat)
    if order:
        players: Text = order[0].name
        for wizard in order[1:]:
            players = phrase("{players}, then {player}", players=players, player=wizard.name)
        resolution.tell(phrase("The draft goes {players} (R1.82).", players=players), now=True)
    for wizard, why in zip(order, why_in_this_order(resolution.state), strict=False):
        resolution.tell(Finished(why), wizard.seat)


def sits_out(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True for a wizard who has left and so keeps their band (R1.82).

    If all wizards have left, those who gave up the last fight together take part.
    """
    if not wizard.has_left or wizard.drafts or state.edition < DRAFT_OF_THOSE_WHO_STAYED:
        return False
    return wizard.left_in < state.number or any(not other.has_left for other in state.wizards)


def take_part(resolution: Resolution, action: TakePart) -> None:
    """Let a wizard who has left take part in the draft (R1.82)."""
    state = resolution.state
    wizard = state.wizard(action.seat)
    if not sits_out(state, wizard):
        raise RuleError(phrase("{player} takes part in the draft already (R1.82).", player=wizard.name))
    if any(state.wizard(seat).holds for seat in state.draft):
        raise RuleError(phrase("The draft is under way (R1.82); `undo` leads back to before the first pick."))
    resolution.update_wizard(action.seat, drafts=True, holds="")
    resolution.tell(phrase("{player} takes part in the draft, though they have left.", player=wizard.name), action.seat)
    if state.step == "drifting":
        # Return to the end of Fading: the new participant may be tied with another, which needs a lot.
        resolution.change(step="fading", draft=())


_RANKS: Final[tuple[tuple[Message, Callable[[Wizard], int]], ...]] = (
    (phrase("Glory"), lambda wizard: wizard.personal),
    (phrase("best Killing Blow"), lambda wizard: wizard.best_kill),
    (phrase("Coppers earned"), lambda wizard: wizard.earned),
)
"""Figures that decide the draft, in order of precedence."""


def _drafters(state: DungeonTable) -> Iterator[Wizard]:
    """Return the wizards in the draft (R1.82).

    A wizard whose band has retired does not draft, unless the band they build now is drafted too (A1.43). A wizard who
    has left keeps the band they brought, unless a `draft` line says otherwise.
    """
    retired_too = state.house.retire_draft == "new-band-joins"
    there = (wizard for wizard in state.wizards if not sits_out(state, wizard))
    return (wizard for wizard in there if retired_too or not state.bands[wizard.seat].retired)


def _rank_figures(wizard: Wizard) -> tuple[int, ...]:
    return tuple(-figure(wizard) for _, figure in _RANKS)


def in_order(state: DungeonTable, wizards: Iterable[Wizard]) -> list[Wizard]:
    """Return wizards in the order in which they pick (R1.82); full ties are ordered by lot (A1.44)."""

    def lot(wizard: Wizard) -> int:
        return state.lots.index(wizard.seat) if wizard.seat in state.lots else len(state.lots)

    return sorted(wizards, key=lambda wizard: (*_rank_figures(wizard), lot(wizard)))


def tied_for_lot(state: DungeonTable) -> tuple[Wizard, ...]:
    """Return the wizards of the first full tie in the draft that no lot has settled (A1.44)."""
    if any(not wizard.has_faded for wizard in state.wizards):
        return ()
    ties: dict[tuple[int, ...], list[Wizard]] = {}
    for wizard in _drafters(state):
        if wizard.seat not in state.lots:
            ties.setdefault(_rank_figures(wizard), []).append(wizard)
    return next((tuple(tied) for _, tied in sorted(ties.items()) if len(tied) > 1), ())


def draw_lots(state: DungeonTable, action: Lots, rng: Random) -> Lots:
    """Draw the lot between tied wizards, if the action asks for it and names no winners (A1.44)."""
    if action.seats or not action.is_drawn:
        return action
    seats = [wizard.seat for wizard in tied_for_lot(state)]
    rng.shuffle(seats)
    return Lots(tuple(seats), is_drawn=True)


def settle_tie(resolution: Resolution, action: Lots) -> None:
    """Settle a full tie between wizards by lot: its winners pick first (A1.44)."""
    state = resolution.state
    tied = [wizard.seat for wizard in tied_for_lot(state)]
    if not tied:
        raise RuleError(phrase("Nobody is tied in the draft, so no lot decides anything (R1.82, A1.44)."))
    for seat in action.seats:
        if state.wizard(seat).seat not in tied:
            raise RuleError(
                phrase(
                    "{player} is not in this tie; it is between {seats} (A1.44).",
                    player=resolution.name(seat),
                    seats=all_of(tied),
                )
            )
    if not action.seats:
        raise RuleError(phrase("Say who wins the lot: `lots SEAT`; `lots drawn` draws it (A1.44)."))
    if len(set(action.seats)) < len(action.seats):
        raise RuleError(phrase("The lot names each seat once (A1.44)."))
    resolution.change(lots=(*state.lots, *action.seats), draws=state.draws + 1)
    players = all_of(map(resolution.name, action.seats))
    resolution.tell(phrase("The lot decides: {players} before the others in the tie (A1.44).", players=players))


def why_in_this_order(state: DungeonTable) -> tuple[Message, ...]:
    """Return why each wizard in the draft picks before the next (R1.82).

    `Cy before Ana: same Glory 2, best Killing Blow 16 against 13`
    """
    return tuple(_explain_order(state.wizard(one), state.wizard(other)) for one, other in pairwise(state.draft))


def _explain_order(one: Wizard, other: Wizard) -> Message:
    reasons = []
    for what, figure in _RANKS:
        if figure(one) != figure(other):
            reasons.append(
                phrase("{figure} {value} against {other}", figure=what, value=figure(one), other=figure(other))
            )
            break
        reasons.append(phrase("same {figure} {value}", figure=what, value=figure(one)))
    else:
        reasons.append(phrase("so the lot decided (A1.44)"))
    return phrase("{player} before {other}: {reasons}", player=one.name, other=other.name, reasons=listed(reasons))


def deck_of(state: DungeonTable, brought: str) -> Text:
    """Return the name of the deck that a seat has in the draft: its band, or the one that follows it (A1.43)."""
    band = state.bands[brought]
    return phrase("the new band of {player}", player=state.wizard(brought).name) if band.retired else band.title


def describe_deck(state: DungeonTable, brought: str) -> Text:
    """Return a deck's wizard, inscriptions, Monsters, Glory and dungeons; "" if it is yet to be built."""
    band, wizard = state.bands[brought], state.wizard(brought)
    if band.retired:
        return ""
    monsters = listed(
        joined(" ", ("⭐", one.title)) if one.legend else one.title for one in marked_monsters(state, brought)
    )
    blessed = listed(joined(" ", (pretty(card), titles)) for card, titles in cards_with_inscriptions(state, brought))
    parts = (
        phrase("brought by {player}", player=wizard.name),
        blessed or phrase("no Blessed card"),
        monsters,
        phrase("{change} Glory", change=signed(wizard.glory)),
        phrases("{n} dungeon", "{n} dungeons", n=band.dungeons + 1),
    )
    return joined(" · ", filter(None, parts))


def cards_with_inscriptions(state: DungeonTable, brought: str) -> Iterator[tuple[Card, Message]]:
    """Yield the Blessed cards of the band that a seat brought, in the order of a pack, with their inscriptions."""
    inscribed = state.bands[brought].inscribed
    for card in sorted(inscribed, key=PACK.index):
        yield card, all_of(map(state.book.inscription_title, inscribed[card]))


class MarkedMonster(NamedTuple):
    """A Monster of a band that is a Legend or bears labels."""

    card: Card
    name: str
    legend: bool
    labels: tuple[Text, ...]

    @property
    def title(self) -> Text:
        """The name with the labels: `Grave Wyrm (Tough, Resilient)`."""
        if not self.labels:
            return self.name
        return phrase("{monster} ({labels})", monster=self.name, labels=listed(self.labels))


def marked_monsters(state: DungeonTable, brought: str) -> Iterator[MarkedMonster]:
    """Yield the Legends of the band that a seat brought, and its Monsters with labels."""
    for card in MONSTER_CARDS:
        monster = state.monsters[Ref(f"{brought}:{card}")]
        if monster.legend or monster.labels:
            labels = tuple(map(state.book.label_title, monster.labels))
            yield MarkedMonster(card, monster.name or pretty(card), monster.legend, labels)


class DriftingStep(DungeonStep):
    """The draft (R1.82)."""

    following = "turning"

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a wizard in the draft has not picked."""
        return any(not state.wizard(seat).holds for seat in state.draft)

    def default(self, resolution: Resolution) -> None:
        """Raise RuleError: a pick is a choice (R1.82)."""
        seat = next_pick(resolution.state)
        raise RuleError(
            phrase("{player} must pick a deck: `pick {seat} SEAT` (R1.82).", player=resolution.name(seat), seat=seat)
        )


def next_pick(state: DungeonTable) -> str:
    """Return the seat that picks next (R1.82)."""
    return next(seat for seat in state.draft if not state.wizard(seat).holds)


def left_to_pick(state: DungeonTable) -> tuple[str, ...]:
    """Return the decks still to be drafted, by the seats that brought them (R1.82)."""
    picks = {state.wizard(seat).holds for seat in state.draft}
    return tuple(wizard.seat for wizard in state.wizards if wizard.seat in state.draft and wizard.seat not in picks)


def pick(resolution: Resolution, action: Pick) -> None:
    """Draft the deck that a seat brought; a wizard may pick their own (R1.82)."""
    state = resolution.state
    wizard = state.wizard(action.seat)
    if sits_out(state, wizard):
        raise RuleError(
            phrase(
                "{player} has left and does not draft; `draft {seat}` has them take part in the draft (R1.82).",
                player=wizard.name,
                seat=wizard.seat,
            )
        )
    if action.seat not in state.draft:
        raise RuleError(
            phrase("{player}'s band has retired; they build a new one instead of drafting (A1.43).", player=wizard.name)
        )
    if wizard.holds:
        raise RuleError(
            phrase("{player} has picked {band} already.", player=wizard.name, band=state.bands[wizard.holds].title)
        )
    if next_pick(state) != action.seat:
        raise RuleError(phrase("{player} picks first (R1.82).", player=resolution.name(next_pick(state))))
    state.wizard(action.brought)
    if action.brought not in left_to_pick(state):
        raise RuleError(
            phrase(
                "That deck is no longer available; the decks of {seats} are left.", seats=all_of(left_to_pick(state))
            )
        )
    resolution.update_wizard(action.seat, holds=action.brought)
    resolution.change(kept_by_holder=tuple(seat for seat in state.kept_by_holder if seat != action.brought))
    text = phrase("{player} now holds {band}.", player=wizard.name, band=deck_of(state, action.brought))
    resolution.tell(text, action.seat, by_hand=True)
