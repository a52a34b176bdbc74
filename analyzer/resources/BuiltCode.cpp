//===- analyzer/resources/BuiltCode.cpp - What a build has made -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/BuiltCode.h"

#include "analyzer/resources/CompiledKernels.h"
#include "analyzer/resources/FatBinary.h"
#include "cubin/ElfFile.h"
#include "cubin/ResourceUsage.h"
#include "report/InputFile.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace cudalint {

/// Of an object; debugging makes them large.
static constexpr std::uint64_t MostObjectBytes = 4ull << 30;

/// Until nobody holds the other end of \p Descriptor, or \p Stop asks for it.
static void waitForEnd(int Descriptor, const std::stop_token &Stop) {
  constexpr int Milliseconds = 50;
  char Ignored[64];
  while (!Stop.stop_requested()) {
    pollfd Waiting = {.fd = Descriptor, .events = POLLIN, .revents = 0};
    const int Ready = ::poll(&Waiting, 1, Milliseconds);
    if (Ready < 0 && errno != EINTR)
      return;
    if (Ready > 0 && ::read(Descriptor, Ignored, sizeof(Ignored)) <= 0)
      return;
  }
}

std::string builtCode(const BuiltObjects &Built) {
  if (Built.Running >= 0)
    waitForEnd(Built.Running, {});
  std::string Result, Why;
  for (const auto &[Source, Object] : Built.Objects)
    if (const std::optional<std::string> Bytes =
            readWholeFile(Object, MostObjectBytes, Why))
      for (const std::string &Cubin : cubinsIn(*Bytes))
        Result += Cubin;
  return Result;
}

static ResourceRecord recordOf(const cubin::ResourceUsage &Usage) {
  return {.Registers = Usage.Registers,
          .SharedBytes = Usage.SharedBytes,
          .LocalBytes = Usage.LocalBytes,
          .SpillStores = Usage.SpillStores,
          .SpillLoads = Usage.SpillLoads,
          .Barriers = Usage.Barriers,
          .Source = "object"};
}

static void readCubin(const std::string &Cubin, ComputeCapability CC,
                      FileResources &Out) {
  for (cubin::ResourceUsage &Usage : cubin::readResourceUsage(Cubin))
    if (Usage.Registers)
      Out.Kernels.push_back({Usage.Kernel, CC, recordOf(Usage)});
  std::ranges::move(readInstructions(Cubin, CC, PrivateNames()),
                    std::back_inserter(Out.Instructions));
}

FileResources readBuilt(const BuiltObjects &Built, const std::string &File,
                        std::span<const ComputeCapability> Targets,
                        const std::stop_token &Stop) {
  FileResources Result;
  Result.File = File;
  if (Built.Running >= 0)
    waitForEnd(Built.Running, Stop);
  if (Stop.stop_requested())
    return Result;
  const auto Its = Built.Objects.find(File);
  if (Its == Built.Objects.end() || Its->second.empty()) {
    Result.Notes.push_back("the build makes no machine code of this file: "
                           "registers, spills and barriers are not known");
    return Result;
  }
  std::string Why;
  const std::optional<std::string> Object =
      readWholeFile(Its->second, MostObjectBytes, Why);
  if (!Object) {
    Result.Notes.push_back(
        fmt::format("registers, spills and barriers are not known: the object "
                    "of the build cannot be read: {}",
                    Why));
    return Result;
  }
  const std::vector<std::string> Cubins = cubinsIn(*Object);
  for (ComputeCapability CC : Targets) {
    const auto Number = static_cast<unsigned>(CC.Major * 10 + CC.Minor);
    bool HasCode = false;
    for (const std::string &Cubin : Cubins)
      if (cubin::architectureOf(cubin::ElfFile(Cubin)) == Number) {
        HasCode = true;
        readCubin(Cubin, CC, Result);
      }
    if (!HasCode)
      Result.Notes.push_back(fmt::format(
          "'{0}' has no machine code for {1}: registers, spills and barriers "
          "are not known there; build for it, as with -gencode "
          "arch=compute_{2},code=sm_{2}",
          printable(Its->second), toString(CC), Number));
  }
  return Result;
}

} // namespace cudalint
