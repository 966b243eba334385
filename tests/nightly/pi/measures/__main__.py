"""``python -m tests.nightly.pi.measures``."""

import sys

from tests.nightly.pi.measures import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
