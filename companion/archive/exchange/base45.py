"""Base 45 (RFC 9285): bytes as upper-case text, two as three characters, all in a QR code's alphanumeric set."""

from __future__ import annotations

from typing import Final

_SYMBOLS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def encode(data: bytes) -> str:
    """Return the text for bytes."""
    text = []
    for at in range(0, len(data), 2):
        pair = data[at : at + 2]
        value = int.from_bytes(pair, "big")
        for _ in range(len(pair) + 1):
            value, digit = divmod(value, 45)
            text.append(_SYMBOLS[digit])
    return "".join(text)


def decode(text: str) -> bytes:
    """Return the bytes of a text. Raises ValueError for other text."""
    data = bytearray()
    for at in range(0, len(text), 3):
        group = text[at : at + 3]
        value = sum(_SYMBOLS.index(symbol) * 45**place for place, symbol in enumerate(group))
        size = len(group) - 1
        if size < 1 or value >= 256**size:
            raise ValueError(text)
        data += value.to_bytes(size, "big")
    return bytes(data)
