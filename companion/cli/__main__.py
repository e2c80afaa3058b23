"""The entry point: the `companion` script, and `python -m companion.cli` if that is not on the path."""

import gc

# Everything loaded stays: scanning it for garbage meanwhile would take 3 ms of every start.
gc.disable()

import _thread  # noqa: E402
import atexit  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402

from companion.cli import language, screen, streams  # noqa: E402

_GC_THRESHOLD = 100_000
"""The number of new objects that starts the garbage collector; most commands end before that.

Everything that a command loads stays, and scanning it again and again took a tenth of its time.
"""


_NO_HOME = "/nonexistent"
"""The home of users without one, as in Debian."""


def _ensure_home() -> None:
    """Set a home if the system knows none, as for a user who is only a number in a container; make a relative one
    absolute.

    Anything that would be stored in a missing home reports its own error, and everything else works.
    """
    home = os.path.expanduser("~")  # noqa: PTH111 – Path raises where there is none
    if os.name == "posix" and not os.path.isabs(home):  # noqa: PTH117
        os.environ["HOME"] = _NO_HOME if home == "~" else os.path.abspath(home)  # noqa: PTH100


def _interrupt_soon() -> None:
    time.sleep(0.01)
    _thread.interrupt_main()


def _interrupt_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Interrupt the main thread once more if Ctrl+C came in a destructor or a callback of the garbage collector.

    Python would print its traceback and go on as if nobody had pressed anything.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        # At once it would come within this very function, and be reported like the first.
        _thread.start_new_thread(_interrupt_soon, ())
    else:
        sys.__unraisablehook__(unraisable)


def main() -> None:
    """Open the screen, or run the requested command, and end the process."""
    gc.set_threshold(_GC_THRESHOLD)
    # At exit Python would scan everything that was loaded, which takes longer than most commands.
    atexit.register(gc.freeze)
    atexit.register(streams.drop_unwritten)
    sys.unraisablehook = _interrupt_again
    streams.use_utf8()
    _ensure_home()
    try:
        arguments, wish = language.take_option(sys.argv[1:])
        language.use_language(wish)
        is_done = screen.open_directly(arguments)
        if not is_done:
            from companion.cli.main import main as run_command
    except (Exception, KeyboardInterrupt) as error:
        from companion.cli.main import end_with

        end_with(error)
    if not is_done:
        run_command()


if __name__ == "__main__":
    main()
