"""DecknForge bands in an archive, with a life behind them, and an evening that was played and sealed."""

import tomllib
from importlib import resources

from companion.archive import Archive
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.forms import FOUNDING
from companion.printing import jobs
from companion.session.core import archive_journal
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reading.seen_cards import brought_decks
from companion.tabletop.decks.form import FormContext
from companion.tabletop.notation.cards import Card, pretty
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel


def create_deck(archive: Archive, name: str = "Grave Choir", deck: str = "", called: str = "") -> str:
    """One of the demo's new bands, each with four inscribed cards; gives its deck's id, which may be named.

    It is `called` by another name if there is one.
    """
    answers = next(deck for deck in tomllib.loads(_template("decks.toml"))["deck"] if deck["name"] == name)
    answers["name"] = called or name
    return archive.found_deck("decknforge", FOUNDING.validate_answers(answers, FormContext()).marks, deck=deck)


def _template(name: str) -> str:
    return (resources.files("templates") / "examples" / "decknforge" / name).read_text(encoding="utf-8")


def live(archive: Archive, deck: str) -> None:
    """Two dungeons: an inscription fades, another comes, two labels are written, the band goes to Ben."""
    archive.mark(
        deck,
        archive.find_deck(deck).length,
        [
            m.DungeonPlayed("Ana", "win", 6, 7),
            m.InscriptionCrossedOut(Card("5C"), "quick", "faded"),
            m.CardInscribed(Card("KS"), "royal-decree", "mythic", "Ben"),
            m.Drifted("Ben"),
            m.Labelled(Card("AS"), "rampage", "Cy"),
            m.Labelled(Card("AS"), "tough", "Ben"),
            m.DungeonPlayed("Ben", "loss", 2, 3),
        ],
    )


FIGHTING = {"ana": "Grave Choir", "ben": "The Lantern Debt", "cy": "Salt and Iron"}


def begin_fight(archive: Archive) -> Session:
    """A dungeon that three bands have just gone into: everybody is to reveal a card."""
    session = archive_journal.start(archive, "decknforge")
    for seat, band in FIGHTING.items():
        session.enter(f'seat {seat} name "{seat.capitalize()}" deck {create_deck(archive, band)}')
    session.enter("begin seed 1")
    return session


def stuck_faces(archive: Archive, session: Session, *cards: str) -> list[EffectLabel | HeadedLabel | FiguresLabel]:
    """The labels with codes that certain cards of a table's bands bear, each said as `ana:5C`."""
    decks = brought_decks(session)
    faces = []
    for seat, _, card in (each.partition(":") for each in cards):
        labels = jobs.cards_job(archive, [archive.find_deck(decks[seat])], with_codes=True).labels
        faces += [
            face
            for face in labels
            if isinstance(face, EffectLabel | HeadedLabel | FiguresLabel) and face.card == pretty(Card(card))
        ]
    return faces


def play(archive: Archive) -> str:
    """The recorded evening of the demo, sealed; gives the session's id."""
    for name in ("Grave Choir", "The Lantern Debt", "Salt and Iron"):
        if not archive.decks_named("decknforge", name):
            create_deck(archive, name)
    replay = Replay(_template("evening.table"), shelf=archive_journal.ArchiveShelf(archive))
    for _ in replay:
        pass
    return archive_journal.keep(archive, replay.session, "Friday")
