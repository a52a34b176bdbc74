#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program cuda-lint as its user meets it: arguments in, an exit code, two
streams and perhaps a file out.

A class is a CTest test. CUDA_LINT names the program. The folder tests/mock is
all the CUDA that these tests need; only Toolkit uses a real one.
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

PROGRAM = os.environ["CUDA_LINT"]
TOOLKIT = Path(__file__).resolve().parents[1] / "mock"
# How a command line begins and ends that uses the mock.
WITH_MOCK = f"--cuda-path={TOOLKIT}"
MOCK = ["-nocudainc", "-include", str(TOOLKIT / "include/cuda_runtime.h")]
# The same where nvcc compiles the file as well, with a few of its own headers.
FEW_HEADERS = ["-nocudainc", "-include", str(TOOLKIT / "CudaForClang.h"),
               f"-I{TOOLKIT / 'nvcc'}"]

COPY = """__global__ void copy(const float *In, float *Out) {
  Out[threadIdx.x] = In[threadIdx.x];
}
"""
# Each thread reads 128 bytes behind its neighbour: 32 sectors a warp.
STRIDED = """__global__ void strided(const float *In, float *Out) {
  Out[threadIdx.x] = In[threadIdx.x * 32];
}
void run(float *A, float *B) { strided<<<1024, 256>>>(A, B); }
"""
# No GPU runs a block of 2048 threads: an error on every target.
TOO_LARGE = """__global__ void wide(float *Out) { Out[threadIdx.x] = 1; }
void run(float *A) { wide<<<1024, 2048>>>(A); }
"""


class Cli(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="cuda-lint-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
        return name

    def run_program(self, *arguments, env=None, timeout=120, stdin=None):
        environment = {k: v for k, v in os.environ.items()
                       if k not in ("COLUMNS", "CUDA_PATH", "NO_COLOR")}
        # What nvcc said is kept there: not in the tester's own folder.
        cache = f"{self.folder}-cache"
        self.addCleanup(shutil.rmtree, cache, ignore_errors=True)
        environment["XDG_CACHE_HOME"] = cache
        environment.update(env or {})
        self.result = subprocess.run(
            [PROGRAM, *arguments], cwd=self.folder, env=environment,
            capture_output=True, text=True, errors="replace", timeout=timeout,
            input=stdin)
        self.out, self.err = self.result.stdout, self.result.stderr
        return self.result.returncode

    def lint(self, *arguments, **options):
        """Runs the program with the mock of CUDA's headers."""
        arguments = list(arguments)
        if "--" not in arguments:
            arguments.append("--")
        return self.run_program(WITH_MOCK, *arguments, *MOCK, **options)

    def assert_code(self, code, actual):
        self.assertEqual(code, actual, f"\nstdout:\n{self.out}\n"
                                       f"stderr:\n{self.err}")
        # A crash that was survived is still a crash.
        self.assertNotIn("internal error", self.err)
        self.assertNotIn("Stack dump", self.err)

    def assert_refused(self, *fragments):
        """Nothing on stdout, one line on stderr with all of the fragments."""
        self.assertEqual(self.out, "")
        self.assertEqual(len(self.err.splitlines()), 1, self.err)
        self.assertTrue(self.err.startswith("cuda-lint: error: "), self.err)
        for fragment in fragments:
            self.assertIn(fragment, self.err)

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())

    def report(self, *arguments, code=0, **options):
        """The one document of a run with --format=json."""
        self.assert_code(code, self.lint("--format=json", *arguments,
                                         **options))
        return json.loads(self.out)


class Occupancy(Cli):
    """cuda-lint occupancy FILE."""

    # 673 threads are 22 warps, of which two blocks fit the 64 warps of an SM.
    LAUNCHES = COPY + """__global__ void wide(float *Out) { Out[0] = 1; }
__global__ void idle(float *Out) { Out[0] = 2; }
void run(const float *A, float *B, int N) {
  copy<<<57, 673>>>(A, B);
  copy<<<N, 256>>>(A, B);
  copy<<<N, N>>>(A, B);
}
"""

    def occupancy(self, *arguments, **options):
        return self.run_program("occupancy", WITH_MOCK, *arguments,
                                "--gpu=gtx-1080-ti", "--", *MOCK, **options)

    def test_a_row_for_each_launch(self):
        self.write("a.cu", self.LAUNCHES)
        self.assert_code(0, self.occupancy("--registers=16", "a.cu"))
        rows = [line.split() for line in self.out.splitlines()
                if line.startswith("copy ")]
        self.assertEqual([["a.cu:7", "57", "673"], ["a.cu:8", "-", "256"],
                          ["a.cu:9", "-", "-"]], [row[1:4] for row in rows])
        self.assertIn("at 672 threads the 58 blocks of as many threads in all "
                      "take 1 round instead of 2", self.out)
        # What is explained can be told apart.
        for launch in (", grid 57, block 673\n", "a.cu:8: copy(const float *, "
                       "float *), block 256\n"):
            self.assertIn(launch, self.out)
        # Said once, although it is true of all.
        self.assertEqual(1, self.out.count("give it with --block or --launch"))

    # 48 KB of the 96 KB of an SM: two blocks, whatever the registers.
    HALF_OF_SHARED = ("__global__ void big(float *Out) {\n"
                      "  __shared__ float Tile[12 * 1024];\n"
                      "  Tile[threadIdx.x] = Out[0];\n"
                      "  __syncthreads();\n"
                      "  Out[threadIdx.x] = Tile[threadIdx.x ^ 1];\n}\n"
                      "void run(float *A) { big<<<4096, 64>>>(A); }\n")

    def test_shared_memory_that_the_file_declares_counts(self):
        self.write("a.cu", self.HALF_OF_SHARED)
        self.assert_code(0, self.occupancy("a.cu", "--registers=32",
                                           "--format=json"))
        launch, = json.loads(self.out)
        self.assertEqual(2, launch["blocks_per_sm"])
        self.assertEqual("shared", launch["limiter"])

    def test_shared_memory_of_the_file_counts_without_a_compiler(self):
        # All else is not known, and null.
        self.write("a.cu", self.HALF_OF_SHARED)
        self.assert_code(0, self.occupancy("a.cu", "--ptxas=off",
                                           "--format=json"))
        launch, = json.loads(self.out)
        self.assertEqual(48 * 1024, launch["input"]["shared_bytes"])
        self.assertEqual(2, launch["blocks_per_sm"])
        self.assertEqual(2, launch["limits"]["shared"])
        self.assertIsNone(launch["limits"]["registers"])
        self.assert_code(0, self.occupancy("a.cu", "--ptxas=off"))
        self.assertNotIn("static shared memory is not known", self.out)

    def test_more_shared_memory_than_by_default(self):
        kernel = ("__global__ void k(float *Out) {\n"
                  "  extern __shared__ float All[];\n"
                  "  All[threadIdx.x] = Out[0]; __syncthreads();\n"
                  "  Out[threadIdx.x] = All[threadIdx.x ^ 1];\n}\n")
        launch = "k<<<4096, 64, 65536>>>(A); }\n"
        self.write("a.cu", kernel + "void run(float *A) { " + launch)
        self.write("b.cu", kernel + "void run(float *A) { cudaFuncSetAttribute("
                   "k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536); " +
                   launch)
        words = "64 KB of shared memory are more than 48 KB"
        # A launch that fails, unless what is not seen raises the limit.
        for file, says in (("a.cu", True), ("b.cu", False)):
            self.assert_code(int(says), self.run_program(
                "occupancy", WITH_MOCK, file, "--gpu=h200", "--registers=32",
                "--", *MOCK))
            self.assertEqual(says, words in self.out, self.out)
            self.lint("--summary", "--gpu=h200", "--registers=32", file)
            self.assertEqual(says, " 65536! " in self.out, self.out)

    def test_all_that_fails_is_told(self):
        """Fewer registers alone would not help: what lint says is told too."""
        self.write("a.cu", "__global__ void k(float *Out) {\n"
                   "  extern __shared__ float All[];\n"
                   "  All[threadIdx.x] = Out[0]; __syncthreads();\n"
                   "  Out[threadIdx.x] = All[threadIdx.x ^ 1];\n}\n"
                   "void run(float *A) { k<<<9, 1024, 60000>>>(A); }\n")
        arguments = ["a.cu", "--gpu=h200", "--registers=80"]
        self.assert_code(1, self.run_program(
            "occupancy", WITH_MOCK, *arguments, "--", *MOCK))
        registers, shared = "at most 64 registers", "asks for 60000 bytes"
        self.assertIn(registers, self.out)
        self.assertIn(shared, self.out)
        self.assertIn("cudaFuncAttributeMaxDynamicSharedMemorySize", self.out)
        self.assert_code(1, self.run_program(
            "occupancy", WITH_MOCK, *arguments, "--format=json", "--", *MOCK))
        answer, = json.loads(self.out)
        self.assertIn(registers, answer["failure"])
        self.assertIn(shared, answer["failure"])
        verdict, = [launch["verdict"]
                    for kernel in self.report(*arguments, code=1)["units"][0][
                        "kernels"] for launch in kernel["launches"]]
        self.assertEqual("fails", verdict["state"])
        self.assertEqual(["not-raised", "fits-no-sm"],
                         [each["id"] for each in verdict["why"]])
        self.assertIn("not raised elsewhere", verdict["why"][0]["assumes"])
        self.assertIsNone(verdict["why"][1]["assumes"])

    def test_the_verdict_on_each_launch(self):
        self.write("a.cu", COPY + """
void run(const float *A, float *B, int N) {
  copy<<<57, 256>>>(A, B);
  copy<<<57, 1024>>>(A, B);
  copy<<<57, N>>>(A, B);
  copy<<<57, 2048>>>(A, B);
}
""")
        def verdicts(*arguments):
            kernel, = self.report("--ptxas=off", "a.cu", *arguments,
                                  code=1)["units"][0]["kernels"]
            return [(launch["verdict"]["state"],
                     [each["id"] for each in launch["verdict"]["why"]])
                    for launch in kernel["launches"]]
        fails = ("fails", ["dimension-too-large"])
        # 256 threads have registers enough, whatever the compiler gives them.
        self.assertEqual([("runs", []), ("unknown", ["registers-not-known"]),
                          ("unknown", ["block-not-known"]), fails], verdicts())
        self.assertEqual([("runs", []), ("runs", []),
                          ("unknown", ["block-not-known"]), fails],
                         verdicts("--registers=32"))

    def test_an_opt_in_that_does_not_help(self):
        kernel = ("__global__ void k(float *Out) {\n"
                  "  extern __shared__ float All[];\n"
                  "  All[threadIdx.x] = Out[0]; __syncthreads();\n"
                  "  Out[threadIdx.x] = All[threadIdx.x ^ 1];\n}\n")
        raises = ("cudaFuncSetAttribute(k, "
                  "cudaFuncAttributeMaxDynamicSharedMemorySize, {});")
        launch = "k<<<4096, 64, 65536>>>(A);"
        self.write("late.cu", kernel + "void run(float *A) { " + launch +
                   raises.format(65536) + "}\n")
        self.write("small.cu", kernel + "void run(float *A) { " +
                   raises.format(60000) + launch + "}\n")
        for file, why in (("late.cu", "only after this launch"),
                          ("small.cu", "allows 60000")):
            arguments = [file, "--gpu=h200", "--registers=32"]
            self.assert_code(1, self.run_program(
                "occupancy", WITH_MOCK, *arguments, "--format=json", "--",
                *MOCK))
            answer, = json.loads(self.out)
            self.assertIn(why, answer["failure"])
            self.assertEqual(0, answer["blocks_per_sm"])
            self.assert_code(1, self.lint("--summary", *arguments))
            row, = [line.split() for line in self.out.splitlines()
                    if line.startswith("k ")]
            self.assertEqual(["0", "-", "-", "fails"], row[-7:-3])

    def test_tables_fit_80_columns(self):
        self.write("a_file_with_a_rather_long_name_for_a_table.cu",
                   self.LAUNCHES.replace("copy", "copy_with_a_long_name_too"))
        for file in self.files():
            self.assert_code(0, self.occupancy(
                file, "--registers=32", env={"COLUMNS": "80"}))
            table = self.out.split("\n\n")[1].splitlines()
            self.assertLessEqual(max(map(len, table)), 80, self.out)
            for name in ("kernel", "launch", "block", "regs", "warps", "limit"):
                self.assertIn(name, table[0])
            self.assertIn("not shown for width: waves", self.out)
            # The place in the file is what tells launches apart.
            self.assertIn("cu:7 ", table[1])
            self.assertRegex(table[1], "^copy_.*~.*_too ")
            self.assert_code(0, self.occupancy(file, "--registers=32"))
            self.assertIn("copy_with_a_long_name_too  " + file, self.out)

    def test_json(self):
        self.write("a.cu", self.LAUNCHES)
        self.assert_code(0, self.occupancy("--format=json", "--registers=16",
                                           "a.cu"))
        answers = {(each["input"]["kernel"], each["input"]["line"]): each
                   for each in json.loads(self.out)}
        first = answers["_Z4copyPKfPf", 7]
        self.assertEqual((2, 44, 2), (first["blocks_per_sm"],
                                      first["warps_per_sm"], first["rounds"]))
        self.assertEqual("copy(const float *, float *)",
                         first["input"]["signature"])
        self.assertIsNone(answers["_Z4copyPKfPf", 8]["rounds"])
        self.assertIsNone(answers["_Z4copyPKfPf", 9]["blocks_per_sm"])

    def test_options_fill_in_what_the_file_leaves_open(self):
        self.write("a.cu", self.LAUNCHES)
        self.assert_code(0, self.occupancy("--format=csv", "--grid=56", "a.cu"))
        lines = [line for line in self.out.splitlines() if ",a.cu,8," in line]
        self.assertEqual(1, len(lines), self.out)
        self.assertIn(",56,256,", lines[0])

    def test_what_is_not_known_is_no_figure(self):
        # Dynamic shared memory, or registers: fewer blocks may fit.
        self.write("a.cu", "__global__ void k(float *Out) {\n"
                   "  extern __shared__ float All[];\n"
                   "  All[threadIdx.x] = Out[0]; __syncthreads();\n"
                   "  Out[threadIdx.x] = All[threadIdx.x ^ 1];\n}\n"
                   "void run(float *A, int N) { k<<<57, 64, N>>>(A); }\n")
        for arguments in (["--registers=32"],
                          ["--ptxas=off", "--dynamic-shared=0"]):
            self.assert_code(0, self.occupancy("--format=json", *arguments,
                                               "a.cu"))
            launch, = json.loads(self.out)
            for name in ("blocks_per_sm", "warps_per_sm", "ratio", "limiter",
                         "waves", "rounds", "tail_waste"):
                self.assertIsNone(launch[name], name)
            for run in (lambda: self.occupancy(*arguments, "a.cu"),
                        lambda: self.lint("--summary", "--gpu=gtx-1080-ti",
                                          arguments[0], "a.cu")):
                self.assert_code(0, run())
                row, = [line.split() for line in self.out.splitlines()
                        if line.startswith("k ")]
                # 32 of 2 warps are all 64, and all 32 that an SM may hold.
                self.assertEqual(["<=32", "<=64", "<=100.0", "%", "-", "-", "-",
                                  "-"], row[-8:])

    def test_a_launch_that_fails_under_an_assumption_says_so(self):
        self.write("a.cu", """
extern __shared__ float s[];
__global__ void k(float *Out) { s[threadIdx.x] = 1; Out[0] = s[0]; }
void run(float *B) { k<<<9, 256, 100000>>>(B); }
""")
        self.assert_code(1, self.occupancy("--gpu=h200", "--format=json",
                                           "--registers=8", "a.cu"))
        launch = json.loads(self.out)[0]
        self.assertIsNone(launch["failure"])
        self.assertEqual(2, launch["blocks_per_sm"])
        self.assertEqual("fails", launch["verdict"]["state"])
        self.assertIn("raised", launch["verdict"]["why"][0]["assumes"])

    def test_launches_that_fail_have_no_figures(self):
        self.write("a.cu", COPY + """
__global__ void __launch_bounds__(128) small(float *Out) { Out[0] = 1; }
void run(const float *A, float *B) {
  copy<<<dim3(1, 65536), 256>>>(A, B);
  copy<<<9, dim3(1, 1, 65)>>>(A, B);
  copy<<<9, 2048>>>(A, B);
  copy<<<9, 1024>>>(A, B);
  copy<<<0, 256>>>(A, B);
  copy<<<9, 256, -4>>>(A, B);
  small<<<9, 256>>>(B);
}
""")
        # 65536 / 1024 threads are 64 registers for each.
        arguments = ["--registers=copy=80", "--registers=small=8", "a.cu"]
        self.assert_code(1, self.occupancy("--format=json", *arguments))
        launches = json.loads(self.out)
        self.assertEqual(7, len(launches))
        for launch in launches:
            self.assertIn("fails", launch["failure"])
            self.assertEqual((0, 0, 0), (launch["blocks_per_sm"],
                                         launch["warps_per_sm"],
                                         launch["ratio"]))
            for name in ("limiter", "waves", "rounds", "tail_waste"):
                self.assertIsNone(launch[name], name)
        self.assert_code(1, self.lint("--format=json", "--gpu=gtx-1080-ti",
                                      *arguments))
        for kernel in json.loads(self.out)["units"][0]["kernels"]:
            for launch in kernel["launches"]:
                occupancy = launch["occupancy"]
                self.assertEqual((0, 0, 0, None), (
                    occupancy["blocks_per_sm"], occupancy["warps_per_sm"],
                    occupancy["ratio"], occupancy["waves"]))
        self.assert_code(1, self.lint("--summary", "--gpu=gtx-1080-ti",
                                      *arguments))
        summary = self.out[self.out.index("Registers and occupancy on"):]
        rows = [line.split() for line in summary.splitlines()
                if line.startswith(("copy ", "small "))]
        self.assertEqual(7, len(rows))
        for row in rows:
            self.assertEqual(["0", "-", "-", "fails", "-", "-", "-"], row[-7:])

    HEADER = """template <typename T> __global__ void fill(T *Out) { Out[threadIdx.x] = 1; }
inline void fillOne(float *Out) { fill<<<1, 64>>>(Out); }
"""

    def test_a_kernel_of_a_header_is_one(self):
        self.write("fill.cuh", self.HEADER)
        for name in "abc":
            self.write(f"{name}.cu", '#include "fill.cuh"\n'
                       f"void {name}(float *Out) {{\n"
                       "  fill<<<2, 128>>>(Out);\n  fillOne(Out);\n}\n")
        files = ["a.cu", "b.cu", "c.cu"]
        self.assert_code(0, self.occupancy("--format=json", "--registers=16",
                                           *files))
        places = [(Path(each["input"]["file"]).name, each["input"]["line"])
                  for each in json.loads(self.out)]
        self.assertEqual([("a.cu", 3), ("b.cu", 3), ("c.cu", 3),
                          ("fill.cuh", 2)], sorted(places))
        self.assert_code(0, self.lint("--summary", "--registers=16", *files))
        self.assertEqual(4, len([line for line in self.out.splitlines()
                                 if line.startswith("fill<float> ")]))

    def test_a_header_by_two_names_is_one(self):
        (self.folder / "sub").mkdir()
        self.write("strided.cuh", STRIDED.replace("void run",
                                                  "inline void run"))
        self.write("a.cu", '#include "strided.cuh"\n')
        self.write("sub/b.cu", '#include "../strided.cuh"\n')
        files = ["a.cu", "sub/b.cu"]
        self.assert_code(0, self.occupancy("--format=json", "--registers=16",
                                           *files))
        self.assertEqual(1, len(json.loads(self.out)), self.out)
        self.assert_code(0, self.lint("--checks=global-uncoalesced", *files))
        self.assertIn("1 warning in 2 files", self.out)

    def test_of_two_copies_of_a_kernel_the_one_that_is_known_counts(self):
        # b.cu does not compile alone: what is in it is N's.
        self.write("b.cu", "__global__ void k(float *Out) {\n"
                   "  __shared__ float Tile[N];\n"
                   "  Tile[threadIdx.x] = Out[0]; __syncthreads();\n"
                   "  Out[threadIdx.x] = Tile[threadIdx.x ^ 1];\n}\n")
        self.write("a.cu", '#define N 64\n#include "b.cu"\n'
                   "void run(float *A) { k<<<56, 64>>>(A); }\n")
        for files in (["a.cu", "b.cu"], ["b.cu", "a.cu"]):
            self.assert_code(3, self.occupancy("--format=json",
                                               "--registers=16", *files))
            launch, = json.loads(self.out)
            self.assertEqual(256, launch["input"]["shared_bytes"])
            self.assertEqual(32, launch["blocks_per_sm"])

    def test_a_file_by_two_names_is_one(self):
        self.write("a.cu", self.LAUNCHES)
        (self.folder / "sub").mkdir()
        self.assert_code(0, self.occupancy(
            "--registers=16", "a.cu", "./a.cu", "sub/../a.cu",
            str(self.folder / "a.cu")))
        self.assertEqual(3, len([line for line in self.out.splitlines()
                                 if line.startswith("copy ")]))
        self.assert_code(0, self.lint("./a.cu", "a.cu"))
        self.assertIn("in 1 file (", self.out)

    def test_sms_without_any_grid(self):
        self.write("a.cu", COPY)
        self.assert_code(0, self.run_program(
            "occupancy", WITH_MOCK, "a.cu", "--gpu=sm_61", "--sms=28",
            "--registers=16", "--", *MOCK))
        self.assertIn("--sms changes nothing", self.err)
        self.write("a.cu", self.LAUNCHES)
        self.assert_code(0, self.run_program(
            "occupancy", WITH_MOCK, "a.cu", "--gpu=sm_61", "--sms=28",
            "--registers=16", "--", *MOCK))
        self.assertNotIn("--sms", self.err)

    def test_names_that_differ_stay_different(self):
        kernels = [f"a_long_name_of_a_kernel_{i}_that_goes_on_and_on"
                   for i in range(12)]
        self.write("a.cu", COPY + "".join(
            f"__global__ void {name}(float *Out) {{ Out[0] = 1; }}\n"
            for name in kernels) + "void run(float *A) {\n" + "".join(
                f"  {name}<<<1, 32>>>(A);\n" for name in kernels) + "}\n")
        for width in ("40", "80"):
            self.assert_code(0, self.lint("--summary", "--registers=16", "a.cu",
                                          env={"COLUMNS": width}))
            names = [line.split()[0] for line in self.out.splitlines()
                     if line.startswith("a_") and "~" in line]
            self.assertEqual(12, len(set(names)), self.out)
            if width == "80":
                self.assertLessEqual(max(map(len, self.out.splitlines())), 80)
        # A file or a pipe has no width.
        self.assert_code(0, self.lint("--summary", "--registers=16", "a.cu"))
        for name in kernels:
            self.assertIn(f"\n{name} ", self.out)

    def test_registers_of_the_user(self):
        self.write("a.cu", self.LAUNCHES)
        self.assert_code(0, self.occupancy("--registers=copy=48", "a.cu"))
        self.assertIn("48 registers x 22 warps: 2 blocks need 44 warps of "
                      "registers, 40 fit", self.out)

    def test_a_launch_that_fails(self):
        self.write("a.cu", TOO_LARGE)
        self.assert_code(1, self.occupancy("a.cu"))
        self.assertIn("2048 threads are more than the 1024", self.out)

    def test_files_that_fail(self):
        self.write("a.cu", COPY)
        self.assert_code(2, self.occupancy("missing.cu"))
        self.assert_code(3, self.occupancy("a.cu", "missing.cu"))

    def test_sweep(self):
        self.write("a.cu", self.LAUNCHES)
        self.assert_code(0, self.occupancy("--sweep=block",
                                           "--registers=32", "a.cu"))
        self.assertIn("| cliff", self.out)

    def test_refusals(self):
        self.write("a.cu", COPY)
        for arguments, fragment in (
                (["--rank"], "--rank is for bare numbers"),
                (["--grid=0"], "--grid '0' is too small"),
                (["--sms=0"], "--sms '0' is too small"),
                (["--sweep=warps"], "use block, registers or shared"),
                (["--gpu=h200", "--sms=2"], "--gpu names several"),
                (["--frobnicate"], "unknown option '--frobnicate'")):
            self.assert_code(2, self.occupancy(*arguments, "a.cu"))
            self.assert_refused(fragment)
        self.assert_code(2, self.run_program("occupancy", "a.cu", "--grid"))
        self.assert_refused("--grid")
        self.assert_code(2, self.run_program("occupancy", "a.cu", "--sweep"))
        self.assert_refused("--sweep needs a value: --sweep WHAT")


class DashedNames(Cli):
    """A file whose name reads as an option: as hooks and globs pass it."""

    def test_it_is_neither(self):
        self.write("a.cu", COPY)
        for name in ("--output=b.cu", "--fail-on=never", "-dash.cu", "-q"):
            self.write(f"./{name}", COPY)
            self.assert_code(2, self.lint(name, "a.cu"))
            self.assert_refused(f"'{name}' is an option, and there is a file",
                                f"./{name}")
            (self.folder / name).unlink()
        self.assertEqual(["a.cu"], self.files())
        self.write("./-dash.cu", COPY)
        self.assert_code(0, self.lint("--ptxas=off", "./-dash.cu"))


class BadUsage(Cli):
    def test_no_file(self):
        self.assert_code(2, self.run_program())
        self.assert_refused("no file to lint", "usage: cuda-lint")

    def test_unknown_option(self):
        self.assert_code(2, self.run_program("--chekcs=*", "a.cu"))
        self.assert_refused("unknown option '--chekcs=*'",
                            "did you mean --checks?")

    def test_unknown_gpu(self):
        self.assert_code(2, self.run_program("--gpu=h2000", "a.cu"))
        self.assert_refused("unknown GPU 'h2000'", "h200", "sm_90")

    def test_unknown_check(self):
        self.assert_code(2, self.run_program("--checks=shared-bank", "a.cu"))
        self.assert_refused("--checks", "no check matches 'shared-bank'",
                            "list-checks")

    def test_unknown_format(self):
        self.assert_code(2, self.run_program("--format=yaml", "a.cu"))
        self.assert_refused("'yaml'", "use text, json")

    def test_unknown_order(self):
        self.assert_code(2, self.run_program("--sort=foo", "a.cu"))
        self.assert_refused("'foo'", "--sort", "use waste or line")

    def test_no_number_of_findings(self):
        for number in ("-1", "0", "few", "1.5", "99999999999999999999999"):
            self.assert_code(
                2, self.run_program(f"--max-findings={number}", "a.cu"))
            self.assert_refused(f"--max-findings '{number}'",
                                "positive number")

    def test_block_of_no_threads(self):
        self.assert_code(2, self.run_program("--block=0", "a.cu"))
        self.assert_refused("--block '0'", "at least 1")
        self.assert_code(2, self.run_program("--launch=k=1,0", "a.cu"))
        self.assert_refused("--launch 'k=1,0'", "at least 1")

    def test_negative_sizes(self):
        self.assert_code(2, self.run_program("--block", "-256", "a.cu"))
        self.assert_refused("-256", "at least 1")
        self.assert_code(2, self.run_program("--launch", "k=-4,32", "a.cu"))
        self.assert_refused("grid dimension x is -4")
        self.assert_code(2, self.run_program("--launch", "k=4,32,-8", "a.cu"))
        self.assert_refused("dynamic shared memory is -8")

    def test_absurd_sizes(self):
        self.assert_code(2, self.run_program("--block=1025", "a.cu"))
        self.assert_refused("1025", "sm_90 allows 1024")
        self.assert_code(
            2, self.run_program("--block=123456789012345678901", "a.cu"))
        self.assert_refused("out of range")

    def test_an_empty_value(self):
        self.write("a.cu", COPY)
        for option in ("--checks", "--gpu", "--output", "--cuda-path",
                       "--ptxas-log", "--launch", "--explain-access"):
            self.assert_code(2, self.lint(f"{option}=", "a.cu"))
            self.assert_refused(f"{option} has an empty value")
        for option in ("--checks", "--grid", "--registers"):
            self.assert_code(2, self.run_program("occupancy", f"{option}=",
                                                 "a.cu"))
            self.assert_refused(f"{option} has an empty value")

    def test_an_empty_value_of_the_compiler(self):
        self.write("a.cu", COPY)
        self.assert_code(0, self.lint("a.cu", "--", "-DN=", *MOCK))

    def test_an_empty_value_is_no_value(self):
        # `--min-occupancy "$MIN"` without MIN must not switch the gate off.
        self.write("a.cu", COPY)
        for option in ("--min-occupancy", "--ptxas-timeout", "--block",
                       "--checks", "--launch", "--cuda-path", "--jobs",
                       "--registers", "--ptxas-log", "--ptxas"):
            for spelling in (option, ""), (option + "=",):
                with self.subTest(spelling=spelling):
                    self.assert_code(2, self.lint(*spelling, "a.cu"))
                    self.assertIn(option, self.err)

    def test_a_bad_option_is_found_before_any_file_is_read(self):
        self.write("a.cu", "this is no CUDA")
        self.assert_code(2, self.lint("--gpu=nope", "a.cu"))
        self.assert_refused("nope")


class BadFiles(Cli):
    """Exit code 2: nothing could be analysed."""

    def assert_names(self, name, *fragments):
        self.assertIn(name, self.err)
        for fragment in fragments:
            self.assertIn(fragment, self.err)
        self.assertIn("1 file could not be analysed", self.out)

    def test_missing_file(self):
        self.assert_code(2, self.lint("missing.cu"))
        self.assert_names("missing.cu", "error:", "does not exist")

    def test_folder(self):
        (self.folder / "src.cu").mkdir()
        self.assert_code(2, self.lint("src.cu"))
        self.assert_refused("there is no .cu file below 'src.cu'")

    def test_empty_file(self):
        self.write("empty.cu", "")
        self.assert_code(2, self.lint("empty.cu"))
        self.assert_names("empty.cu", "empty", "no code to lint")

    def test_binary_file(self):
        self.write("a.o", b"\x7fELF\2\1\1" + bytes(100))
        self.assert_code(2, self.lint("a.o"))
        self.assert_names("a.o", "binary", "CUDA source")

    def test_utf16(self):
        for name, text in (("bom.cu", COPY.encode("utf-16")),
                           ("big.cu", COPY.encode("utf-16-be")),
                           ("little.cu", COPY.encode("utf-16-le"))):
            self.write(name, text)
            self.assert_code(2, self.lint(name))
            self.assert_names(name, "UTF-16", "save it as UTF-8")
            self.assertNotIn("binary", self.err)

    def test_prose(self):
        self.write("notes.txt", "Dear reader,\n\nthis is a letter.\n")
        self.assert_code(2, self.lint("notes.txt"))
        self.assert_names("notes.txt", "error:", "is this CUDA source?")

    def test_unreadable_file(self):
        self.write("secret.cu", COPY)
        (self.folder / "secret.cu").chmod(0)
        if os.access(self.folder / "secret.cu", os.R_OK):
            return  # The superuser may read all.
        self.assert_code(2, self.lint("secret.cu"))
        self.assert_names("secret.cu", "permission")

    def test_json_holds_the_reason_too(self):
        document = self.report("missing.cu", code=2)
        unit, = document["units"]
        self.assertEqual(unit["status"], "failed")
        self.assertEqual(unit["errors"][0]["file"], "missing.cu")
        self.assertIn("does not exist", unit["errors"][0]["message"])


class SourceErrors(Cli):
    def test_syntax_error_in_host_code(self):
        self.write("a.cu", COPY + "void run() { int X = ; }\n")
        document = self.report("a.cu", code=3)
        self.assertIn("a.cu:4:22: error: expected expression", self.err)
        unit, = document["units"]
        self.assertEqual(unit["status"], "partial")
        self.assertEqual(unit["errors"][0]["line"], 4)
        self.assertEqual(len(unit["kernels"][0]["accesses"]), 2)

    def test_types_that_nobody_knows(self):
        for text in ("auto &g = missing[n]; g += 1; p[n] = g;",
                     "decltype(auto) g = missing(n); g += 1; p[n] = g;",
                     "Missing g[4]; p[n] = g[n];",
                     "auto g = missing; auto h = g[n]; h.x = p[n];"):
            self.write("a.cu", f"__device__ void f(int *p, int n) {{ {text} }}"
                               "\n" + COPY)
            document = self.report("a.cu", code=3)
            self.assertIn("error: ", self.err)
            kernel, = document["units"][0]["kernels"]
            self.assertEqual(len(kernel["accesses"]), 2)

    def test_missing_include(self):
        self.write("a.cu", '#include "helper.h"\n' + COPY)
        document = self.report("a.cu", code=3)
        self.assertIn("a.cu:1:10: fatal error: 'helper.h' file not found",
                      self.err)
        self.assertIn("a.cu:1:10: note: add its folder: -- -IDIR", self.err)
        kernel, = document["units"][0]["kernels"]
        self.assertEqual(len(kernel["accesses"]), 2)

    def test_the_remedy_for_missing_includes_is_said_once(self):
        self.write("a.cu", '#include "one.h"\n#include "two.h"\n' + COPY)
        self.assert_code(3, self.lint("a.cu"))
        self.assertEqual(self.err.count("file not found"), 2)
        self.assertEqual(self.err.count("add its folder"), 1)

    def test_a_missing_header_is_said_of_one_file(self):
        for name in ("a.cu", "b.cu", "c.cu"):
            self.write(name, '#include "one.h"\n' + COPY + "Thing x;\n")
        self.assert_code(3, self.lint("a.cu", "b.cu", "c.cu"))
        self.assertEqual(self.err.count("file not found"), 1)
        self.assertEqual(self.err.count("add its folder"), 1)
        self.assertNotIn("Thing", self.err)
        self.assertIn("1 error behind the missing header not shown", self.err)
        self.assertIn("2 more files miss headers that are named above",
                      self.err)
        self.assertIn("6 errors in 3 files", self.out)

    def test_a_file_of_errors(self):
        self.write("a.cu", "}}} int\n" * 5000)
        self.assert_code(2, self.lint("a.cu"))
        self.assertIn("more errors not shown", self.err)
        self.assertLess(len(self.err.splitlines()), 100)

    def test_an_array_of_negative_size(self):
        self.write("a.cu", "__global__ void k(int *P) {\n"
                           "  __shared__ int S[-4];\n"
                           "  S[threadIdx.x] = 1; P[0] = S[0];\n}\n" + COPY)
        document = self.report("a.cu", code=3)
        self.assertIn("a.cu:2:20: error:", self.err)
        self.assertIn("negative size", self.err)
        names = {k["name"]: k for k in document["units"][0]["kernels"]}
        self.assertEqual(len(names["_Z4copyPKfPf"]["accesses"]), 2)

    def test_a_kernel_template_that_is_never_instantiated(self):
        self.write("a.cu", "template <class T>\n"
                           "__global__ void fill(T *P) { P[threadIdx.x] = 0; "
                           "}\n")
        self.assert_code(0, self.lint("a.cu"))
        self.assertIn("a.cu:2:", self.err)
        self.assertIn("kernel template 'fill", self.err)
        self.assertIn("never instantiated", self.err)
        self.assert_code(0, self.lint("--quiet", "a.cu"))
        self.assertEqual(self.err, "")

    def test_no_kernels(self):
        self.write("a.cu", "int main() { return 0; }\n")
        self.assert_code(0, self.lint("a.cu"))
        self.assertIn("a.cu: note: there are no kernels", self.err)


class HardKernels(Cli):
    """Code that is legal and unkind. Never a crash, never a wrong number."""

    def accesses(self, text, code=0, **options):
        self.write("a.cu", text)
        kernel, = self.report("a.cu", code=code, **options)[
            "units"][0]["kernels"]
        return kernel["accesses"]

    def test_recursion(self):
        accesses = self.accesses(
            "__device__ int depth(int N) {\n"
            "  return N > 1 ? depth(N / 2) + depth(N - 1) : 1;\n}\n"
            "__global__ void k(int *P) { P[depth(threadIdx.x)] = 1; }\n")
        store, = [a for a in accesses if a["op"] == "store"
                  and a["space"] == "global"]
        self.assertEqual(store["certainty"], "unknown")
        self.assertIsNone(store["per_request"])
        self.assertIn("a.cu:4:31: note: kernel 'k(int *)' calls 'depth(int)', "
                      "which calls itself: ", self.err)

    def test_calls_that_lead_out_of_sight(self):
        self.accesses(
            "extern __device__ int far(int *P);\n"
            "__global__ void k(int *P, int (*F)(int *)) {\n"
            "  P[0] = far(P);\n  P[1] = F(P);\n}\n")
        self.assertIn("a.cu:3:10: note: kernel 'k(int *, int (*)(int *))' "
                      "calls 'far(int*)', whose body is not in this file",
                      self.err)
        self.assertIn("a.cu:4:10: note: kernel 'k(int *, int (*)(int *))' "
                      "calls a function through a pointer: ", self.err)

    def test_names_that_a_terminal_would_obey(self):
        self.accesses(
            '__device__ int odd(int *P) __asm__("we\\033[31mird");\n'
            "__global__ void k(int *P) {\n  P[0] = odd(P);\n}\n")
        self.assertNotIn("\033", self.err)
        self.assertIn("a.cu:3:10: note: kernel 'k(int *)' calls "
                      "'we<U+001B>[31mird', whose body is not", self.err)

    def test_several_kernels_with_the_same_call(self):
        self.write("a.cu", "extern __device__ int far(int *P);\n"
                           "template <int N> __global__ void k(int *P) {\n"
                           "  P[N] = far(P);\n}\n"
                           "template __global__ void k<1>(int *);\n"
                           "template __global__ void k<2>(int *);\n")
        self.assert_code(0, self.lint("a.cu"))
        self.assertIn("' and 1 more call 'far(int*)', whose body", self.err)

    def test_readers_of_the_report_are_told_what_is_not_seen(self):
        self.write("a.cu", "__global__ void k(int *P, int (*F)(int *)) {\n"
                           "  P[1] = F(P);\n}\n"
                           "template <typename T> __global__ void never(T *P) "
                           "{ *P = 1; }\n")
        unit, = self.report("a.cu")["units"]
        pointer, template = unit["notes"]
        self.assertEqual((pointer["file"], pointer["line"],
                          pointer["column"]), ("a.cu", 2, 10))
        self.assertIn("calls a function through a pointer: ",
                      pointer["message"])
        self.assertEqual((template["file"], template["line"]), ("a.cu", 4))
        self.assertIn("is never instantiated here", template["message"])
        self.write("a.cu", COPY)
        unit, = self.report("a.cu")["units"]
        self.assertEqual(unit["notes"], [])

    def test_undefined_overflow(self):
        # Signed overflow has no value: whatever is said must not be `exact`
        # with the number of some wrapped address.
        for index in ("threadIdx.x * 2147483647 * 2147483647",
                      "int(threadIdx.x) * 2147483647",
                      "(int(threadIdx.x) + 2147483647) * 4",
                      "1LL << 62 << threadIdx.x"):
            with self.subTest(index):
                self.accesses("__global__ void k(int *P) {\n"
                              f"  P[{index}] = 1;\n}}\n")

    def test_division_by_zero(self):
        self.accesses("__global__ void k(int *P, int N) {\n"
                      "  P[threadIdx.x / (N * 0)] = 1;\n"
                      "  P[threadIdx.x % (threadIdx.x - threadIdx.x)] = 2;\n"
                      "}\n")

    def test_endless_loops(self):
        self.accesses("__global__ void k(volatile int *P) {\n"
                      "  for (;;) P[threadIdx.x] = 1;\n}\n")
        self.accesses("__global__ void k(int *P) {\n"
                      "  for (unsigned S = 1; S; S *= 2, S |= 1)\n"
                      "    P[threadIdx.x * S] = 1;\n}\n")

    def test_a_block_of_no_threads(self):
        self.write("a.cu", COPY + "void run(float *A) {\n"
                                  "  copy<<<64, 0>>>(A, A);\n}\n")
        self.assert_code(1, self.lint("a.cu"))
        self.assertIn("a.cu:5:", self.out)
        self.assertIn("[invalid-launch]", self.out)

    def test_a_block_of_negative_size(self):
        self.write("a.cu", COPY + "void run(float *A) {\n"
                                  "  copy<<<-4, -32>>>(A, A);\n}\n")
        self.assert_code(1, self.lint("a.cu"))
        self.assertIn("[invalid-launch]", self.out)

    def test_a_switch_of_ten_thousand_cases(self):
        cases = "".join(f"  case {i}: P[threadIdx.x * {i % 7 + 1} + {i}] = {i};"
                        f" break;\n" for i in range(10000))
        accesses = self.accesses("__global__ void k(int *P, int N) {\n"
                                 f"  switch (N) {{\n{cases}  }}\n}}\n")
        self.assertGreaterEqual(len(accesses), 7)

    def test_a_kernel_of_megabytes(self):
        # As long by its expressions as by its statements.
        count = 1_000
        tail = "".join(f" + (N ^ {i}) * (N + {i * 7})" for i in range(115))
        lines = [f"  P[threadIdx.x * {i % 5 + 1} + {i * 256}] = N * {i}{tail};"
                 for i in range(count)]
        text = ("__global__ void k(int *P, int N) {\n" + "\n".join(lines)
                + "\n}\n")
        self.assertGreater(len(text), 2_500_000)
        accesses = self.accesses(text, timeout=150)
        self.assertEqual(len(accesses), count)
        # Lanes i words apart touch 4 * i sectors.
        wrong = [a for a in accesses
                 if a["per_request"] != 4 * ((a["line"] - 2) % 5 + 1)]
        self.assertEqual(wrong[:3], [])

    def test_a_kernel_that_is_too_long(self):
        count = 100_001
        self.write("a.cu", "__global__ void k(int *P) {\n"
                   + "".join(f"  P[threadIdx.x + {i * 256}] = {i};\n"
                             for i in range(count))
                   + "}\n__global__ void other(int *P) {\n"
                     "  P[threadIdx.x] = 1;\n}\n")
        unit, = self.report("a.cu", code=3, timeout=300)["units"]
        said = (f"kernel 'k(int *)' makes {count} accesses of memory, more "
                "than the 100000 that are evaluated: none of them was")
        self.assertEqual(unit["status"], "partial")
        error, = unit["errors"]
        self.assertIn(said, error["message"])
        self.assertEqual((error["file"], error["line"]), ("a.cu", 1))
        self.assertIn(f"a.cu:1:17: error: {said}", " ".join(self.err.split()))
        long, other = unit["kernels"]
        self.assertEqual(long["accesses"], [])
        self.assertIsNone(long["static_shared_bytes"])
        self.assertEqual(len(other["accesses"]), 1)

    def test_deep_nesting(self):
        depth = 3000
        self.accesses("__global__ void k(int *P) {\n  P["
                      + "threadIdx.x + (" * 200 + "1" + ")" * 200
                      + "] = 1;\n}\n")
        # More brackets than Clang allows: its error, and no crash.
        self.write("a.cu", "__global__ void k(int *P) { P["
                           + "(" * depth + "1" + ")" * depth + "] = 1; }\n")
        self.assert_code(3, self.lint("a.cu"))
        self.assertIn("a.cu:1:", self.err)
        self.assertIn("bracket nesting level", self.err)
        # A chain that only recursion over the AST meets.
        self.accesses("__global__ void k(int *P) {\n  P[threadIdx.x"
                      + " + 1" * depth + "] = 1;\n}\n")

    def test_inline_assembly(self):
        accesses = self.accesses(
            "__global__ void k(int *P) {\n"
            '  unsigned Lane; asm("mov.u32 %0, %%laneid;" : "=r"(Lane));\n'
            "  P[Lane] = 1;\n"
            '  int X; asm volatile("nonsense %0, %1;" : "=r"(X) : "r"(1));\n'
            "  P[X] = 2;\n}\n")
        store, = [a for a in accesses if a["line"] == 5]
        self.assertEqual(store["certainty"], "unknown")


class Exits(Cli):
    def test_threshold(self):
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("a.cu"))
        self.assertIn("warning:", self.out)
        self.assert_code(1, self.lint("--fail-on=warning", "a.cu"))
        self.assert_code(1, self.lint("--fail-on=note", "a.cu"))
        self.write("b.cu", TOO_LARGE)
        self.assert_code(1, self.lint("b.cu"))
        self.assert_code(0, self.lint("--fail-on=never", "b.cu"))

    def test_a_check_that_is_off_does_not_count(self):
        self.write("b.cu", TOO_LARGE)
        self.assert_code(0, self.lint("--checks=-invalid-launch", "b.cu"))
        self.assertNotIn("invalid-launch", self.out)
        self.assert_code(1, self.lint("--checks=-*,invalid-*", "b.cu"))

    def test_a_file_that_could_not_be_analysed_wins_over_findings(self):
        self.write("b.cu", TOO_LARGE)
        self.assert_code(3, self.lint("b.cu", "missing.cu"))
        self.assertIn("[invalid-launch]", self.out)
        self.assertIn("missing.cu", self.err)

    def test_standard_output_that_cannot_be_written(self):
        if not os.path.exists("/dev/full"):
            return
        self.write("a.cu", COPY)
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [PROGRAM, WITH_MOCK, "a.cu", "--", *MOCK], cwd=self.folder,
                stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("standard output", result.stderr)


class Output(Cli):
    def test_lines_are_wrapped(self):
        # A summary of more than 40 columns.
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("a.cu", env={"COLUMNS": "40"}))
        summary = self.out[self.out.rindex("\n1 warning") + 1:]
        self.assertGreater(len(summary.splitlines()), 1)
        self.assertLessEqual(max(map(len, summary.splitlines())), 40)
        self.assertIn("accesses predicted)", " ".join(summary.split()))
        self.write("notes.txt", "Dear reader,\n\nthis is a letter.\n")
        self.assert_code(2, self.lint("notes.txt", env={"COLUMNS": "60"}))
        note = self.err[self.err.rindex("notes.txt: note:"):]
        self.assertLessEqual(max(map(len, note.splitlines())), 60)
        self.assertIn("is this CUDA source?", " ".join(note.split()))

    def test_an_input_is_never_replaced(self):
        self.write("a.cu", STRIDED)
        (self.folder / "link.cu").symlink_to("a.cu")
        os.link(self.folder / "a.cu", self.folder / "hard.txt")
        self.write("b.cu", COPY)
        for output in ("a.cu", "./a.cu", "link.cu", "hard.txt",
                       str(self.folder / "a.cu")):
            for command in ([], ["occupancy"]):
                self.assert_code(2, self.run_program(
                    *command, WITH_MOCK, "--output", output, "b.cu", "a.cu",
                    "--", *MOCK))
                self.assert_refused(f"cannot write '{output}'", "input",
                                    "name another file")
        self.assertEqual((self.folder / "a.cu").read_text(), STRIDED)

    def test_a_log_is_never_replaced(self):
        self.write("a.cu", COPY)
        self.write("build.log", "ptxas info    : 0 bytes gmem\n")
        self.assert_code(2, self.lint("--output=build.log",
                                      "--ptxas-log=build.log", "a.cu"))
        self.assert_refused("cannot write 'build.log'", "input")
        self.assertIn("gmem", (self.folder / "build.log").read_text())

    def test_a_file_is_written_whole(self):
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("--format=json", "--output", "r.json",
                                      "a.cu"))
        self.assertEqual(self.out, "")
        document = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(document["schema"], "cuda-lint/1")
        self.assertEqual(self.files(), ["a.cu", "r.json"])

    def test_an_old_result_is_replaced_even_when_nothing_is_found(self):
        self.write("a.cu", COPY)
        self.write("r.txt", "old" * 100000)
        self.assert_code(0, self.lint("--output=r.txt", "a.cu"))
        self.assertNotIn("old", (self.folder / "r.txt").read_text())

    def test_a_place_that_cannot_be_written_is_found_first(self):
        # The file to lint is missing; the output is complained about.
        self.assert_code(2, self.lint("--output=no/such/r.json", "missing.cu"))
        self.assert_refused("cannot write 'no/such/r.json'", "folder")
        self.assert_code(2, self.lint("--output", str(self.folder),
                                      "missing.cu"))
        self.assert_refused("cannot write", "it is a folder")
        self.assertEqual(self.files(), [])

    def test_a_full_disk_leaves_the_old_file(self):
        self.write("a.cu", STRIDED)
        self.write("r.json", "old")

        def limit():
            # A file may not grow beyond 1000 bytes; the signal that says so
            # is ignored, so that writing fails.
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        result = subprocess.run(
            [PROGRAM, WITH_MOCK, "--format=json", "--output=r.json", "a.cu",
             "--", *MOCK], cwd=self.folder, capture_output=True, text=True,
            preexec_fn=limit)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("cannot write 'r.json'", result.stderr)
        self.assertEqual((self.folder / "r.json").read_text(), "old")
        self.assertEqual(self.files(), ["a.cu", "r.json"])

    def test_a_result_is_written_when_some_file_failed(self):
        self.write("a.cu", COPY)
        self.assert_code(3, self.lint("--format=json", "--output=r.json",
                                      "a.cu", "missing.cu"))
        document = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([u["status"] for u in document["units"]],
                         ["ok", "failed"])

    def test_the_same_input_gives_the_same_bytes(self):
        names = [self.write(f"{i}.cu", STRIDED.replace("32", str(8 + i)))
                 for i in range(6)]
        self.assert_code(0, self.lint("--format=json", "-j4", *names))
        first = self.out
        self.assert_code(0, self.lint("--format=json", "-j1",
                                      *reversed(names)))
        self.assertEqual(first, self.out)


class Report(Cli):
    # Two fields of a vector, which are one problem; and three of a kind, each
    # of another array.
    MANY = ("__global__ void k(float4 *V, float *A, float *B, float *C) {\n"
            "  __shared__ float S[1024];\n"
            "  float4 X = V[threadIdx.x];\n"
            "  S[threadIdx.x * 8 + 0] = X.x;\n"
            "  S[threadIdx.x * 8 + 2] = X.y;\n"
            "  __syncthreads();\n"
            "  A[threadIdx.x * 32] = S[threadIdx.x];\n"
            "  B[threadIdx.x * 3] = 1;\n"
            "  C[threadIdx.x * 2] = 2;\n"
            "}\n"
            "void run(float4 *V, float *A) { k<<<9999, 128>>>(V, A, A, A); }\n")

    def warnings(self, *arguments):
        """The lines of the warnings, in the order in which they are told."""
        self.assert_code(0, self.lint(*arguments))
        return [int(line.split(":")[1]) for line in self.out.splitlines()
                if ": warning: " in line]

    def test_one_problem_is_told_once(self):
        self.write("a.cu", self.MANY)
        self.assertNotIn(5, self.warnings("a.cu"))
        self.assertRegex(self.out, "also at line 5")
        document = self.report("a.cu")
        groups = {f["line"]: f["group"]
                  for f in document["units"][0]["findings"]}
        self.assertEqual(groups[4], groups[5])
        self.assertNotEqual(groups[7], groups[8])

    def test_the_dearest_comes_first(self):
        self.write("a.cu", self.MANY)
        # 32 sectors where 4 would do, 12 and 8.
        order = [line for line in self.warnings("a.cu") if line >= 7]
        # The last is less than a tenth of what the kernel moves.
        self.assertEqual(order, [7, 8])
        self.assertIn("1 note of less than 10 % of a kernel, of no cost that "
                      "is known, without a remedy, or of a header's kernel "
                      "that nothing launches, not shown; -v shows all\n",
                      self.out)
        self.lint("-v", "a.cu")
        self.assertIn("a.cu:9:", self.out)
        self.assertNotIn("not shown", self.out)
        self.warnings("a.cu")
        self.assertTrue(self.out.startswith("Where to begin:\n  1. a.cu:"))
        by_line = self.warnings("--sort=line", "a.cu")
        self.assertEqual(by_line, sorted(by_line))
        self.assertEqual(self.warnings("--sort", "waste", "a.cu")[-1], 8)

    def test_so_many_findings(self):
        self.write("a.cu", self.MANY)
        self.assertEqual(len(self.warnings("--max-findings=2", "a.cu")), 2)
        self.assertIn("2 more problems not shown; --max-findings=4 shows all",
                      self.out)
        self.assertEqual(len(self.warnings("--max-findings=9", "a.cu")), 3)
        self.assertIn("a.cu:9:", self.out)
        self.assertNotIn("not shown", self.out)

    def test_all_that_is_known(self):
        self.write("a.cu", self.MANY)
        self.warnings("a.cu")
        self.assertNotIn("note: ", self.out)
        for option in ("-v", "--explain-all"):
            self.warnings(option, "a.cu")
            self.assertIn("a.cu:5:", self.out)
            self.assertIn("8-way", self.out)
            self.assertIn("in kernel 'k(float4 *, ", self.out)

    def test_a_check_that_does_not_run_is_named(self):
        self.write("a.cu", self.MANY)
        self.warnings("a.cu")
        self.assertIn("not looked for: small-grid (needs the SMs of a product, "
                      "such as --gpu h200, not 'sm_90')", self.out)
        self.warnings("--gpu=h200", "a.cu")
        self.assertNotIn("not looked for", self.out)
        self.warnings("-q", "a.cu")
        self.assertNotIn("not looked for", self.out)

    def test_several_targets_are_one_report(self):
        self.write("a.cu", self.MANY)
        both = self.warnings("--gpu=h200", "--gpu=rtx-4090", "a.cu")
        self.assertEqual(len(both), len(set(both)))

    def test_a_finding_in_text(self):
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("a.cu"))
        self.assertIn("a.cu:2:22: warning: ", self.out)
        self.assertIn("[global-uncoalesced]", self.out)
        self.assertIn("Out[threadIdx.x] = In[threadIdx.x * 32];", self.out)
        self.assertIn("1 warning in 1 file", self.out)
        self.assertNotIn("\x1b", self.out)

    def test_colour_on_request(self):
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("--color=always", "a.cu"))
        self.assertIn("\x1b[", self.out)

    def test_the_contract(self):
        self.write("a.cu", STRIDED)
        document = self.report("--gpu=h200", "a.cu")
        self.assertEqual(document["target"], {
            "name": "h200", "compute_capability": "9.0", "sms": 132})
        unit, = document["units"]
        kernel, = unit["kernels"]
        self.assertEqual(kernel["name"], "_Z7stridedPKfPf")
        self.assertIsNone(kernel["resources"])
        launch, = kernel["launches"]
        self.assertEqual((launch["line"], launch["grid"], launch["block"]),
                         (4, [1024, 1, 1], [256, 1, 1]))
        load, = [a for a in kernel["accesses"] if a["op"] == "load"]
        self.assertEqual((load["line"], load["column"], load["space"],
                          load["bytes"], load["unit"], load["per_request"],
                          load["ideal"], load["lanes"]),
                         (2, 22, "global", 4, "sectors", 32, 4, 32))
        finding, = unit["findings"]
        self.assertEqual(finding["check"], "global-uncoalesced")
        self.assertEqual(finding["prediction"], {
            "metric": "sectors_per_request", "value": 32, "ideal": 4})

    def test_several_targets_give_an_array(self):
        self.write("a.cu", STRIDED)
        documents = self.report("--gpu=h200", "--gpu=v100", "a.cu")
        self.assertEqual([d["target"]["name"] for d in documents],
                         ["h200", "v100"])

    def test_the_target_decides(self):
        # 90 blocks fill the 80 SMs of a V100, not the 132 of an H200.
        self.write("a.cu", "__global__ void k(float *D, int N) {\n"
                           "  for (int I = blockIdx.x * 256 + threadIdx.x; "
                           "I < N; I += 256 * gridDim.x)\n"
                           "    D[I] *= 2;\n}\n"
                           "void f(float *D, int N) "
                           "{ k<<<90, 256>>>(D, N); }\n")
        self.lint("--gpu=h200", "a.cu")
        self.assertIn("[small-grid]", self.out)
        self.lint("--gpu=v100", "a.cu")
        self.assertNotIn("[small-grid]", self.out)

    def test_a_shape_from_the_user(self):
        self.write("a.cu", COPY)
        kernel, = self.report("--launch=copy=64,96", "a.cu")[
            "units"][0]["kernels"]
        launch, = kernel["launches"]
        self.assertEqual((launch["grid"], launch["block"], launch["source"]),
                         ([64, 1, 1], [96, 1, 1], "user"))
        self.assertEqual(kernel["accesses"][0]["block"], [96, 1, 1])
        kernel, = self.report("--block=64,2", "a.cu")["units"][0]["kernels"]
        self.assertEqual(kernel["accesses"][0]["block"], [64, 2, 1])

    def test_a_shape_for_a_kernel_that_is_not_there(self):
        self.write("a.cu", COPY)
        self.assert_code(0, self.lint("--launch=copi=64,96", "a.cu"))
        self.assertIn("--launch names kernel 'copi'", self.err)
        self.assertIn("did you mean copy?", self.err)
        self.assert_code(0, self.lint("--registers=copi=40", "a.cu"))
        self.assertIn("--registers names kernel 'copi', which is in none of "
                      "the files; did you mean copy?", self.err)
        # Where none is near, all are named.
        self.assert_code(0, self.lint("--registers=nosuch=40", "a.cu"))
        self.assertIn("kernel 'nosuch', which is in none of the files; they "
                      "hold copy", " ".join(self.err.split()))
        self.assert_code(0, self.lint("--registers=copy=40", "--registers=32",
                                      "a.cu"))
        self.assertNotIn("names kernel", self.err)


class Explain(Cli):
    def test_the_accesses_of_a_line(self):
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("--explain-access", "a.cu:2", "a.cu"))
        self.assertIn("a.cu:2:22: global load of 4 bytes", self.out)
        # Lane 31 is 31 * 128 bytes behind lane 0: sector 31 * 4.
        self.assertIn("    31      3968  124\n", self.out)

    def test_a_line_without_accesses(self):
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("--explain-access=a.cu:1", "a.cu"))
        self.assertIn("a.cu:1: no access was found on this line", self.out)

    def test_the_banks_of_a_conflict(self):
        self.write("a.cu", """__global__ void column(float *Out) {
  __shared__ float Tile[32][32];
  Tile[threadIdx.y][threadIdx.x] = Out[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}
void run(float *A) { column<<<1024, dim3(32, 32)>>>(A); }
""")
        self.assert_code(0, self.lint("--explain-access", "a.cu"))
        self.assertIn("[shared-bank-conflict]", self.out)
        self.assertRegex(self.out, r"(?i)bank")


class SeveralFiles(Cli):
    def test_a_launch_in_another_file(self):
        self.write("kernel.cu", COPY)
        self.write("main.cu", "__global__ void copy(const float *, float *);\n"
                              "void run(float *A, float *B) {\n"
                              "  copy<<<1024, 128>>>(A, B);\n}\n")
        units = self.report("kernel.cu", "main.cu")["units"]
        launch, = units[0]["kernels"][0]["launches"]
        self.assertEqual((launch["file"], launch["line"], launch["block"],
                          launch["source"]),
                         ("main.cu", 3, [128, 1, 1], "launch"))

    def test_an_opt_in_in_another_file(self):
        self.write("kernel.cu", "__global__ void k(float *Out) {\n"
                   "  extern __shared__ float All[];\n"
                   "  All[threadIdx.x] = Out[0]; __syncthreads();\n"
                   "  Out[threadIdx.x] = All[threadIdx.x ^ 1];\n}\n"
                   "void allow();\n"
                   "void run(float *A) { allow(); k<<<4096, 64, 65536>>>(A); }\n")
        self.write("allow.cu", "__global__ void k(float *);\n"
                   "void allow() { cudaFuncSetAttribute(k, "
                   "cudaFuncAttributeMaxDynamicSharedMemorySize, 65536); }\n")
        check = ["--gpu=h200", "--checks=shared-memory-limits"]
        self.assert_code(1, self.lint(*check, "kernel.cu"))
        self.assertIn("assumes", self.out)
        for files in (["kernel.cu", "allow.cu"], ["allow.cu", "kernel.cu"]):
            self.assert_code(0, self.lint(*check, *files))

    def test_what_all_files_of_a_program_set_is_known(self):
        self.write("net.h", "struct Net { int Pitch; };\n"
                            "extern int Threads;\nvoid train(Net *);\n")
        self.write("kernel.cu", """#include "net.h"
__global__ void rows(float *Data, int Pitch) {
  Data[threadIdx.x * Pitch] = 0;
}
void train(Net *N) { rows<<<1024, Threads>>>(nullptr, N->Pitch); }
""")
        main = """#include "net.h"
int Threads = 128;
Net *All[16];
int main(int argc, char **argv) {
  All[argc]->Pitch = %s;
  train(All[argc]);
}
"""
        def kernel(*files):
            found, = self.report(*files)["units"][0]["kernels"]
            return found["launches"][0]["block"], found["accesses"][0]

        # 32 lanes 8 bytes apart: 8 sectors.
        self.write("main.cu", main % "2")
        block, access = kernel("kernel.cu", "main.cu")
        self.assertEqual([128, 1, 1], block)
        self.assertEqual(8, access["per_request"])
        # What the command line gives, nobody knows.
        self.write("main.cu", main % "argc")
        block, access = kernel("kernel.cu", "main.cu")
        self.assertEqual([128, 1, 1], block)
        self.assertNotEqual(8, access["per_request"])
        # Without main, there may be more files.
        block, access = kernel("kernel.cu")
        self.assertEqual([None, 1, 1], block)
        self.assertNotEqual(8, access["per_request"])

    def test_a_grid_of_half_a_cluster(self):
        self.write("a.cu", "__global__ void "
                   "__attribute__((cluster_dims(2, 1, 1))) k(float *Out) "
                   "{ Out[threadIdx.x] = 1; }\n"
                   "void run(float *A) {\n  k<<<64, 64>>>(A);\n"
                   "  k<<<63, 64>>>(A);\n}\n")
        self.assert_code(1, self.lint("--gpu=h200", "--checks=invalid-launch",
                                      "a.cu"))
        self.assertIn("a.cu:4:3: error: launch of 'k(float *)' fails", self.out)
        self.assertNotIn("a.cu:3:3: error", self.out)

    def test_a_file_named_twice_is_analysed_once(self):
        self.write("a.cu", COPY)
        self.assertEqual(len(self.report("a.cu", "a.cu")["units"]), 1)

    def test_errors_of_each_file_are_shown(self):
        names = [self.write(f"{i}.cu", f"int x{i} = nope{i};\n" + COPY)
                 for i in range(4)]
        self.assert_code(3, self.lint(*names))
        for i in range(4):
            self.assertIn(f"{i}.cu:1:10: error:", self.err)


class Commands(Cli):
    def test_list_checks(self):
        self.assert_code(0, self.run_program("list-checks"))
        lines = self.out.splitlines()
        self.assertEqual(lines, sorted(lines))
        for name in ("global-misaligned", "global-uncoalesced",
                     "implicit-double", "invalid-launch", "lone-thread-loop",
                     "obsolete-advice", "partial-warp-block", "runtime-stride",
                     "shared-bank-conflict", "small-grid"):
            self.assertTrue(any(l.startswith(name + " ") for l in lines), name)

    def test_explain_every_check(self):
        self.assert_code(0, self.run_program("list-checks"))
        for line in self.out.splitlines():
            name = line.split()[0]
            with self.subTest(name):
                self.assert_code(0, self.run_program("explain", name))
                self.assertTrue(self.out.startswith(name + ": "))
                for heading in ("Why", "Reported", "Mended", "Limits",
                                "Proof"):
                    self.assertIn(f"\n{heading}\n", self.out)

    def test_explain_something_else(self):
        self.assert_code(2, self.run_program("explain", "small-grids"))
        self.assert_refused("no check is called 'small-grids'",
                            "did you mean small-grid?")

    def test_pages(self):
        (self.folder / "docs").mkdir()
        self.assert_code(0, self.run_program("explain", "--all-markdown",
                                             "docs"))
        self.assertTrue((self.folder / "docs" / "small-grid.md").exists())
        self.assert_code(2, self.run_program("explain", "--all-markdown",
                                             "nowhere"))
        self.assert_refused("cannot write 'nowhere/")

    def test_help_and_version(self):
        self.assert_code(0, self.run_program("--help"))
        self.assertIn("Usage: cuda-lint [options] [FILE...]", self.out)
        for command in ("occupancy", "confirm", "list-checks", "explain"):
            self.assertRegex(self.out, rf"(?m)^  {command}\b")

    def test_version(self):
        self.assert_code(0, self.run_program("list-checks"))
        checks = len(self.out.splitlines())
        self.assert_code(0, self.run_program("--version", WITH_MOCK))
        first, second, third = self.out.splitlines()
        self.assertRegex(first, r"^cuda-lint \d+\.\d+\.\d+$")
        config = shutil.which("llvm-config-22") or shutil.which(
            "llvm-config", path="/usr/lib/llvm-22/bin")
        version = (subprocess.run([config, "--version"], capture_output=True,
                                  text=True, check=True).stdout.strip()
                   if config else r"22\.\d+\.\d+")
        self.assertRegex(second, f"^LLVM {version}, {checks} checks$")
        # The mock has no cuda.h, which holds the number.
        self.assertEqual(f"CUDA toolkit of unknown version in {TOOLKIT}", third)

    def test_version_of_a_toolkit(self):
        (self.folder / "include").mkdir()
        self.write("include/cuda_runtime.h", "")
        self.write("include/cuda.h", "#define CUDA_VERSION 12080\n")
        # The folder stands in the environment, or in front.
        for arguments, environment in (
                (("--version",), {"CUDA_PATH": str(self.folder)}),
                (("--cuda-path", str(self.folder), "--version"), {}),
                (("merge", "--version"), {"CUDA_PATH": str(self.folder)})):
            self.assert_code(0, self.run_program(*arguments, env=environment))
            self.assertTrue(self.out.endswith(
                f"\nCUDA toolkit 12.8 in {self.folder}\n"), self.out)

    def test_version_without_a_toolkit(self):
        self.assert_code(0, self.run_program("--version",
                                             "--cuda-path=nowhere"))
        self.assertIn("\nno CUDA toolkit in 'nowhere': ", self.out)
        code = self.run_program("--version", env={"PATH": str(self.folder),
                                                  "CUDA_PATH": "gone"})
        self.assert_code(0, code)
        self.assertRegex(self.out, r"(?m)^no CUDA toolkit (in CUDA_PATH 'gone'"
                                   r"|found \(looked at CUDA_PATH=gone, )")


class WithoutToolkit(Cli):
    def test_a_path_that_holds_no_toolkit(self):
        self.write("a.cu", COPY)
        self.assert_code(2, self.run_program("--cuda-path=nowhere", "a.cu"))
        self.assertIn("a.cu", self.err)
        self.assertIn("no CUDA toolkit in 'nowhere'", self.err)
        self.assertIn("--cuda-path", self.err)

    def test_no_toolkit_anywhere(self):
        self.write("a.cu", COPY)
        code = self.run_program("a.cu", env={"PATH": str(self.folder),
                                             "CUDA_PATH": "nowhere"})
        if Path("/usr/local/cuda/include/cuda_runtime.h").exists():
            # There is one where it is always looked for.
            self.assert_code(0, code)
            return
        self.assert_code(2, code)
        for place in ("CUDA_PATH=nowhere", "nvcc on PATH", "/usr/local/cuda",
                      "--cuda-path"):
            self.assertIn(place, self.err)

    def test_an_environment_that_names_no_toolkit(self):
        self.write("a.cu", COPY)
        self.write("b.cu", COPY)
        code = self.run_program("--ptxas=off", "a.cu", "b.cu",
                                env={"CUDA_PATH": "gone"})
        if code == 2:  # There is no other; then it is an error.
            self.assertIn("CUDA_PATH=gone", self.err)
            return
        self.assert_code(0, code)
        lines = [line for line in self.err.splitlines() if "'gone'" in line]
        self.assertEqual(len(lines), 1, self.err)
        self.assertRegex(lines[0], "^cuda-lint: warning: no CUDA toolkit in "
                                   "CUDA_PATH 'gone': .*; '/.*' is used "
                                   "instead$")

    def test_an_environment_that_is_not_asked(self):
        self.write("a.cu", COPY)
        self.assert_code(0, self.lint("a.cu", env={"CUDA_PATH": "gone"}))
        self.assertNotIn("gone", self.err)

    def test_the_same_reason_is_given_for_each_file(self):
        self.write("a.cu", COPY)
        self.write("b.cu", COPY)
        self.assert_code(2, self.run_program("--cuda-path=nowhere", "a.cu",
                                             "b.cu"))
        self.assertIn("a.cu", self.err)
        self.assertIn("b.cu", self.err)


# 40 warps of 48 registers fit an SM of Pascal: one block of 21 of them.
CLIFF = """__global__ void scale(float *A) {
  A[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
void run(float *A) { scale<<<280, 641>>>(A); }
"""


class Resources(Cli):
    """Registers, what they make of launches, and the gate."""
    ON_PASCAL = ("--gpu=gtx-1080-ti", "--registers=48")

    def test_one_occupancy_for_each_launch(self):
        self.write("a.cu", CLIFF)
        document = self.report(*self.ON_PASCAL, "a.cu")
        kernel = document["units"][0]["kernels"][0]
        self.assertEqual(kernel["resources"]["registers"], 48)
        self.assertEqual(kernel["resources"]["source"], "user")
        self.assertIsNone(kernel["resources"]["spill_stores"])
        occupancy = kernel["launches"][0]["occupancy"]
        self.assertEqual(occupancy["blocks_per_sm"], 1)
        self.assertEqual(occupancy["warps_per_sm"], 21)
        self.assertEqual(occupancy["limiter"], "registers")
        self.assertEqual(occupancy["waves"], 10)  # 280 blocks on 28 SMs

    def test_what_is_not_known_is_null_and_said(self):
        self.write("a.cu", CLIFF)
        document = self.report("--gpu=gtx-1080-ti", "a.cu")
        kernel = document["units"][0]["kernels"][0]
        self.assertIsNone(kernel["resources"])
        self.assertIsNone(kernel["launches"][0]["occupancy"])
        self.assertIn("cuda-lint: note: registers, spills and barriers",
                      self.err)
        self.assertIn("--registers", self.err)

    def test_nothing_is_said_of_what_was_switched_off(self):
        self.write("a.cu", CLIFF)
        self.report("--gpu=gtx-1080-ti", "--ptxas=off", "a.cu")
        self.assertEqual(self.err, "")

    def test_no_compiler_for_what_it_cannot_help(self):
        """This nvcc takes longer than the test may to compile anything."""
        toolkit = self.folder / "cuda"
        shutil.copytree(TOOLKIT, toolkit)
        (toolkit / "bin").mkdir()
        nvcc = toolkit / "bin/nvcc"
        nvcc.write_text("#!/bin/sh\n"
                        "[ \"$1\" = --dryrun ] || sleep 300\n")
        nvcc.chmod(0o755)
        self.write("empty.cu", "int Host;\n")
        self.write("prose.cu", "Dear reader,\n")
        self.write("device.cu", '#include "/dev/zero"\n' + COPY)
        for code, *options in ((0, "empty.cu"), (2, "prose.cu"),
                               (3, "device.cu"),
                               (0, "--gpu=h100", "--gpu=a100", "empty.cu")):
            self.assert_code(code, self.lint(f"--cuda-path={toolkit}",
                                             "--ptxas-timeout=300", *options,
                                             timeout=60))
        self.assert_code(3, self.lint(f"--cuda-path={toolkit}", "device.cu"))
        self.assertIn("'/dev/zero': it is a device or a pipe", self.err)
        self.assertIn("1 error in 1 file (1 kernel", self.out)

    def test_the_gate(self):
        self.write("a.cu", CLIFF)
        self.assert_code(1, self.lint(*self.ON_PASCAL, "--min-occupancy=50",
                                      "a.cu"))
        self.assertIn("32.8 %, less than the 50 % of --min-occupancy",
                      self.out)
        self.assert_code(0, self.lint(*self.ON_PASCAL, "--min-occupancy=30",
                                      "a.cu"))

    def test_the_gate_says_what_it_cannot_judge(self):
        self.write("a.cu", CLIFF)
        self.assert_code(0, self.lint("--gpu=gtx-1080-ti", "--ptxas=off",
                                      "--min-occupancy=50", "a.cu"))
        self.assertIn("cannot be compared with --min-occupancy: its registers "
                      "are not known", self.out)

    def test_the_gate_names_what_fails_with_any_registers(self):
        # 65540 bytes, and 48 KiB can be static.
        self.write("a.cu", CLIFF.replace(
            "{\n  A[", "{\n  __shared__ float S[16385];\n"
            "  S[threadIdx.x] += A[0];\n  A[", 1))
        self.assert_code(1, self.lint("--gpu=gtx-1080-ti", "--ptxas=off",
                                      "--min-occupancy=50",
                                      "--checks=-*,low-occupancy", "a.cu"))
        self.assertNotIn("cannot be compared", self.out)
        self.assertIn("because the launch fails: 0 %", self.out)

    def test_the_gate_counts_what_is_known(self):
        # 32 blocks of one warp at most: half of 64, whatever the registers.
        self.write("a.cu", CLIFF.replace("641", "32"))
        self.assert_code(1, self.lint("--gpu=gtx-1080-ti", "--ptxas=off",
                                      "--min-occupancy=60", "a.cu"))
        self.assertIn("at most 32 of 64 warps", self.out)

    def test_a_launch_is_told_of_once(self):
        self.write("a.cu", CLIFF)
        self.assert_code(0, self.lint(*self.ON_PASCAL, "-v", "a.cu"))
        found = [line for line in self.out.splitlines()
                 if "48 registers x 21 warps" in line]
        self.assertEqual(1, len(found), self.out)
        self.assertIn("48 registers x 21 warps: 2 blocks need 42 warps of "
                      "registers, 40 fit; at 640 threads, or at 40 registers "
                      "(41 to 48 cost the same), two fit", found[0])
        self.assertIn("24 warps cover the latency", found[0])
        # Each alone says it.
        for check in ("register-cliff", "low-occupancy"):
            self.lint(*self.ON_PASCAL, f"--checks=-*,{check}", "a.cu")
            self.assertIn("two fit", self.out)

    def test_maxnreg_bounds_given_registers(self):
        self.write("a.cu", CLIFF.replace(
            "__global__ void", "__global__ __attribute__((maxnreg(32))) void"))
        document = self.report("--gpu=h200", "--registers=100", "a.cu")
        kernel = document["units"][0]["kernels"][0]
        self.assertEqual(kernel["resources"]["registers"], 32)
        self.assertIn("__maxnreg__(32) leaves a thread of "
                      "'scale(float *)' 32 registers", self.err)
        self.assertNotIn("warning", self.err)

    def test_registers_that_launch_bounds_rule_out(self):
        self.write("a.cu", CLIFF.replace("641", "1024").replace(
            "__global__ void", "__global__ __launch_bounds__(1024) void"))
        self.assert_code(0, self.lint("--gpu=h200", "--registers=80", "a.cu"))
        self.assertNotIn("701", self.out)
        self.assertIn("__launch_bounds__(1024) leaves a thread of "
                      "'scale(float *)' 64 registers on h200", self.err)
        # Without the promise the launch fails.
        self.write("a.cu", CLIFF.replace("641", "1024"))
        self.assert_code(1, self.lint("--gpu=h200", "--registers=80", "a.cu"))
        self.assertIn("701", self.out)

    def test_the_summary(self):
        self.write("a.cu", CLIFF)
        self.assert_code(0, self.lint(*self.ON_PASCAL, "--summary", "a.cu"))
        row = [line for line in self.out.splitlines()
               if line.startswith("scale ")][-1]
        # 280 blocks on 28 SMs.
        self.assertEqual(row.split(), ["scale", "a.cu:4", "280", "641", "48",
                                       "0", "1", "21", "32.8", "%", "registers",
                                       "10.00", "10", "0.0", "%"])

    def test_the_limit_of_registers_is_named(self):
        self.write("a.cu", CLIFF)
        self.write("a.log", "ptxas info    : Compiling entry function "
                   "'_Z5scalePf' for 'sm_90'\n"
                   "ptxas info    : Function properties for _Z5scalePf\n"
                   "    40 bytes stack frame, 40 bytes spill stores, 40 bytes "
                   "spill loads\n"
                   "ptxas info    : Used 24 registers\n")
        self.assert_code(0, self.lint("--ptxas-log=a.log", "a.cu", "--",
                                      "-maxrregcount=24"))
        self.assertIn("-maxrregcount=24 allows no more", self.out)

    def test_a_log_that_is_none(self):
        self.write("a.cu", CLIFF)
        self.write("a.log", "hello\n")
        self.assert_code(2, self.lint("--ptxas-log=a.log", "a.cu"))
        self.assertIn("a.log", self.err)


class WithToolkit(Cli):
    """Tests of what only a real toolkit tells."""

    @classmethod
    def setUpClass(cls):
        if why := tools.why_no_nvcc():
            raise unittest.SkipTest(why)

    def run_with_nvcc(self, *arguments, **options):
        """nvcc reads a few of the toolkit's headers, and Clang the mock, where
        that is all that a file needs: it takes a fraction of the time."""
        if "--" not in arguments:
            arguments += ("--",)
        return self.run_program(*arguments, *FEW_HEADERS, **options)


class Toolkit(WithToolkit):
    def test_the_headers_are_found(self):
        self.write("a.cu", "#include <cuda_runtime.h>\n#include <cstdio>\n"
                   + STRIDED)
        self.assert_code(0, self.run_program("a.cu"))
        self.assertEqual(self.err, "")
        self.assertIn("a.cu:4:22: warning: ", self.out)

    def test_constexpr_functions_of_the_host(self):
        self.write("a.cu", "constexpr int twice(int a) { return 2 * a; }\n"
                   "__global__ void k(int *A) { A[threadIdx.x] = "
                   "twice(A[threadIdx.x]); }\n")
        self.assert_code(0, self.run_program("a.cu"))
        self.assertIn("a.cu: note: device code calls 'twice' (a.cu:1), a "
                      "constexpr function of the host: ", self.err)
        for option in ("--expt-relaxed-constexpr", "-expt-relaxed-constexpr"):
            self.assert_code(0, self.run_program("a.cu", "--", option))
            self.assertEqual(self.err, "")

    def test_nvcc_leaves_out_what_constexpr_functions_of_the_host_do(self):
        """Where the caller is for the host as well, without an error."""
        self.write("a.cu", "struct Plus { constexpr float operator()(float a, "
                   "float b) const { return a + b; } };\n"
                   "template <class F> __host__ __device__ float of(F f, "
                   "float a, float b) { return f(a, b); }\n"
                   "__global__ void k(float *A) { A[threadIdx.x] = "
                   "of(Plus(), A[threadIdx.x], 1); }\n")
        nvcc = Path(tools.toolkit()) / "bin/nvcc"
        for option in ([], ["--expt-relaxed-constexpr"]):
            subprocess.run([nvcc, "-w", "-ptx", "-arch=sm_90", *option, "a.cu",
                            "-o", "a.ptx"], cwd=self.folder, check=True)
            self.assertEqual(bool(option), "st.global" in
                             (self.folder / "a.ptx").read_text())

    def sums_of(count, block):
        return ("__global__ void sums(float *A, int N) {\n" +
                "".join(f"  float s{i} = A[{i} * 1024 + threadIdx.x];\n"
                        for i in range(count)) +
                "  for (int j = 0; j < N; ++j) {\n" +
                "".join(f"    s{i} = s{i} * s{(i + 7) % count} + j;\n"
                        for i in range(count)) +
                "  }\n  A[threadIdx.x] = " +
                " + ".join(f"s{i}" for i in range(count)) + ";\n}\n"
                f"void run(float *A) {{ sums<<<9999, {block}>>>(A, 9); }}\n")

    SUMS = sums_of(64, 256)

    def test_nvcc_says_what_kernels_take(self):
        """Spills of a kernel that must have them: 64 sums that live at once,
        with 24 registers."""
        self.write("a.cu", self.SUMS)
        self.assert_code(0, self.run_with_nvcc(
            "--format=json", "--gpu=h200", "a.cu", "--", "-maxrregcount=24"))
        unit = json.loads(self.out)["units"][0]
        resources = unit["kernels"][0]["resources"]
        self.assertEqual(resources["source"], "nvcc")
        self.assertEqual(resources["registers"], 24)
        # 64 sums of 4 bytes, at most 24 of them in registers.
        self.assertGreaterEqual(resources["local_bytes"], 160)
        self.assertEqual(unit["kernels"][0]["launches"][0]["occupancy"]
                         ["warps_per_sm"], 64)
        spills = [f["message"] for f in unit["findings"]
                  if f["check"] == "register-spill"]
        self.assertEqual(len(spills), 1)
        self.assertIn("-maxrregcount=24 allows no more", spills[0])

    def test_fewer_registers_are_told_where_nothing_spills_with_them(self):
        """By what nvcc prints when it is asked by hand. In blocks of 480, one
        fits an SM with 65 registers or more, and two with 64."""
        nvcc = Path(tools.toolkit()) / "bin/nvcc"
        told = {}
        for sums in (58, 64):
            self.write("a.cu", Toolkit.sums_of(sums, 480))
            said = subprocess.run(
                [nvcc, "-w", "-cubin", "-arch=sm_90", "-maxrregcount=64",
                 "-Xptxas=-v", "a.cu", "-o", "a.cubin"], cwd=self.folder,
                check=True, capture_output=True, text=True).stderr
            self.assert_code(0, self.run_with_nvcc("-v", "--gpu=h200", "a.cu"))
            told[sums] = "at 64 registers" in self.out
            self.assertEqual(told[sums], " 0 bytes spill stores" in said, said)
            self.assertNotIn("unless it spills", self.out)
            # Figures of the user's are nobody's to try.
            self.assert_code(0, self.run_with_nvcc(
                "-v", "--gpu=h200", "--registers=72", "a.cu"))
            self.assertIn("unless it spills", self.out)
        self.assertEqual(sorted(told.values()), [False, True])

    def test_maxnreg_is_kept_by_either_compiler(self):
        self.write("a.cu", self.SUMS.replace("void", "void __maxnreg__(24)", 1))
        for how, source in (("nvcc", "nvcc"), ("clang", "ptxas")):
            with self.subTest(how):
                self.assert_code(0, self.run_program(
                    "--format=json", "--gpu=h200", f"--ptxas={how}", "a.cu"))
                unit = json.loads(self.out)["units"][0]
                resources = unit["kernels"][0]["resources"]
                self.assertEqual(resources["source"], source)
                self.assertEqual(resources["registers"], 24)
                self.assertGreaterEqual(resources["local_bytes"], 160)
                spills = [f["message"] for f in unit["findings"]
                          if f["check"] == "register-spill"]
                self.assertEqual(len(spills), 1)
                self.assertIn("__maxnreg__(24) allows no more", spills[0])

    def test_without_a_stack_there_is_no_local_access(self):
        """nvcc -Xptxas=-v says 0 bytes of stack for constant(), 64 for
        indexed(). Clang's code keeps both arrays in memory."""
        body = ("  int Part[16];\n"
                "  for (int I = 0; I < 16; ++I)\n    Part[I] = A[I] * I;\n"
                "  for (int J = 0; J < N; ++J)\n"
                "#pragma unroll\n"
                "    for (int I = 0; I < 16; ++I)\n"
                "      Part[I] = Part[I] * 5 + Part[(I + 1) % 16];\n")
        self.write("a.cu", "__global__ void constant(int *A, int N) {\n" + body
                   + "  for (int I = 0; I < 16; ++I)\n"
                   "    A[I * 256 + threadIdx.x] = Part[I];\n}\n"
                   "__global__ void indexed(int *A, int N) {\n" + body
                   + "  for (int J = 0; J < N; ++J)\n"
                   "    Part[A[J] & 15] = J;\n"
                   "  A[threadIdx.x] = Part[A[N] & 15];\n}\n"
                   "void run(int *A, int N) {\n"
                   "  constant<<<999, 256>>>(A, N);\n"
                   "  indexed<<<999, 256>>>(A, N);\n}\n")
        self.assert_code(0, self.run_with_nvcc(
            "--format=json", "--gpu=h200", "a.cu"))
        for kernel in json.loads(self.out)["units"][0]["kernels"]:
            spaces = {a["space"] for a in kernel["accesses"]}
            local = kernel["signature"].startswith("indexed")
            self.assertEqual(kernel["resources"]["local_bytes"],
                             64 if local else 0)
            self.assertEqual("local" in spaces, local, kernel["signature"])
        # Nobody knows the stack: the array stays.
        self.assert_code(0, self.run_with_nvcc(
            "--ptxas=off", "--format=json", "--gpu=h200", "a.cu"))
        for kernel in json.loads(self.out)["units"][0]["kernels"]:
            self.assertIn("local", {a["space"] for a in kernel["accesses"]})

    def test_pow_is_double_as_with_nvcc(self):
        """nvcc -ptx has cvt.f64.f32 and fma.rn.f64 for the lines 3 and 4 and
        nothing of f64 for the lines 5 to 7; the double of line 8 is meant."""
        self.write("a.cu", "#include <cmath>\n"
                   "__global__ void k(float *y, double *d, float x, int n) {\n"
                   "  y[0] = pow(x, 2);\n"
                   "  y[1] += std::pow(x + 1, n);\n"
                   "  y[2] = pow(x, 2.0f);\n"
                   "  y[3] = powf(x, 2);\n"
                   "  y[4] = ldexp(x, n);\n"
                   "  d[0] = pow(x, 2);\n}\n")
        self.assert_code(0, self.run_program(
            "--ptxas=off", "--format=json", "--checks=implicit-double",
            "a.cu"))
        findings = json.loads(self.out)["units"][0]["findings"]
        self.assertEqual([3, 4], [f["line"] for f in findings])
        self.assertIn("'pow' here is the double function",
                      findings[0]["message"])

    def test_version(self):
        said = subprocess.run([tools.toolkit() / "bin/nvcc", "--version"],
                              capture_output=True, text=True).stdout
        release = re.search(r"release (\d+\.\d+)", said)[1]
        self.assert_code(0, self.run_program("--version"))
        self.assertRegex(self.out, rf"\nCUDA toolkit {release} in /.*\n$")

    def test_missing_include_beside_the_toolkit(self):
        self.write("a.cu", '#include "helper.h"\n' + STRIDED)
        self.assert_code(3, self.run_program("a.cu"))
        self.assertIn("'helper.h' file not found", self.err)
        self.assertIn("[global-uncoalesced]", self.out)


class Streams(Cli):
    """Sources and logs that can be read but once."""

    def lint_text(self, text, name, *arguments, shell=None):
        """The report on `text`, piped to the program as the file `name`."""
        command = shell or 'printf %s "$TEXT" | "$PROGRAM" "$@"'
        self.result = subprocess.run(
            ["bash", "-c", command, "bash", WITH_MOCK, name, *arguments,
             "--ptxas=off", "--", *MOCK],
            cwd=self.folder, capture_output=True, text=True, timeout=60,
            env={**os.environ, "TEXT": text, "PROGRAM": PROGRAM})
        self.out, self.err = self.result.stdout, self.result.stderr
        return self.result.returncode

    def test_a_pipe_is_linted_like_a_file(self):
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("a.cu", "--ptxas=off"))
        expected = self.out
        self.assertIn("a.cu:2:22: warning: ", expected)
        for name, shown in (("/dev/stdin", "/dev/stdin"), ("-", "<stdin>"),
                            ("/proc/self/fd/0", "/proc/self/fd/0")):
            with self.subTest(name):
                self.assert_code(0, self.lint_text(STRIDED, name))
                self.assertEqual(expected.replace("a.cu", shown), self.out)
        self.assert_code(0, self.lint_text(
            STRIDED, "", shell='"$PROGRAM" "$1" <(cat a.cu) "${@:3}"'))
        self.assertRegex(self.out, r"^/dev/fd/\d+:2:22: warning: ")

    def test_a_named_pipe(self):
        os.mkfifo(self.folder / "pipe.cu")
        self.assert_code(0, self.lint_text(
            STRIDED, "pipe.cu",
            shell='(sleep 0.5; printf %s "$TEXT" >pipe.cu) & "$PROGRAM" "$@"'))
        self.assertIn("pipe.cu:2:22: warning: ", self.out)

    def test_several_targets_and_places(self):
        # Each target parses again, and a place is asked about by either name.
        self.assert_code(0, self.lint_text(
            STRIDED, "-", "--gpu=sm_90", "--gpu=sm_86",
            "--explain-access=-:2"))
        self.assertEqual(1, self.out.count("<stdin>:2:22: warning: "), self.out)
        self.assertEqual(2, self.out.count("<stdin>:2:22: global load"))

    def test_quoted_includes_of_standard_input_are_of_the_working_folder(self):
        self.write("h.h", "#define WIDE 32\n")
        self.assert_code(0, self.lint_text(
            '#include "h.h"\n' + STRIDED.replace("32", "WIDE"), "-"))
        self.assertIn("32 sectors", self.out)

    def test_what_is_empty_or_closed_is_an_error(self):
        self.assert_code(2, self.lint_text("", "-"))
        self.assertIn("is empty", self.err)
        self.assert_code(2, self.lint_text("", "-", shell='"$PROGRAM" "$@" <&-'))
        self.assertIn("standard input is closed", self.err)

    def test_what_never_ends_is_an_error(self):
        self.write("good.cu", COPY)
        self.assert_code(2, self.lint("/dev/zero"))
        self.assertIn("never ends", self.err)
        self.assert_code(3, self.lint("/dev/zero", "good.cu"))
        self.assertIn("(1 kernel", self.out)
        self.assert_code(2, self.lint("--ptxas-log=/dev/zero", "good.cu"))
        self.assert_refused("'/dev/zero' of --ptxas-log", "never ends")

    def test_a_pipe_that_nobody_writes_to(self):
        os.mkfifo(self.folder / "pipe")
        self.write("good.cu", COPY)
        self.assert_code(2, self.lint("pipe", timeout=20))
        self.assertIn("'pipe' cannot be read: it is a pipe that no program "
                      "writes to", self.err)
        self.assert_code(2, self.lint("good.cu", "--ptxas-log=pipe", timeout=20))
        self.assert_refused("it is a pipe that no program writes to")
        self.write("a.cu", '#include "pipe"\n' + COPY)
        self.assert_code(3, self.lint("a.cu", timeout=20))
        self.assertEqual(self.err.count("pipe': it is a device or a pipe"), 1)
        # A log may come through one.
        self.assert_code(2, self.lint_text(
            "nothing", "good.cu", "--ptxas-log=/dev/stdin"))
        self.assertIn("no output of ptxas -v", self.err)


class Limits(Cli):
    """What the system does not give, and what has no end."""

    def limited(self, limits, *arguments, code, cwd=None):
        result = subprocess.run(
            ["bash", "-c", f'{limits}; "$@" 2>&1', "bash", PROGRAM, WITH_MOCK,
             *arguments, "--", *MOCK],
            cwd=cwd or self.folder, stdout=subprocess.PIPE, text=True,
            timeout=120)
        self.out, self.err = result.stdout, result.stdout
        self.assert_code(code, result.returncode)
        self.assertNotIn("LLVM ERROR", self.out)
        return self.out

    def test_little_memory_is_enough_or_an_error(self):
        self.write("a.cu", STRIDED)
        self.write("b.cu", COPY)
        out = self.limited("ulimit -v 1500000", "a.cu", "b.cu", "--ptxas=off",
                           code=0)
        self.assertIn("(2 kernels", out)
        # 4 million tokens that are in memory at once.
        self.write("c.cu", "#define M0 1\n" +
                   "".join(f"#define M{i} M{i - 1}+M{i - 1}\n"
                           for i in range(1, 23)) +
                   "#define TWICE(x) x+x\nint I = TWICE(M22);\n" + COPY)
        out = self.limited("ulimit -v 600000", "a.cu", "c.cu", "--ptxas=off",
                           "--jobs=1", code=3)
        self.assertIn("'c.cu' cannot be parsed: memory ran out", out)
        self.assertIn("32 sectors", out)

    def test_files_that_may_not_grow(self):
        self.write("a.cu", STRIDED)
        out = self.limited("ulimit -f 0", "a.cu", "-o", "x.txt", "--ptxas=off",
                           code=2)
        self.assertIn("cannot write 'x.txt': file too large", out)
        self.assertEqual(["a.cu"], self.files())
        out = self.limited("ulimit -f 0", "a.cu", "--ptxas=off", code=0)
        self.assertIn("32 sectors", out)
        done = subprocess.run(
            ["bash", "-c", 'ulimit -f 0; "$@"', "bash", PROGRAM, "occupancy",
             "--gpu=h200", "--block=256", "--registers=32", "-o", "y.txt"],
            cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(2, done.returncode)
        self.assertIn("cannot write 'y.txt': file too large", done.stderr)

    def test_a_working_folder_that_is_gone(self):
        self.write("a.cu", COPY)
        (self.folder / "gone").mkdir()
        for name in ("a.cu", str(self.folder / "a.cu")):
            (self.folder / "gone").mkdir(exist_ok=True)
            out = self.limited("rmdir ../gone", name, code=2,
                               cwd=self.folder / "gone")
            self.assertIn("the working folder cannot be found", out)

    def test_few_descriptors_and_many_files(self):
        names = [self.write(f"{i}.cu", COPY.replace("copy", f"copy{i}"))
                 for i in range(100)]
        out = self.limited("ulimit -n 24", *names, "--ptxas=off", code=0)
        self.assertIn("(100 kernels", out)

    def test_an_include_bomb(self):
        self.write("bomb.h", "#if __INCLUDE_LEVEL__ < 60\n"
                   '#include "bomb.h"\n#include "bomb.h"\n#endif\n')
        self.write("a.cu", '#include "bomb.h"\n' + COPY)
        # Deeper than Clang goes: an error of its own.
        self.write("deep.h", '#include "deep.h"\n#include "deep.h"\n')
        self.write("b.cu", '#include "deep.h"\n' + COPY)
        # Each of many headers twice, and an error in the last one.
        for level in range(40):
            self.write(f"b{level}.h", f'#include "b{level + 1}.h"\n' * 2)
        self.write("b40.h", "int x;\n")
        self.write("c.cu", '#include "b0.h"\n' + COPY)
        self.write("good.cu", COPY)
        self.assert_code(3, self.lint("a.cu", "b.cu", "c.cu", "good.cu",
                                      "--ptxas=off"))
        self.assertIn("'a.cu' includes more than 200000 files", self.err)
        self.assertIn("'c.cu' goes on to include files behind a fatal error",
                      self.err)
        self.assertIn("nested too deeply", self.err)


class CompilerArguments(Cli):
    """What follows -- and compiles nothing."""

    def test_what_asks_for_something_else_is_bad_usage(self):
        self.write("a.cu", COPY)
        for argument in ("--help", "-h", "--version", "-V", "-###",
                         "-dumpversion", "-print-search-dirs",
                         "--cuda-host-only", "--offload-host-only",
                         "--analyze"):
            with self.subTest(argument):
                self.assert_code(2, self.lint("a.cu", "--", argument))
                self.assert_refused(f"'{argument}' asks for something else")

    def test_steps_of_a_build_change_nothing(self):
        self.write("a.cu", STRIDED)
        self.assert_code(0, self.lint("a.cu", "--ptxas=off"))
        expected = self.out
        for arguments in ("-E", "-M", "-MM", "-S", "-S -emit-llvm", "-c -o x.o",
                          "-fsyntax-only", "-v", "--cuda-device-only",
                          "-save-temps", "-dryrun", "--keep"):
            with self.subTest(arguments):
                self.assert_code(0, self.lint("a.cu", "--ptxas=off", "--",
                                              *arguments.split()))
                self.assertEqual(expected, self.out)
                self.assertEqual("", self.err)
                self.assertEqual(["a.cu"], self.files())

    def test_files_of_arguments(self):
        self.write("a.cu", STRIDED.replace("32", "WIDE"))
        self.write("args.rsp", "-DWIDE=32 '-DTEXT=\"a b\"'\n")
        for arguments in (["@args.rsp"], ["--options-file", "args.rsp"],
                          ["-optf=args.rsp"]):
            with self.subTest(arguments):
                self.assert_code(0, self.lint("a.cu", "--", *arguments))
                self.assertIn("32 sectors", self.out)
        self.assert_code(2, self.lint("a.cu", "--", "@none"))
        self.assert_refused("cannot read 'none' for the compiler arguments")


class NvccShell(WithToolkit):
    """nvcc runs its parts through a shell. No name and no argument may run
    anything there, and names that are only odd keep their registers."""

    KERNEL = COPY + "void run(float *A) { copy<<<64, 256>>>(A, A); }\n"
    HOSTILE = ("$(touch pwn)", "`touch pwn`", ";touch pwn;", "a|touch pwn",
               "&touch pwn&", ">pwn", "'$(touch pwn)'", "\"$(touch pwn)\"",
               "\\$(touch pwn)", "$(touch pwn)\n", "a\ntouch pwn\n", "-x$(touch pwn)")
    ODD = ("with blank", "Gr\u00fc\u00dfe", "it's", 'say "x"', "a&b", "(1)", "a;b",
           "#1", "100%", "~me", "a,b", "@file", "-dash")

    def registers(self, *arguments, code=0, program=None, **options):
        """Of the kernels, None for some without; nothing else may have
        happened."""
        program = program or self.run_with_nvcc
        self.assert_code(code, program("--format=json", *arguments, **options))
        self.assertEqual([], [p for p in self.folder.rglob("pwn*")])
        self.assertFalse(Path("pwn").exists())
        all = [(kernel["resources"] or {}).get("registers")
               for unit in json.loads(self.out)["units"]
               for kernel in unit["kernels"]]
        return None if None in all else all

    def test_names_of_files(self):
        names = [self.write(name + ".cu", self.KERNEL)
                 for name in self.HOSTILE + self.ODD]
        # An argument like an option is none of ours.
        found = self.registers(*("./" + name for name in names))
        self.assertEqual(len(names), len(found or []), self.err)
        self.assertEqual("", self.err)

    def test_names_of_folders(self):
        names = self.HOSTILE[:3] + self.ODD
        self.write("top.h", "#define TOP 1\n")
        for name in names:
            folder = self.folder / name
            (folder / "sub").mkdir(parents=True)
            (folder / "sub/h.h").write_text("#define SIZE 256\n")
            (folder / "a.cu").write_text(
                '#include "sub/h.h"\n#include "../top.h"\n'
                'static_assert(SIZE == 256 && TOP == 1, "");\n' + self.KERNEL)
        self.assertIsNotNone(self.registers(
            *(f"./{name}/a.cu" for name in names)), self.err)
        self.assertIsNotNone(self.registers(
            *(f"{self.folder}/{name}/a.cu" for name in names[:3])), self.err)

    def test_the_working_folder(self):
        top = self.folder
        self.folder = top / self.HOSTILE[0]
        self.folder.mkdir()
        self.write("h.h", "#define SIZE 1\n")
        self.write("a.cu", "#include <h.h>\n" + self.KERNEL)
        try:
            self.assertIsNotNone(self.registers("a.cu", "--", "-I."), self.err)
        finally:
            self.folder = top
        self.assertEqual([], list(top.rglob("pwn*")))

    def test_what_the_cache_keeps_of_them(self):
        """A change of a header behind an odd name is seen."""
        (self.folder / "in c").mkdir()
        self.write("a b.cu", "#include <h.h>\n#include \"own.h\"\n" +
                   self.KERNEL.replace("{\n", "{\n  __shared__ float S[SIZE]; "
                                       "S[threadIdx.x] = In[0]; __syncthreads()"
                                       "; Out[1] = S[threadIdx.x ^ 1];", 1))
        self.write("own.h", "#define SIZE 256\n")
        for header, size in (("own.h", 256), ("own.h", 512), ("in c/h.h", 64)):
            self.write("own.h", "#define SIZE 256\n")
            self.write("in c/h.h", "\n")
            self.write(header, f"#define SIZE {size}\n" if header == "own.h"
                       else f"#undef SIZE\n#define SIZE {size}\n")
            if header != "own.h":
                self.write("own.h", "\n")
            for _ in range(2):
                self.assertIsNotNone(
                    self.registers("a b.cu", "--", "-Iin c"), self.err)
                kernel, = json.loads(self.out)["units"][0]["kernels"]
                self.assertEqual(4 * size, kernel["resources"]["shared_bytes"])

    def test_include_folders_and_files(self):
        names = self.HOSTILE[:4] + self.ODD
        for option, files in (("-I", False), ("-isystem", False),
                              ("-idirafter", False), ("-include", True)):
            with self.subTest(option):
                # nvcc parts its own lists at commas.
                some = [n for n in names if not set(n) & set('\n"') and
                        ("," not in n or option == "-idirafter")]
                arguments, text = [], ""
                for i, name in enumerate(some):
                    (self.folder / name).mkdir(exist_ok=True)
                    self.write(f"{name}/h{i}.h", f"constexpr int h{i} = 1;\n")
                    if not files:
                        text += f"#include <h{i}.h>\n"
                    text += f"static_assert(h{i} == 1, \"\");\n"
                    name = f"./{name}/h{i}.h" if files else f"./{name}"
                    arguments += ([option + name] if i % 2 and option == "-I"
                                  else [option, name])
                self.write("a.cu", text + self.KERNEL)
                self.assertIsNotNone(
                    self.registers("a.cu", "--", *arguments), self.err)

    def test_definitions(self):
        values = ('"a b"', '"$(touch pwn)"', '"`touch pwn`"', "(1<2)",
                  "sizeof(int) /* ;touch pwn; */", '"it\'s"', "'x'",
                  '"a;touch pwn;b"', '"\u00e9"', '"a|b"', "1|2&3")
        self.write("a.cu", self.KERNEL + "".join(
            f"constexpr auto V{i} = sizeof(M{i});\n"
            for i in range(len(values))) + "static_assert(L == 3, \"\");\n")
        self.assertIsNotNone(self.registers(
            "a.cu", "--", "-DF(x)=(x)+1", "-DL=F(2)", "-DG=\"A\"", "-UG",
            *(f"-DM{i}={value}" for i, value in enumerate(values))), self.err)

    def test_what_the_definition_says_counts(self):
        self.write("a.cu", "__global__ void k(float *A) {\n"
                   "  __shared__ float S[N]; S[threadIdx.x] = A[0];\n"
                   "  __syncthreads(); A[0] = S[threadIdx.x ^ 1];\n}\n"
                   "void run(float *A) { k<<<64, 32>>>(A); }\n")
        self.registers("a.cu", "--", "-DN=(1 ? 64 : 32)")
        kernel, = json.loads(self.out)["units"][0]["kernels"]
        self.assertEqual(256, kernel["resources"]["shared_bytes"])

    def test_what_has_no_safe_form_costs_the_registers_alone(self):
        self.write("a.cu", self.KERNEL)
        for argument in ("-Xptxas=$(touch pwn)", "-Xcudafe=`touch pwn`",
                         "-maxrregcount=$(touch pwn)", "-Xnvvm=;touch pwn;"):
            with self.subTest(argument):
                self.assertIsNone(self.registers("a.cu", "--", argument))
                self.assertIn(f"nvcc was not run", self.err)
                self.assertIn(f"'{argument}' holds", self.err)

    def test_the_toolkit(self):
        self.write("a.cu", self.KERNEL)
        for name in ("$(touch pwn)", "`touch pwn`", "with blank", 'a"b'):
            with self.subTest(name):
                (self.folder / name).symlink_to(tools.toolkit())
                self.assertIsNotNone(self.registers(
                    "a.cu", f"--cuda-path={self.folder}/{name}",
                    program=self.run_program), self.err)
                self.assertIsNotNone(self.registers(
                    "a.cu", f"--cuda-path={name}", "--ptxas=clang"), self.err)

    def test_the_folder_for_temporary_files(self):
        self.write("a.cu", self.KERNEL)
        for name in ("$(touch pwn)", "with blank"):
            (self.folder / name).mkdir()
            self.assertIsNotNone(self.registers(
                "a.cu", env={"TMPDIR": str(self.folder / name)}), self.err)

    # Four loads that nvcc makes one: what is counted is what the line tables
    # of its code tell.
    MERGED = ("__global__ void four(const float4 *In, float *Out) {\n"
              "  float4 V = In[threadIdx.x];\n"
              "  Out[threadIdx.x] = V.x + V.y + V.z + V.w;\n}\n"
              "#include \"own.h\"\n"
              "void run(float4 *A, float *B) { four<<<64, 256>>>(A, B); }\n")

    def test_line_tables_lead_to_the_names_of_the_user(self):
        reports = []
        for name in ("plain/a.cu", "$(touch pwn)/a b.cu"):
            (self.folder / name).parent.mkdir()
            self.write(str(Path(name).parent / "own.h"), STRIDED)
            self.write(name, self.MERGED)
            # The second is from the cache.
            for _ in range(2):
                self.assertIsNotNone(self.registers("./" + name), self.err)
                reports.append(self.out.replace(
                    str(Path(name).parent), "F").replace(Path(name).name, "N"))
        self.assertEqual(1, len(set(reports)), "\n".join(reports))

    def test_errors_tell_the_names_of_the_user(self):
        self.write("a b.cu", self.KERNEL + "#error no\n")
        self.assertIsNone(self.registers("a b.cu", code=3))
        self.assertIn("it says: a b.cu:5", self.err)
        self.assertNotIn("/cuda-lint-", self.err)


if __name__ == "__main__":
    ctest.main()
