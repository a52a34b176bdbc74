#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
""".cuda-lint: what a project wants of the linter.

A class is a CTest test. CUDA_LINT names the program.
"""

import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

from cli_test import Cli

# A column of a tile, 32-way, and rows of global memory that are columns.
KERNEL = """__global__ void k(const float *A, float *B) {
  __shared__ float S[32][32];
  S[threadIdx.x][threadIdx.y] = A[threadIdx.x * 32 + threadIdx.y];
  __syncthreads();
  B[threadIdx.y * 32 + threadIdx.x] = S[threadIdx.x][threadIdx.y] + 1;
}
void run(float *A, float *B) { k<<<1024, dim3(32, 32)>>>(A, B); }
"""
BOTH = {"shared-bank-conflict", "global-uncoalesced"}


class Configuration(Cli):
    def found(self, *arguments, code=0):
        """Which checks found something in which file, with severities."""
        self.assert_code(code, self.lint("--ptxas=off", "--format=json",
                                         *arguments))
        return {(u["file"], f["check"], f["severity"])
                for u in json.loads(self.out)["units"] for f in u["findings"]}

    def checks(self, *arguments, **options):
        return {check for _, check, _ in self.found(*arguments, **options)}

    def setUp(self):
        super().setUp()
        (self.folder / "sub").mkdir()
        self.write("a.cu", KERNEL)
        self.write("sub/b.cu", KERNEL)

    def test_checks(self):
        self.assertEqual(BOTH, self.checks("a.cu"))
        self.write(".cuda-lint", "Checks: '-*,shared-*'")
        self.assertEqual({"shared-bank-conflict"}, self.checks("a.cu"))
        # The command line comes behind it.
        self.assertEqual(BOTH, self.checks("--checks=global-*", "a.cu"))
        self.assertEqual({"global-uncoalesced"},
                         self.checks("--checks=-*,global-*", "a.cu"))

    def test_each_file_has_its_own(self):
        self.write(".cuda-lint", "Checks: '-*,shared-*'")
        self.write("sub/.cuda-lint", "Checks: '-*,global-*'")
        self.assertEqual(
            {("a.cu", "shared-bank-conflict"),
             ("sub/b.cu", "global-uncoalesced")},
            {(file, check) for file, check, _ in
             self.found("a.cu", "sub/b.cu")})

    def test_severities_and_the_exit_code(self):
        self.write(".cuda-lint", "Severities: {shared-bank-conflict: error, "
                                 "global-*: off}")
        self.assertEqual({("a.cu", "shared-bank-conflict", "error")},
                         self.found("a.cu", code=1))
        self.write(".cuda-lint", "Severities: {shared-bank-conflict: note}\n"
                                 "Paths: [{Match: [sub/*], Severities: "
                                 "{shared-bank-conflict: error}}]")
        found = self.found("a.cu", "sub/b.cu", code=1)
        self.assertIn(("a.cu", "shared-bank-conflict", "note"), found)
        self.assertIn(("sub/b.cu", "shared-bank-conflict", "error"), found)

    def test_options_of_checks(self):
        self.write(".cuda-lint", "CheckOptions: "
                                 "{global-uncoalesced.LeastRatio: 8.5}\n")
        self.assertEqual({"shared-bank-conflict"}, self.checks("a.cu"))
        self.write(".cuda-lint", "Paths: [{Match: [sub/*], CheckOptions: "
                                 "{shared-bank-conflict.LeastRatio: 32}}]\n"
                                 "CheckOptions: "
                                 "{global-uncoalesced.LeastRatio: 8}\n")
        self.assertEqual(
            {("a.cu", "shared-bank-conflict"), ("a.cu", "global-uncoalesced"),
             ("sub/b.cu", "shared-bank-conflict"),
             ("sub/b.cu", "global-uncoalesced")},
            {(file, check) for file, check, _ in
             self.found("a.cu", "sub/b.cu")})
        self.write(".cuda-lint", "CheckOptions: "
                                 "{shared-bank-conflict.LeastRatio: 40}\n")
        self.assert_code(2, self.lint("a.cu"))
        self.assert_refused(".cuda-lint:1:49: error: '40' is no number from 1 "
                            "to 32")
        # The page of the check tells it.
        self.assert_code(0, self.run_program("explain",
                                             "shared-bank-conflict"))
        self.assertIn("- `shared-bank-conflict.LeastRatio`: wavefronts per "
                      "request", self.out)

    def test_fail_on(self):
        self.write(".cuda-lint", "FailOn: warning")
        self.found("a.cu", code=1)
        self.found("--fail-on=never", "a.cu", code=0)

    def test_targets(self):
        self.write(".cuda-lint", "Gpus: [sm_80, h200]")
        self.assert_code(0, self.lint("--ptxas=off", "--format=json", "a.cu"))
        self.assertEqual(["sm_80", "h200"],
                         [d["target"]["name"] for d in json.loads(self.out)])
        self.assert_code(0, self.lint("--ptxas=off", "--format=json",
                                      "--gpu=sm_90", "a.cu"))
        self.assertEqual("sm_90", json.loads(self.out)["target"]["name"])

    def test_min_occupancy(self):
        # 512 threads of 100 registers each: one block, a quarter of an SM.
        source = ("__global__ void k(float *A) { A[threadIdx.x] = 1; }\n"
                  "void run(float *A) { k<<<1024, 512>>>(A); }\n")
        self.write("o.cu", source)
        self.write(".cuda-lint", "MinOccupancy: 50")
        self.assert_code(1, self.lint("--gpu=h200", "--registers=100", "o.cu"))
        self.assertIn("low-occupancy", self.out)
        self.assert_code(0, self.lint("--gpu=h200", "--registers=100",
                                      "--min-occupancy=20", "o.cu"))

    def test_exclude(self):
        self.write(".cuda-lint", "Exclude: ['sub/*']")
        self.assert_code(0, self.lint("--ptxas=off", "a.cu", "sub/b.cu"))
        self.assertIn("1 file left out", self.err)
        self.assertIn("in 1 file ", self.out)
        self.write(".cuda-lint", "Exclude: ['*']")
        self.assert_code(0, self.lint("--ptxas=off", "a.cu", "sub/b.cu"))
        self.assertIn("2 files left out", self.err)

    def test_given_on_the_command_line(self):
        self.write(".cuda-lint", "Checks: [")
        given = "{Checks: '-*,shared-*'}"
        self.assertEqual({"shared-bank-conflict"},
                         self.checks(f"--config={given}", "a.cu"))
        self.write("other.yaml", given)
        self.assertEqual({"shared-bank-conflict"},
                         self.checks("--config-file=other.yaml", "a.cu"))
        self.assert_code(2, self.lint("--config-file=other.yaml",
                                      f"--config={given}", "a.cu"))
        self.assert_refused("exclude each other")
        self.assert_code(2, self.lint("--config-file=nowhere.yaml", "a.cu"))
        self.assert_refused("nowhere.yaml", "No such file")

    def test_dump_config(self):
        self.write(".cuda-lint", "Severities: {small-grid: off}\n"
                                 "MinOccupancy: 50")
        self.assert_code(0, self.lint("--dump-config", "--gpu=h200",
                                      "--checks=-small-grid", "a.cu"))
        dumped = self.out
        for line in ("Checks: +-small-grid|Checks: +'-small-grid'",
                     "small-grid: +off", r"Gpus: +\[ h200 \]",
                     "FailOn: +error", "MinOccupancy: +50"):
            self.assertRegex(dumped, line)
        # It says the same when it is read.
        self.write("dumped", dumped)
        self.assert_code(0, self.lint("--config-file=dumped", "--dump-config",
                                      "a.cu"))
        self.assertEqual(dumped, self.out)

    def test_the_example_of_the_documentation(self):
        page = (Path(__file__).resolve().parents[2] /
                "docs/configuration.md").read_text(encoding="utf-8")
        example, = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
        self.write(".cuda-lint", example)
        self.assert_code(0, self.lint("--dump-config", "a.cu"))
        for line in ("shared-bank-conflict: +error", "MinOccupancy: +25",
                     r"Gpus: +\[ h200, sm_80 \]"):
            self.assertRegex(self.out, line)

    def test_what_is_wrong_is_said_with_its_place(self):
        for text, words in (
                ("Check: '*'", ":1:1: error: unknown key 'Check'; did you "
                               "mean 'Checks'?"),
                ("FailOn: 7", ":1:9: error: unknown level '7'"),
                ("Severities: {smal-grid: off}", "did you mean 'small-grid'?"),
                ("Checks: '-*,nope-*'", "no check matches 'nope-*'"),
                ("a: &a [x]\nb: [*a, *a]", ":2:")):
            self.write(".cuda-lint", text)
            self.assert_code(2, self.lint("a.cu"))
            self.assert_refused(f"{self.folder}/.cuda-lint", words)
        (self.folder / ".cuda-lint").write_bytes(b"\xff\xfe\x00\x00")
        self.assert_code(2, self.lint("a.cu"))
        self.assert_refused("not UTF-8")
        os.remove(self.folder / ".cuda-lint")
        os.mkfifo(self.folder / ".cuda-lint")
        self.assert_code(2, self.lint("a.cu"))
        self.assert_refused(".cuda-lint' is no plain file")
        # Of a file's own folder, too.
        os.remove(self.folder / ".cuda-lint")
        self.write("sub/.cuda-lint", "Gpu: x")
        self.assert_code(2, self.lint("a.cu", "sub/b.cu"))
        self.assert_refused("sub/.cuda-lint:1:1", "did you mean 'Gpus'?")


if __name__ == "__main__":
    ctest.main()
