#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs that use CUPTI themselves, with and without the probe.

Each kind of OtherProfiler.cu, begun before and after the program's first CUDA
call, under each kind of run that `confirm` does. The program ends as without
the probe and computes the same; a profile says what was counted, which is
right, or that something was lost.

    other_profiler_test.py --library libcuda-lint-probe.so --nvcc nvcc
        --folder BUILD [--table]

`--table` prints what the program and the probe got, row by row. Ends with 77
where there is no GPU.
"""

import sys

import probe_program
from probe_program import (HERE, REQUESTS, STRIDE, ProgramTest, Run, kernel,
                           program, sums)

COUNT = 3  # and one launch after the program's profiler has ended
KINDS = ("none", "records", "calls", "tracer", "samples", "ranges")
COLLECTED = ("counters", "time", "occupancy", "stalls")
IS_TABLE = "--table" in sys.argv


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
        if not got:
            self.assertTrue(lost)
        elif collected == "counters":
            # 4 sectors of the load and 8 of the store.
            self.assertEqual(sums(profile, STRIDE, "sectors"),
                             (4 + 8) * REQUESTS * got)
        elif collected == "occupancy":
            shape = next(x for x in profile["launches"]
                         if x["kernel"] == STRIDE)
            self.assertTrue(0 < shape["achieved_occupancy"] <= 4 / 32)
        if kind == "none":
            self.assertEqual(lost, [])
            self.assertGreater(got, COUNT)

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
