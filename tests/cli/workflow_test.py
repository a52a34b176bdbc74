#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NOLINT, baselines, diffs, and the formats of continuous integration.

A class is a CTest test. CUDA_LINT names the program.
"""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

from cli_test import Cli

# Line 3 reads a column of global memory, 3 and 5 columns of a tile.
KERNEL = """__global__ void k(const float *A, float *B) {
  __shared__ float S[32][32];
  S[threadIdx.x][threadIdx.y] = A[threadIdx.x * 32 + threadIdx.y];
  __syncthreads();
  B[threadIdx.y * 32 + threadIdx.x] = S[threadIdx.x][threadIdx.y] + 1;
}
void run(float *A, float *B) { k<<<1024, dim3(32, 32)>>>(A, B); }
"""
ALL = {("global-uncoalesced", 3), ("shared-bank-conflict", 3),
       ("shared-bank-conflict", 5)}


class Workflow(Cli):
    def setUp(self):
        super().setUp()
        # A repository of its own, whichever the folder is in: names in reports
        # start from its root.
        (self.folder / ".git").mkdir()

    def files(self):
        return [name for name in super().files() if not name.startswith(".")]

    def found(self, *arguments, code=0):
        self.assert_code(code, self.lint("--ptxas=off", "--format=json",
                                         *arguments))
        return {(f["check"], f["line"]) for u in json.loads(self.out)["units"]
                for f in u["findings"]}

    def silenced(self):
        """Of the last run: who silenced what."""
        return {(s["by"], s["finding"]["check"], s["finding"]["line"])
                for u in json.loads(self.out)["units"] for s in u["silenced"]}

    def text(self, *arguments, code=0):
        self.assert_code(code, self.lint("--ptxas=off", *arguments))
        return self.out


class Shares(Workflow):
    def test_a_kernel_of_a_header_is_one_in_each_file(self):
        self.write("k.cuh", "#pragma once\ntemplate <class T> " + KERNEL.split(
            "void run")[0])
        for name in ("a", "b"):
            self.write(f"{name}.cu", '#include "k.cuh"\nvoid run(float *A, '
                       "float *B) { k<float><<<1024, dim3(32, 32)>>>(A, B); }\n")
        one = self.text("a.cu")
        both = self.text("a.cu", "b.cu")
        share = re.search(r"wastes (\d+) % of the wavefronts", one)[1]
        self.assertIn(f"wastes {share} % of the wavefronts", both)


class Comments(Workflow):
    def test_a_line(self):
        self.write("a.cu", KERNEL.replace(
            "threadIdx.y];\n", "threadIdx.y]; // NOLINT\n", 1))
        self.assertEqual({("shared-bank-conflict", 5)}, self.found("a.cu"))
        self.assertEqual({("comment", *each) for each in ALL if each[1] == 3},
                         self.silenced())
        self.assertIn("silenced: 2 findings by comments", self.text("a.cu"))
        self.assertEqual("", self.err)

    def test_one_check(self):
        self.write("a.cu", KERNEL.replace(
            "  S[", "  // NOLINTNEXTLINE(cuda-lint-global-*)\n  S[", 1))
        self.assertEqual({("shared-bank-conflict", 4),
                          ("shared-bank-conflict", 6)}, self.found("a.cu"))

    def test_a_block_and_the_exit_code(self):
        self.write("a.cu", KERNEL.replace(
            "  __shared__", "  // NOLINTBEGIN(cuda-lint-shared-bank-conflict)\n"
            "  __shared__").replace("+ 1;\n}", "+ 1;\n}\n// NOLINTEND("
                                    "cuda-lint-shared-bank-conflict)"))
        self.assertEqual({("global-uncoalesced", 4)},
                         self.found("--fail-on=warning", "a.cu", code=1))
        self.found("--fail-on=warning", "--checks=-global-*", "a.cu", code=0)

    def test_what_is_wrong_with_comments(self):
        self.write("a.cu", KERNEL.replace(
            "threadIdx.y];\n",
            "threadIdx.y]; // NOLINT(cuda-lint-shared-bank-conflit)\n", 1) +
            "// NOLINTBEGIN(cuda-lint-small-grid)\n"
            "// NOLINT(cuda-lint-shared-bank-conflict)\n")
        self.text("a.cu")
        self.assertIn("a.cu:8:4: warning: 'NOLINTBEGIN(cuda-lint-small-grid)' "
                      "silences nothing", self.err)
        self.assertIn("cuda-lint-shared-bank-conflict", self.err) # meant
        self.assertNotIn("a.cu:9:", self.err)
        self.text("--unused-nolint", "a.cu")
        self.assertIn("a.cu:3:", self.err)
        self.assertIn("shared-bank-conflict", self.err)
        self.assertIn("a.cu:9:", self.err)


    def test_promises_are_not_silenced(self):
        self.write("a.cu", KERNEL.replace(
            "threadIdx.y];\n", "threadIdx.y]; // NOLINT cuda-lint: "
            "expect(shared-bank-conflict <= 2-way)\n", 1))
        self.assertIn(("expectation-failed", 3), self.found("a.cu", code=1))
        self.text("--write-baseline=base.txt", "a.cu", code=1)
        self.assertIn(("expectation-failed", 3),
                      self.found("--baseline=base.txt", "a.cu", code=1))


class Baselines(Workflow):
    def test_old_findings_are_silent_though_lines_move(self):
        self.write("a.cu", KERNEL)
        self.text("--write-baseline=base.txt", "a.cu")
        baseline = (self.folder / "base.txt").read_text()
        self.assertEqual("# cuda-lint baseline 1", baseline.splitlines()[0])
        self.assertEqual(3, len(baseline.splitlines()) - 1)
        self.write("a.cu", "// moved\n\n" + KERNEL)
        self.assertEqual(set(), self.found("--baseline=base.txt", "a.cu"))
        self.assertEqual({("baseline", check, line + 2)
                          for check, line in ALL}, self.silenced())
        self.assertEqual("", self.err)
        # What is new shows, and counts.
        self.write("a.cu", KERNEL.replace(
            "+ 1;\n", "+ 1;\n  B[threadIdx.x * 64] = 2;\n"))
        self.assertEqual({("global-uncoalesced", 6)}, self.found(
            "--baseline=base.txt", "--fail-on=warning", "a.cu", code=1))

    def test_what_is_fixed_is_named(self):
        self.write("a.cu", KERNEL)
        self.text("--write-baseline=base.txt", "a.cu")
        self.write("a.cu", KERNEL.replace("S[32][32]", "S[32][33]"))
        self.assertEqual(set(), self.found("--baseline=base.txt", "a.cu"))
        self.assertEqual(2, self.err.count(
            "a.cu: note: fixed, and in the baseline still: "
            "shared-bank-conflict in 'k'"), self.err)
        # One that did not run fixed nothing.
        self.found("--baseline=base.txt", "--checks=-shared-*", "a.cu")
        self.assertEqual("", self.err)
        self.text("--write-baseline=base.txt", "a.cu")
        self.assertEqual(1, len((self.folder / "base.txt").read_text()
                                .splitlines()) - 1)

    def test_what_is_wrong_with_a_baseline(self):
        self.write("a.cu", KERNEL)
        self.text("--write-baseline=base.txt", "a.cu")
        good = (self.folder / "base.txt").read_text()
        for text, words in (("", "base.txt:1:1"),
                            (good.replace("baseline 1", "baseline 7"),
                             "base.txt:1:"),
                            (good + "<<<<<<< ours\n", "base.txt:5:1"),
                            (good + "garbage\n", "base.txt:5:"),
                            ("\0\xff" * 100, "base.txt:1:1")):
            (self.folder / "base.txt").write_bytes(text.encode("latin-1"))
            self.assert_code(2, self.lint("--baseline=base.txt", "a.cu"))
            self.assertEqual("", self.out)
            self.assertIn(words, self.err)
        self.assert_code(2, self.lint("--baseline=nowhere", "a.cu"))
        self.assert_refused("nowhere", "No such file")
        self.assert_code(2, self.lint("--baseline=a", "--write-baseline=b",
                                      "a.cu"))
        self.assert_refused("exclude each other")
        self.assert_code(2, self.lint("--write-baseline=no/where", "a.cu"))
        self.assert_refused("no")


class Changes(Workflow):
    def git(self, *arguments):
        return subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c",
             *arguments], cwd=self.folder, check=True, capture_output=True,
            text=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull,
                            "GIT_CONFIG_SYSTEM": os.devnull}).stdout

    def repository(self):
        self.write("a.cu", KERNEL)
        self.write("b.cu", KERNEL)
        self.git("init", "-q", ".")
        self.git("add", ".")
        self.git("commit", "-qm", "one")

    def test_only_what_is_on_changed_lines(self):
        self.repository()
        self.write("a.cu", KERNEL.replace("+ 1;", "+ 2;"))
        self.assertEqual({("shared-bank-conflict", 5)},
                         self.found("--diff", "a.cu", "b.cu"))
        # Without files, those that have changed.
        self.assertEqual({("shared-bank-conflict", 5)}, self.found("--diff"))
        self.assertEqual(["a.cu"], [u["file"] for u in
                                    json.loads(self.out)["units"]])
        self.git("commit", "-qam", "two")
        self.assert_code(0, self.lint("--diff"))
        self.assertIn("no CUDA file has changed", self.err)
        # Somebody waits for the report all the same.
        self.assert_code(0, self.lint("--diff", "--format=sarif",
                                      "--output=x.sarif"))
        self.assertEqual([], json.loads((self.folder / "x.sarif").read_text())
                         ["runs"][0]["results"])
        self.assertEqual({("shared-bank-conflict", 5)},
                         self.found("--diff=HEAD~1", "a.cu", "b.cu"))

    def test_a_diff_on_standard_input(self):
        self.write("a.cu", KERNEL)
        diff = ("--- a/a.cu\n+++ b/a.cu\n@@ -3 +3 @@\n-x\n+y\n")
        (self.folder / "diff").write_text(diff)
        with open(self.folder / "diff") as lines:
            stdin, os.environ["X"] = os.dup(0), ""
            os.dup2(lines.fileno(), 0)
            try:
                found = self.found("--diff", "-", "a.cu")
            finally:
                os.dup2(stdin, 0)
                os.close(stdin)
        self.assertEqual({each for each in ALL if each[1] == 3}, found)

    def test_nothing_that_is_configured_is_run(self):
        self.repository()
        mark = self.folder / "mark"
        for key in ("core.fsmonitor", "diff.external", "core.pager",
                    "diff.x.textconv", "diff.x.command"):
            self.git("config", key, f"touch {mark}; false")
        self.write(".gitattributes", "*.cu diff=x\n")
        self.write("a.cu", KERNEL.replace("+ 1;", "+ 2;"))
        self.assertEqual({("shared-bank-conflict", 5)}, self.found("--diff"))
        self.assertFalse(mark.exists())

    def test_what_is_wrong(self):
        self.repository()
        for revision in ("nope", "--output=x", "HEAD:a.cu..", "-O/etc/passwd"):
            self.assert_code(2, self.lint(f"--diff={revision}", "a.cu"))
            self.assert_refused("--diff")
        self.assertEqual(["a.cu", "b.cu"],
                         [f for f in self.files() if not f.startswith(".")])

    def test_a_diff_of_another_folder(self):
        (self.folder / "proj").mkdir()
        self.write("proj/a.cu", KERNEL)
        diff = ("--- a/a.cu\n+++ b/a.cu\n@@ -5 +5 @@\n-x\n+y\n")
        self.assert_code(2, self.lint("--diff", "-", stdin=diff))
        self.assert_refused("'a.cu' is neither in this folder",
                            "run in the folder in which it was made")
        self.assert_code(2, self.lint("--diff", "-", "proj/a.cu", stdin=diff))
        self.write("b.cu", KERNEL)
        self.assert_code(0, self.lint(
            "--ptxas=off", "--diff", "-",
            stdin=diff + diff.replace("a.cu", "b.cu")))
        self.assertIn("note: 'a.cu' is neither in", self.err)
        self.assertIn("b.cu:5", self.out)
        # What a diff removes need not be there.
        self.assert_code(0, self.lint(
            "--diff", "-", stdin="--- a/gone.cu\n+++ /dev/null\n"
            "@@ -1 +0,0 @@\n-x\n"))


class Formats(Workflow):
    def test_each_holds_the_findings(self):
        self.write("a.cu", KERNEL)
        runs = {name: self.text(f"--format={name}", "a.cu") for name in
                ("sarif", "github", "gitlab", "rdjson", "junit", "html")}
        results = json.loads(runs["sarif"])["runs"][0]["results"]
        self.assertEqual({"global-uncoalesced", "shared-bank-conflict"},
                         {each["ruleId"] for each in results})
        self.assertEqual({"a.cu"}, {
            each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for each in results})
        self.assertEqual(2, len(runs["github"].splitlines()))
        self.assertIn("::warning file=a.cu,line=3,", runs["github"])
        self.assertEqual({"a.cu"}, {each["location"]["path"] for each in
                                    json.loads(runs["gitlab"])})
        self.assertEqual(2, len(json.loads(runs["rdjson"])["diagnostics"]))
        suite = xml.etree.ElementTree.fromstring(runs["junit"])
        self.assertEqual("2", suite.get("failures"))
        self.assertEqual(2, runs["html"].count("<details class=problem "))
        self.assertIn("<mark>A[threadIdx.x * 32", runs["html"])
        self.assertIn("with the remedy: 1 wavefront", runs["html"])

    def test_several_in_one_run(self):
        self.write("a.cu", KERNEL)
        out = self.text("--output-sarif=x.sarif", "--output-json=x.json",
                        "--output-gitlab=x y.json", "a.cu")
        self.assertIn("warnings in 1 file", out)
        self.assertEqual("2.1.0", json.loads(
            (self.folder / "x.sarif").read_text())["version"])
        self.assertEqual("cuda-lint/1", json.loads(
            (self.folder / "x.json").read_text())["schema"])
        self.assertEqual(2, len(json.loads(
            (self.folder / "x y.json").read_text())))

    def test_names_from_the_root_of_the_repository(self):
        (self.folder / "src").mkdir()
        self.write("src/a.cu", KERNEL)
        folder, self.folder = self.folder, self.folder / "src"
        try:
            out = self.text("--format=gitlab", "a.cu")
        finally:
            self.folder = folder
        self.assertEqual({"src/a.cu"}, {each["location"]["path"]
                                        for each in json.loads(out)})

    def test_what_is_wrong(self):
        self.write("a.cu", KERNEL)
        self.assert_code(2, self.lint("--output-sarif=-", "a.cu"))
        self.assert_refused("--output-sarif needs a file", "--format=sarif")
        self.assert_code(2, self.lint("--output-sarif=a.cu", "a.cu"))
        self.assert_refused("a.cu")
        for other in ("x", "./x"):
            self.assert_code(2, self.lint("--output-sarif=x",
                                          f"--output-json={other}", "a.cu"))
            self.assert_refused("two reports cannot go to one file")
        self.assertEqual(["a.cu"], self.files())


class Merges(Workflow):
    def shards(self):
        for name in ("a", "b"):
            self.write(f"{name}.cu", KERNEL.replace("void run", f"void {name}")
                       .replace("k(", f"k{name}(").replace("{ k<", f"{{ k{name}<"))
            self.text("--format=json", f"--output={name}.json", f"{name}.cu")

    def test_shards_are_as_one_run(self):
        self.shards()
        together = self.found("a.cu", "b.cu")
        whole = json.loads(self.out)
        self.assert_code(0, self.run_program("merge", "--format=json",
                                             "a.json", "b.json"))
        merged = json.loads(self.out)
        self.assertEqual([u["file"] for u in whole["units"]],
                         [u["file"] for u in merged["units"]])
        self.assertEqual(together, {
            (f["check"], f["line"]) for u in merged["units"]
            for f in u["findings"]})
        self.assert_code(0, self.run_program("merge", "a.json", "b.json"))
        self.assertIn("warnings in 2 files", self.out)
        self.assertIn("A[threadIdx.x * 32", self.out)  # The source is here.

    def test_a_folder_into_any_format(self):
        self.shards()
        (self.folder / "all").mkdir()
        for name in ("a.json", "b.json"):
            (self.folder / name).rename(self.folder / "all" / name)
        self.assert_code(1, self.run_program(
            "merge", "all", "--format=sarif", "--output-junit=x.xml",
            "--fail-on=warning"))
        self.assertEqual({"a.cu", "b.cu"}, {
            r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for r in json.loads(self.out)["runs"][0]["results"]})
        xml.etree.ElementTree.parse(self.folder / "x.xml")

    def test_what_was_measured_stands_with_the_finding(self):
        self.shards()
        kernel = json.loads((self.folder / "a.json").read_text())[
            "units"][0]["kernels"][0]["name"]
        line = {"kernel": kernel, "file": "a.cu", "line": 5,
                "whole_kernel": False, "space": "shared", "op": "load",
                "unit": "wavefronts", "verdict": "refuted", "why": "said so",
                "measured": {"requests": 64, "per_request": 2.5, "ideal": 1.0}}
        self.write("measured.json", json.dumps({
            "schema": "cuda-lint-confirm/1", "gpus": [{
                "name": "NVIDIA H100", "compute_capability": "9.0",
                "lines": [line, dict(line, verdict="missed", line=99)],
                "kernels": []}]}))
        self.assert_code(0, self.run_program(
            "merge", "a.json", "measured.json", "--format=html"))
        self.assertIn("2.5 wavefronts per request", self.out)
        self.assertIn("99</span>", self.out)
        # Other formats have it with the finding.
        for name in ("text", "github", "rdjson", "junit", "sarif"):
            self.assert_code(0, self.run_program(
                "merge", "a.json", "measured.json", f"--format={name}"))
            self.assertRegex(self.out, r"measured: 2\.5 on\s+NVIDIA H100,\s+"
                                       r"refuted", name)
        self.assert_code(0, self.run_program(
            "merge", "a.json", "measured.json", "--format=json"))
        self.assertEqual(
            [[{"gpu": "NVIDIA H100", "verdict": "refuted",
               "per_request": 2.5}]],
            [f["measured"] for u in json.loads(self.out)["units"]
             for f in u["findings"] if "measured" in f])
        self.assert_code(2, self.run_program("merge", "measured.json"))
        self.assert_refused("no report to merge")
        self.write("measured.json", '{"schema": "cuda-lint-confirm/1"}')
        self.assert_code(2, self.run_program("merge", "a.json",
                                             "measured.json"))
        self.assert_refused("measured.json", "/gpus")

    def test_what_is_wrong(self):
        self.shards()
        self.write("cut.json", (self.folder / "a.json").read_text()[:300])
        self.write("other.json", '{"schema": "cuda-lint-profile/1"}')
        for arguments, words in (
                ((), ("no report to merge",)),
                (("nowhere.json",), ("nowhere.json", "No such file")),
                (("a.json", "cut.json"), ("cut.json", "JSON")),
                (("other.json",), ("other.json", "profile")),
                (("a.cu",), ("a.cu", "JSON")),
                (("a.json", "-p", "x"), ("compiles nothing",)),
                (("a.json", "--output=a.json"), ("a.json",))):
            self.assert_code(2, self.run_program("merge", *arguments))
            self.assert_refused(*words)


if __name__ == "__main__":
    ctest.main()
