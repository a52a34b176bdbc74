#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""That run_check_tests.py fails where it must, with cuda-lint faked."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

import run_check_tests as runner

FINDING = {"check": "small-grid", "severity": "warning", "file": "a.cu",
           "line": 2, "column": 1, "kernel": None,
           "message": "grid of 8 blocks", "certainty": "exact",
           "assumptions": [], "assumed": [],
           "prediction": None, "fixes": [],
           "begin": None, "end": None,
           "what": {"id": "idle-sms", "text": "grid of {n} blocks",
                    "values": {"n": 8}},
           "cause": None, "remedy": None, "effect": None, "request": None,
           "others": 0, "executions": None, "waste": None, "group": 1,
           "inlined_at": [], "included_from": [], "macros": [],
           "subject": {"kind": "launch", "function": "k", "name": None,
                       "variable": None, "object": None},
           "fingerprint": None, "occurrence": None, "block": None}
DOCUMENT = {"schema": "cuda-lint/1",
            "tool": {"name": "cuda-lint", "version": "0.1.0"},
            "target": {"name": "h200", "compute_capability": "9.0",
                       "sms": 132},
            "rules": [], "skipped": [],
            "units": [{"file": "a.cu", "status": "ok", "errors": [],
                       "kernels": [], "findings": []}]}


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)

    def run_on(self, source, *findings, status="ok", code=0):
        """Runs SOURCE through a cuda-lint that says FINDINGS."""
        document = json.loads(json.dumps(DOCUMENT))
        document["units"][0]["findings"] = list(findings)
        if status != "ok":
            document["units"][0].update(status=status, errors=[
                {"file": "a.cu", "line": 1, "column": 1, "message": "no",
                 "kind": "source"}])
        (self.top / "out.json").write_text(json.dumps(document))
        fake = self.top / "cuda-lint"
        fake.write_text(f'#!/bin/sh\necho "$@" >"{self.top}/arguments"\n'
                        f'cat "{self.top}/out.json"\nexit {code}\n')
        fake.chmod(0o755)
        file = self.top / "a.cu"
        file.write_text(source)
        runner.test_annotated(str(fake), file)

    def fails(self, text, *arguments, **options):
        with self.assertRaises(runner.Failure) as caught:
            self.run_on(*arguments, **options)
        self.assertIn(text, str(caught.exception))

    def test_match(self):
        self.run_on("// RUN-OPTIONS: --gpu h200\nk();\n"
                    "//~^ small-grid: 8 blocks\n", FINDING)
        self.assertIn("--gpu h200", (self.top / "arguments").read_text())

    def test_silence(self):
        self.run_on("// RUN-OPTIONS:\nk();\n")

    def test_unmarked_finding(self):
        self.fails("unexpected: warning small-grid", "// RUN-OPTIONS:\nk();\n",
                   FINDING)

    def test_silent_mark(self):
        self.fails("nothing on line 2", "// RUN-OPTIONS:\nk();\n"
                   "//~^ small-grid: 8\n")

    def test_other_text(self):
        self.fails("unexpected", "// RUN-OPTIONS:\nk();\n"
                   "//~^ small-grid: 9 blocks\n", FINDING)

    def test_other_line(self):
        self.fails("unexpected", "// RUN-OPTIONS:\nk();\n"
                   "//~^^ small-grid: 8 blocks\n", FINDING)

    def test_other_severity(self):
        self.fails("unexpected", "// RUN-OPTIONS:\nk();\n"
                   "//~^ note small-grid: 8 blocks\n", FINDING)

    def test_labels(self):
        self.run_on("// RUN-OPTIONS: \n// RUN-OPTIONS(old): --gpu sm_11\n"
                    "//~^ small-grid: 8\n//~old^^ small-grid: 8\n", FINDING)
        self.fails("in the run 'old'", "// RUN-OPTIONS: \n"
                   "// RUN-OPTIONS(old): --gpu sm_11\n//~^ small-grid: 8\n",
                   FINDING)
        self.fails("no RUN-OPTIONS(new)", "// RUN-OPTIONS:\n"
                   "//~new^ small-grid: 8\n")

    def test_spelling(self):
        self.fails("not a mark", "// RUN-OPTIONS:\n//~ small-grid: 8\n")
        self.fails("no `// RUN-OPTIONS", "k();\n")

    def test_program_fails(self):
        self.fails("exit code 3", "// RUN-OPTIONS:\n", code=3)
        self.fails("partial", "// RUN-OPTIONS:\n", status="partial")

    def test_places_have_values(self):
        self.fails("no value is named 'm' in 'grid of {m}'",
                   "// RUN-OPTIONS:\nk();\n",
                   dict(FINDING, what={"id": "idle-sms", "text": "grid of {m}",
                                       "values": {"n": 8}}))
        self.fails("'IdleSMs' is not in kebab case",
                   "// RUN-OPTIONS:\nk();\n",
                   dict(FINDING, what=dict(FINDING["what"], id="IdleSMs")))
        self.fails("small-grid names no function",
                   "// RUN-OPTIONS:\nk();\n",
                   dict(FINDING, subject=dict(FINDING["subject"],
                                              function=None)))

    def test_output_breaks_the_schema(self):
        if not tools.can_validate():
            self.skipTest(tools.NO_VALIDATOR)
        self.fails("breaks the schema", "// RUN-OPTIONS:\nk();\n",
                   dict(FINDING, severity="fatal"))


if __name__ == "__main__":
    ctest.main()
