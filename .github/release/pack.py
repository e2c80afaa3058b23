"""Packs the folder of a program that was built: python .github/release/pack.py FOLDER OUT

The file in OUT is named after the version, the system and the processor: table-companion-1.0.0-linux-x86_64.zip.
Links stay links, and what may be started may be started where it is unpacked.
"""

import platform
import stat
import sys
import tomllib
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT: Final = Path(__file__).parents[2]
_SYSTEMS: Final = {"win32": "windows", "darwin": "macos"}
_POSIX: Final = 3
"""What a ZIP file calls systems whose files have modes."""


def archive_name() -> str:
    """What the packed program is called."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    system = _SYSTEMS.get(sys.platform, sys.platform)
    return f"{project['name']}-{project['version']}-{system}-{platform.machine().lower()}.zip"


def pack(folder: Path, target: Path) -> None:
    """Write a ZIP file with a folder in it."""
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder.parent).as_posix()
            if path.is_symlink():
                link = ZipInfo(name)
                link.create_system = _POSIX
                link.external_attr = (stat.S_IFLNK | 0o777) << 16
                packed.writestr(link, path.readlink().as_posix())
            elif path.is_file():
                packed.write(path, name)


def main(arguments: list[str]) -> int:
    """Pack it, and say what the file is called."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder, out = map(Path, arguments)
    out.mkdir(parents=True, exist_ok=True)
    target = out / archive_name()
    pack(folder.absolute(), target)
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
