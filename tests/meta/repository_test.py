#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of this repository that reading its files can prove.

A class is a rule; `repository_test.py Layers` tests one of them. A failure
names the file, the line, the rule and the remedy.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest

ROOT = Path(__file__).resolve().parents[2]

# A source folder, and the folders whose headers it may include beside its
# own: the arrows of the design, which all point one way.
LAYERS = {
    "cubin": [],
    "hardware": [],
    "kernels": ["hardware"],
    "report": ["hardware"],
    "occupancy": ["hardware", "report"],
    "driver": ["hardware", "occupancy", "report"],
    "analyzer/frontend": ["hardware", "report"],
    "analyzer/ir": ["analyzer/frontend", "hardware", "report"],
    "analyzer/launch": ["analyzer/frontend", "hardware", "report"],
    "analyzer/resources": ["analyzer/frontend", "cubin", "hardware",
                           "report"],
    "analyzer/model": ["analyzer/frontend", "analyzer/ir", "analyzer/launch",
                       "analyzer/resources", "cubin", "hardware", "report"],
    "analyzer/remedy": ["analyzer/frontend", "analyzer/ir", "analyzer/model",
                        "hardware", "report"],
    "analyzer/checks": ["analyzer/frontend", "analyzer/ir", "analyzer/launch",
                        "analyzer/model", "analyzer/remedy",
                        "analyzer/resources", "cubin", "hardware", "report"],
    "analyzer/fix": ["report"],
    "analyzer/plugin": ["analyzer/checks", "analyzer/fix", "analyzer/frontend",
                        "analyzer/pipeline", "hardware", "report"],
    "analyzer/pipeline": ["analyzer/checks", "analyzer/frontend",
                          "analyzer/ir", "analyzer/launch", "analyzer/model",
                          "analyzer/resources", "hardware", "report"],
    "analyzer/project": ["analyzer/frontend", "report"],
    "analyzer/tool": ["analyzer", "hardware", "occupancy", "report",
                      "runtime/measure", "runtime/prove"],
    "runtime/probe": ["cubin"],
    "runtime/join": ["hardware", "report"],
    "runtime/hotspots": ["hardware", "report", "runtime/join",
                         "runtime/measure"],
    "runtime/measure": ["report", "runtime/join"],
    "runtime/ncu": ["report", "runtime/join"],
    "runtime/prove": ["report", "runtime/join", "runtime/measure"],
    "runtime/tool": ["hardware", "report", "runtime/hotspots", "runtime/join",
                     "runtime/measure", "runtime/ncu"],
}
SOURCE_ROOTS = sorted({folder.split("/")[0] for folder in LAYERS})

CXX = {".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
LICENSE = [
    "Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.",
    "See LICENSE for license information.",
    "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
]

# What has no place in a file of a public repository, and why.
FORBIDDEN = [
    (r"(?<![\w.}])/(work|home|root|mnt|Users)/", "path of one machine"),
    (r"\b(apt|archive|deb|mirrors?|registry|security|snapshot)"
     r"\.[\w.-]+\.(com|io|net|org)\b", "host of a package registry"),
    (r"\bissues? #?\d", "number of an issue: say what it was about"),
    (r"^(<{7}|>{7}|={7})( |$)", "mark of a merge conflict"),
]


def repository_files():
    """What git tracks or would track, or else everything but build/."""
    try:
        names = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = []
        for folder, folders, files in os.walk(ROOT):
            here = Path(folder)
            if here == ROOT:
                folders[:] = [f for f in folders if f not in ("build", ".git")]
            names += [str((here / f).relative_to(ROOT)) for f in files]
    return sorted(Path(n) for n in names if n and (ROOT / n).is_file())


FILES = repository_files()


def lines(path):
    text = (ROOT / path).read_bytes().decode("utf-8", errors="replace")
    return text.splitlines()


def is_text(path):
    return b"\0" not in (ROOT / path).read_bytes()[:8192]


def is_script(path):
    return (ROOT / path).read_bytes()[:2] == b"#!"


def is_shell(path):
    return is_script(path) and re.search(r"\b(ba)?sh\b", lines(path)[0])


def sources():
    """Our C++ and CUDA, less what the tests of the checks are fed with."""
    return [f for f in FILES
            if f.suffix in CXX and f.parts[:2] != ("tests", "check")]


class Rule(unittest.TestCase):
    def setUp(self):
        self.assertGreater(len(FILES), 20, "the files were not found")
        self.faults = []

    def fault(self, path, line, message):
        self.faults.append(f"{path}:{line}: {message}")

    def tearDown(self):
        if self.faults:
            self.fail("\n" + "\n".join(self.faults))


class Layers(Rule):
    """One folder, one direction of dependency."""

    def layer_of(self, path):
        """The source folder, or that of the mirror under tests/unit."""
        parts = path.parts
        if parts[:2] == ("tests", "unit"):
            parts = parts[2:]
        for depth in (1, 2):
            if "/".join(parts[:depth]) in LAYERS and len(parts) > depth:
                return "/".join(parts[:depth])
        return None

    def allowed(self, layer, include):
        return any(include.startswith(folder + "/")
                   for folder in [layer] + LAYERS[layer])

    def test_includes_point_one_way(self):
        for path in sources():
            if path.parts[0] not in SOURCE_ROOTS:
                continue
            layer = self.layer_of(path)
            if layer is None:
                self.fault(path, 1, "folder is not in LAYERS of this test: "
                           "say there what it may include")
                continue
            for number, line in enumerate(lines(path), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                include = match.group(2)
                if (include.split("/")[0] in SOURCE_ROOTS
                        and not self.allowed(layer, include)):
                    self.fault(path, number, f"{layer} may not include "
                               f"{include}: allowed are "
                               f"{', '.join([layer] + LAYERS[layer])}")

    def test_own_headers_are_named_from_the_root(self):
        roots = SOURCE_ROOTS + ["bench", "clang", "clang-c", "llvm", "llvm-c",
                                "tests"]
        for path in sources():
            if path.parts[0] in ("kernels", "samples"):
                continue
            for number, line in enumerate(lines(path), 1):
                match = INCLUDE.match(line)
                if not match or match.group(1) == "<":
                    continue
                # What only the tests of one folder share stands beside them.
                if (path.parts[0] == "tests"
                        and (ROOT / path.parent / match.group(2)).is_file()):
                    continue
                if match.group(2).split("/")[0] not in roots:
                    self.fault(path, number, f"{match.group(2)}: name it "
                               "from the root of the repository")

    def test_llvm_only_in_the_analyzer(self):
        llvm = re.compile(r"(clang|clang-c|llvm|llvm-c)/")
        allowed = ("analyzer", "bench", "tests")
        for path in sources():
            layer = self.layer_of(path)
            if path.parts[0] in allowed and (
                    layer is None or layer.startswith("analyzer/")):
                continue
            for number, line in enumerate(lines(path), 1):
                match = INCLUDE.match(line)
                if match and llvm.match(match.group(2)):
                    self.fault(path, number, f"{match.group(2)}: LLVM is for "
                               "analyzer/ alone")

    def test_cupti_only_in_the_probe(self):
        # The trial of the hardware model reads the same counters, launch by
        # launch and without a program around it. The probe's tests make one up,
        # and have a program that profiles itself.
        others = (Path("kernels/trial/SassCounters.cpp"),
                  Path("tests/gpu/OtherProfiler.cu"))
        for path in sources():
            if (self.layer_of(path) == "runtime/probe" or path in others
                    or path.parts[:2] == ("tests", "probe")):
                continue
            for number, line in enumerate(lines(path), 1):
                match = INCLUDE.match(line)
                if match and Path(match.group(2)).name.startswith("cupti"):
                    self.fault(path, number, f"{match.group(2)}: CUPTI is "
                               "for runtime/probe alone")


class Licenses(Rule):
    def test_license_is_whole(self):
        text = "\n".join(lines("LICENSE"))
        self.assertIn("Apache License\n", text)
        self.assertIn("END OF TERMS AND CONDITIONS", text)
        self.assertIn("---- LLVM Exceptions to the Apache 2.0 License ----",
                      text)

    def test_sources_open_with_path_and_license(self):
        for path in sources():
            head = lines(path)[:6]
            title = head[0] if head else ""
            if (not title.startswith(f"//===- {path} - ")
                    or not title.endswith("===//") or len(title) > 80):
                self.fault(path, 1, f"first line is not `//===- {path} - what "
                           "it is ---===//` in 80 columns")
            elif [line[3:] for line in head[2:5]] != LICENSE:
                self.fault(path, 3, "license is missing: copy the lines of "
                           "report/Finding.h")

    def test_scripts_name_the_license(self):
        for path in FILES:
            if not is_script(path) and path.suffix != ".py":
                continue
            if not any(LICENSE[2] in line for line in lines(path)[:10]):
                self.fault(path, 1, f"`{LICENSE[2]}` is missing")


class HeaderGuards(Rule):
    def test_guard_is_the_path(self):
        for path in sources():
            if path.suffix != ".h":
                continue
            guard = "CUDA_LINT_" + re.sub(r"\W", "_", str(path)).upper()
            text = "\n".join(lines(path))
            if (f"\n#ifndef {guard}\n#define {guard}\n" not in text
                    or not text.endswith(f"#endif // {guard}")):
                self.fault(path, 1, f"header guard is not {guard}")


class OwnHeaders(Rule):
    def test_a_source_includes_its_own_header_first(self):
        """So that each header is seen to compile alone."""
        for path in sources():
            own = path.with_suffix(".h")
            if path.suffix != ".cpp" or not (ROOT / own).is_file():
                continue
            for number, line in enumerate(lines(path), 1):
                if match := INCLUDE.match(line):
                    if match[2] not in (str(own), own.name):
                        self.fault(path, number, f"includes {own} not first")
                    break


class Words(Rule):
    def test_nothing_of_one_machine_or_one_place(self):
        for path in FILES:
            if path.name == "LICENSE" or not is_text(path):
                continue
            for number, line in enumerate(lines(path), 1):
                for pattern, why in FORBIDDEN:
                    match = re.search(pattern, line)
                    # The patterns themselves are in this file.
                    if match and path.name != Path(__file__).name:
                        self.fault(path, number, f"{match.group(0)!r}: {why}")


class UsedHeaders(Rule):
    """What is read once for a folder, with everyday's presets, a file includes
    all the same: no preset shows what is missing."""

    HEADERS = {
        r"\bgetSourceManager\(\)\s*\.|\bSourceManager &\w+ ?[=(]":
            "clang/Basic/SourceManager.h",
        r"\b(?:hasAttr|getAttr|specific_attrs)<": "clang/AST/Attr.h",
        r"\b(?:isa|dyn_cast|cast|dyn_cast_or_null)<[^>]*"
        r"\b(?:CXX\w+Expr|LambdaExpr|MSPropertyRefExpr)\b":
            "clang/AST/ExprCXX.h",
        r"\binstructions\(": "llvm/IR/InstIterator.h",
        r"<[^<>]*\b(?:IntrinsicInst|MemIntrinsic|MemCpyInst)\b":
            "llvm/IR/IntrinsicInst.h",
        r"\b(?:EXPECT|ASSERT)_THAT\(": "gmock/gmock.h"}

    def test_what_is_precompiled_is_included(self):
        for path in FILES:
            if path.suffix != ".cpp" or not (
                    path.parts[0] == "analyzer"
                    or path.is_relative_to("tests/unit")):
                continue
            text = (ROOT / path).read_text()
            header = ROOT / path.with_suffix(".h")
            both = text + (header.read_text() if header.exists() else "")
            for pattern, name in self.HEADERS.items():
                if (match := re.search(pattern, text)) and name not in both:
                    self.fault(path, text.count("\n", 0, match.start()) + 1,
                               f"{match.group(0)!r} without {name}")


class TypeNames(Rule):
    """Two types of one name in one namespace are one type for the linker: the
    functions of either may serve the other."""

    # A namespace of its own, and two programs that are never linked together.
    APART = {"runtime/probe": "probe", "analyzer/tool": "analyzer/tool",
             "runtime/tool": "runtime/tool"}

    def test_each_name_is_one_type(self):
        defined = {}
        opening = re.compile(r"^(?:struct|class|enum class|enum) (\w+)"
                             r"(?: final)?(?: : [^;{]*)? *\{")
        for path in FILES:
            if path.suffix != ".h" or path.parts[0] not in SOURCE_ROOTS:
                continue
            program = self.APART.get(str(path.parent), "")
            for number, line in enumerate(lines(path), 1):
                if not (found := opening.match(line)):
                    continue
                for other, where in defined.get(found[1], []):
                    if other == program or "probe" not in (other, program) and (
                            not other or not program):
                        self.fault(path, number, f"'{found[1]}' is another type "
                                   f"in {where}")
                defined.setdefault(found[1], []).append((program, path))


class NamesTogether(Rule):
    """Files of a library that is compiled together may be one for the compiler:
    what each keeps to itself has a name that no other of its folder has."""

    CHECKS = Path("analyzer/checks")
    # `more`: the value of a constant, and others that are declared with it.
    DECLARED = re.compile(
        r"^(?:template\s+)?(?:(?:static|constexpr|const)\b[^(){}=;[\]]*?"
        r"\b(?<!::)(?!operator\b)(\w+)\s*(?:[({;[]|=(?P<more>[^(){};]*))"
        r"|(?:struct|class|enum class|enum) (\w+)(?: final)?"
        r"(?:\s*:[^;{]*)?\s*\{"
        r"|using (\w+)\s*=)", re.MULTILINE)

    def folders(self):
        found, together = {}, []
        for path in FILES:
            if path.name == "CMakeLists.txt":
                text = "\n".join(lines(path))
                for name in re.findall(r"\badd_(?:library|executable)\(([\w-]+)", text):
                    found[name] = path.parent
                for names in re.findall(
                        r"\bcudalint_compile_together\(([^)]*)\)", text):
                    together += names.split()
        self.assertGreater(len(together), 2)
        return {found[name] for name in together}

    def declared(self, path):
        """Names and lines. Arguments of templates are left out."""
        text, count = "\n".join(lines(path)), 1
        while count:
            text, count = re.subn(r"<[^<>;{}]*>",
                                  lambda m: "\n" * m[0].count("\n"), text)
        for match in self.DECLARED.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            for name in [match[1] or match[3] or match[4],
                         *re.findall(r",\s*(\w+) =", match["more"] or "")]:
                yield name, number

    def is_check(self, path):
        return (path.parent == self.CHECKS and path.suffix == ".cpp" and
                "\nCUDA_LINT_REGISTER_CHECK(" in (ROOT / path).read_text())

    def test_each_name_is_of_one_file(self):
        folders, owners = self.folders(), {}
        for path in FILES:
            if (path.suffix != ".cpp" or path.parent not in folders
                    or self.is_check(path)):
                continue
            for name, number in self.declared(path):
                owner = owners.setdefault((path.parent, name), path)
                if owner != path:
                    self.fault(path, number, f"'{name}' is in {owner} too: "
                               "share it, or rename one")

    def test_each_check_has_a_namespace(self):
        for path in filter(self.is_check, FILES):
            text = (ROOT / path).read_text()
            name = re.search(r'\.Name = "([\w-]+)"', text)[1].replace("-", "_")
            if f"\nnamespace cudalint::{name} {{\n" not in text:
                self.fault(path, 1, f"is not in the namespace cudalint::{name}")


class FileSizes(Rule):
    def test_no_file_over_a_megabyte(self):
        for path in FILES:
            size = (ROOT / path).stat().st_size
            if size > 1_000_000:
                self.fault(path, 1, f"{size} bytes: generate it, or make it "
                           "smaller")


class Links(Rule):
    """What a Markdown file links to exists."""

    def test_relative_links(self):
        link = re.compile(r"\[[^\]]+\]\(([^)#\s]+)[^)]*\)")
        for path in FILES:
            if path.suffix != ".md":
                continue
            code = False
            for number, line in enumerate(lines(path), 1):
                code ^= line.startswith("```")
                if code:
                    continue
                for target in link.findall(re.sub(r"`[^`]*`", "", line)):
                    if ":" not in target and not (
                            ROOT / path.parent / target).exists():
                        self.fault(path, number, f"{target} does not exist")


class SortedLists(Rule):
    """Lists that grow stay sorted, so that additions do not collide."""

    def test_sources_in_cmake(self):
        call = re.compile(r"\badd_(?:library|executable)\(([^)]*)\)")
        for path in FILES:
            if path.name != "CMakeLists.txt":
                continue
            text = "\n".join(lines(path))
            for match in call.finditer(text):
                names = re.findall(r"^\s+(\S+\.(?:cpp|cu))$", match.group(1),
                                   re.MULTILINE)
                if names != sorted(names):
                    self.fault(path, text.count("\n", 0, match.start()) + 1,
                               f"sort the sources: {' '.join(sorted(names))}")

    def test_packages(self):
        names = subprocess.run([ROOT / "scripts/setup", "--list"], check=True,
                               capture_output=True, text=True).stdout.split()
        self.assertGreater(len(names), 5)
        if names != sorted(set(names)):
            self.fault("scripts/setup", 1, "sort the packages")


class Scripts(Rule):
    def test_shell_scripts_parse(self):
        for path in filter(is_shell, FILES):
            done = subprocess.run(["bash", "-n", ROOT / path],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                self.fault(path, 1, done.stderr)

    def test_shell_scripts_stop_at_the_first_error(self):
        for path in filter(is_shell, FILES):
            if "set -euo pipefail" not in lines(path):
                self.fault(path, 1, "`set -euo pipefail` is missing")

    def test_commands_can_be_run(self):
        for path in FILES:
            if path.parts[0] not in ("scripts", ".ci") or not is_script(path):
                continue
            if not os.access(ROOT / path, os.X_OK):
                self.fault(path, 1, "not executable: chmod +x")


class Format(Rule):
    def test_clang_format_changes_nothing(self):
        if not shutil.which("clang-format-22"):
            self.skipTest("no format is tested: install clang-format-22")
        files = [str(f) for f in sources()]
        self.assertGreater(len(files), 4)
        done = subprocess.run(
            ["clang-format-22", "--dry-run", "-Werror", "--ferror-limit=1",
             *files], cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            self.fail("run clang-format-22 -i on these files:\n" + done.stderr)


class ShellCheck(Rule):
    def test_shellcheck_is_silent(self):
        files = [str(f) for f in filter(is_shell, FILES)]
        if not shutil.which("shellcheck"):
            self.skipTest("no script is looked through: install shellcheck")
        done = subprocess.run(["shellcheck", *files], cwd=ROOT,
                              capture_output=True, text=True)
        if done.returncode != 0:
            self.fail(done.stdout)


if __name__ == "__main__":
    ctest.main()
