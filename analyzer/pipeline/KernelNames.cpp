//===- analyzer/pipeline/KernelNames.cpp - What users call a kernel -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/KernelNames.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace cudalint {

static std::string withoutSpaces(std::string_view Text) {
  std::string Result;
  std::ranges::copy_if(Text, std::back_inserter(Result),
                       [](unsigned char C) { return !std::isspace(C); });
  return Result;
}

/// Where the bracket opens that the last character of \p Text closes; npos
/// when the last character closes none.
static std::size_t openingOfLast(std::string_view Text, char Open, char Close) {
  if (Text.empty() || Text.back() != Close)
    return std::string_view::npos;
  int Depth = 0;
  for (std::size_t I = Text.size(); I-- > 0;) {
    Depth += Text[I] == Close;
    Depth -= Text[I] == Open;
    if (Depth == 0)
      return I;
  }
  return std::string_view::npos;
}

/// `ns::f<g::h>` gives `f<g::h>`.
static std::string_view withoutScopes(std::string_view Text) {
  std::size_t Start = 0;
  int Depth = 0;
  for (std::size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    Depth += C == '<' || C == '(';
    Depth -= C == '>' || C == ')';
    if (Depth == 0 && C == ':')
      Start = I + 1;
  }
  return Text.substr(Start);
}

std::string comparableName(std::string_view Name) {
  // c++filt writes `void k<4>(int*)`: templates have their return type.
  if (constexpr std::string_view Void = "void "; Name.starts_with(Void))
    Name.remove_prefix(Void.size());
  return withoutSpaces(Name);
}

KernelNames namesOf(const KernelDeclaration &Kernel) {
  KernelNames Names;
  const std::string Signature = withoutSpaces(Kernel.Signature);
  std::string_view Full = Signature;
  Full = Full.substr(0, openingOfLast(Full, '(', ')'));
  const std::string_view Plain = Full.substr(0, openingOfLast(Full, '<', '>'));
  Names[NameRank::Linkage] = Kernel.Name;
  Names[NameRank::Signature] = Signature;
  Names[NameRank::Full] = Full;
  Names[NameRank::Plain] = Plain;
  Names[NameRank::FullWithoutScopes] = withoutScopes(Full);
  Names[NameRank::PlainWithoutScopes] = withoutScopes(Plain);
  return Names;
}

bool namesKernel(std::string_view Name, const KernelDeclaration &Kernel) {
  if (Name == Kernel.Name)
    return true;
  const std::string Wanted = comparableName(Name);
  const KernelNames Names = namesOf(Kernel);
  return !Wanted.empty() && std::find(Names.begin() + NameRank::Signature,
                                      Names.end(), Wanted) != Names.end();
}

} // namespace cudalint
