//===- analyzer/pipeline/UnusedNames.cpp - Names of no kernel -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/UnusedNames.h"

#include "analyzer/pipeline/KernelNames.h"
#include "analyzer/pipeline/NearestWord.h"
#include "report/Names.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cudalint {

/// "; did you mean reduce?", or what there is: "; they hold scan, reduce".
static std::string namesInstead(const std::string &Wrong,
                                const std::vector<std::string> &Names) {
  static constexpr std::size_t MostNames = 8;
  if (std::string Near = nearestWord(Wrong, Names); !Near.empty())
    return fmt::format("; did you mean {}?", Near);
  if (Names.empty())
    return {};
  std::size_t Shown = std::min(Names.size(), MostNames);
  std::string Text = fmt::format(
      "; they hold {}",
      fmt::join(Names.begin(),
                Names.begin() + static_cast<std::ptrdiff_t>(Shown), ", "));
  if (Shown != Names.size())
    Text += fmt::format(" and {} more", Names.size() - Shown);
  return Text;
}

/// A name from a file may be very long, and to compare it with others takes as
/// long.
static std::string shortened(const std::string &Name) {
  static constexpr std::size_t Most = 200;
  return Name.size() <= Most ? Name : Name.substr(0, Most) + "...";
}

void noteUnusedNames(const AnalysisRequest &Run,
                     std::span<const UnitIndex> Files,
                     const LaunchAssignment &Listed,
                     std::vector<std::string> &Notes) {
  std::vector<std::string> Names;
  for (const UnitIndex &File : Files)
    for (const KernelDeclaration &Kernel : File.Kernels)
      if (std::string Name(withoutParameters(Kernel.Signature));
          std::ranges::find(Names, Name) == Names.end())
        Names.push_back(std::move(Name));
  auto note = [&](const char *Option, const std::string &Wanted) {
    Notes.push_back(fmt::format(
        "cuda-lint: warning: {} names kernel '{}', which is in none of the "
        "files{}",
        Option, Wanted, namesInstead(Wanted, Names)));
  };
  auto noteUnless = [&](const char *Option, const std::string &Wanted) {
    for (const UnitIndex &File : Files)
      for (const KernelDeclaration &Kernel : File.Kernels)
        if (namesKernel(Wanted, Kernel))
          return;
    note(Option, Wanted);
  };
  static constexpr std::size_t MostListed = 4;
  const std::size_t Shown = std::min(Listed.Unmatched.size(), MostListed);
  for (std::size_t I = 0; I != Shown; ++I)
    note("--launches-from", shortened(Listed.Unmatched[I]));
  if (Shown != Listed.Unmatched.size())
    Notes.push_back(fmt::format(
        "cuda-lint: warning: --launches-from names {} more kernels that are in "
        "none of the files",
        Listed.Unmatched.size() - Shown));
  for (const LaunchOption &Option : Run.Shapes.Launches)
    if (Option.Kernel != "*")
      noteUnless("--launch", Option.Kernel);
  for (const std::string &Kernel : Run.KernelsWithRegisters)
    noteUnless("--registers", Kernel);
}

} // namespace cudalint
