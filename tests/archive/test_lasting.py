"""What is written stays as it is: whatever is appended, repaired, renamed or merged, no entry before it changes."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.archive import Archive, deck_records, maintenance
from companion.archive.exchange import export_format
from companion.archive.people import people
from companion.archive.storage.lists import deck_stream
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.story import paper_state
from companion.tabletop.decks.keeping import done_by_hand, follow
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Done, Mark, Payment, Reason
from tests.archive import bands
from tests.examples import examples

MARKS = st.sampled_from(
    [
        m.CardInscribed(Card("KD"), "banner", "bought", "Ana"),
        m.InscriptionCrossedOut(Card("9S"), "sharp", "faded"),
        m.Labelled(Card("AS"), "tough", "Ben"),
        m.DungeonPlayed("Ana", "win", 6, 3),
        m.Drifted("Ben"),
        m.BoxCounted(9, 2, "so it says"),
        Done(("1.1",), "Ana"),
    ]
)
DEEDS = st.lists(st.one_of(MARKS, st.sampled_from(["tick", "rename", "correct", "repair", "person"])), max_size=10)


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DEEDS)
def test_the_chain_of_what_was_written_stays_whatever_follows(archive: Archive, deeds: list[Mark | str]) -> None:
    number = len(archive.decks())
    deck = archive.found_deck("decknforge", bands.marks(f"Band {number}"), [Payment("Ana", 1, Reason("by-hand"))])
    for deed in deeds:
        before = archive.entries(deck_stream(deck))
        do(archive, deck, deed)
        after = archive.entries(deck_stream(deck))
        assert after[: len(before)] == before
        assert export_format.story_hashes(deck, after)[: len(before)] == export_format.story_hashes(deck, before)


def do(archive: Archive, deck: str, deed: Mark | str) -> None:
    if isinstance(deed, Mark):
        bands.add(archive, deck, deed)
    elif deed == "tick" and deck_records.chores(archive, deck):
        deck_records.tick(archive, deck, ("all",))
    elif deed == "rename":
        deck_records.rename_deck(archive, deck, f"Band {deck}", Reason("renamed"))
    elif deed == "correct" and len(archive.marks(deck)) == 5:
        deck_records.correct(archive, deck, 5, "no")
    elif deed == "repair":
        maintenance.repair(archive)
    elif deed == "person":
        people.rename_person(archive, "Ana", "Ana")


def test_a_tick_says_what_was_done_in_any_order_of_spots() -> None:
    marks: list[Mark] = [*bands.marks(), m.Labelled(Card("AS"), "tough", "Ben")]
    due = paper_state(marks).due
    first, *others = due
    marks.append(done_by_hand([first, others[2]], "Ana"))

    class Reversed:
        """The paper of a program that names its spots the other way round."""

        def write(self, spots: dict[str, str], mark: Mark) -> None:
            written = {chore.spot: chore.value for chore in due if chore.mark == marks.index(mark) + 1}
            spots.update(reversed(written.items()))

        def immediate_spots(self, mark: Mark) -> dict[str, str]:
            return {"holder": "Ana"} if isinstance(mark, m.BandFounded) else {}

        def text(self, spot: str, value: str, mark: Mark) -> str:  # noqa: ARG002
            return spot

    chores = follow(Reversed(), marks)  # type: ignore[arg-type]
    assert {chore.spot for chore in chores.did[len(marks)]} == {first.spot, others[2].spot}
    ids = {chore.spot: chore.id for chore in follow(Reversed(), marks[:-1]).due}  # type: ignore[arg-type]
    assert ids[first.spot] != first.id, "in that program the same id means another spot"


def test_reasons_are_stored_as_codes_and_read_as_before(archive: Archive) -> None:
    deck = bands.found_band(archive)
    deck_records.rename_deck(archive, deck, "Ashen Choir", Reason("renamed"), "Ana")
    deck_records.mend(archive, deck, {"box": "Glory 4, 1 dungeon"}, Reason("box-looked-through"), "Ana")
    bodies = [entry.body for entry in archive.entries(deck_stream(deck)) if entry.seq > 4]
    assert '"reason":{"code":"renamed"}' in bodies[0]
    assert '"reason":{"code":"box-looked-through"}' in bodies[1]
    sentences = [line.text for line in archive.story(deck)[4:]]
    assert "Ana corrected entry 1 (a new name)." in sentences[0]
    assert "(the box was checked)" in sentences[1]
