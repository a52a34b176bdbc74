//===- analyzer/frontend/ParseLimits.cpp - Ends what has no end -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ParseLimits.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Token.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <cstdint>

using namespace clang;
using namespace llvm;

namespace cudalint {

/// thrust, cub and cooperative groups of CUDA 13.0 together enter 1826 files of
/// 19 MB and expand 319,000 macros (`clang -Xclang -print-stats`).
static constexpr std::uint64_t MostFiles = 200'000;
static constexpr std::uint64_t MostBytes = 1u << 30;
static constexpr std::uint64_t MostFilesForNothing = 4096;
static constexpr std::uint64_t MostExpansions = 20'000'000;

namespace {

class ParseLimits : public PPCallbacks {
public:
  ParseLimits(const SourceManager &Sources, std::string &Reason)
      : Sources(Sources), Reason(Reason) {}

  void LexedFileChanged(FileID File, LexedFileChangeReason Change,
                        SrcMgr::CharacteristicKind, FileID,
                        SourceLocation) override {
    if (Change != LexedFileChangeReason::EnterFile)
      return;
    Bytes += Sources.getFileIDSize(File);
    // What is declared again and again takes Clang longer each time.
    if (Sources.getDiagnostics().hasFatalErrorOccurred() &&
        ++EnteredForNothing > MostFilesForNothing)
      stop((Twine("goes on to include files behind a fatal error or very many "
                  "others, the last of them '") +
            nameOf(File) +
            "'; see whether a file is included again and again without an "
            "include guard")
               .str());
    if (++Entered > MostFiles || Bytes > MostBytes)
      stop((Twine("includes more than ") +
            (Entered > MostFiles ? Twine(MostFiles) + " files"
                                 : Twine(MostBytes >> 20) + " MB") +
            ", the last of them '" + nameOf(File) +
            "'; see whether a file includes itself without an include guard")
               .str());
  }

  void MacroExpands(const Token &Macro, const MacroDefinition &, SourceRange,
                    const MacroArgs *) override {
    if (++Expansions > MostExpansions)
      stop((Twine("expands macros more than ") + Twine(MostExpansions) +
            " times, the last of them '" +
            Macro.getIdentifierInfo()->getName() +
            "'; see whether macros double each other")
               .str());
  }

private:
  StringRef nameOf(FileID File) const {
    OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
    return Entry ? Entry->getName() : "";
  }

  /// There is no way to ask Clang to end. Where nothing can be left, it goes
  /// on.
  void stop(std::string Why) {
    Reason = std::move(Why);
    if (CrashRecoveryContext *Guard = CrashRecoveryContext::GetCurrent())
      Guard->HandleExit(/*RetCode=*/1);
  }

  const SourceManager &Sources;
  std::string &Reason;
  std::uint64_t Entered = 0;
  std::uint64_t EnteredForNothing = 0; ///< After a fatal error.
  std::uint64_t Bytes = 0;
  std::uint64_t Expansions = 0;
};

} // namespace

std::unique_ptr<PPCallbacks> makeParseLimits(const SourceManager &Sources,
                                             std::string &Reason) {
  return std::make_unique<ParseLimits>(Sources, Reason);
}

} // namespace cudalint
