//===- tests/differential/Case.cpp - A kernel and a launch in a file ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cudalint::differential {

template <typename Range> static std::string joined(const Range &Numbers) {
  std::string S;
  for (auto N : Numbers)
    S += (S.empty() ? "" : ",") + std::to_string(N);
  return S;
}

std::string writeCase(const RandomKernel &Kernel, const RandomLaunch &Launch) {
  std::string S;
  raw_string_ostream Out(S);
  Out << "; launch block=" << joined(Kernel.Block)
      << " grid=" << joined(Launch.Grid)
      << " index=" << joined(Launch.BlockIndex) << " warp=" << Launch.Warp
      << " arguments=" << joined(Launch.Arguments)
      << "\n; told grid=" << joined(Launch.GridKnown)
      << " arguments=" << joined(Launch.ArgumentKnown) << "\n";
  Kernel.M->print(Out, nullptr);
  return S;
}

/// The numbers of `Word=1,2,3` in the line that begins so; empty if there are
/// none.
static std::vector<std::int64_t> numbers(StringRef Text, StringRef Line,
                                         StringRef Word) {
  StringRef Rest = Text.substr(Text.find(Line)).split('\n').first;
  Rest =
      Rest.substr(std::min(Rest.find((" " + Word + "=").str()), Rest.size()));
  Rest = Rest.ltrim().split('=').second.split(' ').first;
  std::vector<std::int64_t> R;
  for (StringRef N : split(Rest, ','))
    if (std::int64_t V; to_integer(N.trim(), V, 10))
      R.push_back(V);
  return R;
}

Expected<std::pair<RandomKernel, RandomLaunch>> readCase(StringRef Path,
                                                         LLVMContext &Context) {
  auto Fail = [&](const Twine &Why) {
    return createStringError(Path + ": " + Why);
  };
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return Fail(Buffer.getError().message());
  StringRef Text = (*Buffer)->getBuffer();
  RandomKernel K;
  SMDiagnostic Error;
  K.M = parseIR(**Buffer, Error, Context);
  K.F = K.M ? K.M->getFunction("kernel") : nullptr;
  if (!K.F)
    return Fail(K.M ? "no function named kernel" : Error.getMessage());
  RandomLaunch L;
  auto Launch = [&](StringRef W) { return numbers(Text, "; launch", W); };
  auto Told = [&](StringRef W) { return numbers(Text, "; told", W); };
  L.Arguments = Launch("arguments");
  for (std::int64_t Known : Told("arguments"))
    L.ArgumentKnown.push_back(Known);
  if (Launch("warp").size() != 1 || L.Arguments.size() != K.F->arg_size() ||
      L.ArgumentKnown.size() != K.F->arg_size())
    return Fail("a warp and a value for each argument are needed");
  L.Warp = static_cast<unsigned>(Launch("warp")[0]);
  for (const std::vector<std::int64_t> &Three :
       {Launch("block"), Launch("grid"), Launch("index"), Told("grid")})
    if (Three.size() != 3)
      return Fail("block, grid and index have three numbers");
  for (unsigned D = 0; D < 3; ++D) {
    K.Block[D] = Launch("block")[D];
    L.Grid[D] = Launch("grid")[D];
    L.BlockIndex[D] = Launch("index")[D];
    L.GridKnown[D] = Told("grid")[D];
  }
  return std::pair(std::move(K), std::move(L));
}

} // namespace cudalint::differential
