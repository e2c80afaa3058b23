"""Labels of one's own: TOML and CSV as people write them, and errors that name the line."""

from pathlib import Path

import pytest

from companion.press import custom
from companion.press.custom import FileError
from labels.designs import EffectLabel, HeadedLabel, Plain
from labels.label import Label


def _read(tmp_path: Path, name: str, text: str) -> tuple[Label, ...]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return custom.read(path)


@pytest.mark.parametrize(
    "text",
    [
        "name,text,tier,count\nGlow,Shines in the dark.,Rare,2\nAna,,,\n",
        "\ufeffName;Text;Tier;Count\r\nGlow;Shines in the dark.;rare;2\r\n\r\nAna\r\n",
        "text\tcount\tname\ttier\nShines in the dark.\t2\tGlow\tRARE\n\t1\tAna\t\n",
    ],
    ids=["commas", "as a spreadsheet in Europe saves it", "tabs"],
)
def test_a_table_in_any_dialect(tmp_path: Path, text: str) -> None:
    glow, again, ana = _read(tmp_path, "custom.csv", text)
    assert isinstance(glow, EffectLabel)
    assert (glow.title, glow.effect, glow.tier.title) == ("Glow", "Shines in the dark.", "Rare")
    assert again == glow
    assert ana == Plain("Ana")


def test_toml_with_a_monster_label_and_text_with_commas(tmp_path: Path) -> None:
    bitten = '[[label]]\nname = "Bite"\ntext = "Now, and then, it bites."\ntier = "hard"\n'
    bite, *rest = _read(tmp_path, "custom.toml", bitten + '\n[[label]]\nname = "Ana"\ncount = 3\n')
    assert isinstance(bite, HeadedLabel)
    assert bite.tier.mark == "▲▲▲"
    assert rest == [Plain("Ana")] * 3


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", 'name,text\n"Blue\nWizard","One\u2028two."\nAna,\n'),
        ("a.csv", 'name,text\r\n"Blue\rWizard","One\r\ntwo."\r\nAna,\r\n'),
        (
            "a.toml",
            '[[label]]\nname = "Blue\\nWizard"\ntext = """\nOne\ntwo."""\n[[label]]\nname = "\ufeffA\u00adna"',
        ),
    ],
)
def test_line_breaks_stay_and_make_no_label(tmp_path: Path, name: str, text: str) -> None:
    assert _read(tmp_path, name, text) == (Plain("Blue\nWizard", "One\ntwo."), Plain("Ana"))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.csv", "", "Line 1 of .* must name the columns: name, and where wanted text, tier, count"),
        ("a.csv", "text\nx\n", "Line 1 of .* must name the columns"),
        ("a.csv", "name,colour\nx,red\n", "Line 1 of .* must name the columns.*it has “name,colour”"),
        ("a.csv", "name\n", "asks for no label"),
        ("a.csv", "name,text\nGlow,Now, and then\n", "Line 2 of .* has 3 cells for 2 columns"),
        (
            "a.csv",
            "name,tier,text\nGlow,rare,x\nGlimmer,epic,x\n",
            "Line 3 of .*: “epic” is not a tier; tiers are easy",
        ),
        ("a.csv", "name,count\nGlow,1\n\nGlow,lots\n", "Line 4 of .*: count is a whole number up to 10000, not “lots”"),
        ("a.csv", "name,count\nGlow,-1\n", "Line 2 of .*: count"),
        ("a.csv", "name,text\n,words\n", "Line 2 of .* has no name"),
        ("a.csv", "name,tier\nGlow,rare\n", "Line 2 of .*: a label of a tier needs a text; “Glow” has none"),
        ("a.csv", "name\nFire 🔥\n", "Line 2 of .*: the name “Fire 🔥” has “🔥” .* an emoji"),
        ("a.csv", "name\nFire\0\n", "Line 2 of .*: the name “Fire·” has NUL .U.0000., which no font"),
        ("a.csv", 'name,count\n"Blue\nWizard",lots\n', "Line 2 of .*: count is a whole number"),
        ("a.csv", 'name,count\n"Blue\nWizard",1\nGlow,lots\n', "Line 4 of .*: count is a whole number"),
        ("a.csv", 'name,text\nGlow,"open\n', "Line 2 of .* cannot be read: unexpected end of data"),
        ("a.csv", "name,count\nGlow,9999\nGlow,9999\n", "asks for 19998 labels; 10000 is the most"),
        ("a.toml", "[[label]]\nname = \n", r"is not TOML: .*line 2"),
        ("a.toml", "", "asks for no label"),
        ("a.toml", 'title = "x"\n', r"has “title” where \[\[label\]\] tables are expected"),
        ("a.toml", "label = 3\n", r"has “label” where \[\[label\]\] tables are expected"),
        (
            "a.toml",
            '[[label]]\nname = "a"\n\n[[label]]\nnmae = "b"\n',
            "Line 4 of .* has “nmae”, which is none",
        ),
        ("a.toml", '[[label]]\nname = "a"\n[[label]]\nname = 3\n', "Line 3 of .*: name is a text in quotation marks"),
        ("a.toml", '[[label]]\nname = "a"\ncount = 1.5\n', "Line 1 of .*: count is a whole number"),
        ("a.txt", "name\nx\n", r"ends in neither .toml nor .csv"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, name: str, text: str, says: str) -> None:
    with pytest.raises(FileError, match=says):
        _read(tmp_path, name, text)


def test_a_picture_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    with pytest.raises(FileError, match="is not text"):
        custom.read(tmp_path / "a.csv")
