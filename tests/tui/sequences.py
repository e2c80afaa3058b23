"""Strange input of terminals, made at random: sequences as real ones send them, broken, cut and mixed with bytes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

_NUMBERS: Final = ("", "0", "1", "2", "3", "27", "48", "65", "97", "120", "200", "201", "1114112", "55296", "9" * 12)
_FINALS: Final = "@ABCDEFGHIJKLMPQRSTXZabcdfghilmnpqrstuyz~^{|}"
_TEXTS: Final = ("a", "Z", " ", "é", "漢", "🂡", "❤\ufe0f", "\x7f", "\t", "\x00", "\x9b", "\u202e")
_BYTES: Final = (b"\xff", b"\xc3", b"\xf0\x9f", b"\x80", b"\xed\xa0\x80")


def _number(random: Random) -> str:
    """Return a parameter, at times with parts (`97:65`)."""
    return ":".join(random.choices(_NUMBERS, k=random.choice((1, 1, 1, 2, 3))))


def _sequence(random: Random) -> str:
    numbers = [_number(random) for _ in range(random.randrange(6))]
    match random.randrange(11):
        case 0 | 1:
            return f"\x1b[{random.choice(('', '', '?', '>', '<', '='))}{';'.join(numbers)}{random.choice(_FINALS)}"
        case 2:
            return f"\x1b[<{random.randrange(140)};{_number(random)};{random.randrange(-9, 300)}{random.choice('Mm')}"
        case 3:
            sizes = [str(random.choice((0, 1, 24, 36, 80, 120, 99999, *numbers))) for _ in range(4)]
            return f"\x1b[48;{';'.join(sizes)}t"
        case 4:
            return f"\x1b[?{random.choice((2026, 2048, *numbers))};{random.randrange(10)}$y"
        case 5:
            return f"\x1b[{';'.join(numbers[:3])}{random.choice('u~ABCDEFHPQRS')}"
        case 6:
            return random.choice(("\x1b[200~", "\x1b[201~", "\x1b[I", "\x1b[O", "\x1b", "\x1b\x1b", "\x1bO", "\x1b["))
        case 7:
            return "\x1b[M" + "".join(chr(random.randrange(32, 256)) for _ in range(3))
        case 8:
            kind, end = random.choice("]P_^X"), random.choice(("\x07", "\x1b\\", ""))
            return f"\x1b{kind}{';'.join(numbers)}{end}"
        case 9:
            return f"\x1b{random.choice(_TEXTS)}"
        case _:
            return random.choice(_TEXTS)


def random_input(random: Random, count: int) -> Iterator[bytes]:
    """Yield so many sequences as bytes, some of them cut short, some with bytes in them that are no text."""
    for _ in range(count):
        sent = _sequence(random).encode()
        if random.random() < 0.2:
            sent = sent[: random.randrange(len(sent) + 1)]
        if random.random() < 0.1:
            at = random.randrange(len(sent) + 1)
            sent = sent[:at] + random.choice(_BYTES) + sent[at:]
        yield sent


def cut_anywhere(random: Random, sent: bytes) -> Iterator[bytes]:
    """Yield the same bytes in pieces of any size."""
    while sent:
        size = random.choice((1, 2, 3, 7, 20, 4096))
        yield sent[:size]
        sent = sent[size:]


def halves(text: str) -> Iterator[str]:
    """Yield a text as Windows has it: characters beyond U+FFFF as two."""
    for character in text:
        sent = character.encode("utf-16-le", "surrogatepass")
        yield from (sent[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(sent), 2))
