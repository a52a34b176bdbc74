#!/usr/bin/env python3
#===- bench/overhead_public.py - What confirm costs on public programs ---===//
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Times public programs plain and under `confirm`, and compares the verdicts
of a few launches with those of all.

  overhead_public.py time OUT [--confirm PATH] [--runs N]
  overhead_public.py verdicts OUT [--confirm PATH] [--seconds S]
      On a machine with a GPU, the first with nothing else running. OUT is what
      `confirm_public.py build --list docs/validation/overhead-programs.tsv`
      made. Programs of which all launches take longer than S seconds to count
      are not compared.
  overhead_public.py table OUT
      Prints what the two found, in Markdown.
"""

import argparse
import csv
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "docs/validation/overhead-programs.tsv"
# Verdicts that rest on counts.
COMPARED = ("confirmed", "refuted", "inconclusive", "missed", "measured")


def timed(command, folder):
    start = time.monotonic()
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False)
    return time.monotonic() - start, done.returncode


def what_it_said(path):
    """Of one program: how many launches, and the verdict of each line."""
    document = json.loads(path.read_text()) if path.exists() else {"gpus": []}
    kernels = [k for gpu in document["gpus"] for k in gpu["kernels"]]
    return {"cut_off": (not path.exists() or document["program"]["timed_out"]),
            "launches": sum(k["launches"] for k in kernels),
            "counted": sum(k["measured_launches"] for k in kernels),
            "uncounted": {k["kernel"]: k["uncounted"] for k in kernels
                          if k.get("uncounted")},
            "lines": {" ".join(map(str, (v["kernel"], v["file"], v["line"],
                                         v["space"], v["op"]))): v["verdict"]
                      for gpu in document["gpus"] for v in gpu["lines"]}}


class Trial:
    def __init__(self, row, options):
        self.name = row["id"]
        self.options = options
        self.program = [str(options.out / self.name),
                        *shlex.split(row["run"])]
        self.file = options.out / f"{self.name}.trial.json"
        self.found = (json.loads(self.file.read_text())
                      if self.file.exists() else {})

    def save(self, **found):
        self.found.update(found)
        self.file.write_text(json.dumps(self.found))

    def confirm(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "r.json"
            seconds, _ = timed(
                [self.options.confirm, "--predictions",
                 str(self.options.out / f"{self.name}.json"), "--format=json",
                 "-o", str(report), *options, "--", *self.program], folder)
            return seconds, what_it_said(report)

    def time(self):
        plain, few = [], []
        with tempfile.TemporaryDirectory() as folder:
            timed(self.program, folder)  # the driver's caches
            for _ in range(self.options.runs):
                seconds, code = timed(self.program, folder)
                plain.append(seconds)
                few.append(self.confirm()[0])
        self.save(code=code, plain=plain, few=few)
        print(f"{self.name}: {plain} {few}", file=sys.stderr, flush=True)

    def verdicts(self):
        _, sampled = self.confirm()
        _, every = self.confirm("--launches=all",
                                f"--timeout={self.options.seconds}")
        self.save(sampled=sampled, all=every)

    def times(self):
        """The medians, plain and under confirm; nothing where it failed."""
        if self.found.get("code") != 0:
            return None
        return [statistics.median(self.found[x]) for x in ("plain", "few")]

    def lines(self):
        """Compared, equal, and with a verdict only where all were counted."""
        if "all" not in self.found or self.found["all"]["cut_off"]:
            return None
        sampled, every = (self.found[x]["lines"] for x in ("sampled", "all"))
        both = [k for k, v in sampled.items()
                if v in COMPARED and every.get(k) in COMPARED]
        for key in both:
            if sampled[key] != every[key]:
                print(f"{self.name}: {key}: {sampled[key]}, of all "
                      f"{every[key]}", file=sys.stderr)
        return (len(both), sum(sampled[k] == every[k] for k in both),
                sum(v in COMPARED and sampled.get(k) not in COMPARED
                    for k, v in every.items()))


def fits(plain, few):
    return few <= 1.5 * plain + 2


def table(trials):
    print("| program | plain, s | confirm, s | launches | counted | lines "
          "compared | equal | only with all |\n|---|--:|--:|--:|--:|--:|--:|--:|")
    for trial in trials:
        times, lines = trial.times(), trial.lines()
        cells = ["", ""] if not times else [
            f"{times[0]:.2f}", f"{times[1]:.2f}{'' if fits(*times) else ' *'}"]
        sampled = trial.found.get("sampled")
        cells += [sampled["launches"], sampled["counted"]] if sampled else [
            "", ""]
        cells += lines or ["", "", ""]
        if times or lines:
            print(f"| {trial.name} | " + " | ".join(map(str, cells)) + " |")
    times = [t for t in (trial.times() for trial in trials) if t]
    lines = [t for t in (trial.lines() for trial in trials) if t]
    if not times:
        print("\nno program was timed")
        return
    both, same, lost = (sum(x) for x in zip((0, 0, 0), *lines))
    ratio = statistics.median(few / plain for plain, few in times)
    extra = statistics.median((few - 1) / plain for plain, few in times)
    print(f"\n{len(times)} programs timed: median of confirm / plain "
          f"{ratio:.2f}, of (confirm - 1 s) / plain {extra:.2f}; beyond 1.5 "
          f"times plain and 2 s (*): {sum(not fits(*t) for t in times)}. "
          f"{len(lines)} programs compared: {same} of {both} lines have equal "
          f"verdicts ({100 * same / max(both, 1):.2f} %), {lost} have one only "
          "with all launches.")
    for trial in trials:
        if trial.found.get("sampled", {}).get("uncounted"):
            print(f"\nNot counted in {trial.name}: " + ", ".join(
                f"{k} ({why})" for k, why in
                trial.found["sampled"]["uncounted"].items()))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["time", "verdicts", "table"])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path, default=LIST)
    parser.add_argument("--confirm", default="cuda-lint-confirm")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()
    options.out = options.out.resolve()
    if "/" in options.confirm:
        options.confirm = str(pathlib.Path(options.confirm).resolve())
    with open(options.list, encoding="utf-8") as file:
        trials = [Trial(row, options)
                  for row in csv.DictReader(file, delimiter="\t")
                  if (options.out / row["id"]).exists()]
    if options.step == "time":
        for trial in trials:
            trial.time()
    elif options.step == "verdicts":
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(Trial.verdicts, trials))
    else:
        table(trials)
    return 0


if __name__ == "__main__":
    sys.exit(main())
