"""Where the program begins: the `companion` script, and `python -m companion.cli` where that is not on the path."""

import gc

# What is loaded stays: to look through it for garbage on the way would take 3 ms of every start.
gc.disable()

import atexit  # noqa: E402
import sys  # noqa: E402

from companion.cli import screen, streams  # noqa: E402

_GC_THRESHOLD = 100_000
"""So many new objects before the garbage collector looks through them; most commands end before that.

What a command loads stays, and looking through it again and again took a tenth of its time.
"""


def main() -> None:
    """Open the screen, or run the command that was asked for, and end the process."""
    gc.set_threshold(_GC_THRESHOLD)
    # At the end Python would look once more through all that was loaded, which takes longer than most commands.
    atexit.register(gc.freeze)
    atexit.register(streams.drop_unwritten)
    streams.use_utf8()
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
