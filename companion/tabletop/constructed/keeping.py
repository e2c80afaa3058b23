"""Constructed decks on a shelf: their boxes, stories and passports, and the services of every kept deck."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any, Final

import msgspec

from companion.tabletop import records as stories
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.founding import place_questions
from companion.tabletop.constructed.lists import DeckLists, ReadDeck
from companion.tabletop.constructed.record import record, versions
from companion.tabletop.decks.decklist import (
    DeckCard,
    change_text,
    format_deck_list,
    part_sizes,
    swap_cards,
)
from companion.tabletop.decks.form import (
    refuse_errors,
)
from companion.tabletop.decks.keeping import (
    Keeping,
    ListDraft,
    ListVersion,
    RebuildResult,
    Spots,
    Whole,
    follow,
    read_pack,
)
from companion.tabletop.decks.list_wishes import NO_WISHES, ListWishes
from companion.tabletop.records import (
    Corrected,
    Mark,
    ReasonOrText,
    describe_reason,
    effective,
)
from companion.tabletop.text import figure
from companion.tabletop.words import join_with_and
from templates.languages.messages import (
    Finished,
    Message,
    Text,
    declared,
    joined,
    listed,
    phrase,
    phrases,
)

# Spots are stored in ticks, so these words never change: "name", "holder" and "retired" are on the box, and "main Ash
# Wolf" are the copies of a card in a part of the deck.
_ON_THE_BOX: Final = ("name", "holder", "retired")
_ABSENT: Final = frozenset({"", "no", "n", "-", "none", "0"})
_MOST: Final = 1000


def spot(part: str, name: str) -> str:
    """Return the spot of the copies of a card."""
    return f"{part} {name}"


def _cards_seen(cards: Sequence[DeckCard], wrong: Spots) -> tuple[DeckCard, ...]:
    """Return a list with the number of copies that were counted; cards that it did not have are added to it."""
    listed = {spot(card.part, card.name): card for card in cards}
    counts = {where: (card, int(wrong.get(where, card.copies) or 0)) for where, card in listed.items()}
    for where, text in wrong.items():
        part, _, name = where.partition(" ")
        counts.setdefault(where, (DeckCard(part, 0, name), int(text or 0)))
    return tuple(DeckCard(card.part, copies, card.name, card.says) for card, copies in counts.values() if copies)


class _Box:
    """The box of a constructed deck."""

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Update the required texts in and on the box by one mark."""
        match mark:
            case m.Built() | m.Rebuilt():
                for where in [where for where in spots if where not in _ON_THE_BOX]:
                    del spots[where]
                spots.update({spot(card.part, card.name): str(card.copies) for card in mark.cards})
                if isinstance(mark, m.Built):
                    spots.update(_told_of(mark))
            case m.ConstructedRenamed(name):
                spots["name"] = name
            case m.ConstructedHandedOn(holder):
                spots["holder"] = holder
            case m.ConstructedRetired():
                spots["retired"] = "yes"

    def immediate_spots(self, mark: Mark) -> Spots:
        """Return the cards of a new deck, which its builder has in hand, and the texts on its box except the name.

        The name of a deck with a passport is on the box already.
        """
        if not isinstance(mark, m.Built):
            return {}
        cards = {spot(card.part, card.name): str(card.copies) for card in mark.cards}
        written = {"name": mark.name} if mark.story else {}
        return {**cards, **{where: text for where, text in _told_of(mark).items() if where != "name"}, **written}

    def text(self, where: str, value: str, mark: Mark) -> Message:  # noqa: ARG002 – the text does not depend on the mark
        """Return the chore as a sentence without a full stop."""
        match where:
            case "name":
                if value:
                    return phrase("Write {name} on the box", name=value)
                return phrase("Cross out the name on the box")
            case "holder":
                if value:
                    return phrase("Give the box to {holder}", holder=value)
                return phrase("Cross out the holder on the box")
            case "retired":
                return phrase("Write “retired” on the box") if value else phrase("Cross out “retired” on the box")
        part, _, name = where.partition(" ")
        # Translators: {part} is the word of a part of a deck: “Have 4 × Ash Wolf in main”.
        if value:
            return phrase("Have {copies} × {card} in {part}", copies=value, card=name, part=declared(part))
        return phrase("Take {card} out of {part}", card=name, part=declared(part))

    def text_if_there(self, where: str, mark: Mark) -> Text:  # noqa: ARG002 – the text does not depend on the mark
        """Return "": cards are only put into a box, and users who open it count them."""
        return ""


BOX: Final = _Box()


def _told_of(mark: m.Built) -> dict[str, str]:
    """Return the texts on the box, besides its cards."""
    return {
        "name": mark.name,
        **({"holder": mark.holder} if mark.holder else {}),
        **({"retired": "yes"} if mark.retired else {}),
    }


def story(marks: Sequence[Mark]) -> tuple[Text, ...]:
    """Return one sentence for each mark, oldest first."""
    return _DeckStory(marks).sentences()


class _DeckStory(stories.RecordStory):
    """The marks of a deck as sentences; a new version is described by its changes."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        super().__init__(marks, follow(BOX, marks).did)

    def plain(self, number: int, mark: Mark) -> Text:
        """Return the sentence of a mark."""
        match mark:
            case m.Built():
                return _list_sentence(mark)
            case m.Rebuilt():
                return self._rebuilt(number, mark)
            case m.ConstructedPlayed():
                return _match_sentence(mark)
            case m.ConstructedRenamed():
                return _renamed_sentence(mark)
            case m.ConstructedHandedOn():
                return phrase("The deck went to {holder}.", holder=mark.holder)
            case m.ConstructedRetired(by):
                return phrase("The deck retired, by {person}.", person=by) if by else phrase("The deck retired.")
        raise TypeError(mark)

    def _rebuilt(self, number: int, mark: m.Rebuilt) -> Message:
        before = versions(self._marks[: number - 1])[-1]
        values = {
            "version": str(before.version + 1),
            "changes": change_text(before.cards, mark.cards),
            "size": part_sizes(mark.cards),
        }
        # Translators: {changes} are cards that came or went, {size} is the size of the parts of the deck.
        if mark.by and mark.reason:
            return phrase(
                "Version {version}, by {person} ({reason}): {changes}; {size}.",
                person=mark.by,
                reason=describe_reason(mark.reason),
                **values,
            )
        if mark.by:
            return phrase("Version {version}, by {person}: {changes}; {size}.", person=mark.by, **values)
        if mark.reason:
            return phrase(
                "Version {version} ({reason}): {changes}; {size}.", reason=describe_reason(mark.reason), **values
            )
        return phrase("Version {version}: {changes}; {size}.", **values)


def _renamed_sentence(mark: m.ConstructedRenamed) -> Message:
    reason = describe_reason(mark.reason)
    if mark.by:
        return phrase(
            "{person} renamed the deck; it is now called {deck} ({reason}).",
            deck=mark.name,
            person=mark.by,
            reason=reason,
        )
    return phrase("The deck is now called {deck} ({reason}).", deck=mark.name, reason=reason)


def _list_sentence(mark: m.Built) -> Message:
    size = part_sizes(mark.cards)
    if mark.story:
        # Translators: {size} is the size of the parts of the deck: “60 main, 4 forge”.
        return phrase(
            "{deck} came with its passport, {marks} entries old, as version {version} with "
            "{size}; {won} won, {lost} lost, {drawn} drawn.",
            deck=mark.name,
            marks=str(mark.length - 1),
            version=str(mark.version),
            size=size,
            won=str(mark.won),
            lost=str(mark.lost),
            drawn=str(mark.draws),
        )
    if not mark.holder:
        return phrase("Somebody built {deck}: {size}.", deck=mark.name, size=size)
    return phrase("{player} built {deck}: {size}.", player=mark.holder, deck=mark.name, size=size)


def _match_sentence(mark: m.ConstructedPlayed) -> Message:
    parts = (match_text(mark), final_figures(mark), match_score(mark))
    return Finished(joined("; ", (part for part in parts if part)))


def match_text(mark: m.ConstructedPlayed) -> Message:
    """Return the match in words: `Ana won against Ben (Tide Line) with version 2 after 9 turns`"""
    values = {
        "player": mark.player,
        "others": opponents(mark) or phrase("nobody"),
        "version": str(mark.version),
    }
    # Translators: {others} are the opponents with their decks, {version} is that of the player's own deck.
    if not mark.turns:
        match mark.result:
            case "won":
                return phrase("{player} won against {others} with version {version}", **values)
            case "lost":
                return phrase("{player} lost against {others} with version {version}", **values)
            case "draw":
                return phrase("{player} drew with {others} with version {version}", **values)
    match mark.result:
        case "won":
            return phrases(
                "{player} won against {others} with version {version} after {n} turn",
                "{player} won against {others} with version {version} after {n} turns",
                n=mark.turns,
                **values,
            )
        case "lost":
            return phrases(
                "{player} lost against {others} with version {version} after {n} turn",
                "{player} lost against {others} with version {version} after {n} turns",
                n=mark.turns,
                **values,
            )
        case "draw":
            return phrases(
                "{player} drew with {others} with version {version} after {n} turn",
                "{player} drew with {others} with version {version} after {n} turns",
                n=mark.turns,
                **values,
            )


def final_figures(mark: m.ConstructedPlayed) -> Message:
    """Return the final figures of all players: `health 12, Ben health 0`; "" if they were not kept."""
    all_figures = (("", mark.final), *((each.name, each.final) for each in mark.opponents))
    sides = (
        (whose, join_with_and(joined(" ", (declared(word), figure(number))) for word, number in final.items()))
        for whose, final in all_figures
    )
    return listed(joined(" ", (whose, figures)) if whose else figures for whose, figures in sides if figures)


def match_score(mark: m.ConstructedPlayed) -> Text:
    """Return the score of a match: `game 2, best of 3: 1–1`; "" for a single game."""
    score = mark.score
    if score is None:
        return ""
    # Translators: {game} is the number of the game, {score} is games won and lost: 1–1.
    return phrase(
        "game {game}, best of {most}: {score}",
        game=str(score.game),
        most=str(score.best_of),
        score=f"{score.won}–{score.lost}",
    )


def opponents(mark: m.ConstructedPlayed) -> Message:
    """Return the opponents: `Ben (Tide Line) and Cy`"""
    return join_with_and(each.name + (f" ({each.called})" if each.called else "") for each in mark.opponents)


class PackedDeck(msgspec.Struct, frozen=True, array_like=True):
    """A deck for a passport; `cards` are part, copies, name and remarks of each line."""

    name: str
    holder: str
    version: Whole
    won: Whole
    lost: Whole
    draws: Whole
    retired: bool
    cards: tuple[tuple[str, Whole, str, tuple[str, ...]], ...]
    omitted: tuple[str, ...] = ()


class ConstructedKeeping(Keeping):
    """See `companion.tabletop.decks.keeping.Keeping`; `lists` are those of the game of these decks."""

    example = "main Ash Wolf: 4"
    spots = BOX
    correction = m.ConstructedCorrected

    def __init__(self, lists: DeckLists) -> None:
        self._lists = lists
        self.game = lists.game

    def spot_order(self, marks: Sequence[Mark]) -> Callable[[str], int]:
        """Return the sort key: the box, then its cards in the order of the list, newest list first."""
        listed = [spot(card.part, card.name) for version in versions(marks)[::-1] for card in version.cards]
        order = {name: place for place, name in enumerate(dict.fromkeys((*_ON_THE_BOX, *listed)))}
        return lambda name: order.get(name, len(order))

    def describe_spot(self, spot: str, text: str) -> tuple[Text, Text]:
        """See `Keeping.describe_spot`: `("main Ash Wolf", "4")`."""
        if spot == "holder":
            return phrase("{holder} holds it", holder=text), ""
        return phrase("On the box") if spot in _ON_THE_BOX else spot, text

    def read_spot(self, text: str) -> str:
        """Read a spot: `Main Ash Wolf` → `main Ash Wolf`"""
        if text.strip().lower() in _ON_THE_BOX:
            return text.strip().lower()
        part, _, name = text.strip().partition(" ")
        if not name.strip():
            raise NotationError(
                phrase("“{text}”: write which card in which part of the deck, as in `main Ash Wolf`.", text=text)
            )
        return spot(part.lower(), " ".join(name.split()))

    def spot_value(self, spot: str, text: str) -> str:
        """Return a number of copies, a name, or `yes`."""
        if text.lower() in _ABSENT:
            return ""
        if spot == "retired":
            return "yes"
        if spot in _ON_THE_BOX:
            return text
        if not (text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST)) and int(text) <= _MOST):
            raise RuleError(
                phrase(
                    "{spot}: how many copies are there? “{text}” is not a number up to {most}.",
                    spot=spot,
                    text=text,
                    most=str(_MOST),
                )
            )
        return str(int(text))

    def corrections(self, marks: Sequence[Mark], seen: Spots, reason: ReasonOrText, by: str) -> Iterator[Mark]:
        """Yield a mark for each difference on the box, and one new version for all differences in the cards."""
        should = follow(BOX, marks).should
        wrong = {where: text for where, text in seen.items() if text != should.get(where, "")}
        for where, text in wrong.items():
            if where in _ON_THE_BOX:
                yield self._on_the_box(marks, where, text, reason, by)
        if cards := {where: text for where, text in wrong.items() if where not in _ON_THE_BOX}:
            yield m.Rebuilt(_cards_seen(versions(marks)[-1].cards, cards), reason, by)

    def _on_the_box(self, marks: Sequence[Mark], where: str, text: str, reason: ReasonOrText, by: str) -> Mark:
        if where == "name":
            return self.rename_record(marks, text, reason, by)
        if where == "holder":
            if not text:
                raise RuleError(phrase("Every box has a holder; enter who it is."))
            return m.ConstructedHandedOn(text)
        if text:
            return m.ConstructedRetired(by)
        retired = [number for number, mark in effective(marks) if isinstance(mark, m.ConstructedRetired)]
        if not retired:
            number = next(number for number, mark in effective(marks) if isinstance(mark, m.Built))
            raise RuleError(
                phrase("The deck came with a passport that says it has retired (entry {number}).", number=str(number))
            )
        return m.ConstructedCorrected(retired[-1], reason, by)

    def check_correction(self, marks: Sequence[Mark], correction: Corrected) -> None:
        """Raise RuleError for the first mark; any other mark can be taken back."""
        if not versions([*marks, correction]) or correction.of == 1:
            raise RuleError(phrase("The founding of a deck cannot be undone; retire the deck instead."))

    def rename_record(self, marks: Sequence[Mark], name: str, reason: ReasonOrText, by: str = "") -> Mark:  # noqa: ARG002
        """Return the mark for a new name, which may not be empty."""
        if not name.strip():
            raise RuleError(phrase("A deck needs a name."))
        return m.ConstructedRenamed(" ".join(name.split()), reason, by)

    def retire_record(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """Return the mark that retires the deck; it leaves no heirloom."""
        deck = record(self.game, marks)
        if deck.retired:
            raise RuleError(phrase("{deck} has retired already.", deck=deck.name))
        if heirloom:
            raise RuleError(phrase("{deck} leaves no heirloom; its cards stay where they are.", deck=deck.name))
        return m.ConstructedRetired(by)

    def rebuild_record(self, marks: Sequence[Mark], text: str, reason: ReasonOrText, by: str = "") -> RebuildResult:
        """Return the mark for a new list, the next version. Raises RuleError if it equals the present list."""
        deck, new_list = record(self.game, marks), self._lists.read(text)
        warnings = refuse_errors(new_list.findings)
        if deck.cards == new_list.cards:
            raise RuleError(
                phrase(
                    "{deck} has exactly this list already, as version {version}.",
                    deck=deck.name,
                    version=str(deck.version),
                )
            )
        return RebuildResult(m.Rebuilt(new_list.cards, reason, by), warnings)

    def draft_list(
        self, marks: Sequence[Mark], text: str, swaps: Sequence[str] = (), wishes: ListWishes = NO_WISHES
    ) -> ListDraft:
        """Return the list as read, or the present one, after the swaps; a new card goes into its first part."""
        before = record(self.game, marks).cards
        new_list = self._lists.read(text, wishes) if text else ReadDeck(before, ())
        unreadable = tuple(each for each in new_list.findings if each.unreadable)
        if swaps or not text:
            part = new_list.cards[0].part if new_list.cards else self._lists.parts[0]
            cards = swap_cards(new_list.cards, swaps, part)
            written = format_deck_list(self.game, sorted(cards, key=lambda card: self._lists.parts.index(card.part)))
            findings = (*unreadable, *self._lists.read(written).findings)
        else:
            cards, findings = new_list.cards, place_questions(new_list.findings, new_list.open_sections)
            # A text that is not clear stays as it is, so that it is refused.
            written = text if unreadable else format_deck_list(self.game, cards)
        unclear = new_list.open_sections, new_list.unread
        return ListDraft(written, cards, before, findings, new_list.summary, *unclear, self._lists.parts)

    def lists(self, marks: Sequence[Mark]) -> tuple[ListVersion, ...]:
        """Return all versions."""
        return versions(marks)

    def pack_record(self, marks: Sequence[Mark]) -> Iterator[PackedDeck]:
        """Yield the whole deck, then the deck without remarks, then without cards."""
        deck = record(self.game, marks)
        whole = tuple((card.part, card.copies, card.name, card.says) for card in deck.cards)
        named = tuple((part, copies, name, ()) for part, copies, name, _ in whole)
        for cards, omitted in ((whole, ()), (named, ("says",)), ((), ("says", "cards"))):
            yield PackedDeck(
                deck.name, deck.holder, deck.version, deck.won, deck.lost, deck.draws, deck.retired, cards, omitted
            )

    def unpack_record(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """Return the first mark of a deck from a passport."""
        pack = read_pack(content, PackedDeck)
        fields = msgspec.structs.asdict(pack) | {"cards": tuple(DeckCard(*card) for card in pack.cards)}
        return (m.Built(**fields, by=by, story=story, length=length),)
