#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs GraphProgram with and without the probe, in all its modes: see
probe_program.py. It prints how often a kernel ran, by what that computed: under
a probe that counts at the wrong moment, kernels of graphs do not.
"""

import sys

import probe_program
from probe_program import (HERE, REQUESTS, STRIDE, ProgramTest, kernel, program,
                           sums)

BUILD = "graphs"
CHOICES = ("", "2")  # a few launches, as by default, and the first two


def build():
    probe_program.compile_all(
        [["-arch=native", "-lineinfo", str(HERE / "GraphProgram.cu"), "-o",
          program(BUILD)]])


class Graphs(ProgramTest):
    def counts(self, run):
        """Of the kernel: launches, those that were counted, and requests of
        two loads and a store each."""
        profile = self.one_profile(run, "exit")
        its = kernel(profile, STRIDE)
        return (its["launches"], its["measured_launches"],
                sums(profile, STRIDE, "requests") / 3 / REQUESTS)

    def test_all_launches(self):
        for mode, launches in (("replay", 20), ("anew", 20), ("child", 40),
                               ("turns", 90), ("updated", 63)):
            with self.subTest(mode):
                run = self.unchanged(mode, 10, build=BUILD)
                self.assertEqual(set(), run.problems())
                self.assertEqual((launches,) * 3, self.counts(run))

    def test_a_few_launches_are_none_of_graphs(self):
        for mode, launches in (("replay", 20), ("anew", 20), ("child", 40)):
            for choice in CHOICES:
                with self.subTest(mode, choice=choice):
                    run = self.unchanged(mode, 10, build=BUILD,
                                         CUDA_LINT_PROBE_LAUNCHES=choice)
                    self.assertEqual({"graph-not-measured"}, run.problems())
                    self.assertEqual((launches, 0, 0), self.counts(run))

    def test_a_few_launches_beside_those_of_graphs(self):
        for mode, launches in (("turns", 90), ("updated", 63)):
            for choice in CHOICES:
                with self.subTest(mode, choice=choice):
                    run = self.unchanged(mode, 10, build=BUILD,
                                         CUDA_LINT_PROBE_LAUNCHES=choice)
                    self.assertEqual({"graph-not-measured"}, run.problems())
                    found, counted, sums_of = self.counts(run)
                    self.assertEqual(launches, found)
                    self.assertLess(0, counted)
                    self.assertEqual(counted, sums_of)

    def test_graphs_that_the_program_uploads_are_not_counted(self):
        for mode, directly in (("uploaded", 0), ("uploaded-at-once", 0),
                               ("launched-uploaded", 1)):
            for choice in ("all", *CHOICES):
                with self.subTest(mode, choice=choice):
                    run = self.unchanged(mode, 10, build=BUILD,
                                         CUDA_LINT_PROBE_LAUNCHES=choice)
                    self.assertEqual({"graph-not-measured"}, run.problems())
                    self.assertEqual((20 + directly, directly, directly),
                                     self.counts(run))

    def test_graphs_of_another_thread(self):
        for mode in ("replay-beside", "made-beside", "updated-beside"):
            for choice in ("all", *CHOICES):
                with self.subTest(mode, choice=choice):
                    run = self.unchanged(mode, 10, build=BUILD,
                                         CUDA_LINT_PROBE_LAUNCHES=choice)
                    launches, counted, sums_of = self.counts(run)
                    self.assertEqual(launches if choice == "all" else 0,
                                     counted)
                    self.assertEqual(counted, sums_of)


if __name__ == "__main__":
    sys.exit(probe_program.main(build))
