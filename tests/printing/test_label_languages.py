"""Labels in the language of the run, or of their deck's owner, and read again in any of them."""

from collections.abc import Iterator

import pypdfium2
import pytest

from companion.archive import Archive, ArchiveError, DeckRow, fast_read
from companion.archive.people import forgetting, languages, people
from companion.archive.people.languages import find_deck_languages, set_language
from companion.printing import jobs, label_audit
from companion.printing.jobs import Job
from companion.printing.label_languages import find_languages
from companion.printing.order import OrderError, PrintOrder, prepare
from companion.scan.label_search import find_labels
from labels.designs import BoxLabel
from labels.output import page, pdf, proof
from labels.output.pdf import Setup
from labels.paper import sheet, stocks
from templates.languages.catalogues import load_language
from templates.languages.messages import ENGLISH, Language, speaking
from templates.languages.pseudo import PSEUDO
from tests.languages.samples import MASKED
from tests.printing.evenings import create_deck, play

STOCK = stocks.find("18294")
GERMAN = load_language("de")


def read_document(document: bytes) -> str:
    """What a PDF says, in one line."""
    with pypdfium2.PdfDocument(document) as opened:
        return " ".join(" ".join(each.get_textpage().get_text_range().split()) for each in opened)


def titles(job: Job) -> set[str]:
    """The titles of a job's labels."""
    return {sheet.label_title(label) for label in job.labels}


def draw_labels(job: Job) -> bytes:
    """The PDF of a job's labels."""
    return pdf.render_sheets(sheet.place_labels(job.labels, STOCK), STOCK, Setup(job.heading, language=job.language))


@pytest.fixture
def deck(archive: Archive) -> DeckRow:
    """A band of Ana's, who speaks German."""
    row = archive.find_deck(create_deck(archive))
    set_language(archive, row.holder, "de")
    return archive.find_deck(row.deck)


def test_labels_are_in_the_language_of_the_decks_owner(archive: Archive, deck: DeckRow) -> None:
    job = jobs.cards_job(archive, [deck])
    assert "Scharf (10♦)" in titles(job)
    assert (job.language, job.heading) == ("de", "Etiketten von Decks")
    assert str(job.title) == "Labels of decks"


def test_the_language_of_the_run_comes_first(archive: Archive, deck: DeckRow) -> None:
    assert "Sharp (10♦)" in titles(jobs.cards_job(archive, [deck], ENGLISH))
    assert "⟦Sharp~~⟧ (10♦)" in titles(jobs.cards_job(archive, [deck], PSEUDO))


def test_without_an_owners_language_it_is_the_programs(archive: Archive) -> None:
    row = archive.find_deck(create_deck(archive))
    with speaking(GERMAN):
        assert "Scharf (10♦)" in titles(jobs.cards_job(archive, [row]))
    assert "Sharp (10♦)" in titles(jobs.cards_job(archive, [row]))


def test_each_deck_of_a_run_has_the_language_of_its_owner(archive: Archive, deck: DeckRow) -> None:
    other = archive.find_deck(create_deck(archive, "Salt and Iron"))
    job = jobs.boxes_job([deck, other], languages=find_languages(archive, [deck, other]))
    first, second = (label.notes[0] for label in job.labels if isinstance(label, BoxLabel))
    assert (first.split()[0], second.split()[0]) == ("Ruhm", "Glory")
    assert [each.code for each in job.spoken] == ["de", "en"]


def test_record_sheet_and_labels_due_agree(archive: Archive) -> None:
    session = play(archive)
    for person in ("Ana", "Ben", "Cy"):
        set_language(archive, person, "de")
    job = jobs.session_job(archive, session)
    assert job.language == "de"
    row = next(row for row in archive.decks() if row.name == "Grave Choir")
    document = jobs.record_job(archive, row).document
    assert document is not None
    assert "gegründet" in document.subtitle
    text = read_document(page.render_document(document, page.paper("a4")))
    assert "Gegründet" in text or "gegründet" in text


@pytest.mark.parametrize("language", [ENGLISH, GERMAN, MASKED], ids=lambda each: each.code)
def test_photographs_are_audited_in_any_language(archive: Archive, deck: DeckRow, language: Language) -> None:
    job = jobs.cards_job(archive, [deck], language, with_codes=True)
    picture = proof.page_as_picture(draw_labels(job), 1, 300).convert("L")
    numbers = [each.number for each in find_labels(picture)]
    assert len(numbers) == len(job.labels)
    for reader in (ENGLISH, GERMAN):
        with speaking(reader):
            audit = label_audit.audit_deck(archive, deck, [numbers])
            assert (len(audit.of("here")), audit.missing, audit.refusal) == (len(numbers), (), "")


def test_box_labels_are_scanned_in_any_language(archive: Archive, deck: DeckRow) -> None:
    from tests.labels.paper import Paper

    paper = Paper(draw_labels(jobs.boxes_job([deck], languages=find_languages(archive, [deck]))), 300)
    (code,) = paper.codes(STOCK.box(1))
    assert archive.find_deck(code).deck == deck.deck


def test_a_language_is_set_and_forgotten(archive: Archive, deck: DeckRow) -> None:
    person = people.find_record(archive, deck.holder).person
    assert people.find_record(archive, person).language == "de"
    assert set_language(archive, person, "Deutsch").language == "de"
    assert set_language(archive, person, "").language == ""
    assert find_deck_languages(archive, [deck]) == {}
    with pytest.raises(ArchiveError, match="no language “Klingon”; choose en, de"):
        set_language(archive, person, "Klingon")


def test_merged_people_have_the_language_of_whom_they_are(archive: Archive, deck: DeckRow) -> None:
    other = people.add_person(archive, "Annie").person
    languages.set_language(archive, other, "fr")
    people.merge_people(archive, deck.holder, other)
    assert find_deck_languages(archive, [archive.find_deck(deck.deck)]) == {deck.deck: "fr"}


def test_a_forgotten_person_has_no_language(archive: Archive, deck: DeckRow) -> None:
    assert fast_read.has_languages(archive.name)
    forgetting.forget_person(archive, deck.holder)
    assert not fast_read.has_languages(archive.name)


def test_a_language_that_is_gone_does_not_count(archive: Archive, deck: DeckRow) -> None:
    other = people.find_record(archive, deck.holder).person
    with archive.store.writing() as transaction:
        transaction.connection.exec_driver_sql("UPDATE people SET language = 'xx' WHERE person = ?", (other,))
    assert "Sharp (10♦)" in titles(jobs.cards_job(archive, [deck]))


def test_the_form_shows_the_language_and_takes_another(archive: Archive, deck: DeckRow) -> None:
    order = PrintOrder("deck", deck.name)
    assert str(prepare(archive, order).beside["language"]) == "Deutsch"
    french = prepare(archive, PrintOrder("deck", deck.name, language="fr"))
    assert str(french.beside["language"]) == "Français"
    assert "Effilé" in read_document(french.draw()) or "Tranchant" in read_document(french.draw())
    with pytest.raises(OrderError) as refusal:
        prepare(archive, PrintOrder("deck", deck.name, language="Klingon"))
    assert refusal.value.field == "language"


def test_a_starter_sheet_is_in_the_language_of_the_form(archive: Archive) -> None:
    ready = prepare(archive, PrintOrder("starter", "decknforge", language="de"))
    assert "Rasch" in read_document(ready.draw())


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """The program speaks English here."""
    with speaking(ENGLISH):
        yield
