#!/usr/bin/env python3
#===- bench/time_lint.py - cuda-lint against the compiler's own parse ----===#
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Times `cuda-lint FILE` against `clang++ -fsyntax-only FILE`.

Three programs take turns on every file, so that whatever else the machine does
hits all of them alike:

  lint    cuda-lint FILE -- FLAGS
  both    clang++ -fsyntax-only FLAGS FILE, as a user runs it: the host's side
          and the device's side of the file, one after the other
  device  the same with --cuda-device-only: the half that cuda-lint parses, too

Prints the median over the turns of lint / both and of lint / device, by the
clock and by the processor's time, and the most memory that cuda-lint held. The
clock counts what a user waits for; the processor's time is the steadier one on
a busy machine.

Exit codes: 0 all done, 1 a limit was exceeded, 2 something could not be run.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Cost(NamedTuple):
    wall: float  # seconds
    cpu: float  # seconds, user and system
    memory: float  # MB, the largest resident set
    code: int


class Row(NamedTuple):
    file: str
    seconds: float  # median of cuda-lint
    ratio: dict[str, float]  # wall, by the name of the other program
    cpu_ratio: dict[str, float]
    memory: float
    refused: bool  # the compiler found errors: it may have stopped early


def run(command: list[str]) -> Cost:
    """Runs it with its output thrown away."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    # What the child used is only in its own account if nobody else waits.
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    return Cost(wall, usage.ru_utime + usage.ru_stime,
                usage.ru_maxrss / 1024, child.returncode)


def commands(options: argparse.Namespace, file: str) -> dict[str, list[str]]:
    """What is compared, with the same flags."""
    toolkit = pathlib.Path(options.cuda_path)
    flags = ["-x", "cuda", f"--cuda-path={toolkit}",
             f"--cuda-gpu-arch={options.arch}",
             # What nvcc does by itself, and cuda-lint too.
             "-std=c++17", "-isystem", str(toolkit / "include" / "cccl"),
             "-Wno-unknown-cuda-version"]
    clang = [options.clang, "-fsyntax-only", *flags, *options.flags]
    return {
        "lint": [options.lint, f"--cuda-path={toolkit}",
                 f"--gpu={options.arch}", "--fail-on=never", "--jobs=1", file,
                 "--", *options.flags],
        "both": [*clang, file],
        "device": [*clang, "--cuda-device-only", file],
    }


def measure(options: argparse.Namespace, file: str) -> Row:
    todo = commands(options, file)
    names = list(todo)
    costs: dict[str, list[Cost]] = {name: [] for name in names}
    for command in todo.values():  # fills the caches, is not counted
        run(command)
    for turn in range(options.runs):
        # Another one begins in every turn.
        for k in range(len(names)):
            name = names[(turn + k) % len(names)]
            costs[name].append(run(todo[name]))
    for cost in costs["lint"]:
        if cost.code != 0:
            sys.exit(f"time_lint: {' '.join(todo['lint'])} ended with code "
                     f"{cost.code}; see what it says")

    def ratio(other: str, what: str) -> float:
        return statistics.median(
            getattr(ours, what) / getattr(theirs, what)
            for ours, theirs in zip(costs["lint"], costs[other]))

    others = [name for name in names if name != "lint"]
    return Row(file, statistics.median(c.wall for c in costs["lint"]),
               {o: ratio(o, "wall") for o in others},
               {o: ratio(o, "cpu") for o in others},
               max(c.memory for c in costs["lint"]),
               any(c.code for o in others for c in costs[o]))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0],
        epilog="What follows -- goes to all of the programs.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--lint", default=str(ROOT / "build/release/bin" /
                                              "cuda-lint"),
                        help="cuda-lint; by default build/release/bin")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda-path", default=os.environ.get(
        "CUDA_PATH", "/usr/local/cuda"))
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--runs", type=int, default=7,
                        help="turns that are counted (7)")
    parser.add_argument("--limit", type=float, metavar="RATIO",
                        help="fail when lint / both exceeds it for some file")
    parser.add_argument("--limit-mb", type=float, metavar="MB",
                        help="fail when cuda-lint held more than that")
    given, flags = sys.argv[1:], []
    if "--" in given:
        at = given.index("--")
        given, flags = given[:at], given[at + 1:]
    options = parser.parse_args(given)
    options.flags = flags
    if options.runs < 1:
        parser.error("--runs must be 1 or more")
    for file in options.files:
        if not os.path.isfile(file):
            parser.error(f"'{file}' is no file")
    if not os.access(options.lint, os.X_OK):
        parser.error(f"'{options.lint}' is no program; build it with "
                     "scripts/build release cuda-lint, or name one with --lint")
    return options


def shortened(file: str, width: int) -> str:
    return file if len(file) <= width else "…" + file[1 - width:]


def main() -> int:
    options = arguments()
    width = 44
    print(f"median of {options.runs} turns; lint / both and lint / device, "
          "clock (processor)")
    print(f"{'file':{width}}  seconds        / both      / device      MB")
    rows = []
    for file in options.files:
        row = measure(options, file)
        rows.append(row)
        cells = "  ".join(f"{row.ratio[o]:5.2f} ({row.cpu_ratio[o]:4.2f})"
                          for o in ("both", "device"))
        mark = "  clang has errors" if row.refused else ""
        print(f"{shortened(file, width):{width}}  {row.seconds:7.3f}  {cells}"
              f"  {row.memory:6.0f}{mark}", flush=True)
    # Where the compiler gave up early there is nothing to compare.
    fair = [row for row in rows if not row.refused]
    if fair:
        worst = max(fair, key=lambda row: row.ratio["both"])
        worst_cpu = max(fair, key=lambda row: row.cpu_ratio["both"])
        print(f"worst lint / both: {worst.ratio['both']:.2f} by the clock "
              f"({worst.file}), {worst_cpu.cpu_ratio['both']:.2f} by the "
              f"processor ({worst_cpu.file})")
        for other in ("both", "device"):
            print(f"median lint / {other}: "
                  f"{statistics.median(r.ratio[other] for r in fair):.2f} by "
                  "the clock, "
                  f"{statistics.median(r.cpu_ratio[other] for r in fair):.2f}"
                  " by the processor")
    largest = max(rows, key=lambda row: row.memory)
    print(f"most memory: {largest.memory:.0f} MB ({largest.file})")
    failed = False
    if options.limit and any(r.ratio["both"] > options.limit for r in fair):
        print(f"over the limit of {options.limit:.2f}")
        failed = True
    if options.limit_mb and largest.memory > options.limit_mb:
        print(f"over the limit of {options.limit_mb:.0f} MB")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, KeyboardInterrupt) as error:
        print(f"time_lint: {error}", file=sys.stderr)
        sys.exit(2)
