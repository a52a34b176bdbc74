#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--fix, --fix-dry-run and --export-fixes.

A class is a CTest test. CUDA_LINT names the program.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HARNESS = Path(__file__).resolve().parents[1] / "harness"
sys.path.insert(0, str(HARNESS))
import ctest
import tools

from cli_test import MOCK, WITH_MOCK, Cli, WithToolkit

# Rows of 32 floats, of which columns are read: 32 wavefronts instead of 1.
TILE = """__global__ void turn(const float *A, float *B) {
  __shared__ float S[32][32];
  S[threadIdx.y][threadIdx.x] = A[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  B[threadIdx.y * 32 + threadIdx.x] = S[threadIdx.x][threadIdx.y];
}
void run(float *A, float *B) { turn<<<1024, dim3(32, 32)>>>(A, B); }
"""
DOUBLE = """__global__ void scale(float *A) {
  A[blockIdx.x * blockDim.x + threadIdx.x] *= 0.1;
}
void run(float *A) { scale<<<1024, 256>>>(A); }
"""
# Two floats could be one load where the struct says where it may begin.
PAIR = """struct Pair { float X, Y; };
__global__ void norm(const Pair *P, float *Out) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = P[I].X * P[I].X + P[I].Y * P[I].Y;
}
void run(Pair *P, float *Out) { norm<<<4096, 256>>>(P, Out); }
"""


class FixRuns(Cli):
    def setUp(self):
        super().setUp()
        (self.folder / ".git").mkdir()

    def fix(self, *arguments, code=0, **options):
        self.assert_code(code, self.lint("--ptxas=off", *arguments, **options))
        return self.out

    def text(self, name):
        return (self.folder / name).read_bytes().decode("utf-8")

    def names(self):
        return [name for name in self.files() if not name.startswith(".git")]

    def found(self, *arguments):
        self.assert_code(0, self.lint("--ptxas=off", "--format=json",
                                      *arguments))
        return {(f["check"], f["line"]) for u in json.loads(self.out)["units"]
                for f in u["findings"]}


# The lanes of a warp stand in one column.
COLUMN = """__global__ void mul(const float *A, const float *B, float *C, int N) {
  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  int Column = blockIdx.y * blockDim.y + threadIdx.y;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += A[Row * N + K] * B[K * N + Column];
  C[Row * N + Column] = Sum;
}
void run(float *A, float *B, float *C) {
  mul<<<dim3(32, 32), dim3(BLOCK)>>>(A, B, C, 1024);
}
"""


HUNDRED = """__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] *= 2;
  }
}
void run(float *data, int n) {
  scale<<<(n + 99) / 100, 100>>>(data, n);
  scale<<<131072, 8>>>(data, 1 << 20);
}
"""

# 48 registers: two blocks of 640 threads fit, and one of 672.
CLIFF = """__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 2;
}
void run(float *data, int n) {
  scale<<<(n + LESS) / SIZE, SIZE>>>(data, n);
}
"""


# Half of each struct is used.
STRUCTS = """struct P { float x, y, z, w; };
__global__ void scale(P *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i].x += p[i].y;
}
void run(const int n) {
  P *h = (P *)malloc(n * sizeof(P)), *d;
  for (int i = 0; i < n; ++i)
    h[i].x = h[i].y = i;
  cudaMalloc(&d, n * sizeof(P));
  cudaMemcpy(d, h, n * sizeof(P), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(P), cudaMemcpyDeviceToHost);
}
"""


class Fixes(FixRuns):
    def test_structs_become_arrays(self):
        self.write("a.cu", STRUCTS)
        self.fix("--fix", "a.cu")
        self.assertEqual(STRUCTS, self.text("a.cu"))
        self.assertIn("--fix=layout applies it",
                      self.err.replace("\n      ", " "))
        self.fix("--fix=layout", "a.cu")
        # 16 sectors of each of 3 requests, and 4.
        self.assertIn("'scale': 48 -> 12 global sectors per warp",
                      self.err.replace("\n      ", " "))
        for text in ("struct PArrays {", "scale(PArrays p, int n)",
                     "p.x[i] += p.y[i];", "(P *)malloc(n * sizeof(P)), *d;",
                     "PArrays(h, n).x[i] = PArrays(h, n).y[i] = i;",
                     "cudaMalloc(&d, n * sizeof(P));",
                     ">>>(PArrays(d, n), n);"):
            self.assertIn(text, self.text("a.cu"))
        self.assertEqual(set(), {check for check, _ in self.found("a.cu")} &
                         {"global-uncoalesced"})
        # Files of the run that go on as before do not link: nothing is proved
        # of them. A part of the structs is no array of fields.
        for wrong in (("h, d, n *", "h, d, 8 *"), ("+= p[i].y", "= (p + i)->y"),
                      ("int n) {\n  P *", "int m) {\n  int n = m; P *"),):
            text = STRUCTS.replace(*wrong)
            self.assertNotEqual(STRUCTS, text)
            self.write("a.cu", text)
            self.fix("--fix=layout", "a.cu")
            self.assertEqual(wrong[1].startswith("int m"),
                             text != self.text("a.cu"))

    def test_roles_are_swapped_in_square_blocks(self):
        self.write("a.cu", COLUMN.replace("BLOCK", "32, 32"))
        before = self.text("a.cu")
        self.fix("--fix", "a.cu")
        self.assertEqual(before, self.text("a.cu"))
        # Whoever launches it has to keep to square blocks.
        self.assertIn("--fix=layout applies it", self.err.replace("\n      ", " "))
        self.fix("--fix=layout", "a.cu")
        self.assertIn("blockIdx.x * blockDim.x + threadIdx.y",
                      self.text("a.cu"))
        self.assertIn("blockIdx.y * blockDim.y + threadIdx.x",
                      self.text("a.cu"))
        # The same computation needs square blocks, all of them.
        for launches in ("32, 8", "32, 32)>>>(A, B, C, 9);\n"
                         "  mul<<<dim3(8, 8), dim3(32, 16"):
            self.write("a.cu", COLUMN.replace("BLOCK", launches))
            before = self.text("a.cu")
            self.fix("--fix=layout", "a.cu")
            self.assertEqual(before, self.text("a.cu"))

    def test_blocks_become_whole_warps(self):
        self.write("a.cu", HUNDRED)
        self.fix("--fix", "a.cu")
        self.assertEqual(HUNDRED, self.text("a.cu"))
        self.assertIn("--fix=layout applies it",
                      self.err.replace("\n      ", " "))
        self.fix("--fix=layout", "a.cu")
        self.assertEqual(HUNDRED.replace("100", "128").replace("99", "127")
                         .replace("131072, 8", "8192, 128"), self.text("a.cu"))
        self.assertIn("launch blocks of 128 threads instead of 100", self.err)
        self.assertEqual(set(), {check for check, _ in self.found("a.cu")} &
                         {"partial-warp-block"})
        # Where nothing is known of n, either.
        alone = HUNDRED.replace("  scale<<<131072, 8>>>(data, 1 << 20);\n", "")
        self.write("a.cu", alone)
        self.fix("--fix=layout", "a.cu")
        self.assertEqual(alone.replace("100", "128").replace("99", "127"),
                         self.text("a.cu"))
        # A kernel that knows its block keeps it.
        for body in ("data[i] = threadIdx.x;", "data[i] *= blockDim.x;",
                     "__syncthreads(); data[i] *= 2;"):
            text = HUNDRED.replace("data[i] *= 2;", body)
            self.write("a.cu", text)
            self.fix("--fix=layout", "a.cu")
            self.assertIn("<<<(n + 99) / 100, 100>>>", self.text("a.cu"))
            self.assertIn("<<<131072, 8>>>", self.text("a.cu"))

    def test_a_block_goes_over_a_cliff(self):
        text = CLIFF.replace("SIZE", "672").replace("LESS", "671")
        self.write("a.cu", text)
        self.fix("--fix=layout", "--registers=48", "a.cu")
        self.assertEqual(CLIFF.replace("SIZE", "640").replace("LESS", "639"),
                         self.text("a.cu"))

    def test_a_patch_that_git_takes(self):
        self.write("a.cu", TILE)
        patch = self.fix("--fix-dry-run", "a.cu")
        self.assertEqual(TILE, self.text("a.cu"))
        self.assertIn("a.cu:5:39: fix: pad the rows", self.err)
        # 32 requests of one wavefront each, and one of 32.
        self.assertIn("'turn': 33 -> 2 shared wavefronts per warp", self.err)
        self.assertIn("cuda-lint: 1 fix proved in 1 file", self.err)
        self.assertEqual(["--- a/a.cu", "+++ b/a.cu"], patch.splitlines()[:2])
        self.write("p", patch)
        (self.folder / ".git").rmdir()
        subprocess.run(["git", "apply", "--verbose", "p"], cwd=self.folder,
                       check=True, capture_output=True)
        self.assertIn("S[32][32 + 1]", self.text("a.cu"))
        self.assertEqual(set(), self.found("a.cu"))

    def test_files_are_edited_and_keep_what_they_are(self):
        text = "\ufeff" + TILE.replace("\n", "\r\n")
        self.write("a.cu", text.encode("utf-8"))
        os.chmod(self.folder / "a.cu", 0o640)
        os.symlink("a.cu", self.folder / "link.cu")
        self.assertEqual("no findings in 1 file (1 kernel, 4 accesses "
                         "predicted)\n",
                         "".join(self.fix("--fix", "link.cu")
                                 .splitlines(True)[:1]))
        self.assertEqual(text.replace("[32];", "[32 + 1];"), self.text("a.cu"))
        self.assertTrue((self.folder / "link.cu").is_symlink())
        self.assertEqual(0o640, (self.folder / "a.cu").stat().st_mode & 0o777)
        self.assertIn("link.cu:5:39: fixed: ", self.err)
        self.assertIn("cuda-lint: 1 fix applied to 1 file", self.err)
        self.assertEqual(["a.cu", "link.cu"], self.names())
        # There is nothing left to do.
        self.fix("--fix", "a.cu")
        self.assertIn("cuda-lint: 0 fixes applied to 0 files", self.err)

    def test_reports_are_of_the_files_as_they_are(self):
        self.write("a.cu", TILE + DOUBLE)
        document = json.loads(self.fix("--fix", "--format=json", "a.cu"))
        found = {f["check"]: f for f in document["units"][0]["findings"]}
        self.assertEqual(["implicit-double"], list(found))
        edit = found["implicit-double"]["fixes"][0]["edits"][0]
        self.assertEqual("0.1", self.text("a.cu")[edit["offset"] - 3:][:3])

    def test_how_far_it_goes(self):
        self.write("a.cu", TILE)
        self.write("b.cu", DOUBLE)
        self.write("c.cu", PAIR)
        every = ["a.cu", "b.cu", "c.cu"]
        self.fix("--fix", *every)
        self.assertIn("b.cu:2:47: not fixed: make the literals float: it may "
                      "change the last bits of results: --fix=rounding applies "
                      "it", self.err)
        self.assertIn("--fix=layout applies it", self.err)
        self.assertIn("1 fix applied to 1 file, 2 not", self.err)
        self.assertEqual([DOUBLE, PAIR], [self.text(n) for n in every[1:]])
        self.fix("--fix=rounding", *every)
        self.assertEqual(DOUBLE.replace("0.1", "0.1f"), self.text("b.cu"))
        self.assertEqual(PAIR, self.text("c.cu"))
        # Whether the two loads become one, only a compiler knows.
        self.fix("--fix=layout", *every)
        self.assertIn("c.cu:4:17: not fixed: align 'Pair' to 8 bytes", self.err)
        self.assertEqual(PAIR, self.text("c.cu"))
        self.assert_code(2, self.lint("--fix=all", "a.cu"))
        self.assert_refused("unknown kind 'all' for --fix; use safe, "
                            "rounding or layout")

    def test_launches_that_fail(self):
        self.write("r.cu", """template <typename T>
__global__ void app_scale(T *A) {
  A[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
void run(float *A) {
  app_scale<<<4096, 256>>>(A);
  app_scale<<<4096, 1024>>>(A);
}
""")
        self.fix("--registers=80", "--gpu=h200", "--fix", "r.cu")
        self.assertIn("r.cu:7:3: fixed: promise blocks of at most 1024 threads",
                      self.err)
        self.assertIn("__global__ void __launch_bounds__(1024) app_scale(T *A)",
                      self.text("r.cu"))
        shared = """#define BYTES (64 * 1024)
__global__ void turn(float *A) {
  extern __shared__ float S[];
  S[threadIdx.x] = A[threadIdx.x];
  __syncthreads();
  A[threadIdx.x] = S[255 - threadIdx.x];
}
void run(float *A, bool Again) {
  turn<<<1024, 256, BYTES>>>(A);
  if (Again)
    turn<<<1024, 256, 100000>>>(A);
}
"""
        self.write("s.cu", shared)
        self.fix("--gpu=h200", "--fix", "s.cu", code=1)
        # Of the second, a statement more would leave the `if`.
        self.assertEqual(shared.replace("  turn<<<1024, 256, BYTES>>>", (
            "  cudaFuncSetAttribute(turn, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);\n"
            "  turn<<<1024, 256, BYTES>>>"), 1), self.text("s.cu"))
        self.assertIn("s.cu:9:3: fixed: raise the limit of the kernel",
                      self.err)
        self.assertIn("100000", self.out)

    def test_what_is_not_edited(self):
        macro = TILE.replace("void turn", "void other").replace(
            "  __shared__ float S[32][32];", "  TILE(S);").replace(
            "turn<<<", "other<<<")
        self.write("m.cu", "#define TILE(N) __shared__ float N[32][32]\n"
                   + macro)
        self.write("g.cu", "// Written by gen.py. DO NOT EDIT.\n" + TILE)
        before = [self.text("m.cu"), self.text("g.cu")]
        self.fix("--fix", "m.cu", "g.cu")
        self.assertEqual(before, [self.text("m.cu"), self.text("g.cu")])
        self.assertIn("not fixed: pad the rows", self.err)
        self.assertIn("'g.cu' is written by a program", self.err)
        # What others see of this project is theirs.
        project = self.folder / "project"
        (project / ".git").mkdir(parents=True)
        self.write("project/p.cu", '#include "tile.cuh"\n')
        self.write("tile.cuh", TILE)
        self.assert_code(0, self.run_in(project, "--fix", "p.cu", "--", "-I.."))
        self.assertIn("is no file of this project", self.err)
        self.assertEqual(TILE, self.text("tile.cuh"))

    def run_in(self, folder, *arguments):
        old, self.folder = self.folder, folder
        try:
            at = list(arguments).index("--")
            return self.lint("--ptxas=off", *arguments[:at], "--",
                             *arguments[at + 1:])
        finally:
            self.folder = old

    def test_a_header_of_several_files(self):
        self.write("tile.cuh", "#pragma once\n" + TILE)
        for name in ("a.cu", "b.cu"):
            self.write(name, '#include "tile.cuh"\n')
        self.fix("--fix", "a.cu", "b.cu")
        self.assertIn("S[32][32 + 1]", self.text("tile.cuh"))
        self.assertIn("cuda-lint: 1 fix applied to 1 file", self.err)
        self.assertEqual(set(), self.found("a.cu", "b.cu"))

    def test_a_fix_that_another_file_forbids(self):
        # All of the shared memory that a block may have is in use there.
        size = "#ifndef MORE\n#define MORE 1\n#endif\n"
        more = "  __shared__ float Rest[MORE];\n  Rest[threadIdx.x % MORE] += 1;\n"
        self.write("tile.cuh", "#pragma once\n" + size + TILE.replace(
            "  __syncthreads", more + "  __syncthreads"))
        self.write("a.cu", '#include "tile.cuh"\n')
        self.write("b.cu", '#define MORE 11264\n#include "tile.cuh"\n')
        self.fix("--fix", "a.cu", "b.cu")
        self.assertNotIn("32 + 1", self.text("tile.cuh"))

    def test_standard_input(self):
        self.assertIn("+  __shared__ float S[32][32 + 1];",
                      self.fix("--fix-dry-run", "-", stdin=TILE))
        self.fix("--fix", "-", code=2, stdin=TILE)
        self.assert_refused("'<stdin>' cannot be written", "--fix-dry-run")

    def test_bad_usage(self):
        self.write("a.cu", TILE)
        for arguments, words in {
                ("--fix-dry-run", "--format=json", "a.cu"): "prints a patch",
                ("--fix", "--write-baseline=b.json", "a.cu"):
                    "--write-baseline and fixes exclude",
                ("--fix", "--export-fixes=a.cu", "a.cu"): "a.cu",
                ("--export-fixes=no/such/f.yaml", "a.cu"): "no/such/f.yaml",
                ("--export-fixes=", "a.cu"): "--export-fixes"}.items():
            self.assert_code(2, self.lint(*arguments))
            self.assert_refused(words)
        for command in ("occupancy", "merge"):
            self.assert_code(2, self.run_program(command, "--fix", "a.cu"))
            self.assert_refused(f"{command} ")
        self.assertEqual(TILE, self.text("a.cu"))

    def test_silenced_findings_are_not_fixed(self):
        self.write("a.cu", TILE.replace(
            "[threadIdx.y];\n}", "[threadIdx.y]; // NOLINT\n}"))
        self.fix("--fix", "a.cu")
        self.assertNotIn("32 + 1", self.text("a.cu"))


# A column of a flat array, whose pitch the source writes; one array in memory
# that launches give.
FLAT = """#define W 32
__global__ void turn(const float *A, float *B) {
  __shared__ float S[32 * W];
  S[threadIdx.y * W + threadIdx.x] = A[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  B[threadIdx.y * 32 + threadIdx.x] = S[threadIdx.x * W + threadIdx.y];
}
void run(float *A, float *B) { turn<<<1024, dim3(32, 32)>>>(A, B); }
"""
DYNAMIC = """__global__ void sum(const float *A, float *B) {
  extern __shared__ float S[];
  for (int K = 0; K < 16; ++K)
    S[threadIdx.x * 16 + K] = A[K * 256 + threadIdx.x];
  float X = 0;
  for (int K = 0; K < 16; ++K)
    X += S[threadIdx.x * 16 + K] * K;
  B[threadIdx.x] = X;
}
void run(float *A, float *B, int N) {
  sum<<<N, 256, 256 * 16 * sizeof(float)>>>(A, B);
}
"""


# Two tiles in memory that a launch gives, of one of which a column is read.
CARVED = """__global__ void turn(const float *A, float *B) {
  extern __shared__ float S[];
  float *P = S;
  float *Q = S + 32 * 32;
  int X = threadIdx.x, Y = threadIdx.y;
  P[Y * 32 + X] = A[Y * 32 + X];
  Q[Y * 32 + X] = A[1024 + Y * 32 + X];
  __syncthreads();
  B[Y * 32 + X] = P[Y * 32 + 31 - X] + Q[threadIdx.x * 32 + threadIdx.y];
}
void run(float *A, float *B) {
  turn<<<1024, dim3(32, 32), 2 * 32 * 32 * sizeof(float)>>>(A, B);
}
"""


ROWS = """__global__ void sum(const float *A, float *B) {
  __shared__ float S[32][32];
  S[threadIdx.y][threadIdx.x] = A[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  float X = S[threadIdx.x][threadIdx.y];
  for (int K = 0; K < 2 && threadIdx.y < 31; ++K)
    X += S[threadIdx.y][COLUMN];
  B[threadIdx.y * 32 + threadIdx.x] = X;
}
void run(const float *A, float *B) {
  sum<<<4096, dim3(32, 32)>>>(A, B);
}
"""


class Layouts(FixRuns):
    """Other layouts of arrays whose indices are written by hand."""

    def test_a_pitch_that_is_written(self):
        self.write("a.cu", FLAT)
        self.fix("--fix", "a.cu")
        text = self.text("a.cu")
        self.assertIn("float S[(32 * W) + (32 * W) / 32];", text)
        self.assertIn("S[(threadIdx.y * W + threadIdx.x) + "
                      "(threadIdx.y * W + threadIdx.x) / 32] = A", text)
        self.assertIn("= S[(threadIdx.x * W + threadIdx.y) + "
                      "(threadIdx.x * W + threadIdx.y) / 32];", text)
        # As with rows: 32 requests of one wavefront each, and one of 32.
        self.assertIn("'turn': 33 -> 2 shared wavefronts per warp", self.err)
        self.assertEqual(set(), self.found("a.cu"))

    def test_indexes_that_leave_their_rows(self):
        # The last lanes of a row, or all of them, are in the next one.
        for column in ("threadIdx.x + K", "threadIdx.x + 32 * K",
                       "threadIdx.x + 64 * K"):
            self.write("a.cu", ROWS.replace("COLUMN", column))
            before = self.text("a.cu")
            self.fix("--fix", "a.cu")
            self.assertEqual(before, self.text("a.cu"), column)
            self.assertIn("an index runs over the end of its row of 'S', into "
                          "what is another element then (line 7)",
                          self.err.replace("\n      ", " "))
        for column in ("(threadIdx.x + K) % 32", "threadIdx.x"):
            self.write("a.cu", ROWS.replace("COLUMN", column))
            before = self.text("a.cu")
            self.fix("--fix", "a.cu")
            self.assertNotEqual(before, self.text("a.cu"), column)

    def test_what_is_written_twice_has_no_effect(self):
        for index in ("threadIdx.x * W + (N += 0)", "next(N)", "A[0]"):
            self.write("a.cu", "__device__ int next(int &N) { return N++; }\n"
                       + FLAT.replace("float *B)", "float *B, int N = 0)", 1)
                       .replace("  __syncthreads", f"  B[0] = S[int({index})];\n"
                                "  __syncthreads"))
            before = self.text("a.cu")
            self.fix("--fix", "a.cu")
            self.assertEqual(before, self.text("a.cu"), index)

    def test_memory_that_launches_give(self):
        self.write("a.cu", DYNAMIC)
        before = self.text("a.cu")
        self.fix("--fix", "a.cu")
        self.assertEqual(before, self.text("a.cu"))
        self.assertIn("--fix=layout applies it", self.err.replace("\n      ", " "))
        self.fix("--fix=layout", "a.cu")
        self.assertIn("<<<N, 256, (256 * 16 * sizeof(float)) + "
                      "(256 * 16 * sizeof(float)) / 16>>>", self.text("a.cu"))
        self.assertIn("X += S[(threadIdx.x * 16 + K) + "
                      "(threadIdx.x * 16 + K) / 16] * K;", self.text("a.cu"))
        self.assertEqual(set(), {f for f in self.found("a.cu")
                                 if f[0] == "shared-bank-conflict"})

    def test_memory_that_pointers_carve_up(self):
        self.write("a.cu", CARVED)
        self.fix("--fix=layout", "a.cu")
        text = self.text("a.cu")
        for line in ("float *P = S;", "float *Q = S + (32 * 32) + (32 * 32) / 32;",
                     "P[(Y * 32 + X) + (Y * 32 + X) / 32] = A",
                     "Q[(Y * 32 + X) + ((Y * 32 + X) >> 5)] = A",
                     "= P[(Y * 32 + 31 - X) + (Y * 32 + 31 - X) / 32] +",
                     "Q[(threadIdx.x * 32 + threadIdx.y) + "
                     "(threadIdx.x * 32 + threadIdx.y) / 32];",
                     "32), (2 * 32 * 32 * sizeof(float)) + "
                     "(2 * 32 * 32 * sizeof(float)) / 32>>>"):
            self.assertIn(line, text)
        # The load of Q took 32; three others take one each.
        self.assertIn("'turn': 35 -> 4 shared wavefronts per warp", self.err)
        self.assertEqual(set(), self.found("a.cu"))

    def test_a_declared_array_that_pointers_carve_up(self):
        self.write("a.cu", CARVED.replace("extern __shared__ float S[]",
                                          "__shared__ float S[2048]")
                   .replace(", 2 * 32 * 32 * sizeof(float)", ""))
        self.fix("--fix=layout", "a.cu")
        text = self.text("a.cu")
        self.assertIn("float S[2048 + 2048 / 32];", text)
        self.assertIn("S + (32 * 32) + (32 * 32) / 32;", text)
        self.assertEqual(set(), self.found("a.cu"))

    def test_parts_whose_sizes_only_the_run_knows(self):
        for begin in ("S + blockDim.x * 32", "&S[N * 32]", "P + (N + 31) / 32 * 32"):
            self.write("a.cu", CARVED.replace("S + 32 * 32", begin).replace(
                "float *B)", "float *B, int N = 32)", 1))
            self.fix("--fix=layout", "a.cu")
            self.assertIn("1 fix applied", self.err, begin)
        for begin in ("S + N", "S + blockDim.x * blockDim.y", "S + 1025",
                      "S + (N++, 1024)"):
            self.write("a.cu", CARVED.replace("S + 32 * 32", begin).replace(
                "float *B)", "float *B, int N = 1024)", 1))
            before = self.text("a.cu")
            self.fix("--fix=layout", "a.cu")
            self.assertEqual(before, self.text("a.cu"), begin)

    def test_pointers_that_do_more_than_carve_up(self):
        for line in ("  use(Q);", "  Q += 0;", "  if (Q == A) B[0] = 1;",
                     "  float *R = P; P = Q; Q = R;",
                     "  B[0] = *(Q + X);", "  int *R = (int *)Q; R[X] = 1;",
                     "  float4 *R = reinterpret_cast<float4 *>(P); R[0].x = 1;",
                     "  float (*R)[32] = reinterpret_cast<float (*)[32]>(P);\n"
                     "  R[Y][X] = 1;", "#if 0\n  Q[0] = 1;\n#endif"):
            self.write("a.cu", "__device__ void use(float *P) { P[0] = 1; }\n"
                       + CARVED.replace("  __syncthreads();",
                                        f"  __syncthreads();\n{line}"))
            before = self.text("a.cu")
            self.fix("--fix=layout", "a.cu")
            self.assertEqual(before, self.text("a.cu"), line)

    def test_memory_that_another_function_carves_up(self):
        # Under the same name, it is the same memory.
        other = ("__device__ void other(int X) {\n"
                 "  extern __shared__ float S[];\n  float *R = S + 7;\n"
                 "  R[X] = 1;\n}\n")
        for kernel in (CARVED, CARVED.replace("float *P = S;", "")
                       .replace("float *Q = S + 32 * 32;", "")
                       .replace("P[", "S[").replace("Q[", "S[")):
            self.write("a.cu", other + kernel.replace(
                "  __syncthreads();", "  __syncthreads();\n  other(X);"))
            before = self.text("a.cu")
            self.fix("--fix=layout", "a.cu")
            self.assertEqual(before, self.text("a.cu"))

    def test_kernels_that_carve_up_memory_of_their_own(self):
        # Under one name, each for itself.
        self.write("a.cu", CARVED + CARVED.replace("turn", "again")
                   .replace("run", "run_again"))
        self.fix("--fix=layout", "a.cu")
        self.assertEqual(2, self.text("a.cu").count(
            "S + (32 * 32) + (32 * 32) / 32;"))
        # Another build may call what carves it up in another way.
        self.write("a.cu", "#if 0\n__device__ void other() {\n"
                   "  extern __shared__ float S[];\n}\n#endif\n" + CARVED)
        before = self.text("a.cu")
        self.fix("--fix=layout", "a.cu")
        self.assertEqual(before, self.text("a.cu"))

    def test_memory_that_others_give_too(self):
        self.write("a.cu", DYNAMIC + "void (*Table[])(const float *, float *)"
                   " = {sum};\n")
        before = self.text("a.cu")
        self.fix("--fix=layout", "a.cu")
        self.assertEqual(before, self.text("a.cu"))

    def test_instances_of_a_template(self):
        self.write("a.cu", FLAT.replace("#define W 32\n", "template <int W> ")
                   .replace("turn<<<1024, dim3(32, 32)>>>(A, B);",
                            "turn<32><<<1024, dim3(32, 32)>>>(A, B); "
                            "turn<64><<<1024, dim3(32, 32)>>>(A, B);"))
        self.fix("--fix", "a.cu")
        self.assertIn("float S[(32 * W) + (32 * W) / 32];", self.text("a.cu"))

    def test_launches_of_a_header_in_several_files(self):
        kernel, launch = DYNAMIC.split("void run")
        self.write("sum.cuh", "#pragma once\nstatic " + kernel)
        for name in "ab":
            self.write(f"{name}.cu", f'#include "sum.cuh"\nvoid run{name}'
                       + launch)
        turned, launch = COLUMN.split("void run")
        self.write("mul.cuh", "#pragma once\n" + turned)
        for name, block in ("c", "32, 32"), ("d", "32, 8"):
            self.write(f"{name}.cu", f'#include "mul.cuh"\nvoid run{name}'
                       + launch.replace("BLOCK", block))
        every = ["a.cu", "b.cu", "c.cu", "d.cu", "sum.cuh", "mul.cuh"]
        before = [self.text(name) for name in every]
        self.fix("--fix=layout", *every[:4])
        self.assertEqual(before, [self.text(name) for name in every])

    def test_macros_stand_for_more_than_a_name(self):
        self.write("a.cu", "#define II threadIdx.y * W + threadIdx.x\n"
                   "#define N 2048 - 1024\n" + FLAT.replace("32 * W", "N", 1)
                   .replace("S[threadIdx.y * W + threadIdx.x]", "S[II]"))
        self.fix("--fix", "a.cu")
        self.assertIn("S[(N) + (N) / 32];", self.text("a.cu"))
        self.assertIn("S[(II) + (II) / 32] = A", self.text("a.cu"))
        # What a macro is given, it may use twice.
        self.write("a.cu", DYNAMIC.replace(
            "void run", "#define GO(B, L) sum<<<N, 256, L>>>(A, B); B[0] = L\n"
            "void run").replace(
            "sum<<<N, 256, 256 * 16 * sizeof(float)>>>(A, B);",
            "GO(B, 16384);"))
        before = self.text("a.cu")
        self.fix("--fix=layout", "a.cu")
        self.assertEqual(before, self.text("a.cu"))

    def test_code_that_is_left_out(self):
        # Another build would have the old index.
        self.write("a.cu", FLAT.replace(
            "  __sync", "#ifdef DEBUG\n  B[0] = S[1];\n#endif\n  __sync"))
        self.write("b.cu", TILE.replace(
            "  __sync", "#ifdef DEBUG\n  B[0] = sizeof(S);\n#endif\n  __sync"))
        self.write("c.cu", DYNAMIC + "#ifdef SMALL\nvoid small(float *A) "
                   "{ sum<<<1, 64, 4096>>>(A, A); }\n#endif\n")
        every = ["a.cu", "b.cu", "c.cu"]
        before = [self.text(name) for name in every]
        self.fix("--fix=layout", *every)
        self.assertEqual(before, [self.text(name) for name in every])
        # Longer rows are the same for every subscript.
        self.write("b.cu", self.text("b.cu").replace("sizeof(S)", "S[0][0]"))
        self.fix("--fix", "b.cu")
        self.assertIn("S[32][32 + 1]", self.text("b.cu"))

    def test_errors_may_hide_a_use(self):
        self.write("a.cu", FLAT.replace("  __sync", "  what(S);\n  __sync"))
        before = self.text("a.cu")
        self.fix("--fix", "a.cu", code=3)
        self.assertEqual(before, self.text("a.cu"))

    def test_a_swizzle_where_there_is_no_room_for_longer_rows(self):
        # 44 KiB and the tile's 4 are all that a block has.
        self.write("a.cu", TILE.replace(
            "  S[", "  __shared__ float Other[11 * 1024];\n"
            "  Other[threadIdx.x] = A[0];\n  S[", 1).replace(
            "];\n}", "] + Other[threadIdx.x];\n}"))
        self.fix("--fix", "a.cu")
        text = self.text("a.cu")
        self.assertIn("S[threadIdx.y][threadIdx.x ^ (threadIdx.y & 31)] = A",
                      text)
        self.assertIn("= S[threadIdx.x][threadIdx.y ^ (threadIdx.x & 31)] +",
                      text)
        # The store and load of Other, too, are a wavefront each.
        self.assertIn("'turn': 35 -> 4 shared wavefronts per warp", self.err)

    def test_longer_rows_that_leave_some_conflicts(self):
        # Two rows of 16 in a warp: of the loads, each second lane is at an even
        # bank and the others at odd ones; two of the stores share banks.
        source = TILE.replace("32", "16").replace(
            "S[16][16]", "S[16][17]").replace("dim3(16, 16)", "dim3(16, 16)")
        self.write("a.cu", source)
        self.fix("--fix", "a.cu")
        self.assertIn("S[16][17 + 1]", self.text("a.cu"))
        self.assertIn("'turn': 4 -> 3 shared wavefronts per warp", self.err)

    def test_a_header_is_compared_with_itself(self):
        # nvcc would read it as it is on disk: nothing is known of its code.
        self.write("tile.cuh", FLAT)
        self.write("a.cu", '#include "tile.cuh"\n')
        self.fix("--fix", "a.cu")
        self.assertIn("float S[(32 * W) + (32 * W) / 32];", self.text("tile.cuh"))


    def test_an_array_whose_text_is_in_two_files(self):
        # Another file may include the line for an array of its own.
        line = FLAT.splitlines()[3]
        self.write("put.inc", line + "\n")
        self.write("a.cu", FLAT.replace(line, '#include "put.inc"'))
        before = self.text("a.cu"), self.text("put.inc")
        self.fix("--fix", "a.cu")
        self.assertEqual(before, (self.text("a.cu"), self.text("put.inc")))

    def test_a_signal_between_two_files(self):
        # Of a kernel in a header and of one that includes it.
        if not (compiler := shutil.which("gcc")):
            self.skipTest("no gcc")
        self.write("r.c", """#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
int rename(const char *From, const char *To) {
  int (*Real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  int Result = Real(From, To);
  if (strstr(To, "a.cu") || strstr(To, "put.inc"))
    raise(SIGINT);
  return Result;
}
""")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", "r.so", "r.c",
                        "-ldl"], cwd=self.folder, check=True)
        self.write("put.inc", FLAT)
        self.write("a.cu", '#include "put.inc"\n' + FLAT.replace(
            "#define W 32\n", "").replace("turn", "back").replace(
                "void run", "void runBack"))
        environment = {**os.environ, "LD_PRELOAD": str(self.folder / "r.so")}
        done = subprocess.run(
            [os.environ["CUDA_LINT"], WITH_MOCK, "--ptxas=off",
             "--fix", "a.cu", "--", *MOCK], cwd=self.folder,
            env=environment, capture_output=True, text=True)
        self.assertIn(done.returncode, (-signal.SIGINT, 130), done.stderr)
        # Of each fix all edits, or none; and nothing is begun after the signal.
        edited = [self.text(name).count("/ 32") for name in ("a.cu", "put.inc")]
        self.assertEqual([0, 3], edited)
        self.assertEqual([], [name for name in self.names()
                              if "tmp" in name or name.endswith("~")])


class Suffixes(FixRuns):
    def scale(self, body, before=""):
        self.write("a.cu", before + "__global__ void scale(float *A) {\n"
                   "  float X = A[threadIdx.x];\n  A[threadIdx.x] = "
                   + body + ";\n}\n"
                   "void run(float *A) { scale<<<1024, 256>>>(A); }\n")
        self.fix("--fix=rounding", "a.cu")
        return self.text("a.cu").split("A[threadIdx.x] = ")[1].split(";")[0]

    def test_macros_are_converted_where_they_are_used(self):
        define = "#define THIRD 0.333\n"
        self.assertEqual("X * X * float(THIRD) + 1",
                         self.scale("X * X * THIRD + 1", define))
        self.assertIn(define, self.text("a.cu"))
        # What more is in the macro would be computed in double.
        for more in ("#define THIRD (1 + 0.333)\n",
                     "#define THIRD 0.333 * X\n",
                     "#define THIRD OTHER\n#define OTHER -0.333\n"):
            self.assertEqual("X * X * THIRD + 1",
                             self.scale("X * X * THIRD + 1", more))
        self.assertEqual("TWICE(X * X)",
                         self.scale("TWICE(X * X)", "#define TWICE(V) (2.1 * (V))\n"))


class Exports(FixRuns):
    """The YAML of clang-tidy."""

    def exported(self, *arguments):
        self.fix("--export-fixes=f.yaml", *arguments)
        result = subprocess.run(
            ["/usr/bin/python3", str(HARNESS / "yaml_to_json.py"), "f.yaml"],
            cwd=self.folder, capture_output=True, text=True)
        if result.returncode == 77:
            self.skipTest(result.stderr)
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(result.stdout)

    def test_what_the_file_says(self):
        self.write("a.cu", TILE + DOUBLE)
        exported = self.exported("a.cu")
        self.assertEqual(str((self.folder / "a.cu").resolve()),
                         str(Path(exported["MainSourceFile"]).resolve()))
        by_name = {d["DiagnosticName"]: d for d in exported["Diagnostics"]}
        self.assertEqual({"cuda-lint-shared-bank-conflict",
                          "cuda-lint-implicit-double"}, set(by_name))
        message = by_name["cuda-lint-shared-bank-conflict"]["DiagnosticMessage"]
        text = self.text("a.cu")
        self.assertEqual("S[threadIdx.x][threadIdx.y]",
                         text[message["FileOffset"]:][:27])
        replacement, = message["Replacements"]
        at, length = replacement["Offset"], replacement["Length"]
        fixed = (text[:at] + replacement["ReplacementText"]
                 + text[at + length:])
        self.assertEqual([], by_name["cuda-lint-implicit-double"]
                         ["DiagnosticMessage"]["Replacements"])
        # The file was not edited; to edit it gives the same.
        self.fix("--fix", "a.cu")
        self.assertEqual(fixed, self.text("a.cu"))

    def test_an_older_export_is_replaced(self):
        self.write("a.cu", TILE)
        self.write("f.yaml", "old" * 10000)
        self.assertEqual(1, len(self.exported("a.cu")["Diagnostics"]))


class Toolkit(FixRuns, WithToolkit):
    """With nvcc, which compiles the edited text for its registers."""

    SOURCE = """struct Vec3 { float X, Y, Z; };
__global__ void lengths(const Vec3 *V, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X = V[I].X, Y = V[I].Y, Z = V[I].Z;
  Out[I] = sqrtf(X * X + Y * Y + Z * Z);
}
void run(const Vec3 *V, float *Out) { lengths<<<4096, 256>>>(V, Out); }
"""

    def test_a_kernel_that_a_kernel_launches(self):
        self.write("a.cu", DYNAMIC + "__global__ void outer(float *A) "
                   "{ sum<<<1, 256, 16384>>>(A, A); }\n")
        before = self.text("a.cu")
        self.assert_code(0, self.run_program("--gpu=h200", "--fix=layout",
                                             "a.cu", "--", "-rdc=true"))
        self.assertEqual(before, self.text("a.cu"))

    def test_functions_of_double(self):
        self.write("a.cu", """__global__ void scale(float *A) {
  A[threadIdx.x] = pow(A[threadIdx.x], 2) + 1.5 * pow(A[threadIdx.x], 3);
}
void run(float *A) { scale<<<1024, 256>>>(A); }
""")
        self.assert_code(0, self.run_program("--gpu=h200", "--fix=rounding",
                                             "a.cu"))
        self.assertIn("powf(A[threadIdx.x], 2) + 1.5f * "
                      "powf(A[threadIdx.x], 3)", self.text("a.cu"))
        self.assertNotIn("implicit-double", self.out)
        subprocess.run([tools.toolkit() / "bin/nvcc", "-c", "-arch=sm_90",
                        "a.cu"], cwd=self.folder, check=True)

    def test_a_struct_is_aligned(self):
        self.write("a.cu", self.SOURCE)
        self.assert_code(0, self.run_program("--gpu=h200", "--fix=layout",
                                             "a.cu"))
        self.assertIn("struct __align__(16) Vec3", self.text("a.cu"))
        # Three loads of 12 sectors each, one of 16; and a store of 4.
        self.assertIn("'lengths': 40 -> 20 global sectors per warp", self.err)
        self.assertNotIn("global-uncoalesced", self.out)
        subprocess.run([tools.toolkit() / "bin/nvcc", "-cubin", "-arch=sm_90",
                        "a.cu"], cwd=self.folder, check=True)


if __name__ == "__main__":
    ctest.main()
