"""After the last fight: Fading, Drifting, Turning, and the seal (R1.80–R1.86)."""

from __future__ import annotations

from random import Random
from typing import Literal

import msgspec

from companion.games.decknforge.book.effect import MYTHIC, Inscription
from companion.games.decknforge.book.founding import placement_error, why_useless
from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.ledger import cross_out, spend
from companion.games.decknforge.book.state import (
    COMBAT_CARDS,
    Band,
    CardChange,
    DungeonStep,
    DungeonTable,
    Resolution,
    Wizard,
)
from companion.games.decknforge.glossary import effect_name
from companion.games.decknforge.rules.actions import Buy, Fade, Heirloom, Memory, Mythic
from companion.games.decknforge.rules.drafting import order_draft, tied_for_lot
from companion.games.decknforge.rules.fight import commit_revealed_cards
from companion.games.decknforge.rules.setup import send_home
from companion.tabletop.action import RuleError
from companion.tabletop.decks.stored_decks import tell_left_out
from companion.tabletop.notation.cards import Card, card_title, pretty
from companion.tabletop.records import Reason
from templates.languages.messages import Finished, Text, all_of, listed, phrase, phrases


def to_draw_from(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """Return the Blessed cards to shuffle for Fading: all, or with `etched excluded` those that can fade (A1.41)."""
    cards = state.bands[seat].inscribed
    return tuple(card for card in cards if state.house.etched == "blank" or can_fade(state, seat, card))


def can_fade(state: DungeonTable, seat: str, card: Card) -> bool:
    """Return True if no effect on a card keeps it from fading (R1.I22)."""
    return all(effect.fades for effect in effects(state, seat, card))


class FadingStep(DungeonStep):
    """The dungeon's result is settled, and a Blessed card of each band fades (R1.80, R1.81)."""

    def enter(self, resolution: Resolution) -> None:
        """Settle the dungeon; bands with nothing to fade are skipped."""
        commit_revealed_cards(resolution)
        send_home(resolution)
        resolution.change(boss=None, minions=())
        resolution.update_everyone(holds="", has_faded=False)
        _cap_coppers(resolution)
        for wizard in resolution.state.wizards:
            if not to_draw_from(resolution.state, wizard.seat):
                resolution.update_wizard(wizard.seat, has_faded=True)
                retire_if_bare(resolution, wizard.seat)

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a wizard has not drawn, or if a tie in the draft needs a lot."""
        return any(not wizard.has_faded for wizard in state.wizards) or bool(tied_for_lot(state))

    def default(self, resolution: Resolution) -> None:
        """Raise RuleError: cards are drawn by players or, with `fade SEAT`, by the app."""
        late = [wizard for wizard in resolution.state.wizards if not wizard.has_faded]
        if not late:
            tied = all_of(wizard.name for wizard in tied_for_lot(resolution.state))
            raise RuleError(
                phrase(
                    "{players} are tied: say who wins the lot, `lots SEAT`; `lots drawn` draws it (A1.44).",
                    players=tied,
                )
            )
        raise RuleError(
            phrases(
                "{players} must still draw for Fading: `fade {seat} CARD`, or `fade {seat}`.",
                "{players} must still draw for Fading: `fade {seat} CARD`, or `fade {seat}`.",
                n=len(late),
                players=all_of(wizard.name for wizard in late),
                seat=late[0].seat,
            )
        )

    def leave(self, resolution: Resolution) -> str:
        """Set the draft order (R1.82)."""
        order_draft(resolution)
        return "drifting"


def _cap_coppers(resolution: Resolution) -> None:
    """Turn Coppers above `session-copper-cap` into Glory of the band played (A1.45)."""
    cap = resolution.state.house.session_copper_cap
    if cap is None:
        return
    for wizard in resolution.state.wizards:
        excess = min(wizard.purse, max(0, wizard.earned - cap))
        if excess:
            spend(resolution, wizard.seat, excess, Reason("glory-cap", (cap,)))
            resolution.update_wizard(wizard.seat, glory=wizard.glory + excess)
            text = phrase(
                "{player} earned {coppers}c: {excess} above {limit} become Glory (R1.85).",
                player=wizard.name,
                coppers=wizard.earned,
                excess=excess,
                limit=cap,
            )
            resolution.tell(text, wizard.seat)


def cards_to_draw(state: DungeonTable, wizard: Wizard) -> int:
    """Return the number of cards to draw for Fading: one, or two after a Legend kill, if available (R1.81, R1.55)."""
    legends = any(state.monsters[ref].legend for ref in state.killed_bosses)
    two = legends if state.house.legend_fading == "all-wizards" else wizard.legend_killed
    return min(2 if two else 1, len(to_draw_from(state, wizard.seat)))


def draw_cards(state: DungeonTable, action: Fade, rng: Random) -> Fade:
    """Return a Fading draw with cards drawn by the app if none were named (R1.81, R1.55). If two were drawn and the
    action names one of them, that one fades.
    """
    wizard = state.wizard(action.seat)
    named = action.cards[:1] if len(action.cards) == 1 < len(wizard.fading_draw) else ()
    if named and named[0] in wizard.fading_draw and action.fades in (None, *named):
        return msgspec.structs.replace(action, cards=(), fades=named[0])
    cards = to_draw_from(state, wizard.seat)
    asks = state.house.table_draws and not action.is_drawn
    if action.cards or wizard.fading_draw or not cards or asks:
        return action
    sample = rng.sample(sorted(cards), cards_to_draw(state, wizard))
    return msgspec.structs.replace(action, cards=tuple(sample))


def fade(resolution: Resolution, action: Fade) -> None:
    """Cross out the card that fades; of two drawn, the chosen one (R1.81, R1.55, A1.41)."""
    state = resolution.state
    wizard = state.wizard(action.seat)
    if wizard.has_faded:
        raise RuleError(phrase("{player} has nothing to draw for Fading any more (R1.81).", player=wizard.name))
    cards = action.cards or wizard.fading_draw
    if not cards and state.house.table_draws:
        raise RuleError(
            phrases(
                "Say what {player} drew, {n} Blessed card; `fade {seat} drawn` draws for you (R1.81).",
                "Say what {player} drew, {n} Blessed cards; `fade {seat} drawn` draws for you (R1.81).",
                n=cards_to_draw(state, wizard),
                player=wizard.name,
                seat=wizard.seat,
            )
        )
    _check_drawn(state, wizard, cards)
    resolution.change(draws=state.draws + 1)
    resolution.update_wizard(wizard.seat, fading_draw=cards)
    able = tuple(card for card in cards if can_fade(state, wizard.seat, card))
    fades = action.fades or (able[0] if len(able) == 1 else None)
    if fades is not None and fades not in able:
        raise RuleError(
            phrase(
                "{card} cannot fade here; choose one of {cards} (R1.81).",
                card=card_title(fades),
                cards=listed(map(card_title, able)),
            )
            if able
            else phrase("{card} cannot fade here, and neither can any other card (R1.81).", card=card_title(fades))
        )
    both = all_of(map(card_title, cards))
    if fades is None and able:
        resolution.tell(phrase("{player} drew {cards}: say which fades.", player=wizard.name, cards=both), wizard.seat)
        return
    resolution.update_wizard(wizard.seat, has_faded=True)
    if fades is None:
        text = phrase("{player} drew {cards}: Etched, nothing fades.", player=wizard.name, cards=both)
        resolution.tell(text, wizard.seat)
    else:
        cross_out(resolution, wizard.seat, fades, state.bands[wizard.seat].inscribed[fades], "faded")
        retire_if_bare(resolution, wizard.seat)


def _check_drawn(state: DungeonTable, wizard: Wizard, cards: tuple[Card, ...]) -> None:
    if wizard.fading_draw and set(cards) != set(wizard.fading_draw):
        raise RuleError(
            phrase(
                "{player} drew {cards}; `undo` takes a wrong draw back.",
                player=wizard.name,
                cards=all_of(map(card_title, wizard.fading_draw)),
            )
        )
    bare = [pretty(card) for card in cards if card not in state.bands[wizard.seat].inscribed]
    if bare:
        raise RuleError(
            phrase("{cards} bears no inscription; Fading draws among the Blessed cards (R1.81).", cards=all_of(bare))
        )
    etched = [pretty(card) for card in cards if card not in to_draw_from(state, wizard.seat)]
    if etched:
        raise RuleError(phrase("{cards} is Etched and left out of the draw (A1.41).", cards=all_of(etched)))
    due = cards_to_draw(state, wizard)
    if len(cards) != due or len(set(cards)) < due:
        raise RuleError(
            phrases(
                "{player} draws {n} Blessed card for Fading (R1.81, R1.55).",
                "{player} draws {n} Blessed cards for Fading (R1.81, R1.55).",
                n=due,
                player=wizard.name,
            )
        )


def retire_if_bare(resolution: Resolution, seat: str) -> None:
    """Retire a band with 0 Blessed cards left, unless it never had an inscription (R1.81)."""
    band = resolution.state.bands[seat]
    if band.history and not band.inscribed:
        resolution.update_band(seat, retired=True)
        resolution.tell(
            phrase(
                "{band} has no Blessed card left and retires; choose its heirloom: `heirloom {seat} INSCRIPTION`.",
                band=band.title,
                seat=seat,
            ),
            seat,
        )


class TurningStep(DungeonStep):
    """Inscriptions are bought, placed and carried over, until `seal` (R1.83)."""

    def default(self, resolution: Resolution) -> None:  # noqa: ARG002 – same for every table
        """Raise RuleError: sealing is irreversible, so it has its own word."""
        raise RuleError(phrase("When everybody has bought and placed what they want, say `seal`."))


def band_to_inscribe(state: DungeonTable, wizard: Wizard) -> Band | None:
    """Return the band that a wizard holds now, or None if they hold none or one that is yet to be built (A1.43)."""
    band = state.bands.get(wizard.holds)
    return None if band is None or band.retired else band


def _check_holds_band(state: DungeonTable, wizard: Wizard) -> Band:
    if band := band_to_inscribe(state, wizard):
        return band
    if not wizard.holds:
        raise RuleError(
            phrase("{player} holds no band; a retired band's wizard builds a new one (A1.43).", player=wizard.name)
        )
    raise RuleError(
        phrase("{player} holds a band that is yet to be built; inscribe it as it is built (A1.43).", player=wizard.name)
    )


def inscription_error(state: DungeonTable, wizard: Wizard, band: Band, card: Card, name: str) -> Text:
    """Return why a wizard may not write an inscription onto a card of the band now held, or "" (R1.9, A1.19)."""
    present = band.inscribed.get(card, ())
    return placement_error(name, card, present, state.book, state.house, any_card=wizard.any_card > 0)


def _inscribe(resolution: Resolution, seat: str, card: Card, name: str, what: Literal["bought", "mythic"]) -> None:
    """Write an inscription onto a card of the band now held (R1.9)."""
    state, wizard = resolution.state, resolution.state.wizard(seat)
    band = _check_holds_band(state, wizard)
    if why := inscription_error(state, wizard, band, card, name):
        raise RuleError(Finished(why))
    inscribed = {**band.inscribed, card: (*band.inscribed.get(card, ()), name)}
    resolution.update_band(wizard.holds, inscribed=inscribed, history=(*band.history, name))
    resolution.change(changes=(*resolution.state.changes, CardChange(what, wizard.holds, card, name, seat)))
    resolution.tell(
        phrase(
            "{player}: stick {inscription} on {card} of {band}.",
            player=resolution.name(seat),
            inscription=state.book.inscription_title(name),
            card=card_title(card),
            band=band.title,
        ),
        seat,
        by_hand=True,
        lasting=True,
    )
    if why := why_useless(name, card, state.book):
        resolution.tell(Finished(why), seat)


def buy(resolution: Resolution, action: Buy) -> None:
    """Buy an inscription for 5, 10 or 20 Coppers; Mythics are not for sale (R1.8, R1.83)."""
    wizard = resolution.state.wizard(action.seat)
    if why := sale_refusal(resolution.state, wizard, action.inscription):
        raise RuleError(why)
    price = resolution.state.book.price(action.inscription) or 0
    _inscribe(resolution, action.seat, action.card, action.inscription, "bought")
    band = resolution.state.bands[wizard.holds]
    spend(resolution, action.seat, price, Reason("inscription", (action.inscription, action.card, band.name)))
    text = phrase(
        "{player} pays {price}c and keeps {coppers}c.", player=wizard.name, price=price, coppers=wizard.purse - price
    )
    resolution.tell(text, action.seat)


def sale_refusal(state: DungeonTable, wizard: Wizard, name: str) -> Text:
    """Return why a wizard may not buy an inscription, whatever the card, or "" (R1.8, R1.83)."""
    price = state.book.price(name)
    if price is None:
        if state.book.inscription(name).withdrawn:
            return phrase("{inscription} is no longer for sale (R1.8).", inscription=effect_name(name))
        return phrase(
            "{inscription} is Mythic and not for sale (R1.8); an earned one is placed with `mythic`.",
            inscription=effect_name(name),
        )
    if price <= wizard.purse:
        return ""
    return phrase(
        "{inscription} costs {price}c; {player} has {coppers}c (R1.83).",
        inscription=effect_name(name),
        price=price,
        player=wizard.name,
        coppers=wizard.purse,
    )


def on_sale(state: DungeonTable, wizard: Wizard) -> tuple[Inscription, ...]:
    """Return the inscriptions that a wizard's purse can pay (R1.83)."""
    return tuple(one for name, one in state.book.inscriptions.items() if not sale_refusal(state, wizard, name))


def mythic_refusal(state: DungeonTable, wizard: Wizard, name: str) -> Text:
    """Return why a wizard may not place an inscription as an earned Mythic, whatever the card, or "" (R1.83, A1.19)."""
    effect = state.book.inscription(name)
    if effect.tier != MYTHIC:
        return phrase("{inscription} is not a Mythic; it is bought with `buy` (R1.83).", inscription=effect_name(name))
    if effect.withdrawn:
        return phrase(
            "{inscription} is no longer given to cards; choose another Mythic.", inscription=effect_name(name)
        )
    if wizard.mythics:
        return ""
    return phrase("{player} has no Mythic to place; Legend kills earn them (A1.19).", player=wizard.name)


def earned_mythics(state: DungeonTable, wizard: Wizard) -> tuple[Inscription, ...]:
    """Return the Mythics if a wizard has earned one that is not placed yet, else () (A1.19)."""
    return tuple(one for name, one in state.book.inscriptions.items() if not mythic_refusal(state, wizard, name))


def place_mythic(resolution: Resolution, action: Mythic) -> None:
    """Place an earned Mythic, free of charge (R1.83, A1.19)."""
    state, wizard = resolution.state, resolution.state.wizard(action.seat)
    if why := mythic_refusal(state, wizard, action.inscription):
        raise RuleError(why)
    # A Mythic that may go on any card is used only if the card can bear no other, or if no other is left.
    bound = msgspec.structs.replace(wizard, any_card=0)
    band = _check_holds_band(state, wizard)
    anywhere = wizard.any_card > 0 and (
        wizard.any_card == wizard.mythics
        or inscription_error(state, bound, band, action.card, action.inscription) != ""
    )
    _inscribe(resolution, action.seat, action.card, action.inscription, "mythic")
    resolution.update_wizard(action.seat, mythics=wizard.mythics - 1, any_card=wizard.any_card - anywhere)


def carry_over(resolution: Resolution, action: Memory) -> None:
    """Exchange a card with the same card of the new band, each with its inscriptions (R1.I23, A1.42)."""
    state = resolution.state
    if state.house.towers_memory == "off":
        raise RuleError(phrase("No card goes along to another band here: `rule towers-memory off` (A1.42)."))
    wizard = state.wizard(action.seat)
    _check_holds_band(state, wizard)
    old, new = action.seat, wizard.holds
    if old == new:
        raise RuleError(
            phrase("{player} keeps the band; there is nothing to carry over (R1.I23).", player=resolution.name(old))
        )
    if action.card not in cards_to_carry_over(state, old):
        raise RuleError(
            phrase(
                "{card} of {band} bore no towers-memory when it drifted (R1.I23, A1.42).",
                card=card_title(action.card),
                band=state.bands[old].title,
            )
        )
    went = state.bands[old].inscribed[action.card]
    came = state.bands[new].inscribed.get(action.card, ())
    _replace_card(resolution, old, new, action.card, went, came)
    _replace_card(resolution, new, old, action.card, came, went)
    resolution.tell(
        phrase(
            "{player} carries {card} from {band} to {other}.",
            player=resolution.name(old),
            card=card_title(action.card),
            band=state.bands[old].title,
            other=state.bands[new].title,
        ),
        old,
        True,
    )


def cards_to_carry_over(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """Return the cards that may be carried to the band now held (R1.I23), not those carried in or made Mythic now."""
    wizard = state.wizard(seat)
    if wizard.holds == seat or not band_to_inscribe(state, wizard) or state.house.towers_memory == "off":
        return ()
    new = {(change.band, change.card) for change in state.changes if change.what in ("carried-in", "mythic")}
    return tuple(
        card
        for card in state.bands[seat].inscribed
        if (seat, card) not in new and any(effect.drifts for effect in effects(state, seat, card))
    )


def _replace_card(
    resolution: Resolution, seat: str, other: str, card: Card, went: tuple[str, ...], came: tuple[str, ...]
) -> None:
    """Exchange the inscriptions on a card of `seat`'s band with those on the same card of `other`'s band."""
    band = resolution.state.bands[seat]
    rest = {left: names for left, names in band.inscribed.items() if left != card}
    resolution.update_band(seat, inscribed={**rest, card: came} if came else rest, history=(*band.history, *came))
    marks = (
        *(CardChange("carried-off", seat, card, name, other) for name in went),
        *(CardChange("carried-in", seat, card, name, other) for name in came),
    )
    resolution.change(changes=(*resolution.state.changes, *marks))


def choose_heirloom(resolution: Resolution, action: Heirloom) -> None:
    """Choose an inscription of a retired band's history, free for its wizard's next band (R1.81, A1.64)."""
    resolution.state.wizard(action.seat)
    band = resolution.state.bands[action.seat]
    if not band.retired:
        raise RuleError(
            phrase("{band} has not retired; only a retired band leaves an heirloom (R1.81).", band=band.title)
        )
    if action.inscription not in band.history:
        raise RuleError(
            phrase(
                "{band} never bore {inscription}; choose one of {inscriptions}.",
                band=band.title,
                inscription=effect_name(action.inscription),
                inscriptions=all_of(map(effect_name, dict.fromkeys(band.history))),
            )
        )
    before = resolution.state.wizard(action.seat).heirloom
    resolution.update_wizard(action.seat, heirloom=action.inscription)
    title = resolution.state.book.inscription_title
    resolution.tell(
        phrase(
            "{player} keeps {inscription} of {band} as an heirloom, instead of {other}.",
            player=resolution.name(action.seat),
            inscription=title(action.inscription),
            band=band.title,
            other=title(before),
        )
        if before not in ("", action.inscription)
        else phrase(
            "{player} keeps {inscription} of {band} as an heirloom.",
            player=resolution.name(action.seat),
            inscription=title(action.inscription),
            band=band.title,
        ),
        action.seat,
    )


def seal(resolution: Resolution) -> str:
    """Seal the game: unplaced Mythics are kept if a card can bear them (§1.12). Returns the last step."""
    for wizard in resolution.state.wizards:
        if wizard.mythics:
            _keep_mythics(resolution, wizard)
    tell_left_out(resolution)
    resolution.tell(
        phrase("Sealed: what changed is written into the bands' records.")
        if any(band.deck for band in resolution.state.bands.values())
        else phrase("Sealed: loose bands have no records, so only the cards and boxes keep what changed.")
    )
    return "sealed"


def _keep_mythics(resolution: Resolution, wizard: Wizard) -> None:
    """Keep a wizard's Mythics for the next game; they lapse if no card of the band now held can bear them (A1.19)."""
    if has_room(resolution.state, wizard):
        text = phrases(
            "{player} keeps {n} Mythic to place after a later game (§1.12).",
            "{player} keeps {n} Mythics to place after a later game (§1.12).",
            n=wizard.mythics,
            player=wizard.name,
        )
        resolution.tell(text, wizard.seat)
        return
    resolution.update_wizard(wizard.seat, mythics=0, any_card=0)
    text = phrases(
        "No card of {band} can bear a Mythic: {n} Mythic of {player} lapses (A1.19).",
        "No card of {band} can bear a Mythic: {n} Mythics of {player} lapse (A1.19).",
        n=wizard.mythics,
        band=resolution.state.bands[wizard.holds].title,
        player=wizard.name,
    )
    resolution.tell(text, wizard.seat)


def has_room(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True if the band now held has a card for a Mythic (A1.19), or is yet to be built."""
    band = band_to_inscribe(state, wizard)
    return band is None or any(
        not inscription_error(state, wizard, band, card, one.name)
        for card in COMBAT_CARDS
        for one in earned_mythics(state, wizard)
    )
