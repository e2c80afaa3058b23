"""The lines of inscribed decks and purses: what they bring to the table, and the changes after a game."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from companion.games.described.page.campaign import CAMPAIGN
from companion.games.described.page.description import Description
from companion.tabletop.action import Action, NotationError, Questions
from companion.tabletop.constructed import table
from companion.tabletop.notation import arguments
from companion.tabletop.notation.arguments import COUNT, SEAT, TEXT, WORDS, Count, SeatName, Word, write_word
from companion.tabletop.notation.cards import read_card
from templates.languages.messages import phrase


def _read_card(word: str) -> str:
    """Return a playing card's code, or the word itself, which the page resolves as a card's name."""
    try:
        return read_card(word)
    except NotationError:
        return word


CARD: Final = Word("CARD", _read_card, write_word)
INSCRIPTION: Final = Word("INSCRIPTION", str.lower, write_word)
WORD: Final = Word("WORD", str.lower, write_word)

DeckCard = Annotated[str, CARD]


class Bears(Action, frozen=True, tag="bears"):
    """Record an inscription on a card of the deck before a seat: its permanent number, its name and its text."""

    is_quiet: ClassVar[bool] = True
    describes_deck: ClassVar[bool] = True
    seat: SeatName
    card: DeckCard
    number: Annotated[int, COUNT]
    name: Annotated[str, TEXT]
    text: arguments.Text = ""


class Lacks(Action, frozen=True, tag="lacks"):
    """Record that a card of the deck before a seat is torn up."""

    is_quiet: ClassVar[bool] = True
    describes_deck: ClassVar[bool] = True
    seat: SeatName
    card: DeckCard


class BringPurse(Action, frozen=True, tag="purse"):
    """Set what somebody brings in their purse."""

    seat: SeatName
    amount: Count


class CampaignHas(Action, frozen=True, tag="campaign-has"):
    """Record a figure of the campaign at this table, or how far it has come with a scenario or thing."""

    is_quiet: ClassVar[bool] = True
    describes_deck: ClassVar[bool] = True
    seat: ClassVar[str] = CAMPAIGN
    word: Annotated[str, WORD]
    value: Annotated[str, WORD]
    title: arguments.Text = ""


class PlayScenario(Action, frozen=True, tag="scenario"):
    """Before the game: set the scenario that is played."""

    questions: ClassVar[Questions] = {"scenario": phrase("Which scenario is played?")}
    scenario: Annotated[str, WORD]


class Inscribe(Action, frozen=True, tag="inscribe"):
    """After the game: a card of the deck before a seat gets an inscription, for ever."""

    seat: SeatName
    card: DeckCard
    inscription: Annotated[str, INSCRIPTION]


class BuyInscription(Action, frozen=True, tag="buy"):
    """After the game: a card of the deck before a seat gets an inscription for its price, paid from the purse."""

    seat: SeatName
    card: DeckCard
    inscription: Annotated[str, INSCRIPTION]


class CrossOut(Action, frozen=True, tag="cross-out"):
    """After the game: an inscription on a card of the deck before a seat is crossed out, for ever."""

    seat: SeatName
    card: DeckCard
    inscription: Annotated[str, INSCRIPTION]


class TearUp(Action, frozen=True, tag="tear-up"):
    """After the game: a card of the deck before a seat is torn up, for ever."""

    asks_twice: ClassVar[bool] = True
    seat: SeatName
    card: DeckCard


class TakeHome(Action, frozen=True, tag="take-home"):
    """After the game: somebody takes home the deck that lies before a seat, their own or another one."""

    seat: SeatName
    owner: Annotated[str, SEAT]


class Retire(Action, frozen=True, tag="retire"):
    """After the game: the deck before a seat retires; its story ends here."""

    asks_twice: ClassVar[bool] = True
    seat: SeatName


class FinishScenario(Action, frozen=True, tag="finish"):
    """After the game: a scenario of the campaign is done."""

    seat: ClassVar[str] = CAMPAIGN
    scenario: Annotated[str, WORD]


class OpenScenario(Action, frozen=True, tag="open"):
    """After the game: a scenario of the campaign is open from now on."""

    seat: ClassVar[str] = CAMPAIGN
    scenario: Annotated[str, WORD]


class Unlock(Action, frozen=True, tag="unlock"):
    """After the game: the campaign unlocks something."""

    seat: ClassVar[str] = CAMPAIGN
    thing: Annotated[str, WORD]


class SetCampaignFigure(Action, frozen=True, tag="figure"):
    """After the game: set a figure of the campaign, in place of the value of its counter."""

    seat: ClassVar[str] = CAMPAIGN
    figure: Annotated[str, WORD]
    number: Annotated[int, COUNT]


class CountOn(Action, frozen=True, tag="count"):
    """After the game: a figure of the box grows."""

    seat: SeatName
    figure: Annotated[str, WORD]
    number: Annotated[int, COUNT]


class TellStory(Action, frozen=True, tag="tell"):
    """After the game: a sentence for the story of the deck before a seat."""

    seat: SeatName
    text: Annotated[str, WORDS]


class Answered(Action, frozen=True, tag="answered"):
    """After the game: somebody has nothing (more) to answer to a question, or has done by hand what it asks."""

    seat: SeatName
    question: Annotated[str, WORD]


BROUGHT: Final[tuple[type[Action], ...]] = (Bears, Lacks)
AFTER: Final[tuple[type[Action], ...]] = (
    Inscribe,
    BuyInscription,
    CrossOut,
    TearUp,
    TakeHome,
    CountOn,
    Retire,
    TellStory,
    FinishScenario,
    OpenScenario,
    Unlock,
    SetCampaignFigure,
    Answered,
)
LINES: Final[tuple[type[Action], ...]] = (*BROUGHT, CampaignHas, PlayScenario, BringPurse, *AFTER)
"""All of these lines. A page's own lines cannot have their names."""

BY_KIND: Final[dict[str, type[Action]]] = {
    "inscribe": Inscribe,
    "buy": BuyInscription,
    "cross-out": CrossOut,
    "tear-up": TearUp,
    "take-home": TakeHome,
    "count": CountOn,
    "retire": Retire,
    "text": TellStory,
    "finish": FinishScenario,
    "open": OpenScenario,
    "unlock": Unlock,
    "figure": SetCampaignFigure,
}
"""The line that answers each kind of question; questions of the kind `do` have only `answered`."""


def lines_of(page: Description) -> tuple[type[Action], ...]:
    """Return the lines that a page needs."""
    decks = page.decks
    inscribed = decks is not None and decks.kind == "inscribed"
    kinds = {BY_KIND[question.kind] for question in page.after if question.kind in BY_KIND}
    return (
        *((table.Lists,) if decks is not None and decks.kind == "list" else ()),
        *(BROUGHT if inscribed else ()),
        *((CampaignHas,) if page.campaign else ()),
        *((PlayScenario,) if page.campaign and page.campaign.scenarios else ()),
        *((BringPurse,) if page.purse else ()),
        *(line for line in AFTER if line in kinds),
        *((Answered,) if page.after else ()),
    )
