"""Lines typed in the reader's language: local verbs and names of figures, which are logged as notation."""

import pytest

from companion.session.reading import line_reading, options
from companion.tabletop.action import NotationError
from templates.languages.catalogues import read_catalogue
from templates.languages.messages import Language, speaking
from tests.languages.samples import po
from tests.session.test_table_client import duel_client

_TEXTS = {
    ("verb", "draw"): "ziehen",
    ("verb", "note"): "notiz",
    ("verb", "next"): "weiter",
    ("verb", "undo"): "zur\u00fccknehmen",
    ("verb", "spend"): "zahlen",
    ("", "Life"): "Leben",
}
_ENTRIES = "".join(
    (f'msgctxt "{context}"\n' if context else "") + f'msgid "{text}"\nmsgstr "{local}"\n\n'
    for (context, text), local in _TEXTS.items()
)


def german() -> Language:
    """A language with the verbs and figures of the duel."""
    return read_catalogue(po(_ENTRIES, "de", "Deutsch", "nplurals=2; plural=(n != 1);"))


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("ziehen ana 2S", "draw ana 2S"),
        ("Ziehen ana 2s", "draw ana 2S"),
        ("zie ana 2S", "draw ana 2S"),
        ("draw ana 2S", "draw ana 2S"),
        ("notiz gut gespielt", 'note "gut gespielt"'),
        ("zur\u00fcck", "undo"),
        ("ana life 9", "set ana life 9"),
    ],
)
def test_a_local_verb_is_read_as_that_of_notation(typed: str, line: str) -> None:
    session = duel_client("draw ana 9S").session
    with speaking(german()):
        assert [session.notation.format(action) for action in line_reading.read_line(typed, session)] == [line]


def test_an_abbreviation_of_two_local_verbs_is_none() -> None:
    session = duel_client("draw ana 9S").session
    with speaking(german()), pytest.raises(NotationError):
        # \u201czahlen\u201d, \u201cziehen\u201d, \u201czur\u00fccknehmen\u201d
        line_reading.read_line("z ana 2S", session)


def test_a_seat_that_is_called_like_a_local_verb_is_the_seat() -> None:
    session = duel_client().session
    seat = session.view().seats[0]
    entries = _ENTRIES.replace('msgstr "zahlen"', f'msgstr "{seat.seat}"')
    with speaking(read_catalogue(po(entries, "de", "Deutsch", "nplurals=2; plural=(n != 1);"))):
        (action,) = line_reading.read_line(f"{seat.seat} life 9", session)
    assert session.notation.format(action) == f"set {seat.seat} life 9"


def test_local_verbs_are_read_in_their_language_alone() -> None:
    session = duel_client("draw ana 9S").session
    with pytest.raises(NotationError):
        line_reading.read_line("ziehen ana 2S", session)


def test_completion_offers_the_verb_of_notation_for_a_local_word() -> None:
    session = duel_client("draw ana 9S").session
    with speaking(german()):
        assert [(each.word, str(each.title)) for each in options.complete("zie", session)] == [("draw", "ziehen")]
