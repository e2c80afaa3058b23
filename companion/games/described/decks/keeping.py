"""Inscribed decks in storage: the spots on their cards and boxes, their stories, and their passports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from companion.games.described import records as m
from companion.games.described.page.book import DescribedBook, card_title
from companion.games.described.page.description import Description, title_of
from companion.games.described.records import PLAYED, WON, Borne, InscribedRecord, record
from companion.tabletop import records as stories
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.keeping import Keeping, Spots, Whole, follow, read_pack
from companion.tabletop.records import (
    Chore,
    Corrected,
    HandedOn,
    Mark,
    ReasonOrText,
    Renamed,
    Retired,
    describe_reason,
    effective,
)
from companion.tabletop.table.match_result import Result
from companion.tabletop.text import figure, quantity, quote_text

# Spots are stored in ticks and passports, so these words are permanent: "name", "box", "holder" and "retired" are on
# the box, "9S #7" is the inscription with the number 7 on a card (its value is the number of copies), and "9S torn" is
# a
# torn-up card.
_ON_THE_BOX: Final = {
    "name": ("Write {} on the box", "Strike out the name on the box"),
    "box": ("Write “{}” on the box", "Strike out what the box counts"),
    "holder": ("Give the box to {}", "Strike out who holds the box"),
    "retired": ("Write “retired” on the box", "Strike out “retired” on the box"),
}
_INSCRIBED: Final = re.compile(r"(.+) #([0-9]{1,4})")
_TORN: Final = re.compile(r"(.+) torn")
_STANDS: Final = "yes"
_ABSENT: Final = frozenset({"", "no", "n", "-", "none", "0"})
_PRESENT: Final = frozenset({"yes", "y"})
_FIGURE: Final = re.compile(r"([a-z][a-z0-9-]*) ([0-9]{1,7})")
_MOST: Final = 9


def inscribed_spot(card: str, number: int) -> str:
    """Return the spot of an inscription on a card."""
    return f"{card} #{number}"


def torn_spot(card: str) -> str:
    """Return the spot of a torn-up card."""
    return f"{card} torn"


def read_spot(spot: str) -> tuple[str, int]:
    """Return the card of a spot and the number of its inscription.

    The number is 0 if the card is torn up. A spot on the box has an empty card.
    """
    if match := _INSCRIBED.fullmatch(spot):
        return match[1], int(match[2])
    torn = _TORN.fullmatch(spot)
    return (torn[1], 0) if torn else ("", 0)


def box_text(figures: Mapping[str, int]) -> str:
    """Return the figures of a box as text: `played 4, won 2, slain 12`."""
    return ", ".join(f"{word} {number}" for word, number in figures.items() if number or word in (PLAYED, WON))


def read_box(text: str) -> dict[str, int]:
    """Parse the figures on a box. Raises RuleError if a part is not a word and a number."""
    figures = {}
    for part in filter(None, (part.strip().lower() for part in text.split(","))):
        match = _FIGURE.fullmatch(part)
        if match is None:
            raise RuleError(f"{quote_text(part)} is nothing that a box counts; write it as “played 4, won 2”.")
        figures[match[1]] = int(match[2])
    return figures


class InscribedSpots:
    """The effects of marks on a deck's cards and box. The page names the inscriptions in chores."""

    def __init__(self, book: DescribedBook) -> None:
        self._book = book

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Update the required contents of cards and box by one mark."""
        match mark:
            case m.Founded():
                spots.update(_told_of(mark.name, mark.holder))
            case m.Adopted():
                spots.update(_adopted_spots(mark))
            case m.Inscribed(card, number):
                _add_to_spot(spots, inscribed_spot(card, number), 1)
            case m.CrossedOut(card, number):
                _add_to_spot(spots, inscribed_spot(card, number), -1)
            case m.TornUp(card):
                # Its inscriptions go with the card; crossing them out would be a needless chore.
                spots[torn_spot(card)] = _STANDS
            case Renamed(name):
                spots["name"] = name
            case HandedOn(holder):
                spots["holder"] = holder
            case Retired():
                spots["retired"] = _STANDS
            case m.Played() | m.Counted() | m.Recounted():
                spots["box"] = box_text(_box_figures(read_box(spots.get("box", "")), mark))

    def immediate_spots(self, mark: Mark) -> Spots:
        """Return the spots that a first mark finds already done.

        The holder has a new deck in hand; an adopted deck has everything but the spots still due.
        """
        if isinstance(mark, m.Founded):
            return {"holder": mark.holder} if mark.holder else {}
        if isinstance(mark, m.Adopted):
            stands = _adopted_spots(mark)
            there = {spot: text for spot, text in stands.items() if spot not in mark.due}
            return there | {spot: _STANDS for spot in mark.due if spot not in stands}
        return {}

    def text(self, spot: str, value: str, mark: Mark) -> str:
        """Return the chore as a sentence without a full stop."""
        if spot in _ON_THE_BOX:
            write, strike = _ON_THE_BOX[spot]
            return write.format(value) if value else strike
        card, number = read_spot(spot)
        if not number:
            return f"Tear up {card_title(card)}" if value else f"Put {card_title(card)} back, or another one for it"
        name = self.name(number, mark)
        if not value:
            return f"Cross out {name} on {card_title(card)}"
        times = "" if value == _STANDS else f", so that it stands there {value} times"
        return f"Stick {name} on {card_title(card)}{times}"

    def text_if_there(self, spot: str, mark: Mark) -> str:
        """Return the chore for a label that may be stuck without a tick, or an empty string.

        It is empty for marks that someone made by looking at the card.
        """
        number = read_spot(spot)[1]
        gone = isinstance(mark, Corrected) or (isinstance(mark, m.CrossedOut) and not mark.noticed)
        if not number or not gone:
            return ""
        card = card_title(read_spot(spot)[0])
        return f"Leave {self.name(number, mark)} off {card}, or cross it out if it is stuck already"

    def name(self, number: int, mark: Mark | None = None) -> str:
        """Return the name of an inscription: the one that the mark stored, or else the page's."""
        borne = mark.borne if isinstance(mark, m.Adopted) else ()
        names = {each.number: each.name for each in borne}
        if isinstance(mark, m.Inscribed | m.CrossedOut):
            names[mark.number] = mark.name
        return names.get(number) or self._book.name(number)


def _add_to_spot(spots: MutableMapping[str, str], spot: str, more: int) -> None:
    number = _spot_count(spots.get(spot, "")) + more
    if number > 0:
        spots[spot] = _as_times(number)
    else:
        spots.pop(spot, None)


def _spot_count(value: str) -> int:
    return 1 if value == _STANDS else int(value or 0)


def _as_times(number: int) -> str:
    return _STANDS if number == 1 else str(number)


def _box_figures(figures: dict[str, int], mark: Mark) -> Mapping[str, int]:
    match mark:
        case m.Played():
            played = {PLAYED: figures.get(PLAYED, 0) + 1, WON: figures.get(WON, 0) + (mark.result == "won")}
            return {**figures, **played}
        case m.Counted():
            return {
                PLAYED: 0,
                WON: 0,
                **figures,
                mark.figure: max(0, figures.get(mark.figure, 0) + mark.amount),
            }
        case m.Recounted():
            return {**figures, **mark.figures}
    return figures


def _told_of(name: str, holder: str) -> dict[str, str]:
    return {"name": name, **({"holder": holder} if holder else {})}


def _adopted_spots(mark: m.Adopted) -> dict[str, str]:
    """Return all spots on an adopted deck's cards and box."""
    spots: dict[str, str] = _told_of(mark.name, mark.holder)
    for each in mark.borne:
        _add_to_spot(spots, inscribed_spot(each.card, each.number), 1)
    spots |= {torn_spot(card): _STANDS for card in mark.torn}
    if mark.played or mark.won or mark.counts:
        spots["box"] = box_text({PLAYED: mark.played, WON: mark.won, **mark.counts})
    return {**spots, **({"retired": _STANDS} if mark.retired else {})}


class InscribedStory(stories.RecordStory):
    """The sentences for a deck's marks."""

    reason = staticmethod(describe_reason)

    def __init__(self, marks: Sequence[Mark], spots: InscribedSpots) -> None:
        super().__init__(marks, follow(spots, marks).did)

    def plain(self, number: int, mark: Mark) -> str:  # noqa: ARG002 – marks tell all by themselves
        """Return the sentence for a mark."""
        return _SENTENCES[type(mark)](mark)


def _answers_text(answers: Mapping[str, str]) -> str:
    texts = ", ".join(f"{title_of(word)}: {answer}" for word, answer in answers.items() if answer)
    return f" ({texts})" if texts else ""


def _describe_adoption(mark: m.Adopted) -> str:
    source = f"with its passport, {mark.length - 1} marks old," if mark.story else "from its paper"
    bears = ", ".join(f"{each.name} on {card_title(each.card)}" for each in mark.borne) or "nothing"
    box = box_text({PLAYED: mark.played, WON: mark.won, **mark.counts})
    return f"{mark.name} came in {source} with {box}; {bears} inscribed."


def _describe_inscription(mark: m.Inscribed) -> str:
    how = {"given": "received", "bought": "received", "found": "was found to bear"}[mark.how]
    price = f", bought for {mark.price}" if mark.price else ""
    return f"{card_title(mark.card)} {how} {mark.name}{price}{_author_and_reason(mark.by, mark.reason)}."


_ENDED: Final[dict[Result, str]] = {"won": "won", "lost": "lost", "draw": "drew"}


def played_text(mark: m.Played) -> str:
    """Return the sentence for a game.

    Example: `Ana won a game with it at a table with Ben and Cy, after 6 rounds: embers 4.`
    """
    others = f" at a table with {' and '.join(mark.others)}" if mark.others else ""
    rounds = f", after {quantity(mark.rounds, 'round')}" if mark.rounds else ""
    final = ", ".join(f"{word} {figure(number)}" for word, number in mark.final.items())
    return f"{mark.player} {_ENDED[mark.result]} a game with it{others}{rounds}{f': {final}' if final else ''}."


def _author_and_reason(by: str, reason: ReasonOrText) -> str:
    """Return the author of a change and the reason given, for the end of a sentence."""
    return f"{f', by {by}' if by else ''}{f' ({describe_reason(reason)})' if reason else ''}"


def _describe_crossing_out(mark: m.CrossedOut) -> str:
    how = "was found crossed out" if mark.noticed else "was crossed out"
    return f"{mark.name} on {card_title(mark.card)} {how}{_author_and_reason(mark.by, mark.reason)}."


def _describe_tearing_up(mark: m.TornUp) -> str:
    how = "was found missing" if mark.noticed else "was torn up"
    return f"{card_title(mark.card)} {how}{_author_and_reason(mark.by, mark.reason)}."


_SENTENCES: Final[Mapping[type[Mark], Callable[[Any], str]]] = {
    m.Founded: lambda mark: f"{mark.holder or 'Somebody'} began {mark.name}{_answers_text(mark.answers)}.",
    m.Adopted: _describe_adoption,
    m.Inscribed: _describe_inscription,
    m.CrossedOut: _describe_crossing_out,
    m.TornUp: _describe_tearing_up,
    m.Played: played_text,
    m.Counted: lambda mark: f"{mark.title}: {mark.amount} more{_author_and_reason(mark.by, '')}.",
    m.Recounted: lambda mark: f"The box says {box_text(mark.figures)}{_author_and_reason(mark.by, mark.reason)}.",
    m.Tale: lambda mark: f"{mark.by}: “{mark.text}”" if mark.by else f"“{mark.text}”",
    Renamed: lambda mark: f"It is called {mark.name} now{_author_and_reason(mark.by, mark.reason)}.",
    HandedOn: lambda mark: f"It went to {mark.holder}.",
    Retired: lambda mark: f"It retired{_author_and_reason(mark.by, '')}.",
}


class PackedBorne(msgspec.Struct, frozen=True, array_like=True):
    """An inscription on a card in a passport: its number, with name and text as space allows."""

    card: str
    number: int
    name: str = ""
    text: str = ""
    tier: str = ""


class PackedInscribedDeck(msgspec.Struct, frozen=True, array_like=True):
    """A deck in a passport. Later programs must read printed passports: new fields are only added at the end.

    `due` lists the spots still to be done by hand, and `omitted` the contents left out for lack of space.
    """

    name: str
    holder: str
    holders: tuple[str, ...]
    played: Whole
    won: Whole
    counts: dict[str, Whole]
    answers: dict[str, str]
    retired: bool
    borne: tuple[PackedBorne, ...]
    torn: tuple[str, ...]
    due: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()


class InscribedKeeping(Keeping):
    """See `companion.tabletop.decks.keeping.Keeping`."""

    correction = m.InscribedCorrected
    example: ClassVar[str] = "9S #1: yes"
    spots: ClassVar[InscribedSpots] = InscribedSpots(DescribedBook(Description("", "")))
    """Spots without a page, with inscriptions named by numbers alone; each instance has its page's own."""

    def __init__(self, game: str, book: DescribedBook) -> None:
        keeping: Any = self  # the base class declares these as class attributes
        keeping.spots = InscribedSpots(book)
        first = next(iter(book.decks.inscriptions), None)
        keeping.example = f"{book.cards[0]} {first.name if first else '#1'}: yes"
        self._game = game
        self._book = book

    def story(self, marks: Sequence[Mark]) -> tuple[str, ...]:
        """Return one sentence for each mark, oldest first. Corrected marks say so."""
        return tuple(map(str, InscribedStory(marks, self.spots).sentences()))

    def chores(self, marks: Sequence[Mark]) -> tuple[Chore, ...]:
        """Return the chores still due, without those on torn-up cards."""
        state = follow(self.spots, marks)
        torn = _torn_cards(state.should)
        return tuple(
            chore for chore in state.due if read_spot(chore.spot)[1] == 0 or read_spot(chore.spot)[0] not in torn
        )

    def paper(self, marks: Sequence[Mark]) -> Spots:
        """Return the contents of cards and box, without those of torn-up cards."""
        says = super().paper(marks)
        torn = _torn_cards(says)
        return {spot: text for spot, text in says.items() if not (read_spot(spot)[1] and read_spot(spot)[0] in torn)}

    def spot_order(self, marks: Sequence[Mark]) -> Callable[[str], Any]:  # noqa: ARG002
        """Return a sort key for spots: the box first, then the cards in their order."""
        places = {card: len(_ON_THE_BOX) + place for place, card in enumerate(self._book.cards)}
        on_the_box = [*_ON_THE_BOX]

        def order(spot: str) -> tuple[int, str]:
            if spot in _ON_THE_BOX:
                return on_the_box.index(spot), ""
            return places.get(read_spot(spot)[0], len(places) + len(_ON_THE_BOX)), spot

        return order

    def question(self, spot: str, text: str) -> str:
        """Return the question for a spot, such as `9♠: Rust Oath?`."""
        if spot in _ON_THE_BOX:
            questions = {"holder": f"{text} holds it?", "retired": "“retired” on the box?"}
            return questions.get(spot, f"On the box: {text}?")
        card, number = read_spot(spot)
        if not number:
            return f"{card_title(card)}: torn up?"
        times = "" if text in ("", _STANDS) else f"{text} × "
        return f"{card_title(card)}: {times}{self._book.name(number)}?"

    def read_spot(self, text: str) -> str:
        """Return the canonical form of a spot typed by the user: `9s rust oath`, `9s #7`, `9s torn`, `box`."""
        words = text.replace(":", " ").split()
        if len(words) == 1 and words[0].lower() in _ON_THE_BOX:
            return words[0].lower()
        wrong: NotationError | None = None
        for at in range(len(words) - 1, 0, -1):
            try:
                card = self._book.card(" ".join(words[:at]))
            except NotationError as error:
                wrong = wrong or error
                continue
            rest = " ".join(words[at:])
            if rest.lower() in ("torn", "torn up"):
                return torn_spot(card)
            if re.fullmatch(r"#[0-9]{1,4}", rest):
                return inscribed_spot(card, int(rest[1:]))
            return inscribed_spot(card, self._book.inscription(rest).number)
        raise wrong or NotationError(f"{quote_text(text)}: say which card, and what stands on it, as `{self.example}`.")

    def spot_value(self, spot: str, text: str) -> str:
        """Return the canonical value of a spot. Raises RuleError if the spot cannot have this value."""
        if text.lower() in _ABSENT:
            return ""
        if spot == "box":
            return box_text({PLAYED: 0, WON: 0, **read_box(text)})
        if spot in ("name", "holder"):
            return text
        if text.lower() in _PRESENT:
            return _STANDS
        if read_spot(spot)[1] and text.isascii() and text.isdecimal() and int(text[:3]) <= _MOST:
            return _as_times(int(text))
        raise RuleError(f"{self.question(spot, '')} The answer is yes or no, not {quote_text(text)}.")

    def corrections(self, marks: Sequence[Mark], seen: Spots, reason: ReasonOrText, by: str) -> Iterator[Mark]:
        """Yield the marks that bring the record of these spots in line with the values seen there."""
        so_far = [*marks]
        for spot, text in seen.items():
            for _ in range(_MOST):  # several copies at one spot take a mark each
                corrections = [*self._correct(so_far, spot, text, reason, by)]
                if not corrections:
                    break
                so_far += corrections
                yield from corrections

    def _correct(self, marks: Sequence[Mark], spot: str, text: str, reason: ReasonOrText, by: str) -> Iterator[Mark]:
        should = follow(self.spots, marks).should.get(spot, "")
        if should == text:
            return
        card, number = read_spot(spot)
        if number:
            yield self._correct_card(marks, card, number, _spot_count(text) > _spot_count(should), reason, by)
        elif card:
            torn = _last_number(marks, m.TornUp, card)
            yield m.InscribedCorrected(torn, reason, by) if torn else m.TornUp(card, by, noticed=True, reason=reason)
        elif spot == "box":
            yield m.Recounted({**dict.fromkeys(read_box(should), 0), **read_box(text)}, reason, by)
        elif spot == "name":
            yield self.rename_record(marks, text, reason, by)
        elif spot == "holder":
            if not text:
                raise RuleError("Somebody holds every box; say who.")
            yield HandedOn(text)
        elif text:
            yield Retired(by)
        else:
            yield self._take_back_retirement(marks, reason, by)

    def _correct_card(
        self, marks: Sequence[Mark], card: str, number: int, there: bool, reason: ReasonOrText, by: str
    ) -> Mark:
        """Return the mark for an inscription found on the card or missing there, contrary to the record."""
        wrong = _last_number(marks, m.CrossedOut if there else m.Inscribed, card, number)
        if wrong:
            return m.InscribedCorrected(wrong, reason, by)
        deck = record(self._game, marks)
        if not there:
            gone = next(each for each in deck.borne if (each.card, each.number) == (card, number))
            return m.CrossedOut(card, number, gone.name, by, noticed=True, reason=reason)
        inscription = self._book.by_number.get(number)
        if inscription is None:
            raise RuleError(f"The page of this game has no {self._book.inscription_word} with the number {number}.")
        if why := self._book.inscription_error(inscription, card, deck.borne, deck.torn):
            raise RuleError(f"{why}; look again, or mend first what stands there by the record.")
        borne = self._book.bearing(inscription, card)
        return m.Inscribed(card, number, borne.name, borne.text, borne.tier, "found", by, reason=reason)

    def _take_back_retirement(self, marks: Sequence[Mark], reason: ReasonOrText, by: str) -> Mark:
        retired = _last_number(marks, Retired)
        if not retired:
            raise RuleError("The deck came with a passport that says it has retired (mark 1).")
        return m.InscribedCorrected(retired, reason, by)

    def check_correction(self, marks: Sequence[Mark], correction: Corrected) -> None:
        """Raise RuleError if a correction takes back the first mark or leaves no valid record."""
        if correction.of == 1:
            raise RuleError("A deck's beginning cannot be taken back; retiring the deck ends its life.")
        record(self._game, [*marks, correction])

    def rename_record(self, marks: Sequence[Mark], name: str, reason: ReasonOrText, by: str = "") -> Mark:  # noqa: ARG002
        """Return the mark that renames the deck. Raises RuleError if the name is empty."""
        if not name.strip():
            raise RuleError("A deck needs a name.")
        return Renamed(" ".join(name.split()), reason, by)

    def retire_record(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """Return the mark that retires the deck. Raises RuleError if it has retired already or an heirloom is named."""
        deck = record(self._game, marks)
        if deck.retired:
            raise RuleError(f"{deck.name} has retired already.")
        if heirloom:
            raise RuleError(f"{deck.name} leaves no heirloom; its cards stay where they are.")
        return Retired(by)

    def pack_record(self, marks: Sequence[Mark]) -> Iterator[PackedInscribedDeck]:
        """Yield the whole deck, then ever smaller versions: without earlier holders, texts, answers and names."""
        deck: InscribedRecord = record(self._game, marks)
        whole = PackedInscribedDeck(
            deck.name,
            deck.holder,
            deck.holders,
            deck.played,
            deck.won,
            deck.counts,
            deck.answers,
            deck.retired,
            tuple(PackedBorne(each.card, each.number, each.name, each.text, each.tier) for each in deck.borne),
            deck.torn,
            tuple(chore.spot for chore in self.chores(marks)),
        )
        less: dict[str, dict[str, Any]] = {
            "holders": {"holders": deck.holders[-1:]},
            "texts": {
                "borne": tuple(PackedBorne(each.card, each.number, each.name, "", each.tier) for each in deck.borne)
            },
            "answers": {"answers": {}},
            "names": {"borne": tuple(PackedBorne(each.card, each.number) for each in deck.borne)},
        }
        yield whole
        for at, word in enumerate(less, 1):
            whole = msgspec.structs.replace(whole, omitted=tuple(less)[:at], **less[word])
            yield whole

    def unpack_record(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """Return the first mark of a deck from a passport.

        The page supplies omitted names and texts of inscriptions.
        """
        pack = read_pack(content, PackedInscribedDeck)
        return (
            m.Adopted(
                pack.name,
                pack.holder,
                answers=pack.answers,
                holders=pack.holders,
                played=pack.played,
                won=pack.won,
                counts=pack.counts,
                borne=tuple(map(self._unpack_borne, pack.borne)),
                torn=pack.torn,
                retired=pack.retired,
                by=by,
                story=story,
                length=length,
                omitted=pack.omitted,
                due=pack.due,
            ),
        )

    def _unpack_borne(self, packed: PackedBorne) -> Borne:
        on_page = self._book.by_number.get(packed.number)
        if on_page and packed.name in ("", on_page.name):
            return Borne(
                packed.card, packed.number, on_page.name, packed.text or on_page.text, packed.tier or on_page.tier
            )
        return Borne(
            packed.card, packed.number, packed.name or self._book.name(packed.number), packed.text, packed.tier
        )


def _torn_cards(spots: Spots) -> frozenset[str]:
    return frozenset(read_spot(spot)[0] for spot in spots if read_spot(spot)[0] and not read_spot(spot)[1])


def _last_number(marks: Sequence[Mark], kind: type[Mark], card: str = "", number: int = 0) -> int:
    """Return the number of the last such mark in force on a card, or 0."""
    fitting = [
        at
        for at, mark in effective(marks)
        if isinstance(mark, kind) and getattr(mark, "card", "") == card and getattr(mark, "number", 0) == number
    ]
    return fitting[-1] if fitting else 0
