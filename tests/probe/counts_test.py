#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the probe measures: see fake_probe.py."""

import concurrent.futures
import os

import fake_probe
from fake_probe import BYTES, KERNEL, REQUESTS, ProbeTest

RANGES = os.environ["FAKE_RANGES"]


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

    def test_graphs_that_the_program_uploads(self):
        # CUPTI's patched code does not get into them.
        for mode in ("graphs-uploaded", "graphs-uploaded-at-once"):
            for launches in ("few", "2", "all"):
                run = self.unchanged(mode, CUDA_LINT_PROBE_LAUNCHES=launches)
                self.assertEqual((7, {"graph-not-measured"}),
                                 (run.status, run.problems()))
                kernel, = self.one(run)["kernels"]
                self.assertEqual((3, 0, "graph"),
                                 (kernel["launches"],
                                  kernel["measured_launches"],
                                  kernel["uncounted"]))

    def test_no_graph_is_made_or_launched_while_another_launch_is_counted(self):
        # The fake CUPTI ends the program with 92 otherwise, and with 91 where a
        # capture is disturbed.
        for launches in ("few", "2"):
            run = self.unchanged("graphs-beside",
                                 CUDA_LINT_PROBE_LAUNCHES=launches)
            self.assertEqual((7, {"graph-not-measured"}),
                             (run.status, run.problems()))
            kernels = {k["kernel"]: k for k in self.one(run)["kernels"]}
            self.assertEqual(1, kernels[KERNEL]["measured_launches"])
            self.assertLess(0, kernels["_Z4hugePf"]["measured_launches"])

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

    def l2(self, profile):
        shape, = profile["launches"]
        return shape["l2_sectors"], shape["l2_peak_share"]

    def test_what_l2_does(self):
        run = self.whole()
        self.assertEqual(set(), run.problems())
        self.assertEqual((3 * 64, 0.25), self.l2(self.one(run)))

    def test_where_it_does_not_fit_only_l2_is_lost(self):
        # Occupancy, bytes of DRAM, sectors of L2, their share: so many fit.
        for most, l2 in (("3", (192, None)), ("2", (None, None))):
            run = self.whole(FAKE_MOST_METRICS=most)
            self.assertEqual({"l2-not-measured"}, run.problems())
            profile = self.one(run)
            self.assertEqual([(3, 3, 0.5, 3000)], self.figures(profile))
            self.assertEqual(l2, self.l2(profile))
            problem, = profile["problems"]
            self.assertEqual("note", problem["severity"])

    def test_metrics_that_the_gpu_does_not_have(self):
        for lacks, dram, l2 in (("lts__", 3000, (None, None)),
                                ("pct_of_peak_sustained_elapsed", 3000,
                                 (192, None)),
                                ("dram__bytes.sum", 3000, (192, 0.25)),
                                ("dram__", None, (192, 0.25))):
            run = self.whole(FAKE_NO_METRIC=lacks)
            profile = self.one(run)
            self.assertEqual([(3, 3, 0.5, dram)], self.figures(profile))
            self.assertEqual(l2, self.l2(profile))
            self.assertEqual({"l2-not-measured"} if None in l2 else set(),
                             run.problems())

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


class Clusters(ProbeTest):
    def test_blocks_are_those_of_the_clusters(self):
        for settings, blocks, cluster in (({}, 16, None),
                                          ({"FAKE_CLUSTER": "4"}, 1, 4),
                                          ({"FAKE_CLUSTER": "10"}, 3, 10)):
            profile = self.one(self.unchanged(**settings))
            # 30 clusters on 132 SMs.
            self.assertEqual({(blocks, cluster)},
                             {(x["blocks_per_sm"], x["cluster_blocks"])
                              for x in profile["launches"]})


class Units(ProbeTest):
    """What units of the hardware did in launches, a few units in a run."""

    ALL = [[("global", "load", 100), ("global", "store", 200)],
           [("global", "atomic", 30), ("global", "reduction", 3)],
           [("local", "load", 40), ("local", "store", 50)],
           [("shared", "load", 60), ("shared", "store", 70)],
           [("shared", "atomic", 80)]]

    def part(self, number, **settings):
        run = self.unchanged(cupti=RANGES, CUDA_LINT_PROBE_COLLECT="units",
                             CUDA_LINT_PROBE_PART=str(number), **settings)
        profile = self.one(run) if run.profiles else None
        return run, profile

    def units(self, profile):
        """Of each launch of the only shape; all were measured."""
        only, = profile["launches"]
        for unit in only["units"]:
            self.assertEqual(only["count"], unit["launches"])
        # It is no achieved occupancy.
        self.assertEqual((0, None), (only["range_launches"],
                                     only["achieved_occupancy"]))
        return [(u["space"], u["op"], u["amount"] / u["launches"])
                for u in only["units"]]

    def test_each_run_counts_what_fits(self):
        for number, units in enumerate(self.ALL):
            run, profile = self.part(number)
            self.assertEqual(set(), run.problems())
            self.assertEqual("units", profile["collect"])
            self.assertEqual(len(self.ALL), profile["unit_parts"])
            self.assertEqual(units, self.units(profile))

    def test_a_unit_that_the_gpu_does_not_count(self):
        # The others make other pairs.
        run, profile = self.part(1, FAKE_NO_METRIC="global_op_st")
        self.assertEqual(set(), run.problems())
        self.assertEqual(5, profile["unit_parts"])
        self.assertEqual(self.ALL[1], self.units(profile))
        run, _ = self.part(0, FAKE_NO_METRIC="l1tex")
        self.assertEqual(1, len(run.problems()))
        self.assertIn("what hardware units did cannot be had",
                      run.message(*run.problems()))

    def test_no_such_part(self):
        run, _ = self.part(9)
        self.assertEqual(1, len(run.problems()))


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
        def run(overhead):
            return self.few("huge", CUDA_LINT_PROBE_OVERHEAD=overhead)

        # They sleep most of the time.
        cases = {"0": 1, "30": 1, "5000": 3}
        with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
            runs = list(pool.map(run, cases))
        for run, counted in zip(runs, cases.values()):
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

    WAITER = "_Z6waiterPVi"
    GPUS = "NVIDIA H200:90,NVIDIA H200:90"

    def test_a_kernel_that_ends_while_the_program_launches_on(self):
        # It looks like one that waits, and nobody but the probe sees its end.
        for launches in ("few", "2"):
            run = self.unchanged("ahead", CUDA_LINT_PROBE_LAUNCHES=launches)
            kernel = self.kernels(self.one(run))[self.WAITER]
            self.assertEqual((12, None),
                             (kernel["launches"], kernel["uncounted"]))
            self.assertLessEqual(2, kernel["measured_launches"])

    def test_a_kernel_that_waits_for_another_gpu(self):
        # Where the next launch is, nothing runs: that says nothing of it. That
        # one is not counted, for which the made-up CUPTI waits for both GPUs.
        for launches in ("few", "5"):
            run = self.unchanged("waiters-apart", FAKE_GPUS=self.GPUS,
                                 CUDA_LINT_PROBE_KERNEL="waiter",
                                 CUDA_LINT_PROBE_LAUNCHES=launches)
            kernel = self.kernels(self.one(run))[self.WAITER]
            self.assertEqual((6, 0, "waits"), (
                kernel["launches"], kernel["measured_launches"],
                kernel["uncounted"]))

    def test_threads(self):
        # Each launch that is called counted has its counts, and no other has.
        for launches in ("few", "5"):
            # A share of the time is less on a machine that is busy: all of it.
            run = self.unchanged("threads", CUDA_LINT_PROBE_LAUNCHES=launches,
                                 CUDA_LINT_PROBE_OVERHEAD="1000000")
            self.assertEqual(set(), run.problems())
            profile = self.one(run)
            kernel, = profile["kernels"]
            self.assertEqual(2000, kernel["launches"])
            # What is due while another thread's launch is counted passes by:
            # how many do, the scheduler says.
            counted = kernel["measured_launches"]
            self.assertLessEqual(1, counted)
            self.assertLess(counted, 1000)
            self.assertEqual({counted * REQUESTS},
                             {x["requests"] for x in profile["lines"]})

    def test_wrong_settings_are_named(self):
        for value in ("-1", "x", "1e9"):
            run = self.few(CUDA_LINT_PROBE_OVERHEAD=value)
            self.assertIn("not a number of per cent",
                          run.message("bad-setting"))


if __name__ == "__main__":
    fake_probe.ctest.main()
