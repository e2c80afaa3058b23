"""`python -m companion`, for where the `companion` script is not on the path."""

from companion.cli.__main__ import main

if __name__ == "__main__":
    main()
