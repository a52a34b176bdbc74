#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins what measure.sh wrote: one line a launch, as the unit test reads it.

usage: tabulate.py FOLDER
"""

import csv
import gzip
import sys
from pathlib import Path

COUNTERS = ["sm__maximum_warps_avg_per_active_cycle",
            "launch__occupancy_limit_warps",
            "launch__occupancy_limit_blocks",
            "launch__occupancy_limit_registers",
            "launch__occupancy_limit_shared_mem",
            "launch__occupancy_limit_barriers",
            "launch__waves_per_multiprocessor",
            "launch__shared_mem_config_size"]


def main():
    folder = Path(sys.argv[1])
    with open(folder / "runtime.csv", encoding="utf-8") as file:
        launches = list(csv.DictReader(file))
    with gzip.open(folder / "ncu.csv.gz", "rt", encoding="utf-8") as file:
        profiled = list(csv.DictReader(file))[1:]  # Below the row of units.
    print("threads registers static dynamic carve_out barriers launch_error "
          "blocks", *(name.split("__")[1] for name in COUNTERS), sep=" ")
    rest = iter(profiled)
    for launch in launches:
        words = list(launch.values())
        if launch["blocks"] != "0":
            row = next(rest)
            # No thread of a launch gets fewer than 16 registers.
            ours = [int(launch["threads"]), max(int(launch["registers"]), 16)]
            theirs = [int(row["Block Size"].strip("()").split(",")[0]),
                      int(row["launch__registers_per_thread"])]
            if ours != theirs:
                sys.exit(f"{folder}: {launch} is not launch {row['ID']}")
            words += [row[name].replace(",", "") for name in COUNTERS]
        print(*words)
    if next(rest, None) is not None:
        sys.exit(f"{folder}: more was profiled than launched")


if __name__ == "__main__":
    main()
