"""What must hold for every list: what is exported is read as the same deck, and no text breaks the reader."""

import re
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.tabletop.action import NotationError
from companion.tabletop.deck_lists.content import name_key
from companion.tabletop.deck_lists.decoding import decode_list
from companion.tabletop.deck_lists.reading import read_deck_list
from companion.tabletop.deck_lists.writing import LIST_FORMATS, ListFormat, write_list
from companion.tabletop.decks.card_line import parse_card_line, write_card_line
from companion.tabletop.decks.card_texts import join_printings, split_printings
from companion.tabletop.decks.decklist import DeckCard, cards_of, read_card_line
from companion.tabletop.text import as_line

PARTS = ("main", "side", "forge-deck", "hall")
TRAPS = (
    *(
        "1996 World Champion",
        "X-Men 4",
        "+2 Mace",
        "Fire // Ice",
        "Nissa, Who Shakes the World",
        "Ember x2",
        "Ember (3)",
    ),
    *(
        "Robot #2",
        "a|b",
        "Wolf [RNA]",
        "Wolf (RNA) 200",
        "Comfey LOR 79",
        "X Wing",
        "x3 Bog",
        "Lands",
        "60 cards",
        "\\#",
    ),
    *(
        "Hazmat Suit (Used)",
        '"Ach! Hans, Run!"',
        "Erase (Not the Urza's Legacy One)",
        "SB: Wolf",
        "Foo[3]",
        "Deck",
        "- Owl",
    ),
    *(
        "Séance",
        "Ash’s Wolf",
        "Total: 60",
        "Name: Burn",
        "// Owl",
        "Wolf *CMDR*",
        "Wolf *F*",
        "hunt main",
        "^tag^",
        "Zed:",
    ),
    *("=1+1", "-5 Owl", "a;b", 'a"b', "[Main]", "ΩΩ", "&amp;", "<card>", "12", "printing RNA"),
)
words = st.text("abcXx×Ωé'\"()[]{}|\\#*/:;,.-+ 0123456789", min_size=1, max_size=14)
names = (
    st.one_of(st.sampled_from(TRAPS), words)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda name: any(map(str.isalpha, name)))
)
remarks = st.lists(st.sampled_from(("creature", "2/3", "cost 1", "a|b", "x # y")), max_size=2).map(tuple)
printings = st.sampled_from(("", "", "RNA 200", "M19 14 foil", "PLST RNA-200", "UST"))


@st.composite
def decks(draw: st.DrawFn, *, has_remarks: bool) -> tuple[DeckCard, ...]:
    """A deck with each name once in a part, whatever its spelling."""
    cards: dict[tuple[str, str], DeckCard] = {}
    spellings: dict[str, str] = {}
    for part in PARTS[: draw(st.integers(1, len(PARTS)))]:
        for name in draw(st.lists(names, min_size=1, max_size=5)):
            name = spellings.setdefault(name_key(name), name)
            copies = draw(st.integers(1, 1000))
            says = draw(remarks) if has_remarks else ()
            printing = draw(printings)
            says = (*says, f"printing {printing}") if printing else says
            cards.setdefault((part, name_key(name)), DeckCard(part, copies, name, says))
    return tuple(cards.values())


def read_back(form: ListFormat, cards: tuple[DeckCard, ...]) -> tuple[DeckCard, ...]:
    text = write_list(form, "hunt", "Ash & <Pack>", cards)
    read = read_deck_list(text, ("hunt",), PARTS)
    assert [str(each.text) for each in read.deck_list.findings if each.unreadable] == [], text
    return cards_of(read.deck_list, PARTS)


@pytest.mark.parametrize("form", ["plain", "csv"])
@given(decks(has_remarks=True))
def test_a_deck_is_read_as_it_was_written(form: ListFormat, cards: tuple[DeckCard, ...]) -> None:
    assert read_back(form, cards) == cards


@pytest.mark.parametrize("form", LIST_FORMATS)
@given(decks(has_remarks=False))
def test_every_format_keeps_copies_names_and_printings(form: ListFormat, cards: tuple[DeckCard, ...]) -> None:
    assert read_back(form, cards) == cards


@given(st.integers(1, 1000), names, remarks)
@example(4, "printing RNA", ())
def test_a_line_is_read_as_the_card_it_was_written_for(copies: int, name: str, says: tuple[str, ...]) -> None:
    line = write_card_line(copies, name, says)
    read = parse_card_line(line)
    assert (read.copies, read.name, read.remarks, read.printing) == (copies, name, says, "")
    stored = read_card_line(line)
    assert (stored.count, stored.name, stored.remarks) == (copies, name, says)


@pytest.mark.parametrize(
    "name", ["Ash Wolf", "Fire // Ice", "Nissa, Who Shakes the World", "+2 Mace", "X-Men 4", "Hazmat Suit (Used)"]
)
def test_usual_names_are_written_as_they_are(name: str) -> None:
    assert write_card_line(4, name) == f"4 {name}"


PIECES = (
    "4 Ash Wolf",
    "Sideboard",
    "Creatures (3)",
    "// Lands",
    "#",
    "SB: 2 Owl",
    "[Main]",
    "4 Owl|RNA|1",
    "Count,Name",
    "4,Owl",
    "\t",
    ";",
    "hunt main",
    "<cockatrice_deck>",
    '<card number="4" name="Owl"/>',
    "Pokémon: 3",
    "* 4 Owl LOR 79",
    "\x00",
    "\ud800",
    "﻿",
    "Total: 4",
    "",
)


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=12).map("\n".join))
@example("<cockatrice_deck><zone><card name='a' number='4'")
@example('<!DOCTYPE x [<!ENTITY a "b">]><cockatrice_deck><zone name="&a;"/></cockatrice_deck>')
@example("Count,Name\n4")
@example('Count,Name\n4,"Owl')
@example(f"{'-' * 5000}a 3\n4 {'(RNA) ' * 900}x\n{', ' * 3000})")
def test_no_text_breaks_the_reader(text: str) -> None:
    read = read_deck_list(text, ("hunt",), PARTS)
    for finding in read.deck_list.findings:
        assert str(finding.text)
    for section in read.deck_list.sections:
        for card in section.cards:
            assert 1 <= card.count <= 1000
            assert as_line(card.name) == card.name
    assert str(read.summary)


@given(st.binary(max_size=60))
def test_no_bytes_break_the_decoder(content: bytes) -> None:
    with suppress(NotationError):
        assert "\x00" not in decode_list(content)


NAMES = ("Ash Wolf", "Bog Heron", "Fire // Ice", "Nissa, Who Shakes the World", "Lim-Dûl's Vault")
STYLES = (
    "{n} {name}",
    "{n}x {name}",
    "x{n} {name}",
    "({n}) {name}",
    "{n} × {name}",
    "{name} x{n}",
    "{name} ({n})",
    "{name} [{n}]",
    "{n} {name} (RNA) 20",
    "- {n} {name}",
    "{n} {name} # note",
    "[{n}] {name}",
    "{name} *{n}",
    "{n} [RNA:20] {name}",
    "SB: {n} {name}",
    "{n} {name} *F*",
    "{name} {n}",
    "{name}",
)


@given(
    st.lists(st.tuples(st.sampled_from(STYLES), st.integers(1, 40), st.sampled_from(NAMES)), max_size=12),
    st.integers(0, 4),
)
def test_a_counted_line_is_counted_or_asked_about(rows: list[tuple[str, int, str]], gaps: int) -> None:
    lines = [style.format(n=n, name=name) for style, n, name in rows]
    text = ("\n" + "\n" * (gaps % 2)).join(lines)
    read = read_deck_list(text, ("hunt",), PARTS)
    counted = Counter[tuple[int, str]]()
    for section in read.deck_list.sections:
        for card in section.cards:
            counted[card.line, card.name] += card.count
    unread = {each.place.entry for each in read.deck_list.findings if each.unreadable}
    for at, (style, n, name) in enumerate(rows):
        line = at * (1 + gaps % 2) + 1
        copies = n if "{n}" in style else 1
        assert counted.get((line, name), 0) == copies or line in unread, (text, line)
    assert sum(counted.values()) <= sum(n if "{n}" in style else 1 for style, n, _ in rows)


@given(st.lists(st.tuples(st.integers(1, 9), printings), min_size=1, max_size=4))
def test_printings_are_split_as_they_were_joined(counted: list[tuple[int, str]]) -> None:
    copies = sum(count for count, _ in counted)
    again = split_printings(join_printings(counted), copies)
    totals = Counter[str]()
    for count, printing in counted:
        totals[printing] += count
    assert {printing: count for count, printing in again} == dict(totals)


def test_an_entity_of_a_cod_file_is_not_read() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bbb">]><cockatrice_deck><deckname>&b;</deckname></cockatrice_deck>'
    read = read_deck_list(f'<?xml version="1.0"?>{bomb}', ("hunt",), PARTS)
    assert re.search("document type", str(read.deck_list.findings[0].text))
