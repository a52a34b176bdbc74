#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where warps stand, by PC sampling: see fake_probe.py."""

import fake_probe
from fake_probe import KERNEL, PROBE, ProbeTest

# Of cupti_result.h.
(INVALID_CONTEXT, HARDWARE_BUSY, NOT_SUPPORTED, PRIVILEGES, MIG,
 CHIP) = 3, 26, 27, 35, 43, 46


class Stalls(ProbeTest):
    """PC sampling. FakeSampling.cpp says what each launch has."""

    LOAD = {"wait": (4, 1), "selected": (2, 0)}
    STORE = {"long_scoreboard": (10, 9), "selected": (1, 0)}

    def run_stalls(self, mode="", **settings):
        return self.unchanged(mode, CUDA_LINT_PROBE_COLLECT="stalls",
                              **settings)

    def rows(self, profile, device=0):
        """Samples and those not issued, by place and reason."""
        names = profile["stall_reasons"]
        return {(row["file"], row["line"]):
                {names[reason]: (samples, not_issued)
                 for reason, samples, not_issued in row["reasons"]}
                for row in profile["stalls"]
                if row["device"] == device and row["kernel"] == KERNEL}

    def check_samples(self, profile, launches, device=0,
                      files=("/build/stride.cu",)):
        self.assertEqual(
            {(file, line): {name: (a * launches, b * launches)
                            for name, (a, b) in each.items()}
             for file in files for line, each in ((3, self.LOAD),
                                                  (4, self.STORE))},
            self.rows(profile, device))
        totals, = [x for x in profile["pc_sampling"]
                   if x["device"] == device]
        self.assertEqual(
            {"device": device, "period_cycles": 1024, "dropped_samples": 0,
             "samples": (17 * len(files) + 1) * launches,
             "other_samples": launches}, totals)

    def test_samples_of_lines(self):
        run = self.run_stalls()
        self.assertEqual(set(), run.problems())
        profile = self.one(run)
        self.check_samples(profile, 3)
        self.assertEqual(("stalls", "none", [], []), (
            profile["collect"], profile["counters"], profile["lines"],
            profile["code"]))
        # Nothing is counted, and launches are known all the same.
        kernel, = profile["kernels"]
        self.assertEqual((3, 0, None), (
            kernel["launches"], kernel["measured_launches"],
            kernel["uncounted"]))
        shape, = profile["launches"]
        self.assertEqual((3, 18, None), (
            shape["count"], shape["registers"], shape["duration_ns"]))

    def test_whenever_cupti_hands_them_over(self):
        # At the end alone, an instruction at a time, and of a context that is
        # not ready when it is made.
        for settings in ({"FAKE_SAMPLES": "late"}, {"FAKE_PCS": "1"},
                         {"FAKE_SAMPLES": "early"}):
            with self.subTest(settings):
                run = self.run_stalls(**settings)
                self.assertEqual(set(), run.problems())
                self.check_samples(self.one(run), 3)

    def test_two_gpus(self):
        # The context of the second is destroyed.
        for samples in ("", "late"):
            profile = self.one(self.run_stalls(
                FAKE_GPUS="NVIDIA H200:90,NVIDIA H200:90",
                FAKE_SAMPLES=samples))
            for device in (0, 1):
                self.check_samples(profile, 3, device)

    def test_modules_are_told_apart_by_our_numbers(self):
        profile = self.one(self.run_stalls(FAKE_MODULES="2"))
        self.check_samples(profile, 3, files=("/build/stride.cu",
                                              "/build/1tride.cu"))

    def test_without_our_numbers_those_of_cupti_do(self):
        run = self.run_stalls(
            FAKE_CUPTI_FAIL="cuptiRegisterComputeCrcCallback=999")
        self.assertEqual(set(), run.problems())
        self.check_samples(self.one(run), 3)
        # Where two modules have one of these, the line is not known.
        run = self.run_stalls(
            FAKE_CUPTI_FAIL="cuptiRegisterComputeCrcCallback=999",
            FAKE_MODULES="2")
        self.assertEqual({"code-not-found"}, run.problems())
        self.assertEqual(
            {(None, None): {"wait": (24, 6), "selected": (18, 0),
                            "long_scoreboard": (60, 54)}},
            self.rows(self.one(run)))

    def test_code_that_goes_before_its_samples_come(self):
        for samples in ("", "late"):
            with self.subTest(samples):
                run = self.run_stalls("unloaded", FAKE_SAMPLES=samples)
                self.assertEqual(set(), run.problems())
                self.check_samples(self.one(run), 3)

    def test_threads_lose_nothing(self):
        # Of the context that they share: each has one of its own beside it.
        for samples in ("", "late"):
            run = self.run_stalls("threads", FAKE_SAMPLES=samples)
            self.assertEqual({"one-context"}, run.problems())
            self.check_samples(self.one(run), 1000)

    def test_one_context_of_a_gpu_at_a_time(self):
        # One that never launches is in nobody's way.
        run = self.run_stalls("contexts")
        self.assertEqual(set(), run.problems())
        self.check_samples(self.one(run), 6)
        # Of two at once, the first; and the second when that is gone.
        run = self.run_stalls("contexts-at-once")
        self.check_samples(self.one(run), 6)
        problem, = self.one(run)["problems"]
        self.assertEqual(("one-context", "loss"), (problem["kind"],
                                                   problem["severity"]))
        self.assertIn("several contexts of GPU 0", problem["message"])

    def test_ends_of_the_program(self):
        for mode, end in (("_exit", "killed"), ("abort", "signal")):
            with self.subTest(mode):
                self.check_samples(self.one(self.run_stalls(mode), end), 3)

    def test_kernels_that_are_not_asked_for(self):
        profile = self.one(self.run_stalls(CUDA_LINT_PROBE_KERNEL="nobody"))
        self.assertEqual([], profile["stalls"])
        profile = self.one(self.run_stalls(CUDA_LINT_PROBE_KERNEL="stride"))
        self.check_samples(profile, 3)

    def test_ranges_do_not_go_with_it(self):
        run = self.run_stalls("ranges", CUDA_LINT_PROBE_RANGE="step",
                              CUDA_LINT_PROBE_SKIP="1",
                              NVTX_INJECTION64_PATH=PROBE)
        self.assertEqual({"bad-setting"}, run.problems())
        self.check_samples(self.one(run), 8)
        self.assertEqual(8, self.one(run)["kernels"][0]["launches"])

    def test_what_keeps_it_from_sampling(self):
        for function in ("Enable", "GetNumStallReasons", "GetStallReasons",
                         "SetConfigurationAttribute"):
            for code, kind, help_text in (
                    (PRIVILEGES, "insufficient-privileges",
                     "NVreg_RestrictProfilingToAdminUsers=0"),
                    (NOT_SUPPORTED, "unsupported-gpu", "newer toolkit"),
                    (MIG, "unsupported-setup", "on a whole GPU"),
                    (HARDWARE_BUSY, "other-profiler", "run without it"),
                    (999, "cupti-error", "run again")):
                with self.subTest(function, code=code):
                    run = self.run_stalls(
                        FAKE_CUPTI_FAIL=f"cuptiPCSampling{function}={code}")
                    problem, = self.one(run)["problems"]
                    self.assertEqual((kind, "loss"), (problem["kind"],
                                                      problem["severity"]))
                    self.assertIn("stall reasons of GPU 0 are not available",
                                  problem["message"])
                    self.assertIn(help_text, problem["message"])
                    self.assertEqual([], self.one(run)["stalls"])
                    self.assertEqual(
                        3, self.one(run)["kernels"][0]["launches"])

    def test_a_context_that_never_gets_ready(self):
        run = self.run_stalls(FAKE_CUPTI_FAIL="cuptiPCSamplingEnable="
                              f"{INVALID_CONTEXT}")
        self.assertEqual({"cupti-error"}, run.problems())

    def test_launches_under_a_capture(self):
        # To begin would end it: the program ends with 91 then.
        for mode, sampled in (("under-capture", 1), ("captured-forever", 0)):
            with self.subTest(mode):
                run = self.run_stalls(mode, FAKE_LAZY="silent",
                                      FAKE_SAMPLES="early")
                problem, = self.one(run)["problems"]
                self.assertEqual((7, "samples-lost", "loss"), (
                    run.status, problem["kind"], problem["severity"]))
                self.assertIn("GPU 0 was launched to while a stream was "
                              "captured", problem["message"])
                if sampled:
                    self.check_samples(self.one(run), sampled)
        run = self.run_stalls("context-under-capture",
                              FAKE_GPUS="NVIDIA H200:90,NVIDIA H200:90")
        self.assertEqual((7, set()), (run.status, run.problems()))
        for device in (0, 1):
            self.check_samples(self.one(run), 1, device)

    def test_one_gpu_of_two(self):
        run = self.run_stalls(
            FAKE_GPUS="NVIDIA H200:90,NVIDIA New:99",
            FAKE_CUPTI_FAIL=f"cuptiPCSamplingEnable@1={CHIP}")
        self.assertEqual({"unsupported-gpu"}, run.problems())
        self.assertIn("of GPU 1", run.message("unsupported-gpu"))
        self.check_samples(self.one(run), 3, 0)
        self.assertEqual({}, self.rows(self.one(run), 1))

    def test_samples_without_a_period(self):
        run = self.run_stalls(FAKE_CUPTI_FAIL=(
            "cuptiPCSamplingGetConfigurationAttribute=999"))
        self.assertEqual(set(), run.problems())
        self.assertIsNone(self.one(run)["pc_sampling"][0]["period_cycles"])
        self.assertTrue(self.one(run)["stalls"])

    def test_failures_in_between(self):
        run = self.run_stalls(FAKE_CUPTI_FAIL="cuptiPCSamplingGetData=999")
        self.assertEqual({"cupti-error"}, run.problems())
        self.assertIn("samples were lost", run.message("cupti-error"))
        # The end hands over what there is.
        self.check_samples(self.one(run), 3)
        run = self.run_stalls(FAKE_SAMPLES="late",
                              FAKE_CUPTI_FAIL="cuptiPCSamplingDisable=999")
        self.assertEqual({"cupti-error"}, run.problems())
        self.assertIn("the last samples were lost",
                      run.message("cupti-error"))
        self.assertEqual([], self.one(run)["stalls"])

    def test_a_full_buffer_is_a_loss(self):
        run = self.run_stalls(FAKE_SAMPLES="full")
        problem, = self.one(run)["problems"]
        self.assertEqual(("samples-lost", "loss"), (problem["kind"],
                                                    problem["severity"]))
        self.assertIn("the GPU's buffer for samples was full",
                      problem["message"])
        # An instruction more than the end has room for.
        run = self.run_stalls(FAKE_SAMPLES="late", FAKE_PCS="1")
        self.assertEqual({"samples-lost"}, run.problems())
        self.assertIn("the last samples of 1 instructions",
                      run.message("samples-lost"))

    def test_a_context_goes_while_a_kernel_runs(self):
        # What is sampled of it afterwards is lost, and that is said.
        run = self.run_stalls("abandoned")
        problem, = self.one(run)["problems"]
        self.assertEqual(("samples-lost", "loss"), (problem["kind"],
                                                    problem["severity"]))
        self.assertIn("when it was destroyed", problem["message"])
        self.check_samples(self.one(run), 1)
        # It is waited for.
        run = self.run_stalls("abandoned-shortly")
        self.assertEqual(set(), run.problems())
        self.check_samples(self.one(run), 1)

    def test_a_context_goes_of_which_nobody_can_say(self):
        # Nothing is known to be lost.
        run = self.run_stalls("per-thread")
        problem, = self.one(run)["problems"]
        self.assertEqual(("samples-not-awaited", "note"),
                         (problem["kind"], problem["severity"]))
        self.check_samples(self.one(run), 1)
        # A capture is over when its stream is gone.
        run = self.run_stalls("capture-dropped")
        self.assertEqual(set(), run.problems())
        self.check_samples(self.one(run), 1)

    def test_a_context_goes_while_the_program_ends(self):
        # Its kernels are waited for, in the context: it may go only then.
        run = self.run_stalls("destroyed", FAKE_RUNS="600")
        self.assertEqual((7, set()), (run.status, run.problems()))
        self.check_samples(self.one(run), 3)

    def test_no_loss_is_hidden_by_many_others(self):
        run = self.run_stalls(FAKE_STRANGERS="150", FAKE_CUPTI_FAIL=(
            "cuptiPCSamplingDisable=999"))
        profile = self.one(run)
        self.assertEqual(101, len(profile["problems"]))
        self.assertEqual({"code-not-found", "cupti-error", "more-problems"},
                         run.problems())
        self.assertEqual({"loss"}, {p["severity"]
                                    for p in profile["problems"]})

    def test_dropped_samples(self):
        for dropped, severity in (("9", "note"), ("2000", "loss")):
            run = self.run_stalls("threads", FAKE_DROPPED_SAMPLES=dropped)
            problem, = (each for each in self.one(run)["problems"]
                    if each["kind"] != "one-context")
            self.assertEqual(("samples-dropped", severity),
                             (problem["kind"], problem["severity"]))
            # In the one context that is sampled.
            total, = self.one(run)["pc_sampling"]
            self.assertEqual(int(dropped), total["dropped_samples"])

    def test_kernels_too_short_for_a_sample(self):
        run = self.run_stalls("huge")
        problem, = self.one(run)["problems"]
        self.assertEqual(("no-samples", "loss"), (problem["kind"],
                                                  problem["severity"]))
        self.assertIn("10 launches", problem["message"])

    def test_a_kernel_that_failed_is_named(self):
        run = self.run_stalls(FAKE_ERROR="710")
        self.assertEqual({"kernel-failed"}, run.problems())
        self.assertIn("CUDA_ERROR_ASSERT", run.message("kernel-failed"))
        self.check_samples(self.one(run), 3)


if __name__ == "__main__":
    fake_probe.ctest.main()
