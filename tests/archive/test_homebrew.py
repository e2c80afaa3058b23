"""Homebrews in archives: evenings and bands go by the text that they were played by, here and in other homes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.archive import Archive, ArchiveError, maintenance
from companion.archive.errors import NameTaken
from companion.archive.exchange import archive_export, deck_export, deck_import, pages, passport
from companion.forms.game_form import origins
from companion.games import registry
from companion.games.decknforge.decks import marks as m
from companion.games.described import load
from companion.session.core import archive_journal
from companion.session.table import game_pages
from companion.session.table.seal_preview import preview_seal
from companion.session.table.seating import TableForm
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import FormPlace
from companion.tabletop.records import EditionTaken
from tests.archive import bands, crowns
from tests.games.decknforge import homebrews
from tests.games.decknforge.homebrews import MOONLIT

LATER = MOONLIT.replace("number = 1\n", "number = 1\nwithdrawn = true\n", 1).replace("by =", "edition = 2\nby =")
BOSSES = "ben:AS ben:AH ben:AC ben:AD ben:BJ ben:RJ"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Callable[[str], Archive]]:
    """Opens another home, in which nobody has seen a homebrew yet."""
    with ExitStack() as closing:

        def opened(name: str = "home") -> Archive:
            homebrews.forget()
            return closing.enter_context(Archive.open(str(tmp_path / f"{name}.sqlite")))

        yield opened


def play_and_buy(archive: Archive, *lines: str, fades: str = "9S", seal: bool = True, game: str = "moonlit") -> str:
    """An evening of a stored band beside a loose one, in which somebody buys; gives the id of its session."""
    session = archive_journal.start(archive, game)
    seats = ('seat ana name "Ana" deck "Grave Choir"', 'seat ben name "Ben"')
    inscribed = ("inscribed ben 8S quick", "inscribed ben 8H quick")
    lost = (f"begin seed 1 bosses {BOSSES} lots ana ben", "set table outcome loss")
    after = (f"fade ana {fades}", "fade ben 8S", "pick ana ana", "pick ben ben", "set ana coppers 30", *lines)
    for line in (*seats, *inscribed, *lost, *after, *(("seal",) if seal else ())):
        session.enter(line)
    return session.id


def editions_taken(archive: Archive, deck: str) -> int:
    return sum(isinstance(mark, EditionTaken) for mark in archive.marks(deck))


def test_a_band_goes_by_the_homebrew_once_it_bears_something_of_it(archive: Archive) -> None:
    page = pages.add_page(archive, MOONLIT).row.page
    deck = bands.found_band(archive)
    assert archive.find_deck(deck).page == ""
    play_and_buy(archive, "buy ana 5C quick")
    assert (archive.find_deck(deck).page, editions_taken(archive, deck)) == ("", 0)
    play_and_buy(archive, "buy ana 6C moon-blade", fades="4H")
    assert (archive.find_deck(deck).page, editions_taken(archive, deck)) == (page, 1)
    play_and_buy(archive, "buy ana 6D moon-blade", fades="7C")
    assert (archive.find_deck(deck).page, editions_taken(archive, deck)) == (page, 1)
    record = archive.record(deck)
    assert record.inscribed["6C"] == ("moon-blade",)  # type: ignore[attr-defined]
    assert "It goes by edition 1 of Moonlit now." in [line.text for line in archive.story(deck)]
    assert any("Moon Blade" in line.text for line in archive.story(deck))
    assert maintenance.check_archive(archive) == ()


def test_what_a_seal_would_write_says_so_before(archive: Archive) -> None:
    pages.add_page(archive, MOONLIT)
    bands.found_band(archive)
    session = archive_journal.resume(archive, play_and_buy(archive, "buy ana 6C moon-blade", seal=False))
    (change,) = preview_seal(archive, session, session.notation.parse("seal")).decks
    assert change.sentences[0] == "It goes by edition 1 of Moonlit now."
    session.enter("seal")
    again = archive_journal.resume(archive, play_and_buy(archive, "buy ana 6D moon-blade", fades="4H", seal=False))
    (change,) = preview_seal(archive, again, again.notation.parse("seal")).decks
    assert not any("goes by" in sentence for sentence in change.sentences)


def test_a_table_without_it_refuses_the_band(archive: Archive) -> None:
    pages.add_page(archive, MOONLIT)
    bands.found_band(archive)
    play_and_buy(archive, "buy ana 6C moon-blade")
    with pytest.raises(RuleError, match="bears Moon Blade of a homebrew"):
        play_and_buy(archive, game="decknforge")


def test_a_band_travels_to_a_home_that_never_had_it(
    archive: Archive, home: Callable[[str], Archive], tmp_path: Path
) -> None:
    page = pages.add_page(archive, MOONLIT).row.page
    deck = bands.found_band(archive)
    play_and_buy(archive, "buy ana 6C moon-blade")
    record, story = archive.record(deck), [line.text for line in archive.story(deck)]
    deck_export.export_decks(archive, [deck], tmp_path / "band.decks")
    archive_export.export_archive(archive, tmp_path / "all.archive")
    archive.close()
    other = home("other")
    (result,) = deck_import.import_decks(other, deck_export.read_stories(tmp_path / "band.decks"))
    assert result.taken
    assert (other.record(deck), [line.text for line in other.story(deck)]) == (record, story)
    assert [(row.name, row.page, row.listed) for row in pages.pages(other)] == [("moonlit", page, False)]
    assert registry.game("moonlit").page == page
    play_and_buy(other, "buy ana 6D moon-blade", fades="4H")
    assert maintenance.check_archive(other) == ()
    other.close()
    third = home("third")
    archive_export.import_archive(third, tmp_path / "all.archive")
    assert third.record(deck) == record
    assert len(third.sessions()) == 1
    assert archive_journal.resume(third, third.sessions()[0].session).view().title


def test_a_passport_names_the_text_it_needs(archive: Archive, home: Callable[[str], Archive]) -> None:
    pages.add_page(archive, MOONLIT)
    deck = bands.found_band(archive)
    play_and_buy(archive, "buy ana 6C moon-blade")
    text, record = passport.write(archive, deck), archive.record(deck)
    archive.close()
    other = home("other")
    with pytest.raises(passport.PassportError, match="add that page first"):
        passport.read(text)
    pages.add_page(other, MOONLIT)
    adopted = passport.adopt(other, passport.read(text))
    assert adopted.inscribed == record.inscribed  # type: ignore[attr-defined]


def test_an_old_evening_opens_by_its_own_text(archive: Archive) -> None:
    pages.add_page(archive, MOONLIT)
    bands.found_band(archive)
    session = play_and_buy(archive, "buy ana 6C moon-blade", seal=False)
    assert pages.add_page(archive, LATER).present.edition == 2
    homebrews.forget()
    old = archive_journal.resume(archive, session)
    assert not old.stopping_point
    assert old.log.state.book.price("moon-blade") == 12
    assert registry.game("moonlit").new().book.price("moon-blade") is None


def test_an_edition_keeps_its_numbers(archive: Archive) -> None:
    pages.add_page(archive, MOONLIT)
    with pytest.raises(ArchiveError, match=r"Inscription 1 is “Moon Blade” .* cannot become “Sun Blade”"):
        pages.add_page(archive, MOONLIT.replace("Moon Blade", "Sun Blade"))
    with pytest.raises(ArchiveError, match=r"Label 1 is “Foggy” .* withdrawn = true"):
        pages.add_page(archive, MOONLIT.partition("[[labels]]")[0])
    with pytest.raises(NameTaken):
        pages.add_page(archive, MOONLIT.replace('by = "Ana"', 'by = "Ben"'))


def test_a_text_that_is_lost_locks_nobody_out_of_anything_else(archive: Archive) -> None:
    page = pages.add_page(archive, MOONLIT).row.page
    deck, other = bands.found_band(archive), bands.found_band(archive, "Salt Choir", "Ben")
    session = play_and_buy(archive, "buy ana 6C moon-blade")
    text = pages.text_of(archive, page)
    crowns.lose_pages(archive)
    homebrews.forget()
    assert {row.name for row in archive.decks()} == {"Grave Choir", "Salt Choir"}
    assert archive.record(other).name == "Salt Choir"
    for look in (lambda: archive.record(deck), lambda: archive_journal.resume(archive, session)):
        with pytest.raises(NotationError, match="companion homebrew add FILE brings it back"):
            look()
    assert load.base_of(text) == "decknforge"
    pages.add_page(archive, text)
    assert archive.record(deck).name == "Grave Choir"
    assert archive_journal.resume(archive, session).view().title


def test_editions_are_taken_by_who_says_so(archive: Archive) -> None:
    pages.add_page(archive, MOONLIT)
    deck = bands.found_band(archive)
    play_and_buy(archive, "buy ana 6C moon-blade")
    later = pages.add_page(archive, LATER)
    assert pages.decks_behind(archive, later.present) == 1
    changes = pages.edition_changes(archive, archive.find_deck(deck), later.row)
    assert changes == ("Moon Blade is no longer given to cards.",)
    assert pages.later_editions(archive, archive.find_deck(deck)) == (later.row,)
    pages.take_edition(archive, archive.find_deck(deck), later.row.page, "Ana")
    assert archive.find_deck(deck).page == later.row.page
    assert m.CardInscribed("6C", "moon-blade", "bought", "Ana") in archive.marks(deck)  # type: ignore[arg-type]


def test_a_table_of_it_is_chosen_and_opened_as_any_other(archive: Archive) -> None:
    page = pages.add_page(archive, MOONLIT).row.page
    deck = bands.found_band(archive)
    listed = {each.name: each for each in game_pages.all_games(archive)}
    assert listed["moonlit"].title == "DecknForge: Moonlit"
    assert "moonlit" not in {each.name for each in origins(archive)}
    form = TableForm(archive, registry.game("moonlit"))
    offered = form.candidates({"seat": [{"name": "Ana"}]}, FormPlace("seat", 0, "deck"), "")
    assert "Grave Choir" in {choice.value for choice in offered}  # type: ignore[union-attr]
    session = form.keep({"seat": [{"name": "Ana", "deck": deck}, {"name": "Ben"}]}).id
    assert archive.find_session(session).page == page
    assert archive.lines(session)[0].line == "table moonlit"
    assert archive_journal.resume(archive, session).game.title == "DecknForge: Moonlit"


@pytest.mark.parametrize(
    ("game", "why"), [("crown", "is a homebrew of another game"), ("soulforger", "a game of its own")]
)
def test_a_text_is_no_page_of_another_game(archive: Archive, game: str, why: str) -> None:
    page = pages.add_page(archive, MOONLIT).row.page
    with pytest.raises(NotationError, match=why):
        registry.game(game, page)
    assert registry.game("decknforge", page) is registry.game("moonlit")
