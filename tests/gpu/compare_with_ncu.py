#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the probe counts of each line with what ncu does.

    compare_with_ncu.py --confirm C --probe P --folder F --nvcc N
    compare_with_ncu.py --confirm C --probe P --folder F PROGRAM [ARGUMENT...]

The first builds NcuProgram for the GPU that is there. Of each kernel launches,
registers and warps must be equal, and of each line instructions, requests,
totals and ideals. There is no tolerance: both patch the same code. Of other
programs requests may differ where predicates switch lanes off: docs/ncu.md.

Then the sums of each kernel are compared with the counters of L1 as a whole,
which are another measurement: equal but for KNOWN. Of a PROGRAM that is named
these are printed and not judged.

Exit codes: 0 equal, 1 not, 77 where there is no GPU, no ncu or no permission.
"""

import sys
from pathlib import PurePath

import ncu_runs

FIGURES = ("instructions", "requests", "total", "ideal")

# The counters of L1 for all launches of a kernel, by what its lines are.
COUNTERS = {
    ("global", "load"): ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    ("global", "store"): ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    ("global", "atomic"): ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                           "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"],
    ("local", "load"): ["l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"],
    ("local", "store"): ["l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"],
    # Without those of no operation, one of each warp and one of each barrier.
    ("shared", "load"): ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    ("shared", "store"):
        ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    ("shared", "atomic"):
        ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"],
}

# Where the two ways of counting differ, by docs/validation/transactions-h200.md,
# which is of compute capability 9.0: kernel, space, operation: by instruction,
# by L1, and why. 128 warps each.
WORDS = "atomics whose lanes share a word: L1 has a sector for each lane of it"
KNOWN = {
    ("_Z4sumsILi2EEvPKiPj", "global", "atomic"): (2 * 128, 4 * 128, WORDS),
    ("_Z4sumsILi4EEvPKiPj", "global", "atomic"): (1 * 128, 4 * 128, WORDS),
    ("_Z4sumsILi16EEvPKiPj", "global", "atomic"): (1 * 128, 16 * 128, WORDS),
    # 32 warps: 2 wavefronts of the store, and 4 or 2 of the load.
    ("wide", "shared", "load"): (
        4 * 32, 2 * 32, "merged phases of wide loads that conflict: 4 "
        "wavefronts are reported, 2 happen"),
}


def lines_of(kernel):
    """Those that asked for anything: place, kind and unit to figures."""
    return {(PurePath(line["file"] or "").name, line["line"] or 0,
             line["space"], line["op"], line["unit"]):
            {figure: line[figure] for figure in FIGURES}
            for line in kernel["lines"] if line["requests"] or line["total"]}


def kernel_faults(ours, theirs):
    def registers(kernel):
        # The driver says fewer than the 16 that a GPU allocates at least.
        return max(16, kernel["registers"] or 0)

    for what, get in (("launches", lambda k: k["launches"]),
                      ("counted launches", lambda k: k["measured_launches"]),
                      ("registers", registers),
                      ("warps of an SM", lambda k: k["warps_per_sm"])):
        if get(ours) != get(theirs):
            yield f"{what} {get(ours)} (ncu {get(theirs)})"


def line_faults(ours, theirs):
    for figure in FIGURES:
        if ours[figure] != theirs[figure]:
            yield f"{figure} {ours[figure]} (ncu {theirs[figure]})"


def compare(ours, theirs):
    """How many lines are equal, and a text for each difference."""
    ours, theirs = ncu_runs.kernels(ours), ncu_runs.kernels(theirs)
    equal, faults = 0, []
    for name in sorted({*ours, *theirs}):
        if name not in ours or name not in theirs:
            faults.append(f"{name}: only {'ncu' if name in theirs else 'we'} "
                          "measured it")
            continue
        faults += [f"{name}: {text}"
                   for text in kernel_faults(ours[name], theirs[name])]
        mine, other = lines_of(ours[name]), lines_of(theirs[name])
        for key in sorted({*mine, *other}):
            where = f"{name}: {' '.join(map(str, key))}"
            if key not in mine or key not in other:
                faults.append(f"{where}: only {'ncu' if key in other else 'we'}"
                              f" counted it: {mine.get(key, other.get(key))}")
                continue
            found = list(line_faults(mine[key], other[key]))
            equal += not found
            if found:
                faults.append(f"{where}: {', '.join(found)}")
    return equal, faults


def by_lines(kernel, space, op):
    """The sum of the lines that L1 counts together; an access of any pointer
    counts with both memories."""
    unit = "wavefronts" if space == "shared" else "sectors"
    return sum(line["total"] or 0 for line in kernel["lines"]
               if line["unit"] == unit and op in (None, line["op"]) and
               (line["space"] == space or
                (line["space"] == "generic" and space != "local")))


def compare_sums(ours, counters, known=None):
    """Likewise of sums by kernel, which \\p counters has by metric. What is
    \\p known to differ must differ by as much."""
    known = KNOWN if known is None else known
    equal, faults, missing = 0, [], {}
    for name, kernel in sorted(ncu_runs.kernels(ours).items()):
        its = counters.get(name, {})
        for (space, op), metrics in COUNTERS.items():
            less = [metric for metric in metrics if metric not in its]
            for metric in less:
                missing.setdefault(metric, []).append(name)
            if less:
                continue
            hardware = sum(its[metric] for metric in metrics)
            counted = by_lines(kernel, space, op)
            expected = known.get((name, space, op))
            what = f"{name}: {space} {op or 'accesses'}: by instruction "
            if expected and (counted, hardware) == expected[:2]:
                print(f"  {what}{counted:.0f}, by L1 {hardware:.0f}, as "
                      f"expected: {expected[2]}")
            elif expected or counted != hardware:
                faults.append(f"{what}{counted:.0f}, by L1 {hardware:.0f}"
                              + (f", expected {expected[:2]}" if expected
                                 else ""))
            else:
                equal += 1
    faults += [f"ncu has no {metric} of {', '.join(names)}"
               for metric, names in missing.items()]
    return equal, faults


def told(what, equal, faults):
    for fault in faults:
        print(f"  {fault}")
    print(f"{what}: {equal} equal, {len(faults)} differ")
    return equal > 0 and not faults


def test(options):
    program = options.program or ncu_runs.build(
        options.nvcc, f"{options.folder}/ncu-program", "NcuProgram.cu",
        "NcuProgramOther.cu")
    metrics = [metric for each in COUNTERS.values() for metric in each]
    # First: where it may not measure, nothing is to be compared.
    measured = ncu_runs.ncu_report(
        options.folder, program, "--section", "SourceCounters", "--section",
        "LaunchStats", "--section", "Occupancy", "--metrics",
        ",".join(metrics))
    lines = ncu_runs.exported(measured, "lines.csv", "--page", "source",
                              "--print-source", "cuda,sass")
    raw = ncu_runs.exported(measured, "raw.csv", "--page", "raw")
    theirs = ncu_runs.report(options.confirm, options.folder, "--ncu", lines,
                             "--ncu", raw)
    ours = ncu_runs.report(options.confirm, options.folder, "--probe",
                           options.probe, "--once", "--launches=all", "--",
                           *program)
    passed = told("lines", *compare(ours, theirs))
    base = ncu_runs.exported(measured, "base.csv", "--page", "raw",
                             "--print-units", "base")
    agree = told("sums by L1",
                 *compare_sums(ours, ncu_runs.raw_sums(base, metrics)))
    return passed and (agree or bool(options.program))


def main():
    parser = ncu_runs.parser(__doc__)
    options = ncu_runs.parsed(parser)
    return ncu_runs.finish(lambda: test(options))


if __name__ == "__main__":
    sys.exit(main())
