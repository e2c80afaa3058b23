"""Crockford's base 32: the symbols of every id that people read, say and type."""

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

_SEPARATORS = "-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}"
_READ_AS = {
    **{symbol: symbol for symbol in ALPHABET},
    **{symbol.lower(): symbol for symbol in ALPHABET},
    **dict.fromkeys("Oo", "0"),
    **dict.fromkeys("IiLl", "1"),
}


def draw(count: int) -> str:
    """`count` random symbols, five bits each, from the system's own source of chance."""
    # It loads ssl, 10 ms that who only reads need not wait for.
    import secrets

    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def read(text: str) -> tuple[str, str]:
    """The symbols that `text` spells, and the characters in it that stand for none.

    Any case counts, O is read as 0, I and L as 1; dashes and spaces are skipped.
    """
    written = [character for character in text if character not in _SEPARATORS and not character.isspace()]
    strange = "".join(character for character in written if character not in _READ_AS)
    return "".join(_READ_AS[character] for character in written if character in _READ_AS), strange
