"""``python -m tests.nightly.search.second_rules GAME FROM TO``: see :mod:`tests.nightly.search.second_rules`."""

import sys

from tests.nightly.search.second_rules.games import GAMES, play_beside

if len(sys.argv) != 4 or sys.argv[1] not in GAMES:
    sys.exit(f"python -m tests.nightly.search.second_rules GAME FROM TO, where GAME is one of {', '.join(GAMES)}")
print(dict(play_beside(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[3])))))
