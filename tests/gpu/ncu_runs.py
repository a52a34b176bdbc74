# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program under `cuda-lint confirm` and under ncu, for those that compare.

Both come as what `confirm --format=json` says of them, cuda-lint-hotspots/1, so
that the reader of ncu's exports is tried, too.
"""

import argparse
import csv
import ctypes
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest


class CannotTest(Exception):
    """Not a fault: something is not there, or not allowed."""


class Failed(Exception):
    """A program that does not do what it should."""


def gpus():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


def ncu():
    for folder in (None, *(f"{os.environ[name]}/bin"
                           for name in ("CUDA_HOME", "CUDA_PATH")
                           if name in os.environ), "/usr/local/cuda/bin"):
        found = shutil.which("ncu", path=folder)
        if found:
            return found
    raise CannotTest("ncu is not there: install Nsight Compute")


def run(command, codes=(0,), limit=240):
    """What it says, of both streams; one of \\p codes is its end."""
    # Where the driver would load another probe, ncu refuses to start.
    environment = {name: value for name, value in os.environ.items()
                   if not name.endswith("INJECTION64_PATH")}
    try:
        done = subprocess.run([str(word) for word in command],
                              env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]}: no end after {limit} s") from None
    if "ERR_NVGPUCTRPERM" in done.stdout:
        raise CannotTest("ncu may not read the GPU's counters: "
                         "ERR_NVGPUCTRPERM")
    if done.returncode not in codes:
        raise Failed(f"{' '.join(map(str, command))}\nended with "
                     f"{done.returncode}: {done.stdout[-600:]}")
    return done.stdout


def build(nvcc, output, *sources):
    if not gpus():
        raise CannotTest("there is no GPU")
    run([nvcc, "-O3", "-std=c++17", "-arch=native", "-lineinfo",
         *(Path(__file__).resolve().parent / each for each in sources), "-o",
         output])
    return [str(output)]


def parser(description):
    """What both comparisons are given; the program comes last."""
    made = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawTextHelpFormatter)
    made.add_argument("--confirm", required=True)
    made.add_argument("--probe", required=True)
    made.add_argument("--folder", required=True)
    made.add_argument("--nvcc")
    return made


def parsed(made):
    made.add_argument("program", nargs=argparse.REMAINDER)
    options = made.parse_args()
    if not options.nvcc and not options.program:
        made.error("name --nvcc or a program")
    return options


def report(confirm, folder, *arguments, codes=(0,)):
    """cuda-lint-hotspots/1 of what the arguments name."""
    out = Path(folder) / "report.json"
    out.unlink(missing_ok=True)
    said = run([confirm, "--quiet", "--format=json", "--output", out,
                *arguments], codes)
    if not out.exists():
        raise Failed(f"{confirm} wrote no report: {said[-600:]}")
    found = json.loads(out.read_text())
    # What was lost makes no comparison.
    for problem in found["problems"]:
        if problem["kind"] == "insufficient-privileges":
            raise CannotTest(problem["message"])
        print(f"  {problem['kind']}: {problem['message']}")
    return found


def ncu_report(folder, program, *options):
    path = Path(folder) / "measured.ncu-rep"
    said = run([ncu(), "-f", "-o", path, "--clock-control", "none", *options,
                *program])
    if not path.exists():
        raise Failed(f"ncu wrote no report: {said[-600:]}")
    return path


def exported(path, name, *options):
    """A file with a page of the report at \\p path."""
    out = path.with_name(name)
    out.write_text(run([ncu(), "--import", path, "--csv",
                        "--print-kernel-base", "mangled", *options]))
    return out


def raw_sums(path, metrics):
    """kernel to metric to its sum over the launches, of a raw page in base
    units; without metrics that the page does not have."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(
            line for line in file if line.startswith('"')) if row["ID"]]
    sums = {}
    for row in rows:
        of_kernel = sums.setdefault(row["Kernel Name"], {})
        for metric in metrics:
            if row.get(metric):
                of_kernel[metric] = (of_kernel.get(metric, 0) +
                                     float(row[metric].replace(",", "")))
    return sums


def kernels(report):
    """name to kernel, of all GPUs of a report."""
    return {kernel["kernel"]: kernel for gpu in report["gpus"]
            for kernel in gpu["kernels"]}


def finish(test):
    """The exit code of what \\p test returns, for CTest."""
    try:
        return ctest.exit_code(test())
    except CannotTest as why:
        ctest.cannot_test(str(why))
        return ctest.exit_code(True)
    except Failed as why:
        print(why, file=sys.stderr)
        return 1
