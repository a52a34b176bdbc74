//===- runtime/measure/RepeatedInput.h - The same each time -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_REPEATEDINPUT_H
#define CUDA_LINT_RUNTIME_MEASURE_REPEATEDINPUT_H

#include <optional>
#include <string>
#include <sys/types.h>

namespace cudalint {

/// Lets several programs, which run one after the other, read the same standard
/// input: the file that it is from where it stands, or what comes through a
/// pipe, which is kept in a file without a name.
class RepeatedInput {
public:
  /// What a pipe may bring; there is to be room for it.
  static constexpr std::size_t MostBytes = std::size_t{1} << 30;

  /// Looks at the standard input, and takes what is in a pipe.
  RepeatedInput();

  /// Before each program.
  void rewind() const;

  /// Why what a later program reads may be less than the first had; a sentence
  /// for the user, or empty.
  const std::string &why() const { return Why; }

private:
  std::optional<off_t> Start; ///< Where it can be set back.
  std::string Why;

  void keepPipe();
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_REPEATEDINPUT_H
