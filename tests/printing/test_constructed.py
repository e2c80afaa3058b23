"""What games with constructed decks print: starter sheets, labels of cards, boxes, record sheets, and aids."""

from datetime import datetime

import msgspec
import pypdfium2
import pytest

from companion.archive import Archive, deck_id
from companion.games import registry
from companion.games.oddfrontier.rules.house import STARTING_LIFE
from companion.games.solforge.rules.keywords import KEYWORDS as SOLFORGE_KEYWORDS
from companion.games.soulforger.rules.keywords import KEYWORDS as SOULFORGER_KEYWORDS
from companion.printing import jobs, wording
from companion.printing.jobs import aid_document, box_labels, card_labels, count_label, due_labels, new_card_labels
from companion.tabletop.constructed import record as m
from companion.tabletop.decks.decklist import DeckCard
from companion.tabletop.decks.form import FormContext
from companion.tabletop.decks.keeping import keeping
from companion.tabletop.decks.paper import LabelText
from companion.tabletop.table.match_result import Result
from labels.designs import BoxLabel, FiguresLabel, StripLabel
from labels.errors import LabelError
from labels.geometry import MM
from labels.output import page, pdf
from labels.paper import sheet, stocks
from labels.paper.sheet import SAFE_MARGIN, Label
from labels.paper.stocks import Stock
from labels.typesetting.text import fit
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
    for text in dict.fromkeys(wording.load_wording(registry.game(game)).starter)
]


def _create_deck(archive: Archive, game: str, name: str = "Ash Pack") -> str:
    form = registry.game(game).decks.founding
    assert form is not None
    return archive.found_deck(
        game, form.validate_answers({"name": name, "holder": "Ana", "list": LISTS[game]}, FormContext()).marks
    )


def _play(
    archive: Archive, deck: str, result: Result, turns: int = 0, life: int = 0, score: m.GamesWon | None = None
) -> m.ConstructedPlayed:
    left = ({"life": life}, {"life": 0}) if life else ({}, {})
    rivals = (m.Opponent("Ben", called="Tide Line", final=left[1]), m.Opponent("Cy"))
    match = m.ConstructedPlayed("Ana", 1, rivals, result, turns, final=left[0], score=score)
    archive.mark(deck, archive.find_deck(deck).length, [match])
    return match


def rebuild(archive: Archive, deck: str, text: str) -> None:
    row = archive.find_deck(deck)
    built = keeping(registry.game(row.game)).rebuild_record(archive.marks(deck), text, "too slow", "Ana")
    archive.mark(deck, row.length, [built.mark])


def printable(run: tuple[Label, ...], stock: Stock) -> list[Label]:
    """Those of a run that a stock has room for. The others are refused by name, and only where labels are tiny."""
    refusals = {label: _refusal(label, stock) for label in dict.fromkeys(run)}
    refused = {label: refusal for label, refusal in refusals.items() if refusal}
    assert stock.name in SMALL or not refused
    assert all(label.title in reason and "choose a larger stock" in reason for label, reason in refused.items())
    return [label for label, refusal in refusals.items() if not refusal]


def _refusal(label: Label, stock: Stock) -> str:
    try:
        pdf.render_sheets([{1: label}], stock, pdf.Setup("x"))
    except LabelError as error:
        return str(error)
    return ""


# Starter sheets


@pytest.mark.parametrize("game", GAMES)
def test_a_starter_sheet_is_one_sheet_with_its_ink_within_labels(game: str) -> None:
    run = sheet.place_labels(wording.starter_labels(registry.game(game)), STOCK)
    assert len(run) == 1
    document = pdf.render_sheets(run, STOCK, pdf.Setup("Starter"))
    assert strays(Paper(document, 600), STOCK, 1.5 * MM) is None
    assert smallest(document) >= LEAST


@pytest.mark.sample(4)
@pytest.mark.parametrize("stock", ALL)
@pytest.mark.parametrize("game", GAMES)
def test_reminders_and_strips_fit_each_stock_or_are_refused(game: str, stock: Stock) -> None:
    run = printable(wording.starter_labels(registry.game(game)), stock)
    for number, laid in enumerate(sheet.place_labels(run, stock)):
        document = pdf.render_sheets([laid], stock, pdf.Setup("x"))
        assert strays(Paper(document, 200), stock, SAFE_MARGIN) is None
        assert stock.name in SMALL or smallest(document) >= LEAST, number


@pytest.mark.slow
@pytest.mark.parametrize(("game", "keywords"), [("soulforger", SOULFORGER_KEYWORDS), ("solforge", SOLFORGE_KEYWORDS)])
def test_every_keyword_has_its_reminder(game: str, keywords: dict[str, object]) -> None:
    assert {name for kind, name in wording.load_wording(registry.game(game)).texts if kind == "keyword"} == set(
        keywords
    )


@pytest.mark.slow
def test_every_phase_of_a_turn_has_its_reminder() -> None:
    texts = wording.load_wording(registry.game("oddfrontier")).texts
    phases = [name for kind, name in texts if kind == "phase"]
    assert phases == ["1-reset", "2-pre-combat", "3-combat", "4-post-combat"]


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_a_reminder_has_twelve_words_at_most_at_seven_points(text: LabelText) -> None:
    assert 3 <= len(str(text.text).split()) <= 12
    assert fit(str(text.text), str(text.title), 98, 27, 7.5).size >= 7


@pytest.mark.slow
def test_strips_count_what_the_rules_count() -> None:
    strips = {
        (game, label.title): label.runs
        for game in GAMES
        for label in wording.starter_labels(registry.game(game))
        if isinstance(label, StripLabel)
    }
    assert strips["soulforger", "Damage"][0][1].split()[-2:] == ["29", "30*"]
    assert {title for game, title in strips if game == "soulforger"} == {"Damage", "Level", "XP"}
    assert strips["solforge", "Rank tracker"][1] == ("TURN", "1 2 3 4*")
    tens, ones = strips["oddfrontier", "Life"]
    assert 10 * int(tens[1].split()[-1]) + int(ones[1].split()[-1]) >= STARTING_LIFE


# Labels of cards


@pytest.mark.slow
def test_a_level_sticker_says_level_figures_and_keywords(archive: Archive) -> None:
    labels = card_labels(archive.record(_create_deck(archive, "solforge")))
    wolf = [label for label in labels if label.title == "Ash Wolf"]
    assert all(isinstance(label, FiguresLabel) for label in wolf)
    document = pdf.render_sheets(sheet.place_labels(wolf, STOCK), STOCK, pdf.Setup("x"))
    texts = [text_in(document, STOCK.box(position)) for position in range(1, len(wolf) + 1)]
    assert len(texts) == 9
    assert ["LEVEL 1" in text and "4/5" in text for text in texts] == [True] * 3 + [False] * 6
    assert ["LEVEL 2" in text and "7/8" in text and "Armor 1" in text for text in texts[3:6]] == [True] * 3
    assert ["11/12" in text and "Armor 2, Mobility 1" in text for text in texts[6:]] == [True] * 3


@pytest.mark.slow
def test_a_spell_and_an_engine_without_details_have_no_label(archive: Archive) -> None:
    assert "Ember Storm" not in {
        label.title for label in card_labels(archive.record(_create_deck(archive, "solforge", "One")))
    }
    assert "Steam Works" not in {
        label.title for label in card_labels(archive.record(_create_deck(archive, "oddfrontier", "Two")))
    }


@pytest.mark.slow
def test_a_level_with_no_keyword_is_printed_as_it_was_written(archive: Archive) -> None:
    text = "solforge main\n1 Odd One | creature | tempys | 1/2 has shiny=2\n"
    deck = archive.found_deck(
        "solforge",
        registry.game("solforge")
        .decks.founding.validate_answers(  # type: ignore[union-attr]
            {"name": "Odd", "holder": "Ana", "list": text}, FormContext()
        )
        .marks,
    )
    (label,) = card_labels(archive.record(deck))
    assert isinstance(label, FiguresLabel)
    assert label.effect == "shiny 2"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "card", "says"),
    [
        ("soulforger", "Ash Wolf", ("RONUM 1", "POWER 2/1", "ENDURANCE 3", "Flight, XP 1", "Creature")),
        ("soulforger", "Ember", ("RONUM 0", "Instinct", "Action")),
        ("soulforger", "Long Bow", ("RONUM 1", "POWER 4/2", "2 hands", "Weapon")),
        ("soulforger", "Rusty Blade", ("POWER 3/1", "1 hand", "Weapon")),
        ("oddfrontier", "Ash Wolf", ("COST 0", "2/3", "First Assault", "Wolf Creature")),
        ("oddfrontier", "Night Market", ("COST 1", "Phenomenon")),
    ],
)
def test_a_cards_label_says_what_its_line_tells(archive: Archive, game: str, card: str, says: tuple[str, ...]) -> None:
    labels = card_labels(archive.record(_create_deck(archive, game)))
    label = next(label for label in labels if label.title == card)
    text = text_in(pdf.render_sheets([{1: label}], STOCK, pdf.Setup("x")), STOCK.box(1))
    assert [part for part in says if part not in text] == []


@pytest.mark.slow
def test_there_is_a_label_for_every_copy(archive: Archive) -> None:
    labels = card_labels(archive.record(_create_deck(archive, "soulforger")))
    assert sum(label.title == "Ash Wolf" for label in labels) == 4
    assert sum(label.title == "Long Bow" for label in labels) == 2


@pytest.mark.sample(4)
@pytest.mark.parametrize("stock", ALL)
@pytest.mark.parametrize("game", GAMES)
def test_labels_of_cards_fit_every_stock_or_are_refused_by_name(archive: Archive, game: str, stock: Stock) -> None:
    run = printable(card_labels(archive.record(_create_deck(archive, game))), stock)
    for laid in sheet.place_labels(run, stock):
        document = pdf.render_sheets([laid], stock, pdf.Setup("x"))
        assert strays(Paper(document, 200), stock, SAFE_MARGIN) is None
        assert stock.name in SMALL or smallest(document) >= LEAST


@pytest.mark.slow
def test_levels_are_told_apart_in_black_and_white(archive: Archive) -> None:
    """The figure in the stripe tells the level, whatever becomes of its colour."""
    labels = dict.fromkeys(card_labels(archive.record(_create_deck(archive, "solforge"))))
    stripes = set()
    for label in [label for label in labels if label.title == "Ash Wolf"]:
        die = STOCK.box(1)
        paper = Paper(pdf.render_sheets([{1: label}], STOCK, pdf.Setup("x")), 300)
        stripe = die.inset(SAFE_MARGIN).cut_left(10)[0]
        stripes.add(paper.part(stripe).point(lambda grey: 255 if grey > 200 else 0).tobytes())
    assert len(stripes) == 3


@pytest.mark.slow
def test_only_what_came_with_the_last_list_is_new(archive: Archive) -> None:
    """More copies, new cards, and whatever is told otherwise of those that stay; not what went or is as it was."""
    deck = _create_deck(archive, "solforge")
    assert new_card_labels(archive.record(deck), archive.marks(deck)) == ()
    text = LISTS["solforge"].replace("level 2 7/8", "level 2 8/8").replace("3 Cinder Imp", "2 Cinder Imp")
    text = text.replace("3 Bog Heron | creature | uterra | 3/3", "2 Bog Heron | creature | uterra | 4/4")
    rebuild(archive, deck, f"{text}1 New Moth | creature | uterra | 2/2\n".replace("3 Dune Runner", "4 Dune Runner"))
    labels = new_card_labels(archive.record(deck), archive.marks(deck))
    titles = [*["Ash Wolf"] * 9, *["Bog Heron"] * 2, "Dune Runner", "New Moth"]
    assert [label.title for label in labels] == titles


# Boxes


@pytest.mark.slow
@pytest.mark.parametrize("stock", [stock for stock in SHEETS if stock.name not in SMALL], ids=lambda s: s.name)
def test_a_box_says_version_and_matches_and_its_code_is_read(archive: Archive, stock: Stock) -> None:
    deck = _create_deck(archive, "soulforger", "The Everlasting Court")
    archive.mark(deck, archive.find_deck(deck).length, [m.ConstructedPlayed("Ana", 1, (), "won")] * 23)
    _play(archive, deck, "lost")
    (label,) = box_labels([archive.find_deck(deck)])
    document = pdf.render_sheets([{1: label}], stock, pdf.Setup("Boxes"))
    assert "v1 · 23 won · 1 lost" in text_in(document, stock.box(1))
    assert smallest(document) >= LEAST
    for dpi in (150, 300, 600):
        assert Paper(document, dpi).codes(stock.box(1)) == [deck_id.payload(deck)]


@pytest.mark.slow
def test_a_retired_deck_says_so_on_its_box(archive: Archive) -> None:
    deck = _create_deck(archive, "solforge")
    archive.mark(deck, archive.find_deck(deck).length, [m.ConstructedRetired("Ana")])
    assert box_labels([archive.find_deck(deck)])[0].notes == ("v1 · retired",)


@pytest.mark.slow
@pytest.mark.parametrize(("result", "due"), [("won", 1), ("lost", 1), ("draw", 0)])
def test_a_match_outdates_the_box_where_its_figures_change(archive: Archive, result: Result, due: int) -> None:
    deck = _create_deck(archive, "oddfrontier")
    (labels,) = due_labels(archive, {deck: (_play(archive, deck, result),)})
    assert labels.cards == ()
    assert len(labels.box) == due


@pytest.mark.slow
def test_a_box_is_brought_up_to_date_by_its_whole_label(archive: Archive) -> None:
    deck = _create_deck(archive, "oddfrontier")
    _play(archive, deck, "won")
    label = count_label(archive.find_deck(deck))
    assert isinstance(label, BoxLabel)
    assert label.notes == ("v1 · 1 won · 0 lost",)


# Pages


def _sheet(archive: Archive, deck: str) -> page.Document:
    dates = {entry.number: entry.at for entry in archive.story(deck)}
    return jobs.record_document(deck, archive.record(deck), archive.marks(deck), dates)


def _text(document: page.Document, size: str) -> str:
    with pypdfium2.PdfDocument(page.render_document(document, page.paper(size))) as opened:
        return " ".join(" ".join(each.get_textpage().get_text_range().split()) for each in opened)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_record_sheet_has_list_versions_and_matches(archive: Archive, game: str) -> None:
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    deck = _create_deck(archive, game)
    _play(archive, deck, "won", turns=9, life=12, score=m.GamesWon(3, 2, 1, 1))
    rebuild(archive, deck, LISTS[game].replace("4 Cinder Imp", "2 Cinder Imp").replace("3 Cinder Imp", "2 Cinder Imp"))
    document = _sheet(archive, deck)
    assert document.subtitle == f"{registry.game(game).title} deck, built {today} by Ana · held by Ana"
    assert document.facts == (("version", "2"), ("won", "1"), ("lost", "0"), ("drawn", "0"))
    *parts, versions, matches = document.tables
    assert [table.title.partition(":")[0].lower() for table in parts] == list(
        dict.fromkeys(line.split()[1] for line in LISTS[game].splitlines() if line.startswith(f"{game} "))
    )
    assert parts[0].rows[0][1] == "Ash Wolf"
    first, second = versions.rows
    assert first[:2] == ("1", today)
    assert second[3] in {"−2 Cinder Imp (too slow, by Ana)", "−1 Cinder Imp (too slow, by Ana)"}
    assert matches.rows == (
        ("1", today, "1", "Ana", "Ben (Tide Line) and Cy", "won", "9", "life 12, Ben life 0; game 2, best of 3: 1–1"),
    )
    assert matches.blanks


@pytest.mark.slow
@pytest.mark.parametrize("size", ["letter", "a4"])
@pytest.mark.parametrize("game", GAMES)
def test_a_record_sheet_is_printed_with_every_card(archive: Archive, game: str, size: str) -> None:
    document = _sheet(archive, _create_deck(archive, game))
    text = _text(document, size)
    assert [row[1] for table in document.tables[:-2] for row in table.rows if row[1] not in text] == []


@pytest.mark.slow
def test_a_retired_deck_that_came_with_its_passport_says_both(archive: Archive) -> None:
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    kept, brought = keeping(registry.game("soulforger")), m.Built("Far Pack", "Ben", (DeckCard("main", 4, "Ember"),))
    packed = msgspec.to_builtins(next(iter(kept.pack_record([brought]))))
    there = archive.found_deck("soulforger", kept.unpack_record(packed, "abc", 7, "Ana"))
    archive.mark(there, archive.find_deck(there).length, [m.ConstructedRetired("Ana")])
    assert _sheet(archive, there).subtitle == f"Soul-Forger deck, here since {today} · retired"


@pytest.mark.slow
def test_a_correction_takes_a_match_from_the_sheet(archive: Archive) -> None:
    deck = _create_deck(archive, "solforge")
    _play(archive, deck, "lost")
    archive.mark(deck, archive.find_deck(deck).length, [m.ConstructedCorrected(2, "was no match", "Ana")])
    assert _sheet(archive, deck).tables[-1].rows == ()


@pytest.mark.slow
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
    text = _text(aid_document(registry.game(game)), size)
    assert " 1 of " not in text
    assert [part for part in parts if part not in text] == []
