#!/usr/bin/env python3
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print one line a request: the pattern, then what was measured.

usage: tabulate.py FOLDER.. where each holds patterns.txt and measured.csv.
columns: name space operation bytes mask, element index of each lane, then
  count     wavefronts (shared) or sectors (global), patched into the code
  ideal     the ideal of these, as the profiler gives it
  hardware  the same count by the hardware's own counter, per launch; a launch
            itself costs one shared wavefront, which is taken off
"""
import csv
import pathlib
import sys


def number(text):
    return int(float(text.replace(",", "")))


for folder in map(pathlib.Path, sys.argv[1:]):
    patterns = (folder / "patterns.txt").read_text().splitlines()
    rows = list(csv.DictReader(open(folder / "measured.csv")))[1:]  # Units.
    if len(patterns) != len(rows):
        sys.exit(f"{folder}: {len(patterns)} patterns, {len(rows)} launches")
    for pattern, row in zip(patterns, rows):
        name, space, operation, size, mask, *offsets = pattern.split()
        if space == "shared":
            count, launch = "memory_l1_wavefronts_shared", 1
            hardware = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
        else:
            count, launch = "memory_l2_theoretical_sectors_global", 0
            short = {"load": "ld", "store": "st", "atomic": "red"}[operation]
            hardware = f"l1tex__t_sectors_pipe_lsu_mem_global_op_{short}.sum"
        lanes = ",".join(str(int(o) // int(size)) for o in offsets)
        print(name, space, operation, size, mask, lanes, number(row[count]),
              number(row[count + "_ideal"]), number(row[hardware]) - launch)
