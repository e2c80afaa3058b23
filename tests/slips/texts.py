"""What people type at a table: beginnings of its words, words one slip away, cards, numbers, and several of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from string import ascii_lowercase
from typing import Final

from companion.tabletop.notation.cards import GLYPHS, PACK
from tests.slips.vocabulary import Vocabulary, is_number, tokens

_STRANGE: Final = ("xyz", "oops", "hello", "q", "zz", "?", "ok", "yes", "-", "...", "jeff", "wtf", "0", "help", "asdf")
_QUICK: Final = ("", " ", "9s, qh, 6c", "2-3", "1+2", "ana", "boss", "undo", "next", "n", "s", "no")


def texts(vocabulary: Vocabulary, lines: Sequence[str], chance: Random, count: int) -> Iterator[str]:
    """So many texts, of one word up to five; `lines` are some that could be said whole."""
    typist = _Typist(vocabulary, lines, chance)
    for _ in range(count):
        (kind,) = chance.choices(tuple(KINDS), tuple(KINDS.values()))
        yield kind(typist)


def slip(word: str, chance: Random) -> str:
    """A word with one letter dropped, doubled, swapped with the next, or replaced."""
    at = chance.randrange(len(word))
    before, letter, behind = word[:at], word[at], word[at + 1 :]
    return chance.choice(
        (
            before + behind,
            before + letter + letter + behind,
            before + behind[:1] + letter + behind[1:],
            before + chance.choice(ascii_lowercase) + behind,
        )
    )


class _Typist:
    """Somebody at one table who types."""

    def __init__(self, vocabulary: Vocabulary, lines: Sequence[str], chance: Random) -> None:
        self.chance = chance
        self.lines = lines or ("next",)
        self.verbs = vocabulary.verbs
        names = [name for name in vocabulary.names if " " not in name]
        # Whatever many things are called by numbers, the others come as often.
        plain = [name for name in names if not name[-1].isdigit()]
        self.names = sorted(plain) * 3 + sorted(names)
        self.listed = sorted(vocabulary.listed) or self.names
        self.seats = vocabulary.seats or ("ana",)
        self.keywords = sorted(vocabulary.keywords)

    def verb(self) -> str:
        """A verb, or its beginning."""
        return self._begun(self.chance.choice(self.verbs), 0.5)

    def name(self) -> str:
        """A name on the table, a word of one, or its beginning."""
        return self._begun(self.chance.choice(self.names), 0.5)

    def _begun(self, word: str, whole: float) -> str:
        return word if self.chance.random() < whole else word[: self.chance.randint(1, len(word))]

    def word(self) -> str:
        """Any word that the table knows, or its beginning."""
        return self._begun(self.chance.choice((self.chance.choice(self.keywords), self.name(), self.verb())), 0.5)

    def slipped(self) -> str:
        """A verb, a name or another word, with one slip."""
        word = self.chance.choice((self.verbs, self.names, self.names, self.keywords))
        return slip(self.chance.choice(word), self.chance)

    def shortened(self) -> str:
        """A whole line with its verb and other words left out, or only begun, and now and then with a slip."""
        words = [self._filled(word) for word in tokens(self.chance.choice(self.lines))]
        if self.chance.random() < 0.4 and len(words) > 1:
            del words[0]
        words = [word for word in words if self.chance.random() < 0.7] or words[-1:]
        if self.chance.random() < 0.3:
            self.chance.shuffle(words)
        words = [word if is_number(word) or '"' in word else self._begun(word, 0.6) for word in words]
        if self.chance.random() < 0.15:
            at = self.chance.randrange(len(words))
            words[at] = slip(words[at], self.chance)
        return " ".join(words)

    def _filled(self, word: str) -> str:
        ways = {"#": self.number, "@": self.card, "@@": self.cards}
        return ways[word]() if word in ways else word

    def number(self) -> str:
        """A number, with a sign or without, or two of them."""
        small = self.chance.randint(0, 9)
        return self.chance.choice((str(small), str(small), f"+{small}", f"-{small}", f"{small}/{small + 1}"))

    def card(self) -> str:
        """A card as people write it."""
        card = str(self.chance.choice(PACK))
        spelled = (card.lower(), card, card.replace("10", "t").lower(), card[:-1] + GLYPHS.get(card[-1], card[-1]))
        return self.chance.choice(spelled)

    def cards(self) -> str:
        """Up to four cards."""
        between = self.chance.choice((" ", ", ", ","))
        return between.join(self.card() for _ in range(self.chance.randint(1, 4)))

    def quoted(self) -> str:
        """A text in quotes: a card's name, or any."""
        return f'"{self.chance.choice((self.chance.choice(self.listed), self.name(), "Old Song"))}"'


def _joined(*makes: Callable[[_Typist], str]) -> Callable[[_Typist], str]:
    return lambda typist: " ".join(make(typist) for make in makes)


_T = _Typist
KINDS: Final[dict[Callable[[_Typist], str], float]] = {
    _T.shortened: 10,
    _T.verb: 2,
    _T.name: 3,
    _T.word: 1,
    _T.slipped: 3,
    _T.cards: 1,
    lambda typist: typist.chance.choice(_STRANGE): 0.5,
    lambda typist: typist.chance.choice(_QUICK): 0.5,
    lambda typist: typist.chance.choice(typist.listed).lower(): 1,
    _joined(_T.verb, _T.name): 4,
    _joined(_T.verb, _T.slipped): 2,
    _joined(_T.slipped, _T.name): 1.5,
    _joined(_T.name, _T.name): 2,
    _joined(_T.name, _T.number): 2,
    _joined(_T.number, _T.name): 2,
    _joined(_T.verb, _T.number): 1,
    _joined(_T.verb, _T.cards): 1,
    _joined(_T.name, _T.cards): 1,
    _joined(_T.verb, _T.name, _T.name): 2,
    _joined(_T.verb, _T.name, _T.number): 2,
    _joined(_T.verb, _T.name, _T.cards): 1,
    _joined(_T.verb, _T.name, _T.slipped): 1.5,
    _joined(_T.verb, _T.name, _T.quoted): 0.5,
    _joined(_T.verb, _T.quoted): 0.3,
    _joined(_T.verb, _T.number, _T.name): 1,
    _joined(_T.name, _T.name, _T.number): 1,
    _joined(_T.name, _T.word, _T.number): 1,
    _joined(_T.verb, _T.word, _T.word): 1,
    _joined(_T.word, _T.word): 1,
    _joined(_T.verb, _T.name, _T.number, _T.name, _T.number): 0.5,
    lambda typist: typist.chance.choice(("xyz", "flibber")) + " " + typist.name(): 0.3,
}
"""Kinds of texts, and how often each is typed."""
