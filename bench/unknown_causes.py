#!/usr/bin/env python3
#===- bench/unknown_causes.py - What is not known of public code ---------===//
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Lints every CUDA program of a tree and counts what is unknown, by cause.

  unknown_causes.py TREE [--lint PATH] [--jobs N] [--every N]

A folder that holds .cu files is a program. Nothing is compiled: accesses are
evaluated as a compiler is expected to make them (--ptxas=off).
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from confirm_public import program


def lint(folder, options):
    """Accesses by (certainty, cause), and the exit code; 0 with findings."""
    sources = sorted(p.name for p in folder.glob("*.cu"))
    flags = ["-std=c++17", "-I.", "-I../include",
             *(f"-I{p.name}" for p in folder.iterdir() if p.is_dir())]
    counts = collections.Counter()
    try:
        done = subprocess.run(
            [options.lint, "--gpu=h200", "--ptxas=off", "--format=json",
             "--fail-on=never", "-j1", *sources, "--", *flags],
            cwd=folder, capture_output=True, text=True, errors="replace",
            timeout=options.timeout, check=False)
    except subprocess.TimeoutExpired:
        return counts, "timeout"
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return counts, done.returncode
    for unit in document["units"]:
        for kernel in unit["kernels"]:
            for access in kernel["accesses"]:
                because = access["unknown_because"] or {}
                counts[access["certainty"], because.get("cause", "")] += 1
    # A crash is a signal, or an internal error in the report.
    crashed = done.returncode < 0 or "internal error" in done.stderr
    return counts, "crash" if crashed else done.returncode


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--lint", default="cuda-lint", type=program)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1,
                        help="take each N-th program only")
    parser.add_argument("--timeout", type=float, default=120)
    options = parser.parse_args()
    folders = sorted({p.parent for p in options.tree.rglob("*.cu")})
    folders = folders[::options.every]
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda f: lint(f, options), folders))
    total, exits = collections.Counter(), collections.Counter()
    for folder, (counts, code) in zip(folders, results):
        total += counts
        exits[str(code)] += 1
        if code in ("crash", "timeout"):
            print(f"{folder.relative_to(options.tree)}: {code}")
    accesses = sum(total.values())
    print(f"{len(folders)} programs, by exit code: {dict(sorted(exits.items()))}")
    print(f"{accesses} accesses")
    by_certainty = collections.Counter()
    for (certainty, _), count in total.items():
        by_certainty[certainty] += count
    for certainty, count in by_certainty.most_common():
        print(f"{count:8} {100 * count / max(accesses, 1):5.1f} %  {certainty}")
    for (certainty, cause), count in total.most_common():
        if certainty == "unknown":
            print(f"{count:8} {100 * count / max(accesses, 1):5.1f} %    "
                  f"unknown: {cause or 'nobody says why'}")
    return int(exits["crash"] > 0)


if __name__ == "__main__":
    sys.exit(main())
