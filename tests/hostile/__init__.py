"""Text that nobody should trust: what steers terminals, turns words about, or is markup somewhere."""

from hypothesis import strategies as st

STEERING = (
    "\x1b]52;c;aGVsbG8=\x07",  # sets the clipboard
    "\x1b]0;title\x07",
    "\x1b[6n",
    "\x1b[2J",
    "\x9b2J",
    "\x90q\x9c",
    "\u202egnp.exe",  # turns the words about
    "\u2066\u2069",
    "\u200f",
    "\r",
    "\x08\x08",
    "\x00",
    "\x7f",
    "\u2028",
    "\ufeff",
    "\U000e0041",
)
MARKUP = (
    "[red]",
    "[@click=app.quit]",
    "[/]",
    "[bold",
    "[link=http://x]",
    "<script>alert(1)</script>",
    "=1+1",
    "@SUM(1)",
    "|",
    "`",
)
LETTERS = ("Grave Choir", "עָנָה", "أنا", "می‌شود", "é", "👩‍👧", "葬")
"""What people are called somewhere, and what stays as it is."""

steering = st.tuples(st.sampled_from(LETTERS), st.sampled_from(STEERING), st.sampled_from(LETTERS)).map("".join)
markup = st.lists(st.sampled_from((*MARKUP, *LETTERS)), min_size=1, max_size=4).map("".join)
hostile = steering | markup


_CONTROL = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))))
_HIDDEN = frozenset("\u200e\u200f\u061c\ufeff\U000e0041")


def steers(text: str) -> list[str]:
    """The symbols in what a program wrote that no text of ours may hold; ends of lines are its own."""
    return [symbol for symbol in text if symbol in _CONTROL | _HIDDEN and symbol != "\n"]
