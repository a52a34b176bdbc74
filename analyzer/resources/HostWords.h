//===- analyzer/resources/HostWords.h - For the host compiler ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads what -Xcompiler hands on and what nvcc itself has in common with the
/// host's compiler: options of the preprocessor, each with one value. Pure:
/// from words to words.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_HOSTWORDS_H
#define CUDA_LINT_ANALYZER_RESOURCES_HOSTWORDS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

struct NvccOption;

/// What an argument for the preprocessor names.
enum class ValueKind : std::uint8_t { Macro, Undefined, Folder, File };
struct PreprocessorOption {
  llvm::StringLiteral Name;
  ValueKind Value;

  bool isOfMacros() const {
    return Value == ValueKind::Macro || Value == ValueKind::Undefined;
  }
};

/// The option that \p Word begins with; null: none.
const PreprocessorOption *preprocessorOption(llvm::StringRef Word);

/// `A` of `A=1`, `F` of `F(x)=x`.
inline llvm::StringRef macroName(llvm::StringRef Definition) {
  return Definition.take_until([](char C) { return C == '=' || C == '('; });
}

/// One `-D` or `-I` with one value, for the host's compiler.
struct HostWord {
  const PreprocessorOption *Option; ///< Null: the value is all there is.
  std::string Value;
};

/// The values of -Xcompiler.
std::vector<std::string> hostValues(std::span<const NvccOption> Options);

/// What `-Xcompiler` hands on: commas and blanks part the words, but not in
/// the value of an option that stands before it alone.
std::vector<HostWord> wordsForHost(std::span<const std::string> Values);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_HOSTWORDS_H
