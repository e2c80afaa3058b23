"""Somebody who plays Odd Frontier without a plan: answers what the table asks, and says other things now and then."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.state import PHASES, FrontierTable
from companion.games.oddfrontier.table.view import CREATURE_GAUGES, SEAT_GAUGES, TABLE_GAUGES
from companion.session.core.session import Session
from companion.tabletop.action import Action
from companion.tabletop.notation.notation import grammar, write
from companion.tabletop.table.choices import Open, choices
from companion.tabletop.table.common_actions import Concede, Next
from companion.tabletop.table.table import Draft

NAMES: Final = ("Bolt", "Mist", "Old Song")
WIDEST: Final = 6
_WEIGHTS: Final[dict[type[Action], float]] = {
    do.Keep: 8,
    Next: 8,
    do.Resolve: 8,
    do.Discard: 8,
    do.Engine: 6,
    do.Summon: 8,
    do.Attack: 25,
    do.Block: 30,
    do.Split: 15,
    do.Fight: 6,
    do.Queue: 0.5,
    do.Wound: 0.5,
}
"""How much likelier than others a question is answered."""


class Player:
    """Draws lines from one seed. `hurry` is the most that one wound takes."""

    def __init__(self, chance: Random, session: Session, hurry: int = 30) -> None:
        self.chance = chance
        self.session = session
        self.hurry = hurry

    @property
    def state(self) -> FrontierTable:
        """The table now."""
        state: FrontierTable = self.session.state
        return state

    def line(self) -> str:
        """What is said next; it may be against the rules."""
        if self.state.phase == "setup":
            return self.chance.choice(("redo", "redo", "begin seed 7"))
        roll = self.chance.random()
        if roll < 0.04:
            return self.chance.choice(("undo", "undo", "redo"))
        if roll < 0.07:
            return self._by_hand()
        if roll < 0.12:
            return self._out_of_turn()
        if roll < 0.13:
            return f"amend {self.chance.randint(3, len(self.session.log.lines))} {self._answer()}"
        return self._answer()

    def _answer(self) -> str:
        """An answer to one of the prompts, completed; creatures attack and block more often."""
        prompts = self.session.view().prompts
        if not prompts:
            return "undo"
        (prompt,) = self.chance.choices(prompts, [_WEIGHTS.get(prompt.answer.action, 1) for prompt in prompts])
        return self._completed(self.chance.choice(prompt.answers))

    def _completed(self, draft: Draft) -> str:
        """A draft as a whole line: its missing fields chosen, and sometimes one that need not be said."""
        while draft.missing:
            field = draft.missing[0].field
            value = self._value(draft, field)
            if value is None:
                return "next"
            draft = draft.having(field, value)
        optional = [each.field for each in grammar(draft.action).arguments if each.field not in draft.given]
        if optional and self.chance.random() < 0.5:
            field = self.chance.choice(optional)
            value = self._value(draft, field)
            draft = draft if value is None else draft.having(field, value)
        return write(draft.build())

    def _value(self, draft: Draft, field: str) -> Any:
        """Any value that fits, or now and then one that does not; None where nothing can be chosen."""
        options = choices(self.session.game, self.state, draft, field)
        if isinstance(options, Open):
            return self._open(draft, field, options)
        return self.chance.choice(options).value if options else None

    def _open(self, draft: Draft, field: str, open_: Open) -> Any:
        if open_.fitting and self.chance.random() < 0.85:
            return self.chance.choice(open_.fitting).value
        if field == "figures":
            return self.chance.randint(0, 9), self.chance.randint(0, 9)
        if field == "change":
            return self.chance.randint(-4, 4), self.chance.randint(-2, 4)
        if field == "name":
            return self.chance.choice(NAMES)
        if field == "shares":
            return self._shares(draft, open_)
        if field == "wounds":
            seats = self.chance.choices([player.seat for player in self.state.players], k=self.chance.choice((1, 1, 2)))
            return tuple((seat, self.chance.randint(0, self.hurry)) for seat in seats)
        if isinstance(open_.example, int) and open_.least is not None:
            return self.chance.randint(open_.least, min(open_.least + WIDEST, (open_.most or WIDEST) + 1))
        return open_.example

    def _shares(self, draft: Draft, open_: Open) -> tuple[tuple[str, int], ...]:
        left, shares = sum(share for _, share in open_.example), []
        blockers = [blocker.handle for blocker in self.state.blockers(draft.given["handle"])]
        self.chance.shuffle(blockers)
        for handle in blockers[:-1]:
            shares.append((handle, self.chance.randint(0, left)))
            left -= shares[-1][1]
        return (*shares, (blockers[-1], left)) if blockers else (("nobody", left),)

    def _out_of_turn(self) -> str:
        """Any action, of anybody and anything."""
        draft = Draft(self.chance.choice((*do.TURN, *do.EFFECTS, do.Mulligan, do.Keep)))
        if self.chance.random() < 0.02:
            draft = Draft(Concede)
        for argument in draft.missing:
            draft = draft.having(argument.field, self._any(draft, argument.field))
        return write(draft.build())

    def _any(self, draft: Draft, field: str) -> Any:
        seats = [player.seat for player in self.state.players]
        handles = [permanent.handle for permanent in self.state.permanents] or ["nothing"]
        if field in ("cards", "energy", "amount", "engines"):
            return self.chance.randint(0, 9)
        if field == "figures":
            return self.chance.randint(0, 9), self.chance.randint(0, 9)
        if field == "change":
            return self.chance.randint(-4, 4), self.chance.randint(-2, 4)
        if field == "shares":
            return tuple((handle, self.chance.randint(0, 4)) for handle in self.chance.sample(handles, 1))
        if field == "wounds":
            return ((self.chance.choice(seats), self.chance.randint(0, self.hurry)),)
        if field == "name":
            return self.chance.choice(NAMES)
        if field == "keyword":
            return self.chance.choice((do.FIRST_ASSAULT, "flight"))
        if field in ("what", "target"):
            return self.chance.choice((*seats, *handles))
        if field == "seat":
            return self.chance.choice(seats)
        is_new = draft.action in (do.Summon, do.PlayPermanent, do.Token) and self.chance.random() < 0.8
        return f"thing-{len(self.state.handles)}" if is_new else self.chance.choice(handles)

    def _by_hand(self) -> str:
        """The table is right: counters set by hand."""
        seat = self.chance.choice(self.state.players).seat
        some = self.chance.randint
        if self.state.permanents and self.chance.random() < 0.4:
            handle = self.chance.choice(self.state.permanents).handle
            counter = self.chance.choice([gauge.name for gauge in CREATURE_GAUGES])
            return f"set {handle} {counter} {'yes' if counter == 'cranked' else some(0, 9)}"
        if self.chance.random() < 0.3:
            counter = self.chance.choice([gauge.name for gauge in TABLE_GAUGES])
            values = {
                "phase": self.chance.choice(PHASES),
                "active": seat,
                "outcome": self.chance.choice((seat, "none")),
            }
            return f"set table {counter} {values.get(counter, some(0, 5))}"
        counter = self.chance.choice([gauge.name for gauge in SEAT_GAUGES])
        return self.chance.choice((f"set {seat} {counter} {some(0, 9)}", f"add {seat} {counter} {some(-9, 9):+d}"))
