"""Packs the folder of a program that was built: python .github/release/pack.py FOLDER OUT

The file in OUT is named after the version, the system and the processor: table-companion-1.0.0-linux-x86_64.zip.
"""

import platform
import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SYSTEMS = {"win32": "windows", "darwin": "macos"}


def archive_name() -> str:
    """What the packed program is called, without an ending."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    system = _SYSTEMS.get(sys.platform, sys.platform)
    return f"{project['name']}-{project['version']}-{system}-{platform.machine().lower()}"


def main(arguments: list[str]) -> int:
    """Pack it, and say what the file is called."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder, out = map(Path, arguments)
    out.mkdir(parents=True, exist_ok=True)
    print(shutil.make_archive(str(out / archive_name()), "zip", folder.parent, folder.name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
