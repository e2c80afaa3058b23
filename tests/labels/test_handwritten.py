"""TOML of strangers: its size and its keys are looked at before the parser is, which has no bounds."""

import tomllib

import pytest

from labels import designfile, handwritten
from labels.designfile import DesignError
from labels.paper.stocks import StockError, parse_stock

ENDLESS = "a." * 50_000 + "a = 1"


@pytest.mark.parametrize(
    "text",
    [
        ENDLESS,
        f"[{ENDLESS.removesuffix(' = 1')}]",
        f"x = {{ {ENDLESS} }}",
        '"a" . ' * 9 + "a = 1",
        "'a'.\t" * 9 + "a = 1",
        f'x = """\\"""" # "\n{ENDLESS}',
        f"x = ''''quoted''''\n{ENDLESS}",
        f'x = "\\\\"\n{ENDLESS}',
    ],
)
def test_keys_without_end_are_refused(text: str) -> None:
    with pytest.raises(handwritten.TooLarge, match="more than 8 names"):
        handwritten.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        'x = "a.b.c.d.e.f.g.h.i.j.k.l"',
        "x = 'a.b.c.d.e.f.g.h.i.j.k.l'",
        "# a.b.c.d.e.f.g.h.i.j.k.l = 1",
        'x = """\na.b.c.d.e.f.g.h.i.j = 1\n"quoted" \\""" a.b.c.d.e.f.g.h.i.j\n"""',
        "x = '''\na.b.c.d.e.f.g.h.i.j = 1\n'''",
        "x = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]",
        "a.b.c.d.e.f.g.h = 1",
        "x = {a.b = 1.5, c.d = 2.5, e.f = 3.5, g.h = 4.5}",
        'x = """""two quotes within"""""',
    ],
)
def test_dots_elsewhere_are_no_keys(text: str) -> None:
    assert handwritten.parse(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text", ['x = """' + '\\"""' * 400_000, "x = '''" + "''\n" * 600_000, '"' * 1_900_000, "." * 9]
)
def test_texts_that_never_close_are_refused(text: str) -> None:
    with pytest.raises((tomllib.TOMLDecodeError, handwritten.TooLarge)):
        handwritten.parse(text)


def test_a_text_too_large_is_refused() -> None:
    with pytest.raises(handwritten.TooLarge, match="more than 2 MB"):
        handwritten.parse("#" * 2_000_001)


def test_designs_and_stocks_say_which_line() -> None:
    with pytest.raises(DesignError, match=r"“jar.toml” is not TOML: at line 2 a key has more than 8 names"):
        designfile.parse_design(f"title = 'Jar'\n{ENDLESS}", "jar", "jar.toml")
    with pytest.raises(StockError, match=r"mine.toml cannot be read: at line 1 a key has more than 8 names"):
        parse_stock(ENDLESS, "mine.toml")
