//===- analyzer/plugin/OwnParse.cpp - The device side again ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/plugin/OwnParse.h"

#include "clang/Basic/LangStandard.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace cudalint {

/// What the driver puts in front of CUDA code that sees the toolkit.
static constexpr llvm::StringLiteral Wrapper = "__clang_cuda_runtime_wrapper.h";

static std::string standardOf(const LangOptions &Language) {
  return LangStandard::getLangStandardForKind(Language.LangStd).getName();
}

/// Folders that every compiler of the system has.
static bool isOfCompiler(StringRef Folder, const HeaderSearchOptions &Search) {
  return Folder.starts_with(Search.ResourceDir) ||
         Folder.starts_with("/usr/include") ||
         Folder.starts_with("/usr/local/include") ||
         Folder.contains("/lib/gcc/") ||
         // ../../include/c++ of a folder of gcc's.
         Folder.contains("/include/c++");
}

static std::string toolkitOf(StringRef Include) {
  llvm::SmallString<256> Header(Include);
  llvm::sys::path::append(Header, "cuda_runtime.h");
  return llvm::sys::fs::exists(Header)
             ? llvm::sys::path::parent_path(Include.rtrim('/')).str()
             : std::string();
}

DeviceArguments deviceArgumentsOf(const Preprocessor &From) {
  DeviceArguments Result;
  std::vector<std::string> &To = Result.Arguments;
  if (From.getLangOpts().LangStd != LangStandard::lang_unspecified)
    To.push_back("-std=" + standardOf(From.getLangOpts()));
  const HeaderSearchOptions &Search =
      From.getHeaderSearchInfo().getHeaderSearchOpts();
  for (const HeaderSearchOptions::Entry &Each : Search.UserEntries) {
    const StringRef Folder = Each.Path;
    if (Each.Group == frontend::Quoted) {
      To.insert(To.end(), {"-iquote", Folder.str()});
    } else if (Each.Group == frontend::Angled) {
      To.push_back("-I" + Folder.str());
    } else if (std::string Toolkit = toolkitOf(Folder); !Toolkit.empty()) {
      Result.CudaPath = std::move(Toolkit);
    } else if (Each.Group == frontend::System &&
               !isOfCompiler(Folder, Search)) {
      To.insert(To.end(), {"-isystem", Folder.str()});
    }
  }
  const PreprocessorOptions &Options = From.getPreprocessorOpts();
  for (const auto &[Macro, IsUndefined] : Options.Macros)
    To.push_back((IsUndefined ? "-U" : "-D") + Macro);
  bool SeesToolkit = false;
  for (const std::string &Each : Options.Includes)
    if (StringRef(Each).ends_with(Wrapper))
      SeesToolkit = true;
    else
      To.insert(To.end(), {"-include", Each});
  if (!SeesToolkit)
    To.push_back("-nocudainc");
  return Result;
}

} // namespace cudalint
