#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the commands in scripts/ do, with every program that they call faked.

The commands are copied into a folder whose name has a space in it, and PATH
holds only the fakes and the harmless tools that the scripts need: no test can
install, build or download anything.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
TOOLS = ("awk bash cat dirname env grep mkdir nproc realpath rm sed sort tail "
         "tee touch").split()


class Sandbox(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # As the shell will name it, should the temporary folder be a link.
        self.top = Path(folder.name).resolve()
        self.repo = self.top / "a repo"
        self.bin = self.top / "bin"
        self.bin.mkdir()
        for name in TOOLS:
            (self.bin / name).symlink_to(shutil.which(name))
        # What PATH has of it may be a script that needs more.
        (self.bin / "python3").symlink_to(sys.executable)
        shutil.copytree(SCRIPTS, self.repo / "scripts")
        (self.repo / "CMakePresets.json").write_text("{}")

    def fake(self, name, body):
        """A program NAME that notes its arguments and then runs BODY."""
        path = self.bin / name if "/" not in name else self.repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/usr/bin/env bash\n"
                        f'printf "%s\\n" "{path.name} $*" >>"{self.calls}"\n'
                        f"{body}\n")
        path.chmod(0o755)

    @property
    def calls(self):
        return self.top / "calls"

    def called(self):
        return (self.calls.read_text().splitlines()
                if self.calls.exists() else [])

    def run_script(self, name, *arguments, cwd=None):
        self.calls.unlink(missing_ok=True)
        return subprocess.run(
            [self.repo / "scripts" / name, *arguments], cwd=cwd or self.repo,
            env={"PATH": str(self.bin), "LC_ALL": "C"}, text=True,
            stdin=subprocess.DEVNULL, capture_output=True)


class Setup(Sandbox):
    """scripts/setup, on machines that lack one thing or another."""

    def setUp(self):
        super().setUp()
        self.packages = self.run_script("setup", "--list").stdout.split()
        # Of the tests.
        self.packages += ["clang-tidy-22", "dpkg-dev", "fish",
                          "man-db", "pre-commit", "zsh"]
        self.installed = self.top / "installed"
        self.have(*self.packages)
        self.fake("dpkg-query", f'cat "{self.installed}"; exit 1')
        self.fake("id", "echo 0")
        self.apt("")

    def have(self, *names):
        self.installed.write_text(
            "".join(f"{name}=installed\n" for name in names))

    def lack(self, *names):
        self.have(*(p for p in self.packages if p not in names))

    def apt(self, install, update=""):
        self.fake("apt-get", 'case " $* " in\n'
                  f"*' update '*) {update or ':'} ;;\n"
                  f"*' install '*) {install or ':'} ;;\nesac")

    def apt_calls(self):
        return [call for call in self.called() if call.startswith("apt-get")]

    def test_nothing_missing_is_silent(self):
        done = self.run_script("setup")
        self.assertEqual((0, "", ""),
                         (done.returncode, done.stdout, done.stderr))
        self.assertEqual([], self.apt_calls())
        self.assertFalse((self.repo / "build").exists())

    def test_installs_only_what_is_missing(self):
        self.lack("g++", "ccache")
        self.apt(f'echo "Setting up g++ (1)"; echo "ccache=installed" '
                 f'>>"{self.installed}"; echo "g++=installed" '
                 f'>>"{self.installed}"')
        done = self.run_script("setup")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("missing Debian packages: ccache g++\n", done.stderr)
        self.assertIn("setup: installed g++\n", done.stderr)
        install = self.apt_calls()[-1]
        self.assertIn("--no-install-recommends ccache g++", install)
        self.assertEqual(2, len(self.apt_calls()))
        self.assertEqual("", done.stdout)

    def test_removed_package_counts_as_missing(self):
        self.lack("g++")
        with self.installed.open("a") as file:
            file.write("g++=config-files\n")
        done = self.run_script("setup", "--check")
        self.assertEqual(1, done.returncode)
        self.assertIn("missing Debian packages: g++\n", done.stderr)
        self.assertEqual([], self.apt_calls())

    def test_llvm_not_offered(self):
        self.lack("clang-22", "g++")
        self.apt('echo "E: Unable to locate package clang-22"; exit 100')
        done = self.run_script("setup")
        self.assertEqual(1, done.returncode)
        self.assertIn("error: no package source of this machine offers "
                      "clang-22\n", done.stderr)
        self.assertIn("bookworm-security", done.stderr)

    def test_other_package_without_candidate(self):
        self.lack("ccache")
        self.apt("echo \"E: Package 'ccache' has no installation candidate\"; "
                 "exit 100")
        done = self.run_script("setup")
        self.assertEqual(1, done.returncode)
        self.assertIn("offers ccache\n", done.stderr)
        self.assertNotIn("LLVM", done.stderr)

    def test_no_network(self):
        self.lack("ccache")
        self.apt('echo "E: Unable to locate package ccache"; exit 100',
                 'echo "W: Failed to fetch x  Could not resolve y"')
        done = self.run_script("setup")
        self.assertEqual(1, done.returncode)
        self.assertIn("error: cannot download ccache\n", done.stderr)
        self.assertIn("check the network", done.stderr)

    def test_broken_source_does_not_matter_if_the_others_do(self):
        self.lack("ccache")
        self.apt(f'echo "ccache=installed" >>"{self.installed}"',
                 'echo "E: The repository is not signed"; exit 100')
        done = self.run_script("setup")
        self.assertEqual(0, done.returncode, done.stderr)

    def test_package_manager_in_use(self):
        self.lack("ccache")
        self.apt('echo "E: Could not get lock x"; exit 100')
        done = self.run_script("setup")
        self.assertEqual(1, done.returncode)
        self.assertIn("another package manager is running", done.stderr)

    def test_unknown_failure_shows_the_words_of_apt(self):
        self.lack("ccache")
        self.apt('echo "E: the moon is full"; exit 100')
        done = self.run_script("setup")
        self.assertEqual(1, done.returncode)
        self.assertIn("E: the moon is full\n", done.stderr)
        self.assertIn("cannot install ccache\n", done.stderr)
        self.assertIn("build/setup.log", done.stderr)

    def test_success_that_installed_nothing_is_a_failure(self):
        self.lack("ccache")
        done = self.run_script("setup")
        self.assertEqual(1, done.returncode)
        self.assertIn("still missing: ccache", done.stderr)

    def test_not_root_and_no_sudo(self):
        self.lack("ccache")
        self.fake("id", "echo 1000")
        done = self.run_script("setup")
        self.assertEqual(1, done.returncode)
        self.assertIn("run as root: apt-get install --no-install-recommends "
                      "ccache\n", done.stderr)
        self.assertEqual([], self.apt_calls())

    def test_not_root_with_sudo(self):
        self.lack("ccache")
        self.fake("id", "echo 1000")
        self.fake("sudo", 'shift; exec "$@"')
        self.apt(f'echo "ccache=installed" >>"{self.installed}"')
        done = self.run_script("setup")
        self.assertEqual(0, done.returncode, done.stderr)
        # Without a terminal, a question for the password would hang.
        self.assertTrue(any(c.startswith("sudo -n ") for c in self.called()))

    def test_no_debian(self):
        (self.bin / "dpkg-query").unlink()
        done = self.run_script("setup")
        self.assertEqual(1, done.returncode)
        self.assertIn("dpkg-query not found", done.stderr)
        self.assertIn("llvm-22-dev", done.stderr)

    def npm(self, text, digest=None):
        """npm has the packages; each file, which is meant, is {}."""
        self.fake("chromium", ":")
        for name in ("mktemp", "mv", "sha256sum"):
            (self.bin / name).symlink_to(shutil.which(name))
        script = self.repo / "scripts/setup"
        digest = digest or hashlib.sha256(b"{}").hexdigest()
        script.write_text(re.sub(r"\b[0-9a-f]{64}\b", digest,
                                 script.read_text()))
        self.fake("npm", "echo package.tgz")
        # tar -xzf PACKAGE -C FOLDER MEMBER
        self.fake("tar", 'mkdir -p "$4/${5%/*}"; '
                  f"printf '%s' '{text}' >\"$4/$5\"")

    @property
    def schema(self):
        return self.repo / "build/schemas/sarif-2.1.0.json"

    def test_what_only_tests_need_is_fetched_for_them_alone(self):
        self.npm("{}")
        self.run_script("setup")
        self.assertFalse(self.schema.exists())
        done = self.run_script("setup", "--tests")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual("{}", self.schema.read_text())
        # And nothing else is left.
        self.assertEqual(
            ["axe", "schemas", "setup.log"],
            sorted(p.name for p in self.schema.parents[1].iterdir()))

    def test_a_package_of_several_schemas_is_fetched_once(self):
        self.npm("{}")
        self.run_script("setup", "--tests")
        self.assertEqual(
            ["github-workflow.json", "gitlab-ci.json", "pre-commit-hooks.json",
             "sarif-2.1.0.json"],
            sorted(p.name for p in self.schema.parent.iterdir()))
        self.assertEqual(
            ["@microsoft/jest-sarif", "axe-core", "schemastore"],
            sorted(call.split()[-1].rpartition("@")[0] for call in
                   self.called() if call.startswith("npm ")))

    def test_the_schema_is_fetched_once(self):
        self.npm("{}")
        self.run_script("setup", "--tests")
        done = self.run_script("setup", "--tests")
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertFalse([c for c in self.called() if c.startswith("npm")])

    def test_a_schema_that_was_changed_is_fetched_again(self):
        self.npm("{}")
        self.run_script("setup", "--tests")
        self.schema.write_text("[]")
        self.run_script("setup", "--tests")
        self.assertEqual("{}", self.schema.read_text())

    def test_another_schema_than_the_one_meant_is_an_error(self):
        self.npm("[]")
        done = self.run_script("setup", "--tests")
        self.assertEqual(1, done.returncode)
        self.assertIn("has another package/axe.min.js ", done.stderr)

    def test_no_schema_without_network(self):
        self.npm("{}")
        self.fake("npm", "echo 'no such host' >&2; exit 1")
        done = self.run_script("setup", "--tests")
        self.assertEqual(1, done.returncode)
        self.assertIn("error: cannot download axe-core@", done.stderr)
        self.assertIn("check the network", done.stderr)
        self.assertFalse(self.schema.exists())

    def test_a_missing_schema_is_said_and_not_fetched(self):
        self.npm("{}")
        done = self.run_script("setup", "--tests", "--check")
        self.assertEqual(1, done.returncode)
        self.assertIn("missing: axe/axe.min.js schemas/github-workflow.json ", done.stderr)
        self.assertFalse(self.schema.exists())

    def test_what_runs_the_hooks_is_installed_for_the_tests_alone(self):
        self.npm("{}")
        self.lack("pre-commit")
        done = self.run_script("setup", "--check")
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        done = self.run_script("setup", "--tests", "--check")
        self.assertEqual(1, done.returncode)
        self.assertIn("missing Debian packages: pre-commit\n", done.stderr)

    def test_npm_is_installed_where_it_is_missing(self):
        self.npm("{}")
        (self.bin / "npm").unlink()
        done = self.run_script("setup", "--tests", "--check")
        self.assertIn("missing Debian packages: npm\n", done.stderr)

    def test_a_browser_is_installed_where_there_is_none(self):
        self.npm("{}")
        (self.bin / "chromium").unlink()
        done = self.run_script("setup", "--tests", "--check")
        self.assertIn("missing Debian packages: chromium\n", done.stderr)
        self.fake("google-chrome", ":")
        done = self.run_script("setup", "--tests", "--check")
        self.assertNotIn("chromium", done.stderr)

    def test_unknown_argument(self):
        done = self.run_script("setup", "--frobnicate")
        self.assertEqual(1, done.returncode)
        self.assertIn("unknown argument: --frobnicate", done.stderr)


class Build(Sandbox):
    """scripts/build configures when it must and builds what it is told."""

    def setUp(self):
        super().setUp()
        self.fake("scripts/setup", "")
        self.cmake("echo '[1/1] compiling'")

    def cmake(self, build, configure=":"):
        self.fake("cmake", "if [[ $1 == --preset ]]; then\n"
                  f"{configure}\nmkdir -p build/$2 && touch "
                  "build/$2/build.ninja\n"
                  f"else\n{build}\nfi")

    def cmake_calls(self):
        return [call for call in self.called() if call.startswith("cmake")]

    def test_first_time_configures_and_builds(self):
        done = self.run_script("build", "release", "one", "two")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(
            ["cmake --preset release",
             "cmake --build --preset release --target one two"],
            self.cmake_calls())
        self.assertEqual("", done.stdout)
        self.assertIn("[1/1] compiling", done.stderr)

    def test_second_time_does_not_configure(self):
        self.run_script("build")
        self.run_script("build")
        self.assertEqual(["cmake --build --preset dev --target all"],
                         self.cmake_calls())

    def test_silent_when_nothing_is_to_do(self):
        self.run_script("build")
        self.cmake("echo '[0/2] Re-checking globbed directories...'\n"
                   "echo 'ninja: no work to do.'")
        done = self.run_script("build")
        self.assertEqual((0, "", ""),
                         (done.returncode, done.stdout, done.stderr))

    def test_starts_afresh_when_the_presets_change(self):
        self.run_script("build")
        stamp = (self.repo / "build/dev/.configured").stat().st_mtime
        os.utime(self.repo / "CMakePresets.json", (stamp + 5, stamp + 5))
        self.run_script("build")
        self.assertIn("cmake --preset dev --fresh", self.cmake_calls())

    def test_starts_afresh_when_the_repository_was_moved(self):
        self.run_script("build")
        self.repo = self.repo.rename(self.top / "another place")
        self.run_script("build")
        self.assertIn("cmake --preset dev --fresh", self.cmake_calls())

    def test_failed_configure_is_shown_and_tried_again(self):
        self.cmake(":", configure="echo 'CMake Error: what'; exit 1")
        done = self.run_script("build")
        self.assertEqual(1, done.returncode)
        self.assertIn("CMake Error: what", done.stderr)
        self.assertIn("cannot configure build/dev", done.stderr)
        self.run_script("build")
        self.assertEqual(["cmake --preset dev"], self.cmake_calls())

    def test_failed_build_fails(self):
        self.cmake("echo 'a.cpp:1: error: no'; exit 1")
        done = self.run_script("build", "dev", "x")
        self.assertEqual(1, done.returncode)
        self.assertIn("a.cpp:1: error: no", done.stderr)
        self.assertIn("cannot build x in build/dev", done.stderr)

    def test_failed_setup_stops_before_cmake(self):
        self.fake("scripts/setup", "exit 1")
        done = self.run_script("build")
        self.assertEqual(1, done.returncode)
        self.assertEqual([], self.cmake_calls())


class GpuCheck(Sandbox):
    """scripts/gpu-check, with programs that say what they are told to."""

    SWEEP = {"name": "strides", "claim": "what they cost", "points": 2,
             "measured": 2, "equal": 2, "error": "", "different": []}
    COUNTS = {"confirmed": 1, "refuted": 0, "inconclusive": 0,
              "not_measured": 0, "missed": 0}
    LINE = {"kernel": "k", "line": 7, "space": "shared", "op": "load",
            "unit": "wavefronts", "verdict": "confirmed", "why": None,
            "predicted": {"per_request": 32.0, "ideal": 1.0},
            "measured": {"per_request": 32.0, "ideal": 1.0, "requests": 10,
                         "total": 320, "lanes": 32.0}}
    GOOD = {**LINE, "predicted": {"per_request": 1.0, "ideal": 1.0},
            "measured": {**LINE["measured"], "per_request": 1.0, "total": 10}}
    # What gpu-check takes from the predictions.
    UNITS = {"units": [{"kernels": [{"name": "k", "accesses": [
        {"line": 7, "space": "shared", "op": "load", "lanes": 32.0}]}]}]}

    def setUp(self):
        super().setUp()
        self.fake("nvidia-smi", 'echo "NVIDIA H300, 999.1"')
        self.fake("nvcc", 'echo "release 13.0, V13.0.88"')
        (self.repo / "samples" / "tile").mkdir(parents=True)
        self.expect(2)
        predictions = self.repo / "made" / "predictions"
        predictions.mkdir(parents=True)
        for name in ("before", "after"):
            (self.repo / "samples" / "tile" / f"{name}.cu").touch()
            self.fake(f"made/bin/samples/tile-{name}", "echo right")
            (predictions / f"tile-{name}.json").write_text(
                json.dumps(self.UNITS))
        self.fake("made/bin/wave-trial", 'echo "together 3 3"')
        self.fake("made/bin/remedies", 'echo "| padding | 2 |"')
        self.sweeps(self.SWEEP)
        self.confirm("before", self.LINE)
        self.confirm("after", self.GOOD)

    def expect(self, number):
        """As many lines, sums, launches and registers of the samples."""
        file = self.repo / "tests" / "gpu" / "confirmed.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(dict.fromkeys(
            ("lines", "sums", "occupancy", "registers"), number)))

    def writes(self, name, option, document, code):
        """A program that writes the document to the file after an option."""
        told = self.top / f"{name}.json"
        told.write_text(json.dumps(document))
        self.fake(f"made/bin/{name}",
                  'while [ "$1" != "' + option + '" ]; do shift; done\n'
                  f'cat "{told}" >"$2"; exit {code}')

    def sweeps(self, sweep, code=0):
        self.writes("hardware-trial", "--json", {"sweeps": [sweep]}, code)

    def confirm(self, name, line, lines=COUNTS, code=0):
        """What cuda-lint-confirm writes for the sample tile/NAME."""
        none = dict.fromkeys(self.COUNTS, 0)
        shape = {"grid": [5, 2, 1], "block": [32, 1, 1], "count": 1,
                 "predicted": {"blocks_per_sm": 8},
                 "measured": {"blocks_per_sm": 8}}
        (self.top / f"tile-{name}.json").write_text(json.dumps({
            "counters": True, "problems": [], "gpus": [{
                "counts": {"lines": lines, "sums": {**none, "confirmed": 1},
                           "occupancy": {**none, "confirmed": 1},
                           "registers": {**none, "confirmed": 1}},
                "kernels": [{"shapes": [shape]}], "lines": [line]}]}))
        self.fake("made/bin/cuda-lint-confirm",
                  'while [ "$1" != "-o" ]; do shift; done\n'
                  f'cat "{self.top}/${{2##*/}}" >"$2"; exit {code}')

    def check(self):
        done = self.run_script("gpu-check", "--prebuilt", "--predictions",
                               self.repo / "made")
        report = self.repo / "docs" / "validation" / "h300.md"
        return done, report.read_text() if report.exists() else None

    def test_no_gpu_is_skipped(self):
        self.fake("nvidia-smi", "exit 9")
        done, report = self.check()
        self.assertEqual((77, None), (done.returncode, report))
        self.assertIn("skipped: no GPU", done.stderr)

    def test_no_predictions_is_exit_code_2(self):
        shutil.rmtree(self.repo / "made" / "predictions")
        done, report = self.check()
        self.assertEqual((2, None), (done.returncode, report))
        self.assertIn("--predict", done.stderr)

    def test_all_agree(self):
        done, report = self.check()
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("NVIDIA H300, driver 999.1, CUDA 13.0 (V13.0.88)",
                      done.stdout)
        self.assertIn("| strides | what they cost | 2 | 2 |", report)
        self.assertIn("| tile/before | right | 1 | 0 | 0 | 0 | 0 | 1 of 1 |",
                      report)
        self.assertIn("tile/before.cu:7: shared load: predicted 32, "
                      "measured 32", report)
        self.assertIn("| tile/after | wavefronts of a shared load | 32 to 1 | "
                      "32 to 1 | better |", report)
        self.assertIn("| tile/after | wavefronts of shared memory together | "
                      "320 to 10 | 320 to 10 | better |", report)
        self.assertIn("| padding | 2 |", report)

    def test_a_point_that_differs_is_named(self):
        self.sweeps({**self.SWEEP, "equal": 1, "different": [
            {"point": "stride 2", "predicted": 2, "measured": 3}]}, code=1)
        done, report = self.check()
        self.assertEqual(1, done.returncode)
        self.assertIn("stride 2: predicted 2, measured 3", report)
        self.assertIn("DIFFERS", done.stdout)

    def test_a_refuted_line_is_exit_code_1(self):
        self.confirm("before", {**self.LINE, "verdict": "refuted",
                                "why": "so it is"},
                     {**self.COUNTS, "refuted": 1}, code=1)
        done, report = self.check()
        self.assertEqual(1, done.returncode)
        self.assertIn("refuted: so it is", report)

    def test_half_a_measurement_is_exit_code_3(self):
        self.confirm("before", self.LINE, code=3)
        done, _ = self.check()
        self.assertEqual(3, done.returncode)
        self.assertIn("exit code 3", done.stdout)

    def test_less_than_was_confirmed_before_is_exit_code_3(self):
        self.expect(3)
        done, _ = self.check()
        self.assertEqual(3, done.returncode)
        self.assertIn("2 confirmed, 3 confirmed were expected", done.stdout)

    def test_a_remedy_that_changes_nothing_is_exit_code_1(self):
        self.confirm("after", self.LINE)
        done, report = self.check()
        self.assertEqual(1, done.returncode)
        self.assertIn("no counter is better", done.stdout)
        self.assertIn("0 of 1 better", done.stdout)

    def test_a_remedy_that_does_less_than_predicted_is_exit_code_1(self):
        self.confirm("after", {**self.GOOD, "measured": {
            **self.GOOD["measured"], "per_request": 16.0, "total": 160}})
        done, report = self.check()
        self.assertEqual(1, done.returncode)
        self.assertIn("32 to 1 | 32 to 16 |", report)
        self.assertIn("a counter is not as predicted", done.stdout)

    def test_a_sample_with_wrong_results_is_exit_code_1(self):
        self.fake("made/bin/samples/tile-before", "echo wrong sum; exit 1")
        done, report = self.check()
        self.assertEqual(1, done.returncode)
        self.assertIn("failed: wrong sum", report)

    def test_what_cannot_be_measured_is_exit_code_3(self):
        self.fake("made/bin/cuda-lint-confirm", "echo counters are locked >&2")
        done, report = self.check()
        self.assertEqual(3, done.returncode)
        self.assertIn("counters are locked", report)


class Lint(Sandbox):
    """scripts/lint passes on files, options and the exit code."""

    def setUp(self):
        super().setUp()
        self.fake("scripts/build", "")
        self.fake("build/release/bin/cuda-lint",
                  'printf "<%s>" "$@"; exit 3')
        for name in ("b", "a c"):
            (self.repo / "samples" / name).mkdir(parents=True)
            (self.repo / "samples" / name / "before.cu").touch()

    def test_builds_the_linter_and_nothing_else(self):
        self.run_script("lint", "x.cu")
        self.assertIn("build release cuda-lint", self.called())

    def test_arguments_and_exit_code_pass_unchanged(self):
        done = self.run_script("lint", "x y.cu", "--gpu", "t4", "--", "-DA=1")
        self.assertEqual(3, done.returncode)
        self.assertEqual("<x y.cu><--gpu><t4><--><-DA=1>", done.stdout)

    def test_without_files_lints_the_samples(self):
        done = self.run_script("lint")
        self.assertEqual("<samples/a c/before.cu><samples/b/before.cu>",
                         done.stdout)

    def test_with_options_only_lints_the_samples(self):
        done = self.run_script("lint", "--gpu=t4", "--", "-DA", "x")
        self.assertEqual("<samples/a c/before.cu><samples/b/before.cu>"
                         "<--gpu=t4><--><-DA><x>", done.stdout)

    def test_samples_are_found_from_any_folder(self):
        done = self.run_script("lint", cwd=self.top)
        self.assertEqual("<a repo/samples/a c/before.cu>"
                         "<a repo/samples/b/before.cu>", done.stdout)

    def test_failed_build_is_exit_code_2(self):
        self.fake("scripts/build", "exit 1")
        done = self.run_script("lint", "x.cu")
        self.assertEqual((2, ""), (done.returncode, done.stdout))

    def test_help_builds_nothing(self):
        done = self.run_script("lint", "--help")
        self.assertIn("usage: scripts/lint", done.stdout)
        self.assertNotIn("build release cuda-lint", self.called())


PASSED = '<testcase name="{}" classname="x" time="0.1" status="run">'
FAILED = ('<testcase name="{}" classname="x" time="0.1" status="fail">\n'
          '\t\t<failure message=""/>')
SKIPPED = ('<testcase name="{}" classname="x" time="0.1" status="notrun">\n'
           '\t\t<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>')
NO_PROGRAM = ('<testcase name="{}" classname="x" time="0" status="notrun">\n'
              '\t\t<skipped message="Unable to find executable"/>')
DISABLED = '<testcase name="{}" classname="x" time="0" status="disabled">'


def suite_output(**counts):
    """What GoogleTest prints at the end of a suite."""
    lines = [f"[  {what}  ] {count} tests{',.'[what == 'PASSED']}"
             + " listed below:" * (what == "FAILED")
             for what, count in counts.items()]
    return "<system-out>[==========] done\n" + "\n".join(lines) + "\n</system-out>"


class Test(Sandbox):
    """scripts/test counts as its last line says, and never in its favour."""

    def setUp(self):
        super().setUp()
        self.fake("scripts/build", "")
        self.fake("scripts/setup", "")

    def run_with(self, cases, status, *arguments):
        """Runs with a ctest that leaves these cases and this exit code."""
        results = self.top / "results.xml"
        results.write_text("<testsuite>" + "".join(
            f"\t{case.format(f'test{n}')}\n"
            f"\t\t<system-out>&lt;testcase name=&quot;no&quot;\x01\n"
            f"</system-out>\n\t</testcase>\n"
            for n, case in enumerate(cases)) + "</testsuite>")
        preset = "asan-ubsan" if arguments else "dev"
        (self.repo / "build" / preset).mkdir(parents=True, exist_ok=True)
        self.fake("ctest", f'cat "{results}" >"build/{preset}/results.xml"\n'
                  f"exit {status}")
        done = self.run_script("test", *arguments)
        return done.returncode, done.stdout.splitlines()

    def test_what_the_tests_need_is_installed(self):
        self.run_with(["<testcase name=\"{}\" status=\"run\">"], 0)
        self.assertIn("setup --tests", self.called())

    def test_without_what_the_tests_need_none_runs(self):
        self.fake("scripts/setup", "exit 1")
        done = self.run_script("test")
        self.assertEqual(1, done.returncode)
        self.assertIn("nothing was tested", done.stderr)

    def test_all_passed(self):
        code, out = self.run_with([PASSED, PASSED], 0)
        self.assertEqual((0, "2 passed, 0 failed"), (code, out[-1]))

    def test_failure(self):
        code, out = self.run_with([PASSED, FAILED], 8)
        self.assertEqual((1, "1 passed, 1 failed"), (code, out[-1]))

    def test_skipped_and_disabled_are_named_and_not_counted(self):
        code, out = self.run_with([SKIPPED, PASSED, DISABLED], 0)
        self.assertEqual((0, "1 passed, 0 failed"), (code, out[-1]))
        self.assertIn("test: skipped: test0", out)
        self.assertIn("test: skipped: test2", out)
        self.assertIn("test: 2 skipped", out)

    def test_why_it_was_skipped(self):
        told = (SKIPPED + "<system-out>a\nskipped: no &apos;b&apos;: install c\n"
                "</system-out>")
        alone = SKIPPED + "<system-out>skipped: no d\n</system-out>"
        unit = SKIPPED + "<system-out>e.cpp:7: Skipped\nno f\n</system-out>"
        code, out = self.run_with([told, alone, unit, PASSED], 0)
        self.assertEqual((0, "1 passed, 0 failed"), (code, out[-1]))
        self.assertEqual(["test: skipped: test0: no 'b': install c",
                          "test: skipped: test1: no d",
                          "test: skipped: test2: no f", "test: 3 skipped"],
                         [line for line in out if "skipped" in line])

    def test_cases_of_a_suite_are_counted(self):
        code, out = self.run_with([PASSED + suite_output(PASSED=7), PASSED], 0)
        self.assertEqual((0, "8 passed, 0 failed"), (code, out[-1]))

    def test_failed_cases_of_a_suite_are_counted(self):
        output = suite_output(PASSED=7, FAILED=2)
        code, out = self.run_with([FAILED + output, PASSED], 8)
        self.assertEqual((1, "8 passed, 2 failed"), (code, out[-1]))

    def test_suite_without_an_end_failed(self):
        crashed = FAILED + "<system-out>[==========] Running 9 tests\n"
        code, out = self.run_with([crashed, PASSED], 8)
        self.assertEqual((1, "1 passed, 1 failed"), (code, out[-1]))

    def test_suite_that_failed_after_its_cases_failed(self):
        code, out = self.run_with([FAILED + suite_output(PASSED=7), PASSED], 8)
        self.assertEqual((1, "1 passed, 1 failed"), (code, out[-1]))

    def test_skipped_cases_of_a_suite_are_named(self):
        output = ("<system-out>e.cpp:7: Skipped\nno f\n\n"
                  "[  SKIPPED ] Suite.one (0 ms)\n"
                  "[==========] 3 tests from 1 test suite ran. (1 ms total)\n"
                  "[  PASSED  ] 2 tests.\n"
                  "[  SKIPPED ] 1 test, listed below:\n"
                  "[  SKIPPED ] Suite.one\n</system-out>")
        code, out = self.run_with([PASSED + output], 0)
        self.assertEqual((0, "2 passed, 0 failed"), (code, out[-1]))
        self.assertEqual(["test: skipped: test0.one: no f", "test: 1 skipped"],
                         [line for line in out if "skipped" in line])

    def test_test_that_could_not_start_failed(self):
        code, out = self.run_with([NO_PROGRAM, PASSED], 8)
        self.assertEqual((1, "1 passed, 1 failed"), (code, out[-1]))

    def test_no_test_is_a_failure(self):
        code, out = self.run_with([], 0)
        self.assertEqual((1, "0 passed, 0 failed"), (code, out[-1]))
        self.assertIn("test: error: no test ran", out)

    def test_only_skipped_is_a_failure(self):
        code, out = self.run_with([SKIPPED], 0)
        self.assertEqual((1, "0 passed, 0 failed"), (code, out[-1]))

    def test_exit_code_of_ctest_is_not_overruled(self):
        code, out = self.run_with([PASSED], 8)
        self.assertEqual((1, "1 passed, 0 failed"), (code, out[-1]))
        self.assertIn("test: error: ctest ended with exit code 8", out)

    def test_no_results_is_a_failure(self):
        self.fake("ctest", "exit 1")
        done = self.run_script("test")
        self.assertEqual(1, done.returncode)
        self.assertIn("ctest left no results (exit code 1)", done.stderr)

    def test_results_of_an_earlier_run_do_not_count(self):
        self.run_with([PASSED], 0)
        self.fake("ctest", "exit 0")
        self.assertEqual(1, self.run_script("test").returncode)

    def test_failed_build_tests_nothing(self):
        self.fake("scripts/build", "exit 1")
        code, out = self.run_with([PASSED], 0)
        self.assertEqual((1, []), (code, out))

    def test_preset_and_options_reach_ctest(self):
        code, out = self.run_with([PASSED], 0, "--preset", "asan-ubsan", "-R",
                                  "a b")
        self.assertEqual((0, "1 passed, 0 failed"), (code, out[-1]))
        self.assertIn("build asan-ubsan", self.called())
        ctest = [c for c in self.called() if c.startswith("ctest")][0]
        self.assertIn("--preset asan-ubsan", ctest)
        self.assertIn("-R a b", ctest)


if __name__ == "__main__":
    ctest.main()
