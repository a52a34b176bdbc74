//===- report/SourceAssertions.cpp - Numbers to keep ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SourceAssertions.h"

#include "hardware/Architecture.h"
#include "hardware/UnknownTarget.h"
#include "report/Fingerprint.h"
#include "report/Judgement.h"
#include "report/Names.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static constexpr std::string_view Mark = "cuda-lint:";

static constexpr std::pair<std::string_view, SourceAssertion::Quantity>
    Quantities[] = {
        {"shared-bank-conflict", SourceAssertion::Quantity::BankConflict},
        {"wavefronts_per_request", SourceAssertion::Quantity::Wavefronts},
        {"sectors_per_request", SourceAssertion::Quantity::Sectors},
        {"blocks_per_sm", SourceAssertion::Quantity::BlocksPerSM},
        {"occupancy", SourceAssertion::Quantity::Occupancy},
        {"registers", SourceAssertion::Quantity::Registers}};

static constexpr std::pair<std::string_view, SourceAssertion::Comparison>
    Comparisons[] = {{"<=", SourceAssertion::Comparison::AtMost},
                     {">=", SourceAssertion::Comparison::AtLeast},
                     {"==", SourceAssertion::Comparison::Equal},
                     {"<", SourceAssertion::Comparison::Less},
                     {">", SourceAssertion::Comparison::More}};

namespace {
/// What is wrong with an expectation, and how far from its begin.
struct Fault {
  std::size_t At;
  std::string Message;
};

/// What stands between the brackets of `expect(...)`.
class AssertionReader {
public:
  explicit AssertionReader(std::string_view Text) : Text(Text) {}

  /// Throws a Fault.
  SourceAssertion read();

private:
  void skipBlanks() {
    while (At != Text.size() && (Text[At] == ' ' || Text[At] == '\t'))
      ++At;
  }
  bool take(std::string_view Word) {
    if (!Text.substr(At).starts_with(Word))
      return false;
    At += Word.size();
    skipBlanks();
    return true;
  }
  [[noreturn]] void fail(std::string Message) const {
    throw Fault{At, std::move(Message)};
  }
  std::string_view word() const {
    std::size_t End = At;
    while (End != Text.size() &&
           (std::isalnum(static_cast<unsigned char>(Text[End])) ||
            Text[End] == '_' || Text[End] == '-'))
      ++End;
    return Text.substr(At, End - At);
  }
  double number();

  std::string_view Text;
  std::size_t At = 0;
};
} // namespace

double AssertionReader::number() {
  double Value = 0;
  const auto [End, Code] =
      std::from_chars(Text.data() + At, Text.data() + Text.size(), Value);
  if (Code != std::errc() || !(Value >= 0) || Value > 1e9)
    fail("a number from 0 to 1e9 is expected here");
  At = static_cast<std::size_t>(End - Text.data());
  skipBlanks();
  return Value;
}

SourceAssertion AssertionReader::read() {
  SourceAssertion Result;
  Result.Text = std::string(Text);
  skipBlanks();
  const std::string_view Name = word();
  const auto *Quantity = std::ranges::find(
      Quantities, Name,
      &std::pair<std::string_view, SourceAssertion::Quantity>::first);
  if (Quantity == std::end(Quantities))
    fail("expected shared-bank-conflict, wavefronts_per_request, "
         "sectors_per_request, blocks_per_sm, occupancy or registers");
  Result.What = Quantity->second;
  At += Name.size();
  skipBlanks();
  const auto *Comparison = std::ranges::find_if(
      Comparisons, [&](const auto &Each) { return take(Each.first); });
  if (Comparison == std::end(Comparisons))
    fail("expected <=, >=, ==, < or >");
  Result.How = Comparison->second;
  Result.Bound = number();
  if (Result.What == SourceAssertion::Quantity::BankConflict)
    take("-way");
  if (Result.What == SourceAssertion::Quantity::Occupancy)
    take("%");
  if (take(",")) {
    if (!take("gpu") || !take("="))
      fail("expected 'gpu = NAME'");
    const std::string Name(word());
    if (Name.empty())
      fail("expected the name of a GPU, such as h200 or sm_90");
    const std::optional<Target> Gpu = parseTarget(Name);
    if (!Gpu)
      fail(fmt::format("unknown GPU '{}'; {}", Name, adviceOnTarget(Name)));
    Result.Gpu = Gpu->Name;
    At += Name.size();
    skipBlanks();
  }
  if (At != Text.size())
    fail("expected ')'");
  return Result;
}

/// What stands where `expect(` could, as `expct(`: a word, and a bracket.
static std::string_view callAt(std::string_view Text) {
  std::size_t End = 0;
  while (
      End != Text.size() &&
      (std::isalpha(static_cast<unsigned char>(Text[End])) || Text[End] == '_'))
    ++End;
  return End && End != Text.size() && Text[End] == '(' ? Text.substr(0, End)
                                                       : std::string_view();
}

/// Reads what \p Line, number \p Number, promises behind `cuda-lint:`.
static void readLine(std::string_view Line, unsigned Number, bool IsAlone,
                     std::size_t At, AssertionsRead &To) {
  static constexpr std::string_view Expect = "expect(";
  const auto column = [](std::size_t Offset) {
    return static_cast<unsigned>(Offset + 1);
  };
  const auto fail = [&](std::size_t Offset, std::string Message) {
    To.Errors.push_back(
        {.Where = {"", Number, column(Offset)}, .Message = std::move(Message)});
  };
  while (true) {
    while (At != Line.size() &&
           (Line[At] == ' ' || Line[At] == '\t' || Line[At] == ','))
      ++At;
    // Another one may have a mark of its own, and its own comment.
    if (const std::size_t Next = Line.find(Mark, At);
        Next != std::string_view::npos &&
        Line.substr(At, Next - At).find_first_not_of(" \t*/") ==
            std::string_view::npos) {
      At = Next + Mark.size();
      continue;
    }
    if (!Line.substr(At).starts_with("expect")) {
      if (const std::string_view Word = callAt(Line.substr(At)); !Word.empty())
        fail(At, fmt::format("'{}' is not known; expected 'expect('",
                             printable(Word)));
      return;
    }
    if (!Line.substr(At).starts_with(Expect)) {
      fail(At, "expected 'expect(', without blanks");
      return;
    }
    const std::size_t Begin = At + Expect.size();
    const std::size_t End = Line.find(')', Begin);
    if (End == std::string_view::npos) {
      fail(Begin, "expected ')' in the same line");
      return;
    }
    try {
      SourceAssertion One =
          AssertionReader(Line.substr(Begin, End - Begin)).read();
      One.Line = Number;
      One.Column = column(Begin);
      One.Of = IsAlone ? 0 : Number;
      To.All.push_back(std::move(One));
    } catch (const Fault &F) {
      fail(Begin + F.At, F.Message);
    }
    At = End + 1;
  }
}

AssertionsRead readAssertions(std::string_view Text) {
  AssertionsRead Result;
  if (Text.find(Mark) == std::string_view::npos)
    return Result;
  unsigned Number = 0;
  std::size_t Open = 0; // Those before wait for their line.
  while (!Text.empty()) {
    const std::size_t Length = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, Length);
    Text.remove_prefix(std::min(Length + 1, Text.size()));
    if (Line.ends_with('\r'))
      Line.remove_suffix(1);
    ++Number;
    const std::size_t Code = Line.find_first_not_of(" \t");
    const std::size_t Comment = std::min(Line.find("//"), Line.find("/*"));
    const bool IsAlone = Comment == Code;
    // What stands in a line of its own is about the next line with code.
    if (Code != std::string_view::npos && !IsAlone) {
      for (; Open != Result.All.size(); ++Open)
        if (Result.All[Open].Of == 0)
          Result.All[Open].Of = Number;
    }
    const std::size_t At = Line.find(Mark, std::min(Comment, Line.size()));
    if (Comment == std::string_view::npos || At == std::string_view::npos)
      continue;
    const std::size_t Before = Result.All.size();
    readLine(Line, Number, IsAlone, At + Mark.size(), Result);
    if (!IsAlone && Open == Before)
      Open = Result.All.size();
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {
/// One number that an expectation is about.
struct Measure {
  std::optional<double> Value;
  std::string Of;       ///< `a store of 4 bytes`, in words.
  std::string Function; ///< The kernel, `ns::sum`.
};

/// The units of a document in which a file occurs.
struct FileUse {
  std::vector<UnitRecord *> Units;
};
} // namespace

static bool isAt(const Location &Where, const std::string &File,
                 unsigned Line) {
  return Where.Line == Line && plainPath(Where.File) == File;
}

static std::string nameOfKernel(const KernelRecord &Kernel) {
  return Kernel.Template.empty()
             ? std::string(withoutParameters(Kernel.Signature))
             : Kernel.Template;
}

static bool isOfAccess(SourceAssertion::Quantity What) {
  return What == SourceAssertion::Quantity::BankConflict ||
         What == SourceAssertion::Quantity::Wavefronts ||
         What == SourceAssertion::Quantity::Sectors;
}

/// What the accesses of \p Kernel in that line cost.
static void addAccesses(const SourceAssertion &E, const std::string &File,
                        const KernelRecord &Kernel, std::vector<Measure> &To) {
  const TrafficUnit Unit = E.What == SourceAssertion::Quantity::Sectors
                               ? TrafficUnit::Sectors
                               : TrafficUnit::Wavefronts;
  for (const AccessRecord &A : Kernel.Accesses) {
    if (A.Unit != Unit || A.Space == MemorySpace::Local ||
        !isAt(A.Written.value_or(A.Where), File, E.Of))
      continue;
    // What random data costs is no promise.
    Measure One = {A.Trust == Certainty::Random ? std::nullopt : A.PerRequest,
                   fmt::format("a {} of {} bytes", nameOf(A.Op), A.Bytes),
                   nameOfKernel(Kernel)};
    if (One.Value && E.What == SourceAssertion::Quantity::BankConflict) {
      if (A.Ideal && *A.Ideal > 0)
        *One.Value /= *A.Ideal;
      else
        One.Value.reset();
    }
    To.push_back(std::move(One));
  }
}

/// What is known of the launches in that line, or of the kernel that begins
/// there.
static void addLaunches(const SourceAssertion &E, const std::string &File,
                        const KernelRecord &Kernel, std::vector<Measure> &To) {
  const bool IsOfKernel = isAt(Kernel.Where, File, E.Of);
  bool HasLaunch = false;
  for (const LaunchRecord &L : Kernel.Launches) {
    if (!IsOfKernel && !isAt(L.Where, File, E.Of))
      continue;
    HasLaunch = true;
    if (E.What == SourceAssertion::Quantity::Registers)
      continue;
    Measure One = {std::nullopt, "a launch of '" + Kernel.Signature + "'",
                   nameOfKernel(Kernel)};
    if (L.Occupancy && E.What == SourceAssertion::Quantity::BlocksPerSM)
      One.Value = L.Occupancy->BlocksPerSM;
    if (L.Occupancy && L.Occupancy->Ratio &&
        E.What == SourceAssertion::Quantity::Occupancy)
      One.Value = 100 * *L.Occupancy->Ratio;
    To.push_back(std::move(One));
  }
  if (E.What == SourceAssertion::Quantity::Registers &&
      (IsOfKernel || HasLaunch)) {
    Measure One = {std::nullopt, "'" + Kernel.Signature + "'",
                   nameOfKernel(Kernel)};
    if (Kernel.Resources && Kernel.Resources->Registers)
      One.Value = static_cast<double>(*Kernel.Resources->Registers);
    To.push_back(std::move(One));
  }
}

static bool isKept(const SourceAssertion &E, double Value) {
  constexpr double Exact = 1e-6; // Of sums of fractions.
  switch (E.How) {
  case SourceAssertion::Comparison::AtMost:
    return Value <= E.Bound + Exact;
  case SourceAssertion::Comparison::AtLeast:
    return Value >= E.Bound - Exact;
  case SourceAssertion::Comparison::Equal:
    return std::abs(Value - E.Bound) <= Exact;
  case SourceAssertion::Comparison::Less:
    return Value < E.Bound - Exact;
  case SourceAssertion::Comparison::More:
    return Value > E.Bound + Exact;
  }
  return false;
}

static std::string_view unitOf(SourceAssertion::Quantity What) {
  switch (What) {
  case SourceAssertion::Quantity::BankConflict:
    return "-way";
  case SourceAssertion::Quantity::Wavefronts:
    return " wavefronts per request";
  case SourceAssertion::Quantity::Sectors:
    return " sectors per request";
  case SourceAssertion::Quantity::BlocksPerSM:
    return " blocks per SM";
  case SourceAssertion::Quantity::Occupancy:
    return " % of the warps";
  case SourceAssertion::Quantity::Registers:
    return " registers";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static Finding findingAt(const std::string &File, unsigned Line,
                         unsigned Column, std::string Text) {
  Finding F;
  F.Check = ExpectationCheck;
  F.Level = Severity::Error;
  F.Where = {File, Line, Column};
  F.Meant = {F.Where,
             {File, Line, Column + static_cast<unsigned>(Text.size())}};
  F.About.Kind = SubjectKind::Literal;
  F.About.Name = Text;
  F.Occurrence = Line;
  F.Fingerprint = fingerprintOf(
      fmt::format("{}\n{}\n{}", ExpectationCheck,
                  std::filesystem::path(File).filename().string(), Text));
  return F;
}

/// Of all numbers that \p E is about, the one that is farthest from it.
static std::optional<Finding> judge(const SourceAssertion &E,
                                    const std::string &File,
                                    const std::vector<Measure> &Measures) {
  Finding F = findingAt(File, E.Line, E.Column, E.Text);
  const Measure *Worst = nullptr;
  for (const Measure &Each : Measures)
    if (Each.Value && !isKept(E, *Each.Value) &&
        (!Worst ||
         std::abs(*Each.Value - E.Bound) > std::abs(*Worst->Value - E.Bound)))
      Worst = &Each;
  if (Worst) {
    F.About.Function = Worst->Function;
    F.What = {"not-kept",
              "expected {expected}, but {what} has {value}{unit}",
              {{"expected", E.Text},
               {"what", Worst->Of},
               {"value", *Worst->Value},
               {"unit", std::string(unitOf(E.What))}}};
    return F;
  }
  const auto Unknown = std::ranges::find_if(
      Measures, [](const Measure &Each) { return !Each.Value; });
  if (!Measures.empty() && Unknown == Measures.end())
    return std::nullopt;
  F.Level = Severity::Note;
  if (Measures.empty())
    F.What = {"nothing-there",
              isOfAccess(E.What)
                  ? "expected {expected}, but no such access was found in line "
                    "{line}"
                  : "expected {expected}, but no kernel begins in line {line}, "
                    "and no launch was found there",
              {{"expected", E.Text}, {"line", E.Of}}};
  else {
    F.About.Function = Unknown->Function;
    F.What = {"not-known",
              "expected {expected}, but that is not known of {what}",
              {{"expected", E.Text}, {"what", Unknown->Of}}};
  }
  return F;
}

static bool ranIn(const Document &Doc) {
  return std::ranges::find(Doc.Rules, std::string_view(ExpectationCheck),
                           &RuleRecord::Name) != Doc.Rules.end();
}

/// By the plain names of files, the units that something of theirs is in.
static std::map<std::string, FileUse> filesOf(Document &Doc) {
  std::map<std::string, FileUse> Result;
  for (UnitRecord &Unit : Doc.Units) {
    std::set<std::string> Names = {Unit.File};
    for (const KernelRecord &Kernel : Unit.Kernels) {
      Names.insert(Kernel.Where.File);
      for (const LaunchRecord &L : Kernel.Launches)
        Names.insert(L.Where.File);
      for (const AccessRecord &A : Kernel.Accesses)
        Names.insert(A.Written.value_or(A.Where).File);
    }
    for (const std::string &Name : Names)
      if (!Name.empty())
        Result[plainPath(Name)].Units.push_back(&Unit);
  }
  return Result;
}

/// The kernel that begins last before that line: as near as one can say.
static std::string kernelBefore(const UnitRecord &Unit, const std::string &File,
                                unsigned Line) {
  const KernelRecord *Last = nullptr;
  for (const KernelRecord &Each : Unit.Kernels)
    if (plainPath(Each.Where.File) == File && Each.Where.Line <= Line &&
        (!Last || Each.Where.Line > Last->Where.Line))
      Last = &Each;
  return Last ? nameOfKernel(*Last) : "";
}

/// A product is itself; an architecture is all products that have it.
static bool isOf(const std::string &Gpu, const TargetRecord &Target) {
  if (Gpu == Target.Name)
    return true;
  const std::optional<cudalint::Target> Its = parseTarget(Gpu);
  return Its && Gpu.starts_with("sm_") &&
         toString(Its->Arch->CC) == Target.ComputeCapability;
}

void checkAssertions(std::span<Document> Documents, const SourceText &Source) {
  std::map<std::string, AssertionsRead> Known;
  for (Document &Doc : Documents) {
    if (!ranIn(Doc))
      continue;
    for (const auto &[File, Use] : filesOf(Doc)) {
      auto [Entry, IsNew] = Known.try_emplace(File);
      if (IsNew)
        if (const auto Text = Source(File))
          Entry->second = readAssertions(*Text);
      UnitRecord &First = *Use.Units.front();
      for (const ErrorRecord &Error : Entry->second.Errors) {
        Finding F = findingAt(File, Error.Where.Line, Error.Where.Column, "");
        F.About.Function = kernelBefore(First, File, Error.Where.Line);
        F.What = {"no-expectation",
                  "this is no expectation: {why}",
                  {{"why", Error.Message}}};
        First.Findings.push_back(std::move(F));
      }
      for (const SourceAssertion &E : Entry->second.All) {
        if (!E.Gpu.empty() && !isOf(E.Gpu, Doc.Target))
          continue;
        std::vector<Measure> Measures;
        for (const UnitRecord *Unit : Use.Units)
          for (const KernelRecord &Kernel : Unit->Kernels)
            isOfAccess(E.What) ? addAccesses(E, File, Kernel, Measures)
                               : addLaunches(E, File, Kernel, Measures);
        if (std::optional<Finding> F = judge(E, File, Measures))
          First.Findings.push_back(std::move(*F));
      }
    }
  }
}

} // namespace cudalint
