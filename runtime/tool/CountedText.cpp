//===- runtime/tool/CountedText.cpp - Which launches were counted ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Names.h"
#include "runtime/tool/Report.h"

#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cudalint {

std::vector<std::string> uncountedKernels(const JoinResult &Result,
                                          bool WasPredicted) {
  static constexpr std::size_t MostNames = 5;
  std::map<std::string_view, std::vector<std::string>> ByReason;
  for (const GpuVerdict &Gpu : Result.Gpus)
    for (const KernelVerdict &Kernel : Gpu.Kernels)
      if (!Kernel.Uncounted.empty() && Kernel.WasPredicted == WasPredicted)
        ByReason[whyUncounted(Kernel.Uncounted)].emplace_back(withoutParameters(
            Kernel.Signature.empty() ? Kernel.Name : Kernel.Signature));
  std::vector<std::string> Out;
  for (const auto &[Why, Names] : ByReason) {
    std::string Few;
    for (std::size_t I = 0; I != std::min(MostNames, Names.size()); ++I)
      Few += (I ? ", " : "") + Names[I];
    if (Names.size() > MostNames)
      Few += fmt::format(" and {} more", Names.size() - MostNames);
    Out.push_back(fmt::format("not counted: {}: {}", Few, Why));
  }
  return Out;
}

std::string countedText(const JoinResult &Result) {
  std::uint64_t Counted = 0, All = 0;
  for (const GpuVerdict &Gpu : Result.Gpus)
    for (const KernelVerdict &Kernel : Gpu.Kernels) {
      Counted += Kernel.MeasuredLaunches;
      All += Kernel.Launches;
    }
  if (!Result.HasCounters || Counted == All)
    return {};
  return fmt::format(
      "counted:   {} of {} launches; sums of all are scaled from "
      "these, by threads",
      Counted, All);
}

/// `global atomics`, `shared memory`
static std::string memoryName(const UnitSum &Sum) {
  if (!Sum.Op)
    return fmt::format("{} memory", nameOf(Sum.Space));
  return fmt::format("{} {}s", nameOf(Sum.Space), nameOf(*Sum.Op));
}

static std::string unitText(const KernelVerdict &Kernel, const UnitSum &Sum) {
  const std::string Name = printable(withoutParameters(
      Kernel.Signature.empty() ? Kernel.Name : Kernel.Signature));
  if (Sum.IsScaled)
    return fmt::format("units: {}: by CUPTI's counts about {:.0f} {} of {}, by "
                       "the hardware's about {:.0f}: both of a few launches, "
                       "scaled",
                       Name, Sum.Counted, nameOf(Sum.Unit), memoryName(Sum),
                       Sum.Hardware);
  return fmt::format("units: {}: CUPTI counts {:.0f} {} of {}, the hardware "
                     "{:.0f}",
                     Name, Sum.Counted, nameOf(Sum.Unit), memoryName(Sum),
                     Sum.Hardware);
}

std::string unitsText(const GpuVerdict &Gpu, double Allowed, unsigned Width) {
  std::string Out;
  std::size_t All = 0, Equal = 0, Scaled = 0;
  for (const KernelVerdict &Kernel : Gpu.Kernels)
    for (const UnitSum &Sum : Kernel.Units) {
      ++All;
      Scaled += Sum.IsScaled;
      if (Sum.agrees(Allowed))
        ++Equal;
      else
        Out += wrapped(unitText(Kernel, Sum), 0, Width) + "\n";
    }
  if (All == 0)
    return {};
  std::string Text = fmt::format("units: {} of {} sums of kernels are those of "
                                 "the hardware, within {:.0f} "
                                 "%",
                                 Equal, All, Allowed * 100);
  if (Scaled != 0)
    Text += fmt::format("; {} are scaled: launches that differ make them so, "
                        "and --launches=all counts all",
                        Scaled);
  return "\n" + Out + wrapped(Text, 0, Width) + "\n";
}

std::string devicesText(const GpuVerdict &Gpu) {
  const bool IsOne =
      Gpu.Parts.size() < 2 &&
      std::ranges::all_of(
          Gpu.Parts,
          [](const MeasuredDevice &Each) { return Each.Processes < 2; });
  if (IsOne)
    return {};
  std::string Out =
      fmt::format("\n{:<34}{:>10}{:>8}{:>10}{:>16}\n", "GPU, host", "processes",
                  "ranks", "launches", "requests");
  for (const MeasuredDevice &Each : Gpu.Parts) {
    // The first part of a UUID is enough to tell them apart by eye.
    std::string Name =
        fmt::format("{} {}{}{}", Each.Index, Each.Uuid.substr(0, 12),
                    Each.Host.empty() ? "" : " ", Each.Host);
    std::string Ranks = "-";
    if (!Each.Ranks.empty())
      Ranks =
          Each.Ranks.front() == Each.Ranks.back()
              ? fmt::format("{}", Each.Ranks.front())
              : fmt::format("{}..{}", Each.Ranks.front(), Each.Ranks.back());
    Out += fmt::format("{:<34}{:>10}{:>8}{:>10}{:>16}\n",
                       printable(Name.substr(0, 33)), Each.Processes, Ranks,
                       Each.Launches, Each.Requests);
  }
  return Out;
}

} // namespace cudalint
