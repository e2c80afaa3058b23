"""A deck beside its record, by the numbers that photographs show."""

import msgspec
import pytest

from companion.archive import Archive, DeckRow, deck_records
from companion.games.decknforge.decks import marks as m
from companion.printing import jobs, label_audit
from companion.printing.label_audit import LabelAudit, audit_deck
from companion.tabletop.action import RuleError
from companion.tabletop.decks.label_numbers import CardLabel, LooseLabel, deck_tag, format_number
from companion.tabletop.notation.cards import Card
from tests.printing.evenings import create_deck, live


def numbers_of(archive: Archive, deck: str) -> dict[str, str]:
    """The numbers of the labels that a deck bears, by their spots."""
    return {text.spot: text.code for text in jobs.deck_labels(archive, deck).borne()}


@pytest.fixture
def band(archive: Archive) -> DeckRow:
    deck = create_deck(archive)
    deck_records.tick(archive, deck, ["all"])
    return archive.find_deck(deck)


def audit(archive: Archive, row: DeckRow, *pictures: list[str]) -> LabelAudit:
    return audit_deck(archive, row, pictures)


def test_a_whole_deck_is_as_the_record_has_it(archive: Archive, band: DeckRow) -> None:
    numbers = [*numbers_of(archive, band.deck).values()]
    result = audit(archive, band, numbers[:6], numbers[4:])
    assert result.summary == "Grave Choir: 10 labels seen, 10 as the record has them."
    assert (result.missing, result.proposals, result.questions) == ((), (), ())


def test_what_is_not_seen_is_named(archive: Archive, band: DeckRow) -> None:
    numbers = numbers_of(archive, band.deck)
    result = audit(archive, band, [number for spot, number in numbers.items() if spot not in ("5C quick", "AS")])
    assert sorted((str(text.title), text.card) for text in result.missing) == [
        ("Quick", "5♣"),
        ("Tithe Collector", "A♠"),
    ]
    assert "2 not seen" in result.summary


def test_a_chore_that_is_visibly_done_is_ticked_once_somebody_says_so(archive: Archive, band: DeckRow) -> None:
    live(archive, band.deck)
    numbers = numbers_of(archive, band.deck)
    before = deck_records.chores(archive, band.deck)
    result = audit(archive, band, [numbers["KS royal-decree"], numbers["AS rampage"]])
    assert [proposal.text for proposal in result.proposals] == [
        "Royal Decree on K♠: tick that off.",
        "Rampage on A♠: tick that off.",
    ]
    assert deck_records.chores(archive, band.deck) == before
    label_audit.take_proposals(archive, band, result.proposals, "Ana")
    left = deck_records.chores(archive, band.deck)
    assert {chore.spot for chore in before} - {chore.spot for chore in left} == {"KS royal-decree", "AS rampage"}
    assert "AS tough" in {chore.spot for chore in left}
    # What is still to be stuck is no riddle: it is due.
    assert "AS tough" in audit(archive, band, []).due


def test_a_label_on_another_card_than_the_record_says(archive: Archive, band: DeckRow) -> None:
    numbers = numbers_of(archive, band.deck)
    wrong = format_number(CardLabel(deck_tag(band.deck), 30, 4))
    seen = [number for spot, number in numbers.items() if spot != "5C quick"]
    result = audit(archive, band, [*seen, wrong])
    (proposal,) = result.proposals
    assert proposal.text == "Quick is on 6♣, and by the record on 5♣: have the record say 6♣."
    label_audit.take_proposals(archive, band, [proposal])
    assert "6C quick" in numbers_of(archive, band.deck)
    assert "5C quick" not in numbers_of(archive, band.deck)


def test_what_was_crossed_out_and_lies_there_still_is_told(archive: Archive, band: DeckRow) -> None:
    old = numbers_of(archive, band.deck)["5C quick"]
    archive.mark(
        band.deck, archive.find_deck(band.deck).length, [m.InscriptionCrossedOut(Card("5C"), "quick", "faded")]
    )
    result = audit(archive, band, [*numbers_of(archive, band.deck).values(), old])
    (extra,) = result.of("extra")
    assert extra.text == "Quick on 5♣"
    assert [each.text for each in result.proposals] == [
        "Quick on 5♣ is struck by the record and lies there still: cross it out, or have it stand again."
    ]


def test_labels_of_another_deck_are_named_by_it(archive: Archive, band: DeckRow) -> None:
    other = create_deck(archive, "Salt and Iron")
    theirs = numbers_of(archive, other)
    spot = next(spot for spot in theirs if " " in spot)
    (seen,) = audit(archive, band, [theirs[spot]]).seen
    assert (seen.standing, seen.note) == ("foreign", "of Salt and Iron")
    unknown = format_number(CardLabel((deck_tag(band.deck) + 1) % 200, 3, 2))
    if deck_tag(other) != (deck_tag(band.deck) + 1) % 200:
        (seen,) = audit(archive, band, [unknown]).seen
        assert (seen.standing, seen.note) == ("foreign", "of a deck that is not known here")


def test_a_starter_label_is_asked_about_once(archive: Archive, band: DeckRow) -> None:
    numbers = numbers_of(archive, band.deck)
    loose = format_number(LooseLabel(4, 77))
    seen = [number for spot, number in numbers.items() if spot != "5C quick"]
    (question,) = audit(archive, band, [*seen, loose]).questions
    assert (question.title, question.spot) == ("Quick", "5C quick")
    with pytest.raises(RuleError):
        label_audit.answer_question(archive, band, question, "5X")
    proposal = label_audit.answer_question(archive, band, question, "5c")
    assert proposal.text == f"Quick with the number {loose} is on 5♣."
    (sentence,) = label_audit.take_proposals(archive, band, [proposal], "Ana")
    assert sentence == "One label is known by its code now, as Ana said."
    after = audit(archive, band, [*seen, loose])
    assert (after.questions, after.missing) == ((), ())


def test_numbers_of_later_editions_are_left_to_them(archive: Archive, band: DeckRow) -> None:
    (seen,) = audit(archive, band, ["950000"]).seen
    assert (seen.standing, seen.note) == ("unsure", "of a later edition of this program")


def test_a_deck_is_named_by_several_labels_that_agree(archive: Archive, band: DeckRow) -> None:
    other = create_deck(archive, "Salt and Iron")
    mine, theirs = [*numbers_of(archive, band.deck).values()], [*numbers_of(archive, other).values()]
    names = [
        [row.name for row in label_audit.find_decks(archive, [seen])]
        for seen in (mine, mine[:3], mine[:2], [*mine[:2], theirs[0]], [*mine[:5], theirs[0]], [])
    ]
    assert names == [["Grave Choir"], ["Grave Choir"], [], [], ["Grave Choir"], []]


def test_two_decks_that_fit_are_both_named(archive: Archive) -> None:
    first = create_deck(archive)
    twin = next(deck for deck in map("{:013}".format, range(100_000)) if deck_tag(deck) == deck_tag(first))
    founded, *rest = archive.marks(first)
    archive.found_deck("decknforge", [msgspec.structs.replace(founded, name="Its Twin"), *rest], deck=twin)
    rows = label_audit.find_decks(archive, [[*numbers_of(archive, first).values()]])
    assert {row.deck for row in rows} == {first, twin}
