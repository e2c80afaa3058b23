"""DecknForge bands in an archive, with a life behind them, and an evening that was played and sealed."""

import tomllib
from importlib import resources

from companion.archive import Archive
from companion.games.decknforge import marks as m
from companion.games.decknforge.forms import FOUNDING
from companion.session import archive_journal
from companion.session.replay import Replay
from companion.tabletop.cards import Card
from companion.tabletop.form import FormContext


def create_deck(archive: Archive, name: str = "Grave Choir", deck: str = "") -> str:
    """One of the demo's new bands, each with four inscribed cards; gives its deck's id, which may be named."""
    answers = next(deck for deck in tomllib.loads(_template("decks.toml"))["deck"] if deck["name"] == name)
    return archive.found_deck("decknforge", FOUNDING.filled(answers, FormContext()).marks, deck=deck)


def _template(name: str) -> str:
    return (resources.files("templates") / "examples" / "decknforge" / name).read_text(encoding="utf-8")


def live(archive: Archive, deck: str) -> None:
    """Two dungeons: an inscription fades, another comes, two labels are written, the band goes to Ben."""
    archive.mark(
        deck,
        archive.find_deck(deck).length,
        [
            m.Played("Ana", "win", 6, 7),
            m.CrossedOut(Card("5C"), "quick", "faded"),
            m.Inscribed(Card("KS"), "royal-decree", "mythic", "Ben"),
            m.Drifted("Ben"),
            m.Labelled(Card("AS"), "rampage", "Cy"),
            m.Labelled(Card("AS"), "tough", "Ben"),
            m.Played("Ben", "loss", 2, 3),
        ],
    )


def play(archive: Archive) -> str:
    """The recorded evening of the demo, sealed; gives the session's id."""
    for name in ("Grave Choir", "The Lantern Debt", "Salt and Iron"):
        create_deck(archive, name)
    replay = Replay(_template("evening.table"), shelf=archive_journal.ArchiveShelf(archive))
    for _ in replay:
        pass
    return archive_journal.keep(archive, replay.session, "Friday")
