"""What follows from the program is in the documents: every command, every key, every line, every house rule."""

from pathlib import Path

import pytest

from companion.games import registry
from tests.docs import generate
from tests.docs.documents import DOCS, all_documents

WHOLE = "\n".join(path.read_text(encoding="utf-8") for path in all_documents())
GAMES = list(registry.GAMES)


def lacking(name: str) -> list[str]:
    """The first cells of a part's rows that stand in no document."""
    _, *rows = generate.part(name)
    assert rows, f"there is no row of {name}"
    return [row[0] for row in rows if row[0].replace("|", "\\|") not in WHOLE]


@pytest.mark.parametrize("name", ["commands", "keys", "lines"])
def test_every_command_key_and_common_line_is_documented(name: str) -> None:
    assert not lacking(name), "make docs writes them"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("what", ["lines", "rules"])
def test_every_line_and_house_rule_of_a_game_is_documented(what: str, game: str) -> None:
    assert not lacking(f"{what} {game}"), "make docs writes them"


@pytest.mark.sample(6)
@pytest.mark.parametrize("document", sorted(DOCS.glob("*.md")), ids=lambda path: str(path.name))
def test_the_parts_that_follow_from_the_program_are_as_it_is(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    written, now = (set(each.splitlines()) for each in (text, generate.regenerate(text)))
    assert (now - written, written - now) == (set(), set()), "make docs writes them anew"


@pytest.mark.parametrize("name", [*generate.page_tables("page"), *generate.page_tables("homebrew")])
def test_every_key_of_a_page_and_of_a_homebrew_is_documented(name: str) -> None:
    assert name in generate.parts(WHOLE)


def test_a_command_that_is_nowhere_would_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.docs.test_generate.WHOLE", WHOLE.replace("`companion deck tag", "`companion deck"))
    assert lacking("commands") == ["`companion deck tag DECK [TAG]...`"]
