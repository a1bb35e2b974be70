"""`python -m ludotheque.cli` is `ludotheque`."""

from ludotheque.cli import main

main()
