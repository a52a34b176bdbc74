//===- analyzer/resources/KernelName.cpp - Names that compare -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc makes what is local to a file public under a name of its own:
///
///   static void k(float *)         Clang: _ZL1kPf  nvcc: _Z1kPf
///   namespace { void k(float *); } Clang: _ZN12_GLOBAL__N_11kEPf
///                      nvcc: _ZN34_GLOBAL__N__4278e386_4_a_cu_plainc1kEPf
///
/// With -rdc=true, where names meet in one program, both have the file's own
/// name in front, 23 characters here; for what is static, older ones have a
/// namespace of that name:
///
///   __nv_static_23__4278e386_4_a_cu__Z1kPf__Z1kPf
///   _ZN32_INTERNAL_4278e386_4_a_cu__Z1kPf1kEPf
///
//===----------------------------------------------------------------------===//

#include "analyzer/resources/PtxasLog.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <cctype>

namespace cudalint {

static bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// Drops the number at the start of \p Text; 0 when there is none, and the
/// size of \p Text for a number that is larger.
static std::size_t consumeLength(std::string_view &Text) {
  std::size_t Length = 0;
  std::size_t Digits = 0;
  for (; Digits != Text.size() && isDigit(Text[Digits]); ++Digits)
    Length =
        std::min(Length * 10 + static_cast<std::size_t>(Text[Digits] - '0'),
                 Text.size());
  Text.remove_prefix(Digits);
  return std::min(Length, Text.size());
}

/// `__nv_static_23__4278e386_4_a_cu__Z1kPf__Z1kPf` gives `_Z1kPf`.
static std::string_view withoutFile(std::string_view Name) {
  static constexpr std::string_view Prefix = "__nv_static_";
  if (!Name.starts_with(Prefix))
    return Name;
  std::string_view Rest = Name.substr(Prefix.size());
  std::size_t Length = consumeLength(Rest);
  // The file's name has a line on either side.
  if (Length == 0 || Length + 2 >= Rest.size() || Rest[0] != '_' ||
      Rest[Length + 1] != '_')
    return Name;
  return Rest.substr(Length + 2);
}

/// The nested name at the start of \p Text, `N34_INTERNAL_...1kE`, without that
/// namespace: `1k`. Its length goes to \p Length. Empty where there is none, or
/// where it holds more than one name.
static std::string_view insideInternal(std::string_view Text,
                                       std::size_t &Length) {
  std::string_view Rest = Text.substr(1);
  std::size_t Size = consumeLength(Rest);
  if (Size == 0 || !Rest.starts_with("_INTERNAL_"))
    return {};
  Rest.remove_prefix(Size);
  std::string_view Name = Rest;
  std::size_t Own = consumeLength(Rest);
  if (Own == 0 || Own == Rest.size() || Rest[Own] != 'E')
    return {};
  Length = Text.size() - Rest.size() + Own + 1;
  return Name.substr(0, Name.size() - Rest.size() + Own);
}

/// With a function as template argument, what is in front of it counts in the
/// numbers of later substitutions: S0_ of one is S1_ of the other. Only what
/// they stand for compares: `void k<&(_INTERNAL_4278e386::f(int))>(float *)`.
static std::string demangledWithoutFile(std::string_view Name) {
  static constexpr std::string_view Internal = "_INTERNAL_";
  std::string Text = llvm::demangle(Name);
  for (std::size_t At = 0; (At = Text.find(Internal, At)) != Text.npos;) {
    const std::size_t End = Text.find("::", At);
    if (End == Text.npos)
      break;
    Text.erase(At, End + 2 - At);
  }
  return Text;
}

std::string comparableKernelName(std::string_view Name) {
  Name = withoutFile(Name);
  if (!Name.starts_with("_Z"))
    return std::string(Name);
  if (Name.find("L_Z") != Name.npos)
    return demangledWithoutFile(Name);
  std::string Result = "_Z";
  std::size_t I = 2;
  auto copyThrough = [&](char End) {
    std::size_t Stop = Name.find(End, I);
    Stop = Stop == std::string_view::npos ? Name.size() : Stop + 1;
    Result += Name.substr(I, Stop - I);
    I = Stop;
  };
  while (I != Name.size()) {
    char C = Name[I];
    char Next = I + 1 != Name.size() ? Name[I + 1] : '\0';
    std::size_t NestedLength = 0;
    std::string_view Inside;
    if (C == 'N' && isDigit(Next))
      Inside = insideInternal(Name.substr(I), NestedLength);
    if (!Inside.empty()) {
      Result += Inside;
      I += NestedLength;
    } else if (C == 'L' && std::islower(static_cast<unsigned char>(Next))) {
      copyThrough('E'); // A literal: Li256E.
    } else if (C == 'L' && isDigit(Next)) {
      ++I; // Internal linkage.
    } else if ((C == 'S' || C == 'T' || C == 'A') &&
               (isDigit(Next) ||
                (C == 'S' && std::isupper(static_cast<unsigned char>(Next))))) {
      copyThrough('_'); // S1_, T0_, A64_.
    } else if (isDigit(C)) {
      std::string_view Rest = Name.substr(I);
      std::size_t Length = consumeLength(Rest);
      std::size_t End = Name.size() - Rest.size() + Length;
      if (Rest.substr(0, Length).starts_with("_GLOBAL__N_"))
        Result += "12_GLOBAL__N_1";
      else
        Result += Name.substr(I, End - I);
      I = End;
    } else {
      Result += C;
      ++I;
    }
  }
  return Result;
}

} // namespace cudalint
