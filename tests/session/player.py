"""A process that plays a session on for as long as it lives, and says each line's number once the line was shown.

Run by `test_killed.py`, which kills it: python -m tests.session.player FILE SESSION (SEED | FILE.table)
"""

import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.tabletop.action import Action, RuleError
from companion.tabletop.notation.arguments import Words
from companion.tabletop.table.common_actions import CHECKS
from tests.games import miniature  # noqa: F401 – registers the duel


def at_random(session: Session, seed: str) -> Iterator[tuple[str, ...]]:
    """Lines that may fit a duel, one or several at once: what the prompts say, and what people do besides."""
    chance = random.Random(seed)
    if int(seed) % 2 and (moments := session.moments()):
        # The first line of every other player amends: however slow the machine is, some of that has to survive.
        newest = moments[-1]
        yield (f"amend {newest.number} {newest.text}",)
    elif int(seed):
        # The others take something back, for the same reason.
        yield ("undo",)
    while True:
        answers = [answer for prompt in session.view().prompts for answer in prompt.answers]
        lines = [answer.line for answer in answers if not answer.missing]
        besides = ["undo", "undo", "redo", 'note "…"', "set ana life 20", "set ben life 20", "next"]
        revisions = [f"amend {chance.randint(5, 30)} next", f"insert {chance.randint(5, 30)} add ana life +1"]
        line = chance.choice([*lines, *lines, *besides, *revisions])
        yield (line, "add ana life +1") if chance.random() < 0.2 and line in lines else (line,)


def as_recorded(session: Session, table: str) -> Iterator[tuple[str, ...]]:
    """The lines of a file that the session does not have yet, without its checks."""
    rows = [row for row in Path(table).read_text(encoding="utf-8").splitlines() if Words.of(row)]
    played = [row for row in rows if Words.of(row).keyword() not in {check.verb() for check in CHECKS}]
    for row in played[len(session.log.lines) :]:
        yield (row,)
    signal.pause()


def main(place: str, name: str, what: str) -> None:
    """Goes on where the session ends."""
    with Archive.open(place) as archive:
        session = archive_journal.resume(archive, name)
        for lines in as_recorded(session, what) if what.endswith(".table") else at_random(session, what):
            actions: list[Action] = [session.notation.parse(line) for line in lines]
            try:
                session.do(*actions)
            except RuleError:
                continue
            print(len(session.log.lines), flush=True)


main(*sys.argv[1:])
