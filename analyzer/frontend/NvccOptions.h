//===- analyzer/frontend/NvccOptions.h - What nvcc takes --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_NVCCOPTIONS_H
#define CUDA_LINT_ANALYZER_FRONTEND_NVCCOPTIONS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace cudalint::nvcc {

enum class Action {
  Drop,         ///< Of no consequence to a parse.
  Forward,      ///< Clang's option of the same meaning: `As` and the value.
  ForwardList,  ///< The same, once for each value of a comma-separated list.
  Define,       ///< Defines the macro `As`, as nvcc does.
  Host,         ///< A comma-separated list for the host's compiler.
  Architecture, ///< Of GPUs; not forwarded.
  Stream,       ///< `per-thread` defines the macro `As`.
  Relocatable,  ///< Unless its value is `false`.
};

enum class Value { None, Needed };

/// An option as nvcc documents it. A value follows behind `=` or as the next
/// argument, for the short and the long name alike.
struct Option {
  llvm::StringLiteral Short;
  llvm::StringLiteral Long;
  Value Takes;
  Action Does;
  llvm::StringLiteral As;
};

/// What an argument says: an option of the table and its value, where that
/// stands in the same argument.
struct Match {
  const Option *Opt = nullptr;
  std::optional<llvm::StringRef> Joined;
};

/// The option of nvcc that \p Argument is; none of all else.
Match match(llvm::StringRef Argument);

/// Whether \p Argument is an option of Clang's or gcc's whose value is the next
/// argument.
bool takesNext(llvm::StringRef Argument);

} // namespace cudalint::nvcc

#endif // CUDA_LINT_ANALYZER_FRONTEND_NVCCOPTIONS_H
