"""The Flow and its Actions: speeds, the zones they are played from, and the order of resolution (R2.18–R2.20)."""

from __future__ import annotations

import msgspec

from companion.games.soulforger.glossary import phase_title
from companion.games.soulforger.rules.actions import Flow, Negate, PlayAction, Resolve, SetAction
from companion.games.soulforger.rules.costs import hand_card, pay_from_field, remind_cost
from companion.games.soulforger.rules.field import remind, take_from_zone, to_graveyard
from companion.games.soulforger.rules.keywords import check_factions
from companion.games.soulforger.rules.state import FlowItem, Resolution, SoulForgerPlayer, SoulForgerTable, ZoneAction
from companion.games.soulforger.rules.summons import check_main_phase
from companion.games.soulforger.rules.turn import check_settled, living_player
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import count_copy
from templates.languages.messages import Text, any_of, listed, phrase, phrase_in


def flow(resolution: Resolution, action: Flow) -> None:
    """Put any effect on the Flow (R2.20)."""
    player = living_player(resolution, action.seat)
    check_settled(resolution)
    _push_item(resolution, FlowItem(player.seat, action.name))


def _push_item(resolution: Resolution, item: FlowItem) -> None:
    resolution.change(flow=(*resolution.state.flow, item))
    resolution.tell(
        phrase(
            "{player} puts “{effect}” on the Flow, number {number}.",
            player=resolution.name(item.seat),
            effect=item.name,
            number=len(resolution.state.flow),
        ),
        item.seat,
    )


def negate(resolution: Resolution, action: Negate) -> None:
    """Negate the topmost effect of this name that is not negated yet (R2.20)."""
    items = list(resolution.state.flow)
    for index in reversed(range(len(items))):
        item = items[index]
        if item.name.casefold() == action.name.casefold() and not item.negated:
            items[index] = msgspec.structs.replace(item, negated=True)
            resolution.change(flow=tuple(items))
            text = phrase("“{effect}” is negated; it will be passed over (R2.20).", effect=item.name)
            resolution.tell(text, item.seat)
            return
    there = tuple(phrase("“{effect}”", effect=item.name) for item in items if not item.negated)
    raise RuleError(
        phrase(
            "There is no “{effect}” on the Flow to negate; there is: {effects}.",
            effect=action.name,
            effects=listed(there) if there else phrase_in("effects on the Flow", "nothing"),
        )
    )


def resolve(resolution: Resolution, action: Resolve) -> None:  # noqa: ARG001 – a bare word
    """Resolve the top of the Flow: last in, first out. A negated effect is passed over (R2.20)."""
    check_settled(resolution)
    if not resolution.state.flow:
        raise RuleError(phrase("The Flow is empty (R2.20)."))
    item = resolution.state.flow[-1]
    if item.negated:
        text = phrase("“{effect}” was negated and is passed over.", effect=item.name)
    else:
        text = phrase("“{effect}” resolves: carry out its effect.", effect=item.name)
    resolution.tell(text, item.seat, by_hand=not item.negated)
    drop_top(resolution)
    if item.card and not item.negated:
        for card in resolution.state.cards.values():
            if card.owner == item.seat:
                remind(resolution, card, "spell")


def drop_top(resolution: Resolution) -> None:
    """Remove the top of the Flow.

    An Action card goes to the graveyard; a Lingering one that took effect stays (R2.18).
    """
    *rest, item = resolution.state.flow
    resolution.change(flow=tuple(rest))
    if not item.card:
        return
    player = resolution.state.player(item.seat)
    if item.lingering and not item.negated:
        resolution.update_player(
            player.seat, zone=(*player.zone, ZoneAction(item.name, resolution.state.turn, face_down=False))
        )
        text = phrase("“{action}” is Lingering and stays in its zone (R2.18).", action=item.name)
        resolution.tell(text, player.seat)
    else:
        to_graveyard(resolution, player.seat)


def zones_used(state: SoulForgerTable, player: SoulForgerPlayer) -> int:
    """Return the number of Action Zones in use: set and Lingering Actions, and those on the Flow (R2.18)."""
    return len(player.zone) + sum(item.card and item.seat == player.seat for item in state.flow)


def has_open_zone(state: SoulForgerTable, player: SoulForgerPlayer) -> bool:
    """Return True if there is room for one more Action (house rule action-zones)."""
    most = state.house.action_zones
    return most is None or zones_used(state, player) < most


def hand_action_fits(state: SoulForgerTable, player: SoulForgerPlayer) -> bool:
    """Return True if an Action from the hand can be played or set."""
    return state.holds(player) and has_open_zone(state, player)


def _check_open_zone(resolution: Resolution, seat: str) -> None:
    if not has_open_zone(resolution.state, resolution.state.player(seat)):
        most = resolution.state.house.action_zones
        raise RuleError(
            phrase(
                "All {zones} Action Zones of {player} are taken (R2.18, house rule action-zones).",
                zones=most,
                player=resolution.name(seat),
            )
        )


def set_action(resolution: Resolution, action: SetAction) -> None:
    """Set an Action from the hand face down in an open zone (R2.8, R2.18)."""
    refusal = phrase(
        "Setting an Action belongs to Main 1 or Main 2; the current phase is {phase} (R2.8, R2.19).",
        phase=phase_title(resolution.state.phase),
    )
    check_main_phase(resolution, action.seat, refusal)
    _check_open_zone(resolution, action.seat)
    hand_card(resolution, action.seat)
    player = resolution.state.player(action.seat)
    resolution.update_player(player.seat, zone=(*player.zone, ZoneAction(action.name, resolution.state.turn)))
    own: Text = ""
    if action.name:
        own = phrase("{player} sets “{action}” face down.", player=player.name, action=action.name)
    resolution.tell(phrase("{player} sets an Action face down.", player=player.name), player.seat, own=own)


def play_action(resolution: Resolution, action: PlayAction) -> None:
    """Put an Action on the Flow (R2.18, R2.19)."""
    player = living_player(resolution, action.seat)
    check_settled(resolution)
    _check_speed(resolution, player, action)
    if action.ronum > player.level:
        raise RuleError(
            phrase(
                "{player} is level {level}; Ronum {ronum} is above it (R2.11, R2.18).",
                player=player.name,
                level=player.level,
                ronum=action.ronum,
            )
        )
    _check_faction(resolution.state, player, action)
    pay_from_field(resolution, player.seat, action.pay)
    if action.from_ == "hand":
        _check_open_zone(resolution, player.seat)
        hand_card(resolution, player.seat, f"“{action.name}”")
        name = action.name
    else:
        chosen = _set_before(resolution.state, player, action)
        take_from_zone(resolution, resolution.state.player(player.seat), chosen)
        name = chosen.name or action.name
    _push_item(resolution, FlowItem(player.seat, name, card=True, lingering=action.lingering))
    count_copy(resolution, player.seat, name)
    if not action.pay:
        remind_cost(resolution, player.seat, name)


def _check_speed(resolution: Resolution, player: SoulForgerPlayer, action: PlayAction) -> None:
    """Raise RuleError if the speed of an Action does not fit (R2.19).

    Normal speed needs the player's own Main Phases, Reaction a zone, and Instinct a zone or the player's own turn.
    """
    if action.speed == "normal":
        refusal = phrase(
            "An Action of Normal speed belongs to Main 1 or Main 2; the current phase is {phase} (R2.8, R2.19).",
            phase=phase_title(resolution.state.phase),
        )
        check_main_phase(resolution, player.seat, refusal)
    elif action.from_ == "hand":
        if action.speed == "reaction":
            raise RuleError(
                phrase("An Action of Reaction speed must have been set in an earlier turn (R2.19): `from set`.")
            )
        if player.seat != resolution.state.active:
            raise RuleError(
                phrase(
                    "In an opponent's turn, an Action of Instinct speed must have been set already (R2.19): `from set`."
                )
            )


def _check_faction(state: SoulForgerTable, player: SoulForgerPlayer, action: PlayAction) -> None:
    """Raise RuleError unless the player controls a creature or equipment of the Action's faction (R2.18)."""
    check_factions(action.faction)
    controlled = {faction for card in state.cards.values() if card.owner == player.seat for faction in card.factions}
    if state.tracks_all and action.faction and not controlled & set(action.faction):
        raise RuleError(
            phrase(
                "{player} controls no creature or equipment of faction {factions} (R2.18).",
                player=player.name,
                factions=any_of(action.faction),
            )
        )


def _set_before(state: SoulForgerTable, player: SoulForgerPlayer, action: PlayAction) -> ZoneAction:
    """Return the face-down Action that is played.

    It is the oldest one of that name, or else the newest unnamed one. Except at Normal speed, it must be from an
    earlier turn (R2.19).
    """
    name = action.name.casefold()
    named = sorted((card for card in player.zone if card.face_down and card.name.casefold() == name), key=_set_turn)
    unnamed = sorted((card for card in player.zone if card.face_down and not card.name), key=_set_turn, reverse=True)
    lying = (*named, *unnamed)
    if not lying:
        count = sum(card.face_down for card in player.zone)
        if not count:
            raise RuleError(
                phrase(
                    "{player} has not set “{action}”; nothing lies face down.", player=player.name, action=action.name
                )
            )
        raise RuleError(
            phrase(
                "{player} has not set “{action}”; what lies face down ({cards}) was set under another name.",
                player=player.name,
                action=action.name,
                cards=count,
            )
        )
    able = [card for card in lying if action.speed == "normal" or card.turn < state.turn]
    if not able:
        raise RuleError(
            phrase(
                "“{action}” was set this turn; at this speed, it must wait for a later turn (R2.19).",
                action=action.name,
            )
        )
    return able[0]


def _set_turn(card: ZoneAction) -> int:
    return card.turn
