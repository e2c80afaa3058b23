"""A homebrew in the languages of its readers: names, texts and reminders at the table and on labels."""

from __future__ import annotations

from typing import Final

import pytest

from companion.games import registry
from companion.games.decknforge.book.homebrew import read_homebrew
from companion.games.decknforge.game import DecknForge
from companion.games.described.page.reading import PageError
from companion.games.described.page.translations import language_states
from companion.printing.wording import load_wording
from companion.tabletop.notation.notation import Notation
from templates.languages.catalogues import find_language
from templates.languages.messages import ENGLISH, Language, Message, render_value, speaking

TEXT: Final = """
homebrew = "decknforge"
name = "fog"
title = "Fog over the fen"
about = "You see little."

[[inscriptions]]
number = 1
name = "Lantern"
tier = "rare"
text = "Look ahead."
remind = [{ at = "refill", text = "Look at the top card." }]

[[labels]]
number = 1
name = "Foggy"
bar = 1

[printed.inscriptions.sharp]
name = "Whetted"

[language.de]
"Fog over the fen" = "Nebel über dem Moor"
"You see little." = "Ihr seht wenig."
"Lantern" = "Laterne"
"Look ahead." = "Schau voraus."
"Look at the top card." = "Sieh dir die oberste Karte an."
"Foggy" = "Neblig"
"Whetted" = "Gewetzt"
"""


def german() -> Language:
    language = find_language("de")
    assert language is not None
    return language


def game() -> DecknForge:
    rules = registry.from_text(TEXT)
    assert isinstance(rules, DecknForge)
    return rules


def say(text: Message | str, language: Language) -> str:
    return render_value(text, language)


def test_names_and_texts_are_in_the_language_of_the_reader() -> None:
    book = game().book
    lantern, foggy, sharp = book.inscription("lantern"), book.label("foggy"), book.inscription("sharp")
    titles = [lantern.title, lantern.effect, *lantern.reminders("refill"), foggy.title, sharp.log_title]
    assert [say(text, german()) for text in titles] == [
        "Laterne",
        "Schau voraus",
        "Sieh dir die oberste Karte an.",
        "Neblig",
        "Gewetzt",
    ]
    assert [say(text, ENGLISH) for text in titles] == [
        "Lantern",
        "Look ahead",
        "Look at the top card.",
        "Foggy",
        "Whetted",
    ]
    assert say(game().title, german()) == "DecknForge: Nebel über dem Moor"


def test_lines_keep_the_names_of_the_text() -> None:
    with speaking(german()):
        action = Notation(game().actions).parse("inscribed ana 9S lantern")
    assert game().book.read_inscription("Lantern") == "lantern"
    assert Notation(game().actions).format(action) == "inscribed ana 9S lantern"


def test_labels_are_printed_in_the_language_of_the_run() -> None:
    rules = game()
    with speaking(german()):
        texts = [(str(label.title), str(label.text)) for label in rules.paper.starter(load_wording(rules))]
    assert ("Laterne", "Schau voraus.") in texts


def test_nothing_is_missing_once_all_is_translated() -> None:
    brew = read_homebrew(TEXT)
    (state,) = language_states(brew.texts, brew.language, lambda _: None)
    assert state.missing == ()


def test_a_text_that_the_homebrew_lacks_is_refused() -> None:
    with pytest.raises(PageError, match=r"line 30: language\.de\.Lanturn: The page has no such text"):
        read_homebrew(TEXT + '"Lanturn" = "Laterne"\n')
