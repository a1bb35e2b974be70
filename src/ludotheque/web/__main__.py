"""`python -m ludotheque.web` is `ludotheque serve`."""

import sys

from ludotheque.cli import app

if __name__ == "__main__":
    app(["serve", *sys.argv[1:]])
