"""The German documents keep step with the English ones, and quote the program as it speaks German."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from templates.languages.catalogues import read_po
from tests.docs import documents
from tests.docs.documents import DOCS, Block

PAIRS = [
    pytest.param(DOCS / english, DOCS / "de" / german, id=german)
    for english, german in (("first-evening.md", "erster-abend.md"), ("phones.md", "handys.md"))
]
GERMAN = sorted((DOCS / "de").glob("*.md"))
OF_BROWSERS = {"Zum Startbildschirm hinzufügen"}
"""What is quoted and not said by the program."""

_SHAPES = (
    (re.compile(r"(#+) "), "heading {}"),
    (re.compile(r"!\[[^\]]*\]\((?:\.\./)?pictures/([\w-]+?)(?:-de)?\.\w+\)"), "picture {}"),
    (re.compile(r"(\d+)\. "), "step {}"),
    (re.compile(r"(-) "), "item {}"),
    (re.compile(r"(\|)-*\|"), "table {}"),
    (re.compile(r"(\|)"), "row {}"),
)
_QUOTED = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)|„([^“]+)“")
_CODE = re.compile(r"`([^`\n]+)`")
_COMMENT = re.compile(r"\s+#.*")
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_FIELD = re.compile(r"\\\{\w+\\\}")


def shape(document: Path) -> list[str]:
    """What the lines of a document begin, in their order: headings, pictures, steps, items and rows of tables."""
    parts = []
    for line in documents.prose(document).splitlines():
        matches = ((begins.match(line), what) for begins, what in _SHAPES)
        parts += [what.format(match[1]) for match, what in matches if match][:1]
    return parts


def plain_blocks(document: Path) -> list[Block]:
    """Its blocks without comments, which are in the language of the document."""
    return [
        block._replace(text=re.sub(r"\s+#.*", "", block.text, flags=re.MULTILINE))
        for block in documents.blocks(document)
    ]


def sections(document: Path) -> list[Counter[str]]:
    """What stands between backticks in each section."""
    return [
        Counter(_CODE.findall(text)) for text in re.split(r"^#+ .*$", documents.prose(document), flags=re.MULTILINE)
    ]


def said_in_german() -> Iterator[str]:
    """All that the program says in German."""
    catalogue = read_po((documents.ROOT / "templates/languages/de.po").read_text(encoding="utf-8"))
    for entry in catalogue.entries:
        yield from entry.texts


@pytest.mark.parametrize(("english", "german"), PAIRS)
def test_a_german_document_has_the_parts_of_the_english_one(english: Path, german: Path) -> None:
    assert shape(german) == shape(english)
    assert plain_blocks(german) == plain_blocks(english)


@pytest.mark.parametrize(("english", "german"), PAIRS)
def test_a_german_section_names_the_keys_and_lines_of_its_model(english: Path, german: Path) -> None:
    # The place of the evening is a name, and how to get German is said in German alone.
    model, own = sections(english), sections(german)
    beside = {"--language de", "venue Bens Küche", "venue Ben's kitchen", "F12"}
    assert len(own) == len(model)
    for number, (wanted, there) in enumerate(zip(model, own, strict=True)):
        differ = (set(wanted) ^ set(there)) - beside
        assert not differ, (number, differ)


@pytest.mark.parametrize(("english", "german"), PAIRS)
def test_a_document_and_its_translation_name_each_other(english: Path, german: Path) -> None:
    assert f"[Deutsch](de/{german.name})" in english.read_text(encoding="utf-8")
    assert f"[English](../{english.name})" in german.read_text(encoding="utf-8")


@pytest.mark.parametrize(("english", "german"), PAIRS)
def test_a_german_document_leads_where_the_english_one_does(english: Path, german: Path) -> None:
    links = re.compile(r"\]\((?:\.\./)?([a-z-]+\.md#?[\w-]*)\)")
    ours = {"de/erster-abend.md", "de/handys.md", english.name}
    wanted, there = (set(links.findall(path.read_text(encoding="utf-8"))) - ours for path in (english, german))
    assert there == wanted


@pytest.mark.parametrize("document", GERMAN, ids=lambda path: str(path.name))
def test_a_link_within_a_german_document_leads_to_a_heading(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert not set(re.findall(r"\]\(#([^)]*)\)", text)) - anchors


@pytest.mark.parametrize("document", GERMAN, ids=lambda path: str(path.name))
def test_what_a_german_document_quotes_is_what_the_program_says(document: Path) -> None:
    quoted = {first or second for first, second in _QUOTED.findall(document.read_text(encoding="utf-8"))} - OF_BROWSERS
    texts = set(said_in_german())
    # A title with a name behind it may be quoted without the name.
    templates = [re.compile(_FIELD.sub(".+", re.escape(text))) for text in texts if "{" in text and len(text) < 50]
    beginnings = {text.partition("{")[0].rstrip(" :") for text in texts}
    assert quoted
    unknown = {text for text in quoted if text not in texts | beginnings}
    assert not {text for text in unknown if not any(each.fullmatch(text) for each in templates)}
