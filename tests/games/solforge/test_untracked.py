"""Tables where only figures are tracked: sentences and questions on cards that nobody counts, and their levels."""

from companion.games.solforge.rules import actions as do
from companion.tabletop.table.choices import Open
from companion.tabletop.table.table import draft
from tests.games.rendering import render_texts
from tests.games.solforge.test_levels import LISTED, played, whole

FIGURES = (*LISTED[:-1], "rule track figures", LISTED[-1])


def sentences(*lines: str) -> list[str]:
    """Return what the last of these lines tells."""
    return [str(tell.text) for tell in played(*lines[:-1]).enter(lines[-1])]


def levels(*lines: str) -> list[str]:
    """Return what there is to know of each level that a card could be cast at."""
    session = played(*lines)
    proposed = session.game.candidates(session.state, draft(do.Cast, seat="ana", name="Spark"), "level")
    assert not isinstance(proposed, Open)
    return [str(choice.detail) for choice in proposed]


def asked_of_a_play(*lines: str) -> set[tuple[str, ...]]:
    """Return what casting or banking a card asks besides what its line needs."""
    answers = (answer for prompt in played(*lines).view().prompts for answer in prompt.answers)
    return {answer.asks for answer in answers if answer.line.startswith(("cast", "bank"))}


def test_no_turn_counts_plays_or_draws() -> None:
    assert sentences(*FIGURES)[-1] == "Turn 1: Ana, rank 1 turn 1."
    assert sentences(*LISTED)[-1] == "Turn 1: Ana, rank 1 turn 1, 1 play."
    assert sentences(*FIGURES, "next") == ["Turn 2: Ben, rank 1 turn 1."]
    tracked = sentences(*LISTED, "battle", "next")
    assert tracked[:2] == ["Ana discards 5 cards without levelling.", "Ana draws 5 cards."]
    assert tracked[-1] == "Turn 2: Ben, rank 1 turn 1, 2 plays."


def test_a_play_says_what_it_costs_and_not_what_is_left() -> None:
    forged = "Ana Forges Ash Wolf 4/5 in lane 2; 1 play; its level 2 goes to the discard pile."
    assert sentences(*FIGURES, "forge ana 2 ash-wolf") == [forged]
    assert sentences(*LISTED, "forge ana 2 ash-wolf") == [forged.replace("1 play;", "1 play, 0 left;")]


def test_the_battle_is_foretold_once_a_creature_lies_there() -> None:
    assert played(*FIGURES).view().hints == ()
    battle = "In a Battle now: nobody dies and no player is hurt."
    assert render_texts(played(*LISTED).view().hints) == (battle, "Ben: is there a card with Ambush in your hand?")
    assert render_texts(played(*FIGURES, "forge ana 2 ash-wolf").view().hints) == (battle,)


def test_the_size_of_a_deck_is_asked_where_cards_are_tracked() -> None:
    def fields_asked(*lines: str) -> bool:
        return any(
            "how many cards are in the deck, if not 30?" in prompt.text for prompt in played(*lines).view().prompts
        )

    assert fields_asked(*LISTED[:-1])
    assert not fields_asked(*FIGURES[:-1])


def test_the_work_with_cards_counts_no_plays() -> None:
    (work,) = played(*FIGURES).view().card_work.steps
    assert str(work).startswith("Make 2 plays (1 in the very first turn) and fight the Battle;")
    (work,) = played(*LISTED).view().card_work.steps
    assert str(work) == "A card that is played or banked goes to the discard pile as its next level."


def test_a_level_is_asked_where_nobody_knows_the_cards() -> None:
    assert levels(*LISTED) == [f"{count} in deck, hand and discard pile" for count in (30, 0, 0)]
    assert levels(*FIGURES) == ["", "", ""]
    assert asked_of_a_play(*LISTED) == {()}
    assert asked_of_a_play(*FIGURES) == {("level",)}


def test_the_only_level_in_hand_is_meant_by_every_play() -> None:
    session = played(*LISTED, "set ana level1 0", "set ana level2 30")
    assert whole(session, "cast spark") == ['cast ana "Spark" level 2 free']
    assert whole(session, "bank") == ["bank ana level 2"]
    assert whole(session, "forge 2 ash") == ["forge ana 2 ash-wolf 7/8 level 2 has armor=1"]
    third = played(*LISTED, "set ana level1 0", "set ana level3 30")
    assert whole(third, "bank") == ["bank ana level 3"]
