"""Pages made of templates: every text that comes from elsewhere is escaped, and steers nothing.

Separate because here is the one gate through which whatever is shown passes.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from companion.tabletop.cards import spoken
from companion.tabletop.text import harmless

_MAX_TEXT: Final = 2_000
"""Letters of one text that a page shows."""

STATIC_FILES: Final = {
    "style.css": "text/css; charset=utf-8",
    "script.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""What pages need besides themselves, and as what it is sent."""


@cache
def static_file(name: str) -> bytes:
    """One of those files. Raises KeyError for any other name."""
    _ = STATIC_FILES[name]
    return (resources.files("templates") / "web" / name).read_bytes()


@cache
def static_url(name: str) -> str:
    """Where pages find it; another text of it is another address, so that browsers may keep it for ever."""
    return f"/{name}?{sha256(static_file(name)).hexdigest()[:12]}"


def render(template: str, **shown: Any) -> str:
    """A template of `templates/web` with what it shows."""
    return _environment().get_template(template).render(shown)


def _finalize(value: Any) -> Any:
    """Whatever stands in a page passes here; what a template itself has made is left as it is."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    short = value if len(value) <= _MAX_TEXT else f"{value[: _MAX_TEXT - 1]}…"
    return harmless(short)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {"static_url": static_url, "spoken": spoken}
    return made


def _source(name: str) -> str:
    return (resources.files("templates") / "web" / name).read_text(encoding="utf-8")
