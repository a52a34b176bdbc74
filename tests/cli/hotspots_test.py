#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda-lint confirm` without predictions, as its user meets it: the programs
that it runs here write the profiles that the probe would have written.

A class is a CTest test. CUDA_LINT_CONFIRM names the program.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

from confirm_test import (KERNEL, Beside, Confirm, access, line, predictions,
                          profile)

EXPORTS = Path(__file__).resolve().parents[1] / "ncu"

# A program that leaves what the probe would, whatever it is asked for.
BODY = """
result = json.loads(RESULT)
what = os.environ.get('CUDA_LINT_PROBE_COLLECT', 'counters')
with open('runs', 'a') as log:
    log.write(what + '\\n')
result['collect'] = what
for kernel in result['kernels']:
    if what != 'counters':
        kernel.update(measured_launches=0, has_lines=None)
for launch in result['launches']:
    if what != 'time':
        launch['duration_ns'] = None
    if what == 'occupancy':
        launch.update(achieved_occupancy=0.5, dram_bytes=4813000,
                      l2_sectors=81920, l2_peak_share=0.25,
                      range_launches=launch['count'])
if what != 'counters':
    result.update(counters='none', lines=[])
if what == 'stalls':
    # 80 samples at the load's line, 120 at one that touches no memory.
    result.update(
        pc_sampling=[{'device': 0, 'period_cycles': 2048, 'samples': 205,
                      'dropped_samples': 1, 'other_samples': 4}],
        stall_reasons=['long_scoreboard', 'wait', 'selected'],
        stalls=[{'kernel': kernel['kernel'], 'device': 0,
                 'file': '/build/vec3d.cu', 'line': line, 'reasons': reasons}
                for kernel in result['kernels']
                for line, reasons in ((14, [[2, 20, 0], [0, 60, 55]]),
                                      (15, [[0, 90, 80], [1, 30, 5]]))])
"""
LEAVE = "leave(f'profile-{what}.json', json.dumps(result))\n"


class Hotspots(Confirm):
    def app(self, body=LEAVE, result=None, name="app"):
        return super().app(BODY + body, result, name)

    def hotspots(self, *arguments, **options):
        if "--" not in arguments:
            arguments = [*arguments, "--", "./app"]
        return self.run_program("--probe=probe.so", *arguments, **options)

    def runs(self):
        return (self.folder / "runs").read_text().split()

    def json(self, name="r.json"):
        self.assert_valid(name, "hotspots")
        return json.loads((self.folder / name).read_text())


class Runs(Hotspots):
    def test_counts_come_from_one_run_and_times_from_another(self):
        self.app()
        self.assert_code(0, self.hotspots())
        self.assertEqual(["counters", "time"], self.runs())
        # Two launches of 5.1 and 5 us.
        self.assertIn("NVIDIA H200: 1 kernel, 2 launches, 10.1 us of GPU time "
                      "in them\n", self.out)
        self.assertIn("1. func\n   100.0 % of the GPU time: 10.1 us in 2 "
                      "launches; 18 registers; 64 warps per SM\n", self.out)
        # 49152 sectors, 4 a clock of each of 132 SMs at 1980 MHz.
        self.assertIn("L1: 49152 sectors, 47 ns at its peak: busy at least "
                      "0.5 % of the time", self.said)
        self.assertIn("/build/vec3d.cu:14: global load: 12.0 sectors per "
                      "request, ideal 4.0; wastes 32768 sectors, 66.7 % of "
                      "those of its kernel (31 ns at the peak); removing that "
                      "saves at most 10.08 us,", self.said)
        for each in self.out.splitlines():
            self.assertLessEqual(len(each), 80, each)

    def test_l2_and_dram_are_counted_on_request(self):
        self.app()
        self.assert_code(0, self.hotspots("--occupancy"))
        # A quarter of 10.1 us.
        self.assertIn("L2: about 81920 sectors, 2.525 us at its peak: busy "
                      "about 25.0 % of the time", self.said)
        self.assertEqual(["counters", "time", "occupancy"], self.runs())
        self.assertIn("DRAM: about 4813000 bytes, 1 us at its peak: busy about "
                      "9.9 % of the time", self.said)
        self.assertIn("50.0 % of its occupancy achieved", self.said)

    def test_stalls_are_sampled_on_request(self):
        self.app()
        self.assert_code(0, self.hotspots("--stalls"))
        self.assertEqual(["counters", "time", "stalls"], self.runs())
        self.assertIn("\n205 samples, one in 2048 cycles of an SM; 1 of them "
                      "dropped; 4 in kernels of the\n", self.out)
        # 180 of 200; in 140 of these the scheduler did nothing.
        self.assertIn("200 samples of its warps: 90.0 % did not issue; in "
                      "70.0 % the scheduler issued nothing at all", self.said)
        self.assertIn("\n   75.0 % long_scoreboard: waits for", self.out)
        self.assertIn("\n   15.0 % wait: waits on a fixed latency execution "
                      "dependency\n"
                      "   /build/vec3d.cu:15: 60.0 % of the samples: 75.0 % "
                      "long_scoreboard, 25.0 % wait\n"
                      "   /build/vec3d.cu:14: 40.0 % of the samples: 75.0 % "
                      "long_scoreboard\n", self.said)
        # What the other runs say is said as without it.
        self.assertIn("wastes 32768 sectors", self.said)
        self.assertIn("10.1 us in 2 launches", self.out)
        for each in self.out.splitlines():
            self.assertLessEqual(len(each), 80, each)
        self.assert_code(0, self.hotspots("--stalls", "--occupancy"))
        self.assertEqual(["counters", "time", "occupancy", "stalls"],
                         self.runs()[3:])

    def test_processes_and_gpus_add_their_samples_up(self):
        self.app("result['process']['pid'] = 2\n" + LEAVE
                 + "result['devices'][0]['index'] = 1\n"
                 "for each in ('kernels', 'launches', 'stalls', 'pc_sampling'):\n"
                 "    for row in result.get(each, []):\n"
                 "        row['device'] = 1\n"
                 "leave(f'profile-{what}-2.json', json.dumps(result))\n")
        self.assert_code(0, self.hotspots("--stalls"))
        self.assertIn("410 samples, one in 2048 cycles", self.out)
        self.assertIn("400 samples of its warps: 90.0 %", self.out)

    def test_a_run_for_stalls_that_fails(self):
        self.app("if what == 'stalls': sys.exit(9)\n" + LEAVE)
        self.assert_code(3, self.hotspots("--stalls"))
        self.assertIn("wastes 32768 sectors", self.said)
        self.assertIn("note: stall reasons were not sampled: the program "
                      "failed", self.said)
        # It left nothing of them, and says no more.
        self.app("if what == 'stalls': result.update(stalls=[])\n" + LEAVE)
        self.assert_code(3, self.hotspots("--stalls"))
        self.assertIn("note: stall reasons are not known: their run left "
                      "none\n", self.out)
        # Nobody asked.
        self.assert_code(0, self.hotspots())
        self.assertNotIn("note: stall", self.out)

    def test_a_program_that_failed_is_not_run_for_stalls(self):
        self.app(LEAVE + "sys.exit(9)")
        self.assert_code(3, self.hotspots("--stalls"))
        self.assertEqual(["counters"], self.runs())

    def test_stalls_are_recorded(self):
        self.app()
        self.assert_code(0, self.hotspots("--stalls", "--save-profile=kept"))
        first = self.out
        self.assert_code(0, self.run_program("--profile=kept"))
        self.assertEqual(first, self.out)
        # With predictions they are of no use and do no harm.
        self.run_program("--profile=kept", "--predictions=p.json")
        self.assertIn("lines:     1 confirmed", self.out)
        # Samples alone are a report, too.
        self.assert_code(3, self.run_program(
            "--profile=kept/profile-stalls.json"))
        self.assertIn("75.0 % long_scoreboard", self.out)
        text = (self.folder / "kept/profile-stalls.json").read_text()
        bad = json.loads(text)
        bad["stalls"][0]["reasons"][0][0] = 3
        self.write("bad.json", bad)
        self.assert_code(2, self.run_program("--profile=bad.json"))
        self.assertIn("/stalls/0/reasons/0/0: is 3, and there are 3 reasons",
                      self.err)

    def test_where_stalls_do_not_go(self):
        self.app()
        for message, arguments in (
                ("leave --once out", ["--once"]),
                ("leave --no-counters out", ["--no-counters"]),
                ("leave --skip and --range out", ["--skip=2"]),
                ("leave --skip and --range out", ["--range=step"]),
                ("for a program without predictions",
                 ["--predictions=p.json"]),
                ("for a program without predictions", ["vec3d.cu"])):
            with self.subTest(message):
                self.assert_code(2, self.hotspots("--stalls", *arguments))
                self.assertIn(message, self.err)
        self.assert_code(2, self.run_program("--stalls", "--profile=x"))
        self.assertIn("--stalls and --check-units need a program to run",
                      self.err)
        self.assertFalse((self.folder / "runs").exists())

    def test_a_program_that_can_run_but_once(self):
        self.app()
        self.assert_code(0, self.hotspots("--once"))
        self.assertEqual(["counters"], self.runs())
        self.assertIn("2 launches, times not known\n", self.out)
        self.assertIn("note: times were not measured: --once\n", self.out)
        self.assertIn("wastes 32768 sectors", self.said)
        self.assertNotIn("saves at most", self.out)

    def test_without_counters(self):
        self.app()
        self.assert_code(0, self.hotspots("--no-counters"))
        self.assertEqual(["time"], self.runs())
        self.assertIn("10.1 us in 2 launches; 18 registers; 64 warps per SM",
                      self.out)
        self.assertIn("note: requests were not counted: --no-counters\n",
                      self.out)
        self.assertNotIn("sectors", self.out)

    def test_predictions_without_counters(self):
        self.app()
        self.assert_code(0, self.hotspots("--no-counters", "--predictions",
                                          "p.json", "--fail-on=refuted"))
        self.assertEqual(["time"], self.runs())
        self.assertIn("0 confirmed, 0 refuted, 0 inconclusive, 1 not measured",
                      self.said)
        self.assertIn("occupancy: 1 confirmed", self.out)
        self.assertIn("registers: 1 confirmed", self.out)

    def test_a_second_run_that_fails_leaves_what_the_first_counted(self):
        self.app("if what == 'time': sys.exit(9)\n" + LEAVE)
        self.assert_code(3, self.hotspots())
        self.assertIn("wastes 32768 sectors", self.said)
        self.assertIn("times not known", self.out)
        self.assertIn("left no profile", self.err)

    def test_a_program_that_fails_is_not_run_again(self):
        self.app(LEAVE + "sys.exit(9)")
        self.assert_code(3, self.hotspots())
        self.assertEqual(["counters"], self.runs())
        self.assertIn("exited with 9", self.said)
        self.assertIn("wastes 32768 sectors", self.said)
        self.assertIn("times were not measured: the program failed", self.said)

    def test_where_counters_are_forbidden_times_are_there_already(self):
        forbidden = [{"kind": "insufficient-privileges", "message": "ask"}]
        self.app("result.update(counters='none', lines=[], problems="
                 f"{forbidden!r}, collect='counters')\n"
                 "result['kernels'][0].update(measured_launches=0)\n"
                 "result['launches'][0].update(duration_ns={'min': 1.0, "
                 "'median': 2.0, 'max': 3.0, 'samples': [1.0, 3.0]})\n" + LEAVE)
        self.assert_code(3, self.hotspots())
        self.assertEqual(["counters"], self.runs())
        self.assertIn("4 ns in 2 launches", self.out)
        self.assertIn("problem: ask (insufficient-privileges)", self.out)

    def test_recorded_profiles_say_the_same(self):
        self.app()
        self.assert_code(0, self.hotspots("--save-profile=kept"))
        first = self.out
        self.assert_code(0, self.run_program("--profile=kept"))
        self.assertEqual(first, self.out)
        self.assert_code(0, self.run_program("--profile",
                                             "kept/profile-counters.json"))
        self.assertIn("note: times are not known: what was recorded holds "
                      "none\n", self.out)

    def test_runs_that_a_comparison_saved(self):
        self.app()
        self.app(name="other")
        self.run_program("--probe=probe.so", "--compare", "--runs=3",
                         "--save-profile=kept", "--", "./app", "--", "./other")
        self.assertEqual(4, len(list((self.folder / "kept/before").iterdir())))
        self.assert_code(0, self.run_program("--profile=kept/before"))
        self.assertIn("10.1 us in 2 launches;", self.out)

    def test_a_shape_without_times(self):
        result = profile()
        result["launches"].append(dict(result["launches"][0], grid=[7, 1, 1],
                                       duration_ns=None))
        self.app(result=result)
        self.assert_code(3, self.hotspots())
        self.assertIn("time not known: 2 launches", self.out)
        self.assertIn("launches of 1 kernel have no times", self.said)


def finding(**changes):
    """Of the load in line 14."""
    def phrase(name, text):
        return {"id": name, "text": text, "values": {}}

    return {"check": "global-uncoalesced", "severity": "warning",
            "file": "vec3d.cu", "line": 14, "column": 7, "kernel": KERNEL,
            "message": "load from 'v' touches 12 sectors", "certainty": "exact",
            "assumptions": [], "fixes": [],
            "prediction": {"metric": "sectors_per_request", "value": 12.0,
                           "ideal": 4.0},
            "what": phrase("traffic", "load from 'v' touches 12 sectors"),
            "cause": phrase("apart", "the lanes are 12 bytes apart"),
            "remedy": phrase("array", "keep the field in an array of its own"),
            "subject": {"kind": "load", "function": "func", "name": "v[i].x",
                        "variable": "v", "object": "v"},
            "fingerprint": "0123456789abcdef", "occurrence": 1, **changes}


class Linted(Hotspots):
    """With predictions, which have findings."""
    SAID = ("\n   linter, global-uncoalesced: the lanes are 12 bytes apart; "
            "keep the field in an array of its own\n")

    def setUp(self):
        super().setUp()
        self.predict(finding())
        self.app()

    def predict(self, *findings, **changes):
        made = predictions(**changes)
        made["units"][0]["findings"] = list(findings)
        self.write("p.json", made)
        return made

    def linted(self, *arguments, **options):
        return self.hotspots("--hotspots", "--predictions=p.json", *arguments,
                             **options)

    def test_cause_and_remedy_stand_beside_the_line(self):
        self.assert_code(0, self.linted())
        self.assertEqual(["counters", "time"], self.runs())
        self.assertIn("wastes 32768 sectors", self.said)
        self.assertIn(self.SAID, self.said)
        self.assertNotIn("note:", self.out)
        self.assertNotIn("confirmed", self.out)
        for each in self.out.splitlines():
            self.assertLessEqual(len(each), 80, each)
        # Verdicts are the answer without the flag.
        self.assert_code(0, self.hotspots("--predictions=p.json"))
        self.assertIn("1 confirmed", self.out)
        self.assertNotIn("linter", self.out)

    def test_a_file_that_could_not_be_linted(self):
        made = self.predict(finding())
        broken = {"file": "broken.cu", "status": "failed", "kernels": [],
                  "findings": [], "errors": [
                      {"file": "broken.cu", "line": 1, "column": 1,
                       "message": "unknown type name 'flaot'"}]}
        made["units"].append(broken)
        self.write("p.json", made)
        self.assert_code(3, self.linted())
        self.assertIn("note: 'broken.cu' could not be linted: unknown type name "
                      "'flaot'", self.said)
        self.assertIn(self.SAID, self.said)

    def test_it_is_what_happens_without_predictions(self):
        self.assert_code(0, self.hotspots("--hotspots"))
        with_flag = self.out
        self.assert_code(0, self.hotspots())
        self.assertEqual(with_flag, self.out)
        self.assertNotIn("linter", self.out)

    def test_what_is_not_shown_is_counted(self):
        self.predict(finding(), finding(
            line=99, check="double-literal", fingerprint="1" * 16))
        self.assert_code(0, self.linted())
        self.assertIn("note: 1 of 2 problems that the linter found is about "
                      "lines that are not shown here or were not measured\n",
                      self.said)
        self.predict()
        self.assert_code(0, self.linted())
        self.assertIn("note: the linter found nothing\n", self.out)

    def test_options_of_hot_spots_go_with_it(self):
        self.assert_code(0, self.linted("--stalls", "--top=1"))
        self.assertEqual(["counters", "time", "stalls"], self.runs())
        # Of counts and samples, once.
        self.assertEqual(1, self.out.count("   linter, "))
        self.assert_code(0, self.linted("--once", "--all"))
        self.assertIn(self.SAID, self.said)
        # No counts, but samples.
        (self.folder / "runs").unlink()
        self.app("result.update(lines=[])\n" + LEAVE)
        self.assert_code(0, self.linted("--stalls"))
        self.assertIn("40.0 % of the samples", self.out)
        self.assertIn(self.SAID, self.said)

    def test_recorded_profiles(self):
        self.assert_code(0, self.linted("--save-profile=kept"))
        first = self.out
        self.assert_code(0, self.run_program(
            "--hotspots", "--predictions=p.json", "--profile=kept"))
        self.assertEqual(first, self.out)

    def test_json(self):
        self.assert_code(0, self.linted("--stalls", "--format=json", "-o",
                                        "r.json"))
        gpu, = self.json()["gpus"]
        self.assertEqual({"target": "h200", "problems": 1,
                          "problems_at_measured_lines": 1}, gpu["linter"])
        kernel, = gpu["kernels"]
        expected = {"check": "global-uncoalesced", "severity": "warning",
                    "file": "vec3d.cu", "line": 14,
                    "what": "load from 'v' touches 12 sectors",
                    "cause": "the lanes are 12 bytes apart",
                    "remedy": "keep the field in an array of its own",
                    "problem": 1, "fingerprint": "0123456789abcdef"}
        self.assertEqual([expected], kernel["lines"][0]["findings"])
        self.assertEqual([[], [expected]], [
            each["findings"] for each in kernel["stalls"]["lines"]])
        # What is not known is null; and nothing is no finding.
        self.predict(finding(cause=None, remedy=None, fingerprint=None))
        self.assert_code(0, self.linted("--format=json", "-o", "r.json"))
        only, = self.json()["gpus"][0]["kernels"][0]["lines"][0]["findings"]
        self.assertEqual((None, None, None), (only["cause"], only["remedy"],
                                              only["fingerprint"]))
        self.predict()
        self.assert_code(0, self.linted("--format=json", "-o", "r.json"))
        line_, = self.json()["gpus"][0]["kernels"][0]["lines"]
        self.assertEqual([], line_["findings"])
        self.assert_code(0, self.hotspots("--format=json", "-o", "r.json"))
        gpu, = self.json()["gpus"]
        self.assertIsNone(gpu["linter"])
        self.assertIsNone(gpu["kernels"][0]["lines"][0]["findings"])

    def test_another_text(self):
        made = self.predict(finding())
        made["units"][0]["sources"] = [
            {"file": "vec3d.cu", "bytes": 900, "xxh3": "0" * 16}]
        self.write("p.json", made)
        self.app(result=profile(files=["/build/vec3d.cu"], sources=[
            {"file": 0, "bytes": 901, "modified": 50}]))
        self.assert_code(3, self.linted())
        self.assertIn("problem: the program was built from a 'vec3d.cu' of "
                      "901 bytes, and one of 900 was analysed: what the linter "
                      "says of it is not shown; build the program, and "
                      "predict, from one text (other-sources)\n", self.said)
        self.assertIn("wastes 32768 sectors", self.said)
        self.assertNotIn("   linter, ", self.out)

    def test_another_gpu(self):
        self.predict(finding(), capability="8.6", target="a10")
        self.assert_code(3, self.linted())
        self.assertIn("note: the program ran on NVIDIA H200 (compute "
                      "capability 9.0), the predictions are for a10", self.said)
        self.assertIn("wastes 32768 sectors", self.said)

    def test_where_it_does_not_go(self):
        given = "--predictions=p.json"
        for message, arguments in (
                ("leave --compare out", ["--compare", "a", "b"]),
                ("--fail-on goes with verdicts: leave --hotspots out",
                 [given, "--fail-on=refuted", "--", "./app"]),
                ("--min-coverage goes with verdicts: leave --hotspots out",
                 [given, "--min-coverage=10", "--", "./app"]),
                ("either predictions or sources",
                 [given, "vec3d.cu", "--", "./app"]),
                ("write the program to run behind --",
                 [given, "vec3d.cu"]),
                ("no program to run", [given]),
                ("no program to run", ["vec3d.cu"]),
                ("nothing to do", [])):
            with self.subTest(message):
                self.assert_code(2, self.run_program("--hotspots", *arguments))
                self.assertIn(message, self.err)
        self.write("p.json", "{}")
        self.assert_code(2, self.linted())
        self.assertFalse((self.folder / "runs").exists())


class LintedSources(Beside, Linted):
    """The same, of sources: the linter beside the program leaves p.json."""
    LEAVES = ("out, = [a for a in sys.argv if a.startswith('--output=')]\n"
              "shutil.copy('p.json', out[9:])\n")

    def setUp(self):
        super().setUp()
        self.linter(self.LEAVES)

    def linted(self, *arguments, **options):
        return self.run_beside("--hotspots", *arguments, "vec3d.cu", "--",
                               "./app", **options)

    def test_recorded_profiles(self):
        self.assert_code(0, self.linted("--save-profile=kept"))
        first = self.out
        self.assert_code(0, self.run_beside("--hotspots", "--profile=kept",
                                            "vec3d.cu"))
        self.assertEqual(first, self.out)

    def test_they_are_linted_for_the_gpu_that_ran(self):
        self.assert_code(0, self.linted("--extra-arg=-DN=4"))
        self.assertIn("'--gpu=h200', 'vec3d.cu', '--', '-DN=4'", self.err)
        self.assertIn(self.SAID, self.said)

    def test_the_linter_fails(self):
        self.linter("sys.exit(2)")
        self.assert_code(3, self.linted())
        self.assertIn("the sources could not be linted", self.err)
        # The runs were not for nothing.
        self.assertIn("note: what the linter says is not shown: the sources "
                      "could not be linted", self.said)
        self.assertIn("wastes 32768 sectors", self.said)

    def test_there_is_no_linter(self):
        (self.place / "cuda-lint-check").unlink()
        self.assert_code(2, self.linted())
        self.assertIn("is not beside this program", self.err)
        self.assertFalse((self.folder / "runs").exists())

    def test_where_it_does_not_go(self):
        self.assert_code(2, self.linted("--predictions=p.json"))
        self.assertIn("either predictions or sources", self.err)


class Reports(Hotspots):
    def many(self, count=7):
        """Kernels k0 to k6, of 1 to 7 us, each with seven lines."""
        result = profile()
        names = [f"k{n}" for n in range(count)]
        first = result["launches"][0]
        result["kernels"] = [dict(result["kernels"][0], kernel=n)
                             for n in names]
        result["launches"] = [
            dict(first, kernel=n, duration_ns={
                "min": t, "median": t, "max": t, "samples": [t]})
            for t, n in zip(range(1000, 10000, 1000), names)]
        result["lines"] = [line(kernel=n, line=l, sectors=16384 * l)
                           for n in names for l in range(1, 8)]
        return result

    def test_top(self):
        self.app(result=self.many())
        self.assert_code(0, self.hotspots())
        self.assertIn("5. k2\n", self.out)
        self.assertNotIn("6. k1\n", self.out)
        # 1 and 2 of 28.
        self.assertIn("2 more kernels with 10.7 % of the GPU time; --all shows "
                      "them\n", self.out)
        # Six of seven lines waste something.
        self.assertIn("   1 more waste less or have no ideal\n", self.out)
        self.assert_code(0, self.hotspots("--top=1"))
        self.assertIn("1. k6\n", self.out)
        self.assertNotIn("2. k5\n", self.out)
        self.assertEqual(1, self.out.count(": global load"))
        self.assert_code(0, self.hotspots("--all"))
        self.assertIn("7. k0\n", self.out)
        self.assertEqual(49, self.out.count(": global load"))

    def test_json(self):
        self.app(result=self.many())
        self.assert_code(0, self.hotspots("--format=json", "-o", "r.json",
                                          "--top=1", "--occupancy"))
        result = self.json()
        gpu, = result["gpus"]
        self.assertEqual([f"k{n}" for n in range(6, -1, -1)],
                         [kernel["kernel"] for kernel in gpu["kernels"]])
        self.assertEqual(56000, gpu["time_ns"])
        worst = gpu["kernels"][0]["lines"][0]
        self.assertEqual((7, 98304), (worst["line"], worst["wasted"]))
        self.assertEqual(3, len(result["programs"]))

    def test_json_of_stalls(self):
        self.app()
        self.assert_code(0, self.hotspots("--stalls", "--format=json", "-o",
                                          "r.json", "--top=1"))
        result = self.json()
        self.assertIs(True, result["stalls"])
        gpu, = result["gpus"]
        self.assertEqual(
            {"samples": 205, "dropped_samples": 1, "other_samples": 4,
             "period_cycles": {"least": 2048, "most": 2048}},
            gpu["pc_sampling"])
        stalls = gpu["kernels"][0]["stalls"]
        self.assertEqual((200, 140), (stalls["samples"],
                                      stalls["not_issued"]))
        self.assertEqual(
            [("long_scoreboard", 150, 135, 0.75, True),
             ("wait", 30, 5, 0.15, True), ("selected", 20, 0, 0.1, False)],
            [(r["reason"], r["samples"], r["not_issued"], r["share"],
              r["is_stall"]) for r in stalls["reasons"]])
        self.assertIn("L1TEX", stalls["reasons"][0]["meaning"])
        # All of them, whatever --top says.
        self.assertEqual([(15, 120, 0.6), (14, 80, 0.4)], [
            (l["line"], l["samples"], l["share"]) for l in stalls["lines"]])
        self.assert_code(0, self.hotspots("--format=json", "-o", "r.json"))
        result = self.json()
        self.assertIs(False, result["stalls"])
        self.assertIsNone(result["gpus"][0]["pc_sampling"])
        self.assertIsNone(result["gpus"][0]["kernels"][0]["stalls"])

    def test_json_of_what_is_not_known(self):
        bare = profile(line(file=None, line=None, ideal_sectors=None),
                       devices=[])
        bare["kernels"][0]["has_lines"] = False
        bare["launches"][0].update(registers=None, blocks_per_sm=None)
        self.app(result=bare)
        self.assert_code(0, self.hotspots("--once", "--format=json", "-o",
                                          "r.json"))
        gpu, = self.json()["gpus"]
        self.assertIsNone(gpu["boost_mhz"])
        kernel, = gpu["kernels"]
        self.assertIsNone(kernel["time_ns"])
        self.assertIsNone(kernel["warps_per_sm"]["most"])
        self.assertIs(False, kernel["has_lines"])
        only, = kernel["lines"]
        self.assertIsNone(only["file"])
        self.assertIsNone(only["wasted"])
        self.assertEqual(49152, only["total"])

    def test_kernels_without_lines(self):
        bare = profile(line(file=None, line=None))
        bare["kernels"][0]["has_lines"] = False
        self.app(result=bare)
        self.assert_code(0, self.hotspots())
        self.assertIn("   the kernel as a whole: global load: 12.0 sectors",
                      self.out)
        self.assertIn("1 kernel has no line numbers: of a library, or built "
                      "without -lineinfo", self.out)

    def test_uncounted_kernels_are_named(self):
        result = profile()
        result["kernels"].append(dict(
            result["kernels"][0], kernel="_Z4slowv", measured_launches=0,
            uncounted="overhead"))
        self.app(result=result)
        self.assert_code(0, self.hotspots())
        self.assertIn("note: not counted: slow: ", self.said)

    def test_a_lost_count_is_half_a_measurement(self):
        self.app(result=profile(problems=[{"kind": "counts-lost",
                                           "message": "gone"}]))
        self.assert_code(3, self.hotspots())
        self.assertIn("problem: gone (counts-lost)", self.out)

    def test_a_filter_that_matches_nothing(self):
        result = profile()
        result["kernels"][0].update(measured_launches=0)
        result["lines"] = []
        self.app(result=result)
        self.assert_code(3, self.hotspots("--kernel=nobody"))
        self.assertIn("--kernel 'nobody' matches none of the 1 kernels",
                      self.said)

    def test_no_kernel_ran(self):
        self.app(result=profile(kernels=[], lines=[], launches=[])
                 | {"lines": []})
        self.assert_code(2, self.hotspots())
        self.assertIn("problem: the program launched no kernel", self.said)


class Quotes(Hotspots):
    QUOTED = "   14 |   x = v[i].x;\n"

    def quoted(self, name, *arguments):
        self.app(result=profile(line(file=name)))
        self.assert_code(0, self.hotspots(*arguments))
        return self.QUOTED in self.out

    def test_only_below_the_root(self):
        inside = str(self.folder / "vec3d.cu")
        self.assertTrue(self.quoted(inside))
        self.assertTrue(self.quoted("vec3d.cu"))
        (self.folder / "src").mkdir()
        self.assertFalse(self.quoted(inside, "--source-root=src"))
        self.assertTrue(self.quoted(inside, "--source-root=/"))
        self.assertFalse(self.quoted(inside, "--source-root=nowhere"))

    def test_no_way_out(self):
        (self.folder / "src").mkdir()
        (self.folder / "src/link.cu").symlink_to(self.folder / "vec3d.cu")
        os.mkfifo(self.folder / "src/pipe.cu")
        (self.folder / "src-more").mkdir()
        self.write("src-more/vec3d.cu",
                   (self.folder / "vec3d.cu").read_text())
        for name in ("src/link.cu", "src/../vec3d.cu", "src-more/vec3d.cu",
                     "src/pipe.cu", "src", "/etc/passwd", "\x00", "src/\n"):
            with self.subTest(name):
                self.assertFalse(self.quoted(name, "--source-root=src"))

    def test_predictions_have_it_too(self):
        self.app()
        self.assert_code(0, self.hotspots("--predictions=p.json"))
        self.assertIn(self.QUOTED, self.out)
        self.assert_code(0, self.hotspots("--predictions=p.json",
                                          "--source-root=tmp"))
        self.assertNotIn(self.QUOTED, self.out)


class Ncu(Hotspots):
    """Exports that Nsight Compute wrote: tests/ncu."""

    def pages(self, name, *kinds):
        return [f"--ncu={EXPORTS / name}.{kind}.csv" for kind in kinds]

    def predicted(self, name):
        """All that the probe measured of a program, as if it was predicted."""
        measured = json.loads((EXPORTS / f"{name}.profile.json").read_text())
        document = predictions()
        unit, = document["units"]
        kernel, = unit["kernels"]
        by_name = {each["kernel"]: dict(
            kernel, name=each["kernel"], accesses=[],
            resources=dict(kernel["resources"], registers=next(
                shape["registers"] for shape in measured["launches"]
                if shape["kernel"] == each["kernel"])), launches=[
                dict(kernel["launches"][0], grid=shape["grid"],
                     block=shape["block"])
                for shape in measured["launches"]
                if shape["kernel"] == each["kernel"]])
            for each in measured["kernels"]}
        for each in measured["lines"]:
            if each["requests"] == 0:
                continue  # Never with an active lane.
            unit_of = "wavefronts" if each["space"] == "shared" else "sectors"
            by_name[each["kernel"]]["accesses"].append(access(
                file=each["file"], line=each["line"], space=each["space"],
                op=each["op"], unit=unit_of,
                per_request=each[unit_of] / each["requests"],
                ideal=each[f"ideal_{unit_of}"] / each["requests"],
                lanes=each["lanes"] / each["requests"],
                block=by_name[each["kernel"]]["launches"][0]["block"]))
        unit["kernels"] = list(by_name.values())
        self.write("p.json", document)

    def verdicts(self, *arguments):
        self.assert_code(0, self.run_program(
            "--predictions=p.json", "--format=json", "-o", "r.json",
            *arguments))
        self.assert_valid("r.json")
        gpu, = json.loads((self.folder / "r.json").read_text())["gpus"]
        for kernel in gpu["kernels"]:
            for shape in kernel["shapes"]:
                # The probe's run had neither.
                shape["duration_ns"] = None
                for each in ("range_launches", "achieved_occupancy",
                             "dram_bytes"):
                    shape["measured"][each] = None
            # An optional count; and the order of equal shapes.
            kernel["shapes"].sort(key=str)
        return gpu

    def test_verdicts_are_those_of_the_probe(self):
        for name in ("async", "mixed", "reduction", "transpose"):
            with self.subTest(name):
                self.predicted(name)
                ours = self.verdicts("--profile",
                                     str(EXPORTS / f"{name}.profile.json"))
                theirs = self.verdicts(*self.pages(name, "lines", "raw"))
                self.assertEqual(ours["lines"], theirs["lines"])
                self.assertEqual(ours["counts"], theirs["counts"])
                self.assertGreater(ours["counts"]["lines"]["confirmed"], 1)
                self.assertEqual(0, theirs["counts"]["lines"]["refuted"])
                for a, b in zip(ours["kernels"], theirs["kernels"],
                                strict=True):
                    # ncu has none below 16, which it allocates.
                    self.assertEqual("confirmed", a["registers"]["verdict"])
                    self.assertEqual("confirmed", b["registers"]["verdict"])
                    self.assertEqual(
                        [s["measured"] for s in a["shapes"]],
                        [s["measured"] for s in b["shapes"]])

    def test_hot_spots(self):
        self.assert_code(0, self.run_program(
            *self.pages("transpose", "lines", "raw")))
        self.assertIn("/tmp/b/transpose.cu:28: global store: 32.0 sectors per "
                      "request, ideal 4.0; wastes 917504 sectors, 77.8 %",
                      self.said)
        self.assertIn("note: times are those under ncu", self.said)
        self.assert_code(0, self.run_program(
            *self.pages("transpose", "lines"), "--format=json", "-o",
            "r.json"))
        gpu, = self.json()["gpus"]
        self.assertIsNone(gpu["name"])
        self.assertIsNone(gpu["time_ns"])
        self.assertEqual(917504, gpu["kernels"][0]["lines"][0]["wasted"])

    def test_a_kernel_without_lines(self):
        self.assert_code(3, self.run_program(
            *self.pages("nolines", "lines", "raw")))
        self.assertIn("nolines.lines.csv', line 1: its kernels have no line "
                      "numbers: export '--page source --print-source sass'",
                      self.err)
        self.assert_code(0, self.run_program(
            *self.pages("nolines", "sass", "raw")))
        self.assertIn("the kernel as a whole: global store: 32.0", self.out)

    def test_without_counts(self):
        self.assert_code(3, self.run_program(*self.pages("mixed", "raw")))
        self.assertIn("7 launches, 36.64 us of GPU time in them; 0 counted",
                      self.out)
        self.assertNotIn("wastes", self.out)

    def test_a_kernel_that_the_source_page_lacks(self):
        self.predicted("transpose")
        self.assert_code(3, self.run_program(
            "--predictions=p.json", *self.pages("mixed", "lines"),
            *self.pages("nolines", "raw")))
        self.assertIn("none of its launches was measured", self.said)
        self.assertIn("_Z9transposePKfPf of the raw page has no counts in the "
                      "source page", self.said)

    def test_demangled_names_have_no_predictions(self):
        text = (EXPORTS / "transpose.lines.csv").read_text()
        self.write("x.csv", text.replace(
            "_Z9transposePKfPf", "transpose(const float *, float *)"))
        self.assert_code(0, self.run_program("--ncu=x.csv"))
        self.assertNotIn("mangled", self.out)
        self.predicted("transpose")
        self.assert_code(2, self.run_program("--ncu=x.csv",
                                             "--predictions=p.json"))
        self.assertIn("export with --print-kernel-base mangled", self.said)

    def test_bad_pages(self):
        whole = (EXPORTS / "transpose.lines.csv").read_text()
        row = next(r for r in whole.splitlines() if "LDG" in r)
        for name, text, message in (
                ("empty", "", "neither a source page nor a raw page"),
                ("binary", b"NVR\0\1\2" * 1000, "bytes that are no text"),
                ("json", "{}", "neither a source page nor a raw page"),
                ("cut", whole[:-40], "the file was cut off"),
                ("negative", whole.replace(
                    row, row.replace('"8192"', '"-8192"')),
                 "is '-8192', which is no count"),
                ("nan", whole.replace(row, row.replace('"8192"', '"nan"')),
                 "is 'nan', which is no count"),
                ("formula", whole.replace(
                    row, row.replace('"8192"', '"=SUM(A1)"')),
                 "is '=SUM(A1)', which is no count"),
                ("columns", '"Kernel Name","f"\n' + '"a",' * 10**6 + '"b"\n',
                 "line 2: more than 20000 columns"),
                ("escape", '"Kernel Name","f"\n"\x1b[2J","b"\n',
                 "line 2: the names of the columns")):
            with self.subTest(name):
                self.write("x.csv", text)
                self.assert_code(2, self.run_program("--ncu=x.csv"))
                self.assertIn("'x.csv', line ", self.err)
                self.assertIn(message, self.err)
                self.assertNotIn("\x1b", self.err)
        self.assert_code(2, self.run_program("--ncu=nowhere.csv"))
        self.assertIn("nowhere.csv", self.err)
        # What could be read is told.
        self.write("x.csv", "")
        self.assert_code(3, self.run_program("--ncu=x.csv",
                                             *self.pages("mixed", "lines")))
        self.assertIn("7 launches", self.out)

    def test_of_options(self):
        page, = self.pages("mixed", "lines")
        for message, arguments in (
                ("either a program or --ncu", [page, "--", "./app"]),
                ("either --profile or --ncu", [page, "--profile=x"]),
                ("nor --ncu", [page, "--compare", "a", "b"]),
                ("need a program to run", [page, "--occupancy"])):
            with self.subTest(message):
                self.assert_code(2, self.run_program(*arguments))
                self.assertIn(message, self.err)
        self.write("x.csv", (EXPORTS / "mixed.lines.csv").read_text())
        self.assert_code(2, self.run_program("--ncu=x.csv", "-o", "x.csv"))
        self.assertIn("cannot write 'x.csv'", self.err)


if __name__ == "__main__":
    ctest.main()
