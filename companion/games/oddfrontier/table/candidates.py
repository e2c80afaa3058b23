"""Candidates for the fields of an unfinished line, with what players need to know to choose one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from typing import Final

from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.combat import open_splits
from companion.games.oddfrontier.rules.deck_list import is_payable, is_played_with, lacking
from companion.games.oddfrontier.rules.state import ARCHIVE, FrontierPlayer, FrontierTable, Permanent, Queued
from companion.tabletop.action import Action
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import SeatPlayer, listed_handles, listed_names
from companion.tabletop.notation.arguments import HANDLE, SEAT
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.table import Draft
from companion.tabletop.text import figure
from templates.languages.messages import Message, listed, phrase

Ask = Callable[[FrontierTable, Draft], Candidates]


def candidates(state: FrontierTable, draft: Draft, field: str) -> Candidates | None:
    """Return the candidates for a field; None if its kind alone determines them."""
    if ask := _ASKS.get((draft.action, field)):
        return ask(state, draft)
    kind = draft.argument(field).kind
    if kind is SEAT:
        return _seats(state.players)
    if kind is HANDLE:
        return _permanents(state.permanents)
    return None


def _seats(players: Iterable[FrontierPlayer]) -> tuple[Choice, ...]:
    return tuple(Choice(player.seat, player.name, phrase("life {life}", life=player.life)) for player in players)


def _permanents(permanents: Iterable[Permanent]) -> tuple[Choice, ...]:
    return tuple(Choice(each.handle, each.title, _permanent_figures(each)) for each in permanents)


def _permanent_figures(permanent: Permanent) -> Message:
    cranked = (phrase("cranked"),) if permanent.cranked else ()
    if not permanent.creature:
        return listed(cranked)
    taken = (phrase("damage {damage}", damage=permanent.damage),) if permanent.damage else ()
    return listed((f"{figure(permanent.attack)}/{figure(permanent.defense)}", *taken, *cranked))


def _new_seat(state: FrontierTable, draft: Draft) -> Candidates:  # noqa: ARG001 – the common signature
    taken = {player.seat for player in state.players}
    return Open(phrase("a word for the seat"), _free_word("player", taken))


def _new_handle(state: FrontierTable, draft: Draft) -> Candidates:
    taken = {*state.handles, *(player.seat for player in state.players)}
    seat = draft.given.get("seat", "")
    listed_cards = listed_handles(state, seat, taken, partial(is_played_with, draft.action))
    payable = listed_handles(state, seat, taken, partial(is_payable, state, seat, draft.action))
    what = _or_why_not(phrase("a word to call it by"), state, draft)
    return Open(what, _free_word("card", taken), fitting=payable, unfit=_without_choices(listed_cards, payable))


def _magic(state: FrontierTable, draft: Draft) -> Candidates:
    seat = draft.given.get("seat", "")
    listed_cards = listed_names(state, seat, partial(is_played_with, draft.action))
    payable = listed_names(state, seat, partial(is_payable, state, seat, draft.action))
    what = _or_why_not(phrase("what it is called"), state, draft)
    return Open(what, "…", fitting=payable, unfit=_without_choices(listed_cards, payable))


def _without_choices(listed_cards: tuple[Choice, ...], payable: tuple[Choice, ...]) -> tuple[Choice, ...]:
    return tuple(choice for choice in listed_cards if choice not in payable)


def _or_why_not(what: Message, state: FrontierTable, draft: Draft) -> Message:
    """Return the description of a field, with the reason if no listed card is payable."""
    why = lacking(state, draft.given.get("seat", ""), draft.action)
    # Translators: what is typed, and why no listed card can be played: “what it is called (the cheapest, Fog, …)”
    return phrase("{what} ({reason})", what=what, reason=why) if why else what


def _free_word(word: str, taken: set[str]) -> str:
    return next(name for number in count(1) if (name := f"{word}-{number}") not in taken)


def _engine_owners(state: FrontierTable, draft: Draft) -> Candidates:  # noqa: ARG001 – the common signature
    """Return the seats whose Engines can be cranked or uncranked, and the other permanents."""
    engines = [
        Choice(
            player.seat,
            phrase("{player}'s Engines", player=player.name),
            phrase("{cranked} of {engines} cranked", cranked=player.cranked, engines=player.engines),
        )
        for player in state.players
    ]
    return (*engines, *(Choice(each.handle, each.title, _permanent_figures(each)) for each in state.permanents))


def _healable_targets(state: FrontierTable, draft: Draft) -> Candidates:  # noqa: ARG001 – the common signature
    """Return the players and Creatures that can be healed."""
    return (*_seats(state.players), *_permanents(each for each in state.permanents if each.creature))


def _keywords(state: FrontierTable, draft: Draft) -> Candidates:  # noqa: ARG001 – the common signature
    title = phrase("First Assault")
    return (Choice(do.FIRST_ASSAULT, title, phrase("deals its damage before the others (A3.5)")),)


def _number(least: int, most: Callable[[FrontierPlayer], int | None]) -> Ask:
    """Return a candidate function for a number whose bounds depend on the player named in the draft."""

    def ask(state: FrontierTable, draft: Draft) -> Candidates:
        seat = draft.given.get("seat") or draft.given.get("what")
        player = next((player for player in state.players if player.seat == seat), None)
        return Open(phrase("a whole number"), least, least, most(player) if player else None)

    return ask


def _discards(state: FrontierTable, draft: Draft) -> Candidates:
    """Return the number of cards to discard: at least 1, and at most the hand if it is counted."""
    bounds = _number(1, lambda player: player.hand if state.counts(player.seat, "hand") else None)
    return bounds(state, draft)


def _queued_choices(state: FrontierTable, draft: Draft) -> Candidates:  # noqa: ARG001 – the common signature
    waiting = {queued.name: queued for queued in state.queue if not queued.negated}
    return tuple(Choice(name, name, _kind_of(state, queued)) for name, queued in waiting.items())


def _kind_of(state: FrontierTable, queued: Queued) -> Message:
    player = state.player(queued.seat).name
    if queued.magic:
        return phrase("{player}'s magic", player=player)
    return phrase("{player}'s ability", player=player)


def _shares(state: FrontierTable, draft: Draft) -> Candidates:
    """Return the shares of a split: a number for each blocker; the example gives all that is left to the first."""
    handle = draft.given["handle"]
    left = next((left for attacker, left in open_splits(state) if attacker.handle == handle), 0)
    example = tuple((blocker.handle, 0 if at else left) for at, blocker in enumerate(state.blockers(handle)))
    if not example:
        return ()
    return Open(phrase("how much of {damage} each blocker takes", damage=left), example, least=1, most=len(example))


def _wounds(state: FrontierTable, draft: Draft) -> Candidates:  # noqa: ARG001 – the common signature
    return Open(phrase("who is wounded, and by how much"), tuple((player.seat, 1) for player in state.standing()[:1]))


_COST: Final = _number(0, lambda player: player.energy + player.engines - player.cranked)

_ASKS: Final[dict[tuple[type[Action], str], Ask]] = {
    (SeatPlayer, "seat"): _new_seat,
    (do.DeckSize, "cards"): lambda state, draft: Open(phrase("a whole number"), ARCHIVE, least=0),  # noqa: ARG005
    (do.Crank, "what"): _engine_owners,
    (do.Crank, "engines"): _number(1, lambda player: player.engines - player.cranked),
    (do.Uncrank, "what"): _engine_owners,
    (do.Spend, "energy"): _number(1, lambda player: player.energy + player.engines - player.cranked),
    (do.Summon, "handle"): _new_handle,
    (do.Summon, "figures"): lambda state, draft: Open(phrase("its attack/defense"), (2, 2)),  # noqa: ARG005
    (do.Summon, "cost"): _COST,
    (do.Token, "handle"): _new_handle,
    (do.Token, "figures"): lambda state, draft: Open(phrase("its attack/defense"), (2, 2)),  # noqa: ARG005
    (do.Heal, "target"): _healable_targets,
    (do.Buff, "change"): lambda state, draft: Open(phrase("what attack and defense gain or lose"), (1, 1)),  # noqa: ARG005
    (do.Give, "keyword"): _keywords,
    (do.TakeAway, "keyword"): _keywords,
    (do.PlayPermanent, "handle"): _new_handle,
    (do.PlayPermanent, "cost"): _COST,
    (do.Queue, "cost"): _COST,
    (do.Split, "shares"): _shares,
    (do.Queue, "name"): _magic,
    (do.Negate, "name"): _queued_choices,
    (do.Wound, "wounds"): _wounds,
    (do.Damage, "more"): lambda state, _: batch.hurt_as_well(c.handle for c in state.permanents if c.creature),
    (do.Draw, "cards"): _number(1, lambda player: None),  # noqa: ARG005 – an empty archive bounds no draw (A3.6)
    (do.Discard, "cards"): _discards,
}
