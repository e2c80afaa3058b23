"""The decks of an archive compete for a photograph before one of them is compared with it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.archive import Archive, DeckRow, deck_id, deck_records
from companion.games.decknforge.decks import marks as m
from companion.printing import label_audit
from companion.printing.label_audit import LabelAudit, audit_deck
from companion.printing.picture_match import DeckIndex
from companion.tabletop.decks.label_numbers import CardLabel, LooseLabel, deck_tag, format_number
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Mark, Recognized
from tests.printing.evenings import create_deck, live
from tests.printing.test_label_audit import numbers_of


def same_tag(deck: str) -> Iterator[str]:
    """Ids of other decks whose labels bear the same tag."""
    return (each for each in iter(deck_id.new, "") if deck_tag(each) == deck_tag(deck) and each != deck)


@pytest.fixture
def choir(archive: Archive) -> DeckRow:
    deck = create_deck(archive)
    deck_records.tick(archive, deck, ["all"])
    return archive.find_deck(deck)


@pytest.fixture
def salt(archive: Archive, choir: DeckRow) -> DeckRow:
    """Another band, whose labels bear the same tag."""
    deck = create_deck(archive, "Salt and Iron", next(same_tag(choir.deck)))
    deck_records.tick(archive, deck, ["all"])
    return archive.find_deck(deck)


def codes_of(archive: Archive, row: DeckRow) -> list[str]:
    return [*numbers_of(archive, row.deck).values()]


def nothing_follows(audit: LabelAudit) -> bool:
    return not (audit.missing or audit.proposals or audit.questions or audit.due or audit.of("here", "extra"))


def test_a_picture_of_another_deck_of_the_same_tag_is_named(archive: Archive, choir: DeckRow, salt: DeckRow) -> None:
    theirs = codes_of(archive, salt)
    assert set(theirs) & set(codes_of(archive, choir)), "labels of the same tag are the same on both"
    audit = audit_deck(archive, choir, [theirs])
    assert str(audit.summary).startswith("The picture shows Salt and Iron, not Grave Choir: 10 of 10 labels are as its")
    assert nothing_follows(audit)
    assert audit_deck(archive, salt, [theirs]).summary == "Salt and Iron: 10 labels seen, 10 as the record has them."


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_part_of_another_deck_is_named_too(archive: Archive, choir: DeckRow, salt: DeckRow, count: int) -> None:
    mine = {*codes_of(archive, choir)}
    part = [code for code in codes_of(archive, salt) if code not in mine][:count]
    audit = audit_deck(archive, choir, [part])
    assert "Salt and Iron" in audit.refusal
    assert nothing_follows(audit)


def test_each_of_several_pictures_must_show_the_deck(archive: Archive, choir: DeckRow, salt: DeckRow) -> None:
    mine, theirs = codes_of(archive, choir), codes_of(archive, salt)
    audit = audit_deck(archive, choir, [mine, theirs])
    assert str(audit.refusal).startswith("Picture 2 shows Salt and Iron, not Grave Choir")
    assert nothing_follows(audit)


def test_a_picture_of_a_deck_of_another_tag_is_named(archive: Archive, choir: DeckRow) -> None:
    other = create_deck(archive, "Salt and Iron")
    audit = audit_deck(archive, choir, [codes_of(archive, archive.find_deck(other))])
    assert str(audit.refusal).startswith("The picture shows Salt and Iron, not Grave Choir")
    assert nothing_follows(audit)


def test_labels_that_another_record_explains_are_never_proposed(
    archive: Archive, choir: DeckRow, salt: DeckRow
) -> None:
    mine = codes_of(archive, choir)
    strange = [code for code in codes_of(archive, salt) if code not in mine]
    audit = audit_deck(archive, choir, [[*mine, *strange[:3]]])
    assert not audit.refusal
    assert audit.proposals == ()
    assert [each.note for each in audit.of("foreign")] == ["of Salt and Iron"] * 3
    # Without that deck they are corrections.
    alone = format_number(CardLabel(deck_tag(choir.deck), 30, 4))
    assert len(audit_deck(archive, choir, [[*mine, alone]]).proposals) == 1


def test_what_is_crossed_out_here_and_borne_there_is_not_proposed(archive: Archive, choir: DeckRow) -> None:
    old = numbers_of(archive, choir.deck)["5C quick"]
    founded, *rest = archive.marks(choir.deck)
    assert isinstance(founded, m.BandFounded)
    twin = msgspec.structs.replace(founded, name="Its Twin")
    archive.found_deck("decknforge", [twin, *rest], deck=next(same_tag(choir.deck)))
    archive.mark(
        choir.deck, archive.find_deck(choir.deck).length, [m.InscriptionCrossedOut(Card("5C"), "quick", "faded")]
    )
    live(archive, choir.deck)
    audit = audit_deck(archive, choir, [[*codes_of(archive, choir), old]])
    assert not audit.refusal
    assert [each.spot for each in audit.seen if each.standing == "extra"] == []
    assert not any(proposal.spots for proposal in audit.proposals)


def test_a_picture_that_fits_two_decks_as_well_decides_nothing(archive: Archive, choir: DeckRow) -> None:
    founded, *rest = archive.marks(choir.deck)
    assert isinstance(founded, m.BandFounded)
    twin = msgspec.structs.replace(founded, name="Its Twin")
    other = archive.found_deck("decknforge", [twin, *rest], deck=next(same_tag(choir.deck)))
    live(archive, choir.deck)
    alike = [code for code in codes_of(archive, choir) if code in codes_of(archive, archive.find_deck(other))]
    audit = audit_deck(archive, choir, [alike])
    assert str(audit.refusal).startswith("These labels can be those of Grave Choir or of Its Twin: nothing is compared")
    assert nothing_follows(audit)
    # What only this one bears decides.
    assert not audit_deck(archive, choir, [codes_of(archive, choir)]).refusal


def test_a_picture_of_a_deck_that_is_not_here_is_doubted(archive: Archive, choir: DeckRow, tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "elsewhere.sqlite"), by="tests") as elsewhere:
        stranger = create_deck(elsewhere, "Salt and Iron", next(same_tag(choir.deck)))
        theirs = [*numbers_of(elsewhere, stranger).values()]
    audit = audit_deck(archive, choir, [theirs])
    assert "no deck here explains more; it may be a deck that is not in this archive" in audit.refusal
    assert nothing_follows(audit)


def test_a_label_that_is_seen_twice_is_told(archive: Archive, choir: DeckRow) -> None:
    mine = codes_of(archive, choir)
    audit = audit_deck(archive, choir, [[*mine, mine[0]]])
    assert audit.summary == (
        "Grave Choir: 11 labels seen, 10 as the record has them, 1 more than the record has of the same."
    )
    (copy,) = audit.of("copy")
    assert copy.number == mine[0]
    assert audit.names[mine[0]][1] == "copy"
    assert audit.proposals == ()
    # The same card in two pictures is one card.
    assert not audit_deck(archive, choir, [mine, mine]).of("copy")


@pytest.mark.parametrize(("copies", "more"), [({0: 2}, 2), ({0: 1, 3: 1}, 2), ({5: 3}, 3)])
def test_copies_are_counted(archive: Archive, choir: DeckRow, copies: dict[int, int], more: int) -> None:
    mine = codes_of(archive, choir)
    extra = [mine[at] for at, count in copies.items() for _ in range(count)]
    audit = audit_deck(archive, choir, [[*mine, *extra]])
    assert (len(audit.of("here")), len(audit.of("copy")), audit.missing) == (10, more, ())


def test_a_starter_label_that_another_deck_knows_is_not_asked_about(archive: Archive, choir: DeckRow) -> None:
    other = create_deck(archive, "Salt and Iron")
    loose = format_number(LooseLabel(4, 77))
    spot = next(spot for spot in numbers_of(archive, other) if " " in spot)
    archive.mark(other, archive.find_deck(other).length, [Recognized({loose: spot})])
    audit = audit_deck(archive, choir, [[*codes_of(archive, choir), loose]])
    assert audit.questions == ()
    assert [each.note for each in audit.of("foreign")] == ["of Salt and Iron"]


def test_nothing_is_missing_from_a_picture_that_cannot_be_read(archive: Archive, choir: DeckRow) -> None:
    doubt = "“spread.jpg” is too small: no label can be read."
    blank = audit_deck(archive, choir, [[]], doubt)
    assert (blank.summary, blank.missing, blank.proposals) == (doubt, (), ())
    mine = codes_of(archive, choir)
    some = audit_deck(archive, choir, [mine[:4]], doubt)
    assert some.summary == f"Grave Choir: 4 labels seen, 4 as the record has them. {doubt}"
    assert some.missing == ()
    assert not audit_deck(archive, choir, [mine], doubt).doubt, "all labels were read all the same"


def test_scanning_names_the_deck_that_explains_most(archive: Archive, choir: DeckRow, salt: DeckRow) -> None:
    for row in (choir, salt):
        assert [each.name for each in label_audit.find_decks(archive, [codes_of(archive, row)])] == [row.name]


def test_only_decks_of_tags_in_the_picture_are_read(
    archive: Archive, choir: DeckRow, salt: DeckRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_deck(archive, "The Lantern Debt")
    read: list[str] = []
    marks = Archive.marks

    def count_marks(self: Archive, deck: str) -> tuple[Mark, ...]:
        read.append(deck)
        return marks(self, deck)

    monkeypatch.setattr(Archive, "marks", count_marks)
    DeckIndex(archive).rank(dict.fromkeys(codes_of(archive, salt), 1))
    assert {*read} == {choir.deck, salt.deck}
