"""Private hands: the cards that a player holds, displayed only on the phone of their seat.

A hand is what its owner has entered, without the cards that the log has named since: those played, and those now known
to everyone. It answers nothing by itself and no rule reads it. Cards that are shown to others are written to the log.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final, NamedTuple

from companion.archive.web_access import Hand
from companion.session.core.session import Session
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import CARD
from companion.tabletop.notation.cards import JOKERS, PACK, RANKS, SUITS, Card, pretty, read_card
from companion.tabletop.notation.notation import grammar
from companion.tabletop.table.common_actions import DECKS, LOG, REVISIONS, Note
from companion.tabletop.text import as_name
from templates.languages.messages import phrase

MAX_CARDS: Final = 60
"""The most cards in a hand."""
_BETWEEN: Final = re.compile(r"[,;\n]")
_APART: Final = re.compile(r"[\s_-]+")


class HandCard(NamedTuple):
    """A card as a page displays it: its name, the one word that is sent for it, and whether it answers a question."""

    card: str
    name: str
    fits: bool = False

    @property
    def key(self) -> str:
        """One word for the card, independent of its spelling."""
        return key_of(self.card)


class HandOnPage(NamedTuple):
    """A hand on its owner's page.

    `cards` are those held, first those that answer an open question. To enter another hand, the page has the `pack`, a
    row for each suit, if the game is played with one, else the `typed` text.
    """

    cards: tuple[HandCard, ...]
    pack: tuple[tuple[HandCard, ...], ...]
    typed: str

    def has(self, card: str) -> bool:
        """Return True if a card of the pack is in the hand."""
        return any(each.card == card for each in self.cards)


def plays_with_pack(game: Game) -> bool:
    """Return True if actions of the game name cards of a pack."""
    arguments = (argument for action in game.actions for argument in grammar(action).arguments)
    return any(CARD in (argument.kind, getattr(argument.kind, "item", None)) for argument in arguments)


def read_hand(text: str, session: Session, seat: str) -> tuple[str, ...]:
    """Parse the cards that a player has typed or tapped: cards of a pack separated by spaces, other names by commas.

    Raises NotationError, or RuleError for a card that cannot be in the hand of this seat now.
    """
    game = session.game
    if plays_with_pack(game):
        cards: tuple[str, ...] = tuple(dict.fromkeys(map(read_card, _BETWEEN.sub(" ", text).split())))
    else:
        cards = tuple(as_name(name, phrase("A card")) for name in map(str.strip, _BETWEEN.split(text)) if name)
    if len(cards) > MAX_CARDS:
        raise NotationError(
            phrase("A hand has at most {most} cards; these are {cards}.", most=MAX_CARDS, cards=len(cards))
        )
    for card in cards:
        game.check_held(session.state, seat, card)
    return tuple(cards)


def can_be_held(card: str, session: Session, seat: str) -> bool:
    """Return False if the rules exclude a card from the hand of a seat now."""
    try:
        session.game.check_held(session.state, seat, card)
    except RuleError:
        return False
    return True


def cards_left(hand: Hand, session: Session, seat: str) -> tuple[str, ...]:
    """Return the cards of a hand that no line of its seat has named since it was entered."""
    if not hand.cards:
        return ()
    actions = (moment.action for moment in session.moments() if moment.number > hand.length)
    return divide(hand.cards, (key_of(word) for action in actions for word in _possible_card_words(action, seat)))[1]


def divide(cards: Iterable[str], keys: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split a hand into the cards chosen by their keys, with multiplicity, and the others."""
    wanted = Counter(keys)
    chosen: list[str] = []
    others: list[str] = []
    for card in cards:
        is_chosen = wanted[key_of(card)] > 0
        wanted[key_of(card)] -= is_chosen
        (chosen if is_chosen else others).append(card)
    return tuple(chosen), tuple(others)


def show_hand(cards: Iterable[str], session: Session, seat: str, playable: Collection[str] = ()) -> HandOnPage:
    """Return a hand for its owner's page, with the cards of the pack that can be in it.

    `playable` are the keys of the cards that answer an open question; these come first.
    """
    cards = tuple(cards)
    on_page = [_on_page(card)._replace(fits=key_of(card) in playable) for card in cards]
    if all(card.fits for card in on_page):
        # Then the mark says nothing.
        on_page = [card._replace(fits=False) for card in on_page]
    on_page.sort(key=_comes_later)
    rows = _pack_rows() if plays_with_pack(session.game) else ()
    fitting = (tuple(one for one in row if can_be_held(one.card, session, seat)) for row in rows)
    pack = tuple(filter(None, fitting))
    return HandOnPage(tuple(on_page), pack, ", ".join(cards))


def _comes_later(card: HandCard) -> bool:
    return not card.fits


def describe_shown(name: str, cards: Iterable[str]) -> Note:
    """Return the note for the log when a player shows cards of their hand. Raises NotationError if there are none."""
    names = " and ".join(_on_page(card).name for card in cards)
    if not names:
        raise NotationError(phrase("Choose the cards to show first."))
    return Note(f"{name} shows {names}")


def _possible_card_words(action: Action, seat: str) -> Iterator[str]:
    """Yield the words of a seat's action that can be cards of its hand."""
    if isinstance(action, REVISIONS):
        action = action.action
    if isinstance(action, (*LOG, *DECKS, Note)) or getattr(action, "seat", "") != seat:
        return
    for field in action.__struct_fields__:
        value: Any = getattr(action, field)
        yield from (str(each) for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, str))


def key_of(name: str) -> str:
    """Return one word for a card, independent of its spelling."""
    return _APART.sub("_", name.strip()).casefold()


def _on_page(card: str) -> HandCard:
    return HandCard(card, pretty(Card(card)) if card in PACK else card)


def _pack_rows() -> Iterator[tuple[HandCard, ...]]:
    """Yield a row for each suit, and one for the jokers."""
    for suit in SUITS:
        yield tuple(_on_page(f"{rank}{suit}") for rank in RANKS[::-1])
    yield tuple(map(_on_page, JOKERS))
