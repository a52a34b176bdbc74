#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lints every sample and compares its findings with expected.txt.

    samples_test.py CUDA_LINT

A finding that is not expected is a failure, and so is an expected one that is
not made, and a sample that the table does not name. What the README shows of
one is what the program prints.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1] / "samples"


def expected():
    """sample -> [(text of the line, check, part of the message, count)]"""
    table = {}
    for number, line in enumerate(
            (HERE / "expected.txt").read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split(" | ")]
        rows = table.setdefault(cells[0], [])
        if cells[1:] == ["clean"]:
            continue
        if len(cells) != 5:
            sys.exit(f"expected.txt:{number}: five cells, or `clean`")
        rows.append((cells[1], cells[2], cells[3], int(cells[4])))
    return table


def findings(cuda_lint, sample):
    done = subprocess.run(
        [cuda_lint, "--format=json", "--fail-on=never", "--gpu=h200",
         str(SAMPLES / sample), "--", "-std=c++17"],
        capture_output=True, text=True)
    if done.returncode != 0:
        return None, f"exit code {done.returncode}\n{done.stderr}"
    units = json.loads(done.stdout)["units"]
    for unit in units:
        if unit["status"] != "ok":
            return None, f"{unit['status']}: {unit['errors']}"
    return [f for unit in units for f in unit["findings"]], None


def faults_of(cuda_lint, sample, rows):
    found, error = findings(cuda_lint, sample)
    if error:
        return [error]
    source = (SAMPLES / sample).read_text().splitlines()
    faults, met = [], Counter()
    for finding in found:
        line = source[finding["line"] - 1]
        fits = [row for row in rows
                if row[0] in line and row[1] == finding["check"]
                and row[2] in finding["message"]]
        met.update(fits[:1])
        if not fits:
            faults.append(f"{finding['line']}: not expected: "
                          f"{finding['check']}: {finding['message']}")
    for row in rows:
        if met[row] != row[3]:
            faults.append(f"expected {row[3]} times, found {met[row]}: "
                          f"{row[1]}: {row[2]!r} at {row[0]!r}")
    return faults


def readme_faults(cuda_lint):
    root = SAMPLES.parent
    example = re.search(r"```\n\$ scripts/lint (\S+)\n(.*?)```",
                        (root / "README.md").read_text(), re.DOTALL)
    done = subprocess.run([cuda_lint, example[1]], cwd=root, text=True,
                          capture_output=True,
                          env={**os.environ, "COLUMNS": "80"})
    return [] if done.stdout == example[2] else [
        f"the README shows something else than\n{done.stdout}{done.stderr}"]


def main():
    if why := tools.why_no_nvcc():
        ctest.cannot_test(why)
        return ctest.exit_code(True)
    table = expected()
    samples = sorted(str(p.relative_to(SAMPLES))
                     for p in SAMPLES.glob("*/*.cu"))
    if len(samples) < 10:
        sys.exit("the samples were not found")
    failed = 0
    for fault in readme_faults(sys.argv[1]):
        print(f"FAILED README.md: {fault}")
        failed += 1
    for sample in sorted({*samples, *table}):
        if sample not in table:
            faults = ["not in expected.txt"]
        elif sample not in samples:
            faults = ["in expected.txt, but not there"]
        else:
            faults = faults_of(sys.argv[1], sample, table[sample])
        print(f"{'ok    ' if not faults else 'FAILED'} {sample}")
        for fault in faults:
            print(f"  {sample}:{fault}")
        failed += bool(faults)
    print(f"{len(samples)} samples, {failed} failed")
    return ctest.exit_code(not failed)


if __name__ == "__main__":
    sys.exit(main())
