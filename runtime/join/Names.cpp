//===- runtime/join/Names.cpp - Names that two compilers write ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Names.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// Copies what \p At points to and moves it on; the length of an identifier,
/// so that its letters are not taken for something else.
static void copyIdentifier(std::string_view In, std::size_t &At,
                           std::string &Out) {
  std::size_t Start = At;
  std::size_t Length = 0;
  while (At != In.size() && isDigit(In[At]) && Length <= In.size())
    Length = Length * 10 + static_cast<std::size_t>(In[At++] - '0');
  std::string_view Name = In.substr(At, Length);
  At += Name.size();
  if (Name.starts_with("_GLOBAL__N_"))
    Out += "12_GLOBAL__N_1";
  else
    Out += In.substr(Start, At - Start);
}

std::string canonicalKernel(std::string_view Linkage) {
  if (!Linkage.starts_with("_Z"))
    return std::string(Linkage);
  std::string Out;
  std::size_t At = 0;
  while (At != Linkage.size()) {
    char C = Linkage[At];
    char Next = At + 1 != Linkage.size() ? Linkage[At + 1] : '\0';
    if (isDigit(C)) {
      copyIdentifier(Linkage, At, Out);
    } else if (C == 'L' && isDigit(Next)) {
      ++At; // Internal linkage.
    } else if ((C == 'L' && Next >= 'a' && Next <= 'z') || C == 'S' ||
               C == 'T') {
      // A literal (Li128E), a substitution (S0_), a template parameter (T0_):
      // their digits are no lengths.
      do
        Out += Linkage[At++];
      while (At != Linkage.size() && isDigit(Linkage[At]));
      if (C == 'L') {
        Out += Linkage[At++];
        while (At != Linkage.size() &&
               (isDigit(Linkage[At]) || Linkage[At] == 'n'))
          Out += Linkage[At++];
      }
    } else {
      Out += C;
      ++At;
    }
  }
  return Out;
}

std::string demangled(const std::string &Linkage) {
  // A hostile name of megabytes is not worth the stack.
  if (!Linkage.starts_with("_Z") || Linkage.size() > 4096)
    return Linkage;
  int Status = 0;
  char *Text = abi::__cxa_demangle(Linkage.c_str(), nullptr, nullptr, &Status);
  std::string Out = Status == 0 && Text ? Text : Linkage;
  std::free(Text);
  return Out;
}

/// What nvcc makes of a file's name in a linkage name: src/a-b.cu is a_b_cu.
static std::string markOf(const std::string &Unit) {
  std::string Mark = "_" + Unit.substr(Unit.rfind('/') + 1) + "_";
  for (char &C : Mark)
    if (!isDigit(C) && !(C >= 'a' && C <= 'z') && !(C >= 'A' && C <= 'Z'))
      C = '_';
  return Mark;
}

std::vector<std::size_t>
matchingKernels(const std::string &Kernel, const std::string &Unit,
                std::span<const std::string> Measured) {
  std::vector<std::size_t> Out;
  for (std::size_t I = 0; I != Measured.size(); ++I)
    if (Measured[I] == Kernel)
      return {I};
  std::string Canonical = canonicalKernel(Kernel);
  for (std::size_t I = 0; I != Measured.size(); ++I)
    if (canonicalKernel(Measured[I]) == Canonical)
      Out.push_back(I);
  if (Out.size() < 2)
    return Out;
  std::vector<std::size_t> Marked;
  std::ranges::copy_if(Out, std::back_inserter(Marked), [&](std::size_t I) {
    return Measured[I].find(markOf(Unit)) != std::string::npos;
  });
  return Marked.empty() ? Out : Marked;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::vector<std::string_view> components(std::string_view Path) {
  std::vector<std::string_view> Out;
  while (!Path.empty()) {
    std::size_t End = std::min(Path.find('/'), Path.size());
    std::string_view Each = Path.substr(0, End);
    Path.remove_prefix(std::min(End + 1, Path.size()));
    if (Each.empty() || Each == ".")
      continue;
    if (Each == ".." && !Out.empty())
      Out.pop_back();
    else if (Each != "..")
      Out.push_back(Each);
  }
  return Out;
}

unsigned commonSuffix(std::string_view A, std::string_view B) {
  std::vector<std::string_view> As = components(A), Bs = components(B);
  unsigned Length = 0;
  while (Length < As.size() && Length < Bs.size() &&
         As[As.size() - 1 - Length] == Bs[Bs.size() - 1 - Length])
    ++Length;
  return Length;
}

bool isToolkitHeader(std::string_view Path) {
  std::string_view Name = Path.substr(Path.rfind('/') + 1);
  if (!Name.ends_with(".hpp") && !Name.ends_with(".h"))
    return false;
  // A user's own header may begin so, but does not stand there.
  if (Path.find("/include/") == std::string_view::npos)
    return false;
  constexpr std::string_view Beginnings[] = {
      "cuda_awbarrier",  "cuda_bf16", "cuda_fp", "cuda_pipeline",
      "device_",         "mma.",      "sm_",     "surface_indirect",
      "texture_indirect"};
  return std::ranges::any_of(Beginnings, [&](std::string_view Each) {
    return Name.starts_with(Each);
  });
}

FileMatch matchFile(std::string_view Predicted,
                    std::span<const std::string> Measured) {
  unsigned Best = 1;
  FileMatch Out;
  for (const std::string &File : Measured) {
    if (File == Predicted)
      return {.File = File, .Candidates = {}};
    unsigned Length = commonSuffix(Predicted, File);
    if (Length < Best)
      continue;
    if (Length > Best)
      Out.Candidates.clear();
    Best = Length;
    if (std::ranges::find(Out.Candidates, File) == Out.Candidates.end())
      Out.Candidates.push_back(File);
  }
  if (Out.Candidates.size() == 1) {
    Out.File = std::move(Out.Candidates.front());
    Out.Candidates.clear();
  }
  return Out;
}

/// Whether both have folders before their common suffix: these differ.
static bool hasOtherFolder(std::string_view A, std::string_view B) {
  unsigned Length = commonSuffix(A, B);
  return Length != components(A).size() && Length != components(B).size();
}

std::map<std::string, FileMatch>
matchFiles(std::span<const std::string> Predicted,
           std::span<const std::string> Measured) {
  std::map<std::string, FileMatch> Out;
  std::map<std::string, unsigned> Longest;
  for (const std::string &File : Predicted) {
    auto [Entry, IsNew] = Out.try_emplace(File);
    if (!IsNew)
      continue;
    Entry->second = matchFile(File, Measured);
    if (const std::string &Found = Entry->second.File; !Found.empty())
      Longest[Found] = std::max(Longest[Found], commonSuffix(File, Found));
  }
  for (auto &[File, Match] : Out)
    if (!Match.File.empty() && hasOtherFolder(File, Match.File) &&
        commonSuffix(File, Match.File) < Longest[Match.File])
      Match = {};
  return Out;
}

} // namespace cudalint
