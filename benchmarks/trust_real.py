"""Trust on outcomes that others recorded: what it says of questions and claims known to be wrong.

Run it as `python benchmarks/trust_real.py`, or with `--json`; `--only locomo` takes one set. Data sets are
read from the folder that MEMSPAN_DATA names. The model's numbers are its defaults, chosen on synthetic
worlds; nothing is chosen here.
"""

from __future__ import annotations

import argparse
import json

from trust_halumem import halumem
from trust_locomo import locomo
from trust_longmemeval import longmemeval

SETS = {"locomo": locomo, "halumem": halumem, "longmemeval": longmemeval}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--json", action="store_true")
    options.add_argument("--only", choices=[*SETS])
    chosen = options.parse_args()
    made = []
    for name, sections in SETS.items():
        for section in sections() if chosen.only in (None, name) else ():
            made.append(section.record())
            if not chosen.json:
                print(section.text(), flush=True)
    if chosen.json:
        print(json.dumps(made))


if __name__ == "__main__":
    main()
