"""What is said before a seal is what the seal writes, and what is still open is said before anything is sealed."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.archive import Archive
from companion.games import registry
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.reports import evening_cards
from companion.session.table import seal_preview
from companion.session.table.confirmations import ConfirmationNeeded
from companion.session.table.shared_session import SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.action import RuleError
from companion.tabletop.evening import Evening
from companion.tabletop.evenings import GameEvenings, PlayedAction
from tests.archive import bands
from tests.examples import examples
from tests.games import at_random, miniature
from tests.games.constructed.test_table import seated
from tests.games.decknforge.player import Player

SEATS = {"ana": "Ana", "ben": "Ben", "cy": "Cy"}


def review(archive: Archive, session: Session) -> seal_preview.SealPreview:
    return seal_preview.preview_seal(archive, session, session.notation.parse("seal"))


def sealed_as_said(archive: Archive, session: Session) -> seal_preview.SealPreview:
    """Seals, and compares what was said before with what is written then."""
    stories = {row.deck: len(archive.story(row.deck)) for row in archive.decks()}
    preview = review(archive, session)
    session.enter("seal")
    archive_journal.keep(archive, session)
    written = {
        deck: tuple(sentence.text for sentence in archive.story(deck)[before:]) for deck, before in stories.items()
    }
    assert {change.deck: tuple(map(str, change.sentences)) for change in preview.decks} == {
        d: sentence for d, sentence in written.items() if sentence
    }
    for purse in preview.purses:
        assert archive.purse(purse.name, purse.person) == purse.after
    return preview


@settings(max_examples=examples(6), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_the_review_of_any_evening_is_what_its_seal_writes(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    with Archive.open(str(tmp_path / f"{len(list(tmp_path.iterdir()))}.sqlite")) as archive:
        for number in range(2):
            session = Session.new(registry.game("decknforge"), shelf=archive_journal.ArchiveShelf(archive))
            for seat, name in SEATS.items():
                deck = bands.found_band(archive, f"Band {number} of {name}", name)
                session.enter(f"seat {seat} name {name} deck {deck}")
            session.enter(f"begin seed {seed}")
            player = Player(chance, session, exact=False, hurry=0.5)
            at_random.play(session, player.line, lambda *_: None, lambda at: at.state.step in ("turning", "sealed"))
            if session.state.step == "turning":
                sealed_as_said(archive, session)


@pytest.mark.parametrize("game", ["soulforger", "oddfrontier", "solforge"])
def test_the_review_of_a_match_is_what_its_seal_writes(tmp_path: Path, game: str) -> None:
    with Archive.open(str(tmp_path / "archive.sqlite")) as archive:
        lines = [line.text for line in seated(archive, game).log.lines[1:]]
        session = Session.new(registry.game(game), shelf=archive_journal.ArchiveShelf(archive))
        for line in (*lines, "concede ben"):
            session.enter(line)
        preview = sealed_as_said(archive, session)
    assert [change.name for change in preview.decks] == ["Ash Pack", "Bog Pack"]
    assert "Ana won against Ben (Bog Pack) with version 1" in preview.decks[0].sentences[0]
    assert (preview.purses, preview.open) == ((), ())


@pytest.fixture
def turning(archive: Archive) -> Session:
    """Ana has Coppers and a Mythic for her band."""
    session = archive_journal.start(archive, "decknforge")
    deck = bands.found_band(archive)
    lines = (f"seat ana name Ana deck {deck}", "seat ben", "begin seed 1", "set ana coppers 7", "set ana mythics 1")
    for line in (*lines, "set table outcome loss", "fade ana 9S", "pick ana ana", "pick ben ben"):
        session.enter(line)
    return session


def test_what_is_open_is_said_in_the_review_and_before_any_seal(archive: Archive, turning: Session) -> None:
    preview = review(archive, turning)
    assert preview.open == (
        "Ana: place 1 Mythic on Grave Choir",
        "Ana: buy inscriptions for Grave Choir, with 7c",
    )
    reply = TableClient(SharedSessions(archive).open(turning.id)).enter("seal")
    assert isinstance(reply, ConfirmationNeeded)
    assert reply.question.open == preview.open
    assert all(str(text) in str(reply.sentence) for text in preview.open)


def test_a_purse_is_told_before_and_after_with_every_reason(archive: Archive, turning: Session) -> None:
    turning.enter("buy ana 2S sharp")
    (purse,) = review(archive, turning).purses
    assert (purse.name, purse.before, purse.after) == ("Ana", 0, 2)
    sentences = tuple(map(str, purse.sentences))
    assert sentences == ("−5: sharp on 2♠ of Grave Choir", "+7: set by hand", "1 mythic more is kept")


def test_nothing_is_reviewed_that_could_not_be_sealed(archive: Archive) -> None:
    session = seated(archive, "solforge")
    with pytest.raises(RuleError, match="needs an outcome"):
        review(archive, session)


class FaultyEvenings(GameEvenings):
    """Evenings with a fault in the program."""

    def evening(self, played: Sequence[PlayedAction]) -> Evening | None:  # noqa: ARG002 – as games tell it
        """Fails."""
        raise KeyError("hp")


class Untold(miniature.Miniature):
    """A duel with a fault where it tells its evening."""

    name, title, evenings = "untold", "Untold duel", FaultyEvenings()


registry.register(Untold())


def test_a_fault_in_telling_the_evening_keeps_nothing_from_being_sealed(archive: Archive) -> None:
    deck = archive.found_deck("untold", [miniature.Founded("Rex", "Ana")])
    session = archive_journal.start(archive, "untold")
    for line in (f"seat ana deck {deck}", "seat ben", "begin seed 1"):
        session.enter(line)
    sentences = [tell.text for tell in session.enter("set ben life 0")]
    assert archive.find_session(session.id).sealed
    assert archive.marks(deck)[-1] == miniature.Fought(won=True)
    fault = "This evening cannot be summarized because of a fault of this program (KeyError: 'hp')."
    assert str(sentences[-1]).startswith(f"{fault} Everything else is written")
    assert not [tell for tell in session.enter('note "good"') if "cannot be summarized" in tell.text]
    with pytest.raises(RuleError, match="cannot be summarized"):
        evening_cards.present_session(archive, session)
