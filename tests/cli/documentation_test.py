#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command that README.md and docs/*.md show is run, page by page, in a
small project that has the files which the page speaks of.

A class is a CTest test. CUDA_LINT names the program. What a page shows of the
output is compared: a line `...` stands for any lines.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

from cli_test import FEW_HEADERS, PROGRAM, Cli

ROOT = tools.ROOT
PAGES = [ROOT / "README.md", ROOT / "samples/README.md",
         *sorted((ROOT / "docs").glob("*.md"))]

# What begins a command in a block that shows no prompt.
PROGRAMS = ("cmake", "cpack", "cuda-lint", "docker", "git", "mkdir", "nvcc",
            "scripts/build", "scripts/lint", "scripts/test")
# The exit code, where it is not 0 and the page does not show `$ echo $?`.
CODES = {
    # The errors that the page is about.
    "cuda-lint --gpu h200 --min-occupancy 50 smooth.cu": 1,
    "cuda-lint --gpu h200 --min-occupancy 50 "
    "--write-baseline=cuda-lint.baseline smooth.cu": 1,
    "cuda-lint --gpu h200 --min-occupancy 50 worse.cu": 1,
    "cuda-lint --gpu h200 promised.cu": 1,
}
# What is not run, and why.
NOT_RUN = {
    # The network.
    "git clone ADDRESS cuda-lint",
    "docker build -f docs/ci/Dockerfile -t IMAGE .",
    # It builds the program that is tested here: meta/Build.
    "scripts/build release cuda-lint",
    "scripts/build release",
    # Of a build: install/Install and install/Debian.
    'cmake --install build/release --prefix "$HOME/.local"',
    "cpack --config build/release/CPackConfig.cmake -G DEB",
    "apt install ./build/release/packages/cuda-lint_*.deb "
    "./build/release/packages/cuda-lint-runtime_*.deb",
    # The folder of the clone.
    "cd cuda-lint",
    'export PATH="$PWD/build/release/bin:$PATH"',
}
# Blocks that name what may be written rather than a command: how they begin.
SYNOPSES = ("scripts/lint [FILE...] ", "cuda-lint [options] ")

# A program of two kernels, in which nothing is an error.
PROGRAM_TEXT = """#include <cstdlib>
__global__ void rows(float *Data, int Stride) {
  Data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
  Data[(blockIdx.x * blockDim.x + threadIdx.x) * Stride] = 1;
}
int main(int argc, char **argv) {
  float *Data;
  cudaMalloc(&Data, 1 << 20);
  rows<<<64, atoi(argv[argc - 1])>>>(Data, 1);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""
KERNEL = """__global__ void NAME(const float *In, float *Out) {
  Out[blockIdx.x * blockDim.x + threadIdx.x] = In[threadIdx.x * 2];
}
void runNAME(const float *In, float *Out) { NAME<<<1024, 256>>>(In, Out); }
"""
LISTS = """cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX CUDA)
set(CMAKE_CUDA_ARCHITECTURES 90)
add_executable(app app.cu src/a.cu src/b.cu src/reduce.cu test/unit/t.cu)
"""
PROFILE = {"schema": "cuda-lint-profile/1",
           "tool": {"name": "cuda-lint-probe", "version": "0.1.0"},
           "process": {"pid": 1, "command": ["./app"], "end": "exit"},
           "collect": "counters", "counters": "sass", "problems": [],
           "devices": [], "kernels": [], "lines": [],
           "launches": [{"kernel": "_Z4rowsPfi", "device": 0,
                         "grid": [64, 1, 1], "block": [256, 1, 1],
                         "registers": 12, "static_shared_bytes": 0,
                         "dynamic_shared_bytes": 0, "local_bytes": 0,
                         "count": 1, "duration_ns": None}]}
# Programs that a page pipes into, or calls by another path than here.
STUBS = {
    "bin/reviewdog": "#!/bin/sh\nexec python3 -c 'import json, sys\n"
                     "sys.exit(not json.load(sys.stdin)[\"diagnostics\"])'\n",
    "scripts/lint": '#!/bin/sh\nexec cuda-lint "$@"\n',
}


class Block:
    """Lines of code in a page: fenced ones, or indented ones."""

    def __init__(self, page, line, language):
        self.page, self.line, self.language = page, line, language
        self.lines = []

    def __str__(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    def commands(self):
        """Each with the output that is shown below it, or None."""
        if any(line.startswith("$ ") for line in self.lines):
            found = []
            more = False
            for line in self.lines:
                if more:
                    found[-1][0] += "\n" + line
                elif line.startswith("$ "):
                    found.append([line[2:], []])
                else:
                    found[-1][1].append(line)
                more = (line.endswith("\\") if line.startswith("$ ") or more
                        else False)
            return found
        if self.language == "yaml":
            # What a recipe runs in one line.
            return [[match[1], None] for match in (
                re.match(r"\s*- (?:run: )?(cuda-lint .*)$", line)
                for line in self.lines) if match]
        first = self.lines[0]
        program = next((word for word in first.split()
                        if not re.match(r"[A-Z_]+=", word)), "")
        if (self.language or first.startswith(SYNOPSES)
                or program not in PROGRAMS):
            return []
        found = []
        more = False
        for line in self.lines:
            if more:
                found[-1][0] += "\n" + line
            elif line:
                found.append([line, None])
            more = line.endswith(("\\", "|"))
        return found


def blocks(page):
    found, fence, before = [], None, ""
    for number, line in enumerate(
            page.read_text(encoding="utf-8").splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            fence = None if fence else Block(page, number + 1, stripped[3:])
            if fence:
                found.append(fence)
        elif fence:
            fence.lines.append(line)
        elif re.match(r" {4}(\$ )?cuda-lint ", line) and not before:
            found.append(Block(page, number, ""))
            found[-1].lines.append(stripped)
        before = stripped
    return found


def plain(command):
    """Without line ends and comments."""
    return shlex.join(shlex.split(command.replace("\\\n", " "), comments=True))


NOT_RUN = {plain(command) for command in NOT_RUN}
CODES = {plain(command): code for command, code in CODES.items()}


def matches(shown, printed):
    """Whether the output is what is shown, in which `...` is any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else
                      re.escape(line.rstrip()) + "\n" for line in shown)
    text = "".join(line.rstrip() + "\n" for line in printed.splitlines())
    return re.fullmatch(pattern, text) is not None


class Page(Cli):
    """One page is one project; its blocks are run in their order."""

    LISTS = LISTS
    COPIED = ()  # Of the repository; the rest is linked.
    # Of files that include nothing else; others take their flags, too.
    HEADERS = FEW_HEADERS

    def project(self):
        for folder in ("bin", "build", "prof", "scripts", "src", "test/unit"):
            (self.folder / folder).mkdir(parents=True)
        self.write("app.cu", PROGRAM_TEXT)
        self.write("CMakeLists.txt", self.LISTS)
        sources = ["src/a.cu", "src/b.cu", "src/reduce.cu", "test/unit/t.cu"]
        for name in sources:
            self.write(name, KERNEL.replace("NAME", Path(name).stem))
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.folder), "file": name,
             "command": shlex.join(["nvcc", "-arch=sm_90", "-c", name,
                                    *self.HEADERS])} for name in sources]))
        self.write("prof/profile-1-0.json", json.dumps(PROFILE))
        for name, text in STUBS.items():
            self.write(name, text)
            (self.folder / name).chmod(0o755)
        (self.folder / "bin/cuda-lint").symlink_to(PROGRAM)
        for name in ("samples", "tests"):
            if name in self.COPIED:
                shutil.copytree(ROOT / name, self.folder / name)
            else:
                (self.folder / name).symlink_to(ROOT / name)
        self.write(".gitignore", "*\n!*.cu\n!*.baseline\n")
        for arguments in (["init", "-qb", "main", "."], ["add", "."],
                          ["commit", "-qm", "one"]):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b",
                            *arguments], cwd=self.folder, check=True,
                           capture_output=True,
                           env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})
        # What --diff speaks of.
        self.write("src/a.cu",
                   KERNEL.replace("NAME", "a").replace("* 2", "* 4"))

    def shell(self, command):
        """In one shell, as far as a page can tell: $? is kept."""
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.status})\n{command}"],
            cwd=self.folder, capture_output=True, text=True, timeout=300,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "COLUMNS": "80", "LC_ALL": "C.UTF-8",
                 "XDG_CACHE_HOME": f"{self.folder}-cache",
                 "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        self.out, self.err = done.stdout, done.stderr
        self.status = done.returncode

    def run_page(self, name):
        """How many commands were run."""
        if re.search(r"samples/|\bapp\.cu", (ROOT / name).read_text("utf-8")):
            self.HEADERS = ()
        self.project()
        self.status, count = 0, 0
        for block in blocks(ROOT / name):
            named = block.language == "cuda" and re.match(
                r"// (\S+\.cu)$", block.lines[0])
            if named:
                self.write(named[1], "\n".join(block.lines) + "\n")
            found = block.commands()
            for index, (command, shown) in enumerate(found):
                if plain(command) in NOT_RUN:
                    continue
                where = f"{block}: {command}"
                self.shell(command)
                count += 1
                said = f"{where}\n{self.out}{self.err}"
                if " confirm " in command:
                    self.assert_confirmed(said)
                    continue
                if command.startswith("cuda-lint prove ") and \
                        " -- " in command:
                    self.assert_proved(said)
                    continue
                if not (index + 1 < len(found) and
                        found[index + 1][0] == "echo $?"):
                    self.assertEqual(CODES.get(plain(command), 0), self.status,
                                     said)
                # What occupancy prints, occupancy/Pages compares.
                if shown and not command.startswith(
                        "cuda-lint occupancy") and not matches(
                            shown, self.out + self.err):
                    self.fail(f"{where}\nprints\n{self.out}{self.err}\n"
                              "and the page shows\n" + "\n".join(shown))
        return count

    def assert_confirmed(self, said):
        """With a GPU, all is said; without, what was asked for was understood,
        and the program was run."""
        if self.status in (0, 1):
            return
        # A report of another program.
        if "--ncu" in said and "no kernel of the predictions ran" in self.out:
            return
        self.assertIn(self.status, (2, 3), said)
        self.assertIn("left no profile: it made no CUDA call", self.err, said)


    def assert_proved(self, said):
        """With a GPU, what it gains is told; without, that there is none."""
        self.assertIn(self.status, (0, 1), said)
        self.assertNotIn("no finding has a fix", self.err, said)
        if "the program was not run: there is no GPU" not in self.out:
            self.assertRegex(self.out, "results +equal", said)


class Commands(Page):
    def test_readme(self):
        self.assertEqual(7, self.run_page("README.md"))

    def test_getting_started(self):
        self.assertEqual(10, self.run_page("docs/getting-started.md"))

    def test_ci(self):
        self.assertEqual(9, self.run_page("docs/ci.md"))

    def test_configuration(self):
        self.assertEqual(1, self.run_page("docs/configuration.md"))

    def test_confirm(self):
        # The page shows ./after, too.
        self.write("after", "#!/bin/sh\n")
        (self.folder / "after").chmod(0o755)
        self.assertEqual(4, self.run_page("docs/confirm.md"))

    def test_fixes(self):
        self.assertEqual(2, self.run_page("docs/fixes.md"))

    def test_hotspots(self):
        self.write("before", "#!/bin/sh\n")
        (self.folder / "before").chmod(0o755)
        self.assertEqual(2, self.run_page("docs/hotspots.md"))

    def test_install(self):
        self.assertEqual(1, self.run_page("docs/install.md"))

    def test_launches(self):
        # What another page makes.
        self.write("app", "#!/bin/sh\n")
        (self.folder / "app").chmod(0o755)
        self.write("app.cu", PROGRAM_TEXT)
        self.assert_code(0, self.run_program("--format=json", "-o",
                                             "result.json", "app.cu"))
        self.assertEqual(2, self.run_page("docs/launches.md"))

    def test_launcher(self):
        # One file: it is built three times.
        self.LISTS = re.sub(r"app\.cu .*\)", "app.cu)", LISTS)
        self.assertEqual(5, self.run_page("docs/launcher.md"))
        self.assertTrue((self.folder / "app.o").exists())
        self.assertIn('"version": "2.1.0"',
                      (self.folder / "build.sarif").read_text())

    def test_ncu(self):
        # What another page makes, and what ncu has exported.
        for kind in ("lines", "raw"):
            shutil.copy(ROOT / f"tests/ncu/mixed.{kind}.csv",
                        self.folder / f"{kind}.csv")
        self.write("app.cu", PROGRAM_TEXT)
        self.assert_code(0, self.run_program("--gpu=h200", "--format=json",
                                             "-o", "result.json", "app.cu"))
        self.assertEqual(2, self.run_page("docs/ncu.md"))

    def test_occupancy(self):
        self.assertEqual(3, self.run_page("docs/occupancy.md"))

    def test_projects(self):
        self.assertEqual(5, self.run_page("docs/projects.md"))

    def test_prove(self):
        # What is a file of another project is not edited.
        self.COPIED = ("samples",)
        self.write("same.py", "#!/bin/sh\n")
        self.assertEqual(3, self.run_page("docs/prove.md"))

    def test_reports(self):
        # Where there is no GPU, confirm leaves what is there.
        self.write("app", "#!/bin/sh\n")
        (self.folder / "app").chmod(0o755)
        self.write("measured.json", json.dumps({
            "schema": "cuda-lint-confirm/1", "gpus": []}))
        self.assertEqual(13, self.run_page("docs/reports.md"))

    def test_suppressing(self):
        self.assertEqual(3, self.run_page("docs/suppressing.md"))


class Words(Cli):
    """What can be said of the pages without running them."""

    # Options of other programs that the pages name.
    FOREIGN = {"--cache-control", "--clock-control", "--cuda-gpu-arch",
               "--cuda-host-only", "--expt-relaxed-constexpr", "--fix-notes",
               "--line-filter", "--offload-arch", "--options-file",
               "--print-kernel-base", "--warnings-as-errors"}

    def test_every_page_with_commands_is_run(self):
        """A page, or a line, that is added to none of the above fails."""
        source = Path(__file__).read_text(encoding="utf-8")
        for page in PAGES:
            run = f'"{page.relative_to(ROOT)}"' in source
            for block in blocks(page):
                text = "\n".join(block.lines)
                commands = "\n".join(c for c, _ in block.commands())
                if block.commands():
                    self.assertTrue(run, f"{block} is in no test")
                if text.startswith(SYNOPSES):
                    continue
                for line in block.lines:
                    match = re.match(r"\s*(?:\$ |- |run: )*(cuda-lint .*)$",
                                     line)
                    # What ci.md shows of the recipes, recipes_test.py runs.
                    if match and not (page.name == "ci.md" and
                                      block.language == "yaml"):
                        self.assertIn(match[1], commands, f"{block}: {line}")

    def test_exceptions_are_still_shown(self):
        shown = {plain(command) for page in PAGES for block in blocks(page)
                 for command, _ in block.commands()}
        self.assertEqual(set(), (NOT_RUN | set(CODES)) - shown)
        text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
        for option in self.FOREIGN:
            self.assertIn(f"`{option}", text)

    def test_synopses_name_what_there_is(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        block, = re.findall(r"```\n(cuda-lint \[options\].*?)```", text,
                            re.DOTALL)
        self.assert_code(0, self.run_program("--help"))
        for line in block.splitlines():
            command = line.split()[1]
            if command != "[options]":
                self.assertRegex(self.out, rf"(?m)^  {command} ")
        for option in ("--gpu", "--block"):
            self.assert_code(0, self.run_program("occupancy", "--help"))
            self.assertIn(option, self.out)

    def test_every_option_that_a_page_names_exists(self):
        known = set(self.FOREIGN)
        for command in ((), ("occupancy",), ("confirm",), ("launcher",), ("prove",),
                        ("merge",), ("explain",)):
            self.run_program(*command, "--help")
            known |= set(re.findall(r"--[a-z][a-z-]+", self.out))
        self.assertIn("--output-sarif", known)
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), 1):
                for option in re.findall(r"`(--[a-z][a-z-]*[a-z])(?![\w-])",
                                         line):
                    self.assertIn(option, known,
                                  f"{page.relative_to(ROOT)}:{number}")

    def test_readme_leads_to_all_pages(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        for page in sorted((ROOT / "docs").glob("*.md")):
            self.assertTrue(f"(docs/{page.name})" in text,
                            f"README.md has no link to {page.name}")


if __name__ == "__main__":
    ctest.main()
