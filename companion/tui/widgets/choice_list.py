"""What a place in a form can be answered with: the choices that fit what is typed, and which of them is chosen.

Separate from the form, which says what is asked and takes what is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from companion.games.choices import Candidates, Choice, Open
from companion.tui import drawing
from companion.tui.textual_private.faults import FaultTolerant


class ChoiceList(FaultTolerant, OptionList, can_focus=False):
    """`candidates` are what there is to choose among, `choices` those of them that fit, a row each."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        super().__init__(id=id)
        self.candidates: Candidates = ()
        self.choices: list[Choice] = []

    @property
    def chosen(self) -> Choice | None:
        """The highlighted choice."""
        return None if self.highlighted is None else self.choices[self.highlighted]

    @property
    def is_open(self) -> bool:
        """Whether something else than a choice may be typed, too."""
        return isinstance(self.candidates, Open)

    @property
    def wanted(self) -> str:
        """What may be typed, where the candidates say it."""
        return self.candidates.what if isinstance(self.candidates, Open) else ""

    @property
    def takes_first(self) -> bool:
        """Whether Enter alone takes the first choice: nothing is a row of its own then."""
        return any(choice.value == "" for choice in self.choices)

    def forget(self) -> None:
        """Nothing can be chosen until it is known what."""
        self.candidates, self.choices = (), []
        self.clear_options()
        self.display = False

    def fit(self, said: str, *, is_typed: bool) -> None:
        """Show what fits; what `is_typed`, and was not there before, leads to the first of what must be chosen."""
        typed = said if is_typed else ""
        fitting = _fitting(listed(self.candidates), typed)
        if fitting == self.choices:
            return  # what somebody has gone to with the arrows stays chosen
        self.choices = fitting
        self.set_options([Option(_row(choice)) for choice in fitting])
        self.display = bool(fitting)
        same = [at for at, choice in enumerate(fitting) if said and str(choice.value) == said]
        takes_first = (typed and not self.is_open) or (not said and self.takes_first)
        self.highlighted = same[0] if same else 0 if takes_first and fitting else None

    def step(self, by: int) -> None:
        """Up and down; from the first choice up to none of them, where what is typed counts."""
        last, at = len(self.choices) - 1, self.highlighted
        if by < 0 and at is None:
            return
        wanted = by - 1 if at is None else at + by
        self.highlighted = None if wanted < 0 or last < 0 else min(wanted, last)


def listed(candidates: Candidates) -> Iterable[Choice]:
    """Those that can be listed."""
    return candidates.known if isinstance(candidates, Open) else candidates


def _fitting(offered: Iterable[Choice], typed: str) -> list[Choice]:
    """The choices that hold every word typed, those first that begin so."""
    words = typed.casefold().split()
    found = [choice for choice in offered if all(word in f"{choice.value} {choice.title}".casefold() for word in words)]
    return sorted(found, key=lambda choice: not _begins(choice, typed.casefold()))


def _begins(choice: Choice, typed: str) -> bool:
    return str(choice.value).casefold().startswith(typed) or choice.title.casefold().startswith(typed)


def _row(choice: Choice) -> Content:
    value, title = str(choice.value), drawing.single(choice.title)
    same = not title or title.casefold().replace(" ", "-").startswith(value.casefold().replace(" ", "-"))
    named = Content.assemble((title or value, "bold"), *([] if same else [(f"  {value}", drawing.DIM)]))
    return named + Content.assemble((f"  {drawing.single(choice.detail)}" if choice.detail else "", drawing.DIM))
