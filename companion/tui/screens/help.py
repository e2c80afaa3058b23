"""The help screen: all keys of a screen, and at a table all lines and terms, with a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Final, NamedTuple

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from companion.session.table.terms import WRONG, WRONG_KIND
from companion.tabletop.notation.notation import Notation
from companion.tabletop.notation.usage_words import UsageText
from companion.tabletop.table.house_rules import Term
from companion.tui import drawing, keymap
from companion.tui.screens.base import STYLES, TypingScreen, key_name
from companion.tui.widgets.page import Page
from templates.languages.messages import Text, declared, joined, phrase, phrase_in

_COLUMN = 16
_MORE = phrase("Type to search all keys, lines, words and rules.")


class _Row(NamedTuple):
    """Lines that are found together: a word and its meaning. `also` are hidden words that find them as well."""

    lines: tuple[Content, ...]
    also: Text = ""


_BLANK: Final = _Row((Content(""),))

# Translators: The messages from here on are never shown. They are words that people may type into the search of the
# help for what is called otherwise there: put all that your language has for it, as many as you like.
_ALSO: Final[Mapping[str, Text]] = {
    "app.phones": phrase_in("search", "smartphone mobile QR code PIN guests Wi-Fi network browser share"),
    "app.quit": phrase_in("search", "exit close end stop finish shut down"),
    "app.home": phrase_in("search", "leave exit back end stop start menu"),
    "table.leave": phrase_in("search", "exit go away back end stop pause break home quit"),
    "table.undo": phrase_in("search", "take back mistake wrong error revert"),
    "table.redo": phrase_in("search", "restore undone forward"),
    "table.next": phrase_in("search", "continue proceed pass end of turn finish"),
    "table.go": phrase_in("search", "continue fast forward automatic skip"),
    "table.again": phrase_in("search", "rematch new game replay repeat revenge"),
    "table.card": phrase_in("search", "picture result share send export PDF summary"),
    "table.far": phrase_in("search", "large big zoom scoreboard television"),
    "table.log": phrase_in("search", "history protocol past earlier"),
    "table.more": phrase_in("search", "add plus raise correct change"),
    "table.less": phrase_in("search", "subtract minus lower correct change"),
    "table.draw": phrase_in("search", "random shuffle deal pick"),
    "home.new": phrase_in("search", "play start begin match game"),
    "home.found": phrase_in("search", "new deck create found make"),
    "home.adopt": phrase_in("search", "import existing old paper take over"),
    "home.scan": phrase_in("search", "camera QR barcode photo box"),
    "home.print": phrase_in("search", "stickers labels sheet printer PDF"),
    "home.people": phrase_in("search", "players friends names purse money"),
    "home.leagues": phrase_in("search", "tournament Swiss championship ladder table"),
    "home.settings": phrase_in("search", "options preferences colours language printer configuration"),
    "home.archive": phrase_in("search", "backup save copy restore file"),
    "concede": phrase_in("search", "give up quit leave surrender resign drop out end stop"),
    "draw-agreed": phrase_in("search", "tie draw nobody wins stop end"),
    "seat": phrase_in("search", "player guest join sit add"),
    "set": phrase_in("search", "correct change fix wrong number"),
    "note": phrase_in("search", "comment remark write"),
    "undo": phrase_in("search", "take back mistake wrong error revert"),
    "amend": phrase_in("search", "correct change fix wrong earlier line"),
    "seal": phrase_in("search", "finish save close complete end"),
    "rule": phrase_in("search", "house rule option variant agree"),
}
"""Hidden words by the id of a key or by a verb."""


class Help(TypingScreen[None], ModalScreen[None]):
    """A page to scroll through; typing leaves only the rows that match.

    `terms` are all words that can be looked up; `about` are those that the user just asked for, which come first.
    `titles` are those of the verbs of lines in the reader's language.
    """

    CSS_PATH = STYLES / "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,enter", "dismiss", "Close", id="help.close", tooltip="Back"),
    ]

    page = getters.query_one("#page", Page)

    def __init__(
        self,
        bindings: Mapping[str, ActiveBinding],
        notation: Notation | None = None,
        credit: Text = "",
        terms: Sequence[Term] = (),
        about: Sequence[Term] = (),
        titles: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self._titles = titles
        self._active = tuple(bindings.values())
        self._notation = notation
        self._credit = credit
        self._terms = tuple(terms)
        self._about = tuple(about)

    def compose(self) -> ComposeResult:
        """Yield the search field, and the page with the keys and lines."""
        with Vertical(id="all"):
            yield Input(id="find", placeholder=str(phrase("type what to look for")), select_on_focus=False)
            yield Page(id="page")

    @property
    def field(self) -> Input:
        """The search field."""
        return self.query_one("#find", Input)

    def on_mount(self) -> None:
        """Focus the page, so that the arrow keys scroll at once."""
        whole = self.query_one("#all")
        scroll, closes = phrase("↑ ↓ scroll"), phrase("{key} closes", key=key_name(self, "help.close"))
        whole.border_title = str(phrase("Help"))
        whole.border_subtitle = f"{scroll} · [@click=screen.dismiss()]{closes}[/]"
        self.field.cursor_blink = False
        self._show("")
        self.set_focus(self.page)

    def on_click(self, event: events.Click) -> None:
        """Close the help on a click beside the page."""
        if event.widget is self:
            self.dismiss()

    @on(Input.Changed)
    def looked_for(self, event: Input.Changed) -> None:
        """Show only the rows that match."""
        self._show(event.value.strip().lower())

    @on(Input.Submitted)
    def close(self) -> None:
        """Close the help on Enter, wherever the cursor is."""
        self.dismiss()

    def _show(self, text: str) -> None:
        rows = [row for row in self._rows() if _has(row, text)] if text or not self._about else []
        if not text and self._about:
            rows = [*map(_term, self._about), _BLANK, _Row((Content.styled(str(_MORE), drawing.DIM),))]
        nothing = _Row((Content(str(phrase("Nothing was found."))),))
        self.page.show(line for row in rows or [nothing] for line in row.lines)

    def _rows(self) -> list[_Row]:
        rows = _heading(phrase("Keys"))
        keys_by_tip: dict[str, list[Binding]] = {}
        for active in sorted(self._active, key=lambda active: not isinstance(active.node, Screen)):
            if active.tooltip:
                keys_by_tip.setdefault(active.tooltip, []).append(active.binding)
        for tip, keys in keys_by_tip.items():
            titles = [declared(key.description) for key in keys]
            also = joined(" ", (*titles, *(_ALSO.get(key.id or "", "") for key in keys)))
            rows.append(_key(", ".join(map(self.app.get_key_display, keys)), declared(tip), also))
        rows += [_key("", phrase("Choose other keys in {file}", file=drawing.near_home(keymap.keymap_file())))]
        if self._notation is not None:
            rows += self._lines(self._notation)
        if self._terms:
            rows += [
                _BLANK,
                *_heading(phrase("Words and rules")),
                *(_term(term) for term in self._terms if term.kind != WRONG_KIND),
            ]
        return [*rows, *([_BLANK, _Row((Content(str(self._credit)),))] if self._credit else [])]

    def _lines(self, notation: Notation) -> list[_Row]:
        """Return the rows on how to type lines, then those on all lines."""
        has_cards = any("CARD" in notation.usage(verb).split() for verb in notation.table_verbs)
        rows = [
            _key("Enter", phrase("On the empty line: answer the first question; Tab shows its other answers")),
            _key("↓ ↑ Enter", phrase("Choose an answer from the list below the question; typing narrows it down")),
            *(
                [_key("9s qh 6c", phrase("If each seat is asked for a card: all cards in one line"))]
                if has_cards
                else []
            ),
            _key("sp 6c" if has_cards else "dr", phrase("The beginning of a word is enough if it is unique")),
            _BLANK,
            *_heading(phrase("Something is wrong")),
            _wrong(),
            _BLANK,
            *_heading(phrase("Lines")),
        ]
        return rows + [self._line(notation, verb) for verb in notation.table_verbs]

    def _line(self, notation: Notation, verb: str) -> _Row:
        """Return a line after the title of its verb, with its meaning below."""
        usage = Content.styled(str(UsageText(notation.usage(verb))), drawing.BOLD)
        title = self._titles.get(verb, "")
        head = Content.assemble((title, drawing.BOLD), (" · ", drawing.DIM), usage) if title else usage
        return _Row((head, Content(f"    {notation.help(verb)}")), _ALSO.get(verb, ""))


def _has(row: _Row, text: str) -> bool:
    """Return True if a row has all words of the search, in any order."""
    whole = " ".join((*(line.plain for line in row.lines), str(row.also))).lower()
    return all(word in whole for word in text.split())


def _wrong() -> _Row:
    """Return the rows on how to correct mistakes, found together by any of their words."""
    return _Row(tuple(line for typed, what in WRONG for line in _key(typed, what).lines))


def _heading(text: Text) -> list[_Row]:
    return [_Row((Content.styled(str(text), drawing.ACCENT),)), _BLANK]


def _term(term: Term) -> _Row:
    """Return a term with its kind and its rule, and its meaning below them."""
    if term.kind == WRONG_KIND:
        return _Row((*_heading(term.title)[0].lines, *_wrong().lines))
    origin = joined(" · ", (part for part in (term.kind, term.rule) if part and part != term.name))
    name = Content.assemble((str(term.title), drawing.BOLD), (f"  {origin}", drawing.DIM))
    return _Row((name, Content(f"    {drawing.narrow_glyphs(str(term.text))}")))


def _key(key: str, tip: Text, also: Text = "") -> _Row:
    return _Row((Content.assemble((f"{key:<{_COLUMN}}", drawing.BOLD), str(tip)),), also)
