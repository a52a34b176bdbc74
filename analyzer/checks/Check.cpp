//===- analyzer/checks/Check.cpp - The registry of checks ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"

#include <algorithm>

namespace cudalint {

Finding &FindingSink::report(Location Where, std::string Message) {
  Finding &F = Out.emplace_back();
  F.Check = Info.Name;
  F.Level = Info.Default;
  F.Where = std::move(Where);
  F.Message = std::move(Message);
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, Location Where,
                             std::string Message) {
  Finding &F = report(std::move(Where), std::move(Message));
  F.Kernel = Kernel.Declaration.Name;
  F.KernelSignature = Kernel.Declaration.Signature;
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, const Access &A,
                             std::string Message) {
  Finding &F = report(Kernel, A.UserWhere.File.empty() ? A.Where : A.UserWhere,
                      std::move(Message));
  F.InlinedAt = A.InlinedAt;
  F.Trust = A.Trust;
  F.Assumptions = A.Assumptions;
  return F;
}

void Check::checkKernel(const KernelModel &, FindingSink &) const {}
void Check::checkSource(clang::ASTContext &, const Target &,
                        FindingSink &) const {}

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
