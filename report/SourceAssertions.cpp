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
#include "report/AssertionText.h"
#include "report/Fingerprint.h"
#include "report/Judgement.h"
#include "report/Names.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace cudalint {

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

static bool isOnLine(const Location &Where, const std::string &File,
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
        !isOnLine(A.Written.value_or(A.Where), File, E.Of))
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
  const bool IsOfKernel = isOnLine(Kernel.Where, File, E.Of);
  bool HasLaunch = false;
  for (const LaunchRecord &L : Kernel.Launches) {
    if (!IsOfKernel && !isOnLine(L.Where, File, E.Of))
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
