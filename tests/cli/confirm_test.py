#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program cuda-lint-confirm as its user meets it, without a GPU: the
programs that it runs here write the profile that the probe would have written.

A class is a CTest test. CUDA_LINT_CONFIRM names the program.
"""

import json
import os
import pty
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

PROGRAM = os.environ["CUDA_LINT_CONFIRM"]
KERNEL = "_Z4funcP5vec3dPf"
SOURCE = "".join(f"line {n}\n" for n in range(1, 14)) + "  x = v[i].x;\n"


def access(**changes):
    """A field of a 12-byte struct: 12 sectors per request where 4 would do."""
    return {"file": "vec3d.cu", "line": 14, "column": 7, "space": "global",
            "op": "load", "bytes": 4, "unit": "sectors", "per_request": 12.0,
            "ideal": 4.0, "lanes": 32.0, "certainty": "assumed",
            "assumptions": ["'v' is 256-byte aligned"], "block": [256, 1, 1],
            "loop_depth": 0, "inlined_at": [], **changes}


def predictions(*accesses, capability="9.0", target="h200"):
    occupancy = {"blocks_per_sm": 8, "warps_per_sm": 64, "ratio": 1.0,
                 "limiter": "warps", "limits": None, "waves": 512 / 1056,
                 "rounds": 1, "tail_waste": 0.5, "next": []}
    launch = {"file": "vec3d.cu", "line": 30, "grid": [512, 1, 1],
              "block": [256, 1, 1], "dynamic_shared_bytes": 0,
              "source": "launch", "occupancy": occupancy}
    resources = {"registers": 18, "shared_bytes": 0, "local_bytes": 0,
                 "spill_stores": 0, "spill_loads": 0, "barriers": 0,
                 "source": "nvcc"}
    kernel = {"name": KERNEL, "signature": "func(vec3d *, float *)",
              "file": "vec3d.cu", "line": 12, "resources": resources,
              "launches": [launch], "accesses": list(accesses) or [access()]}
    return {"schema": "cuda-lint/1",
            "tool": {"name": "cuda-lint", "version": "0.1.0"},
            "target": {"name": target, "compute_capability": capability,
                       "sms": 132},
            "units": [{"file": "vec3d.cu", "status": "ok", "errors": [],
                       "kernels": [kernel], "findings": []}]}


def line(**changes):
    return {"kernel": KERNEL, "device": 0, "file": "/build/vec3d.cu",
            "line": 14, "space": "global", "op": "load",
            "instructions": 4096, "requests": 4096, "lanes": 131072,
            "sectors": 49152, "ideal_sectors": 16384, "wavefronts": None,
            "ideal_wavefronts": None, **changes}


def profile(*lines, times=(5000.0, 5100.0), **changes):
    times = sorted(times)
    return {"schema": "cuda-lint-profile/1",
            "tool": {"name": "cuda-lint-probe", "version": "0.1.0"},
            "process": {"pid": 1, "parent": 0, "command": ["./app"],
                        "end": "exit"},
            "counters": "sass", "problems": [],
            "devices": [{"index": 0, "name": "NVIDIA H200",
                         "compute_capability": "9.0", "sms": 132}],
            "kernels": [{"kernel": KERNEL, "device": 0, "launches": 2,
                         "measured_launches": 2, "has_lines": True}],
            "lines": list(lines) or [line()], "branches": [],
            "launches": [{"kernel": KERNEL, "device": 0,
                          "grid": [512, 1, 1], "block": [256, 1, 1],
                          "registers": 18, "static_shared_bytes": 0,
                          "dynamic_shared_bytes": 0, "local_bytes": 0,
                          "blocks_per_sm": 8, "achieved_occupancy": None,
                          "count": 2,
                          "duration_ns": {"min": times[0],
                                          "median": times[len(times) // 2],
                                          "max": times[-1],
                                          "samples": times}}],
            **changes}


# Of a program that is measured in a run for its achieved occupancy, too.
OCCUPANCY_BODY = """
result = json.loads(RESULT)
if os.environ.get('CUDA_LINT_PROBE_COLLECT') == 'occupancy':
    result.update(counters='none', lines=[], collect='occupancy')
    result['kernels'][0].update(measured_launches=0, has_lines=None)
    result['launches'][0].update(achieved_occupancy={share}, dram_bytes={dram},
                                 range_launches=3, duration_ns=None)
elif os.environ.get('CUDA_LINT_PROBE_COLLECT') == 'time':
    result.update(counters='none', lines=[], collect='time')
leave(f'profile-{{os.getpid()}}-0.json', json.dumps(result))
"""


# Of a program whose units need two runs: loads in the first, stores in the
# second; two of four launches of a shape are measured.
UNITS_BODY = """
result = json.loads(RESULT)
with open('runs', 'a') as out:
    out.write(os.environ.get('CUDA_LINT_PROBE_COLLECT', 'counters')
              + os.environ.get('CUDA_LINT_PROBE_PART', '') + ' ')
if os.environ.get('CUDA_LINT_PROBE_COLLECT') == 'units':
    part = int(os.environ['CUDA_LINT_PROBE_PART'])
    result.update(counters='none', lines=[], collect='units', unit_parts=2)
    result['kernels'][0].update(measured_launches=0, has_lines=None)
    result['launches'][0].update(units=[
        {{'space': 'global', 'op': ['load', 'store'][part], 'launches': 1,
          'amount': {amount} if part == 0 else 0}}], duration_ns=None)
    if part == {fails}:
        leave(f'profile-{{os.getpid()}}-0.json', json.dumps(result))
        sys.exit(7)
leave(f'profile-{{os.getpid()}}-0.json', json.dumps(result))
"""


class Confirm(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="cuda-lint-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.tmp = self.folder / "tmp"
        self.tmp.mkdir()
        self.write("vec3d.cu", SOURCE)
        self.write("p.json", predictions())
        self.write("probe.so", "")

    def write(self, name, content):
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_text(json.dumps(content), encoding="utf-8")
        return name

    def app(self, body="", result=None, name="app"):
        """A program that leaves `result` as its profile and runs `body`."""
        if result is None:
            result = profile()
        path = self.folder / name
        path.write_text(
            tools.PYTHON_SCRIPT +
            "import json, os, signal, sys, time\n" +
            ("import subprocess\n" if "subprocess" in body else "") +
            f"RESULT = {json.dumps(json.dumps(result))}\n"
            "def leave(name='profile-1.json', text=RESULT):\n"
            "    folder = os.environ['CUDA_LINT_PROBE_DIR']\n"
            "    with open(os.path.join(folder, name), 'w') as out:\n"
            "        out.write(text)\n" + (body or "leave()") + "\n")
        path.chmod(0o755)
        return f"./{name}"

    def run_program(self, *arguments, env=None, timeout=60, text=True,
                    stdin=subprocess.DEVNULL):
        environment = {k: v for k, v in os.environ.items()
                       if k not in ("COLUMNS", "NO_COLOR")
                       and not k.startswith("CUDA")}
        environment["TMPDIR"] = str(self.tmp)
        environment.update(env or {})
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder,
                              env=environment, capture_output=True,
                              timeout=timeout, stdin=stdin)
        self.out = done.stdout.decode(errors="replace") if text else done.stdout
        self.err = done.stderr.decode(errors="replace")
        # Without the line breaks that 80 columns ask for.
        self.said = self.out.replace("\n      ", " ") if text else ""
        # Whatever happened, nothing is left over.
        self.assertEqual([], list(self.tmp.iterdir()))
        self.assertNotIn("internal error", self.err)
        return done.returncode

    def confirm(self, *arguments, **options):
        """Runs app with the predictions p.json."""
        arguments = list(arguments)
        if "--" not in arguments:
            arguments += ["--", "./app"]
        return self.run_program("--predictions=p.json", "--probe=probe.so",
                                *arguments, **options)

    def assert_valid(self, name, schema="confirm"):
        done = tools.validate(f"cuda-lint-{schema}-1.schema.json",
                              (self.folder / name).read_text())
        if done is None:
            ctest.cannot_test(tools.NO_VALIDATOR)
            return
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def assert_code(self, code, actual):
        self.assertEqual(code, actual,
                         f"\nstdout:\n{self.out}\nstderr:\n{self.err}")


class Verdicts(Confirm):
    def test_a_prediction_is_confirmed(self):
        self.app()
        self.assert_code(0, self.confirm("--fail-on=missed"))
        self.assertIn(
            "vec3d.cu:14: global load: predicted 12.0 sectors per request, "
            "measured 12.0 over\n      4096 requests: confirmed\n"
            "   14 |   x = v[i].x;\n", self.out)
        self.assertIn("lines:     1 confirmed, 0 refuted, 0 inconclusive, "
                      "0 not measured; 0 missed\n", self.out)
        self.assertIn("occupancy: 1 confirmed, 0 refuted", self.out)
        self.assertIn("registers: 1 confirmed, 0 refuted\n", self.out)
        self.assertRegex(self.out, r"512 x 256 +2 +18 +18 +8 +8 +64 +64 +"
                                   r"0\.48 +0\.48\n")

    def assert_narrow(self):
        for each in self.out.splitlines():
            self.assertLessEqual(len(each), 80, each)
            self.assertEqual(each.rstrip(), each)

    def test_no_line_is_wider_than_80_columns(self):
        # All verdicts, a kernel that nobody predicted, a huge launch, a
        # problem of many words.
        self.write("p.json", predictions(
            access(), access(line=13, per_request=4.0),
            access(line=12, per_request=None, ideal=None,
                   certainty="unknown"), access(line=10)))
        result = profile(line(sectors=131072), line(line=13), line(line=12),
                         line(line=9, sectors=131072))
        name = "_Z" + "24a_kernel_with_a_long_name"[:26] + "ILi16EEvPfPKfi"
        first = result["launches"][0]
        result["launches"] += [
            dict(first, grid=[2**20, 4096, 16], count=1234567),
            dict(first, kernel=name)]
        result["kernels"].append(dict(result["kernels"][0], kernel=name))
        result["problems"] = [{"kind": "some", "message": "words " * 40}]
        self.app("leave(); sys.exit(7)", result=result)
        self.confirm("--all")
        self.assert_narrow()
        # 2^36 blocks on 132 * 8.
        self.assertRegex(self.out, r" 1234567 .* 7e\+07\n")
        self.assertIn("1 without a number; 1 missed", self.said)
        self.write("r.json", result)
        self.run_program("--compare", "r.json", "r.json")
        self.assert_narrow()

    def test_a_refuted_prediction_fails_the_gate_when_asked(self):
        self.app(result=profile(line(sectors=131072)))
        self.assert_code(0, self.confirm())
        self.assert_code(1, self.confirm("--fail-on=refuted"))
        self.assertIn("measured 32.0", self.out)
        self.assertIn("requests: refuted\n", self.out)
        self.assertIn("note: it assumes that 'v' is 256-byte aligned",
                      self.out)

    def test_a_missed_line_fails_its_gate_alone(self):
        self.app(result=profile(line(), line(line=13)))
        self.assert_code(0, self.confirm("--fail-on=refuted"))
        self.assert_code(1, self.confirm("--fail-on=missed"))
        self.assertIn("vec3d.cu:13: global load: measured 12.0 sectors per "
                      "request (ideal 4.0) over", self.out)
        self.assertIn("1 missed", self.out)

    def test_clean_lines_are_counted_and_shown_on_request(self):
        self.write("p.json", predictions(access(per_request=4.0)))
        self.app(result=profile(line(sectors=16384)))
        self.assert_code(0, self.confirm())
        self.assertNotIn("vec3d.cu:14", self.out)
        self.assertIn("1 more line holds nothing bad; --all shows it",
                      self.out)
        self.confirm("--all")
        self.assertIn("vec3d.cu:14: global load: predicted 4.0", self.out)

    def test_the_tolerance_can_be_set(self):
        self.app(result=profile(line(sectors=49152 * 110 // 100)))
        self.assert_code(1, self.confirm("--fail-on=refuted"))
        self.assert_code(0, self.confirm("--fail-on=refuted",
                                         "--tolerance=11"))

    def test_json_says_the_same(self):
        self.app()
        self.assert_code(0, self.confirm("--format=json", "-o", "r.json"))
        self.assertEqual("", self.out)
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual("cuda-lint-confirm/1", result["schema"])
        self.assertEqual(0, result["program"]["exit_code"])
        self.assert_valid("r.json")
        gpu = result["gpus"][0]
        self.assertEqual(1, gpu["counts"]["lines"]["confirmed"])
        self.assertEqual("confirmed", gpu["lines"][0]["verdict"])
        self.assertEqual(12.0, gpu["lines"][0]["measured"]["per_request"])
        self.assertEqual(49152, gpu["lines"][0]["measured"]["total"])
        self.assertEqual(64, gpu["kernels"][0]["shapes"][0]["measured"]
                         ["warps_per_sm"])

    def test_json_of_what_is_not_known_is_valid_too(self):
        self.write("p.json", predictions(access(
            per_request=None, ideal=None, certainty="unknown",
            assumptions=[])))
        bare = profile(line(), line(file=None, line=None, sectors=None),
                       line(line=13), devices=[])
        bare["launches"][0].update(
            registers=None, blocks_per_sm=None, duration_ns=None,
            dynamic_shared_bytes=None)
        self.app("leave(); os.kill(os.getpid(), signal.SIGKILL)", result=bare)
        self.assert_code(3, self.confirm("--format=json", "-o", "r.json"))
        self.assert_valid("r.json")
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual("SIGKILL", result["program"]["signal"])
        self.assertIsNone(result["program"]["exit_code"])
        gpu = result["gpus"][0]
        self.assertIsNone(gpu["name"])
        self.assertEqual({"missed": 1, "measured": 1},
                         {k: v for k, v in gpu["counts"]["lines"].items()
                          if v})

    def test_the_document_of_the_measured_gpu_is_chosen(self):
        self.write("p.json", [predictions(access(per_request=1.0),
                                          capability="7.5", target="t4"),
                              predictions()])
        self.app()
        self.assert_code(0, self.confirm("--fail-on=refuted"))
        self.assertIn("1 confirmed", self.out)

    def test_recorded_profiles_need_no_program(self):
        self.write("r.json", profile())
        self.assert_code(0, self.run_program("--predictions=p.json",
                                             "--profile=r.json"))
        self.assertIn("over 4096 requests: confirmed", self.said)

    def test_profiles_of_several_processes_are_added_up(self):
        self.app("leave('a.json'); leave('b.json')")
        self.assert_code(0, self.confirm())
        self.assertIn("over 8192 requests: confirmed", self.said)

    def test_saved_profiles_can_be_joined_again(self):
        self.app()
        self.assert_code(0, self.confirm("--save-profile=kept/here"))
        first = self.out
        self.assert_code(0, self.run_program("--predictions=p.json",
                                             "--profile=kept/here"))
        self.assertEqual(first, self.out)


class Programs(Confirm):
    def test_occupancy_is_measured_on_request(self):
        self.app(OCCUPANCY_BODY.format(share=0.8125, dram=6000))
        confirm = ["--probe=probe.so", "--predictions=p.json"]
        self.run_program(*confirm, "--", "./app")
        self.assertNotIn("achieved", self.out)
        self.assert_code(0, self.run_program(*confirm, "--occupancy", "--",
                                             "./app"))
        self.assertIn("achieved occupancy 81 % of at most 100 % predicted",
                      self.out)
        # The further run adds no launch and no count.
        self.assertRegex(self.out, r"512 x 256 +2 ")
        self.assertRegex(self.out, r"12\.0 over\s+4096 requests: confirmed")
        self.assert_code(0, self.run_program(
            *confirm, "--occupancy", "--format=json", "--output=r.json", "--",
            "./app"))
        shape = json.loads((self.folder / "r.json").read_text())[
            "gpus"][0]["kernels"][0]["shapes"][0]
        self.assertEqual(1.0, shape["predicted"]["occupancy"])
        self.assertEqual(0.8125, shape["measured"]["achieved_occupancy"])
        self.assertEqual(6000, shape["measured"]["dram_bytes"])
        self.assertEqual(3, shape["measured"]["range_launches"])
        self.assertEqual(2, shape["count"])

    def test_units_are_counted_on_request(self):
        # The profile has 49152 sectors in two launches.
        self.app(UNITS_BODY.format(amount=49152 // 2, fails=9))
        self.assert_code(0, self.confirm("--check-units"))
        self.assertIn("units: 2 of 2 sums of kernels are those of the hardware, "
                      "within 1 %", self.said)
        runs = self.folder / "runs"
        self.assertEqual("counters units0 units1 ", runs.read_text())
        # The further runs add no launch and no count.
        self.assertRegex(self.out, r"512 x 256 +2 ")
        self.assertRegex(self.out, r"12\.0 over\s+4096 requests: confirmed")
        runs.unlink()
        self.confirm()
        self.assertEqual("counters ", runs.read_text())
        self.assertNotIn("units:", self.out)

    def test_units_that_counted_something_else(self):
        self.app(UNITS_BODY.format(amount=49152, fails=9))
        self.assert_code(0, self.confirm("--check-units", "--fail-on=refuted"))
        self.assertIn("units: func: by CUPTI's counts about 49152 sectors of "
                      "global loads, by the hardware's about 98304: both of a "
                      "few launches, scaled", self.said)
        self.assertIn("units: 1 of 2 sums", self.said)
        self.assert_code(0, self.confirm("--check-units", "--format=json",
                                         "--output=r.json"))
        self.assert_valid("r.json")
        units = json.loads((self.folder / "r.json").read_text())[
            "gpus"][0]["kernels"][0]["units"]
        self.assertEqual(
            [("global", "load", "sectors", 49152, 98304),
             ("global", "store", "sectors", 0, 0)],
            [tuple(x[n] for n in ("space", "op", "unit", "counted",
                                  "hardware")) for x in units])

    def test_units_that_nobody_counted(self):
        self.app()  # Its further run has none.
        self.assert_code(3, self.confirm("--check-units"))
        self.assertIn("what hardware units did is not known of func", self.said)

    def test_a_run_for_units_fails(self):
        self.app(UNITS_BODY.format(amount=49152 // 2, fails=0))
        self.assert_code(3, self.confirm("--check-units"))
        self.assertEqual("counters units0 ",
                         (self.folder / "runs").read_text())
        self.assertIn("units: 1 of 1 sums", self.said)

    """What the user's program may do."""

    def test_its_streams_arguments_and_folder_are_its_own(self):
        self.app("leave()\n"
                 "sys.stdout.buffer.write(bytes(range(256)))\n"
                 "print(sys.argv[1:], os.getcwd(), file=sys.stderr)")
        self.assert_code(0, self.confirm("-o", "r.txt", "--", "./app", "--",
                                         "-x", "a b", text=False))
        self.assertEqual(bytes(range(256)), self.out)
        self.assertIn(f"['--', '-x', 'a b'] {self.folder.resolve()}", self.err)

    def test_the_probe_is_told_what_is_wanted(self):
        self.app("leave()\nprint({k: v for k, v in os.environ.items() if "
                 "k.startswith('CUDA')}, file=sys.stderr)")
        self.assert_code(0, self.confirm(
            "--kernel=^_Z4func", "--launches=3",
            "--cupti=/x/libcupti.so", env={"CUDA_LINT_PROBE_LAUNCHES": "9"}))
        told = self.err
        for part in (f"'CUDA_INJECTION64_PATH': '{self.folder.resolve()}/"
                     "probe.so'",
                     "'CUDA_LINT_PROBE_KERNEL': '^_Z4func'",
                     "'CUDA_LINT_PROBE_LAUNCHES': '3'",
                     "'CUDA_LINT_CUPTI': '/x/libcupti.so'"):
            self.assertIn(part, told)

    def test_its_failure_is_told_and_what_it_measured_too(self):
        self.app("leave(); sys.exit(7)")
        self.assert_code(3, self.confirm())
        self.assertIn("./app exited with 7", self.out)
        self.assertIn("1 confirmed", self.out)

    def test_it_crashes(self):
        self.app("leave(); os.kill(os.getpid(), signal.SIGSEGV)")
        self.assert_code(3, self.confirm())
        self.assertIn("./app was ended by SIGSEGV", self.out)
        self.assertIn("1 confirmed", self.out)

    def test_it_crashes_before_it_measured_anything(self):
        for body, how in (("os.abort()", "was ended by SIGABRT"),
                          ("sys.exit(7)", "exited with 7"),
                          ("time.sleep(60)", "ran into --timeout")):
            self.app(body)
            self.assert_code(3, self.confirm("--timeout=1"))
            self.assertIn("left no profile", self.err)
            self.assertIn(how, self.err)
            self.assert_code(3, self.run_program(
                "--probe=probe.so", "--timeout=1", "--compare", "--", "./app",
                "--", "./app"))
            self.assertIn(how, self.err)

    def test_it_fails_before_its_kernels(self):
        self.app("leave(); sys.exit(7)",
                 profile(kernels=[], launches=[]))
        self.assert_code(3, self.confirm())
        self.assertIn("the program launched no kernel", self.said)

    def test_a_snapshot_is_named(self):
        self.app(result=profile(line()))
        self.assert_code(0, self.confirm())
        self.assertNotIn("snapshot", self.out)
        snapshot = profile(line())
        snapshot["process"]["end"] = "killed"
        self.write("r.json", snapshot)
        self.assert_code(0, self.run_program("--predictions=p.json",
                                             "--profile=r.json"))
        self.assertIn("is a snapshot", " ".join(self.out.split()))
        self.assertIn("1 confirmed", self.out)

    def test_it_hangs(self):
        # Longer than a test waits.
        self.app("signal.signal(signal.SIGTERM, "
                 "lambda *_: (leave(), sys.exit(0)))\n"
                 "time.sleep(6000)")
        self.assert_code(3, self.confirm("--timeout=1"))
        self.assertIn("ran into --timeout", self.out)
        self.assertIn("1 confirmed", self.out)

    def test_it_hangs_and_hears_nothing(self):
        self.app("leave()\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                 "subprocess.run(['sleep', '6000'])")
        self.assert_code(3, self.confirm("--timeout=1"))
        self.assertIn("SIGKILL", self.out)

    def test_timeout_ends_its_children(self):
        self.app("leave()\n"
                 "child = subprocess.Popen(['sleep', '600'])\n"
                 "open('child', 'w').write(str(child.pid))\n"
                 "time.sleep(600)")
        self.confirm("--timeout=1")
        child = int((self.folder / "child").read_text())
        for _ in range(50):
            # It may stay as a zombie where nobody waits for orphans.
            try:
                state = Path(f"/proc/{child}/stat").read_text().split()[2]
            except FileNotFoundError:
                return
            if state == "Z":
                return
            time.sleep(0.1)
        self.fail("the child still runs")

    def test_timeout_ends_what_left_the_session(self):
        self.app("import subprocess\n"
                 "child = subprocess.Popen(['setsid', 'sleep', '100'],"
                 " start_new_session=True)\n"
                 "if os.fork() == 0:\n"
                 "    os.setsid()\n"
                 "    if os.fork() != 0: os._exit(0)\n"
                 "    open('pid', 'w').write(str(os.getpid()))\n"
                 "    signal.signal(signal.SIGTERM, signal.SIG_DFL)\n"
                 "    time.sleep(100)\n"
                 "leave()\n"
                 "time.sleep(100)\n")
        self.assert_code(3, self.confirm("--timeout=2", "--", "./app"))
        pid = int((self.folder / "pid").read_text())
        with self.assertRaises(ProcessLookupError):
            for _ in range(50):
                os.kill(pid, 0)
                time.sleep(0.1)

    def test_settings_of_another_run_do_not_count(self):
        self.app("print(sorted(k for k in os.environ "
                 "if k.startswith('CUDA_LINT_PROBE')))\nleave()")
        self.confirm(env={"CUDA_LINT_PROBE_COLLECT": "time",
                          "CUDA_LINT_PROBE_KERNEL": "x",
                          "CUDA_INJECTION64_PATH": "/lib/mine.so"})
        self.assertIn("['CUDA_LINT_PROBE_DIR']", self.out)
        self.assertIn("not '/lib/mine.so'", self.err)

    def test_it_closes_its_streams(self):
        self.app("leave(); os.close(1); os.close(2)")
        self.assert_code(0, self.confirm())
        self.assertIn("1 confirmed", self.out)

    def test_it_forks(self):
        self.app("if os.fork() == 0:\n"
                 "    leave('child.json'); os._exit(0)\n"
                 "os.wait(); leave('parent.json')")
        self.assert_code(0, self.confirm())
        self.assertIn("over 8192 requests", self.said)

    def test_the_ends_of_children_are_ignored(self):
        # That outlives an exec: there is no signal, and no status either.
        self.app("leave(); sys.exit(5)")
        ignore = ("import os, signal, sys\n"
                  "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
                  "os.execv(sys.argv[1], sys.argv[1:])")
        done = subprocess.run(
            [sys.executable, "-c", ignore, PROGRAM, "--predictions=p.json",
             "--probe=probe.so", "--format=json", "--output=r.json", "--",
             "./app"], cwd=self.folder, capture_output=True, timeout=30)
        self.assertEqual((3, b""), (done.returncode, done.stderr))
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(5, report["program"]["exit_code"])

    def test_a_signal_is_passed_on(self):
        self.app("signal.signal(signal.SIGTERM, "
                 "lambda *_: (leave(), sys.exit(0)))\n"
                 "open('ready', 'w').close()\ntime.sleep(60)")
        process = subprocess.Popen(
            [PROGRAM, "--predictions=p.json", "--probe=probe.so", "--",
             "./app"], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, env={**os.environ,
                                         "TMPDIR": str(self.tmp)})
        for _ in range(100):
            if (self.folder / "ready").exists():
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        out = process.communicate(timeout=20)[0].decode()
        self.assertEqual(0, process.returncode, out)
        self.assertIn("1 confirmed", out)
        self.assertEqual([], list(self.tmp.iterdir()))

    def test_control_c_on_a_terminal_ends_the_program_alone(self):
        self.app("open('ready', 'w').close()\n"
                 "try:\n    time.sleep(60)\n"
                 "except KeyboardInterrupt:\n    leave(); sys.exit(5)")
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.environ["TMPDIR"] = str(self.tmp)
            os.execv(PROGRAM, [PROGRAM, "--predictions=p.json", "--quiet",
                               "--probe=probe.so", "--output=r.txt", "--",
                               "./app"])
        for _ in range(100):
            if (self.folder / "ready").exists():
                break
            time.sleep(0.1)
        os.write(terminal, b"\x03")
        try:
            while os.read(terminal, 1024):
                pass
        except OSError:
            pass  # The other end was closed.
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        self.assertTrue(os.WIFEXITED(status))
        self.assertEqual(3, os.WEXITSTATUS(status))
        report = (self.folder / "r.txt").read_text()
        self.assertIn("./app exited with 5", report)
        self.assertIn("1 confirmed", report)


class NotMeasured(Confirm):
    """What keeps numbers away: each is told, with what to do."""

    def test_the_program_uses_no_cuda(self):
        self.app("pass")
        self.assert_code(2, self.confirm())
        self.assertIn("'./app' left no profile: it made no CUDA call", self.err)

    def test_there_is_no_gpu(self):
        self.app(result=profile(
            counters="none", devices=[], kernels=[], lines=[line()][:0],
            launches=[], problems=[{"kind": "no-device",
                                    "message": "no GPU was found"}]))
        self.assert_code(2, self.confirm())
        self.assertIn("problem: no GPU was found (no-device)", self.out)
        self.assertIn("problem: no launch of a kernel was seen", self.out)

    def test_counters_are_forbidden(self):
        self.app(result=profile(
            counters="none", lines=[],
            kernels=[{"kernel": KERNEL, "device": 0, "launches": 2,
                      "measured_launches": 0, "has_lines": False}],
            problems=[{"kind": "insufficient-privileges",
                       "message": "counters need permission: ask root"}]))
        self.assert_code(3, self.confirm())
        self.assertIn("problem: counters need permission: ask root "
                      "(insufficient-privileges)", self.out)
        self.assertIn("1 not measured", self.out)
        # What needs no counters is still judged.
        self.assertIn("occupancy: 1 confirmed", self.out)

    def test_it_was_built_without_lineinfo(self):
        self.app(result=profile(
            line(file=None, line=None),
            kernels=[{"kernel": KERNEL, "device": 0, "launches": 2,
                      "measured_launches": 2, "has_lines": False}]))
        self.assert_code(3, self.confirm())
        self.assertIn("of 1 predicted lines none was measured: the program has "
                      "no line numbers", self.said)
        self.assert_code(0, self.confirm("--min-coverage=0"))
        self.assertIn("add -lineinfo", self.out)
        self.assertIn("vec3d.cu:12: all global load: predicted 12.0",
                      self.out)

    def test_predictions_are_of_another_program(self):
        other = predictions()
        other["units"][0]["kernels"][0]["name"] = "_Z5otherv"
        self.write("p.json", other)
        self.app()
        self.assert_code(2, self.confirm())
        self.assertIn("no kernel of the predictions ran", self.out)
        self.assertIn("1 kernel ran that nothing was predicted for", self.out)

    def test_predictions_are_of_another_file(self):
        self.write("p.json", predictions(access(file="other.cu")))
        self.app()
        self.assert_code(3, self.confirm("--all"))
        self.assertIn("inconclusive: no instruction", self.said)

    def of_text(self, size, digest):
        """Predictions of a vec3d.cu of that size."""
        made = predictions()
        made["units"][0]["sources"] = [
            {"file": "vec3d.cu", "bytes": size, "xxh3": digest}]
        self.write("p.json", made)

    def test_the_program_was_built_from_another_text(self):
        self.of_text(900, "0" * 16)
        made = json.loads((self.folder / "p.json").read_text())
        made["units"][0]["sources"][0]["file"] = "ve\x1b[31m/vec3d.cu"
        for where in (made["units"][0]["kernels"][0],
                      *made["units"][0]["kernels"][0]["accesses"]):
            where["file"] = "ve\x1b[31m/vec3d.cu"
        self.write("p.json", made)
        self.app(result=profile(files=["/build/vec3d.cu"], sources=[
            {"file": 0, "bytes": 901, "modified": 50}]))
        self.assert_code(3, self.confirm("--all"))
        self.assertIn("occupancy: inconclusive", self.said)
        self.assertNotIn("\x1b", self.out)
        self.of_text(900, "0" * 16)
        os.utime(self.folder / "vec3d.cu", (50, 50))
        size = len(SOURCE)
        # Nothing of it agrees, so that all would be refuted.
        wrong = line(sectors=99999)
        for built, said in (
                ({"bytes": 901, "modified": 50},
                 "the program was built from a 'vec3d.cu' of 901 bytes, and "
                 "one of 900 was analysed"),
                (None, "'vec3d.cu' was edited since it was analysed")):
            with self.subTest(said=said):
                sources = [{"file": 0, **built}] if built else []
                self.app(result=profile(wrong, files=["/build/vec3d.cu"],
                                        sources=sources))
                self.assert_code(3, self.confirm("--all"))
                self.assertIn(said, self.said)
                self.assertIn("its kernels are not judged", self.said)
                self.assertLessEqual(
                    max(map(len, self.out.splitlines())), 80)
                self.assertNotIn("refuted: ", self.said)
                self.assert_code(3, self.confirm("--format=json",
                                                 "--output=r.json"))
                self.assert_valid("r.json")
        self.of_text(size, "0" * 16)
        self.app(result=profile(files=["/build/vec3d.cu"], sources=[
            {"file": 0, "bytes": size, "modified": 50}]))
        self.assert_code(3, self.confirm())
        self.assertIn("was built from 'vec3d.cu' as it is now, and another "
                      "text of it was analysed", self.said)
        # What may not be read is not compared.
        (self.folder / "elsewhere").mkdir()
        self.assert_code(0, self.confirm("--source-root=elsewhere"))

    def test_the_program_was_built_from_the_same_text(self):
        self.write("vec3d.cu", "")
        self.of_text(0, "2d06800538d394c2")  # of no bytes, as published
        self.app(result=profile(files=["/build/vec3d.cu"], sources=[]))
        self.assert_code(0, self.confirm())

    def test_predictions_are_for_another_gpu(self):
        self.write("p.json", predictions(capability="8.6", target="a10"))
        self.app()
        self.assert_code(2, self.confirm())
        self.assertIn("the predictions are for a10: make them with --gpu "
                      "sm_90", self.said)


class Gates(Confirm):
    """Nothing that was not measured is green."""

    def gate(self, result, *arguments, code=3):
        self.app(result=result)
        self.assert_code(code, self.confirm(*arguments, "--fail-on=missed"))
        return self.said

    def test_nothing_was_counted(self):
        for kind in ("nothing-counted", "counts-lost", "cupti-error",
                     "kernel-failed", "code-not-found"):
            problem = {"kind": kind, "message": "counts are missing"}
            self.gate(profile(problems=[problem]))
        # Of what was counted, a note takes nothing away.
        self.gate(profile(problems=[{"kind": "bulk-copy", "message": "x"}]),
                  code=0)

    def test_there_is_no_cupti(self):
        problem = {"kind": "no-cupti", "message": "'x' cannot be loaded"}
        text = self.gate(profile(kernels=[], launches=[], counters="none",
                                 problems=[problem]), "--cupti=/etc/passwd")
        self.assertIn("problem: 'x' cannot be loaded (no-cupti)", text)

    def test_no_line_was_found(self):
        text = self.gate(profile(line(file="/build/other.cu")))
        self.assertIn("of 1 predicted lines none was measured", text)

    def rank(self, name, rank, ranks=2, uuid="GPU-aaaaaaaa-1", host="node1",
             **changes):
        result = profile(**changes)
        result["process"].update(host=host, rank=rank, ranks=ranks, pid=100)
        result["devices"][0]["uuid"] = uuid
        return self.write(f"profiles/{name}.json", result)

    def test_many_processes(self):
        (self.folder / "profiles").mkdir()
        self.rank("a", 0)
        self.rank("b", 1)
        join = ["--predictions=p.json", "--profile=profiles"]
        self.assert_code(0, self.run_program(*join))
        # Twice the requests, on one GPU.
        self.assertIn("over 8192 requests: confirmed", self.said)
        self.assertRegex(self.out, r"\n0 GPU-aaaaaaaa node1 +2 +0\.\.1 +4 +8192")
        # PIDs are those of a host, and so are indices of GPUs.
        self.rank("b", 1, uuid="GPU-bbbbbbbb-1", host="node2")
        self.assert_code(0, self.run_program(*join))
        self.assertRegex(self.out, r"\n0 GPU-aaaaaaaa node1 +1 +0 +2 +4096")
        self.assertRegex(self.out, r"\n0 GPU-bbbbbbbb node2 +1 +1 +2 +4096")
        self.assertIn("on 2 x NVIDIA H200", self.out)
        self.assert_code(0, self.run_program(*join, "--format=json",
                                             "--output=r.json"))
        self.assert_valid("r.json")
        parts = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([[0], [1]],
                         [part["ranks"] for part in parts["gpus"][0]["parts"]])
        for each in self.out.splitlines():
            self.assertLessEqual(len(each), 80, each)

    def test_a_rank_died(self):
        (self.folder / "profiles").mkdir()
        join = ["--predictions=p.json", "--profile=profiles"]
        for rank in range(3):
            self.rank(f"r{rank}", rank, ranks=4)
        self.assert_code(3, self.run_program(*join))
        self.assertIn("of 4 ranks 3 left a profile: 3 ended", self.said)
        # Whoever is measured alone is not asked for the others.
        for rank in (1, 2):
            (self.folder / f"profiles/r{rank}.json").unlink()
        self.assert_code(0, self.run_program(*join))
        # What nobody can believe.
        self.rank("x", 4294967295, ranks=4294967295)
        self.assert_code(3, self.run_program(*join))
        self.assertIn("of 4294967295 ranks 2 left a profile: 1, 2, 3, 4, 5, 6, "
                      "7, 8, ... ended", self.said)

    def test_arguments_are_left_out(self):
        self.app("print(os.environ.get('CUDA_LINT_PROBE_NO_ARGV'), "
                 "file=sys.stderr)\nleave()")
        for options, words in (([], ["./app", "--token", "secret"]),
                               (["--no-argv"], ["./app"])):
            self.assert_code(0, self.confirm(
                *options, "--format=json", "--output=r.json", "--", "./app",
                "--token", "secret"))
            self.assertEqual(words, json.loads((
                self.folder / "r.json").read_text())["program"]["command"])
        self.assertIn("1", self.err)

    def test_quotes_no_file_of_somebody_else(self):
        # Predictions name what they like.
        inside = self.folder / "inside"
        inside.mkdir()
        hidden = self.folder / "hidden.cu"
        hidden.write_text("\n" * 13 + "secret\n")
        document = predictions()
        def rename(value):
            if isinstance(value, dict):
                return {k: rename(v) for k, v in value.items()}
            if isinstance(value, list):
                return [rename(v) for v in value]
            return str(hidden) if value == "vec3d.cu" else value
        (inside / "p.json").write_text(json.dumps(rename(document)))
        (inside / "r.json").write_text(json.dumps(
            profile(line(file=str(hidden)))))
        def run(*options):
            self.folder = inside
            try:
                self.assert_code(0, self.run_program(
                    "--predictions=p.json", "--profile=r.json", *options))
            finally:
                self.folder = inside.parent
            return "secret" in self.out
        self.assertFalse(run())
        self.assertTrue(run(f"--source-root={inside.parent}"))

    def test_what_is_chosen_reaches_the_probe(self):
        self.app("print({k: v for k, v in os.environ.items() if k.startswith("
                 "('CUDA_LINT_PROBE_', 'NVTX_'))}, file=sys.stderr)\nleave()")
        self.assert_code(0, self.confirm("--skip=3"))
        self.assertIn("'CUDA_LINT_PROBE_SKIP': '3'", self.err)
        self.assertNotIn("NVTX", self.err)
        self.assert_code(0, self.confirm("--range=a step"))
        self.assertIn("'CUDA_LINT_PROBE_RANGE': 'a step'", self.err)
        self.assertRegex(self.err, "'NVTX_INJECTION64_PATH': '/.*/probe.so'")

    def test_few_lines_have_counts(self):
        # Three lines, of which one has counts; constant memory never has.
        self.write("p.json", predictions(access(), access(line=11),
                                         access(line=12),
                                         access(line=13, space="constant")))
        text = self.gate(profile())
        self.assertIn("of 3 predicted lines of the kernels that ran, 1 have "
                      "counts: 33 %, less than the 50 % of --min-coverage",
                      text)
        self.gate(profile(), "--min-coverage=34")
        self.gate(profile(), "--min-coverage=33", code=0)
        self.gate(profile(), "--min-coverage=0", code=0)
        # A count of nothing is one.
        none = line(line=11, requests=0, instructions=0, sectors=0,
                    ideal_sectors=0, lanes=0)
        self.gate(profile(line(), none), code=0)

    def test_a_choice_that_no_kernel_matches(self):
        result = profile()
        result["lines"] = []
        result["kernels"][0].update(measured_launches=0, has_lines=None)
        text = self.gate(result, "--kernel", "nothing")
        self.assertIn("--kernel 'nothing' matches none of the 1 kernels",
                      text)


class Sampled(Confirm):
    """A few launches were counted."""

    maxDiff = None

    def few(self, **kernel):
        result = profile() | {"sampled": True}
        result["kernels"][0].update(
            {"launches": 10, "measured_launches": 2, "threads": 2000,
             "measured_threads": 200, "uncounted": None} | kernel)
        return result

    def test_sums_are_scaled_and_say_so(self):
        self.app(result=self.few())
        self.assert_code(0, self.confirm("--all"))
        # By threads: of ten launches the other eight are larger.
        self.assertIn("over 4096 requests of about 40960: confirmed",
                      self.said)
        self.assertIn("2 of 10 launches; sums of all are scaled", self.said)
        self.confirm("--format=json", "-o", "r.json")
        self.assert_valid("r.json")
        gpu, = json.loads((self.folder / "r.json").read_text())["gpus"]
        measured = gpu["lines"][0]["measured"]
        self.assertEqual((4096, 49152, 40960, 491520),
                         tuple(measured[x] for x in (
                             "requests", "total", "all_requests",
                             "all_total")))
        kernel, = gpu["kernels"]
        self.assertEqual((10, 2, 2000, 200, 10.0, None), tuple(
            kernel[x] for x in ("launches", "measured_launches", "threads",
                                "measured_threads", "scale", "uncounted")))

    def test_an_older_profile_scales_by_launches(self):
        result = profile()
        result["kernels"][0].update(launches=4)
        self.app(result=result)
        self.confirm("--all")
        self.assertIn("over 4096 requests of about 8192", self.said)
        self.app()
        self.confirm("--all")
        self.assertIn("over 4096 requests: confirmed", self.said)
        self.assertNotIn("counted:", self.said)

    def test_kernels_that_were_not_reached_are_named(self):
        for reason, words in (("overhead", "--overhead allows was spent"),
                              ("cost", "takes longer than --overhead allows"),
                              ("busy", "the GPU was never idle"),
                              ("graph", "only with --launches=all"),
                              ("waits", "it may wait for launches after it"),
                              ("lost", "the counts could not be read")):
            result = self.few(measured_launches=0, measured_threads=0,
                              has_lines=None, uncounted=reason)
            result["lines"] = []
            self.app(result=result)
            # Half a measurement is no success.
            self.assert_code(3, self.confirm("--all"))
            self.assertIn("problem: not counted: func:", self.said)
            self.assertIn(words, self.said)
            self.assertIn("not measured: none of its launches was counted:",
                          self.said)

    def test_a_kernel_that_nobody_predicted_is_a_note(self):
        result = self.few()
        result["kernels"].append(
            {"kernel": "_Z5otherv", "device": 0, "launches": 5,
             "measured_launches": 0, "threads": 5, "measured_threads": 0,
             "uncounted": "overhead", "has_lines": None})
        self.app(result=result)
        self.assert_code(0, self.confirm())
        self.assertIn("note: not counted: other:", self.said)

    def test_what_changed_is_scaled(self):
        self.write("a.json", self.few())
        self.write("b.json", self.few(launches=2, threads=200))
        self.assert_code(0, self.run_program("--compare", "a.json", "b.json"))
        self.assertRegex(self.out, r"global requests +40960 +4096 +-90\.0 %")
        self.assertRegex(self.out, r"counted, the rest scaled +2 +2 ")

    def test_the_probe_is_told(self):
        self.app("leave()\nprint({k: v for k, v in os.environ.items() if "
                 "k.startswith('CUDA')}, file=sys.stderr)")
        self.confirm()
        self.assertNotIn("LAUNCHES", self.err)
        self.confirm("--launches=all")
        self.assertIn("'CUDA_LINT_PROBE_LAUNCHES': 'all'", self.err)
        self.confirm("--overhead=12.5")
        self.assertIn("'CUDA_LINT_PROBE_OVERHEAD': '12.5'", self.err)


class Names(Confirm):
    def test_kernels_that_share_a_line_are_named(self):
        document, result = predictions(), profile()
        other = json.loads(json.dumps(document["units"][0]["kernels"][0]))
        other.update(name="_Z5otherIiEvv", signature="other<" + "x" * 300 +
                     ">(int)")
        document["units"][0]["kernels"].append(other)
        for group in ("lines", "kernels", "launches"):
            result[group].append(dict(result[group][0],
                                      kernel="_Z5otherIiEvv"))
        self.write("p.json", document)
        self.app(result=result)
        self.assert_code(0, self.confirm())
        self.assertIn("global load of func: predicted", self.said)
        self.assertIn("global load of other<xx", self.said)

    def test_functions_are_not_listed_as_kernels(self):
        result = profile()
        result["kernels"].append({"kernel": "_Z9atomicAddPjj", "device": 0,
                                  "launches": 0, "measured_launches": 0,
                                  "has_lines": True})
        self.app(result=result)
        self.assert_code(0, self.confirm())
        self.assertNotIn("atomicAdd", self.out)

    def test_a_kernel_that_kernels_launch(self):
        result = profile()
        result["lines"] = []
        result["kernels"][0]["kernel"] = "_Z6parentv"
        result["launches"][0]["kernel"] = "_Z6parentv"
        result["kernels"].append({"kernel": "__cudaCDP2LaunchDeviceV2",
                                  "device": 0, "launches": 0,
                                  "measured_launches": 0, "has_lines": True})
        self.app(result=result)
        self.confirm()
        self.assertIn("the host did not launch the kernel", self.said)


class BadUsage(Confirm):
    def refused(self, message, *arguments):
        self.assert_code(2, self.run_program(*arguments))
        self.assertIn(message, self.err)
        self.assertEqual("", self.out)
        self.assertEqual(1, self.err.count("\n"), self.err)

    def test_the_output_is_an_input(self):
        self.write("one.json", profile())
        (self.folder / "profiles").mkdir()
        os.link(self.folder / "one.json", self.folder / "profiles/two.json")
        (self.folder / "link").symlink_to("p.json")
        before = (self.folder / "p.json").read_text()
        for output, given in (("p.json", "one.json"), ("link", "one.json"),
                              ("one.json", "one.json"),
                              ("one.json", "profiles")):
            self.refused(f"cannot write '{output}'", "--output", output,
                         "--predictions=p.json", f"--profile={given}")
            self.refused(f"cannot write '{output}'", "--output", output,
                         "--compare", given, "p.json")
        self.assertEqual(before, (self.folder / "p.json").read_text())
        self.assertEqual(profile(),
                         json.loads((self.folder / "one.json").read_text()))

    def test_an_empty_value(self):
        for option in ("--predictions", "--profile", "--kernel", "--output"):
            self.refused(f"{option} has an empty value", f"{option}=",
                         "p.json", "--", "./app")
        # What follows -- is the program's own.
        self.app(result=profile(), name="plain")
        self.assert_code(0, self.run_program("--probe=probe.so", "--",
                                             "./plain", "--name="))

    def test_of_options(self):
        p = "--predictions=p.json"
        for message, arguments in (
                ("nothing to do: write a program to run behind --", []),
                ("--fail-on goes with predictions",
                 ["--fail-on=refuted", "--", "./app"]),
                ("--min-coverage goes with predictions",
                 ["--min-coverage=90", "--", "./app"]),
                ("either a program or --profile",
                 ["--profile=x", "--", "./app"]),
                ("--top '0' is not", ["--top=0", "--", "./app"]),
                ("--top '-1' is not", ["--top=-1", "--", "./app"]),
                ("--top, --once and --stalls are for a program without predictions",
                 [p, "--top=3", "--", "./app"]),
                ("--top, --once and --stalls are for a program without predictions",
                 ["--compare", "--once", "--", "./app", "--", "./app"]),
                ("leave --no-counters out",
                 ["--once", "--no-counters", "--", "./app"]),
                ("leave --no-counters out",
                 ["--launches=3", "--no-counters", "--", "./app"]),
                ("leave --no-counters out",
                 [p, "--fail-on=missed", "--no-counters", "--", "./app"]),
                ("--no-counters needs a program",
                 ["--no-counters", "--profile=x"]),
                ("--once needs a program", ["--once", "--profile=x"]),
                ("no program to run", [p]),
                ("no program behind --", [p, "--"]),
                ("'./app' is no option: write the program to run behind --",
                 [p, "./app"]),
                ("either predictions or sources", [p, "a.cu", "--", "./app"]),
                ("either a program or --profile",
                 [p, "--profile=x", "--", "./app"]),
                ("unknown option '--frobnicate'",
                 [p, "--frobnicate", "--", "./app"]),
                ("--timeout '-1' is not", [p, "--timeout=-1", "--", "./app"]),
                ("--timeout 'nan' is not", [p, "--timeout=nan", "--", "./app"]),
                ("--launches '0' is not", [p, "--launches=0", "--", "./app"]),
                ("--launches 'some' is not",
                 [p, "--launches=some", "--", "./app"]),
                ("--overhead '-1' is not", [p, "--overhead=-1", "--", "./app"]),
                ("--overhead 'nan' is not",
                 [p, "--overhead=nan", "--", "./app"]),
                ("leave --launches out",
                 [p, "--overhead=5", "--launches=3", "--", "./app"]),
                ("need a program to run", [p, "--profile=x", "--overhead=1"]),
                ("need a program to run", [p, "--profile=x", "--launches=all"]),
                ("--tolerance '100.5' is not",
                 [p, "--tolerance=100.5", "--", "./app"]),
                ("--kernel '(' is not a regular expression",
                 [p, "--kernel=(", "--", "./app"]),
                ("unknown value 'x' for --fail-on",
                 [p, "--fail-on=x", "--", "./app"]),
                ("unknown value 'missed' for --fail-on with --compare",
                 ["--compare", "--fail-on=missed", "x", "y"]),
                ("unknown value '' for --fail-on with --compare",
                 ["--compare", "--fail-on=slower,", "x", "y"]),
                ("unknown value 'slower' for --fail-on;",
                 [p, "--fail-on=slower", "--", "./app"]),
                ("--threshold '-1' is not",
                 ["--compare", "--threshold=-1", "x", "y"]),
                ("--threshold goes with", ["--compare", "--threshold=1", "x",
                                           "y"]),
                ("--runs '0' is not", ["--compare", "--runs=0", "--", "./app",
                                       "--", "./app"]),
                ("--runs goes with", ["--compare", "--runs=9", "x", "y"]),
                ("--runs goes with", [p, "--runs=9", "--", "./app"]),
                ("--min-coverage '101' is not",
                 [p, "--min-coverage=101", "--", "./app"]),
                ("--min-coverage goes with",
                 ["--compare", "--min-coverage=1", "x", "y"]),
                ("--compare needs two programs", ["--compare", "--", "./app"]),
                ("--compare needs two profiles", ["--compare", "x.json"]),
                ("--skip 'x' is not a number", [p, "--skip=x", "--", "./app"]),
                ("need a program to run", [p, "--profile=x", "--check-units"]),
                ("--check-units need counters",
                 [p, "--no-counters", "--check-units", "--", "x"]),
                ("goes with predictions", ["--check-units", "--", "x"]),
                ("need a program to run", [p, "--profile=x", "--skip=1"]),
                ("need a program to run", [p, "--profile=x", "--range=a"]),
                ("need a program to run", [p, "--profile=x", "--timeout=1"])):
            with self.subTest(message):
                self.refused(message, *arguments)

    def test_help_and_version(self):
        self.assert_code(0, self.run_program("--help"))
        self.assertIn("--predictions FILE", self.out)
        self.assertTrue(self.out.endswith("after\n"))
        for each in self.out.splitlines():
            self.assertLessEqual(len(each), 80, each)
        self.assert_code(0, self.run_program("--version"))
        self.assertRegex(self.out, r"^cuda-lint \d+\.\d+\.\d+\n$")

    def test_of_programs(self):
        options = ["--predictions=p.json", "--probe=probe.so", "--"]
        self.refused("cannot run './none': No such file or directory; build "
                     "it first", *options, "./none")
        self.refused("it is not on PATH, try ./vec3d", *options, "vec3d")
        self.refused("make it executable", *options, "./vec3d.cu")
        (self.folder / "vec3d.cu").chmod(0o755)
        self.refused("it is no program for this machine", *options,
                     "./vec3d.cu")

    def test_without_a_probe(self):
        self.refused("no.so is not there; build or install it",
                     "--predictions=p.json", "--probe=no.so", "--", "true")

    def test_of_predictions(self):
        for message, content in (
                ("is empty", ""),
                ("is not JSON", b"\x7fELF\x00"),
                ("is not JSON", json.dumps(predictions())[:-9]),
                ("is nested deeper", "[" * 100000),
                ("/schema: this is a profile", profile()),
                ("/schema: is 'cuda-lint/9'", {"schema": "cuda-lint/9"}),
                ("/units: is missing",
                 {k: v for k, v in predictions().items() if k != "units"})):
            with self.subTest(message):
                self.write("bad.json", content)
                self.refused(message, "--predictions=bad.json",
                             "--probe=probe.so", "--", "./app")
        self.refused("cannot read 'none.json': No such file",
                     "--predictions=none.json", "--", "./app")
        self.refused("cannot read '.': it is not a regular file",
                     "--predictions=.", "--", "./app")
        os.mkfifo(self.folder / "fifo")
        self.refused("cannot read 'fifo': it is not a regular file",
                     "--predictions=fifo", "--", "./app")

    def test_control_characters_of_files_stay_out_of_the_terminal(self):
        self.write("bad.json", {"schema": "\x1b[31mred"})
        self.run_program("--predictions=bad.json", "--", "./app")
        self.assertNotIn("\x1b", self.err)
        evil = predictions(access(file="\x1b]0;x\x07.cu",
                                  assumptions=["\x1b[2J"]))
        evil["units"][0]["kernels"][0]["signature"] = "\x1b[31mk()"
        self.write("p.json", evil)
        self.app()
        self.confirm("--all")
        self.assertNotIn("\x1b", self.out)
        self.app("leave('\\x1b[31m.json', '{')")
        self.assert_code(2, self.confirm())
        self.assertNotIn("\x1b", self.err)
        self.assertIn("<U+001B>[31m.json", self.err)

    def test_of_profiles(self):
        self.app("leave(); leave('z.json', RESULT[:-20])")
        self.assert_code(3, self.confirm())
        self.assertIn("z.json': is not JSON", self.err)
        self.assertIn("1 confirmed", self.out)
        self.write("r.json", predictions())
        self.refused_profile("/schema: these are predictions")
        self.write("r.json", "{}")
        self.refused_profile("/schema: is missing")

    def test_files_that_were_changed(self):
        # Thousands go through the readers in a unit test; a few through it
        # all, where a bad one is one message and 2.
        numbers = random.Random(1)
        good = {"p.json": predictions(), "r.json": profile()}
        codes = []
        for _ in range(60):
            for name, content in good.items():
                self.write(name, content)
            name = numbers.choice(list(good))
            text = bytearray(json.dumps(good[name]).encode())
            for _ in range(numbers.randrange(1, 4)):
                at = numbers.randrange(len(text))
                text[at:at + numbers.randrange(3)] = numbers.choice(
                    [b"", b"-", b"9" * 30, b"{", b"\xff", b"\0", b'"', b"null"])
            self.write(name, bytes(text))
            code = self.run_program("--predictions=p.json", "--profile=r.json")
            codes.append(code)
            self.assertIn(code, (0, 2, 3), self.err)
            if code == 2 and not self.out:
                for each in self.err.splitlines():
                    self.assertTrue(each.startswith("cuda-lint: error: "),
                                    self.err)
                self.assertIn(f"'{name}': ", self.err)
        self.assertGreater(codes.count(2), 30)

    def refused_profile(self, message):
        self.assert_code(2, self.run_program("--predictions=p.json",
                                             "--profile=r.json"))
        self.assertIn(message, self.err)

    def test_what_cannot_be_written_is_told_before_the_program_runs(self):
        self.app("open('ran', 'w').close()")
        (self.folder / "file").write_text("")
        for arguments in (["-o", "nowhere/x"], ["-o", "."],
                          ["--save-profile", "file/x"]):
            self.assert_code(2, self.confirm(*arguments))
            self.assertFalse((self.folder / "ran").exists(), arguments)
        self.assert_code(2, self.run_program("missing.cu", "--", "./app"))
        self.assertFalse((self.folder / "ran").exists())

    def test_a_number_that_no_gpu_can_cost(self):
        for figure in (1e308, 1025):
            self.write("p.json", predictions(access(per_request=figure)))
            self.refused("more than a request can cost", "--predictions",
                         "p.json", "--", "./app")

    def test_an_output_that_cannot_be_written(self):
        self.app()
        self.assert_code(2, self.confirm("-o", "no/folder/r.txt"))
        self.assertIn("cannot write 'no/folder/r.txt'", self.err)


class Beside(Confirm):
    """Sources are linted by the program beside it."""

    def setUp(self):
        super().setUp()
        self.place = self.folder / "bin"
        self.place.mkdir()
        shutil.copy(PROGRAM, self.place / "cuda-lint-confirm")

    def linter(self, body):
        path = self.place / "cuda-lint-check"
        path.write_text(tools.PYTHON_SCRIPT + "import sys, shutil\n"
                        "print(sys.argv[1:], file=sys.stderr)\n" + body)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run_beside(self, *arguments):
        global PROGRAM
        before = PROGRAM
        PROGRAM = str(self.place / "cuda-lint-confirm")
        try:
            return self.run_program("--probe=probe.so", *arguments)
        finally:
            PROGRAM = before


class Sources(Beside):
    def test_they_are_linted_for_the_gpu_that_ran(self):
        self.linter("out = [a for a in sys.argv if a.startswith('--output=')]"
                    "[0][9:]\nshutil.copy('p.json', out)\n")
        self.app()
        self.assert_code(0, self.run_beside("vec3d.cu", "--extra-arg=-DN=4",
                                            "--", "./app"))
        self.assertIn("'--gpu=h200', 'vec3d.cu', '--', '-DN=4'", self.err)
        self.assertIn("1 confirmed", self.out)

    def test_the_linter_fails(self):
        self.linter("sys.exit(2)")
        self.app()
        self.assert_code(2, self.run_beside("vec3d.cu", "--", "./app"))
        self.assertIn("the sources could not be linted", self.err)

    def test_there_is_no_linter(self):
        self.app()
        self.assert_code(2, self.run_beside("vec3d.cu", "--", "./app"))
        self.assertIn("is not beside this program", self.err)
        # Nor does the program that would start it help.
        self.app("open('ran', 'w').close()")
        (self.place / "cuda-lint").write_text("#!/bin/false\n")
        self.assert_code(2, self.run_beside("vec3d.cu", "--", "./app"))
        self.assertFalse((self.folder / "ran").exists())


class Compare(Confirm):
    def test_profiles_of_before_and_after(self):
        self.write("b.json", profile())
        self.write("a.json", profile(line(sectors=16384),
                                     times=(3000.0, 3100.0)))
        self.assert_code(0, self.run_program("--compare", "b.json", "a.json"))
        self.assertRegex(self.out, r"global sectors +49152 +16384 +-66\.7 %\n")
        self.assertRegex(self.out, r"sectors per request +12\.00 +4\.00 ")
        self.assertRegex(self.out, r"warps per SM +64 +64 +=\n")
        self.assertRegex(self.out, r"time of a launch, us +5\.10 +3\.10 ")
        self.assertRegex(self.out, r"least to most +5\.00 to 5\.10 +3\.00 to")
        # One run of each has drifted or not, and nobody knows.
        self.assertIn("whether it is faster takes 6 runs of each program in "
                      "turns", self.said)
        # What nobody measured is not shown.
        self.assertNotIn("shared", self.out)
        self.assertNotIn("DRAM", self.out)

    def timed(self, name, times, sectors=49152, registers=18, blocks=8):
        """A program that takes the next of `times`, ns, in each of its runs
        for times, and writes down that it was run."""
        body = (
            "result = json.loads(RESULT)\n"
            "what = os.environ.get('CUDA_LINT_PROBE_COLLECT', 'counters')\n"
            f"open('order', 'a').write('{name}-' + what + ' ')\n"
            "if what == 'time':\n"
            f"    times = {times!r}\n"
            f"    n = open('order').read().split().count('{name}-time')\n"
            "    took = times[(n - 1) % len(times)]\n"
            "    result.update(counters='none', lines=[], collect='time')\n"
            "    result['kernels'][0].update(measured_launches=0, "
            "has_lines=None)\n"
            "    result['launches'][0]['duration_ns'] = dict(min=took, "
            "median=took, max=took, samples=[took, took])\n"
            "else:\n    result['launches'][0]['duration_ns'] = None\n"
            "leave(f'profile-{os.getpid()}-0.json', json.dumps(result))")
        result = profile(line(sectors=sectors))
        result["launches"][0].update(registers=registers, blocks_per_sm=blocks)
        self.app(body, result=result, name=name)

    def compare(self, *options, code=0):
        (self.folder / "order").unlink(missing_ok=True)
        self.assert_code(code, self.run_program(
            "--probe=probe.so", "--compare", *options, "--", "./before", "--",
            "./after"))

    def test_programs_run_in_turns(self):
        self.timed("before", [1500])
        self.timed("after", [1200], sectors=16384)
        self.compare("--save-profile=kept")
        order = (self.folder / "order").read_text().split()
        self.assertEqual(["before-counters", "after-counters"], order[:2])
        # Counters slow a kernel down, so runs of their own give the times; each
        # program is the first as often as the other.
        turn = ["before-time", "after-time"]
        self.assertEqual((turn + turn[::-1]) * 3 + turn, order[2:])
        self.assertRegex(self.out, r"launches +2 +2 +=\n")
        self.assertRegex(self.out, r"global sectors +49152 +16384 ")
        self.assertRegex(self.out, r"time of a launch, us +1\.50 +1\.20 ")
        self.assertIn("faster: 0.80 times as long, 0.80 to 0.80 with 95 %, by "
                      "7 pairs of runs", self.said.replace("\n", " "))
        # The folders hold what all runs measured, and which was which.
        first = self.out
        names = sorted(path.name for path in self.folder.glob("kept/after/*"))
        self.assertEqual(8, len(names))
        self.assertRegex(names[-1], r"^run-007-profile-\d+-0.json$")
        self.assert_code(0, self.run_program("--compare", "kept/before",
                                             "kept/after"))
        self.assertEqual(first, self.out)
        self.compare("--format=json", "--output=result.json")
        self.assert_valid("result.json", "compare")
        kernel = json.loads(
            (self.folder / "result.json").read_text())["kernels"][0]
        self.assertEqual("faster", kernel["time"])
        self.assertEqual({"pairs": 7, "ratio": 0.8, "low": 0.8, "high": 0.8},
                         kernel["times"])

    def test_each_run_reads_the_same_input(self):
        body = ("open('read', 'a').write(sys.stdin.read() + '|')\nleave()")
        self.app(body, name="before")
        self.app(body, name="after")
        run = ["--probe=probe.so", "--compare", "--runs=1", "--", "./before",
               "--", "./after"]
        self.write("input", "skipped\nfirst\n")
        with open(self.folder / "input", encoding="utf-8") as source:
            os.lseek(source.fileno(), 8, os.SEEK_SET)
            self.assert_code(0, self.run_program(*run, stdin=source))
        self.assertEqual("first\n|" * 4, (self.folder / "read").read_text())
        # What comes through a pipe, more than that holds, and nothing.
        for text in ("x" * 300000, ""):
            (self.folder / "read").unlink()
            with subprocess.Popen(["cat"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE) as source:
                writer = threading.Thread(target=lambda: (
                    source.stdin.write(text.encode()), source.stdin.close()))
                writer.start()
                self.assert_code(0, self.run_program(*run, stdin=source.stdout))
                writer.join()
            self.assertEqual((text + "|") * 4,
                             (self.folder / "read").read_text())
            self.assertNotIn("pipe", self.err)

    def test_a_pipe_without_an_end_is_not_waited_for(self):
        self.app(name="before")
        self.app(name="after")
        end, write = os.pipe()
        self.addCleanup(os.close, write)
        self.addCleanup(os.close, end)
        self.assert_code(0, self.run_program(
            "--probe=probe.so", "--compare", "--runs=1", "--", "./before",
            "--", "./after", stdin=end))
        self.assertEqual(1, self.err.count("the standard input is a pipe"))

    def test_fewer_runs_say_nothing_of_speed(self):
        self.timed("before", [1500])
        self.timed("after", [1200])
        self.compare("--runs=1")
        self.assertEqual(4, len((self.folder / "order").read_text().split()))
        self.assertIn("whether it is faster takes 6 runs", self.said)
        self.compare("--runs=5", "--fail-on=slower", code=3)
        self.assertIn("undecided: slower: ", self.said)

    def test_gates(self):
        self.timed("before", [1500])
        # What fails it, and what is just allowed.
        for name, change, gate, allowed in (
                ("slower", {"times": [1650]}, "slower", 10),
                ("sectors", {"sectors": 49201}, "more-sectors", 0.1),
                ("occupancy", {"blocks": 6}, "lower-occupancy", 25)):
            with self.subTest(name):
                self.timed("after", **{"times": [1500], **change})
                self.compare("--save-profile=kept")
                def judge(code, *options, before="before", after="after"):
                    self.assert_code(code, self.run_program(
                        "--compare", *options, f"kept/{before}",
                        f"kept/{after}"))
                judge(1, f"--fail-on={gate}")
                self.assertIn(f"worse: {gate}: func(", self.said)
                judge(1, "--fail-on=lower-occupancy,more-sectors,slower")
                judge(0, f"--fail-on={gate}", f"--threshold={allowed}")
                self.assertNotIn("worse: ", self.said)
                judge(1, f"--fail-on={gate}", f"--threshold={allowed * 0.9}")
                # The other way round it is better.
                judge(0, f"--fail-on={gate}", before="after", after="before")
                shutil.rmtree(self.folder / "kept")
        self.timed("after", [1100, 1900, 1000, 2400, 1500, 1700, 1400])
        self.compare("--fail-on=slower", code=3)
        self.assertIn("its times spread too much", self.said)
        self.compare("--fail-on=never", "--format=json", "--output=r.json")
        self.assertEqual([], json.loads(
            (self.folder / "r.json").read_text())["faults"])

    def test_losses_are_no_green(self):
        lossy = profile(problems=[{"kind": "counts-lost", "message": "gone",
                                   "severity": "loss"}])
        self.write("b.json", profile())
        self.write("a.json", lossy)
        self.assert_code(3, self.run_program("--compare", "b.json", "a.json"))
        lossy["problems"][0]["severity"] = "note"
        self.write("a.json", lossy)
        self.assert_code(0, self.run_program("--compare", "b.json", "a.json"))

    def test_a_program_that_fails_is_not_run_again(self):
        self.timed("before", [1500])
        self.app("leave(); sys.exit(7)", name="after")
        self.compare(code=3)
        self.assertEqual(1, len((self.folder / "order").read_text().split()))

    def test_occupancy_comes_from_a_further_run(self):
        for name, share, dram in [("before", 0.5, 6000), ("after", 0.75, 3000)]:
            self.app(OCCUPANCY_BODY.format(share=share, dram=dram), name=name)
        programs = ["--", "./before", "--", "./after"]
        self.assert_code(0, self.run_program("--probe=probe.so", "--compare",
                                             *programs))
        self.assertNotIn("DRAM", self.out)
        self.assertNotIn("achieved", self.out)
        self.assert_code(0, self.run_program(
            "--probe=probe.so", "--compare", "--occupancy", "--format=json",
            "--output=result.json", *programs))
        self.assert_valid("result.json", "compare")
        self.assert_code(0, self.run_program("--probe=probe.so", "--compare",
                                             "--occupancy", *programs))
        self.assertRegex(self.out, r"launches +2 +2 +=\n")
        self.assertRegex(self.out, r"achieved occupancy, % +50\.0 +75\.0 ")
        # Three launches had it together.
        self.assertRegex(self.out,
                         r"DRAM bytes of a launch +2000 +1000 +-50\.0 %")

    def test_json(self):
        self.write("b.json", profile())
        self.write("a.json", profile(line(sectors=16384)))
        self.assert_code(0, self.run_program("--compare", "--format=json",
                                             "b.json", "a.json"))
        result = json.loads(self.out)
        self.assertEqual("cuda-lint-compare/1", result["schema"])
        self.write("result.json", self.out)
        self.assert_valid("result.json", "compare")
        kernel = result["kernels"][0]
        self.assertEqual(49152, kernel["before"]["global"]["sectors"])
        self.assertEqual(16384, kernel["after"]["global"]["sectors"])
        self.assertEqual("unknown", kernel["time"])
        self.assertIsNone(kernel["times"])

    def test_results_of_confirm(self):
        # The same figures as of the profiles, whatever the kernels do.
        shared = line(line=20, space="shared", sectors=None,
                      ideal_sectors=None, wavefronts=8192,
                      ideal_wavefronts=4096)
        generic = line(line=21, space="generic", wavefronts=0,
                       ideal_wavefronts=0)
        other = json.loads(json.dumps(profile()).replace(KERNEL, "_Z3newv"))
        sides = {"b": profile(line(), shared),
                 "a": profile(line(sectors=16384), generic)}
        for part in ("kernels", "lines", "launches"):
            sides["a"][part] += other[part]
        sides["b"]["launches"][0].update(achieved_occupancy=0.5,
                                         dram_bytes=600, range_launches=2)
        sides["b"]["launches"].append(
            dict(sides["b"]["launches"][0], block=[128, 1, 1], count=1,
                 blocks_per_sm=16, duration_ns=None))
        for name, side in sides.items():
            self.write(f"{name}.json", side)
            self.assert_code(0, self.run_program(
                "--predictions=p.json", f"--profile={name}.json",
                "--format=json", f"--output={name}-result.json"))
        for options in ([], ["--format=json"]):
            self.assert_code(0, self.run_program("--compare", *options,
                                                 "b.json", "a.json"))
            expected = self.out
            self.assertIn("only after" if not options else "_Z3newv", expected)
            for pair in (("b-result.json", "a-result.json"),
                         ("b.json", "a-result.json")):
                self.assert_code(0, self.run_program("--compare", *options,
                                                     *pair))
                self.assertEqual(expected, self.out)
        # Its lines are gone, so it cannot be joined again.
        self.assert_code(2, self.run_program("--predictions=p.json",
                                             "--profile=b-result.json"))
        self.assertIn("only --compare takes it", self.err)

    def test_without_times(self):
        timeless = profile(line())
        timeless["launches"][0]["duration_ns"] = None
        self.write("b.json", timeless)
        self.write("a.json", profile(line()))
        for sides, what in ((("b.json", "b.json"), "neither side"),
                            (("b.json", "a.json"), "the side before"),
                            (("a.json", "b.json"), "the side after")):
            self.assert_code(0, self.run_program("--compare", *sides))
            self.assertIn(f"{what} has times", self.out.replace(
                "has no times", "has times"))
            self.assertNotIn("spread", self.out)

    def test_nothing_to_compare(self):
        self.write("b.json", profile())
        self.write("a.json", profile(kernels=[], launches=[], lines=[]) |
                   {"lines": []})
        self.assert_code(2, self.run_program("--compare", "b.json", "a.json"))
        self.assertIn("no kernel ran after", self.err)
        self.assert_code(2, self.run_program("--compare", "b.json", "x.json"))
        self.assertIn("cannot read 'x.json'", self.err)


if __name__ == "__main__":
    ctest.main()
