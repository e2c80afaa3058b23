"""What lists say of a game before its rules are loaded: the same words as the table's own."""

import subprocess
import sys

import pytest

from companion.archive.storage.rows import reason_text
from companion.games import registry
from companion.games.described.records import BROUGHT_HOME, REASONS
from companion.tabletop.records import Reason

PROGRAMS = ("decknforge", "soulforger", "oddfrontier", "solforge")


@pytest.mark.parametrize("name", PROGRAMS)
def test_lists_and_tables_use_the_same_titles(name: str) -> None:
    game = registry.game(name)
    glossary = registry.glossary(name)
    view = game.view(game.new())
    assert glossary.title == game.title
    for step in view.steps:
        assert str(glossary.reason(Reason("step", (step.name,)))) == str(step.title)
    assert view.count is not None
    assert str(glossary.reason(Reason("counter", (view.count.name, "3")))) == f"{view.count.title} 3"


@pytest.mark.parametrize("name", PROGRAMS)
def test_titles_and_standings_are_told_without_the_rules(name: str) -> None:
    code = f"""
import sys
from companion.archive.storage.rows import reason_text
from companion.archive.storage.rows import reason_text
from companion.games import registry
from companion.games.described.records import BROUGHT_HOME, REASONS
from companion.tabletop.records import Reason
print(registry.title({name!r}), reason_text({name!r}, Reason("step", ("combat",))))
print([each for each in sys.modules if each.endswith(".game")])
"""
    output = subprocess.run((sys.executable, "-c", code), capture_output=True, encoding="utf-8", check=True).stdout
    assert output.splitlines()[0].startswith(str(registry.game(name).title))
    assert output.splitlines()[1] == "[]"


def test_a_game_without_words_of_its_own_has_those_of_its_table() -> None:
    game = registry.game("commander")
    assert registry.glossary("commander").title == game.title
    count = game.view(game.new()).count
    assert count is not None
    assert registry.glossary("commander").reason(Reason("counter", (count.name, "3"))) == f"{count.title} 3"


def test_a_game_words_its_own_reasons_in_lists() -> None:
    assert reason_text("commander", Reason(BROUGHT_HOME)) == REASONS[BROUGHT_HOME]() == "brought home from a game"
