#!/usr/bin/env python3
#===- bench/time_confirm.py - What confirm costs a program ---------------===#
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Times a program of many launches plain, under `cuda-lint confirm` and under
Nsight Compute, on a machine with a GPU.

The program is ProbeProgram of tests/gpu: `many N` makes N launches of a kernel
of about a microsecond. The runs take turns:

  plain      the program alone
  confirm    cuda-lint-confirm with the program's predictions
  occupancy  the same with --occupancy, which runs the program once more
  ncu        ncu --section SourceCounters, in the last turn only and ended
             after --ncu-limit seconds: it is slow

Prints the median seconds of each and the ratio to plain, then a soak of many
launches: seconds and greatest memory, of the program as of all it starts.

    nvcc -O3 -std=c++17 -arch=native -lineinfo tests/gpu/ProbeProgram.cu \\
        -o probe-program -lnvrtc -lcuda
    cuda-lint --gpu h200 --format=json -o p.json tests/gpu/ProbeProgram.cu
    bench/time_confirm.py --predictions p.json --program probe-program \\
        --confirm build/gpu/bin/cuda-lint-confirm

Exit codes: 0 the goals are met, 1 one is not, 2 something could not be run.
"""

import argparse
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

# The goals: at most this much of the plain time and so many seconds more, and
# at least so many times faster than ncu.
MOST_RATIO, MOST_SECONDS, LEAST_AGAINST_NCU = 1.5, 1.0, 10.0


class Cost(NamedTuple):
    seconds: float
    memory: float  # MB, the largest resident set of it and its children
    code: int  # -1: ended by us after the limit


def run(command: list[str], limit=None) -> Cost:
    """Runs it with its output thrown away, in a child of its own: the memory
    of a grandchild is known only to its parent. It and what it started are
    ended after `limit` seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        start = time.perf_counter()
        code = 127
        try:
            program = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL,
                                       start_new_session=True)
            code = program.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
            code = -1
        except OSError:
            pass
        seconds = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        os.write(writing, f"{seconds} {used / 1024} {code}".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        words = answer.read().split()
    os.waitpid(child, 0)
    return Cost(float(words[0]), float(words[1]), int(words[2]))


def commands(options: argparse.Namespace, launches: int):
    program = [os.path.abspath(options.program), "many", str(launches)]
    confirm = [options.confirm, "--predictions", options.predictions,
               "--quiet", "--output", os.devnull]
    if options.probe:
        confirm += ["--probe", options.probe]
    todo = {"plain": program, "confirm": [*confirm, "--", *program],
            "occupancy": [*confirm, "--occupancy", "--", *program]}
    if options.ncu:
        todo["ncu"] = [options.ncu, "--section", "SourceCounters", *program]
    return todo


def checked(name: str, command: list[str], limit=None) -> Cost:
    cost = run(command, limit)
    if cost.code != 0 and not (limit and cost.code == -1):
        raise OSError(f"{name} ended with code {cost.code}: "
                 f"{' '.join(command)}")
    return cost


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="ProbeProgram, built")
    parser.add_argument("--predictions", required=True,
                        help="what cuda-lint --format=json wrote of it")
    parser.add_argument("--confirm", default="cuda-lint-confirm")
    parser.add_argument("--probe", help="the probe's library")
    parser.add_argument("--ncu", default=shutil.which("ncu"),
                        help="empty: without it")
    parser.add_argument("--ncu-limit", type=float, default=600,
                        help="seconds")
    parser.add_argument("--launches", type=int, default=1000)
    parser.add_argument("--soak", type=int, default=100_000,
                        help="launches of the soak; 0: without it")
    parser.add_argument("--runs", type=int, default=7)
    return parser.parse_args()


def main() -> int:
    options = arguments()
    todo = commands(options, options.launches)
    costs: dict[str, list[Cost]] = {name: [] for name in todo}
    checked("plain", todo["plain"])  # fills the caches, is not counted
    for turn in range(options.runs):
        for name, command in todo.items():
            if name != "ncu" or turn + 1 == options.runs:
                limit = options.ncu_limit if name == "ncu" else None
                costs[name].append(checked(name, command, limit))
    middle = {name: statistics.median(c.seconds for c in all_of)
              for name, all_of in costs.items()}
    print(f"{options.launches} launches, median of {options.runs} runs"
          f"{', ncu once' if options.ncu else ', no ncu'}")
    print(f"{'':10}  seconds   least to most   / plain     MB")
    for name, all_of in costs.items():
        seconds = [c.seconds for c in all_of]
        print(f"{name:10}  {middle[name]:7.2f}  {min(seconds):6.2f} to "
              f"{max(seconds):6.2f}  {middle[name] / middle['plain']:7.2f}  "
              f"{max(c.memory for c in all_of):6.0f}"
              f"{'  ended before it was through' if all_of[-1].code else ''}",
              flush=True)

    if options.soak:
        print(f"soak of {options.soak} launches")
        for name, command in commands(options, options.soak).items():
            if name != "ncu":
                cost = checked(name, command)
                print(f"{name:10}  {cost.seconds:7.2f} s  "
                      f"{cost.seconds / options.soak * 1e6:6.1f} us a launch  "
                      f"{cost.memory:6.0f} MB", flush=True)

    most = MOST_RATIO * middle["plain"] + MOST_SECONDS
    goals = [(f"confirm in at most {MOST_RATIO} x plain + {MOST_SECONDS:.0f} s"
              f" = {most:.2f} s", middle["confirm"] <= most,
              f"{middle['confirm']:.2f} s")]
    if options.ncu:
        faster = middle["ncu"] / middle["confirm"]
        goals.append((f"{LEAST_AGAINST_NCU:.0f} times faster than ncu",
                      faster >= LEAST_AGAINST_NCU,
                      ("more than " if costs["ncu"][-1].code else "") +
                      f"{faster:.0f} times"))
    for goal, is_met, figure in goals:
        print(f"goal {'met' if is_met else 'MISSED'}: {goal}: {figure}")
    return 0 if all(is_met for _, is_met, _ in goals) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, KeyboardInterrupt) as error:
        print(f"time_confirm: {error}", file=sys.stderr)
        sys.exit(2)
