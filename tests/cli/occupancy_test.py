#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda-lint occupancy` with bare numbers, and how cuda-lint finds its parts.

A class is a CTest test. CUDA_LINT names the program.
"""

import csv
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

PROGRAM = os.environ["CUDA_LINT"]

# The launch that puzzled its author: 48 * 641 * 2 = 61536 registers are fewer
# than the 65536 of an SM, yet 29 blocks take two rounds on 28 SMs.
PUZZLE = ["--gpu=gtx-1080-ti", "--registers=48", "--shared=0", "--block=641",
          "--grid=29"]


class Program(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="cuda-lint-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def call(self, *arguments, program=PROGRAM, env=None, code=0, cwd=None):
        environment = {k: v for k, v in os.environ.items()
                       if k not in ("COLUMNS", "NO_COLOR", "LC_ALL",
                                    "LC_CTYPE", "LANG")}
        environment.update(env or {})
        result = subprocess.run([program, *arguments], capture_output=True,
                                cwd=cwd or self.folder, env=environment,
                                timeout=60)
        self.out = result.stdout.decode("utf-8")
        self.err = result.stderr.decode("utf-8")
        self.assertEqual(code, result.returncode, self.out + self.err)
        return self.out

    def occupancy(self, *arguments, **options):
        return self.call("occupancy", *arguments, **options)

    def answer(self, *arguments, **options):
        return json.loads(self.occupancy("--format=json", *arguments,
                                         **options))

    def refused(self, *arguments):
        """Exit code 2, and one line on standard error, which it returns."""
        self.occupancy(*arguments, code=2)
        self.assertEqual(self.out, "")
        self.assertEqual(1, len(self.err.splitlines()), self.err)
        self.assertTrue(self.err.startswith("cuda-lint: error: "), self.err)
        return self.err


class Answers(Program):
    def test_puzzle_of_the_registers(self):
        out = self.occupancy(*PUZZLE)
        self.assertIn("48 registers x 21 warps: 2 blocks need 42 warps of "
                      "registers, 40 fit\n", out)
        self.assertIn("at 640 threads, or at 40 registers (41 to 48 cost the "
                      "same), two fit", out)
        self.assertIn("each of the 4 partitions of an SM has 16384 of its own",
                      out)
        self.assertIn("2 rounds", out)

    def test_puzzle_of_the_shared_memory(self):
        arguments = ["--gpu=gtx-1080-ti", "--shared=36K", "--registers=20",
                     "--block=1"]
        out = self.occupancy(*arguments, "--grid=57")
        self.assertIn("3 blocks need 108 KB, an SM has 96 KB", out)
        self.assertIn("2 rounds, the last with 1 block", out)
        self.assertEqual(1, self.answer(*arguments, "--grid=56")["rounds"])

    def test_one_thread_too_many(self):
        out = self.occupancy("--gpu=gtx-1080-ti", "--registers=16",
                             "--block=673", "--grid=57")
        self.assertIn("at 672 threads three fit (63 of 64 warps instead of "
                      "44)", out)
        self.assertIn("at 672 threads the 58 blocks of as many threads in all "
                      "take 1 round instead of 2", out)

    def test_what_gains_little_is_not_named(self):
        # At 704 threads one block is 22 warps, instead of 21: 5 %.
        out = self.occupancy(*PUZZLE)
        self.assertNotIn("704 threads", out)
        self.assertIn("640 threads", out)
        # Blocks of 3 warps: 21 are 63 of 64 warps, and 1 thread less gains one.
        out = self.occupancy("--gpu=h200", "--registers=16", "--block=96")
        self.assertNotIn("gain", out)
        # JSON has all steps.
        steps = [step["value"] for step in self.answer(*PUZZLE)["next"]]
        self.assertIn(704, steps)

    def test_a_grid_that_fits_at_once_gains_nothing(self):
        # 48 of 64 warps; 6 blocks x 132 SMs are 792 places.
        arguments = ["--gpu=h200", "--registers=40", "--block=256"]
        out = self.occupancy(*arguments, "--grid=792")
        self.assertIn("gain  none by more blocks on an SM", out)
        self.assertNotIn("32 registers", out)
        out = self.occupancy(*arguments, "--grid=793")
        self.assertIn("at 32 registers", out)
        self.assertNotIn("gain  none", out)

    def test_one_gain_that_is_the_largest(self):
        # 168 registers x 4 warps: 2 blocks. At 160 registers 3 fit (12 warps);
        # smaller blocks gain as well, but less.
        out = self.occupancy("--gpu=h200", "--registers=40", "--block=1024",
                             "--grid=100000")
        lines = [line for line in out.splitlines()
                 if line.startswith("gain")]
        self.assertEqual(2, len(lines), out)
        self.assertIn("32 registers", lines[0])
        self.assertIn("rounds instead of", lines[1])

    def test_architecture_with_sms_is_as_the_product(self):
        by_product = self.answer(*PUZZLE)
        by_number = self.answer("--gpu=sm_61", "--sms=28", *PUZZLE[1:])
        for name in ("blocks_per_sm", "limits", "waves", "rounds", "next"):
            self.assertEqual(by_product[name], by_number[name])

    def test_a_launch_that_fails_is_an_answer(self):
        out = self.occupancy("--gpu=h200", "--registers=80", "--block=1024",
                             code=1)
        self.assertIn("error 701 (cudaErrorLaunchOutOfResources)", out)
        self.assertIn("at most 64 registers", out)
        for gpu, most in (("h200", 1024), ("sm_13", 512)):
            out = self.occupancy(f"--gpu={gpu}", f"--block={most + 1}", code=1)
            self.assertIn(f"more than the {most} that a block can have", out)
        out = self.occupancy("--gpu=h200", "--block=32", "--dynamic-shared=1M",
                             code=1)
        self.assertIn("1024 KB of shared memory are more than the 227 KB", out)
        out = self.occupancy("--gpu=h200", "--block=1x1x65", code=1)
        self.assertIn("65 threads in z, h200 allows 64", out)

    def test_more_registers_than_a_thread_can_have(self):
        # CUDA programming guide, technical specifications: 63 on 2.x and 3.0,
        # 255 from 3.2 on.
        for gpu, most in (("sm_20", 63), ("sm_61", 255), ("h200", 255),
                          ("sm_120", 255)):
            self.assertGreater(self.answer(
                f"--gpu={gpu}", f"--registers={most}",
                "--block=32")["blocks_per_sm"], 0)
            for more in (1, 2, 1000):
                out = self.occupancy(f"--gpu={gpu}", "--block=32",
                                     f"--registers={most + more}", code=1)
                self.assertIn(f"has {most + more} registers a thread: {most} "
                              "are the most", " ".join(out.split()))

    def test_too_few_warps_are_explained(self):
        # One thread of a chip with 14 SMs, 32 lanes, and 22 warps to cover a
        # latency of 22 cycles at two issues in two cycles: 14 * 32 * 22.
        out = self.occupancy("--gpu=tesla-s2050", "--registers=20",
                             "--block=1", "--grid=1")
        self.assertIn("1 warp on an SM, but 22 are needed", out)
        self.assertIn("all in all up to 9856 times", out)
        # 64 warps cover the latency everywhere.
        out = self.occupancy("--gpu=h200", "--registers=32", "--block=256",
                             "--grid=132000")
        self.assertNotIn("idle", out)

    def test_more_shared_memory_than_by_default(self):
        words = "cudaFuncAttributeMaxDynamicSharedMemorySize, 65536)"
        arguments = ["--block=256", "--registers=32"]
        self.assertIn(words, self.occupancy("--gpu=h200", *arguments,
                                            "--dynamic-shared=64K"))
        self.assertNotIn("cudaFunc", self.occupancy(
            "--gpu=h200", *arguments, "--dynamic-shared=48K"))
        answer = self.answer("--gpu=h200", *arguments, "--dynamic-shared=64K")
        self.assertIn(words, " ".join(r["text"] for r in answer["remarks"]))

    def test_a_model_of_absurd_proportions(self):
        out = self.occupancy("--gpu=h200", "--registers=32", "--sweep=block",
                             "--grid=1000", "--elements=1000000",
                             "--model=1e9,1e-3")
        self.assertIn("too few to keep it busy", out)
        self.assertNotIn("1000000000000", out)

    def test_unknown_registers_are_told(self):
        self.assertIn("the registers are not known",
                      self.occupancy("--gpu=h200", "--block=256"))

    def test_rounds_of_an_architecture_are_not_known(self):
        out = self.occupancy("--gpu=sm_90", "--block=256", "--grid=99")
        self.assertIn("the rounds are not known: 'sm_90' is an architecture",
                      out)

    def test_barriers_that_limit_nothing(self):
        # cuda_occupancy.h limits by barriers from 9.0 on.
        arguments = ["--block=288", "--registers=32"]
        note = "the barriers change nothing: on 'sm_86'"
        self.assertIn(note, " ".join(self.occupancy(
            "--gpu=sm_86", "--barriers=3", *arguments).split()))
        self.assertNotIn("barriers change", self.occupancy(
            "--gpu=sm_86", "--barriers=0", *arguments))
        out = self.occupancy("--gpu=h200", "--barriers=3", *arguments)
        self.assertNotIn("barriers change", out)
        # 64 of them, by threes.
        self.assertRegex(out, r"\n  barriers +21 +3\n")

    def test_several_gpus(self):
        out = self.occupancy("--gpu=h200", "--gpu=t4", "--block=256")
        self.assertIn("h200: compute capability 9.0", out)
        self.assertIn("t4: compute capability 7.5", out)


class Formats(Program):
    def test_json(self):
        answer = self.answer(*PUZZLE)
        self.assertEqual(1, answer["blocks_per_sm"])
        self.assertEqual(21, answer["warps_per_sm"])
        self.assertEqual(21 / 64, answer["ratio"])
        self.assertEqual("registers", answer["limiter"])
        self.assertEqual({"warps": 3, "blocks": 32, "registers": 1,
                          "shared": None, "barriers": None}, answer["limits"])
        self.assertAlmostEqual(29 / 28, answer["waves"])
        self.assertEqual(2, answer["rounds"])
        self.assertAlmostEqual(27 / 56, answer["tail_waste"])
        steps = {(step["quantity"], step["value"]): step["blocks_per_sm"]
                 for step in answer["next"]}
        self.assertEqual(2, steps["registers", 40])
        self.assertEqual(2, steps["block", 640])
        self.assertEqual([641, 1, 1], answer["input"]["block"])
        self.assertEqual({"name": "gtx-1080-ti", "compute_capability": "6.1",
                          "sms": 28}, answer["target"])
        self.assertIsNone(answer["failure"])

    def test_json_of_what_is_not_known_is_null(self):
        answer = self.answer("--gpu=sm_90", "--block=256")
        for name in ("waves", "rounds", "tail_waste", "failure"):
            self.assertIsNone(answer[name], name)
        self.assertIsNone(answer["limits"]["registers"])
        self.assertIsNone(answer["input"]["registers"])
        self.assertIsNone(answer["target"]["sms"])

    def test_json_without_registers_guesses_nothing(self):
        # Blocks of 8 warps: 8 by the warps, 1 with 255 registers.
        answer = self.answer("--gpu=h200", "--block=256", "--grid=2112")
        for name in ("blocks_per_sm", "warps_per_sm", "ratio", "limiter",
                     "waves", "rounds", "tail_waste", "unused"):
            self.assertIsNone(answer[name], name)
        self.assertEqual([], answer["next"])
        self.assertEqual(8, answer["limits"]["warps"])
        self.assertIn("the registers are not known",
                      answer["remarks"][0]["text"])
        row, = csv.DictReader(io.StringIO(self.occupancy(
            "--gpu=h200", "--block=256", "--grid=2112", "--format=csv")))
        self.assertEqual(("", "", "", "8"), tuple(row[name] for name in (
            "blocks_per_sm", "warps_per_sm", "waves", "limit_warps")))
        # One warp with all registers that there are: 8 fit a partition, and 32
        # an SM, as many as it holds blocks; 36 KB fit six times.
        answer = self.answer("--gpu=h200", "--block=32", "--shared=36K")
        self.assertEqual(6, answer["blocks_per_sm"])
        self.assertEqual("shared", answer["limiter"])
        sweep = self.answer("--gpu=h200", "--sweep=block")["sweep"]["rows"]
        self.assertEqual({None}, {row["blocks_per_sm"] for row in sweep[1:]})

    def test_text_without_registers_guesses_nothing(self):
        out = self.occupancy("--gpu=h200", "--block=256", "--grid=2112")
        self.assertRegex(out, r"blocks per SM +at most 8\n")
        self.assertRegex(out, r"warps per SM +at most 64 of 64")
        self.assertRegex(out, r"limited by +not known\n")
        for word in ("waves", "rounds", "gain", "why", "*"):
            self.assertNotIn(word, out)
        out = self.occupancy("--gpu=h200", "--sweep=block")
        self.assertRegex(out, r"\n225-256 +<=8 +<=64 +<=100.0 % +-( +-)+\n")
        self.assertIn("warps per SM, at most\n", out)
        self.assertNotIn("cliff\n", out)
        self.assertIn("the registers are not known", out)

    def test_json_of_a_failure(self):
        answer = self.answer("--gpu=h200", "--registers=80", "--block=1024",
                             "--grid=9", code=1)
        self.assertIn("701", answer["failure"])
        self.assertEqual(0, answer["blocks_per_sm"])
        self.assertIsNone(answer["limiter"])
        self.assertIsNone(answer["rounds"])

    def test_json_of_several_gpus_is_an_array(self):
        answers = self.answer("--gpu=h200", "--gpu=t4", "--block=256")
        self.assertEqual(["h200", "t4"],
                         [each["target"]["name"] for each in answers])

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(
            self.occupancy("--format=csv", *PUZZLE))))
        self.assertEqual(1, len(rows))
        self.assertEqual(("641", "48", "1", "registers", "2", ""),
                         tuple(rows[0][name] for name in (
                             "block", "registers", "blocks_per_sm", "limiter",
                             "rounds", "limit_barriers")))

    def test_csv_of_a_sweep(self):
        rows = list(csv.DictReader(io.StringIO(self.occupancy(
            "--format=csv", "--gpu=h200", "--block=256",
            "--sweep=registers"))))
        # 65536 registers for blocks of 8 warps: 8 blocks with 32 registers,
        # which are as many as the warps allow; 24 allow 10.
        self.assertEqual([("1", "24", "8", "0"), ("25", "32", "8", "1")],
                         [tuple(row[name] for name in (
                             "from", "to", "blocks_per_sm", "cliff"))
                          for row in rows[:2]])
        self.assertEqual("255", rows[-1]["to"])
        # Commas of a message are within its quotes.
        rows = list(csv.DictReader(io.StringIO(self.occupancy(
            "--format=csv", "--gpu=sm_86", "--block=288",
            "--sweep=registers"))))
        self.assertIn(", or at most 256 threads", rows[-1]["failure"])
        self.assertTrue(all(None not in row and None not in row.values()
                            for row in rows), rows)

    def test_output_file(self):
        self.occupancy("--output=x.json", "--format=json", *PUZZLE)
        self.assertEqual("", self.out)
        text = (self.folder / "x.json").read_text(encoding="utf-8")
        self.assertEqual(1, json.loads(text)["blocks_per_sm"])

    def test_colour_only_where_asked_for(self):
        self.assertNotIn("\x1b", self.occupancy(*PUZZLE))
        self.assertIn("\x1b", self.occupancy("--color=always", *PUZZLE))
        self.assertNotIn("\x1b", self.occupancy("--color=never", *PUZZLE))

    def test_width(self):
        out = self.occupancy(*PUZZLE, env={"COLUMNS": "60"})
        self.assertLessEqual(max(map(len, out.splitlines())), 60)


class Pages(Program):
    """What the pages show is what the program prints."""

    ROOT = Path(__file__).resolve().parents[2]

    def test_examples(self):
        examples = []
        for page in ("README.md", "docs/occupancy.md"):
            text = (self.ROOT / page).read_text(encoding="utf-8")
            examples += re.findall(r"```\n\$ cuda-lint occupancy (.*?)```",
                                   text.replace("\\\n", " "), re.DOTALL)
        self.assertEqual(4, len(examples))
        for example in examples:
            command, shown = example.split("\n", 1)
            arguments = command.split(" | tail ")[0].split()
            printed = []
            for columns in ("80", "0"):
                self.occupancy(*arguments, cwd=self.ROOT, env={
                    "LC_ALL": "C.UTF-8", "COLUMNS": columns})
                printed.append("\n".join(line.rstrip() for line
                                         in self.out.splitlines()))
            # What is left out is `...`; a shown line may have lost its end.
            shown = "\n".join(line.rstrip() for line in shown.splitlines()
                              if line != "...")
            self.assertTrue(any(shown in text for text in printed),
                            f"{shown}\nis not in\n{printed[0]}")


class Plots(Program):
    SWEEP = ["--gpu=gtx-1080-ti", "--block=641", "--registers=48",
             "--sweep=registers"]

    def test_table_marks_the_cliffs(self):
        rows = [line for line in self.occupancy(*self.SWEEP).splitlines()
                if "cliff" in line and line[0].isdigit()]
        self.assertEqual(["25-32", "33-40", "41-80"],
                         [row.split()[0] for row in rows])
        self.assertTrue(rows[2].endswith("| cliff, yours"), rows)

    def test_a_row_names_what_limits_all_of_it(self):
        # Of three blocks of 21 warps, the registers are a limit from 25 on: 24
        # are 768 a warp, of which 4 x 21 fit, enough for four.
        rows = [line.split("  ") for line
                in self.occupancy(*self.SWEEP).splitlines()]
        limits = {row[0]: [cell.strip() for cell in row if cell]
                  for row in rows}
        self.assertEqual("warps", limits["1-24"][4])
        self.assertEqual("warps, registers", limits["25-32"][4])

    def test_the_caret_stands_at_the_value(self):
        # 64 columns for 255 registers: the one of 48 holds 47.8 to 51.8.
        out = self.occupancy(*self.SWEEP).splitlines()
        caret, = [line for line in out if line.strip() == "^"]
        self.assertEqual(8 + math.ceil(48 * 64 / 255) - 1, caret.index("^"))
        # The same for other values of its row, 41 to 80.
        for value in (41, 64, 80):
            out = self.occupancy(*self.SWEEP[:2], f"--registers={value}",
                                 "--sweep=registers").splitlines()
            caret, = [line for line in out if line.strip() == "^"]
            self.assertEqual(8 + math.ceil(value * 64 / 255) - 1,
                             caret.index("^"))

    def test_plot_fits_80_columns(self):
        for what in ("block", "registers", "shared"):
            for locale in ("C", "C.UTF-8"):
                out = self.occupancy(*self.SWEEP[:3], f"--sweep={what}",
                                     env={"LC_ALL": locale, "COLUMNS": "80"})
                plot = out[out.index("warps per SM"):]
                self.assertLessEqual(max(map(len, plot.splitlines())), 80)
                self.assertEqual(locale == "C", out.isascii(), out)

    def test_tables_fit_80_columns(self):
        for what in ("block", "registers", "shared"):
            for extra in ([], ["--elements=1000000"]):
                if extra and what != "block":
                    continue
                for grid in ("264", "2640000"):
                    arguments = ["--gpu=h200", "--registers=32",
                                 "--block=256", "--shared=7K",
                                 f"--sweep={what}", f"--grid={grid}", *extra]
                    out = self.occupancy(*arguments, env={"COLUMNS": "80"})
                    table = out[:out.index("warps per SM")].splitlines()
                    self.assertLessEqual(max(map(len, table)), 80)
                    for name in (what, "warps", "limit"):
                        self.assertIn(name, table[2])
                    self.assertEqual(bool(extra), "time" in table[2])
                    # What is not shown is named.
                    for name in ("waves", "of most", "tail", "rounds"):
                        self.assertIn(name, "".join(table))
                    # Where nothing bounds the width, all is there.
                    wide = self.occupancy(*arguments).splitlines()
                    self.assertRegex(wide[2], "blocks.*warps.*of most.*limit"
                                              ".*waves.*rounds.*tail")

    def test_svg(self):
        for what in ("block", "registers", "shared"):
            self.occupancy(*self.SWEEP[:3], f"--sweep={what}",
                           "--output=plot.svg")
            root = ElementTree.parse(self.folder / "plot.svg").getroot()
            space = "{http://www.w3.org/2000/svg}"
            self.assertEqual(f"{space}svg", root.tag)
            text = [each.text for each in root.iter(f"{space}text")]
            self.assertIn("warps per SM", text)
            if what != "shared":
                value = {"block": 641, "registers": 48}[what]
                self.assertIn(f"yours: {value}", text)
            # All is within the picture.
            width = float(root.get("width"))
            height = float(root.get("height"))
            points = root.find(f"{space}polyline").get("points").split()
            self.assertGreaterEqual(len(points), 2)
            for point in points:
                x, y = map(float, point.split(","))
                self.assertTrue(0 <= x <= width and 0 <= y <= height, point)
            # With 48 registers only one block fits, whatever it shares.
            cliffs = root.findall(f"{space}circle")
            self.assertEqual(what == "shared", len(cliffs) == 0)

    def test_the_ending_of_a_plot_may_be_of_any_case(self):
        for name in ("a.SVG", "b.Svg"):
            self.occupancy(*self.SWEEP, f"--output={name}")
            self.assertIn("<svg ", (self.folder / name).read_text("utf-8"))

    def test_svg_marks_the_cliffs_of_the_table(self):
        self.occupancy(*self.SWEEP, "--output=plot.svg")
        root = ElementTree.parse(self.folder / "plot.svg").getroot()
        titles = [each[0].text for each
                  in root.iter("{http://www.w3.org/2000/svg}circle")]
        self.assertEqual(["32: 63 of 64 warps", "40: 42 of 64 warps",
                          "80: 21 of 64 warps"], titles)

    def test_times_of_a_sweep(self):
        out = self.occupancy("--gpu=h200", "--registers=32", "--sweep=block",
                             "--elements=16777216", "--grid=264")
        self.assertIn("time", out.splitlines()[2])
        self.assertIn("1.00", out)

    def test_each_time_is_of_one_block_size(self):
        # With 1 to 32 threads a warp takes the same time for each step, and
        # the fewer threads, the more steps: no row is of several sizes.
        arguments = ["--gpu=h200", "--registers=32", "--sweep=block",
                     "--elements=16777216"]
        for more in ([], ["--block=100"], ["--grid=264", "--block=100"]):
            rows = self.answer(*arguments, *more)["sweep"]["rows"]
            self.assertEqual([row["to"] for row in rows],
                             [row["from"] for row in rows])
            self.assertEqual([100] if more else [], [
                row["to"] for row in rows if row["yours"]])
        # What fails does so together: 80 registers are too many from 769 on.
        rows = self.answer("--gpu=h200", "--registers=80", "--sweep=block",
                           "--elements=1000")["sweep"]["rows"]
        self.assertEqual((769, 1024), (rows[-1]["from"], rows[-1]["to"]))

    def test_times_are_numbers(self):
        for model in ("1e15,1e-12,1e15,1e15", "1e-12,1e-12", "1e15,1e15"):
            for work in (1, 2**53):
                arguments = ["--gpu=h200", "--registers=32", "--grid=264",
                             f"--elements={work}", f"--model={model}"]
                for what in ("--sweep=block", "--rank"):
                    for form in ("text", "json", "csv"):
                        out = self.occupancy(*arguments, what,
                                             f"--format={form}")
                        self.assertNotRegex(out, r"\b(nan|inf)\b")

    def test_rank(self):
        out = self.occupancy("--gpu=tesla-s2050", "--registers=20", "--rank",
                             "--elements=16777216", "--model=11,0.5")
        first = out.splitlines()[3].split()
        self.assertEqual(["1", "1.000"], [first[0], first[3]])
        self.assertIn("a step of a warp takes 11, 0.5 of it to issue", out)
        # 7 blocks of 9 warps fit, but 264 are 2 for each of 132 SMs; 131 are 1.
        for grid, warps in (("131", "9"), ("264", "18"), ("265", "27"),
                            ("9999", "63")):
            out = self.occupancy("--gpu=h200", "--registers=32", "--rank",
                                 "--elements=1000000", "--block=288",
                                 f"--grid={grid}")
            self.assertEqual(["rank", "grid", "block", "time", "warps"],
                             out.splitlines()[2].split()[:5])
            self.assertEqual(warps, out.splitlines()[3].split()[4])


class Fits(Program):
    """A model from measured launches: --fit."""

    MEASURED = Path(__file__).resolve().parents[1] / "unit/hardware"

    def fit(self, gpu, file, *arguments, **options):
        return self.occupancy(*gpu, "--elements=16777216",
                              f"--fit={self.MEASURED / file}", "--rank",
                              *arguments, **options)

    def test_gain_that_its_author_could_not_explain(self):
        # 2310 ms with one thread, 0.99 ms with 16 blocks of 256.
        out = self.fit(["--gpu=8800-gt", "--sms=16"], "pi_8800gt.csv")
        self.assertIn("fitted to 13 launches", out)
        self.assertIn("the fastest is 2323 times as fast as the slowest", out)
        waits = float(out.split("alone a warp waits ")[1].split()[0])
        warps = float(out.split(" % of the time, ")[1].split()[0])
        # NVIDIA's guide says 6 warps, of which 5 wait.
        self.assertAlmostEqual(100 * 5 / 6, waits, delta=2)
        self.assertAlmostEqual(6, warps, delta=0.6)

    def test_the_measurements_are_never_replaced(self):
        # A copy: a program that fails this must not ruin the original.
        measured = self.folder / "measured.csv"
        measured.write_bytes((self.MEASURED / "pi_s2050.csv").read_bytes())
        before = measured.read_bytes()
        message = self.refused(
            "--gpu=tesla-s2050", "--elements=16777216", "--rank",
            f"--fit={measured}", f"--output={measured}")
        self.assertIn("it is an input", message)
        self.assertEqual(before, measured.read_bytes())

    def test_s2050(self):
        out = self.fit(["--gpu=tesla-s2050"], "pi_s2050.csv")
        self.assertIn("fitted to 96 launches", out)
        error = float(out.split("median error of ")[1].split()[0])
        self.assertLess(error, 6)

    def test_the_first_line_is_data_if_it_begins_with_a_number(self):
        data = "1,32,64\n2,32,33\n4,32,17\n8,32,9\n16,32,5\n"
        arguments = ["--gpu=h200", "--elements=1000000", "--rank",
                     "--fit=a.csv"]
        path = self.folder / "a.csv"
        for head in ("", "blocks,threads,ms\n", "blocks, threads, 1, 2\r\n",
                     "\ufeff", "\ufeffblocks,threads,ms\n"):
            path.write_text(head + data, encoding="utf-8", newline="")
            self.assertIn("fitted to 5 launches", " ".join(
                self.occupancy(*arguments).split()))
        for line in ("1,1,-5", "1,32,many", "1,32", "-1,32,5", "nan,1,1",
                     "1e999,1,1"):
            path.write_text(f"{line}\n{data}", encoding="utf-8")
            self.assertIn("line 1: is not blocks,threads,time",
                          self.refused(*arguments))

    def test_bad_files(self):
        arguments = ["--gpu=h200", "--elements=1000", "--rank"]
        for text, fragment in (
                ("", "holds 0 launches"),
                ("1,32,5\n", "holds 1 launch of 1 shape"),
                ("1,32,5\n1,many,5\n", "line 2: is not blocks,threads,time"),
                ("blocks,threads,time\n1,32\n", "line 2"),
                ("1,32,5\n1,32,-5\n", "line 2"),
                ("1,32,5\n1,32,nan\n", "line 2"),
                ("1,1,-5\n2,2,4\n", "line 1"),
                ("1,32,1\n" * 4, "holds 4 launches of 1 shape, and"),
                ("1,32,1\n2,64,1\n4,32,1\n8,64,1\n", "a step has no time"),
                ("1,1,1e308\n2,2,5e-300\n", "line 1: a time is from 1e-12"),
                ("1,1,2\n2,2,5e-300\n", "line 2: a time is from 1e-12"),
                ("1,1,1e10\n2,2,5\n4,4,2\n8,8,1\n", "the same unit?"),
                ("1,32,5\n1,2048,5\n", "line 2: the launch fails"),
                ("1,32,5\n1.5,32,5\n", "line 2: blocks and threads are whole"),
                ("1,32,5\n" + "x" * 2000000, "larger than 1 MB")):
            (self.folder / "bad.csv").write_text(text, encoding="utf-8")
            message = self.refused(*arguments, "--fit=bad.csv")
            self.assertIn(f"--fit: 'bad.csv'", message)
            self.assertIn(fragment, message)
        self.assertIn("cannot be read", self.refused(*arguments,
                                                     "--fit=missing.csv"))
        self.assertIn("cannot be read", self.refused(*arguments, "--fit=."))
        self.assertIn("leave --model out",
                      self.refused(*arguments, "--fit=a.csv", "--model=2,1"))


class BadInput(Program):
    def test_numbers(self):
        for value in ("0", "-1", "1e99", "12abc", "", "99999999999999999999"):
            message = self.refused("--gpu=h200", f"--block={value}")
            self.assertIn("--block", message)
        for option in ("--registers", "--shared", "--dynamic-shared",
                       "--barriers", "--carve-out", "--grid"):
            for value in ("-1", "1e99", "12abc", "99999999999999999999"):
                message = self.refused("--block=32", f"{option}={value}")
                self.assertIn(option, message)

    def test_an_empty_value(self):
        for option in ("--gpu", "--registers", "--fit", "--output", "--sms"):
            self.assertIn(f"{option} has an empty value",
                          self.refused(f"{option}=", "--block=32"))

    def test_unknown_gpu(self):
        message = self.refused("--gpu=gtx-1080-tj", "--block=32")
        self.assertIn("did you mean gtx-1080-ti", message)
        self.assertIn("sm_90", self.refused("--gpu=sm_91", "--block=32"))

    def test_sms_without_meaning(self):
        self.assertIn("without --grid", self.refused("--sms=28", "--block=32"))
        self.assertIn("several", self.refused("--sms=28", "--gpu=t4",
                                              "--gpu=h200", "--block=32",
                                              "--grid=1"))

    def test_output_that_cannot_be_written(self):
        message = self.refused("--block=32", "--output=no/such/folder/x.txt")
        self.assertIn("cannot write 'no/such/folder/x.txt'", message)
        message = self.refused("--block=32", "--sweep=block", "--output=/x/y.svg")
        self.assertIn("cannot write", message)

    def test_svg_without_a_sweep(self):
        self.assertIn("--sweep", self.refused("--block=32", "--output=x.svg"))

    def test_full_device(self):
        if not os.path.exists("/dev/full"):
            self.fail("this system has no /dev/full")
        message = self.refused("--block=32", "--output=/dev/full")
        self.assertIn("no space left", message)


class Commands(Program):
    """The parts beside the program."""

    def copy(self, *beside):
        """The program alone in a folder, with fakes of its parts."""
        folder = self.folder / "bin"
        folder.mkdir()
        program = folder / "cuda-lint"
        shutil.copy(PROGRAM, program)
        for name in beside:
            fake = folder / name
            fake.write_text('#!/bin/sh\necho "$(basename "$0")"\n'
                            'printf "%s\\n" "$@"\nexit 7\n',
                            encoding="utf-8")
            fake.chmod(0o755)
        return program

    def test_help_of_occupancy(self):
        self.assertIn("--carve-out PCT", self.occupancy("--help"))

    def test_version(self):
        self.assertRegex(self.call("--version"), r"^cuda-lint \d+\.\d+\.\d+\n")

    def test_version_of_a_part(self):
        """What needs no LLVM may be all that is installed."""
        self.assertRegex(
            self.call("--version", program=self.copy()),
            r"^cuda-lint \d+\.\d+\.\d+\nwhat reads source files is not "
            r"installed: cuda-lint-check\n$")

    def test_gpus_that_are_listed_are_known(self):
        lines = self.call("list-gpus").splitlines()
        names = [line.split()[0] for line in lines]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.call("occupancy", f"--gpu={name}", "--block=64",
                      "--registers=32")
        # Of NVIDIA's data sheet: 132 SMs.
        self.assertRegex("\n".join(lines), r"(?m)^h200 +sm_90, 132 SMs$")
        self.assertIn("sm_90", names)
        self.call("list-gpus", "more", code=2)

    def test_files_go_to_the_check(self):
        program = self.copy("cuda-lint-check")
        self.assertEqual("cuda-lint-check\n--gpu=h200\na b.cu\n",
                         self.call("--gpu=h200", "a b.cu", program=program,
                                   code=7))
        self.assertEqual("cuda-lint-check\nlist-checks\n",
                         self.call("list-checks", program=program, code=7))
        self.assertEqual("cuda-lint-check\noccupancy\n--gpu=h200\na.cu\n",
                         self.call("occupancy", "--gpu=h200", "a.cu",
                                   program=program, code=7))

    def test_confirm_goes_to_its_program(self):
        program = self.copy("cuda-lint-confirm")
        self.assertEqual("cuda-lint-confirm\n--\n./app\n--help\n",
                         self.call("confirm", "--", "./app", "--help",
                                   program=program, code=7))

    def test_parts_are_found_through_a_link(self):
        program = self.copy("cuda-lint-check")
        link = self.folder / "linked"
        link.symlink_to(program)
        self.assertIn("cuda-lint-check", self.call("a.cu", program=link,
                                                   code=7))

    def test_parts_are_not_looked_for_elsewhere(self):
        """Neither on the PATH nor in the working folder."""
        program = self.copy()
        other = self.folder / "other"
        other.mkdir()
        fake = other / "cuda-lint-check"
        fake.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
        fake.chmod(0o755)
        self.call("a.cu", program=program, code=2, cwd=other,
                  env={"PATH": f"{other}:{os.environ['PATH']}"})

    def test_a_missing_part_is_named(self):
        program = self.copy()
        self.call("a.cu", program=program, code=2)
        self.assertIn(f"'{program}-check' is missing", self.err)
        self.call("confirm", "--", "./app", program=program, code=2)
        self.assertIn(f"'{program}-confirm' is missing", self.err)
        self.assertEqual(1, len(self.err.splitlines()))

    def test_a_part_that_cannot_run(self):
        program = self.copy("cuda-lint-check")
        (program.parent / "cuda-lint-check").write_bytes(b"\x7fELF?")
        self.call("a.cu", program=program, code=2)
        self.assertIn("cannot run", self.err)

    def test_bare_numbers_need_no_part(self):
        program = self.copy()
        self.assertIn("2 rounds", self.call("occupancy", *PUZZLE,
                                            program=program))

    def test_no_llvm_is_linked(self):
        if not shutil.which("readelf"):
            self.skipTest("no library is looked up: install binutils")
        done = subprocess.run(["readelf", "-d", PROGRAM], check=True,
                              capture_output=True, text=True)
        needed = [line for line in done.stdout.splitlines()
                  if "(NEEDED)" in line]
        self.assertGreater(len(needed), 1, done.stdout)
        for line in needed:
            self.assertNotRegex(line, r"(?i)llvm|clang|cupti|libcuda")


if __name__ == "__main__":
    ctest.main()
