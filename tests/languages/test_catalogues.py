"""Catalogues: what translators' files may hold, which languages there are, and which one a reader gets."""

import ast
import gettext
import io
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import registry
from companion.tabletop.table.common_actions import LOG
from templates.languages import catalogues
from templates.languages.catalogues import Entry, LanguageError, find_flaws, read_po
from templates.languages.messages import ENGLISH, fields_of, phrase
from templates.languages.pseudo import PSEUDO
from tests.languages import extraction
from tests.languages.samples import DRAWS, IN_POLISH, draws, po

MAKERS = ("phrase", "phrases", "phrase_in")
GREETING = 'msgid "{player} begins."\nmsgstr '


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        (f'{GREETING}"{{player:>99999999}} zaczyna."', "{player:>99999999} is no field"),
        (f'{GREETING}"{{player.__class__}} zaczyna."', "{player.__class__} is no field"),
        (f'{GREETING}"{{player!r}} zaczyna."', "{player!r} is no field"),
        (f'{GREETING}"{{0}} zaczyna."', "{0} is no field"),
        (f'{GREETING}"{{}} zaczyna."', "{} is no field"),
        (f'{GREETING}"{{player zaczyna."', "is no field"),
        (f'{GREETING}"{{card}} zaczyna."', "has no field {card}"),
        (f'{GREETING}"Zaczyna."', "the field {player} is missing"),
        (f'{GREETING}"{{player}} {"x" * 500}"', "the text is too long"),
        (f'{GREETING}"{{player}}\\n\\n\\nzaczyna."', "more lines"),
        (f'{GREETING}"{{player}} \u202ezaczyna."', "a control character"),
        (f'{DRAWS}msgstr[0] "{{player}} dobiera {{n}}."', "1 forms are given, and the language has 3"),
        (f'{DRAWS}msgstr[0] "{{player}}"\nmsgstr[1] "{{player}}"\nmsgstr[2] "{{x}}"', "has no field {x}"),
    ],
)
def test_what_a_stranger_writes_is_refused(entries: str, why: str) -> None:
    with pytest.raises(LanguageError) as refused:
        catalogues.read_catalogue(po(entries))
    assert why in str(refused.value)
    assert "line 7" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "names no Language"),
        ("nonsense", "Line 1 of the catalogue cannot be read: nonsense"),
        ('msgid "x"\nmsgstr "y\n', "Line 2 of the catalogue cannot be read"),
        ('msgstr "y"\n', "has no msgid"),
        (po("", forms="nplurals=99; plural=0;"), "no usable Plural-Forms"),
        (po("", forms="nplurals=2; plural=__import__('os');"), "Plural-Forms that cannot be read"),
        (po("", code="../../etc/passwd"), "names no Language"),
        ('msgid "x"\nmsgstr "y"\n\n' * 20_001, "over 20,000 entries"),
    ],
)
def test_a_file_that_is_no_catalogue_is_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(LanguageError) as refused:
        catalogues.read_catalogue(text)
    assert why in str(refused.value)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, po(text)):
        with suppress(LanguageError):
            assert catalogues.read_catalogue(whole).code


@given(
    template=st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=60),
    translation=st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=120),
)
def test_what_passes_the_checks_can_be_filled_in(template: str, translation: str) -> None:
    try:
        fields = fields_of(template)
    except ValueError:
        return
    if not any(find_flaws(Entry("", template, texts=(translation,)), 1)):
        translation.format_map(dict.fromkeys(fields, "x"))


def test_a_doubtful_or_empty_translation_does_not_count() -> None:
    fuzzy = catalogues.read_catalogue(po(f'#, fuzzy\n{GREETING}"{{player}} {{card}}"'))
    empty = catalogues.read_catalogue(po(f'{GREETING}""'))
    for language in (fuzzy, empty):
        assert phrase("{player} begins.", player="Ana").render(language) == "Ana begins."


def test_a_catalogue_has_comments_contexts_and_texts_over_several_lines() -> None:
    text = po(
        '#. For a button\n#: companion/x.py\nmsgctxt "verb"\nmsgid ""\n"At"\n"tack"\nmsgstr "Ata\\"kuj"\n#~ msgid "old"'
    )
    (only,) = read_po(text).entries
    assert (only.context, only.singular, only.texts) == ("verb", "Attack", ('Ata"kuj',))


def test_a_translators_file_is_a_language(tmp_path: Path) -> None:
    file = tmp_path / "mine.PO"
    file.write_text(po(GREETING + '"{player} zaczyna."'), encoding="utf-8")
    language = catalogues.load_language(str(file))
    assert phrase("{player} begins.", player="Ana").render(language) == "Ana zaczyna."
    assert (language.code, language.title) == ("pl", "Polski")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(LanguageError, match="not in UTF-8"):
        catalogues.load_language(str(file))
    with pytest.raises(LanguageError, match="cannot be read"):
        catalogues.load_language(str(tmp_path / "none.po"))


def test_a_language_is_found_by_any_spelling_of_its_code() -> None:
    assert catalogues.find_language("en_GB.UTF-8") is ENGLISH
    assert catalogues.find_language("EN") is ENGLISH
    assert catalogues.find_language("en-XA") is PSEUDO
    assert catalogues.find_language("tlh") is None
    with pytest.raises(LanguageError, match="choose en"):
        catalogues.load_language("tlh")


def test_nobody_gets_an_unfinished_language_unasked() -> None:
    assert catalogues.choose_language(["en-XA", "tlh"]) is ENGLISH
    assert catalogues.choose_language([], PSEUDO) is PSEUDO


@pytest.mark.parametrize(
    ("header", "codes"),
    [
        ("de-AT,de;q=0.9, en;q=0.8,*;q=0.1", ("de-AT", "de", "en")),
        ("en;q=0.2, fr;q=0.9", ("fr", "en")),
        ("de;q=0, fr;q=x, es", ("es",)),
        ("", ()),
        ("," * 5000, ()),
    ],
)
def test_the_wishes_of_a_browser(header: str, codes: tuple[str, ...]) -> None:
    assert catalogues.read_accept_language(header) == codes


def test_a_compiled_catalogue_that_is_older_than_its_source_is_not_used(tmp_path: Path) -> None:
    source, compiled = tmp_path / "pl.po", tmp_path / "pl.mo"
    source.write_text(po(IN_POLISH), encoding="utf-8")
    catalogues.compile_file(source)
    assert draws(5).render(catalogues.load_files(source, compiled)) == "Ana dobiera 5 kart."
    source.write_text(po(IN_POLISH.replace("kart.", "kart!")), encoding="utf-8")
    assert draws(5).render(catalogues.load_files(source, compiled)) == "Ana dobiera 5 kart!"
    # As in an installed package, which has no sources: the source was compiled anew.
    assert draws(5).render(catalogues.load_files(None, compiled)) == "Ana dobiera 5 kart!"


ENTRIES = """
msgid "Ready"
msgstr "Gotowe"

msgctxt "verb"
msgid "Ready"
msgstr "Przygotuj"

msgid "{n} wolf"
msgid_plural "{n} wolves"
msgstr[0] "{n} wilk"
msgstr[1] "{n} wilki"
msgstr[2] "{n} wilków"
"""


def test_a_compiled_catalogue_reads_as_gettext_reads_it() -> None:
    data = catalogues.compile_catalogue(read_po(po(ENTRIES)))
    ours, theirs = catalogues.CompiledCatalogue(data), gettext.GNUTranslations(io.BytesIO(data))
    for text in ("Ready", "Read", "Readyy", "{n} wolf", "{n} wolves", "~", ""):
        assert ours.gettext(text or "!") == theirs.gettext(text or "!")
        assert ours.pgettext("verb", text) == theirs.pgettext("verb", text)
        for n in (0, 1, 2, 5, 22):
            assert ours.ngettext(text, "{n} wolves", n) == theirs.ngettext(text, "{n} wolves", n) or not text
    assert ours.ngettext("{n} wolf", "{n} wolves", 5) == "{n} wilków"


def test_what_is_no_compiled_catalogue_is_refused() -> None:
    for data in (b"", b"x" * 40):
        with pytest.raises(ValueError, match="no compiled catalogue"):
            catalogues.CompiledCatalogue(data)


# The catalogues of the program


def test_every_text_of_the_source_is_a_template_that_can_be_filled_in() -> None:
    for text in extraction.find_texts():
        if text.is_declared:
            continue
        singular, *plurals = (text.text,) if isinstance(text.text, str) else text.text
        fields = fields_of(singular)
        assert all(fields_of(plural) | {"n"} == fields | {"n"} for plural in plurals), text


@pytest.mark.parametrize("code", catalogues.list_codes()[1:])
def test_a_bundled_catalogue_has_no_flaws(code: str) -> None:
    text = (extraction.FOLDER / f"{code.replace('-', '_')}.po").read_text(encoding="utf-8")
    forms = catalogues.count_forms(read_po(text).header["Plural-Forms"])
    translated = [entry for entry in read_po(text).entries if entry.is_translated]
    assert [flaw for entry in translated for flaw in find_flaws(entry, forms)] == []
    assert catalogues.read_catalogue(text).title != code


@pytest.mark.parametrize("code", catalogues.list_codes()[1:])
@pytest.mark.parametrize("game", ["decknforge", "soulforger", "oddfrontier", "solforge"])
def test_each_verb_of_a_game_has_a_word_of_its_own(code: str, game: str) -> None:
    language = catalogues.load_language(code)
    verbs = {action.verb() for action in (*registry.game(game).actions, *LOG)}
    words = Counter(language.translate(verb, "verb").casefold() for verb in verbs)
    assert [word for word, number in words.items() if number > 1 or " " in word] == []


def test_no_message_is_made_within_an_fstring() -> None:
    """Babel finds none there before Python 3.12."""
    trees = {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for room in ("companion", "labels", "templates")
        for path in (extraction.ROOT / room).rglob("*.py")
    }
    fstrings = (
        (path, node) for path, tree in trees.items() for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
    )
    calls = ((path, call) for path, node in fstrings for call in ast.walk(node) if isinstance(call, ast.Call))
    assert [f"{path}:{call.lineno}" for path, call in calls if ast.unparse(call.func) in MAKERS] == []
