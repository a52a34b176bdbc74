#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the probe's profiles with what Nsight Compute measured.

    compare_with_ncu.py lines PROFILE...       prints lines as tab-separated
    compare_with_ncu.py ID LINES.TSV PROFILE... compares one program's lines

The columns are those of LINES.TSV: kernel, file, line, space, op, inst_executed,
sectors, ideal_sectors, wavefronts, ideal_wavefronts, local_sectors. Kernels are
compared by their plain names, files by their last part: templates of one name
are summed on both sides. Ends with 1 when a line differs.
"""

import csv
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import PurePath

FIGURES = ["inst_executed", "sectors", "ideal_sectors", "wavefronts",
           "ideal_wavefronts", "local_sectors"]


def plain_name(demangled):
    """`f` of `void n::f<(int)4>(float *)`."""
    depth, kept = 0, ""
    for letter in demangled:
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "(" and depth == 0:
            break
        if depth == 0 and letter != ">":
            kept += letter
    return re.split(r"[ :]", kept.strip())[-1]


def demangle(names):
    names = sorted(names)
    done = subprocess.run(["c++filt", "--", *names] if names else ["true"],
                          check=True, capture_output=True, text=True)
    return dict(zip(names, done.stdout.splitlines()))


def profile_lines(paths):
    """(kernel, file, line, space, op) to figures."""
    out = defaultdict(lambda: dict.fromkeys(FIGURES, 0))
    profiles = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            profiles.append(json.load(file))
    plain = demangle({line["kernel"] for p in profiles for line in p["lines"]})
    for profile in profiles:
        for line in profile["lines"]:
            name = plain_name(plain[line["kernel"]])
            file = PurePath(line["file"] or "").name
            key = (name, file, line["line"] or 0, line["space"], line["op"])
            local = line["space"] == "local"
            values = {"inst_executed": line["instructions"],
                      "sectors": None if local else line["sectors"],
                      "ideal_sectors": line["ideal_sectors"],
                      "wavefronts": line["wavefronts"],
                      "ideal_wavefronts": line["ideal_wavefronts"],
                      "local_sectors": line["sectors"] if local else None}
            for figure, value in values.items():
                out[key][figure] += value or 0
    return out


def measured_lines(program, path):
    out = defaultdict(lambda: dict.fromkeys(FIGURES, 0))
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["id"] != program:
                continue
            key = (plain_name(row["kernel"]), PurePath(row["file"]).name,
                   int(row["line"]), row["space"], row["op"])
            for figure in FIGURES:
                out[key][figure] += int(float(row[figure]))
    return out


def compare(program, ours, theirs):
    equal, different = 0, []
    for key in sorted(theirs):
        if ours.get(key) == theirs[key]:
            equal += 1
            continue
        faults = [f"{f} {ours[key][f] if key in ours else None} "
                  f"(ncu {theirs[key][f]})" for f in FIGURES
                  if key not in ours or ours[key][f] != theirs[key][f]]
        different.append((key, faults))
    for key, faults in different:
        print(f"  {':'.join(map(str, key))}: {', '.join(faults)}")
    kernels = {key[0] for key in theirs}
    extra = [key for key in ours if key not in theirs and key[0] in kernels]
    print(f"{program}: {equal} of {len(theirs)} lines equal, "
          f"{len(extra)} that ncu does not list")
    return not different and equal > 0


def main(arguments):
    if len(arguments) >= 2 and arguments[0] == "lines":
        print("\t".join(["kernel", "file", "line", "space", "op", *FIGURES]))
        for key, figures in sorted(profile_lines(arguments[1:]).items()):
            print("\t".join(map(str, [*key, *figures.values()])))
        return 0
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    ours = profile_lines(arguments[2:])
    return 0 if compare(arguments[0], ours,
                        measured_lines(*arguments[:2])) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
