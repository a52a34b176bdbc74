//===- tests/identity/AccessLedger.cpp - What became of accesses ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessLedger.h"

#include "Witness.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/LongCode.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <map>
#include <optional>

using namespace llvm;

namespace cudalint {

const char *toString(LedgerFault F) {
  switch (F) {
  case LedgerFault::NotMarked:
    return "not marked";
  case LedgerFault::Lost:
    return "lost";
  case LedgerFault::Unexpected:
    return "not written so";
  case LedgerFault::Repeated:
    return "repeated";
  case LedgerFault::NoPlace:
    return "without a line";
  case LedgerFault::AtDeclaration:
    return "at the kernel's declaration";
  }
  return "";
}

namespace {

class LedgerMaker {
public:
  LedgerMaker(const Module &Before, const Module &After)
      : After(After), Of(makeWitness(Before)), Fates(Of.Origins.size()) {}

  AccessLedger run() {
    for (std::string &What : Of.NotMarked)
      fault(LedgerFault::NotMarked, std::move(What));
    for (std::string &What : Of.NotInlined)
      fault(LedgerFault::Lost, std::move(What));
    for (const WrittenCopy &Each : Of.Copies)
      Written[Each.Identity].push_back(&Each);
    const auto Reachable = reachableFunctions(After);
    for (const Function &F : After)
      if (is_contained(Reachable, &F) || isWritten(F))
        for (const Instruction &I : instructions(F))
          find(I);
    for (const auto &[Identity, Copies] : Written)
      settle(Identity, Copies);
    for (const auto &[Identity, Count] : Found)
      if (!Written.contains(Identity))
        fault(LedgerFault::Unexpected, toString(Identity));
    countOrigins();
    std::ranges::sort(Out.Violations);
    return std::move(Out);
  }

private:
  const Module &After;
  Witness Of;
  std::map<AccessIdentity, std::vector<const WrittenCopy *>> Written;
  std::map<AccessIdentity, std::size_t> Found;
  std::vector<std::optional<AccessFate>> Fates; ///< Of origins.
  AccessLedger Out;

  void fault(LedgerFault Fault, std::string What) {
    Out.Violations.push_back({Fault, std::move(What)});
  }

  /// A function may be called through a pointer that the result, in which
  /// only accesses count, does not store any more.
  bool isWritten(const Function &F) const {
    return any_of(Of.Copies, [&](const WrittenCopy &Each) {
      return Each.Identity.Function == F.getName();
    });
  }

  /// One access of the result.
  void find(const Instruction &I) {
    const std::optional<AccessIdentity> Identity = identityOf(I);
    const std::optional<MarkedAccess> Marked = markedAccess(I);
    if (!Identity && !Marked)
      return;
    AccessIdentity Place = {.Function = I.getFunction()->getName().str(),
                            .Op = Identity ? Identity->Op : Marked->Op,
                            .Place = placeOf(I)};
    bool IsWritten = Identity && Written.contains(*Identity);
    if (Identity) {
      ++Found[*Identity];
    } else {
      ++Out.Local;
      IsWritten = Of.PrivatePlaces.contains(Place);
      if (!IsWritten)
        fault(LedgerFault::Unexpected, "local: " + toString(Place));
    }
    const DILocation *At = I.getDebugLoc();
    while (At && !At->getLine())
      At = At->getInlinedAt();
    const DISubprogram *Kernel = I.getFunction()->getSubprogram();
    if (!At)
      fault(LedgerFault::NoPlace, toString(Identity.value_or(Place)));
    else if (!IsWritten && Kernel && At->getLine() == Kernel->getLine() &&
             At->getFilename() == Kernel->getFilename())
      fault(LedgerFault::AtDeclaration, toString(Identity.value_or(Place)));
  }

  /// Of which there are as many in the result as are found, and of the others
  /// those that a proof allows to be gone.
  void settle(const AccessIdentity &Identity,
              const std::vector<const WrittenCopy *> &Copies) {
    const auto In = Found.find(Identity);
    std::size_t Left = In == Found.end() ? 0 : In->second;
    if (Left > Copies.size())
      fault(LedgerFault::Repeated, toString(Identity));
    const Function *F = After.getFunction(Identity.Function);
    const bool IsLong = F && isKernel(*F) && accessesLeftOut(*F);
    std::vector<const WrittenCopy *> Ordered = Copies;
    std::ranges::stable_sort(Ordered, {}, [](const WrittenCopy *Each) {
      return Each->IsPrivate || Each->IsUnreachable;
    });
    for (const WrittenCopy *Each : Ordered)
      if (IsLong)
        count(*Each, AccessFate::NotInlined);
      else if (Left && Left--)
        count(*Each,
              F && isKernel(*F) ? AccessFate::Kept : AccessFate::NotInlined);
      else if (Each->IsUnreachable)
        count(*Each, AccessFate::Unreachable);
      else if (Each->IsPrivate)
        count(*Each, AccessFate::Private);
      else
        fault(LedgerFault::Lost, toString(Identity));
  }

  void count(const WrittenCopy &Copy, AccessFate Fate) {
    ++Out.Copies[static_cast<std::size_t>(Fate)];
    std::optional<AccessFate> &All = Fates[Copy.Origin];
    auto Rank = [](AccessFate Each) {
      return Each == AccessFate::Kept         ? 0
             : Each == AccessFate::NotInlined ? 1
             : Each == AccessFate::Private    ? 2
                                              : 3;
    };
    if (!All || Rank(Fate) < Rank(*All))
      All = Fate;
  }

  void countOrigins() {
    for (std::size_t I = 0; I != Fates.size(); ++I) {
      const WrittenOrigin &Each = Of.Origins[I];
      const AccessFate Fate = Each.IsPrivate ? AccessFate::Private
                              : Each.IsLong
                                  ? AccessFate::LongCopy
                                  : Fates[I].value_or(AccessFate::Unreachable);
      ++(Each.IsMarked ? Out.Origins
                       : Out.Atomics)[static_cast<std::size_t>(Fate)];
    }
  }
};

} // namespace

AccessLedger makeLedger(const Module &Before, const Module &After) {
  return LedgerMaker(Before, After).run();
}

} // namespace cudalint
