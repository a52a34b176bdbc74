//===- analyzer/launch/ProgramValues.h - Constants of a program -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Places of a whole program that hold one value whenever they are read: a
/// member of a struct, a global variable, a function's parameter. Each file
/// says what it stores where; when all files of a program are there, a place
/// into which no function that runs stores anything but 16 holds 16. And the
/// calls that files make of each other's functions. Plain values, no Clang.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_PROGRAMVALUES_H
#define CUDA_LINT_ANALYZER_LAUNCH_PROGRAMVALUES_H

#include "report/Finding.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// One store of an integer. Places go by names that are the same in all files
/// of a program; what is private to a file has the file in its name.
struct PlaceStore {
  std::string Place;
  unsigned Bits = 0; ///< Of the place's type: 1 to 64.
  bool Signed = false;
  /// What is stored: a number, or what another place holds; neither where that
  /// is not known.
  std::optional<std::int64_t> Number = std::nullopt;
  std::string From = {};

  bool operator==(const PlaceStore &) const = default;
};

/// What the bodies of one function do.
struct FunctionFacts {
  std::vector<PlaceStore> Stores;
  /// The user's functions that it calls or names.
  std::set<std::string> Uses;
  /// Runs although none of the user's functions may name it: main, and what
  /// library code may call.
  bool IsRoot = false;

  bool operator==(const FunctionFacts &) const = default;
};

/// What a call passes, by position, where that is a known integer.
using CallArguments = std::vector<std::optional<std::int64_t>>;

/// Calls of one function by files in which it has no body.
struct OuterCalls {
  /// Different ones, at most MaxOuterCalls, and where each is made first.
  std::map<CallArguments, Location> Met;
  /// False: there may be others, with arguments that nobody knows.
  bool IsComplete = true;

  bool operator==(const OuterCalls &) const = default;
};
inline constexpr std::size_t MaxOuterCalls = 64;

/// What one file has to say.
struct ProgramFacts {
  std::map<std::string, FunctionFacts> Functions; ///< With a body here.
  FunctionFacts Globals; ///< What initialises variables.
  /// Places of variables that this file defines, and that it only declares.
  std::set<std::string> Defined;
  std::set<std::string> Declared;
  /// By the names of the functions that are called.
  std::map<std::string, OuterCalls> Calls;
  /// Pointers, members and variables, into which the file stores, by their
  /// names: how many bytes modulo 256 behind another pointer, 0 for what is
  /// moved by nothing; empty where that is not known.
  std::map<std::string, std::set<std::optional<std::int64_t>>> Pointers;
  bool HasMain = false;
  bool Complete = true; ///< False: some of the file could not be read.

  bool operator==(const ProgramFacts &) const = default;
};

/// By the names of places. Empty for a variable into which a file that only
/// declares it stores something: what it begins with counts for nothing.
using ProgramValues = std::map<std::string, std::optional<std::int64_t>>;

/// The places that hold one number, whatever the program does. No numbers at
/// all unless \p Files are a whole program: a main, the bodies of all functions
/// that it leads to, and nothing that could not be read.
ProgramValues valuesOfProgram(std::span<const ProgramFacts *const> Files);

/// What is known of a program beyond one of its files.
struct WholeProgram {
  ProgramValues Values;
  /// Pointers that are moved when they are stored: by how many bytes modulo
  /// 256, where that is the same everywhere.
  std::map<std::string, std::optional<std::int64_t>> Moved;
  /// By the names of the functions that are called.
  std::map<std::string, OuterCalls> Calls;
};

/// The calls of part of a program are calls too, and not complete. Functions
/// that are never called with a known number are left out.
WholeProgram wholeProgram(std::span<const ProgramFacts *const> Files);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_PROGRAMVALUES_H
