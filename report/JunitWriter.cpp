//===- report/JunitWriter.cpp - Checks as test cases ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JunitWriter.h"

#include "report/Names.h"
#include "report/NaturalOrder.h"
#include "report/ReportedProblems.h"
#include "report/TerminalText.h"
#include "report/XmlText.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <vector>

namespace cudalint {

//===----------------------------------------------------------------------===//
// XML
//===----------------------------------------------------------------------===//

static std::string attribute(std::string_view Name, std::string_view Value) {
  return fmt::format(" {}=\"{}\"", Name, escapedForXml(printable(Value)));
}

namespace {
struct TestCase {
  std::string Name;
  unsigned Line = 0;
  std::string Element; ///< failure, error, skipped; empty: it passes.
  std::string Type;
  std::string Message;
  std::string Text;   ///< Lines, each printable.
  std::string Output; ///< The same, of what is no failure.
};

struct TestSuite {
  std::string Name; ///< The path of its file.
  std::vector<TestCase> Cases;

  std::size_t count(std::string_view Element) const {
    return static_cast<std::size_t>(
        std::ranges::count(Cases, Element, &TestCase::Element));
  }
};
} // namespace

static std::string toXml(const TestCase &Case, const std::string &File) {
  // A point would begin the name of a class, and what is before it be a
  // package.
  std::string Class = "cuda-lint." + File;
  std::replace(Class.begin() + 10, Class.end(), '.', '_');
  std::string Out = "  <testcase" + attribute("classname", Class) +
                    attribute("name", Case.Name) + attribute("file", File);
  if (Case.Line)
    Out += attribute("line", std::to_string(Case.Line));
  if (Case.Element.empty() && Case.Output.empty())
    return Out + "/>\n";
  Out += ">\n";
  if (!Case.Element.empty()) {
    Out += fmt::format("   <{}{}", Case.Element,
                       attribute("message", Case.Message));
    if (!Case.Type.empty())
      Out += attribute("type", Case.Type);
    Out +=
        Case.Text.empty()
            ? "/>\n"
            : fmt::format(">{}</{}>\n", escapedForXml(Case.Text), Case.Element);
  }
  if (!Case.Output.empty())
    Out += fmt::format("   <system-out>{}</system-out>\n",
                       escapedForXml(Case.Output));
  return Out + "  </testcase>\n";
}

static std::string toXml(const TestSuite &Suite) {
  std::string Out = " <testsuite" + attribute("name", Suite.Name) +
                    fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\""
                                " skipped=\"{}\">\n",
                                Suite.Cases.size(), Suite.count("failure"),
                                Suite.count("error"), Suite.count("skipped"));
  for (const TestCase &Case : Suite.Cases)
    Out += toXml(Case, Suite.Name);
  return Out + " </testsuite>\n";
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

namespace {
using ProblemList = std::vector<const ReportedProblem *>;

class JunitReport {
public:
  JunitReport(std::span<const Document> Documents, const ReportPlaces &Places);

  std::string text() const;

private:
  std::string placed(const Location &Where, Severity Level,
                     std::string_view Message) const;
  TestCase analysisOf(const std::string &File, bool IsRead) const;
  TestCase caseOf(const std::string &Check, const ProblemList &List) const;
  void addChecks(TestSuite &Suite, bool IsRead);

  const ReportedProblems Known;
  const ReportPlaces &Places;
  std::set<std::string> Checks;               ///< That ran.
  std::map<std::string, std::string> Skipped; ///< And why.
  /// By path and check; what is left of it has no suite yet.
  std::map<std::string, std::map<std::string, ProblemList>> Problems;
  std::vector<TestSuite> Suites;
};
} // namespace

std::string JunitReport::placed(const Location &Where, Severity Level,
                                std::string_view Message) const {
  std::string Out = printable(pathIn(Places, Where.File).Name);
  if (Where.Line)
    Out += fmt::format(":{}", Where.Line);
  if (Where.Line && Where.Column)
    Out += fmt::format(":{}", Where.Column);
  return fmt::format("{}: {}: {}\n", Out, nameOf(Level), Message);
}

TestCase JunitReport::analysisOf(const std::string &File, bool IsRead) const {
  TestCase Case = {.Name = "analysis"};
  for (const ReportedError &Each : Known.errors()) {
    if (std::ranges::find(Each.Units, File) == Each.Units.end())
      continue;
    if (Case.Text.empty())
      Case.Message = Each.Message;
    Case.Text += placed(Each.Where, Severity::Error, Each.Message);
  }
  if (Case.Text.empty() && !IsRead)
    Case.Message = "the file could not be analysed";
  if (!Case.Message.empty()) {
    Case.Element = "error";
    Case.Type = "not-analysed";
  }
  return Case;
}

TestCase JunitReport::caseOf(const std::string &Check,
                             const ProblemList &List) const {
  TestCase Case = {.Name = Check};
  std::size_t Failures = 0;
  for (const ReportedProblem *P : List) {
    const Severity Level = P->Told->Level;
    std::string Text = placed(P->Where, Level, P->Message);
    if (!P->Details.empty())
      Text += fmt::format("  {}\n", P->Details);
    if (Level == Severity::Note) {
      Case.Output += Text;
      continue;
    }
    // The dearest is first.
    if (Failures++ == 0) {
      Case.Element = "failure";
      Case.Type = nameOf(Level);
      Case.Message = P->Message;
      Case.Line = P->Where.Line;
    }
    Case.Text += Text;
  }
  if (Failures > 1)
    Case.Message += fmt::format(" (and {} more)", Failures - 1);
  if (const auto Why = Skipped.find(Check);
      List.empty() && Why != Skipped.end()) {
    Case.Element = "skipped";
    Case.Message = Why->second;
  }
  return Case;
}

void JunitReport::addChecks(TestSuite &Suite, bool IsRead) {
  auto Own = Problems.extract(Suite.Name);
  std::map<std::string, ProblemList> ByCheck;
  if (Own)
    ByCheck = std::move(Own.mapped());
  // Of a file that was not read, nobody knows that a check finds nothing.
  if (IsRead)
    for (const std::string &Check : Checks)
      ByCheck.try_emplace(Check);
  for (const auto &[Check, List] : ByCheck)
    Suite.Cases.push_back(caseOf(Check, List));
}

JunitReport::JunitReport(std::span<const Document> Documents,
                         const ReportPlaces &Places)
    : Known(Documents), Places(Places) {
  for (const SkippedCheck &Each : skippedChecks(Documents))
    if (!Each.InPart) {
      Skipped[Each.Name] = Each.Why;
      Checks.insert(Each.Name);
    }
  for (const Document &Doc : Documents)
    for (const RuleRecord &Rule : Doc.Rules)
      Checks.insert(Rule.Name);
  for (const ReportedProblem &P : Known.problems()) {
    Checks.insert(P.Told->Check);
    Problems[pathIn(Places, P.Where.File).Name][P.Told->Check].push_back(&P);
  }

  std::vector<std::string> Files;
  std::set<std::string> Failed;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units) {
      if (std::ranges::find(Files, Unit.File) == Files.end())
        Files.push_back(Unit.File);
      if (Unit.Status == UnitStatus::Failed)
        Failed.insert(Unit.File);
    }
  for (const std::string &File : Files) {
    const bool IsRead = !Failed.contains(File);
    Suites.push_back({.Name = pathIn(Places, File).Name, .Cases = {}});
    Suites.back().Cases.push_back(analysisOf(File, IsRead));
    addChecks(Suites.back(), IsRead);
  }
  std::vector<std::string> Others;
  for (const auto &[Path, ByCheck] : Problems)
    Others.push_back(Path);
  std::ranges::sort(Others, [](const auto &A, const auto &B) {
    return isNaturallyLess(A, B);
  });
  for (const std::string &Path : Others) {
    Suites.push_back({.Name = Path, .Cases = {}});
    addChecks(Suites.back(), false);
  }
}

std::string JunitReport::text() const {
  std::size_t Tests = 0, Failures = 0, Errors = 0, NotRun = 0;
  std::string Body;
  for (const TestSuite &Suite : Suites) {
    Tests += Suite.Cases.size();
    Failures += Suite.count("failure");
    Errors += Suite.count("error");
    NotRun += Suite.count("skipped");
    Body += toXml(Suite);
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites name=\"cuda-lint\" tests=\"{}\""
                     " failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n"
                     "{}</testsuites>\n",
                     Tests, Failures, Errors, NotRun, Body);
}

std::string toJunit(std::span<const Document> Documents,
                    const ReportPlaces &Places) {
  return JunitReport(Documents, Places).text();
}

} // namespace cudalint
