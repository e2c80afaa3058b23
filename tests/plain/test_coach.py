"""The coach in plain lines: what was asked, then what would help, then the table asks on."""

from tests.plain.test_talk import Spoken
from tests.session.test_coaching import BEGUN, UNDER_ATTACK


def test_the_coach_answers_behind_what_was_asked() -> None:
    spoken = Spoken(*UNDER_ATTACK, game="decknforge")
    output = spoken("coach ana 2S")
    assert output[:2] == [
        "Ana asks the coach what would help.",
        "What would help Ana: take ana; nothing else fits now. 10 cards of the hand are not known.",
    ]
    assert len(output) > 2, "the table asks on"
    assert not [line for line in spoken("log") if "2S" in line]


def test_the_coach_says_which_cards_it_wants() -> None:
    (first, *_) = Spoken(*BEGUN, game="decknforge")("coach ana")
    assert first.startswith("No card of Ana's hand is known; name the cards: coach ana CARDs.")


def test_a_game_without_a_coach_says_so_in_a_sentence() -> None:
    output = Spoken("seat ana")("coach ana")
    assert output == ["Duel has no coach, as it has no simulated players."]
