"""A chronicle as data: the evenings of several decks in one story, from a real archive."""

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive, deck_records
from companion.archive.people import people
from companion.session.core import archive_journal
from companion.session.reports.chronicles import tell_chronicle
from companion.tabletop.action import RuleError
from companion.tabletop.decks.chronicle import Chronicle, ChronicleDeck, DeckStanding, courses, family_tree
from companion.tabletop.decks.portrait import Heir, Portrait
from companion.tabletop.evening import CardCourse, CardList, CardTable, EveningCard, tell_apart
from companion.tabletop.records import DeckFigure
from tests.editions.test_editions import NEWEST
from tests.games.constructed.test_table import enter, store_deck
from tests.session.campaign import play_campaign

EVENINGS = 3


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    with Archive.open(str(tmp_path_factory.mktemp("campaign") / "archive.sqlite"), by="tests") as archive:
        play_campaign(archive, EVENINGS)
        yield archive


def tell(archive: Archive) -> Chronicle:
    return tell_chronicle(archive, archive.decks())


def test_every_evening_is_told_once_in_its_order(campaign: Archive) -> None:
    chronicle = tell(campaign)
    assert [section.number for section in chronicle.sections] == [1, 2, 3]
    assert len(chronicle.evenings) == EVENINGS
    places = [section.card.venue for section in chronicle.sections]
    assert places == ["The club", "", "Ana's kitchen"]
    for section in chronicle.sections:
        titles = [part.title for part in section.card.parts]
        assert titles[0] == "Bosses"
        assert titles[-1] == "The decks from then on"


def test_a_deck_stands_after_each_evening_as_its_record_says(campaign: Archive) -> None:
    chronicle = tell(campaign)
    for deck in chronicle.decks:
        row = campaign.find_deck(deck.deck)
        assert deck.standing(EVENINGS - 1) == DeckStanding(row.holder, row.figures)
        assert [deck.standings[number].figures[1].value for number in (-1, 0, 1, 2)] == [0, 1, 2, 3]
        assert deck.standing(-1) is not None
    table = chronicle.sections[0].card.parts[-1]
    assert isinstance(table, CardTable)
    assert {row[3] for row in table.rows} == {"1 (+1)"}


def test_figures_are_drawn_evening_by_evening_from_the_beginning(campaign: Archive) -> None:
    courses = [part for part in tell(campaign).overview if isinstance(part, CardCourse)]
    # All three bands were at each dungeon, so that a chart of these would have one line.
    assert [str(course.title) for course in courses] == ["Glory, evening by evening"]
    assert [point.at for point in courses[0].points] == [0, 1, 2, 3]
    assert courses[0].points[0].values == (0, 0, 0)


def test_whoever_is_called_otherwise_outside_is_so_everywhere(campaign: Archive) -> None:
    people.set_alias(campaign, "Ana", "The Duchess")
    try:
        text = str(tell(campaign))
    finally:
        people.set_alias(campaign, "Ana")
    assert "The Duchess" in text
    assert "Ana with" not in text
    assert "by Ana" not in text
    assert "Ana founded" not in text


def test_what_happened_between_evenings_stands_between_them(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Archive.open(str(tmp_path_factory.mktemp("retired") / "archive.sqlite"), by="tests") as archive:
        play_campaign(archive, 1)
        row = archive.decks()[0]
        deck_records.retire(archive, row.deck, "", row.holder)
        chronicle = tell(archive)
    assert [(section.number, str(section.card.headline)) for section in chronicle.sections][1:] == [(0, "Since then")]
    assert "retired" in str(chronicle.sections[-1].card.parts)


@pytest.fixture(scope="module")
def duels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Ana against Ana Ruiz, then Ben against Ana Ruiz with a deck that came later."""
    with Archive.open(str(tmp_path_factory.mktemp("duels") / "archive.sqlite"), by="tests") as archive:
        for names in (("Ana", "Ana Ruiz"), ("Ben", "Ana Ruiz")):
            for name in set(names) - {row.holder for row in archive.decks()}:
                store_deck(archive, "oddfrontier", f"Pack {len(archive.decks())}", name)
            packs = {row.holder: row.deck for row in archive.decks()}
            session = archive_journal.start(archive, "oddfrontier")
            one, other = names
            enter(
                session,
                f'seat a name "{one}" deck {packs[one]}',
                f'seat b name "{other}" deck {packs[other]}',
                'venue "Ben\'s kitchen, with Ana Ruiz"',
                *("begin seed 1", "concede b", "seal"),
            )
        yield archive


def test_duels_that_changed_no_deck_are_told(duels: Archive) -> None:
    sections = [section for section in tell(duels).sections if section.number]
    assert [str(section.card.headline) for section in sections] == ["Ana wins", "Ben wins"]


def test_a_deck_that_came_later_is_nowhere_before(duels: Archive) -> None:
    chronicle = tell(duels)
    (late,) = (deck for deck in chronicle.decks if deck.standing(-1) is None)
    assert late.standing(0) == DeckStanding("Ben", late.standings[0].figures)
    assert [(section.number, str(section.card.headline)) for section in chronicle.sections] == [
        (1, "Ana wins"),
        (0, "Meanwhile"),
        (2, "Ben wins"),
    ]
    (built,) = chronicle.sections[1].card.parts
    assert isinstance(built, CardList)
    assert str(built.lines[0]).startswith("Ben built")
    table = chronicle.sections[0].card.parts[-1]
    assert isinstance(table, CardTable)
    assert late.name not in [row[0] for row in table.rows]


def test_a_name_within_another_is_left_alone(duels: Archive) -> None:
    people.set_alias(duels, "Ana", "The Duchess")
    try:
        text = str(tell(duels))
    finally:
        people.set_alias(duels, "Ana")
    assert "The Duchess" in text
    assert "Ana Ruiz" in text
    assert "The Duchess Ruiz" not in text


def test_the_nameless_have_one_number_in_all_evenings(duels: Archive) -> None:
    for name in ("Ana", "Ana Ruiz", "Ben"):
        people.set_alias(duels, name, hidden=True)
    try:
        chronicle = tell(duels)
    finally:
        for name in ("Ana", "Ana Ruiz", "Ben"):
            people.set_alias(duels, name)
    assert not re.search("Ana|Ben|Ruiz", str(chronicle))
    for section in chronicle.sections:
        table = section.card.parts[-1]
        if isinstance(table, CardTable):
            assert all(f"{row[1]} ({row[0]})" in section.card.subtitle for row in table.rows)


def test_a_deck_stands_once_between_two_evenings(tmp_path: Path) -> None:
    place = shutil.copy(NEWEST / "archive.sqlite", tmp_path / "archive.sqlite")
    with Archive.open(str(place)) as archive:
        sections = tell(archive).sections
    between = [[part.title for part in section.card.parts] for section in sections if not section.number]
    assert len(between) > 3
    for titles in between:
        assert len(titles) == len(set(titles))


def test_no_deck_is_no_chronicle(tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        Archive.open(str(tmp_path_factory.mktemp("empty") / "archive.sqlite")) as archive,
        pytest.raises(RuleError, match="no deck to write about"),
    ):
        tell(archive)


def a_deck(name: str, *heirs: str) -> ChronicleDeck:
    own = tuple(Heir(heir.upper(), heir, "Sharp") for heir in heirs)
    glory = DeckStanding("Ana", (DeckFigure("glory", "Glory", 1),))
    return ChronicleDeck(name.upper(), name, "A game", ("DECK:1", "1"), Portrait(heirs=own), standings={-1: glory})


def test_a_family_tree_has_each_heir_below_its_parent() -> None:
    decks = (a_deck("Grandchild"), a_deck("Child", "Grandchild"), a_deck("Elder", "Child", "Stranger"), a_deck("Lone"))
    tree = [(kin.name, kin.depth, kin.what) for kin in family_tree(decks)]
    assert tree == [
        ("Elder", 0, ""),
        ("Child", 1, "Sharp"),
        ("Grandchild", 2, "Sharp"),
        ("Stranger", 1, "Sharp"),
    ]
    assert family_tree((a_deck("One"), a_deck("Other"))) == ()


def test_a_figure_that_changed_once_is_no_course() -> None:
    def standing(glory: int) -> DeckStanding:
        return DeckStanding("Ana", (DeckFigure("glory", "Glory", glory),))

    deck = msgspec.structs.replace(a_deck("One"), standings={-1: standing(0), 2: standing(3)})
    assert list(courses((deck,), 4)) == []
    (course,) = courses((msgspec.structs.replace(deck, standings={**deck.standings, 3: standing(4)}),), 4)
    assert [point.values for point in course.points] == [(0,), (0,), (0,), (3,), (4,)]


def test_heirs_that_name_each_other_end() -> None:
    tree = family_tree((a_deck("Root", "A"), a_deck("A", "B"), a_deck("B", "A")))
    assert [kin.name for kin in tree] == ["Root", "A", "B"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("Ana wins", "A draw")), st.lists(st.sampled_from("abcdef"), unique=True, max_size=4)
        ),
        max_size=8,
    )
)
def test_evenings_are_told_apart_as_far_as_they_differ(some: list[tuple[str, list[str]]]) -> None:
    cards = [EveningCard("", headline, highlights=tuple(highlights)) for headline, highlights in some]
    distinct = tell_apart(cards)
    common = Counter(text for _, highlights in some for text in highlights)
    for card, (headline, highlights) in zip(distinct, some, strict=True):
        assert card.headline == headline
        assert sorted(map(str, card.highlights)) == sorted(highlights)
        if any(common[text] == 1 for text in highlights):
            assert common[str(card.highlight)] == 1, "nobody else's"


def test_evenings_of_a_chronicle_have_titles_of_their_own(campaign: Archive) -> None:
    sections = [section for section in tell(campaign).sections if section.number]
    titles = [section.card.title for section in sections]
    assert len(set(titles)) == len(titles)
    overview = next(part for part in tell(campaign).overview if isinstance(part, CardTable))
    assert [row[2] for row in overview.rows] == titles
