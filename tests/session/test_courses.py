"""How figures went, for charts: the same as the facts of the evening say, and nothing where nothing was counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.decknforge.decks.evening import Dungeon
from companion.session.core.evenings import evening_of, played_actions
from companion.session.core.replay import Replay
from companion.session.core.session import Session
from companion.session.reports.courses import GaugeCourse, read_courses
from companion.session.reports.report_pages import make_document, session_charts
from companion.tabletop.constructed import evening as duels
from labels.output.page import PageChart

TABLES = Path(__file__).parents[1] / "tables"


def session_of(text: str) -> Session:
    replay = Replay(text)
    assert not [line.failure for line in replay if line.failure]
    return replay.session


def courses_of(session: Session) -> dict[str, GaugeCourse]:
    courses = read_courses(session.game, played_actions(session.log.position.head))
    return {course.title: course for course in courses}


def whole_dungeon() -> Session:
    return session_of((TABLES / "decknforge" / "dungeon.table").read_text(encoding="utf-8"))


def test_a_boss_loses_its_hp_as_the_evening_says() -> None:
    session = whole_dungeon()
    evening = evening_of(session.game, session.log.position.head, session.log.lines)
    assert isinstance(evening, Dungeon)
    course = courses_of(session)["Boss: HP"]
    # Where the next Boss comes, its HP stand at the same place, behind those of the one that fell.
    after: dict[int, int | None] = {}
    for at, (hp,) in course.points:
        after.setdefault(at, hp)
    assert [after[at] for at in sorted(after) if at] == [hp for fight in evening.fights for hp in fight.hp_after]
    assert len(course.sections) == len(evening.fights) > 1


def test_everybody_has_a_line_for_hp_and_coppers() -> None:
    session = whole_dungeon()
    courses = courses_of(session)
    seats = session.view().seats
    for title, word in (("HP", "hp"), ("Coppers", "coppers")):
        course = courses[title]
        assert course.keys == tuple(seat.name for seat in seats)
        assert course.points[-1][1] == tuple(
            counter.number for seat in seats for counter in seat.counters if counter.name == word
        )
    assert set(courses) == {"Boss: HP", "HP", "Coppers"}


@pytest.mark.parametrize(
    ("table", "title"),
    [("solforge/house/track.table", "Health"), ("oddfrontier/rulings/A3.13-three-players.table", "Life")],
)
def test_a_duel_goes_as_its_evening_says(table: str, title: str) -> None:
    session = session_of((TABLES / table).read_text(encoding="utf-8"))
    evening = evening_of(session.game, session.log.position.head, session.log.lines)
    assert isinstance(evening, duels.Duel)
    course = courses_of(session)[title]
    assert course.unit == "turn"
    # A turn that has only begun is no part of the evening yet.
    after = [(each.turn, each.life) for each in evening.course]
    assert [*course.points[1 : len(after) + 1]] == after
    assert len(course.points) - len(after) in (1, 2)


def test_there_are_no_charts_before_it_begins() -> None:
    session = session_of("table decknforge\nseat ana\n")
    assert session_charts(session) == ()
    assert not [part for part in make_document(session, ()).parts if isinstance(part, PageChart)]
