"""Names that are suggested: made of our own words, in an order that the seed decides."""

from random import Random

import pytest

from companion.archive import Archive
from companion.games import registry
from companion.printing import order
from companion.session.table import names
from companion.session.table.form_filling import DeckForm, FormCursor
from companion.session.table.names import suggest_name
from companion.tabletop.decks.form import FormPlace
from templates.languages import catalogues
from templates.languages.messages import speaking

SEEDS = ("", "card=AS", "card=AH\nitems=2S,3D,7C")


def suggest(seed: str, current: str = "", others: tuple[str, ...] = ()) -> str:
    """A Monster's name."""
    return suggest_name("templates", "decknforge", "monster", seed, current, others)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_suggests_the_same_names(seed: str) -> None:
    first = suggest(seed)
    assert first == suggest(seed)
    assert suggest(seed, first) == suggest(seed, first)
    assert len({suggest(each) for each in SEEDS}) == len(SEEDS)


def test_each_press_suggests_another_name() -> None:
    name, seen = "", []
    for _ in range(200):
        name = suggest("card=AS", name)
        seen.append(name)
    assert len(set(seen)) == len(seen)


def test_a_name_of_another_monster_is_never_suggested() -> None:
    order_of_names = [first := suggest("x"), suggest("x", first)]
    assert suggest("x", others=(order_of_names[0].upper(),)) == order_of_names[1]
    assert suggest("x", "A name of my own") == order_of_names[0]


def test_a_game_without_such_a_list_suggests_nothing() -> None:
    assert suggest_name("templates", "solforge", "monster", "") == ""
    assert suggest_name("templates", "decknforge", "boss", "") == ""


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_name_can_be_printed_and_is_clean(language: str) -> None:
    every = names._all_names("templates", "decknforge", "monster", language)
    assert len(every) > 4000
    assert max(map(len, every)) <= 20
    assert all(name == " ".join(name.split()).strip() and name == name[:1].upper() + name[1:] for name in every)
    assert all(not order.box_refusal(name, "") for name in {max(every, key=len), *every[::400]})


def test_names_are_suggested_in_the_language_of_the_reader() -> None:
    with speaking(catalogues.load_language("de")):
        german = suggest("card=AS")
    assert german in names._all_names("templates", "decknforge", "monster", "de")
    assert german != suggest("card=AS")
    with speaking(catalogues.load_language("fr")):
        assert suggest("card=AS") in names._all_names("templates", "decknforge", "monster", "en")


def test_all_six_monsters_are_drawn_at_once(archive: Archive) -> None:
    game = registry.game("decknforge")
    assert game.decks.founding is not None
    form = DeckForm(archive, game, game.decks.founding, "Build")
    cursor = FormCursor(["decknforge"], lambda _: form)
    own = FormPlace("monster", 2, "name")
    cursor.answers.put(own, "Iron Tick")
    cursor.go(FormPlace("name"))
    assert cursor.draw(Random(1), everywhere=True)
    monsters = cursor.answers.values()["monster"]
    assert all(len(monster["items"].split(",")) == 3 for monster in monsters)
    assert monsters[2]["name"] == "Iron Tick"
    assert len({monster["name"] for monster in monsters}) == len(monsters)
    before = monsters[0]["name"]
    cursor.go(FormPlace("monster", 0, "name"))
    assert cursor.draw(Random(1))
    after = [monster["name"] for monster in cursor.answers.values()["monster"]]
    assert after[0] not in (before, *after[1:])
    assert after[1:] == [monster["name"] for monster in monsters[1:]]
