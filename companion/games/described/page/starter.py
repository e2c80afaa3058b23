"""The template for a new game: a complete page with explanatory comments."""

from __future__ import annotations

import re
from typing import Final

from companion.games.described.page.description import word_as_title
from companion.tabletop.notation.arguments import write_text

_PAGE: Final = """\
# A game on one page. Text after # is a comment; the program ignores it.
# Change a line, save, and check:  companion game check {name}.toml
# Then play it:                    companion game add {name}.toml
# Every key is explained in docs/own-games.md.

name = "{name}"          # the word for it; never change it
title = {title}
edition = 1               # increase it when the page changes
about = "Two or more people, twenty life each: the last one standing wins."
credit = ""               # the author of the game; printed on labels

# Who plays, and in which order.
[play]
players = "2-4"           # or "2", or "1-6"
order = "clockwise"       # or "together": everybody acts at the same time
first = "ask"             # the program asks who begins; or "lot", or "seat": the first seat

# The steps of a turn, with what players do with the real cards. Delete them if a turn has none.
[[steps]]
name = "draw"
do = "Draw a card."

[[steps]]
name = "play"
do = "Play what you can pay for."

# Each player has these counters. "ana -3" changes the first one.
[counters.life]
start = 20
out = "<= 0"              # a player who reaches this is out
big = true                # shown in large type
steps = [1, 5]            # the amounts of the buttons − and +

# A figure that grows by one on each turn of its player, up to ten.
[counters.coins]
each = 1
most = 10

# A token, which one player holds at a time. Delete it if your game has none.
[tokens.crown]
remind = "Draw a second card."
at = "draw"

# Lines of your own: parameters, costs and changes.
# "attack ben 3" takes 3 life from ben; SEAT and N stand for what is typed.
[actions.attack]
title = "Take life from somebody, and the crown with it."
takes = "SEAT N"
costs = {{ coins = 1 }}
does = ["add SEAT life -N", "give crown me"]
steps = ["play"]

# How the game ends. Any other ending is entered by hand: "won ana".
[end]
last-left = true

# House rules to agree on before the game; the first value is that of this page.
[house.short]
ask = "Is it to be a short game?"
values = {{ no = {{}}, yes = {{ "counters.life.start" = 10 }} }}

# Terms that players can look up during the game.
[words]
crown = "Whoever has attacked last has it, and draws a second card."

# Texts of this page in another language: each text as it stands above, and its translation.
# [language.de]
# "Draw a card." = "Zieh eine Karte."
"""


def starter_page(name: str) -> str:
    """Return the template page for a game. `name` is a word of a page, in lower case."""
    return _PAGE.format(name=name, title=write_text(word_as_title(name)))


_PAGE_NAME: Final = re.compile(r'^name\s*=\s*"[^"\n]*"', re.MULTILINE)


def copy_page(text: str, name: str) -> str:
    """Return a copy of a page under a word of its own."""
    return _PAGE_NAME.sub(f'name = "{name}"', text, count=1)
