"""Text that fits: shrunk, wrapped or refused by name, and characters that no font here has."""

import re
import shutil
from io import BytesIO
from pathlib import Path
from struct import pack_into, unpack_from

import pytest
import reportlab
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfbase.ttfonts import TTFontFile

from labels.designs import EffectLabel, TierMark
from labels.errors import LabelError
from labels.output import pdf
from labels.paper import sheet
from labels.paper.sheet import SAFE_MARGIN
from labels.paper.stocks import find
from labels.typesetting import font_files, fonts
from labels.typesetting.fonts import GlyphError
from labels.typesetting.text import SMALLEST, TextError, fit, fit_truncated
from tests.examples import examples
from tests.labels.paper import Paper, printed, strays, text_in
from tests.labels.samples import ECHO, box_label

STOCK = find("18294")

words = st.text("abcdefghij ABCÉŁő0123♠★", min_size=1, max_size=60).filter(str.strip)


def test_a_name_stays_on_one_line_and_shrinks_before_it_wraps() -> None:
    wide = fit("The Ashen Court", "The name", 200, 40, 10, prefer="one line")
    narrow = fit("The Ashen Court", "The name", 50, 40, 10, prefer="one line")
    narrower = fit("The Ashen Court", "The name", 16, 40, 10, prefer="one line")
    assert (wide.size, wide.lines) == (10, ("The Ashen Court",))
    assert (narrow.lines, narrow.size < 10) == (("The Ashen Court",), True)
    assert narrower.lines == ("The", "Ashen", "Court")


def test_a_sentence_wraps_before_it_shrinks() -> None:
    roomy = fit("Nobody can Foil or Snipe it.", "The effect", 60, 40, 7)
    tight = fit("Nobody can Foil or Snipe it.", "The effect", 60, 14, 7)
    assert (roomy.size, len(roomy.lines)) == (7, 2)
    assert tight.size < 7


def test_lines_are_even() -> None:
    """No word is left alone on a last line that could have company."""
    setting = fit("Fading never crosses this card out", "The effect", 104, 40, 7)
    first, last = (fonts.measure(line, "regular", setting.size) for line in setting.lines)
    assert last > 0.5 * first


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("Grandmother of the Seven Depths", 70, ("Grandmother", "of the Seven Depths")),
        ("Grandmother of the Seven Depths", 62, ("Grandmother of", "the Seven Depths")),
        ("The Very Old Grandmother of Ashes", 80, ("The Very Old", "Grandmother of Ashes")),
        ("A Tactic aimed at this costs 1 card more.", 90, ("A Tactic aimed at this", "costs 1 card more.")),
        (
            "Drifting: may follow you in exchange for your twin.",
            56,
            ("Drifting: may", "follow you", "in exchange", "for your twin."),
        ),
    ],
)
def test_no_line_ends_with_a_word_that_belongs_to_the_next(text: str, width: float, lines: tuple[str, ...]) -> None:
    assert fit(text, "The text", width, 60, 7).lines == lines


def test_a_figure_stays_on_a_line_with_what_it_counts() -> None:
    for width in range(40, 200, 4):
        for line in fit("Pay 3 Coppers, then draw 2 cards or heal +1 HP of 20.", "The effect", width, 200, 7).lines[
            :-1
        ]:
            assert not line[-1].isdecimal(), (width, line)


def test_a_last_line_may_be_short() -> None:
    lines = fit("Everybody who dodges this attack heals at once by 2 HP and draws", "The effect", 110, 90, 7).lines
    widths = [fonts.measure(line, "regular", 7) for line in lines]
    assert min(widths[:-1]) > 0.7 * 110
    assert widths[-1] < min(widths[:-1])


def test_a_hard_space_holds_its_words_together() -> None:
    sentence = "In hand as you fall to 0{}HP: commit it, keep 1."
    soft, hard = (fit(sentence.format(space), "The effect", 98, 40, 7.5).lines for space in (" ", "\u00a0"))
    assert soft == ("In hand as you fall", "to 0 HP: commit it, keep 1.")
    assert hard == ("In hand as you fall", "to 0\u00a0HP: commit it, keep 1.")


def test_what_does_not_fit_at_the_smallest_size_is_refused() -> None:
    with pytest.raises(TextError, match=r"The name “Basil” is too long: it does not fit even at 5\.5 pt; shorten it"):
        fit("Basil", "The name “Basil”", 5, 5, 9)
    with pytest.raises(TextError, match=r"The name of “X” is too long: “(A+ ){9}A+” does not fit even at 5\.5 pt"):
        fit(" ".join(["AAAAA"] * 10), "The name of “X”", 40, 12, 10)
    with pytest.raises(TextError, match=r"does not fit even at 5\.5 pt"):
        fit("A" * 60, "The name of “X”", 100, 100, 10)


@given(words, st.floats(10, 150), st.floats(6, 60), st.sampled_from(("one line", "size")))
def test_a_setting_keeps_every_word_and_its_room(text: str, width: float, height: float, prefer: str) -> None:
    try:
        setting = fit(text, "The text", width, height, 10, prefer="one line" if prefer == "one line" else "size")
    except TextError:
        return
    assert " ".join(setting.lines) == " ".join(text.split())
    assert all(fonts.measure(line, setting.weight, setting.size) <= width + 1e-6 for line in setting.lines)
    assert setting.height <= height + 1e-6
    assert SMALLEST <= setting.size <= 10


@pytest.mark.parametrize(
    ("text", "size", "full"),
    [
        ("to Bone of drake to the drake", 6.5, "drake"),
        ("drake drake Everlasting I Everlasting drake drake a of", 6.5, "Everlasting I"),
        ("Everlasting is drake the I Everlasting Bone Wizard a", 9.5, "Bone Wizard a"),
        ("I an of to", 6.25, "I an"),
    ],
)
def test_a_line_may_be_full_to_the_last_digit(text: str, size: float, full: str) -> None:
    """What is added up in another order is a little more or less."""
    width = fonts.measure(full, "regular", size)
    setting = fit(text, "The text", width, 100, size)
    assert " ".join(setting.lines) == text
    assert all(fonts.measure(line, "regular", setting.size) <= width + 1e-6 for line in setting.lines)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Fire 🔥 Drakes", "“🔥” (U+1F525)"),
        ("竜の巣", "“竜” (U+7ADC), “の” (U+306E), “巣” (U+5DE3)"),
        ("bell\a", "has BEL (U+0007)"),
        ("x\u1dfe", "(U+1DFE)"),
        ("nothing\0", "has NUL (U+0000)"),
        ("group\x1d", "has GS (U+001D)"),
        ("turned \u202enoitcerid", "has RIGHT-TO-LEFT OVERRIDE (U+202E)"),
    ],
)
def test_a_character_that_cannot_be_printed_is_named(text: str, named: str) -> None:
    with pytest.raises(GlyphError) as refusal:
        fit(text, "The name of “X”", 200, 40, 10)
    assert str(refusal.value).startswith("The name of “X” has ")
    assert named in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("text", "from_the_left"),
    [
        ("Grave Choir", "Grave Choir"),
        ("אבג", "גבא"),
        ("אב 12 גד", "דג 12 בא"),
        ("Choir אבג 7", "Choir 7 גבא"),
        ("אב (ג)", "(ג) בא"),
        ("((אב))", "((בא))"),
        ("a (()) ב", "a (()) ב"),
        # The four letters of salaam in the shapes that join, the last two as one.
        ("سلام", "\u0645\ufefc\ufeb3"),
    ],
)
def test_what_is_written_from_right_to_left_is_drawn_so(text: str, from_the_left: str) -> None:
    pieces = fonts.pieces(fonts.clean(text), "bold")
    assert "".join(piece.text for piece in pieces) == from_the_left


def test_a_name_from_right_to_left_wraps_from_its_beginning() -> None:
    setting = fit("ראשון שני", "The name", 16, 40, 10, prefer="one line")
    assert setting.lines == ("ראשון", "שני")
    paper = printed(box_label("שלום עולם"), STOCK)
    assert strays(paper, STOCK, SAFE_MARGIN) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Fire 🔥 Drakes", r"“🔥” \(U\+1F525\) fire"),
        ("🎂 Ana 🎂", r"“🎂” \(U\+1F382\) birthday cake"),
        ("🦊", r"“🦊” \(U\+1F98A\) fox face"),
        ("Jam 🍓 and 🍎", r"“🍓” \(U\+1F353\) strawberry, “🍎” \(U\+1F34E\) red apple"),
    ],
)
def test_an_emoji_is_refused_by_its_name(text: str, names: str) -> None:
    with pytest.raises(GlyphError, match=rf"has {names}: an emoji is a picture in colour"):
        fit(text, "The name of “X”", 200, 40, 10)


def _shaped(font: bytes, char: str, like: str) -> bytes:
    """A font whose table lists a character without a shape, with the shape of another."""
    glyph = TTFontFile(BytesIO(font)).charToGlyph[ord(like)]
    patched, count = bytearray(font), 0
    (table,) = unpack_from(">L", patched, patched.index(b"cmap") + 8)
    for at in range(table + 4, table + 4 + 8 * unpack_from(">H", patched, table + 2)[0], 8):
        part = table + unpack_from(">L", patched, at + 4)[0]
        form, size = unpack_from(">H", patched, part)[0], unpack_from(">H", patched, part + 6)[0]
        for end in range(part + 14, part + 14 + size, 2) if form == 4 else ():
            start, offset = (unpack_from(">H", patched, end + 2 + times * size)[0] for times in (1, 3))
            if start <= ord(char) <= unpack_from(">H", patched, end)[0] and offset:
                pack_into(">H", patched, end + 2 + 3 * size + offset + 2 * (ord(char) - start), glyph)
                count += 1
    assert count
    return bytes(patched)


def _cut(font: bytes) -> bytes:
    """A font that has fewer shapes than characters."""
    patched = bytearray(font)
    pack_into(">H", patched, unpack_from(">L", patched, patched.index(b"maxp") + 8)[0] + 4, 20)
    return bytes(patched)


def test_a_font_of_the_system_prints_what_the_family_lacks(fonts_folder: Path) -> None:
    """reportlab's own Vera lists ∃ (U+2203), which FiraGO lacks, without a shape; with one, the system has it."""
    for name, called in (("Vera.ttf", "Vera.ttf"), ("VeraBd.ttf", "Vera-Bold.ttf")):
        shutil.copy(Path(reportlab.__file__).parent / "fonts" / name, fonts_folder / called)
    with pytest.raises(GlyphError, match="“∃”"):
        fit("∃ Choir", "The name", 200, 40, 10)
    for font in fonts_folder.iterdir():
        font.write_bytes(_shaped(font.read_bytes(), "∃", "E"))
    (fonts_folder / "broken.ttf").write_bytes(b"\0\1\0\0 no font at all")
    (fonts_folder / "empty.ttf").write_bytes(b"")
    # This one is looked at first.
    (fonts_folder / "Cut-Bold.ttf").write_bytes(_cut((fonts_folder / "Vera-Bold.ttf").read_bytes()))
    for cache in (font_files._find_files, font_files._characters, fonts._load_system_face):
        cache.cache_clear()
    fonts._PRINTABLE._others.clear()
    document = pdf.render_sheets(sheet.place_labels([box_label("∃ Choir")], STOCK), STOCK, pdf.Setup("A label"))
    assert "∃ Choir" in text_in(document, STOCK.box(1))
    assert set(re.findall(rb"/FontName /\w+\+([\w-]+)", document)) == {
        b"FiraGO-Bold",
        b"FiraGO-Regular",
        b"BitstreamVeraSans-Bold",
    }
    assert strays(Paper(document, 300), STOCK, SAFE_MARGIN) is None


def test_a_control_symbol_is_refused_whatever_fonts_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some fonts of systems have a shape for NUL."""
    monkeypatch.setattr(fonts, "_system_face", lambda weight, _: fonts.face(weight))
    with pytest.raises(GlyphError, match="has NUL"):
        fit("Fire\0", "The name", 200, 40, 10)


def test_a_long_text_is_told_by_its_beginning() -> None:
    name = "Wizard" + " Wizard" * 60
    for what, more in ((f"The name of “{name}”", "it"), ("The effect", "“Wizard ")):
        with pytest.raises(TextError) as refused:
            fit(name, what, 100, 20, 10)
        message = str(refused.value)
        assert len(message) < 300
        assert f"is too long: {more}" in message
        assert message.count("…”") == 1


def test_a_refused_character_stops_the_whole_label() -> None:
    with pytest.raises(GlyphError, match="The name “Fire 🔥 Drakes” has “🔥”"):
        printed(box_label("Fire 🔥 Drakes"), STOCK)


def test_a_tier_with_an_unprintable_mark_is_refused_by_label() -> None:
    with pytest.raises(GlyphError, match="The tier of “Echo” has “☠”"):
        printed(EffectLabel("Echo", ECHO.effect, TierMark("Deadly", "☠", "#000000")), STOCK)


def test_emoji_stars_and_typewriter_marks_become_printers_marks() -> None:
    assert fonts.clean(" ⭐\tReaper's \n Mark ♠\ufe0f ") == "★ Reaper’s Mark ♠"
    # A letter and its accent as two characters, as some keyboards send them.
    assert fonts.clean("E\u0301cho") == "Écho"


def test_what_has_no_width_is_left_out_and_parts_no_accent() -> None:
    assert fonts.clean("\ufeffGrave\u00adyard \u200bCho\u2060ir") == "Graveyard Choir"
    assert fonts.clean("E\u00ad\u0301cho") == "Écho"
    # In Persian, what has no width says which letters join.
    joined, parted = fonts.clean("میخواهم"), fonts.clean("می\u200cخواهم")
    assert (joined[1], parted[1]) == ("\ufbff", "\ufbfd")
    assert "\u200c" not in parted


@pytest.mark.parametrize("mark", ["\n", "\r\n", "\r", "\v", "\u2028", "\u2029", "\x85"], ids=ascii)
def test_a_line_break_stays_one_and_a_long_line_still_wraps(mark: str) -> None:
    written = f" {mark}Blue {mark}{mark}Wizard of the Tower{mark}"
    assert fonts.lines(written) == ["Blue", "", "Wizard of the Tower"]
    assert fit(written, "The text", 60, 60, 7, prefer="one line").lines == ("Blue", "", "Wizard of the Tower")
    assert fit(written, "The text", 40, 60, 7).lines == ("Blue", "", "Wizard", "of the Tower")


def test_a_refusal_steers_no_terminal_and_stays_on_one_line() -> None:
    with pytest.raises(TextError) as refusal:
        fit("A" * 60, "The name of “Blue\nWizard \u202e\x1b[2J”", 100, 100, 10)
    assert str(refusal.value).startswith("The name of “Blue Wizard ··[2J” is too long")
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("text", ["Łódź", "Őrjöngő", "Ångström", "Жар-птица", "Ωμέγα", "♠♥♦♣★ ●■◆▲✦", "“½ × ∞” – …"])
def test_the_family_has_what_the_languages_around_need(text: str) -> None:
    fonts.check(text, "The text")


printable = st.characters(codec="utf-8").filter(lambda char: not char.isspace() and _is_printable(char))


def _is_printable(text: str) -> bool:
    try:
        fonts.check(fonts.clean(text), "The text")
    except GlyphError:
        return False
    return bool(fonts.clean(text))


@settings(max_examples=examples(60))
@given(st.lists(st.text(printable, min_size=1, max_size=8), min_size=1, max_size=6).map(" ".join))
def test_no_name_however_strange_leaves_its_label(name: str) -> None:
    try:
        paper = printed(box_label(name), STOCK)
    except LabelError:
        return
    assert strays(paper, STOCK, SAFE_MARGIN) is None


def test_what_cannot_be_printed_leaves_no_space_before_a_sign() -> None:
    setting = fit_truncated("Dee began Fire & Ice \U0001f9ca: a pack \U0001f525.", 300, 9)
    assert setting.lines == ("Dee began Fire & Ice: a pack.",)
