"""Where the program begins: the `companion` script, and `python -m companion.cli` where that is not on the path."""

import gc

# What is loaded stays: to look through it for garbage on the way would take 3 ms of every start.
gc.disable()

from companion.cli.main import main as main  # noqa: E402

if __name__ == "__main__":
    main()
