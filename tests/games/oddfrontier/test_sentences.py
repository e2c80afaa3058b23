"""The sentences of what happened, with their sums; which of them ask for a hand on real cards; and what errors say."""

from __future__ import annotations

import pytest

from companion.session.core.session import Session
from companion.tabletop.action import RuleError, Tell
from companion.tabletop.text import quantity
from tests.games.oddfrontier.test_prompts import TO_COMBAT, played
from tests.games.rendering import render_texts


def sentences(session: Session, *lines: str) -> list[str]:
    """What some lines lead to; what must be done by hand ends with a hand."""
    tells: list[Tell] = []
    for line in lines:
        tells += session.enter(line)
    return [f"{tell.text}{' ☛' if tell.by_hand else ''}" for tell in tells]


def test_the_starting_hands() -> None:
    session = played("seat ana", "seat ben")
    assert sentences(session, "deck-size ana 35", "deck-size ana 36", "deck-size ben 40", "deck-size ben 41") == [
        "Ana has 35 cards; an archive has 36 to 40 (R3.1).",
        "Ben has 41 cards; an archive has 36 to 40 (R3.1).",
    ]
    assert sentences(session, "rule max-hand 6", "begin", "mulligan ana", "keep ben", "keep ana") == [
        "House rule: max-hand 6.",
        "Everybody shuffles and draws 7 cards. ☛",
        "Ana shuffles the hand back and draws 7 cards (mulligan 1). ☛",
        "Ben keeps 7 cards.",
        "Ana keeps 7 cards.",
        "Turn 1: Ana.",
    ]


def test_the_reset() -> None:
    session = played("seat ana", "seat ben", "begin", "next")
    assert sentences(session, "next") == ["Ana does not draw this turn (R3.4)."]
    for line in ("permanent ana idol", "summon ana wolf 1/1", "set ana engines 2", "crank ana 2", "crank wolf"):
        session.enter(line)
    assert sentences(session, "next", "next", "next") == [
        "Ana loses 2 energy at the end of the turn (R3.5).",
        "Turn 2: Ben.",
    ]
    assert sentences(session, "next") == ["Ben draws 1 card. ☛"]
    assert sentences(session, "next", "next", "discard ben 1", "next") == ["Ben discards 1 card. ☛", "Turn 3: Ana."]
    assert sentences(session, "next") == ["Ana uncranks Engines: 2, Wolf. ☛", "Ana draws 1 card. ☛"]
    assert sentences(session, "crank idol", "uncrank ana", "uncrank ana") == [
        "Idol is cranked.",
        "Ana uncranks Idol. ☛",
    ]
    assert sentences(session, "crank idol", "uncrank idol") == ["Idol is cranked.", "Idol is uncranked."]


def test_energy() -> None:
    session = played("seat ana", "seat ben", "begin", "next", "next", "set ana engines 2")
    assert sentences(session, "engine ana", "crank ana 2", "summon ana ash-wolf 3/2 cost 1 first-assault") == [
        "Ana plays an Engine and has 3.",
        "Ana cranks 2: energy 0 + 2 = 2.",
        "Ana pays 1: energy 2 − 1 = 1.",
        "Ana plays Ash Wolf 3/2 with First Assault.",
    ]
    assert sentences(session, "permanent ana idol", "spend ana 1", "engine ana lost") == [
        "Ana plays Idol.",
        "Ana pays 1: energy 1 − 1 = 0.",
        "Ana loses an Engine and has 2.",
    ]


def test_combat() -> None:
    session = played(*TO_COMBAT)
    assert sentences(session, "attack wolf on ben", "attack fox on ben", "block cat on wolf", "block owl on wolf") == [
        "Wolf attacks Ben and is cranked.",
        "Fox attacks Ben and is cranked.",
        "Cat blocks Wolf.",
        "Owl blocks Wolf.",
    ]
    assert sentences(session, "split wolf among cat 2 owl 4", "damage cat 1", "fight") == [
        "Wolf splits 6: 2 to Cat + 4 to Owl.",
        "Cat: damage 1 of 3.",
        "Cat: damage 1 + 2 = 3 of 3.",
        "Owl: damage 4 of 4.",
        "Wolf: damage 2 + 3 = 5 of 5.",
        "Ben: life 137 − 3 = 134.",
        "Wolf dies: 5 damage, 5 defense (R3.9). ☛",
        "Cat dies: 3 damage, 3 defense (R3.9). ☛",
        "Owl dies: 4 damage, 4 defense (R3.9). ☛",
    ]


def test_the_queue_and_what_cards_do() -> None:
    session = played(*TO_COMBAT)
    assert sentences(session, 'queue ben "Fog" magic', 'queue ben "Song"', 'negate "Song"', "resolve", "resolve") == [
        "Ben puts magic on the queue: Fog.",
        "Ben puts an ability on the queue: Song.",
        "Song is negated and will do nothing when it resolves.",
        "Song does nothing; everybody may add to the queue again.",
        "Fog resolves and goes to the graveyard; everybody may add to the queue again. ☛",
    ]
    assert sentences(session, "destroy cat", "banish owl", "draw ana 1", "set ana archive 0", "draw ana 2") == [
        "Cat is destroyed and goes to the graveyard. ☛",
        "Owl is banished, face up. ☛",
        "Ana draws 1 card. ☛",
        "Ana: Archive 31 → 0, by hand.",
        "Ana's archive is empty: that draw does nothing (A3.6).",
    ]
    assert sentences(session, "add ben life -2", 'note "a cup fell"') == [
        "Ben: Life 137 → 135, by hand.",
        "Note: a cup fell",
    ]


def test_what_lasts_until_the_end_of_the_turn() -> None:
    session = played(*TO_COMBAT, "set table phase post-combat")
    assert sentences(
        session,
        *("buff wolf +2/-1 until-end", "buff cat -4/+0", "give wolf first-assault until-end"),
        *("give fox first-assault until-end", "take-away fox first-assault", "token ana imp 1/1", "heal cat 1"),
        *("buff imp +0/+2 until-end", "buff imp +0/-2", "heal ana 3"),
    ) == [
        "Wolf +2/−1 until the end of the turn: 6/5 → 8/4.",
        "Cat −4/+0: 2/3 → −2/3.",
        "Wolf has First Assault until the end of the turn.",
        "Fox has First Assault until the end of the turn.",
        "Fox loses First Assault.",
        "Ana puts the token Imp 1/1 on the battlefield. ☛",
        "Cat heals 1: damage 0 → 0 of 3.",
        "Imp +0/+2 until the end of the turn: 1/1 → 1/3.",
        "Imp +0/−2: 1/3 → 1/1.",
        "Ana: life 137 + 3 = 140.",
    ]
    wolf = session.view().seats[0].zones[0].things[0]
    assert wolf.brief == "8/4"
    assert render_texts(wolf.notes) == (
        "First Assault: deals its damage before the others (A3.5), this turn",
        "+2/−1 this turn",
    )
    assert sentences(session, "next")[-5:] == [
        "+2/−1 of Wolf wears off.",
        "First Assault of Wolf wears off.",
        "+0/+2 of Imp wears off.",
        "Imp dies: 0 damage, −1 defense (R3.9). ☛",
        "Turn 4: Ben.",
    ]


def test_the_end() -> None:
    session = played("seat ana", "seat ben", "seat cy", "begin", "next")
    assert sentences(session, "wound ben 100 ben 37", "set ben life 3", "concede cy", "wound ana 200 ben 3") == [
        "Ben: life 137 − 100 − 37 = 0.",
        "Ben has lost and leaves the game (R3.1).",
        "Ben: Life 0 → 3, by hand.",
        "Ben is in the game again.",
        "Cy concedes.",
        "Cy has lost and leaves the game (R3.1).",
        "Ana: life 137 − 200 = −63.",
        "Ben: life 3 − 3 = 0.",
        "Ana has lost and leaves the game (R3.1).",
        "Ben has lost and leaves the game (R3.1).",
        "Nobody is left: the game is a draw (A3.10).",
    ]
    lost = played("seat ana", "seat ben", "rule deck-out lose", "begin", "next", "next", "next", "next", "next")
    assert sentences(lost, "set ben archive 0", "next") == [
        "Ben: Archive 33 → 0, by hand.",
        "Ben cannot draw from an empty archive and loses (house rule deck-out).",
        "Ben has lost and leaves the game (R3.1).",
        "Ana has won.",
    ]


def test_of_two_of_one_name_the_topmost_is_negated() -> None:
    session = played(*TO_COMBAT, 'queue ana "Fog"', 'queue ben "Fog"', 'queue ben "Song"', 'negate "Fog"')
    things = session.view().zones[0].things
    assert [(thing.title, render_texts(thing.notes)) for thing in things] == [
        ("Song (Ben)", ("ability",)),
        ("Fog (Ben)", ("ability", "does nothing")),
        ("Fog (Ana)", ("ability",)),
    ]


def test_who_is_at_turn_out_or_decided_is_flagged() -> None:
    session = played("seat ana", "seat ben", "seat cy", "begin", "keep ben", "concede cy")
    assert [render_texts(seat.flags) for seat in session.view().seats] == [("active",), ("keeps",), ("out",)]
    session.enter("keep ana")
    assert [render_texts(seat.flags) for seat in session.view().seats] == [("active",), (), ("out",)]


def test_where_a_card_lies() -> None:
    session = played(*TO_COMBAT, "set table phase post-combat", "permanent ana idol")
    ana, ben = session.view().seats
    assert [(zone.name, [thing.target for thing in zone.things]) for zone in ana.zones] == [
        ("creatures", ["wolf", "fox"]),
        ("others", ["idol"]),
    ]
    assert [zone.name for zone in ben.zones] == ["creatures"]
    assert [counter.name for counter in ana.counters if counter.big] == ["life"]


def test_a_count_of_cards_is_said_in_its_number() -> None:
    assert [quantity(number, "card") for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("fight", "There is nothing to fight: nobody attacks (R3.8); `next` goes on."),
        ("mulligan ana", "`mulligan` is for the starting hands, and the first turn has begun; `undo` leads back."),
        ("first ana", "`first` belongs to the set-up, and the game has begun; `undo` leads back."),
        (
            "engine ana",
            "Permanents are played before or after combat (R3.3); the current phase is combat. `next` goes on.",
        ),
        ("engine ben", "It is Ana's turn; Ben may only use magic and abilities (R3.3)."),
        ("spend ana 2", "This costs 2 energy and Ana's pool holds 0 (R3.5); no uncranked Engine is left to crank."),
        ("crank ana 2", "Ana has 0 of 0 Engines uncranked, not 2 (R3.5)."),
        ("attack owl on ana", "Owl does not belong to the turn player; only ana's creatures attack (R3.7)."),
        ("damage elk 2", "“elk” is not on the battlefield; there is: wolf, fox, cat, owl."),
        ("wound cy 2", "Nobody sits at “cy”; the seats are: ana, ben."),
        ('negate "Fog"', "“Fog” is not on the queue, which is empty (R3.11)."),
        ("damage ana 2", "A player is wounded, not damaged (R3.12); write: wound ana 2."),
    ],
)
def test_errors_say_what_is_wrong_and_the_way_out(line: str, sentence: str) -> None:
    with pytest.raises(RuleError) as refusal:
        played(*TO_COMBAT).enter(line)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("lines", "line", "sentence"),
    [
        ((), "first ana", "Nobody sits at “ana”; nobody is at the table yet."),
        (("seat ana",), "begin", "At least two players are needed (A3.13); `seat NAME` seats the next."),
        (("seat ana",), "next", "`next` comes after `begin`."),
        (
            ("seat ana", "seat ben", "begin"),
            "engine ana",
            "`engine` must wait until everybody has kept a hand (R3.2); `next` keeps them all.",
        ),
        (
            ("seat ana", "seat ben", "begin", "next"),
            "damage elk 2",
            "“elk” is not on the battlefield, which is empty.",
        ),
        (
            ("seat ana", "seat ben", "begin", "next"),
            "fight",
            "`fight` belongs to combat (R3.3); the current phase is reset. `next` goes on.",
        ),
        (
            ("seat ana", "seat ben", "begin", "concede ana"),
            "next",
            "The game is over (ben); `seal` writes it into its decks' records, `set` corrects a wrong figure, "
            "and `undo` leads back.",
        ),
    ],
)
def test_errors_say_so_too_before_and_after_the_game(lines: tuple[str, ...], line: str, sentence: str) -> None:
    with pytest.raises(RuleError) as refusal:
        played(*lines).enter(line)
    assert str(refusal.value) == sentence
