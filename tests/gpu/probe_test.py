#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ProbeProgram with and without the probe, in all its modes.

A run under the probe must end like the plain one: same status, same output.
The counts that are expected follow from the program: 64 blocks of 4 warps, so
256 requests of each access that all threads make.

    probe_test.py --library libcuda-lint-probe.so --nvcc nvcc --folder BUILD
    probe_test.py --library ... --folder BUILD     with programs built before

Ends with 77 where there is no GPU.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import probed_programs
from probed_programs import (OPTIONS, ProbedTest, Run, compiled, gpus,
                             kernel, marked_line, program, sums, sums_of,
                             wait_for)

REQUESTS = 64 * 4
STRIDE, SPACES, DIVERGE = "_Z6stridePKfPf", "_Z6spacesPKfPfPj", "_Z7divergePf"

# How the program is built.
BUILDS = {"lines": ["-arch=native", "-lineinfo"],
          "no-lines": ["-arch=native"],
          "compressed": ["-arch=native", "-lineinfo", "-Xfatbin",
                         "-compress-all"],
          # Compiled by the driver when it is loaded.
          "ptx": ["-gencode", "arch=compute_75,code=compute_75",
                  "-lineinfo"]}


def build():
    wait_for([compiled(name, ["ProbeProgram.cu"], *options, "-lnvrtc",
                       "-lcuda", "-ldl")
              for name, options in BUILDS.items()]
             + [compiled("two-files", ["TwoFiles.cu", "TwoFilesOther.cu"],
                         "-arch=native", "-lineinfo")])
    subprocess.run(["strip", "--strip-all", program("compressed")],
                   check=True)


class ProbeTest(ProbedTest):
    maxDiff = None

    def check_stride(self, profile, launches, device=0):
        """The kernel whose counts are known, in \\p launches launches."""
        found = next(k for k in profile["kernels"]
                     if (k["kernel"], k["device"]) == (STRIDE, device))
        self.assertEqual(found["launches"], launches)
        self.assertEqual(found["measured_launches"], launches)
        expected = {(marked_line("ideal: 4 sectors"), "load"): 4,
                    (marked_line("8 sectors per request"), "store"): 8}
        accesses = [x for x in profile["lines"]
                    if (x["kernel"], x["device"]) == (STRIDE, device)]
        self.assertEqual({(x["line"], x["op"]) for x in accesses},
                         set(expected))
        requests = REQUESTS * launches
        for access in accesses:
            each = expected[access["line"], access["op"]]
            self.assertTrue(access["file"].endswith("ProbeProgram.cu"))
            self.assertEqual(
                access,
                access | {"space": "global", "instructions": requests,
                          "requests": requests, "lanes": 32 * requests,
                          "sectors": each * requests,
                          "ideal_sectors": 4 * requests,
                          "wavefronts": None, "ideal_wavefronts": None})

    # How a program can end.

    def test_ends_that_are_seen(self):
        for mode, end in [("exit", "exit"), ("quiet", "exit"),
                          ("quick", "exit"), ("abort", "signal"),
                          ("throw", "signal"), ("terminate", "signal"),
                          ("interrupt", "signal"), ("crash", "signal")]:
            with self.subTest(mode):
                run = self.unchanged(mode, 3)
                self.check_stride(self.one_profile(run, end), 3)
                self.assertEqual(run.problems(), set())

    def test_ends_that_are_not_seen_leave_a_snapshot(self):
        for mode in ("kill", "_exit", "handled"):
            with self.subTest(mode):
                run = self.unchanged(mode, 3)
                self.check_stride(self.one_profile(run, "killed"), 3)

    def test_without_cuda_nothing_is_written(self):
        self.assertEqual(self.unchanged("none").profiles, [])

    def test_a_kernel_that_never_ends(self):
        run = Run("hang", terminate=2)
        self.assertEqual(run.status, -signal.SIGTERM)
        self.assertLess(run.seconds, 20)
        self.one_profile(run, "signal")
        self.assertIn("unfinished", run.problems())

    # How a program can launch.

    def test_threads_streams_and_workers(self):
        for mode, runs in [("threads", 4), ("streams", 2), ("workers", 2)]:
            with self.subTest(mode):
                run = self.unchanged(mode, 5)
                self.check_stride(self.one_profile(run, "exit"), 5 * runs)

    def test_many_launches_of_four_threads(self):
        run = self.unchanged("threads", 2000)
        self.check_stride(self.one_profile(run, "exit"), 8000)

    def test_graph(self):
        # Two launches of each kernel in a graph that is launched five times.
        run = self.unchanged("graph", 5)
        self.check_stride(self.one_profile(run, "exit"), 10)

    def test_reset_and_contexts(self):
        for mode in ("reset", "contexts"):
            with self.subTest(mode):
                run = self.unchanged(mode, 5)
                self.check_stride(self.one_profile(run, "exit"), 10)

    def test_all_gpus(self):
        # One after the other, and the first once more.
        profile = self.one_profile(self.unchanged("gpus", 5), "exit")
        self.assertEqual(len(profile["devices"]), gpus())
        for device in range(gpus()):
            self.check_stride(profile, 5 if device else 10, device)
        profile = self.one_profile(self.unchanged("gpus-at-once", 50), "exit")
        for device in range(gpus()):
            self.check_stride(profile, 50, device)
        run = self.unchanged("gpus", 5, CUDA_LINT_PROBE_COLLECT="occupancy")
        for shape in self.one_profile(run, "exit")["launches"]:
            self.assertGreater(shape["achieved_occupancy"], 0)

    def test_compressed_and_stripped(self):
        run = self.unchanged("exit", 3, build="compressed")
        self.check_stride(self.one_profile(run, "exit"), 3)

    def test_code_that_the_driver_compiles(self):
        profile = self.one_profile(self.unchanged("exit", 3, build="ptx"),
                                   "exit")
        self.check_stride(profile, 3)

    def test_a_program_that_takes_records_itself(self):
        # While CUPTI counts, it refuses them.
        run = self.unchanged("records", 3)
        self.assertEqual(run.err, b"refused, without records\n")
        self.check_stride(self.one_profile(run, "exit"), 3)
        run = self.unchanged("records", 3, CUDA_LINT_PROBE_COLLECT="time")
        self.assertEqual(run.err, b"accepted, with records\n")
        self.assertEqual(run.problems(), {"times-lost"})

    def test_module_that_is_loaded_and_unloaded(self):
        run = self.unchanged("module", 5)
        profile = self.one_profile(run, "exit")
        self.assertEqual(kernel(profile, "loaded")["launches"], 15)
        # `Out[I] += 2.0f` is a load and a store, three times five launches.
        self.assertEqual(sums(profile, "loaded", "requests"),
                         2 * REQUESTS * 15)
        self.assertEqual({line["line"] for line in profile["lines"]}, {3})

    def test_fork_and_exec(self):
        run = self.unchanged("fork", 5)
        self.assertEqual(len(run.profiles), 3)  # child, parent, executed
        launches = sorted(kernel(p, STRIDE)["launches"] for p in run.profiles)
        self.assertEqual(launches, [1, 5, 5])
        self.assertEqual(len({p["process"]["pid"] for p in run.profiles}), 3)

    # What is measured.

    def test_every_space_and_operation(self):
        profile = self.one_profile(self.unchanged("exit", 1), "exit")
        found = {(x["space"], x["op"]): x for x in profile["lines"]
                 if x["kernel"] == SPACES}
        for space, op in [("global", "load"), ("global", "store"),
                          ("global", "atomic"), ("shared", "load"),
                          ("shared", "store"), ("shared", "atomic"),
                          ("local", "load"), ("local", "store"),
                          ("generic", "load")]:
            self.assertIn((space, op), found)
        # Three: with an unused result, of floats, and with its result.
        self.assertEqual(sums_of(profile, SPACES, "global", "atomic"),
                         3 * REQUESTS)
        few = next(x for x in profile["lines"]
                   if x["line"] == marked_line("few active lanes"))
        # Five lanes of one warp store; the other warps are predicated off.
        self.assertEqual((few["requests"], few["lanes"], few["sectors"]),
                         (1, 5, 1))
        conflict = next(x for x in profile["lines"] if x["op"] == "store"
                        and x["line"] == marked_line("32 wavefronts"))
        self.assertEqual(conflict["wavefronts"], 32 * REQUESTS)
        self.assertEqual(conflict["ideal_wavefronts"], REQUESTS)

    def test_launch_shapes(self):
        profile = self.one_profile(self.unchanged("exit", 3), "exit")
        shape = next(x for x in profile["launches"] if x["kernel"] == SPACES)
        self.assertEqual((shape["grid"], shape["block"], shape["count"]),
                         ([64, 1, 1], [128, 1, 1], 3))
        # 32 * 33 floats, 32 counters and 128 floats.
        self.assertEqual(shape["static_shared_bytes"],
                         4 * (32 * 33 + 32 + 128))
        self.assertEqual(shape["local_bytes"], 128)
        self.assertGreaterEqual(shape["registers"], 16)
        self.assertGreaterEqual(shape["blocks_per_sm"], 8)
        self.assertIsNone(shape["duration_ns"])

    def test_divergent_branches(self):
        profile = self.one_profile(self.unchanged("exit", 3), "exit")
        parted = [b for b in profile["branches"] if b["kernel"] == DIVERGE]
        self.assertTrue(parted)
        self.assertGreater(parted[0]["threads_divergent"], 0)

    def test_without_line_information(self):
        with_lines = self.one_profile(Run("exit", 3), "exit")
        run = self.unchanged("exit", 3, build="no-lines")
        profile = self.one_profile(run, "exit")
        self.assertIs(kernel(profile, STRIDE)["has_lines"], False)
        self.assertEqual({x["file"] for x in profile["lines"]}, {None})
        for figure in ("instructions", "sectors", "wavefronts"):
            self.assertEqual(sums(profile, SPACES, figure),
                             sums(with_lines, SPACES, figure))

    def test_times(self):
        for mode, launches in [("exit", 3), ("graph", 6)]:
            with self.subTest(mode):
                run = self.unchanged(mode, 3, CUDA_LINT_PROBE_COLLECT="time")
                profile = self.one_profile(run, "exit")
                self.assertEqual(profile["counters"], "none")
                self.assertEqual(len(profile["launches"]), 3)
                for shape in profile["launches"]:
                    times = shape["duration_ns"]
                    self.assertEqual(shape["count"], launches)
                    self.assertEqual(len(times["samples"]), launches)
                    self.assertLessEqual(times["min"], times["median"])
                    self.assertLessEqual(times["median"], times["max"])
                    # A kernel takes from half a microsecond to a millisecond.
                    self.assertGreater(times["min"], 500)
                    self.assertLess(times["median"], 1_000_000)

    def test_occupancy(self):
        # One block of four warps on each of some of the multiprocessors, which
        # hold 32 to 64 warps each.
        for mode, launches, measured in [("exit", 3, 3), ("streams", 6, 6),
                                         ("threads", 12, 12),
                                         ("contexts", 6, 6), ("many", 90, 32),
                                         ("reset", 6, 6)]:
            with self.subTest(mode):
                run = self.unchanged(mode, 90 if mode == "many" else 3,
                                     CUDA_LINT_PROBE_COLLECT="occupancy")
                self.assertEqual(run.problems(), set())
                profile = self.one_profile(run, "exit")
                self.assertEqual(profile["collect"], "occupancy")
                self.assertEqual(profile["lines"], [])
                for shape in profile["launches"]:
                    self.assertEqual(shape["count"], launches)
                    self.assertEqual(shape["range_launches"], measured)
                    self.assertGreater(shape["achieved_occupancy"], 0.8 * 4 / 64)
                    self.assertLessEqual(shape["achieved_occupancy"], 4 / 32)
                    self.assertIsInstance(shape["dram_bytes"], int)

    def test_occupancy_of_a_graph_is_not_measured(self):
        run = self.unchanged("graph", 3, CUDA_LINT_PROBE_COLLECT="occupancy")
        profile = self.one_profile(run, "exit")
        self.assertEqual(run.problems(), {"graph-not-measured"})
        for shape in profile["launches"]:
            self.assertIsNone(shape["achieved_occupancy"])
            self.assertEqual(shape["count"], 6)

    def test_choice_of_launches(self):
        for mode, launches in [("exit", 5), ("threads", 20)]:
            with self.subTest(mode):
                run = self.unchanged(mode, 5, CUDA_LINT_PROBE_LAUNCHES="2")
                profile = self.one_profile(run, "exit")
                for name in (STRIDE, SPACES, DIVERGE):
                    found = kernel(profile, name)
                    self.assertEqual(found["launches"], launches)
                    # Those of other threads meanwhile are counted, too.
                    self.assertGreaterEqual(found["measured_launches"], 2)
                    if mode == "exit":
                        self.assertEqual(found["measured_launches"], 2)
                self.assertEqual(
                    sums(profile, STRIDE, "requests"),
                    kernel(profile, STRIDE)["measured_launches"] * 2 * REQUESTS)

    def test_a_few_launches(self):
        # Of contexts that come and go and of several threads, too: each launch
        # that is counted has the counts of one.
        for mode, count in [("exit", 40), ("threads", 50), ("contexts", 20),
                            ("reset", 40), ("streams", 20), ("module", 3),
                            ("workers", 5)]:
            with self.subTest(mode):
                run = self.unchanged(mode, count, CUDA_LINT_PROBE_LAUNCHES="")
                profile = self.one_profile(run, "exit")
                self.assertEqual(run.problems(), set())
                if mode == "module":
                    continue
                found = kernel(profile, STRIDE)
                self.assertLess(0, found["measured_launches"])
                self.assertLess(found["measured_launches"], found["launches"])
                self.assertEqual(
                    sums(profile, STRIDE, "requests"),
                    found["measured_launches"] * 2 * REQUESTS)

    def test_choice_of_kernels(self):
        run = self.unchanged("exit", 5, CUDA_LINT_PROBE_KERNEL="^stride\\(")
        profile = self.one_profile(run, "exit")
        self.check_stride(profile, 5)
        self.assertEqual(kernel(profile, SPACES)["measured_launches"], 0)
        self.assertEqual({x["kernel"] for x in profile["lines"]}, {STRIDE})

    def test_graph_with_a_choice_says_that_it_is_not_measured(self):
        run = self.unchanged("graph", 5, CUDA_LINT_PROBE_LAUNCHES="2")
        profile = self.one_profile(run, "exit")
        self.assertEqual(kernel(profile, STRIDE)["measured_launches"], 0)
        self.assertIn("graph-not-measured", run.problems())

    def test_without_cupti_the_program_runs(self):
        run = self.unchanged("exit", 1, CUDA_LINT_CUPTI="/nonexistent")
        self.assertEqual(self.one_profile(run, "exit")["counters"], "none")
        self.assertEqual(run.problems(), {"no-cupti"})
        self.assertEqual(run.err, b"")

    def test_a_folder_that_cannot_be_written_is_one_line(self):
        plain = Run("exit", 1, probe=False)
        with tempfile.NamedTemporaryFile() as file:
            environment = dict(os.environ, CUDA_LINT_PROBE_DIR=file.name,
                               CUDA_INJECTION64_PATH=OPTIONS.library)
            done = subprocess.run([program("lines"), "exit", "1"], env=environment,
                                  capture_output=True)
        self.assertEqual((done.returncode, done.stdout),
                         (plain.status, plain.out))
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"cuda-lint probe: cannot write", done.stderr)

    def test_static_kernels_of_two_files_are_told_apart(self):
        # One block of 8 warps each: every fourth and every eighth float.
        for _ in range(5):
            run = self.unchanged(build="two-files")
            self.assertEqual(run.problems(), set())
            self.assertEqual(run.status, 0)
            loads = {Path(x["file"]).name: (x["sectors"], x["requests"])
                     for x in self.one_profile(run, "exit")["lines"]
                     if x["op"] == "load"}
            self.assertEqual({"TwoFiles.cu": (16 * 8, 8),
                              "TwoFilesOther.cu": (32 * 8, 8)}, loads)

    def test_a_thousand_launches_cost_little(self):
        plain = min(Run("many", 1000, probe=False).seconds for _ in range(3))
        probed = min(Run("many", 1000).seconds for _ in range(3))
        self.assertLess(probed, 1.5 * plain + 1)


if __name__ == "__main__":
    sys.exit(probed_programs.main(build))
