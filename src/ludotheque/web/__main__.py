"""`python -m ludotheque.web`: set up and serve. `scripts/serve` is the way there."""

import sys

from ludotheque.web.serve import main

if __name__ == "__main__":
    sys.exit(main())
