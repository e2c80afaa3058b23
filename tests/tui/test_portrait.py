"""A deck's portrait: what each game tells of a deck on its page, and how that is drawn."""

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.games.decknforge.decks.record import BandRecord
from companion.printing import wording
from companion.tabletop.constructed.game import ConstructedGame
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.decks.decklist import DeckCard
from companion.tabletop.decks.portrait import CardGrid, Chart, DeckVerdict, Listing, Portrait
from companion.tui.widgets.portrait import portrait_rows
from tests.printing import evenings

LISTS = {"solforge": "iron-grove.txt", "soulforger": "ember-court.txt", "oddfrontier": "salt-tide.txt"}


def example(name: str) -> tuple[ConstructedGame, ConstructedRecord]:
    """A game's example deck."""
    game = registry.game(name)
    assert isinstance(game, ConstructedGame)
    cards = game.lists.read(wording.read_example(game, LISTS[name]) or "").cards
    return game, ConstructedRecord(name, "Example", "Ana", cards=cards)


def text_of(portrait: Portrait, width: int = 76) -> str:
    """A portrait as a page draws it."""
    return "\n".join(row.plain.rstrip() for row in portrait_rows(portrait, width))


@pytest.fixture
def lived_band(archive: Archive) -> BandRecord:
    """A band with two dungeons behind it."""
    deck = evenings.create_deck(archive)
    evenings.live(archive, deck)
    record = archive.record(deck)
    assert isinstance(record, BandRecord)
    return record


def portrait_of(band: BandRecord) -> Portrait:
    """A band's portrait."""
    portrait = registry.game("decknforge").decks.portrait(band)
    assert portrait is not None
    return portrait


def test_a_band_shows_monsters_inscribed_cards_and_losses(lived_band: BandRecord) -> None:
    portrait = portrait_of(lived_band)
    listings = {part.title: part for part in portrait.parts if isinstance(part, Listing)}
    monsters = next(part for title, part in listings.items() if str(title).startswith("Monsters"))
    assert [line.card for line in monsters.lines] == ["AS", "AH", "AC", "AD", "BJ", "RJ"]
    assert "Rampage (Hard)" in monsters.lines[0].about
    grid = next(part for part in portrait.parts if isinstance(part, CardGrid))
    assert grid.bears.keys() == lived_band.inscribed.keys()
    names = [line.name for line in listings["Inscriptions"].lines]
    assert "Royal Decree" in names
    assert len(names) == sum(map(len, lived_band.inscribed.values()))
    assert [line.name for line in listings["Lost"].lines] == ["Quick"]


def test_no_word_of_notation_stands_on_a_bands_page(lived_band: BandRecord) -> None:
    text = text_of(portrait_of(lived_band))
    assert "royal-decree" not in text
    assert "KS" not in text
    assert "K♠  Royal Decree" in text


def test_the_grid_shows_cards_that_bear_something(lived_band: BandRecord) -> None:
    spades = next(row for row in text_of(portrait_of(lived_band)).splitlines() if row.startswith("  ♠"))
    assert "K♠" in spades
    assert "Q♠" not in spades
    expected_cards = {card for card in (*lived_band.inscribed, "AS") if card.endswith("S")}
    assert spades.count("·") == 13 - len(expected_cards)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("width", [36, 56, 76, 116])
def test_lists_show_legality_types_curve_and_all_cards(name: str, width: int) -> None:
    game, deck = example(name)
    portrait = game.decks.portrait(deck)
    verdict, types, curve, *lists = portrait.parts
    assert isinstance(verdict, DeckVerdict)
    assert verdict.flaws == ()
    assert isinstance(types, Chart)
    assert isinstance(curve, Chart)
    total = sum(card.copies for card in deck.cards)
    assert sum(bar.value for bar in types.bars) == total
    lines = [line for part in lists if isinstance(part, Listing) for line in part.lines]
    assert sum(line.count for line in lines) == total
    assert {line.name for line in lines} == {card.name for card in deck.cards}
    assert all(len(row) <= width for row in text_of(portrait, width).splitlines())


def test_curves_count_copies_by_cost() -> None:
    game, deck = example("oddfrontier")
    curve = game.decks.curve(deck.cards)
    assert curve is not None
    assert [(bar.label, bar.value) for bar in curve.bars][:3] == [("0", 4), ("1", 6), ("2", 4)]
    assert [bar.value for bar in curve.bars if bar.label == "7"] == [0]


def test_creatures_that_grow_are_drawn_by_level() -> None:
    game, deck = example("solforge")
    curve = game.decks.curve(deck.cards)
    assert curve is not None
    assert [bar.label for bar in curve.bars] == ["Level 1", "Level 2", "Level 3"]
    assert [bar.value for bar in curve.bars] == sorted(bar.value for bar in curve.bars)


def test_a_deck_that_breaks_a_rule_says_which() -> None:
    game, _ = example("soulforger")
    verdict, *_ = game.decks.portrait(
        ConstructedRecord("soulforger", "Thin", cards=(DeckCard("main", 5, "Ash"),))
    ).parts
    assert isinstance(verdict, DeckVerdict)
    assert str(verdict.title) == "Not a legal deck: 5 cards"
    assert any("V2.1" in flaw for flaw in verdict.flaws)
    assert any("V2.4" in flaw for flaw in verdict.flaws)
