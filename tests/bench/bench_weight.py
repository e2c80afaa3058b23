"""How much room the companion takes: what uv installs without extras, and the program that needs no Python.

An installation is reckoned of what lies here, file by file, as nothing is fetched to measure: libraries that are
installed without extras, and our own rooms. uv writes no bytecode, and none is counted. The Python that it links to is
a figure of its own, without its tests, as most machines have one already. The program is built anew.
"""

import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name

from tests.bench.figures import Figure
from tests.release.building import build_program
from tests.release.commands import LOCKED, ROOT, closure, locked_needs

HEAVIEST: Final = 6
INSTALLED: Final = 130
"""MB: the budget."""
PROGRAM: Final = 175
"""MB: the budget."""
_MB: Final = 1_000_000
_LEFT_OUT: Final = frozenset({"__pycache__", "test", "tests", "site-packages", "idlelib", "turtledemo"})


def figures() -> list[Figure]:
    """Megabytes of both, and what weighs most in each."""
    installed = Counter(_libraries()) + Counter(_rooms())
    with tempfile.TemporaryDirectory() as folder:
        program = _weigh_program(build_program(Path(folder)).parent)
    return [
        *_listed("installed without extras, beside Python", installed, INSTALLED),
        Figure("the Python that it links to", _python() / _MB, "MB"),
        *_listed("the program that needs no Python", program, PROGRAM),
    ]


def _listed(what: str, weights: Counter[str], budget: float) -> Iterator[Figure]:
    yield Figure(what, weights.total() / _MB, "MB", budget=budget)
    for name, size in weights.most_common(HEAVIEST):
        yield Figure(f"  of that, {name}", size / _MB, "MB")


def _size(files: Iterable[Path]) -> int:
    """Bytes in files; of links nothing."""
    return sum(file.lstat().st_size for file in files if file.is_file() and not file.is_symlink())


def _libraries() -> dict[str, int]:
    """What each library weighs that is installed without extras."""
    names = {canonicalize_name(need.name) for need in closure(locked_needs(LOCKED, extras=()))}
    return {name: _weigh_library(name) for name in names}


def _weigh_library(name: str) -> int:
    """Bytes of a library, with what it says of itself."""
    files = metadata.files(name) or ()
    return _size(Path(str(file.locate())) for file in files if file.suffix != ".pyc")


def _rooms() -> dict[str, int]:
    """What our own files weigh, without those of translators, which are not in the package."""
    rooms = (path for room in ("companion", "labels", "templates") for path in (ROOT / room).rglob("*"))
    return {"companion": _size(path for path in rooms if path.suffix not in {".pyc", ".po", ".pot"})}


def _python() -> int:
    """Bytes of what starts, and its library without tests and development."""
    library = Path(sysconfig.get_path("stdlib"))
    used = (path for path in library.rglob("*") if _LEFT_OUT.isdisjoint(path.relative_to(library).parts))
    kept = (path for path in used if path.suffix != ".a")
    name, folder = (sysconfig.get_config_var(key) for key in ("INSTSONAME", "LIBDIR"))
    shared = [Path(folder, name)] if name and folder and not str(name).endswith(".a") else []
    starts = Path(sysconfig.get_config_var("BINDIR") or "", f"python{sysconfig.get_python_version()}")
    return _size([*kept, *shared, starts])


def _weigh_program(folder: Path) -> Counter[str]:
    """What each part of a built program weighs: the folders of libraries and single files, all else as one."""
    weights: Counter[str] = Counter()
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        name = parts[1] if parts[0] == "_internal" and len(parts) > 1 else "modules and what starts them"
        weights[name.removesuffix(".libs")] += _size([path])
    return weights
