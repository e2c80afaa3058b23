"""The recorded dungeon, played through a sitting in a process that knows no screen, with all that goes wrong meanwhile.

Run by `test_table_client.py`: python -m tests.session.evening FILE
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.archive import Archive, deck_records
from companion.games.decknforge.decks.record import BandRecord
from companion.games.decknforge.rules.actions import InscribedCard, MonsterCard
from companion.session.core import archive_journal
from companion.session.core.replay import Replay, as_json
from companion.session.reading.table_questions import due_prompts, seat_prompts
from companion.session.table.confirmations import ActionDone, ConfirmationNeeded, Reloaded
from companion.session.table.shared_session import News, SharedSessions
from companion.session.table.table_client import TableClient
from companion.tabletop.table.common_actions import Expect, Refuse

DUNGEON = Path(__file__).parents[1] / "tables" / "decknforge" / "dungeon.table"
BANDS = {"ana": "Grave Choir", "ben": "The Lantern Debt", "cy": "Salt and Iron"}
NAMES = {"ana": "Ana", "ben": "Ben", "cy": "Cy"}
DUNGEONS = {"ana": 2, "ben": 0, "cy": 1}


def recorded() -> tuple[str, list[str]]:
    """What the file says, and its lines from the first one on that is not said by the bands."""
    text = DUNGEON.read_text(encoding="utf-8")
    notation = Replay(text).session.notation
    rows = [row for row in text.splitlines() if row.partition("#")[0].strip()]
    actions = [notation.parse(row) for row in rows]
    lines = [notation.format(action) for action in actions if not isinstance(action, Expect | Refuse)]
    return text, lines[next(at for at, line in enumerate(lines) if line.startswith("purse")) :]


def bands(archive: Archive, text: str) -> None:
    """Three bands with the Monsters and the inscriptions that the file gives its wizards."""
    notation = Replay(text).session.notation
    paper: dict[str, dict[str, Any]] = {
        seat: {
            "game": "decknforge", "name": band, "builder": NAMES[seat], "holders": [NAMES[seat]],
            "glory": 0, "dungeons": DUNGEONS[seat], "monsters": {}, "inscribed": {},
        }
        for seat, band in BANDS.items()
    }  # fmt: skip
    for row in text.splitlines():
        if row.startswith("monster "):
            monster = notation.parse(row)
            assert isinstance(monster, MonsterCard)
            about = {"name": monster.name, "hp": monster.hp, "atk": monster.atk, "legend": monster.legend}
            paper[monster.seat]["monsters"][monster.card] = about
        elif row.startswith("inscribed "):
            inscribed = notation.parse(row)
            assert isinstance(inscribed, InscribedCard)
            paper[inscribed.seat]["inscribed"][inscribed.card] = inscribed.inscription
    for data in paper.values():
        deck_records.adopt_deck(archive, data)


def as_typed(lines: list[str], client: TableClient) -> Iterator[str]:
    """The lines as people type them: all cards that are asked for in one go, else line by line."""
    left = lines
    while left:
        row = [prompt.line for prompt in seat_prompts(client.view)]
        if len(row) > 1 and [line.rpartition(" ")[0] for line in left[: len(row)]] == row:
            yield " ".join(line.split()[-1] for line in left[: len(row)])
            left = left[len(row) :]
        else:
            yield left[0]
            left = left[1:]


def play(place: str) -> None:
    """The evening."""
    text, lines = recorded()
    with Archive.open(place, by="host") as archive, Archive.open(place, by="elsewhere") as other:
        bands(archive, text)
        name = archive_journal.start(archive, "decknforge").id
        here, elsewhere = SharedSessions(archive), SharedSessions(other)
        host, phone, board = (TableClient(here.open(name)) for _ in range(3))
        heard: list[tuple[str, News]] = []
        phone.watch(lambda news: heard.append(("phone", news)))
        board.watch(lambda news: heard.append(("board", news)))
        for seat, band in BANDS.items():
            kept(host.enter(f'seat {seat} name {NAMES[seat]} deck "{band}"'))
        two_watchers_hear(host, phone, board, heard)
        for typed in as_typed(lines, host):
            if typed == "seal":
                a_seal_is_asked_twice(host, archive)
            else:
                kept(host.enter(typed))
            if typed == "damage" and len([moment for moment in host.log if moment.text == "damage"]) == 1:
                an_amendment_names_what_would_differ(host)
                somebody_else_is_first(host, phone, TableClient(elsewhere.open(name)))
            if typed.startswith("buy"):
                what_lasts_is_undone_only_when_said_twice(host)
        everything_is_as_it_was_recorded(host, text)
        record = archive.record(archive.find_deck("Salt").deck)
        assert isinstance(record, BandRecord)
        assert record.dungeons == DUNGEONS["cy"] + 1


def kept(reply: object) -> ActionDone:
    """The reply, once it is sure that it was done."""
    assert isinstance(reply, ActionDone), reply
    return reply


def two_watchers_hear(host: TableClient, phone: TableClient, board: TableClient, heard: list[tuple[str, News]]) -> None:
    """Both hear of it, the one who did it does not; each is a line behind until it has looked."""
    heard.clear()
    assert phone.follow()
    assert board.follow()
    done = kept(host.enter('note "one more"'))
    news = News(len(host.session.log.lines), done.sentence)
    assert heard == [("phone", news), ("board", news)]
    assert isinstance(phone.undo(), Reloaded)
    assert phone.view is host.view
    assert board.follow()
    assert not board.follow()
    kept(board.undo())
    assert [who for who, _ in heard[2:]] == ["phone"]
    assert host.follow()


def figure(client: TableClient, target: str, name: str) -> object:
    """A counter as a screen would show it."""
    return next(counter.value for counter in client.view.counters_of(target) or () if counter.name == name)


def an_amendment_names_what_would_differ(host: TableClient) -> None:
    """Had nobody acted, Ben's card would not count; nothing is done before all that follows is said."""
    (passed,) = [moment for moment in host.log if moment.text == "pass ana"]
    before = host.log
    reply = host.enter(f"amend {passed.number} next")
    assert isinstance(reply, ConfirmationNeeded)
    assert reply.question.kind == "amendment"
    assert reply.question.left_out == ("spike ben pay 2C", "pass cy")
    named = {
        (difference.target, difference.what): (difference.before, difference.after)
        for difference in reply.question.differs
    }
    assert named["boss", "HP"] == ("27", "30")
    assert named["ben", "Hand"] == ("11", "12")
    for part in ("Left out, as it no longer fits: spike ben", "HP 27 → 30.", "Ben: Hand 11 → 12"):
        assert part in reply.sentence
    assert host.log == before
    kept(host.confirm())
    assert figure(host, "boss", "hp") == 30
    kept(host.undo())
    assert host.log == before


def somebody_else_is_first(host: TableClient, phone: TableClient, far: TableClient) -> None:
    """The same change that was written elsewhere is shown instead of what was wanted here; said once more, it is done
    on top.
    """
    bens, cys = figure(host, "ben", "coppers"), figure(host, "cy", "coppers")
    assert isinstance(cys, int)
    kept(far.enter("add cy coppers +1"))
    assert isinstance(host.enter("add cy coppers +1"), Reloaded)
    assert (figure(host, "ben", "coppers"), figure(host, "cy", "coppers")) == (bens, cys + 1)
    assert phone.follow()
    kept(host.enter("add cy coppers +1"))
    for _ in range(2):
        kept(host.undo())
    assert (figure(host, "ben", "coppers"), figure(host, "cy", "coppers")) == (bens, cys)
    # Whoever wrote elsewhere is now the one who is behind.
    assert isinstance(far.undo(), Reloaded)
    assert far.view == host.view


def what_lasts_is_undone_only_when_said_twice(host: TableClient) -> None:
    """A label may be stuck on the card already."""
    before = host.log
    reply = host.undo()
    assert isinstance(reply, ConfirmationNeeded)
    assert reply.question.kind == "undo"
    assert reply.question.lasting
    assert host.log == before
    kept(host.undo())
    assert host.log == before[:-1]
    kept(host.redo())


def a_seal_is_asked_twice(host: TableClient, archive: Archive) -> None:
    """Not before the second word is anything written into a deck's record."""
    assert [prompt.line for prompt in due_prompts(host.view)] == ["seal"]
    stories = [len(archive.story(deck.deck)) for deck in archive.decks()]
    reply = host.enter("seal")
    assert isinstance(reply, ConfirmationNeeded)
    assert reply.question.kind == "seal"
    assert [len(archive.story(deck.deck)) for deck in archive.decks()] == stories
    kept(host.confirm())
    assert all(len(archive.story(deck.deck)) > story for deck, story in zip(archive.decks(), stories, strict=True))


def everything_is_as_it_was_recorded(host: TableClient, text: str) -> None:
    """The same figures as in the file."""
    replay = Replay(text)
    assert not [line.failure for line in replay if line.failure]
    played, expected = as_json(host.session), as_json(replay.session)
    assert {key: played[key] for key in ("outcome", "table", "seats")} == {
        key: expected[key] for key in ("outcome", "table", "seats")
    }
    assert len(host.log) > 200


if __name__ == "__main__":
    play(sys.argv[1])
    assert "textual" not in sys.modules
    print("played")
