#!/usr/bin/env python3
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of the design that reading the sources can prove: what is small
stays small, what computes does nothing else, and CONTRIBUTING.md says how it is.

A class is a rule; `design_test.py Sizes` tests one of them.
"""

import re
from pathlib import Path

import cxx_text
from repository_test import FILES, LAYERS, ROOT, Rule, ctest, lines

GUIDE = Path("CONTRIBUTING.md")


def cxx_of(*folders):
    return [f for f in FILES
            if f.parts[0] in folders and f.suffix in (".cpp", ".h")]


def text_of(path):
    return (ROOT / path).read_text()


class Sizes(Rule):
    FOLDERS = ("analyzer", "hardware", "occupancy", "report", "runtime")
    MOST_OF_FILE, MOST_OF_FUNCTION = 450, 80

    def test_no_file_is_long(self):
        for path in cxx_of(*self.FOLDERS):
            count = len(lines(path))
            if count > self.MOST_OF_FILE:
                self.fault(path, 1, f"{count} lines, at most "
                           f"{self.MOST_OF_FILE}: move a part that has a name")

    def test_no_function_is_long(self):
        count = 0
        for path in cxx_of(*self.FOLDERS):
            for each in cxx_text.functions(text_of(path)):
                count += 1
                if each.lines > self.MOST_OF_FUNCTION:
                    self.fault(path, each.line, f"'{each.name}' has "
                               f"{each.lines} lines, at most "
                               f"{self.MOST_OF_FUNCTION}: name its parts")
        # Fewer means that they are not found.
        self.assertGreater(count, 1000)


class Effects(Rule):
    """Who calls the analysis owns the process: its signals, its folder, its
    environment, its end and its output."""

    CALLS = re.compile(
        r"(?<![\w.>])(?:sigaction|signal|kill|raise|f?chdir|setenv|unsetenv"
        r"|putenv|_?exit|_Exit|quick_exit|abort)\s*\("
        r"|(?<![\w.>])(?:v?f?printf|f?puts|f?putc|putchar|perror)\s*\("
        r"|\bfmt::print(?:ln)?\b|\bstd::(?:print(?:ln)?|cout|cerr|clog)\b"
        r"|\b(?:outs|errs|dbgs)\s*\(\s*\)|\bstd(?:out|err)\b")
    # Programs are there to do all of that. What else may, and why.
    PROGRAMS = Path("analyzer/tool")
    ALLOWED = {
        "analyzer/plugin/PluginHost.cpp":
            "of another Clang nothing can be called, not even to say so",
        "analyzer/resources/ChildProcess.cpp":
            "children that run for too long are killed",
        "report/OutputFile.cpp":
            "what was printed so far comes before what is written",
    }

    def calls(self, path):
        code = cxx_text.code_of(text_of(path))
        return [(code.count("\n", 0, found.start()) + 1, found[0].strip(" ("))
                for found in self.CALLS.finditer(code)]

    def test_only_programs_act(self):
        for path in cxx_of("analyzer", "report"):
            if path.parent == self.PROGRAMS or str(path) in self.ALLOWED:
                continue
            for number, name in self.calls(path):
                self.fault(path, number, f"'{name}' is for programs: return "
                           "what is to be done, or say in Effects.ALLOWED of "
                           "this test why not")

    def test_what_is_allowed_is_needed(self):
        for name in self.ALLOWED:
            if not (ROOT / name).is_file() or not self.calls(name):
                self.fault(name, 1, "needs no place in Effects.ALLOWED")


class Guide(Rule):
    """CONTRIBUTING.md"""

    # What is no file: headers of others, and what a command makes.
    OTHERS = {"build/", "clang/", "llvm/", "analyzer/checks/Name.cpp",
              "docs/validation/GPU.md"}

    def rows(self, headline):
        """Line number and cells of each row of that table."""
        table = False
        for number, line in enumerate(lines(GUIDE), 1):
            cells = [c.strip() for c in line.strip().strip("|").split(" | ")]
            if not line.strip().startswith("|"):
                table = False
            elif cells == headline:
                table = True
            elif table and not set(line) <= set(" |-"):
                yield number, cells

    def test_layers_are_those_of_the_test(self):
        told = {}
        for number, cells in self.rows(["folder", "holds", "may include"]):
            folder = cells[0].strip("`/")
            if folder not in LAYERS:
                continue
            names = [n.strip("/") for n in re.findall(r"`([^`]+)`", cells[-1])]
            # In the rows of analyzer/, its folders go without it.
            inside = folder.split("/")[0] + "/"
            told[folder] = {inside + n if inside + n in LAYERS else n
                            for n in names}
            if told[folder] != set(LAYERS[folder]):
                self.fault(GUIDE, number, f"{folder} may include "
                           f"{', '.join(sorted(LAYERS[folder])) or 'nothing'}"
                           ": so says LAYERS of repository_test.py")
        for folder in LAYERS.keys() - told.keys():
            self.fault(GUIDE, 1, f"no row of the layout is about {folder}/")

    def test_files_exist(self):
        names = {str(f) for f in FILES}
        names |= {str(p) + "/" for f in FILES for p in f.parents}
        # A folder and a name are enough: `report/Ranking`, `ir/`.
        ends = {"/" + n for n in names} | {"/" + n.rstrip("/") for n in names}
        ends |= {"/" + str(f.with_suffix("")) for f in FILES}
        ends = {e[i:] for e in ends for i, c in enumerate(e) if c == "/"}
        count = 0
        for number, line in enumerate(lines(GUIDE), 1):
            for name in re.findall(r"`(\w[\w.-]*/[\w./-]*)[` ]", line):
                count += 1
                if name not in self.OTHERS and "/" + name not in ends:
                    self.fault(GUIDE, number, f"{name} does not exist")
        for number, cells in self.rows(["step", "file"]):
            # Behind a type is its file: `UnitIndex` (`Launch.h`).
            for name in re.findall(r"`([\w.]+)`(?! \()", cells[-1]):
                count += 1
                if "/" + name not in ends:
                    self.fault(GUIDE, number, f"there is no file {name}")
        self.assertGreater(count, 80)


class Scanner(Rule):
    """That functions are found, however long they are and whatever is in
    them."""

    TEXT = r'''#define OPEN(x) { \
  x {
namespace a::b {
namespace {
/// A comment with a { brace.
struct S final : Base<int> {
  int Value{1'000};
  S(int A, char B = '}')
      : Value{A}, Other(B) {
    call([&] { return "}"; });
  }
  bool operator==(const S &) const = default;
  explicit operator bool() const { return Value; }
};
} // namespace
static const char *const Text = R"cuda(void k() { {{ )cuda";
constexpr Row Rows[] = {{"a", 2}, {"b", [](int A) { return A; }}};
template <typename T>
auto late(T Of = {}) -> std::vector<T> {
  struct Local {
    int get() { return 1; }
  };
  /* } */ return {Of, 1'000, 'x'};
}
enum class E { A, B };
} // namespace a::b
extern "C" {
void last(void) noexcept {
LINES}
}
'''

    def test_functions_are_found(self):
        text = self.TEXT.replace("LINES", "  step();\n" * 100)
        self.assertEqual(
            [("S", 9, 3), ("operator bool", 13, 1), ("late", 19, 6),
             ("last", 28, 102)], cxx_text.functions(text))

    def test_lines_stay(self):
        for text in (self.TEXT, text_of(Path("report/NoLint.cpp"))):
            code = cxx_text.code_of(text)
            self.assertEqual([len(line) for line in text.split("\n")],
                             [len(line) for line in code.split("\n")])


if __name__ == "__main__":
    ctest.main()
