#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipes of docs/ci.md: their syntax, by the schemas that are published
and by pre-commit, and what their commands do in a small repository.

A class is a CTest test. CUDA_LINT names the program. No CUDA toolkit is needed:
shared memory decides the occupancy of the project here, whatever the registers.
What takes the place of CMake writes what CMake would.
"""

import copy
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "harness"))
import ctest
import tools

from cli_test import MOCK, PROGRAM, TOOLKIT, Cli

ROOT = tools.ROOT
RECIPES = ROOT / "docs/ci"
PAGE = ROOT / "docs/ci.md"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
CMAKE = "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"

# 48 KB a block: four blocks of 128 threads, 16 of the 64 warps of an SM.
SMOOTH = """__global__ void smooth(float *out, const float *in) {
  __shared__ float tile[12 * 1024];
  for (int i = threadIdx.x; i < 12 * 1024; i += blockDim.x)
    tile[i] = in[blockIdx.x * 12 * 1024 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 12 * 1023; i += blockDim.x)
    out[blockIdx.x * 12 * 1024 + i] = tile[i] + tile[i + 12];
}
void run(float *out, const float *in) {
  smooth<<<4096, 128>>>(out, in);
}
"""
LAUNCH = "  smooth<<<4096, 128>>>(out, in);\n"
BLESSED = SMOOTH.replace(
    LAUNCH, "  // NOLINTNEXTLINE(cuda-lint-low-occupancy): on purpose\n" +
    LAUNCH.replace("\n", " // cuda-lint: expect(occupancy >= 25 %)\n"))
# Line 2 loads with a stride of two elements; another such line may follow.
ROWS = """__global__ void rows(float *Out, const float *In) {
  Out[blockIdx.x * 256 + threadIdx.x] = In[threadIdx.x * 2];
}
void start(float *Out, const float *In) { rows<<<1024, 256>>>(Out, In); }
"""
NEW = "  Out[threadIdx.x * 16] = 1;\n}\n"
CHANGED = ROWS.replace("}\n", NEW, 1)
BROKEN = "__global__ void broken(float *Out) { Out[0] = nothing; }\n"


def from_yaml(path):
    done = subprocess.run(
        [tools.DEBIAN if tools.DEBIAN.exists() else sys.executable, "-B",
         ROOT / "tests/harness/yaml_to_json.py", path],
        capture_output=True, text=True)
    # Skipped, nobody would see that nothing is tested.
    if done.returncode != 0:
        raise AssertionError(done.stderr + "\nrun `scripts/setup --tests`")
    return json.loads(done.stdout)


def schema_errors(name, document):
    schema = ROOT / "build/schemas" / name
    if not schema.exists():
        raise AssertionError("run `scripts/setup --tests`, which fetches "
                             f"{name}")
    done = tools.validate(schema, json.dumps(document))
    if done is None:
        raise AssertionError(tools.NO_VALIDATOR)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    return done.stderr if done.returncode else ""


def pre_commit(*arguments, **options):
    if not shutil.which("pre-commit"):
        raise AssertionError("run `scripts/setup --tests`, which installs "
                             "pre-commit")
    return subprocess.run(["pre-commit", *arguments], capture_output=True,
                          text=True, **options)


class Syntax(unittest.TestCase):
    def assert_schema(self, schema, document, *mistakes):
        """The document is valid; a copy with any of the mistakes is not."""
        self.assertEqual("", schema_errors(schema, document))
        for mistake in mistakes:
            wrong = copy.deepcopy(document)
            mistake(wrong)
            self.assertNotEqual(document, wrong)
            self.assertNotEqual("", schema_errors(schema, wrong))

    def test_github(self):
        def misspell(workflow):
            job = workflow["jobs"]["cuda-lint"]
            job["runs_on"] = job.pop("runs-on")

        def overstate(workflow):
            workflow["jobs"]["cuda-lint"]["permissions"][
                "security-events"] = "upload"

        def invent(workflow):
            workflow["jobs"]["cuda-lint"]["steps"][0]["runs"] = "true"

        workflow = from_yaml(RECIPES / "github-actions.yml")
        self.assert_schema("github-workflow.json", workflow, misspell,
                           overstate, invent)
        # What no schema knows.
        job = workflow["jobs"]["cuda-lint"]
        self.assertEqual("write", job["permissions"]["security-events"])
        inputs = {"actions/checkout": {"fetch-depth"},
                  "actions/upload-artifact": {"name", "path"},
                  "github/codeql-action/upload-sarif": {"sarif_file",
                                                        "category"}}
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                if "uses" in step:
                    self.assertLessEqual(set(step.get("with", {})),
                                         inputs[step["uses"].split("@")[0]])
        self.assertNotIn("permissions", workflow["jobs"]["cuda-lint-changes"])
        self.assertEqual({"contents": "read"}, workflow["permissions"])

    def test_gitlab(self):
        def misspell(jobs):
            jobs["cuda-lint"]["artifacts"]["when"] = "ever"

        def text(jobs):
            jobs["cuda-lint"]["allow_failure"]["exit_codes"] = "three"

        self.assert_schema("gitlab-ci.json",
                           from_yaml(RECIPES / "gitlab-ci.yml"), misspell, text)

    def test_pre_commit(self):
        def misspell(hooks):
            hooks[0]["languag"] = hooks[0].pop("language")

        def invent(hooks):
            hooks[0]["language"] = "cuda"

        self.assert_schema("pre-commit-hooks.json", from_yaml(HOOKS), misspell,
                           invent)
        for command, file in (
                ("validate-manifest", HOOKS),
                ("validate-config", RECIPES / "pre-commit-config.yaml"),
                ("validate-config", ROOT / ".pre-commit-config.yaml")):
            done = pre_commit(command, file)
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        done = pre_commit("validate-manifest",
                          RECIPES / "pre-commit-config.yaml")
        self.assertEqual(1, done.returncode)

    def test_jenkins(self):
        """No parser of Groovy is small enough: brackets, strings, and which
        section stands in which."""
        text = (RECIPES / "Jenkinsfile").read_text(encoding="utf-8")
        rest, sections, names = text, [], []
        token = re.compile(r"//[^\n]*|'[^'\n]*'|[\[\](){}]|\w+|[:,.]|\s+")
        word, closes = "", {")": "(", "]": "[", "}": "{"}
        while rest:
            match = token.match(rest)
            self.assertIsNotNone(match, rest[:40])
            part, rest = match[0], rest[match.end():]
            if part in ("{", "(", "["):
                sections.append((part, word))
                if part == "{":
                    names.append(" ".join(w for b, w in sections if b == "{"))
            elif part in closes:
                self.assertTrue(sections, f"{part} opens nowhere")
                self.assertEqual(closes[part], sections.pop()[0])
            # `stage('name') {` is a section of stage.
            elif part.isidentifier() and not any(b == "(" for b, _ in sections):
                word = part
        self.assertEqual([], sections)
        self.assertEqual(
            ["pipeline", "pipeline agent", "pipeline agent docker",
             "pipeline stages", "pipeline stages stage",
             "pipeline stages stage steps", "pipeline post",
             "pipeline post always"], names)

    def test_the_image(self):
        text = (RECIPES / "Dockerfile").read_text(encoding="utf-8")
        folder = re.search(r"(?m)^COPY \. (\S+)$", text)[1]
        for path in re.findall(re.escape(folder) + r"/([\w/]+)", text):
            self.assertTrue(path == "build/release/bin" or
                            (ROOT / path).is_file(), path)
        # A name that every preset and script knows.
        self.assertIn(f"RUN {folder}/scripts/build release cuda-lint\n", text)
        self.assertIn(f"{folder}/build/release/bin:", text)

    def test_what_the_page_shows_is_in_the_recipes(self):
        recipes = [path.read_text(encoding="utf-8")
                   for path in sorted(RECIPES.iterdir())]
        shown = re.findall(r"```(?:yaml|groovy)\n(.*?)```",
                           PAGE.read_text(encoding="utf-8"), re.DOTALL)
        self.assertEqual(5, len(shown))
        for text in shown:
            self.assertEqual(1, sum(text in recipe for recipe in recipes), text)


class Recipe(Cli):
    """A repository of a project, and somewhere to run commands of recipes."""

    def setUp(self):
        super().setUp()
        self.work = self.folder / "work"
        self.home = self.folder / "home"
        for folder in ("bin", "home", "work/src"):
            (self.folder / folder).mkdir(parents=True)
        (self.folder / "bin/cuda-lint").symlink_to(PROGRAM)
        # CMake as far as the recipes need it.
        self.write("bin/cmake", f"""#!{sys.executable}
import json, os, pathlib, sys
if sys.argv[1:] != {shlex.split(CMAKE)[1:]!r}:
    sys.exit(f"cmake: {{sys.argv}}")
os.makedirs("build", exist_ok=True)
files = [str(file) for file in sorted(pathlib.Path("src").glob("*.cu"))]
with open("build/compile_commands.json", "w") as out:
    json.dump([{{"directory": os.getcwd(), "file": file,
                 "command": "nvcc {shlex.join(MOCK)} -arch=sm_90 -c "
                            + file}}
               for file in files], out)
""")
        (self.folder / "bin/cmake").chmod(0o755)
        self.write("work/.gitignore", "/build/\n")
        self.commit("base", {"rows.cu": ROWS})

    def environment(self, **more):
        return {**{k: v for k, v in os.environ.items()
                   if not k.startswith(("GIT_", "CI_"))
                   and k not in ("CUDA_PATH", "COLUMNS", "NO_COLOR", "SKIP")},
                "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
                "HOME": str(self.home), "XDG_CACHE_HOME": str(self.home),
                "CUDA_PATH": str(TOOLKIT), **more}

    def git(self, *arguments, folder=None):
        return subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c",
             "-c", "init.defaultBranch=main", *arguments],
            cwd=folder or self.work, check=True, capture_output=True,
            text=True, env=self.environment()).stdout.strip()

    def commit(self, subject, files):
        if not (self.work / ".git").exists():
            self.git("init", "-q", ".")
        for name, text in files.items():
            (self.work / "src" / name).write_text(text)
        self.git("add", ".")
        self.git("commit", "-qm", subject)
        return self.git("rev-parse", "HEAD")

    def shell(self, script, folder=None, **environment):
        """As a runner does: sh, and the first failure ends it."""
        done = subprocess.run(["sh", "-e", "-c", script],
                              cwd=folder or self.work, capture_output=True,
                              text=True, env=self.environment(**environment))
        self.out, self.err = done.stdout, done.stderr
        self.assertNotIn("Stack dump", self.err)
        return done.returncode

    def report(self, name, folder=None):
        return (folder or self.work) / name

    def results(self, path):
        """(level, rule, line) of a SARIF file that code scanning takes, less
        the notes: of registers, which nobody tells here."""
        log = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual("", schema_errors("sarif-2.1.0.json", log))
        found = set()
        for run in log["runs"]:
            driver = run["tool"]["driver"]
            self.assertEqual("cuda-lint", driver["name"])
            rules = [rule["id"] for rule in driver["rules"]]
            for result in run["results"]:
                place = result["locations"][0]["physicalLocation"]
                uri = place["artifactLocation"]["uri"]
                self.assertTrue((self.work / uri).is_file(), uri)
                self.assertIn(result["ruleId"], rules)
                self.assertTrue(result["message"]["text"])
                self.assertTrue(result["partialFingerprints"])
                if result["level"] != "note":
                    found.add((result["level"], result["ruleId"],
                               place["region"]["startLine"]))
        return found


class Github(Recipe):
    def steps(self, job):
        return from_yaml(RECIPES / "github-actions.yml")["jobs"][job]["steps"]

    def run_job(self, job, folder=None):
        """The exit code of the first step that fails, or 0."""
        for step in self.steps(job):
            if "run" in step:
                code = self.shell(step["run"], folder)
                if code != 0:
                    self.assertEqual("Lint", step["name"], self.err)
                    return code
        return 0

    def uploads(self):
        """The files that steps take, and under which condition."""
        steps = [s for s in self.steps("cuda-lint") if "if" in s]
        self.assertEqual(
            {"always() && hashFiles('cuda-lint.sarif') != ''"},
            {step["if"] for step in steps})
        return {step["with"].get("sarif_file") or step["with"]["path"]
                for step in steps}

    def test_warnings_pass_and_are_uploaded(self):
        self.assertEqual(0, self.run_job("cuda-lint"), self.err)
        file, = self.uploads()
        self.assertEqual({("warning", "global-uncoalesced", 2)},
                         self.results(self.report(file)))

    def test_the_gate_on_occupancy(self):
        self.commit("smooth", {"smooth.cu": SMOOTH})
        self.assertEqual(1, self.run_job("cuda-lint"))
        self.assertIn("16 of 64 warps resident", " ".join(self.out.split()))
        file, = self.uploads()
        self.assertIn(("error", "low-occupancy", 10),
                      self.results(self.report(file)))
        # It is closed by a launch that is not changed, too.
        self.commit("more", {"rows.cu": CHANGED})
        self.assertEqual(1, self.run_job("cuda-lint"))
        self.commit("blessed", {"smooth.cu": BLESSED})
        self.assertEqual(0, self.run_job("cuda-lint"), self.out)

    def test_codes_2_and_3(self):
        self.commit("broken", {"broken.cu": BROKEN})
        self.assertEqual(3, self.run_job("cuda-lint"))
        self.assertEqual({("warning", "global-uncoalesced", 2)},
                         self.results(self.report("cuda-lint.sarif")))
        os.remove(self.report("cuda-lint.sarif"))
        (self.work / ".cuda-lint").write_text("Check: x\n")
        self.assertEqual(2, self.run_job("cuda-lint"))
        self.assertFalse(self.report("cuda-lint.sarif").exists())

    def test_changes_of_a_pull_request(self):
        """On a merge, as GitHub checks it out, no deeper than asked for."""
        self.git("checkout", "-qb", "topic")
        self.commit("topic", {"rows.cu": CHANGED})
        self.git("checkout", "-q", "main")
        self.commit("meanwhile", {"other.cu": ROWS.replace("rows", "other")
                                  .replace("start", "begin")})
        self.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
        checkout, = [s for s in self.steps("cuda-lint-changes")
                     if s.get("uses", "").startswith("actions/checkout@")]
        clone = self.folder / "clone"
        self.git("clone", "-q", f"--depth={checkout['with']['fetch-depth']}",
                 f"file://{self.work}", str(clone))
        self.assertEqual(1, self.run_job("cuda-lint-changes", clone), self.err)
        self.assertEqual(1, len(self.out.splitlines()), self.out)
        self.assertIn("::warning file=src/rows.cu,line=3,", self.out)
        # What lets git read it is written where git looks.
        self.assertEqual(str(clone), self.git("config", "--global",
                                              "safe.directory"))

    def test_changes_that_are_clean(self):
        self.git("checkout", "-qb", "topic")
        self.commit("topic", {"rows.cu": "// Nothing.\n" + ROWS})
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
        self.assertEqual(0, self.run_job("cuda-lint-changes"), self.out)
        self.assertEqual("", self.out)


class Gitlab(Recipe):
    def run_job(self, job, **environment):
        jobs = from_yaml(RECIPES / "gitlab-ci.yml")
        job = jobs[job]
        base = jobs[job["extends"]]
        return self.shell("\n".join(base["before_script"] + job["script"]),
                          **environment)

    def artifacts(self):
        jobs = from_yaml(RECIPES / "gitlab-ci.yml")
        reports = jobs["cuda-lint"]["artifacts"]["reports"]
        return (self.report(reports["codequality"]),
                self.report(reports["junit"]))

    def test_reports(self):
        self.commit("smooth", {"smooth.cu": SMOOTH})
        self.assertEqual(1, self.run_job("cuda-lint"), self.err)
        quality, junit = self.artifacts()
        entries = json.loads(quality.read_text(encoding="utf-8"))
        for entry in entries:
            # What GitLab requires.
            for member in ("description", "check_name", "fingerprint"):
                self.assertTrue(entry[member])
            self.assertIn(entry["severity"],
                          ("info", "minor", "major", "critical", "blocker"))
            self.assertGreaterEqual(entry["location"]["lines"]["begin"], 1)
            self.assertTrue(
                (self.work / entry["location"]["path"]).is_file())
        self.assertEqual(
            {("critical", "low-occupancy", "src/smooth.cu", 10),
             ("major", "global-uncoalesced", "src/rows.cu", 2)},
            {(e["severity"], e["check_name"], e["location"]["path"],
              e["location"]["lines"]["begin"]) for e in entries
             if e["severity"] != "info"})
        self.assertEqual(len(entries),
                         len({e["fingerprint"] for e in entries}))
        suites = xml.etree.ElementTree.parse(junit).getroot()
        self.assertEqual("2", suites.get("failures"))
        self.commit("blessed", {"smooth.cu": BLESSED})
        self.assertEqual(0, self.run_job("cuda-lint"), self.out)

    def test_the_code_that_is_allowed(self):
        jobs = from_yaml(RECIPES / "gitlab-ci.yml")
        self.commit("broken", {"broken.cu": BROKEN})
        self.assertEqual(jobs["cuda-lint"]["allow_failure"]["exit_codes"],
                         self.run_job("cuda-lint"))
        self.assertTrue(all(path.exists() for path in self.artifacts()))

    def test_changes(self):
        base = self.git("rev-parse", "HEAD")
        self.assertEqual(0, self.run_job("cuda-lint-changes",
                                         CI_MERGE_REQUEST_DIFF_BASE_SHA=base),
                         self.err)
        self.commit("topic", {"rows.cu": CHANGED})
        self.assertEqual(1, self.run_job("cuda-lint-changes",
                                         CI_MERGE_REQUEST_DIFF_BASE_SHA=base))
        self.assertEqual(["src/rows.cu:3"],
                         re.findall(r"(?m)^(\S+:\d+):\d+: warning", self.out))


class Jenkins(Recipe):
    def test_steps(self):
        text = (RECIPES / "Jenkinsfile").read_text(encoding="utf-8")
        commands = re.findall(r"(?m)^ +sh '([^'\n]*)'$", text)
        self.assertEqual(text.count("sh '"), len(commands))
        self.assertEqual(CMAKE, commands[0])
        self.assertEqual(0, self.shell("\n".join(commands)), self.err)
        # What is picked up behind the steps has been written.
        for step in ("junit testResults: '([^']*)'",
                     r"sarif\([^)]*pattern: '([^']*)'\)"):
            self.assertTrue(self.report(re.search(step, text)[1]).exists())
        self.commit("smooth", {"smooth.cu": SMOOTH})
        self.assertEqual(1, self.shell("\n".join(commands)))
        self.assertIn(("error", "low-occupancy", 10),
                      self.results(self.report("cuda-lint.sarif")))
        suites = xml.etree.ElementTree.parse(self.report("cuda-lint.xml"))
        self.assertEqual("2", suites.getroot().get("failures"))


class Hooks(Recipe):
    """pre-commit itself, with a repository that has the hooks of this one."""

    def setUp(self):
        super().setUp()
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(HOOKS, hooks)
        self.git("init", "-q", ".", folder=hooks)
        self.git("add", ".", folder=hooks)
        self.git("commit", "-qm", "hooks", folder=hooks)
        self.config = (
            (RECIPES / "pre-commit-config.yaml").read_text(encoding="utf-8")
            .replace("ADDRESS", str(hooks))
            .replace("REVISION", self.git("rev-parse", "HEAD", folder=hooks)))
        self.assertEqual(0, self.shell(CMAKE), self.err)

    def run_hooks(self, *arguments, config=None):
        (self.work / ".pre-commit-config.yaml").write_text(
            config or self.config)
        self.git("add", ".")
        done = pre_commit("run", *arguments, cwd=self.work,
                          env=self.environment())
        self.out, self.err = done.stdout, done.stderr
        return done.returncode

    def stage(self, name, text):
        (self.work / "src" / name).write_text(text)
        self.git("add", ".")

    def places(self):
        return re.findall(r"(?m)^(\S+:\d+):\d+: \w+: ", self.out)

    def test_the_lines_that_a_commit_changes(self):
        self.stage("rows.cu", CHANGED)
        self.assertEqual(1, self.run_hooks(), self.out)
        self.assertIn("exit code: 1", self.out)
        self.assertEqual(["src/rows.cu:3"], self.places())
        self.stage("rows.cu", "// Nothing.\n" + ROWS)
        self.assertEqual(0, self.run_hooks(), self.out)
        self.assertIn("Passed", self.out)
        # Nothing of CUDA: it is not run at all.
        self.git("commit", "-qm", "clean")
        (self.work / "README").write_text("x\n")
        self.assertEqual(0, self.run_hooks(), self.out)
        self.assertIn("Skipped", self.out)

    def test_a_header(self):
        """Alone, it has no kernel: the file is linted that includes it."""
        header = ("__device__ inline void one(float *P) {\n"
                  "  P[threadIdx.x] = 1;\n}\n")
        self.commit("header", {
            "one.h": header, "rows.cu": '#include "one.h"\n' + ROWS.replace(
                "}\n", "  one(Out);\n}\n", 1)})
        self.assertEqual(0, self.shell(CMAKE), self.err)
        self.stage("one.h", "// Nothing.\n" + header)
        self.assertEqual(0, self.run_hooks(), self.out)
        self.stage("one.h", header.replace("threadIdx.x", "threadIdx.x * 9"))
        self.assertEqual(1, self.run_hooks(), self.out)
        self.assertEqual(["src/one.h:2"], self.places())

    def test_whole_files(self):
        config = self.config.replace("cuda-lint-diff", "cuda-lint")
        self.stage("smooth.cu", BLESSED)
        self.assertEqual(0, self.shell(CMAKE), self.err)
        self.assertEqual(0, self.run_hooks(config=config), self.out)
        self.assertEqual(1, self.run_hooks("--all-files", config=config))
        # And a promise, of which nobody knows without registers.
        self.assertEqual(["src/rows.cu:2", "src/smooth.cu:11"], self.places())
        self.assertIn("but that is not known of a launch", self.out)
        # One run of all files, though pre-commit would part so many.
        self.commit("many", {f"rows{each}.cu": ROWS.replace(
            "rows", f"rows{each}").replace("start", f"start{each}")
            for each in range(8)})
        self.assertEqual(0, self.shell(CMAKE), self.err)
        self.assertEqual(1, self.run_hooks("--all-files", config=config))
        self.assertIn(" in 10 files (10 kernels, ", self.out)
        self.assertEqual(1, self.out.count("exit code: "))
        self.assertEqual(0, self.run_hooks(
            "--all-files", config=config + "        args: []\n"), self.out)


class Blessings(Recipe):
    """What docs/ci.md says of a launch that is to stay as it is."""

    def gate(self, text, *arguments, registers="--registers=16"):
        """Which checks speak, with the exit code."""
        (self.work / "src/smooth.cu").write_text(text)
        self.assertEqual(0, self.shell(CMAKE), self.err)
        code = self.shell(shlex.join(
            ["cuda-lint", "--min-occupancy", "50", registers, *arguments,
             "src/smooth.cu"]))
        return code, re.findall(r"\[([a-z-]+)\]$", self.out, re.MULTILINE)

    def test_each(self):
        worse = ("128>", "64>")
        self.assertEqual((1, ["low-occupancy"]), self.gate(SMOOTH))
        # For good.
        silent = SMOOTH.replace(
            LAUNCH, LAUNCH.replace("\n", " // NOLINT(cuda-lint-low-occupancy)"
                                         ": by design\n"))
        self.assertEqual((0, []), self.gate(silent))
        self.assertEqual((0, []), self.gate(silent.replace(*worse)))
        # With a number of its own.
        self.assertEqual((0, []), self.gate(BLESSED))
        self.assertEqual((1, ["expectation-failed"]),
                         self.gate(BLESSED.replace(*worse)))
        # expect alone blesses nothing.
        self.assertEqual((1, ["low-occupancy"]), self.gate(SMOOTH.replace(
            LAUNCH, LAUNCH.replace("\n", " // cuda-lint: expect(occupancy >= "
                                         "25 %)\n"))))
        # All that is there; what is worse, too, but not what is new.
        self.assertEqual((1, ["low-occupancy"]),
                         self.gate(SMOOTH, "--write-baseline=known"))
        known = "--baseline=known"
        self.assertEqual((0, []), self.gate(SMOOTH, known))
        self.assertEqual((0, []), self.gate(SMOOTH.replace(*worse), known))
        self.assertEqual((1, ["low-occupancy"]), self.gate(
            SMOOTH + SMOOTH.replace("smooth", "soft").replace("run", "go"),
            known))

    def test_what_leaves_the_gate_open(self):
        unknown = SMOOTH.replace("void run(", "void run(int n, ").replace(
            "4096, 128>", "4096, n>")
        self.assertEqual((0, ["low-occupancy"]), self.gate(unknown))
        self.assertIn("note: the occupancy of 'smooth' cannot be compared",
                      self.out)
        # Registers could decide, and there is no nvcc.
        self.assertEqual((0, ["low-occupancy"]), self.gate(
            ROWS.replace("rows", "plain").replace("start", "other"),
            "--checks=-global-*", registers="--ptxas=off"))
        self.assertIn("its registers are not known", self.out)
        self.assertEqual((1, ["low-occupancy"]), self.gate(
            unknown, "--block=128"))

    def test_the_configuration_and_each_gpu(self):
        (self.work / ".cuda-lint").write_text("MinOccupancy: 50\n")
        self.assertEqual((1, ["low-occupancy"]), self.gate(SMOOTH))
        self.assertEqual(1, self.shell("cuda-lint src/smooth.cu"))
        # Four blocks of 8 warps are half of the 64 of an H200. The 100 KB of an
        # RTX 4090 are enough for two: 16 of 48.
        (self.work / "src/smooth.cu").write_text(SMOOTH.replace("128>", "256>"))
        for code, gpus in ((0, ["h200"]), (1, ["rtx-4090"]),
                           (1, ["h200", "rtx-4090"])):
            self.assertEqual(code, self.shell(shlex.join(
                ["cuda-lint", *[f"--gpu={gpu}" for gpu in gpus],
                 "src/smooth.cu"])), self.out)


if __name__ == "__main__":
    ctest.main()
