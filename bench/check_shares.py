#!/usr/bin/env python3
#===- bench/check_shares.py - Told shares against counted ones -----------===#
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Compares the shares of a kernel that findings tell with the counters.

    check_shares.py RESULTS LINES

RESULTS is a folder with one NAME.json of `cuda-lint --format=json` for each
program; LINES a table, separated by tabs, of what the GPU counted for each
line of each kernel, with the columns id (NAME), kernel (its signature), file,
line, space, sectors, ideal_sectors, wavefronts and ideal_wavefronts.

A share is what the line takes above its ideal, of all that the kernel moves in
that unit: wavefronts in shared memory, sectors elsewhere. Findings of one line
are one share. It is right within 3 points or a tenth of it, the larger; of one
that says "up to", anything less is right. Prints what is wrong, then how many
there are of each kind: counted (each access of the kernel is), supposed (loops
of a hundred turns), rough and at most.

Exit codes: 0 all done, 2 something could not be read.
"""

import collections
import csv
import json
import sys
from pathlib import Path

POINTS, TENTH = 0.03, 0.1


class Line:
    """What one line of a kernel was told to waste, and does."""

    def __init__(self, check, real):
        self.check, self.real, self.told, self.kinds = check, real, 0, set()
        self.accesses = set()

    def add(self, access, kind, share):
        if access not in self.accesses:
            self.accesses.add(access)
            self.told += share
            self.kinds.add(kind)

    @property
    def kind(self):
        return next(kind for kind in ("at most", "rough", "supposed", "counted")
                    if kind in self.kinds)

    @property
    def right(self):
        slack = max(POINTS, TENTH * self.real)
        return (self.told >= self.real - slack if self.kind == "at most" else
                abs(self.told - self.real) <= slack)


def read_counters(path):
    """Program, kernel, (file, line, unit): what was moved, what it takes."""
    counters = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            unit = "wavefronts" if row["space"] == "shared" else "sectors"
            lines = counters[row["id"]][row["kernel"].replace(" ", "")]
            place = (row["file"], int(row["line"]), unit)
            moved, ideal = lines.get(place, (0, 0))
            lines[place] = (moved + float(row[unit] or 0),
                            ideal + float(row[f"ideal_{unit}"] or 0))
    return counters


def kernel_of(kernels, signature):
    """Its lines; one whose name is the only one of its kind, if need be."""
    if signature in kernels:
        return kernels[signature]
    def name(of):
        return of.split("(")[0].split("<")[0]
    alike = [k for k in kernels if name(k) and name(k) == name(signature)]
    return kernels[alike[0]] if len(alike) == 1 else None


def told(waste):
    """The kind of share that a finding tells, and the share; or nothing."""
    if waste["share_of_kernel"] is not None:
        return "counted", waste["share_of_kernel"]
    if waste["estimate"] is None:
        return None
    return ("rough" if waste["rough"] else
            "at most" if waste["at_most"] else "supposed"), waste["estimate"]


def compare(program, document, counters, found):
    for unit in document["units"]:
        signatures = {kernel["name"]: kernel["signature"].replace(" ", "")
                      for kernel in unit["kernels"]}
        for finding in unit["findings"]:
            share = told(finding["waste"]) if finding.get("waste") else None
            lines = finding["kernel"] and kernel_of(
                counters, signatures.get(finding["kernel"], ""))
            if not share or not lines:
                continue
            moves = finding["waste"]["unit"]
            total = sum(moved for (_, _, of), (moved, _) in lines.items()
                        if of == moves)
            # The counters may name the call or what is called.
            for place in [finding, *finding["inlined_at"]]:
                key = (Path(place["file"]).name, place["line"], moves)
                if key in lines and total:
                    moved, ideal = lines[key]
                    line = found.setdefault(
                        (program, finding["kernel"], *key),
                        Line(finding["check"], max(0, moved - ideal) / total))
                    line.add((finding["column"], finding["subject"]["kind"]),
                             *share)
                    break


def main():
    if len(sys.argv) != 3:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        counters = read_counters(sys.argv[2])
        found = {}
        for path in sorted(Path(sys.argv[1]).glob("*.json")):
            documents = json.loads(path.read_text(encoding="utf-8"))
            for document in (documents if isinstance(documents, list)
                             else [documents]):
                compare(path.stem, document, counters[path.stem], found)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"check_shares.py: error: {error}", file=sys.stderr)
        return 2
    right, of = collections.Counter(), collections.Counter()
    for (program, kernel, file, number, unit), line in found.items():
        of[line.kind] += 1
        right[line.kind] += line.right
        if not line.right:
            print(f"{program} {kernel} {file}:{number} {line.check}: told "
                  f"{line.told:.3f}, counted {line.real:.3f} of the {unit} "
                  f"({line.kind})")
    for kind, number in sorted(of.items()):
        print(f"{kind}: {right[kind]} of {number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
