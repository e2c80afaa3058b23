"""Keys of one's own, from a file: they count, they are shown, and what cannot be so is told in one sentence."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from textual.screen import Screen

import companion.tui.screens
from companion.tui import keymap
from companion.tui.app import CompanionApp
from companion.tui.key_scopes import key_scopes
from companion.tui.keymap import KeymapError
from companion.tui.widgets.bars import KeyBar
from tests.tui.conftest import Seat
from tests.tui.hand import Hand

FIRST = Path(__file__).parent / "first_keys.toml"
"""A key for each id of the first edition, as somebody may have it."""

screens = partial(key_scopes, CompanionApp)


@pytest.fixture
def file_of_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the app looks for keys."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = keymap.keymap_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


async def test_a_remapped_key_counts_and_is_shown_and_a_letter_types(sit: Seat, duel: str, file_of_keys: Path) -> None:
    file_of_keys.write_text('table.undo = ["x", "f9"]\n"home.new" = "ctrl+t"\n', encoding="utf-8")
    async with sit(duel) as hand:
        assert "“x” types a character and can no longer be a key" in notices(hand)
        await hand.press("right", "minus", "enter")
        await hand.counter("ana", "life", 19)
        await hand.until(lambda: " F9  Undo" in hand.text_of(hand.table.query_one(KeyBar)))
        await hand.press("x")
        await hand.bar_holds("x")
        await hand.press("escape", "f9")
        await hand.counter("ana", "life", 20)
        await hand.press("ctrl+y")
        await hand.counter("ana", "life", 19)
        await hand.press("ctrl+z", "escape", "escape", "ctrl+b")
        await hand.until(lambda: " ^T  New table" in hand.text_of(hand.app.screen.query_one(KeyBar)))


def notices(hand: Hand) -> str:
    """What is told of keys that do not hold."""
    return "\n".join(notice.message for notice in hand.app._notifications)


@pytest.mark.parametrize(
    ("text", "skipped"),
    [
        ("table.nxt = 'f5'", "No key has the id “table.nxt”; did you mean table.next?"),
        ("table.choose7 = 'f5'", "No key has the id “table.choose7”"),
        ("table.undo = 'hurz'", "table.undo = 'hurz' names no key; keys are written as f5, ctrl+t or alt+m."),
        ("table.undo = 7", "table.undo = 7 names no key"),
        ("table.undo = 'n'", "“n” types a character and can no longer be a key, so table.undo stays at ctrl+z."),
        ("table.undo = '7'", "“7” types a character and can no longer be a key"),
        ("table.undo = 'up'", "“up” would be both bar.older and table.undo; give one of them another key."),
        ("table.undo = 'enter'", "“enter” is needed for typing, so table.undo must have another key."),
    ],
)
def test_what_cannot_be_a_key_is_skipped_and_the_rest_holds(tmp_path: Path, text: str, skipped: str) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(f"{text}\ntable.next = 'f8'\n", encoding="utf-8")
    own = keymap.read_keymap(file, screens)
    assert own.keys == {"table.next": "f8"}
    (why,) = own.skipped
    assert why.startswith(skipped)


def test_keys_of_the_first_edition_load_or_say_why_not() -> None:
    text = FIRST.read_text(encoding="utf-8")
    own = keymap.read_keymap(FIRST, screens)
    ids = {binding.id for nodes in screens() for node in nodes for binding in keymap.bindings(node)}
    for name, key in re.findall(r"^([a-z.0-9]+) = \"(.+)\"$", text, re.MULTILINE):
        assert (name in own.keys) is (name in ids and len(key) > 1), name
    assert len(own.skipped) == text.count("\n") - len(own.keys)


@pytest.mark.parametrize("value", ["", 100_000 * "[", 5000 * "9"], ids=["nothing", "nested", "long"])
def test_a_file_that_is_no_toml_leaves_all_keys_as_they_were(tmp_path: Path, value: str) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(f"table.next = {value}", encoding="utf-8")
    with pytest.raises(KeymapError, match="cannot be read") as wrong:
        keymap.read_keymap(file, screens)
    assert str(file) in str(wrong.value)
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("[table]\nfar = 'f3'\nlog = 'f2'\n", {"table.far": "f3", "table.log": "f2"}),
        ("table.undo = 'tab'\nbar.complete = 'alt+m'", {"table.undo": "tab", "bar.complete": "alt+m"}),
        ("table.undo = 'f3'", {"table.undo": "f3"}),
        ("table.undo = 'f9'\ntable.redo = 'f9'", {"table.redo": "f9"}),
    ],
    ids=["change places", "of another place", "of the log", "twice"],
)
def test_keys_can_be_given_anew(tmp_path: Path, text: str, keys: dict[str, str]) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(text, encoding="utf-8")
    assert keymap.read_keymap(file, screens).keys == keys


def _subclasses(of: type[Screen[object]]) -> Iterator[type[Screen[object]]]:
    for each in of.__subclasses__():
        yield each
        yield from _subclasses(each)


def test_every_screen_with_keys_is_among_the_scopes() -> None:
    """What is not among them has keys that users cannot change, and that no test compares with the others."""
    package = companion.tui.screens
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    with_keys = {
        each for each in _subclasses(Screen) if each.__module__.startswith(package.__name__) and keymap.bindings(each)
    }
    assert with_keys - {node for nodes in screens() for node in nodes} == set()


def test_no_key_means_two_things_on_one_screen() -> None:
    for nodes in screens():
        ids: dict[str, str] = {}
        for binding in (binding for node in nodes for binding in keymap.bindings(node)):
            for key in binding.key.split(","):
                before = ids.setdefault(key, str(binding.id))
                # The table is left for home: the table's own binding says so among its keys.
                assert before == binding.id or {before, binding.id} == {"app.home", "table.leave"}, (key, nodes)
