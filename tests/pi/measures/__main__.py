"""``python -m tests.pi.measures``."""

import sys

from tests.pi.measures import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
