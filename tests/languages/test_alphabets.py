"""Lists in the order of the alphabet of their reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates.languages import catalogues
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import ENGLISH, Language, phrase, speaking
from tests.languages.samples import draws, po, polish

_SWEDISH = """\
msgctxt "alphabet"
msgid "a b c d e f g h i j k l m n o p q r s t u v w x y z"
msgstr "a b c d e f g h i j k l m n o p q r s t u v w x y z å ä=æ ö=ø"
"""


def _sort(texts: str, language: Language) -> str:
    with speaking(language):
        return " ".join(sorted(texts.split(), key=alphabetical_key))


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("en", "Ana Änne anton Ben Öre Zoë Ωmega"),
        ("de", "Ähre Ahrend Muller Müller Strasse Straße Strauß Zoë"),
        ("es", "nube nuez ñandú ñu Oca"),
        ("fr", "cote côté coteau Œuf ombre"),
    ],
)
def test_lists_follow_the_alphabet_of_their_reader(code: str, texts: str) -> None:
    language = catalogues.find_language(code)
    assert language is not None
    assert _sort(" ".join(reversed(texts.split())), language) == texts


def test_a_catalogue_adds_letters_to_the_alphabet() -> None:
    swedish = catalogues.read_catalogue(po(_SWEDISH, "sv", "Svenska", "nplurals=2; plural=(n != 1);"))
    assert _sort("Öst Ærø Ål Zeta Ärla Adam", swedish) == "Adam Zeta Ål Ärla Ærø Öst"
    czech = catalogues.read_catalogue(
        po(_SWEDISH.replace('msgstr "a b c d e f g h', 'msgstr "a b c d e f g h ch'), "cs", "Čeština")
    )
    assert _sort("chata cibule hrad iris", czech) == "cibule hrad chata iris"


def test_numbers_sort_by_their_value() -> None:
    assert sorted(["Deck 10", "deck 9", "Deck 010", "Deck"], key=alphabetical_key)[:2] == ["Deck", "deck 9"]
    assert alphabetical_key("9" * 9_000) > alphabetical_key("8" * 9_000)


def test_messages_sort_as_they_are_shown() -> None:
    texts = [draws(2), phrase("Zebra"), draws(2, "Ben")]
    with speaking(polish()):
        assert sorted(texts, key=alphabetical_key) == [draws(2), draws(2, "Ben"), phrase("Zebra")]


@given(st.lists(st.text(max_size=8), max_size=6))
def test_any_texts_have_one_order(texts: list[str]) -> None:
    with speaking(ENGLISH):
        order = sorted(texts, key=alphabetical_key)
        texts.reverse()
        assert order == sorted(texts, key=alphabetical_key)
