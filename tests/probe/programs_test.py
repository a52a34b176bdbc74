#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program may do to itself: see fake_probe.py."""

import signal

import fake_probe
from fake_probe import BYTES, KERNEL, PROBE, ProbeTest, Run


class Programs(ProbeTest):
    """What a program may do to itself."""

    def test_ends(self):
        for mode, end, status in (("", "exit", 7), ("_exit", "killed", 0),
                                  ("abort", "signal", -signal.SIGABRT)):
            with self.subTest(mode):
                run = self.unchanged(mode)
                self.assertEqual(status, run.status)
                self.check_counts(self.one(run, end), 3)

    def test_it_launches_when_its_static_objects_end(self):
        # By then the objects of the thread are gone.
        for settings in ({}, {"CUDA_LINT_PROBE_LAUNCHES": "2"},
                         {"CUDA_LINT_PROBE_COLLECT": "time"}):
            run = self.unchanged("late", **settings)
            self.assertEqual(7, run.status)
            self.assertLessEqual(3, self.one(run)["launches"][0]["count"])

    def test_a_context_goes_while_a_kernel_runs(self):
        # That the program lets it end only then is no reason to wait for ever.
        run = self.unchanged("abandoned")
        self.assertEqual({"counts-lost"}, run.problems())
        kernels = {k["kernel"]: k for k in self.one(run)["kernels"]}
        # What was read before the kernel is there.
        self.assertEqual(1, kernels[KERNEL]["measured_launches"])
        waiter = kernels["_Z6waiterPVi"]
        self.assertEqual((0, "lost"), (waiter["measured_launches"],
                                       waiter["uncounted"]))

    def test_code_goes_while_a_kernel_runs(self):
        run = self.unchanged("unload")
        self.assertEqual({"counts-lost"}, run.problems())
        self.assertIn("when a module was unloaded", run.message("counts-lost"))

    def test_thousands_of_kernels_take_bounded_memory(self):
        # 100 launches of each of 1000: memory grows with kernels alone. What a
        # sanitizer keeps back of what is freed is bounded here, too.
        for settings in ({}, {"CUDA_LINT_PROBE_LAUNCHES": "few"},
                         {"CUDA_LINT_PROBE_COLLECT": "time"}):
            with self.subTest(**settings):
                run = Run("thousands", ASAN_OPTIONS="quarantine_size_mb=1",
                          **settings)
                self.assertEqual(7, run.status)
                self.assertLess(int(run.files["grown"]), 8 * 1024)
                kernels = {k["kernel"]: k["launches"]
                           for k in self.one(run)["kernels"]}
                self.assertEqual(1001, len(kernels))
                self.assertEqual({1, 100}, set(kernels.values()))

    def test_it_closes_all_descriptors(self):
        run = self.unchanged("bare")
        self.assertEqual(7, run.status)
        self.check_counts(self.one(run), 3)

    def test_ranges_of_the_program(self):
        # Five of eight launches are in ranges of the name: pushed, of another
        # domain by a string that is registered, and of the process.
        for name, count in (("step", 5), ("inner", 3), ("warm-up", 1)):
            for launches in ("all", "few", "2"):
                with self.subTest(name, launches=launches):
                    run = self.unchanged("ranges", CUDA_LINT_PROBE_RANGE=name,
                                         CUDA_LINT_PROBE_LAUNCHES=launches,
                                         NVTX_INJECTION64_PATH=PROBE)
                    self.assertEqual(set(), run.problems())
                    profile = self.one(run)
                    self.assertEqual(count, profile["kernels"][0]["launches"])
                    self.assertEqual(count, profile["launches"][0]["count"])
                    if launches == "all":
                        self.check_counts(profile, count)

    def test_between_the_calls_of_the_profilers_api(self):
        run = self.unchanged("profiled", CUDA_LINT_PROBE_RANGE="cudaProfilerApi")
        self.check_counts(self.one(run), 3)
        self.assertEqual(3, self.one(run)["kernels"][0]["launches"])

    def test_times_are_those_of_a_range(self):
        run = self.unchanged("ranges", CUDA_LINT_PROBE_RANGE="step",
                             NVTX_INJECTION64_PATH=PROBE,
                             CUDA_LINT_PROBE_COLLECT="time")
        launch, = self.one(run)["launches"]
        self.assertEqual(5, launch["count"])
        self.assertEqual([2000] * 5, launch["duration_ns"]["samples"])

    def test_the_first_launches_are_skipped(self):
        for skip, launches, problems in (("5", 3, set()),
                                         ("8", 0, {"all-skipped"}),
                                         ("x", 8, {"bad-setting"})):
            run = self.unchanged("ranges", CUDA_LINT_PROBE_SKIP=skip)
            self.assertEqual(problems, run.problems())
            self.assertEqual(launches,
                             self.one(run)["kernels"][0]["launches"])
        self.assertEqual("note", self.one(run)["problems"][0]["severity"])

    def test_a_range_that_is_not_there_is_a_loss(self):
        run = self.unchanged("ranges", CUDA_LINT_PROBE_RANGE="stop",
                             NVTX_INJECTION64_PATH=PROBE)
        problem, = self.one(run)["problems"]
        self.assertEqual(("nothing-in-range", "loss"),
                         (problem["kind"], problem["severity"]))

    def test_who_measured_and_where(self):
        run = self.unchanged(OMPI_COMM_WORLD_RANK="3",
                             OMPI_COMM_WORLD_SIZE="4")
        process = self.one(run)["process"]
        self.assertEqual((3, 4), (process["rank"], process["ranks"]))
        self.assertTrue(process["host"])
        device, = self.one(run)["devices"]
        self.assertEqual("GPU-00010203-0405-0607-0809-0a0b0c0d0e0f",
                         device["uuid"])

    def test_arguments_may_be_secret(self):
        for setting, words in (("0", 2), ("1", 1)):
            run = self.unchanged("step", CUDA_LINT_PROBE_NO_ARGV=setting)
            self.assertEqual(words, len(self.one(run)["process"]["command"]))

    def test_it_forks_before_it_uses_cuda(self):
        run = self.unchanged("fork")
        self.assertEqual(2 * BYTES, run.out)
        self.assertEqual(2, len(run.profiles))
        for profile in run.profiles:
            self.check_counts(profile, 3)

    def test_a_child_that_tries_to_launch_is_not_measured(self):
        # It has the tables and the file of its parent, and perhaps a lock that
        # a thread held which the child has not.
        for launches in ("all", "few"):
            run = self.unchanged("forked", CUDA_LINT_PROBE_LAUNCHES=launches)
            kernel, = self.one(run, "killed")["kernels"]
            self.assertEqual(3, kernel["launches"])

    def test_it_closes_its_streams_and_opens_files(self):
        # These have the streams' numbers now.
        run = self.unchanged("closed")
        self.assertEqual({"data": BYTES, "more": b""}, run.files)
        self.check_counts(self.one(run), 3)

    def test_a_complaint_goes_to_the_error_stream_alone(self):
        run = Run(profiles="/nonexistent/folder")
        self.assertEqual((7, BYTES), (run.status, run.out))
        self.assertEqual(1, run.err.count(b"\n"), run.err)
        self.assertIn(b"cannot write a profile to '/nonexistent", run.err)
        for mode in ("closed", "reopened"):
            run = Run(mode, profiles="/nonexistent/folder")
            self.assertEqual(7, run.status)
            self.assertNotIn(b"cuda-lint", b"".join(run.files.values()))


if __name__ == "__main__":
    fake_probe.ctest.main()
