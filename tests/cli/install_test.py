#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `cmake --install` puts somewhere works there: the parts of the program
find each other. CUDA_LINT_BUILD is the build folder."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest


class Install(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.prefix = Path(self.folder.name)
        self.build = Path(os.environ["CUDA_LINT_BUILD"])
        done = subprocess.run(
            ["cmake", "--install", self.build, "--prefix", self.prefix],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def cuda_lint(self, *arguments):
        done = subprocess.run([self.prefix / "bin/cuda-lint", *arguments],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_parts_find_each_other(self):
        self.assertIn("blocks", self.cuda_lint(
            "occupancy", "--gpu=h200", "--registers=32", "--block=256"))
        self.assertIn("--predictions", self.cuda_lint("confirm", "--help"))
        if (self.build / "bin/cuda-lint-check").exists():
            self.assertIn("shared-bank-conflict", self.cuda_lint("list-checks"))

    def test_the_probe_is_where_it_is_looked_for(self):
        library = "lib/libcuda-lint-probe.so"
        if not (self.build / library).exists():
            self.skipTest("the probe was not built: no headers of CUPTI")
        self.assertTrue((self.prefix / library).exists())


if __name__ == "__main__":
    ctest.main()
