#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is made of --help: man pages, and completions, in the shells themselves.

A class is a CTest test. CUDA_LINT names the program, CUDA_LINT_PAGES the folder
of what was made.
"""

import gzip
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

PROGRAM = os.environ["CUDA_LINT"]
PAGES = Path(os.environ["CUDA_LINT_PAGES"])
HAS_CHECKER = (Path(PROGRAM).parent / "cuda-lint-check").exists()


def said(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True,
                          text=True).stdout


def options(text):
    """Long ones, of the list in --help."""
    heads = re.findall(r"(?m)^  (-.*?)(?:  |$)", text)
    return {name for head in heads for name in re.findall(r"--[\w-]+", head)}


class Made(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (PAGES / ".made").exists():
            raise unittest.SkipTest("no pages were made in this build")


class ManPages(Made):
    COMMANDS = (["confirm", "launcher", "occupancy"]
                + ([""] if HAS_CHECKER else []))

    def page(self, command):
        return PAGES / ("-".join(["cuda-lint", *command.split()]) + ".1.gz")

    def shown(self, path):
        done = subprocess.run(
            ["man", "--warnings", "-l", path], capture_output=True, text=True,
            env={**os.environ, "MANWIDTH": "200", "LC_ALL": "C.UTF-8",
                 "MAN_KEEP_FORMATTING": "", "MANROFFOPT": ""})
        self.assertEqual((0, ""), (done.returncode, done.stderr), path)
        return done.stdout

    def setUp(self):
        if not shutil.which("man") or not shutil.which("groff"):
            self.skipTest("no page is shown: install man-db")

    def test_no_warnings(self):
        for path in PAGES.glob("*.1.gz"):
            text = gzip.decompress(path.read_bytes()).decode()
            if text.startswith(".so "):
                continue
            with self.subTest(path.name):
                done = subprocess.run(
                    ["groff", "-man", "-ww", "-Tutf8", "-z"], input=text,
                    capture_output=True, text=True)
                self.assertEqual((0, ""), (done.returncode, done.stderr))
                self.shown(path)

    def test_all_options_are_there(self):
        for command in self.COMMANDS:
            page = self.shown(self.page(command))
            listed = options(said(*command.split(), "--help"))
            self.assertGreater(len(listed), 1, command)
            for option in listed:
                # At the begin of a line, as a hyphen that can be copied.
                self.assertRegex(page, rf"(?m)^ +(-\w, |--\w+, )?{option}\b",
                                 command)

    def test_the_parts_of_a_page(self):
        for command in self.COMMANDS:
            page = self.shown(self.page(command))
            name = "-".join(["cuda-lint", *command.split()])
            self.assertRegex(page, rf"(?m)^NAME\n +{name} - [a-z].*$")
            for title in ("SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO"):
                self.assertRegex(page, rf"(?m)^{title}$", command)
            # What is said of the exit code, and each example, word for word.
            text = said(*command.split(), "--help")
            for part in re.findall(r"(?m)^  (cuda-lint .*)$",
                                   text.partition("Examples:")[2]):
                self.assertIn(part, page)
            if codes := re.search(r"Exit codes: (.*?)\n\n", text, re.DOTALL):
                self.assertIn(" ".join(codes[1].split()),
                              " ".join(page.split()))

    def test_whatis(self):
        if not shutil.which("lexgrog"):
            self.skipTest("no lexgrog: install man-db")
        for command in self.COMMANDS:
            done = subprocess.run(["lexgrog", self.page(command)],
                                  capture_output=True, text=True)
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)


class Shell:
    """What each shell must offer; a class below for each. After the words, of
    which the last is completed, those that are to be offered."""

    def names(self, command, begin):
        return sorted(line.split()[0] for line in said(command).splitlines()
                      if line.startswith(begin))

    def test_options(self):
        # Of confirm, by its own --help.
        listed = options(said("confirm", "--help"))
        for option in listed:
            self.assertIn(option, self.offered("confirm", option), option)
        self.assertEqual(["--predictions"], self.offered("confirm", "--pred"))
        if HAS_CHECKER:
            for option in options(said("--help")):
                self.assertIn(option, self.offered(option), option)
            # The other options of files go with these, too.
            self.assertEqual(["--header-filter"],
                             self.offered("merge", "--header-f"))
            self.assertEqual(["--header-filter"],
                             self.offered("launcher", "--header-f"))

    def test_values(self):
        self.assertEqual(["json", "text"],
                         self.offered("confirm", "--format", ""))
        self.assertEqual(["missed"], self.offered("confirm", "--fail-on", "m"))
        self.assertEqual(["block", "registers", "shared"],
                         self.offered("occupancy", "--sweep", ""))
        self.assertEqual(self.names("list-gpus", "gtx-10"),
                         self.offered("occupancy", "--gpu", "gtx-10"))
        if HAS_CHECKER:
            self.assertEqual(["error", "never", "note", "warning"],
                             self.offered("--fail-on", ""))
            self.assertEqual(["error", "never", "note", "warning"],
                             self.offered("launcher", "--fail-on", ""))
            self.assertEqual(["line", "waste"], self.offered("--sort", ""))

    def test_values_are_those_that_are_taken(self):
        if not HAS_CHECKER:
            return
        for option in ("--color", "--fail-on", "--format", "--ptxas", "--sort"):
            words = self.offered(option, "")
            self.assertGreater(len(words), 1, option)
            for word in [*words, "other"]:
                done = subprocess.run(
                    [PROGRAM, f"{option}={word}", "--", "--help"],
                    capture_output=True, text=True)
                self.assertEqual(word == "other", f"for {option}; use "
                                 in done.stderr, f"{option} {word}")

    def test_values_behind_a_sign(self):
        self.assertEqual(["json"], self.joined("confirm", "--format=j"))
        if HAS_CHECKER:
            self.assertEqual(["rounding"], self.joined("--fix=r"))
            self.assertEqual([], [word for word in self.offered("--fix", "rou")
                                  if word == "rounding"])

    def test_checks(self):
        if not HAS_CHECKER:
            return
        shared = self.names("list-checks", "shared-b")
        self.assertGreater(len(shared), 1)
        self.assertEqual(shared, self.offered("explain", "shared-b"))
        self.assertEqual(shared, self.globs("--checks", "shared-b"))
        self.assertEqual(["-*,-" + name for name in shared],
                         self.globs("--checks", "-*,-shared-b"))

    def test_commands(self):
        self.assertIn("launcher", self.offered("laun"))
        self.assertIn("list-gpus", self.offered("list-g"))
        self.assertEqual([], self.offered("occupancy", "list-g"))

    def test_what_is_behind_the_dashes_is_not_ours(self):
        self.assertEqual([], self.offered("confirm", "--", "./app", "--form"))

    def test_files_with_hostile_names(self):
        for name in ("$(touch made)", "`touch made`", "; touch made", "a b.cu",
                     "-dash.cu", "new\nline.cu"):
            (self.folder / name).touch()
        for words in (("",), ("$",), ("a",), ("confirm", "--predictions", ""),
                      ("--output", "a"), ("$(touch made)", ""),
                      ("--checks", "$(touch made),"),
                      ("--checks", "`touch made`,sh")):
            self.offered(*words)
            self.assertFalse((self.folder / "made").exists(), words)

    def setUp(self):
        super().setUp()
        if not shutil.which(self.SHELL):
            self.skipTest(f"no completion is tried: install {self.SHELL}")
        self.folder = Path(tempfile.mkdtemp(prefix="cuda-lint-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.home = Path(tempfile.mkdtemp(prefix="cuda-lint-home-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.file = PAGES / f"cuda-lint.{self.SHELL}"

    def run_shell(self, text):
        done = subprocess.run(
            [self.SHELL, "-c", text], cwd=self.folder, capture_output=True,
            text=True, env={**os.environ, "HOME": str(self.home),
                            "XDG_CONFIG_HOME": str(self.home)})
        self.assertEqual((0, ""), (done.returncode, done.stderr), text)
        return done.stdout

    def test_syntax(self):
        done = subprocess.run([self.SHELL, "-n", self.file],
                              capture_output=True, text=True)
        self.assertEqual((0, ""), (done.returncode, done.stderr))

    def joined(self, *words):
        """The same, of the value behind the last `=` alone."""
        return sorted(word.rpartition("=")[2] for word in self.offered(*words))

    def globs(self, *words):
        return self.offered(*words)


class Bash(Shell, Made):
    SHELL = "bash"

    def complete(self, words):
        text = self.run_shell(
            f"source {shlex.quote(str(self.file))}\n"
            f"COMP_WORDS=(cuda-lint {shlex.join(words)})\n"
            f"COMP_CWORD={len(words)}\n_cuda_lint\n"
            "printf '%s\\0' \"${COMPREPLY[@]}\"")
        return sorted(filter(None, text.split("\0")))

    def offered(self, *words):
        return self.complete(words)

    def joined(self, *words):
        """Where readline breaks words at =, and where it does not."""
        option, _, value = words[-1].partition("=")
        broken = self.complete([*words[:-1], option, "=", value])
        self.assertEqual([f"{option}={word}" for word in broken],
                         self.complete(words))
        # With nothing behind it, the = is the word.
        self.assertTrue(set(broken) <= set(
            self.complete([*words[:-1], option, "="])))
        return broken

    def test_readline_quotes_names(self):
        """At a prompt, a name is written so that it stays one word."""
        (self.folder / "$(touch made) x.cu").touch()
        begin = "PS1=; HISTFILE=; bind 'set enable-bracketed-paste off'; "
        for line in ("cuda-lint \\$", "cuda-lint --output \\$",
                     "cuda-lint occupancy \\$"):
            said = at_prompt(["bash", "--norc", "--noprofile", "-i"],
                             self.folder, self.home,
                             f"{begin}source {shlex.quote(str(self.file))}; "
                             "cuda-lint() { printf '<%s>' \"$@\"; echo .; }\n",
                             f"{line}\t\n")
            self.assertIn("<$(touch made) x.cu>.", said)
            self.assertFalse((self.folder / "made").exists())


class Fish(Shell, Made):
    SHELL = "fish"

    def offered(self, *words):
        line = " ".join(["cuda-lint", *(
            word if re.fullmatch(r"[\w=,*.-]*", word) else
            "'" + word.replace("'", "\\'") + "'" for word in words)])
        text = self.run_shell(f"source {self.file}\n"
                              f"complete -C {self.quoted(line)}")
        found = {line.split("\t")[0] for line in text.splitlines()}
        # Between other words of the value, fish looks for what was typed.
        return sorted(word for word in found if word.startswith(words[-1]))

    def globs(self, option, value):
        # In a word of its own, fish takes what begins with a dash for an
        # option.
        return self.joined(f"{option}={value}")

    @staticmethod
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Zsh(Shell, Made):
    SHELL = "zsh"

    def setUp(self):
        super().setUp()
        functions = self.home / "functions"
        functions.mkdir()
        shutil.copy(self.file, functions / "_cuda-lint")

    def offered(self, *words):
        line = " ".join(["cuda-lint", *(
            word if re.fullmatch(r"[\w=,*.-]*", word) else shlex.quote(word)
            for word in words)])
        result = self.home / "result"
        result.unlink(missing_ok=True)
        # What would be offered is what compadd is given and keeps.
        begin = (
            "PS1= PROMPT_EOL_MARK=; unset zle_bracketed_paste; setopt noglob\n"
            f"fpath=({self.home}/functions $fpath)\n"
            f"autoload -Uz compinit; compinit -u -d {self.home}/dump\n"
            "compadd() {\n"
            "  builtin compadd \"$@\" || return\n"
            "  [[ ${@[(r)-O]-} || ${@[(r)-A]-} || ${@[(r)-D]-} ]] && return\n"
            "  local -a kept; builtin compadd -O kept \"$@\"\n"
            f"  print -rl -- $IPREFIX$^kept >>{result}.part\n"
            "}\n"
            f"finish() {{ zle list-choices; : >>{result}.part; "
            f"mv {result}.part {result}; BUFFER=; }}\n"
            "zle -N finish; bindkey '^T' finish; print READY\n")
        at_prompt(["zsh", "-f", "-i"], self.folder, self.home, begin,
                  f"{line}\x14", until=result)
        return sorted(set(filter(None, result.read_text().splitlines())))


def at_prompt(command, folder, home, begin, typed, until=None):
    """What a shell at a terminal shows of what is typed after \\p begin; ends
    when the file \\p until is there, or after exit."""
    script = home / "begin"
    script.write_text(begin, encoding="utf-8")
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.environ.update(HOME=str(home), TERM="dumb", LC_ALL="C.UTF-8")
        os.execvp(command[0], command)
    shown = b""

    def read(seconds, done):
        nonlocal shown
        end = time.monotonic() + seconds
        while time.monotonic() < end and not done():
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    more = os.read(terminal, 65536)
                except OSError:
                    return
                if not more:
                    return
                shown += more

    try:
        os.write(terminal, f". {script}; echo LOA''DED\n".encode())
        read(30, lambda: b"LOADED" in shown)
        shown = b""
        os.write(terminal, typed.encode())
        if until:
            read(30, until.exists)
        else:
            read(1, lambda: False)
    finally:
        os.close(terminal)
        try:
            os.kill(process, 9)
        except ProcessLookupError:
            pass
        os.waitpid(process, 0)
    return shown.decode(errors="replace")


if __name__ == "__main__":
    ctest.main()
