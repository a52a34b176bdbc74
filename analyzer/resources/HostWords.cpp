//===- analyzer/resources/HostWords.cpp - For the host compiler -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/HostWords.h"

#include "analyzer/resources/NvccArguments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <utility>

using namespace llvm;

namespace cudalint {

/// A longer name before one that it begins with.
static constexpr PreprocessorOption PreprocessorOptions[] = {
    {"-idirafter", ValueKind::Folder}, {"-include", ValueKind::File},
    {"-imacros", ValueKind::File},     {"-iquote", ValueKind::Folder},
    {"-isysroot", ValueKind::Folder},  {"-isystem", ValueKind::Folder},
    {"-D", ValueKind::Macro},          {"-I", ValueKind::Folder},
    {"-U", ValueKind::Undefined},
};

const PreprocessorOption *preprocessorOption(StringRef Word) {
  auto *Found = find_if(PreprocessorOptions, [&](const auto &O) {
    return Word.starts_with(O.Name);
  });
  return Found == std::end(PreprocessorOptions) ? nullptr : Found;
}

std::vector<HostWord> wordsForHost(std::span<const std::string> Values) {
  std::vector<HostWord> Result;
  const PreprocessorOption *Pending = nullptr;
  for (StringRef Value : Values) {
    if (Pending) {
      Result.push_back({std::exchange(Pending, nullptr), Value.str()});
      continue;
    }
    SmallVector<std::string> Parts;
    for (StringRef List : nvccList(Value))
      for (StringRef Rest = List; !Rest.empty();) {
        StringRef Part;
        std::tie(Part, Rest) = Rest.ltrim(' ').split(' ');
        // The shell takes the quotes away.
        if (Part.size() > 2 && Part.front() == '"' && Part.back() == '"')
          Part = Part.drop_front().drop_back();
        if (!Part.empty())
          Parts.push_back(Part.str());
      }
    for (const std::string &Part : Parts) {
      const PreprocessorOption *Option = preprocessorOption(Part);
      if (Pending)
        Result.push_back({std::exchange(Pending, nullptr), Part});
      else if (Option && Option->Name == Part)
        Pending = Option;
      else if (Option)
        Result.push_back({Option, Part.substr(Option->Name.size())});
      else
        Result.push_back({nullptr, Part});
    }
  }
  return Result;
}

std::vector<std::string> hostValues(std::span<const NvccOption> Options) {
  std::vector<std::string> Result;
  for (const NvccOption &Each : Options)
    if (Each.Name == "-Xcompiler" && Each.Value)
      Result.push_back(*Each.Value);
  return Result;
}

} // namespace cudalint
