# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program with and without the probe, on a GPU.

    probe_test.py --library libcuda-lint-probe.so --nvcc nvcc --folder BUILD
    probe_test.py --library ... --folder BUILD     with programs built before

Ends with 77 where there is no GPU.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
from ncu_runs import gpus

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "ProbeProgram.cu"
REQUESTS = 64 * 4
STRIDE, SPACES, DIVERGE = "_Z6stridePKfPf", "_Z6spacesPKfPfPj", "_Z7divergePf"
OPTIONS = argparse.Namespace(library="", nvcc="", folder="")


def program(build="lines"):
    return str(Path(OPTIONS.folder) / f"probe-program-{build}")


def compile_all(commands):
    """Runs nvcc once for each, all at a time."""
    processes = [subprocess.Popen([OPTIONS.nvcc, "-O3", "-std=c++17", *each])
                 for each in commands]
    if any([process.wait() for process in processes]):
        sys.exit("the program could not be built")


def marked_line(mark):
    """The number of the source line whose comment says \\p mark."""
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if mark in line and "///" not in line:
            return number
    raise AssertionError(f"no line says {mark!r}")


class Run:
    """One run of the program, with the profiles that it left."""

    def __init__(self, *arguments, probe=True, build="lines", terminate=None,
                 **settings):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ)
            # Most tests know the sums of all launches.
            settings = {"CUDA_LINT_PROBE_LAUNCHES": "all"} | settings
            if not settings["CUDA_LINT_PROBE_LAUNCHES"]:
                del settings["CUDA_LINT_PROBE_LAUNCHES"]
            if settings.get("CUDA_LINT_PROBE_COLLECT") == "occupancy":
                settings.pop("CUDA_LINT_PROBE_LAUNCHES", None)
            if probe:
                environment.update(settings, CUDA_LINT_PROBE_DIR=folder,
                                   CUDA_INJECTION64_PATH=OPTIONS.library)
            start = time.monotonic()
            process = subprocess.Popen(
                [program(build), *map(str, arguments)], env=environment,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if terminate is not None:
                time.sleep(terminate)
                process.send_signal(signal.SIGTERM)
            try:
                self.out, self.err = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            self.seconds = time.monotonic() - start
            self.status = process.returncode
            self.left_over = [f.name for f in Path(folder).iterdir()
                              if f.suffix != ".json"]
            self.profiles = [json.loads(f.read_text())
                             for f in sorted(Path(folder).glob("*.json"))]

    def problems(self):
        return {p["kind"] for profile in self.profiles
                for p in profile["problems"]}


def kernel(profile, name):
    return next(k for k in profile["kernels"] if k["kernel"] == name)


def sums(profile, name, figure):
    """Of all memory instructions of a kernel."""
    return sum(line[figure] or 0 for line in profile["lines"]
               if line["kernel"] == name)


def sums_of(profile, name, space, op):
    """The requests of one kind."""
    return sum(x["requests"] for x in profile["lines"]
               if (x["kernel"], x["space"], x["op"]) == (name, space, op))


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def unchanged(self, *arguments, build="lines", **settings):
        """Runs twice; returns the run under the probe."""
        plain = Run(*arguments, probe=False, build=build)
        run = Run(*arguments, build=build, **settings)
        self.assertEqual(run.status, plain.status)
        self.assertEqual(run.out, plain.out)
        self.assertEqual([], run.left_over)
        return run

    def check_stride(self, profile, launches, device=0):
        """The kernel whose counts are known, in \\p launches launches."""
        found = next(k for k in profile["kernels"]
                     if (k["kernel"], k["device"]) == (STRIDE, device))
        self.assertEqual(found["launches"], launches)
        self.assertEqual(found["measured_launches"], launches)
        expected = {(marked_line("ideal: 4 sectors"), "load"): 4,
                    (marked_line("8 sectors per request"), "store"): 8}
        accesses = [x for x in profile["lines"]
                    if (x["kernel"], x["device"]) == (STRIDE, device)]
        self.assertEqual({(x["line"], x["op"]) for x in accesses},
                         set(expected))
        requests = REQUESTS * launches
        for access in accesses:
            each = expected[access["line"], access["op"]]
            self.assertTrue(access["file"].endswith("ProbeProgram.cu"))
            self.assertEqual(
                access,
                access | {"space": "global", "instructions": requests,
                          "requests": requests, "lanes": 32 * requests,
                          "sectors": each * requests,
                          "ideal_sectors": 4 * requests,
                          "wavefronts": None, "ideal_wavefronts": None})

    def one_profile(self, run, end):
        self.assertEqual([p["process"]["end"] for p in run.profiles], [end])
        return run.profiles[0]


def main(build):
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--nvcc", help="builds the programs into the folder")
    parser.add_argument("--folder", required=True)
    _, rest = parser.parse_known_args(namespace=OPTIONS)
    OPTIONS.library = str(Path(OPTIONS.library).resolve())
    if not gpus():
        ctest.cannot_test("there is no GPU")
        return ctest.exit_code(True)
    if OPTIONS.nvcc:
        build()
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    for _, reason in result.skipped:
        ctest.cannot_test(reason)
    return ctest.exit_code(result.wasSuccessful())
