"""Which sheet a printer is fed with first, and how: what somebody with labels in hand wants to know.

Separate because it speaks of paper in a tray, where runs speak of positions.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from labels.paper import paper, usable
from labels.plan import ImposedSheet, Plan
from labels.stocks import Stock

_HOW = (
    "One sheet at a time, from the manual tray if there is one, lying as plain paper does; an arrow drawn on plain "
    "paper shows which side is printed and which end is the top."
)


def feeding(plan: Plan) -> tuple[str, ...]:
    """What to put into the printer, in its order, and which way round, a sentence or two each."""
    stock = plan.stock
    if stock.roll:
        width, height = (stock.height, stock.width) if stock.turned else (stock.width, stock.height)
        turned = ", turned" if stock.turned else ""
        return (
            f"Put in the roll {stock.name}, and choose {width:g} × {height:g} {stock.unit}{turned} as paper: each "
            "label is a page. A roll needs no calibration, and nobody keeps count of it.",
        )
    first, *others = _sheets(plan.sheets, stock)
    return f"Feed first {first}{''.join(f', then {other}' for other in others)}.", _HOW


def _sheets(sheets: Sequence[ImposedSheet], stock: Stock) -> Iterator[str]:
    for told, group in groupby(_sheet(sheet, stock) for sheet in sheets):
        count = len(list(group))
        yield told if count == 1 else f"{count} fresh sheets of {stock.name}"


def _sheet(sheet: ImposedSheet, stock: Stock) -> str:
    """One sheet, by its name where it has one, and whether it is half used."""
    used = stock.count - len(sheet.before)
    if sheet.name:
        return f"the sheet “{sheet.name}” ({used} of {stock.count} used)" if used else f"the fresh sheet “{sheet.name}”"
    return (
        f"a half-used sheet of {stock.name} ({used} of {stock.count} used)"
        if used
        else f"a fresh sheet of {stock.name}"
    )


def other_paper(stock: Stock, usual: str) -> str:
    """What to mind where a stock's page is not the paper that is usual here; "" where it is, or none is said."""
    if stock.roll or not usable(usual) or stock.paper.fits(own := paper(usual)):
        return ""
    return (
        f"These labels are on {stock.paper.title}, and your paper is {own.title}: choose {stock.paper.title} where you "
        "print, or everything is scaled."
    )
