"""Tables at which something is typed: games at random, with deck lists whose cards are called alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

from companion.games import registry
from companion.session.core.session import Session
from companion.tabletop.table.choices import Open
from companion.tabletop.table.common_actions import Concede
from tests.games import at_random
from tests.games.decknforge import evening
from tests.games.decknforge import player as decknforge
from tests.games.described import pages
from tests.games.described import player as described
from tests.games.oddfrontier import player as oddfrontier
from tests.games.solforge import player as solforge
from tests.games.soulforger import player as soulforger

MOST_LINES: Final = 70
"""Lines of a game after its set-up; by then all of its steps have come."""
APART: Final = 4
"""Lines between two tables of the same game."""

_CREATURES: Final = (
    *("Ash Wolf", "Ash Wraith", "Wolf", "Iron Walker", "Iron Ram", "Hawk", "Wasp", "Battle Tank", "Nexus Eel"),
    *("Crank Toad", "Ember Hound", "10th Legion", "Salt Prince", "Ben Hawk", "Castle Guard", "Gust Moth"),
)
_SPELLS: Final = (
    *("Jolt", "Hex", "Iron Rain", "Iron Grip", "Flare", "Kindle", "Long Night", "Backdraft", "Wolf Call", "Ember"),
    *("Second Wind", "Passing Storm"),
)
_EQUIPMENT: Final = ("Long Bow", "Char Helm", "Spark Knife", "Wolf Pelt")
_PEOPLE: Final = {"ana": "Ana", "ben": "Ben Ash", "cy": "Cyra", "dee": "Dee"}
_MONSTERS: Final = ("Grave Wyrm", "Grave Choir", "Mold King", "Iron Maw", "Old Hunger", "Pale Wolf")


class GameSetUp(NamedTuple):
    """How a game is set up, and who goes on with it."""

    begun: Callable[[Random], Session]
    says: Callable[[Random, Session], at_random.Says]


def tables(name: str, seed: int) -> Iterator[Session]:
    """One session at several tables of one game, from the first after its set-up on; only `seed` chooses them.

    Nobody may change it in between.
    """
    chance = Random(f"slips {name} {seed}")
    game = GAMES[name]
    session = game.begun(chance)
    says = game.says(chance, session)
    yield session
    wait = chance.randint(1, APART)
    for _ in range(MOST_LINES * 3):
        if not session.view().prompts:
            return
        if not at_random.is_accepted(session, says()):
            continue
        wait -= 1
        if not wait:
            yield session
            wait = chance.randint(1, APART)


def _enter(session: Session, *lines: str) -> Session:
    for line in lines:
        session.enter(line)
    return session


def _seats(chance: Random, least: int, most: int) -> tuple[str, ...]:
    return tuple(_PEOPLE)[: chance.randint(least, most)]


def _seat_lines(seats: tuple[str, ...]) -> list[str]:
    return [f'seat {seat} name "{_PEOPLE[seat]}"' for seat in seats]


def _lists(chance: Random, seat: str, *pools: tuple[tuple[str, ...], Callable[[Random], str]]) -> Iterator[str]:
    """The list of a seat's deck: some cards of each pool, with what stands behind the bar."""
    for names, remarks in pools:
        for name in chance.sample(names, chance.randint(2, 4)):
            yield f'lists {seat} "2 {name} | {remarks(chance)}"'


# SolForge


def _solforge(chance: Random) -> Session:
    seats = ("ana", "ben")
    lines = _seat_lines(seats)
    for seat in seats:
        if chance.random() < 0.8:
            lines += _lists(chance, seat, (_CREATURES, _solforge_creature), (_SPELLS, lambda _: "spell"))
    lines += [f"first {chance.choice(seats)}", f"begin seed {chance.randrange(1000)}"]
    lines += [f"set {seat} level2 {chance.randint(0, 6)}" for seat in seats if chance.random() < 0.3]
    return _enter(Session.new(registry.game("solforge")), *lines)


def _solforge_creature(chance: Random) -> str:
    one = f"{chance.randint(1, 9)}/{chance.randint(2, 9)}"
    has = chance.choice(("", "", " has mobility=2", " has activate", " has aggressive", " has armor=1 mobility=1"))
    two = chance.choice(("", f" | level 2 {chance.randint(5, 12)}/{chance.randint(5, 12)}{has}"))
    return f"creature | {one}{has}{two}"


# Soul-Forger


def _soulforger(chance: Random) -> Session:
    seats = _seats(chance, 2, 3)
    lines = _seat_lines(seats)
    for seat in seats:
        lines.append(f"gear {seat} {seat}-blade weapon power {chance.randint(1, 4)}/1 hands {chance.randint(1, 2)}")
        if chance.random() < 0.8:
            lines += _lists(chance, seat, (_CREATURES, _summoned), (_SPELLS, _played), (_EQUIPMENT, _forged))
    lines += [f"first {chance.choice(seats)}", f"begin seed {chance.randrange(1000)}"]
    lines += [f"set {seat} level {chance.randint(1, 6)}" for seat in seats]
    return _enter(Session.new(registry.game("soulforger")), *lines)


def _summoned(chance: Random) -> str:
    keywords = chance.choice(("", "", " | keywords flight", " | keywords protector", " | keywords skill"))
    power = f"{chance.randint(1, 4)}/{chance.randint(0, 3)}"
    return f"creature | ronum {chance.randint(0, 4)} | power {power} | endurance {chance.randint(1, 5)}{keywords}"


def _played(chance: Random) -> str:
    return f"action | ronum {chance.randint(0, 3)}{chance.choice(('', ' | speed instinct', ' | speed reaction'))}"


def _forged(chance: Random) -> str:
    return chance.choice(
        (
            f"weapon | ronum {chance.randint(0, 2)} | power {chance.randint(1, 4)}/1 | hands 1",
            f"armor | ronum {chance.randint(0, 2)}",
        )
    )


# Odd Frontier


def _oddfrontier(chance: Random) -> Session:
    seats = _seats(chance, 2, 3)
    lines = _seat_lines(seats)
    for seat in seats:
        if chance.random() < 0.8:
            lines += _lists(chance, seat, (_CREATURES, _frontier_creature), (_SPELLS, _frontier_spell))
    lines += [f"first {chance.choice(seats)}", f"begin seed {chance.randrange(1000)}"]
    if chance.random() < 0.8:
        lines += [f"set {seat} engines {chance.randint(1, 5)}" for seat in seats]
    session = _enter(Session.new(registry.game("oddfrontier")), *lines)
    if chance.random() < 0.5:
        for seat in seats:
            session.enter(f"set {seat} energy {chance.randint(0, 5)}")
    return session


def _frontier_creature(chance: Random) -> str:
    first = chance.choice(("", " | first-assault"))
    return f"creature | Beast | {chance.randint(1, 9)}/{chance.randint(1, 9)} | cost {chance.randint(0, 3)}{first}"


def _frontier_spell(chance: Random) -> str:
    return f"{chance.choice(('magic', 'magic', 'artifact', 'phenomenon'))} | cost {chance.randint(0, 2)}"


# DecknForge


def _decknforge(chance: Random) -> Session:
    session = Session.new(registry.game("decknforge"))
    for line in evening.set_up(chance, chance.randint(1, 4)):
        for number, name in enumerate(_MONSTERS):
            line = line.replace(f"Beast {number}", name)
        session.enter(line)
    return session


# Who plays


def _answering(
    value: Callable[[Random, str, Open], Any], besides: at_random.Besides
) -> Callable[[Random, Session], at_random.Says]:
    """People who answer what is asked, in games that know nobody else."""
    return lambda chance, session: at_random.answering(
        session, chance, besides, value, due=chance.choice((0.3, 0.5)), shun=(Concede,)
    )


def _of_page(name: str) -> GameSetUp:
    """A game that is described on a page."""
    return GameSetUp(
        lambda chance: described.begun(pages.ready(name), chance),
        lambda chance, session: at_random.answering(
            session, chance, described.besides, described.value, chance.choice((0.3, 0.5)), shun=described.ENDS
        ),
    )


GAMES: Final[dict[str, GameSetUp]] = {
    "decknforge": GameSetUp(
        _decknforge,
        lambda chance, session: decknforge.Player(chance, session, exact=False, hurry=chance.choice((0.1, 0.5))).line,
    ),
    "soulforger": GameSetUp(_soulforger, _answering(soulforger.value, soulforger.besides)),
    "oddfrontier": GameSetUp(_oddfrontier, lambda chance, session: oddfrontier.Player(chance, session).line),
    "solforge": GameSetUp(_solforge, _answering(solforge.value, solforge.besides)),
    **{name: _of_page(name) for name in ("commander", "treasure")},
}
