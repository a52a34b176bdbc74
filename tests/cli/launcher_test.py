#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda-lint launcher -- COMPILER ...: a build that is linted beside.

A class is a CTest test. CUDA_LINT names the program.
"""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

from cli_test import (COPY, FEW_HEADERS, MOCK, PROGRAM, STRIDED, TOO_LARGE,
                      TOOLKIT, Cli)

WITH_MOCK = f"--cuda-path={TOOLKIT}"
FOUND = re.compile(r"^\S+: warning: load of 'In' .* \[global-uncoalesced\]$",
                   re.MULTILINE)


class Launcher(Cli):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        self.write("a.cu", STRIDED)

    def compiler(self, script, name="nvcc"):
        """A program of that name which stands for a compiler."""
        path = self.folder / "bin" / name
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def launch(self, *command, options=(WITH_MOCK,), env=None):
        return self.run_program("launcher", *options, "--", *command, env=env)


class Builds(Launcher):
    """What the user of a build sees, with a compiler that is none."""

    def assert_as_without(self, code, *command, env=None):
        """Output and exit code are those of the command alone."""
        environment = {**os.environ, **(env or {})}
        alone = subprocess.run(command, cwd=self.folder, env=environment,
                               capture_output=True, text=True)
        self.assertEqual(code, alone.returncode)
        self.assert_code(code, self.launch(*command, env=env))
        self.assertEqual((alone.stdout, alone.stderr), (self.out, self.err))

    def test_output_and_exit_code_are_the_compilers(self):
        nvcc = self.compiler('echo "out: $*"; echo "err" >&2\n'
                             'case "$*" in *fail*) exit 7;; esac\n')
        self.assert_as_without(0, nvcc, "--version")
        self.assert_as_without(0, nvcc)
        self.assert_as_without(0, nvcc, "-E", "a.cu")
        self.assert_as_without(0, nvcc, "-M", "-x", "cu", "a.cu")
        self.assert_as_without(0, nvcc, "-dryrun", "-c", "a.cu")
        self.assert_as_without(0, nvcc, "-c", "a.cpp", "-o", "a.o")
        self.assert_as_without(0, nvcc, "a.o", "b.o", "-o", "app")
        # One that fails has said why; what is found in its file is no news.
        self.assert_as_without(7, nvcc, "-c", *MOCK, "a.cu", "-DX=fail")
        # A blank, quotes and a line break stay one argument.
        self.assert_as_without(0, nvcc, "-DX=\"a  'b\n", "--version")

    def test_findings_come_behind_what_the_compiler_says(self):
        nvcc = self.compiler('echo first >&2; echo out; sleep 0.2\n'
                             'echo last >&2\n')
        self.assert_code(0, self.launch(nvcc, "-c", *MOCK, "a.cu"))
        self.assertEqual("out\n", self.out)
        self.assertTrue(self.err.startswith("first\nlast\n"), self.err)
        self.assertEqual(1, len(FOUND.findall(self.err)), self.err)
        # Nothing but the finding: a build has one for each of its files.
        self.assertNotIn("1 warning in", self.err)

    def test_standard_input_is_the_compilers(self):
        nvcc = self.compiler("cat\n")
        result = subprocess.run(
            [PROGRAM, "launcher", WITH_MOCK, "--", nvcc, "-c", *MOCK, "a.cu"],
            cwd=self.folder, input="typed\n", capture_output=True, text=True)
        self.assertEqual("typed\n", result.stdout)
        self.assertEqual(0, result.returncode)

    def test_a_compiler_that_is_not_there(self):
        for command in (["./missing", "-c", "a.cu"], ["./missing", "-E"]):
            self.assert_code(127, self.launch(*command))
            self.assertEqual("cuda-lint: error: cannot run './missing': No "
                             "such file or directory\n", self.err)

    def test_bad_usage(self):
        for arguments in ((), ("--",), ("nvcc", "-c", "a.cu"),
                          ("--gpu=h200", "--")):
            self.assert_code(2, self.run_program("launcher", *arguments))
            self.assert_refused("no command to run",
                                "cuda-lint launcher [options] -- nvcc")

    def test_a_wrong_option_does_not_fail_the_build(self):
        nvcc = self.compiler("echo built\n")
        for option, said in (("--gpu=h900", "unknown GPU 'h900'"),
                             ("--nonsense", "unknown option '--nonsense'"),
                             ("b.cu", "'b.cu' is no option")):
            self.assert_code(0, self.launch(nvcc, "-c", "a.cu",
                                            options=(option,)))
            self.assertEqual("built\n", self.out)
            self.assertIn(said, self.err)

    def test_what_it_cannot_read(self):
        nvcc = self.compiler("echo built\n")
        # Not Clang's error: the build has none.
        self.write("broken.cu", COPY + "#error no\nint x = ;\n")
        self.assert_code(0, self.launch(nvcc, "-c", *MOCK, "broken.cu"))
        self.assertRegex(self.err, r"\Acuda-lint: note: broken\.cu was (not|in "
                                   r"part) linted: broken\.cu:4: [^\n]+\n\Z")
        # A file that the compiler finds elsewhere, or makes itself.
        self.assert_code(0, self.launch(nvcc, "-c", *MOCK, "missing.cu"))
        self.assertRegex(self.err, r"\Acuda-lint: note: missing\.cu was not "
                                   r"linted: [^\n]+\n\Z")

    def test_no_object(self):
        # The compiler writes nothing, or what is none, or no machine code.
        for script in ("true\n", "echo text > a.o\n", "head -c 99999 "
                       "/dev/zero > a.o\n", "rm a.o; mkdir a.o\n"):
            nvcc = self.compiler(script)
            self.assert_code(0, self.launch(nvcc, "-c", *MOCK, "a.cu"))
            self.assertEqual(1, len(FOUND.findall(self.err)), self.err)

    def test_findings_fail_the_build_where_asked(self):
        nvcc = self.compiler('echo object > "$OBJECT"\n')
        command = (nvcc, "-c", *MOCK, "a.cu", "-o", "a.o")
        env = {"OBJECT": "a.o"}
        self.assert_code(0, self.launch(*command, env=env))
        self.assertTrue((self.folder / "a.o").exists())
        for level, code in (("error", 0), ("warning", 1), ("note", 1),
                            ("never", 0)):
            self.assert_code(code, self.launch(
                *command, env={**env, "CUDA_LINT_FAIL_ON": level}))
            # make would take a file that is there for done.
            self.assertEqual(code == 0, (self.folder / "a.o").exists(), level)
        # An option counts before the variable.
        self.assert_code(0, self.launch(
            *command, options=(WITH_MOCK, "--fail-on=error"),
            env={**env, "CUDA_LINT_FAIL_ON": "warning"}))
        # Whatever it makes of the file.
        for option, name in (("-ptx", "a.ptx"), ("-cubin", "a.cubin"),
                             ("-optix-ir", "a.optixir"), ("-c", "a.o"),
                             ("-ltoir", "a.ltoir"), ("-shared", "a.out")):
            self.assert_code(1, self.launch(
                nvcc, option, *MOCK, "a.cu",
                env={"OBJECT": name, "CUDA_LINT_FAIL_ON": "warning"}))
            self.assertFalse((self.folder / name).exists(), name)
        # A gate that cannot judge is not passed.
        for options, variables in (
                ((), {"CUDA_LINT_FAIL_ON": "warnings"}),
                (("--fail-on=foo",), {}),
                (("--bogus",), {"CUDA_LINT_FAIL_ON": "error"})):
            self.assert_code(2, self.launch(
                *command, options=(WITH_MOCK, *options),
                env={**env, **variables}))
            self.assertIn("findings are to fail this build, and the file was "
                          "not linted", self.err)
            self.assertFalse((self.folder / "a.o").exists())
        # Of what Clang reads in part only, nobody knows.
        self.write("part.cu", "#ifdef __clang__\n#error no\n#endif\n" + COPY)
        for level, code in (("error", 2), ("never", 0)):
            self.assert_code(code, self.launch(
                nvcc, "-c", *MOCK, "part.cu", "-o", "p.o",
                env={"OBJECT": "p.o", "CUDA_LINT_FAIL_ON": level}))
            self.assertIn("part.cu was in part linted: part.cu:2: no",
                          self.err)
            self.assertEqual(code == 0, (self.folder / "p.o").exists())
        # One that cannot even begin: beside the launcher is what it runs.
        (self.folder / "solo").mkdir()
        shutil.copy(PROGRAM, self.folder / "solo/cuda-lint")
        for check in ("exit 2", "exit 5", "kill -SEGV $$", None):
            path = self.folder / "solo/cuda-lint-check"
            path.unlink(missing_ok=True)
            if check:
                path.write_text("#!/bin/sh\n" + check + "\n")
                path.chmod(0o755)
            for words, name in ((("-o", "a.o"), "a.o"), (("-o=b.o",), "b.o"),
                                ((), "a.o")):
                done = subprocess.run(
                    [self.folder / "solo/cuda-lint", "launcher", "--", nvcc,
                     "-c", "a.cu", *words], cwd=self.folder,
                    capture_output=True, text=True,
                    env={**os.environ, "OBJECT": name,
                         "CUDA_LINT_FAIL_ON": "warning"})
                self.assertEqual(2, done.returncode, done.stderr)
                self.assertIn("was not linted", done.stderr)
                self.assertFalse((self.folder / name).exists(), (check, words))
        self.write(".cuda-lint", "Check: x\n")
        self.assert_code(2, self.launch(
            *command, env={**env, "CUDA_LINT_FAIL_ON": "error"}))
        self.assertFalse((self.folder / "a.o").exists())
        (self.folder / ".cuda-lint").unlink()
        self.write("b.cu", TOO_LARGE)
        self.assert_code(1, self.launch(
            nvcc, "-c", *MOCK, "b.cu", "-o", "b.o",
            env={"OBJECT": "b.o", "CUDA_LINT_FAIL_ON": "error"}))
        self.assertFalse((self.folder / "b.o").exists())

    def test_results_are_collected(self):
        nvcc = self.compiler("true\n")
        self.write("b.cu", COPY)
        (self.folder / "sub").mkdir()
        self.write("sub/a.cu", STRIDED.replace("strided", "other"))
        env = {"CUDA_LINT_RESULTS": "results/deep"}
        for source in ("a.cu", "b.cu", "sub/a.cu", "a.cu"):
            self.assert_code(0, self.launch(
                nvcc, "-c", *MOCK, source, "-o", source + ".o", env=env))
        found = sorted((self.folder / "results/deep").iterdir())
        self.assertEqual(["a", "a", "b"],
                         [p.name.split("-")[0] for p in found])
        self.assert_code(0, self.run_program("merge", "--format=json",
                                             "results/deep"))
        merged = json.loads(self.out)
        self.assertEqual(["a.cu", "b.cu", "sub/a.cu"],
                         [u["file"] for u in merged["units"]])
        # A folder that cannot be made is no fault of the build.
        self.write("file", "")
        self.assert_code(0, self.launch(
            nvcc, "-c", *MOCK, "a.cu", env={"CUDA_LINT_RESULTS": "file/x"}))
        self.assertIn("'file/x' for results cannot be made", self.err)

    def test_other_compilers_between(self):
        nvcc = self.compiler('echo "nvcc $*" >&2\n')
        ccache = self.compiler('"$@"\n', "ccache")
        self.assert_code(0, self.launch(ccache, nvcc, "-c", *MOCK, "a.cu"))
        self.assertEqual(1, len(FOUND.findall(self.err)), self.err)
        # And as the command that ccache runs.
        result = subprocess.run(
            [ccache, PROGRAM, "launcher", WITH_MOCK, "--", nvcc, "-c", *MOCK,
             "a.cu"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(1, len(FOUND.findall(result.stderr)), result.stderr)

    def test_files_of_arguments(self):
        nvcc = self.compiler("true\n")
        self.write("args.rsp", " ".join([*MOCK, "-c", "a.cu"]))
        for arguments in (["@args.rsp"], ["--options-file", "args.rsp"],
                          ["--options-file=args.rsp"], ["-optf", "args.rsp"]):
            self.assert_code(0, self.launch(nvcc, *arguments))
            self.assertEqual(1, len(FOUND.findall(self.err)), self.err)
        # The compiler says what is wrong with one.
        self.assert_code(0, self.launch(nvcc, "@missing.rsp"))
        self.assertEqual("", self.err)

    def test_configuration_and_comments_hold(self):
        nvcc = self.compiler("true\n")
        self.write(".cuda-lint", "Checks: '-*'\n")
        self.assert_code(0, self.launch(nvcc, "-c", *MOCK, "a.cu"))
        self.assertEqual("", self.err)
        (self.folder / ".cuda-lint").unlink()
        self.write("a.cu", STRIDED.replace("32];", "32];  // NOLINT"))
        self.assert_code(0, self.launch(nvcc, "-c", *MOCK, "a.cu"))
        self.assertEqual("", self.err)


class Signals(Launcher):
    """Whoever ends a build ends the compiler, and sees what it would have."""

    def start(self, nvcc):
        process = subprocess.Popen(
            [PROGRAM, "launcher", WITH_MOCK, "--", nvcc, "-c", *MOCK, "a.cu"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        end = time.time() + 20
        while not (self.folder / "ready").exists():
            self.assertLess(time.time(), end)
            time.sleep(0.01)
        return process

    def test_they_reach_the_compiler(self):
        nvcc = self.compiler("trap 'echo ended > ended; exit 3' INT TERM HUP\n"
                             "echo > ready\n"
                             "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 "
                             "17 18 19 20; do sleep 0.5; done\n")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start(nvcc)
            process.send_signal(number)
            process.communicate(timeout=20)
            # The compiler's own answer to it.
            self.assertEqual(3, process.returncode)
            self.assertTrue((self.folder / "ended").exists())
            for name in ("ended", "ready"):
                (self.folder / name).unlink()

    def test_a_compiler_that_is_killed(self):
        nvcc = self.compiler("kill -KILL $$\n")
        self.assertEqual(-signal.SIGKILL,
                         self.launch(nvcc, "-c", *MOCK, "a.cu"))
        self.assertEqual("", self.err)
        nvcc = self.compiler("kill -SEGV $$\n")
        self.assertEqual(-signal.SIGSEGV,
                         self.launch(nvcc, "-c", *MOCK, "a.cu"))

    def test_nothing_is_left_of_a_build_that_is_killed(self):
        nvcc = self.compiler("echo > ready; sleep 5\n")
        process = self.start(nvcc)
        checkers = self.children(process.pid, "cuda-lint-check")
        self.assertEqual(1, len(checkers))
        process.kill()
        process.wait()
        end = time.time() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in checkers):
            self.assertLess(time.time(), end)
            time.sleep(0.01)

    @staticmethod
    def children(parent, name):
        result = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                text = path.read_text()
            except OSError:
                continue
            command, rest = text[text.index("(") + 1:].rsplit(")", 1)
            if (int(rest.split()[1]) == parent
                    and name.startswith(command)):
                result.append(int(path.parent.name))
        return result


class WithNvcc(Launcher):
    SOURCE = """#ifndef PAD
#define PAD 0
#endif
__global__ void twice(const float *In, float *Out) {
  __shared__ float Tile[32][32 + PAD];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.x * 32 + threadIdx.y];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}
void run(float *A, float *B) { twice<<<1024, dim3(32, 32)>>>(A, B); }
"""

    def setUp(self):
        super().setUp()
        self.write("t.cu", self.SOURCE)

    def report_of(self, *command, options=(), **env):
        (self.folder / "r").mkdir(exist_ok=True)
        for old in (self.folder / "r").iterdir():
            old.unlink()
        self.assert_code(0, self.launch(
            *command, options=options, env={"CUDA_LINT_RESULTS": "r", **env}))
        text, = [p.read_text() for p in (self.folder / "r").iterdir()]
        return json.loads(text)

    @staticmethod
    def found(document):
        return [(f["check"], f["line"], f["message"])
                for u in document["units"] for f in u["findings"]]


class RealBuilds(WithNvcc):
    """With nvcc."""

    def setUp(self):
        super().setUp()
        # nvcc does not know the first word of FEW_HEADERS.
        self.nvcc = [self.compiler(
            'for each; do\n  shift\n'
            '  [ "$each" = -nocudainc ] || set -- "$@" "$each"\ndone\n'
            f'exec {shutil.which("nvcc")} "$@"\n'), *FEW_HEADERS]

    def test_figures_are_those_of_nvcc(self):
        self.assert_code(0, self.run_program(
            "--format=json", "t.cu", "--", "-arch=sm_90", "-lineinfo",
            *FEW_HEADERS))
        alone = json.loads(self.out)
        resources = alone["units"][0]["kernels"][0]["resources"]
        self.assertEqual("nvcc", resources.pop("source"))
        self.assertEqual(4096, resources["shared_bytes"])
        for arguments in (["-c"], ["-c", "-o", "x.o"], ["-dc"],
                          ["-cubin"], ["-fatbin"], ["-odir", "sub", "-c"],
                          ["-shared", "-Xcompiler=-fPIC"],
                          ["-c", "-Xfatbin", "-compress-all"],
                          ["-c", "--compress-mode=size"],
                          ["-c", "--compress-mode=speed", "-Xfatbin",
                           "-compress-all"]):
            with self.subTest(arguments):
                (self.folder / "sub").mkdir(exist_ok=True)
                document = self.report_of(*self.nvcc, "-arch=sm_90",
                                          "-lineinfo", *arguments, "t.cu")
                its = document["units"][0]["kernels"][0]["resources"]
                self.assertEqual("object", its.pop("source"))
                self.assertEqual(resources, its)
                self.assertEqual(self.found(alone), self.found(document))
                self.assertIn("shared-bank-conflict",
                              [check for check, *_ in self.found(document)])

    def test_each_target_has_its_own(self):
        documents = self.report_of(
            *self.nvcc, "-c", "-gencode=arch=compute_80,code=sm_80",
            "-gencode=arch=compute_90,code=[sm_90,compute_90]", "t.cu")
        self.assertEqual(["sm_80", "sm_90"],
                         [d["target"]["name"] for d in documents])
        for document in documents:
            kernel, = document["units"][0]["kernels"]
            self.assertEqual("object", kernel["resources"]["source"])
        # Also those that nvcc is told by its variables.
        document = self.report_of(*self.nvcc, "-c", "t.cu",
                                  NVCC_PREPEND_FLAGS="-DPAD=1 -arch=sm_80")
        self.assertEqual("sm_80", document["target"]["name"])
        self.assertNotIn("shared-bank-conflict",
                         [check for check, *_ in self.found(document)])
        # Only PTX: that is said, and all else is told.
        document = self.report_of(
            *self.nvcc, "-c", "-gencode=arch=compute_90,code=compute_90",
            "t.cu", options=("-v",))
        self.assertIsNone(document["units"][0]["kernels"][0]["resources"])
        self.assertIn("'t.o' has no machine code for 9.0", self.err)
        self.assertIn("shared-bank-conflict",
                      [check for check, *_ in self.found(document)])

    def test_what_was_found_is_told_again(self):
        # Without the code of the host, which takes longer than all else.
        command = (*self.nvcc, "-cubin", "-arch=sm_90", "t.cu")
        first = self.report_of(*command)
        said = self.err
        self.assertIn("[shared-bank-conflict]", said)
        cache = Path(f"{self.folder}-cache")
        # Besides, what nvcc adds by itself.
        kept = [path for path in cache.rglob("*.json")
                if "bank-conflict" in path.read_text()]
        self.assertEqual(1, len(kept))
        # Proof that it is not analysed again: what is kept is what is told.
        entry = kept[0].read_text()
        kept[0].write_text(entry.replace("bank-conflict", "bank-quarrel"))
        self.assertIn("[shared-bank-quarrel]", self.said(*command))
        kept[0].write_text(entry)
        self.assertEqual(first, self.report_of(*command))
        self.assertEqual(said, self.err)
        # Whatever decides what is found, and is another now.
        for change in (lambda: self.write(".cuda-lint", "Checks: '-*'\n"),
                       lambda: self.write("t.cu", COPY)):
            change()
            self.assertEqual("", self.said(*command))
            (self.folder / ".cuda-lint").unlink(missing_ok=True)
            self.write("t.cu", self.SOURCE)
            self.assertEqual(said, self.said(*command))
        self.assertEqual("", self.said(*command, options=("--checks=-*",)))
        self.assertNotIn("[shared-bank-conflict]",
                         self.said(*command, "-DPAD=1"))
        # A header, and what the file was when it was compiled.
        self.write("t.h", "#pragma once\n")
        self.write("t.cu", '#include "t.h"\n' + self.SOURCE)
        self.assertIn("[shared-bank-conflict]", self.said(*command))
        self.write("t.h", "#define PAD 1\n")
        self.assertNotIn("[shared-bank-conflict]", self.said(*command))
        # A damaged entry is none.
        for path in cache.rglob("*.json"):
            path.write_text("{" * 1000)
        self.assertNotIn("error", self.said(*command))

    def said(self, *command, options=()):
        self.assert_code(0, self.launch(*command, options=options))
        return self.err

    def test_a_program_of_several_files(self):
        self.write("u.cu", COPY + "int main() {}\n")
        document = self.report_of("nvcc", "-arch=sm_90", "-lineinfo", "t.cu",
                                  "u.cu", "-o", "app")
        self.assertEqual(
            ["object"] * 2,
            [k["resources"]["source"] for u in document["units"]
             for k in u["kernels"]])
        self.assertTrue((self.folder / "app").exists())


class CMakeBuilds(WithNvcc):
    """CMAKE_CUDA_COMPILER_LAUNCHER, and the same project by -p."""

    LISTS = """cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX CUDA)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CUDA_ARCHITECTURES 90)
add_library(kernels STATIC src/t.cu "src/two words.cu")
target_include_directories(kernels PRIVATE include)
target_compile_options(kernels PRIVATE
  "$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>")
"""

    def setUp(self):
        super().setUp()
        for name in ("src", "include"):
            (self.folder / name).mkdir()
        self.write("CMakeLists.txt", self.LISTS)
        self.write("include/name.h", "#pragma once\n#define twice thrice\n")
        self.write("src/t.cu", self.SOURCE)
        self.write("src/two words.cu", '#include "name.h"\n' + self.SOURCE)

    def build(self):
        environment = {**os.environ, "CUDA_LINT_RESULTS":
                       str(self.folder / "r"),
                       "XDG_CACHE_HOME": f"{self.folder}-cache"}
        return subprocess.run(["ninja", "-C", "build"], cwd=self.folder,
                              env=environment, check=True, text=True,
                              capture_output=True).stdout

    def test_same_findings_without_one_more_flag(self):
        subprocess.run(
            ["cmake", "-S", ".", "-B", "build", "-G", "Ninja",
             f"-DCMAKE_CUDA_COMPILER_LAUNCHER={PROGRAM};launcher;--"],
            cwd=self.folder, check=True, capture_output=True)
        said = self.build()
        self.assertEqual(2, said.count("[shared-bank-conflict]"), said)
        self.assert_code(0, self.run_program("-p", "build", "--format=json"))
        alone = json.loads(self.out)
        self.assertEqual(["src/t.cu", "src/two words.cu"],
                         [u["file"] for u in alone["units"]])
        self.assert_code(0, self.run_program("merge", "--format=json", "r"))
        merged = json.loads(self.out)
        self.assertEqual(self.found(alone), self.found(merged))
        self.assertEqual([u["kernels"][0]["accesses"] for u in alone["units"]],
                         [self.as_alone(u) for u in merged["units"]])
        # A rebuild that changes one file lints one file.
        stamps = {p: p.stat().st_mtime_ns
                  for p in (self.folder / "r").iterdir()}
        self.assertEqual(2, len(stamps))
        time.sleep(0.05)
        self.write("src/t.cu", "// Another line.\n" + self.SOURCE)
        self.assertEqual(1, self.build().count("[shared-bank-conflict]"))
        changed = [p.name for p, old in stamps.items()
                   if p.stat().st_mtime_ns != old]
        self.assertEqual(1, len(changed))
        self.assertTrue(changed[0].startswith("t-"), changed)
        self.assertIn("no work to do", self.build())

    def as_alone(self, unit):
        """Its accesses, with names as they are from the project's folder: a
        build runs in another one."""
        text = json.dumps(unit["kernels"][0]["accesses"])
        return json.loads(text.replace(str(self.folder) + "/", ""))


if __name__ == "__main__":
    ctest.main()
