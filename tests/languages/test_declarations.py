"""What a reader of another language sees is what translators get: every text that is shown is in the catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
import pytest

from companion.games import registry
from companion.printing import designs, jobs, run, wording
from companion.session.core.log import notation_of
from companion.session.core.replay import Replay
from companion.session.table.terms import game_terms
from companion.tabletop.game import Game
from labels import designfile
from labels.paper.stocks import find as find_stock
from templates.languages import catalogues
from templates.languages.messages import Language, Message, speaking
from templates.languages.pseudo import PSEUDO, strip_brackets
from tests.languages import extraction
from tests.languages.declarations import GAMES

_TABLES = extraction.ROOT / "tests/tables"


class _Catalogue:
    """A catalogue without translations that records every text that is looked up in it."""

    def __init__(self) -> None:
        self.lookups: set[tuple[str | None, str]] = set()

    def gettext(self, message: str, /) -> str:
        self.lookups.add((None, message))
        return message

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        self.lookups.add((None, singular))
        return singular if n == 1 else plural

    def pgettext(self, context: str, message: str, /) -> str:
        self.lookups.add((context, message))
        return message


@cache
def _extracted() -> frozenset[tuple[str | None, str]]:
    texts = extraction.find_texts()
    return frozenset((each.context, each.text if isinstance(each.text, str) else each.text[0]) for each in texts)


def _missing(*content: Any) -> list[tuple[str | None, str]]:
    """Return the texts that the messages in some objects look up, and that no catalogue has."""
    catalogue = _Catalogue()
    with speaking(Language("xx", "Recorded", catalogue)):
        for each in content:
            _say(each)
    return sorted(catalogue.lookups - _extracted(), key=str)


def _say(content: Any) -> None:
    """Render every message in an object."""
    if isinstance(content, Message):
        str(content)
    elif isinstance(content, msgspec.Struct):
        for field in content.__struct_fields__:
            _say(getattr(content, field))
    elif isinstance(content, Mapping):
        for value in content.values():
            _say(value)
    elif isinstance(content, tuple | list):
        for item in content:
            _say(item)


def _game(name: str) -> Game:
    return registry.game(name)


@pytest.mark.parametrize("name", GAMES)
def test_tables_show_texts_of_the_catalogues(name: str) -> None:
    content: list[Any] = []
    for path in sorted((_TABLES / name).glob("*.table")):
        replay = Replay(path.read_text(encoding="utf-8"))
        content += [line.tells for line in replay]
        if replay.session is not None:
            view = replay.session.view()
            gaps = (
                (answer, part.field) for prompt in view.prompts for answer in prompt.answers for part in answer.missing
            )
            content += [view, *(_game(name).candidates(replay.session.state, *gap) for gap in gaps)]
    assert _missing(*content) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_help_shows_texts_of_the_catalogues(name: str) -> None:
    game = _game(name)
    notation = notation_of(game)
    helps = [notation.help(verb) for verb in notation.verbs]
    rules = [
        (rule.text_with_book, rule.question and (rule.question.title, rule.question.text)) for rule in game.house.all()
    ]
    answers = [rule.question and (rule.question.answers, rule.question.changes) for rule in game.house.all()]
    terms = [(term, term.title) for term in game_terms(game)]
    assert _missing(game.about, game.credit, helps, rules, answers, terms) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_forms_show_texts_of_the_catalogues(name: str) -> None:
    game = _game(name)
    forms = [game.decks.founding, game.decks.adopting] if game.decks else []
    fields = [field for form in forms if form for field in form.fields]
    fields += [part for field in fields for part in field.parts]
    assert _missing([(field.caption, field.explanation) for field in fields]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_rehearsals_show_texts_of_the_catalogues(name: str) -> None:
    rehearsal = _game(name).rehearsal
    assert rehearsal is not None
    figures = [
        (figure.caption, figure.measure, figure.explanation) for figure in (*rehearsal.figures, *rehearsal.tables)
    ]
    assert _missing(figures, [temperament.explanation for temperament in rehearsal.temperaments]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_prints_show_texts_of_the_catalogues(name: str) -> None:
    game = registry.printable(name)
    catalogue = _Catalogue()
    with speaking(Language("xx", "Recorded", catalogue)):
        jobs.aid_document(game)
        wording.starter_labels(game)
    assert catalogue.lookups
    assert catalogue.lookups <= _extracted()


@pytest.mark.slow
def test_titles_of_stocks_and_designs_are_in_the_catalogues() -> None:
    stocks = run.known_stocks().stocks
    assert _missing(*(stock.caption for stock in stocks)) == []
    assert _missing(*(entry.design.caption for entry in designs.list_designs() if entry.design and not entry.own)) == []
    with speaking(PSEUDO):
        assert [stock.name for stock in stocks if strip_brackets(str(stock.caption))] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "caption"),
    [("DK-22205", "Brother DK-22205, Endlosrolle von 62 mm"), ("L7167", "Avery L7167, 1 Paketetikett")],
)
def test_a_stock_has_its_title_in_german(name: str, caption: str) -> None:
    stock = find_stock(name)
    german = catalogues.find_language("de")
    assert german is not None
    assert stock.caption.render(german) == caption
    if stock.continuous:
        assert stock.cut_at(50, "mm").caption.render(german) == f"{caption}, alle 50 mm geschnitten"


@pytest.mark.slow
def test_titles_that_people_gave_stay_as_they_are() -> None:
    german = catalogues.find_language("de")
    assert german is not None
    own = designfile.parse_design('title = "Seal"\n[[part]]\ntext = "{name}"\n', "own", "own.toml", "")
    assert own.caption.render(german) == "Seal"
    assert designs.find_design("back").caption.render(german) == "Rückseite"
