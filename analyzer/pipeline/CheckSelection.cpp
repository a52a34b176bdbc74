//===- analyzer/pipeline/CheckSelection.cpp - --checks --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/CheckSelection.h"

#include "analyzer/pipeline/NearestWord.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/GlobPattern.h>

namespace cudalint {

static std::string noSuchCheck(std::string_view Glob,
                               const std::vector<std::unique_ptr<Check>> &All) {
  std::vector<std::string> Names;
  for (const std::unique_ptr<Check> &Each : All)
    Names.emplace_back(Each->info().Name);
  std::string Near = nearestWord(Glob, Names);
  std::string Hint =
      Near.empty() ? std::string() : fmt::format("did you mean {}? ", Near);
  return fmt::format("no check matches '{}'; {}'cuda-lint list-checks' names "
                     "them all",
                     Glob, Hint);
}

std::optional<std::vector<const Check *>>
selectChecks(const std::vector<std::unique_ptr<Check>> &All,
             std::string_view Globs, std::string &Error) {
  std::vector<bool> On;
  for (const std::unique_ptr<Check> &Each : All)
    On.push_back(Each->info().Level == Maturity::Stable);

  llvm::SmallVector<llvm::StringRef> Parts;
  llvm::StringRef(Globs).split(Parts, ',');
  for (llvm::StringRef Part : Parts) {
    Part = Part.trim();
    bool Wanted = !Part.consume_front("-");
    if (Part.empty())
      continue;
    llvm::Expected<llvm::GlobPattern> Glob = llvm::GlobPattern::create(Part);
    if (!Glob) {
      Error = fmt::format("malformed glob '{}': {}", Part.str(),
                          llvm::toString(Glob.takeError()));
      return std::nullopt;
    }
    bool Matched = false;
    for (std::size_t I = 0; I != All.size(); ++I)
      if (Glob->match(All[I]->info().Name)) {
        On[I] = Wanted;
        Matched = true;
      }
    if (!Matched && Part != "*") {
      Error = noSuchCheck(Part.str(), All);
      return std::nullopt;
    }
  }

  std::vector<const Check *> Selected;
  for (std::size_t I = 0; I != All.size(); ++I)
    if (On[I])
      Selected.push_back(All[I].get());
  return Selected;
}

} // namespace cudalint
