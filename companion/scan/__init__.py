"""From a picture or keystrokes to a deck id.

Whether the archive has that deck is not asked here. Pillow and zxing-cpp are loaded with the first picture only;
screens import this room for what is typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.scan.code import Code, CodeKind, PictureError, nothing, printed, typed, unreadable, unseen
from companion.scan.native import unhurried

if TYPE_CHECKING:
    from companion.scan.files import Page

__all__ = ["Code", "CodeKind", "PictureError", "nothing", "read", "typed"]


def read(
    picture: Path | str, watched: Callable[[Iterator[Page]], Iterable[Page]] = iter, *, photo: bool = False
) -> tuple[Code, ...]:
    """The QR codes in the file at that path, at least one Code: where there is no QR code, it says so.

    Its pages are looked at as `watched` hands them on, which can show how far that is.
    A `photo` is one that a stranger has sent. Raises PictureError where no picture can be read there.
    """
    with unhurried("zxingcpp"):
        from companion.scan.files import pictures
        from companion.scan.picture import symbols

    source = str(picture)
    texts: dict[str, None] = {}
    broken, left_out = False, None
    for page in watched(pictures(Path(picture), photo=photo)):
        found, lost = symbols(page.picture)
        texts |= dict.fromkeys(found)
        broken = broken or lost
        left_out = unseen(source, page.of, page.left_out) if page.left_out else None
    codes = [printed(text, source) for text in texts]
    if broken:
        codes.append(unreadable(source))
    codes = codes or [nothing(source)]
    return (*codes, left_out) if left_out else tuple(codes)
