"""Brings the catalog up to date with the texts in the code, compiles it, and lists what has no French yet.

Also after a merge, which may leave records twice or in disorder (``.gitattributes``).
"""

from __future__ import annotations

import sys

from tests.i18n.catalog import MO, PO, brought_up_to_date, compiled, forms, written


def main() -> int:
    """:return: the exit code, 1 where French is missing."""
    catalog = brought_up_to_date()
    PO.write_bytes(written(catalog))
    MO.write_bytes(compiled(catalog))
    missing = [message.id for message in catalog if message.id and not all(forms(message))]
    for english in missing:
        print(f"no French: {english if isinstance(english, str) else english[0]}")
    print(f"{len(catalog)} texts, {len(missing)} without French")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
