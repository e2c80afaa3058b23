"""Names that are suggested: made of the words that stand as data beside a game, in an order that a seed decides."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import product
from random import Random

from companion.tabletop.text import visible_form


def suggest_name(package: str, game: str, kind: str, seed: str, current: str = "", others: Collection[str] = ()) -> str:
    """The name that comes after the `current` one in the order of this seed, the first where that is none of them.

    `kind` is the list of the game's file of names in the data `package`. The same seed gives the same names in the same
    order; one of the `others` is never among them, and the current one only where there is no other. "" without a list.
    """
    names = list(_all_names(package, game, kind))
    Random(seed).shuffle(names)
    at = names.index(current) + 1 if current in names else 0
    others_forms = set(map(visible_form, others))
    return next((name for name in (*names[at:], *names[:at]) if visible_form(name) not in others_forms), "")


@cache
def _all_names(package: str, game: str, kind: str) -> tuple[str, ...]:
    # Loaded for the first name that somebody asks for.
    import tomllib
    from importlib import resources

    file = resources.files(package).joinpath("names", f"{game}.toml")
    patterns = tomllib.loads(file.read_text("utf-8")).get(kind, []) if file.is_file() else []
    return tuple(dict.fromkeys(" ".join(words) for pattern in patterns for words in product(*pattern["parts"])))
