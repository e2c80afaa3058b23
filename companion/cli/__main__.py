"""Where the program begins: the `companion` script, and `python -m companion.cli` where that is not on the path."""

import gc

# What is loaded stays: to look through it for garbage on the way would take 3 ms of every start.
gc.disable()

import atexit  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402

from companion.cli import screen, streams  # noqa: E402

_GC_THRESHOLD = 100_000
"""So many new objects before the garbage collector looks through them; most commands end before that.

What a command loads stays, and looking through it again and again took a tenth of its time.
"""


_NO_HOME = "/nonexistent"
"""The home of users who have none, as Debian has it."""


def _ensure_home() -> None:
    """Have a home where the system knows none, as for a user who is only a number in a container; one that is named
    from the folder in which we are stays there.

    What would be kept in a home that is not there says so in a sentence of its own, and what needs none works.
    """
    home = os.path.expanduser("~")  # noqa: PTH111 – Path raises where there is none
    if os.name == "posix" and not os.path.isabs(home):  # noqa: PTH117
        os.environ["HOME"] = _NO_HOME if home == "~" else os.path.abspath(home)  # noqa: PTH100


def main() -> None:
    """Open the screen, or run the command that was asked for, and end the process."""
    gc.set_threshold(_GC_THRESHOLD)
    # At the end Python would look once more through all that was loaded, which takes longer than most commands.
    atexit.register(gc.freeze)
    atexit.register(streams.drop_unwritten)
    streams.use_utf8()
    _ensure_home()
    try:
        is_done = screen.open_directly(sys.argv[1:])
    except (Exception, KeyboardInterrupt) as error:
        from companion.cli.main import end_with

        end_with(error)
    if not is_done:
        from companion.cli.main import main as run_command

        run_command()


if __name__ == "__main__":
    main()
