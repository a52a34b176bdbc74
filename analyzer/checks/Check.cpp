//===- analyzer/checks/Check.cpp - The registry of checks ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"

#include "analyzer/model/AccessWords.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace cudalint {

double FindingSink::value(const CheckOption &Option) const {
  if (Values)
    if (const auto Set = Values->find(Option.Name); Set != Values->end())
      return Set->second;
  return Option.Default;
}

Finding &FindingSink::report(SourcePlace Place, Subject About, Phrase What) {
  Finding &F = Out.emplace_back();
  F.Check = Info.Name;
  F.Level = Info.Default;
  F.Where = std::move(Place.Where);
  // Of two files, as where a statement goes on in a header, nobody shows both.
  if (Place.Origin.Extent.Begin.File == F.Where.File)
    F.Meant = std::move(Place.Origin.Extent);
  F.Macros = std::move(Place.Origin.Macros);
  F.IncludedFrom = std::move(Place.Origin.IncludedFrom);
  F.About = std::move(About);
  F.What = std::move(What);
  return F;
}

Finding &FindingSink::add(const KernelModel &Kernel, Location Where,
                          TextOrigin Origin, Phrase What) {
  const KernelDeclaration &Declaration = Kernel.Declaration;
  Finding &F = report(
      SourcePlace{std::move(Where), std::move(Origin)},
      Subject{.Kind = SubjectKind::Kernel, .Function = Declaration.PlainName},
      std::move(What));
  F.Kernel = Declaration.Name;
  F.KernelSignature = Declaration.Signature;
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, Phrase What) {
  return add(Kernel, Kernel.Declaration.Where, Kernel.Declaration.Origin,
             std::move(What));
}

Finding &FindingSink::report(const KernelModel &Kernel, const Launch &L,
                             Phrase What) {
  Finding &F = L.Where.File.empty()
                   ? report(Kernel, std::move(What))
                   : add(Kernel, L.Where, L.Origin, std::move(What));
  F.About.Kind = SubjectKind::Launch;
  if (!L.CalledAt.File.empty())
    F.InlinedAt = {L.CalledAt};
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, const LocalArray &Array,
                             Phrase What) {
  Finding &F = add(Kernel, Array.Where, {}, std::move(What));
  F.About.Kind = SubjectKind::Variable;
  F.About.Name = Array.Name;
  F.InlinedAt = Array.InlinedAt;
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, const CodePlace &Place,
                             SubjectKind What, std::string Name, Phrase Said) {
  Finding &F = add(Kernel, Place.Where, {}, std::move(Said));
  F.About.Kind = What;
  F.About.Name = std::move(Name);
  F.InlinedAt = Place.InlinedAt;
  return F;
}

static SubjectKind kindOf(AccessOp Op) {
  switch (Op) {
  case AccessOp::Load:
    return SubjectKind::Load;
  case AccessOp::Store:
    return SubjectKind::Store;
  case AccessOp::Atomic:
    return SubjectKind::Atomic;
  }
  return SubjectKind::Load;
}

/// The lvalue without blanks. Where it is cut, numbers would move the cut.
static std::string nameOf(const AccessFact &Source) {
  if (Source.Text.ends_with("...") && !Source.Object.empty())
    return Source.Object;
  std::string Name = Source.Text;
  std::erase(Name, ' ');
  return Name;
}

/// What it is called in the kernel. Dynamic memory is of many objects.
static std::string objectOf(const KernelModel &Kernel, const Access &A) {
  const auto Its =
      std::ranges::find(Kernel.Shared, A.Variable, &SharedVariable::Name);
  if (Its != Kernel.Shared.end() && Its->Bytes != 0)
    return Its->PlainName;
  return A.InlinedAt.empty() ? A.Source.Object : std::string();
}

Finding &FindingSink::report(const KernelModel &Kernel, const Access &A,
                             Phrase What) {
  Finding &F = add(Kernel, A.UserWhere.File.empty() ? A.Where : A.UserWhere,
                   A.Source.Origin, std::move(What));
  F.About.Kind = kindOf(A.Op);
  F.About.Name = nameOf(A.Source);
  F.About.Variable = A.Source.Object;
  F.About.Object = objectOf(Kernel, A);
  F.InlinedAt = A.InlinedAt;
  F.Trust = A.Trust;
  F.Assumptions = A.Assumptions;
  F.Executions = A.Executions;
  F.Block = A.Block;
  if (A.IsOfFewThreads && F.Level == Severity::Warning)
    F.Level = Severity::Note;
  return F;
}

FindingSink::~FindingSink() {
  for (Finding &F : std::span(Out).subspan(std::min(First, Out.size())))
    for (Phrase *Said : {&F.What, &F.Cause, &F.Remedy}) {
      std::ranges::sort(Said->Values, {}, &NamedValue::Name);
      assert(faultOf(*Said).empty() && "a phrase that users could not read");
    }
}

void Check::checkKernel(const KernelModel &, FindingSink &) const {}
void Check::checkSource(const clang::ASTContext &, const Target &,
                        FindingSink &) const {}

bool Check::isRefuted(std::span<const KernelModel *const>,
                      const Finding &) const {
  return false;
}
std::optional<double> Check::mostOf(const KernelModel &,
                                    const Finding &) const {
  return std::nullopt;
}

Prediction predicted(Evidence Counter, const Architecture &Arch, double Value,
                     std::optional<double> Ideal) {
  return {valueOf(Counter, Arch), Value, Ideal};
}

RuleRecord ruleOf(const CheckInfo &Info) {
  return {.Name = std::string(Info.Name),
          .Summary = std::string(Info.Summary),
          .Default = Info.Default,
          .Why = std::string(Info.Why),
          .Bad = std::string(Info.Bad),
          .Good = std::string(Info.Good),
          .Limits = std::string(Info.Limits),
          .Proof = std::string(factsOf(Info.ConfirmedBy).Proof)};
}

using Maker = std::unique_ptr<Check> (*)();

/// Made on first use: registrations run in an order that nobody knows.
static std::vector<Maker> &registry() {
  static std::vector<Maker> Makers;
  return Makers;
}

CheckRegistration::CheckRegistration(Maker Make) { registry().push_back(Make); }

std::vector<std::unique_ptr<Check>> makeChecks() {
  std::vector<std::unique_ptr<Check>> Checks;
  for (const Maker Make : registry())
    Checks.push_back(Make());
  std::sort(Checks.begin(), Checks.end(), [](const auto &A, const auto &B) {
    return A->info().Name < B->info().Name;
  });
  return Checks;
}

} // namespace cudalint
