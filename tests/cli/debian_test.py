#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Debian packages that CPack makes of a build, installed where there is
nothing but what they depend on, and used there.

A class is a CTest test. CUDA_LINT_BUILD is the build folder.
"""

import functools
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

BUILD = Path(os.environ["CUDA_LINT_BUILD"])
HAS_CHECKER = (BUILD / "bin/cuda-lint-check").exists()
PACKAGES = ["cuda-lint-runtime"] + (
    ["cuda-lint", "cuda-lint-clang", "cuda-lint-tidy"] if HAS_CHECKER else [])
# What each brings, besides its copyright, the pages of docs/ and the probe,
# which is built where there are headers of CUPTI.
SHARE = "usr/share"
FILES = {
    "cuda-lint-runtime": {
        "usr/bin/cuda-lint", "usr/bin/cuda-lint-confirm",
        f"{SHARE}/man/man1/cuda-lint.1.gz",
        f"{SHARE}/man/man1/cuda-lint-confirm.1.gz",
        f"{SHARE}/man/man1/cuda-lint-launcher.1.gz",
        f"{SHARE}/man/man1/cuda-lint-occupancy.1.gz",
        f"{SHARE}/man/man1/cuda-lint-prove.1.gz",
        f"{SHARE}/bash-completion/completions/cuda-lint",
        f"{SHARE}/fish/vendor_completions.d/cuda-lint.fish",
        f"{SHARE}/zsh/site-functions/_cuda-lint"},
    "cuda-lint": {
        "usr/bin/cuda-lint-check", f"{SHARE}/man/man1/cuda-lint-check.1.gz",
        "usr/lib/cmake/CudaLint/CudaLintConfig.cmake",
        "usr/lib/cmake/CudaLint/CudaLintConfigVersion.cmake",
        f"{SHARE}/doc/cuda-lint/README.md"},
    "cuda-lint-clang": {"usr/lib/libcuda-lint-clang.so"},
    "cuda-lint-tidy": {"usr/lib/libcuda-lint-tidy.so"},
}
# What has no library that names it.
MUST_DEPEND = {
    "cuda-lint": ["cuda-lint-runtime", "libclang-common-22-dev"],
    "cuda-lint-clang": ["clang-22"],
    "cuda-lint-tidy": ["clang-tidy-22"],
}
# A column of a tile: a bank conflict of 32.
KERNEL = """__global__ void column(const float *In, float *Out) {
  __shared__ float Tile[32][32];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}
void run(float *A) { column<<<1024, dim3(32, 32)>>>(A, A); }
"""
MOCK = "-nocudainc -include /cuda/include/cuda_runtime.h"
DEVICE = (f"-x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudalib {MOCK}"
          " -Wno-everything")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


class Built(unittest.TestCase):
    """All packages, made once for a class."""

    @classmethod
    def setUpClass(cls):
        for tool, package in (("cpack", "cmake"), ("dpkg-deb", "dpkg"),
                              ("dpkg-shlibdeps", "dpkg-dev")):
            if not shutil.which(tool):
                raise unittest.SkipTest(f"no {tool}: install {package}")
        folder = tempfile.TemporaryDirectory(prefix="cuda-lint-packages-")
        cls.addClassCleanup(folder.cleanup)
        cls.top = Path(folder.name)
        done = subprocess.run(
            ["cpack", "--config", BUILD / "CPackConfig.cmake", "-G", cls.KIND,
             "-B", cls.top], cwd=cls.top, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)


class Debian(Built):
    KIND = "DEB"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.files = {path.name.split("_")[0]: path
                     for path in cls.top.glob("*.deb")}

    def field(self, package, name):
        return output("dpkg-deb", "-f", self.files[package], name).strip()

    def depends(self, package):
        return [part.split()[0]
                for part in self.field(package, "Depends").split(", ")]

    @functools.lru_cache(maxsize=None)
    def contents(self, package):
        """The members, by their names without ./ in front."""
        data = subprocess.run(["dpkg-deb", "--fsys-tarfile",
                               self.files[package]], check=True,
                              capture_output=True).stdout
        path = self.top / "data.tar"
        path.write_bytes(data)
        with tarfile.open(path) as archive:
            return {m.name.removeprefix("./"): (m, archive.extractfile(m).read()
                                                if m.isfile() else b"")
                    for m in archive.getmembers()}

    #===--- What the packages are ------------------------------------------===#

    def test_fields(self):
        self.assertEqual(sorted(PACKAGES), sorted(self.files))
        version = output(BUILD / "bin/cuda-lint", "--version").split()[1]
        summaries = set()
        for package in PACKAGES:
            self.assertEqual(package, self.field(package, "Package"))
            self.assertEqual(version, self.field(package, "Version"))
            self.assertEqual(output("dpkg", "--print-architecture").strip(),
                             self.field(package, "Architecture"))
            self.assertEqual("devel", self.field(package, "Section"))
            self.assertTrue(self.field(package, "Maintainer"))
            summary, *rest = self.field(package, "Description").splitlines()
            summaries.add(summary)
            self.assertLess(len(summary), 80)
            self.assertTrue(rest)
            for line in rest:
                self.assertRegex(line, r"^ (\.|\S.*)$")
        self.assertEqual(len(PACKAGES), len(summaries))

    def test_depends(self):
        for package in PACKAGES:
            depends = self.depends(package)
            self.assertIn("libc6", depends)
            for name in MUST_DEPEND.get(package, []):
                self.assertIn(name, depends, package)
            # Nothing that only builds need.
            for name in depends:
                self.assertFalse(name.endswith("-dev") and
                                 name != "libclang-common-22-dev", name)
        # What needs no LLVM, what brings it, and what takes it from the program
        # around: the headers of Clang are all that is asked for.
        for package in PACKAGES:
            self.assertFalse([name for name in self.depends(package)
                              if name.startswith(("libllvm", "libclang"))
                              and name not in MUST_DEPEND.get(package, [])])

    def test_contents(self):
        seen = {}
        for package in PACKAGES:
            found = self.contents(package)
            files = {name for name, (member, _) in found.items()
                     if not member.isdir()}
            for name in files:
                self.assertNotIn(name, seen, f"also in {seen.get(name)}")
                seen[name] = package
            wanted = set(FILES[package])
            if not (BUILD / "pages/.made").exists():
                wanted = {n for n in wanted if not n.startswith(SHARE)}
            wanted.add(f"{SHARE}/doc/{package}/copyright")
            if (package == "cuda-lint-runtime" and
                    (BUILD / "lib/libcuda-lint-probe.so").exists()):
                wanted.add("usr/lib/libcuda-lint-probe.so")
            # Without the checker, its files are in the one package.
            docs = f"{SHARE}/doc/{package}/docs/"
            more = {n for n in files if n.startswith(docs)}
            if not HAS_CHECKER:
                more |= files - wanted
                # Which prints the help that the page is made of.
                wanted.discard(f"{SHARE}/man/man1/cuda-lint-prove.1.gz")
            self.assertEqual(wanted, files - more, package)
            if package == "cuda-lint":
                self.assertTrue({docs + "plugins.md",
                                 docs + "cuda-lint-1.schema.json"} <= more)
            for name, (member, _) in found.items():
                with self.subTest(name):
                    is_program = name.startswith("usr/bin/")
                    self.assertEqual(
                        0o755 if member.isdir() or is_program else 0o644,
                        member.mode)
                    self.assertEqual((0, 0), (member.uid, member.gid))
            self.assertIn(b"END OF TERMS AND CONDITIONS",
                          found[f"{SHARE}/doc/{package}/copyright"][1])

    def test_nothing_of_the_build(self):
        cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
        kind = re.search(r"(?m)^CMAKE_BUILD_TYPE:\w+=(.*)$", cache)[1]
        for package in PACKAGES:
            for name, (_, text) in self.contents(package).items():
                # What asserts say names sources; users' builds have none.
                if text.startswith(b"\x7fELF"):
                    if kind == "Release":
                        self.assertNotIn(str(tools.ROOT).encode(), text, name)
                    path = self.top / "program"
                    path.write_bytes(text)
                    said = output("readelf", "-dS", "--wide", path)
                    self.assertNotRegex(said, "RPATH|RUNPATH")
                    self.assertNotIn(".debug_info", said, name)
                else:
                    self.assertNotIn(str(tools.ROOT).encode(), text, name)
                    self.assertNotIn(str(BUILD).encode(), text, name)

    #===--- What they do ---------------------------------------------------===#

    def unpacked(self, *packages):
        root = Path(tempfile.mkdtemp(dir=self.top))
        for package in packages:
            output("dpkg-deb", "-x", self.files[package], root)
        return root

    def test_a_prefix_can_be_moved(self):
        root = self.unpacked(*PACKAGES)
        for place in ("here", "then/there"):
            moved = root.parent / place
            moved.parent.mkdir(exist_ok=True)
            root = root.rename(moved)
            program = moved / "usr/bin/cuda-lint"
            self.assertIn("--predictions", output(program, "confirm", "--help"))
            if not HAS_CHECKER:
                continue
            self.assertIn("shared-bank-conflict", output(program,
                                                         "list-checks"))
            # A link to it is no other place.
            link = self.top / f"link-{moved.name}"
            link.symlink_to(program)
            self.assertIn("small-grid", output(link, "list-checks"))
            project = self.top / f"project-{moved.name}"
            project.mkdir()
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(p NONE)\n"
                "find_package(CudaLint 0.1 REQUIRED)\n"
                "message(\"found ${CUDA_LINT_PROGRAM}\")\n", encoding="utf-8")
            said = subprocess.run(
                ["cmake", "-S", project, "-B", project / "build",
                 f"-DCMAKE_PREFIX_PATH={moved}/usr"], capture_output=True,
                text=True, check=True).stderr
            self.assertIn(f"found {program}", said)

    def test_man_finds_the_pages(self):
        if not shutil.which("man") or not (BUILD / "pages/.made").exists():
            self.skipTest("no page is shown: install man-db")
        root = self.unpacked(*PACKAGES)
        for name in ["cuda-lint-confirm"] + (["cuda-lint", "cuda-lint-check"]
                                             if HAS_CHECKER else []):
            self.assertIn("SYNOPSIS", output(
                "man", "-M", root / "usr/share/man", name))

    def test_runtime_alone(self):
        root = CleanRoot(self, "cuda-lint-runtime")
        said = root.run("cuda-lint --version")
        self.assertIn("\nwhat reads source files is not installed", said)
        self.assertIn("blocks", root.run("cuda-lint occupancy --gpu=h200 "
                                         "--registers=32 --block=256"))
        self.assertIn("--predictions", root.run("cuda-lint confirm --help"))
        # The probe is found: what is missing is the program.
        if (BUILD / "lib/libcuda-lint-probe.so").exists():
            root.write("r.json", '{"schema": "cuda-lint/1"}')
            self.assertNotIn("libcuda-lint-probe.so", root.run(
                "cuda-lint confirm --predictions r.json -- ./none", None))

        if HAS_CHECKER:
            # That dpkg looks at dependencies there: it refuses.
            done = root.in_namespace("dpkg", f"--root={root.root}",
                                     "--install", str(self.files["cuda-lint"]))
            self.assertNotEqual(0, done.returncode)
            self.assertIn("depends on libclang-common-22-dev", done.stderr)

    def test_the_checker(self):
        if not HAS_CHECKER:
            return
        root = CleanRoot(self, "cuda-lint", "cuda-lint-runtime")
        self.assertRegex(root.run("cuda-lint --version --cuda-path=/cuda"),
                         r"^cuda-lint \S+\nLLVM 22\.\S+, \d+ checks\n"
                         r"CUDA toolkit of unknown version in /cuda\n$")
        said = root.run("cuda-lint --cuda-path=/cuda --ptxas=off a.cu -- "
                        + MOCK)
        self.assertIn("[shared-bank-conflict]", said)

    def test_the_plugin_of_clang(self):
        if not HAS_CHECKER:
            return
        root = CleanRoot(self, "cuda-lint-clang")
        self.assertIn("[-Wcuda-lint-shared-bank-conflict]", root.run(
            "clang++-22 -fplugin=/usr/lib/libcuda-lint-clang.so "
            f"-fsyntax-only {DEVICE} a.cu"))

    def test_the_plugin_of_clang_tidy(self):
        if not HAS_CHECKER:
            return
        root = CleanRoot(self, "cuda-lint-tidy")
        self.assertIn("[cuda-lint-shared-bank-conflict]", root.run(
            "clang-tidy-22 -load=/usr/lib/libcuda-lint-tidy.so "
            f"'--checks=-*,cuda-lint-*' a.cu -- {DEVICE}"))


class CleanRoot:
    """A folder in which packages of ours are installed by dpkg, beside those
    that they depend on, taken from this machine, and the essential ones: what a
    package forgot to depend on is not there."""

    def __init__(self, test, *packages):
        self.test = test
        # Who is not root becomes it in a namespace.
        self.user = [] if os.geteuid() == 0 else ["--map-root-user"]
        if subprocess.run(["unshare", "-m", *self.user, "chroot", "/", "true"],
                          capture_output=True).returncode:
            test.skipTest("not installed into a clean root: this machine lets "
                          "nobody make a namespace")
        self.root = Path(tempfile.mkdtemp(dir=test.top))
        self.installed = self.query()
        self.fill(packages)
        files = [str(test.files[package]) for package in packages]
        done = self.in_namespace("dpkg", f"--root={self.root}", "--install",
                                 *files)
        # Without anything forced: the dependencies are there.
        test.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.write("a.cu", KERNEL)
        shutil.copytree(tools.ROOT / "tests/mock", self.root / "cuda")

    @staticmethod
    def query():
        """By name, and by what they provide: the package and what it needs."""
        found = {}
        rows = output("dpkg-query", "-W", "-f",
                      "${Package}\t${binary:Package}\t${db:Status-Status}\t"
                      "${Essential}\t${Pre-Depends}, ${Depends}\t"
                      "${Provides}\n").splitlines()
        for row in rows:
            name, full, status, essential, needs, provides = row.split("\t")
            if status != "installed":
                continue
            package = (full, essential == "yes", needs)
            found[name] = package
            for each in filter(None, provides.split(", ")):
                found.setdefault(each.split()[0], package)
        return found

    def closure(self, packages):
        chosen = {}
        wanted = [self.test.field(package, "Depends") for package in packages]
        wanted += [full.split(":")[0] for full, essential, _ in
                   self.installed.values() if essential]
        ours = set(packages)
        while wanted:
            for group in filter(None, wanted.pop().split(", ")):
                names = [re.match(r"[^ :(]+", each)[0]
                         for each in group.split(" | ")]
                if ours & set(names):
                    continue
                known = [n for n in names if n in self.installed]
                if not known:
                    self.test.skipTest(f"not installed: {names[0]}")
                full, _, needs = self.installed[known[0]]
                if full not in chosen:
                    chosen[full] = True
                    wanted.append(needs)
        return sorted(chosen)

    def fill(self, packages):
        for folder in ("bin", "sbin", "lib", "lib64"):
            if Path("/", folder).is_symlink():
                (self.root / "usr" / folder).mkdir(parents=True, exist_ok=True)
                (self.root / folder).symlink_to(f"usr/{folder}")
        for folder in ("dev", "proc", "tmp", "var/lib/dpkg/updates",
                       "var/lib/dpkg/info", "var/lib/dpkg/triggers"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        names = self.closure(packages)
        data = self.root / "var/lib/dpkg"
        (data / "status").write_text(output("dpkg-query", "-s", *names),
                                     encoding="utf-8")
        (data / "info/format").write_text("1\n", encoding="utf-8")
        # A blank line is between the files of two packages.
        lists = output("dpkg-query", "-L", *names).split("\n\n")
        self.test.assertEqual(len(names), len(lists))
        for name, lines in zip(names, lists):
            listed = [line for line in lines.splitlines()
                      if line.startswith("/")]
            (data / f"info/{name}.list").write_text("\n".join(listed) + "\n",
                                                    encoding="utf-8")
            # With one architecture, dpkg looks for them by the shorter name.
            short = data / f"info/{name.split(':')[0]}.list"
            if not short.exists():
                shutil.copy(data / f"info/{name}.list", short)
            for line in listed:
                if not line.startswith(("/usr/share/doc/", "/usr/share/man/",
                                        "/usr/share/locale/")):
                    self.take(line)

    @functools.lru_cache(maxsize=None)
    def place(self, folder):
        """What a folder of this machine is, and the same in here."""
        real = os.path.realpath(folder)
        to = f"{self.root}{real}"
        os.makedirs(to, exist_ok=True)
        return real, to

    def take(self, path):
        """A file of this machine, as a link where that may be. There are ten
        thousands: paths are text."""
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            return
        if stat.S_ISDIR(mode):
            return
        folder, name = os.path.split(path)
        real, to = (os.path.join(each, name) for each in self.place(folder))
        if os.path.lexists(to):
            return
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(real), to)
            return
        try:
            # What programs write to is a file of its own.
            if real.startswith(("/etc/", "/var/")):
                raise OSError
            os.link(real, to)
        except OSError:
            try:
                shutil.copy2(real, to)
            except PermissionError:
                pass  # A secret, which nothing here reads.

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def in_namespace(self, *command):
        return subprocess.run(["unshare", "-m", *self.user, *command],
                              capture_output=True, text=True, timeout=120,
                              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                                   "LC_ALL": "C.UTF-8", "HOME": "/tmp"})

    def run(self, line, code=0):
        """What a command line prints in there; with \\p code None, whatever it
        ends with. What is mounted is so for it alone."""
        done = self.in_namespace(
            "sh", "-c", f"mount --rbind /proc {self.root}/proc && "
            f"mount --rbind /dev {self.root}/dev && "
            f"exec chroot {self.root} sh -c {shlex.quote(line)}")
        if code is not None:
            self.test.assertEqual(code, done.returncode,
                                  f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr


class Archive(Built):
    """The .tar.gz: one for all, unpacked anywhere."""
    KIND = "TGZ"

    def test_it_is_used_where_it_is_unpacked(self):
        archive, = self.top.glob("*.tar.gz")
        output("tar", "-xzf", archive, "-C", self.top)
        folder = self.top / archive.name.removesuffix(".tar.gz")
        program = folder / "bin/cuda-lint"
        self.assertIn("--predictions", output(program, "confirm", "--help"))
        if HAS_CHECKER:
            self.assertIn("small-grid", output(program, "list-checks"))
        names = {str(path.relative_to(folder)) for path in folder.rglob("*")}
        for package in PACKAGES:
            self.assertIn(f"share/doc/{package}/copyright", names)


if __name__ == "__main__":
    ctest.main()
