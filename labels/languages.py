"""In which language a text is read aloud, as far as its letters tell."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

_CODE = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_LANGUAGES = {
    "ARABIC": "ar",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "DEVANAGARI": "hi",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KANNADA": "kn",
    "KATAKANA": "ja",
    "KHMER": "km",
    "LAO": "lo",
    "MALAYALAM": "ml",
    "MYANMAR": "my",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
}
"""By the word with which Unicode's names of its letters begin, the language that most people write in a script."""


def is_code(text: str) -> bool:
    """Whether a text has the form of a language's code, as BCP 47 writes it: de, fr-CA."""
    return _CODE.fullmatch(text) is not None


@lru_cache(maxsize=512)
def language_of(text: str) -> str:
    """The language, as BCP 47 writes it, that most letters of a text belong to; "" for Latin ones, which many share."""
    scripts = Counter(unicodedata.name(char, "").split(" ", 1)[0] for char in text if char.isalpha())
    if any(_LANGUAGES.get(script) in ("ja", "ko") for script in scripts):
        # Han is read as what stands beside it.
        scripts.pop("CJK", None)
    return _LANGUAGES.get(max(scripts, key=scripts.__getitem__), "") if scripts else ""
