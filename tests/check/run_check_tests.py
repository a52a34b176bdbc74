#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lints an annotated CUDA file and compares what is said with its marks.

    run_check_tests.py CUDA_LINT FILE.cu
    run_check_tests.py CUDA_LINT --examples
    run_check_tests.py CUDA_LINT --pages

A file opens with the options of the run, one line for each run:

    // RUN-OPTIONS: --gpu h200
    // RUN-OPTIONS(old): --gpu sm_11

and says what is expected of a line below it, one mark for each finding or for
several that are alike; `^` is one line up, `^^` two:

    //~^ shared-bank-conflict: 32-way
    //~old^ shared-bank-conflict: 16-way

The text must be part of the message. `//~^ error implicit-double: …` asks for
the severity as well. A mark with a label is for the run of that label only. A
finding without mark fails the test, and so does a mark without finding.

`%S` in the options is the folder of the file: `--ptxas-log %S/Inputs/a.log`.
nvcc is not run unless the options ask for it.

With --examples, the good and the bad example of every check are linted: the
bad one must be reported by that check and by no other, the good one by none.
Their comments hold what the source alone does not say: `// Linted with:
--registers 33`, or the output of ptxas.
With --pages, docs/checks is compared with what the program writes.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADER = ROOT / "tests" / "mock" / "include" / "cuda_runtime.h"

RUN = re.compile(r"^// RUN-OPTIONS(?:\((\w+)\))?: *(.*)$")
MARK = re.compile(r"//~(\w*)(\^+) +(?:(error|warning|note) +)?([a-z0-9-]+): "
                  r"*(.*?) *$")

PLACE = re.compile(r"\{([a-z][a-z0-9_]*)(?: [a-z]*)?\}")
KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*$")


class Failure(Exception):
    pass


def require_values(file, finding):
    """That each place in what FINDING says has a value, and is about what the
    source names."""
    for part in filter(None, (finding[p] for p in ("what", "cause", "remedy"))):
        if not KEBAB.match(part["id"]):
            raise Failure(f"{file}: '{part['id']}' is not in kebab case")
        for name in PLACE.findall(part["text"]):
            if name not in part["values"]:
                raise Failure(f"{file}: no value is named '{name}' in "
                              f"'{part['text']}'")
    if not finding["subject"]["function"]:
        raise Failure(f"{file}: {finding['check']} names no function")


def lint(cuda_lint, file, options):
    """The findings of one file, from JSON that obeys the schema."""
    command = [cuda_lint, "--format=json", "--fail-on=never", "--ptxas=off",
               *options, str(file), "--", "-nocudainc", "-nocudalib", "-std=c++17",
               "-include", str(HEADER)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{shlex.join(command)}\nexit code {done.returncode}\n"
                      f"{done.stderr}")
    valid = tools.validate("cuda-lint-1.schema.json", done.stdout, "--strict")
    if valid is None:
        ctest.cannot_test(tools.NO_VALIDATOR)
    elif valid.returncode != 0:
        raise Failure(f"{file}: output breaks the schema:\n{valid.stderr}")
    document = json.loads(done.stdout)
    for unit in document["units"]:
        for finding in unit["findings"]:
            require_values(file, finding)
        if unit["status"] != "ok":
            raise Failure(f"{file}: {unit['status']}: {unit['errors']}")
    return [f for unit in document["units"] for f in unit["findings"]]


class Mark:
    def __init__(self, number, match):
        self.label, up, self.severity, self.check, self.text = match.groups()
        self.at = number
        self.line = number - len(up)
        self.met = False

    def meets(self, finding):
        return (finding["line"] == self.line
                and finding["check"] == self.check
                and self.text in finding["message"]
                and self.severity in (None, finding["severity"]))


def read_annotations(file):
    runs, marks = {}, []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        run = RUN.match(line)
        if run:
            options = run.group(2).replace("%S", str(file.parent))
            runs[run.group(1) or ""] = shlex.split(options)
        mark = MARK.search(line)
        if mark:
            marks.append(Mark(number, mark))
        elif "//~" in line:
            raise Failure(f"{file}:{number}: not a mark: {line.strip()}")
    if not runs:
        raise Failure(f"{file}:1: no `// RUN-OPTIONS: …`")
    for mark in marks:
        if mark.label not in runs:
            raise Failure(f"{file}:{mark.at}: no RUN-OPTIONS({mark.label})")
    return runs, marks


def test_annotated(cuda_lint, file):
    runs, marks = read_annotations(file)
    faults = []
    for label, options in runs.items():
        run = f" in the run '{label}'" if label else ""
        mine = [m for m in marks if m.label == label]
        for finding in lint(cuda_lint, file, options):
            met = [m for m in mine if m.meets(finding)]
            for mark in met:
                mark.met = True
            if not met:
                faults.append(
                    f"{file}:{finding['line']}: unexpected{run}: "
                    f"{finding['severity']} {finding['check']}: "
                    f"{finding['message']}")
        faults += [f"{file}:{m.at}: nothing{run} on line {m.line}: "
                   f"{m.check}: {m.text}" for m in mine if not m.met]
    if faults:
        raise Failure("\n".join(faults))
    print(f"{len(runs)} runs, {len(marks)} marks")


def examples(page):
    """The bad and the good example of a check's page."""
    blocks = re.findall(r"^```cuda\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    if len(blocks) != 2:
        raise Failure(f"{len(blocks)} examples where there should be 2")
    return blocks


def example_options(name, code, folder):
    """What the comments of an example say about the run."""
    options = ["--gpu", "h200", f"--checks={name}"]
    for line in re.findall(r"^// Linted with: (.*)$", code, re.MULTILINE):
        options += shlex.split(line)
    log = re.findall(r"^// {0,4}((?:ptxas| +\d+ bytes).*)$", code, re.MULTILINE)
    if log:
        file = Path(folder) / f"{name}.log"
        file.write_text("\n".join(log) + "\n")
        options.append(f"--ptxas-log={file}")
    return options


def test_examples(cuda_lint):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages"
        pages.mkdir()
        subprocess.run([cuda_lint, "explain", "--all-markdown", pages],
                       check=True)
        names = sorted(p.stem for p in pages.glob("*.md")
                       if p.stem != "README")
        if len(names) < 10:
            raise Failure(f"only {len(names)} checks have a page")
        for name in names:
            bad, good = examples((pages / f"{name}.md").read_text())
            for kind, code, expected in (("bad", bad, {name}),
                                         ("good", good, set())):
                file = Path(folder) / f"{name}-{kind}.cu"
                file.write_text(code)
                found = lint(cuda_lint, file,
                             example_options(name, code, folder))
                if {f["check"] for f in found} != expected:
                    said = [f"{f['check']}:{f['line']}: {f['message']}"
                            for f in found] or ["nothing"]
                    faults.append(f"{name}, {kind} example: " +
                                  "\n  ".join(said))
    if faults:
        raise Failure("\n".join(faults))
    print(f"{2 * len(names)} examples")


def test_pages(cuda_lint):
    docs = ROOT / "docs" / "checks"
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder)
        subprocess.run([cuda_lint, "explain", "--all-markdown", pages],
                       check=True)
        names = {p.name for p in pages.iterdir()}
        stale = sorted(n for n in names | {p.name for p in docs.iterdir()}
                       if n not in names or not (docs / n).is_file()
                       or (docs / n).read_text() != (pages / n).read_text())
    if stale:
        raise Failure(f"docs/checks is not what the checks say: "
                      f"{', '.join(stale)}; run "
                      "`cuda-lint explain --all-markdown docs/checks`")
    print(f"{len(names)} pages")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    cuda_lint, what = sys.argv[1:]
    try:
        if what == "--examples":
            test_examples(cuda_lint)
        elif what == "--pages":
            test_pages(cuda_lint)
        else:
            test_annotated(cuda_lint, Path(what))
    except Failure as failure:
        sys.exit(str(failure))
    sys.exit(ctest.exit_code(True))


if __name__ == "__main__":
    main()
