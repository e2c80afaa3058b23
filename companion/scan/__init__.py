"""From a picture or keystrokes to a deck id.

Whether the archive has that deck is not asked here. Pillow and zxing-cpp are loaded with the first picture only;
screens import this room for what is typed.
"""

from pathlib import Path

from companion.scan.code import Code, CodeKind, PictureError, nothing, printed, typed, unreadable
from labels.native import unhurried

__all__ = ["Code", "CodeKind", "PictureError", "nothing", "read", "typed"]


def read(picture: Path | str) -> tuple[Code, ...]:
    """The QR codes in the file at that path, at least one Code: where there is no QR code, it says so.

    Raises PictureError where no picture can be read there.
    """
    with unhurried("zxingcpp"):
        from companion.scan.files import pictures
        from companion.scan.picture import symbols

    texts: dict[str, None] = {}
    broken = False
    for seen in pictures(Path(picture)):
        found, lost = symbols(seen)
        texts |= dict.fromkeys(found)
        broken = broken or lost
    codes = [printed(text, str(picture)) for text in texts]
    if broken:
        codes.append(unreadable(str(picture)))
    return tuple(codes) or (nothing(str(picture)),)
