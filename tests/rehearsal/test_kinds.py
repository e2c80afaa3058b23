"""Each kind of rehearsal is begun by its design, goes on from its sums, and is written by its report."""

import msgspec
import pytest

from companion.rehearsal.design import Comparison, Design, Factorial, Lever, OneSetting
from companion.rehearsal.kinds import begin_rehearsal, report_csv, report_plain, report_text
from companion.rehearsal.search import make_race
from companion.rehearsal.sequential import carry_out
from companion.tabletop.action import NotationError
from companion.tabletop.rehearsal import RehearsalSetting
from tests.rehearsal import toy

SETTING = RehearsalSetting("toy", 2)
LIFT = Lever("lift", ("0", "1"))
DESIGNS = (
    OneSetting(SETTING),
    Comparison(SETTING, RehearsalSetting("toy", 2, (("twist", "yes"),))),
    Factorial(SETTING, (LIFT,), "win"),
    make_race(SETTING, (LIFT,), toy.WIN, 0.4),
)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: type(design).__name__)
def test_a_rehearsal_that_was_stopped_goes_on_as_if_never(design: Design) -> None:
    rehearsal = toy.ToyRehearsal()
    whole, part = begin_rehearsal(design, rehearsal), begin_rehearsal(design, rehearsal)
    assert sum(carry_out(whole, 1, 90, toy.one_thread)) == 90
    assert sum(carry_out(part, 1, 33, toy.one_thread)) == 33
    again = begin_rehearsal(msgspec.json.decode(msgspec.json.encode(design), type=Design), rehearsal, 33, part.sums)
    assert sum(carry_out(again, 1, 90, toy.one_thread)) == 57
    assert again.progress == whole.progress != ""
    assert report_plain(again.report(rehearsal, 1)) == report_plain(whole.report(rehearsal, 1))


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: type(design).__name__)
def test_people_and_spreadsheets_read_the_values_of_programs(design: Design) -> None:
    running = begin_rehearsal(design, toy.ToyRehearsal())
    assert sum(carry_out(running, 1, 40, toy.one_thread)) == 40
    report = running.report(toy.ToyRehearsal(), 1)
    plain = report_plain(report)
    assert plain["units"] == 40
    win = plain["candidates"][0] if "candidates" in plain else plain["figures"]["win"]
    assert f"{100 * win['value']:.1f} %" in "\n".join(report_text(report))
    assert str(win["value"]) in report_csv(report)


def test_a_figure_that_a_game_has_not_is_told() -> None:
    with pytest.raises(NotationError, match="There is no figure “fun”; the figures are: win, score, pips"):
        begin_rehearsal(Factorial(SETTING, (LIFT,), "fun"), toy.ToyRehearsal())
