"""What DecknForge asks for and what it offers: exactly what its rules accept, at any table that may come up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.game import GAME, DecknForge
from companion.games.decknforge.rules import actions as do
from companion.session.core.session import Session
from companion.tabletop.action import Action, Step
from companion.tabletop.notation.arguments import REF
from companion.tabletop.notation.cards import PACK
from companion.tabletop.notation.notation import Argument
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.completion import complete
from companion.tabletop.table.table import Draft, draft
from tests.examples import examples
from tests.games.choosing import Choosing
from tests.games.decknforge import evening
from tests.games.decknforge.sessions import session_after

STRANGE = "2H"


def domain(state: DungeonTable, draft: Draft, argument: Argument) -> Iterable[Any] | None:
    """All values of the fields that cards on the table, Monsters and bands fill."""
    cards = [card.card for card in state.revealed]
    if draft.action is do.Will and argument.field == "card":
        return combinations(cards, 2)
    if draft.action is do.Fade and argument.field == "cards":
        blessed = dict.fromkeys((*state.bands[draft.given["seat"]].inscribed, STRANGE))
        return [*combinations(blessed, 1), *combinations(blessed, 2)]
    if draft.action is do.Bosses:
        return [*((ref,) for ref in state.monsters), (*state.order, "ana:AS")]
    if draft.action is do.BandSeat:
        return None if argument.field != "seat" else (*state.bands, "zoe")
    if argument.kind is do.INSCRIPTION:
        return tuple(state.book.inscriptions)
    if argument.kind is do.LABEL:
        return tuple(state.book.labels)
    if argument.kind is REF:
        return tuple(state.monsters)
    return None if argument.required or argument.field not in ("card", "own") else (*dict.fromkeys(cards), STRANGE)


SEATS = ("ana", "ben", "cy")
LOOKED_AT = (1, 5, 20)
"""Of each step in an evening, the tables that are looked at: the first one, and some later."""


@settings(max_examples=examples(6))
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_what_is_offered_is_what_the_rules_accept(seed: int, wizards: int) -> None:
    choosing = Choosing(GAME, Random(seed), domain)
    seen = Counter[str]()
    for state in evening.tables(seed, wizards):
        seen[state.step] += 1
        if seen[state.step] in LOOKED_AT:
            choosing.check(state)
            choosing.walk(state)


def details(session: Session, text: str) -> dict[str, tuple[str, str]]:
    """What stands beside each word that could come next."""
    return {way.word: (str(way.title), str(way.detail)) for way in complete(GAME, session.state, text)}


SEATED = ("seat ana", "seat ben", 'seat cy band "Lantern Debt"', "active ana")


def drafted(*lines: str) -> Session:
    """After a dungeon that was lost at once, everybody with their own band."""
    session = session_after(*SEATED, *lines, "begin seed 1", "set table outcome loss")
    for seat in session.state.draft:
        session.enter(f"pick {seat} {seat}")
    return session


def test_an_inscription_comes_with_tier_price_and_effect() -> None:
    session = drafted("purse ana 12")
    offered = details(session, "buy ana 9S ")
    assert offered["echo"] == ("Echo", "Uncommon · 10c · Convert twice as strong")
    assert "pierce" not in offered  # 20c
    assert details(session, "buy ana KS ")["echo"][1].endswith("does nothing on a Hero")
    assert list(details(session, "buy ")) == ["ana"]


def test_a_label_comes_with_what_it_does_and_pays() -> None:
    session = session_after(*SEATED, *(f"dungeons {seat} 1" for seat in SEATS), "begin seed 1", "set ana hp 19")
    assert details(session, "label ana ")["tough"] == (
        "Tough",
        "Each attacking card −1 damage · 2c, draw 2 or heal 1",
    )
    assert details(session, "label ana tough ")["heal"] == ("Heal 1", "19 → 20 HP")
    assert details(session, "label b") == {}


def test_a_band_comes_with_who_brought_it() -> None:
    faded = ("inscribed cy 9S sharp", "begin seed 1", "set table outcome loss", "fade cy")
    session = session_after(*SEATED, *faded)
    # Of one Blessed card nothing is left: Cy's band has retired and is not drafted.
    assert list(details(session, f"pick {session.state.draft[0]} ")) == ["ana", "ben"]
    session = session_after(*SEATED, "begin seed 1", "set cy glory 2", "set table outcome loss")
    brought = details(session, f"pick {session.state.draft[0]} ")["cy"]
    assert brought == ("Lantern Debt", "brought by Cy · no Blessed card · +2 Glory · 1 dungeon")


REVEALED = ("begin seed 1", "reveal ana 9S", "reveal ben 7H", "reveal cy KD")


def test_targets_come_with_their_figures() -> None:
    session = session_after(*SEATED, *REVEALED[:1], "hold ana 3D")
    assert next(iter(details(session, "reveal ana "))) == "3D"
    assert details(session, "reveal ana ")["KS"] == ("K♠", "worth 13")
    session = session_after(*SEATED, *REVEALED)
    assert details(session, "snipe ana ")["cy"] == ("Cy", "K♦ worth 13 · 20 HP · 0c · 11 in hand")
    assert details(session, "foil ana cy pay ")["2"] == ("2 cards", "")
    assert "2S" not in details(session, "snipe ana cy pay ")
    session.enter("next")
    figures = "20 HP · 0c · 11 in hand"
    assert details(session, "convert ") == {"ana": ("Ana", figures), "ben": ("Ben", figures)}
    for line in ("next", "damage", "next", f"refill minion {session.state.pool[0]}", *REVEALED[1:]):
        session.enter(line.replace("9S", "8S").replace("7H", "6H").replace("KD", "QD"))
    session.enter("next")
    minion = session.state.minions[0]
    title = str(session.state.monster_title(minion.ref))
    assert details(session, "target ana ") == {minion.ref: (title, "18 of 18 HP · ATK 3")}


def test_the_held_cards_that_dodge_are_known_with_their_sum() -> None:
    session = session_after(
        *SEATED, *REVEALED, "next", "next", "damage", *(f"hold ana {card}" for card in ("2D", "3D", "10C"))
    )
    cards = choices(GAME, session.state, draft(do.Dodge, seat="ana"), "cards")
    assert isinstance(cards, Open)
    assert [(choice.value, str(choice.detail)) for choice in cards.fitting] == [
        (("10C",), "10, more than 3"),
        (("2D", "3D"), "5, more than 3"),
    ]


class Counting(DecknForge):
    """Counts how often the rules are asked."""

    applied = 0

    def apply(self, state: DungeonTable, action: Action) -> Step:
        self.applied += 1
        return super().apply(state, action)


def test_completion_is_quick() -> None:
    """Where the most has to be tried: all cards, and all that can go on each of them."""
    session = drafted("purse ana 60")
    calls = Counting()
    assert len(complete(calls, session.state, "buy ana ")) == len(PACK) - 6
    assert calls.applied <= 2 * len(PACK)


# What is told beside an answer


def offered(session: Session, action: type[Action], field: str, **given: Any) -> dict[Any, tuple[str, str]]:
    """What stands beside each value that a field of an action could have."""
    candidates = choices(GAME, session.state, draft(action, **given), field)
    listed = candidates.of if isinstance(candidates, Open) else tuple(candidates or ())
    return {choice.value: (str(choice.title), str(choice.detail)) for choice in listed}


def test_a_convert_comes_with_what_each_suit_would_do() -> None:
    lines = ("inscribed ana 9S wildcard", "begin seed 1", "reveal ana 9S", "reveal ben 2H", "reveal cy 2D")
    session = session_after(*SEATED, *lines, "set ana hp 9", "next")
    assert {suit: detail for suit, (_, detail) in offered(session, do.Convert, "as_", seat="ana").items()} == {
        "S": "shield 1",
        "H": "heal 5",
        "D": "9c",
        "C": "draw 2",
    }


def test_an_echo_doubles_what_a_convert_would_do() -> None:
    lines = ("inscribed ana 9S echo", "begin seed 1", "reveal ana 9S", "reveal ben 7H", "reveal cy 2D", "next")
    session = session_after(*SEATED, *lines)
    assert offered(session, do.Convert, "card", seat="ana")["9S"] == ("9♠", "shield 2")
    assert offered(session, do.Convert, "card", seat="ben")["7H"] == ("7♥", "heal 0"), "Ben has 20 HP"
    in_vain = session.preview(*map(session.notation.parse, ("convert ben", "damage")))
    assert "7♥ heals nothing: Ben has 20 HP (R1.36)." in [str(tell.text) for each in in_vain for tell in each.tells]
    session.enter("set ben hp 18")
    assert offered(session, do.Convert, "card", seat="ben")["7H"] == ("7♥", "heal 2")
    assert offered(session, do.Convert, "card", seat="cy")["2D"] == ("2♦", "2c")


def test_a_card_to_reveal_is_worth_what_it_counts_then() -> None:
    lines = ("inscribed ana KS royal-decree", "inscribed ana 9S banner", "begin seed 1", "hold ana KS")
    cards = offered(session_after(*SEATED, *lines), do.Reveal, "card", seat="ana")
    assert cards["KS"][1].startswith("worth 13 "), "its Royal Decree raises the others"
    assert cards["2D"][1] == "worth 3"
    assert cards["9S"][1].startswith("worth 11 "), "its Banner raises itself, too"


def test_a_tactic_says_what_its_card_becomes() -> None:
    lines = ("inscribed ben 2H doublestrike", "begin seed 1", "reveal ana 9S", "reveal ben 2H", "reveal ben 10H")
    session = session_after(*SEATED, *lines, "reveal cy 3D")
    notes = {answer.line: str(answer.note) for answer in session.view().prompts[0].others}
    assert notes["spike ana"] == "1 card: own card +3"
    assert notes["foil ana ben"] == "2 cards: Ben −1 or −3"
    assert notes["foil ana cy"] == "2 cards: Cy −2"
    foiled = offered(session, do.Foil, "card", seat="ana", other="ben", pay=2)
    assert {card: detail.partition(" ·")[0] for card, (_, detail) in foiled.items()} == {
        "2H": "worth 2 → 1",
        "10H": "worth 10 → 7",
    }


def test_cards_of_a_dodge_are_added_up() -> None:
    lines = ("inscribed ana KS royal-decree", "begin seed 1", "hold ana KS", "reveal ana 2S", "next", "next", "damage")
    session = session_after("seat ana", *lines)
    assert offered(session, do.Dodge, "cards", seat="ana")["3D"] == ("3♦", "worth 4")
    second = offered(session, do.Dodge, "cards", seat="ana", cards=("KS",))
    assert second["3D"] == ("3♦", "together 16 · worth 3")


def test_the_patrons_targets_come_with_what_comes_of_it() -> None:
    lines = ("inscribed ana KS the-patron", "purse ben 1", "purse cy 9", "begin seed 1", "set ben hp 19", "set cy hp 4")
    session = session_after(*SEATED, *lines, "reveal ana KS")
    robbed = offered(session, do.Patron, "other", seat="ana", choice="steal")
    healed = offered(session, do.Patron, "other", seat="ana", choice="heal")
    assert list(robbed) == ["ben", "cy"]
    assert robbed["ben"] == ("Ben", "1c → 0c")
    assert healed["ben"] == ("Ben", "19 → 20 HP")
    assert healed["cy"][1].startswith("4 → ")


def test_a_band_to_pick_tells_what_it_bears_and_gained() -> None:
    lines = ("inscribed ana 9S sharp", "inscribed ana 8S sharp", "inscribed ben 9D sharp", "dungeons ben 1")
    monsters = ('monster ana AS "Wyrm" legend labels tough', "monster ana BJ labels swift doom")
    session = session_after(
        *SEATED, *lines, *monsters, "begin seed 1", "set table outcome loss", "fade ana 9S", "fade ben 9D"
    )
    picked = offered(session, do.Pick, "brought", seat=session.state.draft[0])
    marked = "⭐ Wyrm (Tough), Black Joker (Swift, Doom)"
    assert picked["ana"][1] == f"brought by Ana · 8♠ Sharp · {marked} · +0 Glory · 1 dungeon"
    assert picked["cy"][1] == "brought by Cy · no Blessed card · +0 Glory · 1 dungeon"
    assert "ben" not in picked, "of its one Blessed card nothing is left"


def test_while_drafting_a_seat_shows_what_its_band_bears() -> None:
    lines = ("inscribed ana 9S sharp", "inscribed ana 8S quick", 'monster ana AS "Wyrm" legend labels tough')
    session = session_after(*SEATED, *lines, "begin seed 1", "set table outcome loss", "fade ana 9S")
    ana = session.view().seats[0]
    zones = {
        str(zone.title): [(thing.title, thing.starred, thing.words) for thing in zone.things] for zone in ana.zones
    }
    assert zones == {"Blessed": [("8♠", False, ("Quick",))], "Monsters": [("Wyrm", True, ("Tough",))]}
    while session.view().step == "drifting":
        picker = session.view().prompts[0]
        session.do(picker.answers[0].build())
    assert not session.view().seats[0].zones


def test_a_monster_comes_with_its_star_figures_and_labels() -> None:
    session = session_after(*SEATED, 'monster ana AS "Wyrm" hp 18 atk 3 labels tough swift legend')
    cards = offered(session, do.MonsterCard, "card", seat="ana")
    assert cards["AS"] == ("⭐ Wyrm", "A♠ of Ana · HP 18 · ATK 3 · Tough, Swift")
    assert "·" not in cards["AH"][1].replace("HP 18 · ATK 3", "")


def bosses(session: Session, *named: str) -> list[Any]:
    """The Monsters that may stand next in the order of Bosses."""
    return list(offered(session, do.Bosses, "monsters", **({"monsters": named} if named else {})))


def test_the_bosses_fought_so_far_and_the_one_in_the_fight_stay() -> None:
    session = session_after(*SEATED, "bosses ana:AS ana:AH", "begin seed 1")
    assert len(bosses(session_after(*SEATED))) == 18
    assert len(bosses(session)) == 18
    session.enter("reveal ana KS")
    assert bosses(session) == ["ana:AS"]
    assert "ana:AS" not in bosses(session, "ana:AS")
    assert len(bosses(session, "ana:AS")) == 17
    for line in ("reveal ben QD", "reveal cy QC", "set boss hp 1", "next", "damage", "bonus rally"):
        session.enter(line)
    assert bosses(session) == ["ana:AS"]
    assert len(bosses(session, "ana:AS")) == 17


def test_a_fight_that_is_under_way_by_hand_keeps_its_boss() -> None:
    session = session_after(*SEATED, "bosses ana:AS ana:AH", "begin seed 1", "set table step attack")
    assert bosses(session) == ["ana:AS"]


def test_cards_that_fade_are_chosen_among_the_blessed_one_by_one() -> None:
    lines = ("inscribed ana 9S sharp", "inscribed ana 8S echo", "inscribed ana 7S quick", "begin seed 1")
    session = session_after(*SEATED, *lines, "set table outcome loss")
    assert list(offered(session, do.Fade, "cards", seat="ana")) == [("9S",), ("8S",), ("7S",)]
    assert list(offered(session, do.Fade, "fades", seat="ana", cards=("9S",))) == ["9S"]


def test_a_tactic_is_paid_from_the_hand_and_a_snipe_with_heroes() -> None:
    session = session_after(*SEATED, *REVEALED, "hold ana QD")
    snipe = list(offered(session, do.Snipe, "pay", seat="ana", other="ben"))
    assert snipe[0] == "QD"
    assert {card[0] for card in snipe} == {"J", "Q", "K"}
    spike = offered(session, do.Spike, "pay", seat="ana")
    assert "9S" not in spike
    assert spike["QD"] == ("Q♦", "worth 12 · known to be in hand")
    assert "2C" not in offered(session, do.Foil, "pay", seat="ana", other="ben", pay=("2C",))
