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
//===----------------------------------------------------------------------===//

#include "analyzer/resources/PtxasLog.h"

#include <algorithm>
#include <cctype>

namespace cudalint {

static bool isDigit(char C) { return C >= '0' && C <= '9'; }

std::string comparableKernelName(std::string_view Name) {
  if (!Name.starts_with("_Z"))
    return std::string(Name);
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
    if (C == 'L' && std::islower(static_cast<unsigned char>(Next))) {
      copyThrough('E'); // A literal: Li256E.
    } else if (C == 'L' && isDigit(Next)) {
      ++I; // Internal linkage.
    } else if ((C == 'S' || C == 'T' || C == 'A') &&
               (isDigit(Next) ||
                (C == 'S' && std::isupper(static_cast<unsigned char>(Next))))) {
      copyThrough('_'); // S1_, T0_, A64_.
    } else if (isDigit(C)) {
      std::size_t Length = 0;
      std::size_t Start = I;
      while (I != Name.size() && isDigit(Name[I]) && Length < Name.size())
        Length = Length * 10 + static_cast<std::size_t>(Name[I++] - '0');
      Length = std::min(Length, Name.size() - I);
      std::string_view Identifier = Name.substr(I, Length);
      if (Identifier.starts_with("_GLOBAL__N_"))
        Result += "12_GLOBAL__N_1";
      else
        Result += Name.substr(Start, I - Start + Length);
      I += Length;
    } else {
      Result += C;
      ++I;
    }
  }
  return Result;
}

} // namespace cudalint
