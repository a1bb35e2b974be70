"""Run one attack: python -m attack NAME PORT SECONDS. It says when it begins."""

import sys
import time

from attack.catalogue import ATTACKS, BEGINS

if __name__ == "__main__":
    name, port, seconds = sys.argv[1:]
    print(BEGINS, flush=True)
    ATTACKS[name](int(port), time.monotonic() + float(seconds))
