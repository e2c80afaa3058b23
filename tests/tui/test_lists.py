"""People, archive and scan on their screens: reasons are told, a check reads everything, a code opens its deck."""

import asyncio
from pathlib import Path

import pytest
import qrcode
from PIL import Image

from companion.archive import Archive, deck_id, maintenance
from companion.archive.exchange import passport
from companion.archive.people import people
from companion.archive.recovery import backups
from companion.printing import jobs as press
from companion.tabletop.text import signed_figure
from companion.tui.screens.decks.deck import DeckScreen
from companion.tui.screens.home.home import Home
from companion.tui.screens.listing import ListScreen
from labels.output import proof
from labels.output.pdf import Setup
from tests.hostile.pictures import some_nested_pages
from tests.printing import evenings
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_home import at_deck


async def at_list(hand: Hand, key: str) -> ListScreen:
    """To one of the screens that list something."""
    await hand.press(key)
    await hand.until(lambda: isinstance(hand.app.screen, ListScreen) and bool(hand.app.screen.query("#rows")))
    await hand.settle()
    screen = hand.app.screen
    assert isinstance(screen, ListScreen)
    return screen


def page_text(hand: Hand) -> str:
    """What is told of the row."""
    return hand.text_of("#page")


@pytest.mark.slow
async def test_a_nickname_and_a_name_that_is_dropped(sit: Seat, archive: Archive) -> None:
    evenings.play(archive)
    ana = people.find_record(archive, "Ana")
    async with sit(size=(120, 40)) as hand:
        screen = await at_list(hand, "f7")
        await hand.press(*"ana")
        await hand.until(lambda: screen.rows.total == 1)
        await hand.press("f4", *"Grey Fox", "f4")
        await hand.until(lambda: "Ana is called Grey Fox in public." in hand.status)
        assert people.names_outside(archive)("Ana", ana.person) == "Grey Fox"
        await hand.press(*"ana")
        await hand.until(lambda: screen.rows.total == 1)
        await hand.press("f8")
        await hand.until(lambda: "Press it again to delete the name Ana for good" in hand.status)
        assert "still name them; they are never rewritten." in hand.status
        assert people.find_record(archive, "Ana").person == ana.person
        await hand.press("f8")
        await hand.until(lambda: f"Player {ana.person} is what they are called now." in hand.status)
        assert people.find_record(archive, ana.person).purse == ana.purse


@pytest.mark.slow
async def test_people_show_every_purse_entry_and_lead_to_their_deck(sit: Seat, archive: Archive) -> None:
    evenings.play(archive)
    ana = people.find_record(archive, "Ana")
    async with sit(size=(120, 40)) as hand:
        screen = await at_list(hand, "f7")
        assert screen.rows.total == 3
        await hand.until(lambda: f"purse {ana.purse}" in page_text(hand))
        for line in ana.ledger:
            assert signed_figure(line.change) in page_text(hand)
            assert line.why.replace("⭐", "★") in page_text(hand)
        await hand.press(*"ben")
        await hand.until(lambda: screen.rows.total == 1 and page_text(hand).startswith("Ben"))
        await hand.press("enter")
        assert "The Lantern Debt" in await at_deck(hand)
        await hand.press("escape")
        await hand.until(lambda: hand.app.screen is screen)
        await hand.press(*"zoe", "enter")
        await hand.until(lambda: "zoe" in hand.status)
        await hand.press("escape", "escape")
        await hand.until(lambda: isinstance(hand.app.screen, Home))


async def test_the_archive_is_checked_mended_and_copied(sit: Seat, archive: Archive, band: str) -> None:
    assert band
    async with sit(size=(80, 24)) as hand:
        await at_list(hand, "ctrl+o")
        await hand.until(lambda: archive.name in page_text(hand))
        await hand.enter("check")
        await hand.until(lambda: "The archive is whole" in hand.status)
        with archive.store.writing() as transaction:
            transaction.connection.exec_driver_sql("update decks set name = 'Wrong'")
        await hand.enter("check")
        await hand.until(lambda: "1 problem was found" in hand.status)
        await hand.until(lambda: "What the list of decks says" in page_text(hand))
        await hand.enter("lists")
        await hand.until(lambda: "are rebuilt" in hand.status)
        assert maintenance.check_archive(archive) == ()
        await hand.enter("copy")
        await hand.until(lambda: "a whole copy" in hand.status)
        copy = next(each.path for each in backups.list_backups(Path(archive.name)) if each.why == "hand")
        with Archive.open(str(copy)) as opened:
            assert [row.name for row in opened.decks()] == ["Grave Choir"]
        await hand.until(lambda: copy.name in page_text(hand))


@pytest.mark.slow
async def test_a_backup_is_put_in_the_archives_place_after_asking(sit: Seat, archive: Archive, band: str) -> None:
    backup = maintenance.end_evening(archive)
    assert backup
    people.add_person(archive, "Zoe")
    archive.close()
    async with sit(size=(80, 24)) as hand:
        screen = await at_list(hand, "ctrl+o")
        await hand.until(lambda: backup.name in page_text(hand))
        await hand.press(*"evening")
        await hand.until(lambda: screen.rows.chosen == backup.name)
        await hand.press("enter")
        await hand.until(lambda: "Enter again" in hand.status)
        await hand.until(lambda: screen.rows.chosen == backup.name)
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and "is your archive now" in hand.status)
        assert hand.app.archive is not None
        assert [row.deck for row in hand.app.archive.decks()] == [band]
        assert "Zoe" not in {person.name for person in people.all_people(hand.app.archive)}
    assert [each.why for each in backups.list_backups(Path(archive.name))] == ["evening", "replaced", "evening"]


@pytest.fixture
def picture(archive: Archive, band: str, tmp_path: Path) -> Path:
    """The box of the band, as a photograph of its printed label."""
    from companion.printing import run

    imposed = run.impose(press.box_labels([archive.find_deck(band)]), run.find_stock(None), Setup("Box"))
    path = tmp_path / "my box.png"
    next(proof.page_pictures(imposed.document(), 200)).save(path)
    return path


@pytest.mark.slow
async def test_a_picture_of_a_box_opens_its_deck(sit: Seat, picture: Path) -> None:
    async with sit(size=(80, 24)) as hand:
        screen = await at_list(hand, "f6")
        hand.paste(f"'{picture}'")
        await hand.press("enter")
        assert "Grave Choir" in await at_deck(hand)
        await hand.press("escape")
        await hand.until(lambda: hand.app.screen is screen and screen.rows.total == 1)
        await hand.until(lambda: "a deck's code" in page_text(hand))
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, DeckScreen))


@pytest.mark.slow
async def test_what_is_typed_or_scanned_is_told_for_what_it_is(sit: Seat, band: str, tmp_path: Path) -> None:
    (tmp_path / "notes.png").write_text("no picture", encoding="utf-8")
    async with sit(size=(80, 24)) as hand:
        screen = await at_list(hand, "f6")
        hand.type(deck_id.payload(band).lower(), "<enter>")
        assert "Grave Choir" in await at_deck(hand)
        await hand.press("escape")
        await hand.until(lambda: hand.app.screen is screen)
        await hand.enter("https://example.org/x")
        await hand.until(lambda: "Another program's QR code, not a deck's" in hand.status)
        assert screen.rows.total == 2
        hand.paste(str(tmp_path / "notes.png"))
        await hand.press("enter")
        await hand.until(lambda: "not a picture" in hand.status)


@pytest.mark.slow
async def test_codes_are_counted_by_whether_they_lead_to_a_deck(sit: Seat, picture: Path, tmp_path: Path) -> None:
    ours = Image.open(picture).convert("RGB")
    others = [qrcode.make(f"https://example.org/{name}").get_image().convert("RGB") for name in "ab"]
    strange, box = tmp_path / "strange.pdf", tmp_path / "known.pdf"
    others[0].save(strange, save_all=True, append_images=others[1:], resolution=200)
    others[0].save(box, save_all=True, append_images=[ours], resolution=200)
    async with sit(size=(80, 24)) as hand:
        screen = await at_list(hand, "f6")
        hand.paste(str(strange))
        await hand.press("enter")
        await hand.until(lambda: "2 codes, none of which belongs to a deck here" in hand.status)
        hand.paste(str(box))
        await hand.press("enter")
        await hand.until(lambda: "2 codes; 1 of them leads to a deck" in hand.status)
        assert screen.rows.total == 4


@pytest.mark.slow
async def test_a_long_file_without_codes_says_both(sit: Seat, tmp_path: Path) -> None:
    blank = [Image.new("L", (30, 30), grey) for grey in range(200, 241)]
    blank[0].save(tmp_path / "long.gif", save_all=True, append_images=blank[1:])
    async with sit(size=(80, 24)) as hand:
        await at_list(hand, "f6")
        hand.paste(str(tmp_path / "long.gif"))
        await hand.press("enter")
        await hand.until(lambda: "No QR code in the picture" in hand.status)
        assert "Only the first 40 of its 41 pages or pictures were looked at" in hand.status


@pytest.mark.slow
async def test_escape_ends_a_long_file_and_what_is_read_stays(sit: Seat, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(some_nested_pages(1, 39, Image.open(picture), levels=5))
    async with sit(size=(80, 24)) as hand:
        screen = await at_list(hand, "f6")
        hand.paste(str(tmp_path / "bad.pdf"))
        pressing = asyncio.create_task(hand.press("enter"))
        await hand.until(lambda: "of 40. " in hand.status)
        await asyncio.gather(pressing, hand.press("escape"))
        await hand.until(lambda: "of its 40 pages or pictures" in hand.status)
        assert screen.rows.total == 2
        assert hand.app.screen is screen


@pytest.mark.slow
async def test_a_passport_is_taken_in_on_asking(sit: Seat, archive: Archive, tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "other.sqlite"), by="other") as other:
        deck = evenings.create_deck(other, "Salt and Iron")
        text = passport.write(other, deck)
    async with sit(size=(80, 24)) as hand:
        await at_list(hand, "f6")
        hand.paste(text)
        await hand.press("enter")
        await hand.until(lambda: "the deck is not here; F3 takes it in" in hand.status)
        assert archive.decks() == ()
        await hand.press("f3")
        assert "Salt and Iron" in await at_deck(hand)
        assert [row.deck for row in archive.decks()] == [deck]


@pytest.mark.sample(6)
@pytest.mark.parametrize("size", [(60, 18), (40, 12)])
@pytest.mark.parametrize("key", ["f5", "f6", "f7", "f12", "ctrl+o"])
async def test_every_screen_stands_where_there_is_little_room(
    sit: Seat, archive: Archive, key: str, size: tuple[int, int]
) -> None:
    evenings.play(archive)
    async with sit(size=size) as hand:
        await hand.press(key)
        await hand.until(lambda: not isinstance(hand.app.screen, Home))
        await hand.settle()
        field = hand.app.screen.query("Input").first()
        assert field.region.height == 1
        assert field.region.bottom <= size[1]
        assert field.region.width >= size[0] - 4
