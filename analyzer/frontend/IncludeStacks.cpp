//===- analyzer/frontend/IncludeStacks.cpp - How headers came -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/IncludeStacks.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudalint {

IncludeStacks includeStacksOf(const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  IncludeStacks Stacks;
  for (auto Each = Sources.fileinfo_begin(); Each != Sources.fileinfo_end();
       ++Each) {
    const FileID File = Sources.translateFile(Each->first);
    const SourceLocation Start =
        File.isValid() ? Sources.getLocForStartOfFile(File) : SourceLocation();
    if (Start.isInvalid() || Sources.isInSystemHeader(Start))
      continue;
    std::vector<Location> Stack;
    PresumedLoc Place = Sources.getPresumedLoc(Start);
    const std::string Name = Place.isValid() ? Place.getFilename() : "";
    for (SourceLocation From = Sources.getIncludeLoc(File);
         From.isValid() && !Sources.isWrittenInBuiltinFile(From) &&
         !Sources.isWrittenInCommandLineFile(From);
         From = Place.getIncludeLoc()) {
      Place = Sources.getPresumedLoc(From);
      if (Place.isInvalid())
        break;
      Stack.push_back({Place.getFilename(), Place.getLine(), 0});
    }
    if (!Stack.empty())
      Stacks.emplace(Name, std::move(Stack));
  }
  return Stacks;
}

} // namespace cudalint
