//===- runtime/ncu/ExportLine.h - A line of an export of ncu ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `ncu --csv` prints is no CSV as RFC 4180 has it: fields stand in
/// quotes, but quotes of a source line within a field are not doubled:
///
///   "1","#include "Mixed.h"","-","-","14"
///
/// So a line that begins with a quote is cut at `","` alone, and where the
/// source of a line holds that as well, the columns of the header tell which
/// pieces belong together. A line that begins without is a plain CSV line.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_NCU_EXPORTLINE_H
#define CUDA_LINT_RUNTIME_NCU_EXPORTLINE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint::ncu {

/// What is wrong with an export, and where: `line 7: ...`. May hold text of the
/// file: print it through printable().
class Fault : public std::runtime_error {
public:
  Fault(std::size_t Line, const std::string &What);
};

/// No page of ncu has more; raw ones have about a thousand.
inline constexpr std::size_t MostColumns = 20000;

/// The fields of \p Line, which has no line end. \p Columns is how many the
/// header has, or 0; surplus ones are joined to that of index \p Wordy.
std::vector<std::string_view> fieldsOf(std::string_view Line,
                                       std::size_t Number,
                                       std::size_t Columns = 0,
                                       std::size_t Wordy = 1);

/// Lines of a text, without their ends (\n or \r\n).
class Lines {
public:
  explicit Lines(std::string_view Text) : Rest(Text) {}

  /// The next line; nothing at the end.
  std::optional<std::string_view> next();
  std::size_t number() const { return Number; } ///< Of that line, from 1.
  /// Whether the last one had no end, as where a file was cut off.
  bool isOpen() const { return Open; }

private:
  std::string_view Rest;
  std::size_t Number = 0;
  bool Open = false;
};

/// A count: digits, also with `,` between thousands or zeros behind a point.
/// Nothing for `-`, an empty field and `n/a`; all else is a fault, which names
/// \p Column.
std::optional<std::uint64_t> countOf(std::string_view Field,
                                     std::string_view Column, std::size_t Line);

/// The same for a number that may have a fraction. None is negative.
std::optional<double> figureOf(std::string_view Field, std::string_view Column,
                               std::size_t Line);

} // namespace cudalint::ncu

#endif // CUDA_LINT_RUNTIME_NCU_EXPORTLINE_H
