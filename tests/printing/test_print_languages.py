"""Everything that is printed speaks another language: no word of its own stays English, and nothing is cut.

The language crosses out the words of all messages and makes them 40 % longer, so that names alone can be read.
"""

import re
from collections.abc import Iterator

import pypdfium2
import pytest

from companion.archive import Archive
from companion.archive.storage.entries import LeagueResult
from companion.games import registry
from companion.league import season, sheet
from companion.printing import chronicle_pages, evening_page, jobs, label_audit, wording
from companion.printing import run as press
from companion.printing.jobs import Job
from companion.rehearsal.design import Comparison, OneSetting
from companion.rehearsal.play import rehearsal_of
from companion.rehearsal.report import as_text, make_report
from companion.rehearsal.report_pages import make_document
from companion.rehearsal.run import play_batch
from companion.session.core import archive_journal
from companion.session.reports import evening_cards, report, report_pages
from companion.session.reports.chronicles import tell_chronicle
from companion.statistics import display
from companion.statistics.tables import compute_statistics
from companion.tabletop.constructed import record as m
from companion.tabletop.decks.form import FormContext
from companion.tabletop.rehearsal import RehearsalSetting
from labels.output import page, testpage
from labels.output.pdf import Setup
from labels.paper import stocks
from labels.paper.calibration import IDENTITY
from templates.languages.messages import speaking
from tests.campaign import campaign
from tests.games.constructed.decks import LISTS
from tests.languages.samples import MASKED, readable_words
from tests.printing.evenings import _template
from tests.session.campaign import play_campaign

GAMES = ("decknforge", *LISTS)
"""The games that are programs: those of pages bring translations of their own."""
A4 = page.paper("a4")
ID = re.compile(r"\b[0-9A-Z]{4}(-[0-9A-Z]{1,4})+\b")
_BANDS = (campaign.HERE / "bands.toml", campaign.HERE / "lantern-debt.toml")


def _names() -> set[str]:
    """The words of names: of people, bands, monsters, cards, games and places, as messages and lists have them."""
    texts = [
        "Ana Ben Cy Dora Eve Tide Line BJ RJ Winter The first road kitchen ana ben cy Ana’s",
        _template("decks.toml"),
    ]
    for file in _BANDS:
        texts += re.findall(r'name = "([^"]*)"', file.read_text("utf-8"))
    texts += [line.partition("|")[0] for text in LISTS.values() for line in text.splitlines()]
    texts += [str(registry.title(game)) for game in GAMES]
    texts += [game.name for game in registry.all_printable() if game.name in GAMES]
    return set(re.findall(r"[^\W\d_]{2,}", " ".join(texts)))


NAMES = {word for name in _names() for word in (name, name.upper())}
NOTATION = set(re.findall(r"[^\W\d_]{2,}", " ".join(LISTS.values())))
"""The words of deck lists, which are printed on record sheets as they are typed."""


@pytest.fixture(autouse=True)
def mask_language() -> Iterator[None]:
    with speaking(MASKED):
        yield


def read(document: bytes) -> str:
    """What a PDF says, in one line."""
    with pypdfium2.PdfDocument(document) as opened:
        pages = [" ".join(each.get_textpage().get_text_range().replace("\ufffe", "").split()) for each in opened]
    return " ".join(pages)


def check(text: str, names: set[str] = NAMES) -> None:
    """Nothing of a text is English but names, and every message is whole."""
    assert readable_words(ID.sub("", text)) - names == set()
    assert text.count("‹") == text.count("›")
    assert "‹" in text


def print_words(job: Job, stock: str | None = None) -> str:
    """The words of all labels of a job, none of which is left out."""
    chosen = press.find_stock(stock)
    kept = jobs.drop_refused(job, chosen)
    assert [str(reason) for reason in kept.left_out] == []
    return read(press.impose(kept.labels, chosen, Setup(job.heading, job.credit, language=job.language)).document())


def _create_deck(archive: Archive, game: str) -> str:
    form = registry.game(game).decks.founding
    assert form is not None
    answers = {"name": f"{game.capitalize()} Pack", "holder": "Ana", "list": LISTS[game]}
    NAMES.update((game.capitalize(), "Pack", game.upper(), "PACK"))
    deck = archive.found_deck(game, form.validate_answers(answers, FormContext()).marks)
    rivals = (m.Opponent("Ben", called="Tide Line", final={"life": 0}), m.Opponent("Cy"))
    archive.mark(
        deck, archive.find_deck(deck).length, [m.ConstructedPlayed("Ana", 1, rivals, "won", 9, final={"life": 3})]
    )
    return deck


@pytest.fixture(scope="module")
def bands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Two evenings with four bands, and a deck of each other game with a match."""
    with Archive.open(str(tmp_path_factory.mktemp("printed") / "archive.sqlite"), by="tests") as archive:
        play_campaign(archive, 2)
        for game in LISTS:
            _create_deck(archive, game)
        yield archive


@pytest.mark.parametrize("game", GAMES)
def test_starter_sheets_and_aids(game: str) -> None:
    printable = registry.printable(game)
    if wording.starter_labels(printable):
        check(print_words(jobs.starter_job(printable, with_codes=True)))
    check(read(page.render_document(jobs.aid_document(printable), A4)))


@pytest.mark.parametrize("stock", ["18294", "L7160", "5160", "L7651"])
def test_labels_of_cards_on_other_stocks(bands: Archive, stock: str) -> None:
    for row in bands.decks():
        job = jobs.cards_job(bands, [row], with_codes=True)
        if job.labels:
            check(print_words(job, stock) + "‹›")


def test_boxes_and_what_updates_them(bands: Archive) -> None:
    rows = bands.decks()
    for job in (jobs.all_boxes_job(rows), jobs.all_boxes_job(rows, count=True)):
        check(print_words(job, "L7160"))


def test_record_sheets_but_for_lists_as_typed(bands: Archive) -> None:
    for row in bands.decks():
        document = jobs.record_job(bands, row).document
        assert document is not None
        check(read(page.render_document(document, A4)), NAMES | NOTATION)


def test_labels_of_an_evening_and_where_they_go(bands: Archive) -> None:
    job = jobs.session_job(bands, next(row.session for row in bands.sessions() if row.sealed))
    check(print_words(job))
    check(" ".join(map(str, job.notices)))


@pytest.mark.parametrize("kind", ["pdf", "md"])
def test_evening_cards(bands: Archive, kind: str) -> None:
    row = next(row for row in bands.sessions() if row.sealed)
    card = evening_cards.present_stored(bands, row).card
    written = evening_page.write_card(card, kind)
    check(read(written) if kind == "pdf" else written.decode())


def test_reports_of_a_session(bands: Archive) -> None:
    row = next(row for row in bands.sessions() if row.sealed)
    session = archive_journal.resume(bands, row.session)
    names = NAMES | {*re.findall("[A-Z]{2,}", row.session)} | {"rule", "pressure", "comeback", "yes"}
    check(report.report(session), names)
    charts = report_pages.session_charts(session)
    check(read(page.render_document(report_pages.make_document(session, charts), A4)), names)


def test_a_chronicle(bands: Archive) -> None:
    chronicle = tell_chronicle(bands, bands.decks(), "The first road")
    check(read(chronicle_pages.draw_chronicle(chronicle)), NAMES | {"club", "tempys", "uterra", "Tempys", "Uterra"})


def test_statistics(bands: Archive) -> None:
    statistics = compute_statistics(bands)
    texts = [display.headline(statistics), *(column.title for column in display.columns_of(statistics))]
    for title, lines in display.extras(statistics):
        texts += [title, *lines]
    check(" ".join(map(str, texts)), NAMES | {"Nov"})


def test_sheets_of_a_league(bands: Archive) -> None:
    for form in ("swiss", "round-robin", "ladder"):
        played = season.create(bands, f"Winter {form}", ["Ana", "Ben", "Cy"], season.LeagueSettings(form=form, seed=2))
        played = season.draw_next(bands, played, 1)
        for match in played.league.round(1):
            if not match.is_bye:
                played = season.enter(bands, played, season.MatchOutcome(match.people, LeagueResult((1, 2))), number=1)
        names = NAMES | {"OMW", "GW", "OGW", "SB", "HH", "Sonneborn", "Berger", "swiss", "round", "robin", "ladder"}
        for document in (sheet.standings_sheet(played, A4), sheet.pairings_sheet(played, 1, A4)):
            check(read(document), names)


@pytest.mark.parametrize("compares", [False, True], ids=["one", "two"])
def test_rehearsals(*, compares: bool) -> None:
    rehearsal = rehearsal_of("decknforge")
    setting = RehearsalSetting("decknforge", 2, temperaments=("greedy",))
    other = (
        RehearsalSetting("decknforge", 2, rules=(("pressure", "3"),), temperaments=("greedy",)) if compares else None
    )
    sums = play_batch(Comparison(setting, other) if other else OneSetting(setting), 4, 0, 6)
    whole = make_report((*rehearsal.figures, *rehearsal.tables), setting, other, 4, sums)
    names = NAMES | {"greedy", "inf", "pressure"}
    check("\n".join(as_text(whole)), names)
    check(read(page.render_document(make_document(whole, rehearsal.temperaments), A4)), names)


def test_an_audit_of_labels(bands: Archive) -> None:
    row = next(row for row in bands.decks() if row.game == "decknforge")
    numbers = [text.code for text in jobs.deck_labels(bands, row.deck).borne()]
    audit = label_audit.audit_deck(bands, row, [numbers[1:], [*numbers[2:], "950000"]])
    texts = [audit.summary, *(each.text for each in audit.seen), *(each.text for each in audit.proposals)]
    texts += [each.text for each in audit.questions]
    texts += [part for text in audit.missing for part in (text.title, text.card)]
    check(" ".join(map(str, texts)))


def test_a_test_page_and_blank_labels() -> None:
    stock = stocks.find("18294")
    names = NAMES | {"companion", "labels", "calibrate", "Avery", "small", "return", "address", "in", "mm"}
    check(read(testpage.render_test_page(stock, IDENTITY)), names)
