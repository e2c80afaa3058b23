"""Labels of the inscriptions of a page in a design of one's own, and as usual where that is not known."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.described.load import game_from_text
from companion.printing import designs, wording
from labels.designs import EffectLabel
from labels.designs.own import OwnLabel
from labels.errors import LabelError
from labels.paper.sheet import Label

STORM = """
[[part]]
text = "{mark} {name} ({number}) {tier}"
box = ["2 %", "2 %", "90 %", "40 %"]

[[part]]
text = "{text}"
box = ["2 %", "50 %", "90 %", "40 %"]
"""
PAGE = """
name = "storms"
title = "Storms"

[decks]
kind = "inscribed"
design = "storm"

[decks.tiers.boon]
mark = "▲"

[[decks.inscriptions]]
number = 7
name = "Waterproof"
text = "Ignore one storm."
tier = "boon"
"""


@pytest.fixture
def write_design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Writes the design into the user's folder, which is empty before."""
    monkeypatch.setattr(designs, "designs_folder", lambda: tmp_path)

    def write(content: str) -> None:
        (tmp_path / "storm.toml").write_text(content, encoding="utf-8")

    return write


def label() -> Label:
    """The label of the page's one inscription."""
    return wording.starter_labels(game_from_text(PAGE))[0]


def test_an_inscription_is_printed_in_a_design_of_ones_own(write_design: Callable[[str], None]) -> None:
    write_design(STORM)
    own = label()
    assert isinstance(own, OwnLabel)
    assert own.words == ("▲ Waterproof (7) Boon", "Ignore one storm.")


def test_where_a_design_is_not_known_labels_look_as_usual(write_design: Callable[[str], None]) -> None:
    assert isinstance(label(), EffectLabel)
    write_design("part = 3")
    assert isinstance(label(), EffectLabel)


def test_a_page_names_no_file_as_a_picture(write_design: Callable[[str], None]) -> None:
    write_design(f'{STORM}[[part]]\npicture = "{{text}}"\nbox = ["50 %", "50 %", "40 %", "40 %"]\n')
    own = label()
    assert isinstance(own, OwnLabel)
    assert own.words[-1] == ""
    write_design(f'{STORM}[[part]]\npicture = "storm.png"\nbox = ["50 %", "50 %", "40 %", "40 %"]\n')
    with pytest.raises(LabelError, match="there is no picture “storm"):
        label()
