#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda-lint -p BUILD: files and flags from compile_commands.json.

A class is a CTest test. CUDA_LINT names the program.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

from cli_test import FEW_HEADERS, MOCK, WITH_MOCK, Cli

# A stride that the build decides: each lane has a sector of its own.
STRIDED = """#include "stride.h"
__global__ void copy(const float *In, float *Out) {
  Out[threadIdx.x] = In[threadIdx.x * STRIDE];
}
void run(const float *A, float *B) { copy<<<1024, 256>>>(A, B); }
"""
FLAGS = ["nvcc", "-forward-unknown-to-host-compiler", *MOCK, "-I../include",
         "-O3", "-arch=sm_80", "-Xcompiler=-fPIC,-march=native", "-x", "cu",
         "-c"]


class Project(Cli):
    """A folder with a database in build/."""

    def database(self, *entries, folder="build"):
        """Each entry: a file, from the folder, and what it adds to FLAGS."""
        (self.folder / folder).mkdir(exist_ok=True)
        self.write(f"{folder}/compile_commands.json", json.dumps([
            {"directory": str(self.folder / folder), "file": file,
             "command": shlex.join([*FLAGS, *more, file])}
            for file, *more in entries]))

    def sources(self, *names):
        for folder in ("build", "include", "src"):
            (self.folder / folder).mkdir(exist_ok=True)
        self.write("include/stride.h", "#pragma once\n")
        for name in names:
            self.write(name, STRIDED)

    def run_build(self, *arguments, **options):
        return self.run_program(WITH_MOCK, "--ptxas=off", *arguments,
                                **options)

    def found(self, *arguments, code=0):
        """Places of the findings, as they are printed."""
        self.assert_code(code, self.run_build(*arguments))
        return re.findall(r"^(\S+:\d+):\d+: \w+: load of 'In'", self.out,
                          re.MULTILINE)


class Databases(Project):
    def test_the_flags_of_the_build_decide(self):
        self.sources("src/a.cu", "src/b.cu")
        self.database(("../src/a.cu", "-DSTRIDE=8"),
                      ("../src/b.cu", "-DSTRIDE=1"))
        # Found by itself, named, and without a file.
        for arguments in (("src/a.cu", "src/b.cu"), ("-p", "build"),
                          ("--build=build/compile_commands.json",), (),
                          ("src",), ("src/*.cu",)):
            self.assertEqual(["src/a.cu:3"], self.found(*arguments), arguments)
            self.assertIn("in 2 files", self.out)
        self.assertEqual("", self.err)

    def test_headers_have_the_names_of_this_folder(self):
        self.sources("src/a.cu")
        self.write("rows.h", STRIDED.replace("STRIDE", "8"))
        self.write("src/a.cu", '#include "rows.h"\n')
        # A folder of headers that is that of the run.
        self.database(("../src/a.cu", "-I.."))
        for options in ((), ("--header-filter=^rows",)):
            found, = self.found(*options)
            self.assertIn(found, ("rows.h:3", "./rows.h:3"))
        self.assertEqual([], self.found("--header-filter=^src/"))

    def test_targets_of_the_build(self):
        self.sources("src/a.cu")
        self.database(("../src/a.cu", "-DSTRIDE=8", "-gencode",
                       "arch=compute_90,code=sm_90"))
        self.assert_code(0, self.run_build("--format=json"))
        self.assertEqual(["sm_80", "sm_90"],
                         [d["target"]["name"] for d in json.loads(self.out)])
        self.assert_code(0, self.run_build("--format=json", "--gpu=h200"))
        self.assertEqual("h200", json.loads(self.out)["target"]["name"])

    def test_each_file_for_its_own_targets(self):
        self.sources("src/a.cu", "src/b.cu")
        self.write("src/b.cu", "#if __CUDA_ARCH__ && __CUDA_ARCH__ < 900\n"
                   "#error too old\n#endif\n" + STRIDED)
        flags = [each for each in FLAGS if each != "-arch=sm_80"]
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.folder / "build"), "file": f"../src/{file}",
             "command": shlex.join([*flags, f"-arch={arch}", "-DSTRIDE=8",
                                    f"../src/{file}"])}
            for file, arch in (("a.cu", "sm_80"), ("b.cu", "sm_90"))]))
        self.assert_code(0, self.run_build("--format=json"))
        self.assertEqual([("sm_80", ["src/a.cu"]), ("sm_90", ["src/b.cu"])],
                         [(d["target"]["name"], [u["file"] for u in d["units"]])
                          for d in json.loads(self.out)])
        self.assertEqual(["src/a.cu:3", "src/b.cu:6"], sorted(self.found()))
        # The user wants one for all.
        self.assert_code(0, self.run_build("--format=json", "-p", "build", "--",
                                           "-arch=sm_90"))
        self.assertEqual(2, len(json.loads(self.out)["units"]))
        self.assert_code(3, self.run_build("--gpu=sm_80"))

    def test_what_the_user_adds_comes_last(self):
        self.sources("src/a.cu")
        self.database(("../src/a.cu", "-DSTRIDE=1"))
        self.assertEqual([], self.found("-p", "build"))
        self.assertEqual(["src/a.cu:3"],
                         self.found("-p", "build", "--", "-USTRIDE",
                                    "-DSTRIDE=8"))

    def test_dashes_without_p_mean_no_database(self):
        self.sources("src/a.cu")
        self.database(("../src/a.cu", "-DSTRIDE=1"))
        self.assertEqual(["src/a.cu:3"], self.found(
            "src/a.cu", "--", *MOCK, "-Iinclude", "-DSTRIDE=8"))

    def test_a_header_is_compiled_as_its_neighbour(self):
        self.sources("src/a.cu", "src/part.cuh")
        self.database(("../src/a.cu", "-DSTRIDE=8"))
        self.assertEqual(["src/part.cuh:3"], self.found("src/part.cuh"))
        self.assertEqual("", self.err)
        self.found("src/part.cuh", "-v")
        self.assertIn("'src/part.cuh' is not in", self.err)
        self.assertIn("linted as 'src/a.cu' is compiled", self.err)

    def test_from_another_folder(self):
        self.sources("src/a.cu")
        self.database(("../src/a.cu", "-DSTRIDE=8"))
        (self.folder / "else").mkdir()
        folder, self.folder = self.folder, self.folder / "else"
        try:
            self.assertEqual([f"{folder}/src/a.cu:3"],
                             self.found("-p", "../build"))
            self.assertEqual(["../src/a.cu:3"], self.found("../src/a.cu"))
        finally:
            self.folder = folder

    def test_a_file_that_is_not_there(self):
        self.sources("src/a.cu")
        self.database(("../src/a.cu", "-DSTRIDE=8"), ("../src/gone.cu",))
        self.assertEqual(["src/a.cu:3"], self.found(code=3))
        self.assertIn("src/gone.cu", self.err)
        # Of a checkout that was moved, all are gone: that is said once.
        self.database(("../old/a.cu",), ("../old/b.cu",))
        for arguments in ((), ("-p", "build")):
            self.assert_code(2, self.run_build(*arguments))
            self.assert_refused("compiles files that are not there, such as "
                                "'old/a.cu'; configure the build anew")

    def test_other_languages_are_left_out(self):
        self.sources("src/a.cu", "src/main.cpp")
        self.database(("../src/a.cu", "-DSTRIDE=8"),
                      ("../src/main.cpp", "-x", "c++"))
        self.assertEqual(["src/a.cu:3"], self.found())
        self.assertIn("in 1 file ", self.out)


    def test_what_is_left_out(self):
        self.sources("src/a.cu", "src/b.cu")
        self.write("include/k.cuh", STRIDED.replace("copy", "inHeader")
                   .replace("void run", "inline void runIt"))
        self.write("src/a.cu", '#include "k.cuh"\n' + STRIDED)
        self.database(("../src/a.cu", "-DSTRIDE=8"),
                      ("../src/b.cu", "-DSTRIDE=8"))
        self.assertEqual({"src/a.cu:4", "src/b.cu:3", "include/k.cuh:3"},
                         set(self.found()))
        self.assertEqual(["src/a.cu:4"], self.found(
            "--exclude=*/b.cu", "--header-filter=other"))
        self.assertIn("1 file left out, as it is excluded", self.err)
        self.assertEqual({"src/a.cu:4", "include/k.cuh:3"}, set(self.found(
            "--exclude=src/b*", "--header-filter=include/.*")))
        self.assert_code(2, self.run_build("--exclude=["))
        self.assert_refused("--exclude '[' is no glob")
        self.assert_code(2, self.run_build("--header-filter=("))
        self.assert_refused("--header-filter '(' is no regular expression")

    def test_a_finding_of_a_header_is_told_once(self):
        self.sources()
        self.write("include/k.cuh", STRIDED.replace("copy", "inHeader")
                   .replace("void run", "inline void run"))
        for name in ("src/a.cu", "src/b.cu"):
            self.write(name, '#include "k.cuh"\n')
        self.database(("../src/a.cu", "-DSTRIDE=8"),
                      ("../src/b.cu", "-DSTRIDE=8"))
        self.assertEqual(["include/k.cuh:3"], self.found())
        self.assertIn("1 warning in 2 files", self.out)


    def test_what_includes_a_header_that_has_changed(self):
        self.sources("src/a.cu", "src/b.cu")
        self.write("include/k.cuh", STRIDED.replace("copy", "inHeader")
                   .replace("void run", "inline void runIt"))
        self.write("include/other.h", "")
        self.write("src/a.cu", '#include "k.cuh"\n' + STRIDED)
        self.write("src/b.cu", '#include "other.h"\n' + STRIDED)
        self.database(("../src/a.cu", "-DSTRIDE=8"),
                      ("../src/b.cu", "-DSTRIDE=8"))
        self.write("change.diff", "--- a/include/k.cuh\n+++ b/include/k.cuh\n"
                                  "@@ -3 +3 @@\n-x\n+y\n")
        with open(self.folder / "change.diff", encoding="ascii") as diff:
            stdin = os.dup(0)
            os.dup2(diff.fileno(), 0)
            try:
                found = self.found("--diff", "-")
            finally:
                os.dup2(stdin, 0)
                os.close(stdin)
        self.assertEqual(["include/k.cuh:3"], found)
        self.assertIn("in 1 file ", self.out)


class HostFiles(Project):
    """C++ files of the build, which say with what wrappers are called."""

    WRAPPER = """#include "stride.h"
__global__ void scale(float *Data) {
  Data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
void app::run(float *Data, int Count, int Threads) {
  scale<<<Count / Threads, Threads>>>(Data);
}
"""

    def setUp(self):
        super().setUp()
        self.sources("src/a.cu")
        self.write("src/a.cu", self.WRAPPER)
        self.write("include/stride.h", "#pragma once\nnamespace app { void "
                   "run(float *, int, int); }\n")
        self.database(("../src/a.cu",))
        entries = json.loads((self.folder / "build/compile_commands.json")
                             .read_text())
        for name in ("main", "other", "broken"):
            entries.append({
                "directory": str(self.folder / "build"),
                "file": f"../src/{name}.cpp",
                "command": shlex.join(
                    ["g++", "-O2", "-fPIC", "-march=native", "-I../include",
                     *MOCK, "-c", f"../src/{name}.cpp"])})
        self.write("build/compile_commands.json", json.dumps(entries))
        self.write("src/other.cpp", "int run;  // (run) of nothing\n")
        self.write("src/broken.cpp", "#error no\nint x = ;\n")
        self.write("src/main.cpp", """#include "stride.h"
int main() {
  static float Data[1 << 20];
  app::run(Data, 1 << 20, 128);
  app::run (Data, 1 << 16, 64);
}
""")

    def launches(self, *arguments):
        self.assert_code(0, self.run_build("--format=json", *arguments))
        document = json.loads(self.out)
        self.assertEqual(["src/a.cu"], [u["file"] for u in document["units"]])
        return sorted(((x["grid"][0], x["block"][0])
                       for u in document["units"] for k in u["kernels"]
                       for x in k["launches"]), key=str)

    def test_launches_are_those_of_callers(self):
        expected = [(1024, 64), (8192, 128)]
        self.assertEqual(expected, self.launches())
        self.assertEqual(expected, self.launches("src/a.cu"))
        self.assertEqual(expected, self.launches("src"))
        self.assertEqual("", self.err)
        # One that calls it and cannot be read may pass anything: that is said.
        self.write("src/broken.cpp", "void f() { app::run(1); }\n")
        self.assertEqual([*expected, (None, None)], self.launches())
        self.assertIn("note: 'src/broken.cpp' calls functions that launch "
                      "kernels, and not all of it could be read: "
                      "src/broken.cpp:1: ", self.err)
        self.write("src/broken.cpp", "")
        # Who calls it no more tells nothing, and a file that is gone neither.
        self.write("src/main.cpp", "int main() {}\n")
        self.assertEqual([(None, None)], self.launches())
        (self.folder / "src/main.cpp").unlink()
        self.assertEqual([(None, None)], self.launches())

    def test_an_error_names_the_caller(self):
        main = (self.folder / "src/main.cpp").read_text()
        self.write("src/main.cpp", main.replace("128)", "2048)"))
        self.assert_code(1, self.run_build("--color=never"))
        self.assertIn("block.x is 2048", self.out)
        self.assertIn("called at main.cpp:4", self.out)
        self.assert_code(1, self.run_build("--color=never", "--explain-all"))
        self.assertIn("src/main.cpp:4:3: note: called from here", self.out)


class HostileDatabases(Project):
    def test_what_is_wrong_is_said(self):
        self.sources("src/a.cu")
        cases = {"": "empty", "[{\"file\": ": "JSON", "{}": "array",
                 "[]": "has no entries",
                 '[{"file": "a.cpp", "command": "g++ a.cpp"}]':
                     "no entry of a CUDA file, but 1 of other",
                 "[" * 100000: "nested deeper", "\xff": "JSON"}
        for text, words in cases.items():
            (self.folder / "build/compile_commands.json").write_bytes(
                text.encode("latin-1"))
            self.assert_code(2, self.run_build("-p", "build"))
            self.assert_refused("compile_commands.json", words)
        for build in ("nowhere", "src"):
            self.assert_code(2, self.run_build("-p", build))
            self.assert_refused("compile_commands.json" if build == "src"
                                else "nowhere", "No such file")
        self.assert_code(2, self.run_build("-p", ""))
        self.assert_refused("--build")

    def test_one_that_nobody_asked_for_stops_nothing(self):
        self.sources("src/a.cu")
        self.write("build/compile_commands.json", "[{")
        # It then lacks the flags that this folder's sources need.
        self.run_build("src/a.cu")
        self.assertIn("compile_commands.json': is not JSON", self.err)
        self.assertIn("linted without it", self.err)
        self.assertIn("1 file could not be analysed", self.out)

    def test_no_shell_and_no_plugin(self):
        self.sources("src/a.cu")
        mark = self.folder / "mark"
        self.database(("../src/a.cu", "-DSTRIDE=8", f"-DXA=$(touch {mark})",
                       f"-DXB=`touch {mark}`", ";", "touch", str(mark),
                       "-fplugin=/nowhere/evil.so", "-Xclang", "-load",
                       "-Xclang", "/nowhere/evil.so",
                       "-Xcompiler=-fplugin=/nowhere/b.so"))
        self.assertEqual(["src/a.cu:3"], self.found())
        self.assertFalse(mark.exists())
        self.assertEqual(3, self.err.count("is left out"), self.err)

    def test_no_program_of_the_repository_is_run(self):
        self.sources("src/a.cu")
        mark = self.folder / "mark"
        (self.folder / "evil").mkdir()
        for name in ("nvcc", "gcc", "g++", "evil"):
            path = self.folder / "evil" / name
            path.write_text(f"#!/bin/sh\ntouch {mark}\n")
            path.chmod(0o755)
        for header in ("include", "bin"):
            (self.folder / "tk" / header).mkdir(parents=True)
        self.write("tk/include/cuda_runtime.h", "")
        os.rename(self.folder / "evil/nvcc", self.folder / "tk/bin/nvcc")
        for compiler, *more in (
                ("nvcc", "-ccbin", str(self.folder / "evil/evil")),
                ("nvcc", f"--compiler-bindir={self.folder}/evil"),
                ("nvcc", "-ccbin", "../evil"),
                (str(self.folder / "tk/bin/nvcc"),)):
            self.write("build/compile_commands.json", json.dumps([{
                "directory": str(self.folder / "build"),
                "file": "../src/a.cu", "command": shlex.join(
                    [compiler, *more, *FEW_HEADERS, "-DSTRIDE=8",
                     "-I../include", "../src/a.cu"])}]))
            self.run_program("--no-cache", "-p", "build", timeout=300)
            self.assertFalse(mark.exists(), (compiler, more))
            # Nor one of a folder around: nothing says where the project ends.
            top, self.folder = self.folder, self.folder / "src"
            self.run_program("--no-cache", "-p", "../build", timeout=300)
            self.folder = top
            self.assertFalse(mark.exists(), (compiler, more))
        self.assertIn("tk/bin/nvcc' of the compile commands is not run",
                      self.err)

    def test_a_compiler_that_the_user_has_set_up_is_run(self):
        self.sources("src/a.cu")
        # The toolkit is no part of it.
        (self.folder / ".git").mkdir()
        with tempfile.TemporaryDirectory() as name:
            toolkit = Path(name).resolve() / "tk"
            for folder in ("include", "bin"):
                (toolkit / folder).mkdir(parents=True)
            (toolkit / "include/cuda_runtime.h").write_text("")
            mark = self.folder / "mark"
            nvcc = toolkit / "bin/nvcc"
            nvcc.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
            nvcc.chmod(0o755)
            self.write("build/compile_commands.json", json.dumps([{
                "directory": str(self.folder / "build"),
                "file": "../src/a.cu",
                "command": f"{nvcc} -DSTRIDE=8 -I../include ../src/a.cu"}]))
            self.run_program("--no-cache", "-p", "build")
            self.assertFalse(mark.exists())
            for variables in ({"PATH": f"{nvcc.parent}:{os.environ['PATH']}"},
                              {"CUDA_HOME": str(toolkit)}):
                self.run_program("--no-cache", "-p", "build", env=variables)
                self.assertTrue(mark.exists(), self.err)
                mark.unlink()

    def test_no_file_is_written(self):
        self.sources("src/a.cu")
        before = {str(p) for p in self.folder.rglob("*")}
        for more in (("-Wp,-MD,victim",), ("--serialize-diagnostics", "victim"),
                     ("-MJ", "victim"), ("-MJvictim",), ("-MD", "-MF", "victim"),
                     ("-fmodules", "-fmodules-cache-path=victim"),
                     ("-gen-cdb-fragment-path", "victim", "-index-store-path",
                      "victim"), ("-ftime-trace=victim",), ("-o", "victim"),
                     ("-Xcompiler=-Wp,-MD,victim",), ("-save-temps=obj",)):
            self.database(("../src/a.cu", "-DSTRIDE=8", *more))
            self.assertEqual(["src/a.cu:3"], self.found())
            # After --, too.
            self.found("src/a.cu", "--", *MOCK, "-Iinclude", "-DSTRIDE=8",
                       *more)
        self.assertEqual(before | {str(self.folder / "build" /
                                       "compile_commands.json")},
                         {str(p) for p in self.folder.rglob("*")})

    def test_another_compiler(self):
        self.sources("src/a.cu")
        self.database(("../src/a.cu", "-DSTRIDE=8", "--hipcc-func-supp",
                       "-qopenmp", "-fsycl-unnamed", "--param", "a=1"))
        self.assertEqual(["src/a.cu:3"], self.found())
        self.assertEqual("", self.err)
        self.found("-v")
        self.assertIn("'-qopenmp' is unknown here", self.err)

    def test_names_with_anything_in_them(self):
        self.sources()
        names = ["a b.cu", "q'\".cu", "n\nl.cu", "ä.cu", "$(x).cu", "[z].cu"]
        for name in names:
            self.write(f"src/{name}", STRIDED)
        self.database(*[(f"../src/{name}", "-DSTRIDE=8") for name in names])
        self.assert_code(0, self.run_build("--format=json"))
        self.assertEqual(sorted(f"src/{name}" for name in names), sorted(
            u["file"] for u in json.loads(self.out)["units"]))
        self.assertEqual(len(names), sum(
            len(u["findings"]) for u in json.loads(self.out)["units"]))
        # A name that no JSON can hold.
        (self.folder / os.fsdecode(b"src/\xff.cu")).write_text(STRIDED)
        self.assert_code(0, self.run_build(os.fsdecode(b"src/\xff.cu")))

    def test_a_large_one(self):
        self.sources("src/a.cu")
        entry = json.dumps({"directory": str(self.folder / "build"),
                            "file": "../src/x.cpp",
                            "command": "g++ " + "-Iinclude/of/this " * 60})
        with open(self.folder / "build/compile_commands.json", "w") as out:
            out.write("[")
            for _ in range(90_000):
                out.write(entry + ",\n")
            out.write(json.dumps({
                "directory": str(self.folder / "build"),
                "file": "../src/a.cu",
                "command": shlex.join([*FLAGS, "-DSTRIDE=8"])}) + "]")
        self.assertGreater(
            (self.folder / "build/compile_commands.json").stat().st_size, 1e8)
        # Some seconds. Comparing each entry with each does not end, and CTest
        # ends it.
        self.assertEqual(["src/a.cu:3"], self.found("src/a.cu"))


class CMakeProject(Cli):
    """A project as CMake writes its commands, for nvcc."""

    LISTS = r"""cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX CUDA)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CUDA_ARCHITECTURES 80 90)
set(CMAKE_CUDA_USE_RESPONSE_FILE_FOR_INCLUDES ON)
add_library(kernels STATIC src/rows.cu "src/two words.cu")
target_include_directories(kernels PUBLIC include)
target_compile_definitions(kernels PRIVATE STRIDE=8 "APP_NAME=\"a b\"")
target_compile_options(kernels PRIVATE
  "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-lineinfo>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-fno-gnu-unique>"
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:FEW_HEADERS>")
set_target_properties(kernels PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_executable(app src/main.cpp)
target_link_libraries(app PRIVATE kernels)
"""

    def setUp(self):
        super().setUp()
        for folder in ("src", "include"):
            (self.folder / folder).mkdir()
        self.write("CMakeLists.txt", self.LISTS.replace(
            "FEW_HEADERS", shlex.join(FEW_HEADERS)))
        self.write("include/stride.h", "#pragma once\n")
        self.write("src/rows.cu", STRIDED)
        self.write("src/two words.cu",
                   STRIDED.replace("copy", "other").replace("run", "go")
                   .replace("STRIDE]", "STRIDE + sizeof(APP_NAME) * 0]"))
        self.write("src/main.cpp", "int main() { return 0; }\n")

    def findings(self, generator):
        build = f"build-{generator.split()[0]}"
        known = [options for first in self.folder.glob("build-*")
                 for options in tools.known_compilers(first,
                                                      self.folder / build)]
        subprocess.run(["cmake", "-S", ".", "-B", build, "-G", generator,
                        *known],
                       cwd=self.folder, check=True, capture_output=True)
        self.assert_code(0, self.run_program("-p", build, "--format=json",
                                             timeout=300))
        # All that is to be said is what -rdc=true leaves open.
        self.assertRegex(self.err, r"\Acuda-lint: note: registers and local "
                                   r"memory are those before device linking "
                                   r"\(-rdc=true\)[^\n]*\n\Z")
        documents = json.loads(self.out)
        self.assertEqual(["sm_80", "sm_90"],
                         [d["target"]["name"] for d in documents])
        for unit in documents[0]["units"]:
            # nvcc took the same flags.
            self.assertEqual("nvcc",
                             unit["kernels"][0]["resources"]["source"])
        return [(u["file"], f["check"], f["line"])
                for d in documents for u in d["units"] for f in u["findings"]
                if f["check"] == "global-uncoalesced"]

    def test_generators(self):
        expected = [(file, "global-uncoalesced", 3) for file in
                    ("src/rows.cu", "src/two words.cu")] * 2
        self.assertEqual(expected, self.findings("Ninja"))
        self.assertEqual(expected, self.findings("Unix Makefiles"))


if __name__ == "__main__":
    ctest.main()
