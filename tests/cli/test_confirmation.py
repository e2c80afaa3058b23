"""Questions that commands ask on a terminal: yes and no in the reader's own letters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner, Result

from companion.cli.confirmation import confirm
from templates.languages import catalogues
from templates.languages.messages import ENGLISH, Language, phrase, speaking
from templates.languages.pseudo import PSEUDO
from tests.test_house_rules import ROOT


def ask(language: str, typed: str) -> Result:
    """Ask a question and type some lines; the exit code is 1 for yes and 0 for no."""

    @click.command()
    def command() -> None:
        if confirm(phrase("Take it in?")):
            raise click.exceptions.Exit(1)

    spoken = PSEUDO if language == "pseudo" else catalogues.find_language(language) or ENGLISH
    with speaking(spoken):
        return CliRunner().invoke(command, input=f"{typed}\n")


@pytest.mark.parametrize(
    ("language", "typed", "agrees"),
    [
        *(("en", typed, True) for typed in ("y", "Y", "yes", " yes ")),
        *(("en", typed, False) for typed in ("", "n", "NO")),
        *(("de", typed, True) for typed in ("j", "J", "ja", "y", "yes")),
        *(("de", typed, False) for typed in ("", "n", "nein", "no")),
        *(("fr", typed, True) for typed in ("o", "oui", "y")),
        *(("es", typed, True) for typed in ("s", "sí", "SÍ", "y")),
        *(("pseudo", typed, typed == "y") for typed in ("y", "n")),
    ],
)
def test_a_question_understands_letters_and_words(language: str, typed: str, *, agrees: bool) -> None:
    assert ask(language, typed).exit_code == agrees


@pytest.mark.parametrize(("language", "letters"), [("en", "[y/N]: "), ("de", "[j/N]: "), ("fr", "[o/N]: ")])
def test_a_question_offers_its_letters(language: str, letters: str) -> None:
    assert letters in ask(language, "").output


def test_a_question_is_repeated_until_it_is_answered() -> None:
    answered = ask("de", "vielleicht\nj")
    assert answered.exit_code == 1
    assert answered.output.count("[j/N]") == 2
    assert "„j“" in answered.output


class _Catalogue:
    """Words for yes and no that begin alike, or with the letter of the other one in English."""

    def __init__(self, yes: str, no: str) -> None:
        self._words = {"yes": yes, "no": no}

    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        return singular if n == 1 else plural

    def pgettext(self, context: str, message: str, /) -> str:
        return self._words.get(message, message) if context == "answer" else message


@pytest.mark.parametrize(
    ("yes", "no", "typed", "agrees"),
    [
        ("nai", "ochi", "n", True),
        ("nai", "ochi", "o", False),
        ("nai", "ochi", "no", False),
        ("da", "don", "da", True),
        ("da", "don", "don", False),
    ],
)
def test_words_of_the_language_go_before_english_ones(yes: str, no: str, typed: str, *, agrees: bool) -> None:
    @click.command()
    def command() -> None:
        if confirm(phrase("Take it in?")):
            raise click.exceptions.Exit(1)

    with speaking(Language("xx", "Words", _Catalogue(yes, no))):
        assert CliRunner().invoke(command, input=f"{typed}\n").exit_code == agrees


def _confirmations() -> Iterator[str]:
    for path in sorted((ROOT / "companion").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in ("click.confirm", "click.termui.confirm"):
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_no_command_asks_in_english_letters_alone() -> None:
    assert [*_confirmations()] == []
