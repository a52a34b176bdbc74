#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Achieved occupancy and traffic of launches: `cuda-lint confirm` beside ncu.

    compare_ranges_with_ncu.py --confirm C --probe P --folder F --nvcc N
    compare_ranges_with_ncu.py --confirm C --probe P --folder F \\
        PROGRAM [ARGUMENT...] [, PROGRAM...]

Each program is measured twice by confirm, and once by ncu; of the first four
launches of each kernel and shape. ncu lets the program run again for each pass
and flushes no cache, or all with --cache-control=all. Prints a row of a Markdown table for each kernel: figures,
and how much confirm's mean differs from ncu's.

The first builds DramProgram, and judges its large kernels by TOLERANCES. Of a
PROGRAM that is named nothing is judged: the caches of a short kernel are not
the same in any two runs.

Exit codes: 0 equal within these, 1 not, 77 where there is no GPU, no ncu or no
permission.
"""

import sys
from pathlib import Path

import ncu_runs

LAUNCHES = "4"
NCU_OPTIONS = ["--replay-mode", "application", "--filter-mode",
               "per-launch-config", "--launch-count", LAUNCHES, "--metrics",
               "sm__warps_active.avg.pct_of_peak_sustained_active,"
               "dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors.sum,"
               "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"]

# Of ncu's figure, by docs/validation/probe-h200.md. Occupancy depends on which
# blocks end last: runs of stridedLarge are up to 2.7 % apart. Of the 1 GiB of
# the others, an L2 of 50 MB may still hold what the launch before left, and at
# the end what was not written yet. Of stridedLarge that is a fifth: its bytes
# are not judged. Sectors of L2 are among them what its parts ask of each other,
# which depends on where it puts what it holds; its share of the peak also on the
# time, which is that of another run.
LARGE = {"occupancy": 0.05, "dram": 0.05, "l2": 0.05, "l2 share": 0.1}
TOLERANCES = {
    "_Z9readLargePKfPf": LARGE,
    "_Z10writeLargePf": LARGE,
    "_Z9copyLargePKfPf": LARGE,
    "_Z12stridedLargePKfPf": {"occupancy": 0.05},
}
# And the unit in which each is printed.
FIGURES = {"occupancy": 1, "dram": 1e6, "l2": 1e6, "l2 share": 0.01}


def figures_of(report):
    """kernel to figure: per cent, bytes and sectors of a launch, a share;
    without what is not known."""
    found = {}
    for name, kernel in ncu_runs.kernels(report).items():
        its = {unit["unit"]: unit["amount"] / kernel["launches"]
               for unit in kernel["units"]
               if unit["unit"] in FIGURES and unit["amount"] is not None}
        for unit in kernel["units"]:
            if unit["peak_share"] is not None:
                its[f"{unit['unit']} share"] = unit["peak_share"]
        if kernel["achieved_occupancy"] is not None:
            its["occupancy"] = 100 * kernel["achieved_occupancy"]
        found[name] = its
    return found


def mean(runs, name, figure):
    """Empty where a run does not know it."""
    values = [run.get(name, {}).get(figure) for run in runs]
    return None if None in values else sum(values) / len(values)


def difference(mine, theirs):
    return None if mine is None or not theirs else mine / theirs - 1


def faults(runs, theirs, tolerances):
    """A text for each figure that is missing or too far from ncu's."""
    found = []
    for name, allowed in tolerances.items():
        for figure, most in allowed.items():
            mine, other = (mean(runs, name, figure),
                           theirs.get(name, {}).get(figure))
            apart = difference(mine, other)
            if apart is None or abs(apart) > most:
                found.append(f"{name}: {figure} {mine} (ncu {other}), "
                             f"{most:.0%} are allowed")
    return found


def text(figure, value):
    if value is None:
        return "-"
    return f"{value / FIGURES[figure]:.{1 if FIGURES[figure] <= 1 else 2}f}"


def table(label, runs, theirs):
    lines = []
    for name in theirs:
        cells = [label, name]
        for figure in FIGURES:
            apart = difference(mean(runs, name, figure),
                               theirs[name].get(figure))
            cells += [", ".join(text(figure, run.get(name, {}).get(figure))
                                for run in runs),
                      text(figure, theirs[name].get(figure)),
                      "-" if apart is None else f"{100 * apart:+.1f} %"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def measured(options, program):
    """Twice by confirm, and by ncu."""
    # First: where it may not measure, nothing is to be compared.
    path = ncu_runs.ncu_report(options.folder, program, "--cache-control",
                               options.cache_control, *NCU_OPTIONS)
    raw = ncu_runs.exported(path, "raw.csv", "--page", "raw")
    # Nothing was counted by line, of which its exit code speaks.
    theirs = ncu_runs.report(options.confirm, options.folder, "--ncu", raw,
                             codes=(0, 3))
    runs = [figures_of(ncu_runs.report(
        options.confirm, options.folder, "--probe", options.probe, "--once",
        "--occupancy", "--launches", LAUNCHES, "--", *program))
        for _ in range(2)]
    return runs, figures_of(theirs)


def programs_of(words):
    programs = [[]]
    for word in words:
        if word == ",":
            programs.append([])
        else:
            programs[-1].append(word)
    return [program for program in programs if program]


def test(options):
    if options.program:
        programs = programs_of(options.program)
    else:
        programs = [ncu_runs.build(options.nvcc,
                                   f"{options.folder}/dram-program",
                                   "DramProgram.cu") + ["large"]]
    print("| program | kernel " + "".join(
        f"| {what} | ncu | by " for what in ("occupancy %", "DRAM MB",
                                             "L2 million sectors", "of its "
                                             "peak %")) +
          "|\n|---|---" + "|--:" * 12 + "|")
    passed = True
    for program in programs:
        runs, theirs = measured(options, program)
        label = " ".join([Path(program[0]).name, *program[1:]])
        print("\n".join(table(label, runs, theirs)), flush=True)
        for fault in [] if options.program else faults(runs, theirs,
                                                       TOLERANCES):
            passed = False
            print(fault)
    return passed


def main():
    parser = ncu_runs.parser(__doc__)
    parser.add_argument("--cache-control", default="none")
    options = ncu_runs.parsed(parser)
    return ncu_runs.finish(lambda: test(options))


if __name__ == "__main__":
    sys.exit(main())
