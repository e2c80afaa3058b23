"""Messages: rendered late, in the language of whoever reads, with its plurals, lists and numbers."""

import ast
import asyncio
import pickle
import string
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates.languages.messages import (
    ENGLISH,
    Finished,
    Language,
    Message,
    Text,
    all_of,
    any_of,
    current_language,
    decimal,
    declared,
    joined,
    listed,
    name,
    partition_subject,
    parts_of,
    phrase,
    phrase_in,
    phrases,
    set_language,
    signed,
    speaking,
)
from templates.languages.pseudo import PSEUDO, strip_brackets
from tests.languages.samples import draws, japanese, polish
from tests.test_house_rules import ROOT


def test_a_message_is_english_unless_a_language_is_spoken() -> None:
    message = draws(2)
    assert str(message) == f"{message}" == "Ana draws 2 cards."
    with speaking(polish()):
        assert str(message) == "Ana dobiera 2 karty."
        with speaking(ENGLISH):
            assert str(message) == "Ana draws 2 cards."
        assert current_language().code == "pl"
    assert str(draws(1)) == "Ana draws 1 card."


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, "Ana dobiera 0 kart."),
        (1, "Ana dobiera 1 kartę."),
        (3, "Ana dobiera 3 karty."),
        (5, "Ana dobiera 5 kart."),
        (12, "Ana dobiera 12 kart."),
        (22, "Ana dobiera 22 karty."),
        (12_345, "Ana dobiera 12 345 kart."),
    ],
)
def test_polish_has_three_forms(n: int, text: str) -> None:
    assert draws(n).render(polish()) == text


def test_japanese_has_one_form_and_its_own_lists() -> None:
    assert [draws(n).render(japanese()) for n in (1, 2)] == ["Anaはカードを1枚引く。", "Anaはカードを2枚引く。"]
    assert all_of(["狼", "熊", "狐"]).render(japanese()) == "狼、熊と狐"
    assert Finished(name("勝ち")).render(japanese()) == "勝ち。"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (listed(["wolf", "bear", "fox"]), "wolf, bear, fox"),
        (all_of(["wolf", "bear", "fox"]), "wolf, bear and fox"),
        (any_of(["wolf", "bear"]), "wolf or bear"),
        (any_of(["wolf"]), "wolf"),
        (all_of([]), ""),
        (joined(" · ", [phrase("Boss"), 3]), "Boss · 3"),
        (signed(2), "+2"),
        (signed(-2), "−2"),
        (decimal(1234.5, 1), "1,234.5"),
        (phrase("{n} of {all}", n=-3, all=1000), "−3 of 1,000"),
        (phrase("Set {{1}}"), "Set {1}"),
        (declared("{1} is what it says"), "{1} is what it says"),
        (phrase_in("verb", "Attack"), "Attack"),
        (Finished(phrase("ana wins"), begins=True), "Ana wins."),
        (Finished(phrase("Is that so?")), "Is that so?"),
        (Finished(phrase("ana"), begins=True, ends=False), "Ana"),
        (phrase("Now: {what}", what=draws(1)), "Now: Ana draws 1 card."),
    ],
)
def test_a_message_in_english(message: Message, text: str) -> None:
    assert str(message) == text
    assert text in message
    assert repr(message).endswith(f"({text!r})")


def test_numbers_have_the_signs_of_the_language() -> None:
    assert decimal(-1234.5, 1).render(polish()) == "−1 234,5"
    assert phrase("{number}", number=999).render(polish()) == "999"


def test_equal_messages_render_alike_everywhere() -> None:
    assert draws(2) == draws(2)
    assert len({draws(2), draws(2), draws(3)}) == 2
    assert draws(2) != draws(2, "Ben")
    assert phrase_in("verb", "Attack") != phrase("Attack")
    with speaking(polish()):
        assert draws(2) == "Ana draws 2 cards."
        assert draws(2) in {"Ana draws 2 cards."}
        assert draws(2) != "Ana dobiera 2 karty."
    assert not phrase("")
    assert not name("")
    assert draws(0)


def test_a_message_goes_to_other_processes() -> None:
    message = phrase("{who}: {what}", who=name("Ana"), what=all_of([draws(1), signed(2)]))
    assert pickle.loads(pickle.dumps(message)) == message


async def test_tasks_and_their_threads_speak_the_language_of_their_reader() -> None:
    message = draws(2)

    async def read(language: str) -> str:
        with speaking(polish() if language == "pl" else ENGLISH):
            await asyncio.sleep(0)
            return await asyncio.to_thread(str, message)

    texts = await asyncio.gather(*map(read, ("pl", "en", "pl")))
    assert texts == ["Ana dobiera 2 karty.", "Ana draws 2 cards.", "Ana dobiera 2 karty."]


def test_a_thread_speaks_the_language_of_the_process() -> None:
    try:
        set_language(polish())
        with ThreadPoolExecutor(1) as threads:
            assert threads.submit(str, draws(2)).result() == "Ana dobiera 2 karty."
    finally:
        set_language(ENGLISH)


@given(
    template=st.text(st.sampled_from(string.ascii_letters + " .,'{}"), max_size=40),
    value=st.text(max_size=20) | st.integers(),
)
def test_text_is_not_a_template(template: str, value: object) -> None:
    """Typed text is never read as a field, wherever it stands."""
    assert str(name(template)) == template
    assert str(declared(template)) == template
    nested = phrase("{inner} and {value}", inner=name(template), value=value)
    figure = str(value) if isinstance(value, str) else ENGLISH.write_number(value)  # type: ignore[arg-type]
    assert str(nested) == f"{template} and {figure}"


def test_the_pseudo_language_brackets_what_is_a_message() -> None:
    text = f"{draws(2).render(PSEUDO)} Left in English"
    assert text.startswith("⟦Ana draws 2 cards.~")
    assert strip_brackets(text) == " Left in English"
    assert strip_brackets(joined(" · ", [phrase("One"), phrase("Two")]).render(PSEUDO)) == " · "


class _Colons:
    """A catalogue of a language with a colon of its own, or another order of words."""

    def __init__(self, colon: str, **texts: str) -> None:
        self._colon = colon
        self._texts = texts

    def gettext(self, message: str, /) -> str:
        return self._texts.get(message.partition(" ")[0].strip("{}:"), message).replace(": ", self._colon)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        return self.gettext(singular if n == 1 else plural)

    def pgettext(self, context: str, message: str, /) -> str:  # noqa: ARG002 – as of gettext
        return message


_FRENCH_COLON = Language("xa", "Spaced", _Colons("\u00a0: "))
_WIDE_COLON = Language("xb", "Wide", _Colons("："))
_NO_COLON = Language("xc", "Turned", _Colons(": ", player="{n} for {player}"))
_ODD_NAME = "Re: Ana"


@pytest.mark.parametrize(
    ("text", "subject", "rest"),
    [
        (phrase("{player}: {n} drawn.", player=_ODD_NAME, n=2), _ODD_NAME, "2 drawn."),
        (phrases("{player}: {n} card.", "{player}: {n} cards.", player=_ODD_NAME, n=2), _ODD_NAME, "2 cards."),
        (phrase("Turn {n}: {player}.", player=_ODD_NAME, n=2), "Turn 2", f"{_ODD_NAME}."),
        (joined(": ", (f"☐ {_ODD_NAME}", name("2: 3"), "go on")), f"☐ {_ODD_NAME}", "2: 3: go on"),
        (Finished(phrase("{player}: {what}", player="ana", what="goes"), begins=True), "Ana", "goes."),
        (phrase("Not yet. {what}", what=phrase("{player}: on", player="Ana")), "Not yet. Ana", "on"),
        (joined(" ", (phrase("{player} loses.", player=_ODD_NAME), declared("Draw: 2."))), "Re: Ana loses. Draw", "2."),
        ("Tough: 1 less", "Tough", "1 less"),
    ],
)
def test_a_message_is_divided_where_its_template_is(text: Text, subject: str, rest: str) -> None:
    assert partition_subject(text) == (subject, ": ", rest)
    assert "".join(partition_subject(text)) == str(text)
    if isinstance(text, Message):
        for language in (_FRENCH_COLON, _WIDE_COLON, PSEUDO, polish(), japanese()):
            assert "".join(partition_subject(text, language)) == text.render(language)


def test_each_language_has_its_own_colon() -> None:
    text = phrase("{player}: {n} drawn.", player=_ODD_NAME, n=2)
    assert partition_subject(text, _FRENCH_COLON) == (_ODD_NAME, "\u00a0: ", "2 drawn.")
    assert partition_subject(text, _WIDE_COLON) == (_ODD_NAME, "：", "2 drawn.")
    assert partition_subject(text, _NO_COLON) == (f"2 for {_ODD_NAME}", "", "")


@pytest.mark.parametrize(
    "text", [name(_ODD_NAME), phrase("{player} wins.", player=_ODD_NAME), listed((_ODD_NAME, "Ben"))]
)
def test_a_name_is_not_divided(text: Message) -> None:
    assert partition_subject(text) == (str(text), "", "")


def test_joined_texts_have_parts() -> None:
    price = phrase("{n} · {price}", n=2, price="3c")
    whole = joined(" · ", ("HP 3 · 4", joined(" · ", (price, 1234))))
    assert [*map(str, parts_of(" · ", whole))] == ["HP 3 · 4", "2 · 3c", "1,234"]
    assert parts_of(" / ", whole) == (whole,)
    assert parts_of(" · ", "Ana · Ben") == ("Ana · Ben",)


_CUTS = {"partition", "rpartition", "split", "rsplit", "removesuffix", "removeprefix"}
_MARKS = (": ", " · ", "· ", " × ", "?", " ?", "…", ", ")
_PARTED = {
    "companion/rehearsal/sweep.py": "names of rules, which are the same in all languages",
    "companion/session/reading/whole_lines.py": "a typed line",
    "companion/tabletop/notation/naming.py": "the mark of `joined` is the same in all languages",
}


def test_no_shown_text_is_taken_apart() -> None:
    cuts = set()
    for path in (file for folder in ("companion", "labels") for file in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CUTS:
                argument = node.args[0] if node.args else None
                if (isinstance(argument, ast.Constant) and argument.value in _MARKS) or "BULLET" in ast.unparse(node):
                    cuts.add(path.relative_to(ROOT).as_posix())
    assert cuts == _PARTED.keys()
