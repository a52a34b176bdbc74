#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Achieved occupancy and bytes of DRAM: `cuda-lint confirm` beside ncu.

    compare_ranges_with_ncu.py CONFIRM PROBE PROGRAM [ARGUMENT...] [, PROGRAM...]

Each program runs under `confirm --compare --occupancy` against itself, which
measures it twice, and under ncu, whose figures are means over the same first
launches: once with the caches as the program leaves them, once flushed. Prints
a row of a Markdown table for each kernel: figures, and how much confirm's mean
differs from ncu's unflushed one. Judges nothing: the caches of a short kernel
are not the same in any two runs.

Exit codes: 0 every program has rows, 2 bad usage, 3 some have none.
"""

import csv
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"
DRAM = "dram__bytes.sum"
# Of each kernel: confirm's --launches, ncu's --launch-count.
LAUNCHES = 4


def run(command, limit=120):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, errors="replace",
                              timeout=limit).stdout
    except subprocess.TimeoutExpired:
        return f"no end after {limit} s"


def plain(name):
    """`f<128,1>` of `void f<128u, true>(float *)`, which ncu writes
    `void f<128, 1>(float *)`, or with a cast before each number."""
    name = re.sub(r"\((unsigned )?(bool|char|short|int|long)\)", "", name)
    name = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", name))
    name = re.sub(r"(?<=\d)[ulUL]+\b", "", name)
    depth, kept = 0, ""
    for letter in name:
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "(" and depth == 0:
            break
        kept += "\0" if letter == " " and depth == 0 else letter
    return kept.strip("\0").split("\0")[-1].replace(" ", "")


def by_confirm(confirm, probe, program):
    """kernel -> [(occupancy, bytes), (occupancy, bytes)]; per cent."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        text = run([confirm, "--probe", probe, "--quiet", "--occupancy",
                    "--launches", str(LAUNCHES), "--compare", "--format=json",
                    "-o", str(out), "--", *program, "--", *program])
        if not out.exists():
            print(text[-300:], file=sys.stderr)
            return {}
        report = json.loads(out.read_text())
    for problem in report["problems"]:
        print(f"{program[0]}: {problem['message']}", file=sys.stderr)
    found = {}
    for kernel in report["kernels"]:
        runs = [(100 * one["achieved_occupancy"], one["dram_bytes_per_launch"])
                for one in (kernel["before"], kernel["after"])
                if one and one["achieved_occupancy"] is not None]
        one = kernel["before"] or kernel["after"]
        if runs:
            found[plain(one["signature"] or one["kernel"])] = runs
    return found


def by_ncu(program, caches):
    """kernel -> (occupancy, bytes), means over its first launches; those of
    each grid and block."""
    text = run(["ncu", "--replay-mode", "application", "--cache-control",
                caches, "--clock-control", "none", "--csv", "--print-units",
                "base", "--filter-mode", "per-launch-config",
                "--launch-count", str(LAUNCHES), "--metrics",
                f"{OCCUPANCY},{DRAM}", *program])
    rows = list(csv.DictReader(line for line in text.splitlines()
                               if line.startswith('"')))
    if not rows:
        print(text[-300:], file=sys.stderr)
    figures = defaultdict(lambda: defaultdict(list))
    for row in rows:
        figures[plain(row["Kernel Name"])][row["Metric Name"]].append(
            float(row["Metric Value"].replace(",", "")))
    return {kernel: tuple(sum(each[metric]) / len(each[metric])
                          for metric in (OCCUPANCY, DRAM))
            for kernel, each in figures.items()
            if each[OCCUPANCY] and each[DRAM]}


def difference(runs, index, reference):
    mean = sum(run[index] or 0 for run in runs) / len(runs)
    if not reference:
        return "-"
    return f"{100 * (mean / reference - 1):+.1f} %"


def rows_of(confirm, probe, program):
    label = " ".join([Path(program[0]).name, *program[1:]])
    measured = by_confirm(confirm, probe, program)
    found = by_ncu(program, "none")
    flushed = by_ncu(program, "all")
    count = 0
    for kernel, runs in measured.items():
        if kernel not in found:
            print(f"{label}: ncu has no {kernel}, but {list(found)}",
                  file=sys.stderr)
            continue
        count += 1
        megabytes = [f"{(bytes or 0) / 1e6:.2f}" for _, bytes in runs]
        cold = f"{flushed[kernel][1] / 1e6:.2f}" if kernel in flushed else "-"
        print(f"| {label} | {kernel} | "
              f"{', '.join(f'{occupancy:.1f}' for occupancy, _ in runs)} | "
              f"{found[kernel][0]:.1f} | "
              f"{difference(runs, 0, found[kernel][0])} | "
              f"{', '.join(megabytes)} | {found[kernel][1] / 1e6:.2f} | "
              f"{difference(runs, 1, found[kernel][1])} | {cold} |",
              flush=True)
    return count


def main():
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    programs = [[]]
    for argument in sys.argv[3:]:
        if argument == ",":
            programs.append([])
        else:
            programs[-1].append(argument)
    print("| program | kernel | occupancy % | ncu | difference | DRAM MB | "
          "ncu | difference | ncu, flushed |\n|---|---|--:|--:|--:|--:|--:|"
          "--:|--:|")
    missing = [program for program in programs
               if program and not rows_of(*sys.argv[1:3], program)]
    return 3 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
