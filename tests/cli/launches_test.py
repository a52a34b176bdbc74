#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda-lint --launches-from: launches from a profile or a list.

A class is a CTest test. CUDA_LINT names the program.
"""

import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

from cli_test import MOCK, Cli

ROOT = Path(__file__).resolve().parents[2]

# Block and pitch come from the command line of the program. Lanes of a warp
# are Pitch words apart: of 32 banks, a pitch of 2 uses each second one for two
# lanes, one of 33 each for one, and one of 32 one for all lanes.
ROWS = """extern "C" int atoi(const char *);
__global__ void rows(float *Out, int Pitch) {
  __shared__ volatile float S[2048]; // kept though nobody reads it
  S[threadIdx.x * Pitch] = Out[threadIdx.x];
}
__global__ void copy(const float *In, float *Out) {
  Out[threadIdx.x] = In[threadIdx.x];
}
int main(int Count, char **Words) {
  float *P = nullptr;
  rows<<<64, atoi(Words[1])>>>(P, atoi(Words[2]));
  copy<<<64, 128>>>(P, P);
}
"""
LAUNCH_LINE = 11


def launch(kernel="rows", **members):
    return {"kernel": kernel, "grid": 64, "block": 32, **members}


def profile(*launches):
    """As the probe writes it; the reader wants no more of it."""
    return {"schema": "cuda-lint-profile/1",
            "tool": {"name": "cuda-lint-probe", "version": "0.1.0"},
            "process": {"pid": 1, "command": ["./app"], "end": "exit"},
            "collect": "counters", "counters": "sass", "problems": [],
            "devices": [], "kernels": [], "lines": [{"kernel": "_Z4rowsPfi"}],
            "launches": [
                {"kernel": kernel, "device": 0, "grid": grid, "block": block,
                 "registers": 12, "static_shared_bytes": 8192,
                 "dynamic_shared_bytes": 0, "local_bytes": 0, "count": count,
                 "duration_ns": None}
                for kernel, grid, block, count in launches]}


class Launches(Cli):
    def setUp(self):
        super().setUp()
        self.write("a.cu", ROWS)

    def list(self, *launches, name="l.json"):
        return self.write(name, json.dumps(list(launches)))

    def kernels(self, *arguments):
        unit, = self.report(*arguments, "a.cu")["units"]
        self.unit = unit
        return {k["signature"].split("(")[0]: k for k in unit["kernels"]}

    def store(self, *arguments):
        """The access to shared memory."""
        kernel = self.kernels(*arguments)["rows"]
        access, = [a for a in kernel["accesses"] if a["space"] == "shared"]
        return access

    def assert_bad(self, *fragments, name="l.json"):
        self.assert_code(2, self.lint(f"--launches-from={name}", "a.cu"))
        self.assert_refused("--launches-from: ", *fragments)


class Evaluated(Launches):
    def test_sizes_of_the_command_line_are_not_known(self):
        rows = self.kernels()["rows"]
        self.assertEqual("unknown", self.store()["certainty"])
        load, = [a for a in rows["accesses"] if a["space"] == "global"]
        self.assertIn("the block is 256 threads wide", load["assumptions"])
        self.assertEqual("launch", rows["launches"][0]["source"])

    def test_the_list_gives_them(self):
        for pitch, wavefronts in ((2, 2.0), (33, 1.0), (32, 32.0)):
            self.list(launch(arguments=[None, pitch]))
            store = self.store("--launches-from=l.json")
            self.assertEqual(("exact", wavefronts, [], [32, 1, 1]),
                             (store["certainty"], store["per_request"],
                              store["assumptions"], store["block"]))
            kernels = self.kernels("--launches-from=l.json")
            shape, = kernels["rows"]["launches"]
            self.assertEqual(
                (LAUNCH_LINE, [64, 1, 1], [32, 1, 1], 0, "profile"),
                tuple(shape[m] for m in ("line", "grid", "block",
                                         "dynamic_shared_bytes", "source")))
            # Of the pointer nothing is known but its type.
            load, = [a for a in kernels["rows"]["accesses"]
                     if a["space"] == "global"]
            self.assertIn("'Out' is 256-byte aligned", load["assumptions"])
            # What the list does not name keeps its launch.
            other, = kernels["copy"]["launches"]
            self.assertEqual(([128, 1, 1], "launch"),
                             (other["block"], other["source"]))
        self.assertIn("the launches of rows are those of 'l.json'",
                      " ".join(self.err.split()))

    def test_a_profile_gives_the_blocks(self):
        os.mkdir(self.folder / "prof")
        self.write("prof/profile-1-0.json", json.dumps(profile(
            ("_Z4rowsPfi", [64, 1, 1], [96, 1, 1], 3),
            ("_ZN6thrust3forEv", [1, 1, 1], [256, 1, 1], 1))))
        self.write("prof/profile-1-1.json", json.dumps(profile(
            ("_Z4rowsPfi", [64, 1, 1], [96, 1, 1], 3))))
        for name in ("prof", "prof/profile-1-0.json"):
            rows = self.kernels(f"--launches-from={name}")["rows"]
            shape, = rows["launches"]
            self.assertEqual((LAUNCH_LINE, [96, 1, 1], "profile"),
                             (shape["line"], shape["block"], shape["source"]))
            # It does not know the pitch.
            self.assertEqual({"shared": "unknown", "global": "assumed"},
                             {a["space"]: a["certainty"]
                              for a in rows["accesses"]})
            self.assertNotIn("warning", self.err)

    def test_findings_are_of_those_launches(self):
        self.list(launch(block=48, arguments=[None, 2]))
        self.lint("--launches-from=l.json", "-v", "a.cu")
        self.assertIn(f"a.cu:{LAUNCH_LINE}:", self.out)
        self.assertIn("block of 48 threads", self.out)
        self.assertIn("2-way bank conflict", self.out)
        self.lint("-v", "a.cu")
        self.assertNotIn("2-way bank conflict", self.out)

    def test_the_command_line_has_the_last_word(self):
        self.list(launch(arguments=[None, 2]))
        rows = self.kernels("--launches-from=l.json",
                            "--launch=rows=?,64")["rows"]
        shape, = rows["launches"]
        self.assertEqual(([64, 1, 1], [64, 1, 1], "user"),
                         (shape["grid"], shape["block"], shape["source"]))

    def test_occupancy(self):
        self.list(launch(block=[32, 8]))
        self.assert_code(0, self.run_program(
            "occupancy", "--launches-from", "l.json", "--gpu=h200",
            "--registers=16", "--format=json", "a.cu", "--", *MOCK))
        of = {each["input"]["kernel"]: each["input"]["block"]
              for each in json.loads(self.out)}
        self.assertEqual([32, 8, 1], of["_Z4rowsPfi"])

    def test_instantiations_of_a_template(self):
        self.write("a.cu", """template <int Pitch>
__global__ void rows(float *Out) {
  __shared__ volatile float S[2048]; // kept though nobody reads it
  S[threadIdx.x * Pitch] = Out[threadIdx.x];
}
void run(float *P, int N) { rows<2><<<1, N>>>(P); rows<33><<<1, N>>>(P); }
""")
        self.list(launch())
        unit, = self.report("--launches-from=l.json", "a.cu")["units"]
        self.assertEqual({2.0, 1.0},
                         {a["per_request"] for k in unit["kernels"]
                          for a in k["accesses"] if a["space"] == "shared"})
        self.assertIn("'rows' in 'l.json' is taken for each of the 2 "
                      "instantiations", " ".join(self.err.split()))

    def test_very_many_launches_are_limited(self):
        self.list(*[launch(block=32 * (1 + i % 32), arguments=[None, i])
                    for i in range(2000)])
        rows = self.kernels("--launches-from=l.json")["rows"]
        self.assertEqual(16, len(rows["launches"]))
        note, = self.unit["notes"]
        self.assertIn("'l.json' has more than 1024 different launches of this "
                      "kernel: the 16 most frequent are judged, and its "
                      "accesses are evaluated for no more than 8",
                      note["message"])

    def test_another_program(self):
        self.write("l.json", json.dumps(profile(
            ("_Z5otherv", [64, 1, 1], [96, 1, 1], 3))))
        rows = self.kernels("--launches-from=l.json")["rows"]
        self.assertEqual("launch", rows["launches"][0]["source"])
        words = " ".join(self.err.split())
        self.assertIn("warning: 'l.json' holds no launch of any kernel in the "
                      "files: they keep those of the source", words)
        self.assertIn("names kernel '_Z5otherv', which is in none of the files",
                      words)
        # One kernel of a list is misspelt.
        self.list(launch(), launch("rowz"))
        self.kernels("--launches-from=l.json")
        self.assertIn("names kernel 'rowz', which is in none of the files; did "
                      "you mean rows?", " ".join(self.err.split()))

    def test_a_list_is_never_replaced(self):
        self.list(launch())
        self.assert_code(2, self.lint("--launches-from=l.json", "-ol.json",
                                      "a.cu"))
        self.assert_refused("cannot write 'l.json': it is an input")


class Refused(Launches):
    def test_what_is_no_list(self):
        whole = json.dumps(profile(("_Z4rowsPfi", [1, 1, 1], [32, 1, 1], 1)))
        for text, fragment in (
                (whole[:-20], "is not JSON"), ("", "is empty"),
                ("{}", "/schema: is missing"), ("\0", "is not JSON"),
                ('{"schema": "cuda-lint/1"}', "/schema: is 'cuda-lint/1'"),
                ("[" * 1000000, "is nested deeper than 32 levels"),
                ('[{"kernel": "rows", "block": 1, "block": 2}]',
                 "/0: has the key 'block' twice")):
            self.write("l.json", text)
            self.assert_bad("'l.json': ", fragment)

    def test_launches_that_no_gpu_runs(self):
        for members, fragment in (
                ({"block": 1025}, "/0/block: is 1025"),
                ({"block": [32, 64]}, "/0/block: has 2048 threads"),
                ({"block": -1}, "/0/block: is -1"),
                ({"block": "32"}, "/0/block: is not a whole number"),
                ({"grid": 2 ** 31}, "/0/grid: is 2147483648"),
                ({"grid": [1, -5]}, "/0/grid/1: is -5"),
                ({"grid": 10 ** 30}, "/0/grid: is not a whole number"),
                ({"dynamic_shared_bytes": 2 ** 40}, "/0/dynamic_shared_bytes"),
                ({"threads": 32}, "/0: has 'threads'")):
            self.list(launch(**members))
            self.assert_bad("'l.json': ", fragment)

    def test_arguments_that_the_kernel_does_not_take(self):
        for arguments, fragment in (
                ([None, 1, 2], "/0/arguments: has 3 items, and 'rows(float *, "
                               "int)' takes 2"),
                ([4096], "/0/arguments/0: is a number, and the parameter is "
                         "'float *'; write null"),
                ([None, 0.5], "/0/arguments/1: is not written as a whole"),
                ([None, 2 ** 31], "/0/arguments/1: is 2147483648, and the "
                                  "parameter is 'int'"),
                ([None, "2"], "/0/arguments/1: is no number"),
                ({"Pitch": 2}, "/0/arguments: is not an array")):
            self.list(launch(arguments=arguments))
            self.assert_bad("'l.json': ", fragment)

    def test_a_name_of_several_kernels(self):
        self.write("a.cu", "__global__ void rows(int *P) { *P = 0; }\n"
                           "__global__ void rows(float *P) { *P = 0; }\n")
        self.list(launch())
        self.assert_bad("/0/kernel: 'rows' may be 'rows(int *)', "
                        "'rows(float *)'; write the signature")
        self.list(launch("rows(float*)"))
        unit, = self.report("--launches-from=l.json", "a.cu")["units"]
        self.assertEqual({"rows(int *)": "assumed", "rows(float *)": "profile"},
                         {k["signature"]: k["launches"][0]["source"]
                          for k in unit["kernels"]})

    def test_what_is_no_file(self):
        os.mkfifo(self.folder / "pipe")
        os.mkdir(self.folder / "empty")
        with open(self.folder / "huge.json", "wb") as file:
            file.truncate(1 << 30)
        for name, fragment in (
                ("none.json", "cannot read 'none.json': No such file"),
                ("pipe", "it is not a regular file"),
                ("/dev/zero", "it is not a regular file"),
                ("empty", "the folder 'empty' holds no profile"),
                ("huge.json", "it has 1073741824 bytes, the most that is read "
                              "is 268435456")):
            self.assert_bad(fragment, name=name)
        self.assert_code(2, self.lint("--launches-from=", "a.cu"))
        self.assert_refused("--launches-from")

    def test_a_million_launches(self):
        one = json.dumps(launch(arguments=[None, 2]))
        several = ",".join(json.dumps(launch(grid=i, arguments=[None, 2]))
                           for i in range(1, 1001))
        for text in (",".join([one] * 1000000), ",".join([several] * 1000)):
            self.write("l.json", f"[{text}]")
            # Some 2 seconds. What compares each with each does not end, and
            # CTest ends it.
            self.assertEqual(2.0, self.store(
                "--launches-from=l.json", "--ptxas=off")["per_request"])


class Schema(Launches):
    """docs/cuda-lint-launches-1.schema.json and the reader agree."""

    @classmethod
    def setUpClass(cls):
        if not tools.can_validate():
            raise unittest.SkipTest(tools.NO_VALIDATOR)

    def is_valid(self, value):
        text = json.dumps(value)
        self.write("l.json", text)
        done = tools.validate("cuda-lint-launches-1.schema.json", text)
        self.assertLess(done.returncode, 2, done.stderr)
        return done.returncode == 0

    def test_both_take_it(self):
        for value in (
                [], [launch()], [launch(grid=None)], [launch(block=[8, 8, 8])],
                [launch(arguments=[None, 2], count=7)],
                [launch(arguments=[]), launch(dynamic_shared_bytes=None)],
                {"schema": "cuda-lint-launches/1", "launches": [launch()]}):
            self.assertTrue(self.is_valid(value), value)
            self.assert_code(0, self.lint("--launches-from=l.json",
                                          "--fail-on=never", "a.cu"))

    def test_neither_takes_it(self):
        for value in (
                7, [7], {}, {"schema": "cuda-lint-launches/1"},
                {"schema": "cuda-lint-launches/2", "launches": []},
                [{"kernel": "rows"}], [{"block": 32}], [launch(" ")],
                [launch(block=0)], [launch(block=[1, 1, 65])],
                [launch(grid=[1, 65536])], [launch(block=[])],
                [launch(block=[1, 1, 1, 1])], [launch(blocks=1)],
                [launch(dynamic_shared_bytes=-1)],
                [launch(arguments=["2"])], [launch(count=-1)]):
            self.assertFalse(self.is_valid(value), value)
            self.assert_bad()

    def test_the_example_of_the_page(self):
        page = (ROOT / "docs/launches.md").read_text(encoding="utf-8")
        example = page.split("```json\n")[1].split("```")[0]
        self.assertTrue(self.is_valid(json.loads(example)))


if __name__ == "__main__":
    ctest.main()
