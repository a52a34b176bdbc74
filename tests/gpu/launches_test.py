#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs DriverLaunches with and without the probe, in all its modes: see
probe_program.py. Its kernel `loaded` loads and stores a float of each thread,
and a launch of all its blocks has 64 blocks of 4 warps.
"""

import sys

import probe_program
from probe_program import (HERE, REQUESTS, ProgramTest, gpus, kernel,
                           program, sums)

BUILD = "driver-launches"


def build():
    probe_program.compile_all(
        [["-arch=native", "-lineinfo", str(HERE / "DriverLaunches.cu"), "-o",
          program(BUILD), "-lnvrtc", "-lcuda", "-ldl"]])


class DriverLaunches(ProgramTest):
    def test_blocks_that_are_set_before(self):
        run = self.unchanged("grid", 3, build=BUILD)
        self.assertEqual(set(), run.problems())
        profile = self.one_profile(run, "exit")
        # Of each three: one block of 4 warps, and twice all.
        found = kernel(profile, "loaded")
        self.assertEqual((9, 9), (found["launches"],
                                  found["measured_launches"]))
        self.assertEqual(3 * 128 * (1 + 2 * 64), found["threads"])
        self.assertEqual(2 * 3 * (4 + 2 * REQUESTS),
                         sums(profile, "loaded", "requests"))
        self.assertEqual(
            {(1, 1, 1): 3, (32, 2, 1): 6},
            {tuple(x["grid"]): x["count"] for x in profile["launches"]})
        for shape in profile["launches"]:
            self.assertEqual(([128, 1, 1], 256), (
                shape["block"], shape["dynamic_shared_bytes"]))

    def test_a_few_of_these(self):
        run = self.unchanged("grid", 20, build=BUILD,
                             CUDA_LINT_PROBE_LAUNCHES="")
        self.assertEqual(set(), run.problems())
        found = kernel(self.one_profile(run, "exit"), "loaded")
        self.assertEqual(60, found["launches"])
        self.assertLess(0, found["measured_launches"])
        self.assertLess(found["measured_launches"], 60)
        # The load and the store of each warp.
        self.assertEqual(2 * found["measured_threads"] // 32,
                         sums(self.one_profile(run, "exit"), "loaded",
                              "requests"))

    def test_a_first_kernel_that_waits(self):
        # Of two warps. Its code is loaded by its launch, but for the probe.
        for launches in ("", "2"):
            run = self.unchanged("first", build=BUILD,
                                 CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual(set(), run.problems())
            self.assertLess(run.seconds, 20)
            found = kernel(self.one_profile(run, "exit"), "_Z7waitingPVKiPf")
            self.assertEqual((1, 0, "waits"), (
                found["launches"], found["measured_launches"],
                found["uncounted"]))

    def test_on_all_gpus_at_once(self):
        refused = False
        for launches in ("", "all"):
            run = self.unchanged("together", 3, build=BUILD,
                                 CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual(set(), run.problems())
            profile = self.one_profile(run, "exit")
            if b"answer 0" not in run.out:
                self.assertEqual([], [k for k in profile["kernels"]
                                      if k["launches"]])
                refused = True
                continue
            counted = 3 if launches else 0
            self.assertEqual(
                {device: (3, counted, None if launches else "waits")
                 for device in range(gpus())},
                {k["device"]: (k["launches"], k["measured_launches"],
                               k["uncounted"])
                 for k in profile["kernels"]})
            self.assertEqual(gpus() * counted * 2 * REQUESTS,
                             sums(profile, "loaded", "requests"))
        if refused:
            self.skipTest("the driver refuses launches on several GPUs at once")
        if gpus() < 2:
            self.skipTest("there is one GPU: of a launch on several at once, "
                          "no kernel waits for another")


if __name__ == "__main__":
    sys.exit(probe_program.main(build))
