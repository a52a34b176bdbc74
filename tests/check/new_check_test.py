#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/new-check writes, in a folder of its own."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

import run_check_tests as runner

ROOT = Path(__file__).resolve().parents[2]


class NewCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.repo = Path(folder.name).resolve() / "a repo"
        for name in ("analyzer/checks", "tests/check", "scripts"):
            (self.repo / name).mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "new-check", self.repo / "scripts")
        shutil.copy(ROOT / ".clang-format", self.repo)

    def run_script(self, *arguments):
        return subprocess.run([self.repo / "scripts/new-check", *arguments],
                              capture_output=True, text=True)

    def files(self):
        return sorted(str(p.relative_to(self.repo))
                      for p in self.repo.rglob("*")
                      if p.is_file() and p.suffix in (".cpp", ".cu"))

    def test_writes_two_files(self):
        done = self.run_script("late-store-2x")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = ["analyzer/checks/LateStore2x.cpp",
                 "tests/check/late-store-2x.cu"]
        self.assertEqual(done.stdout.split(), files)
        self.assertEqual(self.files(), files)
        source = (self.repo / files[0]).read_text()
        self.assertIn("class LateStore2x : public Check", source)
        self.assertIn('.Name = "late-store-2x"', source)
        self.assertLessEqual(max(map(len, source.splitlines())), 80)
        runs, marks = runner.read_annotations(self.repo / files[1])
        self.assertEqual([m.check for m in marks], ["late-store-2x"])
        self.assertIn("--checks=-*,late-store-2x", runs[""])

    def test_what_it_writes_compiles_and_is_formatted(self):
        self.compiles_and_is_formatted()

    def test_a_check_of_the_source_compiles_and_is_formatted(self):
        self.compiles_and_is_formatted("--source")

    def compiles_and_is_formatted(self, *options):
        self.run_script(*options, "late-store")
        source = self.repo / "analyzer/checks/LateStore.cpp"
        done = subprocess.run(
            ["c++", "-std=c++20", "-Wall", "-Wextra", "-Werror",
             "-Wno-unused-parameter", "-fsyntax-only", f"-I{ROOT}",
             "-isystem", "/usr/lib/llvm-22/include", source],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        program = shutil.which("clang-format-22")
        if not program:
            self.skipTest("no format is tested: install clang-format-22")
        done = subprocess.run([program, "--dry-run", "-Werror", source],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_bad_names(self):
        for name in ("", "store", "Late-Store", "late_store", "late--store",
                     "-late", "late-store-", "../late-store", "late store",
                     "x-" + "y" * 40):
            done = self.run_script(name)
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("error:", done.stderr)
        self.assertEqual(self.run_script().returncode, 2)
        self.assertEqual(self.run_script("late-store", "b-c").returncode, 2)
        self.assertEqual(self.run_script("--source").returncode, 2)
        self.assertEqual(self.run_script("--kernel", "b-c").returncode, 2)
        self.assertEqual(self.files(), [])

    def test_nothing_is_overwritten(self):
        (self.repo / "tests/check/late-store.cu").write_text("mine")
        done = self.run_script("late-store")
        self.assertEqual(done.returncode, 2)
        self.assertIn("tests/check/late-store.cu exists", done.stderr)
        self.assertEqual(self.files(), ["tests/check/late-store.cu"])
        self.assertEqual(
            (self.repo / "tests/check/late-store.cu").read_text(), "mine")

    def test_help(self):
        done = self.run_script("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("usage: scripts/new-check [--source] NAME", done.stdout)


if __name__ == "__main__":
    ctest.main()
