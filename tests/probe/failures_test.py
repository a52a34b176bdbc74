#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the driver and CUPTI refuse or lose: see fake_probe.py."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import fake_probe
from fake_probe import BYTES, CUPTI, KERNEL, PROBE, PROGRAM, ProbeTest, Run

CONFIRM = os.environ["CUDA_LINT_CONFIRM"]
DRIVER = os.environ["FAKE_DRIVER"]
# Of cupti_result.h.
(INVALID_DEVICE, HARDWARE_BUSY, NOT_SUPPORTED, PRIVILEGES, SUBSCRIBERS, MIG,
 CHIP) = 2, 26, 27, 35, 39, 43, 46


class Failures(ProbeTest):
    """Each is told on one line, and the program runs as always."""

    def falls_back(self, kind, fail, **settings):
        """Counters fail; the launches are known all the same, with times."""
        run = self.unchanged(FAKE_CUPTI_FAIL=fail, **settings)
        self.assertEqual({kind}, run.problems())
        self.assertNotIn("\n", run.message(kind))
        profile = self.one(run)
        self.assertEqual(("none", []), (profile["counters"],
                                        profile["lines"]))
        kernel, = profile["kernels"]
        self.assertEqual((3, 0), (kernel["launches"],
                                  kernel["measured_launches"]))
        shape, = profile["launches"]
        self.assertEqual((18, 16, 3), (shape["registers"],
                                       shape["blocks_per_sm"],
                                       shape["count"]))
        self.assertEqual([2000] * 3, shape["duration_ns"]["samples"])
        return run.message(kind)

    def test_permission(self):
        # Where a driver refuses depends on its version.
        for function in ("cuptiProfilerInitialize", "cuptiDeviceGetChipName",
                         "cuptiSassMetricsSetConfig",
                         "cuptiSassMetricsEnable"):
            for code in (PRIVILEGES, 40):
                with self.subTest(function, code=code):
                    said = self.falls_back("insufficient-privileges",
                                           f"{function}={code}")
                    self.assertIn("CAP_SYS_ADMIN", said)
                    self.assertIn("NVreg_RestrictProfilingToAdminUsers=0",
                                  said)

    def test_permission_with_a_choice(self):
        self.falls_back("insufficient-privileges",
                        f"cuptiSassMetricsEnable={PRIVILEGES}",
                        CUDA_LINT_PROBE_LAUNCHES="1")

    def test_a_gpu_that_cupti_does_not_know(self):
        for fail in (f"cuptiDeviceGetChipName={INVALID_DEVICE}",
                     f"cuptiSassMetricsGetNumOfMetrics={CHIP}",
                     f"cuptiSassMetricsGetMetrics={NOT_SUPPORTED}",
                     f"cuptiSassMetricsSetConfig={NOT_SUPPORTED}"):
            with self.subTest(fail):
                self.assertIn("newer toolkit",
                              self.falls_back("unsupported-gpu", fail))

    def test_a_setup_without_counters(self):
        self.assertIn("MIG", self.falls_back("unsupported-setup",
                                             f"cuptiSassMetricsEnable={MIG}"))

    def test_an_error_that_nobody_knows(self):
        self.assertIn("report it", self.falls_back(
            "cupti-error", "cuptiSassMetricsEnable=999"))

    def test_another_profiler_has_the_counters(self):
        self.assertIn("run without it", self.falls_back(
            "other-profiler", f"cuptiSassMetricsEnable={HARDWARE_BUSY}"))

    def test_neither_counters_nor_times(self):
        run = self.unchanged(FAKE_CUPTI_FAIL="cuptiSassMetricsEnable="
                             f"{PRIVILEGES},cuptiActivityEnable={PRIVILEGES}")
        # Not that times were lost, too: that has this cause and no other.
        self.assertEqual({"insufficient-privileges"}, run.problems())
        self.assertEqual(3, self.one(run)["launches"][0]["count"])

    def test_counts_that_are_lost(self):
        for function in ("cuptiSassMetricsGetDataProperties",
                         "cuptiSassMetricsFlushData"):
            for launches in ("all", "few"):
                run = self.unchanged(FAKE_CUPTI_FAIL=f"{function}=999",
                                     CUDA_LINT_PROBE_LAUNCHES=launches)
                self.assertLessEqual({"cupti-error"}, run.problems())
                self.assertIn("counts were lost", run.message("cupti-error"))
                # Nobody takes these for launches without a request.
                kernel, = self.one(run)["kernels"]
                self.assertEqual((3, 0, 0, "lost"), (
                    kernel["launches"], kernel["measured_launches"],
                    kernel["measured_threads"], kernel["uncounted"]))

    def test_a_kernel_that_failed_is_named(self):
        run = self.unchanged(FAKE_ERROR="710",
                             FAKE_CUPTI_FAIL="cuptiSassMetricsFlushData=999")
        self.assertEqual({"kernel-failed"}, run.problems())
        self.assertIn("CUDA_ERROR_ASSERT", run.message("kernel-failed"))

    def test_one_gpu_of_two_without_counters(self):
        for failing, other in ((1, 0), (0, 1)):
            run = self.unchanged(
                FAKE_GPUS="NVIDIA H200:90,NVIDIA New:99",
                FAKE_CUPTI_FAIL=f"cuptiSassMetricsEnable@{failing}={CHIP}")
            self.assertEqual({"unsupported-gpu"}, run.problems())
            profile = self.one(run)
            if failing == 1:
                # Times of the second would cost the counts of the first.
                self.check_counts(profile, 3, other)
                self.assertIn("counters of GPU 1 are not available",
                              run.message("unsupported-gpu"))
            self.assertEqual({0: 3, 1: 3}, {
                k["device"]: k["launches"] for k in profile["kernels"]})
            self.assertEqual([], [x for x in profile["lines"]
                                  if x["device"] == failing])

    def test_another_subscriber_came_first(self):
        for settings in ({"mode": "subscribed"},
                         {"FAKE_CUPTI_FAIL": f"cuptiSubscribe={SUBSCRIBERS}"}):
            run = self.unchanged(**settings)
            self.assertEqual({"other-profiler"}, run.problems())
            self.assertIn("nothing can be measured",
                          run.message("other-profiler"))
            self.assertEqual([], self.one(run)["kernels"])

    def test_the_program_takes_records_itself(self):
        # Which sets all counts to 0, and takes our records away.
        run = self.unchanged("recorded")
        self.assertEqual({"nothing-counted"}, run.problems())
        self.assertIn("Run it without", run.message("nothing-counted"))
        run = self.unchanged("recorded", CUDA_LINT_PROBE_COLLECT="time")
        self.assertEqual({"times-lost"}, run.problems())

    def test_records_that_do_not_come(self):
        # The last may be missing: its kernel may still run at the end.
        run = self.unchanged(CUDA_LINT_PROBE_COLLECT="time",
                             FAKE_LOST_RECORDS="1")
        self.assertEqual(set(), run.problems())
        run = self.unchanged(CUDA_LINT_PROBE_COLLECT="time",
                             FAKE_LOST_RECORDS="2")
        self.assertEqual({"times-lost"}, run.problems())
        self.assertIn("times of 1 of 3 launches", run.message("times-lost"))

    def test_times_that_cupti_drops_are_missed(self):
        run = self.unchanged(CUDA_LINT_PROBE_COLLECT="time", FAKE_DROPPED="4")
        self.assertEqual({"times-dropped"}, run.problems())

    def test_no_cupti_or_another_library(self):
        for cupti, what in (("/nonexistent.so", "cannot be loaded"),
                            (DRIVER, "lacks cupti")):
            run = self.unchanged(cupti=cupti)
            self.assertEqual({"no-cupti"}, run.problems())
            self.assertIn(what, run.message("no-cupti"))

    def test_a_cupti_without_ranges(self):
        run = self.unchanged(CUDA_LINT_PROBE_COLLECT="occupancy")
        self.assertEqual({"no-occupancy"}, run.problems())
        self.assertIn("CUDA 12.6", run.message("no-occupancy"))

    def test_confirm_names_cause_and_remedy(self):
        access = {"file": "stride.cu", "line": 3, "column": 1,
                  "space": "global", "op": "load", "bytes": 4,
                  "unit": "sectors", "per_request": 4.0, "ideal": 4.0,
                  "lanes": 32.0, "certainty": "exact", "assumptions": [],
                  "block": [128, 1, 1], "loop_depth": 0, "inlined_at": []}
        occupancy = {"blocks_per_sm": 16, "warps_per_sm": 64, "ratio": 1.0,
                     "limiter": "warps", "limits": None, "waves": 0.03,
                     "rounds": 1, "tail_waste": 0.9, "next": []}
        launch = {"file": "stride.cu", "line": 9, "grid": [64, 1, 1],
                  "block": [128, 1, 1], "dynamic_shared_bytes": 0,
                  "source": "launch", "occupancy": occupancy}
        kernel = {"name": KERNEL, "signature": "stride(const float *, float *)",
                  "file": "stride.cu", "line": 1, "resources": None,
                  "launches": [launch], "accesses": [access]}
        predictions = {
            "schema": "cuda-lint/1",
            "tool": {"name": "cuda-lint", "version": "0.1.0"},
            "target": {"name": "h200", "compute_capability": "9.0",
                       "sms": 132},
            "units": [{"file": "stride.cu", "status": "ok", "errors": [],
                       "kernels": [kernel], "findings": []}]}
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "p.json").write_text(json.dumps(predictions))

            def confirm(*options, **settings):
                done = subprocess.run(
                    [CONFIRM, "--predictions=p.json", "--probe", PROBE,
                     "--cupti", CUPTI, "--all", *options, "-o", "r.txt", "--", PROGRAM],
                    cwd=folder, env=dict(os.environ, **settings),
                    capture_output=True, timeout=60, check=False)
                self.assertEqual((BYTES, b""), (done.stdout, done.stderr))
                # The program ends with 7, hence 3.
                self.assertEqual(3, done.returncode)
                report = (Path(folder) / "r.txt").read_text()
                for line in report.splitlines():
                    self.assertLessEqual(len(line), 80, line)
                return " ".join(report.split())

            said = confirm()
            self.assertIn("predicted 4.0 sectors per request, measured 4.0 "
                          "over 512 requests of about 768: confirmed", said)
            self.assertIn("counted: 2 of 3 launches; sums of all are scaled",
                          said)
            said = confirm("--launches=all")
            self.assertIn("over 768 requests: confirmed", said)
            self.assertNotIn("counted:", said)
            said = confirm("--launches=all",
                           FAKE_GPUS="NVIDIA H200:90,NVIDIA H200:90")
            self.assertIn("over 1536 requests: confirmed", said)
            self.assertIn("on 2 x NVIDIA H200", said)
            said = confirm(
                FAKE_CUPTI_FAIL=f"cuptiSassMetricsEnable={PRIVILEGES}")
            self.assertIn("problem: counters are not available:", said)
            self.assertIn("NVreg_RestrictProfilingToAdminUsers=0", said)
            self.assertIn("there were no counters", said)
            self.assertIn("occupancy: 1 confirmed", said)
            self.assertIn("2.0 us a launch (2.0 to 2.0)", said)
            said = confirm(FAKE_CUPTI_FAIL=f"cuptiSubscribe={SUBSCRIBERS}")
            self.assertIn("another profiler is active", said)
            self.assertNotIn("launched no kernel", said)


class Hotspots(ProbeTest):
    """confirm without predictions."""

    def confirm(self, code, *options, **settings):
        with tempfile.TemporaryDirectory() as folder:
            # The program ends with 7, after which it is not run again.
            done = subprocess.run(
                [CONFIRM, "--probe", PROBE, "--cupti", CUPTI, *options, "-o",
                 "r.txt", "--", "sh", "-c", '"$0"; true', PROGRAM],
                cwd=folder, env=dict(os.environ, **settings),
                capture_output=True, timeout=60, check=False)
            self.assertEqual((code, b""), (done.returncode, done.stderr))
            return " ".join((Path(folder) / "r.txt").read_text().split())

    def test_two_runs(self):
        said = self.confirm(0)
        # Three launches of 2 us; 768 requests of 4 and of 8 sectors.
        self.assertIn("1 kernel, 3 launches, 6 us of GPU time in them; 2 "
                      "counted, the rest scaled by threads", said)
        self.assertIn("L1: 9216 sectors, 9 ns at its peak: busy at least 0.1 % "
                      "of the time", said)
        self.assertIn("global store: 8.0 sectors per request, ideal 4.0; "
                      "wastes 3072 sectors, 33.3 % of those of its kernel",
                      said)

    def test_no_counters_need_no_permission(self):
        denied = f"cuptiSassMetricsEnable={PRIVILEGES}"
        said = self.confirm(3, FAKE_CUPTI_FAIL=denied)
        self.assertIn("6 us of GPU time in them; 0 counted", said)
        self.assertIn("problem: counters are not available:", said)
        said = self.confirm(0, "--no-counters", FAKE_CUPTI_FAIL=denied)
        self.assertIn("6 us in 3 launches", said)
        self.assertNotIn("problem", said)

    def test_a_run_for_stalls(self):
        said = self.confirm(0, "--stalls")
        self.assertIn("54 samples, one in 1024 cycles of an SM; 3 in kernels "
                      "of the driver", said)
        # 12 of wait and 30 of long_scoreboard; 3 and 27 where nothing issued.
        self.assertIn("51 samples of its warps: 82.4 % did not issue; in "
                      "58.8 % the scheduler issued nothing at all", said)
        self.assertIn("58.8 % long_scoreboard: waits for a scoreboard", said)
        self.assertIn("/build/stride.cu:4: 64.7 % of the samples: 90.9 % "
                      "long_scoreboard", said)
        self.assertIn("/build/stride.cu:3: 35.3 % of the samples: 66.7 % wait",
                      said)
        # The counts and the times are those of the other runs.
        self.assertIn("3 launches, 6 us of GPU time in them; 2 counted", said)
        said = self.confirm(3, "--stalls", FAKE_CUPTI_FAIL=(
            f"cuptiPCSamplingEnable={PRIVILEGES}"))
        self.assertIn("problem: stall reasons of GPU 0 are not available:",
                      said)
        self.assertIn("NVreg_RestrictProfilingToAdminUsers=0", said)
        self.assertIn("wastes 3072 sectors", said)
        self.assertNotIn("samples of its warps", said)

    def test_one_run(self):
        said = self.confirm(0, "--once", "--launches=all")
        self.assertIn("3 launches, times not known", said)
        self.assertIn("wastes 3072 sectors", said)


if __name__ == "__main__":
    fake_probe.ctest.main()
