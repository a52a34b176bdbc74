#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the man pages and the completions of a program that was just built.

    from_help.py PROGRAM VERSION FOLDER

All comes from what the program says of itself: its --help, list-checks and
list-gpus; which words an option takes, from its answer to one that it does not
know. So nothing is written twice. FOLDER gets NAME.1.gz, cuda-lint.bash,
cuda-lint.zsh and cuda-lint.fish. A program without its checker has shorter
ones.
"""

import gzip
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

# A command with a page of its own, and what that is called in one line.
PAGES = {
    "": "find CUDA performance faults in source code",
    "confirm": "compare predictions with the counters of a GPU",
    "launcher": "lint CUDA files while a build compiles them",
    "occupancy": "tell how many blocks of a launch fit an SM",
    "prove": "build and run a program without and with a fix",
}
# Commands with all options of `cuda-lint FILE` besides their own.
OPTIONS_OF_FILES = ("launcher", "merge", "occupancy", "prove")
# What a value is by its name in --help; of the others the program is asked.
FILES = ("FILE", "[FILE:LINE]", "PATH", "DIR")


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)

    def help(self, command):
        return self.run(*command.split(), "--help").stdout

    def names(self, command):
        return [line.split()[0]
                for line in self.run(command).stdout.splitlines()]

    def words(self, command, option):
        """Those that the option takes; none, if it takes any."""
        # Without a file, these would lint the project that they are in.
        files = ([os.path.join(os.devnull, "none.cu")]
                 if command in ("", "prove") else [])
        said = self.run(*command.split(), f"{option}=?", *files).stderr
        match = re.search(rf" for {option}; use (?:one of )?(.*)$", said,
                          re.MULTILINE)
        words = re.split(r", | or ", match[1]) if match else []
        return words if all(re.fullmatch(r"[\w-]+", w) for w in words) else []


#===-----------------------------------------------------------------------===#
# Reading --help
#===-----------------------------------------------------------------------===#

def items(lines):
    """Of a list: each head and its text. Heads stand two columns in, texts in
    one column, beside the head or below it."""
    column = next((len(line) - len(line.lstrip()) for line in lines
                   if line.startswith("   ")), None)
    if column is None:
        column = re.match(r"  \S.*?  +", lines[0]).end()
    found = []
    for line in lines:
        if line.startswith("   "):
            found[-1][1].append(line.strip())
        elif line[column - 1:column] == " ":
            found.append((line[:column].strip(), [line[column:]]))
        else:
            found.append((line.strip(), []))
    return [(head, " ".join(text)) for head, text in found]


class Help:
    """The parts of what --help prints."""

    def __init__(self, text):
        self.usage, self.options, self.commands = [], [], []
        self.description, self.notes, self.exits, self.examples = [], [], "", []
        for part in re.split(r"\n\n+", text.strip("\n")):
            lines = part.splitlines()
            if not lines:
                continue  # The command is one of a part that was not built.
            if lines[0].startswith("Usage: "):
                self.usage = [line[len("Usage: "):] for line in lines]
            elif lines[0] == "Options:":
                listed = [line for line in lines[1:] if line.startswith("  ")]
                self.options = items(listed)
                self.notes += [" ".join(l for l in lines[1:]
                                        if l not in listed)]
            elif lines[0] == "Commands:":
                self.commands = items(lines[1:])
            elif lines[0] == "Examples:":
                self.examples = [line.strip() for line in lines[1:]]
            elif lines[0].startswith("Exit codes: "):
                self.exits = " ".join(lines)[len("Exit codes: "):]
            elif self.options or self.commands:
                self.notes.append(" ".join(lines))
            else:
                self.description.append(" ".join(lines))
        self.notes = [note for note in self.notes if note]


class Option:
    """`-o, --output FILE` and its text."""

    def __init__(self, head, text):
        names, self.text = head.split(", "), text
        names[-1], _, self.value = names[-1].partition(" ")
        self.names = names
        # It may be left out, so that only what follows a = is one.
        self.joined = self.value[:1] == "[" and self.value[-1] == "]"
        self.words, self.kind = [], "any" if self.value else ""

    def ask(self, program, command):
        if self.value in FILES:
            self.kind = "file"
        elif self.names[0] == "--gpu":
            self.kind = "gpu"
        elif self.names[0] == "--checks":
            self.kind = "checks"
        elif self.kind and (words := program.words(command, self.names[0])):
            self.kind, self.words = "words", words
        return self


#===-----------------------------------------------------------------------===#
# Man pages
#===-----------------------------------------------------------------------===#

def roff(text):
    for character, name in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"),
                            ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti")):
        text = text.replace(character, name)
    return "\\&" + text if text.startswith(".") else text


def roff_head(head):
    """Names are bold, and what stands for something else is italic."""
    option = Option(head, "")
    return (", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
            + (f" \\fI{roff(option.value)}\\fR" if option.value else ""))


def man_page(command, said, version):
    name = "-".join(["cuda-lint", *command.split()])
    lines = [".\\\" Made from --help.",
             f'.TH {roff(name).upper()} 1 "" "cuda\\-lint {version}" '
             '"User Commands"',
             ".SH NAME", f"{roff(name)} \\- {roff(PAGES[command])}",
             ".SH SYNOPSIS"]
    for usage in said.usage:
        first, _, rest = usage.partition(" ")
        lines += [".HP 4", f"\\fB{roff(first)}\\fR {roff(rest)}"]
    lines.append(".SH DESCRIPTION")
    for paragraph in said.description or [
            PAGES[command][0].upper() + PAGES[command][1:] + "."]:
        lines += [".PP", roff(paragraph)]
    for title, listed in (("OPTIONS", said.options),
                          ("COMMANDS", said.commands)):
        if listed:
            lines.append(f".SH {title}")
        for head, text in listed:
            lines += [".TP", roff_head(head) if title == "OPTIONS" else
                      f"\\fB{roff(head)}\\fR", roff(text)]
    if said.notes:
        lines.append(".SH NOTES")
        for note in said.notes:
            lines += [".PP", roff(note[0].upper() + note[1:])]
    if said.exits:
        lines += [".SH EXIT STATUS", roff(said.exits)]
    if said.examples:
        lines += [".SH EXAMPLES", ".nf",
                  *(roff(line) for line in said.examples), ".fi"]
    others = sorted("-".join(["cuda-lint", *other.split()]) for other in PAGES
                    if other != command)
    lines += [".SH SEE ALSO", ",\n".join(f"\\fB{roff(other)}\\fR(1)"
                                         for other in others)]
    return "\n".join(lines) + "\n"


#===-----------------------------------------------------------------------===#
# Completions
#===-----------------------------------------------------------------------===#

class Commands:
    """What can stand on the command line: the options of each command."""

    def __init__(self, program, pages):
        self.checks = (program.names("list-checks")
                       if pages[""].options else [])
        self.gpus = program.names("list-gpus")
        self.texts = {}
        for head, text in pages[""].commands:
            self.texts.setdefault(head.split()[0], text)
        self.options = {}
        for command in ["", *self.texts]:
            listed = pages[command].options if command in pages else []
            self.options[command] = [Option(*each).ask(program, command)
                                     for each in listed]
        files = self.options[""]
        # One of them stands for all in --help.
        texts = {name: option.words for option in files
                 for name in option.names}
        files += [Option(f"--output-{name} FILE", f"Another report, in {name}"
                         ).ask(program, "")
                  for name in texts.get("--format", []) if name != "text"]
        for command in OPTIONS_OF_FILES:
            if command in self.options:
                its = self.options[command]
                known = {name for option in its for name in option.names}
                its += [option for option in files
                        if not known & set(option.names)]
                # The launcher answers only when it compiles.
                for option in its:
                    if option.kind == "any" and texts.get(option.names[0]):
                        option.kind = "words"
                        option.words = texts[option.names[0]]
        if "explain" in self.options:
            self.options["explain"] = [
                Option(head.partition(" ")[2], text).ask(program, "explain")
                for head, text in pages[""].commands
                if head.startswith("explain --")]


HEAD = """\
# Completion of cuda-lint in {shell}. Made from its --help.
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

BASH = r"""
# Names of files are left to readline, which quotes what is in them, and nothing
# that was typed is evaluated.
_cuda_lint() {
  local cur=${COMP_WORDS[COMP_CWORD]} before= command= option= prefix= joined=
  local i word
  local -a words=() checks=(@CHECKS@) gpus=(@GPUS@)
  COMPREPLY=()
  ((COMP_CWORD > 0)) || return 0
  before=${COMP_WORDS[COMP_CWORD - 1]}
  if ((COMP_CWORD > 1)); then
    case ${COMP_WORDS[1]} in
      @COMMANDS@) command=${COMP_WORDS[1]} ;;
    esac
  fi
  # What is behind it is not ours.
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} != -- ]] || return 0
  done
  # Where = breaks words, as it usually does, it is a word itself.
  if [[ $cur == --*=* ]]; then
    option=${cur%%=*} prefix=${cur%%=*}= cur=${cur#*=} joined=1
  elif [[ $cur == = ]]; then
    option=$before cur= joined=1
  elif [[ $before == = ]] && ((COMP_CWORD > 2)); then
    option=${COMP_WORDS[COMP_CWORD - 2]} joined=1
  elif [[ $before == -* ]]; then
    option=$before
  fi
  case $command,$option,$joined in
@VALUES@
    *,1) return 0 ;;
    *)
      if [[ $cur == -* ]]; then
        case $command in
@OPTIONS@
        esac
      elif [[ $command == explain ]]; then
        words=("${checks[@]}")
      elif [[ $command == list-* ]]; then
        words=()
      elif [[ -z $command ]] && ((COMP_CWORD == 1)); then
        # A command, or a file.
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        words=(@COMMAND_WORDS@)
      else
        return 0
      fi
      ;;
  esac
  # A value that is none is no file either.
  [[ -n ${COMPREPLY[*]-} ]] || compopt +o default 2>/dev/null
  for word in ${words[@]+"${words[@]}"}; do
    [[ $word != "$cur"* ]] || COMPREPLY+=("$prefix$word")
  done
  return 0
}

# Globs of checks, of which the last is completed.
_cuda_lint_globs() {
  local last=${cur##*,}
  last=${last#-}
  local first=${cur%"$last"} name
  for name in "${checks[@]}"; do words+=("$first$name"); done
}

complete -o default -F _cuda_lint cuda-lint
"""


def bash(commands):
    values, options = {}, []
    for command, its in commands.options.items():
        for option in its:
            for joined in ("1",) if option.joined else ("", "1"):
                patterns = [f"{command},{name},{joined}"
                            for name in option.names
                            if name.startswith("--") or not joined]
                action = {"any": "compopt +o default 2>/dev/null; return 0",
                          "file": "return 0",
                          "gpu": 'words=("${gpus[@]}")',
                          "checks": "_cuda_lint_globs",
                          "words": f"words=({' '.join(option.words)})",
                          }.get(option.kind)
                if action:
                    values.setdefault(action, []).extend(patterns)
        names = " ".join(name for option in its for name in option.names)
        options.append(f"          {command or shlex.quote('')}) "
                       f"words=({names}) ;;")
    names = list(commands.texts)
    return fill(BASH, CHECKS=" ".join(commands.checks),
                GPUS=" ".join(commands.gpus), COMMANDS=" | ".join(names),
                COMMAND_WORDS=" ".join(names), VALUES="\n".join(
                    "    " + " | \\\n    ".join(patterns) + f")\n"
                    f"      {action} ;;"
                    for action, patterns in values.items() if patterns),
                OPTIONS="\n".join(options))


ZSH = r"""
_cuda_lint_first() {
  local -a commands=(
@COMMANDS@
  )
  _alternative 'commands:command:{_describe -t commands command commands}' \
    'files:file:_files'
}

# Globs of checks, of which the last is completed.
_cuda_lint_globs() {
  compset -P '*,'
  compset -P '-'
  compadd -S '' -- @CHECKS@
}

_cuda_lint_checks() { compadd -- @CHECKS@ }

_cuda_lint_gpus() { compadd -- @GPUS@ }

_cuda-lint() {
  local command=
  local -a options
  if ((CURRENT > 2)); then
    case $words[2] in
      (@NAMES@)
        command=$words[2]
        words=("$words[1]" "${(@)words[3,-1]}")
        ((CURRENT--))
        ;;
    esac
  fi
  case $command in
@OPTIONS@
  esac
  case $command in
    (explain) options+=('1:check:_cuda_lint_checks') ;;
    (list-*) options+=('1: :') ;;
    ('') options+=('1: :_cuda_lint_first' '*:file:_files') ;;
    (*) options+=('*:file:_files') ;;
  esac
  # What is behind -- is not ours.
  _arguments -S "$options[@]"
}

if [ "$funcstack[1]" = "_cuda-lint" ]; then
  _cuda-lint "$@"
else
  compdef _cuda-lint cuda-lint
fi
"""


def zsh(commands):
    def quoted(text):
        return "'" + text.replace("'", "'\\''") + "'"

    def spec(option, name):
        text = re.sub(r"([\\\[\]:])", r"\\\1", option.text)
        value = {"any": " ", "file": "_files", "gpu": "_cuda_lint_gpus",
                 "checks": "_cuda_lint_globs",
                 "words": f"({' '.join(option.words)})"}.get(option.kind)
        word = re.sub(r"\W+", " ", option.value).strip().lower()
        sign = "" if not value or not name.startswith("--") else (
            "=-" if option.joined else "=")
        # * : it may be repeated.
        return quoted(f"*{name}{sign}[{text}]" + (
            f":{':' if option.joined else ''}{word}:{value}" if value else ""))

    options = []
    for command, its in commands.options.items():
        options.append(f"    ({command or shlex.quote('')}) options=(")
        options += [f"      {spec(option, name)}" for option in its
                    for name in option.names]
        options.append("    ) ;;")
    described = "\n".join(
        "    " + quoted(f"{name}:" + re.sub(r"([\\:])", r"\\\1", text))
        for name, text in commands.texts.items())
    return fill(ZSH, CHECKS=" ".join(commands.checks),
                GPUS=" ".join(commands.gpus), COMMANDS=described,
                NAMES="|".join(commands.texts), OPTIONS="\n".join(options))


def fish(commands):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    names = " ".join(commands.texts)
    lines = ["# Globs of checks, of which the last is completed.",
             "function __cuda_lint_globs",
             "  set -l first (string match -r '^(?:.*,)?-?' -- "
             "(string replace -r '^--checks=' '' -- (commandline -ct)))",
             f"  for name in {' '.join(commands.checks)}",
             '    echo "$first$name"', "  end", "end", ""]
    for name, text in commands.texts.items():
        lines.append(f"complete -c cuda-lint -n __fish_use_subcommand "
                     f"-a {name} -d {quoted(text)}")
    for name in commands.texts:
        if name.startswith("list-") or name == "explain":
            when = f"__fish_seen_subcommand_from {name}"
            lines.append(f"complete -c cuda-lint -n {quoted(when)} -f" + (
                f" -a {quoted(' '.join(commands.checks))}"
                if name == "explain" else ""))
    for command, its in commands.options.items():
        when = (f"__fish_seen_subcommand_from {command}" if command else
                f"not __fish_seen_subcommand_from {names}")
        for option in its:
            words = [f"complete -c cuda-lint -n {quoted(when)}"]
            for name in option.names:
                words.append(f"-l {name[2:]}" if name.startswith("--") else
                             f"-s {name[1:]}")
            if option.joined:
                words.append("-f" if option.kind != "file" else "")
            elif option.kind:
                words.append("-r" if option.kind == "file" else "-x")
            offered = {"gpu": " ".join(commands.gpus),
                       "checks": "(__cuda_lint_globs)",
                       "words": " ".join(option.words)}.get(option.kind)
            if offered:
                words.append(f"-a {quoted(offered)}")
            words.append(f"-d {quoted(option.text)}")
            lines.append(" ".join(word for word in words if word))
    return "\n".join(lines) + "\n"


def fill(text, **values):
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text.lstrip("\n")


def write_page(folder, name, text):
    """Compressed, as Debian has them, and the same each time."""
    (folder / f"{name}.1.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def main():
    program, version, folder = Program(sys.argv[1]), sys.argv[2], Path(
        sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    pages = {}
    for command in PAGES:
        pages[command] = Help(program.help(command))
        if not pages[command].usage:
            # This program was built without it.
            del pages[command]
            continue
        name = "-".join(["cuda-lint", *command.split()])
        write_page(folder, name, man_page(command, pages[command], version))
    write_page(folder, "cuda-lint-check", ".so man1/cuda-lint.1\n")
    commands = Commands(program, pages)
    for name, shell, text in (("cuda-lint.bash", "bash", bash(commands)),
                              ("cuda-lint.zsh", "zsh", zsh(commands)),
                              ("cuda-lint.fish", "fish", fish(commands))):
        head = HEAD.format(shell=shell)
        if shell == "zsh":
            head = "#compdef cuda-lint\n" + head
        (folder / name).write_text(f"{head}\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
