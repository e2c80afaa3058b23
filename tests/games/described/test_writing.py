"""Pages as they are written, and games in a few answers."""

import subprocess
import sys
from itertools import product
from typing import Any

import pytest

from companion.games import listing
from companion.games.described import sketch
from companion.games.described.game import DescribedGame
from companion.games.described.page.description import CounterDefinition, End, SheetDefinition, StepDefinition
from companion.games.described.page.reading import read_description
from companion.games.described.page.writing import write_page
from companion.tabletop.decks.form import FormPlace
from tests.games.described import shown
from tests.games.described.pages import NAMES, ROOT, ready

PAGES = {name: ready(name).description for name in NAMES} | {
    "crown": read_description(shown.CROWN),
    "tricks-of-the-tests": read_description(shown.TRICKS),
}


@pytest.mark.parametrize("name", PAGES)
def test_what_is_written_reads_as_the_same_game(name: str) -> None:
    assert read_description(write_page(PAGES[name])) == PAGES[name]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_whose_answers_are_not_changed_stays_as_it_is(name: str) -> None:
    page, findings = sketch.describe(sketch.page_answers(PAGES[name]), PAGES[name])
    assert (page, findings) == (PAGES[name], ())


def test_texts_come_back_whatever_stands_in_them() -> None:
    page = shown.CROWN.replace('about = "Everybody', 'about = "\\"Everybody\\" \\\\ “so” ')
    assert str(read_description(write_page(read_description(page))).about).startswith('"Everybody" \\ “so”')


DRAGON: dict[str, Any] = {
    "title": "Dragon Duel",
    "players": "2 to 4",
    "order": "all at once",
    "has": [
        {"name": "Life", "start": "20", "out": "0"},
        {"name": "Poison", "out": "10"},
        {"name": "Rage", "whose": "the table"},
        {"name": "Scratches", "whose": "for each opponent"},
    ],
    "step": [{"name": "Draw", "do": "Draw a card."}, {"name": "Fight!"}],
    "token": ["Crown"],
    "end": sketch.LAST,
}


def described_by(**changes: Any) -> Any:
    """What the answers come to that describe a duel, some of them changed."""
    return sketch.describe({**DRAGON, **changes}, sketch.EMPTY)


def test_a_few_answers_are_a_game_that_can_be_played() -> None:
    page, findings = described_by()
    assert findings == ()
    assert (page.name, page.play.players, page.play.order) == ("dragon-duel", "2-4", "together")
    life, poison = CounterDefinition(start=20, out="<= 0", big=True), CounterDefinition(out=">= 10")
    assert page.counters == {
        "life": life,
        "poison": poison,
        "rage": CounterDefinition(of="table"),
        "scratches": CounterDefinition(of="rival"),
    }
    assert page.steps == (StepDefinition("draw", do="Draw a card."), StepDefinition("fight", title="Fight!"))
    assert list(page.tokens) == ["crown"]
    assert page.end == End(last_left=True)
    game = DescribedGame(read_description(write_page(page)))
    view = game.view(sketch.sample_table(game))
    assert [seat.name for seat in view.seats] == ["Ana", "Ben", "Cleo", "Dora"]
    assert [counter.figure for counter in view.seats[0].counters[:2]] == ["20", "0"]


@pytest.mark.parametrize(
    ("answers", "end", "rounds"),
    [
        ({"end": sketch.REACH, "figure": "poison", "goal": "10"}, End(win="poison >= 10"), 0),
        ({"end": sketch.REACH, "figure": "life", "goal": "−5"}, End(win="life <= -5"), 0),
        ({"end": sketch.ROUNDS, "figure": "life", "goal": "7"}, End(most="life"), 7),
        ({"end": sketch.LOW, "figure": "poison", "goal": "7"}, End(fewest="poison"), 7),
        ({"end": sketch.PEOPLE}, End(), 0),
    ],
)
def test_how_it_ends(answers: dict[str, str], end: End, rounds: int) -> None:
    page, findings = described_by(**answers)
    assert (page.end, page.play.rounds, findings) == (end, rounds, ())


def test_a_score_sheet_has_a_counter_for_its_totals() -> None:
    page, findings = described_by(has=[], sheet="Bid, tricks won", end=sketch.ROUNDS, goal="10")
    assert findings == ()
    assert page.sheet == SheetDefinition(("bid", "tricks-won"), least=-100_000)
    assert page.end == End(most="points")
    assert page.counters == {"points": CounterDefinition(least="none", big=True)}


@pytest.mark.parametrize(
    ("answers", "place"),
    [
        ({"title": ""}, FormPlace("title")),
        ({"title": "中"}, FormPlace("title")),
        ({"players": "some"}, FormPlace("players")),
        ({"players": "4-2"}, FormPlace("players")),
        ({"order": "backwards"}, FormPlace("order")),
        ({"has": [{"name": "Life"}, {"name": "life"}]}, FormPlace("has", 1, "name")),
        ({"has": [{"name": "Life", "start": "many"}]}, FormPlace("has", 0, "start")),
        ({"has": [{"name": "Life", "whose": "nobody"}]}, FormPlace("has", 0, "whose")),
        ({"has": [{"name": "Life", "out": "dead"}]}, FormPlace("has", 0, "out")),
        ({"step": [{"do": "Draw."}]}, FormPlace("step", 0, "name")),
        ({"end": sketch.REACH, "figure": "life", "goal": "a lot"}, FormPlace("goal")),
        ({"end": sketch.REACH, "goal": "10", "has": []}, FormPlace("has")),
    ],
)
def test_what_cannot_be_is_told_at_its_answer(answers: dict[str, Any], place: FormPlace) -> None:
    _, findings = described_by(**answers)
    assert place in [finding.place for finding in findings]


def test_a_copy_keeps_what_no_question_asks_for() -> None:
    villain = PAGES["villain"]
    answers = {**sketch.page_answers(villain), "title": "Against the dragon", "players": "2-3"}
    page, findings = sketch.describe(answers, villain)
    assert findings == ()
    assert (page.name, page.play.players) == ("against-the-dragon", "2-3")
    assert (page.pools, page.actions, page.end) == (villain.pools, villain.actions, villain.end)


def test_the_ready_games_are_listed_by_what_their_pages_say() -> None:
    listed = {each.name: (each.title, each.about) for each in listing.ready()}
    assert listed == {name: (PAGES[name].title, PAGES[name].about) for name in NAMES}


@pytest.mark.parametrize(
    ("text", "title"), [("", "some"), ('title = "A\\u0007B"', "some"), ('x = 1\n[a]\ntitle = "B"', "some")]
)
def test_a_head_that_says_nothing_plain_leaves_the_word(text: str, title: str) -> None:
    assert listing.head_of(text, "some").title == title


@pytest.mark.parametrize("looks", ["programs", "ready"])
def test_no_page_is_read_for_the_list(looks: str) -> None:
    asking = (
        f"import sys; from companion.games import listing; print(len(list(listing.{looks}()))); print(*sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", asking], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    count, modules = result.stdout.splitlines()
    assert int(count) >= 4
    assert not [each for each in modules.split() if each.startswith("companion.games.described") or each == "tomllib"]


@pytest.mark.parametrize(("figure", "start"), product(("0", "10"), ("0", "10")))
def test_out_at_a_figure_is_reached_from_the_start(figure: str, start: str) -> None:
    page, _ = described_by(has=[{"name": "Life", "start": start, "out": figure}])
    assert page.counters["life"].out == f"{'<=' if int(figure) < int(start) else '>='} {figure}"
