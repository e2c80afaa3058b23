"""Text fitting: text is shrunk to five and a half points, wrapped, or refused by name.

It never leaves its room, and is truncated only on request.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import add
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from labels.errors import LabelError
from labels.geometry import Box
from labels.typesetting import emphasis, fonts, line_breaks, typefaces
from labels.typesetting.fonts import Weight
from templates.languages.messages import Message, Text, phrase

SMALLEST = 5.5
"""In points; smaller print on a label can only be guessed."""

# The lines of a name stand closer than those of a sentence: they are one unit, separate from the text below.
_LEADING: Mapping[Weight, float] = {weight: 1.08 if typefaces.is_bold(weight) else 1.17 for weight in get_args(Weight)}
_STEP = 0.25
_GRACE = 1e-9
"""Tolerance for rounding errors, in lines."""
_UNBRIDGEABLE = 1e6
"""A gap in em that is wider than any line."""
_BEFORE_SIGN = re.compile(" +(?=[.,:;!?])")
# The penalty in em of unevenness for a line that ends with a word that belongs to the next.
_LOOSE_END_PENALTY = 3.5
# The least share of its width that the last line fills, so that no short word stands there alone.
_LAST_LINE = 0.45
# Such words in English, the language of the games' texts. Lines in other languages are just evenly filled.
_LEADING_WORDS = (
    *("a", "an", "any", "each", "every", "its", "no", "the", "their", "your"),
    *("and", "as", "at", "by", "for", "from", "in", "into", "nor", "of", "on", "or", "than", "to", "up", "with"),
)
# A number and the word that it counts stay together: `3 eggs`, `+1 step`.
_FIGURE_BEFORE_WORD = re.compile(r"(?<![^ ])([^\w ]*\d+(?:[.,/:]\d+)*) (?=[^\W\d_])")
_HARD_SPACE = "\u00a0"
_LOOSE_WORDS = frozenset(f" {word}" for word in [*_LEADING_WORDS, *map(str.capitalize, _LEADING_WORDS[1:])])
_HYPHEN = "-"
_NEAR = 1
"""The number of places on each side of the most even break that are searched for one with a lower penalty."""
# The penalty in em of unevenness for a break inside a word: a break at a space is easier to read.
_BROKEN_WORD_PENALTY = 1.5
_HYPHENATION_PENALTY = 3.0


Span = tuple[float, float]
"""The left and right end of a line, in points."""


Remedy = Literal["stock", "paper"]
"""What is to be larger for a text that does not fit."""


class TextError(LabelError):
    """A text that does not fit its room even at the smallest size."""


class TextSetting(msgspec.Struct, frozen=True, gc=False):
    """A text set in lines.

    Its size and leading are in points, like the extent of its ink above and below, and the width of the room that it
    was set for.
    """

    lines: tuple[str, ...]
    weight: Weight
    size: float
    ascent: float
    descent: float
    width: float = math.inf

    @property
    def leading(self) -> float:
        return self.size * _LEADING[self.weight]

    @property
    def height(self) -> float:
        return self.ascent + (len(self.lines) - 1) * self.leading + self.descent

    @property
    def right_to_left(self) -> bool:
        """Return True if the text is read from right to left and has a room to be right-aligned in."""
        return self.width < math.inf and fonts.is_right_to_left("".join(self.lines))

    def indent(self, line: str) -> float:
        """Return the distance of one of its lines from its room's left edge, in points."""
        return self.width - fonts.measure(line, self.weight, self.size) if self.right_to_left else 0.0


def fit(
    text: str,
    what: Text,
    width: float,
    height: float,
    size: float,
    *,
    weight: Weight = "regular",
    prefer: Literal["one line", "size"] = "size",
    before: float = math.inf,
    least: float = SMALLEST,
    rise: float = 0.0,
    larger: Remedy = "stock",
    emphasized: bool = False,
) -> TextSetting:
    """Set the text inside `width` × `height` points, as large as possible from `least` to `size` points.

    Its line breaks are kept. Its first line reaches at least `rise` em up, so that names with and without tall letters
    align. `prefer` is what to keep: a name stays on one line and shrinks, a sentence wraps and keeps its size. With
    `before` a name wraps to a second line before it is smaller than that. `larger` is what errors advise to choose. An
    `emphasized` text may have marks of emphasis. Raises GlyphError or TextError, naming the text `what`.
    """
    breakable = fonts.emphasized_lines(text) if emphasized else fonts.lines(text, breakable=True)
    lines = [line_breaks.remove_controls(line) for line in breakable]
    if emphasized:
        lines = [emphasis.remove_marks(line) for line in lines]
    fonts.check(lines[0] if len(lines) == 1 else "".join(lines), what)
    least = min(least, size)
    setting = _fit(
        "\n".join(breakable), width, height, size, weight, _attempts(len(lines), prefer, before, least), rise
    )
    if setting is not None:
        return setting
    quoted = f"“{' '.join(lines)}”"
    is_named = quoted in " ".join(str(what).split())
    raise TextError(_too_long(fonts.OnOneLine(what), "" if is_named else fonts.on_one_line(quoted), least, larger))


def _too_long(what: Message, quoted: str, least: float, larger: Remedy) -> Message:
    """Return the sentence for a text that does not fit, with the text itself if its name does not quote it."""
    size = f"{least:g}"
    match quoted, larger:
        # Translators: {text} is the name of a text, such as “The name of “Ember””.
        case "", "stock":
            return phrase(
                "{text} is too long: it does not fit even at {size} pt; shorten it, or choose a larger stock.",
                text=what,
                size=size,
            )
        case "", _:
            return phrase(
                "{text} is too long: it does not fit even at {size} pt; shorten it, or choose larger paper.",
                text=what,
                size=size,
            )
        case _, "stock":
            return phrase(
                "{text} is too long: {quoted} does not fit even at {size} pt; shorten it, or choose a larger stock.",
                text=what,
                quoted=quoted,
                size=size,
            )
    return phrase(
        "{text} is too long: {quoted} does not fit even at {size} pt; shorten it, or choose larger paper.",
        text=what,
        quoted=quoted,
        size=size,
    )


class ShapedSetting(msgspec.Struct, frozen=True, gc=False):
    """A text set in lines that follow a shape: the top of its ink, and the ends of each line, in points."""

    setting: TextSetting
    top: float
    spans: tuple[Span, ...]

    @property
    def size(self) -> float:
        return self.setting.size

    @property
    def bottom(self) -> float:
        """The bottom of its ink."""
        return self.top - self.setting.height


def fit_shape(
    text: str,
    what: Text,
    room: Box,
    span: Callable[[float, float], Span],
    down: float,
    size: float,
    least: float = SMALLEST,
    *,
    weight: Weight = "regular",
    emphasized: bool = False,
) -> ShapedSetting | None:
    """Set the text as large as possible from `least` to `size` points, in a room with lines of different widths.

    `span` returns the left and right end of a line between two heights. `down` is the position in the room: 0 at the
    top, 1 at the bottom. Return None if the text does not fit. Raises GlyphError, naming the text `what`.
    """
    written = fonts.emphasized_lines(text) if emphasized else fonts.lines(text, breakable=True)
    joined = line_breaks.remove_controls("".join(written))
    fonts.check(emphasis.remove_marks(joined) if emphasized else joined, what)
    measured = _measure(written, weight, *fonts.reach(joined, weight), bound=False)
    smallest = min(least, size)
    for step in range(math.ceil((size - smallest) / _STEP) + 1):
        setting = _set_in_shape(measured, room, span, down, max(smallest, size - step * _STEP))
        if setting is not None:
            return setting
    return None


def _set_in_shape(
    text: "_Measured", room: Box, span: Callable[[float, float], Span], down: float, size: float
) -> ShapedSetting | None:
    """Return the text of this size in as few lines as possible, or None if it does not fit."""
    first, leading = (text.ascent + text.descent) * size, size * _LEADING[text.weight]
    most = int(min(len(text.words), 1 + (room.height - first) / leading + _GRACE))
    for count in range(1, most + 1):
        top = room.top - (room.height - first - (count - 1) * leading) * down
        tops = [top - number * leading for number in range(count)]
        spans = tuple(span(each - first, each) for each in tops)
        widths = [(right - left) / size for left, right in spans]
        if min(widths) > 0 and (breaks := _evenest_breaks(text, widths)) is not None:
            return ShapedSetting(_set_lines(text, room.width, size, breaks), top, spans)
    return None


def fit_truncated(
    text: str, width: float, size: float, weight: Weight = "regular", most_lines: int = 12
) -> TextSetting:
    """Set the text in at most `most_lines` lines, shrunk and then truncated if it is too long.

    Unprintable characters, such as emoji in a name, are left out. This is for content that cannot be reworded, such as
    past events. Raises TextError if not even … fits.
    """
    text = printable(text)
    prefer: Literal["one line", "size"] = "one line" if most_lines == 1 else "size"
    height = most_lines * size * 1.35
    with suppress(TextError):
        return fit(text, "", width, height, size, weight=weight, prefer=prefer)
    longest = fit("…", "", width, height, size, weight=weight, prefer=prefer)
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        length = (fits + too_long) // 2
        try:
            longest = fit(f"{text[:length]}…", "", width, height, size, weight=weight, prefer=prefer)
            fits = length
        except TextError:
            too_long = length
    return longest


def printable(text: str) -> str:
    """Return a text without unprintable characters."""
    try:
        fonts.check("".join(fonts.lines(text)), "")
    except fonts.GlyphError:
        left = "".join(char for char in text if char in "\n" or _is_printable(char))
        # If a name ended with a removed character, no space stands before the next punctuation mark.
        return _BEFORE_SIGN.sub("", left)
    return text


def _is_printable(char: str) -> bool:
    try:
        fonts.check(fonts.clean(char), "")
    except fonts.GlyphError:
        return False
    return True


# Labels of a run are alike: many have the same text, and all are set twice to find the size that suits all.
@lru_cache(maxsize=512)
def _fit(
    text: str,
    width: float,
    height: float,
    size: float,
    weight: Weight,
    tries: tuple[tuple[float, float], ...],
    rise: float,
) -> TextSetting | None:
    written = text.split("\n")
    joined = line_breaks.remove_controls("".join(written))
    ascent, descent = fonts.reach(joined, weight)
    ascent = max(ascent, rise)
    # Most texts on labels are one line that fits as it is.
    if len(written) == 1 and (ascent + descent) * size <= height and fonts.measure(joined, weight, size) <= width:
        return TextSetting((joined,), weight, size, ascent * size, descent * size, width)
    for bound in (True, False) if _FIGURE_BEFORE_WORD.search(emphasis.remove_marks(text)) else (False,):
        measured = _measure(written, weight, ascent, descent, bound)
        for most_lines, least in tries:
            setting = _largest(measured, width, height, size, least, most_lines)
            if setting is not None:
                return setting
    return None


def _largest(
    text: "_Measured", width: float, height: float, size: float, least: float, most_lines: float
) -> TextSetting | None:
    """Return the text in the largest size that fits, or None. A text that fits in one size fits in each smaller one."""
    if size < least:
        return None
    smallest = math.ceil((size - least) / _STEP)
    fails = _first_step(text, width, height, size, least) - 1
    # Most texts fit in the estimated size, or in the next one.
    fits, breaks = fails, None
    for fits in range(fails + 1, min(fails + 3, smallest) + 1):
        breaks = _break_within(text, width, height, max(least, size - fits * _STEP), most_lines)
        if breaks is not None:
            return _set_evenly(text, width, max(least, size - fits * _STEP), breaks)
    fails, fits = fits, smallest
    if fails < fits:
        breaks = _break_within(text, width, height, least, most_lines)
    while breaks is not None and fits - fails > 1:
        step = (fits + fails) // 2
        larger = _break_within(text, width, height, size - step * _STEP, most_lines)
        fails, fits, breaks = (step, fits, breaks) if larger is None else (fails, step, larger)
    return None if breaks is None else _set_evenly(text, width, max(least, size - fits * _STEP), breaks)


def _first_step(text: "_Measured", width: float, height: float, size: float, least: float) -> int:
    """Return the first step below `size` at which a text may fit, as if its words could be broken anywhere."""
    whole = text.ends[-1]
    if text.is_divided:
        return 0
    largest, first, leading = 0.0, text.ascent + text.descent, _LEADING[text.weight]
    # There are no more lines than words.
    for lines in range(1, len(text.words) + 1):
        high = height / (first + (lines - 1) * leading)
        # The space between two lines takes no room.
        rest = whole - lines + 1
        wide = lines * width / rest if rest > 0 else high
        largest = max(largest, min(high, wide))
        if wide >= high or largest >= size or high < least:
            break
    return min(math.ceil((size - least) / _STEP), max(0, math.ceil((size - largest) / _STEP - _GRACE)))


def _attempts(
    written: int, prefer: Literal["one line", "size"], before: float, least: float
) -> tuple[tuple[float, float], ...]:
    """Return the attempts in order, each with its most lines and its least size."""
    if prefer == "size":
        return ((math.inf, least),)
    if before == math.inf:
        return ((written, least), (math.inf, least))
    before = max(before, least)
    return ((written, before), (written + 1, before), (math.inf, least))


class _Measured(msgspec.Struct, frozen=True, gc=False):
    """The words of a text, with their spaces, and their measures in em.

    `advances` are the widths of words, `gaps` the spaces before them, and `ends` their ends on one endless line. After
    each line break of the text, the gap before the next word is wider than any room, so that it begins a line. A word
    may be a part of one. A line that ends behind it has its `penalties`, in em of unevenness, and gets a hyphen of the
    width in `hyphens`, which is empty if no word has any.
    """

    words: list[str]
    advances: list[float]
    gaps: list[float]
    ends: list[float]
    penalties: list[float]
    hyphens: list[float]
    weight: Weight
    ascent: float
    descent: float

    @property
    def is_divided(self) -> bool:
        """Return True if the text itself has several lines."""
        return self.ends[-1] >= _UNBRIDGEABLE


def _measure(written: list[str], weight: Weight, ascent: float, descent: float, bound: bool) -> _Measured:
    """Measure the text. With `bound`, numbers stay on a line with the words that they count."""
    words, advances, gaps, penalties, hyphens = list[str](), list[float](), list[float](), list[float](), list[float]()
    for line in written:
        parts = _measure_parts(line, weight, bound)
        words += parts.words
        advances += parts.advances
        gaps += [_UNBRIDGEABLE, *parts.gaps[1:]]
        penalties += parts.penalties
        hyphens += parts.hyphens
    ends = list(accumulate(map(add, [0.0, *gaps[1:]], advances)))
    return _Measured(words, advances, gaps, ends, penalties, hyphens if any(hyphens) else [], weight, ascent, descent)


def _break_within(text: _Measured, width: float, height: float, size: float, most_lines: float) -> list[int] | None:
    """Return the starts of lines of this size, and the end, or None if the text does not fit."""
    room = min(most_lines, 1 + (height / size - text.ascent - text.descent) / _LEADING[text.weight] + _GRACE)
    if room < 1:
        return None
    breaks = _break(text, width / size)
    return None if breaks is None or len(breaks) - 1 > room else breaks


def _set_evenly(text: _Measured, width: float, size: float, breaks: list[int]) -> TextSetting:
    """Set the text in as many lines as there are breaks, as evenly as possible."""
    return _set_lines(text, width, size, _balance(text, width / size, breaks))


def _set_lines(text: _Measured, width: float, size: float, breaks: Sequence[int]) -> TextSetting:
    """Set the text in lines of this size that begin at these words."""
    lines = tuple(
        "".join(text.words[start:end]).lstrip(" ") + (_HYPHEN if text.hyphens and text.hyphens[end - 1] else "")
        for start, end in pairwise(breaks)
    )
    return TextSetting(lines, text.weight, size, text.ascent * size, text.descent * size, width)


class _Parts(NamedTuple):
    """The parts of one line of the text, in the form of `_Measured`."""

    words: list[str]
    advances: Sequence[float]
    gaps: Sequence[float]
    penalties: Sequence[float]
    hyphens: Sequence[float]


def _measure_parts(line: str, weight: Weight, bound: bool) -> _Parts:
    """Return the unbreakable parts of a line, with their spaces and measures."""
    if emphasis.has_marks(line):
        emphasized = emphasis.read_marks(line)
        plain = emphasized.text
        bound_line = _FIGURE_BEFORE_WORD.sub(rf"\1{_HARD_SPACE}", plain) if bound else plain
        breaks = line_breaks.find_breaks(bound_line)

        def cut(start: int, end: int) -> str:
            return emphasis.write_marks(emphasized.cut(start, end))

        return _measure_broken(plain, breaks, weight, cut)
    bound_line = _FIGURE_BEFORE_WORD.sub(rf"\1{_HARD_SPACE}", line) if bound else line
    if not line_breaks.is_plain(line):
        return _measure_broken(line, line_breaks.find_breaks(bound_line), weight)
    ends = list(accumulate(len(word) + 1 for word in bound_line.split(" ")))
    words = [f" {line[start : end - 1]}" for start, end in pairwise([0, *ends])]
    penalties = [_LOOSE_END_PENALTY if word in _LOOSE_WORDS else 0.0 for word in words]
    return _Parts(words, fonts.widths(bound_line, weight), [fonts.space(weight)] * len(words), penalties, [])


def _measure_broken(
    line: str, breaks: Sequence[int], weight: Weight, cut: Callable[[int, int], str] | None = None
) -> _Parts:
    """Return the parts of a line that breaks at these places, inside of words or not at each of its spaces.

    `cut` returns a part of an emphasized line with its marks.
    """
    words, advances, gaps, penalties, hyphens = list[str](), list[float](), list[float](), list[float](), list[float]()
    word, space = "", " "
    for start, end in pairwise([0, *breaks, len(line)]):
        visible = line_breaks.remove_controls(cut(start, end) if cut is not None else line[start:end])
        part = visible.rstrip(" ")
        # Letters may be kerned with those of the part before.
        before = "" if space else word
        word = f"{before}{part}"
        advance = fonts.measure(part, weight, 1)
        moved = fonts.measure(word, weight, 1) - fonts.measure(before, weight, 1) - advance if before else 0.0
        is_soft = end < len(line) and line[end - 1] == line_breaks.SOFT_HYPHEN
        words.append(f"{space}{part}")
        advances.append(advance)
        gaps.append(fonts.space(weight) if space else moved)
        hyphens.append(fonts.measure(f"{part}{_HYPHEN}", weight, 1) - advance if is_soft else 0.0)
        space = " " if visible.endswith(" ") else ""
        penalties.append(
            _end_penalty(emphasis.remove_marks(words[-1]), is_soft, is_inside=not space and end < len(line))
        )
    return _Parts(words, advances, gaps, penalties, hyphens)


def _end_penalty(word: str, is_soft: bool, *, is_inside: bool) -> float:
    """Return the penalty for a line that ends with this part of a text, in em of unevenness."""
    if is_soft:
        return _HYPHENATION_PENALTY
    if is_inside and line_breaks.is_spaced(word[-1:]):
        return _BROKEN_WORD_PENALTY
    return _LOOSE_END_PENALTY if word in _LOOSE_WORDS else 0.0


def _break(text: _Measured, width: float) -> list[int] | None:
    """Return the start of each line, and the end, or None if a word is wider than a line."""
    if max(text.advances) > width:
        return None
    breaks, used, ends, count = [0], 0.0, text.ends, len(text.ends)
    # The bisection finds the last word that fits, and takes at least one, despite rounding errors.
    while (start := max(bisect_right(ends, used + width), breaks[-1] + 1)) < count:
        while text.hyphens and ends[start - 1] + text.hyphens[start - 1] > used + width:
            start -= 1
            if start == breaks[-1]:
                return None
        breaks.append(start)
        used = ends[start] - text.advances[start]
    breaks.append(count)
    return breaks


def _balance(text: _Measured, width: float, breaks: list[int]) -> list[int]:
    """Return as many lines of equal length as possible, but the last may be short.

    Lines avoid a loose word at the end.
    """
    if len(breaks) == 2 or (len(breaks) == 3 and text.is_divided):
        return breaks
    if len(breaks) == 3:
        return [0, _balance_two(text, width, breaks[1]), len(text.ends)]
    return _evenest_breaks(text, [width] * (len(breaks) - 1)) or breaks


def _evenest_breaks(text: _Measured, widths: Sequence[float]) -> list[int] | None:
    """Return the least ragged breaks for lines of these widths.

    Return None if rounding makes a completely full line too wide.
    """
    ends, advances, count = text.ends, text.advances, len(text.ends)
    penalties = [penalty**2 for penalty in text.penalties[:-1]] + [0.0]
    hyphens = text.hyphens or [0.0] * count
    # The least raggedness of lines that end before a word, with the ends of these lines.
    reached: dict[int, tuple[float, Any]] = {0: (0.0, None)}
    for left, width in zip(range(len(widths), 0, -1), widths, strict=True):
        further: dict[int, tuple[float, Any]] = {}
        for start, (ragged, before) in reached.items():
            used = ends[start] - advances[start]
            last = bisect_right(ends, used + width, start)
            for end in range(start + 1 if left > 1 else max(count, start + 1), last + 1):
                line = ends[end - 1] - used + hyphens[end - 1]
                if hyphens[end - 1] and line > width:
                    continue
                short = width - line if end < count else max(0.0, _LAST_LINE * width - line)
                worse = ragged + short * short + penalties[end - 1]
                if end not in further or worse < further[end][0]:
                    further[end] = worse, (before, end)
        reached = further
    if count not in reached:
        return None
    even, chain = list[int](), reached[count][1]
    while chain is not None:
        chain, end = chain
        even.append(end)
    return [0, *reversed(even)]


def _balance_two(text: _Measured, width: float, full: int) -> int:
    """Return the start of the second of two lines that makes the longer one as short as possible.

    The first line avoids a loose end. `full` is the start if the first line is filled.
    """
    ends, gaps, total = text.ends, text.gaps, text.ends[-1]
    last = len(ends) - 1

    def longer(start: int) -> float:
        first = ends[start - 1]
        hyphen = text.hyphens[start - 1] if text.hyphens else 0.0
        return max(first + hyphen, total - first - gaps[start])

    half = bisect_left(ends, total / 2)
    even = max(1, half)
    if even < last and longer(even + 1) < longer(even):
        even += 1
    if not text.penalties[even - 1]:
        return even
    around = 2 * _NEAR if text.hyphens else _NEAR
    near = [start for start in range(max(1, half - around), min(half + around + 1, last) + 1) if longer(start) <= width]
    return min(near, key=lambda start: longer(start) + text.penalties[start - 1], default=full)
