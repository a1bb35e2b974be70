"""The command `ludotheque`, also as `python -m ludotheque`. Without what it needs it says so, and how to get it."""

import sys

from ludotheque.errors import MissingExtra


def main() -> None:
    """The entry point."""
    try:
        from ludotheque import cli  # noqa: PLC0415 - an extra
    except MissingExtra as error:
        sys.exit(error.reason)
    cli.main()


if __name__ == "__main__":
    main()
