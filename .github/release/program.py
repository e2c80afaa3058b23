"""Where the built program begins: as the companion, or as the Python for one of the processes that it starts.

Files of strangers are opened, pages drawn and games rehearsed by processes that are started as `sys.executable -m …`,
as `-c …`, or in the way of `multiprocessing`. In a built program `sys.executable` is the program itself, so it has to
do what Python would with such arguments; whatever else it gets is for the companion.
"""

import multiprocessing
import os
import runpy
import sys
from collections.abc import MutableMapping, Sequence
from typing import Final

_WITH_VALUE: Final = ("-X", "-W")
"""Options of Python that may have their value behind them."""
_SYSTEM_PATHS: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH")
"""Where PyInstaller has the loader of the system look for the libraries that come along."""


def split_arguments(arguments: Sequence[str]) -> tuple[str, str, Sequence[str]] | None:
    """`-m` or `-c`, the module or the code, and its arguments; None for what is no command line of Python's own."""
    rest = list(arguments)
    while len(rest) > 1 and rest[0].startswith("-") and not rest[0].startswith("--"):
        option = rest.pop(0)
        if option in ("-m", "-c"):
            return option, rest[0], rest[1:]
        if option in _WITH_VALUE:
            rest.pop(0)
    return None


def restore_library_paths(environment: MutableMapping[str, str]) -> None:
    """Lets programs of the system, such as `lp` and viewers, load the libraries of the system and not ours."""
    for name in _SYSTEM_PATHS:
        if (before := environment.pop(f"{name}_ORIG", None)) is not None:
            environment[name] = before
        else:
            environment.pop(name, None)


def main() -> None:
    """Do what the arguments ask for."""
    multiprocessing.freeze_support()
    restore_library_paths(os.environ)
    match split_arguments(sys.argv[1:]):
        case "-m", module, rest:
            sys.argv[1:] = rest
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case "-c", code, rest:
            sys.argv[:] = ["-c", *rest]
            exec(code, {"__name__": "__main__"})
        case _:
            from companion.cli.__main__ import main as companion

            companion()


if __name__ == "__main__":
    main()
