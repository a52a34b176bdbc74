#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparisons with ncu, without a GPU: what they let pass, and what not.

ncu is a script here that prints the exports of tests/ncu, and the program one
that leaves the profile of the same run. A class is a CTest test.
CUDA_LINT_CONFIRM names the program that reads both.
"""

import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))
import compare_ranges_with_ncu as ranges
import compare_with_ncu as lines
import ctest
import ncu_runs

CONFIRM = os.environ["CUDA_LINT_CONFIRM"]
EXPORTS = HERE.parent / "ncu"

NCU = """#!{python}
import shutil, sys
words = sys.argv[1:]
if "--import" not in words:
    if {refused}:
        print("==ERROR== ERR_NVGPUCTRPERM - no permission")
        sys.exit(1)
    open(words[words.index("-o") + 1], "w").close()
    sys.exit(0)
page = "lines" if "source" in words else "raw"
with open("{folder}/" + page + ".csv") as text:
    shutil.copyfileobj(text, sys.stdout)
"""

# What the probe would have left, for each run.
PROGRAM = """#!{python}
import json, os
with open({profile!r}) as text:
    profile = json.load(text)
if os.environ.get("CUDA_LINT_PROBE_COLLECT") == "occupancy":
    profile.update(collect="occupancy", counters="none", lines=[])
    for kernel in profile["kernels"]:
        kernel.update(measured_launches=0, has_lines=None)
    for launch in profile["launches"]:
        launch.update(achieved_occupancy=0.5, dram_bytes=1000, l2_sectors=64,
                      l2_peak_share=0.25, range_launches=launch["count"])
with open(os.environ["CUDA_LINT_PROBE_DIR"] + "/profile-1.json", "w") as out:
    json.dump(profile, out)
"""


class Made(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="cuda-lint-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def profile(self, name="mixed"):
        return json.loads((EXPORTS / f"{name}.profile.json").read_text())

    def ours(self, profile):
        path = self.folder / "profile.json"
        path.write_text(json.dumps(profile))
        return ncu_runs.report(CONFIRM, self.folder, "--profile", path)

    def theirs(self, name="mixed", change=lambda text: text):
        path = self.folder / "lines.csv"
        path.write_text(change((EXPORTS / f"{name}.lines.csv").read_text()))
        return ncu_runs.report(CONFIRM, self.folder, "--ncu", path, "--ncu",
                               EXPORTS / f"{name}.raw.csv")

    def program(self, profile):
        path = self.folder / "program"
        path.write_text(PROGRAM.format(python=sys.executable,
                                       profile=str(profile)))
        path.chmod(0o755)
        return path

    def script(self, name, *, refused=False, profile=None, raw=None):
        """Runs it as a user does, with a program of his own."""
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "ncu").write_text(NCU.format(
            python=sys.executable, refused=refused, folder=self.folder))
        (tools / "ncu").chmod(0o755)
        (self.folder / "probe.so").touch()
        for page in ("lines", "raw"):
            shutil.copy(EXPORTS / f"mixed.{page}.csv",
                        self.folder / f"{page}.csv")
        if raw:
            (self.folder / "raw.csv").write_text(raw)
        path = self.folder / "left.json"
        path.write_text(json.dumps(profile or self.profile()))
        folder = self.folder / "out"
        folder.mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-B", HERE / name, "--confirm", CONFIRM,
             "--probe", self.folder / "probe.so", "--folder", folder,
             self.program(path)], capture_output=True, text=True,
            env=dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"))
        return done.returncode, done.stdout + done.stderr


class Lines(Made):
    def test_two_measurements_of_one_program_are_equal(self):
        for name in ("async", "mixed", "reduction", "transpose"):
            with self.subTest(name):
                equal, faults = lines.compare(self.ours(self.profile(name)),
                                              self.theirs(name))
                self.assertEqual([], faults)
                self.assertGreater(equal, 0)

    def faults_with(self, space, **changes):
        """One more of each figure, in a line of that space."""
        profile = self.profile()
        line = next(each for each in profile["lines"]
                    if each["space"] == space and each["requests"])
        for figure, more in changes.items():
            line[figure] += more
        _, faults = lines.compare(self.ours(profile), self.theirs())
        return faults

    def test_each_figure_of_a_line_that_differs_is_told(self):
        for space, figure, name in [
                ("global", "instructions", "instructions"),
                ("global", "requests", "requests"),
                ("global", "sectors", "total"),
                ("global", "ideal_sectors", "ideal"),
                ("shared", "wavefronts", "total"),
                ("shared", "ideal_wavefronts", "ideal"),
                ("generic", "sectors", "total"),
                ("generic", "wavefronts", "total")]:
            for more in (1, -1):
                with self.subTest(figure, space=space, more=more):
                    fault, = self.faults_with(space, **{figure: more})
                    self.assertIn(f": {name} ", fault)

    def test_what_ncu_counted_otherwise_is_told(self):
        # Of the first kernel: 64 blocks of 8 warps, without conflicts.
        for opcode, column, expected in [
                ("STS", "L1 Wavefronts Shared", "total 512 (ncu 513)"),
                ("STS", "L1 Wavefronts Shared Ideal", "ideal 512 (ncu 513)"),
                ("STG", "L2 Theoretical Sectors Global",
                 "total 2048 (ncu 2049)"),
                ("STG", "Instructions Executed", "instructions 512 (ncu 513), "
                 "requests 512 (ncu 513)")]:
            fault, = lines.compare(self.ours(self.profile()), self.theirs(
                change=lambda text: one_more(text, opcode, column)))[1]
            self.assertTrue(fault.endswith(f": {expected}"), fault)

    def test_each_figure_of_a_kernel_that_differs_is_told(self):
        for figure, fault in [("registers", "registers 40 (ncu 16)"),
                              ("blocks_per_sm", "warps of an SM"),
                              ("count", "launches")]:
            with self.subTest(figure):
                profile = self.profile()
                launch = next(each for each in profile["launches"]
                              if each["kernel"] == "_Z5callsPKfPf")
                launch[figure] = 40 if figure == "registers" else 2
                if figure == "count":
                    kernel = next(each for each in profile["kernels"]
                                  if each["kernel"] == "_Z5callsPKfPf")
                    kernel["launches"] = kernel["measured_launches"] = 2
                _, faults = lines.compare(self.ours(profile), self.theirs())
                self.assertTrue(any(fault in each for each in faults), faults)

    def test_registers_below_what_a_gpu_allocates_are_equal(self):
        profile = self.profile()
        for launch in profile["launches"]:
            if launch["registers"] == 16:
                launch["registers"] = 12
        self.assertEqual([], lines.compare(self.ours(profile),
                                           self.theirs())[1])

    def test_lines_and_kernels_of_one_side_are_told(self):
        ours, theirs = self.ours(self.profile()), self.theirs()
        less = copy.deepcopy(ours)
        kernels = less["gpus"][0]["kernels"]
        del kernels[0]["lines"][0]
        fault, = lines.compare(less, theirs)[1]
        self.assertIn("only ncu counted it", fault)
        fault, = lines.compare(theirs, less)[1]
        self.assertIn("only we counted it", fault)
        name = kernels.pop(1)["kernel"]
        self.assertIn(f"{name}: only ncu measured it",
                      lines.compare(less, theirs)[1])
        self.assertIn(f"{name}: only we measured it",
                      lines.compare(theirs, less)[1])

    def test_nothing_is_not_equal(self):
        self.assertFalse(lines.told("lines", 0, []))
        self.assertFalse(lines.told("lines", 9, ["one"]))
        self.assertTrue(lines.told("lines", 9, []))


def one_more(text, opcode, column):
    """The first instruction of that opcode, with one more in \\p column; also
    where it is repeated."""
    header, address, out = [], None, []
    for row in text.splitlines():
        fields = row[1:-1].split('","')
        if fields[0] == "Line No":
            header = fields
        elif (len(fields) == len(header) and fields[2].startswith("0x") and
              fields[3].split()[0].startswith(opcode) and
              address in (None, fields[2])):
            address = fields[2]
            at = header.index(column)
            fields[at] = str(int(fields[at]) + 1)
            row = '"' + '","'.join(fields) + '"'
        out.append(row)
    assert address, opcode
    return "\n".join(out) + "\n"


class Sums(Made):
    def counters(self, report):
        """Those of an L1 that counts as the lines say."""
        return {name: {
            metric: (lines.by_lines(kernel, space, op)
                     if metric == metrics[0] else 0)
            for (space, op), metrics in lines.COUNTERS.items()
            for metric in metrics}
                for name, kernel in ncu_runs.kernels(report).items()}

    def test_equal_sums(self):
        ours = self.ours(self.profile())
        equal, faults = lines.compare_sums(ours, self.counters(ours))
        self.assertEqual(([], 8 * len(ncu_runs.kernels(ours))), (faults, equal))

    def test_each_counter_that_differs_is_told(self):
        ours = self.ours(self.profile())
        for metrics in lines.COUNTERS.values():
            for metric in metrics:
                counters = self.counters(ours)
                counters["_Z6eitherPfi"][metric] += 1
                fault, = lines.compare_sums(ours, counters)[1]
                self.assertIn("_Z6eitherPfi: ", fault)

    def test_a_counter_that_is_missing_is_told(self):
        ours = self.ours(self.profile())
        counters = self.counters(ours)
        counters["_Z6eitherPfi"].popitem()
        self.assertEqual(1, len(lines.compare_sums(ours, counters)[1]))

    def test_a_known_difference_is_by_as_much(self):
        ours = self.ours(self.profile())
        counters = self.counters(ours)
        metric, = lines.COUNTERS["shared", "load"]
        counted = lines.by_lines(ncu_runs.kernels(ours)["_Z6eitherPfi"],
                                 "shared", "load")
        known = {("_Z6eitherPfi", "shared", "load"): (counted, counted + 32,
                                                      "made up")}
        for more, faults in ((32, 0), (31, 1), (0, 1)):
            counters["_Z6eitherPfi"][metric] = counted + more
            found = lines.compare_sums(ours, counters, known)[1]
            self.assertEqual(faults, len(found), found)

    def test_sums_of_a_raw_page(self):
        sums = ncu_runs.raw_sums(EXPORTS / "mixed.raw.csv",
                                 ["inst_executed", "no_such_metric"])
        # Two launches.
        self.assertEqual({"inst_executed": 3200 + 12800},
                         sums["_ZN3app6gatherILi32EEEvPKfPf"])


class Ranges(Made):
    RAW = ('"ID","Kernel Name","Block Size","Grid Size","Device","CC",'
           '"sm__warps_active.avg.pct_of_peak_sustained_active",'
           '"dram__bytes_read.sum","dram__bytes_write.sum",'
           '"lts__t_sectors.sum",'
           '"lts__t_sectors.avg.pct_of_peak_sustained_elapsed"\n'
           '"","","","","","","%","byte","byte","sector","%"\n' +
           '"0","_Z5callsPKfPf","(256, 1, 1)","(64, 1, 1)","0","9.0","{}",'
           '"{}","300","{}","{}"\n')
    TOLERANCES = {"_Z5callsPKfPf": {"occupancy": 0.05, "dram": 0.05,
                                    "l2": 0.05, "l2 share": 0.1}}
    OURS = {"occupancy": 50, "dram": 1000, "l2": 64, "l2 share": 0.2}

    def figures(self, occupancy, read, l2=64, share=20):
        path = self.folder / "raw.csv"
        path.write_text(self.RAW.format(occupancy, read, l2, share))
        return ranges.figures_of(ncu_runs.report(
            CONFIRM, self.folder, "--ncu", path, codes=(0, 3)))

    def test_each_figure_that_is_too_far_is_told(self):
        runs = [{"_Z5callsPKfPf": self.OURS | {"occupancy": 49, "dram": 1010}},
                {"_Z5callsPKfPf": self.OURS | {"occupancy": 51, "dram": 990}}]
        for measured, expected in [
                ((50, 700), []), ((48, 670), []), ((52, 730), []),
                ((47, 700), ["occupancy"]), ((53, 700), ["occupancy"]),
                ((50, 640), ["dram"]), ((50, 760), ["dram"]),
                ((90, 0), ["occupancy", "dram"]),
                ((50, 700, 61, 22), []), ((50, 700, 60), ["l2"]),
                ((50, 700, 68), ["l2"]), ((50, 700, 64, 18), ["l2 share"]),
                ((50, 700, 64, 23), ["l2 share"])]:
            with self.subTest(measured):
                found = ranges.faults(runs, self.figures(*measured),
                                      self.TOLERANCES)
                self.assertEqual(expected, [
                    text.split(": ")[1].rsplit(" ", 6)[0] for text in found],
                    found)

    def test_a_figure_that_is_not_known_is_no_agreement(self):
        both = {"_Z5callsPKfPf": self.OURS}
        for less in ({}, {"_Z5callsPKfPf": {"occupancy": 50}},
                     {"_Z5callsPKfPf": self.OURS | {"l2 share": None}}):
            self.assertTrue(ranges.faults([both, less], both, self.TOLERANCES))
            self.assertTrue(ranges.faults([both, both], less, self.TOLERANCES))
        self.assertEqual([], ranges.faults([both, both], both,
                                           self.TOLERANCES))

    def test_every_kernel_of_the_program_is_judged(self):
        source = (HERE / "DramProgram.cu").read_text()
        for name in ("readLarge", "writeLarge", "copyLarge", "stridedLarge"):
            self.assertIn(f"__global__ void {name}(", source)
            self.assertEqual(1, sum(name in each for each in ranges.TOLERANCES))


class Scripts(Made):
    def test_lines(self):
        code, text = self.script("compare_with_ncu.py")
        self.assertIn("lines: 21 equal, 0 differ\n", text)
        # Of the export nothing but warps is there.
        self.assertIn("ncu has no l1tex__data_pipe_lsu", text)
        self.assertEqual(0, code, text)
        profile = self.profile()
        profile["lines"][0]["requests"] += 1
        code, text = self.script("compare_with_ncu.py", profile=profile)
        self.assertIn("1 differ", text)
        self.assertEqual(1, code, text)

    def test_ranges(self):
        code, text = self.script("compare_ranges_with_ncu.py",
                                 raw=Ranges.RAW.format(48, 800, 64, 20))
        self.assertIn("| program | _Z5callsPKfPf | 50.0, 50.0 | 48.0 | +4.2 % "
                      "| 0.00, 0.00 | 0.00 | -9.1 % | 0.00, 0.00 | 0.00 | "
                      "+0.0 % | 25.0, 25.0 | 20.0 | +25.0 % |\n", text)
        self.assertEqual(0, code, text)

    def test_without_permission_they_are_skipped(self):
        for name in ("compare_with_ncu.py", "compare_ranges_with_ncu.py"):
            code, text = self.script(name, refused=True)
            self.assertEqual(ctest.SKIPPED, code, text)
            self.assertIn("skipped: ncu may not read the GPU's counters", text)


if __name__ == "__main__":
    ctest.main()
