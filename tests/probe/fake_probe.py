# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The probe as a whole where no GPU is: a driver and a CUPTI that are made up
call it back as the real ones do, and fail as real ones fail elsewhere.

FakeProgram launches one kernel three times on each GPU: 64 blocks of 4 warps,
so 256 requests of each access; a load of 4 sectors and a store of 8.
"""

import collections
import functools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

PROBE = os.environ["CUDA_LINT_PROBE"]
CUPTI = os.environ["FAKE_CUPTI"]
PROGRAM = os.environ["FAKE_PROGRAM"]
KERNEL = "_Z6stridePKfPf"
REQUESTS = 64 * 4
BYTES = bytes(range(256))


class Run:
    """One run of the program, with the profiles that it left."""

    is_valid = False  # whether its profile is known to obey the schema

    def __init__(self, mode="", probe=True, cupti=CUPTI, profiles=None,
                 **settings):
        with tempfile.TemporaryDirectory() as folder:
            profiles = profiles or folder
            # Tests of sampling ask for a few.
            settings.setdefault("CUDA_LINT_PROBE_LAUNCHES", "all")
            environment = dict(os.environ, **settings)
            if settings["CUDA_LINT_PROBE_LAUNCHES"] == "few":
                del environment["CUDA_LINT_PROBE_LAUNCHES"]
            if probe:
                environment.update(CUDA_LINT_PROBE_DIR=profiles,
                                   CUDA_INJECTION64_PATH=PROBE,
                                   CUDA_LINT_CUPTI=cupti)
            work = Path(folder) / "work"
            work.mkdir()
            done = subprocess.run([PROGRAM, mode], env=environment, cwd=work,
                                  capture_output=True, timeout=60,
                                  check=False)
            self.status, self.out, self.err = (done.returncode, done.stdout,
                                               done.stderr)
            self.files = {f.name: f.read_bytes() for f in work.iterdir()}
            self.profiles = [json.loads(f.read_text())
                             for f in sorted(Path(folder).glob("*.json"))]

    def problems(self):
        return {p["kind"] for profile in self.profiles
                for p in profile["problems"]}

    def message(self, kind):
        return next(p["message"] for profile in self.profiles
                    for p in profile["problems"] if p["kind"] == kind)


@functools.lru_cache(maxsize=None)
def run_alone(mode, gpus):
    """Without the probe: of a program that many tests run, once."""
    return Run(mode, probe=False, FAKE_GPUS=gpus)


class ProbeTest(unittest.TestCase):
    maxDiff = None

    def unchanged(self, mode="", **settings):
        """Runs it with and without the probe; returns the run under it."""
        plain = run_alone(mode, settings.get("FAKE_GPUS", "NVIDIA H200:90"))
        run = Run(mode, **settings)
        self.assertEqual((plain.status, plain.out, plain.files),
                         (run.status, run.out, run.files))
        self.assertEqual((b"", b""), (plain.err, run.err))
        return run

    def check_counts(self, profile, launches, device=0):
        lines = [x for x in profile["lines"] if x["device"] == device]
        self.assertEqual({("load", 3), ("store", 4)},
                         {(x["op"], x["line"]) for x in lines})
        requests = REQUESTS * launches
        for line in lines:
            each = 4 if line["op"] == "load" else 8
            self.assertEqual(line, line | {
                "kernel": KERNEL, "file": "/build/stride.cu",
                "space": "global", "instructions": requests,
                "requests": requests, "lanes": 32 * requests,
                "sectors": each * requests, "ideal_sectors": 4 * requests,
                "wavefronts": None, "ideal_wavefronts": None})
        self.check_rows(profile, lines, device)

    def check_rows(self, profile, lines, device):
        """The rows of the instructions add up to the lines."""
        sums = collections.Counter()
        for function in profile["code"]:
            if function["device"] != device:
                continue
            for row in function["instructions"]:
                place = (function["kernel"], profile["files"][row["file"]],
                         row["line"], row["space"], row["op"])
                for what in ("requests", "lanes", "sectors", "ideal_sectors"):
                    if row[what] is not None:
                        sums[*place, what] += row[what]
        for line in lines:
            for what in ("requests", "lanes", "sectors", "ideal_sectors"):
                self.assertEqual(line[what], sums[
                    line["kernel"], line["file"], line["line"], line["space"],
                    line["op"], what])

    def one(self, run, end="exit"):
        self.assertEqual([end], [p["process"]["end"] for p in run.profiles])
        if not run.is_valid:
            done = tools.validate("cuda-lint-profile-1.schema.json",
                                  json.dumps(run.profiles[0]), "--strict")
            if done is None:
                ctest.cannot_test(tools.NO_VALIDATOR)
            else:
                self.assertEqual(0, done.returncode, done.stdout + done.stderr)
            run.is_valid = True
        return run.profiles[0]
