"""A process that plays a session on for as long as it lives, and says each line's number once the line was shown.

Run by `test_killed.py`, which kills it: python -m tests.session.player FILE SESSION SEED
"""

import random
import sys

from companion.archive import Archive
from companion.games.game import RuleError
from companion.session import store
from companion.session.session import Session
from tests.games.miniature import Miniature

SEATS = ("ana", "ben")


def anything(session: Session, chance: random.Random) -> tuple[str, ...]:
    """Some line or lines that may fit the table: what the prompts say, and what people do besides."""
    prompts = session.view().prompts
    asked = [line for prompt in prompts for line in (prompt.line, *prompt.others)]
    besides = ["undo", "undo", "redo", 'note "…"', f"set {chance.choice(SEATS)} life 20", "next"]
    line = chance.choice([*asked, *asked, *besides, f"amend {chance.randint(5, 30)} next"])
    return (line, f"add {chance.choice(SEATS)} life +1") if chance.random() < 0.2 and line in asked else (line,)


def main(place: str, name: str, seed: str) -> None:
    """Goes on where the session ends."""
    assert Miniature.name == "duel"
    chance = random.Random(seed)
    with Archive.open(place) as archive:
        session = store.resume(archive, name)
        while True:
            lines = anything(session, chance)
            try:
                session.do(*map(session.notation.parse, lines))
            except RuleError:
                continue
            print(len(session.log.lines), flush=True)


main(*sys.argv[1:])
