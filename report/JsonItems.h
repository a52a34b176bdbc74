//===- report/JsonItems.h - Reads a long JSON list item by item -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A list of a million items costs the memory of one: each is handed over when
/// it has been read, and forgotten. What else the text holds is checked for its
/// syntax, and not kept.
///
/// Only for the .cpp files of readers: it includes a large header.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_JSONITEMS_H
#define CUDA_LINT_REPORT_JSONITEMS_H

#include "report/JsonCursor.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

/// The most values of one item.
inline constexpr std::size_t MostItemValues = 1 << 16;

/// Which parts of a text are wanted.
struct JsonList {
  /// The member of the root that holds the list, where the root is an object.
  /// Of a text that is itself a list, its items are handed over.
  const char *Name = "";
  /// Members of the root that are returned.
  std::span<const char *const> Kept;
};

/// Calls \p Take with each item of the list, whose cursor lives no longer than
/// the call. Returns an object of the members to keep, in which an empty list
/// stands for the one that was read; of a text that is itself a list, an empty
/// list.
///
/// Throws JsonFault for what is no JSON, too deep or too long, and for an
/// object that is kept or handed over and has a key twice: readers differ in
/// which of the two they take.
nlohmann::json
readJsonItems(std::string_view Text, const JsonList &Wanted,
              const std::function<void(const JsonCursor &Item)> &Take,
              const JsonLimits &Limits = {});

} // namespace cudalint

#endif // CUDA_LINT_REPORT_JSONITEMS_H
