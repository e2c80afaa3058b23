"""Monsters by the names on their cards: a creature's name can be used wherever a Monster is meant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.setup import possible_bosses
from companion.tabletop.action import Action, RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.naming import Name, best_named
from companion.tabletop.text import in_quotes
from templates.languages.messages import any_of, phrase


def with_refs(state: DungeonTable, action: Action) -> Action:
    """Replace the names of creatures in an action with the references of the Monsters that bear them.

    Raises:
        RuleError: No Monster of this table has the name, or several have.
    """
    if isinstance(action, do.Bosses) and not all(map(_is_ref, action.monsters)):
        possible = possible_bosses(state)
        return do.Bosses(tuple(find_monster(state, each, possible) for each in action.monsters))
    if isinstance(action, do.Refill | do.Escalate | do.Target) and action.minion and not _is_ref(action.minion):
        pool = [minion.ref for minion in state.minions] if isinstance(action, do.Target) else state.pool
        changes: dict[str, Any] = {"minion": find_monster(state, action.minion, pool)}
        return msgspec.structs.replace(action, **changes)
    return action


def find_monster(state: DungeonTable, word: str, likely: Iterable[Ref]) -> Ref:
    """Find the Monster that a word means: by its card (`ana:AS`), its name, or the beginning of a word of it.

    Args:
        state: The table.
        word: The word, as it was typed.
        likely: The Monsters that can be meant here; others are considered only if none of these matches.

    Raises:
        RuleError: No Monster of this table has the name, or several have.
    """
    if _is_ref(word):
        return Ref(word)
    for refs in (tuple(likely), tuple(state.monsters)):
        matches = best_named([Name(ref, state.monsters[ref].name) for ref in refs], word)
        if len(matches) == 1:
            return Ref(matches[0])
        if matches:
            raise RuleError(
                phrase(
                    "{word} could be {monsters}; write its card, as {example}.",
                    word=in_quotes(word),
                    monsters=any_of(state.monster_title(Ref(ref)) for ref in matches),
                    example=matches[0],
                )
            )
    raise RuleError(
        phrase("No Monster at this table is called {word}; write its band and card, as ana:AS.", word=in_quotes(word))
    )


def _is_ref(word: str) -> bool:
    return ":" in word
