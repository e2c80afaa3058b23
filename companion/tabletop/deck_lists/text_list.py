"""Deck lists as plain text, as people, Arena, MTGO, Moxfield, Limitless, Forge, XMage and the games here write them.

Each line is read alone first. What it means may depend on the others: a line without a number is a card in a list
without numbers, and otherwise a heading or a card, which somebody must decide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal, NamedTuple

from companion.tabletop.action import NotationError
from companion.tabletop.deck_lists.content import ReadList, ReadSection, SectionDesk, UnreadLine, unify_spellings
from companion.tabletop.decks.card_line import CardLine, parse_card_line, several_cards
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.list_words import fold_heading, load_words
from companion.tabletop.text import as_line
from templates.languages.messages import Text, phrase, phrases

_IT: Final = phrase("it")
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#.*")
_IN_COLUMNS: Final = re.compile(r"\w(?:\s{2,}|\s*\t\s*)\d+\s*[x×]?\s+[^\W\d]")
"""Cards beside each other, as in printed lists."""
_TAG: Final = re.compile(r"\s\^[^^]*\^$")
"""A coloured tag behind a card, as one site writes it: `^Have,#37d67a^`."""
_HASH: Final = re.compile(r"(?<!\\)#")
_MARKED: Final = re.compile(r"(?:/{2,}|#+)\s*(.*)")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_RULER: Final = re.compile(r"[^\w\s]{3}.*[^\w\s]{3}|[^\w\s]+")
_IN_SQUARES: Final = re.compile(r"\[\s*([^\W\d][^\[\]]*?)\s*\]")
_ABOUT: Final = re.compile(r"([^\W\d][\w ]{0,30}?)\s*[:=]\s*(.*)")
_HEADING: Final = re.compile(r"(\S.*?)\s*(?:(?<![:(\[=–-])[:(\[=–-]+\s*(\d{1,4})\s*[)\]]?)?\s*:?")
_NUMBER_AT_END: Final = re.compile(r"(\S.*[^\s,;])[\s,;]+(\d{1,4})")
_PREFIXES: Final = {"sb": "Sideboard", "cmdr": "Commander"}
"""The titles of the sections that single lines name in short."""
_SEVERAL: Final = 3
_MOST_CODED: Final = 0.8
_MANY_ROWS: Final = 6
_MAX_BELOW: Final = 15
_MIN_ABOVE: Final = 30

_Kind = Literal["blank", "note", "own", "heading", "kind", "total", "card", "wrong"]


class _Item(NamedTuple):
    """A line: its kind, its word or text, the number behind a heading, and the card, or what is wrong with it."""

    line: int
    kind: _Kind
    text: str
    word: str = ""
    number: int | None = None
    card: CardLine | None = None
    problem: Text = ""


def read_text_list(text: str, games: Collection[str], parts: Sequence[str]) -> ReadList:
    """Read a list from text.

    `games` are the words that begin the headings of games here, `parts` those of the parts of the game's decks.
    """
    reader = _Lines(games, parts)
    items = tuple(reader.classify(number, line) for number, line in enumerate(text.splitlines(), 1))
    return _Resolver(items, reader, games, parts).resolve()


class _Lines:
    """A reader of single lines; `game` and `name` are those that the list has named so far."""

    def __init__(self, games: Collection[str], parts: Sequence[str]) -> None:
        self.game = self.name = ""
        self.is_coded = False
        """True if a heading says that cards end with a set and a number."""
        self._games = games
        self._desk = SectionDesk(parts)
        self._words = load_words()
        self._has_forge_bars = self._is_about = False

    def classify(self, number: int, line: str) -> _Item:
        """Return a line by what it means alone."""
        text = " ".join(line.replace("\ufeff", "").split())
        if not text:
            self._is_about = self._is_about and self._has_forge_bars
            return _Item(number, "blank", "")
        try:
            as_line(text, _IT)
            if _IN_COLUMNS.search(line) and "|" not in text:
                raise NotationError(several_cards(text))
            return self._classify(number, text, has_tab="\t" in line.strip())
        except NotationError as error:
            return _Item(number, "wrong", text, problem=error.sentence)

    def _classify(self, number: int, text: str, *, has_tab: bool) -> _Item:
        if item := self._marked(number, text) or self._bracketed(number, text):
            return item
        content = _COMMENT.sub("", text).strip()
        if _ADDRESS.fullmatch(content) or _RULER.fullmatch(content) or self._is_note(content):
            return _Item(number, "note", text)
        if item := self._own_heading(number, content) or self._heading(number, content):
            return item
        if _HASH.search(_TAG.sub("", content)):
            raise NotationError(
                phrase("write a blank before # for a comment, or “\\#” for a # that belongs to the name")
            )
        card = parse_card_line(content, has_forge_bars=self._has_forge_bars)
        if has_tab and card.place == "none":
            raise NotationError(
                phrase("a table needs a line of heads with {count} and {name}", count="Count", name="Name")
            )
        return _Item(number, "card", content, card=card)

    def _marked(self, number: int, text: str) -> _Item | None:
        """Return a comment; the heading of a section may be written as one."""
        match = _MARKED.fullmatch(text)
        if match is None:
            return None
        return self._heading(number, match[1], is_marked=True) or _Item(number, "note", text)

    def _bracketed(self, number: int, text: str) -> _Item | None:
        """Return a heading in square brackets, as files of Forge have them."""
        match = _IN_SQUARES.fullmatch(text)
        if match is None:
            return None
        self._has_forge_bars = True
        self._is_about = fold_heading(match[1]) in self._words.heads
        return _Item(number, "note" if self._is_about else "heading", match[1], match[1])

    def _is_note(self, text: str) -> bool:
        """Return True for what a list tells of its deck: `Name=Burn`, `Format: Modern`, or lines below `About`."""
        if self._is_about:
            key, _, value = text.partition("=" if "=" in text else " ")
            if fold_heading(key) in self._words.names:
                self.name = value.strip()
            return True
        if fold_heading(text) in self._words.heads:
            self._is_about = True
            return True
        match = _ABOUT.fullmatch(text)
        if match is None or fold_heading(match[1]) not in self._words.about:
            return False
        if fold_heading(match[1]) in self._words.names:
            self.name = match[2].strip()
        return True

    def _own_heading(self, number: int, text: str) -> _Item | None:
        words = text.lower().split()
        if not words or len(words) > 2 or words[0] not in ((self.game,) if self.game else self._games):
            return None
        if len(words) == 1 and (self._desk.is_part(text) or self._words.section(fold_heading(text))):
            return None  # a part is called like its game, or a section of another program like a game
        self.game = words[0]
        self._has_forge_bars = False
        return _Item(number, "own", text, words[1] if len(words) == 2 else "")

    def _heading(self, number: int, text: str, *, is_marked: bool = False) -> _Item | None:
        match = _HEADING.fullmatch(text)
        if match is None or "|" in text or "\\" in text:
            return None
        word, count = fold_heading(match[1]), int(match[2]) if match[2] else None
        if word in self._words.totals and count is not None:
            return _Item(number, "total", text, word, count)
        if self._desk.is_part(match[1]) or word in self._words.beside or self._words.section(word):
            return _Item(number, "heading", text, match[1], count)
        if word in self._words.kinds or word in self._words.coded:
            self.is_coded = self.is_coded or word in self._words.coded
            is_plain = count is None and not is_marked and not text.endswith(":")
            return _Item(number, "kind", text, word if is_plain else "", count)
        return None


class _Resolver:
    """A reader of all lines together."""

    def __init__(self, items: Sequence[_Item], lines: _Lines, games: Collection[str], parts: Sequence[str]) -> None:
        self._items = items
        self._lines = lines
        self._games, self._parts = games, parts
        self._desk = SectionDesk(parts)
        self._section: ReadSection | None = None
        self._unread: list[UnreadLine] = []
        self._doubts: list[tuple[int, Text]] = []
        cards = [item.card for item in items if item.card]
        self._fronts = sum(card.place == "front" for card in cards)
        self._counted = sum(card.place != "none" for card in cards)
        coded = sum(card.coded is not None for card in cards)
        self._is_coded = lines.is_coded or (coded >= _SEVERAL and coded >= _MOST_CODED * len(cards))

    def resolve(self) -> ReadList:
        """Return the list."""
        for at, item in enumerate(self._items):
            match item.kind:
                case "own":
                    self._section = self._desk.part(item.word, item.line)
                case "heading":
                    self._section = self._desk.titled(item.word, item.line)
                case "kind" if item.word and not self._counted:
                    self._unread.append(UnreadLine(item.line, item.text, _card_or_heading(item.text)))
                case "card":
                    self._add_card(at, item)
                case "wrong":
                    self._unread.append(UnreadLine(item.line, item.text, item.problem))
        self._split_below()
        sections = self._desk.sections
        self._check_numbers(sections)
        unify_spellings(sections)
        return ReadList(sections, tuple(self._unread), tuple(self._doubts), self._lines.game, self._lines.name)

    def _add_card(self, at: int, item: _Item) -> None:
        assert item.card is not None
        card, problem = self._understand(at, item, item.card)
        if problem:
            self._unread.append(UnreadLine(item.line, item.text, problem))
            return
        section = self._section_of(card, item.line)
        section.cards.append(ListedCard(item.line, card.copies or 1, card.name, card.remarks, card.printing))

    def _section_of(self, card: CardLine, line: int) -> ReadSection:
        """Return the section of a card: that which its line names, else the present one."""
        word = fold_heading(card.section)
        if word and (word in load_words().beside or load_words().section(word)):
            return self._desk.titled(_PREFIXES.get(word, card.section), line)
        if self._section is None:
            self._section = self._desk.titled("", line)
        return self._section

    def _understand(self, at: int, item: _Item, card: CardLine) -> tuple[CardLine, Text]:
        """Return a card as it is meant beside the other lines, with the problem of its line, or ""."""
        if card.place == "none":
            return card, self._problem_without_count(at, item, card)
        if card.place == "back" and self._is_like_heading(at, card):
            return card, _card_or_heading(item.text, f"{card.copies} {card.name}")
        if self._is_coded and card.coded is not None:
            name, printing = card.coded
            return card._replace(name=name, printing=printing), ""
        if card.coded is not None:
            name, (code, number) = card.coded[0], card.coded[1].split(" ", 1)
            return card, phrase(
                "is “{code}” the printing in “{line}”? Write “{printed}”, or “{named}” if it belongs to the name",
                code=card.coded[1],
                line=item.text,
                printed=f"{card.copies} {name} ({code}) {number}",
                named=f"{card.copies} {name} \\{code} {number}",
            )
        if self._is_coded and not card.printing and _NUMBER_AT_END.fullmatch(card.name):
            return card, phrase("the set before the number is missing in “{line}”", line=item.text)
        return card, ""

    def _problem_without_count(self, at: int, item: _Item, card: CardLine) -> Text:
        """Return the problem of a line without a number of copies; "" if it is one card."""
        words = item.text.lower().split()
        if not self._lines.game and self._games and len(words) == 2 and words[1] in ("main", *self._parts):
            example = f"{next(iter(self._games)) if len(self._games) == 1 else 'GAME'} main"
            return phrase("begin with the game and the part of the deck, as in “{example}”", example=example)
        if (match := _NUMBER_AT_END.fullmatch(item.text)) and not card.remarks:
            return _number_at_end(item.text, match[1], match[2])
        is_alone = not self._counted
        if self._lines.game:
            is_alone = is_alone or bool(card.remarks) or not self._begins_group(at)
        return "" if is_alone and not item.text.endswith(":") else _card_or_heading(item.text)

    def _begins_group(self, at: int) -> bool:
        """Return True if a line follows a blank line, and counted cards follow it."""
        follows_blank = at == 0 or self._items[at - 1].kind in ("blank", "note")
        return follows_blank and bool(self._following(at))

    def _following(self, at: int) -> list[int]:
        """Return the numbers of copies on the lines that follow, as long as they begin with them."""
        counts: list[int] = []
        for item in self._items[at + 1 :]:
            if item.card is None or item.card.place != "front":
                break
            counts.append(item.card.copies or 0)
        return counts

    def _is_like_heading(self, at: int, card: CardLine) -> bool:
        """Return True if a name with a number behind it may be a heading that counts the cards below it."""
        following = self._following(at)
        return bool(following) and (
            sum(following) == card.copies or at == 0 or self._items[at - 1].kind in ("blank", "note")
        )

    def _split_below(self) -> None:
        """Move the cards of the second of two blocks to a section of its own, if it is like a sideboard."""
        if any(item.kind in ("own", "heading", "kind") or (item.card and item.card.section) for item in self._items):
            return
        blocks: list[list[int]] = [[]]
        for item in self._items:
            if item.kind == "blank" and blocks[-1]:
                blocks.append([])
            elif item.kind == "card":
                blocks[-1].append(item.line)
        blocks = [block for block in blocks if block]
        if len(blocks) != 2 or self._section is None:
            return
        first = blocks[1][0]
        above = [card for card in self._section.cards if card.line < first]
        below = [card for card in self._section.cards if card.line >= first]
        if below and sum(c.count for c in below) <= _MAX_BELOW and sum(c.count for c in above) >= _MIN_ABOVE:
            self._section.cards[:] = above
            self._desk.below(below[0].line).cards.extend(below)

    def _check_numbers(self, sections: Iterable[ReadSection]) -> None:
        """Compare the numbers behind headings, and of all cards, with the cards that were read."""
        counts = {card.line: card.count for section in sections for card in section.cards}
        for item in self._items:
            if item.kind not in ("heading", "kind") or item.number is None:
                continue
            count = sum(counts.get(line, 0) for line in self._lines_below(item))
            if count and count != item.number:
                self._doubts.append((item.line, _count_differs(item.text, count)))
        beside = sum(section.count for section in sections if section.kind == "beside")
        totals = {sum(counts.values()), sum(counts.values()) - beside, *(section.count for section in sections)}
        for item in self._items:
            if item.kind == "total" and item.number not in totals:
                self._doubts.append((item.line, _count_differs(item.text, sum(counts.values()))))
        rows = [item.card.copies for item in self._items if item.card and item.card.place == "front"]
        if len(rows) >= _MANY_ROWS and rows == list(range(1, len(rows) + 1)):
            self._doubts.append((0, phrase("the numbers of copies are 1, 2, 3 and so on, like numbers of rows")))

    def _lines_below(self, heading: _Item) -> range:
        """Return the numbers of the lines below a heading: up to the next one, or the next section."""
        ends = ("own", "heading") if heading.kind == "heading" else ("own", "heading", "kind")
        following = (item.line for item in self._items[heading.line :] if item.kind in ends)
        return range(heading.line + 1, next(following, len(self._items) + 1))


def _card_or_heading(text: str, card: str = "") -> Text:
    return phrase(
        "is “{line}” a card or a heading? Write “{card}”, or “// {line}”",
        line=text.rstrip(":"),
        card=card or f"1 {text}",
    )


def _count_differs(heading: str, count: int) -> Text:
    return phrases(
        "“{heading}”, but {n} card was read", "“{heading}”, but {n} cards were read", n=count, heading=heading
    )


def _number_at_end(line: str, name: str, number: str) -> Text:
    return phrase(
        "is {number} the number of copies in “{line}”? Write “{counted}”, or “{named}”",
        number=number,
        line=line,
        counted=f"{number} {name}",
        named=f"1 {line}",
    )
