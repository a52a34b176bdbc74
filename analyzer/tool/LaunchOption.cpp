//===- analyzer/tool/LaunchOption.cpp - --launch and --block --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/LaunchOption.h"

#include <charconv>
#include <fmt/format.h>

namespace cudalint {

using Block = std::array<std::int64_t, 3>;

static std::vector<std::string_view> split(std::string_view Text,
                                           std::string_view Separators) {
  std::vector<std::string_view> Parts;
  while (true) {
    std::size_t At = Text.find_first_of(Separators);
    Parts.push_back(Text.substr(0, At));
    if (At == std::string_view::npos)
      return Parts;
    Text.remove_prefix(At + 1);
  }
}

static std::string_view trim(std::string_view Text) {
  std::size_t First = Text.find_first_not_of(" \t");
  if (First == std::string_view::npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(" \t") - First + 1);
}

/// Reads a whole number of at least \p Least. \p What names it in the message.
static std::optional<std::int64_t> parseCount(std::string_view Text,
                                              std::int64_t Least,
                                              std::string_view What,
                                              std::string &Error) {
  Text = trim(Text);
  std::int64_t Value = 0;
  auto [End, Code] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Code == std::errc::result_out_of_range) {
    Error = fmt::format("{} {} is out of range", What, Text);
    return std::nullopt;
  }
  if (Code != std::errc() || End != Text.data() + Text.size()) {
    Error = fmt::format("{} '{}' is not a whole number", What, Text);
    return std::nullopt;
  }
  if (Value < Least) {
    Error = fmt::format("{} is {}, it must be at least {}", What, Value, Least);
    return std::nullopt;
  }
  return Value;
}

/// Reads `16x16x1`, `?x4` or `?`. What is left out is 1.
static std::optional<Extent>
parseExtent(std::string_view Text, std::string_view What, std::string &Error) {
  if (trim(Text) == "?")
    return Extent();
  std::vector<std::string_view> Parts = split(Text, "xX");
  if (Parts.size() > 3) {
    Error = fmt::format("{} '{}' has {} dimensions, there are at most 3", What,
                        trim(Text), Parts.size());
    return std::nullopt;
  }
  Extent Result = {1, 1, 1};
  for (std::size_t I = 0; I != Parts.size(); ++I) {
    if (trim(Parts[I]) == "?") {
      Result[I] = std::nullopt;
      continue;
    }
    Result[I] = parseCount(
        Parts[I], 1, fmt::format("{} dimension {}", What, "xyz"[I]), Error);
    if (!Result[I])
      return std::nullopt;
  }
  return Result;
}

std::optional<LaunchOption> parseLaunchOption(std::string_view Text,
                                              std::string &Error) {
  // A signature may hold commas and, in template arguments, even `=`; a shape
  // never holds `=`.
  std::size_t Equals = Text.rfind('=');
  if (Equals == std::string_view::npos) {
    Error = "there is no '='";
    return std::nullopt;
  }
  LaunchOption Result;
  Result.Kernel = trim(Text.substr(0, Equals));
  if (Result.Kernel.empty()) {
    Error = "the name of the kernel is empty, use * for all kernels";
    return std::nullopt;
  }
  std::vector<std::string_view> Parts = split(Text.substr(Equals + 1), ",");
  if (Parts.size() < 2 || Parts.size() > 3) {
    Error = fmt::format("there {} {} {} after '=', 2 or 3 are needed",
                        Parts.size() == 1 ? "is" : "are", Parts.size(),
                        Parts.size() == 1 ? "part" : "parts");
    return std::nullopt;
  }
  std::optional<Extent> Grid = parseExtent(Parts[0], "grid", Error);
  if (!Grid)
    return std::nullopt;
  std::optional<Extent> BlockShape = parseExtent(Parts[1], "block", Error);
  if (!BlockShape)
    return std::nullopt;
  Result.Grid = *Grid;
  Result.Block = *BlockShape;
  if (Parts.size() == 2 || trim(Parts[2]) == "?")
    return Result;
  Result.DynamicSharedBytes =
      parseCount(Parts[2], 0, "dynamic shared memory", Error);
  if (!Result.DynamicSharedBytes)
    return std::nullopt;
  return Result;
}

std::optional<Block> parseBlockOption(std::string_view Text,
                                      std::string &Error) {
  std::vector<std::string_view> Parts = split(Text, ",xX");
  if (Parts.size() > 3) {
    Error = fmt::format("there are {} dimensions, there can be at most 3",
                        Parts.size());
    return std::nullopt;
  }
  Block Result = {1, 1, 1};
  for (std::size_t I = 0; I != Parts.size(); ++I) {
    std::optional<std::int64_t> Value = parseCount(
        Parts[I], 1, fmt::format("block dimension {}", "xyz"[I]), Error);
    if (!Value)
      return std::nullopt;
    Result[I] = *Value;
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// What is unknown is taken as 1: the least that it can be.
static std::string whyBlockImpossible(const Extent &Shape, const Target &Gpu) {
  const Architecture &Arch = *Gpu.Arch;
  const std::array<std::int64_t, 3> Limit = {Arch.BlockX, Arch.BlockY,
                                             Arch.BlockZ};
  std::int64_t Threads = 1;
  for (unsigned I = 0; I != 3; ++I) {
    std::int64_t Size = Shape[I].value_or(1);
    if (Size > Limit[I])
      return fmt::format("block dimension {} is {}, {} allows {}", "xyz"[I],
                         Size, Gpu.Name, Limit[I]);
    Threads *= Size;
  }
  if (Threads > Arch.ThreadsPerBlock)
    return fmt::format("a block of {} threads is too large, {} allows {}",
                       Threads, Gpu.Name, Arch.ThreadsPerBlock);
  return {};
}

static std::string whyGridImpossible(const Extent &Shape, const Target &Gpu) {
  const Architecture &Arch = *Gpu.Arch;
  const std::array<std::uint64_t, 3> Limit = {Arch.GridX, Arch.GridY,
                                              Arch.GridZ};
  for (unsigned I = 0; I != 3; ++I)
    if (std::uint64_t Size = Shape[I].value_or(1); Size > Limit[I])
      return fmt::format("grid dimension {} is {}, {} allows {}", "xyz"[I],
                         Size, Gpu.Name, Limit[I]);
  return {};
}

std::string whyImpossible(const ShapeOptions &Shapes, const Target &Gpu) {
  if (Shapes.Block) {
    const Block &B = *Shapes.Block;
    if (std::string Why = whyBlockImpossible({B[0], B[1], B[2]}, Gpu);
        !Why.empty())
      return "--block: " + Why;
  }
  for (const LaunchOption &Option : Shapes.Launches) {
    std::string Why = whyBlockImpossible(Option.Block, Gpu);
    if (Why.empty())
      Why = whyGridImpossible(Option.Grid, Gpu);
    std::int64_t Bytes = Option.DynamicSharedBytes.value_or(0);
    if (Why.empty() && Bytes > Gpu.Arch->SharedPerBlockOptIn)
      Why = fmt::format("{} bytes of dynamic shared memory are too many, {} "
                        "allows {} per block",
                        Bytes, Gpu.Name, Gpu.Arch->SharedPerBlockOptIn);
    if (!Why.empty())
      return fmt::format("--launch for '{}': {}", Option.Kernel, Why);
  }
  return {};
}

} // namespace cudalint
