"""Does coverage predict right answers? Recorded outcomes of other people's runs against read coverage.

Run it as `python benchmarks/association.py`, or with `--json`. Data sets are read from the folder that
MEMSPAN_DATA names. What is chosen by measurement, the level at which a memory counts as telling a
point, is chosen on labels of HaluMem's user 3 that no question has a part in.
"""

from __future__ import annotations

import argparse
import json
from itertools import chain

from association_halumem import halumem
from association_locomo import locomo
from association_longmemeval import longmemeval


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    sections = list(chain(halumem(), longmemeval(), locomo()))
    if chosen.json:
        print(json.dumps([section.record() for section in sections]))
        return
    for section in sections:
        print(section.text())


if __name__ == "__main__":
    main()
