#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program, both plugins and the launcher say the same of every sample that
has a fault, with a real toolkit.

    same_findings_test.py [--list FILE] [TEST...]

The plugins by file, line, column, check and text, and without what only nvcc
knows; the launcher by fingerprint, with it. FILE names other files to compare:
a line each, `FOLDER|FILE|ARGUMENTS`. A class is a CTest test. CUDA_LINT names
the program, CUDA_LINT_PLUGINS the folder of the plugins.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "harness"))
import ctest
import tools

PROGRAM = Path(os.environ["CUDA_LINT"])
PLUGINS = Path(os.environ["CUDA_LINT_PLUGINS"])
MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?:warning|remark): "
    r"(?P<text>.*) \[(?:-W|-R)?cuda-lint-(?P<check>[\w-]+)\]$", re.M)


def samples():
    folder = TESTS.parent / "samples"
    return [(file.parent, file.name, []) for file in
            sorted(folder.glob("*/before.cu"))]


def listed(name):
    lines = Path(name).read_text().splitlines()
    return [(Path(folder), file, shlex.split(arguments)) for folder, file,
            arguments in (line.split("|") for line in lines if line)]


class SameFindings(unittest.TestCase):
    FILES = samples()

    def setUp(self):
        if why := tools.why_no_nvcc():
            self.skipTest(why)
        self.toolkit = tools.toolkit()
        # As wide as it is: no message is cut.
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("COLUMNS", "CUDA_LINT_OPTIONS")}

    def run_in(self, folder, *command, **environment):
        return subprocess.run(command, cwd=folder, capture_output=True,
                              text=True, timeout=300,
                              env={**self.environment, **environment})

    def tool(self, name):
        found = shutil.which(f"{name}-22") or shutil.which(
            f"/usr/lib/llvm-22/bin/{name}")
        self.assertTrue(found, f"no {name}: install {name}-22")
        return found

    def findings(self, folder, file, arguments, *options):
        done = self.run_in(folder, PROGRAM, "--gpu=sm_90", "--format=json",
                           "--fail-on=never", *options, file, "--", *arguments)
        # What Clang cannot read, its plugins say nothing of.
        self.assertEqual(0, done.returncode, done.stderr)
        return [f for unit in json.loads(done.stdout)["units"]
                for f in unit["findings"]]

    def place(self, folder, name):
        return os.path.relpath(os.path.join(folder, name), folder)

    def written(self, folder, text):
        return {(self.place(folder, m["file"]), int(m["line"]),
                 int(m["column"]), m["check"], m["text"])
                for m in MESSAGE.finditer(text)}

    def device(self, arguments):
        """What makes Clang read CUDA 13's own headers."""
        return ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90",
                f"--cuda-path={self.toolkit}",
                f"-I{self.toolkit}/include/cccl", "-Wno-unknown-cuda-version",
                *arguments]

    def test_plugins(self):
        found = 0
        for folder, file, arguments in self.FILES:
            own = {(self.place(folder, f["file"]), f["line"], f["column"],
                    f["check"], re.sub(r"\s+", " ", f["message"]))
                   for f in self.findings(folder, file, arguments,
                                          "--ptxas=off")}
            found += len(own)
            clang = self.run_in(
                folder, self.tool("clang++"),
                f"-fplugin={PLUGINS}/libcuda-lint-clang.so", "-fsyntax-only",
                "-fno-caret-diagnostics", "-ferror-limit=0",
                *self.device(arguments), file)
            tidy = self.run_in(
                folder, self.tool("clang-tidy"),
                f"-load={PLUGINS}/libcuda-lint-tidy.so",
                "--checks=-*,cuda-lint-*", "--header-filter=.*", "--quiet",
                file, "--", *self.device(arguments))
            with self.subTest(folder=folder.name, file=file):
                self.assertEqual(own, self.written(folder, clang.stderr))
                self.assertEqual(own, self.written(folder, tidy.stdout))
        self.assertGreaterEqual(found, len({f for f, *_ in self.FILES}))

    def test_launcher(self):
        found = 0
        for folder, file, arguments in self.FILES:
            own = {(f["fingerprint"], f["occurrence"])
                   for f in self.findings(folder, file, arguments)}
            found += len(own)
            with tempfile.TemporaryDirectory() as results:
                self.run_in(folder, PROGRAM, "launcher", "--", "nvcc", "-cubin",
                            "-lineinfo", "-arch=sm_90", "-o",
                            f"{results}/out.cubin", *arguments, file,
                            CUDA_LINT_RESULTS=results)
                built = {(f["fingerprint"], f["occurrence"])
                         for each in Path(results).glob("*.json")
                         for unit in json.loads(each.read_text())["units"]
                         for f in unit["findings"]}
            with self.subTest(folder=folder.name, file=file):
                self.assertEqual(own, built)
        self.assertGreaterEqual(found, len({f for f, *_ in self.FILES}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--list"]:
        SameFindings.FILES = listed(sys.argv[2])
        del sys.argv[1:3]
    ctest.main()
