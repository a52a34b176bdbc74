#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda-lint prove, without a GPU: the build that is run here is a script that
makes a script, and that leaves the profile which the probe would have left, with
the times that a test wants of the source as it was and as the fix made it.

A class is a CTest test. CUDA_LINT names the program.
"""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HARNESS = Path(__file__).resolve().parents[1] / "harness"
sys.path.insert(0, str(HARNESS))
import ctest
import tools

from cli_test import (FEW_HEADERS, MOCK, PROGRAM, WITH_MOCK, Cli,
                      WithToolkit)
from confirm_test import profile as profile_of
from fix_test import TILE

# What a build copies out of the source decides which of the two it is.
BUILD = """{script}import os, pathlib, sys
fixed = '32 + 1' in pathlib.Path('a.cu').read_text()
{extra}
app = pathlib.Path('app')
app.write_text({script!r} + 'FIXED = ' + repr(fixed) + '\\n'
               + pathlib.Path('program.py').read_text())
app.chmod(0o755)
"""
APP = """import json, os, pathlib, signal, sys, time
KIND = os.environ.get('CUDA_LINT_PROBE_COLLECT', 'counters')
RESULT = json.loads({result!r})
TIMES = {times!r}[FIXED]
mark = pathlib.Path(os.environ['COUNTER'] + str(FIXED) + KIND)
turn = int(mark.read_text()) if mark.exists() else 0
mark.write_text(str(turn + 1))
nanoseconds = TIMES[turn % len(TIMES)]
RESULT['launches'][0]['duration_ns'] = dict(
    min=nanoseconds, median=nanoseconds, max=nanoseconds, samples=[nanoseconds])
if KIND == 'time':
    RESULT.update(counters='none', lines=[], collect='time')
{body}
folder = os.environ['CUDA_LINT_PROBE_DIR']
pathlib.Path(folder, 'profile-1.json').write_text(json.dumps(RESULT))
"""
KERNEL = "_Z4turnPKfPf"


def profile():
    result = profile_of()
    result["lines"] = []
    result["kernels"][0].update(kernel=KERNEL, launches=1)
    result["launches"][0].update(kernel=KERNEL, count=1, block=[32, 32, 1],
                                 grid=[1024, 1, 1])
    return result


class Proofs(Cli):
    def setUp(self):
        super().setUp()
        self.tmp = Path(f"{self.folder}-tmp")
        self.tmp.mkdir()
        self.addCleanup(shutil.rmtree, self.tmp, ignore_errors=True)
        self.project = self.folder
        (self.project / ".git").mkdir()
        (self.project / ".git" / "config").write_text("secret")
        self.write("a.cu", TILE)
        self.write("probe.so", "")
        self.program()

    def program(self, before=(1000,), after=(500,), body="print(42)",
                build=""):
        self.write("program.py", APP.format(
            result=json.dumps(profile()), times=[list(before), list(after)],
            body=body))
        self.write("make", BUILD.format(script=tools.PYTHON_SCRIPT,
                                        extra=build))
        (self.folder / "make").chmod(0o755)

    def tree(self):
        return {str(p.relative_to(self.folder)):
                (os.readlink(p) if p.is_symlink() else
                 hashlib.sha256(p.read_bytes()).hexdigest()
                 if p.is_file() else "")
                for p in sorted(self.folder.rglob("*"))}

    def environment(self):
        self.counter = f"{self.folder}-counter-"
        return {"TMPDIR": str(self.tmp), "COUNTER": str(self.tmp.parent) +
                f"/{self.folder.name}-tmp-n"}

    def prove(self, *arguments, code=0, program=("./app",), build=("./make",),
              **options):
        """The report of a run that measures, as JSON."""
        before = self.tree()
        words = [WITH_MOCK, "--ptxas=off", "--format=json", "--probe=probe.so",
                 "--measure=on", *[f"--extra-arg={each}" for each in MOCK],
                 "a.cu", *arguments]
        if build:
            words += ["--build", *build]
        if program:
            words += ["--", *program]
        try:
            self.assert_code(code, self.run_program(
                "prove", *words, env=self.environment(), **options))
        finally:
            for each in self.tmp.parent.glob(f"{self.folder.name}-tmp-n*"):
                each.unlink()
        self.assertEqual(before, self.tree(), "the project was changed")
        self.assertEqual([], list(self.tmp.iterdir()), "something is left")
        return json.loads(self.out) if self.out.startswith("{") else None

    def fix(self, *arguments, **options):
        report = self.prove(*arguments, **options)
        self.assertEqual(1, len(report["fixes"]), report)
        return report["fixes"][0]


class Verdicts(Proofs):
    def test_pays(self):
        fix = self.fix()
        self.assertEqual("pays", fix["verdict"])
        self.assertEqual(("a.cu", "shared-bank-conflict", True, "equal"),
                         (fix["file"], fix["check"], fix["builds"],
                          fix["results"]))
        self.assertEqual(0.5, fix["times"]["ratio"]["median"])
        self.assertEqual(1000, fix["times"]["before"]["median_ns"])

    def test_costs_is_an_exit_code(self):
        self.program(after=(1100, 1101))
        fix = self.fix(code=1)
        self.assertEqual("costs", fix["verdict"])

    def test_neutral(self):
        self.program(after=(1001, 999))
        self.assertEqual("neutral", self.fix()["verdict"])

    def test_noise_is_inconclusive(self):
        self.program(after=(500, 1500))
        self.assertEqual("inconclusive", self.fix(code=3)["verdict"])

    def test_the_number_of_runs(self):
        self.assertEqual(12, self.prove("--runs=12")["runs"])

    def test_no_time_of_the_kernel(self):
        self.program(body="RESULT['launches'][0]['kernel'] = "
                          "RESULT['kernels'][0]['kernel'] = 'other'; print(1)")
        fix = self.fix(code=3)
        self.assertEqual("inconclusive", fix["verdict"])
        self.assertIn("none of its kernels ran", fix["why"])

    def test_a_run_without_a_time_leaves_no_pairs(self):
        # The third of those with the fix; what is behind it pays.
        self.program(body="if FIXED and turn == 2: RESULT['launches'][0]"
                          "['kernel'] = RESULT['kernels'][0]['kernel'] = 'x'\n"
                          "print(42)")
        fix = self.fix("--runs=12", code=3)
        self.assertEqual(("inconclusive", None), (fix["verdict"],
                                                  fix["times"]))

    def test_all_launches_are_counted(self):
        # Of a few, totals before and after would be of other launches.
        seen = Path(f"{self.folder}-seen")
        self.addCleanup(seen.unlink)
        self.program(body="if KIND == 'counters': pathlib.Path(%r).write_text("
                          "os.environ.get('CUDA_LINT_PROBE_LAUNCHES', ''))\n"
                          "print(42)" % str(seen))
        self.fix()
        self.assertEqual("all", seen.read_text())

    def test_people_get_a_table_of_80_columns(self):
        self.prove("--format=text")
        self.assertIn("verdict    pays: -50.0 % of time", self.out)
        self.assertIn("results    equal: exit code and output", self.out)
        self.assertRegex(self.out, r"\na\.cu:5 +pays +- +- +-50\.0 %\n")
        self.assertLessEqual(max(map(len, self.out.splitlines())), 80)

    def test_schema(self):
        self.prove()
        done = tools.validate("cuda-lint-prove-1.schema.json", self.out)
        self.assertIsNotNone(done, tools.NO_VALIDATOR)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)


class Results(Proofs):
    def test_other_output_breaks(self):
        self.program(body="print(41 + FIXED)")
        fix = self.fix(code=1)
        self.assertEqual(("breaks", "differ"),
                         (fix["verdict"], fix["results"]))

    def test_a_crash_breaks(self):
        self.program(body="print(42, flush=True)\n"
                          "if FIXED: sys.exit('misaligned \x07 address')")
        fix = self.fix(code=1)
        self.assertEqual("breaks", fix["verdict"])
        self.assertIn("exited with 1 with the fix", fix["why"])
        self.assertIn("misaligned <U+0007> address", fix["why"])

    def test_what_fails_without_the_fix_proves_nothing(self):
        self.program(body="sys.exit(7)")
        fix = self.fix(code=3)
        self.assertEqual(("inconclusive", "unknown"),
                         (fix["verdict"], fix["results"]))
        self.assertIn("exited with 7 without the fix", fix["why"])

    def test_output_that_is_never_the_same(self):
        self.program(body="print(time.time_ns())")
        fix = self.fix()
        self.assertEqual("unknown", fix["results"])
        self.assertIn("--compare-with", fix["why"])

    def test_a_program_compares(self):
        self.program(body="print(time.time_ns()); "
                          "pathlib.Path('result').write_text('same')")
        judge = self.write("judge", tools.PYTHON_SCRIPT + """
import os, pathlib, sys
assert all(pathlib.Path(each).is_file() for each in sys.argv[1:3])
sides = [pathlib.Path(os.environ['CUDA_LINT_' + each], 'result').read_text()
         for each in ('BEFORE', 'AFTER')]
sys.exit(sides[0] != sides[1])
""")
        (self.folder / judge).chmod(0o755)
        self.assertEqual("equal",
                         self.fix("--compare-with=./judge")["results"])
        self.program(body="print(1); "
                          "pathlib.Path('result').write_text(str(FIXED))")
        self.assertEqual("breaks", self.fix("--compare-with=./judge",
                                            code=1)["verdict"])
        fix = self.fix("--compare-with=./nothing")
        self.assertEqual("unknown", fix["results"])

    def test_a_program_that_hangs(self):
        # Longer than a test waits.
        self.program(body="time.sleep(6000 * FIXED)")
        fix = self.fix("--timeout=1", code=1)
        self.assertIn("--timeout", fix["why"])


class Builds(Proofs):
    def test_a_build_that_fails_as_it_is(self):
        self.program(build="print('no such \x1b[31m file', file=sys.stderr); "
                           "os.write(1, bytes(range(256))); sys.exit(9)")
        self.assertIsNone(self.prove(code=3))
        self.assertIn("the build of the project as it is exited with 9: ./make",
                      self.err)
        self.assertIn("no such <U+001B>[31m file", self.err)
        self.assertTrue(self.err.isprintable() or "\x1b" not in self.err)

    def test_a_build_that_fails_with_the_fix(self):
        self.program(build="fixed and sys.exit(1)")
        fix = self.fix(code=1)
        self.assertEqual(("breaks", False), (fix["verdict"], fix["builds"]))

    def test_a_build_that_hangs(self):
        self.program(build="import time; time.sleep(60)")
        self.prove("--build-timeout=1", code=3)
        self.assertIn("--timeout after 1", self.err)

    def test_a_build_that_changes_the_source(self):
        self.program(build="pathlib.Path('a.cu').write_text('//' * fixed or "
                           "pathlib.Path('a.cu').read_text())")
        fix = self.fix(code=3)
        self.assertEqual("inconclusive", fix["verdict"])
        self.assertIn("the build changes 'a.cu'", fix["why"])

    def test_a_build_that_leaves_its_folder(self):
        outside = self.folder / "a.cu"
        self.program(build=f"if fixed: open({str(outside)!r}, 'a').write('//')")
        with self.assertRaisesRegex(AssertionError, "the project was changed"):
            self.prove(code=3)
        fix = json.loads(self.out)["fixes"][0]
        self.assertIn("'a.cu' itself has changed meanwhile", fix["why"])

    def test_a_build_that_makes_a_file_elsewhere(self):
        made = self.folder / "made here"
        self.program(build=f"pathlib.Path({str(made)!r}).write_text('')")
        with self.assertRaisesRegex(AssertionError, "the project was changed"):
            self.prove()
        self.assertIn("'made here' of the project itself has changed",
                      json.loads(self.out)["notes"][0])

    def test_temporary_files_in_the_project(self):
        before = self.tmp
        self.tmp = self.folder / "tmp"
        self.tmp.mkdir()
        environment = self.environment
        self.environment = lambda: {**environment(),
                                    "COUNTER": f"{before}/n"}
        report = self.prove()
        self.assertEqual(("pays", []), (report["fixes"][0]["verdict"],
                                        report["notes"]))

    def test_names_of_the_project_in_words_for_a_shell(self):
        for words in (f"cd {self.folder} && ./make", f"cd '{self.folder}'; ./make",
                      f"X={self.folder};cd $X;./make",
                      f"({self.folder}/make)|cat"):
            self.assertEqual("pays", self.fix(build=("bash", "-c",
                                                     words))["verdict"], words)

    def test_a_build_that_makes_nothing(self):
        self.prove(build=("true",), code=3)
        self.assertIn("the build has not made './app'", self.err)

    def test_a_build_that_takes_no_notice(self):
        # The same machine code twice.
        self.prove(build=("cp", "/bin/true", "app"), code=3)
        self.assertIn("the same program with and without",
                      json.loads(self.out)["fixes"][0]["why"])

    def test_what_is_copied(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "CMakeCache.txt").write_text("")
        (self.folder / "data").mkdir()
        self.write("data/old.txt", "old")
        os.utime(self.folder / "data/old.txt", (1e9, 1e9))
        os.symlink("data/old.txt", self.folder / "inside")
        os.symlink(self.folder / "data", self.folder / "absolute")
        os.symlink("../nowhere", self.folder / "outside")
        os.mkfifo(self.folder / "pipe")
        self.program(build=f"""
import stat
here = pathlib.Path.cwd()
assert not list(here.glob('.git')) and not pathlib.Path('out').exists()
assert not pathlib.Path('pipe').exists()
assert os.stat('data/old.txt').st_mtime == 1e9
assert os.readlink('inside') == 'data/old.txt'
assert pathlib.Path('absolute').resolve() == here / 'data'
assert os.readlink('outside') == {str(self.folder.parent / 'nowhere')!r}
""")
        os.unlink(self.folder / "pipe")
        self.assertEqual("pays", self.fix()["verdict"])

    def test_a_folder_below_the_project(self):
        (self.folder / "src").mkdir()
        for name in ("a.cu", "make", "program.py", "probe.so"):
            shutil.move(self.folder / name, self.folder / "src" / name)
        root, self.folder = self.folder, self.folder / "src"
        self.assertEqual("pays", self.fix()["verdict"])
        self.folder = root

    def test_files_that_nobody_may_write(self):
        (self.folder / "a.cu").chmod(0o444)
        self.assertEqual("pays", self.fix()["verdict"])

    def test_a_full_disk(self):
        self.write("large", "x" * 3_000_000)
        words = [WITH_MOCK, "--ptxas=off", "--measure=on", "--probe=probe.so",
                 *[f"--extra-arg={each}" for each in MOCK], "a.cu", "--build",
                 "./make", "--", "./app"]
        done = subprocess.run(
            [PROGRAM, "prove", *words], cwd=self.folder, capture_output=True,
            text=True, env={**os.environ, **self.environment()},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                  (2_000_000, 2_000_000)))
        self.assertEqual(3, done.returncode, done.stderr)
        self.assertIn("cannot copy", done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual([], list(self.tmp.iterdir()))

    def test_an_interrupt_leaves_nothing(self):
        self.program(body="pathlib.Path(os.environ['COUNTER']).write_text(''); "
                          "time.sleep(60)")
        environment = {**os.environ, **self.environment()}
        mark = Path(environment["COUNTER"])
        words = [WITH_MOCK, "--ptxas=off", "--measure=on", "--probe=probe.so",
                 *[f"--extra-arg={each}" for each in MOCK], "a.cu", "--build",
                 "./make", "--", "./app"]
        process = subprocess.Popen(
            [PROGRAM, "prove", *words], cwd=self.folder, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            # It may be ignored where the tests run.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        while not mark.exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(130, process.returncode)
        self.assertEqual([], list(self.tmp.iterdir()))
        for each in self.tmp.parent.glob(f"{self.folder.name}-tmp-n*"):
            each.unlink()


class BadUsage(Proofs):
    def refused(self, *arguments, says, code=2, **options):
        self.prove(*arguments, code=code, **options)
        self.assertIn(says, self.err)

    def test_words(self):
        self.refused("--fix=nothing", says="no finding 'nothing' has a fix")
        self.refused("--fix=nothing", says="a.cu:5 [shared-bank-conflict]")
        self.refused("--runs=3", says="fewer pairs of times prove nothing")
        self.refused("--measure=maybe", says="use auto, on or off")
        self.refused("--timeout=0", says="not a positive number of seconds")
        self.refused("--project=/nowhere", says="is no folder")
        self.refused("--project=/", says="all of the file system")
        self.refused("--project=/usr", says="is not in the project")
        self.refused("--fix-dry-run", says="prove edits nothing")
        self.refused(says="no program behind --", program=("",))
        self.refused(says="no command behind --build", build=("",))
        self.refused(says="write ./app", program=("app",), build=())

    def test_nothing_that_can_be_read(self):
        self.write("a.cu", "garbage(\n")
        self.refused(says="a.cu")
        self.assertNotIn("no finding has a fix", self.err)

    def test_nothing_to_prove(self):
        self.write("a.cu", "__global__ void none() {}\n")
        self.assertEqual([], self.prove()["fixes"])
        self.assertIn("no finding has a fix", self.err)

    def test_names_of_a_fix(self):
        for name in ("a.cu:5", "shared-bank-conflict",
                     self.fix()["fingerprint"][:6]):
            self.assertEqual("pays", self.fix(f"--fix={name}")["verdict"])

    def test_help(self):
        self.assert_code(0, self.run_program("prove", "--help"))
        self.assertIn("--compare-with", self.out)
        self.assertLessEqual(max(map(len, self.out.splitlines())), 80)


class Toolkit(WithToolkit):
    def test_what_can_be_proved_without_a_gpu(self):
        self.write("a.cu", TILE + "int main() {}\n")
        before = self.files()
        for program in ((), ("--", "./app")):
            self.assert_code(0, self.run_program(
                "prove", "--gpu=h200", "--measure=off", "--format=json",
                *[f"--extra-arg={each}" for each in FEW_HEADERS], "a.cu",
                *program))
            fix, = json.loads(self.out)["fixes"]
            self.assertEqual((True, "not_measured"),
                             (fix["builds"], fix["verdict"]))
            shared = fix["resources"][0]["shared_bytes"]
            # Of 32 rows, each a float longer.
            self.assertEqual({"before": 4096, "after": 4224}, shared)
        self.assertEqual(before, self.files())

    def test_an_error_that_only_nvcc_sees(self):
        self.write("a.cu", TILE + "int main() { return none(); }\n")
        self.assert_code(3, self.run_program(
            "prove", "--gpu=h200", "--measure=off", "a.cu", "--", "./app"))
        self.assertIn("none", self.err)


if __name__ == "__main__":
    ctest.main()
