"""Keys of one's own, from a file: they count, they are shown, and what cannot be so is told in one sentence."""

import re
from pathlib import Path

import pytest

from companion.tui import keymap
from companion.tui.app import screens
from companion.tui.keymap import KeymapError
from companion.tui.widgets.keys import KeyBar
from tests.tui.conftest import Seat
from tests.tui.test_keys import DOCS


@pytest.fixture
def own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the app looks for keys."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = keymap.place()
    file.parent.mkdir(parents=True)
    return file


async def test_a_remapped_key_counts_and_is_shown_and_the_old_one_types(sit: Seat, duel: str, own_keys: Path) -> None:
    own_keys.write_text('table.undo = ["x", "f9"]\n"home.new" = "t"\n')
    async with sit(duel) as hand:
        await hand.press("right", "minus", "enter")
        await hand.counter("ana", "life", 19)
        await hand.until(lambda: " x  Undo" in hand.shown(hand.table.query_one(KeyBar)))
        await hand.press("x")
        await hand.counter("ana", "life", 20)
        await hand.press("u")
        await hand.typed("u")
        await hand.press("escape", "r")
        await hand.counter("ana", "life", 19)
        await hand.press("f9")
        await hand.counter("ana", "life", 20)
        await hand.press("escape", "escape", "ctrl+b")
        await hand.until(lambda: " t  New table" in hand.shown(hand.app.screen.query_one(KeyBar)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("table.nxt = 'm'", "“table.nxt” is the id of no key; did you mean table.next?"),
        ("table.next = 'hurz'", "table.next = 'hurz' names no key; keys are written as m, plus, f5 or ctrl+t."),
        ("table.next = 7", "table.next = 7 names no key"),
        ("table.next = []", "table.next = [] names no key"),
        ("table.next = 'u'", "“u” would be both table.next and table.undo; give one of them another key."),
        ("table.next = 'enter'", "“enter” is needed for typing, so table.next must have another key."),
        ("table.next = ", "cannot be read"),
    ],
)
def test_what_cannot_be_a_key_is_told_with_the_way_out(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(text)
    with pytest.raises(KeymapError, match=re.escape(told)) as wrong:
        keymap.read(file, screens())
    assert str(file) in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_two_keys_can_change_places(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text("[table]\nnext = 'u'\nundo = 'n'\n")
    assert keymap.read(file, screens()) == {"table.next": "u", "table.undo": "n"}


async def test_wrong_keys_are_told_and_the_usual_ones_stay(sit: Seat, duel: str, own_keys: Path) -> None:
    own_keys.write_text("table.undo = 'n'\nhome.new = 't'\n")
    async with sit(duel) as hand:
        told = [notice.message for notice in hand.app._notifications]
        assert [text for text in told if "“n” would be both table.next and table.undo" in text]
        await hand.press("right", "minus", "enter", "u")
        await hand.counter("ana", "life", 20)


def test_the_docs_name_every_id_with_its_key() -> None:
    text = DOCS.read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([a-z]+\.[a-z0-9]+)` \| `(.+?)` \|", text, re.MULTILINE))
    own = [binding for nodes in screens() for node in nodes for binding in keymap.bindings(node)]
    assert listed == {str(binding.id): binding.key for binding in own}
