#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches by other calls, and the first of a kernel: see fake_probe.py."""

import os

import fake_probe
from fake_probe import KERNEL, REQUESTS, ProbeTest

RANGES = os.environ["FAKE_RANGES"]


class OldLaunches(ProbeTest):
    """Calls that cuda.h calls deprecated."""

    TOGETHER = "_Z8togetherPf"
    GPUS = "NVIDIA H200:90,NVIDIA H200:90"

    def shapes(self, profile):
        return {(*x["grid"], x["block"][0], x["dynamic_shared_bytes"]):
                x["count"] for x in profile["launches"]}

    def test_blocks_that_are_set_before(self):
        for launches in ("all", "2", "few"):
            run = self.unchanged("grids", CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual(set(), run.problems())
            profile = self.one(run)
            kernel, = profile["kernels"]
            # One block, and twice two rows of 64.
            self.assertEqual((3, 128 * (1 + 2 * 128)),
                             (kernel["launches"], kernel["threads"]))
            self.assertEqual({(1, 1, 1, 128, 256): 1, (64, 2, 1, 128, 256): 2},
                             self.shapes(profile))
            counted = {"all": 3, "2": 2, "few": 2}[launches]
            self.assertEqual(counted, kernel["measured_launches"])
            if launches == "all":
                self.check_counts(profile, 3)

    def test_code_that_does_not_go(self):
        run = self.unchanged("grids-kept")
        self.assertEqual(set(), run.problems())
        self.assertEqual({(1, 1, 1, 128, 256): 1, (64, 2, 1, 128, 256): 2},
                         self.shapes(self.one(run)))

    def test_a_block_that_is_not_known(self):
        # The code is gone, or a newer call has launched the kernel.
        for mode, launches in (("grids-reloaded", 3), ("grids-in-between", 4)):
            run = self.unchanged(mode)
            problem, = self.one(run)["problems"]
            self.assertEqual(("unknown-block", "loss"),
                             (problem["kind"], problem["severity"]))
            profile = self.one(run)
            self.check_counts(profile, launches)
            kernel, = profile["kernels"]
            self.assertEqual(launches, kernel["launches"])
            # Booked for the kernel alone.
            self.assertEqual(launches - 1, sum(self.shapes(profile).values()))
            self.assertEqual({128}, {x["block"][0]
                                     for x in profile["launches"]})

    def test_a_block_that_nobody_asks_for(self):
        # Of a kernel or a launch that is left out, or one that never ran.
        for mode, settings, problems in (
                ("grids-reloaded", {"CUDA_LINT_PROBE_KERNEL": "other"}, set()),
                ("grids-reloaded", {"CUDA_LINT_PROBE_SKIP": "3"},
                 {"all-skipped"}),
                ("grids-refused", {}, set())):
            run = self.unchanged(mode, **settings)
            self.assertEqual(problems, run.problems())

    def test_on_all_gpus_at_once(self):
        run = self.unchanged("together", FAKE_GPUS=self.GPUS)
        self.assertEqual((7, set()), (run.status, run.problems()))
        profile = self.one(run)
        kernels = {(k["kernel"], k["device"]): (k["launches"],
                                                k["measured_launches"])
                   for k in profile["kernels"]}
        for device in (0, 1):
            self.check_counts(profile, 6, device)
            self.assertEqual((6, 6), kernels[KERNEL, device])
            self.assertEqual((3, 3), kernels[self.TOGETHER, device])

    def test_launches_at_once_that_nobody_can_read(self):
        run = self.unchanged("together", FAKE_GPUS=self.GPUS, FAKE_NO_COUNT="1")
        self.assertEqual({"launches-lost"}, run.problems())
        self.assertEqual([(KERNEL, 3)] * 2, [
            (k["kernel"], k["launches"]) for k in self.one(run)["kernels"]])

    def test_kernels_that_wait_for_each_other_are_no_samples(self):
        # The third of the launches at once would be counted by its number.
        for launches in ("few", "5"):
            run = self.unchanged("together", FAKE_GPUS=self.GPUS,
                                 CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual((7, set()), (run.status, run.problems()))
            profile = self.one(run)
            kernels = {(k["kernel"], k["device"]): k
                       for k in profile["kernels"]}
            for device in (0, 1):
                one = kernels[KERNEL, device]
                counted = 2 if launches == "few" else 3
                self.assertEqual((6, counted), (one["launches"],
                                                one["measured_launches"]))
                self.assertEqual(
                    {counted * REQUESTS},
                    {x["requests"] for x in profile["lines"]
                     if x["device"] == device})
                both = kernels[self.TOGETHER, device]
                self.assertEqual((3, 0, "waits"), (
                    both["launches"], both["measured_launches"],
                    both["uncounted"]))

    def test_one_at_once_while_another_is_counted(self):
        # It is not held back for as long as that takes.
        run = self.unchanged("together-meanwhile", FAKE_GPUS=self.GPUS,
                             CUDA_LINT_PROBE_LAUNCHES="few")
        problem, = self.one(run)["problems"]
        self.assertEqual(("together-counted", "note"),
                         (problem["kind"], problem["severity"]))

    def test_what_else_is_measured_of_launches_at_once(self):
        run = self.unchanged("together", FAKE_GPUS=self.GPUS,
                             CUDA_LINT_PROBE_COLLECT="time",
                             CUDA_LINT_PROBE_SKIP="1")
        self.assertEqual(set(), run.problems())
        for launch in self.one(run)["launches"]:
            self.assertEqual(5 if launch["kernel"] == KERNEL else 2,
                             len(launch["duration_ns"]["samples"]))
        run = self.unchanged("together", FAKE_GPUS=self.GPUS, cupti=RANGES,
                             CUDA_LINT_PROBE_COLLECT="occupancy")
        self.assertEqual({"together-not-measured"}, run.problems())
        for launch in self.one(run)["launches"]:
            self.assertEqual(3 if launch["kernel"] == KERNEL else 0,
                             launch["range_launches"])
        run = self.unchanged("together", FAKE_GPUS=self.GPUS,
                             CUDA_LINT_PROBE_COLLECT="stalls")
        self.assertEqual(set(), run.problems())
        self.assertEqual({6 * 18}, {x["samples"] for x in
                                    self.one(run)["pc_sampling"]})


class FirstLaunches(ProbeTest):
    """Code that is loaded by the first launch of its kernel."""

    WAITER = "_Z6waiterPVi"

    def lazy(self, mode, how, launches="few"):
        run = self.unchanged(mode, FAKE_LAZY=how,
                             CUDA_LINT_PROBE_LAUNCHES=launches)
        self.assertEqual((7, set()), (run.status, run.problems()))
        return self.one(run)

    def counted(self, profile):
        return {k["kernel"]: (k["launches"], k["measured_launches"],
                              k["uncounted"]) for k in profile["kernels"]}

    def test_a_first_kernel_that_waits(self):
        # Of many threads: what is known of it is its code.
        for launches in ("few", "2"):
            profile = self.lazy("waiter-first", "nested", launches)
            self.assertEqual((1, 0, "waits"),
                             self.counted(profile)[self.WAITER])

    def test_a_first_kernel_that_does_not(self):
        for how in ("nested", "silent", "refused"):
            profile = self.lazy("", how)
            self.assertEqual({KERNEL: (3, 2, None)}, self.counted(profile))
            self.assertEqual({2 * REQUESTS},
                             {x["requests"] for x in profile["lines"]})

    def test_where_all_are_counted_nothing_is_loaded_before(self):
        self.check_counts(self.lazy("", "nested", "all"), 3)

    def test_no_code_is_loaded_under_a_capture(self):
        # The program ends with 91 if it was.
        profile = self.lazy("under-capture", "nested")
        self.assertEqual(2, self.counted(profile)[KERNEL][0])

    def test_threads(self):
        for how in ("nested", "silent"):
            profile = self.lazy("threads", how)
            launches, counted, _ = self.counted(profile)[KERNEL]
            self.assertEqual(2000, launches)
            self.assertEqual({counted * REQUESTS},
                             {x["requests"] for x in profile["lines"]})


if __name__ == "__main__":
    fake_probe.ctest.main()
