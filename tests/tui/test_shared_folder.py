"""A shared folder beside the screen: what the other device wrote is there, and home shows how the folder is."""

from pathlib import Path

from companion.archive import Archive
from companion.archive.sharing import sharing
from companion.archive.sharing.sharing import Synchronizer
from tests.archive import keepsake
from tests.archive.sharing.homes import SharedHome
from tests.tui.conftest import Seat
from tests.tui.test_archive import titles
from tests.tui.test_lists import at_list, page_text


async def test_home_shows_what_came_in_and_how_the_folder_is(sit: Seat, archive: Archive, tmp_path: Path) -> None:
    ben = SharedHome(tmp_path, "ben")
    deck = archive.found_deck("keepsake", [keepsake.Founded("Choir")])
    sharing.start_sharing(archive, ben.folder)
    ben.share()
    Synchronizer(archive).run()
    ben.sync()
    ben.archive.found_deck("keepsake", [keepsake.Founded("Chapel")])
    ben.sync()
    async with sit(size=(120, 40)) as hand:
        await hand.until(lambda: "Shared folder: up to date with ben@ben-pc." in hand.status)
        await hand.until(lambda: "Chapel" in " ".join(str(option.prompt) for option in hand.home.decks.options))
    for each, glory in ((archive, 3), (ben.archive, 5)):
        each.mark(deck, 2, [keepsake.Played(glory)])
    ben.sync()
    async with sit(size=(120, 40)) as hand:
        await hand.until(lambda: "“Choir” went on here and at ben@ben-pc; ^O lets you" in " ".join(hand.status.split()))
    ben.folder.rename(tmp_path / "away")
    async with sit(size=(120, 40)) as hand:
        await hand.until(lambda: "Everything is kept here, and shared when it is back." in hand.status)
    ben.close()


async def test_a_deck_of_two_devices_is_decided_on_the_screen(sit: Seat, archive: Archive, tmp_path: Path) -> None:
    ben = SharedHome(tmp_path, "ben")
    deck = archive.found_deck("keepsake", [keepsake.Founded("Choir")])
    sharing.start_sharing(archive, ben.folder)
    ben.share()
    Synchronizer(archive).run()
    ben.sync()
    for each, glory in ((archive, 3), (ben.archive, 5)):
        each.mark(deck, 2, [keepsake.Played(glory)])
    ben.sync()
    async with sit(size=(120, 40)) as hand:
        await hand.until(lambda: "“Choir” went on here" in " ".join(hand.status.split()))
        await at_list(hand, "ctrl+o")
        await hand.until(
            lambda: titles(hand)[:2] == ["Keep “Choir” as it is here", "Keep “Choir” as ben@ben-pc has it"]
        )
        await hand.until(lambda: "Here, from entry 2 on:" in page_text(hand))
        assert "At ben@ben-pc, from entry 2 on:" in page_text(hand)
        await hand.press("down")
        await hand.until(lambda: "What was written here stays in the history as corrected." in page_text(hand))
        await hand.press("enter")
        await hand.until(lambda: "Enter again decides it for “Choir”, on all devices." in hand.status)
        assert len(archive.entries(f"deck:{deck}")) == 3
        await hand.settle()
        await hand.press("enter")
        await hand.until(lambda: "It is decided" in hand.status)
        await hand.until(lambda: "Keep" not in " ".join(titles(hand)))
        kinds = [entry.kind for entry in archive.entries(f"deck:{deck}")]
        assert kinds == ["opened", "founded", "played", "played", "corrected", "joined"]
    ben.sync()
    assert ben.archive.entries(f"deck:{deck}") == archive.entries(f"deck:{deck}")
    ben.close()


async def test_nothing_is_decided_while_the_folder_is_away(sit: Seat, archive: Archive, tmp_path: Path) -> None:
    ben = SharedHome(tmp_path, "ben")
    deck = archive.found_deck("keepsake", [keepsake.Founded("Choir")])
    sharing.start_sharing(archive, ben.folder)
    ben.share()
    Synchronizer(archive).run()
    ben.sync()
    for each, glory in ((archive, 3), (ben.archive, 5)):
        each.mark(deck, 2, [keepsake.Played(glory)])
    ben.sync()
    async with sit(size=(120, 40)) as hand:
        await hand.until(lambda: "“Choir” went on here" in " ".join(hand.status.split()))
        await at_list(hand, "ctrl+o")
        await hand.until(lambda: titles(hand)[0] == "Keep “Choir” as it is here")
        ben.folder.rename(tmp_path / "away")
        await hand.press("enter")
        await hand.until(lambda: "Enter again" in hand.status)
        await hand.settle()
        await hand.press("enter")
        await hand.until(lambda: "It is not decided yet" in hand.status)
    ben.close()
