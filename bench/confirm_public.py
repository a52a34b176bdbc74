#!/usr/bin/env python3
#===- bench/confirm_public.py - Predictions of public programs -----------===//
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Builds, lints and confirms the public programs of a list.

  confirm_public.py build CHECKOUTS OUT [--lint PATH]
      On a machine with the CUDA toolkit. CHECKOUTS/OWNER+NAME is a work tree
      of each repository. Writes OUT/ID (the program) and OUT/ID.json.
  confirm_public.py run OUT [--confirm PATH] [--results FOLDER] [--again]
      On a machine with a GPU. Prints the verdicts on the lines of each
      program, their sums, and each line whose predicted totals are off by more
      than 1 %. The profiles stay in FOLDER/ID.profile; --again judges by
      these, without a GPU and whatever the predictions are by then.
"""

import argparse
import collections
import csv
import json
import pathlib
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "docs/validation/public-programs.tsv"
VERDICTS = ["confirmed", "refuted", "inconclusive", "missed", "measured",
            "not_measured"]


def program(name):
    """Programs run in other folders."""
    return str(pathlib.Path(name).resolve()) if "/" in name else name


def programs(options):
    with open(options.list, encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t")
                if not options.only or row["id"] in options.only]


def build_one(row, checkouts, out, lint):
    """Returns what went wrong, or an empty string."""
    root = (checkouts / row["repository"].replace("/", "+")).resolve()
    folder = root / row["folder"]
    flags = [x.replace("{root}", str(root))
             for x in shlex.split(row["arguments"])]
    if not folder.is_dir():
        return [f"there is no '{folder}'"]
    sources = row["sources"].split()
    kernels = [x for x in sources if x.endswith(".cu")]
    made = subprocess.run(
        ["nvcc", "-O3", "-std=c++17", "-lineinfo", f"-arch={row['arch']}", "-w",
         *flags, *sources, "-o", str(out / row["id"])],
        cwd=folder, capture_output=True, text=True, check=False)
    if made.returncode:
        return made.stderr.strip().splitlines()[-1:] or ["nvcc failed"]
    report = out / f"{row['id']}.json"
    linted = subprocess.run(
        [lint, f"--gpu={row['gpu']}", "--format=json", "--fail-on=never", "-o",
         str(report), *kernels, "--", "-std=c++17", *flags],
        cwd=folder, capture_output=True, text=True, check=False)
    return [] if report.exists() else linted.stderr.splitlines()[-1:]


def build(options):
    options.out.mkdir(parents=True, exist_ok=True)
    rows = programs(options)
    with ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(
            lambda row: build_one(row, options.checkouts, options.out.resolve(),
                                  options.lint), rows))
    for row, fault in zip(rows, faults):
        if fault:
            print(f"{row['id']}: {fault[0]}")
    print(f"{sum(not fault for fault in faults)} of {len(rows)} programs built")
    return any(faults)


def confirm_one(row, out, confirm, results, again):
    report = results / f"{row['id']}.confirm.json"
    profile = results / f"{row['id']}.profile"
    source = ["--profile", str(profile)] if again else [
        f"--save-profile={profile}", f"--launches={row['launches']}", "--",
        str(out / row["id"]), *shlex.split(row["run"])]
    try:
        done = subprocess.run(
            [confirm, "--predictions", str(out / f"{row['id']}.json"),
             "--format=json", "-o", str(report), "--fail-on=never", *source],
            cwd=out, capture_output=True, text=True, check=False, timeout=60)
    except subprocess.TimeoutExpired:
        return None, "longer than 60 s"
    if not report.exists():
        return None, (done.stderr.strip().splitlines() or ["no report"])[-1]
    return json.loads(report.read_text(encoding="utf-8")), ""


class Totals:
    """How far the predicted requests, sectors and wavefronts of a line, summed
    over all launches, are from those that were counted."""

    def __init__(self):
        self.lines = collections.Counter()  # (certainty, within 1 %)

    def add(self, name, line):
        predicted, measured = line["predicted"], line["measured"]
        pairs = [(predicted[x], measured[x]) for x in ("requests", "total")]
        if any(x is None for pair in pairs for x in pair) or not pairs[0][1]:
            return
        close = all(abs(p - m) <= 0.01 * m for p, m in pairs)
        self.lines[predicted["certainty"], close] += 1
        if not close:
            print(f"  total: {name} {line['file']}:{line['line']} "
                  f"{line['space']} {line['op']}, {predicted['certainty']} "
                  f"{pairs[0][0]:.0f} requests, {pairs[1][0]:.0f} "
                  f"{line['unit']}, counted {pairs[0][1]} and {pairs[1][1]}")

    def __str__(self):
        return "totals within 1 %: " + ", ".join(
            f"{self.lines[certainty, True]} of "
            f"{self.lines[certainty, True] + self.lines[certainty, False]} "
            f"{certainty} lines" for certainty in ("exact", "assumed"))


def run(options):
    results = options.results or options.out
    results.mkdir(parents=True, exist_ok=True)
    total = collections.Counter()
    totals = Totals()
    exact = 0
    print(f"{'program':28}" + "".join(f"{v:>14}" for v in VERDICTS))
    for row in programs(options):
        needed = row["id"] + (".json" if options.again else "")
        if not (options.out / needed).exists():
            continue
        document, fault = confirm_one(row, options.out.resolve(),
                                      options.confirm, results.resolve(),
                                      options.again)
        if document is None:
            print(f"{row['id']:28} {fault}", flush=True)
            continue
        verdicts = collections.Counter()
        for line in (x for gpu in document["gpus"] for x in gpu["lines"]):
            verdicts[line["verdict"]] += 1
            totals.add(row["id"], line)
            if line["verdict"] in ("refuted", "missed"):
                predicted, measured = line["predicted"], line["measured"]
                exact += (line["verdict"] == "refuted" and
                          predicted["certainty"] == "exact")
                print(f"  {line['verdict']}: {line['file']}:{line['line']} "
                      f"{line['space']} {line['op']}, "
                      f"{predicted['certainty']} {predicted['per_request']} "
                      f"of {predicted['ideal']}, measured "
                      f"{measured['per_request']} of {measured['ideal']}")
        total += verdicts
        print(f"{row['id']:28}" + "".join(f"{verdicts[v]:14}"
                                          for v in VERDICTS), flush=True)
    print(f"{'together':28}" + "".join(f"{total[v]:14}" for v in VERDICTS))
    predicted = total["confirmed"] + total["refuted"] + total["inconclusive"]
    if predicted:
        print(f"refuted {100 * total['refuted'] / predicted:.2f} % of "
              f"{predicted} lines with a prediction, {exact} of them exact; "
              f"inconclusive {100 * total['inconclusive'] / predicted:.1f} %; "
              f"missed {100 * total['missed'] / predicted:.1f} %")
    print(totals)
    return 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("build")
    one.add_argument("checkouts", type=pathlib.Path)
    one.add_argument("out", type=pathlib.Path)
    one.add_argument("--lint", default="cuda-lint", type=program)
    one.set_defaults(do=build)
    two = commands.add_parser("run")
    two.add_argument("out", type=pathlib.Path)
    two.add_argument("--confirm", default="cuda-lint-confirm", type=program)
    two.add_argument("--results", type=pathlib.Path)
    two.add_argument("--again", action="store_true",
                     help="judge by the profiles of the last run")
    two.set_defaults(do=run)
    for each in (one, two):
        each.add_argument("--only", nargs="*", help="identifiers in the list")
        each.add_argument("--list", type=pathlib.Path, default=LIST)
    options = parser.parse_args()
    return int(options.do(options))


if __name__ == "__main__":
    sys.exit(main())
