"""Name suggestions, made of the words in a game's data, in the reader's language and an order that a seed decides."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from functools import cache
from importlib import resources
from itertools import product
from random import Random

from companion.tabletop.text import visible_form
from templates.languages.messages import current_language


def suggest_name(package: str, game: str, kind: str, seed: str, current: str = "", others: Collection[str] = ()) -> str:
    """Return the name after the `current` one in the order of this seed, or the first if `current` is not a suggestion.

    `kind` is a list in the game's file of names in the data `package`. The same seed gives the same order. Names in
    `others` are skipped; the current one is returned only if there is no other. Returns "" without a list. A game
    without words in the reader's language suggests English names.
    """
    names = list(_all_names(package, game, kind, current_language().code))
    Random(seed).shuffle(names)
    at = names.index(current) + 1 if current in names else 0
    others_forms = set(map(visible_form, others))
    return next((name for name in (*names[at:], *names[:at]) if visible_form(name) not in others_forms), "")


@cache
def _all_names(package: str, game: str, kind: str, language: str) -> tuple[str, ...]:
    names = resources.files(package).joinpath("names")
    own, english = names.joinpath(f"{game}.{language}.toml"), names.joinpath(f"{game}.toml")
    file = own if own.is_file() else english
    patterns = tomllib.loads(file.read_text("utf-8")).get(kind, []) if file.is_file() else []
    return tuple(
        dict.fromkeys(each.get("join", " ").join(words) for each in patterns for words in product(*each["parts"]))
    )
