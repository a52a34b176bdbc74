//===- tests/identity/Main.cpp - The ledger of CUDA files -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parses CUDA files as cuda-lint does and accounts for all their accesses.
///
///   access_ledger FILE_OR_FOLDER... [-- COMPILER_ARGUMENTS]
///
/// Exit code 1 when an access is lost or changed, or a file does not parse.
///
//===----------------------------------------------------------------------===//

#include "AccessLedger.h"

#include "analyzer/frontend/Frontend.h"
#include "analyzer/ir/Canonicalise.h"
#include "hardware/Architecture.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <filesystem>
#include <span>

using namespace cudalint;

static std::vector<std::string> filesIn(const std::string &Path) {
  if (!std::filesystem::is_directory(Path))
    return {Path};
  std::vector<std::string> Files;
  for (const auto &Each : std::filesystem::recursive_directory_iterator(Path))
    if (Each.path().extension() == ".cu")
      Files.push_back(Each.path().string());
  std::ranges::sort(Files);
  return Files;
}

static void print(const char *What, const std::size_t (&Counts)[FateCount]) {
  static const char *const Fates[FateCount] = {"kept", "private", "unreachable",
                                               "in long copies", "not inlined"};
  std::size_t All = 0;
  for (std::size_t Count : Counts)
    All += Count;
  llvm::outs() << "  " << All << ' ' << What << ':';
  for (std::size_t I = 0; I != FateCount; ++I)
    llvm::outs() << ' ' << Counts[I] << ' ' << Fates[I]
                 << (I + 1 < FateCount ? "," : "\n");
}

static void add(AccessLedger &Sum, const AccessLedger &Each) {
  for (std::size_t I = 0; I != FateCount; ++I) {
    Sum.Origins[I] += Each.Origins[I];
    Sum.Atomics[I] += Each.Atomics[I];
    Sum.Copies[I] += Each.Copies[I];
  }
  Sum.Local += Each.Local;
  Sum.Violations.insert(Sum.Violations.end(), Each.Violations.begin(),
                        Each.Violations.end());
}

static void print(const std::string &Title, const AccessLedger &L) {
  llvm::outs() << Title << ": " << L.Violations.size() << " violations\n";
  print("loads, stores and sides of copies", L.Origins);
  print("atomics and inline PTX", L.Atomics);
  print("of them in kernels, after inlining", L.Copies);
  llvm::outs() << "  " << L.Local << " accesses of local memory\n";
}

/// Nothing when the file does not parse.
static std::optional<AccessLedger>
ledgerOfFile(const std::string &File,
             const std::vector<std::string> &Arguments) {
  FrontendOptions Options;
  Options.Arch = findArchitecture({9, 0});
  llvm::LLVMContext Context;
  std::string Stopped;
  const FrontendResult Parsed = parseCuda(
      {.File = File, .Folder = {}, .Arguments = Arguments, .Files = nullptr},
      Options, Context, [](clang::ASTContext &, auto &) {}, Stopped);
  if (Parsed.Status != UnitStatus::Ok || !Parsed.Module) {
    llvm::errs() << File << ": does not parse\n" << Parsed.Diagnostics;
    return std::nullopt;
  }
  const std::unique_ptr<llvm::Module> Before =
      llvm::CloneModule(*Parsed.Module);
  canonicalise(*Parsed.Module);
  return makeLedger(*Before, *Parsed.Module);
}

int main(int Count, char **Values) {
  const std::span<char *> All(Values + 1,
                              static_cast<std::size_t>(std::max(Count - 1, 0)));
  const auto Dashes = std::ranges::find(All, std::string("--"));
  const std::vector<std::string> Arguments(
      Dashes == All.end() ? Dashes : Dashes + 1, All.end());
  AccessLedger Sum;
  std::size_t Files = 0, NotParsed = 0;
  for (auto At = All.begin(); At != Dashes; ++At)
    for (const std::string &File : filesIn(*At)) {
      ++Files;
      const std::optional<AccessLedger> Each = ledgerOfFile(File, Arguments);
      if (!Each) {
        ++NotParsed;
        continue;
      }
      print(File, *Each);
      for (const LedgerViolation &V : Each->Violations)
        llvm::outs() << "  " << toString(V.Fault) << ": " << V.What << '\n';
      add(Sum, *Each);
    }
  print(std::to_string(Files) + " files, " + std::to_string(NotParsed) +
            " of which do not parse",
        Sum);
  return Files && !NotParsed && Sum.Violations.empty() ? 0 : 1;
}
