"""What games with constructed decks print: starter sheets, labels of cards, boxes, record sheets, and aids."""

from datetime import datetime

import msgspec
import pypdfium2
import pytest

from companion.archive import Archive, deck_id
from companion.games import registry
from companion.games.oddfrontier.state import STARTING_LIFE
from companion.games.solforge.keywords import KEYWORDS as SOLFORGE_KEYWORDS
from companion.games.soulforger.keywords import KEYWORDS as SOULFORGER_KEYWORDS
from companion.printing import decks, wording
from companion.printing.decks import borne, boxes, count, evening, newest
from companion.printing.jobs import aid_document
from companion.tabletop.constructed import record as m
from companion.tabletop.decklist import DeckCard
from companion.tabletop.form import FormContext
from companion.tabletop.keeping import keeping
from companion.tabletop.paper import LabelText
from labels import page, pdf, sheet, stocks
from labels.designs import BoxLabel, FiguresLabel, StripLabel
from labels.errors import LabelError
from labels.geometry import MM
from labels.sheet import SAFE_MARGIN, Label
from labels.stocks import Stock
from labels.text import fit
from tests.games.constructed.decks import LISTS
from tests.labels.paper import SHEETS, Paper, smallest, strays, text_in

GAMES = tuple(LISTS)
STOCK = stocks.find("18294")
SMALL = {"L4731REV", "94102"}
ALL = [pytest.param(stock, id=stock.name) for stock in SHEETS]
LEAST = 5.5
TEXTS = [
    pytest.param(text, id=f"{game}-{text.title}")
    for game in GAMES
    for text in dict.fromkeys(wording.wording(registry.game(game)).starter)
]


def found(archive: Archive, game: str, name: str = "Ash Pack") -> str:
    form = registry.game(game).founding
    assert form is not None
    return archive.found_deck(
        game, form.filled({"name": name, "holder": "Ana", "list": LISTS[game]}, FormContext()).marks
    )


def play(archive: Archive, deck: str, result: m.Result, turns: int = 0) -> m.Played:
    match = m.Played("Ana", 1, (m.Opponent("Ben", called="Tide Line"), m.Opponent("Cy")), result, turns)
    archive.mark(deck, archive.find_deck(deck).length, [match])
    return match


def rebuild(archive: Archive, deck: str, text: str) -> None:
    row = archive.find_deck(deck)
    built = keeping(registry.game(row.game)).rebuilt(archive.marks(deck), text, "too slow", "Ana")
    archive.mark(deck, row.length, [built.mark])


def printable(run: tuple[Label, ...], stock: Stock) -> list[Label]:
    """Those of a run that a stock has room for. The others are refused by name, and only where labels are tiny."""
    refusals = {label: _refusal(label, stock) for label in dict.fromkeys(run)}
    refused = {label: refusal for label, refusal in refusals.items() if refusal}
    assert stock.name in SMALL or not refused
    assert all(label.title in said and "choose a larger stock" in said for label, said in refused.items())
    return [label for label, refusal in refusals.items() if not refusal]


def _refusal(label: Label, stock: Stock) -> str:
    try:
        pdf.sheets([{1: label}], stock, pdf.Setup("x"))
    except LabelError as error:
        return str(error)
    return ""


# Starter sheets


@pytest.mark.parametrize("game", GAMES)
def test_a_starter_sheet_is_one_sheet_and_all_its_ink_lies_within_the_labels(game: str) -> None:
    run = sheet.place(wording.starter(registry.game(game)), STOCK)
    assert len(run) == 1
    document = pdf.sheets(run, STOCK, pdf.Setup("Starter"))
    assert strays(Paper(document, 600), STOCK, 1.5 * MM) is None
    assert smallest(document) >= LEAST


@pytest.mark.parametrize("stock", ALL)
@pytest.mark.parametrize("game", GAMES)
def test_reminders_and_strips_fit_every_stock_or_are_refused_by_name(game: str, stock: Stock) -> None:
    run = printable(wording.starter(registry.game(game)), stock)
    for number, laid in enumerate(sheet.place(run, stock)):
        document = pdf.sheets([laid], stock, pdf.Setup("x"))
        assert strays(Paper(document, 200), stock, SAFE_MARGIN) is None
        assert stock.name in SMALL or smallest(document) >= LEAST, number


@pytest.mark.parametrize(("game", "known"), [("soulforger", SOULFORGER_KEYWORDS), ("solforge", SOLFORGE_KEYWORDS)])
def test_every_keyword_has_its_reminder(game: str, known: dict[str, object]) -> None:
    assert {name for kind, name in wording.wording(registry.game(game)).texts if kind == "keyword"} == set(known)


def test_every_phase_of_a_turn_has_its_reminder() -> None:
    texts = wording.wording(registry.game("oddfrontier")).texts
    told = [name for kind, name in texts if kind == "phase"]
    assert told == ["1-reset", "2-pre-combat", "3-combat", "4-post-combat"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_reminder_has_at_most_twelve_words_and_is_read_at_seven_points(text: LabelText) -> None:
    assert 3 <= len(text.text.split()) <= 12
    assert fit(text.text, text.title, 98, 27, 7.5).size >= 7


def test_strips_count_what_the_rules_count() -> None:
    strips = {
        (game, label.title): label.runs
        for game in GAMES
        for label in wording.starter(registry.game(game))
        if isinstance(label, StripLabel)
    }
    assert strips["soulforger", "Damage"][0][1].split()[-2:] == ["29", "30*"]
    assert {title for game, title in strips if game == "soulforger"} == {"Damage", "Level", "XP"}
    assert strips["solforge", "Rank tracker"][1] == ("TURN", "1 2 3 4*")
    tens, ones = strips["oddfrontier", "Life"]
    assert 10 * int(tens[1].split()[-1]) + int(ones[1].split()[-1]) >= STARTING_LIFE


# Labels of cards


def test_a_level_sticker_says_the_level_its_figures_and_its_keywords(archive: Archive) -> None:
    labels = borne(archive.record(found(archive, "solforge")))
    wolf = [label for label in labels if label.title == "Ash Wolf"]
    assert all(isinstance(label, FiguresLabel) for label in wolf)
    document = pdf.sheets(sheet.place(wolf, STOCK), STOCK, pdf.Setup("x"))
    told = [text_in(document, STOCK.box(position)) for position in range(1, len(wolf) + 1)]
    assert len(told) == 9
    assert ["LEVEL 1" in text and "4/5" in text for text in told] == [True] * 3 + [False] * 6
    assert ["LEVEL 2" in text and "7/8" in text and "Armor 1" in text for text in told[3:6]] == [True] * 3
    assert ["11/12" in text and "Armor 2, Mobility 1" in text for text in told[6:]] == [True] * 3


def test_a_spell_and_an_engine_of_which_nothing_is_told_have_no_label(archive: Archive) -> None:
    assert "Ember Storm" not in {label.title for label in borne(archive.record(found(archive, "solforge", "One")))}
    assert "Steam Works" not in {label.title for label in borne(archive.record(found(archive, "oddfrontier", "Two")))}


def test_a_level_with_a_word_that_is_no_keyword_is_printed_as_it_was_written(archive: Archive) -> None:
    text = "solforge main\n1 Odd One | creature | tempys | 1/2 has shiny=2\n"
    deck = archive.found_deck(
        "solforge",
        registry.game("solforge")
        .founding.filled(  # type: ignore[union-attr]
            {"name": "Odd", "holder": "Ana", "list": text}, FormContext()
        )
        .marks,
    )
    (label,) = borne(archive.record(deck))
    assert isinstance(label, FiguresLabel)
    assert label.effect == "shiny 2"


@pytest.mark.parametrize(
    ("game", "card", "says"),
    [
        ("soulforger", "Ash Wolf", ("RONUM 1", "POWER 2/1", "ENDURANCE 3", "Flight, XP 1, Creature")),
        ("soulforger", "Ember", ("RONUM 0", "Instinct, Action")),
        ("soulforger", "Long Bow", ("RONUM 1", "POWER 4/2", "2 hands, Weapon")),
        ("soulforger", "Rusty Blade", ("POWER 3/1", "1 hand, Weapon")),
        ("oddfrontier", "Ash Wolf", ("COST 0", "2/3", "First Assault,", "Wolf Creature")),
        ("oddfrontier", "Night Market", ("COST 1", "Phenomenon")),
    ],
)
def test_a_cards_label_says_what_its_line_tells(archive: Archive, game: str, card: str, says: tuple[str, ...]) -> None:
    labels = borne(archive.record(found(archive, game)))
    label = next(label for label in labels if label.title == card)
    told = text_in(pdf.sheets([{1: label}], STOCK, pdf.Setup("x")), STOCK.box(1))
    assert [part for part in says if part not in told] == []


def test_there_is_a_label_for_every_copy(archive: Archive) -> None:
    labels = borne(archive.record(found(archive, "soulforger")))
    assert sum(label.title == "Ash Wolf" for label in labels) == 4
    assert sum(label.title == "Long Bow" for label in labels) == 2


@pytest.mark.parametrize("stock", ALL)
@pytest.mark.parametrize("game", GAMES)
def test_labels_of_cards_fit_every_stock_or_are_refused_by_name(archive: Archive, game: str, stock: Stock) -> None:
    run = printable(borne(archive.record(found(archive, game))), stock)
    for laid in sheet.place(run, stock):
        document = pdf.sheets([laid], stock, pdf.Setup("x"))
        assert strays(Paper(document, 200), stock, SAFE_MARGIN) is None
        assert stock.name in SMALL or smallest(document) >= LEAST


def test_levels_are_told_apart_in_black_and_white(archive: Archive) -> None:
    """The figure in the stripe tells the level, whatever becomes of its colour."""
    labels = dict.fromkeys(borne(archive.record(found(archive, "solforge"))))
    stripes = set()
    for label in [label for label in labels if label.title == "Ash Wolf"]:
        die = STOCK.box(1)
        paper = Paper(pdf.sheets([{1: label}], STOCK, pdf.Setup("x")), 300)
        stripe = die.inset(SAFE_MARGIN).cut_left(10)[0]
        stripes.add(paper.part(stripe).point(lambda grey: 255 if grey > 200 else 0).tobytes())
    assert len(stripes) == 3


def test_only_what_came_with_the_last_list_is_new(archive: Archive) -> None:
    """More copies, new cards, and whatever is told otherwise of those that stay; not what went or is as it was."""
    deck = found(archive, "solforge")
    assert newest(archive.record(deck), archive.marks(deck)) == ()
    text = LISTS["solforge"].replace("level 2 7/8", "level 2 8/8").replace("3 Cinder Imp", "2 Cinder Imp")
    text = text.replace("3 Bog Heron | creature | uterra | 3/3", "2 Bog Heron | creature | uterra | 4/4")
    rebuild(archive, deck, f"{text}1 New Moth | creature | uterra | 2/2\n".replace("3 Dune Runner", "4 Dune Runner"))
    labels = newest(archive.record(deck), archive.marks(deck))
    titles = [*["Ash Wolf"] * 9, *["Bog Heron"] * 2, "Dune Runner", "New Moth"]
    assert [label.title for label in labels] == titles


# Boxes


@pytest.mark.parametrize("stock", [stock for stock in SHEETS if stock.name not in SMALL], ids=lambda s: s.name)
def test_a_box_says_version_and_matches_and_its_code_reads_on_every_stock(archive: Archive, stock: Stock) -> None:
    deck = found(archive, "soulforger", "The Everlasting Court")
    archive.mark(deck, archive.find_deck(deck).length, [m.Played("Ana", 1, (), "won")] * 23)
    play(archive, deck, "lost")
    (label,) = boxes([archive.find_deck(deck)])
    document = pdf.sheets([{1: label}], stock, pdf.Setup("Boxes"))
    assert "v1 · 23 won · 1 lost" in text_in(document, stock.box(1))
    assert smallest(document) >= LEAST
    for dpi in (150, 300, 600):
        assert Paper(document, dpi).codes(stock.box(1)) == [deck_id.payload(deck)]


def test_a_retired_deck_says_so_on_its_box(archive: Archive) -> None:
    deck = found(archive, "solforge")
    archive.mark(deck, archive.find_deck(deck).length, [m.Retired("Ana")])
    assert boxes([archive.find_deck(deck)])[0].notes == ("v1 · retired",)


@pytest.mark.parametrize(("result", "due"), [("won", 1), ("lost", 1), ("draw", 0)])
def test_a_match_outdates_the_box_where_it_changes_what_stands_there(
    archive: Archive, result: m.Result, due: int
) -> None:
    deck = found(archive, "oddfrontier")
    (told,) = evening(archive, {deck: (play(archive, deck, result),)})
    assert told.cards == ()
    assert len(told.box) == due


def test_a_box_is_brought_up_to_date_by_its_whole_label(archive: Archive) -> None:
    deck = found(archive, "oddfrontier")
    play(archive, deck, "won")
    label = count(archive.find_deck(deck))
    assert isinstance(label, BoxLabel)
    assert label.notes == ("v1 · 1 won · 0 lost",)


# Pages


def _sheet(archive: Archive, deck: str) -> page.Document:
    made = {told.number: told.at for told in archive.story(deck)}
    return decks.sheet(deck, archive.record(deck), archive.marks(deck), made)


def _text(document: page.Document, size: str) -> str:
    with pypdfium2.PdfDocument(page.pages(document, page.paper(size))) as opened:
        return " ".join(" ".join(each.get_textpage().get_text_range().split()) for each in opened)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_sheet_has_the_list_its_versions_and_the_matches(archive: Archive, game: str) -> None:
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    deck = found(archive, game)
    play(archive, deck, "won", turns=9)
    rebuild(archive, deck, LISTS[game].replace("4 Cinder Imp", "2 Cinder Imp").replace("3 Cinder Imp", "2 Cinder Imp"))
    told = _sheet(archive, deck)
    assert told.subtitle == f"{registry.game(game).title} deck, built {today} by Ana · held by Ana"
    assert told.facts == (("version", "2"), ("won", "1"), ("lost", "0"), ("drawn", "0"))
    *parts, versions, matches = told.tables
    assert [table.title.partition(":")[0].lower() for table in parts] == list(
        dict.fromkeys(line.split()[1] for line in LISTS[game].splitlines() if line.startswith(f"{game} "))
    )
    assert parts[0].rows[0][1] == "Ash Wolf"
    first, second = versions.rows
    assert first[:2] == ("1", today)
    assert second[3] in {"−2 Cinder Imp (too slow, by Ana)", "−1 Cinder Imp (too slow, by Ana)"}
    assert matches.rows == (("1", today, "1", "Ana", "Ben (Tide Line) and Cy", "won", "9"),)
    assert matches.blanks


@pytest.mark.parametrize("size", ["letter", "a4"])
@pytest.mark.parametrize("game", GAMES)
def test_a_record_sheet_is_printed_with_every_card(archive: Archive, game: str, size: str) -> None:
    document = _sheet(archive, found(archive, game))
    told = _text(document, size)
    assert [row[1] for table in document.tables[:-2] for row in table.rows if row[1] not in told] == []


def test_a_retired_deck_that_came_with_its_passport_says_both(archive: Archive) -> None:
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    kept, brought = keeping(registry.game("soulforger")), m.Built("Far Pack", "Ben", (DeckCard("main", 4, "Ember"),))
    packed = msgspec.to_builtins(next(iter(kept.packed([brought]))))
    there = archive.found_deck("soulforger", kept.unpacked(packed, "abc", 7, "Ana"))
    archive.mark(there, archive.find_deck(there).length, [m.Retired("Ana")])
    assert _sheet(archive, there).subtitle == f"Soul-Forger deck, here since {today} · retired"


def test_a_correction_takes_a_match_from_the_sheet(archive: Archive) -> None:
    deck = found(archive, "solforge")
    play(archive, deck, "lost")
    archive.mark(deck, archive.find_deck(deck).length, [m.ConstructedCorrected(2, "was no match", "Ana")])
    assert _sheet(archive, deck).tables[-1].rows == ()


@pytest.mark.parametrize("size", ["letter", "a4"])
@pytest.mark.parametrize(
    ("game", "parts"),
    [
        ("soulforger", ("1 Ready", "2 Side Quest", "6 End", "Reaction", "Ronum cost", "60 to 75", "30 Damage")),
        ("oddfrontier", ("1 Reset", "4 Post-combat", "Crank", "First Assault", "137 Life", "36 to 40 cards")),
        ("solforge", ("1 Start", "Rank Up", "A lane fights", "Mobility X", "Armor X", "120 Health", "30 cards")),
    ],
)
def test_a_table_aid_is_one_page_with_what_everybody_asks(game: str, parts: tuple[str, ...], size: str) -> None:
    told = _text(aid_document(registry.game(game)), size)
    assert " 1 of " not in told
    assert [part for part in parts if part not in told] == []
