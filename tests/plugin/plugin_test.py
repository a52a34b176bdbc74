#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks inside of clang and clang-tidy: the findings are those of the
program.

A class is a CTest test. CUDA_LINT names the program, CUDA_LINT_PLUGINS the
folder of the plugins. Neither a toolkit nor a GPU is needed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "harness"), str(TESTS / "cli")]
import ctest

from cli_test import MOCK, Cli

PLUGINS = Path(os.environ["CUDA_LINT_PLUGINS"])
DEVICE = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90",
          "-nocudainc", "-nocudalib", "-std=c++17", "-Wno-everything"]
MESSAGE = re.compile(r"(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): "
                     r"(?P<level>warning|remark): (?P<text>.*) "
                     r"\[(-Wcuda-lint-|cuda-lint-)(?P<check>[a-z-]+)\]$")

SOURCE = """#include "tile.h"
template <typename T> __global__ void strided(T *Out, int N) {
  Out[threadIdx.x * 4] = Out[threadIdx.x] * 0.1;
}
__global__ void turn(const float *In, float *Out) {
  __shared__ float Tile[32][32];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = twice(Tile[threadIdx.x][threadIdx.y]);
}
void run(float *A, double *B) {
  turn<<<1024, dim3(32, 32)>>>(A, A + 1024);
  strided<<<64, 100>>>(A, 1);
  strided<<<64, 256>>>(B, 1);
}
"""
HEADER = """#pragma once
__device__ inline float twice(float X) { return X * 2.0; }
// A note: each request touches one sector more.
__global__ void pairs(const float *In, float *Out) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I + 3];
}
inline void run_pairs(float *A) { pairs<<<1024, 256>>>(A, A); }
"""


class Plugin(Cli):
    def setUp(self):
        super().setUp()
        self.write("a.cu", SOURCE)
        self.write("tile.h", HEADER)

    def tool(self, name):
        found = shutil.which(f"{name}-22") or shutil.which(
            f"/usr/lib/llvm-22/bin/{name}")
        if not found:
            raise unittest.SkipTest(f"no {name}: install {name}-22")
        return found

    def run_tool(self, code, *command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True,
                              text=True, timeout=120)
        self.out, self.err = done.stdout, done.stderr
        self.assertEqual(code, done.returncode, self.out + self.err)
        return self.out + self.err

    def messages(self, text):
        return {(os.path.basename(m["file"]), int(m["line"]),
                 int(m["column"]), m["level"] == "warning", m["check"],
                 m["text"])
                for m in map(MESSAGE.match, text.splitlines()) if m}

    def expected(self, gpu="sm_90"):
        """What the program finds."""
        self.assert_code(0, self.lint("--ptxas=off", f"--gpu={gpu}",
                                      "--format=json", "a.cu", "--",
                                      "-std=c++17"))
        found = {(os.path.basename(f["file"]), f["line"], f["column"],
                  f["severity"] != "note", f["check"], f["message"])
                 for u in json.loads(self.out)["units"]
                 for f in u["findings"]}
        # The source has some of each kind.
        self.assertGreater(len({each[4] for each in found}), 3, found)
        self.assertEqual({True, False}, {each[3] for each in found}, found)
        return found

    def assert_other_clangs_are_left_alone(self, code, tool, *command):
        """With the shared library of another version, of which the name is
        all that this one has; and with a real one, where there is one, which
        ends with that code."""
        self.write("other.c", "int other;\n")
        library = self.folder / "libclang-cpp.so.99"
        subprocess.run(["gcc", "-shared", "-o", library, "other.c"],
                       cwd=self.folder, check=True)
        done = subprocess.run([self.tool(tool), *command], cwd=self.folder,
                              capture_output=True, text=True, timeout=120,
                              env={**os.environ, "LD_PRELOAD": str(library)})
        self.assertIn("for Clang 22, and this is Clang 99", done.stderr)
        self.assertEqual(set(), self.messages(done.stdout + done.stderr))
        for older in ("14", "16", "19"):
            if found := shutil.which(f"{tool}-{older}"):
                text = self.run_tool(code, found, *command)
                self.assertIn("undefined symbol", text)


class Clang(Plugin):
    def compile(self, *options, code=0, side=None):
        return self.run_tool(
            code, self.tool("clang++"), *DEVICE, *(side or []), *MOCK,
            f"-fplugin={PLUGINS / 'libcuda-lint-clang.so'}", *options,
            "-fsyntax-only", "a.cu")

    def test_findings_are_those_of_the_program(self):
        expected = self.expected()
        self.assertEqual(expected, self.messages(self.compile()))

    def test_options(self):
        text = self.compile("-fplugin-arg-cudalint-checks=-*,shared-*")
        self.assertEqual({"shared-bank-conflict"},
                         {each[4] for each in self.messages(text)})
        # A product has so many SMs: more can be said.
        self.assertEqual(
            {each[4] for each in self.expected("h200")},
            {each[4] for each in self.messages(
                self.compile("-fplugin-arg-cudalint-gpu=h200"))})
        for option, words in {
                "gpu=h2000": "'h2000' is no GPU that is known",
                "gpu=rtx-4090": "compute capability 8.9, and this is compiled "
                                "for sm_90",
                "checks=nothing": "nothing",
                "size=3": "'size=3' is no option of the plugin"}.items():
            self.assertIn(words, self.compile(
                f"-fplugin-arg-cudalint-{option}"))

    def test_fixes_are_on_notes(self):
        text = self.compile()
        self.assertRegex(text, r"a\.cu:6:31: note: pad the rows of 'Tile'")
        self.assertIn(" + 1", text)

    def test_code_is_generated_as_ever(self):
        command = [self.tool("clang++"), *DEVICE, *MOCK, "-S", "-O1", "a.cu",
                   "-o"]
        self.run_tool(0, *command, "plain.s")
        text = self.run_tool(
            0, *command, "plugged.s",
            f"-fplugin={PLUGINS / 'libcuda-lint-clang.so'}")
        self.assertTrue(self.messages(text))
        self.assertEqual((self.folder / "plain.s").read_text(),
                         (self.folder / "plugged.s").read_text())

    def test_other_sides_and_languages_have_none(self):
        self.assertEqual("", self.compile(side=["--cuda-host-only"]))
        self.write("b.cpp", "int main() {}\n")
        self.assertEqual("", self.run_tool(
            0, self.tool("clang++"), "-fsyntax-only", "b.cpp",
            f"-fplugin={PLUGINS / 'libcuda-lint-clang.so'}"))

    def test_errors_are_the_compilers_alone(self):
        self.write("a.cu", SOURCE + "int x = nowhere;\n")
        text = self.compile(code=1)
        self.assertEqual(set(), self.messages(text))
        self.assertEqual(1, text.count("error: "), text)

    def test_another_version(self):
        self.write("b.cpp", "int main() {}\n")
        self.assert_other_clangs_are_left_alone(
            1, "clang++", f"-fplugin={PLUGINS / 'libcuda-lint-clang.so'}",
            "-fsyntax-only", "b.cpp")

    def test_werror_is_of_use(self):
        self.assertIn(" [-Werror,-Wcuda-lint-shared-bank-conflict]",
                      self.compile("-Werror", code=1))
        self.assertEqual("", self.compile("-w"))


    def levels(self, *options, code=0):
        """Of each check that has more than notes, what it is said as."""
        text = self.compile("-Wno-unknown-warning-option", *options, code=code)
        return {check: level for level, check in re.findall(
            r"(warning|error): .* \[(?:-Werror,)?-Wcuda-lint-([a-z-]+)\]$",
            text, re.MULTILINE)}

    def test_options_of_the_compiler(self):
        every = self.levels()
        self.assertEqual({"warning"}, set(every.values()))
        bank = "shared-bank-conflict"
        self.assertIn(bank, every)
        without = {k: v for k, v in every.items() if k != bank}
        errors = dict.fromkeys(every, "error")
        for expected, options in (
                ({}, ["-Wno-cuda-lint"]),
                (every, ["-Wno-cuda-lint", "-Wcuda-lint"]),
                (without, [f"-Wno-cuda-lint-{bank}"]),
                ({bank: "warning"}, ["-Wno-cuda-lint", f"-Wcuda-lint-{bank}"]),
                (every, [f"-Wno-cuda-lint-{bank}", "-Wcuda-lint"]),
                (errors, ["-Werror=cuda-lint"]),
                (every, ["-Werror=cuda-lint", "-Wno-error=cuda-lint"]),
                ({**every, bank: "error"}, [f"-Werror=cuda-lint-{bank}"]),
                ({**errors, bank: "warning"},
                 ["-Werror", f"-Wno-error=cuda-lint-{bank}"]),
                ({bank: "error"},
                 ["-Wno-cuda-lint", f"-Werror=cuda-lint-{bank}"]),
                # None of ours.
                (every, ["-Wno-cuda-linter", "-Wno-cuda", "-Wno-error"])):
            with self.subTest(options=options):
                self.assertEqual(expected, self.levels(
                    *options, code=int("error" in expected.values())))
        # A note is silenced as a warning is.
        self.assertRegex(self.compile(), r"remark: .*-Wcuda-lint-")
        self.assertNotIn("remark: ", self.compile(
            "-Wno-cuda-lint", "-Wno-unknown-warning-option"))


class Tidy(Plugin):
    def tidy(self, *options, code=0, names=("a.cu",)):
        return self.run_tool(
            code, self.tool("clang-tidy"),
            f"-load={PLUGINS / 'libcuda-lint-tidy.so'}", *options, *names,
            "--", *DEVICE, *MOCK)

    ALL = "--checks=-*,cuda-lint-*"

    def test_findings_are_those_of_the_program(self):
        expected = self.expected()
        text = self.tidy(self.ALL, "--header-filter=.*")
        self.assertEqual(expected, self.messages(text))

    def test_the_host_side_of_a_file_has_the_same(self):
        (self.folder / "folder").mkdir()
        self.write("folder/tile.h", HEADER)
        (self.folder / "tile.h").unlink()
        self.write("a.cu", "#if STRIDE != 4\n#error no macro\n#endif\n"
                   + SOURCE.replace("* 4", "* STRIDE"))
        self.assert_code(1, self.lint(
            "--gpu=sm_90", "--ptxas=off", "--format=json", "--fail-on=warning",
            "a.cu", "--", "-std=c++17", "-Ifolder", "-DSTRIDE=4"))
        expected = {(f["line"], f["check"])
                    for u in json.loads(self.out)["units"]
                    for f in u["findings"]}
        text = self.run_tool(
            0, self.tool("clang-tidy"),
            f"-load={PLUGINS / 'libcuda-lint-tidy.so'}", self.ALL,
            "--header-filter=.*", "a.cu", "--", "-x", "cuda",
            "--cuda-host-only", "-nocudainc", "-std=c++17", "-Ifolder",
            "-DSTRIDE=4", *MOCK[1:])
        self.assertEqual(expected, {(each[1], each[4])
                                    for each in self.messages(text)})
        self.assertIn("folder/tile.h:6", text)

    def test_another_gpu_than_that_of_the_command(self):
        # What a launch needs is there on the one and not on the other.
        self.write("a.cu", """extern __shared__ float S[];
__global__ void big(float *A) { S[threadIdx.x] = A[threadIdx.x]; }
void run(float *A) {
  cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
  big<<<1000, 256, 200000>>>(A);
}
""")
        command = ["--", "-x", "cuda", "--cuda-device-only",
                   "--cuda-gpu-arch=sm_52", *DEVICE[4:], *MOCK]
        for gpu, says in ("", True), ("h200", False):
            text = self.run_tool(
                0, self.tool("clang-tidy"),
                f"-load={PLUGINS / 'libcuda-lint-tidy.so'}",
                "--config={Checks: '-*,cuda-lint-*-launch,"
                "cuda-lint-shared-memory-limits', CheckOptions: {Gpu: '%s'}}"
                % gpu, "a.cu", *command)
            self.assertEqual(says, "200000" in text, text)

    def test_each_check_can_be_chosen(self):
        names = self.tidy(self.ALL, "--list-checks")
        self.assertIn("cuda-lint-shared-bank-conflict", names)
        text = self.tidy("--checks=-*,cuda-lint-shared-bank-conflict")
        self.assertEqual({"shared-bank-conflict"},
                         {each[4] for each in self.messages(text)})

    def test_comments_silence(self):
        self.write("a.cu", SOURCE.replace(
            "[threadIdx.y]);\n",
            "[threadIdx.y]); // NOLINT(cuda-lint-shared-bank-conflict)\n"))
        text = self.tidy(self.ALL)
        self.assertNotIn("[cuda-lint-shared-bank-conflict]", text)
        self.assertIn("[cuda-lint-global-uncoalesced]", text)

    def test_line_filter_and_configuration(self):
        text = self.tidy(
            self.ALL, '--line-filter=[{"name":"a.cu","lines":[[9,9]]}]')
        self.assertEqual({9}, {each[1] for each in self.messages(text)})
        text = self.tidy(
            "--config={Checks: '-*,cuda-lint-*', CheckOptions: {Gpu: h200}}")
        self.assertIn("float rate on h200", text)
        self.tidy(self.ALL, "--warnings-as-errors=*", code=1)

    def test_fixes_that_hold_are_applied(self):
        text = self.tidy(self.ALL, "--fix")
        self.assertIn("[cuda-lint-shared-bank-conflict]", text)
        fixed = (self.folder / "a.cu").read_text()
        self.assertEqual(SOURCE.replace("Tile[32][32];", "Tile[32][32 + 1];"),
                         fixed)
        self.assertNotIn("shared-bank-conflict", self.tidy(self.ALL))
        # Of the host's side, too.
        self.write("a.cu", SOURCE)
        self.run_tool(
            0, self.tool("clang-tidy"),
            f"-load={PLUGINS / 'libcuda-lint-tidy.so'}", self.ALL, "--fix",
            "a.cu", "--", "-x", "cuda", "--cuda-host-only", "-nocudainc",
            "-std=c++17", *MOCK[1:])
        self.assertEqual(fixed, (self.folder / "a.cu").read_text())

    def test_others_are_on_notes(self):
        # It may change the last bits of results.
        self.write("a.cu", SOURCE.replace("template <typename T> ", "")
                   .replace("T *Out", "float *Out").replace("(B, 1)", "(A, 1)"))
        self.tidy(self.ALL, "--fix")
        self.assertIn("* 0.1;", (self.folder / "a.cu").read_text())
        self.tidy(self.ALL, "--fix", "--fix-notes")
        self.assertIn("* 0.1f;", (self.folder / "a.cu").read_text())

    def test_a_safe_fix_that_is_refused(self):
        self.write("a.cu", "// Written by gen.py. DO NOT EDIT.\n" + SOURCE)
        before = (self.folder / "a.cu").read_text()
        self.tidy(self.ALL, "--fix")
        self.assertEqual(before, (self.folder / "a.cu").read_text())

    def test_another_version(self):
        self.write("b.cpp", "int main() {}\n")
        self.assert_other_clangs_are_left_alone(
            0, "clang-tidy", f"-load={PLUGINS / 'libcuda-lint-tidy.so'}",
            "--checks=-*,bugprone-*", "b.cpp", "--")

    def test_several_files(self):
        self.write("b.cu", SOURCE.replace("Tile[32][32]", "Tile[32][33]"))
        text = self.tidy(self.ALL, "--header-filter=.*",
                         names=("a.cu", "b.cu"))
        found = self.messages(text)
        # A header's findings once.
        self.assertEqual(1, text.count("[cuda-lint-global-misaligned]"), text)
        self.assertEqual({"a.cu"}, {each[0] for each in found
                                    if each[4] == "shared-bank-conflict"})
        self.assertEqual({"a.cu", "b.cu", "tile.h"},
                         {each[0] for each in found})


if __name__ == "__main__":
    ctest.main()
