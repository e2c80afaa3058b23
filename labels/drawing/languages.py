"""Detection of a text's language for screen readers, as far as its letters show it."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

ENGLISH = "en"
"""The BCP 47 tag of English, the language of documents that name none."""

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
"""The most common language of each script, by the first word of its letters' Unicode names."""


def is_code(text: str) -> bool:
    """Return True if a text has the form of a BCP 47 language tag: de, fr-CA."""
    return _CODE.fullmatch(text) is not None


@lru_cache(maxsize=512)
def language_of(text: str) -> str:
    """Return the BCP 47 language tag that most letters of a text suggest, or "" for Latin letters, which many share."""
    scripts = Counter(unicodedata.name(char, "").split(" ", 1)[0] for char in text if char.isalpha())
    if any(_LANGUAGES.get(script) in ("ja", "ko") for script in scripts):
        # Han characters are read in the language of those beside them.
        scripts.pop("CJK", None)
    return _LANGUAGES.get(max(scripts, key=scripts.__getitem__), "") if scripts else ""
