"""Pages rendered from templates. Every foreign text is escaped, and its control characters are replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cache, lru_cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from companion.session.table.terms import Glossary, plain
from companion.tabletop.notation.cards import RANKS
from companion.tabletop.notation.cards import spoken as describe_cards
from companion.tabletop.text import sanitize
from companion.web.languages import list_links
from templates.languages import dates, messages

if TYPE_CHECKING:
    from companion.web.answering import AnswerForm

_MAX_WORDS: Final = 12
"""The most words that one link explains."""
_MAX_TEXT: Final = 2_000
"""The most characters of one text on a page."""

STATIC_FILES: Final = {
    "style.css": "text/css; charset=utf-8",
    "screen.css": "text/css; charset=utf-8",
    "script.js": "text/javascript; charset=utf-8",
    "screen.js": "text/javascript; charset=utf-8",
    "scan.js": "text/javascript; charset=utf-8",
    "host.css": "text/css; charset=utf-8",
    "care.css": "text/css; charset=utf-8",
    "host.js": "text/javascript; charset=utf-8",
    "editor.css": "text/css; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "designer.css": "text/css; charset=utf-8",
    "designer.js": "text/javascript; charset=utf-8",
    "worker.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "turn.svg": "image/svg+xml",
    "icon.png": "image/png",
    "companion.webmanifest": "application/manifest+json",
}
"""The static files of the pages, with their media types."""
WORKER: Final = "worker.js"
"""The worker, which opens pages while the server is unreachable."""


host_messages: Final[ContextVar[Callable[[], messages.Text] | None]] = ContextVar("host_messages", default=None)
"""While a request of the host's own browser is answered, the function that returns a message left for the next page.

Each page then leads to the host's pages, and shows the message.
"""


def is_for_host() -> bool:
    """Return True while a request of the host's own browser is answered."""
    return host_messages.get() is not None


def take_host_message() -> messages.Text:
    """Return the message that was left for the host, once; "" if there is none."""
    take = host_messages.get()
    return take() if take is not None else ""


@cache
def static_file(name: str) -> bytes:
    """Return the content of one of STATIC_FILES. Raises KeyError for any other name."""
    _ = STATIC_FILES[name]
    return (resources.files("templates") / "web" / name).read_bytes()


@cache
def static_url(name: str) -> str:
    """Return the address of one of STATIC_FILES with a hash of its content, so that browsers may cache it forever."""
    return f"/{name}?{sha256(static_file(name)).hexdigest()[:12]}"


def render(template: str, **context: Any) -> str:
    """Render a template of `templates/web` as HTML."""
    return _create_environment().get_template(template).render(context)


def _finalize(value: Any) -> Any:
    """Prepare a value for a page. Text is truncated and sanitized; markup of a template is unchanged."""
    if isinstance(value, messages.Message):
        value = str(value)
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return simplify(_shorten(value))


def _shorten(text: str) -> str:
    return sanitize(text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…")


_RULE: Final = re.compile(r"[RAV]\d+\.[A-Z]?\d+\w*")
_RULES: Final = re.compile(rf"\s*\((?=[^()]*{_RULE.pattern})([^()]*)\)")
_CLAUSE: Final = re.compile(r"(?<=[.;:?!。；：？！])\s+")
_QUOTED: Final = re.compile(r"`([^`]*)`")
_OPEN: Final = (";", ":", "；", "：")


def simplify(text: str) -> str:
    """Return a text for readers who tap: without the numbers of rules, and without clauses on lines to type.

    If nothing else would be left, such as of an error in a line, its words stand in quotes.
    """
    if "(" in text:
        text = _RULES.sub(_without_rules, text)
    return _without_lines(text) if "`" in text else text


def _without_rules(brackets: re.Match[str]) -> str:
    """Return a text in brackets without numbers of rules, or nothing if there are only numbers."""
    parts = [part.strip() for part in brackets[1].split(",")]
    others = [part for part in parts if not _RULE.fullmatch(part)]
    return f" ({', '.join(_RULE.sub('', part).strip() for part in others)})" if others else ""


def _without_lines(text: str) -> str:
    kept: list[str] = []
    for clause in _CLAUSE.split(text):
        if not _QUOTED.search(clause):
            kept.append(clause)
            continue
        if kept and kept[-1].endswith((":", "：")):
            kept.pop()
        if kept and kept[-1].endswith(_OPEN) and not clause.endswith(_OPEN):
            kept[-1] = f"{kept[-1][:-1]}."
    sentence = " ".join(kept)
    return sentence[:1].upper() + sentence[1:] if kept else _QUOTED.sub(lambda line: f"“{line[1]}”", text)


def mark_exact(text: messages.Text) -> Markup:
    """Return a text as it was typed or is sent, as the value of a field."""
    return Markup(escape(_shorten(str(text))))


def clean_lines(text: messages.Text) -> str:
    """Return a text as a field of several lines has it: whole, with its line breaks and tabs."""
    return "\n".join("\t".join(map(sanitize, line.split("\t"))) for line in str(text).split("\n"))


def mark_lines(text: messages.Text) -> Markup:
    """Return a text as the value of a field that must keep all of it."""
    return Markup(escape(clean_lines(text)))


_CARD: Final = re.compile(f"(?:{'|'.join(RANKS)})?[♠♥♣♦]")


def phrase_html(template: str, /, **values: Any) -> Markup:
    """Return a translated template with values that may be markup: `phrase_html("{name} plays.", name=bdi(name))`."""
    return _fill(messages.current_language().translate(template), values)


def phrases_html(singular: str, plural: str, /, *, n: int, **values: Any) -> Markup:
    """Return a translated template that depends on a number, with values that may be markup."""
    language = messages.current_language()
    return _fill(language.translate_plural(singular, plural, n), {"n": n, **values})


def _fill(template: str, values: Mapping[str, Any]) -> Markup:
    language = messages.current_language()
    texts = {
        field: value if isinstance(value, Markup) else _finalize(messages.render_value(value, language))
        for field, value in values.items()
    }
    return Markup(escape(template)).format(**texts)


def bdi(text: object) -> Markup:
    """Return a name that people typed, isolated from the direction of the text around it."""
    return Markup("<bdi>{}</bdi>").format(_finalize(str(text)))


def kbd(keys: str) -> Markup:
    """Return keys to press, as a value of `phrase_html`."""
    return Markup("<kbd>{}</kbd>").format(keys)


def spoken(text: messages.Text) -> str:
    """Return a text with its cards in words, for screen readers."""
    return describe_cards(str(text))


def draw_star(text: messages.Text) -> Markup:
    """Return a text for use between tags with the star that text fonts have: without emoji, ⭐ is an empty box."""
    return Markup(str(escape(_finalize(text))).replace("⭐", "★"))  # markup stays as it is


def color_suits(text: messages.Text) -> Markup:
    """Return a text for use between tags, with suits in their colours. It is not for attributes."""
    escaped = str(draw_star(text))
    if messages.current_language().is_rtl:
        # The rank of a card stands left of its suit in all scripts.
        return Markup(_CARD.sub(_isolate_card, escaped))
    return Markup(_CARD.sub(_color_card, escaped))


_SUIT_COLOURS: Final = {"♠": "", "♥": "red", "♣": "club", "♦": "red diamond"}
"""The classes of suits; spades have the colour of the text."""


def _color_card(card: re.Match[str]) -> str:
    """Return a card as markup in the colour of its suit."""
    colour = _SUIT_COLOURS[card[0][-1]]
    return f'<span class="{colour}">{card[0]}</span>' if colour else card[0]


def _isolate_card(card: re.Match[str]) -> str:
    """Return a card as markup with a direction of its own."""
    colour = _SUIT_COLOURS[card[0][-1]]
    attribute = f' class="{colour}"' if colour else ""
    return f'<span dir="ltr"{attribute}>{card[0]}</span>'


def mark_typed(text: messages.Text) -> Markup:
    """Return a sentence of the log for use between tags. Plain text was typed, and has its own direction."""
    if isinstance(text, messages.Message):
        return color_suits(text)
    return Markup('<bdi class="typed">{}</bdi>').format(color_suits(mark_exact(text)))


class WordLinks:
    """Links from the words on a table's page to what they mean; pages that nobody taps have none."""

    def __init__(self, session: str, words: Glossary) -> None:
        self._session = session
        self._words = words
        self._linked: set[str] = set()

    def address(self, *texts: messages.Text) -> str:
        """Return the address of what the words in these texts mean, "" if none is in the glossary."""
        terms = dict.fromkeys(term for text in texts for term in self._words.find(str(text)))
        names = ",".join(plain(term.name) for term in [*terms][:_MAX_WORDS])
        return f"/t/{self._session}/words?of={quote(names, safe=',')}" if names else ""

    def link(self, text: messages.Text) -> Markup:
        """Return a text as a link to what it means where it stands first on the page, else the text alone."""
        address = self.address(text)
        if address in self._linked:
            address = ""
        self._linked.add(address)
        template = '<a class="word" href="{1}" data-word>{0}</a>' if address else "{0}"
        return Markup(template).format(_finalize(str(text)), address)

    def of_form(self, form: AnswerForm) -> str:
        """Return the address of what the words of a form mean: its question, its buttons, and what its cards do."""
        texts: list[messages.Text] = [form.text]
        for each in (*form.ways, *form.buttons):
            texts += (each.title or each.name, each.detail)
        texts += (cell.rest for row in form.grid for cell in row)
        return self.address(*(text for text in texts if text))


_SHAPES: Final = (
    "M4 4h16v8q0 6-8 9-8-3-8-9z",
    "M12 2l10 10-10 10L2 12z",
    "M12 2a10 10 0 1 0 .1 0z",
    "M7 2h10l5 10-5 10H7L2 12z",
    "M3 3h18v18l-9-4-9 4z",
)
"""The outlines of emblems, in a square of 24."""
_CHARGES: Final = (
    "M12 6l2 4 4 .6-3 3 .7 4.4-3.7-2-3.7 2 .7-4.4-3-3 4-.6z",
    "M10 6h4v4h4v4h-4v4h-4v-4H6v-4h4z",
    "M6 15l6-8 6 8h-3l-3-4-3 4z",
    "M12 6q5 6 5 8a5 5 0 0 1-10 0q0-2 5-8z",
    "M7 7h3v10H7zM14 7h3v10h-3z",
    "M12 7a5 5 0 1 0 .1 0zM12 10a2 2 0 1 1-.1 0z",
    "M6 10h12v4H6z",
)
"""The figures drawn on an emblem."""
_MAX_EMBLEMS: Final = 200


@lru_cache(maxsize=_MAX_EMBLEMS)
def emblem(name: str) -> Markup:
    """Return the emblem for a name as a small picture: its shape and its colours follow from its name alone."""
    digest = sha256(name.encode()).digest()
    shape, charge = _SHAPES[digest[0] % len(_SHAPES)], _CHARGES[digest[1] % len(_CHARGES)]
    ground = digest[2] * 360 // 256
    ink = (ground + 120 + digest[3] * 120 // 256) % 360
    return Markup(
        '<svg class="emblem" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">'
        '<path d="{}" fill="hsl({} 60% 32%)" stroke="#888"/><path d="{}" fill="hsl({} 80% 82%)"/></svg>'
    ).format(shape, ground, charge, ink)


@cache
def _create_environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_read_template),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals |= {
        "static_url": static_url,
        "spoken": spoken,
        "phrase": messages.phrase,
        "phrases": messages.phrases,
        "phrase_in": messages.phrase_in,
        "phrase_html": phrase_html,
        "phrases_html": phrases_html,
        "listed": messages.listed,
        "bdi": bdi,
        "emblem": emblem,
        "numeric_date": dates.numeric_date,
        "kbd": kbd,
        "current_language": messages.current_language,
        "language_links": list_links,
        "is_for_host": is_for_host,
        "take_host_message": take_host_message,
    }
    environment.filters["suits"] = color_suits
    environment.filters["star"] = draw_star
    environment.filters["said"] = mark_typed
    environment.filters["exact"] = mark_exact
    environment.filters["exact_lines"] = mark_lines
    return environment


def _read_template(name: str) -> str:
    return (resources.files("templates") / "web" / name).read_text(encoding="utf-8")
