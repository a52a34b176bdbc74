#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that use CUPTI themselves, with and without the probe.

Each kind of OtherProfiler.cu, begun before and after the program's first CUDA
call, under each kind of run that `confirm` does. The program ends as without
the probe and computes the same. EXPECTED says what each of the two gets: what
is lost is told, but for the rows that say why it cannot be.

    other_profiler_test.py --library libcuda-lint-probe.so --nvcc nvcc
        --folder BUILD [--table]

`--table` prints what the program and the probe got, row by row. Ends with 77
where there is no GPU.
"""

import collections
import sys

import probe_program
from probe_program import (HERE, REQUESTS, STRIDE, ProgramTest, Run, kernel,
                           program, sums)

COUNT = 3  # and one launch after the program's profiler has ended
KINDS = ("none", "records", "calls", "tracer", "samples", "ranges")
COLLECTED = ("counters", "time", "occupancy", "stalls")
IS_TABLE = "--table" in sys.argv

ALL = COUNT + 1
# As it is with CUPTI 13.0. What the program gets: as without the probe where that is None. What the probe
# measures: launches, but of stalls whether that is ALL the samples, FEW or 0.
# Of how many launches the sectors are, if that is less. The problems.
Row = collections.namedtuple("Row", "program measured sectors problems",
                             defaults=(None, ALL, None, ()))
FEW = "few"
FINE = Row()
NO_RECORDS = Row("got: 0 kernels")
EXPECTED = {
    "none": dict.fromkeys(COLLECTED, FINE),
    # CUPTI has one set of callbacks for records, and ours come later.
    "records early": {
        "counters": Row("got: 0 kernels", sectors=0,
                        problems=("nothing-counted",)),
        "time": NO_RECORDS, "occupancy": NO_RECORDS, "stalls": NO_RECORDS},
    # Of the two others, only the rules of check() are known.
    "records late": {
        "counters": Row("refused: cuptiActivityEnable 14"),
        "time": Row(measured=0, problems=("times-lost",))},
    # CUPTI has one subscriber.
    **dict.fromkeys(
        ("calls early", "tracer early"),
        dict.fromkeys(COLLECTED, Row(measured=0,
                                     problems=("other-profiler",)))),
    **dict.fromkeys(
        ("calls late", "tracer late"),
        dict.fromkeys(COLLECTED, Row("refused: cuptiSubscribe 39"))),
    "samples": {
        "counters": FINE, "time": FINE,
        "occupancy": Row("got: no samples"),
        # Of the samples until the end, and of the last ones.
        "stalls": Row(measured=0, problems=("cupti-error", "cupti-error"))},
    # That the counts and the samples are a part is told by nothing: CUPTI
    # reports success, and no callback tells what the program asks of it.
    "ranges": {
        "counters": Row("got: instructions", sectors=COUNT),
        "time": Row(measured=1, problems=("times-lost",)),
        "occupancy": Row(measured=0, problems=("cupti-error",)),
        "stalls": Row(measured=FEW)},
}


def expected(kind, when, collected):
    rows = EXPECTED.get(kind) or EXPECTED[f"{kind} {when}"]
    return rows.get(collected)


def build():
    probe_program.compile_all(
        [["-arch=native", "-lineinfo", str(HERE / "OtherProfiler.cu"), "-o",
          program("other-profiler"), "-lcuda", "-ldl"]])


def measured(collected, profile):
    """What the probe got of the kernel: nothing when it was not measured."""
    if collected == "stalls":
        return sum(x["samples"] for x in profile.get("pc_sampling", []))
    if collected == "counters":
        return sum(k["measured_launches"] for k in profile["kernels"]
                   if k["kernel"] == STRIDE)
    shapes = [x for x in profile["launches"] if x["kernel"] == STRIDE]
    if collected == "time":
        return sum(len(x["duration_ns"]["samples"]) for x in shapes
                   if x["duration_ns"])
    return sum(x["range_launches"] or 0 for x in shapes)


class OtherProfilerTest(ProgramTest):
    all_samples = 0

    def check_row(self, row, collected, plain, run, profile):
        if row.program is None:
            self.assertEqual(plain.err, run.err)
        else:
            self.assertTrue(run.err.decode().startswith(row.program), run.err)
        self.assertEqual(sorted(row.problems),
                         sorted(p["kind"] for p in profile["problems"]))
        got = measured(collected, profile)
        if collected == "stalls" and row.measured:
            self.assertGreater(got, 0)
            share = got / self.all_samples
            self.assertTrue(share < 0.1 if row.measured == FEW
                            else 0.5 < share < 2, share)
        else:
            self.assertEqual(row.measured, got)
        if collected == "counters":
            launches = row.measured if row.sectors is None else row.sectors
            # 4 sectors of the load and 8 of the store.
            self.assertEqual((4 + 8) * REQUESTS * launches,
                             sums(profile, STRIDE, "sectors"))

    def check(self, kind, when, collected):
        arguments = (kind, when, COUNT)
        plain = Run(*arguments, probe=False, build="other-profiler")
        self.assertTrue(plain.err.startswith(b"got: "), plain.err)
        settings = {"CUDA_LINT_PROBE_COLLECT": collected}
        if collected == "stalls":
            settings["CUDA_LINT_PROBE_LAUNCHES"] = ""
        run = self.unchanged(*arguments, build="other-profiler", **settings)
        profile = self.one_profile(run, "exit")
        lost = sorted(p["kind"] for p in profile["problems"])
        got = measured(collected, profile)
        if IS_TABLE:
            its = run.err.decode().strip()
            print(" | ".join((kind, when, collected,
                              "all" if run.err == plain.err else its,
                              f"{got}", ", ".join(lost) or "-",
                              f"{plain.seconds:.1f} s, {run.seconds:.1f} s")),
                  flush=True)
        if profile["kernels"]:
            self.assertEqual(kernel(profile, STRIDE)["launches"], COUNT + 1)
        if kind == "none" and collected == "stalls":
            type(self).all_samples = got
        # Where nothing was measured, that is told, whatever the row.
        if not got:
            self.assertTrue(lost)
        if got and collected == "occupancy":
            shape = next(x for x in profile["launches"]
                         if x["kernel"] == STRIDE)
            self.assertTrue(0 < shape["achieved_occupancy"] <= 4 / 32)
        # A toolkit without ranges makes a program without them.
        row = expected("none" if plain.err == b"got: nothing\n" else kind, when,
                       collected)
        if row:
            self.check_row(row, collected, plain, run, profile)

    def test_all(self):
        for kind in KINDS:
            for when in ("early", "late"):
                for collected in COLLECTED:
                    with self.subTest(f"{kind} {when} {collected}"):
                        self.check(kind, when, collected)


if __name__ == "__main__":
    if IS_TABLE:
        sys.argv.remove("--table")
    sys.exit(probe_program.main(build))
