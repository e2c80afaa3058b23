"""Loose bands that are adopted after their evening: the evening is theirs, as labels, chores and the first chapter."""

from collections.abc import Sequence
from typing import Any

from companion.archive import Archive, deck_records
from companion.games.decknforge.decks.record import BandRecord
from companion.printing import jobs
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.session.table import rematch
from companion.session.table.form_filling import DeckForm
from companion.tabletop.notation.cards import Card

ROUND = ("reveal ana QS", "reveal ben QD", "next", "damage", "bonus momentum")
SET_UP = ('seat ana name "Ana"', 'seat ben name "Ben" band "Salt"', "monster ben BJ legend", "active ana")


BLESSED = ("inscribed ana 9S sharp", "inscribed ana 8S echo")
OWN = ("pick ana ana", "pick ben ben")
OTHER = ("pick ana ben", "pick ben ana")


def won(archive: Archive, picks: Sequence[str] = OWN, *set_up: str) -> Session:
    """Two loose bands after a dungeon that was won: Ana has a Mythic and Coppers to spend. `set_up` comes before it."""
    session = archive_journal.start(archive, "decknforge")
    after = ("add ana coppers 20", "add ben coppers 5", "set table outcome win", "fade ana 8S 9S fades 8S", *picks)
    for line in (*SET_UP, *set_up, *BLESSED, "bosses ben:BJ", "begin seed 1", "set boss hp 1", *ROUND, *after):
        session.enter(line)
    return session


def adopt(archive: Archive, session: Session, seat: str, **answers: Any) -> str:
    """Adopt the band of a seat by its form; gives its id."""
    game = session.game
    (draft,) = (prompt.answer for prompt in game.decks.adoptions(session.state) if prompt.seat == seat)
    questions = game.decks.adoption(session.state, draft)
    assert questions is not None
    form = DeckForm(archive, game, questions, "Adopt", session.id)
    deck = form.keep({**form.initial_values(), **answers}).id
    session.do(game.decks.adoption_line(draft, deck, archive.find_deck(deck).name))
    return deck


def sealed(archive: Archive) -> tuple[Session, str]:
    """A sealed evening and the id of Ana's band: it got two inscriptions before it was adopted, and one after."""
    session = won(archive)
    for line in ("buy ana 2S sharp", "mythic ana KS the-patron"):
        session.enter(line)
    deck = adopt(archive, session, "ana", name="Ash Toll", legend="AC")
    for line in ("buy ana 3S quick", "seal"):
        session.enter(line)
    return session, deck


def test_what_the_form_shows_is_what_it_keeps(archive: Archive) -> None:
    session = won(archive, OWN, 'monster ana AS "Ash Crow" hp 12 atk 2')
    game = session.game
    (draft,) = (prompt.answer for prompt in game.decks.adoptions(session.state) if prompt.seat == "ana")
    questions = game.decks.adoption(session.state, draft)
    assert questions is not None
    form = DeckForm(archive, game, questions, "Adopt", session.id)
    begun = form.initial_values()
    named = [{**one, "name": "Thin Saint"} if one["card"] == "RJ" else one for one in begun["monsters"]]
    record = archive.record(form.keep({**begun, "monsters": named, "name": "Door Parade", "legend": "AC"}).id)
    assert isinstance(record, BandRecord)
    names = {card: creature.name for card, creature in record.monsters.items()}
    assert (names[Card("AS")], names[Card("RJ")]) == ("Ash Crow", "Thin Saint")


def test_what_was_bought_tonight_is_due_as_labels(archive: Archive) -> None:
    session, _ = sealed(archive)
    job = jobs.session_job(archive, session.id)
    stuck = [sentence for sentence in job.notices if str(sentence).endswith(("2♠", "3♠", "K♠"))]
    assert stuck == ["Ash Toll: Sharp on 2♠", "Ash Toll: The Patron on K♠", "Ash Toll: Quick on 3♠"]
    assert any(label.title == "Ash Toll" for label in job.labels), "a name for the box"


def test_what_was_bought_tonight_is_a_chore(archive: Archive) -> None:
    session, deck = sealed(archive)
    texts = [chore.text for chore in deck_records.chores(archive, deck, session.id)]
    assert "Write Ash Toll on the box" in texts
    assert "Write A♣, HP 18, ATK 3, ⭐ on A♣" in texts, "the program made its Monsters, so nobody has written them"
    assert "Stick Sharp on 2♠" in texts
    assert "Stick The Patron on K♠" in texts
    assert "Write Glory 1, 1 dungeon on the box" in texts
    assert not any("9♠" in text and "Stick" in text for text in texts), "that stood there when the band came"


def test_the_evening_is_the_first_chapter(archive: Archive) -> None:
    _, deck = sealed(archive)
    first, *others = archive.chapters(deck)
    assert (first.kind, first.title, others) == ("evening", "Ana won a dungeon with Ben, after 1 Boss", [])
    lines = [str(line.text) for line in first.lines]
    assert lines[0].startswith("Ana adopted Ash Toll, until then a loose band, with A♠ (A♠, HP 18, ATK 3)")
    assert "2♠ received Sharp (bought, by Ana)." in lines
    assert "K♠ received The Patron (earned from a Legend, by Ana)." in lines


def test_glory_dungeons_and_purse_are_those_of_the_evening(archive: Archive) -> None:
    _, deck = sealed(archive)
    record = archive.record(deck)
    assert isinstance(record, BandRecord)
    assert (record.name, record.glory, record.dungeons, record.holder) == ("Ash Toll", 1, 1, "Ana")
    assert [(run.outcome, run.glory) for run in record.log] == [("win", 1)]
    assert archive.purse("Ana") == 20 + 8 - 5 - 5


def test_an_adopted_band_that_drifts_is_with_its_new_holder(archive: Archive) -> None:
    session = won(archive, OTHER)
    session.enter("buy ben 2S sharp")
    deck = adopt(archive, session, "ana", name="Ash Toll", legend="AC")
    session.enter("seal")
    record = archive.record(deck)
    assert (record.holders, record.holder) == (("Ana", "Ben"), "Ben")
    assert "2♠ received Sharp (bought, by Ben)." in archive.story(deck)[-2].text


def again(archive: Archive, session: Session) -> Session:
    """The same table again."""
    return archive_journal.resume(archive, rematch.open_rematch(archive, session.id).session)


def test_again_seats_the_adopted_band_and_the_purse_of_now(archive: Archive) -> None:
    session, deck = sealed(archive)
    table = again(archive, session)
    assert [seat.title for seat in table.view().seats] == ["Ash Toll", "Salt"]
    assert table.state.bands["ana"].deck == deck
    assert table.state.bands["ana"].inscribed.keys() == {"9S", "2S", "3S", "KS"}
    assert table.state.wizard("ana").purse == archive.purse("Ana") == 18
    ben = table.state.wizard("ben")
    assert (ben.purse, ben.keeps_purse) == (0, False), "nobody kept his"


def test_again_seats_an_adopted_band_before_its_new_holder(archive: Archive) -> None:
    session = won(archive, OTHER)
    adopt(archive, session, "ana", name="Ash Toll", legend="AC")
    session.enter("seal")
    opened = rematch.open_rematch(archive, session.id)
    table = archive_journal.resume(archive, opened.session)
    assert tuple(map(str, opened.notes)) == ("Ben holds Ash Toll now.", "Ana sits here with a loose deck.")
    assert {seat.name: seat.title for seat in table.view().seats} == {"Ana": "Ana's band", "Ben": "Ash Toll"}
    assert not table.state.bands["ana"].inscribed, "what was adopted lies before Ben"


def test_again_brings_a_purse_that_was_kept_for_a_loose_band(archive: Archive) -> None:
    session = won(archive)
    for line in ("keep-purse ana", "seal"):
        session.enter(line)
    table = again(archive, session)
    wizard = table.state.wizard("ana")
    assert (wizard.purse, wizard.mythics, wizard.keeps_purse) == (28, 1, True)
    assert table.state.bands["ana"].name == "Ana's band"
    assert table.state.bands["ana"].inscribed.keys() == {"9S", "8S"}, "a loose band is again what it was"


def test_what_is_spent_out_of_a_purse_that_is_kept_is_written(archive: Archive) -> None:
    session = won(archive)
    for line in ("keep-purse ana", "seal"):
        session.enter(line)
    table = again(archive, session)
    for line in ("bosses ben:BJ", "begin seed 1", "set boss hp 1", *ROUND, "set table outcome win"):
        table.enter(line)
    for line in ("fade ana 8S 9S fades 8S", *OWN, "buy ana 2S sharp", "seal"):
        table.enter(line)
    assert archive.purse("Ana") == 28 + 8 - 5
