"""A stored band that is none by the rules says so when it is seated, and is played all the same."""

import tomllib
from importlib import resources

import pytest
from msgspec.structs import replace

from companion.games.decknforge.book.state import Monster
from companion.games.decknforge.decks.forms import FOUNDING
from companion.games.decknforge.decks.record import BandRecord, record
from companion.games.decknforge.game import GAME
from companion.tabletop.decks.form import FormContext
from companion.tabletop.notation.cards import Card

EXAMPLES = resources.files("templates") / "examples" / "decknforge"
CHOIR = record(
    FOUNDING.validate_answers(
        tomllib.loads((EXAMPLES / "decks.toml").read_text("utf-8"))["deck"][0], FormContext()
    ).marks
)
NOBODY_IS_A_LEGEND = {card: replace(monster, legend=False) for card, monster in CHOIR.monsters.items()}


def tells_of(band: BandRecord) -> list[str]:
    """What is told as the band is seated, with all its lines."""
    table, tells = GAME.new(), []
    for line in GAME.setup_lines("ana", band):
        table, more = GAME.apply(table, line)
        tells += [str(tell.text) for tell in more]
    return tells


def test_a_band_by_the_rules_is_seated_without_a_word() -> None:
    assert tells_of(CHOIR) == []


@pytest.mark.parametrize(
    ("band", "why"),
    [
        (replace(CHOIR, monsters={**CHOIR.monsters, Card("AS"): Monster("Wyrm", 31, 5, True)}), "not 31 (V1.3)."),
        (replace(CHOIR, monsters={**CHOIR.monsters, Card("AS"): Monster("Wyrm", 24, 2, True)}), "(V1.4)."),
        (
            replace(CHOIR, monsters=NOBODY_IS_A_LEGEND),
            "Every band has at least one Legend, a Monster with the ⭐ (V1.5).",
        ),
        (
            replace(CHOIR, monsters={card: monster for card, monster in CHOIR.monsters.items() if card != "BJ"}),
            "(V1.2).",
        ),
        (replace(CHOIR, inscribed={Card("9S"): ("sharp", "echo")}, history=("sharp", "echo")), "(V1.8)."),
        (replace(CHOIR, inscribed={Card("KD"): ("ascension",)}, history=("ascension",)), "(V1.11)."),
    ],
    ids=lambda value: value if isinstance(value, str) else "band",
)
def test_one_that_breaks_them_says_which(band: BandRecord, why: str) -> None:
    first, *_ = tells_of(band)
    assert first.startswith("Grave Choir is not a legal band: ")
    assert why in first
    assert first.endswith(" It can be played anyway if everybody agrees.")


def test_a_mythic_where_the_ascension_was_cursed_away_is_none_of_these() -> None:
    band = replace(CHOIR, inscribed={Card("9S"): ("untouchable",)}, history=("ascension", "untouchable"))
    assert tells_of(band) == []
