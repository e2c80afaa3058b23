"""The template for a new game: a complete page with explanatory comments."""

from __future__ import annotations

from typing import Final

from companion.games.described.page.description import title_of
from companion.tabletop.notation.arguments import write_text

_PAGE: Final = """\
# A game on one page. What stands behind # is for you; the program does not read it.
# Change a line, save, and look:   companion game check {name}.toml
# Then play it:                    companion game add {name}.toml
# Every key is explained in docs/own-games.md.

name = "{name}"          # the word for it; keep it for good
title = {title}
edition = 1               # count it up when the page changes
about = "Two or more people, twenty life each: the last one standing wins."
credit = ""               # whose game it is; printed on labels

# Who plays, and in which order.
[play]
players = "2-4"           # or "2", or "1-6"
order = "clockwise"       # or "together", where everybody acts at the same time
first = "ask"             # who begins is asked; or "lot", or "seat" for who sat down first

# The steps of a turn, each with what is done with the real cards. Delete them if a turn has none.
[[steps]]
name = "draw"
do = "Draw a card."

[[steps]]
name = "play"
do = "Play what you can pay for."

# What everybody has. The first one is what "ana -3" means.
[counters.life]
start = 20
out = "<= 0"              # who comes to this is out
big = true                # to be read from across the table
steps = [1, 5]            # what − and + change it by

# A figure that grows at each of one's turns, up to ten.
[counters.coins]
each = 1
most = 10

# What one seat holds at a time. Delete it if nothing wanders about the table.
[tokens.crown]
remind = "Draw a second card."
at = "draw"

# Lines of your own: what somebody says, what it costs, what it changes.
# "attack ben 3" takes 3 life from ben; SEAT and N stand for what is said.
[actions.attack]
title = "Take life from somebody, and the crown with it."
takes = "SEAT N"
costs = {{ coins = 1 }}
does = ["add SEAT life -N", "give crown me"]
steps = ["play"]

# How it ends. What the page does not know, people say: "won ana".
[end]
last-left = true

# What people may agree on before they begin; the first value is what this page says.
[house.short]
ask = "Is it to be a short game?"
values = {{ no = {{}}, yes = {{ "counters.life.start" = 10 }} }}

# Words that people can look up while they play.
[words]
crown = "Whoever has attacked last has it, and draws a second card."
"""


def starter_page(name: str) -> str:
    """Return the template page for a game. `name` is a word of a page, in lower case."""
    return _PAGE.format(name=name, title=write_text(title_of(name)))
