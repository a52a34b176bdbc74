#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The probe as a whole where no GPU is: a driver and a CUPTI that are made up
call it back as the real ones do, and fail as real ones fail elsewhere.

FakeProgram launches one kernel three times on each GPU: 64 blocks of 4 warps,
so 256 requests of each access; a load of 4 sectors and a store of 8.
"""

import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

PROBE = os.environ["CUDA_LINT_PROBE"]
CONFIRM = os.environ["CUDA_LINT_CONFIRM"]
CUPTI = os.environ["FAKE_CUPTI"]
RANGES = os.environ["FAKE_RANGES"]
DRIVER = os.environ["FAKE_DRIVER"]
PROGRAM = os.environ["FAKE_PROGRAM"]
KERNEL = "_Z6stridePKfPf"
REQUESTS = 64 * 4
BYTES = bytes(range(256))
# Of cupti_result.h.
(INVALID_DEVICE, HARDWARE_BUSY, NOT_SUPPORTED, PRIVILEGES, SUBSCRIBERS, MIG,
 CHIP) = 2, 26, 27, 35, 39, 43, 46


class Run:
    """One run of the program, with the profiles that it left."""

    def __init__(self, mode="", probe=True, cupti=CUPTI, profiles=None,
                 **settings):
        with tempfile.TemporaryDirectory() as folder:
            profiles = profiles or folder
            # Tests of sampling ask for a few.
            settings.setdefault("CUDA_LINT_PROBE_LAUNCHES", "all")
            environment = dict(os.environ, **settings)
            if settings["CUDA_LINT_PROBE_LAUNCHES"] == "few":
                del environment["CUDA_LINT_PROBE_LAUNCHES"]
            if probe:
                environment.update(CUDA_LINT_PROBE_DIR=profiles,
                                   CUDA_INJECTION64_PATH=PROBE,
                                   CUDA_LINT_CUPTI=cupti)
            work = Path(folder) / "work"
            work.mkdir()
            done = subprocess.run([PROGRAM, mode], env=environment, cwd=work,
                                  capture_output=True, timeout=60,
                                  check=False)
            self.status, self.out, self.err = (done.returncode, done.stdout,
                                               done.stderr)
            self.files = {f.name: f.read_bytes() for f in work.iterdir()}
            self.profiles = [json.loads(f.read_text())
                             for f in sorted(Path(folder).glob("*.json"))]

    def problems(self):
        return {p["kind"] for profile in self.profiles
                for p in profile["problems"]}

    def message(self, kind):
        return next(p["message"] for profile in self.profiles
                    for p in profile["problems"] if p["kind"] == kind)


class ProbeTest(unittest.TestCase):
    maxDiff = None

    def unchanged(self, mode="", **settings):
        """Runs twice; returns the run under the probe."""
        plain = Run(mode, probe=False, FAKE_GPUS=settings.get(
            "FAKE_GPUS", "NVIDIA H200:90"))
        run = Run(mode, **settings)
        self.assertEqual((plain.status, plain.out, plain.files),
                         (run.status, run.out, run.files))
        self.assertEqual((b"", b""), (plain.err, run.err))
        return run

    def check_counts(self, profile, launches, device=0):
        lines = [x for x in profile["lines"] if x["device"] == device]
        self.assertEqual({("load", 3), ("store", 4)},
                         {(x["op"], x["line"]) for x in lines})
        requests = REQUESTS * launches
        for line in lines:
            each = 4 if line["op"] == "load" else 8
            self.assertEqual(line, line | {
                "kernel": KERNEL, "file": "/build/stride.cu",
                "space": "global", "instructions": requests,
                "requests": requests, "lanes": 32 * requests,
                "sectors": each * requests, "ideal_sectors": 4 * requests,
                "wavefronts": None, "ideal_wavefronts": None})
        self.check_rows(profile, lines, device)

    def check_rows(self, profile, lines, device):
        """The rows of the instructions add up to the lines."""
        sums = collections.Counter()
        for function in profile["code"]:
            if function["device"] != device:
                continue
            for row in function["instructions"]:
                place = (function["kernel"], profile["files"][row["file"]],
                         row["line"], row["space"], row["op"])
                for what in ("requests", "lanes", "sectors", "ideal_sectors"):
                    if row[what] is not None:
                        sums[*place, what] += row[what]
        for line in lines:
            for what in ("requests", "lanes", "sectors", "ideal_sectors"):
                self.assertEqual(line[what], sums[
                    line["kernel"], line["file"], line["line"], line["space"],
                    line["op"], what])

    def one(self, run, end="exit"):
        self.assertEqual([end], [p["process"]["end"] for p in run.profiles])
        done = tools.validate("cuda-lint-profile-1.schema.json",
                              json.dumps(run.profiles[0]), "--strict")
        if done is None:
            ctest.cannot_test(tools.NO_VALIDATOR)
        else:
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return run.profiles[0]


class Counts(ProbeTest):
    def test_one_gpu(self):
        run = self.unchanged()
        self.assertEqual((7, BYTES, set()),
                         (run.status, run.out, run.problems()))
        profile = self.one(run)
        self.check_counts(profile, 3)
        function, = profile["code"]
        self.assertFalse(function["calls_others"])
        # LDG.U8 and STG.U8: the made-up code has no other bits.
        self.assertEqual(
            [(0, "LDG", 1, 3), (16, "STG", 1, 4)],
            [(x["offset"], x["opcode"], x["bytes"], x["line"])
             for x in function["instructions"]])
        shape, = profile["launches"]
        self.assertEqual(shape, shape | {
            "grid": [64, 1, 1], "block": [128, 1, 1], "registers": 18,
            "blocks_per_sm": 16, "count": 3, "duration_ns": None})

    def test_two_gpus(self):
        profile = self.one(self.unchanged(
            FAKE_GPUS="NVIDIA H200:90,NVIDIA H200:90"))
        self.assertEqual([0, 1], [d["index"] for d in profile["devices"]])
        self.assertEqual([(0, 3, 3), (1, 3, 3)], [
            (k["device"], k["launches"], k["measured_launches"])
            for k in profile["kernels"]])
        for device in (0, 1):
            self.check_counts(profile, 3, device)

    def test_modules_that_cupti_cannot_tell_apart(self):
        # Two files with a static kernel of one name and CUPTI's number; the
        # second has twice the sectors.
        run = self.unchanged(FAKE_MODULES="2")
        self.assertEqual(set(), run.problems())
        self.assertEqual(
            {("/build/stride.cu", 3): 4 * 3 * REQUESTS,
             ("/build/stride.cu", 4): 8 * 3 * REQUESTS,
             ("/build/1tride.cu", 3): 8 * 3 * REQUESTS,
             ("/build/1tride.cu", 4): 16 * 3 * REQUESTS},
            {(x["file"], x["line"]): x["sectors"]
             for x in self.one(run)["lines"]})

    def test_a_cupti_that_asks_nobody(self):
        fail = "cuptiRegisterComputeCrcCallback=27"
        run = self.unchanged(FAKE_CUPTI_FAIL=fail)
        self.assertEqual(set(), run.problems())
        self.check_counts(self.one(run), 3)
        # It could be either, and no line gets what belongs to another.
        run = self.unchanged(FAKE_CUPTI_FAIL=fail, FAKE_MODULES="2")
        self.assertEqual({"code-not-found"}, run.problems())
        profile = self.one(run)
        self.assertEqual(([], None), (profile["lines"],
                                      profile["kernels"][0]["has_lines"]))

    def test_threads(self):
        # Four threads launch 250 times in a context of their own, and the same
        # number of times in one that they share.
        run = self.unchanged("threads")
        self.check_counts(self.one(run), 2000)
        self.assertEqual(set(), run.problems())

    def test_times(self):
        profile = self.one(self.unchanged(CUDA_LINT_PROBE_COLLECT="time"))
        self.assertEqual("none", profile["counters"])
        shape, = profile["launches"]
        self.assertEqual({"min": 2000, "median": 2000, "max": 2000,
                          "samples": [2000] * 3}, shape["duration_ns"])

    def test_choice_of_launches(self):
        profile = self.one(self.unchanged(CUDA_LINT_PROBE_LAUNCHES="2"))
        kernel, = profile["kernels"]
        self.assertEqual((3, 2), (kernel["launches"],
                                  kernel["measured_launches"]))
        self.check_counts(profile, 2)
        # What another thread launches meanwhile may be counted, too.
        profile = self.one(self.unchanged("threads",
                                          CUDA_LINT_PROBE_LAUNCHES="5"))
        counted = profile["kernels"][0]["measured_launches"]
        self.assertLessEqual(5, counted)
        self.check_counts(profile, counted)

    def test_choice_of_kernels(self):
        profile = self.one(self.unchanged(CUDA_LINT_PROBE_KERNEL="other"))
        self.assertEqual([], profile["lines"])
        self.assertEqual(0, profile["kernels"][0]["measured_launches"])


    def test_graphs(self):
        # Two launches, and a graph of one more and of another kernel that runs
        # three times. What is captured is no launch; to ask about a stream
        # meanwhile would spoil it, and the program ends with 91.
        run = self.unchanged("graphs")
        self.assertEqual((7, set()), (run.status, run.problems()))
        profile = self.one(run)
        self.check_counts(profile, 5)
        self.assertEqual(
            {KERNEL: (5, 5), "_Z5graphPf": (3, 3)},
            {k["kernel"]: (k["launches"], k["measured_launches"])
             for k in profile["kernels"]})

    def test_graphs_where_few_launches_are_counted(self):
        for launches in ("few", "2"):
            run = self.unchanged("graphs", CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual((7, {"graph-not-measured"}),
                             (run.status, run.problems()))
            kernels = {k["kernel"]: k for k in self.one(run)["kernels"]}
            # Nor is the one that came while another stream was captured.
            self.assertEqual((5, 1), (kernels[KERNEL]["launches"],
                                      kernels[KERNEL]["measured_launches"]))
            self.assertEqual((3, "graph"), (kernels["_Z5graphPf"]["launches"],
                                            kernels["_Z5graphPf"]["uncounted"]))

    def test_code_and_contexts_that_go_and_come_again(self):
        # Counts go with them: they are read at the last moment.
        for mode in ("reload", "reset"):
            with self.subTest(mode):
                run = self.unchanged(mode)
                self.assertEqual(set(), run.problems())
                self.check_counts(self.one(run), 6)
                run = self.unchanged(mode, CUDA_LINT_PROBE_LAUNCHES="4")
                self.assertEqual(set(), run.problems())
                self.check_counts(self.one(run), 4)

    def test_launches_that_the_driver_refuses(self):
        for launches, counted in (("all", 3), ("2", 2)):
            run = self.unchanged("in-vain", CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual(set(), run.problems())
            profile = self.one(run)
            self.check_counts(profile, counted)
            kernel, = profile["kernels"]
            shape, = profile["launches"]
            self.assertEqual((3, counted, 3),
                             (kernel["launches"], kernel["measured_launches"],
                              shape["count"]))


class Occupancy(ProbeTest):
    """Launches that are measured as a whole, one by one."""

    def whole(self, mode="", **settings):
        return self.unchanged(mode, cupti=RANGES,
                              CUDA_LINT_PROBE_COLLECT="occupancy", **settings)

    def figures(self, profile):
        return [(x["count"], x["range_launches"], x["achieved_occupancy"],
                 x["dram_bytes"]) for x in profile["launches"]]

    def test_each_launch(self):
        run = self.whole(FAKE_GPUS="NVIDIA H200:90,NVIDIA H200:90")
        self.assertEqual(set(), run.problems())
        self.assertEqual([(3, 3, 0.5, 3000)] * 2, self.figures(self.one(run)))

    def test_of_many_the_first_of_each_shape(self):
        # 32 fit into a reading, and as many are measured of a shape.
        run = self.whole("many", CUDA_LINT_PROBE_LAUNCHES="few")
        self.assertEqual(set(), run.problems())
        self.assertEqual([(500, 32, 0.5, 32000)] * 2,
                         self.figures(self.one(run)))
        run = self.whole("many", CUDA_LINT_PROBE_LAUNCHES="40")
        self.assertEqual([(500, 40, 0.5, 40000), (500, 0, None, None)],
                         self.figures(self.one(run)))

    def test_threads(self):
        # The limit is exact, whoever launches.
        for launches, measured in (("5", 5), ("all", 32)):
            run = self.whole("threads", CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual(set(), run.problems())
            self.assertEqual([(2000, measured, 0.5, 1000 * measured)],
                             self.figures(self.one(run)))

    def test_graphs_and_captures(self):
        run = self.whole("graphs")
        self.assertEqual((7, {"graph-not-measured"}),
                         (run.status, run.problems()))
        self.assertEqual({1, 0}, {x["range_launches"]
                                  for x in self.one(run)["launches"]})

    def test_a_range_that_is_lost(self):
        run = self.whole(FAKE_RANGES_LOST="1")
        self.assertEqual({"occupancy-lost"}, run.problems())
        self.assertEqual([(3, 0, None, None)], self.figures(self.one(run)))


class Samples(ProbeTest):
    """A few launches of each kernel and shape, as much as that may cost."""

    def few(self, mode="", **settings):
        return self.unchanged(mode, CUDA_LINT_PROBE_LAUNCHES="few", **settings)

    def kernels(self, profile):
        return {k["kernel"]: k for k in profile["kernels"]}

    def test_few_are_counted_and_the_rest_is_known(self):
        run = self.few("many")
        self.assertEqual(set(), run.problems())
        profile = self.one(run)
        kernel = self.kernels(profile)[KERNEL]
        self.assertEqual(1000, kernel["launches"])
        # About as many as the logarithm of 500, of each shape.
        counted = kernel["measured_launches"]
        self.assertLessEqual(6, counted)
        self.assertLess(counted, 40)
        self.assertTrue(profile["sampled"])
        # The second shape has twice the blocks.
        self.assertEqual(500 * 64 * 128 + 500 * 128 * 128, kernel["threads"])
        self.assertLess(counted * 64 * 128, kernel["measured_threads"])
        self.assertEqual(
            [(64, 500), (128, 500)],
            sorted((x["grid"][0], x["count"]) for x in profile["launches"]
                   if x["kernel"] == KERNEL))
        # The cheap counts say the same of each launch; what they lack is null.
        for line in profile["lines"]:
            self.assertEqual(counted * REQUESTS, line["requests"])
            self.assertEqual(32 * counted * REQUESTS, line["lanes"])
            self.assertIsNone(line["instructions"])

    def test_what_it_may_cost(self):
        # A launch that is counted takes 1.1 s; the program takes 1 s by itself.
        # Half of what is allowed is for kernels that were never counted. The
        # numbers settle with launches 0, 2 and 4.
        for overhead, counted in (("0", 1), ("30", 1), ("5000", 3)):
            run = self.few("huge", CUDA_LINT_PROBE_OVERHEAD=overhead)
            huge = self.kernels(self.one(run))["_Z4hugePf"]
            self.assertEqual((10, counted), (huge["launches"],
                                             huge["measured_launches"]))

    def test_a_kernel_for_which_nothing_is_left_is_named(self):
        run = self.few("latecomer", CUDA_LINT_PROBE_OVERHEAD="0")
        kernels = self.kernels(self.one(run))
        self.assertEqual((1, None), (kernels["_Z4hugePf"]["measured_launches"],
                                     kernels["_Z4hugePf"]["uncounted"]))
        self.assertEqual((0, "overhead"), (kernels[KERNEL]["measured_launches"],
                                           kernels[KERNEL]["uncounted"]))

    def test_all(self):
        run = self.unchanged("many", CUDA_LINT_PROBE_LAUNCHES="all")
        profile = self.one(run)
        self.assertFalse(profile["sampled"])
        for kernel in profile["kernels"]:
            self.assertEqual(kernel["launches"], kernel["measured_launches"])

    def test_a_kernel_that_waits_for_another_thread(self):
        for launches in ("few", "2"):
            run = self.unchanged("waiter", CUDA_LINT_PROBE_LAUNCHES=launches)
            kernels = self.kernels(self.one(run))
            self.assertEqual((51, 1), (kernels[KERNEL]["launches"],
                                       kernels["_Z6waiterPVi"]["launches"]))
            self.assertEqual((0, "waits"),
                             (kernels["_Z6waiterPVi"]["measured_launches"],
                              kernels["_Z6waiterPVi"]["uncounted"]))
            self.assertLessEqual(1, kernels[KERNEL]["measured_launches"])

    def test_threads(self):
        # Each launch that is called counted has its counts, and no other has.
        for launches in ("few", "5"):
            run = self.unchanged("threads", CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual(set(), run.problems())
            profile = self.one(run)
            kernel, = profile["kernels"]
            self.assertEqual(2000, kernel["launches"])
            counted = kernel["measured_launches"]
            self.assertLessEqual(5, counted)
            self.assertLess(counted, 1000)
            self.assertEqual({counted * REQUESTS},
                             {x["requests"] for x in profile["lines"]})

    def test_wrong_settings_are_named(self):
        for value in ("-1", "x", "1e9"):
            run = self.few(CUDA_LINT_PROBE_OVERHEAD=value)
            self.assertIn("not a number of per cent",
                          run.message("bad-setting"))


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

    def test_one_run(self):
        said = self.confirm(0, "--once", "--launches=all")
        self.assertIn("3 launches, times not known", said)
        self.assertIn("wastes 3072 sectors", said)


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
    ctest.main()
