"""What marks mean where they say nothing: entries of every age lack the fields that came later, for ever."""

from typing import Any

import msgspec
import pytest

from companion.games.decknforge.book import founding
from companion.games.decknforge.decks.marks import MARKS
from companion.games.decknforge.paper import IMPRINT
from companion.tabletop.records import DeckFigure

SHORTEST: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "adopted": (
        {"name": "X", "builder": "Ana", "creatures": []},
        {
            "labels": {},
            "inscribed": {},
            "lost": (),
            "holders": (),
            "glory": 0,
            "dungeons": 0,
            "retired": False,
            "heirloom": "",
            "since": "",
            "by": "",
            "story": "",
            "length": 0,
            "omitted": (),
            "due": (),
        },
    ),
    "inscribed": (
        {"card": "9S", "inscription": "sharp", "source": "bought"},
        {"by": "", "origin": "", "reason": ""},
    ),
    "crossed-out": ({"card": "9S", "inscription": "sharp", "why": "faded"}, {"by": "", "reason": ""}),
    "carried-off": ({"card": "9S", "inscription": "sharp"}, {"band": ""}),
    "carried-in": ({"card": "9S", "inscription": "sharp"}, {"band": ""}),
    "labelled": ({"card": "AS", "label": "swift", "by": "Ben"}, {"reason": ""}),
    "peeled": ({"card": "AS", "label": "swift"}, {"by": "", "reason": ""}),
    "retired": ({}, {"heirloom": "", "by": ""}),
    "corrected": ({"of": 3, "reason": "a slip"}, {"by": "", "instead": None}),
}


@pytest.mark.parametrize("tag", SHORTEST)
def test_what_an_old_entry_does_not_say_means_what_it_meant(tag: str) -> None:
    fields, defaults = SHORTEST[tag]
    kind = next(mark for mark in MARKS if mark.__struct_config__.tag == tag)
    mark = msgspec.json.decode(msgspec.json.encode({"mark": tag, **fields}), type=kind)
    assert {name: getattr(mark, name) for name in defaults} == defaults


@pytest.mark.parametrize(("dungeons", "words"), [(0, "0 dungeons"), (1, "1 dungeon"), (2, "2 dungeons")])
def test_the_note_on_a_box_counts_dungeons(dungeons: int, words: str) -> None:
    figures = (DeckFigure("glory", "Glory", 12), DeckFigure("dungeons", "Dungeons", dungeons))
    assert str(IMPRINT.paper.box_note(figures, retired=False)) == f"Glory 12 · {words}"
    assert str(IMPRINT.paper.box_note(figures, retired=True)) == "Glory 12 · retired"


def test_atk_is_a_sixth_of_the_hp_and_never_nothing() -> None:
    assert [founding.monster_atk(hp) for hp in (0, 6, 7, 12, 30)] == [1, 1, 2, 2, 5]
