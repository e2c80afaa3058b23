"""Settings of rehearsed duels as they may be: lists drawn at random, temperaments and house rules, by their seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from companion.games import registry
from companion.games.oddfrontier.rules.deck_list import TYPES
from companion.games.solforge.rules import keywords as solforge_keywords
from companion.games.soulforger.rules import keywords as soulforger_keywords
from companion.tabletop.constructed.rehearsal import DuelRehearsal, SimulatedDuel
from companion.tabletop.rehearsal import Chance, RehearsalSetting
from tests.games.constructed import decks

TEMPERAMENTS: Final = ("random", "greedy", "careful")
_WORDS: Final = ("Ana", "Battle", "Among", "Level 2", "Level", "Über-Wolf", 'The "Big" One', "Pay", "None", "Draw")
NAMES: Final = (*decks.NAMES, *_WORDS)
"""Also such as mean something else in a line."""


def rehearsal_of(game: str) -> DuelRehearsal:
    """What a game of duels gives to be rehearsed."""
    rehearsal = registry.game(game).rehearsal
    assert isinstance(rehearsal, DuelRehearsal)
    return rehearsal


def solforge_list(chance: Random) -> str:
    """Creatures that grow or do not, with any keywords, and spells."""
    lines = ["solforge main"]
    for name in chance.sample(NAMES, chance.randint(4, 12)):
        flags = [flag for flag in ("free", "overload") if chance.random() < 0.15]
        if chance.random() < 0.2:
            lines.append(" | ".join((f"{chance.randint(1, 3)} {name}", "spell", *flags)))
            continue
        which = sorted(chance.sample((1, 2, 3), chance.randint(1, 3)))
        levels = [f"level {level} {_figures(chance, 6 * level)}{_keywords(chance)}" for level in which]
        lines.append(" | ".join((f"{chance.randint(1, 3)} {name}", "creature", *flags, *levels)))
    return "\n".join(lines)


def _figures(chance: Random, most: int) -> str:
    return f"{chance.randint(0, most)}/{chance.randint(1, most)}"


def _keywords(chance: Random) -> str:
    words = chance.sample([*solforge_keywords.KEYWORDS], chance.choice((0, 0, 1, 3)))
    numbered = [
        f"{word}={chance.randint(1, 3)}" if solforge_keywords.KEYWORDS[word].numbered else word for word in words
    ]
    return f" has {' '.join(numbered)}" if numbered else ""


def oddfrontier_list(chance: Random) -> str:
    """Engines, creatures at any cost, and cards of every other type; some whose figures nobody has said."""
    lines = ["oddfrontier main"]
    for name in chance.sample(NAMES, chance.randint(6, 15)):
        kind = chance.choice(("engine", "engine", "creature", "creature", "creature", *TYPES))
        says = [kind]
        if kind == "creature":
            figures = (f"{chance.randint(0, 40)}/{chance.randint(1, 12)}",) if chance.random() < 0.9 else ()
            says += ["Beast", *figures, *(("first-assault",) if chance.random() < 0.3 else ())]
        if kind != "engine" and chance.random() < 0.8:
            says.append(f"cost {chance.randint(0, 5)}")
        lines.append(" | ".join((f"{chance.randint(1, 4)} {name}", *says)))
    return "\n".join(lines)


def soulforger_list(chance: Random) -> str:
    """Creatures with any keywords and costs, Actions, a Forge Deck and gear; some whose figures nobody has said."""
    lines = ["soulforger main"]
    for name in chance.sample(NAMES, chance.randint(6, 15)):
        if chance.random() < 0.25:
            speed = f"speed {chance.choice(('normal', 'instinct', 'reaction'))}"
            more = (speed, *(("lingering",) if chance.random() < 0.3 else ()), *_faction(chance), *_cost(chance))
            lines.append(
                " | ".join((f"{chance.randint(1, 4)} {name}", "action", f"ronum {chance.randint(0, 4)}", *more))
            )
            continue
        figures = [f"ronum {chance.randint(0, 4)}", f"power {_pair(chance)}", f"endurance {chance.randint(1, 6)}"]
        says = [figure for figure in figures if chance.random() < 0.95]
        says += [f"xp {chance.randint(1, 3)}", *_faction(chance), *_soul_keywords(chance), *_cost(chance)]
        lines.append(" | ".join((f"{chance.randint(1, 4)} {name}", "creature", *says)))
    lines.append("soulforger forge")
    for kind in ("weapon", "weapon", "armor", "accessory", "accessory"):
        says = [kind, f"ronum {chance.randint(0, 4)}", *_faction(chance), *_soul_keywords(chance), *_cost(chance)]
        weapon = (f"power {_pair(chance)}", f"hands {chance.randint(1, 2)}") if kind == "weapon" else ()
        lines.append(" | ".join((f"{chance.randint(1, 2)} Piece {len(lines)}", *says, *weapon)))
    lines += [
        "soulforger gear",
        f"Old Blade | weapon | starting | power {_pair(chance)} | hands {chance.randint(1, 2)}",
    ]
    lines += ["Old Coat | armor | starting", "Old Ring | accessory | starting"]
    return "\n".join(lines)


def _pair(chance: Random) -> str:
    return f"{chance.randint(0, 6)}/{chance.randint(0, 4)}"


def _soul_keywords(chance: Random) -> tuple[str, ...]:
    words = chance.sample([*soulforger_keywords.KEYWORDS], chance.choice((0, 0, 1, 2)))
    return (f"keywords {' '.join(words)}",) if words else ()


def _faction(chance: Random) -> tuple[str, ...]:
    return (f"faction {chance.choice(soulforger_keywords.FACTIONS)}",) if chance.random() < 0.4 else ()


def _cost(chance: Random) -> tuple[str, ...]:
    return (f"cost {chance.choice((1, 2, 5, '1 creature'))}",) if chance.random() < 0.2 else ()


LISTS: Final[Mapping[str, Callable[[Random], str]]] = {
    "solforge": solforge_list,
    "oddfrontier": oddfrontier_list,
    "soulforger": soulforger_list,
}
"""Of each game of duels that can be rehearsed."""


def house_rules(game: str, chance: Random) -> Iterator[tuple[str, str]]:
    """Some house rules, with values that they can have."""
    for rule in registry.game(game).house.all():
        if rule.values and rule.key not in ("track", "draws") and chance.random() < 0.3:
            yield rule.key, chance.choice(rule.values)


def a_setting(game: str, seed: int) -> RehearsalSetting:
    """Two lists drawn at random, two temperaments, and some house rules."""
    chance = Random(f"{game} {seed}")
    decks = tuple(LISTS[game](chance) for _ in range(chance.choice((1, 2, 2))))
    who = tuple(chance.choices(TEMPERAMENTS, k=2))
    return RehearsalSetting(game, 2, tuple(sorted(house_rules(game, chance))), who, decks=decks)


def play(setting: RehearsalSetting, seed: int, number: int = 0) -> SimulatedDuel:  # type: ignore[type-arg]
    """One game, with its lines."""
    rehearsal = rehearsal_of(setting.game)
    rehearsal.check(setting)
    duel = rehearsal.begin(setting, Chance(seed, number), keep_lines=True)
    duel.play()
    return duel
