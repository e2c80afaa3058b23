"""Questions that must be acted on now, at 80×24: nothing of that falls off where rows are scarce."""

from collections.abc import Sequence

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.reading.table_questions import Answer, Question
from companion.tabletop.action import Tell
from companion.tabletop.table.common_actions import Next, Set
from companion.tabletop.table.table import Counter, Draft, Prompt, Thing, Zone
from companion.tui import drawing
from companion.tui.widgets.bars import Status, StatusLine
from companion.tui.widgets.board import Board
from companion.tui.widgets.prompt_list import AnswerList, PromptList, PromptListPart, answer_rows
from tests.tui.conftest import Seat
from tests.tui.hand import Hand

NAMES = {"ana": "Grave Choir", "ben": "Salt and Iron", "cy": "The Lantern Debt", "dee": "Ash Toll", "eve": "Low Tide"}
MONSTERS = ("monster ana AH labels swift doom", 'monster ben BJ "Old Hunger" legend labels hungry')
BLESSED = ("inscribed ana 9S doublestrike", "inscribed ana KD royal-decree", "inscribed ben 3D quick")
BEGUN = (*MONSTERS, *BLESSED, *(f"dungeons {seat} 2" for seat in ("ana", "ben", "cy")))


def at_table(archive: Archive, *lines: str, wizards: int = 3, bosses: str = "ben:BJ") -> str:
    """A table of so many wizards after these lines; gives its id. Chance draws what nobody names."""
    session = archive_journal.start(archive, "decknforge")
    seats = tuple(f'seat {seat} name "{seat.capitalize()}" band "{NAMES[seat]}"' for seat in [*NAMES][:wizards])
    begins = ("active ana", f"bosses {bosses}", "begin seed 1", "next")
    for line in ("rule draws program", *seats, *BEGUN, *begins, *lines):
        session.enter(line)
    return session.id


def reveals(*cards: str) -> tuple[str, ...]:
    return tuple(f"reveal {seat} {card}" for seat, card in zip(NAMES, cards, strict=False))


def seen(hand: Hand) -> str:
    """Everything on the screen, as text in one row."""
    parts = (hand.text_of(widget) for widget in hand.app.screen.query("Panel"))
    titles = (str(panel.border_title) for panel in hand.app.screen.query(Board).first().query("Panel"))
    return " ".join(" ".join((*parts, *titles)).split())


KILLED = ("set boss hp 1", *reveals("KS", "2C", "2D"), "next", "damage", "bonus momentum")
WITH_MINION = (*reveals("2S", "2C", "2D"), "next", "next", "damage", "next", "refill")


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("lines", "bosses", "decisive"),
    [
        ((*reveals("9S"), "reveal ana KS"), "ben:BJ", ("9♠ F 9 · K♠ F 13",)),
        (KILLED, "ben:BJ", ("Is the Boss not", "`bosses ben:BJ REF`", "`join SEAT`", "`concede SEAT`")),
        ((*WITH_MINION, *reveals("3S", "3C", "4D"), "next"), "ben:BJ", ("`target SEAT REF`", "convert/target ben")),
        (("set table round 4", *reveals("3S", "3C", "4D")), "ana:AH", ("Doom: round 4 of 5", "Now: 3 + 3 + 4 = 10")),
        (
            (*reveals("3H", "3C", "4D"), "next", "convert ana", "convert ben", "convert cy"),
            "ben:BJ",
            ("Now: 0 damage", "Pressure 2 will follow"),
        ),
    ],
    ids=["doublestrike", "flip", "target", "doom", "pressure"],
)
async def test_what_is_decisive_stays(
    sit: Seat, archive: Archive, lines: Sequence[str], bosses: str, decisive: Sequence[str]
) -> None:
    async with sit(at_table(archive, *lines, bosses=bosses), size=(80, 24)) as hand:
        await hand.at_table()
        for text in decisive:
            assert text in seen(hand), seen(hand)


@pytest.mark.sample(2)
@pytest.mark.parametrize("wizards", [3, 5])
async def test_who_is_active_and_which_boss_comes_is_told(sit: Seat, archive: Archive, wizards: int) -> None:
    cards = ("KS", "2C", "2D", "3C", "3D")[:wizards]
    lines = ("set boss hp 1", *reveals(*cards), "next", "damage")
    async with sit(at_table(archive, *lines, wizards=wizards), size=(80, 24)) as hand:
        await hand.at_table()
        hand.type("bonus momentum")
        await hand.press("enter")
        await hand.shows("Boss 2 of 6", "StatusLine")
        texts = " ".join(hand.text_of("StatusLine").split())
        assert "Ben is the active wizard." in texts
        assert "Boss 2 of 6" in texts


def test_a_status_leaves_out_first_what_nobody_acts_on() -> None:
    tells = (
        Tell("Ana pays."),
        Tell("Ana draws 2.", by_hand=True),
        Tell("Ben pays."),
        Tell("Ana takes the kill.", decides=True),
        Tell("Ben is the active wizard.", now=True),
    )
    part = Status("  ".join(str(tell.text) for tell in tells), tells=tells)
    briefs = [" ".join(row.plain for row in rows) for rows in StatusLine.briefer(part, 200)]
    assert briefs == [
        "Ana draws 2.  Ben pays.  Ana takes the kill.  Ben is the active wizard.  … 1 more",
        "Ana draws 2.  Ana takes the kill.  Ben is the active wizard.  … 2 more",
        "Ana takes the kill.  Ben is the active wizard.  … 3 more",
        "Ben is the active wizard.  … 4 more",
    ]


def test_rows_that_are_scarce_go_to_the_first_hints() -> None:
    part = PromptListPart((), ("one", "two", "three"), "", AnswerList(), (), ("shuffle", "flip"))
    rows = PromptList.draw(part, 40)

    def fitted(height: int) -> list[str]:
        """Return what stands there in so many rows."""
        return [row.plain.strip() for row in PromptList.fit_rows(part, rows, 40, height)]

    assert fitted(5) == ["» shuffle", "» flip", "! one", "! two", "! three"]
    assert fitted(4) == ["» shuffle", "! one", "! two", "! three"]
    assert fitted(2) == ["! one", "! two"]


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(
    "hints", [("The moon is yours: draw one more.",), ("The moon is yours.", "A wound hurts." * 9)]
)
def test_no_reminder_hides_an_offered_figure(width: int, hints: tuple[str, ...]) -> None:
    first = Prompt("Ana: play a card, or go on", Draft(Next))
    offers = tuple(
        Prompt(f"Ana: {each}?", Draft(Set, {"target": "ana", "counter": each.lower()}), due=False)
        for each in ("Tricks", "Bonus", "Bid", "Melds", "Bags", "Fouls", "Aces")
    )
    part = PromptListPart((first, *offers), hints, "")
    rows = PromptList.draw(part, width)
    for height in range(2, len(rows) + 1):
        fitted = [row.plain for row in PromptList.fit_rows(part, rows, width, height)]
        assert len(fitted) <= height
        assert "Ana: play a card" in fitted[0]
        assert "tricks" in "\n".join(fitted[1:]).lower(), height
        assert "! The moon is yours" in "\n".join(fitted), height


def test_answers_stand_below_each_other_on_any_terminal() -> None:
    # Some terminals draw an emoji two cells wide.
    names = ("⭐ Iron Tick", "Moss Hound")
    answers = AnswerList(Question(answers=tuple(Answer(name, detail="HP 18") for name in names)))
    rows = [row.plain for row in answer_rows(answers, 40, 3)]
    assert rows[:2] == ["  ★ Iron Tick  HP 18", "  Moss Hound   HP 18"]
    assert "★ Iron Tick HP 18" in answer_rows(answers, 80, 1)[0].plain


def test_every_card_keeps_its_figure_before_words_are_told() -> None:
    def card(title: str, value: int) -> Thing:
        return Thing(f"ana's {title}", title, (Counter("value", value, "F"),), ("doublestrike",))

    zone = Zone("revealed", "Revealed", (card("9♠", 9), card("K♠", 13)))
    widths = {width: drawing.zone_rows(zone, width, large=False)[0].plain for width in (60, 48, 30, 22)}
    assert widths == {
        60: "Revealed 9♠ F 9 doublestrike · K♠ F 13 doublestrike",
        48: "9♠ F 9 doublestrike · K♠ F 13 doublestrike",
        30: "Revealed 9♠ F 9 · K♠ F 13",
        22: "9♠ F 9 · K♠ F 13",
    }
