#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `cmake --install` puts somewhere works there: the parts of the program
find each other, and CMake projects find them. A class is a CTest test.
CUDA_LINT_BUILD is the build folder."""

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

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = Path(folder.name)
        cls.build = Path(os.environ["CUDA_LINT_BUILD"])
        done = subprocess.run(
            ["cmake", "--install", cls.build, "--prefix", cls.prefix],
            capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)


class Install(Installed):

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


# A column of a tile: a bank conflict of 32.
KERNEL = """#include <cstdio>
#include SIZES
__global__ void NAME(const float *In, float *Out) {
  __shared__ float Tile[32][COLUMNS];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}
void run_NAME(float *A) { NAME<<<1024, dim3(32, 32)>>>(A, A); }
"""
LISTS = """cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX CUDA)
set(CMAKE_CUDA_ARCHITECTURES 90)
enable_testing()
BEFORE
find_package(CudaLint REQUIRED)
add_library(kernels STATIC one.cu)
add_executable(app two.cu main.cpp)
foreach(target kernels app)
  target_include_directories(${target} PRIVATE include)
  target_compile_definitions(${target} PRIVATE "SIZES=\\"sizes.h\\"")
endforeach()
BEHIND
"""


FEW_HEADERS = ["-nocudainc", "-include",
               str(tools.ROOT / "tests/mock/CudaForClang.h"),
               f"-I{tools.ROOT / 'tests/mock/nvcc'}"]
NO_NVCC = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo 'void run_two(float *) {}' | g++ -x c++ -c - -o "$2"
"""


class Package(Installed):
    """find_package(CudaLint)."""

    @classmethod
    def setUpClass(cls):
        if why := tools.why_no_nvcc():
            raise unittest.SkipTest(why)
        super().setUpClass()
        # What CMake finds out of the compilers, once for all projects.
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        top = Path(folder.name)
        (top / "CMakeLists.txt").write_text(LISTS.split("enable_testing")[0],
                                            encoding="utf-8")
        subprocess.run(["cmake", "-S", top, "-B", top, "-G", "Ninja"],
                       check=True, capture_output=True)
        cls.compilers = top

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = Path(folder.name)
        (self.project / "include").mkdir()
        for name, text in {
                "include/sizes.h": "#define COLUMNS 32\n",
                "one.cu": KERNEL.replace("NAME", "one"),
                "two.cu": KERNEL.replace("NAME", "two"),
                "main.cpp": "void run_two(float *);\n"
                            "int main() { run_two(nullptr); }\n"}.items():
            (self.project / name).write_text(text, encoding="utf-8")

    def run_in(self, *command):
        return subprocess.run(
            command, cwd=self.project, capture_output=True, text=True,
            timeout=300, env={**os.environ,
                              "XDG_CACHE_HOME": str(self.project / "cache")})

    def known_compilers(self, with_nvcc):
        """CMake finds them as they are; without nvcc, for what asks only for
        what is linted and when, with a program in its place."""
        build = self.project / "build"
        if build.exists():
            return []
        options = tools.known_compilers(self.compilers, build)
        if with_nvcc:
            return options
        compiler = self.project / "nvcc"
        compiler.write_text(NO_NVCC, encoding="utf-8")
        compiler.chmod(0o755)
        file, = build.glob("CMakeFiles/*/CMakeCUDACompiler.cmake")
        file.write_text(re.sub(r'(?m)^(set\(CMAKE_CUDA_COMPILER) ".*"',
                               rf'\1 "{compiler}"', file.read_text("utf-8")),
                        encoding="utf-8")
        return options + [f"-DCMAKE_CUDA_FLAGS={shlex.join(FEW_HEADERS)}"]

    def configure(self, before="", behind="", *options, generator="Ninja",
                  with_nvcc=False):
        options = (*options, *self.known_compilers(with_nvcc))
        (self.project / "CMakeLists.txt").write_text(
            LISTS.replace("BEFORE", before).replace("BEHIND", behind),
            encoding="utf-8")
        return self.run_in("cmake", "-S", ".", "-B", "build", "-G", generator,
                           f"-DCMAKE_PREFIX_PATH={self.prefix}", *options)

    def built(self, *arguments, code=0, **options):
        done = self.configure(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.run_in("cmake", "--build", "build")
        self.assertEqual(bool(done.returncode), bool(code),
                         done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_one_target(self):
        for generator in ("Ninja", "Unix Makefiles"):
            said = self.built("", "cuda_lint_target(kernels GPU h200 RESULTS "
                              "${CMAKE_BINARY_DIR}/r)", generator=generator,
                              with_nvcc=generator == "Ninja")
            self.assertEqual(1, said.count("[shared-bank-conflict]"), said)
            self.assertIn("one.cu", said)
            results = list((self.project / "build/r").iterdir())
            self.assertEqual(1, len(results))
            self.assertIn('"h200"', results[0].read_text())
            # What is built is not built again.
            self.assertNotIn("shared-bank-conflict",
                             self.run_in("cmake", "--build", "build").stdout)
            shutil.rmtree(self.project / "build")

    def test_a_gate(self):
        self.assertIn("[shared-bank-conflict]", self.built(
            "", "cuda_lint_target(kernels FAIL_ON warning)", code=1))
        self.assertFalse(list(self.project.glob("build/**/one.cu.o")))

    def test_all_targets(self):
        for before, options, count in (
                ("set(CUDA_LINT ON)", (), 2), ("", ("-DCUDA_LINT=ON",), 2),
                ("set(CUDA_LINT --checks=-*,global-* --gpu=h200)", (), 0)):
            said = self.built(before, "", *options)
            self.assertEqual(count, said.count("[shared-bank-conflict]"), said)
            shutil.rmtree(self.project / "build")
        self.assertNotIn("shared-bank-conflict", self.built())

    def test_a_test_on_the_gpu(self):
        done = self.configure("", "cuda_lint_confirm_test(as_predicted app "
                              "ARGUMENTS 4096 \"two words\")")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        shown = json.loads(self.run_in(
            "ctest", "--test-dir", "build", "--show-only=json-v1").stdout)
        test, = shown["tests"]
        self.assertEqual(
            [str(self.prefix / "bin/cuda-lint"), "confirm",
             "--fail-on=refuted", f"--extra-arg=-I{self.project}/include",
             '--extra-arg=-DSIZES="sizes.h"', f"{self.project}/two.cu", "--",
             f"{self.project}/build/app", "4096", "two words"],
            test["command"])
        labels, = [p["value"] for p in test["properties"]
                   if p["name"] == "LABELS"]
        self.assertEqual(["gpu"], labels)

    def test_bad_usage(self):
        for call, words in {
                "cuda_lint_target(nothing)": "no target 'nothing'",
                "cuda_lint_target(app GPUS h200)": "'GPUS' is none of",
                "cuda_lint_target(app FAIL_ON)": "FAIL_ON has no value",
                "cuda_lint_confirm_test(a nothing)": "no target 'nothing'",
                "add_library(c STATIC main.cpp)\ncuda_lint_confirm_test(a c)":
                    "'c' has no CUDA files"}.items():
            done = self.configure("", call)
            self.assertNotEqual(done.returncode, 0, call)
            self.assertIn(words, " ".join(done.stderr.split()))
        done = self.configure("", "", f"-DCudaLint_DIR={self.source()}",
                              "-DCUDA_LINT_PROGRAM=CUDA_LINT_PROGRAM-NOTFOUND",
                              "-DCMAKE_PREFIX_PATH=",
                              "-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("set CUDA_LINT_PROGRAM", " ".join(done.stderr.split()))

    @staticmethod
    def source():
        return tools.ROOT / "cmake/package"

    def test_in_tree(self):
        said = self.built("", "cuda_lint_target(kernels)",
                          f"-DCudaLint_DIR={self.source()}",
                          f"-DCUDA_LINT_PROGRAM={self.build}/bin/cuda-lint")
        self.assertEqual(1, said.count("[shared-bank-conflict]"), said)


if __name__ == "__main__":
    ctest.main()
