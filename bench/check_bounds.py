#!/usr/bin/env python3
#===- bench/check_bounds.py - Bounds against the clocks of a GPU ---------===//
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Compares the bounds of `totals` with what kernels take.

  check_bounds.py measure
      On a machine with nvcc, ncu and a GPU: builds bounds_kernels.cu and
      prints what ncu measures, as CSV.
  check_bounds.py judge CSV --gpu NAME [--lint PATH]
      Prints, by kernel, the largest bound that no cache can undercut, DRAM's,
      and the clocks of an SM for each warp that were measured. Exit code 1 if
      a kernel is faster than a bound.
"""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE / "bounds_kernels.cu"
METRICS = {"clocks": "sm__cycles_elapsed.max",
           "hertz": "sm__cycles_elapsed.avg.per_second",
           "grid": "launch__grid_size", "block": "launch__block_size",
           "dram": "dram__bytes.sum"}


def measure():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "bounds"
        subprocess.run(["nvcc", "-O3", "-arch=native", "-std=c++17", "-o",
                        program, KERNELS], check=True)
        subprocess.run(["ncu", "--metrics", ",".join(METRICS.values()),
                        "--csv", program], check=True)


def measured(path):
    """Metrics by the name of the kernel, without its parameters."""
    lines = [line for line in open(path, encoding="utf-8")
             if line.startswith('"')]
    found = {}
    for row in csv.DictReader(lines):
        name = row["Kernel Name"].removeprefix("void ").split("(")[0]
        value = row["Metric Value"].replace(",", "")
        if row["Metric Name"]:
            found.setdefault(name, {})[row["Metric Name"]] = float(value)
    return found


def judge(arguments):
    run = subprocess.run(
        [arguments.lint, f"--gpu={arguments.gpu}", "--format=json",
         "--fail-on=never", KERNELS], check=True, capture_output=True,
        text=True)
    document = json.loads(run.stdout)
    sms = document["target"]["sms"]
    profile = measured(arguments.csv)
    faster = 0
    print(f"{'kernel':24} {'bound':16} {'DRAM':>8} {'measured':>9}")
    for kernel in document["units"][0]["kernels"]:
        name = kernel["signature"].split("(")[0]
        # Template arguments are spelt in many ways.
        plain = re.sub(r"\W|int", "", name)
        got = next(m for n, m in profile.items()
                   if re.sub(r"\W|int", "", n) == plain)
        warps = got[METRICS["grid"]] * got[METRICS["block"]] / 32
        clocks = got[METRICS["clocks"]] * sms / warps
        bounds = {b["resource"]: b["clocks_per_warp"]
                  for b in kernel["totals"][0]["bounds"]}
        own = {r: c for r, c in bounds.items() if r not in ("dram", "l2")}
        what = max(own, key=own.get)
        faster += clocks < own[what]
        print(f"{name:24} {what:8} {own[what]:7.1f} {bounds['dram']:8.1f} "
              f"{clocks:9.1f}   DRAM moves {got[METRICS['dram']] / warps:.0f} "
              f"bytes for each warp at {got[METRICS['hertz']] / 1e9:.2f} GHz")
    print(f"{faster} kernels are faster than a bound")
    return 1 if faster else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["measure", "judge"])
    parser.add_argument("csv", nargs="?")
    parser.add_argument("--gpu", default="h200")
    parser.add_argument("--lint", default="cuda-lint")
    arguments = parser.parse_args()
    if arguments.command == "measure":
        return measure()
    if not arguments.csv:
        parser.error("judge takes a CSV file")
    return judge(arguments)


if __name__ == "__main__":
    sys.exit(main())
