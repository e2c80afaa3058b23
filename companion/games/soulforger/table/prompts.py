"""The prompts at a Soul-Forger table: questions with their known answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.attack import attackable, attacked_player, blockers, is_there, may_attack
from companion.games.soulforger.rules.costs import find_payment
from companion.games.soulforger.rules.flow import hand_action_fits
from companion.games.soulforger.rules.state import (
    Equipment,
    FieldCard,
    OngoingAttack,
    SoulForgerPlayer,
    SoulForgerTable,
)
from companion.games.soulforger.rules.turn import next_seat
from companion.tabletop import tracking
from companion.tabletop.action import Action
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import Brought, SeatPlayer, before_begin, closing, offers_before_begin
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table import rule_questions
from companion.tabletop.table.common_actions import Add, Begin, Next
from companion.tabletop.table.table import Draft, Prompt, draft
from templates.languages.messages import Message, Text, listed, phrase, phrases


def prompts(state: SoulForgerTable) -> tuple[Prompt, ...]:
    """Return the prompts of the moment, in order; after the end, only the one that seals the game."""
    return closing(state) if state.outcome else tuple(_questions(state))


def _questions(state: SoulForgerTable) -> Iterator[Prompt]:
    if state.phase in _OPENING:
        yield from _OPENING[state.phase](state)
        return
    yield from tracking.questions(state)
    over = state.overflowing()
    if over is not None:
        yield _overflow(state, over)
        return
    if state.together:
        yield from batch.prompts((draft(do.Damage), *_effects(state)))
        return
    if state.flow:
        yield from _flow(state)
    elif state.attack is not None:
        yield from _attack(state, state.attack)
    else:
        yield from _TURN[state.phase](state, state.player(state.active))
    yield Prompt(phrase("What does a card do?"), draft(do.Damage), due=False, others=tuple(_effects(state)))


def _offer(text: Text, action: type[Action], *others: Draft, **given: Any) -> Prompt:
    """Return an optional prompt."""
    return Prompt(text, Draft(action, given), given.get("seat", ""), due=False, others=others)


def _setup(state: SoulForgerTable) -> Iterator[Prompt]:
    yield from _seats_and_gear(state) if state.tracks_all else _seats(state)
    if len(state.players) > 1:
        yield from rule_questions.before_game(state)


def _seats(state: SoulForgerTable) -> Iterator[Prompt]:
    """Yield the prompts for seats and the first turn in a game that does not track cards."""
    yield _who_sits_next(state)
    if len(state.players) > 1:
        yield _who_goes_first(state)
        yield Prompt(phrase("Begin: shuffle, and everybody draws 5 cards"), draft(Begin))


def _who_sits_next(state: SoulForgerTable) -> Prompt:
    return Prompt(phrase("Who sits next, clockwise?"), draft(SeatPlayer), due=len(state.players) < 2)


def _who_goes_first(state: SoulForgerTable) -> Prompt:
    text = phrase("Who goes first? {player}, unless you say otherwise", player=state.player(state.first).name)
    return _offer(text, do.First)


def _seats_and_gear(state: SoulForgerTable) -> Iterator[Prompt]:
    unarmed = [player for player in state.players if state.weapon(player.seat) is None]
    if len(state.players) < 2 or not unarmed:
        yield _who_sits_next(state)
    for player in unarmed:
        note = phrase("its Power On-guard/Off-guard, and its hands")
        weapon = Draft(do.Gear, {"seat": player.seat}, note, ("power", "hands"))
        text = phrase("{player}: with which weapon do you start?", player=player.name)
        yield Prompt(text, weapon, player.seat)
    for player in state.players:
        if {piece.slot for piece in state.equipment(player.seat)} < {"primary", "armor", "accessory"}:
            text = phrase("{player}: armor and accessory of the Starting Gear", player=player.name)
            yield _offer(text, do.Gear, seat=player.seat)
    if state.players:
        if any(not state.brought.get(player.seat, Brought()).deck for player in state.players):
            yield _offer(phrase("How many cards are in each Main Deck, if not 60?"), do.DeckSize)
        yield _who_goes_first(state)
    if len(state.players) > 1 and not unarmed:
        yield from before_begin(state, do.First)
        yield Prompt(phrase("Begin: everybody draws 5 cards"), draft(Begin))
        yield from offers_before_begin(state, do.First)


def _mulligan(state: SoulForgerTable) -> Iterator[Prompt]:
    for player in state.clockwise(state.first):
        if not player.out and not player.hand_settled:
            text = phrase("{player}: keep the opening hand, or exchange some of it once", player=player.name)
            exchange = draft(do.Mulligan, phrase("that many on the bottom, draw as many, shuffle"), seat=player.seat)
            yield Prompt(text, draft(do.Keep, seat=player.seat), player.seat, others=(exchange,))
    yield _offer(phrase("Everybody else keeps"), Next)


def _overflow(state: SoulForgerTable, player: SoulForgerPlayer) -> Prompt:
    """Return the prompt for the creature that must leave (R2.12)."""
    leaving, *others = (
        draft(do.Send, phrase("Ronum {ronum}", ronum=creature.ronum), handle=creature.handle)
        for creature in state.creatures(player.seat)
        if creature.ronum
    )
    text = phrase(
        "{player}: Ronum {ronum} at level {level}: which creature leaves?",
        player=player.name,
        ronum=state.ronum(player.seat),
        level=player.level,
    )
    return Prompt(text, leaving, player.seat, others=tuple(others))


def _flow(state: SoulForgerTable) -> Iterator[Prompt]:
    top = state.flow[-1]
    negate = () if all(item.negated for item in state.flow) else (draft(do.Negate, phrase("passes it over")),)
    if top.negated:
        text = phrase("On the Flow: “{effect}” (negated). When all pass, it resolves", effect=top.name)
    else:
        text = phrase("On the Flow: “{effect}”. When all pass, it resolves", effect=top.name)
    yield Prompt(text, draft(do.Resolve), others=negate)
    yield from _answers(state)


def _answers(state: SoulForgerTable) -> Iterator[Prompt]:
    """Yield the responses open to all players: an effect, a set Action, a Skill."""
    yield _offer(phrase("Answer with an effect"), do.Flow)
    for player in state.living():
        if lying := _set_actions(player, since=state.turn, speed="reaction"):
            yield _offer_either(phrase("{player}: answer with a set Action", player=player.name), player, lying)
    if any("skill" in card.keywords and card.guarded for card in state.cards.values()):
        yield _offer(phrase("Answer with a Skill"), do.Skill)


def _effects(state: SoulForgerTable) -> Iterator[Draft]:
    yield from (draft(action) for action in (do.Heal, do.Draw))
    if any(state.holds(player) for player in state.living()):
        yield draft(do.Discard)
    yield draft(do.Token, phrase("without Ronum; it vanishes when it leaves"))
    yield Draft(do.Token, {}, phrase("with its Ronum and keywords"), ("ronum", "keywords"))
    if any(not isinstance(card, Equipment) or card.is_weapon for card in state.cards.values()):
        yield draft(do.Buff)
    if state.cards:
        yield from (draft(action) for action in (do.Destroy, do.Send, do.Give))
    if any(card.keywords for card in state.cards.values()):
        yield draft(do.TakeAway)
    yield batch.OFFER


def _set_actions(player: SoulForgerPlayer, since: int | None = None, **given: Any) -> tuple[Draft, ...]:
    """Return the face-down Actions that can be played. With `since`, only those set before that turn."""
    lying = (card for card in player.zone if card.face_down and (since is None or card.turn < since))
    names = dict.fromkeys(card.name for card in lying)
    note = phrase("what lies face down, by its name")
    unnamed = draft(do.PlayAction, note, seat=player.seat, from_="set", **given)
    return tuple(
        draft(do.PlayAction, seat=player.seat, name=name, from_="set", **given) if name else unnamed for name in names
    )


def _offer_either(text: Text, player: SoulForgerPlayer, answers: tuple[Draft, ...]) -> Prompt:
    """Return an optional prompt with several answers of one kind."""
    return Prompt(text, answers[0], player.seat, due=False, others=answers[1:])


def _attack(state: SoulForgerTable, attack: OngoingAttack) -> Iterator[Prompt]:
    """Yield the prompts of the open attack: a block, another target, the fight."""
    attacker = state.cards[attack.attacker]
    seat, here = attacker.owner, is_there(state, attack.target)
    able = () if attack.blocker or attack.declined else tuple(blockers(state, attack))
    if able:
        attacked = state.player(attacked_player(state, attack))
        text = phrase("{player}: block {attacker}, or let it through", player=attacked.name, attacker=attacker.title)
        blocks = tuple(draft(do.Block, _power_note(card), blocker=card.handle) for card in able)
        through = draft(do.Fight, phrase("nobody blocks: deal the damage"))
        waits = draft(do.NoBlock, phrase("nobody blocks, and the fight waits"))
        yield Prompt(text, through, attacked.seat, others=(*blocks, waits))
    if not attack.blocker and (attack.unsettled or not here):
        text = phrase(
            "{player}: a creature has come or gone; retarget {attacker}, or call off the attack",
            player=state.player(seat).name,
            attacker=attacker.title,
        )
        yield Prompt(text, draft(do.CallOff), seat, due=not here, others=(draft(do.Retarget),))
    if (attack.blocker or here) and not able:
        yield Prompt(phrase("The fight: deal the damage"), draft(do.Fight), seat)
    yield from _answers(state)


def _ready(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Prompt]:  # noqa: ARG001 – the shape of every phase
    text = phrase("{player}: effects at the start of the turn, then on to the Side Quest", player=player.name)
    yield _go_on(player, text)


def _go_on(player: SoulForgerPlayer, text: Text, *others: Draft) -> Prompt:
    return Prompt(text, draft(Next), player.seat, due=False, others=others)


def _quest(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Prompt]:
    if not player.quested and (state.holds(player) or state.house.xp_only_side_quest):
        others = []
        if state.house.xp_only_side_quest:
            others.append(draft(do.Quest, phrase("XP alone"), seat=player.seat, cards=()))
        if player.xp and state.holds(player):
            note = phrase("{xp} XP kept for later (A2.18)", xp=player.xp)
            others.append(draft(do.Quest, note, seat=player.seat, keep_xp=True))
        yield _offer(_quest_question(player), do.Quest, *others, seat=player.seat)
    yield _go_on(player, phrase("{player}: on to Main 1", player=player.name))


def _quest_question(player: SoulForgerPlayer) -> Message:
    figures = {"player": player.name, "ronum": player.level, "level": player.level + 1}
    if not player.xp:
        return phrase("{player}: Side Quest: send Ronum {ronum} for level {level}; no XP to fill a gap", **figures)
    return phrase(
        "{player}: Side Quest: send Ronum {ronum} for level {level}; {xp} XP can fill a gap", **figures, xp=player.xp
    )


def _main(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Prompt]:
    """Yield one prompt for all plays of a main phase. In Main 2, after most plays, going on comes first."""
    plays = tuple(_plays(state, player))
    if state.phase == "main1":
        on, skip = draft(Next, phrase("on to Combat")), draft(do.SkipCombat, phrase("straight to the End"))
        text = phrase(
            "{player}: summon, play or forge, Ronum up to {level}, or go on", player=player.name, level=player.level
        )
        yield Prompt(text, plays[0], player.seat, due=False, others=(*plays[1:], on, skip))
    else:
        text = phrase("{player}: on to the End Phase, or summon, play, forge", player=player.name)
        yield _go_on(player, text, *plays)


def _plays(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Draft]:
    """Yield the turn player's plays in a main phase (R2.8), each with its limits."""
    seat, level = player.seat, player.level
    if state.holds(player):
        room = max(0, level - state.ronum(seat))
        yield draft(do.Summon, phrase("a creature, Ronum up to {ronum} without a cost", ronum=room), seat=seat)
        note = phrase("with XP, factions and keywords")
        yield Draft(do.Summon, {"seat": seat}, note, ("xp", "faction", "keywords"))
    if hand_action_fits(state, player):
        yield draft(do.PlayAction, phrase("an Action, Ronum up to {level}", level=level), seat=seat)
        yield draft(do.SetAction, phrase("an Action face down"), seat=seat)
    yield from _set_actions(player)
    weapon = phrase("a weapon, its Power On-guard/Off-guard and its hands")
    yield Draft(do.ForgeEquipment, {"seat": seat}, weapon, ("power", "hands"))
    yield draft(do.ForgeEquipment, phrase("armor or an accessory"), seat=seat)
    if find_payment(player, 1) or not state.counts(seat, "material"):
        yield draft(do.Pay, phrase("a cost from the Material Zone"), seat=seat)
    primary, secondary = state.weapon(seat), state.weapon(seat, "secondary")
    if primary and secondary and primary.guarded and secondary.guarded and not player.swapped:
        yield draft(do.Swap, phrase("{weapon} as Primary", weapon=secondary.title), seat=seat)


def _whole_turn(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Prompt]:
    """Yield the prompts of a turn without phases: changes are typed, and Enter ends it. Creatures are optional."""
    up = draft(Add, phrase("the Side Quest gained a level"), target=player.seat, counter="level", amount=1)
    bought = (draft(do.Level, phrase("for {price} of {xp} XP", price=player.level, xp=player.xp), seat=player.seat),)
    may_buy = player.xp >= player.level and not (player.levelled and state.house.end_level_ups == "once")
    levels = (up, *(bought if may_buy else ()))
    after = state.player(next_seat(state)).name
    text = phrase("{player}'s turn, level {level}: say what changes, or end it", player=player.name, level=player.level)
    yield Prompt(text, draft(Next, phrase("on to {player}", player=after)), player.seat, others=levels)
    attacks = tuple(_attacks(state, player))
    if attacks:
        # Translators: an offer to the player: attack now.
        yield _offer_either(phrase("{player}: attack", player=player.name), player, attacks)
    quest = draft(do.Quest, phrase("with the Ronum of each card sent; XP fills the gap"), seat=player.seat)
    plays = (*(() if player.quested else (quest,)), *_plays(state, player))
    yield _offer_either(phrase("{player}: Side Quest, summon, play, forge", player=player.name), player, plays)


def _attacks(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Draft]:
    """Yield the possible attacks; a single possible target is filled in."""
    able = [card for card in state.cards.values() if card.owner == player.seat and may_attack(card)]
    targets = tuple(attackable(state))
    aim = {"target": targets[0]} if len(targets) == 1 else {}
    return (draft(do.Attack, _power_note(card), attacker=card.handle, **aim) for card in able if targets)


def _power_note(card: FieldCard) -> Message:
    return phrase("Power {power}", power=card.power)


def _combat(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Prompt]:
    """Yield the prompt for attacks; a single possible target is filled in."""
    able = [card for card in state.cards.values() if card.owner == player.seat and may_attack(card)]
    targets = tuple(attackable(state))
    if able and targets:
        aim = {"target": targets[0]} if len(targets) == 1 else {}
        attacks = [draft(do.Attack, _power_note(card), attacker=card.handle, **aim) for card in able]
        on = draft(Next, phrase("nobody else attacks"))
        names = listed(card.title for card in able)
        text = phrase("{player}: attack with {cards}", player=player.name, cards=names)
        yield Prompt(text, attacks[0], player.seat, due=False, others=(*attacks[1:], on))
    else:
        yield _go_on(player, phrase("{player}: on to Main 2", player=player.name))


def _end(state: SoulForgerTable, player: SoulForgerPlayer) -> Iterator[Prompt]:
    once = player.levelled and state.house.end_level_ups == "once"
    if player.xp >= player.level and not once:
        text = phrase(
            "{player}: level {level} for {price} of {xp} XP",
            player=player.name,
            level=player.level + 1,
            price=player.level,
            xp=player.xp,
        )
        yield _offer(text, do.Level, seat=player.seat)
    due = state.discard_due(player)
    if due:
        discard = draft(do.Discard, seat=player.seat, cards=due)
        text = phrases(
            "{player}: discard {n} card, down to 8 in hand",
            "{player}: discard {n} cards, down to 8 in hand",
            n=due,
            player=player.name,
        )
        yield Prompt(text, discard, player.seat)
    else:
        text = phrase("{player}: effects at the end of the turn, then the next player's turn", player=player.name)
        yield _go_on(player, text)


_OPENING: Final[dict[str, Callable[[SoulForgerTable], Iterator[Prompt]]]] = {"setup": _setup, "mulligan": _mulligan}
_TURN: Final[dict[str, Callable[[SoulForgerTable, SoulForgerPlayer], Iterator[Prompt]]]] = {
    "ready": _ready,
    "quest": _quest,
    "main1": _main,
    "combat": _combat,
    "main2": _main,
    "end": _end,
    WHOLE_TURN: _whole_turn,
}
