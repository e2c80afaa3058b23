"""Decks that are built from lists on their page: rebuilt by swaps or the whole list, two versions beside each other."""

from pathlib import Path

import pytest

from companion.archive import Archive, deck_records
from companion.forms.decks.deck_forms import RebuildForm
from companion.games import registry
from companion.printing import wording
from companion.tabletop.action import NotationError
from companion.tabletop.decks.decklist import DeckCard, swap_cards
from companion.tabletop.decks.form import FormContext, FormPlace
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.decks.rebuild import RebuildScreen
from companion.tui.screens.decks.versions import VersionsScreen
from companion.tui.screens.help import Help
from companion.tui.widgets.form_sheet import listable
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_forms import answer_form, at_form, question_text, sheet
from tests.tui.test_home import at_deck

CARDS = (DeckCard("main", 4, "Ember", ("action",)), DeckCard("forge", 2, "Long Bow", ("weapon",)))


@pytest.fixture
def tide(archive: Archive) -> str:
    """A deck with its first list; gives its id."""
    game = registry.game("oddfrontier")
    assert game.decks.founding is not None
    text = wording.read_example(game, "salt-tide.txt")
    filled = game.decks.founding.validate_answers({"name": "Salt Tide", "holder": "Ben", "list": text}, FormContext())
    return deck_records.new_deck(archive, game, filled)[0]


def swap(archive: Archive, deck: str, *swaps: str, reason: str = "") -> None:
    """Another version of a deck."""
    deck_records.rebuild(archive, deck, deck_records.draft_list(archive, deck, "", swaps).text, reason)


def test_swaps_come_in_and_go_out_one_after_the_other() -> None:
    after = swap_cards(CARDS, ["-2 ember", "+1 Long Bow", "+3 Ash | creature", "−1 Ash"], "main")
    assert [(card.part, card.copies, card.name, card.says) for card in after] == [
        ("main", 2, "Ember", ("action",)),
        ("forge", 3, "Long Bow", ("weapon",)),
        ("main", 2, "Ash", ("creature",)),
    ]
    assert swap_cards(CARDS, ["-4 Ember"], "main") == CARDS[1:]
    assert swap_cards(CARDS, ["-4 Ember", "+4 Ember"], "main") == CARDS


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("2 Ember", "is not a swap"),
        ("-1 Ash", "has no Ash"),
        ("-5 Ember", "only 4 × Ember, so 5 cannot"),
        ("+0 Ember", "1 to"),
    ],
)
def test_a_swap_that_cannot_be_says_why(wrong: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        swap_cards(CARDS, [wrong], "main")


@pytest.mark.slow
async def test_a_deck_is_rebuilt_on_its_page(sit: Seat, archive: Archive, tide: str) -> None:
    deck_records.tick(archive, tide, ("all",))
    async with sit() as hand:
        await hand.enter("salt")
        await at_deck(hand)
        await hand.press("f3")
        screen = await at_rebuilding(hand)
        await answer_form(hand, "-1 Nobody")
        await hand.until(lambda: "has no Nobody" in hand.status)
        await answer_form(hand, "-2 Ox", "+1 Titan", "")
        await hand.until(lambda: "+1" in screen.page.text and "−2" in screen.page.text)
        assert "A legal deck: 39 cards" in screen.page.text
        await hand.press("ctrl+s")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))
        await hand.until(lambda: "Version 2" in hand.status)
        await hand.until(lambda: "Changed by version 2" in hand.text_of("#record"))
        assert "+1 Titan, −2 Ox" in archive.story(tide)[-1].text
        assert deck_records.deck_lists(archive, tide)[-1].version == 2


async def at_rebuilding(hand: Hand) -> RebuildScreen:
    """Wait for the form of the next version."""
    await hand.until(lambda: isinstance(hand.app.screen, RebuildScreen) and bool(hand.app.screen.page.text))
    await hand.settle()
    assert isinstance(hand.app.screen, RebuildScreen)
    return hand.app.screen


@pytest.mark.usefixtures("tide")
async def test_illegal_swaps_are_told_with_the_rule_and_help_tells_the_format(sit: Seat) -> None:
    async with sit(size=(80, 24)) as hand:
        await hand.enter("salt")
        await at_deck(hand)
        await hand.press("f3")
        screen = await at_rebuilding(hand)
        await answer_form(hand, "+3 Titan | creature | Stone | 30/25 | cost 8", "")
        await hand.until(lambda: "Not a legal deck: 43 cards" in screen.page.text)
        assert "V3.1" in screen.page.text
        await hand.press("f1")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        await hand.until(lambda: "oddfrontier main" in hand.text_of("#page"))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_two_versions_stand_beside_each_other(
    sit: Seat, archive: Archive, tide: str, size: tuple[int, int]
) -> None:
    swap(archive, tide, "-2 Ox", "+1 Titan")
    swap(archive, tide, "+1 Ox")
    async with sit(size=size) as hand:
        await hand.enter("salt")
        await at_deck(hand)
        await hand.press("f4")
        await hand.until(lambda: isinstance(hand.app.screen, VersionsScreen))
        await hand.until(lambda: "Ox  −1" in hand.text_of("#older") and "Ox  +1" in hand.text_of("#newer"))
        await hand.press("left")
        await hand.until(lambda: "Titan  +1" in hand.text_of("#newer"))
        await hand.enter("1 4")
        await hand.until(lambda: "two versions from 1 to 3" in hand.status)
        await hand.enter("3 1")
        await hand.until(lambda: "Ox  −1" in hand.text_of("#newer") and "Titan  −1" in hand.text_of("#older"))
        older, newer = (hand.app.screen.query_one(f"#{name}").region for name in ("older", "newer"))
        assert (older.y == newer.y) is (size[0] > 100)
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))


async def test_a_band_has_no_list_to_rebuild(sit: Seat, band: str) -> None:
    async with sit() as hand:
        await hand.enter(band)
        await at_deck(hand)
        await hand.press("f3")
        await hand.until(lambda: "have no list" in hand.status)
        await hand.press("f4")
        await hand.until(lambda: "no list" in hand.status)
        assert isinstance(hand.app.screen, DeckScreen)


ARENA = "Deck\n4 Ash Wolf (RNA) 200\n4 Fire // Ice (MH2) 290\n\nSideboard\n3 Owl (M19) 2\n"


def form_rows(hand: Hand) -> str:
    """All rows of the form, whatever their width."""
    return " ".join(sheet(hand).split())


async def test_a_pasted_list_tells_what_was_read_and_asks_about_its_sideboard(sit: Seat, archive: Archive) -> None:
    async with sit(size=(100, 40)) as hand:
        await hand.until_welcomed()
        await hand.press("f4")
        form = await at_form(hand)
        await answer_form(hand, "SolForge", "Ash Pack", "Ana")
        await hand.until(lambda: form.lines is not None)
        hand.paste(ARENA)
        await hand.until(lambda: "11 cards in 3 lines" in form_rows(hand))
        await hand.press("ctrl+s")
        await hand.until(lambda: "“Sideboard” has 3 cards" in form_rows(hand))
        assert not archive.decks()
        await hand.until(lambda: "Section" in question_text(hand))
        await answer_form(hand, "Sideboard", "none")
        await hand.until(lambda: "“Sideboard”: 3 cards are left out." in form_rows(hand))
        await hand.press("ctrl+s")
        await at_deck(hand)
        (row,) = archive.decks()
        (version,) = deck_records.deck_lists(archive, row.deck)
        assert [(card.copies, card.name, card.says) for card in version.cards] == [
            (4, "Ash Wolf", ("printing RNA 200",)),
            (4, "Fire // Ice", ("printing MH2 290",)),
        ]


async def test_a_dropped_file_becomes_the_list(sit: Seat, tmp_path: Path) -> None:
    file = tmp_path / "vault.dck"
    file.write_bytes("[Main]\n4 Lim-Dûl's Vault|ALL|1\nNonsense\n".encode("cp1252"))
    async with sit(size=(100, 40)) as hand:
        await hand.until_welcomed()
        await hand.press("f4")
        form = await at_form(hand)
        await answer_form(hand, "SolForge", "Vault", "Ana")
        await hand.until(lambda: form.lines is not None)
        hand.paste(f"'{file}'")
        await hand.until(lambda: "1 line not understood: “Nonsense”." in form_rows(hand))
        assert form.cursor.answers.get(FormPlace("list")).startswith("[Main]\n4 Lim-Dûl's Vault")
        assert FormPlace("skip") not in form.cursor.seen.idle


async def test_a_deck_is_rebuilt_from_a_pasted_list(archive: Archive, tide: str) -> None:
    row = archive.find_deck(tide)
    form = RebuildForm(archive, row)
    values = {"list": "Deck\n4 Ox (RNA) 3\n\nSideboard\n2 Owl\nOwl 3\n"}
    state = form.build_state(values)
    assert "2 × Owl: 6 cards in 2 lines. 1 line not understood: “Owl 3”." in str(state.filled.summary)
    titles = [choice.value for choice in listable(form.candidates(values, FormPlace("section", 0, "title"), ""))]
    parts = [choice.value for choice in listable(form.candidates(values, FormPlace("section", 0, "part"), ""))]
    assert (titles, parts) == (["Sideboard"], ["main", "none"])
    with pytest.raises(NotationError):
        form.keep(values)
    settled = {**values, "section": [{"title": "sideboard", "part": "none"}], "skip": "yes"}
    form.keep(settled)
    cards = deck_records.deck_lists(archive, tide)[-1].cards
    assert [(card.part, card.line) for card in cards] == [("main", "4 Ox | printing RNA 3")]
