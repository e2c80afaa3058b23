"""A shared folder beside the screen: what the other device wrote is there, and home shows how the folder is."""

from pathlib import Path

from companion.archive import Archive
from companion.archive.sharing import sharing
from companion.archive.sharing.sharing import Synchronizer
from tests.archive import keepsake
from tests.archive.sharing.homes import SharedHome
from tests.tui.conftest import Seat


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
        await hand.until(lambda: "“Choir” went on here and at ben@ben-pc." in " ".join(hand.status.split()))
    ben.folder.rename(tmp_path / "away")
    async with sit(size=(120, 40)) as hand:
        await hand.until(lambda: "Everything is kept here, and shared when it is back." in hand.status)
    ben.close()
